#!/usr/bin/python3
"""How many cores the tool can use, for each format: the time that a position takes, and the part of it that one thread does at a time.

    bench/cores.py BINPACK --as NAME [--build DIRECTORY] [--pgn FILE] [--runs N] [--only FORMAT ...] [--record FILE]
                   [--emulated [THREADS ...]] [--urgent]

BINPACK is a file of some hundred thousand positions, such as nnue-pytorch's .pgo/small.binpack. It is converted to each
format, and repeated until reading takes some tenths of a second. `filter --drop in-check` then counts these positions or
writes them to another file, both in /dev/shm, by the program seebatch_clocked (bench/clocks.c), which is built if need be.

With N cores, a position takes at least as long as reading it, as writing it, and as all of the work divided by N. So the
speed stops growing at (all of the work) / (the larger of reading and writing) cores: that is the bound that is printed. The
model is checked by runs on one thread and two, and by runs in which the workers sleep as long as their work would take,
which any number of threads can do at a time: `elapsed` is what the clock says, `model` what it should say.

Processor time for each position in nanoseconds, minima of --runs runs. --record keeps the figures under NAME in a JSON file.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HOME = pathlib.Path(__file__).resolve().parent.parent
FORMATS = {"binpack": 60, "viriformat": 60, "bulletformat": 20, "fen": 8, "csv": 8, "plain": 8}  # how many times the file
EMULATED = (1, 2, 4, 8, 16, 32, 64)


def run(options, arguments, emulated=None):
    """Nanoseconds for each position: reading, writing, work, elapsed; and bytes of input and output for each position."""
    clocks = pathlib.Path(options.folder) / "clocks"
    clocks.unlink(missing_ok=True)
    more = {} if emulated is None else {"SEEBATCH_CLOCKS_WORK": "{:.4f},{:.4f}".format(*emulated)}
    subprocess.run([options.build / "bin/seebatch_clocked", "filter", "--drop", "in-check", "--quiet", *arguments], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, SEEBATCH_CLOCKS=str(clocks), **more))
    n, taken, given, reading, writing, work, elapsed = map(int, clocks.read_text(encoding="ascii").split())
    n = n if emulated is None else options.positions
    return {"reading": reading / n, "writing": writing / n, "work": work / n, "elapsed": elapsed / n, "in": taken / n, "out": given / n}


def measure(options, path, target):
    """Minima of real runs on one thread; what the model says, and what the clock does, with more threads."""
    where = ["--count"] if target is None else ["--output", target]

    def least(threads, emulated=None, runs=options.runs):
        found = []
        for _ in range(runs):
            if target is not None:
                target.unlink(missing_ok=True)
            found.append(run(options, [path, *where, "--threads", str(threads)], emulated))
        return {key: min(each[key] for each in found) for key in found[0]}

    one, two = least(1), least(2)
    reading, writing, work = (min(one[key], two[key]) for key in ("reading", "writing", "work"))
    each = {key: round(value, 2) for key, value in (("reading", reading), ("writing", writing), ("work", work))}
    each["elapsed"] = {"1": round(one["elapsed"], 1), "2": round(two["elapsed"], 1)}
    each["emulated"] = {}
    for threads in options.emulated:
        found = least(threads, (work / one["in"], one["out"] / one["in"]), 3)
        model = max((found["reading"] + work) / threads, found["reading"], found["writing"])
        each["emulated"][str(threads)] = {"elapsed": round(found["elapsed"], 2), "model": round(model, 2)}
    return each


def show(name, each):
    total = each["reading"] + each["writing"] + each["work"]
    print(f"{name}: {total:.0f} ns, of which reading {each['reading']:.1f}, writing {each['writing']:.1f}; "
          f"bound {total / max(each['reading'], each['writing']):.0f} cores; elapsed {each['elapsed']}; sleeping: "
          + ", ".join(f"{n}: {found['elapsed']} ({found['model']})" for n, found in each["emulated"].items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binpack", type=pathlib.Path)
    parser.add_argument("--as", dest="name", required=True)
    parser.add_argument("--build", type=pathlib.Path, default=HOME / "build-release")
    parser.add_argument("--pgn", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", nargs="+", default=[*FORMATS, "pgn", "binpack.gz", "binpack.zst"])
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--emulated", type=int, nargs="*", default=EMULATED, metavar="THREADS")
    parser.add_argument("--urgent", action="store_true", help="ask Linux to run this before what others do (as root)")
    options = parser.parse_args()
    if options.urgent:
        pathlib.Path("/proc/self/autogroup").write_text("-15", encoding="ascii")
    subprocess.run(["cmake", "--build", options.build, "--target", "seebatch_clocked"], check=True, stdout=subprocess.DEVNULL)
    clocked = options.build / "bin/seebatch_clocked"
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=HOME, capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        options.folder = folder
        found = {}
        for form in options.only:
            plain, _, ending = form.partition(".")
            path, once = pathlib.Path(folder) / f"in.{form}", options.binpack.read_bytes()
            if form == "pgn":
                if options.pgn is None:
                    continue
                path = options.pgn
            else:
                source = pathlib.Path(folder) / "in.binpack"
                source.write_bytes(once * FORMATS[plain])
                if plain != "binpack":
                    subprocess.run([clocked, "convert", "--quiet", "--lose", "all", "--output", path, source], check=True)
                elif ending:  # whole members or frames, so that a copy does not refer to the one before
                    part = subprocess.run({"gz": ["gzip", "-c"], "zst": ["zstd", "-qc"]}[ending], input=once, check=True,
                                          stdout=subprocess.PIPE).stdout
                    path.write_bytes(part * FORMATS[plain])
                    source.unlink()
            count = subprocess.run([clocked, "filter", "--count", "--quiet", path], capture_output=True, text=True, check=True).stdout
            options.positions = int(count)
            found[form] = {"counting": measure(options, path, None)}
            show(f"{form}, counting", found[form]["counting"])
            if form != "pgn" and not ending:
                found[form]["writing"] = measure(options, path, pathlib.Path(folder) / f"out.{form}")
                show(f"{form}, writing", found[form]["writing"])
            if path != options.pgn:
                path.unlink()
            if options.record:
                data = json.loads(options.record.read_text(encoding="utf-8")) if options.record.exists() else {}
                head = {"commit": commit, "date": datetime.date.today().isoformat(), "runs": options.runs}
                of = data.setdefault(options.name, {**head, "rows": {}})
                of.update(head)
                of["rows"][form] = found[form]
                options.record.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
