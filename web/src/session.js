// What the page holds, and what changes it: positions and games that are loaded, moves that are played, a board that is
// set up, exercises. Every change ends in redraw(). Moves, and pieces that are set up, can be taken back.
import { legalMoves, TEXTBOOK_VALUES } from "./analysis.js";
import { capital, colorOf, otherColor, readUci, squareName, START, writeFen } from "./chess.js";
import { judge, RULES, sayHint } from "./exercise.js";
import { History } from "./history.js";
import { otherVariant, readGames, titleOf } from "./pgn.js";
import { fenInAddress, isAddress, lichessGame, readFens } from "./positions.js";
import { remember } from "./remember.js";
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
    step: null, // how many captures are on the board; null where all are shown as arrows
    arrows: [], // drawn by hand: { from, to }
    rules: "legal",
    values: TEXTBOOK_VALUES,
    isForEngines: false, // whether swap lists, rule sets and piece values are shown
    isFlipped: false,
    setUp: null, // what a click does on a board that is set up: puts a piece, "remove" or "move"; otherwise null
    exercise: null, // see "Exercises"
    isArrival: false, // whether something else is shown than before, to which the browser's Back returns
    fault: "", // what was wrong, in a sentence
    isNote: false, // whether that sentence is about nothing wrong
    wrong: null, // the element whose text was wrong, which stays as it is
    advice: null, // a link that goes with the sentence
};

export const changes = new History();
export let library;
let redraw;

export function beginSession(seebatch, show) {
    library = seebatch;
    redraw = show;
}

export const rootOfNode = () => lineThrough(state.node)[0];
export const options = () => (state.exercise ? RULES : { rules: state.rules, values: state.values });
const UNSAID = { fault: "", isNote: false, wrong: null, advice: null };
const QUIET = { subject: null, step: null, arrows: [], ...UNSAID };

// What is shown instead of what was; Back returns to that, Undo does not.
function arrive(next) {
    Object.assign(state, QUIET, { setUp: null, exercise: null, isArrival: true }, next);
    changes.forget();
    visit(state.node);
    redraw();
}

// What Back returns to.
const PLACE = ["node", "home", "title", "games", "index", "rules", "values", "isForEngines", "isFlipped", "exercise"];
export const placeNow = () => ({
    ...Object.fromEntries(PLACE.map((name) => [name, state[name]])),
    exercise: state.exercise && { ...state.exercise },
});

export function returnTo(place) {
    arrive({ ...place, exercise: place.exercise && { ...place.exercise } });
}

// ---- Taking back ------------------------------------------------------------------------------------------------

const CONTENT = ["node", "home", "title", "games", "index", "setUp"];
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
        .replace(/^positions?(?: \d+|\[\d+\]|): ?/, "")
        .replace(/values\[(\d)\]/, (_, i) => `the value of a ${names[i]}`);
    return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

export function refuse(fault, more = {}) {
    Object.assign(state, UNSAID, { fault }, more);
    redraw();
}

export const refuseLink = (faults) => refuse(`The link is wrong in part. ${faults.map((each) => `${each}.`).join(" ")}`);

export const tell = (note) => refuse(note, { isNote: true });

// ---- Loading ----------------------------------------------------------------------------------------------------

const isRight = (fen) => {
    legalMoves(library, fen);
    return true;
};

export function loadFen(fen, next = {}, wrong = null) {
    try {
        isRight(fen);
        arrive({ node: rootOf(fen), home: null, title: "", games: [], index: 0, ...next });
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
        const title = game.title ?? titleOf(game),
            home = { root, title, games, index };
        arrive({ node: root, home, title, games, index });
        if (faults.length) refuse(faults.slice(0, 3).join(" ") + (faults.length > 3 ? ` And ${faults.length - 3} more.` : ""));
        return true;
    } catch (error) {
        return refuse(sayError(error), { wrong });
    }
}

const MOST_FAULTS = 20;

// The positions of a list that are right, and a sentence for each that is wrong.
function sorted(positions) {
    let right = [],
        rest = positions;
    const faults = [];
    while (rest.length && faults.length < MOST_FAULTS) {
        try {
            library.positions(rest.map(({ fen }) => fen)).dispose();
            return { right: right.concat(rest), faults };
        } catch (error) {
            const [, i] = error.message.match(/^position (\d+)/) ?? [null, 0];
            faults.push(`Line ${rest[i].line}: ${sayError(error)}`);
            right = right.concat(rest.slice(0, i));
            rest = rest.slice(Number(i) + 1);
        }
    }
    return { right: right.concat(rest), faults };
}

function loadPositions(positions, wrong) {
    if (positions.length === 1) return loadFen(positions[0].fen, {}, wrong);
    const { right, faults } = sorted(positions);
    if (faults.length >= MOST_FAULTS || !right.length) {
        const many = faults.length > 1 ? ` At least ${faults.length} of ${positions.length} lines are wrong.` : "";
        return refuse(faults[0] + many, { wrong });
    }
    loadGame(right.map(({ fen }) => ({ tags: { FEN: fen }, text: "", title: "" })), 0);
    if (faults.length) {
        const skipped = `${faults.length} of ${positions.length} positions ${faults.length > 1 ? "were" : "was"} left out.`;
        refuse(`${skipped} ${faults.slice(0, 3).join(" ")}`, { wrong });
    }
    return true;
}

