"""What the tool does when the system lets it down: one call fails, and the next time the one after it, until a run has no
such call left. tests/tool/faults.c makes the calls fail.

Whatever fails, the tool may end in two ways only: with status 0 and the output of a run without a fault, or with status 1
and a sentence on standard error. A file that it was to write is then the old one, and nothing else lies beside it. Calls
that were interrupted, and reads and writes of one byte, change nothing at all.
"""
import errno
import os
import re
import resource
import signal
import subprocess

import pytest

from pipeline_support import QUIET, TOOL, environment

FAULTS = os.environ["SEEBATCH_TEST_FAULTS"]
FEN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"
HANGING = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"
QUICK = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
FILES = {
    "a.fen": f"{FEN}\td3e5\n{QUICK}\n{HANGING}\n",
    "a.csv": f"fen,move,score,result,ply\n{FEN},d3e5,10,1.0,4\n\"{QUICK}\",e5d6,-7,0.5,6\n",
    "a.jsonl": f'{{"fen": "{FEN}", "move": "d3e5", "score": 1}}\n',
    "a.txt": f"{QUICK}; exd6; 100\n{FEN}; Nxe5; -225\n",
}
# Whether the command writes a file, and the command. One worker, so that calls come in nearly the same order every time.
RUNS = [
    ("", "eval"),
    ("", "eval --format json --notation san a.fen"),
    ("", f"explain:--rules:swap:{FEN}:d3e5"),
    ("", "map a.fen"),
    ("", "map --format json a.fen"),
    ("", "compare --rules swap --rules legal a.fen"),
    ("", "verify --rules swap --trace a.txt"),
    ("", "info --format json"),
    ("", "filter --quiet --threads 1 a.fen"),
    ("", "filter --quiet --threads 1 --count a.jsonl"),
    ("b.csv", "filter --quiet --threads 1 --output b.csv a.csv"),
    ("b.csv.gz", "annotate --quiet --threads 1 --output b.csv.gz a.csv"),
    ("b.jsonl.zst", "filter --quiet --threads 1 --to jsonl --output b.jsonl.zst a.csv"),
    ("b.binpack", "convert --quiet --threads 1 --lose all --output b.binpack a.csv"),
    ("", "annotate --quiet --threads 1 a.jsonl"),
    ("", "stats --quiet --threads 1 --format json a.csv"),
    ("b.svg", "stats --quiet --threads 1 --svg b.svg a.csv"),
]
# Functions, and with what they fail. Of calls that come by the hundred the first ones are looked at.
FAULTS_OF = [("malloc", errno.ENOMEM), ("calloc", errno.ENOMEM), ("realloc", errno.ENOMEM), ("read", errno.EIO),
             ("pread", errno.EIO), ("write", errno.ENOSPC), ("open", errno.EMFILE), ("close", errno.EIO),
             ("fsync", errno.EIO), ("linkat", errno.EPERM), ("rename", errno.EACCES), ("fchmod", errno.EPERM),
             ("fstat", errno.EIO), ("stat", errno.EIO), ("lseek", errno.EIO),
             ("realpath", errno.ENOENT), ("pthread_create", errno.EAGAIN)]
CALLS = [*range(1, 40), *range(40, 200, 8)]
OLD = b"<svg>the old file</svg>\n"


def faulty(folder, fault, *arguments, stdin=b"", **more):
    """Exit status, standard output and standard error of a run with a fault in a folder; "": without."""
    variables = {"LD_PRELOAD": FAULTS, "SEEBATCH_FAULT": fault, "SEEBATCH_FAULT_LOG": str(folder.parent / "log")}
    result = subprocess.run([TOOL, *arguments], cwd=folder, env={**environment(), **variables}, input=stdin,
                            stderr=subprocess.PIPE,
                            timeout=60, **{"stdout": subprocess.PIPE, **more})
    return result.returncode, result.stdout, result.stderr.decode()


