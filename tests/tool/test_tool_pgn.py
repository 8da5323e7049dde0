"""Games in PGN as input: games with every kind of decoration against the moves they were made from; broken games; cuts.

The games are made on the board of chess_support.py, so what they hold is known without reading them. pgn-extract, another
program, reads those of its dialect too.
"""
import dataclasses
import json
import math
import os
import random
import re
import shutil
import subprocess

import pytest

from chess_support import START, Board, Row, odd
from formats_support import rows_of_tsv
from pipeline_support import run, says, well

ECO = "/usr/share/pgn-extract/eco.pgn"
TOKENS = {0: "0-1", 1: "1/2-1/2", 2: "1-0", None: "*"}
STARTS = [START,
          "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1",
          "r3k2r/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/R3K2R b Qk - 7 33",
          "8/7k/1N1N4/8/1N1N4/8/8/K7 w - - 0 70"]  # knights that are told apart by file, by rank, by both
CHESS960 = ["rnkbbqnr/pppppppp/8/8/8/8/PPPPPPPP/RNKBBQNR w KQkq - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "1r1k3r/pppppppp/8/8/8/8/PPPPPPPP/1R1K3R b HBhb - 3 1",
            "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1"]


class Game:
    """Moves from a position, the result (None: unknown), and the rows that the tool has to write."""

    def __init__(self, chance, fen, plies, chess960=False):
        self.fen, self.chess960, self.result, self.moves, self.rows = fen, chess960, chance.choice([0, 1, 2,
                                                                                                    None]), [], []
        board, evaluation, self.comments = Board(fen), None, []
        while len(self.moves) < plies and (move := board.random_move(chance, odd)) is not None:
            self.moves.append((board.copy(), move))
            texts, score, evaluation_behind = comments(chance, board.white)
            self.comments.append(texts)
            self.rows.append(Row(board.fen(), board.uci(move), evaluation if score is None else score, self.result,
                                 2 * (board.number - 1) + (not board.white)))
            evaluation = evaluation_behind
            board.play(move, "always")


# ---- Text of games ---------------------------------------------------------------------------------------------------

COMMENTS = ["{}", "{ (a variation) of 1-0 ; % and $5 }", "{[%clk 0:01:02]\n[%emt 0.3] end}",
            "{a [Event \"no\"] game}",
            "{;}{\n\n}", "{\\ \xe9 \\}",
            "{book}", "{Book}", "{1.2s}", "{No result}", "{1/2-1/2 by agreement}", "{12/7/1999}", "{1/2 each}", "{/0 0.001s}",
            "{+- White wins}", "{+/=}", "{2. Nf3/2. c4 is better}", "{M}", "{0.57 pawns up}", "{a +0.57/17 later}",
            "{[%evaluation 0.25]}", "{eval 0.25}"]


def comments(chance, white):
    """What stands behind a move, the score of its position, and that of the next one; None: it says none."""
    score = after = None
    texts = [chance.choice(COMMENTS)] if chance.random() < 0.25 else []
    if chance.random() < 0.4:
        sign, depth = chance.choice(["+", "-", ""]), chance.choice(["17", "1", "30/41"])
        if chance.random() < 0.2:
            n = chance.randrange(1, 200)
            text, score = f"{sign}M{n}/{depth}", 32000 - n
        else:
            score = chance.choice([0, 1, 57, 1234, 20000])
            text = f"{sign}{score // 100}.{score % 100:02}/{depth}"
            if sign and chance.random() < 0.2:
                text = text.split("/")[0]
        score *= -1 if (sign == "-") == white else 1
        texts.append("{" + chance.choice(["", " ", "\n"]) + text + chance.choice(
            ["", " 1.2s", ", 1.2s", " 0.350s, White wins by adjudication", " 1.2s, n=17, pv=\"e2e4 e7e5\"", "\n1s"]) + "}")
    if chance.random() < 0.3:
        cp = chance.choice([0, 25, -25, 1010, -340])
        text, after = (f"{cp / 100}", cp) if chance.random() < 0.7 else ("#3", 31997) if cp > 0 else ("#-12", -31988)
        texts.append("{" + chance.choice(["", "[%clk 0:01:02]", "good "]) + f"[%eval {text}{chance.choice(['', ',18'])}]" +
                     chance.choice(["", " [%clk 0:00:30]"]) + "}")
    return texts, score, after


