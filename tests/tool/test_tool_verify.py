"""`seebatch verify`: which lines it reads, which differences it prints, and how it ends. And moves in SAN, which all
commands read and write."""
import json
import os
import re
import subprocess

import pytest

from formats_support import DATA
from pipeline_support import ROOK_TAKES_PAWN, TOOL, fails, says
from test_tool import KNIGHT_TAKES_PAWN, PINNED, available_kernels, cells, output, run

TWO_KNIGHTS = "8/8/1k6/8/8/2N1N3/2p1p1K1/3n4 w - -"
QUIET_KING = "4k3/8/8/8/8/8/8/4K3 w - -"
LEORIK = os.path.join(DATA, "suites", "leorik_see.epd")
ARASAN = os.path.join(DATA, "suites", "arasan_see.txt")
SUITE = os.path.join(os.path.dirname(__file__), "..", "..", "suite", "suite.tsv")


def verify(lines, *options, status=None):
    """The rows and the counts of the summary; where a status is given, the lines are readable and it ends with that."""
    result = run("verify", *options, stdin=lines)
    *rows, summary = result.stdout.decode().splitlines()
    assert summary.startswith("# checked ")
    counts = {word: int(n) for word, n in (part.split() for part in summary[2:].split(";")[0].split(", "))}
    assert counts["checked"] == counts["equal"] + counts["different"]
    assert counts["different"] == len(rows)
    assert counts["unreadable"] == len(result.stderr.splitlines())
    assert result.returncode == (1 if counts["different"] + counts["unreadable"] else 0)
    if status is not None:
        assert (result.stderr, result.returncode) == (b"", status)
    return [row.split("\t") for row in rows], counts


def is_equal(line, *options):
    """Whether a line that can be read has the expected answer."""
    rows, counts = verify(line, *options)
    assert counts["checked"] == 1, line
    return not rows


def test_nothing_to_check():
    """An engine that printed nothing would look as if it had passed."""
    for lines in ("", "# a comment\n\n"):
        for form in ("tsv", "json"):
            says(1, run("verify", "--format", form, stdin=lines), "nothing was checked, because the input has no answers")


# ---- Forms of lines --------------------------------------------------------------------------------------------------


# ---- Several moves of a position a line ------------------------------------------------------------------------------

TWO_CAPTURES = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"


@pytest.mark.parametrize("line", ["{};d3e5 g2b7 e2e5;-225 -225 -400", "{}; Nxe5 Bxb7 Rxe5 ;-225, -225,-400\r",
                                  "{};d3e5,g2b7,e2e5;-225,-225,-400"])
def test_several_moves_of_a_position(line):
    rows, counts = verify(line.format(TWO_CAPTURES), status=0)
    assert (rows, counts["checked"]) == ([], 3)
    wrong = line.replace("-400", "-75").format(TWO_CAPTURES)
    rows, counts = verify(wrong, status=1)
    assert rows == [["-:1", TWO_CAPTURES, "e2e5", "-75", "-400"]]


def test_flags_of_several_moves():
    rows, counts = verify(f"{TWO_CAPTURES};d3e5 g2b7 e2e5;1 1 1", "--threshold", "-300", status=1)
    assert counts["checked"] == 3 and [row[2] for row in rows] == ["e2e5"]


@pytest.mark.parametrize("line, said, checked", [
    ("{};d3e5 g2b7 e2e5;-225 -225", b"-:1: the line has 3 moves and 2 values, expected a value for each move", 0),
    ("{};d3e5 g2b7;-225 -225 0", b"-:1: the line has 2 moves and 3 values", 0),
    ("{};d3e5 g2b7;-225", b"-:1: the line has 2 moves and 1 value, expected", 0),
    ("{};d3e5 d3d4 e2e5;-225 0 -400", b"-:1: ", 2),
    ("{};d3e5 g2b7 e2e5;-225 much -400", b"-:1: 'much' is neither an integer", 2),
    ("8/8 w - -;d3e5 g2b7;0 0", b"-:1: ", 0),
])
def test_faults_in_several_moves(line, said, checked):
    """Each is named by its line and counted, and the rest is checked."""
    good = f"{TWO_CAPTURES};d3e5 g2b7;-225 -225"
    result = run("verify", stdin=line.format(TWO_CAPTURES) + "\n" + good)
    assert said in result.stderr and len(result.stderr.splitlines()) == 1
    assert result.stdout.startswith(b"# checked %d, equal %d, different 0, unreadable 1;" % (checked + 2, checked + 2))
    assert result.returncode == 1


