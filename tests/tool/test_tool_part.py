"""--part I/N: the parts of the input, joined in order, are the whole; nothing is read twice or not at all."""
import os
import shutil
import subprocess

import pytest

from formats_support import decode_games, decode_plain, encode_games, encode_plain, game_places, sample
from pipeline_support import TOOL, WRITERS, compress, environment, fails, make_records, run, says, well

SBATCH = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "filter.sbatch")
FILES = {"fen": "a.fen", "scored": "a.scored", "csv": "a.csv", "tsv": "a.tsv", "jsonl": "a.jsonl", "epd": "a.epd"}
BINARY = {"marlinformat": "own-marlin.bin", "bulletformat": "own-bullet.bin", "viriformat": "own.vf", "plain": "own.plain",
          "binpack": "own.binpack"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each format."""
    folder = tmp_path_factory.mktemp("files")
    records = make_records(150)
    made = {}
    for form, name in FILES.items():
        made[form] = folder / name
        made[form].write_bytes(WRITERS[form](records).encode())
    for form, name in BINARY.items():
        made[form] = folder / ("a." + form)
        made[form].write_bytes(sample(name))
    return made


def parts(n, *arguments, command="filter"):
    """The outputs of all parts."""
    return [well(command, *arguments, "--part", f"{i}/{n}") for i in range(1, n + 1)]


@pytest.mark.parametrize("form", sorted({**FILES, **BINARY}))
def test_parts_are_the_whole(files, form):
    whole = well("filter", files[form])
    chained = form in ("viriformat", "binpack")
    for n in (1, 4):
        some = parts(n, files[form])
        assert b"".join(some) == whole
        assert n == 1 or chained or all(part != b"" for part in some)
        # in another format, with the header of a table in the first part alone
        rows = parts(n, files[form], "--to", "tsv")
        assert b"".join(rows) == well("filter", files[form], "--to", "tsv")
        assert [b"fen\t" in part for part in rows] == [True] + [False] * (n - 1)


@pytest.mark.parametrize("form", ["fen", "csv", "plain", "marlinformat", "viriformat"])
def test_more_parts_than_records(form, tmp_path):
    """Parts of one byte, or of a few."""
    records = make_records(6)
    games = encode_games(decode_games(sample("own.vf"))[:4] + decode_games(sample("own.vf"))[1000:1003])
    data = {"fen": lambda: WRITERS["fen"](records[:2]).encode(), "csv": lambda: WRITERS["csv"](records[:1]).encode(),
            "plain": lambda: encode_plain(decode_plain(sample("own.plain").decode())[:2]).encode(),
            "marlinformat": lambda: sample("own-marlin.bin")[:96], "viriformat": lambda: games}[form]()
    path = tmp_path / ("a." + form)
    path.write_bytes(data)
    n = 96 if form == "marlinformat" else 31
    some = parts(n, path)
    assert b"".join(some) == well("filter", path) == data
    # a record, or game, belongs to the part in which its first byte lies
    begins = {"fen": lambda: [0, data.index(b"\n") + 1], "csv": lambda: [0, data.index(b"\n") + 1],
              "plain": lambda: [0, data.index(b"\ne\n") + 3], "marlinformat": lambda: [0, 32, 64],
              "viriformat": lambda: [begin for begin, _ in game_places(games)]}[form]()
    assert [i for i, part in enumerate(some) if part] == \
        [i for begin in begins for i in range(n) if len(data) * i // n <= begin < len(data) * (i + 1) // n]


def test_conditions_samples_columns_and_counts(files):
    for form in ("csv", "marlinformat", "viriformat", "plain"):
        more = ["--drop", "in-check", "--keep", "score=0..", "--sample", "0.5", "--seed", "3"]
        whole = well("filter", files[form], *more, "--to", "tsv")
        assert b"".join(parts(3, files[form], *more, "--to", "tsv")) == whole
        assert 2 < whole.count(b"\n") < well("filter", files[form], "--to", "tsv").count(b"\n")
        assert sum(map(int, parts(3, files[form], *more, "--count"))) == whole.count(b"\n") - 1
    assert b"".join(parts(4, files["csv"], command="annotate")) == well("annotate", files["csv"])
    assert b"".join(parts(4, files["viriformat"], "--to", "plain", command="convert")) == sample("own.plain")


def test_stats_add_up(files):
    """How many positions there are in each part."""
    def positions(*arguments):
        rows = well("stats", files["marlinformat"], "--format", "tsv", *arguments).decode().splitlines()
        return sum(int(row.split("\t")[-1]) for row in rows if row.startswith("captures\t"))
    assert positions() == sum(positions("--part", f"{i}/3") for i in (1, 2, 3)) == 1000


def test_several_files(files, tmp_path):
    """All files, one behind the other, are divided; one that is not there is told before anything is read."""
    empty = tmp_path / "empty.fen"
    empty.write_bytes(b"")
    names = [files["fen"], empty, files["csv"], files["marlinformat"], files["jsonl"]]
    whole = well("filter", *names, "--to", "fen", "--lose", "all")
    assert whole.count(b"\n") > 1000
    results = [run("filter", "--quiet", *names, "--to", "fen", "--lose", "all", "--part", f"{i}/5") for i in range(1, 6)]
    assert b"".join(result.stdout for result in results) == whole
    two = [files["csv"], files["csv"]]
    assert b"".join(parts(6, *two)) == well("filter", *two)
    missing = [run("filter", "--quiet", files["fen"], tmp_path / "no.fen", "--part", f"{i}/4") for i in range(1, 5)]
    assert [(result.returncode, result.stdout) for result in missing] == [(1, b"")] * 4
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"")
    told = [run("filter", "--quiet", files["csv"], broken, "--part", f"{i}/3").stderr for i in range(1, 4)]
    assert [b"it is empty, expected a header" in text for text in told] == [True] * 3


def test_bigger_than_a_block(tmp_path):
    path = tmp_path / "a.marlin"
    path.write_bytes(sample("own-marlin.bin") * 40)
    assert b"".join(parts(3, path)) == path.read_bytes()
    path = tmp_path / "a.vf"
    path.write_bytes(sample("own.vf") * 200)
    assert b"".join(parts(3, path)) == path.read_bytes()
    assert b"".join(parts(3, path, "--to", "plain")) == well("filter", path, "--to", "plain")


def test_damage_is_told_of_by_one_part(files, tmp_path):
    """And with its place in the file: by number where every record has the same size, by byte otherwise."""
    marlin = bytearray(sample("own-marlin.bin"))
    marlin[32 * 700 + 30] = 9
    path = tmp_path / "a.marlin"
    path.write_bytes(marlin + b"xyz")
    results = [run("filter", "--quiet", path, "--part", f"{i}/3") for i in (1, 2, 3)]
    assert results[0].stderr == results[1].stderr == b""
    assert results[2].stderr.decode() == f"{path}: record 701 at byte 22400: the result is 9, expected 0 (black wins), " \
        f"1 (draw) or 2 (white wins)\n{path}: record 1001 at byte 32000: it has 3 bytes, expected 32: the file may have " \
        "been cut off\n"
    lines = files["fen"].read_bytes().splitlines(keepends=True)
    lines[140] = b"8/8 w - -\n"
    path = tmp_path / "a.fen"
    path.write_bytes(b"".join(lines))
    results = [run("filter", "--quiet", path, "--part", f"{i}/2") for i in (1, 2)]
    assert results[0].stderr == b""
    assert results[1].stderr.startswith(f"{path}: line at byte {len(b''.join(lines[:140]))}: ".encode())
    games = sample("own.vf")
    path = tmp_path / "a.vf"
    path.write_bytes(games[:-4])
    results = [run("filter", "--quiet", path, "--part", f"{i}/2") for i in (1, 2)]
    assert results[0].stderr == b"" and f"{path}: record at byte {len(games) - 4}: ".encode() in results[1].stderr
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,note\n" * 50)
    assert all(run("filter", path, "--part", f"{i}/2").returncode == 1 for i in (1, 2))


@pytest.mark.parametrize("argument", ["0/2", "3/2", "1", "1/", "/2", "1/0", "a/b", "1/2/3", "-1/2", "1/1000001", "1.5/2"])
def test_bad_usage(argument):
    says(2, run("filter", "--part", argument, "a.fen"), f"--part: '{argument}' is not I/N")


def test_what_cannot_be_divided(files, tmp_path):
    for ending in (".gz", ".zst"):
        path = tmp_path / ("a.fen" + ending)
        path.write_bytes(compress(files["fen"].read_bytes(), ending))
        fails(2, run("filter", path, "--part", "1/2"), f"{path} is compressed and has no parts that can be read alone")
    for name in ("-", "/dev/null"):
        says(2, run("filter", "--from", "fen", name, "--part", "1/2", stdin=b""), "cannot be divided, expected files")


def test_outputs_that_are_compressed_join(files, tmp_path):
    for ending in (".gz", ".zst"):
        for i in (1, 2, 3):
            well("filter", files["marlinformat"], "--part", f"{i}/3", "--output", tmp_path / f"{i}.marlin{ending}")
        joined = tmp_path / ("joined.marlin" + ending)
        joined.write_bytes(b"".join((tmp_path / f"{i}.marlin{ending}").read_bytes() for i in (1, 2, 3)))
        assert well("filter", joined) == sample("own-marlin.bin")


def test_gnu_parallel(files, tmp_path):
    """The command of docs/recipes.md."""
    if shutil.which("parallel") is None:
        pytest.skip("there is no GNU parallel (Debian: parallel)")
    for form in ("csv", "viriformat"):
        result = subprocess.run(
            ["parallel", "--will-cite", "--keep-order", TOOL, "filter", "--quiet", "--drop", "in-check", "--part", "{}/4",
             str(files[form]), ":::", "1", "2", "3", "4"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(environment(), HOME=str(tmp_path)), timeout=120)
        assert result.returncode == 0, result.stderr
        assert result.stdout == well("filter", files[form], "--drop", "in-check")


def test_job_array_of_slurm(files, tmp_path):
    """examples/filter.sbatch, with the variables that Slurm sets for each task."""
    def task(i, n, least=1, **more):
        variables = {"SLURM_ARRAY_TASK_ID": i, "SLURM_ARRAY_TASK_COUNT": n, "SLURM_ARRAY_TASK_MIN": least,
                     "SLURM_ARRAY_TASK_MAX": least + n - 1, "SEEBATCH": TOOL, **more}
        return subprocess.run(["bash", SBATCH, tmp_path, ".csv", "--keep", "score=0..", "--to", "csv", files["viriformat"]],
                              stderr=subprocess.PIPE, timeout=120, env=dict(environment(), **{k: str(v) for k, v in variables.items()}))
    assert [task(i, 3).returncode for i in (1, 2, 3)] == [0, 0, 0]
    names = [tmp_path / f"part-00000{i}.csv" for i in (1, 2, 3)]
    whole = well("filter", "--keep", "score=0..", "--to", "csv", files["viriformat"])
    assert b"".join(name.read_bytes() for name in names) == whole
    # A task that is submitted again alone knows the number of parts by PARTS alone.
    second = names[1].read_bytes()
    names[1].unlink()
    result = task(2, 1, least=2)
    assert result.returncode == 2 and b"expected --array=1-N, or PARTS=N" in result.stderr
    assert task(2, 1, least=2, PARTS=3).returncode == 0 and names[1].read_bytes() == second
