"""seebatch annotate and stats: columns and histograms, against values asked for one by one."""
import json
import xml.etree.ElementTree as xml
from collections import Counter

import pytest

from formats_support import RESULTS, WRITERS, data_lines
from pipeline_support import QUIET, ROOK_TAKES_PAWN, evaluate, fails, make_records, run, well

COLUMNS = ["best_capture", "best_value", "winning", "equal", "losing", "hanging_white", "hanging_black"]


@pytest.fixture(scope="module")
def records():
    return make_records(600)


def cells(data):
    return [line.split("\t") for line in data.decode().splitlines()]


def expected_rows(records, rules="legal"):
    """The columns as they should be, as text: from `eval` and `map` of the scalar kernel."""
    fens = [r.fen for r in records]
    values, hanging = evaluate(fens, rules=rules), Counter()
    arguments = ["map", "--kernel", "scalar", "--rules", rules, "--format", "tsv"]
    for fen, side, _, value in cells(run(*arguments, stdin="".join(fen + "\n" for fen in values)).stdout):
        hanging[fen, side] += int(value)
    rows = []
    for fen in fens:
        captures = values[fen]
        best = min(captures, key=lambda move: (-captures[move], move), default="")
        signs = Counter((v > 0) - (v < 0) for v in captures.values())
        numbers = [captures.get(best, ""), signs[1], signs[0], signs[-1], hanging[fen, "b"],
                   hanging[fen, "w"]]  # what the other side gains
        rows.append([best, *map(str, numbers)])
    return rows


@pytest.mark.parametrize("rules", ["legal", "swap"])
def test_columns(records, rules):
    rows = expected_rows(records, rules)
    assert len({tuple(row) for row in rows}) > 100
    assert cells(well("annotate", "--rules", rules, stdin=WRITERS["fen"](records))) == [
        ["fen", "move"] + COLUMNS, *([r.fen, r.move] + row for r, row in zip(records, rows))]


@pytest.mark.parametrize("fen, rules, expected", [
    # exd5 wins a knight; Black's bishop would win the rook on a1, his knight nothing
    ("4k3/8/8/3n4/4P3/8/1b6/R3K3 w Q - 0 1", "legal", {
        "best_capture": "e4d5", "best_value": "325", "winning": "1", "equal": "0", "losing": "0",
        "hanging_white": "500", "hanging_black": "325"}),
    # a pawn that takes a knight and becomes a queen, which is worth more than 999; the rook behind it protects it
    ("1n5k/2P5/8/8/8/8/8/1R4K1 w - - 0 1", "legal", {
        "best_capture": "c7b8q", "best_value": "1225", "winning": "5", "equal": "0", "losing": "0",
        "hanging_white": "0", "hanging_black": "1225"}),
    # two captures that promote, four ways each, and one en passant: captures that pass are counted apart
    ("1n1n3k/2P5/8/3pP3/8/8/8/6K1 w - d6", "plentychess", {
        "best_capture": "", "best_value": "", "winning": "0", "equal": "0", "losing": "0", "passing": "9",
        "hanging_white": "0", "hanging_black": "650"})])
def test_by_hand(fen, rules, expected):
    assert dict(zip(*cells(well("annotate", "--rules", rules, stdin=fen + "\n")))) == {"fen": fen, "move": "",
                                                                                       **expected}
    if "passing" in expected:
        rows = cells(well("stats", "--rules", rules, "--format", "tsv", stdin=fen + "\n"))
        assert [row for row in rows if row[0] == "values"] == [["values", "passing", "passing", "9"]] and ["depths",
                                                                                                           "0", "0",
                                                                                                           "9"] in rows


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "scored"])
def test_what_was_there_is_kept(records, form):
    some = records[:100]
    rows = expected_rows(some)
    header, lines = data_lines(WRITERS[form](some), form)
    out = well("annotate", "--from", form, stdin="".join(header + lines)).decode().splitlines()
    separator = "," if form == "csv" else "\t"
    if form == "jsonl":
        for given, line, row in zip(lines, out, rows):
            added = {name: (cell if name == "best_capture" else int(cell)) if cell else None for name,
                     cell in zip(COLUMNS, row)}
            assert line.startswith(given.rstrip("\n}")) and json.loads(line) == {**json.loads(given), **added}
        return
    if form == "scored":
        header, lines = ["fen\tscore\tresult"], [f"{r.fen}\t{r.score}\t{RESULTS[r.result]}" for r in some]
    assert out == [separator.join([given.rstrip("\n"), *row]) for given, row in zip(header + lines, [COLUMNS, *rows])]


