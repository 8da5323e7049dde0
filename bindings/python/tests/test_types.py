"""What type checkers accept of calls, and what they refuse: each of the right lines runs, each of the wrong ones is an error.
With mypy and pyright of the interpreter that runs this, NumPy and python-chess; skipped by name where one is missing."""
import importlib.util
import json
import os
import pathlib
import site
import subprocess
import sys

import pytest
import seebatch as sb

FIRST = """
import array, os, pathlib
from typing import Any, Iterator
import chess
import numpy as np
from numpy.typing import NDArray
import seebatch as sb
from seebatch import columns
from seebatch.typing import Moves, Positions

FEN = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"
fens: list[str] = [FEN, FEN]
pos, errors = sb.from_fen(fens)
moves, off = sb.legal_moves(pos, "captures")
board = chess.Board(FEN)
move = next(board.generate_legal_captures())
"""
RIGHT = """
a1: NDArray[np.int16] = sb.values(FEN, "Rxe5")
a2 = sb.values(fens, ["Rxe5", "Rxe5"])
a3 = sb.values(pos, moves, off)
a4 = sb.values(pos, moves, off, "swap", (100, 300, 300, 500, 900))
a5 = sb.values(pos, moves, off, piece_values=np.array([100, 300, 300, 500, 900]))
a6 = sb.values(fens, ["Rxe5", "Rxe5"], "stockfish", threads=2)
a7 = sb.values(FEN.encode(), b"Rxe5")
a8 = sb.values(board, move)
a9 = sb.values([board, board], [move, move])
a10 = sb.values(np.array(fens), np.array(["Rxe5", "Rxe5"]))
a11 = sb.values((FEN,), [2308])
a12 = sb.values(bytearray(pos.tobytes()), array.array("H", moves.tolist()), [0, 1, 2])
a13 = sb.values(sb.Position(FEN), "Rxe5", rules="swap,en-passant=standing")
a14 = sb.values(fens, moves, off, check=False, progress=lambda done, total: None)
b1: NDArray[np.bool_] = sb.ge(fens, ["Rxe5", "Rxe5"], 100)
b2 = sb.ge(fens, ["Rxe5", "Rxe5"], 100, "swap")
b3 = sb.ge(pos, moves, off, 100, "swap")
b4 = sb.ge(pos, moves, off, np.array([0, 1], np.int16))
b5 = sb.ge(pos, moves, off, [0, 1])
c1: NDArray[np.uint8] = sb.lengths(fens, ["Rxe5", "Rxe5"], "swap")
d1: tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]] = sb.order(pos, moves, off, 0)
d2 = sb.order(fens, ["Rxe5", "Rxe5"], 50)
e1: list[str] = sb.to_fen(pos)
e2: bytes = sb.to_fen(pos, lines=True)
e3 = sb.to_fen(sb.take(pos, [-1])) + sb.to_fen(sb.take(pos, np.array([True, False])))
f1 = sb.from_fen(iter(fens), wrong="raise")[0]
f2 = [fault.sentence for fault in sb.from_fen("8/8 w")[1]]
g1: int = sb.see(FEN, "Rxe5", "swap") + sb.see(board, move) + sb.see(pos[0], int(moves[0]))
g2 = sb.explain(FEN, "Rxe5").captures[0].gain + 1
h1: NDArray[np.int16] = sb.maps(fens)
h2 = sb.square_values(fens, [36, 36], [0, 1])
i1 = sb.filter(pos, "quiet", ["in-check"])
i2 = [sb.filter(batch, keep="quiet").sum() for batch in sb.open(data=FEN.encode(), format="fen")]
j1 = sb.from_boards(sb.boards(pos), stm=0)
k1 = sb.moves_to_text(pos, moves, off, "san")[0].upper()
k2 = sb.moves_from_text(fens, ["Rxe5", "Rxe5"], notation="san")[0]
l1 = columns.see(fens, ["Rxe5", "Rxe5"]).to_list() + columns.captures([FEN, None]).to_list()
m1: list[chess.Board] = sb.to_python_chess(pos)
m2 = sb.from_python_chess(board).shape
n1: list[sb.RuleSet] = sb.rule_sets()
n2 = sb.checked(pos).dtype, sb.checked(pos, moves, off)[2].dtype
sb.create(format="csv", holds=15, columns=["a"]).write(pos, columns={"a": [1, 2]})
"""
WRONG = """
sb.values(1, 2)
sb.values(fens)
sb.values(fens, ["Rxe5"], 5.5)
sb.values(fens, ["Rxe5"], ["swap"])
sb.values([1, 2, 3], ["e4"] * 3)
sb.values(None, ["e4"])
sb.values(FEN, None)
sb.values(FEN, 1.5)
sb.values(np.zeros(2), moves)
sb.values(sb.boards(pos), moves, off)
sb.values(pos, np.zeros(2), off)
sb.values(pos, moves, off, 7)
sb.values(pos, moves, off, rules=None)
sb.values(pos, moves, off, piece_values=100)
sb.values(pos, moves, off, piece_values={"p": 100})
sb.values(pos, moves, off, threads="two")
sb.values(pos, moves, off, threads=1.0)
sb.values(pos, moves, off, progress=1)
sb.values(pos, moves, off, thread=2)
sb.values(FEN, "Rxe5", "swap", "stockfish")
sb.ge(pos, moves, off, "much")
sb.ge(pos, moves, off, 0.5)
sb.ge(fens, ["Rxe5", "Rxe5"], "100")
sb.order(pos, moves, off, [1, 2])
sb.legal_moves(pos, "some")
sb.from_fen(5)
sb.from_fen(fens, wrong="hide")
sb.from_fen([1, 2])
sb.to_fen(3).sort()
sb.to_fen(pos, lines=True).sort()
sb.take(pos, 1.5)
sb.take(pos, "first")
sb.see(FEN)
sb.see(5, "e4")
sb.see(FEN, None)
sb.see(FEN, "e4", colour=1)
sb.maps(7)
sb.square_values(fens, ["e4", "e5"], [0, 1])
sb.filter(pos, keep=5)
sb.moves_to_text(pos, moves, off, "lan")
sb.open(5)
sb.open("a.fen", part=3)
sb.create(format="csv").write(pos, scores=1.5)
columns.captures(5)
sb.no_such_function(pos)
"""


