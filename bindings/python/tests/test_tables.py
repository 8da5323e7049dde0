"""Tables and JSON lines with nasty cells and names, by all writers, read back by Python's own csv and json.

As a script, with more of them: test_tables.py [--cells 1000000] [--names 10000] [--seed 1]
"""
import argparse
import csv
import ctypes
import io
import json
import math
import random
import struct
import sys

import seebatch as sb

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
FIELDS = {"fen", "position", "move", "score", "result", "ply"}
PIECES = ["\n", "\r", "\r\n", "\t", "\0", ",", '"', '""', "\\", "\\n", '\\"', "'", " ", "|", ";", "#", "{", "}", "[", ":", "a",
          "é", "😀", "\u2028", "\x7f", "\x01", "\x1b", "1", "null", "true", "score", '"score": 31999', "\ufeff", "\\u0000", "\\ud800"]


# ---- What is written ---------------------------------------------------------------------------------------------------

def text(chance):
    """A text of pieces that mean something to a table, to JSON or to neither; often in quotes as JSON has them."""
    parts = "".join(chance.choice(PIECES) for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 9, 40))))
    kind = chance.randrange(8)
    return json.dumps(parts) if kind == 0 else f'"{parts}"' if kind == 1 else parts


def real(chance):
    number = struct.unpack("<d", chance.randbytes(8))[0]
    return chance.choice((number, chance.random(), round(chance.uniform(-9, 9), 2), math.inf, -math.inf, math.nan, 0.0, -0.0, 1e16, 5e-324))


def value(chance):
    return chance.choice((text, text, text, real, lambda _: None, lambda _: chance.random() < 0.5,
                          lambda _: chance.randrange(-2**63, 2**63)))(chance)


def names(chance, n):
    """Names that are not those of fields, each once."""
    found = {}
    while len(found) < n:
        name = (text(chance) + str(chance.randrange(9))).replace("\0", "") if chance.random() < 0.9 else f"column {len(found)}"
        if name.lower() not in FIELDS:
            found[name] = None
    return list(found)


# ---- What is read back -------------------------------------------------------------------------------------------------

def meant(cell):
    """What a cell of a table means: itself, or the text of the JSON string that it is."""
    if len(cell) > 2 and cell[0] == cell[-1] == '"' and "\\" in cell:
        try:
            return json.loads(cell)
        except ValueError:
            pass
    return cell


def as_cell(value):
    """A value as docs/formats.md says that a table has it: its text."""
    if value is None or value != value:
        return ""
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else as_number(value)


def as_number(value):
    """The shortest of the texts with 15 to 17 digits, which Arrow's numbers get, or Python's own."""
    return str(value)


def as_json(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def same(found, expected):
    """Numbers may be written in several ways, with the same value; 5 and 5.0 are the same, and -0.0 is not 0.0."""
    if found == expected and type(found) is type(expected):
        return not isinstance(found, float) or math.copysign(1, found) == math.copysign(1, expected)
    if isinstance(expected, float) and isinstance(found, int) and not isinstance(found, bool):
        return float(found) == expected  # as a double of Arrow that is an integer; JSON has no other zero than 0
    return False


def same_cell(found, value):
    """The same in a table, where numbers are text."""
    if isinstance(value, float) and math.isfinite(value):
        return float(found) == value
    return found == as_cell(value)


def check_json(data, columns, rows):
    lines = data.decode().split("\n")
    assert lines.pop() == "" and len(lines) == len(rows), (len(lines), len(rows))
    for line, row in zip(lines, rows):
        members = json.loads(line, object_pairs_hook=list, parse_constant=lambda word: sys.exit(f"{word} in {line}"))
        assert [name for name, _ in members] == ["fen", *columns], (members, columns)
        assert members[0][1] == FEN
        for (name, found), value in zip(members[1:], row):
            assert same(found, as_json(value)), (name, found, value)


def check_table(data, format, columns, rows):
    lines = (list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True)) if format == "csv" else
             [line.split("\t") for line in data.decode().split("\n")[:-1]])
    assert data.count(b"\n") == len(lines) == len(rows) + 1, "a row is one line"
    assert lines[0][0] == "fen" and [meant(cell) for cell in lines[0][-len(columns):]] == columns
    for line, row in zip(lines[1:], rows):
        assert len(line) == len(lines[0]) and line[0] == FEN
        for found, value in zip(line[-len(columns):], row):
            assert same_cell(meant(found), value), (found, value)


def check(data, format, columns, rows):
    if format == "jsonl":
        check_json(data, columns, rows)
    else:
        check_table(data, format, columns, rows)
    try:
        reader = sb.open(data=data, format=format)
    except sb.Error as error:  # a build without simdjson
        assert format == "jsonl" and "simdjson" in str(error), error
        return
    batches = list(reader)
    assert sum(len(batch.positions) for batch in batches) == len(rows) and not reader.error_reports, reader.error_reports
    assert not any(mask & 7 for batch in batches for mask in memoryview(batch.has).tolist()), "a cell was read as a field"


# ---- A table of Arrow, from its C interface alone ----------------------------------------------------------------------

class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


ReleaseSchema, ReleaseArray = (ctypes.CFUNCTYPE(None, ctypes.POINTER(kind)) for kind in (Schema, Array))
ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GetError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.c_void_p),
                   ("release", ReleaseSchema), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                  ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.c_void_p), ("release", ReleaseArray),
                  ("private_data", ctypes.c_void_p)]
Stream._fields_ = [("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", GetError), ("release", ReleaseStream),
                   ("private_data", ctypes.c_void_p)]


