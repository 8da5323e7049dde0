"""Files of marlinformat, bulletformat, viriformat and plain text: what is read from them, good or damaged, and written.

Held against formats_support.py, and against what the original programs read from the samples in data/formats.
"""
import random
import re
import struct

import pytest

from chess_support import Board, odd
from formats_support import (Bad, Row, decode_bullet, decode_games, decode_marlin, decode_plain, encode_bullet,
                             encode_games, encode_marlin, encode_pair, encode_plain, expected_rows, game_places, rows_of_tsv,
                             sample, seen_by_mover)
from pipeline_support import compress, lines_of, make_records, run, says, well

DECODE = {"marlinformat": decode_marlin, "bulletformat": decode_bullet}
SAMPLE = {"marlinformat": "own-marlin.bin", "bulletformat": "own-bullet.bin", "viriformat": "own.vf", "plain": "own.plain"}
ENDING = {"marlinformat": ".marlin", "bulletformat": ".bullet", "viriformat": ".vf", "plain": ".plain"}


def read(form, data, *arguments):
    """The rows that the tool reads from good data."""
    return rows_of_tsv(well("filter", "--from", form, "--to", "tsv", *arguments, stdin=data))


def complaints(result):
    """Of standard error: (record, byte, text) of records with a number."""
    found = re.findall(r"^-: record (\d+) at byte (\d+): (.*)$", result.stderr.decode(), re.M)
    return [(int(number), int(byte), text) for number, byte, text in found]


@pytest.fixture(scope="module")
def rows():
    """Positions of many kinds, Chess960 among them, with scores over the whole range."""
    chance = random.Random(7)
    found = make_records(500)
    for line in lines_of("perft/chess960.epd")[:60]:
        found.append(Row(Board(line.split(";")[0].strip()).fen(), None, 0, 1, None))
    found += [Row("brnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BRNQKBNR w HBhb - 0 1", "g1f3", -32768, 0, 0),
              Row("4k3/8/8/8/8/8/8/R1R1K2R w C - 255 65535", "e1e2", 32767, 2, 131068),
              Row("4k3/8/8/pPpP4/8/8/8/4K3 w - a6 0 1", "b5a6", 1, 1, 0)]
    for row in found[:20]:
        row.score = chance.choice([-32767, 32767, 0, -1, 1])
    return found


# ---- Samples --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["marlinformat", "bulletformat"])
def test_sample_of_records(form):
    data = sample(SAMPLE[form])
    expected = [Row(fen, None, int(score), int(result)) for fen, _, score, _, result in
                expected_rows(SAMPLE[form].replace(".bin", ".expected.tsv"))]
    assert [DECODE[form](data[at:at + 32]) for at in range(0, len(data), 32)] == expected
    assert read(form, data) == expected
    assert len(expected) == 1000


def test_sample_of_games():
    data = sample("own.vf")
    expected = [Row(fen, move, int(score), int(result)) for fen, move, score, _, result, _ in
                expected_rows("own.vf.expected.tsv")]
    assert read("viriformat", data) == expected and len(expected) == 1558
    assert [row.tuple()[:4] for row in decode_games(data)] == [row.tuple()[:4] for row in expected]
    plies = rows_of_tsv(well("convert", "--from", "viriformat", "--to", "plain", stdin=data) and well(
        "filter", "--from", "plain", "--to", "tsv",
        stdin=well("convert", "--from", "viriformat", "--to", "plain", stdin=data)))
    assert [row.ply for row in plies] == [int(line[3]) for line in expected_rows("own.vf.expected.tsv")]


def test_sample_of_plain_text():
    expected = []
    for fen, move, score, ply, result in expected_rows("own.binpack.expected.tsv"):
        sign = 1 if fen.split()[1] == "w" else -1
        expected.append(Row(fen, move, sign * int(score), sign * int(result) + 1, int(ply)))
    assert decode_plain(sample("own.plain").decode()) == expected
    assert read("plain", sample("own.plain")) == expected


def test_text_of_bulletformat_is_scored():
    assert well("convert", "--from", "scored", "--to", "marlinformat", stdin=sample("own-bullet.txt")) == \
        sample("own-marlin.bin")


# ---- Good files -----------------------------------------------------------------------------------------------------


