"""seebatch: static exchange evaluation (SEE) in chess, in bulk: arrays in, arrays out.

    seebatch.values(fens, moves)                                # the value of one move for each position
    moves, off = seebatch.legal_moves(fens, "captures")         # or of many
    seebatch.values(fens, moves, off, rules="stockfish")
    seebatch.values(fens, moves, "stockfish")                   # offsets can be left out

positions    FENs: one, a list, an array of str or a column; bytes are as good as str, and one text may have a FEN on each
             line; or an array of records of 48 bytes, dtype POSITION, as from_fen() makes it; or a Position, a board of
             python-chess, or a list of these
moves        texts in UCI notation or SAN: one, a list, an array of str or a column; or an array of uint16: from-square,
             to-square << 6, promotion << 12 (knight 1 to queen 4), with a1 = 0, b1 = 1, ..., h8 = 63; or moves of
             python-chess
offsets      int64, one more than there are positions: position i has the moves[offsets[i]:offsets[i + 1]]. None: there is
             one move for each position
values       int16, in the units of the piece values, of the side that moves first; ALWAYS, 32767, marks moves that the
             rules let pass at any threshold, and is no balance
flags        bool

A column is any object with __arrow_c_stream__ or __arrow_c_array__, such as those of pyarrow, Polars and pandas, or a column
of pandas 2. In these functions an unreadable FEN or move and a null raise Error; from_fen() and moves_from_text() list them
instead.

Colors are 0 for White and 1 for Black everywhere, in arguments, in arrays and as an index such as maps(pos)[0, 1]. In
python-chess chess.WHITE is True, which is 1: booleans are refused where a color is expected, but an index cannot be refused,
so write maps(pos)[0, not color]. Types of pieces are 0 for a pawn to 5 for a king. Results are 1 if White won, 0.5 for a
draw, and 0 if Black won, in arrays, in tables and in conditions.

With NumPy results are its arrays, NDArray in signatures; without it they are memoryviews of the same formats. Nothing is
copied.

What the library made is known to be right: such arrays of positions, offsets and moves are read-only, and so are their
slices. Other arrays, copies of these among them, are copied and checked. The next call with the same array compares it
with that copy instead; the copies used last are kept, 128 MiB and 512 arrays at most. checked() makes arrays that are known for good.

In every function:

rules         the name of a rule set, one of rule_sets() (RuleSet for type checkers), or with fields after it
piece_values  of pawn, knight, bishop, rook and queen, each 0 to 3000; None: 100, 325, 325, 500, 1000
threads       that share the work; 0: one for each processor
check         False lets the fields of an array be anything, such as 7 for the side to move, as long as the board is one;
              only arrays that the library did not make are looked at, which is one pass over them
progress      called with (done, total), some twenty times a second; what it raises ends the call, as Ctrl-C does

Other threads of Python run meanwhile. What is wrong raises Error, a ValueError, with the library's sentence.
"""
from __future__ import annotations

import re as _re
from typing import TYPE_CHECKING, Any, Iterable, Literal, Optional, Sequence, Union, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

try:
    from . import _core
except ImportError as _error:
    _library = _re.match(r"lib(z|zstd)\.so[.0-9]*", str(_error))
    if _library:
        _package = {"z": "zlib1g", "zstd": "libzstd1"}[_library[1]]
        raise ImportError(f"seebatch needs {_library[0]} (Debian: {_package}): {_error}") from None
    raise

from ._arrays import (POSITION, SIZE, Fault, Progress, array_of, columns_in, described, indices_in, integers_in,
                      is_column, move_texts_in, moves_of, out, positions_in, readable, refuse_keys, texts_in, threshold_in, whole)
from ._chess import from_python_chess, moves_from_python_chess, moves_to_python_chess, to_python_chess
from ._core import ALWAYS, Error, Position, kernel, kernels, rule_sets, see, use_kernel
from ._explain import Capture, Explanation, Reason, Refusal, explain
from ._files import Batch, Format, Path, Reader, Writer, create, formats, open, path_of, sample_file, texts_of
from ._stats import Stats, stats
from ._svg import board_svg
from .typing import Fens, Integers, Moves, PieceValues, Positions, Rules, RuleSet, Series, Texts
from . import columns

