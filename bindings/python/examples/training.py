"""A small network is trained in PyTorch on positions of files in any format, and goes on after an interruption.

    python3 training.py [--workers N] [--epochs N] [--batch-size N] [--checkpoint FILE] [FILE...]
    python3 training.py --epochs 5

Without a FILE it takes one that the package brings. The checkpoint is written after each epoch; if it exists, training goes on
from there.
"""
import argparse
import os

import seebatch as sb
import torch
from seebatch.torch import PositionDataset, PositionLoader


class Network(torch.nn.Module):
    """HalfKP inputs of both sides, that of the side to move first, and one hidden layer."""

    def __init__(self, width=32):
        super().__init__()
        self.inputs = torch.nn.EmbeddingBag(64 * 640, width, mode="sum")
        self.output = torch.nn.Linear(2 * width, 1)

    def forward(self, white, black, offsets, stm):
        sides = torch.stack([self.inputs(white, offsets), self.inputs(black, offsets)], dim=1)
        ordered = torch.where(stm.bool()[:, None, None], sides.flip(1), sides)
        return self.output(ordered.flatten(1).clamp(0, 1)).squeeze(1)


def expected(scores, results, stm):
    """What the side to move gets of the game, 0 to 1, half by the score and half by the result."""
    white = 0.5 * torch.sigmoid(scores / 400) + 0.5 * results
    return torch.where(stm.bool(), 1 - white, white)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, usual in (("--workers", 0), ("--epochs", 3), ("--batch-size", 256)):
        parser.add_argument(name, type=int, default=usual)
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    parser.add_argument("files", nargs="*", default=[sb.sample_file("games.binpack")])
    options = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network().to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    # No capture that wins something, and no check: what a search would look at next.
    loader = PositionLoader(PositionDataset(options.files, options.batch_size, drop=["in-check", "any-capture=1.."]), options.workers)
    if os.path.exists(options.checkpoint):
        saved = torch.load(options.checkpoint, weights_only=True)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])
    while loader.dataset.epoch < options.epochs:
        epoch, total, count = loader.dataset.epoch, 0.0, 0
        for batch in loader:
            white, black, offsets, stm, scores, results = (tensor.to(device, non_blocking=True) for tensor in batch)
            loss = (torch.sigmoid(network(white, black, offsets, stm)) - expected(scores, results, stm)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total, count = total + loss.item() * len(stm), count + len(stm)
        print(f"epoch {epoch}: {count} positions, loss {total / count:.4f}")
        torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(), "loader": loader.state_dict()},
                   options.checkpoint)


if __name__ == "__main__":
    main()
