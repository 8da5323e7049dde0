"""Training in PyTorch: positions of files in any format as batches of tensors, shuffled, by as many processes as you like.

    from seebatch.torch import PositionDataset, PositionLoader

    loader = PositionLoader(PositionDataset(["games.binpack"], batch_size=16384), workers=2)
    for epoch in range(10):
        for white, black, offsets, stm, scores, results in loader:
            ...
            torch.save({"loader": loader.state_dict(), "model": model.state_dict()}, "checkpoint.pt")  # after any batch

PositionDataset is an IterableDataset, which the DataLoader of PyTorch takes as it is, with batch_size=None. PositionLoader
is a DataLoader that counts epochs, and whose state can be saved and loaded after any batch.

The files are divided into parts. Each process reads parts of its own in the order of a generator that the seed and the epoch
begin, and shuffles `buffer` records at a time. So the order of the batches depends on the seed, the epoch, the number of
processes and the other arguments alone, and each record comes once in an epoch.

This module needs PyTorch and NumPy, which the package itself does not.
"""
from __future__ import annotations

import os
import sys
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, Union

try:
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, IterableDataset, default_collate, get_worker_info
except ImportError as _error:
    raise ImportError(f"seebatch.torch needs PyTorch and NumPy (pip install torch numpy): {_error}") from None

from . import _core, boards, checked, take
from ._arrays import described, whole
from ._files import Batch, Path, Reader, open, part_in, path_of, too_many

__all__ = ["HalfKP", "PositionDataset", "PositionLoader", "half_kp"]

PART = 1 << 26  # bytes of a part, about


class HalfKP(NamedTuple):
    """What half_kp() makes of a batch of n records, as arrays, or as tensors in a batch of a PositionDataset."""

    white: Any  # int32: the inputs that are 1 as White sees the board, those of one position after those of another
    black: Any  # the same as Black sees it
    offsets: Any  # int64, shape (n,): where those of each position begin, as torch.nn.EmbeddingBag takes it
    stm: Any  # uint8, shape (n,): the side to move, 0 White, 1 Black
    scores: Any  # int32, shape (n,): White's, in the units of the file
    results: Any  # float32, shape (n,): 1 White won, 0.5 draw, 0 Black won


def half_kp(batch: Batch) -> HalfKP:
    """Make the inputs of a network like HalfKP: for each side, one of 64 * 640 for its king's square and each other piece.

    Parameters
    ----------
    batch : Batch
        As open() reads it, with scores and results.

    Returns
    -------
    HalfKP
        Input king * 640 + piece * 64 + square, where a piece is its type, 0 a pawn to 4 a queen, or 5 more if it is the other
        side's. Black sees the board upside down, with a1 for a8.

    Raises
    ------
    Error
        If the batch has no scores or no results, as those of a file of FENs.

    Examples
    --------
    >>> import seebatch.torch
    >>> inputs = sb.torch.half_kp(next(sb.open(sb.sample_file("games.binpack"))))
    >>> len(inputs.stm), inputs.white[:3].tolist(), inputs.offsets[:3].tolist()
    (1558, [2752, 2625, 2690], [0, 30, 60])
    """
    if not isinstance(batch, Batch):
        raise TypeError(f"batch is {described(batch)}, expected a Batch, as next(sb.open(path)) is one")
    if batch.scores is None or batch.results is None:
        raise _core.Error("the file has no scores or no results, expected both, or other features= that do without them")
    n = len(batch.positions)
    parts = [_inputs(boards(batch.positions[i:i + 2048])) for i in range(0, n, 2048)] or [_inputs(np.zeros((0, 64), np.uint8))]
    white, black, counts = map(np.concatenate, zip(*parts))
    return HalfKP(white, black, np.cumsum(counts) - counts, batch.positions["stm"].copy(), batch.scores, batch.results)


def _inputs(pieces: Any) -> tuple[Any, Any, Any]:
    """Those of White and of Black, and how many each position has. Of some thousand positions at once the arrays are so small
    that memory is used again; larger ones come from the system each time, which takes half as long as all the rest."""
    placed = np.flatnonzero((pieces < 11) & (pieces != 5))  # neither empty squares nor kings
    kind = pieces.ravel()[placed].astype(np.int32)
    kind -= kind > 5  # 0 to 4 for White, 5 to 9 for Black
    rows, squares = placed >> 6, (placed & 63).astype(np.int32)
    white, black = ((np.flatnonzero(pieces == king) & 63).astype(np.int32)[rows] for king in (5, 11))
    other = kind + np.where(kind < 5, 5, -5).astype(np.int32)
    return (white * 640 + kind * 64 + squares, (black ^ 56) * 640 + other * 64 + (squares ^ 56),
            np.bincount(rows, minlength=len(pieces)))


