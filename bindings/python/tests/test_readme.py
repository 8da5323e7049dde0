"""The pages run as printed in an empty folder, and so do the commands of the examples."""
import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest
import seebatch as sb
from conftest import DATA, PROJECT

PAGES = {name: (PROJECT / name).read_text() for name in ("bindings/python/README.md", "docs/columns.md")}
PACKAGES = ("numpy", "torch", "datasets", "pyarrow", "chess", "duckdb", "polars", "pandas")  # that only some blocks need
EXAMPLES = PROJECT / "bindings/python/examples"


def blocks_of(page):
    """Each block of Python, what stands below it, and the packages that it needs."""
    found = re.findall(r"```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", PAGES[page], re.DOTALL)
    needs = [frozenset(name for name in PACKAGES if re.search(rf"\b(import [a-z, ]*{name}|{name}\.)", code)) for code, _ in found]
    return [(code, printed, needs[0] | needed) for (code, printed), needed in zip(found, needs)]  # the first one is for all


BLOCKS = {page: blocks_of(page) for page in PAGES}
NEEDS = sorted({(page, *sorted(needs)) for page, blocks in BLOCKS.items() for _, _, needs in blocks})


@pytest.mark.parametrize("page, needs", [(page, frozenset(needs)) for page, *needs in NEEDS], ids=["-".join(row) for row in NEEDS])
def test_the_blocks_of_a_page(page, needs, tmp_path):
    """In order, in one process, in an empty folder; what each prints stands below it. Those that need no package, or these ones."""
    for name in sorted(needs):  # so that the same one is named each time
        pytest.importorskip(name)
    blocks = [(code, printed) for code, printed, needed in BLOCKS[page] if needed <= needs]
    program = "import sys\n" + ("" if needs else "sys.modules['numpy'] = None\n")
    program += "".join(code + "\nsys.stdout.flush(), print('-- end of a block')\n" for code, _ in blocks)
    (tmp_path / "program.py").write_text(f"if __name__ == '__main__':\n{textwrap.indent(program, '    ')}")
    (tmp_path / "empty").mkdir()
    done = subprocess.run([sys.executable, tmp_path / "program.py"], capture_output=True, text=True, cwd=tmp_path / "empty", check=False)
    assert done.returncode == 0, done.stderr
    for (code, printed), found in zip(blocks, done.stdout.split("-- end of a block\n")):
        assert found == printed, code


def test_all_blocks_are_run():
    for page, text in PAGES.items():
        assert len(BLOCKS[page]) >= 5 and text.count("```py") == len(BLOCKS[page]), page


def commands():
    """Each command that an example or a page says can be run as it stands: (where, commands, what they print or None)."""
    for path in sorted(EXAMPLES.rglob("*.py")):
        lines = re.findall(r"^    (python3 [^A-Z\[\]\n]*)$", path.read_text().split('"""')[1], re.MULTILINE)
        assert lines, f"{path} has no command that runs as it stands"
        yield from ((path.name, [line], None) for line in lines)
    for page, text in PAGES.items():
        for block in re.findall(r"```\n(\$ python3 .*?)```\n", text, re.DOTALL):
            lines = block.splitlines(keepends=True)
            yield (page, [line[2:].strip() for line in lines if line.startswith("$ ")],
                   "".join(line for line in lines if not line.startswith("$ ")))


@pytest.mark.parametrize("where, lines, printed", list(commands()), ids=lambda item: item[-1] if isinstance(item, list) else None)
def test_the_commands(where, lines, printed, tmp_path):
    """In a folder that has the examples and nothing else."""
    scripts = {path.name: path for path in EXAMPLES.rglob("*.py")}
    for name in sorted({name for line in lines for name in re.findall(r"\w+\.py\b", line)} | {"filter_parts.py"}):
        shutil.copy(scripts[name], tmp_path)
        for package in re.findall(r"^(?:import|from(?= \S+ import)) (\w+)", scripts[name].read_text(), re.MULTILINE):
            if package not in ("seebatch", "filter_parts"):
                pytest.importorskip(package)
    before = {*tmp_path.iterdir(), tmp_path / "__pycache__"}
    done = subprocess.run(["sh", "-e", "-c", 'python3() { "$PYTHON" "$@"; }\n' + "\n".join(lines)], capture_output=True, text=True,
                          cwd=tmp_path, env={**os.environ, "PYTHON": sys.executable}, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed if printed is not None else done.stdout or set(tmp_path.iterdir()) - before


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
    printed = next(printed for code, printed, _ in BLOCKS["bindings/python/README.md"] if 'keep="quiet"' in code)
    assert printed.splitlines()[1].startswith(f"{found} {found} ")
