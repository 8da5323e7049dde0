"""Columns in the engines that people use, at the versions of tests/versions.txt: scripts/test columns and clusters make
an environment with them. What is missing is skipped, by name."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
import seebatch as sb
from conftest import DATA, PROJECT
from seebatch import columns

pa = pytest.importorskip("pyarrow", reason="pyarrow is not here: scripts/test columns")
pytest.importorskip("pyarrow.parquet")

PARTS = 12
EXAMPLES = PROJECT / "bindings/python/examples/columns"
FILES = [DATA / "formats/own.binpack", DATA / "formats/own.plain", DATA / "formats/own.binpack"]
EXCHANGE, START = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FENS, MOVES = [EXCHANGE, START, None, "wrong", EXCHANGE, EXCHANGE], ["Rxe5", "e2e4", "e4", "e4", None, "e1e2"]


# ---- Files as tables -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batch():
    return next(sb.open(FILES[0]))


def test_a_file_is_a_table_of_pyarrow(batch):
    table = pa.table(sb.open(FILES[0], batch=100))
    assert table.column_names == ["fen", "move", "score", "result", "ply"] and table["fen"].num_chunks == 16
    assert table["fen"].to_pylist() == sb.to_fen(batch.positions)
    assert table["move"].to_pylist() == sb.moves_to_text(batch.positions, batch.moves)
    assert table["score"].to_pylist() == batch.scores.tolist() and table["ply"].to_pylist() == batch.plies.tolist()
    assert table["result"].to_pylist() == batch.results.tolist()
    table.validate(full=True)
    assert pa.schema(sb.open(FILES[0])) == table.schema


def test_a_file_is_a_table_elsewhere(batch):
    pd, pl, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    total = sum(batch.scores.tolist())
    reader = sb.open(FILES[0])
    assert pl.DataFrame(reader)["score"].sum() == pd.DataFrame.from_arrow(reader)["score"].sum() == total
    assert duckdb.sql("select count(*), sum(score), count(distinct fen) from reader").fetchall()[0][:2] == (1558, total)


def test_what_is_wrong_in_a_file_is_said():
    text = (START + "\n" + "wrong\n" * 60 + START + "\n").encode()
    with pytest.warns(UserWarning, match="memory:2: the pieces 'wrong'.*and 49 more"):
        reader = sb.open(data=text, format="fen")
        assert pa.table(reader).num_rows == 2
    assert len(reader.error_reports) == 50 and reader.counts["bad"] == 60
    with pytest.raises(pa.ArrowInvalid, match="memory:2: the pieces 'wrong'"):
        pa.table(sb.open(data=text, format="fen", strict=True))
    duckdb = pytest.importorskip("duckdb")
    strict = sb.open(data=text, format="fen", strict=True)
    with pytest.raises(duckdb.Error, match="memory:2: the pieces 'wrong'"):
        duckdb.sql("select * from strict").fetchall()


@pytest.mark.filterwarnings("error")
def test_strict_reading_raises_and_does_not_warn():
    with pytest.raises(pa.ArrowInvalid, match="memory:1: the pieces 'wrong'"):
        pa.table(sb.open(data=b"wrong\n", format="fen", strict=True))


@pytest.mark.filterwarnings("error")
def test_a_warning_that_is_an_error_is_one():
    with pytest.raises(pa.ArrowInvalid, match="memory:1: the pieces 'wrong'"):
        pa.table(sb.open(data=b"wrong\n", format="fen"))


def test_arrays_outlive_the_reader():
    reader = sb.open(FILES[0], batch=10)
    stream = pa.RecordBatchReader.from_stream(reader)
    first = stream.read_next_batch()
    fen = first["fen"]
    reader.close()
    del first, stream, reader
    assert fen.to_pylist()[0] == START


# ---- Tables as files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [True, False])
def test_boards_and_moves_as_numbers(batch, text):
    table = pa.table(sb.open(FILES[0], batch=100, text=text))
    assert table.column_names[0] == ("fen" if text else "board")
    if not text:
        assert table.schema.types[:2] == [pa.binary(48), pa.uint16()]
        assert table["move"].to_pylist() == batch.moves.tolist()
        assert b"".join(table["board"].to_pylist()) == batch.positions.tobytes()


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("format", ["binpack", "plain", "csv"])
def test_tables_become_files(batch, format, text):
    """As they are, and through each engine."""
    pd, pl, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    with sb.create(format=format) as arrays:
        arrays.write(*batch)
    found = pa.table(sb.open(FILES[0], text=text))
    tables = [sb.open(FILES[0], text=text, batch=100), found, pa.RecordBatchReader.from_stream(found)]
    tables += [pl.DataFrame(found), pl.DataFrame(found).lazy().collect(), found.to_pandas(), duckdb.sql("from found")]
    for table in tables:
        with sb.create(format=format) as writer:
            writer.write_table(table)
        assert writer.data == arrays.data and writer.error_reports == [] and writer.counts["written"] == 1558


def test_rows_that_cannot_be_written_are_said():
    table = pa.table({"fen": [*FENS, None], "move": [*MOVES, "e4"], "depth": range(7)})
    with pytest.raises(sb.Error, match="'depth' would be lost"), sb.create(format="csv") as writer:
        writer.write_table(table)
    with sb.create(format="csv", holds=1, columns=["depth"]) as writer:
        writer.write_table(table)
    assert [line.split(":")[1] for line in writer.error_reports] == ["3", "4", "7"] and writer.counts["bad"] == 3
    assert writer.data.decode().splitlines() == [
        "fen,move,depth", f"{EXCHANGE},e1e5,0", f"{START},e2e4,1", f"{EXCHANGE},,4", f"{EXCHANGE},e1e2,5"]
    with pytest.raises(TypeError, match="__arrow_c_stream__"), sb.create(format="csv") as writer:
        writer.write_table([START])


# ---- Columns in ------------------------------------------------------------------------------------------------------


def kinds():
    yield "list", lambda texts: texts
    for name in ("string", "large_string", "string_view", "binary", "large_binary", "binary_view"):
        yield name, lambda texts, name=name: pa.array(texts, getattr(pa, name)())
    yield "dictionary", lambda texts: pa.array(texts).dictionary_encode()
    yield "chunks", lambda texts: pa.chunked_array([texts[:2], [], texts[2:]])
    yield "slice", lambda texts: pa.array([None, "x", *texts, "x"])[2:-1]
    yield "struct", lambda texts: pa.array([{"fen": text, "move": text} for text in ["x", *texts]])[1:]
    yield "table", lambda texts: pa.table({"number": range(len(texts)), "fen": texts, "move": texts})
    yield "polars", lambda texts: pytest.importorskip("polars").Series(texts)
    yield "polars.Categorical", lambda texts: (pl := pytest.importorskip("polars")).Series(texts, dtype=pl.Categorical)
    yield "pandas", lambda texts: pytest.importorskip("pandas").Series(texts)
    yield "pandas.category", lambda texts: pytest.importorskip("pandas").Series(texts, dtype="category")
    yield "pandas.object", lambda texts: pytest.importorskip("pandas").Series(texts, dtype="object")


@pytest.mark.parametrize("kind", [pytest.param(make, id=name) for name, make in kinds()])
def test_every_kind_of_strings(kind):
    fens, moves = kind(FENS), kind(MOVES)
    worth = columns.see(fens, moves)
    assert pa.array(worth).to_pylist() == [100, 0, None, None, None, 0]
    assert worth.wrong == 1 and [error.index for error in worth.errors] == [3]
    best = pa.array(columns.best_capture(fens))
    take = {"move": "e1e5", "value": 100}
    none = {"move": None, "value": None}
    assert best.to_pylist() == [take, none, none, none, take, take]
    assert pa.array(columns.captures(fens)).to_pylist() == [[take], [], None, None, [take], [take]]
    assert pa.array(columns.hanging(fens)).to_pylist() == [["e5"], [], None, None, ["e5"], ["e5"]]
    if not isinstance(fens, list):
        pos, errors = sb.from_fen(fens)
        assert len(pos) == 6 and [error.index for error in errors] == [2, 3] and "null" in errors[0].sentence
        assert sb.to_fen(sb.from_fen(fens, wrong="drop")[0]) == [EXCHANGE, START, EXCHANGE, EXCHANGE]
        with pytest.raises(sb.Error, match="FEN 2: "):
            sb.from_fen(fens, wrong="raise")


def test_moves_as_numbers():
    numbers = [2308, 28 << 6 | 12, 0xffff, None]
    for kind in (pa.uint16(), pa.int32(), pa.int64()):
        worth = columns.see([EXCHANGE, START, START, START], pa.array(numbers, kind))
        assert pa.array(worth).to_pylist() == [100, 0, None, None] and worth.wrong == 1


def lists():
    """Ways to write lists of moves: short and long, a slice, in chunks, in a struct, by Polars."""
    yield lambda rows: pa.array(rows, pa.list_(pa.string()))
    yield lambda rows: pa.array(rows, pa.large_list(pa.large_string()))
    yield lambda rows: pa.array([["x"], *rows], pa.list_(pa.string())).slice(1)
    yield lambda rows: pa.table({"move": pa.chunked_array([rows[:2], rows[2:]], pa.list_(pa.string()))})
    yield lambda rows: pa.StructArray.from_arrays([pa.array(rows, pa.list_(pa.string()))], ["move"])
    yield lambda rows: pytest.importorskip("polars").Series(rows)


@pytest.mark.parametrize("kind", list(lists()))
def test_lists_of_moves(kind):
    """As many values as moves; nulls and what is wrong are null, and only what is wrong is a fault."""
    fens = [EXCHANGE, START, None, "wrong", EXCHANGE, EXCHANGE]
    moves = [["Rxe5", "e1e6", None, "e1d1"], [], ["e4"], ["e4"], None, ["e1e5", "Rd1"]]
    worth = columns.see(pa.array(fens), kind(moves))
    assert pa.array(worth).to_pylist() == [[100, None, None, 0], [], None, None, None, [100, 0]]
    assert worth.wrong == 2 and [error.index for error in worth.errors] == [0, 3]


def test_lists_of_numbers(batch):
    """All legal moves of each position, as a policy network asks: the values of the arrays."""
    moves, offsets = sb.legal_moves(batch.positions)
    for kind in (pa.uint16(), pa.int64()):
        lists = pa.ListArray.from_arrays(pa.array(offsets.tolist(), pa.int32()), pa.array(moves.tolist(), kind))
        worth = pa.array(columns.see(pa.array(sb.to_fen(batch.positions)), lists))
        assert worth.flatten().to_pylist() == sb.values(batch.positions, moves, offsets).tolist()
        assert worth.offsets.to_pylist() == offsets.tolist()
    pairs = pa.FixedSizeListArray.from_arrays(pa.array(["Rxe5", "e1d1"] * 2), 2)
    assert pa.array(columns.see([EXCHANGE] * 2, pairs)).to_pylist() == [[100, 0]] * 2


def test_a_text_of_2_to_the_31_characters():
    """As long as an array of utf8 may not be; as large_utf8 it may. It is wrong, and the next one is read."""
    if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < 16 << 30:
        pytest.skip("it takes 8 GiB")
    data = pa.py_buffer(b"8" * 2**31 + EXCHANGE.encode())
    ends = pa.array([0, 2**31, 2**31 + len(EXCHANGE)], pa.int64()).buffers()[1]
    worth = columns.best_capture(pa.LargeStringArray.from_buffers(2, ends, data))
    assert pa.array(worth).to_pylist()[1] == {"move": "e1e5", "value": 100} and worth.wrong == 1
    assert len(worth.errors) == 1 and worth.errors[0].index == 0 and len(worth.errors[0].sentence) < 300


def test_functions_of_arrays_take_columns(batch):
    """As positions and as moves; nulls and wrong texts raise."""
    table = pa.table(sb.open(FILES[0], batch=100))
    pl = pytest.importorskip("polars")
    pos, moves = batch.positions, batch.moves
    worth = sb.values(pos, moves).tolist()
    numbers = pa.table(sb.open(FILES[0], text=False))["move"]
    for fens, texts in ((table, table), (table["fen"], numbers), (pl.Series(table["fen"]), pl.DataFrame(table)),
                        (table["fen"].combine_chunks(), pa.array(moves)), (pos, table["move"])):
        assert sb.values(fens, texts).tolist() == worth
        assert sb.moves_from_text(fens, texts)[0].tolist() == moves.tolist()
    fens = table["fen"]
    table = pa.table(sb.open(FILES[0], text=False, batch=100))
    for boards in (table, table["board"], pl.DataFrame(table), pl.DataFrame(table)["board"], table["board"].combine_chunks()):
        assert sb.to_fen(boards) == fens.to_pylist()
        assert pa.array(columns.see(boards, table["move"])).to_pylist() == worth
    damaged = pa.array([bytes(48), None, sb.from_fen(EXCHANGE)[0].tobytes()], pa.binary(48))
    with pytest.raises(sb.Error, match="FEN 0: .*king"):
        sb.maps(damaged)
    best = columns.best_capture(damaged)
    assert best.wrong == 1 and "king" in best.errors[0].sentence and pa.array(best).field(0).null_count == 2
    assert (sb.maps(fens) == sb.maps(pos)).all() and sb.to_fen(fens) == fens.to_pylist()
    assert (sb.any_capture(fens) == sb.any_capture(pos)).all()
    captures, off = sb.legal_moves(fens, "captures")
    texts = pa.array(sb.moves_to_text(pos, captures, off))
    assert sb.order(fens, texts, off)[0].tolist() == sb.order(pos, captures, off)[0].tolist()
    for wrong, sentence in ((pa.array(["wrong"]), "FEN 0: the pieces"), (pa.array([None, START]), "FEN 0: there is no text"),
                            (pa.array([1]), "expected strings")):
        for call in (sb.maps, sb.legal_moves, sb.any_capture, sb.to_fen, sb.checked):
            with pytest.raises(sb.Error, match=sentence):
                call(wrong)
    for moves, sentence in ((["e2e4", None], "move 1: there is no text"), (["e2e5", "e4"], "move 0: .*e2e5"),
                            ([1.5, 2], "expected strings")):
        with pytest.raises(sb.Error, match=sentence):
            sb.values(pa.array([START, START]), pa.array(moves))
    found, errors = sb.moves_from_text(pa.array([START] * 3), pa.array(["e4", None, "Ke2"]))
    assert found.tolist() == [28 << 6 | 12, 0, 0] and [error.index for error in errors] == [1, 2]


def test_results_are_columns_everywhere():
    pd, pl, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    best = columns.best_capture(FENS)
    expected = ["e1e5", None, None, None, "e1e5", "e1e5"]
    assert pl.Series(best).struct["move"].to_list() == expected == pa.table(best)["move"].to_pylist()
    assert pd.DataFrame.from_arrow(best)["value"].sum() == 300
    found = pa.table(best)
    assert duckdb.sql("select move from found").fetchall() == [(move,) for move in expected]
    for column in (columns.see(FENS, MOVES), best, columns.captures(FENS), columns.hanging(FENS), columns.hanging([]),
                   columns.moves(FENS), columns.maps(FENS), columns.annotate(FENS), columns.annotate([]), columns.maps([])):
        array = pa.array(column)
        array.validate(full=True)
        assert pa.array(column).equals(array) and len(array) == len(column)
        assert pa.DataType._import_from_c_capsule(column.__arrow_c_schema__()) == array.type
    text = pa.array(best).field("move")
    del best, column
    assert text.to_pylist() == expected


@pytest.mark.parametrize("wrong", [
    pa.array([1, 2]), pa.array([1.5]), pa.array([[START]]), pa.array([True]), pa.table({"a": [START], "b": [START]})])
def test_columns_of_another_type(wrong):
    for call in (columns.best_capture, columns.captures, columns.hanging, sb.from_fen):
        with pytest.raises(sb.Error, match="expected"):
            call(wrong)


def test_a_stream_that_fails_in_the_middle():
    def batches():
        yield pa.record_batch({"fen": [START] * 3000})
        raise OSError("the disk is on fire")

    schema = pa.schema({"fen": pa.string()})
    for call in (columns.best_capture, sb.from_fen):
        with pytest.raises(sb.Error, match="the disk is on fire"):
            call(pa.RecordBatchReader.from_batches(schema, batches()))
    with pytest.raises(OSError, match="the disk is on fire"), sb.create(format="fen") as writer:
        writer.write_table(pa.RecordBatchReader.from_batches(schema, batches()))
    assert writer.data is None and writer.counts["written"] == 3000


def test_a_stream_that_was_used():
    stream = pa.table({"fen": [START]}).__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return stream

    assert len(columns.best_capture(Once())) == 1
    with pytest.raises(TypeError, match="already been used"):
        columns.best_capture(Once())


def test_a_column_of_wrong_fens():
    column = pa.array(["8/8 w"] * 200_000 + [EXCHANGE])
    best = columns.best_capture(column)
    assert best.wrong == 200_000 and [error.index for error in best.errors] == list(range(50))
    assert pa.array(best).field("value").null_count == 200_000
    pos, errors = sb.from_fen(column)
    assert len(pos) == 200_001 and len(errors) == 51 and errors[-1] == (-1, "199950 more texts are wrong")
    assert len(sb.from_fen(column, wrong="drop")[0]) == 1


def test_threads_give_the_same():
    table = pa.table(sb.open(FILES[0]))
    many = pa.concat_tables([table] * 30)
    for call in (columns.best_capture, columns.captures, columns.hanging, columns.moves, columns.maps, columns.annotate):
        assert pa.array(call(many)).equals(pa.array(call(many["fen"], threads=2)))
    assert pa.array(columns.see(many, many)).equals(pa.array(columns.see(many["fen"], many["move"].combine_chunks(), threads=2)))


def test_values_are_those_of_arrays(batch):
    table = pa.table(sb.open(FILES[0]))
    for rules in ("legal", "swap", "stockfish"):
        assert pa.array(columns.see(table, table, rules)).to_pylist() == sb.values(batch.positions, batch.moves, None, rules).tolist()
        moves, off = sb.legal_moves(batch.positions, "captures")
        ordered, worth, _ = sb.order(batch.positions, moves, off, 0, rules)
        texts = sb.moves_to_text(batch.positions, ordered, off)
        rows = [[{"move": texts[k], "value": worth[k]} for k in range(off[i], off[i + 1])] for i in range(len(batch.positions))]
        assert pa.array(columns.captures(table, rules)).to_pylist() == rows
        best = pa.array(columns.best_capture(table, rules)).field("value").to_pylist()
        assert best == [row[0]["value"] if row else None for row in rows]


def test_annotations_maps_and_moves_are_those_of_arrays(batch):
    """And of several best captures the first in the alphabet, as seebatch annotate has it."""
    table = pa.table(sb.open(FILES[0]))
    pos = batch.positions
    for rules in ("legal", "monty"):  # which lets some captures pass
        maps = sb.maps(pos, rules)
        found = pa.table(columns.maps(table, rules))
        for side, name in enumerate(("white", "black")):
            assert found[name].type == pa.list_(pa.field("item", pa.int16(), False), 64)
            assert found[name].to_pylist() == maps[:, side].tolist()
        moves, off = sb.legal_moves(pos, "captures")
        worth, texts, rows = sb.values(pos, moves, off, rules).tolist(), sb.moves_to_text(pos, moves, off), []
        for i in range(len(pos)):
            row = [(-worth[k], texts[k]) for k in range(off[i], off[i + 1])]
            real = [-value for value, _ in row if value != -32767]
            best = min(((value, text) for value, text in row if value != -32767), default=(None, None))
            rows.append({"best_capture": best[1], "best_value": None if best[0] is None else -best[0],
                         "winning": sum(value > 0 for value in real), "equal": real.count(0),
                         "losing": sum(value < 0 for value in real), "passing": len(row) - len(real),
                         "hanging_white": maps[i, 1].sum(), "hanging_black": maps[i, 0].sum()})
        assert pa.array(columns.annotate(table, rules)).to_pylist() == rows
        moves, off = sb.legal_moves(pos)
        ordered, worth, _ = sb.order(pos, moves, off, 0, rules)
        texts, lists = sb.moves_to_text(pos, ordered, off), pa.array(columns.moves(table, rules))
        assert lists.flatten().to_pylist() == [{"move": text, "value": value} for text, value in zip(texts, worth)]
        assert lists.offsets.to_pylist() == off.tolist()


def test_annotations_are_those_of_the_tool(tool):
    import io
    csv = pytest.importorskip("pyarrow.csv")
    path = DATA / "games.fen"
    for rules in ("legal", "monty"):
        names = [f.name for f in pa.schema(columns.annotate([START]))]
        told = csv.read_csv(io.BytesIO(tool("annotate", "--to", "csv", "--rules", rules, "--columns", ",".join(names), path)))
        assert pa.table(columns.annotate(told["fen"], rules)).to_pydict() == {
            name: [value if value != "" else None for value in told[name].to_pylist()] for name in names}


def test_columns_of_pandas_in_the_memory_of_arrow(fens):
    """to_pandas() has the values of to_list(), in the rows of the table that they were computed of, whatever its index."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"fen": [*fens[:200], None, "wrong"]})
    frame = frame[frame.index % 3 != 0].iloc[::-1].rename(index=lambda row: row * 7)
    plain = [fen if isinstance(fen, str) else None for fen in frame["fen"]]
    for compute in (columns.captures, columns.best_capture, columns.hanging, columns.maps, columns.annotate):
        found = compute(frame["fen"])
        frame[found.name] = found.to_pandas()
        assert isinstance(frame[found.name].dtype, pd.ArrowDtype)
        assert pa.array(frame[found.name]).to_pylist() == found.to_list() == compute(plain).to_list()
    some = frame[["fen"]].iloc[2:]
    some = some[[len(sb.legal_moves(fen)[0]) > 0 for fen in some["fen"]]]
    moves = [sb.moves_to_text(fen, sb.legal_moves(fen)[0][:1])[0] for fen in some["fen"]]
    some = some.assign(move=moves)
    some["value"] = columns.see(some["fen"], some["move"]).to_pandas()
    assert [sb.see(fen, move) for fen, move in zip(some["fen"], moves)] == some["value"].tolist()
    games = pd.Series(["e4 e5", "d4"], index=[8, 9])
    assert columns.fens(games).to_pandas().index.tolist() == [8, 9]
    assert columns.positions(games).to_pandas().index.tolist() == [0, 1, 2] and len(columns.captures(fens[:3]).to_pandas()) == 3


