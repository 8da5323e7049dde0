"""How the tool treats files and their ends: compression, damage, cuts, signals, full disks, closed pipes, terminals.

Nothing here depends on how fast anything is: where a test waits, it waits for something to happen. With SEEBATCH_TEST_LONG set,
files are cut off and damaged at every place instead of at some, with another seed each time (SEEBATCH_TEST_SEED to repeat one).
"""
import fcntl
import os
import pty
import random
import re
import resource
import signal
import struct
import subprocess
import termios
import time
import zlib
from itertools import product

import pytest

from formats_support import DATA, WRITERS, data_lines
from pipeline_support import (BAD, QUIET, ROOK_TAKES_PAWN, SEED, TOOL, compress, decompress, environment, fails,
                              make_records, places, read_terminal, run,
                              says, times, well)

# A shell ignores SIGINT for what it runs in the background, nohup SIGHUP; the tool then would, too, and the tests wait for ever.
for number in signal.SIGINT, signal.SIGHUP:
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

ENDINGS = ["", ".gz", ".zst"]
COMPRESSED = ENDINGS[1:]


@pytest.fixture(scope="module")
def records():
    print(f"SEEBATCH_TEST_SEED={SEED}")  # which pytest shows when a test fails
    return make_records(800)


@pytest.fixture(scope="module")
def text(records):
    """Three megabytes of FEN lines: more blocks than there are in the ring."""
    return (WRITERS["fen"](records) * 60).encode()


def lines_of(text, n):
    return b"".join(text.splitlines(keepends=True)[:n])


