"""Tries an installed seebatch: its values of moves are those that the tool wrote, and it reads every position of a file.

    release_values.py VALUES POSITIONS

VALUES is what "seebatch eval" printed; POSITIONS is a file of any format with one position on each line.
"""
import sys

import seebatch

with open(sys.argv[1]) as file:
    rows = [line.split("\t") for line in file.read().splitlines()[:200]]
assert len(rows) == 200, len(rows)
for position, move, value in rows:
    assert seebatch.see(position, move) == int(value), (position, move, value)
read = sum(len(batch.positions) for batch in seebatch.open(sys.argv[2]))
with open(sys.argv[2]) as file:
    expected = sum(1 for line in file)
assert read == expected >= 200, (read, expected)
print("all equal")
