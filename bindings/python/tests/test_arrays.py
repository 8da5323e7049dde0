"""Arrays: shapes, formats, what may be written, and what comes in from the caller."""
import array
import gc
import pickle
import sys
import threading

import pytest
import seebatch as sb
from conftest import DATA, listed

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EXCHANGE = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"


def shape_of(thing):
    view = memoryview(thing)
    return view.shape, view.strides, view.itemsize, view.readonly


def test_shapes_and_strides(games):
    pos, (moves, off), _ = games
    n, m = len(pos), len(moves)
    assert shape_of(pos) == ((n,), (48,), 48, True)
    assert shape_of(off) == ((n + 1,), (8,), 8, True)
    assert shape_of(moves) == ((m,), (2,), 2, True)
    assert shape_of(sb.values(pos, moves, off)) == ((m,), (2,), 2, False)
    assert shape_of(sb.ge(pos, moves, off)) == ((m,), (1,), 1, False)
    assert shape_of(sb.lengths(pos, moves, off)) == ((m,), (1,), 1, False)
    assert shape_of(sb.maps(pos)) == ((n, 2, 64), (256, 128, 2), 2, False)
    assert shape_of(sb.any_capture(pos)) == ((n,), (1,), 1, False)
    ordered, worth, good = sb.order(pos, moves, off)
    assert shape_of(ordered) == ((m,), (2,), 2, True)
    assert shape_of(worth) == ((m,), (2,), 2, False)
    assert shape_of(good) == ((n,), (8,), 8, False)


def test_nothing_is_nothing():
    pos, errors = sb.from_fen([])
    assert len(pos) == 0 and errors == []
    assert [len(sb.from_fen(text)[0]) for text in (b"", "", ())] == [0, 0, 0]
    moves, off = sb.legal_moves(pos)
    assert listed(off) == [0] and listed(moves) == []
    assert listed(sb.values(pos, moves, off)) == listed(sb.ge(pos, moves, off)) == []
    assert shape_of(sb.maps(pos))[0] == (0, 2, 64)
    assert listed(sb.filter(pos, "in-check")) == [] and sb.to_fen(pos) == [] and sb.to_fen(pos, lines=True) == b""
    assert [len(part) for part in sb.order(pos, moves, off)] == [0, 0, 0]
    assert len(sb.take(pos, [])) == 0 and len(sb.checked(pos)) == 0


def test_numpy_reads_the_format_itself(np, games):
    pos, (moves, off), _ = games
    assert pos.dtype == sb.POSITION == np.asarray(memoryview(pos)).dtype
    for thing, dtype in ((off, "int64"), (moves, "uint16"), (sb.values(pos, moves, off), "int16"),
                         (sb.ge(pos, moves, off), "bool"), (sb.maps(pos), "int16"), (sb.lengths(pos, moves, off), "uint8")):
        assert thing.dtype == dtype == np.asarray(memoryview(thing)).dtype
    with pytest.raises(ValueError):
        pos.flags.writeable = True
    with pytest.raises(ValueError):
        moves[0] = 1


def test_slices_copies_and_strides_have_the_same_values(np, games):
    pos, (moves, off), _ = games
    worth = sb.values(pos, moves, off)
    dense = worth[off[100]:off[200]]
    for positions in (pos[100:200], pos[100:200].copy(), np.repeat(pos[100:200], 2)[::2],
                      np.concatenate([pos[100:150], pos[150:200]]), pos[100:200].astype(pos.dtype.newbyteorder())):
        for offsets in (off[100:201], off[100:201].copy(), off[100:201].astype("u4"), list(off[100:201])):
            for chosen in (moves, moves.copy(), moves.astype(int), list(moves)):
                assert (sb.values(positions, chosen, offsets) == dense).all()
    for other in (pos["plane"], np.zeros(3, np.dtype([(name, "f8") for name in pos.dtype.names]))):
        with pytest.raises(TypeError, match="positions have the dtype .*, expected FENs .*seebatch.POSITION"):
            sb.values(other, [0])
    first = moves[off[:-1][np.diff(off) > 0]]
    mine = sb.take(pos, np.diff(off) > 0)
    assert (sb.values(mine, first) == worth[off[:-1][np.diff(off) > 0]]).all()
    assert sb.see(pos[7], int(sb.legal_moves(pos[7:8])[0][0])) == sb.values(pos[7:8], *sb.legal_moves(pos[7:8]))[0]


