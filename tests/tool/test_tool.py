"""The contract of the command-line tool: what it reads, what it prints, byte for byte, and how it ends.

The tool is run as users run it, on pipes and files; SEEBATCH_TEST_TOOL names it. Values that are asserted here can be worked
out by hand from the position; that the values are right in general is what the other tests are for.
"""
import json
import os
import re
import shlex
import subprocess

import pytest

import pipeline_support
from formats_support import DATA
from pipeline_support import BAD, QUIET, ROOK_TAKES_PAWN, TOOL, fails, says

KNIGHT_TAKES_PAWN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -"
PINNED = "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -"  # Nxd5 wins a pawn: the knight on e7 may not recapture; without pins it is -225
SUITE = shlex.quote(os.path.join(os.path.dirname(os.path.dirname(DATA)), "suite", "suite.tsv"))
INFO = json.loads(pipeline_support.run("info", "--format", "json").stdout)
RULE_NAMES = INFO["rules"]


def run(*arguments, stdin=b"", **more):
    """As in pipeline_support, but the last line of a text gets an end if it has none."""
    if isinstance(stdin, str) and stdin and not stdin.endswith("\n"):
        stdin += "\n"
    return pipeline_support.run(*arguments, stdin=stdin, **more)


def output(*arguments, **more):
    """What a run prints that is all well."""
    result = run(*arguments, **more)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def evaluate(lines, *options):
    """The output of `eval --rules swap` on lines that are all well."""
    return output("eval", *(() if "--rules" in options else ("--rules", "swap")), *options, stdin=lines)


def cells(text, column):
    """The cells of a column of a table without a header."""
    return [row.split("\t")[column] for row in text.splitlines()]


def places(result):
    """Where the errors of a run are."""
    return [":".join(line.split(":")[:2]) for line in result.stderr.decode().splitlines()]


def info(**more):
    return json.loads(output("info", "--format", "json", **more))


def available_kernels():
    return [kernel["name"] for kernel in info()["kernels"] if kernel["available"]]


# ---- eval: rows ------------------------------------------------------------------------------------------------------

BOTH_WAYS = "\te1g1 e1h1 e1c1 e1a1"
PROMOTION = "1n2k3/P7/8/8/8/8/8/4K3 w - -"
PAWNS = "4k3/8/8/3p4/4P3/8/8/4K3 w - -"


@pytest.mark.parametrize("line, options, expected", [
    *((ROOK_TAKES_PAWN + moves + end, "", "e1e5=100") for moves in ("", "\t", "\t   ", "\te1e5", "\t  e1e5  ",
                                                                    "\te1e5\t")
      for end in ("", "\r\n")), *((nothing, "", "") for nothing in ("", "\n\n", "# nothing\n", QUIET)),
                                                     (KNIGHT_TAKES_PAWN, "", "d3e5=-225 g2b7=-225 e2e5=-400"),
    (PAWNS, "", "e4d5=100"), (PAWNS, "--moves captures", "e4d5=100"), (PAWNS + "\te4d5", "--moves all", "e4d5=100"),
    (PAWNS, "--moves all", "e4d5=100 e4e5=0 e1d1=0 e1e2=0 e1f1=0 e1d2=0 e1f2=0"),
    (PAWNS + "\te4e5 e4d5 e1d1 e4d5", "", "e4e5=0 e4d5=100 e1d1=0 e4d5=100"),  # named: in their order
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "", "e5d6=100"), ("4k3/8/8/3pP3/8/8/8/4K3 w - -", "", ""),
    (PROMOTION, "--rules promotions", "a7b8q=1225 a7b8r=725 a7b8b=550 a7b8n=550"),
    # castling is read in both forms and printed in one; so is Chess960's
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -" + BOTH_WAYS, "", "e1g1=0 e1g1=0 e1c1=0 e1c1=0"),
    ("4k3/8/8/8/8/8/8/R3K2R w HA -" + BOTH_WAYS, "", "e1h1=0 e1h1=0 e1a1=0 e1a1=0"),
    ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1\te1g1 e1b1", "", "e1g1=0 e1b1=0"),
    ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\te1g1 e1b1", "", "e1g1=0 e1b1=0"),
    *((KNIGHT_TAKES_PAWN + "\td3e5", f"--threshold {threshold}", f"d3e5={flag}")
      for threshold, flag in ((-32768, 1), (-226, 1), (-225, 1), (-224, 0), (0, 0), (32767, 0))),
    # moves that pass reach every threshold
    *(("4k3/8/8/8/8/8/8/4K2R w K -\te1g1 h1h8", f"--rules reckless --threshold {threshold}", f"e1g1=1 h1h8={rook}")
      for threshold, rook in ((-32768, 1), (1, 0), (32767, 0))),
    *((f"4k3/7{piece}/8/8/8/8/8/4K2R w - -", "--values 0,1,2,2999,3000", f"h1h7={value}")
      for piece, value in zip("pnbrq", (0, 1, 2, 2999, 3000))),
    (ROOK_TAKES_PAWN, "--values 1,3,3,5,9", "e1e5=1"), (PINNED + "\tc3d5", "--rules legal", "c3d5=100"),
    (PINNED + "\tc3d5", "", "c3d5=-225"),
    # the pawn that takes on b8 promotes, and the rook recaptures: 325 - 100, or 325 + 900 - 1000
    *(("rn2k3/2P5/8/8/8/8/8/4K3 w - -\tc7b8q", f"--rules {rules}",
       "c7b8q=" + {"stockfish": "0", "plentychess": "32767"}.get(rules, "225")) for rules in RULE_NAMES)])
