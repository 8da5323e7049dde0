"""Nothing lost in silence: input that is output too, missing, damaged or cut off, and how much is said of it."""
import gzip
import os
import random
import re
import subprocess
import threading
import zlib

import pytest

import binpack_support as binpack
from chess_support import START, Row
from formats_support import FORMATS, WRITERS, data_lines, encode_games
from pipeline_support import (BAD, QUIET, ROOK_TAKES_PAWN, SANITIZED, SEED, TOOL, compress, environment, fails, make_records, places, run,
                              says, times, well)
from test_tool_binpack import make_chunk

EPD = QUIET.replace(" 0 1", " hmvc 0; fmvn 1;\n")
ROOK = ROOK_TAKES_PAWN + " 0 1"
PLAIN = f"fen {ROOK}\nmove e1e5\nscore 12\nply 0\nresult 1\ne\n"
READERS = [["eval"], ["map"], ["verify"], ["compare", "--rules", "swap", "--rules", "legal"], ["filter"],
           ["filter", "--count"],
           ["annotate"], ["stats"], ["convert", "--to", "jsonl"]]
IN_PIPELINE = [command for command in READERS if command[0] in ("filter", "annotate", "stats", "convert")]
each_reader = pytest.mark.parametrize("command", READERS, ids=[" ".join(command[:2]) for command in READERS])


def quiet(command):
    return ["--quiet"] if command in IN_PIPELINE else []


# ---- Standard output that is an input --------------------------------------------------------------------------------------


@each_reader
@pytest.mark.parametrize("mode", ["ab", "r+b"])
@pytest.mark.parametrize("text", ["", ROOK + "\n"])
def test_standard_output_is_an_input(command, mode, text, tmp_path):
    path, link = tmp_path / "x.fen", tmp_path / "y.fen"
    path.write_text(text)
    os.link(path, link)
    for names in ([path], [tmp_path / "no.fen", link], ["-"]):
        with open(path, mode) as output, open(path, "rb") as standard_input:
            result = run(*command, *names, stdout=output, stdin_file=standard_input)
        says(2, result, f"{names[-1]}: this file of the input is standard output too")
        assert path.read_text() == text
    with open(tmp_path / "z.fen", "wb") as output:
        assert run(*command, link, stdout=output).returncode in (0, 1)


# ---- Files that are not there ----------------------------------------------------------------------------------------------


@each_reader
def test_missing_files_are_told_before_anything_is_read(command, tmp_path):
    (tmp_path / "directory.fen").mkdir()
    (tmp_path / "good.fen").write_text(ROOK + "\n")
    names = ["-", "no.fen", "directory.fen", "neither.fen", "good.fen"]
    result = subprocess.run(["sh", "-c", '"$@"; echo $?; cat', "sh", TOOL, *command, *names],
                            input=ROOK.encode() + b"\n", cwd=tmp_path,
                            capture_output=True, env=environment(), timeout=60, check=True)
    assert result.stdout.decode() == f"1\n{ROOK}\n"  # standard input is there for the next program
    said = result.stderr.decode().splitlines()
    assert [line.split(": ")[1] for line in said] == names[1:4] and "Is a directory" in said[1]


def test_headers_are_looked_at_first(tmp_path):
    good, bad, output = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"
    good.write_text(f"fen\n{QUIET}\n")
    for text, status, sentence in (("", 1, "it is empty"), ("x,y\n", 1, "has no column fen"),
                                   ("fen,x\n", 2, "header differs")):
        bad.write_text(text)
        for more in ([], ["--output", output]):
            result = run("filter", good, bad, *more)
            fails(status, result, sentence)
            assert not output.exists() and result.stderr.count(b"\n") <= 2
    assert run("filter", "--count", good, bad).returncode == 0  # no table is written
    bad.write_text("fen,score\n")
    assert run("filter", "--count", "--keep", "score=1", bad, good).returncode == 2


