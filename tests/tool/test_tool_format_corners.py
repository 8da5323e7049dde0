"""Corners of the formats that filter, annotate, stats and convert read and write: each is a promise
of docs/formats.md or of the help, not reached by the other files of tests."""
import json
import re
import struct

import pytest

import binpack_support as binpack
from binpack_support import Row
from chess_support import Board
from pipeline_support import run, well

PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
QUIET = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
GAME = '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
GAME_MOVES = b"e2e4 e7e5 g1f3".split()


def moves_of(pgn, *options):
    """The moves that are read, and what is said."""
    result = run("convert", "--quiet", "--lose", "all", "--from", "pgn", "--to", "fen", *options, stdin=pgn)
    return [line.split(b"\t")[1] for line in result.stdout.splitlines()], result.stderr.decode()


def square(name):
    return 8 * (int(name[1]) - 1) + ord(name[0]) - ord("a")


# ---- JSON -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("escaped, text", [
    (r"\u0041", "A"), (r"\u00e9", "é"), (r"\u20AC", "€"), (r"\ud83d\ude00", "😀"), (r"\uD83D\uDE00x", "😀x"), (r"\uffff", "\uffff"),
    (r"\ud83d", "\ufffd"), (r"\ud83dabcdef", "\ufffdabcdef"), (r"\ud83d\nabcd", "\ufffd\nabcd"), (r"\ud83d\u0041", "\ufffdA"),
    (r"\ud83d\ue000", "\ufffd\ue000"), (r"\udc00", "\ufffd"), (r"\udfff\u0041", "\ufffdA"), (r"\/\b\f\r", "/\b\f\r"),
])
def test_escapes_of_json(escaped, text):
    line = '{"fen": "%s id \\"%s\\";"}\n' % (PASSING, escaped)
    made = well("annotate", "--from", "jsonl", "--to", "jsonl", "--columns", "winning", stdin=line)
    assert json.loads(made)["fen"] == f'{PASSING} id "' + json.loads(f'"{escaped}"', strict=False) + '";'
    if "\n" not in text and "\r" not in text:
        assert well("convert", "--lose", "all", "--from", "jsonl", "--to", "fen",
            stdin=line).decode() == f'{PASSING} id "{text}";\n'


@pytest.mark.parametrize("rest", [
    '"x": "\\', '"x": "abc', '"x": "\\u12', '"x": "\\uzzzz"', '"x": "\\x"', '"x": 1e', '"x": 1e+', '"x": -', '"x": 01',
    '"x": 1.', '"x": nulx',
    '"x": nu', '"x": trux', '"x": t', '"x": fals', '"x": falsx', '"x": x', '"x": "\x01"', '"x": [1', '"x": {"a" 1}',
    '"x": 1} \0', '"x": 1}}',
    '"x": "', '"x": "\udcc3"', '"x": "\udce2\udc82"', '"x": "\udce0\udc80\udc80"', '"x": "\udced\udca0\udc80"',
    '"x": "\udcf0\udc80\udc80\udc80"',
    '"x": "\udcf4\udc90\udc80\udc80"', '"x": "\udcff"', '"x": "\udcc0\udc80"', '"x": "\udcc3a"',
    '"x": "\udcf5\udc80\udc80\udc80"', "",
])
def test_what_is_no_json(rest):
    line = ('{"fen": "%s", %s' % (QUIET, rest)).encode(errors="surrogateescape") + b"\n"
    result = run("filter", "--quiet", "--from", "jsonl", stdin=line)
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"of the line is not as in JSON" in result.stderr


@pytest.mark.parametrize("rest", [
    '"x": 1e5', '"x": 1E+5', '"x": -1.5e-5', '"x": true', '"x": false', '"x": null', '"x": [true, {"a": false}, []]',
    '"x": "é€😀"',
    '"x": "\u0800\ud7ff\uffff"', '"x": "\U00010000\U0010ffff"', '"x": {}',
])
def test_what_is_json(rest):
    line = '{"fen": "%s", %s}\n' % (QUIET, rest)
    assert well("filter", "--from", "jsonl", stdin=line) == line.encode()


