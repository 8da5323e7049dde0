"""Small faults in C sources, one at a time: the generator of scripts/mutate.

A mutant is one replacement of some text of one file. They are found by patterns over the source with its comments and
strings blanked out: nothing is parsed, so some do not compile, which the runner finds out. The list depends on the sources
alone, and a mutant's name on the function and the lines that it changes, so that results outlive changes elsewhere.
"""
import hashlib
import re
from dataclasses import dataclass

KINDS = ["comparison", "off by one", "constant", "table entry", "colour", "dropped mask", "removed statement",
         "swapped operands", "logic"]


@dataclass(frozen=True)
class Mutant:
    name: str      # 12 hexadecimal digits
    file: str      # below the root of the project
    kind: str      # one of KINDS
    function: str  # in which it is, or the declaration
    start: int     # the replaced text, in characters of the file
    end: int
    new: str
    line: int      # today's, for messages
    before: str    # the line, and what becomes of it
    after: str


def blanked(text):
    """The same text with comments, strings and the lines of #include, #if and the like as blanks; offsets stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text)
    text = re.sub(r"(?m)^#(?!define)(?:[^\n]*\\\n)*[^\n]*$", blank, text)
    text = re.sub(r"(?m)^#define\s+\w+_H$", blank, text)
    return re.sub(r"\b(?:assert|static_assert)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", blank, text)


def function_at(text, position):
    """The name of the function that a place is in, or that of the nearest declaration before it."""
    name = "(top)"
    for match in re.finditer(r"(?m)^(?:[A-Za-z_#][^\n;]*?\b(\w+)(?:\(|\[| = )|struct (\w+) \{|#define (\w+))", text):
        if match.start() > position:
            break
        if match.group(1) != "defined":
            name = match.group(3) or match.group(2) or match.group(1)
    return name


def closing(code, opening):
    """The place behind the bracket that closes the one at `opening`; None if there is none."""
    depth = 0
    for i in range(opening, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
    return None


def arguments(code, opening):
    """The places of the arguments of a call whose ( is at `opening`: a list of (start, end)."""
    end = closing(code, opening)
    if end is None:
        return []
    places, depth, start = [], 0, opening + 1
    for i in range(opening + 1, end):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}" and i < end - 1:
            depth -= 1
        elif (code[i] == "," and depth == 0) or i == end - 1:
            places.append((start, i))
            start = i + 1
    return [(a + len(code[a:b]) - len(code[a:b].lstrip()), b) for a, b in places]


def operand_end(code, start):
    """The place behind the operand that begins at `start`: a name with its calls and subscripts, a number, or brackets."""
    i = start
    while i < len(code) and code[i] in "~!*&-":
        i += 1
    match = re.compile(r"[A-Za-z_0-9]+").match(code, i)
    if match:
        i = match.end()
    elif code[i:i + 1] != "(":
        return None
    while i < len(code):
        if code[i] in "([":
            i = closing(code, i)
            if i is None:
                return None
            continue
        match = re.compile(r"->\w+|\.\w+").match(code, i)
        if not match:
            return i
        i = match.end()
    return i


def operand_start(code, end):
    """The place where the operand begins that ends before `end`."""
    i = end
    while i > 0:
        if code[i - 1] in ")]":
            depth = 0
            while i > 0:
                i -= 1
                depth += (code[i] in ")]") - (code[i] in "([")
                if depth == 0:
                    break
            continue
        match = re.search(r"(?:->|\.)?\w+$", code[max(0, i - 60):i])
        if not match:
            return i if i < end else None
        i -= len(match.group())
        if not match.group().startswith(("-", ".")):
            break
    while i > 0 and code[i - 1] in "~!":
        i -= 1
    return i


def in_table(code, position):
    """Whether a place is within the braces of an initialiser or of a macro for one, not of a function or a type."""
    line = code.rfind("\n", 0, position)
    if re.match(r"#define \w+(\([^)]*\))? +\\?$", code[code.rfind("#define", 0, position):].split("\n")[0] or " "):
        return True
    before = code[max(0, position - 600):position]
    depth = 0
    for i in range(len(before) - 1, -1, -1):
        if before[i] == "}":
            depth += 1
        elif before[i] == "{":
            depth -= 1
            if depth < 0:
                return bool(re.search(r"(=|\{|,)\s*$", before[:i]))
        elif before[i] == ";" and depth == 0:
            return False
    return line < 0


def is_array_size(code, match):
    """Whether a number is the size of an array in its declaration: one more is no fault, one less not always."""
    start, end = line_of(code, match.start())
    if re.match(r"\s*\} \w+(\[\d+\])+;", code[start:end]):
        return True
    return code[match.start() - 1] == "[" and code[match.end()] == "]" and \
        bool(re.match(r"\s*(?:(?:static|const|struct|unsigned|extern|LANES_INLINE|void|bool|int|char|size_t|lanes|\w+_t|seebatch_\w+)\b)",
                      code[start:end])) and not re.search(r"=|\breturn\b", code[start:match.start()])


COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SWAPPED_WORDS = [("value_max", "value_min", "comparison"), ("SEEBATCH_WHITE", "SEEBATCH_BLACK", "colour"),
                 ("own", "enemy", "colour"), ("ours", "theirs", "colour"), ("white", "black", "colour"),
                 ("with_lowest", "highest", "comparison"), ("mask_and", "mask_or", "logic"), ("lanes_and", "lanes_or", "logic"),
                 ("lanes_equal", "lanes_disjoint", "comparison"), ("lanes_disjoint", "lanes_meet", "logic")]
# Calls, and which two of their arguments change places.
SWAPPED_ARGUMENTS = {"lanes_sub": (0, 1), "value_sub": (0, 1), "value_monus": (0, 1), "lanes_without": (0, 1),
                     "mask_without": (0, 1), "lanes_select": (1, 2), "lanes_merge": (1, 2), "lanes_equal": None}
# Calls that mask one of their arguments, and which one.
MASKING = {"lanes_and": 0, "lanes_and3": 0, "lanes_without": 0, "mask_and": 0, "mask_without": 0, "lanes_unless": 1,
           "lanes_select": 1}
DECLARATION = re.compile(r"(?:static|const|struct|enum|typedef|union|extern|return|case|default|else|for|do|while|if|switch|goto|"
                         r"void|bool|char|int|unsigned|size_t|lanes|lane_mask|u?int\d+_t|seebatch_\w+)\b(?!\()")


def replacements(code):
    """(kind, start, end, new text) of every mutant of a source that is blanked already."""
    for match in re.finditer(r"(?<= )(<=|>=|==|!=|<|>)(?= )", code):
        yield "comparison", match.start(), match.end(), COMPARED[match.group()]
    for match in re.finditer(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)(?=\b|u\b|U\b)", code):
        number = match.group()
        if is_array_size(code, match):
            continue
        if number.lower().startswith("0x"):
            new = f"0x{int(number, 16) ^ 1:x}"
        else:
            new = str(int(number) + 1)
        if in_table(code, match.start()):
            kind = "table entry"
        elif number.lower().startswith("0x") or re.search(r"(<<|>>|=|%|\*|/) $", code[:match.start()][-3:]) \
                or int(number) > 9:
            kind = "constant"
        else:
            kind = "off by one"
        yield kind, match.start(), match.end(), new
        if kind == "off by one" and int(number) > 0:
            yield kind, match.start(), match.end(), str(int(number) - 1)
    for first, second, kind in SWAPPED_WORDS:
        for match in re.finditer(rf"\b({first}|{second})\b", code):
            yield kind, match.start(), match.end(), second if match.group() == first else first
    for match in re.finditer(r"!(?=(?:\w+(?:->|\.))?(?:color|stm|first_movers_turn|black)\b)", code):
        yield "colour", match.start(), match.end(), ""
    for match in re.finditer(r"\[(?=(?:\w+(?:->|\.))?(?:color|stm)\])", code):
        yield "colour", match.start(), match.end(), "[!"
    for match in re.finditer(r" & (?=[~\w(])", code):
        end = operand_end(code, match.end())
        if end is not None:
            yield "dropped mask", match.start(), end, ""
    for match in re.finditer(r" &= [^;]+(?=;)", code):
        yield "dropped mask", match.start() + 1, match.end(), "&= ~0"
    for name, kept in MASKING.items():
        for match in re.finditer(rf"\b{name}\(", code):
            places = arguments(code, match.end() - 1)
            if len(places) > kept and not code[:match.start()].endswith(("lanes ", "lane_mask ")):
                a, b = places[kept]
                yield "dropped mask", match.start(), places[-1][1] + 1, code[a:b]
    for name, order in SWAPPED_ARGUMENTS.items():
        for match in re.finditer(rf"\b{name}\(", code):
            places = arguments(code, match.end() - 1)
            if order and len(places) > order[1] and not code[:match.start()].endswith(("lanes ", "lane_mask ")):
                (a, b), (c, d) = places[order[0]], places[order[1]]
                yield "swapped operands", a, d, code[c:d] + code[b:c] + code[a:b]
    for match in re.finditer(r" (-|%|/) ", code):
        a, d = operand_start(code, match.start()), operand_end(code, match.end())
        if a is not None and d is not None:
            yield "swapped operands", a, d, code[match.end():d] + match.group() + code[a:match.start()]
    for match in re.finditer(r"(?<= )(<<|>>|\+|-)(?= )", code):
        yield "swapped operands", match.start(), match.end(), {"<<": ">>", ">>": "<<", "+": "-", "-": "+"}[match.group()]
    for match in re.finditer(r"(?<= )(&&|\|\||\|)(?= )", code):
        yield "logic", match.start(), match.end(), {"&&": "||", "||": "&&", "|": "&"}[match.group()]
    for match in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, match.end() - 1)
        if end is not None:
            yield "logic", match.end() - 1, end, f"(!{code[match.end() - 1:end]})"
            if match.group().startswith("if"):
                yield "removed statement", match.end() - 1, end, f"(0 && {code[match.end() - 1:end]})"
    for match in re.finditer(r"(?m)(?<=[;{}):\n])\n +(?=\w[^;{}]*;$)|(?<=else)\n +(?=\w[^;{}]*;$)", code):
        end = code.index(";", match.end())
        if not DECLARATION.match(code, match.end()):
            yield "removed statement", match.end(), end, ""


def line_of(text, position):
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return start, len(text) if end < 0 else end


def mutants_of(file, text):
    """All mutants of a file, in no telling order."""
    code = blanked(text)
    seen, found = {}, []
    for kind, start, end, new in replacements(code):
        if code[start:end] != text[start:end]:  # a comment within
            continue
        function = function_at(code, start)
        first, last = line_of(text, start)[0], line_of(text, end)[1]
        before = " ".join(text[first:last].split())
        after = " ".join((text[first:start] + new + text[end:last]).split())
        if before == after:
            continue
        key = (file, function, kind, before, after)
        seen[key] = seen.get(key, 0) + 1
        name = hashlib.sha1("\0".join(key + (str(seen[key]),)).encode()).hexdigest()[:12]
        found.append(Mutant(name, file, kind, function, start, end, new, text.count("\n", 0, start) + 1, before, after))
    return found


def in_order(mutants, weight):
    """The order in which they are run: each file in turn gives weight(file) mutants, each of another kind than the last; which
    one of a kind follows from the names. Any number of them from the front is a fair sample."""
    queues = {}
    for m in sorted(mutants, key=lambda m: m.name):
        queues.setdefault(m.file, {}).setdefault(m.kind, []).append(m)
    order, turn = [], {file: i for i, file in enumerate(sorted(queues))}
    while queues:
        for file in sorted(queues):
            for _ in range(weight(file)):
                kinds = queues[file]
                while kinds and not kinds.get(KINDS[turn[file] % len(KINDS)]):
                    kinds.pop(KINDS[turn[file] % len(KINDS)], None)
                    turn[file] += 1
                if not kinds:
                    break
                order.append(kinds[KINDS[turn[file] % len(KINDS)]].pop(0))
                turn[file] += 1
            if not any(queues[file].values()):
                del queues[file]
    return order
