// The exercise: find what hangs. A question is a position; the answer is a piece that can be taken with a profit, or the
// capture that wins it, or "nothing". Legal exchanges decide, whatever rules are chosen.
import { USUAL_VALUES, whatHangs } from "./analysis.js";
import { isCapture, readFen, readUci, takenEnPassant } from "./chess.js";

const RULES = { rules: "legal", values: USUAL_VALUES };
const MOST_QUESTIONS = 20;

// What the side that has the turn can take with a profit, the most first.
function answersOf(seebatch, fen) {
    return whatHangs(seebatch, fen, RULES).filter(({ isNow, reason }) => isNow && !reason);
}

// Questions of these positions, those first in which most hangs: [{ fen, answers }].
export function questionsOf(seebatch, fens) {
    const questions = [...new Set(fens)].map((fen) => ({ fen, answers: answersOf(seebatch, fen) }));
    const most = ({ answers }) => answers[0]?.value ?? 0;
    return questions.sort((a, b) => most(b) - most(a)).slice(0, MOST_QUESTIONS);
}

export const builtIn = (seebatch, positions) =>
    positions.map(({ fen, level }) => ({ fen, level, answers: answersOf(seebatch, fen) }));

// What a pupil answered, { move }, { square } or null for "nothing": { isRight, square } with the piece that the
// judgement is about, null where none hangs.
export function judge(seebatch, { fen, answers }, answer) {
    const best = answers[0]?.square ?? null;
    if (answer === null) return { isRight: best === null, square: best };
    const { move } = answer;
    if (!move) {
        const isRight = answers.some((each) => each.square === answer.square);
        return { isRight, square: isRight ? answer.square : best };
    }
    const position = readFen(fen),
        played = readUci(move),
        square = takenEnPassant(position, played) ?? played.to;
    const isRight = isCapture(position, move) && seebatch.see(fen, move, RULES) > 0;
    return { isRight, square: isRight ? square : best };
}

// The judgement in words; nameAt names the piece on a square.
export function sayJudgement({ answers }, { isRight, square }, nameAt) {
    if (square === null) return isRight ? "Right: nothing hangs." : "No: nothing hangs here.";
    const others = answers.filter((each) => each.square !== square).map((each) => nameAt(each.square));
    const also = others.length ? ` So ${others.length > 1 ? "do" : "does"} ${others.join(" and ")}.` : "";
    return `${isRight ? "Right" : "No"}: ${nameAt(square)} hangs.${also}`;
}