@pytest.mark.parametrize("form, columns, text, expected", [
    ("fen", "losing,best_value", ROOK_TAKES_PAWN + "\n",
     f"fen\tmove\tlosing\tbest_value\n{ROOK_TAKES_PAWN}\t\t0\t100\n"),
    ("csv", "winning", f"fen,losing\n{QUIET},1\n", f"fen,losing,winning\n{QUIET},1,0\n"),
    ("csv", "winning", f"fen\r\n{QUIET}\r\n",
     f"fen,winning\n{QUIET},0\n")])  # carriage returns stand behind the columns
def test_chosen_columns(form, columns, text, expected):
    assert well("annotate", "--from", form, "--columns", columns, stdin=text).decode() == expected


@pytest.mark.parametrize("form, text, sentence", [("csv", f"fen,losing\n{QUIET},1\n", "already has a column 'losing'"),
                                                  ("jsonl", '{"fen": "%s", "losing": 1}\n' % QUIET,
                                                   "already has a member 'losing'")])
def test_columns_that_are_there_already(form, text, sentence):
    fails(1, run("annotate", "--from", form, stdin=text), sentence)


@pytest.mark.parametrize("command",
                         [["annotate"], ["stats", "--format", "tsv", "--against", "swap"],
                          ["stats", "--format", "json"], ["stats", "--format", "text"], ["stats"]])
def test_bytes_do_not_depend_on_threads(records, command):
    text = WRITERS["fen"](records) * 20
    outputs = {well(*command, "--threads", n, stdin=text) for n in (1, 2, 3, 4)}
    assert len(outputs) == 1 and len(outputs.pop()) > 100


# ---- stats ----------------------------------------------------------------------------------------------------------


def histograms(*arguments, stdin):
    rows = [row.split("\t") for row in well("stats", "--format", "tsv", *arguments, stdin=stdin).decode().splitlines()]
    assert rows[0] == ["histogram", "from", "to", "count"]
    found = {}
    for name, first, last, count in rows[1:]:
        found.setdefault(name, {})[first, last] = int(count)
    return found


