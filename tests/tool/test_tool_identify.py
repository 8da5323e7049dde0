"""`seebatch identify`: finds the rules and the values of an engine that is known, names all that fit where several do, and
says that nothing fits where nothing does."""
import gzip
import json
import os
import random

import pytest

from pipeline_support import SANITIZED
from test_tool import RULE_NAMES as NAMES, output, run

TABLES = ["100,325,325,500,1000", "97,434,464,646,1289", "208,781,825,1276,2538", "84,239,256,506,744"]
POSITIONS = os.path.join(os.path.dirname(__file__), "..", "..", "suite", "positions.fen.gz")


def questions(*options, **more):
    return [line.split("; ") for line in output("identify", *options, **more).splitlines()]


def answers(asked, rules, table, turned=0.0):
    """What the library says as rules and table have it, some answers turned."""
    draw = random.Random(rules + table)
    rows = output("eval", "--rules", rules, "--values", table,
                  stdin="".join(f"{q[0]}\t{q[1]}\n" for q in asked)).splitlines()
    assert len(rows) == len(asked)
    lines = []
    for (*question,), row in zip(asked, rows):
        value, wrong = int(row.split("\t")[2]), draw.random() < turned
        if len(question) == 3:
            lines.append("; ".join(question) + f"; {int((value >= int(question[2])) != wrong)}\n")
        else:
            lines.append("; ".join(question) + f"; {value + draw.choice([-100, 100, 225]) * wrong}\n")
    return "".join(lines)


def identify(text, *options):
    result = run("identify", "--format", "json", *options, stdin=text)
    assert result.stderr == b""
    found = json.loads(result.stdout)
    assert result.returncode == (1 if found["none"] else 0)
    return found


def prints(result, *sentences):
    for sentence in sentences:
        assert sentence in result.stdout.decode()


def fitting(found):
    return [candidate["rules"] for candidate in found["candidates"] if candidate["fits"]]


def holds(found, table):
    """Whether the values are within the ranges."""
    return all(low <= value <= high for (low, high), value in zip(found["values"].values(), map(int, table.split(","))))


@pytest.fixture(scope="module", params=["values", "thresholds"])
def own_questions(request):
    asked = questions("--ask", "2000", *(["--thresholds"] if request.param == "thresholds" else []))
    assert len(asked) == 2000 and all(len(q) == (3 if request.param == "thresholds" else 2) for q in asked)
    return asked


@pytest.mark.parametrize("turned", [0.0, 0.01])
@pytest.mark.parametrize("number", range(len(NAMES)))
def test_own_questions(own_questions, number, turned):
    name, table = NAMES[number], TABLES[number % len(TABLES)]
    found = identify(answers(own_questions, name, table, turned))
    assert (fitting(found), found["fitting"]) == ([name], 1)
    if turned == 0:
        assert holds(found, table)
        for candidate in found["candidates"]:
            assert candidate["fits"] or 0 < len(candidate["examples"]) <= 3


@pytest.mark.parametrize("rules", ["plentychess,pins=any", "plentychess,pins=ignored", "ethereal,en-passant=standing",
                                   "legal,promotions=none,castling=always"])
def test_rules_without_a_name(rules):
    """As in Obsidian, Berserk and Ethereal: what is found is spelled as --rules takes it."""
    asked = questions("--ask", "2000")
    found = identify(answers(asked, rules, TABLES[2]))
    assert fitting(found) == [rules] and holds(found, TABLES[2])
    fields = next(candidate["fields"] for candidate in found["candidates"] if candidate["fits"])
    for field in rules.split(",")[1:]:
        name, word = field.split("=")
        assert fields[name] == word, fields


def positions_not_chosen(step, moves):
    with gzip.open(POSITIONS, "rt") as file:
        fens = [line for i, line in enumerate(file) if i % step == 0]
    asked = [row.split("\t")[:2] for row in output("eval", "--rules", "swap", "--moves", moves,
                                                   stdin="".join(fens)).splitlines()]
    random.Random(1).shuffle(asked)
    return asked