def test_more_files_than_may_be_open(tmp_path):
    names = [f"{i}.csv" for i in range(100)]
    for name in names:
        (tmp_path / name).write_text(f"fen\n{QUIET}\n")
    result = subprocess.run(["sh", "-c", 'ulimit -n 12; exec "$@"', "sh", TOOL, "filter", "--quiet", *names],
                            cwd=tmp_path,
                            capture_output=True, env=environment(), timeout=60, check=True)
    assert result.stderr == b"" and result.stdout.decode() == "fen\n" + f"{QUIET}\n" * 100


def test_pipes_are_opened_in_turn(tmp_path):
    """One writer writes them one after another: who opens the second one first waits for ever. Nothing of them is taken."""
    names = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for name in names:
        os.mkfifo(name)
    writer = threading.Thread(target=lambda: [name.write_text(f"fen,x\n{QUIET},{i}\n") for i, name in enumerate(names)],
                              daemon=True)
    writer.start()
    assert well("filter", *names).decode() == f"fen,x\n{QUIET},0\n{QUIET},1\n"
    writer.join()


@pytest.mark.parametrize("name", ("games", "games.fen", "games.fen.gz", "games.what"))
def test_a_file_that_is_not_there(name, tmp_path):
    """Whatever its name says of its format."""
    for command in (("filter", name), ("stats", name), ("convert", name, "--to", "csv"), ("filter", name, "--output", "out.csv")):
        fails(1, run(*command, cwd=tmp_path), f"{name}: cannot be opened: No such file or directory")
    assert not os.listdir(tmp_path)


# ---- One table out of many files -------------------------------------------------------------------------------------------


def test_one_table_of_many_files(tmp_path):
    fen, plain, table, output = (tmp_path / name for name in ("p.fen", "b.plain", "a.csv", "m.csv"))
    fen.write_text(f"{QUIET}\te1e2\n")
    plain.write_text(PLAIN)
    table.write_text(f"move,fen\ne1e2,{QUIET}\n")
    assert run("convert", fen, plain, "--output", output).returncode == 0
    assert output.read_text() == f"fen,move,score,result,ply\n{QUIET},e1e2,,,\n{ROOK},e1e5,12,1.0,0\n"
    # the parts have the same columns, whatever they hold
    assert b"".join(run("convert", fen, plain, "--part", f"{i}/2", "--to",
                        "csv").stdout for i in (1, 2)) == output.read_bytes()
    output.unlink()
    for names, options, sentence in (([plain, table], ["--lose", "all"], "its header differs from that of"),
                                     ([table, plain], [], "score and result would be lost")):
        says(2, run("convert", *names, *options, "--output", output), sentence)
        assert not output.exists() and run("convert", *names, *options, "--to", "csv").stdout == b""
    assert run("convert", table, plain, "--lose", "all", "--output", output).returncode == 0
    assert output.read_text() == f"move,fen\ne1e2,{QUIET}\ne1e5,{ROOK}\n"


# ---- Damage ----------------------------------------------------------------------------------------------------------------


def summary(result):
    """Positions read, bad records, bytes skipped, and the least number of records lost."""
    found = re.search(rb"(\d+) positions? read.*?, (\d+) bad records?(?:, (\d+) bytes? skipped)?"
                      rb"(?:, (?:at least|about) (\d+) records? lost)?;", result.stderr)
    return [None if n is None else int(n) for n in found.groups()]


GAMES = make_chunk(1) + make_chunk(2) + make_chunk(3)
FIRST, ALL = len(make_chunk(1)), len(binpack.read(GAMES)[0])
GAME = encode_games([Row(START, "g1f3", 7, 1)])
HEAD, PAIR, END = GAME[:32], GAME[32:36], GAME[36:]


def with_bad_result(data, at):
    """A chunk's first stem with a result that is none."""
    return data[:at + 36] + bytes([data[at + 36] | 0xc0]) + data[at + 37:]


