"""The README's lines print what it shows, with NumPy and without."""
import io
import os
import re
import subprocess
import sys

import pytest
from conftest import DATA, PROJECT

README = (PROJECT / "bindings/python/README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", README, re.DOTALL)


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "plain"])
def test_the_lines_of_the_readme(numpy, tmp_path):
    """All blocks in order, in one process; what each prints stands below it."""
    if numpy:
        if os.environ.get("SEEBATCH_TEST_NO_NUMPY"):
            pytest.skip("the package runs without NumPy here")
        pytest.importorskip("numpy")
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
