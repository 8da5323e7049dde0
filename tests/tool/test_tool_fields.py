"""Every value of every field of the rules, in the commands that have lists or code of their own about them: `identify` and
`compare`. A value that is new, and is forgotten in one of them, fails here, among the quick tests. So does a histogram of
`stats` that its manual page does not explain, a condition of `filter` that no test tries, and an option."""
import json
import os
import re

import pytest

from formats_support import DATA
from test_tool import INFO, output, run

# Rules that have each value, with as little else as it needs.
VALUES = []
for field, words in INFO["fields"].items():
    for word in words:
        legal = (field, word) in (("pins", "legal"), ("order", "best"), ("en-passant-replies", "counted"))
        VALUES.append((field, word, f"{'legal' if legal else 'swap'},{field}={word}"))


def positions():
    """Boards of games and random ones, with all their captures."""
    for name in ("games.fen", "random.fen"):
        with open(os.path.join(DATA, name), encoding="ascii") as file:
            yield from file.read().splitlines()[:400]


@pytest.mark.parametrize("field, word, rules", VALUES)
def test_compare_knows_every_value(field, word, rules):
    """The exchange that finds causes gives the value of every move, or the cause would be "other"."""
    against = "legal" if rules.startswith("swap") else "swap"
    report = json.loads(output("compare", "--rules", rules, "--rules", against, "--format", "json", "--moves", "all",
                               stdin="\n".join(positions())))
    assert report["value"] > 0
    assert [cause["value"] for cause in report["causes"] if cause["cause"] == "other"] == [0]


def test_identify_has_every_combination():
    """The questions are about candidates with every value."""
    asked = output("identify", "--ask", "40").splitlines()
    assert len(asked) == 40
    found = json.loads(run("identify", "--format", "json", stdin="".join(f"{question}; 0\n" for question in asked)).stdout)
    for field, words in INFO["fields"].items():
        assert {candidate["fields"][field] for candidate in found["candidates"]} == set(words)


def test_the_manual_explains_every_histogram():
    report = json.loads(run("stats", "--rules", "swap", "--against", "legal", "--format", "json", stdin="\n".join(positions())).stdout)
    rows = ({"from", "to", "count"}, {"name", "count"})  # other lists are tables of the report
    names = [name for name, value in report.items() if isinstance(value, list) and value and set(value[0]) in rows]
    with open(os.path.join(os.path.dirname(os.path.dirname(DATA)), "docs", "seebatch-stats.1"), encoding="utf-8") as file:
        explained = re.findall(r"(?m)^\.TP\n\.B (\w+)$", file.read())
    assert len(names) > 3 and names == [name for name in explained if name in names]


def test_every_condition_is_tried():
    """A condition of `filter` without a test fails here."""
    folder = os.path.dirname(os.path.abspath(__file__))
    tests = "".join(open(os.path.join(folder, f"test_tool_{name}.py"), encoding="utf-8").read() for name in ("filter", "conditions"))
    untried = [each["name"] for each in INFO["conditions"] if not re.search(rf"[\"'( =]{each['name']}\b(?!-)", tests)]
    assert untried == []


def test_every_option_is_tried():
    """An option that no test of one of its commands names fails here."""
    folder = os.path.dirname(os.path.abspath(__file__))
    tests = [open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder) if name.startswith("test_")]
    commands = {}
    for command in INFO["commands"]:
        for option in command["options"]:
            commands.setdefault(option["name"], []).append(command["name"])
    untried = [name for name, named in commands.items()
               if not any(re.search(rf"--{name}(?![\w-])", test) and any(f'"{each}"' in test for each in named) for test in tests)]
    assert untried == []
