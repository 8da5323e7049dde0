"""Columns in, columns out: what FENs and moves are worth, for everything that speaks Arrow.

    from seebatch import columns
    worth = pyarrow.array(columns.see(table["fen"], table["move"], rules="stockfish"))
    frame = frame.with_columns(polars.Series(columns.best_capture(frame["fen"], name="best")))
    frame["captures"] = columns.captures(frame["fen"]).to_pandas()   # pandas, in Arrow's memory
    columns.see(fens, moves).to_list()

A column that comes in is any object with __arrow_c_stream__ or __arrow_c_array__: of pyarrow, Polars, pandas, DuckDB and
others; or a list of str, bytes and None, an array of str, or a column of pandas 2. Of a table the column `fen` or `move` is taken, or the only one. FENs are
strings of any kind, dictionaries among them. In their place there may be boards, as open(text=False) gives them: fixed-size
binary of 48 bytes, or binary in a column named `board`, of a table too. Moves are strings (UCI or SAN), or numbers as in
seebatch; or Arrow's lists of them, one of each FEN.

A result is a Column of as many rows, which all of these take, too. Its name, the function's unless name= says another, is
what Polars and pyarrow call it. Null in, null out. What is wrong is null, and stands in
`errors`; with wrong="raise" the first one raises Error. A column of another type, or a damaged one, raises Error.

rules, piece_values, threads and progress are as in seebatch; progress is called with (rows so far, that number and one more).
Games in text, as data sets of games have them, become positions: see positions() and fens().

No package is imported for any of this.
"""
from __future__ import annotations

import html
from typing import Any, Iterator, Literal, Optional, Sequence, Union, overload

from . import _core
from ._arrays import Fault, Progress, described, escaped, is_column, refuse_keys, whole
from .typing import PieceValues, Rules, Texts

__all__ = ["Column", "annotate", "best_capture", "captures", "fens", "hanging", "maps", "moves", "positions", "see"]


def _plain(value: Any) -> str:
    """A value as a cell of text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plain(cell)}" for key, cell in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value[:3])) + (", ..." if len(value) > 3 else "") + "]"
    return "null" if value is None else str(value)


class Column:
    """A column that was computed: it has the length, indices and slices of a list of Python's values (int, str, dict, list and None), and an array of Arrow,
    which __arrow_c_array__ gives as often as wanted, and which is not copied.

    name: what tables call it. errors: a Fault for each of the first fifty rows that are wrong. wrong: how many there are.
    """

    def __init__(self, column: Any, name: str, wrong: int, errors: list[Fault], index: Any = None):
        self._column, self.name, self.wrong, self.errors, self._index = column, name, wrong, errors, index

    def __len__(self) -> int:
        return len(self._column)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: Any) -> Any:
        """The value of a row, or the list of those of a slice."""
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            return self._column.values(begin, max(begin, end)) if step == 1 else [self[i] for i in range(begin, end, step)]
        i = whole(index, "index")
        if not -len(self) <= i < len(self):
            raise IndexError(f"index is {i}, expected {-len(self)} to {len(self) - 1}")
        i %= len(self)
        return self._column.values(i, i + 1)[0]

    def __iter__(self) -> Iterator[Any]:
        for begin in range(0, len(self), 4096):
            yield from self._column.values(begin, min(begin + 4096, len(self)))

    def to_list(self) -> list[Any]:
        """All values: int, str, dict for structs, list for lists, and None for nulls."""
        return self._column.values(0, len(self))

    def to_numpy(self) -> Any:
        """An array of NumPy: int16 of values without nulls, float64 with NaN for nulls, and otherwise of objects."""
        import numpy
        numbers = self._column.numbers()
        if numbers is not None and numbers[1]:
            return numpy.frombuffer(numbers[0], "i2").copy()
        if numbers is not None:
            return numpy.array(self.to_list(), "f8")
        objects = numpy.empty(len(self), "O")
        objects[:] = self.to_list()
        return objects

    def to_pandas(self) -> Any:
        """Make a column of pandas that keeps Arrow's memory, without Python objects. It needs pyarrow and pandas 2 or later.

        Returns
        -------
        pandas.Series
            Of an ArrowDtype, with the index of the column of pandas that went in, so that it can become a column of that table.

        Examples
        --------
        >>> import pandas
        >>> frame = pandas.DataFrame({"fen": ["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"]}, index=["a"])
        >>> frame["best"] = sb.columns.best_capture(frame["fen"]).to_pandas()
        >>> frame["best"].struct.field("value").to_dict()
        {'a': 100}
        """
        import pandas
        import pyarrow
        index = self._index if self._index is not None and len(self._index) == len(self) else None
        return pandas.Series(pandas.arrays.ArrowExtensionArray(pyarrow.array(self)), index=index, name=self.name)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def _rows(self) -> list[tuple[str, str]]:
        """The first and last rows, as they are shown."""
        n = len(self)
        shown = range(n) if n <= 10 else [*range(5), *range(n - 5, n)]
        rows = [(str(i), _plain(self[i])) for i in shown]
        return rows if n <= 10 else [*rows[:5], ("...", "..."), *rows[5:]]

    def __repr__(self) -> str:
        rows = self._rows()
        width = max((len(index) for index, _ in rows), default=0)
        wrong = f", {self.wrong} wrong" if self.wrong else ""
        return "\n".join([f"<seebatch.columns.Column {self.name}, {len(self)} rows{wrong}>",
                          *(f"{index:>{width}}  {value}" for index, value in rows)])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{index}</th><td>{html.escape(value)}</td></tr>" for index, value in self._rows())
        return (f"<table><thead><tr><th></th><th>{html.escape(self.name)}</th></tr></thead><tbody>{rows}</tbody></table>"
                f"<p>{len(self)} rows{f', {self.wrong} wrong' if self.wrong else ''}</p>")

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Capsules with the schema and the array."""
        return self._column.array(self.name)

    def __arrow_c_schema__(self) -> Any:
        """A capsule with the schema."""
        return self._column.schema(self.name)