VARIATIONS = ["(9. Nf3)", "( 9... Nf6 {)} 10. -- (Z0 ; )\n) * )", "(0-1 (((1. e4) e5))) (1-0)", "(garbage # in it $3)"]
LINES = [" ; a comment { ( 1-0\n", "\n% escaped [Event \"no\"] { 1-0\n", ";\n", "\n%\n%{\n"]


def decorated(chance, game, plain=False):
    """Movetext. plain: without what only this program reads."""
    text = ""
    for i, (board, move) in enumerate(game.moves):
        san = board.san(move)
        if not plain:
            if san.startswith("O-O") and chance.random() < 0.4:
                san = san.replace("O", "0")
            if san[-1] in "+#" and chance.random() < 0.3:
                san = san[:-1]
            if board.is_ep(move) and chance.random() < 0.5:
                san += chance.choice([" e.p.", "e.p.", " e.p", " ep"])
        if board.white or i == 0 or chance.random() < 0.1:
            text += f"{board.number}." + ("" if board.white else "..") + chance.choice([" ", "" if not plain else " "])
        text += san
        if chance.random() < 0.2:
            text += chance.choice(["!", "?", "!!", "?!", " $1 $146", " $6"])
        text += "".join(chance.choice([" ", "", "\n"]) + comment for comment in game.comments[i])
        if chance.random() < 0.2:
            text += " " + ("(9. Nf3 {x} Nf6 (9... d5))" if plain else chance.choice(VARIATIONS))
        if not plain and chance.random() < 0.15:
            text += chance.choice(LINES)
        if not plain and chance.random() < 0.1:
            text += chance.choice([" +-", " =", "\t", "\r\n", "\n\n\n", " ... ", " +/="])
        text += chance.choice([" ", " ", " ", "\n"])
    return text


def tags(chance, game, plain=False):
    lines = ['[Event "?"]', '[White "A. B"]', f'[Result "{TOKENS[game.result]}"]']
    if game.fen != START:
        lines += ['[SetUp "1"]', f'[FEN "{game.fen}"]']
    if game.chess960:
        lines.append(f'[Variant "{chance.choice(["Chess960", "fischerandom", "Fischer Random"])}"]')
    if not plain:
        lines += chance.sample(['[Annotator "a \\"b\\" \\\\ c"]', '[Site "an "unescaped" one]"]', '[ Round\t"1" ]',
                                '[A "x"] [B "y"]', '[Opening "{"]', '[ECO ""]',
                                '[Variant "Standard"]'][:6 + (not game.chess960)], 3)
        chance.shuffle(lines)
        if chance.random() < 0.2 and game.result is not None:
            lines = [line for line in lines if not line.startswith("[Result")]
        if game.fen != START and chance.random() < 0.5:
            lines.remove('[SetUp "1"]')
    return "\n".join(lines) + "\n"


def as_pgn(chance, game, plain=False):
    between = chance.choice(["\n", "\n", "", "\n\n\n", "\n{before} \n",
                             "; before\n% before\n\n"]) if not plain else "\n"
    return tags(chance, game, plain) + between + decorated(chance, game, plain) + TOKENS[game.result] + \
        (chance.choice(["\n\n", "\n", "\n\n\n\n", "\r\n \r\n", " {behind}\n\n"]) if not plain else "\n\n")


@pytest.fixture(scope="module")
def games():
    chance = random.Random(8)
    made = [Game(chance, fen, 50) for fen in STARTS for _ in range(3)]
    made += [Game(chance, fen, 40, chess960=True) for fen in CHESS960 for _ in range(2)]
    made.append(Game(chance, START, 0))
    chance.shuffle(made)
    return made


@pytest.fixture(scope="module")
def text(games):
    chance = random.Random(9)
    return "".join(as_pgn(chance, game) for game in games).encode("latin-1")


@pytest.fixture(scope="module")
def expected(games):
    return [row for game in games for row in game.rows]


