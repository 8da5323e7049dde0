#!/usr/bin/env python3
"""How many instructions the kernels need for a fixed workload, counted by valgrind's callgrind: a regression shows without a
clock.

    test_machine_counts.py PROJECT BUILD PROGRAM

BUILD names compiler, version and kind of build: "GNU 12.2.0 Release". PROGRAM is count_instructions. Its counts are held
against those of this BUILD in data/machine/counts.tsv, one per cent more or less; with SEEBATCH_UPDATE_TABLES=1 in the
environment the table's rows of this BUILD are written anew instead.

Ends with 1 if a count differs, with 77 if something could not be counted, which it names: a BUILD that the table does not
have, or a kernel that valgrind's processor cannot run.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import machine_table

TOLERANCE = 0.01
# The C library chooses its memcpy by the processor; this one it has everywhere.
SAME_MEMCPY = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2_Usable,-ERMS,-FSRM"}


def count(program, positions):
    """What the program printed, and the instructions of each call of its function measure()."""
    with tempfile.TemporaryDirectory() as directory:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={directory}/out", "--toggle-collect=measure",
                   "--dump-after=measure", program, positions]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                env=os.environ | SAME_MEMCPY)
        if result.returncode != 0:
            sys.exit(f"FAILED: {' '.join(command)} ended with status {result.returncode}:\n{result.stderr}")
        counts = []
        while (out := pathlib.Path(directory) / f"out.{len(counts) + 1}").exists():
            if "Trigger: --dump-after=measure" not in (text := out.read_text()):
                break  # the last one is of the program's end
            counts.append(int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1]))
    return result.stdout.splitlines(), counts


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    project, build, program = pathlib.Path(sys.argv[1]), sys.argv[2].strip(), sys.argv[3]
    table = machine_table.Table(project / "tests/data/machine/counts.tsv", keys=5)
    update = bool(os.environ.get("SEEBATCH_UPDATE_TABLES"))
    if not table.has_build(build) and not update:
        print(f"SKIPPED: instruction counts of {build}; the table has {table.builds()}")
        sys.exit(77)
    if not shutil.which("valgrind"):
        print("SKIPPED: instruction counts: there is no valgrind")
        sys.exit(77)
    lines, counts = count(program, str(project / "bench/data/positions.fen"))
    skipped = [line.split("\t")[1] for line in lines if line.startswith("skipped\t")]
    labels = [line.split("\t") for line in lines if not line.startswith("skipped\t")]
    if len(labels) != len(counts) or not counts or not all(counts):
        sys.exit(f"FAILED: {program} printed {len(labels)} labels, but callgrind counted {len(counts)} calls of measure(), or "
                 "found nothing in one")
    measured = {(build, *label[:4]): (int(label[4]), n) for label, n in zip(labels, counts)}
    table.drop(kernel for kernel in skipped if not update)
    wrong = []
    if update:
        table.update(build, measured)
    else:
        wrong = list(table.compare(build, measured, {"requests": 0, "instructions": TOLERANCE}, lower_is_wrong=True))
    for line in wrong:
        print(f"FAILED: {line}")
    if not wrong:
        print(f"ok: {len(measured)} instruction counts of {build}; a request of bulk/value/swap takes " + ", ".join(
            f"{n / requests:.0f} ({kernel})" for (_, kernel, *way), (requests, n) in measured.items()
            if way == ["bulk", "value", "swap"]))
    for kernel in skipped:
        print(f"SKIPPED: instruction counts of the kernel {kernel}, which valgrind's processor cannot run")
    sys.exit(1 if wrong else 77 if skipped and not update else 0)


if __name__ == "__main__":
    main()
