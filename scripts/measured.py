"""What scripts/measure has found on each processor: docs/data/measured/*.tsv, and the tables that scripts/manual makes of them.

A file begins with lines "# key: value" (processor, microcode, and what else holds for all rows: "statistic: medians" where the figures
are those, and not what scripts/measure takes; the highest load average, which says whether absolute times and speeds mean much). A row has the step, what was
measured ("bulk/value swap"), of what ("avx512"), the figure, the noise (how far the same thing measured against itself differed
from 1; empty where nobody noted it), the number of runs, the commit, the compiler and the date. The rows of the step "asked", of
engines' own functions and the library in one process, come from a program outside the project.
"""
import collections
import csv
import pathlib
import re
import subprocess

import rule_table

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "docs/data/measured"
FIELDS = ("step", "what", "of", "figure", "noise", "runs", "commit", "compiler", "date")
Row = collections.namedtuple("Row", FIELDS)
# The code whose last change makes a figure of a step old.
HEADERS = ("include/seebatch_see.h", "include/seebatch_see_mailbox.h")
TOOL = ("src", "include", "io", "tools")
CODE = {"kernels": ("src",), "rules": ("src",), "choices": ("src",), "thresholds": ("src",), "processor": TOOL, "compilers": ("src", *HEADERS), "wasm": ("src", "bindings/javascript"), "files": TOOL, "peers": TOOL, "headers": HEADERS,
        "engines": HEADERS, "asked": ("src", *HEADERS)}
RULES = [each.name for each in rule_table.SETS]
WITH_PINS = [each.name for each in rule_table.SETS if "pinless" not in rule_table.FIELDS[0].value_of(each.words["pins"]).marks]
FORMS = ("value", "ge")
KERNELS = {"scalar": "scalar", "avx2": "AVX2", "avx512": "AVX-512"}
# What scripts/measure measures of the kernels: the shapes of the charts; and of the rule sets, relative to swap.
KERNEL_ROWS = [f"{shape}/{form} swap" for shape in ("bulk", "bulk-all", "one-1", "one-2", "one-4", "one-8", "one-16", "one-32", "hot") for form in FORMS]
RULES_ROWS = [*(f"bulk/{form} {rules}" for form in FORMS for rules in RULES if rules != "swap"),
              *(f"bulk-pinned/{form} {rules}" for form in FORMS for rules in WITH_PINS)]
# The words of tables for a shape and a form, and which of them the tables of the kernels and of the JavaScript package show.
SHAPES = {"bulk/value": "captures of many positions, values", "bulk/ge": "captures of many positions, value >= 0",
          "bulk-all/value": "all legal moves of many positions, values", "bulk-all/ge": "all legal moves of many positions, value >= -50",
          "one-32/value": "32 moves of one position in a call, values", "one-8/value": "8 moves of one position in a call, values"}
KERNEL_SHAPES = ("bulk/value", "bulk/ge", "bulk-all/ge", "one-32/value", "one-8/value")
WASM_SHAPES = ("bulk/value", "bulk/ge", "bulk-all/value", "bulk-all/ge")
# What is measured of the JavaScript package, by the rules with which its benchmark runs: what, and of which module.
QUESTION = "fen/value"
WASM_ROWS = {rules: [(f"{shape} {rules}", module) for shape in WASM_SHAPES for module in (("scalar", "simd128") if rules == "swap" else ("simd128",))]
             for rules in ("swap", "stockfish", "legal")}
WASM_ROWS["swap"] += [(QUESTION, "simd128"), (QUESTION, "chess.js")]
HEADER_TARGETS = ("x86-64", "x86-64-v3")
# What scripts/measure compilers measures: shapes and kernels.
BY_COMPILER = [*((shape, "scalar") for shape in ("bulk/value", "bulk/ge", "one-8/value", "hot/value")),
               ("one-8/value", "avx2"), ("bulk/value", "avx2"), ("bulk/value", "avx512"), ("bulk-all/ge", "avx512")]
