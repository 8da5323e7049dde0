"""Files of records given to eval, map, compare and verify: what is evaluated, and what is refused.

Held against what the commands say of lines that formats_support.py makes of the same records.
"""
import os

import pytest

from formats_support import Row, decode_bullet, decode_games, decode_marlin, decode_plain, encode_plain, sample
from pipeline_support import DATA, QUIET, ROOK_TAKES_PAWN, WRITERS, compress, evaluate, fails, make_records, run, says

FILES = {"own.plain": "plain", "own.binpack": "binpack", "own.vf": "viriformat", "own-marlin.bin": "marlinformat",
         "own-bullet.bin": "bulletformat"}


def rows_of(name):
    """The records of a sample, read in Python. The binpack has those of the plain text."""
    data = sample(name)
    decode = {"own-marlin.bin": decode_marlin, "own-bullet.bin": decode_bullet}.get(name)
    if decode is not None:
        return [decode(data[at:at + 32]) for at in range(0, len(data), 32)]
    return decode_games(data) if name == "own.vf" else decode_plain(sample("own.plain").decode())


def output(*arguments, **more):
    result = run(*arguments, **more)
    assert (result.returncode, result.stderr) == (0, b""), result.stderr
    return result.stdout


def lines(rows, moves=True):
    return "".join(row.fen + (f"\t{row.move}" if moves and row.move else "") + "\n" for row in rows)


@pytest.mark.parametrize("name", sorted(FILES))
def test_samples(name):
    rows, path = rows_of(name), os.path.join(DATA, "formats", name)
    of = ["--from", FILES[name], path]
    assert output("eval", *of) == output("eval", stdin=lines(rows))
    for moves in ("captures", "all"):
        for command in (["eval"], ["compare", "--rules", "legal", "--rules", "swap"]):
            assert output(*command, "--moves", moves, *of) == output(*command, "--moves", moves, stdin=lines(rows, False))
    compare = ["compare", "--rules", "swap", "--rules", "legal", "--format", "json"]
    assert output(*compare, *of) == output(*compare, stdin=lines(rows))
    assert output("map", "--format", "tsv", *of) == output("map", "--format", "tsv", stdin=lines(rows, False))


@pytest.mark.parametrize("form", sorted(set(WRITERS) - {"epd"}))
def test_text_keeps_its_spelling(form, tmp_path):
    rows = [Row(ROOK_TAKES_PAWN, "e1e5", 100, 1, 0), Row("4k3/8/8/8/8/8/8/4K2R  w  K -  0 1", "e1g1", 0, 1, 0)] + make_records(40)
    path = tmp_path / ("a." + form + ".gz")
    path.write_bytes(compress(WRITERS[form](rows).encode(), ".gz"))
    expected = output("eval", stdin=lines(rows, form != "scored"))
    assert output("eval", path) == output("eval", "--from", form, stdin=WRITERS[form](rows)) == expected
    lines_too = output("eval", "--moves", "all", path) if form != "fen" else expected
    assert lines_too == (output("eval", "--moves", "all", stdin=lines(rows, False)) if form != "fen" else expected)


def test_tabs_in_positions():
    line = '{"fen": "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w\\t- -"}\n'
    assert output("eval", "--from", "jsonl", stdin=line).decode() == ROOK_TAKES_PAWN + "\te1e5\t100\n"


def test_verify(tmp_path):
    rows = [row for row in make_records(300) if row.move]
    values = evaluate([row.fen for row in rows], [row.move for row in rows])
    for i, row in enumerate(rows):
        row.score = values[row.fen][row.move] + (i % 10 == 0)
    wrong = [(row.fen, row.move, str(row.score), str(row.score - 1)) for row in rows[::10]]
    # as it stands in the file: plain has the mover's score, which Row holds as White's
    for row_sign, name, text in [(1, "a.csv", WRITERS["csv"](rows)), (1, "a.jsonl", WRITERS["jsonl"](rows)),
                                 (-1, "a.plain", None)]:
        if text is None:
            turned = [Row(r.fen, r.move, r.score if r.fen.split()[1] == "w" else row_sign * r.score, r.result, r.ply) for r in rows]
            text = encode_plain(turned)
        (tmp_path / name).write_text(text)
        result = run("verify", "--from", name.partition(".")[2], tmp_path / name)
        *found, summary = result.stdout.decode().splitlines()
        assert result.returncode == 1 and summary.startswith(f"# checked {len(rows)}, equal {len(rows) - len(wrong)}, ")
        assert [tuple(line.split("\t")[1:]) for line in found] == wrong
    flags = "fen,move,score\n" + "".join(f"{r.fen},{r.move},{int(values[r.fen][r.move] >= 100)}\n" for r in rows)
    checked = f"# checked {len(rows)}, equal {len(rows)}, different 0, unreadable 0"
    assert output("verify", "--from", "csv", "--threshold", "100", stdin=flags).decode().startswith(checked)
    some = "fen,move,score\n" + f"{QUIET},e1g1,\n{QUIET},,0\n{QUIET},e1g1,2\n"
    result = run("verify", "--from", "csv", "--threshold", "1", stdin=some)
    says(1, result, "-:2: the record has no score", "-:3: the record has no move", "-:4: the score is 2, expected 0 or 1")


