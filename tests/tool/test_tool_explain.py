"""`seebatch explain` says why a piece could not recapture, in its place among the captures, as a person would write it."""
import pytest

from test_tool import run

PINNED = "2k5/3n4/8/4p3/8/5N1B/8/4K3 w - -"  # the bishop on h3 pins the knight on d7
DISCOVERED = "4k3/1p6/2p5/4N3/8/8/8/4RK2 w - -"  # Nxc6 uncovers the rook on e1
DOUBLE = "4k3/6p1/5p2/8/4N3/8/8/4RK2 w - -"  # and here Nxf6 gives check itself as well
OTHER_PIN = "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -"  # Rxd1 lifts the pin of the knight; the rook on f7 is still pinned


def captures(position, move, rules):
    """What stands between the heading and the swap list, line by line."""
    result = run("explain", "--rules", rules, position, move)
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert all(len(line) <= 110 for line in text.splitlines())
    return text.split("if it is the last:\n\n")[1].split("\n\nSwap list")[0].splitlines()


def refusals(position, move, rules):
    return [line.strip() for line in captures(position, move, rules) if "may not recapture" in line]


@pytest.mark.parametrize("rules", ["legal", "stockfish", "stockfish-2016"])
def test_pinned(rules):
    lines = captures(PINNED, "f3e5", rules)
    assert len(lines) == 3
    assert lines[0].startswith("   1.  white  knight f3xe5 takes pawn")
    assert lines[1] == "       black's knight on d7 may not recapture: it is pinned to the king on c8 by the bishop on h3"
    assert lines[2].startswith("(  2.) black  if it could still take the knight")


@pytest.mark.parametrize("position, move, refused", [(DISCOVERED, "e5c6", "b7"), (DOUBLE, "e4f6", "g7")])
def test_checks(position, move, refused):
    assert refusals(position, move, "legal") == [
        f"black's pawn on {refused} may not recapture: the rook on e1 gives check to the king on e8"]
    assert refusals(position, move, "stockfish") == []


def test_held_by_the_pin_of_another():
    assert refusals(OTHER_PIN, "e1d1", "stockfish") == [
        "black's knight on e3 may not recapture: its pin has gone, but the bishop on h5 still pins another piece"]
    assert refusals(OTHER_PIN, "e1d1", "stockfish-2016") == refusals(OTHER_PIN, "e1d1", "legal") == []


@pytest.mark.parametrize("rules, position, move, lines", [
    ("stormphrax", "4r3/3k4/3p4/8/4N3/8/8/3RK3 w - -", "d1d6",
     ["white's knight on e4 may not recapture: it is pinned to the king on e1 by the rook on e8"]),
    ("stormphrax", "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -", "b5f5",
     ["black's bishop on d7 may not recapture: it stays pinned, though the queen has left b5"]),
    ("reckless", "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -", "b5f5", []),
    ("reckless", "4k3/3b1n2/8/1Q3p1B/8/8/8/6K1 w - -", "b5f5",
     ["black's bishop on d7 may not recapture: its pin has gone, but the bishop on h5 still pins another piece"]),
    ("pawnocchio", "4k3/8/1p6/2p5/1P2N3/8/8/4RK2 w - -", "b4c5",
     ["white's knight on e4 may not recapture: it stands between the king on e8 and the rook on e1"]),
])
def test_held(rules, position, move, lines):
    assert refusals(position, move, rules) == lines


def test_replies_en_passant():
    lines = captures("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", "monty")
    assert [" ".join(line.split()) for line in lines] == [
        "1. white pawn e2-e4 takes nothing 0", "2. black pawn d4xe3 takes pawn en passant 100 - 0 = 100"]


def test_a_pawn_left_standing():
    said = "       under these rules the pawn on d5 stays, and hides what stands behind it"
    position = "4kb2/8/8/3pP3/8/8/8/3RK3 w - d6"
    assert captures(position, "e5d6", "stormphrax")[1] == said
    assert said not in captures(position, "e5d6", "swap")


@pytest.mark.parametrize("rules, position, move", [
    ("plentychess", "1n5k/P7/8/8/8/8/8/6K1 w - -", "a7b8q"), ("reckless", "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1")])
def test_moves_that_pass(rules, position, move):
    text = run("explain", "--rules", rules, position, move).stdout.decode()
    assert text.endswith("Under these rules the move passes at any threshold.\n\nValue: 32767\n")


def test_the_same_reason_is_given_once():
    # The knight on e7 is pinned all along, while the other one recaptures and the bishop takes that.
    lines = captures("4k3/4n3/5n2/3p4/8/2N2B2/8/4RK2 w - -", "c3d5", "stockfish")
    assert len(lines) == 5
    assert lines[1] == "       black's knight on e7 may not recapture: it is pinned to the king on e8 by the rook on e1"
    assert not any("may not" in line for line in lines[2:])


def test_what_was_said_before_is_not_said_again():
    """Two pinned pieces, each told of once; and a knight whose pin another piece takes over, or that a check keeps from it the
    next time, which is something new."""
    both = refusals("3rk3/3rnb2/8/3p3B/2P5/8/3R4/3RR1K1 w - -", "c4d5", "legal")
    assert sorted(line.split(" on ")[0] for line in both) == ["black's bishop", "black's knight"]
    taken_over = refusals("3rk3/3rn3/8/3pQ3/2P5/8/8/4R1K1 w - -", "c4d5", "legal")
    assert [line.split(" by ")[1] for line in taken_over] == ["the queen on e5", "the rook on e1"]
    for_another_reason = refusals("3rk3/4n3/8/1R1p4/B1P5/8/8/4R1K1 w - -", "c4d5", "legal")
    assert [line.split(" may not recapture: ")[1] for line in for_another_reason] == [
        "it is pinned to the king on e8 by the rook on e1", "the bishop on a4 gives check to the king on e8"]
