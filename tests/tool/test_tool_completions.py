"""Completion in bash and zsh: the words that are offered, for a command line as far as it is typed."""
import json
import os
import re
import shutil
import subprocess

import pytest

from pipeline_support import TOOL, environment, run

DIRECTORY = os.path.join(os.path.dirname(__file__), "..", "..", "completions")
COMMANDS = ["eval", "explain", "map", "compare", "filter", "annotate", "stats", "convert", "verify", "identify",
            "selftest", "info", "help"]


def in_bash(words):
    script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _seebatch; '
              'for word in "${COMPREPLY[@]}"; do echo "$word"; done')
    return ["bash", "--norc", "-c", script, "bash", os.path.join(DIRECTORY, "seebatch.bash"), *words]


def in_zsh(words):
    # the completion system is not there: compadd and _files only show what they are given
    script = ('compset() { words[CURRENT]=${words[CURRENT]#*=} }; compadd() { shift $@[(i)--]; print -rl -- ${(M)@:#${words[CURRENT]}*} }; '
              '_files() { print -rl -- ${words[CURRENT]}*(N) }; source "$1"; shift; words=("$@"); CURRENT=$#; _seebatch')
    return ["zsh", "-f", "-c", script, "zsh", os.path.join(DIRECTORY, "_seebatch"), *words]


SHELLS = {"bash": in_bash, "zsh": in_zsh}


def offered(shell, *words, **more):
    if shutil.which(shell) is None:
        pytest.skip(shell + " is not installed")
    # leaks are not looked for: the tool is asked for nothing but its help, again and again
    result = subprocess.run(SHELLS[shell]([TOOL, *words]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                            env=dict(environment(), ASAN_OPTIONS="detect_leaks=0"), **more)
    assert result.stderr == b"" and result.returncode == 0, result.stderr
    return [word for word in result.stdout.decode().splitlines() if word]


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_commands(shell):
    assert set(COMMANDS) | {"--help", "--version"} == set(offered(shell, ""))
    assert offered(shell, "fil") == ["filter"]
    assert set(COMMANDS) == set(offered(shell, "help", ""))


@pytest.mark.parametrize("shell", sorted(SHELLS))
@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_every_option_of_the_help_is_offered_and_known(shell, command):
    options = offered(shell, command, "--")
    known = {word.rstrip(",.:;'") for word in run(command, "--help").stdout.decode().split() if word.startswith("--")}
    assert set(options) == known and "--help" in options
    for option in options:
        assert b"unrecognized option" not in run(command, option).stderr
    assert b"unrecognized option" in run(command, "--such").stderr


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_values(shell):
    assert offered(shell, "eval", "--rules", "sto") == ["stockfish", "stockfish-2016", "stormphrax"]
    assert offered(shell, "compare", "--rules", "m") == ["monty", "minimax"]
    assert offered(shell, "eval", "--rules", "mi") == []
    assert offered(shell, "filter", "--from", "")[:5] == ["fen", "scored", "csv", "tsv", "jsonl"]
    assert offered(shell, "filter", "--drop", "in") == ["in-check"]
    assert offered(shell, "stats", "--format", "") == ["report", "text", "tsv", "json"]
    assert "scalar" in offered(shell, "eval", "--kernel", "")
    assert offered(shell, "filter", "--threads", "") == []
    assert offered(shell, "eval", "--rules=sw" if shell == "zsh" else "--rules",
                   *["=", "sw"] * (shell == "bash")) == ["swap"]
    conditions = {each["name"] for each in json.loads(run("info", "--format", "json").stdout)["conditions"]}
    assert {re.sub(r"[=(]$", "", word) for word in offered(shell, "filter", "--drop", "")} == conditions
    assert offered(shell, "filter", "--drop", "tac") == ["tactical", "tactical="] or shell == "zsh"
    assert offered(shell, "filter", "--column", "") == ["fen=", "move=", "score=", "result=", "ply="]
    assert offered(shell, "map", "--fen", "") == []
    assert offered(shell, "eval", "--moves", "") == ["captures", "all"]
    assert len(offered(shell, "annotate", "--columns", "")) == 8
    for rules in offered(shell, "eval", "--rules", ""):
        assert run("eval", "--rules", rules).returncode == 0
    for form in offered(shell, "filter", "--from", ""):
        assert run("stats", "--from", form).returncode != 2  # empty input is well in some, and bad in others
    arguments = {"has=": "score", "chance-of-result=": "viriformat", "chance-by-ply=": "1:1", "chance-by-pieces=": "1:1",
                 "count(": "Qq)=1", "material=": "KQkq", "castling-rights=": "KQkq", "stm=": "white", "move=": "capture"}
    for condition in offered(shell, "filter", "--drop", ""):
        line = "fen,move,score,result\n" if condition.endswith("=") else "fen,move\n"
        assert run("filter", "--from", "csv", "--drop", condition + arguments.get(condition, "1" * condition.endswith("=")),
                   stdin=line).returncode == 0, condition
    words = offered(shell, "filter", "--lose", "")
    assert len(words) == 16
    for word in words:
        assert run("filter", "--lose", word).returncode == 0, word
    for column in offered(shell, "annotate", "--columns", ""):
        assert run("annotate", "--columns", column).returncode == 0


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_files(shell, tmp_path):
    (tmp_path / "games of yesterday.fen").write_text("")
    (tmp_path / "other.fen").write_text("")
    assert offered(shell, "filter", "ga", cwd=tmp_path) == ["games of yesterday.fen"]
    assert sorted(offered(shell, "filter", "--output", "", cwd=tmp_path)) == ["games of yesterday.fen", "other.fen"]