def test_worked_records():
    """The bytes of docs/formats.md."""
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    marlin = bytes.fromhex("ffff00000000ffff 16422561 00000000 88888888 9ecaade9 40 00 0100 0000 01 00")
    bullet = bytes.fromhex("ffff00000000ffff 13422531 00000000 88888888 9bcaadb9 0000 01 04 04 000000")
    scored = (start + " | 0 | 0.5\n").encode()
    assert well("convert", "--from", "scored", "--to", "marlinformat", stdin=scored) == marlin
    assert well("convert", "--from", "scored", "--to", "bulletformat", "--lose", "all", stdin=scored) == bullet
    assert well("convert", "--from", "marlin", "--to", "scored", stdin=marlin) == scored
    pair = "0c07 0000"  # e2e4
    game = marlin + bytes.fromhex(pair + "00000000")
    assert read("viri", game) == [Row(start, "e2e4", 0, 1)]
    for fen, uci, word in [("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0x81c4),
                           ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 0xfe30),
                           ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0x4ae4)]:
        row = Row(fen, uci, -7, 2)
        data = encode_marlin(row, score=0) + struct.pack("<Hh", word, -7) + bytes(4)
        assert read("viri", data) == [row] and encode_games([row]) == data


@pytest.mark.parametrize("form", ["marlinformat", "bulletformat"])
def test_records_both_ways(form, rows, tmp_path):
    encode = {"marlinformat": encode_marlin, "bulletformat": encode_bullet}[form]
    some = [row for row in rows if form == "marlinformat" or row.score != -32768]
    data = b"".join(encode(row) for row in some)
    expected = [Row(row.fen, None, row.score, row.result) for row in some]
    if form == "bulletformat":
        expected = [seen_by_mover(row) for row in some]
    assert read(form, data) == expected
    text = "fen\tscore\tresult\n" + "".join(f"{row.fen}\t{row.score}\t{row.result / 2}\n" for row in some)
    assert well("convert", "--from", "tsv", "--to", form, "--lose", "all", stdin=text) == data
    # what is kept is copied, and by the ending of the name
    path = tmp_path / ("a" + ENDING[form] + ".gz")
    path.write_bytes(compress(data, ".gz"))
    assert well("filter", path) == data
    assert well("filter", path, "--keep", "score=1") == b"".join(
        data[32 * i:32 * i + 32] for i, row in enumerate(expected) if row.score == 1)


def test_games_both_ways(rows):
    some = [row for row in rows if row.move]
    data = encode_games(some)
    assert [row.tuple()[:4] for row in read("viriformat", data)] == [row.tuple()[:4] for row in some]
    assert well("filter", "--from", "viriformat", stdin=data) == data

STARTS = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/P1p2p1P/8/1p4P1/1P1p4/8/p1P2P1p/R3K2R w KQkq - 0 1",
          "rk5r/1pppppp1/8/P6P/p6p/8/1PPPPPP1/RK5R w HAha - 0 1", "1r2k1r1/p6p/8/2pPp3/2PpP1P1/8/P6P/1R2K1R1 b GBgb - 3 40",
          "qrkr4/pppp4/8/8/8/8/PPPP4/QRKR4 w DBdb - 0 1"]


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
    data = encode_games(rows)
    assert len(game_places(data)) == len(STARTS * 2)
    assert rows_of_tsv(well("convert", "--from", "plain", "--to", "tsv", stdin=well(
        "convert", "--from", "viri", "--to", "plain", stdin=data))) == rows
    assert well("convert", "--from", "plain", "--to", "viri", stdin=encode_plain(rows)) == data
    assert [row.tuple()[:4] for row in decode_games(data)] == [row.tuple()[:4] for row in rows]
    records = well("convert", "--from", "viri", "--to", "marlin", "--lose", "move", stdin=data)
    assert records == b"".join(map(encode_marlin, rows))


