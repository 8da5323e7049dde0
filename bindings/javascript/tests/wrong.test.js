// Whatever is handed in, there is a sentence or an answer, and nothing else changes: memory that grows, arrays that
// are detached or too short, getters that dispose of what is in use, a stack that runs out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Memory } from "../memory.js";
import { Seebatch } from "seebatch";
import { exchangeShapes, hanging, hangingShapes } from "seebatch/chessground";
import { bytesOf, FEN, fens, ways } from "./support.js";

const { library } = ways[3];
const batch = library.positions([FEN, FEN]);
const detached = new Int16Array(6);
const gone = new Uint16Array(6);
const goneText = new TextEncoder().encode(FEN);
structuredClone(null, { transfer: [detached.buffer, gone.buffer, goneText.buffer] });
// Where buffers cannot shrink yet (before node 20), one more that was transferred.
const shrinking = new ArrayBuffer(12, { maxByteLength: 12 }),
    shrunken = shrinking.resize ? new Uint16Array(shrinking, 0, 6) : gone;
shrinking.resize?.(2);
const PAIR = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"; // two knights that can go to d2
const wrongMove = new Uint16Array(6).fill(65535),
    offsets = Uint32Array.of(0, 3, 6);
const shadowed = Object.defineProperty(Uint16Array.of(1, 2), "length", { value: 1e9 });

