"""Files of positions as batches of arrays, in every format of seebatch_io."""
from __future__ import annotations

import errno
import numbers
import os
import warnings
from typing import IO, TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from ._arrays import Progress, columns_in, described, out, text_in, whole
from .typing import Integers, Moves, PieceValues, Positions, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


FORMAT = "the name of a format, as 'binpack', or None for what the path's extension says"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def sample_file(name: str = "games.binpack") -> str:
    """Find a small file that the package brings, to try things with.

    Parameters
    ----------
    name : str
        "games.binpack": 1,558 positions of games with moves, scores and results. "games.fen": 2,000 FENs.

    Returns
    -------
    str
        Its path.

    Raises
    ------
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> sb.open(sb.sample_file("games.fen")).format
    'fen'
    """
    names = sorted(each for each in os.listdir(DATA) if each.startswith("games."))
    if name not in names:
        raise FileNotFoundError(errno.ENOENT, f"the package brings no such file, expected {' or '.join(names)}", name)
    return os.path.join(DATA, name)


def path_of(path: Any) -> Optional[bytes]:
    """The path as the system has it."""
    try:
        name = None if path is None else os.fsencode(path)
    except TypeError:
        raise TypeError(f"path is {described(path)}, expected str, bytes, os.PathLike or, to be read, an open file") from None
    if name == b"":
        raise FileNotFoundError(errno.ENOENT, "the path is empty, expected the name of a file", "")
    return name


class Batch(NamedTuple):
    """Records as arrays of shape (n,); None for what the file cannot have, of which type checkers do not remind. What one
    record does not have is 0, and a result that it does not have is NaN."""

    positions: NDArray[np.void]  # dtype POSITION
    moves: Union[NDArray[np.uint16], Any]  # legal in their positions
    scores: Union[NDArray[np.int32], Any]  # in the units of the file, White's
    results: Union[NDArray[np.float32], Any]  # 1 White won, 0.5 draw, 0 Black won; NaN where a record has none
    plies: Union[NDArray[np.int32], Any]  # half moves from the start of the game
    has: NDArray[np.uint8]  # 1 move + 2 score + 4 result + 8 ply


class Format(NamedTuple):
    """A format of files."""

    name: str
    what: str
    extensions: tuple[str, ...]
    holds: int  # what its records can have, as `has` of a Batch
    needs: int  # what they must have
    writable: bool


def formats() -> list[Format]:
    """List the formats that open() and create() know.

    Returns
    -------
    list of Format

    Examples
    --------
    >>> [format.name for format in sb.formats() if ".epd" in format.extensions]
    ['epd']
    """
    return [Format(name, what, tuple(extension for extension in extensions if extension), holds, needs, writable)
            for name, what, extensions, holds, needs, writable in _core.formats()]


def too_many(what: str, records: int) -> MemoryError:
    """What to raise if a batch of so many records cannot be had."""
    return MemoryError(f"{what} is {records}, and there is not enough memory for so many records at once, expected fewer: "
                       "65536 take about 4 MB")


def part_in(part: Any) -> tuple[int, int]:
    """The two numbers of a part, both 0 for the whole."""
    if part is None:
        return 0, 0
    if not isinstance(part, (tuple, list)) or len(part) != 2:
        raise TypeError(f"part is {part!r}, expected (k, n), two integers with k from 1 to n")
    k, n = (whole(number, "part") for number in part)
    if not 1 <= k <= n:
        raise _core.Error(f"part is {part}, expected (k, n) with k from 1 to n")
    return k, n


def _name_of_plain(path: Union[str, bytes], data: bytes) -> bytes:
    """The name of a file that was read, without the ending of a compression that has been taken off, as by gzip.open()."""
    name = os.fsencode(path)
    for ending, first in ((b".gz", b"\x1f\x8b"), (b".zst", b"\x28\xb5\x2f\xfd")):
        if name.lower().endswith(ending) and not data.startswith(first):
            return name[:-len(ending)]
    return name


