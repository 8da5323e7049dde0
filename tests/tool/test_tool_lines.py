"""Formats of lines: JSON as Python reads it, tables, operations of EPD, Lichess's evaluations, scores with decimals, and marks
of scores. Each is a promise of docs/formats.md or of the manual."""
import json
import random
import re

import pytest

import binpack_support as binpack
from formats_support import READERS, WRITERS, data_lines, rows_of_tsv, sample
from pipeline_support import QUIET, Judge, fails, make_records, options, run, says, well

PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"


def tsv_of(form, data, *arguments, command="filter"):
    """The cells of the lines of a table, by their names."""
    names, *lines = (line.split("\t") for line in well(command, "--from", form, "--to", "tsv", *arguments,
                                                       stdin=data).decode().splitlines())
    return [dict(zip(names, line)) for line in lines]


# ---- JSON ------------------------------------------------------------------------------------------------------------

# What follows the first member: whether it is JSON, Python says.
REST_OF_JSON = [
    '"x": "\\', '"x": "abc', '"x": "\\u12', '"x": "\\uzzzz"', '"x": "\\x"', '"x": 1e', '"x": 1e+', '"x": -', '"x": 01',
    '"x": 1.', '"x": nulx', '"x": nu', '"x": trux', '"x": t', '"x": fals', '"x": falsx', '"x": x', '"x": "\x01"',
    '"x": [1', '"x": {"a" 1}', '"x": 1} \0', '"x": 1}}', '"x": "', '"x": "\udcc3"', '"x": "\udce2\udc82"',
    '"x": "\udce0\udc80\udc80"', '"x": "\udced\udca0\udc80"', '"x": "\udcf0\udc80\udc80\udc80"',
    '"x": "\udcf4\udc90\udc80\udc80"', '"x": "\udcff"', '"x": "\udcc0\udc80"', '"x": "\udcc3a"',
    '"x": "\udcf5\udc80\udc80\udc80"', "", '"x": 1e5}', '"x": 1E+5}', '"x": -1.5e-5}', '"x": true}', '"x": false}',
    '"x": null}', '"x": [true, {"a": false}, []]}', '"x": "é€😀"}', '"x": "\u0800\ud7ff\uffff"}',
    '"x": "\U00010000\U0010ffff"}', '"x": {}}',
    '"score" : null , "x" : [ 1.5e-3 , true , { } , [ ] , "\\ud83d\\ude00" ] } ', '"a": .5}', '"a": "b}', '"a": [1,]}',
    '"a": "\t"}']


def is_json(line):
    def no_constant(_):
        raise ValueError

    try:
        row = json.loads(line.encode(errors="surrogateescape").decode(), parse_constant=no_constant,
                         object_pairs_hook=list)
        return isinstance(row, list) and line.lstrip().startswith("{")
    except ValueError:
        return False


def test_json_against_python(tmp_path):
    chance = random.Random(7)
    good = '{"fen": "%s", "a": [1, -2.5e+3, {"b": "\\n\\u00e9"}], "c": {"d": null, "e": true}, "score": 12}' % QUIET
    lines = ['{"fen": "%s", %s' % (QUIET, rest) for rest in REST_OF_JSON]
    for _ in range(3000):
        text = list(good)
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(text))
            text[at:at + chance.randint(0, 1)] = [chance.choice('{}[]",:\\ue0123456789-+.aE \x01')] if chance.random() < 0.7 else []
        lines.append("".join(text))
    names = [str(n) for n in range(len(lines))]  # a file each, because equal errors of a file are shown once
    for name, line in zip(names, lines):
        (tmp_path / name).write_text(line + "\n", errors="surrogateescape")
    result = run("filter", "--quiet", "--from", "jsonl", *names, cwd=tmp_path)
    told = [row.split(":") for row in result.stderr.decode(errors="replace").splitlines() if "not valid JSON" in row]
    refused, verdicts = {int(row[0]) + 1 for row in told}, [is_json(line) for line in lines]
    assert [line for i, line in enumerate(lines) if verdicts[i] == (i + 1 in refused)] == []
    assert 300 < sum(verdicts) < 2700 and sum(verdicts[:len(REST_OF_JSON)]) == 12


@pytest.mark.parametrize("line, place", [
    ('{"fen": "X"', 12), ("[1]", 1), ('{"fen": "X",}', 13), ('{"fen" "X"}', 8), ('{"fen": "X"} x', 14), ("null", 1),
    ('{"a": 1e}', 9), ('{"a": "\\u12g4"}', 8)])
def test_where_json_ends(line, place):
    shift = len(QUIET) - 1 if "X" in line[:place - 1] else 0
    fails(1, run("filter", "--quiet", "--from", "jsonl", stdin=line.replace("X", QUIET) + "\n"),
          f"-:1: byte {place + shift} of the line is not valid JSON")


