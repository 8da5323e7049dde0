"""Input that nobody would write by hand: bytes that are no text, lines without end, numbers beyond every bound. The tool must
not crash, hang, nor take memory without bound; it says what is wrong, in lines that a terminal can show, and goes on.

Each limit that is named here is stated in the manual pages.
"""
import itertools
import os
import random
import re
import resource
import subprocess

import pytest

from formats_support import DATA, HEADS, sample
from pipeline_support import ROOK_TAKES_PAWN, SANITIZED, TOOL, environment, says, times

GOOD = ROOK_TAKES_PAWN.encode() + b" 0 1"
SUITE = GOOD + b"; e1e5; 100"
MEBIBYTE = 1 << 20
LONGEST = 16 * MEBIBYTE
OLD = b"<svg>the old file</svg>\n"

# What reads lines, and a line that is good for each.
READERS = {
    "eval": (["eval"], GOOD),
    "eval-json": (["eval", "--format", "json"], GOOD),
    "map": (["map", "--format", "tsv"], GOOD),
    "compare": (["compare", "--rules", "swap", "--rules", "legal"], GOOD),
    "verify": (["verify", "--rules", "swap"], SUITE),
    "filter": (["filter", "--quiet"], GOOD),
    "annotate": (["annotate", "--quiet", "--from", "fen", "--to", "jsonl"], GOOD),
    "stats": (["stats", "--quiet", "--format", "tsv"], GOOD),
}


def formats():
    told = subprocess.run([TOOL, "filter", "--from", "?"], stderr=subprocess.PIPE, check=False).stderr.decode()
    return told.split("expected one of ")[1].split("\n")[0].split(", ")


def run(arguments, data, megabytes=400):
    """The completed process; its address space is bounded, and with it the threads, each of which has a stack there: otherwise
    there would be as many as processors."""
    if arguments[0] in ("filter", "annotate", "stats", "convert") and "--threads" not in arguments:
        arguments = [*arguments, "--threads", "2"]

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
    """One byte below the limit is read, one above is skipped, and the lines around it count."""
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
    # At most fifty errors are shown; those that are equal to one of them are counted with it, and the others at the end.
    shown = len(re.findall(rb"(?m)^-:\d+: ", result.stderr))
    repeated = sum(map(int, re.findall(rb"(?m)^-: the error of line \d+ was repeated (\d+) times?, ", result.stderr)))
    told = re.search(rb"-: (\d+) errors, (\d+) of them are not shown\n", result.stderr)
    total, hidden = map(int, told.groups()) if told else (shown + repeated, 0)
    assert result.returncode == 1 and 30 <= shown <= 50 and (not hidden or shown == 50)
    assert 250 <= total == shown + repeated + hidden


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


# ---- Closed descriptors ----------------------------------------------------------------------------------------------

# Of a program that was started without one of the descriptors 0 to 2 the next file gets its number: what is meant for
# standard error would be written into it, and the output be read as input. {0} is a good file, {1} one with bad lines,
# and {2} the output.
STARTED_WITHOUT = [
    "filter --output {2} {0}", "filter --output {2} {1}", "filter --output {2}", "filter --output {2} - {0}",
    "filter --unique --output {2} - {1}", "filter --shuffle --memory 1M --output {2} {1}", "filter {1}", "filter",
    "annotate --output {2} {1}", "convert --to csv --output {2} {1}", "convert --to jsonl --output {2} -",
    "stats {1}", "stats", "stats --svg {2} {1}", "eval {1}", "eval", "map {1}", "compare --rules swap --rules legal {1}",
    "verify {0}", "info", "--version", "filter --output {2} --salvage", "filter --help",
]


@pytest.mark.parametrize("command", STARTED_WITHOUT)
def test_closed_descriptors(command, tmp_path):
    """The output is the old one or all of the new one, nothing but output is in it, and a closed standard input is an error."""
    good, bad, out = tmp_path / "good.fen", tmp_path / "bad.fen", tmp_path / "out"
    good.write_bytes(GOOD + b"\n")
    bad.write_bytes(GOOD + b"\nbad\n" + GOOD + b" bad\n")
    arguments = command.format(good, bad, out).split()
    reads_standard_input = arguments[-1] == "-" or "- " in command or (
        arguments[0][0] != "-" and arguments[0] != "info" and command.count("{0}") + command.count("{1}") == 0 and
        arguments[-1] != "--help")

    def run_without(closed):
        out.write_bytes(OLD)
        result = subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                                env=environment(), preexec_fn=lambda: [os.close(fd) for fd in closed])
        assert sorted(os.listdir(tmp_path)) == ["bad.fen", "good.fen", "out"]
        return result.returncode, result.stdout, result.stderr, out.read_bytes()

    all_open = run_without([])
    for n in (1, 2, 3):
        for closed in itertools.combinations(range(3), n):
            status, output, said, written = run_without(closed)
            assert written in (OLD, all_open[3]), closed
            if 0 in closed and reads_standard_input:
                assert status == 1 and written == OLD and output == b"", closed
                assert 2 in closed or b"-: standard input is closed, expected a file or a pipe" in said, said
            elif 1 in closed and all_open[1]:
                assert status == 1 and (2 in closed or b"standard output" in said), said
            else:
                assert (status, written) == (all_open[0], all_open[3]), closed
                assert 1 in closed or output == all_open[1], closed