class Place:
    """A folder with the input, and what a run without a fault leaves there."""

    def __init__(self, folder, output, command):
        self.output, self.log, self.work = output, folder / "log", folder / "work"
        self.arguments = command.split(":") if ":" in command else command.split()
        self.work.mkdir()
        for name, text in FILES.items():
            (self.work / name).write_text(text)
        self.names = sorted([*FILES, *([output] if output else [])])
        self.expected = self.run("")
        assert self.expected[0] == 0, self.expected
        assert not output or self.file() != OLD

    def file(self):
        return (self.work / self.output).read_bytes() if self.output else b""

    def run(self, fault):
        """Exit status, standard output, standard error, the file that was written, and whether the fault struck."""
        if self.output:
            (self.work / self.output).write_bytes(OLD)
        self.log.unlink(missing_ok=True)
        said = faulty(self.work, fault, *self.arguments, stdin=FILES["a.fen"].encode())
        assert sorted(os.listdir(self.work)) == self.names, fault
        return *said, self.file(), self.log.exists()

    def without_tenths(self, fault, out):
        """A report, but for what it says of places in a file whose length the system does not tell, as that of a pipe."""
        if not fault.startswith("fstat:") or "stats" not in self.arguments or not out.startswith(b"{"):
            return out
        return re.sub(rb',\s*"tenths": \[.*?\]', b"", out, flags=re.DOTALL)

    def check(self, fault):
        """One run with a fault; returns whether it struck."""
        status, out, error, file, struck = self.run(fault)
        if not struck:
            assert (status, out, error, file) == self.expected[:4], fault
        elif status == 0:
            assert (self.without_tenths(fault, out), file) == (self.without_tenths(fault, self.expected[1]), self.expected[3]), fault
        elif status == -signal.SIGABRT and "a.jsonl" in self.arguments and "std::bad_alloc" in error:
            # simdjson chooses its code once, and ends the program where there is no memory for the name of it.
            assert fault.startswith(("malloc:", "calloc:")) and file in (b"", OLD), (fault, file)
        elif status == -signal.SIGSEGV and self.output.endswith(".zst"):
            # libzstd 1.5.4 does not ask whether there was memory for the list of its threads, of some hundred bytes.
            assert fault.startswith(("malloc:", "calloc:")) and file in (b"", OLD), (fault, file)
        else:
            assert status == 1 and error.endswith("\n") and len(error) > 20, (fault, status, out, error)
            # A picture may be of what could be read; it is whole, or the old one.
            assert file in (b"", OLD) or self.output == "b.svg" and file.endswith(b"</svg>\n"), (fault, file)
        return struck


@pytest.fixture(params=RUNS, ids=[run[1].replace(" ", "_")[:40] for run in RUNS])
def place(request, tmp_path):
    return Place(tmp_path, *request.param)


def test_one_call_fails(place):
    struck = set()
    for function, error in FAULTS_OF:
        for call in CALLS:
            if not place.check(f"{function}:{call}:{error}"):
                break
            struck.add(function)
    assert struck & {"write", "malloc"}


def test_interrupted_calls_and_calls_that_do_little(place):
    for fault in (f"read:0:{errno.EINTR}", f"write:0:{errno.EINTR}", f"pread:0:{errno.EINTR}", "read:0:short",
                  "write:0:short"):
        assert place.run(fault)[:4] == place.expected[:4], fault


def test_a_signal_in_the_middle_of_a_call(place):
    """The run ends by it, and the old file stays; or all was done before, and it is the new one."""
    if place.arguments[0] not in ("filter", "annotate", "convert"):
        return
    ends = set()
    for function in ("write", "fsync", "close", "rename", "read"):
        for call in range(1, 20):
            status, out, error, file, struck = place.run(f"{function}:{call}:signal")
            if not struck:
                break
            ends.add(status)
            assert (status, file) == (-signal.SIGTERM, OLD if place.output else b"") or \
                (status, out, file) == (0, place.expected[1], place.expected[3]), (function, call, error)
    assert -signal.SIGTERM in ends


def test_the_reader_goes_away(place):
    """A pipe that is closed at the N-th write: no sentence is asked for from commands that just end."""
    if place.output:
        return
    for call in range(1, 20):
        status, _, error, _, struck = place.run(f"write:{call}:{errno.EPIPE}")
        if not struck:
            break
        assert status in (1, -signal.SIGPIPE) and "cannot" not in error, (call, status, error)
    assert call > 1


NO_SPACE = "cannot be written: No space left on device"
FILTER, TO_FILE = "filter --quiet --threads 1 a.fen", "filter --quiet --threads 1 --output b.fen a.fen"