def read(pgn, *arguments):
    """The rows of games that are well."""
    return rows_of_tsv(well("filter", "--from", "pgn", "--to", "tsv", *arguments, stdin=pgn))


def read_moves(pgn):
    """The moves that are read, and what is said."""
    result = run("convert", "--quiet", "--lose", "all", "--from", "pgn", "--to", "fen", stdin=pgn)
    return [line.split("\t")[1] for line in result.stdout.decode().splitlines()], result.stderr.decode()


# ---- Games that are well ---------------------------------------------------------------------------------------------


def test_the_games_have_what_is_odd(games, text):
    moves = [(board, move) for game in games for board, move in game.moves]
    sans = " ".join(board.san(move) for board, move in moves)
    assert sum(board.is_ep(move) for board, move in moves) >= 3
    for pattern in ("O-O-O", r"O-O\b", "[a-h].*=[NBRQ]", r"\bN[a-h]x?[a-h]", r"\bN[1-8]"):
        assert re.search(pattern, sans), pattern
    for piece in COMMENTS + VARIATIONS + LINES:
        assert piece.encode("latin-1") in text, piece


def test_decorated_games(games, text, expected, tmp_path):
    assert read(text) == expected
    assert read(b"\xef\xbb\xbf" + text.replace(b"\r", b"").replace(b"\n", b"\r\n")) == expected
    path = tmp_path / "a.pgn"
    path.write_bytes(text)
    whole = well("filter", path, "--to", "tsv")
    for n in (1, 2, 3, 17):
        assert b"".join(well("filter", path, "--to", "tsv", "--part", f"{i}/{n}") for i in range(1, n + 1)) == whole, n
    moves = [(board, move) for game in games for board, move in game.moves]
    assert int(well("filter", path, "--count", "--keep", "promotion")) == sum(move[2] is not None for _, move in moves)
    assert int(well("filter", path, "--count", "--keep", "in-check")) == sum(board.in_check() for board, _ in moves)


def test_many_blocks(games, text, expected):
    n = 600_000 // len(text)
    first = text + b'[Event "long"]\n\n1. e4 {' + 300_000 * b"x " + b"} e5 *\n\n" + n * text
    e4 = [Row(START, "e2e4", ply=0), Row("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e7e5", ply=1)]
    for threads in (1, 3):
        result = run("filter", "--from", "pgn", "--to", "tsv", "--threads", threads, "--quiet",
                     stdin=first + b'[Event "broken"]\n\n1. e4\n e5 2. Ke3 *\n')
        same = rows_of_tsv(result.stdout) == expected + e4 + n * expected  # not in the assert: pytest would compare
        line, game = first.count(b"\n") + 4, len(games) * (n + 1) + 2
        assert same and result.stderr.decode() == \
            f"-:{line}: game {game}: 'Ke3' is not a legal move here, expected Ke2; the game is skipped\n"


def test_games_without_tags():
    found = read("1. e4 e5 1-0\n{between} 1. d4 * *\n\n1. c4 0-1 [Event \"x\"]\n1.Nf3 1/2-1/2\n")
    assert [(row.move, row.result, row.ply) for row in found] == [
        ("e2e4", 2, 0), ("e7e5", 2, 1), ("d2d4", None, 0), ("c2c4", 0, 0), ("g1f3", 1, 0)]


def test_results():
    """By the tag, the token at the end, or both."""
    cases = {("1-0", "1-0"): 2, ("*", "0-1"): 0, ("1/2-1/2", "*"): 1, ("*", "*"): None, ("?", "1-0"): 2,
             ("", "*"): None, ("?", "*"): None}
    pgn = "".join(f'[Event "x"]\n[Result "{tag}"]\n\n1. e4 {token}\n\n' for tag, token in cases)
    assert [row.result for row in read(pgn)] == list(cases.values())


