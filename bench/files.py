#!/usr/bin/python3
"""The tool on files, beside programs that only read them: positions a second of whole processes.

    bench/files.py PEERS [--tool FILE] [--core N] [--turns N] [--pair NAME FILE COMMAND ...]

PEERS is a folder with a checkout of nnue-pytorch, whose small.binpack is taken eight times in a row, as binpack and as
FEN. Its reader is compiled with the program of bench/peers that counts the positions which neither capture nor stand in
check. Checkouts of bulletformat, marlinflow and viriformat, where they are there, are compiled likewise by cargo, and go
over the same positions in their formats. --pair, any number of times: COMMAND, which is given FILE as its last argument.
All but the first are beside `seebatch filter --count` of their file.

One core, in turns; user time of the whole process, medians. Rows of two threads and those of .zst files are by the
clock, the best of all turns: one thread on this core, and two on it and the next.
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
        "stats all.binpack", "filter --sample 0.6 --output out.binpack all.binpack", "filter --count all.fen",
        "filter --drop in-check --count all.fen", "filter --drop any-capture=0.. --count all.fen", "stats all.fen",
        "annotate --output out.tsv all.fen"]
BY_CLOCK = ["filter --drop any-capture=0.. --count all.binpack", "stats all.binpack", "stats all.fen",
            "filter --drop in-check --count all.fen.zst", "filter --drop in-check --output out.fen.zst all.fen"]
CRATES = {"bulletformat": "bulletformat", "marlinformat": "marlinflow/marlinformat", "viriformat": "viriformat"}
MANIFEST = """[package]
name = "peer"
version = "1.0.0"
edition = "2021"
[[bin]]
name = "peer"
path = "{program}"
[dependencies]
{name} = {{ path = "{crate}" }}
[profile.release]
codegen-units = 1
lto = true
"""


def run(command, directory, cores):
    """Seconds of user time, and on the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   preexec_fn=lambda: os.sched_setaffinity(0, cores))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, time.perf_counter() - begin


def in_turns(commands, directory, turns, clock=False):
    """Of each of some (command, cores): the median user time, or the best time on the clock."""
    times = [[run(command, directory, cores)[clock] for command, cores in commands] for _ in range(turns)]
    return [(min if clock else statistics.median)(column) for column in zip(*times)]


def program(name, ending):
    return os.path.join(HOME, "bench", "peers", name + ending)


def compile_reader(peers, directory):
    """nnue-pytorch's reader, as its trainers compile it."""
    command = ["g++", "-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-DHAS_BMI2", "-I",
               os.path.join(peers, "nnue-pytorch", "data_loader", "cpp", "lib"), program("binpack", ".cpp"), "-o", "reader"]
    subprocess.run(command, cwd=directory, check=True)
    return os.path.join(directory, "reader")


def compile_crate(name, crate, directory):
    folder = os.path.join(directory, name)
    os.mkdir(folder)
    with open(os.path.join(folder, "Cargo.toml"), "w", encoding="ascii") as file:
        file.write(MANIFEST.format(name=name, crate=crate, program=program(name, ".rs")))
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True,
                   env=dict(os.environ, RUSTFLAGS="-C target-cpu=native", CARGO_TARGET_DIR=os.path.join(folder, "target")))
    return os.path.join(folder, "target", "release", "peer")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers")
    parser.add_argument("--tool", default=os.path.join(HOME, "build-release", "bin", "seebatch"))
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--pair", nargs=3, action="append", default=[], metavar=("NAME", "FILE", "COMMAND"))
    options = parser.parse_args()
    one, two, peers = {options.core}, {options.core, options.core + 1}, os.path.abspath(options.peers)

    def tool(row, threads=1):
        return [os.path.abspath(options.tool), *row.split(), "--quiet", "--threads", str(threads)]

    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as directory:
        with open(os.path.join(peers, "nnue-pytorch", ".pgo", "small.binpack"), "rb") as file:
            chunk = file.read()
        with open(os.path.join(directory, "all.binpack"), "wb") as file:
            file.write(8 * chunk)
        reader = compile_reader(peers, directory)
        pairs = [(name, path, shlex.split(command)) for name, path, command in options.pair]
        for name, folder in CRATES.items():
            crate, path = os.path.join(peers, folder), os.path.join(directory, "all." + name)
            if os.path.isdir(crate):
                subprocess.run(tool(f"convert --lose all --to {name} --output {path} all.binpack", 2), cwd=directory, check=True)
                pairs.append((name, path, [compile_crate(name, crate, directory)]))

        text = subprocess.run(tool("convert --lose all --to fen all.binpack", 2), cwd=directory, stdout=subprocess.PIPE,
                              check=True).stdout
        with open(os.path.join(directory, "all.fen"), "wb") as file: # without the moves
            file.writelines(line.split(b"\t")[0] + b"\n" for line in text.splitlines())
        subprocess.run(tool("convert --output all.fen.zst all.fen", 2), cwd=directory, check=True)
        n = int(subprocess.run(tool("filter --count all.fen"), cwd=directory, stdout=subprocess.PIPE, check=True).stdout)
        peer, *times = in_turns([([reader, "all.binpack"], one)] + [(tool(row), one) for row in ROWS], directory, options.turns)
        print(f"{n} positions, {options.turns} turns\n\n| | millions a second | of the peer |\n|---|--:|--:|")
        print(f"| the peer | {1e-6 * n / peer:.1f} | |")
        for row, seconds in zip(ROWS, times):
            print(f"| `{row}` | {1e-6 * n / seconds:.1f} | {peer / seconds:.2f} |")
        for row in BY_CLOCK:
            single, double = in_turns([(tool(row), one), (tool(row, 2), two)], directory, options.turns, True)
            print(f"| `{row}`, by the clock | {1e-6 * n / single:.1f} | two threads {single / double:.2f} |")
        for name, path, command in pairs:
            path = os.path.abspath(path)
            row = f"filter --count --from {name} {path}" if name in CRATES else f"filter --count {path}"
            theirs, ours = in_turns([([*command, path], one), (tool(row), one)], directory, options.turns)
            print(f"| {name}, {os.path.basename(path)} | {1e3 * ours:.0f} ms, theirs {1e3 * theirs:.0f} ms | {theirs / ours:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
