"""Conversions between all formats by filter, annotate and convert: what the target can hold is carried over, and what it
has no place for is named before it is lost."""
import csv
import io
import json
import re
from itertools import product

import pytest

from chess_support import Row
from formats_support import (FORMATS, WRITERS, decode_plain, encode_bullet, encode_marlin, encode_plain, games_of,
                             held, read_games, rows_of_tsv, sample)
from pipeline_support import QUIET, fails, run, says, well

FEN = "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1"
TABLES = ["csv", "tsv"]
COMMANDS = {"filter": [], "convert": [], "annotate": ["--columns", "winning"]}
TURNED = {"side": "side to move", "castling": "castling rights", "en-passant": "en passant square",
          "clock": "halfmove clock",
          "number": "move number"}


def table(form, *rows):
    """A table as the tool reads it, written by Python."""
    if form == "tsv":
        return "".join("\t".join(row) + "\n" for row in rows)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def rows_of(form, data):
    if form == "tsv":
        return [line.split("\t") for line in data.decode().split("\n")[:-1]]
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def lines(*objects):
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def refused(result, place, lost, option, output=None):
    """Asserts that something would be lost: where (None: anywhere), what, and the option that allows it."""
    assert result.returncode == 2, result.stderr
    said = re.fullmatch(r"(?:seebatch \w+: )?(.*): ([^:]*) would be lost, because .* has no place for (it|them), expected --lose (.*)",
                        result.stderr.decode().splitlines()[0])
    assert said and said.groups() == (said[1] if place is None else str(place), lost, "them" if lost.endswith("s") or
                                      " and " in lost else "it", option), result.stderr
    assert output is None or not output.exists()


# ---- From every format to every other --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    """The first games of the sample, whose plies are those of the move numbers."""
    return decode_plain(sample("plain"))[:300]


@pytest.mark.parametrize("source, target", list(product(sorted(FORMATS), repeat=2)))
def test_every_pair(rows, source, target, tmp_path):
    data, output = FORMATS[source].encode(rows), tmp_path / "out"
    arguments = ["convert", "--quiet", "--from", source, "--to", target, "--output", output]
    has = FORMATS[source].holds | ({"ply"} if source != "bulletformat" else set())
    if source != target and FORMATS[target].needs and FORMATS[target].holds - has:
        for more in ([], ["--lose", "all"]):
            fails(2, run(*arguments, *more, stdin=data), f"the format {source} has no ")
        assert not output.exists()
        return
    # Of the ply nothing is lost here where the number of the move tells it, as it does in all but bulletformat.
    fields = [name for name in ("move", "score", "result") if name in FORMATS[source].holds - FORMATS[target].holds]
    if source == "epd" and target in WRITERS:  # score and result stand in the text of the position
        fields = [name for name in fields if name == "move"]
    fields += ["ply"] if "ply" in FORMATS[source].holds and target == "bulletformat" else []
    names = {} if source == target else {**dict(zip(fields, fields)), **(TURNED if target == "bulletformat" else {})}
    # What every record has is named at once, what a record of JSON or a move behind a FEN only when it comes.
    asked, result = [], run(*arguments, stdin=data)
    while result.returncode == 2 and len(asked) <= len(names):
        new = result.stderr.decode().splitlines()[0].partition(" --lose ")[2].split(",")
        *but_last, last = [names[option] for option in new]
        refused(result, None, (", ".join(but_last) + " and " if but_last else "") + last, ",".join(new), output)
        assert result.stdout == b""
        asked += new
        result = run(*arguments, "--lose", ",".join(asked), stdin=data)
    assert (result.returncode, result.stderr, sorted(asked)) == (0, b"", sorted(names))
    for left_out in names:
        few = [option for option in names if option != left_out] or ["other"]
        assert run(*arguments[:-1], tmp_path / "again", "--lose", ",".join(few), stdin=data).returncode == 2
    converted = output.read_bytes()
    found = rows_of_tsv(well("filter", "--from", target, "--to", "tsv", stdin=converted))
    assert [(r.fen, r.move, r.score, r.result) for r in found] == \
        [(r.fen, r.move, r.score, r.result) for r in held(rows, source, target)]
    if source == target or (target in ("marlinformat", "viriformat", "plain",
                                       "bulletformat") and source != "bulletformat"):
        assert converted == FORMATS[target].encode(rows)


