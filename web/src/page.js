// The page: what is shown, and what the controls change of it. Every change ends in show(), which asks the library and
// draws what differs.
import { chartOf, exchangeOf, legalMoves, movesWithValues, USUAL_VALUES, whatHangs } from "./analysis.js";
import { Board } from "./board.js";
import { listenToChart, markPly, showChart, showScore } from "./chart.js";
import { colorOf, readUci, squareName, START, writeFen } from "./chess.js";
import { EXAMPLES, fillChoices, PRESETS, RULE_NOTES } from "./choices.js";
import { byId, html, pieceImage } from "./elements.js";
import { after, firstOf, lineOf, sanOf } from "./line.js";
import { copyText, readLink, writeLink } from "./link.js";
import { drawMarks } from "./marks.js";
import { markMove, markStep, showEngines, showExchange, showHangs, showMoves, verdictOf } from "./panels.js";
import { looksLikeFen, readGames, titleOf } from "./pgn.js";
import { possibleCastling, showPalette } from "./setup.js";
import { beginTheme, changeTheme } from "./theme.js";

let seebatch, board;
const state = {
    line: [], // the positions: { fen, position, label, san }; the first has no move before it
    ply: 0,
    game: null, // the line of the game that was loaded, when the line is another
    games: [], // of the text that was loaded
    title: "",
    subject: null, // { move } or { square } that was chosen
    step: null, // how many captures are on the board; null where the exchange is shown whole
    rules: "legal",
    values: USUAL_VALUES,
    setUp: null, // the piece that a click puts on the board, "" for none; null when the board is not set up
    fault: "",
};
// What was computed last, each with what it depends on.
const seen = { key: "", hangs: [], moves: [], exchangeKey: "", exchange: null, line: null, chartKey: "", chart: [] };

const now = () => state.line[state.ply];
const options = () => ({ rules: state.rules, values: state.values });

// ---- Lines of positions -----------------------------------------------------------------------------------------

function setLine(line, ply = 0, change = {}) {
    Object.assign(state, { line, ply, subject: null, step: null, game: null, title: "", fault: "", ...change });
    show();
}

function loadFen(fen, change = {}) {
    try {
        legalMoves(seebatch, fen);
    } catch (error) {
        state.fault = error.message;
        show();
        return;
    }
    setLine([firstOf(fen)], 0, { games: [], ...change });
}

function loadGame(game, games) {
    try {
        const { line, fault } = lineOf(seebatch, game);
        const title = (each, i) => html("option", { value: i }, `${i + 1}. ${titleOf(each)}`);
        if (games !== state.games) byId("games").replaceChildren(...games.map(title));
        setLine(line, 0, { games, title: titleOf(game), fault });
    } catch (error) {
        state.fault = error.message;
        show();
    }
}

function loadText(text) {
    const trimmed = text.trim();
    if (looksLikeFen(trimmed)) return loadFen(trimmed.split("\n")[0]);
    const games = readGames(trimmed);
    if (games.length) return loadGame(games[0], games);
    state.fault = trimmed
        ? `Expected a FEN or a PGN with moves, found “${trimmed.slice(0, 40)}”.`
        : "Expected a FEN or a PGN, found nothing.";
    show();
}

function go(ply) {
    const to = Math.max(0, Math.min(state.line.length - 1, ply));
    if (to === state.ply) return;
    Object.assign(state, { ply: to, subject: null, step: null, fault: "" });
    show();
}

function playMove(move) {
    const next = state.line[state.ply + 1];
    if (next?.move === move) return go(state.ply + 1);
    const moves = seen.moves.map((each) => each.move);
    const line = [...state.line.slice(0, state.ply + 1), after(seebatch, now(), move, moves)];
    const game = state.game ?? (state.title ? state.line : null);
    setLine(line, state.ply + 1, { game, title: state.title });
}

// ---- What a click, a drag or a key means ------------------------------------------------------------------------

function choose(subject) {
    Object.assign(state, { subject, step: null, fault: "" });
    show();
}

// The square whose piece is chosen, if it can move.
function chosenOrigin() {
    if (!state.subject) return null;
    const square = readUci(state.subject.move ?? state.subject.square).from;
    const piece = now().position.board[square];
    return piece && colorOf(piece) === now().position.turn ? square : null;
}

