// PGN: the games of a text. One pass finds them; the moves of a game are read when it is shown. Lists of positions are
// games without moves. At the end, what the page writes into a PGN.
import { squareName, squareOf } from "./chess.js";
import { say } from "./texts.js";

const TOKEN =
    /\{[^}]*(\}?)|;[^\n]*|^%[^\n]*|\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]|\$\d+|[()]|[^\s{}();[\]]+|[[\]{}]/gm;
const MOVE = /^(?:\d+\.*\s*)?([A-Z♔-♟]?[a-h]?[1-8]?[x:-]?[a-h][1-8]|[O0]-[O0]|--)/;
const RESULT = /^(1-0|0-1|1\/2(-1\/2)?|½-½|½|\*)$/;

// Words that are no moves: numbers of moves, and "e.p." behind its move.
const PASSED_OVER = /^(\d+\.*|\.+|e\.?p\.?|[+#=]|N|D)$/;

// Glyphs by their numbers ($1 and so on); what else is numbered is left out.
const GLYPHS = {
    1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
    18: "+−", 19: "−+", 22: "⨀", 23: "⨀",
};
const GLYPH = /^([!?]{1,2}|□|[-+=]\/[-+=]|\+-|-\+|[±∓⩲⩱∞])$/;

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
        const hasMove = MOVE.test(moves.replace(/^(\{[^}]*\}|\s)+/, ""));
        if (Object.keys(tags).length || hasMove) games.push({ tags, text: moves, isCut });
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
        if ((isWord || token.startsWith("{")) && !isOver && start < 0) start = match.index;
        end = match.index + token.length;
        if (token.startsWith("{") && closed === "") isCut = true;
        if (RESULT.test(token)) isOver = true;
    }
    finish();
    return games;
}

// What a comment draws, by the commands that Lichess and others write: [%csl Gd4] a circle, [%cal Rd4e5] an arrow; as
// { from, to, color }, the colour being R, G, B or Y.
const drawnBy = (token) =>
    [...token.matchAll(/\[%(?:cal|csl)\s+([^\]]*)\]/g)].flatMap(([, list]) =>
        list.split(",").flatMap((each) => {
            const [, color, from, to] = each.trim().match(/^([RGBY])([a-h][1-8])([a-h][1-8])?$/) ?? [];
            return color ? [{ from: squareOf(from), to: squareOf(to ?? from), color }] : [];
        }),
    );

// A comment as people read it: without the commands that programs write into it.
const commentOf = (token) =>
    token
        .replace(/^[{;]|\}$/g, "")
        .replace(/\[%[^\]]*\]/g, "")
        .replace(/\s+/g, " ")
        .trim();

// What a game's text says in its order: { move }, { glyph }, { comment }, { arrows }, and { bracket } around variations.
export function wordsOf({ text }) {
    const words = [];
    for (const [token] of text.matchAll(TOKEN)) {
        if (/^[{;]/.test(token)) {
            const comment = commentOf(token),
                arrows = drawnBy(token);
            if (comment) words.push({ comment });
            if (arrows.length) words.push({ arrows });
        } else if (token.startsWith("$")) {
            const glyph = GLYPHS[token.slice(1)];
            if (glyph) words.push({ glyph });
        } else if (token === "(" || token === ")") {
            words.push({ bracket: token });
        } else if (GLYPH.test(token)) {
            words.push({ glyph: token });
        } else if (!/^[%[\]}]/.test(token) && !RESULT.test(token)) {
            const [, move, glyph] = token.replace(/^\d+\.+|^\.+/, "").match(/^(.*?)([!?]*)$/);
            if (!move || PASSED_OVER.test(move)) continue;
            words.push({ move });
            if (glyph) words.push({ glyph });
        }
    }
    return words;
}

// ---- Letters of pieces ------------------------------------------------------------------------------------------

// King, queen, rook, bishop and knight in the languages that PGN is written in, besides English.
const LETTERS = {
    German: "KDTLS", French: "RDTFC", Spanish: "RDTAC", Dutch: "KDTLP", Portuguese: "RDTBC", Polish: "KHWGS",
    Czech: "KDVSJ", Hungarian: "KVBFH", Finnish: "KDTLR", Romanian: "RDTNC",
};
const ENGLISH_LETTERS = "KQRBN";
const FIGURINES = "♔♕♖♗♘♚♛♜♝♞";