@pytest.mark.parametrize("member, sentence", [
    ('"move": "e1e3"', "e1e3"), ('"move": 1', "the move is not a string"), ('"score": "1"', "the score is not a number"),
    ('"score": 1.5', "the score is '1.5', expected an integer, or --score-scale"), ('"score": 1e2', "the score is '1e2'"), ('"result": true', "the result is not a number"),
    ('"result": 7', "the result is '7'"),
    ('"result": "2-0"', "the result is '2-0'"), ('"ply": -1', "the ply is '-1'"), ('"ply": "1"', "the ply is not a number"),
    ('"fen": 1', "twice"), ('"position": "x"', "twice"),
])
def test_members_that_are_wrong(member, sentence):
    result = run("filter", "--quiet", "--from", "jsonl", stdin='{"fen": "%s", %s}\n' % (QUIET, member))
    assert (result.returncode, result.stdout) == (1, b"") and sentence in result.stderr.decode()


# ---- EPD --------------------------------------------------------------------------------------------------------------------

BLACK = QUIET.replace(" w ", " b ")[:-4]


@pytest.mark.parametrize("line, cells", [
    (PASSING + " bm exd6; ce 12;", ("e5d6", "12", "")), (PASSING + " bm e5d6 Ke2; acd 3;", ("e5d6", "", "")),
    (PASSING + " 3 4 bm Ke2; dm 2;\te5d6 e1e2", ("e5d6", "31998", "")), (BLACK + " dm 2; ce -7;", ("", "7", "")),
    (BLACK + " ce -7; dm 2;", ("", "7", "")), (BLACK + " dm -2;", ("", "31998", "")), (BLACK + " dm 2;", ("", "-31998", "")),
    (BLACK + ' c9 "1-0";', ("", "", "1.0")), (BLACK + " c9 0.5;", ("", "", "0.5")), (BLACK + ' c9 "a; b"; c0 "0-1";', ("", "", "")),
    (BLACK + " am Ke7; id \"; ce 5;\";", ("", "", "")),
])
def test_operations(line, cells):
    """They are read, stay in the text, and what has no place besides is named as lost."""
    options = ["--lose", "moves"] if line.count(" ") > 9 and "\t" in line else []
    made = well("filter", "--from", "epd", "--to", "tsv", *options, stdin=line + "\n").decode().splitlines()[1].split("\t")
    assert made[0] == line.split("\t")[0] and tuple(made[1:]) == cells
    back = well("filter", "--from", "tsv", "--to", "epd", stdin="fen\tmove\tscore\tresult\n" + "\t".join(made) + "\n").decode()
    again = well("filter", "--from", "epd", "--to", "tsv", stdin=back).decode().splitlines()[1].split("\t")
    assert tuple(again[1:]) == cells and back.count(" ce ") <= 1 + ("; ce" in line)


@pytest.mark.parametrize("more, lost", [("", False), (" acd 3;", True), (" bm Ke2 Kd2;", True), (" bm Ke2;", False), (' c0 "1-0";', True)])
def test_operations_that_would_be_lost(more, lost):
    line = f'{PASSING} ce 1; c9 "1-0";{more}\n'
    assert run("convert", "--from", "epd", "--to", "jsonl", stdin=line).returncode == 0  # which keeps the text
    result = run("convert", "--quiet", "--from", "epd", "--to", "marlin", "--lose", "move", stdin=line)
    assert (b"EPD operations would be lost" in result.stderr) == lost == (result.returncode == 2)


@pytest.mark.parametrize("operations, sentence", [
    ("bm;", "the operation bm has no move"), ("bm Kf3;", "Kf3"), ("ce x;", "the score is 'x'"), ("ce 1; ce 1;", "ce stands there twice"),
    ("dm 1.5;", "the number of moves to mate is '1.5'"), ("hmvc 70000;", "the operation hmvc has '70000'"), ("fmvn;", "fmvn has ''"),
    ("ce 5", "expected ';' at its end"),
])
def test_operations_that_are_wrong(operations, sentence):
    result = run("filter", "--quiet", "--from", "epd", stdin=f"{BLACK}\n{BLACK} {operations}\n{BLACK} ce 1;\n")
    assert result.returncode == 1 and result.stdout.count(b"\n") == 2
    assert result.stderr.startswith(b"-:2: ") and sentence in result.stderr.decode() and result.stderr.count(b"\n") == 1


# ---- Lichess's database of evaluations -----------------------------------------------------------------------------------------


