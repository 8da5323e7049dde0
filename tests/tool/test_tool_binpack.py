"""Stockfish's binpack against a plain reader and writer in Python, on sample files, random games, and damage of every kind."""
import os
import random
import re
import struct

import pytest

import binpack_support as binpack
from binpack_support import Row
from chess_support import START, Board, odd, result_for
from pipeline_support import DATA, RESULTS, run, well

OWN = os.path.join(DATA, "formats", "own.binpack")
HEADER = "fen\tmove\tscore\tresult\tply\n"


def tool_row(row):
    """A row as the tool writes it into a TSV file: score and result from White's point of view."""
    fen, move, score, ply, result = row.text().split("\t")
    sign = 1 if row.board.white else -1
    return "\t".join([fen, move, str(sign * int(score)), RESULTS[sign * int(result) + 1], ply]) + "\n"


def tool_table(rows):
    return (HEADER + "".join(map(tool_row, rows))).encode()


def as_csv(rows):
    return "".join(["fen,move,score,result,ply\n"] + [tool_row(row).replace("\t", ",") for row in rows])


def read_by_tool(path, *options):
    return well("filter", path, "--to", "tsv", *options)


# ---- Games -----------------------------------------------------------------------------------------------------------

STARTS = [START,
          "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1",  # promotions, no other captures than by promoting
          "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R w KQkq - 0 1",  # castling, en passant
          "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R b Qk - 7 33",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 300 90",  # en passant that would uncover a check; the clock beyond 255
          "8/k7/8/8/8/8/8/K6Q w - - 0 1"]  # pieces that need no bits


def make_game(chance, fen, plies, scores):
    board, result, rows, score = Board(fen), chance.choice([0, 1, 2]), [], 0
    ply = 2 * (board.number - 1) + (not board.white)
    while len(rows) < plies:
        if board.ep is not None and not board.can_take_ep():
            board.ep = None
        move = board.random_move(chance, odd)
        if move is None:
            break
        score = scores(chance, score)
        rows.append(Row(board.copy(), move, score, ply, result_for(result, board.white)))
        board.play(move, "legal")
        ply += 1
    return rows


def small_steps(chance, last):
    return max(-32768, min(32767, -last + chance.randint(-30, 30)))


def leaps(chance, _):
    return chance.choice([-32768, 32767, 0, -1, 1, chance.randint(-32768, 32767)])


@pytest.fixture(scope="module")
def games():
    chance = random.Random(7)
    return [make_game(chance, fen, 45, scores) for fen in STARTS for scores in (small_steps, leaps)]


def test_the_games_have_what_is_odd(games):
    rows = [row for game in games for row in game]
    assert sum(row.board.castles(row.move) for row in rows) >= 4
    assert sum(row.board.is_ep(row.move) for row in rows) >= 4
    assert {row.move[2] for row in rows} == {None, "n", "b", "r", "q"}
    assert any(row.score == -32768 for row in rows) and any(row.score == 32767 for row in rows)
    assert any(row.board.clock > 255 for row in rows)


# ---- Well-formed files -----------------------------------------------------------------------------------------------


def test_sample(tmp_path):
    """A file of random games by Stockfish's own converter, and what that reads from it."""
    rows, bad, whole = binpack.read(open(OWN, "rb").read())
    assert (bad, whole) == (0, True)
    assert [row.text() for row in rows] == open(OWN + ".expected.tsv").read().splitlines()
    assert read_by_tool(OWN) == tool_table(rows)
    for threads in (1, 4):
        assert read_by_tool(OWN, "--threads", threads) == tool_table(rows)
    assert well("filter", OWN) == open(OWN, "rb").read()  # written again: the same bytes


def test_games_read(games, tmp_path):
    path = tmp_path / "a.binpack"
    path.write_bytes(b"".join(map(binpack.write, games)))
    assert read_by_tool(path) == tool_table([row for game in games for row in game])


