"""The report of seebatch stats: every number against plain counting, on the board of chess_support.py.

Values under `legal` are found by trying all captures here; those of other rule sets, and all of a long run, come from the
scalar kernel. With SEEBATCH_TEST_POSITIONS, a file of records, a long run counts its first 100,000, too.
"""
import itertools
import json
import math
import os
import pathlib
import random
import re
from collections import Counter
from fractions import Fraction

import pytest

from chess_support import Board, Row, name
from formats_support import FORMATS, as_jsonl, as_table, as_tsv, rows_of_tsv, sample
from pipeline_support import LONG, SANITIZED, SEED, evaluate, fails, lines_of, make_records, run, says, well

VALUES = dict(zip("pnbrqk", (100, 325, 325, 500, 1000, 0)))
PERCENTILES = {"p1": 1, "p5": 5, "p25": 25, "median": 50, "p75": 75, "p95": 95, "p99": 99}
KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
WEIGHTS = dict(zip("pnbrqk", (0, 1, 1, 2, 4, 0)))
# The members of a report that Expected.report does not have, because held() or a test below looks at them otherwise.
OTHERS = {"version", "rules", "against", "bin", "captures", "values", "depths", "causes", "files", "reading",
          "scores_of_mover", "games", "materials", "different", "tenths", "calibration", "played", "warnings", "counts", "sketch"}
PHASES = ["all", "phase 19 and more", "phase 13 to 18", "phase 7 to 12", "phase 0 to 6"]


# ---- Chess -----------------------------------------------------------------------------------------------------------


def captures(board, square=None):
    """Legal captures, of everything or on a square; en passant only as the first one."""
    for source in filter(board.own, range(64)):
        for target in board.targets(source):
            passes = board.is_ep((source, target, None)) and square is None
            if (board.enemy(target) and square in (None, target)) or passes:
                if board.leaves_king_safe((source, target, None)):
                    last = board.at[source].lower() == "p" and target // 8 in (0, 7)
                    yield from ((source, target, p) for p in (("n", "b", "r", "q") if last and square is None else
                                                              ("q",) if last else (None,)))


def exchange(board, move):
    """The value of a move and of all replies on its square, each of which is legal and the best, or none."""
    if board.castles(move):
        return 0
    gain = VALUES[board.at[move[1]].lower()] if board.at[move[1]] != "." else VALUES["p"] * board.is_ep(move)
    gain += VALUES[move[2]] - VALUES["p"] if move[2] else 0
    after = board.copy()
    after.play(move, "always")
    after.ep = None
    return gain - max([0, *(exchange(after, reply) for reply in captures(after, move[1]))])


def material(board):
    sides = ["".join(c for kind in "KQRBNP" for c in board.at if c == (kind if white else kind.lower())).upper()
             for white in (True, False)]
    odd = any(side.count(kind) > 2 for side in sides for kind in "QRBN") or any(side.count("P") > 8 for side in sides)
    return "other" if odd else "v".join(sides)


def key(board):
    """What makes positions equal: the en passant square counts where a capture there is legal."""
    ep = board.ep if board.ep is not None and board.can_take_ep() else None
    return "".join(board.at), board.white, frozenset(board.rooks), ep


def kind_of(board, move):
    if move is None:
        return "none"
    if move[2]:
        return "promotion"
    if board.castles(move):
        return "castling"
    if board.is_ep(move):
        return "en passant"
    return "quiet" if board.at[move[1]] == "." else "capture by " + KINDS[board.at[move[0]].lower()]


def ask(rules, values, questions):
    """The values that the scalar kernel gives, one a line; those that pass at any threshold are 32767."""
    result = run("eval", "--kernel", "scalar", "--rules", rules, *(["--values", values] if values else []),
                 stdin="".join("\t".join(question) + "\n" for question in questions))
    assert result.returncode == 0, result.stderr
    return [32767 if word == "always" else int(word)
            for word in (line.rsplit("\t", 1)[1] for line in result.stdout.decode().splitlines())]


# ---- Counting --------------------------------------------------------------------------------------------------------


def percentiles(numbers):
    """The least number that at least this share does not exceed."""
    ordered = sorted(numbers)
    if not ordered:
        return {"n": 0}
    return {"n": len(ordered), "least": ordered[0], "greatest": ordered[-1],
            **{name: ordered[math.ceil(Fraction(share * len(ordered), 100)) - 1] for name, share in PERCENTILES.items()}}


def logistic(x):
    return 1 / (1 + math.exp(-max(min(x, 600.0), -600.0)))


