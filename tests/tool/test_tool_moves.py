"""Legal moves, captures and their names in UCI notation and SAN, as `seebatch eval` prints them, against a plain board in Python
(chess_support.py): positions of games, of random play and of perft suites, Chess960 too, and boards with any pieces anywhere."""
import os
import random

import pytest

from chess_support import Board
from test_tool import DATA, run


def positions_of(path, every):
    with open(os.path.join(DATA, path), encoding="ascii") as file:
        return [line.split(";")[0].strip() for line in file][::every]


def drawn_board(chance):
    """Any pieces anywhere, with the rights to castle that the rooks allow, and maybe an en passant square."""
    at, n = ["."] * 64, chance.choice((2, 4, 8, 16, 30))
    castles = chance.random() < 0.3
    for king, row in (("K", 0), ("k", 56)):
        at[chance.choice([s for s in (range(row, row + 8) if castles else range(64)) if at[s] == "."])] = king
    for _ in range(n):
        square, piece = chance.randrange(64), chance.choice("PNBRQpnbrq")
        if castles and chance.random() < 0.4:
            square, piece = chance.choice((0, 56)) + chance.randrange(8), "R"
            piece = piece if square < 8 else "r"
        if at[square] == "." and (piece not in "Pp" or 8 <= square < 56):
            at[square] = piece
    board = Board()
    board.at, board.white, board.rooks, board.shredder = at, chance.random() < 0.5, set(), True
    if castles:
        for row, king, rook in ((0, "K", "R"), (56, "k", "r")):
            rooks = [s for s in range(row, row + 8) if at[s] == rook]
            board.rooks |= {min(rooks), max(rooks)} if rooks and min(rooks) < at.index(king) < max(rooks) else set()
    passing = [s for s in (range(40, 48) if board.white else range(16, 24)) if board.at[s] == "." and
               board.at[s + (-8 if board.white else 8)] == ("p" if board.white else "P") and
               board.at[s + (8 if board.white else -8)] == "."]
    board.ep = chance.choice(passing) if passing else None
    return None if board.attacked(board.king(not board.white), board.white) else board.fen()


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


@pytest.mark.parametrize("path, every", [("games.fen", 2), ("random.fen", 2), ("perft/known.epd", 1), ("perft/standard.epd", 1),
                                         ("perft/chess960.epd", 1)])
def test_moves_of_files(path, every):
    fens = positions_of(path, every)
    assert check(fens) == len(set(fens))


def test_moves_of_drawn_boards():
    chance = random.Random(5)
    boards = [fen for fen in (drawn_board(chance) for _ in range(1000)) if fen]
    assert check(boards) > 300
