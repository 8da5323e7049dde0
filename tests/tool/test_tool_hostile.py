"""Input that nobody would write by hand: bytes that are no text, lines without end, numbers beyond every bound. The tool must
not crash, hang, nor take memory without bound; it says what is wrong, in lines that a terminal can show, and goes on.

Each limit that is named here is stated in the manual pages.
"""
import random
import re
import resource
import subprocess

import pytest

from formats_support import sample
from pipeline_support import ROOK_TAKES_PAWN, SANITIZED, TOOL, environment, says

GOOD = ROOK_TAKES_PAWN.encode() + b" 0 1"
SUITE = GOOD + b"; e1e5; 100"
MEBIBYTE = 1 << 20
LONGEST = 16 * MEBIBYTE

# What reads lines, and a line that is good for each.
READERS = {
    "eval": (["eval"], GOOD),
    "eval-json": (["eval", "--format", "json"], GOOD),
    "map": (["map", "--format", "tsv"], GOOD),
    "compare": (["compare", "--rules", "swap", "--rules", "legal"], GOOD),
    "verify": (["verify", "--rules", "swap"], SUITE),
    "filter": (["filter", "--quiet"], GOOD),
    "annotate": (["annotate", "--quiet", "--from", "fen", "--to", "jsonl"], GOOD),
    "stats": (["stats", "--quiet"], GOOD),
}


def formats():
    told = subprocess.run([TOOL, "filter", "--from", "?"], stderr=subprocess.PIPE, check=False).stderr.decode()
    return told.split("expected one of ")[1].split("\n")[0].split(", ")


def run(arguments, data, megabytes=400):
    """The completed process; its address space is bounded."""
    def limit():
        if not SANITIZED:  # which a limit does not fit
            resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEBIBYTE, megabytes * MEBIBYTE))

    result = subprocess.run([TOOL, *arguments], input=data, capture_output=True, timeout=120, env=environment(),
                            preexec_fn=limit)
    assert result.returncode in (0, 1), (arguments, result.returncode, result.stderr[:500])
    assert all(byte == 10 or 32 <= byte < 127 for byte in result.stderr), result.stderr[:500]
    assert result.returncode == 0 or result.stderr
    return result


@pytest.fixture(params=sorted(READERS))
def reader(request):
    return READERS[request.param]


def test_lines_without_end(reader):
    """16 MiB are the limit of a line; more than a few times as much memory is never used, here for 100 MB."""
    arguments, good = reader
    threads = [] if arguments[0] in ("eval", "map", "compare", "verify") else ["--threads", "1"]
    size = 100_000_000 if arguments == ["eval"] and not SANITIZED else LONGEST + 10
    result = run([*arguments, *threads], good + b"\n" + b"8" * size + b"\n" + good + b"\n")
    assert result.returncode == 1
    assert b"more than 16777216 bytes" in result.stderr or b"more than 16 MiB" in result.stderr
    assert len(result.stderr) < 1000


@pytest.mark.parametrize("command", ["eval", "map", "verify"])
def test_the_longest_line(command):
    """One byte below the limit is read, one above is passed over, and the lines around it count."""
    arguments, good = READERS[command]
    one = run(arguments, good + b"\n").stdout
    long = good + b" " * (LONGEST - len(good))
    longest = run(arguments, long + b"\n" + good + b"\n")
    assert longest.returncode == 0
    if command != "verify":
        assert longest.stdout == one.replace(good, long) + one
    too_long = run(arguments, good + b"\n" + long + b" \n" + good + b"\nx\n")
    said = too_long.stderr.decode().split("\n")
    assert too_long.returncode == 1 and said[0].startswith("-:2: the line has more than 16777216 bytes, expected ")
    assert said[1].startswith("-:4: ") and len(said) == 3
    if command != "verify":
        assert too_long.stdout == 2 * one


def test_nul_bytes(reader):
    arguments, good = reader
    for bad in (b"\0", b"\0" + good, good[:20] + b"\0" + good[20:], good + b"\0", b"\0" * 100000):
        result = run(arguments, good + b"\n" + bad + b"\n" + good + b"\n")
        assert result.returncode == 1 and result.stderr.startswith(b"-:2: "), bad


