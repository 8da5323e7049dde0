"""Which path answers a call of each shape under each rule set is what docs/data/paths.tsv says.

    test_paths.py PROJECT SEEBATCH_PATHS [--write]

No other test notices that a threshold between two paths has changed, because the answers stay the same. Where the machine
cannot run a kernel, its rows are not compared, and the test says so.
"""
import subprocess
import sys
from pathlib import Path

PROJECT, PROGRAM = Path(sys.argv[1]), sys.argv[2]
TABLE = PROJECT / "docs/data/paths.tsv"

run = subprocess.run([PROGRAM, PROJECT / "bench/data/positions.fen"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
sys.stderr.write(run.stderr)
if run.returncode != 0:
    sys.exit(f"{PROGRAM} ended with status {run.returncode}, expected 0")
if "--write" in sys.argv[3:]:
    if "skipped" in run.stderr:
        sys.exit("the table is written on a machine that can run all kernels for x86")
    TABLE.write_text(run.stdout, encoding="utf-8")
    sys.exit()
found, known = run.stdout.splitlines(), TABLE.read_text(encoding="utf-8").splitlines()
kernels = {row.split("\t")[0] for row in found[2:]}
if "neon" in kernels or "simd128" in kernels:
    print("skipped: the table has the kernels of x86 alone")
    sys.exit(77)
if found[:2] != known[:2]:
    sys.exit(f"{TABLE.name}: its head differs from what {PROGRAM} prints; run the test with --write")
known = [row for row in known[2:] if row.split("\t")[0] in kernels]
for row in found[2:]:
    if row not in known:
        sys.exit(f"{TABLE.name} does not have the row\n{row}\nexpected that each shape takes the paths of the table; if the change is meant, "
                 "run tests/build/test_paths.py with --write")
for row in known:
    if row not in found:
        sys.exit(f"no call takes the path of the row\n{row}\nof {TABLE.name} any more; if the change is meant, run "
                 "tests/build/test_paths.py with --write")
