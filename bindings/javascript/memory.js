// The memory of a module, in blocks that are taken and given back. No view of it leaves the package: whoever could
// write there could hand the library positions that it has not checked. A view is made when it is used, since none
// outlives the growth of the memory.
//
// What is given back joins the gaps that it touches, and gaps stand in lists by size, so that no call takes longer where
// there are many blocks. JavaScript's stack may run out in any call, and the caller go on: a gap counts only while its
// size is not 0, and it is given its size last and loses it first. Then a block may stay taken for ever, but none is
// taken twice.
const PAGE = 65536;
const LARGEST = 65536 * PAGE;
const ALIGNMENT = 64;
const LISTS = 101; // up to LARGEST
const TRIED = 8; // gaps of the wanted size's own list, of which each may be too small

// Blocks have whole units of 64 bytes. Up to 7 units have a list each, then each power of two has four.
const rounded = (bytes) => Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT;
function listOf(size) {
    const units = size / ALIGNMENT,
        power = 31 - Math.clz32(units);
    return units < 8 ? units : 4 * (power - 1) + ((units >> (power - 2)) & 3);
}

export class Memory {
    #memory;
    #bytes;
    #end; // nothing is taken from here on
    #sizes = new Map(); // of the blocks that are taken, by where they are
    #lists = Array.from({ length: LISTS }, () => []); // gaps, { at, size, place }: lists[listOf(size)][place]
    #starts = new Map(); // the gaps by where they begin,
    #ends = new Map(); // and by where they end

    constructor({ memory, __heap_base }) {
        this.#memory = memory;
        this.#bytes = new Uint8Array(memory.buffer);
        this.#end = rounded(__heap_base.value);
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
        const size = rounded(bytes),
            gap = this.#gapOf(size);
        if (!gap) {
            const at = this.#extend(size);
            this.#sizes.set(at, size);
            return at;
        }
        const { at } = gap,
            whole = this.#fill(gap);
        this.#sizes.set(at, size);
        if (whole > size) this.#release(at + size, whole - size);
        return at;
    }

    // A gap with that much room, or none.
    #gapOf(size) {
        if (size > LARGEST) return null;
        const first = listOf(size),
            own = this.#lists[first];
        for (let i = own.length - 1; i >= 0 && i >= own.length - TRIED; i--) if (own[i].size >= size) return own[i];
        for (let list = first + 1; list < LISTS; list++) {
            const larger = this.#lists[list];
            for (let i = larger.length - 1; i >= 0; i--) if (larger[i].size > 0) return larger[i];
        }
        return null;
    }

    #extend(size) {
        const at = this.#end,
            missing = at + size - this.#memory.buffer.byteLength;
        if (at + size > LARGEST)
            throw new RangeError(`${size} more bytes are needed, but a module can have at most ${LARGEST}`);
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
        const kept = rounded(bytes),
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

    // Makes a gap, with those that it touches, or lowers the end.
    #release(at, size) {
        const before = this.#ends.get(at),
            behind = this.#starts.get(at + size);
        if (before?.size > 0) {
            at = before.at;
            size += this.#fill(before);
        }
        if (behind?.size > 0) size += this.#fill(behind);
        if (at + size === this.#end) {
            this.#end = at;
            return;
        }
        const list = this.#lists[listOf(size)],
            gap = { at, size: 0, place: list.length };
        list.push(gap);
        this.#starts.set(at, gap);
        this.#ends.set(at + size, gap);
        gap.size = size;
    }

    // Ends a gap: the size that it had.
    #fill(gap) {
        const { at, size, place } = gap,
            list = this.#lists[listOf(size)];
        gap.size = 0;
        this.#starts.delete(at);
        this.#ends.delete(at + size);
        if (list[place] === gap) {
            const last = list.pop();
            if (last !== gap) {
                list[place] = last;
                last.place = place;
            }
        }
        return size;
    }
}
