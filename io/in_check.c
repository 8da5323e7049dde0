/*
 * Which of many positions are in check.
 */
#include "in_check.h"
#include "inline_attacks.h"

EACH_PROCESSOR void mark_checks(const seebatch_position *positions, size_t n, bool *checked, bool bits)
{
    for (size_t i = 0; i < n; i++)
        checked[i] = is_in_check(&positions[i], bits);
}

static void mark_by_loops(const seebatch_position *positions, size_t n, bool *checked)
{
    mark_checks(positions, n, checked, false);
}

WITH_BITS static void mark_by_bits(const seebatch_position *positions, size_t n, bool *checked)
{
    mark_checks(positions, n, checked, true);
}

void seebatch_io_find_positions_in_check(const seebatch_position *positions, size_t n, bool *checked)
{
    if (HAS_QUICK_BITS)
        mark_by_bits(positions, n, checked);
    else
        mark_by_loops(positions, n, checked);
}
