/// <reference lib="esnext.disposable" />

/** The rule sets, as {@link Seebatch.ruleSets} lists them. */
// Made by scripts/manual: rules
export type RuleSet =
    | "legal"
    | "swap"
    | "promotions"
    | "ethereal"
    | "stockfish"
    | "stockfish-2016"
    | "stormphrax"
    | "pawnocchio"
    | "plentychess"
    | "reckless"
    | "monty";
// Up to here by scripts/manual

/** Rules of an evaluation. */
export interface Rules {
    /** A rule set; "legal", the true value, where there is none. */
    rules?: RuleSet | `${RuleSet},${string}`;
    /** Values of pawn, knight, bishop, rook and queen, each 0 to 3000; usually 100, 325, 325, 500, 1000. */
    values?: Iterable<number>;
}

/** A position: a FEN, an object of chess.js (a `Chess`), or one of chessops (a `Position` or a `Setup`). */
export type Position = string | { fen(): string } | ChessopsPosition;

/** What is read of a position of chessops. Variants are refused. */
export interface ChessopsPosition {
    board: Iterable<[number, { color: Color; role: Piece }]>;
    turn: Color;
    /** Of a `Position`; a `Setup` has the rooks' squares itself. */
    castles?: { castlingRights: Iterable<number> };
    castlingRights?: Iterable<number>;
    epSquare?: number;
    halfmoves: number;
    fullmoves: number;
    rules?: string;
    pockets?: object;
    remainingChecks?: object;
}

/**
 * A move: UCI text ("e2e4", "e7e8q", castling as "e1g1" or as king takes rook), SAN ("Nxe5", "exd5", "e8=Q+", "O-O"),
 * or a move's number: bits 0 to 5 the from-square (a1 = 0, b1 = 1, h8 = 63), 6 to 11 the to-square, 12 to 14 the
 * promotion (0, or knight to queen 1 to 4). An object is a move of chess.js (squares and promotion as in UCI) or
 * chessops (squares as numbers, the promotion's whole name).
 */
export type Move = string | number | MoveObject;

/** What is read of a move of chess.js or chessops. */
export interface MoveObject {
    from: string | number;
    to: string | number;
    promotion?: string;
}

/**
 * Where a module is: a URL (relative to the page where it is text), its bytes (an ArrayBuffer or a view of one), or
 * what they compile to (a WebAssembly.Module). The types of these are the DOM's, which not every project has.
 */
export type Source = string | object;

export interface LoadOptions {
    /** Whether to take the module with SIMD; otherwise what this machine has decides. */
    simd?: boolean;
    /** Where the modules are; otherwise beside the package's files. Only the one that is loaded has to be there. */
    files?: { scalar?: Source; simd128?: Source };
}

export type Color = "white" | "black";
export type Piece = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

/** One capture of an exchange; the first may be a quiet move. */
export interface Capture {
    /** The square that the piece leaves, as "e1". */
    from: string;
    color: Color;
    piece: Piece;
    /** What then stands on the square: the piece, or what a pawn became. */
    stays: Piece;
    /** The balance for this side if the exchange ends here: the entry of the swap list. */
    gain: number;
    /** What this side gets when both go on or stop as is best for them. */
    best: number;
}

/**
 * Why a piece may not capture: "pinned" or "in-check" (legal chess); "guarded" (a king, and the square is attacked);
 * "pin-rule" and "other-pin" (Stockfish's rules: its pinner stands, or one of another piece); "off-pin", "pinner-left",
 * "other-pinner" and "before-enemy" (rules in which pieces capture along their pins).
 */
// Made by scripts/manual: refusals
export type Reason =
    | "pin-rule"
    | "other-pin"
    | "pinned"
    | "in-check"
    | "guarded"
    | "off-pin"
    | "pinner-left"
    | "other-pinner"
    | "before-enemy";
// Up to here by scripts/manual

/** A piece that attacks the square, and may not capture on it. */
export interface Refusal {
    /** Index of the capture that it would have made. */
    step: number;
    from: string;
    color: Color;
    piece: Piece;
    reason: Reason;
    /** The square of the piece that is the reason. */
    by: string;
}

export interface Explanation {
    /** As {@link Seebatch.see} says it. */
    value: number;
    /** The captures until a side cannot capture; none where the rules give the move a value of its own. */
    captures: Capture[];
    /** The entry of the swap list that one more capture would make; null where a king stands on the square. */
    nextGain: number | null;
    refusals: Refusal[];
    /** All of it in sentences, as the command-line tool shows it: lines, each with a line feed. */
    text: string;
}

export interface OrderOptions extends Rules {
    /** What a good move has to reach; 0 where it is not given. */
    threshold?: number;
}

export interface Ordered {
    /** Most promising first, as UCI text. */
    moves: string[];
    /** Their values. */
    values: number[];
    /** How many of them, from the first on, are good. */
    good: number;
}

