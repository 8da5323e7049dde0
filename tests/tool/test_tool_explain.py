"""`seebatch explain` says why a piece could not recapture, in its place among the captures, as a person would write it."""
import pytest

from test_tool import output

PINNED = "2k5/3n4/8/4p3/8/5N1B/8/4K3 w - -"  # the bishop on h3 pins the knight on d7
TWO_PINS = "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -"
OTHER_PIN = "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -"  # Rxd1 lifts the pin of the knight; the rook on f7 is still pinned
DISCOVERED = "4k3/1p6/2p5/4N3/8/8/8/4RK2 w - -"  # Nxc6 uncovers the rook on e1
DOUBLE = "4k3/6p1/5p2/8/4N3/8/8/4RK2 w - -"  # and here Nxf6 gives check itself as well


def captures(position, move, rules):
    """What stands between the heading and the swap list, line by line."""
    text = output("explain", "--rules", rules, position, move)
    assert all(len(line) <= 110 for line in text.splitlines())
    return text.split("if it is the last:\n\n")[1].split("\n\nSwap list")[0].splitlines()


@pytest.mark.parametrize("rules", ["legal", "stockfish", "stockfish-2016"])
def test_pinned(rules):
    first, why, last = captures(PINNED, "f3e5", rules)
    assert first.startswith("   1.  white  knight f3xe5 takes pawn")
    assert why == "       black's knight on d7 may not recapture: it is pinned to the king on c8 by the bishop on h3"
    assert last.startswith("(  2.) black  if it could still take the knight")


PIN_HAS_GONE = "its pin has gone, but the bishop on h5 still pins another piece"


@pytest.mark.parametrize("rules, position, move, reasons", [
    ("legal", DISCOVERED, "e5c6", ["black's pawn on b7: the rook on e1 gives check to the king on e8"]),
    ("stockfish", DISCOVERED, "e5c6", []),
    ("legal", DOUBLE, "e4f6", ["black's pawn on g7: the rook on e1 gives check to the king on e8"]),
    ("stockfish", DOUBLE, "e4f6", []), ("stockfish", OTHER_PIN, "e1d1", ["black's knight on e3: " + PIN_HAS_GONE]),
    ("stockfish-2016", OTHER_PIN, "e1d1", []), ("legal", OTHER_PIN, "e1d1", []),
    ("stormphrax", "4r3/3k4/3p4/8/4N3/8/8/3RK3 w - -", "d1d6",
     ["white's knight on e4: it is pinned to the king on e1 by the rook on e8"]),
                                                            ("stormphrax", TWO_PINS, "b5f5",
                                                             ["black's bishop on d7: it stays pinned, though the queen has left b5"]), ("reckless", TWO_PINS, "b5f5", []),
    ("reckless", "4k3/3b1n2/8/1Q3p1B/8/8/8/6K1 w - -", "b5f5", ["black's bishop on d7: " + PIN_HAS_GONE]),
    ("pawnocchio", "4k3/8/1p6/2p5/1P2N3/8/8/4RK2 w - -", "b4c5",
     ["white's knight on e4: it stands between the king on e8 and the rook on e1"]),
    # told of once, though the knight is pinned all along, while the other one recaptures and the bishop takes that
    ("stockfish", "4k3/4n3/5n2/3p4/8/2N2B2/8/4RK2 w - -", "c3d5",
     ["black's knight on e7: it is pinned to the king on e8 by the rook on e1"]),
    ("legal", "3rk3/3rnb2/8/3p3B/2P5/8/3R4/3RR1K1 w - -", "c4d5",
     ["black's knight on e7: it is pinned to the king on e8 by the rook on e1",
      "black's bishop on f7: it is pinned to the king on e8 by the bishop on h5"]),
    # the same piece for another reason, which is something new: another piece takes the pin over, or a check comes
    ("legal", "3rk3/3rn3/8/3pQ3/2P5/8/8/4R1K1 w - -", "c4d5",
     ["black's knight on e7: it is pinned to the king on e8 by the queen on e5",
      "black's knight on e7: it is pinned to the king on e8 by the rook on e1"]),
    ("legal", "3rk3/4n3/8/1R1p4/B1P5/8/8/4R1K1 w - -", "c4d5",
     ["black's knight on e7: it is pinned to the king on e8 by the rook on e1",
      "black's knight on e7: the bishop on a4 gives check to the king on e8"])])
def test_who_may_not_recapture(rules, position, move, reasons):
    found = [line.strip() for line in captures(position, move, rules) if "may not recapture" in line]
    assert sorted(found) == sorted(reason.replace(": ", " may not recapture: ", 1) for reason in reasons)


def test_replies_en_passant():
    lines = captures("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", "monty")
    assert [" ".join(line.split()) for line in lines] == [
        "1. white pawn e2-e4 takes nothing 0", "2. black pawn d4xe3 takes pawn en passant 100 - 0 = 100"]


@pytest.mark.parametrize("rules, said", [("stormphrax", True), ("swap", False)])
def test_a_pawn_left_standing(rules, said):
    lines = captures("4kb2/8/8/3pP3/8/8/8/3RK3 w - d6", "e5d6", rules)
    assert (lines[1] == "       under these rules the pawn on d5 stays, and hides what stands behind it") == said


@pytest.mark.parametrize("rules, position, move", [
    ("plentychess", "1n5k/P7/8/8/8/8/8/6K1 w - -", "a7b8q"), ("reckless", "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1")])
def test_moves_that_pass(rules, position, move):
    assert output("explain", "--rules", rules, position,
                  move).endswith("Under these rules the move passes at any threshold.\n\nValue: 32767\n")