def _tensors(found: Any) -> Any:
    """Arrays of a tuple, a named tuple or a dictionary as tensors of the same memory, or of a copy if it is read-only."""
    if isinstance(found, dict):
        return {name: _tensors(array) for name, array in found.items()}
    if isinstance(found, (tuple, list)):
        return type(found)(*map(_tensors, found)) if hasattr(found, "_fields") else tuple(map(_tensors, found))
    if isinstance(found, np.ndarray):
        return torch.from_numpy(found if found.flags.writeable else found.copy())
    return found


def _joined(pieces: list[Batch]) -> Batch:
    """Batches as one."""
    if len(pieces) == 1:
        return pieces[0]
    columns: list[Any] = []
    for name, parts in zip(Batch._fields[1:], list(zip(*pieces))[1:]):
        if any(part is None for part in parts) and not all(part is None for part in parts):
            raise _core.Error(f"some files have {name} and others do not, expected files that have the same")
        columns.append(None if parts[0] is None else np.concatenate(parts))
    return Batch(checked(np.concatenate([piece.positions for piece in pieces])), *columns)


def _chosen(batch: Batch, rows: Any) -> Batch:
    """Some records of a batch."""
    columns: list[Any] = [None if column is None else column[rows] for column in batch[1:]]
    return Batch(take(batch.positions, rows), *columns)


class _State(NamedTuple):
    """Where one of the readers is: the part and the record in it with which its buffer begins, the number of that buffer, and
    how many batches of it are done."""

    part: int = 0
    record: int = 0
    buffer: int = 0
    batches: int = 0


