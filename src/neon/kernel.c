/*
 * The NEON kernel: it holds four queries in two registers. dispatch/dispatch.c has it in its table, and lanes/paths.h
 * says which path a call takes.
 */
#include "lanes.h"
#include "lanes/four/line_kings.h"
#include "lanes/four/word_moves.h"
#include "least_value.h"
#include "lanes/contract.h"
#include "lanes/four/lane_chunks.h"
#include "lanes/paths.h"
#include "lanes/four/checks.h"
#include "lanes/kernel_lengths.h"

/* A single move, or a batch of one query, goes to the scalar code: the row TOO_FEW of the last table in
 * docs/internals/lanes.md. */
#define KERNEL(name) seebatch_neon_##name
#define NEXT_KERNEL(name) seebatch_scalar_##name
#define TOO_FEW(rules, n) ((n) < 2)
#define TOO_FEW_BITS(rules, n) ((n) < 2)
#define SERVES(rules, n) lanes_serve(rules)
#include "lanes/position_functions.h"

void seebatch_neon_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                 const struct see_answers *answers)
{
    kernel_batch_answers(seebatch_scalar_batch_answers, rules, batch, path, answers, 2);
}

void seebatch_neon_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values, uint8_t *lengths)
{
    kernel_lengths(seebatch_neon_batch_answers, rules, batch, values, lengths);
}

void seebatch_neon_checks(const seebatch_position *positions, size_t n, bool *checked)
{
    lanes_checks(positions, n, checked);
}
