"""The contract of `seebatch map`: rows, board, colours, errors."""
import json
import os
import pty
import re
import subprocess

import pytest

from formats_support import DATA
from pipeline_support import BAD, QUIET, ROOK_TAKES_PAWN, TOOL, environment, fails, read_terminal
from test_tool import RULE_NAMES, available_kernels, output, run

# The pawn on a7 can take the knight and become a queen; the pawn on d7 can take the bishop.
BOTH = "1n5k/P2p4/2B5/8/8/8/8/6K1 w - - 0 1"
PINNED = "4k3/4n3/8/3B4/8/8/8/4RK2 b - -"  # the knight on e7, which otherwise could take the bishop


# ---- Rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position, options, expected", [
    (BOTH, "", "w/b8=1225 b/c6=325"), (BOTH, "--rules swap", "w/b8=325 b/c6=325"), (QUIET, "", ""),
    (ROOK_TAKES_PAWN, "", "w/e5=100"), (BOTH.replace(" w ", " b "), "", "w/b8=1225 b/c6=325"),
    # who is to move does not matter
    (ROOK_TAKES_PAWN, "--values 7,1,1,5,9", "w/e5=7"), (ROOK_TAKES_PAWN, "--values 0,1,1,5,9", ""),
    (PINNED, "--rules swap", "b/d5=325"),
    *((PINNED, f"--rules {rules}", "") for rules in ("legal", "stockfish", "stockfish-2016")),
    # White first, then the squares in order
    ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b - - 0 1", "--rules swap", "w/a8=500 w/h8=500 b/a1=500 b/h1=500")])
def test_rows(position, options, expected):
    expected = [(position, *re.split("[/=]", each)) for each in expected.split()]
    assert [tuple(row.split("\t")) for row in output("map", "--format", "tsv", *options.split(),
                                                     stdin=position).splitlines()] == expected
    objects = [json.loads(row) for row in output("map", "--format", "json", *options.split(),
                                                 stdin=position).splitlines()]
    assert objects == [{"position": fen, "side": side, "square": square, "value": int(value)} for fen, side, square,
                       value in expected]


@pytest.mark.parametrize("file", ["games.fen", "random.fen"])
@pytest.mark.parametrize("rules", RULE_NAMES)
def test_all_formats_and_kernels_say_the_same(file, rules):
    arguments = ["map", "--rules", rules, os.path.join(DATA, file)]
    table = output(*arguments, "--format", "tsv").splitlines()
    assert len(table) > 1000
    for kernel in available_kernels():
        assert output(*arguments, "--format", "tsv", "--kernel", kernel).splitlines() == table
    as_json = [json.loads(row) for row in output(*arguments, "--format", "json").splitlines()]
    assert ["{position}\t{side}\t{square}\t{value}".format(**row) for row in as_json] == table
    assert [f"{position}\t{side}\t{square}\t{value}" for position, gains in boards(output(*arguments))
            for side, square, value in gains] == table


# ---- The board -------------------------------------------------------------------------------------------------------------


def boards(text):
    """Reads boards back: position and (side, square, value), first by the list below a board; the drawing must agree."""
    for one in re.split(r"\n(?=[^\n]*\nRules )", text):
        lines = one.splitlines()
        listed = []
        for line in lines:
            if match := re.match(r"(White|Black) gains ", line):
                listed += [(match[1][0].lower(), square, value)
                           for value, square in re.findall(r"(\d+) on ([a-h][1-8]) \(", line)]
        drawn = {}
        top = lines.index("     a    b    c    d    e    f    g    h") + 1
        for rank in range(8):
            pieces, values = lines[top + 2 * rank], lines[top + 2 * rank + 1]
            assert pieces.startswith(f" {8 - rank} ") and pieces.endswith(f"  {8 - rank}")
            for file in range(8):
                cell, value = pieces[3 + 5 * file:8 + 5 * file], values[3 + 5 * file:8 + 5 * file].strip()
                assert (cell[1], cell[3]) == (("[", "]") if value else (" ", " "))
                if value:
                    drawn["abcdefgh"[file] + str(8 - rank)] = ("w" if cell[2].islower() else "b", value)
        assert drawn == {square: (side, value) for side, square, value in listed}
        assert len(drawn) == len(listed)
        yield lines[0], listed

