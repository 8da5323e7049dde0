"""The example for policy networks (examples/policy.c): its three ways agree, and mark the moves that the tool marks."""
import os
import re
import subprocess

import pytest

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
POLICY = os.environ["SEEBATCH_TEST_POLICY"]
TOOL = os.environ["SEEBATCH_TEST_TOOL"]
MONTY = ["eval", "--rules", "monty", "--values", "100,450,450,650,1250", "--moves", "all", "--threshold", "-108"]


def policy(fens, *arguments):
    return subprocess.run([POLICY, *arguments], input=fens, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)


@pytest.mark.parametrize("name", ["games.fen", "random.fen"])
def test_marks_what_the_tool_marks(name):
    with open(os.path.join(DATA, name), encoding="ascii") as file:
        fens = file.read()
    rows = subprocess.run([TOOL, *MONTY], input=fens, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    good = sum(row.endswith("\t1") for row in rows)
    assert 0 < good < len(rows)
    result = policy(fens)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{fens.count(chr(10))} positions, {len(rows)} moves, {good} good\n"


# A pawn lost en passant is good enough. Mate leaves no moves.
@pytest.mark.parametrize("fen, counts", [("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "1 positions, 6 moves, 6 good"),
                                         ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1 positions, 0 moves, 0 good")])
def test_single_positions(fen, counts):
    assert policy(fen).stdout.splitlines() == [counts]


def test_takes_times_of_each_way():
    first, kernel, *times = policy("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1\n", "2").stdout.splitlines()
    assert (first[:11], kernel[:19]) == ("1 positions", "nanoseconds a move,")
    assert [re.sub(r" +[\d.]+$", "", line) for line in times] == ["a call a move", "a call a node", "a call for 1000 nodes"]


def test_a_line_that_is_no_position():
    result = policy("4k3/8/8/8/8/8/8/4K3 w - - 0 1\nnonsense\n")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("policy: line 2: ")