@pytest.mark.parametrize("command, call, error, sentence", [
    (TO_FILE, "write:1", errno.ENOSPC, "b.fen: " + NO_SPACE),
    (TO_FILE, "fsync:1", errno.EIO, "b.fen: cannot be written: Input/output error"),
    (TO_FILE, "rename:1", errno.EACCES, "b.fen: cannot be written: Permission denied"),
    (TO_FILE, "open:2", errno.EROFS, "b.fen: cannot be opened for writing: Read-only file system"),
    (FILTER, "read:1", errno.EIO, "a.fen: cannot be read on: Input/output error"),
    (FILTER, "open:1", errno.EMFILE, "a.fen: cannot be opened: Too many open files"),
    (FILTER, "write:1", errno.EDQUOT, "standard output: cannot be written: Disk quota exceeded"),
    (FILTER, "close:6", errno.ENOSPC, "standard output: " + NO_SPACE),
    (FILTER, "pthread_create:1", errno.EAGAIN, "a thread cannot be started: Resource temporarily unavailable"),
    ("eval a.fen", "open:1", errno.EACCES, "a.fen: cannot be opened: Permission denied"),
    ("eval a.fen", "read:2", errno.EIO, "a.fen: after line 3: cannot be read on: Input/output error"),
    ("eval a.fen", "write:1", errno.ENOSPC, "standard output " + NO_SPACE),
    ("eval a.fen", "close:3", errno.EIO, "standard output cannot be written: Input/output error"),
    ("eval a.fen", "realloc:1", errno.ENOMEM, "out of memory: ")])
def test_the_sentence(command, call, error, sentence, tmp_path):
    place = Place(tmp_path, "b.fen" if "--output" in command else "", command)
    status, _, said, file, struck = place.run(f"{call}:{error}")
    assert struck and status == 1 and file in (b"", OLD)
    assert "seebatch: " + sentence in said or said.startswith(sentence)


# ---- What the runs above do not come to -------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["1/3", "2/2"])
def test_parts(part, tmp_path):
    """Where a part begins is looked for in the file; of a table the first line is read again."""
    place = Place(tmp_path, "", f"filter --quiet --threads 1 --part {part} a.csv")
    assert place.run(f"pread:0:{errno.EINTR}")[:4] == place.expected[:4]
    for function, error, sentence in (("pread", errno.EIO, "a.csv: cannot be read: Input/output error"),
                                      ("lseek", errno.ESPIPE, "a.csv: no place in it can be gone to, expected a file")):
        said = []
        for call in range(1, 20):
            if not place.check(f"{function}:{call}:{error}"):
                break
            said.append(place.run(f"{function}:{call}:{error}")[2])
        assert said and all(sentence in text for text in said)


def test_runs_in_parts(tmp_path):
    """Whatever fails, the parts that appear are whole, and the same command makes the others."""
    command = ["filter", "--quiet", "--threads", "1", "--parts", "2", "--output", "b-{part}.csv", "a.csv"]
    parts, whole, struck = ("b-1.csv", "b-2.csv"), {}, set()
    for function, error in [("", 0), *FAULTS_OF, ("open", errno.ENOENT)]:
        for call in CALLS:
            folder = tmp_path / f"{function}-{error}-{call}"
            folder.mkdir()
            (folder / "a.csv").write_text(FILES["a.csv"])
            fault = f"{function}:{call}:{error}" if function else ""
            status, _, sentence = faulty(folder, fault, *command)
            assert status == 0 or status in (1, 2) and sentence.endswith("\n") and len(sentence) > 20, (fault, status, sentence)
            there = {name: (folder / name).read_bytes() for name in parts if (folder / name).exists()}
            whole = whole or there
            assert all(whole[name] == text for name, text in there.items()), fault
            assert len(there) == 2 or status != 0, fault
            assert faulty(folder, "", *command) == (0, b"", ""), fault
            assert {name: (folder / name).read_bytes() for name in parts} == whole, fault
            if not (tmp_path / "log").exists():
                break
            (tmp_path / "log").unlink()
            struck.add(function)
    assert struck >= {"malloc", "write", "open", "rename", "fsync"}, struck


def test_another_process_makes_the_folder_between_two_looks(tmp_path):
    """The first look at the file `run` does not find it, and all that follow do."""
    (tmp_path / "a.csv").write_text(FILES["a.csv"])
    command = ["filter", "--quiet", "--parts", "2", "--output", "b-{part}.csv", "a.csv"]
    assert faulty(tmp_path, "", *command) == (0, b"", "")
    ends = [faulty(tmp_path, f"open:{call}:{errno.ENOENT}", *command) for call in range(1, 12)]
    assert (0, b"", "") in ends and not any("not as this command makes it" in error for _, _, error in ends), ends


@pytest.mark.parametrize("call", (2, 4, 6))
def test_what_a_failed_read_loses_is_estimated(call, tmp_path):
    """Every second pread looks for the end of a block, and the next one reads it. All lines are of one length, so the estimate
    differs from the truth by its rounding to three digits alone."""
    total = 20000
    (tmp_path / "a.fen").write_text(f"{FEN}\n" * total)
    status, out, error = faulty(tmp_path, f"pread:{call}:{errno.EIO}", "filter", "--threads", "1", "--count", "a.fen")
    read, lost = map(int, re.search(r"(\d+) positions read.*, about (\d+) records lost", error).groups())
    assert status == 1 and out == b"%d\n" % read and 0 < read < total and abs(read + lost - total) <= 50