# ---- Examples --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    path = tmp_path_factory.mktemp("columns") / "evaluations.parquet"
    subprocess.run([sys.executable, EXAMPLES / "make_parquet.py", path, *FILES], check=True)
    return path


@pytest.fixture(scope="module")
def expected():
    """Counted position by position."""
    rows = hanging = taken = 0
    for path in FILES:
        for batch in sb.open(path):
            moves, off = sb.legal_moves(batch.positions, "captures")
            worth = sb.values(batch.positions, moves, off).tolist()
            for i, move in enumerate(batch.moves.tolist()):
                row = worth[off[i]:off[i + 1]]
                rows += 1
                if row and max(row) >= 300:
                    hanging += 1
                    taken += moves[off[i] + row.index(max(row))] == move
    assert 0 < taken < hanging < rows == 3 * 1558
    return f"{rows} {hanging} {taken}"


def need_java():
    if shutil.which("java") is None:
        pytest.skip("java is not here: Spark needs one (Debian: openjdk-17-jre-headless)")


@pytest.mark.parametrize("name", ["pyarrow", "polars", "pandas", "duckdb", "dask", "pyspark", "ray"])
def test_examples(name, parquet, expected):
    pytest.importorskip(name)
    if name == "pyspark":
        need_java()
    path = EXAMPLES / f"hanging_{name.removeprefix('py') if name == 'pyspark' else name}.py"
    assert len(path.read_text().splitlines()) <= 30
    done = subprocess.run([sys.executable, path, parquet], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == expected


def test_evaluations_become_training_data(tmp_path):
    """The best line of the deepest evaluation of each position in which no capture wins anything."""
    pytest.importorskip("duckdb")
    quiet, black = START.rsplit(" ", 2)[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    rows = [(quiet, "e2e4 e7e5", 20, 30, 900, None), (quiet, "d2d4 d7d5", 30, 70, 12, None),
            (quiet, "c2c4", 30, 70, 25, None), (EXCHANGE, "e1e5", 40, 90, 500, None),
            (black, "e7e5", 50, 10, 40, None), (black, "d7d5 e4d5", 50, 10, -15, None), (black, "a7a6", 50, 9, -99, None),
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - -", "d1d8", 9, 1, None, 1)]
    names = ["fen", "line", "depth", "knodes", "cp", "mate"]
    types = [pa.string(), pa.string(), pa.uint8(), pa.uint32(), pa.int32(), pa.int32()]
    pa.parquet.write_table(pa.table([pa.array(column, kind) for column, kind in zip(zip(*rows), types)], names=names),
                           tmp_path / "a.parquet")
    done = subprocess.run([sys.executable, EXAMPLES / "evaluations_duckdb.py", tmp_path / "a.csv", tmp_path / "a.parquet"],
                          capture_output=True, text=True, check=True)
    assert done.stdout == "3 positions written, 0 bad rows\n"
    found = pa.table(sb.open(tmp_path / "a.csv")).to_pylist()
    assert sorted((row["move"], row["score"]) for row in found) == [("c2c4", 25), ("d1d8", 31999), ("d7d5", -15)]


# ---- Clusters --------------------------------------------------------------------------------------------------------


def test_dask_survives_a_worker_that_is_killed(parquet, expected):
    distributed, dd = pytest.importorskip("distributed"), pytest.importorskip("dask.dataframe")
    sys.path.insert(0, str(EXAMPLES))
    import hanging_dask
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(EXAMPLES), os.environ.get("PYTHONPATH"))))
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        parts = dd.read_parquet(parquet, columns=["fen", "line"], split_row_groups=True)
        counts = parts.map_partitions(hanging_dask.count, meta={"rows": int, "hanging": int, "taken": int})
        assert counts.npartitions > 4
        futures = client.compute(counts.to_delayed())
        distributed.wait(futures[:2])
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        frames = client.gather(futures)
    assert " ".join(str(sum(frame[name].sum() for frame in frames)) for name in ("rows", "hanging", "taken")) == expected


