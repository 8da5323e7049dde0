"""Nothing lost in silence: input that is output too, missing, damaged or cut off, and how much is said of it."""
import gzip
import os
import random
import re
import struct
import subprocess
import threading

import pytest

import binpack_support as binpack
from pipeline_support import BAD, QUIET, TOOL, as_table, compress, environment, make_records, run, says, well
from test_tool_binpack import STARTS, leaps, make_game

EPD = QUIET.replace(" 0 1", " hmvc 0; fmvn 1;\n")
ROOK = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"
PLAIN = f"fen {ROOK}\nmove e1e5\nscore 12\nply 0\nresult 1\ne\n"
READERS = [["eval"], ["map"], ["verify"], ["compare", "--rules", "swap", "--rules", "legal"], ["filter"], ["filter", "--count"],
           ["annotate"], ["stats"], ["convert", "--to", "jsonl"]]
IN_PIPELINE = [command for command in READERS if command[0] in ("filter", "annotate", "stats", "convert")]


def named(commands):
    return {"argvalues": commands, "ids": [" ".join(command[:2]) for command in commands]}


# ---- Standard output that is an input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", **named(READERS))
@pytest.mark.parametrize("mode", ["ab", "r+b"])
@pytest.mark.parametrize("text", ["", ROOK + "\n"])
def test_standard_output_is_an_input(command, mode, text, tmp_path):
    path, link = tmp_path / "x.fen", tmp_path / "y.fen"
    path.write_text(text)
    os.link(path, link)
    for names in ([path], [tmp_path / "no.fen", link], ["-"]):
        with open(path, mode) as output, open(path, "rb") as standard_input:
            result = run(*command, *names, stdout=output, stdin_file=standard_input)
        assert result.returncode == 2, result.stderr
        assert f"{names[-1]}: this file of the input is standard output too" in result.stderr.decode()
        assert path.read_text() == text
    with open(tmp_path / "z.fen", "wb") as output:
        assert run(*command, link, stdout=output).returncode in (0, 1)


def test_output_may_be_an_input(tmp_path):
    path = tmp_path / "x.fen"
    path.write_text(ROOK + "\n" + QUIET + "\n")
    with open(path, "ab") as output:  # nothing is written to it
        assert run("filter", "--keep", "any-capture", "--output", path, path, stdout=output).returncode == 0
    assert path.read_text() == ROOK + "\n"


# ---- Files that are not there ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", **named(READERS))
def test_missing_files_are_told_before_anything_is_read(command, tmp_path):
    (tmp_path / "directory.fen").mkdir()
    script = '"$@"; echo $?; cat'
    names = ["-", "no.fen", "directory.fen", "neither.fen"]
    result = subprocess.run(["sh", "-c", script, "sh", TOOL, *command, *names], input=ROOK.encode() + b"\n", cwd=tmp_path,
                            capture_output=True, env=environment(), timeout=60, check=True)
    assert result.stdout.decode() == f"1\n{ROOK}\n"  # standard input is there for the next program
    said = result.stderr.decode().splitlines()
    assert [line.split(": ")[1] for line in said] == names[1:] and "Is a directory" in said[1]


def test_headers_are_looked_at_first(tmp_path):
    good, bad, output = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"
    good.write_text(f"fen\n{QUIET}\n")
    for text, status, sentence in (("", 1, "it is empty"), ("x,y\n", 1, "has no column fen"), ("fen,x\n", 2, "header differs")):
        bad.write_text(text)
        for more in ([], ["--output", output]):
            result = run("filter", good, bad, *more)
            assert (result.returncode, result.stdout) == (status, b"") and sentence in result.stderr.decode()
            assert not output.exists() and result.stderr.count(b"\n") <= 2
    assert run("filter", "--count", good, bad).returncode == 0  # no table is written
    bad.write_text("fen,score\n")
    assert run("filter", "--count", "--keep", "score=1", bad, good).returncode == 1


