// Whether what the page teaches is also good chess: `node lessons.mjs PACKAGE [ENGINE]`, run before a release. PACKAGE is the package
// for JavaScript with its modules built, ENGINE a UCI engine (default: stockfish). In every
// example and every exercise where something hangs, one of the captures that win what hangs most must be about as good as
// the engine's best move, and must not miss a mate.
// Exit status: 0 if it is, 1 if a position teaches a bad move, 2 for bad usage.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";
import { TEXTBOOK_VALUES } from "./src/analysis.js";
import { EXAMPLES } from "./src/choices.js";
import { POSITIONS } from "./src/exercises.js";

const [folder, program = "stockfish"] = process.argv.slice(2);
if (!folder) {
    console.error("usage: node lessons.mjs PACKAGE [ENGINE]");
    process.exit(2);
}
const { Seebatch } = await import(join(resolve(folder), "index.js"));
const seebatch = await Seebatch.load();
const NODES = 400000,
    MOST_WORSE = 60, // centipawns
    WON = 400, // from here on it does not matter how much more the best move wins
    MATE = 29000; // less than the score of any mate

const engine = spawn(program);
engine.on("error", (error) => {
    console.error(`lessons.mjs: cannot run "${program}": ${error.message}; name a UCI engine (Debian: stockfish)`);
    process.exit(2);
});
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
const send = (text) => engine.stdin.write(`${text}\n`);

// The engine's score of the best move, or of the best of some moves, for the side that moves.
async function evaluate(fen, moves = "") {
    send(`position fen ${fen}`);
    send(`go nodes ${NODES}${moves && ` searchmoves ${moves}`}`);
    let score = 0;
    for (;;) {
        const { value: line, done } = await lines.next();
        if (done) throw new Error("the engine ended");
        const [, kind, n] = / score (cp|mate) (-?\d+)/.exec(line) ?? [];
        if (kind) score = kind === "cp" ? Number(n) : Math.sign(Number(n)) * 30000 - Number(n);
        if (line.startsWith("bestmove")) return { score, best: line.split(" ")[1] };
    }
}

send("setoption name Hash value 64");
const positions = [
    ...Object.entries(EXAMPLES).map(([name, [fen]]) => [`example "${name}"`, fen]),
    ...POSITIONS.map(({ fen }, i) => [`exercise ${i + 1}`, fen]),
];
let bad = 0;
for (const [name, fen] of positions) {
    const { moves, values } = seebatch.order(fen, undefined, { values: TEXTBOOK_VALUES });
    if (!moves.length || values[0] <= 0) {
        console.log(`${name}: nothing hangs`);
        continue;
    }
    const square = moves[0].slice(2, 4),
        winning = moves.filter((move, i) => move.slice(2, 4) === square && values[i] > 0);
    const best = await evaluate(fen),
        ours = await evaluate(fen, winning.join(" "));
    const isGood = ours.score >= (best.score > MATE ? MATE : Math.min(best.score - MOST_WORSE, WON));
    if (!isGood) bad++;
    console.log(`${name}: ${ours.best} wins ${values[0]}: ${ours.score}, the best move ${best.best}: ${best.score}${isGood ? "" : "  BAD"}`);
}
send("quit");
if (bad) console.error(`lessons.mjs: ${bad} positions teach a bad move`);
process.exitCode = bad ? 1 : 0;
