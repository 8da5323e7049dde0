"""Tables and sentences about what the headers and the library change in engines, from docs/data/header.json. Times in the file are
new time divided by old time; readers are told the change in percent. scripts/manual puts these blocks into the pages."""
import json
import textwrap
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "docs/data/header.json"


def percent(ratio):
    return f"{round(100 * (ratio - 1)):+d}%".replace("+0%", "0%")


def span(ratios):
    """The least and the greatest of some ratios: '-8 to +5%'."""
    low, high = percent(min(ratios)), percent(max(ratios))
    return low if low == high else f"{low.rstrip('%')} to {high}"


def is_path(row, engine=None, path=None):
    """Whether a row of the paths is a header's on an engine's own board, with the kernels that it is meant for."""
    return (row[2] != "its clone" and row[1].split()[0] == (engine or row[1]).split()[0] and "PLAIN" not in row[0]
            and (path == row[2] if path else "without bitboards" not in row[2]))


def alone(data, row):
    """The change of SEE alone. Only the path on bitboards was measured in Stockfish as a whole engine."""
    only = "bitboards" if row["engine"].startswith("Stockfish") else None
    return row["alone"] or [ratio for path in data["paths"]["rows"] if is_path(path, row["engine"], only) for ratio in path[3:]]


def medians(data, kind, network=None):
    return [run[1] for row in data["engines"]["rows"] if row["kind"] == kind and network in (None, row.get("network")) for run in row["runs"]]


def itself(data, kind):
    return [ratio for row in data["engines"]["rows"] if row["kind"] == kind for ratio in row["itself"]]


def reckless():
    """The change of one SEE in Reckless with the header."""
    return span(next(row["alone"] for row in json.loads(DATA.read_text(encoding="utf-8"))["engines"]["rows"] if row["engine"].startswith("Reckless")))


def rows_of(data, kind):
    for row in data["engines"]["rows"]:
        if row["kind"] == kind:
            interval = f" ({span(row['itself_interval'])})" if "itself_interval" in row else ""
            names = kind == "policy"  # the other rows are of one processor, which the text names
            runs = "; ".join(f"{processor}: " * names + f"{percent(median)} ({span([low, high])})" for processor, median, low, high in row["runs"])
            yield f"| {row['engine']} | " + (f"{row['network']} | " if names else "") + \
                f"{span(alone(data, row))} | {runs} | {span(row['itself'])}{interval} |"


def verdict(_page):
    data = json.loads(DATA.read_text(encoding="utf-8"))
    return ["", "| your engine | verdict |", "|---|---|",
            "| alpha-beta, one move at a time | Take the header for its rules or its values, and not for speed: the run time of four engines "
            f"changed by {span(medians(data, 'header'))}, and that of the unmodified engines by {span(itself(data, 'header'))} from run to "
            "run, so no gain is proven. |",
            "| alpha-beta, all captures of a node at once | Take the header, not the library: with one library call for each node, the run "
            f"time of Ethereal changed by {span(medians(data, 'lists'))}. |",
            f"| policy network, all legal moves of a node | Take the library if SEE is a noticeable part of your profile: the run time changed "
            f"by {span(medians(data, 'policy', 'full width'))} with networks of today's size, and by "
            f"{span([ratio for ratio in medians(data, 'policy', 'an eighth of the width') if ratio < 0.95])} in Monty with networks of an "
            "eighth of the width. |",
            "| analysis and training data | Take the library or the [tool](recipes.md) if you evaluate many positions. |", ""]


def see_alone(_page):
    data = json.loads(DATA.read_text(encoding="utf-8"))
    paths = data["paths"]["rows"]
    slow = [ratio for row in paths if is_path(row, "Stockfish", "mailbox without bitboards") and "v3" in row[0] for ratio in row[3:]]
    plain = [ratio for row in paths if "PLAIN" in row[0] and row[2] != "its clone" for ratio in row[3:]]
    loop = data["loop"]
    text = (f"In a loop over a few positions, an engine's own function took {loop['own']} ns and the header {loop['header']} ns. On the "
            "questions of a search, the time of one SEE changes as the table shows. With a byte for each square and no bitboards, it changes "
            f"by {span(slow)} with AVX2, and without AVX2 the header takes {min(plain):.1f} to {max(plain):.1f} times as long, both compared "
            "with Stockfish's function on bitboards. The figures are from Emerald Rapids; each engine was measured in two series of runs.")
    return ["", *textwrap.wrap(text, 140), "",
            "| engine | time of one SEE, by path and compiler | run time of the whole engine (95% interval) | the unmodified engine against itself |",
            "|---|--:|--:|--:|", *rows_of(data, "header"), ""]


def networks(_page):
    data = json.loads(DATA.read_text(encoding="utf-8"))
    return ["", "| engine | networks | time of one SEE | run time of the whole engine (95% interval) | the unmodified engine against itself (95% interval) |",
            "|---|---|--:|--:|--:|", *rows_of(data, "policy"), ""]


def paths(_page):
    data = json.loads(DATA.read_text(encoding="utf-8"))["paths"]
    lines, group = ["", "| engine and path | " + " | ".join(data["compilers"]) + " |", "|---|" + "--:|" * len(data["compilers"])], None
    for target, engine, path, *ratios in data["rows"]:
        if target != group:
            lines.append(f"| **{target}** |" + " |" * len(ratios))
            group = target
        lines.append(f"| {engine}, {path} | " + " | ".join(map(percent, ratios)) + " |")
    return [*lines, ""]


def with_interval(median, interval):
    return f"{percent(median)} ({span(interval)})"


def whole_engines(_page):
    """The run time of alpha-beta engines with each path of the headers, in two series of pairs of runs."""
    lines = ["", "| engine | pairs | itself | bitboards | bitboards and map | mailbox |", "|---|--:|--:|--:|--:|--:|"]
    for row in json.loads(DATA.read_text(encoding="utf-8"))["engines"]["rows"]:
        for i, series in enumerate(row["series"] if row["kind"] == "header" and "series" in row else []):
            cells = [with_interval(row["itself"][i], series["itself_interval"]), with_interval(row["runs"][i][1], row["runs"][i][2:])]
            cells += [with_interval(series[path][0], series[path][1:]) if series[path] else "" for path in ("map", "mailbox")]
            lines.append(f"| {row['engine'] + ', ' + series['bench'] if i == 0 else 'the same again'} | {series['pairs']} | {' | '.join(cells)} |")
    return [*lines, ""]


def lists():
    """The change of Ethereal's run time with one call for the captures of a node, by AVX-512 and AVX2."""
    row = next(row for row in json.loads(DATA.read_text(encoding="utf-8"))["engines"]["rows"] if row["kind"] == "lists")
    return [with_interval(run[1], run[2:]) for run in row["runs"]]


def reckless_questions(_page):
    data = json.loads(DATA.read_text(encoding="utf-8"))["reckless"]
    own = " | ".join(" to ".join(f"{ns:.1f}" for ns in each) for each in data["own_ns"])
    return ["", "| | " + " | ".join(data["columns"]) + " |", "|---|" + "--:|" * len(data["columns"]), f"| Reckless's own function, ns | {own} |",
            *(f"| {name} | {' | '.join(map(span, row))} |" for name, row in data["rows"].items()), ""]


BLOCKS = {"reckless_questions": reckless_questions, "whole_engines": whole_engines,
          "verdict": verdict, "see_alone": see_alone, "networks": networks, "header_paths": paths}