@pytest.mark.skipif(SANITIZED, reason="takes long with sanitizers")
@pytest.mark.parametrize("number", range(len(NAMES)))
def test_flags_on_positions_that_it_did_not_choose(number):
    name, table, draw = NAMES[number], TABLES[(number + 1) % len(TABLES)], random.Random(number)
    queen = int(table.split(",")[4])
    asked = [[*q, str(draw.randint(-queen, queen))] for q in positions_not_chosen(160, "all")[:15000]]
    assert len(asked) == 15000
    found = identify(answers(asked, name, table), "--examples", "1")
    assert name in fitting(found)
    assert [other for other in fitting(found) if "," not in other] == [name]
    assert all(high - low < 400 for low, high in found["values"].values())


def test_several_that_fit_are_named_and_told_apart():
    captures = positions_not_chosen(400, "captures")
    captures = [q for q in captures if len(q[1]) == 4]
    text = answers(captures, "legal", TABLES[0])
    found = identify(text)
    assert {"legal", "monty"} <= set(fitting(found))
    assert questions("--ask", "50", stdin=text) == questions("--ask", "50")  # without a file nothing is read
    asked = questions("--ask", "60", "-", stdin=text)
    assert len(asked) == 60
    for name in ("legal", "monty"):
        assert fitting(identify(text + answers(asked, name, TABLES[0]))) == [name]
    prints(run("identify", stdin=text), "to tell them apart: identify --ask N", "castling: zero or always")


@pytest.mark.parametrize("flags", [False, True])
def test_noise_fits_nothing(flags):
    draw = random.Random(3)
    asked = positions_not_chosen(2000, "all")
    text = "".join(f"{fen}; {move}; {draw.randint(-900, 900)}" + (f"; {draw.randint(0, 1)}\n" if flags else "\n")
                   for fen, move in asked)
    found = identify(text)
    assert found["none"] and fitting(found) == []


def test_what_is_computed_otherwise_is_no_mistake():
    """Double steps that pass, as in some engines: one kind of moves. A rule of its own for pins: where rules differ."""
    asked = positions_not_chosen(400, "all")
    lines = answers(asked, "swap", TABLES[0]).splitlines()
    steps = [f"{line.rsplit(';', 1)[0]}; 32767" if passes(line) else line for line in lines]
    assert identify("\n".join(steps))["none"] == "what contradicts it is of one kind"
    pins = answers(asked, "stockfish-2016", TABLES[0]).splitlines()
    mixed = [pins[i] if i % 2 else line for i, line in enumerate(lines)]
    assert "where rules differ" in identify("\n".join(mixed))["none"]


def departures(lines):
    found = identify("\n".join(lines))["departures"]
    return found and (found["rules"], found["contradictions"], {row["text"]: row["explains"] for row in found["list"]})


def test_departures_from_the_fields():
    """As in Xiphos, underpromotions are queens; as in Weiss, double steps pass; as in Black Marlin, en
    passant wins nothing."""
    asked = positions_not_chosen(400, "all")
    lines = answers(asked, "swap", TABLES[0]).splitlines()
    assert departures(lines) is None
    steps = [f"{line.rsplit(';', 1)[0]}; 32767" if passes(line) else line for line in lines]
    n = sum(old != new for old, new in zip(lines, steps))
    assert departures(steps) == ("swap", 0, {"double steps of pawns pass at any threshold": n})

    asked = questions("--ask", "2000")
    queens = [(fen, move[:4] + "q" if move[4:] else move) for fen, move in asked]
    lines = [f"{fen}; {move}; {line.rsplit('; ', 1)[1]}"
             for (fen, move), line in zip(asked, answers(queens, "promotions", TABLES[0]).splitlines())]
    rules, left, found = departures(lines)
    assert rules == "promotions" and left == 0 and set(found) == {"every promotion counts as one to a queen"}

    lines = answers(asked, "swap,en-passant=standing", TABLES[0]).splitlines()
    nothing = [f"{line.rsplit('; ', 1)[0]}; {int(line.rsplit('; ', 1)[1]) - 100}" if is_en_passant(line) else line
               for line in lines]
    n = sum(old != new for old, new in zip(lines, nothing))
    assert n > 0 and departures(nothing) == ("swap,en-passant=standing", 0, {"en passant wins nothing": n})

    noisy = [line.rsplit("; ", 1)[0] + "; 17" if i % 50 == 0 else line
             for i, line in enumerate(answers(asked, "swap", TABLES[0]).splitlines())]
    assert departures(noisy) is None