@pytest.mark.parametrize("bin_size", [1, 7, 100, 12001])
def test_histograms_of_values(records, bin_size):
    values = evaluate([r.fen for r in records], rules="swap")
    found = histograms("--rules", "swap", "--bin", str(bin_size), stdin=WRITERS["fen"](records))
    counts = Counter(value // bin_size * bin_size for of_position in values.values() for value in of_position.values())
    bars = range(min(counts), max(counts) + 1, bin_size)  # none is left out between
    assert found["values"] == {(str(bar), str(bar + bin_size - 1)): counts[bar] for bar in bars}
    assert {int(first): n for (first, _), n in found["captures"].items() if n} == Counter(map(len, values.values()))
    assert sum(found["depths"].values()) == sum(counts.values())


# The white king takes a piece that nobody guards, or a white piece takes a pawn that a pawn guards.
WINS = {piece: f"7k/8/8/8/8/8/4{piece}3/4K3 w - - 0 1" for piece in "nbrq"}
LOSES = {"n": "7k/8/4p3/3p4/8/4N3/8/K7 w - - 0 1", "b": "7k/8/4p3/3p4/8/1B6/8/K7 w - - 0 1",
         "r": "7k/8/4p3/3p4/8/3R4/8/K7 w - - 0 1", "q": "7k/8/4p3/3p4/8/3Q4/8/K7 w - - 0 1"}


@pytest.mark.parametrize("width", [1, 2, 7, 49, 50, 51, 52, 99, 100, 101, 137, 1000, 1499])
@pytest.mark.parametrize("first_and_last", [True, False])
def test_values_on_the_edges_of_bars(width, first_and_last):
    """Values that are the first and the last of a bar, and their neighbours: pawns are worth nothing, so that a capture of
    a piece wins its value and the loss of one loses it. Each value has another count."""
    worth = [width - 1, width, 2 * width - 1, 2 * width] if first_and_last else [1, width + 1, 2 * width, 2 * width + 1]
    lines, counts = "", Counter()
    for i, (piece, value) in enumerate(zip("nbrq", worth)):
        for fen, result, n in ((WINS[piece], value, i + 1), (LOSES[piece], -value, i + 6)):
            lines += (fen + "\n") * n
            counts[result // width * width] += n
    found = histograms("--rules", "swap", "--values", ",".join(map(str, [0] + worth)), "--bin", str(width), stdin=lines)
    bars = range(min(counts), max(counts) + 1, width)
    assert found["values"] == {(str(bar), str(bar + width - 1)): counts[bar] for bar in bars}


@pytest.mark.parametrize("width", [1, 50, 51, 100, 3000, 5999, 6000, 6001, 12001])
def test_the_highest_value_has_a_bar(width):
    """A pawn without worth takes a piece and becomes one: twice 3000, the end of the scale."""
    found = histograms("--rules", "promotions", "--values", "0,3000,3000,3000,3000", "--bin", str(width),
                       stdin="q7/1P6/8/8/8/8/7k/K7 w - - 0 1\n")
    bar = 6000 // width * width
    assert found["values"] == {(str(bar), str(bar + width - 1)): 4}


@pytest.mark.parametrize("fen, depth", [
    (ROOK_TAKES_PAWN, "1"), ("8/8/8/3k4/4p3/8/8/1K2R3 w - -", "2"), ("4k3/8/4p3/3n4/4P3/8/8/4K3 w - -", "2"),
    ("8/8/8/3k4/4p3/8/4R3/1K2R3 w - -", "1")])  # the king may not recapture, because another rook stands behind
def test_depths_by_hand(fen, depth):
    assert histograms("--rules", "swap", stdin=fen + "\n")["depths"] == {(depth, depth): 1}


def test_causes(records):
    plain = "".join(r.fen + "\n" for r in records) * 3
    found = histograms("--rules", "swap", "--against", "legal", stdin=plain)["causes"]
    report = json.loads(run("compare", "--rules", "swap", "--rules", "legal", "--format", "json", stdin=plain).stdout)
    expected = {cause["cause"]: cause["value"] for cause in report["causes"]}
    assert {name: n for (name, _), n in found.items() if name != "none" and n} == {k: v for k,
                                                                                   v in expected.items() if v}
    assert found["none", "none"] == report["moves"] - sum(expected.values())
    assert sum(expected.values()) > 0


def test_json_and_text(records):
    text = WRITERS["fen"](records)
    rows = histograms(stdin=text)
    report = json.loads(well("stats", "--format", "json", stdin=text))
    assert report["rules"] == "legal" and report["positions"] == len(records)
    for name in rows:
        assert {(str(bar["from"]), str(bar["to"])): bar["count"] for bar in report[name]} == rows[name]
    assert report["total_captures"] == sum(rows["values"].values())
    shown = well("stats", "--format", "text", stdin=text).decode()
    assert f"captures by value: {report['total_captures']}\n" in shown
    for (first, last), n in rows["values"].items():
        assert any(line.split()[:4] == [first, "to", last, str(n)] for line in shown.splitlines())


@pytest.mark.parametrize("stdin", ["", QUIET + "\n"])
def test_nothing_to_count(stdin, tmp_path):
    path = tmp_path / "a.svg"
    for arguments in (("--svg", path), ("--format", "json")):
        result = run("stats", "--quiet", *arguments, stdin=stdin)
        assert result.returncode == (1 if stdin == "" else 0)
        assert result.stderr == (b"" if stdin else b"-: warning: no position was found in it\n")
    assert json.loads(result.stdout)["total_captures"] == 0
    xml.parse(path)


def test_picture(records, tmp_path):
    path = tmp_path / "a.svg"
    rows = histograms("--against", "swap", "--svg", path, stdin=WRITERS["fen"](records))
    root, space = xml.parse(path).getroot(), "{http://www.w3.org/2000/svg}"
    groups = [group for name in rows for group in root.iter(space + "g") if group.get("id") == f"{name}0"]
    assert len(groups) == len(rows) == 4
    bars = [rect for group in groups for rect in group.iter(space + "rect") if rect.find(space + "title") is not None]
    expected = []
    for name in rows:
        for (first, last), n in rows[name].items():
            label = first if first == last else f"{first} to {last}"
            expected.append(f"{label}: {n} ({100 * n / sum(rows[name].values()):.2f}%)")
    assert [rect.find(space + "title").text for rect in bars] == expected
    for rect in bars:
        for begin, length in (("x", "width"), ("y", "height")):
            assert 0 <= float(rect.get(begin)) and float(rect.get(begin)) + float(rect.get(length)) <= float(root.get(length))
    # as high as they should be, against each other
    counts = list(rows["captures"].values())
    heights = [float(rect.get("height")) for rect in bars[:len(counts)]]
    assert all(abs(h * max(counts) - n * max(heights)) < max(counts) for h, n in zip(heights, counts))
