"""Columns in, columns out: what FENs and moves are worth, for everything that speaks Arrow.

    from seebatch import columns
    worth = pyarrow.array(columns.see(table["fen"], table["move"], rules="stockfish"))
    frame.with_columns(polars.Series("best", columns.best_capture(frame["fen"])))

A column that comes in is any object with __arrow_c_stream__ or __arrow_c_array__: of pyarrow, Polars, pandas, DuckDB and
others; or a list of str, bytes and None. Of a table the column `fen` or `move` is taken, or the only one. FENs are
strings of any kind, dictionaries among them. In their place there may be boards, as open(text=False) gives them: fixed-size
binary of 48 bytes, or binary in a column named `board`, of a table too. Moves are strings (UCI or SAN), or numbers as in
seebatch; or Arrow's lists of them, one of each FEN.

A result is a Column of as many rows, which all of these take, too. Null in, null out. What is wrong is null, and stands in
`errors`; with wrong="raise" the first one raises Error. A column of another type, or a damaged one, raises Error.

rules, values, threads and progress are as in seebatch; progress is called with (rows so far, that number and one more).
No package is imported for any of this.
"""
from __future__ import annotations

from typing import Any

from . import _core
from ._arrays import Fault, Progress, Rules, Values

__all__ = ["Column", "annotate", "best_capture", "captures", "hanging", "maps", "moves", "see"]


class Column:
    """A column that was computed: __arrow_c_array__ gives it as often as wanted, and it is not copied.

    errors: a Fault for each of the first fifty rows that are wrong. wrong: how many there are.
    """

    def __init__(self, column: Any, wrong: int, errors: list[Fault]):
        self._column, self.wrong, self.errors = column, wrong, errors

    def __len__(self) -> int:
        return len(self._column)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Capsules with the schema and the array."""
        return self._column.array()

    def __arrow_c_schema__(self) -> Any:
        """A capsule with the schema."""
        return self._column.schema()


def _compute(what: int, fens: Any, moves: Any, rules: Rules, values: Values, wrong: str, threads: int,
             progress: Progress) -> Column:
    if wrong not in ("null", "raise"):
        raise _core.Error(f"wrong is {wrong!r}, expected null or raise")
    column, number, rows = _core.column(what, fens, moves, rules, values, threads, progress)
    errors = [Fault(*row) for row in sorted(rows)]
    if errors and wrong == "raise":
        raise _core.Error(f"row {errors[0][0]}: {errors[0][1]}")
    return Column(column, number, errors)


def see(fens: Any, moves: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
        progress: Progress = None) -> Column:
    """The value of each move in its position: int16. Of a list of moves a list of as many, in which null stands for a move
    that is null or wrong."""
    return _compute(0, fens, moves, rules, values, wrong, threads, progress)


def best_capture(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
                 progress: Progress = None) -> Column:
    """The legal capture with the highest value: a struct of move (UCI notation) and value (int16), which is a table, too.
    Both are null where there is none. Of several with that value it is the first that legal_moves() finds."""
    return _compute(1, fens, None, rules, values, wrong, threads, progress)


def captures(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
             progress: Progress = None) -> Column:
    """All legal captures, best first, as order() sorts them: a list of structs of move and value."""
    return _compute(2, fens, None, rules, values, wrong, threads, progress)


def hanging(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
            progress: Progress = None) -> Column:
    """The squares of pieces, of both sides, that the other side wins something for if it is its turn: a list of str,
    from a1 on, as maps() finds them."""
    return _compute(3, fens, None, rules, values, wrong, threads, progress)


def moves(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
          progress: Progress = None) -> Column:
    """All legal moves, best first, as order() sorts them: a list of structs of move and value."""
    return _compute(4, fens, None, rules, values, wrong, threads, progress)


def maps(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
         progress: Progress = None) -> Column:
    """What each side gets on each square if it has the turn, as maps() finds it: a struct of white and black, each a
    fixed-size list of 64 int16 from a1, b1 on. It is a table, too."""
    return _compute(5, fens, None, rules, values, wrong, threads, progress)


def annotate(fens: Any, rules: Rules = "legal", values: Values = None, *, wrong: str = "null", threads: int = 1,
             progress: Progress = None) -> Column:
    """What `seebatch annotate` adds, as a struct, which is a table, too: best_capture, of several the first in the alphabet,
    and best_value, both null where there is no capture; how many captures are winning, equal and losing, and how many the
    rules let pass at any threshold; hanging_white and hanging_black, the sums of what the other side gets."""
    return _compute(6, fens, None, rules, values, wrong, threads, progress)
