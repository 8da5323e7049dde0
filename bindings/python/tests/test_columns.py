"""Columns: Arrow's C interfaces, without any package that speaks them; test_engines.py has the packages."""
import ctypes

import pytest
import seebatch as sb
from conftest import DATA

FILE = DATA / "formats/own.binpack"


def name_of(capsule):
    get = ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return get(capsule).decode()


def test_capsules_have_the_names_of_the_interface():
    with sb.open(FILE) as reader:
        assert name_of(reader.__arrow_c_stream__()) == name_of(reader.__arrow_c_stream__(None)) == "arrow_array_stream"
        assert name_of(reader.__arrow_c_schema__()) == "arrow_schema"
        assert len(next(reader).positions) == 1558  # streams read the file on their own


def test_a_table_in_memory_has_its_columns():
    """The header is read with the file: its columns are known before the first batch."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    batch = next(sb.open(data=f"fen,score\n{fen},-7\n".encode(), format="csv"))
    assert batch.scores.tolist() == [-7] and batch.moves is None


def test_a_pipe_is_read_once(tmp_path):
    import os
    import threading
    os.mkfifo(tmp_path / "pipe.fen")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe.fen").write_text("8/8/8/8/8/8/k7/2K5 w - - 0 1\n"))
    writer.start()
    reader = sb.open(tmp_path / "pipe.fen")
    stream = reader.__arrow_c_stream__()
    with pytest.raises(RuntimeError, match="closed"):
        reader.__arrow_c_stream__()
    with pytest.raises(RuntimeError, match="closed"):
        next(reader)
    writer.join()
    del stream