def test_lists_longer_than_a_block():
    """4,096 moves fill a block, wherever the line is."""
    lines = [f"{TWO_CAPTURES};d3e5 g2b7 e2e5;-225 -225 {-400 if i != 1500 else 7}" for i in range(3000)]
    rows, counts = verify("\n".join(lines), status=1)
    assert counts["checked"] == 9000 and [row[0] for row in rows] == ["-:1501"]


def test_the_rules_that_fit_best_are_named():
    """The answers are those of swap, and legal was asked."""
    line = f"{PINNED};c3d5;-225\n{TWO_CAPTURES};d3e5 g2b7;-225 -225"
    result = run("verify", "--rules", "legal", stdin=line)
    assert result.stdout.splitlines()[-1].endswith(b"; with these values the rules swap fit best, 3 of 3 answers are equal")
    found = run("verify", "--rules", "legal", "--format", "json", stdin=line).stdout.splitlines()[-1]
    assert json.loads(found)["best"] == {"rules": "swap", "equal": 3, "of": 3}
    assert b"fit best" not in run("verify", "--rules", "swap", stdin=line).stdout


@pytest.mark.parametrize("line", [
    "{}; c3d5; 100", "{}; Nxd5; 100", "{};Nxd5;100;", "{}; Nxd5; 100; P", "{}; Nxd5; 100; a remark; and another; 1",
    "  {} ;\tNxd5;\t100;\tP ", "{} | c3d5 | 100 | P", "{}|Nxd5|100", "{}\tc3d5\t100", "{}\tNxd5\t100\tP",
    '"{}","Nxd5",100', '"{}", "Nxd5", 100', '"{}", "Nxd5", "100"', '"{}","Nxd5",SEE_VALUES[Pawn]',
    '  {{ "{}", "Nxd5", 100 }},', '("{}", "c3d5", P),', '["{}", "c3d5", 1 * P];', '{{"{}", "c3d5", (P)}}',
    '"{} | c3d5 | 100 | P",', '{{"{}; Nxd5; 100"}},', '"{} | c3d5 | 100"', "{} 0 1; Nxd5; 100",
    '{} bm Nxd5; id "x|y";\tNxd5\t100', "{}; Nxd5!?; +100", "{}; Nc3xd5; P", "{}; Nxd5+; 100",
])
def test_forms_with_a_value(line):
    given = line.format(PINNED)
    assert is_equal(given)
    assert not is_equal(given, "--rules", "swap")
    assert is_equal(given + "\r\n")


@pytest.mark.parametrize("line", ["{}; Nxd5; {}; {}", "{} | Nxd5 | {} | {} | remark", "{}\tc3d5\t{}\t{}",
                                  '"{}", "Nxd5", {}, {}', '{{"{}", "Nxd5", {}, {}}},'])
def test_forms_with_a_threshold(line):
    for threshold, flag in [(100, 1), (101, 0), ("P", "true"), ("P + 1", "FALSE"), (-32768, "True"), (32767, 0)]:
        assert is_equal(line.format(PINNED, threshold, flag))
    for threshold, flag in [(100, 0), (101, 1), ("P", "false"), ("P + 1", "true"), (-32768, "0"), (32767, 1)]:
        assert not is_equal(line.format(PINNED, threshold, flag))


