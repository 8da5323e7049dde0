// The page: what is shown of the session, and what the controls change of it. show() asks the library and draws what
// differs.
import { exchangeOf, heldByCheck, legalMoves, movesWithValues, TEXTBOOK_VALUES, whatHangs } from "./analysis.js";
import { arrange, listenToWidth } from "./arrange.js";
import { Board } from "./board.js";
import { listenToChart } from "./chart.js";
import { colorOf, isCheck, nameOf, otherColor, readUci, squareName, START } from "./chess.js";
import { EXAMPLES, fillChoices, PRESETS } from "./choices.js";
import { listenToEditor, showDraft } from "./editor.js";
import { byId, html, pieceImage } from "./elements.js";
import { showFault, showGame } from "./frame.js";
import { beginLanguage, changeLanguage, fillTexts } from "./language.js";
import { showExercise } from "./lesson.js";
import { lessonOf } from "./lessonfile.js";
import { copyText, lostByLink, readLink, writeLink } from "./link.js";
import { marksOf } from "./marks.js";
import { showValue, useUnits } from "./numbers.js";
import { markMove, markStep, showEngines, showExchange, showHangs, showMoves, verdictOf } from "./panels.js";
import { readGames } from "./pgn.js";
import { savePicture, savePixels } from "./picture.js";
import { Places } from "./places.js";
import { beginBuiltIn, beginOwn, continueExercise, followExercise, listenToPractice } from "./practice.js";
import { recall, remember } from "./remember.js";
import {
    answer,
    areFens,
    askMissed,
    beginExercise,
    beginSession,
    changes,
    choose,
    chosenOrigin,
    endExercise,
    go,
    goHome,
    goTo,
    isAsking,
    leaveVariation,
    loadFen,
    loadGame,
    loadLesson,
    loadLink,
    loadText,
    nextQuestion,
    options,
    passTurn,
    placeNow,
    playMove,
    plyOf,
    put,
    refuse,
    refuseLink,
    remark,
    returnTo,
    rootOfNode,
    sayError,
    setPosition,
    showAnswer,
    state,
    takeBack,
    tell,
    toggleCastling,
    useRules,
    useSetUp,
    useValues,
    useView,
} from "./session.js";
import { showPalette } from "./setup.js";
import { say, sayMove, sideOf, nounOf } from "./texts.js";
import { beginTheme, changeTheme, showTheme } from "./theme.js";
import { lineThrough, nodeAt, sanOf } from "./tree.js";

let seebatch, board, places;
// What was computed last, each with what it depends on.
const seen = { key: "", hangs: [], moves: [], exchangeKey: "", exchange: null };

const now = () => state.node;

// ---- What a click or a drag means -------------------------------------------------------------------------------

// The moves from one square to another. A king that is put on its own rook castles.
function movesBetween(from, to) {
    const moves = seen.moves.map(({ move }) => move).filter((move) => readUci(move).from === from);
    const direct = moves.filter((move) => readUci(move).to === to);
    const { board: pieces, turn } = now().position,
        [king, rook] = turn === "white" ? "KR" : "kr";
    if (direct.length || pieces[from] !== king || pieces[to] !== rook) return direct;
    return moves.filter((move) => readUci(move).to === from + 2 * Math.sign(to - from));
}

function click(square) {
    const piece = now().position.board[square];
    if (state.setUp !== null) {
        if (state.setUp === "move") return;
        return put(square, state.setUp === "remove" ? null : state.setUp);
    }
    const from = chosenOrigin();
    if (from !== null && movesBetween(from, square).length) return dropped(from, square);
    if (isAsking() && piece) {
        if (colorOf(piece) !== now().position.turn) return answer({ square });
        remark(square);
    }
    choose(piece && square !== from ? { square: squareName(square) } : null);
}

function dropped(from, to) {
    if (state.setUp !== null) return put(to, now().position.board[from], from);
    const moves = to === null ? [] : movesBetween(from, to);
    if (moves.length > 1) return askPromotion(moves);
    if (moves.length === 1) playMove(moves[0]);
}

function draw(from, to) {
    const node = now(),
        others = node.arrows.filter((each) => each.from !== from || each.to !== to);
    node.arrows = others.length < node.arrows.length ? others : [...others, { from, to, color: "G" }];
    show();
}

