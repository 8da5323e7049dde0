"""What another format has no place for: carried over where it can hold it, otherwise refused by filter, annotate and convert."""
import csv
import io
import json

import pytest

from formats_support import Row, decode_games, encode_bullet, encode_games, encode_marlin, encode_plain, game_places, sample
from pipeline_support import fails, run, says, well

FEN = "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1"
TABLES = ["csv", "tsv"]
COMMANDS = {"filter": [], "convert": [], "annotate": ["--columns", "winning"]}


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
    assert result.returncode == 2, result.stderr
    them = "them" if lost.endswith("s") else "it"
    first = result.stderr.decode().splitlines()[0]
    assert first.startswith(f"{place}: {lost} would be lost, because ") and \
        first.endswith(f" has no place for {them}, expected --lose {option}")
    assert output is None or not output.exists()


# ---- Columns that are carried over ----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("source, target", [("csv", "tsv"), ("tsv", "csv"), ("csv", "jsonl"), ("tsv", "jsonl")])
def test_columns_of_a_table(command, source, target):
    """Names, order and values stay; the known columns too stay where they are."""
    added = ["winning"] if command == "annotate" else []
    header = ["id", "Position", "no, quote", "MOVE", 'a "b"', "empty"]
    rows = [["007", FEN, "1.50", "c3d5", 'x, "y"', ""], ["8", FEN, "", "", "é", ""]]
    out = well(command, *COMMANDS[command], "--from", source, "--to", target, stdin=table(source, header, *rows))
    if target == "jsonl":
        made = [json.loads(line, object_pairs_hook=list) for line in out.decode().splitlines()]
        names = ["id", "fen", "no, quote", "move", 'a "b"', "empty"]
        expected = [[(name, cell) for name, cell in zip(names, row) if name != "move" or cell] for row in rows]
        assert made == [row + [(name, 1) for name in added] for row in expected]
    else:
        assert rows_of(target, out) == [["id", "fen", "no, quote", "move", 'a "b"', "empty"] + added] + \
            [row + ["1"] * len(added) for row in rows]
    if not added and target != "jsonl":
        assert well(command, "--from", target, "--to", source, stdin=out).decode() == \
            table(source, rows_of(target, out)[0], *rows)


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("target", TABLES)
def test_members_of_objects(command, target):
    """The known columns, then the members of the first object; values of any kind, and members that are missing."""
    objects = [{"id": 7, "position": FEN, "note": 'a "b", c', "list": [1, {"x": None}], "yes": True, "none": None},
               {"fen": FEN, "yes": "no", "id": 2.50}]
    out = rows_of(target, well(command, *COMMANDS[command], "--from", "jsonl", "--to", target, stdin=lines(*objects)))
    added = ["winning"] if command == "annotate" else []
    assert out[0] == ["fen", "move", "score", "result", "ply", "id", "note", "list", "yes", "none"] + added
    assert out[1] == [FEN, "", "", "", "", "7", 'a "b", c', '[1, {"x": null}]', "true", ""] + ["1"] * len(added)
    assert out[2] == [FEN, "", "", "", "", "2.5", "", "", "no", ""] + ["1"] * len(added)


@pytest.mark.parametrize("target", TABLES)
def test_texts_that_would_end_a_line_or_a_cell(target):
    """They stand as strings of JSON, in names and in values; blanks between the parts of a value are no TABs."""
    text = 'a\tb"\nc\r'
    out = well("convert", "--from", "jsonl", "--to", target, stdin=lines({"fen": FEN, "x\ny": text, "z": "é\r"}))
    rows = rows_of(target, out)
    assert [len(row) for row in rows] == [7, 7]
    assert json.loads(rows[0][5]) == "x\ny" and json.loads(rows[1][5]) == text and json.loads(rows[1][6]) == "é\r"
    line = '{"fen": "%s", "v": [1,\t2,\r\t"\\t"], "w": "\\ud83d\\ude00 \\u00e9 \\/"}\n' % FEN
    rows = rows_of(target, well("convert", "--from", "jsonl", "--to", target, stdin=line))
    assert rows[1][5:] == ['[1, 2,  "\\t"]', "\U0001f600 é /"]
    tabs = table("csv", ["fen", "x\ty"], [FEN, "1\t2"])
    rows = rows_of("tsv", well("convert", "--from", "csv", "--to", "tsv", stdin=tabs))
    assert rows == [["fen", '"x\\u0009y"'], [FEN, '"1\\u00092"']]


