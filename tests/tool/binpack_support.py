"""Stockfish's binpack read and written in plain Python, from what docs/formats.md says of its bytes.

The reader treats damage as the tool promises to: a bad record with nothing behind it in its chain is left out, any
other leaves out the rest of its chunk, and what is no chunk is skipped up to the next one.
"""
import struct

from chess_support import Board, Row

PIECES = "PpNnBbRrQqKk"
PROMOTIONS = "nbrq"
LONGEST = 100 << 20


class Damage(Exception):
    """A record is wrong; left: whether positions follow it in its chain."""

    def __init__(self, left):
        super().__init__()
        self.left = left


class Cut(Exception):
    """The bytes end."""


def zigzag(value):
    return 2 * value if value >= 0 else -2 * value - 1


def unzigzag(value):
    return -(value + 1) // 2 if value % 2 else value // 2


def width(n):
    """Bits for the numbers below n."""
    return (n - 1).bit_length() if n > 1 else 0


def signed(score):
    """The same modulo 65,536, in 16 bits with a sign."""
    return (score + 32768) % 65536 - 32768


def choices(board, square):
    """What the movetext can say of a piece, in order: (to, promotion), castling last, queenside first."""
    last = 7 if board.white else 0
    piece = board.at[square].lower()
    if piece == "p" and square // 8 == abs(last - 1):
        return [(square, to, p) for to in board.targets(square) for p in PROMOTIONS]
    moves = [(square, to, None) for to in board.targets(square)]
    if piece == "k":
        moves += [(square, rook, None) for rook in sorted(board.rooks) if board.own(rook)]
    return moves


def kind(board, move):
    return 1 if move[2] else 2 if board.castles(move) else 3 if board.is_ep(move) else 0


# ---- Reading ---------------------------------------------------------------------------------------------------------


class Bits:
    def __init__(self, data):
        self.text, self.at = "".join(f"{byte:08b}" for byte in data), 0

    def take(self, n):
        if self.at + n > len(self.text):
            raise Cut
        self.at += n
        return int("0" + self.text[self.at - n:self.at], 2)

    def bytes(self):
        return (self.at + 7) // 8