OLD = " †"
OLD_SENTENCE = "A column marked with † was measured before the code last changed."


def read(path):
    """(head, {(step, what, of): Row}) of a file; empty if there is none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    head = dict(re.fullmatch(r"# ([^:]*): (.*)", line).groups() for line in lines if line.startswith("# "))
    rows = [Row(*row) for row in csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t")]
    return head, {row[:3]: row for row in rows}


def write(path, head, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"# {key}: {value}" for key, value in head.items()] + ["\t".join(rows[key]) for key in sorted(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def processors():
    """[(head, rows)] of all files, in the order of the processors' names."""
    return sorted((read(path) for path in FOLDER.glob("*.tsv")), key=lambda each: each[0]["processor"])


def is_old(row):
    """Whether the code that a row measures has changed since its commit; None where git cannot say. What was measured with
    changes that no commit has is old."""
    if row.commit.endswith("-dirty"):
        return True
    git = subprocess.run(["git", "diff", "--quiet", row.commit, "HEAD", "--", *CODE[row.step]], cwd=PROJECT, check=False, capture_output=True)
    return None if git.returncode > 1 else git.returncode == 1


def columns_of(step, keys):
    """[(title, rows)] of the processors that have any of these rows. The title of one whose code has changed since is marked."""
    found = []
    for head, rows in processors():
        have = [rows[step, *key] for key in keys if (step, *key) in rows]
        if have:
            found.append((head["processor"] + OLD * bool(any(is_old(row) for row in {row.commit: row for row in have}.values())), rows))
    return found


def provenance(step, columns, keys):
    """A sentence for each processor about these rows, and what the mark means."""
    lines = [""]
    for title, rows in columns:
        of = [rows[step, *key] for key in keys if (step, *key) in rows]
        noise = [float(row.noise) for row in of if row.noise]
        head = next(head for head, rows_ in processors() if rows_ == rows)
        medians = ", medians" if head.get("statistic") == "medians" else ""
        load = f"; others used the machine (load average up to {head['load average']})" if float(head.get("load average", 0)) >= 2 else ""
        said = f"the same thing against itself differed by up to {100 * max(noise):.1f}%" if noise else "the noise was not noted"
        dates = [date.replace("not noted", "at a date that was not noted") for date in sorted({row.date for row in of})]
        compiled = sorted({row.compiler for row in of if step != "compilers"})
        lines.append(f"- {title.removesuffix(OLD)}: commit {', '.join(sorted({row.commit for row in of}))}, {', '.join(dates)}, "
                     f"{', '.join(compiled) or 'by the compiler of each row'}{medians}; {said}{load}.")
    return [*lines, "", *([OLD_SENTENCE, ""] if any(OLD in title for title, _ in columns) else [])]


def ageless(text):
    """A page without the marks, which scripts/manual --check does not compare: they change when others commit code."""
    return text.replace(f"\n{OLD_SENTENCE}\n", "").replace(OLD, "")


def table(step, corner, names, of, cell, columns=None):
    """A table with a row for each {what: words} and, for each processor, a column for each {of: words}."""
    keys = [(what, each) for what in names for each in of]
    columns = columns or columns_of(step, keys)
    lines = ["", f"| {corner} | " + " | ".join(title + f": {words}" * bool(words) for title, _ in columns for words in of.values()) + " |",
             "|---|" + "--:|" * len(of) * len(columns)]
    for what, words in names.items():
        cells = [rows.get((step, what, each)) for _, rows in columns for each in of]
        if any(cells):
            lines.append(f"| {words} | " + " | ".join(cell(row) if row else "" for row in cells) + " |")
    return [*lines, *provenance(step, columns, keys)]


def words_of(shape):
    return f"{SHAPES[shape]} (`{shape}`)"


