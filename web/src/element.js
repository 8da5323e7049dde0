// <seebatch-board fen="...">: a board that shows what hangs, for any page. Attributes: fen, rules and values as in the
// page's link, square or move for an exchange, and flip. An event "seebatch" tells what hangs.
import { exchangeOf, legalMoves, USUAL_VALUES, whatHangs } from "./analysis.js";
import { nameOf, readFen, squareName, START } from "./chess.js";
import { pieceImage, svg } from "./elements.js";
import { marksOf } from "./marks.js";
import { showValue, useUnits } from "./numbers.js";

const COLOURS = { light: "#edf0f3", dark: "#a6b6c6" };

// What marksOf() wants to know of a board.
function layout(isFlipped) {
    const cornerOf = (square) => {
        const [x, y] = [square & 7, 7 - (square >> 3)];
        return isFlipped ? [7 - x, 7 - y] : [x, y];
    };
    return { isFlipped, cornerOf };
}

function cellsOf(board, square, piece) {
    const [x, y] = board.cornerOf(square),
        isDark = ((square >> 3) + square) % 2 === 0;
    const cell = svg("rect", { x, y, width: 1, height: 1, fill: isDark ? COLOURS.dark : COLOURS.light });
    if (!piece) return [cell];
    const image = pieceImage(piece);
    for (const [name, value] of Object.entries({ x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 }))
        image.setAttribute(name, value);
    return [cell, image];
}

let library = null;

export class SeebatchBoard extends HTMLElement {
    static observedAttributes = ["fen", "rules", "values", "square", "move", "flip", "units"];

    // How the library is loaded, once for all boards of a page.
    static load = () => Seebatch.load();

    #isReady = false;

    connectedCallback() {
        if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML = `<style>${STYLE}</style>${PIECES}<div></div>`;
        this.#isReady = true;
        this.#show();
    }

    attributeChangedCallback() {
        if (this.#isReady) this.#show();
    }

    async #show() {
        const place = this.shadowRoot.querySelector("div");
        try {
            library ??= SeebatchBoard.load();
            const seebatch = await library;
            place.replaceChildren(this.#draw(seebatch));
        } catch (error) {
            const said = document.createElement("p");
            said.setAttribute("role", "alert");
            said.textContent = error.message.replace(/^positions?(?: 0|\[0\]|): ?/, "");
            place.replaceChildren(said);
        }
    }

    #draw(seebatch) {
        const fen = this.getAttribute("fen") ?? START,
            values = this.getAttribute("values")?.split(",").map(Number) ?? USUAL_VALUES;
        const options = { rules: this.getAttribute("rules") ?? "legal", values };
        legalMoves(seebatch, fen); // or an error that says what is wrong
        const { board } = readFen(fen),
            hangs = whatHangs(seebatch, fen, options);
        const [move, square] = ["move", "square"].map((name) => this.getAttribute(name));
        const exchange = move || square ? exchangeOf(seebatch, fen, move ? { move } : { square }, options) : null;
        useUnits(this.getAttribute("units") ?? "pawns");
        const places = layout(this.hasAttribute("flip"));
        const words = hangs.map((each) => `${nameOf(each.piece)} ${squareName(each.square)} hangs, ${showValue(each.value)}`);
        this.dispatchEvent(new CustomEvent("seebatch", { detail: { fen, hangs, exchange } }));
        return svg(
            "svg",
            { viewBox: "0 0 8 8", role: "img", "aria-label": `Chess board: ${words.join("; ") || "nothing hangs"}` },
            ...board.flatMap((piece, each) => cellsOf(places, each, piece)),
            ...marksOf(places, { hangs, exchange }),
        );
    }
}

customElements.define("seebatch-board", SeebatchBoard);
