"""seebatch: static exchange evaluation (SEE) in chess, in bulk: arrays in, arrays out.

    seebatch.values(fens, moves)                                # the value of one move for each position
    moves, off = seebatch.legal_moves(fens, "captures")         # or of many
    seebatch.values(fens, moves, off, rules="stockfish")

positions    an array of records of 48 bytes, dtype POSITION, as from_fen() makes it; or FENs: one, a list, an array of str or
             a column; or a Position, a board of python-chess, or a list of these
moves        an array of uint16: from-square, to-square << 6, promotion << 12 (knight 1 to queen 4), with a1 = 0, b1 = 1,
             ..., h8 = 63; or texts in UCI notation or SAN, in a list, an array of str or a column; or moves of python-chess
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
with that copy instead, as long as 128 MiB hold the copies; checked() makes arrays that are known for good.

In every function:

rules         the name of a rule set, one of rule_sets() (RuleSet for type checkers), or with fields after it
piece_values  of pawn, knight, bishop, rook and queen, each 0 to 3000; None: 100, 325, 325, 500, 1000
threads       that share the work; 0: one for each processor
progress      called with (done, total), some twenty times a second; what it raises ends the call, as Ctrl-C does

Other threads of Python run meanwhile. What is wrong raises Error, a ValueError, with the library's sentence.
"""
from __future__ import annotations

import re as _re
from typing import TYPE_CHECKING, Any, Iterable, Literal, Sequence, Union, overload

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

from ._arrays import (POSITION, SIZE, Fault, Progress, Rules, RuleSet, Values, columns_in, indices_in, integers_in,
                      is_column, move_texts_in, moves_of, out, positions_in, readable, texts_in, threshold_in, whole)
from ._chess import from_python_chess, moves_from_python_chess, moves_to_python_chess, to_python_chess
from ._core import ALWAYS, Error, Position, kernel, kernels, rule_sets, see, use_kernel
from ._explain import Capture, Explanation, Reason, Refusal, explain
from ._files import Batch, Format, Path, Reader, Writer, create, formats, open, path_of, texts_of
from ._stats import Stats, stats
from ._svg import board_svg
from . import columns

__version__: str = _core.version
__all__ = [
    "ALWAYS", "POSITION", "Batch", "Capture", "Error", "Explanation", "Fault", "Format", "Position", "Reader", "Reason",
    "Refusal", "RuleSet", "Stats", "Writer", "any_capture", "bitboards", "board_svg", "boards", "checked", "columns", "create", "explain", "filter",
    "formats", "from_boards", "from_fen", "from_python_chess", "ge", "kernel", "kernels", "legal_moves", "lengths", "maps",
    "moves_from_python_chess", "moves_from_text", "moves_to_python_chess", "moves_to_text", "open", "order",
    "rule_sets", "see", "square_values", "stats", "take", "to_fen", "to_python_chess", "use_kernel", "values",
]



def __dir__() -> list[str]:
    """What is meant to be used."""
    return sorted([*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])


_NOTATIONS = {"uci": 0, "san": 1, "any": 2}


def _offsets(offsets: Any) -> Any:
    return None if offsets is None else integers_in(offsets, "q", "offsets")


def _rows(positions: Any, moves: Any, offsets: Any) -> tuple[Any, Any, Any]:
    positions, offsets = positions_in(positions), _offsets(offsets)
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


