// The library as a WebAssembly module, for the benchmark: its memory, and the few calls that the benchmark makes.
import { readFileSync } from "node:fs";

const PAGE = 65536;
const POSITION_BYTES = 48;
const MAX_MOVES = 256;
const OK = 0;

export class Library {
    constructor(path) {
        const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)));
        this.call = instance.exports;
        this.memory = instance.exports.memory;
        this.end = instance.exports.__heap_base.value;
        this.error = this.reserve(256);
        this.rules = this.reserve(64);
        this.batch = this.reserve(20);
        this.scratch = this.reserve(2 * MAX_MOVES);
    }

    // So many bytes of the module's memory, for good. Views of the memory that were made before no longer hold.
    reserve(bytes) {
        const at = Math.ceil(this.end / 64) * 64;
        this.end = at + bytes;
        const missing = this.end - this.memory.buffer.byteLength;
        if (missing > 0)
            this.memory.grow(Math.ceil(missing / PAGE));
        return at;
    }

    text(at) {
        const bytes = new Uint8Array(this.memory.buffer, at);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    // Runs a function with the addresses of strings, each with a NUL behind it.
    withText(strings, run) {
        const before = this.end;
        const addresses = strings.map((string) => {
            const bytes = new TextEncoder().encode(string + "\0");
            const at = this.reserve(bytes.length);
            new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
            return at;
        });
        const result = run(...addresses);
        this.end = before;
        return result;
    }

    check(status) {
        if (status !== OK)
            throw new Error(this.text(this.error));
    }

    useKernel(name) {
        this.withText([name], (at) => this.check(this.call.seebatch_kernel_use(at, this.error)));
    }

    useRules(name) {
        this.withText([name], (at) => this.check(this.call.seebatch_rules_named(at, this.rules, this.error)));
    }

    // The names of the rule sets.
    ruleNames() {
        const names = [];
        for (let at; (at = this.call.seebatch_rules_name(names.length)) !== 0;)
            names.push(this.text(at));
        return names;
    }

    // Positions with all their legal captures, or all their legal moves, in the module's memory.
    load(fens, captures) {
        const generate = captures ? this.call.seebatch_legal_captures : this.call.seebatch_legal_moves;
        const positions = this.reserve(fens.length * POSITION_BYTES);
        const lists = [];
        const offsets = new Uint32Array(fens.length + 1);
        fens.forEach((fen, i) => {
            const position = positions + i * POSITION_BYTES;
            this.withText([fen], (at) =>
                this.check(this.call.seebatch_position_from_fen(position, at, fen.length, this.error)));
            const n = generate(position, this.scratch);
            lists.push(new Uint16Array(this.memory.buffer, this.scratch, n).slice());
            offsets[i + 1] = offsets[i] + n;
        });
        const n = offsets[fens.length];
        const batch = { positions, n: fens.length, requests: n, starts: offsets };
        batch.offsets = this.reserve(offsets.byteLength);
        batch.moves = this.reserve(2 * n);
        batch.values = this.reserve(2 * n);
        batch.mask = this.reserve(8 * Math.ceil(n / 64) + 8);
        new Uint32Array(this.memory.buffer, batch.offsets, offsets.length).set(offsets);
        lists.forEach((list, i) => new Uint16Array(this.memory.buffer, batch.moves + 2 * offsets[i], list.length).set(list));
        return batch;
    }

    // Positions first to end of a batch, as a seebatch_batch.
    slice(batch, first, end) {
        const fields = [batch.positions + first * POSITION_BYTES, end - first, batch.offsets + 4 * first, batch.moves, 0];
        new Uint32Array(this.memory.buffer, this.batch, fields.length).set(fields);
        return this.batch;
    }

    // The values of positions first to end, which go where the batch has room for its first ones.
    values(batch, first, end) {
        this.check(this.call.seebatch_batch_values(this.rules, this.slice(batch, first, end), batch.values, 0));
    }

    // Whether they reach a threshold: bits, there.
    ge(batch, first, end, threshold) {
        this.check(this.call.seebatch_batch_ge_mask(this.rules, this.slice(batch, first, end), threshold, batch.mask, 0));
    }

    valuesOf(batch, n) {
        return new Int16Array(this.memory.buffer, batch.values, n);
    }

    flagOf(batch, k) {
        return new Uint8Array(this.memory.buffer, batch.mask)[k >> 3] >> (k & 7) & 1;
    }
}
