"""How many positions hang a piece, and in how many is the best move to take it? With pandas.

    python3 hanging_pandas.py FILE.parquet
    python3 make_parquet.py positions.parquet && python3 hanging_pandas.py positions.parquet
"""
import sys

import pandas as pd
from seebatch import columns

frame = pd.read_parquet(sys.argv[1], columns=["fen", "line"])
best = pd.DataFrame.from_arrow(columns.best_capture(frame["fen"]))
hangs = best["value"] >= 300
taken = hangs & (frame["line"].str.split().str[0] == best["move"])
print(len(frame), hangs.sum(), taken.sum())
