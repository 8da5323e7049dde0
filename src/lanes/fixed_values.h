/*
 * First moves that have a fixed value under the rules, for kernels with lanes: promotions, captures en passant and
 * castling that pass at any threshold, and double steps that are answered en passant. A kernel evaluates them by rules
 * without fixed values, as if they were other moves; then the functions of this file replace the answers.
 * lanes_batch_answers() in paths.h and the functions of position_functions.h call them.
 */
#ifndef SEEBATCH_FIXED_VALUES_H
#define SEEBATCH_FIXED_VALUES_H

#include "chunks.h"

static inline bool see_have_fixed_values(const seebatch_rules *rules)
{
    return rules->promotion > SEEBATCH_PROMOTION_ZERO || rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS ||
           rules->castling != SEEBATCH_CASTLING_ZERO ||
           rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED;
}

/* The same rules without fixed values: a move that passed at any threshold then is worth 0. */
seebatch_rules seebatch_without_fixed_values(const seebatch_rules *rules);

/* What to look for in SEE_MARKED moves: bits of promotion, and the ranks of both squares as they stand in a move. The
 * ranks are 1 to 4 for what begins there. */
struct see_marks {
    uint16_t promotion, castling, en_passant, double_step;
};
enum { SEE_MARKED = 64, SEE_RANKS = 7 << 3 | 7 << 9 };

/* Finds the bits of the moves that may have a fixed value. `value` has the values that a kernel found. */
typedef uint64_t see_find_marked(const struct see_marks *marks, const seebatch_move *move, const int16_t *value);

static inline uint64_t see_marked(const struct see_marks *marks, const seebatch_move *move, const int16_t *value)
{
    typedef uint16_t words __attribute__((vector_size(32)));
    typedef int16_t numbers __attribute__((vector_size(32)));
    typedef uint8_t bytes __attribute__((vector_size(16)));
    uint64_t bits = 0;
    for (size_t k = 0; k < SEE_MARKED; k += 16) {
        words moves;
        numbers values;
        memcpy(&moves, move + k, sizeof moves);
        memcpy(&values, value + k, sizeof values);
        const numbers upper_half = (numbers)(moves << 10) >> 15; /* of the from-square: turns the board */
        const words ranks = (moves ^ (words)upper_half) & (uint16_t)SEE_RANKS;
        const words zero = (words)((numbers)(moves & marks->promotion) > 0) | (words)(ranks == marks->castling) |
                           (words)(ranks == marks->en_passant);
        const words steps = (words)(ranks == marks->double_step);
        const words marked = (zero & (words)(values == 0)) | (steps & (words)(values <= 0));
        const bytes ones = __builtin_convertvector(marked & 1, bytes);
        uint64_t eight[2];
        memcpy(eight, &ones, sizeof eight);
        for (size_t i = 0; i < 2; i++) /* gathers the lowest bits of eight bytes */
            bits |= eight[i] * UINT64_C(0x0102040810204080) >> 56 << (k + 8 * i);
    }
    return bits;
}

/* Replaces values of a chunk that were found by those rules. `marked` is the see_marked() of the kernel's instruction
 * set. This is right for thresholds as well: what is worth 0 whatever follows has that value in either case, and a
 * double step that a kernel gives a value above 0 fails by it, and by its own value as well. */
void seebatch_replace_fixed_values(const seebatch_rules *rules, const struct see_chunk *chunk, see_find_marked *marked,
                                   int16_t *values);

/* These answer for one position by the kernel's own functions under rules without fixed values, and then replace the
 * answers of moves that have a fixed value. */
void seebatch_fixed_position_values(see_position_values *kernel, const seebatch_rules *rules,
                                    const seebatch_position *position, const seebatch_pins *pins,
                                    const seebatch_move *moves, size_t n, int16_t *values);
void seebatch_fixed_position_ge(see_position_ge *kernel, const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                const int16_t *thresholds, size_t step, uint64_t *mask);

#endif