@pytest.mark.parametrize("wrong", range(10))
def test_what_is_known_is_not_believed_of_other_rows(games, wrong):
    """Arrays of the library that do not belong together are checked as any other."""
    pos, (moves, off), (moves_all, off_all) = games
    one, _ = sb.from_fen([START])
    other = sb.legal_moves(pos[:50], "captures")
    single, _ = sb.moves_from_text(one, ["e4"])
    three, _ = sb.from_fen([START, EXCHANGE, START])
    calls = [(pos, off, moves_all), (pos[1:], off[:-1], moves), (pos, off_all, moves), (pos[:50], other[1], moves[1:]),
             (one, array.array("q", [0, 1]), single[:0]), (pos[:1], None, single), (pos, None, moves),
             (three, None, sb.legal_moves(three, "captures")[0]), (pos[:2], off, moves), (pos[:50], off[:51], moves[: len(other[0]) - 1])]
    with pytest.raises(sb.Error, match="position|offset|without"):
        positions, offsets, chosen = calls[wrong]
        sb.values(positions, chosen, offsets)


def test_the_librarys_rows_with_offsets_of_the_callers():
    one, _ = sb.from_fen([START, EXCHANGE])
    moves, _ = sb.moves_from_text(one, ["Nf3", "Nxe5"])
    assert listed(sb.values(one, moves, array.array("q", [0, 1, 2]))) == [0, -225]
    with pytest.raises(sb.Error, match="move 0"):
        sb.values(one, moves, array.array("q", [0, 0, 2]))
    with pytest.raises(sb.Error, match="no piece"):
        sb.values(one[1:], moves[:1])


def test_counts_are_no_offsets():
    """order() gives int64 too, which decrease."""
    pos, _ = sb.from_fen([EXCHANGE] + 3 * ["8/8/8/8/8/8/k7/2K5 w - - 0 1"])
    counts = sb.order(pos, *sb.legal_moves(pos), -3000)[2]
    assert listed(counts) == [38, 3, 3, 3]
    with pytest.raises(sb.Error, match="offset 0 is 38"):
        sb.moves_from_text(pos[:3], ["Kc2"] * 3, counts)


def test_moves_of_some_rows_are_not_known_elsewhere(games):
    pos, (moves, off), _ = games
    texts = sb.moves_to_text(pos[10:20], moves, off[10:21])
    some, errors = sb.moves_from_text(pos[10:20], [""] * off[10] + texts, off[10:21])
    assert errors == [] and listed(sb.values(pos[10:20], _padded(some, len(moves)), off[10:21])) is not None
    with pytest.raises(sb.Error):
        sb.values(pos[:20], some, off[:21])


def _padded(moves, n):
    return array.array("H", listed(moves) + [0] * (n - len(moves)))


def test_records_are_zero_behind_their_fields(fens):
    """No bytes that were in memory before come out: scripts/test has MALLOC_PERTURB_ fill it."""
    texts = fens[:9], "\n".join(fens[:9]).encode(), ["wrong"] * 9, [fen.replace(" - ", "  - ") for fen in fens[:9]]
    known = sb.from_fen(fens[:9])[0]
    made = [*(sb.from_fen(text)[0] for text in texts), sb.take(known, [3, 1]), sb.checked(known),
            *(sb.Position(fen) for fen in (fens[0], fens[1].encode(), fens[2].replace(" - ", "  - "))),
            *(next(sb.open(path)).positions for path in sorted((DATA / "formats").glob("own.*")) if path.suffix != ".tsv")]
    assert len(made) >= 12
    for array_of in made:
        data = memoryview(array_of).tobytes()
        assert {data[i + 44:i + 48] for i in range(0, len(data), 48)} == {bytes(4)}


def test_position(fens):
    position = sb.Position(fens[0])
    same = sb.Position(fens[0].encode())
    assert position == same and hash(position) == hash(same) and position != sb.Position(fens[1])
    assert position.fen == fens[0] and pickle.loads(pickle.dumps(position)) == position
    assert sb.Position(START).board == "RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr"
    assert sb.Position(START).stm == 0 and not position.in_check
    assert sb.to_fen(position) == [fens[0]] and sb.Position(sb.from_fen(fens[:1])[0]) == position
    assert listed(sb.legal_moves(sb.Position(START))[1]) == [0, 20]


