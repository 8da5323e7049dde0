"""seebatch convert: between all formats, and what the target cannot hold is named before it is lost."""
import json
import re

import pytest

from chess_support import Board
from formats_support import (Row, decode_games, decode_marlin, decode_plain, encode_bullet, encode_games, encode_marlin,
                             encode_plain, rows_of_tsv, sample, seen_by_mover)
from pipeline_support import RESULTS, as_epd, fails, run, says, well

# What a format can hold: the fields, and whether the text of a position is kept.
HOLDS = {
    "fen": {"move"}, "epd": {"move", "score", "result"}, "scored": {"score", "result"}, "csv": {"move", "score", "result", "ply"},
    "tsv": {"move", "score", "result", "ply"}, "jsonl": {"move", "score", "result", "ply"},
    "marlinformat": {"score", "result"}, "bulletformat": {"score", "result"}, "viriformat": {"move", "score", "result"},
    "plain": {"move", "score", "result", "ply"}, "binpack": {"move", "score", "result", "ply"},
}
NEEDS = {"scored": {"score", "result"}, "marlinformat": {"score", "result"}, "bulletformat": {"score", "result"},
         "viriformat": {"move", "score", "result"}, "plain": {"move", "score", "result", "ply"},
         "binpack": {"move", "score", "result", "ply"}}
TURNED = ["side to move", "castling rights", "en passant square", "halfmove clock", "move number"]
TURNED_OPTIONS = ["side", "castling", "en-passant", "clock", "number"]


@pytest.fixture(scope="module")
def rows():
    """The first games of the sample, whose plies are those of the move numbers."""
    return decode_plain(sample("own.plain").decode())[:300]


def written(form, rows):
    """A file of a format, made without the tool."""
    columns = ["fen", "move", "score", "result", "ply"]
    cells = [[r.fen, r.move, r.score, r.result / 2, r.ply] for r in rows]
    if form in ("csv", "tsv"):
        separator = "," if form == "csv" else "\t"
        return "".join(separator.join(map(str, line)) + "\n" for line in [columns] + cells).encode()
    return {"fen": lambda: "".join(f"{r.fen}\t{r.move}\n" for r in rows).encode(),
            "epd": lambda: re.sub(' id "[^"]*";', "", as_epd(rows)).encode(),
            "scored": lambda: "".join(f"{r.fen} | {r.score} | {r.result / 2}\n" for r in rows).encode(),
            "jsonl": lambda: "".join(json.dumps(dict(zip(columns, line))) + "\n" for line in cells).encode(),
            "marlinformat": lambda: b"".join(map(encode_marlin, rows)),
            "bulletformat": lambda: b"".join(map(encode_bullet, rows)),
            "viriformat": lambda: encode_games(rows),
            "plain": lambda: encode_plain(rows).encode(),
            "binpack": lambda: well("convert", "--from", "plain", "--to", "binpack", stdin=encode_plain(rows))}[form]()


def reread(form, data):
    """The rows of a file, read by the tool as another test holds it against other readers; the text of EPD as a FEN."""
    rows = rows_of_tsv(well("filter", "--from", form, "--to", "tsv", stdin=data))
    for r in rows:
        operations = dict(re.findall(r" (hmvc|fmvn) (\d+);", r.fen))
        r.fen = " ".join(r.fen.split()[:4] + [operations["hmvc"], operations["fmvn"]] if operations else [r.fen])
    return rows


def held(rows, source, target):
    """Rows after a conversion."""
    kept = HOLDS[source] & HOLDS[target]
    if "bulletformat" in (source, target):
        rows = [seen_by_mover(r) for r in rows]
    return [Row(r.fen, r.move if "move" in kept else None, r.score if "score" in kept else None,
                r.result if "result" in kept else None) for r in rows]