@pytest.mark.parametrize("escaped, text", [
    (r"\u0041", "A"), (r"\u00e9", "é"), (r"\u20AC", "€"), (r"\ud83d\ude00", "😀"), (r"\uD83D\uDE00x", "😀x"),
    (r"\uffff", "\uffff"), (r"\/\b\f", "/\b\f")])
def test_escapes_of_json(escaped, text):
    line = '{"f\\u0065n": "%s id \\"%s\\";"}\n' % (PASSING, escaped)
    made = well("annotate", "--from", "jsonl", "--to", "jsonl", "--columns", "winning", stdin=line)
    assert json.loads(made)["fen"] == f'{PASSING} id "' + json.loads(f'"{escaped}"', strict=False) + '";'
    if "\n" not in text and "\r" not in text:
        assert well("convert", "--lose", "all", "--from", "jsonl", "--to", "fen",
                    stdin=line).decode() == f'{PASSING} id "{text}";\n'


@pytest.mark.parametrize("escaped", [r"\r", r"\ud83d", r"\ud83dabcdef", r"\ud83d\nabcd", r"\ud83d\u0041", r"\ud83d\ue000",
                                     r"\udc00", r"\udfff\u0041"])
def test_escapes_of_what_no_position_holds(escaped):
    line = '{"fen": "%s id \\"%s\\";"}\n' % (PASSING, escaped)
    for arguments in (("annotate", "--to", "jsonl", "--columns", "winning"), ("convert", "--lose", "all", "--to", "fen")):
        fails(1, run(*arguments, "--quiet", "--from", "jsonl", stdin=line),
              "is a carriage return, expected one line of text" if escaped == r"\r" else
              "-:1: the position has half of a surrogate pair in it, expected text")


def test_members_of_earlier_lines_are_forgotten():
    """Lines are taken apart in dozens: what one of them lacks is not what another one had at its place."""
    result = run("filter", "--quiet", "--from", "jsonl", "--threads", "1",
                 stdin='{"fen": "\\ud800"}\n' * 200 + '{"note": 1}\n' * 200)
    says(1, result, "-:1: the position has half of a surrogate pair in it", "-:201: the object has no fen, expected a member",
         "the error of line 1 was repeated 199 times", "the error of line 201 was repeated 199 times")


# ---- EPD -------------------------------------------------------------------------------------------------------------

BLACK = "4k3/8/8/8/8/8/8/4K3 b - -"


@pytest.mark.parametrize("line, cells", [
    (PASSING + " bm exd6; ce 12;", ("e5d6", "12", "")), (PASSING + " bm e5d6 Ke2; acd 3;", ("e5d6", "", "")),
    (PASSING + " 3 4 bm Ke2; dm 2;\te5d6 e1e2", ("e5d6", "31998", "")), (BLACK + " dm 2; ce -7;", ("", "7", "")),
    (BLACK + " ce -7; dm 2;", ("", "7", "")), (BLACK + " dm -2;", ("", "31998", "")),
    (BLACK + " dm 2;", ("", "-31998", "")), (BLACK + ' c9 "1-0";', ("", "", "1.0")),
    (BLACK + " c9 0.5;", ("", "", "0.5")), (BLACK + ' c9 "a; b"; c0 "0-1";', ("", "", "")),
    (BLACK + " am Ke7; id \"; ce 5;\";", ("", "", ""))])
def test_operations(line, cells):
    """They are read, stay in the text, and what has no place besides is named as lost."""
    lose = ["--lose", "moves"] if "\t" in line else []
    made = [*tsv_of("epd", line + "\n", *lose)[0].values()]
    assert made == [line.split("\t")[0], *cells]
    back = well("filter", "--from", "tsv", "--to", "epd",
                stdin="fen\tmove\tscore\tresult\n" + "\t".join(made) + "\n").decode()
    assert [*tsv_of("epd", back)[0].values()][1:] == [*cells] and back.count(" ce ") <= 1 + ("; ce" in line)


@pytest.mark.parametrize("more, lost",
                         [("", False), (" acd 3;", True), (" bm Ke2 Kd2;", True), (" bm Ke2;", False),
                          (' c0 "1-0";', True)])
def test_operations_that_would_be_lost(more, lost):
    line = f'{PASSING} ce 1; c9 "1-0";{more}\n'
    assert run("convert", "--from", "epd", "--to", "jsonl", stdin=line).returncode == 0  # which keeps the text
    result = run("convert", "--quiet", "--from", "epd", "--to", "marlin", "--lose", "move", stdin=line)
    assert (b"EPD operations would be lost" in result.stderr) == lost == (result.returncode == 2)


