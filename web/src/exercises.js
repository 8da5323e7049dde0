// Exercises, by difficulty: 1 something stands unprotected; 2 one look at what protects it; 3 several captures, or
// nothing hangs; 4 a piece that seems to protect is pinned, or seems to attack. From games and from the test suite; what
// hangs, the library says.
const LEVELS = [
    [
        "5rk1/p6r/7p/3P1p2/1PNq1Q2/3PN1P1/6BP/5RK1 w - - 0 28",
        "r4rk1/p1p1q1pp/4Pn2/1P6/1PB2P2/1PP5/6bP/R2QK1NR b KQ - 2 17",
        "rn1qk1nr/pp2ppb1/2p4p/3p2p1/2PP2b1/2N1P3/PP3PPP/R1BQKBNR w KQkq - 1 7",
        "1r3k1r/1p1b1pp1/2N4p/p7/4n3/3N2P1/P4P1P/R4RK1 b - - 0 19",
        "r3k2r/pp3ppp/3p4/4n3/2PpPR1q/PP4N1/1B1P2KP/R7 b kq - 0 20",
        "1r3br1/2pnkp2/1pb4p/p3P2P/P4Bp1/2P3P1/1R3PB1/6KR w - - 0 27",
    ],
    [
        "3r1rk1/pp1b1pb1/n2Pq1pp/2p1P2n/3QN3/1P2PN2/PB3PRP/2R1K3 b - - 1 18",
        "rn1q1rk1/4pp2/6pp/p1Bbb3/2P3P1/1P5P/P3P1B1/R2QR1K1 w - - 0 18",
        "4kb1r/1b1p2p1/4p3/1P1nP2p/2BP2n1/2P2N2/1B4PP/r3QRK1 b k - 0 20",
        "1r2k3/2p1Bpb1/p2pn2P/1p5Q/8/P1P5/1P3P2/RN2K3 w Q - 1 25",
        "r1b1kb1r/1pq2p2/p1B2np1/3pN2p/P2P4/R1P1P3/Q4PPP/1N2K2R b Kq - 0 16",
    ],
    [
        "r1b1kbnr/pppp2p1/5p2/4p2p/3nP3/4BNP1/PPP1QP1P/RN2KB1R w KQkq - 0 8",
        "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
        "r4k1r/pp2ppbp/nn2q3/2pN1p2/2PP1B2/4PN2/PP1Q2PP/2R1K2R b - - 2 15",
        "5R2/3k3p/6bR/1p4P1/5N2/3PK3/2P3P1/8 w - - 4 35",
        "rn2kb1r/1qpnpppp/pp6/1Q1PN3/3P1B1P/2N5/PPP2PP1/R3K2R w KQkq - 0 13",
    ],
    [
        "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1",
        "r2qk2r/1b1p1pp1/np2p2p/p1bp4/P1P1R3/2NB1N2/1P3PPP/2BQK2R w Kk - 0 14",
        "4r1k1/pp3R1p/6p1/2p1N1P1/P1B1b3/7P/P2P2P1/2B3K1 w - - 1 28",
        "6k1/8/3R4/Q3pr2/3b1B2/2B1N3/8/6K1 w - - 0 1",
    ],
];

export const POSITIONS = LEVELS.flatMap((fens, i) => fens.map((fen) => ({ fen, level: i + 1 })));