@pytest.mark.parametrize("ending, data, read, lost, records", [
    # a chunk that is damaged and one that is cut off are alike
    ("binpack", with_bad_result(GAMES, FIRST), None, len(make_chunk(2)) - 8, None),
    ("binpack", GAMES[:-1], None, None, None), ("binpack", GAMES[:FIRST + 3], None, 3, None),
    # the same move again is not legal
    ("vf", HEAD + PAIR * 5 + END + GAME, 2, 20, 4), ("vf", GAME + HEAD[:5], 1, 5, None),
    ("vf", GAME + HEAD + PAIR + b"\0", 2, 1, None), ("marlin", HEAD * 3 + b"abc", 3, 3, None)])
def test_what_is_lost_is_counted(ending, data, read, lost, records, tmp_path):
    """What can be read goes to standard output; a file appears only with --salvage."""
    path, output = tmp_path / f"x.{ending}", tmp_path / "y.fen"
    path.write_bytes(data)
    read = len(binpack.read(data)[0]) if read is None else read
    to_fen = ["filter", path, "--to", "fen", "--lose", "all"]
    result = run(*to_fen)
    said = summary(result)
    assert result.returncode == 1 and result.stdout.count(b"\n") == read == said[0] > 0
    assert said[2] == lost or lost is None
    assert said[3] == records or (ending == "binpack" and 0 < said[3] <= ALL - read)
    says(1, run(*to_fen, "--output", output), "with --salvage it would hold" if ending == "binpack" else "")
    assert not output.exists()
    assert run(*to_fen, "--output", output, "--salvage").returncode == 1 and output.read_bytes() == result.stdout


def test_a_chain_that_is_lost():
    """A stem with nothing wrong behind it but its result: its whole chain is known to be lost."""
    data = make_chunk(5, 1)
    result = run("filter", "--from", "binpack", stdin=with_bad_result(data, 0))
    assert summary(result) == [0, 1, len(data) - 8, len(binpack.read(data)[0])]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_bytes_that_are_cut_off(ending, tmp_path):
    path, output = tmp_path / ("x.csv" + ending), tmp_path / "y.csv"
    data = compress(WRITERS["csv"](make_records(3000)).encode(), ending)
    path.write_bytes(data[:-5])
    assert run("filter", path, "--lose", "all", "--output", output).returncode == 1 and not output.exists()
    says(1, run("filter", path, "--lose", "all", "--output", output, "--salvage"), "the file was cut off")
    assert output.exists()
    path.write_bytes(data[:5000] + bytes(30) + data[5030:])
    result = run("filter", path)
    assert result.returncode == 1 and 0 < summary(result)[2] <= len(data) + (1 << 20)


PGN = '[Event "a"]\n\n1. e4 e5 1/2-1/2\n\n[Event "b"]\n\n1. d4 {x} d5 1-0\n'
BINARY = ["marlinformat", "bulletformat", "viriformat", "binpack", "montyformat", "lc0", "packed-sfen"]


def decompressed_up_to_the_cut(data, ending):
    """By zlib itself, and by the program zstd."""
    if ending == ".zst":
        return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, capture_output=True).stdout
    whole = b""
    while data:
        inflater = zlib.decompressobj(wbits=31)
        whole += inflater.decompress(data)
        data = inflater.unused_data
    return whole