def test_references_do_not_leak(games, fens):
    pos, (moves, off), _ = games
    text = "\n".join(fens).encode()
    mine = bytearray(memoryview(pos).tobytes())

    def everything():
        sb.from_fen(text), sb.from_fen(fens[:100] + ["wrong"]), sb.to_fen(pos[:100]), sb.to_fen(pos, lines=True)
        sb.values(pos, moves, off), sb.ge(pos, moves, off), sb.order(pos, moves, off), sb.maps(pos[:100])
        sb.values(mine, array.array("H", moves), off), sb.lengths(pos, moves, off), sb.any_capture(pos)
        sb.values(pos[:9], moves, off[:10], "swap", [1, 2, 3, 4, 5]), sb.ge(pos, moves, off, progress=lambda *now: now)
        sb.see(fens[0], sb.moves_to_text(pos[:1], *sb.legal_moves(pos[:1]))[0]), sb.checked(pos, moves, off)
        sb.explain(EXCHANGE, "Nxe5"), sb.filter(pos, "in-check"), sb.take(pos, [1, 2]), sb.Position(fens[0]).fen
        for call in (lambda: sb.see(fens[0], "Ka1"), lambda: sb.values(pos, moves, off[:5]),
                     lambda: sb.values(b"1" * 48, moves[:1]), lambda: sb.from_fen([1])):
            with pytest.raises((sb.Error, TypeError)):
                call()

    def measured():
        gc.collect()
        references = [sys.getrefcount(thing) for thing in (pos, off, moves, text, mine, fens)]
        return references, sys.getallocatedblocks()

    everything()
    before, blocks = measured()
    for _ in range(30):  # what is leaked grows each time; what Python keeps for later does not
        for _ in range(50):
            everything()
        after, more = measured()
        assert after == before
        if more - blocks < 50:
            return
        blocks = more
    pytest.fail("memory is leaked")


def test_memory_is_given_back(games):
    resource = pytest.importorskip("resource")
    pos, (moves, off), _ = games
    for round in range(60):
        sb.maps(pos), sb.checked(pos, moves, off), sb.legal_moves(pos)
        with pytest.raises(sb.Error):
            sb.values(pos, moves[:-1], off)
        if round == 10:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used < 16 * 1024  # KiB; a round takes more than 1 MiB


def test_arrays_that_change_meanwhile(games):
    """Other threads write into arrays that are being evaluated: errors or values, never anything worse."""
    pos, (moves, off), _ = games
    mine, chosen = bytearray(memoryview(pos).tobytes()), array.array("H", moves)
    ready = threading.Event()

    def spoil():
        noise = bytes(range(256))
        for i in range(0, len(mine) - 256, 256):
            mine[i:i + 256] = noise
            chosen[i % len(chosen)] = i % 65536
            ready.set()

    thread = threading.Thread(target=spoil)
    thread.start()
    ready.wait()
    for _ in range(20):
        for question in (sb.values, sb.ge, sb.order):
            try:
                question(mine, chosen, off)
            except sb.Error:
                pass
    thread.join()


@pytest.mark.parametrize("dtype", ["O", "U", "S", "T"])
def test_numpy_arrays_of_texts(np, fens, dtype):
    """What df.fen.values is in pandas."""
    texts = fens[:200] + ["wrong"]
    if dtype == "T" and not hasattr(getattr(np, "dtypes", None), "StringDType"):
        pytest.skip("NumPy has no StringDType before its version 2")
    given = np.array([text.encode() for text in texts] if dtype == "S" else texts, dtype)
    pos, errors = sb.from_fen(given)
    assert sb.to_fen(pos[:-1]) == fens[:200] and [error.index for error in errors] == [200]
    assert sb.to_fen(sb.from_fen(given[198:100:-2])[0]) == fens[198:100:-2]
    for wrong in (np.arange(5), np.zeros(3), np.frombuffer(fens[0].encode(), "u1"), pos):
        with pytest.raises(TypeError, match="expected strings"):
            sb.from_fen(wrong)


def test_what_was_unpickled_is_checked_once(np, games):
    """Or copied: as long as it is what was found to be right, it is known, and so are moves of it."""
    pos, (moves, off), _ = games
    # Protocol 5, the default of Python 3.14, gives back arrays that cannot be written when those pickled cannot.
    for each in pickle.loads(pickle.dumps(((pos, moves, off),), protocol=5)):
        assert (sb.values(*each) == sb.values(pos, moves, off)).all()
    mine, my_off, my_moves = pickle.loads(pickle.dumps((pos, off, moves), protocol=4))
    assert sb._core.known(pos, off, moves) == (True, True)
    assert sb._core.known(mine, my_off, my_moves) == (False, False)
    worth = sb.values(mine, my_moves, my_off)
    assert (worth == sb.values(pos, moves, off)).all()
    assert sb._core.known(mine, my_off, my_moves) == (True, True)
    assert sb._core.known(mine, *reversed(sb.legal_moves(mine))) == (True, True)
    assert sb._core.known(mine, my_off, my_moves.copy()) == (True, False)

    my_moves[-1] += 1 << 6
    assert sb._core.known(mine, my_off, my_moves) == (True, False)
    with pytest.raises(sb.Error, match=f"move {len(moves) - 1}"):
        sb.values(mine, my_moves, my_off)
    my_moves[-1] = moves[-1]
    assert sb._core.known(mine, my_off, my_moves) == (True, True)
    mine["white"][3] = 0
    assert sb._core.known(mine, my_off, my_moves) == (False, False)
    with pytest.raises(sb.Error, match="position 3"):
        sb.values(mine, my_moves, my_off)
    mine["white"][3] = pos["white"][3]
    my_off[7] = my_off[8] + 1
    with pytest.raises(sb.Error, match="offset"):
        sb.values(mine, my_moves, my_off)