def start(*arguments, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen([TOOL, *map(str, arguments)], env=environment(), **more)


def wait_until(condition):
    """Waits for something that is going to happen; a minute at most, so that a test that fails ends."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


# ---- Compression ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source, target", list(product(ENDINGS, ENDINGS)))
def test_compressed_or_not(text, source, target, tmp_path):
    text = lines_of(text, 10000)
    path, output = tmp_path / ("a.fen" + source), tmp_path / ("b.fen" + target)
    path.write_bytes(compress(text, source))
    assert well("filter", path, "--output", output) == b""
    assert decompress(output.read_bytes(), target) == text
    assert (output.read_bytes() == text) == (target == "") and set(os.listdir(tmp_path)) == {path.name, output.name}


@pytest.mark.parametrize("ending", COMPRESSED)
def test_compressed_by_several_threads(records, ending, tmp_path):
    """One member, for readers that know no more; long outputs of blocks and short ones, whose order is that of the input."""
    text = ("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\n" * 15000 + f"{QUIET}\n" + WRITERS["fen"](records) * 15) * 6
    source, output = tmp_path / "a.fen", tmp_path / ("b.fen" + ending)
    source.write_text(text)
    expected, files = well("filter", source, "--drop", "in-check", "--threads", 1), set()
    for threads in 1, 2, 7:
        output.unlink(missing_ok=True)
        well("filter", source, "--drop", "in-check", "--threads", threads, "--output", output)
        files.add(output.read_bytes())
    [whole] = files
    assert decompress(whole, ending) == expected and len(whole) < len(expected) / 2
    if ending == ".gz":
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        assert member.decompress(whole) == expected and member.eof and member.unused_data == b""


@pytest.mark.parametrize("ending, name", [(".gz", "gzip"), (".zst", "Zstandard")])
def test_compressed_files_whose_name_does_not_say_so(text, ending, name, tmp_path):
    """The first bytes say it, of files and of pipes, which may give them one by one; in all commands."""
    path, whole = tmp_path / "a.fen", lines_of(text, 100)
    path.write_bytes(compress(whole, ending))
    for names, stdin in ([path], b""), ([], path.read_bytes()):
        assert well("filter", *names, stdin=stdin) == whole
        assert run("eval", *names, stdin=stdin).stdout == run("eval", stdin=whole).stdout != b""
    slowly = subprocess.run(["sh", "-c", 'dd if="$0" bs=1 status=none | "$1" filter --quiet', path, TOOL],
                            stdout=subprocess.PIPE, check=True, env=environment())
    assert slowly.stdout == whole
    says(2, run("filter", "--part", "1/2", path), "is compressed and has no parts that can be read alone")
    path.write_bytes(compress(path.read_bytes(), ending))
    fails(1, run("filter", "--quiet", path), f": it is compressed by {name}, expected text, or text that is compressed once\n")
    other = tmp_path / ("a.fen" + {".gz": ".zst", ".zst": ".gz"}[ending])
    other.write_bytes(compress(whole, ending))
    assert well("filter", other) == whole


def test_records_that_nearly_begin_like_compressed_data(tmp_path):
    """Pieces may stand so that a record begins with the first bytes of gzip's mark."""
    path = tmp_path / "a.marlin"
    fen = "4k3/8/8/8/3PP3/p7/PP1P3P/RNBQK3 w - - 0 1"
    well("convert", "--from", "scored", "--output", path, stdin=f"{fen} | 0 | 1.0\n")
    assert path.read_bytes()[:2] == b"\x1f\x8b" and well("filter", path, "--count") == b"1\n"


@pytest.mark.parametrize("ending", COMPRESSED)
def test_several_members(text, ending, tmp_path):
    """Between two members, too, a line may be divided."""
    whole, path = lines_of(text, 3000), tmp_path / ("a.fen" + ending)
    for size in (1001, 50000):
        path.write_bytes(b"".join(compress(whole[i:i + size], ending) for i in range(0, len(whole),
                                                                                     size)) + compress(b"", ending))
        assert well("filter", path) == whole


@pytest.mark.parametrize("ending", COMPRESSED)
def test_cut_compressed_files(text, ending, tmp_path):
    data = lines_of(text, 40)
    whole, path, output = compress(data, ending), tmp_path / ("a.fen" + ending), tmp_path / "b.fen"
    for cut in places(len(whole)):
        path.write_bytes(whole[:cut])
        result = run("filter", "--quiet", path)
        says(1, result, "the file was cut off" if cut else "it is empty, expected compressed data")
        assert data.startswith(result.stdout) and (result.stdout == b"" or result.stdout.endswith(b"\n"))
    output.write_bytes(b"old")
    says(1, run("filter", "--quiet", path, "--output", output),
         "b.fen: was not written, because nobody knows how much is missing from the input")
    assert output.read_bytes() == b"old" and set(os.listdir(tmp_path)) == {path.name, "b.fen"}


@pytest.mark.parametrize("ending", COMPRESSED)
def test_damaged_compressed_files(text, ending, tmp_path):
    data, chance, damaged = lines_of(text, 400), random.Random(SEED), 0
    whole, path = compress(data, ending, *["--check"] * (ending == ".zst")), tmp_path / ("a.fen" + ending)
    for at in chance.sample(range(len(whole)), times(60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:])
        result = run("filter", "--quiet", path)
        assert result.returncode == (result.stderr != b""), at
        assert result.returncode == 1 or result.stdout == data, at  # bits that mean nothing: the time in a gzip header
        damaged += result.returncode
    assert damaged > times(45)
    path.write_bytes(whole + b"rubbish")
    assert run("filter", "--quiet", path).returncode == 1


# ---- Damage in text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_files_cut_off_anywhere(records, form):
    header, lines = data_lines(WRITERS[form](records[:6]), form)
    whole, read = "".join(header + lines).encode(), 0
    for cut in [*places(len(whole)), len(whole) - 1]:
        data = whole[:cut]
        result, strict = (run("filter", "--quiet", "--from", form, *options,
                              stdin=data) for options in ([], ["--strict"]))
        if header and cut < len(header[0]):
            fails(1, result)
            continue
        at_end, ends = data.endswith(b"\n") or cut == 0, data.rfind(b"\n") + 1
        assert (b": warning: the last line has no line feed" in result.stderr) == (not at_end)
        assert (b"no line feed at its end, the file may have been cut off, expected" in strict.stderr) == (not at_end)
        assert strict.returncode == (not at_end) and strict.stdout == data[:ends]
        assert not (at_end and result.returncode), cut
        assert result.stdout == (data[:ends] if at_end or result.returncode else data + b"\n")
        read += not at_end and result.returncode == 0
    assert read > 0


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("command", ["filter", "annotate", "stats"])
def test_damage_anywhere(records, form, command):
    """Bytes changed, put in and taken out: records before the damage are as they were, and nothing crashes."""
    header, lines = data_lines(WRITERS[form](records[:50]), form)
    whole, arguments, errors = "".join(header + lines).encode(), [command, "--quiet", "--from", form], 0
    good, chance = run(*arguments, stdin=whole).stdout.splitlines(), random.Random(f"{form} {command} {SEED}")
    for _ in range(times(20)):
        at = chance.randrange(len(header[0]) if header else 0, len(whole))
        gone, new = chance.choice([(1, chance.randbytes(1)), (0, chance.randbytes(chance.randrange(1, 5))),
                                   (chance.randrange(1, 80), b""),
                                   (40, bytes(min(40, len(whole) - at)))])  # the last is a hole
        result = run(*arguments, stdin=whole[:at] + new + whole[at + gone:])
        wrong = [line for line in result.stderr.splitlines() if b": warning: " not in line]  # no line feed at the end
        assert result.returncode == (wrong != []), (result.returncode, result.stderr)
        errors += result.returncode
        if command != "stats":
            before, after, found = whole[:at].count(b"\n"), whole[at + 80:].count(b"\n") - 1, result.stdout.splitlines()
            assert found[:before] == good[:before] and (after <= 0 or found[-after:] == good[-after:])
    assert errors > times(4)


@pytest.mark.parametrize("threads", [1, 3])
def test_strict(threads, text, tmp_path):
    lines = text.decode().splitlines()
    lines[30000] = lines[30001] = lines[40000] = BAD
    path, output = tmp_path / "a.fen", tmp_path / "b.fen"
    path.write_text("\n".join(lines) + "\n")
    strict = ["--strict", "--quiet", "--threads", threads, path]
    result = run("filter", *strict)
    assert result.returncode == 1 and result.stdout.decode() == "\n".join(lines[:30000]) + "\n"
    assert [row.split(": ")[0] for row in result.stderr.decode().splitlines()] == [f"{path}:30001"]
    assert run("filter", *strict, "--output", output).returncode == 1 and os.listdir(tmp_path) == ["a.fen"]
    for command in (["filter", "--count"], ["stats"]):
        fails(1, run(*command, *strict))


def test_strict_runs_tell_what_comes_first_of_what_was_read_and_written():
    """The second line was read before the first was to be written, which it cannot be."""
    lines = '{"fen": "%s", "score": 40000, "result": 0}\n{"fen": 1}\n' % QUIET
    for options, said in ((), {b"-:1", b"-:2"}), (("--strict",), {b"-:1"}):
        result = run("convert", "--quiet", "--lose", "all", "--from", "jsonl", "--to", "marlinformat", *options,
                     stdin=lines)
        assert result.returncode == 1 and {line[:3] for line in result.stderr.splitlines()} == said


# ---- Output ---------------------------------------------------------------------------------------------------------


def test_output_takes_the_place_of_its_input(text, tmp_path):
    path, link = tmp_path / "a.fen", tmp_path / "link.fen"
    path.write_bytes(text)
    path.chmod(0o640)
    link.symlink_to("a.fen")
    with open(path, "ab") as standard_output:  # nothing is written to it
        assert run("filter", "--drop", "any-capture", link, "--output", link, stdout=standard_output).returncode == 0
    assert 0 < len(path.read_bytes()) < len(text) and link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640 and set(os.listdir(tmp_path)) == {"a.fen", "link.fen"}


def test_new_files_have_the_usual_permissions(tmp_path):
    assert run("filter", "--output", tmp_path / "a.fen", stdin=QUIET + "\n", umask=0o027).returncode == 0
    assert (tmp_path / "a.fen").stat().st_mode & 0o777 == 0o640


def test_devices_are_written_to_as_they_are(text, tmp_path):
    fifo, some = tmp_path / "fifo", lines_of(text, 1000)
    os.mkfifo(fifo)
    with start("filter", "--quiet", "--output", fifo, stdin=subprocess.PIPE) as process, open(fifo, "rb") as reader:
        process.stdin.write(some)
        process.stdin.close()
        assert reader.read() == some
    assert process.returncode == 0 and os.listdir(tmp_path) == ["fifo"]
    assert well("filter", "--output", "/dev/null", stdin=QUIET + "\n") == b"" and not os.path.isfile("/dev/null")


def test_convert_in_out(tmp_path):
    source, target = os.path.join(DATA, "formats", "own.plain"), tmp_path / "a.jsonl.gz"
    assert well("convert", source, target) == b""
    with open(source, "rb") as file:
        assert well("convert", target, "--to", "plain") == file.read()
    before = target.read_bytes()
    fails(2, run("convert", source, target), "a.jsonl.gz: it exists already, expected --output ")
    assert target.read_bytes() == before
    fails(2, run("convert", source, tmp_path / "b"), "no format to convert to was given")
    fails(2, run("convert", source, tmp_path / "b.txt"), "there is no format with the extension 'txt', expected one of fen, ")
    fails(2, run("convert", source, tmp_path / "b.csv.xz"), "ends with .xz")
    fails(1, run("filter", "--output", tmp_path / "no" / "such.fen", stdin=QUIET + "\n"),
          "such.fen: cannot be opened for writing: No such file")


def test_letters(tmp_path):
    for command in ("filter", "annotate", "convert"):
        output = tmp_path / (command + ".csv")
        assert run(command, "--from", "fen", "-j", "2", "-o", output, "--lose", "all",
                   stdin=QUIET + "\n").returncode == 0
        assert output.read_text().startswith("fen,")


# ---- Full disks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [
    ["eval"], ["info"], ["info", "--format", "json"], ["explain", ROOK_TAKES_PAWN, "e1e5"], ["--help"], ["--version"],
    ["eval", "--help"], ["filter"], ["annotate"], ["stats"], ["filter", "--count"]], ids=" ".join)