def test_rows(line, options, expected):
    found = evaluate(line, *options.split())
    assert set(cells(found, 0)) <= {line.split("\t")[0].rstrip("\r\n")}
    rows = [f"{move}={value}" for move, value in zip(cells(found, 1), cells(found, 2))]
    assert rows == expected.split() if "\t" in line else sorted(rows) == sorted(expected.split())


@pytest.mark.parametrize("moves, good, bad", [
    ("e1e6 e1e5 zz e1e9 e1e2 c1c9q", ["e1e5", "e1e2"], ["e1e6", "zz", "e1e9", "c1c9q"]),
    ("e1e6", [], ["e1e6"]),  # nothing is generated instead
    ("e1e5\t100", ["e1e5"], ["100"])])  # its own output is not taken for input
def test_every_bad_move_is_reported_and_the_others_evaluated(moves, good, bad):
    result = run("eval", "--rules", "swap", stdin=f"{ROOK_TAKES_PAWN}\t{moves}\n")
    assert result.returncode == 1 and cells(result.stdout.decode(), 1) == good
    errors = result.stderr.decode().splitlines()
    assert len(errors) == len(bad) and all(error.startswith("-:1: ") and move in error for error,
                                           move in zip(errors, bad))


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


def test_blocks_keep_the_order():
    """More positions, moves and text than one block holds, with errors in between."""
    lines, rows, errors = [], [], []
    for i in range(10_000):
        if i % 1000 == 999:
            lines.append(f"x{i}")  # all different, because equal errors are shown once
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
@pytest.mark.parametrize("command, ending, n", [
    (["eval"], "", 10_000), (["eval"], "\t" + "e1e5 " * 500, 500), (["eval"], f' id "{"x" * 3000}";', 1000),
    (["filter", "--quiet", "--threads", "2", "--drop", "any-capture=0.."], "", 60_000)],
    ids=["short lines", "many moves", "long positions", "filter"])