def evaluation(depth, *lines):
    """An evaluation; each of the lines is a score, "#N" for a mate, and moves."""
    return {"pvs": [{"mate" if score[0] == "#" else "cp": int(score.strip("#")), "line": moves} for score, moves in lines],
            "knodes": 7, "depth": depth}


@pytest.mark.parametrize("evals, move, score", [
    ([evaluation(30, ("12", "e1e2 e8e7"), ("5", "e1d1")), evaluation(31, ("-3", "e1d2")), evaluation(31, ("4", "e1f1"))], "e1d2", "-3"),
    ([evaluation(0, ("#3", "e1h1"))], "e1g1", "31997"), ([evaluation(9, ("#-3", "e1g1"))], "e1g1", "-31997"),
    ([evaluation(9, ("#0", ""))], "", "-32000"), ([evaluation(9)], "", ""), ([], "", ""), ([1, 2], "", ""), ({"pvs": []}, "", ""),
    ([evaluation(9, ("1", "e1f5"))], None, "e1f5"), ([{"pvs": [], "depth": "9"}], None, "is not as in Lichess's database"),
    ([{"pvs": [{"cp": 1}], "depth": 9}], None, "the first variation of the deepest"), ([{"pvs": [[]], "depth": 9}], None, "variation"),
    ([{"pvs": [{"line": "e1f1"}], "depth": 9}], None, "or mate in place of cp"), ([evaluation(1), 5], None, "an evaluation in evals"),
    ([{"pvs": [{"cp": 1.5, "line": "e1f1"}], "depth": 9}], None, "the score is '1.5'"), ([evaluation(-1)], None, "an evaluation in"),
])
def test_evaluations(evals, move, score):
    line = json.dumps({"fen": "4k3/8/8/8/8/8/8/4K2R w K -", "evals": evals}) + "\n"
    if move is None:
        result = run("filter", "--quiet", "--from", "jsonl", stdin=line)
        assert (result.returncode, result.stdout) == (1, b"") and score in result.stderr.decode()
        return
    assert well("filter", "--from", "jsonl", stdin=line).decode() == line
    made = well("convert", "--from", "jsonl", "--to", "tsv", "--lose", "columns", stdin=line).decode().splitlines()
    row = dict(zip(*(each.split("\t") for each in made)))
    assert (row["move"], row["score"], json.loads(row["evals"])) == (move, score, evals)
    # what the object says itself comes first
    own = line.replace('"evals"', '"score": 77, "evals"')
    assert b"\t77\t" in well("convert", "--from", "jsonl", "--to", "tsv", stdin=own)


# ---- Tables -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale, text, score", [
    (None, "7.0", 7), (None, "-7.000000000", -7), (None, "0.5", None), (None, "7.", None), (None, ".5", None), (None, "1.2.3", None),
    (None, "--7", None), (None, "2147483648.0", None), (100, "0.35", 35), (100, "-1.005", -101), (100, "1.0049999", 100),
    (100, "+3", 300), (100, "30000000", None), (1000, "-0.0005", -1), (1000, "99999999999", None), (1, "0.5", 1), (1, "1e3", None),
])
def test_scores_with_decimals(scale, text, score):
    options = [] if scale is None else ["--score-scale", scale]
    for form, line in (("scored", f"{QUIET} | {text} | 0.5\n"), ("csv", f"fen,x,score\n{QUIET},{text},{text}\n")):
        result = run("convert", "--quiet", "--from", form, "--to", "tsv", *options, stdin=line)
        if score is None:
            assert result.returncode == 1 and f"the score is '{text}', expected " in result.stderr.decode()
        else:
            assert result.stderr == b"" and f"\t{score}" in result.stdout.decode()


COLUMN_TABLE = f'id,Eval,score,best,Position\n1,-0.25,9,e1e2,"{QUIET}"\n'


