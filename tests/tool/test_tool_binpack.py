"""What is Stockfish's binpack's own: chains and their movetext, chunks, and damage that is found between them.

Held against the reader and the writer of binpack_support.py; test_tool_formats.py has what all formats share.
"""
import functools
import os
import random
import re
import resource
import struct
import subprocess

import pytest

import binpack_support as binpack
from chess_support import START, Board, Row, odd
from formats_support import encode_games, read_binpack, rows_of_tsv, sample, table
from pipeline_support import SANITIZED, TOOL, run, says, well

STARTS = [START,
          "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1",  # promotions, no other captures than by promoting
          "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R w KQkq - 0 1",  # castling, en passant
          "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R b Qk - 7 33",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 300 90",  # en passant that would uncover a check; the clock beyond 255
          "8/k7/8/8/8/8/8/K6Q w - - 0 1"]  # pieces that need no bits
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def small_steps(chance, last):
    return max(-32768, min(32767, -last + chance.randint(-30, 30)))


def leaps(chance, _):
    return chance.choice([-32768, 32767, 0, -1, 1, chance.randint(-32768, 32767)])


def make_game(chance, fen, plies, scores=leaps):
    board, result, rows, score = Board(fen), chance.choice([-1, 0, 1]), [], 0
    while len(rows) < plies:
        if board.ep is not None and not board.can_take_ep():
            board.ep = None
        move = board.random_move(chance, odd)
        if move is None:
            break
        score = scores(chance, score)
        ply = 2 * (board.number - 1) + (not board.white)
        rows.append(binpack.row_of(board, move, score, ply, result if board.white else -result))
        board.play(move, "legal")
    return rows


@functools.cache
def make_chunk(seed, n=4):
    chance = random.Random(seed)
    return binpack.chunk(b"".join(binpack.chain(make_game(chance, STARTS[i % len(STARTS)], 20)) for i in range(n)))


def one_stem():
    return binpack.stem(make_game(random.Random(9), START, 1)[0])


def with_bytes(data, at, new):
    return data[:at] + bytes(new) + data[at + len(new):]


def read(data, *options):
    """The rows that the tool reads from good data."""
    return rows_of_tsv(well("filter", "--from", "binpack", "--to", "tsv", *options, stdin=data))


def written(rows, *options):
    return well("filter", "--from", "tsv", "--to", "binpack", *options, stdin=table(rows))


# ---- Chains ----------------------------------------------------------------------------------------------------------


