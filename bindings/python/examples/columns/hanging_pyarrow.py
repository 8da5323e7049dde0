"""How many positions hang a piece, and in how many is the best move to take it? With pyarrow, in batches.

    python3 hanging_pyarrow.py FILE.parquet
    python3 make_parquet.py positions.parquet && python3 hanging_pyarrow.py positions.parquet
"""
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from seebatch import columns


def count(batch):
    """Rows, those where a capture wins a piece or more, and those of them where the line begins with it."""
    best = pa.array(columns.best_capture(batch["fen"]))
    hangs = pc.greater_equal(best.field("value"), 300)
    first = pc.list_element(pc.split_pattern(batch["line"], " ", max_splits=1), 0)
    taken = pc.and_(hangs, pc.equal(first, best.field("move")))
    return len(batch), pc.sum(hangs).as_py() or 0, pc.sum(taken).as_py() or 0


print(*map(sum, zip(*(count(batch) for batch in pq.ParquetFile(sys.argv[1]).iter_batches(columns=["fen", "line"])))))
