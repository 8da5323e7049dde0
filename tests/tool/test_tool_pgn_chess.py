"""Games in PGN against python-chess, which reads them with code of its own: white space of every kind, comments with and
without evaluations anywhere, tag pairs with an empty line between them.

Skipped by name where python-chess is not installed; scripts/test packages installs it.
"""
import io
import random
import re

import pytest

from chess_support import START, Board, odd
from formats_support import rows_of_tsv
from pipeline_support import SEED, SANITIZED, run, times

STARTS = [START, "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R b Qk - 7 33", "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1"]
BLANKS = [" "] * 6 + ["\n", "\n", "\t", "\r\n"]
TOKENS = ["0-1", "1/2-1/2", "1-0", "*"]
SCORES = ["0.25", "-0.30", "+1.5", "12.", "0.0", "-10.01", "#3", "#-12", "#+4"]
NOISE = ["book", "a move", "[%clk 0:01:02]", "[%csl Ga1,Rb2]", "[%evaluation 3]", "1-0 (x) ; $3", "", "[%emt 0.3]"]


def comment(chance):
    """Words, some of which are bracketed commands; a blank stands between them and within the commands."""
    words = [chance.choice(NOISE) for _ in range(chance.randrange(3))]
    if chance.random() < 0.6:
        depth = chance.choice(["", "", ",18"])
        words.insert(chance.randrange(len(words) + 1), f"[%eval {chance.choice(SCORES[:3] + SCORES[4:])}{depth}]")
    return "{" + chance.choice(["", " "]) + " ".join(words) + chance.choice(["", " "]) + "}"


def shuffled(chance, text):
    """Other white space in the place of each blank. A line of the movetext begins with no % or ;, and none is empty: these
    end a game for python-chess."""
    return re.sub(" ", lambda _: chance.choice(BLANKS), text)


def make_game(chance):
    fen = chance.choice(STARTS)
    board, words = Board(fen), [comment(chance)] if chance.random() < 0.3 else []
    for _ in range(chance.randrange(1, 60)):
        if (move := board.random_move(chance, odd)) is None:
            break
        if board.white or chance.random() < 0.1:
            words.append(f"{board.number}." + ("" if board.white else ".."))
        san = board.san(move)
        words.append(san + chance.choice(["", "", "!", "?!"]))
        words += [comment(chance) for _ in range(chance.choice([0, 0, 0, 1, 1, 2]))]
        if chance.random() < 0.1:
            words.append(f"({san} {{[%eval 5.5]}})")  # the same move again
        board.play(move, "always")
    result = chance.choice(TOKENS)
    tags = ['[Event "x"]', f'[Result "{result}"]'] + ([] if fen == START else ['[SetUp "1"]', f'[FEN "{fen}"]'])
    tags[1:] = chance.sample(tags[1:], len(tags) - 1)
    for i in range(len(tags) - 1, 0, -1):
        tags[i] += "\n" if chance.random() < 0.2 else ""
    empty_lines = "\n".join([tags[0] + ("\n" if chance.random() < 0.2 else ""), *tags[1:]]).rstrip("\n")
    return empty_lines + "\n\n" + shuffled(chance, " ".join([*words, result])) + "\n\n"


def read_by_python_chess(chess_pgn, text):
    """FEN, move and White's score of each position."""
    rows, file = [], io.StringIO(text, newline=None)
    while (game := chess_pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        for node in game.mainline():
            score = node.parent.eval()
            white = None if score is None else score.white()
            value = None if white is None else white.score() if not white.is_mate() else \
                32000 - white.mate() if white.mate() > 0 else -32000 - white.mate()
            board = node.parent.board()
            rows.append((board.fen(en_passant="fen"), board.uci(node.move, chess960=True), value))
    return rows


@pytest.mark.parametrize("part", range(1 if SANITIZED else 4))
def test_shuffled_games(part):
    chess_pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed: pip install chess")
    chance = random.Random(SEED + part)
    text = "".join(make_game(chance) for _ in range(times(60)))
    theirs = read_by_python_chess(chess_pgn, text)
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=text)
    ours = [(row.fen, row.move, row.score) for row in rows_of_tsv(result.stdout)]
    for their, our in zip(theirs, ours):
        assert our[0] == their[0] and our[2] == their[2], (SEED + part, their, our)
    assert len(ours) == len(theirs) and result.returncode == 0, result.stderr
    scores = sum(row[2] is not None for row in ours)
    assert scores > 100 and f"{scores} comments read as scores\n" in result.stderr.decode()