def test_it_is_not_written(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 *\n")
    for arguments in ([path], [path, "--to", "pgn"], ["--from", "fen", "--to", "pgn", "-"],
                      [path, "--output", tmp_path / "b.pgn"]):
        says(2, run("filter", *arguments), "the format pgn can be read, but not written")
    assert not (tmp_path / "b.pgn").exists()


GAME = '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
GAME_MOVES = ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize("pgn", [
    GAME + "% a line that is skipped", GAME.rstrip() + "\n%", "%x\n" + GAME, "\ufeff" + GAME,
    "{ before }\n; and\n" + GAME, GAME.rstrip(), GAME.replace("e4", "e4 $1 $"), GAME.replace("e4", "e4!?"),
    GAME.replace("[Result", '[ Result'), *(GAME.replace("[Result", tag + "\n[Result") for tag in (
        '[White_Elo "1"]', '[Result2\t "1"  ]', '[SetUp "0"]', '[\tVariant "Chess960"]'))])
def test_games_as_people_write_them(pgn):
    moves, said = read_moves(pgn)
    assert moves == GAME_MOVES and said.count(": warning: ") == (not pgn.endswith("\n")) == said.count("\n")
    assert read_moves(pgn.rstrip("\n") + "\n\n" + GAME)[0][-3:] == GAME_MOVES


FEN = "4k3/8/8/8/8/8/8/4K3 b - - 0 7"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", " \r\n", "  \n"])
def test_an_empty_line_between_tags(line_end):
    """The moves begin where the tag FEN says; in parts of a file, too. Event begins a game, and so do two empty lines."""
    game = f'[Event "x"]\n[FEN "{FEN}"]\n\n[White "A"]\n\n1... Kd8 *\n\n'
    rows = read((GAME + game + GAME).replace("\n", line_end))
    assert [(row.fen, row.move) for row in rows[3:4]] == [(FEN, "e8d8")] and [row.move for row in rows[4:]] == GAME_MOVES
    no_moves = f'[Event "x"]\n[FEN "{FEN}"]\n\n'
    moves, said = read_moves((no_moves + GAME).replace("\n", line_end))
    assert moves == GAME_MOVES and "the game ends here without" in said


def test_parts_where_empty_lines_stand_between_tags(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes(f'[Event "x"]\r\n[FEN "{FEN}"]\r\n  \r\n[White "A"]\r\n\r\n1... Kd8 *\r\n\r\n'.encode() * 5)
    whole = well("filter", path, "--to", "tsv")
    for n in range(1, 40):
        assert b"".join(well("filter", path, "--to", "tsv", "--part", f"{i}/{n}") for i in range(1, n + 1)) == whole, n


@pytest.mark.parametrize("tag, other", [('FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"', f'FEN "{FEN}"'), ('Result "1-0"', 'Result "0-1"'),
                                        ('Variant "Standard"', 'Variant "Chess960"'), ('SetUp "0"', 'SetUp "1"')])
def test_tags_that_come_twice(tag, other):
    """With the same value they are one; otherwise nobody knows which one is meant."""
    text = f'[Event "x"]\n[{tag}]\n[{other}]\n\n1. a8=Q *\n\n'
    moves, said = read_moves(text + GAME)
    assert moves == GAME_MOVES and f"-:3: game 1: the tag {tag.split()[0]} comes twice with different values, expected one" in said
    assert read_moves(f'[Event "x"]\n[{tag}]\n[{tag}]\n\n*\n\n' + GAME) == (GAME_MOVES, "")


def test_words_of_any_length():
    moves, said = read_moves(GAME + '[Event "x"]\n\n1. ' + "e" * 70000 + " 1-0\n\n" + GAME)
    assert moves == 2 * GAME_MOVES and said.startswith("-:8: ") and "' is too long for a move in SAN, expected" in said and len(said) < 1000


@pytest.mark.parametrize("sign", ["", " e.p.", "e.p.", " ep", "!", " ep+", " ep#", "+ ep", " e.p.+", " +"])
def test_en_passant_as_people_write_it(sign):
    found = read(f'[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 0"]\n\n1. exd6{sign} 1-0\n')
    assert [(row.move, row.ply) for row in found] == [("e5d6", 0)]


# ---- Scores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("comment, said", [
    ("{+0.5.7/17 1.2s}", "+0.5.7"), ("{+57/17}", "+57"), ("{+M/17}", None), ("{M0/17}", "M0"), ("{+M1.5/9}", "+M1.5"),
    ("{0.57/17x}", "0.57"), ("{--0.57/1}", "--0.57"), ("{+0.5x/17 1s}", "+0.5"), ("{-0.5x}", None), ("{1.2s/3}", None), ("{12345678901.00/1}", "12345678901.00"), ("{1-0.5/3}", "1-0.5"),
])
def test_wrong_scores(comment, said):
    """A position whose score cannot be read is named, counted and left out; the others of the game are read."""
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=f'[Event "x"]\n\n1. e4 {{+0.10/3}}\nd5 {comment} 2. d4 1-0\n')
    assert [(row.move, row.score) for row in rows_of_tsv(result.stdout)] == \
        [("e2e4", 10)] + [("d7d5", None)] * (said is None) + [("d2d4", None)]
    assert result.returncode == (said is not None)
    if said:
        says(1, result, f"-:4: game 1: the score '{said}' in the comment cannot be read, expected one such as +0.57/17")
        assert "2 written, 1 bad record" in result.stderr.decode()
        strict = run("filter", "--from", "pgn", "--to", "tsv", "--strict",
                     stdin=f'[Event "x"]\n\n1. e4 {{+0.10/3}}\nd5 {comment} 2. d4 1-0\n' + 3 * GAME)
        assert (strict.returncode, len(rows_of_tsv(strict.stdout))) == (1, 1)


