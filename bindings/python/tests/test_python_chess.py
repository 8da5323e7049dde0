"""Boards and moves of python-chess, with the real package; skipped where it is not."""
import random

import pytest
import seebatch as sb
from conftest import listed

chess = pytest.importorskip("chess", reason="python-chess is not here: scripts/test packages has it")
import chess.pgn  # noqa: E402
import chess.variant  # noqa: E402

ROOK_AND_KING_ELSEWHERE = "r1k1r3/8/8/8/8/8/8/R1K1R3 w EAea - 0 1"


def games(number, plies, chess960):
    """Boards on which random moves were made."""
    draw = random.Random(number)
    for _ in range(number):
        board = chess.Board.from_chess960_pos(draw.randrange(960)) if chess960 else chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(draw.choice(moves))
            yield board


def fen_of(board):
    """As to_fen() writes it: en passant after every double step, castling by rooks' files in Chess960."""
    return board.fen(shredder=board.chess960, en_passant="fen")


def test_boards_of_fens(fens):
    boards = [chess.Board(fen) for fen in fens]
    pos = sb.from_python_chess(boards)
    assert listed(pos) == listed(sb.from_fen(fens)[0])
    back = sb.to_python_chess(pos)
    assert back == boards and [board.fen() for board in back] == [board.fen() for board in boards]
    assert all(board.is_valid() and board.occupied == board.occupied_co[0] | board.occupied_co[1] for board in back)
    assert sb.to_python_chess(sb.Position(fens[0])) == boards[:1]


@pytest.mark.parametrize("chess960", [False, True])
def test_boards_that_move_on(chess960):
    """One object, read at each step; every right to castle that a game loses, and every double step."""
    pos = sb.from_python_chess(games(40, 80, chess960))
    texts = [fen_of(board) for board in games(40, 80, chess960)]
    assert len(texts) > 2000 and any(" KQkq " in text or " w - " not in text for text in texts)
    expected = sb.from_fen(texts)[0]
    if chess960:  # a FEN without rights has no place for it
        assert sb.to_fen(pos) == sb.to_fen(expected) and set(listed(pos)[38::48]) == {1}
    else:
        assert listed(pos) == listed(expected)
    for board, back in zip(games(40, 80, chess960), sb.to_python_chess(pos)):
        assert back == board and back.chess960 == board.chess960 and back.fen() == board.fen()


@pytest.mark.parametrize("chess960", [False, True])
def test_legal_moves_and_values(chess960):
    castled = 0
    for board in games(15, 60, chess960):
        pos = sb.from_python_chess(board)
        moves, off = sb.legal_moves(pos)
        legal = list(board.legal_moves)
        assert set(sb.moves_to_python_chess(moves)) == set(legal)
        castled += any(board.is_castling(move) for move in legal)
        numbers = sb.moves_from_python_chess(legal)
        worth = sb.values(pos, numbers, [0, len(legal)], "stockfish")
        assert [sb.see(board, move, "stockfish") for move in legal] == worth.tolist()
    assert castled > 5


def test_arrays_take_boards_and_moves():
    """One board is one position, a list of them as many; moves, too. The answers are those of arrays."""
    boards, moves = [], []
    for board in games(10, 30, False):
        legal = list(board.legal_moves)
        if legal:
            boards.append(board.copy(stack=False))
            moves.append(legal[0])
    pos, numbers = sb.from_python_chess(boards), sb.moves_from_python_chess(moves)
    for these, those in ((boards, moves), (tuple(boards), tuple(moves))):
        assert listed(sb.values(these, those, None, "swap")) == listed(sb.values(pos, numbers, None, "swap"))
        assert listed(sb.maps(these)) == listed(sb.maps(pos)) and sb.to_fen(these) == sb.to_fen(pos)
        assert sb.moves_to_text(these, those, None, "san") == sb.moves_to_text(pos, numbers, None, "san")
        assert listed(sb.filter(these, "quiet", moves=those)) == listed(sb.filter(pos, "quiet", moves=numbers))
    one, (all_moves, _) = boards[5], sb.legal_moves(boards[5])
    assert sb.moves_to_python_chess(all_moves) == sb.moves_to_python_chess(sb.legal_moves(pos[5:6])[0])
    assert listed(sb.ge(one, moves[5], None, 0)) == listed(sb.ge(pos[5:6], numbers[5:6], None, 0))
    assert sb.to_fen(sb.take(boards, [5])) == sb.to_fen(one) == sb.to_fen(sb.checked(one))
    with pytest.raises(sb.Error, match="position 1: .* of the variant 'atomic'"):
        sb.maps([one, chess.variant.AtomicBoard()])
    with pytest.raises(TypeError, match="position 1 is 5, an int, expected a FEN, a Position, or a board"):
        sb.maps([one, 5])
    with pytest.raises(sb.Error, match="move 1: 0000 is a null move"):
        sb.values(boards[:2], [moves[0], chess.Move.null()])
    with pytest.raises(sb.Error, match="move 0"):
        sb.values(one, chess.Move.from_uci("a1h8"))


def test_castling_in_either_form():
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for board in (chess.Board(fen), chess.Board(fen, chess960=True)):
        for move in ("e1g1", "e1h1", "e1c1", "e1a1"):
            assert sb.see(board, chess.Move.from_uci(move)) == 0


