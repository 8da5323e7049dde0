"""The same answers as the command-line tool gives: every rule set, kernel and format."""
import array
import threading

import pytest
import seebatch as sb
from conftest import DATA, GAME, listed

FILES = sorted(path for path in (DATA / "formats").glob("own*") if path.suffix in (".bin", ".binpack", ".plain", ".vf"))


def format_of(path):
    return {"own-bullet": "bulletformat", "own-marlin": "marlinformat"}.get(path.stem)


@pytest.mark.parametrize("rules", sb.rule_sets())
def test_values(tool, rules, games, fens):
    pos, captures, every = games
    text = "\n".join(fens)
    for (moves, off), chosen in ((captures, "captures"), (every, "all")):
        rows = [line.split("\t")[1:] for line in
                tool("eval", "--rules", rules, "--moves", chosen, text=text).decode().splitlines()]
        worth = listed(sb.values(pos, moves, off, rules, threads=2))
        assert list(zip(sb.moves_to_text(pos, moves, off), map(str, worth))) == [tuple(row) for row in rows]
        assert listed(sb.ge(pos, moves, off, 25, rules)) == [value >= 25 for value in worth]
        each = array.array("h", [min(value + k % 3 - 1, 32767) for k, value in enumerate(worth)])
        assert listed(sb.ge(pos, moves, off, each, rules, threads=2)) == [v >= t for v, t in zip(worth, each)]
    moves, off = captures
    own = memoryview(pos).tobytes()
    values = (90, 300, 310, 450, 900)
    assert listed(sb.values(own, moves, off, rules, values)) == listed(sb.values(pos, moves, off, rules, values))
    some = sb.take(pos, range(0, 2000, 50))
    moves, off = sb.legal_moves(some)
    worth = listed(sb.values(some, moves, off, rules))
    fen, texts = sb.to_fen(some), sb.moves_to_text(some, moves, off, "san")
    for i in range(len(some)):
        for k in range(off[i], off[i + 1]):
            assert sb.see(fen[i], texts[k], rules) == sb.explain(fen[i], int(moves[k]), rules).value == worth[k]


@pytest.mark.parametrize("rules", sb.rule_sets())
def test_maps_order_and_lengths(tool, rules, games, fens):
    pos = sb.take(games[0], range(200))
    moves, off = sb.legal_moves(pos, "captures")
    maps = listed(sb.maps(pos, rules, threads=2))
    rows = tool("map", "--rules", rules, "--format", "tsv", text="\n".join(fens[:200])).decode().splitlines()
    names = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
    found = [f"{fens[i]}\t{'wb'[side]}\t{names[square]}\t{maps[i][side][square]}" for i in range(200)
             for side in range(2) for square in range(64) if maps[i][side][square]]
    assert sorted(found) == sorted(rows) and len(rows) > 100
    squares, colors = [i % 64 for i in range(200)], [i % 2 for i in range(200)]
    assert listed(sb.square_values(pos, squares, colors, rules)) == [maps[i][i % 2][i % 64] for i in range(200)]
    ordered, worth, good = map(listed, sb.order(pos, moves, off, 0, rules, threads=2))
    values = listed(sb.values(pos, moves, off, rules))
    lengths = listed(sb.lengths(pos, moves, off, rules))
    any_good = listed(sb.any_capture(pos, 0, rules))
    for i in range(200):
        row = slice(off[i], off[i + 1])
        assert sorted(zip(listed(moves)[row], values[row])) == sorted(zip(ordered[row], worth[row]))
        assert worth[row] == sorted(worth[row], reverse=True) and good[i] == sum(v >= 0 for v in worth[row])
        assert any_good[i] == (good[i] > 0)
    fen = sb.to_fen(pos)
    for i in (1, 17, 150):
        for k in range(off[i], off[i + 1]):
            assert len(sb.explain(fen[i], int(moves[k]), rules).captures) == lengths[k]


@pytest.mark.parametrize("conditions", [["in-check"], ["any-capture=-50..50"], ["any-capture=0.."], ["any-capture=0..", "in-check"],
                                        ["quiet"], ["phase=10..20", "pieces=..28"],
                                        ["(quiet and pieces < 28) or threat >= 300"], ["not (in-check or count(Qq) > 1)"]])
