"""Files in parts, on one machine: filters, annotates and counts, with multiprocessing.

    python3 filter_parts.py [--parts N] [--rules NAME] OUTPUT.csv [FILE...]
    python3 filter_parts.py quiet.csv

Without a FILE it takes those that the package brings.
The output has the quiet positions without a winning capture, each with the length of its FEN's best exchange; its bytes
do not depend on the number of parts or processes. Lines of the parts are joined in their order.
"""
import argparse
import itertools
import multiprocessing
import os

import seebatch as sb

COLUMNS = ["captures", "worst"]


def work(path, part, parts, rules):
    """A part of a file: (rows as CSV without the header, {what: how many})."""
    counts = {"read": 0, "kept": 0, "bad": 0}
    with sb.create(format="csv", holds=1, lose="score,result,ply", columns=COLUMNS) as writer:
        with sb.open(path, part=(part, parts) if parts > 1 else None) as reader:
            for batch in reader:
                keep = sb.filter(batch.positions, drop=["in-check", "any-capture=1.."], rules=rules)
                kept = sb.take(batch.positions, keep)
                moves, off = sb.legal_moves(kept, "captures")
                worth = sb.values(kept, moves, off, rules)
                rows = [worth[off[i]:off[i + 1]] for i in range(len(kept))]
                writer.write(kept, columns={"captures": [len(row) for row in rows],
                                            "worst": [min(row) if len(row) else None for row in rows]})
                counts["kept"] += len(kept)
            counts["read"], counts["bad"] = reader.counts["read"], reader.counts["bad"]
    return writer.data.split(b"\n", 1), counts


def join(output, results):
    """Writes the header once and the rows of all parts; returns the counts of all."""
    total = {}
    with open(output + ".part", "wb") as file:
        for k, ((header, rows), counts) in enumerate(results):
            file.write(rows if k else header + b"\n" + rows)
            for what, n in counts.items():
                total[what] = total.get(what, 0) + n
    os.replace(output + ".part", output)
    return total


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--parts", type=int, default=8, help="parts of each file")
    parser.add_argument("--rules", default="legal", choices=sb.rule_sets())
    parser.add_argument("output")
    parser.add_argument("files", nargs="*", default=[sb.sample_file("games.binpack"), sb.sample_file("games.fen")])
    return parser


def tasks(options):
    return [(path, part, options.parts, options.rules)
            for path, part in itertools.product(options.files, range(1, options.parts + 1))]


def main():
    options = arguments(__doc__.splitlines()[0]).parse_args()
    with multiprocessing.get_context("spawn").Pool() as pool:
        print(join(options.output, pool.starmap(work, tasks(options), chunksize=1)))


if __name__ == "__main__":
    main()
