// What the page asks the library: what hangs, the moves with their values, one exchange, a game.
import {
    capital,
    colorOf,
    isCapture,
    isCheck,
    letterOf,
    nameOf,
    otherColor,
    readFen,
    readUci,
    squareName,
    squareOf,
    takenEnPassant,
    withTurn,
    writeFen,
} from "./chess.js";
import { ALWAYS } from "./numbers.js";

export const USUAL_VALUES = [100, 325, 325, 500, 1000];
const ORDER = ["pawn", "knight", "bishop", "rook", "queen"];

export const valueOf = (name, values) => values[ORDER.indexOf(name)] ?? 0;

// Legal moves as UCI text.
export function legalMoves(seebatch, fen) {
    const batch = seebatch.positions([fen], { moves: "all" });
    const moves = Array.from(batch.moves, (move) => seebatch.uci(move));
    batch.dispose();
    return moves;
}

// The legal moves, best first, each with its value and whether any rule set has another.
export function movesWithValues(seebatch, fen, options) {
    const position = readFen(fen),
        batch = seebatch.positions([fen], { moves: "all" });
    const values = batch.values(options),
        { values: pieces } = options;
    const others = seebatch.ruleSets.map((rules) => batch.values({ rules, values: pieces }));
    const moves = Array.from(batch.moves, (move, i) => ({
        move: seebatch.uci(move),
        value: values[i],
        isDisputed: others.some((answers) => answers[i] !== others[0][i]),
    }));
    batch.dispose();
    for (const each of moves) each.isCapture = isCapture(position, each.move);
    return moves.sort((a, b) => b.isCapture - a.isCapture || b.value - a.value);
}

// What the captures of a side are, if it had the turn: { fen, moves }, or { reason } where it cannot have it.
function capturesOf(seebatch, position, taker) {
    if (position.turn !== taker && isCheck(position)) {
        const side = capital(position.turn);
        return { reason: `${side} is in check and cannot pass, so there is no exchange to show.` };
    }
    const asked = position.turn === taker ? position : withTurn(position, taker),
        fen = writeFen(asked);
    return { fen, moves: legalMoves(seebatch, fen).filter((move) => isCapture(asked, move)) };
}

// The square of the pawn that just made a double step, if it can be taken en passant.
function passedPawn({ board, enPassant, turn }) {
    if (enPassant === null) return null;
    const square = enPassant + (turn === "white" ? -8 : 8);
    return board[square]?.toLowerCase() === "p" ? square : null;
}

// The captures of these that take what stands on a square, one en passant included.
function takersOf(position, moves, square) {
    return moves.filter((move) => {
        const { from, to } = readUci(move);
        return to === square || takenEnPassant(position, { from, to }) === square;
    });
}

// What hangs on the board: { square, piece, color, value, isNow, isEnPassant, reason }, the most first. It can be taken
// at once where the other side has the turn. With a reason there is no exchange to show.
export function whatHangs(seebatch, fen, options) {
    const position = readFen(fen),
        { board, turn } = position,
        map = seebatch.map(fen, options);
    const captures = { white: capturesOf(seebatch, position, "white"), black: capturesOf(seebatch, position, "black") };
    const found = [];
    board.forEach((piece, square) => {
        if (piece === null) return;
        const color = colorOf(piece),
            taker = otherColor(color),
            { reason, moves } = captures[taker];
        const takers = moves ? takersOf(position, moves, square) : [];
        // The library's square value knows no captures that land elsewhere.
        const passing = square === passedPawn(position) ? takers.filter((move) => readUci(move).to !== square) : [];
        const onSquare = map[taker][square];
        const value = Math.max(onSquare, ...passing.map((move) => seebatch.see(fen, move, options)).filter(isBalance));
        if (value <= 0) return;
        const why = reason ?? (takers.length ? null : NO_LEGAL_CAPTURE);
        found.push({ square, piece, color, value, isNow: turn !== color, isEnPassant: value > onSquare, reason: why });
    });
    return found.sort((a, b) => b.value - a.value || a.square - b.square);
}

const NO_LEGAL_CAPTURE = "What attacks it is pinned. These rules count that capture, but it is no legal move.";

// Under some rules captures en passant pass any threshold, which is no balance.
const isBalance = (value) => value !== ALWAYS;

