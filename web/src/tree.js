// The positions of a game and of its variations, as a tree of nodes:
//   { fen, position, parent, children, next, label, san, move, glyphs, before, comment, arrows }
// The first child goes on with the line; the others are variations. `next` is the child that was visited last. The root
// has neither san nor move, and a move that passes the turn has move null. A comment stands behind the move, and what is
// said `before` it begins a variation. Arrows are what is drawn on the board, { from, to, color }. The root has the tags
// and the result of the game.
import { legalMoves } from "./analysis.js";
import { isCheck, pass, play, readFen, readSan, START, writeFen, writeSan } from "./chess.js";
import { say, sideOf } from "./texts.js";
import { inEnglish, languagesOf, plainMove, resultOf, strangeLetters, wordsOf } from "./pgn.js";

const DEEPEST = 50; // variations within variations

// SAN with the mark of mate.
export function sanOf(seebatch, position, move, moves) {
    const san = writeSan(position, move, moves);
    if (!san.endsWith("+")) return san;
    return legalMoves(seebatch, writeFen(play(position, move))).length ? san : `${san.slice(0, -1)}#`;
}

const silent = () => ({ glyphs: "", before: "", comment: "", arrows: [] });

export function rootOf(fen) {
    const position = readFen(fen);
    return { fen: writeFen(position), position, parent: null, children: [], next: null, label: "", ...silent(), tags: {}, result: "*" };
}

// The child by a move, which is made where there is none; { node, isNew }.
export function childBy(seebatch, parent, move, moves) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return { node: known, isNew: false };
    const { position } = parent,
        next = move === null ? pass(position) : play(position, move);
    const san = move === null ? "--" : sanOf(seebatch, position, move, moves);
    const label = `${position.moves}${position.turn === "white" ? "." : "…"} ${san}`;
    const node = { fen: writeFen(next), position: next, parent, children: [], next: null, label, san, move, ...silent() };
    parent.children.push(node);
    return { node, isNew: true };
}

export function pathTo(node) {
    const path = [];
    for (let each = node; each; each = each.parent) path.push(each);
    return path.reverse();
}

// The line that goes through a node: what leads to it, and what was visited last behind it.
export function lineThrough(node) {
    const line = pathTo(node);
    for (let each = node; (each = each.next ?? each.children[0]); ) line.push(each);
    return line;
}

export function mainLine(root) {
    const line = [root];
    for (let each = root; (each = each.children[0]); ) line.push(each);
    return line;
}

// From now on the line goes through this node.
export function visit(node) {
    for (let each = node; each.parent; each = each.parent) each.parent.next = each;
}

// Where a node stands in its tree, as text: how many first children, then which other child, how many first ones again.
export function placeOf(node) {
    const parts = [0];
    for (const each of pathTo(node).slice(1)) {
        const i = each.parent.children.indexOf(each);
        if (i) parts.push(i, 0);
        else parts[parts.length - 1]++;
    }
    return parts.join("-");
}

// The node at such a place, or the last on the way there that the tree has.
export function nodeAt(root, place) {
    const picks = place.split("-").flatMap((part, i) => (i % 2 ? [Number(part)] : Array(Number(part)).fill(0)));
    let node = root;
    for (const i of picks) node = node.children[i] ?? node;
    return node;
}

// Whether a tree holds more than the moves of one line: what a list of moves cannot say.
export function isRich(root) {
    for (const left = [root]; left.length; ) {
        const { children, comment, before, glyphs, arrows } = left.pop();
        if (children.length > 1 || comment || before || glyphs || arrows.length) return true;
        left.push(...children);
    }
    return Object.keys(root.tags).length > 0 || root.result !== "*";
}

const isPass = (word) => /^(--|Z0|null|@@@@)$/.test(word);

function readMove(seebatch, { fen, position }, word) {
    const moves = legalMoves(seebatch, fen);
    if (isPass(word) && !isCheck(position)) return { move: null, moves };
    const move = readSan(position, word, moves);
    return move === null ? null : { move, moves };
}

function wrongMove({ position: { moves, turn } }, word) {
    const expected = isPass(word) ? say("expected.in-check", { side: sideOf(turn) }) : say("expected.legal");
    return say("error.move", { number: moves, color: say(`color.${turn}`), expected, found: word.slice(0, 20) });
}

const joined = (text, more) => (text ? `${text} ${more}` : more);

// The tree of these words, each line up to the first move that cannot be read: { root, faults }.
function treeOfWords(seebatch, fen, words) {
    const root = rootOf(fen),
        faults = [],
        around = []; // the nodes at which the open variations begin
    let node = root, // null behind a wrong move
        before = "", // what is said before the first move of a variation
        isBegin = false;
    for (const { bracket, comment, glyph, arrows, move, said = move } of words) {
        if (bracket === "(") {
            around.push(node);
            if (around.length === DEEPEST + 1) faults.push(say("error.deep", { most: DEEPEST }));
            node = around.length > DEEPEST ? null : (node?.parent ?? null);
            isBegin = true;
            before = "";
        } else if (bracket) {
            if (around.length) node = around.pop();
            isBegin = false;
        } else if (node && comment) {
            if (isBegin) before = joined(before, comment);
            else node.comment = joined(node.comment, comment);
        } else if (arrows) {
            if (node && !isBegin) node.arrows.push(...arrows);
        } else if (node && glyph) {
            if (!isBegin && !node.glyphs.includes(glyph)) node.glyphs += glyph;
        } else if (node) {
            const read = readMove(seebatch, node, plainMove(move));
            if (!read) faults.push(wrongMove(node, said));
            node = read && childBy(seebatch, node, read.move, read.moves).node;
            if (node && isBegin) node.before = before;
            isBegin = false;
        }
    }
    return { root, faults };
}

// The position is that of the root.
const withoutPosition = ({ FEN: _, SetUp: __, ...tags }) => tags;

// The tree of a game, whose pieces may have the letters of several languages.
export function treeOf(seebatch, game) {
    const fen = game.tags.FEN ?? START,
        words = wordsOf(game);
    let { root, faults } = treeOfWords(seebatch, fen, words);
    if (faults.length) {
        const others = languagesOf(words).map((name) => treeOfWords(seebatch, fen, inEnglish(words, name)));
        const lengthOf = (read) => mainLine(read.root).length;
        const [best] = others.sort((a, b) => a.faults.length - b.faults.length || lengthOf(b) - lengthOf(a));
        const letters = strangeLetters(words);
        if (best) ({ root, faults } = best);
        else if (letters.length) {
            faults.push(say("error.letters", { letters: letters.map((letter) => `“${letter}”`).join(", ") }));
        }
    }
    Object.assign(root, { tags: withoutPosition(game.tags), result: resultOf(game) });
    if (game.isCut) faults.push(say("error.comment"));
    return { root, faults };
}
