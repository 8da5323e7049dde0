#!/usr/bin/env python3
"""What the tables of machine code let pass and what they refuse (machine_table.py), on small ones; and that the
instructions of libraries are left out of a profile (test_machine_counts.py)."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import machine_table
import test_machine_counts

ROWS = """# a remark
build\tfunction\tloop\tinstructions\tspills
old 1\tf\t1\t100\t3
old 1\tf\t2\t200\t0
old 1\tg\t1\t1000\t0
"""
TOLERANCE = {"instructions": (0.05, 0), "spills": (0.05, 2)}
SAME = {("old 1", "f", "1"): (100, 3), ("old 1", "f", "2"): (200, 0), ("old 1", "g", "1"): (1000, 0)}


class TestTable(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "loops.tsv"
        self.path.write_text(ROWS)

    def compare(self, changes, build="old 1"):
        measured = {key: row for key, row in (SAME | changes).items() if row}
        return machine_table.Table(self.path, keys=3).compare(build, measured, TOLERANCE, group=2)

    def expect(self, result, compared, wrong=(), better=(), skipped=(), status=0):
        for got, expected in ((result.wrong, wrong), (result.better, better), (result.skipped, skipped)):
            self.assertEqual(len(got), len(expected), got)
            for line, words in zip(got, expected):
                self.assertIn(words, line)
        self.assertEqual(result.compared, compared)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(result.report("loops"), status)
        self.assertEqual("When a count changes" in output.getvalue(), bool(wrong or better or skipped))

    def test_the_same_and_a_little_more_pass(self):
        self.expect(self.compare({}), 3)
        self.expect(self.compare({("old 1", "g", "1"): (1050, 2)}), 3)

    def test_more_than_the_tolerance_fails(self):
        self.expect(self.compare({("old 1", "g", "1"): (1051, 0)}), 3,
                    wrong=["old 1 g 1: instructions 1051, 1000 in loops.tsv (+5.1 %)"], status=1)
        self.expect(self.compare({("old 1", "f", "2"): (200, 3)}), 3, wrong=["spills 3, 0 in loops.tsv"], status=1)

    def test_less_is_a_note(self):
        self.expect(self.compare({("old 1", "g", "1"): (900, 0)}), 3, better=["old 1 g 1: instructions 900"])

    def test_one_more_loop_leaves_its_function_out_and_no_other(self):
        more = {("old 1", "f", "2"): (999, 0), ("old 1", "f", "3"): (200, 0)}
        self.expect(self.compare(more), 1, skipped=["old 1 f: 3 in this build, 2 in loops.tsv"], status=77)
        self.expect(self.compare(more | {("old 1", "g", "1"): (2000, 0)}), 1, wrong=["old 1 g 1"],
                    skipped=["old 1 f"], status=1)

    def test_what_is_gone_or_new_is_named(self):
        self.expect(self.compare({("old 1", "g", "1"): None, ("old 1", "h", "1"): (5, 0)}), 2, status=77,
                    skipped=["old 1 g: none in this build", "old 1 h: 1 in this build, none in"])

    def test_another_compiler_is_left_out(self):
        self.expect(self.compare({}, build="new 2"), 0, skipped=["compiler, new 2; loops.tsv has old 1"], status=77)

    def test_update_replaces_the_rows_of_its_build_alone(self):
        with contextlib.redirect_stdout(io.StringIO()):
            machine_table.Table(self.path, keys=3).update("new 2", {("new 2", "f", "1"): (7, 8)})
            machine_table.Table(self.path, keys=3).update("old 1", {("old 1", "f", "1"): (9, 9)})
        self.assertEqual(self.path.read_text(), "# a remark\nbuild\tfunction\tloop\tinstructions\tspills\n"
                         "new 2\tf\t1\t7\t8\nold 1\tf\t1\t9\t9\n")

    def test_a_damaged_table_is_refused_with_its_line(self):
        for line in ("old 1\tf\t3\t1", "old 1\tf\t3\t1\tmany", "old 1\tf\t1\t1\t1"):
            self.path.write_text(ROWS + line + "\n")
            with self.assertRaisesRegex(SystemExit, r"loops\.tsv:6: "):
                machine_table.Table(self.path, keys=3)


class TestProfile(unittest.TestCase):
    def test_libraries_and_callees_are_left_out(self):
        profile = ("events: Ir\nsummary: 61\n\nob=/x/program\nfl=???\nfn=f\n0 40\ncob=/lib/libc.so.6\ncfn=memcpy\n"
                   "calls=1 0 \n0 20\n0 1\n\nob=/lib/libc.so.6\nfn=memcpy\n0 20\n\ntotals: 61\n")
        self.assertEqual(test_machine_counts.own_instructions(profile, "/x/program"), 41)


if __name__ == "__main__":
    unittest.main()
