"""How many positions hang a piece, and in how many is the best move to take it? With Polars.

    python3 hanging_polars.py FILE.parquet
    python3 make_parquet.py positions.parquet && python3 hanging_polars.py positions.parquet
"""
import sys

import polars as pl
from seebatch import columns

CAPTURE = pl.Struct({"move": pl.String, "value": pl.Int16})
best = pl.col("fen").map_batches(lambda fens: pl.Series(columns.best_capture(fens)), return_dtype=CAPTURE,
                                 is_elementwise=True)
hangs = pl.col("best").struct["value"] >= 300
taken = pl.col("line").str.split(" ").list.first() == pl.col("best").struct["move"]
counts = (pl.scan_parquet(sys.argv[1]).with_columns(best=best)
          .select(pl.len(), hangs.sum().alias("hanging"), (hangs & taken).sum().alias("taken")))
print(*counts.collect(engine="streaming").row(0))
