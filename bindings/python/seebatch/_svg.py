"""A chess board as SVG, drawn as on the project's page for lessons: pieces are shapes, so that no font is needed, and all colors
are its own, so that it looks the same on light and dark pages. A square has 100 units."""
from __future__ import annotations

import functools
import math
import os
import re
from typing import Any, Iterable, Optional, Sequence

from . import _core
from ._arrays import described, whole
from ._files import DATA

WIDTH = 320  # of a board, in pixels
SQUARES = ("#a6b6c6", "#edf0f3")  # dark ones, to which a1 belongs, and light ones
PIECES = ({"body": "#fdfdfb", "edge": "#1d232b", "mark": "#1d232b"}, {"body": "#343b46", "edge": "#0b0e12", "mark": "#dfe5ec"})
INK, PAPER = "#20262e", "#ffffff"
ARROWS = ((PAPER, INK), (INK, PAPER))  # White's and Black's, and what is around them
HANGING = ("#b14a00", "#0a5fa8")  # what of White hangs, and of Black
NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
FONT = 'font-family="system-ui, sans-serif"'


@functools.lru_cache(maxsize=None)
def _shape(letter: str) -> str:
    """What defines a piece: the page's drawing, with the colors of its side as attributes."""
    with open(os.path.join(DATA, "pieces.svg"), encoding="utf-8") as file:
        drawings = dict(re.findall(r'<symbol id="piece-(.)"[^>]*>\s*<g>(.*?)</g></symbol>', file.read(), re.DOTALL))
    colors = PIECES[letter.islower()]
    drawing = drawings[letter.lower()].replace("\n", "")
    for name, style in (("line", f'fill="none" stroke="{colors["mark"]}" stroke-width="4"'),
                        ("dot", f'fill="{colors["mark"]}" stroke="none"'), ("cross", "")):
        drawing = drawing.replace(f'class="{name}"', style)
    return (f'<g id="seebatch-piece-{letter}" fill="{colors["body"]}" stroke="{colors["edge"]}" stroke-width="4.5" '
            f'stroke-linejoin="round" stroke-linecap="round">{drawing}</g>')


