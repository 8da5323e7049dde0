// The answers are those of the command-line tool: on thousands of positions, under every rule set, by both modules,
// each loaded from its file and from bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exchangeShapes, hanging, hangingShapes } from "seebatch/chessground";
import { FEN, fens, tool, ways } from "./support.js";

const [{ library: first }] = ways;
const rows = (args) => tool(args).map((line) => line.split("\t").slice(1));
const legal = rows(["eval", "--moves", "all"]);
const san = rows(["eval", "--moves", "all", "--notation", "san"]);
const few = fens.filter((_, i) => i % 40 === 0);

test("every rule set of the tool", () => {
    assert.deepEqual(
        first.ruleSets,
        tool(["info"], null)
            .join("\n")
            .match(/Rule sets:\s+(.*)/)[1]
            .split(" "),
    );
});

for (const { name, kernel, library } of ways) {
    const batch = library.positions(fens, { moves: "all" });
    test(`${name}: kernel and moves`, () => {
        assert.equal(library.kernel, kernel);
        assert.equal(batch.length, fens.length);
        assert.deepEqual(
            Array.from(batch.moves, (move) => library.uci(move)),
            legal.map(([move]) => move),
        );
        assert.equal(batch.offsets[fens.length], batch.size);
        const texts = fens.map((_, i) => san.slice(batch.offsets[i], batch.offsets[i + 1]).map(([move]) => move));
        assert.deepEqual(library.positions(fens, { moves: texts }).moves, batch.moves);
        const captures = library.positions(fens.join("\n"));
        assert.deepEqual(
            Array.from(captures.moves, (move) => library.uci(move)),
            rows(["eval"]).map(([move]) => move),
        );
    });
}

for (const rules of first.ruleSets) {
    test(`values, thresholds and maps, ${rules}`, () => {
        const values = Int16Array.from(rows(["eval", "--moves", "all", "--rules", rules]), ([, value]) => value);
        const flags = rows(["eval", "--moves", "all", "--rules", rules, "--threshold", "-50"]).map(
            ([, flag]) => flag === "1",
        );
        const thresholds = values.map((value, k) => (value === 32767 ? value : value + (k % 3) - 1));
        const hanging = new Map(fens.map((fen) => [fen, []]));
        for (const line of tool(["map", "--format", "tsv", "--rules", rules])) {
            const [fen, ...row] = line.split("\t");
            hanging.get(fen).push(row.join(" "));
        }
        for (const { name, library } of ways) {
            const batch = library.positions(fens, { moves: "all" });
            assert.deepEqual(batch.values({ rules }), values, name);
            const mask = batch.ge(-50, { rules }),
                each = batch.ge(thresholds, { rules });
            flags.forEach((flag, k) => assert.equal(((mask[k >> 3] >> (k & 7)) & 1) === 1, flag, `${name}, move ${k}`));
            values.forEach((value, k) =>
                assert.equal(((each[k >> 3] >> (k & 7)) & 1) === 1, value >= thresholds[k], `${name}, move ${k}`),
            );
            const maps = batch.maps({ rules });
            fens.forEach((fen, i) => assert.deepEqual(hangingIn(maps.subarray(128 * i)), hanging.get(fen).sort(), fen));
            batch.dispose();
        }
    });
}

// Rows as the tool prints them.
function hangingIn(map) {
    const rows = [];
    for (let k = 0; k < 128; k++)
        if (map[k] > 0) rows.push(`${"wb"[k >> 6]} ${"abcdefgh"[k & 7]}${((k >> 3) & 7) + 1} ${map[k]}`);
    return rows.sort();
}

test("one position at a time gives what batches give", () => {
    for (const { library } of ways) {
        for (const rules of library.ruleSets) {
            const batch = library.positions(few),
                values = batch.values({ rules }),
                maps = batch.maps({ rules });
            few.forEach((fen, i) => {
                for (let k = batch.offsets[i]; k < batch.offsets[i + 1]; k++) {
                    const uci = library.uci(batch.moves[k]);
                    assert.equal(library.see(fen, uci, { rules }), values[k]);
                    assert.equal(library.see(fen, batch.moves[k], { rules }), values[k]);
                    assert.equal(library.ge(fen, uci, values[k], { rules }), true);
                    assert.equal(values[k] < 32767 && library.ge(fen, uci, values[k] + 1, { rules }), false);
                }
                const { white, black } = library.map(fen, { rules });
                assert.deepEqual([...white, ...black], [...maps.subarray(128 * i, 128 * i + 128)]);
            });
        }
    }
});