def from_fen(fens: Union[str, bytes, Iterable[Union[str, bytes]]], *,
             wrong: Literal["keep", "drop", "raise"] = "keep", threads: int = 1, progress: Progress = None
             ) -> tuple[NDArray[np.void], list[Fault]]:
    """Reads FENs, or EPDs: a list or an array of str or bytes, or one text (str, bytes, mmap) with one a line.

    Returns (positions, errors): positions of shape (n,), dtype POSITION, and a Fault for each text that is wrong, with
    the index that it has in fens. wrong says what becomes of it: "keep" leaves an empty board in its place, which no
    other function takes; "drop" leaves it out; "raise" raises Error for the first one. Blanks and
    line ends around a FEN do not matter, so fens may be an open file.

    A column of Arrow is a list, too: any object with __arrow_c_stream__ or __arrow_c_array__, such as those of pyarrow,
    Polars and pandas. A null is wrong. Of a table the column `fen` is taken, or `board`, which has the 48 bytes of a
    position. errors has the first fifty of a column, and a last Fault, of index -1, that counts the others. It is read by
    one thread. seebatch.columns evaluates columns.

    The quickest form is bytes. progress counts bytes of a text, otherwise FENs.
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
def to_fen(positions: Any, *, lines: Literal[False] = False, threads: int = 1, progress: Progress = None
           ) -> list[str]: ...
@overload
def to_fen(positions: Any, *, lines: Literal[True], threads: int = 1, progress: Progress = None) -> bytes: ...
def to_fen(positions: Any, *, lines: bool = False, threads: int = 1, progress: Progress = None
           ) -> Union[list[str], bytes]:
    """The positions as FENs with six fields: a list of str; with lines=True bytes with one a line.

    Positions of an array need not be sound. One Position gives a list of one.
    """
    return _core.to_fens(positions_in(positions), lines, _threads(threads), progress)


def checked(positions: Any, moves: Any = None, offsets: Any = None, *, threads: int = 1) -> Any:
    """A copy that is known to be right, and so is not checked again: positions, or (positions, moves, offsets).

    positions: as everywhere, or bytes of records of 48. The result has the order of the arguments: positions, moves, offsets.
    Raises Error if a position is unsound, or a move not legal, and says which.
    """
    if moves is None:
        return out(_core.checked(positions_in(positions), _threads(threads)))
    known, rows, blocks = _core.checked_rows(*_rows(positions, moves, offsets), _threads(threads))
    return out(known), out(blocks), out(rows)


def take(positions: Any, which: Any) -> NDArray[np.void]:
    """The positions that which names, as positions[which] gives them, but known to be right if these were.

    which: indices (integers, from 0) or a flag a position. Raises IndexError beyond the last position, and for another
    number of flags.
    """
    array = positions_in(positions)
    return out(_core.take(array, indices_in(which, memoryview(array).nbytes // SIZE)))


def legal_moves(positions: Any, which: Literal["all", "captures"] = "all", *, threads: int = 1,
                progress: Progress = None) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The legal moves of all positions, which="all", or those that capture, "captures".

    Returns (moves, offsets): uint16 of shape (m,), and int64 of shape (n + 1,); position i has the
    moves[offsets[i]:offsets[i + 1]].
    """
    if which not in ("all", "captures"):
        raise Error(f"which is {which!r}, expected all or captures")
    offsets, moves = _core.legal_moves(positions_in(positions), which == "captures", _threads(threads), progress)
    return out(moves), out(offsets)


def moves_from_text(positions: Any, texts: Iterable[Union[str, bytes]], offsets: Any = None, *,
                    notation: Literal["any", "uci", "san"] = "any", threads: int = 1, progress: Progress = None
                    ) -> tuple[NDArray[np.uint16], list[Fault]]:
    """Reads moves, which have to be legal: one a position, or as many as offsets say. notation: "uci", "san" or "any".

    Returns (moves, errors): uint16, one a text, 0 where it is wrong; and a Fault for each that is. texts may be a column;
    a null is wrong.
    """
    number = _notation(notation, ("any", "uci", "san"))
    nulls: list[Fault] = []
    if is_column(texts):
        texts, nulls = move_texts_in(texts)
    elif isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise TypeError(f"texts are of {type(texts)}, expected a list or a column of moves")
    array, rows = positions_in(positions), _offsets(offsets)
    block, faults = readable(lambda given: _core.moves_from_text(array, rows, given, number, _threads(threads), progress),
                             texts if isinstance(texts, (list, tuple)) else list(texts))
    found = {index: Fault(index, sentence) for index, sentence in (*faults, *nulls)}
    return out(block), [found[index] for index in sorted(found)]


def moves_to_text(positions: Any, moves: Any, offsets: Any = None, notation: Literal["uci", "san"] = "uci", *,
                  threads: int = 1, progress: Progress = None) -> list[str]:
    """The legal moves of positions, "uci" or "san", as a list of str. offsets None: one move for each position."""
    number = _notation(notation, ("uci", "san"))
    return _core.moves_to_text(*_rows(positions, moves, offsets), number, _threads(threads), progress)