def test_filter(tool, conditions, games, fens, tmp_path):
    (tmp_path / "a.fen").write_text("\n".join(fens) + "\n")
    for option in ("keep", "drop"):
        words = [word for condition in conditions for word in (f"--{option}", condition)]
        kept = tool("filter", "--quiet", *words, tmp_path / "a.fen").decode().splitlines()
        flags = listed(sb.filter(games[0], **{option: conditions}))
        assert [fen for fen, flag in zip(fens, flags) if flag] == kept and 0 < len(kept) < len(fens)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("options", [{"keep": "quiet and abs(score) < 500"}, {"keep": ["score < 100", "move != king"], "drop": "capture=0.."},
                                     {"keep": "chance=0.3", "seed": 5}, {"keep": "file=own-*", "drop": "file != *n or in-check"},
                                     {"drop": "capture < 0", "rules": "swap", "piece_values": (1, 3, 3, 5, 9)}])
def test_reading_by_conditions(tool, path, options):
    """open(keep=..., drop=...) reads what the tool keeps: in batches of any size, and as a dictionary."""
    words = []
    for name, value in options.items():
        option = {"piece_values": "values", "rules": "rules", "seed": "seed"}.get(name, name)
        for one in [value] if isinstance(value, str) or option in ("values", "seed") else value:
            words += [f"--{option}", ",".join(map(str, one)) if option == "values" else one]
    fmt = format_of(path)
    source = ["--from", fmt] if fmt else []
    if path.stem in ("own-bullet", "own-marlin") and ("move" in str(options) or "capture" in str(options)):
        with pytest.raises(sb.Error, match="needs the move that was played, which none of these records has"):
            sb.open(path, format=fmt, **options)
        return
    kept = tool("filter", "--quiet", *source, *words, "--to", "csv", "--columns", "fen", "--lose", "move,score,result,ply", path)
    expected = kept.decode().splitlines()[1:]
    for size in (7, 65536):
        reader = sb.open(path, format=fmt, batch=size, **options)
        fens = [fen for batch in reader for fen in sb.to_fen(batch.positions)]
        assert fens == expected
        assert reader.counts["read"] == int(tool("filter", "--quiet", "--count", *source, path)) > len(fens)
    assert sb.open(path, format=fmt, **options).to_dict()["fen"] == expected


def test_reading_by_conditions_that_are_wrong(fens):
    text = f"fen,score\n{fens[0]},\n{fens[1]},5\n".encode()
    with pytest.raises(sb.Error, match=r"did you mean 'score'\?\n  scroe < 1\n  \^~~~~$"):
        sb.open(data=text, format="csv", keep="scroe < 1")
    with pytest.raises(sb.Error, match="'result' needs the result of the game, which none of these records has"):
        sb.open(data=text, format="csv", keep="result=0.5")
    with pytest.raises(sb.Error, match="'score' needs a score"):  # some could have one, none has
        list(sb.open(data=text.replace(b",5", b","), format="csv", keep="score=5"))
    with pytest.warns(UserWarning, match=r"^'not \(ply < 3 and ply > 9\)' always holds\n") as found:
        assert list(sb.open(data=text, format="csv", keep="pieces > 0", drop=["not (ply < 3 and ply > 9)"])) == []
    assert found[0].filename == __file__
    assert [len(batch.has) for batch in sb.open(data=text, format="csv", keep="score=5")] == [1]
    assert listed(sb.filter(fens[:2], "file=*.fen", file="a.fen")) == [True] * 2
    assert listed(sb.filter(fens[:2], "file=*.fen")) == [False] * 2 and list(sb.open(data=text, format="csv", keep="file=*")) == []


def read_as_the_tool(tool, reader, path, fmt=None, to="csv"):
    """The batches, which as a table (or another format) are the bytes that the tool makes of the file."""
    expected = tool("convert", "--quiet", *(["--from", fmt] if fmt else []), "--to", to, path)
    names = expected.split(b"\n")[0].decode().split(",")
    holds = sum(bit for bit, name in ((1, "move"), (2, "score"), (4, "result"), (8, "ply")) if name in names)
    batches = list(reader)
    with sb.create(format=to, **({"holds": holds, "lose": "ply"} if to == "csv" else {})) as writer:
        for batch in batches:
            writer.write(*batch)
    assert writer.data == expected and reader.counts["bad"] == 0 and reader.error_reports == []
    assert writer.counts["written"] == reader.counts["read"] > 0
    return batches


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reading(tool, path, tmp_path):
    """Each file as a table: the tool's and ours are the same bytes."""
    fmt = format_of(path)
    batches = read_as_the_tool(tool, sb.open(path, format=fmt, batch=100), path, fmt)
    assert len(batches[0].positions) == 100
    joined = b"".join(sb.to_fen(batch.positions, lines=True) for batch in batches)
    if fmt is None and path.suffix != ".plain":
        parts = [sb.open(path, part=(k, 3)) for k in (1, 2, 3)]
        assert b"".join(sb.to_fen(b.positions, lines=True) for part in parts for b in part) == joined
    assert b"".join(sb.to_fen(b.positions, lines=True) for b in sb.open(data=path.read_bytes(), format=fmt or path.suffix[1:])) == joined