@pytest.mark.parametrize("value", ["25", "", "#", "#0", "0.25.1", "x", "#1.5", "#-1001"])
def test_wrong_evaluations(value):
    """They are of the position behind the move. Of the last one there is no record."""
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=f'1. e4 {{[%eval {value}]}} e5 2. d4 {{[%eval {value}]}} 1-0\n')
    says(1, result, f"-:1: game 1: the score '{value}' in the comment cannot be read")
    assert [row.move for row in rows_of_tsv(result.stdout)] == ["e2e4", "d2d4"]


WHITE_SPACE = [" ", "\n", "\t", "\r\n", "\v", "\f", " \n  "]


@pytest.mark.parametrize("white", WHITE_SPACE)
def test_white_space_in_comments(white):
    """Programs that wrap lines put a line end wherever a blank may stand."""
    text = "1. e4 { [%eval -0.30 ] a } e5 {x [%eval #-3 ,18 ]} 2. d4 { +0.57/17 1.2s } exd4 {[%eval 0.1]\n} 1-0\n".replace(" ", white)
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=text)
    assert [row.score for row in rows_of_tsv(result.stdout)] == [None, -30, 57, None]
    assert result.returncode == 0 and "2 comments read as scores\n" in result.stderr.decode()


def test_evaluation_before_the_first_move():
    """It is of the position that the game begins with."""
    for pgn in ('[Event "x"]\n\n{[%eval 0.17]} 1. e4 {[%eval 0.3]} e5 *\n', '{[%eval 0.17]} 1. e4 {[%eval 0.3]} e5 *\n'):
        assert [row.score for row in read(pgn)] == [17, 30]
    assert [row.score for row in read('1. e4 * {[%eval 0.17]} 1. d4 *\n')] == [None, None]  # of the game before, perhaps
    says(0, run("filter", "--from", "pgn", "--to", "tsv", stdin='[Event "x"]\n\n{+0.17/3} 1. e4 *\n'), "1 looks like a score and was not read")


@pytest.mark.parametrize("comment", ["+M5", "-M4, Black mates", "#3", "#-3", "(+0.25/17)", "0.25", "[%EVAL 0.3]", "[ %eval 0.3]",
                                     "[%eval0.3]", "[+0.25]", "-0.25]"])
def test_comments_that_look_like_scores(comment):
    """They are told once, with their number, and cost nothing."""
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=f'1. e4 {{{comment}}} e5 {{+0.10/3}}\n2. d4 {{ {comment} }} *\n')
    assert [(row.move, row.score) for row in rows_of_tsv(result.stdout)] == [("e2e4", None), ("e7e5", -10), ("d2d4", None)]
    says(0, result, "-:1: game 1: warning: a comment looks like a score and is not read as one, expected a form such as {+0.57/17}",
         "the warning of line 1 was repeated 1 time, up to line 2",
         "1 comment read as scores, 2 look like a score and were not read")