def test_more_files_than_may_be_open(tmp_path):
    for i in range(100):
        (tmp_path / f"{i}.csv").write_text(f"fen\n{QUIET}\n")
    names = " ".join(f"{i}.csv" for i in range(100))
    result = subprocess.run(["sh", "-c", f'ulimit -n 12; "$0" filter --quiet {names}', TOOL], cwd=tmp_path, capture_output=True,
                            env=environment(), timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, b"") and result.stdout.decode() == "fen\n" + f"{QUIET}\n" * 100


def test_pipes_are_opened_in_turn(tmp_path):
    """One writer writes them one after another: who opens the second one first waits for ever. Nothing of them is taken."""
    names = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for name in names:
        os.mkfifo(name)

    def write():
        for i, name in enumerate(names):
            with open(name, "w", encoding="ascii") as pipe:
                pipe.write(f"fen,x\n{QUIET},{i}\n")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert well("filter", *names).decode() == f"fen,x\n{QUIET},0\n{QUIET},1\n"
    writer.join()


# ---- One table out of many files -------------------------------------------------------------------------------------------


def test_columns_of_all_files(tmp_path):
    fen, plain, output = tmp_path / "p.fen", tmp_path / "base.plain", tmp_path / "m.csv"
    fen.write_text(f"{QUIET}\te1e2\n")
    plain.write_text(PLAIN)
    assert run("convert", fen, plain, "--output", output).returncode == 0
    assert output.read_text() == f"fen,move,score,result,ply\n{QUIET},e1e2,,,\n{ROOK},e1e5,12,1.0,0\n"
    # the parts have the same columns, whatever they hold
    parts = [run("convert", fen, plain, "--part", f"{i}/2", "--to", "csv").stdout for i in (1, 2)]
    assert b"".join(parts) == output.read_bytes()


def test_mixed_tables_are_refused(tmp_path):
    table, plain, output = tmp_path / "a.csv", tmp_path / "b.plain", tmp_path / "m.csv"
    table.write_text(f"move,fen\ne1e2,{QUIET}\n")
    plain.write_text(PLAIN)
    for names, options, sentence in (([plain, table], ["--lose", "all"], "its header differs from that of"),
                                     ([table, plain], [], "score and result would be lost")):
        result = run("convert", *names, *options, "--output", output)
        assert result.returncode == 2 and not output.exists() and sentence in result.stderr.decode()
        assert run("convert", *names, *options, "--to", "csv").stdout == b""
    assert run("convert", table, plain, "--lose", "all", "--output", output).returncode == 0
    assert output.read_text() == f"move,fen\ne1e2,{QUIET}\ne1e5,{ROOK}\n"


# ---- Damage ----------------------------------------------------------------------------------------------------------------


def games(seed, n):
    chance = random.Random(seed)
    return [make_game(chance, STARTS[i % len(STARTS)], 20, leaps) for i in range(n)]


def chunk(seed, n=4):
    return binpack.chunk(b"".join(binpack.chain(game) for game in games(seed, n)))


def summary(result):
    found = re.search(rb"(\d+) positions? read.*?, (\d+) bad records?(?:, (\d+) bytes? passed over)?"
                      rb"(?:, at least (\d+) records? lost)?;", result.stderr)
    return [None if n is None else int(n) for n in found.groups()]


