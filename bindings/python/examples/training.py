"""Training in PyTorch: positions of files in any format, shuffled, by as many workers as you like, as inputs like HalfKP.

    python training.py FILE...      counts the positions that it reads in a second, with 0, 1 and 2 workers

Each worker of a DataLoader reads its own part of every file. The order depends on the seed, the epoch and the number of workers alone.
"""
import itertools
import sys
import time

import numpy as np
import seebatch as sb
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


def half_kp(positions):
    """The indices of both sides' inputs, king square * 640 + (piece * 64 + square), and where those of each position begin."""
    pieces = sb.boards(positions).astype(np.int64)
    rows, squares = np.nonzero((pieces % 6 < 5) & (pieces < 12))
    color, kind = np.divmod(pieces[rows, squares], 6)
    white, black = (pieces == 5).argmax(1)[rows], (pieces == 11).argmax(1)[rows] ^ 56
    return (white * 640 + (5 * color + kind) * 64 + squares, black * 640 + (5 * (1 - color) + kind) * 64 + (squares ^ 56),
            np.searchsorted(rows, np.arange(len(pieces))))


class Positions(IterableDataset):
    """Batches of tensors: the inputs of White and of Black, their offsets (as EmbeddingBag takes them), side to move, score, result.

    buffer: records that are shuffled at once. start: so many batches of each worker are left out, to resume an epoch; their
    records are read again, but no features are made of them. Set `epoch` before each pass.
    """

    def __init__(self, paths, batch=16384, buffer=1 << 18, seed=0, epoch=0, start=0, features=half_kp, **options):
        self.paths, self.batch, self.buffer, self.seed, self.epoch, self.start = list(paths), batch, buffer, seed, epoch, start
        self.features, self.options = features, options  # of sb.open(): keep=, drop=, format=

    def records(self, worker, workers):
        rng = np.random.default_rng((self.seed, self.epoch, worker))
        order = np.random.default_rng((self.seed, self.epoch)).permutation(len(self.paths))
        for path in (self.paths[i] for i in order):
            for read in sb.open(path, part=(worker + 1, workers), batch=self.buffer, **self.options):
                mixed = rng.permutation(len(read.positions))
                for begin in range(0, len(mixed), self.batch):
                    chosen = mixed[begin:begin + self.batch]
                    yield sb.take(read.positions, chosen), read.scores[chosen], read.results[chosen]

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        for positions, scores, results in itertools.islice(self.records(worker, workers), self.start, None):
            arrays = (*self.features(positions), positions["stm"].copy(), scores, results)
            yield tuple(map(torch.from_numpy, arrays))


def loader(dataset, workers=0):
    """Batches come ready made; they are pinned where there is a GPU to take them."""
    return DataLoader(dataset, batch_size=None, num_workers=workers, pin_memory=torch.cuda.is_available())


if __name__ == "__main__":
    for count in (0, 1, 2):
        begin = time.perf_counter()
        total = sum(len(batch[-1]) for batch in loader(Positions(sys.argv[1:]), count))
        print(f"{count} workers: {total / (time.perf_counter() - begin):.0f} positions a second")
