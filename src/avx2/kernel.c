/*
 * The AVX2 kernel: it holds four queries in a register, or decides 32 moves of one position at a time by attack tables.
 * dispatch/dispatch.c has it in its table, and lanes/paths.h says which path a call takes.
 */
#include "lanes.h"
#include "lanes/four/value_of_least.h"
#include "lanes/four/line_kings.h"
#include "lanes/four/word_moves.h"
#include "lanes/contract.h"
#include "lanes/four/lane_chunks.h"
#include "lanes/paths.h"
#include "lanes/four/checks.h"
#include "lanes/kernel_lengths.h"

/* The fewest moves of one position whose bits these lanes find faster than scalar code: three where each side chooses its
 * order and some moves have fixed values, which have to be looked for. (On Emerald Rapids two take 9% less time by scalar
 * code.) This is the row least_for_bits() of the last table in docs/internals/lanes.md. */
static inline size_t least_for_bits(const seebatch_rules *rules)
{
    return rules->order == SEEBATCH_BEST_ORDER && see_have_fixed_values(rules) ? 3 : 2;
}

/* A single move, or a batch of one query, goes to the scalar code: the row TOO_FEW of the last table in
 * docs/internals/lanes.md. */
#define KERNEL(name) seebatch_avx2_##name
#define NEXT_KERNEL(name) seebatch_scalar_##name
#define TOO_FEW(rules, n) ((n) < 2)
#define TOO_FEW_BITS(rules, n) ((n) < 2 || ((n) == 2 && least_for_bits(rules) == 3))
#define SERVES(rules, n) lanes_serve(rules)
#include "lanes/position_functions.h"

void seebatch_avx2_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                 const struct see_answers *answers)
{
    kernel_batch_answers(seebatch_scalar_batch_answers, rules, batch, path, answers, 2);
}

void seebatch_avx2_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values, uint8_t *lengths)
{
    kernel_lengths(seebatch_avx2_batch_answers, rules, batch, values, lengths);
}

void seebatch_avx2_checks(const seebatch_position *positions, size_t n, bool *checked)
{
    lanes_checks(positions, n, checked);
}

size_t seebatch_avx2_keep_sound_boards(const seebatch_position *boards, size_t n, uint8_t *lengths)
{
    return lanes_keep_sound_boards(boards, n, lengths);
}
