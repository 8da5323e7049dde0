// What callers hand in, checked before anything of it comes near the module. Their code may run here, in a getter or
// an iterator, so all arguments are read before memory is taken.

// What typed arrays of any window have of their own, whatever was put on the object: type, length, set().
const ofTyped = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = Object.getOwnPropertyDescriptor(ofTyped, Symbol.toStringTag).get;
const getLength = Object.getOwnPropertyDescriptor(ofTyped, "length").get;
const { set, keys } = ofTyped;
const MAX_PIECE_VALUE = 3000;
const lengthOf = (array) => getLength.call(array);
const copy = (array, from, at = 0) => lengthOf(from) > 0 && set.call(array, from, at);

function show(value) {
    if (typeof value === "string") return JSON.stringify(value.length > 40 ? value.slice(0, 40) + "..." : value);
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return String(value);
    return tagOf.call(value) ?? (Array.isArray(value) ? "an array" : `a value of type ${typeof value}`);
}

function wrong(name, expected, value) {
    return new TypeError(`${name}: expected ${expected}, found ${show(value)}`);
}

function text(value, name) {
    if (typeof value !== "string") throw wrong(name, "a string", value);
    return value;
}

function integer(value, name, least, most) {
    if (!Number.isInteger(value) || value < least || value > most)
        throw wrong(name, `a whole number from ${least} to ${most}`, value);
    return value;
}

function isTyped(value, Type) {
    return ArrayBuffer.isView(value) && tagOf.call(value) === Type.name;
}

// A typed array of that length, or of any. One whose buffer was transferred, or shrank below it, has the length 0 and no elements,
// and would pass for an empty one.
function typed(value, Type, name, length) {
    if (!isTyped(value, Type)) throw wrong(name, Type.name, value);
    try {
        keys.call(value);
    } catch {
        throw new TypeError(`${name}: expected ${Type.name} with its elements, found one whose buffer was transferred or shrank`);
    }
    if (length !== undefined && lengthOf(value) !== length)
        throw new RangeError(`${name}: expected ${length} elements, found ${lengthOf(value)}`);
    return value;
}

// The elements of an array or another iterable, each read once.
function list(value, name, read) {
    if (value === null || typeof value !== "object" || typeof value[Symbol.iterator] !== "function")
        throw wrong(name, "an array", value);
    return Array.from(value, (element, i) => read(element, `${name}[${i}]`));
}

// An object that has no more than the options of these names: one that is misspelt would else be none.
function options(value, names, what = "options") {
    const strange = value === null || typeof value !== "object" || Array.isArray(value) || ArrayBuffer.isView(value);
    if (value !== undefined && strange) throw wrong(what, "an object", value);
    for (const name in value)
        if (!names.includes(name)) throw new TypeError(`${what}: expected ${or(names)}, found ${show(name)}`);
    return value ?? {};
}

const or = (names) => names.join(", ").replace(/, (?=\w+$)/, " or ");

// What fits into the library's numbers, the library has a sentence about.
const pieceValue = (value, name) => (value === (value << 16) >> 16 ? value : integer(value, name, 0, MAX_PIECE_VALUE));

// A rule set: its name and piece values; null for the usual ones. The caller may have options of its own.
function rules(value, own = []) {
    const { rules = "legal", values = null } = options(value, ["rules", "values", ...own]);
    const five = values === null ? null : list(values, "values", pieceValue);
    if (five && five.length !== 5)
        throw new RangeError(
            `values: expected 5 numbers, for pawn, knight, bishop, rook and queen, found ${five.length}`,
        );
    // The library's name for it ends where a NUL is.
    return { name: text(rules, "rules").replaceAll("\0", "?"), values: five };
}

// The answers of a batch: under which rules, and into which array.
function wanted(value) {
    return { rules: rules(value, ["into"]), into: value?.into };
}

const threshold = (value, name = "threshold") => integer(value, name, -32768, 32767);

// One threshold for all of n moves, or an array with one for each.
function thresholds(value, n) {
    if (value === null || (typeof value !== "object" && typeof value !== "number"))
        throw wrong("threshold", "a whole number from -32768 to 32767, or an Int16Array with one for each move", value);
    return typeof value === "number" ? threshold(value) : typed(value, Int16Array, "threshold", n);
}

