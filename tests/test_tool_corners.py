"""Corners of the command-line tool: each is a promise of its help or manual,
not reached by the other files of tests."""
import json
import os
import pty
import subprocess

import pytest

from test_tool import KNIGHT_TAKES_PAWN, QUIET, TOOL, fails, run

PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
PROMOTING = "1n2k3/P7/8/8/8/8/8/4K3 w - -"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"


def verify(lines, *options):
    result = run("verify", *options, stdin=lines)
    return result.returncode, result.stdout.decode().splitlines(), result.stderr.decode()


def at_terminal(*arguments, lines):
    """The tool reads from a terminal, and answers each line at once."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([TOOL, *arguments], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        rows = []
        for line in lines:
            os.write(ours, line.encode() + b"\n")
            rows.append(process.stdout.readline().decode())
        os.write(ours, b"\x04")
        rest, errors = process.communicate(timeout=60)
        os.close(ours)
        return process.returncode, rows, rest.decode(), errors.decode()


# ---- Words ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["help", "--help", "-h"])
def test_help_by_each_name(word):
    result = run(word)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == run("help").stdout == run("help", word).stdout
    assert b"eval" in result.stdout


def test_notations_by_name():
    uci, san = (run("eval", "--rules", "swap", "--notation", name, stdin=KNIGHT_TAKES_PAWN) for name in ("uci", "san"))
    assert b"\td3e5\t" in uci.stdout and b"\tNxe5\t" in san.stdout
    fails(2, run("eval", "--notation", "lan", stdin=QUIET), "--notation: 'lan' is neither uci nor san")


def test_columns_are_known_by_the_whole_name():
    for name in ("winninG", "winnin", "winnings", ""):  # of the same length, shorter, longer, none
        fails(2, run("annotate", "--columns", name, stdin=QUIET), f"there is no column '{name}'")
    fails(2, run("annotate", "--columns", "winning,equal,winning", stdin=QUIET), "'winning' is named twice")


@pytest.mark.parametrize("sample", ["", "x", "0.5x", "-0.1", "1.1", "nan"])
def test_samples_out_of_bounds(sample):
    fails(2, run("filter", "--sample", sample, stdin=QUIET), f"--sample: '{sample}' is not a number from 0 to 1")


@pytest.mark.parametrize("seed", ["", "-1", "x", ":", "1x", "18446744073709551616"])
def test_seeds_out_of_bounds(seed):
    fails(2, run("selftest", "--seed", seed), f"--seed: '{seed}' is not an integer from 0 to 18446744073709551615")


def test_selftest_for_a_time():
    result = run("selftest", "--seconds", "1", "--cases", "1", "--seed", "18446744073709551615")
    assert result.returncode == 2 or b"1 case" in result.stdout or b"cases" in result.stdout
    result = run("selftest", "--seconds", "1")
    assert (result.returncode, result.stderr) == (0, b"")


# ---- explain ----------------------------------------------------------------------------------------------------------------


def test_explain_of_en_passant_and_of_quiet_moves():
    text = run("explain", "--rules", "swap", PASSING, "e5d6").stdout.decode()
    assert "pawn e5xd6 takes pawn" in text
    text = run("explain", "--rules", "swap", PASSING, "e5e6").stdout.decode()
    assert "takes pawn" not in text.split("Swap list")[0].split("\n\n")[-2].splitlines()[0]


def test_explain_of_promotions_that_lose():
    """A queen that is worth less than a pawn: promoting takes something away."""
    text = run("explain", "--rules", "promotions", "--values", "500,100,100,100,400", PROMOTING, "a7b8q").stdout.decode()
    assert "100 - 100 = 0" in text
    text = run("explain", "--rules", "promotions", "--values", "100,100,100,100,400", PROMOTING, "a7b8q").stdout.decode()
    assert "100 + 300 = 400" in text


# ---- verify -----------------------------------------------------------------------------------------------------------------


def test_verify_tells_flags_as_flags_in_json():
    status, rows, errors = verify(f"{PASSING}; e5d6; 100; 0\n{PASSING}; e5d6; 101; 1\n", "--rules", "swap", "--format", "json")
    objects = [json.loads(row) for row in rows if "threshold" in row]
    assert (status, errors) == (1, "")
    assert [(o["threshold"], o["expected"], o["got"]) for o in objects] == [(100, False, True), (101, True, False)]


def test_verify_traces_of_flags_and_castling_in_json():
    status, rows, errors = verify(f"{CASTLING}; e1g1; 5\n{KNIGHT_TAKES_PAWN}; d3e5; 0; 1\n", "--rules", "swap", "--format", "json",
                                  "--trace")
    castled, taken = [json.loads(row) for row in rows if "trace" in row]
    assert (status, errors) == (1, "")
    assert castled["trace"] == [] and castled["got"] == 0
    assert len(taken["trace"]) > 1 and taken["got"] is False


def test_verify_of_long_lines_among_few():
    """Some thousand positions with operations of hundreds of characters: more text than lines to a block."""
    position = f'{PASSING} id "{"x" * 600}";'
    rows, n = [f"{position}\te5d6\t{100 + (i == 2500)}" for i in range(3000)], 3000
    result = run("verify", "--rules", "swap", stdin="\n".join(rows) + "\n")
    assert (result.returncode, result.stderr) == (1, b"")
    row, summary = result.stdout.decode().splitlines()
    assert row.split("\t")[-2:] == ["101", "100"]
    assert summary.startswith(f"# checked {n}, equal {n - 1}, different 1")


def test_verify_traces_of_quiet_moves_and_en_passant():
    status, rows, errors = verify(f"{PASSING}; e5e6; 7\n{PASSING}; e5d6; 7\n", "--rules", "swap", "--trace")
    assert (status, errors) == (1, "")
    assert [row.split("\t")[-1] for row in rows[:2]] == ["e5-e6 0/0", "e5xd6 100/100"]


def test_verify_of_files_whose_names_json_cannot_hold(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(path, "wb") as file:
        file.write(f"{PASSING}; e5d6; 100\n".encode())
    result = run("verify", "--rules", "swap", "--format", "json", path)
    assert result.returncode == 1
    assert b"is not valid UTF-8, as JSON needs" in result.stderr
    result = run("verify", "--rules", "swap", path)
    assert (result.returncode, result.stderr) == (0, b"")


def test_verify_answers_a_terminal_line_by_line():
    status, rows, rest, errors = at_terminal("verify", "--rules", "swap", lines=[f"{PASSING}; e5d6; {n}" for n in (1, 2)])
    assert (status, errors) == (1, "")
    assert [row.rstrip().split("\t")[-2:] for row in rows] == [["1", "100"], ["2", "100"]]
    assert rest.startswith("# checked 2")


@pytest.mark.parametrize("line, sentence", [
    ("", None), ("   ", None),
    ("{}; e5d6; ", "expected"), ("{}; e5d6; 100 200", "expected +, -, * or the end at '200'"),
    ("{}; e5d6; 2000000000", "no more than a billion"), ("{}; e5d6; -1000000001", "no more than a billion"),
    ("{}; e5d6; -1000000000 - 1", "no more than a billion"), ("{}; e5d6; 1000000000 + 1", "no more than a billion"),
    ("{}; e5d6; 100\0x", ""), ("{}; e5d6; pawn\0", ""), ("\0{}; e5d6; 100", ""), ("{{\0", ""),
    ("{}; e5d6; 1000000000", None), ("{}; e5d6; -1000000000", None),
    ("{}; e5d6; pawnx", "expected"), ("{}; e5d6; paw", "expected"), ("{}; e5d6; Piece.x", "expected"),
    ("{}; e5d6; \x01\x7f", "??"), ("{}; e5d6; 32768; 1", "the threshold is 32768, expected one from -32768 to 32767"),
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


# ---- Others -----------------------------------------------------------------------------------------------------------------


def test_eval_answers_a_terminal_line_by_line():
    status, rows, rest, errors = at_terminal("eval", "--rules", "swap", lines=[PASSING])
    assert (status, rest, errors) == (0, "", "")
    assert rows == [f"{PASSING}\te5d6\t100\n"]


def test_stats_names_both_rule_sets():
    result = run("stats", "--rules", "swap", "--against", "legal", "--format", "json", stdin=KNIGHT_TAKES_PAWN + "\n")
    assert result.returncode == 0, result.stderr
    object_ = json.loads(result.stdout)
    assert (object_["rules"], object_["against"]) == ("swap", "legal")


def test_compare_gives_up_where_nodes_end():
    """With a single node nothing is known of what minimax would say, and the capture is passed over, and counted."""
    result = run("compare", "--rules", "swap", "--rules", "minimax", "--nodes", "1", "--format", "json", stdin=KNIGHT_TAKES_PAWN)
    assert result.returncode == 1
    assert result.stderr.count(b"--nodes") == result.stderr.count(b"\n") > 0
    report = json.loads(result.stdout)
    assert report["passed_over"] > 0
    assert report["passed_over"] + report["moves"] == 3


def test_compare_under_tables_that_promote_downwards():
    result = run("compare", "--rules", "swap", "--rules", "minimax", "--values", "500,100,100,100,400", stdin=PROMOTING)
    assert (result.returncode, result.stderr) == (0, b"")


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


def test_counts_and_statistics_end_at_a_bad_record_where_they_should():
    lines = f"x\n{PASSING}\n"
    assert run("filter", "--count", "--strict", stdin=lines).stdout == b""
    assert run("filter", "--count", stdin=lines).stdout == b"1\n"
    assert run("stats", "--strict", stdin=lines).stdout == b""
    assert run("stats", stdin=lines).stdout != b""
    for arguments in ("--output", "x.fen"), ("--to", "csv"):
        fails(2, run("filter", "--count", *arguments, stdin=lines), "--count writes no positions")


def test_pictures_that_cannot_be_written(tmp_path):
    result = run("stats", "--svg", str(tmp_path / "none" / "x.svg"), stdin=PASSING + "\n")
    assert result.returncode == 1 and b"x.svg" in result.stderr
    result = run("stats", "--svg", "/dev/full", stdin=PASSING + "\n")
    assert result.returncode == 1 and b"/dev/full" in result.stderr
    result = run("stats", "--svg", str(tmp_path / "x.svg"), stdin="x\n" + PASSING + "\n")
    assert result.returncode == 1 and (tmp_path / "x.svg").exists()
