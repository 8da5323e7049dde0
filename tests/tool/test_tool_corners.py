"""Corners of the command-line tool: each is a promise of its help or manual,
not reached by the other files of tests."""
import json
import os

import pytest

from test_tool import QUIET, fails, run

PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"


def verify(lines, *options):
    result = run("verify", *options, stdin=lines)
    return result.returncode, result.stdout.decode().splitlines(), result.stderr.decode()


# ---- Words ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", ["", "x", "0.5x", "-0.1", "1.1", "nan"])
def test_samples_out_of_bounds(sample):
    fails(2, run("filter", "--sample", sample, stdin=QUIET), f"--sample: '{sample}' is not a number from 0 to 1")


@pytest.mark.parametrize("seed", ["", "-1", "x", ":", "1x", "18446744073709551616"])
def test_seeds_out_of_bounds(seed):
    fails(2, run("selftest", "--seed", seed), f"--seed: '{seed}' is not an integer from 0 to 18446744073709551615")


# ---- verify -----------------------------------------------------------------------------------------------------------------


def test_verify_tells_flags_as_flags_in_json():
    status, rows, errors = verify(f"{PASSING}; e5d6; 100; 0\n{PASSING}; e5d6; 101; 1\n", "--rules", "swap", "--format", "json")
    objects = [json.loads(row) for row in rows if "threshold" in row]
    assert (status, errors) == (1, "")
    assert [(o["threshold"], o["expected"], o["got"]) for o in objects] == [(100, False, True), (101, True, False)]


def test_verify_of_files_whose_names_json_cannot_hold(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(path, "wb") as file:
        file.write(f"{PASSING}; e5d6; 100\n".encode())
    result = run("verify", "--rules", "swap", "--format", "json", path)
    assert result.returncode == 1
    assert b"is not valid UTF-8, as JSON needs" in result.stderr
    result = run("verify", "--rules", "swap", path)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("line, sentence", [
    ("", None), ("   ", None),
    ("{}; e5d6; ", "expected"), ("{}; e5d6; 100 200", "expected +, -, * or the end at '200'"),
    ("{}; e5d6; 2000000000", "no more than a billion"), ("{}; e5d6; -1000000001", "no more than a billion"),
    ("{}; e5d6; -1000000000 - 1", "no more than a billion"), ("{}; e5d6; 1000000000 + 1", "no more than a billion"),
    ("{}; e5d6; 100\0x", ""), ("{}; e5d6; pawn\0", ""), ("\0{}; e5d6; 100", ""), ("{{\0", ""),
    ("{}; e5d6; 1000000000", None), ("{}; e5d6; -1000000000", None),
    ("{}; e5d6; pawnx", "expected"), ("{}; e5d6; paw", "expected"), ("{}; e5d6; Piece.x", "expected"),
    ("{}; e5d6; \x01\x7f", r"'\x01\x7f' is neither"), ("{}; e5d6; 32768; 1", "the threshold is 32768, expected one from -32768 to 32767"),
    ("{}; e5d6; -32769; 1", "the threshold is -32769"),
    ("{{", "the line has 1 field"), ("{{}}", "the line has 1 field"), ('{{"', "the line has 1 field"), ('"', "the line has 1 field"),
    ('{{"{}", "e5d6", 100', None), ('{{"{}", "e5d6", 100)', "expected"), ('{{x, y', "the line has 1 field"), ("{{,;", "fields"),
    ('"{} | e5d6; 100 | 100"', "move"), ("{}\te5d6;\t100", "expected"), ("{}\te5d6|x\t100", "expected"),
    ('{}\t"\t"', "expected"), ("{};e5d6|x;100", "e5d6|x"), ("{}|e5d6;x|100", "e5d6;x"), ("{}|e5d6|100;x", "expected"),
    ("{};e5d6;100|x", "expected"), ("{}\te5d6\t \x0b", "expected"), ('"{}",e5d6",100', "expected"), ('"{}","e5d6,100', "expected"),
])
def test_lines_of_suites(line, sentence):
    """What is read has a value, 100 or another; what is not is named, with what was expected."""
    status, rows, errors = verify(line.format(PASSING) + "\n", "--rules", "swap")
    if sentence is None:
        assert errors == "" and status == (0 if line.strip() == "" or "100" == line.rstrip('"')[-3:] else 1)
    else:
        assert status == 1 and sentence in errors, errors
        assert "# checked 0" in rows[-1]


# ---- Files of positions -----------------------------------------------------------------------------------------------------

CANNOT_BE_JSON = f'{PASSING} id "'.encode() + b'\xff";\n'


@pytest.mark.parametrize("command", ["annotate", "filter", "convert"])
def test_records_that_cannot_be_written(command):
    """A position that the output cannot hold is left out and named; with --strict it is the end."""
    lines = CANNOT_BE_JSON + PASSING.encode() + b"\n"
    for options, written in ([], 1), (["--strict"], 0):
        result = run(command, "--to", "jsonl", *options, stdin=lines)
        assert result.returncode == 1
        assert b"-:1: the position is not valid UTF-8, as JSON needs" in result.stderr
        assert result.stdout.count(b"\n") == written


def test_pictures_that_cannot_be_written(tmp_path):
    result = run("stats", "--svg", str(tmp_path / "none" / "x.svg"), stdin=PASSING + "\n")
    assert result.returncode == 1 and b"x.svg" in result.stderr
    result = run("stats", "--svg", "/dev/full", stdin=PASSING + "\n")
    assert result.returncode == 1 and b"/dev/full" in result.stderr
    result = run("stats", "--svg", str(tmp_path / "x.svg"), stdin="x\n" + PASSING + "\n")
    assert result.returncode == 1 and (tmp_path / "x.svg").exists()