def test_formats_by_names(tmp_path):
    games = tmp_path / "a.vf"
    games.write_bytes(sample("viriformat"))
    assert well("convert", games, "--output", tmp_path / "a.plain.gz") == b""
    assert well("convert", tmp_path / "a.plain.gz", "--to", "viriformat") == games.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.plain.gz", "a.vf"]
    for arguments in ([], ["--output", tmp_path / "b"]):
        says(2, run("convert", games, *arguments), "no format to convert to was given")
    says(2, run("convert", games, "--output", tmp_path / "b.bin"),
         "files that end with 'bin' may have several formats, expected --to with one of fen, scored")
    for command, word in (("convert", "names"), ("filter", "note"), ("annotate", "note")):
        says(2, run(command, games, "--to", "plain", "--lose", word),
             f"--lose: '{word}' is not something that can be lost, expected one of move, score")


def test_boards_seen_by_black():
    """What bulletformat holds of a position with Black to move is written as one with White to move."""
    row = Row("r3k3/8/8/8/4Pp2/8/8/4K3 b q e3 4 9", None, 100, 2)
    data = well("convert", "--from", "marlin", "--to", "bullet", "--lose", "all", stdin=encode_marlin(row))
    assert well("convert", "--from", "bullet", "--to", "scored",
                stdin=data) == b"4k3/8/8/4pP2/8/8/8/R3K3 w - - 0 1 | -100 | 0.0\n"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_records_that_cannot_be_written(command):
    """A position that the output cannot hold is left out and named; with --strict it is the end."""
    for source, text in (("fen", QUIET.encode() + b' id "\xff";\n' + QUIET.encode() + b"\n"),
                         ("csv", b"fen,a\n" + FEN.encode() + b",\xff\n"),
                         ("csv", b"fen,\xff\n" + FEN.encode() + b",a\n")):
        for options in [], ["--strict"]:
            result = run(command, "--from", source, "--to", "jsonl", *options, stdin=text)
            says(1, result, "-:1: the position" if source == "fen" else "-:2: a column",
                 " is not valid UTF-8, as JSON needs")
            assert result.stdout.count(b"\n") == (source == "fen" and not options)


# ---- Columns that are carried over -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("source, target", [("csv", "tsv"), ("tsv", "csv"), ("csv", "jsonl"), ("tsv", "jsonl")])
def test_columns_of_a_table(command, source, target):
    """Names, order and values stay; the known columns too stay where they are."""
    added = ["winning"] if command == "annotate" else []
    header = ["id", "Position", "no, quote", "MOVE", 'a "b"', "empty"]
    names = ["id", "fen", "no, quote", "move", 'a "b"', "empty"]
    rows = [["007", FEN, "1.50", "c3d5", 'x, "y"', ""], ["8", FEN, "", "", "é", ""]]
    out = well(command, *COMMANDS[command], "--from", source, "--to", target, stdin=table(source, header, *rows))
    if target == "jsonl":
        made = [json.loads(line, object_pairs_hook=list) for line in out.decode().splitlines()]
        expected = [[(name, cell) for name, cell in zip(names, row) if name != "move" or cell] for row in rows]
        assert made == [row + [(name, 1) for name in added] for row in expected]
        return
    assert rows_of(target, out) == [names + added] + [row + ["1"] * len(added) for row in rows]
    if not added:
        assert well(command, "--from", target, "--to", source, stdin=out).decode() == table(source, names, *rows)


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("target", TABLES)
def test_members_of_objects(command, target):
    """The known columns, then the members of the first object; values of any kind, and members that are missing."""
    objects = [{"id": 7, "position": FEN, "note": 'a "b", c', "list": [1, {"x": None}], "yes": True, "none": None},
               {"fen": FEN, "yes": "no", "id": 2.50}]
    out = rows_of(target, well(command, *COMMANDS[command], "--from", "jsonl", "--to", target, stdin=lines(*objects)))
    added = ["winning"] if command == "annotate" else []
    assert out == [["fen", "move", "score", "result", "ply", "id", "note", "list", "yes", "none"] + added,
                   [FEN, "", "", "", "", "7", 'a "b", c', '[1, {"x": null}]', "true", ""] + ["1"] * len(added),
                   [FEN, "", "", "", "", "2.5", "", "", "no", ""] + ["1"] * len(added)]