test("shapes: a circle for each piece that hangs, then an arrow for the capture that is worth it", () => {
    const [{ library }] = ways,
        rules = "swap",
        arrows = { red: 0, yellow: 0 };
    for (const fen of fens.filter((_, i) => i % 10 === 0)) {
        const [pieces, turn, castling, passed, ...clocks] = fen.split(" ");
        const passing = [pieces, turn === "w" ? "b" : "w", castling, "-", ...clocks].join(" ");
        const shapes = hangingShapes(library, fen, { rules }),
            circles = shapes.filter(({ dest }) => !dest),
            { white, black } = library.map(fen, { rules });
        const won = white.filter((value, square) => value || black[square]).length;
        assert.ok(circles.length === won || (passed !== "-" && circles.length === won + 1), fen);
        shapes.forEach(({ orig, dest, brush }, i) => {
            if (!dest) return;
            const { moves, values } = library.order(brush === "red" ? fen : passing, null, { rules });
            const best = values[moves.findIndex((move) => move.startsWith(orig + dest))];
            assert.equal(shapes[i - 1].label.text, String(best / 100), `${fen}, ${orig}${dest}`);
            assert.ok(shapes[i - 1].orig === dest || dest === passed);
            arrows[brush]++;
        });
    }
    assert.ok(arrows.red > 50 && arrows.yellow > 50);
    assert.throws(() => hangingShapes(library, "bad"), /expected 8 separated/);
});

test("shapes: the captures of an exchange, as far as both sides play on", () => {
    const [{ library }] = ways;
    const lines = exchangeShapes(library, FEN, "Nxe5", { brushes: { black: "red" } }).map(
        ({ orig, dest, brush, label }) => `${label.text} ${orig}${dest} ${brush}`,
    );
    assert.deepEqual(lines, ["1 d3e5 green", "2 d7e5 red"]);
    assert.throws(() => exchangeShapes(library, FEN, "Nxe6"), /Nxe6/);
});

// With the real packages, where they are installed.
const imported = (name) => import(name).catch(() => null);
const [chessjs, chessops, chessopsFen, chessopsVariant] = await Promise.all(
    ["chess.js", "chessops", "chessops/fen", "chessops/variant"].map(imported),
);
const some = [...fens.filter((_, i) => i % 40 === 0), "r3k2r/pPpppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"];

test("positions of chess.js", { skip: !chessjs && "there is no chess.js here (npm install)" }, () => {
    const [{ library }] = ways,
        boards = some.map((fen) => new chessjs.Chess(fen, { skipValidation: true }));
    for (const board of boards) {
        assert.equal(library.fen(board), board.fen());
        assert.deepEqual(library.map(board), library.map(board.fen()));
        assert.deepEqual(hangingShapes(library, board), hangingShapes(library, board.fen()));
        for (const move of board.moves({ verbose: true }).slice(0, 3))
            assert.deepEqual(exchangeShapes(library, board, move), exchangeShapes(library, board.fen(), move.san));
    }
    const both = [boards, boards.map((board) => board.fen())].map((list) => library.positions(list).values());
    assert.deepEqual(both[0], both[1]);
});

