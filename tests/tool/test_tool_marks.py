"""seebatch filter --mark-score: records that keep their place with another score. And what a run says of itself: counts by
condition, progress in a log; options by letter.
"""
import os

import pytest

from binpack_support import read
from formats_support import decode_games, decode_plain, sample
from pipeline_support import DATA, QUIET, WRITERS, Judge, data_lines, fails, make_records, run, says, well
from test_tool_filter import options


@pytest.fixture(scope="module")
def records():
    return make_records(600)


@pytest.fixture(scope="module")
def judge(records):
    return Judge(records)


def chains_of(data):
    """How many chains of positions a binpack has: a position that is not what the move before leads to begins one."""
    rows, chains, next_board = read(data)[0], 0, None
    for row in rows:
        chains += next_board is None or next_board.fen() != row.board.fen()
        next_board = row.board.copy()
        next_board.play(row.move, "legal")
    return chains


# ---- Marks ----------------------------------------------------------------------------------------------------------


def replaced(line, form, old, new):
    """A line of text with another score."""
    before = {"scored": f" | {old} | ", "csv": f",{old},", "tsv": f"\t{old}\t", "jsonl": f'"score": {old},'}[form]
    assert line.count(before) == 1, line
    return line.replace(before, before.replace(str(old), str(new)))


