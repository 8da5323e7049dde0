/*
 * Texts that are read as a position, or refused: for the readers of FEN and EPD.
 */
#ifndef SEEBATCH_TESTS_FEN_TEXTS_H
#define SEEBATCH_TESTS_FEN_TEXTS_H

#include "seebatch.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#define CASTLES "r3k2r/8/8/8/8/8/8/R3K2R"

/* Texts that are read, and the FEN that says the same in six fields. */
static const struct {
    const char *text, *fen;
} good[] = {
    {START " w KQkq - 0 1", START " w KQkq - 0 1"},
    {START " w KQkq -", START " w KQkq - 0 1"},
    {START " w KQkq - 7", START " w KQkq - 7 1"},
    {START " w KQkq - 65535 65535", START " w KQkq - 65535 65535"},
    {START " b KQkq - 0 0", START " b KQkq - 0 0"},
    {START " b qkQK - 00003 007", START " b KQkq - 3 7"},
    {START "  w \t KQkq -   0 1 \t ", START " w KQkq - 0 1"},
    /* EPD operations after four, five and six fields */
    {START " w KQkq - bm e4;", START " w KQkq - 0 1"},
    {START " w KQkq - bm e4; id \"a; b\"; c0 \"\";", START " w KQkq - 0 1"},
    {START " w KQkq - noop;", START " w KQkq - 0 1"},
    {START " w KQkq - 5 bm e4;", START " w KQkq - 5 1"},
    {START " w KQkq - 5 9 bm e4 d4 ;D1 20;  ", START " w KQkq - 5 9"},
    /* castling: the outermost rook, wherever the king stands; files; both mixed */
    {CASTLES " w HAha - 0 1", CASTLES " w HAha - 0 1"},
    {CASTLES " w Ka - 0 1", CASTLES " w Ha - 0 1"},
    {CASTLES " w Qk - 0 1", CASTLES " w Qk - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w KB - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w HB - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w GA - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w GA - 0 1"},
    {"1r1k1r1r/8/8/8/8/8/8/3K4 b kq - 0 1", "1r1k1r1r/8/8/8/8/8/8/3K4 b kq - 0 1"},
    {"rk6/8/8/8/8/8/8/6KR b Kq - 0 1", "rk6/8/8/8/8/8/8/6KR b Kq - 0 1"},
    /* en passant where nobody can capture, and for black */
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
    {"4k3/8/8/pP6/8/8/8/4K3 w - a6 0 9", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 9"},
    /* more pieces than a game allows */
    {"kqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/K7 w - - 0 1", "kqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/K7 w - - 0 1"},
    {"4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - -",
     "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1"},
};

enum { R = SEEBATCH_UNREADABLE, U = SEEBATCH_UNSOUND };

static const struct {
    int status;
    const char *text, *message; /* message: a part of it */
} bad[] = {
    /* pieces */
    {R, "", "the text is empty"},
    {R, "   ", "begins with a blank"},
    {R, " - - 0 1", "begins with a blank"},
    {R, "w", "'w' have 1 rank, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "have 7 ranks, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "have 9 ranks, expected 8"},
    {R, START "/ w KQkq -", "have 9 ranks, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/54/PPPPPPPP/RNBQKBNR w KQkq -", "'4' in rank 3 follows another count"},
    {R, "rnbqkbnr/pppppppp/8/8/8/5P3/PPPPPPPP/RNBQKBNR w KQkq -", "rank 3 has 9 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPPP/RNBQKBNR w KQkq -", "rank 2 has 9 squares, expected 8"},
    {R, "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 8 has 7 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8//8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 5 has 0 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/1/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 5 has 1 square, expected 8"},
    {R, "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'x' in rank 7 is neither a piece nor"},
    {R, "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'9' in rank 6 is neither"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN\xff w KQkq -", "'\\xff' in rank 1 is neither"},
    /* side to move */
    {R, START, "side to move is missing, expected 'w' or 'b'"},
    {R, START " W KQkq - 0 1", "side to move is 'W', expected 'w' or 'b'"},
    {R, START " KQkq - 0 1", "side to move is 'KQkq'"},
    /* castling, in form */
    {R, START " w", "castling rights are missing"},
    {R, START " w KQxq - 0 1", "'x' in the castling rights 'KQxq'"},
    {R, START " w KQkqK - 0 1", "castling right 'K' is given twice in 'KQkqK'"},
    {R, START " w K- - 0 1", "'-' in the castling rights 'K-'"},
    {R, START " w -- - 0 1", "'-' in the castling rights '--'"},
    {R, START " w KI - 0 1", "'I' in the castling rights 'KI'"},
    {R, START " w aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa - 0 1", "..."},
    /* castling, in place */
    {U, "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/4K3/R6R w K - 0 1", "castling right 'K', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/8/R3K2r w K - 0 1", "and a white rook beside it towards the h-file"},
    {U, "4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "castling right 'k', expected a black king on rank"},
    {U, "r7/4k3/8/8/8/8/8/4K3 b q - 0 1", "castling right 'q', expected a black king on rank"},
    {U, CASTLES " w G - 0 1", "castling right 'G', expected a white king on rank 1 and a rook of its own on g1"},
    {U, CASTLES " w b - 0 1", "castling right 'b', expected a black king on rank 8 and a rook of its own on b8"},
    {U, CASTLES " w KH - 0 1", "castling right 'H' is white's second one on that side"},
    {U, "r3k1rr/8/8/8/8/8/8/4K3 w gh - 0 1", "castling right 'h' is black's second one on that side"},
    /* en passant */
    {R, START " w KQkq", "en passant square is missing"},
    {R, START " w KQkq e", "en passant square is 'e', expected '-' or a square"},
    {R, START " w KQkq e9 0 1", "en passant square is 'e9'"},
    {R, START " w KQkq e66 0 1", "en passant square is 'e66'"},
    {R, START " w KQkq 0 1", "en passant square is '0'"},
    {U, "4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", "e5 with white to move, expected one on rank 6"},
    {U, "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "e6 with black to move, expected one on rank 3"},
    {U, "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "e6 is occupied"},
    {U, "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "e6, but no black pawn can just have passed over it, expected one on e5"},
    {U, "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "e6, but no black pawn can just have passed over it, expected e7"},
    {U, "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "e3, but no white pawn can just have passed over it, expected e2"},
    /* clocks and operations */
    {R, START " w KQkq - 65536 1", "halfmove clock is '65536', expected a number from 0 to 65535"},
    {R, START " w KQkq - 0 65536", "full-move number is '65536'"},
    {R, START " w KQkq - 1x 1", "halfmove clock is '1x'"},
    {R, START " w KQkq - 0 1.5", "full-move number is '1.5'"},
    {R, START " w KQkq - -1 1", "unexpected '-1 1' after the position"},
    {R, START " w KQkq - 0 1 2", "unexpected '2' after the position"},
    {R, START " w KQkq - - 0 1", "unexpected '- 0 1' after the position"},
    {R, START " w KQkq - 0 1 e2e4", "unexpected 'e2e4' after the position, expected ';' at its end"},
    {R, START " w KQkq - bm e4; id \"x", "unexpected 'id \"x' after the position, expected '\";' at its end"},
    {R, START " w KQkq - bm e4; ; ", "unexpected '; ' after the position"},
    {R, START " w KQkq - ;D1 20", "unexpected ';D1 20' after the position"},
    {R, START " w KQkq - 0 1\n", "character 57 is a line feed"},
    {R, START " w KQkq - 0 1 \r", "is a carriage return"},
    /* soundness of the board */
    {U, "8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings, expected exactly 1"},
    {U, "8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings, expected exactly 1"},
    {U, "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings, expected exactly 1"},
    {U, "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "white pawn on h8, expected pawns on ranks 2 to 7"},
    {U, "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "black pawn on a1, expected pawns on ranks 2 to 7"},
    {U, "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side not to move is in check: the black king on e8 is attacked from e1"},
    {U, "4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", "attacked from d6"},
    {U, "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "the white king on e1 is attacked from d2"},
    {U, "8/8/8/3kK3/8/8/8/8 w - - 0 1", "side not to move is in check"},
    {U, "4k3/8/8/7B/8/8/8/4K3 w - - 0 1", "attacked from h5"},
};

#endif
