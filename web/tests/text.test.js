// Positions, moves and games as text, beside chess.js; no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chess } from "chess.js";
import { Seebatch } from "../../bindings/javascript/index.js";
import { exchangeOf, legalMoves, movesWithValues, USUAL_VALUES, whatHangs } from "../src/analysis.js";
import { play, readFen, readSan, squareName, squareOf, writeFen, writeSan } from "../src/chess.js";
import { readGames } from "../src/pgn.js";
import { data, PLAIN, START } from "./data.js";

test("moves and SAN are those of chess.js", async () => {
    const seebatch = await Seebatch.load();
    const games = data("games.fen").filter((_, i) => i % 20 === 0),
        odd = [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
            "8/8/8/KPpr3k/8/8/8/8 w - c6 0 2",
            "k7/8/N1N5/8/N7/8/8/7K w - - 0 1",
            "7k/8/5KQ1/8/8/8/8/R7 w - - 0 1",
        ];
    for (const fen of [...games, ...odd]) {
        const chess = new Chess(fen),
            position = readFen(fen),
            moves = legalMoves(seebatch, fen);
        const expected = new Map(
            chess.moves({ verbose: true }).map((move) => [move.from + move.to + (move.promotion ?? ""), move]),
        );
        assert.deepEqual([...moves].sort(), [...expected.keys()].sort(), fen);
        for (const move of moves) {
            const { san, after: fenAfter } = expected.get(move);
            assert.equal(writeSan(position, move, moves), san.replace("#", "+"), fen);
            assert.equal(readSan(position, san, moves), move);
            assert.equal(readSan(position, move, moves), move);
            const fields = ([board, turn, castling, , halfmoves, number]) => [board, turn, castling, halfmoves, number];
            assert.deepEqual(fields(writeFen(play(position, move)).split(" ")), fields(fenAfter.split(" ")));
        }
    }
    for (const [fen, move, san, next] of [
        ["rk4r1/8/8/8/8/8/8/RK4R1 w KQkq - 0 1", "b1a1", "O-O-O", "rk4r1/8/8/8/8/8/8/2KR2R1 b kq - 1 1"],
        ["6kr/8/8/8/8/8/8/R5KR b HAh - 4 9", "g8h8", "O-O", "5rk1/8/8/8/8/8/8/R5KR w HA - 5 10"],
    ]) {
        assert.equal(writeSan(readFen(fen), move, legalMoves(seebatch, fen)), san);
        assert.equal(readSan(readFen(fen), san, legalMoves(seebatch, fen)), move);
        assert.equal(writeFen(play(readFen(fen), move)), next);
    }
    assert.equal(readSan(readFen(START), "Nd2", legalMoves(seebatch, START)), null);
});

test("exchanges in bulk: swap lists add up, boards follow the captures, all refused have sentences", async () => {
    const seebatch = await Seebatch.load();
    const passed = "4kb2/8/8/3pP3/8/8/8/3RK3 w - d6 0 1",
        fens = [
            passed,
            ...data("cases.tsv")
                .filter((line) => /^[^#]/.test(line))
                .map((line) => line.split("\t")[0]),
        ];
    let refusals = 0,
        stops = 0;
    for (const fen of [...new Set(fens), ...data("games.fen").filter((_, i) => i % 100 === 0)]) {
        for (const rules of seebatch.ruleSets) {
            const options = { rules, values: USUAL_VALUES };
            const squares = whatHangs(seebatch, fen, options).map((each) => ({
                square: squareName(each.square),
                hangs: each.value,
            }));
            const moves = movesWithValues(seebatch, fen, options).filter((each) => each.isCapture);
            for (const subject of [...moves, ...squares]) {
                const exchange = exchangeOf(seebatch, fen, subject, options);
                if (exchange.reason) continue;
                const { steps, boards, refused, stop, value } = exchange;
                steps.forEach(({ wins, gain }, i) => assert.equal(gain, wins - (steps[i - 1]?.gain ?? 0), fen));
                boards.slice(1).forEach((board, i) => assert.equal(board[squareOf(steps[i].from)], null));
                for (const { sentence, from } of refused) assert.ok(sentence.includes(` on ${from} may not recapture`));
                const best = stop % 2 ? steps[stop - 1]?.gain : -steps[stop - 1]?.gain;
                if (steps.length) assert.equal(value, best + 0, `${fen} ${exchange.move} ${rules}`);
                if (subject.hangs !== undefined && subject.hangs !== value) {
                    const moves = legalMoves(seebatch, exchange.fen).filter(
                        (move) => move.slice(2, 4) === subject.square,
                    );
                    assert.ok(!seebatch.order(exchange.fen, moves, options).values.includes(subject.hangs));
                    assert.notEqual(rules, "legal");
                }
                refusals += refused.length;
                stops += stop < steps.length;
            }
        }
    }
    assert.ok(refusals > 100 && stops > 100);
    const counts = ["swap", "stormphrax"].map((rules) => {
        const { boards, note } = exchangeOf(seebatch, passed, { move: "e5d6" }, { rules, values: USUAL_VALUES });
        return [boards[1].filter(Boolean).length, note];
    });
    const stays = "Under these rules the pawn on d5 stays, and hides what stands behind it.";
    assert.deepEqual(counts, [
        [5, ""],
        [6, stays],
    ]);
});

test("games of a PGN", () => {
    const games =
        readGames(`[White "A \\"B\\""]\n[Black "C"]\n\n1. e4 {a [Tag "no"] ( here} (1. d4 d5 (1... Nf6)) 1... e5!? $14
        ; a comment\n% passed over\n2.Nf3 Nc6 1/2-1/2\n\n[White "D"]\n[FEN "${PLAIN}"]\n1... Qxe5 2. 0-0 *`);
    assert.deepEqual(
        games.map(({ words }) => words.join(" ")),
        ["e4 e5!? Nf3 Nc6", "Qxe5 0-0"],
    );
    assert.deepEqual(
        games.map(({ tags }) => [tags.White, tags.FEN]),
        [
            ['A "B"', undefined],
            ["D", PLAIN],
        ],
    );
    assert.deepEqual(readGames("1. e4 e5"), [{ tags: {}, words: ["e4", "e5"] }]);
    assert.deepEqual(readGames("nothing"), []);
});