def test_memory_does_not_grow_with_the_input(command, ending, n):
    """Five times the input, the same memory, while the input is still open. The smaller input already fills the blocks that
    threads pass on. The address sanitizer keeps some of what is freed: here next to nothing."""
    resident, plain = [], dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=1")
    line = f"{ROOK_TAKES_PAWN}{ending}\n".encode()
    for times in (5, 25):
        with subprocess.Popen([TOOL, *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=plain) as process:
            process.stdin.write(line * n * times)
            process.stdin.flush()
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                resident.append(int(re.search(r"VmRSS:\s*(\d+) kB", file.read())[1]))
            process.stdin.close()
            assert process.wait(60) == 0
    assert resident[1] < resident[0] + max(3000, 20 * n * len(line) // 10_000), "a tenth of what the input grew by"


# ---- Lines, for all commands that read them ---------------------------------------------------------------------------

LINE = PINNED + "\tc3d5"
READERS = {"eval": ["--rules", "swap", "--format"], "map": ["--format"],
           "compare": ["--rules", "swap", "--rules", "legal", "--format"]}
each_reader = pytest.mark.parametrize("command", [[command, *options] for command, options in READERS.items()],
                                      ids=READERS)


@each_reader
def test_lines(command, tmp_path):
    """Bad ones are told of with their place and left out, blank ones and comments skipped; files and - come in their order."""
    one = output(*command, "tsv", stdin=LINE)
    assert one.count("\n") >= 1 and all(row.startswith(PINNED + "\t") for row in one.splitlines())
    lines = [BAD, "", LINE, "# comment", "nonsense", "   ", " \t ", LINE, "#\t\0", "\r", "other nonsense"]
    result = run(*command, "tsv", stdin="\n".join(lines))
    assert (result.returncode, result.stdout.decode(), places(result)) == (1, 2 * one, ["-:1", "-:5", "-:11"])
    assert all(len(error) > 20 and not error.endswith(".") for error in result.stderr.decode().splitlines())
    for name in ("first.epd", "second file", "--rules"):
        (tmp_path / name).write_text(f"{LINE}\n{BAD}\n")
    result = run(*command, "tsv", "--", "first.epd", "-", "second file", "--rules", stdin=BAD, cwd=tmp_path)
    assert (result.returncode, result.stdout.decode(), places(result)) == (1, 3 * one,
                                                                           ["first.epd:2", "-:1", "second file:2",
                                                                            "--rules:2"])


@each_reader
def test_position_is_printed_byte_for_byte(command):
    given = PINNED.replace(" w ", "   w ").encode() + b' 3   17 bm Nxd5; id "caf\xc3\xa9 / \\ \xff"; '
    result = run(*command, "tsv", stdin=given + b"\tc3d5\r\n" + LINE.encode() + b"\n")
    first, *_ = result.stdout.splitlines()
    assert result.returncode == 0 and first.rsplit(b"\t", output(*command, "tsv",
                                                                 stdin=LINE).splitlines()[0].count("\t"))[0] == given
    # JSON has no place for bytes that are not UTF-8
    result = run(*command, "json", stdin=given + b"\tc3d5\n" + LINE.encode() + b"\n")
    says(1, result, "-:1: ", "UTF-8")
    assert result.stdout.decode() == run(*command, "json", stdin=LINE).stdout.decode()


# ---- Kernels ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["games.fen", "random.fen"])
@pytest.mark.parametrize("rules", RULE_NAMES)
@pytest.mark.parametrize("options", [[], ["--moves", "all"], ["--moves", "all", "--threshold", "-50"]])
def test_every_kernel_prints_the_same_bytes(file, rules, options):
    scalar, *others = (output("eval", "--rules", rules, *options, "--kernel", kernel, os.path.join(DATA, file))
                       for kernel in reversed(available_kernels()))
    same = all(other == scalar for other in others)
    assert same and scalar.count("\n") > 2000


def test_kernel_by_option_and_environment():
    best = available_kernels()[0]
    assert info()["kernel"] == info(kernel="")["kernel"] == best and "the best" in output("info")
    by_variable = info(kernel="scalar")
    assert by_variable["kernel"] == "scalar" and "SEEBATCH_KERNEL" in by_variable["reason"]
    for variable in ("scalar", "nonsense"):  # outranked
        by_option = json.loads(output("info", "--format", "json", "--kernel", best, kernel=variable))
        assert by_option["kernel"] == best and "--kernel" in by_option["reason"]


def test_unknown_kernels():
    fails(2, run("eval", "--kernel", "nonsense", stdin=ROOK_TAKES_PAWN), "--kernel", "nonsense", *available_kernels())
    for arguments in (["eval"], ["info"], ["explain", ROOK_TAKES_PAWN, "e1e5"]):
        fails(2, run(*arguments, stdin=ROOK_TAKES_PAWN, kernel="nonsense"), "SEEBATCH_KERNEL", "nonsense",
              *available_kernels())


# ---- Bad usage -------------------------------------------------------------------------------------------------------

TWO = "compare --rules swap --rules legal"
# Each with what is named in the sentence.
USAGE = [
    ("nonsense", "'nonsense'"), ("--nonsense", "'--nonsense'"), ("help nonsense", "'nonsense'"),
    ("help eval info", "'info'"), ("eval --nonsense", "--nonsense"), ("eval -x", "'x'"), ("eval --rules", "--rules"),
    ("eval --m", "--m"), ("eval --help=yes", "--help"),
    *((f"eval {option}={value}", f"'{value}'") for option, values in {
        "--rules": ["nonsense", "Swap", ""], "--moves": ["some"], "--format": ["xml", "text"],
        "--threshold": ["32768", "-32769", "99999999999999999999", "18446744073709551616", "1.5", "0x10", "-",
                        ""]}.items() for value in values),
    ("eval --kernel=", "--kernel"), ("eval --values 100,325,325,500", "4 numbers"),
    ("eval --values 100,325,325,500,1000,0", "6 numbers"), ("eval --values 100,325,325,500,1000,", "6 numbers"),
    ("eval --values 100,325,325,500,3001", "'3001'"), ("eval --values 100,,325,500,1000", "''"),
    ("eval --values=-1,325,325,500,1000", "'-1'"), ("eval --threshold ' 1'", "' 1'"),
    ("eval --values '100, 325,325,500,1000'", "' 325'"), ("info file", "'file'"), ("info --rules swap", "--rules"),
    ("info --format tsv", "'tsv'"), ("explain", "0 arguments"), ("explain position", "1 argument"),
    ("explain 8/8 w - - e1e5", "5 arguments"), ("explain --threshold 0 a b", "--threshold"),
    ("map --format text", "'text' is neither board, tsv nor json"), ("map --moves all", "--moves"),
    ("map --threshold 0", "--threshold"), ("map --rules nonsense", "'nonsense'"), ("map --values 1,2,3", "3 numbers"),
    ("map --kernel nonsense", "'nonsense'"), ("map --fen", "--fen"), ("map --fen x --fen x", "twice"),
    ("map --fen x file", "'file'"), ("compare", "--rules was given never"),
    ("compare --rules swap", "--rules was given once"), (TWO + " --rules minimax", "minimax"),
    ("compare --rules swap --rules fast", "'fast'"), (TWO + " --examples -1", "--examples"),
    (TWO + " --nodes 0", "--nodes"), (TWO + " --nodes 10000000000", "--nodes"), (TWO + " --format board", "board"),
    (TWO + " --threshold 0", "threshold"), (TWO + " --values 1,2,3", "--values"), (TWO + " --kernel abacus", "abacus"),
    ("verify --rules none", "--rules: "), ("verify --values 1", "--values: "), ("verify --kernel none", "--kernel: "),
    ("verify --moves all", "--moves"), ("verify --format text", "--format: 'text' is neither tsv nor json"),
    ("verify --threshold x", "--threshold: "), ("verify --notation pgn", "--notation: 'pgn' is neither uci nor san"),
    ("selftest --seconds 0", "--seconds: '0' is not an integer from 1 to 1000000"),
    ("selftest --seconds 1.5", "--seconds: '1.5' is not an integer"),
    ("selftest --cases x", "--cases: 'x' is not an integer from 1 to 1000000000"),
    *((f"selftest --seed={seed}", f"--seed: '{seed}' is not an integer from 0 to {2**64 - 1}")
      for seed in ("-1", "", "1x", str(2**64))),
    ("selftest --seconds 1 --cases 1", "--seconds and --cases were both given"),
    ("selftest --format tsv", "--format: 'tsv' is neither text nor json"),
    ("selftest file", "unexpected argument 'file'"),
    ("identify --ask 0", "--ask: '0' is not an integer from 1 to 1000000"),
    ("identify --thresholds", "--thresholds was given without --ask"),
    ("stats --bin 0", "'0' is not an integer from 1 to 12001"), ("stats --against x", "--against: "),
    ("stats --format csv", "csv"), ("stats --output x", "unrecognized option"),
    ("annotate --columns best", "--columns: there is no column 'best', expected one of best_capture"),
    ("annotate --columns losing,losing", "'losing' is named twice"), ("annotate --to fen", "has no place for columns"),
    ("filter --drop check", "there is no condition 'check', write 'in-check'"),
    ("filter --drop in-check=1", "'in-check' takes no range"), ("filter --keep score", "'score' needs a range"),
    *((f"filter --drop capture={bad}", f"'{bad}' is not a range") for bad in ("", "..", "5..1", "1..2..3", "x")),
    *((f"filter --sample {bad}", f"'{bad}' is not a number from 0 to 1") for bad in ("1.5", "nan")),
    ("filter --seed -1", "--seed: '-1'"), ("filter --threads 0", "'0' is not an integer from 1 to 1024"),
    ("filter --count --to csv", "--count writes no positions"),
    ("filter --from xlsx", "there is no format 'xlsx', expected one of fen, scored, csv, tsv, jsonl, marlinformat"),
    ("stats /", "/: it is a directory, expected a file"),
    ("filter /dev/null", "/dev/null: its name does not say its format, expected --from with one of"),
    ("filter --keep score=1 x.fen", "x.fen: the format fen has no score, which a condition needs"),
    ("filter --drop capture x.scored.zst", "the format scored has no move"),
    *((f"filter --progress {bad}", f"--progress: '{bad}' is not an integer from 0 to 86400")
      for bad in ("-1", "x", "86401")),
    *((f"filter --unique --memory {bad}",
       f"'{bad}' is not a size such as 512M or 4G, of 1M at least") for bad in ("1000K", "M", "1.5G", "1000000")),
    ("filter --memory 1G", "--memory was given without --unique and --shuffle"),
    ("filter --shuffle --count", "expected it without --shuffle"),
    *((f"filter --part {bad} a.fen", f"--part: '{bad}' is not I/N") for bad in (
        "0/2", "3/2", "1", "1/", "/2", "1/0", "a/b", "1/2/3", "-1/2", "1/1000001", "1.5/2")),
    *((f"filter --from fen {name} --part 1/2", "cannot be divided, expected files") for name in ("-", "/dev/null")),
    *((f"filter {name}", "files with this extension are marlinformat, bulletformat, viriformat and others, expected --from")
      for name in ("a.bin", "a.data", "a.bin.zst")),
    *((f"filter --from {form} --keep {condition}", f"the format {form} has no")
      for form, condition in (("marlinformat", "capture"), ("bulletformat", "ply=3.."), ("bulletformat", "tactical"))),
    ("filter --mark-score 1 --unique", "expected it without --unique"),
    ("filter --mark-score 1", "the format fen has no place for a score"),
    ("stats -j 2 --threads 2", "--threads was given twice, expected it once"), ("eval -j 2", "invalid option -- 'j'"),
    ("stats -o x", "invalid option -- 'o'"),
    ("verify --lenient", "--lenient: the rules legal need positions that can be played"),
    ("verify --lenient --rules monty", "the rules monty"),
    ("verify --lenient --rules swap --notation san", "without --notation san"),
    ("verify --lenient --suite x --rules swap", "--suite was given with an option that it does not allow"),
    (f"verify --suite {SUITE}?", "cannot be read: No such file"),
    (f"verify --suite {SUITE} --rules ethereal,en-passant=standing", "there are no answers for the rules ethereal,en-passant"),
    (f"verify --suite {SUITE} --values 100,300,500,500,900", "100,300,500,500,900 do not satisfy B < R"),
    (f"verify --suite {shlex.quote(DATA)}/games.fen", "the first line does not name the columns of a suite"),
    (f"verify --suite {SUITE} --trace", "expected it without --threshold, --trace, --notation, --from and --lenient"),
]


# Options that are given twice.
USAGE += [(line, f"{line.split()[-2]} was given twice, expected it once") for line in (
    "eval --rules swap --rules legal", "eval --values 1,2,3,4,5 --values 1,2,3,4,5",
    "eval --kernel scalar --kernel scalar", "eval --format tsv --format json", "eval --moves all --moves all",
    "eval --threshold 1 --threshold 2", "eval --notation uci --notation san", "map --fen x --fen y",
    TWO + " --examples 1 --examples 2", TWO + " --nodes 1 --nodes 2", "filter --output a.fen --output b.fen",
    "filter --to fen --to csv", "filter --from fen --from csv", "filter --threads 1 --threads 2",
    "filter --part 1/2 --part 2/2", "filter --sample 1 --sample 0", "filter --seed 1 --seed 2",
    "annotate --columns equal --columns losing", "stats --svg a.svg --svg b.svg", "stats --bin 1 --bin 2",
    "stats --against swap --against legal", "selftest --seed 1 --seed 2")]


@pytest.mark.parametrize("arguments, named", USAGE, ids=[arguments or "nothing" for arguments, _ in USAGE])
def test_bad_usage(arguments, named, tmp_path):
    result = run(*shlex.split(arguments), stdin=ROOK_TAKES_PAWN, cwd=tmp_path)
    fails(2, result, named)
    assert os.listdir(tmp_path) == []
    lines = result.stderr.splitlines()
    if len(lines) == 3:  # a condition, with a caret under the place
        assert re.fullmatch(rb" *\^~*", lines[2])
    else:
        assert re.search(rb"Try 'seebatch[a-z ]* --help'\.$", lines[-1]) and len(lines) == 2


def test_unknown_names_are_answered_with_the_known_ones():
    fails(2, run("eval", "--rules", "nonsense"), *RULE_NAMES)
    fails(2, run("nonsense"), "eval", "explain", "info", "help")


# ---- Help ------------------------------------------------------------------------------------------------------------------


COMMANDS = [command["name"] for command in INFO["commands"] if command["name"] != "help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_commands(command):
    """What the command does, how it is called, three examples, and each option in a group with its default."""
    result = run(command, "--help")
    assert (result.returncode, result.stderr) == (0, b"")
    assert run(command, "-h").stdout == run("help", command).stdout == result.stdout
    text = result.stdout.decode()
    assert all(len(line) <= 110 for line in text.splitlines())
    assert re.match(rf"[A-Z][^\n]+(\n[^\n]+)*\n\nUsage:\n(  seebatch {command} .*\n)+\nExamples:\n", text)
    headings = re.findall(r"(?m)^([A-Z][A-Za-z ]+):$", text)
    assert headings[0] == "Usage" and headings[-1] == "Exit status" and "Help" in headings and len(headings) >= 5
    words = " ".join(text.split())
    for option in next(each for each in INFO["commands"] if each["name"] == command)["options"]:
        assert f"--{option['name']} " in words and " ".join(option["help"].split()) in words
        assert option["default"] is None or f"[default: {option['default']}]" in words
        assert option["argument"] is None or option["default"] or option["several"] or option["name"] in (
            "threshold", "fen", "against", "svg", "html", "mark-score", "suite", "ask", "cases", "kernel", "rules"), option["name"]
    if command == "filter":
        assert headings[2:7] == ["Selection", "Output", "Input", "Evaluation", "Run"]
        for each in (*INFO["conditions"], *INFO["formats"]):
            assert f"\n  {each['name']}" in text
    for name, rows in (("rules", INFO["rules"]), ("from", [each["name"] for each in INFO["formats"]])):
        if f"--{name} " in text:
            assert all(re.search(rf"\b{row}\b", words) for row in rows)


def examples(*arguments):
    """Those of a help, each as its lines, without what it says about them."""
    text = output(*arguments, "--help").partition("\nExamples:\n")[2].partition("\n\n")[0]
    assert re.match("  [A-Z]", text)
    return [re.sub("(?m)^    ", "", found) for found in re.findall(r"(?:^    .*\n?)+", text, re.M)]


# What the examples of a help print, all together.
SHOWN = {None: "\te1e5\t100\n", "eval": "\te1e5\t100\n", "explain": "Value: -225", "info": "Kernels", "filter": QUIET + "\n",
         "annotate": ROOK_TAKES_PAWN + "\t\te1e5\t100\t1\t0\t0\t0\t100\n", "stats": "\nvalues\t100\t199\t1\n",
         "map": "[p]", "compare": "pin", "convert": "| 120 | 1.0", "verify": "# checked 1, equal 1", "identify": "legal",
         "selftest": "equal"}


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_examples_work_as_printed(command, tmp_path):
    (tmp_path / "seebatch").symlink_to(os.path.abspath(TOOL))
    (tmp_path / "games.binpack").symlink_to(os.path.join(DATA, "formats", "own.binpack"))
    (tmp_path / "positions.fen").write_text("".join(list(open(os.path.join(DATA, "games.fen"), encoding="utf-8"))[:40]))
    if command == "annotate":
        run("convert", tmp_path / "games.binpack", tmp_path / "games.csv")
    for name, threshold in (("answers", ""), ("flags", "0")):
        answered = output("eval", "--rules", "stockfish" if name == "answers" else "ethereal", *["--threshold"] * bool(threshold),
                          *threshold, str(tmp_path / "positions.fen")) if command == "verify" else ""
        (tmp_path / f"{name}.txt").write_text(answered)
    # an engine that answers the questions of identify: the tool itself
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\nsed 's/; /\\t/' | seebatch eval | sed 's/\\t/; /g'\n")
    engine.chmod(0o755)
    lines = examples(*[command] * bool(command))
    assert len(lines) == 3
    result = subprocess.run(["sh", "-e", "-c", "\n".join(lines)], capture_output=True, text=True, timeout=120, cwd=tmp_path,
                            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=False)
    assert result.returncode == 0, result.stderr
    assert SHOWN[command] in result.stdout


def test_general_help():
    general = output("--help")
    assert all(f"\n  {command} " in general for command in (*COMMANDS, "help"))
    assert output("-h") == output("help") == general and output("help", "help") == output("help", "--help") == general
    assert re.fullmatch(r"seebatch \d+\.\d+\.\d+\n", output("--version"))
    alone = run()
    assert (alone.returncode, alone.stdout.decode(), alone.stderr) == (2, general, b"")


@pytest.mark.parametrize("words, meant", [
    ("fliter", "filter"), ("help evla", "eval"), ("eval --rules stokfish", "stockfish"), ("eval --rules leagl,pins=ray", "legal"),
    ("compare --rules legal --rules minimx", "minimax"), ("stats --against swp", "swap"), ("filter --from binpak", "binpack"),
    ("filter --to cvs", "csv"), ("filter --drop in-chek", "in-check"), ("filter --keep scor=1..", "score"),
    ("eval --kernel scalr", "scalar"), ("annotate --columns best_valeu", "best_value"), ("convert --lose scroe --to fen", "score"),
    ("eval --rules legal,pinz=any", "pins"), ("eval --rules swap,pins=nay", "any"),
    ("filter --dorp quiet", "--drop"), ("eval --moevs=all", "--moves"), ("eval -x", None), ("nonsense", None),
    ("eval --rules nonsense", None), ("eval --rules legal,nonsense=1", None), ("filter --keep score", None)])
def test_the_nearest_word_is_suggested(words, meant):
    said = run(*words.split(), stdin="").stderr.decode()
    assert re.findall(r"[dD]id you mean '?([\w-]+)'?\?", said) == [meant] * (meant is not None), said


# ---- explain -----------------------------------------------------------------------------------------------------------------


def explain(position, move, rules="swap"):
    return output("explain", "--rules", rules, position, move)


def test_explain_as_worked_by_hand():
    assert explain(KNIGHT_TAKES_PAWN, "d3e5") == EXPLAINED


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


@pytest.mark.parametrize("position, move, rules, shows, value", [
    (ROOK_TAKES_PAWN, "e1e5", "swap", ["Swap list: 100, (400)\n"], 100),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "swap", ["pawn e5xd6 takes pawn en passant"], 100),
    ("r3k3/1P6/8/8/8/8/8/4K3 w - -", "b7a8q", "promotions", ["takes rook, becomes queen", "500 + 900 = 1400"], 1400),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", "swap", ["worth 0"], 0),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "h1h8", "swap", ["rook h1-h8 takes nothing"], 0),
    ("4k3/8/8/8/8/8/3p4/4K3 w - -", "e1d2", "swap", ["nobody takes a king", "Swap list: 100\n"], 100),
    (PINNED, "c3d5", "legal", ["Rules legal,", "black has no legal recapture: white has 100"], 100)])
def test_explain_shows_special_moves(position, move, rules, shows, value):
    text = explain(position, move, rules)
    assert all(each in text for each in shows) and text.endswith(f"\nValue: {value}\n")


def test_the_default_rules_are_legal():
    for command in (["eval"], ["map", "--format", "tsv"], ["explain", PINNED, "c3d5"], ["verify"], ["annotate"],
                    ["stats"]):
        assert run(*command, stdin=LINE).stdout == run(*command, "--rules", "legal", stdin=LINE).stdout != b""
        assert run(*command, stdin=LINE).stdout != run(*command, "--rules", "swap", stdin=LINE).stdout


@pytest.mark.parametrize("position, move, sentence", [
    (BAD, "e1e2", "position: "), (ROOK_TAKES_PAWN, "e1e6", "move: 'e1e6'"),
    (ROOK_TAKES_PAWN, "nonsense", "move: 'nonsense'")])
def test_explain_refuses(position, move, sentence):
    fails(1, run("explain", position, move), sentence)


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


# ---- Rules by fields -------------------------------------------------------------------------------------------------

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read_text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def test_rules_by_fields():
    """En passant in Ethereal: the pawn that is taken stays, and shuts the file."""
    line = "4k3/2p5/8/3pP3/8/8/8/3RK3 w - d6\te5d6"
    for rules, value in (("ethereal", 100), ("ethereal,en-passant=standing", 0)):
        assert output("eval", "--rules", rules, stdin=line).endswith(f"\te5d6\t{value}\n")
    assert "rules ethereal,en-passant=standing" in output(
        "verify", "--rules", "ethereal,en-passant=standing", stdin=line.split("\t")[0] + "; e5d6; 0\n")
    fails(2, run("eval", "--rules", "legal,pins=any"), "--rules: the field 'pins' of the rules is 'any' and 'order'")
    fails(2, run("compare", "--rules", "swap", "--rules", "swap,pin=any"), "the rules have no field 'pin', expected")


def test_boards_of_the_documents():
    """The ranks of each board are those of its FEN, and the values that the page gives are those of the rule sets, as in `swap, ethereal: 325`."""
    names, checked = json.loads(output("info", "--format", "json"))["rules"], 0
    for page in ("rules.md", "semantics.md"):
        question = r"(?m)^\d .*?  (\S+ [wb] \S+ \S+)   ([a-h][1-8][a-h][1-8][qrbn]?)$"
        _, *boards = re.split(question, "\n".join(re.findall(r"(?ms)^```\n(.*?)^```", read_text("docs", page))))
        for fen, move, text in zip(boards[::3], boards[1::3], boards[2::3]):
            ranks = ["".join("." * int(each) if each.isdigit() else each for each in rank) for rank in fen.split()[0].split("/")]
            for rank, squares in re.findall(r"(?m)^([1-8]) ((?:[.a-zA-Z] ){7}[.a-zA-Z])", text):
                assert squares.replace(" ", "") == ranks[8 - int(rank)], f"{page}, {fen}, rank {rank}"
            for rules, value in re.findall(r"([a-z][a-z0-9, -]*): (-?\d+)\b", text):
                for name in set(re.findall(r"[a-z0-9-]+", rules)) & set(names):
                    assert output("eval", "--rules", name, stdin=f"{fen}\t{move}") == f"{fen}\t{move}\t{value}\n", f"{page}, {name}"
                    checked += 1
    assert checked > 50


def test_documents_spell_rules_as_they_are_read():
    found = set()
    for path in (("README.md",), ("NEWS.md",), ("docs", "rules.md"), ("docs", "semantics.md"), ("docs", "seebatch.1"), ("include", "seebatch.h")):
        found |= set(re.findall(r"[a-z0-9-]+(?:,[a-z-]+=[a-z-]+)+", re.sub(r"\\f[BIR]|\\", "", read_text(*path))))
    assert len(found) > 6
    for rules in found:
        output("eval", "--rules", rules, stdin=QUIET)
