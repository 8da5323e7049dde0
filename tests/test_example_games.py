"""The example engine plays against itself, with one call a move against batches, to the end of the game. Each side sits behind
PolyGlot, a UCI client that somebody else wrote: it has rules of its own, takes no illegal move, and says how games end."""
import os
import re

import pytest

from test_example_engine import ENGINE, PATIENCE, START, Program

POLYGLOT = os.environ["SEEBATCH_TEST_POLYGLOT"]


class Player(Program):
    """The engine behind PolyGlot, which is spoken to as xboard does."""

    def __init__(self, directory, depth, batch, fen):
        super().__init__(POLYGLOT, "-noini", "-ec", ENGINE, "-pg", "Book=false", "-uci", f"Batch={batch}",
                         cwd=directory, env=dict(os.environ, HOME=str(directory)))
        self.say("xboard", "protover 2")
        self.hear("feature done=1")
        # With so many seconds for a move the depth alone ends a search, and the game is always the same.
        self.say("new", "st 9999", f"sd {depth}", "force", f"setboard {fen}")


def play(directory, fen, depths):
    """A game between the engine in batches and the engine with one call a move: the moves and the result."""
    players = [Player(directory, depth, batch, fen) for depth, batch in zip(depths, ("true", "false"))]
    players[0].say("go")
    moves = []
    while True:
        line = players[len(moves) % 2].hear("move .*|1-0.*|0-1.*|1/2-1/2.*|.*[Ii]llegal.*|Error.*")[-1]
        if not line.startswith("move "):
            break
        moves.append(line.split()[1])
        players[len(moves) % 2].say(f"usermove {moves[-1]}", *["go"][: len(moves) == 1])
    for player in players:
        player.say("quit")
        player.process.wait(timeout=PATIENCE)
    return moves, line


@pytest.mark.parametrize("fen, depths, result", [
    (START, (6, 2), "1-0 {White mates}"),
    (START, (2, 6), "0-1 {Black mates}"),
    ("8/8/8/4k3/8/8/8/3QK3 w - - 0 1", (6, 4), "1-0 {White mates}"),
    ("8/8/8/4k3/8/8/8/3RK3 w - - 0 1", (8, 4), "1-0 {White mates}"),
    (START, (4, 4), None),
])
def test_games_are_played_to_the_end(tmp_path, fen, depths, result):
    moves, end = play(tmp_path, fen, depths)
    assert end == result if result else re.match(r"(1-0|0-1|1/2-1/2) \{", end)
    print(f"{len(moves)} moves, {end}: {' '.join(moves)}")
