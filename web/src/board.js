// The board: 64 cells of a grid with pieces, by pointer and by keyboard. It reports squares that were clicked and
// pieces that were dragged; what they mean, page.js says.
import { squareName } from "./chess.js";
import { byId, html, pieceImage } from "./elements.js";
import { say, sayPiece } from "./texts.js";

const DRAG_FROM = 5; // pixels

export class Board {
    #cells = []; // by square
    #pieces = Array(64).fill(null);
    #isFlipped = false;
    #focused = 4;
    #drag = null; // { from, x, y, ghost, canMove }

    // calls: click(square), drop(from, to or null), draw(from, to), escape(), canDrag(square)
    constructor(calls) {
        this.calls = calls;
        this.element = byId("board");
        for (let square = 0; square < 64; square++) {
            const isDark = ((square >> 3) + square) % 2 === 0;
            this.#cells.push(
                html("div", {
                    class: isDark ? "square dark" : "square",
                    role: "gridcell",
                    tabindex: -1,
                    "data-square": squareName(square),
                }),
            );
        }
        this.#arrange();
        this.element.addEventListener("pointerdown", (event) => this.#press(event));
        this.element.addEventListener("pointermove", (event) => this.#pull(event));
        this.element.addEventListener("pointerup", (event) => this.#release(event));
        this.element.addEventListener("pointercancel", () => this.#endDrag());
        this.element.addEventListener("keydown", (event) => this.#key(event));
        this.element.addEventListener("contextmenu", (event) => event.preventDefault());
        // A click takes the focus from text fields, and does not give it to the board: arrow keys then step the game.
        this.element.addEventListener("mousedown", (event) => {
            event.preventDefault();
            document.activeElement?.blur();
        });
    }

    get isFlipped() {
        return this.#isFlipped;
    }

    focus() {
        this.#cells[this.#focused].focus({ preventScroll: true });
    }

    flip(isFlipped) {
        if (isFlipped === this.#isFlipped) return;
        this.#isFlipped = isFlipped;
        this.#arrange();
    }

    // Left edge and top of a square, in squares.
    cornerOf(square) {
        const [x, y] = [square & 7, 7 - (square >> 3)];
        return this.#isFlipped ? [7 - x, 7 - y] : [x, y];
    }

    #arrange() {
        const rows = Array.from({ length: 8 }, () => html("div", { role: "row" }));
        for (let i = 0; i < 64; i++) {
            const square = this.#isFlipped ? 8 * (i >> 3) + 7 - (i & 7) : 8 * (7 - (i >> 3)) + (i & 7);
            rows[i >> 3].append(this.#cells[square]);
        }
        this.element.replaceChildren(...rows);
        this.#cells[this.#focused].tabIndex = 0;
    }

    // Pieces by square, and for each what its cell says: { label, classes }.
    show(pieces, describe) {
        pieces.forEach((piece, square) => {
            const cell = this.#cells[square],
                { label, chosen, last } = describe(square);
            if (this.#pieces[square] !== piece) {
                cell.querySelector("svg")?.remove();
                if (piece) cell.prepend(pieceImage(piece));
            }
            const what = piece ? sayPiece(piece) : say("board.empty");
            cell.setAttribute("aria-label", [squareName(square), what, ...label].join(", "));
            cell.setAttribute("aria-selected", chosen ? "true" : "false");
            cell.classList.toggle("chosen", chosen);
            cell.classList.toggle("last", last);
            cell.classList.toggle("movable", piece !== null && this.calls.canDrag(square));
        });
        this.#pieces = pieces.slice();
    }

    #squareOf(element) {
        return this.#cells.indexOf(element?.closest?.(".square"));
    }

    // ---- Pointers -----------------------------------------------------------------------------------------------

    #press(event) {
        const from = this.#squareOf(event.target),
            isDrawing = event.button === 2;
        if (from < 0 || (event.button !== 0 && !isDrawing)) return;
        this.#endDrag();
        this.#drag = { from, x: event.clientX, y: event.clientY, ghost: null, isDrawing };
        this.#focus(from, false);
        if (!isDrawing && this.#pieces[from] && this.calls.canDrag(from)) this.element.setPointerCapture(event.pointerId);
    }

    #pull(event) {
        const drag = this.#drag;
        if (!drag || drag.isDrawing || !this.#pieces[drag.from] || !this.calls.canDrag(drag.from)) return;
        if (!drag.ghost) {
            if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
            drag.size = this.#cells[drag.from].getBoundingClientRect().width;
            drag.ghost = pieceImage(this.#pieces[drag.from]);
            drag.ghost.classList.add("ghost");
            drag.ghost.style.width = drag.ghost.style.height = `${drag.size}px`;
            this.#cells[drag.from].classList.add("dragged");
            document.body.append(drag.ghost);
        }
        drag.ghost.style.left = `${event.clientX - drag.size / 2}px`;
        drag.ghost.style.top = `${event.clientY - drag.size / 2}px`;
    }

    #release(event) {
        const drag = this.#drag;
        if (!drag) return;
        this.#endDrag();
        const to = this.#squareOf(document.elementFromPoint(event.clientX, event.clientY));
        if (drag.isDrawing) {
            if (to >= 0) this.calls.draw(drag.from, to);
        } else if (drag.ghost && to !== drag.from) this.calls.drop(drag.from, to < 0 ? null : to);
        else if (to === drag.from) this.calls.click(drag.from);
    }

    #endDrag() {
        if (!this.#drag) return;
        this.#drag.ghost?.remove();
        this.#cells[this.#drag.from].classList.remove("dragged");
        this.#drag = null;
    }

    // ---- Keys ---------------------------------------------------------------------------------------------------

    #focus(square, isMoved = true) {
        this.#cells[this.#focused].tabIndex = -1;
        this.#focused = square;
        this.#cells[square].tabIndex = 0;
        if (isMoved) this.#cells[square].focus();
    }

    #key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const square = this.#squareOf(event.target),
            sign = this.#isFlipped ? -1 : 1;
        if (square < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
        if (steps[event.key]) {
            const [x, y] = steps[event.key].map((step) => sign * step);
            const file = (square & 7) + x,
                rank = (square >> 3) + y;
            if (((file | rank) & ~7) === 0) this.#focus(8 * rank + file);
        } else if (event.key === "Home" || event.key === "End") {
            this.#focus((square & 56) | ((event.key === "Home") !== this.#isFlipped ? 0 : 7));
        } else if (event.key === "Enter" || event.key === " ") {
            this.calls.click(square);
        } else if (event.key === "Escape") {
            this.calls.escape();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
