"""Columns: Arrow's C interfaces, without any package that speaks them; test_engines.py has the packages."""
import ctypes

import pytest
import seebatch as sb
from conftest import DATA

FILE = DATA / "formats/own.binpack"


def name_of(capsule):
    get = ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return get(capsule).decode()


def test_capsules_have_the_names_of_the_interface():
    with sb.open(FILE) as reader:
        assert name_of(reader.__arrow_c_stream__()) == name_of(reader.__arrow_c_stream__(None)) == "arrow_array_stream"
        assert name_of(reader.__arrow_c_schema__()) == "arrow_schema"
        assert len(next(reader).positions) == 1558  # streams read the file on their own


def test_a_table_in_memory_has_its_columns():
    """The header is read with the file: its columns are known before the first batch."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    batch = next(sb.open(data=f"fen,score\n{fen},-7\n".encode(), format="csv"))
    assert batch.scores.tolist() == [-7] and batch.moves is None


START, EXCHANGE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"


def test_lists_are_columns():
    """Results go in as columns do: what the struct of best_capture() calls move is a column of moves."""
    fens = [EXCHANGE, None, "wrong", START.encode(), EXCHANGE]
    best = sb.columns.best_capture(fens)
    assert len(best) == 5 and best.wrong == 1 and best.errors[0].index == 2 and "'wrong'" in best.errors[0].sentence
    assert [name_of(capsule) for capsule in best.__arrow_c_array__()] == ["arrow_schema", "arrow_array"]
    worth = sb.columns.see(fens, best)
    assert len(worth) == 5 and worth.wrong == 1
    many = sb.columns.see([EXCHANGE] * 60, ["Ke9"] * 60)
    assert many.wrong == 60 and [error.index for error in many.errors] == list(range(50))
    assert name_of(many.__arrow_c_schema__()) == "arrow_schema"
    del best
    assert len(sb.columns.hanging(fens)) == len(sb.columns.captures(fens)) == 5


def test_boards_are_columns():
    """What a file has without text goes in as FENs and moves do, of a table the column board."""
    batch = next(sb.open(FILE))
    boards = sb.open(FILE, text=False)
    assert sb.to_fen(boards) == sb.to_fen(sb.from_fen(boards)[0]) == sb.to_fen(batch.positions)
    assert sb.values(boards, boards).tolist() == sb.values(batch.positions, batch.moves).tolist()
    seen = sb.columns.see(boards, boards, wrong="raise")
    assert len(seen) == 1558 and seen.wrong == 0


@pytest.mark.parametrize("call, kind, sentence", [
    (lambda: sb.columns.see([START], ["e4"] * 2), sb.Error, "FENs ends after 1"),
    (lambda: sb.columns.see([START] * 2, ["e4"]), sb.Error, "moves ends after 1"),
    (lambda: sb.columns.best_capture(["wrong"], wrong="raise"), sb.Error, "row 0: the pieces 'wrong'"),
    (lambda: sb.columns.best_capture([START], wrong="drop"), sb.Error, "expected null or raise"),
    (lambda: sb.columns.best_capture([START], "nobody"), sb.Error, "nobody"),
    (lambda: sb.columns.best_capture([1]), TypeError, "fen 0 is 1, of the type int"),
    (lambda: sb.columns.best_capture(17), TypeError, "fens is 17, an int, expected a column of texts"),
    (lambda: sb.columns.best_capture(sb.columns.see([START], ["e4"])), sb.Error, "type 's', expected strings"),
    (lambda: sb.columns.see([START], sb.columns.captures([START])), sb.Error, r"type '\+s', expected strings"),
    (lambda: sb.from_fen(sb.columns.captures([START])), sb.Error, r"type '\+l', expected strings"),
])
def test_sentences(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_columns_do_not_leak():
    import gc
    import sys

    def measured():
        gc.collect()
        return sys.getallocatedblocks()

    def everything():
        best = sb.columns.best_capture([EXCHANGE, None, "wrong"] * 9)
        sb.columns.see([EXCHANGE, None] * 9, ["Rxe5", "?"] * 9).__arrow_c_array__()
        sb.columns.captures([START]).__arrow_c_schema__(), best.__arrow_c_array__(), sb.open(FILE).__arrow_c_schema__()
        with pytest.raises(sb.Error):
            sb.from_fen(best)
        with pytest.raises(sb.Error):
            sb.columns.see([START], best)

    everything()
    before = measured()
    for _ in range(10):  # what is leaked grows each time; what Python keeps for later does not
        for _ in range(100):
            everything()
        after = measured()
        if after - before < 50:
            return
        before = after
    pytest.fail("memory is leaked")


def test_a_pipe_is_read_once(tmp_path):
    import os
    import threading
    os.mkfifo(tmp_path / "pipe.fen")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe.fen").write_text("8/8/8/8/8/8/k7/2K5 w - - 0 1\n"))
    writer.start()
    reader = sb.open(tmp_path / "pipe.fen")
    stream = reader.__arrow_c_stream__()
    with pytest.raises(RuntimeError, match="closed"):
        reader.__arrow_c_stream__()
    with pytest.raises(RuntimeError, match="closed"):
        next(reader)
    writer.join()
    del stream


def test_results_are_sequences():
    """As lists are, with None for nulls; a repr shows values."""
    fens = [EXCHANGE, None, "wrong", START] * 5
    worth = sb.columns.see(fens, ["Rxe5", "e4", "e4", "e4"] * 5)
    values = [100, None, None, 0] * 5
    assert worth.to_list() == list(worth) == worth[:] == values and worth[0] == 100 and worth[-1] == 0
    assert worth[1:7:2] == values[1:7:2] and worth[5:2] == [] and 100 in worth and worth.name == "see"
    with pytest.raises(IndexError, match="index is 20"):
        worth[20]
    lines = repr(worth).splitlines()
    assert lines[0] == "<seebatch.columns.Column see, 20 rows, 5 wrong>" and lines[1].split() == ["0", "100"]
    assert "<td>100</td>" in worth._repr_html_() and "<td>null</td>" in worth._repr_html_()
    take = {"move": "e1e5", "value": 100}
    assert sb.columns.best_capture([EXCHANGE, START]).to_list() == [take, {"move": None, "value": None}]
    assert list(sb.columns.captures([EXCHANGE, None, START])) == [[take], None, []]
    assert sb.columns.hanging([EXCHANGE]).to_list() == [["e5"]]
    maps = sb.columns.maps([EXCHANGE], name="what")
    assert maps.name == "what" and maps[0]["white"] == memoryview(sb.maps(EXCHANGE)).tolist()[0][0]
    assert sb.columns.annotate([EXCHANGE])[0]["best_value"] == 100


def test_results_are_arrays(np):
    worth = sb.columns.see([EXCHANGE, START], ["Rxe5", "e4"])
    assert np.array(worth).dtype == "int16" and np.array(worth).tolist() == [100, 0]
    some = np.asarray(sb.columns.see([EXCHANGE, None], ["Rxe5", "e4"]))
    assert some.dtype == "float64" and some[0] == 100 and np.isnan(some[1])
    assert np.asarray(sb.columns.hanging([EXCHANGE, START])).tolist() == [["e5"], []]


def test_games_in_text():
    """One row for each move, or a list for each game; a game that is wrong says where, and the others are read."""
    games = ["1. e4 {+0.20/12} 1... e5 2. Nf3 (2. f4 exf4) 1-0", "e2e4 c7c5", None, "e4 e5 Ke3", '[FEN "%s"]\n\nRxe5 *' % EXCHANGE]
    found = sb.columns.positions(games)
    assert [(row["game"], row["ply"], row["move"], row["score"], row["result"]) for row in found] == [
        (0, 0, "e2e4", 20, 1), (0, 1, "e7e5", None, 1), (0, 2, "g1f3", None, 1), (1, 0, "e2e4", None, None),
        (1, 1, "c7c5", None, None), (4, 0, "e1e5", None, None)]
    assert found.wrong == 1 and found.errors[0].index == 3 and found.errors[0].sentence.startswith("character 7: 'Ke3'")
    fens = sb.columns.fens(games)
    assert [fens[i] and len(fens[i]) for i in range(5)] == [3, 2, None, None, 1] and fens[4] == [EXCHANGE]
    assert [fen for game in fens if game for fen in game] == [row["fen"] for row in found]
    assert sb.columns.positions(["Rxe5"], [EXCHANGE])[0]["fen"] == EXCHANGE
    assert sb.columns.fens(["e4", "e4"], [None, "wrong"]).errors[0].index == 1
    with sb.create(format="csv", columns=["game"]) as file:
        file.write_table(found)
    assert file.data.decode().splitlines()[1].endswith("e2e4,20,1.0,0,0")


@pytest.mark.parametrize("text, sentence", [
    ("e4 1-0 e5", "character 8: 'e5' follows the result"),
    ("e4 {+0.5.7/12} 1-0", r"character 5: the score '\+0.5.7' in the comment"),
    ("e4 {no end", "character 4: the comment that begins here has no end"),
    ("e4 (d4", "character 4: the variation that begins here has no end"),
    ("e4 -- d4", "character 4: '--' is a null move"),
    ('[FEN "wrong"] e4', "character 1: the tag FEN: the pieces 'wrong'"),
])
def test_games_that_are_wrong(text, sentence):
    with pytest.raises(sb.Error, match="row 1: " + sentence):
        sb.columns.positions(["e4", text], wrong="raise")


def test_a_surrogate_is_a_fault():
    assert sb.columns.fens(["e4", "\udc80"]).errors[0].index == 1
    best = sb.columns.best_capture([EXCHANGE, "\udc80"])
    assert best.wrong == 1 and best.errors[0].index == 1
    assert [fault.index for fault in sb.from_fen([START, "\udc80"])[1]] == [1]
    assert [fault.index for fault in sb.moves_from_text([START] * 2, ["e4", "\udc80"])[1]] == [1]
