// Positions that people have as text: a FEN, whole or with fields missing, with blanks or underscores, alone, in a list,
// or in an address of lichess or chess.com.
const FIELDS = ["", "w", "-", "-", "0", "1"];
const PLACEMENT = "[1-8pnbrqk]+(?:/[1-8pnbrqk]+){7}";
const GAP = "[_+ ]+";
const IN_ADDRESS = new RegExp(
    `(?:^|[^\\w])(${PLACEMENT}(?:${GAP}[wb](?:${GAP}(?:[a-h]+|[kq]+|-)(?:${GAP}(?:[a-h][1-8]|-)(?:${GAP}\\d+){0,2})?)?)?)`,
    "i",
);

// Whether a line is meant as a FEN: several ranks with slashes in between.
const isFenLike = (line) => /^[^\s/{}()[\]"]+(\/[^\s/{}()[\]"]+){4,}/.test(line);

// The fields that are missing are White's turn, no castling, no capture en passant, and the first move.
function whole(text) {
    const fields = text.replace(/[_+ \t]+/g, " ").trim().split(" ");
    return fields.length < 4 ? [...fields, ...FIELDS.slice(fields.length)].join(" ") : fields.join(" ");
}

export const isAddress = (text) => /^(https?:\/\/|file:|www\.|lichess\.org|chess\.com)\S*$/i.test(text);

// The FEN that an address holds, or null.
export function fenInAddress(address) {
    let text = address;
    try {
        text = decodeURIComponent(address);
    } catch {
        // It stays as it is.
    }
    const [, fen] = text.match(IN_ADDRESS) ?? [];
    return fen ? whole(fen) : null;
}

// The FENs of a text in which each line is one, as { fen, line }, the line counted from 1; null where it is no such text.
export function readFens(text) {
    const lines = text.split("\n").map((each, i) => ({ said: each.trim().replace(/^["'`]+|["'`,]+$/g, ""), line: i + 1 }));
    const said = lines.filter((each) => each.said && !each.said.startsWith("#"));
    if (!said.length || !isFenLike(said[0].said)) return null;
    return said.map((each) => ({ fen: whole(each.said), line: each.line }));
}

// The identifier of a game on lichess, if the text is its address.
export function lichessGame(text) {
    const [, id] = text.trim().match(/^(?:https?:\/\/)?(?:www\.)?lichess\.org\/(?:game\/export\/)?(\w{8})(?:\w{4})?(?:[/#?.].*)?$/) ?? [];
    return id && !/^(analysis|training|practice|accounts?|forumcat)$/.test(id) ? id : null;
}