def test_there_and_back():
    """From a table to objects and back, more than a block holds, by several threads, and by parts."""
    header = ["fen", "move", "score", "result", "ply", "id", "note"]
    rows = [[FEN, "c3d5", str(i), "0.5", "0", str(i), f'"{i}", é'] for i in range(9000)]
    text = table("csv", header, *rows)
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


# ---- Columns that have no place -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["new", "Move", "FEN"])
def test_members_that_the_table_has_no_column_for(name, tmp_path):
    """Those that the first object does not have, and those that the table would take for known ones."""
    path, output = tmp_path / "a.jsonl", tmp_path / "b.csv"
    path.write_text(lines({"fen": FEN, "id": 1}, {"fen": FEN, "id": 2, name: 3}, {"fen": FEN, "id": 4}))
    for command in COMMANDS:
        result = run(command, "--quiet", path, "--output", output)
        assert result.returncode == 2 and not output.exists()
        assert f"{path}:2: the member '{name}' would be lost, because the table has no column for it".encode() in result.stderr
        assert well(command, "--lose", "columns", path, "--to", "csv").count(b"\n") == 4
    assert [row[5] for row in rows_of("csv", well("filter", "--lose", "columns", path, "--to", "csv"))] == ["id", "1", "2", "4"]


def test_a_first_object_with_a_name_that_a_table_knows():
    line = lines({"fen": FEN, "Score": 1})
    says(2, run("filter", "--quiet", "--from", "jsonl", "--to", "csv", stdin=line), "-:1: the member 'Score' would be lost")
    made = well("filter", "--from", "jsonl", "--to", "csv", "--lose", "columns", stdin=line)
    assert rows_of("csv", made) == [["fen", "move", "score", "result", "ply"], [FEN, "", "", "", ""]]


def test_members_that_come_twice():
    line = '{"fen": "%s", "a": 1, "a": 2}\n' % FEN
    assert well("filter", "--from", "jsonl", stdin=line).decode() == line
    says(2, run("filter", "--quiet", "--from", "jsonl", "--to", "csv", stdin=line), "-:1: the member 'a' would be lost")
    text = table("csv", ["fen", "a", "a"], [FEN, "1", "2"])
    assert rows_of("tsv", well("filter", "--from", "csv", "--to", "tsv", stdin=text)) == [["fen", "a", "a"], [FEN, "1", "2"]]
    refused(run("filter", "--quiet", "--from", "csv", "--to", "jsonl", stdin=text), "-", "unknown columns", "columns")


def test_a_first_line_without_an_end(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"fen": FEN, "a": 1}).rstrip("\n"))
    for more in ({"stdin": path.read_bytes()}, {}):
        name = [] if more else [path]
        result = run("filter", "--quiet", "--from", "jsonl", "--to", "tsv", *name, **more)
        assert result.returncode == 0 and result.stdout.decode() == f"fen\tmove\tscore\tresult\tply\ta\n{FEN}\t\t\t\t\t1\n"


def test_standard_input_and_files(tmp_path):
    """What standard input has is known only when its turn comes; the files behind it have to fit all the same."""
    (tmp_path / "b.csv").write_text(f"fen,b\n{FEN},1\n")
    result = run("filter", "--quiet", "--from", "csv", "-", tmp_path / "b.csv", stdin=f"fen,a\n{FEN},1\n")
    assert result.returncode == 2 and b"b.csv: its header differs from that of -" in result.stderr
    result = run("filter", "--quiet", "--from", "csv", "--to", "tsv", "-", tmp_path / "b.csv", stdin=f"fen,a\n{FEN},1\n")
    refused(result, tmp_path / "b.csv", "unknown columns", "columns")


def test_columns_of_later_files(tmp_path):
    """They are found by their names; what the first file does not have has no place."""
    (tmp_path / "a.csv").write_text(f"id,fen,note\n1,{FEN},x\n")
    (tmp_path / "b.csv").write_text(f"note,fen\ny,{FEN}\n")
    (tmp_path / "c.jsonl").write_text(lines({"note": "z", "id": 3, "fen": FEN}))
    (tmp_path / "d.csv").write_text(f"new,fen\ny,{FEN}\n")
    names = [tmp_path / name for name in ("a.csv", "b.csv", "c.jsonl")]
    assert rows_of("tsv", well("filter", "--to", "tsv", *names)) == \
        [["id", "fen", "note", "move", "score", "result", "ply"], ["1", FEN, "x", "", "", "", ""],
         ["", FEN, "y", "", "", "", ""], ["3", FEN, "z", "", "", "", ""]]
    result = run("filter", "--quiet", "--to", "tsv", *names, tmp_path / "d.csv")
    refused(result, tmp_path / "d.csv", "unknown columns", "columns")
    assert result.stdout == b""


