#!/usr/bin/env python3
"""The registers and instructions of the library's objects, by objdump and nm: those of a kernel's instruction sets stand only in
the objects of its folder (src/dispatch/kernels.txt). Anything else would crash on processors that the dispatch means to spare.
A kernel calls seebatch_ functions, memcpy and memset alone. With --probed, which CMake gives if the compiler can probe large
frames, no function lowers the stack pointer by more than a page at a time: it could pass the guard page of a thread unnoticed.

    test_machine_code.py [--probed] PROJECT OBJECT ...

Ends with 1 if a check fails, with 77 where the objects are not of x86-64.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from objects import run, skip_unless_x86_64  # noqa: E402

# Registers 16 to 31, and masks, exist with AVX-512 alone.
AVX512 = re.compile(r"%zmm|%[xy]mm(1[6-9]|2\d|3[01])\b|%k[0-7]\b")
# Beyond x86-64 as every processor has it. (tzcnt is not: where it is unknown it is read as bsf, and compilers use it so.)
BEYOND = re.compile(r"%ymm|\tv[a-z0-9]+\s.*%xmm|\t(popcnt|lzcnt|pext|pdep|andn|bls[a-z]+|bextr|bzhi|sarx|shlx|shrx|rorx|mulx)\b")
# x87, MMX, and memory gathered or scattered lane by lane: slow, and nothing needs them.
UNWANTED = re.compile(r"\t(f[a-z0-9]+|emms|fwait|wait)\b|%st\b|%mm[0-7]\b|\tvp?(gather|scatter)")
CALLS = re.compile(r"seebatch_\w+|mem(cpy|set)|__mem(cpy|set)_chk|__stack_chk_fail|__assert_fail|_GLOBAL_OFFSET_TABLE_")


# The stack pointer, lowered by a constant. (A probing loop computes its end in %r11 and lowers by a page each time.)
LOWERED = re.compile(r"\t(?:sub\s+\$0x([0-9a-f]+),%rsp|lea\s+-0x([0-9a-f]+)\(%rsp\),%rsp)$")
PAGE = 4096


def read_kernels(project):
    """{folder: [feature]} of the kernels of x86-64 that have instruction sets of their own."""
    lines = (pathlib.Path(project) / "src/dispatch/kernels.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {folder: features.split(",") for folder, machine, features in rows if machine == "x86_64" and features != "-"}


def large_steps(code):
    """The lines that lower the stack pointer by more than a page. (gcc adds 128 by subtracting -128, as a number of 64 bits.)"""
    for line in code:
        if lowered := LOWERED.search(line):
            if PAGE < int(lowered[1] or lowered[2], 16) < 1 << 31:
                yield line.strip()


def faults_of(path, kernel, features, probed):
    """What is wrong with an object, as sentences."""
    rules = [(UNWANTED, "x87, MMX, gathers or scatters")]
    if not any(feature.startswith("avx512") for feature in features):
        rules.append((AVX512, "registers of AVX-512"))
    if not features:
        rules.append((BEYOND, "instructions that not every x86-64 processor has"))
    code = run("objdump", "--disassemble", "--no-show-raw-insn", path).splitlines()
    code = [re.sub(r"\s*(#|<).*", "", line) for line in code if re.match(r"\s*[0-9a-f]+:\t", line)]
    for pattern, what in rules:
        lines = [line.strip() for line in code if pattern.search(line)]
        if lines:
            yield f"{what} in {path}: {'; '.join(lines[:5])} ({len(lines)} in all)"
    if probed and (lines := list(large_steps(code))):
        yield f"frames without probes in {path}: {'; '.join(lines[:5])} ({len(lines)} in all)"
    if kernel:
        undefined = re.findall(r"^(\S+) U", run("nm", "--undefined-only", "--format=posix", path), re.MULTILINE)
        if strange := [name for name in undefined if not CALLS.fullmatch(name)]:
            yield f"{path} calls other functions than seebatch_, memcpy and memset: {' '.join(strange)}"


def main():
    probed = sys.argv[1:2] == ["--probed"]
    if len(sys.argv) < 3 + probed:
        sys.exit(__doc__)
    project, *paths = sys.argv[1 + probed:]
    skip_unless_x86_64(paths[0])
    kernels, faults = read_kernels(project), []
    for path in paths:
        kernel = next((kernel for kernel in kernels if f"/src/{kernel}/" in path), None)
        faults += faults_of(path, kernel, kernels.get(kernel, []), probed)
    # That the checks looked at kernels at all.
    for kernel, features in kernels.items():
        register = "%zmm" if any(feature.startswith("avx512") for feature in features) else "%ymm"
        if not any(register in run("objdump", "--disassemble", path) for path in paths if f"/src/{kernel}/" in path):
            faults.append(f"no {register[1:]} register in any object of src/{kernel}, a row of src/dispatch/kernels.txt")
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{len(paths)} objects, kernels {', '.join(kernels)}: {len(faults) or 'no'} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
