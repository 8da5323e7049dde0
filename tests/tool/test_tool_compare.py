"""The contract of `seebatch compare`: counts, causes, examples, and minimax.

The positions have one cause each, worked out by hand; what the two rule sets say is beside them.
"""
import itertools
import json
import os
import subprocess
import sys

import pytest

from formats_support import DATA
from pipeline_support import TOOL, says
from test_tool import INFO, RULE_NAMES, cells, output, run

PIN = "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -\tc3d5"
CHECK = "4k3/1p6/2p5/4N3/8/8/8/4RK2 w - -\te5c6"
FIRST_PROMOTION = "1n2k3/P7/8/8/8/8/8/4K3 w - -\ta7b8q"
LATER_PROMOTION = "4k3/8/8/8/8/8/1p6/2rRK3 w - -\td1c1"
KING = "6k1/5r2/4q1P1/8/2B5/8/8/K7 w - -\tg6f7"
ORDER = "4Q3/8/7k/1r2p3/3P4/8/4r3/4R2K w - -\td4e5"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6\te5d6"
JOINT = "2b1k3/8/4p3/3p4/2P5/2N4K/8/4R3 w - -\tc3d5"
OTHER_PIN = "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -\te1d1"
BACKED_UP = "3qk3/4n3/8/3p4/8/2N2B2/8/4RK2 w - -\tc3d5"
PINNER_TAKEN = "3k4/5p2/1R2r3/B7/8/4R3/8/4K3 w - -\tb6e6"
AGREED = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -\te1e5"
CAUSES = ["special", "promotion", "pin", "check", "king", "order", "other"]
NAMES = RULE_NAMES + ["minimax", "legal-least-first"]
# Twelve attackers a side, most of them queens: more orders than anybody can try.
ENDLESS = "k1nq1q2/pp1q1q2/2nqqn2/qqqpQQQQ/1NQQQN2/1Q1Q1Q2/Q2Q2PP/3Q2NK w - - 0 1\te5d5"


def compare(a, b, lines, *options):
    """The output of a comparison of lines that are all well."""
    return output("compare", "--rules", a, "--rules", b, *options, stdin="\n".join(lines))


def rows(a, b, *lines):
    """(value of a, value of b, cause) for every disagreement."""
    found = [row.split("\t") for row in compare(a, b, lines, "--format", "tsv").splitlines()]
    return [(int(row[2]), int(row[3]), row[4]) for row in found]


def summary(a, b, lines, *options):
    return json.loads(compare(a, b, lines, "--format", "json", *options))


def counts(report, what):
    return {cause["cause"]: cause[what] for cause in report["causes"] if cause[what]}


def read(name):
    with open(os.path.join(DATA, name), encoding="ascii") as file:
        return file.read().splitlines()


# ---- Causes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line, a, values, cause", [
    # NxP; the knight that takes back is pinned by the rook: 100 - 325
    (PIN, "swap", (-225, 100), "pin"),
    # NxP uncovers the rook's check; the pawn's recapture does not answer it: 100 - 325
    (CHECK, "swap", (-225, 100), "check"),
    (CHECK, "stockfish", (-225, 100), "check"),
    (CHECK, "stockfish-2016", (-225, 100), "check"),
    # the pawn becomes a queen, and nobody takes it: 325, and 1000 - 100 more
    (FIRST_PROMOTION, "swap", (325, 1225), "promotion"),
    (FIRST_PROMOTION, "stockfish-2016", (325, 1225), "promotion"),
    # where it is worth nothing by rule, promotion or not
    (FIRST_PROMOTION, "stockfish", (0, 1225), "special"),
    # RxR, and the pawn takes back: 500 - 500, or 500 - 500 - 900 where it becomes a queen
    (LATER_PROMOTION, "swap", (0, -900), "promotion"),
    (LATER_PROMOTION, "ethereal", (0, -900), "promotion"),
    (LATER_PROMOTION, "stockfish", (0, -900), "promotion"),
    # PxR: the king may take back, as its own queen stands before the bishop. Least valuable first the queen comes before
    # the king, lets the bishop out and is lost for a bishop, so Black would leave the pawn alone: 500 instead of 500 - 100
    (KING, "swap", (500, 400), "king"),
    (KING, "legal-least-first", (500, 400), "king"),
    # PxP: of two rooks only the one on b5 takes back without letting the rook on e1 out
    (ORDER, "promotions", (100, 0), "order"),
    (ORDER, "legal-least-first", (100, 0), "order"),
    (EN_PASSANT, "stockfish", (0, 100), "special"),
    # NxP, PxN, PxP: 100 - 325 + 100. The pawn on e6 is pinned; were that all that counts, it would uncover the bishop's check
    # and not be taken: 100 - 325. No feature alone makes swap's value, and pin is the first that changes legal's
    (JOINT, "swap", (-125, 100), "pin"),
    # NxP, NxN, BxN, QxB: 100 - 325 + 325 - 325. Once the pinned knight has left, its king does stand in check; but it is by the
    # pin alone that this is not so: whoever ignores it does not stop at the check that follows from it
    (BACKED_UP, "swap", (-225, 100), "pin"),
    # RxR uncovers the bishop's check, or else PxR, RxP: 500 - 500 + 100. The rook on e3 was pinned by the one on e6, which is gone
    (PINNER_TAKEN, "stockfish", (100, 500), "check"),
    (PINNER_TAKEN, "stockfish-2016", (100, 500), "check"),
])
def test_causes(line, a, values, cause):
    assert rows(a, "legal", line) == [(*values, cause)]
    assert rows("legal", a, line)[0][:2] == (values[1], values[0])
    assert rows("minimax", "legal", line) == []


