// The memory of a module, in blocks that are taken and given back. No view of it leaves the package: whoever could
// write there could hand the library positions that it has not checked. A view is made when it is used, since none
// outlives the growth of the memory. JavaScript's stack may run out in any call, and the caller go on: then a block may
// stay taken for ever, but none is taken twice.
const PAGE = 65536;
const LARGEST = 65536 * PAGE;
const ALIGNMENT = 64;

export class Memory {
    #memory;
    #bytes;
    #end; // nothing is taken from here on
    #sizes = new Map(); // of the blocks that are taken, by where they are
    #free = []; // { at, size } of the gaps below the end, by where they are; none touches another

    constructor({ memory, __heap_base }) {
        this.#memory = memory;
        this.#bytes = new Uint8Array(memory.buffer);
        this.#end = Math.ceil(__heap_base.value / ALIGNMENT) * ALIGNMENT;
    }

    // All of it, as bytes.
    get bytes() {
        if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = new Uint8Array(this.#memory.buffer);
        return this.#bytes;
    }

    // n elements of a typed array's type.
    view(Type, at, n) {
        return new Type(this.#memory.buffer, at, n);
    }

    // A block of at least so many bytes, whatever they say.
    take(bytes) {
        const size = Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT;
        const gap = this.#free.findIndex((free) => free.size >= size);
        const at = gap < 0 ? this.#extend(size) : this.#free[gap].at;
        if (gap >= 0) {
            this.#free[gap].at += size;
            this.#free[gap].size -= size;
            if (this.#free[gap].size === 0) this.#free.splice(gap, 1);
        }
        this.#sizes.set(at, size);
        return at;
    }

    #extend(size) {
        const at = this.#end,
            missing = at + size - this.#memory.buffer.byteLength;
        if (at + size > LARGEST)
            throw new RangeError(`${size} more bytes are wanted, but a module has no more than ${LARGEST}`);
        if (missing > 0) {
            try {
                this.#memory.grow(Math.ceil(missing / PAGE));
            } catch {
                throw new RangeError(`the module's memory cannot grow by ${missing} bytes`);
            }
        }
        this.#end += size;
        return at;
    }

    // Gives back what a block has beyond so many bytes.
    trim(at, bytes) {
        const kept = Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT,
            size = this.#sizes.get(at);
        if (kept < size) {
            this.#sizes.set(at, kept);
            this.#release(at + kept, size - kept);
        }
    }

    give(at) {
        const size = this.#sizes.get(at);
        this.#sizes.delete(at);
        this.#release(at, size);
    }

    #release(at, size) {
        const next = this.#free.findIndex((free) => free.at > at);
        const i = next < 0 ? this.#free.length : next;
        this.#free.splice(i, 0, { at, size });
        this.#merge(i);
        this.#merge(i - 1);
        const last = this.#free[this.#free.length - 1];
        if (last.at + last.size === this.#end) {
            this.#free.pop();
            this.#end = last.at;
        }
    }

    // Makes one gap of number i and the next where they touch.
    #merge(i) {
        const gap = this.#free[i],
            next = this.#free[i + 1];
        if (gap && next && gap.at + gap.size === next.at) {
            this.#free.splice(i + 1, 1);
            gap.size += next.size;
        }
    }
}