@pytest.mark.parametrize("source", sorted(HOLDS))
@pytest.mark.parametrize("target", sorted(HOLDS))
def test_every_pair(rows, source, target, tmp_path):
    data = written(source, rows)
    output = tmp_path / "out"
    arguments = ["convert", "--quiet", "--from", source, "--to", target, "--output", output]
    result = run(*arguments, stdin=data)
    has = HOLDS[source] | ({"ply"} if source != "bulletformat" else set())
    if source != target and NEEDS.get(target, set()) - has:
        for more in ([], ["--lose", "all"]):
            assert run(*arguments, *more, stdin=data).returncode == 2 and not output.exists()
        assert f"the format {source} has no ".encode() in run(*arguments, "--lose", "all", stdin=data).stderr
        return
    # Of the ply nothing is lost here where the number of the move tells it, as it does in all but bulletformat.
    fields = [name for name in ("move", "score", "result") if name in HOLDS[source] - HOLDS[target]]
    fields = [] if (source, target) == ("epd", "fen") else fields  # they stand in the text of the position
    fields += ["ply"] if "ply" in HOLDS[source] and target == "bulletformat" else []
    turned = TURNED if target == "bulletformat" and source != target else []
    names, options = fields + turned, fields + (TURNED_OPTIONS if turned else [])
    if source == target:
        names, options = [], []
    # What every record has is named at once, what a record of JSON or a move behind a FEN only when it comes.
    asked = []
    while result.returncode == 2 and len(asked) <= len(options):
        message = result.stderr.decode().splitlines()[0]
        assert result.stdout == b"" and not output.exists()
        assert f" would be lost, because {target} has no place for " in message
        new = message.partition(" --lose ")[2].split(",")
        text = [names[options.index(option)] for option in new]
        assert (", ".join(text[:-1]) + (" and " if len(text) > 1 else "") + text[-1] + " would be") in message
        asked += new
        result = run(*arguments, "--lose", ",".join(asked), stdin=data)
    assert sorted(asked) == sorted(options)
    assert result.returncode == 0 and result.stderr == b"", result.stderr
    for left_out in options:
        few = [option for option in options if option != left_out] or ["other"]
        assert run(*arguments[:-1], tmp_path / "again", "--lose", ",".join(few), stdin=data).returncode == 2
    converted = output.read_bytes()
    if source == target:
        assert converted == data
    assert [r.tuple()[:4] for r in reread(target, converted)] == [r.tuple()[:4] for r in held(rows, source, target)]
    if target in ("marlinformat", "viriformat", "plain", "bulletformat") and (source != "bulletformat" or source == target):
        assert converted == written(target, rows)


def test_round_trips():
    games, plain = sample("own.vf"), sample("own.plain")
    assert well("convert", "--from", "viri", "--to", "plain", stdin=games) == plain
    assert well("convert", "--from", "plain", "--to", "viri", stdin=plain) == games
    binpack = well("convert", "--from", "plain", "--to", "binpack", stdin=plain)
    assert well("convert", "--from", "binpack", "--to", "plain", stdin=binpack) == plain
    assert well("convert", "--from", "binpack", "--to", "viri", stdin=binpack) == games
    table = well("convert", "--from", "plain", "--to", "jsonl", stdin=plain)
    assert well("convert", "--from", "jsonl", "--to", "plain", stdin=table) == plain


def test_by_names(tmp_path):
    (tmp_path / "a.vf").write_bytes(sample("own.vf"))
    result = run("convert", "--quiet", tmp_path / "a.vf", "--output", tmp_path / "a.plain.gz")
    assert result.returncode == 0 and result.stderr == b""
    assert well("convert", tmp_path / "a.plain.gz", "--to", "viriformat") == sample("own.vf")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.plain.gz", "a.vf"]
    for arguments in ([], ["--output", tmp_path / "b"], ["--output", tmp_path / "b.bin"]):
        says(2, run("convert", tmp_path / "a.vf", *arguments), "no format to convert to was given")
    result = run("convert", tmp_path / "a.vf", "--to", "plain", "--lose", "names")
    assert result.returncode == 2 and b"--lose: 'names' is nothing that can be lost" in result.stderr


# ---- What a record alone says ---------------------------------------------------------------------------------------

