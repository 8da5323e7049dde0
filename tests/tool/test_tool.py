"""The contract of the command-line tool: what it reads, what it prints, byte for byte, and how it ends.

The tool is run as users run it, on pipes and files; SEEBATCH_TEST_TOOL names it. Values that are asserted here can be worked
out by hand from the position; that the values are right in general is what the other tests are for.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess

import pytest

import pipeline_support
from pipeline_support import BAD, DATA, QUIET, ROOK_TAKES_PAWN, TOOL, fails

KNIGHT_TAKES_PAWN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -"
RULE_NAMES = ["legal", "swap", "promotions", "ethereal", "stockfish", "stockfish-2016", "stormphrax", "pawnocchio",
              "plentychess", "reckless", "monty"]


def run(*arguments, stdin=b"", **more):
    """As in pipeline_support, but the last line of a text gets an end if it has none."""
    if isinstance(stdin, str) and stdin and not stdin.endswith("\n"):
        stdin += "\n"
    return pipeline_support.run(*arguments, stdin=stdin, **more)


def evaluate(lines, *options):
    """The output of `eval --rules swap` on lines that are all well."""
    result = run("eval", "--rules", "swap", *options, stdin=lines)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def moves_of(output):
    return [row.split("\t")[1] for row in output.splitlines()]


def info():
    result = run("info", "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def available_kernels():
    return [kernel["name"] for kernel in info()["kernels"] if kernel["available"]]


# ---- eval: rows ----------------------------------------------------------------------------------------------------


def test_worked_values():
    assert evaluate(ROOK_TAKES_PAWN) == ROOK_TAKES_PAWN + "\te1e5\t100\n"
    rows = dict(row.split("\t")[1:] for row in evaluate(KNIGHT_TAKES_PAWN).splitlines())
    assert rows["d3e5"] == "-225"


def test_position_is_printed_byte_for_byte():
    given = '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3   w -  - 3   17 bm Rxe5; id "caf\u00e9 / \\ x"; '
    assert evaluate(given) == given + "\te1e5\t100\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize("moves", ["", "\t", "\t   ", "\te1e5", "\t  e1e5  ", "\te1e5\t"])
def test_ends_of_lines(end, moves):
    expected = ROOK_TAKES_PAWN + "\te1e5\t100\n"
    assert evaluate(ROOK_TAKES_PAWN + moves + end) == expected
    assert evaluate((ROOK_TAKES_PAWN + moves + (end or "\n")) * 3) == 3 * expected


def test_blank_lines_and_comments():
    lines = ["", "# comment", "   ", " \t ", "#\t\0", "\r", ROOK_TAKES_PAWN, "", BAD]
    result = run("eval", "--rules", "swap", stdin="\n".join(lines))
    assert result.stdout.decode() == ROOK_TAKES_PAWN + "\te1e5\t100\n"
    assert result.stderr.decode().startswith("-:9: ")
    assert result.returncode == 1


@pytest.mark.parametrize("nothing", ["", "\n\n", "# nothing\n", QUIET])
def test_nothing_to_evaluate(nothing):
    assert evaluate(nothing) == ""


def test_captures_or_all_moves():
    position = "4k3/8/8/3p4/4P3/8/8/4K3 w - -"
    assert moves_of(evaluate(position)) == ["e4d5"]
    assert moves_of(evaluate(position, "--moves", "captures")) == ["e4d5"]
    everything = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e4d5", "e4e5"]
    assert sorted(moves_of(evaluate(position, "--moves", "all"))) == everything
    # moves that are named are evaluated whatever --moves says
    assert moves_of(evaluate(position + "\te4e5", "--moves", "captures")) == ["e4e5"]
    assert moves_of(evaluate(position + "\te4d5", "--moves", "all")) == ["e4d5"]


def test_named_moves_keep_their_order_and_number():
    named = "e4e5 e4d5 e1d1 e4d5"
    assert moves_of(evaluate("4k3/8/8/3p4/4P3/8/8/4K3 w - -\t" + named)) == named.split()


def test_en_passant():
    assert evaluate("4k3/8/8/3pP3/8/8/8/4K3 w - d6") == "4k3/8/8/3pP3/8/8/8/4K3 w - d6\te5d6\t100\n"
    assert evaluate("4k3/8/8/3pP3/8/8/8/4K3 w - -") == ""


def test_promotions():
    position = "1n2k3/P7/8/8/8/8/8/4K3 w - -"
    assert sorted(moves_of(evaluate(position))) == ["a7b8b", "a7b8n", "a7b8q", "a7b8r"]
    every = moves_of(evaluate(position, "--moves", "all"))
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} < set(every)
    result = run("eval", "--rules", "promotions", stdin=position)
    assert {tuple(row.split("\t")[1:]) for row in result.stdout.decode().splitlines()} == {
        ("a7b8q", "1225"), ("a7b8r", "725"), ("a7b8b", "550"), ("a7b8n", "550")}


def test_castling_is_read_in_both_forms_and_printed_in_one():
    both = "\te1g1 e1h1 e1c1 e1a1"
    usual = "4k3/8/8/8/8/8/8/R3K2R w KQ -"
    assert moves_of(evaluate(usual + both)) == ["e1g1", "e1g1", "e1c1", "e1c1"]
    shredder = "4k3/8/8/8/8/8/8/R3K2R w HA -"
    assert moves_of(evaluate(shredder + both)) == ["e1h1", "e1h1", "e1a1", "e1a1"]
    every = moves_of(evaluate(usual, "--moves", "all"))
    assert "e1g1" in every and "e1h1" not in every
    values = [row.split("\t")[2] for row in evaluate(usual + both).splitlines()]
    assert values == ["0"] * 4


def test_castling_of_chess960():
    position = "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"
    assert moves_of(evaluate(position + "\te1g1 e1b1")) == ["e1g1", "e1b1"]
    assert moves_of(evaluate(position.replace("KQ", "GB") + "\te1g1 e1b1")) == ["e1g1", "e1b1"]


# ---- eval: errors of lines and moves ----------------------------------------------------------------------------------


def test_bad_line_among_good_ones():
    good = ROOK_TAKES_PAWN + "\te1e5\t100\n"
    lines = f"{ROOK_TAKES_PAWN}\n{BAD}\nnonsense\n{ROOK_TAKES_PAWN}\n"
    result = run("eval", "--rules", "swap", stdin=lines)
    assert result.returncode == 1
    assert result.stdout.decode() == good * 2
    errors = result.stderr.decode().splitlines()
    assert [error[:5] for error in errors] == ["-:2: ", "-:3: "]
    assert all(len(error) > 20 and not error.endswith(".") for error in errors)


def test_every_bad_move_is_reported_and_the_others_evaluated():
    result = run("eval", "--rules", "swap", stdin=ROOK_TAKES_PAWN + "\te1e6 e1e5 zz e1e9 e1e2 c1c9q\n")
    assert result.returncode == 1
    assert moves_of(result.stdout.decode()) == ["e1e5", "e1e2"]
    errors = result.stderr.decode().splitlines()
    assert len(errors) == 4
    for error, move in zip(errors, ["e1e6", "zz", "e1e9", "c1c9q"]):
        assert error.startswith("-:1: ") and move in error


def test_only_bad_moves_prints_nothing_and_generates_nothing():
    result = run("eval", stdin=ROOK_TAKES_PAWN + "\te1e6\n")
    fails(1, result, "-:1: ", "e1e6")


def test_own_output_is_not_taken_for_input():
    result = run("eval", "--rules", "swap", stdin=ROOK_TAKES_PAWN + "\te1e5\t100\n")
    assert result.returncode == 1
    assert moves_of(result.stdout.decode()) == ["e1e5"]
    assert re.fullmatch(r"-:1: .*'?100.*\n", result.stderr.decode())


def test_blocks_keep_the_order():
    """More positions, moves and text than one block holds, with errors in between."""
    lines, rows, errors = [], [], []
    for i in range(10_000):
        if i % 1000 == 999:
            lines.append(BAD)
            errors.append(f"-:{i + 1}: ")
            continue
        given = f'{ROOK_TAKES_PAWN} c0 "{"n" * (i % 300)}{i}";'
        lines.append(given + ("\te1e2 e1e5" if i % 2 else ""))
        rows += [given + "\te1e2\t0"] * (i % 2) + [given + "\te1e5\t100"]
    result = run("eval", "--rules", "swap", stdin="\n".join(lines))
    assert result.stdout.decode().splitlines() == rows
    assert [error[:error.index(" ") + 1] for error in result.stderr.decode().splitlines()] == errors
    assert result.returncode == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("ending, n", [("", 10_000), ("\t" + "e1e5 " * 500, 500), (f' id "{"x" * 3000}";', 1000)],
                         ids=["short lines", "many moves", "long positions"])
def test_memory_does_not_grow_with_the_input(ending, n):
    """Twenty times the input, the same memory, while the input is still open."""
    resident = []
    for times in (1, 20):
        with subprocess.Popen([TOOL, "eval"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            process.stdin.write(f"{ROOK_TAKES_PAWN}{ending}\n".encode() * n * times)
            process.stdin.flush()
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                resident.append(int(re.search(r"VmRSS:\s*(\d+) kB", file.read())[1]))
            process.stdin.close()
            assert process.wait(60) == 0
    assert resident[1] < resident[0] + 3000


def test_a_terminal_is_answered_line_by_line():
    ours, theirs = pty.openpty()
    with subprocess.Popen([TOOL, "eval", "--rules", "swap"], stdin=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        for _ in range(3):
            os.write(ours, ROOK_TAKES_PAWN.encode() + b"\n")
            assert select.select([process.stdout], [], [], 60)[0], "no answer within a minute"
            assert process.stdout.readline() == ROOK_TAKES_PAWN.encode() + b"\te1e5\t100\n"
        os.write(ours, b"\x04")  # end of file
        assert process.wait(60) == 0
    os.close(ours)


# ---- eval: files ------------------------------------------------------------------------------------------------------


def test_files(tmp_path):
    first, second = tmp_path / "first.epd", tmp_path / "second file"
    first.write_text(ROOK_TAKES_PAWN + "\te1e5\n" + BAD + "\n")
    second.write_text(BAD + "\n" + ROOK_TAKES_PAWN + "\te1e2\n")
    result = run("eval", "--rules", "swap", str(first), "-", str(second), stdin=BAD + "\n" + ROOK_TAKES_PAWN + "\te1e3\n")
    assert moves_of(result.stdout.decode()) == ["e1e5", "e1e3", "e1e2"]
    errors = result.stderr.decode().splitlines()
    assert [e[:len(p)] == p for e, p in zip(errors, [f"{first}:2: ", "-:1: ", f"{second}:1: "])] == [True] * 3
    assert result.returncode == 1


def test_a_file_whose_name_begins_with_a_dash(tmp_path):
    (tmp_path / "--rules").write_text(ROOK_TAKES_PAWN)
    result = run("eval", "--rules", "swap", "--", "--rules", cwd=tmp_path)
    assert result.stdout.decode() == ROOK_TAKES_PAWN + "\te1e5\t100\n"
    assert result.returncode == 0


def test_closed_standard_input():
    result = subprocess.run(["sh", "-c", '"$0" eval <&-', TOOL], capture_output=True, check=False, timeout=60)
    assert result.returncode == 1
    assert b"-: cannot be read" in result.stderr and b"Bad file descriptor" in result.stderr


# ---- eval: output that cannot be written ---------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["eval"], ["info"], ["info", "--format", "json"], ["explain", ROOK_TAKES_PAWN, "e1e5"],
                                       ["--help"], ["--version"], ["eval", "--help"]])
def test_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        result = run(*arguments, stdin=ROOK_TAKES_PAWN, stdout=full)
    assert result.returncode == 1
    assert result.stderr == b"seebatch: standard output cannot be written: No space left on device\n"


def test_closed_standard_output():
    result = subprocess.run(["sh", "-c", '"$0" info >&-', TOOL], capture_output=True, check=False, timeout=60)
    assert result.returncode == 1
    assert b"standard output cannot be written: Bad file descriptor" in result.stderr


@pytest.mark.parametrize("ignored", [False, True])
def test_reader_that_has_gone(ignored):
    """By SIGPIPE, or quietly with status 1 where that is ignored."""
    reading, writing = os.pipe()
    os.close(reading)
    result = run("eval", stdin=(ROOK_TAKES_PAWN + "\n") * 10_000, stdout=writing,
                 preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL))
    os.close(writing)
    assert result.returncode == (1 if ignored else -signal.SIGPIPE)
    assert result.stderr == b""


# ---- eval: options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threshold, answer", [(-32768, "1"), (-226, "1"), (-225, "1"), (-224, "0"), (0, "0"), (32767, "0")])
def test_threshold(threshold, answer):
    assert evaluate(KNIGHT_TAKES_PAWN + "\td3e5", "--threshold", str(threshold)) == KNIGHT_TAKES_PAWN + f"\td3e5\t{answer}\n"


def test_threshold_agrees_with_values():
    """Over more moves than one word of a mask, and more than one block."""
    with open(os.path.join(DATA, "random.fen"), encoding="ascii") as file:
        positions = file.read()
    values = evaluate(positions, "--moves", "all").splitlines()
    assert len(values) > 20_000
    for threshold in (-100, 0, 1, 325):
        flags = evaluate(positions, "--moves", "all", "--threshold", str(threshold)).splitlines()
        expected = []
        for row in values:
            start, value = row.rsplit("\t", 1)
            expected.append(f"{start}\t{int(int(value) >= threshold)}")
        assert flags == expected


def test_values():
    position = "4k3/8/8/8/8/8/8/4K2R w - -"
    for piece, value in zip("pnbrq", ["0", "1", "2", "2999", "3000"]):
        line = position.replace("/8/", f"/7{piece}/", 1)  # on h7
        assert evaluate(line, "--values", "0,1,2,2999,3000") == line + f"\th1h7\t{value}\n"
    default = evaluate(KNIGHT_TAKES_PAWN)
    assert evaluate(KNIGHT_TAKES_PAWN, "--values", "100,325,325,500,1000") == default
    before = run("eval", "--values", "1,3,3,5,9", "--rules", "swap", stdin=ROOK_TAKES_PAWN).stdout
    assert before == evaluate(ROOK_TAKES_PAWN, "--values", "1,3,3,5,9").encode()
    assert before.endswith(b"\t1\n")


def test_rules_differ():
    # the pawn that takes on b8 promotes, and the rook recaptures
    position = "rn2k3/2P5/8/8/8/8/8/4K3 w - -\tc7b8q"
    answers = {rules: run("eval", "--rules", rules, stdin=position).stdout.decode().rstrip("\n").rsplit("\t")[-1]
               for rules in RULE_NAMES}
    assert answers == {
        "swap": "225",            # 325 - 100: a pawn stays a pawn
        "stockfish-2016": "225",
        "promotions": "225",      # 325 + 900 - 1000
        "ethereal": "225",
        "legal": "225",
        "stockfish": "0",         # promotions count nothing
        "stormphrax": "225",
        "pawnocchio": "225",
        "plentychess": "32767",   # promotions pass at any threshold
        "reckless": "225",
        "monty": "225",
    }


def test_moves_that_pass_reach_every_threshold():
    line = "4k3/8/8/8/8/8/8/4K2R w K -\te1g1 h1h8\n"
    for threshold, rook in ("-32768", "1"), ("1", "0"), ("32767", "0"):
        rows = run("eval", "--rules", "reckless", "--threshold", threshold, stdin=line).stdout.decode().splitlines()
        assert [row.split("\t")[1:] for row in rows] == [["e1g1", "1"], ["h1h8", rook]]


def test_default_rules_are_legal():
    pinned = "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -\tc3d5\n"  # the knight on e7 may not recapture
    without = run("eval", stdin=pinned).stdout
    assert without == run("eval", "--rules", "legal", stdin=pinned).stdout
    assert without.endswith(b"\tc3d5\t100\n")
    assert evaluate(pinned).endswith("\tc3d5\t-225\n")
    text = run("explain", *pinned.strip().split("\t")).stdout.decode()
    assert text.startswith("Rules legal,") and text.endswith("\nValue: 100\n")
    assert "black has no legal recapture: white has 100" in text


def test_json():
    position = ROOK_TAKES_PAWN + ' 0 1 id "caf\u00e9 \\ / \u2654";'
    output = evaluate(f"{position}\te1e5 e1e2\n{KNIGHT_TAKES_PAWN}\td3e5\n", "--format", "json")
    assert [json.loads(row) for row in output.splitlines()] == [
        {"position": position, "move": "e1e5", "value": 100},
        {"position": position, "move": "e1e2", "value": 0},
        {"position": KNIGHT_TAKES_PAWN, "move": "d3e5", "value": -225},
    ]
    output = evaluate(KNIGHT_TAKES_PAWN + "\td3e5 a3a4\n", "--format=json", "--threshold=-100")
    rows = [json.loads(row) for row in output.splitlines()]
    assert [row["ge"] for row in rows] == [False, True]
    assert all(set(row) == {"position", "move", "ge"} for row in rows)


def test_json_needs_utf8():
    broken = ROOK_TAKES_PAWN.encode() + b' id "\xff";'
    good = ROOK_TAKES_PAWN.encode()
    lines = good + b"\n" + broken + b"\n" + good + b"\n"
    result = run("eval", "--rules", "swap", "--format", "json", stdin=lines)
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.startswith(b"-:2: ") and b"UTF-8" in result.stderr
    assert run("eval", "--rules", "swap", "--format", "tsv", stdin=lines).stdout.splitlines()[1] == broken + b"\te1e5\t100"


# ---- Kernels ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["games.fen", "random.fen"])
@pytest.mark.parametrize("rules", RULE_NAMES)
@pytest.mark.parametrize("options", [[], ["--moves", "all"], ["--moves", "all", "--threshold", "-50"]])
def test_every_kernel_prints_the_same_bytes(file, rules, options):
    outputs = {}
    for kernel in available_kernels():
        result = run("eval", "--rules", rules, *options, "--kernel", kernel, os.path.join(DATA, file))
        assert (result.returncode, result.stderr) == (0, b"")
        outputs[kernel] = result.stdout
    assert "scalar" in outputs
    assert len(outputs["scalar"].splitlines()) > 2000
    assert [kernel for kernel, output in outputs.items() if output != outputs["scalar"]] == []


def test_kernel_by_option_and_environment():
    best = available_kernels()[0]
    assert info()["kernel"] == best
    assert b"the best" in run("info").stdout
    assert json.loads(run("info", "--format", "json", kernel="").stdout)["kernel"] == best
    by_variable = json.loads(run("info", "--format", "json", kernel="scalar").stdout)
    assert by_variable["kernel"] == "scalar" and "SEEBATCH_KERNEL" in by_variable["reason"]
    for variable in ("scalar", "nonsense"):  # outranked
        by_option = json.loads(run("info", "--format", "json", "--kernel", best, kernel=variable).stdout)
        assert by_option["kernel"] == best and "--kernel" in by_option["reason"]


def test_unknown_kernels():
    fails(2, run("eval", "--kernel", "nonsense", stdin=ROOK_TAKES_PAWN), "--kernel", "nonsense", *available_kernels())
    for arguments in (["eval"], ["info"], ["explain", ROOK_TAKES_PAWN, "e1e5"]):
        fails(2, run(*arguments, stdin=ROOK_TAKES_PAWN, kernel="nonsense"), "SEEBATCH_KERNEL", "nonsense",
              *available_kernels())


# ---- Bad usage ------------------------------------------------------------------------------------------------------------


# Values that an option does not take, each named in the sentence.
BAD_VALUES = {
    "--rules": ["nonsense", "Swap", ""], "--moves": ["some"], "--format": ["xml", "text"],
    "--threshold": ["32768", "-32769", "99999999999999999999", "18446744073709551616", "1.5", "0x10", " 1", "-", ""],
    "--values": ["100,325,325,500,3001", "-1,325,325,500,1000", "100,,325,500,1000", "100, 325,325,500,1000", ""],
}
NAMED = {"100,325,325,500,3001": "3001", "-1,325,325,500,1000": "-1", "100,,325,500,1000": "", "100, 325,325,500,1000": " 325"}


@pytest.mark.parametrize("arguments, named", [
    *((["eval", option, value], f"'{NAMED.get(value, value)}'") for option, values in BAD_VALUES.items() for value in values),
    ([], "no command"), (["nonsense"], "'nonsense'"), (["--nonsense"], "'--nonsense'"), (["help", "nonsense"], "'nonsense'"),
    (["help", "eval", "info"], "'info'"), (["eval", "--nonsense"], "--nonsense"), (["eval", "-x"], "'x'"),
    (["eval", "--rules"], "--rules"), (["eval", "--m"], "--m"), (["eval", "--help=yes"], "--help"),
    (["eval", "--kernel", ""], "--kernel"), (["eval", "--values", "100,325,325,500"], "4 numbers"),
    (["eval", "--values", "100,325,325,500,1000,0"], "6 numbers"), (["eval", "--values", "100,325,325,500,1000,"], "6 numbers"),
    (["info", "file"], "'file'"), (["info", "--rules", "swap"], "--rules"), (["info", "--format", "tsv"], "'tsv'"),
    (["explain"], "0 arguments"), (["explain", ROOK_TAKES_PAWN], "1 argument"),
    (["explain", *ROOK_TAKES_PAWN.split(), "e1e5"], "5 arguments"),
    (["explain", "--threshold", "0", ROOK_TAKES_PAWN, "e1e5"], "--threshold"),
])
def test_bad_usage(arguments, named):
    result = run(*arguments, stdin=ROOK_TAKES_PAWN)
    fails(2, result, named, "--help'.")
    assert len(result.stderr.splitlines()) == 2


def test_unknown_names_are_answered_with_the_known_ones():
    fails(2, run("eval", "--rules", "nonsense"), *RULE_NAMES)
    fails(2, run("nonsense"), "eval", "explain", "info", "help")


# ---- Help ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["eval", "explain", "map", "compare", "verify", "selftest", "info"])
def test_help_of_commands(command):
    result = run(command, "--help")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(f"usage: seebatch {command} ".encode())
    assert run(command, "-h").stdout == run("help", command).stdout == result.stdout
    assert all(len(line) <= 110 for line in result.stdout.splitlines())


@pytest.mark.parametrize("command, shows", [(None, "\te1e5\t100"), ("eval", "\te1e5\t100"), ("explain", "Value: -225"),
                                            ("info", "Kernels")])
def test_examples_work_as_printed(command, shows, tmp_path):
    os.symlink(os.path.abspath(TOOL), tmp_path / "seebatch")
    lines = run(*([command] if command else []), "--help").stdout.decode().splitlines()
    example = lines[[line.startswith("example:") for line in lines].index(True) + 1]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    result = subprocess.run(["sh", "-c", example], capture_output=True, text=True, check=True, env=environment, timeout=60)
    assert shows in result.stdout and result.stderr == ""


def test_general_help():
    result = run("--help")
    assert result.returncode == 0
    for command in ("eval", "explain", "info", "help"):
        assert f"\n  {command} ".encode() in result.stdout
    assert run("-h").stdout == run("help").stdout == result.stdout
    assert run("help", "help").stdout == run("help", "--help").stdout == result.stdout


def test_version():
    result = run("--version")
    assert re.fullmatch(rb"seebatch \d+\.\d+\.\d+\n", result.stdout)
    assert result.returncode == 0


# ---- explain -----------------------------------------------------------------------------------------------------------------


def explain(position, move, *options):
    rules = () if "--rules" in options else ("--rules", "swap")
    result = run("explain", *rules, *options, position, move)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def test_explain_as_worked_by_hand():
    assert explain(KNIGHT_TAKES_PAWN, "d3e5") == EXPLAINED
    text = explain(ROOK_TAKES_PAWN, "e1e5")
    assert "Swap list: 100, (400)\n" in text
    assert text.endswith("\nValue: 100\n")

EXPLAINED = """\
Rules swap, values 100,325,325,500,1000, white moves d3e5

     a  b  c  d  e  f  g  h
 8   .  k  .  r  .  .  .  q   8
 7   .  p  p  n  .  .  .  p   7
 6   p  .  .  .  .  b  .  .   6
 5   .  .  .  . [p] .  .  .   5
 4   .  .  .  .  .  .  .  .   4
 3   P  .  . (N) .  .  P  .   3
 2   .  P  P  .  R  .  B  P   2
 1   .  .  K  .  Q  .  .  .   1
     a  b  c  d  e  f  g  h

