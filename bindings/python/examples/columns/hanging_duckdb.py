"""How many positions hang a piece, and in how many is the best move to take it? With DuckDB: functions in SQL.

    python3 hanging_duckdb.py FILE.parquet
    python3 make_parquet.py positions.parquet && python3 hanging_duckdb.py positions.parquet
"""
import sys

import duckdb
import pyarrow as pa
from duckdb.sqltypes import SMALLINT, VARCHAR
from seebatch import columns

connection = duckdb.connect()
connection.create_function("see", lambda fens, moves: pa.array(columns.see(fens, moves)), [VARCHAR, VARCHAR], SMALLINT,
                           type="arrow", null_handling="special")
connection.create_function("best_capture", lambda fens: pa.array(columns.best_capture(fens)), [VARCHAR],
                           duckdb.struct_type({"move": VARCHAR, "value": SMALLINT}), type="arrow", null_handling="special")
print(*connection.execute("""
    with found as (select best_capture(fen) as best, see(fen, split_part(line, ' ', 1)) as value,
                          split_part(line, ' ', 1) as move from read_parquet(?))
    select count(*), count(*) filter (best.value >= 300),
           count(*) filter (best.value >= 300 and move = best.move and value = best.value)
    from found""", [sys.argv[1]]).fetchone())
connection.close()