test("positions of chessops", { skip: !chessops && "there is no chessops here (npm install)" }, () => {
    const [{ library }] = ways,
        of960 = ["r1k1r3/8/8/8/8/8/8/R1K1R3 w EAea - 0 1", "1r1kr3/8/8/8/8/8/8/RRR1K1RR w GBeb - 3 9", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7"];
    let positions = 0;
    for (const fen of [...some, ...of960]) {
        const setup = chessopsFen.parseFen(fen).unwrap();
        assert.equal(library.fen(setup), chessopsFen.makeFen(setup));
        const position = chessops.Chess.fromSetup(setup);
        if (position.isErr) continue; // checks that no game can have
        positions++;
        assert.equal(library.fen(position.value), chessopsFen.makeFen({ ...position.value.toSetup(), epSquare: position.value.epSquare }));
        assert.deepEqual(library.map(position.value), library.map(fen));
        assert.deepEqual(hanging(library, position.value), hanging(library, fen));
    }
    assert.ok(positions > 50);
    const { defaultPosition } = chessopsVariant;
    for (const rules of ["3check", "crazyhouse", "atomic", "kingofthehill"]) {
        const board = defaultPosition(rules);
        assert.throws(() => library.map(board), /^TypeError: position: expected a position of chess, found one of a variant$/, rules);
        if (board.pockets || board.remainingChecks) assert.throws(() => library.map(board.toSetup()), /a variant$/, rules);
    }
});

test("hanging: the pawn that can be taken en passant, which map() does not know", () => {
    const [{ library }] = ways,
        fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert.deepEqual(library.map(fen).white, new Int16Array(64));
    assert.deepEqual(hanging(library, fen), [
        { square: 35, piece: "p", color: "black", value: 100, isNow: true, isEnPassant: true, reason: null },
    ]);
    for (const each of fens.filter((_, i) => i % 50 === 0)) {
        const { white, black } = library.map(each, { rules: "swap" });
        for (const { square, color, value, isEnPassant } of hanging(library, each, { rules: "swap" }))
            assert.ok(isEnPassant || value === (color === "white" ? black : white)[square], each);
    }
});

test("a getter of a move that asks the library itself changes no answer", () => {
    const [{ library }] = ways;
    const move = {
        get from() {
            library.see("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2", { rules: "swap", values: [1, 1, 1, 1, 1] });
            return "d3";
        },
        to: "e5",
    };
    assert.deepEqual([library.see(FEN, move), library.ge(FEN, move, -225), library.explain(FEN, move).value], [-225, true, -225]);
});

test("moves of chess.js", { skip: !chessjs && "there is no chess.js here (npm install)" }, () => {
    const [{ library }] = ways;
    for (const fen of some) {
        const moves = new chessjs.Chess(fen, { skipValidation: true }).moves({ verbose: true });
        assert.deepEqual(
            moves.map((move) => library.see(fen, move)),
            moves.map((move) => library.see(fen, move.san)),
        );
        const { values } = library.order(fen, moves);
        assert.equal(values.length, library.positions([fen], { moves: "all" }).size);
    }
});

test("moves of chessops", { skip: !chessops && "there is no chessops here (npm install)" }, () => {
    const [{ library }] = ways;
    for (const fen of some) {
        const board = chessops.Chess.fromSetup(chessopsFen.parseFen(fen).unwrap());
        if (board.isErr) continue; // checks that no game can have
        const moves = [];
        for (const [from, squares] of board.value.allDests()) {
            for (const to of squares) {
                const last = board.value.board.pawn.has(from) && (to < 8 || to > 55);
                for (const promotion of last ? ["queen", "rook", "bishop", "knight"] : [undefined])
                    moves.push({ from, to, promotion });
            }
        }
        // Castling is king takes rook there, and the king's two squares, too.
        const batch = library.positions([fen], { moves: [moves] });
        assert.deepEqual(
            [...new Set(batch.moves)].sort(),
            [...library.positions([fen], { moves: "all" }).moves].sort(),
            fen,
        );
        batch.dispose();
    }
});

test("order: the best first, and how many are good", () => {
    for (const { library } of ways) {
        for (const fen of few) {
            const { moves, values, good } = library.order(fen, null, { threshold: 50 });
            moves.forEach((move, k) => assert.equal(library.see(fen, move), values[k]));
            assert.deepEqual(
                values,
                [...values].sort((a, b) => b - a),
            );
            assert.equal(good, values.filter((value) => value >= 50).length);
            assert.deepEqual(library.order(fen, moves.slice(1)).values, values.slice(1));
        }
    }
});

test("explain: the tool's sentences, and the same as data", () => {
    for (const { name, library } of ways.filter((way) => way.name.endsWith("file"))) {
        for (const rules of library.ruleSets) {
            for (const fen of few.filter((_, i) => i % 10 === 0)) {
                for (const move of library.order(fen).moves.slice(0, 2)) {
                    const explained = library.explain(fen, move, { rules });
                    const expected = tool(["explain", "--rules", rules, fen, move], null).slice(2);
                    assert.deepEqual(
                        explained.text.trimEnd().split("\n"),
                        expected,
                        `${name}, ${fen}, ${move}, ${rules}`,
                    );
                    checkData(explained, library.see(fen, move, { rules }));
                }
            }
        }
    }
});

function checkData({ value, captures, nextGain, refusals, text }, see) {
    assert.equal(value, see);
    assert.equal(captures.length > 0 ? captures[0].best : value, value);
    if (captures.length > 0)
        assert.ok(
            text.includes(
                `Swap list: ${captures.map((step) => step.gain).join(", ")}${
                    nextGain === null ? "" : `, (${nextGain})`
                }\n`,
            ),
        );
    for (const { from, color, piece, reason } of refusals) {
        assert.ok(text.includes(`${color}'s ${piece} on ${from} may not recapture: `));
        assert.ok(reason);
    }
}

test("values of the caller's, for pieces and answers", () => {
    for (const { library } of ways) {
        const values = [1, 3, 3, 5, 9];
        assert.deepEqual(
            library.order(FEN, null, { rules: "swap", values }).values,
            tool(["eval", "--rules", "swap", "--values", values.join()], [FEN])
                .map((line) => Number(line.split("\t")[2]))
                .sort((a, b) => b - a),
        );
        assert.equal(library.see(FEN, "d3e5"), -225); // the usual values again
        const batch = library.positions([FEN]),
            into = new Int16Array(3),
            mask = new Uint8Array(1);
        assert.equal(batch.values({ into }), into);
        assert.deepEqual([...into], [-225, -225, -400]);
        assert.equal(batch.ge(-225, { into: mask }), mask);
        assert.equal(mask[0], 3);
    }
});