def lines_of(text):
    return text.strip().splitlines()


def run_mypy(path, env):
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-warn-unused-ignores", path],
                          capture_output=True, text=True, check=False, env=env, cwd=path.parent)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return {int(line.split(":")[1]) for line in done.stdout.splitlines() if line.startswith(path.name) and ": error:" in line}, done.stdout


def run_pyright(path, env):
    done = subprocess.run([sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, path.name],
                          capture_output=True, text=True, check=False, env=env, cwd=path.parent)
    if not done.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {(done.stderr or done.stdout)[:200]}")
    found = [each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    return {each["range"]["start"]["line"] + 1 for each in found}, "\n".join(each["message"] for each in found)


@pytest.mark.parametrize("name, run", [("mypy", run_mypy), ("pyright", run_pyright)], ids=["mypy", "pyright"])
def test_checkers(name, run, tmp_path):
    for package in (name, "chess", "numpy"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    package = str(pathlib.Path(sb.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))}
    if package not in site.getsitepackages():  # where mypy looks for it by itself, and says nothing else if it is told to
        env["MYPYPATH"] = package
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [package], "reportMissingModuleSource": False}))
    path = tmp_path / "lines.py"
    before = FIRST.strip() + "\n" + RIGHT.strip() + "\n"
    path.write_text(before + WRONG.strip() + "\n")
    found, said = run(path, env)
    first = before.count("\n") + 1
    wrong = range(first, first + len(lines_of(WRONG)))
    text = path.read_text().splitlines()
    assert [text[line - 1] for line in sorted(found) if line < first] == [], said
    assert [text[line - 1] for line in wrong if line not in found] == []


def test_right_lines_run(np):
    pytest.importorskip("chess")
    assert len(lines_of(RIGHT)) >= 40 and len(lines_of(WRONG)) >= 40
    exec(FIRST + RIGHT, {})  # pylint: disable=exec-used
    space = {}
    exec(FIRST, space)  # pylint: disable=exec-used
    for line in lines_of(WRONG):
        with pytest.raises(Exception):
            exec(line, space)  # pylint: disable=exec-used
