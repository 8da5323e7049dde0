"""Arrays in and out: NumPy's where it is installed, otherwise memoryviews of the same formats."""
from __future__ import annotations

import array
import operator
from typing import Any, Callable, NamedTuple, Optional

from . import _core

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

SIZE = 48  # bytes of a position
Progress = Optional[Callable[[int, int], Any]]


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
    DTYPES = {"q": np.dtype("i8"), "Q": np.dtype("u8"), "H": np.dtype("u2"), "h": np.dtype("i2"), "?": np.dtype("?"),
              "i": np.dtype("i4"), "B": np.dtype("u1"), "f": np.dtype("f4")}
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


def whole(number: Any, what: str, low: int = -2**63, high: int = 2**63 - 1) -> int:
    """An integer argument, with its name in what is raised. True and False are mistakes."""
    try:
        if isinstance(number, bool):
            raise TypeError
        index = operator.index(number)
    except TypeError:
        raise TypeError(f"{what} is {number!r}, expected an integer") from None
    if not low <= index <= high:
        raise _core.Error(f"{what} is {index}, expected {low} to {high}")
    return index


def described(thing: Any) -> str:
    """What was given, for a sentence: "5, an int", or "a dict"."""
    if thing is None or isinstance(thing, bool):
        return repr(thing)
    name = type(thing).__name__
    kind = f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"
    text = repr(thing) if isinstance(thing, (int, float, complex, str, bytes)) else ""
    return f"{text}, {kind}" if 0 < len(text) <= 60 else kind


def text_in(text: Any, what: str, expected: str) -> Any:
    """An argument that is a str or None."""
    if text is not None and not isinstance(text, str):
        raise TypeError(f"{what} is {described(text)}, expected {expected}")
    return text


def refuse_keys(things: Any, what: str, expected: str) -> None:
    """Raises TypeError for a dict, and for a table without Arrow: what they iterate over are the names of their columns."""
    if hasattr(things, "keys") and not is_column(things):
        key = next(iter(things.keys()), "fen")
        raise TypeError(f"{what} is {described(things)}, expected {expected}: one of its values, as {what}[{key!r}]")


def listed(things: Any) -> Any:
    """A list of what a list, a tuple, an array of texts or objects, or a column of pandas 2 holds; None for something else."""
    if isinstance(things, (list, tuple)):
        return things
    if is_column(things) or not hasattr(things, "tolist") or getattr(getattr(things, "dtype", 0), "kind", "O") not in "OUST":
        return None
    items = things.tolist() if hasattr(things, "dtype") else None
    return items if isinstance(items, list) else None


def texts_of(things: Any) -> Optional[list[Any]]:
    """Texts in a str or bytes, a list, an array of NumPy, or a column of pandas 2; None for something else."""
    if isinstance(things, (str, bytes)):
        return [things]
    items = listed(things)
    return list(items) if items is not None and all(isinstance(text, (str, bytes)) for text in items[:1]) else None


def escaped(texts: Any) -> Any:
    """A text, or a list of texts, as bytes: with escapes for halves of surrogate pairs, which are no characters."""
    if isinstance(texts, (list, tuple)):
        return [escaped(text) for text in texts]
    return texts.encode("utf-8", "backslashreplace") if isinstance(texts, str) else texts


def readable(read: Callable[..., Any], texts: Any, *options: Any) -> Any:
    """What read() makes of texts; one that has no UTF-8 is wrong like any other."""
    try:
        return read(texts, *options)
    except UnicodeEncodeError:
        return read(escaped(texts), *options)


FENS = ("FENs (one, a list or a column), an array of seebatch.POSITION, or a Position or board of python-chess, or a list of these: "
        "from_fen() and from_python_chess() read files and iterables")


def checked_fens(faults: Any) -> None:
    if faults:
        raise _core.Error("FEN {}: {}".format(*faults[0]))


def positions_of_text(text: Any) -> Any:
    """Of one text: a FEN, or one a line."""
    block, faults = readable(_core.from_lines, text.strip(), False, 1, None)
    checked_fens(faults)
    return block


def positions_of_items(items: Any) -> Any:
    """Of a list, whose first item says what all of them are; of a mixture, one by one."""
    kinds = {type(item) for item in items}
    if kinds <= {str, bytes}:
        block, faults = readable(_core.from_texts, items, False, 1, None)
        checked_fens(faults)
        return block
    if hasattr(items[0], "occupied_co") and len(kinds) == 1:
        return _core.from_boards(items)
    return b"".join(bytes(memoryview(position_of_item(i, item))) for i, item in enumerate(items))


def position_of_item(index: int, item: Any) -> Any:
    """The Position of one item of a list."""
    known = isinstance(item, (str, bytes, _core.Position)) or hasattr(item, "occupied_co")
    if not known and (np is None or not isinstance(item, np.void)):
        raise TypeError(f"position {index} is {described(item)}, expected a FEN, a Position, or a board of python-chess")
    try:
        return _core.Position(item)
    except _core.Error as error:
        raise _core.Error(f"{'FEN' if isinstance(item, (str, bytes)) else 'position'} {index}: {error}") from None


