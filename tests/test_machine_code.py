#!/usr/bin/env python3
"""What the machine code of the library must look like, by objdump and nm; nothing is run and nothing is timed.

    test_machine_code.py checks PROJECT BUILD OBJECT ...
    test_machine_code.py loops  PROJECT BUILD OBJECT ...

BUILD names the compiler's exact version and the kind of build: "GNU (Debian 12.2.0-14) 12.2.0 Release". The OBJECTs are
those of the library; which of them are kernels, and with which instruction sets, src/kernels.txt says.

checks  Instructions and registers of a kernel's sets only in its objects. Nowhere a gather, a scatter, x87 or MMX. A kernel
        calls seebatch_ functions, memcpy and memset alone. No way through a kernel leaves it, or calls anything, with the
        upper halves of vector registers in use: old SSE code behind it would be slow. (vzeroupper; a walk over all paths.)
        gcc spills no mask register in a loop. These hold for every version of the compilers.

loops   The big loops of the kernels, as this compiler made them, against data/machine/loops.tsv: how many instructions,
        how many vector and mask registers are stored to a fixed place of the stack, which is what a spill looks like. A loop
        is known by its function and its number there; a function that has more big loops than in the table, or fewer, is
        left out. With SEEBATCH_UPDATE_TABLES=1 in the environment the table's rows of this BUILD are written anew instead.

Ends with 1 if a check fails, with 77 if something could not be checked, which it names.
"""
import os
import pathlib
import re
import subprocess
import sys

import machine_table

OPTIMISED = (" Release", " RelWithDebInfo")
# Loops with fewer vector instructions than this are bookkeeping.
BIG_LOOP = 40
# What may be added to a loop before the test fails: as a part of the number, and at least.
TOLERANCE = {"instructions": (0.05, 4), "vector_stores": (0.05, 2), "mask_stores": (0.05, 1)}

VECTOR = re.compile(r"%[xyz]mm\d")
MASK = re.compile(r"%k[0-7]\b")
# Registers 16 to 31 exist with AVX-512 alone. They do not slow SSE code down, so vzeroupper need not see to them.
HIGH = re.compile(r"%[xyz]mm(1[6-9]|2\d|3[01])\b")
WRITES_UPPER_HALF = re.compile(r"%[yz]mm(\d|1[0-5])(\{[^,]*)?$")
RETURN = re.compile(r"\t(repz? |bnd )?ret")
X87_MMX = re.compile(r"\t(f[a-z0-9]+|emms|fwait|wait)\b|%st\b|%mm[0-7]\b")
GATHER = re.compile(r"\tvp?(gather|scatter)")
# Beyond x86-64 as every processor has it. (tzcnt is not: where it is unknown it is read as bsf, and compilers use it so.)
BEYOND = re.compile(r"\tv[a-z0-9]+\s.*%xmm|\t(popcnt|lzcnt|pext|pdep|andn|bls[a-z]+|bextr|bzhi|sarx|shlx|shrx|rorx|mulx)\b")
STACK_STORE = re.compile(r"\tv?(mov|kmov)[a-z0-9]*\s+(?:%[xyz]mm\d+|%k[0-7]),-?(?:0x[0-9a-f]+)?\(%(rsp|rbp)\)$")


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: {' '.join(command)} ended with status {result.returncode}: {result.stderr.strip()}")
    return result.stdout


# ---- What is looked at -----------------------------------------------------------------------------------------------


class Instruction:
    """One line of the disassembly: where, the text behind a tab, the symbol that a relocation in it names."""

    def __init__(self, address, text):
        self.address, self.text, self.symbol = address, text, None
        self.name = text.split()[0]

    def __str__(self):
        return f"{self.address:x}:{self.text}{' -> ' + self.symbol if self.symbol else ''}"


def functions_of(path):
    """{name: [Instruction]} of an object."""
    functions, code = {}, None
    for line in run("objdump", "--disassemble", "--reloc", "--no-show-raw-insn", path).splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            code = functions.setdefault(head[1], [])
        elif relocation := re.match(r"\s+[0-9a-f]+: (R_\S+)\s+(\S+)", line):
            code[-1].symbol = re.sub(r"[-+]0x[0-9a-f]+$", "", relocation[2])
        elif instruction := re.match(r"\s*([0-9a-f]+):\t(.*?)\s*$", line):
            code.append(Instruction(int(instruction[1], 16), "\t" + re.sub(r"\s*(#|<).*", "", instruction[2]).rstrip()))
    return functions


