// The exercises: which piece can be won? A question is a position; the answer is a piece that can be taken with a profit,
// or a capture that wins it, or "nothing". Legal captures and the values of the textbook decide, whatever else is chosen.
import { exchangeOf, firstCapture, legalMoves, TEXTBOOK_VALUES, whatHangs } from "./analysis.js";
import { isCapture, isCheck, nameOf, otherColor, play, readFen, readUci, squareName, squareOf, takenEnPassant, writeFen } from "./chess.js";
import { inWords } from "./numbers.js";
import { adjectiveOf, listed, named, say, sayMove, sideOf } from "./texts.js";
import { sanOf } from "./tree.js";

export const RULES = { rules: "legal", values: TEXTBOOK_VALUES };
const MOST_QUESTIONS = 20;

// What the side that has the turn can take with a profit, the most first, each with the capture that wins the most.
function answersOf(seebatch, fen) {
    return whatHangs(seebatch, fen, RULES)
        .filter(({ isNow, reason }) => isNow && !reason)
        .map((each) => ({ ...each, move: firstCapture(seebatch, fen, each.square, RULES).move }));
}

// Whether a line piece captures through a piece that stands in between at first.
function isHidden(board, { piece, from, to }) {
    if (!["bishop", "rook", "queen"].includes(piece)) return false;
    const start = squareOf(from),
        step = Math.sign((to & 7) - (start & 7)) + 8 * Math.sign((to >> 3) - (start >> 3));
    for (let square = start + step; square !== to; square += step) if (board[square] !== null) return true;
    return false;
}

// A piece of the other side that may not take back because it is pinned.
const isPinnedDefender = ({ reason, color }, { turn }) => reason === "pinned" && color !== turn;

// What a question is about: "nothing", "promotion", "pin", "x-ray", "recaptures" or "unprotected".
export function kindOf(seebatch, { fen, answers: [best] }) {
    if (!best) return "nothing";
    const { steps, stop, refused, position } = exchangeOf(seebatch, fen, { move: best.move }, RULES);
    if (steps.some(({ piece, stays }) => piece !== stays)) return "promotion";
    if (refused.some((each) => isPinnedDefender(each, position))) return "pin";
    if (steps.slice(0, stop).some((step) => isHidden(position.board, step))) return "x-ray";
    return steps.length > 1 ? "recaptures" : "unprotected";
}

export const LEVELS = { unprotected: 1, recaptures: 2, nothing: 3, "x-ray": 3, pin: 4, promotion: 4 };

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
    if (!moves.length) return false; // nothing to look at
    if (values[0] <= 0) return true;
    const after = play(position, moves[0]);
    return mostWon(seebatch, writeFen(after)) < values[0] && !canMate(seebatch, after);
}

// The same piece on the same square that the same side can win is the same fault, some moves later.
const faultOf = ({ fen, answers: [best] }) => (best ? `${best.piece}${best.square}` : fen.split(" ")[0]);

// Questions of positions, { fen, source } each, those first in which the most can be won: at most so many, of those that
// are wanted. Left out are positions whose answer would be a bad lesson, and those that repeat the fault of another, or of
// a position that is known.
export function questionsOf(seebatch, positions, { isWanted = () => true, most = MOST_QUESTIONS, known = [] } = {}) {
    const seen = new Set(),
        isNew = (key) => !seen.has(key) && seen.add(key);
    for (const each of questionsAt(seebatch, known)) seen.add(each.fen).add(faultOf(each));
    const good = positions.filter(({ fen }) => isNew(fen) && isGoodLesson(seebatch, fen));
    const questions = questionsAt(seebatch, good).filter((each) => isWanted(each) && isNew(faultOf(each)));
    const won = ({ answers }) => answers[0]?.value ?? 0;
    return questions.sort((a, b) => won(b) - won(a)).slice(0, most);
}

