"""Stockfish's records of 40 bytes, read: against a writer in plain Python, made from docs/formats.md."""
import struct

import pytest

from chess_support import START, Board, Row, number
from formats_support import decode_plain, rows_of_tsv, sample
from pipeline_support import fails, run, says, well

CODES = dict(zip("pnbrq", (1, 3, 5, 7, 9)))


def packed(fen, more=()):
    """256 bits; more: bits in the place of those behind the board."""
    at = Board(fen).at
    _, side, rights, passed, clock, count = fen.split()
    bits = [side == "b"]

    def put(n, width):
        bits.extend(n >> i & 1 for i in range(width))
    put(at.index("K"), 6)
    put(at.index("k"), 6)
    for i in range(64):
        piece = at[i ^ 56]
        if piece == ".":
            put(0, 1)
        elif piece not in "Kk":
            put(CODES[piece.lower()], 4)
            put(piece.islower(), 1)
    for right in "KQkq":
        put(right in rights, 1)
    put(passed != "-", 1)
    if passed != "-":
        put(number(passed), 6)
    put(int(clock) & 63, 6)
    put(int(count), 16)
    put(int(clock) >> 6, 1)
    bits += [0] * (256 - len(bits))
    return bytearray(sum(bit << i for i, bit in enumerate(bits[k:k + 8])) for k in range(0, 256, 8))


def encode(row):
    board, word = Board(row.fen), 0
    if row.move:
        first, last, promotion = board.move(row.move)
        kind = 3 if board.castles((first, last, promotion)) else 1 if promotion else 2 if board.is_ep((first, last, promotion)) else 0
        word = kind << 14 | ("nbrq".index(promotion) if promotion else 0) << 12 | first << 6 | last
    return bytes(packed(row.fen)) + struct.pack("<hHHbB", row.sign() * row.score, word, row.ply, row.sign() * (row.result - 1), 77)


def rows_of(data, *words):
    return rows_of_tsv(well("convert", "--from", "packed-sfen", "--to", "tsv", *words, stdin=data))


def test_records(tmp_path):
    """Those of the sample, and some that are odd."""
    rows = decode_plain(sample("plain"))
    rows += [Row("8/2P1k3/8/8/8/8/4K3/8 w - - 99 300", move, -32000, 0, 598) for move in ("c7c8q", "c7c8n", None)]
    data = b"".join(map(encode, rows))
    assert rows_of(data) == rows
    path = tmp_path / "a.packed-sfen"
    path.write_bytes(data)
    whole = well("convert", path, "--to", "tsv")
    assert b"".join(well("convert", path, "--to", "tsv", "--part", f"{i}/3") for i in (1, 2, 3)) == whole
    assert rows_of_tsv(whole) == rows
    fails(2, run("filter", path), "the format packed-sfen can be read, but not written")


ONE = encode(Row(START, "e2e4", 25, 2, 0))


@pytest.mark.parametrize("at, value, sentence", [
    (38, 2, "the result is 2, expected -1 (loss), 0 (draw) or 1 (win)"), (34, 0xff, "is not a legal move here"),
    (0, 0x08, "both kings stand on the same square"), (3, 0xff, "a piece has the code"), (39, 0, None), (32, 0, None)])
def test_impossible_values(at, value, sentence):
    data = bytearray(ONE)
    data[at] = value
    if at == 0:
        data[1] = data[1] & 0xe0 | 2
    result = run("convert", "--quiet", "--from", "packed-sfen", "--to", "fen", "--lose", "all", stdin=bytes(data) + ONE)
    assert result.returncode == (sentence is not None) and result.stdout.count(b"\n") == 1 + (sentence is None)
    if sentence:
        says(1, result, "-: record 1 at byte 0: ", sentence)


def test_cuts():
    for n in (1, 39, 41, 79):
        result = run("convert", "--quiet", "--from", "packed-sfen", "--to", "fen", "--lose", "all", stdin=(ONE + ONE)[:n])
        says(1, result, f"it has {n % 40} byte{'' if n % 40 == 1 else 's'}, expected 40: the file may have been cut off")
        assert result.stdout.count(b"\n") == n // 40
