// What the page holds, and what changes it: positions and games that are loaded, moves that are played, a board that is
// set up, an exercise. Every change ends in redraw(). What can be taken back goes through change().
import { legalMoves, USUAL_VALUES } from "./analysis.js";
import { capital, colorOf, otherColor, readUci, squareName, START, writeFen } from "./chess.js";
import { judge } from "./exercise.js";
import { History } from "./history.js";
import { lichessGame, looksLikeFens, otherVariant, readFens, readGames, titleOf } from "./pgn.js";
import { castlingOf } from "./setup.js";
import { childBy, lineThrough, mainLine, rootOf, treeOf, visit } from "./tree.js";

const START_NODE = rootOf(START);

export const state = {
    node: START_NODE, // the position that is shown
    home: null, // the game that was loaded: { root, title, games, index }; it stays when another position is set up
    title: "",
    games: [], // of the text that was loaded, or its positions
    index: 0, // which of them
    subject: null, // { move } or { square } that was chosen
    step: null, // how many captures are on the board; null where the exchange is shown whole
    arrows: [], // drawn by hand: { from, to }
    rules: "legal",
    values: USUAL_VALUES,
    isFlipped: false,
    setUp: null, // what a click does on a board that is set up: puts a piece, "remove" or "move"; otherwise null
    exercise: null, // { questions, i, right, judgement, before }
    fault: "", // what was wrong, in a sentence
    wrong: null, // the element whose text was wrong, which stays as it is
    advice: null, // a link that goes with the sentence
};

export const changes = new History();
let library, redraw;

export function beginSession(seebatch, show) {
    library = seebatch;
    redraw = show;
}

export const rootOfNode = () => lineThrough(state.node)[0];
export const options = () => ({ rules: state.rules, values: state.values });
const QUIET = { subject: null, step: null, arrows: [], fault: "", wrong: null, advice: null };

const CONTENT = ["node", "home", "title", "games", "index", "rules", "values", "setUp"];
const snapshot = () => Object.fromEntries(CONTENT.map((name) => [name, state[name]]));

function change(next, added = null) {
    const before = snapshot();
    Object.assign(state, QUIET, next);
    visit(state.node);
    if (!state.exercise) changes.add(before, snapshot(), added);
    redraw();
}

export function takeBack(isRedo) {
    const then = state.exercise ? null : isRedo ? changes.redo() : changes.undo();
    if (!then) return;
    const subject = then.node === state.node ? state.subject : null;
    Object.assign(state, QUIET, then, { subject });
    visit(state.node);
    redraw();
}

// ---- Faults -----------------------------------------------------------------------------------------------------