def test_a_first_line_that_is_no_object():
    text = "x\n" + lines({"fen": FEN, "a": 1})
    result = run("filter", "--quiet", "--from", "jsonl", "--to", "tsv", stdin=text)
    assert result.returncode == 2 and b"-:1: byte 1" in result.stderr and b"-:2: the member 'a' would be lost" in result.stderr
    assert run("filter", "--from", "jsonl", "--to", "tsv", "--lose", "columns", stdin=text).returncode == 1


def test_columns_that_are_not_utf_8():
    for text in (b"fen,a\n" + FEN.encode() + b",\xff\n", b"fen,\xff\n" + FEN.encode() + b",a\n"):
        fails(1, run("convert", "--quiet", "--from", "csv", "--to", "jsonl", stdin=text),
              "-:2: a column is not valid UTF-8, as JSON needs")


# ---- One rule for three commands ------------------------------------------------------------------------------------

MARLIN = encode_marlin(Row(FEN, None, 5, 2))
PLAIN = encode_plain([Row(FEN, "c3d5", 5, 2, 0)])
NINTH = FEN[:-1] + "9"


def with_byte(data, at, value):
    return data[:at] + bytes([data[at] | value]) + data[at + 1:]

FOUND_LATER = [
    ("fen", "csv", f"{FEN}\tc3d5\n{FEN}\tc3d5 e1e7\n{FEN}\n", "-:2", "further moves", "moves"),
    ("fen", "tsv", f"{FEN}\n{FEN}\tc3d5 e1e7\n{FEN}\n", "-:2", "further moves", "moves"),
    ("plain", "tsv", PLAIN + PLAIN.replace("e\n", "x 1\ne\n"), "-:7", "unknown lines", "lines"),
    ("marlinformat", "tsv", MARLIN + with_byte(MARLIN, 31, 9), "-: record 2 at byte 32", "unused bits", "unused-bits"),
    ("marlinformat", "jsonl", with_byte(MARLIN, 10, 0x10), "-: record 1 at byte 0", None, None),
    ("marlinformat", "jsonl", with_byte(MARLIN, 11, 0x10), "-: record 1 at byte 0", "unused bits", "unused-bits"),
    ("marlinformat", "jsonl", with_byte(MARLIN, 23, 0x80), "-: record 1 at byte 0", "unused bits", "unused-bits"),
    ("bulletformat", "csv", with_byte(encode_bullet(Row(FEN, None, 5, 2)), 29, 1), "-: record 1 at byte 0", "unused bits",
     "unused-bits"),
]


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("source, target, data, place, lost, option", FOUND_LATER)
def test_what_a_record_alone_says(command, source, target, data, place, lost, option, tmp_path):
    output = tmp_path / "out"
    arguments = [command, *COMMANDS[command], "--from", source, "--to", target]
    if lost is None:  # a good record but for another piece, or a bad one: no unused bit
        assert b"would be lost" not in run(*arguments, stdin=data).stderr
        return
    refused(run(*arguments, "--quiet", "--output", output, stdin=data), place, lost, option, output)
    before = run(*arguments, "--quiet", stdin=data)
    assert before.returncode == 2 and not before.stdout.endswith(b"\n\n")
    for each in (option, "other", "all"):
        all_written = well(*arguments, "--lose", each, stdin=data)
        assert all_written.startswith(before.stdout) and len(all_written) > len(before.stdout)
    refused(run(*arguments, "--quiet", "--lose", "score,clock", stdin=data), place, lost, option)


def test_annotate_without_options():
    refused(run("annotate", "--quiet", stdin=f"{FEN}\tc3d5 e1e7\n"), "-:1", "further moves", "moves")


@pytest.mark.parametrize("command", ["filter", "convert"])
@pytest.mark.parametrize("source, target, fen, ply, lost", [
    ("plain", "binpack", NINTH, 30, "number"), ("plain", "binpack", NINTH, 16, None), ("csv", "binpack", NINTH, 30, "number"),
    ("csv", "binpack", FEN[:-4], 30, None), ("plain", "viriformat", NINTH, 30, "ply"), ("csv", "marlinformat", NINTH, 17, "ply"),
    ("jsonl", "fen", NINTH, 16, None), ("jsonl", "scored", NINTH, 18, "ply")])
