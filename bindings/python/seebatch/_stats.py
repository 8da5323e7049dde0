"""What is in files of positions: the report of `seebatch stats`."""
from __future__ import annotations

import json
import os
import stat
import warnings
from typing import Any, Optional, Sequence, Union

from . import _core
from ._arrays import Progress, described, text_in, whole
from ._files import FORMAT, Path, part_in, path_of
from .typing import PieceValues, Rules


class Stats(dict[str, Any]):
    """A report as a dictionary, whose members docs/stats-json.md describes. stats() makes it.

    A notebook shows it as a page with charts; str() is the report of the tool, in at most forty lines. error_reports: a
    sentence for each record that is bad, or damage; at most fifty. json: the report as JSON, which stats() adds to others.
    """

    error_reports: list[str]
    json: str

    def __init__(self, forms: tuple[str, str, str, list[str]]):
        self.json, self._page, self._text, self.error_reports = forms
        super().__init__(json.loads(self.json))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        files = ", ".join(file["name"] for file in self["files"])
        return f"<seebatch.Stats of {files}: {self['positions']} positions>"

    def _repr_html_(self) -> str:
        return self._page


def _report(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a report that was written as JSON."""
    with open(path, "rb") as file:
        return os.fsdecode(path), file.read()


def _size(path: bytes) -> int:
    """Of a file that can be opened; 0 for standard input and pipes."""
    if path == b"-":
        return 0
    name = os.fsdecode(path)
    if stat.S_ISFIFO(os.stat(name).st_mode):  # to open it twice would lose what is in it
        return 0
    with open(name, "rb") as file:
        return os.fstat(file.fileno()).st_size


def _rule(rule: Any, values: PieceValues) -> tuple[Rules, PieceValues]:
    return (rule, values) if isinstance(rule, str) else tuple(rule)  # type: ignore[return-value]


def stats(paths: Union[Path, Sequence[Path]], *, format: Optional[str] = None, rules: Rules = "legal",
          piece_values: PieceValues = None, played: Sequence[Union[Rules, tuple[Rules, PieceValues]]] = (), unique: bool = False,
          part: Optional[tuple[int, int]] = None, strict: bool = False, threads: int = 0,
          progress: Progress = None) -> Stats:
    """Report what is in files: results, scores, plies, pieces, moves, equal positions, exchanges, and how scores agree with
    results, in one pass.

    Parameters
    ----------
    paths : path or list of paths
        A file as open() takes it by its path, or several of them, which are counted together; or reports, whose names end
        with .json, as `seebatch stats --format json` and Stats.json have them: these are added.
    format
        As in open(), of all files.
    rules, piece_values
        By which all legal captures and the played moves are valued.
    played : list of str, or of (str, piece_values)
        Up to seven further rule sets for the played moves.
    unique : bool
        True counts the different positions exactly; otherwise their number is an estimate with a standard error of 0.2%.
        The files are read twice then, and temporary files are written to TMPDIR or /tmp.
    part, strict
        As in open().
    threads, progress
        As in all functions; progress is called with (bytes read, bytes).

    Returns
    -------
    Stats

    Raises
    ------
    OSError
        If a file cannot be opened.
    Error
        If the options make no sense or a report is none.

    Warns
    -----
    UserWarning
        Of bad records and damage, which are left out.

    Examples
    --------
    >>> with sb.create("one.fen") as writer:
    ...     writer.write("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    >>> sb.stats("one.fen")["positions"]
    1
    """
    one = isinstance(paths, (str, bytes, os.PathLike)) or not hasattr(paths, "__iter__")
    names: list[Any] = [paths] if one else list(paths)  # type: ignore[arg-type]
    text_in(format, "format", FORMAT)
    files = [path for path in map(path_of, names) if path is not None]
    if not files or len(files) != len(names):
        raise _core.Error("there is no path, expected at least one")
    reports = [name.endswith(b".json") for name in files]
    if any(reports):
        if not all(reports):
            raise _core.Error("some paths are reports (.json) and others are not, expected either files of positions or reports")
        if (format, rules, piece_values, played or (), unique, part, strict) != (None, "legal", None, (), False, None, False):
            raise _core.Error("reports (.json) have been counted already, expected no arguments about what is read or counted")
        return Stats(_core.stats_of_reports(tuple(_report(name) for name in names)))
    if isinstance(played, str) or not hasattr(played, "__iter__"):
        raise TypeError(f"played is {described(played)}, expected a list of rule sets, as ['swap', 'stockfish']")
    k, n = part_in(part)
    total = sum(map(_size, files))
    sets = tuple(_rule(rule, piece_values) for rule in (rules, *played))
    forms = _core.stats(tuple(files), format, sets, unique, k, n, strict, whole(threads, "threads"), total, progress)
    result = Stats(forms)
    if result.error_reports:
        more = len(result.error_reports) - 1
        warnings.warn(result.error_reports[0] + (f" (and {more} more in error_reports)" if more else ""), stacklevel=2)
    return result