def kernels():
    """The scalar code's nanoseconds for an exchange, and how many times faster the kernels are, for each processor."""
    return table("kernels", "", {f"{shape} swap": words_of(shape) for shape in KERNEL_SHAPES},
                 {"scalar": "scalar, ns", "avx2": "AVX2", "avx512": "AVX-512"}, lambda row: f"{float(row.figure):.1f}")


def rule_sets():
    """The time of each rule set relative to swap, captures of many positions, for each processor and kernel."""
    keys = [(what, kernel) for what in RULES_ROWS for kernel in KERNELS]
    columns = columns_of("rules", keys)
    lines = ["", "| | " + " | ".join(f"{title}: {words}" for title, _ in columns for words in KERNELS.values()) + " |",
             "|---|" + "--:|" * len(KERNELS) * len(columns)]
    for rules in RULES:
        cells = [", ".join(f"{float(row.figure):.2f}" for shape in ("bulk", "bulk-pinned") if (row := rows.get(("rules", f"{shape}/value {rules}", kernel))))
                 for _, rows in columns for kernel in KERNELS]
        if any(cells):
            lines.append(f"| `{rules}` | {' | '.join(cells)} |")
    return [*lines, *provenance("rules", columns, keys)]


def wasm():
    """Nanoseconds for an exchange by the modules of the JavaScript package, for each processor."""
    keys = [row for rows in WASM_ROWS.values() for row in rows]
    columns = columns_of("wasm", keys)
    lines = []
    for title, rows in columns:
        times = {key: float(rows["wasm", *key].figure) for key in keys if ("wasm", *key) in rows}
        lines += ["", f"| {title}, nanoseconds for an exchange | scalar | SIMD | " + " | ".join(f"SIMD, `{rules}`" for rules in WASM_ROWS if rules != "swap") + " |",
                  "|---|" + "--:|" * (1 + len(WASM_ROWS))]
        for shape in WASM_SHAPES:
            scalar, simd = (times.get((f"{shape} swap", module)) for module in ("scalar", "simd128"))
            others = [times.get((f"{shape} {rules}", "simd128")) for rules in WASM_ROWS if rules != "swap"]
            cells = [f"{scalar:.1f}" if scalar else "",
                     f"{simd:.1f}" + (f" ({scalar / simd:.2f} times as fast)" if scalar else "") if simd else "",
                     *(f"{each:.1f}" + (f" ({100 * each / simd - 100:+.0f}%)" if simd else "") if each else "" for each in others)]
            lines.append(f"| {words_of(shape)} | {' | '.join(cells)} |")
        if (QUESTION, "simd128") in times and (QUESTION, "chess.js") in times:
            lines += ["", f"One question by FEN takes {1e-3 * times[QUESTION, 'simd128']:.1f} microseconds; playing its captures in chess.js takes "
                      f"{1e-3 * times[QUESTION, 'chess.js']:,.0f}."]
    return [*lines, *provenance("wasm", columns, keys)]


def by_number(names):
    return sorted(names, key=lambda name: (name.split()[0] != "gcc", int(name.split()[1])))


def compilers():
    """Scalar code and seebatch_see.h by each compiler, relative to gcc 12's, for each processor."""
    subjects = {**{f"{shape} {kernel}": f"`{shape}`" + f", {KERNELS[kernel]}" * (kernel != "scalar") for shape, kernel in BY_COMPILER},
             **{f"hot/ge header {target}": f"header, {target}" for target in HEADER_TARGETS}}
    of = by_number({key[2] for _, rows in processors() for key in rows if key[0] == "compilers"})
    keys = [(what, name) for what in subjects for name in of]
    lines = []
    for title, rows in columns_of("compilers", keys):
        has = [what for what in subjects if any(("compilers", what, name) in rows for name in of)]
        lines += ["", f"| {title} | " + " | ".join(subjects[what] for what in has) + " |", "|---|" + "--:|" * len(has)]
        for name in of:
            cells = [rows.get(("compilers", what, name)) for what in has]
            if any(cells):
                lines.append(f"| {name} | " + " | ".join(f"{float(row.figure):.2f}" if row else "" for row in cells) + " |")
    return [*lines, *provenance("compilers", columns_of("compilers", keys), keys)]


