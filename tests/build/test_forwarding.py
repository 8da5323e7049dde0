#!/usr/bin/env python3
"""The machine code of the library waits for no store: a load that takes bytes from a narrower, still pending store.

A processor gives a load the bytes of a store that has not reached the cache yet only if this one store has all of them. A
load of four bytes from where two have just been stored waits until the store has reached the cache, some 15 cycles; Zen 4
loses a sixth of an exchange by one such pair. C code shows nothing of it: gcc 16 keeps a parameter of 16 bits in a register
of 16 bits, stores two bytes of it when it runs out of registers, and loads four.

    test_forwarding.py OBJECT ...

Disassembles each object by objdump and follows the control flow of each function. It knows a place by its base register and
displacement, until the register changes; %rsp is followed through push, pop, add and sub. The stores that may come before an
instruction on some path are those of its predecessors, without the ones that a later store covers, and without those that
lie more than PENDING instructions back, because these have reached the cache.

The paths may be ones that no call takes, for example where two tests of the same condition are never both true. So two
kinds of pairs count: a load of four bytes or two that begins where fewer have been stored, whose other bytes nobody needs;
and a load of bytes that several stores have put together.

Only general registers count. Vectors are read from what single numbers have just written where the code has no other way to
fill them, and their cost is part of the measured times.

Ends with 1 if it finds such a pair, with 77 where the objects are not of x86-64.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from objects import run, skip_unless_x86_64  # noqa: E402

# Functions that may wait, because they do so once or for a text that somebody reads.
MAY_WAIT = {"seebatch_cpu_has_avx2", "seebatch_cpu_has_avx512", "seebatch_explain", "put_trace"}

# So many instructions after a store its bytes are in the cache. (A called function counts as one instruction.)
PENDING = 100

WIDTHS = {}
for word in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp"):
    low = word[0] + "l" if word[1] == "x" else word + "l"
    WIDTHS |= {"r" + word: ("r" + word, 8), "e" + word: ("r" + word, 4), word: ("r" + word, 2), low: ("r" + word, 1)}
    if word[1] == "x":
        WIDTHS[word[0] + "h"] = ("r" + word, 1)
for number in range(8, 16):
    WIDTHS |= {f"r{number}{suffix}": (f"r{number}", width) for suffix, width in (("", 8), ("d", 4), ("w", 2), ("b", 1))}
SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}
CHANGED_BY_CALLS = {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"}

# What vector instructions store; those without a row do not store, or store parts of a register that nothing loads again.
VECTOR_STORES = [(r"v?mov(dq[au]|[au]p[sd]|nt)", None), (r"v?(movq|mov[hl]p[sd]|pextrq|movsd)$", 8),
                 (r"v?(movd|movss|pextrd|extractps)$", 4), (r"v?pextrw$", 2), (r"v?pextrb$", 1)]
VECTORS = {"x": 16, "y": 32, "z": 64}

PLACE = re.compile(r"(-?0x[0-9a-f]+)?\(%(r[a-z0-9]+)\)")
REGISTER = re.compile(r"%([a-z0-9]+)")
# Instructions that do not write their last operand; those that write it without reading it.
ONLY_READ = ("cmp", "test", "bt", "push", "call", "jmp", "nop", "prefetch", "ud2")
ONLY_WRITE = ("mov", "set")


class Instruction:
    """What matters of a line: the places it loads and stores, the registers it changes, and what may come next."""

    def __init__(self, line):
        address, text = re.match(r"\s*([0-9a-f]+):\s+(.*)", line).groups()
        self.address, self.text = int(address, 16), re.sub(r"\s*#.*", "", text).strip()
        target = re.search(r"\s([0-9a-f]+) <", self.text)
        words = re.sub(r"\s*<.*", "", self.text).split(None, 1)
        while len(words) == 2 and words[0] in ("lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "cs"):
            words = words[1].split(None, 1)
        self.name = name = words[0]
        operands = re.split(r",(?![^(]*\))", words[1]) if len(words) == 2 else []
        self.jumps = name.startswith("j") and target is not None
        self.target = int(target[1], 16) if self.jumps else None
        self.ends = name.startswith(("jmp", "ret", "ud2", "hlt"))
        self.load = self.store = None
        self.changed, self.stack = set(), 0
        self._read(name, operands)

    def _read(self, name, operands):
        if name.startswith("call"):
            self.changed = CHANGED_BY_CALLS
        elif name.startswith(("push", "pop")):
            self.stack = -8 if name.startswith("push") else 8
            if name.startswith("pop") and operands[0][1:] in WIDTHS:
                self.changed = {WIDTHS[operands[0][1:]][0]}
        elif operands:
            registers = [WIDTHS[found[1]] for operand in operands if (found := REGISTER.fullmatch(operand)) and found[1] in WIDTHS]
            width = registers[-1][1] if registers else SUFFIXES.get(name[-1]) if operands[0][0] == "$" or len(operands) == 1 else None
            if name.startswith("set"):
                width = 1
            self._read_places(name, operands, width)
            last = REGISTER.fullmatch(operands[-1])
            if last and last[1] in WIDTHS and not name.startswith(ONLY_READ):
                self.changed = {WIDTHS[last[1]][0]}
                if self.changed == {"rsp"} and name in ("add", "sub") and operands[0].startswith("$"):
                    self.stack = (1 if name == "add" else -1) * int(operands[0][1:], 16)
                    self.stack -= (1 << 64) * (self.stack >= 1 << 63)
                    self.stack += (1 << 64) * (self.stack <= -(1 << 63))
                    self.changed = set()
            if name.startswith(("mul", "imul", "div", "idiv", "cqto", "cltd")) and len(operands) == 1:
                self.changed = {"rax", "rdx"}
            if name.startswith(("xchg", "cmpxchg", "xadd")):
                self.changed = {register for register, _ in registers} | {"rax"}
        if name.startswith(("cqto", "cltd", "cltq", "cwtl", "cpuid", "rep", "movs", "stos", "xgetbv")) and not operands:
            self.changed = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi"}

    def _read_places(self, name, operands, width):
        for index, operand in enumerate(operands):
            if not (place := PLACE.fullmatch(operand)) or name.startswith(("lea", "nop", "prefetch")):
                continue
            where = (place[2], int(place[1] or "0", 16))
            if vectors := [found[1] for other in operands if (found := re.match(r"%([xyz])mm", other))]:
                if index and index == len(operands) - 1:
                    stored = [width or VECTORS[vectors[0]] for name_, width in VECTOR_STORES if re.match(name_, name)]
                    self.store = (*where, stored[0]) if stored else None
                continue
            if width is None:
                continue
            if extended := re.match(r"mov[sz]([bwl])[wlq]$", name):
                self.load = (*where, SUFFIXES[extended[1]])
            elif index < len(operands) - 1 or name.startswith(("cmp", "test", "bt")) or len(operands) == 1 and name.startswith("jmp"):
                self.load = (*where, width)
            else:
                self.store = (*where, width)
                if not name.startswith(ONLY_WRITE):
                    self.load = self.store


def functions_of(text):
    """[(name, [Instruction])] of what objdump prints."""
    found = []
    for line in text.splitlines():
        if label := re.match(r"[0-9a-f]+ <(.+)>:", line):
            found.append((label[1], []))
        elif re.match(r"\s*[0-9a-f]+:\s+[a-z]", line) and "(bad)" not in line:
            found[-1][1].append(Instruction(line))
    return found


def after(instruction, stores, depth):
    """The pending stores after an instruction, {(base, displacement, width): (distance, address)}, and where %rsp is."""
    kept = {}
    for (base, begin, width), (distance, address) in stores.items():
        if base not in instruction.changed and distance < PENDING:
            kept[base, begin, width] = (distance + 1, address)
    if instruction.store:
        base, begin, width = instruction.store
        begin += depth if base == "rsp" else 0
        for other in [key for key in kept if key[0] == base and begin <= key[1] and key[1] + key[2] <= begin + width]:
            del kept[other]
        kept[base, begin, width] = (1, instruction.address)
    return kept, depth + instruction.stack


def pairs_of(code):
    """The pairs of a function: (store's address, load) for each load that takes bytes of a narrower or other place."""
    at = {instruction.address: index for index, instruction in enumerate(code)}
    before = {0: ({}, 0)}
    pending = [0]
    while pending:
        index = pending.pop()
        stores, depth = after(code[index], *before[index])
        following = [] if code[index].ends else [index + 1]
        if code[index].jumps and code[index].target in at:
            following.append(at[code[index].target])
        for successor in following:
            if successor >= len(code):
                continue
            if successor not in before:
                before[successor] = (dict(stores), depth)
                pending.append(successor)
                continue
            known, grown = before[successor][0], False
            for key, (distance, address) in stores.items():
                if key not in known or distance < known[key][0]:
                    known[key], grown = (distance, address), True
            if grown:
                pending.append(successor)
    found = set()
    for index, (stores, depth) in before.items():
        if code[index].load:
            base, begin, width = code[index].load
            begin += depth if base == "rsp" else 0
            found |= {(at[address], index) for address in waited_for(base, begin, width, stores)}
    return sorted(found)


def waited_for(base, begin, width, stores):
    """The addresses of the stores that a load has to wait for."""
    end = begin + width
    narrower = {address: (max(stored, begin), min(stored + stored_width, end))
                for (other, stored, stored_width), (_, address) in stores.items()
                if other == base and stored < end and begin < stored + stored_width and not (stored <= begin and end <= stored + stored_width)}
    whole = {byte for first, last in narrower.values() for byte in range(first, last)} == set(range(begin, end))
    spilled = {address for address, (first, _) in narrower.items() if first == begin and width <= 4}
    return narrower.keys() if whole else spilled


def faults_of(path):
    """What is wrong with an object, as sentences; and how many instructions were read."""
    functions = functions_of(run("objdump", "--disassemble", "--no-show-raw-insn", path))
    faults = []
    for name, code in functions:
        if name.split(".")[0] in MAY_WAIT:  # compilers add, for example, ".constprop.0"
            continue
        for store, load in pairs_of(code):
            faults.append(f"{name} in {pathlib.Path(path).name} waits for a store: \"{' '.join(code[store].text.split())}\" at "
                          f"{code[store].address:x}, then \"{' '.join(code[load].text.split())}\" at {code[load].address:x}")
    return faults, sum(len(code) for _, code in functions)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    skip_unless_x86_64(sys.argv[1])
    count, read = 0, 0
    for path in sys.argv[1:]:
        faults, instructions = faults_of(path)
        read, count = read + instructions, count + len(faults)
        for fault in faults:
            print(f"FAILED: {fault}")
    print(f"{len(sys.argv) - 1} objects, {read} instructions: {count or 'no'} loads that wait for a narrower store")
    sys.exit(1 if count or not read else 0)


if __name__ == "__main__":
    main()
