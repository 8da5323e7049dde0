"""docs/recipes.md: each command as it is printed there, on files of several formats, against what plain Python says.

Exchanges are played on the board of chess_support.py: all legal captures on the square, by both sides.
"""
import os
import re
import subprocess

import pytest

from binpack_support import Row as Ply, write
from chess_support import Board
from formats_support import decode_bullet, decode_plain, encode_bullet, encode_games, encode_marlin, encode_plain, sample, seen_by_mover
from pipeline_support import TOOL, WRITERS, environment, well

RECIPES = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "recipes.md")
WORTH = {"p": 100, "n": 325, "b": 325, "r": 500, "q": 1000}


def commands():
    """The blocks of commands, by the heading that they stand under."""
    with open(RECIPES) as file:
        sections = re.split(r"^## ", file.read(), flags=re.M)[1:]
    return {section.split("\n", 1)[0]: re.findall(r"^```\n(.*?)^```", section, re.M | re.S) for section in sections}


COMMANDS = commands()


# ---- Exchanges --------------------------------------------------------------------------------------------------------


def after(board, move):
    board = board.copy()
    board.play(move, "legal")
    return board


def gain(board, move):
    taken = "p" if board.is_ep(move) else board.at[move[1]].lower() if board.is_capture(move) else None
    return WORTH.get(taken, 0) + (WORTH[move[2]] - WORTH["p"] if move[2] else 0)


def best_reply(board, square):
    """What the side to move gains by capturing on the square, or 0."""
    best = 0
    for source in range(64):
        if board.own(source) and square in board.targets(source):
            for move in board.moves_of(source):
                if move[1] == square and board.is_capture(move) and move[2] in (None, "q"):
                    best = max(best, gain(board, move) - best_reply(after(board, move), square))
    return best


def value(board, move):
    return 0 if board.castles(move) else gain(board, move) - best_reply(after(board, move), move[1])


class Position:
    """A record with its board, and what the recipes ask of it."""

    def __init__(self, row):
        self.row, self.board = row, Board(row.fen)
        self.move = self.board.move(row.move) if row.move else None
        self.captures = row.move is not None and self.board.is_capture(self.move)
        self.in_check = self.board.in_check()
        self.value = value(self.board, self.move) if self.captures else None
        self.stored = row.score if self.board.white else -row.score  # as a binpack has it

    def is_quiet(self):
        return not self.in_check and not any(value(self.board, move) >= 0 for move in self.board.legal()
                                             if self.board.is_capture(move) or move[2])


@pytest.fixture(scope="module")
def positions():
    rows = decode_plain(sample("own.plain").decode())
    rows = rows[:150] + rows[700:900]
    for row in rows[::9]:
        row.score = 32002 if row.fen.split()[1] == "w" else -32002
    return [Position(row) for row in rows]


def file_of(form, positions):
    rows = [p.row for p in positions]
    if form == "binpack":
        return write([Ply(p.board, p.move, p.stored, p.row.ply, (p.row.result - 1) * (1 if p.board.white else -1))
                      for p in positions])
    if form == "viriformat":
        return encode_games(rows)
    if form in ("marlinformat", "bulletformat"):
        return b"".join(map(encode_marlin if form == "marlinformat" else encode_bullet, rows))
    if form == "fen":  # moves that a line names would be evaluated instead of all
        return "".join(row.fen + "\n" for row in rows).encode()
    return (encode_plain(rows) if form == "plain" else WRITERS[form](rows)).encode()


WITH_MOVES = ["binpack", "viriformat", "plain", "csv", "tsv", "jsonl"]


@pytest.fixture(params=WITH_MOVES)
def place(request, positions, tmp_path):
    """A directory with the games in some format, and a function that runs a block of commands there."""
    ending = {"viriformat": "vf", "bulletformat": "bullet"}.get(request.param, request.param)
    (tmp_path / ("games." + ending)).write_bytes(file_of(request.param, positions))
    (tmp_path / "seebatch").symlink_to(TOOL)

    def do(block, lose=""):
        block = block.replace("games.binpack", "games." + ending + lose)
        path = f"{tmp_path}:{os.environ['PATH']}"
        result = subprocess.run(["sh", "-e", "-c", block], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=dict(environment(), PATH=path, HOME=str(tmp_path)), timeout=120, check=False)
        assert result.returncode == 0, result.stderr
        return result
    do.form, do.path = request.param, tmp_path
    # what tables say besides
    do.lose = " --lose columns" if request.param in ("csv", "tsv", "jsonl") else ""
    return do


