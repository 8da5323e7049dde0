"""Benchmark results: reads what seebatch_bench --benchmark_out=FILE wrote (Google Benchmark's JSON), and writes the
part of it that charts are made of, in the same form, so that it can be read again.

A result is the median of the repetitions of a benchmark, in SEE per second: as the file gives it, or else computed
from the single runs."""
import json
import math
import pathlib
import re
import statistics

# SHAPE/FORM/KERNEL, and /RULES unless they are swap.
NAME = re.compile(r"[a-z]+(?:-[a-z0-9]+)*/(?:value|ge)/(?P<kernel>[a-z0-9]+)(?:/[a-z0-9-]+)?")
CONTEXT = ("date", "cpu", "mhz_per_cpu", "seebatch_version", "seebatch_commit", "seebatch_compiler", "seebatch_flags",
           "seebatch_asserts", "kernels", "kernels_skipped", "positions", "captures", "legal_moves", "pinned")
ASK = "is this what seebatch_bench --benchmark_format=json, or --benchmark_out=FILE, wrote?"


class ResultError(Exception):
    """A sentence: which file, what is wrong with it, what was expected."""


class Results:
    """rate: {name: SEE per second}; spread: {name: coefficient of variation} where there were repetitions; context, as
    in the file; repetitions: the fewest of any benchmark."""

    def __init__(self, path):
        self.path = path
        document = self._load()
        self.context = document.get("context")
        if not isinstance(self.context, dict) or not isinstance(document.get("benchmarks"), list):
            raise ResultError(f"{path}: expected an object with \"context\" and \"benchmarks\"; {ASK}")
        self.rate, self.spread, self.repetitions = {}, {}, math.inf
        runs = {}
        for number, entry in enumerate(document["benchmarks"]):
            self._read_entry(number, entry, runs)
        for name, rates in runs.items():
            if name not in self.rate:
                self.rate[name] = statistics.median(rates)
                self.repetitions = min(self.repetitions, len(rates))
                if len(rates) > 1:
                    self.spread[name] = statistics.stdev(rates) / statistics.mean(rates)
        # As precisely as trimmed() writes them, so that charts of either are the same bytes.
        self.rate = {name: max(1, round(rate)) for name, rate in self.rate.items()}
        self.spread = {name: round(spread, 4) for name, spread in self.spread.items()}
        if not self.rate:
            raise ResultError(f"{path}: no result of a benchmark with a name such as bulk/value/scalar; {ASK}")

    def _load(self):
        try:
            document = json.loads(pathlib.Path(self.path).read_text(encoding="utf-8"))
        except OSError as error:
            raise ResultError(f"{self.path}: {error.strerror}") from error
        except ValueError as error:
            raise ResultError(f"{self.path}: not JSON: {error}; {ASK}") from error
        if not isinstance(document, dict):
            raise ResultError(f"{self.path}: expected a JSON object; {ASK}")
        return document

    def _read_entry(self, number, entry, runs):
        where = f"{self.path}: benchmarks[{number}]"
        if not isinstance(entry, dict) or not isinstance(name := entry.get("run_name", entry.get("name")), str):
            raise ResultError(f"{where}: expected an object with a \"name\"")
        if entry.get("error_occurred"):
            raise ResultError(f"{where}: {name} was not measured: {entry.get('error_message', 'no reason is given')}")
        if not NAME.fullmatch(name):
            return  # of another kind, such as order-lazy/stop-1/scalar
        kind = entry.get("aggregate_name", "run")
        if kind not in ("run", "median", "cv"):
            return
        rate = entry.get("items_per_second")
        if not isinstance(rate, (int, float)) or isinstance(rate, bool) or not math.isfinite(rate) \
                or rate < 0 or (rate == 0 and kind != "cv"):
            raise ResultError(f"{where}: {name}: expected \"items_per_second\", a positive number, not {rate!r}")
        if kind == "run":
            runs.setdefault(name, []).append(rate)
        elif kind == "median":
            if name in self.rate:
                raise ResultError(f"{where}: {name} has a median already; one file, one run of seebatch_bench")
            self.rate[name] = rate
            self.repetitions = min(self.repetitions, entry.get("repetitions", 1))
        else:
            self.spread[name] = rate

    def nanoseconds(self, name):
        return 1e9 / self.rate[name]

    def kernels(self):
        """Those that were measured: scalar, the others by name, and the textbook code, which is not the library's."""
        names = {NAME.fullmatch(name)["kernel"] for name in self.rate}
        return sorted(names, key=lambda kernel: (kernel == "textbook", kernel != "scalar", kernel))

    def need(self, names, purpose):
        missing = [name for name in names if name not in self.rate]
        if missing:
            raise ResultError(f"{self.path}: {', '.join(missing)} missing, which {purpose} needs; scripts/bench "
                              "measures all of them")

    def trimmed(self):
        """The same results in the same form, without what charts do not need: a benchmark a line."""
        context = {key: self.context[key] for key in CONTEXT if key in self.context}
        entries = []
        for name, rate in sorted(self.rate.items()):
            entries.append({"run_name": name, "aggregate_name": "median", "repetitions": self.repetitions,
                            "items_per_second": rate})
            if name in self.spread:
                entries.append({"run_name": name, "aggregate_name": "cv", "items_per_second": self.spread[name]})
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in context.items()]
        return ('{\n  "context": {\n    ' + ",\n    ".join(lines) + '\n  },\n  "benchmarks": [\n    '
                + ",\n    ".join(map(json.dumps, entries)) + "\n  ]\n}\n")