def test_the_two_pin_rules():
    # RxB; the knight's pin has gone with the rook, but another piece is still pinned: 325, or 325 - 500 + 325
    assert rows("stockfish", "stockfish-2016", OTHER_PIN) == [(325, 150, "pin")]


@pytest.mark.parametrize("line, a", [
    (PIN, "stockfish"), (PIN, "stockfish-2016"), (PIN, "legal-least-first"), (CHECK, "legal-least-first"),
    (FIRST_PROMOTION, "promotions"), (FIRST_PROMOTION, "ethereal"), (LATER_PROMOTION, "promotions"),
    (EN_PASSANT, "stockfish-2016"), (AGREED, "swap"), (AGREED, "stockfish")])
def test_agreement(line, a):
    assert rows(a, "legal", line) == rows("legal", a, line) == []


# ---- Counts and examples -----------------------------------------------------------------------------------------------

ALL = [PIN, AGREED, CHECK, FIRST_PROMOTION, LATER_PROMOTION, KING, ORDER, EN_PASSANT, JOINT, AGREED]


@pytest.mark.parametrize("a, lines, value, sign, causes", [
    ("swap", ALL, 7, 4, {"promotion": 2, "pin": 2, "check": 1, "king": 1, "order": 1}),
    ("stockfish", ALL, 6, 2, {"special": 2, "promotion": 1, "check": 1, "king": 1, "order": 1}),
    ("swap", [JOINT, PIN, PIN], 3, 3, {"pin": 3}), *((a, [AGREED, AGREED], 0, 0, {}) for a in NAMES)])
def test_counts_by_hand(a, lines, value, sign, causes):
    report = summary(a, "legal", lines)
    assert report["rules"] == [a, "legal"] and [cause["cause"] for cause in report["causes"]] == CAUSES
    assert (report["positions"], report["moves"], report["passed_over"]) == (len(lines), len(lines), 0)
    assert (report["value"], report["sign"], counts(report, "value")) == (value, sign, causes)
    assert sum(counts(report, "sign").values()) == sign
    assert counts(report, "joint") == ({"pin": 1} if JOINT in lines and a == "swap" else {})


def test_text():
    text = compare("swap", "legal", ALL, "--examples", "1")
    lines = [line.split() for line in text.splitlines()]
    assert text.startswith("Rules swap against legal, values 100,325,325,500,1000\n\n")
    assert ["moves", "10", "in", "10", "positions"] in lines
    assert ["skipped", "0"] in lines
    for row in ("special 0 0.0000% 0 0.0000% 0", "promotion 2 20.0000% 1 10.0000% 0", "pin 2 20.0000% 2 20.0000% 1",
                "check 1 10.0000% 1 10.0000% 0", "king 1 10.0000% 0 0.0000% 0", "order 1 10.0000% 0 0.0000% 0",
                "other 0 0.0000% 0 0.0000% 0", "all 7 70.0000% 4 40.0000% 1"):
        assert row.split() in lines
    assert "\npin: 1 of 2\n  " + PIN.replace("\t", "  ") + "  swap -225, legal 100\n" in text
    assert "\ncheck: 1 of 1\n  " + CHECK.replace("\t", "  ") + "  swap -225, legal 100\n" in text
    assert "special:" not in text and JOINT.split("\t")[0] not in text


def test_tsv_has_every_disagreement_in_the_order_of_the_input():
    text = compare("swap", "legal", ALL + ALL, "--format", "tsv", "--examples", "0")
    order = [PIN, CHECK, FIRST_PROMOTION, LATER_PROMOTION, KING, ORDER, JOINT]
    assert ["\t".join(row.split("\t")[:2]) for row in text.splitlines()] == order + order


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_number_of_examples(n):
    report = summary("swap", "legal", [PIN, CHECK, PIN, PIN], "--examples", str(n))
    examples = {cause["cause"]: cause["examples"] for cause in report["causes"]}
    example = {"position": PIN.split("\t")[0], "move": "c3d5", "values": [-225, 100]}
    assert examples["pin"] == [example] * min(n, 3)
    assert len(examples["check"]) == min(n, 1)
    assert counts(report, "value") == {"pin": 3, "check": 1}