@pytest.mark.parametrize("target", TABLES)
def test_texts_that_would_end_a_line_or_a_cell(target):
    """They stand as strings of JSON, in names and in values; blanks between the parts of a value are no TABs."""
    text = 'a\tb"\nc\r'
    rows = rows_of(target, well("convert", "--from", "jsonl", "--to", target,
                                stdin=lines({"fen": FEN, "x\ny": text, "z": "é\r"})))
    assert [len(row) for row in rows] == [7, 7]
    assert json.loads(rows[0][5]) == "x\ny" and json.loads(rows[1][5]) == text and json.loads(rows[1][6]) == "é\r"
    line = '{"fen": "%s", "v": [1,\t2,\r\t"\\t"], "w": "\\ud83d\\ude00 \\u00e9 \\/"}\n' % FEN
    rows = rows_of(target, well("convert", "--from", "jsonl", "--to", target, stdin=line))
    assert rows[1][5:] == ['[1, 2,  "\\t"]', "\U0001f600 é /"]
    tabs = table("csv", ["fen", "x\ty"], [FEN, "1\t2"])
    assert rows_of("tsv", well("convert", "--from", "csv", "--to", "tsv", stdin=tabs)) == [["fen", '"x\\u0009y"'],
                                                                                           [FEN, '"1\\u00092"']]


