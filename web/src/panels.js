// The panels beside the board: what hangs, the exchange with its swap list, the engines' answers, the moves.
import { showValue } from "./analysis.js";
import { letterOf, nameOf, otherColor, squareName } from "./chess.js";
import { byId, html, pieceImage } from "./elements.js";

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function amount(value) {
    const kind = value > 0 ? " good" : value < 0 ? " bad" : "";
    return html("span", { class: `amount${kind}` }, value > 0 && value !== 32767 ? `+${value}` : showValue(value));
}

// ---- What hangs -------------------------------------------------------------------------------------------------

export function showHangs(hangs, choose) {
    for (const color of ["white", "black"]) {
        const items = hangs
            .filter((each) => each.color === color)
            .map(({ square, piece, value, isNow }) => {
                const name = squareName(square);
                const button = html(
                    "button",
                    { type: "button", onclick: () => choose({ square: name }) },
                    `${nameOf(piece)} ${name}`,
                    html("span", { class: "amount" }, showValue(value)),
                    isNow ? "" : html("span", { class: "unseen" }, ", once the turn has passed"),
                );
                return html("li", {}, button);
            });
        byId(`hangs-${color}`).replaceChildren(...(items.length ? items : [html("li", { class: "none" }, "nothing")]));
    }
}

// ---- Moves ------------------------------------------------------------------------------------------------------

export function showMoves(moves, chosen, choose) {
    for (const [id, isCapture] of [
        ["captures", true],
        ["quiet", false],
    ]) {
        const items = moves
            .filter((each) => each.isCapture === isCapture)
            .map(({ move, san, value, isDisputed }) => {
                const pressed = chosen?.move === move ? "true" : "false";
                const properties = { type: "button", "data-move": move, "aria-pressed": pressed };
                const mark = html("span", { class: "disputed", "aria-label": ", disputed", role: "img" }, "≠");
                const button = html("button", { ...properties, onclick: () => choose({ move }) }, san, amount(value));
                if (isDisputed) button.append(mark);
                return html("li", {}, button);
            });
        byId(id).replaceChildren(...(items.length ? items : [html("li", { class: "note" }, "none")]));
    }
}

export function markMove(chosen) {
    for (const button of document.querySelectorAll(".moves button"))
        button.setAttribute("aria-pressed", button.dataset.move === chosen?.move ? "true" : "false");
}

// ---- The exchange -----------------------------------------------------------------------------------------------

export function verdictOf({ value, steps, position }, san) {
    if (value === 32767) return `${san}: under these rules it passes at any threshold`;
    const side = capital(position.turn);
    if (steps.length === 0) return `${san}: under these rules it is worth 0, whatever could follow`;
    if (value === 0) return `${san}: ${side} wins and loses nothing`;
    return `${san}: ${side} ${value > 0 ? "wins" : "loses"} ${Math.abs(value)}`;
}

function stepText({ piece, from, to, taken, stays }) {
    const becomes = stays === piece ? "" : `, becomes ${stays}`;
    return taken ? `${piece} ${from} takes ${taken}${becomes}` : `${piece} ${from} to ${squareName(to)}${becomes}`;
}

// The same as pictures: who takes from where, and what.
function stepPicture({ piece, color, from, to, taken, stays }) {
    const picture = (name, side) => html("span", { class: "picture" }, pieceImage(letterOf(name, side)));
    const becomes = stays === piece ? [] : [" = ", picture(stays, color)];
    const target = taken ? [` ${from} × `, picture(taken, otherColor(color))] : [` ${from}–${squareName(to)}`];
    return [picture(piece, color), ...target, ...becomes];
}

function stopRow({ steps, stop }) {
    const side = capital(steps[stop].color),
        stays = -steps[stop - 1].gain;
    const text = `${side} stops here: ${showValue(stays)} by stopping, ${showValue(steps[stop].best)} by going on`;
    return html("tr", { class: "stops" }, html("td", { colspan: 5 }, text));
}

function stepButton(step, onclick) {
    const text = `${capital(step.color)}: ${stepText(step)}`;
    return html(
        "button",
        { type: "button", class: "step", "aria-label": text, title: text, onclick },
        ...stepPicture(step),
    );
}

function stepRows(exchange, showStep) {
    return exchange.steps.flatMap((step, i) => {
        const cells = [
            html("td", { class: "number" }, String(i + 1)),
            html(
                "td",
                {},
                stepButton(step, () => showStep(i)),
            ),
            html("td", { class: "number" }, showValue(step.wins)),
            html("td", { class: "number" }, showValue(step.gain)),
            html("td", { class: "number" }, showValue(step.best)),
        ];
        const row = html("tr", { "data-step": i, class: i >= exchange.stop ? "not-made" : "" }, ...cells);
        return i === exchange.stop ? [stopRow(exchange), row] : [row];
    });
}

