#!/usr/bin/env python3
"""Addresses stand in one file, and the version in another: manifests and README are what scripts/addresses makes of them;
filled in, in a copy, each manifest is still one, and has them; what is no address is refused.

    test_addresses.py PROJECT
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

PROJECT = Path(sys.argv[1])
SCRIPT = PROJECT / "scripts/addresses"
FILLED = {"repository": "https://example.org/owner/seebatch", "homepage": "https://example.org/home",
          "documentation": "https://example.org/docs", "issues": "https://example.org/issues",
          "maintainer": "A B <ab@example.org>", "published": "npm pypi crates.io"}
MANIFESTS = {"bindings/python/pyproject.toml": "repository homepage documentation issues",
             "bindings/javascript/package.json": "repository homepage issues",
             "bindings/rust/Cargo.toml": "repository homepage documentation",
             "bindings/rust/boards/Cargo.toml": "repository homepage documentation",
             "CITATION.cff": "repository homepage", "cmake/release/debian/control": "repository homepage maintainer", "cmake/release/debian/watch": "repository",
             "cmake/release/debian/copyright": "repository", ".github/ISSUE_TEMPLATE/config.yml": "documentation", "README.md": "repository",
             "bindings/javascript/seebatch.js": "", "bindings/rust/Cargo.lock": "", "bindings/rust/boards/Cargo.lock": "",
             "bindings/rust/README.md": "", "bindings/rust/boards/README.md": "", "docs/data.md": "",
             "bindings/javascript/README.md": "", "bindings/python/README.md": "", "docs/download.md": "", "docs/install.md": "", "NEWS.md": "", "include/seebatch_see.h": ""}


def addresses(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True)


class Addresses(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("cmake/addresses.txt", "include/seebatch.h", *MANIFESTS):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PROJECT / name, self.folder / name)

    def fill(self, rows):
        (self.folder / "cmake/addresses.txt").write_text("".join(f"{name} {value}\n" for name, value in rows.items()))

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_all_are_current(self):
        done = addresses("--check", PROJECT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_list_of_manifests_is_the_script_s(self):
        sys.dont_write_bytecode = True
        loader = SourceFileLoader("addresses", str(SCRIPT))
        script = module_from_spec(spec_from_loader("addresses", loader))
        loader.exec_module(script)
        self.assertEqual({name for name, _ in script.changes(script.read(PROJECT), "1.2.3")}, set(MANIFESTS))

    def test_filled_in_and_taken_out_again(self):
        self.fill({**dict.fromkeys(FILLED, "-"), "maintainer": "C <c@example.org>"})
        self.assertEqual(addresses(self.folder).returncode, 0)
        empty = {name: self.text(name) for name in MANIFESTS}
        self.fill(FILLED)
        self.assertRegex(addresses("--check", self.folder).stderr, "^scripts/addresses: .*README.md: not current")
        for _ in range(2):
            self.assertEqual(addresses(self.folder).stderr, "")
        for name, has in MANIFESTS.items():
            for each in has.split():
                self.assertEqual(len(re.findall(rf"{re.escape(FILLED[each])}(?![\w])", self.text(name))) > 0, True, f"{name}: {each}")
        package = json.loads(self.text("bindings/javascript/package.json"))
        self.assertEqual((package["homepage"], package["bugs"]), (FILLED["homepage"], FILLED["issues"]))
        self.assertEqual(package["repository"]["url"], f"git+{FILLED['repository']}.git")
        self.check_toml()
        lines = re.findall(r"(?m)^\|.*\| `(.*seebatch)` \|.*\|$", self.text("README.md"))
        self.assertEqual(lines, ["python3 -m venv env && env/bin/pip install seebatch", "cargo add seebatch", "npm install seebatch"])
        self.assertIn(f"\ngit clone {FILLED['repository']} seebatch\n", self.text("README.md"))
        self.assertEqual(self.text("README.md").count("\n"), empty["README.md"].count("\n"))
        self.assertIn('\nseebatch = { version = "', self.text("bindings/rust/README.md"))
        self.assertIn("\nnpm install seebatch\n", self.text("bindings/javascript/README.md"))
        self.assertIn("env/bin/pip install seebatch\n", self.text("bindings/python/README.md"))
        self.assertIn("| `cargo add seebatch` |", self.text("docs/install.md"))
        for name in MANIFESTS:
            self.assertNotRegex(self.text(name), "(?i)nothing has been published|not on (PyPI|crates.io|the npm)", name)
        self.fill({**FILLED, "published": "pypi"})
        addresses(self.folder)
        self.assertRegex(self.text("README.md"), r"env/bin/pip install seebatch` \|.*\n.*\| `cargo add seebatch --git ")
        self.fill({**dict.fromkeys(FILLED, "-"), "maintainer": "C <c@example.org>"})
        addresses(self.folder)
        self.assertEqual({name: self.text(name) for name in MANIFESTS}, empty)

    def test_the_version_is_written_everywhere(self):
        header = self.folder / "include/seebatch.h"
        version = re.search(r'#define SEEBATCH_VERSION "(.*)"', header.read_text())[1]
        header.write_text(header.read_text().replace(f'"{version}"', '"71.82.93"'))
        stale = {"include/seebatch_see.h", "CITATION.cff", "bindings/javascript/package.json", "bindings/javascript/seebatch.js",
                 *(f"bindings/rust/{name}" for name in ("Cargo.toml", "Cargo.lock", "boards/Cargo.toml", "boards/Cargo.lock"))}
        pages = {"bindings/rust/README.md", "bindings/rust/boards/README.md", "docs/data.md"}
        self.fill({**FILLED, "published": "crates.io"})
        version_file = header.read_text()
        header.write_text(version_file.replace('"71.82.93"', f'"{version}"'))
        addresses(self.folder)
        header.write_text(version_file)
        found = addresses("--check", self.folder).stderr.split(": ")[1].split(", ")
        self.assertEqual((len(found), set(found)), (len(stale | pages), stale | pages))
        self.assertEqual(addresses(self.folder).stderr, "")
        self.assertEqual({name for name in MANIFESTS if "71.82.93" in self.text(name)}, stale)
        self.assertEqual(self.text("bindings/rust/boards/Cargo.lock").count('"71.82.93"'), 2)
        for name in pages:
            self.assertRegex(self.text(name), r'\nseebatch(-boards)? = .*"71\.82"')
        self.assertIn('\nseebatch = { version = "71.82", path', self.text("bindings/rust/boards/Cargo.toml"))
        self.assertEqual([name for name in MANIFESTS if re.search(r'seebatch(-boards)?"\nversion = "' + re.escape(version), self.text(name))], [])

    def check_toml(self):
        try:
            import tomllib
        except ImportError:
            return  # Python 3.11 has it
        project = tomllib.loads(self.text("bindings/python/pyproject.toml"))["project"]
        self.assertEqual(project["urls"], {name.title(): FILLED[name] for name in ("homepage", "repository", "documentation", "issues")})
        for name in ("bindings/rust/Cargo.toml", "bindings/rust/boards/Cargo.toml"):
            crate = tomllib.loads(self.text(name))["package"]
            self.assertEqual([crate[key] for key in ("repository", "homepage", "documentation")],
                             [FILLED[key] for key in ("repository", "homepage", "documentation")])

    def test_what_is_no_address_is_refused(self):
        for rows, sentence in (({**FILLED, "homepage": "example.org"}, "homepage is 'example.org', expected one address that begins with https://, or -"),
                               ({**FILLED, "issues": "https://a https://b"}, "issues is 'https://a https://b', expected one address"),
                               ({**FILLED, "published": "pypi cpan"}, "published is 'pypi cpan', expected pypi, crates.io, npm, or -"),
                               ({**FILLED, "maintainer": "-"}, "maintainer is '-', expected a name and an address"),
                               ({**FILLED, "hompage": "-"}, "expected one row each of .*, found 'hompage -'"),
                               ({"repository": "-"}, "expected a row 'homepage', found none")):
            self.fill(rows)
            done = addresses(self.folder)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, sentence)
        self.assertEqual(addresses("--chekc").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