@pytest.mark.parametrize("text, value", [
    ("0", 0), ("-0", 0), ("P", 1), ("p", 1), ("Pawn", 1), ("QUEEN", 90), ("-R", -50), ("+ N", 30), ("P - R + B", -17),
    ("N - (N + Q - P)", -89), ("2*R - Q", 10), ("R * 2 - Q", 10), ("2*(R - P)", 98), ("-(P + P)", -2), ("P+99", 100),
    ("((((B))))", 32), ("2*Scoring::SEE_PIECE_VALUES[Rook]-Scoring::SEE_PIECE_VALUES[Queen]", 10),
    ("value[PieceType::Knight] - value[ P ]", None), ("value[PieceType::Knight]-value[p]", 29), ("Piece.Pawn", 1),
    ("1 - 2 - 3", -4), ("1000000000", 10**9),
])
def test_values_as_sums(text, value):
    """Whatever the value of the move is, the difference shows how the text was read."""
    line = f"{QUIET_KING}; e1d1; {text}"
    if value is None:
        result = run("verify", stdin=line)
        assert b"unreadable 1" in result.stdout and b"expected a number, a piece" in result.stderr
        return
    rows, _ = verify(line, "--values", "1,30,32,50,90")
    assert [row[3:] for row in rows] == ([[str(value), "0"]] if value else [])


def test_sums_follow_the_table():
    for values in ("100,325,325,500,1000", "100,300,300,500,900", "1,3,3,5,9"):
        verify(f"{KNIGHT_TAKES_PAWN}; Nxe5; P - N\n", "--rules", "swap", "--values", values, status=0)
    rows, _ = verify(f"{KNIGHT_TAKES_PAWN}; Nxe5; -225", "--rules", "swap", "--values", "1,3,3,5,9", status=1)
    assert rows == [["-:1", KNIGHT_TAKES_PAWN, "d3e5", "-225", "-2"]]


def test_threshold_for_all_lines():
    lines = f"{PINNED}; Nxd5; 1\n{PINNED}; Nxd5; 101; 0\n{PINNED}\tc3d5\ttrue\n"
    verify(lines, "--threshold", "100", status=0)
    assert [row[3:] for row in verify(lines, "--threshold", "101", status=1)[0]] == [[">=101", "<101"]] * 2
    says(1, run("verify", "--threshold", "0", stdin=f"{PINNED}; Nxd5; 100"),
         "-:1: '100' is not a flag, expected 0, 1, false or true with --threshold\n")


@pytest.mark.parametrize("rules", ["swap", "legal", "stockfish"])
@pytest.mark.parametrize("options", [["--moves", "all"], ["--threshold", "0"], ["--notation", "san"]])
def test_what_eval_writes_is_equal(rules, options):
    """Over more than one block, by every kernel."""
    with open(os.path.join(DATA, "games.fen"), encoding="ascii") as file:
        lines = run("eval", "--rules", rules, *options, stdin=file.read()).stdout
    threshold = options if "--threshold" in options else []
    for kernel in available_kernels():
        _, counts = verify(lines, "--rules", rules, "--kernel", kernel, *threshold, status=0)
        assert counts["checked"] == len(lines.splitlines()) > 3000


# ---- Output ----------------------------------------------------------------------------------------------------------


def test_rows_and_summary():
    lines = f"# comment\n{PINNED}; Nxd5; -225\n\n{PINNED}; Nxd5; 100\n{ROOK_TAKES_PAWN}; Rxe5; 101; 1\n{ROOK_TAKES_PAWN}; e1e5; 100; 0\n"
    result = run("verify", stdin=lines)
    assert result.stdout.decode() == (
        f"-:2\t{PINNED}\tc3d5\t-225\t100\n"
        f"-:5\t{ROOK_TAKES_PAWN}\te1e5\t>=101\t<101\n"
        f"-:6\t{ROOK_TAKES_PAWN}\te1e5\t<100\t>=100\n"
        "# checked 4, equal 1, different 3, unreadable 0; rules legal, values 100,325,325,500,1000\n")
    assert (result.returncode, result.stderr) == (1, b"")


def test_moves_that_pass_are_counted():
    lines = "4k3/8/8/8/8/8/8/4K2R w K -; O-O; 32767\n4k3/8/8/8/8/8/8/4K2R w K -; Rh8; 0\n"
    assert output("verify", "--rules", "reckless", stdin=lines) == (
        "# checked 2, equal 2, different 0, unreadable 0, passing at any threshold 1; rules reckless, values 100,325,325,500,1000\n")


