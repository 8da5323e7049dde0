"""How fast the module is against the C functions that it calls, on one core, in turns.

    python3 bench/speed.py PROGRAM FENS [ROUNDS]

PROGRAM is bench/speed.c, compiled with what scripts/amalgamate writes:

    scripts/amalgamate DIR
    gcc -O3 -DNDEBUG -std=gnu11 -IDIR bindings/python/bench/speed.c DIR/seebatch.c -pthread -o PROGRAM
"""
import statistics
import subprocess
import sys
import time

import seebatch as sb

try:
    import pyarrow
except ImportError:
    pyarrow = None

FEN = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"


def nanoseconds(function, n):
    begin = time.process_time()
    function()
    return 1e9 * (time.process_time() - begin) / n


def here(text, lines):
    position, move = sb.Position(FEN), 2308
    assert sb.see(position, move) == sb.see(FEN, "Rxe5") == 100
    pos, _ = sb.from_fen(text)
    moves, off = sb.legal_moves(pos, "captures")
    n, m = len(pos), len(moves)
    own = pos.copy()
    own["fullmove_number"] = time.monotonic_ns() % 60000 + 1  # so that it is none that came before

    def often(question):
        def ask():
            for _ in range(100000):
                question()
        return ask

    column = pyarrow.array(lines) if pyarrow else lines
    return {
        "best_capture": nanoseconds(lambda: sb.columns.best_capture(column), n),
        "from_bytes": nanoseconds(lambda: sb.from_fen(text), n),
        "from_list": nanoseconds(lambda: sb.from_fen(lines), n),
        "legal_moves": nanoseconds(lambda: sb.legal_moves(pos), n),
        "values": nanoseconds(lambda: sb.values(pos, moves, off, "swap"), m),
        "ge": nanoseconds(lambda: sb.ge(pos, moves, off, 0, "swap"), m),
        "see_text": nanoseconds(often(lambda: sb.see(FEN, "Rxe5")), 1e5),
        "see": nanoseconds(often(lambda: sb.see(position, move)), 1e5),
        "values, own arrays": nanoseconds(lambda: sb.values(own, moves, off, "swap"), m),
        "values, own, again": nanoseconds(lambda: sb.values(own, moves, off, "swap"), m),
    }


def main():
    program, path, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 9
    text = open(path, "rb").read()
    lines = text.decode().splitlines()
    native, python = [], []
    for _ in range(rounds):
        # Of three passes each the last: memory is there by then.
        words = subprocess.run([program, path, "3"], capture_output=True, check=True).stdout.splitlines()[-1].split()
        native.append(dict(zip(words[::2], map(float, words[1::2]))))
        python.append([here(text, lines) for _ in range(3)][-1])
    print(f"{'':20} {'C ns':>8} {'here ns':>8} {'speed':>6}   kernel {sb.kernel()}")
    same = statistics.median(row[b"itself"] / row[b"best_capture"] for row in native)
    print(f"{'C against itself':20} {'':8} {'':8} {same:6.2f}")
    for name in python[0]:
        ours = statistics.median(row[name] for row in python)
        if name.encode() in native[0]:
            theirs = statistics.median(row[name.encode()] for row in native)
            print(f"{name:20} {theirs:8.2f} {ours:8.2f} {theirs / ours:6.2f}")
        else:
            print(f"{name:20} {'':8} {ours:8.2f}")


main()
