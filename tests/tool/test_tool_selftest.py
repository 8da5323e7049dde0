"""The contract of `seebatch selftest`: the verdict, what is said of a kernel that is broken on purpose, usage."""
import json
import os
import re
import subprocess

import pytest

from pipeline_support import TOOL
from test_tool import info

BROKEN = os.environ["SEEBATCH_TEST_BROKEN_SELFTEST"]


def kernels():
    """The names of all kernels, each with whether it is available."""
    return {kernel["name"]: kernel["available"] for kernel in info()["kernels"]}


def selftest_output(*options, program=(TOOL, "selftest"), fault="", status=0):
    result = subprocess.run([*program, *options], capture_output=True, env=dict(os.environ, SEEBATCH_TEST_FAULT=fault),
                            timeout=100)
    assert (result.returncode, result.stderr) == (status, b"")
    return result.stdout.decode()


def selftest(*options, status=0, **more):
    """What it prints, without the last line, and the counts of that line."""
    *lines, last = selftest_output(*options, status=status, **more).splitlines()
    counts = re.fullmatch(r"(all equal|in all): (\d+) cases, (\d+) answers, (\d+\.\d) s, seed (\d+)", last)
    assert counts and (counts[1] == "all equal") == (status == 0)
    return lines, int(counts[2]), int(counts[3]), int(counts[5])


def test_every_kernel_is_named():
    lines, cases, answers, seed = selftest("--cases", "20000")
    assert {line.split()[0] for line in lines} == set(kernels())
    for line in lines:
        name, verdict = line.split(maxsplit=1)
        assert verdict.startswith("equal to the scalar code" if kernels()[name] else "skipped: this machine cannot run it")
    assert 20000 <= cases < 21000 and answers == 4 * cases * sum(kernels().values()) and seed == 1


def test_the_seed_chooses_the_cases():
    assert selftest("--cases", "5000", "--seed", "1") == selftest("--cases", "5000")
    assert selftest("--cases", "5000", "--seed", "2")[1:3] != selftest("--cases", "5000")[1:3]
    assert selftest("--cases", "1", "--seed", str(2**64 - 1))[3] == 2**64 - 1


def test_it_goes_on_where_a_call_of_the_library_ends():
    # 250,000 cases take three calls; were the seed the same in each, 100,000 cases with a difference behind them hid it.
    _, cases, answers, _ = selftest("--cases", "250000")
    assert 250000 <= cases < 252000


@pytest.mark.parametrize("fault", ["values", "plain", "tables", "ge"])
def test_a_difference_can_be_seen_again(fault):
    lines, cases, _, _ = selftest(program=[BROKEN], fault=fault, status=1)
    assert lines[0] == "DIFFERENT: the kernel scalar gives another answer than the scalar code"
    said = dict(line.strip().split(maxsplit=1) for line in lines[1:])
    assert said["asked"].startswith("ge, " if fault == "ge" else "values, ")
    # The library is not broken, so that the command for the move alone says what was expected. Commands know rule sets by
    # their names; which combination of fields differs first depends on the compiler.
    assert ("alone" in said) == (not said["rules"].startswith("pins "))
    if "alone" in said:
        alone = said["alone"].replace("seebatch eval", f"'{TOOL}' eval")
        row = subprocess.run(alone, shell=True, capture_output=True,
                             check=True).stdout.decode().rstrip("\n").split("\t")
        assert row == [said["position"], said["move"].split(",")[0], said["expected"].split(",")[0]]
    assert said["got"] != said["expected"].split(",")[0]
    assert ("threshold" in said) == (fault == "ge")
    # The replay finds the same at once.
    options = said["replay"].split()[2:]
    assert options == ["--seed", said["seed"], "--cases", "1"]
    again, cases_again, _, _ = selftest(*options, program=[BROKEN], fault=fault, status=1)
    assert again == lines and cases_again <= cases


def test_writing_beside_the_answers():
    lines, _, _, _ = selftest(program=[BROKEN], fault="stray", status=1)
    assert lines[0] == "DIFFERENT: the kernel scalar wrote outside of its answers"
    assert not any(line.strip().startswith(("move", "position", "alone")) for line in lines)


def selftest_json(*options, **more):
    """The object that it prints."""
    line, = selftest_output("--format", "json", *options, **more).splitlines()
    return json.loads(line)


def test_the_verdict_as_json():
    verdict = selftest_json("--cases", "20000")
    _, cases, answers, _ = selftest("--cases", "20000")
    assert verdict.pop("seconds") > 0
    assert verdict == {"equal": True, "cases": cases, "answers": answers, "seed": "1",
                       "kernels": [{"name": name, "available": yes} for name, yes in kernels().items()]}
    assert selftest_json("--cases", "1", "--seed", str(2**64 - 1))["seed"] == str(2**64 - 1)


@pytest.mark.parametrize("fault", ["values", "plain", "tables", "ge", "stray"])
def test_a_difference_as_json(fault):
    lines, cases, answers, _ = selftest(program=[BROKEN], fault=fault, status=1)
    said = dict(line.strip().split(maxsplit=1) for line in lines[1:])
    verdict = selftest_json(program=[BROKEN], fault=fault, status=1)
    assert (verdict["equal"], verdict["cases"], verdict["answers"]) == (False, cases, answers)
    difference = verdict["difference"]
    assert lines[0].startswith(f"DIFFERENT: the kernel {difference['kernel']} ")
    lanes = (", all sent through the lanes" if difference["forced_lanes"] else
             ", attack tables for every position" if difference["forced_tables"] else "")
    queries, positions = difference["queries"], difference["positions"]
    assert said["asked"] == (f"{difference['asked']}, {queries} {'query' if queries == 1 else 'queries'} for "
                             f"{positions} position{'' if positions == 1 else 's'}{lanes}")
    assert said["rules"] == f"{difference['rules']}, values {','.join(map(str, difference['values']))}"
    assert (said["seed"], fault == "stray") == (difference["seed"], difference["stray"])
    of_the_move = {"position", "move", "query", "expected", "got"} | ({"threshold"} if fault == "ge" else set())
    assert set(difference) & (of_the_move | {"threshold"}) == (set() if fault == "stray" else of_the_move)
    if fault != "stray":
        assert said["position"] == difference["position"]
        assert said["move"] == f"{difference['move']}, query {difference['query']} of the call (from 0)"
        assert said["expected"].split(",")[0] == str(difference["expected"]) and said["got"] == str(difference["got"])
        assert said.get("threshold") == (str(difference["threshold"]) if fault == "ge" else None)


def test_without_a_fault_the_same_program_is_content():
    selftest("--cases", "20000", program=[BROKEN])
