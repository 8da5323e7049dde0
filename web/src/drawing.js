// A board as one drawing, with what hangs on it, the captures and what is drawn by hand: for the element, and for worksheets.
import { pieceImage, svg } from "./elements.js";
import { marksOf } from "./marks.js";

const COLOURS = { light: "#edf0f3", dark: "#a6b6c6" };

// What marksOf() wants to know of a board.
function layout(isFlipped, hasMargin) {
    const cornerOf = (square) => {
        const [x, y] = [square & 7, 7 - (square >> 3)];
        return isFlipped ? [7 - x, 7 - y] : [x, y];
    };
    return { isFlipped, hasMargin, cornerOf };
}

function cellsOf(places, square, piece) {
    const [x, y] = places.cornerOf(square),
        isDark = ((square >> 3) + square) % 2 === 0;
    const cell = svg("rect", { x, y, width: 1, height: 1, fill: isDark ? COLOURS.dark : COLOURS.light });
    if (!piece) return [cell];
    const image = pieceImage(piece);
    for (const [name, value] of Object.entries({ x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 }))
        image.setAttribute(name, value);
    return [cell, image];
}

// The letters and numbers of the squares are on the board, or in a margin, where they are larger.
const MARGIN = 0.45;

export function drawBoard(board, { label, isFlipped = false, hangs = [], exchange = null, arrows = [], hasMargin = false }) {
    const places = layout(isFlipped, hasMargin),
        box = hasMargin ? `${-MARGIN} 0 ${8 + MARGIN} ${8 + MARGIN}` : "0 0 8 8";
    return svg(
        "svg",
        { viewBox: box, role: "img", "aria-label": label },
        ...board.flatMap((piece, square) => cellsOf(places, square, piece)),
        ...marksOf(places, { hangs, exchange, arrows }),
    );
}
