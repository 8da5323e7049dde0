// PGN: the games of a text. One pass finds them; the moves of a game are read when it is shown.
const TOKEN =
    /\{[^}]*(\}?)|;[^\n]*|^%[^\n]*|\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]|\$\d+|[()]|[^\s{}();[\]]+|[[\]{}]/gm;
const MOVE = /^(?:\d+\.*\s*)?([KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8]|[O0]-[O0]|--)/;
const RESULT = /^(1-0|0-1|1\/2(-1\/2)?|½-½|½|\*)$/;
const FEN = /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/;

// Words that are no moves: numbers of moves, glyphs, and "e.p." behind its move.
const PASSED_OVER = /^(\d+\.*|\.+|[!?]+|e\.?p\.?|[+#=]|\+-|-\+|[-+=]\/[-+=]|N|D)$/;

// A text of which each line is a FEN: one or several positions.
export const looksLikeFens = (text) => FEN.test(text);

// The lines of such a text as games without moves.
export function readFens(text) {
    const lines = text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line && !line.startsWith("#")).map((line) => ({ tags: { FEN: line }, text: "" }));
}

// The games of a text: { tags, text, isCut }, the text being that of the moves, and cut where a comment has no end. A
// game begins with tags behind moves, with a move behind a result, or with the text. Without tags a text is a game only
// if it begins with a move.
export function readGames(text) {
    const games = [];
    let tags = {},
        start = -1, // of the moves
        end = 0,
        isOver = false,
        isCut = false;
    const finish = () => {
        const moves = start < 0 ? "" : text.slice(start, end);
        if (Object.keys(tags).length || MOVE.test(moves)) games.push({ tags, text: moves, isCut });
        tags = {};
        start = -1;
        isOver = isCut = false;
    };
    for (const match of text.matchAll(TOKEN)) {
        const [token, closed, tag, value] = match;
        if (tag !== undefined) {
            if (start >= 0 || isOver) finish();
            tags[tag] = value.replace(/\\(.)/g, "$1");
            continue;
        }
        const isWord = !/^[{;%$]/.test(token);
        if (isWord && isOver) finish();
        if (isWord && start < 0) start = match.index;
        end = match.index + token.length;
        if (token.startsWith("{") && closed === "") isCut = true;
        if (RESULT.test(token)) isOver = true;
    }
    finish();
    return games;
}

// The words of a game's moves, and parentheses around variations.
export function wordsOf({ text }) {
    const words = [];
    for (const [token] of text.matchAll(TOKEN)) {
        if (/^[{;%$[\]}]/.test(token)) continue;
        if (token === "(" || token === ")") {
            words.push(token);
            continue;
        }
        if (RESULT.test(token)) continue;
        const word = token.replace(/^\d+\.+|^\.+/, "");
        if (word && !PASSED_OVER.test(word)) words.push(word);
    }
    return words;
}

// The variant of a game, where it is none that is played by the rules of chess.
export function otherVariant({ tags }) {
    const variant = tags.Variant ?? "";
    return /^(|\?|standard|chess|normal|from ?position|chess ?960|fischer ?r?andom(chess)?)$/i.test(variant)
        ? ""
        : variant;
}

export function titleOf({ tags }) {
    if (!tags.White && !tags.Black) return tags.FEN ?? "A game";
    const { White = "?", Black = "?", Event, Date: date } = tags;
    const where = [Event, date?.slice(0, 4)].filter((word) => word && !word.startsWith("?"));
    return `${White} – ${Black}${where.length ? `, ${where.join(" ")}` : ""}`;
}

// The identifier of a game on lichess, if the text is its address.
export function lichessGame(text) {
    const [, id] = text.trim().match(/^(?:https?:\/\/)?(?:www\.)?lichess\.org\/(?:game\/export\/)?(\w{8})(?:\w{4})?(?:[/#?.].*)?$/) ?? [];
    return id && !/^(analysis|training|practice|accounts?|forumcat)$/.test(id) ? id : null;
}
