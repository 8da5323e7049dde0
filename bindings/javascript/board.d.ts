import type { Seebatch } from "./index.js";

export type { Hanging } from "./chessground.js";

/**
 * The element `<seebatch-board>`: attributes `fen`, `rules`, `values`, `square` or `move` for an exchange, `flip`, and
 * `units`, "pawns" or "centipawns". It dispatches an event "seebatch" whose `detail` has `fen` and `hangs`, an array of
 * {@link Hanging}.
 */
export class SeebatchBoard extends HTMLElement {
    /** How the library is loaded, once for all boards; to be replaced before the first one, if at all. */
    static load: () => Promise<Seebatch>;
}
