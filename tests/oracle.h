/*
 * The oracle: a naive, slow and independent reading of what an exchange is worth, to hold the library against.
 *
 * It shares no line and no table with src/: a mailbox of 64 characters, pieces really moved and taken back, attacks
 * found by walking from square to square. It includes nothing of the project.
 */
#ifndef SEEBATCH_TESTS_ORACLE_H
#define SEEBATCH_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* square[s]: 'P', 'N', 'B', 'R', 'Q', 'K' white, lower case black, '.' empty; a1 = 0, h8 = 63. */
struct oracle_board {
    char square[64];
    bool black_to_move;
};

enum oracle_rules {
    ORACLE_SWAP,
    ORACLE_PROMOTIONS,
    ORACLE_ETHEREAL,
    ORACLE_STOCKFISH,
    ORACLE_STOCKFISH_2016,
    ORACLE_LEGAL,  /* the same value as MINIMAX, found with a memory of exchanges already searched */
    ORACLE_MINIMAX /* exhaustive minimax over all legal captures on the square, nothing remembered; can take minutes */
};

/* The rules of a name ("swap", ..., "legal", "minimax"); false if there are none. */
bool oracle_rules_named(const char *name, enum oracle_rules *rules);

/* Reads the first two fields of a FEN; false if they are malformed. */
bool oracle_board_from_fen(struct oracle_board *board, const char *fen);

/* The value of the exchange that a move begins. promotion: 0, 'n', 'b', 'r' or 'q'. values: pawn to queen. The mover is
 * whoever owns the piece on from. */
int oracle_value(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int from, int to,
                 char promotion);

/* The swap list (unpruned), for all rules that capture least valuable first: returns its length, fills from_squares[]
 * and gain[] with the entries; *next is the entry that would follow if the piece at the end could be taken (*has_next
 * false where a king stands there). The length is 0 for castling, for moves that the rules value at 0 without looking,
 * and under LEGAL and MINIMAX, which have no one list. */
size_t oracle_swap_list(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int from,
                        int to, char promotion, int from_squares[64], long gain[64], bool *has_next, long *next);

/* What a side (true: black) gets when it has the turn in an exchange on a square: 0 at least, for it may stop. */
int oracle_square_value(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int square,
                        bool black);

#endif