# ---- Features --------------------------------------------------------------------------------------------------------


def boards(positions: Any) -> NDArray[np.uint8]:
    """The piece on each square, for networks: uint8 of shape (n, 64), from a1, b1 on to h8.

    A piece is 6 * color + type: 0 to 5 are White's pawn, knight, bishop, rook, queen and king, 6 to 11 Black's, and 12 is an
    empty square. from_boards() is the inverse. Without NumPy a memoryview of these two dimensions.
    """
    return out(_core.squares(positions_in(positions)))


def bitboards(positions: Any) -> NDArray[np.uint64]:
    """The squares of each kind of piece: uint64 of shape (n, 2, 6), by color (0 White, 1 Black) and type (0 pawn to 5 king).
    Bit 0 is a1, bit 63 is h8. Reshaped to (n, 12) the index is the piece of boards()."""
    return out(_core.bitboards(positions_in(positions)))


def from_boards(boards: Any, stm: Any = 0, castling_rook: Any = None, ep_square: Any = None, shredder: Any = None,
                halfmove_clock: Any = None, fullmove_number: Any = None) -> NDArray[np.void]:
    """Positions of boards as boards() gives them: shape (n,), dtype POSITION. The inverse is

        from_boards(boards(pos), *(pos[name] for name in ("stm", "castling_rook", "ep_square", "shredder",
                                                          "halfmove_clock", "fullmove_number")))

    stm: the side to move, 0 White or 1 Black, of all or of each. The others are fields of POSITION, one for each board: the
    squares of the rooks that may castle, shape (n, 2, 2), 64 for none; the square behind a pawn that has made a double step,
    64 for none; 1 where a FEN names castling rooks by their files; the clocks. None: no castling, no en passant, 0 and 1.
    Raises Error if a position is unsound, and says which.
    """
    flat = _flat(boards, "B", "boards")
    n = memoryview(flat).nbytes // 64
    if isinstance(stm, bool):
        raise TypeError("stm is a boolean, expected 0 for White or 1 for Black")
    sides = bytes([whole(stm, "stm", 0, 1)]) * n if hasattr(stm, "__index__") and not getattr(stm, "shape", ()) else stm
    fields = (sides, castling_rook, ep_square, shredder, halfmove_clock, fullmove_number)
    return out(_core.from_squares(flat, *(None if field is None else _flat(field, code, name) for field, code, name in zip(
        fields, "BBBBHH", ("stm", "castling_rook", "ep_square", "shredder", "halfmove_clock", "fullmove_number")))))


def _flat(numbers: Any, code: str, what: str) -> Any:
    """Numbers of any shape in one dimension."""
    numbers = integers_in(numbers, code, what)
    return memoryview(numbers).cast("B") if memoryview(numbers).nbytes else b""


# ---- Exchanges -------------------------------------------------------------------------------------------------------


def values(positions: Any, moves: Any, offsets: Any = None, rules: Rules = "legal", piece_values: Values = None, *, threads: int = 1,
           progress: Progress = None) -> NDArray[np.int16]:
    """The value of each move: int16, dense from the first: that of moves[k] is result[k - offsets[0]].

    values(fens, moves) is the shortest form, with one move for each position. Of positions that the library did not make a
    board is enough; moves have to be legal for the side that moves.
    """
    return out(_core.values(*_rows(positions, moves, offsets), rules, piece_values, _threads(threads), progress))


def ge(positions: Any, moves: Any, offsets: Any = None, threshold: Any = 0, rules: Rules = "legal", piece_values: Values = None, *,
       threads: int = 1, progress: Progress = None) -> NDArray[np.bool_]:
    """Whether each move reaches the threshold: bool, otherwise as values(), and faster.

    threshold: one for all, or int16 of the shape of moves; -32768 to 32767.
    """
    threshold = threshold_in(threshold)
    return out(_core.ge(*_rows(positions, moves, offsets), threshold, rules, piece_values, _threads(threads), progress))


