"""Files of records given to eval, map, compare and verify: what is evaluated, and what is refused.

Held against what the commands say of lines that formats_support.py makes of the same records.
"""
import os

import pytest

from chess_support import Row
from formats_support import DATA, FORMATS, READERS, SAMPLES, WRITERS, sample
from pipeline_support import QUIET, ROOK_TAKES_PAWN, compress, evaluate, fails, make_records, run, says


def output(*arguments, **more):
    result = run(*arguments, **more)
    assert (result.returncode, result.stderr) == (0, b""), result.stderr
    return result.stdout


def lines(rows, moves=True):
    return "".join(row.fen + (f"\t{row.move}" if moves and row.move else "") + "\n" for row in rows)


@pytest.mark.parametrize("form", sorted(READERS))
def test_samples(form):
    rows, of = READERS[form](sample(form))[0], ["--from", form, os.path.join(DATA, "formats", SAMPLES[form])]
    compare, legal_map = ["compare", "--rules", "swap", "--rules", "legal"], ["map", "--format", "tsv"]
    for command in (["eval"], [*compare, "--format", "json"]):
        assert output(*command, *of) == output(*command, stdin=lines(rows))
    for command in (["eval", "--moves", "captures"], ["eval", "--moves", "all"], [*compare, "--moves", "all"],
                    legal_map):
        assert output(*command, *of) == output(*command, stdin=lines(rows, False))


@pytest.mark.parametrize("form", sorted(set(WRITERS) - {"epd"}))
def test_text_keeps_its_spelling(form, tmp_path):
    rows = [Row(ROOK_TAKES_PAWN, "e1e5", 100, 1, 0),
            Row("4k3/8/8/8/8/8/8/4K2R  w  K -  0 1", "e1g1", 0, 1, 0)] + make_records(40)
    path = tmp_path / f"a.{form}.gz"
    path.write_bytes(compress(WRITERS[form](rows).encode(), ".gz"))
    expected = output("eval", stdin=lines(rows, "move" in FORMATS[form].holds))
    assert output("eval", path) == output("eval", "--from", form, stdin=WRITERS[form](rows)) == expected
    assert output("eval", "--moves", "all",
                  path) == (expected if form == "fen" else output("eval", "--moves", "all", stdin=lines(rows, False)))


def test_tabs_in_positions():
    line = '{"fen": "%s"}\n' % ROOK_TAKES_PAWN.replace("w -", "w\\t-")
    assert output("eval", "--from", "jsonl", stdin=line).decode() == ROOK_TAKES_PAWN + "\te1e5\t100\n"


def test_verify():
    rows = [row for row in make_records(300) if row.move]
    values = evaluate([row.fen for row in rows], [row.move for row in rows])
    for i, row in enumerate(rows):
        row.score = values[row.fen][row.move] + (i % 10 == 0)
    wrong = [(row.fen, row.move, str(row.score), str(row.score - 1)) for row in rows[::10]]
    own = [Row(r.fen, r.move, r.sign() * r.score, r.result, r.ply) for r in rows]  # plain has the mover's
    for form, data in [("csv", WRITERS["csv"](rows)), ("jsonl", WRITERS["jsonl"](rows)),
                       ("plain", FORMATS["plain"].encode(own))]:
        result = run("verify", "--from", form, stdin=data)
        *found, summary = result.stdout.decode().splitlines()
        assert result.returncode == 1 and summary.startswith(f"# checked {len(rows)}, equal {len(rows) - len(wrong)}, ")
        assert [tuple(line.split("\t")[1:]) for line in found] == wrong
    flags = "fen,move,score\n" + "".join(f"{r.fen},{r.move},{int(values[r.fen][r.move] >= 100)}\n" for r in rows)
    checked = f"# checked {len(rows)}, equal {len(rows)}, different 0, unreadable 0"
    assert output("verify", "--from", "csv", "--threshold", "100", stdin=flags).decode().startswith(checked)
    some = f"fen,move,score\n{QUIET},e1g1,\n{QUIET},,0\n{QUIET},e1g1,2\n"
    says(1, run("verify", "--from", "csv", "--threshold", "1", stdin=some),
         "-:2: the record has no score", "-:3: the record has no move", "-:4: the score is 2, expected 0 or 1")


