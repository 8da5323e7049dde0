"""The language of conditions: what expressions keep, against an evaluation in Python that shares nothing with the tool but
the values of single moves; what errors say; what is doubted; and what --explain prints."""
import json
import os
import random
import re
import subprocess

import pytest

from chess_support import Board
from formats_support import DATA, QUIET
from pipeline_support import LONG, SEED, evaluate, fails, run, says, well

MASKS = os.environ["SEEBATCH_TEST_MASKS"]  # tests/tool/condition_masks.c
POSITIONS = 10_000 if LONG else 600
EXPRESSIONS = int(os.environ.get("SEEBATCH_TEST_EXPRESSIONS", 10_000 if LONG else 400))
WORTH = dict(zip("pnbrqk", (100, 325, 325, 500, 1000, 0)))
TYPES = dict(zip("pnbrqk", ("pawn", "knight", "bishop", "rook", "queen", "king")))


# ---- Records, and what is true of them -------------------------------------------------------------------------------


def fens_of_positions():
    fens = []
    for path in (f"{DATA}/games.fen", f"{DATA}/random.fen", f"{DATA}/../../bench/data/positions.fen"):
        with open(path) as file:
            fens += [line.strip() for line in file if line.strip() and not line.startswith("#")]
    few = ["8/8/8/4k3/8/2KR4/3P4/7r w - - 0 1", "8/8/8/4K3/8/2kr4/3p4/7R b - - 0 1", "8/8/4k3/8/8/2KQ4/8/7r w - - 9 40"]
    return few + random.Random(SEED).sample(fens, POSITIONS - len(few))


class Facts:
    """What is known of a record; None for what it does not have."""

    def __init__(self, fen, chance, all_moves, passed):
        board, moves = Board(fen), all_moves[fen]
        has = [chance.random() < 0.75 for _ in range(4)]
        self.move = chance.choice(sorted(moves)) if moves and has[0] else None
        if self.move and chance.random() < 0.6:  # mostly one that captures or promotes, where there is one
            self.move = chance.choice([m for m in sorted(moves) if len(m) == 5 or board.is_capture(board.move(m))] or [self.move])
        self.score = chance.choice([0, 1, -1, 100, -100, chance.randint(-1500, 1500)]) if has[1] else None
        self.result = chance.choice([0, 1, 2]) if has[2] else None
        self.whole = chance.random() < 0.6  # the FEN has clocks
        self.fen = " ".join([*fen.split()[:4], *(str(board.clock), str(board.number))[:2 * self.whole]])
        self.given_ply = chance.randint(0, 120) if has[3] else None
        from_number = 2 * (board.number - 1) + (not board.white) if self.whole and board.number > 0 else None
        self.ply = self.given_ply if self.given_ply is not None else from_number
        self.clock = board.clock if self.whole else 0
        self.board, self.stm, self.in_check = board, "white" if board.white else "black", board.in_check()
        move = board.move(self.move) if self.move else None
        self.kinds = set()
        if move:
            self.kinds = {TYPES[board.at[move[0]].lower()]}
            self.kinds |= {"castling"} if board.castles(move) else {"capture"} if board.is_capture(move) else set()
            self.kinds |= {"en-passant"} if board.is_ep(move) else set()
            self.kinds |= {"promotion"} if move[2] else set()
        self.value = moves[self.move] if self.move else None
        self.captures = [value for uci, value in moves.items() if board.is_capture(board.move(uci))]
        self.quiet = not self.in_check and not any(value >= 0 for uci, value in moves.items()
                                                   if len(uci) == 5 or board.is_capture(board.move(uci)))
        self.threats = [] if self.in_check else list(passed[passed_on(fen)].values())
        letters = [c for c in board.at if c != "."]
        self.letters = letters
        sign = 1 if board.white else -1
        self.numbers = {
            "score": self.score, "abs-score": self.score if self.score is None else abs(self.score),
            "stm-score": self.score if self.score is None else sign * self.score, "ply": self.ply, "result": self.result,
            "contradiction": None if None in (self.score, self.result) else abs(self.score) if self.result == 1 else
            max(0, self.score if self.result == 0 else -self.score),
            "pieces": len(letters), "clock": self.clock,
            "phase": sum({"n": 1, "b": 1, "r": 2, "q": 4}.get(c.lower(), 0) for c in letters),
            "imbalance": abs(sum(WORTH[c.lower()] * (1 if c.isupper() else -1) for c in letters)),
            "capture": self.value if "capture" in self.kinds else None,
            "promotion": self.value if "promotion" in self.kinds else None,
            "tactical": self.value if {"capture", "promotion"} & self.kinds else None,
            "move-value": self.value, "best-capture": max(self.captures, default=None),
            "threat": max(self.threats, default=None)}

    def rights(self):
        text = self.board.castling()
        return set(text) - {"-"}

    def material(self):
        return "".join(sorted(self.letters))

    def row(self):
        result = "" if self.result is None else ("0.0", "0.5", "1.0")[self.result]
        cells = (self.fen, self.move, self.score, result, self.given_ply)
        return ",".join("" if cell is None else str(cell) for cell in cells) + "\n"