def test_columns_by_names():
    options = ["--from", "csv", "--column", "score=Eval", "--column", "move=best", "--score-scale", "100"]
    assert well("filter", *options, "--keep", "score=-25", stdin=COLUMN_TABLE).decode() == COLUMN_TABLE
    refused = run("convert", *options, "--to", "jsonl", stdin=COLUMN_TABLE)
    assert refused.returncode == 2 and b"unknown columns would be lost" in refused.stderr  # the other score
    assert json.loads(well("convert", *options, "--to", "jsonl", "--lose", "columns", stdin=COLUMN_TABLE)) == {
        "id": "1", "score": -25, "move": "e1e2", "fen": QUIET}
    assert well("convert", *options, "--to", "tsv", "--lose", "columns", stdin=COLUMN_TABLE).decode() == \
        f"id\tscore\tmove\tfen\n1\t-25\te1e2\t{QUIET}\n"
    line = '{"score": "x", "cp": 5, "id": 1, "board": "%s"}\n' % QUIET
    names = ["--from", "jsonl", "--column", "score=cp", "--column", "fen=board"]
    assert well("convert", *names, "--to", "tsv", "--lose", "columns", stdin=line).decode() == \
        f"fen\tmove\tscore\tresult\tply\tid\n{QUIET}\t\t5\t\t\t1\n"
    assert b"the member 'score' would be lost" in run("convert", *names, "--to", "tsv", stdin=line).stderr


@pytest.mark.parametrize("options, status, sentence", [
    (["--column", "score=cp"], 1, "the header has no column 'cp', which --column names as the score"),
    (["--column", "cp"], 2, "'cp' is not FIELD=NAME"), (["--column", "id=x"], 2, "'id=x' is not FIELD=NAME"),
    (["--column", "score="], 2, "is not FIELD=NAME"), (["--column", "score=id", "--column", "Score=Eval"], 2, "comes behind 'score=id'"),
    (["--column", "score=id", "--column", "ply=id"], 2, "comes behind"), (["--score-scale", "0"], 2, "'0' is not an integer from 1 to 1000"),
    (["--column", "score=id"] * 6, 2, "is one too many"), (["--from", "fen", "--column", "score=id"], 2, "no file has columns"),
    (["--from", "fen", "--score-scale", "100"], 2, "no file has scores as text"),
])
def test_columns_that_are_wrong(options, status, sentence):
    result = run("filter", "--quiet", "--to", "csv", *(options if "--from" in options else ["--from", "csv", *options]), stdin=COLUMN_TABLE)
    assert (result.returncode, result.stdout) == (status, b"") and sentence in result.stderr.decode()




def test_texts_that_need_quotes():
    """A text with separators, quotes and control characters comes back from CSV, and from TSV with blanks for TABs."""
    for inside in ("a,b", "a\tb", "a\rb", '"a"', '"a,b"\tc'):
        text = f"{PASSING} id {inside};"
        line = json.dumps({"fen": text}) + "\n"
        assert json.loads(well("filter", "--from", "csv", "--to", "jsonl", stdin=well(
            "filter", "--from", "jsonl", "--to", "csv", stdin=line)))["fen"] == text
        tsv = well("filter", "--from", "jsonl", "--to", "tsv", stdin=line).decode()
        assert tsv.split("\n")[1].split("\t")[0] == text.replace("\t", " ")
        assert well("convert", "--lose", "all", "--from", "jsonl", "--to", "fen", stdin=line).decode() == text.replace("\t",
            " ") + "\n"


# ---- Conditions -------------------------------------------------------------------------------------------------------------


def test_scores_and_moves_that_are_not_there():
    lines = '{"fen": "%s"}\n{"fen": "%s", "score": -5, "move": "e5d6"}\n' % (QUIET, PASSING)
    for condition in ("abs-score=0..10", "abs-score=5", "capture", "capture=..500", "capture=100"):
        assert well("filter", "--from", "jsonl", "--keep", condition, stdin=lines) == lines.splitlines(keepends=True)[1].encode()
    assert well("filter", "--from", "jsonl", "--keep", "capture", "--drop", "score=-5", stdin=lines) == b""
    assert well("filter", "--from", "jsonl", "--drop", "score=-5", "--keep", "capture", stdin=lines) == b""


# ---- Plain text -------------------------------------------------------------------------------------------------------------

RECORD = "fen {}\nmove e5d6\nscore 5\nply 0\nresult 0\ne\n".format(PASSING + " 0 1")


def test_ends_of_records():
    expected = well("filter", "--from", "plain", "--to", "tsv", stdin=RECORD * 2)
    assert expected.count(b"\n") == 3
    for end in ("e\r\n", "e \n", "e\t\n", "e \t\r\n", "x\ne\n", "\ne\n", "\r\n \t\ne\n", "e\n\n \n"):
        lines = RECORD.replace("\ne\n", "\n" + end)
        for options in ((), ("--strict",)):
            assert well("filter", "--from", "plain", "--to", "tsv", "--lose", "lines", *options, stdin=lines * 2) == expected
    assert well("filter", "--from", "plain", "--to", "tsv", stdin=RECORD.replace("move ", "move \t ").replace("5\n",
        "5 \t\n") * 2) == expected


