// The chart of a game: for each position a bar up, the black piece that hangs most, and one down, the white one. The list
// of its moves, with what was said of them.
import { nameOf, squareName } from "./chess.js";
import { byId, html, svg } from "./elements.js";
import { showValue } from "./numbers.js";
import { adjectiveOf, nounOf, say, sayMove } from "./texts.js";

const HEIGHT = 130;

// positions: [{ position, label, white: { value, square }, black }]
export function showChart(positions) {
    const most = positions.reduce((so, { white, black }) => Math.max(so, white.value, black.value), 100);
    const unit = (HEIGHT / 2 - 6) / most,
        middle = HEIGHT / 2;
    const bars = positions.flatMap(({ position, white, black }, i) => {
        const bar = (kind, value, y, side) =>
            svg("rect", {
                class: `${kind}${position.turn === side ? "" : " later"}`,
                x: i + 0.1,
                y,
                width: 0.8,
                height: value * unit,
            });
        const shown = [];
        if (white.value) shown.push(bar("up", white.value, middle - white.value * unit, "white"));
        if (black.value) shown.push(bar("down", black.value, middle, "black"));
        return shown;
    });
    const drawing = svg("g", {});
    for (const bar of bars) drawing.append(bar);
    const box = `0 0 ${positions.length} ${HEIGHT}`;
    const now = svg("rect", { class: "now", x: 0, y: 0, width: 1, height: HEIGHT });
    const axis = svg("line", { class: "axis", x1: 0, x2: positions.length, y1: middle, y2: middle });
    byId("chart").replaceChildren(
        svg("svg", { viewBox: box, preserveAspectRatio: "none", "aria-hidden": "true" }, now, drawing, axis),
    );
    byId("chart-top").textContent = byId("chart-bottom").textContent = say("game.up-to", { value: showValue(most) });
    byId("chart").setAttribute("aria-valuemax", positions.length - 1);
}

// What hangs most in a position, in words.
export function chartText({ position, label, white, black }) {
    const sayPiece = ({ value, square }, side) => {
        if (!value) return "";
        const name = nounOf(nameOf(position.board[square]));
        return say("game.chart-piece", { adjective: adjectiveOf(side), name, square: squareName(square), value: showValue(value) });
    };
    const said = [sayPiece(white, "black"), sayPiece(black, "white")].filter(Boolean);
    return `${sayMove(label) || say("game.start")}: ${said.length ? said.join("; ") : say("game.chart-nothing")}`;
}

export function markPly(positions, ply) {
    const chart = byId("chart");
    chart.querySelector(".now")?.setAttribute("x", ply);
    chart.setAttribute("aria-valuenow", ply);
    chart.setAttribute("aria-valuetext", chartText(positions[ply]));
}

const buttons = new Map(); // by node

// Marks the move that led to a node in the list of moves.
export function markNode(node) {
    const list = byId("score"),
        button = buttons.get(node),
        before = list.querySelector("[aria-current]");
    if (button === before) return;
    before?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "step");
    // In the next frame, when all is laid out anyway.
    requestAnimationFrame(() => {
        list.scrollTop = button ? button.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
    });
}

// The moves as buttons, from one on, each variation in a list of its own behind the move that it replaces.
function listFrom(first, list, go) {
    const add = (comment) => comment && list.append(html("li", { class: "comment" }, comment));
    let isBegin = true;
    add(first.before);
    for (let node = first; node; node = node.children[0]) {
        const { moves, turn } = node.parent.position;
        const button = html("button", { type: "button", onclick: () => go(node) }, sayMove(node.san) + node.glyphs);
        buttons.set(node, button);
        const number = turn === "white" ? `${moves}.` : isBegin ? `${moves}…` : null;
        list.append(html("li", {}, ...(number ? [html("span", { class: "number" }, `${number} `)] : []), button));
        isBegin = Boolean(node.comment);
        add(node.comment);
        if (node.parent.children[0] !== node) continue;
        for (const other of node.parent.children.slice(1)) {
            const inner = html("ol", { "aria-label": say("game.variation") });
            listFrom(other, inner, go);
            list.append(html("li", { class: "variation" }, inner));
            isBegin = true;
        }
    }
}

export function showScore(root, go) {
    const list = byId("score");
    list.replaceChildren(...(root.comment ? [html("li", { class: "comment" }, root.comment)] : []));
    buttons.clear();
    if (root.children.length) listFrom(root.children[0], list, go);
    if (root.result !== "*") list.append(html("li", { class: "result" }, root.result));
    buttons.forEach((button, node) => button.setAttribute("data-move", node.move));
    let ply = 0;
    for (let node = root.children[0]; node; node = node.children[0]) buttons.get(node).dataset.ply = ++ply;
}

// Clicks and keys on the chart.
export function listenToChart(count, ply, go) {
    const chart = byId("chart");
    chart.addEventListener("click", (event) => {
        const { left, width } = chart.getBoundingClientRect();
        go(Math.floor(((event.clientX - left) / width) * count()));
    });
    chart.addEventListener("keydown", (event) => {
        const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
        const to = { Home: 0, End: count() - 1 }[event.key] ?? (steps[event.key] && ply() + steps[event.key]);
        if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        go(to);
    });
}
