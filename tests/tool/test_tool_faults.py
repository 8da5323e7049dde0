"""What the tool does when the system lets it down: one call fails, and the next time the one after it, until a run has no
such call left. tests/tool/faults.c makes the calls fail.

Whatever fails, the tool may end in two ways only: with status 0 and the output of a run without a fault, or with status 1
and a sentence on standard error. A file that it was to write is then the old one, and nothing else lies beside it. Calls
that were interrupted, and reads and writes of one byte, change nothing at all.
"""
import errno
import functools
import gzip
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile

import pytest

from chess_support import Row
from formats_support import sample
from pipeline_support import QUIET, TOOL, environment
from test_tool_lc0 import encode, tar_of

FAULTS = os.environ["SEEBATCH_TEST_FAULTS"]
FEN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"
HANGING = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"
QUICK = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
FILES = {
    "a.fen": f"{FEN}\td3e5\n{QUICK}\n{HANGING}\n",
    "a.csv": f"fen,move,score,result,ply\n{FEN},d3e5,10,1.0,4\n\"{QUICK}\",e5d6,-7,0.5,6\n",
    "a.jsonl": f'{{"fen": "{FEN}", "move": "d3e5", "score": 1}}\n',
    "a.txt": f"{QUICK}; exd6; 100\n{FEN}; Nxe5; -225\n",
    "c.tsv": f"fen\tscore\n{QUICK}\t12\n",
    "a.pgn": '[Event "?"]\n[Result "1-0"]\n\n1. e4 {0.3} e5 2. Nf3 1-0\n',
    "big.fen": "".join(f"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - {n % 90} {n // 90 + 1}\n" for n in range(9000)),
}
# Whether the command writes a file, and the command. One worker, so that calls come in nearly the same order every time.
# One megabyte is so little that there are temporary files.
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
    ("b.fen", "filter --quiet --threads 1 --unique --memory 1M --output b.fen big.fen"),
    ("b.fen.gz", "filter --quiet --threads 2 --shuffle --memory 1M --output b.fen.gz big.fen"),
    ("", "filter --quiet --threads 1 --unique"),
    ("b.csv", "filter --quiet --threads 1 --drop capture --mark-score 32002 --output b.csv a.csv"),
    ("b.csv", "convert --quiet --threads 1 --lose all --output b.csv a.fen c.tsv"),
    ("", "filter --quiet --threads 1 --part 2/3 c.tsv c.tsv c.tsv"),
    ("", "stats --quiet --threads 1 --by-file --against swap a.csv c.tsv"),
    ("b.html", "stats --quiet --html b.html r.json r.json"),
    ("", "identify --format json a.txt"),
    ("", "filter --quiet --threads 1 a.fen.gz a.fen.zst"),
    ("", "filter --quiet --threads 1 --count a.pgn"),
    ("", "filter --quiet --threads 1 --count a.tar"),
    ("", "filter --quiet --threads 1 --count a.binpack"),
    ("b.vf", "convert --quiet --threads 1 --output b.vf a.vf"),
]
# Functions, and with what they fail. Of calls that come by the hundred the first ones are looked at.
FAULTS_OF = [("malloc", errno.ENOMEM), ("calloc", errno.ENOMEM), ("realloc", errno.ENOMEM), ("read", errno.EIO),
             ("pread", errno.EIO), ("write", errno.ENOSPC), ("open", errno.EMFILE), ("close", errno.EIO),
             ("fsync", errno.EIO), ("linkat", errno.EPERM), ("rename", errno.EACCES), ("fchmod", errno.EPERM),
             ("unlink", errno.EACCES), ("mkstemp", errno.EROFS), ("fcntl", errno.EMFILE), ("access", errno.EACCES),
             ("readlink", errno.EIO), ("pipe", errno.EMFILE), ("poll", errno.ENOMEM), ("isatty", errno.ENOTTY),
             ("fopen", errno.EMFILE), ("mkdir", errno.EACCES), ("utimensat", errno.EPERM),
             ("fstat", errno.EIO), ("stat", errno.EIO), ("lseek", errno.EIO),
             ("realpath", errno.ENOENT), ("pthread_create", errno.EAGAIN)]
CALLS = [*range(1, 30), *range(30, 200, 24)]
OLD = b"<html><svg>the old file</svg></html>\n"


def faulty(folder, fault, *arguments, stdin=b"", **more):
    """Exit status, standard output and standard error of a run with a fault in a folder; "": without."""
    variables = {"LD_PRELOAD": FAULTS, "SEEBATCH_FAULT": fault, "SEEBATCH_FAULT_LOG": str(folder.parent / "log")}
    result = subprocess.run([TOOL, *arguments], cwd=folder, env={**environment(), **variables}, input=stdin,
                            stderr=subprocess.PIPE,
                            timeout=60, **{"stdout": subprocess.PIPE, **more})
    return result.returncode, result.stdout, result.stderr.decode()