# ---- Lichess's database of evaluations -------------------------------------------------------------------------------


def evaluation(depth, *lines):
    """An evaluation; each of the lines is a score, "#N" for a mate, and moves."""
    return {"pvs": [{"mate" if score[0] == "#" else "cp": int(score.strip("#")), "line": moves} for score,
                    moves in lines],
            "knodes": 7, "depth": depth}


@pytest.mark.parametrize("evals, move, score", [
    ([evaluation(30, ("12", "e1e2 e8e7"), ("5", "e1d1")), evaluation(31, ("-3", "e1d2")),
      evaluation(31, ("4", "e1f1"))], "e1d2", "-3"),
    ([evaluation(0, ("#3", "e1h1"))], "e1g1", "31997"), ([evaluation(9, ("#-3", "e1g1"))], "e1g1", "-31997"),
    ([evaluation(9, ("#0", ""))], None, "the number of moves to mate is 0, but"), ([evaluation(9)], "", ""), ([], "", ""), ([1, 2], "", ""),
    ({"pvs": []}, "", ""), ([evaluation(9, ("1", "e1f5"))], None, "e1f5"),
    ([{"pvs": [], "depth": "9"}], None, "is not as in Lichess's database"),
    ([{"pvs": [{"cp": 1}], "depth": 9}], None, "the first variation of the deepest"),
    ([{"pvs": [[]], "depth": 9}], None, "variation"),
    ([{"pvs": [{"line": "e1f1"}], "depth": 9}], None, "or mate in place of cp"),
    ([evaluation(1), 5], None, "an evaluation in evals"),
    ([{"pvs": [{"cp": 1.5, "line": "e1f1"}], "depth": 9}], None, "the score is '1.5'"),
    ([evaluation(-1)], None, "an evaluation in")])
def test_evaluations(evals, move, score):
    line = json.dumps({"fen": QUIET[:-4], "evals": evals}) + "\n"
    if move is None:
        fails(1, run("filter", "--quiet", "--from", "jsonl", stdin=line), score)
        return
    assert well("filter", "--from", "jsonl", stdin=line).decode() == line
    row, = tsv_of("jsonl", line, "--lose", "columns", command="convert")
    assert (row["move"], row["score"], json.loads(row["evals"])) == (move, score, evals)
    own, = tsv_of("jsonl", line.replace('"evals"', '"score": 77, "evals"'))
    assert own["score"] == "77"  # what the object says itself comes first


# As Lichess writes them, and as this tool writes objects.
USUAL_LINES = [
    json.dumps({"fen": QUIET[:-4], "evals": [evaluation(30, ("12", "e1e2 e8e7"), ("#5", "e1d1")),
                                             evaluation(31, ("#-3", "e1d2"))]}, separators=(",", ":")),
    '{"fen": "%s", "move": "e1e2", "score": -12, "result": 0.5, "ply": 31, "x": {"y": [0, "a"]}}' % QUIET]
CHANGES = [('"fen"', '"fen":"","fen"'), ('"evals"', '"evals":[],"evals"'), (":31", ":-31"), (":31", ":-0"), (":31", ":30"),
           (":31", ":029"), (":31", ":99999999"), (":31", ":2147483648"), (":12", ":012"), (": -12", ": -012"),
           (": -12", ": -123456789"), ('"cp"', '"Cp"'), ('"knodes":', '"knodes",'), ('"depth":', '"depth",'), (',"knodes"', ',"knodes "'),
           ('"ply"', '"score"'), ('"y"', '"fen"'), ("0.5", "00.5"), ("0.5", "1"), ("0.5", '"1-0"'), ("e1e2 e8e7", "")]
DAMAGE = [*'{}[]",:0123456789-.eac \\x', "-0", "00", "99999999", "123456789", "1e3", "null", '""', '"evals":[],', '"fen":"",']


def damaged_lines(chance, n):
    for _ in range(n):
        text = [*chance.choice(USUAL_LINES)]
        at, behind = chance.randrange(len(text)), chance.choice([0, 1, 1, 1, 2, 7])
        text[at:at + behind] = chance.choice([[], [], [chance.choice(DAMAGE)]])
        yield "".join(text)