def test_moves_and_values():
    position = [PIN.split("\t")[0]]
    assert summary("swap", "legal", position)["moves"] == 2  # of knight and rook
    assert summary("swap", "legal", position, "--moves", "all")["moves"] > 10
    assert counts(summary("swap", "legal", position), "value") == {"pin": 1}
    # a knight that is worth no more than a pawn may as well be taken back: 1 - 1, and 1
    report = summary("swap", "legal", [PIN], "--values", "1,1,3,5,9")
    assert (report["values"], report["value"], report["sign"]) == ([1, 1, 3, 5, 9], 1, 0)
    assert report["causes"][CAUSES.index("pin")]["examples"][0]["values"] == [0, 1]


@pytest.mark.parametrize("a", NAMES)
def test_nobody_disagrees_with_himself(a):
    report = summary(a, a, ALL)
    assert (report["moves"], report["value"]) == (10, 0)


def test_counts_agree_with_eval():
    positions = read("random.fen")
    pairs = list(zip(*(map(int, cells(output("eval", "--rules", rules, stdin="\n".join(positions)),
                                      2)) for rules in ("swap", "legal"))))
    report = summary("swap", "legal", positions)
    assert (report["moves"], report["value"]) == (len(pairs), sum(a != b for a, b in pairs)) and report["value"] > 20
    assert report["sign"] == sum((a >= 0) != (b >= 0) for a, b in pairs) > 10


# ---- The data ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [["--moves", "captures"], ["--moves", "all"], ["--values", "300,100,0,3000,200"]])
@pytest.mark.parametrize("name", ["games.fen", "random.fen"])
def test_legal_is_minimax(name, options):
    report = summary("minimax", "legal", read(name), *options)
    assert (report["value"], report["passed_over"]) == (0, 0)
    assert report["moves"] > 2000


def features(name):
    """Pins, promotions, how first moves are special, and whether the order of captures is the best one."""
    fields = dict(INFO["rule_sets"].get(name, INFO["rule_sets"]["legal"]))
    if name == "legal-least-first":
        fields["order"] = "least"
    special = tuple(fields[each] for each in ("promotion", "en-passant", "castling", "en-passant-replies"))
    return fields["pins"], fields["promotions"], special, fields["order"] == "best"


@pytest.mark.parametrize("a, b", itertools.combinations(NAMES, 2))
def test_every_disagreement_has_a_cause_in_which_the_rules_differ(a, b):
    """No "other": the exchange that finds the causes gives the values of both rule sets."""
    found = set(counts(summary(a, b, read("games.fen") + read("random.fen"), "--moves", "all"), "value"))
    pins, promotions, special, best = zip(features(a), features(b))
    possible = {cause for cause, values in (("special", special), ("promotion", promotions), ("pin", pins), ("king", best), ("order", best),
                                            ("check", [each == "legal" for each in pins])) if values[0] != values[1]}
    # where the first move that promotes is no exchange, promotions are rare
    rare = {"king", "promotion"} if {"zero", "always"} & {each[0] for each in special} else {"king"}
    assert found <= possible and possible - found <= rare


def test_the_fidelity_report_is_current():
    """Its last table is of positions that the project holds: made again, it is the same."""
    project = os.path.dirname(os.path.dirname(DATA))
    files = [os.path.join(project, name) for name in ("bench/data/positions.fen", "tests/data/games.fen",
                                                      "tests/data/random.fen")]
    table = subprocess.run([sys.executable, os.path.join(project, "scripts", "fidelity"), TOOL, *files], check=True,
                           stdout=subprocess.PIPE, text=True, timeout=120).stdout
    with open(os.path.join(project, "docs", "accuracy.md"), encoding="utf-8") as file:
        report = file.read()
    assert report.endswith("\n\n" + table), f"docs/accuracy.md does not end with the table of scripts/fidelity:\n{table}"


# ---- What cannot be done ------------------------------------------------------------------------------------------------


def test_what_takes_too_long_is_passed_over_and_said():
    result = run("compare", "--rules", "minimax", "--rules", "swap", "--nodes", "1000", "--format", "json",
                 stdin=f"{PIN}\n{ENDLESS}\n{PIN}\n")
    assert result.returncode == 1
    assert result.stderr.decode().startswith("-:2: e5d5 is skipped: its value under minimax takes more than 1000 captures")
    report = json.loads(result.stdout)
    assert (report["moves"], report["passed_over"], report["value"]) == (2, 1, 2)
    # without minimax it is no trouble
    assert summary("swap", "legal", [ENDLESS])["moves"] == 1


def test_the_limit_is_exact():
    # After PxP: Rb, Q, Re, R; or Re and then Q, Rb, R or R, Rb, Q: eleven captures in all.
    arguments = ["compare", "--rules", "legal", "--rules", "minimax", "--nodes"]
    assert run(*arguments, "11", stdin=ORDER).returncode == 0
    assert run(*arguments, "10", stdin=ORDER).returncode == 1


def test_nothing_to_compare():
    """A broken pipe in front of the command would look like agreement."""
    rules = ["--rules", "swap", "--rules", "legal"]
    for lines in ("", "# a comment\n\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n"):
        says(1, run("compare", *rules, stdin=lines), "nothing was compared, because the input has no position with a capture")
