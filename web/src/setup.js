// A board that is set up: the pieces to put on it, and which castling is left.
import { colorOf, nameOf } from "./chess.js";
import { byId, html, pieceImage } from "./elements.js";

// Castling rights whose king and rook stand where they stood.
export function castlingOf({ board, castling }) {
    const homes = { K: [4, 7], Q: [4, 0], k: [60, 63], q: [60, 56] };
    const isPossible = (letter) => {
        const [king, rook] = homes[letter] ?? [];
        const letters = letter === letter.toUpperCase() ? "KR" : "kr";
        return king !== undefined && board[king] === letters[0] && board[rook] === letters[1];
    };
    return [...castling].filter(isPossible).join("") || "-";
}

const KINGS = Array.from({ length: 64 }, (_, square) => ({ 4: "K", 60: "k" })[square] ?? null);

// What a click does is chosen: puts a piece, "remove" or "move"; null where the board is not set up.
export function showPalette(chosen, { use, pass, clear }) {
    const isOn = chosen !== null;
    byId("palette").hidden = !isOn;
    byId("set-up").setAttribute("aria-pressed", isOn);
    if (!isOn) return;
    const button = (what, properties, ...content) =>
        html(
            "button",
            { type: "button", "aria-pressed": chosen === what ? "true" : "false", onclick: () => use(what), ...properties },
            ...content,
        );
    const pieces = [..."KQRBNPkqrbnp"].map((piece) =>
        button(piece, { "aria-label": `put ${colorOf(piece)} ${nameOf(piece)}` }, pieceImage(piece)),
    );
    const word = (text, onclick) => html("button", { type: "button", class: "word", onclick }, text);
    byId("palette").replaceChildren(
        ...pieces,
        button("move", { class: "word" }, "Move"),
        button("remove", { class: "word" }, "Remove"),
        word("Other side to move", pass),
        word("Clear", () => clear(KINGS)),
    );
}
