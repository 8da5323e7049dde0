"""The other file formats in plain Python, from docs/formats.md: what the tool is held against. FORMATS lists all that are written.

It shares nothing with the tool: boards are those of chess_support.py, bytes are taken apart by struct. What is not
well-formed raises Bad.
"""
import csv
import io
import json
import os
import re
import struct
from typing import Callable, NamedTuple

import binpack_support as binpack
from chess_support import Board, Row

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
MARLIN, BULLET = "PNBRQKU.pnbrqku.", "PNBRQK..pnbrqk.."
SAMPLES = {"marlinformat": "own-marlin.bin", "bulletformat": "own-bullet.bin", "viriformat": "own.vf",
           "plain": "own.plain",
           "binpack": "own.binpack"}


class Bad(Exception):
    pass


def sample(name):
    """The bytes of a file of data/formats, or of the one of a format."""
    with open(os.path.join(DATA, "formats", SAMPLES.get(name, name)), "rb") as file:
        return file.read()


# ---- Boards of 24 bytes ----------------------------------------------------------------------------------------------


def take_board(data, letters):
    """(pieces by square, with U and u for rooks that may castle)."""
    occupied, = struct.unpack_from("<Q", data)
    squares = [s for s in range(64) if occupied >> s & 1]
    if len(squares) > 32:
        raise Bad("more than 32 pieces")
    at = ["."] * 64
    for i, square in enumerate(squares):
        byte = data[8 + i // 2]
        at[square] = letters[byte >> 4 if i % 2 else byte & 15]
        if at[square] == ".":
            raise Bad("no such piece")
    return at


def pack_board(at, letters):
    squares = [s for s in range(64) if at[s] != "."]
    codes = [letters.index(at[s]) for s in squares] + [0] * (32 - len(squares))
    return struct.pack("<Q", sum(1 << s for s in squares)) + bytes(a | b << 4 for a, b in zip(codes[::2], codes[1::2]))


def board_of(at, white, ep, clock, number):
    """A board from pieces, which have to be sound."""
    board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    board.white, board.ep, board.clock, board.number = white, ep, clock, number
    unmoved = [s for s in range(64) if at[s] in "Uu"]
    board.at = [c.replace("U", "R").replace("u", "r") for c in at]
    if board.at.count("K") != 1 or board.at.count("k") != 1:
        raise Bad("kings")
    sides = set()
    for rook in unmoved:
        light = board.at[rook] == "R"
        king = board.king(light)
        home = 0 if light else 56
        if rook // 8 != home // 8 or king // 8 != home // 8 or (light, rook > king) in sides:
            raise Bad("castling")
        sides.add((light, rook > king))
        board.rooks.add(rook)
        board.shredder |= king % 8 != 4 or rook % 8 != (7 if rook > king else 0)
    if not board.is_sound():
        raise Bad("the board")
    return board


# ---- Records of 32 bytes ---------------------------------------------------------------------------------------------


def marlin_board(data):
    side, clock, number, score, result, extra = struct.unpack("<BBHhBB", data[24:32])
    ep = side & 127
    if ep > 64 or result > 2:
        raise Bad("fields")
    board = board_of(take_board(data, MARLIN), not side >> 7, None if ep == 64 else ep, clock, number)
    return board, score, result


def decode_marlin(data):
    board, score, result = marlin_board(data)
    return Row(board.fen(), None, score, result)


def encode_marlin(row, extra=0, score=None):
    board = Board(row.fen)
    at = [("U" if board.at[s] == "R" else "u") if s in board.rooks else board.at[s] for s in range(64)]
    return pack_board(at, MARLIN) + struct.pack(
        "<BBHhBB", (0 if board.white else 128) | (64 if board.ep is None else board.ep), board.clock, board.number,
        row.score if score is None else score, row.result, extra)


def decode_bullet(data):
    score, result, king, other, _ = struct.unpack("<hBBB3s", data[24:32])
    board = board_of(take_board(data, BULLET), True, None, 0, 1)
    if result > 2 or king != board.king(True) or other ^ 56 != board.king(False):
        raise Bad("fields")
    return Row(board.fen(), None, score, result)


def encode_bullet(row):
    board = Board(row.fen)
    at, score, result = board.at, row.score, row.result
    if not board.white:
        at, score, result = [board.at[s ^ 56].swapcase() for s in range(64)], -score, 2 - result
    return pack_board(at, BULLET) + struct.pack("<hBBB3s", score, result, at.index("K"), at.index("k") ^ 56, b"")


def seen_by_mover(row):
    """What is left of a row in bulletformat."""
    return decode_bullet(encode_bullet(row))


# ---- Games -----------------------------------------------------------------------------------------------------------


def read_games(data):
    """The rows of all games, and how many are bad or cut off: the rest of such a game is skipped."""
    rows, bad, at = [], 0, 0
    while at < len(data):
        try:
            board, _, result = marlin_board(data[at:at + 32])
        except (Bad, struct.error):
            board, bad = None, bad + 1
        at += 32
        while (pair := data[at:at + 4]) != bytes(4):
            if len(pair) < 4:
                return rows, bad + (board is not None)
            at += 4
            if board is None:
                continue
            word, score = struct.unpack("<Hh", pair)
            move = word & 63, word >> 6 & 63, "nbrq"[word >> 12 & 3] if word >> 14 == 3 else None
            if not board.is_legal(move) or encode_pair(board, move, score) != pair:
                board, bad = None, bad + 1
                continue
            rows.append(Row(board.fen(), board.uci(move), score, result))
            board.play(move, "beside")
        at += 4
    return rows, bad


def decode_games(data):
    rows, bad = read_games(data)
    if bad:
        raise Bad("a game")
    return rows


def encode_pair(board, move, score):
    source, target, promotion = move
    kind = 3 if promotion else 2 if board.castles(move) else 1 if board.is_ep(move) else 0
    piece = "nbrq".index(promotion) if promotion else 0
    return struct.pack("<Hh", source | target << 6 | piece << 12 | kind << 14, score)


def encode_games(rows):
    """A new game wherever a row is not what the move before leads to."""
    out, board, result = b"", None, None
    for row in rows:
        if board is None or board.fen() != row.fen or result != row.result:
            out += (bytes(4) if board else b"") + encode_marlin(row, score=0)
            board, result = Board(row.fen), row.result
        move = board.move(row.move)
        out += encode_pair(board, move, row.score)
        board.play(move, "beside")
    return out + (bytes(4) if board else b"")


def games_of(data):
    """The bytes of each game of a file."""
    games, at = [], 0
    while at < len(data):
        end = at + 32
        while data[end:end + 4] != bytes(4):
            end += 4
        games.append(data[at:end + 4])
        at = end + 4
    return games


# ---- Text ------------------------------------------------------------------------------------------------------------

RESULTS = {0: "0.0", 1: "0.5", 2: "1.0"}
COLUMNS = ["fen", "move", "score", "result", "ply"]


def cells(row):
    return [row.fen, row.move, row.score, None if row.result is None else RESULTS[row.result], row.ply]


def table(rows, separator="\t"):
    """A table of known columns, as the tool writes it; an empty one is no table."""
    lines = [COLUMNS, *map(cells, rows)]
    return "".join(separator.join("" if cell is None else str(cell) for cell in line) + "\n" for line in lines).encode()


def decode_plain(data):
    rows, entry = [], {}
    for line in data.decode().splitlines():
        key, _, value = line.partition(" ")
        if key != "e":
            entry[key] = value
            continue
        row = Row(entry["fen"], entry["move"], ply=int(entry["ply"]))
        row.score, row.result = row.sign() * int(entry["score"]), row.sign() * int(entry["result"]) + 1
        rows.append(row)
        entry = {}
    return rows


def encode_plain(rows):
    return "".join(f"fen {r.fen}\nmove {r.move}\nscore {r.sign() * r.score}\nply {r.ply}\n"
                   f"result {r.sign() * (r.result - 1)}\ne\n" for r in rows).encode()


# Of lines. With notes each has something else besides that belongs to nobody: a column, a member, an operation.


def as_fen(rows, notes=True):
    return "".join(f"{r.fen}\t{r.move}\n" for r in rows)


def as_scored(rows, notes=True):
    return "".join(f"{r.fen} | {r.score} | {RESULTS[r.result]}\n" for r in rows)


def as_table(rows, notes=True, delimiter=",", quoting=csv.QUOTE_MINIMAL, note='"{}", as they say'):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", delimiter=delimiter, quoting=quoting)
    writer.writerow(["id"] * notes + COLUMNS)
    writer.writerows([note.format(i)] * notes + cells(r) for i, r in enumerate(rows))
    return out.getvalue()


def as_tsv(rows, notes=True):
    return as_table(rows, notes, "\t", csv.QUOTE_NONE, "no. {}")


def as_jsonl(rows, notes=True):
    objects = ({("position" if notes else "fen"): r.fen, "move": r.move, "score": r.score, "result": r.result / 2,
                "ply": r.ply}
               for r in rows)
    return "".join(json.dumps({"id": [i, {"x": None}], **each, "note": "\u00e9\\\"\n"} if notes else each) + "\n"
                   for i, each in enumerate(objects))


def as_epd(rows, notes=True):
    """Four fields and operations; the score is that of the side to move, the result White's."""
    lines = []
    for r in rows:
        words = r.fen.split()
        counters = "".join(f" {name} {word};" for name, word in zip(("hmvc", "fmvn"), words[4:]))
        lines.append(f'{" ".join(words[:4])} bm {r.move};{counters}' + f' id "no; {r.ply}";' * notes +
                     f' ce {r.sign() * r.score}; c9 "{("0-1", "1/2-1/2", "1-0")[r.result]}";\n')
    return "".join(lines)


WRITERS = {"fen": as_fen, "epd": as_epd, "scored": as_scored, "csv": as_table, "tsv": as_tsv, "jsonl": as_jsonl}


def data_lines(text, form):
    """Header and records of a file's text, lines with their ends."""
    lines = text.splitlines(keepends=True)
    return (lines[:1], lines[1:]) if form in ("csv", "tsv") else ([], lines)


# ---- All formats that are written ------------------------------------------------------------------------------------


class Format(NamedTuple):
    holds: set  # fields of a row besides the position
    needs: bool  # whether a record has to have all of them
    encode: Callable  # rows to bytes


def of_lines(form, holds, needs=False):
    return Format(set(holds.split()), needs, lambda rows: WRITERS[form](rows, notes=False).encode())


FORMATS = {
    "fen": of_lines("fen", "move"),
    "epd": of_lines("epd", "move score result"),
    "scored": of_lines("scored", "score result", needs=True),
    **{form: of_lines(form, "move score result ply") for form in ("csv", "tsv", "jsonl")},
    "marlinformat": Format({"score", "result"}, True, lambda rows: b"".join(map(encode_marlin, rows))),
    "bulletformat": Format({"score", "result"}, True, lambda rows: b"".join(map(encode_bullet, rows))),
    "viriformat": Format({"move", "score", "result"}, True, encode_games),
    "plain": Format({"move", "score", "result", "ply"}, True, encode_plain),
    "binpack": Format({"move", "score", "result", "ply"}, True, binpack.write),
}


# ---- Bad lines of the formats of lines -------------------------------------------------------------------------------

QUIET = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
BAD = "4k3/8/8/8/8/8/8/4K2R x K - 0 1"
BLACK = "4k3/8/8/8/8/8/8/4K3 b - -"
HEADS = {"csv": b"fen,score,note\n", "tsv": b"fen\tscore\tnote\n"}
GOOD_LINES = {
    "fen": f"{QUIET}\n".encode(), "scored": f"{QUIET} | 1 | 1.0\n".encode(),
    "jsonl": f'{{"fen": "{QUIET}"}}\n'.encode(),
    "csv": f"{QUIET},1,a\n".encode(), "epd": f"{BLACK} ce 1;\n".encode(), "tsv": f"{QUIET}\t1\ta\n".encode()}

# Each with what the error says.
BAD_LINES = {
    "fen": [(BAD, "side to move"), (QUIET + "\te1e3", "e1e3")],
    "scored": [(QUIET + fields, said) for fields, said in [
        ("", "no '|'"), (" | 1", "one '|'"), (" | 1 | 1 | 1", "more than two"), (" | 1.5 | 1.0", "the score is '1.5'"),
        (" | 1/5 | 1.0", "the score is '1/5'"), (" | 99999999999 | 1.0", "the score"),
        (" | 1 | 2.0", "the result is '2.0'"), (" |  | 1.0", "the score is ''")]],
    "csv": [(f"{QUIET},1", "2 cells, expected 3"), (f"{QUIET},1,a,b", "4 cells, expected 3"),
            (f"{QUIET},x,a", "the score is 'x'"),
            (f'"{QUIET},1,a', "quote"), (f'"{QUIET}"x,1,a', "quote")],
    "jsonl": [("{}", "has no fen"), ('{"fen": 5}', "not a string"),
              *(('{"fen": "%s", %s}' % (QUIET, member), said) for member, said in [
        ('"move": "e1e3"', "e1e3"), ('"move": 1', "the move is not a string"),
        ('"score": "1"', "the score is not a number"),
        ('"score": 1.5', "the score is '1.5', expected an integer, or --score-scale"),
        ('"score": 1e2', "the score is '1e2'"), ('"result": true', "the result is not a number"),
        ('"result": 7', "the result is '7'"), ('"result": "2-0"', "the result is '2-0'"),
        ('"ply": -1', "the ply is '-1'"), ('"ply": "1"', "the ply is not a number"), ('"fen": 1', "twice"),
        ('"position": "x"', "twice")])],
    "epd": [(f"{BLACK} {operations}", said) for operations, said in [
        ("bm;", "the operation bm has no move"), ("bm Kf3;", "Kf3"), ("ce x;", "the score is 'x'"),
        ("ce 1; ce 1;", "ce is given twice"), ("dm 1.5;", "the number of moves to mate is '1.5'"),
        ("hmvc 70000;", "the operation hmvc has '70000'"), ("fmvn;", "fmvn has ''"),
        ("ce 5", "expected ';' at its end")]],
    "tsv": [(f"{QUIET}\t1", "2 cells, expected 3"), (f"{QUIET}\t1.5\ta", "the score is '1.5'")],
}


def read_records(decode):
    """A reader of records of 32 bytes: the rows, and how many are bad."""
    def read(data):
        rows = []
        for at in range(0, len(data), 32):
            try:
                rows.append(decode(data[at:at + 32]))
            except (Bad, struct.error):
                pass
        return rows, -(-len(data) // 32) - len(rows)
    return read


def read_binpack(data):
    rows, bad, whole = binpack.read(data)
    return rows, bad + (not whole)


# Rows, and how many errors there are about the rest.
READERS = {"marlinformat": read_records(decode_marlin), "bulletformat": read_records(decode_bullet),
           "viriformat": read_games,
           "plain": lambda data: (decode_plain(data), 0), "binpack": read_binpack}


def held(rows, *forms):
    """What is left of rows that have gone through files of these formats."""
    kept = set.intersection(*(FORMATS[form].holds for form in forms))
    if "bulletformat" in forms:
        rows = map(seen_by_mover, rows)
    return [Row(r.fen, **{name: getattr(r, name) for name in kept}) for r in rows]


# ---- What the tool reads ---------------------------------------------------------------------------------------------


def rows_of_tsv(data):
    """The rows of a table as the tool writes it, from bytes. Of a position in EPD the clocks count as in a FEN."""
    rows = []
    for named in csv.DictReader(io.StringIO(data.decode(), newline=""), delimiter="\t", quoting=csv.QUOTE_NONE):
        fen, move, score, result, ply = (named.get(name) or None for name in COLUMNS)
        clocks = dict(re.findall(r" (hmvc|fmvn) (\d+);", fen))
        fen = " ".join([*fen.split()[:4], *clocks.values()]) if clocks else fen
        rows.append(Row(fen, move, score and int(score), result and int(2 * float(result)), ply and int(ply)))
    return rows


def expected_rows(form):
    """What the program that a format comes from reads from its sample; see data/README.md."""
    if form in ("marlinformat", "bulletformat"):
        cells = [line.split(" | ") for line in sample("own-bullet.txt").decode().splitlines()]
        rows = [Row(fen, None, int(score), int(2 * float(result))) for fen, score, result in cells]
    else:
        rows = decode_plain(sample("plain"))
    return held(rows, form)
