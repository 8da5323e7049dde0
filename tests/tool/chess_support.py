"""A plain chess board for the tests of file formats: it shares nothing with the library, neither code nor representation.

A board is a list of 64 letters, '.' where it is empty. A move is (from, to, promotion), promotion 'n', 'b', 'r', 'q' or
None; castling is the king going to its own rook. Everything is found by walking from square to square.
"""
import re
from dataclasses import dataclass
from itertools import chain

KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def name(square):
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def number(text):
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


def step(square, by):
    """The square a step away, or None off the board."""
    file, rank = square % 8 + by[0], square // 8 + by[1]
    return file + 8 * rank if 0 <= file < 8 and 0 <= rank < 8 else None


def walk(square, by):
    square = step(square, by)
    while square is not None:
        yield square
        square = step(square, by)


def odd(board, move):
    """What formats write in ways of their own, and double steps, behind which there may be an en passant square."""
    return board.castles(move) or board.is_ep(move) or move[2] is not None or \
        (board.at[move[0]].lower() == "p" and abs(move[0] - move[1]) == 16)


class Board:
    """Pieces, side to move, rooks that may castle (by square), en passant square, clocks."""

    def __init__(self, fen=START):
        words = fen.split()
        rows = re.sub(r"\d", lambda digit: "." * int(digit[0]), words[0]).split("/")
        self.at = [c for row in reversed(rows) for c in row]
        self.white = words[1] == "w"
        self.shredder = False
        self.rooks = {self._rook(c) for c in words[2] if c != "-"}
        self.ep = None if words[3] == "-" else number(words[3])
        self.clock = int(words[4]) if len(words) > 4 else 0
        self.number = int(words[5]) if len(words) > 5 else 1

    def _rook(self, c):
        """The rook that a letter of the castling field means: the outermost on its side, or that of a file."""
        home, rook = (0, "R") if c.isupper() else (56, "r")
        king = self.at.index("K" if c.isupper() else "k")
        if c.upper() == "K":
            return max(s for s in range(king, home + 8) if self.at[s] == rook)
        if c.upper() == "Q":
            return min(s for s in range(home, king) if self.at[s] == rook)
        self.shredder = True
        return home + "ABCDEFGH".index(c.upper())

    def copy(self):
        other = object.__new__(Board)
        other.__dict__.update(self.__dict__)
        other.at, other.rooks = self.at[:], set(self.rooks)
        return other

    # ---- Pieces and attacks ----

    def own(self, square):
        return self.at[square] != "." and self.at[square].isupper() == self.white

    def enemy(self, square):
        return self.at[square] != "." and self.at[square].isupper() != self.white

    def king(self, white):
        return self.at.index("K" if white else "k")

    def attacked(self, square, by_white):
        down = -1 if by_white else 1
        near = ((step(square, by), kind) for steps,
                kind in ((KNIGHT, "n"), (STRAIGHT + DIAGONAL, "k"), ([(1, down), (-1, down)], "p"))
                for by in steps)
        far = ((next((s for s in walk(square, line) if self.at[s] != "."), None), kinds)
               for lines, kinds in ((STRAIGHT, "rq"), (DIAGONAL, "bq")) for line in lines)
        return any(s is not None and self.at[s].lower() in kinds and self.at[s].isupper() == by_white for s,
                   kinds in chain(far, near))

    def in_check(self):
        return self.attacked(self.king(self.white), not self.white)

    def is_sound(self):
        """Kings, pawns, who is in check, and the en passant square; not the rights to castle."""
        if sorted(p for p in self.at if p in "Kk") != ["K", "k"] or any(self.at[s] in "Pp" for s in [*range(8),
                                                                                                     *range(56, 64)]):
            return False
        up, pawn = (8, "p") if self.white else (-8, "P")
        return not self.attacked(self.king(not self.white), self.white) and (self.ep is None or (
            0 <= self.ep < 64 and self.ep // 8 == (5 if self.white else 2) and
            (self.at[self.ep], self.at[self.ep + up], self.at[self.ep - up]) == (".", ".", pawn)))

    def targets(self, square):
        """Where the piece goes, ascending, pins, checks and castling left aside; promotions are one target."""
        kind, found = self.at[square].lower(), []
        if kind == "p":
            up = 1 if self.white else -1
            for side in (-1, 1):
                target = step(square, (side, up))
                if target is not None and (self.enemy(target) or target == self.ep):
                    found.append(target)
            one = step(square, (0, up))
            if one is not None and self.at[one] == ".":
                found.append(one)
                if square // 8 == (1 if self.white else 6) and self.at[one + 8 * up] == ".":
                    found.append(one + 8 * up)
        elif kind in "nk":
            found = [t for t in (step(square, by) for by in (KNIGHT if kind == "n" else STRAIGHT + DIAGONAL))
                     if t is not None and not self.own(t)]
        else:
            for line in (STRAIGHT if kind == "r" else DIAGONAL if kind == "b" else STRAIGHT + DIAGONAL):
                for target in walk(square, line):
                    if not self.own(target):
                        found.append(target)
                    if self.at[target] != ".":
                        break
        return sorted(found)

    # ---- Moves ----

    def castles(self, move):
        return self.at[move[0]].lower() == "k" and self.own(move[1])

    def is_ep(self, move):
        return self.at[move[0]].lower() == "p" and move[1] == self.ep and self.at[move[1]] == "." \
            and move[0] % 8 != move[1] % 8

    def is_capture(self, move):
        return not self.castles(move) and (self.at[move[1]] != "." or self.is_ep(move))

    def play(self, move, ep_rule):
        """Plays a move. ep_rule: 'always', 'beside' (a pawn that could take, pinned or not) or 'legal'."""
        source, target, promotion = move
        piece, capture, castles = self.at[source], self.is_capture(move), self.castles(move)
        home = 0 if self.white else 56
        if castles:
            rook = self.at[target]
            self.at[source] = self.at[target] = "."
            self.at[home + (6 if target > source else 2)] = piece
            self.at[home + (5 if target > source else 3)] = rook
        else:
            if self.is_ep(move):
                self.at[target + (-8 if self.white else 8)] = "."
            self.at[source] = "."
            self.at[target] = piece if promotion is None else promotion.upper() if self.white else promotion
        self.rooks -= {source, target}
        if piece.lower() == "k":
            self.rooks = {s for s in self.rooks if s // 8 != home // 8}
        self.clock = 0 if capture or piece.lower() == "p" else self.clock + 1
        self.number += not self.white
        self.white = not self.white
        self.ep = (source + target) // 2 if piece.lower() == "p" and abs(source - target) == 16 else None
        if self.ep is not None and ep_rule != "always" and not self.can_take_ep(ep_rule == "legal"):
            self.ep = None

    def can_take_ep(self, legal=True):
        down = -1 if self.white else 1
        for side in (-1, 1):
            source = step(self.ep, (side, down))
            if source is not None and self.at[source] == ("P" if self.white else "p"):
                if not legal or self.leaves_king_safe((source, self.ep, None)):
                    return True
        return False

    def leaves_king_safe(self, move):
        after = self.copy()
        after.play(move, "always")
        return not after.attacked(after.king(self.white), not self.white)

    def may_castle(self, king, rook):
        home = 0 if self.white else 56
        king_to, rook_to = home + (6 if rook > king else 2), home + (5 if rook > king else 3)
        path = range(min(king, king_to), max(king, king_to) + 1)
        between = set(path) | set(range(min(rook, rook_to), max(rook, rook_to) + 1))
        return (all(self.at[s] == "." or s in (king, rook) for s in between) and
                not any(self.attacked(s, not self.white) for s in path if s != rook) and
                self.leaves_king_safe((king, rook, None)))

    def moves_of(self, square):
        """Legal moves of a piece, castling included."""
        last = 7 if self.white else 0
        promotes = self.at[square].lower() == "p"
        found = [(square, t, p) for t in self.targets(square)
                 for p in ("nbrq" if promotes and t // 8 == last else [None])]
        found = [move for move in found if self.leaves_king_safe(move)]
        if self.at[square].lower() == "k":
            found += [(square, rook, None) for rook in self.rooks
                      if self.own(rook) and not self.in_check() and self.may_castle(square, rook)]
        return found

    def legal(self):
        return [move for square in range(64) if self.own(square) for move in self.moves_of(square)]

    def is_legal(self, move):
        return self.own(move[0]) and move in self.moves_of(move[0])

    def random_move(self, chance, prefer=None):
        """A legal move at random; mostly one that prefer() is true of, if there is one among some pieces looked at."""
        squares = [s for s in range(64) if self.own(s)]
        chance.shuffle(squares)
        found = []
        for square in squares:
            found += self.moves_of(square)
            liked = [move for move in found if prefer is not None and prefer(self, move)]
            if liked and chance.random() < 0.8:
                return chance.choice(liked)
            if found and (prefer is None or len(found) > 12):
                break
        return chance.choice(found) if found else None

    # ---- Text ----

    def uci(self, move):
        """As the library writes it: e1g1 where king and rook stand as usual and the FEN has KQkq."""
        source, target, promotion = move
        if self.castles(move) and not self.shredder and source % 8 == 4 and target % 8 in (0, 7):
            target = target - target % 8 + (6 if target > source else 2)
        return name(source) + name(target) + (promotion or "")

    def move(self, text):
        source, target = number(text[:2]), number(text[2:4])
        if self.at[source].lower() == "k" and abs(source % 8 - target % 8) > 1 and not self.own(target):
            target = (max if target > source else min)(rook for rook in self.rooks if rook // 8 == source // 8)
        return source, target, text[4:] or None

    def san(self, move):
        source, target, promotion = move
        piece = self.at[source].upper()
        if self.castles(move):
            text = "O-O" if target > source else "O-O-O"
        elif piece == "P":
            text = (name(source)[0] + "x" if self.is_capture(move) else "") + name(target)
            text += "=" + promotion.upper() if promotion else ""
        else:
            others = [s for s in range(64) if s != source and self.at[s] == self.at[source] and
                      target in self.targets(s) and self.leaves_king_safe((s, target, None))]
            same_file, same_rank = (any(of(s) == of(source) for s in others) for of in (lambda s: s % 8,
                                                                                        lambda s: s // 8))
            text = piece + (name(source)[0] if others and (same_rank or not same_file) else "") + (name(source)[1] if same_file else "")
            text += ("x" if self.is_capture(move) else "") + name(target)
        after = self.copy()
        after.play(move, "always")
        return text + (("+" if after.legal() else "#") if after.in_check() else "")

    def placement(self):
        rows = ["".join(self.at[first:first + 8]) for first in range(56, -1, -8)]
        return re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))

    def castling(self):
        text = ""
        for home, king in ((0, "K"), (56, "k")):
            for rook in sorted((s for s in self.rooks if s // 8 == home // 8), reverse=True):
                if self.shredder:
                    letter = "ABCDEFGH"[rook % 8]
                else:
                    letter = "K" if rook > self.king(home == 0) else "Q"
                text += letter if home == 0 else letter.lower()
        return text or "-"

    def fen(self):
        return " ".join([self.placement(), "w" if self.white else "b", self.castling(),
                         "-" if self.ep is None else name(self.ep), str(self.clock), str(self.number)])


@dataclass
class Row:
    """What a file says of a position: score and result are White's, the result 0 (black wins), 1 or 2."""
    fen: str
    move: str = None
    score: int = None
    result: int = None
    ply: int = None

    def sign(self):
        """What turns a number of White's into one of the side to move."""
        return 1 if self.fen.split()[1] == "w" else -1
