"""seebatch filter: what it keeps, in every format, against a plain reimplementation, line by line."""
import json
import random
import subprocess

import pytest

from formats_support import Row
from pipeline_support import (BAD, QUIET, ROOK_TAKES_PAWN, SANITIZED, TOOL, WRITERS, Judge, compress, data_lines,
                              environment, fails, lines_of, make_records, run, says, well)



@pytest.fixture(scope="module")
def records():
    return make_records(1500)


@pytest.fixture(scope="module")
def judge(records):
    return Judge(records)


def filtered(records, judge, form, keep, drop, invert=False):
    """What the filter should write of these records in a format."""
    text = WRITERS[form](records)
    header, lines = data_lines(text, form)
    if form == "scored":
        records = [Row(r.fen, None, r.score, r.result, r.ply) for r in records]
    if form == "fen":
        records = [Row(r.fen, r.move, None, None, r.ply) for r in records]
    return "".join(header + [line for record, line in zip(records, lines)
                             if judge.keeps(record, keep, drop) != invert])


def options(keep, drop):
    return [part for c in keep for part in ("--keep", c)] + [part for c in drop for part in ("--drop", c)]

ABOUT_BOARDS = [([], ["in-check"]), (["in-check"], []), ([], ["any-capture"]), ([], ["any-capture=0.."]),
                (["any-capture=100..325"], []), (["any-capture=..-1"], ["in-check"]), ([], ["in-check", "any-capture=1.."]),
                (["ply=40.."], []), (["ply=..80"], ["ply=30..50"]), (["any-capture=100"], []), (["any-capture=-9999..9999"], []),
                (["quiet"], []), ([], ["quiet"]), (["quiet", "pieces=..20"], []), (["pieces=7..24"], ["phase=..10"]),
                (["phase=24"], [])]
ABOUT_MOVES = [([], ["capture"]), (["capture"], []), ([], ["capture=0..", "in-check"]), (["capture=..-1"], []),
               (["promotion"], []), (["promotion=0.."], []), (["tactical=-100..100"], []), ([], ["tactical=0.."]),
               (["tactical=0..", "any-capture=..-200", "ply=2.."], ["in-check", "promotion"])]
ABOUT_SCORES = [(["score=-500..500"], []), ([], ["score=0.."]), (["abs-score=..1000"], ["score=..-1"]), (["score=7"], []),
                ([], ["result=0.5"]), (["result=1.0"], []), (["result=0"], ["result=1/2"])]


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("invert", [False, True])
def test_conditions(records, judge, form, invert):
    cases = list(ABOUT_BOARDS)
    if form != "scored":
        cases += ABOUT_MOVES
    if form != "fen":
        cases += ABOUT_SCORES
    sizes = set()
    for keep, drop in cases:
        expected = filtered(records, judge, form, keep, drop, invert)
        arguments = options(keep, drop) + ["--from", form] + ["--invert"] * invert
        assert well("filter", *arguments, stdin=WRITERS[form](records)).decode() == expected, (keep, drop)
        sizes.add(len(expected))
    assert len(sizes) > len(cases) // 2  # the conditions tell the records apart


@pytest.mark.parametrize("rules", ["swap", "stockfish", "promotions"])
def test_rules(records, rules):
    some = records[:500]
    judge = Judge(some, rules)
    for keep, drop in [([], ["any-capture=0.."]), (["tactical=1.."], [])]:
        expected = filtered(some, judge, "fen", keep, drop)
        assert well("filter", "--rules", rules, *options(keep, drop), stdin=WRITERS["fen"](some)).decode() == expected


def test_values():
    line = ROOK_TAKES_PAWN + "\n"
    assert well("filter", "--keep", "any-capture=100", stdin=line).decode() == line
    assert well("filter", "--values", "90,300,300,500,900", "--keep", "any-capture=100", stdin=line) == b""
    assert well("filter", "--values", "90,300,300,500,900", "--keep", "any-capture=90", stdin=line).decode() == line