# ---- Holes -----------------------------------------------------------------------------------------------------------

# A file whose parts were not all written has holes of zero bytes. In formats with free text a hole may begin within that
# of one record and end within that of another: what lay between is gone, and what is left may look like one record.

def plain_lines(k):
    """Record k of a plain file in its usual form, of which many are read at a time."""
    return [f"fen 4k3/8/8/8/8/8/8/R3K3 w - - {k % 90} 9\n", "move a1a8\n", f"score {k}\n", f"ply {k}\n", "result 1\n", "e\n"]


def with_free_text(form, k):
    """Record k, or game: each with text that is not looked at."""
    fen = f"4k3/8/8/8/8/8/8/{k % 7 or ''}R{7 - k % 7 or ''} w - - {k} {k + 9}".replace("R", "K", 1)
    return {
        "fen": f"# number {k} of them\n{fen}\te1e2\n" if k % 7 == 4 else f"# number {k} of them\n{fen}\n",
        "epd": f"{fen.partition(' w')[0]} w - - ce {k}; c0 \"number {k} of them\";\n",
        "scored": f"# number {k} of them\n{fen} | {k} | 0.5\n",
        "csv": f"{fen},{k},number {k} of them\n",
        "tsv": f"{fen}\t{k}\tnumber {k} of them\n",
        "jsonl": f'{{"fen": "{fen}", "score": {k}, "note": "number {k} of them"}}\n',
        "plain": f"fen {fen}\nscore {k}\nnote number {k} of them\nply {k}\nresult 0\ne\n",
        "plain-usual": "".join(plain_lines(k)),
        "pgn": f'[Event "number {k} of them"]\n\n{{number {k} of them}} 1. e4 {{a comment}} e5 1/2-1/2\n\n',
    }[form].encode()


@pytest.mark.parametrize("form", ["fen", "epd", "scored", "csv", "tsv", "jsonl", "plain", "plain-usual", "pgn"])
def test_holes_of_zero_bytes(form):
    """Each is reported, and what is still written is what was written of the whole file."""
    chance = random.Random(form)
    header = HEADS[form] if form in HEADS else b""
    records = 12000 if form == "plain-usual" else 40  # blocks without a hole, too
    data = header + b"".join(with_free_text(form, k) for k in range(records))
    arguments = ["convert", "--quiet", "--threads", "1", "--from", form.partition("-")[0], "--to", "jsonl", "--lose", "all"]
    whole = run(arguments, data)
    assert whole.returncode == 0 and whole.stdout.count(b"\n") == (80 if form == "pgn" else records), whole.stderr
    known = set(whole.stdout.split(b"\n"))
    for _ in range(times(60)):
        begin = chance.randrange(len(header), len(data) - 1)
        hole = chance.choice([1, 40, 300, len(data)])
        end = min(len(data), begin + chance.randint(1, hole))
        result = run(arguments, data[:begin] + bytes(end - begin) + data[end:])
        assert result.returncode == 1 and re.match(rb"-:\d+: ", result.stderr), (begin, end, result.stderr)
        assert set(result.stdout.split(b"\n")) <= known, (begin, end)
    if header:
        says(1, run(arguments, header[:5] + bytes(len(header)) + data[len(header) + 40:]), "NUL")


@pytest.mark.parametrize("command", ["convert --threads 1 --to jsonl", "convert --threads 3 --to csv", "eval",
                                     "filter --unique --count", "stats"])