def least(function, low, high):
    """Where a function with one minimum has it, by golden sections."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = function(a), function(b)
    while high - low > 1e-9 * (abs(low) + abs(high)):
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = function(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = function(b)
    return (low + high) / 2


def bins_of(pairs):
    """{the middle of 16 scores: Counter of results}"""
    bins = {}
    for score, result in pairs:
        bins.setdefault(score // 16 * 16 + 8, Counter())[result] += 1
    return bins


def chances(score, offset, scale):
    return logistic((score - offset) / scale), logistic((-score - offset) / scale)


def errors(bins, offset, scale):
    square = loss = n = 0
    for score, counts in bins.items():
        all_of_bin = sum(counts.values())
        win, lose = chances(score, offset, scale)
        expected, mean = (1 + win - lose) / 2, (counts[2] + counts[1] / 2) / all_of_bin
        bounded = min(max(expected, 1e-12), 1 - 1e-12)
        square += all_of_bin * (expected - mean) ** 2
        loss -= all_of_bin * (mean * math.log(bounded) + (1 - mean) * math.log(1 - bounded))
        n += all_of_bin
    return {"rms": math.sqrt(square / n), "loss": loss / n} if n else {"rms": 0, "loss": 0}


def wdl_loss(bins, offset, scale):
    loss = 0
    for score, counts in bins.items():
        win, lose = chances(score, offset, scale)
        for chance, count in ((win, counts[2]), (1 - win - lose, counts[1]), (lose, counts[0])):
            if count:
                loss -= count * math.log(max(chance, 1e-300))
    return loss


class Expected:
    """Everything, by counting."""

    def __init__(self, rows, rules=("legal",), own_values=True):
        self.rows, self.n = rows, len(rows)
        boards = [Board(row.fen) for row in rows]
        moves = [None if row.move is None else board.move(row.move) for board, row in zip(boards, rows)]
        scores = [row.score for row in rows if row.score is not None]
        self.counted = [score for score in scores if abs(score) != 32002]
        inside = [score for score in self.counted if -32768 <= score < 32768]
        decided = [(row.score, row.result) for row in rows if row.score is not None and row.result in (0, 2) and
                   abs(row.score) != 32002]
        self.phases = [sum(WEIGHTS[c.lower()] for c in board.at if c != ".") for board in boards]
        kinds = [kind_of(board, move) for board, move in zip(boards, moves)]
        checked = [board.in_check() for board in boards]
        self.legal = [sorted(captures(board)) for board in boards]
        if own_values:
            values = [[exchange(board, move) for move in found] for board, found in zip(boards, self.legal)]
        else:
            asked = evaluate(list({row.fen for row in rows}))
            values = [list(asked[row.fen].values()) for row in rows]
            assert [len(each) for each in values] == [len(each) for each in self.legal]
        self.values = [value for each in values for value in each]
        takes = [move is not None and board.is_capture(move) for board, move in zip(boards, moves)]
        tactical = [take or kind == "promotion" for take, kind in zip(takes, kinds)]
        filtered = [take and kind != "en passant" for take, kind in zip(takes, kinds)]
        calm = [not check for check in checked]
        has = [move is not None for move in moves]
        plies = [2 * (max(board.number, 1) - 1) + (not board.white) if row.ply is None else row.ply  # the FEN says it
                 for row, board in zip(rows, boards)]
        self.report = {
            "positions": self.n, "total_captures": len(self.values),
            "with": {"move": sum(has), "score": len(scores), "result": sum(row.result is not None for row in rows),
                     "ply": len(plies)},
            "results": {word: sum(row.result == code for row in rows) for word, code in (("white", 2), ("draw", 1), ("black", 0))},
            "disagreement": {"decided": len(decided), "from": 100, "contradicting": sum(
                score <= -100 if result == 2 else score >= 100 for score, result in decided)},
            "scores": {**percentiles(inside), "zero": scores.count(0), "none": len(scores) - len(self.counted),
                       "mates": sum(31000 <= abs(score) <= 32001 for score in scores),
                       "beyond": len(self.counted) - len(inside)},
            "plies": {**percentiles([ply for ply in plies if 0 <= ply < 1024]),
                      "beyond": sum(not 0 <= ply < 1024 for ply in plies)},
            "pieces": percentiles([64 - board.at.count(".") for board in boards]),
            "phase": percentiles(self.phases),
            "side_to_move": {"white": sum(board.white for board in boards), "black": sum(not board.white for board in boards)},
            "moves": {name: kinds.count(name) for name in (
                "none", "quiet", *("capture by " + kind for kind in KINDS.values()), "promotion", "castling", "en passant")},
            "in_check": sum(checked),
            "quiet": {"no_check": sum(calm), "nnue_pytorch": sum(map(all, zip(calm, has, map(_not, filtered)))),
                      "quiet_move": sum(map(all, zip(calm, has, map(_not, tactical)))),
                      "no_capture": sum(map(all, zip(calm, map(_not, self.legal)))),
                      "quiet": sum(quiet and max(each, default=-1) < 0 and not self._promotes(board)
                                   for quiet, each, board in zip(calm, values, boards))}}
        self.materials = Counter(map(material, boards))
        self.different = len(set(map(key, boards)))
        self.played = [self._played(rule, boards, moves, takes, tactical, values, own_values) for rule in rules]

    @staticmethod
    def _promotes(board):
        """Whether a pawn can become something by a step, and that loses nothing."""
        seventh = [s for s in filter(board.own, range(48, 56) if board.white else range(8, 16)) if board.at[s] in "Pp"]
        return any(move[2] and board.at[move[1]] == "." and exchange(board, move) >= 0
                   for square in seventh for move in board.moves_of(square))

    def _played(self, rule, boards, moves, takes, tactical, values, own_values):
        """How many moves have which value; and how many captures are the best one."""
        rules, _, piece_values = rule.partition(":")
        asked = []
        own = own_values and rule == "legal"
        if own:
            asked = [None if move is None else exchange(board, move) for board, move in zip(boards, moves)]
            best = [max(each, default=None) for each in values]
        else:
            answers = iter(ask(rules, piece_values, [(row.fen, row.move) for row in self.rows if row.move is not None]))
            asked = [None if move is None else next(answers) for move in moves]
            answers = iter(ask(rules, piece_values, [(row.fen,) for row in self.rows]))
            best = [max([next(answers) for _ in each], default=None) for each in self.legal]
        pairs = [(value, noisy) for value, noisy in zip(asked, tactical) if value is not None]
        is_best = [value == most for value, most, take in zip(asked, best, takes) if take]
        return {"moves": len(pairs), "tactical": sum(noisy for _, noisy in pairs), "best_captures": sum(is_best),
                "other_captures": len(is_best) - sum(is_best), "below": [
                    {"threshold": t, "moves": sum(value < t for value, _ in pairs),
                     "tactical": sum(value < t and noisy for value, noisy in pairs)} for t in range(-300, 301, 25)]}

    def pairs(self, phase):
        """Score and result of the records of a phase."""
        low, high = {"all": (0, 999), "19": (19, 999), "13": (13, 18), "7": (7, 12), "0": (0, 6)}[
            phase if phase == "all" else phase.split()[1]]
        return [(row.score, row.result) for row, at in zip(self.rows, self.phases)
                if row.score is not None and row.result is not None and low <= at <= high and -4096 <= row.score < 4096]


def _not(value):
    return not value


def held(report, expected):
    """Asserts that a report says what was counted."""
    assert set(report) - OTHERS == set(expected.report)
    for member, wanted in expected.report.items():
        assert report[member] == wanted, member
    for which, number in (("captures", map(len, expected.legal)), ("values", expected.values)):
        bars = Counter(number)
        for bar in report[which]:
            assert bar["count"] == sum(bars.pop(value, 0) for value in range(bar["from"], bar["to"] + 1)), (which, bar)
        assert not +bars
    shown = report["materials"]
    rest = expected.materials - Counter({each["material"]: each["count"] for each in shown})
    rest.pop("other", None)
    assert all(expected.materials[each["material"]] == each["count"] for each in shown)
    assert [each["count"] for each in shown] == sorted((each["count"] for each in shown), reverse=True)
    assert max(rest.values(), default=0) <= min((each["count"] for each in shown), default=0)
    assert len(shown) == min(20, len(expected.materials) - ("other" in expected.materials))
    if report["different"]["exact"]:
        assert report["different"]["positions"] == expected.different
    assert abs(report["different"]["positions"] - expected.different) <= max(expected.different / 100, 2)
    for got, wanted in zip(report["played"], expected.played):
        assert {member: got[member] for member in wanted} == wanted, got["rules"]
    assert len(report["played"]) == len(expected.played)
    assert [part["phase"] for part in report["calibration"]] == PHASES
    for part in report["calibration"]:
        held_fit(part, expected.pairs(part["phase"]))


def test_every_member_is_documented(tmp_path):
    (tmp_path / "a.fen").write_text("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n")
    documented = set()
    for line in (pathlib.Path(__file__).parents[2] / "docs/stats-json.md").read_text().splitlines():
        if line.startswith("| `"):
            documented |= set(re.findall(r"`(\w+)`", line.split(" | ")[0]))
    assert set(json.loads(well("stats", "--format", "json", "--against", "stockfish", tmp_path / "a.fen"))) == documented


def held_model(got, bins, offset, scale):
    assert got["offset"] == pytest.approx(offset, abs=0.006, rel=1e-4) and got["scale"] == pytest.approx(scale, abs=0.006, rel=1e-4)
    for member, wanted in errors(bins, got["offset"], got["scale"]).items():
        assert got[member] == pytest.approx(wanted, abs=2e-5), member


def held_fit(part, pairs):
    bins = bins_of(pairs)
    assert part["n"] == len(pairs)
    held_model(part["bullet"], bins, 0, 400)
    held_model(part["nnue-pytorch"], bins, 270, 380)
    if part["fit"] is not None:
        inverse = least(lambda x: errors(bins, 0, 1 / x)["loss"], 1e-6, 1)
        information = sum(sum(counts.values()) * score ** 2 * logistic(score * inverse) * (1 - logistic(score * inverse))
                          for score, counts in bins.items())
        if 1 / inverse < 5000:  # beyond that, the minimum is too flat for golden sections
            held_model(part["fit"], bins, 0, 1 / inverse)
            assert part["fit"]["scale_error"] == pytest.approx(inverse ** -2 / math.sqrt(information), abs=0.006, rel=1e-3)
    else:
        results = {result for _, result in pairs}
        assert not {0, 2} <= results or sum((score // 16 * 16 + 8) * (1 - result) for score, result in pairs) >= -1e-3 * len(pairs) * 4096
    if part["fit_wdl"] is not None:  # no step in any direction makes it better
        u, v = 1 / part["fit_wdl"]["scale"], part["fit_wdl"]["offset"] / part["fit_wdl"]["scale"]
        at = wdl_loss(bins, v / u, 1 / u)
        for du, dv in ((1.01, 1), (0.99, 1), (1, 1.01), (1, 0.99), (1.01, 1.01), (0.99, 0.99), (1.01, 0.99), (0.99, 1.01)):
            assert wdl_loss(bins, v * dv / (u * du), 1 / (u * du)) >= at - 1e-9 * abs(at)
        for member, wanted in errors(bins, part["fit_wdl"]["offset"], part["fit_wdl"]["scale"]).items():
            assert part["fit_wdl"][member] == pytest.approx(wanted, abs=2e-5), member


# ---- Records ---------------------------------------------------------------------------------------------------------


MANY = ["QQQQk3/8/8/8/8/8/8/4K3 b - - 0 1", "k7/8/8/NNN5/8/8/8/4K3 w - - 0 1", "8/PPPPPPPP/P6k/8/8/K7/8/8 w - - 0 1"]


def crafted(n, seed):
    """Positions of games, of random play and of Chess960 with all kinds of moves, and labels of which some are missing, marks,
    mates, or beyond what binary formats hold; some come twice."""
    chance = random.Random(seed)
    rows = []
    fens = [fen for file in ("games.fen", "random.fen") for fen in lines_of(file)]
    fens += [line.split(";")[0].strip() for file in ("perft/chess960.epd", "perft/known.epd") for line in lines_of(file)]
    while len(rows) < n:
        board = Board(chance.choice(fens + MANY) if chance.random() < 0.3 else chance.choice(fens))
        board.shredder |= any(s not in (0, 7, 56, 63) for s in board.rooks)
        prefer = chance.choice([Board.is_ep, Board.castles, Board.is_capture, lambda _, move: move[2] is not None, None])
        for _ in range(chance.randrange(1, 12)):
            move = board.random_move(chance, prefer)
            if move is None:
                break
            result = chance.choice([0, 1, 2])
            score = chance.choice([0, 32002, -32002, 32000, -31000, 31999, 30999, 32001, -32768, 32767, 4095, -4096, 4096,
                                   40000, -40000]) if chance.random() < 0.2 else round(chance.gauss(300 * (result - 1), 500))
            # castling is written as king takes rook, which is read in any position
            rows.append(Row(board.fen(), name(move[0]) + name(move[1]) + (move[2] or ""), score, result,
                            chance.choice([0, 1, 57, 1023, 1024, 5000]) if chance.random() < 0.1 else chance.randrange(300)))
            for field in ("move", "score", "result", "ply"):
                if chance.random() < 0.05:
                    setattr(rows[-1], field, None)
            if chance.random() < 0.1:
                rows.append(rows[-1])
            board.play(move, chance.choice(["always", "legal"]))
    return rows[:n]


def report_of(rows, folder, *arguments):
    (folder / "a.csv").write_text(as_table(rows, notes=False))
    return json.loads(well("stats", "--format", "json", *arguments, folder / "a.csv"))


# ---- Every number ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 10000 if LONG else 100 if SANITIZED else 1500])
def test_every_number(tmp_path, n):
    rows = crafted(n, SEED + n)
    rules = ["legal", "swap", "stockfish:208,781,825,1276,2538", "plentychess"]
    expected = Expected(rows, rules)
    options = [word for rule in rules[1:] for word in ("--played", rule)]
    report = report_of(rows, tmp_path, *options)
    held(report, expected)
    assert [(played["rules"], played["values"]) for played in report["played"][:3]] == [
        ("legal", "100,325,325,500,1000"), ("swap", "100,325,325,500,1000"), ("stockfish", "208,781,825,1276,2538")]
    exact = report_of(rows, tmp_path, "--unique", "--threads", "2", *options)
    assert exact["different"]["exact"] and not report["different"]["exact"]
    held(exact, expected)
    assert exact["counts"] == report["counts"] and exact["sketch"] == report["sketch"]


def test_every_number_of_real_data(tmp_path):
    """SEEBATCH_TEST_POSITIONS: a file of at least 100,000 records, in a long run; otherwise the samples of the project."""
    path = os.environ.get("SEEBATCH_TEST_POSITIONS") if LONG else None
    if LONG and path is None:
        pytest.skip("SEEBATCH_TEST_POSITIONS names no file of records")
    most = 100000 if LONG else 60 if SANITIZED else 800
    (tmp_path / "sample.plain").write_bytes(sample("plain"))
    rows = rows_of_tsv(well("convert", "--to", "tsv", path or tmp_path / "sample.plain"))[:most]
    assert len(rows) == most
    expected = Expected(rows, ["legal", "swap"], own_values=not LONG)
    held(report_of(rows, tmp_path, "--played", "swap", "--unique"), expected)
    held(report_of(rows, tmp_path, "--played", "swap"), expected)


def expected_tenths(lines):
    """Of the lines of a CSV without marks in it: what is counted by the tenth of the file in which a line begins."""
    tenths = [Counter() for _ in range(10)]
    size, place = sum(map(len, lines)), len(lines[0])
    for line in lines[1:]:
        _, _, score, result, _ = line.rstrip("\n").split(",")
        at = tenths[10 * place // size]
        score = int(score) if score else None
        at["positions"] += 1
        at["with_score"] += score is not None
        at["none"] += score in (32002, -32002)
        at["zero"] += score == 0
        at["with_result"] += result != ""
        at["draw"] += result == "0.5"
        decided = result in ("0.0", "1.0") and score is not None and abs(score) != 32002
        at["decided"] += decided
        at["contradicting"] += decided and (score >= 100 if result == "0.0" else score <= -100)
        place += len(line)
    return tenths


def test_places(tmp_path):
    """By tenths of the file: against plain counting, in parts that are added, and with sentences about what differs."""
    table = as_table(crafted(100 if SANITIZED else 2000, SEED), notes=False)
    (tmp_path / "a.csv").write_text(table)
    report = json.loads(well("stats", "--format", "json", tmp_path / "a.csv"))
    assert [Counter(tenth) for tenth in report["tenths"]] == expected_tenths(table.splitlines(keepends=True))
    assert sum(tenth["positions"] for tenth in report["tenths"]) == report["positions"]
    both = json.loads(well("stats", "--format", "json", tmp_path / "a.csv", tmp_path / "a.csv"))
    assert both["tenths"] == [{name: 2 * count for name, count in tenth.items()} for tenth in report["tenths"]]
    parts = []
    for i in range(1, 4):
        parts.append(tmp_path / f"{i}.json")
        parts[-1].write_bytes(well("stats", "--format", "json", "--part", f"{i}/3", tmp_path / "a.csv"))
    assert json.loads(well("stats", "--format", "json", *parts))["tenths"] == report["tenths"]
    pipe = json.loads(well("stats", "--format", "json", "--from", "csv", stdin=table))
    assert not any(sum(tenth.values()) for tenth in pipe["tenths"])
    fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 1"
    lines = ["fen,move,score,result,ply\n", *(f"{fen},h1h2,{score},1.0,3\n" for score in 9000 * ["0500"] + 1000 * ["-500"])]
    (tmp_path / "b.csv").write_text("".join(lines))
    text = " ".join(well("stats", tmp_path / "b.csv").decode().replace("\n", " ").split())
    assert ("! Not all places are alike: in the last tenth of the file, scores and results disagree in 100% of the records of decided "
            "games; in the others it is 0.0%.") in text
    lines[1:1] = [f"{fen},h1h2,32002,0.5,3\n" for _ in range(2400)]
    (tmp_path / "b.csv").write_text("".join(lines))
    text = " ".join(well("stats", tmp_path / "b.csv", tmp_path / "b.csv").decode().replace("\n", " ").split())
    assert "in tenths 1 to 2 of the file, 98% of the records have the score 32002; in the others it is 0.0%." in text


@pytest.mark.parametrize("form", ["binpack", "viriformat", "marlinformat", "bulletformat", "plain", "tsv", "jsonl"])
def test_every_format(tmp_path, form):
    """What a file holds is counted as in a table, and the report says what the file is."""
    path = tmp_path / "data"
    if form in ("tsv", "jsonl"):
        rows = rows_of_tsv(well("convert", "--from", "plain", "--to", "tsv", stdin=sample("plain")))
        path.write_text((as_jsonl if form == "jsonl" else as_tsv)(rows, notes=False))
    else:
        path.write_bytes(sample(form))
    report = json.loads(well("stats", "--format", "json", "--from", form, path))
    table = well("convert", "--from", form, "--to", "tsv", path)
    counts, others = report["counts"], json.loads(well("stats", "--format", "json", "--from", "tsv", stdin=table))["counts"]
    games = counts.pop("games", [0, 0])[1]
    tenths = counts.pop("tenths")  # of standard input they are not known
    assert sum(tenths[1::2]) > len(table.splitlines()) - 1
    if form == "bulletformat":  # it has no move numbers, which the table has
        assert others.pop("fields") == [14, 1000] and others.pop("plies") == [0, 1000] and counts.pop("fields") == [6, 1000]
    assert counts == others
    assert report["positions"] == len(rows_of_tsv(table)) and games == report["games"]
    assert (games > 0) == (form in ("binpack", "viriformat"))
    assert report["scores_of_mover"] == (form in ("binpack", "plain", "bulletformat"))
    assert report["reading"]["consumed"] == path.stat().st_size
    assert report["files"] == [{"name": str(path), "format": form, "compressed": False}]


def test_the_fit_finds_the_scale_of_its_results():
    """Results drawn by a logistic function with and without draws: its scale and offset are found within four errors."""
    chance, fen = random.Random(SEED), "8/8/4k3/8/8/4K3/8/8 w - - 0 1"
    for offset, scale in ((0, 350), (250, 120)):
        rows = []
        for _ in range(3000 if SANITIZED else 20000):
            score, luck = round(chance.uniform(-1500, 1500)), chance.random()
            win, lose = chances(score, offset, scale)
            rows.append(Row(fen, None, score, 2 if luck < win else 0 if luck > 1 - lose else 1))
        fit = json.loads(well("stats", "--format", "json", "--from", "tsv", stdin=as_tsv(rows, notes=False)))["calibration"][0]
        if offset == 0:
            assert abs(fit["fit"]["scale"] - scale) < 4 * fit["fit"]["scale_error"] < (0.2 if SANITIZED else 0.1) * scale
            assert fit["fit_wdl"] is None  # there are no draws
        else:
            assert abs(fit["fit_wdl"]["scale"] - scale) < 0.05 * scale and abs(fit["fit_wdl"]["offset"] - offset) < 0.05 * offset


def walks():
    """Kings and knights at all places where nobody is in check."""
    board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    for squares in itertools.permutations(range(64), 4):
        board.at = ["."] * 64
        for square, piece in zip(squares, "KkNn"):
            board.at[square] = piece
        if board.is_sound():
            yield board.fen()


def test_the_estimate_of_different_positions():
    """Within 1% at any size: kings walk over the board, each position is there three times."""
    for n in (10, 1000, 2000 if SANITIZED else 60000):
        fens = list(itertools.islice(walks(), n))
        report = json.loads(well("stats", "--format", "json", stdin="\n".join(fens * 3) + "\n"))
        different = report["different"]["positions"]
        assert report["positions"] == 3 * n and abs(different - n) <= n / 100, (n, different)


# ---- Options ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def halves(tmp_path):
    """Two files of records, the second in another format, and the reports on them as JSON."""
    rows = crafted(60, SEED)
    rows = [row for row in rows if row.score is None or abs(row.score) < 32768]
    (tmp_path / "a.csv").write_text(as_table(rows[:30], notes=False))
    (tmp_path / "b.tsv").write_text(as_tsv(rows[25:], notes=False))
    for name in ("a.csv", "b.tsv"):
        (tmp_path / (name[0] + ".json")).write_bytes(well("stats", "--format", "json", tmp_path / name))
    return tmp_path


def test_reports_are_added(halves):
    whole = json.loads(well("stats", "--format", "json", halves / "a.csv", halves / "b.tsv"))
    assert json.loads(well("stats", "--format", "json", halves / "a.json", halves / "b.json")) == whole
    assert [file["format"] for file in whole["files"]] == ["csv", "tsv"]
    again = well("stats", "--format", "json", halves / "a.json")
    assert again == (halves / "a.json").read_bytes()
    text = well("stats", halves / "a.json", halves / "b.json").decode()
    assert "format several" in text and "reports added 2" in text
    parts = []
    for i in (1, 2, 3):
        parts.append(halves / f"part{i}.json")
        parts[-1].write_bytes(well("stats", "--format", "json", "--part", f"{i}/3", halves / "a.csv", halves / "b.tsv"))
    assert json.loads(well("stats", "--format", "json", *parts)) == whole


def test_reports_that_cannot_be_added(halves):
    def report(number, *arguments):
        (halves / number).write_bytes(well("stats", "--format", "json", *arguments, halves / "a.csv"))
        return halves / number
    for i, options in enumerate((["--rules", "swap"], ["--values", "1,3,3,5,9"], ["--played", "swap"])):
        other = report(f"{i}.json", *options)
        fails(2, run("stats", halves / "a.json", other), f"a.json and {other}: the reports are about different rules or piece values, "
              "expected those of all to be the same")
    (halves / "bins.json").write_bytes(well("stats", "--format", "json", "--bin", "50", halves / "a.csv"))
    fails(2, run("stats", halves / "a.json", halves / "bins.json"), "their values were counted with --bin 100 and --bin 50, expected the "
          "same in all reports")
    fails(2, run("stats", report("c.json", "--against", "swap")), "reports with --against cannot be added")
    fails(2, run("stats", halves / "a.json", halves / "b.tsv"), "b.tsv: it is no report, but others are")
    fails(1, run("stats", halves / "none.json"), "none.json: ")
    for option in (["--unique"], ["--against", "swap"], ["--played", "swap"], ["--values", "1,3,3,5,9"], ["--part", "1/2"],
                   ["--from", "csv"]):
        fails(2, run("stats", *option, halves / "a.json"), "reports (.json) have been counted already")


def test_hostile_reports(halves):
    """Reports that are cut anywhere, or in which a number, a name or a member is wrong, are refused in a sentence, and what
    is not refused adds up."""
    data = (halves / "a.json").read_text()
    path = halves / "bad.json"

    def refused(text, *sentences):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        fails(2, run("stats", path), "bad.json: ", *sentences)
    for end in random.Random(SEED).sample(range(len(data) - 3), 100 if LONG else 8 if SANITIZED else 30):
        refused(data[:end], "no JSON object, or only a part of one")
    refused("", "no JSON object")
    refused("[]", "no JSON object")
    refused("[" * 100000, "no JSON object")
    refused(data.encode().replace(b"a.csv", b"a\0.csv"), "no JSON object")
    refused(data.replace("a.csv", "a\\u0000.csv"), "'name'")
    refused(data.replace('"version": 1', '"version": 2'), "its version is 2, expected 1; count the files again with this program")
    for version in ("-1", "1.5", '"1"', "1e0", "99999999999999999999"):
        refused(data.replace('"version": 1', '"version": ' + version), "'version'")
    report = json.loads(data)

    def with_counts(name, cells):
        return json.dumps({**report, "counts": {**report["counts"], name: cells}})
    for name, cells in report["counts"].items():
        for wrong in ([*cells, 0], [*cells, 10**9, 1], [0, -1], [0, 2**53 + 1], [0, 2**64 + 1], [0, 2**53, 0, 2**53], "x", None):
            refused(with_counts(name, wrong), f"'{name}'")
        one_more = [cells[0], cells[1] + 1, *cells[2:]]
        if name in ("positions", "fields", "sides", "moves", "captures"):
            refused(with_counts(name, one_more), "'counts'")
    refused(with_counts("contradictions", [0, 1, 1, 2]), "'counts'")
    for member in ("counts", "sketch", "files", "reading", "played", "bin", "scores_of_mover", "version"):
        refused(json.dumps({key: value for key, value in report.items() if key != member}), f"'{member}'")
    for sketch in ("~", "A" * (2**18 + 1), "300000A", "99999999999999999999A", "A\\u0041"):
        refused(json.dumps({**report, "sketch": sketch}), "'sketch'")
    large = {**report, "counts": {**report["counts"], "games": [0, 2**53]}}
    path.write_text(json.dumps(large))
    assert json.loads(well("stats", "--format", "json", path))["games"] == 2**53
    fails(2, run("stats", path, path), "the sum of the reports is too large, expected no more than 2^53 of anything")


def test_bytes_of_a_name_that_are_no_text(halves):
    """What stands for them is written again as it was read."""
    damaged, again = halves / "damaged.json", halves / "again.json"
    damaged.write_bytes((halves / "a.json").read_bytes().replace(b'"name": "/', b'"name": "/\xff\xe9', 1))
    first = run("stats", "--format", "json", damaged).stdout
    again.write_bytes(first)
    assert "/\ufffd\ufffd" in json.loads(first)["files"][0]["name"]
    assert run("stats", "--format", "json", again).stdout == first


def test_reports_with_bytes_that_changed(halves):
    """A report is refused in a sentence or read, and what was read is written and read again as the same."""
    chance, data, path = random.Random(SEED + 7), (halves / "a.json").read_bytes(), halves / "changed.json"
    words = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"-1", b"9" * 30, b"null", b"\\u0000", b"\xff", b"\n", b"0", b""]
    read = 0
    for i in range(200 if LONG else 10 if SANITIZED else 60):
        changed = bytearray(data)
        for _ in range(chance.choice([1, 1, 1, 2, 5]) if i > 0 else 0):  # the first one is as it was
            at = chance.choice([chance.randrange(len(changed)), chance.randrange(2500)])
            length = chance.choice([0, 1, 1, chance.randrange(40)])
            changed[at:at + length] = chance.choice([chance.choice(words), bytes([chance.randrange(256)]), data[at + 9:at + 40]])
        path.write_bytes(changed)
        done = run("stats", "--format", "json", path)
        assert done.returncode in (0, 1, 2), done
        if done.returncode == 2:
            lines = done.stderr.decode(errors="replace").splitlines()
            assert len(lines) == 1 and "changed.json: " in lines[0] and done.stdout == b"", lines
            continue
        read += 1
        (halves / "again.json").write_bytes(done.stdout)
        assert run("stats", "--format", "json", halves / "again.json").stdout == done.stdout
    assert read > 0


def test_files_side_by_side(halves):
    page = halves / "page.html"
    text = well("stats", "--by-file", "--html", page, halves / "a.csv", halves / "b.tsv").decode()
    assert re.search(r"File: format +csv +tsv\n", text) and re.search(r"File: positions +\d+ +\d+\n", text)
    assert text == well("stats", "--by-file", halves / "a.json", halves / "b.json").decode()
    shown = page.read_text()
    assert shown.startswith("<!DOCTYPE html>") and "a.csv" in shown and "b.tsv" in shown and "<script" not in shown
    fails(2, run("stats", "--by-file", "--format", "json", halves / "a.csv", halves / "b.tsv"), "--by-file: several reports have no --format")
    fails(2, run("stats", "--by-file", *9 * [halves / "a.csv"]), "--by-file: there are 9 files, expected at most 8")
    alone = well("stats", "--format", "json", "--by-file", halves / "a.csv")
    assert alone == (halves / "a.json").read_bytes()


def test_pages_and_pictures_over_files(halves):
    for option, ending in (("--html", "html"), ("--svg", "svg")):
        path = halves / f"x.{ending}"
        well("stats", option, path, halves / "a.csv")
        first = path.read_bytes()
        well("stats", option, path, halves / "b.tsv")
        assert path.read_bytes() != first and f"<{ending}".encode() in first
        other = halves / "other.txt"
        other.write_text("mine")
        fails(2, run("stats", option, other, halves / "a.csv"), f"'{other}' exists and is not an {ending.upper()} file")
        fails(2, run("stats", option, halves / "a.csv", halves / "a.csv"), "is a file of the input")
        assert other.read_text() == "mine"
        says(1, run("stats", "--quiet", option, halves / "no" / "x", halves / "a.csv"), "no/x")


def test_damage_is_reported(tmp_path):
    """Status 1, a sentence in the report, and numbers about what was read; --strict stops."""
    good = as_table(crafted(20, SEED), notes=False).splitlines(keepends=True)
    path = tmp_path / "bad.csv"
    path.write_text("".join([*good[:11], "8/8/8/8/8/8/8/8 w - - 0 1,,,,\n", *good[11:]]))
    result = run("stats", path)
    says(1, result, "bad.csv:12: ")
    assert "! 1 record is wrong and left out of this report." in result.stdout.decode()
    report = json.loads(run("stats", "--format", "json", path).stdout)
    assert report["reading"]["bad"] == 1 and report["positions"] == 20
    (tmp_path / "bad.json").write_bytes(run("stats", "--format", "json", path).stdout)
    says(1, run("stats", tmp_path / "bad.json"))
    says(1, run("stats", "--strict", path), "bad.csv:12: ")
    cut = tmp_path / "cut.binpack"
    cut.write_bytes(sample("binpack")[:-500])
    result = run("stats", cut)
    says(1, result, "cut.binpack: ")
    assert "! The input is damaged or cut off" in result.stdout.decode()
    (tmp_path / "empty.fen").write_bytes(b"")
    result = run("stats", "--svg", tmp_path / "empty.svg", "--html", tmp_path / "empty.html", tmp_path / "empty.fen")
    says(1, result, "no position was found in it")
    assert "! There are no positions in the input." in result.stdout.decode()
    (tmp_path / "empty.json").write_bytes(run("stats", "--format", "json", tmp_path / "empty.fen").stdout)
    assert json.loads((tmp_path / "empty.json").read_text())["reading"]["empty_files"] == 1
    says(1, run("stats", tmp_path / "empty.json"))
    says(1, run("stats"), "no position was found in it")
    (tmp_path / "good.csv").write_text("".join(good))
    for wrong in (["--strict"], []):
        result = run("stats", *wrong, tmp_path / "good.csv", tmp_path / "empty.fen")
        says(1, result, "empty.fen: warning: no position")
        assert "! 1 file has no positions." in result.stdout.decode() and "positions 20" in result.stdout.decode()
    (tmp_path / "own.binpack").write_bytes(sample("binpack"))
    result = run("stats", cut, tmp_path / "own.binpack", tmp_path / "empty.fen", path)
    says(1, result)
    assert "format several" in result.stdout.decode() and "! The input is damaged or cut off" in result.stdout.decode()


@pytest.mark.parametrize("arguments, sentence", [
    ("--played swp", "--played: "), ("--played swap:1,2,3", "--played: "), ("--played " + "s" * 200, "too long for a rule set"),
    (" ".join(["--played swap"] * 8), "is one too many, expected at most 7"), ("--played swap:", "--played: "),
    ("--played swap:1,2,3,4,99999", "--played: "), ("--html", "requires an argument")])
def test_wrong_options(arguments, sentence):
    fails(2, run("stats", *arguments.split(" ")), sentence)


@pytest.mark.parametrize("option", [[], ["--unique"]])
def test_the_records_of_a_run_do_not_depend_on_threads(halves, option):
    """Nor on the number of files read, and --unique reads twice, but counts once."""
    reports = [json.loads(well("stats", "--format", "json", "--threads", n, *option, halves / "a.csv", halves / "b.tsv"))
               for n in (1, 2, 5)]
    assert reports[0] == reports[1] == reports[2]
