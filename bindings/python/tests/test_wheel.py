"""The built wheel, installed in clean virtual environments without network; and other interpreters."""
import glob
import importlib.metadata
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
import seebatch as sb
from conftest import PROJECT

LINES = """
import seebatch as sb
pos, errors = sb.from_fen(["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"])
moves, off = sb.legal_moves(pos, "captures")
print(sb.values(pos, moves, off).tolist(), sb.see(sb.to_fen(pos)[0], "Rxe5"), type(pos).__name__)
"""


def without_network(*command, cwd="/", **settings):
    """A command without network, where the system lets us."""
    cut = ["unshare", "--net", "--map-root-user"]
    works = subprocess.run([*cut, "true"], capture_output=True, check=False).returncode == 0
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP"))}
    return subprocess.run([*(cut if works else []), *map(str, command)], capture_output=True, text=True, check=False,
                          env={**environment, **settings}, cwd=cwd)


@pytest.mark.parametrize("site", [True, False], ids=["system-site-packages", "nothing-else"])
def test_installation(wheel, site, tmp_path):
    python = "/usr/bin/python3"
    made = without_network(python, "-m", "venv", *(["--system-site-packages"] if site else []), tmp_path / "venv")
    if made.returncode != 0:
        pytest.skip(f"venv does not work here (Debian: python3-venv): {made.stdout[-200:]}")
    installed = without_network(tmp_path / "venv/bin/pip", "install", "--no-index", "--no-deps", wheel)
    assert installed.returncode == 0, installed.stderr
    done = without_network(tmp_path / "venv/bin/python", "-c", LINES)
    assert done.returncode == 0, done.stderr
    has_numpy = site and without_network(python, "-c", "import numpy").returncode == 0
    assert done.stdout == f"[100] 100 {'ndarray' if has_numpy else 'memoryview'}\n"


def packed(name, folder):
    """A package of this interpreter as a wheel, which pip takes instead of one from PyPI."""
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"there is no {name} here, which pip would take from PyPI (Debian: python3-{name})")
    base = f"{name}-{package.version}"
    with zipfile.ZipFile(folder / f"{base}-py3-none-any.whl", "w") as archive:
        for top in package.read_text("top_level.txt").split():
            for path in sorted(pathlib.Path(package.locate_file(top)).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(package.locate_file("")))
        for info, text in (("METADATA", package.read_text("METADATA") or package.read_text("PKG-INFO")), ("RECORD", ""),
                           ("WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
                           ("entry_points.txt", package.read_text("entry_points.txt") or "")):
            archive.writestr(f"{base}.dist-info/{info}", text)


def test_the_lines_of_the_readme(wheel, tool_path, tmp_path):
    """As printed, in a clone; test_packages.sh runs the first page's beside one. A folder stands for PyPI: it has what builds the
    package, and the package itself for the time when the page says that it is there. The first example of the page then runs."""
    pytest.importorskip("ensurepip", reason="no virtual environments can be made here (Debian: python3-venv)")
    page = (PROJECT / "bindings/python/README.md").read_text()
    lines, = re.findall(r"```(?:sh)?\n(python3 -m venv env\nenv/bin/pip install .*?)```", page, re.DOTALL)
    if not shutil.which("git") or subprocess.run(["git", "clone", "-q", "--no-local", PROJECT, tmp_path / "seebatch"], check=False).returncode != 0:
        pytest.skip("this folder is no clone, or there is no git")
    (tmp_path / "index").mkdir()
    shutil.copy(wheel, tmp_path / "index")
    for name in ("setuptools", "wheel"):
        packed(name, tmp_path / "index")
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "index"), "PYTHON": sys.executable}
    libraries = pathlib.Path(tool_path).parent.parent
    if (libraries / "libseebatch.a").exists() and (libraries / "io/libseebatch_io.a").exists():
        settings["SEEBATCH_LIBRARIES"] = str(libraries)  # which saves half a minute
    done = without_network("sh", "-e", "-c", 'python3() { "$PYTHON" "$@"; }\n' + lines, cwd=tmp_path / "seebatch", **settings)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    code, printed = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL).groups()
    done = without_network(tmp_path / "seebatch/env/bin/python", "-c", code)
    assert done.stdout == printed, done.stderr