for (const [what, call, sentence] of [
    ["no FEN", () => library.see("x", "e2e4"), /expected/],
    ["a number for a FEN", () => library.see(7, "e2e4"), /^position: expected a FEN, or a position of chess\.js .*, found 7$/],
    ["an object that writes no FEN", () => library.see({ fen: () => 7 }, "e2e4"), /^position\.fen\(\): expected a string, found 7$/],
    ["pieces on no square", () => library.map({ board: [[64, { color: "white", role: "king" }]] }), /^position\.board: .*found 64$/],
    ["pieces of no kind", () => library.map({ board: [[0, { color: "white", role: "ship" }]] }), /'\?'/],
    ["a board of a variant", () => library.map({ board: [], rules: "atomic" }), /^position: expected a position of chess, found/],
    ["a NUL", () => library.see(`${FEN}\0`, "d3e5"), /expected/],
    ["a FEN that is not ASCII", () => library.map(`♔${FEN}`), /expected/],
    ["a FEN of a million characters", () => library.map("8/".repeat(500000)), /expected/],
    ["a position without kings", () => library.map("8/8/8/8/8/8/8/8 w - - 0 1"), /king/],
    ["a move that is illegal", () => library.see(FEN, "d3d4"), /d3d4/],
    ["a move that is illegal, in SAN", () => library.see(FEN, "Nxe6"), /^'Nxe6' is not a legal .*d3b4, d3f4, d3c5/],
    ["a move that is two", () => library.see(PAIR, "Nd2"), /^'Nd2' can be 2 moves here, expected b1d2 or f1d2$/],
    ["a move in no notation", () => library.see(FEN, "N-e5"), /^'N-e5' is not a move, expected UCI .* or SAN/],
    ["the number of one", () => library.see(FEN, 65535), /expected|legal|move/],
    ["no number of one", () => library.see(FEN, NaN), /^move: expected a whole number from 0 to 65535, found NaN$/],
    ["no move", () => library.see(FEN), /^move: expected a string, a number, or an object with from and to, found undefined$/],
    ["a square that is none", () => library.see(FEN, { from: 64, to: 1 }), /^move\.from: .* 0 to 63, found 64$/],
    ["a promotion to none", () => library.see(FEN, { from: "d3", to: "e5", promotion: "quark" }), /d3e5quark/],
    ["a promotion of another type", () => library.see(FEN, { from: 1, to: 2, promotion: 5 }), /^move\.promotion: /],
    ["a move without squares", () => library.see(FEN, { san: "Nxe5" }), /^move: .*, found a value of type object$/],
    ["no rule set", () => library.see(FEN, "d3e5", { rules: "none" }), /'none'/],
    ["no field of the rules", () => library.see(FEN, "d3e5", { rules: "swap,pin=any" }), /no field 'pin'/],
    ["a NUL behind one", () => library.see(FEN, "d3e5", { rules: "swap\0" }), /'swap\?'/],
    ["rules of another type", () => library.see(FEN, "d3e5", { rules: 1 }), /^rules: expected a string/],
    ["options of another type", () => library.see(FEN, "d3e5", "swap"), /^options: expected an object, found "swap"$/],
    ["an array of options", () => library.map(FEN, ["swap"]), /^options: expected an object, found an array$/],
    ["values that are 0", () => library.map(FEN, { values: 0 }), /^values: expected an array, found 0$/],
    ["values beyond bounds", () => library.see(FEN, "d3e5", { values: [1, 1, 1, 1, 3001] }), /3001/],
    [
        "values that are no numbers",
        () => library.see(FEN, "d3e5", { values: [1, 1, 1, 1, 0.5] }),
        /^values\[4\]: expected a whole number from 0 to 3000, found 0\.5$/,
    ],
    ["four values", () => library.see(FEN, "d3e5", { values: [1, 1, 1, 1] }), /expected 5 numbers/],
    ["a threshold beyond bounds", () => library.ge(FEN, "d3e5", 40000), /^threshold: .*found 40000$/],
    ["too many moves", () => library.order(FEN, Array(705).fill("d3e5")), /at most 704, found 705/],
    ["moves that are none", () => library.order(FEN, 5), /^moves: expected an array, found 5$/],
    ["positions that are none", () => library.positions(5), /^positions: expected an array, found 5$/],
    ["a position that is none", () => library.positions([FEN, 5]), /^positions\[1\]: expected a FEN, .*, found 5$/],
    ["a FEN of two lines", () => library.positions([`${FEN}\n${FEN}`]), /^positions\[0\]: expected one line/],
    ["the third of three", () => library.positions([FEN, FEN, "x"]), /^position 2: .*expected/],
    ["a text with an empty line", () => library.positions(`${FEN}\n\n${FEN}`), /^position 1: /],
    ["six million lines", () => library.positions("\n".repeat(6100806)), /^positions: .*most 6100805 .*found 6100806$/],
    ["moves of no kind", () => library.positions([FEN], { moves: "some" }), /^moves: expected "captures", "all" or/],
    ["a row too few", () => library.positions([FEN, FEN], { moves: [["d3e5"]] }), /each of 2 positions, found 1/],
    ["a wrong move in a row", () => library.positions([FEN], { moves: [["d3e5", "a1a8"]] }), /^moves\[0\]\[1\]: /],
    ["a wrong number in moves", () => batch.setMoves(wrongMove, offsets), /^position 0: /],
    ["moves that are detached", () => batch.setMoves(gone, Uint32Array.of(0, 3, 6)), /^moves: .*transferred or shrank$/],
    ["positions that are detached", () => library.positions(goneText), /^positions: .*transferred or shrank$/],
    ["moves that shrank", () => batch.setMoves(shrunken, offsets), /^moves: .*transferred or shrank$/],
    ["moves of another type", () => batch.setMoves([1], offsets), /^moves: expected Uint16Array, found an array$/],
    [
        "offsets of another length",
        () => batch.setMoves(wrongMove, offsets.subarray(1)),
        /^offsets: expected 3 elements, found 2/,
    ],
    ["offsets that decrease", () => batch.setMoves(wrongMove, Uint32Array.of(0, 9, 6)), /^position|expected/],
    ["offsets that end early", () => batch.setMoves(wrongMove, Uint32Array.of(0, 3, 5)), /^offsets: .*found 0 and 5$/],
    ["a length that is none", () => batch.setMoves(shadowed, Uint32Array.of(0, 0, 1e9)), /^offsets: /],
    ["thresholds too few", () => batch.ge(new Int16Array(5)), /^threshold: expected 6 elements, found 5$/],
    ["thresholds that are detached", () => batch.ge(detached), /^threshold: .*transferred or shrank$/],
    ["a threshold that is none", () => batch.ge(NaN), /^threshold: /],
    ["room that is detached", () => batch.values({ into: detached }), /^into: .*transferred or shrank$/],
    ["no threshold", () => batch.ge(), /^threshold: expected a whole number .*, or an Int16Array .*, found undefined$/],
    [
        "room of another type",
        () => batch.values({ into: new Uint8Array(6) }),
        /^into: expected Int16Array, found Uint8Array$/,
    ],
    [
        "a made-up array",
        () => batch.values({ into: Object.create(Int16Array.prototype) }),
        /^into: expected Int16Array/,
    ],
    ["a number of a move", () => library.uci(65536), /^move: /],
    ["a number that promotes to no piece", () => library.uci(0x5fff & ~1), /^move: .*0 to 4\), found 24574$/],
    ["a number of one square", () => library.uci(0x0fff), /^move: expected a number of two squares.*found 4095$/],
    ["an option that is misspelt", () => library.see(FEN, "d3e5", { rule: "swap" }), /^options: .* or .*found "rule"$/],
    ["one of a batch's answers", () => batch.ge(0, { out: 1 }), /^options: expected rules, values or into, found "out"$/],
    ["one of another function's", () => library.order(FEN, null, { into: 1 }), /^options: .* threshold, found "into"$/],
    ["one of positions()", () => library.positions([FEN], { rules: "swap" }), /^options: expected moves, found "rules"$/],
    ["a misspelt option of shapes", () => hangingShapes(library, FEN, { rule: "swap" }), /^options: .*found "rule"$/],
    ["one of what hangs", () => hanging(library, FEN, { brushes: {} }), /^options: expected rules or values, found "brushes"$/],
    ["one of an exchange", () => exchangeShapes(library, FEN, "d3e5", { value: [] }), /^options: .*found "value"$/],
    ["a misspelt brush", () => hangingShapes(library, FEN, { brushes: { soon: "red" } }), /^brushes: expected now or later, found "soon"$/],
    ["a brush of what hangs", () => exchangeShapes(library, FEN, "d3e5", { brushes: { now: "red" } }), /^brushes: .* white or black/],
    ["a brush without a name", () => hangingShapes(library, FEN, { brushes: { now: 1 } }), /^brushes\.now: expected a string/],
    ["four values of shapes", () => hangingShapes(library, FEN, { values: [1, 2, 3, 4] }), /^values: expected 5 numbers/],
    ["a library without load()", () => new Seebatch(new WebAssembly.Module(bytesOf("scalar"))), /load\(\)/],
]) {
    test(`refused: ${what}`, () => {
        assert.throws(
            call,
            (error) => (error instanceof Error && sentence.test(error.message)) || assert.fail(String(error)),
        );
        assert.deepEqual([...batch.values()], [-225, -225, -400, -225, -225, -400]);
    });
}

