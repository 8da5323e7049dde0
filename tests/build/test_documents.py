#!/usr/bin/env python3
"""Facts of the documents: links and anchors lead somewhere; what a page names in code exists: functions, options, files, variables
of CMake; every variable of CMake is on a page; a block of code of the guides is run by a test or says why not; a measured figure
of the guides stands between the marks of scripts/manual; the references of the site have what the Python package exports; and every
place that names the version names the one of seebatch.h.

    test_documents.py PROJECT
"""
import ast
import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(sys.argv[1])


def tracked(*patterns):
    """Files under version control, or in an unpacked release all files, that match."""
    listed = subprocess.run(["git", "-C", PROJECT, "ls-files", *patterns], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(PROJECT / name for name in listed.stdout.splitlines() if (PROJECT / name).exists())
    found = {path for pattern in patterns for path in PROJECT.rglob(pattern)}
    return sorted(path for path in found if not path.relative_to(PROJECT).parts[0].startswith("build") and "node_modules" not in path.parts)


DOCUMENTS = tracked("*.md")
PROSE = [path for path in DOCUMENTS if "data" not in path.parts]  # no sources, licences
# What pages name of other programs, and symbols that macros make.
FOREIGN = {"PopulateBoard", "MoveFromNNIndex", "win_rate_params", "postMessage", "--precise", "--early-fen-skipping", "src/uci.cpp", "src/see.c",
           "avx512_plain_decide", "avx512_plain_chunk"}
# The pages whose blocks of code are all run, and what a block has that a test runs: test_tool_data.py runs those that begin
# with a prompt, test_readme.sh and test_packages.sh the others of the first two, test_tool_recipes.py those of the recipes,
# test_embedding.sh and test_rust.sh those of the pages for engines, test_readme.py those of columns, test_wheel.py the lines
# that install the Python package, test_on_debian.sh those of downloads, test_tool.py the boards of rules and definitions,
# test_tool_compare.py that of accuracy. Of the READMEs, the tests of each language run all blocks of that language, and compare
# the output where a block without a language follows.
GUIDES = {"README.md": ["^\\$ ", "filter --keep"], "docs/install.md": ["seebatch stats", "seebatch_see_ge", "values_of_node", "^import csv"],
          "docs/data.md": ["^\\$ "], "docs/conditions.md": ["^\\$ "],
          "docs/engine.md": ["^seebatch verify ", "^OBJECTS ", "seebatch_see_ge", "^/\\* The highest threshold", "ownEvaluation", "replay", "seebatch_ge_mask"],
          "docs/engine-recipes.md": ["^#define SEEBATCH_SEE_", '^#include "seebatch(?:_see)?.h"', "^rust\n"], "docs/columns.md": ["^python\n", "^\\$ python3 "],
          "bindings/python/README.md": ["^py(?:thon)?\n", "^python3 -m venv env", "^scripts/python DIR"], "bindings/rust/README.md": ["^rust\n", "^toml\n"],
          "bindings/rust/boards/README.md": ["^rust\n"], "bindings/javascript/README.md": ["^js\n", "hangingShapes", "^npm pack ", "esbuild"],
          "docs/formats.md": ["^\\$ "], "docs/stats-json.md": ["^\\$ "], "docs/io.md": ["seebatch_reader_open"],
          "docs/download.md": ["^sh\n"], "cmake/release/tool.md": ["^\\$ "], "docs/accuracy.md": ["^scripts/fidelity .*bench/data"],
          "docs/rules.md": ["^[1-8] [.a-zA-Z] "], "docs/semantics.md": ["^[1-8] [.a-zA-Z] "],
          **dict.fromkeys(("CONTRIBUTING.md", "bench/README.md", "suite/README.md", "web/README.md", "docs/compilers.md", "docs/packaging.md",
                           "docs/performance.md"), []),
          "docs/recipes.md": ["^seebatch (filter|eval) (?!.*--parts)", "^seebatch filter .*--parts", "^sbatch ", "^parallel ", "^for part in "]}
NOT_RUN = "<!-- Not run: "


def short(path):
    return str(path.relative_to(PROJECT))


def without_code(text):
    """The text with the lines of fenced blocks blank."""
    inside, lines = False, []
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        lines.append("" if fence or inside else line)
        inside ^= fence
    return lines


def anchors(path):
    """The anchors of the headings, made as GitHub makes them."""
    found = set()
    for line in without_code(path.read_text()):
        if line.startswith("#"):
            heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip().lower())
            found.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return found