def test_move_numbers_and_plies_that_disagree(command, source, target, fen, ply, lost):
    names, values = ["fen", "move", "score", "result", "ply"], [fen, "c3d5", 5, 1, ply]
    data = {"plain": lambda: encode_plain([Row(fen, "c3d5", 5, 2, ply)]), "csv": lambda: table("csv", names, map(str, values)),
            "jsonl": lambda: lines(dict(zip(names, values)))}[source]()
    others = ["move", "score", "result"]
    arguments = [command, "--quiet", "--from", source, "--to", target, "--lose", ",".join(others)]
    result = run(*arguments, stdin=data)
    if lost is None:
        assert (result.returncode, result.stderr) == (0, b"")
        return
    refused(result, "-:2" if source == "csv" else "-:1", "move number" if lost == "number" else "ply", lost)
    assert result.stdout == b""
    assert run(*arguments[:-1], ",".join(others + [lost]), stdin=data).returncode == 0


def test_plies_counted_for_a_condition_are_not_lost():
    """The record has none: it was counted from the number of the move."""
    turned = "side,castling,en-passant,clock,number"
    for source, text in ("scored", f"{NINTH} | 1 | 0.5\n"), ("csv", f"fen,score,result\n{NINTH},1,1\n"):
        made = well("filter", "--keep", "ply=16", "--from", source, "--to", "bulletformat", "--lose", turned, stdin=text)
        assert len(made) == 32
        row = json.loads(well("filter", "--keep", "ply=16", "--from", source, "--to", "jsonl", stdin=text))
        assert list(row) == ["fen", "score", "result"]


def test_unused_bits_of_the_head_of_a_game():
    """A game is written anew, in its own format too; so what its head holds besides would be lost."""
    begin, end = game_places(sample("own.vf"))[0]
    game = sample("own.vf")[begin:end]
    odd = with_byte(game, 31, 1)
    for target in ("viriformat", "tsv"):
        refused(run("filter", "--quiet", "--from", "viri", "--to", target, stdin=game + odd),
                f"-: record {len(decode_games(game)) + 1} at byte {len(game) + 32}", "unused bits", "unused-bits")
    assert well("filter", "--from", "viri", "--lose", "unused-bits", stdin=game + odd) == 2 * game
    assert encode_games(decode_games(game)) == game


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_the_format_or_the_header_says(command, tmp_path):
    """Refused before any record is read: bad ones do not matter."""
    output = tmp_path / "out"
    if command != "annotate":
        for name, target, lost, option in ("a.binpack", "fen", "score and result", "score,result"), \
                                          ("a.vf", "scored", "move", "move"):
            (tmp_path / name).write_bytes(b"x")
            result = run(command, tmp_path / name, "--to", target, "--output", output)
            assert result.returncode == 2 and not output.exists()
            assert f"{tmp_path / name}: {lost} would be lost".encode() in result.stderr
            assert f"expected --lose {option}\n".encode() in result.stderr
        path = tmp_path / "a.csv"
        path.write_text(f"fen,id\nX,1\n{FEN},2\n")
        result = run(command, "--quiet", path, "--to", "fen", "--output", output)
        refused(result, path, "unknown columns", "columns", output)
        assert b"a.csv:2" not in result.stderr
    says(2, run(command, "--lose", "note", stdin=""), "--lose: 'note' is nothing that can be lost, expected move, score")


def test_the_first_format_is_the_target(tmp_path):
    """Without --to, what the first file's format has no place for is lost, too."""
    (tmp_path / "a.fen").write_text(FEN + "\n")
    (tmp_path / "b.scored").write_text(FEN + " | 1 | 0.5\n")
    fails(2, run("filter", tmp_path / "a.fen", tmp_path / "b.scored"), "b.scored: score and result would be lost")
    assert well("filter", "--lose", "score,result", tmp_path / "a.fen", tmp_path / "b.scored").decode() == 2 * (FEN + "\n")


def test_bad_records_behind_the_end_are_not_told():
    text = f"x\n{FEN}\tc3d5 e1e7\ny\n{FEN}\n"
    result = run("filter", "--quiet", "--to", "csv", stdin=text)
    places = [line.split(" ")[0] for line in result.stderr.decode().splitlines()]
    assert result.returncode == 2 and places == ["-:1:", "-:2:"]


def test_nothing_is_lost_where_nothing_is_written():
    text = f"{FEN}\tc3d5 e1e7\n"
    assert well("filter", "--count", stdin=text) == b"1\n"
    assert well("filter", stdin=text).decode() == text and run("stats", stdin=text).returncode == 0
    assert run("filter", "--count", "--lose", "moves", stdin=text).returncode == 2
