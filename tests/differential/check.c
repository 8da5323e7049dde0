/*
 * All that is done with one batch: every function, every lane, many sizes, and boards turned round.
 */
#include "differential.h"

#include <string.h>

enum { MAX_GROUPS = 4 };

/* ---- Every lane -------------------------------------------------------------------------------------------------- */

/* Queries to stand beside others where a batch has too few: one of each sort of exchange. */
static const struct {
    const char *fen;
    int from, to;
} neighbours[] = {
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", 4, 36},           /* e1e5, undefended */
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", 19, 36}, /* d3e5, a long exchange with x-rays */
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 12, 28}, /* e2e4, quiet */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6", 36, 43},                        /* e5d6, en passant */
    {"4k3/8/8/8/8/8/3r4/3QK3 w - -", 4, 11},                          /* e1d2, by the king */
};

struct item {
    seebatch_position position;
    seebatch_move move;
    int16_t expected;
    bool stranger; /* a neighbour from the table above */
};

static size_t take_items(const struct context *context, const struct batch *batch, const int16_t *expected,
                         struct rng *rng, struct item *items)
{
    size_t n = batch_count(batch), groups = (n + LANES - 1) / LANES;
    groups = groups < 2 ? 2 : groups > MAX_GROUPS ? MAX_GROUPS : groups;
    static struct batch strangers;
    static int16_t values[sizeof neighbours / sizeof neighbours[0]];
    batch_clear(&strangers);
    for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0]; i++) {
        seebatch_position position;
        if (seebatch_position_from_fen(neighbours[i].fen, strlen(neighbours[i].fen), &position, NULL) == SEEBATCH_OK)
            batch_add_query(&strangers, &position, seebatch_make_move(neighbours[i].from, neighbours[i].to, 0));
    }
    if (n < groups * LANES)
        compare_reference(context, &strangers, values);
    size_t start = rng_below(rng, (unsigned)n), n_strangers = batch_count(&strangers);
    for (size_t i = 0; i < groups * LANES; i++) {
        bool stranger = i >= n && n_strangers > 0 && rng_one_in(rng, 2);
        const struct batch *from = stranger ? &strangers : batch;
        size_t k = stranger ? rng_below(rng, (unsigned)n_strangers) : (start + i) % n;
        items[i].position = *batch_position(from, k);
        items[i].move = from->moves[k];
        items[i].expected = stranger ? values[k] : expected[k];
        items[i].stranger = stranger;
    }
    return groups;
}

/* Up to 128 queries, each a position of its own, 32 times over: query l of a group stands in lane l + step, and
 * which group it stands in is drawn anew for each lane, so that its neighbours change. */
static bool check_lanes(const struct context *context, const struct batch *batch, const int16_t *expected,
                        struct failure *failure)
{
    struct rng rng = rng_for(context->seed, "lanes");
    static struct item items[MAX_GROUPS * LANES];
    static struct batch turned;
    static int16_t values[MAX_GROUPS * LANES];
    size_t groups = take_items(context, batch, expected, &rng, items);
    for (size_t step = 0; step < LANES; step++) {
        size_t n = groups * LANES - rng_below(&rng, 2) * rng_below(&rng, LANES); /* half of them end with a tail */
        size_t at[MAX_GROUPS][LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t first = rng_below(&rng, (unsigned)groups);
            for (size_t group = 0; group < groups; group++)
                at[group][lane] = (group + first) % groups * LANES + (lane + LANES - step) % LANES;
        }
        batch_clear(&turned);
        for (size_t i = 0; i < n; i++) {
            const struct item *item = &items[at[i / LANES][i % LANES]];
            batch_add_position(&turned, &item->position);
            batch_add_move(&turned, item->move);
            values[i] = item->expected;
        }
        if (!compare_forms(context, &turned, values, FORMS_SOME, &rng, failure))
            return false;
    }
    return true;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

/* The first n queries of the batch, over again where it has fewer; or n moves of one of its positions. */
static bool check_size(const struct context *context, const struct batch *batch, const int16_t *expected, size_t n,
                       bool one_position, struct rng *rng, struct failure *failure)
{
    static struct batch part;
    static int16_t values[MAX_SIZE + 1];
    size_t first = rng_below(rng, (unsigned)batch_count(batch)), run = batch_count(batch);
    if (one_position) {
        size_t i = (size_t)(batch_position(batch, first) - batch->positions);
        first = batch->offsets[i];
        run = batch->offsets[i + 1] - first;
    }
    batch_clear(&part);
    if (one_position)
        batch_add_position(&part, batch_position(batch, first));
    for (size_t k = 0; k < n; k++) {
        size_t source = one_position ? first + k % run : (first + k) % run;
        batch_add_query(&part, batch_position(batch, source), batch->moves[source]);
        values[k] = expected[source];
    }
    return compare_forms(context, &part, values, one_position ? FORMS_ONE : FORMS_BATCH, rng, failure);
}

static bool check_sizes(const struct context *context, const struct batch *batch, const int16_t *expected,
                        struct failure *failure)
{
    struct rng rng = rng_for(context->seed, "sizes");
    for (int i = 0; i < 4; i++) {
        size_t many = rng_below(&rng, MAX_SIZE + 1), one = rng_below(&rng, MAX_SIZE + 1);
        if (!check_size(context, batch, expected, many, false, &rng, failure) ||
            !check_size(context, batch, expected, one, true, &rng, failure))
            return false;
    }
    return true;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void prepare(const struct context *context, const struct batch *batch, int16_t *expected,
                    struct failure *failure)
{
    memset(failure, 0, sizeof *failure);
    compare_reference(context, batch, expected);
}

/* The queries of each position in pieces of up to MAX_PIECE, each a call for one position. */
static bool check_pieces(const struct context *context, const struct batch *batch, const int16_t *expected,
                         struct rng *rng, struct failure *failure)
{
    enum { MAX_PIECE = 12 };
    static struct batch part;
    for (size_t i = 0; i < batch->n_positions; i++) {
        const size_t end = batch->offsets[i + 1];
        for (size_t k = batch->offsets[i], n; k < end; k += n) {
            n = 1 + rng_below(rng, MAX_PIECE);
            if (n > end - k)
                n = end - k;
            batch_clear(&part);
            batch_add_position(&part, &batch->positions[i]);
            for (size_t j = k; j < k + n; j++)
                batch_add_move(&part, batch->moves[j]);
            if (!compare_forms(context, &part, expected + k, FORMS_ONE, rng, failure))
                return false;
        }
    }
    return true;
}

bool check_batch_lean(const struct context *context, const struct batch *batch, int forms, struct failure *failure)
{
    static int16_t expected[MAX_QUERIES];
    prepare(context, batch, expected, failure);
    struct rng rng = rng_for(context->seed, "lean");
    if (forms == FORMS_ONE)
        return check_pieces(context, batch, expected, &rng, failure);
    return compare_forms(context, batch, expected, forms, &rng, failure);
}

bool check_batch(const struct context *context, const struct batch *batch, struct failure *failure)
{
    static int16_t expected[MAX_QUERIES];
    prepare(context, batch, expected, failure);
    struct rng rng = rng_for(context->seed, "forms");
    if (!compare_forms(context, batch, expected, FORMS_ALL, &rng, failure))
        return false;
    return batch_count(batch) == 0 ||
           (check_lanes(context, batch, expected, failure) && check_sizes(context, batch, expected, failure));
}
