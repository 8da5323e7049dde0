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
DUCKDB = """
import duckdb, pyarrow as pa, sys, time
from duckdb.sqltypes import SMALLINT, VARCHAR
from seebatch import columns
def best_capture(fens):
    return pa.array(columns.best_capture(fens)).field("value")
c = duckdb.connect(config={"threads": int(sys.argv[2])})
c.create_function("best_capture", best_capture, [VARCHAR], SMALLINT, type="arrow", null_handling="special")
begin = time.perf_counter()
n = c.execute("select count(*) filter (best_capture(fen) >= 300) from read_parquet(?)", [sys.argv[1]]).fetchone()
print(time.perf_counter() - begin)
c.close()
"""
POLARS = """
import polars as pl, sys, time
from seebatch import columns
best = pl.col("fen").map_batches(lambda fens: pl.Series(columns.best_capture(fens)).struct["value"],
                                 return_dtype=pl.Int16, is_elementwise=True)
begin = time.perf_counter()
pl.scan_parquet(sys.argv[1]).select((best >= 300).sum()).collect(engine="streaming")
print(time.perf_counter() - begin)
"""
PYTHON = """
import pyarrow.parquet as pq, sys, threading, time
from seebatch import columns
fens, n = pq.read_table(sys.argv[1])["fen"], int(sys.argv[2])
workers = [threading.Thread(target=columns.best_capture, args=[fens.slice(len(fens) * i // n, len(fens) // n)])
           for i in range(n)]
begin = time.perf_counter()
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(time.perf_counter() - begin)
"""
TABLE = """
import pyarrow as pa, seebatch as sb, sys, time
begin = time.perf_counter()
pa.table(sb.open(sys.argv[1]))
print(time.perf_counter() - begin)
"""
DRAIN = """
import pyarrow as pa, re, seebatch as sb, sys
def memory():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
before, stream = memory(), pa.RecordBatchReader.from_stream(sb.open(sys.argv[1]))
n = sum(map(len, stream))
print(memory() - before, n)
"""


def run(program, *words, **environment):
    done = subprocess.run([sys.executable, "-c", program, *map(str, words)], capture_output=True, text=True, check=True,
                          env={**os.environ, **environment})
    return list(map(float, done.stdout.split()))


def threads(name, program, path):
    rows = [[run(program, path, n, POLARS_MAX_THREADS=str(n))[0] for n in (1, 1, 2)] for _ in range(ROUNDS)]
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
    counts, tables = [], []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        subprocess.run([tool, "filter", "--count", "-j", "1", binpack], check=True, capture_output=True)
        counts.append(time.perf_counter() - begin)
        tables.append(run(TABLE, binpack)[0])
    print(f"a binpack as a table: {statistics.median(counts) / statistics.median(tables):.2f} of filter --count")
    print("a stream of it takes {:.0f} MiB at most besides Python's own, for {:.0f} records".format(*run(DRAIN, binpack)))


main()