def _column_in(column: Any, what: str) -> Any:
    """What the extension takes as a column: Arrow's, or a list."""
    if isinstance(column, (str, bytes)):
        raise TypeError(f"{what} is one text, {described(column)}, expected a column of them: a list, or what Arrow reads")
    refuse_keys(column, what, "a column")
    if isinstance(column, (list, tuple)) and any(isinstance(cell, (list, tuple)) for cell in column[:100]):
        raise TypeError(f"{what} have lists as rows, expected {'a column of Arrow if rows are lists of moves: pyarrow.array(moves)' if what == 'moves' else 'texts'}")
    found = column if is_column(column) or isinstance(column, (list, tuple)) else _texts_with_nulls(column)
    if found is None:
        given = f"have the dtype {column.dtype}" if hasattr(column, "dtype") else f"is {described(column)}"
        raise TypeError(f"{what} {given}, expected a column of texts: a list, an array, or what Arrow reads, such as a column of Polars, "
                        "pandas or pyarrow")
    return found


def _texts_with_nulls(column: Any) -> Any:
    """Those of an array of NumPy or a column of pandas 2, in which None and NaN are null; None for something else."""
    dtype = getattr(column, "dtype", None)
    if dtype is None or not hasattr(column, "tolist") or getattr(dtype, "kind", "O") not in "OUST":
        return None
    return [None if cell is None or cell != cell else cell for cell in column.tolist()]


def _compute(what: int, fens: Any, moves: Any, name: Optional[str], rules: Rules, values: PieceValues, wrong: str, threads: int,
             progress: Progress) -> Column:
    if wrong not in ("null", "raise"):
        raise _core.Error(f"wrong is {wrong!r}, expected null or raise")
    rows: Any = moves if what == 9 else fens if what < 8 else None  # a result has as many
    index = rows.index if hasattr(rows, "iloc") else None  # of pandas
    names = ("start", "games") if what >= 8 else ("fens", "moves")
    fens = None if fens is None and what >= 8 else _column_in(fens, names[0])  # games begin in the usual position
    moves = None if 0 < what < 8 else _column_in(moves, names[1])
    options = rules, values, whole(threads, "threads"), progress
    try:
        column, number, wrongs = _core.column(what, fens, moves, *options)
    except UnicodeEncodeError:
        column, number, wrongs = _core.column(what, escaped(fens), escaped(moves), *options)
    errors = [Fault(*row) for row in sorted(wrongs)]
    if errors and wrong == "raise":
        raise _core.Error(f"row {errors[0][0]}: {errors[0][1]}")
    return Column(column, _NAMES[what] if name is None else name, number, errors, index)


_NAMES = ("see", "best_capture", "captures", "hanging", "moves", "maps", "annotate", "see", "positions", "fens")


def see(fens: Texts, moves: Union[Texts, Sequence[Any]], rules: Rules = "legal", piece_values: PieceValues = None, *,
        name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
        threads: int = 1, progress: Progress = None) -> Column:
    """Evaluate each move in its position.

    Parameters
    ----------
    fens : column
    moves : column
        Of one move for each FEN, or of a list of moves.
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        Of int16; of a list of moves a list of as many, in which null stands for a move that is null or wrong.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.see(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", None], ["Rxe5", "e4"]).to_list()
    [100, None]
    """
    return _compute(0, fens, moves, name, rules, piece_values, wrong, threads, progress)


