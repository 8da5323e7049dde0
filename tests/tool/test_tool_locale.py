"""Programs choose a locale, and the libraries read and write the same in all of them: in German, with its decimal comma,
and in Turkish, where the small letter of I is no i."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from chess_support import START, Row
from pipeline_support import TOOL, environment, run
from test_tool_lc0 import encode

CHOSEN = os.environ["SEEBATCH_TEST_CHOSEN_LOCALE"]  # tests/tool/chosen_locale.c
PROGRAMS = os.environ["SEEBATCH_TEST_PROGRAMS"].split(":")
FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
PGN = '[Event "?"]\n[Variant "FISCHERANDOM"]\n[Result "1-0"]\n\n1. e4 {+0.25/9} e5 {[%eval -0.30]} 1-0\n'


@pytest.fixture(scope="module", params=["de_DE", "tr_TR"])
def chosen(request, tmp_path_factory):
    """The environment of a program that has chosen a locale, which is made here: most systems have few."""
    folder = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef") is None:
        pytest.skip("localedef is not here (Debian: libc-bin)")
    made = subprocess.run(["localedef", "-i", request.param, "-f", "UTF-8", str(folder / f"{request.param}.UTF-8")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not (folder / f"{request.param}.UTF-8" / "LC_NUMERIC").exists():
        pytest.skip(f"localedef has no {request.param} (Debian: locales): {made.stdout}")
    # Without LC_CTYPE, too, which Python sets to C.UTF-8 where nothing is chosen: LOCPATH has only the locale made here.
    usual = {name: value for name, value in environment().items() if not name.startswith("LC_")}
    return {**usual, "LD_PRELOAD": CHOSEN, "LOCPATH": str(folder), "LANG": f"{request.param}.UTF-8",
            "LC_MESSAGES": "C"}  # what the system says of a file is in the user's language


def chunk():
    return encode(Row(START, "e2e4", 0, 2, 0), q=(-0.238, 1e-5, 0.7071067), left=17.5)


@pytest.mark.parametrize("arguments, stdin", [
    (["filter", "--from", "fen", "--keep", "chance=0.5"], FEN + "\n"),
    (["filter", "--from", "fen", "--keep", "chance-by-pieces=2:0.25,32:.75", "--sample", "9e-1"], FEN + "\n"),
    (["convert", "--from", "lc0", "--to", "csv"], chunk()),
    (["convert", "--from", "lc0", "--to", "jsonl"], chunk()),
    (["convert", "--from", "csv", "--to", "jsonl", "--score-scale", "100"], f"POSITION,SCORE\n{FEN},0.25\n"),
    (["convert", "--from", "PLAIN", "--to", "FEN"], ""),
    (["convert", "--from", "pgn", "--to", "csv"], PGN),
    (["convert", "no.BIN.GZ", "--to", "fen"], ""),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_the_tool_says_the_same(chosen, arguments, stdin):
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    usual = run(*arguments, "--quiet", stdin=stdin)
    result = subprocess.run([TOOL, *arguments, "--quiet"], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=chosen)
    assert (result.returncode, result.stdout, result.stderr) == (usual.returncode, usual.stdout, usual.stderr)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: Path(program).name)
def test_the_libraries_pass_their_tests(chosen, program):
    result = subprocess.run([program], cwd=Path(__file__).parent.parent, env=chosen, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert result.returncode == 0, result.stdout[-3000:]