def test_full_disk(arguments, text):
    with open("/dev/full", "wb") as full:
        result = run(*arguments, stdin=text, stdout=full)
    assert result.returncode == 1
    assert re.search(rb"standard output:? cannot be written: No space left on device\n", result.stderr), result.stderr
    assert arguments != ["filter"] or b" read, 0 written, 0 bad records; " in result.stderr


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.mark.parametrize("ending", ENDINGS)
def test_disk_full_in_the_middle(text, ending, tmp_path):
    output = tmp_path / ("b.fen" + ending)
    output.write_bytes(b"old")
    says(1, run("filter", "--quiet", "--output", output, stdin=text, preexec_fn=limited(10001)),
         "cannot be written: File too large")
    assert output.read_bytes() == b"old" and os.listdir(tmp_path) == [output.name]


@pytest.mark.parametrize("size", [10001, 500000, 1])
def test_standard_output_ends_with_a_whole_record_when_the_disk_is_full(size, text, tmp_path):
    with open(tmp_path / "b.fen", "wb") as file:
        says(1, run("filter", "--quiet", stdin=text, stdout=file, preexec_fn=limited(size)),
             "standard output: cannot be written: File too large")
    written = (tmp_path / "b.fen").read_bytes()
    assert text.startswith(written) and size - 200 < len(written) <= size and (written.endswith(b"\n") or not written)


