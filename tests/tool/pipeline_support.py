"""What the tests of filter, annotate and stats share: a plain reimplementation to hold them against, and files to run them on.

The reimplementation reads each format with Python's own means (csv, json, split), asks `seebatch eval --kernel scalar` for
the value of moves one by one, and decides about checks and captures on the board of chess_support.py.
"""
import csv
import gzip
import io
import json
import os
import random
import subprocess

from chess_support import Board
from formats_support import Row

TOOL = os.environ["SEEBATCH_TEST_TOOL"]
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
QUIET = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
BAD = "4k3/8/8/8/8/8/8/4K2R x K - 0 1"
ROOK_TAKES_PAWN = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"
LONG = os.environ.get("SEEBATCH_TEST_LONG", "") != ""  # everywhere instead of at some places; scripts/test files
SANITIZED = os.environ.get("SEEBATCH_TEST_SANITIZED", "") != ""  # each start of the tool takes long
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
    return subprocess.run(command, stderr=subprocess.PIPE, env=environment(kernel), timeout=300, **more)


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


def make_records(n, seed=1, labelled=True):
    """Positions with a legal move each, and labels at random. Some of them come twice."""
    chance = random.Random(seed)
    fens = [fen for name in ("games.fen", "random.fen") for fen in lines_of(name)]
    fens = chance.sample(fens, min(n, len(fens)))
    moves = evaluate(fens, all_moves=True)
    records = []
    for fen in fens:
        legal = sorted(moves[fen])
        noisy = [move for move in legal if captures(fen, move) or len(move) == 5]
        if not legal:
            continue
        move = chance.choice(noisy if noisy and chance.random() < 0.6 else legal)
        records.append(Row(fen, move, chance.randint(-3000, 3000) if labelled else None,
                              chance.choice([0, 1, 2]) if labelled else None,
                              2 * (max(Board(fen).number, 1) - 1) + (not Board(fen).white)))
    return records


# ---- Files -----------------------------------------------------------------------------------------------------------

RESULTS = {0: "0.0", 1: "0.5", 2: "1.0"}


def as_fen(records):
    return "".join(f"{r.fen}\t{r.move}\n" for r in records)


def as_scored(records):
    return "".join(f"{r.fen} | {r.score} | {RESULTS[r.result]}\n" for r in records)


def as_table(records, dialect):
    out = io.StringIO()
    quoting = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if dialect == "tsv" else {"quoting": csv.QUOTE_MINIMAL}
    writer = csv.writer(out, lineterminator="\n", **quoting)
    writer.writerow(["id", "fen", "move", "score", "result", "ply"])
    for i, r in enumerate(records):
        note = f'no. {i}' if dialect == "tsv" else f'"{i}", as they say'
        writer.writerow([note, r.fen, r.move, r.score, RESULTS[r.result], r.ply])
    return out.getvalue()


def as_jsonl(records):
    return "".join(json.dumps({"id": [i, {"x": None}], "position": r.fen, "move": r.move, "score": r.score,
                               "result": float(RESULTS[r.result]), "ply": r.ply, "note": "\u00e9\\\"\n"}) + "\n"
                   for i, r in enumerate(records))


def as_epd(records):
    """Four fields and operations; score and result are those of the side to move, and White's."""
    lines = []
    for r in records:
        words = r.fen.split()
        sign = 1 if words[1] == "w" else -1
        counters = "".join(f" {name} {word};" for name, word in zip(("hmvc", "fmvn"), words[4:]))
        lines.append(f'{" ".join(words[:4])} bm {r.move};{counters} id "no; {r.ply}"; ce {sign * r.score}; '
                     f'c9 "{("0-1", "1/2-1/2", "1-0")[r.result]}";\n')
    return "".join(lines)


WRITERS = {"fen": as_fen, "epd": as_epd, "scored": as_scored, "csv": lambda r: as_table(r, "csv"), "tsv": lambda r: as_table(r, "tsv"),
           "jsonl": as_jsonl}
HAS_HEADER = {"csv", "tsv"}


def data_lines(text, form):
    """Header and records of a file's text, lines with their ends."""
    lines = text.splitlines(keepends=True)
    return (lines[:1], lines[1:]) if form in HAS_HEADER else ([], lines)


def compress(data, ending):
    if ending == ".gz":
        return gzip.compress(data, compresslevel=1)
    if ending == ".zst":
        return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


def decompress(data, ending):
    if ending == ".gz":
        return gzip.decompress(data)
    if ending == ".zst":
        return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


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
        name, low, high = parse(condition)
        def within(value):
            return low is None or low <= value <= high

        board = Board(record.fen)
        if name == "in-check":
            return board.in_check()
        if name == "quiet":
            return not board.in_check() and not any(
                value >= 0 for move, value in self.all_moves(record.fen).items()
                if len(move) == 5 or board.is_capture(board.move(move)))
        if name in ("pieces", "phase"):
            worth = {"n": 1, "b": 1, "r": 2, "q": 4}
            placed = [c for c in record.fen.split()[0].lower() if c.isalpha()]
            return within(len(placed) if name == "pieces" else sum(worth.get(c, 0) for c in placed))
        if name == "any-capture":
            return any(within(value) for value in self.captures[record.fen].values())
        if name in ("capture", "promotion", "tactical"):
            if record.move is None:
                return False
            takes, promotes = captures(record.fen, record.move), len(record.move) == 5
            if not {"capture": takes, "promotion": promotes, "tactical": takes or promotes}[name]:
                return False
            return within(self.moves[record.fen][record.move])
        value = {"score": record.score, "result": record.result, "abs-score": None if record.score is None else abs(record.score),
                 "ply": record.ply}[name]
        return value is not None and within(value)

    def keeps(self, record, keep, drop):
        return all(self.holds(c, record) for c in keep) and not any(self.holds(c, record) for c in drop)
