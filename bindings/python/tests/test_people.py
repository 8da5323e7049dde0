"""What people read: sentences, pictures; and boards of python-chess, of which Debian has none: a stand-in is used."""
import re
import xml.dom.minidom
from types import SimpleNamespace

import pytest
import seebatch as sb
from conftest import PROJECT, listed

FEN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"


class Board:
    """As much of chess.Board as the module looks at, filled in from a FEN square by square."""

    def __init__(self, fen, chess960=False):
        pieces, turn, castling, passed, halfmoves, number = fen.split()
        sets = dict.fromkeys("pnbrqk", 0)
        self.occupied_co = [0, 0]
        for rank, row in enumerate(pieces.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                    continue
                bit = 1 << (7 - rank) * 8 + file
                sets[letter.lower()] |= bit
                self.occupied_co[letter.isupper()] |= bit
                file += 1
        self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings = sets.values()
        self.turn, self.chess960 = turn == "w", chess960
        self.ep_square = None if passed == "-" else "abcdefgh".index(passed[0]) + 8 * int(passed[1]) - 8
        self.halfmove_clock, self.fullmove_number = int(halfmoves), int(number)
        self._rights, self.fen = castling, fen

    def clean_castling_rights(self):
        corners = {"K": 7, "Q": 0, "k": 63, "q": 56}
        return sum(1 << (corners[c] if c in corners else ord(c.lower()) - 97 + (0 if c.isupper() else 56))
                   for c in self._rights if c != "-")


def test_python_chess(fens):
    usual = [fen for fen in fens if re.match(r"\S+ \S+ [KQkq-]+ ", fen)]
    pos = sb.from_fen(usual)[0]
    assert len(usual) > 1000 and listed(sb.from_python_chess(map(Board, usual))) == listed(pos)
    boards = sb.to_python_chess(pos, Board)
    assert [board.fen for board in boards] == usual and not any(board.chess960 for board in boards)
    fischer = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = Board(fischer, chess960=True)
    assert listed(sb.from_python_chess(board)) == listed(sb.from_fen([fischer])[0])
    assert sb.to_python_chess(sb.from_python_chess(board), Board)[0].chess960 is True
    with pytest.raises(sb.Error, match="position 1"):
        sb.from_python_chess([board, Board("8/8/8/8/8/8/8/8 w - - 0 1")])
    moves = [SimpleNamespace(from_square=12, to_square=28, promotion=None),
             SimpleNamespace(from_square=52, to_square=60, promotion=5)]
    numbers = sb.moves_from_python_chess(moves)
    assert listed(numbers) == [12 | 28 << 6, 52 | 60 << 6 | 4 << 12]
    back = sb.moves_to_python_chess(numbers, lambda *fields: fields)
    assert back == [(12, 28, None), (52, 60, 5)]


def test_explanations():
    told = sb.explain(FEN, "Nxe5")
    assert told.value == -225 and "Value: -225" in str(told) and "d3e5" in repr(told)
    assert [(c.from_square, c.gain) for c in told.captures[:2]] == [(19, 100), (51, 225)]
    svg = xml.dom.minidom.parseString(told._repr_svg_())
    assert len(svg.getElementsByTagName("rect")) == 64 and len(svg.getElementsByTagName("line")) == len(told.captures)
    assert len(svg.getElementsByTagName("text")) == sum(c.isalpha() for c in FEN.split()[0])
    page = told._repr_html_()
    assert "<svg" in page and "Swap list" in page
    pinned = sb.explain("4r1k1/8/8/4n3/8/8/4N3/4K3 w - - 0 1", "Kd1")
    assert pinned.captures and not pinned.refusals
    assert "<line" in sb.explain("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O")._repr_svg_()


def test_version_and_documents():
    header = (PROJECT / "include/seebatch.h").read_text()
    assert re.search(r'#define SEEBATCH_VERSION "(.*)"', header)[1] == sb.__version__
    for name in sb.__all__:
        thing = getattr(sb, name)
        assert name == "POSITION" or thing.__doc__, f"{name} has no docstring"
    stubs = (PROJECT / "bindings/python/seebatch/_core.pyi").read_text()
    from seebatch import _core
    stubbed = set(re.findall(r"^(?:def|class) (\w+)", stubs, re.MULTILINE)) | {"version"}
    assert stubbed == {name for name in dir(_core) if not name.startswith("_")}