@pytest.mark.parametrize("form", ["scored", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("invert", [False, True])
def test_marks_in_text(records, judge, form, invert):
    some, conditions = [r for r in records[:300] if abs(r.score) > 400], ["any-capture=0..", "in-check"]
    header, lines = data_lines(WRITERS[form](some), form)
    expected = [line if judge.keeps(r, [], conditions) != invert else replaced(line, form, r.score, -32002)
                for r, line in zip(some, lines)]
    found = well("filter", "--from", form, *options([], conditions), *["--invert"] * invert, "--mark-score", -32002,
                 stdin="".join(header + lines)).decode()
    assert found == "".join(header + expected) and expected != lines


def test_marks_where_there_is_no_score():
    for form, text, marked in [
            ("csv", f'fen,score,"x"\n{QUIET},,1\r\n"{QUIET}","7","a,""b"\n', f'fen,score,"x"\n{QUIET},5,1\r\n"{QUIET}",5,"a,""b"\n'),
            ("csv", f"score,fen\n,{QUIET}\n", f"score,fen\n5,{QUIET}\n"), ("tsv", f"fen\tscore\n{QUIET}\t\n", f"fen\tscore\n{QUIET}\t5\n"),
            ("jsonl", f'{{"fen": "{QUIET}", "score": null}}\n', f'{{"fen": "{QUIET}", "score": 5}}\n'),
            ("jsonl", f'{{ "fen": "{QUIET}" }}\n', f'{{ "fen": "{QUIET}" , "score": 5}}\n'),
            ("jsonl", f'{{"x": {{"score": 1}}, "sc\\u006fre":-3,"fen": "{QUIET}"}}\n', f'{{"x": {{"score": 1}}, "sc\\u006fre":5,"fen": "{QUIET}"}}\n'),
            ("epd", f"{QUIET[:-4]} bm Kd2; ce  -3 ; id 1;  \tKd1\n", f"{QUIET[:-4]} bm Kd2; ce  5 ; id 1;  \tKd1\n"),
            ("epd", f"{QUIET[:-4]} dm 3;  \tKd1\n{QUIET}\n", f"{QUIET[:-4]} dm 3; ce 5;  \tKd1\n{QUIET} ce 5;\n"),
            ("plain", f"fen {QUIET}\nx y\nscore   -3  \r\ne\n", f"fen {QUIET}\nx y\nscore 5\r\ne\n"),
            ("plain", f"fen {QUIET}\ne\n", f"fen {QUIET}\nscore 5\ne\n")]:
        assert well("filter", "--from", form, "--keep", "in-check", "--mark-score", 5, stdin=text).decode() == marked
    named = ["--from", "jsonl", "--column", "score=cp", "--keep", "in-check", "--mark-score", 5]
    assert well("filter", *named, stdin=f'{{"fen": "{QUIET}", "score": 1}}\n').decode() == f'{{"fen": "{QUIET}", "score": 1, "cp": 5}}\n'
    assert well("filter", *named, stdin=f'{{"cp": 9, "fen": "{QUIET}"}}\n').decode() == f'{{"cp": 5, "fen": "{QUIET}"}}\n'
    fails(2, run("filter", "--mark-score", "1", "--unique", stdin=QUIET + "\n"), "expected it without --unique")
    fails(2, run("filter", "--mark-score", "1", stdin=QUIET + "\n"), "the format fen has no place for a score")
    says(1, run("filter", "--mark-score", "1", "--from", "csv", "--quiet", stdin=f"fen\n{QUIET}\n"), "no column for score, which --mark-score needs")
    assert well("filter", "--keep", "in-check", "--mark-score", "1", "--from", "csv", "--to", "jsonl",
                stdin=f"fen\n{QUIET}\n").decode() == f'{{"fen": "{QUIET}", "score": 1}}\n'
    assert well("filter", "--drop", "in-check", "--mark-score", "1", "--from", "csv", "--to", "jsonl",
                stdin=f"fen\n{QUIET}\n").decode() == f'{{"fen": "{QUIET}"}}\n'
    assert well("filter", "--keep", "in-check", "--mark-score", "1", "--to", "jsonl",
                stdin=QUIET + "\n").decode() == f'{{"fen": "{QUIET}", "score": 1}}\n'


def test_marks_in_binary_files():
    """As they stand in the file: marlinformat and viriformat have White's score, bulletformat, plain and binpack the mover's."""
    for name, form in [("own-marlin.bin", "marlinformat"), ("own-bullet.bin", "bulletformat")]:
        data, conditions = sample(name), ["--drop", "any-capture=0.."]
        at = 28 if form == "marlinformat" else 24
        kept = well("filter", "--from", form, *conditions, stdin=data)
        kept = {kept[i:i + 32] for i in range(0, len(kept), 32)}
        records = [data[i:i + 32] for i in range(0, len(data), 32)]
        records = [r if r in kept else r[:at] + b"\x02\x7d" + r[at + 2:] for r in records]
        assert well("filter", "--from", form, *conditions, "--mark-score", 32002, stdin=data) == b"".join(records)
    rows, conditions = decode_plain(sample("own.plain").decode()), ["--keep", "ply=20.."]
    for name, form, sign in [("own.vf", "viriformat", 1), ("own.plain", "plain", -1), ("own.binpack", "binpack", -1)]:
        marked = well("filter", "--from", form, *conditions, "--mark-score", 32002, stdin=sample(name))
        found = decode_games(marked) if form == "viriformat" else decode_plain(
            well("convert", "--from", form, "--to", "plain", stdin=marked).decode())
        assert [(r.fen, r.move) for r in found] == [(r.fen, r.move) for r in rows]
        for row, mark in zip(rows, found):
            assert mark.score == (32002 * (sign if " b " in row.fen else 1) if row.ply < 20 else row.score)
    # a game stays a chain
    assert chains_of(marked) == chains_of(sample("own.binpack")) > 5


# ---- What is said -----------------------------------------------------------------------------------------------------


def test_counts_by_condition(records, judge):
    drop, keep = ["any-capture=0..", "in-check", "abs-score=2000.."], ["ply=10.."]
    left, first = {}, ["abs-score=2000..", "ply=10..", "in-check", "any-capture=0.."]  # what costs little is tested first
    for record in records:
        for condition in first:
            if judge.holds(condition, record) == (condition in drop):
                left[condition] = left.get(condition, 0) + 1
                break
    told = ", ".join(f"{left[c]} by --{'keep' if c in keep else 'drop'} {c}" for c in [*drop, *keep])
    words, text = ["filter", "--from", "csv", *options([], drop), *options(keep, [])], WRITERS["csv"](records)
    for threads in (1, 3):
        assert run(*words, "-j", threads, stdin=text).stderr.decode().splitlines()[1] == f"seebatch filter: left out {told}"
    assert f"filter: marked {told}\n".encode() in run(*words, "--mark-score", "1", stdin=text).stderr
    met = len(records) - sum(left.values())
    half = run(*words, "--invert", "--sample", "0.5", stdin=text)
    written = half.stdout.count(b"\n") - 1
    assert half.stderr.decode().splitlines()[1] == (
        f"seebatch filter: {met} left out because all conditions are met; {len(records) - met - written} left out by --sample")
    assert run("filter", "--sample", "0", stdin=QUIET + "\n").stderr.endswith(b"\nseebatch filter: 1 left out by --sample\n")


def test_progress_in_a_log():
    path = os.path.join(DATA, "formats", "own.plain")
    said = run("stats", "--progress", "0", path).stderr.decode().splitlines()
    assert all("seebatch stats: " in line for line in said) and "\r" not in "".join(said) and "\033" not in "".join(said)
    assert any(" positions, " in line and " million a second, 100%, 0:00:00 left" in line for line in said[:-1])
    assert " positions read, " in said[-1]
    assert run("stats", path).stderr.count(b"\n") == 1 and run("stats", "--progress", "0", "--quiet", path).stderr == b""
    for wrong in ("-1", "x", "86401"):
        fails(2, run("filter", "--progress", wrong), f"--progress: '{wrong}' is not an integer from 0 to 86400")


def test_letters(tmp_path):
    for command in ("filter", "annotate", "convert"):
        words = [command, "--quiet", "--from", "fen", "-j", "2", "-o", tmp_path / (command + ".csv"), "--lose", "all"]
        assert run(*words, stdin=QUIET + "\n").returncode == 0 and (tmp_path / (command + ".csv")).read_text().startswith("fen,")
    fails(2, run("stats", "-j", "2", "--threads", "2", stdin=""), "--threads was given twice, expected it once")
    fails(2, run("eval", "-j", "2"), "invalid option -- 'j'")
    fails(2, run("stats", "-o", "x"), "invalid option -- 'o'")


def test_convert_in_out(tmp_path):
    source, target = os.path.join(DATA, "formats", "own.plain"), tmp_path / "a.jsonl.gz"
    assert well("convert", source, target) == b""
    assert well("convert", target, "--to", "plain") == open(source, "rb").read()
    before = target.read_bytes()
    fails(2, run("convert", source, target), "a.jsonl.gz: it is there already, expected --output ")
    assert target.read_bytes() == before
    fails(2, run("convert", source, tmp_path / "b.txt"), "no format to convert to was given")
    fails(2, run("convert", source, tmp_path / "b.csv.xz"), "ends with .xz")
