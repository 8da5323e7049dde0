#!/usr/bin/env python3
"""Facts of the documents: links and anchors lead somewhere, functions are in the files that are named with them, and every
place that names the version names the one of seebatch.h.

    test_documents.py PROJECT
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

PROJECT = Path(sys.argv[1])


def tracked(*patterns):
    """Files under version control, or in an unpacked release all files, that match."""
    listed = subprocess.run(["git", "-C", PROJECT, "ls-files", *patterns], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(PROJECT / name for name in listed.stdout.splitlines() if (PROJECT / name).exists())
    found = {path for pattern in patterns for path in PROJECT.rglob(pattern)}
    return sorted(path for path in found if not any(part.startswith("build") or part == "node_modules" for part in path.parts))


DOCUMENTS = tracked("*.md")
PROSE = [path for path in DOCUMENTS if "data" not in path.parts]  # no sources, licences


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