// A FEN or several, one or several games, or an address that holds a position.
export function loadText(text, wrong = null) {
    const trimmed = text.trim();
    if (isAddress(trimmed)) {
        const fen = fenInAddress(trimmed),
            lichess = lichessGame(trimmed);
        if (fen) return loadFen(fen, {}, wrong);
        if (lichess) {
            const address = `https://lichess.org/game/export/${lichess}`;
            const fault = "This page asks no server. Save this game from its address, and drop the file here:";
            return refuse(fault, { wrong, advice: address });
        }
        const fault = "This page asks no server, and there is no position in this address. Paste the game’s PGN instead.";
        return refuse(fault, { wrong });
    }
    const positions = readFens(trimmed);
    if (positions) return loadPositions(positions, wrong);
    const games = readGames(trimmed);
    if (games.length) return loadGame(games, 0, wrong);
    const found = trimmed ? `found “${trimmed.slice(0, 40)}”` : "found nothing";
    return refuse(`Expected a game in PGN, or a position as FEN, ${found}.`, { wrong });
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
        arrive({ node: shown, home, title: "", games: [], index: 0, subject: chosen });
    } catch (error) {
        faults.push(sayError(error).replace(/\.$/, ""));
    }
    if (faults.length) refuseLink(faults);
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

// To where the variation begins.
export function leaveVariation() {
    let { node } = state;
    while (node.parent?.children[0] === node) node = node.parent;
    if (node.parent) goTo(node.parent);
}

export function playMove(move) {
    if (isAsking()) return answer({ move });
    const { node, isNew } = childBy(library, state.node, move, legalMoves(library, state.node.fen));
    if (isNew) change({ node }, node);
    else goTo(node);
}

export function choose(subject) {
    Object.assign(state, { subject, step: null, ...UNSAID });
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

// Takes a right to castle away, or gives it.
export function toggleCastling(letter) {
    const { castling } = state.node.position;
    const letters = castling.includes(letter) ? castling.replace(letter, "") : castling.replace("-", "") + letter;
    setPosition({ castling: letters });
}

export function useSetUp(setUp) {
    Object.assign(state, { setUp, subject: null, step: null });
    redraw();
}

// ---- Rules ------------------------------------------------------------------------------------------------------

export function useRules(rules) {
    Object.assign(state, UNSAID, { rules });
    redraw();
}

export function useValues(values, wrong = null) {
    try {
        library.map(START, { rules: state.rules, values });
    } catch (error) {
        return refuse(sayError(error), { wrong });
    }
    remember("values", values.join());
    Object.assign(state, UNSAID, { values });
    return redraw();
}

// The view of those who write engines, or that of pupils, whose captures are legal.
export function useView(isForEngines) {
    Object.assign(state, { isForEngines, rules: isForEngines ? state.rules : "legal" });
    redraw();
}

// ---- Exercises --------------------------------------------------------------------------------------------------

// state.exercise: { name, questions, results, i, judgement, hint, isOver, before }, name being "built-in" or "own", and
// before what End returns to. A result is { wrong, isShown, isDone }: how many answers were wrong, whether the answer was
// shown. They are remembered by the browser.
export const isAsking = () => Boolean(state.exercise && !state.exercise.judgement && !state.exercise.isOver);

function keep() {
    const { name, questions, results, i } = state.exercise;
    const fens = name === "own" ? questions.map(({ fen }) => fen) : undefined;
    remember("exercise", JSON.stringify({ name, fens, results, i }));
}

export function ask(i) {
    const { questions } = state.exercise;
    const exercise = { ...state.exercise, i, judgement: null, hint: "", isOver: false };
    const node = rootOf(questions[i].fen);
    const shown = { node, home: null, title: "", games: [], index: 0, isFlipped: node.position.turn === "black" };
    arrive({ ...shown, exercise });
    keep();
}

export function beginExercise(name, questions, i = 0, results = []) {
    const before = state.exercise?.before ?? placeNow();
    state.exercise = { name, questions, before, results: questions.map((_, k) => results[k] ?? null) };
    ask(i);
}

// The result of the question, which the first answer that ends it decides.
function note(more) {
    const { results, i } = state.exercise;
    const before = results[i] ?? { wrong: 0, isShown: false, isDone: false };
    if (!before.isDone) results[i] = { ...before, ...more(before) };
    keep();
}

function end(judgement) {
    state.exercise.judgement = judgement;
    state.exercise.hint = "";
    choose(judgement.square === null ? null : { square: squareName(judgement.square) });
}

// A square, a move, or null for "nothing". A wrong answer can be followed by another.
export function answer(given) {
    const { exercise } = state,
        question = exercise.questions[exercise.i],
        judgement = judge(library, question, given);
    note(({ wrong }) => (judgement.isRight ? { isDone: true } : { wrong: wrong + 1 }));
    if (judgement.isRight) return end(judgement);
    exercise.hint = sayHint(library, question, given);
    return choose(null);
}

export function showAnswer() {
    const { questions, i } = state.exercise;
    note(() => ({ isShown: true, isDone: true }));
    end({ isRight: false, square: questions[i].answers[0]?.square ?? null });
}

export function nextQuestion() {
    const { i, questions } = state.exercise;
    if (i + 1 < questions.length) return ask(i + 1);
    state.exercise = { ...state.exercise, isOver: true };
    return arrive({ exercise: state.exercise });
}

export function endExercise() {
    returnTo(state.exercise.before);
}
