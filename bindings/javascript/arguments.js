// What callers hand in, checked before anything of it comes near the module. Their code may run here, in a getter or
// an iterator, so all arguments are read before memory is taken.

// What typed arrays of any window have of their own, whatever was put on the object: type, length, set().
const ofTyped = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = Object.getOwnPropertyDescriptor(ofTyped, Symbol.toStringTag).get;
const getLength = Object.getOwnPropertyDescriptor(ofTyped, "length").get;
const { set } = ofTyped;
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

// A typed array of that length, or of any; a detached one has the length 0, and nothing is read or written there.
function typed(value, Type, name, length) {
    if (!isTyped(value, Type)) throw wrong(name, Type.name, value);
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

function options(value) {
    const strange = value === null || typeof value !== "object" || Array.isArray(value) || ArrayBuffer.isView(value);
    if (value !== undefined && strange) throw wrong("options", "an object", value);
    return value ?? {};
}

// A rule set: its name and piece values; null for the usual ones.
function rules(value) {
    const { rules = "legal", values = null } = options(value);
    const five = values === null ? null : list(values, "values", (x, name) => integer(x, name, -32768, 32767));
    if (five && five.length !== 5)
        throw new RangeError(
            `values: expected 5 numbers, for pawn, knight, bishop, rook and queen, found ${five.length}`,
        );
    // The library's name for it ends where a NUL is.
    return { name: text(rules, "rules").replaceAll("\0", "?"), values: five };
}

// The answers of a batch: under which rules, and into which array.
function wanted(value) {
    return { rules: rules(value), into: options(value).into };
}

const threshold = (value, name = "threshold") => integer(value, name, -32768, 32767);

// A move as text or as a number; which texts and numbers are moves, the library says.
function move(value, name = "move") {
    if (typeof value === "number") return integer(value, name, 0, 65535);
    if (typeof value !== "string") throw wrong(name, "a string, or a number", value);
    return value;
}

export const read = {
    copy,
    integer,
    isTyped,
    lengthOf,
    list,
    move,
    options,
    rules,
    text,
    threshold,
    typed,
    wanted,
    wrong,
};