def test_bounds_of_values():
    # a range may reach beyond every value, and beyond 16 bits
    line = (ROOK_TAKES_PAWN + "\n").encode()
    for bounds, kept in [("..32767", 1), ("..32766", 1), ("-32768..", 1), ("-32767..", 1), ("32767..", 0), ("..-32768", 0),
                         ("40000..", 0), ("-40000..40000", 1), ("..-40000", 0), ("100..100", 1), ("101..", 0), ("..99", 0)]:
        assert well("filter", "--keep", "any-capture=" + bounds, stdin=line) == line * kept, bounds


def test_moves_that_pass_are_in_ranges_open_above():
    line = b"4k3/8/8/3pP3/8/8/8/4K3 w - d6\n"
    for bounds, kept in [("0..", 1), ("32767..", 1), ("40000..", 1), ("..0", 0), ("0..32767", 0), ("-9999..40000", 0)]:
        assert well("filter", "--rules", "plentychess", "--keep", "any-capture=" + bounds, stdin=line) == line * kept, bounds
    assert well("filter", "--rules", "swap", "--keep", "any-capture=32767..", stdin=line) == b""


def test_records_are_kept_byte_for_byte():
    lines = [QUIET, "4k3/8/8/8/8/8/8/4K2R  w  K -  ", QUIET + "\r", 'r3k2r/8/8/8/8/8/8/R3K2R b HAha - bm O-O; id "x \u00e9";',
             QUIET + "\te1g1", QUIET + "\t  e1g1 e1f1"]
    text = "".join(line + "\n" for line in lines).encode()
    assert well("filter", stdin=text) == text
    assert well("filter", stdin=b"# comment\n\n  \t\n" + text + b"\r\n") == text


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_mark_of_utf8_is_passed_over(records, form):
    # at the beginning of a file; anywhere else it is a character that does not belong there
    text = WRITERS[form](records[:5])
    assert well("filter", "--from", form, stdin=b"\xef\xbb\xbf" + text.encode()).decode() == text
    header, lines = data_lines(text, form)
    lines[2] = "\ufeff" + lines[2] if form not in ("csv", "tsv") else lines[2].replace(records[2].fen, "\ufeff" + records[2].fen)
    result = run("filter", "--quiet", "--from", form, stdin="\ufeff" + "".join(header + lines))
    assert result.stdout.decode() == "".join(header + lines[:2] + lines[3:]) and result.returncode == 1
    assert result.stderr.decode().startswith(f"-:{3 + len(header)}: ") and result.stderr.count(b"\n") == 1


def test_records_without_the_field():
    # a condition about something that the record does not have does not hold
    csv_text = "fen,move,score\n" + f"{QUIET},,\n{QUIET},e1g1,5\n"
    assert well("filter", "--from", "csv", "--keep", "score=..100", stdin=csv_text).decode().count("\n") == 2
    assert well("filter", "--from", "csv", "--drop", "score=..100", stdin=csv_text).decode() == f"fen,move,score\n{QUIET},,\n"
    no_ply = "4k3/8/8/8/8/8/8/4K2R w K -\n"
    assert well("filter", "--keep", "ply=0..", stdin=no_ply) == b""
    assert well("filter", "--drop", "ply=0..", stdin=no_ply).decode() == no_ply
    # but a column that says it outranks the position
    assert well("filter", "--from", "csv", "--keep", "ply=17", stdin=f"fen,ply\n{QUIET},17\n{QUIET},18\n").decode().count(",17\n") == 1


def test_count(records, judge):
    keep, drop = [], ["in-check", "any-capture=0.."]
    expected = filtered(records, judge, "csv", keep, drop).count("\n") - 1
    assert well("filter", "--count", "--from", "csv", *options(keep, drop), stdin=WRITERS["csv"](records)) == b"%d\n" % expected


# ---- Samples --------------------------------------------------------------------------------------------------------


def test_sample_is_the_same_whatever_the_threads(records):
    text = WRITERS["fen"](records * 20)
    samples = {seed: [well("filter", "--sample", "0.3", "--seed", seed, "--threads", threads, stdin=text) for threads in (1, 2, 3)]
               for seed in (0, 1, 2)}
    for same in samples.values():
        assert same[0] == same[1] == same[2]
    assert len({same[0] for same in samples.values()}) == 3
    lines = text.splitlines(keepends=True)
    kept = len(samples[1][0].decode().splitlines())
    deviation = (len(lines) * 0.3 * 0.7) ** 0.5
    assert abs(kept - 0.3 * len(lines)) < 6 * deviation
    # a subsequence of the input
    rest = iter(text.splitlines())
    assert all(line in rest for line in samples[1][0].decode().splitlines())
    assert well("filter", "--sample", "1", stdin=text).decode() == text
    assert well("filter", "--sample", "0", stdin=text) == b""


