"""Every mistake is an exception with a sentence, and calls can be ended."""
import array
import inspect
import os
import random
import signal
import threading
import time

import pytest
import seebatch as sb
from conftest import DATA, listed

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
POS = sb.from_fen([START, START])[0]
MOVES, OFF = sb.legal_moves(POS)
KINGS = bytes(48)  # no king at all


def ints(code, *numbers):
    return array.array(code, numbers)


@pytest.mark.parametrize("call, kind, sentence", [
    (lambda: sb.values(POS, MOVES, OFF, rules="nobody"), sb.Error, "nobody"),
    (lambda: sb.values(POS, MOVES, OFF, rules="swap,pins=some"), sb.Error, "the field 'pins' of the rules is 'some'"),
    (lambda: sb.values(POS, MOVES, OFF, rules="é" * 300), sb.Error, "no rule set 'é"),
    (lambda: sb.values(POS, MOVES, OFF, rules="a" + "é" * 300), sb.Error, "no rule set 'aé"),  # cut within a letter
    (lambda: sb.create("/nowhere" + "/€" * 300, format="fen").close(), OSError, "nowhere"),
    (lambda: sb.values(POS, MOVES, OFF, rules=7), TypeError, "name of a rule set"),
    (lambda: sb.values(POS, MOVES, OFF, rules=None), TypeError, "name of a rule set"),
    (lambda: sb.see(START, "e4", rules=None), TypeError, "name of a rule set"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values=(1, 2, 3)), sb.Error, "3 numbers, expected 5"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values=[100]), sb.Error, "1 number, expected 5"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values={100, 325, 500, 1000, 1}), TypeError, "expected 5 numbers"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values=dict.fromkeys(range(5), 9)), TypeError, "expected 5 numbers"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values=(1, 2, 3, 4, 3001)), sb.Error, r"values\[4\] is 3001"),
    (lambda: sb.values(POS, MOVES, OFF, piece_values=(1, 2, 3, 4, "q")), TypeError, "integer"),
    (lambda: sb.values(POS, MOVES, OFF, threads=-1), sb.Error, "threads is -1"),
    (lambda: sb.values(POS, MOVES, OFF, threads=257), sb.Error, "threads is 257"),
    (lambda: sb.values(POS, MOVES, OFF, progress=1), TypeError, "progress"),
    (lambda: sb.values(POS, MOVES, OFF[:2]), sb.Error, "2 offsets, expected 3"),
    (lambda: sb.values(POS, MOVES, ints("q", 0, 5, 3)), sb.Error, "offset 2 is 3"),
    (lambda: sb.values(POS, MOVES, ints("q", 0, 5, 99)), sb.Error, "number of moves, 40"),
    (lambda: sb.values(POS, MOVES, ints("q", -1, 5, 9)), sb.Error, "offset 0 is -1"),
    (lambda: sb.values(POS, MOVES), sb.Error, "40 moves without offsets"),
    (lambda: sb.values(POS, ints("H", 0, 0)), sb.Error, "move 0, a1a1"),
    (lambda: sb.values(POS, ints("H", 65535, 0)), sb.Error, "bits"),
    (lambda: sb.values(POS, [70000, 0]), OverflowError, "moves"),
    (lambda: sb.values(POS, [0.5, 0]), TypeError, "moves"),
    (lambda: sb.values(START, MOVES), sb.Error, "40 moves without offsets"),
    (lambda: sb.values(iter([START]), MOVES), TypeError, "from_fen"),
    (lambda: sb.create(format="fen").write(POS, moves="e4"), sb.Error, "there are"),
    (lambda: sb.moves_to_python_chess(["e4"], tuple), TypeError, "moves_from_text"),
    (lambda: sb.values(17, MOVES), TypeError, "POSITION"),
    (lambda: sb.values(b"\0" * 47, MOVES), sb.Error, "positions"),
    (lambda: sb.values(b"x" * 48, [1]), sb.Error, "FEN 0"),
    (lambda: sb.values(KINGS, [1]), sb.Error, "position 0: a side has no king"),
    (lambda: sb.ge(POS, MOVES, OFF, 40000), sb.Error, "threshold"),
    (lambda: sb.ge(POS, MOVES, OFF, ints("h", 1, 2)), sb.Error, "2 thresholds"),
    (lambda: sb.order(POS, MOVES, OFF, 40000), sb.Error, "threshold is 40000, expected -32768 to 32767"),
    (lambda: sb.order(POS[:1], listed(MOVES)[:1] * 705, ints("q", 0, 705)), sb.Error, "at most 704"),
    (lambda: sb.legal_moves(KINGS), sb.Error, "position 0"),
    (lambda: sb.legal_moves(POS, "some"), sb.Error, "all or captures"),
    (lambda: sb.maps(KINGS), sb.Error, "no king"),
    (lambda: sb.any_capture(KINGS, rules="swap"), sb.Error, "king"),
    (lambda: sb.square_values(POS, [64, 0], [0, 0]), sb.Error, "squares: number 0 is 64"),
    (lambda: sb.square_values(POS, [0, 0], [0, 2]), sb.Error, "colors: number 1 is 2"),
    (lambda: sb.square_values(POS, [0], [0, 0]), sb.Error, "1 squares"),
    (lambda: sb.filter(POS, "no-such-thing"), sb.Error, "no-such-thing"),
    (lambda: sb.filter(POS, "quiet or scroe < 1"), sb.Error, r"did you mean 'score'\?\n  quiet or scroe < 1\n           \^~~~~$"),
    (lambda: sb.filter(POS, "ply = 1 or " * 300000), sb.Error, "is too long, expected at most 65536 bytes"),
    (lambda: sb.filter(sb.Batch(POS, None, None, None, None, [0, 0]), "quiet", scores=[1, 2]), sb.Error, "a Batch brings its own"),
    (lambda: sb.filter(POS, "score=0..", scores=[1]), sb.Error, "1 scores"),
    *((lambda condition=condition: sb.filter(POS, drop=[condition]), sb.Error, f"'{name}' needs .*: pass {argument}=")
      for condition, name, argument in (
          ("capture=0..", "capture", "moves"), ("promotion", "promotion", "moves"), ("tactical", "tactical", "moves"),
          ("score=0..", "score", "scores"), ("abs-score=5", "abs-score", "scores"), ("ply=1..", "ply", "plies"),
          ("result=1.0", "result", "results"))),
    (lambda: sb.filter(POS, "capture", moves=[0, 0], has=[2, 0]), sb.Error, "'capture' needs .*: has= excludes it"),
    (lambda: sb.filter(POS, results=[0, 3]), sb.Error, r"result 1 is 3.0, expected 1 \(White won\), 0.5"),
    (lambda: sb.filter(POS, results=["1-0", "0-1"]), TypeError, "results are not numbers"),
    (lambda: sb.square_values(POS, [36, 36], [True, False]), TypeError, "colors .*expected|colors are booleans"),
    (lambda: sb.values(POS, MOVES, OFF, threads="two"), TypeError, "threads is 'two', expected an integer"),
    (lambda: sb.ge(POS, MOVES, OFF, "much"), TypeError, "threshold is 'much'"),
    (lambda: sb.open(DATA), IsADirectoryError, "a directory"),
    (lambda: sb.open("a\0b.fen"), ValueError, "null"),
    (lambda: sb.open(5), TypeError, "path is 5, an int"),
    (lambda: sb.create(format="fenn"), sb.Error, "^format: there is no format 'fenn'"),
    (lambda: sb.create(format="fen", lose="all,of"), sb.Error, "^lose: "),
    (lambda: sb.create(format="fen").write(POS, scores=[1, 2]), sb.Error, "expected lose='score'"),
    (lambda: sb.see("\udc80", "e4"), sb.Error, "surrogate"),
    (lambda: sb.see(START, "e4", rules="\udc80"), sb.Error, "name of rules .*surrogate"),
    (lambda: sb.filter(POS, keep="\udc80"), sb.Error, "condition .*surrogate"),
    (lambda: sb.create(format="csv", columns=["\udc80"]), sb.Error, "name of a column .*surrogate"),
    (lambda: sb.create(format="csv", columns=["a"]).write(POS, columns={"a": ["b", "\udc80"]}), sb.Error, "cell '.udc80' .*surrogate"),
    (lambda: len(sb.open(data=START.encode(), format="fen")), TypeError, "no length before its file is read"),
    (lambda: sb.open(data=START.encode(), format="fen")["fen"], TypeError, r"no \['fen'\], expected next\(reader\)"),
    (lambda: sb.legal_moves(sb.from_fen([START, "8/8 w", START])[0][1:]), sb.Error,
     "position 0 comes from an unreadable FEN: "),
    (lambda: sb.values([START, "8/8 w"], ["e4", "e4"]), sb.Error, "FEN 1: "),
    (lambda: sb.values([START, START], ["e4", "e5"]), sb.Error, "move 1: .*e5"),
    (lambda: sb.from_boards([13] + [12] * 63), sb.Error, "square 0 of board 0 is 13"),
    (lambda: sb.from_boards([12] * 64), sb.Error, "board 0: .*king"),
    (lambda: sb.from_boards([12] * 64, True), TypeError, "stm is a boolean"),
    (lambda: sb.filter(POS, moves=[0, 0]), sb.Error, "move 0"),
    (lambda: sb.take(POS, [2]), IndexError, "index 0 is 2, expected -2 to 1"),
    (lambda: sb.take(POS[:0], [0]), IndexError, "there are no positions"),
    (lambda: sb.take(POS, [True]), IndexError, "1 flags, expected one for each position: 2"),
    (lambda: sb.take(POS, [False] * 3), IndexError, "3 flags"),
    (lambda: sb.take(POS, [-3]), IndexError, "-3"),
    (lambda: sb.checked(KINGS), sb.Error, "position 0"),
    (lambda: sb.checked(POS, [0, 0]), sb.Error, "move 0"),
    (lambda: sb.from_fen([1]), TypeError, "FEN 0 is 1, of the type int"),
    (lambda: sb.from_fen(ints("q", 1, 2)), TypeError, "fens are numbers"),
    (lambda: sb.from_fen(ints("B", 65)), TypeError, "fens are numbers"),
    (lambda: sb.from_fen(POS), TypeError, "fens have the dtype|fens are numbers"),
    (lambda: sb.from_fen([START], wrong="hide"), sb.Error, "keep, drop or raise"),
    (lambda: sb.from_fen([START, "8/8"], wrong="raise"), sb.Error, "FEN 1: "),
    (lambda: sb.legal_moves(sb.from_fen(["x"])[0]), sb.Error, "position 0"),
    (lambda: sb.moves_from_text(POS, ["e4"]), sb.Error, "1 moves without offsets"),
    (lambda: sb.moves_from_text(POS, ["e4", "d4"], notation="lan"), sb.Error, "notation"),
    (lambda: sb.moves_to_text(POS, [0, 0], None, "san"), sb.Error, "move 0"),
    (lambda: sb.Position("8/8/8 w"), sb.Error, "rank"),
    (lambda: sb.Position(bytearray(KINGS)), sb.Error, "king"),
    (lambda: sb.Position(POS), sb.Error, "expected one record of 48"),
    (lambda: sb.Position(None), TypeError, "position is None, expected one: a Position"),
    (lambda: sb.see(START, "Ke2"), sb.Error, "Ke2"),
    (lambda: sb.see(START, 0), sb.Error, "a1a1"),
    (lambda: sb.see(START, 1 << 70), sb.Error, "16 bits"),
    (lambda: sb.see(START, None), TypeError, "move is None, expected one"),
    (lambda: sb.see(START), TypeError, "position and move"),
    (lambda: sb.see(START, "e4", colour=1), TypeError, "colour"),
    (lambda: sb.explain(START, "e5"), sb.Error, "e5"),
    (lambda: sb.use_kernel("abacus"), sb.Error, "abacus"),
    (lambda: sb.open("/nowhere/at/all.fen"), OSError, "cannot be opened: .*all.fen"),
    (lambda: sb.open("a.nothing"), FileNotFoundError, "cannot be opened: .*a.nothing"),
    (lambda: sb.open(__file__), sb.Error, "its name does not say its format"),
    (lambda: sb.open(), sb.Error, "neither"),
    (lambda: sb.open(DATA / "games.fen", part=(3, 2)), sb.Error, "part"),
    (lambda: next(sb.open(DATA / "games.fen", batch=0)), sb.Error, "batch is 0, expected 1"),
    (lambda: next(sb.open(DATA / "games.fen", batch=2**60)), MemoryError, f"batch is {2**60}, and there is not enough memory"),
    (lambda: sb.open(DATA / "games.fen", batch=2**63), sb.Error, f"batch is {2**63}, expected 1"),
    (lambda: sb.open(DATA / "games.fen", seed=2**64), sb.Error, f"seed is {2**64}, expected 0"),
    (lambda: next(sb.open(data=b"wrong\n", format="fen", strict=True)), sb.Error, "1: "),
    (lambda: sb.create("/nowhere/at/all.fen").close(), OSError, "nowhere"),
    (lambda: sb.create(format="fen").write(POS, scores=[1, 2]), sb.Error, "score would be lost"),
    (lambda: sb.create(format="csv", columns=["a"]).write(POS), sb.Error, "columns"),
    (lambda: sb.create(format="csv", columns=["a"]).write(POS, columns={"a": [1]}), sb.Error, "cells"),
])
def test_sentences(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_signatures():
    """What editors and help() show of the functions of the extension."""
    shown = {name: str(inspect.signature(getattr(sb, name))) for name in ("see", "kernel", "kernels", "rule_sets", "use_kernel")}
    assert shown == {"see": "(position, move, rules='legal', piece_values=None)", "kernel": "()", "kernels": "()",
                     "rule_sets": "()", "use_kernel": "(name, /)"}
    assert sb.see.__doc__.startswith("Evaluate the exchange that one move begins")


def test_wrong_texts_are_listed_by_their_place():
    texts = [START, "", "8/8 w", START + "\n", b"\xff"]
    pos, errors = sb.from_fen(texts)
    assert len(pos) == 5 and [error.index for error in errors] == [1, 2, 4]
    kept, errors = sb.from_fen("\r\n".join([START, "", "8/8 w", START]), wrong="drop")
    assert sb.to_fen(kept) == [START, START] and [error.index for error in errors] == [1, 2]
    assert all(error.sentence for error in errors)
    assert len(sb.legal_moves(kept)[0]) == 40
    moves, errors = sb.moves_from_text(POS, ["e4", "e5"])
    assert listed(moves)[1] == 0 and errors[0].index == 1 and "e5" in errors[0].sentence


def test_lines_longer_than_what_is_read_at_once():
    text = (START + " ;" + "x" * 3_000_000 + "\n" + START + "\n").encode()
    pos, errors = sb.from_fen(text)
    assert len(pos) == 2 and len(errors) <= 1
    text = b"\n" * 100_000 + START.encode()
    pos, errors = sb.from_fen(text, threads=2)
    assert len(pos) == 100_001 and len(errors) == 100_000


def test_random_bytes_are_refused_or_evaluated(games):
    """Whatever arrays have in them: an answer or a sentence. The sanitizers see what else it may be."""
    rng = random.Random(30)
    pos, (moves, off), _ = games
    board, rows, some = memoryview(pos).tobytes()[:20 * 48], listed(off)[:21], listed(moves)[:off[20]]
    answers = 0
    for _ in range(150):
        mine, offsets, chosen = bytearray(board), array.array("q", rows), array.array("H", some)
        for data, most in ((mine, 256), (offsets, len(some) + 2), (chosen, 65536)):
            for _ in range(rng.randrange(3)):
                data[rng.randrange(len(data))] = rng.randrange(most)
        has, rules = bytes(rng.randrange(16) for _ in range(20)), rng.choice(sb.rule_sets())
        columns = {"moves": chosen[:20], "scores": [0] * 20, "results": [1] * 20, "plies": [0] * 20, "has": has}
        for call in (lambda: sb.to_fen(mine), lambda: sb.values(mine, chosen, offsets, rules),
                     lambda: sb.order(mine, chosen, offsets, 0, rules), lambda: sb.lengths(mine, chosen, offsets, rules),
                     lambda: sb.moves_to_text(mine, chosen, offsets, "san"), lambda: sb.checked(mine, chosen, offsets),
                     lambda: sb.moves_from_text(mine, ["e4"] * len(chosen), offsets), lambda: sb.legal_moves(mine),
                     lambda: sb.maps(mine, rules), lambda: sb.any_capture(mine, 0, rules), lambda: sb.Position(mine[:48]),
                     lambda: sb.filter(mine, ["in-check", "any-capture=1.."], rules=rules, **columns),
                     lambda: sb.create(format="binpack", lose="clock,number,castling,en-passant").write(mine, **columns)):
            try:
                call()
                answers += 1
            except sb.Error as error:
                assert str(error)
    assert 150 < answers < 150 * 13


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_and_its_exceptions(games, threads):
    pos, (moves, off), _ = games
    seen = []
    sb.values(pos, moves, off, threads=threads, progress=lambda *now: seen.append(now))
    assert seen[-1] == (len(moves), len(moves)) and seen == sorted(seen)

    def stop(done, total):
        raise LookupError("enough")

    text = "\n".join(sb.to_fen(pos)).encode()
    for call in (lambda: sb.maps(pos, threads=threads, progress=stop),
                 lambda: sb.from_fen(text, threads=threads, progress=stop),
                 lambda: sb.legal_moves(pos, threads=threads, progress=stop),
                 lambda: sb.filter(pos, "in-check", progress=stop)):
        with pytest.raises(LookupError, match="enough"):
            call()


class Stop(Exception):
    """What the handler of a signal raises."""


def raise_stop(*unused):
    raise Stop


@pytest.mark.parametrize("call", ["maps", "write"])
def test_signals_end_a_call(games, call):
    """A signal that comes in the middle of a call: its handler's exception ends it."""

    def send():  # when some of the work is done
        wait = time.monotonic() + 0.1
        while not reported and not ended.is_set() and (call == "maps" or time.monotonic() < wait):
            time.sleep(0.001)
        if not ended.is_set():
            os.kill(os.getpid(), signal.SIGALRM)

    before = signal.signal(signal.SIGALRM, raise_stop)
    many = memoryview(games[0]).tobytes()
    try:
        for _ in range(6):  # until a call takes long enough
            many *= 4
            known, n = sb.checked(many), len(many) // 48
            reported, ended = {}, threading.Event()
            writer = sb.create(format="csv", lose="move,score,result,ply")
            sender = threading.Thread(target=send)
            try:
                sender.start()
                # A progress function of Python's own would run the handler.
                writer.write(known) if call == "write" else sb.maps(known, progress=reported.setdefault)
                ended.set()
                sender.join()
            except Stop:
                if n not in reported and (reported or 0 < writer.counts["written"] < n):
                    return
            finally:
                ended.set()
                sender.join()
        pytest.fail("no call was ended")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_reading_that_did_not_finish_does_not_go_on():
    """The records that it had read are lost: going on would leave them out in silence."""

    lines, batch = 10000, None
    before = signal.signal(signal.SIGALRM, raise_stop)
    try:
        for _ in range(8):  # until it takes long enough
            lines *= 2
            reader = sb.open(data=f"{START}\n".encode() * lines, format="fen", batch=lines)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.005)
                batch = next(reader)
            except Stop:
                if reader.counts["read"] and batch is None:
                    with pytest.raises(OSError, match="records were read by a call that did not finish, and they are lost; open the file again"):
                        next(reader)
                    return
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            batch = None
        pytest.fail("no call was ended")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_the_table_of_a_file_that_is_gone(tmp_path):
    """It is not what is left of the reader's own reading."""
    path = tmp_path / "a.fen"
    path.write_text(f"{START}\n" * 3)
    reader = sb.open(path, batch=1)
    next(reader)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="a.fen"):
        reader.__arrow_c_stream__()
    assert len(list(reader)) == 2