@pytest.mark.parametrize("ending", [".gz", ".zst"])
@pytest.mark.parametrize("form", [*FORMATS, "pgn"])
def test_compressed_files_are_read_up_to_the_cut(form, ending, tmp_path):
    """At every byte of a small file: what the cut file gives when it is decompressed is read, but for a line that is cut
    off; and nothing appears without --salvage."""
    whole = 4 * PGN.encode() if form == "pgn" else FORMATS[form].encode(make_records(40))
    parts = [whole[i:i + 1500] for i in range(0, len(whole), 1500)] if ending == ".zst" else [whole]
    data = b"".join(compress(part, ending) for part in parts)
    cut_file, plain, output = tmp_path / ("a" + ending), tmp_path / "a", tmp_path / "b.csv"
    to_csv = ["convert", "--quiet", "--from", form, "--to", "csv", "--lose", "all"]
    most = 0
    for cut in [place + 1 for place in places(len(data) - 1)]:
        cut_file.write_bytes(data[:cut])
        there = decompressed_up_to_the_cut(data[:cut], ending)
        plain.write_bytes(there if form in BINARY else there[:there.rfind(b"\n") + 1])
        expected, result = run(*to_csv, plain), run(*to_csv, cut_file)
        assert result.stdout.splitlines()[1:] == expected.stdout.splitlines()[1:], cut
        between = ending == ".zst" and any(data[:cut] == b"".join(compress(part, ending) for part in parts[:i]) for i in range(len(parts)))
        if not between:
            says(1, result, "the compressed data have no end: the file was cut off")
            assert run(*to_csv, "--output", output, cut_file).returncode == 1 and not output.exists()
        most = max(most, result.stdout.count(b"\n"))
    run(*to_csv, "--output", output, "--salvage", cut_file)
    assert most > 5 and output.read_bytes() == result.stdout


def test_a_bad_line_is_no_damage_and_a_broken_game_is(tmp_path):
    output, broken = tmp_path / "y.fen", '[Event "x"]\n\n1. e4 e4 1-0\n\n'
    for form, text, written, counts, options in [
            ("fen", f"{QUIET}\n{BAD}\n{ROOK}\n", f"{QUIET}\n{ROOK}\n", [2, 1, None, None], []),
            ("pgn", broken + '[Event "y"]\n\n1. d4 1-0\n', START + "\td2d4\n", [1, 1, len(broken), 1],
             ["--salvage"])]:
        output.write_text("old")
        arguments = ["filter", "--from", form, "--to", "fen", "--lose", "all", "--output", output]
        result = run(*arguments, *options, stdin=text)
        assert result.returncode == 1 and output.read_text() == written and summary(result) == counts
        if options:
            output.write_text("old")
            says(1, run(*arguments, stdin=text), "y.fen: was not written")
            assert output.read_text() == "old"






@pytest.mark.parametrize("form", [*FORMATS, "pgn"])
def test_an_output_appears_only_if_no_record_was_cut_off(form, tmp_path):
    """Cut anywhere, a file is read well, as far as anybody can tell, or an older output stays as it was."""
    whole = PGN.encode() if form == "pgn" else FORMATS[form].encode(make_records(3))
    path, output, ends = tmp_path / "a", tmp_path / "b.jsonl", {}
    for cut in [place + 1 for place in (places if SANITIZED else range)(len(whole))]:
        path.write_bytes(whole[:cut])
        output.write_text("old")
        result = run("convert", "--quiet", "--from", form, "--lose", "all", "--output", output, path)
        is_written = output.read_text() != "old"
        assert is_written == (result.returncode == 0), (cut, result.stderr)
        ends[cut] = is_written
    assert ends[len(whole)] and not all(ends.values())


