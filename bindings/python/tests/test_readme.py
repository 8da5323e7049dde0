"""The README's lines print what it shows, with NumPy and without."""
import ast
import io
import os
import re
import subprocess
import sys

import pytest
import seebatch as sb
from conftest import DATA, PROJECT

README = (PROJECT / "bindings/python/README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", README, re.DOTALL)


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "plain"])
def test_the_lines_of_the_readme(numpy, tmp_path):
    """All blocks in order, in one process; what each prints stands below it."""
    if numpy:
        pytest.importorskip("numpy", reason="the package runs without NumPy here")
    assert len(BLOCKS) >= 5 and sum(bool(printed) for _, printed in BLOCKS) >= 3
    (tmp_path / "games.fen").write_bytes((DATA / "games.fen").read_bytes())
    (tmp_path / "games.binpack").write_bytes((DATA / "formats/own.binpack").read_bytes())
    program = "import sys\n" + ("" if numpy else "sys.modules['numpy'] = None\n")
    for code, _ in BLOCKS:
        if "numpy" in code and not numpy:
            continue
        program += code + "\nprint('-- end of a block')\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    shown = [printed for code, printed in BLOCKS if numpy or "numpy" not in code]
    assert done.stdout.split("-- end of a block\n")[:-1] == shown


def test_the_table_of_the_page_on_installation(tmp_path):
    """The captures of the FENs in a CSV file are worth what see() says; a FEN that is none has none, and a sentence."""
    code = re.search(r"```python\n(import csv\n.*?)```\n", (PROJECT / "docs/install.md").read_text(), re.DOTALL)[1]
    fens = (DATA / "games.fen").read_text().splitlines()[:20]
    fens[3] = "8/8 w - -"
    (tmp_path / "positions.csv").write_text("id,fen\n" + "".join(f"{i},{fen}\n" for i, fen in enumerate(fens)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    *lines, errors = done.stdout.splitlines()
    for fen, line in zip(fens, lines):
        assert line.startswith(f"{fen} ")
        found = ast.literal_eval(line[len(fen) + 1:])
        if fen == fens[3]:
            assert found is None
            continue
        values = {each["move"]: each["value"] for each in found}
        moves = sb.moves_to_text([fen], *sb.legal_moves([fen], "captures"))
        assert values == {move: sb.see(fen, move, piece_values=(100, 300, 300, 500, 900)) for move in moves}
    assert len(lines) == len(fens) and "8/8" in errors


def test_quiet_positions_of_the_readme():
    """The README's example keeps the positions that are not in check and have no capture or promotion for 0 or more, by the
    value of each legal move, and as many as it prints."""
    positions = next(sb.open(DATA / "formats/own.binpack")).positions
    checked, found = sb.filter(positions, keep="in-check").tolist(), 0
    for i in range(len(positions)):
        board = sb.take(positions, [j == i for j in range(len(positions))])
        captures = set(sb.legal_moves(board, "captures")[0].tolist())
        moves, offsets = sb.legal_moves(board)
        texts = sb.moves_to_text(board, moves, offsets)
        loud = [move in captures or len(text) == 5 for move, text in zip(moves.tolist(), texts)]
        values = sb.values(board, moves, offsets).tolist()
        found += not checked[i] and not any(is_loud and value >= 0 for is_loud, value in zip(loud, values))
    printed = next(printed for code, printed in BLOCKS if 'keep="quiet"' in code)
    assert printed.splitlines()[1].startswith(f"{found} {found} ")