@pytest.mark.parametrize("clock, number, result, games", [(1, 1, 2, 1), (0, 1, 2, 2), (1, 2, 2, 2), (1, 1, 1, 2)])
def test_what_belongs_to_one_game(clock, number, result, games):
    """The position, its clock, the number of the move and the result have to go on."""
    some = [Row("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 5, 2), Row(f"4k3/8/8/8/8/8/8/5RK1 b - - {clock} {number}", "e8e7", 6, result)]
    table = "fen\tmove\tscore\tresult\n" + "".join(f"{r.fen}\t{r.move}\t{r.score}\t{r.result / 2}\n" for r in some)
    data = well("convert", "--from", "tsv", "--to", "viriformat", stdin=table)
    assert data == encode_games(some) and len(game_places(data)) == games
    assert [row.tuple()[:4] for row in read("viriformat", data)] == [row.tuple()[:4] for row in some]


def test_plain_both_ways(rows):
    some = [row for row in rows if row.move and row.ply is not None]
    text = encode_plain(some)
    assert read("plain", text) == some == decode_plain(text)
    assert well("filter", "--from", "plain", stdin=text) == text.encode()
    table = "fen\tmove\tscore\tresult\tply\n" + "".join(
        f"{row.fen}\t{row.move}\t{row.score}\t{row.result / 2}\t{row.ply}\n" for row in some)
    assert well("convert", "--from", "tsv", "--to", "plain", stdin=table).decode() == text


def test_plain_in_other_orders():
    text = "ply 3\r\nscore -5\r\nnote  what\r\nfen 4k3/8/8/8/8/8/8/4K2R b - - 0 2\r\ne\r\n\nfen 4k3/8/8/8/8/8/8/4K2R w K - 0 2\ne\n"
    assert read("plain", text, "--lose", "lines") == [Row("4k3/8/8/8/8/8/8/4K2R b - - 0 2", None, 5, None, 3),
                                                      Row("4k3/8/8/8/8/8/8/4K2R w K - 0 2", None, None, None, None)]
    assert well("filter", "--from", "plain", "--keep", "ply=3", stdin=text).decode().replace("\r", "") == \
        text[:text.index("\n\n")].replace("\r", "") + "\n"
    result = run("filter", "--quiet", "--from", "plain", "--to", "viri", "--lose", "lines", stdin=text)
    assert result.returncode == 1 and b"the record has no move and result, which viriformat needs" in result.stderr


@pytest.mark.parametrize("form", sorted(SAMPLE))
def test_blocks_and_threads(form, tmp_path):
    """More bytes than a block holds, by 1 and 3 threads, filtered by conditions that fall within games."""
    data = sample(SAMPLE[form]) * (160 if form == "viriformat" else 20)
    path = tmp_path / ("a" + ENDING[form])
    path.write_bytes(data)
    assert well("filter", path, "--threads", 3) == data
    wanted = [row for row in read(form, sample(SAMPLE[form])) if abs(row.score) <= 40]
    one = well("filter", path, "--threads", 1, "--keep", "abs-score=..40")
    assert well("filter", path, "--threads", 3, "--keep", "abs-score=..40") == one
    assert [row.tuple()[:4] for row in read(form, one)] == [row.tuple()[:4] for row in wanted] * (len(data) // len(
        sample(SAMPLE[form])))
    assert int(well("filter", path, "--count", "--keep", "abs-score=..40")) == len(wanted) * (len(data) // len(
        sample(SAMPLE[form])))


def test_filtered_games_are_games_again():
    rows = [row for row in decode_games(sample("own.vf"))]
    kept = [row for row in rows if row.score > 0]
    assert well("filter", "--from", "viri", "--keep", "score=1..", stdin=sample("own.vf")) == encode_games(kept)
    assert 0 < len(kept) < len(rows)


# ---- Damaged files --------------------------------------------------------------------------------------------------


def fails(form, data, *arguments):
    result = run("filter", "--quiet", "--from", form, "--to", "tsv", "--lose", "unused-bits", *arguments, stdin=data)
    assert result.returncode == 1, (result.returncode, result.stderr)
    return rows_of_tsv(result.stdout), result


def with_bytes(data, at, new):
    return data[:at] + bytes(new) + data[at + len(new):]