def test_json():
    lines = f"{PINNED}; Nxd5; -225\n{ROOK_TAKES_PAWN}; Rxe5; 101; 1\n"
    result = run("verify", "--format", "json", "--trace", "--notation", "san", stdin=lines)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"file": "-", "line": 1, "position": PINNED, "move": "Nxd5", "expected": -225, "got": 100,
         "trace": [{"capture": "Nc3xd5", "gain": 100, "best": 100}]},
        {"file": "-", "line": 2, "position": ROOK_TAKES_PAWN, "move": "Rxe5", "threshold": 101, "expected": True,
         "got": False,
         "trace": [{"capture": "Re1xe5", "gain": 100, "best": 100}]},
        {"checked": 2, "equal": 0, "different": 2, "unreadable": 0, "passing": 0, "rules": "legal",
         "values": [100, 325, 325, 500, 1000], "best": {"rules": "swap", "equal": 1, "of": 2}}]
    assert result.returncode == 1


@pytest.mark.parametrize("line, trace", [
    # -75 is what White has if Black leaves the queen on e5; who takes it has 1075, so White gets -1075 from Qxe5
    (f"{KNIGHT_TAKES_PAWN}; Nxe5", "Nd3xe5 100/-225, Nd7xe5 225/225, Re2xe5 100/-400, Bf6xe5 400/400, Qe1xe5 -75/-1075, "
                                   "Qh8xe5 1075/1075"),
    (f"{KNIGHT_TAKES_PAWN}; Kd1", "Kc1-d1 0/0"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6; exd6", "e5xd6 100/100"),
    ("rn2k3/2P5/8/8/8/8/8/4K3 w - -; cxb8=Q", "c7xb8=Q 1225/225, Ra8xb8 -225/-225"),
    ("4k3/8/8/8/8/8/8/4K2R w K -; O-O", "none"),
])
def test_trace(line, trace):
    rows, _ = verify(line + "; 7777", "--rules", "promotions", "--trace", status=1)
    assert rows[0][5] == trace


def test_position_as_given_and_notation():
    given = '4k3/8/8/8/8/8/8/4K2R  w  K -  c0 "x; y";'
    rows, _ = verify(f"{given}\tO-O\t5\n", "--notation", "san")
    assert rows == [["-:1", given, "O-O", "5", "0"]]
    rows, _ = verify(f'"{PINNED}" , "Nxd5", 5')
    assert rows[0][1:3] == [PINNED, "c3d5"]


# ---- What cannot be read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line, sentence", [
    ("nonsense", "the line has 1 field, expected 'position; move; value' or 'position; move; threshold; flag'"),
    (PINNED + "; Nxd5", "the line has 2 fields"),
    ('"' + PINNED + '"', "the line has 1 field"),
    (PINNED + "; Nxd5; ", "the value is missing, expected an integer, or a sum of pieces such as P - N"),
    (PINNED + "; Nxd5; 1.5", "'1.5' is neither an integer nor a sum of pieces: expected +, -, * or the end at '.5'"),
    (PINNED + "; Nxd5; P -", "expected a number, a piece (P, N, B, R, Q or its name) or ( at the end"),
    (PINNED + "; Nxd5; K", "expected a number, a piece"),
    (PINNED + "; Nxd5; Pawns", "expected a number, a piece"),
    (PINNED + "; Nxd5; 2P", "expected +, -, * or the end at 'P'"),
    (PINNED + "; Nxd5; (P", "expected +, -, * or ) at the end"),
    (PINNED + "; Nxd5; P)", "expected +, -, * or the end at ')'"),
    (PINNED + "; Nxd5; V[P", "expected ] at the end"),
    (PINNED + "; Nxd5; 10000000000", "expected no more than a billion"),
    (PINNED + "; Nxd5; 1000000000*1000000000*1000000000", "expected no more than a billion"),
    (PINNED + "; Nxd5; " + "(" * 100 + "P" + ")" * 100, "expected fewer parentheses"),
    (PINNED + "; Nxd5; 32768; 1", "the threshold is 32768, expected one from -32768 to 32767"),
    (PINNED + "; Nxd5; \x1b[31m", "'\\x1b[31m' is neither"),
    (PINNED + "; ; 5", "'' is not a move"),
    (PINNED + "; Nxd6; 5", "'Nxd6' is not a legal move here"),
    (PINNED + "; c3c4; 5", "'c3c4' is not a legal move here"),
    (TWO_KNIGHTS + "; Nxd1; 5", "'Nxd1' can be 2 moves here, expected Ncxd1 or Nexd1"),
    ("8/8 w - -; Nxd5; 5", "rank"),
    ("\0", "byte 1 of the line is NUL"),
])
def test_unreadable(line, sentence):
    result = run("verify", stdin=f"{PINNED}; Nxd5; 100\n{line}\n{PINNED}; Nxd5; 100\n")
    assert result.stdout == b"# checked 2, equal 2, different 0, unreadable 1; rules legal, values 100,325,325,500,1000\n"
    assert result.returncode == 1
    error = result.stderr.decode()
    assert error.startswith("-:2: ") and sentence in error and error.count("\n") == 1 and len(error) < 300