class Documents(unittest.TestCase):
    maxDiff = None

    def test_links_lead_somewhere(self):
        lost = []
        for path in DOCUMENTS:
            for target in re.findall(r"\]\(([^)\s]+)\)", "\n".join(without_code(path.read_text()))):
                if re.match(r"https?:|mailto:", target):
                    continue
                name, _, anchor = target.partition("#")
                other = (path.parent / name).resolve() if name else path
                if not other.exists():
                    lost.append(f"{short(path)}: there is no {name}")
                elif anchor and anchor not in anchors(other):
                    lost.append(f"{short(path)}: {short(other)} has no heading for #{anchor}")
        self.assertEqual(lost, [])

    def test_functions_are_where_documents_say(self):
        """`src/swap.h`, `swap_loop()`; `swap_loop()` in `src/swap.h`."""
        lost = []
        for path in PROSE:
            text = re.sub(r"\s+", " ", path.read_text())
            for name, function in (*re.findall(r"`([\w./-]+\.[ch])`[,:] `(\w+)\(\)`", text),
                                   *(pair[::-1] for pair in re.findall(r"`(\w+)\(\)` in `([\w./-]+\.[ch])`", text))):
                if not any(re.search(rf"\b{function}\(", file.read_text()) for file in tracked(f"*{name}")):
                    lost.append(f"{short(path)}: {name} has no {function}()")
        self.assertEqual(lost, [])

    def test_what_is_named_in_code_exists(self):
        """`name()`, `--option`, `SEEBATCH_NAME` and `folder/file` in a sentence."""
        sources = [path for path in tracked("*") if path.suffix not in (".md", ".svg", ".png") and "data" not in path.parts]
        text = "\n".join(path.read_text(errors="replace") for path in sources if path.is_file())
        words, folders = set(re.findall(r"\w+", text)), {path.relative_to(PROJECT).parts[0] for path in sources if path.parent != PROJECT}
        lost = []
        for path in PROSE:
            for code in re.findall(r"`([^`\n]+)`", "\n".join(without_code(path.read_text()))):
                named = [(each, each in words) for each in (*re.findall(r"\b([A-Za-z_]\w*)\(\)", code), *re.findall(r"(?:\b|(?<=-D))(SEEBATCH_[A-Z0-9_]+)\b", code))]
                named += [(each, each[2:] in text) for each in re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]+)", code)]
                if re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", code) and code.split("/")[0] in folders and not re.search(r"\b(?:NAME|KIND)\b", code):
                    named.append((code, (PROJECT / code).exists() or (path.parent / code).exists() or not re.search(r"/$|\.\w+$", code)))
                lost += [f"{short(path)}: there is no {name}" for name, there in named if not there and name not in FOREIGN]
        self.assertEqual(lost, [])

    def test_variables_of_cmake_are_documented(self):
        build = "\n".join(path.read_text() for path in tracked("CMakeLists.txt", "cmake/*.cmake"))
        variables = set(re.findall(r"seebatch_(?:choice|option|text)\((SEEBATCH_\w+)", build))
        self.assertGreater(len(variables), 10)
        pages = "\n".join(path.read_text() for path in PROSE)
        self.assertEqual(sorted(each for each in variables if not re.search(rf"(?:\b|-D){each}\b", pages)), [])

    def test_blocks_of_the_guides_are_run(self):
        lost = []
        for page, run in GUIDES.items():
            for before, code in re.findall(r"(?ms)(^[^\n]*\n\n)?^ *```(\w*\n.*?)^ *```", (PROJECT / page).read_text()):
                is_output = code.startswith("\n") and not before  # of the block that it follows
                if not is_output and not before.lstrip().startswith(NOT_RUN) and not any(re.search(each, code, re.MULTILINE) for each in run):
                    lost.append(f"{page}: expected a test that runs the block, or a line '{NOT_RUN}WHY -->' and an empty line before it: {code[:60]}")
        self.assertEqual(lost, [])
        others = [short(path) for path in PROSE if short(path) not in GUIDES and re.search(r"(?m)^ *```", path.read_text())]
        # docs/cli.md is made of the manual pages; the pages for people who change the code have sketches.
        self.assertEqual([page for page in others if not re.match("docs/(?:internals/|cli.md)", page)], [])

    def test_measured_figures_stand_between_marks(self):
        """Times, speeds and sizes that were measured, which belong into docs/data/figures.json."""
        unit = r"\d ?(?:ns|nanoseconds|microseconds|milliseconds|GB|MB|KB|million positions per second)\b|\d% (?:of the (?:time|positions)|longer|slower|faster|larger)|\d times (?:as|the)\b"
        lost = []
        for path in PROSE:
            page = short(path)
            if page.startswith("docs/internals/measurements/"):
                continue  # the notebook: a figure stands beside its processor, commit and date
            text = "\n".join(without_code(path.read_text()))
            text = re.sub(r"<!-- figure [\w-]+ -->[^<]*<!-- -->|(?s:<!-- Made by scripts/manual: .*?<!-- Up to here by scripts/manual -->)", "", text)
            share = r"|\d ?%" * page.startswith("docs/internals/")  # the other pages name shares that are chosen, such as those of options
            lost += [f"{page}: {line.strip()}" for line in text.split("\n") if re.search(unit + share, line)]
        self.assertEqual(lost, [])

    def test_references_of_the_site(self):
        """The part of scripts/site that needs no other program; the whole is made with a release."""
        sys.dont_write_bytecode = True
        loader = importlib.machinery.SourceFileLoader("site_script", str(PROJECT / "scripts/site"))
        site = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(site)
        with tempfile.TemporaryDirectory() as folder:
            site.references(Path(folder))
            for path in (PROJECT / "bindings/python/seebatch").glob("[!_]*.py"):
                self.assertTrue((Path(folder) / f"reference/{path.stem}.md").exists(), f"{path.name} has no page")
            module = ast.parse((PROJECT / "bindings/python/seebatch/__init__.py").read_text())
            (names,) = [ast.literal_eval(each.value) for each in module.body
                        if isinstance(each, ast.Assign) and each.targets[0].id == "__all__"]
            page = (Path(folder) / "reference/python.md").read_text()
            self.assertEqual([name for name in names if f"{{: #{name} }}" not in page and name != "columns"], [])

    def test_one_version(self):
        def found(name, pattern):
            text = (PROJECT / name).read_text()
            return re.search(pattern, text, re.MULTILINE).group(1)

        version = found("include/seebatch.h", r'^#define SEEBATCH_VERSION "(.*)"')
        numbers = [found("include/seebatch.h", rf"^#define SEEBATCH_VERSION_{part} (.*)") for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(".".join(numbers), version)
        cmake = (PROJECT / "CMakeLists.txt").read_text()
        self.assertIn("project(seebatch VERSION ${version} ", cmake)
        # scripts/addresses writes it into the manifests, and has a test of its own; scripts/manual into the manual pages.
        for name, pattern in (("NEWS.md", r"^## ([0-9.]+)"),
                              *((short(path), r'^\.TH .*"seebatch (.*?)"') for path in tracked("docs/*.1"))):
            with self.subTest(name):
                self.assertEqual(found(name, pattern), version)
        licence = (PROJECT / "LICENSE").read_text()
        for path in tracked("bindings/*LICENSE*"):
            self.assertEqual(path.read_text(), licence, short(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
