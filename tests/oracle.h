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

/* Rules, put together of one of each group. */
enum oracle_rules {
    /* Which pieces may not capture: none is held back, blockers of their own king while any or while all of the other
     * side's pinners stand, or whatever would leave its king attacked (then the best order counts, else least valuable
     * first). */
    ORACLE_NO_PINS = 0,
    ORACLE_PINS_ANY = 1,
    ORACLE_PINS_ALL = 2,
    ORACLE_LEGAL_CAPTURES = 3,
    /* Those that stand alone before their own king or before either, and not on one line with him and the target: left
     * out of the first attackers; passed over at every turn; passed over while a pinner of their side stands. */
    ORACLE_RAY_ONCE = 4,
    ORACLE_RAY_ONCE_BOTH = 5,
    ORACLE_RAY_EACH = 6,
    ORACLE_RAY_STANDING = 7,
    ORACLE_PINS = 7, /* the group */

    /* Which promotions count: none, the first move's, or later ones to queens as well. */
    ORACLE_PROMOTE_NONE = 0 << 3,
    ORACLE_PROMOTE_FIRST = 1 << 3,
    ORACLE_PROMOTE_ALL = 2 << 3,
    ORACLE_PROMOTIONS_COUNTED = 3 << 3, /* the group */

    /* First moves that are worth 0, or ORACLE_PASSES, without a look at the board. Castling is one of the two. */
    ORACLE_PROMOTION_ZERO = 1 << 5,
    ORACLE_PROMOTION_PASSES = 2 << 5,
    ORACLE_PROMOTION = 3 << 5, /* the group */
    ORACLE_EN_PASSANT_ZERO = 1 << 7,
    ORACLE_EN_PASSANT_PASSES = 2 << 7,
    ORACLE_EN_PASSANT_STAYS = 3 << 7, /* evaluated; the pawn taken stays where it is */
    ORACLE_EN_PASSANT = 3 << 7,       /* the group */
    ORACLE_CASTLING_PASSES = 1 << 9,

    /* With ORACLE_LEGAL_CAPTURES: a double push may be answered en passant. */
    ORACLE_REPLIES_EN_PASSANT = 1 << 10,

    /* With ORACLE_LEGAL_CAPTURES: exhaustive minimax, nothing remembered, the same value; can take minutes. */
    ORACLE_EXHAUSTIVE = 1 << 11,

    /* Those that tests name. */
    ORACLE_SWAP = 0,
    ORACLE_LEGAL = ORACLE_LEGAL_CAPTURES | ORACLE_PROMOTE_ALL,
    ORACLE_MINIMAX = ORACLE_LEGAL | ORACLE_EXHAUSTIVE
};

/* Gives a field of rules ("pins") the value of a word ("any"); false if there is no such field or word. */
bool oracle_set_field(enum oracle_rules *rules, const char *field, const char *word);

/* Reads the first two fields of a FEN; false if they are malformed. */
bool oracle_board_from_fen(struct oracle_board *board, const char *fen);

/* The value of the exchange that a move begins. promotion: 0, 'n', 'b', 'r' or 'q'. values: pawn to queen. The mover is
 * whoever owns the piece on from. */
int oracle_value(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int from, int to,
                 char promotion);

/* The swap list (unpruned), for all rules that capture least valuable first: returns its length, fills from_squares[]
 * and gain[] with the entries; *next is the entry that would follow if the piece at the end could be taken (*has_next
 * false where a king stands there). The length is 0 for castling, for moves that the rules value without looking, and
 * where every legal capture is tried, for there is no one list. */
size_t oracle_swap_list(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int from,
                        int to, char promotion, int from_squares[64], long gain[64], bool *has_next, long *next);

/* What a side (true: black) gets when it has the turn in an exchange on a square: 0 at least, for it may stop. */
int oracle_square_value(enum oracle_rules rules, const int values[5], const struct oracle_board *board, int square,
                        bool black);

#endif