def test_picture_on_a_full_disk():
    says(1, run("stats", "--quiet", "--svg", "/dev/full", stdin=QUIET + "\n"),
         "/dev/full: cannot be written: No space left on device")


# ---- Closed pipes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["eval", "filter", "annotate"])
@pytest.mark.parametrize("ignored", [False, True])
def test_reader_that_goes_away(command, ignored, text, tmp_path):
    """The end by SIGPIPE, or with status 1 where that is ignored."""
    path = tmp_path / "a.fen"
    path.write_bytes(text)
    action = signal.SIG_IGN if ignored else signal.SIG_DFL
    with start(command, path, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGPIPE, action),
               restore_signals=False) as process:
        process.stdout.read(1000)
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == (1 if ignored else -signal.SIGPIPE)
    assert ignored or (b"standard output: the reading program has ended; not everything was written\n" in said) == (command != "eval")
    assert said == b"" or command != "eval"


# ---- Signals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more, text", [
    (300, f"{QUIET}\n"), (20, "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1\n" * 4000), (1, "")],
    ids=["waiting", "at_work", "reading"])
def test_threads_of_a_run_that_stops(more, text, tmp_path):
    """They end while the sentence behind the first waits for a reader: those without work, and those that still have some; the
    reader may go on waiting for standard input."""
    names = [tmp_path / f"{i}.fen" for i in range(more)]
    for name in names:
        name.write_text("x\n" if name is names[0] else text)
    arguments = ["filter", "--strict", "--threads", "2", "--drop", "any-capture=-100..100", *names, "-"]
    said = run(*arguments).stderr
    first = said.split(b"\n")[0] + b"\n"
    theirs, ours = os.pipe()
    room = fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096) - len(first)
    os.write(ours, b"-" * room)
    with start(*arguments, stdin=subprocess.PIPE, stderr=ours) as process, open(theirs, "rb") as file:
        os.close(ours)
        time.sleep(0.3)
        waits, got = process.poll() is None, file.read()[room:]
        assert process.stdout.read() == b""
    assert waits and process.returncode == 1
    assert got.startswith(first) and got.count(b"\n") == said.count(b"\n") == 2


