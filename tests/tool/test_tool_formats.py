"""Files of all formats: what is read from them, good or damaged, and what is written, against the readers and writers of
formats_support.py and what the formats' own programs read from the samples in data/formats."""
import json
import os
import random
import re
import struct

import pytest

import binpack_support as binpack
from chess_support import START, Board, Row, odd
from formats_support import (BAD_LINES, DATA, FORMATS, GOOD_LINES, HEADS, READERS, WRITERS, decode_plain, encode_bullet,
                             encode_games, encode_marlin, encode_pair, encode_plain, expected_rows, games_of, held,
                             read_games, rows_of_tsv, sample, table)
from pipeline_support import BAD, QUIET, compress, lines_of, make_records, run, says, well
from test_tool_binpack import STARTS as ODD_STARTS, make_game

CHAINED = ("viriformat", "binpack")


def read(form, data, *arguments):
    """The rows that the tool reads from good data."""
    return rows_of_tsv(well("filter", "--from", form, "--to", "tsv", *arguments, stdin=data))


@pytest.fixture(scope="module")
def rows():
    """Positions of many kinds, Chess960 among them, with scores over the whole range."""
    found = [row for row in make_records(500) if row.ply is not None]
    found += [Row(Board(line.split(";")[0].strip()).fen(), None, 0, 1) for line in lines_of("perft/chess960.epd")[:60]]
    found += [Row("brnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BRNQKBNR w HBhb - 0 1", "g1f3", -32768, 0, 0),
              Row("4k3/8/8/8/8/8/8/R1R1K2R w C - 255 65535", "e1e2", 32767, 2, 131068),
              Row("4k3/8/8/pPpP4/8/8/8/4K3 w - a6 0 1", "b5a6", 1, 1, 0)]
    for row, score in zip(found, 4 * [-32767, 32767, 0, -1, 1]):
        row.score = score
    return found


def document(name):
    with open(os.path.join(DATA, "..", "..", "docs", name), encoding="utf-8") as file:
        return file.read()


def test_every_format_is_documented_and_tested():
    """What the tool says of itself is what docs/formats.md and formats_support.py know. The test manual compares the lists."""
    formats = json.loads(run("info", "--format", "json").stdout)["formats"]
    says(2, run("filter", "--from", "no"), "expected one of " + ", ".join(form["name"] for form in formats))
    sections = document("formats.md").partition("Up to here by scripts/manual")[2]
    for form in formats:
        assert re.search(rf"^## .*\b{form['name']}\b", sections, re.M | re.I), f"no section on {form['name']}"
    written = {form["name"]: form for form in formats if form["writable"]}
    assert sorted(written) == sorted(FORMATS)
    for name, form in written.items():
        assert FORMATS[name].holds == set(form["holds"]) and FORMATS[name].needs == bool(form["needs"]), name
        assert name in READERS or name in WRITERS, name
        assert form["binary"] or name in FAULTS, f"no bad lines of {name}"


def test_the_help_lists_formats():
    text = run("filter", "--help").stdout.decode().partition("\nFormats")[2].partition("\n\n")[0].splitlines()[1:]
    for form, line in zip(json.loads(run("info", "--format", "json").stdout)["formats"], text, strict=True):
        assert line.split()[:1 + len(form["extensions"])] == [form["name"], *form["extensions"]]


# ---- Samples, and good files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form, count",
                         [("marlinformat", 1000), ("bulletformat", 1000), ("viriformat", 1558), ("binpack", 1558)])
def test_samples(form, count):
    data, expected = sample(form), expected_rows(form)
    assert READERS[form](data) == (expected, 0) and len(expected) == count
    for threads in (1, 4):
        assert read(form, data, "--threads", threads) == expected
    assert well("filter", "--from", form, stdin=data) == data  # of a binpack: written again, the same bytes


def test_samples_are_of_the_same_games():
    """From one to another, and back."""
    assert decode_plain(sample("plain")) == read("plain", sample("plain"))
    for one, other in [("viriformat", "plain"), ("plain", "viriformat"), ("binpack", "plain"),
                       ("binpack", "viriformat")]:
        assert well("convert", "--from", one, "--to", other, stdin=sample(one)) == sample(other)
    assert well("convert", "--from", "scored", "--to", "marlinformat",
                stdin=sample("own-bullet.txt")) == sample("marlinformat")


