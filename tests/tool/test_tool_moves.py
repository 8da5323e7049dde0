"""Legal moves, captures and their names in UCI notation and SAN, as `seebatch eval` prints them, against a plain board in Python
(chess_support.py): positions of games, of random play and of perft suites, Chess960 too."""
import os

import pytest

from chess_support import Board
from pipeline_support import DATA
from test_tool import run


def positions_of(path, every):
    with open(os.path.join(DATA, path), encoding="ascii") as file:
        return [line.split(";")[0].strip() for line in file][::every]


def moves_of(fens, *options):
    """{position: [move]}, and the numbers of the lines that were refused."""
    result = run("eval", *options, stdin="".join(fen + "\n" for fen in fens))
    moves = {fen: [] for fen in fens}
    for line in result.stdout.decode().splitlines():
        moves[line.split("\t")[0]].append(line.split("\t")[1])
    return moves, {int(line.split(b":")[1]) for line in result.stderr.splitlines() if line.startswith(b"-:")}


def check(fens):
    """How many positions were read; their moves, captures and names are those of the plain board."""
    fens = list(dict.fromkeys(fens))
    everything, refused = moves_of(fens, "--moves", "all")
    captures, _ = moves_of(fens)
    names, _ = moves_of(fens, "--moves", "all", "--notation", "san")
    for number, fen in enumerate(fens, 1):
        if number in refused:
            continue
        board = Board(fen)
        legal = {board.uci(move): move for move in board.legal()}
        assert sorted(everything[fen]) == sorted(legal), fen
        assert captures[fen] == [text for text in everything[fen] if board.is_capture(legal[text])], fen
        assert names[fen] == [board.san(legal[text]) for text in everything[fen]], fen
    return len(fens) - len(refused)


@pytest.mark.parametrize("path, every",
                         [("games.fen", 2), ("random.fen", 2), ("perft/known.epd", 1), ("perft/standard.epd", 1),
                                         ("perft/chess960.epd", 1)])
def test_moves_of_files(path, every):
    fens = positions_of(path, every)
    assert check(fens) == len(set(fens))