def passed_on(fen):
    """The position with the turn passed on, without an en passant square."""
    words = fen.split()
    return " ".join([words[0], "b" if words[1] == "w" else "w", words[2], "-", *words[4:]])


@pytest.fixture(scope="module")
def facts():
    chance = random.Random(SEED)
    fens = fens_of_positions()
    all_moves = evaluate(fens, all_moves=True)
    quiet_sides = [passed_on(fen) for fen in fens if not Board(fen).in_check()]
    passed = evaluate(quiet_sides)
    return [Facts(fen, chance, all_moves, passed) for fen in fens]


# ---- Expressions at random -------------------------------------------------------------------------------------------

BOUNDS = {"score": [-1000, -100, -1, 0, 1, 100, 500], "abs-score": [0, 1, 100, 800], "stm-score": [-300, 0, 1, 250],
          "ply": [0, 1, 16, 30, 60, 100], "contradiction": [0, 1, 300], "pieces": [2, 5, 16, 24, 32], "clock": [0, 1, 9, 40],
          "phase": [0, 4, 12, 24], "imbalance": [0, 100, 300, 900],
          **{name: [-900, -325, -100, 0, 1, 100, 325, 1000] for name in (
              "capture", "promotion", "tactical", "move-value", "best-capture", "threat", "any-capture")}}
