"""filter --unique and --shuffle: over the whole input, whatever the memory, against plain Python."""
import os
import random
import resource
import subprocess
import sys

import pytest

from formats_support import FORMATS, READERS, WRITERS, sample
from pipeline_support import SANITIZED, TOOL, environment, fails, lines_of, make_records, run, says, well

LEAST = ["--memory", "1M"]
EP = "4k3/8/8/3pP3/8/8/8/4K3 w - {} 0 1"


def numbered(n, seed=1):
    """Lines of EPD, each with a number of its own, over a few positions."""
    chance = random.Random(seed)
    boards = [" ".join(fen.split()[:4]) for fen in lines_of("games.fen")[:900]]
    return "".join(f'{chance.choice(boards)} id "{i}";\n' for i in range(n)).encode()


def first_of_each(lines):
    seen = set()
    return [line for line in lines if not (key := tuple(line.split()[:4])) in seen and not seen.add(key)]


# ---- What is equal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one, other, equal", [
    (EP.format("-"), EP.format("d6"), False), (EP.format("-"), EP.format("-").replace("0 1", "7 9"), True),
    ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", True),  # nobody can capture
    ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1", True),  # it would uncover the rook
    ("4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "4k3/8/8/3pP3/2K5/8/8/8 w - - 0 1", False),  # it takes the pawn that checks
    ("4k3/8/1b6/3pP3/8/8/8/6K1 w - d6 0 1", "4k3/8/1b6/3pP3/8/8/8/6K1 w - - 0 1", True),  # another piece checks
    ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w - -", False),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w H -", True),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R b K -", False),
    ("4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/4K1R1 w - -", False),
    ("4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/4K2r w - -", False),
])
def test_equal_positions(one, other, equal):
    for first, second in ((one, other), (other, one)):
        assert well("filter", "--unique", stdin=f"{first}\n{second}\n").decode() == (
            f"{first}\n" if equal else f"{first}\n{second}\n")


def fens_of(form, data):
    """The lines of the table that a file becomes, without the header, and the positions in it."""
    lines = well("convert", "--from", form, "--to", "tsv", "--lose", "all", stdin=data).decode().splitlines()[1:]
    return lines, [line.split("\t")[0] for line in lines]


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"bulletformat"}))
def test_unique_in_every_format(form, tmp_path):
    """A file twice: the second time nothing is new, and the first time what comes again in it is left out."""
    path, data = tmp_path / "a", sample(form) if form in READERS else WRITERS[form](make_records(400)).encode()
    path.write_bytes(data)
    expected, unique = first_of_each(fens_of(form, data)[1]), ["filter", "--unique", "--from", form]
    once = well(*unique, path)
    for more in (["--threads", "1"], ["--threads", "5", *LEAST]):
        assert well(*unique, *more, path,
                    path) == once and int(well(*unique, "--count", *more, path, path)) == len(expected)
    if form in ("fen", "scored", "epd"):
        assert once.decode().splitlines() == first_of_each(data.decode().splitlines())
    assert well(*unique, stdin=data if form in ("csv", "tsv") else 2 * data) == once  # a pipe
    assert fens_of(form, once)[1] == expected


def test_unique_of_what_is_kept(tmp_path):
    """Conditions come first; bad records and damage are told once."""
    path = tmp_path / "a.epd"
    path.write_bytes(b"4k3/8/8/8/8/8/8/4K3 w - - ce 1;\nx\n4k3/8/8/8/8/8/8/4K3 w - - ce 2;\n4k3/8/8/8/8/8/8/4K3 w - - ce 3;\n")
    result = run("filter", "--unique", "--keep", "score=2..", path)
    says(1, result, f"{path}:2: ")
    assert result.stdout.endswith(b"ce 2;\n") and result.stdout.count(b"\n") == 1 and result.stderr.count(b"\n") <= 3
    assert b"4 positions read" not in result.stderr and b"3 positions read, 1 written, 1 bad record" in result.stderr
    result = run("filter", "--unique", "--strict", path)
    assert result.returncode == 1 and result.stdout.count(b"\n") == 1 and result.stderr.count(b"a.epd:2") == 1


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_pipes_that_do_not_fit(form):
    """What is wrong with the beginning of a pipe is told once, although it is looked at twice."""
    for text in (b"", b"\n", b"x,y\n1,2\n", b"fen\tscore\tscore\n", b"fen,move", b"\x1f\x8b\x08"):
        plain, unique = (run("filter", "--quiet", "--from", form, *options,
                             stdin=text) for options in ([], ["--unique"]))
        assert (unique.returncode, unique.stdout, unique.stderr) == (plain.returncode, plain.stdout, plain.stderr)


# ---- Beyond the memory -------------------------------------------------------------------------------------------------