def test_bad_records_and_damage(tmp_path):
    rows = make_records(30)
    table = WRITERS["csv"](rows).splitlines(keepends=True)
    table[3] = table[3].replace(rows[2].fen, "nonsense")
    result = run("eval", "--from", "csv", stdin="".join(table))
    says(1, result, "-:4: ")
    assert result.stdout == output("eval", stdin=lines(rows[:2] + rows[3:]))
    many = "fen\n" + "x\n" * 70
    result = run("eval", "--from", "csv", stdin=many)
    says(1, result, "-: 70 complaints, 20 of them are not shown\n")
    assert result.stderr.count(b"\n") == 51
    cut = tmp_path / "cut.binpack"
    cut.write_bytes(sample("own.binpack")[:-5])
    result = run("map", "--format", "tsv", cut)
    assert result.returncode == 1 and result.stderr.count(b"\n") == 1 and result.stdout


@pytest.mark.parametrize("command, name, data, status, sentence", [
    ("eval", "a.bin", b"", 2, "a.bin: files with this ending are"),
    ("map", "a.fen.xz", b"", 2, "a.fen.xz: files that end with .xz cannot be decompressed"),
    ("eval", "a.txt", sample("own.binpack"), 1, "a.txt: it is a binpack, expected text, or the format binpack"),
    ("map", "a.fen", compress(b"x", ".gz"), 1, "a.fen: it is compressed by gzip, expected text"),
    ("verify", "a.txt", sample("own.binpack"), 1, "a.txt: it is a binpack"),
    ("verify", "a.marlin", b"", 2, "a.marlin: the format marlinformat has no move, expected"),
    ("verify", "a.pgn", b"", 2, "a.pgn: the format pgn has no score, expected"),
    ("eval", "a.csv", b"x,y\n1,2\n", 1, "a.csv: "),
])
def test_what_is_refused_is_told_once(command, name, data, status, sentence, tmp_path):
    (tmp_path / name).write_bytes(data)
    result = run(command, name, cwd=tmp_path)
    says(status, result, sentence)
    assert result.stderr.count(b"\n") == (2 if status == 2 else 1)
    assert result.stdout == b"" or command == "verify"


def test_compressed_lines(tmp_path):
    text = open(os.path.join(DATA, "games.fen"), "rb").read()
    for ending in (".gz", ".zst"):
        (tmp_path / ("a.fen" + ending)).write_bytes(compress(text, ending))
        assert output("eval", tmp_path / ("a.fen" + ending)) == output("eval", stdin=text)
    (tmp_path / "cut.txt.gz").write_bytes(compress(text, ".gz")[:-100])
    result = run("eval", tmp_path / "cut.txt.gz")
    says(1, result, "cut.txt.gz: after line ", "cut off")
    assert result.stdout


def test_map_of_an_argument(tmp_path):
    shown = output("map", "--fen", ROOK_TAKES_PAWN)
    assert output("map", ROOK_TAKES_PAWN) == shown
    fails(1, run("map", ROOK_TAKES_PAWN.replace("w", "x")), "position: ")
    fails(1, run("map", "/1/2/3/4/5/6/7/8 9"), "/1/2/3/4/5/6/7/8 9: cannot be opened")
    fails(2, run("map", "--fen", ROOK_TAKES_PAWN, ROOK_TAKES_PAWN), "there are both --fen and the file")
