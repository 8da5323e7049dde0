"""Three figures about files of positions, with NumPy and matplotlib.

    python3 figures.py FOLDER [FILE...]
    python3 figures.py figures

Without a FILE it takes the games that the package brings.

hangs.svg     what hangs in the course of the first game of the first file: the most that each side could win on one square
values.svg    how the values of captures are distributed, by rule set
disagree.svg  how often two rule sets disagree on whether a capture loses material
"""
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import seebatch as sb  # noqa: E402

SHOWN = ("swap", "ethereal", "stockfish", "legal")


def first_game(path):
    """The positions of the first game: plies count up from it."""
    batch = next(sb.open(path))
    ends = np.flatnonzero(np.diff(batch.plies) <= 0)
    return sb.take(batch.positions, np.arange(ends[0] + 1 if len(ends) else len(batch.positions)))


def hangs(game, path):
    most = sb.maps(game).max(axis=2)
    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    axes.step(range(len(game)), most[:, 0], where="mid", color="#c08a30", label="White could win")
    axes.step(range(len(game)), -most[:, 1].astype(int), where="mid", color="#333333", label="Black could win")
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set(xlabel="half moves", ylabel="on the best square", title="What hangs over a game")
    axes.legend(frameon=False, ncols=2, loc="upper left")
    figure.savefig(path)


def distribution(worth, path):
    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    edges = np.arange(-1050, 1101, 100)
    middles = (edges[:-1] + edges[1:]) / 2
    for i, (rules, values) in enumerate(worth.items()):
        share = np.histogram(np.clip(values, -1000, 1000), edges)[0] / max(1, len(values))
        axes.bar(middles + (i - 1.5) * 22, 100 * share, width=22, label=rules)
    axes.set(xlabel="value of a capture (beyond 1000: at the edge)", ylabel="% of captures",
             title="What captures are worth")
    axes.legend(frameon=False)
    figure.savefig(path)


def disagreement(losing, path):
    names = list(losing)
    shares = np.array([[100 * np.mean(losing[a] != losing[b]) for b in names] for a in names])
    figure, axes = plt.subplots(figsize=(7.5, 6.5), layout="constrained")
    image = axes.imshow(shares, cmap="YlOrBr")
    for (row, column), share in np.ndenumerate(shares):
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", fontsize=7,
                  color="white" if share > shares.max() * 0.6 else "black")
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_title("Captures that lose under one rule set alone, %")
    figure.colorbar(image, shrink=0.8)
    figure.savefig(path)


def main():
    folder, files = pathlib.Path(sys.argv[1]), sys.argv[2:] or [sb.sample_file("games.binpack")]
    folder.mkdir(parents=True, exist_ok=True)
    hangs(first_game(files[0]), folder / "hangs.svg")
    worth = {rules: [] for rules in sb.rule_sets()}
    for path in files:
        for batch in sb.open(path):
            rows = sb.legal_moves(batch.positions, "captures")
            for rules, parts in worth.items():
                parts.append(sb.values(batch.positions, *rows, rules))
    worth = {rules: np.concatenate(parts) for rules, parts in worth.items()}
    distribution({rules: worth[rules] for rules in SHOWN}, folder / "values.svg")
    disagreement({rules: values < 0 for rules, values in worth.items()}, folder / "disagree.svg")


if __name__ == "__main__":
    main()
