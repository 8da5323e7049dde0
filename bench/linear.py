"""Inputs made to be slow, at sizes N, 2N and 4N: does the time of the tool grow as the input does, and does its memory stay?

`scripts/bench linear` runs it. A row is a case: seconds of user and system time (the least of some runs), by how much a
doubling made them grow, and the memory at 4N, which cannot be told below that of Python. A growth above 2.3 is marked,
where there is enough time to tell.
"""
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

QUIET = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
GAME = '[Event "x"]\n\n'
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")
MOST_GROWTH, LEAST_SECONDS, RUNS = 2.3, 0.03, 3


def until(n, pieces):
    """Of endless pieces of text those that fill n bytes."""
    found, used = [], 0
    for piece in pieces:
        found.append(piece)
        used += len(piece)
        if used >= n:
            return "".join(found)
    return "".join(found)


def repeated(piece):
    while True:
        yield piece


def numbered(form, most):
    """With 0, 1, 2 and so on in it, up to most."""
    number = 0
    while True:
        yield form.format(number % (most + 1))
        number += 1


def filled(before, piece, after=""):
    """Case: text in the middle is repeated."""
    return lambda n: before + piece * (n // len(piece)) + after


def listed(before, form, after="", most=sys.maxsize):
    """Case: text in the middle is repeated with a number in it."""
    return lambda n: before + until(n, numbered(form, most)) + after


def wide_table(n):
    """Half of it is the header, the rest a few rows."""
    columns = n // 32
    header = "fen," + ",".join(f"column{i}" for i in range(columns))
    return header + "\n" + f"{QUIET}{',' * columns}\n" * (n // 2 // columns)


def objects(n, members):
    rest = "".join(f', "member{i}": {i}' for i in range(members))
    return f'{{"fen": "{QUIET}"{rest}}}\n' * (1 + n // (len(rest) + 50))


def one_line(text):
    """Case: n bytes in one line and no more."""
    return lambda n: text * (n // len(text)) + "\n"


# A name, a format, what makes n bytes of it; in a record at most, where `single`, as long as a record may be.
CASES = [
    ("blank lines", "fen", filled(QUIET + "\n", "\n"), False),
    ("a line of text", "fen", one_line("rnbqkbnr/"), True),
    ("moves behind a TAB", "fen", filled(QUIET + "\t", "Kd1 ", "\n"), True),
    ("operations", "epd", listed("4k3/8/8/8/8/8/8/4K3 b - - ", "x{0} {0};", "\n"), True),
    ("a string", "epd", filled('4k3/8/8/8/8/8/8/4K3 b - - id "', "a b;", '";\n'), True),
    ("quotes", "epd", filled("4k3/8/8/8/8/8/8/4K3 b - - id ", '"', ";\n"), True),
    ("bars", "scored", filled(QUIET, " | 1", "\n"), True),
    ("a long number", "scored", filled(QUIET + " | ", "1", " | 1.0\n"), True),
    ("columns", "csv", wide_table, False),
    ("cells too many", "csv", filled("fen\n" + QUIET, ",", "\n"), True),
    ("quotes in a cell", "csv", filled(f'fen,note\n{QUIET},"', '""', '"\n'), True),
    ("a quote without end", "csv", filled("fen,note\n", QUIET + ',"a\n'), False),
    ("rows that are not usual", "csv", filled("fen,note\n", f'{QUIET},"a"\n'), False),
    ("lines that are not known", "plain", listed(f"fen {QUIET}\n", "line{0} {0}\n", "e\n"), True),
    ("no end of a record", "plain", filled("", f"fen {QUIET}\n"), False),
    ("carriage returns", "plain", filled("", f"fen {QUIET}\r\nmove h1g1\r\nscore 1\r\nply 0\r\nresult 0\r\ne\r\n"), False),
    ("members", "jsonl", listed(f'{{"fen": "{QUIET}"', ', "m{0}": {0}', "}\n"), True),
    ("members of all objects", "jsonl", lambda n: objects(n, 300), False),
    ("members of one name", "jsonl", filled(f'{{"fen": "{QUIET}"', ', "m": 1', "}\n"), True),
    ("arrays in arrays", "jsonl", lambda n: f'{{"fen": "{QUIET}", "m": ' + "[" * (n // 2) + "]" * (n // 2) + "}\n", True),
    ("escapes", "jsonl", filled(f'{{"fen": "{QUIET}", "m": "', "\\u0041", '"}\n'), True),
    ("a long number", "jsonl", filled(f'{{"fen": "{QUIET}", "score": ', "1", "}\n"), True),
    ("evaluations", "jsonl", filled('{"fen": "4k3/8/8/8/8/8/8/4K2R w K -", "evals": [',
                                    '{"pvs": [{"cp": 1, "line": "h1g1"}], "knodes": 1, "depth": 1}, ',
                                    '{"pvs": [{"cp": 1, "line": "h1g1"}], "knodes": 1, "depth": 2}]}\n'), True),
    ("moves without end", "pgn", lambda n: GAME + until(n, (move + " " for _ in repeated(0) for move in SHUFFLE)) + "*\n", True),
    ("no result", "pgn", lambda n: GAME + until(n, (move + " " for _ in repeated(0) for move in SHUFFLE)) + "\n", True),
    ("comments in comments", "pgn", filled(GAME, "{ ", "} *\n"), True),
    ("comments without end", "pgn", filled("", GAME + "e4 { a\n"), False),
    ("variations in variations", "pgn", lambda n: GAME + "( " * (n // 4) + ") " * (n // 4) + "*\n", True),
    ("tags", "pgn", listed("", '[Tag{0} "{0}"]\n', "\n*\n"), True),
    ("quotes in a tag", "pgn", filled('[Event "', '" ', '"]\n\n*\n'), True),
    ("brackets", "pgn", filled("", "[\n"), True),
    ("escaped lines", "pgn", filled(GAME, "% a\n", "*\n"), True),
    ("games of no move", "pgn", filled("", GAME + "*\n\n"), False),
    ("zeros", "binpack", filled("BINP", "\0"), False),
    ("beginnings of chunks", "binpack", filled("", "BINP\x04\0\0\0"), False),
    ("zeros", "viriformat", filled("", "\0"), True),
    ("zeros", "montyformat", filled("", "\0"), True),
    ("zeros", "marlinformat", filled("", "\0"), False),
    ("one position", "fen", filled("", QUIET + "\n"), False),
    ("positions equal but for clocks", "fen", listed("", "4k3/8/8/8/8/8/8/4K2R w K - 0 {0}\n", most=65535), False),
]
COMMANDS = [["filter", "--count"], ["filter", "--to", "jsonl", "--lose", "all"], ["stats"], ["eval"]]
WHOLE = [["filter", "--unique", "--memory", "64M"], ["filter", "--shuffle", "--memory", "64M"]]  # over the whole input
PIPELINES = ("filter", "stats")
MEBI = 1 << 20


def measure(command, folder):
    """Seconds of user and system time, and the most memory in MiB."""
    seconds, most = [], 0
    for _ in range(RUNS):
        with open(os.devnull, "w", encoding="ascii") as nothing:
            process = subprocess.Popen(command, cwd=folder, stdout=nothing, stderr=nothing)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0
        seconds.append(used.ru_utime + used.ru_stime)
        most = max(most, used.ru_maxrss / 1024)
    return min(seconds), most


def write(path, make, n):
    """In a process of its own: what a process has had in memory counts for those that it starts, too."""
    child = os.fork()
    if child == 0:
        made = make(n)
        path.write_bytes(made if isinstance(made, bytes) else made.encode())
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError(f"{n} bytes of input could not be made")


def rows(size):
    """Each case with each command; of the whole input, those that keep records."""
    for name, form, make, single in CASES:
        for command in COMMANDS + (WHOLE if form == "fen" and not single else []):
            yield name, form, make, command, min(size, 4 * MEBI - 4096) if single else size
    member = gzip.compress(b"", mtime=0)
    yield "members of gzip", "fen", lambda n: member * (n // len(member)), COMMANDS[0], size


def run(tool, size, wanted):
    """Prints a table; returns how many rows grew by too much."""
    grown = 0
    print("| input | command | N | 2N | 4N | growth | MiB |\n|---|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for name, form, make, command, n in rows(size):
            if wanted not in f"{form}: {name}":
                continue
            file = pathlib.Path(folder) / ("input.gz" if name == "members of gzip" else "input")
            times, memory = [], 0
            for factor in (1, 2, 4):
                write(file, make, factor * n)
                quietly = ["--quiet", "--threads", "1"] if command[0] in PIPELINES else []
                seconds, memory = measure([tool, *command, *quietly, "--from", form, file.name], folder)
                times.append(seconds)
            growth = max(times[1] / max(times[0], LEAST_SECONDS), times[2] / max(times[1], LEAST_SECONDS))
            grown += growth > MOST_GROWTH
            cells = " | ".join(f"{seconds:.3f}" for seconds in times)
            print(f"| {form}: {name} | `{' '.join(command)}` | {cells} | {growth:.1f}{' (!)' * (growth > MOST_GROWTH)} | "
                  f"{memory:.0f} |", flush=True)
            file.unlink()
    return grown


if __name__ == "__main__":
    sys.exit("run it as scripts/bench linear")
