"""The example engine (examples/engine): its side of a UCI conversation, mates that it has to find, and the same tree by one
call a move as in batches."""
import os
import queue
import re
import subprocess
import threading

import pytest

ENGINE = os.environ["SEEBATCH_TEST_ENGINE"]
TOOL = os.environ["SEEBATCH_TEST_TOOL"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEAD = "8/8/4k3/8/8/4K3/8/8 w - - 0 1"  # nothing to search: the last iteration is there at once
PATIENCE = 120  # seconds for a line, on a busy machine with sanitizers; nothing is measured


class Engine:
    """The engine, talked to in lines; what it says is read by a thread, so that silence is not waited for for ever."""

    def __init__(self, **options):
        self.process = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, pattern):
        """The lines up to one that matches, which is the last."""
        heard = []
        while not heard or not re.fullmatch(pattern, heard[-1]):
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"ended without {pattern!r}; said {heard}, and {self.process.stderr.read()!r}"
            heard.append(line)
        return heard

    def end(self):
        """What it says after its input has ended."""
        self.process.stdin.close()
        heard = []
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            heard.append(line)
        assert (self.process.wait(timeout=PATIENCE), self.process.stderr.read()) == (0, "")
        return heard

    def ready(self):
        """What it said until it was ready."""
        self.say("isready")
        return self.hear("readyok")[:-1]

    def go(self, limits, fen=START):
        """The move, and depth, score and pv of the last line of information."""
        self.say(f"position fen {fen}", f"go {limits}")
        *lines, last = self.hear("bestmove .*")
        found = [re.fullmatch(r"info depth (\d+) .*score (\S+ \S+) .* pv (.*)", line) for line in lines if line.startswith("info depth")]
        return last.split()[1], (int(found[-1][1]), found[-1][2], found[-1][3].split()) if found else None


@pytest.fixture(name="engine")
def an_engine():
    engine = Engine()
    yield engine
    engine.say("quit")
    engine.end()


def legal_moves(fen):
    lines = subprocess.run([TOOL, "eval", "--moves", "all"], input=fen.encode(), capture_output=True, check=True).stdout
    return {line.split("\t")[1] for line in lines.decode().splitlines()}


# ---- The conversation ----------------------------------------------------------------------------------------------


def test_it_introduces_itself(engine):
    engine.say("uci")
    lines = engine.hear("uciok")
    assert [line.split()[:2] for line in lines[:2]] == [["id", "name"], ["id", "author"]]
    options = [re.fullmatch("option name (.*) type (.*) default (.*)", line).groups() for line in lines[2:-1]]
    assert options == [("Hash", "spin", "16 min 1 max 4096"), ("Batch", "check", "true")]
    assert engine.ready() == []


@pytest.mark.parametrize("limits", ["depth 4", "nodes 3000", "movetime 20", "wtime 500 btime 500 winc 5 binc 5",
                                    "wtime 300 btime 300 movestogo 1", "wtime -30 btime 10", "depth 0", "nodes 0",
                                    "movetime 0", "depth 3 nodes 100000 movetime 60000"])
@pytest.mark.parametrize("fen", [START, BUSY])
def test_every_go_is_answered_by_one_legal_move(engine, limits, fen):
    move, (_, _, pv) = engine.go(limits, fen)
    assert move in legal_moves(fen)
    # An iteration that the clock breaks off is not reported, but may have found a better move.
    assert pv[0] == move or "time" in limits
    assert engine.ready() == []


def test_an_infinite_search_speaks_when_it_is_told_to_stop(engine):
    engine.say(f"position fen {DEAD}", "go infinite")
    engine.hear("info depth 64 .*")
    assert engine.ready() == []  # the search has ended, and waits
    engine.say("stop")
    assert engine.hear("bestmove .*")[0].split()[1] in legal_moves(DEAD)
    assert engine.go("depth 2")[1][0] == 2


@pytest.mark.parametrize("ending", [[], ["quit"]])
def test_it_ends_in_the_midst_of_a_search(ending):
    engine = Engine()
    engine.say("go infinite", *ending)
    heard = engine.end()
    assert heard[-1].split()[1] in legal_moves(START)


@pytest.mark.parametrize("fen", ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
def test_without_a_legal_move_it_plays_none(engine, fen):
    assert engine.go("depth 5", fen) == ("0000", None)


AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize("line, complaint, fen", [
    ("hello", "'hello' is not understood", BUSY), ("position", "position: expected startpos or fen, found 'nothing'", BUSY),
    ("position startpos e2e4", "position: expected moves, found 'e2e4'", BUSY),
    ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position: .*king.*", BUSY),
    ("position fen " + "x" * 5000, "position: the FEN is longer than 255 characters", BUSY),
    ("setoption", "setoption: expected name, an option, value, and a value", BUSY),
    ("setoption name Hash value 0", "Hash: no table of 0 MiB; it stays as it is", BUSY),
    ("setoption name Hash value 4097", "Hash: expected a number up to 4096, found '4097'", BUSY),
    ("setoption name Batch value maybe", "setoption: there is no option Batch that can be 'maybe'", BUSY),
    # an illegal move ends the list of moves
    ("position startpos moves e2e4 e2e4 e7e5", ".*e2e4.*; it and the moves after it are left out", AFTER_E4)])
def test_what_cannot_be_read_is_said_and_changes_nothing(engine, line, complaint, fen):
    engine.say(f"position fen {BUSY}", line)
    said, = engine.ready()
    assert re.fullmatch("info string " + complaint, said)
    engine.say("go depth 1")
    assert engine.hear("bestmove .*")[-1].split()[1] in legal_moves(fen)


# ---- What it finds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", ["true", "false"])
@pytest.mark.parametrize("fen, mate, move", [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, "a1a8"),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1, "d8h4"),
    ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1, "g5f7"),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", 1, "a1a8"),  # the fiftieth move without a capture: mate goes first
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),  # Morphy
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "a8b8"),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3, "f8c5"),
])
def test_it_finds_mates(fen, mate, move, batch):
    engine = Engine(Batch=batch)
    found, (_, score, pv) = engine.go("depth 8", fen)
    assert (found, score, len(pv)) == (move, f"mate {mate}", 2 * mate - 1 if mate > 0 else -2 * mate)
    engine.say(f"position fen {fen} moves {' '.join(pv)}", "go depth 1", "quit")
    assert engine.end() == ["bestmove 0000"]


POSITIONS = [START, BUSY, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
             "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
             "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
             "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"]


def tree(batch):
    """What the engine says of the positions, one after another with one table, without times."""
    engine = Engine(Batch=batch)
    lines = []
    for fen in POSITIONS:
        engine.say(f"position fen {fen}", "go depth 7")
        lines += engine.hear("bestmove .*")
    engine.say("quit")
    engine.end()
    return [re.sub(" nps [0-9]+ time [0-9]+", "", line) for line in lines]


def test_one_call_a_move_and_batches_search_the_same_tree():
    lines = tree("true")
    assert sum(line.startswith("info depth 7 ") for line in lines) == len(POSITIONS)
    assert lines == tree("false")
