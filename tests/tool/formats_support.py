"""Marlinformat, bulletformat, viriformat and plain text in plain Python, from docs/formats.md: what the tool is held against.

It shares nothing with the tool: boards are those of chess_support.py, bytes are taken apart by struct. Scores and results
are White's, results 0 (black wins), 1, 2. What is not well-formed raises Bad.
"""
import os
import struct

from chess_support import Board

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "formats")
MARLIN, BULLET = "PNBRQKU.pnbrqku.", "PNBRQK..pnbrqk.."


class Bad(Exception):
    pass


class Row:
    """What a file says about a position."""

    def __init__(self, fen, move=None, score=None, result=None, ply=None):
        self.fen, self.move, self.score, self.result, self.ply = fen, move, score, result, ply

    def tuple(self):
        return self.fen, self.move, self.score, self.result, self.ply

    def __eq__(self, other):
        return self.tuple() == other.tuple()

    def __repr__(self):
        return repr(self.tuple())


def sample(name):
    with open(os.path.join(DATA, name), "rb") as file:
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


def decode_games(data):
    """Rows of all games."""
    rows, at = [], 0
    while at < len(data):
        board, _, result = marlin_board(data[at:at + 32])
        at += 32
        while data[at:at + 4] != bytes(4):
            word, score = struct.unpack_from("<Hh", data, at)
            at += 4
            source, target, kind = word & 63, word >> 6 & 63, word >> 14
            move = source, target, "nbrq"[word >> 12 & 3] if kind == 3 else None
            if not board.is_legal(move) or (kind == 2) != board.castles(move) or (kind == 1) != board.is_ep(move):
                raise Bad("move")
            rows.append(Row(board.fen(), board.uci(move), score, result, 2 * (board.number - 1) + (not board.white)))
            board.play(move, "beside")
        at += 4
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


def game_places(data):
    """(beginning, end) of the games of a file."""
    places, at = [], 0
    while at < len(data):
        end = at + 32
        while data[end:end + 4] != bytes(4):
            end += 4
        places.append((at, end + 4))
        at = end + 4
    return places


# ---- Plain text ------------------------------------------------------------------------------------------------------


def decode_plain(text):
    rows, entry = [], {}
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key != "e":
            entry[key] = value
            continue
        sign = 1 if entry["fen"].split()[1] == "w" else -1
        rows.append(Row(entry["fen"], entry["move"], sign * int(entry["score"]), sign * int(entry["result"]) + 1,
                        int(entry["ply"])))
        entry = {}
    return rows


def encode_plain(rows):
    out = ""
    for row in rows:
        sign = 1 if row.fen.split()[1] == "w" else -1
        out += f"fen {row.fen}\nmove {row.move}\nscore {sign * row.score}\nply {row.ply}\nresult {sign * (row.result - 1)}\ne\n"
    return out


# ---- What the tool reads ---------------------------------------------------------------------------------------------

RESULTS = {"0.0": 0, "0.5": 1, "1.0": 2}


def rows_of_tsv(text):
    """The rows of a table as the tool writes it, from bytes."""
    lines = text.decode().splitlines()
    if not lines:
        return []
    names, rows = lines[0].split("\t"), []
    for line in lines[1:]:
        cells = dict(zip(names, line.split("\t")))
        rows.append(Row(cells["fen"], cells.get("move") or None, int(cells["score"]) if cells.get("score") else None,
                        RESULTS[cells["result"]] if cells.get("result") else None,
                        int(cells["ply"]) if cells.get("ply") else None))
    return rows


def expected_rows(name):
    """The table beside a sample; its columns are those of the original programs (see data/formats/README.md)."""
    return [line.split("\t") for line in sample(name).decode().splitlines()]
