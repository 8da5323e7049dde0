"""The contract of `seebatch map`: rows, board, colours, errors."""
import json
import os
import pty
import re
import subprocess

import pytest

from pipeline_support import BAD, DATA, QUIET, ROOK_TAKES_PAWN, TOOL, fails
from test_tool import RULE_NAMES, available_kernels, run

# The pawn on a7 can take the knight and become a queen; the pawn on d7 can take the bishop.
BOTH = "1n5k/P2p4/2B5/8/8/8/8/6K1 w - - 0 1"


def rows(stdin, *options, **more):
    """The rows of a map that is all well."""
    result = run("map", "--format", "tsv", *options, stdin=stdin, **more)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode().splitlines()


def board(*arguments, **more):
    result = run("map", *arguments, **more)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


# ---- Rows ----------------------------------------------------------------------------------------------------------------


def test_rows():
    assert rows(BOTH) == [f"{BOTH}\tw\tb8\t1225", f"{BOTH}\tb\tc6\t325"]
    assert rows(BOTH, "--rules", "swap") == [f"{BOTH}\tw\tb8\t325", f"{BOTH}\tb\tc6\t325"]
    assert rows(QUIET) == []
    assert rows(ROOK_TAKES_PAWN) == [ROOK_TAKES_PAWN + "\tw\te5\t100"]


def test_white_comes_first_then_the_squares_in_order():
    position = "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b - - 0 1"
    expected = [("w", "b2"), ("w", "g2"), ("w", "a8"), ("w", "h8"), ("b", "a1"), ("b", "h1"), ("b", "b7"), ("b", "g7")]
    found = [tuple(row.split("\t")[1:3]) for row in rows(position)]
    assert found == [pair for pair in expected if pair in found]
    assert {("w", "a8"), ("w", "h8"), ("b", "a1"), ("b", "h1")} <= set(found)


def test_who_is_to_move_does_not_matter():
    white, black = (rows(BOTH.replace(" w ", f" {side} ")) for side in "wb")
    assert [row.split("\t")[1:] for row in white] == [row.split("\t")[1:] for row in black] != []


def test_rules_and_values():
    pinned = "4k3/4n3/8/3B4/8/8/8/4RK2 b - -"
    assert rows(pinned, "--rules", "swap") == [pinned + "\tb\td5\t325"]
    for rules in ("legal", "stockfish", "stockfish-2016"):  # the knight on e7 may not take the bishop
        assert rows(pinned, "--rules", rules) == []
    assert rows(pinned) == rows(pinned, "--rules", "legal")  # the default
    assert rows(ROOK_TAKES_PAWN, "--values", "7,1,1,5,9") == [ROOK_TAKES_PAWN + "\tw\te5\t7"]
    assert rows(ROOK_TAKES_PAWN, "--values", "0,1,1,5,9") == []


def test_position_is_printed_byte_for_byte():
    given = b'1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3   w -  - 3   17 bm Rxe5; id "caf\xc3\xa9 \xff"; '
    result = run("map", "--format", "tsv", stdin=given + b"\te1e5 moves\r\n")
    assert (result.returncode, result.stdout) == (0, given + b"\tw\te5\t100\n")


def test_blank_lines_comments_and_what_follows_a_tab():
    assert rows(f"\n# comment\n \t \n{BOTH}\n\n{ROOK_TAKES_PAWN}\te1e5\t100\n") == rows(BOTH) + rows(ROOK_TAKES_PAWN)


def test_json():
    position = ROOK_TAKES_PAWN + ' 0 1 id "caf\u00e9 \\ / \u2654";'
    result = run("map", "--format", "json", stdin=f"{BOTH}\n{QUIET}\n{position}\n")
    assert result.returncode == 0
    assert [json.loads(row) for row in result.stdout.splitlines()] == [
        {"position": BOTH, "side": "w", "square": "b8", "value": 1225},
        {"position": BOTH, "side": "b", "square": "c6", "value": 325},
        {"position": position, "side": "w", "square": "e5", "value": 100}]


