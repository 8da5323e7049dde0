"""What columns cost in engines: two threads against one, a binpack as a table, and memory.

    python3 bench/columns.py TOOL FENS BINPACK

TOOL is the command-line tool, FENS a file with one a line, BINPACK a large one. Needs pyarrow, DuckDB and Polars.
"""
import os
import statistics
import subprocess
import sys
import time

ROUNDS = 5
REPEAT = """
times = []
for _ in range(9):
    begin = time.perf_counter()
    query()
    times.append(time.perf_counter() - begin)
print(min(times))
"""
DUCKDB = """
import duckdb, pyarrow as pa, sys, time
from duckdb.sqltypes import SMALLINT, VARCHAR
from seebatch import columns
def best_capture(fens):
    return pa.array(columns.best_capture(fens)).field("value")
c = duckdb.connect(config={"threads": int(sys.argv[2])})
c.execute("set enable_progress_bar = false")
c.create_function("best_capture", best_capture, [VARCHAR], SMALLINT, type="arrow", null_handling="special")
def query():
    c.execute("select count(*) filter (best_capture(fen) >= 300) from read_parquet(?)", [sys.argv[1]]).fetchone()
REPEAT
c.close()
"""
POLARS = """
import polars as pl, sys, time
from seebatch import columns
best = pl.col("fen").map_batches(lambda fens: pl.Series(columns.best_capture(fens)).struct["value"],
                                 return_dtype=pl.Int16, is_elementwise=True)
def query():
    pl.scan_parquet(sys.argv[1]).select((best >= 300).sum()).collect(engine="streaming")
REPEAT
"""
PYTHON = """
import pyarrow.parquet as pq, sys, threading, time
from seebatch import columns
fens, n = pq.read_table(sys.argv[1])["fen"], int(sys.argv[2])
def query():
    workers = [threading.Thread(target=columns.best_capture, args=[fens.slice(len(fens) * i // n, len(fens) // n)])
               for i in range(n)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
REPEAT
"""
TABLE = """
import pyarrow as pa, seebatch as sb, sys, time
def table(text):
    return pa.table(sb.open(sys.argv[1], text=text)).num_rows
def stream(text):
    return sum(map(len, pa.RecordBatchReader.from_stream(sb.open(sys.argv[1], text=text))))
for read, text in ((stream, True), (stream, False), (table, True), (table, False)):
    times = []
    for _ in range(4):
        begin = time.process_time()
        read(text)
        times.append(time.process_time() - begin)
    print(times[0], min(times))
"""
DRAIN = """
import pyarrow as pa, re, seebatch as sb, sys
def memory():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
before, stream = memory(), pa.RecordBatchReader.from_stream(sb.open(sys.argv[1]))
n = sum(map(len, stream))
print(memory() - before, n)
"""


def run(program, *words, cores=1, **environment):
    """What a program prints, run on so many cores."""
    those = sorted(os.sched_getaffinity(0))[:cores]
    done = subprocess.run([sys.executable, "-c", program.replace("REPEAT", REPEAT), *map(str, words)], capture_output=True,
                          text=True, check=True, env={**os.environ, **environment},
                          preexec_fn=lambda: os.sched_setaffinity(0, those))
    return list(map(float, done.stdout.split()))


def threads(name, program, path):
    """Of one core and of two: with one thread Polars decodes on the other core."""
    rows = [[run(program, path, n, cores=n, POLARS_MAX_THREADS=str(n))[0] for n in (1, 1, 2)] for _ in range(ROUNDS)]
    one, again, two = (statistics.median(column) for column in zip(*rows))
    print(f"{name:8} one thread {one:.3f} s; one again {one / again:.2f}, two {one / two:.2f} times as fast")


def main():
    import pyarrow as pa
    import pyarrow.parquet as pq
    tool, fens, binpack = sys.argv[1:]
    lines = pa.array(open(fens, encoding="ascii").read().split("\n")[:-1])
    pq.write_table(pa.table({"fen": pa.concat_arrays([lines] * 5)}), "columns.parquet", row_group_size=len(lines) // 5)
    threads("DuckDB", DUCKDB, "columns.parquet")
    threads("Polars", POLARS, "columns.parquet")
    threads("Python", PYTHON, "columns.parquet")
    os.remove("columns.parquet")
    rows = []
    for _ in range(ROUNDS):
        counts = []
        for _ in range(2):
            begin = os.times()
            subprocess.run([tool, "filter", "--count", "-j", "1", binpack], check=True, capture_output=True)
            end = os.times()
            counts.append(end.children_user + end.children_system - begin.children_user - begin.children_system)
        rows.append([counts[0] / time for time in (counts[1], *run(TABLE, binpack))])
    again, *rest = (statistics.median(column) for column in zip(*rows))
    print(f"filter --count again: {again:.2f} of filter --count, by processor time")
    names = ("stream with FENs", "stream with boards", "table with FENs", "table with boards")
    for what, first, best in zip(names, rest[::2], rest[1::2]):
        print(f"a {what}: {first:.2f} of filter --count the first time, {best:.2f} at the best of four")
    print("a stream of it takes {:.0f} MiB at most besides Python's own, for {:.0f} records".format(*run(DRAIN, binpack)))


main()