def best_capture(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
                 name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
                 threads: int = 1, progress: Progress = None) -> Column:
    """Find the legal capture with the highest value.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        A struct of move (UCI notation) and value (int16), which is a table, too. Both are null where there is none. Of several
        with that value it is the first that legal_moves() finds.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.best_capture(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"]).to_list()
    [{'move': 'e1e5', 'value': 100}]
    """
    return _compute(1, fens, None, name, rules, piece_values, wrong, threads, progress)


def captures(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
             name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
             threads: int = 1, progress: Progress = None) -> Column:
    """List all legal captures, best first, as order() sorts them.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        Of lists of structs of move and value.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.captures(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"]).to_list()
    [[{'move': 'e1e5', 'value': 100}]]
    """
    return _compute(2, fens, None, name, rules, piece_values, wrong, threads, progress)


def hanging(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
            name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
            threads: int = 1, progress: Progress = None) -> Column:
    """Find the pieces, of both sides, that the other side wins something for if it is its turn.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        Of lists of str, the squares from a1 on, as maps() finds them.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.hanging(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"]).to_list()
    [['e5']]
    """
    return _compute(3, fens, None, name, rules, piece_values, wrong, threads, progress)


def moves(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
          name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
          threads: int = 1, progress: Progress = None) -> Column:
    """List all legal moves, best first, as order() sorts them.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        Of lists of structs of move and value.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.moves(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"])[0][0]
    {'move': 'e1e5', 'value': 100}
    """
    return _compute(4, fens, None, name, rules, piece_values, wrong, threads, progress)


def maps(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
         name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
         threads: int = 1, progress: Progress = None) -> Column:
    """Find what each side gets on each square if it has the turn, as maps() does.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        A struct of white and black, each a fixed-size list of 64 int16 from a1, b1 on. It is a table, too.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> sb.columns.maps(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"])[0]["white"][36]  # on e5
    100
    """
    return _compute(5, fens, None, name, rules, piece_values, wrong, threads, progress)


def annotate(fens: Texts, rules: Rules = "legal", piece_values: PieceValues = None, *,
             name: Optional[str] = None, wrong: Literal["null", "raise"] = "null",
             threads: int = 1, progress: Progress = None) -> Column:
    """Compute what `seebatch annotate` adds.

    Parameters
    ----------
    fens : column
    rules, piece_values, name, wrong, threads, progress
        As in all functions of this module.

    Returns
    -------
    Column
        A struct, which is a table, too: best_capture, of several the first in the alphabet, and best_value, both null where
        there is no capture; how many captures are winning, equal and losing, and how many the rules let pass at any
        threshold; hanging_white and hanging_black, the sums of what the other side gets.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> row = sb.columns.annotate(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"])[0]
    >>> row["best_capture"], row["best_value"], row["hanging_black"]
    ('e1e5', 100, 100)
    """
    return _compute(6, fens, None, name, rules, piece_values, wrong, threads, progress)


def positions(games: Texts, start: Optional[Texts] = None, *, name: Optional[str] = None, wrong: Literal["null", "raise"] = "null", progress: Progress = None) -> Column:
    """Make a row of each move of games.

    Parameters
    ----------
    games : column of str
        The text of each game: moves in SAN or UCI notation, as in PGN, with numbers, comments, variations, tag pairs and a
        result, or without. Of a table the column `movetext` is taken.
    start : column, optional
        The FEN of the position in which each game begins, or a board. None, and null, for the usual one. A tag FEN comes
        before it.
    name, wrong, progress
        As in all functions of this module.

    Returns
    -------
    Column
        A struct, which is a table, too, of game (the row of the game, uint32), fen (before the move), move (UCI notation),
        score (what the comments say, in centipawns, White's), result (1, 0.5 or 0) and ply. Score and result are null where
        the text says none. A game that is wrong has no rows: it stands in `errors` with its row and the character at which
        reading ended.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> [(row["game"], row["move"], row["result"]) for row in sb.columns.positions(["1. e4 e5 1-0"])]
    [(0, 'e2e4', 1.0), (0, 'e7e5', 1.0)]
    """
    return _compute(8, start, games, name, "legal", None, wrong, 1, progress)


def fens(games: Texts, start: Optional[Texts] = None, *, name: Optional[str] = None, wrong: Literal["null", "raise"] = "null", progress: Progress = None) -> Column:
    """List the positions before each move of games.

    Parameters
    ----------
    games, start
        As in positions().
    name, wrong, progress
        As in all functions of this module.

    Returns
    -------
    Column
        Of lists of FENs, one for each game; null if the game is wrong.

    Raises
    ------
    Error
        With wrong="raise", for the first row that is wrong. If a column is damaged or of another type, or has another length.

    Examples
    --------
    >>> len(sb.columns.fens(["1. e4 e5 1-0"])[0])
    2
    """
    return _compute(9, start, games, name, "legal", None, wrong, 1, progress)
