// What the page holds, and what changes it: positions and games that are loaded, moves that are played, a board that is
// set up, exercises. Every change ends in redraw(). Moves, and pieces that are set up, can be taken back.
import { legalMoves, TEXTBOOK_VALUES } from "./analysis.js";
import { capital, colorOf, otherColor, readUci, squareName, START, writeFen } from "./chess.js";
import { judge, missedOf, questionsAt, RULES, sayDanger, sayFault, sayHint } from "./exercise.js";
import { History } from "./history.js";
import { lessonOf, writeLesson } from "./lessonfile.js";
import { otherVariant, readGames, titleOf } from "./pgn.js";
import { fenInAddress, isAddress, lichessGame, readFens } from "./positions.js";
import { keepRecord, recordOf, remember } from "./remember.js";
import { castlingOf } from "./setup.js";
import { say, sideOf } from "./texts.js";
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
    rules: "legal",
    values: TEXTBOOK_VALUES,
    isForEngines: false, // whether swap lists, rule sets and piece values are shown
    isFlipped: false,
    setUp: null, // what a click does on a board that is set up: puts a piece, "remove" or "move"; otherwise null
    exercise: null, // see "Exercises"
    isBoardWanted: false, // whether the board takes the focus
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

// Whether these games are the positions of a list.
export const areFens = (games) => games[0]?.text === "";

export const rootOfNode = () => lineThrough(state.node)[0];
export const options = () => (state.exercise ? RULES : { rules: state.rules, values: state.values });
const UNSAID = { fault: "", isNote: false, wrong: null, advice: null };
const QUIET = { subject: null, step: null, ...UNSAID };

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
    const names = ["pawn", "knight", "bishop", "rook", "queen"],
        said = error.message.replace(/values\[(\d)\]/, (_, i) => `value of a ${names[i]}`),
        [, piece, wrong] = said.match(/value of a (\w+) is (-?[\w.]+), /) ?? [];
    if (piece) return say("error.value", { piece: say(`one.${piece}`), value: wrong });
    const [, square, side] = error.message.match(/king on (\w\d) is attacked .*expected that (\w+) cannot capture it/) ?? [];
    if (square) return say("error.king", { side: sideOf(side), square });
    const text = said.replace(/^positions?(?: \d+|\[\d+\]|): ?/, "");
    return say("error.library", { text: capital(text) + (/[.!?]$/.test(text) ? "" : ".") });
}

export function refuse(fault, more = {}) {
    Object.assign(state, UNSAID, { fault }, more);
    redraw();
}

export const refuseLink = (faults) => refuse(say("error.link", { faults: faults.map((text) => say("error.sentence", { text })).join(" ") }));

export const tell = (note) => refuse(note, { isNote: true });

// ---- Loading ----------------------------------------------------------------------------------------------------

const isRight = (fen) => {
    legalMoves(library, fen);
    return true;
};

// What is wrong with a position, in a sentence; "" if nothing is.
function whatIsWrong(fen) {
    try {
        isRight(fen);
        return "";
    } catch (error) {
        return sayError(error);
    }
}

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
    if (variant) return refuse(say("error.variant", { variant }), { wrong });
    try {
        const { root, faults } = treeOf(library, game);
        isRight(root.fen);
        const title = game.title ?? titleOf(game),
            home = { root, title, games, index };
        arrive({ node: root, home, title, games, index });
        if (faults.length) refuse(faults.slice(0, 3).join(" ") + (faults.length > 3 ? ` ${say("error.more", { count: faults.length - 3 })}` : ""));
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
            faults.push(say("error.line", { line: rest[i].line, text: sayError(error) }));
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
        const many = faults.length > 1 ? ` ${say("error.lines", { wrong: faults.length, count: positions.length })}` : "";
        return refuse(faults[0] + many, { wrong });
    }
    loadGame(right.map(({ fen }) => ({ tags: { FEN: fen }, text: "", title: "" })), 0);
    if (faults.length) {
        const words = { left: faults.length, count: positions.length },
            skipped = faults.length > 1 ? say("error.left-out", words) : say("error.left-out-one", words);
        refuse(`${skipped} ${faults.slice(0, 3).join(" ")}`, { wrong });
    }
    return true;
}

// A lesson, { title, items }, goes on where it was left, or begins at question i.
export function loadLesson({ title, items }, { wrong = null, i = null } = {}) {
    const at = items.findIndex(({ fen }) => whatIsWrong(fen));
    if (at >= 0) return refuse(say("error.question", { number: at + 1, text: whatIsWrong(items[at].fen) }), { wrong });
    beginExercise({ name: "own", title, questions: questionsAt(library, items) }, { i: items[i] ? i : null });
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
            return refuse(say("error.lichess"), { wrong, advice: address });
        }
        return refuse(say("error.address"), { wrong });
    }
    const positions = readFens(trimmed);
    if (positions) return loadPositions(positions, wrong);
    const games = readGames(trimmed),
        lesson = lessonOf(games);
    if (lesson) return loadLesson(lesson, { wrong });
    if (games.length) return loadGame(games, 0, wrong);
    return refuse(trimmed ? say("error.text", { found: trimmed.slice(0, 40) }) : say("error.no-text"), { wrong });
}