def rows_of(path):
    """(FEN without its clocks, move, White's score, White's result)"""
    return [(*r.fen.rsplit(" ", 2)[:1], r.move, r.score, r.result) for r in decode_plain(well("convert", path, "--to", "plain").decode())]


def expected(positions, mark=None):
    """The same of positions; those of which mark is true have the score 32002."""
    return [(p.row.fen.rsplit(" ", 2)[0], p.row.move,
             (32002 if p.board.white else -32002) if mark and mark(p) else p.row.score, p.row.result) for p in positions]


# ---- The recipes -------------------------------------------------------------------------------------------------------


def test_captures_that_lose(place, positions):
    losing, marked = COMMANDS["Captures that lose"]
    place(losing, place.lose)
    wanted = [p for p in positions if p.captures and p.value < 0]
    assert rows_of(place.path / "losing.plain") == expected(wanted) and wanted
    place(marked, place.lose)
    assert rows_of(place.path / "marked.binpack") == expected(positions, lambda p: p.in_check or (p.captures and p.value >= 0))


def test_smart_skipping(place, positions):
    block, = COMMANDS["nnue-pytorch: smart skipping, ahead of training"]
    place(block, place.lose)

    def skipped(p):
        return p.in_check or p.captures or p.row.ply <= 28 or p.stored == 32002
    assert rows_of(place.path / "skipped.binpack") == expected(positions, skipped)
    assert 10 < sum(map(skipped, positions)) < len(positions)


@pytest.mark.parametrize("place", [*WITH_MOVES, "marlinformat", "scored"], indirect=True)
def test_quiet_positions(place, positions):
    block, = COMMANDS["Quiet positions for bullet"]
    place(block)
    data = (place.path / "quiet.bullet").read_bytes()
    wanted = [p for p in positions if abs(p.row.score) < 10000 and sum(c != "." for c in p.board.at) >= 8 and p.is_quiet()]
    assert data == b"".join(encode_bullet(p.row) for p in wanted) and len(wanted) > 10
    assert decode_bullet(data[:32])


@pytest.mark.parametrize("place", [*WITH_MOVES, "marlinformat", "bulletformat", "scored", "fen"], indirect=True)
def test_census(place, positions):
    block, = COMMANDS["Good and bad moves, for a policy head"]
    some = positions[::12]
    name = next(place.path.glob("games.*"))
    name.write_bytes(file_of(place.form, some))
    if place.form == "bulletformat":  # which has no castling, and White to move
        some = [Position(row) for p in some for row in [seen_by_mover(p.row)]]
    good = [value(p.board, move) >= 0 for p in some for move in p.board.legal()]
    assert place(block).stdout.decode() == f"{sum(good)} good, {len(good) - sum(good)} bad\n"


def test_several_machines(place, positions):
    parallel, slurm = COMMANDS["One file on several machines"]
    assert "examples/filter.sbatch out .binpack --drop in-check" in slurm  # test_tool_part.py runs its script
    if subprocess.run(["sh", "-c", "command -v parallel"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        pytest.skip("there is no GNU parallel (Debian: parallel)")
    place(parallel.replace("--sshloginfile machines", "--will-cite").replace("64", "8"))
    whole = well("filter", "--drop", "in-check", next(place.path.glob("games.*")))
    assert (place.path / "quiet.binpack").read_bytes() == whole


def test_estimate(place, positions):
    block, = COMMANDS["What a large job takes"]
    data = file_of(place.form, positions)
    name = next(place.path.glob("games.*"))
    header = data.index(b"\n") + 1 if place.form in ("csv", "tsv") else 0
    name.write_bytes(data[:header] + data[header:] * 48)
    said = place(block, place.lose).stderr.decode()
    read = [int(n) for n in re.findall(r": (\d+) positions? read", said)]
    assert len(read) == 4 and abs(12 * sum(read) / (48 * len(positions)) - 1) < 0.1
    for part in (1, 13, 25, 37):
        assert (place.path / f"part-{part}.binpack").stat().st_size > 0