test("errors of the library have a code", () => {
    for (const [code, call, where] of [
        ["unreadable", () => library.see("x", "e2e4")],
        ["unsound", () => library.map("8/8/8/8/8/8/8/8 w - - 0 1")],
        ["illegal", () => library.see(FEN, "d3d4")],
        ["illegal", () => library.see(FEN, 65535)],
        ["ambiguous", () => library.see(PAIR, "Nd2")],
        ["bad-rules", () => library.map(FEN, { rules: "chess" })],
        ["unreadable", () => library.positions([FEN, "x"]), { position: 1 }],
        ["illegal", () => library.positions([FEN, FEN], { moves: [["d3e5"], ["d3d4"]] }), { position: 1 }],
        ["illegal", () => batch.setMoves(wrongMove, offsets), { position: 0, move: 0 }],
    ])
        assert.throws(call, { code, ...where });
});

test("what a caller does to the arrays of a batch changes nothing in it", () => {
    const { moves, offsets: rows } = batch;
    batch.moves.sort();
    batch.moves.fill(0);
    batch.offsets.fill(0);
    assert.deepEqual(batch.moves, moves);
    assert.deepEqual(batch.offsets, rows);
});

test("refused: wrong modules", async () => {
    const none = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0); // a module without anything
    for (const [options, sentence] of [
        [{ files: { scalar: 7 } }, /^TypeError: files\.scalar: expected a URL, bytes or .*, found 7$/],
        [{ files: { simd128: bytesOf("simd128") } }, /^TypeError: files\.scalar: expected a URL.*, found undefined$/],
        [{ files: { scalar: "no URL" } }, /^TypeError: files\.scalar: expected a URL.*, found "no URL"$/],
        [{ files: null }, /^TypeError: files\.scalar: /],
        // What Next.js makes of an asset on a server: an object that is a URL by its prototype alone.
        [{ files: { scalar: Object.create(URL.prototype, { toString: { value: () => "/_next/a.wasm" } }) } },
            /^TypeError: files\.scalar: expected a URL.*, found "\/_next\/a\.wasm"; the bundler has to leave "seebatch" outside/],
        [{ files: { scalar: new URL("file:///none.wasm") } },
            /^Error: file:\/\/\/none\.wasm cannot be read \(ENOENT\); expected a module of seebatch, which a bundler has to copy there, or /],
        [{ files: { scalar: Uint8Array.of(1, 2) } }, /^CompileError: /],
        [{ files: { scalar: none } }, /^Error: expected a module of seebatch .*, found another module$/],
        [{ file: {} }, /^TypeError: options: expected simd or files, found "file"$/],
        [{ simd: "no" }, /^TypeError: simd: expected true or false, found "no"$/],
        ["scalar", /^TypeError: options: expected an object, found "scalar"$/],
    ])
        await assert.rejects(Seebatch.load(typeof options === "string" ? options : { simd: false, ...options }), sentence);
});