const illegal = (name, found) => say("error.link-field", { name, expected: say("expected.legal"), found });

// What the address says, all at once: the root's FEN, moves behind it, how many of them are made.
export function loadLink({ fen, moves, ply, subject }, faults) {
    try {
        let node = rootOf(fen);
        isRight(fen);
        const nodes = [node];
        for (const move of moves) {
            const legal = legalMoves(library, node.fen);
            if (!legal.includes(move)) {
                faults.push(illegal("moves", move));
                break;
            }
            node = childBy(library, node, move, legal).node;
            nodes.push(node);
        }
        const shown = nodes[Math.min(ply, nodes.length - 1)];
        let chosen = subject;
        if (subject?.move && !legalMoves(library, shown.fen).includes(subject.move)) {
            faults.push(illegal("move", subject.move));
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

// state.exercise: { name, title, questions, results, i, todo, tries, judgement, hint, isOver, before }, name being
// "built-in" or "own", todo the questions that are asked, in their order, tries how often this one was answered wrong now,
// and before what End returns to. A result is { wrong, isShown, isDone }: how many answers were wrong, whether the answer
// was shown. Results are remembered by the browser, and found again by what the lesson says.
export const isAsking = () => Boolean(state.exercise && !state.exercise.judgement && !state.exercise.isOver);

const textOf = ({ name, title, questions }) => (name === "built-in" ? name : writeLesson(library, { title, questions }, true));

function keep() {
    const { name, results, i } = state.exercise;
    keepRecord({ name, text: state.exercise.text, results, i });
}

export function ask(i) {
    const { questions } = state.exercise;
    const exercise = { ...state.exercise, i, tries: 0, judgement: null, hint: "", isOver: false };
    const node = rootOf(questions[i].fen);
    node.arrows = [...(questions[i].arrows ?? [])];
    const shown = { node, home: null, title: "", games: [], index: 0, isFlipped: node.position.turn === "black" };
    arrive({ ...shown, exercise, isBoardWanted: true });
    keep();
}

// Asks the questions from number i on, with the results that are remembered of them, unless it begins anew.
export function beginExercise({ name, title = "", questions }, { i = null, isAnew = false } = {}) {
    const before = state.exercise?.before ?? placeNow(),
        text = textOf({ name, title, questions }),
        known = isAnew ? null : recordOf(text);
    const results = questions.map((_, k) => known?.results[k] ?? null),
        todo = questions.map((_, k) => k);
    state.exercise = { name, title, questions, text, before, todo, results };
    ask(i ?? (questions[known?.i] ? known.i : 0));
}

// The same questions, without those that were right the first time.
export function askMissed() {
    const { results } = state.exercise,
        todo = missedOf(results);
    state.exercise = { ...state.exercise, todo, results: results.map((each, i) => (todo.includes(i) ? null : each)) };
    ask(todo[0]);
}

// The result of the question, which the first answer that ends it decides.
function note(more) {
    const { results, i } = state.exercise;
    const before = results[i] ?? { wrong: 0, isShown: false, isDone: false };
    if (!before.isDone) results[i] = { ...before, ...more(before) };
    keep();
}

// The pupil's own move is answered as such.
function end(judgement, given) {
    state.exercise.judgement = judgement;
    state.exercise.hint = "";
    const { square, move } = judgement;
    choose(square === null ? null : given?.move ? { move } : { square: squareName(square) });
}

// A square, a move, or null for "nothing". A wrong answer can be followed by another, after the second with a hint.
export function answer(given) {
    const { exercise } = state,
        question = exercise.questions[exercise.i],
        judgement = judge(library, question, given);
    note(({ wrong }) => (judgement.isRight ? { isDone: true } : { wrong: wrong + 1 }));
    if (judgement.isRight) return end(judgement, given);
    exercise.tries++;
    const hint = exercise.tries > 1 ? sayHint(question) : "";
    exercise.hint = [sayFault(library, question, given), say("exercise.try-again"), hint].filter(Boolean).join(" ");
    return choose(null);
}

// A word about a piece of the side that has the turn, which is no answer.
export function remark(square) {
    const { exercise } = state;
    exercise.hint = sayDanger(library, exercise.questions[exercise.i], square) || exercise.hint;
}

export function showAnswer() {
    const { questions, i } = state.exercise;
    note(() => ({ isShown: true, isDone: true }));
    end({ ...judge(library, questions[i], null), isRight: false });
}

export const questionBehind = ({ todo, i }) => todo[todo.indexOf(i) + 1];

export function nextQuestion() {
    const next = questionBehind(state.exercise);
    if (next !== undefined) return ask(next);
    state.exercise = { ...state.exercise, isOver: true };
    return arrive({ exercise: state.exercise });
}

export function endExercise() {
    returnTo({ ...state.exercise.before, isBoardWanted: true });
}