const movesBetween = (from, to) =>
    seen.moves.map(({ move }) => move).filter((move) => readUci(move).from === from && readUci(move).to === to);

function click(square) {
    if (state.setUp !== null) return put(square, state.setUp || null);
    const from = chosenOrigin(),
        [move] = from === null ? [] : movesBetween(from, square);
    if (move && state.subject.move && readUci(state.subject.move).to === square) return dropped(from, square);
    if (move) return choose({ move: movesBetween(from, square).find((each) => each[4] === "q") ?? move });
    choose(now().position.board[square] && square !== from ? { square: squareName(square) } : null);
}

function dropped(from, to) {
    if (state.setUp !== null) return put(to, now().position.board[from], from);
    const moves = to === null ? [] : movesBetween(from, to);
    if (moves.length > 1) return askPromotion(moves);
    if (moves.length === 1) playMove(moves[0]);
}

function askPromotion(moves) {
    const dialog = byId("promotion");
    const { turn } = now().position;
    const buttons = moves.map((move) => {
        const piece = turn === "white" ? move[4].toUpperCase() : move[4];
        const done = () => {
            dialog.close();
            playMove(move);
        };
        const label = { q: "queen", r: "rook", b: "bishop", n: "knight" }[move[4]];
        return html("button", { type: "button", "aria-label": label, onclick: done }, pieceImage(piece));
    });
    dialog.querySelector(".bar").replaceChildren(...buttons);
    dialog.showModal();
}

// ---- A board that is set up -------------------------------------------------------------------------------------

function setPosition(change) {
    const position = { ...now().position, enPassant: null, ...change };
    position.castling = possibleCastling(position);
    setLine([firstOf(writeFen(position))], 0, { games: [] });
    usePiece(state.setUp);
}

function put(square, piece, from = null) {
    const squares = now().position.board.slice();
    if (from !== null) squares[from] = null;
    if (square !== null) squares[square] = piece;
    setPosition({ board: squares });
}

function usePiece(piece) {
    state.setUp = piece;
    showPalette(piece, now().position.turn, { usePiece, setPosition });
}

// ---- Showing ----------------------------------------------------------------------------------------------------

function compute() {
    const { fen, position } = now(),
        key = [fen, state.rules, state.values].join();
    if (key !== seen.key) {
        Object.assign(seen, { key, exchangeKey: "", hangs: [], moves: [] });
        seen.moves = movesWithValues(seebatch, fen, options());
        const moves = seen.moves.map(({ move }) => move);
        for (const each of seen.moves) each.san = sanOf(seebatch, position, each.move, moves);
        seen.hangs = whatHangs(seebatch, fen, options());
        showHangs(seen.hangs, choose);
        showMoves(seen.moves, state.subject, choose);
    }
    const exchangeKey = JSON.stringify(state.subject);
    if (exchangeKey === seen.exchangeKey) return;
    seen.exchangeKey = exchangeKey;
    seen.exchange = state.subject && exchangeOf(seebatch, fen, state.subject, options());
    showSubject();
}

function showSubject() {
    const { exchange } = seen,
        isOwn = exchange?.fen === now().fen;
    const san = exchange?.move ? sanText(exchange) : "";
    const calls = {
        play: () => playMove(exchange.move),
        showStep: (step) => Object.assign(state, { step }) && show(),
        stepBack: () => calls.showStep(state.step === null ? exchange.steps.length - 1 : Math.max(0, state.step - 1)),
        stepForward: () => calls.showStep(state.step === null ? 0 : Math.min(exchange.steps.length, state.step + 1)),
    };
    showExchange(exchange, { san, canPlay: isOwn, calls });
    showEngines(exchange, state.rules, useRules);
    markMove(state.subject);
    if (exchange) byId("live").textContent = exchange.reason ?? verdictOf(exchange, san);
}

function sanText({ fen, move, position }) {
    return (
        seen.moves.find((each) => each.move === move && fen === now().fen)?.san ??
        sanOf(seebatch, position, move, legalMoves(seebatch, fen))
    );
}

function clear(error) {
    Object.assign(seen, { key: "", hangs: [], moves: [], exchange: null, exchangeKey: "" });
    state.fault = error.message;
    showHangs([], choose);
    showMoves([], null, choose);
    showExchange(null, {});
    showEngines(null);
    byId("game").hidden = true;
}