def corner(square: int) -> tuple[int, int]:
    return square % 8 * 100, (7 - square // 8) * 100


def name_of(square: int) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def arrow(begin: int, end: int, color: int, is_made: bool = True) -> str:
    """A line that ends before the middle of its last square, with a head there; dashed if it is not made."""
    (x1, y1), (x2, y2) = ((x + 50, y + 50) for x, y in map(corner, (begin, end)))
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    ex, ey = x2 - 36 * dx, y2 - 36 * dy
    bx, by = ex - 20 * dx, ey - 20 * dy
    path = (f"M{x1 + 30 * dx:.1f} {y1 + 30 * dy:.1f}L{ex:.1f} {ey:.1f}M{bx - 14 * dy:.1f} {by + 14 * dx:.1f}L{ex:.1f} {ey:.1f}"
            f"L{bx + 14 * dy:.1f} {by - 14 * dx:.1f}")
    dashes = "" if is_made else ' stroke-dasharray="14 10" opacity="0.7"'
    inner, outer = ARROWS[color]
    return "".join(f'<path class="{name}" d="{path}" fill="none" stroke="{ink}" stroke-width="{width}"{dashes}/>'
                   for name, ink, width in (("under", outer, 15), ("arrow", inner, 10)))


def disc(square: int, color: int, text: str) -> str:
    """A number at the lower left of a square."""
    (x, y), (inner, outer) = corner(square), ARROWS[color]
    return (f'<g class="disc"><circle cx="{x + 18}" cy="{y + 82}" r="15.5" fill="{inner}" stroke="{outer}" stroke-width="3.5"/>'
            f'<text x="{x + 18}" y="{y + 90}" font-size="23" font-weight="700" text-anchor="middle" fill="{outer}" {FONT}>{text}</text></g>')


def refusal(position: Any, target: int, square: int, color: int, piece: int, reason: str, by: int) -> tuple[str, str]:
    """A dotted line from what forbids a capture to what it guards, and a mark on the piece that may not capture."""
    king = position.board.index("K" if color == (reason == "before-enemy") else "k")
    (x1, y1), (x2, y2) = ((x + 50, y + 50) for x, y in map(corner, (by, target if reason == "guarded" else king)))
    (x, y), shift = corner(square), 20 if piece == 5 else 80
    return (f'<line class="reason" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#b3123f" stroke-width="6" stroke-dasharray="3 11" '
            f'stroke-linecap="round"/>',
            f'<g class="refused"><circle cx="{x + shift}" cy="{y + shift}" r="13" fill="{PAPER}" stroke="#b3123f" stroke-width="6"/>'
            f'<path d="M{x + shift - 9} {y + shift + 9}L{x + shift + 9} {y + shift - 9}" stroke="#b3123f" stroke-width="7"/></g>')


def _hanging(square: int, letter: str, value: int, is_now: bool) -> tuple[str, str]:
    """A ring around a piece (a circle for White's, a square for Black's), dashed unless it can be won now; and what it costs."""
    (x, y), color = corner(square), int(letter.islower())
    ink = HANGING[color]
    style = f'fill="none" stroke="{ink}" stroke-width="{5.5 if is_now else 4}"' + ("" if is_now else ' stroke-dasharray="12 9"')
    said = (f"<title>{('White', 'Black')[color]}'s {NAMES[letter.lower()]} on {name_of(square)} hangs: "
            f"{('White', 'Black')[1 - color]} {'wins' if is_now else 'would win'} {value}</title>")
    ring = (f'<rect class="ring" x="{x + 4.5}" y="{y + 4.5}" width="91" height="91" rx="9" {style}>{said}</rect>' if color else
            f'<circle class="ring" cx="{x + 50}" cy="{y + 50}" r="45.5" {style}>{said}</circle>')
    text = str(value)
    width = max(30.0, len(text) * 13.5 + 14)
    left, (paper, edge) = x + 98.5 - width, (ink, PAPER) if is_now else (PAPER, ink)
    badge = (f'<g class="badge"><rect x="{left:g}" y="{y + 2}" width="{width:g}" height="30" rx="{5 if color else 15}" fill="{paper}" '
             f'stroke="{edge}" stroke-width="4"/><text x="{left + width / 2:g}" y="{y + 24.8:g}" font-size="23" font-weight="700" '
             f'text-anchor="middle" fill="{edge}" {FONT}>{text}</text></g>')
    return ring, badge


def hanging_marks(position: Any) -> list[str]:
    """What each side wins of the other, as maps() finds it."""
    block: Any = _core.maps(position, "legal", None, 1, None)
    maps: list[Any] = memoryview(block).tolist()
    white, black = maps[0]
    marks = [_hanging(square, letter, (black if letter.isupper() else white)[square], position.stm == letter.isupper())
             for square, letter in enumerate(position.board)
             if letter != "." and (black if letter.isupper() else white)[square] > 0]
    return [ring for ring, _ in marks] + [badge for _, badge in marks]


def draw(position: Any, label: str, marks: Sequence[str], marked: Iterable[int] = ()) -> str:
    """The board with its coordinates, and what is drawn over it."""
    board, marked = position.board, set(marked)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{WIDTH}" viewBox="0 0 800 800" role="img" '
             f'aria-label="{label}"><defs>{"".join(_shape(letter) for letter in sorted(set(board) - {"."}))}</defs>']
    for square, letter in enumerate(board):
        x, y = corner(square)
        parts.append(f'<rect x="{x}" y="{y}" width="100" height="100" fill="{SQUARES[(square + square // 8) % 2]}"/>')
        if square in marked:
            parts.append(f'<rect class="target" x="{x + 3.5}" y="{y + 3.5}" width="93" height="93" rx="6" fill="none" stroke="#b8860b" '
                         f'stroke-width="7"/>')
        if letter != ".":
            parts.append(f'<use href="#seebatch-piece-{letter}" transform="translate({x + 4} {y + 4}) scale(0.92)"/>')
    for i in range(8):
        style = f'font-size="22" font-weight="600" fill="#1d2732" {FONT}'
        parts.append(f'<text class="rank" x="4" y="{(7 - i) * 100 + 22}" {style}>{i + 1}</text>')
        parts.append(f'<text class="file" x="{i * 100 + 97}" y="794" text-anchor="end" {style}>{"abcdefgh"[i]}</text>')
    return "".join([*parts, *marks, "</svg>"])


def board_svg(position: Any, arrows: Iterable[tuple[int, int]] = (), marked: Iterable[int] = (), *, hanging: bool = False,
              label: Optional[str] = None) -> str:
    """Draw a board as SVG, White below.

    Parameters
    ----------
    position
        A Position, a FEN, a board of python-chess, or one record of an array.
    arrows : iterable of (int, int)
        From square to square, 0 to 63, numbered in their order, in the colors of the pieces that stand there.
    marked : iterable of int
        Squares with a frame.
    hanging : bool
        True: a ring around each piece that the other side wins something for if it is its turn, with its value, as maps() finds
        it. The ring is dashed if it is not that side's turn. Notebooks show a Position so.
    label : str, optional
        What screen readers say. None: the FEN.

    Returns
    -------
    str

    Examples
    --------
    >>> sb.board_svg("4k3/8/8/8/8/8/4P3/4K3 w - -", arrows=[(12, 28)]).startswith("<svg")
    True
    """
    known = _core.Position(position)
    marks = hanging_marks(known) if hanging else []
    pairs = []
    for pair in arrows:
        if isinstance(pair, str) or not hasattr(pair, "__iter__") or len(squares := tuple(pair)) != 2:
            raise TypeError(f"arrows have {described(pair)}, expected pairs of squares from 0 to 63: (12, 28) is e2 to e4")
        begin, end = (whole(square, "a square of arrows", 0, 63) for square in squares)
        pairs.append((begin, end, int(known.board[begin].islower())))
    marked = [whole(square, "a square of marked", 0, 63) for square in marked]
    marks += [arrow(begin, end, color) for begin, end, color in reversed(pairs)]
    marks += [disc(begin, color, str(i + 1)) for i, (begin, _, color) in enumerate(pairs)]
    return draw(known, label or known.fen, marks, marked)


def position_svg(position: Any) -> str:
    """A Position in a notebook."""
    return board_svg(position, hanging=True)