def test_usual_form_means_the_same(tmp_path):
    """Lines of the usual form are read quickly. With blanks around all marks they are not, and the record is the same, and what is
    wrong with it."""
    lines = [line.replace(*change, 1) for line in USUAL_LINES for change in CHANGES]
    lines += damaged_lines(random.Random(5), 3000)
    spaced = [re.sub(r'("(?:[^"\\]|\\.)*"?)|([][:,{}])', lambda found: found[1] or f" {found[2]} ", line) for line in lines]
    told = []
    for form in (lines, spaced):
        names = [str(i) for i in range(len(form))]  # a file each, because of equal errors in a file one is shown
        for name, line in zip(names, form):
            (tmp_path / name).write_text(line + "\n")
        result = run("convert", "--quiet", "--from", "jsonl", "--to", "tsv", "--lose", "all", *names, cwd=tmp_path)
        errors = [re.sub("byte [0-9]+", "", row) for row in result.stderr.decode().splitlines()]
        told.append(([line.split("\t")[:5] for line in result.stdout.decode().splitlines()], errors))
    assert told[0] == told[1]
    assert 500 < len(told[0][1]) and 500 < len(told[0][0])


# ---- Tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale, text, score", [
    (None, "7.0", 7), (None, "-7.000000000", -7), (None, "0.5", None), (None, "7.", None), (None, ".5", None),
    (None, "1.2.3", None), (None, "--7", None), (None, "2147483648.0", None), (100, "0.35", 35), (100, "-1.005", -101),
    (100, "1.0049999", 100), (100, "+3", 300), (100, "30000000", None), (1000, "-0.0005", -1),
    (1000, "99999999999", None), (1, "0.5", 1), (1, "1e3", None)])
def test_scores_with_decimals(scale, text, score):
    scaled = [] if scale is None else ["--score-scale", scale]
    for form, line in (("scored", f"{QUIET} | {text} | 0.5\n"), ("csv", f"fen,x,score\n{QUIET},{text},{text}\n")):
        result = run("convert", "--quiet", "--from", form, "--to", "tsv", *scaled, stdin=line)
        if score is None:
            says(1, result, f"the score is '{text}', expected ")
        else:
            assert result.stderr == b"" and f"\t{score}" in result.stdout.decode()


COLUMN_TABLE = f'id,Eval,score,best,Position\n1,-0.25,9,e1e2,"{QUIET}"\n'


def test_columns_by_names():
    named = ["--from", "csv", "--column", "score=Eval", "--column", "move=best", "--score-scale", "100"]
    assert well("filter", *named, "--keep", "score=-25", stdin=COLUMN_TABLE).decode() == COLUMN_TABLE
    fails(2, run("convert", *named, "--to", "jsonl", stdin=COLUMN_TABLE),
          "unknown columns would be lost")  # the other score
    assert json.loads(well("convert", *named, "--to", "jsonl", "--lose", "columns", stdin=COLUMN_TABLE)) == {
        "id": "1", "score": -25, "move": "e1e2", "fen": QUIET}
    assert well("convert", *named, "--to", "tsv", "--lose", "columns", stdin=COLUMN_TABLE).decode() == \
        f"id\tscore\tmove\tfen\n1\t-25\te1e2\t{QUIET}\n"
    line = '{"score": "x", "cp": 5, "id": 1, "board": "%s"}\n' % QUIET
    named = ["--from", "jsonl", "--column", "score=cp", "--column", "fen=board"]
    assert well("convert", *named, "--to", "tsv", "--lose", "columns", stdin=line).decode() == \
        f"fen\tmove\tscore\tresult\tply\tid\n{QUIET}\t\t5\t\t\t1\n"
    says(2, run("convert", *named, "--to", "tsv", stdin=line), "the member 'score' would be lost")


@pytest.mark.parametrize("named, status, sentence", [
    (["--column", "score=cp"], 1, "the header has no column 'cp', which --column names as the score"),
    (["--column", "cp"], 2, "'cp' is not FIELD=NAME"), (["--column", "id=x"], 2, "'id=x' is not FIELD=NAME"),
    (["--column", "score="], 2, "is not FIELD=NAME"),
    (["--column", "score=id", "--column", "Score=Eval"], 2, "follows 'score=id'"),
    (["--column", "score=id", "--column", "ply=id"], 2, "follows 'score=id'"),
    (["--score-scale", "0"], 2, "'0' is not an integer from 1 to 1000"),
    (["--column", "score=id"] * 6, 2, "is one too many"),
    (["--from", "fen", "--column", "score=id"], 2, "no input file has columns"),
    (["--from", "fen", "--score-scale", "100"], 2, "no input file has scores as text")])
def test_columns_that_are_wrong(named, status, sentence):
    form = [] if "--from" in named else ["--from", "csv"]
    fails(status, run("filter", "--quiet", "--to", "csv", *form, *named, stdin=COLUMN_TABLE), sentence)