def peak_and_output(*arguments):
    """The most memory that a run has taken, in KiB, and what it has written; by a small process, whose memory counts too."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)")
    result = subprocess.run([sys.executable, "-c", code, TOOL, *arguments], capture_output=True, env=environment(),
                            check=True)
    return int(result.stderr), result.stdout


@pytest.mark.parametrize("option", ["--unique", "--shuffle"])
def test_more_than_ten_times_the_memory(option, tmp_path):
    """In the least memory the same comes out as in much of it, and the tool takes no more than it says."""
    data, path = numbered(60_000 if SANITIZED else 300_000), tmp_path / "a.epd"
    path.write_bytes(data)
    assert SANITIZED or len(data) > 10 << 20
    small, output = peak_and_output("filter", option, *LEAST, "--threads", "2", path)
    large, same = peak_and_output("filter", option, "--threads", "2", path)
    assert output == same and (SANITIZED or large - small > 8 << 10)
    lines = data.decode().splitlines(keepends=True)
    if option == "--unique":
        assert output.decode().splitlines(keepends=True) == first_of_each(lines)
    else:
        assert output != data and sorted(output.splitlines(keepends=True)) == sorted(data.splitlines(keepends=True))
    assert os.listdir(tmp_path) == ["a.epd"]


def test_one_position_over_and_over():
    """It has one hash, and no division makes its group smaller. The other one comes behind all."""
    line, other = b"4k3/8/8/8/8/8/8/4K3 w - -\n", b"4k3/8/8/8/8/8/8/3K4 w - -\n"
    assert well("filter", "--unique", *LEAST, stdin=line * 40_000 + other + line * 10) == line + other


# ---- Every order -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"bulletformat"}))
def test_shuffle_in_every_format(form, tmp_path):
    """The records are the same, in an order that depends on the seed alone."""
    path = tmp_path / "a.plain"
    path.write_bytes(sample("plain"))
    arguments = [path, "--to", form, "--lose", "all", "--shuffle"]
    made = well("filter", *arguments)
    for more in (["--threads", "1"], ["--threads", "5", *LEAST]):
        assert well("filter", *arguments, *more) == made
    assert well("filter", *arguments, "--seed", "1") != made
    rows, straight = (fens_of(form, data)[0] for data in (made, well("convert", path, "--to", form, "--lose", "all")))
    assert rows != straight and sorted(rows) == sorted(straight)
    if form == "binpack":  # the records share chunks: 34 bytes each, and more where one happens to follow another
        assert len(made) <= 34 * len(rows) + 8 and made.count(b"BINP") == 1
    assert form != "viriformat" or len(made) == 40 * len(rows)


def chi_square(counts):
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def test_orders_are_equally_likely():
    """Seeds are fixed. A fair shuffle is above these bounds once in a million times."""
    n = 24_000
    numbers = [int(line.split(b'"')[1]) for line in well("filter", "--from", "epd", "--shuffle", "--seed", "5",
                                                         stdin=numbered(n)).splitlines()]
    place = {number: i for i, number in enumerate(numbers)}
    orders, tens = {}, [0] * 100
    for i in range(0, n, 4):  # the order of four neighbours, and where each tenth of the input goes
        order = tuple(sorted(range(4), key=lambda k: place[i + k]))
        orders[order] = orders.get(order, 0) + 1
    for number in range(n):
        tens[10 * (10 * number // n) + 10 * place[number] // n] += 1
    assert len(orders) == 24 and chi_square(list(orders.values())) < 72 and chi_square(tens) < 169
    ascents = sum(one < other for one, other in zip(numbers, numbers[1:]))
    assert abs(ascents - n / 2) < 5 * (n / 12) ** 0.5
    # of three records, over seeds
    lines, counts = numbered(3), {}
    for seed in range(12 if SANITIZED else 120):
        order = well("filter", "--from", "epd", "--shuffle", "--seed", seed, stdin=lines)
        counts[order] = counts.get(order, 0) + 1
    assert SANITIZED or (len(counts) == 6 and chi_square(list(counts.values())) < 36)


def test_unique_and_shuffled(tmp_path):
    path, out = tmp_path / "a.epd", tmp_path / "b.jsonl.gz"
    path.write_bytes(numbered(5000))
    assert run("filter", "--unique", "--shuffle", "--quiet", *LEAST, path, "--output", out).returncode == 0
    rows = well("convert", "--to", "fen", "--lose", "all", out).decode().splitlines()
    assert sorted(row.split("id")[1] for row in rows) == sorted(row.split("id")[1] for row in first_of_each(path.read_text().splitlines()))


# ---- What can go wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--unique", "--shuffle"])
def test_no_room_for_temporary_files(option, tmp_path):
    path, out = tmp_path / "a.epd", tmp_path / "b.epd"
    path.write_bytes(numbered(30_000))
    def few_bytes():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    result = run("filter", option, *LEAST, path, "--output", out, preexec_fn=few_bytes)
    fails(1, result, f"{tmp_path}: a temporary file cannot be written there: File too large; free some space, or allow more --memory")
    assert os.listdir(tmp_path) == ["a.epd"]
    kept = dict(os.environ, TMPDIR=str(tmp_path / "no"), LC_ALL="C")
    result = subprocess.run([TOOL, "filter", option, *LEAST, path], capture_output=True, env=kept, check=False)
    fails(1, result, f"{tmp_path}/no: no temporary file can be made there: No such file or directory")


def test_bad_records_of_a_shuffle(tmp_path):
    """Each is told; with --strict, or where something would be lost, nothing is written."""
    text = f"{EP.format('-')}\nx\n{EP.format('d6')} id 1;\n"
    result = run("filter", "--shuffle", stdin=text)
    assert result.returncode == 1 and result.stdout.count(b"\n") == 2 and b"-:2: " in result.stderr
    for status, options in ((1, ["--strict"]), (2, ["--to", "jsonl", "--from", "scored"])):
        lines = text if status == 1 else f"{EP.format('-')}|1|0.5\n" + f"{EP.format('-')} ce 1;|1|0.5\n"
        options = options if status == 1 else ["--from", "scored", "--to", "marlin"]
        result = run("filter", "--shuffle", *options, "--output", tmp_path / "x", stdin=lines)
        assert result.returncode == status and os.listdir(tmp_path) == []
