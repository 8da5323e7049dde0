// Whether what the page teaches is also good chess, by the engine that SEEBATCH_ENGINE names, or Debian's stockfish. It
// searches a fixed number of nodes on one thread, so the same engine always gives the same scores. The table of its
// verdicts is printed. Scores are in centipawns of the engine, in which a pawn of an exchange is worth less than 100.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Seebatch } from "../../bindings/javascript/index.js";
import { exchangeOf, legalMoves, whatHangs } from "../src/analysis.js";
import { EXAMPLES } from "../src/choices.js";
import { isCapture, isCheck, readFen, squareName, withTurn, writeFen } from "../src/chess.js";
import { judge, kindOf, questionsAt, RULES } from "../src/exercise.js";
import { POSITIONS } from "../src/exercises.js";

const NODES = 100000,
    MOST_WORSE = 50, // half a pawn
    WON = 400, // in an example it does not matter how much more the best move wins from here on
    VALUES = [58, 216, 229, 353, 703]; // Stockfish 15.1's values of the endgame, in the unit of its scores

const program = [process.env.SEEBATCH_ENGINE, "stockfish", "/usr/games/stockfish"].find(
    (name) => name && !spawnSync(name, { input: "quit\n" }).error,
);
const options = { skip: program ? false : "there is no engine here (Debian: stockfish)" };
const seebatch = await Seebatch.load();

class Engine {
    constructor() {
        this.process = spawn(program);
        this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
        this.send("setoption name Threads value 1\nsetoption name Hash value 16");
    }

    send(text) {
        this.process.stdin.write(`${text}\n`);
    }

    // The score of the best move, or of the best of some moves, for the side that has the turn; null where there is none.
    async evaluate(fen, moves) {
        if (moves?.length === 0) return { score: -Infinity, best: "none" };
        this.send(`ucinewgame\nposition fen ${fen}\ngo nodes ${NODES}${moves ? ` searchmoves ${moves.join(" ")}` : ""}`);
        let score = 0;
        for (;;) {
            const { value: line, done } = await this.lines.next();
            if (done) throw new Error("the engine ended");
            const [, kind, n] = / score (cp|mate) (-?\d+)/.exec(line) ?? [];
            if (kind) score = kind === "cp" ? Number(n) : Math.sign(Number(n)) * 30000 - Number(n);
            if (line.startsWith("bestmove")) return { score, best: line.split(" ")[1] };
        }
    }

    // The same among some moves, given the best of all.
    among(moves, fen, all) {
        return moves.includes(all.best) ? all : this.evaluate(fen, moves);
    }

    // The score if the side that has the turn does nothing; in check it cannot.
    async passed(fen) {
        const position = readFen(fen);
        if (isCheck(position)) return -Infinity;
        const { score } = await this.evaluate(writeFen(withTurn(position, position.turn === "white" ? "black" : "white")));
        return -score;
    }
}

const said = ({ best, score }) => `${best} ${score}`;

// What is wrong with a question, and a row of the table.
async function judged(engine, name, question) {
    const { fen, answers } = question,
        faults = [],
        moves = legalMoves(seebatch, fen);
    const expect = (isRight, fault) => isRight || faults.push(`${name}: ${fault}`);
    const best = await engine.evaluate(fen);
    if (!answers.length) {
        const isTaking = (move) => isCapture(readFen(fen), move);
        const capture = await engine.among(moves.filter(isTaking), fen, best),
            quiet = await engine.among(moves.filter((move) => !isTaking(move)), fen, best);
        expect(capture.score <= quiet.score, `the capture ${said(capture)} is better than ${said(quiet)}, but nothing can be won`);
        expect(whatHangs(seebatch, fen, RULES).length === 0, "a piece of the side that has the turn hangs");
        return { faults, row: `nothing | ${said(capture)} | none | ${said(quiet)} | ${said(best)}` };
    }
    const [{ move }] = answers,
        isAccepted = (each) => judge(seebatch, question, { move: each }).isRight;
    const shown = await engine.among([move], fen, best),
        wrong = await engine.among(moves.filter((each) => !isAccepted(each)), fen, best),
        passed = await engine.passed(fen);
    const promised = seebatch.see(fen, move, { rules: "legal", values: VALUES });
    expect(shown.score >= best.score - MOST_WORSE, `shows ${said(shown)}, but ${said(best)} is better`);
    expect(shown.score - passed >= promised - MOST_WORSE, `${said(shown)} promises ${promised}, but doing nothing has ${passed}`);
    expect(wrong.score <= shown.score, `calls ${said(wrong)} wrong, which is better than ${said(shown)}`);
    const others = [];
    for (const each of moves.filter((other) => other !== move && isAccepted(other))) {
        const other = await engine.among([each], fen, best);
        expect(other.score >= best.score - MOST_WORSE, `accepts ${said(other)}, but ${said(best)} is better`);
        others.push(said(other));
    }
    const gains = `${promised} of ${shown.score - passed}`;
    return { faults, row: `${said(shown)} (${gains}) | ${others.join(", ") || "none"} | ${said(wrong)} | ${said(best)}` };
}

test("each exercise and the first board teach good chess", options, async (t) => {
    const engine = new Engine();
    t.after(() => engine.send("quit"));
    const [[first]] = Object.values(EXAMPLES);
    assert.equal(whatHangs(seebatch, first, RULES).length, 1, "on the first board one piece hangs");
    const names = ["first board", ...POSITIONS.map((_, i) => `exercise ${i + 1}`)];
    const all = [];
    t.diagnostic("what | kind | move shown (promise, and gain over doing nothing) | other captures accepted | best of the wrong moves | best");
    for (const [i, question] of questionsAt(seebatch, [{ fen: first }, ...POSITIONS]).entries()) {
        const { faults, row } = await judged(engine, names[i], question);
        t.diagnostic(`${names[i]} | ${kindOf(seebatch, question)} | ${row}`);
        all.push(...faults);
    }
    assert.deepEqual(all, []);
});

test("of each example a capture that wins is about as good as the best move", options, async (t) => {
    const engine = new Engine();
    t.after(() => engine.send("quit"));
    for (const [name, [fen]] of Object.entries(EXAMPLES)) {
        const { moves, values } = seebatch.order(fen, undefined, RULES),
            square = moves[0].slice(2, 4);
        const winning = moves.filter((move, i) => move.slice(2, 4) === square && values[i] > 0);
        if (!winning.length) continue;
        const best = await engine.evaluate(fen),
            ours = await engine.among(winning, fen, best);
        assert.ok(ours.score >= Math.min(best.score - MOST_WORSE, WON), `${name}: ${said(ours)}, the best move ${said(best)}`);
    }
});

// The move that is shown for a square is the one that the question holds.
test("the exchange of an answer begins with its move", () => {
    for (const { fen, answers } of questionsAt(seebatch, POSITIONS))
        for (const { square, move } of answers)
            assert.equal(exchangeOf(seebatch, fen, { square: squareName(square) }, RULES).move, move);
});
