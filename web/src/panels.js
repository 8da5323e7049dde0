// The panels beside the board: what hangs, the captures one after the other, the moves. For those who write engines: the swap
// list, and the answers of all rule sets.
import { capital, letterOf, nameOf, otherColor, squareName } from "./chess.js";
import { byId, html, pieceImage, pointing } from "./elements.js";
import { ALWAYS, inWords, showValue, signed } from "./numbers.js";

function amount(value) {
    const kind = value > 0 ? " good" : value < 0 ? " bad" : "";
    return html("span", { class: `amount${kind}` }, signed(value));
}

// ---- What hangs -------------------------------------------------------------------------------------------------

const HOW_TO_READ =
    "A piece hangs if the other side comes out ahead by taking it. A filled number means that it can be taken now, a hollow " +
    "number that it could be taken if it were the other side’s turn.";
const OVER = "The game is over, so nothing can be taken any more.";

export function showHangs(hangs, choose, isOver) {
    for (const color of ["white", "black"]) {
        const items = hangs
            .filter((each) => each.color === color)
            .map(({ square, piece, value, isNow, isEnPassant, reason }) => {
                const name = squareName(square);
                const details = [isEnPassant && "en passant", !isNow && "not now", reason];
                const properties = { type: "button", class: reason ? "unexplained" : "", title: reason };
                const button = html(
                    "button",
                    { ...properties, onclick: () => choose({ square: name }) },
                    `${nameOf(piece)} ${name}`,
                    html("span", { class: "unseen" }, ", "),
                    html("span", { class: "amount" }, showValue(value)),
                    html("span", { class: "unseen" }, details.filter(Boolean).map((text) => `, ${text}`).join("")),
                );
                return html("li", {}, button);
            });
        byId(`hangs-${color}`).replaceChildren(...(items.length ? items : [html("li", { class: "none" }, "nothing")]));
    }
    const reasons = [...new Set(hangs.map(({ reason }) => reason).filter(Boolean))];
    byId("hangs-note").textContent = reasons.length ? `Dashed: ${reasons.join(" ")}` : isOver ? OVER : HOW_TO_READ;
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
                const mark = html("span", { class: "disputed engines-only", "aria-label": ", disputed", role: "img" }, "≠");
                const comma = html("span", { class: "unseen" }, ", ");
                const onclick = () => choose({ move });
                const button = html("button", { ...properties, onclick }, san, comma, amount(value));
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

// ---- Capture by capture -----------------------------------------------------------------------------------------

export function verdictOf(exchange, san) {
    const { value, steps, position } = exchange;
    if (value === ALWAYS) return `${san}: under these rules it passes at any threshold`;
    if (steps.length === 0) return `${san}: under these rules it is worth 0, whatever could follow`;
    const number = value === 0 ? "" : ` (${signed(value)})`;
    return `${san}: ${inWords(exchange, capital(position.turn))}${number}`;
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

// The captures alone, for pupils.
function captureList(exchange, showStep) {
    const { steps, stop } = exchange;
    const items = steps.map((step, i) => {
        const button = stepButton(step, () => showStep(i));
        return html("li", { "data-step": i, class: i >= stop ? "not-made" : "" }, html("span", { class: "number" }, `${i + 1}.`), button);
    });
    if (stop < steps.length) {
        const isSame = steps[stop].best === -steps[stop - 1].gain;
        const why = isSame ? "going on would win nothing more" : "going on would lose more";
        items.splice(stop, 0, html("li", { class: "stops" }, `${capital(steps[stop].color)} stops here: ${why}.`));
    }
    return html("ol", { id: "capture-list", "aria-label": "Captures" }, ...items);
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

let isSwapListOpen = false;

// The swap list, a click away.
function swapFold(exchange, showStep) {
    const text =
        "Swap list: the balance for the side that captures, if it is the last capture. Best play: what it has " +
        "when both go on or stop as is best for them.";
    const last = exchange.steps.at(-1);
    const next =
        exchange.nextGain === null
            ? ""
            : ` One more capture, of the ${last.stays}, would win ${capital(otherColor(last.color))} ` +
              `${showValue(exchange.nextGain)}, but there is none.`;
    const fold = html(
        "details",
        { id: "swap-fold", open: isSwapListOpen },
        html("summary", {}, "Swap list"),
        swapTable(exchange, showStep),
        html("p", { class: "note" }, text + next),
    );
    fold.addEventListener("toggle", () => (isSwapListOpen = fold.open));
    return fold;
}

// calls: play, run, stepBack, stepForward, showStep(k or null)
export function showExchange(exchange, { san, canPlay, isForEngines, calls }) {
    const body = byId("exchange-body");
    if (!exchange) {
        body.replaceChildren(
            html("p", { class: "note" }, `${pointing()} a piece that hangs, or a move, to see who takes what, one capture after the other.`),
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
            button("step-run", "Run", calls.run, "Run the captures one by one"),
            button("step-all", "All", () => calls.showStep(null)),
            html("span", { id: "step-text", class: "grow" }),
        );
    }
    if (canPlay) bar.append(button("play", `Play ${san}`, calls.play));
    parts.push(bar);
    if (exchange.steps.length) parts.push((isForEngines ? swapFold : captureList)(exchange, calls.showStep));
    if (exchange.hangs !== undefined && exchange.hangs !== Math.max(0, exchange.value)) {
        const why = "there, these rules choose and value the first capture as a later one";
        parts.push(html("p", {}, `The square counts ${showValue(exchange.hangs)}: ${why}.`));
    }
    if (exchange.note) parts.push(html("p", {}, exchange.note));
    if (exchange.refused.length) {
        const items = exchange.refused.map(({ sentence }) => html("li", {}, sentence));
        parts.push(html("ul", { class: "refusals", "aria-label": "Pieces that may not capture" }, ...items));
    }
    body.replaceChildren(...parts);
}

export function markStep(exchange, step) {
    if (!exchange?.steps?.length) return;
    for (const row of document.querySelectorAll("#exchange-body [data-step]"))
        row.classList.toggle("shown", Number(row.dataset.step) === step);
    const { steps, stop } = exchange;
    byId("step-back").disabled = step === null || step === 0;
    byId("step-forward").disabled = step === steps.length;
    byId("step-all").disabled = step === null;
    const ends =
        step === steps.length
            ? "All captures are made."
            : step === null
              ? `${steps.length} ${steps.length === 1 ? "capture" : "captures"}`
              : "";
    byId("step-text").textContent =
        ends || `Next: ${stepText(steps[step])}${step >= stop ? ", but stopping is better" : ""}`;
}

// ---- The engines ------------------------------------------------------------------------------------------------

// The answers of all rule sets to an exchange, best first, each with the names of those that give it.
export function showEngines(exchange, rules, useRules) {
    const answers = exchange?.answers ?? [];
    const values = [...new Set(answers.map(({ value }) => value))].sort((a, b) => b - a);
    const titles = ["Engines", "Engines agree here", "Engines disagree here"];
    byId("engines-title").textContent = titles[Math.min(2, values.length)];
    byId("engines-rules").textContent = rules === "legal" ? "" : `rules: ${rules}`;
    if (!values.length) return byId("engines-body").replaceChildren();
    const button = (name) =>
        html(
            "button",
            { type: "button", "aria-pressed": name === rules ? "true" : "false", onclick: () => useRules(name) },
            name,
        );
    const rows = values.map((value) => {
        const names = answers.filter((answer) => answer.value === value).map((answer) => button(answer.rules));
        const cell = html("td", {}, html("div", { class: "names" }, ...names));
        return html("tr", {}, html("td", { class: "number" }, amount(value)), cell);
    });
    const titlesOf = html(
        "tr",
        {},
        html("th", { scope: "col", class: "number" }, "Value"),
        html("th", { scope: "col" }, "Rules"),
    );
    byId("engines-body").replaceChildren(
        html("table", { id: "answers" }, html("thead", {}, titlesOf), html("tbody", {}, ...rows)),
    );
}