def test_sample_does_not_depend_on_conditions_or_on_files(records, tmp_path):
    text = WRITERS["fen"](records) * 8  # several blocks, which end elsewhere when it is divided
    sample = well("filter", "--sample", "0.5", stdin=text).decode().splitlines()
    quiet = set(well("filter", "--drop", "any-capture", stdin=text).decode().splitlines())
    assert well("filter", "--sample", "0.5", "--drop", "any-capture", stdin=text).decode().splitlines() == [
        line for line in sample if line in quiet]
    lines = text.splitlines(keepends=True)
    (tmp_path / "a.fen").write_text("".join(lines[:700]))
    (tmp_path / "b.fen.gz").write_bytes(compress("".join(lines[700:]).encode(), ".gz"))
    both = well("filter", "--sample", "0.5", tmp_path / "a.fen", tmp_path / "b.fen.gz")
    assert both.decode().splitlines() == sample


# ---- Formats --------------------------------------------------------------------------------------------------------


def test_text_that_needs_quotes_is_quoted():
    fen = '4k3/8/8/8/8/8/8/4K2R w K - id "a, b|c\\d"; c0 "\u00e9";'
    assert json.loads(well("filter", "--to", "jsonl", stdin=fen + "\n"))["fen"] == fen
    for form in ("csv", "jsonl"):
        again = run("filter", "--from", form, "--to", "fen", stdin=well("filter", "--to", form, stdin=fen + "\n"))
        assert again.returncode == 0 and again.stdout.decode() == fen + "\n"
    scored = run("filter", "--from", "csv", "--to", "scored", stdin='fen,score,result\n"' + fen.replace('"', '""') + '",1,1\n')
    assert scored.returncode == 1 and b"which separates the fields" in scored.stderr


def test_results_in_all_their_texts():
    texts = {"1.0": 1.0, "[1.0]": 1.0, "1": 1.0, "1-0": 1.0, "0.5": 0.5, "[0.5]": 0.5, "1/2": 0.5, "1/2-1/2": 0.5, "0.0": 0.0,
             "[0.0]": 0.0, "0": 0.0, "0-1": 0.0}
    lines = "".join(f"{QUIET}|  -17|{text}  \n" for text in texts)
    rows = [json.loads(row) for row in well("filter", "--from", "scored", "--to", "jsonl", stdin=lines).splitlines()]
    assert [(row["score"], row["result"]) for row in rows] == [(-17, value) for value in texts.values()]


def test_json_escapes():
    line = json.dumps({"fen": QUIET}).replace("/", "\\/").replace("fen", "f\\u0065n").replace("4k", "\\u0034k") + "\n"
    assert run("filter", "--from", "jsonl", "--to", "fen", stdin=line).stdout.decode() == QUIET + "\n"
    spaced = f' {{ "fen" : "{QUIET}" , "score" : null , "x" : [ 1.5e-3 , true , {{ }} , [ ] , "\\ud83d\\ude00" ] }} \n'
    assert well("filter", "--from", "jsonl", stdin=spaced).decode() == spaced


@pytest.mark.parametrize("line, place", [
    ('{"fen": "X"', 12), ("[1]", 1), ('{"fen": "X",}', 13), ('{"fen" "X"}', 8), ('{"fen": "X"} x', 14), ("null", 1), ('{"a": 01}', 9),
    ('{"a": 1.}', 9), ('{"a": .5}', 7), ('{"a": 1e}', 9), ('{"a": tru}', 7), ('{"a": "\\x"}', 10), ('{"a": "\\u12g4"}', 13),
    ('{"a": "\t"}', 9), ('{"a": "b}', 10), ('{"a": [1,]}', 10), ('{"a": ' + 100 * "[" + 100 * "]" + "}", 70)])
