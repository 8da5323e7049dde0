"""seebatch filter: what it keeps, in every format, against a plain reimplementation, line by line."""
import itertools
import math
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
                (["quiet", "pieces=..20"], []), (["pieces=7..24"], ["phase=..10"]), (["phase=24"], []),
                (["imbalance=..199"], []), ([], ["imbalance=500.."]),
                (["not in-check and not any-capture=0.. and pieces=10.."], []), ([], ["not in-check and pieces=..20"]),
                (["not quiet"], []), (["quiet and imbalance=..99"], ["not ply=20.. and phase=10.."])]
ABOUT_MOVES = [([], ["capture"]), (["capture"], []), ([], ["capture=0..", "in-check"]), (["capture=..-1"], []),
               (["promotion"], []), (["promotion=0.."], []), (["tactical=-100..100"], []), ([], ["tactical=0.."]),
               (["tactical=0..", "any-capture=..-200", "ply=2.."], ["in-check", "promotion"]),
               (["castling"], []), ([], ["castling"]), (["en-passant"], []), ([], ["capture and not en-passant"]),
               (["has=move and not capture=0.. and not promotion"], [])]
ABOUT_SCORES = [(["score=-500..500"], []), ([], ["score=0.."]), (["abs-score=..1000"], ["score=..-1"]),
                (["score=7"], []),
                ([], ["result=0.5"]), (["result=1.0"], []), (["result=0"], ["result=1/2"]),
                (["contradiction=..300"], []), ([], ["contradiction=1000.."]), ([], ["score=..-100 and result=1.0"]),
                (["has=score and has=result"], ["not score=-1000..1000 and result=0.5"])]


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
        for arguments, written in ([], b""), (["--count"], b"0\n"):
            result = run("filter", "--quiet", *arguments, stdin=nothing)
            assert (result.returncode, result.stdout) == (0, written)
            assert result.stderr == b"-: warning: no position was found in it\n"


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
        f"seebatch filter: --invert writes the complement of the whole selection: {met} left out because all conditions "
        f"are met; {len(records) - met - written} left out by --sample")
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


CHANCES = {  # and the probability of a record
    "chance=0.3": lambda r: 0.3,
    "chance-by-pieces=8:0,24:1": lambda r: min(1, max(0, (sum(map(str.isalpha, r.fen.split()[0])) - 8) / 16)),
    "chance-by-ply=10:0.1,50:0.5,100:1": lambda r: min(1, max(0.1, r.ply / 100)),
    "chance-of-result=nnue-pytorch": lambda r: chance_of_result(
        r, max(-2000, min(2000, 100 * r.score / 208)), min(240, r.ply) / 64,
        (-3.68389304, 30.07065921, -60.52878723, 149.53378557), (-2.0181857, 15.85685038, -29.83452023, 47.59078827)),
    "chance-of-result=viriformat": lambda r: chance_of_result(
        r, r.score, max(17, min(78, sum(dict(zip("pnbrq", (1, 3, 3, 5, 9))).get(c.lower(), 0) for c in r.fen.split()[0]))) / 58,
        (6.87155862, -39.65226391, 90.68460352, 170.66996364), (-7.19890710, 56.13947185, -139.91091183, 182.81007427)),
}


def chance_of_result(record, x, m, first, second):
    a, b = (sum(c * m ** (3 - i) for i, c in enumerate(each)) for each in (first, second))
    win, loss = (1 / (1 + math.exp((a - sign * x) / (1.5 * b))) for sign in (1, -1))
    return {2: win, 0: loss, 1: 1 - win - loss}[record.result]


def mix(number):
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def random_numbers(lines, start, seed):
    """What splitmix64 says of the byte in which each line begins: from 0 to 1."""
    gamma, places = 0x9E3779B97F4A7C15, itertools.accumulate(map(len, lines), initial=start)
    key = mix(mix((seed + gamma) % 2**64) ^ mix(gamma))
    return [(mix((place * gamma + key) % 2**64) >> 11) * 2.0**-53 for place, _ in zip(places, lines)]


def holds(condition, record, chance, number):
    """Of the chance of a result, White's lies below, Black's above, and that of a draw between them."""
    if "of-result" in condition:
        win, loss = (CHANCES[condition](replace(record, result=result)) for result in (2, 0))
        return record.result == (2 if number < win else 1 if number < 1 - loss else 0)
    return number < chance


@pytest.mark.parametrize("condition", CHANCES)
def test_the_same_chances_on_all_machines(condition):
    """A seed says which records are kept: here, or wherever else. The chances of the models are exact where they decide."""
    records = make_records(1500) * 20
    text = WRITERS["csv"](records)
    lines, of = text.splitlines(keepends=True), CHANCES[condition]
    numbers = random_numbers(lines[1:], len(lines[0]), 7)
    kept = well("filter", "--from", "csv", "--keep", condition, "--seed", "7", stdin=text).decode()
    assert kept == lines[0] + "".join(
        line for line, r, number in zip(lines[1:], records, numbers) if holds(condition, r, of(r), number))