/** What each side wins on each square, a1, b1 to h8, if it has the turn there; it may decline, so at least 0. */
export interface SquareMap {
    white: Int16Array;
    black: Int16Array;
}

export interface BatchOptions {
    /**
     * Which moves the positions have: all legal captures (where it is not given), all legal moves, or a row of moves
     * for each position.
     */
    moves?: "captures" | "all" | Iterable<Iterable<Move>>;
}

export interface BatchRules<T> extends Rules {
    /** An array for the answers, of exactly their number; otherwise there is a new one. */
    into?: T;
}

/**
 * Many positions with their moves, in the module's memory. The arrays that it hands out belong to the caller: they
 * stay what they are when the module's memory grows, and what is written to them changes nothing in the batch.
 * `moves` and `offsets` are new arrays each time, so keep them in a variable instead of asking for them in a loop.
 */
export interface Batch {
    /** How many positions there are. */
    readonly length: number;
    /** How many moves they have together. */
    readonly size: number;
    /** The moves, as numbers; those of position i are moves[offsets[i]] up to, not including, moves[offsets[i + 1]]. */
    readonly moves: Uint16Array;
    /** One more than there are positions: 0 first, and the number of moves last. */
    readonly offsets: Uint32Array;
    /** Other moves for the positions. Where one is not legal, an error says which, and nothing changes. */
    setMoves(moves: Uint16Array, offsets: Uint32Array): void;
    /** The value of each move. */
    values(options?: BatchRules<Int16Array>): Int16Array;
    /**
     * Whether the moves reach a threshold, or each its own: bits, `mask[k >> 3] >> (k & 7) & 1` for move k. Faster
     * than values.
     */
    ge(threshold: number | Int16Array, options?: BatchRules<Uint8Array>): Uint8Array;
    /** What hangs: 128 values a position, for white a1 to h8, then for black. */
    maps(options?: BatchRules<Int16Array>): Int16Array;
    /** Gives the memory back. Otherwise that happens some time after nobody has the batch any more. */
    dispose(): void;
    /** The same, for `using` (where the runtime has it). */
    [Symbol.dispose](): void;
}

/** What is wrong with a position, a move or rules. */
export interface SeebatchError extends Error {
    /**
     * "unreadable": a text is not in the expected form. "unsound": no such position can be played on. "illegal": a move
     * is not legal in its position. "ambiguous": a move can be several legal moves. "bad-rules": there is no such rule
     * set, or its fields do not go together.
     */
    code: "unreadable" | "unsound" | "illegal" | "ambiguous" | "bad-rules" | "bad-offsets";
    /** Of many positions, the index of the first wrong one. */
    position?: number;
    /** Of many moves, the index of the first wrong one. */
    move?: number;
}

/**
 * The library. Whatever is wrong with an argument throws an Error with a sentence that says what was wrong and what
 * was expected. If the library refuses a position, a move or rules, it is a {@link SeebatchError}, which has a `code`.
 */
export class Seebatch {
    private constructor();

    /** Loads the module, with SIMD where the machine has it. */
    static load(options?: LoadOptions): Promise<Seebatch>;
    /** Where load() finds the modules unless it is told. */
    static files: { scalar?: Source; simd128?: Source } | null;
    /** The version, of the package and of the library. */
    static readonly version: string;
    /** Whether this machine's WebAssembly has SIMD. */
    static readonly hasSimd: boolean;
    /** The value of moves that the rules let pass at any threshold: a mark, and no balance. */
    static readonly ALWAYS: 32767;

    /** "simd128" or "scalar". */
    readonly kernel: string;
    /** The names of the rule sets. */
    readonly ruleSets: RuleSet[];

    /** The FEN of a position; a text stays as it is. */
    fen(position: Position): string;
    /** The value of a legal move, for the side that makes it: what the exchange on its to-square wins or loses. */
    see(position: Position, move: Move, options?: Rules): number;
    /** Whether that value is at least a threshold (-32768 to 32767). Faster. */
    ge(position: Position, move: Move, threshold: number, options?: Rules): boolean;
    /** What hangs on the board. */
    map(position: Position, options?: Rules): SquareMap;
    /** Moves, or all legal captures, with the most promising first: by value, then by victim, then by attacker. */
    order(position: Position, moves?: Iterable<Move> | null, options?: OrderOptions): Ordered;
    /** The exchange that a move begins, capture by capture, and who may not capture, and why. */
    explain(position: Position, move: Move, options?: Rules): Explanation;
    /** The UCI text of a move's number. */
    uci(move: number): string;
    /**
     * Many positions at once, six million at most: an array, or a text (or its bytes in UTF-8) with a FEN a line.
     */
    positions(positions: Iterable<Position> | string | Uint8Array, options?: BatchOptions): Batch;
    /** Lets go of the module and its memory; its batches end, too. */
    dispose(): void;
    /** The same, for `using` (where the runtime has it). */
    [Symbol.dispose](): void;
}
