// <seebatch-board fen="...">: a board that shows what hangs, for any page. Attributes: fen, rules and values as in the
// page's link, square or move for an exchange, and flip. An event "seebatch" tells what hangs.
import { exchangeOf, legalMoves, USUAL_VALUES, whatHangs } from "./analysis.js";
import { nameOf, readFen, squareName, START } from "./chess.js";
import { drawBoard } from "./drawing.js";
import { showValue, useUnits } from "./numbers.js";
import { nounOf, say } from "./texts.js";

let library = null;

// The style of a board. A sheet that a script makes needs no style-src in a content security policy; Safari before 16.4 has none.
function dress(root) {
    try {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
    } catch {
        root.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    }
}

export class SeebatchBoard extends HTMLElement {
    static observedAttributes = ["fen", "rules", "values", "square", "move", "flip", "units"];

    // How the library is loaded, once for all boards of a page.
    static load = () => Seebatch.load();

    #isReady = false;

    connectedCallback() {
        if (!this.shadowRoot) {
            this.attachShadow({ mode: "open" }).innerHTML = `${PIECES}<div></div>`;
            dress(this.shadowRoot);
        }
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
        const words = hangs.map((each) => `${nounOf(nameOf(each.piece))} ${squareName(each.square)} ${say("board.hangs", { value: showValue(each.value) })}`);
        this.dispatchEvent(new CustomEvent("seebatch", { detail: { fen, hangs, exchange } }));
        const label = `${say("board.label")}: ${words.join("; ") || say("game.chart-nothing")}`;
        return drawBoard(board, { label, isFlipped: this.hasAttribute("flip"), hangs, exchange });
    }
}

customElements.define("seebatch-board", SeebatchBoard);
