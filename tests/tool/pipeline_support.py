"""What the tests of the tool share: how it is run, and a plain filter to hold filter, annotate and stats against.

The filter asks `seebatch eval --kernel scalar` for the values of moves, and decides about checks and captures on the
board of chess_support.py.
"""
import os
import random
import subprocess

import pytest

from chess_support import Board, Row
from formats_support import BAD, DATA, QUIET

TOOL = os.environ["SEEBATCH_TEST_TOOL"]
ROOK_TAKES_PAWN = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"
LONG = os.environ.get("SEEBATCH_TEST_LONG", "") != ""  # everywhere instead of at some places; scripts/test files
SANITIZED = os.environ.get("SEEBATCH_TEST_SANITIZED", "") != ""  # each start of the tool takes long
WITHOUT_JSON = os.environ.get("SEEBATCH_TEST_WITHOUT_JSON", "") != ""  # the tool was built without simdjson
SEED = int(os.environ.get("SEEBATCH_TEST_SEED", random.SystemRandom().randrange(10**9) if LONG else 1))


def environment(kernel=None):
    kept = {k: v for k, v in os.environ.items() if k != "SEEBATCH_KERNEL"}
    return dict(kept, LC_ALL="C", **({} if kernel is None else {"SEEBATCH_KERNEL": kernel}))


