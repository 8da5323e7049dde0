"""Records of text are read many at a time, where they have the usual form, and otherwise one by one. Both ways give the same
records and the same errors: lines with a blank one before each are all read one by one, but for those of fen. And what
is computed from them stays the same from format to format."""
import random
import re

import pytest

from formats_support import FORMATS, WRITERS, encode_plain
from pipeline_support import make_records, run, times, well

FORMS = ("csv", "tsv", "plain", "scored", "epd", "fen")
JUNK = "\t \",;|#\r\0-+.09aeKQw/\x80"


@pytest.fixture(scope="module")
def every_row():
    """Of all positions of games.fen and random.fen that have a legal move."""
    return [row for row in make_records(100000, seed=3) if row.ply is not None and row.move]


@pytest.fixture(scope="module")
def rows(every_row):
    return every_row[:800]


@pytest.fixture(scope="module")
def expected_values(every_row):
    return annotated(encode_plain(every_row), "plain")


def spread(lines):
    """A blank line behind each; line n becomes line 2n - 1."""
    return [each for line in lines for each in (line, "\n")]


def damaged(lines, chance, first, one_of):
    """Most lines as they are, some with other characters, cells or ends: seven out of so many."""
    lines = list(lines)
    for i in range(first, len(lines)):
        line, at = lines[i], chance.randrange(len(lines[i]))
        kind = chance.randrange(one_of)
        if kind < 2:
            lines[i] = line[:at] + chance.choice(JUNK) + line[at:]
        elif kind == 2:
            lines[i] = line[:at] + line[at + 1:]
        elif kind == 3:
            lines[i] = line[:at] + chance.choice(JUNK) + line[at + 1:]
        elif kind == 4:
            lines[i] = line[:-1] + "\r\n"
        elif kind == 5:
            lines[i] = line[:at] + "\n"
        elif kind == 6:
            lines[i] = chance.choice(["", line, "  " + line, "# " + line])
    return [line if line.endswith("\n") else line + "\n" for line in lines]


def outcome(form, lines, more, scale=1):
    """Records, and errors with the numbers of lines as they are before lines are spread."""
    result = run("filter", "--quiet", "--from", form, "--to", "jsonl", "--lose", "all", "--threads", 1, *more,
                 stdin="".join(lines).encode(errors="surrogateescape"))
    told = re.sub(rb"(^-:|\b(?:of|to) line )(\d+)", lambda found: b"%s%d" % (found[1], (int(found[2]) + scale - 1) // scale),
                  result.stderr, flags=re.M)
    return result.returncode, result.stdout, re.sub(rb"\d+ lines?|bytes? \d+|\d+ bytes", b"", told)


@pytest.mark.parametrize("form, more", [(form, more) for form in FORMS for more in ([], ["--strict"], ["--score-scale", "100"])
                                        if more != ["--score-scale", "100"] or form in ("csv", "tsv", "scored")])
def test_both_ways_are_one(form, more, rows):
    chance, read, reported = random.Random(form), 0, 0
    text = (encode_plain(rows).decode() if form == "plain" else WRITERS[form](rows, notes=False)).splitlines(keepends=True)
    tries = times(40)
    for _ in range(tries):
        first = 1 if form in ("csv", "tsv") else 0
        begin = chance.randrange(first, max(first + 1, len(text) - 400))
        some = damaged(text[:first] + text[begin:begin + chance.choice([40, 400])], chance, first,
                       150 if form == "plain" else 40)
        one, other = outcome(form, some, more), outcome(form, spread(some), more, scale=2)
        assert one == other
        read, reported = read + one[1].count(b"\n"), reported + one[2].count(b"\n")
    assert read > tries and reported > tries // 2


@pytest.mark.parametrize("form", FORMS)
def test_whole_files_are_the_same(form, rows):
    """Good ones, of more records than are read at a time, with the ends of lines of either kind."""
    lines = FORMATS[form].encode(5 * rows).decode().splitlines(keepends=True)
    expected = outcome(form, lines, [])
    assert expected[0] == 0 and expected[1].count(b"\n") == 5 * len(rows)
    assert outcome(form, spread(lines), [], scale=2) == expected
    assert outcome(form, [line[:-1] + "\r\n" for line in lines], []) == expected


COLUMNS = ["best_capture", "best_value", "winning", "equal", "losing", "hanging_white", "hanging_black"]


def annotated(data, form):
    """What annotate adds to each record."""
    names, *lines = (line.split("\t") for line in well("annotate", "--from", form, "--to", "tsv", "--lose", "all", "--columns",
                                                       ",".join(COLUMNS), stdin=data).decode().splitlines())
    assert names[-len(COLUMNS):] == COLUMNS
    return [line[-len(COLUMNS):] for line in lines]


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"bulletformat"}))
def test_values_stay_through_every_format(form, every_row, expected_values):
    """Converted to a format, and back. bulletformat has no place for all that an exchange depends on."""
    converted = well("convert", "--from", "plain", "--to", form, "--lose", "all", stdin=encode_plain(every_row))
    assert annotated(converted, form) == expected_values and len(every_row) > 2000
    back = well("convert", "--from", form, "--to", "csv", "--lose", "all", stdin=converted)
    assert annotated(back, "csv") == expected_values
