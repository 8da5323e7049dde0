"""Arrays in and out: NumPy's where it is installed, otherwise memoryviews of the same formats."""
from __future__ import annotations

import array
import operator
from typing import Any, Callable, Literal, NamedTuple, Optional, Sequence, Union

from . import _core

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

SIZE = 48  # bytes of a position
Progress = Optional[Callable[[int, int], Any]]
Values = Optional[Sequence[int]]
# As rule_sets() lists them; and one of these with fields: "ethereal,en-passant=standing".
# Made by scripts/manual: rules
RuleSet = Literal["legal", "swap", "promotions", "ethereal", "stockfish", "stockfish-2016", "stormphrax", "pawnocchio",
                  "plentychess", "reckless", "monty"]
# Up to here by scripts/manual
Rules = Union[RuleSet, str]


class Fault(NamedTuple):
    """A text that is wrong: its index, and a sentence."""

    index: int  # type: ignore[assignment]  # tuples have a method of this name
    sentence: str

if np is not None:
    # The dtype of positions, 48 bytes each, as C has them in seebatch_position. Without NumPy it is None.
    POSITION = np.dtype(
        {
            "names": ["plane", "white", "stm", "ep_square", "castling_rook", "shredder", "reserved", "halfmove_clock",
                      "fullmove_number"],
            "formats": [("u8", 3), "u8", "u1", "u1", ("u1", (2, 2)), "u1", "u1", "u2", "u2"],
            "offsets": [0, 24, 32, 33, 34, 38, 39, 40, 42],
            "itemsize": SIZE,
        }
    )
    DTYPES = {"q": np.dtype("i8"), "H": np.dtype("u2"), "h": np.dtype("i2"), "?": np.dtype("?"), "i": np.dtype("i4"),
              "B": np.dtype("u1")}
else:
    POSITION = None


def out(block: Any) -> Any:
    """A result as the caller gets it, of the same memory."""
    if block is None or block == ():
        return None
    view = memoryview(block)
    if np is None:
        return view
    dtype: Any = POSITION if view.itemsize == SIZE else DTYPES[view.format]
    return np.ndarray(view.shape or (), dtype, block)


def all_have(things: Any, attribute: str) -> bool:
    """Whether these are a list or a tuple of objects of python-chess; the extension looks at all but the first."""
    return isinstance(things, (list, tuple)) and len(things) > 0 and hasattr(things[0], attribute)


def positions_in(positions: Any) -> Any:
    """What the extension takes as positions: an array, a Position, a board of python-chess, a list of boards, or a column
    of FENs or of boards."""
    if np is not None and isinstance(positions, (np.ndarray, np.void)):
        if not np.can_cast(positions.dtype, POSITION, "equiv"):
            raise TypeError(f"positions have the dtype {positions.dtype}, expected seebatch.POSITION")
        positions = positions.astype(POSITION, copy=False)  # concatenate() and where() drop the padding
        if isinstance(positions, np.void) or not positions.flags.c_contiguous:
            return np.ascontiguousarray(positions)
        return positions
    if isinstance(positions, str):
        raise TypeError("positions are a str, expected an array: from_fen() makes one")
    if all_have(positions, "occupied_co"):
        return _core.from_boards(positions)
    if is_column(positions):
        block, faults, _ = _core.from_column(positions, False, None)
        if faults:
            raise _core.Error("FEN {}: {}".format(*faults[0]))
        return block
    try:
        view = memoryview(positions)
    except TypeError:
        if hasattr(positions, "occupied_co"):
            return _core.from_boards([positions])
        raise TypeError(f"positions are of {type(positions)}, expected an array of seebatch.POSITION, a Position, or "
                        "boards of python-chess") from None
    return positions if view.c_contiguous else view.tobytes()


def moves_in(moves: Any) -> Any:
    """What the extension takes as moves: numbers, a move of python-chess, or a list of them."""
    if hasattr(moves, "from_square"):
        return _core.from_moves([moves])
    return _core.from_moves(moves) if all_have(moves, "from_square") else integers_in(moves, "H", "moves")


def move_texts_in(column: Any) -> tuple[list[bytes], list[Fault]]:
    """The moves of a column as texts, and a Fault for each null, which is an empty text."""
    texts = _core.move_texts(column)
    nulls = [Fault(i, "there is no text but a null, expected a move") for i, text in enumerate(texts) if text is None]
    return [text or b"" for text in texts], nulls