@pytest.fixture
def examples_importable(monkeypatch):
    """Here and in processes that are started."""
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(EXAMPLES), os.environ.get("PYTHONPATH")))))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)


def slowly(count, folder):
    """The same work, half a second a batch, with a file in folder as each begins."""
    def work(batch):
        import pathlib
        import time
        import uuid
        pathlib.Path(folder, uuid.uuid4().hex).touch()
        time.sleep(0.5)
        return count(batch)
    return work


def in_the_middle(folder, kill, job):
    """The result of job(); kill() is called once it has begun its fourth batch."""
    def wait():
        deadline = time.monotonic() + 300
        while len(os.listdir(folder)) < 4 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(os.listdir(folder)) < PARTS
        kill()
        killed.append(True)

    killed: list = []
    killer = threading.Thread(target=wait)
    killer.start()
    result = job()
    killer.join()
    assert killed and len(os.listdir(folder)) > PARTS  # what the killed one was at is done again
    return result


def below(pid):
    """The processes that a process has started, and theirs, with their command lines."""
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            command = (path / "cmdline").read_text()
        except (OSError, ValueError):
            continue
        if parent == pid:
            yield int(path.name), command
            yield from below(int(path.name))


def test_spark_survives_a_worker_that_is_killed(parquet, expected, tmp_path, examples_importable):
    sql = pytest.importorskip("pyspark.sql")
    need_java()
    import hanging_spark

    def kill():
        executors = [pid for pid, command in below(os.getpid()) if "CoarseGrainedExecutorBackend" in command]
        assert len(executors) == 2
        os.kill(executors[0], signal.SIGKILL)

    work = slowly(lambda batch: next(hanging_spark.count([batch])), str(tmp_path))
    spark = (sql.SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "512m")
             .config("spark.ui.enabled", "false").getOrCreate())
    try:
        parts = spark.read.parquet(str(parquet)).select("fen", "line").repartition(PARTS)
        counts = parts.mapInArrow(lambda batches: map(work, batches), "n long, hanging long, taken long")
        assert " ".join(map(str, in_the_middle(tmp_path, kill, counts.groupBy().sum().first))) == expected
    finally:
        spark.stop()


