import type { Color, Move, Position, Rules, Seebatch } from "./index.js";

/** A circle or an arrow, as chessground's `DrawShape` has it: for `setAutoShapes()`, or `drawable.autoShapes`. */
export interface Shape {
    orig: Key;
    dest?: Key;
    brush: string;
    label?: { text: string };
}

/** A square. */
export type Key = `${"a" | "b" | "c" | "d" | "e" | "f" | "g" | "h"}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;

/** Rules, and names of chessground's brushes. */
export interface ShapeOptions<Names extends string> extends Rules {
    brushes?: { [name in Names]?: string };
}

/**
 * What hangs: a circle for each piece that the other side takes with a profit, its label the profit in pawns, and an
 * arrow for the capture. Brushes: "now" ("red") where that side is to move, "later" ("yellow") if it were. There is no
 * arrow where that side cannot have the turn, because the other is in check, or where rules without pins count a
 * capture that is no legal move.
 */
export function hangingShapes(
    seebatch: Seebatch,
    position: Position,
    options?: ShapeOptions<"now" | "later">,
): Shape[];

/**
 * The exchange that a legal move begins, as far as both sides play on: an arrow for each capture, its label the number.
 * Brushes: "white" ("green") and "black" ("blue").
 */
export function exchangeShapes(
    seebatch: Seebatch,
    position: Position,
    move: Move,
    options?: ShapeOptions<"white" | "black">,
): Shape[];

/** A piece that the other side can take with a profit; squares are a1 = 0, b1 = 1 to h8 = 63. */
export interface Hanging {
    square: number;
    /** The letter of a FEN. */
    piece: string;
    color: Color;
    /** What the other side wins. */
    value: number;
    /** Whether the other side has the turn. */
    isNow: boolean;
    isEnPassant: boolean;
    /** Why there is no exchange to show, or null. */
    reason: string | null;
}

/**
 * What hangs as data, the most first: each piece that the other side takes with a profit. Unlike `map()` it knows the
 * pawn that can be taken en passant.
 */
export function hanging(seebatch: Seebatch, position: Position, options?: Rules): Hanging[];