def test_a_loop_over_many_arrays_checks_each_once(np, games):
    """Also positions that come with other moves each time, while the copies of those moves take the room of older ones."""
    pos, (moves, off), _ = games
    shards = [tuple(array.copy() for array in (pos[i:i + 200], *sb.legal_moves(pos[i:i + 200]))) for i in range(0, 2000, 200)]
    for shard in shards:
        sb.values(*shard)
    assert all(sb._core.known(each, rows, found) == (True, True) for each, found, rows in shards)
    mine, others = pos.copy(), []
    for _ in range(600):
        others.append(moves.copy())
        assert not others[1:] or sb._core.known(mine, off, others[-1]) == (True, False)
        sb.values(mine, others[-1], off)
    assert not sb._core.known(shards[0][0], shards[0][2], shards[0][1])[0]


def test_rows_that_leave_moves_out_say_nothing_of_those(np, games):
    """A copy of moves was checked in a slice of the rows; the rest may be wrong."""
    pos, (moves, off), _ = games
    mine = moves.copy()
    mine[off[1500]:] = 0
    assert len(sb.values(pos[:1500], mine, off[:1501])) == off[1500]
    assert sb._core.known(pos, off, mine) == (True, False)
    with pytest.raises(sb.Error, match=f"move {off[1500]}"):
        sb.values(pos, mine, off)


def test_torch(games, np):  # without NumPy, torch has no arrays to take
    torch = pytest.importorskip("torch")
    pos, (moves, off), _ = games
    worth = sb.values(pos, moves, off)
    assert torch.from_numpy(worth).tolist() == worth.tolist()
    assert torch.from_numpy(moves.view("i2").copy()).tolist() == moves.tolist()


FIELDS = ("stm", "castling_rook", "ep_square", "shredder", "halfmove_clock", "fullmove_number")


def test_boards_and_back(games, fens):
    """The letters of Position.board are the codes in order, bitboards have the same pieces, and nothing is lost."""
    pos = games[0]
    boards, sets = memoryview(sb.boards(pos)).tolist(), memoryview(sb.bitboards(pos)).tolist()
    assert shape_of(sb.boards(pos))[:2] == ((len(pos), 64), (64, 1)) and shape_of(sb.bitboards(pos))[0] == (len(pos), 2, 6)
    for fen, board, (white, black) in zip(fens, boards, sets):
        assert "".join("PNBRQKpnbrqk."[piece] for piece in board) == sb.Position(fen).board
        assert [sum((piece == k) << square for square, piece in enumerate(board)) for k in range(12)] == [*white, *black]
    sides = [sb.Position(fen).stm for fen in fens]
    made = sb.from_boards(sb.boards(pos), sides)
    assert [fen.split()[:2] for fen in sb.to_fen(made)] == [fen.split()[:2] for fen in fens]
    assert sb.to_fen(sb.from_boards(boards[0], sides[0])) == sb.to_fen(made[:1])
    assert listed(sb.from_boards(sb.bitboards(pos), sides)) == listed(made)
    assert listed(sb.from_boards(memoryview(sb.bitboards(pos[:1])), sides[0])) == listed(made[:1])
    one = array.array("Q", memoryview(sb.bitboards(pos[:1])).cast("B").tobytes())
    one[11] |= 1 << 8
    with pytest.raises(sb.Error, match="square 8 of board 0 is in the bitboards of the pieces"):
        sb.from_boards(memoryview(one).cast("B").cast("Q", (1, 2, 6)))


def test_boards_and_back_with_all_fields(np, games):
    pos = games[0]
    assert sb.from_boards(sb.boards(pos), *(pos[name] for name in FIELDS)).tobytes() == pos.tobytes()