def test_worked_records():
    """The bytes of docs/formats.md."""
    marlin = bytes.fromhex("ffff00000000ffff 16422561 00000000 88888888 9ecaade9 40 00 0100 0000 01 00")
    bullet = bytes.fromhex("ffff00000000ffff 13422531 00000000 88888888 9bcaadb9 0000 01 04 04 000000")
    scored = (START + " | 0 | 0.5\n").encode()
    assert well("convert", "--from", "scored", "--to", "marlinformat", stdin=scored) == marlin
    assert well("convert", "--from", "scored", "--to", "bulletformat", "--lose", "all", stdin=scored) == bullet
    assert well("convert", "--from", "marlin", "--to", "scored", stdin=marlin) == scored
    assert read("viri", marlin + bytes.fromhex("0c07 0000 00000000")) == [Row(START, "e2e4", 0, 1)]
    for fen, uci, word in [(QUIET, "e1g1", 0x81c4), ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 0xfe30),
                           ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0x4ae4)]:
        row = Row(fen, uci, -7, 2)
        data = encode_marlin(row, score=0) + struct.pack("<Hh", word, -7) + bytes(4)
        assert read("viri", data) == [row] and encode_games([row]) == data


@pytest.mark.parametrize("form", sorted(READERS))
def test_both_ways(form, rows, tmp_path):
    least = -32767 if form == "bulletformat" else -32768
    some = [row for row in rows if row.score >= least and (row.move or "move" not in FORMATS[form].holds)]
    if form == "binpack":  # not of Chess960, and en passant only where a pawn may capture
        boards = {row.fen: Board(row.fen) for row in some}
        some = [row for row in some if not boards[row.fen].shredder and (boards[row.fen].ep is None or boards[row.fen].can_take_ep())]
    data, expected = FORMATS[form].encode(some), held(some, form)
    assert read(form, data) == expected == READERS[form](data)[0] and len(expected) > 300
    assert well("convert", "--from", "tsv", "--to", form, "--lose", "all", stdin=table(some)) == data
    path = tmp_path / f"a.{form}.gz"
    path.write_bytes(compress(data, ".gz"))
    assert well("filter", path) == data
    kept = [row for row, seen in zip(some, expected) if seen.score == 1]
    assert well("filter", path, "--keep", "score=1") == FORMATS[form].encode(kept)


STARTS = [START, "r3k2r/P1p2p1P/8/1p4P1/1P1p4/8/p1P2P1p/R3K2R w KQkq - 0 1",
          "rk5r/1pppppp1/8/P6P/p6p/8/1PPPPPP1/RK5R w HAha - 0 1",
          "1r2k1r1/p6p/8/2pPp3/2PpP1P1/8/P6P/1R2K1R1 b GBgb - 3 40", "qrkr4/pppp4/8/8/8/8/PPPP4/QRKR4 w DBdb - 0 1"]


def test_random_games():
    """Games full of castling, Chess960's too, promotions and en passant."""
    chance, rows, kinds = random.Random(12), [], set()
    for start in STARTS * 2:
        board, result = Board(start), chance.choice([0, 1, 2])
        for _ in range(40):
            move = board.random_move(chance, odd)
            if move is None:
                break
            kinds |= {"castling"} if board.castles(move) else {"en passant"} if board.is_ep(move) else {move[2]}
            kinds |= {"Chess960"} if board.castles(move) and board.shredder else set()
            rows.append(Row(board.fen(), board.uci(move), chance.randint(-32768, 32767), result,
                            2 * (board.number - 1) + (not board.white)))
            board.play(move, "beside")
    assert kinds == {"castling", "Chess960", "en passant", "n", "b", "r", "q", None}
    data, plain = encode_games(rows), encode_plain(rows)
    assert len(games_of(data)) == len(STARTS * 2) and read_games(data) == (held(rows, "viriformat"), 0)
    assert well("convert", "--from", "viri", "--to", "plain", stdin=data) == plain and read("plain", plain) == rows
    assert well("convert", "--from", "plain", "--to", "viri", stdin=plain) == data
    assert well("convert", "--from", "viri", "--to", "marlin", "--lose", "move",
                stdin=data) == b"".join(map(encode_marlin, rows))


