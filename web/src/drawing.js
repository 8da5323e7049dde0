// A board as one drawing, with what hangs on it and the captures: for the element, and for worksheets.
import { pieceImage, svg } from "./elements.js";
import { marksOf } from "./marks.js";

const COLOURS = { light: "#edf0f3", dark: "#a6b6c6" };

// What marksOf() wants to know of a board.
function layout(isFlipped) {
    const cornerOf = (square) => {
        const [x, y] = [square & 7, 7 - (square >> 3)];
        return isFlipped ? [7 - x, 7 - y] : [x, y];
    };
    return { isFlipped, cornerOf };
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

export function drawBoard(board, { label, isFlipped = false, hangs = [], exchange = null }) {
    const places = layout(isFlipped);
    return svg(
        "svg",
        { viewBox: "0 0 8 8", role: "img", "aria-label": label },
        ...board.flatMap((piece, square) => cellsOf(places, square, piece)),
        ...marksOf(places, { hangs, exchange }),
    );
}
