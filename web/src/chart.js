// The chart of a game: for each position a bar up, what White wins at most, and one down, what Black does.
import { showValue } from "./analysis.js";
import { nameOf, squareName } from "./chess.js";
import { byId, html, svg } from "./elements.js";

const HEIGHT = 130;

// positions: [{ position, label, white: { value, square }, black }]
export function showChart(positions) {
    const most = Math.max(100, ...positions.flatMap(({ white, black }) => [white.value, black.value]));
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
    const box = `0 0 ${positions.length} ${HEIGHT}`;
    const now = svg("rect", { class: "now", x: 0, y: 0, width: 1, height: HEIGHT });
    const axis = svg("line", { class: "axis", x1: 0, x2: positions.length, y1: middle, y2: middle });
    byId("chart").replaceChildren(
        svg("svg", { viewBox: box, preserveAspectRatio: "none", "aria-hidden": "true" }, now, ...bars, axis),
        html("span", { "aria-hidden": "true" }, `White wins ${most}`),
        html("span", { class: "lower", "aria-hidden": "true" }, `Black wins ${most}`),
    );
    byId("chart").setAttribute("aria-valuemax", positions.length - 1);
}

// What hangs most in a position, in words.
export function chartText({ position, label, white, black }) {
    const say = ({ value, square }, side) =>
        value ? `${side} wins ${showValue(value)}, the ${nameOf(position.board[square])} on ${squareName(square)}` : "";
    const said = [say(white, "White"), say(black, "Black")].filter(Boolean);
    return `${label}: ${said.length ? said.join("; ") : "nothing hangs"}`;
}

export function markPly(positions, ply) {
    const chart = byId("chart");
    chart.querySelector(".now")?.setAttribute("x", ply);
    chart.setAttribute("aria-valuenow", ply);
    chart.setAttribute("aria-valuetext", chartText(positions[ply]));
    const list = byId("score"),
        button = list.querySelector(`[data-ply="${ply}"]`),
        before = list.querySelector("[aria-current]");
    if (button === before) return;
    before?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "step");
    // In the next frame, when all is laid out anyway.
    requestAnimationFrame(() => {
        list.scrollTop = button ? button.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
    });
}

// The moves as buttons.
export function showScore(positions, go) {
    const items = positions.slice(1).flatMap(({ san }, i) => {
        const before = positions[i].position;
        const button = html("button", { type: "button", "data-ply": i + 1, onclick: () => go(i + 1) }, san);
        const number = before.turn === "white" ? `${before.moves}.` : i === 0 ? `${before.moves}…` : null;
        return [html("li", {}, ...(number ? [html("span", { class: "number" }, `${number} `)] : []), button)];
    });
    byId("score").replaceChildren(...items);
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