__version__: str = _core.version
__all__ = [
    "ALWAYS", "POSITION", "Batch", "Capture", "Error", "Explanation", "Fault", "Format", "Position", "Reader", "Reason",
    "Refusal", "RuleSet", "Stats", "Writer", "any_capture", "bitboards", "board_svg", "boards", "checked", "columns", "create", "explain", "filter",
    "formats", "from_boards", "from_fen", "from_python_chess", "ge", "kernel", "kernels", "legal_moves", "lengths", "maps",
    "moves_from_python_chess", "moves_from_text", "moves_to_python_chess", "moves_to_text", "open", "order",
    "rule_sets", "sample_file", "see", "square_values", "stats", "take", "to_fen", "to_python_chess", "use_kernel", "values",
]



def __dir__() -> list[str]:
    """What is meant to be used."""
    return sorted([*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])


_NOTATIONS = {"uci": 0, "san": 1, "any": 2}


def _offsets(offsets: Any) -> Any:
    if isinstance(offsets, (int, float, str)):
        raise TypeError(f"offsets is {described(offsets)}, expected an array of integers, one more than positions, or None for one "
                        "move a position")
    return None if offsets is None else integers_in(offsets, "q", "offsets")


def _is_number(thing: Any) -> bool:
    """Whether this is one integer, and not an array of them."""
    return hasattr(thing, "__index__") and not getattr(thing, "shape", ())


def _without_offsets(offsets: Any, rules: Any) -> tuple[Any, Any]:
    """(offsets, rules) of a call that leaves the offsets out: values(fens, moves, "swap")."""
    if not isinstance(offsets, str):
        return offsets, rules
    if rules != "legal":
        raise TypeError(f"rules are given twice, as {offsets!r} and {rules!r}")
    return None, offsets


def _with_threshold(offsets: Any, threshold: Any, rules: Any) -> tuple[Any, Any, Any]:
    """(offsets, threshold, rules) of a call that leaves the offsets out: ge(fens, moves, 100, "swap")."""
    if _is_number(offsets):
        offsets, threshold, rules = None, offsets, threshold if isinstance(threshold, str) else rules
    offsets, rules = _without_offsets(offsets, rules)
    return offsets, threshold, rules


def _rows(positions: Any, moves: Any, offsets: Any, check: bool = False) -> tuple[Any, Any, Any]:
    positions, offsets = positions_in(positions, check), _offsets(offsets)
    return positions, offsets, moves_of(positions, offsets, moves)


def _threads(threads: Any) -> int:
    return whole(threads, "threads")


def _threshold(threshold: Any) -> int:
    return whole(threshold, "threshold", -32768, 32767)


