// An instance of the module, and the few words that its callers share. C structures are written and read here and in
// their callers as seebatch.h declares them, with addresses of 32 bits.
import { Memory } from "./memory.js";

export const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const MAX_MOVES = 704; // of a position
const OK = 0;
// The codes of errors, by the status of the library.
const CODES = [
    null,
    "unreadable",
    "unsound",
    "illegal",
    "bad-rules",
    "bad-kernel",
    "cancelled",
    "ambiguous",
    "different",
    "no-room",
    "bad-offsets",
];
const TEXT_ROOM = 1024;
const CHECK_SOUND = 0;

// The blocks that every call uses, and their bytes.
const BLOCKS = {
    position: 48,
    rules: 32,
    error: 256,
    fault: 8 + 256,
    lines: 8,
    faults: 12 + 256,
    batch: 20,
    offsets: 8,
    move: 2,
    text: TEXT_ROOM,
};

export class Library {
    #name = null; // of the rules in their block; null for none, or for such with other values
    #stack; // where the module's stack ends, as a variable of the module's,
    #top; // and where it begins

    constructor(module) {
        const { exports } = new WebAssembly.Instance(module);
        this.call = exports;
        this.#stack = exports.__stack_pointer;
        this.#top = this.#stack.value;
        this.memory = new Memory(exports);
        this.at = {};
        for (const [name, bytes] of Object.entries(BLOCKS)) this.at[name] = this.memory.take(bytes);
    }

    // At the beginning of a call of our callers': where the last one was ended by JavaScript's stack running out, the
    // module's is not empty yet.
    begin() {
        this.#stack.value = this.#top;
        return this;
    }

    // Text of the library's, up to its NUL.
    textAt(at) {
        const { bytes } = this.memory;
        return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
    }

    // Runs a function with a text, behind which is a NUL: where it is, and its length in bytes.
    withText(text, run) {
        const room = 3 * text.length + 1,
            { memory, at } = this;
        const where = room <= TEXT_ROOM ? at.text : memory.take(room);
        try {
            const { written } = encoder.encodeInto(text, memory.bytes.subarray(where, where + room));
            memory.bytes[where + written] = 0;
            return run(where, written);
        } finally {
            if (where !== at.text) memory.give(where);
        }
    }

    check(status, error = this.at.error) {
        if (status !== OK) throw this.error(status, error);
    }

    // The sentence of a block for errors, with the kind of the status.
    error(status, at) {
        return Object.assign(new Error(this.textAt(at)), { code: CODES[status] });
    }

    // Puts rules that were read by arguments.js into their block.
    useRules({ name, values }) {
        if (values === null && name === this.#name) return;
        const { call, at } = this;
        this.#name = null;
        this.withText(name, (text) => this.check(call.seebatch_rules_named(text, at.rules, at.error)));
        if (values) this.memory.view(Int16Array, at.rules, 5).set(values);
        this.check(call.seebatch_rules_check(at.rules, at.error));
        this.#name = values ? null : name;
    }

    usePosition(fen) {
        this.withText(fen, (text, length) =>
            this.check(this.call.seebatch_position_from_fen(text, length, this.at.position, this.at.error)),
        );
    }

    // The number of a move in a sound position.
    moveIn(position, move) {
        const { call, at, memory } = this;
        if (typeof move === "number") {
            memory.view(Uint16Array, at.move, 1)[0] = move;
            memory.view(Uint32Array, at.offsets, 2).set([0, 1]);
            this.useBatch(position, 1, at.offsets, at.move);
            this.checkBatch(1);
            return move;
        }
        this.withText(move, (text, length) =>
            this.check(call.seebatch_move_from_text(position, text, length, at.move, at.error)),
        );
        return memory.view(Uint16Array, at.move, 1)[0];
    }

    useBatch(positions, n, offsets, moves) {
        this.memory.view(Uint32Array, this.at.batch, 5).set([positions, n, offsets, moves, 0]);
    }

    // Whether the batch has sound positions and legal moves.
    checkBatch(moves) {
        const { call, at } = this;
        this.check(call.seebatch_batch_check(0, at.batch, moves, CHECK_SOUND, at.fault, 0), at.fault + 8);
    }

    // Lets go of the module and its memory.
    close() {
        this.call = this.memory = null;
    }

    uci(move) {
        const length = this.call.seebatch_move_to_uci(move, this.at.text);
        return decoder.decode(this.memory.bytes.subarray(this.at.text, this.at.text + length));
    }
}
