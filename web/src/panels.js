// The panels beside the board: what hangs, the captures one after the other, the moves. For those who write engines: the swap
// list, and the answers of all rule sets.
import { letterOf, nameOf, otherColor, squareName } from "./chess.js";
import { byId, html, isTouched, pieceImage } from "./elements.js";
import { ALWAYS, inWords, showValue, signed } from "./numbers.js";
import { named, nounOf, say, sayMove, sideOf } from "./texts.js";

function amount(value) {
    const kind = value > 0 ? " good" : value < 0 ? " bad" : "";
    return html("span", { class: `amount${kind}` }, signed(value));
}

// ---- What hangs -------------------------------------------------------------------------------------------------

export function showHangs(hangs, choose, isOver) {
    for (const color of ["white", "black"]) {
        const items = hangs
            .filter((each) => each.color === color)
            .map(({ square, piece, value, isNow, isEnPassant, reason }) => {
                const name = squareName(square);
                const details = [isEnPassant && say("hangs.en-passant"), !isNow && say("hangs.not-now"), reason];
                const properties = { type: "button", class: reason ? "unexplained" : "", title: reason };
                const button = html(
                    "button",
                    { ...properties, onclick: () => choose({ square: name }) },
                    `${nounOf(nameOf(piece))} ${name}`,
                    html("span", { class: "unseen" }, ", "),
                    html("span", { class: "amount" }, showValue(value)),
                    html("span", { class: "unseen" }, details.filter(Boolean).map((text) => `, ${text}`).join("")),
                );
                return html("li", {}, button);
            });
        byId(`hangs-${color}`).replaceChildren(...(items.length ? items : [html("li", { class: "none" }, say("hangs.nothing"))]));
    }
    const reasons = [...new Set(hangs.map(({ reason }) => reason).filter(Boolean))];
    byId("hangs-note").textContent = reasons.length
        ? say("hangs.dashed", { reasons: reasons.join(" ") })
        : say(isOver ? "hangs.over" : "hangs.how");
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
                const mark = html("span", { class: "disputed engines-only", "aria-label": `, ${say("moves.disputed")}`, role: "img" }, "≠");
                const comma = html("span", { class: "unseen" }, ", ");
                const onclick = () => choose({ move });
                const button = html("button", { ...properties, onclick }, sayMove(san), comma, amount(value));
                if (isDisputed) button.append(mark);
                return html("li", {}, button);
            });
        byId(id).replaceChildren(...(items.length ? items : [html("li", { class: "note" }, say("moves.none"))]));
    }
}

export function markMove(chosen) {
    for (const button of document.querySelectorAll(".moves button"))
        button.setAttribute("aria-pressed", button.dataset.move === chosen?.move ? "true" : "false");
}

// ---- Capture by capture -----------------------------------------------------------------------------------------

export function verdictOf(exchange, san) {
    const { value, steps, position } = exchange;
    if (value === ALWAYS) return say("captures.always", { san });
    if (steps.length === 0) return say("captures.zero", { san });
    const words = { san, result: inWords(exchange, sideOf(position.turn)), value: signed(value) };
    return value === 0 ? say("captures.verdict", words) : say("captures.verdict-value", words);
}

function stepText({ piece, from, to, taken, stays }) {
    const becomes = stays === piece ? "" : say("captures.becomes", { piece: nounOf(stays) }),
        words = { piece: nounOf(piece), from, taken: taken && nounOf(taken), to: squareName(to) };
    return (taken ? say("captures.takes", words) : say("captures.goes", words)) + becomes;
}

// The same as pictures: who takes from where, and what.
function stepPicture({ piece, color, from, to, taken, stays }) {
    const picture = (name, side) => html("span", { class: "picture" }, pieceImage(letterOf(name, side)));
    const becomes = stays === piece ? [] : [" = ", picture(stays, color)];
    const target = taken ? [` ${from} × `, picture(taken, otherColor(color))] : [` ${from}–${squareName(to)}`];
    return [picture(piece, color), ...target, ...becomes];
}

