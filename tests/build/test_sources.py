#!/usr/bin/env python3
"""The layers of the sources: an include reaches only what its layer may use, and every file
format that is defined is also listed.

    test_sources.py PROJECT
"""
import re
import sys
import unittest
from pathlib import Path

PROJECT = Path(sys.argv[1])


def files(*folders):
    found = sorted(path for folder in folders for path in (PROJECT / folder).rglob("*.[ch]"))
    assert len(found) > 5 * len(folders) or folders == ("include",), f"no sources in {folders}"
    return found


def short(path):
    return str(path.relative_to(PROJECT))


class Sources(unittest.TestCase):
    maxDiff = None

    def test_each_format_is_listed(self):
        made = {name for path in files("io/formats") for name in re.findall(r"^const struct file_format FORMAT\((\w+)\)", path.read_text(), re.M)}
        listed = set(re.findall(r"ROW\((\w+)\)", (PROJECT / "io/formats/formats.h").read_text().partition("FORMATS(ROW)")[2]))
        self.assertEqual(made, listed, "expected a ROW() in io/formats/formats.h for each FORMAT() that is defined")
        self.assertGreater(len(made), 12)

    def test_functions_named_in_comments_exist(self):
        """A name() in a comment may leave out the prefix that it has; a method of something else follows a dot or colons."""
        comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
        texts = {path: path.read_text() for path in files("src", "io", "tools", "include", "tests", "bench")}
        code = "\n".join(comment.sub(" ", text) for text in texts.values())
        known = set(re.findall(r"\w+", code))
        gone = [f"{short(path)}: {name}()" for path in files("src", "io", "tools", "include")
                for found in comment.finditer(texts[path])
                for name in re.findall(r"(?<![\w.:])([a-z_]\w*)\(\)", found[0])
                if not known & {name, "see_" + name, "seebatch_" + name, "seebatch_io_" + name}]
        self.assertEqual(gone, [], "expected the names of functions that there are")

    def test_constants_that_choose_a_path_and_their_rows_name_each_other(self):
        """The comment of a constant or function names its row of the last table of the walk, which names the file."""
        walk = "docs/internals/lanes.md"
        named = {(name, short(path).removeprefix("src/")) for path in files("src")
                 for names in re.findall(r"\brows? (\w+[^.]*?) of the last table in " + re.escape(walk),
                                         re.sub(r"\s*\n \*\s*|\s+", " ", path.read_text()))
                 for name in re.findall(r"\w+", names) if name != "and"}
        table = (PROJECT / walk).read_text().rpartition("| constant | where |")[2].splitlines()[2:]
        rows = {(name, where) for row in table
                for name in re.findall(r"`(\w+)", row.split(" | ")[0]) for where in re.findall(r"`([^`]+)`", row.split(" | ")[1])}
        self.assertEqual(named, rows, f"expected a row in {walk} for each constant whose comment names one, and such a comment for each row")
        self.assertGreater(len(rows), 15)

    def test_includes_do_not_reach_upward(self):
        upward = [f"{short(path)}: {line.strip()}" for path in files("src", "io", "tools", "include")
                  for line in path.read_text().split("\n") if re.match(r'\s*#\s*include\s*"[^"]*\.\./', line)]
        self.assertEqual(upward, [], "expected a path from the root of the sources")

    def test_each_tree_includes_of_those_below_what_it_may(self):
        """The library of formats: seebatch.h. The tool: the two public headers, and small ones that know no formats."""
        shared = {"bytes.h", "counters.h", "edits.h", "file_extension.h", "splitmix.h", "numbers.h", "quote.h", "queries.h", "repeats.h", "short_cells.h", "write_rows.h", "stream.h", "text.h"}
        core, formats = ({path.name for path in files(folder)} for folder in ("src", "io"))
        tool = {path.name for path in files("tools")}
        for folder, closed in (("io", core - formats), ("tools", (core | formats) - tool - shared)):
            inside = [f"{short(path)}: {name}" for path in files(folder)
                      for name in re.findall(r'#include "(?:[^"]*/)?([^"/]+)"', path.read_text()) if name in closed]
            self.assertEqual(inside, [], f"expected in {folder}/ public headers alone")

    def test_folders_of_io_include_those_below_alone(self):
        """The last line of a folder's README names the folders that it uses: those it includes, and no circle among them."""
        root = PROJECT / "io"
        may = {}
        for folder in sorted({path.parent for path in root.rglob("*.[ch]")} - {root / "windows/sys"}):
            last = (folder / "README.md").read_text().rstrip().split("\n")[-1]
            self.assertRegex(last, r"^Uses: (no other folder|`[a-z/]+`(, `[a-z/]+`)*)\.$", short(folder))
            may[str(folder.relative_to(root))] = set(re.findall("`([a-z/]+)`", last))
        does = {folder: set() for folder in may}
        for path in [*root.rglob("*.[ch]"), *root.rglob("*.cc")]:
            own = "windows" if "windows" in path.parts else str(path.parent.relative_to(root))
            for name in re.findall(r'#\s*include\s*"([^"]+)"', path.read_text()):
                if "/" in name and (root / name).is_file():
                    does[own].add(str(Path(name).parent))
        self.assertEqual({folder: sorted(used) for folder, used in does.items()}, {folder: sorted(used) for folder, used in may.items()},
                         "expected in the READMEs of the folders of io/ (second) the folders that they include (first)")
        floors = []
        while len(floors) < len(may):
            floor = sorted(folder for folder in may if folder not in floors and may[folder] <= set(floors))
            self.assertTrue(floor, f"expected no circle among {sorted(set(may) - set(floors))}")
            floors += floor

    def test_functions_of_io_are_defined_where_they_are_declared(self):
        """Otherwise a folder could call one above it through a declaration of its own."""
        declared, defined = [], {}
        for path in [path for path in (PROJECT / "io").rglob("*.[ch]") if "windows" not in path.parts]:
            code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            for name, end in re.findall(r"^[a-z][^;{}=()#]*?\b(seebatch_io_\w+)\([^{};]*\)[^;{}()]*([;{])", code, re.M):
                if end == "{" and path.suffix == ".c":
                    defined[name] = path
                else:
                    declared.append((name, path))
        self.assertGreater(len(defined), 200)
        apart = [f"{name}(): {short(path)}, {short(defined[name])}" for name, path in declared
                 if name in defined and defined[name].parent != path.parent]
        self.assertEqual(apart, [], "expected a function in the folder of each declaration")

    def test_the_folders_of_io_are_described(self):
        listed = set(re.findall(r"\]\(([a-z/]+)/README\.md\)", (PROJECT / "io/README.md").read_text()))
        there = {str(path.parent.relative_to(PROJECT / "io")) for path in (PROJECT / "io").rglob("*.[ch]")} - {"windows/sys"}
        self.assertEqual(listed, there, "expected a row in io/README.md for each folder")

    def test_no_fraction_is_printed_where_a_locale_may_change_its_point(self):
        """Callers choose locales; support/numbers.h writes fractions. (test_structure.sh looks for functions.)"""
        fraction = re.compile(r"(?<!\[)%[-+ #0]*[0-9*]*(?:\.[0-9*]*)?[efgaEFGA]")
        text = re.compile(r'"(?:[^"\\\n]|\\.)*"')
        found = [f"{short(path)}: {string}" for path in files("src", "io") if path.name != "numbers.h"
                 for line in path.read_text().split("\n") if "printf(" in line or re.match(r'\s*"', line)
                 for string in text.findall(line) if fraction.search(string.replace("%%", ""))]
        self.assertEqual(found, [], "expected seebatch_io_put_real() in the libraries")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
