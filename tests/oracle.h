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

/* The value of a first move that meets every threshold: a mark, no balance. */
enum { ORACLE_PASSES = 32767 };

/* Rules, which oracle_set_field() makes, from those of the plain swap algorithm: all 0. */
struct oracle_rules {
    unsigned char pins, promotions, promotion, en_passant, castling, replies; /* numbers of words: see oracle.c */
    bool exhaustive; /* with legal captures: exhaustive minimax, nothing remembered, the same value; can take minutes */
};

/* Rules that tests name: the plain swap algorithm; legal captures in the best order, with promotions; and the same by
 * exhaustive minimax. */
extern const struct oracle_rules oracle_swap, oracle_legal, oracle_minimax;

/* Gives a field of rules ("pins") the value of a word ("any"); false if there is no such field or word. */
bool oracle_set_field(struct oracle_rules *rules, const char *field, const char *word);

/* Reads the first two fields of a FEN; false if they are malformed. */
bool oracle_board_from_fen(struct oracle_board *board, const char *fen);

/* The value of the exchange that a move begins. promotion: 0, 'n', 'b', 'r' or 'q'. values: pawn to queen. The mover is
 * whoever owns the piece on from. */
int oracle_value(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int from, int to,
                 char promotion);

/* The swap list (unpruned), for all rules that capture least valuable first: returns its length, fills from_squares[]
 * and gain[] with the entries; *next is the entry that would follow if the piece at the end could be taken (*has_next
 * false where a king stands there). The length is 0 for castling, for moves that the rules value without looking, and
 * where every legal capture is tried, for there is no one list. */
size_t oracle_swap_list(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int from,
                        int to, char promotion, int from_squares[64], long gain[64], bool *has_next, long *next);

/* What a side (true: black) gets when it has the turn in an exchange on a square: 0 at least, for it may stop. */
int oracle_square_value(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int square,
                        bool black);

#endif