def test_headers():
    for header, sentence in [("", "header"), ("a,b", "has no column fen or position"), ("fen,fen", "twice"),
                             ("fen,position", "twice"),
                             ("Fen,FEN", "twice"), ("fen,score,score", "'score' twice"),
                             ('fen,"a', "a quote in the header")]:
        fails(1, run("filter", "--quiet", "--from", "csv", stdin=header + "\n" + QUIET + "\n"), sentence)
    fails(1, run("filter", "--from", "csv", stdin=""), "-: it is empty, expected a header")
    fails(1, run("filter", "--from", "csv", stdin="fen"), "-: the header has no end")
    result = run("filter", "--quiet", "--from", "csv", stdin="fen\n")
    says(0, result, "-: warning: no position was found in it\n")
    assert result.stdout == b"fen\n"
    # names may be in capitals, and are kept as they are
    header, first, last = f"FEN,Score,Other\n{QUIET},5,x\n{QUIET},6,y\n".splitlines(keepends=True)
    assert well("filter", "--from", "csv", "--keep", "score=6", stdin=header + first + last).decode() == header + last
    assert well("annotate", "--from", "csv", "--columns", "winning",
                stdin=header + first).startswith(b"FEN,Score,Other,winning\n")


@pytest.mark.parametrize("form, sign", [("csv", ","), ("tsv", "\t"), ("jsonl", None)])
def test_columns_that_are_chosen(form, sign, tmp_path):
    """In their order, from the same format and from others; nothing else is written, and that is no loss."""
    text = f"fen,id,score,move,result\n{QUIET},7,5,e1g1,1.0\n{QUIET},8,,,\n"
    source = text.encode() if form == "csv" else well("convert", "--from", "csv", "--to", form, stdin=text)
    (tmp_path / "a.plain").write_bytes(well("filter", "--from", "csv", "--to", "plain", "--lose", "columns", "--keep",
                                            "has=move", stdin=text))
    for words, stdin in ((["--from", form], source), (["--from", "csv"], text.encode()), ([tmp_path / "a.plain"], b"")):
        made = well("convert", "--to", form, "--columns", "score,fen,ply", *words, stdin=stdin).decode().splitlines()
        rows = [json.loads(line) for line in made] if sign is None else \
            [dict(zip(["score", "fen", "ply"], line.split(sign))) for line in made]
        assert sign is None or made.pop(0) == sign.join(["score", "fen", "ply"])
        first = rows[sign is not None]
        assert (list(first), str(first["score"]), first["fen"]) == (["score", "fen", "ply"], "5", QUIET)
        assert len(made) == 1 + (stdin != b"")
    marked = well("filter", "--from", form, "--to", form, "--drop", "has=move", "--mark-score", "9", "--columns", "fen,score",
                  stdin=source).decode().splitlines()
    assert ("9" in marked[-2]) and "5" not in marked[-2].partition("}")[0].replace(QUIET, "")


def test_columns_that_cannot_be_chosen():
    for columns, sentence in (("score", "--columns: fen is missing"), ("fen,id", "--columns: 'id' is not one of the columns, expected one of "),
                              ("fen,fen", "'fen' is named twice"), ("", "'' is not one of the columns"), ("fen,", "'' is not one of the columns")):
        says(2, run("convert", "--from", "csv", "--to", "csv", "--columns", columns, stdin=f"fen\n{QUIET}\n"), sentence)
    says(2, run("convert", "--from", "csv", "--to", "fen", "--columns", "fen", stdin=f"fen\n{QUIET}\n"),
         "--columns: the format fen has no columns, expected one of csv, tsv, jsonl")
    says(2, run("convert", "--from", "csv", "--to", "tsv", "--columns", "fen,score", stdin=f"fen\n{QUIET}\n"),
         "-: it has no column for score, which --columns needs")
    says(2, run("convert", "--from", "csv", "--to", "csv", "--lose", "score", stdin=f"fen,score\n{QUIET},1\n"),
         "--lose score: nothing of it would be lost, because csv has a column for it, expected --columns")


PUZZLES = """PuzzleId,FEN,Moves,Rating,Themes
00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1 b1c1 h6c1,1807,crushing long
0000D,5rk1/1p3ppp/pq3b2/8/8/1P1Q1N2/P4PPP/3R2K1 w - - 2 27,d3d6 f8d8 d6d8 f6d8,1501,"a, ""b"" c"
"""


