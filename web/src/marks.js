// What is drawn over the board: numbers on pieces that hang, an exchange as numbered arrows, the lines of those that
// may not capture, and what a chosen piece's moves are worth. The unit is a square.
import { otherColor, squareOf } from "./chess.js";
import { svg } from "./elements.js";
import { showValue, signed } from "./numbers.js";

const CHARACTER = 0.135;

function label(kind, x, y, text, radius) {
    const width = Math.max(0.3, text.length * CHARACTER + 0.14),
        left = x - width;
    return svg(
        "g",
        { class: kind },
        svg("rect", { x: left, y, width, height: 0.3, rx: radius }),
        svg("text", { x: left + width / 2, y: y + 0.228 }, text),
    );
}

// A ring around the piece, and at its upper right what it costs.
function hanging(board, { square, color, value, isNow }) {
    const [x, y] = board.cornerOf(square),
        kind = `${color}${isNow ? "" : " later"}`;
    const ring =
        color === "white"
            ? svg("circle", { class: `ring ${kind}`, cx: x + 0.5, cy: y + 0.5, r: 0.455 })
            : svg("rect", { class: `ring ${kind}`, x: x + 0.045, y: y + 0.045, width: 0.91, height: 0.91, rx: 0.09 });
    return [ring, label(`badge ${kind}`, x + 0.985, y + 0.02, showValue(value), color === "white" ? 0.15 : 0.05)];
}

const middleOf = (board, square) => board.cornerOf(square).map((corner) => corner + 0.5);

// A line between two squares that ends before the second, with a head there.
function arrow(board, from, to, kind) {
    const [[x1, y1], [x2, y2]] = [middleOf(board, from), middleOf(board, to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1,
        [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [ex, ey] = [x2 - 0.36 * dx, y2 - 0.36 * dy],
        [bx, by] = [ex - 0.2 * dx, ey - 0.2 * dy];
    const line = `M${x1 + 0.3 * dx} ${y1 + 0.3 * dy}L${ex} ${ey}`,
        head = `M${bx - 0.14 * dy} ${by + 0.14 * dx}L${ex} ${ey}L${bx + 0.14 * dy} ${by - 0.14 * dx}`;
    return [`arrow under ${kind}`, `arrow ${kind}`].map((name) => svg("path", { class: name, d: line + head }));
}

function disc(board, square, color, text) {
    const [x, y] = board.cornerOf(square);
    return svg(
        "g",
        { class: `disc ${color}` },
        svg("circle", { cx: x + 0.18, cy: y + 0.82, r: 0.155 }),
        svg("text", { x: x + 0.18, y: y + 0.9 }, text),
    );
}

// The piece that may not capture, and the line that forbids it: from what pins it to the king, a check, or a guard.
function refusal(board, exchange, { from, color, piece, reason, by }) {
    const kingOf = (side) => exchange.position.board.indexOf(side === "white" ? "K" : "k");
    const ends = { guarded: () => exchange.steps[0].to, "before-enemy": () => kingOf(otherColor(color)) };
    const to = (ends[reason] ?? (() => kingOf(color)))();
    const [[x1, y1], [x2, y2]] = [middleOf(board, squareOf(by)), middleOf(board, to)];
    const [x, y] = board.cornerOf(squareOf(from));
    const [cx, cy] = piece === "king" ? [x + 0.2, y + 0.2] : [x + 0.8, y + 0.8];
    return [
        svg("line", { class: "reason", x1, y1, x2, y2 }),
        svg(
            "g",
            { class: "refused" },
            svg("circle", { cx, cy, r: 0.13 }),
            svg("path", { d: `M${cx - 0.09} ${cy + 0.09}L${cx + 0.09} ${cy - 0.09}` }),
        ),
    ];
}

// The captures from number k on; with k the captures before it are on the board already.
function exchangeMarks(board, exchange, k) {
    const { steps, stop, refused } = exchange,
        [x, y] = board.cornerOf(steps[0].to);
    const marks = [svg("rect", { class: "target", x: x + 0.035, y: y + 0.035, width: 0.93, height: 0.93, rx: 0.06 })];
    const lines = refused.filter(({ step }) => k === null || step === k).map((each) => refusal(board, exchange, each));
    marks.push(...lines.map(([line]) => line));
    const shown = steps.map((step, i) => ({ ...step, i })).filter(({ i }) => (k === null ? true : i === k));
    for (const { from, to, color, i } of [...shown].reverse())
        marks.push(...arrow(board, squareOf(from), to, `${color}${i >= stop ? " not-made" : ""}`));
    for (const { from, color, i } of shown) marks.push(disc(board, squareOf(from), color, i + 1));
    marks.push(...lines.map(([, mark]) => mark));
    return marks;
}

// What the moves of a chosen piece win or lose, on the squares that they lead to.
function answers(board, moves) {
    const best = new Map();
    for (const { move, value } of moves) {
        const to = squareOf(move.slice(2));
        best.set(to, Math.max(value, best.get(to) ?? value));
    }
    return [...best].map(([to, value]) => {
        const [x, y] = board.cornerOf(to),
            text = signed(value);
        const width = Math.max(0.3, text.length * CHARACTER + 0.12);
        return label(`answer${value < 0 ? " loses" : ""}`, x + 0.5 + width / 2, y + 0.67, text, 0.08);
    });
}

// Letters of files and numbers of ranks, at the edges or in the margin.
function coordinates(board) {
    const flip = (i) => (board.isFlipped ? 7 - i : i);
    if (board.hasMargin)
        return Array.from({ length: 8 }, (_, i) => [
            svg("text", { class: "coordinate outside", x: -0.23, y: i + 0.62 }, 8 - flip(i)),
            svg("text", { class: "coordinate outside", x: i + 0.5, y: 8.34 }, "abcdefgh"[flip(i)]),
        ]).flat();
    return Array.from({ length: 8 }, (_, i) => [
        svg("text", { class: "coordinate", x: 0.04, y: i + 0.2 }, 8 - flip(i)),
        svg("text", { class: "coordinate", x: i + 0.86, y: 7.95 }, "abcdefgh"[flip(i)]),
    ]).flat();
}

// What was drawn by hand: arrows, and circles around a square.
function ownMarks(board, arrows) {
    return arrows.flatMap(({ from, to, color }) => {
        const [cx, cy] = middleOf(board, from),
            kind = `own ${color}`;
        return from === to
            ? [svg("circle", { class: kind, cx, cy, r: 0.43 })]
            : arrow(board, from, to, kind).slice(1);
    });
}

export function marksOf(board, { hangs, exchange = null, step = null, moves = [], arrows = [] }) {
    const marks = ownMarks(board, arrows);
    if (exchange?.steps?.length) marks.push(...exchangeMarks(board, exchange, step));
    else if (moves.length) marks.push(...answers(board, moves));
    const badges = step === null ? hangs.flatMap((each) => hanging(board, each)) : [];
    return [
        ...coordinates(board),
        ...badges.filter((_, i) => i % 2 === 0),
        ...marks,
        ...badges.filter((_, i) => i % 2),
    ];
}
