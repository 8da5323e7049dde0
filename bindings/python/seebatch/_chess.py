"""Positions and moves from python-chess and back. It is not imported: what looks like its objects is taken."""
from __future__ import annotations

import struct
from typing import Any, Iterable

from . import _core
from ._arrays import integers_in, out, positions_in

NO_SQUARE = 64


def record_of(board: Any) -> bytes:
    """The 48 bytes of a position."""
    planes = (board.bishops | board.queens | board.knights, board.rooks | board.queens | board.kings,
              board.pawns | board.knights | board.kings)
    rooks = [NO_SQUARE] * 4
    rights = board.clean_castling_rights()
    for color, rank in ((0, 0xFF), (1, 0xFF << 56)):
        king = (board.kings & board.occupied_co[color == 0] & rank).bit_length() - 1
        for square in range(64):
            if rights & rank & 1 << square:
                rooks[2 * color + (square < king)] = square
    passed = NO_SQUARE if board.ep_square is None else board.ep_square
    clocks = min(board.halfmove_clock, 0xFFFF), min(board.fullmove_number, 0xFFFF)
    return struct.pack("=4Q8B2H4x", *planes, board.occupied_co[True], 0 if board.turn else 1, passed, *rooks,
                       bool(board.chess960), 0, *clocks)


def from_python_chess(boards: Any) -> Any:
    """The positions of one chess.Board, or of an iterable of them: shape (n,), dtype POSITION.

    The board needs the attributes pawns ... kings, occupied_co, turn, ep_square, halfmove_clock, fullmove_number,
    chess960 and the method clean_castling_rights(). Raises Error if a position is unsound, and says which.
    """
    boards = [boards] if hasattr(boards, "occupied_co") else boards
    return out(_core.checked(b"".join(record_of(board) for board in boards), 1))


def to_python_chess(positions: Any, board: Any) -> list[Any]:
    """A board for each position: board(fen, chess960=...), where board is chess.Board."""
    array = positions_in(positions)
    records = memoryview(array).tobytes()
    shredder = [records[i + 38] != 0 for i in range(0, len(records), 48)]
    return [board(fen, chess960=chess960) for fen, chess960 in zip(_core.to_fens(array, False, 1, None), shredder)]


def moves_from_python_chess(moves: Iterable[Any]) -> Any:
    """chess.Move objects as uint16."""
    numbers = [m.from_square | m.to_square << 6 | ((m.promotion or 1) - 1) << 12 for m in moves]
    return integers_in(numbers, "H", "moves")


def moves_to_python_chess(moves: Any, move: Any) -> list[Any]:
    """A move for each number: move(from_square, to_square, promotion), where move is chess.Move."""
    numbers = memoryview(integers_in(moves, "H", "moves")).tolist()
    return [move(m & 63, m >> 6 & 63, (m >> 12) + 1 if m >> 12 else None) for m in numbers]