def test_puzzles(tmp_path):
    """The position behind the opponent's move, the solution's first, and all that the table says besides."""
    rows = tsv_of("puzzles", PUZZLES)
    assert [(row["fen"], row["move"], row["Rating"], row["PuzzleId"]) for row in rows] == [
        ("r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2b1/PqP3PP/7K w - - 0 25", "e6e7", "1807", "00008"),
        ("5rk1/1p3ppp/pq1Q1b2/8/8/1P3N2/P4PPP/3R2K1 b - - 3 27", "f8d8", "1501", "0000D")]
    assert rows[1]["Themes"] == 'a, "b" c' and rows[0]["Moves"] == "f2g3 e6e7 b2b1 b3c1 b1c1 h6c1"
    path = tmp_path / "a.csv"
    path.write_text(PUZZLES)
    assert well("filter", "--from", "puzzles", path, "--count", "--keep", "ply=50..") == b"1\n"
    assert b"".join(well("convert", "--from", "puzzles", path, "--to", "csv", "--part", f"{i}/3") for i in (1, 2, 3)) == \
        well("convert", "--from", "puzzles", "--to", "csv", stdin=PUZZLES.replace("\n", "\r\n"))
    fails(2, run("convert", "--from", "puzzles", "--to", "fen", stdin=PUZZLES), "unknown columns would be lost")


@pytest.mark.parametrize("moves, sentence", [
    ("f2g3", "the puzzle has 1 move, expected the opponent's and those of the solution"), ("", "the puzzle has 0 moves"),
    ("f2g4 e6e7", "move 1 of the puzzle: 'f2g4' is not a legal move here"), ("f2g3 e6e9", "move 2 of the puzzle: 'e6e9'"),
    ("f2g3 e6e7 b2b1 b3c2", "move 4 of the puzzle: 'b3c2' is not a legal move")])
def test_puzzles_that_are_wrong(moves, sentence):
    head, first, second = PUZZLES.splitlines(keepends=True)
    result = run("convert", "--from", "puzzles", "--to", "fen", "--lose", "all",
                 stdin=head + first.replace("f2g3 e6e7 b2b1 b3c1 b1c1 h6c1", moves) + second)
    says(1, result, f"-:2: {sentence}", "1 written, 1 bad record")


def test_tables_that_are_no_puzzles():
    says(1, run("convert", "--from", "puzzles", "--to", "fen", stdin=f"fen,move\n{QUIET},e1g1\n"),
         "the header has no column Moves, expected that of Lichess's puzzles")


@pytest.mark.parametrize("form", ["fen", "bulletformat", "csv", "pgn", "viriformat", "jsonl"])
def test_a_binpack_taken_for_something_else(form, tmp_path):
    """One sentence, for a file and for a pipe."""
    data = sample("own.binpack")
    (tmp_path / "a.data").write_bytes(data)
    for words, stdin in ((["-"], data), ([tmp_path / "a.data"], b"")):
        result = run("filter", "--quiet", "--from", form, "--count", *words, stdin=stdin)
        says(1, result, f"{words[0]}: it is a binpack, expected ")
        assert b"use --from binpack to read it as one\n" in result.stderr
        assert result.stderr.count(b"\n") == 1


def test_columns_that_are_needed():
    """By the output, or by a condition; one that is there outranks the position."""
    two = f"fen,score,result\n{QUIET},1,\n{QUIET},2,1\n"
    says(2, run("filter", "--quiet", "--from", "csv", "--to", "scored", stdin=f"fen,score\n{QUIET},1\n"),
         "-: it has no column for result, which scored needs")
    result = run("filter", "--quiet", "--from", "csv", "--to", "scored", stdin=two)
    says(1, result, "-:2: the record has no result, which scored needs")
    assert result.stdout.decode() == QUIET + " | 2 | 1.0\n"
    says(2, run("filter", "--quiet", "--from", "csv", "--to", "binpack", stdin=f"fen,id\n{QUIET},1\n"),
         "-: it has no column for move, score or result, which binpack needs; unknown columns would be lost, because binpack")
    says(2, run("filter", "--quiet", "--from", "csv", "--keep", "score=0..", stdin=f"fen\n{QUIET}\n"),
         "-: it has no column for score, which a condition needs")
    plies = f"fen,ply\n{QUIET},17\n{QUIET},18\n"
    assert well("filter", "--from", "csv", "--keep", "ply=17", stdin=plies).decode() == plies.replace(f"{QUIET},18\n",
                                                                                                      "")


def test_tables_of_one_output_have_the_same_columns(tmp_path):
    for name, text in (("a.csv", f"fen,x\n{QUIET},1\n"), ("b.csv", f"fen,x\r\n{QUIET},2\n"),
                       ("c.csv", f"fen,y\n{QUIET},3\n")):
        (tmp_path / name).write_text(text, newline="")
    assert well("filter", "a.csv", "b.csv", cwd=tmp_path).decode() == f"fen,x\n{QUIET},1\n{QUIET},2\n"
    fails(2, run("filter", "--quiet", "a.csv", "c.csv", "b.csv", cwd=tmp_path),
          "c.csv: its header differs from that of")