test("two libraries share nothing", async () => {
    const [one, other] = [await Seebatch.load(), await Seebatch.load()];
    const some = fens.slice(0, 300),
        theirs = other.positions(some),
        expected = theirs.values({ rules: "swap" });
    const ours = one.positions(some);
    assert.deepEqual(ours.values({ rules: "swap" }), expected);
    assert.equal(one.see(FEN, "d3e5", { values: [1, 3, 3, 5, 9] }), -2);
    assert.equal(other.see(FEN, "d3e5"), -225);
    one.dispose();
    assert.throws(() => ours.values(), /disposed of/);
    assert.deepEqual(theirs.values({ rules: "swap" }), expected);
});

test("a stack that runs out in a call leaves the library as it was", async () => {
    const own = await Seebatch.load(),
        kept = own.positions(fens.slice(0, 50)),
        expected = kept.values();
    const calls = [
        () => own.see(FEN, "Nxe5"),
        () => own.explain(FEN, "d3e5"),
        () => own.order(FEN, ["Nxe5"]),
        () => own.positions([FEN]).dispose(),
        () => kept.values(),
        () => kept.setMoves(kept.moves, kept.offsets),
    ];
    let ended = 0;
    for (let i = 0; i < 600; i++) {
        const deepest = () => {
            try {
                deepest();
            } catch {
                ended++; // again, with a little more room
                calls[i % calls.length]();
            }
        };
        deepest();
    }
    assert.ok(ended > 1200);
    assert.deepEqual(kept.values(), expected);
    assert.equal(own.see(FEN, "Nxe5"), -225);
});

test("arrays stay right when memory grows, and what is given back is taken again", async (t) => {
    let grown = 0;
    const { grow } = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
        grown++;
        return grow.call(this, pages);
    };
    t.after(() => (WebAssembly.Memory.prototype.grow = grow));
    const own = await Seebatch.load(),
        small = own.positions(fens.slice(0, 200), { moves: "all" });
    const before = { moves: small.moves, offsets: small.offsets, values: small.values(), maps: small.maps() };
    const copies = structuredClone(before);
    const large = own.positions(Array(10).fill(fens).flat(), { moves: "all" }); // some 5 MB
    assert.ok(large.size > 1e6 && grown > 0);
    const after = { moves: small.moves, offsets: small.offsets, values: small.values(), maps: small.maps() };
    assert.deepEqual(before, copies);
    assert.deepEqual(after, copies);
    assert.deepEqual(large.values().subarray(0, small.size), copies.values);
    small.moves.fill(0); // the caller's own
    assert.deepEqual(small.values(), copies.values);
    large.dispose();
    large.dispose();
    assert.throws(() => large.values(), /disposed of/);
    const enough = grown;
    for (let round = 0; round < 20; round++) {
        const some = own.positions(fens);
        assert.equal(some.values().length, some.ge(0).length * 8 - (-some.size & 7));
        assert.equal(some.maps().length, 128 * fens.length);
        some.setMoves(some.moves, some.offsets);
        assert.throws(() => own.positions([...fens, "x"]), /^Error: position 4000: /);
        some.dispose();
    }
    assert.equal(grown, enough);
    own.dispose();
    assert.throws(() => own.see(FEN, "d3e5"), /disposed of/);
    assert.throws(() => small.values(), /disposed of/);
});