def test_a_damaged_chunk_and_one_that_is_cut_off_are_alike(tmp_path):
    """What can be read goes to standard output; a file appears only with --salvage."""
    whole = chunk(1) + chunk(2) + chunk(3)
    first = len(chunk(1))
    stem = bytearray(whole)
    stem[first + 8 + 28] |= 0xc0  # a result that is none, in the first stem of the second chunk
    path, output = tmp_path / "x.binpack", tmp_path / "y.plain"
    n = len(binpack.read(whole)[0])
    for data, lost in ((bytes(stem), len(chunk(2)) - 8), (whole[:-1], None), (whole[:first + 3], 3)):
        path.write_bytes(data)
        rows = binpack.read(data)[0]
        assert 0 < len(rows) < n
        result = run("filter", path, "--to", "fen", "--lose", "all")
        assert result.returncode == 1 and result.stdout.count(b"\n") == len(rows)
        read, _, passed, records = summary(result)
        assert read == len(rows) and (lost is None or passed == lost)
        assert records is None or 0 < records <= n - read
        refused = run("filter", path, "--lose", "all", "--output", output)
        assert refused.returncode == 1 and not output.exists() and b"with --salvage it would hold" in refused.stderr
        salvaged = run("filter", path, "--lose", "all", "--output", output, "--salvage")
        assert salvaged.returncode == 1 and output.read_text().count("fen ") == len(rows)
        output.unlink()


def test_what_is_lost_is_counted(tmp_path):
    """A stem with nothing wrong behind it but its result: its whole chain is known to be lost."""
    game = games(5, 1)[0]
    data = bytearray(binpack.chunk(binpack.chain(game)))
    data[8 + 28] |= 0xc0
    (tmp_path / "x.binpack").write_bytes(data)
    assert summary(run("filter", tmp_path / "x.binpack")) == [0, 1, len(data) - 8, len(game)]


@pytest.mark.parametrize("threads", [1, 3])
def test_reading_goes_on_at_the_next_chunk(threads, tmp_path):
    path = tmp_path / "x.binpack"
    parts = [chunk(seed, 40) for seed in range(5)]
    rows = [len(binpack.read(part)[0]) for part in parts] * 50
    parts *= 50
    assert len(b"".join(parts)) > 2 << 18  # more than a block
    for rubbish in (b"x" * 11, b"BINP" * 100, b"BIN", os.urandom(700000).replace(b"BINP", b"")):
        path.write_bytes(b"".join(parts[:9]) + rubbish + b"".join(parts[9:]))
        result = run("filter", "--count", "--threads", threads, path)
        assert result.returncode == 1 and int(result.stdout) == sum(rows)
        assert summary(result)[2] == len(rubbish)
    for lie in (1, 40, len(parts[4]) - 9, len(parts[4]) + 99, 1 << 20, 100 << 20, 1 << 31):
        path.write_bytes(b"".join(parts[:4]) + b"BINP" + struct.pack("<I", lie) + parts[4][8:] + b"".join(parts[5:]))
        result = run("filter", "--count", "--threads", threads, path)
        assert result.returncode == 1 and int(result.stdout) >= sum(rows) - rows[4]
        if lie in (len(parts[4]) + 99, 1 << 20, 100 << 20):  # another chunk is found where this one has to end
            assert int(result.stdout) == sum(rows) and b"but says that it has %d" % lie in result.stderr


def test_a_chunk_whose_head_is_cut_by_a_block(tmp_path):
    """Behind what is no chunk; blocks are read 256 KiB at a time."""
    path, good = tmp_path / "x.binpack", chunk(1)
    n = len(binpack.read(good)[0])
    for k in range(9):
        path.write_bytes(b"x" * ((1 << 18) - k) + good + bytes(1000))
        assert int(run("filter", "--count", path).stdout) == n, k


