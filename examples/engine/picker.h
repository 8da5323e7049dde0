/*
 * Which move to try next, and which not at all: this is where the engine uses seebatch.
 *
 * The moves of a node are handed out from the best to the worst: the move of the transposition table, captures,
 * killers, quiet moves by history, and last the captures that lose material. What the static exchange evaluation (SEE)
 * is asked:
 *
 *   - whether a capture keeps material;
 *   - whether a quiet move, or a bad capture, loses so much that it is not worth a search.
 *
 * Captures can be ordered in two ways, which give different trees:
 *
 *   ORDER_BY_VICTIM   most valuable victim, least valuable attacker; each is asked about when its turn comes
 *   ORDER_BY_VALUE    by the value of the exchange, which has to be known of all before the first is tried
 *
 * And the exchange evaluation can be called in two ways, which give the same answers, and so the same tree:
 *
 *   one call a move   when the move's turn comes; what comes after a cut-off is never evaluated
 *   in batches        ORDER_BY_VALUE: all captures in one call. Otherwise the first move of a kind (captures, quiet
 *                     moves) that is asked about is evaluated by itself, since often it causes the cut-off; with the
 *                     second one comes the answer for those of that kind that are left: for all captures, and for
 *                     the quiet moves that are next in line
 */
#ifndef PICKER_H
#define PICKER_H

#include "seebatch.h"

/* As a threshold, one that every capture reaches, whatever it loses: nothing is asked. As a value, none. No exchange is
 * worth so little. */
enum { ALL_ARE_GOOD = INT16_MIN, NOT_KNOWN = INT16_MIN };

/* A capture is plain until the exchange evaluation has been asked. */
enum move_kind { KIND_TABLE, KIND_CAPTURE, KIND_GOOD_CAPTURE, KIND_QUIET, KIND_BAD_CAPTURE, N_KINDS };

enum capture_order { ORDER_BY_VICTIM, ORDER_BY_VALUE };

/* How the exchange evaluation is used; and how often it was called, with how many moves. */
struct see_use {
    enum capture_order order;
    bool batch;
    uint64_t calls, moves;
};

struct picked {
    int32_t score;
    seebatch_move move;
    int16_t value; /* of the exchange; or NOT_KNOWN */
    uint8_t kind;
    int8_t answer; /* whether the exchange is worth the threshold of this kind: 0, 1, or -1 if not known yet */
};

struct picker {
    struct see_use *see;
    const seebatch_position *position;
    int16_t threshold;   /* that good captures reach */
    bool good_only;      /* other captures are not handed out */
    bool asked[N_KINDS]; /* whether there was a question about this kind */
    size_t n;            /* moves in the list, */
    size_t n_sorted;     /* of which so many are in order; */
    size_t next;         /* the next to be handed out */
    struct picked list[SEEBATCH_MAX_MOVES];
};

/* What moves are scored with. */
struct move_hints {
    seebatch_move table_move;     /* 0 if there is none */
    const seebatch_move *killers; /* two, or NULL */
    const int16_t (*history)[64]; /* by from- and to-square, below 1 << 14 either way; or NULL */
};

/* Prepares the rules; once, at the start of the program. */
void picker_init(void);

/* Begins with all legal moves of a position, which stays until the end. Captures are good that reach the threshold. */
void picker_begin(struct picker *picker, struct see_use *see, const seebatch_position *position, int16_t threshold,
                  const struct move_hints *hints);

/* The same with the captures alone: those that fall short are not handed out at all. */
void picker_begin_captures(struct picker *picker, struct see_use *see, const seebatch_position *position,
                           int16_t threshold);

/* Hands out the next move, or NULL when there are none left. */
const struct picked *picker_next(struct picker *picker);

/* Whether the exchange that the move begins, which was the last to be handed out, is worth the threshold. For all moves
 * of a kind the threshold must be the same. */
bool picker_reaches(struct picker *picker, int16_t threshold);

#endif
