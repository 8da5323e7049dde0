"""--part I/N: the parts of the input, joined in order, are the whole; nothing is read twice or not at all."""
import random

import pytest

from binpack_support import write
from chess_support import Row
from formats_support import FORMATS, READERS, decode_plain, sample
from pipeline_support import QUIET, SEED, compress, fails, make_records, run, says, times, well


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each format."""
    folder, records = tmp_path_factory.mktemp("files"), make_records(150)
    for form in FORMATS:
        (folder / f"a.{form}").write_bytes(sample(form) if form in READERS else FORMATS[form].encode(records))
    return {form: folder / f"a.{form}" for form in FORMATS}


def results(n, *arguments):
    return [run("filter", "--quiet", *arguments, "--part", f"{i}/{n}") for i in range(1, n + 1)]


def parts(n, *arguments, command="filter"):
    """The outputs of all parts, which are well."""
    return [well(command, *arguments, "--part", f"{i}/{n}") for i in range(1, n + 1)]


def join(n, *arguments, **more):
    return b"".join(parts(n, *arguments, **more))


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_parts_are_the_whole(files, form):
    for n in (1, 4):
        some = parts(n, files[form])
        assert b"".join(some) == well("filter", files[form])
        assert n == 1 or form in ("viriformat", "binpack") or all(part != b"" for part in some)
        # in another format, with the header of a table in the first part alone
        rows = parts(n, files[form], "--to", "tsv")
        assert b"".join(rows) == well("filter", files[form], "--to", "tsv")
        assert [b"fen\t" in part for part in rows] == [True] + [False] * (n - 1)


@pytest.mark.parametrize("form, n", [("fen", 31), ("csv", 31), ("plain", 31), ("marlinformat", 96), ("viriformat", 31)])
def test_more_parts_than_records(form, n, tmp_path):
    """Parts of one byte, or of a few. A record, or game, belongs to the part in which its first byte lies."""
    rows, encode = decode_plain(sample("plain")), FORMATS[form].encode
    some = [rows[:4], rows[1000:1003]] if form == "viriformat" else [[row] for row in rows[:3]]
    pieces = [encode(each) for each in some]
    if form == "csv":  # whose header belongs to the first part
        pieces = encode(rows[:3]).splitlines(keepends=True)
    data, path = b"".join(pieces), tmp_path / f"a.{form}"
    path.write_bytes(data)
    some = parts(n, path)
    assert b"".join(some) == well("filter", path) == data
    begins = [len(b"".join(pieces[:i])) for i in range(len(pieces))]
    assert [i for i, part in enumerate(some) if part] == \
        [i for begin in begins for i in range(n) if len(data) * i // n <= begin < len(data) * (i + 1) // n]


def test_conditions_samples_columns_and_counts(files):
    for form in ("csv", "marlinformat", "viriformat", "plain"):
        more = ["--drop", "in-check", "--keep", "score=0..", "--sample", "0.5", "--seed", "3"]
        whole = well("filter", files[form], *more, "--to", "tsv")
        assert join(3, files[form], *more, "--to", "tsv") == whole
        assert 2 < whole.count(b"\n") < well("filter", files[form], "--to", "tsv").count(b"\n")
        assert sum(map(int, parts(3, files[form], *more, "--count"))) == whole.count(b"\n") - 1
    assert join(4, files["csv"], command="annotate") == well("annotate", files["csv"])
    assert join(4, files["viriformat"], "--to", "plain", command="convert") == sample("plain")
    # of stats: how many positions there are in each part
    rows = b"".join(parts(3, files["marlinformat"], "--format", "tsv", command="stats")).decode().splitlines()
    assert sum(int(row.split("\t")[-1]) for row in rows if row.startswith("captures\t")) == 1000


def test_several_files(files, tmp_path):
    """All files, one behind the other, are divided; one that is not there is told before anything is read."""
    empty = tmp_path / "empty.fen"
    empty.write_bytes(b"")
    names = [files["fen"], empty, files["csv"], files["marlinformat"], files["jsonl"], "--to", "fen", "--lose", "all"]
    result = run("filter", "--quiet", *names)
    says(0, result, f"{empty}: warning: no position was found in it\n")
    whole = result.stdout
    assert whole.count(b"\n") > 1000 and b"".join(part.stdout for part in results(5, *names)) == whole
    two = [files["csv"], files["csv"]]
    assert join(6, *two) == well("filter", *two)
    for result in results(4, files["fen"], tmp_path / "no.fen"):
        fails(1, result)
    empty = empty.rename(tmp_path / "empty.csv")
    assert all(b"it is empty, expected a header" in result.stderr for result in results(3, files["csv"], empty))


def test_a_missing_file_is_told_by_every_part(files, tmp_path):
    """Without its size each part would be another one than the parts of those who see the file."""
    missing = tmp_path / "missing.plain"
    for result in results(4, files["plain"], files["plain"], missing):
        assert (result.returncode, result.stdout) == (1, b"")
        says(1, result, f"seebatch: {missing}: cannot be opened: No such file or directory\n")


@pytest.mark.parametrize("form, times", [("marlinformat", 40), ("viriformat", 200)])
def test_bigger_than_a_block(form, times, tmp_path):
    path = tmp_path / f"a.{form}"
    path.write_bytes(sample(form) * times)
    assert join(3, path) == path.read_bytes()
    assert form == "marlinformat" or join(3, path, "--to", "plain") == sample("plain") * times


LONG = "x" * 300000


@pytest.mark.parametrize("name, record", [("a.jsonl", '{"fen": "%s", "x": "%s"}\n' % (QUIET, LONG)),
                                          ("a.plain", f"fen {QUIET}\nx {LONG}\nmove e1e2\ne\n"),
                                          ("a.pgn", '[Event "x"]\n\n1. e4 {' + LONG + '} e5 1-0\n\n')],
                         ids=["jsonl", "plain", "pgn"])
def test_records_longer_than_what_is_looked_at(name, record, tmp_path):
    """Between two of 64 KiB and more the next beginning is far away, or there is none."""
    path = tmp_path / name
    for text, n in ((record * 3, 4), (record, 7), (record + "\n" * 70000, 5)):
        path.write_text(text)
        assert join(n, path, "--to", "tsv", "--lose", "lines") == well("filter", path, "--to", "tsv", "--lose", "lines")


def test_headers_longer_than_what_is_looked_at(tmp_path):
    path = tmp_path / "a.csv"
    for mark in ("", "\ufeff"):
        path.write_text(mark + "fen," + "x" * 100000 + "\n" + f"{QUIET},1\n" * 5000)
        assert join(3, path) == well("filter", path)
    path.write_text(f"fen,x\n{QUIET},1\n")  # fewer bytes than parts: the first has none at all
    assert join(40, path) == path.read_bytes()
    path.write_text("fen," + "x" * 200000)
    assert all(b"the header has no end" in part.stderr for part in results(2, path) if part.returncode != 0)


# ---- Damage ----------------------------------------------------------------------------------------------------------


def test_damage_is_told_of_by_one_part(files, tmp_path):
    """And with its place in the file: by number where every record has the same size, by byte otherwise."""
    def said(name, data, n):
        (tmp_path / name).write_bytes(data)
        *others, last = [result.stderr.decode() for result in results(n, tmp_path / name)]
        assert others == [""] * (n - 1)
        return last.replace(f"{tmp_path}/", "")

    marlin = bytearray(sample("marlinformat"))
    marlin[32 * 700 + 30] = 9
    assert said("a.marlin", marlin + b"xyz", 3) == (
        "a.marlin: record 701 at byte 22400: the result is 9, expected 0 (black wins), 1 (draw) or 2 (white wins)\n"
        "a.marlin: record 1001 at byte 32000: it has 3 bytes, expected 32: the file may have been cut off\n")
    lines = files["fen"].read_bytes().splitlines(keepends=True)
    lines[140] = b"8/8 w - -\n"
    assert said("a.fen", b"".join(lines), 2).startswith(f"a.fen: line at byte {len(b''.join(lines[:140]))}: ")
    games = sample("viriformat")
    assert f"a.vf: record at byte {len(games) - 4}: " in said("a.vf", games[:-4], 2)
    (tmp_path / "a.csv").write_bytes(b"id,note\n" * 50)
    assert all(result.returncode == 1 for result in results(2, tmp_path / "a.csv"))


def test_parts_of_damaged_chunks(tmp_path):
    """Where a chunk is none, what follows it belongs to the part in which it begins."""
    path, good = tmp_path / "a.binpack", write([Row(QUIET, "e1e2", 0, 1, 0)])
    for rest in (b"x" * 100, b"BINP\xff\xff\xff\xff" + b"x" * 100):
        path.write_bytes(good * 3 + rest)
        some = results(4, path, "--to", "fen", "--lose", "score,result")
        assert sum(part.stdout.count(b"\n") for part in some) == 3
        assert sum(part.stderr.count(b"are skipped") for part in some) == 1
    path.write_bytes(good * 3 + b"BIN")
    said = b"".join(run("filter", path, "--part", f"{i}/100").stderr for i in range(1, 101))
    assert said.count(b"the file ends in the first 8 bytes of a chunk") == 1


# ---- Where parts are of use, and where there are none -----------------------------------------------------------------


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files(files, ending, tmp_path):
    """They cannot be divided; but outputs that are compressed join."""
    path = tmp_path / ("a.marlin" + ending)
    path.write_bytes(compress(sample("marlinformat"), ending))
    fails(2, run("filter", path, "--part", "1/2"), f"{path} is compressed and has no parts that can be read alone")
    outputs = [tmp_path / f"{i}.marlin{ending}" for i in (1, 2, 3)]
    for i, output in enumerate(outputs):
        well("filter", files["marlinformat"], "--part", f"{i + 1}/3", "--output", output)
    path.write_bytes(b"".join(output.read_bytes() for output in outputs))
    assert well("filter", path) == sample("marlinformat")


def damage(chance, data):
    """Bytes removed, added, zeroed, repeated or changed, somewhere."""
    at, n = chance.randrange(len(data)), chance.choice([1, 3, 40, 700, 5000])
    kind = chance.randrange(5)
    if kind == 0:
        return data[:at] + data[at + n:]
    if kind == 1:
        return data[:at] + chance.randbytes(n) + data[at:]
    if kind == 2:
        return data[:at] + bytes(min(n, len(data) - at)) + data[at + n:]
    if kind == 3:
        return data[:at] + data[at:at + n] + data[at:]
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_parts_of_damaged_files_are_the_whole(files, form, tmp_path):
    """Whatever is wrong, and wherever a part begins: the same records are read, each once."""
    chance, path = random.Random(SEED), tmp_path / ("a." + form)
    data = files[form].read_bytes()
    if form == "binpack":  # many chunks, of which the file has one
        data = b"".join(write(make_records(40, seed=seed)) for seed in range(20))
    for _ in range(times(25)):
        path.write_bytes(damage(chance, data))
        n = chance.randrange(2, 6)
        to = ["--to", "tsv", "--lose", "all"]
        whole, some = run("filter", "--quiet", path, *to), results(n, path, *to)
        assert b"".join(part.stdout for part in some) == whole.stdout, (n, whole.stderr)
        assert any(part.returncode for part in some) == bool(whole.returncode), (n, whole.stderr)


def test_parts_of_a_chunk_that_says_too_much(tmp_path):
    """Bytes of it are missing, and its length leads into a later chunk: what begins before that belongs to one part."""
    chunks = [write(make_records(40, seed=seed)) for seed in range(8)]
    path = tmp_path / "a.binpack"
    path.write_bytes(b"".join(chunks[:3]) + chunks[3][:-300] + b"".join(chunks[4:]))
    whole = run("filter", "--count", path)
    for n in range(2, 40):
        assert sum(int(part.stdout) for part in results(n, path, "--count")) == int(whole.stdout), n