@functools.cache
def files():
    """What the commands of RUNS read, of which the tool makes some."""
    samples = {"a.binpack": sample("own.binpack"), "a.vf": sample("own.vf"), "a.fen.gz": gzip.compress(FILES["a.fen"].encode()),
               "a.tar": tar_of([("a", encode(Row("8/7k/1N1N4/8/1q1r4/8/8/K7 w - - 0 70", "b6d5", 1, 1, 138)))])}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in FILES.items():
            (folder / name).write_text(text)
        for command in ("filter --quiet --output a.fen.zst a.fen", "stats --quiet --format json a.csv"):
            said = subprocess.run([TOOL, *command.split()], cwd=folder, env=environment(), stdout=subprocess.PIPE, check=True)
        (folder / "r.json").write_bytes(said.stdout)
        return {**samples, **{path.name: path.read_bytes() for path in folder.iterdir()}}


class Place:
    """A folder with the input of a command, and what a run without a fault leaves there."""

    def __init__(self, folder, output, command):
        self.output, self.log, self.work = output, folder / "log", folder / "work"
        self.arguments = command.split(":") if ":" in command else command.split()
        self.work.mkdir()
        names = {"a.fen", *self.arguments} & files().keys()
        for name in names:
            (self.work / name).write_bytes(files()[name])
        self.names = names | {output} - {""}
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
        beside = set(os.listdir(self.work)) - self.names
        # What cannot be removed is told of.
        assert not beside or fault.startswith("unlink:") and all(name in said[2] for name in beside), (fault, beside)
        for name in beside:
            (self.work / name).unlink()
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
            # A picture or page may be of what could be read; it is whole, or the old one.
            whole = self.output == "b.svg" and file.endswith(b"</svg>\n") or self.output == "b.html" and file == self.expected[3]
            assert file in (b"", OLD) or whole, (fault, file)
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
    short = ("read:0:short", "write:0:short") if "big.fen" not in place.arguments else ()
    for fault in (f"read:0:{errno.EINTR}", f"write:0:{errno.EINTR}", f"pread:0:{errno.EINTR}", *short):
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
    if place.output or "--unique" in place.arguments:  # of these, the first writes go to a temporary file
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


def test_what_is_there_when_the_system_does_not_say(tmp_path):
    """No file is overwritten that would not be overwritten if the system said what it is."""
    text = FILES["a.csv"]
    for number, (name, content, command) in enumerate((
            ("b.csv", "x", "convert a.csv b.csv"), ("b.html", "x", "stats --html b.html a.csv"),
            ("b.svg", text, "stats --quiet --from csv --svg b.svg a.csv b.svg"),
            ("a-2.csv", text, "filter --parts 2 --output a-{part}.csv a.csv a-2.csv"))):
        for call in range(1, 20):
            folder = tmp_path / f"{number}-{call}"
            folder.mkdir()
            (folder / "a.csv").write_text(text)
            (folder / name).write_text(content)
            log = tmp_path / "log"
            log.unlink(missing_ok=True)
            status, _, error = faulty(folder, f"stat:{call}:{errno.EIO}", *command.split())
            assert status in (1, 2) and len(error) > 20 and (folder / name).read_text() == content, (command, call, error)
            if not log.exists():
                break
        assert call > 1


def test_links_stay(tmp_path):
    """The file behind a link is written, or none."""
    (tmp_path / "a.fen").write_text(FILES["a.fen"])
    (tmp_path / "b.fen").symlink_to("c.fen")
    for fault in ("realpath:1", "readlink:1", *(f"stat:{call}" for call in range(1, 9))):
        (tmp_path / "c.fen").write_bytes(OLD)
        status, _, error = faulty(tmp_path, f"{fault}:{errno.EIO}", "filter", "--quiet", "--output", "b.fen", "a.fen")
        written = FILES["a.fen"].encode() if status == 0 else OLD
        assert (tmp_path / "b.fen").is_symlink() and (tmp_path / "c.fen").read_bytes() == written, (fault, error)


def test_what_cannot_be_waited_for(tmp_path):
    """Reading it waits."""
    place = Place(tmp_path, "", "filter --quiet --threads 1 --unique")
    assert place.run(f"poll:1+:{errno.ENOMEM}")[:4] == place.expected[:4]


def test_repeated_errors_that_cannot_be_remembered(tmp_path):
    """Each is told of then."""
    (tmp_path / "a.txt").write_text("x\n" * 3)
    for command in (("verify", "--rules", "swap", "a.txt"), ("filter", "--quiet", "--threads", "1", "--from", "fen", "a.txt")):
        for call in range(1, 12):
            status, _, error = faulty(tmp_path, f"realloc:{call}:{errno.ENOMEM}", *command)
            assert status == 1 and error.endswith("\n"), (command, call, status, error)


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
    for function, error in [("", 0), *FAULTS_OF, ("open", errno.ENOENT), ("mkdir", errno.EEXIST)]:
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
            assert status == 0 or error != errno.EEXIST, fault  # a folder of another process may have the name
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
    for function in ("fstat", "lseek"):
        sizes = set()
        for call in range(1, 10):
            with open(tmp_path / "b.fen", "wb") as file:
                error = faulty(tmp_path, f"{function}:{call}:{errno.EIO}", "filter", "--quiet", "a.fen", stdout=file,
                               preexec_fn=limit)[2]
            size = (tmp_path / "b.fen").stat().st_size
            assert ("; it ends with a part of a record" in error) == (size == length + 10)
            sizes.add(size)
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