// The capture with which the side that attacks a square begins, as if it had the turn: the one that gives the square
// its value, or one en passant that wins more. { reason } where there is none.
export function firstCapture(seebatch, fen, square, options) {
    const position = readFen(fen),
        piece = position.board[square];
    if (piece === null) return { reason: "Nothing stands on this square." };
    if (nameOf(piece) === "king") return { reason: "Kings are not taken." };
    const taker = otherColor(colorOf(piece)),
        captures = capturesOf(seebatch, position, taker);
    if (captures.reason) return captures;
    const moves = takersOf(position, captures.moves, square);
    if (moves.length === 0) return { reason: `No ${taker} piece can take on ${squareName(square)}.` };
    const hangs = whatHangs(seebatch, fen, options).find((each) => each.square === square)?.value ?? 0;
    const ordered = seebatch.order(captures.fen, moves, options);
    const i = ordered.values.findIndex((value) => Math.max(0, value) === hangs);
    return { fen: captures.fen, move: ordered.moves[Math.max(0, i)], hangs };
}

// Where a later capture lands: a double step may be taken en passant, by a pawn beside it.
function landing(first, step, i) {
    const isReply = i > 0 && step.piece === "pawn" && squareOf(step.from) >> 3 === first.to >> 3;
    return isReply ? (first.from + first.to) / 2 : first.to;
}

// Under some rules the pawn that is taken en passant stays; the library's text has a line then.
const STAYS = /^\s+(under these rules the pawn on .* stays,.*)$/m;

// The pieces on the board after each capture, from none on. A pawn leaves this square when it is taken en passant.
function boardsOf(position, first, steps, passed) {
    const boards = [position.board];
    steps.forEach((step, i) => {
        const board = boards[i].slice();
        board[squareOf(step.from)] = null;
        if (i === 0 && passed !== null) board[passed] = null;
        board[first.to] = null;
        board[landing(first, step, i)] = letterOf(step.stays, step.color);
        boards.push(board);
    });
    return boards;
}

// Which step is not made with best play: the first where stopping is as good for the side. All are, where it is the
// number of steps.
const stopOf = (steps) => {
    const i = steps.findIndex((step, k) => k > 0 && step.best <= -steps[k - 1].gain);
    return i < 0 ? steps.length : i;
};

const sentence = (words) => `${capital(words)}.`;

const REFUSED = /^\s+(?:white|black)'s .* may not recapture: .*$/gm;

// The library's sentences go with what is refused: one for each as long as the reason stays the same.
function refusedOf({ refused, text }) {
    const sentences = [...text.matchAll(REFUSED)].map(([line]) => line.trim());
    const isRepeated = ({ step, from, reason, by }, i) =>
        refused
            .slice(0, i)
            .some((was) => was.step + 2 === step && was.from === from && was.reason === reason && was.by === by);
    return refused
        .filter((each, i) => !isRepeated(each, i))
        .map((each, i) => ({ ...each, sentence: sentence(sentences[i]) }));
}

// The exchange that a move begins, or the best capture on a square; { reason } where there is none.
export function exchangeOf(seebatch, fen, subject, options) {
    const begun = subject.move
        ? { fen, move: subject.move }
        : firstCapture(seebatch, fen, squareOf(subject.square), options);
    if (begun.reason) return begun;
    const position = readFen(begun.fen),
        first = readUci(begun.move);
    const { value, steps, nextGain, ...explained } = seebatch.explain(begun.fen, begun.move, options);
    const passed = takenEnPassant(position, first),
        [, stays] = explained.text.match(STAYS) ?? [];
    const victim = passed === null ? position.board[first.to] : "p";
    const isEmpty = victim === null || !isCapture(position, begun.move);
    const rows = steps.map((step, i) => {
        const taken = i > 0 ? steps[i - 1].stays : isEmpty ? null : nameOf(victim);
        const promoted = valueOf(step.stays, options.values) - valueOf(step.piece, options.values);
        return {
            ...step,
            taken,
            wins: (taken ? valueOf(taken, options.values) : 0) + promoted,
            to: landing(first, step, i),
        };
    });
    return {
        ...begun,
        position,
        value,
        nextGain,
        steps: rows,
        stop: stopOf(steps),
        refused: refusedOf(explained),
        note: stays ? sentence(stays) : "",
        boards: boardsOf(position, first, rows, stays ? null : passed),
        answers: seebatch.ruleSets.map((rules) => ({
            rules,
            value: seebatch.see(begun.fen, begun.move, { ...options, rules }),
        })),
    };
}

// For each position of a game the most that White wins with one exchange, and Black.
export function chartOf(seebatch, fens, options) {
    const batch = seebatch.positions(fens),
        maps = batch.maps(options);
    batch.dispose();
    return fens.map((_, i) => {
        const [white, black] = [0, 64].map((behind) => {
            const values = maps.subarray(128 * i + behind, 128 * i + behind + 64);
            const value = Math.max(...values);
            return { value, square: values.indexOf(value) };
        });
        return { white, black };
    });
}
