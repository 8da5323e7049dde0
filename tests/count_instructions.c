/*
 * A fixed workload, for callgrind to count the instructions of: the captures of real positions, evaluated by every
 * kernel, in both forms, under every rule set, once in a call for all positions and once in a call for each.
 *
 * count_instructions POSITIONS
 *
 * POSITIONS has one FEN or EPD a line; the first 2,000 with a capture are taken. What is to be counted happens within
 * measure(), which is called once for each line that is printed: kernel, shape, form, rules, number of requests, with
 * tabs between them. A kernel that this processor (which may be an emulated one) cannot run prints "skipped" and its
 * name. test_machine_counts.py makes the counts of it.
 *
 * Ends with 1 if a kernel does not give the scalar kernel's answers, since then its count says nothing.
 */
#include "seebatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 2000, MOST_REQUESTS = POSITIONS * 24 };

static seebatch_position positions[POSITIONS];
static size_t offsets[POSITIONS + 1];
static seebatch_move moves[MOST_REQUESTS + SEEBATCH_MAX_MOVES];

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "count_instructions: %s: %s\n", where, what);
    exit(1);
}

static void read_positions(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot be opened", path);
    char line[512];
    size_t n = 0;
    while (n < POSITIONS && fgets(line, sizeof line, file)) {
        seebatch_error error;
        if (seebatch_position_from_fen(&positions[n], line, strcspn(line, "\r\n"), &error) != SEEBATCH_OK)
            fail(error.text, path);
        const size_t captures = seebatch_legal_captures(&positions[n], moves + offsets[n]);
        offsets[n + 1] = offsets[n] + captures;
        if (offsets[n + 1] > MOST_REQUESTS)
            fail("has more captures than expected of positions from games", path);
        n += captures > 0;
    }
    fclose(file);
    if (n < POSITIONS)
        fail("has fewer than 2,000 positions with captures", path);
}

/* ---- What is counted --------------------------------------------------------------------------------------------- */

union answers {
    int16_t values[MOST_REQUESTS];
    uint64_t masks[POSITIONS + MOST_REQUESTS / 64];
};

static void bulk_value(const seebatch_rules *rules, union answers *to)
{
    seebatch_batch_values(rules, positions, POSITIONS, offsets, moves, to->values);
}

static void bulk_ge(const seebatch_rules *rules, union answers *to)
{
    seebatch_batch_ge_mask(rules, positions, POSITIONS, offsets, moves, 0, to->masks);
}

static void one_value(const seebatch_rules *rules, union answers *to)
{
    for (size_t p = 0; p < POSITIONS; p++)
        seebatch_values(rules, &positions[p], moves + offsets[p], offsets[p + 1] - offsets[p], to->values + offsets[p]);
}

static void one_ge(const seebatch_rules *rules, union answers *to)
{
    uint64_t *mask = to->masks;
    for (size_t p = 0; p < POSITIONS; p++) {
        const size_t n = offsets[p + 1] - offsets[p];
        seebatch_ge_mask(rules, &positions[p], moves + offsets[p], n, 0, mask);
        mask += SEEBATCH_MASK_WORDS(n);
    }
}

static const struct way {
    const char *shape, *form;
    void (*evaluate)(const seebatch_rules *, union answers *);
} ways[] = {{"bulk", "value", bulk_value}, {"bulk", "ge", bulk_ge}, {"one", "value", one_value}, {"one", "ge", one_ge}};

enum { WAYS = sizeof ways / sizeof *ways, MOST_RULES = 16 };

/* callgrind counts from the beginning of this function to its end, so it must be one that is really called. */
__attribute__((noinline)) static int measure(const struct way *way, const seebatch_rules *rules, union answers *to)
{
    way->evaluate(rules, to);
    return way->form[0]; /* so that nothing above is called last, which the compiler would make a jump */
}

static void count_kernel(const char *kernel)
{
    static union answers expected[WAYS][MOST_RULES], got;
    const bool reference = strcmp(kernel, "scalar") == 0;
    for (size_t w = 0; w < WAYS; w++) {
        for (size_t r = 0; r < MOST_RULES && seebatch_rules_name(r); r++) {
            seebatch_rules rules;
            seebatch_rules_named(seebatch_rules_name(r), &rules, NULL);
            union answers *to = reference ? &expected[w][r] : &got;
            memset(to, 0, sizeof *to);
            if (measure(&ways[w], &rules, to) != ways[w].form[0])
                abort();
            printf("%s\t%s\t%s\t%s\t%zu\n", kernel, ways[w].shape, ways[w].form, seebatch_rules_name(r),
                   offsets[POSITIONS]);
            if (memcmp(to, &expected[w][r], sizeof *to) != 0)
                fail("does not give the scalar kernel's answers", kernel);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: count_instructions POSITIONS\n");
        return 2;
    }
    read_positions(argv[1]);
    seebatch_kernel_use("scalar", NULL);
    count_kernel("scalar");
    for (size_t k = 0; seebatch_kernel_name(k); k++) {
        if (strcmp(seebatch_kernel_name(k), "scalar") == 0)
            continue;
        if (seebatch_kernel_use(seebatch_kernel_name(k), NULL) == SEEBATCH_OK)
            count_kernel(seebatch_kernel_name(k));
        else
            printf("skipped\t%s\n", seebatch_kernel_name(k));
    }
    return 0;
}
