"""seebatch.torch: every record once with any number of processes, resumption after any batch, and inputs that one can count."""
import json
import pathlib
import subprocess
import sys

import pytest
import seebatch as sb
from conftest import DATA, PROJECT

FILE = sb.sample_file("games.binpack")
pytestmark = [pytest.mark.filterwarnings("ignore:.*no position was found"), pytest.mark.filterwarnings("ignore:This DataLoader will")]


@pytest.fixture(scope="module")
def training(np):
    pytest.importorskip("torch")
    import seebatch.torch as module
    return module


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three of different lengths, one of them compressed, and an empty one."""
    folder = tmp_path_factory.mktemp("files")
    whole = next(sb.open(FILE))
    for name, begin, end in (("a.binpack", 0, 1558), ("b.binpack.zst", 0, 700), ("c.csv", 700, 1400), ("d.csv", 0, 0)):
        with sb.create(folder / name, holds=15) as writer:
            writer.write(*(column[begin:end] for column in whole))
    return sorted(folder.iterdir())


def numbered(batch):
    """Features that tell records apart: all that a record has."""
    return sb.bitboards(batch.positions).astype("i8"), batch.moves.astype("i4"), batch.scores, batch.results, batch.plies


def rows(batches):
    return [repr(row) for batch in batches for row in zip(*(tensor.tolist() for tensor in batch))]


def every(files):
    return [row for path in files for batch in sb.open(path)
            for row in map(repr, zip(*(array.tolist() for array in numbered(batch))))]


def made(training, files, workers=0, **options):
    options = {"batch_size": 100, "buffer": 400, "features": numbered, **options}
    return training.PositionLoader(training.PositionDataset(files, **options), workers)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_every_record_once(training, files, workers):
    """In each epoch, in another order in the next one, and in the same if it is asked for again."""
    loader = made(training, files, workers)
    first, second = rows(loader), rows(loader)
    assert sorted(first) == sorted(second) == sorted(every(files)) and first != second and loader.dataset.epoch == 2
    assert rows(made(training, files, workers)) == first and rows(made(training, files, workers, epoch=1)) == second
    assert rows(made(training, files, workers, seed=1)) != first


@pytest.mark.parametrize("workers", [0, 3])
def test_resumption_after_every_batch(training, files, workers):
    """In the middle of a file and of a buffer, where some processes have ended, and between epochs. With processes, which take
    time to start, after some of the batches, among them the last ones of an epoch."""
    whole, states = [], []
    loader = made(training, files, workers)
    for _ in range(2):
        for batch in loader:
            whole.append(batch)
            states.append(json.loads(json.dumps(loader.state_dict())))
    texts = [rows([batch]) for batch in whole]
    epoch = len(states) // 2
    for i in range(len(states)) if workers == 0 else (1, epoch // 2, epoch - 3, epoch - 2, epoch - 1):
        again = made(training, files, workers)
        again.load_state_dict(states[i])
        rest = [rows([batch]) for _ in range(2 - states[i]["epoch"]) for batch in again]
        assert rest == texts[i + 1:], i


def test_a_loop_that_is_left_begins_anew(training, files):
    loader = made(training, files)
    first = rows([next(iter(loader))])
    assert rows(loader)[:len(first)] == first


def test_the_data_loader_of_pytorch(training, files):
    from torch.utils.data import DataLoader
    dataset = training.PositionDataset(files, 100, buffer=400, features=numbered)
    for workers in (0, 2):
        assert sorted(rows(DataLoader(dataset, batch_size=None, num_workers=workers))) == sorted(every(files))


def test_processes_that_are_spawned(training, files):
    dataset = training.PositionDataset(files, 1000)
    loader = training.PositionLoader(dataset, 1, multiprocessing_context="spawn")
    assert sum(len(batch.stm) for batch in loader) == len(every(files))


def test_parts_of_a_training_on_several_machines(training, files):
    found = [rows(made(training, files, 2, part=(k, 3))) for k in (1, 2, 3)]
    assert all(found) and sorted(sum(found, [])) == sorted(every(files))


def test_without_shuffling(training, files):
    assert rows(made(training, files, shuffle=False)) == every(files)


def test_conditions(training, files):
    quiet = rows(made(training, files, keep="quiet"))
    assert 0 < len(quiet) < len(every(files)) and len(quiet) == sum(sb.filter(batch, "quiet").sum() for path in files for batch in sb.open(path))


def test_many_parts_of_a_large_file(training, files, monkeypatch):
    monkeypatch.setattr(training, "PART", 500)
    loader = made(training, files[:1], batch_size=64, buffer=300)
    assert len(loader.dataset._parts(1)) > 3
    batches = iter(loader)
    head = [rows([next(batches)]) for _ in range(9)]
    again = made(training, files[:1], batch_size=64, buffer=300)
    again.load_state_dict(loader.state_dict())
    rest = [rows([batch]) for batch in again]
    assert sorted(sum(head + rest, [])) == sorted(every(files[:1])) and rest == [rows([batch]) for batch in batches]


def test_inputs(training, np):
    """Of two positions that are the same seen from either side, and by an independent count of all pieces."""
    fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"]
    ones = np.ones(2, "i4")
    white, black, offsets, *_ = training.half_kp(sb.Batch(sb.from_fen(fens)[0], None, ones, ones, None, ones))
    assert white.tolist() == [4 * 640 + 12, 4 * 640 + 5 * 64 + 52] and black.tolist() == [4 * 640 + 5 * 64 + 52, 4 * 640 + 12]
    assert offsets.tolist() == [0, 1]
    batch = next(sb.open(FILE))
    found = training.half_kp(batch)
    for i, fen in enumerate(sb.to_fen(batch.positions)):
        board = sb.Position(fen).board
        kings = board.index("K"), board.index("k") ^ 56
        expected = [[], []]
        for square, letter in enumerate(board):
            kind, own = "pnbrq".find(letter.lower()), letter.isupper()
            if kind >= 0:
                expected[0].append(kings[0] * 640 + (kind + 5 * (not own)) * 64 + square)
                expected[1].append(kings[1] * 640 + (kind + 5 * own) * 64 + (square ^ 56))
        end = found.offsets[i + 1] if i + 1 < len(found.offsets) else len(found.white)
        assert [side[found.offsets[i]:end].tolist() for side in found[:2]] == expected
    assert found.stm.tolist() == batch.positions["stm"].tolist() and found.scores is batch.scores


def test_tensors(training):
    """Their types; a dictionary stays one; what is read-only is copied."""
    import torch
    batch = next(iter(training.PositionDataset(FILE)))
    assert [tensor.dtype for tensor in batch] == [torch.int32, torch.int32, torch.int64, torch.uint8, torch.int32, torch.float32]
    table = torch.nn.EmbeddingBag(64 * 640, 4)
    assert table(batch.white, batch.offsets).shape == (1558, 4)
    named = next(iter(training.PositionDataset(FILE, features=lambda batch: {"board": sb.boards(batch.positions)})))
    assert list(named) == ["board"] and named["board"].shape == (1558, 64)


def test_sentences(training, files):
    with pytest.raises(FileNotFoundError):
        training.PositionDataset("nowhere.binpack")
    with pytest.raises(sb.Error, match="no scores or no results"):
        next(iter(training.PositionDataset(sb.sample_file("games.fen"))))
    with pytest.raises(sb.Error, match="there is no path"):
        training.PositionDataset([])
    with pytest.raises(sb.Error, match="batch_size is 0"):
        training.PositionDataset(FILE, 0)
    with pytest.raises(sb.Error, match=r"part is \(3, 2\)"):
        training.PositionDataset(FILE, part=(3, 2))
    for call, sentence in (
            (lambda: training.PositionDataset(5), "path is 5, an int, expected str"),
            (lambda: training.PositionDataset([FILE, None]), "path is None, expected str"),
            (lambda: training.PositionDataset(FILE, features=5), "features is 5, an int, expected a function of a Batch"),
            (lambda: training.PositionDataset(FILE, batch=100), "batch= of open.* expected batch_size="),
            (lambda: training.PositionLoader(FILE), "dataset is .*a str, expected a PositionDataset"),
            (lambda: made(training, FILE, num_workers=2), "unexpected keyword argument 'num_workers'"),
            (lambda: training.PositionLoader(training.PositionDataset(FILE), num_workers=2), "num_workers= .* expected workers="),
            (lambda: training.PositionLoader(training.PositionDataset(FILE), batch_size=2), r"expected PositionDataset\(..., batch_size=\)"),
            (lambda: training.half_kp(next(sb.open(FILE)).positions), "batch is a ndarray, expected a Batch")):
        with pytest.raises(TypeError, match=sentence):
            call()
    with pytest.raises(sb.Error, match="the state has no batch_size, buffer, "):
        made(training, FILE).load_state_dict({})
    assert repr(training.PositionLoader(training.PositionDataset(FILE, 100), 2)).endswith("games.binpack: batches of 100, epoch 0>>")
    with pytest.raises(sb.Error, match="some files have scores and others do not"):
        list(training.PositionDataset([FILE, sb.sample_file("games.fen")], features=numbered))
    with pytest.raises(sb.Error, match="batch_size 100, and this one has 50"):
        made(training, files, batch_size=50).load_state_dict(made(training, files).state_dict())


@pytest.mark.parametrize("workers", [0, 1])
def test_batches_of_batches(training, workers):
    """A DataLoader that would stack batches is refused; with batch_size=None, or with a function of one's own, it is not."""
    from torch.utils.data import DataLoader
    data = training.PositionDataset(FILE, 1000)
    for options in {}, {"batch_size": 2}:
        with pytest.raises(TypeError, match=r"expected DataLoader\(dataset, batch_size=None\)"):
            next(iter(DataLoader(data, num_workers=workers, **options)))
    assert [len(batch.stm) for batch in DataLoader(data, num_workers=workers, batch_size=None)] == [1000, 558]
    one = DataLoader(data, num_workers=workers, collate_fn=lambda batches: batches[0].stm)
    assert [len(stm) for stm in one] == [1000, 558]


def test_more_than_memory(training):
    """A buffer that no memory can hold ends with a sentence, in a worker too."""
    for workers in 0, 1:
        with pytest.raises(MemoryError, match=f"buffer is {2**60}, and there is not enough memory .* expected fewer"):
            next(iter(training.PositionLoader(training.PositionDataset(FILE, buffer=2**60), workers)))
    with pytest.raises(sb.Error, match=f"workers is {2**40}, expected 0 to 1024"):
        training.PositionLoader(training.PositionDataset(FILE), 2**40)
    with pytest.raises(sb.Error, match=f"seed is {2**64}, expected 0 to {2**64 - 1}"):
        training.PositionDataset(FILE, seed=2**64)


def test_the_example(training, tmp_path):
    """It trains, and what follows an interruption is what would have been."""
    def run(*options):
        done = subprocess.run([sys.executable, PROJECT / "bindings/python/examples/training.py", *options], cwd=tmp_path,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()
    whole = run("--epochs", "3", "--checkpoint", "a.pt")
    assert len(whole) == 3 and run("--epochs", "1") + run("--epochs", "3") == whole
    losses = [float(line.split()[-1]) for line in whole]
    assert losses[2] < losses[0]