def texts_of(keep: Iterable[str], drop: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Conditions as tuples, of which a str is one."""
    found = []
    for what, texts in (("keep", keep), ("drop", drop)):
        if not hasattr(texts, "__iter__"):
            raise TypeError(f"{what} is {described(texts)}, expected a condition, or a list of them: \"quiet\", \"ply >= 16\"")
        found.append((texts,) if isinstance(texts, str) else tuple(texts))
    return found[0], found[1]


def _cell(value: Any) -> Union[str, bytes, None]:
    """A value as the core writes it: a text as str, a number as bytes, nothing as None."""
    if type(value).__name__ in ("bool", "bool_"):  # Python's, and those of NumPy
        return b"true" if value else b"false"
    if isinstance(value, numbers.Number):
        return None if value != value else str(value).encode()
    return None if value is None else str(value)


def _same(cell: Any) -> Any:
    return cell


class Reader:
    """Batches of a file: an iterator, a context manager, and a table for all that takes Arrow. open() makes it.

    pyarrow.table(reader), polars.DataFrame(reader) and DuckDB read the file from its beginning, as often as they like;
    a pipe once. The columns are those that the file can have of fen, move (UCI notation), score, result (1 White won,
    0.5 draw, 0 Black won) and ply, null where a record has none.

    error_reports: a sentence for each record that is bad, or damage, so far; at most fifty. If there are any, the end of
    the file warns of them. counts: how many records were read, bad, or lost by damage.

    If Ctrl-C ends next(reader), the records that it has read are lost, and the next call raises OSError.
    """

    def __init__(self, options: tuple[Any, ...], batch: int, text: bool):
        self._options, self._batch, self._text, self._warned = options, whole(batch, "batch", 1), text, False
        path, data = options[:2]
        # Asked now: of a file that is gone later, what is left of this reading is not the table.
        self._again = data is not None or (path != b"-" and os.path.isfile(path))
        self._reader = reader = _core.Reader(*options)
        self.error_reports: list[str] = []
        self.counts: dict[str, int] = reader.counts()

    def __iter__(self) -> Iterator[Batch]:
        return self

    @property
    def format(self) -> str:
        """The name of the file's format."""
        return self._reader.format()

    def __repr__(self) -> str:
        path, data, _, part, of = self._options[:5]
        name = os.fsdecode(path) if path is not None else f"{len(data)} bytes"
        columns = ", ".join(f"{column} {kind}" for column, kind in self.schema().items())
        return f"<seebatch.Reader of {name}, {self.format}{f', part {part} of {of}' if of else ''}: {columns}>"

    def schema(self) -> dict[str, str]:
        """The columns that the file has as a table, and the types of Arrow."""
        holds = self._reader.fields()
        first = {"fen": "string"} if self._text else {"board": "binary(48)"}
        rest = {"move": "string" if self._text else "uint16", "score": "int32", "result": "float", "ply": "int32"}
        return {**first, **{name: kind for i, (name, kind) in enumerate(rest.items()) if holds >> i & 1}}

    def to_dict(self) -> dict[str, list[Any]]:
        """All columns of the rest of the file as lists, None for what a record does not have. Tables of pyarrow, Polars
        and DuckDB are far faster."""
        table: dict[str, list[Any]] = {name: [] for name in self.schema()}
        batch: Any
        for batch in self:
            has = memoryview(batch.has).tolist()
            columns: dict[str, list[Any]] = {}
            data = memoryview(batch.positions).tobytes()
            columns["fen"] = list(_core.to_fens(batch.positions, False, False, 1, None)) if self._text else []
            columns["board"] = [] if self._text else [data[i:i + 48] for i in range(0, len(data), 48)]
            arrays = {"move": batch.moves, "score": batch.scores, "result": batch.results, "ply": batch.plies}
            for bit, (name, array) in enumerate(arrays.items()):
                cells = [] if array is None else memoryview(array).tolist()
                write = _core.uci if name == "move" and self._text else _same
                columns[name] = [write(cell) if have >> bit & 1 else None for cell, have in zip(cells, has)]
            for name, cells in table.items():
                cells += columns[name]
        return table

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """An error: pandas.DataFrame(reader) and numpy.array(reader) would have one object for each batch."""
        raise TypeError("a Reader is a table, expected pandas.DataFrame.from_arrow(reader), which pandas has from version 3 on, "
                        "pyarrow.table(reader).to_pandas(), polars.DataFrame(reader), or its batches in a loop")

    def __len__(self) -> int:
        """An error: how many records a file has is known at its end."""
        raise TypeError("a Reader has no length before its file is read, expected sum(len(batch.positions) for batch in reader), "
                        "or the length of a table, as len(pyarrow.table(reader))")

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> Any:
        """An error: records come in turn."""
        raise TypeError(f"a Reader is read from its beginning and has no [{index!r}], expected next(reader), which is a batch of "
                        "arrays, or a table of it, as polars.DataFrame(reader) or pyarrow.table(reader)")

    def __next__(self) -> Batch:
        try:
            blocks = self._reader.next(self._batch)
        except MemoryError:
            raise too_many("batch", self._batch) from None
        finally:
            self.error_reports += self._reader.error_reports()
            self.counts = self._reader.counts()
        if blocks is None:
            self._warn()
            raise StopIteration
        return Batch(*(out(block) for block in blocks))

    def _warn(self) -> None:
        """Once, at the end: nothing is skipped in silence."""
        if self.error_reports and not self._warned:
            more = len(self.error_reports) - 1
            warnings.warn(self.error_reports[0] + (f" (and {more} more in error_reports)" if more else ""), stacklevel=3)
        self._warned = True

    def _stream(self) -> Any:
        reader = _core.Reader(*self._options) if self._again else self._reader
        return reader.stream(self._batch, self._text, self._end)

    def _end(self, error_reports: list[str], counts: dict[str, int], failed: bool) -> None:
        self.error_reports, self.counts = error_reports, counts
        if not failed:
            self._warn()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The whole file as a capsule with an Arrow stream of structs, `batch` records an array."""
        return self._stream()

    def __arrow_c_schema__(self) -> Any:
        """The columns, as a capsule with an Arrow schema."""
        return _core.schema_of(self._stream())

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. Batches remain."""
        self._reader.close()


def open(path: Union[Path, IO[Any], None] = None, *, data: Optional[bytes] = None, format: Optional[str] = None,
         batch: int = 65536, part: Optional[tuple[int, int]] = None, strict: bool = False,
         text: bool = True, keep: Union[str, Iterable[str]] = (), drop: Union[str, Iterable[str]] = (), rules: Rules = "legal",
         piece_values: PieceValues = None, seed: int = 0) -> Reader:
    """Open a file of positions, decompressed where its name ends with .gz or .zst.

    Parameters
    ----------
    path : str, bytes, os.PathLike or open file
        "-" is standard input. Of an open file all that is left is read at once, decompressed or not, and its name says the
        format. A directory is refused: its files are opened one by one.
    data : bytes, optional
        The file itself; then format, or the extension of path, says what it is.
    format : str, optional
        The name of a format, one of formats(). None: what the extension of the path says.
    batch : int
        Records in a batch; the last one has fewer.
    part : (int, int), optional
        (k, n) is part k of n by bytes, from 1: the records of all parts are those of the file.
    strict : bool
        True: the first bad record raises Error. Otherwise bad ones are skipped, with an error report.
    text : bool
        False: as a table, a column board of the 48 bytes of a POSITION is there instead of fen, and moves are uint16, as in
        a Batch. That is faster, because no FENs are written.
    keep, drop : str or list of str
        Only records that meet all of keep and none of drop are read, as `seebatch filter` takes them: "in-check",
        "(quiet and abs(score) < 1000) or ply >= 100". counts["read"] has those that were left out, too. A condition that can
        never hold, or always holds, is a UserWarning; one about a field that no record has is an Error.
    rules, piece_values
        By which exchanges are evaluated.
    seed : int
        0 to 2**64 - 1, of conditions that hold at random, as --seed.

    Returns
    -------
    Reader

    Raises
    ------
    OSError
        If the file cannot be opened or read on, FileNotFoundError and the like where the system says so.
    Error
        If the options make no sense.

    Examples
    --------
    >>> reader = sb.open(data=b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\\n", format="fen")
    >>> [len(batch.positions) for batch in reader]
    [1]
    """
    k, n = part_in(part)
    if hasattr(path, "read"):
        text_or_bytes, path = path.read(), getattr(path, "name", None)  # type: ignore[union-attr]
        data = text_or_bytes.encode() if isinstance(text_or_bytes, str) else bytes(text_or_bytes)
        path = _name_of_plain(path, data) if isinstance(path, (str, bytes)) else None
    name = path_of(path)
    if data is None and name is not None and os.path.isdir(name):
        raise IsADirectoryError(errno.EISDIR, "a directory, expected a file of positions", os.fsdecode(name))
    if data is not None and not isinstance(data, bytes):
        if not isinstance(data, (bytearray, memoryview)):
            raise TypeError(f"data is {described(data)}, expected bytes: those of a file")
        data = bytes(data)
    text_in(format, "format", FORMAT)
    if name is None and data is None:
        raise _core.Error("there is neither a path nor data to open")
    conditions = (*texts_of(keep, drop), rules, piece_values, whole(seed, "seed", 0, 2**64 - 1))
    return Reader((name, data, format, k, n, strict, *conditions), batch, text)


class Writer:
    """A file that is written: a context manager. create() makes it.

    The file takes its name when the block ends, and does not if an exception ends it. error_reports: a sentence for each
    record that has no place in the format. data: the file, where there is no path.
    """

    def __init__(self, writer: Any, columns: Sequence[str], name: str):
        self._writer, self._columns, self._name = writer, tuple(columns), name
        self.error_reports: list[str] = []
        self.counts: dict[str, int] = writer.counts()
        self.data: Optional[bytes] = None

    def __repr__(self) -> str:
        columns = f", columns {', '.join(self._columns)}" if self._columns else ""
        written = self.counts["written"]
        return f"<seebatch.Writer of {self._name}{columns}: {written} record{'' if written == 1 else 's'} written>"

    def write(self, positions: Positions, moves: Optional[Moves] = None, scores: Optional[Integers] = None, results: Any = None,
              plies: Optional[Integers] = None, has: Any = None, columns: Optional[Mapping[str, Sequence[Any]]] = None) -> None:
        """Writes records, arrays as in a Batch: writer.write(*batch). Positions must be sound, and moves legal.

        columns: for each further column one value a record. Numbers, True and False are numbers, true and false in JSON
        lines; any other value is the text that str() makes of it; None and NaN leave a cell empty. Infinities are "inf"
        and "-inf", in JSON lines as strings. Text may have any characters: docs/formats.md says how they are written.
        Raises Error before the first record of which something would be lost.
        """
        arrays = columns_in(positions, moves, scores, results, plies, has)
        try:
            self._writer.write(*arrays, self._cells(columns or {}))
        finally:
            self.error_reports += self._writer.error_reports()
            self.counts = self._writer.counts()

    def write_table(self, table: Any, progress: Progress = None) -> None:
        """Writes all rows of a table of pyarrow, Polars, pandas, DuckDB, of a Reader, or computed by
        seebatch.columns: of what has __arrow_c_stream__ or __arrow_c_array__.

        Of its columns fen is text, or board 48 bytes, as POSITION; move is UCI, SAN, or a number; score and ply are
        integers; result is 1, 0.5 or 0, or "1-0" and the like. Further ones are those that create() named. Null is what
        a record does not have. A row that is wrong is left out, and stands in `error_reports`.
        Raises Error before something would be lost, such as a column that the file has no place for.
        """
        try:
            self._writer.write_table(table, progress)
        finally:
            self.error_reports += self._writer.error_reports()
            self.counts = self._writer.counts()

    def _cells(self, columns: Mapping[str, Sequence[Any]]) -> tuple[Union[str, bytes, None], ...]:
        if set(columns) != set(self._columns):
            raise _core.Error(f"the columns are {sorted(columns)}, expected {sorted(self._columns)}")
        lists = [columns[name].tolist() if hasattr(columns[name], "tolist") else list(columns[name])  # type: ignore
                 for name in self._columns]
        if len({len(cells) for cells in lists}) > 1:
            raise _core.Error("the columns have different lengths")
        return tuple(_cell(value) for row in zip(*lists) for value in row)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, *unused: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._writer.abandon()

    def close(self) -> None:
        """The end: the file takes its name."""
        self.data = self._writer.finish()


def create(path: Optional[Path] = None, *, format: Optional[str] = None, holds: int = 0, lose: Optional[str] = None,
           level: int = 0, columns: Sequence[str] = ()) -> Writer:
    """Begin a file of positions, compressed where its name ends with .gz or .zst.

    Parameters
    ----------
    path : str, bytes or os.PathLike, optional
        None: the file is kept in memory, as Writer.data.
    format : str, optional
        The name of a format, one of formats(). None: what the extension of the path says.
    holds : int
        The columns of a table, as `has` of a Batch. 0: all that the format can hold.
    lose : str, optional
        What may be lost, by name, separated by commas: "score,result".
    level : int
        Of compression, 1 to 9 for .gz and 1 to 22 for .zst. 0: the tool's, and the only one for what is not compressed.
    columns : list of str
        Names of further columns, in formats that have columns; each its own, none empty, and none that is read as a field,
        which are fen, position, move, score, result and ply, in capitals or not.

    Returns
    -------
    Writer

    Raises
    ------
    OSError
        If the file cannot be begun.
    Error
        If the options make no sense.

    Examples
    --------
    >>> with sb.create(format="csv", holds=2) as writer:
    ...     writer.write(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"], scores=[17])
    >>> writer.data.decode().splitlines()
    ['fen,score', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,17']
    """
    if isinstance(columns, str) or not hasattr(columns, "__iter__") or not all(isinstance(name, str) for name in columns):
        raise TypeError(f"columns is {columns!r}, expected a list of names, each a str")
    text_in(format, "format", FORMAT)
    text_in(lose, "lose", "what may be lost, by name, separated by commas, as 'score,result'")
    options = whole(holds, "holds", 0, 15), lose, whole(level, "level", -2**31, 2**31 - 1), tuple(columns)
    place = path_of(path)
    name = f"{format} in memory" if place is None else os.fsdecode(place)
    return Writer(_core.Writer(place, format, *options), columns, name)
