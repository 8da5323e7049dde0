import type { Seebatch } from "./index.js";

/** A piece that the other side can take with a profit; squares are a1 = 0, b1 = 1 to h8 = 63. */
export interface Hanging {
    square: number;
    /** The letter of a FEN. */
    piece: string;
    color: "white" | "black";
    value: number;
    /** Whether the other side has the turn. */
    isNow: boolean;
    isEnPassant: boolean;
    /** Why there is no exchange to show, or null. */
    reason: string | null;
}

/**
 * The element `<seebatch-board>`: attributes `fen`, `rules`, `values`, `square` or `move` for an exchange, `flip`, and
 * `units`, "pawns" or "centipawns". It dispatches an event "seebatch" whose `detail` has `fen` and `hangs`.
 */
export class SeebatchBoard extends HTMLElement {
    /** How the library is loaded, once for all boards; to be replaced before the first one, if at all. */
    static load: () => Promise<Seebatch>;
}
