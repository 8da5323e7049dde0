"""The table of rules, src/api/rules.txt: reads it, and makes of it what stands in sources, headers, bindings and documents.

scripts/manual calls the functions at the end, one for each kind of block, and writes what they return between its marks.
"""
import json
import math
import re
import sys
import textwrap
from dataclasses import dataclass, field as field_of
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TABLE = "src/api/rules.txt"
MARKS = {"library", "scalar", "ray", "pinless"}
# What the sentences of reasons may name, and the expression in src/api/explanation.c.
PLACES = {"piece": "by_piece", "by": "by.text", "king": "king.text", "enemy": "king_of(s->position, !refusal->color).text",
          "to": "name_of(seebatch_to(s->move)).text"}


@dataclass
class Value:
    word: str
    constant: str  # without SEEBATCH_
    marks: set
    text: list = field_of(default_factory=list)

    def says(self):
        return " ".join(self.text)


@dataclass
class Field:
    name: str
    prefix: str  # of its constants, without SEEBATCH_
    kind: str  # its type in Rust
    values: list = field_of(default_factory=list)
    text: list = field_of(default_factory=list)

    @property
    def member(self):
        return self.name.replace("-", "_")

    def words(self):
        return [value.word for value in self.values]

    def value_of(self, word):
        return next(value for value in self.values if value.word == word)

    def in_rust(self, value):
        return "".join(map(str.title, value.constant.removeprefix(self.prefix).split("_")))

    def is_in_headers(self):
        """Whether seebatch_see.h has the field: all that a rule set without legal captures can change."""
        return sum("library" not in value.marks for value in self.values) > 1


@dataclass
class RuleSet:
    name: str
    words: dict  # of all fields
    text: list = field_of(default_factory=list)

    @property
    def constant(self):
        return self.name.upper().replace("-", "_")


@dataclass
class Reason:
    name: str
    sentence: str
    text: list = field_of(default_factory=list)

    @property
    def constant(self):
        return "SEEBATCH_REFUSED_" + self.name.upper().replace("-", "_")


def read_table():
    """The fields, the reasons and the rule sets."""
    fields, reasons, sets, item = [], [], [], None
    for number, line in enumerate((PROJECT / TABLE).read_text(encoding="utf-8").splitlines(), 1):
        def refuse(expected):
            sys.exit(f"{TABLE}:{number}: '{line}', expected {expected}")

        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line.startswith("    "):
            if item is None:
                refuse("a field before its text")
            item.text.append(line.strip())
        elif line.startswith("  "):
            if not fields or sets:
                refuse("a value below its field")
            given = dict(mark.split("=") for mark in words[1:] if "=" in mark)
            marks = {mark for mark in words[1:] if "=" not in mark}
            if set(given) - {"CONSTANT"} or marks - MARKS:
                refuse("a word, and then CONSTANT=NAME, library, scalar, ray or pinless")
            item = Value(words[0], given.get("CONSTANT", fields[-1].prefix + words[0].upper().replace("-", "_")), marks)
            fields[-1].values.append(item)
        elif words[0] == "field" and len(words) == 4 and not sets:
            item = Field(words[1], words[2].removeprefix("-"), words[3])
            fields.append(item)
        elif words[0] == "reason" and len(words) > 2 and set(re.findall(r"{([^}]*)}", line)) <= set(PLACES):
            item = Reason(words[1], " ".join(words[2:]))
            reasons.append(item)
        elif words[0] == "set" and len(words) > 1 and all("=" in word for word in words[2:]):
            given = dict(word.split("=") for word in words[2:])
            known = {each.name: each.words() for each in fields}
            for name, word in given.items():
                if word not in known.get(name, ()):
                    refuse(f"the words of fields above, and not '{name}={word}'")
            item = RuleSet(words[1], {name: given.get(name, first) for name, (first, *_) in known.items()})
            sets.append(item)
        else:
            refuse(f"'field NAME CONSTANTS TYPE', 'reason NAME SENTENCE' with {', '.join(f'{{{place}}}' for place in PLACES)} only, or 'set NAME FIELD=WORD...'")
    for each in [*fields, *(value for one in fields for value in one.values), *reasons, *sets]:
        if not each.text:
            sys.exit(f"{TABLE}: '{getattr(each, 'name', None) or each.word}' has no text, expected a sentence on a line of its own")
    return fields, reasons, sets