@pytest.mark.parametrize("fmt", [f for f in sb.formats() if f.writable], ids=lambda f: f.name)
def test_writing(tool, fmt, tmp_path):
    """What the tool converts to a format from a table, we write the same."""
    table = tmp_path / "a.csv"
    table.write_bytes(tool("convert", "--quiet", "--to", "csv", DATA / "formats/own.binpack"))
    lose = "move,score,result,ply,clock,number,shredder,castling,en-passant"
    words = ["--to", fmt.name, table]
    try:
        expected = tool("convert", "--quiet", *words)
        lose = None
    except AssertionError as error:
        lose = str(error).split("--lose ")[1].split("'")[0].split()[0].rstrip(".,\\n") if "--lose " in str(error) else pytest.fail(str(error))
        expected = tool("convert", "--quiet", "--lose", lose, *words)
    with sb.create(format=fmt.name, lose=lose) as writer:
        for batch in sb.open(table):
            writer.write(*batch)
    assert writer.data == expected
    path = tmp_path / f"a{fmt.extensions[-1]}"
    path.write_bytes(expected)
    # A table keeps a line of EPD as it is, operations and all, and arrays have none.
    read_as_the_tool(tool, sb.open(path), path, to="plain" if fmt.name == "epd" else "csv")


def test_games(tool, tmp_path):
    (tmp_path / "a.pgn").write_text(GAME)
    batches = read_as_the_tool(tool, sb.open(tmp_path / "a.pgn"), tmp_path / "a.pgn")
    assert listed(batches[0].plies) == list(range(33)) and set(listed(batches[0].results)) == {1.0}


def test_a_file_appears_when_it_is_complete(games, tmp_path):
    path = tmp_path / "a.fen.zst"
    with pytest.raises(KeyError):
        with sb.create(path) as writer:
            writer.write(games[0])
            raise KeyError
    assert list(tmp_path.iterdir()) == []
    with sb.create(path) as writer:
        writer.write(games[0])
        assert not path.exists()
    assert sb.to_fen(next(sb.open(path)).positions) == sb.to_fen(games[0])
    with pytest.raises(RuntimeError, match="closed"):
        writer.write(games[0])


def test_columns_and_bad_records(games, tmp_path):
    pos = games[0][:3]
    with sb.create(format="csv", holds=2, columns=["quiet", "note"]) as writer:
        writer.write(pos, scores=[1, -2, 3], columns={"quiet": [True, False, True], "note": ["a", None, "c,d"]})
    lines = writer.data.decode().splitlines()
    assert lines[0].endswith("quiet,note") and lines[1].endswith("true,a") and lines[3].endswith('true,"c,d"')
    reader = sb.open(data=b"wrong\n" + sb.to_fen(pos, lines=True), format="fen")
    with pytest.warns(UserWarning, match=":1: "):
        assert [len(batch.positions) for batch in reader] == [3]
    assert reader.counts["bad"] == 1 and ":1: " in reader.error_reports[0]


def test_damage_is_told_after_what_came_before(tmp_path):
    data = (DATA / "formats/own-bullet.bin").read_bytes()
    reader = sb.open(data=data[:-5], format="bulletformat")
    with pytest.warns(UserWarning, match="32"):
        n = sum(len(batch.positions) for batch in reader)
    assert n == len(data) // 32 - 1 and reader.counts["damaged"] and len(reader.error_reports) == 1
    with sb.open(DATA / "games.fen") as reader:
        next(reader)
    with pytest.raises(RuntimeError, match="closed"):
        next(reader)


def test_threads_of_the_caller(games):
    """Several threads in the module at once; in one reader only one at a time."""
    pos, (moves, off), _ = games
    worth = listed(sb.values(pos, moves, off))
    found, refused = [], []
    reader = sb.open(data=sb.to_fen(pos, lines=True) * 20, format="fen", batch=500)

    def work():
        for _ in range(10):
            found.append(listed(sb.values(pos, moves, off)) == worth)
        try:
            for batch in reader:
                found.append(len(batch.positions) == 500)
        except RuntimeError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(found) and set(refused) <= {"another thread is in this reader"}
    assert sum(len(batch.positions) for batch in reader) % 500 == 0


@pytest.mark.parametrize("name", sb.kernels())
def test_kernels(name, games):
    before = sb.kernel()
    pos, (moves, off), _ = games
    worth = listed(sb.values(pos, moves, off, "swap"))
    sb.use_kernel(name)
    try:
        assert sb.kernel() == name and listed(sb.values(pos, moves, off, "swap")) == worth
    finally:
        sb.use_kernel(before)
