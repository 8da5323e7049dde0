"""--parts N: the output in parts, each of which appears when it is complete, however often the run is killed, and however
many processes make it."""
import fcntl
import itertools
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest

from formats_support import FORMATS, READERS, sample
from pipeline_support import LONG, QUIET, SANITIZED, SEED, TOOL, environment, fails, make_records, run, says, well

FORMAT_OF = {".bullet": "bulletformat"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each format."""
    folder, records = tmp_path_factory.mktemp("files"), make_records(150)
    for form in FORMATS:
        (folder / f"a.{form}").write_bytes(sample(form) if form in READERS else FORMATS[form].encode(records))
    return {form: folder / f"a.{form}" for form in FORMATS}


class Job:
    """A command in parts, in a folder."""

    def __init__(self, folder, n, *arguments, ending=".tsv", command="filter"):
        self.folder, self.n, self.ending, self.command = folder, n, ending, command
        self.pattern = folder / ("q-{part}" + ending)
        self.state = folder / ("q-{part}" + ending + ".run")
        self.arguments = [command, *arguments, "--output", self.pattern, "--parts", n]

    def run(self, *more, **how):
        return run(*self.arguments, *more, **how)

    def start(self, *more, before=(), stderr=subprocess.PIPE):
        command = [*before, TOOL, *map(str, self.arguments), *map(str, more)]
        return subprocess.Popen(command, stderr=stderr, env=environment())

    def names(self):
        width = len(str(self.n))
        return [self.folder / f"q-{i:0{width}d}{self.ending}" for i in range(1, self.n + 1)]

    def record(self, part, kind="done"):
        return self.state / f"{part:0{len(str(self.n))}d}.{kind}"

    def contents(self):
        return [name.read_bytes() for name in self.names()]

    def joined(self):
        parts = self.contents()
        if self.ending not in (".csv", ".tsv"):
            return b"".join(parts)
        heads = {part.partition(b"\n")[0] for part in parts}
        assert len(heads) == 1  # each part has the header
        return parts[0] + b"".join(part.partition(b"\n")[2] for part in parts[1:])

    def check(self, whole):
        """All parts are there, and nothing else is."""
        assert self.joined() == whole
        assert sorted(name.name for name in self.state.iterdir()) == \
            sorted(["run", *(self.record(i).name for i in range(1, self.n + 1))])


def full_pipe():
    """The two ends of a pipe without room: who writes to it waits until it is read."""
    theirs, ours = os.pipe()
    os.write(ours, b"-" * fcntl.fcntl(ours, fcntl.F_GETPIPE_SZ))
    return theirs, ours


def made(result):
    """How many parts a run has made, which ended well."""
    says(0, result)
    return int(re.search(rb"\d+ parts?, of which this run made (\d+)\n", result.stderr)[1])


# ---- What is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_parts_are_the_whole(files, form, tmp_path):
    for n in (1, 4):
        folder = tmp_path / str(n)
        folder.mkdir()
        job = Job(folder, n, files[form], ending="." + form)
        if well("filter", files[form]) != files[form].read_bytes() and form not in READERS:
            continue  # it is not written as it was read
        assert made(job.run("--from", form, "--to", form)) == n
        job.check(well("filter", files[form]))
    job = Job(tmp_path, 3, files[form], "--keep", "pieces=8..", "--to", "tsv")
    says(0, job.run())
    job.check(well("filter", files[form], "--keep", "pieces=8..", "--to", "tsv"))


@pytest.mark.parametrize("ending", [".binpack", ".vf", ".plain", ".csv", ".jsonl", ".csv.gz", ".binpack.zst"])
def test_converted_parts_have_the_same_records(files, ending, tmp_path):
    """Chains and games may end at other places. What is compressed can be joined, too."""
    job = Job(tmp_path, 5, files["plain"], ending=ending, command="convert")
    says(0, job.run())
    well("convert", files["plain"], "--output", tmp_path / ("whole" + ending))
    whole = well("convert", "--to", "tsv", tmp_path / ("whole" + ending))
    rows = [well("convert", "--to", "tsv", part).splitlines(keepends=True) for part in job.names()]
    assert b"".join(rows[0][:1] + [row for part in rows for row in part[1:]]) == whole
    if "csv" not in ending:
        (tmp_path / ("all" + ending)).write_bytes(b"".join(job.contents()))
        assert well("convert", tmp_path / ("all" + ending), "--to", "tsv") == whole


@pytest.mark.parametrize("ending", [".fen", ".csv", ".scored", ".bullet"])
def test_more_parts_than_records(ending, tmp_path):
    """Those without a record are there, too, and can be read."""
    (tmp_path / "a.csv").write_text(f"fen,move,score,result,ply\n{QUIET},e1e2,5,0.5,8\n{QUIET},e1d2,7,0.5,9\n")
    job = Job(tmp_path, 30, tmp_path / "a.csv", "--lose", "all", ending=ending)
    assert made(job.run()) == 30
    job.check(well("filter", tmp_path / "a.csv", "--lose", "all", "--to", FORMAT_OF.get(ending, ending[1:])))
    assert sum(int(run("filter", name, "--count").stdout) for name in job.names()) == 2


def test_annotate_and_several_files(files, tmp_path):
    names = [files["csv"], files["csv"]]
    job = Job(tmp_path, 7, *names, ending=".csv", command="annotate")
    says(0, job.run())
    job.check(well("annotate", *names))


def test_convert_in_out(files, tmp_path):
    result = run("convert", files["plain"], tmp_path / "b{part}.plain", "--parts", 2)
    assert made(result) == 2
    assert b"".join((tmp_path / f"b{i}.plain").read_bytes() for i in (1, 2)) == well("filter", files["plain"])


def summary(result):
    """Without the time."""
    return re.sub(rb"; [\d.]+ s, .*", b"", result.stderr)


def test_the_summary_is_that_of_the_whole(files, tmp_path):
    options = [files["plain"], "--drop", "in-check", "--keep", "score=0..", "--sample", "0.5"]
    whole = run("filter", *options, "--output", tmp_path / "whole.plain")
    job = Job(tmp_path, 4, *options, ending=".plain")
    first, lines = job.run("--threads", 2), summary(whole).splitlines()
    assert summary(first).splitlines() == [lines[0], b"seebatch filter: 4 parts, of which this run made 4", *lines[1:]]
    job.names()[2].unlink()
    said = summary(job.run("-j1")).splitlines()
    assert said[1:] == [lines[0], b"seebatch filter: 4 parts, of which this run made 1", *lines[1:]]
    job.check((tmp_path / "whole.plain").read_bytes())
    assert job.run("--quiet").stderr == b""


# ---- What is there already -------------------------------------------------------------------------------------------


def stamps(job):
    return [(name.stat().st_ino, name.stat().st_mtime_ns) for name in job.names()]


def test_complete_parts_are_skipped(files, tmp_path):
    job = Job(tmp_path, 5, files["plain"], ending=".plain")
    assert made(job.run()) == 5
    before, contents = stamps(job), job.contents()
    # These options do not change what is written.
    assert made(job.run("--threads", 1, "--strict", "--salvage", "--progress", 0, "--kernel", "scalar")) == 0
    assert stamps(job) == before
    job.names()[1].unlink()
    job.names()[3].write_bytes(contents[3][:-1])
    result = job.run()
    assert made(result) == 2
    says(0, result, "q-2.plain: it was complete, but the file is missing; it is made again",
         "q-4.plain: it was complete, but its size has changed; it is made again")
    assert job.contents() == contents
    after = stamps(job)
    assert [before[i] == after[i] for i in range(5)] == [True, False, True, False, True]
    # A part that appeared, but was not noted, because the process was killed in between.
    job.record(5).unlink()
    assert made(job.run()) == 1
    # Killed after that, but before it removed its claim.
    job.record(4, "claim").write_bytes(b"")
    assert made(job.run()) == 0
    job.check(files["plain"].read_bytes())


def test_damaged_notes_of_a_part(files, tmp_path):
    job = Job(tmp_path, 2, files["plain"], "--keep", "in-check", ending=".plain")
    assert made(job.run()) == 2
    good, contents = job.record(1).read_bytes(), job.contents()
    changed = [good[:n] for n in range(0, len(good), 1 if LONG else 7)]
    for wrong in (*changed, good + b"x", good.replace(b"read ", b"read -"), good.replace(b"note", b"note 1\nnote"),
                  good.replace(b"\n", b"\0"), b"size " + b"9" * 100 + b"\n"):
        job.record(1).write_bytes(wrong)
        result = job.run()
        assert made(result) == 1, wrong
        says(0, result, "q-1.plain: it was complete, but what was noted of it is damaged; it is made again")
        assert job.record(1).read_bytes() == good and job.contents() == contents


def refused(job, *sentences):
    """Nothing changes."""
    before = sorted((str(path), path.read_bytes()) for path in job.folder.rglob("*") if path.is_file())
    fails(2, job.run(), f"{job.state} belongs to another run: ", "expected the same command and input, or another name", *sentences)
    assert before == sorted((str(path), path.read_bytes()) for path in job.folder.rglob("*") if path.is_file())


def test_another_command_is_refused(files, tmp_path):
    one = [files["plain"], "--keep", "in-check", "--keep", "pieces=8.."]
    assert made(Job(tmp_path, 3, *one).run()) == 3
    refused(Job(tmp_path, 4, *one), "it had 'option --parts 3', and now has 'option --parts 4'")
    refused(Job(tmp_path, 3, *one, "--invert"), "it did not have 'option --invert', and now does")
    refused(Job(tmp_path, 3, *one[:3]), "it had 'option --keep pieces=8..', and now does not")
    refused(Job(tmp_path, 3, *one[:3], "--keep", "pieces=9.."),
            "it had 'option --keep pieces=8..', and now has 'option --keep pieces=9..'")
    refused(Job(tmp_path, 3, one[0], *one[3:], *one[1:3]), "its options or files were given in another order")
    refused(Job(tmp_path, 3, *one, files["plain"]), "its options or files were given in another order")
    refused(Job(tmp_path, 3, *one, files["csv"]), f"it did not have 'input {files['csv']}, ")
    refused(Job(tmp_path, 3, files["plain"], command="annotate"),
            "it had 'command seebatch filter', and now has 'command seebatch annotate'")
    assert made(Job(tmp_path, 3, *one).run()) == 0
    # An abbreviation, and an equals sign, are the same option.
    assert made(Job(tmp_path, 3, files["plain"], "--kee=in-check", "--keep=pieces=8..").run()) == 0
    text = (tmp_path / "q-{part}.tsv.run/run").read_text()
    (tmp_path / "q-{part}.tsv.run/run").write_text(re.sub("version .*", "version 0.0.1", text))
    refused(Job(tmp_path, 3, *one), "it had 'version 0.0.1', and now has 'version ")


def test_changed_input_is_refused(files, tmp_path):
    path = tmp_path / "a.plain"
    path.write_bytes(files["plain"].read_bytes())
    os.utime(path, (10**9, 10**9))
    job = Job(tmp_path, 3, path)
    assert made(job.run()) == 3
    os.utime(path, (10**9, 10**9 + 1))
    refused(job, f"it had 'input {path}, {path.stat().st_size} bytes, modified 2001-09-09T01:46:40Z', and now has "
                 f"'input {path}, {path.stat().st_size} bytes, modified 2001-09-09T01:46:41Z'")
    path.write_bytes(files["plain"].read_bytes() * 2)
    os.utime(path, (10**9, 10**9))
    refused(job, f"and now has 'input {path}, {path.stat().st_size} bytes, ")
    path.write_bytes(files["plain"].read_bytes())
    os.utime(path, (10**9, 10**9))
    assert made(job.run()) == 0
    path.unlink()
    fails(1, job.run(), f"{path}: cannot be opened: No such file or directory")


def test_input_that_changes_during_the_run(files, tmp_path):
    """It grows while the process waits for a reader of what it says of a bad record."""
    path, whole = tmp_path / "a.plain", files["plain"].read_bytes()
    path.write_bytes(whole * 30 + b"fen bad\ne\n" + whole * 30)
    job, (theirs, ours) = Job(tmp_path, 40, path, ending=".plain"), full_pipe()
    with job.start("--threads", 1, stderr=ours) as process, open(theirs, "rb") as file:
        os.close(ours)
        while not job.record(2).exists():
            assert process.poll() is None
            time.sleep(0.001)
        with open(path, "ab") as input:
            input.write(whole)
        said = file.read().decode()
    assert process.returncode == 1 and "the input has changed during the run: it had 'input " in said, said
    assert re.search(r"\d+ of 40 parts are complete", said)
    fails(2, job.run(), "belongs to another run")


def test_damaged_state(files, tmp_path):
    job = Job(tmp_path, 2, files["plain"])
    assert made(job.run()) == 2
    good = (job.state / "run").read_bytes()
    for n in range(0, len(good), 1 if LONG else 5):
        (job.state / "run").write_bytes(good[:n])
        fails(2, job.run(), f"{job.state}/run is damaged: it has no line 'end'", f"remove {job.state}, and all parts are made anew")
    (job.state / "run").unlink()
    fails(2, job.run(), "it has no file 'run'")
    shutil.rmtree(job.state)
    job.state.write_bytes(b"")
    says(1, job.run(), f"{job.state}/run: cannot be read: Not a directory")
    job.state.unlink()
    assert made(job.run()) == 2
    job.record(1).unlink()
    job.record(1).mkdir()
    says(1, job.run(), "1.done: cannot be read: Is a directory")


# ---- Bad records and damage ------------------------------------------------------------------------------------------


def test_bad_records_are_remembered(tmp_path):
    lines = [QUIET] * 100
    lines[10] = lines[60] = "8/8 w - -"
    (tmp_path / "a.fen").write_text("\n".join(lines) + "\n")
    job = Job(tmp_path, 4, tmp_path / "a.fen", ending=".fen")
    first = job.run()
    says(1, first, "98 written, 2 bad records", "4 parts, of which this run made 4")
    assert len(re.findall(rb"a\.fen(:11|: line at byte \d+):", first.stderr)) == 2
    again = job.run("--quiet")
    assert again.returncode == 1
    assert again.stderr == b"seebatch: 2 of the bad records were reported when their parts were made\n"
    says(1, job.run("--strict"), "98 written, 2 bad records", "4 parts, of which this run made 0")
    assert job.joined().count(b"\n") == 98
    # With --strict, the run ends at the first one, and without it goes on from there.
    strict = Job(tmp_path, 4, tmp_path / "a.fen", ending=".strict.fen")
    says(1, strict.run("--strict", "--to", "fen"), "0 of 4 parts are complete")
    assert not any(name.exists() for name in strict.names())
    says(1, strict.run("--to", "fen"), "98 written, 2 bad records")
    assert strict.contents() == job.contents()


def test_damaged_input(files, tmp_path):
    """It concerns its part alone, which --salvage lets appear."""
    from binpack_support import write
    chunks = [write(make_records(40, seed=seed)) for seed in range(8)]
    path = tmp_path / "a.binpack"
    path.write_bytes(b"".join(chunks[:5]) + chunks[5][:-30] + b"".join(chunks[6:]))
    whole = run("filter", path, "--to", "tsv", "--salvage", "--output", tmp_path / "whole.tsv")
    says(1, whole)
    job = Job(tmp_path, 4, path)
    result = job.run()
    says(1, result, "with --salvage it would hold what could be read",
         "3 of 4 parts are complete; the same command makes the others")
    assert [name.exists() for name in job.names()].count(False) == 1
    says(1, job.run(), "3 of 4 parts are complete")
    result = job.run("--salvage")
    says(1, result, "4 parts, of which this run made 1")
    assert summary(result).splitlines()[-2] == summary(whole).splitlines()[-1]
    job.check((tmp_path / "whole.tsv").read_bytes())
    says(1, job.run(), "4 parts, of which this run made 0")


def test_what_would_be_lost(files, tmp_path):
    job = Job(tmp_path, 2, files["csv"], "--to", "fen", ending=".fen")
    fails(2, job.run(), "would be lost")
    assert not any(name.exists() for name in job.names())


# ---- The command line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, sentence", [
    (["--parts", "3", "--output", "q.fen"], "--parts: --output 'q.fen' does not contain {part}, expected it once"),
    (["--parts", "3", "--output", "q-{Part}.fen"], "does not contain {part}"),
    (["--parts", "3", "--output", "{part}-{part}.fen"], "contains {part} more than once"),
    (["--parts", "3", "--output", "{part}/q.fen"], "has {part} in the name of a folder"),
    (["--parts", "3"], "--parts was given without --output, expected one with {part}"),
    (["--parts", "0", "--output", "{part}.fen"], "--parts: '0' is not an integer from 1 to 10000"),
    (["--parts", "10001", "--output", "{part}.fen"], "--parts: '10001' is not an integer from 1 to 10000"),
    (["--parts", "x", "--output", "{part}.fen"], "--parts: 'x' is not an integer"),
    (["--parts", "3", "--parts", "3", "--output", "{part}.fen"], "--parts was given twice"),
    (["--parts", "3", "--part", "1/2", "--output", "{part}.fen"], "expected one of the two options"),
    (["--parts", "3", "--unique", "--output", "{part}.fen"], "--unique is about the whole input"),
    (["--parts", "3", "--shuffle", "--output", "{part}.fen"], "--shuffle is about the whole input"),
    (["--parts", "3", "--count"], "--parts was given without --output"),
    (["--parts", "3", "--output", "{part}.fen", "-"], "standard input cannot be divided into parts"),
    (["--parts", "3", "--output", "{part}.fen.xz"], ".xz, an unknown compression"),
])
def test_usage(arguments, sentence, tmp_path):
    (tmp_path / "a.fen").write_text(QUIET + "\n")
    fails(2, run("filter", "a.fen", *arguments, cwd=tmp_path), sentence)
    assert os.listdir(tmp_path) == ["a.fen"]


def test_input_without_parts(files, tmp_path):
    fails(2, run("filter", "--output", tmp_path / "{part}.fen", "--parts", 2), "standard input cannot be divided into parts")
    path = tmp_path / "a.fen.gz"
    path.write_bytes(b"")
    fails(2, run("filter", path, "--output", tmp_path / "{part}.fen", "--parts", 2),
          f"--parts: {path} is compressed and has no parts that can be read alone")
    fails(2, run("filter", "--from", "fen", "/dev/null", "--output", tmp_path / "{part}.fen", "--parts", 2),
          "--parts: /dev/null cannot be divided")


def test_parts_that_are_files_of_the_input(files, tmp_path):
    path = tmp_path / "q-2.plain"
    path.write_bytes(files["plain"].read_bytes())
    job = Job(tmp_path, 3, path, ending=".plain")
    fails(2, job.run(), f"--parts: {path} is a file of the input, which the later parts need")
    assert path.read_bytes() == files["plain"].read_bytes() and not job.state.exists()
    path.unlink()
    path.symlink_to("/dev/null")
    fails(2, Job(tmp_path, 3, files["plain"], ending=".plain").run(), f"{path} exists and is not a file")


# ---- Several processes -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def big(files, tmp_path_factory):
    """A file for which several processes have something to do, and what is written of it."""
    path = tmp_path_factory.mktemp("big") / "a.plain"
    path.write_bytes(files["plain"].read_bytes() * (4 if SANITIZED else 30))
    return path, well("filter", path, "--drop", "in-check")


def job_on(big, folder, n):
    return Job(folder, n, big[0], "--drop", "in-check", ending=".plain")


def test_several_processes(big, tmp_path):
    """Each part is made once, and each process ends when all are complete."""
    for n, processes in ((24, 2), (7, 4), (2, 5)):
        folder = tmp_path / str(n)
        folder.mkdir()
        job = job_on(big, folder, n)
        running = [job.start("--threads", 1) for _ in range(processes)]
        said = [process.communicate()[1] for process in running]
        assert [process.returncode for process in running] == [0] * processes, said
        job.check(big[1])
        assert sum(int(re.search(rb"which this run made (\d+)\n", text)[1]) for text in said) == n, said
        assert len({re.search(rb".*bad records", text)[0] for text in said}) == 1, said


def test_processes_with_other_commands_at_once(files, tmp_path):
    """One of the two makes the folder, and the other is refused."""
    for _ in range(10):
        jobs = [Job(tmp_path, 2, files["plain"], "--keep", f"pieces={i}..", ending=".plain") for i in (8, 9)]
        running = [job.start() for job in jobs]
        said = [process.communicate()[1] for process in running]
        assert sorted(process.returncode for process in running) == [0, 2], said
        winner = 0 if running[0].returncode == 0 else 1
        jobs[winner].check(well("filter", files["plain"], "--keep", f"pieces={8 + winner}.."))
        shutil.rmtree(jobs[0].state)
        assert sorted(os.listdir(tmp_path)) == ["q-1.plain", "q-2.plain"]


def test_processes_of_the_same_number(files, tmp_path):
    """As in containers that share a folder: each is the first process there, and they begin at once."""
    alone = ["unshare", *["--user"] * (os.getuid() != 0), "--pid", "--fork"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        pytest.skip("unshare makes no namespace of processes here")
    for i in range(5):
        folder = tmp_path / str(i)
        folder.mkdir()
        job = Job(folder, 2, files["plain"], ending=".plain")
        running = [job.start(before=alone) for _ in range(3)]
        said = [process.communicate()[1] for process in running]
        assert [process.returncode for process in running] == [0, 0, 0], said
        job.check(files["plain"].read_bytes())


def claim_of(job, part, process, machine=None):
    """Writes the claim of a process; the machine is taken from a real claim."""
    if machine is None:
        (job.folder / "bad.fen").write_text("bad\n")
        real, (theirs, ours) = Job(job.folder, 1, job.folder / "bad.fen", ending=".real.fen"), full_pipe()
        process_of = real.start(stderr=ours)  # it keeps its claim until somebody reads what is wrong with the line
        while not (text := read_or_none(real.record(1, "claim"))):
            assert process_of.poll() is None
            time.sleep(0.001)
        process_of.kill()
        process_of.wait()
        os.close(theirs)
        os.close(ours)
        machine = text.splitlines()[0]
    job.record(part, "claim").write_text(f"{machine}\nprocess {process}\n")


def claim_of_nobody(job, part):
    """Of a process that was killed before it could say who it is; of a later time, so that however slow this machine is, ten
    seconds have not passed."""
    job.record(part, "claim").write_bytes(b"")
    old(job.record(part, "claim"), -60)


def read_or_none(path):
    try:
        return path.read_text()
    except FileNotFoundError:
        return None


def dead_process():
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_claims_of_dead_processes(big, tmp_path):
    """Of this machine: at once. Of another: once it has not been renewed for two minutes. Of one that was killed before it
    could say who it is: after ten seconds."""
    job = job_on(big, tmp_path, 3)
    assert made(job.run()) == 3
    for write in (lambda: claim_of(job, 2, dead_process()),
                  lambda: (claim_of(job, 2, 1, "machine elsewhere 1 2"), old(job.record(2, "claim"))),
                  lambda: (job.record(2, "claim").write_bytes(b""), old(job.record(2, "claim"), 12))):
        job.record(2).unlink()
        write()
        result = job.run()
        assert made(result) == 1 and b"waiting for" not in result.stderr
        job.check(big[1])


def old(path, seconds=125):
    os.utime(path, (time.time() - seconds, time.time() - seconds))


def test_claims_of_others_are_respected(big, tmp_path):
    """The part is left to them, the others are made, and the process waits; how it ends that."""
    job = job_on(big, tmp_path, 3)
    assert made(job.run()) == 3
    whole, note = job.names()[1].read_bytes(), job.record(2).read_bytes()
    # The claim of a process of this machine that lives, of another machine, and one that says nothing.
    for claim in (lambda: claim_of(job, 2, os.getpid()), lambda: claim_of(job, 2, 1, f"machine {socket.gethostname()} x y"),
                  lambda: claim_of_nobody(job, 2)):
        for end in ("complete", "given up", "stale", "signal"):
            job.record(2).unlink(missing_ok=True)
            job.names()[0].unlink()
            claim()
            process = job.start()
            said = b""
            while b"waiting for 1 part that other processes make" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            assert job.names()[0].exists() and process.poll() is None
            if end == "complete":
                job.names()[1].write_bytes(whole)
                (tmp_path / "note").write_bytes(note)
                os.replace(tmp_path / "note", job.record(2))  # at once, as the tool does it
            elif end == "given up":
                job.record(2, "claim").unlink()
            elif end == "stale":
                old(job.record(2, "claim"))
            else:
                process.send_signal(signal.SIGTERM)
            said += process.communicate()[1]
            if end == "signal":
                assert process.returncode == -signal.SIGTERM
                assert b"stopped by SIGTERM" in said and b"2 of 3 parts are complete" in said
                job.record(2, "claim").unlink()
                assert made(job.run()) == 1
                continue
            assert process.returncode == 0, said
            assert f"of which this run made {1 if end == 'complete' else 2}\n".encode() in said
            job.record(2, "claim").unlink(missing_ok=True)
            job.check(big[1])


def test_a_claim_is_renewed(files, tmp_path):
    """By a process that goes on after more than ten seconds."""
    if not LONG:
        pytest.skip("it takes 11 seconds; in scripts/test files")
    path = tmp_path / "a.plain"
    path.write_bytes(files["plain"].read_bytes() * (40 if SANITIZED else 400))
    job = Job(tmp_path, 1, path, ending=".plain")
    process, claim = job.start("--threads", 1), job.record(1, "claim")
    while not claim.exists():
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    first = claim.stat().st_mtime
    time.sleep(10.5)
    process.send_signal(signal.SIGCONT)
    times = {first}
    while process.poll() is None and len(times) == 1:
        times.add(claim.stat().st_mtime)
    process.communicate()
    assert len(times) == 2 and max(times) >= first + 10


# ---- Killed ----------------------------------------------------------------------------------------------------------


def test_killed_at_random(big, tmp_path):
    """By SIGKILL, or a signal that it catches, one process or two at once, until all parts are complete: the parts that
    appear never change, and what is joined is the whole."""
    chance, kills, rounds = random.Random(SEED), 0, itertools.count()
    seen = {}
    while kills < (100 if LONG else 8):
        folder = tmp_path / str(next(rounds))
        folder.mkdir()
        job = job_on(big, folder, chance.choice((5, 16, 40)))
        while True:
            running = [job.start("--threads", chance.choice((1, 2))) for _ in range(chance.choice((1, 1, 2)))]
            time.sleep(chance.random() * (3 if SANITIZED else 0.25))
            for process in running:
                process.send_signal(chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
            said = [process.communicate()[1] for process in running]
            ends = [process.returncode for process in running]
            assert all(end in (0, -signal.SIGKILL, -signal.SIGTERM) for end in ends), (ends, said)
            kills += sum(end != 0 for end in ends)
            for name in job.names():
                if name.exists():
                    assert seen.setdefault(name, name.read_bytes()) == name.read_bytes()
            if 0 in ends or chance.random() < 0.05:
                break
        assert job.run().returncode == 0
        job.check(big[1])
        assert all(name.read_bytes() == text for name, text in seen.items())
        left = [name for name in os.listdir(folder) if name.startswith(".seebatch.")]
        assert len(left) <= len(os.listdir(folder)) - job.n - 1, left
    assert seen


# ---- Where nothing can be written ------------------------------------------------------------------------------------


def test_read_only_folder(files, tmp_path):
    """What is missing cannot be made; where nothing is missing, nothing has to be written."""
    # Permissions mean nothing to root, unless it gives up what makes it so.
    bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    if bound and (shutil.which("setpriv") is None or subprocess.run([*bound, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0):
        pytest.skip("root cannot give up its privileges here (Debian: util-linux)")
    out = tmp_path / "out"
    out.mkdir()
    job = Job(out, 3, files["plain"], ending=".plain")

    def read_only():
        for folder in filter(os.path.exists, (out, job.state)):
            os.chmod(folder, 0o555)
        result = subprocess.run([*bound, TOOL, *map(str, job.arguments)], stderr=subprocess.PIPE, env=environment(), check=False)
        for folder in filter(os.path.exists, (out, job.state)):
            os.chmod(folder, 0o755)
        return result

    says(1, read_only(), "q-{part}.plain.run: cannot be made: Permission denied")
    assert os.listdir(out) == []
    assert made(job.run()) == 3
    assert made(read_only()) == 0
    job.names()[1].unlink()
    says(1, read_only(), "2.claim: cannot be written: Permission denied", "2 of 3 parts are complete")
    # A stale claim that cannot be removed is no reason to wait.
    job.record(2, "claim").write_bytes(b"")
    old(job.record(2, "claim"))
    says(1, read_only(), "2.claim: cannot be written: Permission denied")


def test_full_disk(files, tmp_path):
    """Where no file may grow beyond a limit, as on a full disk: what is complete stays."""
    job = Job(tmp_path, 4, files["plain"], ending=".plain")
    big = sum(map(len, [files["plain"].read_bytes()])) // 4
    command = ["sh", "-c", f'ulimit -f {big // 512 - 20}; exec "$@"', "sh", TOOL, *map(str, job.arguments)]
    result = subprocess.run(command, stderr=subprocess.PIPE, env=environment())
    says(1, result, "cannot be written: File too large", "0 of 4 parts are complete")
    assert os.listdir(tmp_path) == [job.state.name] and os.listdir(job.state) == ["run"]
    assert made(job.run()) == 4
    job.check(files["plain"].read_bytes())