def test_a_signal_in_the_middle_of_compressed_bytes(tmp_path):
    """Into a pipe what was compressed is written to its end, as it cannot be taken back."""
    pipe, lines = tmp_path / "b.csv.gz", f"fen,note\n{QUIET},{os.urandom(600000).hex()}\n"
    os.mkfifo(pipe)
    with start("filter", "--quiet", "--from", "csv", "--output", pipe, stdin=subprocess.PIPE) as process, \
            open(pipe, "rb", buffering=0) as reader:
        process.stdin.write(lines.encode())
        process.stdin.close()
        got = reader.read(1)
        while struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, b"\0" * 4))[0] < 30000:
            time.sleep(0.01)  # until the pipe is filling with what was compressed; the rest waits for room in it
        process.send_signal(signal.SIGTERM)
        while part := reader.read(100000):
            got += part
        said = process.stderr.read()
    assert process.returncode == -signal.SIGTERM and b"stopped by SIGTERM" in said and len(got) > 100000


def temporaries(directory):
    return [name for name in os.listdir(directory) if name.startswith(".b.fen")]


def open_files(process):
    """What a process has open, and its size. A descriptor may be closed while they are looked at."""
    for fd in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            yield os.readlink(f"/proc/{process.pid}/fd/{fd}"), os.stat(f"/proc/{process.pid}/fd/{fd}").st_size
        except FileNotFoundError:
            pass


@pytest.mark.parametrize("number, options", [(signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGHUP, []),
                                             (signal.SIGTERM, ["--unique"]), (signal.SIGTERM, ["--shuffle"])])
def test_signal_removes_what_is_not_complete(number, options, text, tmp_path):
    """Standard input stays open: the run waits for more of it."""
    (tmp_path / "b.fen").write_bytes(b"old")
    memory = ["--memory", "1M"] if options else []
    with start("filter", *options, *memory, "--output", tmp_path / "b.fen", stdin=subprocess.PIPE) as process:
        process.stdin.write(text)
        process.stdin.flush()
        wait_until(lambda: any(name.startswith(f"{tmp_path}/") and (options or size > 0) for name, size in open_files(process)))
        process.send_signal(number)
        said = process.stderr.read().decode()
    assert process.returncode == -number
    assert f"stopped by {number.name} after " in said and "the output was removed" in said
    assert os.listdir(tmp_path) == ["b.fen"] and (tmp_path / "b.fen").read_bytes() == b"old"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command, begun", [(["filter", "--from", "csv"], b""), (["stats", "--from", "csv"], b"fen,sc"),
                                            (["convert", "--from", "tsv", "--to", "fen"], b"fen\n"),
                                            (["annotate", "--from", "jsonl"], b""), (["filter", "--from", "binpack"], b"BIN")])
