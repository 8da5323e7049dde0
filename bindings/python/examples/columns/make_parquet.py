"""Positions of any file with moves and scores as Parquet, with the columns of Lichess's data set of evaluations.

    python3 make_parquet.py OUTPUT.parquet [FILE...]
    python3 make_parquet.py positions.parquet

Without a FILE it takes the games that the package brings.
"""
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import seebatch as sb

SCHEMA = pa.schema({"fen": pa.string(), "line": pa.string(), "depth": pa.uint8(), "knodes": pa.uint32(), "cp": pa.int32(),
                    "mate": pa.int32()})


def rows(batch):
    fens = pc.replace_substring_regex(batch["fen"], r" \d+ \d+$", "")  # Lichess leaves out the clocks
    nulls = [pa.nulls(len(batch), SCHEMA.field(name).type) for name in ("depth", "knodes", "mate")]
    return pa.record_batch([fens, batch["move"], nulls[0], nulls[1], batch["score"], nulls[2]], schema=SCHEMA)


with pq.ParquetWriter(sys.argv[1], SCHEMA) as writer:
    for path in sys.argv[2:] or [sb.sample_file("games.binpack")]:
        for batch in pa.RecordBatchReader.from_stream(sb.open(path, batch=400)):
            writer.write_batch(rows(batch))
