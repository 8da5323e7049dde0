#!/usr/bin/env python3
"""What scripts/publish gives to a registry: what the registry lacks, once, however often it is run and wherever it stopped before.

    test_publish.py PROJECT

A server of this test is the registries. npm, cargo and twine are stand-ins that refuse what is there already, as the registries do,
and enter what they are given; cargo is called by the real scripts/rust.
"""
import base64
import functools
import hashlib
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

PROJECT = Path(sys.argv[1]).resolve()
VERSION = (PROJECT / "include/seebatch.h").read_text().split('#define SEEBATCH_VERSION "')[1].split('"')[0]
PYPI, NPM, CRATES = "simple/seebatch/index.html", f"seebatch/{VERSION}", "se/eb/"
SOURCES, WHEEL = f"seebatch-{VERSION}.tar.gz", f"seebatch-{VERSION}-cp311-abi3-win_amd64.whl"

# Each writes its arguments to $CALLS, fails at what $BROKEN names, and enters what it publishes below $SERVED.
STAND_IN = r'''#!/usr/bin/env python3
import base64, hashlib, json, os, pathlib, re, sys
served, program, arguments = pathlib.Path(os.environ["SERVED"]), pathlib.Path(sys.argv[0]).name, sys.argv[1:]
def enter(path, text):
    (served / path).parent.mkdir(parents=True, exist_ok=True)
    with open(served / path, "a") as file:
        file.write(text)
if program == "cargo":
    if arguments[0] != "publish":
        sys.exit(f"cargo: the stand-in does not know {arguments[0]}")
    name, version = re.search(r'name = "(.*)"\nversion = "(.*)"', open("Cargo.toml").read()).groups()
    what, path, text = name, f"se/eb/{name}", json.dumps({"vers": version}) + "\n"
    if name == "seebatch" and not (os.path.getsize("src/seebatch.c") and os.path.exists("LICENSE")):
        sys.exit("cargo: the crate lacks a file")
    if name == "seebatch-boards" and "--dry-run" not in arguments and not (served / "se/eb/seebatch").exists():
        sys.exit("cargo: no matching package named `seebatch` found")
    there = (served / path).exists() and f'"{version}"' in (served / path).read_text()
elif program == "npm":
    data = pathlib.Path(arguments[1]).read_bytes()
    what, path, there = "seebatch", os.environ["NPM_PATH"], (served / os.environ["NPM_PATH"]).exists()
    text = json.dumps({"dist": {"integrity": "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()}})
else:
    what, path, text, there = "files", "uploaded", " ".join(arguments), False
with open(os.environ["CALLS"], "a") as calls:
    print(program, arguments[0], what, *[os.path.basename(each) for each in arguments[1:] if program == "twine" and not each.startswith("-")],
          *["dry"] * ("--dry-run" in arguments), file=calls)
if os.environ.get("BROKEN") == what:
    sys.exit(f"{program}: the connection was reset")
if there and "--dry-run" not in arguments:
    sys.exit(f"{program}: {what} exists already")
if "--dry-run" not in arguments and arguments[0] != "check":
    enter(path, text)
'''


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Publish(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work)
        self.served, self.files, programs = (self.work / name for name in ("served", "files", "programs"))
        for folder in (self.served, self.files, programs):
            folder.mkdir()
        for name in ("npm", "cargo", "twine"):
            (programs / name).write_text(STAND_IN)
            (programs / name).chmod(0o755)
        for name in (SOURCES, WHEEL, f"seebatch-{VERSION}.tgz"):
            (self.files / name).write_text(f"this is {name}")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.served))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SERVED": str(self.served), "CALLS": str(self.work / "calls"),
                            "NPM_PATH": NPM, "SEEBATCH_TEST_REGISTRY": f"http://127.0.0.1:{server.server_port}", "no_proxy": "127.0.0.1"}
        self.environment.pop("CARGO", None)

    def publish(self, *arguments, status=0, calls=(), says="", **environment):
        """Runs the script, and holds its status, the calls of the stand-ins and a sentence of it against what is expected."""
        path = self.work / "calls"
        path.write_text("")
        done = subprocess.run([sys.executable, "-B", PROJECT / "scripts/publish", *arguments], capture_output=True, text=True,
                              env={**self.environment, **environment})
        self.assertEqual((done.returncode, path.read_text().splitlines()), (status, list(calls)), done.stderr)
        self.assertIn(says, done.stderr)

    def serve(self, path, text):
        (self.served / path).parent.mkdir(parents=True, exist_ok=True)
        (self.served / path).write_text(text)

    def on_pypi(self, **digests):
        self.serve(PYPI, json.dumps({"files": [{"filename": name, "hashes": {"sha256": digest}} for name, digest in digests.items()]}))

    def digest(self, name):
        return hashlib.sha256((self.files / name).read_bytes()).hexdigest()

    def test_crates_after_a_run_that_stopped_between_them(self):
        first, second = "cargo publish seebatch", "cargo publish seebatch-boards"
        self.publish("crates.io", status=1, calls=[first, second], says="the next run skips it", BROKEN="seebatch-boards")
        self.publish("crates.io", calls=[second], says=f"crates.io has seebatch {VERSION} already; it is skipped")
        self.publish("crates.io", says=f"crates.io has seebatch-boards {VERSION} already; it is skipped")

    def test_crates_of_an_older_version_are_not_this_one(self):
        self.serve(CRATES + "seebatch", '{"vers": "0.0.1"}\n')
        self.publish("crates.io", "--compare", status=2)
        self.publish("--compare", "crates.io", says=f"crates.io does not have seebatch {VERSION} yet")
        self.publish("--dry-run", "crates.io", calls=["cargo publish seebatch dry", "cargo publish seebatch-boards dry"])

    def test_npm_once(self):
        self.publish("--dry-run", "npm", self.files, calls=["npm publish seebatch dry"])
        self.publish("npm", self.files, status=1, calls=["npm publish seebatch"], says="ended with status 1", BROKEN="seebatch")
        self.publish("npm", self.files, calls=["npm publish seebatch"])
        self.publish("npm", self.files, says="npm has seebatch-")
        self.publish("--dry-run", "npm", self.files, says="it is skipped")

    def test_pypi_gets_the_files_that_it_lacks(self):
        self.publish("--dry-run", "pypi", self.files, calls=[f"twine check files {WHEEL} {SOURCES}"])
        self.on_pypi(**{WHEEL: self.digest(WHEEL)})
        self.publish("pypi", self.files, calls=[f"twine upload files {SOURCES}"], says=f"PyPI has {WHEEL} already; it is skipped")
        self.on_pypi(**{WHEEL: self.digest(WHEEL), SOURCES: self.digest(SOURCES)})
        self.publish("pypi", self.files, says=f"PyPI has {SOURCES} already")

    def test_another_file_of_the_same_name_is_no_success(self):
        self.on_pypi(**{WHEEL: "0" * 64})
        for mode in ((), ("--dry-run",), ("--compare",)):
            self.publish(*mode, "pypi", self.files, status=1, says=f"PyPI has another {WHEEL}: its digest is {'0' * 64}, expected {self.digest(WHEEL)}")
        other = base64.b64encode(bytes(64)).decode()
        self.serve(NPM, json.dumps({"dist": {"integrity": f"sha512-{other}"}}))
        self.publish("npm", self.files, status=1, says="npm has another")

    def test_a_registry_that_cannot_be_asked(self):
        for what in (("crates.io",), ("npm", self.files), ("pypi", self.files)):
            self.publish(*what, status=1, says="cannot be asked", SEEBATCH_TEST_REGISTRY="http://127.0.0.1:1")

    def test_files_that_are_missing_and_bad_usage(self):
        (self.files / SOURCES).unlink()
        self.publish("pypi", self.files, status=1, says=f"has no {SOURCES}")
        for wrong in ((), ("npm",), ("crates.io", self.files), ("pip", self.files), ("--dry", "crates.io")):
            self.publish(*wrong, status=2, says="expected [--dry-run | --compare]")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