def test_games():
    chance = random.Random(7)
    rows = [row for fen in STARTS for scores in (small_steps, leaps) for row in make_game(chance, fen, 45, scores)]
    moves = [(board, board.move(row.move)) for row in rows for board in [Board(row.fen)]]
    assert sum(board.castles(move) for board, move in moves) >= 4 and sum(board.is_ep(move) for board,
                                                                          move in moves) >= 4
    assert {move[2] for _, move in moves} == {None, "n", "b", "r", "q"}
    assert {32767, -32768} <= {row.score for row in rows} and any(board.clock > 255 for board, _ in moves)
    rows.append(Row("4k3/8/R7/3pP3/8/8/8/4K3 w - d6 0 1", "a6d6", 1, 1,
                    0))  # a rook goes to the square: no pawn captures
    data = binpack.write(rows)
    assert read(data) == rows and written(rows) == data
    # a chain ends where a position is left out, the result or the ply is another, or the clock does not go on
    rows = [row for row in rows if chance.random() < 0.8]
    for row in chance.sample(rows, len(rows) // 5):
        change = chance.choice(["result", "ply", "clock"])
        *board, clock, number = row.fen.split()
        if change == "result":
            row.result = 2 - row.result if row.result != 1 else 2
        elif change == "ply":
            row.ply, number = row.ply + 2, int(number) + 1
        else:
            clock = int(clock) + 1
        row.fen = " ".join([*board, str(clock), str(number)])
    data = written(rows)
    assert data == binpack.write(rows) and read_binpack(data) == (rows, 0)
    assert 20 < len(binpack.chains(rows)) < len(rows)


@pytest.mark.parametrize("fen, moves, kept", [
    ("4k3/4p3/8/5P2/3K4/8/8/8 b - - 0 1", ["e7e5", "f5e6", "e8e7"], True),  # the pawn that is taken gives check
    ("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1", ["c7c5", "b5b6", "e8e7"], False),  # taking it would uncover the rook
    ("4k3/2p5/8/KP1P3r/8/8/8/8 b - - 0 1", ["c7c5", "b5c6", "e8e7"], True),  # but not with another pawn on the rank
    ("2b1k3/3p4/8/4P3/5P1K/8/8/8 b - - 0 1", ["d7d5", "h4g5", "e8e7"], True),
    ("2b1k3/3p4/8/4P3/6K1/8/8/8 b - - 0 1", ["d7d5", "g4g5", "e8e7"], False),  # check by the bishop behind the pawn
    ("4k3/3p4/R7/4P3/8/8/8/4K3 b - - 0 1", ["d7d5", "a6d6"], True),  # a rook goes to the square: no pawn captures
])
def test_en_passant_squares(fen, moves, kept):
    board, rows = Board(fen), []
    for i, uci in enumerate(moves):
        rows.append(binpack.row_of(board, board.move(uci), 5, i + 1, 0))
        board.play(board.move(uci), "legal")
    assert (rows[1].fen.split()[3] != "-") == kept
    data = binpack.write(rows)
    assert read(data) == rows and written(rows) == data and len(binpack.chains(rows)) == 1
    # as FEN has it, with the square after every double step: the same chain, because that square says nothing
    board, one, other, _, *counters = rows[1].fen.split()
    rows[1].fen = " ".join([board, one, other, moves[0][0] + "6", *counters])
    assert written(rows) == data


def knights(plies):
    """A game in which knights go out and home again, of any length, quickly."""
    board, period, rows, score = Board(START), [], [], 0
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
        period.append((" ".join(board.fen().split()[:4]), uci))
        board.play(board.move(uci), "legal")
    for ply in range(plies):
        score = (score * 7 + 11) % 4000 - 2000
        fen, uci = period[ply % 4]
        rows.append(Row(f"{fen} {ply} {ply // 2 + 1}", uci, score if ply % 2 == 0 else -score, 1, ply))
    return rows


def test_the_longest_chain():
    """65,535 positions behind the stem: more than a batch, and more plies than a stem can tell."""
    rows, first, known, bits = knights(65536), knights(5), {}, []
    for last, row in zip(rows, rows[1:]):
        key = row.ply % 4, (row.score - last.score) % 65536
        if key not in known:
            known[key] = binpack.ply_bits(row, last)
        bits.append(known[key])
    data = binpack.chunk(binpack.stem(rows[0], 65535) + binpack.movetext("".join(bits)) + binpack.chain(first))
    found = read(data)
    assert len(found) == 65536 + 5 and found[-5:] == first
    assert all(found[i] == rows[i] for i in [*range(600), *range(16380, 16390), 65534, 65535])
    # written: chains end before their movetext is longer than the original has room for, while a stem can tell the ply
    again = well("filter", "--from", "binpack", stdin=data)
    same = read(again) == found
    lengths = [len(c) for c in again.split(binpack.stem(rows[0])[:24])[1:]]
    assert same and max(lengths[:2]) < 10100 and len(lengths) == 4


@pytest.mark.parametrize("plies", [508, 510, 512])
@pytest.mark.parametrize("before", [0, 1])
def test_an_illegal_move_where_a_batch_ends(plies, before):
    """A pinned knight moves, in the last of the 512 positions of a batch and about there."""
    board, rows, moves = Board("7k/4r3/8/8/8/8/4N3/R3K3 w - - 0 1"), [], ("a1a2", "h8g8", "a2a1", "g8h8")
    for ply in range(plies + 40):
        late = 2 if ply > plies and board.white else 0  # the rook's moves, as the knight took one of its turns
        move = board.move("e2c3" if ply == plies else moves[(ply + late) % 4])
        rows.append(binpack.row_of(board, move, 0, ply, 0))
        board.play(move, "legal")
    data = binpack.chunk(binpack.chain(knights(1)) * before + binpack.chain(rows))
    result = run("filter", "--from", "binpack", "--to", "tsv", stdin=data)
    assert result.returncode == 1 and b"the move e2c3 is not legal in '" in result.stderr
    assert rows_of_tsv(result.stdout) == knights(1) * before + rows[:plies]


def test_more_plies_than_a_chain_holds():
    """A viriformat game of 82,000 plies. What would have to begin a chain behind ply 16,383 is refused; the rest is well."""
    moves, n = [Row(START, "g1f3", 7, 1)], 82000
    head = encode_games(moves)[:32]
    pairs = b"".join(struct.pack("<Hh", a | b << 6, 7) for a, b in ((6, 21), (62, 45), (21, 6), (45, 62)))
    game = head + n // 4 * pairs + bytes(4)
    result = run("filter", "--from", "viri", "--to", "binpack", "--quiet", stdin=game)
    assert result.returncode == 1 and result.stderr.count(b"the ply is above 16383") == 1 == result.stderr.count(b"\n") - 1
    refused = 1 + int(re.search(rb"was repeated (\d+) times", result.stderr)[1])
    rows, back = (run("filter", "--from", form, "--to", "fen", "--lose", "score,result", stdin=data).stdout.splitlines()
                  for form, data in (("viri", game), ("binpack", result.stdout)))
    same = back == rows[:n - refused]
    assert same and len(rows) == n and 65536 < n - refused <= 65536 + 16384


def test_moves_that_a_stem_does_not_have():
    row = Row(START, None, 5, 1, 0)
    data = binpack.chunk(2 * binpack.stem(row))
    assert read(data) == [row, row] and well("filter", "--from", "binpack", stdin=data) == data
    result = run("filter", "--from", "tsv", "--to", "binpack", "--quiet", stdin=table([row, row]))
    assert (result.returncode, result.stdout) == (1, b"")
    says(1, result, "-:2: the record has no move, which binpack needs", "-: the error of line 2 was repeated 1 time, up to line 3")


def test_large_chunks():
    """A chunk of more than a mebibyte, as the original writes them, and empty ones: blocks end between them."""
    data, n = sample("binpack"), 32000
    rows, _ = read_binpack(data)
    one = binpack.stem(rows[7])  # which does not follow itself
    large = data + binpack.chunk(n * one) + 2 * binpack.chunk(b"") + data
    same = read(large) == rows + n * [rows[7]] + rows
    assert same
    written_again, lengths, at = well("filter", "--from", "binpack", stdin=large), [], 0
    while at < len(written_again):
        assert written_again[at:at + 4] == b"BINP"
        lengths.append(struct.unpack("<I", written_again[at + 4:at + 8])[0])
        at += 8 + lengths[-1]
    chains = sum(len(binpack.chain(c)) for c in binpack.chains(rows))
    assert 1 << 20 <= max(lengths) < (1 << 20) + 10500 and sum(lengths) == n * len(one) + 2 * chains
    assert len(lengths) == 3 + 2 + 3  # none for an empty chunk


# ---- Damage ----------------------------------------------------------------------------------------------------------


def expect(data, *errors):
    """The tool reads what the plain reader does, and says something exactly where that finds something wrong."""
    rows, bad, whole = binpack.read(data)
    result = run("filter", "--from", "binpack", "--to", "tsv", stdin=data)
    said = result.stderr.decode()
    assert rows_of_tsv(result.stdout) == rows and result.returncode == (bad > 0 or not whole)
    assert f"{len(rows)} position{'s' * (len(rows) != 1)} read" in said and f" {bad} bad record" in said
    assert all(error in said for error in errors), said
    return len(rows)


SMALL = make_chunk(11, 2)
LENGTH, = struct.unpack("<I", SMALL[4:8])


def test_lengths_that_lie():
    two = SMALL + make_chunk(12, 1)
    n = len(binpack.read(make_chunk(12, 1))[0])
    for lie in (0, 1, 33, 34, LENGTH - 34, LENGTH - 1, LENGTH + 1, LENGTH + 8, LENGTH + 100, len(two) - 8, len(two),
                100 << 20):
        expect(with_bytes(two, 4, struct.pack("<I", lie)))
    for lie in ((100 << 20) + 1, 0xffffffff):
        assert expect(with_bytes(two, 4, struct.pack("<I", lie)),
                      f"byte 0: a chunk of {lie} bytes begins here, expected at most 104857600") == n
    expect(two + SMALL[:4] + struct.pack("<I", 1 << 24) + SMALL[8:LENGTH],
           f"byte {len(two) + LENGTH}: the file ends after {LENGTH - 8} of the 16777216 bytes of a chunk")


def test_what_is_no_chunk():
    second, n = len(SMALL), len(binpack.read(SMALL)[0])
    assert expect(b"PNIB" + SMALL[4:] + SMALL, "byte 0: found 'PNIB', expected 'BINP'") == n
    assert expect(SMALL + b"BINQ" + SMALL[4:],
                  f"at byte {second}: found 'BINQ', expected 'BINP', with which a chunk begins; "
                                               f"{second} bytes are skipped") == n
    expect(b"fen,move\n" + START.encode(), "byte 0: found 'fen,'")
    # wherever blocks end, and told of once for each MiB
    for rest in (b"x" * 600000, b"BINP\xff\xff\xff\xff" + b"x" * 600000, b"x" * (5 << 19)):
        result = run("convert", "--quiet", "--lose", "all", "--from", "binpack", "--to", "fen",
                     stdin=SMALL + rest + SMALL)
        passed = [int(n) for n in re.findall(rb"(\d+) bytes are skipped", result.stderr)]
        passed += sum(map(int, re.findall(rb"was repeated (\d+) time", result.stderr))) * [1 << 20]
        assert result.returncode == 1 and result.stdout.count(b"\n") == 2 * n
        assert sum(passed) == len(rest) and len(passed) == -(-len(rest) >> 20) == result.stderr.count(b"\n")
    for k in range(9):  # the head of a chunk is cut by a block of 256 KiB
        rubbish = b"x" * ((1 << 18) - k) + SMALL + bytes(1000)
        assert int(run("filter", "--count", "--from", "binpack", stdin=rubbish).stdout) == n, k


@pytest.mark.parametrize("threads", [1, 3])
def test_reading_goes_on_at_the_next_chunk(threads):
    parts = [make_chunk(seed, 40) for seed in range(5)]
    rows = [len(binpack.read(part)[0]) for part in parts] * 50
    parts *= 50
    assert len(b"".join(parts)) > 2 << 18  # more than a block

    def count(*pieces):
        result = run("filter", "--count", "--from", "binpack", "--threads", threads, stdin=b"".join(pieces))
        assert result.returncode == 1
        return int(result.stdout), result.stderr

    for rubbish in (b"x" * 11, b"BINP" * 100, b"BIN", os.urandom(700000).replace(b"BINP", b"")):
        n, said = count(*parts[:9], rubbish, *parts[9:])
        assert n == sum(rows) and b", %d bytes skipped" % len(rubbish) in said
    for lie in (1, 40, len(parts[4]) - 9, len(parts[4]) + 99, 1 << 20, 100 << 20, 1 << 31):
        n, said = count(*parts[:4], b"BINP", struct.pack("<I", lie), parts[4][8:], *parts[5:])
        assert n >= sum(rows) - rows[4]
        if lie in (len(parts[4]) + 99, 1 << 20, 100 << 20):  # another chunk is found where this one has to end
            assert n == sum(rows) and b"but says that it has %d" % lie in said


def test_bytes_behind_chains():
    one = one_stem()
    assert expect(binpack.chunk(one + bytes(33)) + binpack.chunk(one)) == 2  # zeros say nothing
    expect(binpack.chunk(one + bytes(32) + b"\1"),
           "record 2 at byte 42: the last 33 bytes of the chunk are too few for a chain of at least 34")


def word(kind, move):
    source, target = (8 * (int(move[i + 1]) - 1) + ord(move[i]) - ord("a") for i in (0, 2))
    return struct.pack(">H", kind << 14 | source << 8 | target << 2)


@pytest.mark.parametrize("at, new, error", [
    (24, word(0, "e2e5"), "the move e2e5 is not legal in 'rnbqkbnr/"),
    (24, word(2, "e1h1"), "the move e1g1 as castling is not legal"),
    (24, word(3, "e2e4"), "the move e2e4 en passant is not legal"),
    (24, word(1, "e2e4"), "the move e2e4n with a promotion is not legal"),
    (28, [0xc0, 0], "the result is coded as 3, expected 0"),
    (8, [0x2d, 0x84, 0xda], "a white rook with a right to castle stands on f1, expected it in its corner"),
    (12, [0xc0], "the pawn to be captured en passant stands on b2, expected rank 4 or 5"),
    (8, [0x2d, 0x84, 0x40], "white has 0 kings"), (0, [255] * 8, "the position has 64 pieces, expected at most 32")])
def test_bad_stems(at, new, error):
    """What stands behind one is read; but not behind one that says that positions follow it."""
    one = one_stem()
    bad = with_bytes(one, at, new)
    assert expect(binpack.chunk(one + bad + one), f"-: record 2 at byte 42: {error}") == 2
    followed = binpack.chunk(one + bad[:32] + b"\0\1\0\0" + one) + binpack.chunk(one)
    assert expect(followed, "; so the end of its chain cannot be found, and the rest of the chunk, 70 bytes, is skipped") == 2


# A stem whose move is as it is given; nibbles: pieces by their number that are coded otherwise.
@pytest.mark.parametrize("fen, kind, move, nibbles, sentence", [
    (CASTLING, 0, "e1e1", {}, "is not legal in"), (CASTLING, 0, "e1d1", {}, None), (CASTLING, 2, "e1h1", {}, None),
    (CASTLING, 2, "e1a1", {}, None), (CASTLING, 0, "e1g1", {}, "the move e1g1 is not legal in"),
    (CASTLING, 0, "e1c1", {}, "the move e1c1 is not legal in"), (CASTLING, 2, "e1d1", {}, None),
    (CASTLING, 2, "e1e2", {}, "as castling is not legal in"), (CASTLING, 3, "e1e2", {}, "en passant is not legal in"),
    ("3rk3/8/8/8/8/8/8/4K2R w - - 0 1", 0, "e1d1", {}, "is not legal in"),
    ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 0, "e1d1", {}, "is not legal in"),
    ("4k3/8/8/8/8/8/8/3qK3 w - - 0 1", 0, "e1d1", {}, None),
    ("3rk3/8/8/8/8/8/8/3qK3 w - - 0 1", 0, "e1d1", {}, "is not legal in"),
    ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 1, "e1e2", {}, "with a promotion is not legal in"),
    ("4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1", 0, "e5e6", {1: 12, 3: 12},
     "two pawns can be captured en passant, expected one at most"), ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 3, "e5d6",
                                                                     {1: 12}, None),
                                                                ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 0, "e5d6", {1: 12},
                                                                 "is not legal in"),
                                                                ("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", 0, "d1d2", {0: 13},
                                                                 "but the king is not on e1 or e8, expected ordinary chess"),
    ("4k3/8/R7/3pP3/8/8/8/4K3 w - d6 0 1", 0, "a6d6", {}, None)])
