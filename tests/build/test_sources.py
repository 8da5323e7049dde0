#!/usr/bin/env python3
"""The layers of the sources: each file has a name of its own, an include reaches only what its layer may use, and every file
format that is defined is also listed.

    test_sources.py PROJECT
"""
import re
import sys
import unittest
from collections import defaultdict
from pathlib import Path

PROJECT = Path(sys.argv[1])

# Names of files that several folders have, with the reason.
SAME_NAME = {
    "kernel.c": "one in each folder of src/ that is a kernel",
    "lanes.h": "the words of each instruction set",
}
SAME_HEADER = {
    "lanes.h": SAME_NAME["lanes.h"],
    "quote.h": "the same in src/ and in io/, which takes nothing of src/ but its public header",
}

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

    def test_each_name_is_of_one_file(self):
        for folder in ("src", "io", "tools"):
            places = defaultdict(list)
            for path in files(folder):
                places[path.name].append(short(path))
            several = {name: found for name, found in places.items() if len(found) > 1 and name not in SAME_NAME}
            self.assertEqual(several, {}, "expected a name of its own for each file of a folder")
        headers = defaultdict(list)
        for path in files("src", "io", "tools", "include", "tests", "bench"):
            headers[path.name].append(short(path))
        several = {name: found for name, found in headers.items()
                   if name.endswith(".h") and len(found) > 1 and name not in SAME_HEADER}
        self.assertEqual(several, {}, "expected no two headers of one name for different things")

    def test_includes_do_not_reach_upward(self):
        upward = [f"{short(path)}: {line.strip()}" for path in files("src", "io", "tools", "include")
                  for line in path.read_text().split("\n") if re.match(r'\s*#\s*include\s*"[^"]*\.\./', line)]
        self.assertEqual(upward, [], "expected a path from the root of the sources")

    def test_each_tree_includes_of_those_below_what_it_may(self):
        """The library of formats: seebatch.h. The tool: the two public headers, and small ones that know no formats."""
        shared = {"bytes.h", "endings.h", "mix.h", "quote.h", "requests.h", "stream.h", "text.h"}
        core, formats = ({path.name for path in files(folder)} for folder in ("src", "io"))
        tool = {path.name for path in files("tools")}
        for folder, closed in (("io", core - formats), ("tools", (core | formats) - tool - shared)):
            inside = [f"{short(path)}: {name}" for path in files(folder)
                      for name in re.findall(r'#include "(?:[^"]*/)?([^"/]+)"', path.read_text()) if name in closed]
            self.assertEqual(inside, [], f"expected in {folder}/ public headers alone")

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