test("using: what is disposed of at the end of a block", { skip: !Symbol.dispose && "no Symbol.dispose here" }, () => {
    const some = library.positions([FEN]);
    some[Symbol.dispose]();
    assert.throws(() => some.values(), /disposed of/);
    assert.equal(Seebatch.prototype[Symbol.dispose], Seebatch.prototype.dispose);
});

// Memory as the package has it, in a module of one page that may grow to a hundred. Every block's own bytes are written,
// and read before it is given back.
test("blocks of memory: none lies in another, gaps join, and no list is searched from end to end", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 100 });
    const own = new Memory({ memory, __heap_base: { value: 1000 } });
    let seed = 7;
    const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const taken = [];
    for (let i = 0; i < 20000; i++) {
        if (taken.length === 0 || draw(taken.length + 60) < 60) {
            const bytes = draw(2 ** (2 + draw(12))),
                at = own.take(bytes);
            assert.ok(at % 64 === 0 && at >= 1000);
            own.view(Uint8Array, at, bytes).fill(i);
            const kept = draw(3) === 0 ? draw(bytes + 1) : bytes;
            own.trim(at, kept);
            taken.push({ at, bytes: kept, i });
        } else {
            const { at, bytes, i: filled } = taken.splice(draw(taken.length), 1)[0];
            assert.ok(own.view(Uint8Array, at, bytes).every((byte) => byte === (filled & 255)));
            own.give(at);
        }
    }
    for (const { at } of taken) own.give(at);
    assert.equal(own.take(99 * 65536), 1024); // all of it is one gap again
    assert.throws(() => own.take(2 * 65536), /cannot grow/);
    assert.throws(() => own.take(2 ** 33), /can have at most/);
});

// Each batch leaves gaps where others still stand: what is read of lists of gaps is counted, not timed.
test("as many batches as you like: a call reads no more of them", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4000 });
    const own = new Memory({ memory, __heap_base: { value: 1024 } });
    const searches = ["findIndex", "splice", "find", "indexOf"];
    const were = searches.map((name) => Array.prototype[name]);
    let searched = 0;
    searches.forEach(
        (name, i) =>
            (Array.prototype[name] = function (...args) {
                searched += this.length;
                return were[i].apply(this, args);
            }),
    );
    try {
        const blocks = Array.from({ length: 20000 }, (_, i) => own.take(64 + (i % 7) * 64));
        for (let i = 0; i < blocks.length; i += 2) own.give(blocks[i]);
        for (let i = 0; i < blocks.length; i += 2) own.take(100);
        for (let i = 1; i < blocks.length; i += 2) own.give(blocks[i]);
    } finally {
        searches.forEach((name, i) => (Array.prototype[name] = were[i]));
    }
    assert.equal(searched, 0);
});

test("callers' code that runs in between changes nothing", async () => {
    const own = await Seebatch.load();
    for (const [method, ...args] of [["values"], ["ge", 0], ["maps"]]) {
        const some = own.positions(fens.slice(0, 50));
        assert.throws(
            () =>
                some[method](...args, {
                    get rules() {
                        some.dispose();
                        return "legal";
                    },
                }),
            /disposed of/,
        );
        const other = own.positions(fens.slice(0, 50));
        const none = {
            get rules() {
                other.setMoves(new Uint16Array(0), new Uint32Array(51));
                return "legal";
            },
        };
        const expected = { values: 0, ge: 0, maps: 50 * 128 }[method];
        assert.equal(other[method](...args, none).length, expected);
        const spy = new Int16Array(50 * 128);
        spy.set = () => assert.fail("the caller's function was called");
        other.maps({ into: spy });
    }
    assert.throws(() => own.positions([FEN, { toString: () => own.dispose() }]), /^TypeError: positions\[1\]/);
    assert.throws(
        () =>
            own.positions({
                *[Symbol.iterator]() {
                    own.dispose();
                    yield FEN;
                },
            }),
        /disposed of/,
    );
});

