"""The example of training: every record once with any number of workers, resumption, and inputs that one can count."""
import sys

import pytest
import seebatch as sb
from conftest import DATA, PROJECT

FILE = str(DATA / "formats/own.binpack")


@pytest.fixture(scope="module")
def training(np):
    pytest.importorskip("torch")
    sys.path.insert(0, str(PROJECT / "bindings/python/examples"))
    import training as example
    yield example
    sys.path.remove(str(PROJECT / "bindings/python/examples"))


def rows(batches):
    return [row for *_, stm, scores, results in batches for row in zip(stm.tolist(), scores.tolist(), results.tolist())]


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_every_record_once(training, workers):
    batch = next(sb.open(FILE))
    expected = sorted(zip(batch.positions["stm"].tolist(), batch.scores.tolist(), batch.results.tolist()))
    first, second = (rows(training.loader(training.Positions([FILE], 100, 400, epoch=epoch), workers)) for epoch in (0, 1))
    assert sorted(first) == sorted(second) == expected and first != second
    assert rows(training.loader(training.Positions([FILE], 100, 400), workers)) == first


def test_resumption(training):
    whole = list(training.Positions([FILE], 100, 400))
    rest = list(training.Positions([FILE], 100, 400, start=5))
    assert len(rest) == len(whole) - 5 and all((a == b).all() for x, y in zip(whole[5:], rest) for a, b in zip(x, y))


def test_inputs(training):
    fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"]
    white, black, offsets = training.half_kp(sb.from_fen(fens)[0])
    assert white.tolist() == [4 * 640 + 12, 4 * 640 + 5 * 64 + 52] and black.tolist() == [4 * 640 + 5 * 64 + 52, 4 * 640 + 12]
    assert offsets.tolist() == [0, 1]
