// What the page asks the library: what hangs, the moves with their values, the captures on a square, a game.
import {
    capital,
    colorOf,
    isAttacked,
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
import { adjectiveOf, named, nounOf, say, sideOf } from "./texts.js";

export const USUAL_VALUES = [100, 325, 325, 500, 1000]; // of the library
export const TEXTBOOK_VALUES = [100, 300, 300, 500, 900];
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

// What the captures of a side are, if it had the turn, best first: { fen, moves, values }, or { reason } where it cannot
// have it.
function capturesOf(seebatch, position, taker, options) {
    if (position.turn !== taker && isCheck(position)) {
        return { reason: say("why.check-first", { side: sideOf(position.turn), other: sideOf(taker) }) };
    }
    const asked = position.turn === taker ? position : withTurn(position, taker),
        fen = writeFen(asked);
    return { fen, ...seebatch.order(fen, null, options) };
}

// The square of the pawn that just made a double step, if it can be taken en passant.
function passedPawn({ board, enPassant, turn }) {
    if (enPassant === null) return null;
    const square = enPassant + (turn === "white" ? -8 : 8);
    return board[square]?.toLowerCase() === "p" ? square : null;
}

// The captures of these that take what stands on a square, one en passant included: { move, value, isEnPassant }.
function takersOf(position, { moves = [], values }, square) {
    return moves.flatMap((move, i) => {
        const { from, to } = readUci(move),
            isEnPassant = to !== square;
        if (isEnPassant && takenEnPassant(position, { from, to }) !== square) return [];
        return [{ move, value: values[i], isEnPassant }];
    });
}

// What hangs on the board: { square, piece, color, value, isNow, isEnPassant, reason }, the most first. It can be taken
// at once where the other side has the turn. With a reason there is no exchange to show.
export const whatHangs = (seebatch, fen, options) => hangingPieces(seebatch, fen, options).map(({ hangs }) => hangs);

// The same, each as { hangs, fen, takers }: the captures that take it, best first, and where they are legal.
export function hangingPieces(seebatch, fen, options) {
    const map = seebatch.map(fen, options),
        position = readFen(fen),
        { board, turn } = position;
    const captures = Object.fromEntries(
        ["white", "black"].map((taker) => [taker, capturesOf(seebatch, position, taker, options)]),
    );
    const passed = passedPawn(position),
        found = [];
    board.forEach((piece, square) => {
        if (piece === null) return;
        const color = colorOf(piece),
            taker = otherColor(color),
            onSquare = map[taker][square];
        if (onSquare <= 0 && square !== passed) return;
        const takers = takersOf(position, captures[taker], square);
        // The library's square value knows no captures that land elsewhere.
        const passing = takers.filter((each) => each.isEnPassant && isBalance(each.value)).map(({ value }) => value);
        const value = Math.max(onSquare, ...passing);
        if (value <= 0) return;
        const reason = captures[taker].reason ?? (takers.length ? null : say("why.no-legal"));
        const hangs = { square, piece, color, value, isNow: turn !== color, isEnPassant: value > onSquare, reason };
        found.push({ hangs, fen: captures[taker].fen, takers });
    });
    return found.sort(({ hangs: a }, { hangs: b }) => b.value - a.value || a.square - b.square);
}

// What the side that has the turn could take with a profit, if it were not in check and had to deal with that first.
export function heldByCheck(seebatch, fen, options) {
    const position = readFen(fen),
        { board, turn } = position;
    if (options.rules !== "legal" || !isCheck(position)) return [];
    const takers = capturesOf(seebatch, position, turn, options),
        values = seebatch.map(fen, { ...options, rules: NO_CHECKS })[turn];
    return board.flatMap((piece, square) => {
        if (piece === null || colorOf(piece) === turn || values[square] <= 0) return [];
        if (takersOf(position, takers, square).length) return [];
        const held = { square, piece, color: otherColor(turn), value: values[square] };
        return [{ ...held, isNow: false, isEnPassant: false, reason: inCheck(turn) }];
    });
}

// Rules that heed pins, but no check.
const NO_CHECKS = "plentychess";

const inCheck = (turn) => say("why.in-check", { side: sideOf(turn) });

// Under some rules captures en passant pass any threshold, which is no balance.
const isBalance = (value) => value !== ALWAYS;

// The capture with which the side that attacks a square begins, as if it had the turn: the one that gives the square
// its value, or one en passant that wins more. { reason } where there is none.
export function firstCapture(seebatch, fen, square, options) {
    const position = readFen(fen),
        piece = position.board[square];
    if (piece === null) return { reason: say("why.empty") };
    if (nameOf(piece) === "king") return { reason: say("why.king") };
    const taker = otherColor(colorOf(piece)),
        captures = capturesOf(seebatch, position, taker, options);
    if (captures.reason) return captures;
    const takers = takersOf(position, captures, square);
    if (takers.length === 0) {
        if (position.turn === taker && isCheck(position)) return { reason: inCheck(taker) };
        const isHeld = isAttacked(position.board, square, taker);
        const words = { square: squareName(square), adjective: adjectiveOf(taker), taker: sideOf(taker), piece: named("accusative", nameOf(piece)) };
        return { reason: isHeld ? say("why.all-pinned", words) : say("why.no-attacker", words) };
    }
    const hangs = whatHangs(seebatch, fen, options).find((each) => each.square === square)?.value ?? 0;
    const { move } = takers.find(({ value }) => Math.max(0, value) === hangs) ?? takers[0];
    return { fen: captures.fen, move, hangs };
}

// Where a later capture lands: a double step may be taken en passant, by a pawn beside it.
function landing(first, step, i) {
    const isReply = i > 0 && step.piece === "pawn" && squareOf(step.from) >> 3 === first.to >> 3;
    return isReply ? (first.from + first.to) / 2 : first.to;
}

// Under some rules the pawn that is taken en passant stays; the library's text has a line then.
const STAYS = /^\s+under these rules the pawn on (\w\d) stays,.*$/m;

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

// Reasons of the library that are said with the same words.
const SAME_WORDS = { "pin-rule": "pinned", "off-pin": "pinned", "other-pinner": "other-pin" };

// Why a piece may not capture, in a sentence.
function sayRefusal({ board }, { to }, { from, color, piece, reason, by }) {
    const kingOf = (side) => squareName(board.indexOf(side === "white" ? "K" : "k")),
        holder = nameOf(board[squareOf(by)] ?? "p");
    const why = say(`refused.${SAME_WORDS[reason] ?? reason}`, {
        king: kingOf(color),
        enemy: kingOf(otherColor(color)),
        by: named("accusative", holder, by),
        between: named("dative", holder, by),
        piece: named("nominative", holder),
        square: by,
        target: squareName(to),
    });
    const who = capital(named("nominative", piece, null, color));
    return say("refused", { side: sideOf(color), name: nounOf(piece), who, square: from, why });
}

// What is refused: one for each as long as the reason stays the same.
function refusedOf(position, first, { refusals }) {
    const isRepeated = ({ step, from, reason, by }, i) =>
        refusals
            .slice(0, i)
            .some((was) => was.step + 2 === step && was.from === from && was.reason === reason && was.by === by);
    return refusals
        .filter((each, i) => !isRepeated(each, i))
        .map((each) => ({ ...each, sentence: sayRefusal(position, first, each) }));
}

// The exchange that a move begins, or the best capture on a square; { reason } where there is none.
export function exchangeOf(seebatch, fen, subject, options) {
    const begun = subject.move
        ? { fen, move: subject.move }
        : firstCapture(seebatch, fen, squareOf(subject.square), options);
    if (begun.reason) return begun;
    const position = readFen(begun.fen),
        first = readUci(begun.move);
    const { value, captures: steps, nextGain, ...explained } = seebatch.explain(begun.fen, begun.move, options);
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
        refused: refusedOf(position, first, explained),
        note: stays ? say("captures.stays", { square: stays }) : "",
        boards: boardsOf(position, first, rows, stays ? null : passed),
        answers: seebatch.ruleSets.map((rules) => ({
            rules,
            value: seebatch.see(begun.fen, begun.move, { ...options, rules }),
        })),
    };
}

// For each position of a game the most that White wins on one square, and Black, and how many pieces of a side hang.
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
        const pieces = [0, 64].map((behind) =>
            maps.subarray(128 * i + behind, 128 * i + behind + 64).reduce((so, value) => so + (value > 0), 0),
        );
        return { white, black, count: Math.max(...pieces) };
    });
}