def moves_of(positions: Any, offsets: Any, moves: Any) -> Any:
    """What the extension takes as moves of positions that it takes, a column of texts or numbers among them."""
    kind = str(getattr(moves, "dtype", getattr(moves, "type", ""))).lower()
    if not is_column(moves) or (np is not None and kind.startswith(("int", "uint"))):
        return moves_in(moves)
    texts, nulls = move_texts_in(moves)
    block, faults = _core.moves_from_text(positions, offsets, texts, 2, 1, None)
    for fault in (*nulls[:1], *faults[:1]):
        raise _core.Error("move {}: {}".format(*fault))
    return block


def integers_in(numbers: Any, code: str, what: str) -> Any:
    """What the extension takes as integers of a type code; other integers are converted, if they fit."""
    if isinstance(numbers, (bytes, bytearray)):
        numbers = memoryview(numbers)
    if np is not None and not isinstance(numbers, (memoryview, array.array)):
        return numpy_integers(numbers, DTYPES[code], what)
    if isinstance(numbers, memoryview) and numbers.format == code and numbers.c_contiguous:
        return numbers
    if isinstance(numbers, array.array) and numbers.typecode == code:
        return numbers
    if hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    try:
        return array.array("B" if code == "?" else code, numbers)
    except OverflowError as error:
        raise OverflowError(f"{what}: {error}") from None


def numpy_integers(numbers: Any, dtype: Any, what: str) -> Any:
    given = np.asarray(numbers)
    if given.dtype != dtype:
        if given.size and given.dtype.kind not in "iub":
            raise TypeError(f"{what} have the dtype {given.dtype}, expected {dtype}")
        converted = given.astype(dtype)
        if given.size and not (converted == given).all():
            raise OverflowError(f"{what} do not all fit into {dtype}")
        given = converted
    return given if given.flags.c_contiguous else np.ascontiguousarray(given)


def columns_in(positions: Any, *columns: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Records: positions, and of moves, scores, results, plies and has what is not None."""
    moves, *rest = columns
    scores, results, plies, has = (None if column is None else integers_in(column, code, what) for column, code, what in
                                   zip(rest, "iBiB", ("scores", "results", "plies", "has")))
    return positions_in(positions), None if moves is None else moves_in(moves), scores, results, plies, has


def threshold_in(threshold: Any) -> Any:
    """One threshold as an int, or an array of them."""
    try:
        return operator.index(threshold)
    except TypeError:
        return integers_in(threshold, "h", "thresholds")


def indices_in(which: Any, n: int) -> Any:
    """Indices as int64, of indices or of a flag for each of n positions."""
    if np is not None:
        which = np.asarray(which)
        if which.dtype != bool:
            return numpy_integers(which, DTYPES["q"], "indices")
        indices, flags = np.flatnonzero(which), which.ravel()
    else:
        flags = which.tolist() if hasattr(which, "tolist") else list(which)
        if not flags or not all(isinstance(flag, bool) for flag in flags):
            return array.array("q", flags)
        indices = array.array("q", [i for i, flag in enumerate(flags) if flag])
    if len(flags) != n:
        raise IndexError(f"there are {len(flags)} flags, expected one a position: {n}")
    return indices


def is_column(thing: Any) -> bool:
    """Whether it speaks Arrow."""
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")


def texts_in(texts: Any) -> tuple[Any, bool]:
    """What the extension takes as texts, and whether that is one text with many lines."""
    if isinstance(texts, (str, bytes)):
        return texts, True
    if hasattr(texts, "dtype"):
        kind = getattr(texts.dtype, "kind", "O")
        if kind not in "OUST":
            raise TypeError(f"texts have the dtype {texts.dtype}, expected strings: bytes of one text are tobytes()")
        return (texts.tolist() if hasattr(texts, "tolist") else list(texts)), False
    try:
        view = memoryview(texts)
    except TypeError:
        return texts, False
    if view.format not in ("B", "b", "c") or isinstance(texts, array.array):
        raise TypeError(f"texts are numbers, of the format {view.format}, expected str or bytes")
    return (texts if view.readonly else bytes(texts)), True
