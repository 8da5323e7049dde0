"""seebatch.stats(): the report of the tool as a dictionary, and as a page in notebooks."""
import json
import os

import pytest

import seebatch as sb
from conftest import DATA

BINPACK = DATA / "formats/own.binpack"


def test_the_report_is_that_of_the_tool(tool):
    report = sb.stats(BINPACK, played=["swap", ("stockfish", (208, 781, 825, 1276, 2538))])
    said = tool("stats", "--format", "json", "--quiet", "--played", "swap", "--played", "stockfish:208,781,825,1276,2538", BINPACK)
    assert report == json.loads(said) and report.json.encode() == said
    assert str(report).encode() == tool("stats", "--quiet", "--played", "swap", "--played", "stockfish:208,781,825,1276,2538", BINPACK)


def test_a_dictionary_and_a_page():
    report = sb.stats(str(BINPACK))
    assert report["positions"] == 1558 and report["games"] == 24 and sum(report["results"].values()) == 1558
    assert repr(report) == f"<seebatch.Stats of {BINPACK}: 1558 positions>" and report.error_reports == []
    page = report._repr_html_()
    assert "<svg" in page and "own.binpack" in page and "<script" not in page and "<html" not in page
    assert [played["rules"] for played in sb.stats(BINPACK, rules="swap")["played"]] == ["swap"]
    exact = sb.stats(BINPACK, unique=True)
    assert exact["different"]["exact"] and exact["counts"] == report["counts"]
    assert sb.stats(DATA / "formats/own-marlin.bin", format="marlinformat", threads=1)["positions"] == 1000


def test_reports_and_parts_add_up(tmp_path):
    whole = sb.stats(BINPACK)
    parts = []
    for k in (1, 2):
        parts.append(tmp_path / f"{k}.json")
        parts[-1].write_text(sb.stats(BINPACK, part=(k, 2)).json)
    assert sb.stats(parts) == whole
    both = sb.stats([BINPACK, DATA / "formats/own.vf"])
    assert both["positions"] == 3116 and len(both["files"]) == 2
    (tmp_path / "other.json").write_text(sb.stats(BINPACK, rules="swap").json)
    with pytest.raises(sb.Error, match="different rules"):
        sb.stats([parts[0], tmp_path / "other.json"])
    parts[0].write_text("{}")
    with pytest.raises(sb.Error, match="1.json: its member 'version' is missing or wrong"):
        sb.stats(parts)


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        sb.stats(tmp_path / "none.fen")
    with pytest.raises(IsADirectoryError):
        sb.stats(tmp_path, format="fen")
    with pytest.raises(sb.Error, match="expected at least one"):
        sb.stats([])
    with pytest.raises(sb.Error, match="either files of positions or reports"):
        sb.stats([BINPACK, "a.json"])
    with pytest.raises(sb.Error, match="have been counted already"):
        sb.stats("a.json", rules="swap")
    with pytest.raises(sb.Error, match="played has 8 rule sets, expected at most 7"):
        sb.stats(BINPACK, played=["swap"] * 8)
    with pytest.raises(sb.Error, match="swp"):
        sb.stats(BINPACK, played=["swp"])
    with pytest.raises(sb.Error, match=r"part is \(3, 2\)"):
        sb.stats(BINPACK, part=(3, 2))
    with pytest.raises(TypeError, match="path is "):
        sb.stats([1])
    with pytest.raises(ValueError, match="null"):
        sb.stats("a\0b.fen")


def test_bad_records_are_told(tmp_path):
    path = tmp_path / "bad.fen"
    path.write_text("4k3/8/8/8/8/8/8/4K3 w - - 0 1\nno position\n")
    with pytest.warns(UserWarning, match="bad.fen:2: "):
        report = sb.stats(path)
    assert report["positions"] == 1 and report["reading"]["bad"] == 1 and len(report.error_reports) == 1
    with pytest.raises(sb.Error, match="bad.fen:2: "):
        sb.stats(path, strict=True)
    cut = tmp_path / "cut.binpack"
    cut.write_bytes(BINPACK.read_bytes()[:-500])
    with pytest.warns(UserWarning, match="cut.binpack: "):
        assert sb.stats(cut)["reading"]["damaged"]


def test_progress_can_end_it():
    seen = []
    sb.stats(BINPACK, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == 2 * (os.path.getsize(BINPACK),)

    def refuse(done, total):
        raise KeyError("enough")
    with pytest.raises(KeyError):
        sb.stats(BINPACK, progress=refuse)
