"""The examples: parts on one machine and on a cluster, figures. The bytes are those of one pass over the files."""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import xml.dom.minidom

import pytest
import seebatch as sb
from conftest import DATA, GAME, PROJECT

EXAMPLES = PROJECT / "bindings/python/examples"
FILES = [str(DATA / "games.fen"), str(DATA / "formats/own.binpack"), str(DATA / "random.fen")]


@pytest.fixture(scope="module")
def parts():
    sys.path.insert(0, str(EXAMPLES))
    import filter_parts
    yield filter_parts
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def expected(parts, tmp_path_factory):
    """The whole files, in this process."""
    output = tmp_path_factory.mktemp("one") / "one.csv"
    options = argparse.Namespace(output=str(output), files=FILES, parts=1, rules="legal")
    counts = parts.join(options.output, (parts.work(*task) for task in parts.tasks(options)))
    assert counts["read"] == 2000 + 2000 + 1558 and 0 < counts["kept"] < counts["read"]
    return output.read_bytes(), counts


def test_what_is_kept(expected):
    """Row by row, one question at a time."""
    rows = [line.split(",") for line in expected[0].decode().splitlines()]
    names, rows = rows[0], rows[1:]
    assert len(rows) == expected[1]["kept"]
    for row in rows[::97]:
        position = sb.Position(row[names.index("fen")])
        moves, off = sb.legal_moves(position, "captures")
        worth = [sb.see(position, int(move)) for move in moves]
        assert not position.in_check and all(value < 1 for value in worth)
        assert row[-2:] == [str(len(worth)), str(min(worth)) if worth else ""]


def test_multiprocessing(expected, tmp_path):
    output = tmp_path / "a.csv"
    subprocess.run([sys.executable, EXAMPLES / "filter_parts.py", "--parts", "5", output, *FILES], check=True)
    assert output.read_bytes() == expected[0]


def test_dask_survives_a_worker_that_is_killed(parts, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    import filter_dask
    options = argparse.Namespace(output=str(tmp_path / "a.csv"), files=FILES, parts=7, rules="legal")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(EXAMPLES), os.environ.get("PYTHONPATH"))))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        before = client.run(os.getpid)
        first = client.submit(parts.work, *parts.tasks(options)[0], pure=False)
        distributed.wait(first)
        victim = next(pid for address, pid in before.items() if address == client.who_has(first)[first.key][0])
        futures = [client.submit(parts.work, *task, pure=False) for task in parts.tasks(options)]
        os.kill(victim, signal.SIGKILL)
        results = client.gather([first, *futures])
        assert results[0] == results[1]
        counts = parts.join(options.output, results[1:])
        assert pathlib.Path(options.output).read_bytes() == expected[0] and counts == expected[1]
        client.wait_for_workers(2)
        assert set(client.run(os.getpid).values()) != set(before.values())
        assert filter_dask.run(client, options) == counts
    assert pathlib.Path(options.output).read_bytes() == expected[0]


def test_figures(tmp_path, np):
    pytest.importorskip("matplotlib")
    (tmp_path / "game.pgn").write_text(GAME)
    subprocess.run([sys.executable, EXAMPLES / "figures.py", tmp_path / "figures", tmp_path / "game.pgn", *FILES], check=True)
    for name in ("hangs", "values", "disagree"):
        text = (tmp_path / f"figures/{name}.svg").read_text()
        assert xml.dom.minidom.parseString(text).documentElement.tagName == "svg" and len(text) > 5000