def test_parts_of_long_records(tmp_path):
    """More is read until the end of the record is found."""
    (tmp_path / "a.jsonl").write_text('{"fen": "%s", "x": "%s"}\n' % (QUIET, "x" * 200000) * 3)
    for call in (1, 2):
        status, out, error = faulty(tmp_path, f"pread:{call}:{errno.EIO}", "filter", "--quiet", "--part", "2/2",
                                    "a.jsonl")
        assert (status, out, error) == (1, b"", "a.jsonl: cannot be read: Input/output error\n")


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files(ending, tmp_path):
    """Of calls for memory that fail, some leave none to compress or decompress with; a file may be read byte by byte."""
    (tmp_path / "a.fen").write_text(FILES["a.fen"])
    quiet = ("filter", "--quiet", "--threads", "1")
    assert faulty(tmp_path, "", *quiet, "--output", "a.fen" + ending, "a.fen") == (0, b"", "")
    assert faulty(tmp_path, "read:0:short", *quiet, "a.fen" + ending)[:2] == (0, FILES["a.fen"].encode())
    error = faulty(tmp_path, f"read:1:{errno.EIO}", *quiet, "a.fen" + ending)[2]
    assert f"a.fen{ending}: cannot be read on: Input/output error\n" in error
    for arguments, verb in ((("a.fen" + ending,), "decompress"), (("--output", "b.fen" + ending, "a.fen"), "compress")):
        runs = (faulty(tmp_path, f"malloc:{call}:{errno.ENOMEM}", *quiet, *arguments) for call in range(1, 100))
        assert any(f"there is no memory to {verb} it" in error and status == 1 for status, _, error in runs)


def test_lines_that_are_too_long(tmp_path):
    """They end where the file does, or where it cannot be read on."""
    (tmp_path / "a.fen").write_bytes(b"x" * ((1 << 24) + 3000000))
    status, out, error = faulty(tmp_path, "", "eval", "a.fen")
    assert (status, out) == (1, b"") and error.startswith("a.fen:1: ") and error.count("\n") == 1
    ends = set()
    for call in range(1, 1000):
        status, _, error = faulty(tmp_path, f"read:{call}:{errno.EIO}", "eval", "a.fen")
        if "cannot be read" not in error:
            break
        ends.add(error)
    assert status == 1 and len(ends) == 2  # before the line was found to be too long, and behind


def test_what_cannot_be_taken_back(tmp_path):
    """A disk that is full in the middle of a record, and a file that cannot be cut back."""
    (tmp_path / "a.fen").write_text(FILES["a.fen"] * 100)
    length = len(FILES["a.fen"])

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (length + 10, resource.RLIM_INFINITY))

    for fault, whole in (("", True), (f"ftruncate:1:{errno.EIO}", False)):
        with open(tmp_path / "b.fen", "wb") as file:
            status, _, error = faulty(tmp_path, fault, "filter", "--quiet", "a.fen", stdout=file, preexec_fn=limit)
        assert status == 1 and "standard output: cannot be written: File too large" in error
        assert (tmp_path / "b.fen").stat().st_size == length + (0 if whole else 10)
        assert ("; it ends with a part of a record" in error) != whole
    sizes = set()
    for call in range(1, 10):
        with open(tmp_path / "b.fen", "wb") as file:
            faulty(tmp_path, f"fstat:{call}:{errno.EIO}", "filter", "--quiet", "a.fen", stdout=file, preexec_fn=limit)
        sizes.add((tmp_path / "b.fen").stat().st_size)
    assert sizes == {length, length + 10}
    (tmp_path / "b.fen").write_bytes(b"x" * 10 * length)  # in the middle of a file, nothing is cut off
    with open(tmp_path / "b.fen", "r+b") as file:
        status, _, error = faulty(tmp_path, "", "filter", "--quiet", "a.fen", stdout=file, preexec_fn=limit)
    assert status == 1 and (tmp_path / "b.fen").stat().st_size == 10 * length


def test_an_output_that_is_given_up(tmp_path):
    """A file that is not to appear may be closed badly: nothing is said of it but why."""
    (tmp_path / "a.fen").write_text("x\n")
    said = faulty(tmp_path, "", "filter", "--quiet", "--strict", "--output", "b.fen", "a.fen")
    assert said[0] == 1 and said[2].count("\n") == 2
    for call in range(1, 4):
        assert faulty(tmp_path, f"close:{call}:{errno.EIO}", "filter", "--quiet", "--strict", "--output", "b.fen",
                      "a.fen") == said
        assert os.listdir(tmp_path) == ["a.fen"]