@pytest.mark.parametrize("clock, number, result, games", [(1, 1, 2, 1), (0, 1, 2, 2), (1, 2, 2, 2), (1, 1, 1, 2)])
def test_what_belongs_to_one_game(clock, number, result, games):
    """The position, its clock, the number of the move and the result have to go on."""
    some = [Row(QUIET, "e1g1", 5, 2), Row(f"4k3/8/8/8/8/8/8/5RK1 b - - {clock} {number}", "e8e7", 6, result)]
    data = well("convert", "--from", "tsv", "--to", "viriformat", stdin=table(some))
    assert data == encode_games(some) and len(games_of(data)) == games and read("viriformat", data) == some


@pytest.mark.parametrize("form", CHAINED)
def test_an_en_passant_square_too_few(form):
    """The pawn could be captured, and the next position says that it cannot: it does not follow."""
    sizes = []
    for field in ("d6", "-"):
        some = [Row("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", 0, 1, 1),
                Row(f"4k3/8/8/3pP3/8/8/8/4K3 w - {field} 0 2", "e1e2", 0, 1, 2)]
        made = well("convert", "--lose", "all", "--from", "tsv", "--to", form, stdin=table(some))
        assert read(form, made) == held(some, form)
        sizes.append(len(made))
    assert sizes[0] < sizes[1]


def test_plain_in_other_orders():
    first, second = ("ply 3\r\nscore -5\r\nnote  what\r\nfen 4k3/8/8/8/8/8/8/4K2R b - - 0 2\r\ne\r\n",
                     "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 2\ne\n")
    assert read("plain", first, "--lose", "lines") == [Row("4k3/8/8/8/8/8/8/4K2R b - - 0 2", None, 5, None, 3)]
    assert read("plain", second) == [Row("4k3/8/8/8/8/8/8/4K2R w K - 0 2")]
    both = run("filter", "--quiet", "--from", "plain", "--keep", "ply=3", stdin=first + "\n" + second)
    assert both.returncode == 0 and both.stdout.decode().replace("\r", "") == first.replace("\r", "")
    assert both.stderr.startswith(b"-: warning: some of its 2 records lack a field that others have (score: 1, ply: 1)")
    says(1, run("filter", "--quiet", "--from", "plain", "--to", "viri", "--lose", "lines", stdin=first),
         "the record has no move or result, which viriformat needs")


def test_ends_of_plain_records():
    record = "fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\nmove e5d6\nscore 5\nply 0\nresult 0\ne\n"
    expected = read("plain", record * 2)
    assert len(expected) == 2
    for end in ("e\r\n", "e \n", "e\t\n", "e \t\r\n", "x\ne\n", "\ne\n", "\r\n \t\ne\n", "e\n\n \n"):
        for options in ((), ("--strict",)):
            assert read("plain", record.replace("\ne\n", "\n" + end) * 2, "--lose", "lines", *options) == expected
    assert read("plain", record.replace("move ", "move \t ").replace("5\n", "5 \t\n") * 2) == expected


@pytest.mark.parametrize("form", sorted(READERS))
def test_blocks_and_threads(form, tmp_path):
    """More bytes than a block holds, by 1 and 3 threads, filtered by conditions that fall within games."""
    times = 160 if form in CHAINED else 20
    path = tmp_path / f"a.{form}"
    path.write_bytes(sample(form) * times)
    assert form == "binpack" or well("filter", path, "--threads", 3) == path.read_bytes()
    wanted = [row for row in read(form, sample(form)) if abs(row.score) <= 40]
    one, three = (well("filter", path, "--threads", n, "--keep", "abs-score=..40") for n in (1, 3))
    assert one == three and read(form, one) == wanted * times
    assert int(well("filter", path, "--count", "--keep", "abs-score=..40")) == len(wanted) * times


