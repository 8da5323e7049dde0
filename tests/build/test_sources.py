#!/usr/bin/env python3
"""The sources as a reader finds them: no file and no function is too long, each file has a name of its own, includes
stay within their folders, and identifiers are words of the field.

    test_sources.py PROJECT

The words that no identifier may have, each with the one to write instead, and the exceptions, are in WORDS and ALLOWED.
"""
import re
import sys
import unittest
from collections import defaultdict
from pathlib import Path

PROJECT = Path(sys.argv[1])
LONGEST_FILE, LONGEST_FUNCTION = 450, 60  # lines

# Parts of identifiers, as they stand between underscores: not this, but that.
WORDS = {
    "hidden": "xray",
    "play_out": "swap loop, resolve",
    "plays_out": "swap loop, resolve",
    "deal": "expand offsets",
    "owner": "position index",
    "look": "pass, by what it checks",
    "looks": "passes, by what they check",
    "turned": "rotated or flipped",
    "standing": "victim_value",
    "settle": "decide, check",
    "settled": "decided, no recapture",
    "told": "decided, no recapture",
    "leave": "remove_attacker",
    "set_square": "attackers_to, init_...",
    "set_up": "init_...",
    "exposed": "king blockers",
    "held": "pinned",
    "family": "rule class",
    "as_they_are": "specialized",
    "ask_ahead": "prefetch",
    "ask_for": "prefetch",
    "best_order": "any order, dominance",
}

# Identifiers that may have such a part, with the reason: {identifier: (files as a pattern, reason)}.
ALLOWED = {
    "family": ("src/cpu.c", "AMD's and Intel's own word for a generation of processors"),
    "SEEBATCH_BEST_ORDER": (".*", "the value of a public field: captures in the order that is best for each side"),
    "SEEBATCH_PINS_RAY_STANDING": (".*", "the value of a public field: pieces are held while what pins them stands"),
    "SEEBATCH_EN_PASSANT_STANDING": (".*", "the value of a public field: the pawn that is taken is left standing"),
    "SEEBATCH_SEE_PINS_RAY_STANDING": (".*", "the same in the header for one move"),
    "SEEBATCH_SEE_EN_PASSANT_STANDING": (".*", "the same in the header for one move"),
    **{name: ("(src/scalar|src/lanes|tools/commands)/.*", "a word of the rules SEEBATCH_PINS_RAY_: more than pinned")
       for name in ("held", "held_pieces", "held_reason", "no_attacker_is_held")},
    "MOST_LOOK_BACK": ("io/.*", "ordinary English: bytes read before a place in a file"),
}

# Names of files that several folders have, with the reason.
SAME_NAME = {
    "kernel.c": "one in each folder of src/ that is a kernel",
    "lanes.h": "the words of each instruction set",
}
SAME_HEADER = {
    "lanes.h": SAME_NAME["lanes.h"],
    "quote.h": "the same in src/ and in io/, which takes nothing of src/ but its public header",
}

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def files(*folders):
    found = sorted(path for folder in folders for path in (PROJECT / folder).rglob("*.[ch]"))
    assert len(found) > 5 * len(folders) or folders == ("include",), f"no sources in {folders}"
    return found


def short(path):
    return str(path.relative_to(PROJECT))


def bare(text):
    """The code without comments and texts, line by line as before."""
    return COMMENT_OR_TEXT.sub(lambda match: " " + "\n" * match.group().count("\n"), text)


def functions(text):
    """(first line, number of lines) of each function: from the line after the last ; } or directive to its closing }."""
    first, start = 1, None
    for number, line in enumerate(bare(text).split("\n"), 1):
        if start is None and line == "{":
            start = first
        elif line == "}" and start is not None:
            yield start, number - start + 1
            start = None
        if start is None and (not line.strip() or line[0] == "#" or line.rstrip().endswith((";", "}"))):
            first = number + 1


def forbidden(identifier):
    """The words of an identifier that are not the field's."""
    parts = f"_{identifier.lower()}_"
    return [word for word in WORDS if f"_{word}_" in parts]


class Sources(unittest.TestCase):
    maxDiff = None

    def test_files_are_short(self):
        long = [f"{short(path)}: {n} lines" for path in files("src", "io", "tools")
                if (n := path.read_text().count("\n")) > LONGEST_FILE]
        self.assertEqual(long, [], f"expected at most {LONGEST_FILE} lines a file")

    def test_functions_are_short(self):
        long, count = [], 0
        for path in files("src", "io", "tools"):
            for first, n in functions(path.read_text()):
                count += 1
                if n > LONGEST_FUNCTION:
                    long.append(f"{short(path)}:{first}: {n} lines")
        self.assertEqual(long, [], f"expected at most {LONGEST_FUNCTION} lines a function")
        self.assertGreater(count, 500, "functions are not recognised any more")

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

    def test_identifiers_are_words_of_the_field(self):
        wrong, seen = [], set()
        for path in files("src", "io", "tools", "include"):
            wrong += [f"{short(path)}: not '{word}', but {WORDS[word]}" for word in forbidden(path.stem)]
            for number, line in enumerate(bare(path.read_text()).split("\n"), 1):
                for identifier in re.findall(r"[A-Za-z_]\w*", line):
                    words = forbidden(identifier)
                    if not words:
                        continue
                    if identifier in ALLOWED and re.fullmatch(ALLOWED[identifier][0], short(path)):
                        seen.add(identifier)
                    else:
                        wrong += [f"{short(path)}:{number}: {identifier}: not '{word}', but {WORDS[word]}"
                                  for word in words]
        self.assertEqual(wrong, [])
        self.assertEqual(set(ALLOWED) - seen, set(), "these exceptions are not needed any more")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