def test_texts_are_positions_and_moves(fens):
    """Wherever arrays are taken, with line ends and blanks around them; an empty list is an empty batch."""
    known, off = sb.from_fen(fens[:50])[0], [0]
    moves, off = sb.legal_moves(known)
    texts, sans = sb.moves_to_text(known, moves, off), sb.moves_to_text(known, moves, off, "san")
    worth = listed(sb.values(known, moves, off))
    for given in (fens[:50], tuple(fens[:50]), [f" {fen}\r\n" for fen in fens[:50]], [fen.encode() for fen in fens[:50]],
                  [sb.Position(fen) for fen in fens[:50]]):
        for chosen in (moves, texts, sans, [f"{text}\n" for text in texts], tuple(texts)):
            assert listed(sb.values(given, chosen, off)) == worth
        assert listed(sb.maps(given)) == listed(sb.maps(known))
        assert sb.to_fen(sb.take(given, [3])) == [fens[3]] and sb.to_fen(given) == fens[:50]
    assert listed(sb.values(fens[0], texts[:1])) == worth[:1]
    first = [texts[i] for i in listed(off)[:-1]]
    assert listed(sb.filter(fens[:50], "capture", moves=first)) == listed(sb.filter(known, "capture", moves=first))
    assert listed(sb.values([], [])) == listed(sb.maps([])) == sb.to_fen([]) == []


def test_files_of_fens(fens):
    with open(DATA / "games.fen") as file:
        assert sb.to_fen(sb.from_fen(file, wrong="raise")[0]) == fens
    with open(DATA / "games.fen", "rb") as file:
        assert sb.to_fen(sb.from_fen(file, wrong="raise")[0]) == fens


def test_numpy_texts_are_positions(np, fens):
    moves = sb.moves_to_text(fens[:20], *sb.legal_moves(fens[:20]))
    worth = listed(sb.values(fens[:20], *sb.legal_moves(fens[:20])))
    for kind in "OUS":
        given, chosen = np.array(fens[:20], kind), np.array(moves, kind)
        assert listed(sb.values(given, chosen, sb.legal_moves(given)[1])) == worth


def test_the_name_of_a_fault_follows_slices():
    pos, errors = sb.from_fen([START, "8/8 w", START])
    for part, index in ((pos, 1), (pos[1:], 0)):
        with pytest.raises(sb.Error, match=f"position {index} comes from an unreadable FEN: {errors[0].sentence[:20]}"):
            sb.legal_moves(part)
    assert len(sb.legal_moves(pos[2:])[0]) == 20


def test_results_are_those_of_tables(fens):
    """1, 0.5 and 0, and not a number where there is none."""
    text = f"fen,result\n{fens[0]},1-0\n{fens[1]},1/2-1/2\n{fens[2]},0-1\n{fens[3]},\n"
    batch = next(sb.open(data=text.encode(), format="csv"))
    results = listed(batch.results)
    assert results[:3] == [1.0, 0.5, 0.0] and results[3] != results[3]
    for has in (batch.has, None):
        with sb.create(format="csv", holds=4) as writer:
            writer.write(batch.positions, results=batch.results, has=has)
        assert [line.split(",")[1] for line in writer.data.decode().splitlines()[1:]] == ["1.0", "0.5", "0.0", ""]
        assert listed(sb.filter(batch.positions, "result=0.0", results=batch.results, has=has)) == [False, False, True, False]
    assert listed(sb.filter(fens[:2], "result=0.5", results=[0.5, None])) == [True, False]
    assert listed(sb.filter(batch, "result < 1-0 and not result = 1/2-1/2")) == [False, False, True, False]
    with pytest.warns(UserWarning, match="'result < 0-1' can never hold"):
        assert listed(sb.filter(batch, "result < 0-1")) == [False] * 4


def test_readers_say_what_they_read(tmp_path, fens):
    path = DATA / "formats/own.binpack"
    assert repr(sb.open(path)) == (f"<seebatch.Reader of {path}, binpack: fen string, move string, score int32, "
                                   "result float, ply int32>")
    assert sb.open(path, text=False).schema()["board"] == "binary(48)"
    with open(path, "rb") as file:
        reader = sb.open(file)
        assert reader.format == "binpack" and len(next(reader).positions) == 1558
    assert len(next(sb.open(str(path).encode())).positions) == 1558
    table = sb.open(path).to_dict()
    batch = next(sb.open(path))
    assert table["fen"] == sb.to_fen(batch.positions) and table["score"] == listed(batch.scores)
    assert table["move"] == sb.moves_to_text(batch.positions, batch.moves)


def test_the_api_alone():
    assert {name for name in dir(sb) if not name.startswith("__")} == set(sb.__all__)