# ---- Bad records -----------------------------------------------------------------------------------------------------


def with_bytes(data, at, new):
    return data[:at] + bytes(new) + data[at + len(new):]


PLAIN = f"fen {QUIET}\nmove e1g1\nscore 12\nply 4\nresult 1\ne\n"
MARLIN, BULLET = (encode(Row(START, None, 5, 1)) for encode in (encode_marlin, encode_bullet))
GOOD = {**GOOD_LINES, "plain": PLAIN.encode(), "marlinformat": MARLIN, "bulletformat": BULLET}
FAULTS = {
    **BAD_LINES,
    "plain": [(PLAIN.replace(old, new).rstrip("\n"), said, line) for old, new, line, said in [
        ("fen 4k3", "fen 5k3", 7, "expected 8"), ("e1g1", "e1h8", 8, "'e1h8' is not a legal move"),
        ("score 12", "score 1.5", 9, "the score is '1.5'"), ("ply 4", "ply x", 10, "the ply is 'x'"),
        *(("result 1", f"result {wrong}", 11, f"the result is '{wrong}', expected 1, 0 or -1") for wrong in ("2", "10", "-", "-11")),
        ("fen", "fin", 7, "the record has no fen"), ("ply 4", "fen 8/8", 10, "a second line of this kind"),
        ("score 12", "score -2147483648", 9, "expected at least")]],
    "marlinformat": [*((with_bytes(MARLIN, at, new), said) for at, new, said in [
        (2, [1], "the board has 33 occupied squares, expected at most 32"),
        (0, [0xff] * 8, "the board has 64 occupied squares, expected at most 32"),
        (8, [0x17], "the piece on a1 has the code 7, expected at most 6"),
        (23, [0xf9], "the piece on h8 has the code 7, expected at most 6"),
        (10, [0x21], "white has 0 kings, expected exactly 1"), (8, bytes(16), "white has 0 kings"),
        (8, [0x06], "white pawn on b1"), (8, [0x66], "white may castle with two rooks queenside, expected one at most"),
        (0, bytes(32), "white has 0 kings"), (11, [0x31, 0x06], "white may castle kingside with a rook on a2"),
        (24, [0x41], "the en passant square is 65"), (24, [0x10], "en passant square a3 with white to move"),
        (24, [0x28], "no black pawn can just have passed over it"),
        (30, [3], "the result is 3, expected 0 (black wins), 1 (draw) or 2 (white wins)")]),
        (encode_marlin(Row("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", None, 0, 1)), "check")],
    "bulletformat": [(with_bytes(BULLET, at, new), said) for at, new, said in [
        (8, [0x16], "the piece on a1 has the code 6, expected at most 5"),
        (26, [3], "the result is 3, expected 0 (loss)"),
        (27, [5], "the squares of the kings are 5 and 4, but the pieces say 4 and 4"), (28, [60], "are 4 and 60"),
        (2, [1], "33 occupied squares")]],
}


@pytest.mark.parametrize("form", sorted(FAULTS))
def test_bad_records(form):
    """Each is told of once with its place and left out; with --strict it is the end."""
    head, good, of_lines = HEADS.get(form, b""), GOOD[form], isinstance(FAULTS[form][0][0], str)
    for bad, said, *line in FAULTS[form]:
        place = f"-:{(line or [2 + len(head.splitlines())])[0]}: " if of_lines else f"-: record 2 at byte {len(good)}: "
        bad = bad.encode() + b"\n" if of_lines else bad
        assert of_lines or READERS[form](bad) == ([], 1), said
        for options, left in ([], 2), (["--strict"], 1):
            result = run("filter", "--from", form, *options, stdin=head + good + bad + good)
            error, summary = result.stderr.decode().splitlines()
            assert error.startswith(place) and said in error and result.returncode == 1, (said, error)
            assert result.stdout == head + good * left, said
            assert options or "2 positions read, 2 written, 1 bad record;" in summary


