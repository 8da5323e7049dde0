"""docs/recipes.md: each command as it is printed there, on files of several formats, against a plain filter in Python."""
import os
import re
import shutil
import subprocess

import pytest

from formats_support import FORMATS, decode_plain, encode_bullet, sample, seen_by_mover
from pipeline_support import TOOL, Judge, environment, evaluate, well

RECIPES = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "recipes.md")
WITH_MOVES = ["binpack", "viriformat", "plain", "csv", "tsv", "jsonl"]


def commands():
    """The blocks of commands, by the heading that they stand under."""
    with open(RECIPES) as file:
        sections = re.split(r"^## ", file.read(), flags=re.M)[1:]
    return {section.split("\n", 1)[0]: re.findall(r"^```\n(.*?)^```", section, re.M | re.S) for section in sections}


COMMANDS = commands()


@pytest.fixture(scope="module")
def rows():
    found = decode_plain(sample("plain"))
    found = found[:150] + found[700:900]
    for row in found[::9]:
        row.score = row.sign() * 32002
    return found


@pytest.fixture(scope="module")
def judge(rows):
    return Judge(rows)


@pytest.fixture(params=WITH_MOVES)
def place(request, rows, tmp_path):
    """A function that runs a block of commands in a directory with the games in some format."""
    games = tmp_path / f"games.{request.param}"
    games.write_bytes(FORMATS[request.param].encode(rows))
    (tmp_path / "seebatch").symlink_to(TOOL)

    def do(block):
        result = subprocess.run(["sh", "-e", "-c", block.replace("games.binpack", games.name)], cwd=tmp_path,
                                capture_output=True,
                                env=dict(environment(), PATH=f"{tmp_path}:{os.environ['PATH']}", HOME=str(tmp_path)),
                                timeout=120)
        assert result.returncode == 0, result.stderr
        return result

    do.form, do.path, do.games = request.param, tmp_path, games
    return do


def check(path, rows, marked=lambda row: False):
    """Asserts that a file has these records; those that are marked with the score 32002."""
    found = decode_plain(well("convert", path, "--to", "plain"))
    assert found and [(r.fen.split()[:4], r.move, r.score, r.result) for r in found] == [
        (r.fen.split()[:4], r.move, r.sign() * 32002 if marked(r) else r.score, r.result) for r in rows]


def test_captures_that_win(place, rows, judge):
    winning, won = COMMANDS["Captures that win material"]
    place(winning)
    check(place.path / "winning.plain", [row for row in rows if judge.holds("any-capture=1..", row)])
    place(won)
    check(place.path / "won.plain", [row for row in rows if judge.holds("capture=1..", row)])


def test_scores_against_results(place, rows, judge):
    block, = COMMANDS["Scores against results"]
    place(block)
    wanted = [row for row in rows if not judge.holds("contradiction=300..", row)]
    check(place.path / "consistent.plain", wanted)
    assert len(wanted) < len(rows)


def test_games(tmp_path):
    block, = COMMANDS["Games in PGN to a binpack"]
    (tmp_path / "games.pgn").write_text('[Result "1-0"]\n\n1. e4 {book} e5 {-0.05/16 0.9s} 2. Nf3 {+0.20/18 1.1s} 1-0\n')
    (tmp_path / "seebatch").symlink_to(TOOL)
    subprocess.run(["sh", "-e", "-c", block], cwd=tmp_path, check=True, stderr=subprocess.DEVNULL,
                   env=dict(environment(), PATH=f"{tmp_path}:{os.environ['PATH']}"), timeout=120)
    found = decode_plain(well("convert", tmp_path / "from-pgn.binpack", "--to", "plain"))
    assert [(row.move, row.ply) for row in found] == [("e7e5", 1), ("g1f3", 2)]


def test_a_tenth(place, rows):
    block, = COMMANDS["A reproducible tenth"]
    place(block)
    first = (place.path / "tenth.plain").read_bytes()
    place(block.replace("seebatch filter", "seebatch filter --threads 1"))
    assert (place.path / "tenth.plain").read_bytes() == first and 10 < len(decode_plain(first)) < len(rows) / 5


