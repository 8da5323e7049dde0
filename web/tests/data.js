// Files that the tests read, and positions that several of them use.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const data = (name) =>
    readFileSync(here(`../../tests/data/${name}`), "utf8")
        .trimEnd()
        .split("\n");

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const FIRST = "r1bqk1nr/ppp1bppp/2np4/1B2p3/3P4/2P2N2/PP3PPP/RNBQ1RK1 w kq - 0 7";
export const PLAIN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
export const SPANISH = "r1bqk2r/ppp1bpp1/2np1n1p/1B2p1B1/3PP3/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 7";
export const PINNED = "4k3/3bn3/8/1Q1p4/8/8/8/4RK2 w - - 0 1";
