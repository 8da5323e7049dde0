// Exercises, by difficulty: 1 something stands unprotected; 2 one look at what protects it; 3 several captures, or
// nothing can be won; 4 a piece that seems to protect is pinned. From games and from the test suite; what can be won,
// the library says, and tests/engine.test.js asks an engine whether it is good chess.
const BY_LEVEL = [
    [
        "rn1qk1nr/pp2ppb1/2p4p/3p2p1/2PP2b1/2N1P3/PP3PPP/R1BQKBNR w KQkq - 1 7",
        "rnbqkb1r/1p1pppp1/2p2n2/1N5p/pP6/3P4/P1PBPPPP/R1Q1KBNR b KQkq - 3 8",
        "1rbqkb1r/pp4pp/n3pp2/2ppP2P/5PP1/P2P2n1/RPP1B3/1NBQK1NR b Kk - 0 11",
        "3r2r1/pp1k2pp/8/3p1p2/6n1/bPP5/P1NP1PPP/R4K1R w - - 0 20",
        "rnbqkbnr/ppp1pppp/3p4/8/3P2P1/8/PPP1PP1P/RNBQKBNR b KQkq - 0 2",
        "r1bk1bnr/pp1ppp1q/7p/nQB3p1/2P5/1P1P1PPN/P3P2P/RN2KB1R w KQ - 1 13",
    ],
    [
        "r1b1qrk1/2p3pp/p3pp2/3pn3/1P3P2/1NPPB1PP/2N1P1BR/R3K3 w - - 1 22",
        "1rbqkb1r/pp2pppp/n1p5/1B1pP3/8/2N5/PPPPQPPP/R1B1K1NR b KQk - 1 7",
        "1rb1kb1r/pp1ppp2/nq3npp/P1p5/R2P4/4P1PP/2PN1P2/2BQKBNR w Kk - 4 13",
        "4kb1r/1b1p2p1/4p3/1P1nP2p/2BP2n1/2P2N2/1B4PP/r3QRK1 b k - 0 20",
        "rnbqkbn1/pp3p2/2p5/3pp1p1/4P1p1/P2B3r/1PPP1P1P/RNBQK1NR w q - 1 9",
    ],
    [
        "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
        "r1bqkbr1/2pppp1p/ppn3pn/1B6/P6N/2N1PQ2/1PPP1PPP/R1B1K2R w KQq - 0 9",
        "rnb1k1nr/pp3ppp/3bpq2/2ppN3/2P2P1P/PQ1PP3/1P2K1P1/RNB2B1R b kq h3 0 13",
        "rnbqkb1r/1pppp2p/6p1/p6n/5P2/2NPP1pP/PPP1B3/R1BQK1NR w KQkq - 2 8",
        "r1q1kb1r/p1pp1p1n/1pn1p1p1/7p/1P3PP1/P2P1N2/2PP3P/RNBQKBR1 b Qkq - 1 11",
    ],
    [
        "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1",
        "r1bqk1nr/ppp2ppp/2n5/1B1pp3/8/4PN2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
        "2Nr2k1/8/pN5r/4bP1p/NPPpPp1P/2R5/3P2B1/nQ1K4 b - - 0 64",
        "1nr3nN/1bp3pp/2kb4/4p2q/3P4/P1p1P1P1/2NQR2P/R1BK1B2 b - - 7 31",
    ],
];

export const POSITIONS = BY_LEVEL.flatMap((fens, i) => fens.map((fen) => ({ fen, level: i + 1 })));
