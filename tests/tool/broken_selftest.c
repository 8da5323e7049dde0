/*
 * `seebatch selftest` on a library with a kernel that is broken on purpose: the linker leads seebatch_selftest() here
 * (--wrap), which runs it with one kernel more. test_tool_selftest.py sees what the command makes of it.
 *
 * SEEBATCH_TEST_FAULT says what is wrong: "values" (en passant is worth one too much), "plain" and "tables" (the same,
 * but only where neither lanes nor maps are forced, or maps alone), "ge" (a threshold that is just reached counts as
 * missed), "stray" (a value too many is written).
 */
#include "../broken_kernel.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

seebatch_status __wrap_seebatch_selftest(uint64_t seed, uint64_t cases, seebatch_selftest_report *report,
                                         seebatch_error *error);

static bool has_fault(const char *name)
{
    const char *fault = getenv("SEEBATCH_TEST_FAULT");
    return fault && strcmp(fault, name) == 0;
}

static void broken_values(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path, int16_t *values)
{
    const bool too_much = has_fault("values") || (has_fault("plain") && path == SEE_FASTEST) ||
                          (has_fault("tables") && path == SEE_ATTACK_TABLES);
    int16_t *next = values;
    for (size_t i = 0; i < batch->n_positions; i++) {
        const seebatch_position *p = &batch->positions[i];
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++) {
            const seebatch_move move = batch->moves[k];
            const bool en_passant = seebatch_type_on(p, seebatch_from(move)) == SEEBATCH_PAWN &&
                                    seebatch_type_on(p, seebatch_to(move)) == SEEBATCH_NO_PIECE &&
                                    seebatch_from(move) % 8 != seebatch_to(move) % 8;
            *next++ = (int16_t)(seebatch_value(rules, p, NULL, move) + (en_passant && too_much));
        }
    }
    if (has_fault("stray"))
        *next = 0;
}

static void broken_ge(const seebatch_rules *rules, const seebatch_batch *batch, const int16_t *thresholds, size_t step,
                      uint64_t *mask)
{
    const size_t begin = batch->offsets[0], n = see_query_count(batch);
    memset(mask, 0, SEEBATCH_MASK_WORDS(n) * sizeof *mask);
    for (size_t i = 0; i < batch->n_positions; i++) {
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++) {
            const int value = seebatch_value(rules, &batch->positions[i], NULL, batch->moves[k]);
            const bool ge = value - has_fault("ge") >= thresholds[(k - begin) * step];
            mask[(k - begin) / 64] |= (uint64_t)ge << (k - begin) % 64;
        }
    }
}

seebatch_status __wrap_seebatch_selftest(uint64_t seed, uint64_t cases, seebatch_selftest_report *report,
                                         seebatch_error *error)
{
    const struct see_kernel broken[] = {broken_kernel("scalar", always), {.name = NULL}};
    return seebatch_selftest_of(broken, seed, cases, report, error);
}

int main(int argc, char **argv)
{
    static char name[] = "seebatch selftest";
    argv[0] = name;
    return selftest_command.run(argc, argv);
}
