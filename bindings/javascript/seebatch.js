// Static exchange evaluation by the library as WebAssembly: what the package exports, but for where its modules are.
// Without index.js and with the modules' bytes given to load(), it serves a classic script too.
import { read } from "./arguments.js";
import { Batch, readFens, readMoves } from "./batch.js";
import { Library, MAX_MOVES } from "./library.js";

const VERSION = "1.0.0";
const COLORS = ["white", "black"];
const PIECES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
// Made by scripts/manual: refusals
const REASONS = [
    "pin-rule",
    "other-pin",
    "pinned",
    "in-check",
    "guarded",
    "off-pin",
    "pinner-left",
    "other-pinner",
    "before-enemy",
];
// Up to here by scripts/manual

// struct seebatch_trace: where its fields are, and the sizes of what it lists.
const TRACE = {
    captures: 4,
    capture: 12,
    hasNext: 772,
    nextGain: 776,
    value: 780,
    nRefusals: 784,
    refusals: 788,
    refusal: 6,
    bytes: 788 + 6 * 560,
};

// The smallest module that has a vector: (type (func (param v128))).
const WITH_SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0);

// The URL of a text or a URL. Bundlers for servers may put a relative one, which has no protocol, in place of a module's.
function urlOf(source, name) {
    const known = source instanceof URL || typeof source === "string";
    try {
        if (known) return new URL(source, globalThis.location?.href);
    } catch {
        // It is none.
    }
    const hint = source instanceof URL ? '; the bundler has to leave "seebatch" outside the bundle of the server' : "";
    const wrong = read.wrong(name, "a URL, bytes or a WebAssembly.Module", known ? String(source) : source);
    wrong.message += hint;
    throw wrong;
}