def test_sliders_that_do_not_join_in():
    """Two rooks on a file defend a piece: if the second one does not join in, the knight wins it."""
    asked = [(f"4r1k1/4r3/8/8/4{piece}3/2N5/8/K3R3 w - -", "c3e4") for piece in "pnbrq"]
    one = [(fen.replace("4r1k1", "6k1"), move) for fen, move in asked]
    lines = [f"{fen}; {move}; {line.rsplit('; ', 1)[1]}"
             for (fen, move), line in zip(asked, answers(one, "swap", TABLES[0]).splitlines())]
    lines += answers([(fen.replace("k1/4r3", "k1/8"), move) for fen, move in one], "swap", TABLES[0]).splitlines()
    assert departures(lines) == ("swap", 0, {"sliders behind other pieces do not join in": 5})


def piece_on(fen, square):
    rank = fen.split()[0].split("/")[8 - int(square[1])]
    return "".join("." * int(c) if c.isdigit() else c for c in rank)["abcdefgh".index(square[0])]


def passes(line):
    fen, move, _ = line.split("; ")
    return move[1] + move[3] in ("24", "75") and move[0] == move[2] and piece_on(fen, move[:2]) in "pP"


def is_en_passant(line):
    fen, move, _ = line.split("; ")
    return fen.split()[3] == move[2:4] and move[0] != move[2] and piece_on(fen, move[:2]) in "pP"


def upside_down(question):
    fen, move, *rest = question
    board, color, castling, square, *clocks = fen.split()
    rank = str.maketrans("12345678", "87654321")
    board = "/".join(reversed(board.swapcase().split("/")))
    return [" ".join([board, "bw"["wb".index(color)], castling.swapcase(), square.translate(rank), *clocks]),
            move.translate(rank), *rest]


def test_like_pieces_counted_from_a8():
    asked = questions("--ask", "2000")
    lines = answers([upside_down(question) for question in asked], "stockfish", TABLES[2]).splitlines()
    turned = [f"{fen}; {move}; {line.rsplit('; ', 1)[1]}" for (fen, move), line in zip(asked, lines)]
    found = identify("\n".join(turned))
    assert fitting(found) == ["stockfish"] and found["from_a8"] is True
    assert [candidate["contradictions"] for candidate in found["candidates"] if candidate["fits"]] == [0]
    assert identify("\n".join(answers(asked, "stockfish", TABLES[2]).splitlines()))["from_a8"] is False


def test_examples_and_text():
    found = run("identify", "--examples", "1", stdin=answers(questions("--ask", "500"), "reckless", TABLES[1]))
    prints(found, "# 500 answers: 500 values, 0 flags; 0 lines could not be read",
           "values: pawn 97, knight 434, bishop 464, rook 646, queen 1289", "fits: reckless, 0 of 500",
           "pins: ray-standing", "does not fit (the next): ", "does not fit: swap, ")
    one = run("identify", stdin="4k3/8/8/3p4/8/2N5/8/4K3 w - -; c3d5; 100\nnonsense\n")
    assert one.stdout.startswith(b"# 1 answer: 1 value, 0 flags; 1 line could not be read\n")
    assert b"0 of 1 answer contradicts it" in one.stdout


def test_letters_and_wrong_usage():
    result = run("identify", stdin="4k3/8/8/3p4/8/2N5/8/4K3 w - -; c3d5; P\n")
    assert result.returncode == 1 and b"numbers alone, for the values of the pieces are not known" in result.stderr
    result = run("identify", stdin="")
    assert result.returncode == 1 and result.stdout.endswith(b"\nnone fits: there are no answers\n")
