// How many exchanges a second the package evaluates: scalar code beside SIMD128, and one question by FEN beside
// chess.js.
//
//   npm run bench -- [--rounds N] [--rules NAME] [POSITIONS]
//
// POSITIONS is a FEN a line; bench/data/positions.fen where it is not given. A call has 512 positions: so short a
// call is seldom interrupted where others share the core. All answers are compared first. Then the kernels take
// turns, call by call, and each call counts with the lower quartile of its N rounds (25). A JSON object a line is
// printed: shape (bulk: captures; bulk-all: all legal moves; fen: the value of one capture, from text to number),
// form (value; ge: whether a threshold is reached, 0 or -50), kernel, see_per_second. V8 compiles the modules with
// TurboFan alone: otherwise the first rounds, or on a busy machine all, run what its quick compiler made.
//
// Exit status: 0; 1 if an answer is wrong or a position cannot be read; 2 for bad usage.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Seebatch } from "seebatch";

const POSITIONS_PER_CALL = 512;
const QUESTIONS = 400;
const SHAPES = [
    { name: "bulk", moves: "captures", threshold: 0 },
    { name: "bulk-all", moves: "all", threshold: -50 },
];

function usage(message) {
    console.error(`bench: ${message}`);
    console.error("usage: npm run bench -- [--rounds N] [--rules NAME] [POSITIONS]");
    process.exit(2);
}

function readOptions() {
    try {
        const { values, positionals } = parseArgs({
            allowPositionals: true,
            options: { rounds: { type: "string", default: "25" }, rules: { type: "string", default: "swap" } },
        });
        const rounds = Number(values.rounds);
        if (!(Number.isInteger(rounds) && rounds > 0))
            usage(`--rounds ${values.rounds}: expected a whole number from 1 on`);
        if (positionals.length > 1) usage(`${positionals.length} arguments, expected a file of positions`);
        const positions = positionals[0] ?? new URL("../../../bench/data/positions.fen", import.meta.url);
        return { rounds, rules: values.rules, positions };
    } catch (error) {
        return usage(error.message);
    }
}

function fail(message) {
    console.error(`bench: ${message}`);
    process.exit(1);
}

// On a machine that others share it varies less than the median.
function lowerQuartile(numbers) {
    return [...numbers].sort((a, b) => a - b)[numbers.length >> 2];
}

function time(run) {
    const start = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - start) * 1e-9;
}

// Subjects, each { kernel, calls }, take turns: their functions number 0, then those number 1, and so on.
function measure(shape, form, exchanges, rounds, subjects) {
    const seconds = subjects.map(({ calls }) => calls.map(() => []));
    for (let round = 0; round < rounds; round++)
        subjects[0].calls.forEach((_, call) =>
            subjects.forEach(({ calls }, i) => seconds[i][call].push(time(calls[call]))),
        );
    subjects.forEach(({ kernel }, i) => {
        const pass = seconds[i].reduce((sum, rounds) => sum + lowerQuartile(rounds), 0);
        console.log(JSON.stringify({ shape, form, kernel, see_per_second: Math.round(exchanges / pass) }));
    });
}

// ---- Many positions ----

function measureShape({ name, moves, threshold }, libraries, parts, { rounds, rules }) {
    const batches = libraries.map((library) => parts.map((part) => library.positions(part, { moves })));
    const exchanges = batches[0].reduce((sum, batch) => sum + batch.size, 0);
    parts.forEach((_, i) => {
        const [expected, got] = batches.map((of) => of[i].values({ rules }).join());
        const [scalar, simd] = batches.map((of) => of[i].ge(threshold, { rules }).join());
        if (got !== expected || scalar !== simd)
            fail(`${name}, rules ${rules}: the kernels differ from position ${i * POSITIONS_PER_CALL} on`);
    });
    for (const [form, Type, run] of [
        ["value", Int16Array, (batch, into) => batch.values({ rules, into })],
        ["ge", Uint8Array, (batch, into) => batch.ge(threshold, { rules, into })],
    ]) {
        measure(
            name,
            form,
            exchanges,
            rounds,
            libraries.map(({ kernel }, i) => ({
                kernel,
                calls: batches[i].map((batch) => {
                    const into = new Type(form === "value" ? batch.size : Math.ceil(batch.size / 8));
                    return () => run(batch, into);
                }),
            })),
        );
    }
    batches.flat().forEach((batch) => batch.dispose());
}

// ---- One question by FEN ----

const VALUES = { p: 100, n: 325, b: 325, r: 500, q: 1000, k: 0 };

// What a side wins on a square when it has the turn, by legal captures, the best of them or none. on: what stands
// there.
function bestOn(chess, square, on) {
    let best = 0;
    const captures = chess
        .attackers(square, chess.turn())
        .flatMap((from) => chess.moves({ square: from, verbose: true }));
    for (const move of captures) {
        if (move.to !== square || (move.promotion ?? "q") !== "q") continue;
        chess.move(move);
        const promoted = move.promotion ? VALUES.q - VALUES.p : 0;
        best = Math.max(best, VALUES[on] + promoted - bestOn(chess, square, move.promotion ?? move.piece));
        chess.undo();
    }
    return best;
}

// The value of a move as one who has chess.js finds it out.
function valueByChess(Chess, fen, uci) {
    const chess = new Chess(fen);
    const move = chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
    const promoted = move.promotion ? VALUES[move.promotion] - VALUES.p : 0;
    return VALUES[move.captured ?? "k"] + promoted - bestOn(chess, move.to, move.promotion ?? move.piece);
}

async function measureQuestion(libraries, fens, { rounds }) {
    const questions = [];
    for (const fen of fens.slice(0, 4 * QUESTIONS)) {
        const [move] = libraries[0].order(fen).moves;
        if (move && questions.length < QUESTIONS) questions.push([fen, move]);
    }
    const all = (see) => () => questions.map(([fen, move]) => see(fen, move));
    const subjects = libraries.map((library) => ({
        kernel: library.kernel,
        calls: [all((fen, move) => library.see(fen, move))],
    }));
    try {
        const { Chess } = await import("chess.js");
        subjects.push({ kernel: "chess.js", calls: [all((fen, move) => valueByChess(Chess, fen, move))] });
    } catch (error) {
        if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
        console.error("SKIPPED: chess.js, which is not installed (npm install)");
    }
    const [expected, ...others] = subjects.map(({ calls: [run] }) => run());
    for (const got of others)
        got.forEach((value, i) => value === expected[i] || fail(`${questions[i]}: ${value}, expected ${expected[i]}`));
    measure("fen", "value", questions.length, rounds, subjects);
}

async function main() {
    const options = readOptions();
    setFlagsFromString("--no-liftoff");
    const fens = readFileSync(options.positions, "utf8")
        .split(/\r?\n/)
        .filter((line) => line && !line.startsWith("#"));
    const libraries = [await Seebatch.load({ simd: false }), await Seebatch.load({ simd: true })];
    const parts = [];
    for (let first = 0; first < fens.length; first += POSITIONS_PER_CALL)
        parts.push(fens.slice(first, first + POSITIONS_PER_CALL));
    for (const shape of SHAPES) measureShape(shape, libraries, parts, options);
    await measureQuestion(libraries, fens, options);
}

main().catch((error) => fail(error.message));