BOARD = """\
1n5k/P2p4/2B5/8/8/8/8/6K1 w - - 0 1
Rules legal, values 100,325,325,500,1000, white to move

     a    b    c    d    e    f    g    h
 8   .   [n]   .    .    .    .    .    k   8
        1225
 7   P    .    .    p    .    .    .    .   7

 6   .    .   [B]   .    .    .    .    .   6
              325
 5   .    .    .    .    .    .    .    .   5

 4   .    .    .    .    .    .    .    .   4

 3   .    .    .    .    .    .    .    .   3

 2   .    .    .    .    .    .    .    .   2

 1   .    .    .    .    .    .    K    .   1

     a    b    c    d    e    f    g    h

[ ] hangs: below it, what the other side gains there if it has the turn.
White gains 1225 on b8 (knight)
Black gains 325 on c6 (bishop)
"""


def test_board():
    both, quiet = output("map", "--fen", BOTH), output("map", "--fen", QUIET)
    assert both == output("map", stdin=BOTH) == output("map", "--format", "board", stdin=BOTH) == BOARD
    assert quiet.endswith("\n\nWhite gains nothing\nBlack gains nothing\n") and "[" not in quiet
    assert all(line == line.rstrip() for line in quiet.splitlines())
    several = run("map", stdin=f"{BAD}\n{BOTH}\n{QUIET}\n{BAD}\n{BOTH}")
    assert (several.returncode, several.stdout.decode()) == (1, f"{both}\n{quiet}\n{both}")
    text = output("map", "--fen", BOTH.replace(" w ", " b "), "--rules", "ethereal", "--values", "1,3,3,5,9")
    assert "\nRules ethereal, values 1,3,3,5,9, black to move\n" in text and "White gains 11 on b8 (knight)\n" in text


def on_terminal(position, **variables):
    """What is written to a terminal."""
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in environment().items() if k not in ("NO_COLOR", "TERM")}
    subprocess.run([TOOL, "map", "--fen", position], stdin=subprocess.DEVNULL, stdout=theirs, env={**kept, **variables},
                   timeout=60, check=True)
    os.close(theirs)
    return read_terminal(ours).decode().replace("\r\n", "\n")


def test_colors_on_a_terminal():
    white, black, normal = "\033[1;36m", "\033[1;35m", "\033[0m"
    text = on_terminal(BOTH, TERM="xterm")
    assert f"{white}[n]{normal}" in text and f"{white}1225{normal}" in text and f"{white}White gains{normal} " in text
    assert f"{black}[B]{normal}" in text and f"{black}325{normal}" in text and f"{black}Black gains{normal} " in text
    assert re.sub(r"\033\[[0-9;]*m", "", text) == BOARD
    assert on_terminal(BOTH, TERM="xterm", NO_COLOR="") == text  # empty is as good as unset


@pytest.mark.parametrize("variables", [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}],
                         ids=["NO_COLOR", "dumb terminal", "unknown terminal"])
def test_no_colors(variables):
    assert on_terminal(BOTH, **variables) == BOARD


@pytest.mark.parametrize("fen, why", [(BAD, "position: "), ("", "position: "), ("nonsense", "position: "),
                                      (BOTH + "\te1e2", "TAB"), (BOTH + "\n" + BOTH, "end of a line")])
@pytest.mark.parametrize("form", ["board", "tsv", "json"])
def test_bad_fen(fen, why, form):
    fails(1, run("map", "--format", form, "--fen", fen), why)
