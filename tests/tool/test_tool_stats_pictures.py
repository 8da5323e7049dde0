"""The charts and the page of seebatch stats: what a person would miss if it were cut off, hidden, or not said."""
import html
import random
import re
from xml.etree import ElementTree

import pytest

from chess_support import Row
from formats_support import as_table
from pipeline_support import SEED, lines_of, well

SVG = "{http://www.w3.org/2000/svg}"
LONG = "lichess and self-play of the network of November, filtered twice, shuffled, without checks, part "


def rows_of(n, outcome, seed=SEED):
    """n positions with the scores and results that a function makes of chance."""
    chance = random.Random(seed)
    fens = lines_of("games.fen")
    return [Row(chance.choice(fens), None, *outcome(chance), i % 200) for i in range(n)]


def of_a_scale(chance):
    """A score, and a result that rises with it as with an eval scale of 250; without draws."""
    score = round(chance.gauss(0, 900))
    return score, 2 * (chance.random() < 1 / (1 + 10 ** (-score / 250 / 2.302585)))


def write(folder, name, rows):
    path = folder / name
    path.write_text(as_table(rows, notes=False))
    return path


def picture(folder, *arguments):
    well("stats", "--quiet", "--svg", folder / "x.svg", *arguments)
    return ElementTree.parse(folder / "x.svg").getroot()


def texts(node, x=0, y=0, size=11):
    """(x, y, size, anchor, text) of each text, where it stands in the picture."""
    moved = re.fullmatch(r"translate\((\d+) (\d+)\)", node.get("transform", ""))
    x, y = (x + int(moved[1]), y + int(moved[2])) if moved else (x, y)
    size = float(node.get("font-size", size))
    if node.tag == SVG + "text":
        yield x + float(node.get("x")), y + float(node.get("y")), size, node.get("text-anchor"), node.text or ""
    for child in node:
        yield from texts(child, x, y, size)


def ends(text):
    """Where a text begins and ends, if its letters are as wide as those of common fonts."""
    x, _, size, anchor, words = text
    width = 0.56 * size * len(words)
    begin = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * width
    return begin, begin + width


