"""Prints a table in Markdown: which file of a release was tried on which machine, and what was not tried.

    release_table.py FILES RESULTS

RESULTS has a line for each try: the file's name, the machine, ok or FAILED, separated by tabulators.
"""
import re
import sys
from pathlib import Path

# The machines that a file belongs on, by its name. Those in parentheses are not at hand where this test is run.
RELEASES = ("Debian 12", "Debian 13", "Debian testing")
BELONGS = ((r"windows|win_amd64", ("Windows (Wine)",)), (r"macos", ("(macOS)",)), (r"musllinux", ("(Alpine)",)),
           (r"aarch64", ("aarch64 (qemu)",)), (r"", RELEASES))
MACHINES = (*RELEASES, "aarch64 (qemu)", "Windows (Wine)", "(macOS)", "(Alpine)")
# Files that only serve another one, with which they are tried.
PARTS = {r"\.orig(-simdjson)?\.tar\.gz$": ".dsc", r"\.debian\.tar\.\w+$": ".dsc"}


def main():
    files = sorted(path.name for path in Path(sys.argv[1]).iterdir())
    results = {}
    for line in Path(sys.argv[2]).read_text().splitlines():
        name, machine, result = line.split("\t")
        results[name, machine] = result
    rows = [("file", *MACHINES)]
    for name in files:
        if any(re.search(pattern, name) for pattern in PARTS):
            continue
        here = next(machines for pattern, machines in BELONGS if re.search(pattern, name))
        cells = [results.get((name, machine), "not tried") if machine in here else "" for machine in MACHINES]
        rows.append((name, *cells))
    rows.insert(1, ["---"] * len(rows[0]))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print("\nFiles by machine; an empty cell means that the file is not for that machine:\n")
    for row in rows:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    cells = [cell for row in rows[2:] for cell in row[1:] if cell]
    print(f"\n{cells.count('ok')} worked, {cells.count('FAILED')} failed, {cells.count('not tried')} were not tried; lines above that begin with "
          "SKIPPED or FAILED say why.")


main()
