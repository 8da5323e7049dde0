"""Types for annotations, as numpy.typing has them: what the functions of seebatch take.

    from seebatch.typing import Moves, Positions

    def my_features(positions: Positions) -> NDArray[np.float32]: ...

At run time each of them is Any, so NumPy is not needed.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, Protocol, Sequence, Union

__all__ = ["ArrowArray", "ArrowStream", "Board", "Column", "Fens", "Integers", "Move", "Moves", "OneMove", "OnePosition", "PieceValues",
           "Positions", "RuleSet", "Rules", "Series", "Texts"]

# As rule_sets() lists them; and one of these with fields: "ethereal,en-passant=standing".
# Made by scripts/manual: rules
RuleSet = Literal["legal", "swap", "promotions", "ethereal", "stockfish", "stockfish-2016", "stormphrax", "pawnocchio",
                  "plentychess", "reckless", "monty"]
# Up to here by scripts/manual
Rules = Union[RuleSet, str]


class ArrowStream(Protocol):
    """A table or a column of pyarrow, Polars, pandas or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """An array of pyarrow, or a Column."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class Series(Protocol):
    """A column of pandas 2, which does not know Arrow's interface."""

    @property
    def dtype(self) -> Any: ...
    def to_numpy(self, *args: Any, **kwargs: Any) -> Any: ...


class Board(Protocol):
    """A board of python-chess."""

    @property
    def occupied_co(self) -> Any: ...
    @property
    def castling_rights(self) -> Any: ...


class Move(Protocol):
    """A move of python-chess."""

    @property
    def from_square(self) -> int: ...
    @property
    def to_square(self) -> int: ...


if TYPE_CHECKING:
    import array
    import mmap

    import numpy as np
    from numpy.typing import NDArray

    from ._core import Position

    OnePosition = Union[str, bytes, bytearray, memoryview, Position, Board, np.void, NDArray[np.void]]
    OneMove = Union[str, bytes, int, np.integer[Any], Move]
    Column = Union[ArrowStream, ArrowArray, Series]
    Texts = Union[Sequence[Union[str, bytes, None]], NDArray[np.str_], NDArray[np.bytes_], NDArray[np.object_], Column]
    Fens = Union[str, bytes, bytearray, memoryview, mmap.mmap, Texts]
    Positions = Union[str, bytes, bytearray, memoryview, NDArray[np.void], np.void, NDArray[np.str_], NDArray[np.bytes_],
                      NDArray[np.object_], Position, Board, Sequence[Union[str, bytes, Position, Board, np.void]], Column]
    Moves = Union[str, bytes, memoryview, "array.array[int]", NDArray[np.integer[Any]], NDArray[np.str_], NDArray[np.bytes_],
                  NDArray[np.object_], Move, Sequence[Union[int, str, bytes, Move]], Column]
    Integers = Union[Sequence[int], "array.array[int]", memoryview, NDArray[np.integer[Any]], Series]
    PieceValues = Optional[Union[Sequence[int], NDArray[np.integer[Any]]]]
else:
    OnePosition = OneMove = Column = Texts = Fens = Positions = Moves = Integers = PieceValues = Any
