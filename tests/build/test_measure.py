#!/usr/bin/env python3
"""scripts/measure with a stand-in for the programs that it runs, whose times are given: what it writes, that it resumes, what it
refuses, and what it says where something is missing. Nothing is timed.

    test_measure.py PROJECT
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "scripts"))
import measured  # noqa: E402
import measured_peers  # noqa: E402

# Writes its arguments to the log, and prints times: of "avx2" twice 10 and 10, or what the environment says.
TURNS = f"""#!{sys.executable} -IS
import os, sys
with open(os.environ["LOG"], "a") as log:
    print(*sys.argv[1:], file=log)
old, new = sys.argv[-2:]
of = dict(zip(sys.argv[1:-2:2], sys.argv[2:-2:2]))
kernels = of.get("--kernel", "scalar").split(",")
itself = old == new and len(kernels) == 1 and "," not in of["--rules"]
second = os.environ.get("NOISY", "10") if itself else os.environ.get("OTHER", "20")
print("lower quartiles", 10, second)
print("minima", 10, second)
"""
# In place of cmake: leaves a library where the build would.
CMAKE = """#!/bin/sh
[ "$1" = --build ] || mkdir -p "$4"
[ "$1" != --build ] || touch "$2/libseebatch.so"
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class Measure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.log, self.build, self.folder = self.work / "log", self.work / "build", self.work / "measured"
        self.folder.mkdir()
        program(self.build / "bin/seebatch_turns", TURNS)
        program(self.work / "bin/cmake", CMAKE)
        (self.build / "libseebatch.so").touch()
        (self.build / "CMakeCache.txt").write_text("CMAKE_C_COMPILER:FILEPATH=cc\n")

    def run_it(self, *words, status=0, **environment):
        """What it prints; the calls of the stand-in are in self.calls."""
        self.log.write_text("")
        environment = {**os.environ, "LOG": str(self.log), "PATH": f"{self.work / 'bin'}:{os.environ['PATH']}", **environment}
        done = subprocess.run([sys.executable, PROJECT / "scripts/measure", "--folder", self.folder, "--build", self.build, "--rounds", "5", *words],
                              check=False, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.calls = self.log.read_text().splitlines()
        return done.stdout + done.stderr

    def file(self):
        path, = self.folder.glob("*.tsv")
        return path

    def rows(self):
        return measured.read(self.file())[1]

    def test_rows_and_resuming(self):
        self.run_it("--name", "A processor", "--only", "bulk/", "kernels", "rules")
        head, rows = measured.read(self.file())
        self.assertEqual(head["processor"], "A processor")
        self.assertEqual({key[1] for key in rows if key[0] == "kernels"}, {"bulk/value swap", "bulk/ge swap"})
        self.assertEqual({key[1] for key in rows if key[0] == "rules"}, {what for what in measured.RULES_ROWS if what.startswith("bulk/")})
        for line in self.file().read_text().splitlines():
            self.assertTrue(re.fullmatch(r"# [^:]+: .+|[^\t]+(\t[^\t]+){8}", line), line)
        row = rows["kernels", "bulk/value swap", "scalar"]
        self.assertEqual((row.figure, row.noise, row.runs), ("10.000", "0.000", "5"))
        self.assertEqual(rows["rules", "bulk/value legal", "scalar"].figure, "2.000")
        self.assertIn("rules swap,legal", " ".join(self.calls).replace("--", ""))
        before = self.file().read_bytes()
        self.run_it("--only", "bulk/", "kernels", "rules")
        self.assertEqual((self.calls, self.file().read_bytes()), ([], before))
        # One row is missing: that one is measured, and no other.
        whole = {key: row[:6] for key, row in rows.items()}
        del rows["kernels", "bulk/ge swap", "scalar"]
        measured.write(self.file(), head, rows)
        self.run_it("--only", "bulk/", "kernels", "rules")
        self.assertEqual({call.split(" --kernel")[0] for call in self.calls}, {"--shape bulk --form ge --rules swap --rounds 5"})
        self.assertEqual({key: row[:6] for key, row in self.rows().items()}, whole)
        # A row of another commit counts as missing.
        rows = self.rows()
        rows["kernels", "bulk/value swap", "scalar"] = rows["kernels", "bulk/value swap", "scalar"]._replace(commit="0000000")
        measured.write(self.file(), head, rows)
        self.run_it("--only", "bulk/", "kernels", "rules")
        self.assertEqual({call.split(" --kernel")[0] for call in self.calls}, {"--shape bulk --form value --rules swap --rounds 5"})

    def test_noise_is_refused(self):
        self.run_it("--only", "bulk/value", "rules")
        before = self.rows()
        said = self.run_it("--again", "--only", "bulk/value legal", "rules", status=1, NOISY="10.3")
        self.assertIn("refused: rules, bulk/value legal, scalar: the same thing against itself differs by 3.0%, expected at most 2%", said)
        self.assertEqual(self.rows(), before)
        tries = [call for call in self.calls if "--shape bulk --form value --rules swap,legal --rounds 5 --kernel scalar " in call]
        self.assertEqual(len(tries), 3)
        self.run_it("--again", "--only", "bulk/value legal", "--noise", "4", "rules", NOISY="10.3")
        self.assertEqual(self.rows()["rules", "bulk/value legal", "scalar"].noise, "0.030")

    def test_choices(self):
        has_lanes = "avx2" in measure.kernels_here()
        said = self.run_it("--only", "one-2/value", "choices", status=int(has_lanes), OTHER="9")
        if has_lanes:
            self.assertIn("loses: one-2/value legal: avx2 is taken, and scalar takes 0.900 of its time", said)
        self.run_it("--again", "--only", "one-2/value", "choices", OTHER="9.9")

    def test_thresholds(self):
        for name, (file, *_rest) in measure.THRESHOLDS.items():
            self.assertRegex((PROJECT / file).read_text(), rf"(?m)^enum \{{.*\b{name.split()[0]} = \d+")
        if "avx512" in measure.kernels_here():
            said = self.run_it("--only", "/value swap", "thresholds", status=1, OTHER="9")
            self.assertIn("loses: bulk-9/value, mean of the rule sets: the path of the current TABLES_FROM is taken, and TABLES_FROM = 9 takes 0.900 of its time",
                          said)
            changed = self.build / "thresholds/avx512-RECAPTURABLE_FROM-17/src/avx512/ray_chunks.h"
            self.assertIn("enum { RECAPTURABLE_FROM = 17 };", changed.read_text())

    def test_choices_by_processor(self):
        if "avx512" in measure.kernels_here():
            said = self.run_it("--peers", str(self.work), "--only", "one-2/value", "processor", status=1, OTHER="9")
            self.assertIn("loses: one-2/value, mean of the rule sets: the present answer of seebatch_cpu_is_wide() is taken, and the other one takes 0.900", said)
            changed = self.build / "thresholds/dispatch-seebatch_cpu_is_wide/src/dispatch/cpu.c"
            self.assertIn("    return amd && family == 0x19;", changed.read_text())
        for file, pattern, replacement in measure.ASKED.values():
            text = (PROJECT / file).read_text()
            changed, n = re.subn(f"(?m){pattern}", replacement, text)
            self.assertTrue(n == 1 and changed != text, (file, pattern))

    def test_a_threshold_is_judged_by_the_mean(self):
        if "avx2" in measure.kernels_here():
            self.run_it("--only", "bulk-9/value", "thresholds", OTHER="10.1")
            head, rows = measured.read(self.file())
            for ratio, status in (("0.900", 0), ("0.600", 1)):  # of eleven rule sets, the others at 1.010
                rows["thresholds", "bulk-9/value swap", "TABLES_FROM = 9"] = rows["thresholds", "bulk-9/value swap", "TABLES_FROM = 9"]._replace(figure=ratio)
                measured.write(self.file(), head, rows)
                said = self.run_it("--only", "bulk-9/value", "thresholds", status=status)
                self.assertEqual("loses: bulk-9/value, mean of the rule sets" in said, bool(status))

    def test_compilers(self):
        builds = self.work / "builds"
        for name in ("gcc-12", "clang-22", "other"):
            (builds / name).mkdir(parents=True)
            (builds / name / "libseebatch.so").touch()
        said = self.run_it("--builds", str(builds), "compilers")
        self.assertEqual(self.rows()["compilers", "bulk/ge scalar", "clang 22"][3], "2.000")
        self.assertEqual({key[2] for key in self.rows()}, {"gcc 12", "clang 22"})
        self.assertIn("not measured: compilers, hot/ge header x86-64-v3, clang 22: there is no ", said)
        os.utime(builds / "clang-22/libseebatch.so", (0, 0))
        self.assertIn("clang-22/libseebatch.so is older than the sources of this tree", self.run_it("--builds", str(builds), "compilers", status=2))
        (builds / "gcc-12/libseebatch.so").unlink()
        self.assertIn("compilers needs gcc-12/libseebatch.so", self.run_it("--builds", str(builds), "compilers", status=2))

    @unittest.skipIf((PROJECT / "bindings/javascript/node_modules/chess.js").is_dir(), "npm install has been run")
    def test_the_package_is_not_installed(self):
        self.assertIn("run npm install in bindings/javascript, expected chess.js there", self.run_it("wasm", status=2))

    def test_bad_usage(self):
        self.assertIn('there is no step "kernel"; expected kernels, rules,', self.run_it("kernel", status=2))
        self.assertIn("the step peers needs --peers FOLDER; expected a clone nnue-pytorch", self.run_it("peers", status=2))
        self.assertIn("is not a folder, expected one that exists", self.run_it("--engines", str(self.work / "none"), "engines", status=2))
        self.assertIn("expected one of the cores", self.run_it("--core", "5000", "kernels", status=2))
        empty = self.work / "empty"
        empty.mkdir()
        self.assertIn("expected a build", self.run_it("--build", str(empty), "kernels", status=2))
        self.assertIn("has none of the engines; expected clones", self.run_it("--engines", str(empty), "headers", status=2))
        program(self.build / "bin/seebatch", "#!/bin/sh\n")
        self.assertIn("has no nnue-pytorch; expected a clone", self.run_it("--peers", str(empty), "files", status=2))
        program(self.build / "bin/seebatch_turns", "#!/bin/sh\necho it cannot >&2; exit 1\n")
        self.assertIn("seebatch_turns failed: it cannot", self.run_it("kernels", status=2))

    def test_recipes_of_the_engines(self):
        """The code of docs/engine-recipes.md replaces what the engines define."""
        for engine in measured_peers.ENGINES:
            for path in engine.recipes:
                own = f"before\n{engine.begin} ...\n{engine.own[0]}, ...) {{}}\n{engine.end} after"
                text = measured_peers.changed(engine, own, path, False)
                self.assertIn(engine.own[0], text, engine.name)
                self.assertIn('#include "seebatch_see', text)
                replay = measured_peers.changed(engine, own, path, True)
                for word in ("ownEvaluation(", "headerEvaluation(", "replay_record("):
                    self.assertIn(word, replay)


loader = importlib.machinery.SourceFileLoader("measure", str(PROJECT / "scripts/measure"))
measure = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", loader))
loader.exec_module(measure)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