function askPromotion(moves) {
    const dialog = byId("promotion"),
        { turn } = now().position;
    const buttons = moves.map((move) => {
        const piece = turn === "white" ? move[4].toUpperCase() : move[4];
        const done = () => {
            dialog.close();
            playMove(move);
        };
        return html("button", { type: "button", "aria-label": nounOf(nameOf(piece)), onclick: done }, pieceImage(piece));
    });
    dialog.querySelector(".bar").replaceChildren(...buttons);
    dialog.showModal();
}

// ---- Showing ----------------------------------------------------------------------------------------------------

function compute() {
    const { fen, position } = now(),
        key = [fen, options().rules, options().values, state.isForEngines].join();
    if (key !== seen.key) {
        Object.assign(seen, { key, exchangeKey: "", hangs: [], moves: [] });
        seen.moves = movesWithValues(seebatch, fen, options());
        const moves = seen.moves.map(({ move }) => move);
        for (const each of seen.moves) each.san = sanOf(seebatch, position, each.move, moves);
        const isOver = moves.length === 0 && !state.isForEngines;
        seen.hangs = isOver ? [] : [...whatHangs(seebatch, fen, options()), ...heldByCheck(seebatch, fen, options())];
        showHangs(seen.hangs, choose, isOver);
        showMoves(seen.moves, state.subject, choose);
    }
    const subject = isAsking() ? null : state.subject,
        exchangeKey = JSON.stringify(subject);
    if (exchangeKey === seen.exchangeKey) return;
    seen.exchangeKey = exchangeKey;
    seen.exchange = subject && exchangeOf(seebatch, fen, subject, options());
    showSubject();
}

function showStep(step) {
    stopRun();
    state.step = step;
    show();
}

const steps = () => seen.exchange?.steps?.length ?? 0;
const stepBack = () => showStep(state.step === null ? steps() - 1 : Math.max(0, state.step - 1));
const stepForward = () => showStep(state.step === null ? 0 : Math.min(steps(), state.step + 1));

// The captures one by one, up to where best play stops.
let running = 0;
const stopRun = () => clearInterval(running);

function run() {
    showStep(0);
    running = setInterval(() => {
        if (state.step === null || state.step >= (seen.exchange?.stop ?? 0)) return stopRun();
        state.step++;
        show();
    }, 900);
}

function showSubject() {
    stopRun();
    const { exchange } = seen,
        san = exchange?.move ? sayMove(sanText(exchange)) : "",
        calls = { play: () => playMove(exchange.move), run, showStep, stepBack, stepForward };
    const canPlay = exchange?.fen === now().fen && !state.exercise;
    keepHeight(byId("exchange-body"), rootOfNode());
    showExchange(exchange, { san, canPlay, isForEngines: state.isForEngines, calls });
    showEngines(exchange, state.rules, useRules);
    markMove(state.subject);
    if (exchange) byId("live").textContent = exchange.reason ?? verdictOf(exchange, san);
}

// What is below an element does not move while a game is stepped through, though the element gets shorter.
let keptFor = null;
function keepHeight(element, game) {
    element.style.minHeight = game === keptFor && !byId("game").hidden ? `${element.getBoundingClientRect().height}px` : "";
    keptFor = game;
}

function sanText({ fen, move, position }) {
    return (
        seen.moves.find((each) => each.move === move && fen === now().fen)?.san ??
        sanOf(seebatch, position, move, legalMoves(seebatch, fen))
    );
}

// A board that no game reaches, being set up: only what is wrong with it is shown.
function clear(error) {
    Object.assign(seen, { key: "", hangs: [], moves: [], exchange: null, exchangeKey: "" });
    state.fault = sayError(error);
    showHangs([], choose, false);
    showMoves([], null, choose);
    showExchange(null, {});
    showEngines(null, state.rules, useRules);
    byId("game").hidden = true;
}

function showBoard() {
    const { position, move } = now(),
        { exchange } = seen,
        from = chosenOrigin(),
        hangs = isAsking() ? [] : seen.hangs;
    board.flip(state.isFlipped);
    const isStepped = steps() > 0 && state.step !== null;
    const pieces = isStepped ? exchange.boards[state.step] : position.board;
    const last = move ? [readUci(move).from, readUci(move).to] : [];
    const moves =
        from === null || state.subject.move || isAsking()
            ? []
            : seen.moves.filter((each) => readUci(each.move).from === from);
    const answers = new Map(
        moves.map(({ move: each, san, value }) => [readUci(each).to, say("board.worth", { san: sayMove(san), value: showValue(value) })]),
    );
    const costs = new Map(hangs.map(({ square, value }) => [square, say("board.hangs", { value: showValue(value) })]));
    board.show(pieces, (square) => ({
        label: [costs.get(square), answers.get(square)].filter(Boolean),
        chosen: square === from || squareName(square) === state.subject?.square,
        last: !isStepped && last.includes(square),
    }));
    const marks = { hangs, exchange, step: isStepped ? state.step : null, moves, arrows: now().arrows };
    byId("marks").replaceChildren(...marksOf(board, marks));
}

