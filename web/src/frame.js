// What goes around the position: the game with its chart, and what was wrong.
import { chartOf } from "./analysis.js";
import { markNode, markPly, showChart, showScore } from "./chart.js";
import { byId, html } from "./elements.js";
import { areFens, goTo, isAway, options, plyOf, rootOfNode, state } from "./session.js";
import { say, sayMove } from "./texts.js";
import { lineThrough } from "./tree.js";

// What was drawn last, with what it depends on.
const drawn = { root: null, count: 0, chartKey: "", chart: [] };

// How many positions a game has, and whether it has variations.
function sizeOf(root) {
    let count = 0,
        hasVariations = false;
    for (const left = [root]; left.length; count++) {
        const { children } = left.pop();
        hasVariations ||= children.length > 1;
        left.push(...children);
    }
    return { count, hasVariations };
}

// Where the game goes on in several ways, a button for each.
function showFork(hasVariations) {
    const { children } = state.node;
    byId("fork").hidden = !hasVariations;
    const buttons = children.map((child) =>
        html("button", { type: "button", onclick: () => goTo(child) }, sayMove(child.san) + child.glyphs),
    );
    byId("fork").replaceChildren(...(children.length > 1 ? [say("game.next"), ...buttons] : []));
}

export function showGame(seebatch) {
    const root = rootOfNode(),
        line = lineThrough(state.node),
        { count, hasVariations } = sizeOf(root),
        isList = areFens(state.games);
    byId("to-game").classList.toggle("away", isAway() && !state.exercise);
    byId("game-title").textContent = state.title;
    byId("games-label").hidden = state.games.length < 2;
    byId("games-kind").textContent = isList ? say("game.number-of-position") : say("game.number-of-game");
    byId("games").value = state.index + 1;
    byId("games").max = state.games.length;
    byId("games-count").textContent = say("game.of", { count: state.games.length });
    byId("chart-title").textContent = isList ? say("game.positions") : say("game.title");
    const isRead = count > 1 || root.comment !== ""; // whether there are moves, or a comment alone
    byId("game").hidden = !isRead && state.games.length < 2;
    byId("game-moves").hidden = !isRead;
    const fens = line.map(({ fen }) => fen),
        { rules, values } = options(),
        key = [say("language"), rules, values, state.units, ...fens].join();
    if (key !== drawn.chartKey) {
        const values = chartOf(seebatch, fens, options());
        drawn.chart = line.map((each, i) => ({ ...each, ...values[i] }));
        drawn.chartKey = key;
        byId("hangs").style.setProperty("--rows", Math.max(2, ...values.map(({ count: pieces }) => pieces)));
        showChart(drawn.chart);
    }
    if (!isRead) return;
    if (root !== drawn.root || count !== drawn.count) {
        Object.assign(drawn, { root, count });
        showScore(root, goTo);
    }
    showFork(hasVariations);
    markPly(drawn.chart, plyOf());
    markNode(state.node);
}

export function showFault() {
    const { fault, isNote, advice, wrong } = state;
    byId("error").replaceChildren(fault);
    if (advice) byId("error").append(" ", html("a", { href: advice, target: "_blank", rel: "noreferrer" }, advice));
    byId("message").hidden = !fault;
    byId("message").classList.toggle("note", isNote);
    for (const id of ["text", "values"]) byId(id).toggleAttribute("aria-invalid", false);
    wrong?.setAttribute("aria-invalid", "true");
}