# ---- PGN --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pgn", [
    GAME + "% a line that is passed over", GAME.rstrip() + "\n%", "%x\n" + GAME, "\ufeff" + GAME,
    GAME.replace("[Result", '[White_Elo "1"]\n[Result'), GAME.replace("[Result", '[Result2\t "1"  ]\n[Result'),
    "{ before }\n; and\n" + GAME,
    GAME.replace("e4", "e4 $1 $"), GAME.replace("[Result", '[SetUp "0"]\n[Result'), GAME.rstrip(),
    GAME.replace("e4", "e4!?"), GAME.replace("[Result", '[ Result'), GAME.replace("[Event", '[\tVariant "Chess960"]\n[Event'),
])
def test_games_as_people_write_them(pgn):
    moves, said = moves_of(pgn)
    assert moves == GAME_MOVES and said.count(": warning: ") == (not pgn.endswith("\n")) == said.count("\n")
    assert moves_of(pgn.rstrip("\n") + "\n\n" + GAME)[0][-3:] == GAME_MOVES


def test_words_of_any_length():
    moves, said = moves_of(GAME + '[Event "x"]\n\n1. ' + "e" * 70000 + " 1-0\n\n" + GAME)
    assert moves == 2 * GAME_MOVES and said.startswith("-:8: ") and "' is too long for a move in SAN, expected" in said and len(said) < 1000


def test_en_passant_as_people_write_it():
    game = '[FEN "%s 0 0"]\n\n1. exd6%s 1-0\n'
    for sign in ("", " e.p.", "e.p.", " ep", "!"):
        assert moves_of(game % (PASSING, sign)) == ([b"e5d6"], "")
    assert well("filter", "--from", "pgn", "--to", "tsv", stdin=game % (PASSING,
        "")).decode().splitlines()[1].split("\t")[-1] == "0"


# ---- What would be lost ------------------------------------------------------------------------------------------------------


def test_en_passant_that_binpack_does_not_keep():
    """A square on which no pawn may capture; where one may, nothing is lost."""
    alone, beside = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    for fen, move, lost in ((alone, "e8d8", True), (beside, "e8d8", False), (beside, "d4e3", False)):
        line = json.dumps({"fen": fen, "move": move, "score": 0, "result": 0.5, "ply": 1}) + "\n"
        result = run("convert", "--quiet", "--from", "jsonl", "--to", "binpack", stdin=line)
        assert (b"en passant square would be lost" in result.stderr) == lost, result.stderr
        assert (len(result.stdout) > 0) != lost


