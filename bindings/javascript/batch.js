// Many positions with their moves, in the module's memory: compressed rows, as the library has them.
import { read } from "./arguments.js";
import { encoder, MAX_MOVES } from "./library.js";

const POSITION_BYTES = 48;
const MOST_POSITIONS = Math.floor((2 ** 32 - 1) / MAX_MOVES); // whatever they are, 32 bits count their moves
const MAP_BYTES = 256;
const MAPS_A_CALL = 4096;
const NO_ROOM = 9;
const LINE_FEED = 10;
// Room for the moves of most positions, and for all that one position has.
const USUAL = { captures: 4, all: 40 };

// The blocks of a batch that was let go of without dispose() are given back.
const forgotten = new FinalizationRegistry((held) => release(held));

function release(held) {
    const { library, blocks } = held;
    held.blocks = {};
    for (const at of Object.values(blocks)) library.memory?.give(at);
}

// Text with a FEN a line, as Batch takes it: a string or bytes. Of an array, a line each.
export function readFens(positions) {
    if (typeof positions === "string") return { text: positions, n: null };
    if (read.isTyped(positions, Uint8Array)) return { text: read.typed(positions, Uint8Array, "positions"), n: null };
    const lines = read.list(positions, "positions", read.position);
    const broken = lines.findIndex((line) => line.includes("\n"));
    if (broken >= 0) throw new Error(`positions[${broken}]: expected one line, found a line feed in it`);
    return { text: lines.map((line) => line + "\n").join(""), n: lines.length };
}

export function readMoves(moves) {
    if (moves === "captures" || moves === "all") return moves;
    if (typeof moves !== "object")
        throw new TypeError(`moves: expected "captures", "all" or an array with a row for each position`);
    return read.list(moves, "moves", (row, name) => read.list(row, name, read.move));
}

export class Batch {
    #held; // { library, blocks }; library null when disposed of
    #length; // positions
    #size = 0; // moves
    #room = 0; // bytes of the block for answers