def test_texts_that_need_quotes():
    """A text with separators, quotes and control characters comes back from CSV, and from TSV with blanks for TABs."""
    for inside in ("a,b", "a\tb", '"a"', '"a,b"\tc', '"a, b|c\\d"; c0 "\u00e9"'):
        text = f"{PASSING} id {inside};"
        line = json.dumps({"fen": text}) + "\n"
        assert json.loads(well("filter", "--from", "csv", "--to", "jsonl", stdin=well(
            "filter", "--from", "jsonl", "--to", "csv", stdin=line)))["fen"] == text
        assert tsv_of("jsonl", line)[0]["fen"] == text.replace("\t", " ")
        assert well("convert", "--lose", "all", "--from", "jsonl", "--to", "fen",
                    stdin=line).decode() == text.replace("\t", " ") + "\n"
    scored = run("filter", "--from", "csv", "--to", "scored", stdin=f"fen,score,result\n{PASSING} id a|b;,1,1\n")
    says(1, scored, "which separates the fields")


def test_results_in_all_their_texts():
    texts = {"1.0": 1.0, "[1.0]": 1.0, "1": 1.0, "1-0": 1.0, "0.5": 0.5, "[0.5]": 0.5, "1/2": 0.5, "1/2-1/2": 0.5,
             "0.0": 0.0,
             "[0.0]": 0.0, "0": 0.0, "0-1": 0.0}
    lines = "".join(f"{QUIET}|  -17|{text}  \n" for text in texts)
    rows = [json.loads(row) for row in well("filter", "--from", "scored", "--to", "jsonl", stdin=lines).splitlines()]
    assert [(row["score"], row["result"]) for row in rows] == [(-17, value) for value in texts.values()]


def test_records_are_kept_byte_for_byte():
    lines = [QUIET, "4k3/8/8/8/8/8/8/4K2R  w  K -  ", QUIET + "\r",
             'r3k2r/8/8/8/8/8/8/R3K2R b HAha - bm O-O; id "x \u00e9";',
             QUIET + "\te1g1", QUIET + "\t  e1g1 e1f1"]
    text = "".join(line + "\n" for line in lines).encode()
    assert well("filter", stdin=text) == text
    assert well("filter", stdin=b"# comment\n\n  \t\n" + text + b"\r\n") == text


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_mark_of_utf8_is_passed_over(form):
    """At the beginning of a file; anywhere else it is a character that does not belong there."""
    records = make_records(5)
    text = WRITERS[form](records)
    assert well("filter", "--from", form, stdin=b"\xef\xbb\xbf" + text.encode()).decode() == text
    header, lines = data_lines(text, form)
    lines[2] = lines[2].replace(records[2].fen, "\ufeff" + records[2].fen) if header else "\ufeff" + lines[2]
    result = run("filter", "--quiet", "--from", form, stdin="\ufeff" + "".join(header + lines))
    assert result.stdout.decode() == "".join(header + lines[:2] + lines[3:]) and result.returncode == 1
    assert result.stderr.decode().startswith(f"-:{3 + len(header)}: ") and result.stderr.count(b"\n") == 1


@pytest.mark.parametrize("first", ["score", "ply", "result", "move", "fen"])
def test_tables_begin_with_any_column(first):
    """Several rows are read at once, the first of which begins where a block does."""
    cells = {"score": ["5", "-6", "-12345678", "+7", "", "123", "0", "-0"], "ply": ["9", "", "12", "0", "3", "4", "5", "6"],
             "result": ["1.0", "0.5", "0.0", "1-0", "", "0.5", "1/2-1/2", "1.0"],
             "move": ["e1d1", "", "Kd1", "e1d2", "e1f1", "e1e2", "e1f2", "e1d1"], "fen": [QUIET] * 8}
    order = sorted(cells, key=lambda name: name != first)
    table = "\n".join([",".join(order), *map(",".join, zip(*(cells[name] for name in order)))]) + "\n"
    found = [json.loads(line) for line in well("convert", "--from", "csv", "--to", "jsonl", stdin=table).splitlines()]
    assert [r.get("score") for r in found] == [5, -6, -12345678, 7, None, 123, 0, 0]
    assert [r.get("ply") for r in found] == [9, None, 12, 0, 3, 4, 5, 6]
    assert [r.get("result") for r in found] == [1.0, 0.5, 0.0, 1.0, None, 0.5, 0.5, 1.0]
    assert [r.get("move") for r in found] == ["e1d1", None, "e1d1", "e1d2", "e1f1", "e1e2", "e1f2", "e1d1"]