def files():
    """Millions of positions per second, for each processor."""
    subjects = sorted({key[1] for _, rows in processors() for key in rows if key[0] == "files"})
    return table("files", "millions of positions per second", {what: f"`{what}`" for what in subjects}, {"millions per second": ""},
                 lambda row: f"{float(row.figure):.1f}")


def peers():
    """The speed of the tool relative to readers of others, for each processor."""
    subjects = sorted({key[1:] for _, rows in processors() for key in rows if key[0] == "peers"}, key=lambda key: (key[1] != "nnue-pytorch's reader", key))
    columns = columns_of("peers", subjects)
    lines = ["", "| command | compared with | " + " | ".join(title for title, _ in columns) + " |", "|---|---|" + "--:|" * len(columns)]
    for what, of in subjects:
        cells = [rows.get(("peers", what, of)) for _, rows in columns]
        lines.append(f"| `{what}` | {of} | " + " | ".join(f"{float(row.figure):.2f}" if row else "" for row in cells) + " |")
    return [*lines, *provenance("peers", columns, subjects)]


WAYS = {"own": "the engine's own function", "mailbox": "the header, with the engine's mailbox", "move": "library, one call for each move",
        "position avx2": "library, one call for each position, AVX2", "position avx512": "library, one call for each position, AVX-512",
        "hundreds avx512": "library, one call for hundreds of positions, AVX-512",
        "all avx2": "library, one call for all positions, from arrays, AVX2", "all avx512": "library, one call for all positions, from arrays, AVX-512"}
ASKED = {"captures": "the captures of many positions", "questions": "the questions of the engine's own search",
         "legal moves": "all legal moves, as a policy network asks"}


def asked(rows):
    """{part: ([engine], {way: [nanoseconds or None]})} of a processor."""
    found = {}
    for part in ASKED:
        engines = sorted({key[1].removeprefix(part + " ") for key in rows if key[0] == "asked" and key[1].startswith(part)})
        ways = {way: [row and float(row.figure) for engine in engines for row in [rows.get(("asked", f"{part} {engine}", way))]] for way in WAYS}
        found[part] = engines, {way: values for way, values in ways.items() if any(values)}
    return found


def engines():
    """Nanoseconds for an exchange by engines' own functions and by the library, for each processor."""
    lines = []
    keys = [key[1:] for _, rows in processors() for key in rows if key[0] == "asked"]
    columns = columns_of("asked", keys)
    for title, rows in columns:
        for part, (names, ways) in asked(rows).items():
            lines += ["", f"| {title}: {ASKED[part]} | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
            lines += [f"| {WAYS[way]} | " + " | ".join(f"{each:.1f}" if each else "not measured" for each in values) + " |"
                      for way, values in ways.items()]
    return [*lines, *provenance("asked", columns, keys)]


def with_header():
    """What the headers change in engines on each processor, as measured by scripts/measure headers and engines."""
    lines = []
    for step, corner in (("headers", "one question of a search"), ("engines", "a whole engine")):
        keys = sorted({key[1:] for _, rows in processors() for key in rows if key[0] == step})
        columns = columns_of(step, keys)
        if not columns:
            continue
        lines += ["", f"| {corner} | with | " + " | ".join(title for title, _ in columns) + " |", "|---|---|" + "--:|" * len(columns)]
        for what, of in keys:
            cells = [rows.get((step, what, of)) for _, rows in columns]
            lines.append(f"| {what} | {of} | " + " | ".join(f"{100 * float(row.figure) - 100:+.0f}%" if row else "" for row in cells) + " |")
        lines += provenance(step, columns, keys)
    return lines


BLOCKS = {"kernels": kernels, "rule_sets": rule_sets, "compilers": compilers, "files": files, "peers": peers, "engines": engines, "wasm": wasm,
          "with_header": with_header}