def test_castling_rights_that_nobody_has(fens):
    """Whatever stands in castling_rights: what clean_castling_rights() makes of it."""
    draw, seen = random.Random(1), set()
    for fen in fens[:500] + [ROOK_AND_KING_ELSEWHERE, "rr2kr1r/8/8/8/8/8/8/RR2KR1R w KQkq - 0 1"] * 50:
        for chess960 in (False, True):
            board = chess.Board(fen, chess960=chess960)
            some = draw.getrandbits(64)
            board.castling_rights = draw.choice([chess.BB_CORNERS, some, board.rooks & some])
            clean = board.clean_castling_rights()
            back = sb.to_python_chess(sb.from_python_chess(board))[0]
            assert back.castling_rights == clean and back.chess960 == chess960
            seen.add(clean)
    assert len(seen) > 20


def test_castling_of_chess960_in_a_usual_fen():
    """X-FEN writes KQkq for rooks elsewhere: the board has to be of Chess960, or it would lose the rights."""
    (pos, _), = [sb.from_fen(["r1k1r3/8/8/8/8/8/8/R1K1R3 w KQkq - 0 1"])]
    (board,) = sb.to_python_chess(pos)
    assert board.chess960 and fen_of(board) == ROOK_AND_KING_ELSEWHERE
    assert set(sb.moves_to_python_chess(sb.legal_moves(pos)[0])) == set(board.legal_moves)


@pytest.mark.parametrize("variant", set(chess.variant.VARIANTS) - {chess.Board}, ids=lambda v: v.__name__)
def test_variants(variant):
    with pytest.raises(sb.Error, match=f"board 0: .* of the variant '{variant.uci_variant}', expected 'chess'"):
        sb.from_python_chess([variant()])
    with pytest.raises(sb.Error, match="variant"):
        sb.see(variant(), "e2e4")


def test_boards_that_are_none():
    with pytest.raises(TypeError, match="board 0: .*chess.BaseBoard'> has no attribute uci_variant"):
        sb.from_python_chess([chess.BaseBoard()])
    with pytest.raises(sb.Error, match="board 2: white has 0 kings"):
        sb.from_python_chess([chess.Board(), chess.Board(), chess.Board(None)])
    assert len(sb.from_python_chess([])) == 0
    own = type("Own", (chess.Board,), {})
    assert listed(sb.from_python_chess(own())) == listed(sb.from_python_chess(chess.Board()))
    assert type(sb.to_python_chess(sb.from_python_chess(own()), own)[0]) is own


@pytest.mark.parametrize("move, sentence", [("0000", "0000 is a null move"), ("N@e4", "N@e4 is a drop"),
                                            ("e2e5", "'e2e5' is not a legal move here")])
def test_moves_that_are_none(move, sentence):
    with pytest.raises(sb.Error, match=sentence):
        sb.see(chess.Board(), chess.Move.from_uci(move))
    if move != "e2e5":
        with pytest.raises(sb.Error, match=f"move 0: {sentence}"):
            sb.moves_from_python_chess([chess.Move.from_uci(move)])


def test_moves():
    texts = ["e2e4", "a7a8q", "a7a8n", "b2a1r", "h7g8b", "e1h1"]
    moves = [chess.Move.from_uci(text) for text in texts]
    assert sb.moves_to_python_chess(sb.moves_from_python_chess(iter(moves))) == moves
    assert sb.see("7k/P7/8/8/8/8/8/K7 w - - 0 1", moves[1]) == 900
    board = chess.Board("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1")
    told = sb.explain(board, board.parse_san("Nxe5"))
    assert told.value == -225 and sb.Position(board).fen == board.fen()


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("notation", ["pgn", "san", "uci"])
def test_games_in_text(notation, chess960):
    """Positions of games as text, against the boards that python-chess had; comments and variations in PGN."""
    draw = random.Random(7)
    texts, starts, expected = [], [], []
    for number in range(30):
        board = chess.Board.from_chess960_pos(draw.randrange(960)) if chess960 else chess.Board()
        game = chess.pgn.Game.from_board(board)
        node, words = game, []
        starts.append(fen_of(board))
        for ply in range(draw.randrange(90)):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = draw.choice(moves)
            if draw.random() < 0.1:
                node.add_variation(draw.choice(moves), comment="a variation (with a parenthesis)")
            node = node.add_main_variation(move)
            expected.append((number, ply, fen_of(board), board.uci(move)))
            words.append(board.san(move) if notation == "san" else board.uci(move))
            node.comment = "[%eval 0.25] [%clk 0:00:30]" if ply % 3 == 0 else ""
            board.push(move)
        exporter = chess.pgn.StringExporter(headers=False)
        texts.append(game.accept(exporter) if notation == "pgn" else " ".join(words))
    assert len(expected) > 500
    found = sb.columns.positions(texts, starts if chess960 else None, wrong="raise")
    assert [(row["game"], row["ply"], row["fen"], row["move"]) for row in found] == expected
    assert {row["result"] for row in found} <= {None, 0, 0.5, 1}
    if notation == "pgn":
        assert {row["score"] for row in found} == {None, 25}
    lists = sb.columns.fens(texts, starts if chess960 else None).to_list()
    assert [fen for game in lists for fen in game] == [fen for _, _, fen, _ in expected]
    assert len(lists) == 30