function swapTable(exchange, showStep) {
    const titles = ["#", "Capture", "Wins", "Swap list", "Best play"];
    const head = titles.map((title, i) => html("th", { scope: "col", class: i === 1 ? "" : "number" }, title));
    return html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Swap list" },
        html(
            "table",
            { id: "swap-list" },
            html("thead", {}, html("tr", {}, ...head)),
            html("tbody", {}, ...stepRows(exchange, showStep)),
        ),
    );
}

// calls: play, showStep(k or null)
export function showExchange(exchange, { san, canPlay, calls }) {
    const body = byId("exchange-body");
    if (!exchange) {
        body.replaceChildren(
            html("p", { class: "note" }, "Click a piece or a move to see its exchange, capture by capture."),
        );
        return;
    }
    if (exchange.reason) {
        body.replaceChildren(html("p", {}, exchange.reason));
        return;
    }
    const parts = [html("p", { class: "verdict", id: "verdict" }, verdictOf(exchange, san))];
    const button = (id, text, onclick, label) =>
        html("button", { type: "button", id, onclick, "aria-label": label }, text);
    const bar = html("div", { class: "bar", role: "group", "aria-label": "Captures" });
    if (exchange.steps.length) {
        bar.append(
            button("step-back", "‹", calls.stepBack, "Capture before"),
            button("step-forward", "›", calls.stepForward, "Next capture"),
            button("step-all", "All", () => calls.showStep(null)),
            html("span", { id: "step-text", class: "grow" }),
        );
    }
    if (canPlay) bar.append(button("play", `Play ${san}`, calls.play));
    parts.push(bar);
    if (exchange.steps.length) parts.push(swapTable(exchange, calls.showStep));
    if (exchange.hangs !== undefined && exchange.hangs !== Math.max(0, exchange.value)) {
        const why = "there, these rules choose and value the first capture as a later one";
        parts.push(html("p", {}, `The square counts ${exchange.hangs}: ${why}.`));
    }
    const last = exchange.steps.at(-1);
    if (last && exchange.nextGain !== null) {
        const side = capital(otherColor(last.color));
        const text = `If ${side} could still take the ${last.stays}: ${showValue(exchange.nextGain)}.`;
        parts.push(html("p", { class: "note" }, text));
    }
    if (exchange.note) parts.push(html("p", {}, exchange.note));
    if (exchange.refused.length) {
        const items = exchange.refused.map(({ sentence }) => html("li", {}, sentence));
        parts.push(html("ul", { class: "refusals", "aria-label": "Pieces that may not capture" }, ...items));
    }
    if (exchange.steps.length) {
        const text =
            "Swap list: the balance for the side that captures, if it is the last capture. Best play: what it has " +
            "when both go on or stop as is best for them.";
        parts.push(html("p", { class: "note" }, text));
    }
    body.replaceChildren(...parts);
}

export function markStep(exchange, step) {
    if (!exchange?.steps?.length) return;
    for (const row of document.querySelectorAll("#swap-list tr[data-step]"))
        row.classList.toggle("shown", Number(row.dataset.step) === step);
    const { steps, stop } = exchange;
    byId("step-back").disabled = step === null || step === 0;
    byId("step-forward").disabled = step === steps.length;
    byId("step-all").disabled = step === null;
    const ends =
        step === steps.length
            ? "all captures made"
            : step === null
              ? `${steps.length} ${steps.length === 1 ? "capture" : "captures"}`
              : "";
    byId("step-text").textContent =
        ends || `next: ${stepText(steps[step])}${step >= stop ? " (not with best play)" : ""}`;
}

// ---- The engines ------------------------------------------------------------------------------------------------

export function showEngines(exchange, rules, useRules) {
    byId("engines").hidden = !exchange?.answers;
    if (!exchange?.answers) return;
    const values = [...new Set(exchange.answers.map(({ value }) => value))].sort((a, b) => b - a);
    byId("engines-title").textContent = values.length > 1 ? "Engines disagree here" : "Engines agree here";
    const rows = values.map((value) => {
        const names = exchange.answers
            .filter((answer) => answer.value === value)
            .map(({ rules: name }) =>
                html(
                    "button",
                    {
                        type: "button",
                        "aria-pressed": name === rules ? "true" : "false",
                        onclick: () => useRules(name),
                    },
                    name,
                ),
            );
        return html(
            "tr",
            {},
            html("td", { class: "number" }, amount(value)),
            html("td", {}, html("div", { class: "names" }, ...names)),
        );
    });
    byId("engines-body").replaceChildren(
        html(
            "table",
            { id: "answers" },
            html(
                "thead",
                {},
                html(
                    "tr",
                    {},
                    html("th", { scope: "col", class: "number" }, "Value"),
                    html("th", { scope: "col" }, "Rules"),
                ),
            ),
            html("tbody", {}, ...rows),
        ),
    );
}
