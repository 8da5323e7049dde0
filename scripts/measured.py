"""What scripts/measure has found on each processor: docs/data/measured/*.tsv, and the tables that scripts/manual makes of them.

A file begins with lines "# key: value" (processor, microcode, and what else holds for all rows). A row has the step, what was
measured ("bulk/value swap"), of what ("avx512"), the figure, the noise (how far the same thing measured against itself differed
from 1; empty where nobody noted it), the number of runs, the commit, the compiler and the date.
"""
import collections
import csv
import pathlib
import re
import subprocess

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "docs/data/measured"
FIELDS = ("step", "what", "of", "figure", "noise", "runs", "commit", "compiler", "date")
Row = collections.namedtuple("Row", FIELDS)
# The code whose last change makes a figure of a step old.
CODE = {"kernels": ("src",), "choices": ("src",), "compilers": ("src",)}
SHAPES = {"bulk/value": "captures of many positions, values", "bulk/ge": "the same, value >= 0",
          "bulk-all/ge": "all legal moves of many positions, value >= -50", "one-32/value": "32 moves of one position in a call, values",
          "one-8/value": "8 moves of one position in a call, values"}
OLD = " †"  # not compared by scripts/manual --check, as it changes when others commit code


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


def provenance(step, columns):
    """A sentence for each processor, and what the mark means."""
    lines = [""]
    for title, rows in columns:
        of = [row for key, row in rows.items() if key[0] == step]
        commits = sorted({row.commit for row in of})
        noise = [float(row.noise) for row in of if row.noise]
        measured = f"the same code against itself differed by up to {100 * max(noise):.0f}%" if noise else "the noise was not noted"
        lines.append(f"- {title.removesuffix(OLD)}: commit {', '.join(commits)}, {', '.join(sorted({row.date for row in of})).replace('not noted', 'at a date that was not noted')}, "
                     f"{', '.join(sorted({row.compiler for row in of if step != 'compilers'})) or 'by the compiler of each row'}; {measured}.")
    return [*lines, "", "A column marked with † was measured before the code last changed.", ""]


def kernels():
    """The scalar code's nanoseconds for an exchange, and how many times faster the kernels are, for each processor."""
    names = ("scalar", "avx2", "avx512")
    columns = columns_of("kernels", [(f"{shape} swap", name) for shape in SHAPES for name in names])
    lines = ["", "| | " + " | ".join(f"{title}: {name}" for title, _ in columns for name in ("scalar, ns", "AVX2", "AVX-512")) + " |",
             "|---|" + "--:|" * len(names) * len(columns)]
    for shape, title in SHAPES.items():
        cells = [rows.get(("kernels", f"{shape} swap", name)) for _, rows in columns for name in names]
        lines.append(f"| {title} (`{shape}`) | " + " | ".join(f"{float(row.figure):.1f}" if row else "not measured" for row in cells) + " |")
    return [*lines, *provenance("kernels", columns)]


def compilers():
    """The scalar code of each compiler, relative to gcc 12's, for each processor."""
    shapes = ("bulk/value", "bulk/ge", "one-8/value", "hot/value")
    of = sorted({key[2] for _, rows in processors() for key in rows if key[0] == "compilers"},
                key=lambda name: (name.split()[0] != "gcc", int(name.split()[1])))
    columns = columns_of("compilers", [(f"{shape} scalar", name) for shape in shapes for name in of])
    lines = ["", "| compiler | " + " | ".join(f"{title}: `{shape}`" for title, _ in columns for shape in shapes) + " |",
             "|---|" + "--:|" * len(shapes) * len(columns)]
    for name in of:
        cells = [rows.get(("compilers", f"{shape} scalar", name)) for _, rows in columns for shape in shapes]
        lines.append(f"| {name} | " + " | ".join(f"{float(row.figure):.2f}" if row else "" for row in cells) + " |")
    return [*lines, *provenance("compilers", columns)]