@pytest.mark.parametrize("settings, missing, package", [
    ({"CC": "nowhere-cc"}, "C compiler that works", "gcc"),
    ({"CFLAGS": "-nostdinc"}, "header Python.h", "python3-dev")])
def test_what_is_missing(settings, missing, package, tmp_path):
    """Without a compiler or a header, the last line says which it is, and how to get it."""
    pytest.importorskip("setuptools")
    done = without_network(sys.executable, "setup.py", "-q", "build_ext", "-b", tmp_path, "-t", tmp_path,
                           cwd=PROJECT / "bindings/python", SEEBATCH_LIBRARIES="", **settings)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert f"there is no {missing} (" in last and f"apt install {package}" in last and "or take a wheel" in last


def test_what_is_in_it(wheel, tmp_path):
    assert re.fullmatch(r"seebatch-[0-9.]+-cp311-abi3-linux_\w+\.whl", pathlib.Path(wheel).name)
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, tmp_path], check=True)
    (licence,) = tmp_path.glob("*.dist-info/**/LICENSE")
    assert licence.read_bytes() == (PROJECT / "LICENSE").read_bytes()
    core = tmp_path / "seebatch/_core.abi3.so"
    assert (tmp_path / "seebatch/py.typed").exists() and (tmp_path / "seebatch/_core.pyi").exists()
    exported = subprocess.run(["nm", "--dynamic", "--defined-only", core], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in exported.stdout.splitlines()] == ["PyInit__core"]
    needed = subprocess.run(["readelf", "--dynamic", "--wide", core], capture_output=True, text=True, check=True).stdout
    assert {"libz.so.1", "libzstd.so.1"} <= set(re.findall(r"\(NEEDED\).*\[(.*)\]", needed))


