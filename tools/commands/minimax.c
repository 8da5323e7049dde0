/*
 * Finds the value of an exchange by exhaustive minimax: it plays all legal captures on one square.
 *
 * Nothing here knows about pins, checks, x-rays or orders of capture: the moves come from move generation, each is
 * really played, and the side whose turn it then is stops or captures, whichever gets it more. That is what the rule
 * set `legal` claims to compute, in the slowest and plainest way.
 */
#include <stdlib.h>

#include "compare.h"

struct search {
    const int16_t *values;
    int to;
    long left; /* captures that may still be played; below 0 the search is given up */
};

static int value_of(const struct search *search, int type) { return type <= SEEBATCH_QUEEN ? search->values[type] : 0; }

/* What a move wins at once. A pawn that changes file onto an empty square captures a pawn en passant. */
static int gain_of(const struct search *search, const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
    int captured = seebatch_type_on(position, to);
    if (seebatch_type_on(position, from) == SEEBATCH_PAWN && from % 8 != to % 8 && captured == SEEBATCH_NO_PIECE)
        captured = SEEBATCH_PAWN;
    int gain = value_of(search, captured);
    if (promotion != 0)
        gain += search->values[promotion] - search->values[SEEBATCH_PAWN];
    return gain;
}

/* What the side to move gets, if it is its turn in the exchange. */
static int best_of(struct search *search, const seebatch_position *position)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_captures(position, moves);
    int best = 0;
    for (size_t i = 0; i < n && search->left >= 0; i++) {
        int promotion = seebatch_promotion(moves[i]);
        if (seebatch_to(moves[i]) != search->to || (promotion != 0 && promotion != SEEBATCH_QUEEN))
            continue;
        seebatch_position after = *position;
        search->left--;
        seebatch_play(&after, moves[i]);
        int value = gain_of(search, position, moves[i]) - best_of(search, &after);
        if (value > best)
            best = value;
    }
    return best;
}

/* The king's two-file step, or king takes own rook. */
static bool is_castling(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    bool own = seebatch_pieces_of_color(position, position->stm) >> to & 1;
    return seebatch_type_on(position, from) == SEEBATCH_KING && (own || abs(from % 8 - to % 8) > 1);
}

bool minimax_value(const int16_t values[5], const seebatch_position *position, seebatch_move move, long limit,
                   int *value)
{
    struct search search = {values, seebatch_to(move), limit};
    int result = 0;
    if (!is_castling(position, move)) {
        seebatch_position after = *position;
        seebatch_play(&after, move);
        result = gain_of(&search, position, move) - best_of(&search, &after);
    }
    if (search.left < 0)
        return false;
    *value = result;
    return true;
}
