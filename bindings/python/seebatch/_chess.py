"""Positions and moves from python-chess and back. It is imported only to make its boards and moves."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, TypeVar, overload

from . import _core
from ._arrays import moves_in, out, positions_in

if TYPE_CHECKING:
    import chess  # type: ignore[import, unused-ignore]
    import numpy as np
    from numpy.typing import NDArray

Made = TypeVar("Made")


def from_python_chess(boards: Any) -> NDArray[np.void]:
    """The positions of one chess.Board, or of an iterable of them: shape (n,), dtype POSITION.

    Each board is read when the iterable gives it, so it may be one board that moves on. Castling rights are those of
    clean_castling_rights(). Raises Error if a position is unsound, or of a variant, and says which.
    """
    return out(_core.from_boards([boards] if hasattr(boards, "occupied_co") else boards))


@overload
def to_python_chess(positions: Any, board: None = None) -> list[chess.Board]: ...
@overload
def to_python_chess(positions: Any, board: Callable[..., Made]) -> list[Made]: ...
def to_python_chess(positions: Any, board: Optional[Callable[..., Any]] = None) -> list[Any]:
    """A chess.Board for each position, without moves to take back.

    It is of Chess960 (castling as king takes rook) where the position writes castling so, or where a king or rook that
    may castle does not have its usual place. board: the class, called as board(None, chess960=...); None: chess.Board.
    """
    if board is None:
        import chess
        board = chess.Board
    return _core.to_boards(positions_in(positions), board)


def moves_from_python_chess(moves: Iterable[Any]) -> NDArray[np.uint16]:
    """chess.Move objects as uint16. Raises Error for drops and null moves. Castling keeps the form that it has."""
    return out(_core.from_moves(moves))


@overload
def moves_to_python_chess(moves: Any, move: None = None) -> list[chess.Move]: ...
@overload
def moves_to_python_chess(moves: Any, move: Callable[..., Made]) -> list[Made]: ...
def moves_to_python_chess(moves: Any, move: Optional[Callable[..., Any]] = None) -> list[Any]:
    """A chess.Move for each number. move: the class, called as move(from_square, to_square, promotion)."""
    if move is None:
        import chess
        move = chess.Move
    numbers = memoryview(moves_in(moves)).tolist()
    return [move(m & 63, m >> 6 & 63, (m >> 12) + 1 if m >> 12 else None) for m in numbers]
