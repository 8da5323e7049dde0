"""An exchange in sentences, and as a picture in notebooks."""
from __future__ import annotations

import html
from typing import Any, Literal, NamedTuple, get_args

from . import _core
from ._svg import arrow, disc, draw, refusal
from .typing import OneMove, OnePosition, PieceValues, Rules


# Why a piece may not capture: "pinned" or "in-check" (legal chess); "guarded" (a king, and the square is attacked);
# "pin-rule" and "other-pin" (Stockfish's rules: its pinner stands, or one of another piece); "off-pin", "pinner-left",
# "other-pinner" and "before-enemy" (rules in which pieces capture along their pins).
# Made by scripts/manual: refusals
Reason = Literal["pin-rule", "other-pin", "pinned", "in-check", "guarded", "off-pin", "pinner-left", "other-pinner",
                 "before-enemy"]
# Up to here by scripts/manual
REASONS: tuple[Reason, ...] = get_args(Reason)


class Capture(NamedTuple):
    """One capture of an exchange. Pieces are 0 pawn to 5 king; colors 0 White, 1 Black."""

    from_square: int
    color: int
    piece: int
    stays: int  # what then stands on the square: the piece, or what a pawn became
    gain: int  # the balance for this capture's side if the exchange ends with it
    best: int  # what this capture's side gets when both play on or stop as is best for them


class Refusal(NamedTuple):
    """A piece that attacks the square and may not capture."""

    step: int  # index of the capture that it would have made
    from_square: int
    color: int
    piece: int
    reason: Reason
    by: int  # the square of the piece that is the reason


class Explanation:
    """What explain() found. str() is the text; notebooks show a board beside it.

    position: a Position. move: 16 bits. value: as see() says it. text: all of it in sentences.
    captures: a Capture for each, until a side cannot capture; none where the rules give the move a value of its own.
    refusals: a Refusal for each piece that attacks the square and may not capture.
    """

    def __init__(self, position: _core.Position, row: tuple[Any, ...]):
        self.move: int
        self.value: int
        self.text: str
        self.move, self.value, self.text, captures, refusals = row
        self.position = position
        self.captures = [Capture(*capture) for capture in captures]
        self.refusals = [Refusal(step, square, color, piece, REASONS[reason], by)
                         for step, square, color, piece, reason, by in refusals]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Explanation: {_core.uci(self.move)} is worth {self.value}>"

    def _stop(self) -> int:
        """The number of captures that are made if each side stops when that is better for it."""
        for i in range(1, len(self.captures)):
            if self.captures[i].best <= -self.captures[i - 1].gain:
                return i
        return len(self.captures)

    def _repr_svg_(self) -> str:
        """The board: a numbered arrow for each capture, in the colors of the sides; dashed from where a side stops. A
        dotted line is what forbids a piece to capture."""
        target, stop = self.move >> 6 & 63, self._stop()
        steps = [(capture.from_square, capture.color) for capture in self.captures] or [(self.move & 63, self.position.stm)]
        lines = [refusal(self.position, target, *refused[1:]) for refused in self.refusals]
        marks = [line for line, _ in lines]
        marks += [arrow(square, target, color, i < max(1, stop)) for i, (square, color) in enumerate(steps)][::-1]
        marks += [disc(square, color, str(i + 1)) for i, (square, color) in enumerate(steps)]
        marks += [mark for _, mark in lines]
        return draw(self.position, repr(self)[1:-1], marks, [target])

    def _repr_html_(self) -> str:
        """The picture, and beside it, or below it where there is no room, the sentences without the board in letters."""
        sentences = self.text.split("\n\n", 1)[1]
        return (f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start"><div>{self._repr_svg_()}</div>'
                f'<pre style="flex:1 1 48em;min-width:0;margin:0;white-space:pre-wrap;word-break:normal;'
                f'overflow-wrap:break-word;font-family:ui-monospace,monospace;font-size:0.85em;text-align:left;color:inherit;background:none">{html.escape(sentences)}</pre></div>')


def explain(position: OnePosition, move: OneMove, rules: Rules = "legal", piece_values: PieceValues = None) -> Explanation:
    """Explain the exchange that a move begins, step by step: who captures, what each side gets, and who may not capture.

    Parameters
    ----------
    position, move, rules, piece_values
        As in see().

    Returns
    -------
    Explanation

    Raises
    ------
    Error, TypeError
        As see() does.

    Examples
    --------
    >>> told = sb.explain("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "Nxe5", rules="swap")
    >>> told.value, len(told.captures)
    (-225, 6)
    """
    known = _core.Position(position)
    return Explanation(known, _core.trace(known, move, rules, piece_values))