def test_games_and_records_that_are_cut_off(tmp_path):
    path, output = tmp_path / "x.vf", tmp_path / "y.fen"
    start = bytes.fromhex("ffff00000000ffff" "164225610000000088888888" "9ecaade9" "4000010000000100")
    move = struct.pack("<Hh", 6 | 21 << 6, 7)
    good = start + move + bytes(4)
    for data, lost in ((start + move * 5 + bytes(4) + good, 20), (good + start[:5], 5), (good + start + move + b"\0", 1)):
        path.write_bytes(data)  # the same move again is not legal
        result = run("filter", path, "--to", "fen", "--lose", "all")
        assert result.returncode == 1 and summary(result)[2] == lost, result.stderr
        assert summary(result)[3] == (4 if lost == 20 else None)
        assert run("filter", path, "--lose", "all", "--output", output).returncode == 1 and not output.exists()
        assert run("filter", path, "--lose", "all", "--output", output, "--salvage").returncode == 1 and output.exists()
        output.unlink()
    (tmp_path / "x.marlin").write_bytes(start * 3 + b"abc")
    assert summary(run("filter", tmp_path / "x.marlin")) == [3, 1, 3, None]
    assert run("filter", tmp_path / "x.marlin", "--output", tmp_path / "y.marlin").returncode == 1
    assert not (tmp_path / "y.marlin").exists()


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_bytes_that_are_cut_off(ending, tmp_path):
    path, output = tmp_path / ("x.csv" + ending), tmp_path / "y.csv"
    data = compress(as_table(make_records(3000), "csv").encode(), ending)
    path.write_bytes(data[:-5])
    assert run("filter", path, "--lose", "all", "--output", output).returncode == 1 and not output.exists()
    result = run("filter", path, "--lose", "all", "--output", output, "--salvage")
    assert result.returncode == 1 and output.exists() and b"the file was cut off" in result.stderr
    path.write_bytes(data[:5000] + bytes(30) + data[5030:])
    result = run("filter", path)
    assert result.returncode == 1 and 0 < summary(result)[2] <= len(data) + (1 << 20)


def test_a_bad_line_is_no_damage(tmp_path):
    path, output = tmp_path / "x.fen", tmp_path / "y.fen"
    path.write_text(f"{QUIET}\n{BAD}\n{ROOK}\n")
    result = run("filter", path, "--lose", "all", "--output", output)
    assert result.returncode == 1 and output.read_text() == f"{QUIET}\n{ROOK}\n" and summary(result) == [2, 1, None, None]
    path = tmp_path / "x.pgn"
    broken = '[Event "x"]\n\n1. e4 e4 1-0\n\n'
    path.write_text(broken + '[Event "y"]\n\n1. d4 1-0\n')
    result = run("filter", path, "--to", "fen", "--lose", "all", "--output", output)
    assert result.returncode == 1 and output.read_text().endswith("\td2d4\n") and summary(result) == [1, 1, len(broken), None]


# ---- Complaints ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", **named(READERS))
@pytest.mark.parametrize("n", [50, 51, 30000])
def test_complaints_are_counted(command, n, tmp_path):
    (tmp_path / "x.fen").write_text(BAD + "\n" + (BAD + "\n") * (n - 1))
    (tmp_path / "y.fen").write_text(BAD + "\n")
    result = run(*command, *(["--quiet"] if command in IN_PIPELINE else []), "x.fen", "y.fen", cwd=tmp_path)
    lines = result.stderr.decode().splitlines()
    told = [f"x.fen: {n} complaints, {n - 50} of them are not shown"] if n > 50 else []
    assert result.returncode == 1 and [line.split(":")[1] for line in lines[:50]] == [str(i + 1) for i in range(50)]
    assert lines[50:-1] == told and lines[-1].startswith("y.fen:1: ")


@pytest.mark.parametrize("n", [60, 30000])
def test_what_ends_the_run_is_shown(n):
    """Behind any number of complaints."""
    lines = f"{BAD} | 0 | 1.0\n" * n + f"{QUIET} bm Ke2; | 0 | 1.0\n"
    result = run("convert", "--from", "scored", "--to", "marlin", "--quiet", stdin=lines)
    assert result.returncode == 2 and f"-:{n + 1}: " in result.stderr.decode() and b"would be lost" in result.stderr
    assert result.stderr.count(b"\n") == 52


# ---- Compression -----------------------------------------------------------------------------------------------------------