def test_bad_records_and_damage():
    rows = make_records(30)
    table = WRITERS["csv"](rows).splitlines(keepends=True)
    table[3] = table[3].replace(rows[2].fen, "nonsense")
    result = run("eval", "--from", "csv", stdin="".join(table))
    says(1, result, "-:4: ")
    assert result.stdout == output("eval", stdin=lines(rows[:2] + rows[3:]))
    result = run("eval", "--from", "csv", stdin="fen\n" + "x\n" * 70)
    says(1, result, "-:2: the pieces", "-: the error of line 2 was repeated 49 times, up to line 51\n",
         "-: 70 errors, 20 of them are not shown\n")
    assert result.stderr.count(b"\n") == 3
    result = run("eval", "--from", "csv", stdin="fen\n" + "".join(f"x{i}\n" for i in range(70)))
    says(1, result, "-:51: the pieces", "-: 70 errors, 20 of them are not shown\n")
    assert result.stderr.count(b"\n") == 51
    result = run("map", "--format", "tsv", "--from", "binpack", stdin=sample("binpack")[:-5])
    assert result.returncode == 1 and result.stderr.count(b"\n") == 1 and result.stdout


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"


@pytest.mark.parametrize("command, name, data, status, sentence", [
    ("eval", "a.bin", b"", 2, "a.bin: files with this extension are"),
    ("map", "a.fen.xz", b"", 2, "a.fen.xz: files that end with .xz cannot be decompressed"),
    ("eval", "a.txt", sample("binpack"), 1, "a.txt: it is a binpack, expected text; use --from binpack to read it as one"),
    ("map", "a.fen", compress(b"x\n", ".gz"), 1, "a.fen:1: the pieces 'x' have 1 rank"),
    ("eval", "a.csv", "fen\n".encode("utf-16"), 1, "a.csv: it is UTF-16, expected UTF-8"),
    ("eval", "a.fen", b"\xfe\xff\0008", 1, "a.fen: it is UTF-16, expected UTF-8"),
    *(("eval", name, LFS, 1, f"{name}: it is a pointer of Git LFS, expected the file itself")
      for name in ("a.fen", "a.binpack", "a.marlinformat", "a.csv.zst", "a.viriformat.gz")),
    ("filter --count", "a.binpack", LFS, 1, "a.binpack: it is a pointer of Git LFS"),
    ("verify", "a.txt", sample("binpack"), 1, "a.txt: it is a binpack"),
    ("verify", "a.marlin", b"", 2, "a.marlin: the format marlinformat has no move, expected"),
    ("eval", "a.csv", b"x,y\n1,2\n", 1, "a.csv: ")],
                         ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_refused_is_told_once(command, name, data, status, sentence, tmp_path):
    (tmp_path / name).write_bytes(data)
    result = run(*command.split(), name, cwd=tmp_path)
    says(status, result, sentence)
    assert result.stderr.count(b"\n") == (2 if status == 2 else 1)
    assert result.stdout == b"" or command == "verify"


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_lines(ending, tmp_path):
    with open(os.path.join(DATA, "games.fen"), "rb") as file:
        text = file.read()
    path = tmp_path / ("a.txt" + ending)
    path.write_bytes(compress(text, ending))
    assert output("eval", path) == output("eval", stdin=text)
    path.write_bytes(compress(text, ending)[:-100])
    result = run("eval", path)
    says(1, result, f"a.txt{ending}: after line " if ending == ".gz" else f"a.txt{ending}: ", "cut off")
    assert result.stdout or ending == ".zst"


def test_map_of_an_argument():
    assert output("map", ROOK_TAKES_PAWN) == output("map", "--fen", ROOK_TAKES_PAWN)
    fails(1, run("map", ROOK_TAKES_PAWN.replace("w", "x")), "position: ")
    fails(1, run("map", "/1/2/3/4/5/6/7/8 9"), "/1/2/3/4/5/6/7/8 9: cannot be opened")
