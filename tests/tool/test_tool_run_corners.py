"""Corners of runs of filter, annotate, stats and convert: parts of files
with long or damaged records, outputs, and signals in the middle."""
import fcntl
import os
import signal
import subprocess
import time

import pytest

from pipeline_support import TOOL, environment, run, well
from test_tool_format_corners import CASTLING, GAME, QUIET, stem


# ---- Parts -------------------------------------------------------------------------------------------------------------------


def parts(n, path, *options):
    return [run("filter", "--quiet", path, *options, "--part", f"{i}/{n}") for i in range(1, n + 1)]


def test_records_longer_than_what_is_looked_at(tmp_path):
    """Between two of 64 KiB and more the next beginning is far away, or there is none."""
    long = "x" * 300000
    for name, record in (("a.jsonl", '{"fen": "%s", "x": "%s"}\n' % (QUIET, long)),
        ("a.plain", f"fen {QUIET}\nx {long}\nmove e1e2\ne\n"),
                         ("a.pgn", GAME.replace("e4", "e4 {" + long + "}"))):
        path = tmp_path / name
        for text, n in ((record * 3, 4), (record, 7), (record + "\n" * 70000, 5)):
            path.write_text(text)
            some = parts(n, path, "--to", "tsv", "--lose", "lines")
            assert [(part.returncode, part.stderr) for part in some].count((0, b"")) == n, some[0].stderr
            whole = well("filter", path, "--to", "tsv", "--lose", "lines")
            assert b"".join(part.stdout for part in some) == whole


def test_headers_longer_than_what_is_looked_at(tmp_path):
    path = tmp_path / "a.csv"
    for mark in ("", "\ufeff"):
        path.write_text(mark + "fen," + "x" * 100000 + "\n" + f"{QUIET},1\n" * 5000)
        whole = well("filter", path)
        some = parts(3, path)
        assert b"".join(part.stdout for part in some) == whole and all(part.returncode == 0 for part in some)
    path.write_text(f"fen,x\n{QUIET},1\n")  # fewer bytes than parts: the first has none at all
    assert b"".join(part.stdout for part in parts(40, path)) == path.read_bytes()
    path.write_text("fen," + "x" * 200000)
    assert all(b"the header has no end" in part.stderr for part in parts(2, path) if part.returncode != 0)


def test_parts_of_damaged_chunks(tmp_path):
    """Where a chunk is none, what follows it belongs to the part in which it begins."""
    path, good = tmp_path / "a.binpack", stem(CASTLING, 0, "e1d1")
    for rest in (b"x" * 100, b"BINP\xff\xff\xff\xff" + b"x" * 100):
        path.write_bytes(good * 3 + rest)
        some = parts(4, path, "--to", "fen", "--lose", "score,result")
        assert sum(part.stdout.count(b"\n") for part in some) == 3
        assert sum(part.stderr.count(b"are passed over") for part in some) == 1
    path.write_bytes(good * 3 + b"BIN")  # of the last two of a hundred parts one begins in these bytes, and one behind them
    some = [run("filter", "--quiet", path, "--to", "fen", "--lose", "all", "--part", f"{i}/100") for i in (98, 99, 100)]
    assert sum(part.stderr.count(b"the file ends in the first 8 bytes of a chunk") for part in some) == 1


# ---- Output -------------------------------------------------------------------------------------------------------------------


def test_strict_runs_tell_what_comes_first_of_what_was_read_and_written():
    """The second line was read before the first was to be written, which it cannot be."""
    lines = '{"fen": "%s", "score": 40000, "result": 0}\n{"fen": 1}\n' % QUIET
    for options, said in ((), {b"-:1", b"-:2"}), (("--strict",), {b"-:1"}):
        result = run("convert", "--quiet", "--lose", "all", "--from", "jsonl", "--to", "marlinformat", *options, stdin=lines)
        assert result.returncode == 1 and {line[:3] for line in result.stderr.splitlines()} == said


@pytest.mark.parametrize("more, text", [
    (300, f"{QUIET}\n"), (20, "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1\n" * 4000), (1, "")],
    ids=["waiting", "at_work", "reading"])
def test_threads_of_a_run_that_stops(more, text, tmp_path):
    """They end while the sentence behind the first waits for a reader: those without work, and those that still have some; the
    reader may go on waiting for standard input."""
    names = [tmp_path / f"{i}.fen" for i in range(more)]
    for i, name in enumerate(names):
        name.write_text("x\n" if i == 0 else text)
    arguments = ["filter", "--strict", "--threads", "2", "--drop", "any-capture=-100..100", *names, "-"]
    said = run(*arguments).stderr
    first = said.split(b"\n")[0] + b"\n"
    theirs, ours = os.pipe()
    room = fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096) - len(first)
    os.write(ours, b"-" * room)
    with subprocess.Popen([TOOL, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=ours,
                          env=environment()) as process:
        os.close(ours)
        time.sleep(0.3)
        waits = process.poll() is None
        with open(theirs, "rb") as file:
            got = file.read()[room:]
        out = process.stdout.read()
    assert waits and process.returncode == 1 and out == b""
    assert got.startswith(first) and got.count(b"\n") == said.count(b"\n") == 2


# ---- Signals and terminals ---------------------------------------------------------------------------------------------------


def test_a_signal_in_the_middle_of_compressed_bytes(tmp_path):
    """Into a pipe what was compressed is written to its end, as it cannot be taken back."""
    pipe, lines = tmp_path / "b.csv.gz", f"fen,note\n{QUIET},{os.urandom(600000).hex()}\n"
    os.mkfifo(pipe)
    with subprocess.Popen([TOOL, "filter", "--quiet", "--from", "csv", "--output", pipe], stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
                          env=environment()) as process, open(pipe, "rb", buffering=0) as reader:
        process.stdin.write(lines.encode())
        process.stdin.close()
        got = reader.read(1)  # the rest waits for room in the pipe
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        while part := reader.read(100000):
            got += part
        said = process.stderr.read()
    assert process.returncode == -signal.SIGTERM and b"stopped by SIGTERM" in said and len(got) > 100000