def test_bad_json(line, place):
    try:
        json.loads(line)
        assert line.count("[") == 100 or not line.startswith("{")
    except ValueError:
        pass
    result = run("filter", "--quiet", "--from", "jsonl", stdin=line.replace("X", QUIET) + "\n")
    shift = len(QUIET) - 1 if "X" in line[:place - 1] else 0
    assert result.returncode == 1 and result.stdout == b""
    assert f"-:1: byte {place + shift} of the line is not as in JSON" in result.stderr.decode()


def test_random_json_against_python(tmp_path):
    chance = random.Random(7)
    good = '{"fen": "%s", "a": [1, -2.5e+3, {"b": "\\n\\u00e9"}], "c": {"d": null, "e": true}, "score": 12}' % QUIET
    alphabet = '{}[]",:\\ue0123456789-+.aE \x01'
    lines, verdicts = [], []

    def no_constant(_):
        raise ValueError

    for _ in range(3000):
        text = list(good)
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(text))
            text[at:at + chance.randint(0, 1)] = [chance.choice(alphabet)] if chance.random() < 0.7 else []
        line = "".join(text)
        lines.append(line)
        try:
            row = json.loads(line, parse_constant=no_constant, object_pairs_hook=list)
            verdicts.append(isinstance(row, list) and line.lstrip().startswith("{"))
        except ValueError:
            verdicts.append(False)
    names = [str(n) for n in range(0, len(lines), 50)]  # of more in one file not all complaints are shown
    for name in names:
        (tmp_path / name).write_text("".join(line + "\n" for line in lines[int(name):int(name) + 50]))
    result = run("filter", "--quiet", "--from", "jsonl", *names, cwd=tmp_path)
    told = [row.split(":") for row in result.stderr.decode().splitlines() if "not as in JSON" in row]
    refused = {int(row[0]) + int(row[1]) for row in told}
    for i, (line, verdict) in enumerate(zip(lines, verdicts)):
        assert verdict == (i + 1 not in refused), line
    assert 300 < sum(verdicts) < 2700


def test_headers():
    for header, sentence in [("", "header"), ("a,b", "has no column fen or position"), ("fen,fen", "twice"),
                             ("fen,position", "twice"), ("Fen,FEN", "twice"), ("fen,score,score", "'score' twice"), ('fen,"a', "a quote in the header")]:
        fails(1, run("filter", "--quiet", "--from", "csv", stdin=header + "\n" + QUIET + "\n"), sentence)
    assert run("filter", "--from", "csv", stdin="").stderr.startswith(b"-: it is empty, expected a header")
    assert run("filter", "--from", "csv", stdin="fen").stderr.startswith(b"-: the header has no end")
    assert well("filter", "--from", "csv", stdin="fen\n") == b"fen\n"
    # names may be in capitals, and are kept as they are
    table = f"FEN,Score,Other\n{QUIET},5,x\n{QUIET},6,y\n"
    assert well("filter", "--from", "csv", "--keep", "score=6", stdin=table).decode() == f"FEN,Score,Other\n{QUIET},6,y\n"
    assert well("annotate", "--from", "csv", "--columns", "winning", stdin=table).decode().startswith("FEN,Score,Other,winning\n")


def test_tables_of_one_output_have_the_same_columns(tmp_path):
    (tmp_path / "a.csv").write_text(f"fen,x\n{QUIET},1\n")
    (tmp_path / "b.csv").write_text(f"fen,x\r\n{QUIET},2\n")
    (tmp_path / "c.csv").write_text(f"fen,y\n{QUIET},3\n")
    assert well("filter", tmp_path / "a.csv", tmp_path / "b.csv").decode() == f"fen,x\n{QUIET},1\n{QUIET},2\n"
    result = run("filter", "--quiet", tmp_path / "a.csv", tmp_path / "c.csv", tmp_path / "b.csv")
    assert result.returncode == 2 and b"c.csv: its header differs from that of" in result.stderr
    assert result.stdout == b""  # that is seen before anything is read