# ---- Chains and games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["binpack", "viriformat"])
def test_an_en_passant_square_too_few(form):
    """The pawn could be captured, and the next position says that it cannot: it does not follow."""
    rows = [{"fen": "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "move": "d7d5", "score": 0, "result": 0.5, "ply": 1}]
    for field in ("d6", "-"):
        rows[1:] = [{"fen": f"4k3/8/8/3pP3/8/8/8/4K3 w - {field} 0 2", "move": "e1e2", "score": 0, "result": 0.5, "ply": 2}]
        made = well("convert", "--lose", "all", "--from", "jsonl", "--to", form,
            stdin="".join(json.dumps(row) + "\n" for row in rows))
        back = well("filter", "--from", form, "--to", "tsv", stdin=made).decode().splitlines()[1:]
        assert [row.split("\t")[0].split()[3] for row in back] == ["-", field]
        if field == "d6":
            one = len(made)
    assert len(made) > one


def test_pieces_that_go_to_the_en_passant_square():
    """No pawn captures: the move is an ordinary one, in a stem and behind it."""
    def move(first, last):
        return square(first), square(last), None

    quiet = Row(Board("4k3/8/R7/3pP3/8/8/8/4K3 w - d6 0 1"), move("a6", "d6"), 1, 0, 0)
    double = Row(Board("4k3/3p4/R7/4P3/8/8/8/4K3 b - - 0 1"), move("d7", "d5"), 1, 1, 0)
    taken = Row(Board("4k3/8/R7/3pP3/8/8/8/4K3 w - d6 0 2"), move("a6", "d6"), 1, 2, 0)
    assert b"\ta6d6\t" in well("filter", "--from", "binpack", "--to", "tsv", stdin=binpack.write([quiet]))
    data = binpack.write([double, taken])
    assert len(binpack.chains([double, taken])) == 1
    tsv = well("filter", "--from", "binpack", "--to", "tsv", stdin=data)
    assert b"\td7d5\t" in tsv and b"\ta6d6\t" in tsv
    assert well("convert", "--lose", "all", "--from", "tsv", "--to", "binpack", stdin=tsv) == data
    tsv = well("filter", "--from", "binpack", "--to", "tsv", stdin=binpack.write([quiet]))
    assert well("convert", "--lose", "all", "--from", "tsv", "--to", "binpack", stdin=tsv) == binpack.write([quiet])


def stem(fen, kind=0, move="e1e1", nibbles=None, left=0):
    """A chunk of one stem, whose move is as it is given."""
    made = bytearray(binpack.stem(Row(Board(fen), None, 0, 0, 0), left))
    word = kind << 14 | square(move[:2]) << 8 | square(move[2:4]) << 2
    made[24:26] = struct.pack(">H", word)
    for i, nibble in (nibbles or {}).items():
        made[8 + i // 2] = made[8 + i // 2] & (0x0f if i % 2 else 0xf0) | nibble << 4 * (i % 2)
    return binpack.chunk(bytes(made))


@pytest.mark.parametrize("chunk, sentence", [
    (stem(CASTLING, 0, "e1e1"), "is not legal in"), (stem(CASTLING, 0, "e1d1"), None), (stem(CASTLING, 2, "e1h1"), None),
    (stem(CASTLING, 2, "e1a1"), None), (stem(CASTLING, 0, "e1g1"), "the move e1g1 is not legal in"),
    (stem(CASTLING, 0, "e1c1"), "the move e1c1 is not legal in"), (stem(CASTLING, 2, "e1d1"), None),
    (stem(CASTLING, 2, "e1e2"), "as castling is not legal in"), (stem(CASTLING, 3, "e1e2"), "en passant is not legal in"),
    (stem("3rk3/8/8/8/8/8/8/4K2R w - - 0 1", 0, "e1d1"), "is not legal in"),
    (stem("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 0, "e1d1"), "is not legal in"),
    (stem("4k3/8/8/8/8/8/8/3qK3 w - - 0 1", 0, "e1d1"), None),
    (stem("3rk3/8/8/8/8/8/8/3qK3 w - - 0 1", 0, "e1d1"), "is not legal in"),
    (stem("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 1, "e1e2"), "with a promotion is not legal in"),
    (stem("4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1", 0, "e5e6", {1: 12, 3: 12}),
        "two pawns can be captured en passant, expected one at most"),
    (stem("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 3, "e5d6", {1: 12}), None),
    (stem("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 0, "e5d6", {1: 12}),
                                                                          "is not legal in"),
    (stem("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", 0, "d1d2", {0: 13}), "but the king is not on e1 or e8, expected ordinary chess"),
    (stem("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, "a1a1", left=3), "there is no move, but 3 positions that follow it"),
])
def test_stems(chunk, sentence):
    result = run("filter", "--quiet", "--from", "binpack", "--to", "tsv", stdin=chunk)
    if sentence is None:
        assert (result.returncode, result.stderr) == (0, b"") and result.stdout.count(b"\n") == 2
    else:
        assert result.returncode == 1 and sentence in result.stderr.decode() and result.stdout.count(b"\n") < 2


def test_a_chunk_behind_which_is_none():
    """It is passed over up to the next one, wherever blocks end, and told of once for each MiB."""
    good = stem(CASTLING, 0, "e1d1")
    for rest in (b"x" * 600000, b"BINP\xff\xff\xff\xff" + b"x" * 600000, b"x" * (5 << 19)):
        result = run("convert", "--quiet", "--lose", "all", "--from", "binpack", "--to", "fen", stdin=good + rest + good)
        assert result.returncode == 1 and result.stdout.count(b"\n") == 2
        passed = [int(n) for n in re.findall(rb"(\d+) bytes are passed over", result.stderr)]
        assert sum(passed) == len(rest) and len(passed) == -(-len(rest) >> 20) == result.stderr.count(b"\n")