def positions_in(positions: Any, check: bool = False) -> Any:
    """What the extension takes as positions. check: fields that no position has are an Error."""
    array = positions_as_memory(positions)
    if check:
        _core.check_fields(array)
    return array


def is_text(data: Any) -> bool:
    """Whether bytes are text, and not records of positions, of which each has bytes that are zero."""
    return isinstance(data, (str, bytes, bytearray)) and len(data) > 0 and (isinstance(data, str) or 0 not in data)


def positions_as_memory(positions: Any) -> Any:
    if np is not None and isinstance(positions, (np.ndarray, np.void)) and positions.dtype.kind not in "OUST":
        if not np.can_cast(positions.dtype, POSITION, "equiv"):
            hint = "; from_boards() makes positions of what boards() gives" if positions.shape[-1:] == (64,) else ""
            raise TypeError(f"positions have the dtype {positions.dtype}, expected {FENS}{hint}")
        one_dimension(positions, "positions")
        positions = positions.astype(POSITION, copy=False)  # concatenate() and where() drop the padding
        if isinstance(positions, np.void) or not positions.flags.c_contiguous:
            return np.ascontiguousarray(positions)
        return positions
    if is_text(positions):
        return positions_of_text(bytes(positions) if isinstance(positions, bytearray) else positions)
    if hasattr(positions, "_fields"):  # a Batch, which is a tuple
        raise TypeError(f"positions is {described(positions)}, expected its positions: batch.positions, or *batch where all columns are taken")
    items = listed(positions)
    if items is not None:
        return positions_of_items(items)
    if is_column(positions):
        block, faults, _ = _core.from_column(positions, False, None)
        checked_fens(faults)
        return block
    try:
        view = memoryview(positions)
    except TypeError:
        if hasattr(positions, "occupied_co"):
            return _core.from_boards([positions])
        refuse_keys(positions, "positions", "FENs")
        raise TypeError(f"positions is {described(positions)}, expected {FENS}") from None
    return positions if view.c_contiguous else view.tobytes()


def one_dimension(array: Any, what: str) -> None:
    """Raises TypeError for a matrix."""
    if len(getattr(array, "shape", ())) > 1:
        shape = tuple(array.shape)
        raise TypeError(f"{what} have {len(shape)} dimensions, of the shape {shape}, expected one: ravel() makes it")


def moves_in(moves: Any) -> Any:
    """What the extension takes as moves without positions: numbers, a move of python-chess, or a list of them."""
    if hasattr(moves, "from_square"):
        return _core.from_moves([moves])
    items = listed(moves)
    if items is not None and len(items) and hasattr(items[0], "from_square"):
        return _core.from_moves(items)
    if texts_of(moves):
        raise TypeError("moves are texts, which need positions: moves_from_text() reads them")
    return integers_in(moves, "H", "moves")


def move_texts_in(column: Any) -> tuple[list[bytes], list[Fault]]:
    """The moves of a column as texts, and a Fault for each null, which is an empty text."""
    texts = _core.move_texts(column)
    nulls = [Fault(i, "there is no text but a null, expected a move") for i, text in enumerate(texts) if text is None]
    return [text or b"" for text in texts], nulls


def moves_of(positions: Any, offsets: Any, moves: Any) -> Any:
    """What the extension takes as moves of positions that it takes: those of moves_in(), or texts in any form."""
    kind = str(getattr(moves, "dtype", getattr(moves, "type", ""))).lower()
    nulls: list[Fault] = []
    texts = texts_of(moves)
    if not texts and (not is_column(moves) or (np is not None and kind.startswith(("int", "uint")))):
        return moves_in(moves)
    if texts is None:
        texts, nulls = move_texts_in(moves)
    block, faults = readable(lambda given: _core.moves_from_text(positions, offsets, given, 2, 1, None), texts)
    for fault in (*nulls[:1], *faults[:1]):
        raise _core.Error("move {}: {}".format(*fault))
    return block


COLORS = "0 for White and 1 for Black, where chess.WHITE is True, which is 1"
BOOLEANS = () if np is None else (np.bool_,)


def results_in(results: Any) -> Any:
    """What the extension takes as results: float32, not a number for None."""
    single: Any = DTYPES["f"] if np is not None else None
    if isinstance(results, memoryview) and results.format == "f" and results.c_contiguous:
        return results
    if isinstance(results, array.array) and results.typecode == "f":
        return results
    try:
        if np is not None:
            return np.ascontiguousarray(results, single)
        return array.array("f", [float("nan") if result is None else result for result in results])
    except (TypeError, ValueError):
        raise TypeError("results are not numbers, expected 1 (White won), 0.5 (a draw) and 0 (Black won)") from None


