"""How many positions hang a piece, and in how many is the best move to take it? With Spark.

    python3 hanging_spark.py FILE.parquet [MASTER]
    python3 make_parquet.py positions.parquet && python3 hanging_spark.py positions.parquet
"""
import sys

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession


def count(batches):
    from seebatch import columns
    for batch in batches:
        best = pa.array(columns.best_capture(batch["fen"]))
        hangs = pc.greater_equal(best.field("value"), 300)
        first = pc.list_element(pc.split_pattern(batch["line"], " ", max_splits=1), 0)
        taken = pc.and_(hangs, pc.equal(first, best.field("move")))
        yield pa.record_batch({"n": [len(batch)], "hanging": [pc.sum(hangs).as_py()], "taken": [pc.sum(taken).as_py()]})


if __name__ == "__main__":
    spark = SparkSession.builder.master(sys.argv[2] if len(sys.argv) > 2 else "local[2]").getOrCreate()
    parts = spark.read.parquet(sys.argv[1]).select("fen", "line").repartition(4)
    print(*parts.mapInArrow(count, "n long, hanging long, taken long").groupBy().sum().first())
    spark.stop()
