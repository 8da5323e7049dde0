"""Leela's training data, read: against a writer in plain Python, made from docs/formats.md, and what damage does."""
import gzip
import io
import json
import math
import random
import struct
import tarfile

import pytest

from chess_support import START, Board, Row, number, odd
from pipeline_support import fails, places, run, says, times, well

CHESS960 = "1r1k2r1/p5pp/8/8/8/8/P5PP/1R1K2R1 w GBgb - 0 1"
FILES = range(8)
CLASSICAL, FILES_OF_ROOKS, CANONICAL, HECTOPLIES, V2, HECTOPLIES_ARMAGEDDON, V2_ARMAGEDDON = 1, 2, 3, 4, 5, 132, 133
INPUTS = [CLASSICAL, FILES_OF_ROOKS, CANONICAL, HECTOPLIES, V2, HECTOPLIES_ARMAGEDDON, V2_ARMAGEDDON]


def squares():
    return [(file, rank) for rank in range(8) for file in FILES]


def reached(a, b):
    x, y = abs(a[0] - b[0]), abs(a[1] - b[1])
    return a != b and (x == 0 or y == 0 or x == y or {x, y} == {1, 2})


# From each square to those that a queen or a knight reaches; then promotions from the seventh rank.
MOVES = [(a, b, "") for a in squares() for b in squares() if reached(a, b)]
MOVES += [((x, 6), (y, 7), piece) for x in FILES for y in (x - 1, x, x + 1) if y in FILES for piece in "qrb"]
NUMBERS = {move: i for i, move in enumerate(MOVES)}
assert len(MOVES) == 1858


def turned(square, black, transform):
    """A square of the board as the record has it."""
    file, rank = square
    rank = 7 - rank if black else rank
    file = 7 - file if transform & 1 else file
    rank = 7 - rank if transform & 2 else rank
    return (7 - rank, 7 - file) if transform & 4 else (file, rank)


def plane(chosen, black, transform):
    """Squares as 64 bits: the a-file is the highest bit of each byte."""
    return sum(1 << (8 * rank + 7 - file) for file, rank in (turned(s, black, transform) for s in chosen))


