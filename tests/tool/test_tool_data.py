"""docs/data.md and other pages: each command as it is printed there, and the output below it."""
import os
import random
import re
import subprocess

import pytest

from chess_support import START
from formats_support import sample
from pipeline_support import TOOL, WITHOUT_JSON, environment
from test_tool_lc0 import HECTOPLIES, Game, gzip, tar_of

DOCS = os.path.join(os.path.dirname(__file__), "..", "..", "docs")


def blocks(text):
    return re.findall(r"^```\n(?=\$ )(.*?)^```", text, re.M | re.S)


def commands(block):
    """[(command, output)]"""
    return [tuple(part.split("\n", 1)) for part in re.split(r"^\$ ", block, flags=re.M)[1:]]


def prepare(folder, text):
    """The files that the page begins with: those that it shows, and two that are made."""
    for block in blocks(text):
        for command, output in commands(block):
            if command.startswith("cat "):
                (folder / command[4:]).write_text(output)
    (folder / "test80.binpack").write_bytes(sample("own.binpack"))
    (folder / "games.vf").write_bytes(sample("own.vf"))
    chance = random.Random(66)
    games = [Game(chance, START, 30, HECTOPLIES) for _ in range(3)]
    (folder / "leela.tar").write_bytes(tar_of([(f"training.{i}.gz", gzip.compress(b"".join(game.records), mtime=0))
                                               for i, game in enumerate(games)]))
    (folder / "seebatch").symlink_to(TOOL)


def run_all(folder, text):
    """The page with the outputs of its commands as they are."""
    def output_of(command):
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                              env=dict(environment(), PATH=f"{folder}:{os.environ['PATH']}"))
        return re.sub(r"; \d+\.\d\d s, \d+\.\d\d million positions a second", "; 0.00 s, 0.00 million positions a second",
                      done.stdout.decode())
    prepare(folder, text)
    return re.sub(r"^```\n(?=\$ )(.*?)^```", lambda found: "```\n" + "".join(
        f"$ {command}\n{output_of(command)}" for command, _ in commands(found[1])) + "```", text, flags=re.M | re.S)


@pytest.mark.skipif(WITHOUT_JSON, reason="the page reads JSON lines")
@pytest.mark.parametrize("name", ["data.md", "conditions.md", "formats.md", "stats-json.md"])
def test_the_page(tmp_path, name):
    page = os.path.join(DOCS, name)
    with open(page) as file:
        text = file.read()
    made = run_all(tmp_path, text)
    if os.environ.get("SEEBATCH_TEST_WRITE"):  # when the page has changed
        with open(page, "w") as file:
            file.write(made)
    assert made == text
