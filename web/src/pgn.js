// PGN: the games of a text, each with its tags and the words of its main line. Comments, variations and glyphs are
// passed over.
const TOKEN = /\{[^}]*\}?|;[^\n]*|^%[^\n]*|\$\d+|[()]|[^\s{}();]+/gm;
const TAG = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/g;
const MOVE = /^([KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8]|[O0]-[O0])/;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;

export const looksLikeFen = (text) => /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/.test(text);

// The words of the moves, without move numbers.
function movesOf(text) {
    const words = [];
    let depth = 0;
    for (const [token] of text.matchAll(TOKEN)) {
        if (token === "(") depth++;
        else if (token === ")") depth = Math.max(0, depth - 1);
        else if (depth > 0 || /^[{;%$]/.test(token)) continue;
        else if (RESULT.test(token)) break;
        else {
            const word = token.replace(/^\d+(\.+|$)|^\.+/, "");
            if (word) words.push(word);
        }
    }
    return words;
}

// A game begins with tags behind moves, or with the text. Tags within comments are none, and without tags a text is a
// game only if it begins with a move.
export function readGames(text) {
    const bare = text.replace(/\{[^}]*\}?/g, (comment) => comment.replace(/[^\n]/g, " "));
    const games = [];
    let end = 0,
        tags = {};
    const finish = (until) => {
        const words = movesOf(bare.slice(end, until));
        if (Object.keys(tags).length === 0 && !MOVE.test(words[0])) return;
        games.push({ tags, words });
        tags = {};
    };
    for (const match of bare.matchAll(TAG)) {
        if (/\S/.test(bare.slice(end, match.index))) finish(match.index);
        tags[match[1]] = match[2].replace(/\\(.)/g, "$1");
        end = match.index + match[0].length;
    }
    finish(bare.length);
    return games;
}

export function titleOf({ tags }) {
    const { White = "?", Black = "?", Event, Date: date } = tags;
    const where = [Event, date?.slice(0, 4)].filter((word) => word && !word.startsWith("?"));
    return `${White} – ${Black}${where.length ? `, ${where.join(" ")}` : ""}`;
}