function showBoard() {
    const { position, move } = now(),
        { exchange } = seen,
        from = chosenOrigin();
    const isStepped = exchange?.steps?.length && state.step !== null;
    const pieces = isStepped ? exchange.boards[state.step] : position.board;
    const last = move ? [readUci(move).from, readUci(move).to] : [];
    const moves =
        from === null || state.subject.move ? [] : seen.moves.filter((each) => readUci(each.move).from === from);
    const answer = new Map(moves.map(({ move: each, san, value }) => [readUci(each).to, `${san} is worth ${value}`]));
    const costs = new Map(seen.hangs.map(({ square, value }) => [square, `hangs, ${value}`]));
    board.show(pieces, (square) => ({
        label: [costs.get(square), answer.get(square)].filter(Boolean),
        chosen: square === from || squareName(square) === state.subject?.square,
        last: !isStepped && last.includes(square),
    }));
    drawMarks(board, { hangs: seen.hangs, exchange, step: isStepped ? state.step : null, moves });
}

function showGame() {
    const hasGame = state.line.length > 1;
    byId("game").hidden = !hasGame;
    byId("to-game").hidden = !state.game;
    byId("game-title").textContent = state.title;
    byId("games-label").hidden = state.games.length < 2;
    if (!hasGame) return;
    const fens = state.line.map(({ fen }) => fen),
        key = [state.rules, state.values, ...fens].join();
    if (state.line !== seen.line) {
        seen.line = state.line;
        showScore(state.line, go);
    }
    if (key !== seen.chartKey) {
        const values = chartOf(seebatch, fens, options());
        seen.chart = state.line.map((each, i) => ({ ...each, ...values[i] }));
        seen.chartKey = key;
        showChart(seen.chart);
    }
    markPly(seen.chart, state.ply);
}

function showControls() {
    const { position, fen, label } = now(),
        isFirst = state.ply === 0,
        isLast = state.ply === state.line.length - 1;
    for (const id of ["first", "back"]) byId(id).disabled = isFirst;
    for (const id of ["forward", "last"]) byId(id).disabled = isLast;
    const turn = `${isFirst ? "" : `${label} · `}${position.turn === "white" ? "White" : "Black"} to move`;
    if (byId("turn").textContent !== turn && !seen.exchange) byId("live").textContent = turn;
    byId("turn").textContent = turn;
    byId("fen").value = fen;
    byId("error").textContent = state.fault;
    byId("error").hidden = !state.fault;
    byId("rules").value = state.rules;
    byId("rules-note").textContent = RULE_NOTES[state.rules] ?? "";
    const preset = Object.keys(PRESETS).find((name) => PRESETS[name].join() === state.values.join());
    byId("presets").value = preset ?? "";
    document.querySelectorAll("#values input").forEach((input, i) => {
        if (input !== document.activeElement) input.value = state.values[i];
    });
}

function show() {
    const begin = performance.now();
    try {
        compute();
        showGame();
    } catch (error) {
        clear(error);
    }
    showBoard();
    markStep(seen.exchange, state.step);
    showControls();
    writeAddress();
    performance.measure("show", { start: begin });
}

// The address follows when nothing has changed for a moment: browsers let pages change it only so often. Some forbid it
// in files; "Copy link" has the link all the same.
let addressTimer = 0;
function writeAddress() {
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
        try {
            history.replaceState(null, "", writeLink({ fen: now().fen, ...state }));
        } catch {
            // as said
        }
    }, 200);
}

// ---- Controls ---------------------------------------------------------------------------------------------------

function useRules(rules) {
    Object.assign(state, { rules, step: null });
    show();
}

function useValues(values) {
    try {
        seebatch.map(now().fen, { rules: state.rules, values });
        Object.assign(state, { values, step: null, fault: "" });
    } catch (error) {
        state.fault = error.message;
    }
    show();
}

function showExample(name) {
    const [fen, subject] = EXAMPLES[name] ?? [];
    if (fen) loadFen(fen, { subject });
}