CHECKED = "4k3/8/8/8/1n2R2p/8/8/4K3 w - -"  # the rook attacks the king of the side not to move


@pytest.mark.parametrize("line, reads", [
    (CHECKED + "; Rxh4; 100", True), (CHECKED + "; e4h4; 100", True), (CHECKED + "; Rxb4+; 325", True),
    (CHECKED + "; R4xb4; N", True), ("4k3/8/8/8/1n2R2p/8/8/R3K3 w Q - 0 1; Re4xh4; 100", True),
    ("1R2k3/8/8/8/1n2R3/8/8/4K3 w - -; Rxb4; 325", False), ("1R2k3/8/8/8/1n2R3/8/8/4K3 w - -; Rbxb4; 325", True),
    (CHECKED + "; Rxe8; 0", False), (CHECKED + "; Nxh4; 0", False), (CHECKED + "; e4; 0", False),
    (CHECKED + "; ; 0", False), (CHECKED.replace("4K3", "4r3") + "; Rxh4; 0", False),
    ("4k3/8/8/8/4R2p/8/8/r3K3 w - -; Rxh4; 100", False),  # both are in check
    ("4r2k/8/8/8/4N1p1/8/8/4K3 w - -; Nc5; 0", True), ("4r2k/8/8/2p5/4N3/8/8/4K3 w - -; e4c5; 100", True),  # pinned
    ("3rk3/4P3/8/8/8/8/8/r3K3 w - -; exd8=Q; 400", True), ("3rk3/4P3/8/8/8/8/8/r3K3 w - -; e7d8q; 400", True),
    ("3rk3/4P3/8/8/8/8/8/r3K3 w - -; e7d8b; 400", True), ("3rk3/4P3/8/8/8/8/8/r3K3 w - -; e7xd8=n; 400", True),
    ("3rk3/4P3/8/8/8/8/8/r3K3 w - -; e7d8; 0", False), ("4k3/8/8/8/8/8/8/r3K2R w K -; O-O; 0", False),
])
def test_lenient(line, reads):
    result = run("verify", "--rules", "promotions", stdin=line + "\n")
    assert result.returncode == 1 and result.stdout.startswith(b"# checked 0, ")
    result = run("verify", "--rules", "promotions", "--lenient", stdin=line + "\n")
    n = int(reads)
    assert result.stdout.decode().startswith(f"# checked {n}, equal {n}, different 0, unreadable {1 - n}, not sound {n}; ")
    assert result.returncode == result.stderr.count(b"\n") == 1 - n


def test_lenient_summary():
    lines = f"{CHECKED}; Rxh4; 100\n{PINNED}; Nxd5; -225\n{CHECKED}; Rxh4; 101\n"
    row, summary = map(json.loads, run("verify", "--lenient", "--rules", "swap", "--format", "json", "--trace", stdin=lines).stdout.splitlines())
    assert (summary["checked"], summary["equal"], summary["unsound"], row["got"]) == (3, 2, 2, 100)