def run(*arguments, stdin=b"", kernel=None, **more):
    """Runs the tool; returns the completed process, whose outputs are bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    if "stdin_file" in more:
        more["stdin"] = more.pop("stdin_file")
    else:
        more["input"] = stdin
    more.setdefault("stdout", subprocess.PIPE)
    command = [TOOL, *(each if isinstance(each, bytes) else str(each) for each in arguments)]
    result = subprocess.run(command, stderr=subprocess.PIPE, env=environment(kernel), timeout=300, **more)
    if WITHOUT_JSON and b"this build does not read jsonl" in result.stderr:
        pytest.skip("the tool was built without simdjson, and does not read JSON lines")
    return result


def well(*arguments, stdin=b"", **more):
    """Standard output of a run in which nothing was wrong, and which says nothing but the summary."""
    result = run(*arguments, "--quiet", stdin=stdin, **more)
    assert result.stderr == b"", result.stderr
    assert result.returncode == 0
    return result.stdout


def says(status, result, *sentences):
    """Asserts how a run ended, and that standard error says all of these."""
    assert result.returncode == status, result.stderr
    for sentence in sentences:
        assert sentence in result.stderr.decode(errors="replace")


def fails(status, result, *sentences):
    """The same, and that nothing was printed."""
    says(status, result, *sentences)
    assert result.stdout in (b"", None)


def read_terminal(ours):
    """What was written to a terminal until nobody was at its other end any more; closes it."""
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:
        pass
    os.close(ours)
    return written


def lines_of(name):
    with open(os.path.join(DATA, name)) as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def places(n):
    """Places below n at which to damage something: all of them in a long run, otherwise the first and last ones and a sample."""
    most = 18 if SANITIZED else 60
    if LONG or n <= most:
        return range(n)
    ends = [*range(most // 6), *range(n - most // 6, n)]
    return sorted({*ends, *random.Random(SEED).sample(range(n), most - len(ends))})


def times(n):
    """How often to try something at random: ten times as often in a long run, less often where that takes long."""
    return 10 * n if LONG else n // 3 if SANITIZED else n


# ---- Values ----------------------------------------------------------------------------------------------------------


def evaluate(fens, moves=None, rules="legal", all_moves=False):
    """By FEN (and move), from the scalar kernel: {fen: {move: value}}. moves: one for each FEN, or None: all captures."""
    text = "".join(fen + ("\t" + moves[i] if moves else "") + "\n" for i, fen in enumerate(fens))
    options = ["--moves", "all"] if all_moves else []
    result = run("eval", "--kernel", "scalar", "--rules", rules, *options, stdin=text)
    assert result.returncode == 0, result.stderr
    values = {fen: {} for fen in fens}
    for row in result.stdout.decode().splitlines():
        fen, move, value = row.rsplit("\t", 2)
        values[fen][move] = int(value)
    return values


def captures(fen, uci):
    board = Board(fen)
    return board.is_capture(board.move(uci))


def make_records(n, seed=1):
    """Positions with a legal move each, and labels at random. Some of them come twice."""
    chance = random.Random(seed)
    fens = [fen for name in ("games.fen", "random.fen") for fen in lines_of(name)]
    fens = chance.sample(fens, min(n, len(fens)))
    moves = evaluate(fens, all_moves=True)
    records = []
    for fen in fens:
        legal, board = sorted(moves[fen]), Board(fen)
        noisy = [move for move in legal if captures(fen, move) or len(move) == 5]
        if legal:
            move = chance.choice(noisy if noisy and chance.random() < 0.6 else legal)
            records.append(Row(fen, move, chance.randint(-3000, 3000), chance.choice([0, 1, 2]),
                               2 * (max(board.number, 1) - 1) + (not board.white)))
    return records


# ---- Files -----------------------------------------------------------------------------------------------------------

PROGRAMS = {".gz": ["gzip", "-n1"], ".zst": ["zstd", "-q"]}


def compress(data, ending, *options):
    if ending == "":
        return data
    return subprocess.run([*PROGRAMS[ending], "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def decompress(data, ending):
    return compress(data, ending, "-d")


# ---- Conditions ------------------------------------------------------------------------------------------------------


def parse(text):
    """(name, low, high) of a condition; without a range the bounds are None."""
    name, equals, bounds = text.partition("=")
    if name == "result":
        return name, *2 * [{"1.0": 2, "0.5": 1, "0.0": 0, "1-0": 2, "1/2": 1, "0": 0}[bounds]]
    if not equals:
        return name, None, None
    low, dots, high = bounds.partition("..")
    if not dots:
        return name, int(low), int(low)
    return name, int(low) if low else -10**9, int(high) if high else 10**9


def options(keep, drop):
    return [part for c in keep for part in ("--keep", c)] + [part for c in drop for part in ("--drop", c)]


class Judge:
    """Decides about records as the manual says, one after another."""

    def __init__(self, records, rules="legal"):
        fens = [r.fen for r in records]
        self.rules, self.of_all_moves = rules, {}
        self.captures = evaluate(fens, rules=rules)
        self.moves = evaluate(fens, [r.move for r in records], rules=rules)

    def all_moves(self, fen):
        if fen not in self.of_all_moves:
            self.of_all_moves.update(evaluate(list(self.captures), rules=self.rules, all_moves=True))
        return self.of_all_moves[fen]

    def holds(self, condition, record):
        if " and " in condition:
            return all(self.holds(term, record) for term in condition.split(" and "))
        if condition.startswith("not "):
            return not self.holds(condition[4:], record)
        if condition.startswith("has="):
            return getattr(record, condition[4:]) is not None
        name, low, high = parse(condition)
        board, move = Board(record.fen), record.move
        if name == "in-check":
            return board.in_check()
        if name == "quiet":
            return not board.in_check() and not any(value >= 0 for uci, value in self.all_moves(record.fen).items()
                                                    if len(uci) == 5 or board.is_capture(board.move(uci)))
        if name == "any-capture":
            values = self.captures[record.fen].values()
        elif name in ("capture", "promotion", "tactical"):
            kinds = {"capture": move and captures(record.fen, move), "promotion": move and len(move) == 5}
            kinds["tactical"] = any(kinds.values())
            values = [self.moves[record.fen][move]] if kinds[name] else []
        elif name in ("castling", "en-passant"):
            move = move and board.move(move)
            return bool(move and (board.castles(move) if name == "castling" else board.is_ep(move)))
        elif name == "contradiction":
            loser = {None: None, 0: record.score, 2: -(record.score or 0)}.get(record.result, 0)
            values = [] if None in (record.score, record.result) else \
                [abs(record.score) if record.result == 1 else max(0, loser)]
        elif name == "imbalance":
            worth = dict(zip("pnbrq", (100, 325, 325, 500, 1000)))
            values = [abs(sum(worth.get(c.lower(), 0) * (1 if c.isupper() else -1) for c in record.fen.split()[0]))]
        elif name in ("pieces", "phase"):
            worth = {"n": 1, "b": 1, "r": 2, "q": 4}
            placed = [c for c in record.fen.split()[0].lower() if c.isalpha()]
            values = [len(placed) if name == "pieces" else sum(worth.get(c, 0) for c in placed)]
        else:
            value = getattr(record, name.removeprefix("abs-"))
            values = [] if value is None else [abs(value) if name == "abs-score" else value]
        return any(low is None or low <= value <= high for value in values)

    def keeps(self, record, keep, drop):
        return all(self.holds(c, record) for c in keep) and not any(self.holds(c, record) for c in drop)