def test_signal_while_first_lines_are_read(command, begun, number, tmp_path):
    """A pipe with a name that gives nothing, or less than a header."""
    os.mkfifo(tmp_path / "pipe")
    with start(*command, tmp_path / "pipe") as process, open(tmp_path / "pipe", "wb", buffering=0) as pipe:
        pipe.write(begun)
        wait_until(lambda: any(name == f"{tmp_path}/pipe" for name, _ in open_files(process)))
        process.send_signal(number)
        said = process.stderr.read().decode()
        assert process.stdout.read() == b""
    assert process.returncode == -number
    assert f"stopped by {number.name} after 0 positions" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_between_two_records(number, text):
    text = text[:text.find(b"\n", 700000) + 1]  # as much as fits into the blocks and pipes, and more than into a block
    with start("filter", "--quiet", stdin=subprocess.PIPE) as process:
        feeder = subprocess.Popen(["sh", "-c", "cat; sleep 100"], stdin=subprocess.PIPE, stdout=process.stdin)
        process.stdin.close()
        feeder.stdin.write(text)
        feeder.stdin.flush()
        got = process.stdout.read(12345)  # now it is in the middle of writing a block, for want of a reader
        process.send_signal(number)
        got += process.stdout.read()
        said = process.stderr.read()
        feeder.kill()
        feeder.stdin.close()
        feeder.wait()
    assert process.returncode == -number and b"stopped by " in said
    assert text.startswith(got) and got.endswith(b"\n")