@pytest.mark.parametrize("file", ["games.fen", "random.fen"])
@pytest.mark.parametrize("rules", RULE_NAMES)
def test_all_formats_and_kernels_say_the_same(file, rules):
    path = os.path.join(DATA, file)
    table = rows("", "--rules", rules, path)
    assert len(table) > 1000
    for kernel in available_kernels():
        assert rows("", "--rules", rules, "--kernel", kernel, path) == table
    as_json = [json.loads(row) for row in run("map", "--rules", rules, "--format", "json", path).stdout.splitlines()]
    assert ["{position}\t{side}\t{square}\t{value}".format(**row) for row in as_json] == table
    drawn = []
    for position, gains in boards(run("map", "--rules", rules, path).stdout.decode()):
        drawn += [f"{position}\t{side}\t{square}\t{value}" for side, square, value in gains]
    assert drawn == table


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
    assert board("--fen", BOTH) == board(stdin=BOTH) == board("--format", "board", stdin=BOTH + "\n") == BOARD


def test_board_without_anything_hanging():
    text = board("--fen", QUIET)
    assert text.endswith("\n\nWhite gains nothing\nBlack gains nothing\n")
    assert "[" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_several_boards_are_apart_by_a_blank_line():
    one, other = board("--fen", BOTH), board("--fen", QUIET)
    assert board(stdin=f"{BOTH}\n{QUIET}\n{BOTH}") == f"{one}\n{other}\n{one}"


def test_board_says_rules_and_who_moves():
    text = board("--fen", BOTH.replace(" w ", " b "), "--rules", "ethereal", "--values", "1,3,3,5,9")
    assert "\nRules ethereal, values 1,3,3,5,9, black to move\n" in text
    assert "White gains 11 on b8 (knight)\n" in text


def on_terminal(position, **variables):
    """What is written to a terminal."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "SEEBATCH_KERNEL", "TERM")}
    environment.update(variables)
    ours, theirs = pty.openpty()
    result = subprocess.run([TOOL, "map", "--fen", position], stdin=subprocess.DEVNULL, stdout=theirs,
                            stderr=subprocess.PIPE, env=environment, timeout=60, check=True)
    os.close(theirs)
    assert result.stderr == b""
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # the terminal has nobody at its other end any more
        pass
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


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


# ---- Files and errors ------------------------------------------------------------------------------------------------------


def test_files(tmp_path):
    (tmp_path / "f").write_text(f"{BOTH}\n{BAD}\n")
    result = run("map", "--format", "tsv", "f", "-", stdin=BAD + "\n" + ROOK_TAKES_PAWN, cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.decode().splitlines() == rows(BOTH) + rows(ROOK_TAKES_PAWN)
    errors = result.stderr.decode().splitlines()
    assert [error.split(" ")[0] for error in errors] == ["f:2:", "-:1:"]
    fails(1, run("map", "f", "missing", cwd=tmp_path), "missing: cannot be opened: No such file")


def test_bad_lines_among_boards():
    result = run("map", stdin=f"{BAD}\n{BOTH}\nnonsense\n{BOTH}\n")
    assert result.stdout.decode() == f"{BOARD}\n{BOARD}"
    assert [error[:5] for error in result.stderr.decode().splitlines()] == ["-:1: ", "-:3: "]
    assert result.returncode == 1


@pytest.mark.parametrize("fen, why", [(BAD, "position: "), ("", "position: "), ("nonsense", "position: "),
                                      (BOTH + "\te1e2", "TAB"), (BOTH + "\n" + BOTH, "end of a line")])
@pytest.mark.parametrize("form", ["board", "tsv", "json"])
def test_bad_fen(fen, why, form):
    fails(1, run("map", "--format", form, "--fen", fen), why)


@pytest.mark.parametrize("arguments, named", [
    (["--format", "text"], "'text' is neither board, tsv nor json"),
    (["--moves", "all"], "--moves"),
    (["--threshold", "0"], "--threshold"),
    (["--rules", "nonsense"], "'nonsense'"),
    (["--values", "1,2,3"], "3 numbers"),
    (["--kernel", "nonsense"], "'nonsense'"),
    (["--fen"], "--fen"),
    (["--fen", BOTH, "--fen", BOTH], "twice"),
    (["--fen", BOTH, "file"], "'file'"),
])
def test_bad_usage(arguments, named):
    fails(2, run("map", *arguments, stdin=BOTH), named, "Try 'seebatch map --help'.")