def integers_in(numbers: Any, code: str, what: str, dimensions: int = 1) -> Any:
    """What the extension takes as integers of a type code; other integers are converted, if they fit."""
    if isinstance(numbers, (bytes, bytearray)):
        numbers = memoryview(numbers)
    if dimensions == 1:
        one_dimension(numbers, what)
    if isinstance(numbers, (list, tuple)) and what in ("colors", "stm") and any(isinstance(n, (bool, *BOOLEANS)) for n in numbers):
        raise TypeError(f"{what} are booleans, expected {COLORS}")
    if np is not None and not isinstance(numbers, (memoryview, array.array)):
        given = array_of(numbers, what)
        if dimensions == 1:
            one_dimension(given, what)
        return numpy_integers(given.ravel(), DTYPES[code], what)
    if isinstance(numbers, memoryview) and numbers.format == code and numbers.c_contiguous:
        return numbers
    if isinstance(numbers, array.array) and numbers.typecode == code:
        return numbers
    if hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    try:
        return array.array(code, numbers)
    except OverflowError as error:
        raise OverflowError(f"{what}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{what}: {error}, expected integers") from None


def array_of(numbers: Any, what: str) -> Any:
    """An array of NumPy of what it makes one of; without NumPy the same thing."""
    if np is None:
        return numbers
    try:
        return np.asarray(numbers)
    except ValueError:
        raise TypeError(f"{what} have rows of different lengths, expected the same length in each") from None


def numpy_integers(numbers: Any, dtype: Any, what: str) -> Any:
    given = np.asarray(numbers)
    if given.dtype != dtype:
        if given.dtype.names:
            raise TypeError(f"{what} are records of {given.dtype.itemsize} bytes, such as positions, expected integers, as {dtype}")
        if given.size and given.dtype.kind not in "iu":
            hint = f": {COLORS}" if given.dtype.kind == "b" and what in ("colors", "stm") else ""
            raise TypeError(f"{what} have the dtype {given.dtype}, such as {given.ravel().tolist()[0]!r}, expected integers, as {dtype}{hint}")
        converted = given.astype(dtype)
        if given.size and not (converted == given).all():
            info = np.iinfo(dtype)
            raise OverflowError(f"{what} have {given[converted != given][0]}, expected {info.min} to {info.max}, as {dtype} holds")
        given = converted
    return given if given.flags.c_contiguous else np.ascontiguousarray(given)


def columns_in(positions: Any, *columns: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Records: positions, and of moves, scores, results, plies and has what is not None."""
    moves, scores, results, plies, has = columns
    positions = positions_in(positions)
    scores, plies, has = (None if column is None else integers_in(column, code, what) for column, code, what in
                          ((scores, "i", "scores"), (plies, "i", "plies"), (has, "B", "has")))
    return (positions, None if moves is None else moves_of(positions, None, moves), scores,
            None if results is None else results_in(results), plies, has)


def threshold_in(threshold: Any) -> Any:
    """One threshold as an int, or an array of them."""
    if hasattr(threshold, "__index__") and not getattr(threshold, "shape", ()):
        return whole(threshold, "threshold", -32768, 32767)
    if isinstance(threshold, (float, str)):
        raise TypeError(f"threshold is {threshold!r}, expected an integer, or an array of one for each move")
    return integers_in(threshold, "h", "thresholds")


def indices_in(which: Any, n: int) -> Any:
    """Indices as int64, of indices or of a flag for each of n positions."""
    if np is not None:
        which = np.asarray(which)
        one_dimension(which, "indices")
        if which.dtype != bool:
            return numpy_integers(which, DTYPES["q"], "indices")
        indices, flags = np.flatnonzero(which), which.ravel()
    else:
        flags = which.tolist() if hasattr(which, "tolist") else list(which)
        if not flags or not all(isinstance(flag, bool) for flag in flags):
            return array.array("q", flags)
        indices = array.array("q", [i for i, flag in enumerate(flags) if flag])
    if len(flags) != n:
        raise IndexError(f"there are {len(flags)} flags, expected one for each position: {n}")
    return indices


def is_column(thing: Any) -> bool:
    """Whether it speaks Arrow."""
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")


def texts_in(texts: Any) -> tuple[Any, bool]:
    """What the extension takes as texts, and whether that is one text with many lines."""
    if isinstance(texts, (str, bytes)):
        return texts, True
    refuse_keys(texts, "fens", "FENs")
    if hasattr(texts, "dtype"):
        kind = getattr(texts.dtype, "kind", "O")
        if kind not in "OUST":
            raise TypeError(f"fens have the dtype {texts.dtype}, expected strings: bytes of one text are tobytes()")
        return (texts.tolist() if hasattr(texts, "tolist") else list(texts)), False
    try:
        view = memoryview(texts)
    except TypeError:
        if not hasattr(texts, "__iter__"):
            raise TypeError(f"fens is {described(texts)}, expected FENs in a list, a column, a file, or one text") from None
        return (texts if isinstance(texts, (list, tuple)) else list(texts)), False
    if view.format not in ("B", "b", "c") or isinstance(texts, array.array):
        raise TypeError(f"fens are numbers, of the format {view.format}, expected str or bytes")
    return (texts if view.readonly else bytes(texts)), True