def test_bad_fields_are_told():
    cases = [("fen", BAD, "side to move"), ("fen", QUIET + "\te1e3", "e1e3"), ("scored", QUIET, "no '|'"),
             ("scored", QUIET + " | 1", "one '|'"), ("scored", QUIET + " | 1 | 1 | 1", "more than two"),
             ("scored", QUIET + " | 1.5 | 1.0", "the score is '1.5'"), ("scored", QUIET + " | 99999999999 | 1.0", "the score"),
             ("scored", QUIET + " | 1 | 2.0", "the result is '2.0'"), ("scored", QUIET + " |  | 1.0", "the score is ''"),
             ("jsonl", "{}", "has no fen"), ("jsonl", '{"fen": 5}', "not a string"),
             ("jsonl", json.dumps({"fen": QUIET, "score": 1.5}), "the score is '1.5'"),
             ("jsonl", json.dumps({"fen": QUIET, "score": "1"}), "not a number"),
             ("jsonl", json.dumps({"fen": QUIET, "ply": -1}), "the ply is '-1'"),
             ("jsonl", '{"fen": "%s", "position": "%s"}' % (QUIET, QUIET), "twice")]
    for form, line, sentence in cases:
        good = {"fen": QUIET, "scored": QUIET + " | 1 | 1.0", "jsonl": json.dumps({"fen": QUIET})}[form]
        result = run("filter", "--from", form, stdin=f"{good}\n{line}\n{good}\n")
        assert result.stdout.decode() == f"{good}\n{good}\n", line
        assert result.stderr.decode().startswith("-:2: ") and sentence in result.stderr.decode(), (line, result.stderr)
        assert "2 positions read, 2 written, 1 bad record;" in result.stderr.decode()
        assert result.returncode == 1
    rows = f'fen,score,note\n{QUIET},1,a\n{QUIET},1\n{QUIET},1,a,b\n{QUIET},x,a\n"{QUIET}",1,"a""b,c"\n"{QUIET},1,a\n"{QUIET}"x,1,a\n'
    result = run("filter", "--quiet", "--from", "csv", stdin=rows)
    assert result.stdout.decode() == f'fen,score,note\n{QUIET},1,a\n"{QUIET}",1,"a""b,c"\n'
    told = result.stderr.decode().splitlines()
    assert [row.split(":")[1] for row in told] == ["3", "4", "5", "7", "8"]
    assert "2 cells, expected 3" in told[0] and "4 cells, expected 3" in told[1] and "quote" in told[3] and "quote" in told[4]


# ---- Threads, memory ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_bytes_do_not_depend_on_threads(records, form, tmp_path):
    # several blocks, with bad records in them
    chance = random.Random(3)
    header, lines = data_lines(WRITERS[form](records), form)
    lines = [line if chance.random() < 0.99 else "bad\n" for line in lines * 12]
    path = tmp_path / ("many." + form)
    path.write_text("".join(header + lines))
    assert path.stat().st_size > 1 << 20
    runs = [run("filter", "--quiet", "--threads", n, "--drop", "any-capture=0..", path) for n in (1, 2, 3, 4)]
    assert runs[0].returncode == 1 and len(runs[0].stdout) > 1000 and len(runs[0].stderr) > 1000
    for other in runs[1:]:
        assert (other.stdout, other.stderr, other.returncode) == (runs[0].stdout, runs[0].stderr, runs[0].returncode)
    # through a pipe that gives a few bytes at a time, too
    with subprocess.Popen([TOOL, "filter", "--quiet", "--from", form, "--drop", "any-capture=0.."], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()) as process:
        feeder = subprocess.Popen(["dd", f"if={path}", "bs=777", "status=none"], stdout=process.stdin)
        process.stdin.close()
        assert process.stdout.read() == runs[0].stdout
        feeder.wait()


def test_bad_lines_are_numbered_across_blocks(tmp_path):
    good = lines_of("games.fen")
    lines = (good * 20)[:30000]
    for i in (0, 5000, 12345, 29999):
        lines[i] = BAD
    (tmp_path / "a.fen").write_text("\n".join(lines) + "\n")
    (tmp_path / "b.fen").write_text(BAD + "\n")
    result = run("filter", "--count", "--quiet", tmp_path / "a.fen", tmp_path / "b.fen")
    assert [":".join(row.split(":")[:2]) for row in result.stderr.decode().splitlines()] == [
        f"{tmp_path}/a.fen:{i}" for i in (1, 5001, 12346, 30000)] + [f"{tmp_path}/b.fen:1"]
    assert result.stdout == b"29996\n"