function stopRow({ steps, stop }) {
    const stay = showValue(-steps[stop - 1].gain),
        text = say("captures.stops-value", { side: sideOf(steps[stop].color), stay, go: showValue(steps[stop].best) });
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
        const text = say(isSame ? "captures.stops-same" : "captures.stops-more", { side: sideOf(steps[stop].color) });
        items.splice(stop, 0, html("li", { class: "stops" }, text));
    }
    return html("ol", { id: "capture-list", "aria-label": say("captures.list") }, ...items);
}

function stepButton(step, onclick) {
    const text = say("captures.step", { side: sideOf(step.color), what: stepText(step) });
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
    const titles = ["#", say("swap.capture"), say("swap.wins"), say("swap.title"), say("swap.best")];
    const head = titles.map((title, i) => html("th", { scope: "col", class: i === 1 ? "" : "number" }, title));
    return html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": say("swap.title") },
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
    const last = exchange.steps.at(-1),
        words = { piece: named("accusative", last.stays), side: sideOf(otherColor(last.color)), value: showValue(exchange.nextGain ?? 0) };
    const next = exchange.nextGain === null ? "" : ` ${say("swap.one-more", words)}`;
    const fold = html(
        "details",
        { id: "swap-fold", open: isSwapListOpen },
        html("summary", {}, say("swap.title")),
        swapTable(exchange, showStep),
        html("p", { class: "note" }, say("swap.how") + next),
    );
    fold.addEventListener("toggle", () => (isSwapListOpen = fold.open));
    return fold;
}

// calls: play, run, stepBack, stepForward, showStep(k or null)
export function showExchange(exchange, { san, canPlay, isForEngines, calls }) {
    const body = byId("exchange-body");
    if (!exchange) {
        body.replaceChildren(
            html("p", { class: "note" }, isTouched() ? say("captures.tap") : say("captures.click")),
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
    const bar = html("div", { class: "bar", role: "group", "aria-label": say("captures.list") });
    if (exchange.steps.length) {
        bar.append(
            button("step-back", "‹", calls.stepBack, say("captures.before")),
            button("step-forward", "›", calls.stepForward, say("captures.next")),
            button("step-run", say("captures.run"), calls.run, say("captures.run-label")),
            button("step-all", say("captures.all"), () => calls.showStep(null)),
            html("span", { id: "step-text", class: "grow" }),
        );
    }
    if (canPlay) bar.append(button("play", say("captures.play", { san }), calls.play));
    parts.push(bar);
    if (exchange.steps.length) parts.push((isForEngines ? swapFold : captureList)(exchange, calls.showStep));
    if (exchange.hangs !== undefined && exchange.hangs !== Math.max(0, exchange.value)) {
        parts.push(html("p", {}, say("captures.square-counts", { value: showValue(exchange.hangs) })));
    }
    if (exchange.note) parts.push(html("p", {}, exchange.note));
    if (exchange.refused.length) {
        const items = exchange.refused.map(({ sentence }) => html("li", {}, sentence));
        parts.push(html("ul", { class: "refusals", "aria-label": say("captures.refused") }, ...items));
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
            ? say("captures.done")
            : step === null
              ? say(steps.length === 1 ? "captures.one" : "captures.many", { count: steps.length })
              : "";
    byId("step-text").textContent =
        ends || say(step >= stop ? "captures.next-not" : "captures.next-is", { what: stepText(steps[step]) });
}

// ---- The engines ------------------------------------------------------------------------------------------------

// The answers of all rule sets to an exchange, best first, each with the names of those that give it.
export function showEngines(exchange, rules, useRules) {
    const answers = exchange?.answers ?? [];
    const values = [...new Set(answers.map(({ value }) => value))].sort((a, b) => b - a);
    const titles = [say("engines.title"), say("engines.agree"), say("engines.disagree")];
    byId("engines-title").textContent = titles[Math.min(2, values.length)];
    byId("engines-rules").textContent = rules === "legal" ? "" : say("engines.rules-are", { rules });
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
        html("th", { scope: "col", class: "number" }, say("engines.value")),
        html("th", { scope: "col" }, say("engines.rules")),
    );
    byId("engines-body").replaceChildren(
        html("table", { id: "answers" }, html("thead", {}, titlesOf), html("tbody", {}, ...rows)),
    );
}