def _notation(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise Error(f"notation is {name!r}, expected one of {', '.join(names)}")
    return _NOTATIONS[name]


# ---- Positions and moves ---------------------------------------------------------------------------------------------


def from_fen(fens: Union[Fens, Iterable[Union[str, bytes]]], *, wrong: Literal["keep", "drop", "raise"] = "keep",
             threads: int = 1, progress: Progress = None) -> tuple[NDArray[np.void], list[Fault]]:
    """Read FENs, or EPDs.

    Parameters
    ----------
    fens : str, bytes, or list, array, column or iterable of them
        One text (str, bytes, mmap) has a FEN on each line. Blanks and line ends around a FEN do not matter, so this may be
        an open file. Of a table of Arrow the column `fen` is taken, or `board`, which has the 48 bytes of a position. The
        quickest form is bytes.
    wrong : {"keep", "drop", "raise"}
        What becomes of a text that is no position, or is null: "keep" leaves an empty board in its place, which no other
        function takes; "drop" leaves it out; "raise" raises Error for the first one.
    threads : int
        As in all functions; a column is read by one.
    progress : callable, optional
        Counts bytes of one text, otherwise FENs.

    Returns
    -------
    positions : ndarray of POSITION, shape (n,)
    errors : list of Fault
        A Fault for each text that is wrong, with the index that it has in fens. Of a column these are the first fifty, and
        a last Fault, of index -1, counts the others.

    Raises
    ------
    TypeError
        If fens is something else.
    Error
        With wrong="raise".

    Examples
    --------
    >>> positions, errors = sb.from_fen(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "8/8 w"])
    >>> len(positions), errors[0].index
    (2, 1)
    """
    if wrong not in ("keep", "drop", "raise"):
        raise Error(f"wrong is {wrong!r}, expected keep, drop or raise")
    if is_column(fens):
        block, faults, count = _core.from_column(fens, wrong == "drop", progress)
        if count > len(faults):
            faults.append((-1, f"{count - len(faults)} more texts are wrong"))
    else:
        texts, lines = texts_in(fens)
        read = _core.from_lines if lines else _core.from_texts
        block, faults = readable(read, texts, wrong == "drop", _threads(threads), progress)
    if faults and wrong == "raise":
        raise Error(f"FEN {faults[0][0]}: {faults[0][1]}")
    return out(block), [Fault(*fault) for fault in faults]


@overload
def to_fen(positions: Positions, *, lines: Literal[False] = False, check: bool = True, threads: int = 1,
           progress: Progress = None) -> list[str]: ...
@overload
def to_fen(positions: Positions, *, lines: Literal[True], check: bool = True, threads: int = 1,
           progress: Progress = None) -> bytes: ...
def to_fen(positions: Positions, *, lines: bool = False, check: bool = True, threads: int = 1, progress: Progress = None
           ) -> Union[list[str], bytes]:
    """Write positions as FENs with six fields.

    Parameters
    ----------
    positions
        As in all functions. One Position gives a list of one.
    lines : bool
        True: as bytes with one a line.
    check : bool
        False: positions need not be sound, and their fields are written as they are.
    threads, progress
        As in all functions.

    Returns
    -------
    list of str, or bytes

    Raises
    ------
    Error
        If a position is unsound, as one is that comes from an unreadable FEN.

    Examples
    --------
    >>> sb.to_fen("4k3/8/8/8/8/8/4P3/4K3 w - -")
    ['4k3/8/8/8/8/8/4P3/4K3 w - - 0 1']
    """
    return _core.to_fens(positions_in(positions), lines, check, _threads(threads), progress)


@overload
def checked(positions: Positions, moves: None = None, offsets: None = None, *, threads: int = 1) -> NDArray[np.void]: ...
@overload
def checked(positions: Positions, moves: Moves, offsets: None = None, *, threads: int = 1
            ) -> tuple[NDArray[np.void], NDArray[np.uint16], None]: ...
@overload
def checked(positions: Positions, moves: Moves, offsets: Integers, *, threads: int = 1
            ) -> tuple[NDArray[np.void], NDArray[np.uint16], NDArray[np.int64]]: ...
def checked(positions: Positions, moves: Optional[Moves] = None, offsets: Optional[Integers] = None, *, threads: int = 1
            ) -> Any:
    """Copy arrays so that they are known to be right, and are not checked again.

    Parameters
    ----------
    positions, moves, offsets, threads
        As in all functions.

    Returns
    -------
    positions : ndarray of POSITION, if there are no moves
    (positions, moves, offsets) : otherwise, of which offsets may be None

    Raises
    ------
    Error
        If a position is unsound, or a move not legal; it says which.

    Examples
    --------
    >>> mine = bytearray(sb.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - -")[0])
    >>> known = sb.checked(mine)
    """
    if moves is None:
        return out(_core.checked(positions_in(positions), _threads(threads)))
    known, rows, blocks = _core.checked_rows(*_rows(positions, moves, offsets), _threads(threads))
    return out(known), out(blocks), out(rows)


def take(positions: Positions, which: Union[Integers, Sequence[bool], NDArray[np.bool_], Series]) -> NDArray[np.void]:
    """Take some of the positions, as positions[which] does; they stay known to be right.

    Parameters
    ----------
    positions
        As in all functions.
    which : array of int or bool
        Indices, negative ones from the end; or a flag for each position.

    Returns
    -------
    ndarray of POSITION

    Raises
    ------
    IndexError
        For an index beyond the positions, and for another number of flags.

    Examples
    --------
    >>> fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]
    >>> sb.to_fen(sb.take(fens, [-1]))
    ['4k3/8/8/8/8/8/4P3/4K3 b - - 0 1']
    >>> len(sb.take(fens, [False, False]))
    0
    """
    array = positions_in(positions)
    return out(_core.take(array, indices_in(which, memoryview(array).nbytes // SIZE)))


def legal_moves(positions: Positions, which: Literal["all", "captures"] = "all", *, threads: int = 1,
                progress: Progress = None) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """List the legal moves of all positions, or those that capture.

    Parameters
    ----------
    positions, threads, progress
        As in all functions.
    which : {"all", "captures"}

    Returns
    -------
    moves : ndarray of uint16, shape (m,)
    offsets : ndarray of int64, shape (n + 1,)
        Position i has the moves[offsets[i]:offsets[i + 1]].

    Raises
    ------
    Error
        If a position is unsound; it says which.

    Examples
    --------
    >>> moves, offsets = sb.legal_moves("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "captures")
    >>> moves.tolist(), offsets.tolist()
    ([2308], [0, 1])
    """
    if which not in ("all", "captures"):
        raise Error(f"which is {which!r}, expected all or captures")
    offsets, moves = _core.legal_moves(positions_in(positions), which == "captures", _threads(threads), progress)
    return out(moves), out(offsets)


def moves_from_text(positions: Positions, texts: Union[Texts, Iterable[Union[str, bytes]]], offsets: Optional[Integers] = None, *,
                    notation: Literal["any", "uci", "san"] = "any", threads: int = 1, progress: Progress = None
                    ) -> tuple[NDArray[np.uint16], list[Fault]]:
    """Read moves, which have to be legal.

    Parameters
    ----------
    positions, threads, progress
        As in all functions.
    texts : str, or list, array, column or iterable of str or bytes
        One for each position, or as many as offsets say.
    offsets : array of int, optional
        Position i has the texts[offsets[i]:offsets[i + 1]].
    notation : {"any", "uci", "san"}

    Returns
    -------
    moves : ndarray of uint16
        One for each text, 0 where it is wrong.
    errors : list of Fault
        One for each text that is wrong, or null.

    Raises
    ------
    Error
        If a position is unsound, or there is another number of texts.

    Examples
    --------
    >>> moves, errors = sb.moves_from_text("4k3/8/8/8/8/8/4P3/4K3 w - -", ["e2e4"])
    >>> moves.tolist(), errors
    ([1804], [])
    """
    number = _notation(notation, ("any", "uci", "san"))
    nulls: list[Fault] = []
    given: Any = texts
    if is_column(given):
        given, nulls = move_texts_in(given)
    elif isinstance(given, (str, bytes)):
        given = [given]
    elif not hasattr(given, "__iter__") or hasattr(given, "keys"):
        refuse_keys(given, "texts", "moves")
        raise TypeError(f"texts is {described(given)}, expected moves as text: one, a list or a column")
    array, rows = positions_in(positions), _offsets(offsets)
    block, faults = readable(lambda read: _core.moves_from_text(array, rows, read, number, _threads(threads), progress),
                             given if isinstance(given, (list, tuple)) else list(given))
    found = {index: Fault(index, sentence) for index, sentence in (*faults, *nulls)}
    return out(block), [found[index] for index in sorted(found)]


def moves_to_text(positions: Positions, moves: Moves, offsets: Optional[Integers] = None,
                  notation: Literal["uci", "san"] = "uci", *, threads: int = 1, progress: Progress = None) -> list[str]:
    """Write legal moves as text.

    Parameters
    ----------
    positions, moves, offsets, threads, progress
        As in all functions.
    notation : {"uci", "san"}

    Returns
    -------
    list of str

    Raises
    ------
    Error
        If a position is unsound, or a move not legal; it says which.

    Examples
    --------
    >>> sb.moves_to_text("4k3/8/8/8/8/8/4P3/4K3 w - -", [1804], notation="san")
    ['e4']
    """
    number = _notation(notation, ("uci", "san"))
    return _core.moves_to_text(*_rows(positions, moves, offsets), number, _threads(threads), progress)


# ---- Features --------------------------------------------------------------------------------------------------------


def boards(positions: Positions) -> NDArray[np.uint8]:
    """List the piece on each square, for networks.

    Parameters
    ----------
    positions
        As in all functions; they need not be sound.

    Returns
    -------
    ndarray of uint8, shape (n, 64)
        From a1, b1 on to h8. A piece is 6 * color + type: 0 to 5 are White's pawn, knight, bishop, rook, queen and king, 6 to
        11 Black's, and 12 is an empty square. from_boards() is the inverse. Without NumPy a memoryview of these two
        dimensions.

    Examples
    --------
    >>> sb.boards("4k3/8/8/8/8/8/4P3/4K3 w - -").tolist()[0][:8]
    [12, 12, 12, 12, 5, 12, 12, 12]
    """
    return out(_core.squares(positions_in(positions)))


def bitboards(positions: Positions) -> NDArray[np.uint64]:
    """List the squares of each kind of piece, as sets of bits.

    Parameters
    ----------
    positions
        As in all functions; they need not be sound.

    Returns
    -------
    ndarray of uint64, shape (n, 2, 6)
        By color (0 White, 1 Black) and type (0 pawn to 5 king). Bit 0 is a1, bit 63 is h8. Reshaped to (n, 12) the index is
        the piece of boards().

    Examples
    --------
    >>> hex(sb.bitboards("4k3/8/8/8/8/8/4P3/4K3 w - -").tolist()[0][1][5])
    '0x1000000000000000'
    """
    return out(_core.bitboards(positions_in(positions)))


def from_boards(boards: Union[Integers, Sequence[Sequence[int]]], stm: Union[int, Integers] = 0,
                castling_rook: Optional[Any] = None, ep_square: Optional[Integers] = None, shredder: Optional[Integers] = None,
                halfmove_clock: Optional[Integers] = None, fullmove_number: Optional[Integers] = None) -> NDArray[np.void]:
    """Make positions of boards as boards() gives them, or of bitboards as bitboards() does.

    Parameters
    ----------
    boards : array of int, shape (n, 64), or of uint64, shape (n, 2, 6)
    stm : int, or array of shape (n,)
        The side to move, 0 White or 1 Black, of all or of each.
    castling_rook : array of int, shape (n, 2, 2), optional
        The squares of the rooks that may castle, 64 for none. None: no castling.
    ep_square : array of int, shape (n,), optional
        The square behind a pawn that has made a double step, 64 for none. None: no en passant.
    shredder : array of int, shape (n,), optional
        1 where a FEN names castling rooks by their files.
    halfmove_clock, fullmove_number : array of int, shape (n,), optional
        None: 0 and 1.

    Returns
    -------
    ndarray of POSITION, shape (n,)

    Raises
    ------
    Error
        If a position is unsound; it says which.

    Notes
    -----
    The fields of positions are these arguments, so that the inverse of boards() is

        from_boards(boards(pos), *(pos[name] for name in ("stm", "castling_rook", "ep_square", "shredder",
                                                          "halfmove_clock", "fullmove_number")))

    Examples
    --------
    >>> sb.to_fen(sb.from_boards(sb.boards("4k3/8/8/8/8/8/4P3/4K3 w - -"), stm=1))
    ['4k3/8/8/8/8/8/4P3/4K3 b - - 0 1']
    """
    flat, are_bitboards = _pieces(boards)
    n = memoryview(flat).nbytes // (96 if are_bitboards else 64)
    if isinstance(stm, bool):
        raise TypeError("stm is a boolean, expected 0 for White or 1 for Black")
    sides = bytes([whole(stm, "stm", 0, 1)]) * n if _is_number(stm) else stm
    fields = (sides, castling_rook, ep_square, shredder, halfmove_clock, fullmove_number)
    return out(_core.from_squares(flat, are_bitboards, *(None if field is None else _flat(field, code, name) for field, code, name in zip(
        fields, "BBBBHH", ("stm", "castling_rook", "ep_square", "shredder", "halfmove_clock", "fullmove_number")))))


def _pieces(boards: Any) -> tuple[Any, bool]:
    """What the extension takes as boards, and whether these are bitboards. Without NumPy, a list is one of numbers."""
    boards = array_of(memoryview(boards) if isinstance(boards, (bytes, bytearray)) else boards, "boards")
    shape = tuple(getattr(boards, "shape", ()))
    if shape[-2:] == (2, 6):
        return _flat(boards, "Q", "boards"), True
    if shape and shape[-1] != 64 and shape[-2:] != (8, 8) and (len(shape) > 1 or shape[0] % 64):
        raise TypeError(f"boards have the shape {shape}, expected (n, 64), the piece on each square, or (n, 2, 6), the bitboards")
    return _flat(boards, "B", "boards"), False


def _flat(numbers: Any, code: str, what: str) -> Any:
    """Numbers of any shape in one dimension."""
    if hasattr(numbers, "ravel"):
        numbers = numbers.ravel()
    numbers = integers_in(numbers, code, what, 3)
    return memoryview(numbers).cast("B") if memoryview(numbers).nbytes else b""


# ---- Exchanges -------------------------------------------------------------------------------------------------------


@overload
def values(positions: Positions, moves: Moves, offsets: Optional[Integers] = None, rules: Rules = "legal",
           piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
           ) -> NDArray[np.int16]: ...
@overload
def values(positions: Positions, moves: Moves, rules: Rules, /, *, piece_values: PieceValues = None, check: bool = True,
           threads: int = 1, progress: Progress = None) -> NDArray[np.int16]: ...
def values(positions: Positions, moves: Moves, offsets: Any = None, rules: Rules = "legal",
           piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
           ) -> NDArray[np.int16]:
    """Evaluate the exchange that each move begins.

    Parameters
    ----------
    positions
        As in all functions. Of those that the library did not make a board is enough.
    moves
        Legal for the side that moves.
    offsets : array of int64, shape (n + 1,), optional
        Position i has the moves[offsets[i]:offsets[i + 1]]. None: one move for each position. It can be left out before
        the rules: values(fens, moves, "swap").
    rules, piece_values, check, threads, progress
        As in all functions.

    Returns
    -------
    ndarray of int16
        Dense from the first: that of moves[k] is result[k - offsets[0]].

    Raises
    ------
    Error
        If a position is unreadable or wrong, a move not legal, or there are no such rules.
    TypeError
        If an argument is of another type.

    Examples
    --------
    >>> sb.values(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"], ["Rxe5"]).tolist()
    [100]
    """
    offsets, rules = _without_offsets(offsets, rules)
    return out(_core.values(*_rows(positions, moves, offsets, check), rules, piece_values, _threads(threads), progress))


@overload
def ge(positions: Positions, moves: Moves, offsets: Optional[Integers] = None, threshold: Union[int, Integers] = 0,
       rules: Rules = "legal", piece_values: PieceValues = None, *, check: bool = True, threads: int = 1,
       progress: Progress = None) -> NDArray[np.bool_]: ...
@overload
def ge(positions: Positions, moves: Moves, threshold: int, rules: Rules = "legal", /, *, piece_values: PieceValues = None,
       check: bool = True, threads: int = 1, progress: Progress = None) -> NDArray[np.bool_]: ...
def ge(positions: Positions, moves: Moves, offsets: Any = None, threshold: Any = 0, rules: Rules = "legal",
       piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
       ) -> NDArray[np.bool_]:
    """Ask whether each move reaches a threshold. It is faster than values().

    Parameters
    ----------
    positions, moves, offsets
        As in values(). Offsets can be left out before one threshold: ge(fens, moves, 100).
    threshold : int, or array of int16 of the shape of moves
        -32768 to 32767.
    rules, piece_values, check, threads, progress
        As in all functions.

    Returns
    -------
    ndarray of bool
        Dense from the first, as in values().

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> sb.ge("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "Rxe5", 100).tolist()
    [True]
    """
    offsets, threshold, rules = _with_threshold(offsets, threshold, rules)
    return out(_core.ge(*_rows(positions, moves, offsets, check), threshold_in(threshold), rules, piece_values,
                        _threads(threads), progress))


@overload
def lengths(positions: Positions, moves: Moves, offsets: Optional[Integers] = None, rules: Rules = "legal",
            piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
            ) -> NDArray[np.uint8]: ...
@overload
def lengths(positions: Positions, moves: Moves, rules: Rules, /, *, piece_values: PieceValues = None, check: bool = True,
            threads: int = 1, progress: Progress = None) -> NDArray[np.uint8]: ...
def lengths(positions: Positions, moves: Moves, offsets: Any = None, rules: Rules = "legal",
            piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
            ) -> NDArray[np.uint8]:
    """Count the captures of the exchange that each move begins, if no side stops early.

    Parameters
    ----------
    positions, moves, offsets
        As in values().
    rules, piece_values, check, threads, progress
        As in all functions.

    Returns
    -------
    ndarray of uint8
        Dense from the first, as in values().

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> sb.lengths("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "Nxe5", "swap").tolist()
    [6]
    """
    offsets, rules = _without_offsets(offsets, rules)
    return out(_core.lengths(*_rows(positions, moves, offsets, check), rules, piece_values, _threads(threads), progress))


@overload
def order(positions: Positions, moves: Moves, offsets: Optional[Integers] = None, threshold: int = 0,
          rules: Rules = "legal", piece_values: PieceValues = None, *, check: bool = True, threads: int = 1,
          progress: Progress = None) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]: ...
@overload
def order(positions: Positions, moves: Moves, threshold: int, rules: Rules = "legal", /, *,
          piece_values: PieceValues = None, check: bool = True, threads: int = 1, progress: Progress = None
          ) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]: ...
def order(positions: Positions, moves: Moves, offsets: Any = None, threshold: Any = 0, rules: Rules = "legal",
          piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
          ) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]:
    """Sort the moves of each position, best first: by value, then most valuable victim, then least valuable attacker.

    Parameters
    ----------
    positions, moves, offsets
        As in values(); at most 704 moves for each position.
    threshold : int
        -32768 to 32767.
    rules, piece_values, check, threads, progress
        As in all functions; progress counts positions.

    Returns
    -------
    moves : ndarray of uint16
        Dense from the first.
    values : ndarray of int16
        Of these moves.
    good : ndarray of int64, shape (n,)
        So many moves of a position reach the threshold, and stand first.

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> fen = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"
    >>> moves, values, good = sb.order(fen, *sb.legal_moves(fen, "captures"), threshold=50)
    >>> sb.moves_to_text(fen, moves), values.tolist(), good.tolist()
    (['e1e5'], [100], [1])
    """
    offsets, threshold, rules = _with_threshold(offsets, threshold, rules)
    blocks = _core.order(*_rows(positions, moves, offsets, check), _threshold(threshold), rules, piece_values,
                         _threads(threads), progress)
    return out(blocks[0]), out(blocks[1]), out(blocks[2])


def any_capture(positions: Positions, threshold: int = 0, rules: Rules = "legal", piece_values: PieceValues = None, *,
                check: bool = True, threads: int = 1, progress: Progress = None) -> NDArray[np.bool_]:
    """Ask whether each position has a legal capture that reaches a threshold.

    Parameters
    ----------
    positions, rules, piece_values, check, threads, progress
        As in all functions.
    threshold : int
        -32768 to 32767.

    Returns
    -------
    ndarray of bool, shape (n,)

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> sb.any_capture("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", 101).tolist()
    [False]
    """
    return out(_core.any_capture(positions_in(positions, check), _threshold(threshold), rules, piece_values,
                                 _threads(threads), progress))


def maps(positions: Positions, rules: Rules = "legal", piece_values: PieceValues = None, *, check: bool = True,
         threads: int = 1, progress: Progress = None) -> NDArray[np.int16]:
    """Find what hangs.

    Parameters
    ----------
    positions, rules, piece_values, check, threads, progress
        As in all functions.

    Returns
    -------
    ndarray of int16, shape (n, 2, 64)
        [i, side, square] is what side (0 White, 1 Black) wins on the square if it is its turn, 0 if nothing. Without NumPy
        a memoryview of these three dimensions.

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> white, black = sb.maps("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -").tolist()[0]
    >>> white[36], sum(black)  # on e5
    (100, 0)
    """
    return out(_core.maps(positions_in(positions, check), rules, piece_values, _threads(threads), progress))


def square_values(positions: Positions, squares: Integers, colors: Integers, rules: Rules = "legal",
                  piece_values: PieceValues = None, *, check: bool = True, threads: int = 1, progress: Progress = None
                  ) -> NDArray[np.int16]:
    """Evaluate one square of each position.

    Parameters
    ----------
    positions, rules, piece_values, check, threads, progress
        As in all functions.
    squares : array of uint8, shape (n,)
        0 to 63.
    colors : array of uint8, shape (n,)
        0 White or 1 Black; booleans are refused, because chess.WHITE is True.

    Returns
    -------
    ndarray of int16, shape (n,)
        What colors[i] wins on squares[i] of positions[i] if it is its turn.

    Raises
    ------
    Error, TypeError
        As values() does.

    Examples
    --------
    >>> sb.square_values("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", [36], [0]).tolist()
    [100]
    """
    arrays = positions_in(positions, check), integers_in(squares, "B", "squares"), integers_in(colors, "B", "colors")
    return out(_core.square_values(*arrays, rules, piece_values, _threads(threads), progress))


def filter(positions: Union[Positions, Batch], keep: Union[str, Iterable[str]] = (), drop: Union[str, Iterable[str]] = (), *,
           moves: Optional[Moves] = None, scores: Optional[Integers] = None, results: Any = None,
           plies: Optional[Integers] = None, has: Any = None, rules: Rules = "legal", piece_values: PieceValues = None,
           file: Optional[Path] = None, progress: Progress = None) -> NDArray[np.bool_]:
    """Ask which records meet conditions: all of keep, and none of drop.

    Parameters
    ----------
    positions
        As in all functions; or a Batch of a file, which brings moves, scores, results, plies and has.
    keep, drop : str or list of str
        Conditions, as `seebatch filter` takes them: "in-check", "(quiet and abs(score) < 1000) or ply >= 100".
    moves : array of uint16, or texts, shape (n,), optional
    scores, plies : array of int32, shape (n,), optional
    results : array of float32, shape (n,), optional
        1 White won, 0.5 draw, 0 Black won.
    has : array of uint8, shape (n,), optional
        What each record has: 1 move + 2 score + 4 result + 8 ply. None: all.
    file : path, optional
        The name of the file that they come from, for the condition `file`. open() takes conditions, too.
    rules, piece_values, progress
        As in all functions.

    Returns
    -------
    ndarray of bool, shape (n,)

    Raises
    ------
    Error
        If a condition is wrong; the message shows the place. If it is about a column that is missing.

    Warns
    -----
    UserWarning
        If a condition can never hold, or always holds.

    Examples
    --------
    >>> sb.filter(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"], keep="quiet").tolist()
    [False]
    """
    given: Any = positions
    if isinstance(given, Batch):
        if any(column is not None for column in (moves, scores, results, plies, has)):
            raise Error("a Batch brings its own moves, scores, results, plies and has, expected none of them besides it")
        given, moves, scores, results, plies, has = given
    arrays = columns_in(given, moves, scores, results, plies, has)
    return out(_core.conditions(*arrays, *texts_of(keep, drop), rules, piece_values, path_of(file), progress))