// Who has the turn; check, mate and stalemate by their names.
function turnText({ position }) {
    const side = sideOf(position.turn),
        isInCheck = isCheck(position);
    if (seen.moves.length) return say(isInCheck ? "turn.in-check" : "turn.to-move", { side });
    return isInCheck ? say("turn.mate", { side: sideOf(otherColor(position.turn)) }) : say("turn.stalemate");
}

function showControls() {
    const { fen, label, glyphs } = now(),
        ply = plyOf(),
        isLast = ply === lineThrough(now()).length - 1;
    for (const id of ["first", "back"]) byId(id).disabled = ply === 0;
    for (const id of ["forward", "last"]) byId(id).disabled = isLast;
    byId("undo").disabled = !changes.canUndo || Boolean(state.exercise);
    byId("redo").disabled = !changes.canRedo || Boolean(state.exercise);
    byId("set-up").disabled = Boolean(state.exercise);
    const turn = `${ply ? `${sayMove(label)}${glyphs} · ` : ""}${turnText(now())}`;
    if (byId("turn").textContent !== turn && !seen.exchange) byId("live").textContent = turn;
    byId("turn").textContent = turn;
    byId("fen").value = fen;
    document.documentElement.dataset.view = state.isForEngines ? "engines" : "pupil";
    byId("view").setAttribute("aria-pressed", state.isForEngines);
    byId("rules").value = state.rules;
    byId("rules-note").textContent = seebatch.ruleSets.includes(state.rules) ? say(`rules.${state.rules}`) : "";
    const preset = Object.keys(PRESETS).find((name) => PRESETS[name].join() === state.values.join());
    byId("presets").value = preset ?? "";
    document.querySelectorAll("#values input").forEach((input, i) => {
        if (input !== document.activeElement && state.wrong !== input) input.value = state.values[i] / unit();
    });
    byId("textbook").hidden = state.values.join() === TEXTBOOK_VALUES.join();
    const calls = { use: useSetUp, pass: passTurn, clear: (kings) => setPosition({ board: kings }), castle: toggleCastling };
    showPalette(state.setUp, now().position, calls);
}

function show() {
    const begin = performance.now();
    try {
        compute();
        showGame(seebatch);
    } catch (error) {
        clear(error);
    }
    arrange(Boolean(state.exercise));
    showBoard();
    markStep(seen.exchange, state.step);
    showControls();
    showExercise();
    showFault();
    if (state.isBoardWanted) board.focus();
    state.isBoardWanted = false;
    places.note(state.isArrival);
    state.isArrival = false;
    performance.measure("show", { start: begin });
}

// Shows all anew, as numbers are written in other units.
function showAnew() {
    seen.key = "";
    show();
}

// Says all anew in another language.
function useWords(language) {
    changeLanguage(language);
    showTheme();
    showKernel();
    beginUnits();
    showDraft();
    choose(state.subject); // what was wrong was said in the other language
    seen.key = "";
    if (state.exercise) state.exercise.hint = "";
    show();
}

const showKernel = () => (byId("kernel").textContent = say(seebatch.kernel === "simd128" ? "page.simd" : "page.scalar"));

// ---- The address ------------------------------------------------------------------------------------------------

const hashNow = () => writeLink({ ...state, line: lineThrough(now()), ply: plyOf() });

// A game or a lesson as PGN.
function followPgn({ pgn, at, subject, exercise, faults }) {
    const games = readGames(pgn),
        lesson = lessonOf(games);
    if (!games.length) faults.push(say("error.link-pgn"));
    if (lesson) loadLesson(lesson, { i: exercise === null ? null : exercise - 1 });
    else if (games.length && loadGame(games, 0)) goTo(nodeAt(now(), at));
    if (subject && !lesson) choose(subject);
    if (faults.length) refuseLink(faults);
}

function whyNoRules(rules) {
    try {
        seebatch.map(START, { rules });
        return "";
    } catch (error) {
        return error.message;
    }
}