def charts(root):
    return {group.get("id"): group for group in root.iter(SVG + "g") if group.get("id")}


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_nothing_is_cut_off(tmp_path, n):
    """Every text lies within the picture and its own column, with names of files that are longer than a column."""
    files = [write(tmp_path, f"{LONG}{i}.csv", rows_of(300, of_a_scale, i)) for i in range(n)]
    root = picture(tmp_path, *(["--by-file"] if n > 1 else []), *files)
    left, top, width, height = map(float, root.get("viewBox").split())
    all_texts = list(texts(root))
    assert len(all_texts) > 100 * n
    for text in all_texts:
        begin, end = ends(text)
        assert left <= begin and end <= left + width and top + text[2] <= text[1] <= top + height, text
        if n > 1:
            column = width / n
            assert int(begin // column) == int((end - 1) // column), text
    for i in range(n):  # what tells the files apart is there, and all of the name is in the title
        assert any(text[4].endswith(f"part {i}.csv") and text[1] < 48 for text in all_texts)
        assert any(title.text.endswith(f"/{LONG}{i}.csv") for title in root.iter(SVG + "title") if title.text)


def figures(page):
    """(the caption of the figure or None, the word for its chart)"""
    return [(html.unescape(caption) if caption else None, name) for caption, name in
            re.findall(r'<figure>(?:<figcaption>(.*?)</figcaption>)?<svg role="img" aria-label="([^"]*)"', page)]


def test_each_chart_of_several_files_names_its_file(tmp_path):
    """Because on a phone they stand below one another; and on a desk each stays in the column of its file."""
    scored = write(tmp_path, "scored & <old>.csv", rows_of(300, of_a_scale))
    bare = write(tmp_path, "bare.csv", rows_of(300, lambda chance: (None, None)))
    page = tmp_path / "x.html"
    well("stats", "--quiet", "--by-file", "--html", page, bare, scored)
    shown = page.read_text()
    found = figures(shown)
    assert {name for caption, name in found if caption == str(scored)} >= {"scores", "calibration", "pieces"}
    assert {name for caption, name in found if caption == str(bare)} >= {"pieces", "phases", "values"}
    assert "scores" not in {name for caption, name in found if caption == str(bare)} and None not in dict(found)
    rows = shown.split('<div class="charts beside">')[1:]
    for row in rows:
        places = re.findall(r"<figure><figcaption>(.*?)</figcaption>|<div></div>", row.split("\n</div>")[0])
        assert len(places) == 2 and places[0] in (str(bare), "") and html.unescape(places[1]) in (str(scored), ""), row[:300]
        assert any(places)
    well("stats", "--quiet", "--html", page, scored)
    assert figures(page.read_text()) and {caption for caption, _ in figures(page.read_text())} == {None}


def test_scores_are_shown_up_to_1500(tmp_path):
    """A few far scores, such as those of mates, do not push the others into one bar."""
    def outcome(chance):
        return chance.choice([31000, -31000, 20000, -1501, 1501]) if chance.random() < 0.3 else round(chance.gauss(0, 200)), 1
    groups = charts(picture(tmp_path, write(tmp_path, "far.csv", rows_of(3000, outcome))))
    bars = [list(map(int, re.findall(r"-?\d+", title.text.split(":")[0]))) for title in groups["scores0"].iter(SVG + "title")]
    assert len(bars) > 10 and all(-1500 <= edge <= 1500 + 100 for bar in bars for edge in bar)
    assert any("to ±1500" in text[4] for text in texts(groups["scores0"]))
    axis = [int(text[4]) for text in texts(groups["calibration0"]) if re.fullmatch(r"-?\d+", text[4])]
    assert min(axis) == -1500 and max(axis) == 1500 and 0 in axis


def report(*arguments):
    return " ".join(well("stats", "--quiet", *arguments).decode().split())


def test_a_scale_without_evidence_is_none(tmp_path):
    """Results that do not depend on scores have no best scale, in words, and no curve of one."""
    none = write(tmp_path, "none.csv", rows_of(2000, lambda chance: (round(chance.gauss(0, 300)), chance.choice([0, 1, 2]))))
    words = report(none)
    assert "best eval scale none: the results do not clearly rise with the scores" in words and "scale 1e" not in words
    shown = " ".join(text[4] for text in texts(picture(tmp_path, none)))
    assert "the records, 64 scores to a point" in shown and "best eval scale" not in shown and "offset " in shown
    clear = write(tmp_path, "clear.csv", rows_of(2000, of_a_scale))
    assert "best eval scale: " in " ".join(text[4] for text in texts(picture(tmp_path, clear)))
    assert "none: the results" not in report(clear)


@pytest.mark.parametrize("n", [150, 400, 4000])
def test_a_scale_has_the_digits_that_its_error_leaves(tmp_path, n):
    """Both numbers have as many digits after the point, and the error has one or two that count."""
    path = write(tmp_path, "x.csv", rows_of(n, of_a_scale))
    for sign, words in (("+/-", report(path)), ("±", " ".join(text[4] for text in texts(picture(tmp_path, path))))):
        scale, error = re.search(rf"best eval scale:? ([\d.]+) {re.escape(sign)} ([\d.]+)", words).groups()
        assert len(scale.partition(".")[2]) == len(error.partition(".")[2])
        assert float(error) > 0 and (len(error.replace(".", "").lstrip("0")) == 1 if "." in error else float(error) >= 1), error
        assert abs(float(scale) - 250) < 5 * float(error)


def test_what_has_nothing_to_show_is_left_out(tmp_path):
    """One record has no curves, and is one; files without scores have no charts of them."""
    one = write(tmp_path, "one.csv", rows_of(1, lambda chance: (37, 2)))
    groups = charts(picture(tmp_path, one))
    assert {"results0", "scores0", "pieces0"} <= set(groups) and not {"calibration0", "calibration-by-phase0", "wdl0"} & set(groups)
    shown = " ".join(text[4] for group in groups.values() for text in texts(group))
    assert "% of 1 record with a result" in shown and not re.search(r"\b1 (records|positions)\b", shown)
    page = tmp_path / "x.html"
    well("stats", "--quiet", "--html", page, one)
    assert ", 1 position</p>" in page.read_text()
    bare = charts(picture(tmp_path, write(tmp_path, "bare.csv", rows_of(300, lambda chance: (None, None)))))
    assert "pieces0" in bare and not {"results0", "scores0", "calibration0", "wdl0", "moves0", "played0"} & set(bare)
