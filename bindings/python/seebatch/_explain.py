"""An exchange in sentences, and as a picture in notebooks."""
from __future__ import annotations

import html
from typing import Any, Literal, NamedTuple, get_args

from . import _core
from ._arrays import Rules, Values
from ._svg import board_svg


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


def explain(position: Any, move: Any, rules: Rules = "legal", piece_values: Values = None) -> Explanation:
    """The exchange that a move begins, step by step: who captures, what each side gets, and who may not capture.

    position: a Position, a FEN, a chess.Board of python-chess, or one record of an array. move: a str in UCI notation
    or SAN, an int of 16 bits, or a chess.Move.
    Raises Error as see() does.
    """
    position = _core.Position(position)
    return Explanation(position, _core.trace(position, move, rules, piece_values))