def test_ends_of_lines(reader):
    """LF and CR LF are ends of lines; the answers are the same, and CR alone is no end."""
    arguments, good = reader
    with_lf, with_crlf = (run(arguments, (good + end) * 2) for end in (b"\n", b"\r\n"))
    assert with_lf.returncode == with_crlf.returncode == 0
    assert with_lf.stdout == with_crlf.stdout.replace(b"\r\n", b"\n")
    assert run(arguments, good + b"\r" + good + b"\n").returncode == 1


def test_byte_order_mark(reader):
    arguments, good = reader
    plain, marked = run(arguments, good + b"\n"), run(arguments, b"\xef\xbb\xbf" + good + b"\n")
    assert marked.returncode == 0 and marked.stdout == plain.stdout
    for bad in (b"\xef\xbb" + good, good + b"\n\xef\xbb\xbf" + good, b"\xff\xfe" + good):
        assert run(arguments, bad + b"\n").returncode == 1
    assert run(arguments, b"\xef\xbb\xbf").stdout == run(arguments, b"").stdout


def test_bytes_that_are_no_text(reader):
    arguments, good = reader
    chance = random.Random(4)
    lines = [bytes(chance.choice(b"\x00\x1b\x7f\x80\xc3\xe9\xff/8kK w-") for _ in range(chance.randrange(1, 80)))
             for _ in range(300)]
    result = run(arguments, b"\n".join([good, *lines, good]) + b"\n")
    assert result.returncode == 1 and result.stderr.count(b"\n") in (51, 52)
    told = re.search(rb"-: (\d+) complaints, (\d+) of them are not shown\n", result.stderr)
    assert int(told[1]) >= 250 and int(told[1]) - int(told[2]) == 50


@pytest.mark.parametrize("form", formats())
def test_any_bytes_as_any_format(form):
    """Noise, zeros, ones, and a compressed bomb: megabytes of nothing in some kilobytes."""
    chance = random.Random(form)
    for data in (b"", chance.randbytes(5000), bytes(20000), b"\xff" * 20000, b"\n" * 20000, b"{" * 20000, b"[" * 20000,
                 b"(" * 20000,
                 b"\"" * 20001, b"BINP" + b"\xff" * 4 + bytes(100), b"BINP" + bytes(1000)):
        run(["filter", "--quiet", "--threads", "2", "--from", form, "--to", "jsonl", "--lose", "all"], data)


@pytest.mark.parametrize("form", formats())
def test_a_file_without_a_record(form):
    """17 MB in which nothing ends: refused, in bounded memory."""
    result = run(["filter", "--quiet", "--strict", "--threads", "1", "--from", form, "--to", "jsonl"],
                 b"(" * 17_000_000, 200)
    assert result.returncode == 1 and result.stdout == b""


@pytest.mark.parametrize("ending, program", [(".gz", ["gzip", "-9"]), (".zst", ["zstd", "-19"])])
def test_compressed_bomb(ending, program, tmp_path):
    path = tmp_path / ("a.fen" + ending)
    try:
        path.write_bytes(subprocess.run([*program, "-c"], input=bytes(20_000_000), stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, check=True).stdout)
    except FileNotFoundError:
        pytest.skip(program[0] + " is not there")
    says(1, run(["filter", "--quiet", "--threads", "1", path], b""), "more than 16 MiB")


def test_one_chunk_of_many_games():
    """Its output is more than thirty times as long, and is written in pieces."""
    own = sample("binpack")
    length = int.from_bytes(own[4:8], "little")
    many = 4 * MEBIBYTE // length
    chunk = b"BINP" + (many * length).to_bytes(4, "little") + many * own[8:8 + length]
    result = run(["convert", "--quiet", "--threads", "1", "--from", "binpack", "--to", "csv"], chunk, megabytes=220)
    assert result.returncode == 0 and len(result.stdout) > 30 * len(chunk), result.stderr
