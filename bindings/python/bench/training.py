"""Positions a second as batches of inputs in PyTorch: seebatch.torch with 0, 1 and 2 workers, a loop over boards of python-chess,
and nnue-pytorch's loader with 1 and 2 threads. In turns; each row runs for some seconds of an epoch after its first batch.

    python3 training.py FILE.binpack [--seconds 10] [--rounds 3] [--rows ROW ...] [--nnue FOLDER]

FILE must be so large that no row reaches its end. FOLDER is a clone of nnue-pytorch with its loader built. Processor time is that
of this process and its workers, for each position; it says more than elapsed time where others are at work. The last line is for
docs/data/figures.json: of each row the least and the median processor time for a position, in nanoseconds, and the highest and the
median number of positions a second.
"""
import argparse
import importlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time

import seebatch as sb
import torch
from seebatch.torch import PositionDataset, PositionLoader

ROWS = ("seebatch-0", "seebatch-0-again", "seebatch-1", "seebatch-2", "nnue-pytorch-1", "nnue-pytorch-2", "python-chess")
BATCH = 16384


def seebatch(path, workers):
    for batch in PositionLoader(PositionDataset(path, BATCH), workers):
        yield len(batch.stm)


def nnue_pytorch(path, threads):
    """Every position: no skipping. Its inputs are those of HalfKAv2_hm, which has one more for each side."""
    loader = importlib.import_module("data_loader")
    config = loader.DataloaderSkipConfig(filtered=False, wld_filtered=False, soft_early_fen_skipping=0, pc_y0=1.0, pc_y1=1.0, pc_y2=1.0,
                                  pc_y3=1.0, pc_y4=1.0)
    for tensors in loader.SparseBatchDataset("HalfKAv2_hm", [path], BATCH, cyclic=True, num_workers=threads, config=config):
        yield len(tensors[0])


def python_chess(path):
    """The same inputs from FENs, position by position."""
    chess = importlib.import_module("chess")
    fens = sb.to_fen(next(sb.open(path, batch=20000)).positions)
    while True:
        for begin in range(0, len(fens), 1000):
            white, black, offsets = [], [], []
            for fen in fens[begin:begin + 1000]:
                board = chess.Board(fen)
                kings = board.king(chess.WHITE), board.king(chess.BLACK) ^ 56
                offsets.append(len(white))
                for square, piece in board.piece_map().items():
                    if piece.piece_type != chess.KING:
                        kind = piece.piece_type - 1
                        white.append(kings[0] * 640 + (kind + 5 * (not piece.color)) * 64 + square)
                        black.append(kings[1] * 640 + (kind + 5 * piece.color) * 64 + (square ^ 56))
            tensors = torch.tensor(white), torch.tensor(black), torch.tensor(offsets)
            yield len(tensors[2])


def spent():
    return sum(resource.getrusage(who)[0] + resource.getrusage(who)[1] for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measure(row, options):
    name, number = row.removesuffix("-again").rsplit("-", 1)
    path = os.path.abspath(options.file)
    if name == "nnue-pytorch":
        os.chdir(options.nnue)
        sys.path.insert(0, options.nnue)
        importlib.import_module("data_loader")
    if row == "python-chess":
        importlib.import_module("chess")
    begin, before = time.perf_counter(), spent()
    if row == "python-chess":
        batches = python_chess(path)
    else:
        batches = seebatch(path, int(number)) if name == "seebatch" else nnue_pytorch(path, int(number))
    next(batches)
    first, total, count = time.perf_counter(), 0, 0
    while time.perf_counter() - first < options.seconds:
        total += next(batches)
        count += 1
    elapsed = time.perf_counter() - first
    batches.close()  # and with it its workers, whose time is known then
    print(row, f"{total / elapsed:.0f} positions/s, {1e9 * (spent() - before) / (total + BATCH):.0f} ns of processor time for each, "
          f"first batch after {first - begin:.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", nargs="+", default=ROWS)
    parser.add_argument("--nnue")
    parser.add_argument("--one", help="measure this row once, in this process")
    options = parser.parse_args()
    if options.one:
        measure(options.one, options)
        return
    told = {row: [] for row in options.rows if options.nnue or not row.startswith("nnue")}
    for _ in range(options.rounds):
        for row in told:
            command = [sys.executable, __file__, options.file, "--seconds", str(options.seconds), "--one", row]
            done = subprocess.run([*command, *(["--nnue", options.nnue] if options.nnue else [])], capture_output=True, text=True, check=True)
            line = re.search(rf"{row} (\d+) positions/s, (\d+) ns .*", done.stdout)
            told[row].append((int(line[1]), int(line[2])))
            print(line[0], flush=True)
    print(json.dumps({row: [min(times), round(statistics.median(times)), max(speeds), round(statistics.median(speeds))]
                      for row, (speeds, times) in ((row, zip(*rounds)) for row, rounds in told.items())}))


if __name__ == "__main__":
    main()