def test_wide_windows(tmp_path):
    path = tmp_path / "x.fen.zst"
    path.write_bytes(subprocess.run(["zstd", "-q", "-c", "--ultra", "--long=31"], input=f"{QUIET}\n".encode(), stdout=subprocess.PIPE,
                                    check=True).stdout)
    assert well("filter", path).decode() == QUIET + "\n"
    # as a stream of unknown length, which says the size of its window
    streamed = subprocess.run(f"(sleep 0; echo '{QUIET}') | zstd -q -c --ultra --long=31", shell=True, stdout=subprocess.PIPE, check=True)
    path.write_bytes(streamed.stdout)
    if path.read_bytes()[4] & 0x20:
        pytest.skip("this zstd knows the length of a pipe")
    assert well("filter", path).decode() == QUIET + "\n"
    limited = subprocess.run(["sh", "-c", 'ulimit -v 1000000; "$0" filter --threads 1 "$1"', TOOL, path], capture_output=True,
                             env=environment(), timeout=60, check=False)
    if "AddressSanitizer" not in limited.stderr.decode():
        assert limited.returncode == 1 and b"needs a larger window than there is memory for" in limited.stderr


def test_zeros_behind_gzip(tmp_path):
    path, member = tmp_path / "x.fen.gz", gzip.compress(f"{QUIET}\n".encode())
    for padding in (1, 511, 300000):
        path.write_bytes(member + bytes(padding))
        assert well("filter", path).decode() == QUIET + "\n"
    path.write_bytes(member + bytes(100) + member)
    assert well("filter", path).decode() == 2 * (QUIET + "\n")
    for bad in (member + bytes(9) + b"x", bytes(9) + member, bytes(9)):
        path.write_bytes(bad)
        assert run("filter", path).returncode == 1


@pytest.mark.parametrize("name", ["x.fen.xz", "x.fen.BZ2", "x.svg.lz4", "x.zip"])
def test_unknown_compressions(name, tmp_path):
    path = tmp_path / name
    for command in (["filter", "--output", path], ["convert", "--to", "fen", "--output", path], ["stats", "--svg", path]):
        says(2, run(*command, stdin=QUIET + "\n"), "a compression that is not known, expected .gz, .zst or none")
        assert not path.exists()
    path.write_text(QUIET + "\n")
    says(2, run("filter", "--from", "fen", path), "cannot be decompressed, expected .gz, .zst or none")


# ---- Names -----------------------------------------------------------------------------------------------------------------


def test_endings_in_capitals(tmp_path):
    (tmp_path / "A.CSV.GZ").write_bytes(compress(f"fen\n{QUIET}\n".encode(), ".gz"))
    assert well("filter", "--output", "B.Fen.ZST", "A.CSV.GZ", cwd=tmp_path) == b""
    assert subprocess.run(["zstd", "-q", "-d", "-c", tmp_path / "B.Fen.ZST"], stdout=subprocess.PIPE, check=True).stdout.decode() == QUIET + "\n"
    assert b"files with this ending are marlinformat" in run("filter", "X.BIN", cwd=tmp_path).stderr


@pytest.mark.parametrize("name, text", [("epd", EPD), (".epd", EPD), ("EPD", EPD), (".fen", QUIET + "\n"),
                                        ("ndjson", '{"fen": "%s"}\n' % QUIET), ("JSONL", '{"fen": "%s"}\n' % QUIET)])
def test_endings_as_names_of_formats(name, text):
    assert well("filter", "--to", name, stdin=QUIET + "\n").decode() == text
    assert int(well("filter", "--from", name, "--count", stdin=text)) == 1


def test_further_names():
    for name in ("vf", "viri", "marlin", "bullet", "viriformat"):
        assert run("filter", "--from", name, "--count").returncode == 0
    assert run("filter", "--from", "gz").returncode == run("filter", "--from", ".").returncode == 2


