"""seebatch filter: what it keeps, in every format, against a plain reimplementation, line by line."""
import random
import subprocess
from dataclasses import replace

import pytest

from formats_support import FORMATS, WRITERS, data_lines
from pipeline_support import (BAD, QUIET, ROOK_TAKES_PAWN, TOOL, Judge, compress, environment, lines_of, make_records,
                              options,
                              run, says, well)


@pytest.fixture(scope="module")
def records():
    return make_records(1500)


@pytest.fixture(scope="module")
def judge(records):
    return Judge(records)


def filtered(records, judge, form, keep, drop, invert=False):
    """What the filter should write of these records in a format."""
    header, lines = data_lines(WRITERS[form](records), form)
    lost = dict.fromkeys({"move", "score", "result"} - FORMATS[form].holds)
    return "".join(header + [line for record, line in zip(records, lines)
                             if judge.keeps(replace(record, **lost), keep, drop) != invert])


ABOUT_BOARDS = [([], ["in-check"]), (["in-check"], []), ([], ["any-capture"]), ([], ["any-capture=0.."]),
                (["any-capture=100..325"], []), (["any-capture=..-1"], ["in-check"]),
                ([], ["in-check", "any-capture=1.."]), (["ply=40.."], []), (["ply=..80"], ["ply=30..50"]),
                (["any-capture=100"], []), (["any-capture=-9999..9999"], []), (["quiet"], []), ([], ["quiet"]),
                (["quiet", "pieces=..20"], []), (["pieces=7..24"], ["phase=..10"]), (["phase=24"], [])]
ABOUT_MOVES = [([], ["capture"]), (["capture"], []), ([], ["capture=0..", "in-check"]), (["capture=..-1"], []),
               (["promotion"], []), (["promotion=0.."], []), (["tactical=-100..100"], []), ([], ["tactical=0.."]),
               (["tactical=0..", "any-capture=..-200", "ply=2.."], ["in-check", "promotion"])]
ABOUT_SCORES = [(["score=-500..500"], []), ([], ["score=0.."]), (["abs-score=..1000"], ["score=..-1"]),
                (["score=7"], []),
                ([], ["result=0.5"]), (["result=1.0"], []), (["result=0"], ["result=1/2"])]


@pytest.mark.parametrize("form, invert", [(form, number % 2 == 0) for number, form in enumerate(sorted(WRITERS))])
def test_conditions(records, judge, form, invert):
    holds = FORMATS[form].holds
    cases = ABOUT_BOARDS + ABOUT_MOVES * ("move" in holds) + ABOUT_SCORES * ({"score", "result"} <= holds)
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