def test_files_whose_names_json_cannot_hold(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(path, "wb") as file:
        file.write(f"{PINNED}; c3d5; 100\n".encode())
    says(1, run("verify", "--format", "json", path), "is not valid UTF-8, as JSON needs")
    assert output("verify", path).startswith("# checked 1, equal 1")


# ---- The published suites --------------------------------------------------------------------------------------------


def table(name):
    with open(os.path.join(DATA, "suites", name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


@pytest.mark.parametrize("suite, path, values",
                         [("leorik", LEORIK, "100,300,300,500,900"), ("arasan", ARASAN, "100,325,325,500,1000")])
@pytest.mark.parametrize("rules", ["promotions", "legal"])
def test_published_suites(suite, path, values, rules):
    """Every line has the published value, or the one that differences.tsv explains; what cannot be played stands in unplayable.tsv,
    and is played as it says there. Line 72 of leorik is ambiguous: both moves have the published value."""
    result = run("verify", "--rules", rules, "--values", values, path)
    rows = [row.split("\t") for row in result.stdout.decode().splitlines()[:-1]]
    explained = [(int(row[1]), row[3],
                  row[4]) for row in table("differences.tsv") if row[0] == suite and row[2] == rules]
    assert [(int(row[0].rsplit(":", 1)[1]), row[3], row[4]) for row in rows] == explained
    unplayable = {int(row[1]): (row[2], [row[3]]) for row in table("unplayable.tsv") if row[0] == suite}
    if suite == "leorik":
        unplayable[72] = (TWO_KNIGHTS, ["Ncxd1", "Nexd1"])
    assert [int(error.split(b":")[1]) for error in result.stderr.splitlines() if b" warning: " not in error] == sorted(unplayable)
    lines = open(path, encoding="utf-8").read().splitlines()
    for number, (position, moves) in unplayable.items():
        value = re.split("[;,]", lines[number - 1])[2]
        for move in moves:
            assert is_equal(f"{position}; {move}; {value}", "--rules", rules, "--values", values)


def test_example_of_the_manual():
    """As it is printed there."""
    with open(os.path.join(DATA, "..", "..", "docs", "seebatch.1"), encoding="ascii") as file:
        lines = [line.strip() for line in file if line.startswith("printf") and "seebatch verify" in line]
    assert len(lines) == 1
    command = lines[0].replace("\\(aq", "'").replace("\\-", "-").replace("\\e", "\\").replace("seebatch", f"'{TOOL}'")
    result = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert result.stdout.decode() == (
        f"-:1\t{PINNED}\tc3d5\t-225\t100\tNc3xd5 100/100\n"
        "# checked 2, equal 1, different 1, unreadable 0; rules legal, values 100,325,325,500,1000; "
        "with these values the rules swap fit best, 2 of 2 answers are equal\n")
    assert (result.returncode, result.stderr) == (1, b"")


# ---- SAN in the other commands ---------------------------------------------------------------------------------------

TWO = ["compare", "--rules", "swap", "--rules", "legal", "--notation", "san"]


def test_san():
    rows = output("eval", "--rules", "swap", "--notation", "san", stdin=KNIGHT_TAKES_PAWN)
    assert list(zip(cells(rows, 1), cells(rows, 2))) == [("Nxe5", "-225"), ("Bxb7", "-225"), ("Rxe5", "-400")]
    rows = output("eval", "--notation", "san", "--format", "json", stdin="1n2k3/P7/8/8/8/8/8/4K3 w - -")
    assert sorted(json.loads(line)["move"] for line in rows.splitlines()) == ["axb8=B", "axb8=N", "axb8=Q+", "axb8=R+"]
    named = output("eval", stdin=f"{KNIGHT_TAKES_PAWN}\tNxe5 d3e5 Nd3xe5!? Kd1\n")
    assert cells(named, 1) == ["d3e5", "d3e5", "d3e5", "c1d1"]
    by_san = output("explain", KNIGHT_TAKES_PAWN, "Nxe5")
    assert by_san == output("explain", KNIGHT_TAKES_PAWN, "d3e5") and "white moves d3e5\n" in by_san
    assert "white moves Nxe5\n" in output("explain", "--notation", "san", KNIGHT_TAKES_PAWN, "d3e5")
    assert output(*TWO, "--format", "tsv", stdin=f"{PINNED}\tNxd5\n") == f"{PINNED}\tNxd5\t-225\t100\tpin\n"
    assert "  Nxd5  swap -225, legal 100\n" in output(*TWO, stdin=PINNED)


def test_san_that_is_refused():
    result = run("eval", stdin=f"{TWO_KNIGHTS}\tNxd1 Ncxd1 Nf9\n")
    assert cells(result.stdout.decode(), 1) == ["c3d1"] and result.stderr.count(b"\n") == 2
    says(1, result, "-:1: 'Nxd1' can be 2 moves here, expected Ncxd1 or Nexd1\n",
         "-:1: 'Nf9' is not a move, expected UCI such as e2e4 or e7e8q, or SAN such as")
    fails(1, run("explain", KNIGHT_TAKES_PAWN, "Nxe6"), "move: 'Nxe6' is not a legal move here, expected one of ")


# ---- Answers to the suite of features --------------------------------------------------------------------------------


def suite_answers(rules, values="100,325,325,500,1000"):
    with open(SUITE) as file:
        asked = ["\t".join(line.split("\t")[2:4]) for line in file][1:]
    return output("eval", "--rules", rules, "--values", values, stdin="\n".join(asked))


def suite_verdict(answers, *options):
    result = run("verify", "--suite", SUITE, *options, stdin=answers)
    *rows, summary = result.stdout.decode().splitlines()
    return rows, summary, result.returncode


@pytest.mark.parametrize("rules", ["legal", "swap", "stockfish", "plentychess", "monty"])
@pytest.mark.parametrize("values", ["100,325,325,500,1000", "208,781,825,1276,2538"])
def test_suite_passes(rules, values):
    rows, summary, status = suite_verdict(suite_answers(rules, values), "--rules", rules, "--values", values)
    assert (rows, status) == ([], 0) and summary.startswith("# answered 164, failed 0, unanswered 0, refused ")


def test_suite_names_the_features_that_fail():
    rows, summary, status = suite_verdict(suite_answers("legal"), "--rules", "monty")
    assert status == 1 and "answered 164, failed 4, unanswered 0" in summary
    assert [row for row in rows if row.startswith("#")] == ["# en-passant-reply fails: 4 of 6 positions"]
    assert rows[0].split("\t")[1:6] == ["en-passant-reply-1", "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", "0", "-100 = -P"]
    objects = suite_verdict(suite_answers("legal"), "--rules", "monty", "--format", "json")[0]
    assert [json.loads(line)["feature"] for line in objects] == 4 * ["en-passant-reply"]


def from_the_other_side(line):
    """A line of answers, about the same board with ranks and colours exchanged."""
    fen, move, rest = line.split("\t", 2)
    board, stm, castling, ep = fen.split()[:4]
    board = "/".join(rank.swapcase() for rank in reversed(board.split("/")))
    turned = lambda text: "".join(str(9 - int(c)) if c.isdigit() else c for c in text)
    castling = castling if castling == "-" else "".join(sorted(castling.swapcase()))
    return f"{board} {'b' if stm == 'w' else 'w'} {castling} {turned(ep)}\t{turned(move)}\t{rest}"


@pytest.mark.parametrize("rules", ["swap", "ethereal", "stockfish", "plentychess"])
def test_an_engine_that_counts_squares_from_a8(rules):
    """Such an engine answers what this library answers about the board from the other side."""
    lines = suite_answers("swap").splitlines()
    asked = "".join(from_the_other_side(line) + "\n" for line in lines)
    asked = "".join(line.rsplit("\t", 1)[0] + "\t12345\n" for line in asked.splitlines())
    rows = run("verify", "--rules", rules, stdin=asked).stdout.decode().splitlines()
    values = [row.split("\t")[4] for row in rows if not row.startswith("#")]
    assert len(values) == len(lines)
    answers = "".join(f"{line.rpartition(chr(9))[0]}\t{value}\n" for line, value in zip(lines, values))
    different = run("verify", "--rules", rules, stdin=answers)
    assert different.returncode == 1 and ", different 6," in different.stdout.decode()
    assert run("verify", "--rules", rules, "--a8-first", stdin=answers).returncode == 0
    assert "# like-pieces fails: 6 of 10" in run("verify", "--rules", rules, "--suite", SUITE, stdin=answers).stdout.decode()
    assert run("verify", "--rules", rules, "--suite", SUITE, "--a8-first", stdin=answers).returncode == 0
    fails(2, run("verify", "--rules", rules, "--a8-first", "--trace", stdin=""), "--trace counts squares from a1")


def test_suite_flags_and_what_is_missing():
    lines = f"{PINNED}; c3d5; 100; 1\n{PINNED}; c3d5; 101; 0\n{PINNED}; c3d5; 99; 0\n{QUIET_KING}; e1e2; 0\n"
    rows, summary, status = suite_verdict(lines)
    assert status == 1 and rows[0].split("\t")[4] == "<99"
    assert "answered 1, failed 1, unanswered 163, refused for their conditions 0; lines of no position of the suite 1," in summary
    assert "refused for their conditions 7;" in suite_verdict(lines, "--values", "84,239,256,506,744")[1]


def test_suite_with_a_wrong_exception(tmp_path):
    head = "id\tfeature\tposition\tmove\tcondition\twhy\tanswer\texcept\n"
    line = "a-1\ta\t4k3/8/8/4p3/8/8/8/4RK2 w - -\te1e5\t\tA pawn that hangs.\tP\t"
    path = tmp_path / "suite.tsv"
    for wrong in ("legal P - N", "legal:", "legal: ", "legal: P - N; monty", ": P"):
        path.write_text(f"{head}{line}{wrong}\n")
        fails(2, run("verify", "--suite", str(path), "--rules", "swap", stdin=""), "'a-1': the exception '", "is not one, expected rule sets")
    path.write_text(f"{head}{line}legal monty: P - N; swap: 0\n")
    answer = "4k3/8/8/4p3/8/8/8/4RK2 w - -; e1e5; 0\n"
    assert run("verify", "--suite", str(path), "--rules", "swap", stdin=answer).returncode == 0
    assert run("verify", "--suite", str(path), "--rules", "promotions", stdin=answer).returncode == 1


def test_suite_in_which_a_rule_set_is_as_another(tmp_path):
    columns = "id\tfeature\tposition\tmove\tcondition\twhy\tanswer\texcept"
    line = "a-1\ta\t4k3/8/8/4p3/8/8/8/4RK2 w - -\te1e5\t\tA pawn that hangs.\tP\tlegal: 0; reckless: N; swap: R\n"
    path = tmp_path / "suite.tsv"

    def verify(rules, value):
        return run("verify", "--suite", str(path), "--rules", rules, stdin=f"4k3/8/8/4p3/8/8/8/4RK2 w - -; e1e5; {value}\n")

    path.write_text(f"{columns}; monty as legal; reckless as swap\n{line}")
    for rules, value in (("legal", 0), ("monty", 0), ("swap", 500), ("reckless", 325), ("stockfish", 100)):
        assert verify(rules, value).returncode == 0 and verify(rules, value + 1).returncode == 1
    for wrong in ("; monty", "; monty as", "; monty like legal", "; monty as legal as swap", "; monty as legal reckless as swap"):
        path.write_text(f"{columns}{wrong}\n{line}")
        fails(2, verify("swap", 0), f"the first line ends with '{wrong[2:]}', expected rule sets")
    path.write_text(f"{columns} monty as legal\n{line}")
    fails(2, verify("swap", 0), "the first line does not name the columns of a suite")


def test_lines_that_are_too_long_are_unreadable():
    text = b"x" * ((16 << 20) + 1) + b"\n" + b"4k3/8/8/8/8/8/8/4K3 w - - 0 1; e1e2; 0\n"
    result = run("verify", stdin=text)
    assert b"# checked 1, equal 1, different 0, unreadable 1" in result.stdout and result.returncode == 1
    assert json.loads(run("identify", "--format", "json", stdin=text).stdout)["unreadable"] == 1