// A WebAssembly.Module of where it is: a URL, bytes, or a module already.
async function compiled(source, name) {
    if (source instanceof WebAssembly.Module) return source;
    if (ArrayBuffer.isView(source) || Object.prototype.toString.call(source).endsWith("ArrayBuffer]"))
        return WebAssembly.compile(source);
    const url = urlOf(source, name);
    if (url.protocol === "file:" && globalThis.process?.versions?.node) {
        // Not a constant, and with what Vite and webpack look for, so that bundlers for browsers do not follow it.
        const files = `${globalThis.process.release.name}:fs/promises`; // "node:fs/promises"
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
        const bytes = await readFile(url).catch(error => {
            throw new Error(`${url} cannot be read (${error.code}); expected a module of seebatch, which a bundler has to copy there, ` +
                "or the option files of load()", { cause: error });
        });
        return WebAssembly.compile(bytes);
    }
    const response = await fetch(url);
    if (!response.ok)
        throw new Error(`${url}: expected a module, found the status ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

export class Seebatch {
    static files = null;
    static version = VERSION;
    static ALWAYS = 32767;
    static #loading = false;

    #library;

    static get hasSimd() {
        return WebAssembly.validate(WITH_SIMD);
    }

    static async load(options) {
        const { simd = Seebatch.hasSimd, files = Seebatch.files } = read.options(options, ["simd", "files"]);
        if (typeof simd !== "boolean") throw read.wrong("simd", "true or false", simd);
        if (simd && !Seebatch.hasSimd) throw new Error("simd: this machine's WebAssembly has no SIMD, expected false");
        const kernel = simd ? "simd128" : "scalar";
        const module = await compiled(files?.[kernel], `files.${kernel}`);
        Seebatch.#loading = true;
        return new Seebatch(module);
    }

    constructor(module) {
        if (!Seebatch.#loading) throw new TypeError("a Seebatch comes from Seebatch.load()");
        Seebatch.#loading = false;
        const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
        if (!exports.includes("seebatch_version") || !exports.includes("__stack_pointer"))
            throw new Error(`expected a module of seebatch ${VERSION}, found another module`);
        this.#library = new Library(module);
        const found = this.#library.textAt(this.#library.call.seebatch_version());
        if (found !== VERSION) throw new Error(`the module has the version ${found}, expected ${VERSION}`);
    }

    get #open() {
        if (!this.#library.call) throw new Error("the Seebatch was disposed of");
        return this.#library.begin();
    }

    get kernel() {
        const library = this.#open;
        return library.textAt(library.call.seebatch_kernel_active());
    }

    get ruleSets() {
        const { call } = this.#open,
            names = [];
        for (let at; (at = call.seebatch_rules_name(names.length) >>> 0) !== 0;) names.push(this.#library.textAt(at));
        return names;
    }

    // ---- One position -------------------------------------------------------------------------------------------

    // The library with the rules and the position in their blocks; arguments were read.
    #with(fen, rules) {
        const library = this.#open;
        library.useRules(rules);
        library.usePosition(fen);
        return library;
    }

    fen(position) {
        return read.position(position);
    }

    see(position, move, options) {
        const rules = read.rules(options),
            fen = read.position(position),
            given = read.move(move);
        const library = this.#with(fen, rules),
            { call, at } = library;
        return call.seebatch_value(at.rules, at.position, 0, library.moveIn(at.position, given));
    }

    ge(position, move, threshold, options) {
        const rules = read.rules(options),
            fen = read.position(position),
            given = read.move(move),
            least = read.threshold(threshold);
        const library = this.#with(fen, rules),
            { call, at } = library;
        return call.seebatch_ge(at.rules, at.position, 0, library.moveIn(at.position, given), least) === 1;
    }

    map(position, options) {
        const rules = read.rules(options);
        const { call, at, memory } = this.#with(read.position(position), rules);
        call.seebatch_map(at.rules, at.position, at.text);
        const [white, black] = [0, 128].map((behind) => memory.view(Int16Array, at.text + behind, 64).slice());
        return { white, black };
    }

    order(position, moves, options) {
        const rules = read.rules(options, ["threshold"]),
            least = read.threshold(options?.threshold ?? 0);
        const given = moves === undefined || moves === null ? null : read.list(moves, "moves", read.move);
        if (given && given.length > MAX_MOVES)
            throw new RangeError(`moves: expected at most ${MAX_MOVES}, found ${given.length}`);
        const library = this.#with(read.position(position), rules),
            { call, at, memory } = library;
        const list = memory.take(4 * MAX_MOVES),
            values = list + 2 * MAX_MOVES;
        try {
            const numbers = given?.map((move) => library.moveIn(at.position, move));
            const n = numbers
                ? numbers.length
                : call.seebatch_batch_legal_captures(at.position, 1, at.offsets, list, MAX_MOVES, 0) ||
                  memory.view(Uint32Array, at.offsets, 2)[1];
            if (numbers) memory.view(Uint16Array, list, n).set(numbers);
            const good = call.seebatch_order(at.rules, at.position, 0, list, n, least, values);
            return {
                moves: Array.from(memory.view(Uint16Array, list, n).slice(), (move) => library.uci(move)),
                values: Array.from(memory.view(Int16Array, values, n)),
                good,
            };
        } finally {
            memory.give(list);
        }
    }

    explain(position, move, options) {
        const rules = read.rules(options),
            fen = read.position(position),
            given = read.move(move);
        const library = this.#with(fen, rules),
            { call, at, memory } = library;
        const number = library.moveIn(at.position, given);
        const trace = memory.take(TRACE.bytes);
        try {
            call.seebatch_explain(at.rules, at.position, number, trace);
            const length = call.seebatch_trace_text(at.rules, at.position, number, trace, 0, 0);
            const text = memory.take(length + 1);
            try {
                call.seebatch_trace_text(at.rules, at.position, number, trace, text, length + 1);
                return { ...readTrace(memory.view(DataView, trace, TRACE.bytes)), text: library.textAt(text) };
            } finally {
                memory.give(text);
            }
        } finally {
            memory.give(trace);
        }
    }

    uci(move) {
        return this.#open.uci(read.moveNumber(move));
    }

    // ---- Many positions -----------------------------------------------------------------------------------------

    positions(positions, options) {
        const { moves = "captures" } = read.options(options, ["moves"]);
        const rows = readMoves(moves),
            text = readFens(positions);
        return new Batch(this.#open, text, rows);
    }

    dispose() {
        this.#library.close();
    }
}

// `using seebatch = await Seebatch.load()`, where there is such a thing.
if (Symbol.dispose) Seebatch.prototype[Symbol.dispose] = Seebatch.prototype.dispose;

function readTrace(view) {
    const int = (at) => view.getInt32(at, true),
        byte = (at) => view.getUint8(at);
    const rows = (n, at, size, row) => Array.from({ length: n }, (_, i) => row(at + i * size));
    return {
        value: int(TRACE.value),
        captures: rows(int(0), TRACE.captures, TRACE.capture, (at) => ({
            from: read.squareName(byte(at)),
            color: COLORS[byte(at + 1)],
            piece: PIECES[byte(at + 2)],
            stays: PIECES[byte(at + 3)],
            gain: int(at + 4),
            best: int(at + 8),
        })),
        nextGain: byte(TRACE.hasNext) ? int(TRACE.nextGain) : null,
        refusals: rows(int(TRACE.nRefusals), TRACE.refusals, TRACE.refusal, (at) => ({
            step: byte(at),
            from: read.squareName(byte(at + 1)),
            color: COLORS[byte(at + 2)],
            piece: PIECES[byte(at + 3)],
            reason: REASONS[byte(at + 4)],
            by: read.squareName(byte(at + 5)),
        })),
    };
}
