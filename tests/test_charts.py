#!/usr/bin/env python3
"""The charts (scripts/charts): whether bars and points stand where the results say, read back from the drawing by its
own axis; what is said about results that cannot be used; and that the committed charts are of the committed results.

    test_charts.py PROJECT
"""
import contextlib
import io
import json
import math
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

PROJECT = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
KERNELS = ("scalar", "avx2", "avx512")
FORMS = ("value", "ge")
BATCHES = ("one-1", "one-2", "one-4", "one-8", "one-16", "one-32", "bulk")
RULES = ("promotions", "ethereal", "stockfish", "stockfish-2016", "legal")


def made_up_rates():
    """{benchmark: SEE per second}, all different, from 20 to 250 millions."""
    shapes = (*BATCHES, "bulk-all", "hot")
    names = [f"{shape}/{form}/{kernel}" for shape in shapes for form in FORMS for kernel in KERNELS]
    names += [f"{shape}/{form}/textbook" for shape in ("bulk", "hot") for form in FORMS]
    names += [f"bulk/value/{kernel}/{rules}" for kernel in KERNELS for rules in RULES]
    return {name: 20e6 + 230e6 * (i * 37 % len(names)) / len(names) for i, name in enumerate(names)}


def document(rates, repetitions=3):
    """As Google Benchmark writes it: the runs of each benchmark, then mean, median and coefficient of variation."""
    entries = []
    for name, rate in rates.items():
        runs = [rate * factor for factor in (1, 1.1, 0.8)[:repetitions]]
        common = {"run_name": name, "repetitions": repetitions}
        entries += [common | {"name": name, "run_type": "iteration", "items_per_second": run} for run in runs]
        if repetitions > 1:
            for kind, x in (("mean", rate * 7), ("median", rate), ("stddev", rate / 5), ("cv", 0.15749)):
                entries.append(common | {"name": f"{name}_{kind}", "run_type": "aggregate", "aggregate_name": kind,
                                         "items_per_second": x})
    entries.append({"name": "order-lazy/stop-1/scalar", "items_per_second": 5.0, "run_type": "iteration"})
    context = {"date": "2026-02-03T04:05:06+00:00", "cpu": "A <Processor> & Co", "mhz_per_cpu": 2600,
               "positions": "40000", "seebatch_commit": "0123456789ab", "seebatch_compiler": "GNU 12.2.0",
               "seebatch_flags": "-O3 -DNDEBUG"}
    return {"context": context, "benchmarks": entries}


def run_script(*arguments):
    """(exit status, standard error) of scripts/charts, without a new interpreter each time."""
    status, error = 0, io.StringIO()
    script = str(PROJECT / "scripts/charts")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(error), \
            unittest.mock.patch("sys.argv", [script, *arguments]):
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:  # a sentence instead of a status is printed, and means 1
            status = end.code if isinstance(end.code, int) else 1
            print(end.code if isinstance(end.code, str) else "", file=error)
    return status, error.getvalue()


def words_of(chart):
    return [text.text for text in chart.iter(f"{SVG}text")]