# ---- Options given twice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [
    "eval --rules swap --rules legal", "eval --values 1,2,3,4,5 --values 1,2,3,4,5", "eval --kernel scalar --kernel scalar",
    "eval --format tsv --format json", "eval --moves all --moves all", "eval --threshold 1 --threshold 2",
    "eval --notation uci --notation san", "map --fen x --fen y", "compare --rules swap --rules legal --examples 1 --examples 2",
    "compare --rules swap --rules legal --nodes 1 --nodes 2", "filter --output a.fen --output b.fen", "filter --to fen --to csv",
    "filter --from fen --from csv", "filter --threads 1 --threads 2", "filter --part 1/2 --part 2/2", "filter --sample 1 --sample 0",
    "filter --seed 1 --seed 2", "annotate --columns equal --columns losing", "stats --svg a.svg --svg b.svg", "stats --bin 1 --bin 2",
    "stats --against swap --against legal", "selftest --seed 1 --seed 2"])
def test_options_given_twice(arguments, tmp_path):
    result = run(*arguments.split(), stdin=QUIET + "\n", cwd=tmp_path)
    option = [word for word in arguments.split() if word.startswith("--")][-1]
    assert result.returncode == 2 and f"{option} was given twice, expected it once" in result.stderr.decode()
    assert result.stdout == b"" and not os.listdir(tmp_path)


def test_options_that_add_up():
    assert well("filter", "--keep", "in-check", "--keep", "any-capture", "--drop", "capture", "--drop", "promotion", "--invert",
                stdin=QUIET + "\n").decode() == QUIET + "\n"
    assert run("convert", "--to", "fen", "--lose", "move", "--lose", "ply", stdin=QUIET + "\n").returncode == 0


# ---- The last line ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", **named(READERS))
def test_a_last_line_without_line_feed(command):
    quiet = ["--quiet"] if command in IN_PIPELINE else []
    lines = f"{ROOK}; e1e5; 100\n" * 2 if command == ["verify"] else f"{ROOK}\n" * 2
    whole, cut = run(*command, *quiet, stdin=lines), run(*command, *quiet, stdin=lines[:-1])
    assert (whole.returncode, whole.stderr) == (0, b"") and cut.returncode == 0
    assert cut.stdout == whole.stdout
    assert cut.stderr == b"-:2: warning: the last line has no line feed at its end, the file may have been cut off\n"
    if command in IN_PIPELINE:
        strict = run(*command, *quiet, "--strict", stdin=lines[:-1])
        assert strict.returncode == 1 and b"-:2: the last line has no line feed" in strict.stderr
        assert strict.stdout.count(ROOK.encode()) == (command[-1] not in ("--count", "stats"))


@pytest.mark.parametrize("form, line, field", [
    ("scored", f"{QUIET} | 12 | 1.", None), ("scored", f"{QUIET} | 12 | 1", "result, is '1'"), ("scored", f"{QUIET} | 1", None),
    ("csv", f"{QUIET},1", "Score, is '1'"), ("tsv", f"{QUIET}\t-", None), ("tsv", f"{QUIET}\t-1\r", "Score, is '-1"),
    ("jsonl", '{"fen": "%s"}' % QUIET, ""), ("fen", QUIET, "")])
def test_the_last_field_is_named(form, line, field):
    head = {"csv": "fen,Score\n", "tsv": "fen\tScore\n"}.get(form, "")
    result = run("filter", "--quiet", "--from", form, stdin=head + line)
    warnings = [text for text in result.stderr.decode().splitlines() if ": warning: " in text]
    assert len(warnings) == 1 and result.returncode == (field is None)
    assert ("; its last field, " + field in warnings[0]) if field else "last field" not in warnings[0]
    assert result.stdout.decode() == head + (line + "\n" if field is not None else "")


def test_plain_text_and_games_without_last_line_feed():
    for form, text in (("plain", PLAIN), ("pgn", '[Event "x"]\n\n1. e4 1-0\n')):
        whole, cut = (run("filter", "--quiet", "--from", form, "--to", "jsonl", stdin=data) for data in (text, text[:-1]))
        assert cut.stdout == whole.stdout != b"" and cut.returncode == 0 and cut.stderr.count(b": warning: the last line") == 1
        strict = run("filter", "--quiet", "--strict", "--from", form, "--to", "jsonl", stdin=text[:-1])
        assert (strict.returncode, strict.stdout) == (1, b"")