def test_lines_missing_from_plain(command, tmp_path):
    """Lines may be missing from within one record to within a later one. If the record that is left has a line twice, or no
    FEN, it is bad; if it lacks a line that the other records have, a warning says so, once for the file. Neither is seen only
    where it has each line once."""
    path = tmp_path / "a.plain"

    def said_of(data):
        path.write_text("".join(data), encoding="ascii")
        result = run([*command.split(), path], b"")
        lines = [line for line in result.stderr.decode().split("\n") if line.startswith(str(path))]
        return result.returncode, lines

    # of two blocks, the second of which has the fault
    lines = [line for k in range(6000) for line in plain_lines(k)]
    for begin, end in itertools.product(range(6), repeat=2):
        status, said = said_of(lines[:4990 * 6 + begin] + lines[4995 * 6 + end:])
        if end < begin or (begin == 0 and end > 0):
            assert status == 1 and re.match(r".*:\d+: (a second line|the record has no fen)", said[0]), (begin, end, said)
        elif begin == end:
            assert (status, said) == (0, []), (begin, end)
        else:
            lacking = {"result": 4, "ply": 3, "score": 2, "move": 1}
            fields = ", ".join(f"{name}: 1" for name in ("move", "score", "result", "ply") if begin <= lacking[name] < end)
            assert (status, said) == (0, [f"{path}: warning: some of its 5995 records lack a field that others have ({fields}); "
                                          "lines may be missing from the file"]), (begin, end)
    assert said_of([line for k in range(50) for line in plain_lines(k) if line[:3] not in ("ply", "mov")]) == (0, [])


# ---- Memory ----------------------------------------------------------------------------------------------------------

