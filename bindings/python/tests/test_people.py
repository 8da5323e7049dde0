"""What people read: sentences, pictures; and boards of python-chess, of which Debian has none: a stand-in is used."""
import re
import typing
import xml.dom.minidom
from types import SimpleNamespace

import pytest
import seebatch as sb
from conftest import PROJECT, listed

FEN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1"


class Board:
    """As much of chess.Board as the module looks at: an empty one, and one of a FEN."""

    uci_variant = "chess"

    def __init__(self, fen, chess960=False):
        assert fen is None
        self.chess960, self.ep_square = chess960, None

    @classmethod
    def of(cls, fen):
        board = cls(None)
        pieces, turn, castling, passed, halfmoves, number = fen.split()
        ranks = [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank) for rank in reversed(pieces.split("/"))]
        squares = "".join(ranks)
        sets = [sum(1 << i for i, letter in enumerate(squares) if letter in both)
                for both in ("Pp", "Nn", "Bb", "Rr", "Qq", "Kk")]
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = sets
        board.occupied_co = [sum(1 << i for i, letter in enumerate(squares) if test(letter))
                             for test in (str.islower, str.isupper)]
        board.occupied, board.turn = sum(board.occupied_co), turn == "w"
        board.castling_rights = sum(1 << {"K": 7, "Q": 0, "k": 63, "q": 56}[c] for c in castling if c != "-")
        board.ep_square = None if passed == "-" else "abcdefgh".index(passed[0]) + 8 * int(passed[1]) - 8
        board.halfmove_clock, board.fullmove_number = int(halfmoves), int(number)
        return board


def test_a_reader_is_true_and_becomes_a_list():
    """Although it has no length, of which list() asks first."""
    reader = sb.open(data=f"{FEN}\n".encode(), format="fen")
    assert reader and len(list(reader)) == 1 and not list(reader)


def test_a_stand_in_for_python_chess(fens):
    """The real package is tried in test_python_chess."""
    pos = sb.from_fen(fens)[0]
    boards = [Board.of(fen) for fen in fens]
    assert len(fens) == 2000 and listed(sb.from_python_chess(iter(boards))) == listed(pos)
    assert list(map(vars, sb.to_python_chess(pos, Board))) == list(map(vars, boards))
    move = SimpleNamespace(from_square=12, to_square=28, promotion=None, drop=None)
    start = Board.of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert sb.see(start, move) == 0 and sb.explain(start, move).move == 12 | 28 << 6
    numbers = sb.moves_from_python_chess([move, SimpleNamespace(from_square=52, to_square=60, promotion=5, drop=None)])
    assert listed(numbers) == [12 | 28 << 6, 52 | 60 << 6 | 4 << 12]
    assert sb.moves_to_python_chess(numbers, lambda *fields: fields) == [(12, 28, None), (52, 60, 5)]


@pytest.mark.parametrize("attribute, value, sentence", [
    ("pawns", -1, "board 1: pawns is -1, expected a number from 0 to 18446744073709551615"),
    ("pawns", 1 << 64, "board 1: pawns is 18446744073709551616, expected"),
    ("pawns", 1.5, "board 1: pawns is 1.5, expected"),
    ("queens", 1, "board 1: the board's bitboards do not agree"),
    ("occupied_co", [0, 0], "board 1: the board's bitboards do not agree"),
    ("kings", 0, "board 1: the board's bitboards do not agree"),
    ("turn", 2, "board 1: turn is 2, expected a number from 0 to 1"),
    ("ep_square", 64, "board 1: ep_square is 64, expected None or a number from 0 to 63"),
    ("ep_square", 0, "board 1: "),
    ("halfmove_clock", 65536, "board 1: halfmove_clock is 65536, expected a number from 0 to 65535"),
    ("uci_variant", None, "board 1: the board is of the variant None, expected 'chess'"),
])
def test_boards_that_are_none(fens, attribute, value, sentence):
    board = Board.of(fens[0])
    setattr(board, attribute, value)
    with pytest.raises(sb.Error, match=re.escape(sentence)):
        sb.from_python_chess([Board.of(fens[0]), board])