def of_name(name):
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def pieces(fen):
    """{piece: squares}"""
    found = {piece: [] for piece in "PNBRQKpnbrqk"}
    for rank, row in zip(range(7, -1, -1), fen.split()[0].split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                found[c].append((file, rank))
                file += 1
    return found


def sets(fen, black, transform):
    found = pieces(fen)
    own, other = ("pnbrqk", "PNBRQK") if black else ("PNBRQK", "pnbrqk")
    return [plane(found[c], black, transform) for c in own + other] + [0]


def idx(fen, uci, black, transform):
    a, b = of_name(uci[:2]), of_name(uci[2:4])
    king = a in pieces(fen)["k" if black else "K"]
    if king and abs(a[0] - b[0]) == 2 and b not in pieces(fen)["r" if black else "R"]:  # castling is king takes rook
        b = (7 if b[0] > a[0] else 0, b[1])
    return NUMBERS[turned(a, black, transform), turned(b, black, transform), uci[4:].replace("n", "")]


def encode(row, before=None, form=CLASSICAL, transform=0, version=6, q=(0.25, -0.5, 0.125), left=17.5, best=None):
    """A record; before: the FEN of the position before this one. q: of root, best and played move."""
    board, side, rights, passed, clock, _ = row.fen.split()
    black, canonical = side == "b", form >= 3
    history = sets(before, black, transform) if before else [0] * 13
    data = struct.pack("<2I", version, form) + 1858 * struct.pack("<f", -1)
    data += struct.pack("<104Q", *sets(row.fen, black, transform), *history, *[0] * 78)
    rooks = {}
    for c in rights.replace("-", ""):
        white, letter = c.isupper(), c.lower()
        king = pieces(row.fen)["K" if white else "k"][0]
        file = {"k": 7, "q": 0}.get(letter, ord(letter) - ord("a"))
        rooks[white != black, file > king[0]] = file
    for ours in (True, False):
        for kingside in (False, True):
            file = rooks.get((ours, kingside))
            data += bytes([0 if file is None else 1 if form == CLASSICAL else 1 << file])
    file = None if passed == "-" else ord(passed[0]) - ord("a")
    mask = 0 if file is None else 1 << (7 - file if transform & 1 else file)
    data += bytes([mask if canonical else black, int(clock), transform | (black << 7 if canonical else 0), 0])
    result = 0 if row.result is None else (row.result - 1) * (-1 if black else 1)
    data += struct.pack("<15fI2H2f", q[0], q[1], 0, 0, 0, 0, left, result, row.result == 1, q[2], 0, 0,
                        math.nan, math.nan, math.nan, 800, idx(row.fen, row.move, black, transform),
                        idx(row.fen, best or row.move, black, transform), 0, 0)
    assert len(data) == 8356
    return data + (struct.pack("<f2H8f", 0, 0, 0, *[0] * 8) if version == 7 else b"")


def centipawns(q):
    q = struct.unpack("<f", struct.pack("<f", q))[0]
    score = 660.6 * q / (1 - 0.9751875 * q ** 10)
    return int(math.copysign(math.floor(min(32000, abs(score)) + 0.5), score))


def transforms(fen):
    """Those that lose nothing: none with rights to castle; with pawns, left and right alone."""
    board, _, rights, *_ = fen.split()
    return [0] if rights != "-" else [0, 1] if "p" in board.lower() else range(8)


class Game:
    """A game at random: its rows, as the tool has to write them, and its records."""

    def __init__(self, chance, fen, plies, form, version=6):
        board, before = Board(fen), None
        self.rows, self.records, self.others = [], [], []
        result = chance.choice([0, 1, 2])
        first = int(not board.white)
        while len(self.rows) < plies and (move := board.random_move(chance, odd)) is not None:
            row = Row(board.fen(), board.uci(move), None, result, first + len(self.rows))
            q = [chance.choice([chance.uniform(-1, 1), 0, 1, -1]) for _ in range(3)]
            transform = chance.choice(transforms(row.fen)) if form >= 3 else 0
            left = chance.randrange(200) / 2
            self.records.append(encode(row, before, form, transform, version, q, left))
            fields = row.fen.split()
            if form < 3 and before is None:
                fields[3] = "-"  # it is seen in the board before alone
            row.fen = " ".join(fields[:5] + [str(row.ply // 2 + 1)])
            row.score = row.sign() * centipawns(q[1])
            self.rows.append(row)
            self.others.append((q, left))
            before = board.fen()
            board.play(move, "always")


STARTS = [START, "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1", "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R b Qk - 7 33",
          "8/7k/1N1N4/8/1q1r4/8/8/K7 w - - 0 70", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]


@pytest.fixture(scope="module", params=INPUTS)
def games(request):
    chance = random.Random(request.param)
    starts = STARTS + [CHESS960] * (request.param > CLASSICAL)
    return [Game(chance, fen, 40, request.param, version) for fen in starts for version in (6, 7)]


def rows_of(data, *words):
    made = well("convert", "--from", "lc0", "--to", "jsonl", *words, stdin=data).decode().splitlines()
    return [json.loads(line) for line in made]


def row_of(game, i):
    row = game.rows[i]
    return {"fen": row.fen, "move": row.move, "score": row.score, "result": row.result / 2, "ply": row.ply}


def tar_of(members, mode="w", form=tarfile.GNU_FORMAT):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode, format=form) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = 0 if data is None else len(data)
            info.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
            tar.addfile(info, None if data is None else io.BytesIO(data))
    return file.getvalue()


# ---- What is well ----------------------------------------------------------------------------------------------------


def test_chunks(games, tmp_path):
    for game in games:
        data = b"".join(game.records)
        found = rows_of(data)
        for i, row in enumerate(found):
            assert {k: row[k] for k in ("fen", "move", "score", "result", "ply")} == row_of(game, i)
            q, left = game.others[i]
            assert row["best"] == row["move"] and float(row["plies_left"]) == left
            assert [struct.pack("<f", float(row[k])) for k in ("root_q", "best_q", "played_q")] == \
                [struct.pack("<f", x) for x in q]
        assert len(found) == len(game.rows)
        path = tmp_path / "training.7.gz"
        path.write_bytes(gzip.compress(data))
        assert rows_of(b"", path) == found
        for name, at in (("root", 0), ("best", 1), ("played", 2)):
            assert [row["score"] for row in rows_of(data, "--leela-score", name)] == \
                [game.rows[i].sign() * centipawns(game.others[i][0][at]) for i in range(len(game.rows))]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_tar_files(games, form, tmp_path):
    """Of any kind, with compressed members and others, by any number of threads and in parts."""
    members = [("run/", None), ("LICENSE", b"Open Data Commons Open Database License\n")]
    for i, game in enumerate(games):
        data = b"".join(game.records)
        long = "x" * (90 if form == tarfile.USTAR_FORMAT else 150)
        members.append((f"run/{long if i == 1 else 'training'}.{i}.gz", gzip.compress(data, 1) if i % 3 else data))
    tar = tar_of(members, form=form)
    expected = [row_of(game, i) for game in games for i in range(len(game.rows))]
    columns = ["--columns", "fen,move,score,result,ply"]
    for threads in (1, 3):
        assert rows_of(tar, *columns, "--threads", threads) == expected
    path = tmp_path / "a.tar"
    path.write_bytes(tar)
    whole = well("convert", path, "--to", "tsv")
    for n in (2, 5):
        assert b"".join(well("convert", path, "--to", "tsv", "--part", f"{i}/{n}") for i in range(1, n + 1)) == whole
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(tar))
    assert well("convert", tmp_path / "a.tar.gz", "--to", "tsv") == whole
    kept = well("filter", path, "--keep", "chance=0.5", "--to", "tsv", "--threads", 3)
    assert kept == well("filter", path, "--keep", "chance=0.5", "--to", "tsv", "--threads", 1) and kept.count(b"\n") > 20


def test_chunks_become_chains(tmp_path):
    """A game is one chain of a binpack. Nobody writes chunks."""
    game = Game(random.Random(5), START, 60, HECTOPLIES)
    fails(2, run("convert", "--from", "lc0", "--to", "binpack", stdin=b"".join(game.records)), "unknown columns would be lost")
    packed = well("convert", "--from", "lc0", "--to", "binpack", "--lose", "columns", stdin=b"".join(game.records))
    assert len(packed) < 8 + 34 + 6 * 60
    path = tmp_path / "a.binpack"
    path.write_bytes(packed)
    assert [json.loads(line)["move"] for line in well("filter", path, "--to", "jsonl").decode().splitlines()] == \
        [row.move for row in game.rows]
    says(2, run("filter", "--from", "lc0"), "the format lc0 can be read, but not written")
    says(2, run("filter", "--from", "csv", "--leela-score", "root"), "--leela-score: no input file is of the format lc0, expected one")
    says(2, run("filter", "--from", "lc0", "--leela-score", "x"), "there is no 'x', expected one of best, root, played")


@pytest.mark.parametrize("transform", [4, 5, 6, 7])
def test_moves_of_newer_programs(transform):
    """lc0 since March 2025 turns moves half round where it turns the board along the diagonal: what is not legal otherwise."""
    fen, uci = "8/8/3k4/8/8/2K5/8/4R3 w - - 4 1", "e1e8"
    data = encode(Row(fen, uci, None, 1), form=HECTOPLIES, transform=transform)
    half = [(7 - f if transform & 5 else f, 7 - r if transform & 6 else r) for f, r in map(of_name, (uci[:2], uci[2:]))]
    assert rows_of(data)[0]["move"] == rows_of(patched(data, 8344, "<H", NUMBERS[(*half, "")]))[0]["move"] == uci


# ---- What is not -----------------------------------------------------------------------------------------------------

ONE = encode(Row(START, "e2e4", None, 2))


def patched(data, at, form, *values):
    return data[:at] + struct.pack(form, *values) + data[at + struct.calcsize(form):]


@pytest.mark.parametrize("at, form, value, sentence", [
    (4, "<I", 0, "its input format is 0, expected 1 to 5, 132 or 133"), (4, "<I", 6, "its input format is 6"),
    (4, "<I", 131, "its input format is 131"), (8276, "<B", 2, "the side to move is 2, expected 0 or 1"),
    (7440, "<Q", 1 << 60 | 0xff00, None), (7440 + 40, "<Q", 0, "white has 0 kings"),
    (8344, "<H", 1858, "a move has the number 1858, expected at most 1857"),
    (8344, "<H", NUMBERS[(4, 0), (4, 7), ""], "e1e8"), (8344, "<H", NUMBERS[(0, 6), (0, 7), "q"], "a7a8q"),
    (8284, "<f", math.nan, "the Q of its search is nan, expected -1 to 1"), (8284, "<f", 1.5, "the Q of its search is 1.5"),
    (8308, "<f", math.nan, "the result is nan, expected -1 to 1"), (8308, "<f", -2, "the result is -2"),
    (8272, "<B", 1, None), (7440 + 8, "<Q", 0xff00, "a square has more than one piece")])
def test_bad_records(at, form, value, sentence):
    """They are named with their place, alone and within a member; the others are read."""
    bad = patched(ONE, at, form, value)
    result = run("convert", "--quiet", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=ONE + bad + ONE)
    if sentence is None:
        assert result.returncode in (0, 1)
        return
    says(1, result, "-: record 2 at byte 8356: ", sentence)
    assert result.stdout.count(b"\n") == 2
    tar = tar_of([("a.gz", gzip.compress(ONE + bad + ONE)), ("b.gz", gzip.compress(ONE))])
    result = run("convert", "--quiet", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=tar)
    says(1, result, "record 2 of the member 'a.gz': ", sentence)
    assert result.stdout.count(b"\n") == 3
    strict = run("convert", "--quiet", "--strict", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=tar)
    assert strict.returncode == 1 and strict.stdout.count(b"\n") == 1


@pytest.mark.parametrize("member, sentence", [
    (gzip.compress(ONE + patched(ONE, 0, "<I", 5)), "the member 'bad.gz': its record 2 has the version 5, expected 6 or 7"),
    (gzip.compress(ONE + ONE[:-1]), "the member 'bad.gz': its record 2 has 8355 bytes, expected 8356: it may have been cut off"),
    (gzip.compress(ONE + ONE[:3]), "its record 2 has 3 bytes"), (ONE + patched(ONE, 0, "<I", 3), "has the version 3"),
    (gzip.compress(ONE)[:-9], "the member 'bad.gz': its compressed bytes end too early"),
    (gzip.compress(ONE)[:200] + b"\xff" * 40 + gzip.compress(ONE)[240:], "its compressed bytes are damaged")])
def test_bad_members(member, sentence):
    tar = tar_of([("a.gz", gzip.compress(ONE)), ("bad.gz", member), ("c.gz", gzip.compress(ONE + ONE))])
    result = run("convert", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=tar)
    says(1, result, sentence, "1 bad record")
    assert result.stdout.count(b"\n") == 3 + (b"record 2" in sentence.encode() or "version" in sentence)


def test_taken_for_text():
    tar = tar_of([("a.gz", gzip.compress(ONE))])
    for options in ((), ("--from", "pgn"), ("--from", "csv")):
        result = run("convert", "--to", "fen", "--lose", "all", *options, stdin=tar)
        says(1, result, "-: it is a tar file, expected text; --from lc0 reads tar files of Leela's training data")


@pytest.mark.parametrize("name, member, sentence", [
    ("bad.gz", b"", "it is empty, expected the records of a game"), ("bad.gz", gzip.compress(b""), "it is empty"),
    ("bad", gzip.compress(b"no"), "its record 1 has 2 bytes, expected 8356"),
    ("bad", gzip.compress(b"text that is no chunk"), "its record 1 has the version"),
    ("bad.gz", b"\x1e" + gzip.compress(ONE)[1:], "its record 1 has the version"),
    ("bad", patched(ONE, 1, "<B", 1) + ONE, "its record 1 has the version 262, expected 6 or 7")])
def test_members_that_begin_wrong(name, member, sentence):
    """They are not taken for a license, which would lose them in silence."""
    tar = tar_of([("LICENSE", b"a license\n"), (name, member), ("c.gz", gzip.compress(ONE))])
    result = run("convert", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=tar)
    says(1, result, f"the member '{name}': {sentence}", "1 bad record")
    assert result.stdout.count(b"\n") == 1


def test_unknown_versions(tmp_path):
    path, output = tmp_path / "a.lc0", tmp_path / "a.fen"
    for version in (0, 3, 5, 8, 0x12345678):
        path.write_bytes(patched(ONE, 0, "<I", version) + ONE)
        result = run("convert", path, "--output", output, "--lose", "all")
        says(1, result, f"{path}: byte 0: here neither a record of version 6 or 7 begins nor a tar file, but what would be version {version}")
        assert not output.exists()
    path.write_bytes(ONE + patched(ONE, 0, "<I", 5) + ONE)
    result = run("convert", path, "--to", "fen", "--lose", "all")
    says(1, result, "record 2 at byte 8356: here neither a record of version 6 or 7 begins", "8356 bytes")
    assert result.stdout.count(b"\n") == 2


def test_damaged_headers(tmp_path):
    """Reading goes on at the next header."""
    tar = bytearray(tar_of([(f"{i}.gz", gzip.compress(ONE)) for i in range(4)]))
    second = tar.index(b"1.gz")
    tar[second + 20] ^= 1
    result = run("convert", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=bytes(tar))
    says(1, result, f"at byte {second}: here neither a record of version 6 or 7 begins nor a member of a tar file")
    assert result.stdout.count(b"\n") == 3


def test_cuts_at_every_place():
    """What is whole before the cut is read, and the cut is told once."""
    alone = ONE + ONE
    tar = tar_of([("a.gz", gzip.compress(ONE)), ("b.gz", gzip.compress(ONE)), ("c.gz", gzip.compress(ONE))])
    end = tar.index(b"c.gz") + 512 + len(gzip.compress(ONE))
    for data, whole in ((alone, [0, 8356]), (tar[:end], [0, tar.index(b"b.gz"), tar.index(b"c.gz")])):
        for i in places(len(data)):
            result = run("convert", "--quiet", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=data[:i])
            before = max(k for k, at in enumerate(whole) if at <= i)
            said = result.stderr.decode().replace("-: warning: no position was found in it\n", "")
            assert result.stdout.count(b"\n") >= before
            assert (result.returncode, said.count("\n")) == ((0, 0) if said == "" else (1, 1)), said
            assert said != "" or result.stdout.count(b"\n") == before + (i > whole[before] + 512 and data is not alone)


def test_a_bomb():
    """A member that becomes larger than any chunk is not decompressed to its end."""
    bomb = gzip.compress(ONE * 9000, 1)
    result = run("convert", "--quiet", "--from", "lc0", "--to", "fen", "--lose", "all",
                 stdin=tar_of([("bomb.gz", bomb), ("a.gz", gzip.compress(ONE))]))
    says(1, result, "the member 'bomb.gz': it has more than 64 MiB when decompressed, expected a chunk of one game")
    assert result.stdout.count(b"\n") == 1


def test_bytes_at_random():
    chance = random.Random(3)
    tar = tar_of([("a.gz", gzip.compress(ONE)), ("b.gz", ONE), ("c.gz", gzip.compress(ONE))])
    for data in (ONE + ONE, tar):
        for _ in range(times(25)):
            damaged = bytearray(data)
            for _ in range(chance.randrange(1, 20)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            result = run("convert", "--quiet", "--from", "lc0", "--to", "fen", "--lose", "all", stdin=bytes(damaged))
            assert result.returncode in (0, 1) and b"anitizer" not in result.stderr


def test_zeros_behind_a_compressed_member(games):
    """As they fill up a block of a tape or disk: the member is read all the same."""
    data = b"".join(games[0].records)
    whole = rows_of(tar_of([("a.gz", gzip.compress(data))]))
    assert rows_of(tar_of([("a.gz", gzip.compress(data) + bytes(512))])) == whole and len(whole) == len(games[0].rows)


def header_with(header, at, value):
    """A header of tar with other bytes, and their checksum."""
    changed = header[:at] + value + header[at + len(value):]
    changed = changed[:148] + 8 * b" " + changed[156:]
    return changed[:148] + b"%06o\0 " % sum(changed[:512]) + changed[156:]


def test_kinds_of_tar_files_that_change_what_a_member_is(games):
    """A binary size is read. Sparse members, sizes in pax headers and zstd are refused by name, and the others are read."""
    data = b"".join(games[0].records)
    good, other = tar_of([("a", data)])[:512 + -len(data) % 512 + len(data)], tar_of([("b", data)])
    n = len(games[0].rows)
    assert len(rows_of(header_with(good, 124, b"\x80" + len(data).to_bytes(11, "big")) + other)) == 2 * n

    def refused(text, sentence):
        result = run("convert", "--quiet", "--from", "lc0", "--to", "csv", stdin=text + other)
        says(1, result, sentence)
        assert result.stdout.count(b"\n") == 1 + n
    refused(header_with(good, 156, b"S"), "the member 'a': it is a sparse file, which is not read")
    for key, sentence in (("GNU.sparse.major=1", "it is a sparse file"), ("size=9", "its size stands in a pax header")):
        info = tarfile.TarInfo("a")
        info.size, info.pax_headers = len(data), dict([("comment", "size=7"), key.split("=")])
        refused(info.tobuf(tarfile.PAX_FORMAT) + data + bytes(-len(data) % 512), sentence)
    assert len(rows_of(tar_of([("c" * 150, data)], form=tarfile.PAX_FORMAT))) == n
    refused(tar_of([("a.zst", b"\x28\xb5\x2f\xfd" + bytes(100))])[:1024], "it is compressed by Zstandard, expected gzip")


def test_parts_keep_a_pax_header_with_its_member(games, tmp_path):
    """Also where the first bytes that are looked at, 65,536 of them, end between the two."""
    data = b"".join(games[0].records)
    info = tarfile.TarInfo("a")
    info.size, info.pax_headers = len(data), {"size": "9"}
    pair = info.tobuf(tarfile.PAX_FORMAT)
    text = b"License\n" * ((65536 - 512 - (len(pair) - 512)) // 8)
    good = tar_of([("a", text)])[:512 + len(text)]
    assert len(good) + len(pair) == 65536 + 512
    path = tmp_path / "a.tar"
    path.write_bytes(good + pair + data + bytes(-len(data) % 512) + tar_of([("b", data)]))
    size = path.stat().st_size
    numbers = [n for n in range(2, 200) if any(0 <= size * i // n - 65536 + 1024 <= 1024 for i in range(n))]
    for n in numbers[:3]:
        results = [run("convert", path, "--from", "lc0", "--to", "csv", "--part", f"{i}/{n}") for i in range(1, n + 1)]
        refusals = [i for i in results if b"its size stands in a pax header" in i.stderr]
        assert len(refusals) == 1 and refusals[0].returncode == 1
        assert b"".join(i.stdout for i in results).count(b"\n") == 1 + len(games[0].rows)