FIELDS, REASONS, SETS = read_table()


def check_tool(info):
    """The tool has the same fields and rule sets, unless it was built before the table was changed."""
    sets = {each.name: each.words for each in SETS}
    if info["fields"] != {each.name: each.words() for each in FIELDS} or info["rule_sets"] != sets or info["rules"] != list(sets):
        return f"{TABLE} has other fields, words or rule sets than the tool; build the tool again, and then run scripts/manual again"
    return None


def sentences():
    """What docs/rules.md says of each rule set: (in short, in full)."""
    text = (PROJECT / "docs/rules.md").read_text(encoding="utf-8")
    table = text.split("| name | in short | in full |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = {row[0].strip("`"): tuple(row[1:]) for row in (line.strip("| ").split(" | ") for line in table.split("\n"))}
    names = [each.name for each in SETS]
    if set(rows) != set(names):
        sys.exit(f"docs/rules.md: the table of names in short and in full differs from {TABLE} in "
                 + ", ".join(sorted(set(rows) ^ set(names))))
    return {name: rows[name] for name in names}


# ---- C ---------------------------------------------------------------------------------------------------------------

def comment(text, indent=""):
    """A comment of whole sentences, as clang-format breaks it."""
    if len(indent) + len(text) + 6 <= 120:
        return [f"{indent}/* {text} */"]
    lines = textwrap.wrap(text, 117 - len(indent), break_long_words=False, break_on_hyphens=False)
    last = [f"{indent} * {lines[-1]} */"] if len(indent) + len(lines[-1]) + 6 <= 120 else [f"{indent} * {lines[-1]}", f"{indent} */"]
    return [f"{indent}/* {lines[0]}", *(f"{indent} * {line}" for line in lines[1:-1]), *last]


def enumerations_of_header():
    """The values as seebatch.h has them."""
    lines = []
    for each in FIELDS:
        lines += [*comment(" ".join(each.text)), "enum {"]
        for number, value in enumerate(each.values):
            lines += comment(value.says(), "    ")
            lines.append(f"    SEEBATCH_{value.constant} = {number}{',' * (value is not each.values[-1])}")
        lines.append("};")
    return lines


def members_of_struct():
    return [f"    uint8_t {each.member}; /* {'SEEBATCH_' + each.prefix + '...' if each.prefix else ' or '.join('SEEBATCH_' + value.constant for value in each.values)} */"
            for each in FIELDS]


def aligned(lines):
    """Members with their comments in one column."""
    width = max(line.index(" /*") for line in lines)
    return [line[:line.index(" /*")].ljust(width) + line[line.index(" /*"):] for line in lines]


def listed(head, parts, indent="    ", width=120):
    """Parts with commas, filled into lines of C."""
    return textwrap.wrap(head + ", ".join(parts), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def words_of_library():
    """The words of the fields, and the fields themselves."""
    lines = ["/* clang-format off */"]
    for each in FIELDS:
        quoted = [f'"{word}"' for word in each.words()]
        lines += listed(f"static const char *const {each.member}_words[] = {{", quoted)
        lines[-1] += "};"
    lines += ["", "static const seebatch_rules_field rule_fields[] = {",
              *(f'    {{"{each.name}", {each.member}_words, COUNT({each.member}_words), offsetof(seebatch_rules, {each.member})}},'
                for each in FIELDS), "};", "/* clang-format on */"]
    return lines


def sets_of_library():
    """The named rule sets, with the values of all fields in the order of the struct."""
    lines = ["    /* clang-format off */"]
    for each in SETS:
        values = [f"SEEBATCH_{field.value_of(each.words[field.name]).constant}" for field in FIELDS]
        lines += [*comment(" ".join(each.text), "    "), f'    {{"{each.name}",',
                  *listed("     {{100, 325, 325, 500, 1000}, ", [*values, "0"], "      ")]
        lines[-1] += "}},"
    return [*lines, "    /* clang-format on */"]


def traits(page):
    """What the marks say of a rule set, as functions; in seebatch_see.h, of a value of pins."""
    in_header = page.endswith("seebatch_see.h")
    tested, prefix = ("pins", "SEEBATCH_SEE_") if in_header else ("rules->pins", "SEEBATCH_")
    unknown = [f"rules->{each.member} != {prefix}{value.constant}" for each in FIELDS for value in each.values
               if "scalar" in value.marks and not (in_header and "library" in value.marks)]
    known = ["{", *([] if unknown else ["    (void)rules;"]), f"    return {' && '.join(unknown) or 'true'};", "}", ""]
    pins = FIELDS[0].values
    ray = [value for value in pins if "ray" in value.marks]
    if ray != pins[pins.index(ray[0]):pins.index(ray[-1]) + 1]:
        sys.exit(f"{TABLE}: the values marked 'ray' do not follow one another")
    are_ray = [f"{tested} >= {prefix}{ray[0].constant}"] + [f"{tested} <= {prefix}{ray[-1].constant}"] * (ray[-1] is not pins[-1])
    if in_header:
        return [*comment("Whether the lanes of seebatch_see_mailbox.h know all values of the fields."),
                "SEEBATCH_SEE_INLINE bool seebatch_see_lanes_know(const seebatch_see_rules *rules)", *known,
                *comment("Rules under which a pinned piece may still capture along its pin."),
                *function("SEEBATCH_SEE_INLINE bool seebatch_see_is_ray(int pins)", " && ".join(are_ray))]
    return [*comment("Whether lanes know all values of the fields, none of which is marked `scalar` in rules.txt."),
            "static inline bool see_lanes_know(const seebatch_rules *rules)", *known,
            *comment("Whether the rules need blockers and pinners, from the caller or from seebatch_find_pins()."),
            *function("static inline bool see_rules_read_pins(const seebatch_rules *rules)",
                      " && ".join(f"rules->pins != SEEBATCH_{value.constant}" for value in pins if "pinless" in value.marks)), "",
            *comment("Whether a pinned piece may capture along its pin."),
            *function("static inline bool see_rules_are_ray(const seebatch_rules *rules)", " && ".join(are_ray))]


def function(head, result):
    line = f"{head} {{ return {result}; }}"
    return [line] if len(line) <= 120 else [head, "{", f"    return {result};", "}"]


def numbered_reasons():
    """The reasons as seebatch.h has them."""
    lines = [*comment("Why a piece that attacks the square may not capture on it."), "enum {"]
    for number, each in enumerate(REASONS):
        lines += [*comment(" ".join(each.text), "    "), f"    {each.constant} = {number}{',' * (each is not REASONS[-1])}"]
    return [*lines, "};"]


def sentences_of_reasons():
    """The cases of the switch that writes the sentences; reasons with the same sentence share one."""
    lines = ["    /* clang-format off */"]
    for sentence in dict.fromkeys(each.sentence for each in REASONS):
        parts = "".join(f", {PLACES[place]}" for place in re.findall(r"{(.*?)}", sentence))
        lines += [f"    case {each.constant}:" for each in REASONS if each.sentence == sentence]
        lines += [f'        put_formatted(w, "{re.sub("{.*?}", "%s", sentence)}\\n"{parts});', "        break;"]
    return [*lines, "    /* clang-format on */"]


def reasons_in_rust():
    lines = []
    for each in REASONS:
        text = re.sub(r" \(SEEBATCH_PINS_[^)]*\)", "", " ".join(each.text))
        lines += [*(f"    /// {line}" for line in textwrap.wrap(text, 110)), f"    {each.name.title().replace('-', '')} = {each.constant},"]
    return lines


def refusals(page):
    """The words for why a piece may not capture, in the order of their numbers."""
    known = [each.name for each in REASONS]
    if page.endswith("seebatch.h"):
        return numbered_reasons()
    if page.endswith("explanation.c"):
        return sentences_of_reasons()
    if page.endswith(".c"):
        return listed("static const char *const reasons[] = {", [f'"{word}"' for word in known[:-1]] + [f'"{known[-1]}"}};'])
    if page.endswith(".rs"):
        return reasons_in_rust()
    if page.endswith(".py"):
        text = "Reason = Literal[" + ", ".join(f'"{word}"' for word in known) + "]"
        return textwrap.wrap(text, 120, subsequent_indent=" " * 17, break_on_hyphens=False)
    if page.endswith(".ts"):
        return ["export type Reason =", *(f'    | "{word}"' for word in known[:-1]), f'    | "{known[-1]}";']
    return ["const REASONS = [", *(f'    "{word}",' for word in known), "];"]


def combinations(page):
    """Room for all combinations of values of fields, and the named rule sets. identify leaves out the order of capture,
    which follows from the pins."""
    name, fields = ("MOST_RULES", FIELDS) if page.endswith("every_rules.h") else \
        ("MOST_CANDIDATES", [each for each in FIELDS if each.name != "order"])
    return [f"enum {{ {name} = {len(SETS)} + {' * '.join(str(len(each.values)) for each in fields)} }};"]


def enumerations_of_see_header():
    """The values for seebatch_see.h, which knows no legal captures, orders and replies."""
    lines = []
    for each in FIELDS:
        if each.is_in_headers():
            values = [f"SEEBATCH_SEE_{value.constant} = {number}" for number, value in enumerate(each.values) if "library" not in value.marks]
            line = f"enum {{ {', '.join(values)} }};"
            lines += [line] if len(line) <= 120 else ["enum {", *(f"    {value}," for value in values[:-1]), f"    {values[-1]}", "};"]
    known = [(each.member.upper(), sum(1 << number for number, value in enumerate(each.values) if "library" not in value.marks))
             for each in FIELDS if each.is_in_headers()]
    return [*lines, *comment("The values of each field as a set, for checks: bit k for the value k."), "enum {",
            *(f"    SEEBATCH_SEE_KNOWN_{name} = 0x{values:x}{',' * (name != known[-1][0])}" for name, values in known), "};"]


def macro(head, parts, width=120):
    """A #define as clang-format breaks it."""
    line = f"#define {head} {' '.join(parts)}"
    if len(line) <= width:
        return [line]
    lines = [f"#define {head}", "    " + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= width - 2:
            lines[-1] += " " + part
        else:
            lines.append("        " + part)
    return [line.ljust(width - 1) + "\\" for line in lines[:-1]] + lines[-1:]


def sets_of_see_header():
    """The rule sets of seebatch_see.h as their fields, with 0 for what is usual of first moves."""
    lines = []
    for each in sets_of_headers():
        fields = [field for field in FIELDS if field.is_in_headers()]
        words = [(field, each.words[field.name]) for field in fields]
        found = ["0" if word == field.words()[0] and "as the first move" in " ".join(field.text)
                 else f"SEEBATCH_SEE_{field.value_of(word).constant}" for field, word in words]
        lines += macro(f"SEEBATCH_SEE_RULES_{each.constant}", [f"{value}," for value in found[:-1]] + found[-1:])
    return lines


def sets_of_headers():
    return [each for each in SETS if not any("library" in field.value_of(each.words[field.name]).marks for field in FIELDS)]


def sets_of_harness():
    lines = ["#define EACH(X)", *(f'    X("{each.name}", {each.constant})' for each in sets_of_headers())]
    return [line.ljust(119) + "\\" for line in lines[:-1]] + lines[-1:]


# ---- Other languages -------------------------------------------------------------------------------------------------

def enumerations():
    """All of seebatch.h: lists of (name, value)."""
    header = re.sub(r"/\*.*?\*/", "", (PROJECT / "include/seebatch.h").read_text(encoding="utf-8"), flags=re.S)
    for body in re.findall(r"enum\s*\w*\s*\{([^}]*)\}", header):
        found, value = [], -1
        for name, given in re.findall(r"(SEEBATCH_\w+)(?:\s*=\s*([^,\n]+))?", body):
            value = math.prod(map(int, given.split("*"))) if given else value + 1
            found.append((name, value))
        yield found


def constants_in_rust():
    """The crate's tests let the C compiler compare them."""
    return [f"pub const {name}: c_int = {value};" for found in enumerations() for name, value in found]


def fields_in_rust():
    """The values of fields as enumerations of the crate, with the table's text."""
    lines = []

    def documented(text, indent):
        text = re.sub(r"`?SEEBATCH_ALWAYS`?", "[`ALWAYS`]", re.sub(r"`?SEEBATCH_PINS_RAY_`?", "`Ray`", text))
        return [f"{indent}/// {line}" for line in textwrap.wrap(text, 114 - len(indent))]

    for each in FIELDS:
        lines += ["field! {", *documented(" ".join(each.text), "    "), f"    {each.kind} {{"]
        for value in each.values:
            lines += [*documented(value.says(), "        "), f"        {each.in_rust(value)} = SEEBATCH_{value.constant},"]
        lines += ["    }", "}"]
    return lines


def sets_in_rust():
    """The named rule sets as constants of the crate."""
    known, lines = sentences(), ["/// The named rule sets, with the values 100, 325, 325, 500, 1000.", "impl Rules {"]
    for each in SETS:
        lines += [f"    /// {line}" for line in textwrap.wrap(f"`{each.name}`: {known[each.name][0]}", 110)]
        lines.append(f"    pub const {each.constant}: Rules = Rules::builder()")
        lines += [f"        .{field.member}({field.kind}::{field.in_rust(field.value_of(each.words[field.name]))})"
                  for field in FIELDS if each.words[field.name] != field.words()[0]]
        lines.append("        .build_const();")
    return [*lines, "}"]


# ---- Blocks ----------------------------------------------------------------------------------------------------------

def fields(page):
    if page.endswith("seebatch.h"):
        return enumerations_of_header()
    if page.endswith("seebatch_see.h"):
        return enumerations_of_see_header()
    if page.endswith("rules.c"):
        return words_of_library()
    if page.endswith(".rs"):
        return fields_in_rust()
    if page.endswith(".md"):
        return ["", "| field | word | meaning |", "|---|---|---|", *(row for each in FIELDS for row in rows_of_document(each)), ""]
    return [line for each in FIELDS for line in (".TP", f".B {each.name}", ", ".join(each.words()))]


def rows_of_document(each):
    """What a field says, in its first sentence, and its values; in words where the header has constants."""
    first = re.match(r".*?\.(?= |$)", " ".join(each.text))[0]
    return [f"| `{each.name}` | | {first} |",
            *(f"| | `{value.word}` | {value.says().replace('SEEBATCH_ALWAYS', '32767, and passes at any threshold')} |" for value in each.values)]


def members(page):
    """The fields of the struct, for each language as it declares or fills it."""
    if page.endswith("raw.rs"):
        return [f"    pub {each.member}: u8," for each in FIELDS]
    if page.endswith("header.rs"):
        return [f"        seebatch_rules {{ value, {', '.join(each.member for each in FIELDS)}, reserved }}"]
    return aligned(members_of_struct())


def zeros(_):
    return [f"            {each.member}: 0," for each in FIELDS]


def setters(_):
    return [f"    {each.member}: {each.kind}," for each in FIELDS]


def rules(page):
    known = sentences()
    if page.endswith(".1"):
        return None  # scripts/manual, which knows roff
    if page.endswith(".js"):
        return [f'    "rules.{name}": {json.dumps(short.replace("`", ""), ensure_ascii=False)},' for name, (short, _) in known.items()]
    if page.endswith(".ts"):
        return ["export type RuleSet =", *(f'    | "{name}"' for name in list(known)[:-1]), f'    | "{list(known)[-1]}";']
    if page.endswith(".py"):
        text = "RuleSet = Literal[" + ", ".join(f'"{name}"' for name in known) + "]"
        return textwrap.wrap(text, 120, subsequent_indent=" " * 18, break_on_hyphens=False)
    if page.endswith("answers.rs"):
        return [f'        ("{each.name}", Rules::{each.constant}),' for each in SETS]
    if page.endswith(".rs"):
        return sets_in_rust()
    if page.endswith("rules.c"):
        return sets_of_library()
    return sets_of_see_header() if page.endswith(".h") else sets_of_harness()
