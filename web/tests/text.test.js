// Positions, moves and games as text, beside chess.js; no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chess } from "chess.js";
import { Seebatch } from "../../bindings/javascript/index.js";
import { legalMoves } from "../src/analysis.js";
import { play, readFen, readSan, writeFen, writeSan } from "../src/chess.js";
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
    assert.equal(readSan(readFen(START), "Nd2", legalMoves(seebatch, START)), null);
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