KING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize("source, target, good, bad, lost, option", [
    ("fen", "tsv", KING + "\te1e2", KING + "\te1e2 e1d1", "further moves", "moves"),
    ("jsonl", "fen", '{"fen":"%s"}' % KING, '{"fen":"%s","score":1}' % KING, "score", "score"),
    ("jsonl", "scored", '{"fen":"%s","score":1,"result":1}' % KING,
     '{"fen":"%s","score":1,"result":1,"ply":5}' % KING, "ply", "ply"),
    ("scored", "marlinformat", KING + " | 1 | 0.5", "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; | 1 | 0.5", "EPD operations", "operations"),
])
def test_records_that_would_lose_something(source, target, good, bad, lost, option, tmp_path):
    output = tmp_path / "out"
    text = good + "\n" + bad + "\n" + good + "\n"
    arguments = ["convert", "--quiet", "--from", source, "--to", target, "--output", output]
    result = run(*arguments, stdin=text)
    assert result.returncode == 2 and not output.exists()
    assert result.stderr.startswith(f"-:2: {lost} would be lost, because {target} has no place for "
                                    f"{'them' if lost.endswith('s') else 'it'}, expected --lose {option}\n".encode())
    result = run(*arguments, "--lose", option, stdin=text)
    assert result.returncode == 0 and result.stderr == b"" and len(reread(target, output.read_bytes())) == 3


def test_columns_that_would_be_lost(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"id,fen,score,result\n7,{KING},5,1.0\n")
    fails(2, run("convert", path, "--to", "marlin"), f"{path}: unknown columns would be lost")
    assert well("convert", path, "--to", "marlin", "--lose", "other") == encode_marlin(Row(KING, None, 5, 2))
    assert well("convert", path, "--to", "csv") == path.read_bytes()


def test_bytes_that_nobody_knows():
    row = Row(KING, None, 5, 2)
    data = encode_marlin(row) + encode_marlin(row, extra=9)
    result = run("convert", "--quiet", "--from", "marlin", "--to", "scored", stdin=data)
    assert result.returncode == 2 and b"-: record 2 at byte 32: unused bits would be lost" in result.stderr
    assert len(well("convert", "--from", "marlin", "--to", "scored", "--lose", "other", stdin=data).splitlines()) == 2
    assert well("convert", "--from", "marlin", "--to", "marlin", stdin=data) == data


def test_plies_that_move_numbers_do_not_tell():
    """The ply is kept by the number of the move; where that says another it would be lost."""
    row = Row("4k3/8/8/8/8/8/8/4K2R w K - 0 3", "e1e2", 5, 1, 4)
    assert well("convert", "--from", "plain", "--to", "viri", stdin=encode_plain([row])) == encode_games([row])
    row.ply = 5
    result = run("convert", "--quiet", "--from", "plain", "--to", "viri", stdin=encode_plain([row]))
    assert result.returncode == 2 and b"-:1: ply would be lost" in result.stderr
    # of a FEN without a number none is told
    text = f"fen\tply\n{KING[:-4]}\t0\n{KING}\t0\n"
    says(2, run("convert", "--quiet", "--from", "tsv", "--to", "fen", stdin=text), "-:2: ply would be lost")


def test_boards_seen_by_black():
    """What bulletformat holds of a position with Black to move is written as one with White to move."""
    row = Row("r3k3/8/8/8/4Pp2/8/8/4K3 b q e3 4 9", None, 100, 2)
    data = well("convert", "--from", "marlin", "--to", "bullet", "--lose", "all", stdin=encode_marlin(row))
    assert well("convert", "--from", "bullet", "--to", "scored", stdin=data) == \
        b"4k3/8/8/4pP2/8/8/8/R3K3 w - - 0 1 | -100 | 0.0\n".replace(b"4pP2", b"4pP2")


def test_losing_nothing_of_what_is_not_there():
    """FEN lines without moves go where moves have no place."""
    assert well("convert", "--from", "fen", "--to", "tsv", stdin=KING + "\n").decode() == f"fen\tmove\n{KING}\t\n"
    assert RESULTS[1] == "0.5" and Board(KING).fen() == KING
    assert [r.tuple()[:4] for r in decode_games(encode_games([Row(KING, "e1g1", 3, 2)]))] == [(KING, "e1g1", 3, 2)]
    assert decode_marlin(encode_marlin(Row(KING, None, 3, 2))) == Row(KING, None, 3, 2)


@pytest.mark.parametrize("command", ["annotate", "filter", "convert"])
def test_records_that_cannot_be_written(command):
    """A position that the output cannot hold is left out and named; with --strict it is the end."""
    lines = f'{KING} id "'.encode() + b'\xff";\n' + KING.encode() + b"\n"
    for options, written in ([], 1), (["--strict"], 0):
        result = run(command, "--to", "jsonl", *options, stdin=lines)
        assert result.returncode == 1
        assert b"-:1: the position is not valid UTF-8, as JSON needs" in result.stderr
        assert result.stdout.count(b"\n") == written