def peak_memory(path):
    """Kilobytes that a run over the file used at most; the address sanitizer must not keep what is freed."""
    code = ("import os, resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run(["python3", "-c", code, TOOL, "filter", "--quiet", "--threads", "2", "--drop", "any-capture=0..", path],
                              stdout=subprocess.PIPE, env=dict(environment(), ASAN_OPTIONS="quarantine_size_mb=1"), check=True).stdout)


def test_memory_does_not_grow_with_the_input(records, tmp_path):
    text = WRITERS["fen"](records)
    sizes = {}
    for megabytes in (5, 50):
        path = tmp_path / f"{megabytes}.fen"
        path.write_text(text * (megabytes * 1000000 // len(text) + 1))
        sizes[megabytes] = peak_memory(path)
    assert sizes[50] < 1.1 * sizes[5] + 1000, sizes
    assert sizes[50] < 100000 or SANITIZED


# ---- Usage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, sentence", [
    (["--drop", "check"], "there is no condition 'check', expected one of in-check, capture, promotion, tactical, any-capture"),
    (["--drop", "in-check=1"], "'in-check' has no range"), (["--keep", "score"], "'score' needs a range"),
    (["--drop", "capture="], "'' is not a range"), (["--drop", "capture=.."], "'..' is not a range"),
    (["--drop", "capture=5..1"], "not a range"), (["--drop", "capture=1..2..3"], "not a range"), (["--drop", "capture=x"], "not a range"),
    (["--sample", "1.5"], "'1.5' is not a number from 0 to 1"), (["--sample", "nan"], "not a number from 0 to 1"),
    (["--seed", "-1"], "--seed: '-1'"), (["--threads", "0"], "'0' is not an integer from 1 to 1024"),
    (["--from", "xlsx"], "there is no format 'xlsx', expected one of fen, scored, csv, tsv, jsonl, marlinformat"),
    (["x.dat"], "x.dat: its name does not say its format, expected --from with one of"),
    (["--keep", "score=1", "x.fen"], "x.fen: the format fen has no score, which a condition needs"),
    (["--drop", "capture", "x.scored.zst"], "the format scored has no move"), (["--count", "--to", "csv"], "--count writes no positions")])
def test_bad_usage(arguments, sentence):
    fails(2, run("filter", *arguments), sentence)


def test_columns_that_the_output_needs():
    result = run("filter", "--quiet", "--from", "csv", "--to", "scored", stdin=f"fen,score\n{QUIET},1\n")
    assert result.returncode == 1 and b"-: it has no column for result, which scored needs" in result.stderr
    rows = f"fen,score,result\n{QUIET},1,\n{QUIET},2,1\n"
    result = run("filter", "--quiet", "--from", "csv", "--to", "scored", stdin=rows)
    assert result.returncode == 1 and b"-:2: the record has no result, which scored needs" in result.stderr
    assert result.stdout.decode() == QUIET + " | 2 | 1.0\n"


def test_columns_that_conditions_need(tmp_path):
    (tmp_path / "a.csv").write_text(f"fen\n{QUIET}\n")
    result = run("filter", "--quiet", "--keep", "score=0..", tmp_path / "a.csv")
    assert result.returncode == 1 and b"a.csv: it has no column for score, which a condition needs" in result.stderr


@pytest.mark.parametrize("command", ["filter", "annotate", "stats"])
def test_example_of_help_works_as_printed(command):
    help_text = run(command, "--help").stdout.decode()
    example = help_text.partition("\nexample: ")[2].partition("\n")[2].replace("seebatch ", TOOL + " ")
    result = subprocess.run(["sh", "-e", "-c", example], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert result.returncode == 0, result.stderr
    expected = {"filter": QUIET, "annotate": ROOK_TAKES_PAWN + "\t\te1e5\t100\t1\t0\t0\t0\t100",
                "stats": "values\t100\t199\t1"}[command]
    assert expected in result.stdout.decode().splitlines()


def test_no_input():
    assert well("filter", stdin="") == b""
    assert well("filter", stdin="# nothing\n\n") == b""
    assert well("filter", "--count", stdin="") == b"0\n"
    says(1, run("filter", "--quiet", "/nonexistent/x.fen"), "/nonexistent/x.fen: cannot be opened: No such file")
