// Compiled, not run: every function with the types that it takes and gives, and what must not compile.
import { Seebatch, type Batch, type Explanation, type Move, type Ordered, type Position, type SeebatchError, type SquareMap } from "seebatch";
import { hanging, type Hanging } from "seebatch/chessground";
import scalar from "seebatch/seebatch-scalar.wasm";
import simd128 from "seebatch/seebatch-simd128.wasm";

const fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
const seebatch: Seebatch = await Seebatch.load({ simd: false, files: { scalar: new Uint8Array(8) } });
await Seebatch.load();
await Seebatch.load({ files: { scalar, simd128 } });
try {
    seebatch.see(fen, "e9");
} catch (error) {
    const { code, position }: SeebatchError = error as SeebatchError;
    if (code === "illegal" && position === undefined) throw error;
}
const moves: Move[] = ["d3e5", "Nxe5", 2331, { from: "d3", to: "e5" }, { from: 19, to: 36, promotion: undefined }];
const positions: Position[] = [fen, { fen: () => fen }];
const hangs: Hanging[] = hanging(seebatch, positions[1], { values: [1, 3, 3, 5, 9] });
const value: number = seebatch.see(fen, moves[0], { rules: "swap", values: [1, 3, 3, 5, 9] });
const good: boolean = seebatch.ge(fen, "Nxe5", -225);
const { white, black }: SquareMap = seebatch.map(fen);
const ordered: Ordered = seebatch.order(fen, null, { threshold: 50 });
const { captures, nextGain, refusals, text }: Explanation = seebatch.explain(fen, "d3e5");
const reason: "pinned" | string = refusals[0].reason + captures[0].piece + nextGain + text;
const batch: Batch = seebatch.positions([fen], { moves: [moves] });
seebatch.positions(`${fen}\n`, { moves: "all" });
seebatch.positions(positions);
const values: Int16Array = batch.values({ rules: "legal", into: new Int16Array(3) });
const mask: Uint8Array = batch.ge(new Int16Array(3));
batch.setMoves(Uint16Array.from(batch.moves), batch.offsets);
const counts: number[] = [batch.length, batch.size, value, white[0], black[0], values[0], mask[0], ordered.good];
const names: string[] = [...seebatch.ruleSets, seebatch.kernel, seebatch.uci(2331), Seebatch.version, reason, seebatch.fen(fen)];
batch.dispose();
seebatch.dispose();
{
    using some: Batch = seebatch.positions([fen]);
    values.set(some.values());
}

// @ts-expect-error: a move is text, a number, or has squares
seebatch.see(fen, { san: "Nxe5" });
// @ts-expect-error: a threshold is missing
seebatch.ge(fen, "Nxe5");
// @ts-expect-error: there is no such rule set
seebatch.see(fen, "Nxe5", { rules: "sawp" });
// @ts-expect-error: there is no such option
seebatch.see(fen, "Nxe5", { rule: "swap" });
// @ts-expect-error: masks are bytes
batch.ge(0, { into: new Int16Array(1) });
// @ts-expect-error: a Seebatch comes from load()
new Seebatch();
// @ts-expect-error: no module is a number
await Seebatch.load({ files: { scalar: 5 } });

// @ts-expect-error: no position is a number
seebatch.map(5);

export { batch, counts, good, hangs, names };