class Charts(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def run_charts(self, contents, *options):
        """(exit status, standard error); contents: text, or what becomes JSON."""
        (self.work / "in.json").write_text(contents if isinstance(contents, str) else json.dumps(contents))
        return run_script(*options, str(self.work / "in.json"), str(self.work / "charts"))

    def draw(self, contents, *options):
        self.assertEqual(self.run_charts(contents, *options), (0, ""))
        return {path.stem: xml.parse(path).getroot() for path in (self.work / "charts").glob("*.svg")}

    @staticmethod
    def axis(chart):
        """The place on the axis to its number, by the lowest and the highest tick."""
        ticks = [text for text in chart.iter(f"{SVG}text") if text.get("data-tick")]
        marks = sorted((float(tick.get("data-tick")), float(tick.get("data-at"))) for tick in ticks)
        (low, low_at), (high, high_at) = marks[0], marks[-1]
        for mark, at in marks:
            place = low_at + (mark - low) * (high_at - low_at) / (high - low)
            assert math.isclose(at, place, abs_tol=0.02), "uneven ticks"
        return lambda at: low + (at - low_at) * (high - low) / (high_at - low_at)

    def expect_bars(self, chart, rates, names):
        number_at = self.axis(chart)
        bars = {bar.get("data-benchmark"): bar for bar in chart.iter(f"{SVG}rect") if bar.get("data-benchmark")}
        self.assertEqual(set(bars), set(names))
        for name, bar in bars.items():
            end = float(bar.get("x")) + float(bar.get("width"))
            self.assertAlmostEqual(number_at(end), rates[name] / 1e6, delta=0.1, msg=name)
            self.assertAlmostEqual(number_at(float(bar.get("x"))), 0, delta=1e-6)
            self.assertIn(f"{name}: ", bar.find(f"{SVG}title").text)
            self.assertLess(end, float(chart.get("width")))
        edges = sorted((float(bar.get("y")), float(bar.get("y")) + float(bar.get("height"))) for bar in bars.values())
        self.assertTrue(all(below[0] > above[1] for above, below in zip(edges, edges[1:])), "bars lie on each other")

    def test_bars_end_where_the_results_say(self):
        rates = made_up_rates()
        charts = self.draw(document(rates))
        self.assertEqual(set(charts), {"batch-sizes", "shapes", "rule-sets"})
        shapes = ("bulk/value", "bulk/ge", "bulk-all/value", "bulk-all/ge", "one-32/value", "one-32/ge", "one-8/value",
                  "one-1/value")
        expected = [f"{shape}/{kernel}" for shape in shapes for kernel in KERNELS]
        others = (("bulk", "textbook"), ("hot", "textbook"), ("hot", "scalar"))
        expected += [f"{shape}/{form}/{code}" for shape, code in others for form in FORMS]
        self.expect_bars(charts["shapes"], rates, expected)
        self.expect_bars(charts["rule-sets"], rates, [f"bulk/value/{kernel}{rules}" for kernel in KERNELS
                                                      for rules in ("", *(f"/{name}" for name in RULES))])

    def test_the_words_beside_a_bar_are_its_numbers(self):
        rates = made_up_rates() | {"bulk/value/scalar": 25e6, "bulk/value/avx2": 123.4e6, "bulk/value/avx512": 200e6}
        words = words_of(self.draw(document(rates))["shapes"])
        for expected in ("25.0", "123 (4.9\u00d7)", "200 (8.0\u00d7)"):
            self.assertIn(expected, words)

    def test_points_stand_where_the_results_say(self):
        rates = made_up_rates()
        chart = self.draw(document(rates))["batch-sizes"]
        number_at = self.axis(chart)
        points = {e.get("data-benchmark"): e for e in chart.iter() if e.get("data-x")}
        expected = {f"{batch}/{form}/{kernel}" for batch in BATCHES for form in FORMS for kernel in KERNELS}
        self.assertEqual(set(points), expected | {"bulk/value/textbook", "bulk/ge/textbook"})
        for name, point in points.items():
            self.assertAlmostEqual(number_at(float(point.get("data-y"))), 1e9 / rates[name], delta=0.05, msg=name)
        for form in FORMS:
            for kernel in KERNELS:
                line = [points[f"{batch}/{form}/{kernel}"] for batch in BATCHES]
                places = [(point.get("data-x"), point.get("data-y")) for point in line]
                line = "M" + "L".join(f"{x} {y}" for x, y in places)
                self.assertIn(line, [e.get("d") for e in chart.iter(f"{SVG}path")], f"the line of {form}/{kernel}")
                self.assertEqual(sorted(float(x) for x, _ in places), [float(x) for x, _ in places])

    def test_where_the_numbers_come_from_is_said(self):
        charts = self.draw(document(made_up_rates()))
        for chart in charts.values():
            words = " ".join(words_of(chart))
            for expected in ("A <Processor> & Co, 2.6 GHz", "gcc 12.2.0 -O3", "commit 0123456;", "2026-02-03",
                             "40,000 positions", "median of 3 runs", "15.8 %"):
                self.assertIn(expected, words)
        single = self.draw(document(made_up_rates(), repetitions=1))["shapes"]
        self.assertIn("one run", " ".join(words_of(single)))

    def test_runs_without_their_median_have_one(self):
        rates = made_up_rates()
        runs = document(rates)
        runs["benchmarks"] = [entry for entry in runs["benchmarks"] if "aggregate_name" not in entry]
        self.assertEqual(self.sources(document(rates)), re.sub(r"15\.\d %", "15.8 %", self.sources(runs)))

    def sources(self, contents, *options):
        self.draw(contents, *options)
        return "\n".join(path.read_text() for path in sorted((self.work / "charts").glob("*.svg")))

    def test_the_same_results_give_the_same_bytes_and_the_trimmed_ones_too(self):
        results = document({name: float(round(rate)) for name, rate in made_up_rates().items()})
        once = self.sources(results)
        self.assertEqual(once, self.sources(results, "--trim", str(self.work / "trimmed.json")))
        trimmed = (self.work / "trimmed.json").read_text()
        self.assertNotIn("stddev", trimmed)
        self.assertEqual(once, self.sources(trimmed))

    def test_a_machine_without_a_kernel_and_with_a_new_one(self):
        rates = {name.replace("avx512", "sve9"): rate for name, rate in made_up_rates().items()}
        chart = self.draw(document(rates))["shapes"]
        drawn = [bar.get("data-benchmark") for bar in chart.iter(f"{SVG}rect")]
        self.assertIn("bulk/value/sve9", drawn)
        self.assertFalse([name for name in drawn if name and "avx512" in name])

    def test_what_cannot_be_used_is_refused_with_a_sentence(self):
        good = document(made_up_rates())

        def changed(number, **fields):
            entries = good["benchmarks"]
            return good | {"benchmarks": [*entries[:number], entries[number] | fields, *entries[number + 1:]]}

        for contents, words in (
                ("{", "not JSON"), ("[]", "expected a JSON object"),
                ("{}", 'expected an object with "context" and "benchmarks"'),
                ({"context": {}, "benchmarks": {}}, '"benchmarks"'),
                ({"context": {}, "benchmarks": []}, "no result of a benchmark"),
                ({"context": {}, "benchmarks": [5]}, "benchmarks[0]: expected an object"),
                (changed(0, items_per_second="many"), 'benchmarks[0]: one-1/value/scalar: expected "items_per_second"'),
                (changed(2, items_per_second=0), "benchmarks[2]: one-1/value/scalar: expected"),
                (changed(0, items_per_second=float("nan")), "a positive number, not nan"),
                (changed(0, error_occurred=True, error_message="no such kernel"), "was not measured: no such kernel"),
                (good | {"benchmarks": good["benchmarks"] * 2}, "has a median already"),
                (document({"bulk/value/scalar": 1e6}), "one-1/value/scalar, ")):
            status, error = self.run_charts(contents)
            self.assertEqual(status, 1, words)
            self.assertRegex(error, r"^scripts/charts: .*in\.json: ?")
            self.assertIn(words, error)
            self.assertFalse((self.work / "charts").exists(), "charts of results that were refused")

    def test_files_that_are_not_there_and_wrong_options(self):
        status, error = run_script(str(self.work / "none.json"))
        self.assertEqual((status, "none.json: No such file" in error), (1, True))
        self.assertEqual(run_script("--no")[0], 2)

    def test_as_a_program(self):
        command = [PROJECT / "scripts/charts", self.work / "none.json"]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Ascripts/charts: .*/none\.json: No such file or directory\n\Z")

    def test_the_committed_charts_are_of_the_committed_results(self):
        charts = self.sources((PROJECT / "docs/data/benchmarks.json").read_text())
        committed = "\n".join(path.read_text() for path in sorted((PROJECT / "docs/charts").glob("*.svg")))
        self.assertTrue(charts == committed, "docs/charts is not what scripts/charts makes of docs/data: run it")


if __name__ == "__main__":
    unittest.main()
