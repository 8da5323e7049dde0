"""Lichess's evaluations in Parquet, a row for each line, become training data: of each position the best line of its
deepest evaluation, where no capture wins anything. With DuckDB, in batches.

    python3 evaluations_duckdb.py OUTPUT.csv FILE.parquet...
    python3 make_parquet.py positions.parquet && python3 evaluations_duckdb.py quiet.csv positions.parquet

A mate in N moves is the score 32000 - N of the side that mates, as elsewhere in seebatch.
"""
import sys

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import seebatch as sb
from seebatch import columns

DEEPEST = """
    select fen, split_part(line, ' ', 1) as move, coalesce(cp, sign(mate) * 32000 - mate)::int as score, depth
    from read_parquet(?)
    qualify row_number() over (partition by fen order by depth desc, knodes desc,
                               if(split_part(fen, ' ', 2) = 'w', score, -score) desc) = 1
"""

with sb.create(sys.argv[1], columns=["depth"]) as file, duckdb.connect() as connection:
    for batch in connection.execute(DEEPEST, [sys.argv[2:]]).to_arrow_reader(100_000):
        wins = pa.array(columns.best_capture(batch["fen"])).field("value")
        file.write_table(pa.table(batch.filter(pc.less(pc.fill_null(wins, 0), 1))))
print(file.counts["written"], "positions written,", file.counts["bad"], "bad rows")
