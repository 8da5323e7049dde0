"""Montyformat, read: against a writer in plain Python, made from docs/formats.md, and what damage does."""
import json
import math
import random
import struct

import pytest

from chess_support import START, Board, number
from formats_support import decode_plain, sample
from pipeline_support import evaluate, fails, places, run, well

CHESS960 = "1r1k2r1/p5pp/8/8/8/8/P5PP/1R1K2R1 w GBgb - 0 1"


def word(fen, uci):
    """A move as it stands in the file."""
    board = Board(fen)
    move = first, last, promotion = board.move(uci)
    taken = board.is_capture(move)
    if board.castles(move):
        kind, last = (2, first // 8 * 8 + 6) if last > first else (3, first // 8 * 8 + 2)
    elif promotion:
        kind = 8 + "nbrq".index(promotion) + 4 * taken
    else:
        kind = 5 if board.is_ep(move) else 4 * taken or int(board.at[first].lower() == "p" and abs(first - last) == 16)
    return first << 10 | last << 4 | kind


def head(fen, result, files=(0, 7, 0, 7)):
    """The 43 bytes before the moves of a game."""
    boards = {"black": 0, "RQK": 0, "NBK": 0, "PBQ": 0}
    for s, piece in enumerate(Board(fen).at):
        for name in boards:
            if piece != "." and (piece.islower() if name == "black" else piece.upper() in name):
                boards[name] |= 1 << s
    _, side, rights, passed, clock, count = fen.split()
    bits = sum(8 >> i for i, file in enumerate(files) if {"QKqk"[i], chr(ord("AAaa"[i]) + file)} & set(rights))
    return struct.pack("<4Q4BH5B", *boards.values(), side == "b", 0 if passed == "-" else number(passed), bits,
                       int(clock), int(count),
                       *files, result)


def game(rows, chance):
    """A game of rows, its bytes and what the tool has to read: rows with chance and visits."""
    data, expected, board = [head(rows[0].fen, rows[0].result)], [], Board(rows[0].fen)
    legal = evaluate([r.fen for r in rows], all_moves=True)
    for r in rows:
        parts = chance.choice([0, 65535, 32767, chance.randrange(65536)])
        moves = sorted(legal[r.fen], key=lambda move, fen=r.fen: word(fen, move)) if chance.random() < 0.8 else []
        visits = [chance.randrange(256) for _ in moves]
        data.append(struct.pack("<HHB", word(r.fen, r.move), parts, len(moves)) + bytes(visits))
        cp = {0: -32000, 65535: 32000}.get(parts) or math.floor(400 * math.log(max(parts, 1) / max(1, 65535 - parts)) + 0.5)
        expected.append({"fen": board.fen(), "move": r.move, "score": r.sign() * cp, "result": r.result / 2,
                         "chance": str(parts),
                         "visits": " ".join(f"{move}:{n}" for move, n in zip(moves, visits))})
        board.play(board.move(r.move), "always")  # en passant is set after every double step here
    return b"".join(data) + b"\0\0", expected


@pytest.fixture(scope="module")
def games():
    """Games of the sample, what is expected of each behind its bytes."""
    chance, made, rows = random.Random(7), [], []
    for r in decode_plain(sample("plain"))[:160] + [None]:
        if rows and (r is None or r.ply != rows[-1].ply + 1 or len(rows) == 41):
            made.append(game(rows, chance))
            rows = []
        rows.append(r)
    return made


def test_games(games, tmp_path):
    data, expected = b"".join(g[0] for g in games), [row for g in games for row in g[1]]
    path = tmp_path / "a.monty"
    path.write_bytes(data)
    assert [json.loads(line) for line in well("filter", path, "--to", "jsonl").decode().splitlines()] == expected
    assert data == sample("own.monty") and len(games) > 3
    fails(2, run("convert", path, "--to", "plain"), "unknown columns would be lost")
    assert well("convert", path, "--to", "plain", "--lose", "columns").count(b"\ne\n") == len(expected)
    made = well("filter", path, "--to", "tsv")
    assert made.startswith(b"fen\tmove\tscore\tresult\tchance\tvisits\n") and made.count(b"\n") == 1 + len(expected)
    assert b"".join(well("filter", path, "--to", "tsv", "--part", f"{i}/5") for i in range(1, 6)) == made
    fails(2, run("filter", path), "the format montyformat can be read, but not written")


@pytest.mark.parametrize("files, fen, castles", [
    ((1, 6, 1, 6), CHESS960, "d1g1"),
    ((0, 0, 0, 0), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
    ((0, 7, 0, 7), "r2k3r/8/8/8/8/8/8/R2K3R w HAha - 0 1", "d1a1"),
    ((0, 7, 0, 7), "4k2r/8/8/8/8/8/8/5K1R w Hh - 0 1", "f1h1"),
    ((1, 6, 1, 6), "1r3kr1/p5pp/8/8/8/8/P5PP/1R3KR1 b GBgb - 0 1", "f8g8"),
    ((1, 6, 1, 6), "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", "c1b1"),
    ((0, 5, 0, 5), "r3kr2/p4pp1/8/8/8/8/P4PP1/R3KR2 w FAfa - 0 1", "e1f1"),
])
def test_chess960(files, fen, castles):
    """Castling goes to the king's square; the files of rooks are those of the head, or a and h if all are 0. The rook may
    stand beside the king, and the king of a game with rooks on a and h elsewhere than on e."""
    move = word(fen, "e1h1" if castles == "e1g1" else castles)
    data = head(fen, 1, files) + struct.pack("<HHB", move, 40000, 0) + b"\0\0"
    row = well("filter", "--from", "montyformat", "--to", "tsv", stdin=data).decode().splitlines()[1].split("\t")
    assert row[:2] == [fen, castles] and move & 15 == (2 if castles[2] > castles[0] else 3)
    assert move >> 4 & 63 == number(("g" if castles[2] > castles[0] else "c") + castles[1])


def test_cuts_at_every_place(games):
    """A file that ends in a game: what is whole before it is read, and the end is told once."""
    one, rows = games[0]
    for i in places(len(one) + 60):
        result = run("convert", "--quiet", "--from", "montyformat", "--to", "fen", "--lose", "all",
                     stdin=(one + games[1][0])[:i])
        if i == 0:
            assert (result.returncode, result.stderr) == (0, b"-: warning: no position was found in it\n")
            continue
        whole = i == len(one)
        assert result.returncode == result.stderr.count(b"\n") == result.stderr.count(b"cut off") == (not whole)
        assert i < len(one) or result.stdout.count(b"\n") >= len(rows)


@pytest.mark.parametrize("byte, value, sentence", [
    (32, 2, "side to move, en passant square, castling rights and result are 2"),
    (33, 64, "expected at most 1, 63, 15 and 2"), (34, 16, "castling rights"), (42, 3, "are 0, 0, 15 and 3"),
    (38, 8, "a rook's file is 8, expected 0 to 7"), (33, 20, "en passant"), (34 + 4, 1, "castl"),
    (8, 0xff, "more than one piece"), (3, 1, "has a colour and no piece"), (24, 0, None),
    (43, 0xff, "is not a legal move"), (43, 0x51, "the move g1f3 is written as 0x1951, expected 0x1950 here"),
    (47, 1, "there are visits for 1 move, expected"),
])
def test_impossible_values(byte, value, sentence, games):
    """One game is bad, and told of once with its place; the next one is read."""
    rows = decode_plain(sample("plain"))[:1]
    data = bytearray(head(START, 1) + struct.pack("<HHB", word(START, "g1f3"), 1, 0) + b"\0\0")
    data[byte] = value
    good = head(rows[0].fen, 1) + struct.pack("<HHB", word(rows[0].fen, rows[0].move), 1, 0) + b"\0\0"
    result = run("convert", "--quiet", "--from", "montyformat", "--to", "fen", "--lose", "all",
                 stdin=bytes(data) + good)
    if sentence is None:
        assert result.returncode in (0, 1) and result.stdout.count(b"\n") >= 1
        return
    said = result.stderr.decode()
    assert result.returncode == 1 and said.startswith("-: record 1 at byte ") and sentence in said, said
    assert byte == 47 or (said.count("\n") == 1 and result.stdout.count(b"\n") == 1)
