"""Threads with small stacks: each call gives the right answer, or the process ends by a signal."""
import os
import subprocess
import sys

import pytest

CHILD = """
import sys, threading
import seebatch as sb
hard = "k2q1q2/pp1q1q2/2nqqn2/qqqpQQQQ/1NQQQN2/1Q1Q1Q2/Q2Q2PP/3Q3K w - -"  # its exchange on d5 takes a long search
positions, _ = sb.from_fen(["1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", hard] * 100)
moves, offsets = sb.legal_moves(positions, "captures")

def answers():
    return bytes(sb.any_capture(positions, 1)), bytes(sb.values(positions, moves, offsets))

found = []
threading.stack_size(int(sys.argv[1]))
thread = threading.Thread(target=lambda: found.append(answers()))
thread.start()
thread.join()
threading.stack_size(0)
sys.exit(found != [answers()])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals that end a process")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers need stack of their own")
def test_small_stacks_end_cleanly():
    right = 0
    for kilobytes in range(64, 1025, 32):  # Python 3.14 takes no less than 52, and needs some of it itself
        child = subprocess.run([sys.executable, "-c", CHILD, str(kilobytes << 10)], capture_output=True, check=False)
        assert child.returncode <= 0, (kilobytes, child.stderr)
        right += child.returncode == 0
    assert right > 0