def test_games_written(games, tmp_path):
    path, rows = tmp_path / "a.csv", [row for game in games for row in game]
    path.write_text(as_csv(rows))
    data = well("filter", path, "--to", "binpack")
    assert data == binpack.write(rows)
    # a chain ends where a position is left out, the result or the ply is another, or the clock does not go on
    chance = random.Random(3)
    rows = [row for row in rows if chance.random() < 0.8]
    for row in chance.sample(rows, len(rows) // 5):
        change = chance.choice(["result", "ply", "clock"])
        if change == "result":
            row.result = -row.result or 1
        elif change == "ply":
            row.ply += 2
            row.board.number += 1
        else:
            row.board.clock += 1
    path.write_text(as_csv(rows))
    data = well("filter", path, "--to", "binpack")
    assert data == binpack.write(rows)
    assert [row.text() for row in binpack.read(data)[0]] == [row.text() for row in rows]
    assert 20 < len(binpack.chains(rows)) < len(rows)


@pytest.mark.parametrize("fen, moves, kept", [
    ("4k3/4p3/8/5P2/3K4/8/8/8 b - - 0 1", ["e7e5", "f5e6", "e8e7"], True),  # the pawn that is taken gives check
    ("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1", ["c7c5", "b5b6", "e8e7"], False),  # taking it would uncover the rook
    ("4k3/2p5/8/KP1P3r/8/8/8/8 b - - 0 1", ["c7c5", "b5c6", "e8e7"], True),  # but not with another pawn on the rank
    ("2b1k3/3p4/8/4P3/5P1K/8/8/8 b - - 0 1", ["d7d5", "h4g5", "e8e7"], True),
    ("2b1k3/3p4/8/4P3/6K1/8/8/8 b - - 0 1", ["d7d5", "g4g5", "e8e7"], False)])  # check by the bishop behind the pawn
def test_en_passant_squares(fen, moves, kept, tmp_path):
    board, rows = Board(fen), []
    for text in moves:
        move, ply = board.move(text), 2 * (board.number - 1) + (not board.white)
        rows.append(Row(board.copy(), move, 5, ply, 0))
        assert board.is_legal(move)
        board.play(move, "legal")
    assert (rows[1].board.ep is not None) == kept
    path, table = tmp_path / "a.binpack", tmp_path / "a.csv"
    path.write_bytes(binpack.write(rows))
    table.write_text(as_csv(rows))
    assert read_by_tool(path) == tool_table(rows)
    assert well("filter", table, "--to", "binpack") == path.read_bytes()
    # as FEN has it, with the square after every double step: the same chain, if that square may be lost
    rows[1].board.ep = (rows[0].move[0] + rows[0].move[1]) // 2
    table.write_text(as_csv(rows))
    assert well("filter", table, "--to", "binpack", "--lose", "en-passant") == path.read_bytes()
    assert run("filter", table, "--to", "binpack").returncode == (0 if kept else 2)


def knights(plies):
    """A game in which knights go out and home again; (rows, movetext) of any length, quickly."""
    board, period, score = Board(START), [], 0
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        period.append((board.copy(), board.move(text)))
        board.play(period[-1][1], "legal")
    rows = []
    for ply in range(plies):
        board, move = period[ply % 4]
        board = board.copy()
        board.clock = ply
        score = (score * 7 + 11) % 4000 - 2000
        rows.append(Row(board, move, score, ply, 0))
    return rows


def test_the_longest_chain(tmp_path):
    """65,535 positions behind the stem: more than a batch, and more plies than a stem can tell."""
    rows = knights(65536)
    path = tmp_path / "a.binpack"
    first = knights(5)
    known = {}
    bits = []
    for last, row in zip(rows, rows[1:]):
        key = row.ply % 4, (last.score + row.score + 32768) % 65536
        if key not in known:
            known[key] = binpack.ply_bits(row, last.score)
        bits.append(known[key])
    bits = "".join(bits)
    bits += "0" * (-len(bits) % 8)
    movetext = int(bits, 2).to_bytes(len(bits) // 8, "big")
    path.write_bytes(binpack.chunk(binpack.stem(rows[0], 65535) + movetext + binpack.chain(first)))
    table = read_by_tool(path).decode().splitlines(keepends=True)
    assert len(table) == 1 + 65536 + 5
    assert table[-5:] == [tool_row(row) for row in first]
    for i in [*range(600), *range(16380, 16390), 65534, 65535]:
        assert table[1 + i] == tool_row(rows[i]), i
    # written: chains end before their movetext is longer than the original has room for, while a stem can tell the ply
    again = tmp_path / "b.binpack"
    again.write_bytes(well("filter", path))
    assert read_by_tool(again).decode().splitlines(keepends=True) == table
    lengths = [len(c) for c in again.read_bytes().split(binpack.stem(rows[0])[:24])[1:]]
    assert max(lengths[:2]) < 10100 and len(lengths) == 4


def test_more_plies_than_a_chain_holds(tmp_path):
    """A viriformat game of 82,000 plies. What would have to begin a chain behind ply 16,383 is refused; the rest is well."""
    start = bytes.fromhex("ffff00000000ffff" "164225610000000088888888" "9ecaade9" "4000010000000100")
    moves = b"".join(struct.pack("<Hh", a | b << 6, 7) for a, b in ((6, 21), (62, 45), (21, 6), (45, 62)))
    path, n = tmp_path / "a.vf", 82000
    path.write_bytes(start + n // 4 * moves + bytes(4))
    result = run("filter", path, "--to", "binpack", "--quiet")
    told = result.stderr.count(b"the ply is above 16383")
    assert result.returncode == 1 and told == 50 == result.stderr.count(b"\n") - 1
    refused = int(re.search(rb"(\d+) complaints, ", result.stderr)[1])
    rows = run("filter", path, "--to", "fen", "--lose", "score,result").stdout.splitlines(keepends=True)
    back = run("filter", "--from", "binpack", "--to", "fen", "--lose", "score,result", stdin=result.stdout).stdout
    same = back == b"".join(rows[:n - refused])
    assert same and len(rows) == n and 65536 < n - refused <= 65536 + 16384


def test_moves_that_a_stem_does_not_have(tmp_path):
    row = make_game(random.Random(1), START, 1, small_steps)[0]
    row.move = None
    path = tmp_path / "a.binpack"
    path.write_bytes(binpack.chunk(binpack.stem(row) + binpack.stem(row)))
    assert read_by_tool(path) == (HEADER + 2 * tool_row(row)).encode()
    assert well("filter", path) == path.read_bytes()
    result = run("filter", "--from", "tsv", "--to", "binpack", "-", "--quiet", stdin=read_by_tool(path))
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr.decode().count("the record has no move, which binpack needs") == 2


def test_large_chunks(tmp_path):
    """A chunk of more than a mebibyte, as the original writes them, and empty ones: blocks end between them."""
    data = open(OWN, "rb").read()
    rows, _, _ = binpack.read(data)
    one = binpack.stem(rows[7])  # which does not follow itself
    n = 32000
    path = tmp_path / "a.binpack"
    path.write_bytes(data + binpack.chunk(n * one) + 2 * binpack.chunk(b"") + data)
    table = tool_table(rows).decode()
    same = read_by_tool(path).decode() == table + n * tool_row(rows[7]) + table[len(HEADER):]
    assert same
    written = well("filter", path)
    lengths, at = [], 0
    while at < len(written):
        assert written[at:at + 4] == b"BINP"
        lengths.append(struct.unpack("<I", written[at + 4:at + 8])[0])
        at += 8 + lengths[-1]
    chains = sum(len(binpack.chain(c)) for c in binpack.chains(rows))
    assert 1 << 20 <= max(lengths) < (1 << 20) + 10500 and sum(lengths) == n * len(one) + 2 * chains
    assert len(lengths) == 3 + 2 + 3  # none for an empty chunk


# ---- What a binpack cannot hold --------------------------------------------------------------------------------------


def test_refused():
    many = "rnbqkbnr/pppppppp/nnnnnnnn/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    rows = [(START, "e2e4", 32767, "1.0", 16382, None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "e2e4", 0, "1.0", 0, None),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e7e5", -32767, "1.0", 16383, None),
            ("rnbqkrbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKRBN w KQkq - 0 1", "e2e4", 0, "1.0", 0, "Chess960"),
            (many, "e2e4", 0, "1.0", 0, "32 pieces"),
            (START, "e2e4", 32768, "1.0", 0, "-32768 to 32767"),
            (START, "e2e4", -32769, "1.0", 0, "-32768 to 32767"),
            (START, "e2e4", -2147483648, "1.0", 0, "-32768 to 32767"),
            (START.replace("w", "b"), "e7e5", 32768, "1.0", 1, None),
            (START.replace("w", "b"), "e7e5", -32768, "1.0", 1, "-32768 to 32767"),
            (START.replace("w", "b"), "e7e5", -2147483648, "1.0", 1, "-32768 to 32767"),
            (START, "e2e4", 0, "1.0", 16384, "16383"),
            (START, "", 0, "1.0", 0, "no move"),
            (START, "e2e4", "", "1.0", 0, "no score"),
            (START, "e2e4", 0, "", 0, "no result")]
    text = "fen,move,score,result,ply\n" + "".join(",".join(map(str, row[:5])) + "\n" for row in rows)
    result = run("filter", "--from", "csv", "--to", "binpack", "--lose", "number", "--quiet", "-", stdin=text)
    assert result.returncode == 1
    complaints = dict(re.findall(r"^-:(\d+): (.*)$", result.stderr.decode(), re.M))
    assert set(complaints) == {str(i + 2) for i, row in enumerate(rows) if row[5] is not None}
    for i, row in enumerate(rows):
        if row[5] is not None:
            assert row[5] in complaints[str(i + 2)], row
    read, bad, whole = binpack.read(result.stdout)
    assert (bad, whole) == (0, True)
    assert [(r.ply, r.score) for r in read] == [(16382, 32767), (0, 0), (16383, 32767), (1, -32768)]
    assert len(binpack.chains(read)) == 4  # the second continues neither the first nor, by its ply, the third


# ---- Damage ----------------------------------------------------------------------------------------------------------


def damaged(data, path):
    """What the tool makes of bytes."""
    path.write_bytes(data)
    result = run("filter", path, "--to", "tsv")
    assert result.returncode in (0, 1), result
    return result


def expect(data, tmp_path, complaint=None):
    """The tool reads what the plain reader does, and says something exactly where that finds something wrong."""
    rows, bad, whole = binpack.read(data)
    result = damaged(data, tmp_path / "x.binpack")
    assert (result.stdout or HEADER.encode()) == tool_table(rows)
    assert result.returncode == (0 if bad == 0 and whole else 1)
    stderr = result.stderr.decode()
    assert f"{len(rows)} positions read" in stderr or len(rows) == 1 and "1 position" in stderr
    assert f" {bad} bad record" in stderr
    if complaint is not None:
        assert complaint in stderr, stderr
    return rows


@pytest.fixture(scope="module")
def small():
    """Two chunks of short chains."""
    chance = random.Random(11)
    games = [make_game(chance, fen, n, leaps) for fen, n in ((STARTS[2], 6), (START, 1), (STARTS[1], 4))]
    return binpack.chunk(binpack.chain(games[0]) + binpack.chain(games[1])) + binpack.chunk(binpack.chain(games[2]))


def compare_all(files, tmp_path):
    """Many files in one run, each of which has to give what the plain reader reads."""
    paths, expected, wrong = [], [], {}
    for i, data in enumerate(files):
        paths.append(tmp_path / f"{i}.binpack")
        paths[-1].write_bytes(data)
        rows, bad, whole = binpack.read(data)
        expected += rows
        wrong[str(paths[-1])] = bad + (not whole)
    result = run("filter", *paths, "--to", "tsv", "--threads", 2)
    assert result.stdout == tool_table(expected)
    said = {path: 0 for path in wrong}
    for line in result.stderr.decode().splitlines()[:-1]:
        said[line.split(".binpack:")[0] + ".binpack"] += 1
    assert said == wrong
    assert result.returncode == (1 if any(wrong.values()) else 0)
    return wrong


def test_cut_at_every_byte(small, tmp_path):
    wrong = compare_all([small[:cut] for cut in range(len(small) + 1)], tmp_path)
    assert list(wrong.values()).count(0) == 3  # at both ends, and between the chunks


def test_bits_turned(small, tmp_path):
    files = []
    for bit in range(0, 8 * len(small), 3):
        data = bytearray(small)
        data[bit // 8] ^= 1 << bit % 8
        files.append(bytes(data))
    wrong = compare_all(files, tmp_path)
    assert sum(1 for n in wrong.values() if n > 0) > len(files) // 3


def test_random_bytes(small, tmp_path):
    chance = random.Random(2)
    files = [chance.randbytes(chance.randint(1, 200)) for _ in range(40)]
    files += [binpack.chunk(chance.randbytes(chance.randint(0, 300))) for _ in range(60)]
    for _ in range(200):
        data = bytearray(small)
        for _ in range(chance.randint(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        files.append(bytes(data))
    compare_all(files, tmp_path)


def test_lengths_that_lie(small, tmp_path):
    length, = struct.unpack("<I", small[4:8])
    for lie in (0, 1, 33, 34, length - 34, length - 1, length + 1, length + 8, length + 100, len(small) - 8, len(small),
                100 << 20):
        expect(small[:4] + struct.pack("<I", lie) + small[8:], tmp_path)
    for lie in ((100 << 20) + 1, 0xffffffff):
        rows = expect(small[:4] + struct.pack("<I", lie) + small[8:], tmp_path,
                      f"byte 0: a chunk of {lie} bytes begins here, expected at most 104857600")
        assert len(rows) == 4  # those of the second chunk
    expect(small + small[:4] + struct.pack("<I", 1 << 24) + small[8:length], tmp_path,
           f"byte {len(small) + length}: the file ends after {length - 8} of the 16777216 bytes of a chunk")


def test_wrong_magic(small, tmp_path):
    length, = struct.unpack("<I", small[4:8])
    assert len(expect(b"PNIB" + small[4:], tmp_path, "byte 0: here 'PNIB' stands, expected 'BINP'")) == 4
    second = 8 + length
    rows = expect(small[:second] + b"BINQ" + small[second + 4:], tmp_path,
                  f"at byte {second}: here 'BINQ' stands, expected 'BINP', the beginning of a chunk; "
                  f"{len(small) - second} bytes are passed over")
    assert len(rows) == 7
    expect(b"fen,move\n" + START.encode(), tmp_path, "byte 0: here 'fen,' stands")


def test_bytes_behind_chains(small, tmp_path):
    row = make_game(random.Random(4), START, 1, small_steps)[0]
    one = binpack.stem(row)
    assert len(expect(binpack.chunk(one + bytes(33)) + binpack.chunk(one), tmp_path)) == 2  # zeros say nothing
    expect(binpack.chunk(one + bytes(32) + b"\1"), tmp_path,
           "record 2 at byte 42: the last 33 bytes of the chunk are too few for a chain of at least 34")


def test_what_is_wrong_is_said(tmp_path):
    """A complaint for each kind of damage, with its place."""
    game = make_game(random.Random(9), START, 20, small_steps)
    one, whole = binpack.stem(game[0]), binpack.chain(game)

    def with_bytes(at, new, data=one):
        return data[:at] + bytes(new) + data[at + len(new):]

    cases = [
        (with_bytes(24, struct.pack(">H", 12 << 8 | 36 << 2)), "the move e2e5 is not legal in 'rnbqkbnr/"),
        (with_bytes(24, struct.pack(">H", 2 << 14 | 4 << 8 | 7 << 2)), "the move e1g1 as castling is not legal"),
        (with_bytes(24, struct.pack(">H", 3 << 14 | 12 << 8 | 28 << 2)), "the move e2e4 en passant is not legal"),
        (with_bytes(24, struct.pack(">H", 1 << 14 | 12 << 8 | 28 << 2)), "the move e2e4n with a promotion is not legal"),
        (with_bytes(28, [0xc0, 0]), "the result is coded as 3, expected 0"),
        (with_bytes(8, [0x2d, 0x84, 0xda]), "a white rook with a right to castle stands on f1, expected it in its corner"),
        (with_bytes(12, [0xc0]), "the pawn to be captured en passant stands on b2, expected rank 4 or 5"),
        (with_bytes(8, [0x2d, 0x84, 0x40]), "white has 0 kings"),
        (with_bytes(0, [255] * 8), "the position has 64 pieces, expected at most 32"),
    ]
    for stem, complaint in cases:
        rows = expect(binpack.chunk(one + stem + one), tmp_path, f"x.binpack: record 2 at byte 42: {complaint}")
        assert len(rows) == 2  # what stands behind it is read
        followed = stem[:32] + b"\0\1" + b"\0\0"
        data = binpack.chunk(one + followed + one) + binpack.chunk(one)
        rows = expect(data, tmp_path, "; so the end of its chain cannot be found, and the rest of the chunk, 70 bytes, is "
                      "passed over")
        assert len(rows) == 2  # the one before it, and the next chunk


def test_movetext_that_says_what_is_not_there(tmp_path):
    """Three pieces have numbers of two bits, and five destinations numbers of three: some numbers are too many."""
    board = Board("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1")
    start = binpack.stem(Row(board, board.move("e1e2"), 10, 0, 1), 3)
    rest = "; so the end of its chain cannot be found, and the rest of the chunk, "

    def movetext(bits):
        return int(bits + "0" * (64 - len(bits)), 2).to_bytes(8, "big")

    king, pawn = "001" + "00000", "00" + "1" + "00000"  # e8e7 with score -10, a2a4 with score 10
    for bits, read, complaint in [
            (king + pawn + "100" + "00000", 4, None),
            ("101" + "00000", 1, "record 2 at byte 42: the movetext says destination 6 of 5 for the piece on e8" + rest + "8 bytes"),
            (king + "11" + "00000", 2, "record 3 at byte 43: the movetext says piece 4 of 3" + rest + "7 bytes"),
            (king + "00" + "1" + 4 * "11111", 2, "record 3 at byte 43: the score goes on behind 16 bits" + rest)]:
        assert len(expect(binpack.chunk(start + movetext(bits)), tmp_path, complaint)) == read
    # a king beside the other
    board = Board("8/8/8/8/8/3k4/8/K7 b - - 0 1")
    start = binpack.stem(Row(board, board.move("d3c2"), 10, 1, 1), 1)
    assert len(expect(binpack.chunk(start + movetext("01" + "00000")), tmp_path)) == 2
    for bits, move in ("00", "a1b1"), ("10", "a1b2"):
        complaint = f"record 2 at byte 42: the move {move} is not legal in '8/8/8/8/8/8/2k5/K7 w - - 1 2'" + rest
        assert len(expect(binpack.chunk(start + movetext(bits + "00000")), tmp_path, complaint)) == 1


def test_memory_does_not_follow_claims(tmp_path):
    """A chunk that claims 100 MiB, and a chain that claims 65,536 positions, cost what is there."""
    import resource
    one = binpack.stem(make_game(random.Random(9), START, 1, small_steps)[0])
    path = tmp_path / "x.binpack"
    path.write_bytes(binpack.chunk(one[:32] + b"\xff\xff", 100 << 20))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    run("filter", path, "--to", "tsv")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before < 64 << 10