@pytest.mark.parametrize("value", ["-21474836.48", "21474836.48", "+21474836.48", "-99999999.99"])
def test_scores_beyond_32_bits(value):
    for text in (f"1. e4 {{{value}/5}} e5 {{{value}/5}} *\n", f"1. e4 {{[%eval {value}]}} e5 *\n"):
        for model in ([], ["--win-rate-model", "stockfish-18"]):
            result = run("filter", "--from", "pgn", "--to", "tsv", *model, stdin=text)
            says(1, result, f"the score '{value}' in the comment cannot be read")
            assert all(row.score is None for row in rows_of_tsv(result.stdout))
    assert [row.score for row in read("1. e4 {-21474836.47/5} e5 {-21474836.47/5} *\n")] == [-2147483647, 2147483647]


MODELS = {"stockfish-17": [-37.45051876, 121.19101539, -132.78783573, 420.70576692],
          "stockfish-17.1": [-13.50030198, 40.92780883, -36.82753545, 386.83004070],
          "stockfish-18": [-72.32565836, 185.93832038, -144.58862193, 416.44950446]}


@pytest.mark.parametrize("model", MODELS)
def test_win_rate_models(model, games, text, expected):
    """By the formula, in floating point; mates stay, and wins of tablebases are those of Stockfish."""
    def internal(row):
        if row.score is None or abs(row.score) > 31000:
            return row.score
        if abs(row.score) > 19754:
            return math.copysign(31753 - 20000 + abs(row.score), row.score)
        pieces = row.fen.split()[0].lower()
        m = min(max(sum(n * pieces.count(piece) for piece, n in zip("pnbrq", (1, 3, 3, 5, 9))), 17), 78) / 58
        a = sum(c * m ** (3 - i) for i, c in enumerate(MODELS[model]))
        return math.copysign(math.floor(abs(row.score) * a / 100 + 0.5), row.score)
    rows = read(text, "--win-rate-model", model)
    assert rows == [dataclasses.replace(row, score=internal(row)) for row in expected]
    assert sum(row.score is not None for row in rows) > 100 and any(abs(row.score or 0) == 31753 for row in rows)


def test_models_of_nothing():
    says(2, run("filter", "--from", "pgn", "--win-rate-model", "stockfish"),
         "--win-rate-model: there is no model 'stockfish', expected one of stockfish-17, stockfish-17.1, stockfish-18")
    says(2, run("filter", "--from", "csv", "--win-rate-model", "stockfish-18"), "no input file has scores in the pawns of a model")


def test_scores_go_into_files(tmp_path):
    """All that a binpack holds; what has no score is named, and left out where that is asked for. An en passant square
    without a capture is nothing that would be lost."""
    path, binpack = tmp_path / "a.pgn", tmp_path / "a.binpack"
    path.write_text('[Event "x"]\n\n1. e4 {book} d5 {-0.30/9 1s} 2. exd5 {+M3/9} Qxd5 {-M2/9, White wins by adjudication} 1-0\n')
    result = run("convert", path, "--output", binpack)
    says(1, result, "game 1: the record has no score, which binpack needs")
    assert [(row.move, row.score, row.result, row.ply) for row in rows_of_tsv(well("filter", binpack, "--to", "tsv"))] == [
        ("d7d5", 30, 2, 1), ("e4d5", 31997, 2, 2), ("d8d5", 31998, 2, 3)]
    says(2, run("convert", path, "--to", "fen"), "result would be lost")
    well("filter", path, "--drop", "in-check", "--keep", "has=score", "--output", binpack)
    assert well("filter", path, "--count", "--keep", "score=31997..") == b"2\n"
    annotated = well("annotate", path, "--to", "jsonl").decode().splitlines()
    assert [json.loads(line).get("score") for line in annotated] == [None, 30, 31997, 31998]