// The letters of pieces in a move: the first, unless it castles, and that to which a pawn promotes.
const FIRST = /^(?!O-O)\p{Lu}(?=[a-h1-8x:-])/u;
const LAST = /([1-8]=?)(\p{Lu})(?=[+#]*$)/u;

const lettersOf = (words) =>
    new Set(words.flatMap(({ move = "" }) => [move.match(FIRST)?.[0], move.match(LAST)?.[2]]).filter(Boolean));

// The languages, of those above, whose letters a game may be written in; none where it is written in English.
export function languagesOf(words) {
    const letters = [...lettersOf(words)];
    if (letters.every((letter) => ENGLISH_LETTERS.includes(letter))) return [];
    return Object.keys(LETTERS).filter((name) => letters.every((letter) => LETTERS[name].includes(letter)));
}

// The same words with the English letters of pieces, and with what was `said` instead.
export function inEnglish(words, language) {
    const english = (letter) => ENGLISH_LETTERS[LETTERS[language].indexOf(letter)];
    const translated = (move) => move.replace(FIRST, english).replace(LAST, (_, square, piece) => square + english(piece));
    return words.map((word) => (word.move ? { move: translated(word.move), said: word.move } : word));
}

// Figurines and a colon for "takes" as letters.
export const plainMove = (move) =>
    move.replace(/[♔-♞]/g, (figure) => ENGLISH_LETTERS[FIGURINES.indexOf(figure) % 5]).replace(/[♙♟]/g, "").replace(":", "x");

export const strangeLetters = (words) => [...lettersOf(words)].filter((letter) => !ENGLISH_LETTERS.includes(letter));

// ---- What a game is called --------------------------------------------------------------------------------------

// The variant of a game, where it is none that is played by the rules of chess.
export function otherVariant({ tags }) {
    const variant = tags.Variant ?? "";
    return /^(|\?|standard|chess|normal|from ?position|chess ?960|fischer ?r?andom(chess)?)$/i.test(variant)
        ? ""
        : variant;
}

export function titleOf({ tags }) {
    const known = (name) => (/^\s*(\?|-|$)/.test(tags[name] ?? "") ? "" : tags[name].trim());
    const chapter = known("ChapterName"),
        event = known("Event"),
        year = known("Date").slice(0, 4);
    if (!known("White") && !known("Black")) return chapter || event || say("game.a-game");
    const players = `${known("White") || "?"} – ${known("Black") || "?"}`;
    if (chapter) return `${chapter}: ${players}`;
    const where = [event, year].filter(Boolean).join(" ");
    return players + (where ? `, ${where}` : "");
}

// The result of a game: that of its tags, or the last that its moves say.
export function resultOf({ tags, text }) {
    const said = [...text.matchAll(TOKEN)].map(([token]) => token).filter((token) => RESULT.test(token));
    return tags.Result ?? said.at(-1) ?? "*";
}

// ---- Writing ----------------------------------------------------------------------------------------------------

const oneLine = (text) => text.replace(/\s+/g, " ").trim();
export const tagText = (name, text) => `[${name} "${oneLine(text).replace(/[\\"]/g, "\\$&")}"]`;
export const commentText = (text) => `{${oneLine(text).replace(/\{/g, "(").replace(/\}/g, ")")}}`;

// The same arrows and circles as commands for a comment, or "".
export const drawnText = (arrows) =>
    [["csl", (each) => each.from === each.to, ({ from }) => squareName(from)], ["cal", (each) => each.from !== each.to, ({ from, to }) => squareName(from) + squareName(to)]]
        .map(([command, isOf, where]) => [command, arrows.filter(isOf).map((each) => each.color + where(each)).join(",")])
        .filter(([, list]) => list)
        .map(([command, list]) => `[%${command} ${list}]`)
        .join("");

// The comment behind a node with what is drawn there, or "".
const behind = ({ comment, arrows }) => (comment || arrows.length ? commentText(`${comment} ${drawnText(arrows)}`) : "");

const NUMBERS = Object.fromEntries(Object.entries(GLYPHS).reverse().map(([number, glyph]) => [glyph, `$${number}`]));
const glyphsText = (glyphs) => (glyphs.match(/[!?]{1,2}|\+−|−\+|./gu) ?? []).map((glyph) => NUMBERS[glyph] ?? "");

// The moves from one on, each variation in brackets behind the move that it replaces.
function wordsFrom(first) {
    const words = [];
    let isBegin = true;
    for (let node = first; node; node = node.children[0]) {
        const { moves, turn } = node.parent.position;
        if (node.before) words.push(commentText(node.before));
        if (turn === "white") words.push(`${moves}.`);
        else if (isBegin) words.push(`${moves}...`);
        const said = [node.san, ...glyphsText(node.glyphs), behind(node)].filter(Boolean);
        words.push(...said);
        isBegin = said.at(-1).startsWith("{");
        if (node.parent.children[0] !== node) continue;
        for (const other of node.parent.children.slice(1)) {
            words.push("(", ...wordsFrom(other), ")");
            isBegin = true;
        }
    }
    return words;
}

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

// The game of a tree as PGN; fen is that of its first position, where it is another than usual.
export function writeGame(root, fen) {
    const tags = { ...root.tags, ...(fen && { SetUp: "1", FEN: fen }) },
        names = [...ROSTER.filter((name) => name in tags), ...Object.keys(tags).filter((name) => !ROSTER.includes(name))];
    const moves = [behind(root), ...(root.children[0] ? wordsFrom(root.children[0]) : []), root.result].filter(Boolean);
    return `${names.map((name) => tagText(name, tags[name])).join("\n")}\n\n${moves.join(" ").replace(/\( /g, "(").replace(/ \)/g, ")")}\n`;
}