def test_the_archive_of_sources(wheel, tmp_path):
    """scripts/python builds the wheel from it. It builds anew, and an archive that is made of it is the same."""
    (archive,) = pathlib.Path(wheel).parent.glob("*.tar.gz")
    subprocess.run(["tar", "-x", "-z", "-C", tmp_path, "--strip-components=1", "-f", archive], check=True)
    assert (tmp_path / "LICENSE").read_bytes() == (PROJECT / "LICENSE").read_bytes()
    done = subprocess.run(["/usr/bin/python3", "-W", "ignore", "setup.py", "-q", "sdist", "--dist-dir", "again"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def names(path):
        with tarfile.open(path) as tar:
            return sorted(name for name in tar.getnames() if "egg-info" not in name)

    assert names(next((tmp_path / "again").glob("*.tar.gz"))) == names(archive)
    assert any(name.endswith("library/seebatch.c") for name in names(archive))


@pytest.mark.parametrize("library, package", [("libz.so.1", "zlib1g"), ("libzstd.so.1", "libzstd1")])
def test_a_missing_library_is_named(library, package):
    """Import says which package a shared library that is not there belongs to."""
    program = f"""
import importlib.abc, importlib.machinery, sys
class Broken(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "seebatch._core":
            raise ImportError("{library}: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Broken())
import seebatch
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"ImportError: seebatch needs {library} (Debian: {package}): {library}: cannot open" in done.stderr


TYPED = """
import chess
import numpy as np
import seebatch as sb
from numpy.typing import NDArray
from typing import Any, List, Union, assert_type

pos, faults = sb.from_fen(["8/8/8/8/8/8/8/8 w - -"])
moves, off = sb.legal_moves(pos, "captures")
rules: sb.RuleSet = "stockfish-2016"
reason: sb.Reason = sb.explain("8/8/8/8/8/8/8/8 w - -", "e4").refusals[0].reason
assert_type(pos, NDArray[np.void])
assert_type(off, NDArray[np.int64])
assert_type(moves, NDArray[np.uint16])
assert_type(sb.values(pos, moves, off, rules), NDArray[np.int16])
assert_type(sb.ge(pos, moves, off, rules="ethereal,en-passant=standing"), NDArray[np.bool_])
assert_type(sb.lengths(pos, moves, off), NDArray[np.uint8])
assert_type(sb.maps(pos), NDArray[np.int16])
assert_type(sb.to_fen(pos), List[str])
assert_type(sb.to_fen(pos, lines=True), bytes)
assert_type(sb.see(chess.Board(), chess.Move(1, 2), rules=sb.rule_sets()[0]), int)
assert_type(sb.from_python_chess(chess.Board()), NDArray[np.void])
assert_type(sb.to_python_chess(pos), List[chess.Board])
assert_type(sb.moves_to_python_chess(moves), List[chess.Move])
for batch in sb.open("games.binpack"):
    assert_type(batch.positions, NDArray[np.void])
    assert_type(batch.scores, Union[NDArray[np.int32], Any])
mistyped: sb.RuleSet = "hsifkcots"
sb.legal_moves(pos, "all of them")
"""


def test_types(tmp_path):
    """The package is right for mypy, and so is what the README does with it; the stub has what the module has. With
    NumPy and python-chess of PyPI the types of arrays are looked at, too."""
    pytest.importorskip("mypy")
    package = str(pathlib.Path(sb.__file__).parents[1])
    lines = re.findall(r"```python\n(.*?)```", (PROJECT / "bindings/python/README.md").read_text(), re.DOTALL)
    program, wrong = tmp_path / "readme.py", tmp_path / "wrong.py"
    # The functions of the README need no types; those of the package do.
    program.write_text("# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False\n" + "\n".join(lines))
    wrong.write_text("import seebatch as sb\nfen: str = sb.see('a', 'b')\nsb.see('a')\nsb.values()\n")

    def said(*words):
        path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
        return subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=tmp_path,
                              env={**os.environ, "MYPYPATH": package, "PYTHONPATH": path}).stdout.splitlines()

    strict = ["mypy", "--strict", "--ignore-missing-imports", "--no-warn-unused-ignores", "--no-warn-return-any"]
    lines = said(*strict, "--no-site-packages", program, wrong)
    assert [line.split(": ")[0] for line in lines[:-1] if ": error: " in line] == ["wrong.py:2", "wrong.py:3", "wrong.py:4"], lines
    if importlib.util.find_spec("chess") is not None:
        program.write_text(TYPED)
        last = TYPED.count("\n")
        lines = said(*strict, program)
        assert [line.split(": ")[0] for line in lines[:-1]] == [f"readme.py:{last - 1}", f"readme.py:{last}"], lines
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    assert said("mypy.stubtest", "--concise", "--mypy-config-file", "mypy.ini", "seebatch._core") == []


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14"])
def test_later_interpreters(wheel, version, tmp_path):
    runs_from(interpreter(version), wheel, tmp_path)


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.13t", "3.14t"])
def test_earlier_and_free_threaded_interpreters(version, tool_path, tmp_path):
    """The same source as a wheel of this version, without the stable ABI; with Debian's `wheel`, which has no machine
    code, and with the libraries of the tool's build, which saves half a minute."""
    python = interpreter(version)
    for path in glob.glob("/usr/lib/python3/dist-packages/wheel*"):
        (tmp_path / os.path.basename(path)).symlink_to(path)
    environment = {**os.environ, "PYTHON": python, "PYTHONPATH": str(tmp_path)}
    libraries = pathlib.Path(tool_path).parent.parent
    if (libraries / "libseebatch.a").exists() and (libraries / "io/libseebatch_io.a").exists():
        environment["SEEBATCH_LIBRARIES"] = str(libraries)
    built = subprocess.run([PROJECT / "scripts/python", tmp_path / "made"], capture_output=True, text=True, check=False,
                           env=environment)
    if built.returncode == 77:
        pytest.skip(built.stderr.strip())
    tag = f"cp{version.replace('.', '')}"
    wheel = tmp_path / f"made/seebatch-{sb.__version__}-{tag.rstrip('t')}-{tag}-linux_{os.uname().machine}.whl"
    assert built.returncode == 0 and wheel.exists(), built.stderr
    runs_from(python, wheel, tmp_path / "unpacked")


def runs_from(python, wheel, folder):
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, folder], check=True)
    done = subprocess.run([python, "-c", LINES], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    has_numpy = subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0
    assert done.returncode == 0 and done.stdout == f"[100] 100 {'ndarray' if has_numpy else 'memoryview'}\n", done.stderr


def interpreter(version):
    found = [f"/usr/bin/python{version}", *glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python"))]
    if version.endswith("t"):
        found += [shutil.which(f"python{version}") or "", *glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version[:-1]}.*t/bin/python"))]
    for python in found:
        if os.path.exists(python):
            return python
    return pytest.skip(f"there is no python{version} here")