def test_captures_that_lose(place, rows, judge):
    losing, marked = COMMANDS["Captures that lose"]
    place(losing)
    check(place.path / "losing.plain", [row for row in rows if judge.holds("capture=..-1", row)])
    place(marked)
    check(place.path / "marked.binpack", rows,
          lambda row: judge.holds("in-check", row) or judge.holds("capture=0..", row))


def test_smart_skipping(place, rows, judge):
    block, = COMMANDS["nnue-pytorch: smart skipping, ahead of training"]
    place(block)

    def skipped(row):
        return judge.holds("in-check", row) or judge.holds("capture",
                                                           row) or row.ply <= 28 or row.sign() * row.score == 32002

    check(place.path / "skipped.binpack", rows, skipped)
    assert 10 < sum(map(skipped, rows)) < len(rows)


@pytest.mark.parametrize("place", [*WITH_MOVES, "marlinformat", "scored"], indirect=True)
def test_quiet_positions(place, rows, judge):
    block, = COMMANDS["Quiet positions for bullet"]
    place(block)
    wanted = [row for row in rows if abs(row.score) < 10000 and judge.keeps(row, ["pieces=8..", "quiet"], [])]
    assert (place.path / "quiet.bullet").read_bytes() == b"".join(map(encode_bullet, wanted)) and len(wanted) > 10


@pytest.mark.parametrize("place", [*WITH_MOVES, "marlinformat", "bulletformat", "scored", "fen"], indirect=True)
def test_census(place, rows):
    block, = COMMANDS["Good and bad moves, for a policy head"]
    some = rows[::12]
    place.games.write_bytes(FORMATS[place.form].encode(some))
    if place.form == "fen":  # moves that a line names would be evaluated instead of all
        place.games.write_text("".join(row.fen + "\n" for row in some))
    if place.form == "bulletformat":  # which has no castling, and White to move
        some = [*map(seen_by_mover, some)]
    moves = evaluate([row.fen for row in some], all_moves=True)
    values = [value for row in some for value in moves[row.fen].values()]
    bad = sum(value < 0 for value in values)
    assert place(block).stdout.decode() == f"{len(values) - bad} good, {bad} bad\n"


def test_a_run_that_crashes(place):
    """As it is printed, on fewer parts: of files that can be joined with cat."""
    block, = COMMANDS["What if my run crashes?"]
    block = block.replace("64", "8").replace("quiet-*.binpack >", f"quiet-*.{place.form} >")
    place(block.replace("{part}.binpack", "{part}." + place.form))
    again = place(block.replace("{part}.binpack", "{part}." + place.form))
    assert b"8 parts, of which this run made 0" in again.stderr
    if place.form not in ("csv", "tsv"):
        assert (place.path / "quiet.binpack").read_bytes() == well("filter", "--drop", "in-check", place.games)


def test_jobs_of_slurm(place):
    """Its jobs, three of them, at once."""
    block = COMMANDS["One file on several machines"][0]
    command = re.search(r'--wrap "(.*)"', block)[1].replace("64", "8")
    place("\n".join([f"{command} & a=$!", f"{command} & b=$!", command, "wait $a", "wait $b"]))
    assert b"".join((place.path / f"quiet-{i}.binpack").read_bytes() for i in range(1, 9)) == b"".join(
        well("filter", "--drop", "in-check", place.games, "--to", "binpack", "--part", f"{i}/8") for i in range(1, 9))


@pytest.mark.skipif(shutil.which("parallel") is None, reason="there is no GNU parallel (Debian: parallel)")
def test_several_machines(place):
    parallel = COMMANDS["One file on several machines"][1]
    place(parallel.replace("--sshloginfile machines", "--will-cite").replace("64", "8"))
    assert (place.path / "quiet.binpack").read_bytes() == well("filter", "--drop", "in-check", place.games)


def test_estimate(place, rows):
    block, = COMMANDS["What a large job takes"]
    data = place.games.read_bytes()
    header = data.index(b"\n") + 1 if place.form in ("csv", "tsv") else 0
    place.games.write_bytes(data[:header] + data[header:] * 48)
    said = place(block).stderr.decode()
    read = [int(n) for n in re.findall(r": (\d+) positions? read", said)]
    assert len(read) == 4 and abs(12 * sum(read) / (48 * len(rows)) - 1) < 0.1
    for part in (1, 13, 25, 37):
        assert (place.path / f"part-{part}.binpack").stat().st_size > 0