# ---- Marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["scored", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("invert", [False, True])
def test_marks_in_text(form, invert):
    some, conditions = [r for r in make_records(300) if abs(r.score) > 400], ["any-capture=0..", "in-check"]
    judge, shape = Judge(some), {"scored": " | {} | ", "csv": ",{},", "tsv": "\t{}\t", "jsonl": '"score": {},'}[form]
    header, lines = data_lines(WRITERS[form](some), form)
    assert all(line.count(shape.format(r.score)) == 1 for r, line in zip(some, lines))
    expected = [line if judge.keeps(r, [], conditions) != invert else line.replace(shape.format(r.score),
                                                                                   shape.format(-32002))
                for r, line in zip(some, lines)]
    found = well("filter", "--from", form, *options([], conditions), *["--invert"] * invert, "--mark-score", -32002,
                 stdin="".join(header + lines)).decode()
    assert found == "".join(header + expected) and expected != lines


@pytest.mark.parametrize("form, text, marked", [
    ("csv", f'fen,score,"x"\n{QUIET},,1\r\n"{QUIET}","7","a,""b"\n',
     f'fen,score,"x"\n{QUIET},5,1\r\n"{QUIET}",5,"a,""b"\n'),
    ("csv", f"score,fen\n,{QUIET}\n", f"score,fen\n5,{QUIET}\n"),
    ("tsv", f"fen\tscore\n{QUIET}\t\n", f"fen\tscore\n{QUIET}\t5\n"),
    ("jsonl", f'{{"fen": "{QUIET}", "score": null}}\n', f'{{"fen": "{QUIET}", "score": 5}}\n'),
    ("jsonl", f'{{ "fen": "{QUIET}" }}\n', f'{{ "fen": "{QUIET}" , "score": 5}}\n'),
    ("jsonl", f'{{"x": {{"score": 1}}, "sc\\u006fre":-3,"fen": "{QUIET}"}}\n',
     f'{{"x": {{"score": 1}}, "sc\\u006fre":5,"fen": "{QUIET}"}}\n'),
    ("epd", f"{QUIET[:-4]} bm Kd2; ce  -3 ; id 1;  \tKd1\n",
     f"{QUIET[:-4]} bm Kd2; ce  5 ; id 1;  \tKd1\n"),
    ("epd", f"{QUIET[:-4]} dm 3;  \tKd1\n{QUIET}\n", f"{QUIET[:-4]} dm 3; ce 5;  \tKd1\n{QUIET} ce 5;\n"),
    ("plain", f"fen {QUIET}\nx y\nscore   -3  \r\ne\n", f"fen {QUIET}\nx y\nscore 5\r\ne\n"),
    ("plain", f"fen {QUIET}\ne\n", f"fen {QUIET}\nscore 5\ne\n"),
    ("jsonl --column score=cp", f'{{"fen": "{QUIET}", "score": 1}}\n', f'{{"fen": "{QUIET}", "score": 1, "cp": 5}}\n'),
    ("jsonl --column score=cp", f'{{"cp": 9, "fen": "{QUIET}"}}\n', f'{{"cp": 5, "fen": "{QUIET}"}}\n'),
    ("csv --to jsonl", f"fen\n{QUIET}\n", f'{{"fen": "{QUIET}", "score": 5}}\n'),
    ("csv --to jsonl --invert", f"fen\n{QUIET}\n", f'{{"fen": "{QUIET}"}}\n'),
    ("fen --to jsonl", QUIET + "\n", f'{{"fen": "{QUIET}", "score": 5}}\n')])
def test_marks_where_there_is_no_score(form, text, marked):
    assert well("filter", "--from", *form.split(), "--keep", "in-check", "--mark-score", 5,
                stdin=text).decode() == marked


def test_marks_that_have_no_place():
    says(1, run("filter", "--quiet", "--mark-score", "1", "--from", "csv", stdin=f"fen\n{QUIET}\n"),
         "no column for score, which --mark-score needs")


@pytest.mark.parametrize("form", sorted(READERS))
def test_marks_in_files_of_records(form):
    """As they stand in the file: marlinformat and viriformat have White's score, the others the mover's. Nothing else changes."""
    conditions = ["--drop", "any-capture=0.."]
    kept = {row.fen: row for row in rows_of_tsv(well("filter", "--from", form, *conditions, "--to", "tsv",
                                                     stdin=sample(form)))}
    marked = well("filter", "--from", form, *conditions, "--mark-score", 32002, stdin=sample(form))
    rows, found = (READERS[form](data)[0] for data in (sample(form), marked))
    assert [(r.fen, r.move, r.result, r.ply) for r in found] == [(r.fen, r.move, r.result, r.ply) for r in rows]
    for row, mark in zip(rows, found):
        own = 1 if form in ("marlinformat", "viriformat") else row.sign()
        assert mark.score == (row.score if row.fen in kept else own * 32002)
    if form == "binpack":  # a game stays a chain
        assert len(binpack.chains(found)) == len(binpack.chains(rows)) > 5
    assert 0 < len(kept) < len(rows)