// Calls with arguments drawn from a list of strange ones, then answers that have not changed.
test("a hundred thousand strange calls", async () => {
    const own = await Seebatch.load(),
        kept = own.positions(fens.slice(0, 300)),
        expected = kept.values();
    const strange = [
        undefined,
        null,
        NaN,
        -1,
        0,
        1,
        2 ** 31,
        2 ** 32 + 1,
        1e300,
        "",
        "x",
        FEN,
        "d3e5",
        "\ud800",
        "a".repeat(5000),
        [],
        [FEN],
        [[1]],
        [["d3e5"]],
        {},
        { rules: "swap" },
        { moves: "all" },
        { values: [0, 0, 0, 0, 0] },
        detached,
        wrongMove,
        offsets,
        new Uint8Array(3),
        new Uint16Array(0),
        Uint32Array.of(0, 0),
        () => 1,
        Symbol.iterator,
        5n,
    ];
    let seed = 1;
    const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const one = own.positions([FEN]);
    let refused = 0;
    for (let i = 0; i < 100000; i++) {
        const subject = draw(2) ? own : one;
        const names = ["see", "ge", "map", "order", "explain", "uci", "positions", "values", "maps", "setMoves"];
        const name = names[draw(names.length)];
        if (typeof subject[name] !== "function") continue;
        try {
            subject[name](...Array.from({ length: draw(4) }, () => strange[draw(strange.length)]))?.dispose?.();
        } catch (error) {
            assert.ok(
                error instanceof Error && !(error instanceof WebAssembly.RuntimeError) && error.message,
                String(error),
            );
            refused++;
        }
    }
    assert.ok(refused > 50000);
    assert.deepEqual(kept.values(), expected);
    assert.equal(own.see(FEN, "d3e5"), -225);
});

// Texts that were damaged, in a way that is the same in every run: each has an answer or a sentence, and the library still
// works afterwards.
test("damaged FENs and moves", () => {
    let seed = 20261128;
    const random = (n) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * n);
    };
    const signs = ["/", " ", "8", "k", "K", "p", "\0", "\ud800", "♔", "w", "-", "1"];
    const damaged = (text) => {
        const letters = [...text];
        for (let n = random(3) + 1; n > 0; n--) letters.splice(random(letters.length), random(2), signs[random(signs.length)]);
        return letters.join("");
    };
    let answered = 0,
        refused = 0;
    const call = (run) => {
        try {
            run();
            answered++;
        } catch (error) {
            assert.ok(error instanceof Error && error.message.length > 0, String(error));
            refused++;
        }
    };
    for (const fen of fens.slice(0, 100))
        for (let i = 0; i < 10; i++) {
            const text = damaged(fen);
            call(() => library.map(text));
            call(() => library.order(text));
            call(() => library.see(fen, damaged("e2e4")));
            call(() => library.positions([fen, text]).dispose());
        }
    assert.ok(answered > 20 && refused > 1000, `${answered} answered, ${refused} refused`);
    assert.equal(library.see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), -225);
});

test("very long strings: each is refused or answered, and the library goes on", () => {
    const million = 1 << 20,
        start = fens[0];
    const before = library.see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5");
    for (const [long, sentence] of [
        ["8".repeat(million), /expected/],
        ["\u265a".repeat(million), /expected/],
        ["\ud800".repeat(million), /expected/],
        [`${start}${" ".repeat(million)}x`, /expected/],
        [`${start}\0${"k".repeat(million)}`, /expected/],
        ["e2e4".repeat(million), /expected/],
    ]) {
        const refused = (run) =>
            assert.throws(run, (error) => error instanceof Error && sentence.test(error.message) && error.message.length < 2000);
        refused(() => library.map(long));
        refused(() => library.order(long));
        refused(() => library.see(start, long));
        refused(() => library.positions([start, long]));
    }
    assert.equal(library.see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), before);
});