@pytest.mark.parametrize("condition", CHANCES)
def test_chance(condition, tmp_path):
    """As many as expected within bounds, by the seed alone; those that cannot be, and those that must, are exact."""
    records = make_records(1500) * 10
    text, of = WRITERS["csv"](records), CHANCES[condition]
    lines, expected = text.splitlines(keepends=True)[1:], [of(r) for r in records]
    kept = {}
    for seed in (0, 1):
        same = {well("filter", "--from", "csv", "--keep", condition, "--seed", seed, "--threads", n, stdin=text) for n in (1, 3)}
        assert len(same) == 1
        kept[seed] = same.pop().decode().splitlines(keepends=True)[1:]
        rest = iter(kept[seed])
        next_line, inside = next(rest, None), []
        for line in lines:
            inside.append(line == next_line)
            next_line = next(rest, None) if inside[-1] else next_line
        assert next_line is None
        bound = 6 * sum(p * (1 - p) for p in expected) ** 0.5
        assert abs(len(kept[seed]) - sum(expected)) < bound
        if "of-result" not in condition:  # records that come again stand elsewhere, and have the same text
            assert not [r for r, p, i in zip(records, expected, inside) if i and p == 0]
    assert kept[0] != kept[1]
    (tmp_path / "a.csv").write_text(text)
    parts = b"".join(well("filter", "--keep", condition, "--part", f"{i}/4", tmp_path / "a.csv") for i in range(1, 5))
    assert parts.decode().splitlines(keepends=True)[1:] == kept[0]


def test_chances_are_independent():
    """Each condition draws anew, and --sample does."""
    text = "".join(f"{QUIET}\n" for _ in range(20000))
    for words in (["--keep", "chance=0.5", "--keep", "chance=0.5"], ["--keep", "chance=0.5 and chance=0.5"],
                  ["--keep", "chance=0.5", "--sample", "0.5"], ["--drop", "chance=0.5", "--drop", "not chance=0.5"],
                  ["--drop", "not chance=0.5 and not chance=0.5", "--sample", "0.3333333333"]):
        assert abs(int(well("filter", "--count", *words, stdin=text)) - 5000) < 6 * (20000 * 0.25 * 0.75) ** 0.5, words
    assert well("filter", "--count", "--keep", "chance=1", "--drop", "chance=0", stdin=text) == b"20000\n"


@pytest.mark.parametrize("condition, sentence", [
    ("chance", "chance: '' was given, expected a probability from 0 to 1"),
    ("chance=1.1", "chance: '1.1' was given"), ("chance=1e-3", "chance: '1e-3'"), ("chance=-0", "chance: '-0'"),
    ("chance=0.5.1", "chance: '0.5.1'"), ("chance=.", "chance: '.'"),
    ("chance-by-ply=1", "chance-by-ply: '1' was given, expected up to 33 points N:P with rising integers"),
    ("chance-by-ply=1:0,1:1", "'1:0,1:1'"), ("chance-by-ply=1:0,", "'1:0,'"), ("chance-by-ply=1:2", "'1:2'"),
    ("chance-by-pieces=-1:0", "'-1:0'"), ("chance-by-pieces=" + ",".join(f"{i}:0" for i in range(34)), "expected up to 33"),
    ("has=fen", "has: 'fen' was given, expected move, score, result or ply"), ("has", "has: '' was given"),
    ("chance-of-result=x", "'x' was given, expected nnue-pytorch or viriformat"),
    ("result=2", "result: '2' was given, expected 1.0, 0.5 or 0.0"), ("castling=1", "'castling' takes no range"),
    ("score=1 and", "a condition is expected here, where the text ends"),
    ("score=1 and ", "a condition is expected here, where the text ends"), ("ply=1 and what", "there is no condition 'what'"), (" and ".join(["ply=1"] * 129), "more than 128 terms were given"),
    ("x" * 70000, "is too long, expected at most 65536 bytes")])
def test_conditions_that_are_none(condition, sentence):
    for option in ("--keep", "--drop"):
        result = run("filter", option, condition, stdin=QUIET + "\n")
        assert (result.returncode, result.stdout) == (2, b"") and sentence in result.stderr.decode(), result.stderr


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
    assert one.returncode == 1 and len(one.stdout) > 1000 and b" times, up to line " in one.stderr
    for other in others:
        assert (other.stdout, other.stderr, other.returncode) == (one.stdout, one.stderr, one.returncode)
    slowly = subprocess.run(["sh", "-c", 'dd if="$0" bs=777 status=none | "$@"', path, TOOL, *arguments],
                            stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, env=environment())
    assert slowly.stdout == one.stdout


def test_bad_lines_are_numbered_across_blocks(tmp_path):
    lines = (lines_of("games.fen") * 20)[:30000]
    for i in (0, 5000, 12345, 29999):
        lines[i] = BAD.replace(" - ", f" x{i} ").replace(" x ", " w ")
    (tmp_path / "a.fen").write_text("\n".join(lines) + "\n")
    (tmp_path / "b.fen").write_text(BAD + "\n")
    result = run("filter", "--count", "--quiet", "a.fen", "b.fen", cwd=tmp_path)
    assert [":".join(row.split(":")[:2]) for row in result.stderr.decode().splitlines()] == [
        f"a.fen:{i}" for i in (1, 5001, 12346, 30000)] + ["b.fen:1"]
    assert result.stdout == b"29996\n"
