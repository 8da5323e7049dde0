"""Positions and moves from python-chess and back. It is imported only to make its boards and moves."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence, TypeVar, Union, overload

from . import _core
from ._arrays import described, moves_in, out, positions_in
from .typing import Board, Integers, Move, Positions

if TYPE_CHECKING:
    import chess  # type: ignore[import, unused-ignore]
    import numpy as np
    from numpy.typing import NDArray

Made = TypeVar("Made")


def from_python_chess(boards: Union[Board, Iterable[Board]]) -> NDArray[np.void]:
    """Make positions of boards of python-chess.

    Parameters
    ----------
    boards : chess.Board or iterable of chess.Board
        Each board is read when the iterable gives it, so it may be one board that moves on. Castling rights are those of
        clean_castling_rights().

    Returns
    -------
    ndarray of POSITION, shape (n,)

    Raises
    ------
    Error
        If a position is unsound, or of a variant; it says which.

    Examples
    --------
    >>> import chess
    >>> sb.to_fen(sb.from_python_chess(chess.Board()))
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']
    """
    return out(_core.from_boards(_listed(boards, "boards", "occupied_co", "chess.Board")))


@overload
def to_python_chess(positions: Positions, board: None = None) -> list[chess.Board]: ...
@overload
def to_python_chess(positions: Positions, board: Callable[..., Made]) -> list[Made]: ...
def to_python_chess(positions: Positions, board: Optional[Callable[..., Any]] = None) -> list[Any]:
    """Make a chess.Board of each position, without moves to take back.

    Parameters
    ----------
    positions
        As in all functions.
    board : callable, optional
        The class, called as board(None, chess960=...). None: chess.Board.

    Returns
    -------
    list of chess.Board
        A board is of Chess960 (castling as king takes rook) where the position writes castling so, or where a king or rook
        that may castle does not have its usual place.

    Examples
    --------
    >>> import chess
    >>> sb.to_python_chess("4k3/8/8/8/8/8/4P3/4K3 w - -")[0].fen()
    '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
    """
    if board is None:
        import chess
        board = chess.Board
    return _core.to_boards(positions_in(positions), board)


def moves_from_python_chess(moves: Union[Move, Iterable[Move]]) -> NDArray[np.uint16]:
    """Write moves of python-chess as numbers.

    Parameters
    ----------
    moves : chess.Move or iterable of chess.Move

    Returns
    -------
    ndarray of uint16
        Castling keeps the form that it has.

    Raises
    ------
    Error
        For drops and null moves.

    Examples
    --------
    >>> import chess
    >>> sb.moves_from_python_chess([chess.Move.from_uci("e2e4")]).tolist()
    [1804]
    """
    return out(_core.from_moves(_listed(moves, "moves", "from_square", "chess.Move")))


def _listed(things: Any, what: str, attribute: str, kind: str) -> Any:
    """One thing as a list, or an iterable as it is."""
    if hasattr(things, attribute):
        return [things]
    if isinstance(things, (str, bytes)) or not hasattr(things, "__iter__"):
        raise TypeError(f"{what} is {described(things)}, expected a {kind}, or an iterable of them")
    return things


@overload
def moves_to_python_chess(moves: Union[Integers, Move, Sequence[Move]], move: None = None) -> list[chess.Move]: ...
@overload
def moves_to_python_chess(moves: Union[Integers, Move, Sequence[Move]], move: Callable[..., Made]) -> list[Made]: ...
def moves_to_python_chess(moves: Union[Integers, Move, Sequence[Move]], move: Optional[Callable[..., Any]] = None) -> list[Any]:
    """Make a chess.Move of each number.

    Parameters
    ----------
    moves : array of uint16
    move : callable, optional
        The class, called as move(from_square, to_square, promotion). None: chess.Move.

    Returns
    -------
    list of chess.Move

    Examples
    --------
    >>> import chess
    >>> sb.moves_to_python_chess([1804])
    [Move.from_uci('e2e4')]
    """
    if move is None:
        import chess
        move = chess.Move
    numbers = memoryview(moves_in(moves)).tolist()
    return [move(m & 63, m >> 6 & 63, (m >> 12) + 1 if m >> 12 else None) for m in numbers]