def test_there_and_back():
    """From a table to objects and back, more than a block holds, by several threads."""
    rows = [[FEN, "c3d5", str(i), "0.5", "0", str(i), f'"{i}", é'] for i in range(9000)]
    text = table("csv", ["fen", "move", "score", "result", "ply", "id", "note"], *rows)
    objects = well("filter", "--from", "csv", "--to", "jsonl", "--threads", 3, stdin=text)
    assert [json.loads(line)["note"] for line in objects.decode().splitlines()] == [row[6] for row in rows]
    assert well("filter", "--from", "jsonl", "--to", "csv", "--threads", 3, stdin=objects).decode() == text


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_parts_have_the_columns_of_the_first_line(mark, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(mark + lines({"fen": FEN, "a": 1, "b": 2}, *[{"fen": FEN, "b": i} for i in range(20)]))
    whole = well("filter", path, "--to", "tsv")
    assert whole.startswith(b"fen\tmove\tscore\tresult\tply\ta\tb\n")
    assert b"".join(well("filter", path, "--to", "tsv", "--part", f"{i}/4") for i in range(1, 5)) == whole


def test_columns_of_later_files(tmp_path):
    """They are found by their names; what the first file does not have has no place."""
    for name, text in [("a.csv", f"id,fen,note\n1,{FEN},x\n"), ("b.csv", f"note,fen\ny,{FEN}\n"),
                       ("d.csv", f"new,fen\ny,{FEN}\n"),
                       ("c.jsonl", lines({"note": "z", "id": 3, "fen": FEN})), ("e.csv", f"fen,b\n{FEN},1\n")]:
        (tmp_path / name).write_text(text)
    names = [tmp_path / name for name in ("a.csv", "b.csv", "c.jsonl")]
    assert rows_of("tsv", well("filter", "--to", "tsv", *names)) == \
        [["id", "fen", "note", "move", "score", "result", "ply"], ["1", FEN, "x", "", "", "", ""],
         ["", FEN, "y", "", "", "", ""], ["3", FEN, "z", "", "", "", ""]]
    result = run("filter", "--quiet", "--to", "tsv", *names, tmp_path / "d.csv")
    refused(result, tmp_path / "d.csv", "unknown columns", "columns")
    assert result.stdout == b""
    # what standard input has is known only when its turn comes
    behind = ["filter", "--quiet", "--from", "csv", "-", tmp_path / "e.csv"]
    says(2, run(*behind, stdin=f"fen,a\n{FEN},1\n"), "e.csv: its header differs from that of -")
    refused(run(*behind, "--to", "tsv", stdin=f"fen,a\n{FEN},1\n"), tmp_path / "e.csv", "unknown columns", "columns")


# ---- Columns that have no place --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["new", "Move", "FEN"])
def test_members_that_the_table_has_no_column_for(name, tmp_path):
    """Those that the first object does not have, and those that the table would take for known ones."""
    path, output = tmp_path / "a.jsonl", tmp_path / "b.csv"
    path.write_text(lines({"fen": FEN, "id": 1}, {"fen": FEN, "id": 2, name: 3}, {"fen": FEN, "id": 4}))
    for command in COMMANDS:
        says(2, run(command, "--quiet", path, "--output", output),
             f"{path}:2: the member '{name}' would be lost, because the table has no column for it")
        assert not output.exists() and well(command, "--lose", "columns", path, "--to", "csv").count(b"\n") == 4
    assert [row[5] for row in rows_of("csv", well("filter", "--lose", "columns", path, "--to", "csv"))] == ["id", "1",
                                                                                                            "2", "4"]


def test_first_lines():
    """With a name that a table knows; with one twice; without an end; and one that is no object."""
    to_table = ["filter", "--quiet", "--from", "jsonl", "--to", "csv"]
    known, twice = lines({"fen": FEN, "Score": 1}), '{"fen": "%s", "a": 1, "a": 2}\n' % FEN
    says(2, run(*to_table, stdin=known), "-:1: the member 'Score' would be lost")
    made = well("filter", "--from", "jsonl", "--to", "csv", "--lose", "columns", stdin=known)
    assert rows_of("csv", made) == [["fen", "move", "score", "result", "ply"], [FEN, "", "", "", ""]]
    assert well("filter", "--from", "jsonl", stdin=twice).decode() == twice
    says(2, run(*to_table, stdin=twice), "-:1: the member 'a' would be lost")
    text = table("csv", ["fen", "a", "a"], [FEN, "1", "2"])
    assert rows_of("tsv", well("filter", "--from", "csv", "--to", "tsv", stdin=text)) == [["fen", "a", "a"],
                                                                                          [FEN, "1", "2"]]
    refused(run("filter", "--quiet", "--from", "csv", "--to", "jsonl", stdin=text), "-", "unknown columns", "columns")
    result = run(*to_table, stdin=lines({"fen": FEN, "a": 1}).rstrip("\n"))
    assert result.returncode == 0 and result.stdout.decode() == f"fen,move,score,result,ply,a\n{FEN},,,,,1\n"
    text = "x\n" + lines({"fen": FEN, "a": 1})
    says(2, run(*to_table, stdin=text), "-:1: byte 1", "-:2: the member 'a' would be lost")
    assert run(*to_table, "--lose", "columns", stdin=text).returncode == 1


# ---- What a record alone says ----------------------------------------------------------------------------------------

ROW = Row(FEN, "c3d5", 5, 2, 0)
MARLIN, PLAIN = encode_marlin(ROW), encode_plain([ROW])
NINTH = FEN[:-1] + "9"


def with_byte(data, at, value):
    return data[:at] + bytes([data[at] | value]) + data[at + 1:]


FOUND_LATER = [
    ("fen", "csv", f"{FEN}\tc3d5\n{FEN}\tc3d5 e1e7\n{FEN}\n", "-:2", "further moves", "moves"),
    ("fen", "tsv", f"{FEN}\n{FEN}\tc3d5 e1e7\n{FEN}\n", "-:2", "further moves", "moves"),
    ("plain", "tsv", PLAIN + PLAIN.replace(b"e\n", b"x 1\ne\n"), "-:7", "unknown lines", "lines"),
    ("jsonl", "fen", lines({"fen": FEN}, {"fen": FEN, "score": 1}), "-:2", "score", "score"),
    ("jsonl", "scored", lines(*({"fen": FEN, "score": 1, "result": 1, "ply": ply} for ply in (0, 5))), "-:2", "ply",
     "ply"),
    ("tsv", "fen", f"fen\tply\n{QUIET[:-4]}\t0\n{QUIET}\t0\n", "-:2", "ply", "ply"),  # without a number none is told
    ("scored", "marlinformat", f"{FEN} | 1 | 0.5\n{FEN[:-4]} hmvc 0; | 1 | 0.5\n", "-:2", "EPD operations",
     "operations"),
    ("marlinformat", "tsv", MARLIN + with_byte(MARLIN, 31, 9), "-: record 2 at byte 32", "unused bits", "unused-bits"),
    *(("marlinformat", "jsonl", with_byte(MARLIN, at, value), "-: record 1 at byte 0", "unused bits", "unused-bits")
      for at, value in ((11, 0x10), (23, 0x80))),
    ("bulletformat", "csv", with_byte(encode_bullet(ROW), 29, 1), "-: record 1 at byte 0", "unused bits",
     "unused-bits"),
]


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("source, target, data, place, lost, option", FOUND_LATER,
                         ids=[f"{row[0]}-{row[1]}-{row[5]}" for row in FOUND_LATER])
def test_what_a_record_alone_says(command, source, target, data, place, lost, option, tmp_path):
    if command == "annotate" and target not in (*TABLES, "jsonl"):
        return  # which have no place for columns
    output = tmp_path / "out"
    arguments = [command, *COMMANDS[command], "--from", source, "--to", target]
    refused(run(*arguments, "--quiet", "--output", output, stdin=data), place, lost, option, output)
    before = run(*arguments, "--quiet", stdin=data)
    assert before.returncode == 2 and not before.stdout.endswith(b"\n\n")
    for each in (option, "all", *(["other"] if option in ("moves", "lines", "unused-bits") else [])):
        all_written = well(*arguments, "--lose", each, stdin=data)
        assert all_written.startswith(before.stdout) and len(all_written) > len(before.stdout)
    refused(run(*arguments, "--quiet", "--lose", "clock", stdin=data), place, lost, option)


def test_what_is_copied_is_not_lost():
    """The same format, unused bits included; nothing is written; and a bad record has no unused bits."""
    odd = MARLIN + encode_marlin(ROW, extra=9)
    assert well("convert", "--from", "marlin", "--to", "marlin", stdin=odd) == odd
    text = f"{FEN}\tc3d5 e1e7\n"
    assert well("filter", stdin=text).decode() == text and well("filter", "--count", stdin=text) == b"1\n"
    assert run("stats", stdin=text).returncode == 0 and run("filter", "--count", "--lose", "moves",
                                                            stdin=text).returncode == 2
    refused(run("annotate", "--quiet", stdin=text), "-:1", "further moves", "moves")
    bad = run("filter", "--from", "marlin", "--to", "jsonl", stdin=with_byte(MARLIN, 10, 0x10))
    assert b"would be lost" not in bad.stderr


@pytest.mark.parametrize("command", ["filter", "convert"])
@pytest.mark.parametrize("source, target, fen, ply, lost", [
    ("plain", "binpack", NINTH, 30, "number"), ("plain", "binpack", NINTH, 16, None),
    ("csv", "binpack", NINTH, 30, "number"), ("csv", "binpack", FEN[:-4], 30, None),
    ("plain", "viriformat", NINTH, 30, "ply"), ("csv", "marlinformat", NINTH, 17, "ply"),
    ("jsonl", "fen", NINTH, 16, None), ("jsonl", "scored", NINTH, 18, "ply")])
def test_move_numbers_and_plies_that_disagree(command, source, target, fen, ply, lost):
    data, others = FORMATS[source].encode([Row(fen, "c3d5", 5, 2, ply)]), "move,score,result"
    arguments = [command, "--quiet", "--from", source, "--to", target, "--lose"]
    result = run(*arguments, others, stdin=data)
    if lost is None:
        assert (result.returncode, result.stderr) == (0, b"")
        return
    refused(result, "-:2" if source == "csv" else "-:1", "move number" if lost == "number" else "ply", lost)
    assert result.stdout == b"" and run(*arguments, f"{others},{lost}", stdin=data).returncode == 0


def test_plies_counted_for_a_condition_are_not_lost():
    """The record has none: it was counted from the number of the move."""
    for source, text in ("scored", f"{NINTH} | 1 | 0.5\n"), ("csv", f"fen,score,result\n{NINTH},1,1\n"):
        kept = ["filter", "--keep", "ply=16", "--from", source]
        assert len(well(*kept, "--to", "bulletformat", "--lose", ",".join(TURNED), stdin=text)) == 32
        assert list(json.loads(well(*kept, "--to", "jsonl", stdin=text))) == ["fen", "score", "result"]


def test_unused_bits_of_the_head_of_a_game():
    """A game is written anew, in its own format too; so what its head holds besides would be lost."""
    game = games_of(sample("viriformat"))[0]
    n, odd = len(read_games(game)[0]), with_byte(game, 31, 1)
    for target in ("viriformat", "tsv"):
        refused(run("filter", "--quiet", "--from", "viri", "--to", target, stdin=game + odd),
                f"-: record {n + 1} at byte {len(game) + 32}", "unused bits", "unused-bits")
    assert well("filter", "--from", "viri", "--lose", "unused-bits", stdin=game + odd) == 2 * game


# ---- What a format or a header says ----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_the_format_or_the_header_says(command, tmp_path):
    """Refused before any record is read: bad ones do not matter."""
    output = tmp_path / "out"
    for name, text, target, lost, option in [
            ("a.binpack", "x", "fen", "score and result", "score,result"), ("a.vf", "x", "scored", "move", "move"),
            ("a.csv", f"fen,id,score,result\nX,1,5,1\n{FEN},7,5,1.0\n", "marlinformat", "unknown columns", "columns")]:
        path = tmp_path / name
        path.write_text(text)
        result = run(command, "--quiet", path, "--to", target, "--output", output)
        if command == "annotate":
            fails(2, result, f"the format {target} has no place for columns")
            continue
        refused(result, path, lost, option, output)
        assert result.stderr.count(b"\n") <= 2 and b"a.csv:2" not in result.stderr
    if command != "annotate":
        assert run(command, tmp_path / "a.csv", "--to", "marlin", "--lose", "other").stdout == MARLIN


def test_the_first_format_is_the_target(tmp_path):
    """Without --to, what the first file's format has no place for is lost, too."""
    names = [tmp_path / "a.fen", tmp_path / "b.scored"]
    for name, text in zip(names, (FEN, FEN + " | 1 | 0.5")):
        name.write_text(text + "\n")
    fails(2, run("filter", *names), "b.scored: score and result would be lost")
    assert well("filter", "--lose", "score,result", *names).decode() == 2 * (FEN + "\n")


def test_bad_records_behind_the_end_are_not_told():
    result = run("filter", "--quiet", "--to", "csv", stdin=f"x\n{FEN}\tc3d5 e1e7\ny\n{FEN}\n")
    assert result.returncode == 2 and [line.split(" ")[0] for line in result.stderr.decode().splitlines()] == ["-:1:", "-:2:"]


# ---- Cells, names and texts that a line cannot hold (docs/formats.md) --------------------------------------------------

KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
ODD = {"a": "x\0y", "b\nc": "l1\nl2", "t\t": "tab\there", "q": 'say "hi"', "e": '"x\\n"', "n": 1.5, "z\0": None, "cr": "a\r", "": "no name"}


def meant(cell):
    """What a cell of a table means."""
    return json.loads(cell) if len(cell) > 2 and cell[0] == cell[-1] == '"' and "\\" in cell else cell


@pytest.mark.parametrize("form", TABLES)
def test_any_text_of_json_lines_is_a_cell_and_comes_back(form):
    stdin = json.dumps({"fen": KINGS, **ODD}) + "\n" + json.dumps({"fen": KINGS, **{name: "plain" for name in ODD}}) + "\n"
    data = well("convert", "--from", "jsonl", "--to", form, stdin=stdin)
    header, first, second = rows_of(form, data)
    assert b"\0" not in data and b"\r" not in data and data.count(b"\n") == 3
    assert [meant(name) for name in header[5:]] == list(ODD)
    assert [meant(cell) for cell in first[5:]] == ["" if cell is None else cell if isinstance(cell, str) else str(cell) for cell in ODD.values()]
    back = [json.loads(line) for line in well("convert", "--from", form, "--to", "jsonl", stdin=data).splitlines()]
    assert back[0] == {"fen": KINGS, **{name: "1.5" if name == "n" else cell or "" for name, cell in ODD.items()}}
    assert well("convert", "--from", "jsonl", "--to", form, "--columns", "fen", stdin=stdin).count(b"\n") == 3


def test_half_of_a_surrogate_pair_is_kept_as_it_stands():
    stdin = '{"fen": "%s", "s": "\\ud800", "\\udfff": "x\\ud83d\\ude00"}\n' % KINGS
    table = well("convert", "--from", "jsonl", "--to", "tsv", stdin=stdin)
    assert rows_of("tsv", table) == [["fen", "move", "score", "result", "ply", "s", '"\\udfff"'], [KINGS, "", "", "", "", '"\\ud800"', "x😀"]]
    assert json.loads(well("convert", "--from", "tsv", "--to", "jsonl", stdin=table)) == {"fen": KINGS, "s": "\ud800", "\udfff": "x😀"}
    says(1, run("convert", "--from", "jsonl", "--to", "fen", stdin='{"fen": "%s id \\"\\ud800\\";"}\n' % KINGS), ":1: the position has half of a surrogate pair")


@pytest.mark.parametrize("form", ["fen", "epd", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("end, name", [("\\n", "line feed"), ("\\r", "carriage return"), ("\\u0000", "NUL")])
def test_a_position_is_one_line(form, end, name):
    result = run("convert", "--from", "jsonl", "--to", form, stdin='{"fen": "%s id \\"a%sb\\";"}\n{"fen": "%s"}\n' % (KINGS[:-4], end, KINGS))
    says(1, result, f":1: character 32 is a {name}, expected one line of text without it")
    assert result.stdout.count(b"\n") == 1 + (form in TABLES)


@pytest.mark.parametrize("command, form", [(["convert"], "jsonl"), (["convert"], "csv"), (["annotate", "--columns", "winning"], "jsonl"),
                                           (["annotate", "--columns", "winning"], "tsv"), (["filter", "--mark-score", "7", "--drop", "in-check"], "jsonl")])
def test_the_move_of_a_puzzle_stays(command, form):
    stdin = "PuzzleId,FEN,Moves\n1,4k3/8/8/8/8/8/4P3/4K3 b - - 0 1,e8d8 e2e4\n"
    data = well(*command, "--from", "puzzles", "--to", form, stdin=stdin)
    row = json.loads(data) if form == "jsonl" else dict(zip(*rows_of(form, data)))
    assert row["move"] == "e2e4" and row["Moves"] == "e8d8 e2e4" and row["PuzzleId"] == "1"


@pytest.mark.parametrize("form", ["fen", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("operations, counters", [("hmvc 3; fmvn 9;", " 3 9"), ("hmvc 3;", " 3"), ("fmvn 9;", " 0 9"),
                                                  ("fmvn 9; id \"x\"; hmvc 3;", " 3 9"), ("id \"x\";", "")])
def test_clock_and_number_of_epd_stand_in_the_fen(form, operations, counters):
    four = "4k3/8/8/8/8/8/8/4K3 b - -"
    data = well("convert", "--from", "epd", "--to", form, stdin=f"{four} {operations}\n")
    text = (json.loads(data)["fen"] if form == "jsonl" else data.decode()[:-1] if form == "fen" else rows_of(form, data)[1][0])
    assert text == f"{four}{counters} {operations}"
    back = well("convert", "--from", form, "--to", "epd", stdin=data).decode()
    expected = operations.split("; ") + (["hmvc 0;"] if counters == " 0 9" else [])
    assert back.startswith(four) and sorted(back[len(four):].split(";")) == sorted([f" {each.strip(';')}" for each in expected] + ["\n"])


@pytest.mark.parametrize("text, sentence", [("bm Ke2; bm Kd1;", "the operation bm is given twice"), ("hmvc 1; hmvc 2;", "the operation hmvc is given twice"),
                                            ("ce high;", "the score is 'high'"), ("bm e9;", "e9"), ("hmvc x;", "the operation hmvc has 'x'")])
def test_epd_that_cannot_be_read_is_not_written(text, sentence):
    result = run("convert", "--from", "fen", "--to", "epd", stdin=f"{KINGS[:-4]} {text}\n{KINGS}\n")
    says(1, result, ":1: ", sentence)
    assert result.stdout == b"4k3/8/8/8/8/8/8/4K3 w - - hmvc 0; fmvn 1;\n"


@pytest.mark.parametrize("form", ["epd", "plain"])
def test_the_least_score_has_no_opposite(form):
    result = run("convert", "--from", "csv", "--to", form, stdin=f"fen,move,score,result,ply\n{KINGS},e1e2,-2147483648,1.0,0\n")
    says(1, result, ":2: the score is -2147483648")
    assert result.stdout == b""


@pytest.mark.parametrize("score, scale, expected", [("0.961469", 999, 961), ("0.4999999999999999", 1, 0), ("0.50000000000000000001", 1, 1), ("-0.5", 1, -1),
                                                    ("0.00000000000000000001", 1, 0), ("2147483646.50", 1, 2147483647), ("0.0049999999999999999", 100, 0),
                                                    ("0.005", 100, 1)])
def test_scales_round_all_decimals(score, scale, expected):
    data = well("convert", "--from", "csv", "--to", "jsonl", "--score-scale", str(scale), stdin=f"fen,score\n{KINGS},{score}\n")
    assert json.loads(data)["score"] == expected


def test_seeds_have_64_bits():
    most = 2**64 - 1
    assert well("filter", "--from", "fen", "--seed", str(most), "--keep", "chance=1", stdin=f"{KINGS}\n") == f"{KINGS}\n".encode()
    for wrong in (str(most + 1), "-1", "1.0", "", "1e3"):
        says(2, run("filter", "--from", "fen", "--seed", wrong, "--keep", "chance=1", stdin=f"{KINGS}\n"), f"--seed: '{wrong}' is not an integer from 0 to {most}")


def test_the_least_score_without_its_sign():
    stdin = f"fen,score\n{KINGS},-2147483648\n{KINGS},-2147483647\n"
    count = lambda condition: well("filter", "--from", "csv", "--keep", condition, stdin=stdin).count(b"\n") - 1
    assert [count(f"abs-score={text}") for text in ("2147483647", "2147483647..", "..2147483647")] == [1, 2, 1]


@pytest.mark.parametrize("form", ["plain", "binpack"])
@pytest.mark.parametrize("target", ["bulletformat", "marlinformat", "viriformat", "scored"])
def test_a_mark_for_no_score_becomes_no_score(form, target, tmp_path):
    """Stockfish's 32002: a format that takes it for a score gets it only where that is asked for."""
    path = tmp_path / "a"
    rows = "".join(f"fen 4k3/8/8/8/8/8/8/4K3 {stm} - - 0 1\nmove {move}\nscore {score}\nply {ply}\nresult 0\ne\n"
                   for stm, move, score, ply in (("w", "e1e2", 5, 0), ("b", "e8e7", 32002, 1)))
    path.write_bytes(well("convert", "--from", "plain", "--to", form, stdin=rows))
    lose = "move,ply,side,castling,en-passant,clock,number"
    convert = ["convert", "--from", form, "--to", target, path]
    says(2, run(*convert, "--lose", lose), "the score -32002 says that there is none, and in ", "expected 'seebatch filter --drop abs-score=32002'")
    says(0, run(*convert, "--lose", lose + ",score"))
    says(0, run("filter", "--from", form, "--to", target, "--lose", lose, "--drop", "abs-score=32002", path), "1 written")