def release(item):
    """Python owns all memory; what is released is marked so, as the interface asks."""
    item[0].release = type(item[0].release)()


class Table:
    """Columns as an Arrow stream: each a name, a type (u: text, l: int64, g: double, b: bool) and its values."""

    def __init__(self, columns):
        self.columns, self.kept = columns, [ReleaseSchema(release), ReleaseArray(release), ReleaseStream(release)]
        self.rows, self.given = len(columns[0][2]), False

    def keep(self, item):
        self.kept.append(item)
        return item

    def pointers(self, items, kind):
        array = (ctypes.POINTER(kind) * len(items))(*[ctypes.pointer(item) for item in items])
        return self.keep(array)

    def buffers(self, kind, values):
        bits = bytearray((len(values) + 7) // 8)
        for i, item in enumerate(values):
            bits[i // 8] |= (item is not None) << i % 8
        if kind == "u":
            texts = [b"" if item is None else item.encode() for item in values]
            ends = [0]
            for item in texts:
                ends.append(ends[-1] + len(item))
            data = [struct.pack(f"<{len(ends)}i", *ends), b"".join(texts)]
        elif kind == "b":
            flags = bytearray(len(bits))
            for i, item in enumerate(values):
                flags[i // 8] |= bool(item) << i % 8
            data = [bytes(flags)]
        else:
            data = [struct.pack(f"<{len(values)}{'q' if kind == 'l' else 'd'}", *[item or 0 for item in values])]
        return [self.keep(ctypes.create_string_buffer(item, len(item) or 1)) for item in (bytes(bits), *data)]

    def schema(self, stream, out):
        children = [Schema(format=kind.encode(), name=name.encode(), flags=2, release=self.kept[0]) for name, kind, _ in self.columns]
        out[0] = Schema(format=b"+s", name=b"", n_children=len(children), children=self.pointers(children, Schema), release=self.kept[0])
        self.keep(children)
        return 0

    def next(self, stream, out):
        out[0] = Array()
        if self.given:
            return 0
        children = []
        for _, kind, values in self.columns:
            found = self.buffers(kind, values)
            pointers = self.keep((ctypes.c_void_p * len(found))(*[ctypes.addressof(item) for item in found]))
            children.append(Array(length=self.rows, null_count=-1, n_buffers=len(found), buffers=pointers, release=self.kept[1]))
        out[0] = Array(length=self.rows, n_buffers=1, buffers=self.keep((ctypes.c_void_p * 1)(None)), n_children=len(children),
                       children=self.pointers(children, Array), release=self.kept[1])
        self.keep(children)
        self.given = True
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        functions = [GetSchema(self.schema), GetNext(self.next), GetError(lambda stream: None)]
        stream = Stream(*functions, self.kept[2], None)
        self.kept += [*functions, stream]
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(stream), b"arrow_array_stream", None)


# ---- All writers -------------------------------------------------------------------------------------------------------

def written(format, columns, write):
    with sb.create(format=format, columns=columns) as writer:
        write(writer)
    assert not writer.error_reports, writer.error_reports
    return writer.data


def one_table(chance, n_columns, n_rows):
    """A table by write() and another by write_table(), in each format."""
    columns = names(chance, n_columns)
    rows = [[value(chance) for _ in columns] for _ in range(n_rows)]
    kinds = [chance.choice("uulgb") for _ in columns]
    make = {"u": text, "l": lambda _: chance.randrange(-2**63, 2**63), "g": real, "b": lambda _: chance.random() < 0.5}
    typed = [[None if chance.random() < 0.1 else make[kind](chance) for kind in kinds] for _ in range(n_rows)]
    for format in ("csv", "tsv", "jsonl"):
        lists = {name: [row[i] for row in rows] for i, name in enumerate(columns)}
        check(written(format, columns, lambda writer: writer.write([FEN] * n_rows, columns=lists)), format, columns, rows)
        table = [(name, kind, [row[i] for row in typed]) for i, (name, kind) in enumerate(zip(columns, kinds))]
        check(written(format, columns, lambda writer: writer.write_table(Table([("fen", "u", [FEN] * n_rows), *table]))),
              format, columns, typed)


def run(cells, n_names, seed):
    """Tables of all shapes, until there were as many cells and names."""
    chance, done, named = random.Random(seed), 0, 0
    while done < cells or named < n_names:
        n_columns = chance.choice((1, 2, 5, 20))
        n_rows = chance.choice((1, 3, 10, 100)) if done < cells else 1
        one_table(chance, n_columns, n_rows)
        done, named = done + 6 * n_columns * n_rows, named + n_columns
    return done, named


def test_nasty_cells_and_names():
    run(6000, 150, 76)


def test_names_that_would_be_read_otherwise_are_refused():
    for bad in ("fen", "Position", "MOVE", "score", "Result", "ply", ""):
        for format in ("csv", "tsv", "jsonl"):
            try:
                sb.create(format=format, columns=["good", bad])
            except sb.Error as error:
                assert ("empty" if not bad else f"'{bad}'") in str(error)
            else:
                raise AssertionError(f"{bad!r} was taken")
    try:
        sb.create(format="csv", columns=["a", "b", "a"])
    except sb.Error as error:
        assert "two further columns 'a'" in str(error)
    else:
        raise AssertionError("a name was taken twice")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option, usual in (("--cells", 1000000), ("--names", 10000), ("--seed", 1)):
        parser.add_argument(option, type=int, default=usual)
    asked = parser.parse_args()
    print("%d cells and %d names, no difference" % run(asked.cells, asked.names, asked.seed))