def lengths(positions: Any, moves: Any, offsets: Any = None, rules: Rules = "legal", piece_values: Values = None, *,
            threads: int = 1, progress: Progress = None) -> NDArray[np.uint8]:
    """How many captures the exchange has that each move begins, if no side stops early: uint8, otherwise as values()."""
    return out(_core.lengths(*_rows(positions, moves, offsets), rules, piece_values, _threads(threads), progress))


def order(positions: Any, moves: Any, offsets: Any = None, threshold: int = 0, rules: Rules = "legal", piece_values: Values = None,
          *, threads: int = 1, progress: Progress = None
          ) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]:
    """The moves of each position sorted, best first: by value, then most valuable victim, then least valuable attacker.

    Returns (moves, values, good): uint16 and int16, dense from the first, and int64 of shape (n,): so many moves of a
    position reach the threshold, and stand first. progress counts positions. At most 704 moves a position.
    """
    blocks = _core.order(*_rows(positions, moves, offsets), _threshold(threshold), rules, piece_values, _threads(threads), progress)
    return out(blocks[0]), out(blocks[1]), out(blocks[2])


def any_capture(positions: Any, threshold: int = 0, rules: Rules = "legal", piece_values: Values = None, *, threads: int = 1,
                progress: Progress = None) -> NDArray[np.bool_]:
    """Whether each position has a legal capture that reaches the threshold: bool of shape (n,)."""
    return out(_core.any_capture(positions_in(positions), _threshold(threshold), rules, piece_values, _threads(threads), progress))


def maps(positions: Any, rules: Rules = "legal", piece_values: Values = None, *, threads: int = 1,
         progress: Progress = None) -> NDArray[np.int16]:
    """What hangs: int16 of shape (n, 2, 64): [i, side, square] is what side (0 White, 1 Black) wins on the square if it
    is its turn, 0 if nothing. Without NumPy a memoryview of these three dimensions."""
    return out(_core.maps(positions_in(positions), rules, piece_values, _threads(threads), progress))


def square_values(positions: Any, squares: Any, colors: Any, rules: Rules = "legal", piece_values: Values = None, *,
                  threads: int = 1, progress: Progress = None) -> NDArray[np.int16]:
    """One square a position: what colors[i] wins on squares[i] of positions[i]: int16 of shape (n,).

    squares: uint8, 0 to 63. colors: uint8, 0 White or 1 Black; booleans are refused, because chess.WHITE is True.
    """
    arrays = positions_in(positions), integers_in(squares, "B", "squares"), integers_in(colors, "B", "colors")
    return out(_core.square_values(*arrays, rules, piece_values, _threads(threads), progress))


def filter(positions: Any, keep: Iterable[str] = (), drop: Iterable[str] = (), *, moves: Any = None,
           scores: Any = None, results: Any = None, plies: Any = None, has: Any = None, rules: Rules = "legal",
           piece_values: Values = None, file: Optional[Path] = None, progress: Progress = None) -> NDArray[np.bool_]:
    """Which records meet conditions: all of keep, and none of drop. bool of shape (n,).

    positions: as in the module's description, or a Batch of a file, which brings moves, scores, results, plies and has.
    keep, drop: as `seebatch filter` takes them: "in-check", "(quiet and abs(score) < 1000) or ply >= 100". A str is one.
    The message of an Error shows the place of a mistake; a condition that can never hold, or always holds, is a UserWarning.
    moves, scores, results, plies: uint16 or texts, int32, float32 (1 White won, 0.5 draw, 0 Black won), int32 of shape (n,).
    A condition that is about one of them raises Error if it is missing. has: uint8, what each record has: 1 move + 2 score + 4 result + 8 ply; None: all.
    file: the name of the file that they come from, for the condition `file`. open() takes conditions, too.
    """
    if isinstance(positions, Batch):
        if any(column is not None for column in (moves, scores, results, plies, has)):
            raise Error("a Batch brings its own moves, scores, results, plies and has, expected none of them besides it")
        positions, moves, scores, results, plies, has = positions
    arrays = columns_in(positions, moves, scores, results, plies, has)
    return out(_core.conditions(*arrays, *texts_of(keep, drop), rules, piece_values, path_of(file), progress))
