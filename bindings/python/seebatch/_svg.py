"""A small chess board as SVG."""
from __future__ import annotations

from typing import Any, Iterable

from . import _core

SIDE = 40  # of a square
GLYPHS = {"P": "♙", "N": "♘", "B": "♗", "R": "♖", "Q": "♕", "K": "♔",
          "p": "♟", "n": "♞", "b": "♝", "r": "♜", "q": "♛", "k": "♚"}


def middle(square: int) -> tuple[float, float]:
    return (square % 8 + 0.5) * SIDE, (7.5 - square // 8) * SIDE


def arrow(begin: int, end: int, opacity: float) -> str:
    """A line that stops before the middle of its last square, with a head."""
    (x1, y1), (x2, y2) = middle(begin), middle(end)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    x2, y2 = x2 - ux * SIDE / 5, y2 - uy * SIDE / 5
    head = [(x2, y2), (x2 - 12 * ux - 6 * uy, y2 - 12 * uy + 6 * ux), (x2 - 12 * ux + 6 * uy, y2 - 12 * uy - 6 * ux)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in head)
    return (f'<g opacity="{opacity:.2f}" stroke="#b03020" fill="#b03020"><line x1="{x1:.1f}" y1="{y1:.1f}" '
            f'x2="{x2 - 10 * ux:.1f}" y2="{y2 - 10 * uy:.1f}" stroke-width="4"/>'
            f'<polygon points="{points}" stroke="none"/></g>')


def board_svg(position: Any, arrows: Iterable[tuple[int, int]] = (), marked: Iterable[int] = ()) -> str:
    """The board as SVG, White below, with coordinates: arrows from square to square, the first one darkest, and marked squares (0 to 63).

    Parameters
    ----------
    position, arrows, marked

    Returns
    -------
    str

    Examples
    --------
    >>> sb.board_svg("4k3/8/8/8/8/8/4P3/4K3 w - -").startswith("<svg")
    True
    """
    marked = set(marked)
    board = _core.Position(position).board
    size = 8 * SIDE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">']
    for square in range(64):
        x, y = square % 8 * SIDE, (7 - square // 8) * SIDE
        color = "#e8c060" if square in marked else "#b58863" if (square + square // 8) % 2 == 0 else "#f0d9b5"
        parts.append(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{color}"/>')
    for i in range(8):
        ink = ("#b58863", "#f0d9b5")  # that of the other squares: a1 and its diagonals are dark
        parts.append(f'<text class="rank" x="2" y="{(7 - i) * SIDE + 10}" font-size="10" fill="{ink[i % 2 == 0]}" '
                     f'font-family="sans-serif">{i + 1}</text>')
        parts.append(f'<text class="file" x="{(i + 1) * SIDE - 2}" y="{size - 3}" font-size="10" fill="{ink[i % 2 == 0]}" '
                     f'text-anchor="end" font-family="sans-serif">{"abcdefgh"[i]}</text>')
    for square, letter in enumerate(board):
        if letter in GLYPHS:
            middle_x, middle_y = middle(square)
            parts.append(f'<text x="{middle_x:g}" y="{middle_y + SIDE * 0.3:g}" font-size="{SIDE * 0.85:g}" text-anchor="middle" '
                         f'font-family="DejaVu Sans, sans-serif">{GLYPHS[letter]}</text>')
    parts += [arrow(begin, end, max(0.25, 0.8 - 0.15 * i)) for i, (begin, end) in enumerate(arrows)]
    return "".join(parts) + "</svg>"