def test_bad_games():
    """The rest of the game is skipped, or the whole of it."""
    games = games_of(sample("viriformat"))[:3]
    rows = [read_games(game)[0] for game in games]
    board, at = Board(rows[1][5].fen), 32 + 4 * 5
    legal, king = board.move(rows[1][5].move), board.king(board.white)
    good, = struct.unpack("<H", encode_pair(board, legal, 0)[:2])
    for at, new, left, said in [
            (at, 0, 5, "the move 0x0000 (a1a1)"), (at, legal[1] | legal[1] << 6, 5, "the move"),
            (at, good | 0x4000, 5, "is written as en passant"), (at, good | 0x8000, 5, "is written as castling"),
            (at, good | 0x3000, 5, "is written as a plain move"),
            (at, king | (king ^ 36) << 6, 5, "is not a legal move here"), (30, 7, 0, "the result is 7")]:
        bad = with_bytes(games[1], at, struct.pack("<Hh", new, 17) if left else [new])
        for options, behind in ([], rows[2]), (["--strict"], []):
            result = run("filter", "--quiet", "--from", "viri", "--to", "tsv", *options,
                         stdin=games[0] + bad + games[2])
            assert rows_of_tsv(result.stdout) == rows[0] + rows[1][:left] + behind, said
            place = f"-: record {len(rows[0]) + left + 1} at byte {len(games[0]) + (at if left else 0)}: "
            says(1, result, place, said, "the rest of the game was skipped" if left else "the game was skipped")


# ---- Damage ----------------------------------------------------------------------------------------------------------


def compare_all(form, files, tmp_path):
    """Many files in one run: the tool reads what the plain reader does, and reports as many errors in each. How often of each."""
    paths, expected, bad = [], [], {}
    for i, data in enumerate(files):
        paths.append(tmp_path / f"{i:04}.{form}")
        paths[-1].write_bytes(data)
        rows, bad[f"{i:04}"] = READERS[form](data)
        expected += rows
    result = run("filter", "--quiet", "--to", "tsv", "--lose", "unused-bits", "--threads", 2, *paths)
    said = dict.fromkeys(bad, 0)
    for name in re.findall(rf"^[^:]*/(\d+)\.{form}: (?!warning: no position)", result.stderr.decode(), re.M):
        said[name] += 1
    same = rows_of_tsv(result.stdout) == expected  # not in the assert: pytest would compare
    assert same and said == bad and result.returncode == any(bad.values())
    return list(bad.values())


def damaged(form):
    """A short file to cut and to change."""
    if form == "viriformat":
        return b"".join(sorted(games_of(sample(form)), key=len)[:2])
    if form == "binpack":
        chance = random.Random(11)
        chains = [binpack.chain(make_game(chance, fen, n)) for fen,
                  n in ((ODD_STARTS[2], 6), (START, 1), (ODD_STARTS[1], 4))]
        return binpack.chunk(chains[0] + chains[1]) + binpack.chunk(chains[2])
    return sample(form)[:96]


@pytest.mark.parametrize("form", sorted({*READERS} - {"plain"}))
def test_cut_at_every_byte(form, tmp_path):
    data = damaged(form)
    bad = compare_all(form, [data[:cut] for cut in range(len(data) + 1)], tmp_path)
    assert bad.count(0) == (3 if form in CHAINED else 4)  # between records, games and chunks


