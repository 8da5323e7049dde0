"""The steps of scripts/measure that need programs of others: the readers that come with file formats, and engines.

They come from clones in folders that the command is given, --peers and --engines. Each is taken at the commit that stands
here, copied into a temporary folder, changed there and compiled; the clones stay as they are. The code that calls the header
in an engine is that of docs/engine-recipes.md, so what the page shows is what is measured.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import measured

ROOT = measured.PROJECT
REPLAYS = 3  # until one prints a ratio
COPIES = 8  # of nnue-pytorch's file of positions

NNUE_PYTORCH = "9f72946529c4187d3679014036cd22c3be419716"
READER = "nnue-pytorch's reader"
BINPACK = ["filter --drop in-check --drop capture --count all.binpack", "filter --drop any-capture=0.. --count all.binpack",
           "stats all.binpack", "filter --sample 0.6 --output out.binpack all.binpack"]
FEN = ["filter --drop in-check --count all.fen", "filter --drop any-capture=0.. --count all.fen", "stats all.fen",
       "annotate --output out.tsv all.fen"]
FORMATS = ("binpack", "viriformat", "marlinformat", "bulletformat", "fen", "epd", "csv", "plain")  # that can be written
# A format's own crate: its folder in the clone, and the commit.
CRATES = {"bulletformat": ("bulletformat", "."), "marlinformat": ("marlinflow", "marlinformat"), "viriformat": ("viriformat", ".")}
MANIFEST = """[package]
name = "peer"
version = "1.0.0"
edition = "2021"
[[bin]]
name = "peer"
path = "{program}"
[dependencies]
{name} = {{ path = "{crate}" }}
[profile.release]
codegen-units = 1
lto = true
"""
EXPECTED = {"peers": f"expected a clone nnue-pytorch that has commit {NNUE_PYTORCH[:7]}, and where their readers are to be compared "
                     "bulletformat, marlinflow and viriformat",
            "engines": "expected clones: weiss, ethereal"}


def stop(text):
    """Ends the command where something that a step needs is missing or fails."""
    print(f"scripts/measure: {text}", file=sys.stderr)
    sys.exit(2)


def of(kind, name):
    """The clone of a project in the folder for peers or engines, or None."""
    def find(session):
        folder = getattr(session.options, kind) / name
        return folder if folder.is_dir() else None
    return find


def run(command, folder, cores=None):
    """Runs a command that has to succeed; returns its output, and seconds of user time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = subprocess.run([str(word) for word in command], cwd=folder, check=False, capture_output=True,
                            preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
    if result.returncode:
        stop(f"{' '.join(map(str, command))[:200]} ended with {result.returncode}: "
                 f"{(result.stderr or result.stdout)[-1500:].decode('utf-8', 'replace')}")
    return result.stdout.decode("utf-8", "replace"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def lower_quartile(times):
    return sorted(times)[len(times) // 4]


def in_turns(commands, folder, turns):
    """Seconds of user time of each command in each turn; every second turn has the reverse order."""
    times = [[] for _ in commands]
    for turn in range(turns):
        for i in list(range(len(commands)))[:: -1 if turn % 2 else 1]:
            times[i].append(run(commands[i], folder)[1])
    return times


def checkout(clone, commit, folder):
    """The files of a clone at a commit, in a new folder."""
    found = subprocess.run(["git", "-C", clone, "archive", commit], check=False, capture_output=True)
    if found.returncode:
        stop(f"{clone} has no commit {commit}, expected a clone that has it: git -C {clone} fetch")
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", folder], input=found.stdout, check=True)
    return folder


def version_of(compiler):
    version = subprocess.run([compiler, "-dumpfullversion", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
    return f"{re.sub(r'-[0-9]+$', '', pathlib.Path(compiler).name)} {version}"


def temporary():
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)


# ---- Files ----------------------------------------------------------------------------------------------------------------

def tool(session, row):
    return [session.options.build / "bin/seebatch", *row.split(), "--quiet", "--threads", "1"]


def positions(session, folder):
    """nnue-pytorch's positions several times as all.binpack; how many they are, and where its reader's sources are."""
    clone = of("peers", "nnue-pytorch")(session)
    if not (session.options.build / "bin/seebatch").exists():
        stop(f"{session.options.build} has no bin/seebatch, expected a build with the tool")
    if not clone:
        stop(f"{session.options.peers} has no nnue-pytorch; {EXPECTED['peers']}")
    sources = checkout(clone, NNUE_PYTORCH, folder / "nnue-pytorch")
    (folder / "all.binpack").write_bytes(COPIES * (sources / ".pgo/small.binpack").read_bytes())
    return int(run(tool(session, "filter --count all.binpack"), folder)[0]), sources


def make(session, folder, name):
    """all.NAME, the same positions in another format; FEN without the moves, and PGN of a part, as it is long."""
    path = folder / f"all.{name}"
    if path.exists():
        return
    if name == "fen":
        text = run(tool(session, "convert --lose all --to fen all.binpack"), folder)[0]
        path.write_text("".join(line.split("\t")[0] + "\n" for line in text.splitlines()), encoding="ascii")
    else:
        run(tool(session, f"convert --lose all --to {name} --output all.{name} all.binpack"), folder)


def files(session):
    rows = [*BINPACK, *FEN, *(f"filter --drop in-check --count --from {name} all.{name}" for name in FORMATS if name not in ("binpack", "fen"))]
    todo = [row for row in rows if not session.has("files", row, "millions per second")]
    if not todo:
        return
    with temporary() as folder:
        folder = pathlib.Path(folder)
        n, _ = positions(session, folder)
        for row in todo:
            make(session, folder, row.rsplit(".", 1)[1])

            def measure():
                first, second = map(min, in_turns([tool(session, row)] * 2, folder, session.options.rounds))  # pylint: disable=cell-var-from-loop
                return 1e-6 * n / min(first, second), (first, second)
            session.add("files", row, "millions per second", measure)


def slow_pdep(session, build):
    """Compares the tool with one that chooses the other means of taking boards apart: without pdep where this processor's is fast,
    and with it where it is slow. A figure is the time of that tool relative to this one's; build() returns its program."""
    of = "the means for the other kind of pdep"
    rows = [BINPACK[0], BINPACK[3], *(f"filter --count --from {name} all.{name}" for name in ("bulletformat", "marlinformat"))]
    todo = [row for row in rows if not session.has("processor", row, of)]
    with temporary() as folder:
        folder = pathlib.Path(folder)
        other = build() if todo else None
        if todo:
            positions(session, folder)
        for row in todo:
            make(session, folder, row.rsplit(".", 1)[1])

            def measure():
                command = tool(session, row)  # pylint: disable=cell-var-from-loop
                first, theirs, second = map(lower_quartile, in_turns([command, [other, *command[1:]], command], folder, session.options.rounds))
                return theirs / min(first, second), (first, second)
            session.add("processor", row, of, measure)
    for row in rows:
        if found := session.rows.get(("processor", row, of)):
            session.judge(row, float(found.figure), "what HAS_FAST_PDEP chooses", "the other means")


def compile_reader(sources, folder):
    """nnue-pytorch's reader, as its trainers compile it."""
    run(["g++", "-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-DHAS_BMI2", "-I", sources / "data_loader/cpp/lib",
         ROOT / "bench/peers/binpack.cpp", "-o", "reader"], folder)
    return folder / "reader"


def compile_crate(name, crate, folder):
    folder = folder / f"{name}-program"
    folder.mkdir()
    (folder / "Cargo.toml").write_text(MANIFEST.format(name=name, crate=crate, program=ROOT / f"bench/peers/{name}.rs"), encoding="ascii")
    environment = dict(os.environ, RUSTFLAGS="-C target-cpu=native", CARGO_TARGET_DIR=str(folder / "target"))
    result = subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=False, capture_output=True, text=True, env=environment)
    if result.returncode:
        stop(f"the program around {name} does not build: {result.stderr[-1500:]}")
    return folder / "target/release/peer"


def peers(session):
    """The tool's speed relative to that of another reader: above 1 the tool is faster."""
    readers = {name: clone for name, (project, _) in CRATES.items() if (clone := of("peers", project)(session))}
    session.left_out += [f"peers: --peers has no {CRATES[name][0]}, whose reader of {name} is compared" for name in CRATES if name not in readers]
    rows = [(row, READER) for row in [*BINPACK, *FEN]] + \
           [(f"filter --count --from {name} all.{name}", f"{name}'s own code at {version_here(clone)}") for name, clone in readers.items()]
    rows = [row for row in rows if not session.has("peers", *row)]
    if not rows:
        return
    with temporary() as folder:
        folder = pathlib.Path(folder)
        _, sources = positions(session, folder)
        programs = {}
        for row, peer in rows:
            name = row.rsplit(".", 1)[1]
            make(session, folder, name)
            if peer not in programs:
                project = peer.split("'")[0]
                programs[peer] = [compile_reader(sources, folder), "all.binpack"] if peer == READER else \
                    [compile_crate(project, checkout(readers[project], "HEAD", folder / f"{project}-sources") / CRATES[project][1], folder), f"all.{name}"]

            def measure():
                theirs, ours, again = map(lower_quartile, in_turns([programs[peer], tool(session, row), programs[peer]], folder,  # pylint: disable=cell-var-from-loop
                                                                   session.options.rounds))
                return min(theirs, again) / ours, (theirs, again)
            session.add("peers", row, peer, measure)


def version_here(clone):
    return run(["git", "rev-parse", "--short=7", "HEAD"], clone)[0].strip()


# ---- Engines --------------------------------------------------------------------------------------------------------------

class Engine:
    """How an engine is changed: its function, from the line that begins it to that before the next thing, becomes the one of a
    recipe, or a replay of the questions of its search is put behind it."""

    def __init__(self, name, commit, depth, **more):
        self.name, self.commit, self.depth = name, commit, depth
        self.__dict__ |= more

    def title(self):
        return f"{self.name} {self.commit}"


RECIPES = (ROOT / "docs/engine-recipes.md").read_text(encoding="utf-8")
ENGINES = [
    Engine("Weiss", "60c5137", 11, clone="weiss", file="src/board.c", main="src/uci.c", begin="static int SEEValues", end="static Key cuckoo[8192]",
           recipes={"bitboards": "### An engine like Weiss", "mailbox": "#### Weiss with its mailbox"},
           own=("bool SEE(const Position *pos", "const Position *pos, const Move move, const int threshold", "pos, move, threshold"),
           early="    if (moveIsSpecial(move))\n        return true;\n", position="Position", state="offsetof(Position, gameHistory)",
           parse="ParseFen(fen, board);", fen="    const char *fen = BoardToFen(pos);\n", sources="*.c pyrrhic/tbprobe.c tuner/*.c query/*.c noobprobe/*.c onlinesyzygy/*.c",
           flags="-std=gnu11 -w -DNDEBUG -DUSE_PEXT"),
    Engine("Ethereal", "0e47e9b", 12, clone="ethereal", file="src/search.c", main="src/uci.c", begin="int staticExchangeEvaluation(Board *board", end="int singularity(",
           recipes={"mailbox and map": "### An engine like Ethereal"},
           own=("int staticExchangeEvaluation(Board *board", "Board *board, uint16_t move, int threshold", "board, move, threshold"),
           early="", position="Board", state="offsetof(Board, history)",
           parse="boardFromFEN(board, fen, 0);", fen="    char fen[128];\n    boardToFEN(board, fen);\n", sources="*.c pyrrhic/tbprobe.c",
           flags="-std=gnu11 -w -DNDEBUG -DUSE_NNUE=0 -DUSE_PEXT -DUSE_POPCNT -mpopcnt -DUSE_AVX2 -DUSE_AVX -DUSE_SSSE3"),
]
INLINED = "static inline __attribute__((always_inline))"


def recipe(engine, path):
    text = RECIPES[RECIPES.index(engine.recipes[path] + "\n"):]
    return text.split("```c\n")[1].split("```")[0]


def changed(engine, text, path, replay):
    """The engine's file with the header in place of its function, or with a replay of both."""
    begin, end = text.index(engine.begin), text.index(engine.end)
    code = recipe(engine, path)
    if not replay:
        return text[:begin] + code + "\n" + text[end:]
    signature, parameters, arguments = engine.own
    kind, name = re.match(r"(\w+) (\w+)", signature).groups()
    inlined = text[begin:end].replace(signature, f"{INLINED} {signature.replace(name, 'ownEvaluation')}")
    code = code.replace(signature, f"{INLINED} {signature.replace(name, 'headerEvaluation')}")
    return text[:begin] + inlined + code + f"""
#include <stdbool.h>
#include <stddef.h>
#define REPLAY_POSITION {engine.position}
#define REPLAY_BYTES {engine.state}
static void replay_position({engine.position} *board, const char *fen) {{ {engine.parse} }}
{INLINED} bool replay_own({engine.position} *board, unsigned move, int threshold) {{ return ownEvaluation(board, move, threshold); }}
{INLINED} bool replay_header({engine.position} *board, unsigned move, int threshold) {{ return headerEvaluation(board, move, threshold); }}
#include "replay.h"
int replayQuestions(const char *path);
int replayQuestions(const char *path) {{ return replay(path); }}

{kind} {name}({parameters}) {{
{engine.early}    if (replay_wanted()) {{
{engine.fen}        replay_record(fen, move, threshold);
    }}
    return ownEvaluation({arguments});
}}

""" + text[end:]


def build_engine(session, engine, folder, path=None, replay=False):
    """The program of the unmodified engine, of the engine with the header, or of a replay."""
    tree = checkout(of("engines", engine.clone)(session), engine.commit, folder / f"{engine.clone}-{(path or 'own').replace(' ', '-')}{'-replay' * replay}")
    if path:
        file = tree / engine.file
        file.write_text(changed(engine, file.read_text(encoding="utf-8"), path, replay), encoding="utf-8")
        for header in ("include/seebatch_see.h", "include/seebatch_see_mailbox.h", "bench/replay.h"):
            (file.parent / pathlib.Path(header).name).write_bytes((ROOT / header).read_bytes())
    if replay:
        main = tree / engine.main
        text = re.sub(r"(int main\(int argc, char \*\*argv\) \{\n)",
                      r'int replayQuestions(const char *path);\n\1    const char *replayed = argc > 2 && strstr(argv[1], "replay") ? argv[2] : NULL;\n',
                      main.read_text(encoding="utf-8"))
        main.write_text(re.sub(r"(?m)^(    // Benchmark\n|    // Handle any command line requests\n)", r"    if (replayed) return replayQuestions(replayed);\n\1", text), encoding="utf-8")
    run(["sh", "-c", f"{session.options.cc} -O3 -march=native -flto=auto {engine.flags} {engine.sources} -pthread -lm -o engine"], tree / "src")
    return tree / "src/engine"


def engines_here(session):
    found = [engine for engine in ENGINES if of("engines", engine.clone)(session)]
    session.left_out += [f"engines: --engines has no {engine.clone}" for engine in ENGINES if engine not in found]
    if not found:
        stop(f"{session.options.engines} has none of the engines; {EXPECTED['engines']}")
    return found


def headers(session):
    compiler = version_of(session.options.cc)
    for engine in engines_here(session):
        for path in engine.recipes:
            what = f"{engine.title()}, bench {engine.depth}"
            if session.has("headers", what, path, compiler):
                continue
            with temporary() as folder:
                program = build_engine(session, engine, pathlib.Path(folder), path, True)
                run([program, "bench", engine.depth], folder)
                for _ in range(REPLAYS):
                    found = subprocess.run([program, "replay", "questions.tsv"], cwd=folder, check=False, capture_output=True, text=True)
                    text = found.stdout + found.stderr
                    if found.returncode == 1:
                        stop(f"the replay of {what}, {path}, ended with 1: {text[-500:]}")
                    warm = re.search(r"warm, ns each:.*", text)
                    ratios = [float(each) for each in re.findall(r"\((\d+\.\d+)\)", warm[0])] if warm else []
                    if len(ratios) == 3:
                        break
            if len(ratios) < 3:
                session.refuse(f"headers, {what}, {path}: {' '.join(text.split())[-400:]}")
            else:
                session.add("headers", what, path, lambda: (ratios[2], (1, ratios[1])), compiler, 5)  # pylint: disable=cell-var-from-loop


def engines(session):
    compiler = version_of(session.options.cc)
    for engine in engines_here(session):
        what = f"{engine.title()}, bench {engine.depth}"
        if all(session.has("engines", what, path, compiler) for path in engine.recipes):
            continue
        with temporary() as folder:
            folder = pathlib.Path(folder)
            own = build_engine(session, engine, folder)
            nodes = nodes_of(own, engine, folder)
            for path in engine.recipes:
                program = build_engine(session, engine, folder, path)
                if (other := nodes_of(program, engine, folder)) != nodes:
                    stop(f"{what} visits {nodes} nodes, and {other} with the header ({path}), expected the same number")

                def measure():
                    commands = [[each, "bench", engine.depth] for each in (own, program, own)]  # pylint: disable=cell-var-from-loop
                    theirs, ours, again = map(lower_quartile, in_turns(commands, folder, session.options.rounds))
                    return ours / min(theirs, again), (theirs, again)
                session.add("engines", what, path, measure, compiler)


def nodes_of(program, engine, folder):
    return re.findall(r"OVERALL:.*?(\d+) nodes", run([program, "bench", engine.depth], folder)[0])[0]