def test_objects_that_are_none(fens):
    board = Board.of(fens[0])
    assert listed(sb.maps(board)) == listed(sb.maps(sb.from_fen(fens[:1])[0]))
    with pytest.raises(TypeError, match="expected FENs .*seebatch.POSITION.* a Position or board of python-chess"):
        sb.values(5, [0])
    del board.turn
    with pytest.raises(TypeError, match="board 0: an object of .* has no attribute turn, expected a chess.Board"):
        sb.maps(board)
    with pytest.raises(TypeError, match="board 0: an object of .* has no attribute turn, expected a chess.Board"):
        sb.from_python_chess(board)
    with pytest.raises(TypeError, match="has no attribute turn, expected a chess.Board"):
        sb.see(board, "e2e4")
    with pytest.raises(TypeError, match="move 0: .* has no attribute from_square, expected a chess.Move"):
        sb.moves_from_python_chess([board])
    with pytest.raises(ZeroDivisionError):
        sb.from_python_chess(1 // 0 for _ in fens)


def test_the_mark_of_what_passes_any_threshold():
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"
    assert sb.see(*castling, "swap,castling=always") == sb.ALWAYS == 32767 and sb.see(*castling, "swap") == 0


def classed(svg, name):
    return [each for each in svg.getElementsByTagName("*") if each.getAttribute("class") == name]


def text_of(element):
    return "".join(node.data for each in element.getElementsByTagName("text") for node in each.childNodes)


def test_pictures_of_positions():
    """Pieces are shapes of the page's drawing, letters and numbers the only text; what hangs is what maps() finds."""
    fen = "1k1r4/1pp4p/p7/4p3/3N4/P5P1/1PP4P/2K1R3 w - - 0 1"
    svg = xml.dom.minidom.parseString(sb.Position(fen)._repr_svg_())
    assert svg.toxml() == xml.dom.minidom.parseString(sb.board_svg(fen, hanging=True)).toxml()
    shapes = {each.getAttribute("id"): each for each in svg.getElementsByTagName("g") if each.hasAttribute("id")}
    assert {f"seebatch-piece-{letter}" for letter in fen.split()[0] if letter.isalpha()} == set(shapes)
    assert {use.getAttribute("href")[1:] for use in svg.getElementsByTagName("use")} == set(shapes)
    assert all(each.getElementsByTagName("path") and not each.getElementsByTagName("text") for each in shapes.values())
    white, black = sb.maps(fen).tolist()[0] if hasattr(sb.maps(fen), "tolist") else memoryview(sb.maps(fen)).tolist()[0]
    expected = [(f"{color}'s {piece} on {square} hangs: {other} {wins} {value}")
                for color, piece, square, other, wins, value in
                (("White", "knight", "d4", "Black", "would win", black[27]), ("Black", "pawn", "e5", "White", "wins", white[36]))]
    assert black[27] == 325 and white[36] == 100
    assert [title.firstChild.data for title in svg.getElementsByTagName("title")] == expected
    assert [text_of(each) for each in classed(svg, "badge")] == ["325", "100"]
    assert [bool(each.getAttribute("stroke-dasharray")) for each in classed(svg, "ring")] == [True, False]
    assert "class=\"ring\"" not in sb.board_svg(fen) and len(classed(xml.dom.minidom.parseString(sb.board_svg(fen, [(4, 36)], [36])), "arrow")) == 1


def test_explanations():
    told = sb.explain(FEN, "Nxe5")
    assert told.value == -225 and "Value: -225" in str(told) and "d3e5" in repr(told)
    assert [(c.from_square, c.gain) for c in told.captures[:2]] == [(19, 100), (51, 225)]
    svg = xml.dom.minidom.parseString(told._repr_svg_())
    arrows = classed(svg, "arrow")
    assert [arrow.hasAttribute("stroke-dasharray") for arrow in arrows] == [True] * 4 + [False] * 2  # White stops after two
    assert [text_of(each) for each in classed(svg, "disc")] == list("123456") and len(classed(svg, "target")) == 1
    assert len(svg.getElementsByTagName("use")) == sum(c.isalpha() for c in FEN.split()[0])
    page = told._repr_html_()
    assert page.count("<svg") == 1 and "Swap list" in page and "a  b  c  d" in str(told) and "a  b  c  d" not in page
    pinned = sb.explain("4r1k1/8/8/4n3/8/8/4N3/4K3 w - - 0 1", "Kd1")
    assert pinned.captures and not pinned.refusals
    (refusal,) = sb.explain("3k4/8/8/3p4/4n3/8/8/3RR1K1 w - -", "e1e4").refusals
    assert (refusal.from_square, refusal.reason, refusal.by) == (35, "pinned", 3)
    assert refusal.reason in typing.get_args(sb.Reason)
    svg = xml.dom.minidom.parseString(sb.explain("3k4/8/8/3p4/4n3/8/8/3RR1K1 w - -", "e1e4")._repr_svg_())
    (reason,) = classed(svg, "reason")
    assert [reason.getAttribute(name) for name in ("x1", "y1", "x2", "y2")] == ["350", "750", "350", "50"]  # d1 to d8
    assert 'class="arrow"' in sb.explain("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O")._repr_svg_()


def test_version_and_documents():
    header = (PROJECT / "include/seebatch.h").read_text()
    assert re.search(r'#define SEEBATCH_VERSION "(.*)"', header)[1] == sb.__version__
    for name in sb.__all__:
        thing = getattr(sb, name)
        assert name in ("POSITION", "Reason", "RuleSet") or thing.__doc__, f"{name} has no docstring"
    assert list(typing.get_args(sb.RuleSet)) == sb.rule_sets()
    stubs = (PROJECT / "bindings/python/seebatch/_core.pyi").read_text()
    from seebatch import _core
    stubbed = set(re.findall(r"^(?:def|class) (\w+)", stubs, re.MULTILINE)) | {"ALWAYS", "version"}
    assert stubbed == {name for name in dir(_core) if not name.startswith("_")}
