"""How filter, annotate and stats treat files and their ends: compression, damage, cuts, signals, full disks, closed pipes.

Nothing here depends on how fast anything is: where a test waits, it waits for something to happen. With SEEBATCH_TEST_LONG set,
files are cut off and damaged at every place instead of at some, with another seed each time (SEEBATCH_TEST_SEED to repeat one).
"""
import os
import pty
import random
import resource
import signal
import subprocess
import time

import pytest

from pipeline_support import (BAD, QUIET, SEED, TOOL, WRITERS, compress, data_lines, decompress, environment, make_records,
                              places, run, says, times, well)

ENDINGS = ["", ".gz", ".zst"]


@pytest.fixture(scope="module")
def records():
    return make_records(800)


@pytest.fixture(scope="module", autouse=True)
def seed():
    print(f"SEEBATCH_TEST_SEED={SEED}")  # which pytest shows when a test fails


@pytest.fixture(scope="module")
def text(records):
    """Three megabytes of FEN lines: more blocks than there are in the ring."""
    return (WRITERS["fen"](records) * 60).encode()


def start(*arguments, **more):
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.Popen([TOOL, *map(str, arguments)], stderr=subprocess.PIPE, env=environment(), **more)


def wait_until(condition):
    """Waits for something that is going to happen; a minute at most, so that a test that fails ends."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


# ---- Compression ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ENDINGS)
@pytest.mark.parametrize("target", ENDINGS)
def test_compressed_or_not(text, source, target, tmp_path):
    text = text[:text.find(b"\n", 700000) + 1]
    path, output = tmp_path / ("a.fen" + source), tmp_path / ("b.fen" + target)
    path.write_bytes(compress(text, source))
    assert well("filter", path, "--output", output) == b""
    assert decompress(output.read_bytes(), target) == text
    assert (output.read_bytes() == text) == (target == "")
    assert os.listdir(tmp_path) == sorted({path.name, output.name}) or set(os.listdir(tmp_path)) == {path.name, output.name}


@pytest.mark.parametrize("ending, name", [(".gz", "gzip"), (".zst", "Zstandard")])
def test_compressed_files_whose_name_does_not_say_so(text, ending, name, tmp_path):
    path = tmp_path / "a.fen"
    path.write_bytes(compress(text[:10000], ending))
    for stdin in (None, path.read_bytes()):
        result = run("filter", "--quiet", *([] if stdin else [path]), stdin=stdin or b"")
        assert result.returncode == 1 and result.stdout == b"" and result.stderr.count(b"\n") == 1
        assert f": it is compressed by {name}, expected text, or a file whose name ends with {ending}\n".encode() in result.stderr


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_several_members(text, ending, tmp_path):
    lines = text.splitlines(keepends=True)[:3000]
    parts = [b"".join(lines[i:i + 777]) for i in range(0, len(lines), 777)]
    path = tmp_path / ("a.fen" + ending)
    path.write_bytes(b"".join(compress(part, ending) for part in parts) + compress(b"", ending))
    assert well("filter", path) == b"".join(lines)
    # between two members, too, a line may be divided
    whole = b"".join(lines)
    path.write_bytes(compress(whole[:1001], ending) + compress(whole[1001:], ending))
    assert well("filter", path) == whole


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_cut_compressed_files(text, ending, tmp_path):
    data = b"".join(text.splitlines(keepends=True)[:40])
    whole = compress(data, ending)
    path, output = tmp_path / ("a.fen" + ending), tmp_path / "b.fen"
    for cut in places(len(whole)):
        path.write_bytes(whole[:cut])
        result = run("filter", "--quiet", path)
        assert result.returncode == 1, cut
        assert (b"the file was cut off" in result.stderr) == (cut > 0)
        assert (b"it is empty, expected compressed data" in result.stderr) == (cut == 0)
        assert data.startswith(result.stdout) and (result.stdout == b"" or result.stdout.endswith(b"\n"))
    output.write_bytes(b"old")
    result = run("filter", "--quiet", path, "--output", output)
    assert result.returncode == 1 and b"b.fen: was not written, because not everything could be read" in result.stderr
    assert output.read_bytes() == b"old" and set(os.listdir(tmp_path)) == {path.name, "b.fen"}
    path.write_bytes(whole)
    assert well("filter", path) == data


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_damaged_compressed_files(text, ending, tmp_path):
    data = b"".join(text.splitlines(keepends=True)[:400])
    whole = compress(data, ending)
    if ending == ".zst":
        whole = subprocess.run(["zstd", "-q", "-c", "--check"], input=data, stdout=subprocess.PIPE, check=True).stdout
    chance = random.Random(SEED)
    path = tmp_path / ("a.fen" + ending)
    damaged = 0
    for at in chance.sample(range(len(whole)), times(60)):
        changed = bytearray(whole)
        changed[at] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        result = run("filter", "--quiet", path)
        assert result.returncode in (0, 1)
        if result.returncode == 0:  # bits that mean nothing: the time in a gzip header
            assert result.stdout == data and result.stderr == b"", at
        else:
            damaged += 1
            assert result.stderr != b""
    assert damaged > times(45)
    path.write_bytes(whole + b"rubbish")
    assert run("filter", "--quiet", path).returncode == 1


# ---- Damage in text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_files_cut_off_anywhere(records, form, tmp_path):
    header, lines = data_lines(WRITERS[form](records[:6]), form)
    whole = "".join(header + lines).encode()
    path, read = tmp_path / ("a." + form), 0
    for cut in [*places(len(whole)), len(whole) - 1]:
        path.write_bytes(whole[:cut])
        result = run("filter", "--quiet", path)
        at_end = whole[:cut].endswith(b"\n") or cut == 0
        if form in ("csv", "tsv") and cut <= len(header[0]) - 1:
            assert result.returncode == 1 and result.stdout == b""
            continue
        ends = whole[:cut].rindex(b"\n") + 1 if b"\n" in whole[:cut] else 0
        strict = run("filter", "--quiet", "--strict", path)
        assert (b": warning: the last line has no line feed" in result.stderr) == (not at_end)
        assert (b"no line feed at its end, the file may have been cut off, expected" in strict.stderr) == (not at_end)
        assert strict.returncode == (not at_end) and strict.stdout == whole[:ends]
        assert not (at_end and result.returncode), cut
        assert result.stdout == (whole[:ends] if at_end or result.returncode else whole[:cut] + b"\n")
        read += not at_end and result.returncode == 0
    assert read > 0


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("command", ["filter", "annotate", "stats"])
def test_damage_anywhere(records, form, command, tmp_path):
    """Bytes changed, put in and taken out: records before the damage are as they were, and nothing crashes."""
    header, lines = data_lines(WRITERS[form](records[:50]), form)
    whole = "".join(header + lines).encode()
    chance = random.Random(f"{form} {command} {SEED}")
    arguments = [command, "--quiet", "--from", form]
    good = run(*arguments, stdin=whole).stdout
    complaints = 0
    for _ in range(times(20)):
        data = bytearray(whole)
        at = chance.randrange(len(header[0]) if header else 0, len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 5)))
        elif kind == 2:
            del data[at:at + chance.randrange(1, 80)]
        else:
            data[at:at + 40] = bytes(len(data[at:at + 40]))  # a hole
        result = run(*arguments, stdin=bytes(data))
        assert result.returncode in (0, 1), (result.returncode, result.stderr)
        assert (result.stderr != b"") == (result.returncode == 1)
        complaints += result.returncode
        if command != "stats":
            before = whole[:at].count(b"\n")
            assert result.stdout.splitlines()[:before] == good.splitlines()[:before]
            intact = whole[at + 80:]
            after = intact[intact.find(b"\n") + 1:].count(b"\n") if b"\n" in intact else 0
            if after:
                assert result.stdout.splitlines()[-after:] == good.splitlines()[-after:]
    assert complaints > times(4)


def test_bad_records_are_passed_over_and_counted(tmp_path):
    path = tmp_path / "a.fen"
    path.write_text("\n".join([QUIET, BAD, QUIET, "rubbish", QUIET]) + "\n")
    output = tmp_path / "b.fen"
    result = run("filter", path, "--output", output)
    assert result.returncode == 1
    told = result.stderr.decode().splitlines()
    assert told[0].startswith(f"{path}:2: the side to move is 'x'") and told[1].startswith(f"{path}:4: the pieces 'rubbish'")
    assert told[2].startswith("seebatch filter: 3 positions read, 3 written, 2 bad records;") and len(told) == 3
    assert output.read_text() == 3 * (QUIET + "\n")  # the good ones are all there


@pytest.mark.parametrize("threads", [1, 3])
def test_strict(threads, text, tmp_path):
    lines = text.decode().splitlines()
    lines[30000] = lines[30001] = lines[40000] = BAD
    path, output = tmp_path / "a.fen", tmp_path / "b.fen"
    path.write_text("\n".join(lines) + "\n")
    result = run("filter", "--strict", "--quiet", "--threads", threads, path)
    assert result.returncode == 1
    assert result.stdout.decode() == "\n".join(lines[:30000]) + "\n"
    assert [row.split(": ")[0] for row in result.stderr.decode().splitlines()] == [f"{path}:30001"]
    result = run("filter", "--strict", "--quiet", "--threads", threads, path, "--output", output)
    assert result.returncode == 1 and not output.exists() and os.listdir(tmp_path) == ["a.fen"]
    for command in (["filter", "--count"], ["stats"]):
        result = run(*command, "--strict", "--quiet", path)
        assert result.returncode == 1 and result.stdout == b""


def test_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "a.fen"
    path.write_text(QUIET + "\n")
    output = tmp_path / "b.fen"
    result = run("filter", "--quiet", path, tmp_path / "missing.fen", path)
    assert result.returncode == 1 and result.stdout == b""  # that is seen before anything is read
    assert b"missing.fen: cannot be opened: No such file or directory" in result.stderr
    result = run("filter", "--quiet", path, tmp_path / "missing.fen", path, "--output", output)
    assert result.returncode == 1 and not output.exists()
    (tmp_path / "d.fen").mkdir()
    says(1, run("filter", "--quiet", tmp_path / "d.fen"), "d.fen: cannot be opened: Is a directory")


# ---- Output ---------------------------------------------------------------------------------------------------------


def test_output_takes_the_place_of_its_input(text, tmp_path):
    path = tmp_path / "a.fen"
    path.write_bytes(text)
    path.chmod(0o640)
    link = tmp_path / "link.fen"
    link.symlink_to("a.fen")
    assert well("filter", "--drop", "any-capture", link, "--output", link) == b""
    assert 0 < len(path.read_bytes()) < len(text) and link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert set(os.listdir(tmp_path)) == {"a.fen", "link.fen"}


def test_new_files_have_the_usual_permissions(tmp_path):
    old = os.umask(0o027)
    try:
        well("filter", "--output", tmp_path / "a.fen", stdin=QUIET + "\n")
    finally:
        os.umask(old)
    assert (tmp_path / "a.fen").stat().st_mode & 0o777 == 0o640


def test_devices_are_written_to_as_they_are(text, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with start("filter", "--quiet", "--output", fifo, stdin=subprocess.PIPE) as process:
        reader = open(fifo, "rb")
        process.stdin.write(text[:60000].rpartition(b"\n")[0] + b"\n")
        process.stdin.close()
        assert reader.read() == text[:60000].rpartition(b"\n")[0] + b"\n"
        reader.close()
    assert process.returncode == 0 and os.listdir(tmp_path) == ["fifo"]
    assert well("filter", "--output", "/dev/null", stdin=QUIET + "\n") == b""
    assert not os.path.isfile("/dev/null")


def test_output_that_cannot_be_opened(tmp_path):
    result = run("filter", "--output", tmp_path / "no" / "such.fen", stdin=QUIET + "\n")
    assert result.returncode == 1 and b"such.fen: cannot be opened for writing: No such file" in result.stderr


@pytest.mark.parametrize("command", [["filter"], ["annotate"], ["stats"], ["filter", "--count"]])
def test_full_disk(command, text):
    with open("/dev/full", "wb") as full:
        result = run(*command, "--quiet", stdin=text, stdout=full)
    assert result.returncode == 1 and b"standard output" in result.stderr and b"No space left on device" in result.stderr


def limited(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return limit


@pytest.mark.parametrize("ending", ENDINGS)
def test_disk_full_in_the_middle(text, ending, tmp_path):
    output = tmp_path / ("b.fen" + ending)
    output.write_bytes(b"old")
    result = run("filter", "--quiet", "--output", output, stdin=text, preexec_fn=limited(10001))
    assert result.returncode == 1 and b"cannot be written: File too large" in result.stderr
    assert output.read_bytes() == b"old" and os.listdir(tmp_path) == [output.name]


def test_standard_output_ends_with_a_whole_record_when_the_disk_is_full(text, tmp_path):
    for size in (10001, 500000, 1):
        with open(tmp_path / "b.fen", "wb") as file:
            result = run("filter", "--quiet", stdin=text, stdout=file, preexec_fn=limited(size))
        assert result.returncode == 1 and b"standard output: cannot be written: File too large" in result.stderr
        written = (tmp_path / "b.fen").read_bytes()
        assert text.startswith(written) and len(written) <= size and (written.endswith(b"\n") or not written)
        assert len(written) > size - 200


def test_picture_on_a_full_disk(tmp_path):
    result = run("stats", "--quiet", "--svg", "/dev/full", stdin=QUIET + "\n")
    assert result.returncode == 1 and b"/dev/full: cannot be written: No space left on device" in result.stderr


# ---- Closed pipes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["filter", "annotate"])
def test_reader_that_goes_away(command, text, tmp_path):
    path = tmp_path / "a.fen"
    path.write_bytes(text)
    with start(command, "--quiet", path) as process:
        process.stdout.read(1000)
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == -signal.SIGPIPE
    assert said == b"seebatch: standard output: the reader has gone; not everything was written\n"


def test_reader_that_goes_away_where_sigpipe_is_ignored(text, tmp_path):
    path = tmp_path / "a.fen"
    path.write_bytes(text)
    with start("filter", "--quiet", path, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN),
               restore_signals=False) as process:
        process.stdout.close()
        process.stderr.read()
    assert process.returncode == 1


# ---- Signals --------------------------------------------------------------------------------------------------------


def temporaries(directory):
    return [name for name in os.listdir(directory) if name.startswith(".b.fen")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_removes_what_is_not_complete(number, text, tmp_path):
    (tmp_path / "b.fen").write_bytes(b"old")
    with start("filter", "--output", tmp_path / "b.fen", stdin=subprocess.PIPE) as process:
        process.stdin.write(text)
        process.stdin.flush()
        wait_until(lambda: any(os.path.getsize(tmp_path / name) > 0 for name in temporaries(tmp_path)))
        process.send_signal(number)
        said = process.stderr.read().decode()
    assert process.returncode == -number
    assert f"stopped by {number.name} after " in said and "the output was removed" in said
    assert os.listdir(tmp_path) == ["b.fen"] and (tmp_path / "b.fen").read_bytes() == b"old"


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
    with start("filter", "--quiet", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.stdin.write(text[:text.find(b"\n") + 1])
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        assert process.stdout.read() == text[:text.find(b"\n") + 1]
    assert process.returncode == 0


def test_kill_at_random_moments(text, tmp_path):
    """Whatever kills it, the file under its name is the old one or all of the new one."""
    chance = random.Random(SEED)
    path, output = tmp_path / "a.fen", tmp_path / "b.fen"
    path.write_bytes(text)
    expected = well("filter", "--drop", "any-capture=0..", path)
    ends = set()
    for _ in range(times(20)):
        output.write_bytes(b"old")
        number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        with start("filter", "--quiet", "--drop", "any-capture=0..", path, "--output", output) as process:
            time.sleep(chance.random() * 0.06)
            process.send_signal(number)
        content = output.read_bytes()
        assert content in (b"old", expected)
        assert content == expected or process.returncode != 0
        if number != signal.SIGKILL:
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
    with subprocess.Popen([TOOL, *arguments], stdin=subprocess.PIPE, stdout=stdout, stderr=its, env=environment()) as process:
        os.close(its)
        with open(path, "rb") as file:
            data = file.read()
        process.stdin.write(data)
        process.stdin.flush()
        time.sleep(0.7)  # progress is told twice a second, when a block was written
        process.stdin.write(data)
        process.stdin.close()
        said = b""
        try:
            while part := os.read(mine, 4096):
                said += part
        except OSError:
            pass
    os.close(mine)
    return said.decode()


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


def test_no_progress_but_a_summary_elsewhere(text):
    result = run("filter", stdin=text)
    n = text.count(b"\n")
    assert result.stderr.decode().startswith(f"seebatch filter: {n} positions read, {n} written, 0 bad records; ")
    assert result.stderr.count(b"\n") == 1 and b"\r" not in result.stderr


def test_summary_counts_what_can_be_read_by_others(text, tmp_path):
    """Not what was lost with a full disk, or with a file that does not appear."""
    with open("/dev/full", "wb") as full:
        assert b" read, 0 written, 0 bad records; " in run("filter", stdin=text, stdout=full).stderr
    result = run("filter", "--output", tmp_path / "b.fen", stdin=QUIET + "\n" + BAD + "\n")
    assert b"1 position read, 1 written, 1 bad record; " in result.stderr and (tmp_path / "b.fen").exists()
    result = run("filter", "--strict", "--output", tmp_path / "c.fen", stdin=QUIET + "\n" + BAD + "\n")
    assert b"1 position read, 0 written, 1 bad record; " in result.stderr and not (tmp_path / "c.fen").exists()


def test_a_person_gets_each_answer_at_once():
    mine, its = pty.openpty()
    with start("filter", "--quiet", stdin=its) as process:
        os.close(its)
        for _ in range(3):
            os.write(mine, QUIET.encode() + b"\n")
            assert process.stdout.readline().decode() == QUIET + "\n"
        os.write(mine, b"\x04")
        assert process.stdout.read() == b""
    os.close(mine)
    assert process.returncode == 0