    constructor(library, fens, moves) {
        this.#held = { library, blocks: {} };
        forgotten.register(this, this.#held, this.#held);
        try {
            this.#length = this.#readPositions(fens);
            if (typeof moves === "string") this.#generate(moves);
            else this.#readMoves(moves);
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    get length() {
        return this.#length;
    }

    get size() {
        return this.#size;
    }

    get #library() {
        if (!this.#held.library?.call) throw new Error("the batch, or its Seebatch, was disposed of");
        return this.#held.library.begin();
    }

    // ---- Into the module ----------------------------------------------------------------------------------------

    #readPositions({ text, n }) {
        const { memory, call, at } = this.#library;
        const length = typeof text === "string" ? text.length : read.lengthOf(text);
        let where = memory.take(length),
            bytes = length;
        try {
            if (typeof text !== "string") {
                read.copy(memory.view(Uint8Array, where, length), text);
            } else if (encoder.encodeInto(text, memory.view(Uint8Array, where, length)).read < length) {
                const larger = memory.take(3 * length); // not ASCII, so it is wrong somewhere: the library says where
                memory.give(where);
                where = larger;
                bytes = encoder.encodeInto(text, memory.view(Uint8Array, where, 3 * length)).written;
            }
            const lines = n ?? countLines(memory.view(Uint8Array, where, bytes));
            if (lines > MOST_POSITIONS)
                throw new RangeError(`positions: expected at most ${MOST_POSITIONS} positions, found ${lines}`);
            const positions = (this.#held.blocks.positions = memory.take(lines * POSITION_BYTES));
            const status = call.seebatch_batch_from_lines(where, bytes, 1, positions, lines, 0, at.lines, at.faults, 0);
            if (status !== 0)
                throw this.#fault(status, memory.view(Uint32Array, at.faults, 2)[1], at.faults + 12);
            return lines;
        } finally {
            memory.give(where);
        }
    }

    #fault(status, position, error) {
        const fault = this.#library.error(status, error);
        fault.message = `position ${position}: ${fault.message}`;
        return Object.assign(fault, { position });
    }

    #generate(which) {
        const { memory, call } = this.#library,
            { blocks } = this.#held;
        const generate = which === "all" ? call.seebatch_batch_legal_moves : call.seebatch_batch_legal_captures;
        blocks.offsets = memory.take(4 * (this.#length + 1));
        let room = USUAL[which] * this.#length + MAX_MOVES;
        blocks.moves = memory.take(2 * room);
        if (generate(blocks.positions, this.#length, blocks.offsets, blocks.moves, room, 0) === NO_ROOM) {
            room = memory.view(Uint32Array, blocks.offsets, this.#length + 1)[this.#length];
            const small = blocks.moves;
            delete blocks.moves;
            memory.give(small);
            blocks.moves = memory.take(2 * room);
            generate(blocks.positions, this.#length, blocks.offsets, blocks.moves, room, 0);
        }
        this.#size = memory.view(Uint32Array, blocks.offsets, this.#length + 1)[this.#length];
        memory.trim(blocks.moves, 2 * this.#size);
    }

    // A row of moves a position, texts or numbers.
    #readMoves(rows) {
        const library = this.#library,
            offsets = new Uint32Array(this.#length + 1);
        if (rows.length !== this.#length)
            throw new RangeError(
                `moves: expected a row for each of ${this.#length} positions, found ${rows.length} rows`,
            );
        rows.forEach((row, i) => (offsets[i + 1] = offsets[i] + row.length));
        const moves = new Uint16Array(offsets[this.#length]);
        rows.forEach((row, i) =>
            row.forEach((move, k) => {
                try {
                    const position = this.#held.blocks.positions + i * POSITION_BYTES;
                    moves[offsets[i] + k] = library.moveIn(position, move);
                } catch (error) {
                    error.message = `moves[${i}][${k}]: ${error.message}`;
                    throw Object.assign(error, { position: i });
                }
            }),
        );
        this.#put(moves, offsets);
    }

    setMoves(moves, offsets) {
        const { memory, at, call } = this.#library;
        moves = copyOf(read.typed(moves, Uint16Array, "moves"), Uint16Array);
        offsets = copyOf(read.typed(offsets, Uint32Array, "offsets", this.#length + 1), Uint32Array);
        if (offsets[0] !== 0 || offsets[this.#length] !== moves.length)
            throw new RangeError(
                `offsets: expected 0 first and ${moves.length}, the number of moves, last, found ` +
                    `${offsets[0]} and ${offsets[this.#length]}`,
            );
        this.#put(moves, offsets, () => {
            const status = call.seebatch_batch_check(0, at.batch, moves.length, 0, at.fault, 0);
            if (status === 0) return;
            const [position, move] = memory.view(Uint32Array, at.fault, 2);
            throw Object.assign(this.#fault(status, position, at.fault + 8), { move });
        });
    }

    // Takes moves over, once they are checked.
    #put(moves, offsets, check = () => {}) {
        const library = this.#library,
            { memory } = library,
            { blocks } = this.#held;
        const taken = {};
        try {
            taken.moves = memory.take(2 * moves.length);
            taken.offsets = memory.take(4 * offsets.length);
            memory.view(Uint16Array, taken.moves, moves.length).set(moves);
            memory.view(Uint32Array, taken.offsets, offsets.length).set(offsets);
            library.useBatch(blocks.positions, this.#length, taken.offsets, taken.moves);
            check();
        } catch (error) {
            Object.values(taken).forEach((at) => memory.give(at));
            throw error;
        }
        const old = [blocks.moves, blocks.offsets].filter((at) => at !== undefined);
        this.#size = moves.length;
        blocks.moves = taken.moves;
        blocks.offsets = taken.offsets;
        old.forEach((at) => memory.give(at));
    }

    // ---- Out of it ----------------------------------------------------------------------------------------------

    get moves() {
        const { memory } = this.#library;
        return memory.view(Uint16Array, this.#held.blocks.moves, this.#size).slice();
    }

    get offsets() {
        const { memory } = this.#library;
        return memory.view(Uint32Array, this.#held.blocks.offsets, this.#length + 1).slice();
    }

    // Answers of a call, n elements, in an array of the caller's. Room for them is taken when all arguments are read.
    #answers({ rules, into }, Type, n, room, run) {
        const library = this.#library,
            { memory, at } = library,
            { blocks } = this.#held;
        const answers = into === undefined ? new Type(n) : read.typed(into, Type, "into", n);
        library.useRules(rules);
        library.useBatch(blocks.positions, this.#length, blocks.offsets, blocks.moves);
        if (room > this.#room) {
            const small = blocks.answers;
            blocks.answers = memory.take(room);
            this.#room = room;
            if (small !== undefined) memory.give(small);
        }
        run(library, at.batch, blocks.answers, (from, first) => read.copy(answers, from, first));
        return answers;
    }

    values(options) {
        const wanted = read.wanted(options),
            n = this.#size;
        return this.#answers(wanted, Int16Array, n, 2 * n, ({ call, memory, at }, batch, where, put) => {
            call.seebatch_batch_values(at.rules, batch, where, 0);
            put(memory.view(Int16Array, where, n));
        });
    }

    ge(threshold, options) {
        const wanted = read.wanted(options),
            n = this.#size,
            bytes = Math.ceil(n / 8);
        const given = read.thresholds(threshold, n);
        const [one, each] = typeof given === "number" ? [given, null] : [0, given];
        // The thresholds lie behind the mask, whose words have 8 bytes.
        const behind = 8 * Math.ceil(n / 64),
            room = behind + (each ? 2 * n : 0);
        return this.#answers(wanted, Uint8Array, bytes, room, ({ call, memory, at }, batch, where, put) => {
            if (each) {
                read.copy(memory.view(Int16Array, where + behind, n), each);
                call.seebatch_batch_ge_mask_each(at.rules, batch, where + behind, where, 0);
            } else {
                call.seebatch_batch_ge_mask(at.rules, batch, one, where, 0);
            }
            put(memory.view(Uint8Array, where, bytes));
        });
    }

    maps(options) {
        const wanted = read.wanted(options),
            n = this.#length,
            { positions } = this.#held.blocks;
        const room = MAP_BYTES * Math.min(n, MAPS_A_CALL);
        return this.#answers(wanted, Int16Array, 128 * n, room, ({ call, memory, at }, batch, where, put) => {
            for (let first = 0; first < n; first += MAPS_A_CALL) {
                const some = Math.min(MAPS_A_CALL, n - first);
                call.seebatch_batch_maps(at.rules, positions + first * POSITION_BYTES, some, where, 0);
                put(memory.view(Int16Array, where, 128 * some), 128 * first);
            }
        });
    }

    dispose() {
        forgotten.unregister(this.#held);
        const held = this.#held;
        this.#held = { library: null, blocks: {} };
        if (held.library) release(held);
    }
}

if (Symbol.dispose) Batch.prototype[Symbol.dispose] = Batch.prototype.dispose;

function copyOf(array, Type) {
    const copy = new Type(read.lengthOf(array));
    read.copy(copy, array);
    return copy;
}

function countLines(bytes) {
    let lines = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
    return bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED ? lines + 1 : lines;
}