START = encode_marlin(Row("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, 5, 1))
MARLIN_FAULTS = [
    (with_bytes(START, 2, [1]), "the board has 33 occupied squares, expected at most 32"),
    (with_bytes(START, 0, [0xff] * 8), "the board has 64 occupied squares, expected at most 32"),
    (with_bytes(START, 8, [0x17]), "the piece on a1 has the code 7, expected at most 6"),
    (with_bytes(START, 23, [0xf9]), "the piece on h8 has the code 7, expected at most 6"),
    (with_bytes(START, 10, [0x21]), "white has 0 kings, expected exactly 1"),
    (with_bytes(START, 8, bytes(16)), "white has 0 kings"),
    (with_bytes(START, 8, [0x06]), "white pawn on b1"),
    (with_bytes(START, 8, [0x66]), "white may castle with two rooks queenside, expected one at most"),
    (with_bytes(START, 11, [0x31, 0x06]), "white may castle kingside with a rook on a2"),
    (with_bytes(START, 24, [0x41]), "the en passant square is 65"),
    (with_bytes(START, 24, [0x10]), "en passant square a3 with white to move"),
    (with_bytes(START, 24, [0x28]), "no black pawn can just have passed over it"),
    (with_bytes(START, 30, [3]), "the result is 3, expected 0 (black wins), 1 (draw) or 2 (white wins)"),
    (encode_marlin(Row("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", None, 0, 1)), "check"),
    (bytes(32), "white has 0 kings"),
]


@pytest.mark.parametrize("bad, text", MARLIN_FAULTS)
def test_bad_records(bad, text):
    rows, result = fails("marlinformat", START + bad + START)
    assert [row.fen for row in rows] == [decode_marlin(START).fen] * 2
    assert [(number, byte) for number, byte, _ in complaints(result)] == [(2, 32)]
    assert text in complaints(result)[0][2]
    with pytest.raises(Bad):
        decode_marlin(bad)
    strict = run("filter", "--quiet", "--strict", "--from", "marlin", stdin=START + bad + START)
    assert strict.returncode == 1 and strict.stdout == START

BULLET = encode_bullet(Row("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, 5, 1))


@pytest.mark.parametrize("at, new, text", [
    (8, [0x16], "the piece on a1 has the code 6, expected at most 5"), (26, [3], "the result is 3, expected 0 (loss)"),
    (27, [5], "the squares of the kings are 5 and 4, but the pieces say 4 and 4"), (28, [60], "are 4 and 60"),
    (2, [1], "33 occupied squares")])
def test_bad_bullet_records(at, new, text):
    bad = with_bytes(BULLET, at, new)
    with pytest.raises(Bad):
        decode_bullet(bad)
    rows, result = fails("bulletformat", BULLET + BULLET + bad)
    assert len(rows) == 2 and text in complaints(result)[0][2] and complaints(result)[0][:2] == (3, 64)


@pytest.mark.parametrize("form", ["marlinformat", "bulletformat"])
def test_records_cut_at_every_byte(form, tmp_path):
    data = sample(SAMPLE[form])[:96]
    paths = []
    for cut in range(len(data) + 1):
        paths.append(tmp_path / f"{cut:03}{ENDING[form]}")
        paths[-1].write_bytes(data[:cut])
    result = run("filter", "--quiet", *paths)
    assert result.stdout == b"".join(data[:cut - cut % 32] for cut in range(len(data) + 1))
    expected = [f"{path}: record {cut // 32 + 1} at byte {cut - cut % 32}: it has {cut % 32} byte"
                for cut, path in enumerate(paths) if cut % 32]
    lines = result.stderr.decode().splitlines()
    assert result.returncode == 1 and len(lines) == len(expected) == 93
    assert all(line.startswith(begin) for line, begin in zip(lines, expected))


@pytest.mark.parametrize("form", ["marlinformat", "bulletformat"])
def test_records_with_flipped_bits(form):
    """Each bit of a few records: what the plain decoder refuses is bad, and the rest is read as it reads it."""
    for start in (0, 7, 500):
        record = sample(SAMPLE[form])[32 * start:32 * start + 32]
        data, expected, bad = b"", [], []
        for bit in range(256):
            flipped = with_bytes(record, bit // 8, [record[bit // 8] ^ 1 << bit % 8])
            try:
                expected.append(DECODE[form](flipped))
            except Bad:
                bad.append(len(data))
            data += flipped
        rows, result = fails(form, data)
        assert [byte for _, byte, _ in complaints(result)] == bad[:50] and len(bad) > 50
        assert f"{len(bad)} complaints, {len(bad) - 50} of them" in result.stderr.decode()
        assert rows == expected and len(expected) > 30


def test_random_bytes_as_records():
    data = random.Random(3).randbytes(32 * 2000)
    for form in DECODE:
        rows, result = fails(form, data)
        bad = int(re.search(rb"(\d+) complaints, ", result.stderr)[1])
        assert len(rows) + bad == 2000 and result.stderr.count(b"\n") == len(complaints(result)) + 1 == 51


def test_games_cut_at_every_byte(tmp_path):
    data = sample("own.vf")
    games = [data[a:b] for a, b in sorted(game_places(data), key=lambda place: place[1] - place[0])[:2]]
    data, rows = games[0] + games[1], [decode_games(game) for game in games]
    ends = [len(games[0]), len(data)]
    for cut in range(len(data)):
        (tmp_path / f"{cut:04}.vf").write_bytes(data[:cut])
    result = run("filter", "--quiet", "--to", "tsv", "--lose", "unused-bits", *sorted(tmp_path.iterdir()))
    assert result.returncode == 1
    expected, places = [], []
    for cut in range(len(data)):
        first, rest = min(cut, ends[0]), max(cut - ends[0], 0)
        for k, length in ((0, first), (1, rest)):
            pairs = max(0, (length - 32) // 4)
            expected += rows[k][:pairs]
            if length in (0, len(games[k])):
                continue
            begin = k * ends[0]
            place = begin if length < 32 else begin + 32 + 4 * pairs
            places.append((f"{cut:04}.vf", place))
    assert [row.tuple()[:4] for row in rows_of_tsv(result.stdout)] == [row.tuple()[:4] for row in expected]
    found = re.findall(r"/(\d+\.vf): record \d+ at byte (\d+): .*cut off", result.stderr.decode())
    assert [(name, int(byte)) for name, byte in found] == places
    assert result.stderr.count(b"\n") == len(places)


def test_bad_moves_in_a_game():
    places = game_places(sample("own.vf"))
    games = [sample("own.vf")[a:b] for a, b in places[:3]]
    rows = [decode_games(game) for game in games]
    at = 32 + 4 * 5
    board = Board(rows[1][5].fen)
    legal = board.move(rows[1][5].move)
    king = board.king(board.white)
    for word, text in [(0x0000, "the move 0x0000 (a1a1)"), (legal[1] | legal[1] << 6, "the move"),
                       (encode_word(board, legal) | 0x4000, "is written as en passant"),
                       (encode_word(board, legal) | 0x8000, "is written as castling"),
                       (encode_word(board, legal) | 0x3000, "is written as a plain move"),
                       (king | (king ^ 36) << 6, "is not a legal move here")]:
        bad = with_bytes(games[1], at, struct.pack("<Hh", word, 17))
        read_rows, result = fails("viriformat", games[0] + bad + games[2])
        assert [row.tuple()[:4] for row in read_rows] == \
            [row.tuple()[:4] for row in rows[0] + rows[1][:5] + rows[2]], text
        assert [(number, byte) for number, byte, _ in complaints(result)] == [(len(rows[0]) + 6, len(games[0]) + at)]
        assert text in complaints(result)[0][2] and "the rest of the game was passed over" in complaints(result)[0][2]
        strict = run("filter", "--quiet", "--strict", "--from", "viri", "--to", "tsv", stdin=games[0] + bad + games[2])
        assert len(rows_of_tsv(strict.stdout)) == len(rows[0]) + 5


def encode_word(board, move):
    return struct.unpack("<H", encode_pair(board, move, 0)[:2])[0]


def test_bad_head_of_a_game():
    games = [sample("own.vf")[a:b] for a, b in game_places(sample("own.vf"))[:3]]
    bad = with_bytes(games[1], 30, [7])
    read_rows, result = fails("viriformat", games[0] + bad + games[2])
    assert [row.tuple()[:4] for row in read_rows] == [row.tuple()[:4] for row in decode_games(games[0] + games[2])]
    (_, byte, text), = complaints(result)
    assert byte == len(games[0]) and "the result is 7" in text and "the game was passed over" in text


def test_games_with_flipped_bits(tmp_path):
    """Nothing that is read before the flipped bit is any different; a good game behind it is read."""
    games = [sample("own.vf")[a:b] for a, b in game_places(sample("own.vf"))]
    small = sorted(games, key=len)[0]
    last = decode_games(games[0])[-1]
    chance = random.Random(5)
    for bit in chance.sample(range(8 * (len(small) - 4)), 150):
        (tmp_path / f"{bit:05}.vf").write_bytes(with_bytes(small, bit // 8, [small[bit // 8] ^ 1 << bit % 8]) + games[0])
    for path in sorted(tmp_path.iterdir())[:150:10]:
        result = run("filter", "--quiet", "--to", "tsv", "--lose", "unused-bits", path)
        assert result.returncode in (0, 1) and (result.returncode == 1) == bool(result.stderr)
        assert rows_of_tsv(result.stdout)[-1].tuple()[:4] == last.tuple()[:4]
    result = run("filter", "--quiet", "--to", "tsv", "--lose", "unused-bits", *sorted(tmp_path.iterdir()))
    rows = [row.tuple()[:4] for row in rows_of_tsv(result.stdout)]
    assert rows.count(last.tuple()[:4]) >= 150

PLAIN = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nmove e1g1\nscore 12\nply 4\nresult 1\ne\n"


@pytest.mark.parametrize("old, new, line, text", [
    ("fen 4k3", "fen 5k3", 7, "expected 8"), ("e1g1", "e1h8", 8, "'e1h8' is not a legal move"),
    ("score 12", "score 1.5", 9, "the score is '1.5'"), ("ply 4", "ply x", 10, "the ply is 'x'"),
    ("result 1", "result 2", 11, "the result is '2', expected 1, 0 or -1"), ("fen", "fin", 7, "the record has no fen"),
    ("ply 4", "fen 8/8", 10, "a second line of this kind"), ("score 12", "score -2147483648", 9, "expected at least")])
def test_bad_plain_text(old, new, line, text):
    bad = PLAIN.replace(old, new)
    result = run("filter", "--quiet", "--from", "plain", stdin=PLAIN + bad + PLAIN)
    assert result.returncode == 1 and result.stdout.decode() == PLAIN * 2
    assert re.match(rf"-:{line}: ", result.stderr.decode()) and text in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
    assert run("filter", "--quiet", "--strict", "--from", "plain", stdin=PLAIN + bad + PLAIN).stdout.decode() == PLAIN


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
    says(1, run("filter", "--quiet", "--from", "viri", stdin=b"\x01" * (17 << 20)), "a game or chunk of more than 16 MiB")


# ---- Names and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.bin", "a.data", "a.bin.zst"])
def test_ambiguous_endings(name):
    says(2, run("filter", name),
         "files with this ending are marlinformat, bulletformat, viriformat and others, expected --from")


@pytest.mark.parametrize("form, condition", [("marlinformat", "capture"), ("bulletformat", "ply=3.."), ("bulletformat", "tactical")])
def test_conditions_that_a_format_cannot_answer(form, condition):
    says(2, run("filter", "--from", form, "--keep", condition, stdin=sample(SAMPLE[form])), f"the format {form} has no")


@pytest.mark.parametrize("fen, score, text", [
    ("4k3/8/8/8/8/8/8/4K3 w - - 256 1", 0, "the halfmove clock does not fit, expected at most 255"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 32768, "the score does not fit, expected one from -32768 to 32767"),
    ("4k3/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/4K3 w - - 0 1", 0, "the board has more than 32 pieces")])
@pytest.mark.parametrize("form", ["marlinformat", "viriformat", "bulletformat"])
def test_what_does_not_fit(fen, score, text, form):
    if "clock" in text and form == "bulletformat":
        return
    table = f"fen\tmove\tscore\tresult\n{fen}\te1e2\t{score}\t0.5\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\te1d1\t5\t1.0\n"
    result = run("convert", "--quiet", "--from", "tsv", "--to", form, "--lose", "all", stdin=table)
    assert result.returncode == 1 and result.stderr.startswith(b"-:2: ") and text.encode() in result.stderr
    assert len(result.stdout) == (40 if form == "viriformat" else 32)


def test_turned_score_that_does_not_fit():
    """-32768 of White is 32768 of Black."""
    text = "4k3/8/8/8/8/8/8/4K3 {} - - 0 1 | -32768 | 0.0\n"
    result = run("convert", "--quiet", "--from", "scored", "--to", "bullet", "--lose", "all",
                 stdin=text.format("w") + text.format("b"))
    assert result.returncode == 1 and b"-:2: the score does not fit" in result.stderr and len(result.stdout) == 32
