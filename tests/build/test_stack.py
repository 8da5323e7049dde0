"""The stack that evaluations need, by the compiler's own figures (-fstack-usage): at most a quarter of what the threads of
src/api/threads.c get, at any optimisation level. Engines compile the amalgamation, and it is compiled without optimisation
while they are debugged.

The figures are those of the objects of this build, and of the same sources compiled here with -O0; with SEEBATCH_TEST_EVERY
in the environment also with -O1, -Og, -Os and -O2, which takes a minute each.

A call descends through few large functions: the two largest of a kernel's folder, the largest of the scalar code, where the
search of `legal` has its memory, and the largest of what calls the kernels are added up. test_threads really runs on a
quarter of the stack.

usage: test_stack.py PROJECT COMPILER OBJECT...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

project, compiler, objects = pathlib.Path(sys.argv[1]), sys.argv[2], [pathlib.Path(name) for name in sys.argv[3:]]
size = re.search(r"SEE_THREAD_STACK = 1 << (\d+)", (project / "src/api/threads.h").read_text())
if not size:
    sys.exit("src/api/threads.h: expected SEE_THREAD_STACK = 1 << N")
limit = (1 << int(size[1])) // 4
features = {}
for line in (project / "src/dispatch/kernels.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        folder, _, flags = line.split()
        features[folder] = [] if flags == "-" else ["-m" + flag for flag in flags.split(",")]
failed = False


def source_of(path):
    """The source of an object: the part of its path after the last src/, without .o."""
    return path.as_posix().rpartition("/src/")[2].rpartition(".")[0]


def frames(text, level, source):
    """The frames that a .su file lists: (bytes, function), the same function of several rule classes once."""
    global failed
    largest = {}
    for line in text.splitlines():
        where, bytes_, kind = line.rsplit("\t", 2)
        place, _, function = where.rpartition(":")
        if kind == "dynamic":
            failed = True
            print(f"FAILED: {level}: {function} of src/{source} has a stack frame without a bound")
        largest[place] = max(largest.get(place, (0, "")), (int(bytes_), function))
    return list(largest.values())


def check(level, found):
    """found: (source, text of its .su file) of each source file."""
    global failed
    of = {}
    for source, text in found:
        of.setdefault(source.partition("/")[0], []).extend(frames(text, level, source))
    others = max(max(of[folder]) for folder in of if folder not in features and folder != "scalar")
    for folder in of:
        if folder in features:
            deepest = [others, *sorted(of[folder], reverse=True)[:2], max(of["scalar"])]
            total = sum(frame for frame, _ in deepest)
            words = ", ".join(f"{function} {frame}" for frame, function in deepest)
            verdict = "ok" if total <= limit else "FAILED"
            failed |= total > limit
            print(f"{verdict}: {level}: {folder}: {total} bytes of stack, at most {limit} ({words})")


def own(level):
    check(level, [(source_of(path), path.with_suffix(".su").read_text()) for path in objects])


def compiled(level):
    with tempfile.TemporaryDirectory() as work:
        found = []
        for path in objects:
            source = source_of(path)
            flags = features.get(source.partition("/")[0], [])
            subprocess.run([compiler, "-std=c11", level, *flags, "-fstack-usage", "-c", f"-I{project}/src",
                            f"-I{project}/include", str(project / "src" / source), "-o", f"{work}/object.o"], check=True)
            found.append((source, pathlib.Path(work, "object.su").read_text()))
        check(level, found)


if not objects[0].with_suffix(".su").exists():
    print(f"SKIPPED: {compiler} does not report stack frames (-fstack-usage)")
    sys.exit(77)
own("this build")
compiled("-O0")
if os.environ.get("SEEBATCH_TEST_EVERY"):
    for each in ("-O1", "-Og", "-Os", "-O2"):
        compiled(each)
sys.exit(failed)
