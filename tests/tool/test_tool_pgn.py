"""Games in PGN as input: games with every kind of decoration against the moves they were made from; broken games; cuts.

The games are made on the board of chess_support.py, so what they hold is known without reading them. pgn-extract, another
program, reads those of its dialect too.
"""
import os
import random
import re
import shutil
import subprocess

import pytest

from chess_support import START, Board, odd
from pipeline_support import RESULTS, run, says, well

HEADER = "fen\tmove\tresult\tply\n"
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
    """Moves from a position, and the result: 0 black wins, 1, 2, None."""

    def __init__(self, chance, fen, plies, chess960=False):
        self.fen, self.chess960, self.result, self.moves, self.rows = fen, chess960, chance.choice([0, 1, 2, None]), [], []
        board = Board(fen)
        for _ in range(plies):
            move = board.random_move(chance, odd)
            if move is None:
                break
            self.moves.append((board.copy(), move))
            board.play(move, "always")

    def table(self):
        """What the tool has to write."""
        return "".join("\t".join([board.fen(), board.uci(move), "" if self.result is None else RESULTS[self.result],
                                  str(2 * (board.number - 1) + (not board.white))]) + "\n" for board, move in self.moves)


# ---- Text of games ---------------------------------------------------------------------------------------------------

COMMENTS = ["{}", "{ (a variation) of 1-0 ; % and $5 }", "{[%clk 0:01:02]\n[%eval -0.3] end}", "{a [Event \"no\"] game}",
            "{;}{\n\n}", "{\\ \xe9 \\}"]
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
        if chance.random() < 0.2:
            text += " " + chance.choice(COMMENTS)
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
                                '[A "x"] [B "y"]', '[Opening "{"]', '[ECO ""]', '[Variant "Standard"]'][:6 + (not game.chess960)], 3)
        chance.shuffle(lines)
        if chance.random() < 0.2 and game.result is not None:
            lines = [line for line in lines if not line.startswith("[Result")]
        if game.fen != START and chance.random() < 0.5:
            lines.remove('[SetUp "1"]')
    return "\n".join(lines) + "\n"


def as_pgn(chance, game, plain=False):
    between = chance.choice(["\n", "\n", "", "\n\n\n", "\n{before} \n", "; before\n% before\n\n"]) if not plain else "\n"
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


def read(path, *options):
    return well("filter", path, "--to", "tsv", *options).decode()


def expected(games):
    return HEADER + "".join(game.table() for game in games)


# ---- Games that are well ---------------------------------------------------------------------------------------------


def test_the_games_have_what_is_odd(games, text):
    moves = [(board, move) for game in games for board, move in game.moves]
    sans = [board.san(move) for board, move in moves]
    assert sum(board.is_ep(move) for board, move in moves) >= 3
    assert any(s.startswith("O-O-O") for s in sans) and any(s in ("O-O", "O-O+") for s in sans)
    assert any(re.match("[a-h].*=[NBRQ]", s) for s in sans)
    assert any(re.match("N[a-h]x?[a-h]", s) for s in sans) and any(re.match("N[1-8]", s) for s in sans)
    for piece in COMMENTS + VARIATIONS + LINES:
        assert piece.encode("latin-1") in text, piece


def test_decorated_games(games, text, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes(text)
    assert read(path) == expected(games)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\r", b"").replace(b"\n", b"\r\n"))
    assert read(path) == expected(games)
    assert well("filter", "--from", "pgn", "--to", "tsv", stdin=text).decode() == expected(games)


def test_many_blocks(games, text, tmp_path):
    path = tmp_path / "a.pgn"
    n = 600_000 // len(text)
    long_comment = b'[Event "long"]\n\n1. e4 {' + 300_000 * b"x " + b"} e5 *\n\n"
    broken = b'[Event "broken"]\n\n1. e4\n e5 2. Ke3 *\n'
    first = text + long_comment
    path.write_bytes(first + n * text + broken)
    e4 = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4\t\t0\n",
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\te7e5\t\t1\n"]
    table = expected(games)[len(HEADER):]
    outputs = []
    for threads in (1, 3):
        result = run("filter", path, "--to", "tsv", "--threads", threads, "--quiet")
        same = result.stdout.decode() == HEADER + table + "".join(e4) + n * table  # not in the assert: pytest would compare
        assert same
        line = (first + n * text).count(b"\n") + 4
        game = len(games) * (n + 1) + 2
        assert result.stderr.decode() == \
            f"{path}:{line}: game {game}: 'Ke3' is not a legal move here, expected Ke2; the game is passed over\n"
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]


