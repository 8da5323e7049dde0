#!/usr/bin/python3
"""The tool on files, beside a program that only reads them: positions a second of whole processes.

    bench/files.py BINPACK PEER [--tool FILE] [--core N] [--turns N] [--pair NAME FILE COMMAND ...]

BINPACK is a file of Stockfish's format; it is taken eight times in a row, and its positions as FEN, too. PEER is a
command that is given the file as its last argument: the reader of a trainer, say, which counts the positions that
neither capture nor stand in check. --pair, any number of times: COMMAND, which is given FILE likewise, beside
`seebatch filter --count` of that FILE.

One core, in turns; user time of the whole process, medians. Rows of two threads and those of .zst files are by the
clock, on this core and the next.
"""
import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROWS = ["filter --drop in-check --drop capture --count all.binpack", "filter --drop any-capture=0.. --count all.binpack",
        "stats all.binpack", "filter --sample 0.6 --output out.binpack all.binpack",
        "filter --drop in-check --count all.fen", "filter --drop any-capture=0.. --count all.fen", "stats all.fen",
        "annotate --output out.tsv all.fen"]
BY_CLOCK = ["filter --drop any-capture=0.. --count all.binpack", "stats all.binpack",
            "filter --drop in-check --count all.fen.zst", "filter --drop in-check --output out.fen.zst all.fen"]


def run(command, directory, cores):
    """Seconds of user time, and on the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   preexec_fn=lambda: os.sched_setaffinity(0, cores))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, time.perf_counter() - begin


def in_turns(commands, directory, turns, clock=False):
    """The median of each of some (command, cores)."""
    times = [[run(command, directory, cores)[clock] for command, cores in commands] for _ in range(turns)]
    return [statistics.median(column) for column in zip(*times)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binpack")
    parser.add_argument("peer")
    parser.add_argument("--tool", default=os.path.join(HOME, "build-release", "bin", "seebatch"))
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--pair", nargs=3, action="append", default=[], metavar=("NAME", "FILE", "COMMAND"))
    options = parser.parse_args()
    one, two = {options.core}, {options.core, options.core + 1}

    def tool(row, threads=1):
        return [options.tool, *row.split(), "--quiet", "--threads", str(threads)]

    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as directory:
        with open(options.binpack, "rb") as file:
            chunk = file.read()
        with open(os.path.join(directory, "all.binpack"), "wb") as file:
            file.write(8 * chunk)
        text = subprocess.run(tool("convert --lose all --to fen all.binpack", 2), cwd=directory, stdout=subprocess.PIPE,
                              check=True).stdout
        with open(os.path.join(directory, "all.fen"), "wb") as file: # without the moves
            file.writelines(line.split(b"\t")[0] + b"\n" for line in text.splitlines())
        subprocess.run(tool("convert --output all.fen.zst all.fen", 2), cwd=directory, check=True)
        n = int(subprocess.run(tool("filter --count all.fen"), cwd=directory, stdout=subprocess.PIPE, check=True).stdout)
        peer, *times = in_turns([([*shlex.split(options.peer), "all.binpack"], one)] + [(tool(row), one) for row in ROWS],
                                directory, options.turns)
        print(f"{n} positions, medians of {options.turns}\n\n| | millions a second | of the peer |\n|---|--:|--:|")
        print(f"| the peer | {1e-6 * n / peer:.1f} | |")
        for row, seconds in zip(ROWS, times):
            print(f"| `{row}` | {1e-6 * n / seconds:.1f} | {peer / seconds:.2f} |")
        for row in BY_CLOCK:
            single, double = in_turns([(tool(row), one), (tool(row, 2), two)], directory, options.turns, True)
            print(f"| `{row}`, by the clock | {1e-6 * n / single:.1f} | two threads {single / double:.2f} |")
        for name, path, command in options.pair:
            path = os.path.abspath(path)
            theirs, ours = in_turns([([*shlex.split(command), path], one), (tool(f"filter --count {path}"), one)],
                                    directory, options.turns)
            print(f"| {name}, {os.path.basename(path)} | {1e3 * ours:.0f} ms, theirs {1e3 * theirs:.0f} ms | {theirs / ours:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