class PositionDataset(IterableDataset):  # type: ignore[misc,type-arg]
    """Batches of tensors from files of positions, for a PositionLoader, or a DataLoader with batch_size=None.

    Parameters
    ----------
    paths : path or list of paths
        Files in any format that open() knows. Of compressed ones each is read by one process, as a whole; others are read by
        all of them.
    batch_size : int
        Positions in a batch. The last batch of each process has fewer.
    features : callable
        Called with a Batch of the records that were chosen; returns arrays or tensors, as a tuple, a NamedTuple or a dictionary.
        half_kp() is an example of ten lines.
    shuffle : bool
        False: the order of the files.
    buffer : int
        Records that are shuffled at once, in each process. A million takes some 60 MB.
    seed : int
        Of the order, and of conditions that hold at random.
    epoch : int
        A new epoch has another order. A PositionLoader counts it up; for a DataLoader, set the attribute before each pass.
    part : (int, int), optional
        (k, n): part k of n, from 1, for training on n machines or devices; the records of all parts are those of the files.
    **options
        Others of open(): format, strict, keep, drop, rules and piece_values. With keep="quiet", only such positions come.

    Bad records are skipped with a warning of the process that reads them, or with strict=True raise Error. A DataLoader without
    batch_size=None would stack the tensors of several batches, with a dimension more, or of different sizes; its loop raises
    TypeError instead.
    """

    def __init__(self, paths: Union[Path, Iterable[Path]], batch_size: int = 16384, *,
                 features: Callable[[Batch], Any] = half_kp, shuffle: bool = True, buffer: int = 1 << 20, seed: int = 0,
                 epoch: int = 0, part: Optional[tuple[int, int]] = None, **options: Any):
        one = isinstance(paths, (str, bytes, os.PathLike)) or not hasattr(paths, "__iter__")
        self.paths: list[Any] = [paths] if one else list(paths)  # type: ignore[arg-type]
        if not self.paths:
            raise _core.Error("there is no path, expected at least one")
        if not callable(features):
            raise TypeError(f"features is {described(features)}, expected a function of a Batch, as half_kp")
        for name in options.keys() & {"batch", "data", "text"}:
            raise TypeError(f"{name}= of open() has no meaning here" + (", expected batch_size=" if name == "batch" else ""))
        for path in self.paths:
            if path is None:
                raise TypeError("path is None, expected str, bytes or os.PathLike")
            open(path, **options).close()  # what is wrong is said here, and not by a process
        self.batch_size, self.buffer = whole(batch_size, "batch_size", 1), whole(buffer, "buffer", 1)
        self.seed, self.epoch = whole(seed, "seed", 0, 2**64 - 1), whole(epoch, "epoch", 0)
        self.features, self.shuffle, self.part, self.options = features, bool(shuffle), part_in(part or (1, 1)), options

    def __repr__(self) -> str:
        names = ", ".join(os.fsdecode(path) for path in self.paths[:3]) + ", ..." * (len(self.paths) > 3)
        return f"<seebatch.torch.PositionDataset of {names}: batches of {self.batch_size}, epoch {self.epoch}>"

    def _parts(self, readers: int) -> list[tuple[Any, Optional[tuple[int, int]]]]:
        """The parts of all files, at least one for each reader, in the order of the epoch."""
        parts: list[tuple[Any, Optional[tuple[int, int]]]] = []
        for path in self.paths:
            name = path_of(path) or b""
            if name.lower().endswith((b".gz", b".zst")):
                parts.append((path, None))
                continue
            n = readers * max(1, os.path.getsize(name) // (readers * PART))
            parts += [(path, (k, n)) for k in range(1, n + 1)]
        if self.shuffle:
            parts = [parts[i] for i in np.random.default_rng((self.seed, self.epoch)).permutation(len(parts))]
        return parts

    def _open(self, path: Any, part: Optional[tuple[int, int]], batch: int) -> Reader:
        options: dict[str, Any] = {"seed": self.seed, **self.options}
        return open(path, part=part, batch=batch, **options)

    def _read(self, worker: int, workers: int, state: _State) -> Iterator[tuple[_State, Any]]:
        """The batches of one process after a state, each with the state after it."""
        k, n = self.part
        reader, readers = (k - 1) * workers + worker, n * workers
        parts = self._parts(readers)[reader::readers]
        part, record, number, done = state
        source: Optional[Reader] = None
        while part < len(parts):
            begin, pieces, missing = (part, record), [], self.buffer
            while missing and part < len(parts):
                if source is None:
                    source = self._open(*parts[part], missing)
                    skipped = 0
                    while skipped < record:  # only after a state was loaded
                        source._batch = min(record - skipped, 1 << 16)
                        piece = next(source, None)
                        if piece is None:
                            raise _core.Error(f"{os.fsdecode(parts[part][0])} has fewer records than when the state was saved")
                        skipped += len(piece.positions)
                source._batch = missing
                try:
                    piece = next(source, None)
                except MemoryError:
                    raise too_many("buffer", self.buffer) from None
                if piece is None:
                    source.close()
                    source, part, record = None, part + 1, 0
                    continue
                pieces.append(piece)
                record, missing = record + len(piece.positions), missing - len(piece.positions)
            if not pieces:
                return
            batch = _joined(pieces)
            rows = np.arange(self.buffer - missing)
            if self.shuffle:
                np.random.default_rng((self.seed, self.epoch, reader, number)).shuffle(rows)
            for i in range(done, -(-len(rows) // self.batch_size)):
                chosen = rows[i * self.batch_size:(i + 1) * self.batch_size]
                yield _State(*begin, number, i + 1), _tensors(self.features(_chosen(batch, chosen)))
            number, done = number + 1, 0

    def __iter__(self) -> Iterator[Any]:
        caller = sys._getframe(1).f_locals
        # A DataLoader does not tell its dataset whether it will stack the batches. Only the constructor that calls this function,
        # in this process or in a worker, has the two arguments that decide it.
        if caller.get("auto_collation") and caller.get("collate_fn") is default_collate:
            raise TypeError("the DataLoader would stack the batches of a PositionDataset into batches of batches, expected "
                            "DataLoader(dataset, batch_size=None), and the size as PositionDataset(..., batch_size=)")
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        return (batch for _, batch in self._read(worker, workers, _State()))


class _WithStates(IterableDataset):  # type: ignore[misc,type-arg]
    """The batches of a dataset, each with the reader that made it and its state. The first process is reader `first`, whose
    turn it is."""

    def __init__(self, dataset: PositionDataset, first: int, states: dict[int, _State]):
        self.dataset, self.first, self.states = dataset, first, states

    def __iter__(self) -> Iterator[tuple[int, tuple[int, ...], Any]]:
        info = get_worker_info()
        number, workers = (info.id, info.num_workers) if info else (0, 1)
        worker = (number + self.first) % workers
        for state, batch in self.dataset._read(worker, workers, self.states.get(worker, _State())):
            yield worker, tuple(state), batch


class PositionLoader:
    """Batches of a PositionDataset: each loop is an epoch, and its state can be saved after any batch.

    Parameters
    ----------
    dataset : PositionDataset
        Its epoch goes up by one at the end of each loop. A loop that was left early begins the same epoch anew.
    workers : int
        Processes that read files and make features, at most 1024. 0: this one does.
    pin_memory : bool, optional
        Whether tensors are copied to pinned memory. None: if there is a GPU to take them.
    **options
        Others of DataLoader, such as prefetch_factor or multiprocessing_context.

    Examples
    --------
    >>> from seebatch.torch import PositionDataset, PositionLoader
    >>> loader = PositionLoader(PositionDataset(sb.sample_file("games.binpack"), batch_size=1000))
    >>> [len(batch.stm) for batch in loader], loader.dataset.epoch
    ([1000, 558], 1)
    """

    def __init__(self, dataset: PositionDataset, workers: int = 0, *, pin_memory: Optional[bool] = None, **options: Any):
        if not isinstance(dataset, PositionDataset):
            raise TypeError(f"dataset is {described(dataset)}, expected a PositionDataset")
        for name in options.keys() & {"batch_size", "num_workers", "shuffle", "sampler", "batch_sampler"}:
            raise TypeError(f"{name}= of DataLoader has no meaning here, expected " + (
                "workers=" if name == "num_workers" else f"PositionDataset(..., {'batch_size' if name == 'batch_size' else 'shuffle'}=)"))
        self.dataset, self.workers = dataset, whole(workers, "workers", 0, 1024)
        self._options = {"pin_memory": torch.cuda.is_available() if pin_memory is None else pin_memory, **options}
        self._states: dict[int, _State] = {}
        self._first, self._loaded = 0, False

    def __repr__(self) -> str:
        return f"<seebatch.torch.PositionLoader of {self.workers} workers: {self.dataset!r}>"

    def __iter__(self) -> Iterator[Any]:
        if not self._loaded:
            self._states, self._first = {}, 0
        self._loaded = False
        data: Any = DataLoader(_WithStates(self.dataset, self._first, dict(self._states)), batch_size=None,
                               num_workers=self.workers, **self._options)
        for worker, state, batch in data:
            self._states[worker], self._first = _State(*state), (worker + 1) % max(1, self.workers)
            yield batch
        self._states, self._first = {}, 0
        self.dataset.epoch += 1

    def _arguments(self) -> dict[str, Any]:
        """What the order of the batches depends on."""
        data = self.dataset
        return {"files": len(data.paths), "batch_size": data.batch_size, "shuffle": data.shuffle, "buffer": data.buffer,
                "seed": data.seed, "part": list(data.part), "workers": self.workers}

    def state_dict(self) -> dict[str, Any]:
        """Where the loop is: after the batch that it gave last.

        Returns
        -------
        dict
            Of numbers, so that it can be written as JSON, and with torch.save().
        """
        return {**self._arguments(), "epoch": self.dataset.epoch, "first": self._first,
                "states": [[worker, *state] for worker, state in sorted(self._states.items())]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Let the next loop give the batches that were left when the state was saved, in the same order.

        Parameters
        ----------
        state : dict
            From state_dict() of a loader of the same files with the same arguments. Parts of files that are done are not read
            again; of the part in which each process was, records are skipped, and the buffer is read again.

        Raises
        ------
        Error
            If an argument is another.
        """
        missing = self.state_dict().keys() - (state.keys() if isinstance(state, dict) else ())
        if missing:
            raise _core.Error(f"the state has no {', '.join(sorted(missing))}, expected what state_dict() returned")
        for name, value in self._arguments().items():
            if state[name] != value:
                raise _core.Error(f"the state is of a loader with {name} {state[name]}, and this one has {value}, expected the same")
        self.dataset.epoch, self._first = state["epoch"], state["first"]
        self._states = {worker: _State(*numbers) for worker, *numbers in state["states"]}
        self._loaded = True