GIANT = 10 * MEBIBYTE
FEN = GOOD.decode()
# One record of about that many bytes, which take the more memory the more there is in them.
GIANTS = {
    "jsonl-text": lambda n: f'{{"fen": "{FEN}", "note": "' + r'\"' * (n // 2) + '"}\n',
    "jsonl-members": lambda n: f'{{"fen": "{FEN}"' + "".join(f', "a{i}": 1' for i in range(n // 13)) + "}\n",
    "jsonl-array": lambda n: f'{{"fen": "{FEN}", "a": [' + "1," * (n // 2) + "1]}\n",
    "csv": lambda n: f"{FEN},{n},x" + "\x01" * n + "\n",
    "epd": lambda n: f"{ROOK_TAKES_PAWN} {'a 1; ' * (n // 5)}\n",
    "fen": lambda n: f"{FEN}\t{'e1e5 ' * (n // 5)}\n",
    "plain": lambda n: f"fen {FEN}\n" + "n\n" * (n // 2) + "e\n",
    "pgn": lambda n: '[Event "x"]\n\n' + "Nf3 Nf6 Ng1 Ng8\n" * (n // 16) + "1-0\n\n",
}


def bound(threads, longest):
    """Bytes of memory that SECURITY.md promises, by its formula."""
    with open(os.path.join(DATA, "..", "..", "SECURITY.md"), encoding="utf-8") as file:
        words = re.search(r"(\d+) MiB, (\d+) MiB for each thread, and for the longest record \(chunk, game\) (\d+) times its length", file.read())
    fixed, each, times_longest = map(int, words.groups())
    return (fixed + each * threads) * MEBIBYTE + times_longest * longest


@pytest.mark.skipif(SANITIZED, reason="the sanitizer has its own memory")
@pytest.mark.parametrize("kind", sorted(GIANTS))
def test_memory_with_giant_records(kind, tmp_path):
    """A few of the longest records at a time, however many threads there are; and many of a megabyte."""
    form, path = kind.partition("-")[0], tmp_path / "a"
    to = "csv" if form == "jsonl" else "jsonl"
    for size, n, threads in ((GIANT, 4, 4), (MEBIBYTE, 20, 4)):
        record = GIANTS[kind](size).encode()
        path.write_bytes((HEADS.get(form) or b"") + record * n)
        what = ["filter", "--count"] if form == "pgn" else ["convert", "--to", to, "--lose", "all"]  # of millions of moves
        command = [TOOL, *what, "--quiet", "--from", form, "--threads", str(threads), path]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment()) as process:
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        assert status == 0 and said == b"", said[:300]
        assert usage.ru_maxrss * 1024 < bound(threads, len(record)), (usage.ru_maxrss, len(record))


# ---- Names of the output ---------------------------------------------------------------------------------------------


def filter_to(name, **more):
    return subprocess.run([TOOL, "filter", "--quiet", "--output", name], input=GOOD + b"\n", capture_output=True,
                          timeout=60, env=environment(), **more)


@pytest.mark.parametrize("length", [1, 247, 248, 255])
def test_output_names_of_any_length(length, tmp_path):
    """As a new file, and in the place of an older one."""
    for _ in range(3):
        says(0, filter_to("x" * length, cwd=tmp_path))
        assert os.listdir(tmp_path) == ["x" * length]


@pytest.mark.parametrize("name", ["", "x" * 256, "no/x", "x" * 400])
def test_impossible_output_names(name, tmp_path):
    """They are refused before anything is read: the input never ends."""
    with subprocess.Popen([TOOL, "filter", "--quiet", "--output", name], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=tmp_path, env=environment()) as process:
        try:
            assert process.wait(30) == 1
        finally:
            process.kill()
        assert b"cannot be opened for writing: " in process.stderr.read()
    assert os.listdir(tmp_path) == []


def test_links_as_output(tmp_path):
    """One to a file is followed; one to nothing, or to itself, is refused, and stays."""
    for name, target in (("good", "file"), ("dangling", "nothing"), ("loop", "loop")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "file").write_bytes(OLD)
    says(0, filter_to("good", cwd=tmp_path))
    assert (tmp_path / "file").read_bytes() == GOOD + b"\n"
    says(1, filter_to("dangling", cwd=tmp_path), "dangling: cannot be opened for writing: ", "it is a symbolic link")
    says(1, filter_to("loop", cwd=tmp_path), "loop: cannot be opened for writing: ")
    assert {path.name: os.readlink(path) for path in tmp_path.iterdir() if path.is_symlink()} == {
        "good": "file", "dangling": "nothing", "loop": "loop"}
    assert sorted(os.listdir(tmp_path)) == ["dangling", "file", "good", "loop"]


def test_bits_that_run_a_file_as_its_owner(tmp_path):
    """The new file keeps the permissions of the old one without them: it may have another owner."""
    path = tmp_path / "x.fen"
    path.write_bytes(OLD)
    for mode in (0o4755, 0o2711, 0o6640, 0o1600, 0o644):
        path.chmod(mode)
        says(0, filter_to(path))
        assert path.stat().st_mode & 0o7777 == mode & 0o777


# ---- JSON ------------------------------------------------------------------------------------------------------------


def lichess(text):
    return run(["convert", "--quiet", "--from", "jsonl", "--to", "csv", "--lose", "all"], text.encode() + b"\n")


def test_escaped_and_repeated_names_of_evaluations():
    """A name is the same however it is written, at every depth; and a name that comes twice is an error, as of other members."""
    variation = '{"cp": 311, "line": "e1e5 d8d1"}'
    good = f'{{"fen": "{ROOK_TAKES_PAWN}", "evals": [{{"pvs": [{variation}], "depth": 36}}]}}'
    expected = lichess(good)
    assert expected.returncode == 0 and b",e1e5,311," in expected.stdout
    for name, escaped in (("evals", r"\u0065vals"), ("pvs", r"\u0070vs"), ("depth", r"dept\u0068"), ("cp", r"c\u0070"),
                          ("line", r"\u006c\u0069ne"), ("fen", r"\u0066en")):
        result = lichess(good.replace(f'"{name}"', f'"{escaped}"'))
        assert result.returncode == 0 and b",e1e5,311," in result.stdout, (name, result.stdout)
    for name, value in (("evals", "[]"), ("pvs", "[]"), ("depth", "1"), ("cp", "1"), ("line", '"e1e4"')):
        for also in (name, "\\u%04x" % ord(name[0]) + name[1:]):
            result = lichess(good.replace(f'"{name}"', f'"{also}": {value}, "{name}"'))
            assert result.returncode == 1 and b"e1e5" not in result.stdout, (also, result.stdout)
    says(1, lichess(good[:-1] + ', "evals": []}'), "the object has 'evals' twice, expected it once")


def test_simdjson_is_not_chosen_by_the_environment():
    for name in ("bogus", "", "fallback", "x" * 10000):
        result = subprocess.run([TOOL, "filter", "--quiet", "--from", "jsonl"], input=b'{"fen": "' + GOOD + b'"}\n',
                                capture_output=True, timeout=60,
                                env={**environment(), "SIMDJSON_FORCE_IMPLEMENTATION": name})
        says(0, result)
        assert result.stdout == b'{"fen": "' + GOOD + b'"}\n'


# ---- Compressed files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["binpack", "viriformat", "plain", "marlinformat", "bulletformat"])
def test_damaged_frames_without_a_checksum(form, tmp_path):
    """What decompresses to anything is read as what it is: records are checked as in a file that is not compressed."""
    chance, path = random.Random(form), tmp_path / "a.zst"
    try:
        good = subprocess.run(["zstd", "--no-check", "-q", "-c"], input=sample(form)[:60000], stdout=subprocess.PIPE,
                              check=True).stdout
    except FileNotFoundError:
        pytest.skip("zstd is not there")
    for _ in range(times(30)):
        damaged = bytearray(good)
        for _ in range(chance.choice((1, 1, 3))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        run(["convert", "--quiet", "--threads", "2", "--from", form, "--to", "jsonl", "--lose", "all", path], b"")
