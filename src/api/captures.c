/*
 * Answers questions about many positions at once: who is in check, which captures there are, and whether one of them
 * reaches a threshold.
 *
 * For the last question, the captures of a group of positions are collected on the stack and compared with the
 * threshold in one call, without finding their values. Positions without a capture cost no more than the collection.
 */
#include "board/position.h"
#include "bulk.h"
#include "rules.h"

#include <assert.h>
#include <string.h>

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

struct checks_work {
    const seebatch_position *positions;
    bool *checked;
};

static void find_checked(const void *argument, size_t begin, size_t end)
{
    const struct checks_work *work = (const struct checks_work *)argument;
    see_checks *const find = see_kernel_current()->checks;
    if (find) {
        find(work->positions + begin, end - begin, work->checked + begin);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        const seebatch_position *p = &work->positions[i];
        work->checked[i] = attackers_of_color(p, king_square(p, p->stm), !p->stm, seebatch_occupied(p)) != 0;
    }
}

seebatch_status seebatch_batch_in_check(const seebatch_position *positions, size_t n_positions, bool *checked,
                                        seebatch_job *job)
{
    const struct checks_work work = {positions, checked};
    return seebatch_run_job(job, n_positions, SEE_PART_LISTS, find_checked, &work);
}

/* ---- Captures ---------------------------------------------------------------------------------------------------- */

static size_t collect_one_by_one(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                 seebatch_move *moves, bool *checked)
{
    size_t at = offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        if (checked)
            checked[i] = seebatch_in_check(&positions[i]);
        offsets[i + 1] = at += !in || in[i] ? seebatch_legal_captures(&positions[i], moves + at) : 0;
    }
    return at;
}

size_t seebatch_collect_captures(const seebatch_position *positions, size_t n_positions, const bool *in,
                                 size_t *offsets, seebatch_move *moves, bool *even, bool *checked)
{
    const struct see_kernel *kernel = see_kernel_current();
    if (even && n_positions)
        memset(even, 0, n_positions * sizeof *even);
    return kernel->captures ? kernel->captures(positions, n_positions, in, offsets, moves, even, checked)
                            : collect_one_by_one(positions, n_positions, in, offsets, moves, checked);
}

/* ---- Any capture ------------------------------------------------------------------------------------------------- */

/* GROUP is the number of positions that are handled at once, in whole words of the mask. Their captures are collected
 * AT_ONCE positions at a time, and evaluated as soon as there are ENOUGH captures. */
enum { GROUP = 512, AT_ONCE = 32, ENOUGH = 768 };

struct any_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    int16_t threshold;
    bool even_reach; /* whether even captures (seebatch_collect_captures()) reach it */
    uint64_t *mask;
};

/* Whether one of the bits from `begin` to `end` - 1 is set. Two more words are readable. */
static bool any_bit(const uint64_t *mask, size_t begin, size_t end)
{
    uint64_t any = 0;
    for (; end - begin >= 64; begin += 64) /* hardly ever */
        any |= mask[begin / 64] >> begin % 64 | mask[begin / 64 + 1] << 1 << (63 - begin % 64);
    const uint64_t last = mask[begin / 64] >> begin % 64 | mask[begin / 64 + 1] << 1 << (63 - begin % 64);
    return any | (last & ((UINT64_C(1) << (end - begin)) - 1));
}

/* Sets the bits of n positions, GROUP at most; the mask is 0. */
static void find_bits(const struct any_work *work, const seebatch_position *positions, size_t n, uint64_t *bits)
{
    enum { ROOM = ENOUGH + AT_ONCE * SEEBATCH_MAX_MOVES };
    seebatch_move moves[ROOM];
    uint64_t mask[SEEBATCH_MASK_WORDS(ROOM) + 2];
    size_t offsets[GROUP + 1];
    bool even[GROUP];
    for (size_t i = 0; i < n;) {
        const size_t first = i;
        for (size_t at = 0; i < n && at < ENOUGH;) {
            const size_t n_now = n - i < AT_ONCE ? n - i : (size_t)AT_ONCE;
            size_t *rows = offsets + (i - first);
            const size_t found = seebatch_collect_captures(positions + i, n_now, NULL, rows, moves + at,
                                                           work->even_reach ? even + i : NULL, NULL);
            for (size_t j = 0; j <= n_now; j++)
                rows[j] += at;
            at += found;
            i += n_now;
        }
        const seebatch_batch batch = {positions + first, i - first, offsets, moves, NULL};
        const size_t words = SEEBATCH_MASK_WORDS(offsets[i - first]);
        mask[words] = mask[0] = 0;
        seebatch_batch_ge_mask(work->rules, &batch, work->threshold, mask, NULL);
        for (size_t j = first; j < i; j++)
            bits[j / 64] |= (uint64_t)any_bit(mask, offsets[j - first], offsets[j - first + 1]) << j % 64;
    }
    for (size_t i = 0; work->even_reach && i < n; i++)
        bits[i / 64] |= (uint64_t)even[i] << i % 64;
}

static void find_any(const void *argument, size_t begin, size_t end)
{
    const struct any_work *work = (const struct any_work *)argument;
    memset(work->mask + begin / 64, 0, SEEBATCH_MASK_WORDS(end - begin) * sizeof *work->mask);
    for (size_t i = begin; i < end; i += GROUP)
        find_bits(work, work->positions + i, end - i < GROUP ? end - i : (size_t)GROUP, work->mask + i / 64);
}

seebatch_status seebatch_batch_any_capture(const seebatch_rules *rules, const seebatch_position *positions,
                                           size_t n_positions, int16_t threshold, uint64_t *mask, seebatch_job *job)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    const struct any_work work = {rules, positions, threshold, threshold <= 0 && see_values_are_monotonic(rules), mask};
    return seebatch_run_job(job, n_positions, GROUP, find_any, &work);
}
