#!/usr/bin/env python3
"""How many instructions the kernels need for a fixed workload: a regression shows without a clock.

    test_machine_counts.py PROJECT BUILD PROGRAM

BUILD names the compiler's exact version and the kind of build: "GNU (Debian 12.2.0-14) 12.2.0 Release". PROGRAM is
count_instructions. Valgrind's callgrind counts. Its processor has no AVX-512, so kernels that need it are counted by
the program itself, in single steps of this machine's processor, if it runs them. Either way only the program's own
instructions count, not those of the C library, whose memcpy is another one on every machine.

The counts are held against those of this BUILD in data/machine/counts.tsv: a rise of more than three per cent is an
error, a fall of more a note. With SEEBATCH_UPDATE_TABLES=1 in the environment the table's rows of this BUILD are
written anew instead.

Ends with 1 if a count is too high, with 77 if something could not be counted or compared, which it names: a compiler
or a kernel that the table does not have, a kernel that cannot run here, or one that leaves calls to another one here.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import machine_table

TOLERANCE = {"instructions": (0.03, 0)}
KEYS = ["build", "counter", "kernel", "shape", "form", "rules", "requests"]


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: {' '.join(command)} ended with status {result.returncode}:\n{result.stderr}")
    return result.stdout.splitlines()


def own_instructions(profile, program):
    """The instructions of the program in a profile, without those of libraries. A line 'ob=' names the object of the
    lines below it, which are of a place and its cost; the line below 'calls=' is the callee's cost once more."""
    count, is_own, is_call = 0, False, False
    for line in profile.splitlines():
        if line.startswith("ob="):
            is_own = os.path.realpath(line[3:]) == os.path.realpath(program)
        elif line.startswith("calls="):
            is_call = True
        elif re.match(r"\d", line):
            if is_own and not is_call:
                count += int(line.split()[1])
            is_call = False
    return count


def count_by_callgrind(program, positions):
    """({key without build: count}, the kernels that valgrind's processor cannot run)"""
    with tempfile.TemporaryDirectory() as directory:
        lines = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={directory}/out",
                     "--toggle-collect=measure", "--dump-after=measure", "--compress-strings=no",
                     "--compress-pos=no", program, positions])
        counts = []
        while (out := pathlib.Path(directory) / f"out.{len(counts) + 1}").exists():
            if "Trigger: --dump-after=measure" not in (profile := out.read_text()):
                break  # the last one is of the program's end
            counts.append(own_instructions(profile, program))
    labels = [tuple(line.split("\t")) for line in lines if not line.startswith("skipped\t")]
    if len(labels) != len(counts) or not counts or not all(counts):
        sys.exit(f"FAILED: {program} printed {len(labels)} labels, but callgrind counted {len(counts)} calls of "
                 "measure(), or found nothing in one")
    skipped = [line.split("\t")[1] for line in lines if line.startswith("skipped\t")]
    return {("callgrind", *label): count for label, count in zip(labels, counts)}, skipped


def count_by_steps(program, positions, kernel):
    """The same for one kernel, by the program itself; and what this machine cannot run, or runs by another way: the
    beginnings of keys, (kernel,) or (kernel, shape)."""
    lines = [line.split("\t") for line in run([program, positions, kernel])]
    skipped = {tuple(line[1:]) for line in lines if line[0] == "skipped"}
    counted = {("steps", *line[:-1]): int(line[-1]) for line in lines if line[0] != "skipped"}
    if not (counted or skipped) or not all(counted.values()):
        sys.exit(f"FAILED: {program} {positions} {kernel} counted nothing")
    return counted, skipped


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    project, build, program = pathlib.Path(sys.argv[1]), sys.argv[2].strip(), sys.argv[3]
    table = machine_table.Table(project / "tests/data/machine/counts.tsv", keys=len(KEYS))
    update = bool(os.environ.get("SEEBATCH_UPDATE_TABLES"))
    if not table.has_build(build) and not update:
        sys.exit(table.compare(build, {}, TOLERANCE, group=len(KEYS)).report("instruction counts"))
    if not shutil.which("valgrind"):
        print("SKIPPED: instruction counts: there is no valgrind")
        sys.exit(1 if update else 77)
    positions = str(project / "bench/data/positions.fen")
    counted, without_valgrind = count_by_callgrind(program, positions)
    skipped = set()
    for kernel in without_valgrind:
        steps, skipped_steps = count_by_steps(program, positions, kernel)
        counted |= steps
        skipped |= skipped_steps
    measured = {(build, *key): (count,) for key, count in counted.items()}
    if update:
        table.update(build, measured)
        for what in sorted(skipped):
            print(f"{' '.join(what)}: no rows, because this machine cannot run it, or runs it by another way")
        sys.exit(0)
    first = KEYS.index("kernel")
    table.forget(lambda key: any(key[first:first + len(what)] == what for what in skipped))
    comparison = table.compare(build, measured, TOLERANCE, group=len(KEYS))
    comparison.skipped += [f"{' '.join(what)}, which this machine cannot run, or runs by another way"
                           for what in sorted(skipped)]
    status = comparison.report("instruction counts")
    if comparison.compared and not comparison.wrong:
        print(f"ok: {comparison.compared} instruction counts of {build} are no higher than in the table")
    print("instructions a request of bulk/value/swap: " + ", ".join(
        f"{count / int(requests):.0f} ({kernel})" for (_, kernel, *way, requests), count in counted.items()
        if way == ["bulk", "value", "swap"]))
    sys.exit(status)


if __name__ == "__main__":
    main()