function listen() {
    const on = (id, event, run) => byId(id).addEventListener(event, run);
    on("first", "click", () => go(0));
    on("back", "click", () => go(state.ply - 1));
    on("forward", "click", () => go(state.ply + 1));
    on("last", "click", () => go(state.line.length - 1));
    on("flip", "click", () => board.flip() ?? show());
    on("set-up", "click", () => {
        usePiece(state.setUp === null ? "" : null);
        choose(null);
    });
    on("to-game", "click", () => {
        const parted = state.line.findIndex((each, i) => each !== state.game[i]);
        setLine(state.game, Math.max(0, parted - 1), { title: state.title });
    });
    on("rules", "change", (event) => useRules(event.target.value));
    on("presets", "change", (event) => useValues(PRESETS[event.target.value]));
    on("values", "change", () =>
        useValues([...document.querySelectorAll("#values input")].map((input) => input.valueAsNumber)),
    );
    on("load", "click", () => loadText(byId("text").value));
    on("fen", "change", (event) => loadFen(event.target.value.trim()));
    on("start", "click", () => loadFen(START));
    on("games", "change", (event) => loadGame(state.games[event.target.value], state.games));
    on("examples", "change", (event) => showExample(event.target.value));
    on("copy-link", "click", async () => {
        await copyText(location.href.split("#")[0] + writeLink({ fen: now().fen, ...state }));
        byId("live").textContent = byId("copy-link").textContent = "Link copied";
        setTimeout(() => (byId("copy-link").textContent = "Copy link"), 1500);
    });
    on("theme", "click", changeTheme);
    listenToChart(
        () => state.line.length,
        () => state.ply,
        go,
    );
    addEventListener("hashchange", followLink);
    document.addEventListener("keydown", stepByKey);
    document.addEventListener("paste", (event) => {
        if (!event.target.closest?.("input, textarea")) loadText(event.clipboardData.getData("text"));
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        loadText(file ? await file.text() : event.dataTransfer.getData("text"));
    });
}

function stepByKey(event) {
    if (
        event.target.closest?.("input, textarea, select, .scroll, dialog") ||
        event.ctrlKey ||
        event.altKey ||
        event.metaKey
    )
        return;
    const to = { ArrowLeft: state.ply - 1, ArrowRight: state.ply + 1, Home: 0, End: state.line.length - 1 }[event.key];
    if (to === undefined || state.line.length < 2) return;
    event.preventDefault();
    go(to);
}

// What the link says, as far as it makes sense.
function followLink() {
    clearTimeout(addressTimer);
    const { fen, rules, values, subject } = readLink(location.hash);
    if (fen === now()?.fen && JSON.stringify(subject) === JSON.stringify(state.subject) && rules === state.rules)
        return;
    state.rules = seebatch.ruleSets.includes(rules) ? rules : "legal";
    state.values = values ?? USUAL_VALUES;
    try {
        seebatch.map(START, options());
    } catch (error) {
        state.values = USUAL_VALUES;
        state.fault = error.message;
    }
    const isMove = subject?.move === undefined || (fen && isLegal(fen, subject.move));
    if (!now()) state.line = [firstOf(START)];
    if (fen) loadFen(fen, { subject: isMove ? subject : null });
    else show();
}

function isLegal(fen, move) {
    try {
        return legalMoves(seebatch, fen).includes(move);
    } catch {
        return false;
    }
}

async function begin() {
    beginTheme();
    const bytes = (kernel) => Uint8Array.from(atob(byId(`module-${kernel}`).textContent), (c) => c.charCodeAt(0));
    const kernel = Seebatch.hasSimd ? "simd128" : "scalar";
    seebatch = await Seebatch.load({ files: { [kernel]: bytes(kernel) } });
    board = new Board({
        click,
        drop: dropped,
        escape: () => choose(null),
        canDrag: (square) => {
            const piece = now()?.position.board[square];
            return Boolean(piece) && (state.setUp !== null || colorOf(piece) === now().position.turn);
        },
    });
    fillChoices(seebatch.ruleSets);
    byId("version").textContent = Seebatch.version;
    byId("kernel").textContent = seebatch.kernel === "simd128" ? "with SIMD" : "without SIMD";
    listen();
    if (location.hash.length > 1) followLink();
    else showExample(Object.keys(EXAMPLES)[0]);
    document.documentElement.dataset.ready = "true";
}

begin().catch((error) => {
    byId("error").hidden = false;
    byId("error").textContent = `This browser cannot run the page: ${error.message}.`;
});