def test_ignored_signals_stay_ignored(text):
    with start("filter", "--quiet", stdin=subprocess.PIPE,
               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.stdin.write(text[:text.find(b"\n") + 1])
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        assert process.stdout.read() == text[:text.find(b"\n") + 1]
    assert process.returncode == 0


def can_be_nameless(folder):
    """Whether the file system makes files without a name."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except (AttributeError, OSError):
        return False
    return True


def test_a_file_that_is_being_written_has_no_name(tmp_path):
    """So that SIGKILL leaves nothing, whether the output exists or not."""
    if not can_be_nameless(tmp_path):
        pytest.skip("this file system makes no files without a name")
    for old in (False, True):
        if old:
            (tmp_path / "b.fen").write_text("old")
        before = sorted(os.listdir(tmp_path))
        with start("filter", "--quiet", "--output", tmp_path / "b.fen", stdin=subprocess.PIPE) as process:
            process.stdin.write(QUIET.encode() + b"\n")
            process.stdin.flush()
            time.sleep(0.2)
            assert sorted(os.listdir(tmp_path)) == before
            process.kill()
        assert sorted(os.listdir(tmp_path)) == before


def test_kill_at_random_moments(text, tmp_path):
    """Whatever kills it, the file under its name is the old one or all of the new one."""
    chance = random.Random(SEED)
    path, output = tmp_path / "a.fen", tmp_path / "b.fen"
    path.write_bytes(text)
    expected = well("filter", "--drop", "any-capture=0..", path)
    ends = set()
    nameless = can_be_nameless(tmp_path)
    for i in range(times(20)):
        output.unlink(missing_ok=True)
        if i % 2:
            output.write_bytes(b"old")
        number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        with start("filter", "--quiet", "--drop", "any-capture=0..", path, "--output", output) as process:
            time.sleep(chance.random() * 0.06)
            process.send_signal(number)
        content = output.read_bytes() if output.exists() else None
        assert content in (b"old" if i % 2 else None, expected)
        assert content == expected or process.returncode != 0
        # Only where a file is replaced it has another name, for a moment at the end.
        if number != signal.SIGKILL or (nameless and i % 2 == 0):
            assert temporaries(tmp_path) == []
        for name in temporaries(tmp_path):
            os.unlink(tmp_path / name)
        ends.add((process.returncode, content == expected))
    assert len(ends) > 1


# ---- Standard error -------------------------------------------------------------------------------------------------


def on_a_terminal(arguments, path, all_of_it=False):
    """What a run prints on a standard error that is a terminal; or standard output, too."""
    mine, its = pty.openpty()
    stdout = its if all_of_it else subprocess.DEVNULL
    with subprocess.Popen([TOOL, *arguments], stdin=subprocess.PIPE, stdout=stdout, stderr=its,
                          env=environment()) as process:
        os.close(its)
        with open(path, "rb") as file:
            data = file.read()
        process.stdin.write(data)
        process.stdin.flush()
        time.sleep(0.7)  # progress is told twice a second, when a block was written
        process.stdin.write(data)
        process.stdin.close()
        return read_terminal(mine).decode()


def test_progress_on_a_terminal(text, tmp_path):
    path = tmp_path / "a.fen"
    path.write_bytes(text)
    said = on_a_terminal(["filter"], path)
    assert "\rseebatch filter: " in said and " million a second\033[K" in said
    assert said.rstrip().split("\r")[-1].startswith("\033[Kseebatch filter: ") and " bad records; " in said
    assert on_a_terminal(["filter", "--quiet"], path) == ""
    # not between the records, where these go to the terminal
    path.write_text(QUIET + "\n")
    said = on_a_terminal(["filter"], path, all_of_it=True)
    assert said.startswith(2 * (QUIET + "\r\n") + "seebatch filter: 2 positions read, 2 written")


def test_no_progress_but_a_summary_elsewhere(text, tmp_path):
    """It counts what others can read: not what was lost with a file that does not appear."""
    n = text.count(b"\n")
    assert run("filter", stdin=text).stderr.decode().startswith(f"seebatch filter: {n} positions read, {n} written, 0 bad records; ")
    for strict, written in ([], 1), (["--strict"], 0):
        result = run("filter", *strict, "--output", tmp_path / f"{written}.fen", stdin=QUIET + "\n" + BAD + "\n")
        assert f"1 position read, {written} written, 1 bad record; ".encode() in result.stderr


def test_progress_in_a_log():
    path = os.path.join(DATA, "formats", "own.plain")
    *before, summary = run("stats", "--progress", "0", path).stderr.decode().splitlines()
    assert before and all(re.fullmatch("seebatch stats: [^\\r\\033]*", line) for line in before)
    assert any(" million a second, 100%, 0:00:00 left" in line for line in before) and " positions read, " in summary
    assert run("stats", path).stderr.count(b"\n") == 1 and run("stats", "--progress", "0", "--quiet",
                                                               path).stderr == b""


@pytest.mark.parametrize("command, ending", [(["eval", "--rules", "swap"], "\te1e5\t100"), (["filter", "--quiet"], "")])
def test_a_person_gets_each_answer_at_once(command, ending):
    mine, its = pty.openpty()
    with start(*command, stdin=its) as process:
        os.close(its)
        for _ in range(3):
            os.write(mine, ROOK_TAKES_PAWN.encode() + b"\n")
            assert process.stdout.readline().decode() == f"{ROOK_TAKES_PAWN}{ending}\n"
        os.write(mine, b"\x04")
        assert process.stdout.read() == b""
    os.close(mine)
    assert process.returncode == 0


def test_endings_of_outputs(tmp_path):
    """The format of the input is not written under a name that says another one, or several, or none that there is."""
    source, output = os.path.join(DATA, "formats", "own.plain"), tmp_path / "v1.2"
    output.mkdir()
    for name, sentence in (("q.txt", "there is no format with the extension 'txt'"), ("q.bulet.gz", "extension 'bulet'"),
                           ("q.bin", "files that end with 'bin' may have several formats, expected --to with one of ")):
        says(2, run("filter", source, "--output", output / name), sentence)
    for name in ("q", "q.plain", "q.gz", ".q"):
        well("filter", source, "--output", output / name)
    (tmp_path / "a.data").write_bytes(well("convert", source, "--to", "marlin", "--lose", "all"))
    well("filter", "--from", "marlin", tmp_path / "a.data", "--output", tmp_path / "b.data")
    assert sorted(os.listdir(output)) == [".q", "q", "q.gz", "q.plain"]


def test_an_output_without_a_record_does_not_appear(tmp_path):
    output = tmp_path / "b.scored"
    output.write_text("old")
    for more in ([], ["--salvage"]):
        result = run("convert", "--from", "fen", *more, "--output", output, stdin=BAD + "\n")
        says(2, result, "the format fen has no score")
        result = run("filter", "--from", "scored", *more, "--output", output, stdin=f"{BAD} | 1 | 1.0\n")
        says(1, result, "b.scored: was not written, because no record is left to be written")
        assert output.read_text() == "old"
    well("filter", "--from", "scored", "--keep", "score=5", "--output", output, stdin=f"{QUIET} | 1 | 1.0\n")
    assert output.read_text() == ""