const remembered = (name, isRight) => {
    const text = recall(name);
    return text && isRight(text) ? text : null;
};

// What this browser remembers: piece values, and the view.
function beginView() {
    const values = remembered("values", (text) => /^\d+(,\d+){4}$/.test(text));
    if (values) state.values = values.split(",").map(Number);
    state.isForEngines = recall("view") === "engines";
}

function followLink() {
    if (location.hash.length < 2) return showExample(Object.keys(EXAMPLES)[0]);
    const link = readLink(location.hash, whyNoRules);
    document.documentElement.toggleAttribute("data-embedded", link.isEmbedded);
    const isForEngines = link.view ? link.view === "engines" : state.isForEngines;
    Object.assign(state, { rules: link.rules, values: link.values, isFlipped: link.isFlipped, isForEngines, exercise: null });
    beginUnits();
    if (link.pgn !== null) return followPgn(link);
    if (link.exercise) return followExercise(link);
    return loadLink({ ...link, fen: link.fen ?? START }, link.faults);
}

// ---- Controls ---------------------------------------------------------------------------------------------------

// After a text was loaded, the board is in view, and what it is was said.
function loaded(isLoaded) {
    if (!isLoaded) return;
    const { top, bottom } = byId("frame").getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) byId("frame").scrollIntoView({ block: "start" });
    byId("live").textContent = say("load.showing", {
        what: state.exercise?.title || state.title || say("load.position"),
        turn: byId("turn").textContent,
    });
    if (!state.fault && lostByLinkNow()) tell(say("link.reload"));
}

function showExample(name) {
    const [fen, subject] = EXAMPLES[name] ?? [];
    if (fen) loaded(loadFen(fen, { subject }));
}

const unit = () => (state.units === "pawns" ? 100 : 1);

function changeUnits() {
    remember("units", state.units === "pawns" ? "centipawns" : "pawns");
    beginUnits();
    showAnew();
}

// Pupils count in pawns.
function beginUnits() {
    state.units = state.isForEngines && recall("units") === "centipawns" ? "centipawns" : "pawns";
    useUnits(state.units);
    byId("units").textContent = say(`page.${state.units}`);
    document.querySelectorAll("#values input").forEach((input) => (input.max = 3000 / unit()));
}

function changeView() {
    remember("view", state.isForEngines ? null : "engines");
    Object.assign(seen, { key: "", exchangeKey: "" });
    state.isForEngines = !state.isForEngines;
    beginUnits();
    useView(state.isForEngines);
}

// What the link of this page leaves out, in a sentence, or "".
function lostByLinkNow() {
    const lost = lostByLink({ ...state, line: lineThrough(now()) });
    return lost && say(`link.lost-${lost}`);
}

const clicks = {
    first: () => go(0),
    back: () => go(plyOf() - 1),
    forward: () => go(plyOf() + 1),
    last: () => go(Infinity),
    undo: () => takeBack(false),
    redo: () => takeBack(true),
    flip: () => {
        state.isFlipped = !state.isFlipped;
        show();
    },
    "set-up": () => useSetUp(state.setUp === null ? "move" : null),
    "to-game": goHome,
    "save-svg": () => savePicture(board),
    "save-png": () => savePixels(board),
    load: () => loaded(loadText(byId("text").value, byId("text"))),
    open: () => byId("file").click(),
    start: () => loaded(loadFen(START)),
    close: () => refuse(""),
    nothing: () => answer(null),
    "exercise-built-in": beginBuiltIn,
    "exercise-own": beginOwn,
    "exercise-continue": continueExercise,
    "exercise-answer": showAnswer,
    "exercise-next": nextQuestion,
    "exercise-again": () => beginExercise(state.exercise, { isAnew: true }),
    "exercise-missed": askMissed,
    "exercise-end": endExercise,
    textbook: () => useValues(TEXTBOOK_VALUES),
    view: changeView,
    units: changeUnits,
    theme: changeTheme,
    "copy-link": async () => {
        await copyText(location.href.split("#")[0] + hashNow());
        const notes = [lostByLinkNow(), location.protocol === "file:" && say("link.own-file")].filter(Boolean);
        if (notes.length) tell(notes.join(" "));
        byId("live").textContent = byId("copy-link").textContent = say("page.link-copied");
        setTimeout(() => (byId("copy-link").textContent = say("page.copy-link")), 1500);
    },
};