The captures on e5, and the balance for the side that makes each, if it is the last:

   1.  white  knight d3xe5 takes pawn                    100
   2.  black  knight d7xe5 takes knight                  325 - 100 = 225
   3.  white  rook e2xe5 takes knight                    325 - 225 = 100
   4.  black  bishop f6xe5 takes rook                    500 - 100 = 400
   5.  white  queen e1xe5 takes bishop                   325 - 400 = -75
   6.  black  queen h8xe5 takes queen                    1000 + 75 = 1075
(  7.) white  if it could still take the queen           1000 - 1075 = -75

Swap list: 100, 225, 100, 400, -75, 1075, (-75)

From the last capture back to the first, the other side stops or goes on, as is better:

   6.  white cannot recapture: black has 1075
   5.  black may stop with 75 or go on for 1075, and goes on: white has -1075
   4.  white may stop with -400 or go on for -1075, and stops: black has 400
   3.  black may stop with -100 or go on for 400, and goes on: white has -400
   2.  white may stop with -225 or go on for -400, and stops: black has 225
   1.  black may stop with -100 or go on for 225, and goes on: white has -225

Value: -225
"""


def test_explain_shows_special_moves():
    text = explain("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6")
    assert "pawn e5xd6 takes pawn en passant" in text and text.endswith("Value: 100\n")
    text = explain("r3k3/1P6/8/8/8/8/8/4K3 w - -", "b7a8q", "--rules", "promotions")
    assert "takes rook, becomes queen" in text and "500 + 900 = 1400" in text and text.endswith("Value: 1400\n")
    text = explain("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1")
    assert "worth 0" in text and text.endswith("Value: 0\n")
    text = explain("4k3/8/8/8/8/8/8/4K2R w K -", "h1h8")
    assert "rook h1-h8 takes nothing" in text and text.endswith("Value: 0\n")
    text = explain("4k3/8/8/8/8/8/3p4/4K3 w - -", "e1d2")
    assert "nobody takes a king" in text and "Swap list: 100\n" in text


def test_explain_refuses():
    fails(1, run("explain", BAD, "e1e2"), "position: ")
    fails(1, run("explain", ROOK_TAKES_PAWN, "e1e6"), "move: ", "e1e6")
    fails(1, run("explain", ROOK_TAKES_PAWN, "nonsense"), "move: ", "nonsense")


# ---- info ----------------------------------------------------------------------------------------------------------------------


def test_info():
    told = info()
    text = run("info").stdout.decode()
    names = [kernel["name"] for kernel in told["kernels"]]
    assert names[-1] == "scalar" and told["kernels"][-1]["available"] is True
    assert len(set(names)) == len(names)
    assert told["version"] == told["library"] == run("--version").stdout.decode().split()[1]
    assert told["compiler"].startswith(("gcc ", "clang "))
    for told_text in (told["version"], told["compiler"], told["processor"], told["reason"]):
        assert told_text and told_text in text
    for kernel in told["kernels"]:
        state = "available" if kernel["available"] else "not available"
        assert re.search(rf"^  {kernel['name']} +{state} +{re.escape(kernel['description'])}$", text, re.M)
