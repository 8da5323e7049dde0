// The exercises: find what hangs. A question is a position; the answer is a piece that can be taken with a profit, or the
// capture that wins it, or "nothing". Legal captures and the values of the textbook decide, whatever else is chosen.
import { exchangeOf, firstCapture, legalMoves, TEXTBOOK_VALUES, whatHangs } from "./analysis.js";
import { capital, isCapture, isCheck, nameOf, play, readFen, readUci, squareName, takenEnPassant, writeFen } from "./chess.js";
import { inWords } from "./numbers.js";

export const RULES = { rules: "legal", values: TEXTBOOK_VALUES };
const MOST_QUESTIONS = 20;

// What the side that has the turn can take with a profit, the most first.
function answersOf(seebatch, fen) {
    return whatHangs(seebatch, fen, RULES).filter(({ isNow, reason }) => isNow && !reason);
}

// ---- Questions of a game ----------------------------------------------------------------------------------------

const isMate = (seebatch, position) => isCheck(position) && legalMoves(seebatch, writeFen(position)).length === 0;

const canMate = (seebatch, position) =>
    legalMoves(seebatch, writeFen(position)).some((move) => isMate(seebatch, play(position, move)));

// What the best capture of a position wins; 0 where none does.
const mostWon = (seebatch, fen) => Math.max(0, seebatch.order(fen, undefined, RULES).values[0] ?? 0);

// Whether the answer to a question is good chess, as far as one move shows: nobody mates, and whoever takes does not lose
// as much elsewhere.
function isGoodLesson(seebatch, fen) {
    const position = readFen(fen);
    if (legalMoves(seebatch, fen).length === 0 || canMate(seebatch, position)) return false;
    const { moves, values } = seebatch.order(fen, undefined, RULES);
    if (!moves.length || values[0] <= 0) return true;
    const after = play(position, moves[0]);
    return mostWon(seebatch, writeFen(after)) < values[0] && !canMate(seebatch, after);
}

// Questions of these positions, those first in which most hangs: [{ fen, answers }]. Positions are left out whose answer
// would be a bad lesson.
export function questionsOf(seebatch, fens) {
    const good = [...new Set(fens)].filter((fen) => isGoodLesson(seebatch, fen));
    const questions = good.map((fen) => ({ fen, answers: answersOf(seebatch, fen) }));
    const most = ({ answers }) => answers[0]?.value ?? 0;
    return questions.sort((a, b) => most(b) - most(a)).slice(0, MOST_QUESTIONS);
}

// Questions of positions as they are: { fen, level }.
export const questionsAt = (seebatch, positions) =>
    positions.map(({ fen, level }) => ({ fen, level, answers: answersOf(seebatch, fen) }));

// ---- Answers ----------------------------------------------------------------------------------------------------

// The square of the piece that a move takes.
function takenBy(fen, move) {
    const played = readUci(move);
    return takenEnPassant(readFen(fen), played) ?? played.to;
}

// What a pupil answered, { move }, { square } or null for "nothing": { isRight, square } with the piece that hangs, null
// where none does.
export function judge(seebatch, { fen, answers }, answer) {
    const best = answers[0]?.square ?? null;
    if (answer === null) return { isRight: best === null, square: best };
    const { move } = answer;
    if (!move) {
        const isRight = answers.some((each) => each.square === answer.square);
        return { isRight, square: isRight ? answer.square : best };
    }
    const isRight = isCapture(readFen(fen), move) && seebatch.see(fen, move, RULES) > 0;
    return { isRight, square: isRight ? takenBy(fen, move) : best };
}

// What becomes of a capture that wins nothing, in words.
function lossOf(exchange, piece) {
    const { steps, stop } = exchange;
    const back = steps[1] && stop > 1 ? `the ${steps[1].piece} on ${steps[1].from} takes back` : "";
    const what = `${capital(exchange.position.turn)} takes the ${piece} with the ${steps[0].piece} on ${steps[0].from}`;
    return `${[what, back].filter(Boolean).join(", ")}, and ${inWords(exchange, capital(exchange.position.turn))}.`;
}

// Why an answer is wrong, without giving the right one away.
export function sayHint(seebatch, { fen, answers }, answer) {
    const { board } = readFen(fen);
    if (answer === null) return "Something hangs here. Look at each piece that you can take: who would take back?";
    const { move } = answer;
    if (move && !isCapture(readFen(fen), move)) return "That move takes nothing. Which piece can be taken with a profit?";
    const square = move ? takenBy(fen, move) : answer.square,
        piece = nameOf(board[square]);
    const where = `The ${piece} on ${squareName(square)}`;
    const { reason } = firstCapture(seebatch, fen, square, RULES);
    if (reason) return `${where} does not hang. ${reason}`;
    const exchange = exchangeOf(seebatch, fen, move ? { move } : { square: squareName(square) }, RULES);
    if (answers.some((each) => each.square === square))
        return `Not with the ${exchange.steps[0].piece}: ${lossOf(exchange, piece)} Look for a better way to take.`;
    return `${where} does not hang: ${lossOf(exchange, piece)}`;
}

// The judgement in words; nameAt names the piece on a square.
export function sayJudgement({ answers }, { isRight, square }, nameAt) {
    if (square === null) return isRight ? "Right: nothing hangs." : "The answer: nothing hangs here.";
    const others = answers.filter((each) => each.square !== square).map((each) => nameAt(each.square));
    const also = others.length ? ` So ${others.length > 1 ? "do" : "does"} ${others.join(" and ")}.` : "";
    return `${isRight ? "Right" : "The answer"}: ${nameAt(square)} hangs.${also}`;
}

// How many were found at once, later, or shown.
export function tally(results) {
    const done = results.filter((each) => each?.isDone);
    const found = done.filter(({ isShown }) => !isShown);
    const atOnce = found.filter(({ wrong }) => wrong === 0).length;
    return { done: done.length, atOnce, later: found.length - atOnce, shown: done.length - found.length };
}