// Questions of positions as they are: { fen } and what else is said of each, of which `level` is found where it is missing.
export const questionsAt = (seebatch, positions) =>
    positions.map((each) => {
        const question = { ...each, answers: answersOf(seebatch, each.fen) };
        return { ...question, level: each.level ?? LEVELS[kindOf(seebatch, question)] };
    });

// ---- Answers ----------------------------------------------------------------------------------------------------

// The square of the piece that a move takes.
function takenBy(fen, move) {
    const played = readUci(move);
    return takenEnPassant(readFen(fen), played) ?? played.to;
}

// What a pupil answered, { move }, { square } or null for "nothing": { isRight, square, move }, the square being that of
// the piece that can be won, null where there is none, and the move the pupil's own if it wins something.
export function judge(seebatch, { fen, answers }, given) {
    const best = answers[0] ?? { square: null, move: null },
        judgement = (isRight, { square, move }) => ({ isRight, square, move });
    if (given === null) return judgement(answers.length === 0, best);
    const { move } = given;
    if (!move) {
        const found = answers.find((each) => each.square === given.square);
        return judgement(Boolean(found), found ?? best);
    }
    const isRight = isCapture(readFen(fen), move) && seebatch.see(fen, move, RULES) > 0;
    return judgement(isRight, isRight ? { square: takenBy(fen, move), move } : best);
}

// ---- Words ------------------------------------------------------------------------------------------------------

const nameAt = (board, square, grammaticalCase) => named(grammaticalCase, nameOf(board[square]), squareName(square));

// The question, in words that name both sides.
export function sayQuestion({ fen, ask }) {
    const { turn } = readFen(fen);
    return ask || say("exercise.ask", { adjective: adjectiveOf(otherColor(turn)), side: sideOf(turn) });
}

// What becomes of a capture that wins nothing, in words.
function lossOf(exchange, piece) {
    const { steps, stop } = exchange,
        side = sideOf(exchange.position.turn);
    const words = {
        side,
        taken: named("accusative", piece),
        piece: named("dative", steps[0].piece, steps[0].from),
        result: inWords(exchange, side),
    };
    if (!steps[1] || stop < 2) return say("exercise.takes", words);
    return say("exercise.takes-and-back", { ...words, back: named("nominative", steps[1].piece, steps[1].from) });
}

// Why an answer is wrong, without giving the right one away.
export function sayFault(seebatch, question, given) {
    const { fen, answers } = question,
        { board, turn } = readFen(fen),
        side = sideOf(turn);
    if (given === null) return say("exercise.not-nothing", { side, adjective: adjectiveOf(otherColor(turn)) });
    const { move } = given;
    if (move && !isCapture(readFen(fen), move)) return say("exercise.takes-nothing", { question: sayQuestion({ fen }) });
    const square = move ? takenBy(fen, move) : given.square,
        piece = nameOf(board[square]);
    const isNot = (why) => say("exercise.not-piece", { piece: nameAt(board, square, "nominative"), why });
    const { reason } = firstCapture(seebatch, fen, square, RULES);
    if (reason) return say("exercise.cannot", { piece: nameAt(board, square, "nominative"), why: reason });
    const exchange = exchangeOf(seebatch, fen, move ? { move } : { square: squareName(square) }, RULES);
    if (answers.some((each) => each.square === square))
        return say("exercise.not-with", { piece: named("dative", exchange.steps[0].piece), why: lossOf(exchange, piece) });
    return isNot(lossOf(exchange, piece));
}

// The hint after two wrong answers: the teacher's, or one that the library finds.
export function sayHint({ fen, answers, hint }) {
    const [best] = answers;
    const { board, turn } = readFen(fen);
    const found = best
        ? say("exercise.hint-piece", { piece: nameAt(board, readUci(best.move).from, "nominative") })
        : say("exercise.hint-nothing", { adjective: adjectiveOf(otherColor(turn)) });
    return say("exercise.hint", { hint: hint || found });
}