def many_blocks(form, records):
    """A file of a megabyte and a half: several blocks of it are cut before they are read."""
    least = 3 << 19
    if form == "pgn":
        return -(-least // len(PGN)) * PGN.encode()
    if form == "binpack":  # chunks of 30 kB, as long as those of trainers are short ones, and one that is longer than a block
        payload = binpack.write(records)[8:]
        chunks = [binpack.chunk(-(-length // len(payload)) * payload) for length in 45 * [30000] + [300000]]
        return b"".join(chunks)
    header, lines = data_lines(WRITERS[form](records, notes=False), form) if form in ("csv", "tsv") else ([], [])
    once = "".join(lines).encode() or FORMATS[form].encode(records)
    return "".join(header).encode() + -(-least // len(once)) * once


@pytest.mark.parametrize("form", [*FORMATS, "pgn"])
def test_a_file_that_is_cut_gives_what_a_pipe_gives(form, tmp_path):
    """Records, their order, and every error with its place, for any number of threads: the bytes of a pipe are read one
    after another, and of a file only the ends of blocks are."""
    whole, chance = many_blocks(form, make_records(200)), random.Random(f"{form} {SEED}")
    path, arguments = tmp_path / "a", ["convert", "--quiet", "--from", form, "--to", "jsonl", "--lose", "all", "-"]
    for damages in [0, 1, *times(2) * [5]]:
        data = whole
        for _ in range(damages):
            at = chance.randrange(300, len(data))
            gone, new = chance.choice([(1, chance.randbytes(1)), (0, chance.randbytes(3)), (chance.randrange(1, 300), b""),
                                       (40, bytes(40)), (len(data), b"")] if damages > 1 else [(1, b"\xff")])
            data = data[:at] + new + data[at + gone:]
        path.write_bytes(data)
        expected = run(*arguments, "--threads", 1, stdin=data)
        assert damages or (expected.returncode == 0 and expected.stdout.count(b"\n") > 3000)
        for threads in 1, 3:
            with open(path, "rb") as file:
                result = run(*arguments, "--threads", threads, stdin_file=file)
            assert (result.returncode, result.stderr) == (expected.returncode, expected.stderr), (damages, threads)
            assert result.stdout == expected.stdout, (damages, threads)
        named = run(*arguments[:-1], path)
        assert (named.returncode, named.stdout) == (expected.returncode, expected.stdout)


def test_a_picture_replaces_nothing_but_a_picture(tmp_path):
    data, picture, link = tmp_path / "a.fen", tmp_path / "a.svg", tmp_path / "link.svg"
    data.write_text(QUIET + "\n")
    well("stats", "--quiet", "--svg", picture, data)
    drawn = picture.read_text()
    picture.write_text(drawn.replace("1 positions", "2 positions"))
    well("stats", "--quiet", "--svg", picture, data)
    assert picture.read_text() == drawn
    link.symlink_to(data)
    for name in (data, link):
        result = run("stats", "--svg", name, data, tmp_path / "no.fen")
        says(2, result, f"--svg: '{name}' is a file of the input, expected another name")
        says(2, run("stats", "--svg", name), f"--svg: '{name}' exists and is not an SVG file, expected another name; or remove")
        assert data.read_text() == QUIET + "\n"
    with open(data, "rb") as file:
        says(2, run("stats", "--svg", data, stdin_file=file), "is a file of the input")
    link.unlink()
    os.mkfifo(link)
    (tmp_path / "empty.svg").touch()
    well("stats", "--quiet", "--svg", tmp_path / "empty.svg", data)


def test_what_is_not_written_is_not_counted(tmp_path):
    (tmp_path / "a.fen").write_text(f"{QUIET}\n{BAD}\n")
    result = run("filter", "--shuffle", "--strict", tmp_path / "a.fen")
    assert (result.returncode, result.stdout) == (1, b"") and b"0 written" in result.stderr
    (tmp_path / "b.fen").write_text(f"{QUIET}\n" * 100000)
    with open("/dev/full", "wb") as full:
        result = run("filter", "--shuffle", "--memory", "1M", tmp_path / "b.fen", stdout=full)
    assert result.returncode == 1 and b"100000 positions read, 0 written" in result.stderr, result.stderr


EACH_IS_BAD = "4k3/8/8/8/8/8/8/4K2R w K x%d 0 1"  # in its own words

# ---- Errors ----------------------------------------------------------------------------------------------------------------


@each_reader
@pytest.mark.parametrize("n", [50, 51, 30000])
def test_errors_are_counted(command, n, tmp_path):
    rest = "; e1e2; 0\n" if command == ["verify"] else "\n"
    (tmp_path / "x.fen").write_text("".join(EACH_IS_BAD % i + rest for i in range(n)))
    (tmp_path / "y.fen").write_text(BAD + rest)
    result = run(*command, *quiet(command), "x.fen", "y.fen", cwd=tmp_path)
    lines = result.stderr.decode().splitlines()
    told = [f"x.fen: {n} errors, {n - 50} of them are not shown"] if n > 50 else []
    assert result.returncode == 1 and [line.split(":")[1] for line in lines[:50]] == [str(i + 1) for i in range(50)]
    assert lines[50:-1] == told and lines[-1].startswith("y.fen:1: ")


@each_reader
def test_equal_errors_are_told_once(command, tmp_path):
    """With their number, wherever they stand; another file has its own."""
    lines, rest = ["# " + 50 * "x" + "\n"] * 20000, "; e1e2; 0\n" if command == ["verify"] else "\n"
    for i in (2, 3, 9999, 19999):
        lines[i] = BAD + rest
    lines[7] = EACH_IS_BAD % 7 + rest
    (tmp_path / "x.fen").write_text("".join(lines))
    (tmp_path / "y.fen").write_text(BAD + rest)
    result = run(*command, *quiet(command), "x.fen", "y.fen", cwd=tmp_path)
    said = result.stderr.decode().splitlines()
    assert [line.split(": ")[0] for line in said] == ["x.fen:3", "x.fen:8", "x.fen", "y.fen:1"]
    assert said[2] == "x.fen: the error of line 3 was repeated 3 times, up to line 20000" and result.returncode == 1


@pytest.mark.parametrize("n", [60, 30000])
def test_what_ends_the_run_is_shown(n):
    """Behind any number of errors."""
    lines = "".join(f"{EACH_IS_BAD % i} | 0 | 1.0\n" for i in range(n)) + f"{QUIET} bm Ke2; | 0 | 1.0\n"
    result = run("convert", "--from", "scored", "--to", "marlin", "--quiet", stdin=lines)
    says(2, result, f"-:{n + 1}: ", "would be lost")
    assert result.stderr.count(b"\n") == 52


# ---- Compression -----------------------------------------------------------------------------------------------------------


def test_wide_windows(tmp_path):
    path = tmp_path / "x.fen.zst"
    path.write_bytes(subprocess.run(["zstd", "-q", "-c", "--ultra", "--long=31"], input=f"{QUIET}\n".encode(),
                                    stdout=subprocess.PIPE,
                                    check=True).stdout)
    assert well("filter", path).decode() == QUIET + "\n"
    # as a stream of unknown length, which says the size of its window
    streamed = subprocess.run(f"(sleep 0; echo '{QUIET}') | zstd -q -c --ultra --long=31", shell=True,
                              stdout=subprocess.PIPE, check=True)
    path.write_bytes(streamed.stdout)
    if path.read_bytes()[4] & 0x20:
        pytest.skip("this zstd knows the length of a pipe")
    assert well("filter", path).decode() == QUIET + "\n"
    limited = subprocess.run(["sh", "-c", 'ulimit -v 1000000; "$0" filter --threads 1 "$1"', TOOL, path],
                             capture_output=True,
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
    for command in (["filter", "--output", path], ["convert", "--to", "fen", "--output", path],
                    ["stats", "--svg", path]):
        says(2, run(*command, stdin=QUIET + "\n"), "an unknown compression, expected .gz, .zst or none")
        assert not path.exists()
    path.write_text(QUIET + "\n")
    says(2, run("filter", "--from", "fen", path), "cannot be decompressed, expected .gz, .zst or none")


# ---- Names -----------------------------------------------------------------------------------------------------------------


def test_endings_in_capitals(tmp_path):
    (tmp_path / "A.CSV.GZ").write_bytes(compress(f"fen\n{QUIET}\n".encode(), ".gz"))
    assert well("filter", "--output", "B.Fen.ZST", "A.CSV.GZ", cwd=tmp_path) == b""
    assert subprocess.run(["zstd", "-q", "-d", "-c", tmp_path / "B.Fen.ZST"], stdout=subprocess.PIPE,
                          check=True).stdout.decode() == QUIET + "\n"
    assert b"files with this extension are marlinformat" in run("filter", "X.BIN", cwd=tmp_path).stderr


@pytest.mark.parametrize("name, text", [("epd", EPD), (".epd", EPD), ("EPD", EPD), (".fen", QUIET + "\n"),
                                        ("ndjson", '{"fen": "%s"}\n' % QUIET), ("JSONL", '{"fen": "%s"}\n' % QUIET)])
def test_endings_as_names_of_formats(name, text):
    assert well("filter", "--to", name, stdin=QUIET + "\n").decode() == text
    assert int(well("filter", "--from", name, "--count", stdin=text)) == 1


def test_further_names():
    for name in ("vf", "viri", "marlin", "bullet", "viriformat"):
        assert run("filter", "--from", name, "--count").returncode == 0
    assert run("filter", "--from", "gz").returncode == run("filter", "--from", ".").returncode == 2


def test_options_that_add_up():
    assert well("filter", "--keep", "in-check", "--keep", "any-capture", "--drop", "any-capture=100..", "--drop", "any-capture=300..",
                "--invert", stdin=QUIET + "\n").decode() == QUIET + "\n"
    assert run("convert", "--to", "fen", "--lose", "move", "--lose", "ply", stdin=QUIET + "\n").returncode == 0


# ---- The last line ---------------------------------------------------------------------------------------------------------


@each_reader
def test_a_last_line_without_line_feed(command):
    lines = f"{ROOK}; e1e5; 100\n" * 2 if command == ["verify"] else f"{ROOK}\n" * 2
    form = ["--format", "tsv"] if command == ["stats"] else []  # the report says how many bytes there are
    whole, cut = (run(*command, *form, *quiet(command), stdin=data) for data in (lines, lines[:-1]))
    assert (whole.returncode, whole.stderr) == (0, b"") and cut.returncode == 0
    assert cut.stdout == whole.stdout
    assert cut.stderr == b"-:2: warning: the last line has no line feed at its end, the file may have been cut off\n"
    if command in IN_PIPELINE:
        strict = run(*command, "--quiet", "--strict", stdin=lines[:-1])
        assert strict.returncode == 1 and b"-:2: the last line has no line feed" in strict.stderr
        assert strict.stdout.count(ROOK.encode()) == (command[-1] not in ("--count", "stats"))


@pytest.mark.parametrize("form, line, field", [
    ("scored", f"{QUIET} | 12 | 1.", None), ("scored", f"{QUIET} | 12 | 1", "result, is '1'"),
    ("scored", f"{QUIET} | 1", None), ("csv", f"{QUIET},1", "Score, is '1'"), ("tsv", f"{QUIET}\t-", None),
    ("tsv", f"{QUIET}\t-1\r", "Score, is '-1"), ("jsonl", '{"fen": "%s"}' % QUIET, ""), ("fen", QUIET, "")])
def test_the_last_field_is_named(form, line, field):
    head = {"csv": "fen,Score\n", "tsv": "fen\tScore\n"}.get(form, "")
    result = run("filter", "--quiet", "--from", form, stdin=head + line)
    warnings = [text for text in result.stderr.decode().splitlines() if ": warning: " in text]
    assert len(warnings) == 1 and result.returncode == (field is None)
    assert ("; its last field, " + field in warnings[0]) if field else "last field" not in warnings[0]
    assert result.stdout.decode() == head + (line + "\n" if field is not None else "")


def test_plain_text_and_games_without_last_line_feed():
    for form, text in (("plain", PLAIN), ("pgn", '[Event "x"]\n\n1. e4 1-0\n')):
        whole, cut = (run("filter", "--quiet", "--from", form, "--to", "jsonl",
                          stdin=data) for data in (text, text[:-1]))
        assert cut.stdout == whole.stdout != b"" and cut.returncode == 0 and cut.stderr.count(b": warning: the last line") == 1
        strict = run("filter", "--quiet", "--strict", "--from", form, "--to", "jsonl", stdin=text[:-1])
        assert (strict.returncode, strict.stdout) == (1, b"")


# ---- Limits, and what is counted ---------------------------------------------------------------------------------------------


def test_objects_and_tables_as_wide_as_a_line():
    """In time that grows with their length: each name was once compared with all before it, which takes minutes here."""
    members = "".join(f', "m{i}": {i}' for i in range(400000))
    wide = f'{{"fen": "{ROOK}"{members}}}\n'
    table = well("convert", "--from", "jsonl", "--to", "csv", stdin=wide * 2)
    assert table.count(b"\n") == 3 and table.split(b"\n")[1].count(b",") == table.split(b"\n")[0].count(b",")
    objects = well("convert", "--from", "csv", "--to", "jsonl", stdin=table)
    assert objects.count(b'"m399999": "399999"') == 2


def test_names_that_come_again_are_found():
    """A table of names grows with them; the first of a name counts, and of other files the columns are found by name."""
    def line(*names):
        return f'{{"fen": "{ROOK}", ' + ", ".join(f'"{name}": "{i}"' for i, name in enumerate(names)) + "}\n"
    names = [f"column {i}" for i in range(100)]
    table = well("convert", "--from", "jsonl", "--to", "tsv", stdin=line(*names) + line(*reversed(names)))
    head, first, second = (row.split("\t") for row in table.decode().splitlines())
    assert head[-100:] == names and first[-100:] == [*map(str, range(100))] and second[-100:] == first[:-101:-1]
    says(2, run("convert", "--from", "jsonl", "--to", "tsv", stdin=line("a", "b", "a")), "a")


def test_depth_of_json_has_a_limit_with_a_sentence():
    def nested(depth):
        return f'{{"fen": "{ROOK}", "x": ' + "[" * depth + "]" * depth + "}\n"
    well("filter", "--from", "jsonl", stdin=nested(63))
    text = nested(64)
    says(1, run("filter", "--from", "jsonl", stdin=text),
         f"-:1: byte {text.index('[') + 64} of the line begins an object or array within 64 others, expected fewer")


@pytest.mark.parametrize("form, text", [
    ("epd", EPD.replace("hmvc", "dm 0; hmvc")),
    ("jsonl", f'{{"fen": "{ROOK}", "evals": [{{"pvs": [{{"mate": 0, "line": "e1e5"}}], "depth": 3}}]}}\n')])
def test_no_moves_to_mate_where_there_is_a_move(form, text):
    said = "the number of moves to mate is 0, but there is a legal move, expected another number"
    says(1, run("convert", "--from", form, "--to", "csv", stdin=text), f"-:1: {said}")
    mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - -"
    assert b",32000," in well("convert", "--from", "epd", "--to", "csv", "--lose", "all",
                              stdin=f"{mated} dm 0; hmvc 0; fmvn 1;\n")


@pytest.mark.parametrize("ending", [".gz", ".zst"])
@pytest.mark.parametrize("junk", [b"x", b"rubbish", b"\x1f\x8brubbish", b"\x28\xb5\x2f\xfdrubbish", b"x" * 100000])
def test_junk_behind_compressed_data_is_counted(ending, junk, tmp_path):
    path = tmp_path / ("a.fen" + ending)
    path.write_bytes(compress(f"{QUIET}\n".encode(), ending) + junk)
    result = run("filter", path)
    assert result.returncode == 1 and result.stdout == f"{QUIET}\n".encode()
    assert summary(result)[2] == len(junk), result.stderr


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_all_of_a_line_that_is_too_long_is_counted(ending, tmp_path):
    path, text = tmp_path / ("a.fen" + ending), b"x" * (24 << 20) + b"\n"
    path.write_bytes(compress(text, ending))
    assert summary(run("filter", path))[2] == len(text)
    if not ending:
        assert summary(run("filter", "--from", "fen", stdin=text))[2] == len(text)
        assert b"of more than 16 MiB" in run("filter", "--from", "fen", "/dev/zero").stderr
