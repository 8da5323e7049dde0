"""How many positions hang a piece, and in how many is the best move to take it? With Ray Data.

    python3 hanging_ray.py FILE.parquet
    python3 make_parquet.py positions.parquet && python3 hanging_ray.py positions.parquet
"""
import sys

import pyarrow as pa
import pyarrow.compute as pc
import ray
from seebatch import columns


def count(batch):
    best = pa.array(columns.best_capture(batch["fen"]))
    hangs = pc.greater_equal(best.field("value"), 300)
    first = pc.list_element(pc.split_pattern(batch["line"].combine_chunks(), " ", max_splits=1), 0)
    taken = pc.and_(hangs, pc.equal(first, best.field("move")))
    return pa.table({"n": [len(batch)], "hanging": [pc.sum(hangs).as_py()], "taken": [pc.sum(taken).as_py()]})


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    counts = ray.data.read_parquet(sys.argv[1], columns=["fen", "line"]).map_batches(count, batch_format="pyarrow")
    sums = counts.sum(["n", "hanging", "taken"])
    print(*(sums[f"sum({name})"] for name in ("n", "hanging", "taken")))