// A move as text or as a number; which texts and numbers are moves, the library says. Of an object as chess.js and
// chessops have them, its squares (names, or 0 to 63) and what it promotes to, as UCI text.
function move(value, name = "move") {
    if (typeof value === "number") return integer(value, name, 0, 65535);
    if (typeof value === "string") return value;
    const { from, to, promotion } = value ?? {};
    if (from === undefined || to === undefined)
        throw wrong(name, "a string, a number, or an object with from and to", value);
    return square(from, `${name}.from`) + square(to, `${name}.to`) + letter(promotion, `${name}.promotion`);
}

// ---- Positions of other packages ----

const LETTERS = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };
const letterOf = ({ color, role }) => (color === "white" ? LETTERS[role]?.toUpperCase() : LETTERS[role]) ?? "?";

// A position as text: a FEN as it is, the one that an object of chess.js writes, or that of one of chessops. What is
// wrong with a FEN, the library says.
function position(value, name = "position") {
    if (typeof value === "string") return value;
    if (typeof value?.fen === "function") return text(value.fen(), `${name}.fen()`);
    if (typeof value?.board?.[Symbol.iterator] === "function") return fenOf(value, name);
    throw wrong(name, "a FEN, or a position of chess.js or chessops", value);
}

// The FEN of a Position or a Setup of chessops.
function fenOf({ board, turn, castles, castlingRights, epSquare, ...rest }, name) {
    const { rules = "chess", pockets, remainingChecks, halfmoves = 0, fullmoves = 1 } = rest;
    if (rules !== "chess" || pockets || remainingChecks)
        throw new TypeError(`${name}: expected a position of chess, found one of a variant`);
    const pieces = Array(64).fill(" ");
    for (const [at, piece] of board) pieces[integer(at, `${name}.board`, 0, 63)] = letterOf(piece);
    const rows = [56, 48, 40, 32, 24, 16, 8, 0].map((first) => pieces.slice(first, first + 8).join(""));
    const castling = castlingOf(pieces, [...(castlingRights ?? castles?.castlingRights ?? [])]);
    const passed = epSquare === undefined ? "-" : square(epSquare, `${name}.epSquare`);
    const shown = rows.join("/").replace(/ +/g, (gap) => gap.length);
    return `${shown} ${turn === "white" ? "w" : "b"} ${castling || "-"} ${passed} ${halfmoves} ${fullmoves}`;
}

// Of rooks that may castle: K and Q for the outermost one on that side of the king, otherwise its file.
function castlingOf(pieces, rooks) {
    const of = (first, king, rook, letters) => {
        const rank = pieces.slice(first, first + 8).join("");
        return rooks
            .filter((square) => square >> 3 === first >> 3)
            .sort((a, b) => b - a)
            .map((square) => {
                const isRight = (square & 7) > rank.indexOf(king);
                const outermost = isRight ? rank.lastIndexOf(rook) : rank.indexOf(rook);
                return (square & 7) === outermost ? letters[isRight ? 0 : 1] : letters[2 + (square & 7)];
            });
    };
    return [...of(0, "K", "R", "KQABCDEFGH"), ...of(56, "k", "r", "kqabcdefgh")].join("");
}

const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);

function square(value, name) {
    return typeof value === "number" ? squareName(integer(value, name, 0, 63)) : text(value, name);
}

// chess.js writes "q", chessops "queen".
function letter(value, name) {
    if (value === undefined) return "";
    return value === "knight" ? "n" : text(value, name).slice(0, ["bishop", "rook", "queen"].includes(value) ? 1 : 40);
}

// The number of a move: a1a1 and the like are none, and what they promote to is at most a queen.
function moveNumber(value) {
    integer(value, "move", 0, 65535);
    if (value >> 12 > 4 || (value & 63) === ((value >> 6) & 63))
        throw wrong("move", "a number of two squares and a promotion (bits 12 to 15: 0 to 4)", value);
    return value;
}

export const read = {
    MAX_PIECE_VALUE,
    copy,
    integer,
    isTyped,
    lengthOf,
    list,
    move,
    moveNumber,
    options,
    position,
    rules,
    squareName,
    text,
    threshold,
    thresholds,
    typed,
    wanted,
    wrong,
};