def read_position(stem, left):
    """The board of a stem."""
    occupied, = struct.unpack(">Q", stem[:8])
    squares = [s for s in range(64) if occupied >> s & 1]
    board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    board.clock, = struct.unpack(">H", stem[30:32])
    for i, square in enumerate(squares[:32]):
        nibble = stem[8 + i // 2] >> 4 * (i % 2) & 15
        if nibble < 12:
            board.at[square] = PIECES[nibble]
        elif nibble == 12:
            if square // 8 not in (3, 4) or board.ep is not None:
                raise Damage(left)
            board.at[square] = "P" if square // 8 == 3 else "p"
            board.ep = square - 8 if square // 8 == 3 else square + 8
        elif nibble in (13, 14):
            home = 0 if nibble == 13 else 56
            if square not in (home, home + 7):
                raise Damage(left)
            board.at[square] = "R" if nibble == 13 else "r"
            board.rooks.add(square)
        else:
            board.at[square] = "k"
            board.white = False
    if len(squares) > 32 or not board.is_sound() or any(board.king(rook < 8) != (4 if rook < 8 else 60) for rook in board.rooks):
        raise Damage(left)
    return board


def read_move(board, word, left):
    move = word >> 8 & 63, word >> 2 & 63, PROMOTIONS[word & 3] if word >> 14 == 1 else None
    if word == 0 and left == 0:
        return None
    if word == 0 or board.at[move[0]] == "." or not board.is_legal(move) or word >> 14 != kind(board, move):
        raise Damage(left)
    return move


def read_ply(bits, board, score, left):
    """Move and score of the position that follows in a chain."""
    squares = [s for s in range(64) if board.own(s)]
    piece = bits.take(width(len(squares)))
    if piece >= len(squares):
        raise Damage(left)
    moves = choices(board, squares[piece])
    choice = bits.take(width(len(moves)))
    if choice >= len(moves):
        raise Damage(left)
    value = shift = 0
    while True:
        group = bits.take(5)
        value |= (group & 15) << shift
        shift += 4
        if group < 16:
            break
        if shift == 16:
            raise Damage(left)
    if not board.is_legal(moves[choice]):
        raise Damage(left)
    return moves[choice], signed(unzigzag(value) - score)


def row_of(board, move, score, ply, result):
    """Score and result are those of the side to move, the result -1, 0 or 1; the ply tells the number of the move."""
    row = Row(" ".join([*board.fen().split()[:5], str(ply // 2 + 1)]), None if move is None else board.uci(move),
              ply=ply)
    row.score, row.result = row.sign() * score, row.sign() * result + 1
    return row


def read_chain(data):
    """(row, bytes) for each position of a chain, bytes being those up to the position's end."""
    word, score, ply_and_result, _, left = struct.unpack(">HHHHH", data[24:34])
    ply, result, score = ply_and_result & 0x3fff, unzigzag(ply_and_result >> 14), unzigzag(score)
    board = read_position(data, left)
    move = read_move(board, word, left)
    if ply_and_result >> 14 == 3:
        raise Damage(left)
    yield row_of(board, move, score, ply, result), 34
    bits = Bits(data[34:])
    while left > 0:
        board.play(move, "legal")
        move, score = read_ply(bits, board, score, left)
        left, ply, result = left - 1, ply + 1, -result
        yield row_of(board, move, score, ply, result), 34 + bits.bytes()


def read_chunk(data, cut_off, tail):
    """Rows, and how many records were bad; tail: bytes that are too few for a chain are one."""
    rows, bad, at = [], 0, 0
    while len(data) - at >= 34:
        length = 34
        try:
            for row, length in read_chain(data[at:]):
                rows.append(row)
        except Damage as damage:
            bad += 1
            if damage.left > 0:
                return rows, bad
        except Cut:
            return rows, bad + (not cut_off)
        at += length
    return rows, bad + (any(data[at:]) and tail)


def has_magic(data):
    return b"BINP".startswith(data[:4])


def chunk_length(data):
    """The whole chunk's, as its head says it; 0: there is none."""
    length = struct.unpack("<I", data[4:8])[0] if len(data) >= 8 and has_magic(data) else LONGEST + 1
    return 8 + length if length <= LONGEST else 0


def find_chunk(data, first, last, longer):
    """The first place below last at which a chunk begins that leads to another one or to the end of the data."""
    for at in range(first, last):
        length = chunk_length(data[at:])
        if length and (longer if length > len(data) - at else has_magic(data[at + length:])):
            return at
    return last


def unit(data):
    """What belongs to the chunk that begins here: less than it says if another begins within."""
    length = chunk_length(data)
    if length <= len(data):
        return length if has_magic(data[length:]) or not length else find_chunk(data, 8, length, True)
    within = find_chunk(data, 8, len(data), False)
    return within if within < len(data) else length


def rubbish(data):
    """What is no chunk: it ends where the head of one may begin."""
    return next((at for at in range(1, len(data))
                 if (chunk_length(data[at:]) if len(data) - at >= 8 else has_magic(data[at:]))), len(data))


def read(data):
    """Rows, how many records were bad, and whether the file could be read to its end."""
    rows, bad, at = [], 0, 0
    while at < len(data):
        rest = data[at:]
        size = unit(rest)
        if size == 0 and len(rest) < 8 and has_magic(rest):
            return rows, bad, False
        if size == 0:
            bad, at = bad + 1, at + rubbish(rest)
            continue
        says, payload = chunk_length(rest) - 8, rest[8:size]
        cut_off = len(payload) < says and size >= len(rest)
        more, worse = read_chunk(payload, cut_off, len(payload) == says)
        rows, bad, at = rows + more, bad + worse, at + size
        if cut_off:
            return rows, bad, False
        bad += len(payload) < says
    return rows, bad, True


# ---- Writing ---------------------------------------------------------------------------------------------------------


def move_word(board, move):
    if move is None:
        return 0
    return kind(board, move) << 14 | move[0] << 8 | move[1] << 2 | (PROMOTIONS.index(move[2]) if move[2] else 0)


def stem(row, count=0):
    board, nibbles, occupied = Board(row.fen), [], 0
    for square in range(64):
        piece = board.at[square]
        if piece == ".":
            continue
        occupied |= 1 << square
        nibble = PIECES.index(piece)
        if board.ep is not None and square == board.ep + (-8 if board.white else 8):
            nibble = 12
        if square in board.rooks:
            nibble = 13 if square < 8 else 14
        if piece == "k" and not board.white:
            nibble = 15
        nibbles.append(nibble)
    nibbles += [0] * (32 - len(nibbles))
    packed = bytes(nibbles[i] | nibbles[i + 1] << 4 for i in range(0, 32, 2))
    score, result = row.sign() * row.score, row.sign() * (row.result - 1)
    return struct.pack(">Q", occupied) + packed + struct.pack(
        ">HHHHH", move_word(board, row.move and board.move(row.move)), zigzag(score), zigzag(result) << 14 | row.ply,
        board.clock, count)


def ply_bits(row, last):
    board = Board(row.fen)
    move = board.move(row.move)
    squares = [s for s in range(64) if board.own(s)]
    moves = choices(board, move[0])
    difference = zigzag(signed(row.sign() * row.score + last.sign() * last.score))
    bits = format(squares.index(move[0]), f"0{width(len(squares))}b") if len(squares) > 1 else ""
    bits += format(moves.index(move), f"0{width(len(moves))}b") if len(moves) > 1 else ""
    while True:
        bits += ("1" if difference > 15 else "0") + format(difference & 15, "04b")
        difference >>= 4
        if difference == 0:
            return bits


def movetext(bits):
    bits += "0" * (-len(bits) % 8)
    return int("0" + bits, 2).to_bytes(len(bits) // 8, "big")


def chain(rows):
    """The bytes of positions that follow one another."""
    return stem(rows[0], len(rows) - 1) + movetext("".join(ply_bits(row, last) for last, row in zip(rows, rows[1:])))


def follows(last, row):
    if last.move is None or row.ply != last.ply + 1 or row.result != last.result:
        return False
    board = Board(last.fen)
    board.play(board.move(last.move), "legal")
    return board.fen().split()[:5] == row.fen.split()[:5]


def chains(rows):
    found = []
    for last, row in zip([None, *rows], rows):
        if last is not None and follows(last, row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def chunk(payload, length=None):
    return b"BINP" + struct.pack("<I", len(payload) if length is None else length) + payload


def write(rows):
    """One chunk."""
    return chunk(b"".join(map(chain, chains(rows))))
