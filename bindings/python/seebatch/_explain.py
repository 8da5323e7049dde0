"""An exchange in sentences, and as a picture in notebooks."""
from __future__ import annotations

import html
from typing import Any, Literal, NamedTuple, get_args

from . import _core
from ._svg import board_svg
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

    def _repr_svg_(self) -> str:
        """The board: an arrow for each capture, the first one darkest."""
        target = self.move >> 6 & 63
        arrows = [(capture.from_square, target) for capture in self.captures] or [(self.move & 63, target)]
        return board_svg(self.position, arrows=arrows, marked=[target])

    def _repr_html_(self) -> str:
        return (f'<div style="display:flex;gap:1em"><div>{self._repr_svg_()}</div>'
                f"<pre>{html.escape(self.text)}</pre></div>")


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