RESULTS = [("0-1", "0.0", "0"), ("1/2-1/2", "0.5", "1/2"), ("1-0", "1.0", "1")]
COMPARISONS = {"=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
               ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def numbers_of(record, name):
    """The numbers of which one has to be right; none if the record does not have it."""
    if name == "any-capture":
        return record.captures
    if name.startswith("count("):
        return [sum(letter in name[6:-1] for letter in record.letters)]
    return [] if record.numbers[name] is None else [record.numbers[name]]


def compared(chance, name, bounds):
    """A comparison or a range as a text, and whether a number meets it."""
    a = chance.choice(bounds)
    space = chance.choice(["", " ", "  "])
    if chance.random() < 0.4:
        b = chance.choice([bound for bound in bounds if bound >= a])
        text, meets = chance.choice([(f"{a}..{b}", lambda x: a <= x <= b), (f"{a}..", lambda x: x >= a), (f"..{a}", lambda x: x <= a)])
        if chance.random() < 0.3:
            return f"!={space}{text}", lambda x: not meets(x)
        return f"={space}{text}", meets
    sign = chance.choice(sorted(COMPARISONS))
    return f"{space}{sign}{space}{a}", lambda x: COMPARISONS[sign](x, a)


def word(chance, name, words, is_true, has=lambda r: True):
    """name=word or name!=word: what differs is there."""
    chosen = chance.choice(words)
    if chance.random() < 0.3:
        return f"{name} != {chosen}", lambda r: has(r) and not is_true(r, chosen)
    return f"{name}={chosen}", lambda r: is_true(r, chosen)


def material_of(record, text):
    if "v" not in text:
        return record.material() == "".join(sorted(text))
    white, black = text.split("v")
    return record.material() in ("".join(sorted(white + black.lower())), "".join(sorted(black + white.lower())))


def leaf(chance):
    """A condition, and whether it holds for a record."""
    kind = chance.randrange(12)
    if kind < 6:
        name = chance.choice([*BOUNDS, "count", "abs"])
        bounds = BOUNDS.get(name, [0, 1, 2, 5])
        if name == "count":
            name = f"count({''.join(chance.sample('PNBRQKpnbrqk', chance.randint(1, 4)))})"
        written = name
        if name == "abs":
            name, written, bounds = "abs-score", chance.choice(["abs(score)", "abs( score )"]), BOUNDS["abs-score"]
        text, meets = compared(chance, name, bounds)
        return written + text, lambda r: any(meets(x) for x in numbers_of(r, name))
    if kind == 6:
        sign, wanted = chance.choice(sorted(COMPARISONS)), chance.randrange(3)
        return (f"result {sign} {chance.choice(RESULTS[wanted])}",
                lambda r: r.result is not None and COMPARISONS[sign](r.result, wanted))
    if kind == 7:
        return word(chance, "has", ["move", "score", "result", "ply"], lambda r, f: getattr(r, f) is not None)
    if kind == 8:
        return word(chance, "stm", ["white", "black"], lambda r, side: r.stm == side)
    if kind == 9:
        words = [*TYPES.values(), "capture", "promotion", "castling", "en-passant"]
        return word(chance, "move", words, lambda r, w: w in r.kinds, lambda r: r.move is not None)
    if kind == 10:
        return chance.choice([
            word(chance, "castling-rights", ["KQkq", "-", "Kk", "qQ"], lambda r, t: r.rights() == set(t) - {"-"}),
            word(chance, "material", ["KQvKR", "KRPvKR", "KRPkr", "KRkrp", "KPvK"], material_of)])
    return chance.choice([
        ("in-check", lambda r: r.in_check), ("quiet", lambda r: r.quiet), ("any-capture", lambda r: bool(r.captures)),
        ("castling", lambda r: "castling" in r.kinds), ("en-passant", lambda r: "en-passant" in r.kinds),
        ("castling-rights", lambda r: bool(r.rights())),
        *((kind, lambda r, kind=kind: r.numbers[kind] is not None) for kind in ("capture", "promotion", "tactical"))])


class Expressions:
    """Makes expressions, each with the records it holds for: bit i of a number."""

    def __init__(self, facts):
        self.facts, self.all, self.known = facts, (1 << len(facts)) - 1, {}

    def leaf(self, chance):
        text, holds = leaf(chance)
        if text not in self.known:
            self.known[text] = int("".join("01"[holds(record)] for record in reversed(self.facts)), 2)
        return text, self.known[text], 3

    def make(self, chance, depth):
        """A text, its records, and how strongly it binds: 0 or, 1 and, 2 not, 3 a condition or parentheses."""
        if depth == 0 or chance.random() < 0.12:
            return self.leaf(chance)
        if chance.random() < 0.2:
            text, records, binds = self.make(chance, depth - 1)
            word = chance.choice(["not", "NOT", "Not"])
            return f"{word} {text}" if binds >= 2 else f"{word} ({text})", self.all ^ records, 2
        level = chance.randrange(2)
        (a, of_a, binds_a), (b, of_b, binds_b) = self.make(chance, depth - 1), self.make(chance, depth - 1)
        a, b = (f"({text})" if binds < level or chance.random() < 0.1 else text for text, binds in ((a, binds_a), (b, binds_b)))
        word = chance.choice([["or", "OR"], ["and", "AND", "And"]][level])
        return f"{a} {word} {b}", of_a & of_b if level else of_a | of_b, level


def test_expressions_at_random(facts, tmp_path):
    """Expressions of depth 6 in C: precedence, parentheses, comparisons, and fields that are missing."""
    chance, expressions, counts = random.Random(SEED + 1), Expressions(facts), set()
    (tmp_path / "records.csv").write_text("fen,move,score,result,ply\n" + "".join(record.row() for record in facts))
    with subprocess.Popen([MASKS, tmp_path / "records.csv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as masks:
        for i in range(EXPRESSIONS):
            expression, expected, _ = expressions.make(chance, 6)
            print(expression, file=masks.stdin, flush=True)
            found = int(masks.stdout.readline().strip()[::-1], 2)
            assert found == expected, (SEED, i, expression, [record.row() for k, record in enumerate(facts) if (found ^ expected) >> k & 1][:3])
            counts.add(bin(expected).count("1"))
        masks.stdin.close()
    assert len(counts) > EXPRESSIONS // 8  # the expressions tell the records apart


def test_the_tool_keeps_the_same(facts):
    """--keep and --drop, several of them, and --invert."""
    chance, expressions = random.Random(SEED + 2), Expressions(facts)
    lines = [record.row() for record in facts]
    text = "fen,move,score,result,ply\n" + "".join(lines)
    for i in range(20):
        expression, kept, _ = expressions.make(chance, 5)
        words = ["--keep", expression]
        if chance.random() < 0.3:
            words, kept = ["--drop", expression], expressions.all ^ kept
        if chance.random() < 0.5:
            more, also, _ = expressions.make(chance, 3)
            words, kept = [*words, "--keep", more], kept & also
        if chance.random() < 0.3:
            words, kept = ["--invert", *words], expressions.all ^ kept
        done = run("filter", "--quiet", "--from", "csv", *words, stdin=text)
        expected = "fen,move,score,result,ply\n" + "".join(line for k, line in enumerate(lines) if kept >> k & 1)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout.decode() == expected, (SEED, i, words)


def test_missing_fields(facts):
    """What docs/conditions.md says of a record without a score."""
    text = f"fen,score\n{QUIET},\n{QUIET},5\n{QUIET},50\n"
    for expression, kept in (("score < 10", ["5"]), ("score >= 10", ["50"]), ("not score < 10", ["", "50"]), ("score != 5", ["50"]),
                             ("not score = 5", ["", "50"]), ("has=score and not score < 10", ["50"]), ("not has=score", [""]),
                             ("score < 10 or score >= 10", ["5", "50"]), ("not (score < 10 or score >= 10)", [""])):
        rows = "".join(f"{QUIET},{score}\n" for score in kept)
        assert well("filter", "--from", "csv", "--keep", expression, stdin=text).decode() == "fen,score\n" + rows, expression


def test_file(tmp_path):
    """The name of the file, as a text or a pattern; standard input has none, so that only a negation holds."""
    names = ["a.fen", "b.fen", "sub/a.fen", "my games (1).fen", "ä.fen"]
    (tmp_path / "sub").mkdir()
    for name in names:
        (tmp_path / name).write_text(QUIET + "\n", encoding="utf-8")
    cases = {"file=a.fen": [0, 2], "file != a.fen": [1, 3, 4], "file=*.fen": [0, 1, 2, 3, 4], "file=?.fen": [0, 1, 2, 4], "file=??.fen": [],
             "file=sub/*": [2], "file=*b/a*": [2], "file=/sub/a.fen": [], "not file=a.fen": [1, 3, 4], "file='my games (1).fen'": [3],
             'file = "*(?).fen" or file=ä.fen': [3, 4], "file=*.f*n and file!=*a*": [1, 4], "file=A.fen": [], "file=*a*e*": [0, 2, 3],
             "file=a": [], "file=*": [0, 1, 2, 3, 4], "file=a.fen*": [0, 2], "file=**a**": [0, 2, 3]}
    for text, met in cases.items():
        shown = well("filter", "--count", "--keep", text, *names, cwd=tmp_path)
        assert shown.decode() == f"{len(met)}\n", text
        for i, name in enumerate(names):
            assert well("filter", "--count", "--keep", text, name, cwd=tmp_path).decode() == f"{int(i in met)}\n", (text, name)
        held = text == "not file=a.fen"
        assert well("filter", "--count", "--keep", text, stdin=QUIET + "\n").decode() == f"{int(held)}\n", text
        shown = well("filter", "--explain", "--keep", text, stdin=QUIET + "\n").decode()
        assert "no, the record does not have it" in shown
        again = shown.splitlines()[1].split(None, 1)[1]
        assert well("filter", "--count", "--keep", again, *names, cwd=tmp_path).decode() == f"{len(met)}\n", again
    for text, sentence in (("file", "file: '' was given, expected the name of a file"), ("file < a", "'file' is no number"),
                           ('file="a', "there is no second quotation mark"), ("file=''", "file: '' was given")):
        says(2, run("filter", "--keep", text, stdin=QUIET + "\n"), sentence)


# ---- What people type ------------------------------------------------------------------------------------------------


def spellings():
    with open(f"{DATA}/spellings.tsv", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


@pytest.mark.parametrize("of, typed, means", spellings())
def test_spellings(facts, of, typed, means):
    text = "fen,move,score,result,ply\n" + "".join(record.row() for record in facts[:300])
    if means.startswith("! "):
        lines = run("filter", "--from", "csv", "--keep", typed, stdin=text).stderr.decode().splitlines()
        assert len(lines) == 3 and means[2:] in lines[0], lines
    else:
        assert well("filter", "--from", "csv", "--keep", typed, stdin=text) == well(
            "filter", "--from", "csv", "--keep", means, stdin=text)


def test_the_sentence_for_a_trainer(facts):
    """In one line, and as it had to be written before there was a language."""
    text = "fen,move,score,result,ply\n" + "".join(record.row() for record in facts)
    one = "(quiet and abs(score) < 1000 and ply >= 16) or (in-check and ply < 30 and result = 1/2-1/2)"
    before = ["--invert", "--drop", "quiet and abs-score=..999 and ply=16..", "--drop", "in-check and ply=..29 and result=0.5"]
    assert well("filter", "--from", "csv", "--keep", one, stdin=text) == well("filter", "--from", "csv", *before, stdin=text)


# ---- Errors ----------------------------------------------------------------------------------------------------------

MANY = " or ".join(["ply=1"] * 128)


@pytest.mark.parametrize("text, caret, sentence", [
    ("quiet and scroe < 100", "          ^~~~~", "there is no condition 'scroe'; did you mean 'score'?"),
    ("", "^", "the condition is empty, expected one such as 'ply >= 16'"),
    ("   ", "   ^", "a condition is expected here, where the text ends"),
    ("ply < 3 or", "          ^", "a condition is expected here, where the text ends"),
    ("or ply < 3", "^~", "a condition is expected before 'or'"), ("quiet and and quiet", "          ^~~", "expected before 'and'"),
    ("(quiet", "^", "there is no ')' for this '('"), ("quiet)", "     ^", "there is no '(' for this ')'"),
    ("()", " ^", "a condition is expected instead of ')'"), ("quiet in-check", "      ^~~~~~~~", "'and' or 'or' is expected before 'in-check'"),
    ("ply < 1.5", "      ^~~", "ply: '1.5' was given, expected an integer from -2147483648 to 2147483647"),
    ("ply < 99999999999999999999", "      ^~~~~~~~~~~~~~~~~~~~", "expected an integer"),
    ("result > 2", "         ^", "result: '2' was given, expected 1.0, 0.5 or 0.0"),
    ("has < score", "    ^", "'has' is no number, expected '=' or '!=' after it"),
    ("chance != 0.5", "       ^~", "'chance' takes '=' alone"), ("in-check > 1", "         ^~~", "'in-check' takes no range"),
    ("count > 1", "^~~~~", "'count' needs the letters of pieces"), ("count(x) > 1", "      ^", "count: 'x' was given"),
    ("count() > 1", "      ^", "count: '' was given"), ("count(Q > 1", "     ^", "'count' needs"),
    ("abs(ply) < 1", "    ^~~", "'abs' takes the score alone"), ("material=KQ", "         ^~", "with a king on each side"),
    ("castling-rights=KK", "                ^~", "letters of KQkq, each once, or -"),
    ("ply = 1,score = 2", "       ^", "',' joins no conditions"), ("score ≥ 5", "      ^", "'≥' is not part of the language, write '>='"),
    ("ply < 3 ∧ quiet", "        ^", "write 'and'"), ("füße", "^~~~", "there is no condition 'füße'"),
    ("ply\x01", "^~~~", "there is no condition 'ply?'"), ("quiet\x1b[31m", "^~~~~~~~~~", "there is no condition 'quiet?[31m'"),
    ("move=quiet", "     ^~~~~", "expected capture, promotion, castling, en-passant, or the piece that moves"),
    ("(" * 33 + "quiet" + ")" * 33, " " * 32 + "^", "deeper than 32 levels"), ("not " * 33 + "quiet", None, "deeper than 32 levels"),
    (MANY + " or ply=1", None, "more than 128 terms were given"), ("x" * 65536, None, "there is no condition"),
    ("x" * 65537, "", "is too long, expected at most 65536 bytes"), ("quiet and " * 6000, None, "more than 128 terms"),
    ("(" * 60000, None, "deeper than 32 levels"), ("score", "^~~~~", "'score' needs a range such as score=-100..100"),
])
def test_errors(text, caret, sentence):
    """At most three lines: a sentence, the text, a caret."""
    done = run("filter", "--keep", text, stdin=QUIET + "\n")
    fails(2, done, sentence)
    lines = done.stderr.decode().splitlines()
    assert all(len(line) < 400 for line in lines)
    if caret == "":
        assert len(lines) == 2
        return
    assert len(lines) == 3 and re.fullmatch(r" +\^~*", lines[2])
    if caret is not None:
        assert lines[2] == "  " + caret and lines[1] == "  " + re.sub(r"[\x00-\x1f]", "?", text)


def test_bounds():
    """What is just allowed."""
    for text in ("(" * 32 + "quiet" + ")" * 32, "not " * 32 + "quiet", MANY, "\n\tquiet\r\n", f"{' ' * 60000}quiet"):
        assert run("filter", "--count", "--keep", text, stdin=QUIET + "\n").returncode == 0
    says(2, run("filter", *["--keep", "ply=1"] * 64, "--drop", "ply=2", stdin=""), "more than 64 conditions were given")


@pytest.mark.parametrize("words, doubt", [
    (["ply < 3 and ply > 9"], "'ply < 3 and ply > 9' can never hold"),
    (["quiet or (score = 3 and score = 4)"], "'score = 3 and score = 4' can never hold"),
    (["pieces >= 0"], "'pieces >= 0' always holds"), (["pieces > 64"], "'pieces > 64' can never hold"),
    (["not pieces >= 0"], "'not pieces >= 0' can never hold"), (["quiet and in-check"], "'quiet and in-check' can never hold"), (["quiet", "in-check"], "no record can meet all"),
    (["quiet and any-capture=0.."], "can never hold"), (["quiet and best-capture > -100"], None), (["quiet and best-capture >= 0"], "can never hold"),
    (["quiet and capture >= 0"], "can never hold"), (["quiet and capture"], None), (["quiet and move-value >= 0"], None),
    (["castling and in-check"], "can never hold"), (["castling and not move=king"], "can never hold"), (["castling and capture"], "can never hold"),
    (["en-passant and move != pawn"], "can never hold"), (["en-passant and not capture"], "can never hold"), (["promotion and en-passant"], "can never hold"),
    (["move=knight and move=bishop"], "can never hold"), (["promotion and move=queen"], "can never hold"), (["threat > 100 and in-check"], "can never hold"),
    (["stm=white and stm=black"], "can never hold"), (["stm=white or stm=black"], "always holds"), (["not has=score and score < 9"], "can never hold"),
    (["capture and not any-capture"], "can never hold"), (["best-capture=..100 and any-capture=0.."], None), (["any-capture > 5 and not best-capture > 5"], None),
    (["not quiet or not in-check"], "always holds"), (["quiet and move=capture and capture > -50"], None), (["best-capture < 0 and capture >= 0"], "can never hold"),
    (["tactical and not capture and not promotion"], None), (["tactical >= 0 and capture < 0"], None),
    (["not (ply < 3 and ply > 9)"], "'not (ply < 3 and ply > 9)' always holds"),
    (["quiet or not quiet"], "'quiet or not quiet' always holds"), (["abs-score < 10 and score > 10"], "can never hold"),
    (["ply < 3 and (ply > 9 or ply = 5)"], "can never hold"), (["ply >= 0"], None),
    (["result = 1.0 and result = 0.5"], "can never hold"), (["result != 0.5 or result = 0.5 or not has=result"], "always holds"),
    (["not (result != 0.5 or result = 0.5) and result = 1-0"], "can never hold"),
    (["capture < 0 and capture >= 0"], "can never hold"), (["any-capture < 0 and any-capture >= 0"], None),
    (["chance=0.5 and not chance=0.5"], None), (["count(Q) > 2 and count(Q) < 2"], "can never hold"),
    (["count(Q) > 2 and count(q) < 2"], None), (["ply < 3", "ply > 9"], "no record can meet all of these conditions"),
    (["score < 5 or score >= 5"], None), (["score > 2147483647"], "can never hold"),
    (["best-capture >= 0 or best-capture < 0"], None),
    ([" and ".join(f"score != {i}" for i in range(60)) + " and score = 30"], "can never hold"),
])
def test_doubts(words, doubt):
    """They warn, and filter all the same."""
    lines = "".join(f"{QUIET},e1g1,0,0.5\n" for _ in range(3))
    done = run("filter", "--quiet", "--from", "csv", *(w for word in words for w in ("--keep", word)), stdin="fen,move,score,result\n" + lines)
    assert done.returncode == 0
    assert (done.stderr == b"") == (doubt is None), done.stderr
    if doubt is not None:
        assert f"seebatch filter: warning: " in done.stderr.decode() and doubt in done.stderr.decode()


# ---- --explain -------------------------------------------------------------------------------------------------------


def test_explain(facts):
    text = "fen,move,score,result,ply\n" + "".join(record.row() for record in facts)
    words = ["--keep", "(quiet and ABS(score) < 1000) or ply != 16", "--drop", "not (result < 1-0 and in-check)"]
    shown = well("filter", "--from", "csv", "--explain", *words, stdin=text).decode()
    understood = ["((quiet and abs-score=..999) or ply=..15 or ply=17..)", "not (result<=0.5 and in-check)"]
    head, counts, first = shown.split("\n\n")
    assert head.splitlines()[1:] == [f"  --keep {understood[0]}", f"  --drop {understood[1]}",
                                     "Exchanges: --rules legal --values 100,325,325,500,1000"]
    rows = [line.split(None, 3) for line in counts.splitlines()[1:]]
    assert [row[3] for row in rows] == ["quiet", "abs-score=..999", "ply=..15", "ply=17..", "result<=0.5", "in-check"]
    assert sum(int(row[2]) for row in rows) == len(facts) and all(int(row[1]) <= int(row[0]) for row in rows)
    kept = well("filter", "--from", "csv", *words, stdin=text)
    assert kept == well("filter", "--from", "csv", "--keep", understood[0], "--drop", understood[1], stdin=text)
    kept_rows = kept.decode().splitlines()[1:]
    blocks = re.findall(r"^(\S.*)\n  (kept|dropped by --\w+ \d): (.*)$", first, re.M)
    assert len(blocks) == 10
    for record, (fen, verdict, terms) in zip(facts, blocks):
        assert fen.split()[:4] == record.fen.split()[:4]
        assert (verdict == "kept") == (record.row().rstrip("\n") in kept_rows) and terms.count("*") == 1
        if "ply=..15: no" in terms and record.ply is None:
            assert "ply=..15: no, the record does not have it" in terms
    says(2, run("filter", "--explain", "--count", stdin=text), "--explain writes no positions")


def test_names_are_listed_once():
    """The help, the list for programs and the messages have the same names."""
    info = json.loads(run("info", "--format", "json").stdout)["conditions"]
    text = run("filter", "--help").stdout.decode()
    for each in info:
        assert f"\n  {each['name']}{each['argument']}" in text
        assert f"did you mean '{each['name']}'?" in run("filter", "--keep", each["name"][:-1] + "_" + each["name"][-1]).stderr.decode() \
            or len(each["name"]) < 4
