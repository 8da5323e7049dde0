#!/usr/bin/env python3
"""The names of the benchmarks: SHAPE/FORM/KERNEL, and /RULES for every rule set but swap, without a suffix; every shape
in both forms for every kernel and rule set. Nothing is run.

    test_bench_names.py BENCHMARK TOOL
"""
import json
import subprocess
import sys
import unittest

BENCHMARK, TOOL = sys.argv[1:3]
SHAPES = ("bulk", "bulk-all", "one-1", "one-2", "one-4", "one-8", "one-16", "one-32", "hot")
COLD = ("cold", "cold-all")
FORMS = ("value", "ge")


def lines(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


class Names(unittest.TestCase):
    def setUp(self):
        info = json.loads("\n".join(lines(TOOL, "info", "--format", "json")))
        self.kernels = [kernel["name"] for kernel in info["kernels"] if kernel["available"]]
        self.rules = ["" if name == "swap" else f"/{name}" for name in info["rules"]]
        self.pinned = [name for name, fields in info["rule_sets"].items() if fields["pins"] not in ("ignored", "legal")]
        self.names = lines(BENCHMARK, "--benchmark_list_tests")

    def expected(self, shapes):
        return {f"{shape}/{form}/{kernel}{rules}" for shape in shapes for form in FORMS for kernel in self.kernels
                for rules in self.rules}

    def test_shapes_from_memory_on_demand(self):
        self.assertEqual(set(lines(BENCHMARK, "--cold", "--benchmark_list_tests")) - set(self.names),
                         self.expected(COLD))

    def test_all_there_and_named_right(self):
        expected = self.expected(SHAPES)
        expected |= {f"bulk-pinned/{form}/{kernel}/{rules}" for form in FORMS for kernel in self.kernels
                     for rules in self.pinned}
        listed = set(self.names)
        self.assertEqual(sorted(expected - listed), [], "missing")
        self.assertEqual(sorted(listed - expected), [], "of another form")
        self.assertEqual(len(self.names), len(set(self.names)), "a name twice")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