function listen() {
    const on = (id, event, run) => byId(id).addEventListener(event, run);
    for (const [id, run] of Object.entries(clicks)) on(id, "click", run);
    on("rules", "change", (event) => useRules(event.target.value));
    on("presets", "change", (event) => useValues(PRESETS[event.target.value]));
    on("values", "change", (event) => {
        const inputs = [...document.querySelectorAll("#values input")];
        useValues(
            inputs.map((input) => Math.round(input.valueAsNumber * unit())),
            event.target,
        );
    });
    on("language", "change", (event) => useWords(event.target.value));
    on("fen", "focus", (event) => event.target.select());
    on("file", "change", async (event) => loaded(loadText(await event.target.files[0].text())));
    on("games", "change", (event) => {
        const index = event.target.valueAsNumber - 1;
        if (state.games[index]) loadGame(state.games, index);
        else {
            const words = { count: state.games.length, found: event.target.value };
            refuse(areFens(state.games) ? say("error.position-number", words) : say("error.game-number", words));
        }
    });
    on("examples", "change", (event) => showExample(event.target.value));
    listenToChart(() => lineThrough(now()).length, plyOf, go);
    listenToPractice();
    listenToEditor();
    listenToWheel();
    listenToWidth(show);
    document.addEventListener("keydown", useKey);
    document.addEventListener("paste", (event) => {
        if (!event.target.closest?.("input, textarea")) loaded(loadText(event.clipboardData.getData("text")));
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        loaded(loadText(file ? await file.text() : event.dataTransfer.getData("text")));
    });
}

const keys = {
    ArrowLeft: (isShift) => (isShift ? leaveVariation() : go(plyOf() - 1)),
    ArrowRight: (isShift) => (isShift && now().children[1] ? goTo(now().children[1]) : go(plyOf() + 1)),
    ArrowUp: () => go(plyOf() - 1),
    ArrowDown: () => go(plyOf() + 1),
    Home: () => go(0),
    End: () => go(Infinity),
    ".": () => steps() && stepForward(),
    ",": () => steps() && stepBack(),
    f: () => clicks.flip(),
    Escape: () => (state.setUp === null ? choose(null) : useSetUp(null)),
};

function useKey(event) {
    if (event.target.closest?.("input, textarea, select, .scroll, dialog") || event.altKey) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const undo = { z: () => takeBack(event.shiftKey), y: () => takeBack(true) };
    const run = event.ctrlKey || event.metaKey ? undo[letter] : keys[letter];
    if (!run) return;
    event.preventDefault();
    run(event.shiftKey);
}

// The wheel over the board steps through a game.
const NOTCH = 50; // pixels

function listenToWheel() {
    let turned = 0;
    byId("frame").addEventListener(
        "wheel",
        (event) => {
            if (event.ctrlKey || lineThrough(now()).length < 2 || state.exercise) return;
            event.preventDefault();
            turned += event.deltaY * (event.deltaMode ? NOTCH : 1);
            if (Math.abs(turned) < NOTCH) return;
            go(plyOf() + Math.sign(turned));
            turned = 0;
        },
        { passive: false },
    );
}

async function begin() {
    beginLanguage();
    beginTheme();
    beginView();
    const bytes = (kernel) => Uint8Array.from(atob(byId(`module-${kernel}`).textContent), (c) => c.charCodeAt(0));
    const kernel = Seebatch.hasSimd ? "simd128" : "scalar";
    seebatch = await Seebatch.load({ files: { [kernel]: bytes(kernel) } });
    beginSession(seebatch, show);
    board = new Board({
        click,
        drop: dropped,
        draw,
        escape: keys.Escape,
        canDrag: (square) => {
            const piece = now().position.board[square];
            return Boolean(piece) && (state.setUp !== null || colorOf(piece) === now().position.turn);
        },
    });
    places = new Places({ hash: hashNow, placeNow, returnTo, follow: followLink });
    fillChoices(seebatch.ruleSets);
    fillTexts();
    beginUnits();
    byId("version").textContent = Seebatch.version;
    showKernel();
    listen();
    followLink();
    changes.forget();
    show();
    document.documentElement.dataset.ready = "true";
}

begin().catch((error) => {
    const isMissing = typeof WebAssembly !== "object" || /WebAssembly|wasm/i.test(error.message);
    const why = isMissing ? say("page.no-wasm") : error.message;
    byId("message").hidden = false;
    byId("error").textContent = say("page.cannot-run", { why });
});
