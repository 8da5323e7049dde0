"""How many positions hang a piece, and in how many is the best move to take it? With Dask, on two workers or a cluster.

    python3 hanging_dask.py FILE.parquet [ADDRESS OF A SCHEDULER]
    python3 make_parquet.py positions.parquet && python3 hanging_dask.py positions.parquet
"""
import sys

import dask.dataframe as dd
import pandas as pd
from distributed import Client
from seebatch import columns


def count(part):
    best = pd.DataFrame.from_arrow(columns.best_capture(part["fen"]))
    hangs = (best["value"] >= 300).to_numpy()
    taken = hangs & (part["line"].str.split().str[0].to_numpy() == best["move"].to_numpy())
    return pd.DataFrame({"rows": [len(part)], "hanging": [hangs.sum()], "taken": [taken.sum()]})


if __name__ == "__main__":
    with Client(sys.argv[2]) if len(sys.argv) > 2 else Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        parts = dd.read_parquet(sys.argv[1], columns=["fen", "line"], split_row_groups=True)
        print(*parts.map_partitions(count, meta={"rows": int, "hanging": int, "taken": int}).sum().compute())