// What the library says of a wrong position or of wrong values, in the words of the page.
export function sayError(error) {
    const names = ["pawn", "knight", "bishop", "rook", "queen"];
    const text = error.message
        .replace(/^positions?(?: 0|\[0\]|): ?/, "")
        .replace(/values\[(\d)\]/, (_, i) => `the value of a ${names[i]}`);
    return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

export function refuse(fault, more = {}) {
    Object.assign(state, { fault, wrong: null, advice: null }, more);
    redraw();
}

// ---- Loading ----------------------------------------------------------------------------------------------------

const isRight = (fen) => {
    legalMoves(library, fen);
    return true;
};

export function loadFen(fen, next = {}, wrong = null) {
    try {
        isRight(fen);
        change({ node: rootOf(fen), home: null, title: "", games: [], index: 0, setUp: null, ...next });
        return true;
    } catch (error) {
        refuse(sayError(error), { wrong });
        return false;
    }
}

// One of the games, or of the positions, of a text.
export function loadGame(games, index, wrong = null) {
    const game = games[index],
        variant = otherVariant(game);
    if (variant) return refuse(`This game is of the variant “${variant}”; the page knows chess and Chess960.`, { wrong });
    try {
        const { root, faults } = treeOf(library, game);
        isRight(root.fen);
        const title = titleOf(game),
            home = { root, title, games, index };
        change({ node: root, home, title, games, index, setUp: null });
        if (faults.length) refuse(faults.slice(0, 3).join(" ") + (faults.length > 3 ? ` And ${faults.length - 3} more.` : ""));
        return true;
    } catch (error) {
        return refuse(sayError(error), { wrong });
    }
}

// A FEN or several, one or several games, or the address of a game.
export function loadText(text, wrong = null) {
    const trimmed = text.trim(),
        lichess = lichessGame(trimmed);
    if (lichess) {
        const address = `https://lichess.org/game/export/${lichess}`;
        const fault = "This page asks no server. Save this game from its address, and drop the file here:";
        return refuse(fault, { wrong, advice: address });
    }
    if (looksLikeFens(trimmed)) {
        const fens = readFens(trimmed);
        return fens.length === 1 ? loadFen(fens[0].tags.FEN, {}, wrong) : loadGame(fens, 0, wrong);
    }
    const games = readGames(trimmed);
    if (games.length) return loadGame(games, 0, wrong);
    const found = trimmed ? `found “${trimmed.slice(0, 40)}”` : "found nothing";
    return refuse(`Expected FENs or a PGN with moves, ${found}.`, { wrong });
}

// What the address says, all at once: the root's FEN, moves behind it, how many of them are made.
export function loadLink({ fen, moves, ply, subject }, faults) {
    try {
        let node = rootOf(fen);
        isRight(fen);
        const nodes = [node];
        for (const move of moves) {
            const legal = legalMoves(library, node.fen);
            if (!legal.includes(move)) {
                faults.push(`moves: expected a legal move, found “${move}”`);
                break;
            }
            node = childBy(library, node, move, legal).node;
            nodes.push(node);
        }
        const shown = nodes[Math.min(ply, nodes.length - 1)];
        let chosen = subject;
        if (subject?.move && !legalMoves(library, shown.fen).includes(subject.move)) {
            faults.push(`move: expected a legal move, found “${subject.move}”`);
            chosen = null;
        }
        const home = nodes.length > 1 ? { root: nodes[0], title: "", games: [], index: 0 } : null;
        change({ node: shown, home, title: "", games: [], index: 0, setUp: null, subject: chosen });
    } catch (error) {
        faults.push(sayError(error).replace(/\.$/, ""));
    }
    if (faults.length) refuse(`The link is wrong in part. ${faults.map((each) => `${each}.`).join(" ")}`);
}

// ---- Moving through a game --------------------------------------------------------------------------------------

export function goTo(node) {
    if (node === state.node) return;
    visit(node);
    Object.assign(state, QUIET, { node });
    redraw();
}

export function go(ply) {
    const line = lineThrough(state.node);
    goTo(line[Math.max(0, Math.min(line.length - 1, ply))]);
}

export const plyOf = () => lineThrough(state.node).indexOf(state.node);

// Whether the position is one of the loaded game's main line, or there is no game.
export const isAway = () => state.home !== null && !mainLine(state.home.root).includes(state.node);

export function goHome() {
    const { home } = state,
        main = mainLine(home.root);
    const parted = lineThrough(state.node).filter((node) => main.includes(node)).at(-1) ?? home.root;
    if (parted === home.root && rootOfNode() !== home.root)
        change({ node: main.at(-1), title: home.title, games: home.games, index: home.index, setUp: null });
    else goTo(parted);
}

export function playMove(move) {
    if (state.exercise && !state.exercise.judgement) return answer({ move });
    const { node, isNew } = childBy(library, state.node, move, legalMoves(library, state.node.fen));
    if (isNew) change({ node }, node);
    else goTo(node);
}

export function choose(subject) {
    Object.assign(state, { subject, step: null, fault: "", wrong: null, advice: null });
    redraw();
}

// The square whose piece is chosen, if it can move.
export function chosenOrigin() {
    if (!state.subject) return null;
    const square = readUci(state.subject.move ?? state.subject.square).from;
    const { board, turn } = state.node.position;
    return board[square] && colorOf(board[square]) === turn ? square : null;
}

// ---- A board that is set up -------------------------------------------------------------------------------------

export function setPosition(next) {
    const position = { ...state.node.position, enPassant: null, ...next };
    position.castling = castlingOf(position);
    change({ node: rootOf(writeFen(position)), title: "" });
}

export function put(square, piece, from = null) {
    const squares = state.node.position.board.slice();
    if (from !== null) squares[from] = null;
    if (square !== null) squares[square] = piece;
    setPosition({ board: squares });
}

export const passTurn = () => setPosition({ turn: otherColor(state.node.position.turn) });

export function useSetUp(setUp) {
    Object.assign(state, { setUp, subject: null, step: null });
    redraw();
}

// ---- Rules ------------------------------------------------------------------------------------------------------

export const useRules = (rules) => change({ rules, subject: state.subject });

export function useValues(values, wrong = null) {
    try {
        library.map(START, { rules: state.rules, values });
    } catch (error) {
        return refuse(sayError(error), { wrong });
    }
    return change({ values, subject: state.subject });
}

// ---- The exercise -----------------------------------------------------------------------------------------------

function ask(i, right) {
    const { questions, before } = state.exercise;
    state.exercise = { questions, before, i, right, judgement: null };
    Object.assign(state, QUIET, { node: rootOf(questions[i].fen) });
    state.isFlipped = state.node.position.turn === "black";
    redraw();
}

export function beginExercise(questions) {
    state.exercise = { questions, before: { ...snapshot(), isFlipped: state.isFlipped } };
    Object.assign(state, { home: null, title: "", games: [], setUp: null });
    ask(0, 0);
}

// A square, a move, or null for "nothing".
export function answer(given) {
    const { exercise } = state,
        judgement = judge(library, exercise.questions[exercise.i], given);
    exercise.judgement = judgement;
    exercise.right += judgement.isRight ? 1 : 0;
    choose(judgement.square === null ? null : { square: squareName(judgement.square) });
}

export function nextQuestion() {
    const { i, right, questions } = state.exercise;
    if (i + 1 < questions.length) ask(i + 1, right);
    else endExercise();
}

export function endExercise() {
    Object.assign(state, QUIET, state.exercise.before, { exercise: null });
    redraw();
}