// The pieces of the side that has the turn that the other side could win.
const inDanger = (seebatch, fen) => whatHangs(seebatch, fen, RULES).filter(({ isNow, reason }) => !isNow && !reason);

// A word about a piece of the side that has the turn, if it is in danger; otherwise "".
export function sayDanger(seebatch, question, square) {
    const { board, turn } = readFen(question.fen);
    if (!inDanger(seebatch, question.fen).some((each) => each.square === square)) return "";
    const piece = nameAt(board, square, "nominative");
    return say("exercise.danger", { piece, side: sideOf(turn), question: sayQuestion(question) });
}

// Why a capture wins, in a sentence.
function sayReason(exchange) {
    const { steps, stop, refused, position } = exchange,
        [side, other] = [sideOf(position.turn), sideOf(otherColor(position.turn))];
    const pinned = refused.find((each) => isPinnedDefender(each, position)) ?? (steps.length === 1 ? refused[0] : null);
    const why = pinned?.sentence ?? "",
        result = inWords(exchange, side);
    if (steps.length === 1 && steps[0].piece === steps[0].stays)
        return why || say("exercise.unprotected", { adjective: adjectiveOf(otherColor(position.turn)) });
    if (steps.length === 1) return `${why} ${say("error.sentence", { text: result })}`.trim();
    if (stop === 1) return why || say("exercise.would-lose", { other });
    return `${why} ${say("exercise.takes-back", { other, piece: named("dative", steps[1].piece), result })}`.trim();
}

// What can be won, in words, with the reason, and with the teacher's sentence where there is one.
function sayFinding(seebatch, question, { square, move }) {
    const found = square === null ? nothingToWin(seebatch, question.fen) : sayWin(seebatch, question, { square, move });
    return [...found, question.why].filter(Boolean).join(" ");
}

// The same as the answer to a pupil.
export const sayJudgement = (seebatch, question, judgement) =>
    say(judgement.isRight ? "exercise.right" : "exercise.answer-is", { what: sayFinding(seebatch, question, judgement) });

// "White can win nothing here."
function nothingToWin(seebatch, fen) {
    const { board, turn } = readFen(fen),
        side = sideOf(turn),
        threatened = inDanger(seebatch, fen).map((each) => nameAt(board, each.square, "accusative"));
    const look = threatened.length && say("exercise.look-after", { side, pieces: listed(threatened) });
    return [say("exercise.wins-nothing", { side }), look];
}

// "White can win the bishop on g4 with Qxg4", why, and what else can be won.
function sayWin(seebatch, { fen, answers }, { square, move }) {
    const position = readFen(fen),
        { board, turn } = position,
        side = sideOf(turn);
    const exchange = exchangeOf(seebatch, fen, { move }, RULES),
        san = (each) => sayMove(sanOf(seebatch, position, each, legalMoves(seebatch, fen)));
    const others = answers.filter((each) => each.square !== square).map((each) => nameAt(board, each.square, "accusative"));
    const [best] = answers.filter((each) => each.square === square);
    return [
        say("exercise.wins", { side, piece: nameAt(board, square, "accusative"), san: san(move) }),
        sayReason(exchange),
        best && best.value > exchange.value && say("exercise.wins-more", { san: san(best.move) }),
        others.length && say("exercise.wins-also", { side, pieces: listed(others) }),
    ];
}

// The answer as the worksheet and the file of a lesson give it.
export const sayAnswer = (seebatch, question) => sayFinding(seebatch, question, judge(seebatch, question, null));

// How many were found at once, later, or shown.
export function tally(results) {
    const done = results.filter((each) => each?.isDone);
    const found = done.filter(({ isShown }) => !isShown);
    const atOnce = found.filter(({ wrong }) => wrong === 0).length;
    return { done: done.length, atOnce, later: found.length - atOnce, shown: done.length - found.length };
}

// The questions that were not right the first time.
export const missedOf = (results) => results.flatMap((each, i) => (each?.isDone && !each.isShown && !each.wrong ? [] : [i]));