@pytest.mark.parametrize("form", sorted({*READERS} - {"plain"}))
def test_flipped_bits(form, tmp_path):
    """What stands before is read as it was, and what can be found behind it."""
    data = damaged(form)
    files = [with_bytes(data, bit // 8, [data[bit // 8] ^ 1 << bit % 8]) for bit in range(0, 8 * len(data), 3)]
    bad = compare_all(form, files, tmp_path)
    assert len(files) // 5 < len(files) - bad.count(0) < len(files)


@pytest.mark.parametrize("form", sorted({*READERS} - {"plain"}))
def test_random_bytes(form, tmp_path):
    chance, data = random.Random(2), damaged(form)
    files = [chance.randbytes(chance.randint(1, 200)) for _ in range(40)]
    files += [binpack.chunk(chance.randbytes(chance.randint(0, 300))) for _ in range(60)] if form == "binpack" else []
    for _ in range(200):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        files.append(bytes(changed))
    compare_all(form, files, tmp_path)


def test_plain_text_cut_at_every_byte(tmp_path):
    data = (PLAIN * 2).encode()
    for cut in range(len(data)):
        (tmp_path / f"{cut:03}.plain").write_bytes(data[:cut])
    result = run("filter", "--quiet", *sorted(tmp_path.iterdir()))
    assert result.stdout.decode() == PLAIN * sum((cut + 1) // len(PLAIN) for cut in range(len(data)))  # LF may be missing
    names = re.findall(r"/(\d+)\.plain:\d+: .*cut off", result.stderr.decode())
    assert sorted(set(map(int, names))) == [cut for cut in range(len(data)) if cut % len(PLAIN)]


def test_endless_game():
    """A file without any end of a game is not taken into memory for ever."""
    says(1, run("filter", "--quiet", "--from", "viri", stdin=b"\x01" * (17 << 20)),
         "a game or chunk of more than 16 MiB")


# ---- What does not fit -----------------------------------------------------------------------------------------------


KINGS, PROMOTED = "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/4K3 w - - 0 1"
OF_BLACK = START.replace("w", "b")
SCORES = "-32768 to 32767"
# A position, what is odd about the record, and what is said of it; None: it fits.
MISFITS = {
    "marlinformat": [(KINGS.replace("0 1", "256 1"), {}, "the halfmove clock does not fit, expected at most 255"),
                     (KINGS, {"score": 32768}, "the score does not fit, expected one from -32768 to 32767"),
                     (KINGS, {"score": -32768}, None), (PROMOTED, {}, "the board has more than 32 pieces")],
    "bulletformat": [(KINGS, {"score": -32768}, None), (KINGS, {"score": 32768}, "the score does not fit"),
                     (KINGS.replace("w", "b"), {"move": "e8e7", "score": -32768}, "the score does not fit"),
                     (PROMOTED, {}, "the board has more than 32 pieces")],
    "binpack": [
        (START, {"score": 32767, "ply": 16382}, None), (START.replace("KQkq", "HAha"), {}, None),
        (OF_BLACK, {"score": -32767, "ply": 16383}, None), (OF_BLACK, {"score": 32768, "ply": 1}, None),
        ("rnbqkrbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKRBN w KQkq - 0 1", {}, "Chess960"),
        ("rnbqkbnr/pppppppp/nnnnnnnn/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {}, "32 pieces"),
        *((START, {"score": score}, SCORES) for score in (32768, -32769, -2147483648)),
        *((OF_BLACK, {"score": score, "ply": 1}, SCORES) for score in (-32768, -2147483648)),
        (START, {"ply": 16384}, "16383"),
        *((START, {name: None}, f"no {name}") for name in ("move", "score", "result"))],
}
MISFITS["viriformat"] = MISFITS["marlinformat"]


@pytest.mark.parametrize("form", sorted(MISFITS))
def test_what_does_not_fit(form):
    """It is left out and named; the others are written."""
    first = {START: "e2e4", OF_BLACK: "e7e5"}
    rows = [Row(fen, **{"move": first.get(fen, "e2e4" if form == "binpack" else "e1e2"), "score": 0, "result": 2,
                        "ply": 0, **odd_fields})
            for fen, odd_fields, _ in MISFITS[form]]
    expected = {i + 2: said for i, (_, _, said) in enumerate(MISFITS[form]) if said}
    result = run("convert", "--quiet", "--from", "tsv", "--to", form, "--lose", "all", stdin=table(rows))
    # Equal errors are shown once, so each record is also converted by itself.
    for line, said in expected.items():
        alone = run("convert", "--quiet", "--from", "tsv", "--to", form, "--lose", "all", stdin=table([rows[line - 2]]))
        assert said in re.search(r"(?m)^-:2: (.*)$", alone.stderr.decode())[1] and alone.returncode == 1
    made, bad = READERS[form](result.stdout)
    fit = held([row for i, row in enumerate(rows) if i + 2 not in expected], form)
    assert (result.returncode, bad) == (1, 0)
    assert [(r.move, r.score, r.result, r.ply) for r in made] == [(r.move, r.score, r.result, r.ply) for r in fit]