def test_ray_survives_a_worker_that_is_killed(parquet, expected, tmp_path, examples_importable):
    """A node of two, with all that runs on it."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster
    import hanging_ray
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        table = ray.data.from_arrow([pa.parquet.read_table(parquet, columns=["fen", "line"])]).repartition(PARTS)
        counts = table.map_batches(slowly(hanging_ray.count, str(tmp_path)), batch_format="pyarrow", batch_size=None)
        rows = in_the_middle(tmp_path, lambda: cluster.remove_node(nodes[1], allow_graceful=False), counts.take_all)
        assert " ".join(str(sum(row[name] for row in rows)) for name in ("n", "hanging", "taken")) == expected
    finally:
        ray.shutdown()
        cluster.shutdown()


# ---- Games in text ---------------------------------------------------------------------------------------------------


def test_games_are_positions_in_each_engine():
    """Exploded, and as lists of FENs; a game that is wrong stands in errors, and the others are read."""
    games = ["1. e4 { [%eval 0.17] } 1... c5 2. Nf3 1-0", None, "e2e4 e7e5", "1. e4 e5 2. Ke3", ""]
    positions, fens = columns.positions(games), columns.fens(games)
    assert [fault.index for fault in positions.errors] == [fault.index for fault in fens.errors] == [3]
    rows = pa.record_batch(positions).to_pylist()
    assert [row["game"] for row in rows] == [0, 0, 0, 2, 2] and [row["ply"] for row in rows] == [0, 1, 2, 0, 1]
    assert [row["move"] for row in rows] == ["e2e4", "c7c5", "g1f3", "e2e4", "e7e5"]
    assert [row["score"] for row in rows] == [None, 17, None, None, None]
    assert [row["result"] for row in rows] == [1, 1, 1, None, None]
    lists = pa.array(fens)
    assert lists.null_count == 2 and pa.array(positions).field("fen").equals(lists.flatten())
    pa.array(positions).validate(full=True), lists.validate(full=True)
    for column in (pa.table({"movetext": pa.array(games), "white": games}), pa.array(games, pa.large_string()),
                   pa.chunked_array([games[:2], games[2:]], pa.string_view())):
        assert columns.positions(column).to_list() == positions.to_list()
    with pytest.raises(sb.Error, match="row 3: character 13: 'Ke3' is not a legal move"):
        columns.positions(games, wrong="raise")
    pd, pl, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    table = pl.DataFrame({"movetext": games, "elo": range(5)}).with_row_index("game")
    joined = pl.DataFrame(columns.positions(table)).join(table, on="game", how="left")
    assert joined["elo"].to_list() == [0, 0, 0, 2, 2]
    assert table.with_columns(pl.Series(fens))["fens"].list.len().to_list() == [3, None, 2, None, 0]
    found = pa.record_batch(columns.positions(pd.DataFrame({"movetext": games})["movetext"]))
    assert found.to_pylist() == rows
    assert duckdb.sql("select count(*), sum(ply) from found").fetchall() == [(5, 4)]


def test_positions_of_games_become_files(tmp_path):
    games = pa.table({"movetext": ["1. e4 {+0.20/12} e5 {0.00/10} 2. Nf3 {+0.30/9} 1/2-1/2"]})
    with sb.create(tmp_path / "a.plain", lose="columns") as file:
        file.write_table(columns.positions(games))
    assert pa.table(sb.open(tmp_path / "a.plain"))["score"].to_pylist() == [20, 0, 30]


# ---- What people write first -----------------------------------------------------------------------------------------


def test_columns_in_pandas():
    """A column of a frame has a value for each row, and a reader says how it becomes a frame."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"fen": [EXCHANGE, START], "move": ["Rxe5", "e4"]})
    frame["value"] = columns.see(frame["fen"], frame["move"])
    frame["best"] = columns.best_capture(frame["fen"])
    assert frame["value"].tolist() == [100, 0] and frame["best"][0] == {"move": "e1e5", "value": 100}
    assert sb.values(frame["fen"], frame["move"]).tolist() == sb.values(frame["fen"].astype(object), frame["move"].tolist()).tolist()
    with pytest.raises(TypeError, match="expected pandas.DataFrame.from_arrow"):
        pd.DataFrame(sb.open(FILES[0]))


def test_columns_have_names():
    """Polars and pyarrow take the name from the schema; two results do not overwrite one another."""
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"fen": [EXCHANGE], "move": ["Rxe5"]})
    frame = frame.with_columns(pl.Series(columns.best_capture(frame["fen"], name="best")),
                               pl.Series(columns.see(frame["fen"], frame["move"])), pl.Series(columns.hanging(frame["fen"])))
    assert frame.columns == ["fen", "move", "best", "see", "hanging"]