def test_gaps_end_chains(tmp_path):
    """Positions that a binpack's writer takes for the next of a game by their plies: not where some are left out, nor where
    the number 0 makes plies come twice."""
    path, binpack = tmp_path / "a.pgn", tmp_path / "a.binpack"
    path.write_text('[Event "x"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 0 0"]\n\n0. Ra2 {+0.10/3} Kd8 {book} 1. Ra3 {book} Kc8 {+0.20/3} '
                    '2. Ra4 {book} Kb8 {+0.30/3} 3. Ra5 {+0.40/3} Kc8 {+0.50/3} 4. Ra6 {book} Kb8 {book} 5. Ra7 {+0.60/3} 1-0\n')
    well("filter", path, "--keep", "has=score", "--lose", "number", "--output", binpack)
    fens = well("filter", path, "--keep", "has=score", "--to", "tsv").decode().splitlines()[1:]
    again = well("filter", binpack, "--to", "tsv").decode().splitlines()[1:]
    boards = [[line.split("\t")[0].split()[:5] + line.split("\t")[1:4] for line in lines] for lines in (fens, again)]
    assert len(boards[0]) == 6 and boards[0] == boards[1]


# ---- By another program ----------------------------------------------------------------------------------------------


def read_by_pgn_extract(path):
    """The moves of each game that has any."""
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    done = subprocess.run([program, "-s", "-Wuci", "--notags", "-w9999999", "-C", "-V", "-N", str(path)],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    games = [re.findall(r"\b[a-h][1-8][a-h][1-8][nbrqNBRQ]?\b",
                        line.lower()) for line in done.stdout.decode("latin-1").splitlines()]
    return [game for game in games if game]


def test_another_program_reads_the_same(games, tmp_path):
    """pgn-extract, in its dialect: no comments behind ;, no lines with %."""
    chance, path = random.Random(10), tmp_path / "a.pgn"
    some = [game for game in games if not game.chess960 and game.moves]
    path.write_text("".join(as_pgn(chance, game, plain=True) for game in some), encoding="latin-1")
    assert read(path.read_bytes()) == [row for game in some for row in game.rows]
    assert read_by_pgn_extract(path) == [[row.move for row in game.rows] for game in some]


@pytest.mark.skipif(not os.path.exists(ECO), reason=f"{ECO} is not installed")
def test_a_file_of_openings():
    """The one that comes with pgn-extract: 20,000 positions of some 2,000 lines of play, written by people."""
    theirs = [move for game in read_by_pgn_extract(ECO) for move in game]
    with open(ECO, "rb") as file:
        same = [row.move for row in read(file.read())] == theirs
    assert same and len(theirs) > 20000


# ---- Games that are not ----------------------------------------------------------------------------------------------

GOOD = '[Event "good"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'

BROKEN = [  # text; the line of it that is named; what is said
    ('[Event "x"]\n\n1. e4 e5\n2. Ke3 Nf6 *\n', 4, "'Ke3' is not a legal move here, expected Ke2"),
    ('[Event "x"]\n\n1. e4 {ok}\n Nf3 *\n', 4, "'Nf3' is not a legal move here"),
    ('[Event "x"]\n\n1. e4 --\n2. d4 *\n', 3, "'--' is a null move, expected a legal move"),
    ('[Event "x"]\n\n1. e4 e5\n2. Z0 *\n', 4, "'Z0' is a null move"),
    ('[Event "x"]\n\n1. e4 xyz *\n', 3, "'xyz' is not a move in SAN"),
    ('[Event "x"]\n\n1. e4 e5\n\n{ no end\n2. d4 *\n', 5, "the comment that begins here has no end, expected '}'"),
    ('[Event "x"]\n\n1. e4 e5\n(2. d4 (2. c4) exd4\n*\n', 4, "the variation that begins here has no end, expected ')'"),
    ('[Event "x"]\n\n1. e4 e5) 2. d4 *\n', 3, "a variation ends here that did not begin"),
    ('[Event "x"]\n\n1. e4 e5\n2. d4 \n', 4, "the game ends here without 1-0, 0-1, 1/2-1/2 or *"),
    ('[Event "x"]\n', 1, "the game ends here without 1-0"),
    ('[Event "x"]\n[Result "0-1"]\n\n1. e4 e5\n1-0\n', 5, "the moves end with another result than '0-1'"),
    ('[Event "x"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', 1, "the tag FEN: white has 0 kings"),
    ('[Event "x"]\n[FEN "nonsense"]\n\n1. e4 *\n', 1, "the tag FEN: "),
    ('[Event "x"]\n[SetUp "1"]\n\n1. e4 *\n', 1, "the tag SetUp says that the game begins with a position of its own"),
    ('[Event "x"]\n[Variant "Atomic"]\n\n1. e4 *\n', 1, "it is a game of 'Atomic', expected chess or Chess960"),
    ('[Event "x"]\n[Site x]\n\n1. e4 *\n', 2, "'[Site x]' is not a tag pair"),
    ('[Event "x"]\n[Site "x]\n\n1. e4 *\n', 2, "'[Site \"x]' is not a tag pair"),
    ('[Event "x"]\n\n1. e4 } e5 *\n', 3, "found '}', expected a move or a result"),
    ('[Event "x"]\n\n1. e4 <x> *\n', 3, "found '<'"),
    ('[Event "x"]\n\n1. e4 % e5\n *\n', 3, "'%' is not a move in SAN"),
    ('[Event "x"]\n\n1. e4 e5\n\0 *\n', 4, "found '\\x00'"),
    ('[Event "x"]\n\n1. e4 e5 1-1\n', 3, "'1-1' is not a move in SAN"),
    ('[Event "x"]\n\n1. e4 e5 1/2\n', 3, "'1/2' is not a move in SAN"),
    ('[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 *\n', 3, "'a8' is not a legal move here, expected one of a8="),
]


@pytest.mark.parametrize("text, line, error", BROKEN, ids=[str(i) for i in range(len(BROKEN))])
def test_broken_games(text, line, error):
    """Told with line and number, and skipped; those around them are read."""
    pgn = GOOD + GOOD + text + "\n" + GOOD
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=pgn)
    said, summary = result.stderr.decode().splitlines()
    assert said.startswith(f"-:{10 + line}: game 3: {error}") and said.endswith("; the game is skipped")
    assert "6 positions read, 6 written, 1 bad record" in summary
    assert (result.returncode, len(rows_of_tsv(result.stdout))) == (1, 6)
    strict = run("filter", "--from", "pgn", "--to", "tsv", "--strict", stdin=pgn)
    assert (strict.returncode, len(rows_of_tsv(strict.stdout))) == (1, 4)


