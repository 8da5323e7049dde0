"""What a user would write: the swap algorithm in plain Python, on a mailbox. Checked against the rule set `swap`, and timed.

    python3 bench/plain.py FENS
"""
import statistics
import sys
import time

import seebatch as sb

VALUES = {"p": 100, "n": 325, "b": 325, "r": 500, "q": 1000, "k": 20000}
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT, DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def least_attacker(board, square, white):
    """The square of the least valuable piece of a side that attacks a square, or None."""
    file, rank, best = square % 8, square // 8, None

    def offer(f, r, kinds):
        nonlocal best
        piece = board[r * 8 + f]
        if piece.lower() in kinds and piece.isupper() == white:
            rank_of = "pnbrqk".index(piece.lower()), r * 8 + f
            if best is None or rank_of < best:
                best = rank_of

    back = -1 if white else 1
    for step in (-1, 1):
        if 0 <= file + step < 8 and 0 <= rank + back < 8:
            offer(file + step, rank + back, "p")
    for df, dr in KNIGHT:
        if 0 <= file + df < 8 and 0 <= rank + dr < 8:
            offer(file + df, rank + dr, "n")
    for steps, kinds in ((STRAIGHT, "rq"), (DIAGONAL, "bq")):
        for df, dr in steps:
            f, r, n = file + df, rank + dr, 1
            while 0 <= f < 8 and 0 <= r < 8:
                if board[r * 8 + f] != ".":
                    offer(f, r, kinds + "k" if n == 1 else kinds)
                    break
                f, r, n = f + df, r + dr, n + 1
    return None if best is None else best[1]


def see(board, begin, end):
    board = list(board)
    gains, piece = [VALUES[board[end].lower()]], board[begin]
    white = piece.isupper()
    board[begin] = "."
    while piece.lower() != "k" or len(gains) > 1:
        board[end], white = piece, not white
        begin = least_attacker(board, end, white)
        if begin is None or board[begin].lower() == "k" and least_attacker(board, end, not white) is not None:
            break
        gains.append(VALUES[piece.lower()] - gains[-1])
        piece, board[begin] = board[begin], "."
    while len(gains) > 1:
        last = gains.pop()
        gains[-1] = -max(-gains[-1], last)
    return gains[0]


def main():
    pos, _ = sb.from_fen(open(sys.argv[1], "rb").read())
    moves, off = sb.legal_moves(pos, "captures")
    worth = sb.values(pos, moves, off, "swap").tolist()
    boards = [sb.Position(fen).board for fen in sb.to_fen(pos)]
    cases = [(boards[i], int(moves[k]), worth[k]) for i in range(len(pos)) for k in range(off[i], off[i + 1])
             if boards[i][moves[k] >> 6 & 63] != "." and moves[k] >> 12 == 0]
    wrong = [case for case in cases if see(case[0], case[1] & 63, case[1] >> 6 & 63) != case[2]]
    assert len(wrong) == 0, wrong[:3]
    plain, bulk = [], []
    for _ in range(5):
        begin = time.process_time()
        for board, move, _worth in cases:
            see(board, move & 63, move >> 6 & 63)
        plain.append((time.process_time() - begin) / len(cases))
        begin = time.process_time()
        for _ in range(20):
            sb.values(pos, moves, off, "swap")
        bulk.append((time.process_time() - begin) / len(moves) / 20)
    a, b = 1e9 * statistics.median(plain), 1e9 * statistics.median(bulk)
    print(f"{len(cases)} captures: plain Python {a:.0f} ns each, seebatch {b:.2f} ns: {a / b:.0f} times as fast")


main()