def test_moves_of_stems(fen, kind, move, nibbles, sentence):
    made = bytearray(with_bytes(binpack.stem(Row(fen, None, 0, 1, 0)), 24, word(kind, move)))
    for i, nibble in nibbles.items():
        made[8 + i // 2] = made[8 + i // 2] & (0x0f if i % 2 else 0xf0) | nibble << 4 * (i % 2)
    result = run("filter", "--quiet", "--from", "binpack", "--to", "tsv", stdin=binpack.chunk(bytes(made)))
    assert result.returncode == (sentence is not None) == (len(rows_of_tsv(result.stdout)) == 0)
    assert result.stderr == b"" if sentence is None else sentence in result.stderr.decode()


def test_movetext_that_says_what_is_not_there():
    """Three pieces have numbers of two bits, and five destinations numbers of three: some numbers are too many."""
    start = binpack.stem(Row("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "e1e2", 10, 2, 0), 3)
    rest = "; so the end of its chain cannot be found, and the rest of the chunk, "
    king, pawn = "001" + "00000", "00" + "1" + "00000"  # e8e7 with score -10, a2a4 with score 10
    for bits, n, error in [
            (king + pawn + "100" + "00000", 4, ""),
            ("101" + "00000", 1, "record 2 at byte 42: the movetext names destination 6 of 5 of the piece on e8" + rest + "8 bytes"),
            (king + "11" + "00000", 2, "record 3 at byte 43: the movetext names piece 4 of the side to move, which has 3" + rest + "7 bytes"),
            (king + "00" + "1" + 4 * "11111", 2, "record 3 at byte 43: the score has more than 16 bits, expected at most 16" + rest)]:
        assert expect(binpack.chunk(start + binpack.movetext(bits.ljust(64, "0"))), error) == n
    # a king beside the other
    start = binpack.stem(Row("8/8/8/8/8/3k4/8/K7 b - - 0 1", "d3c2", -10, 0, 1), 1)
    for bits, n, error in [("01", 2, ""),
                               *((bits, 1,
                                  f"record 2 at byte 42: the move {move} is not legal in '8/8/8/8/8/8/2k5/K7 w - - 1 2'")
                                                for bits, move in (("00", "a1b1"), ("10", "a1b2")))]:
        assert expect(binpack.chunk(start + binpack.movetext((bits + "00000").ljust(64, "0"))), error,
                      rest * (n == 1)) == n
    no_move = binpack.stem(Row("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, 0, 1, 0), 3)
    expect(binpack.chunk(no_move), "there is no move, but 3 positions follow, expected a move")


def test_memory_does_not_follow_claims():
    """A chunk that claims 100 MiB, and a chain that claims 65,536 positions, cost what is there."""
    data = binpack.chunk(one_stem()[:32] + b"\xff\xff", 100 << 20)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    run("filter", "--from", "binpack", "--to", "tsv", stdin=data)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before < 64 << 10


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("target", ["csv", "viriformat"])
def test_long_chunk_is_written_in_pieces(target):
    """What becomes of a chunk of 17 MB is longer than that, and is written as it comes."""
    n, command = 500_000, ["convert", "--lose", "all", "--quiet", "--from", "binpack", "--to", target]
    head = run(*command, stdin=binpack.chunk(b"")).stdout  # with a warning that there is no position
    one = well(*command, stdin=binpack.chunk(one_stem()))
    expected, chunk = head + one[len(head):] * n, binpack.chunk(one_stem() * n)
    with subprocess.Popen([TOOL, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(chunk)
        process.stdin.close()
        begin = process.stdout.read(len(expected) - (1 << 20))  # so it is not at its end yet
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            assert int(re.search(r"VmHWM:\s*(\d+) kB", file.read())[1]) < 32 << 10 or SANITIZED
        assert begin + process.stdout.read() == expected
        assert process.wait(60) == 0
