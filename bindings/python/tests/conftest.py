"""What the tests share. SEEBATCH_TOOL is the command-line tool, SEEBATCH_WHEEL the wheel; tests that need them are
skipped, by name, where they are not given. With SEEBATCH_TEST_NO_NUMPY=1 the package finds no NumPy."""
import os
import pathlib
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
DATA = PROJECT / "tests/data"
GAME = """[Event "Opera"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
if os.environ.get("SEEBATCH_TEST_NO_NUMPY"):
    sys.modules["numpy"] = None  # import numpy then fails

import seebatch as sb  # noqa: E402


@pytest.fixture(scope="session")
def np():
    """NumPy, which the package then uses for its arrays as well; tests that need it are skipped where it is missing or hidden."""
    return pytest.importorskip("numpy", reason="the package runs without NumPy here")


@pytest.fixture(scope="session")
def fens():
    return (DATA / "games.fen").read_text().splitlines()


@pytest.fixture(scope="session")
def games(fens):
    """The positions of games.fen, their captures and all their moves."""
    pos, errors = sb.from_fen(fens)
    assert errors == []
    return pos, sb.legal_moves(pos, "captures"), sb.legal_moves(pos)


@pytest.fixture(scope="session")
def tool_path():
    return os.environ.get("SEEBATCH_TOOL") or pytest.skip("SEEBATCH_TOOL does not name the command-line tool")


@pytest.fixture(scope="session")
def tool(tool_path):
    def run(*arguments, text=""):
        done = subprocess.run([tool_path, *map(str, arguments)], input=text.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def wheel():
    path = os.environ.get("SEEBATCH_WHEEL")
    return path or pytest.skip("SEEBATCH_WHEEL does not name the wheel")


def listed(array):
    """An array as a list, with NumPy and without; positions as bytes."""
    view = memoryview(array)
    return view.tobytes() if view.itemsize == 48 else view.tolist()
