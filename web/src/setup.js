// A board that is set up: the pieces to put on it, who has the turn, and which castling is left.
import { colorOf } from "./chess.js";
import { byId, html, pieceImage } from "./elements.js";
import { say, sayPiece, sideOf } from "./texts.js";

// King and rook before castling.
const HOMES = { K: [4, 7], Q: [4, 0], k: [60, 63], q: [60, 56] };
const CASTLING = { K: "O-O", Q: "O-O-O", k: "O-O", q: "O-O-O" };

function canCastle(board, letter) {
    const [king, rook] = HOMES[letter],
        letters = colorOf(letter) === "white" ? "KR" : "kr";
    return board[king] === letters[0] && board[rook] === letters[1];
}

// Castling rights whose king and rook stand where they stood.
export const castlingOf = ({ board, castling }) =>
    Object.keys(HOMES)
        .filter((letter) => castling.includes(letter) && canCastle(board, letter))
        .join("") || "-";

const KINGS = Array.from({ length: 64 }, (_, square) => ({ 4: "K", 60: "k" })[square] ?? null);

// What a click does is chosen: puts a piece, "remove" or "move"; null where the board is not set up.
export function showPalette(chosen, { board, castling }, { use, pass, clear, castle }) {
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
        button(piece, { "aria-label": say("set-up.put", { piece: sayPiece(piece) }) }, pieceImage(piece)),
    );
    const word = (text, onclick, properties) =>
        html("button", { type: "button", class: "word", onclick, ...properties }, text);
    const castles = Object.keys(CASTLING).map((letter) =>
        word(say("set-up.castle", { side: sideOf(colorOf(letter)), castling: CASTLING[letter] }), () => castle(letter), {
            "aria-pressed": castling.includes(letter) ? "true" : "false",
            disabled: !canCastle(board, letter),
        }),
    );
    byId("palette").replaceChildren(
        ...pieces,
        button("move", { class: "word" }, say("set-up.move")),
        button("remove", { class: "word" }, say("set-up.remove")),
        word(say("set-up.clear"), () => clear(KINGS)),
        word(say("set-up.turn"), pass),
        html("span", { class: "break" }, say("set-up.castling")),
        ...castles,
    );
}