def test_parts(games, text, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes(text)
    for n in (1, 2, 3, 17):
        joined = "".join(read(path, "--part", f"{i}/{n}").removeprefix(HEADER) for i in range(1, n + 1))
        assert joined == expected(games)[len(HEADER):], n


def test_games_without_tags(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 e5 1-0\n{between} 1. d4 * *\n\n1. c4 0-1 [Event \"x\"]\n1.Nf3 1/2-1/2\n")
    assert [row.split("\t")[1:] for row in read(path).splitlines()[1:]] == \
        [["e2e4", "1.0", "0"], ["e7e5", "1.0", "1"], ["d2d4", "", "0"], ["c2c4", "0.0", "0"], ["g1f3", "0.5", "0"]]


def test_results(tmp_path):
    path = tmp_path / "a.pgn"
    cases = {("1-0", "1-0"): "1.0", ("*", "0-1"): "0.0", ("1/2-1/2", "*"): "0.5", ("*", "*"): "", ("?", "1-0"): "1.0",
             ("", "*"): "", ("?", "*"): ""}
    path.write_text("".join(f'[Event "x"]\n[Result "{tag}"]\n\n1. e4 {token}\n\n' for tag, token in cases))
    assert [row.split("\t")[2] for row in read(path).splitlines()[1:]] == list(cases.values())
    result = run("filter", "--from", "pgn", "--to", "scored", "-", "--quiet", stdin=path.read_bytes())
    assert result.returncode != 0


def test_conditions_and_other_formats(games, text, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_bytes(text)
    moves = [(board, move) for game in games for board, move in game.moves]
    assert int(well("filter", path, "--count", "--keep", "promotion")) == sum(move[2] is not None for _, move in moves)
    assert int(well("filter", path, "--count", "--keep", "in-check")) == sum(board.in_check() for board, _ in moves)
    fens = [board.fen() + "\t" + board.uci(move) for board, move in moves]
    assert run("filter", path, "--to", "fen", "--lose", "result").stdout.decode().splitlines() == fens


def test_it_is_not_written(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 *\n")
    for options in ([path], [path, "--to", "pgn"], ["--from", "fen", "--to", "pgn", "-"], [path, "--output", tmp_path / "b.pgn"]):
        says(2, run("filter", *options), "the format pgn is read, not written")
    assert not (tmp_path / "b.pgn").exists()


def read_by_pgn_extract(path):
    """The moves of each game that has any."""
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    done = subprocess.run([program, "-s", "-Wuci", "--notags", "-w9999999", "-C", "-V", "-N", str(path)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    games = [re.findall(r"\b[a-h][1-8][a-h][1-8][nbrqNBRQ]?\b", line.lower()) for line in done.stdout.decode("latin-1").splitlines()]
    return [game for game in games if game]


def test_another_program_reads_the_same(games, tmp_path):
    """pgn-extract, in its dialect: no comments behind ;, no lines with %."""
    chance = random.Random(10)
    some = [game for game in games if not game.chess960 and game.moves]
    path = tmp_path / "a.pgn"
    path.write_text("".join(as_pgn(chance, game, plain=True) for game in some), encoding="latin-1")
    ours, moves = [], [row.split("\t")[1] for row in read(path).splitlines()[1:]]
    for game in some:
        ours.append(moves[:len(game.moves)])
        del moves[:len(game.moves)]
    assert read_by_pgn_extract(path) == ours


def test_a_file_of_openings():
    """The one that comes with pgn-extract: 20,000 positions of some 2,000 lines of play, written by people."""
    path = "/usr/share/pgn-extract/eco.pgn"
    if not os.path.exists(path):
        pytest.skip(f"{path} is not installed")
    theirs = [move for game in read_by_pgn_extract(path) for move in game]
    assert len(theirs) > 20000
    same = [row.split("\t")[1] for row in read(path).splitlines()[1:]] == theirs
    assert same


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
    ('[Event "x"]\n\n1. e4 e5) 2. d4 *\n', 3, "here a variation ends that did not begin"),
    ('[Event "x"]\n\n1. e4 e5\n2. d4 \n', 4, "the game ends here without 1-0, 0-1, 1/2-1/2 or *"),
    ('[Event "x"]\n', 1, "the game ends here without 1-0"),
    ('[Event "x"]\n[Result "0-1"]\n\n1. e4 e5\n1-0\n', 5, "the moves end with another result than '0-1'"),
    ('[Event "x]\n\n1. e4 *\n', None, None),  # a tag that is none begins no game; see below
    ('[Event "x"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', 1, "the tag FEN: white has 0 kings"),
    ('[Event "x"]\n[FEN "nonsense"]\n\n1. e4 *\n', 1, "the tag FEN: "),
    ('[Event "x"]\n[SetUp "1"]\n\n1. e4 *\n', 1, "the tag SetUp says that the game begins with a position of its own"),
    ('[Event "x"]\n[Variant "Atomic"]\n\n1. e4 *\n', 1, "it is a game of 'Atomic', expected chess or Chess960"),
    ('[Event "x"]\n[Site x]\n\n1. e4 *\n', 2, "'[Site x]' is not a tag pair"),
    ('[Event "x"]\n[Site "x]\n\n1. e4 *\n', 2, "'[Site \"x]' is not a tag pair"),
    ('[Event "x"]\n\n1. e4 } e5 *\n', 3, "here '}' stands, expected a move or a result"),
    ('[Event "x"]\n\n1. e4 <x> *\n', 3, "here '<' stands"),
    ('[Event "x"]\n\n1. e4 % e5\n *\n', 3, "'%' is not a move in SAN"),
    ('[Event "x"]\n\n1. e4 e5\n\0 *\n', 4, "here '\\x00' stands"),
    ('[Event "x"]\n\n1. e4 e5 1-1\n', 3, "'1-1' is not a move in SAN"),
    ('[Event "x"]\n\n1. e4 e5 1/2\n', 3, "'1/2' is not a move in SAN"),
    ('[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 *\n', 3, "'a8' is not a legal move here, expected one of a8="),
]


@pytest.mark.parametrize("text, line, complaint", BROKEN, ids=[str(i) for i in range(len(BROKEN))])
def test_broken_games(text, line, complaint, tmp_path):
    """Told with line and number, and passed over; those around them are read."""
    path = tmp_path / "a.pgn"
    if line is None:
        path.write_text(GOOD + text + GOOD)
        result = run("filter", path, "--to", "tsv")
        assert f"{path}:6: game 2: '[Event \"x]' is not a tag pair" in result.stderr.decode()
        assert len(result.stdout.splitlines()) == 5
        return
    path.write_text(GOOD + GOOD + text + "\n" + GOOD)
    result = run("filter", path, "--to", "tsv")
    lines = result.stderr.decode().splitlines()
    assert lines[0].startswith(f"{path}:{10 + line}: game 3: {complaint}") and len(lines) == 2, result.stderr
    assert lines[0].endswith("; the game is passed over")
    assert "6 positions read, 6 written, 1 bad record" in lines[1]
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 7
    strict = run("filter", path, "--to", "tsv", "--strict")
    assert (strict.returncode, len(strict.stdout.splitlines())) == (1, 5)


def test_cut_at_every_byte(tmp_path):
    """A game is there when its result is."""
    games = ['[Event "a"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {x} 1-0', '[Event "b"]\r\n\r\n1. d4 d5 1/2-1/2',
             '\n[Event "c"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n1. a8=Q Kg6 2. Kb1 *']
    whole = "\n\n".join(games) + "\n"
    ends = [whole.index(game) + len(game) for game in games]
    paths, complaints, rows = [], {}, []
    for cut in range(len(whole) + 1):
        paths.append(tmp_path / f"{cut}.pgn")
        paths[-1].write_text(whole[:cut], newline="")
        there = [end for end in ends if end <= cut]
        rows += [3, 2, 3][:len(there)]
        complaints[str(paths[-1])] = int(whole[there[-1] if there else 0:cut].strip() != "")
    result = run("filter", *paths, "--to", "tsv", "--threads", 2)
    assert len(result.stdout.splitlines()) == 1 + sum(rows)
    said, warned = dict.fromkeys(complaints, 0), set()
    for line in result.stderr.decode().splitlines()[:-1]:
        name = line.split(".pgn:")[0] + ".pgn"
        if ": warning: the last line has no line feed" in line:
            warned.add(name)
        else:
            said[name] += 1
    assert warned == {str(paths[cut]) for cut in range(1, len(whole) + 1) if whole[cut - 1] != "\n"}
    assert said == complaints and 0 in said.values() and 1 in said.values()