@pytest.mark.parametrize("arguments, fen, kept, left_out", [
    ([], ROOK_TAKES_PAWN, "100 ..32767 ..32766 -32768.. -32767.. -40000..40000 100..100",
     "32767.. ..-32768 40000.. ..-40000 101.. ..99"),  # ranges may reach beyond every value, and beyond 16 bits
    (["--values", "90,300,300,500,900"], ROOK_TAKES_PAWN, "90", "100"),
    (["--rules", "swap"], "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "100", "32767.."),
    # moves that pass are in ranges open above
    (["--rules", "plentychess"], "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "0.. 32767.. 40000..", "..0 0..32767 -9999..40000")])
def test_bounds_of_values(arguments, fen, kept, left_out):
    for bounds in kept.split() + left_out.split():
        found = well("filter", *arguments, "--keep", "any-capture=" + bounds, stdin=fen + "\n").decode()
        assert found == (fen + "\n" if bounds in kept.split() else ""), bounds


PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


@pytest.mark.parametrize("form, text, arguments, kept", [
    ("csv", f"fen,move,score\n{QUIET},,\n{QUIET},e1g1,5\n", ["--keep", "score=..100"], [1]),
    ("csv", f"fen,move,score\n{QUIET},,\n{QUIET},e1g1,5\n", ["--drop", "score=..100"], [0]),
    ("fen", f"{QUIET[:-4]}\n{QUIET}\n", ["--keep", "ply=0.."], [1]),
    ("fen", f"{QUIET[:-4]}\n{QUIET}\n", ["--drop", "ply=0.."], [0]),
    *(("tsv", f"fen\tmove\tscore\n{QUIET}\t\t\n{PASSING}\te5d6\t-5\n", ["--keep", condition, *more], kept)
      for condition in ("abs-score=0..10", "abs-score=5", "capture", "capture=..500", "capture=100")
      for more, kept in (([], [1]), (["--drop", "score=-5"], [])))])
def test_records_without_the_field(form, text, arguments, kept):
    """A condition about something that the record does not have does not hold."""
    header, lines = data_lines(text, form)
    assert well("filter", "--from", form, *arguments, stdin=text).decode() == "".join(header + [lines[i] for i in kept])


def test_count(records, judge):
    keep, drop = [], ["in-check", "any-capture=0.."]
    expected = filtered(records, judge, "csv", keep, drop).count("\n") - 1
    assert well("filter", "--count", "--from", "csv", *options(keep, drop),
                stdin=WRITERS["csv"](records)) == b"%d\n" % expected
    for nothing in ("", "# nothing\n\n"):
        assert (well("filter", stdin=nothing), well("filter", "--count", stdin=nothing)) == (b"", b"0\n")


def test_counts_by_condition(records, judge):
    drop, keep = ["any-capture=0..", "in-check", "abs-score=2000.."], ["ply=10.."]
    left, first = {}, ["abs-score=2000..", "ply=10..", "in-check",
                       "any-capture=0.."]  # what costs little is tested first
    for record in records:
        for condition in first:
            if judge.holds(condition, record) == (condition in drop):
                left[condition] = left.get(condition, 0) + 1
                break
    told = ", ".join(f"{left[c]} by --{'keep' if c in keep else 'drop'} {c}" for c in [*drop, *keep])
    words, text = ["filter", "--from", "csv", *options([], drop), *options(keep, [])], WRITERS["csv"](records)
    for threads in (1, 3):
        assert run(*words, "-j", threads,
                   stdin=text).stderr.decode().splitlines()[1] == f"seebatch filter: left out {told}"
    assert f"filter: marked {told}\n".encode() in run(*words, "--mark-score", "1", stdin=text).stderr
    met = len(records) - sum(left.values())
    half = run(*words, "--invert", "--sample", "0.5", stdin=text)
    written = half.stdout.count(b"\n") - 1
    assert half.stderr.decode().splitlines()[1] == (
        f"seebatch filter: {met} left out because all conditions are met; {len(records) - met - written} left out by --sample")
    assert run("filter", "--sample", "0",
               stdin=QUIET + "\n").stderr.endswith(b"\nseebatch filter: 1 left out by --sample\n")


@pytest.mark.parametrize("option", ["--keep", "--drop"])
@pytest.mark.parametrize("words", [[], ["--unique"], ["--count"]])
def test_a_condition_about_what_no_record_has(option, words, tmp_path):
    """Not one line has a move: --drop would drop none of them in silence. One of two that has it is enough."""
    output = [] if words == ["--count"] else ["--output", tmp_path / "out.fen"]
    (tmp_path / "a.fen").write_text(ROOK_TAKES_PAWN + "\n")
    (tmp_path / "b.fen").write_text(ROOK_TAKES_PAWN + "\te1e5\n" + QUIET + "\n")
    done = run("filter", option, "capture=0..", *words, *output, tmp_path / "b.fen", tmp_path / "a.fen")
    says(2, done, f"{tmp_path}/a.fen: none of its records has a move, which a condition needs")
    assert not (tmp_path / "out.fen").exists() and done.stdout == b""
    well("filter", option, "capture=0..", *words, *output, tmp_path / "b.fen")
    well("filter", option, "any-capture=0..", *words, *output, tmp_path / "a.fen")


# ---- Samples ---------------------------------------------------------------------------------------------------------


def test_samples(records, tmp_path):
    """They depend on the seed alone: not on threads, conditions, or the files."""
    text = WRITERS["fen"](records * 20)  # several blocks, which end elsewhere when it is divided
    lines, kept = text.splitlines(keepends=True), []
    for seed in (0, 1, 2):
        same = {well("filter", "--sample", "0.3", "--seed", seed, "--threads", threads,
                     stdin=text) for threads in (1, 2, 3)}
        assert len(same) == 1
        kept.append(same.pop().decode().splitlines(keepends=True))
        assert abs(len(kept[-1]) - 0.3 * len(lines)) < 6 * (len(lines) * 0.3 * 0.7) ** 0.5
        rest = iter(lines)
        assert all(line in rest for line in kept[-1])  # a subsequence of the input
    assert kept[0] != kept[1] != kept[2]
    assert well("filter", "--sample", "1", stdin=text).decode() == text and well("filter", "--sample", "0",
                                                                                 stdin=text) == b""
    sample = ["filter", "--sample", "0.3", "--seed", "1"]
    quiet = set(well("filter", "--drop", "any-capture", stdin=text).decode().splitlines(keepends=True))
    assert well(*sample, "--drop", "any-capture",
                stdin=text).decode() == "".join(line for line in kept[1] if line in quiet)
    (tmp_path / "a.fen").write_text("".join(lines[:700]))
    (tmp_path / "b.fen.gz").write_bytes(compress("".join(lines[700:]).encode(), ".gz"))
    assert well(*sample, tmp_path / "a.fen", tmp_path / "b.fen.gz").decode() == "".join(kept[1])


# ---- Threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_bytes_do_not_depend_on_threads(records, form, tmp_path):
    """Of several blocks, with bad records in them; through a pipe that gives a few bytes at a time, too."""
    chance = random.Random(3)
    header, lines = data_lines(WRITERS[form](records), form)
    lines = [line if chance.random() < 0.99 else "bad\n" for line in lines * 12]
    path = tmp_path / ("many." + form)
    path.write_text("".join(header + lines))
    assert path.stat().st_size > 1 << 20
    arguments = ["filter", "--quiet", "--from", form, "--drop", "any-capture=0.."]
    one, *others = (run(*arguments, "--threads", n, path) for n in (1, 2, 3, 4))
    assert one.returncode == 1 and len(one.stdout) > 1000 and len(one.stderr) > 1000
    for other in others:
        assert (other.stdout, other.stderr, other.returncode) == (one.stdout, one.stderr, one.returncode)
    slowly = subprocess.run(["sh", "-c", 'dd if="$0" bs=777 status=none | "$@"', path, TOOL, *arguments],
                            stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, env=environment())
    assert slowly.stdout == one.stdout


def test_bad_lines_are_numbered_across_blocks(tmp_path):
    lines = (lines_of("games.fen") * 20)[:30000]
    for i in (0, 5000, 12345, 29999):
        lines[i] = BAD
    (tmp_path / "a.fen").write_text("\n".join(lines) + "\n")
    (tmp_path / "b.fen").write_text(BAD + "\n")
    result = run("filter", "--count", "--quiet", "a.fen", "b.fen", cwd=tmp_path)
    assert [":".join(row.split(":")[:2]) for row in result.stderr.decode().splitlines()] == [
        f"a.fen:{i}" for i in (1, 5001, 12346, 30000)] + ["b.fen:1"]
    assert result.stdout == b"29996\n"