def test_a_tag_that_is_none_begins_no_game():
    result = run("filter", "--from", "pgn", "--to", "tsv", stdin=GOOD + '[Event "x]\n\n1. e4 *\n' + GOOD)
    says(1, result, "-:6: game 2: '[Event \"x]' is not a tag pair")
    assert len(rows_of_tsv(result.stdout)) == 4


def test_cut_at_every_byte(tmp_path):
    """A game is there when its result is."""
    games = ['[Event "a"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {x} 1-0', '[Event "b"]\r\n\r\n1. d4 d5 1/2-1/2',
             '\n[Event "c"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n1. a8=Q Kg6 2. Kb1 *']
    whole = "\n\n".join(games) + "\n"
    ends = [whole.index(game) + len(game) for game in games]
    bad, rows = [], 0
    for cut in range(len(whole) + 1):
        (tmp_path / f"{cut:03}.pgn").write_text(whole[:cut], newline="")
        there = [end for end in ends if end <= cut]
        rows += sum([3, 2, 3][:len(there)])
        bad += [cut] * (whole[there[-1] if there else 0:cut].strip() != "")
    result = run("filter", "--quiet", "--to", "tsv", "--threads", 2, *sorted(tmp_path.iterdir()))
    assert len(rows_of_tsv(result.stdout)) == rows
    said = [(int(cut), warned) for cut,
            warned in re.findall(r"/(\d+)\.pgn:\d+: (warning: the last line has no line feed)?",
                                                            result.stderr.decode())]
    assert [cut for cut, warned in said if warned] == [cut for cut in range(1, len(whole) + 1) if whole[cut - 1] != "\n"]
    assert [cut for cut, warned in said if not warned] == bad