class Object:
    """An object with its functions; features: those of its kernel, as in src/kernels.txt, or none."""

    def __init__(self, path, kernels):
        self.path = path
        self.kernel = next((kernel for kernel in kernels if f"/src/{kernel}/" in path), None)
        self.features = kernels.get(self.kernel, [])
        self.name = re.sub(r".*/(src/.*)\.(o|obj)$", r"\1", path)
        self.functions = functions_of(path)
        self.has_avx = any(feature.startswith("avx") for feature in self.features)
        self.has_avx512 = any(feature.startswith("avx512") for feature in self.features)

    def code(self):
        for function, code in self.functions.items():
            for instruction in code:
                yield function, instruction


def read_kernels(project, machine):
    """{folder: [feature]} of the kernels that have instruction sets of their own."""
    kernels = {}
    for line in (pathlib.Path(project) / "src/kernels.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            folder, its_machine, features = line.split()
            if its_machine == machine and features != "-":
                kernels[folder] = features.split(",")
    return kernels


# ---- Paths through a function ----------------------------------------------------------------------------------------


class Flow:
    """The basic blocks of a function: of each the instructions from begin[b] to end[b], and successors[b]."""

    def __init__(self, code):
        self.code = code
        index = {instruction.address: i for i, instruction in enumerate(code)}
        target = [self._target(instruction, index) for instruction in code]
        ends = [i for i, instruction in enumerate(code) if re.match(r"\t(j|ud2|hlt)", instruction.text)
                or RETURN.match(instruction.text)]
        leaders = sorted({0} | {t for t in target if t is not None} | {i + 1 for i in ends if i + 1 < len(code)})
        self.begin, self.end = leaders, leaders[1:] + [len(code)]
        block = {leader: b for b, leader in enumerate(leaders)}
        self.successors = []
        for b, end in enumerate(self.end):
            last, out = code[end - 1], []
            if target[end - 1] is not None:
                out.append(block[target[end - 1]])
            if end < len(code) and not (re.match(r"jmp|ud2|hlt", last.name) or RETURN.match(last.text)):
                out.append(block[end])
            self.successors.append(out)

    @staticmethod
    def _target(instruction, index):
        jump = re.match(r"\tj\w+\s+([0-9a-f]+)$", instruction.text)
        return index.get(int(jump[1], 16)) if jump and not instruction.symbol else None

    def leaves(self, i):
        """Whether an instruction leads out of the function: a return, a call, a jump to another function."""
        instruction = self.code[i]
        if RETURN.match(instruction.text) or instruction.name == "call":
            return True
        return instruction.name.startswith("jmp") and i + 1 in self.end and not self.successors[self.end.index(i + 1)]

    def loops(self):
        """[(head, blocks)]: natural loops, those with the same head as one, in the order of their code."""
        n = len(self.begin)
        predecessors = [[] for _ in range(n)]
        for b, out in enumerate(self.successors):
            for successor in out:
                predecessors[successor].append(b)
        everything = (1 << n) - 1
        dominators = [1] + [everything] * (n - 1)
        changed = True
        while changed:
            changed = False
            for b in range(1, n):
                common = everything
                for predecessor in predecessors[b]:
                    common &= dominators[predecessor]
                if common | 1 << b != dominators[b]:
                    dominators[b], changed = common | 1 << b, True
        loops = {}
        for b, out in enumerate(self.successors):
            for head in out:
                if dominators[b] >> head & 1:
                    body, todo = loops.setdefault(head, {head}), [b]
                    while todo:
                        inner = todo.pop()
                        if inner not in body:
                            body.add(inner)
                            todo += predecessors[inner]
        return sorted(loops.items())

    def own_code(self):
        """The same, but of each loop the instructions that are in no loop within it."""
        loops = self.loops()
        for head, body in loops:
            inner = set().union(*(other for its_head, other in loops if its_head != head and its_head in body
                                  and other < body))
            yield [self.code[i] for b in sorted(body - inner) for i in range(self.begin[b], self.end[b])]


# ---- Checks ----------------------------------------------------------------------------------------------------------


class Report:
    def __init__(self):
        self.failed, self.skipped, self.status = False, [], 0

    def fail(self, what, lines=()):
        self.failed = True
        print(f"FAILED: {what}")
        for line in lines[:20]:
            print(f"    {line}")

    def check(self, ok, what_is_wrong, obj, wrong):
        """wrong(instruction): whether it breaks the rule. Returns whether none did."""
        lines = [f"{function}: {instruction}" for function, instruction in obj.code() if wrong(instruction)]
        if lines:
            self.fail(f"{what_is_wrong} in {obj.name}", lines)
        return ok and not lines


def check_registers(report, objects):
    ok = True
    for obj in objects:
        allowed = ("xyz" if obj.has_avx512 else "xy") if obj.has_avx else "x"
        for width in "yz":
            if width not in allowed:
                ok = report.check(ok, f"{width}mm registers", obj, lambda i, w=width: f"%{w}mm" in i.text)
        if not obj.has_avx512:
            ok = report.check(ok, "mask registers of AVX-512", obj, lambda i: MASK.search(i.text))
            ok = report.check(ok, "vector registers of AVX-512", obj, lambda i: HIGH.search(i.text))
        if not obj.features:
            ok = report.check(ok, "instructions that not every x86-64 processor has", obj, lambda i: BEYOND.search(i.text))
        ok = report.check(ok, "gathers or scatters", obj, lambda i: GATHER.search(i.text))
        ok = report.check(ok, "x87 or MMX", obj, lambda i: X87_MMX.search(i.text))
    if ok:
        print(f"ok: registers and instructions of {len(objects)} objects are those of their folders; no gathers, no scatters, "
              "no x87, no MMX")


def check_presence(report, objects, kernels):
    """That the checks above looked at kernels at all."""
    for kernel, features in kernels.items():
        its = [obj for obj in objects if obj.kernel == kernel]
        register = "%zmm" if any(f.startswith("avx512") for f in features) else "%ymm"
        if not its:
            report.fail(f"no object of src/{kernel}, a row of src/kernels.txt, was given")
        elif not any(register in instruction.text for obj in its for _, instruction in obj.code()):
            report.fail(f"no {register[1:]} register in any object of src/{kernel}; is this a kernel?")


def check_calls(report, objects, build):
    known = r"seebatch_\w+|mem(cpy|set)|__mem(cpy|set)_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_"
    if not build.endswith(OPTIMISED):
        known += "|__assert_fail"
    ok = True
    for obj in objects:
        undefined = run("nm", "--undefined-only", "--format=posix", obj.path)
        strange = [name for name in re.findall(r"^(\S+) U", undefined, re.MULTILINE) if not re.fullmatch(known, name)]
        if strange:
            ok = False
            report.fail(f"{obj.name} needs other functions than seebatch_, memcpy and memset", strange)
    if ok:
        print("ok: kernels call seebatch_ functions, memcpy and memset alone")


def dirty_exits(code):
    """The instructions that leave a function, or call another, while a path to them has the upper halves in use.
    Where there is a table of jumps, the blocks that no other path reaches are taken to begin so, but for padding."""
    flow = Flow(code)
    n = len(flow.begin)
    reached, todo = {0}, [0]
    while todo:
        fresh = set(flow.successors[todo.pop()]) - reached
        reached |= fresh
        todo += fresh
    table_of_jumps = any(i.text.startswith("\tjmp") and "*" in i.text for i in code)
    padding = [all("nop" in i.name or i.name in ("data16", "cs", "xchg") for i in code[flow.begin[b]:flow.end[b]])
               for b in range(n)]
    dirty = [table_of_jumps and b not in reached and not padding[b] for b in range(n)]
    wrong, todo = set(), list(range(n))
    while todo:
        b = todo.pop()
        state = dirty[b]
        for i in range(flow.begin[b], flow.end[b]):
            if code[i].name in ("vzeroupper", "vzeroall"):
                state = False
            elif flow.leaves(i):
                if state:
                    wrong.add(i)
            elif WRITES_UPPER_HALF.search(code[i].text):
                state = True
        for successor in flow.successors[b]:
            if state and not dirty[successor]:
                dirty[successor] = True
                todo.append(successor)
    return [code[i] for i in sorted(wrong)]


def check_upper_halves(report, objects, build):
    if not build.endswith(OPTIMISED):
        report.skipped.append(f"vzeroupper in a build without optimisation ({build})")
        return
    ok, exits = True, 0
    for obj in objects:
        for function, code in obj.functions.items():
            exits += sum(instruction.name == "vzeroupper" for instruction in code)
            if lines := [f"{function}: {instruction}" for instruction in dirty_exits(code)]:
                ok = False
                report.fail(f"upper halves of vector registers in use on the way out of {obj.name}", lines)
    if ok:
        print(f"ok: every way out of the kernels has the upper halves cleared ({exits} times vzeroupper)")


def check_mask_spills(report, objects, build):
    """gcc keeps all masks of all loops in registers, which they were written for. (clang does not; loops.tsv says.)"""
    if not build.endswith(OPTIMISED):
        report.skipped.append(f"spills of mask registers in a build without optimisation ({build})")
        return
    if not build.startswith("GNU "):
        print(f"not claimed: that {build} spills no mask register; loops.tsv says how many it may")
        return
    ok = True
    for obj in objects:
        lines = [f"{name}: {instruction}" for name, function in obj.functions.items()
                 for code in Flow(function).own_code() for instruction in code
                 if MASK.search(instruction.text) and STACK_STORE.search(instruction.text)]
        if lines:
            ok = False
            report.fail(f"spilled mask registers in loops of {obj.name}", lines)
    if ok:
        print("ok: no loop spills a mask register")


# ---- Loops -----------------------------------------------------------------------------------------------------------


def stack_stores(function, code, register):
    """Stores of such registers to a fixed place on the stack. %rbp counts if the function begins with making it the frame."""
    framed = any(i.text.split() == ["mov", "%rsp,%rbp"] for i in function[:12])
    stores = (STACK_STORE.search(i.text) for i in code if register.search(i.text))
    return sum(bool(store) and (store[2] == "rsp" or framed) for store in stores)


def measure_loops(objects):
    """{(object, function, number): (instructions, vector stores, mask stores)}"""
    measured = {}
    for obj in objects:
        for name, function in obj.functions.items():
            number = 0
            for code in Flow(function).own_code():
                if sum(bool(VECTOR.search(instruction.text)) for instruction in code) >= BIG_LOOP:
                    number += 1
                    measured[obj.name, name, str(number)] = (
                        len(code), stack_stores(function, code, VECTOR), stack_stores(function, code, MASK))
    return measured


def check_loops(report, objects, build, project):
    table = machine_table.Table(pathlib.Path(project) / "tests/data/machine/loops.tsv", keys=4)
    measured = {(build, *key): value for key, value in measure_loops(objects).items()}
    if not measured:
        report.fail("no big loop found in any kernel; is this a build of them?")
    elif os.environ.get("SEEBATCH_UPDATE_TABLES"):
        table.update(build, measured)
    else:
        comparison = table.compare(build, measured, TOLERANCE, group=3)
        report.status = comparison.report("loops")
        if comparison.compared and not comparison.wrong:
            print(f"ok: {comparison.compared} loops of {build} are no longer than in the table, and spill no more")


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("checks", "loops"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    mode, project, build, paths = sys.argv[1], sys.argv[2], sys.argv[3].strip(), sys.argv[4:]
    if not all("elf64-x86-64" in run("objdump", "--file-headers", path) for path in paths[:1]):
        print(f"SKIPPED: machine code that is not of x86-64 (ELF): {paths[0]}")
        sys.exit(77)
    kernels = read_kernels(project, "x86_64")
    objects = [Object(path, kernels) for path in paths]
    in_kernels = [obj for obj in objects if obj.kernel]
    report = Report()
    if mode == "checks":
        check_presence(report, objects, kernels)
        check_registers(report, objects)
        check_calls(report, in_kernels, build)
        check_upper_halves(report, in_kernels, build)
        check_mask_spills(report, in_kernels, build)
    else:
        check_loops(report, in_kernels, build, project)
    if report.skipped:
        print(f"SKIPPED: {'; '.join(report.skipped)}")
    sys.exit(1 if report.failed else 77 if report.skipped else report.status)


if __name__ == "__main__":
    main()
