/*
 * Makes a batch that fails smaller while it still fails: first fewer queries, best of all a single one, then fewer
 * pieces on their boards. What is left fails the same check (not necessarily in the same function), so it shows the
 * same or a simpler defect.
 */
#include "differential.h"
#include "guard.h"

enum { ATTEMPTS = 4, MAX_TRIALS = 1000 };

struct shrinker {
    struct context context;
    struct batch *batch;     /* the smallest that fails so far */
    struct failure *failure; /* how it fails */
    unsigned trials;
};

bool check_batch_well(const struct context *context, const struct batch *batch, struct failure *failure)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct context with_seed = *context;
        with_seed.seed = context->seed + attempt * 0x10001;
        guard_start_watchdog();
        if (!check_batch(&with_seed, batch, failure))
            return false;
    }
    return true;
}

/* Whether the candidate fails too; then it is the smallest. */
static bool still_fails(struct shrinker *shrinker, const struct batch *candidate)
{
    struct failure failure;
    shrinker->trials++;
    if (check_batch_well(&shrinker->context, candidate, &failure))
        return false;
    *shrinker->batch = *candidate;
    *shrinker->failure = failure;
    return true;
}

/* ---- Fewer queries ----------------------------------------------------------------------------------------------- */

static bool try_single(struct shrinker *shrinker, const seebatch_position *position, seebatch_move move)
{
    static struct batch candidate;
    batch_clear(&candidate);
    batch_add_query(&candidate, position, move);
    return still_fails(shrinker, &candidate);
}

/* Without the queries first .. first + length. */
static bool try_without(struct shrinker *shrinker, size_t first, size_t length)
{
    static struct batch candidate;
    batch_clear(&candidate);
    for (size_t k = 0; k < batch_count(shrinker->batch); k++) {
        if (k < first || k >= first + length)
            batch_add_query(&candidate, batch_position(shrinker->batch, k), shrinker->batch->moves[k]);
    }
    return still_fails(shrinker, &candidate);
}

static void shrink_queries(struct shrinker *shrinker)
{
    const struct failure failure = *shrinker->failure;
    if (failure.has_case && try_single(shrinker, &failure.position, failure.move))
        return;
    for (size_t length = batch_count(shrinker->batch) / 2; length > 0; length /= 2) {
        for (size_t first = 0; first < batch_count(shrinker->batch) && shrinker->trials < MAX_TRIALS;) {
            if (length >= batch_count(shrinker->batch) || !try_without(shrinker, first, length))
                first += length;
        }
    }
}

/* ---- Fewer pieces ------------------------------------------------------------------------------------------------ */

static void take_away(seebatch_position *position, int square)
{
    for (int i = 0; i < 3; i++)
        position->plane[i] &= ~(UINT64_C(1) << square);
    position->white &= ~(UINT64_C(1) << square);
    for (int color = 0; color < 2; color++) {
        for (int side = 0; side < 2; side++) {
            if (position->castling_rook[color][side] == square)
                position->castling_rook[color][side] = SEEBATCH_NO_SQUARE;
        }
    }
}

/* The batch with another board in place of one, if it is sound and its moves remain what the rules allow. */
static bool try_board(struct shrinker *shrinker, size_t i, const seebatch_position *position)
{
    static struct batch candidate;
    candidate = *shrinker->batch;
    candidate.positions[i] = *position;
    if (seebatch_position_check(position, NULL) != SEEBATCH_OK)
        return false;
    for (size_t k = candidate.offsets[i]; k < candidate.offsets[i + 1]; k++) {
        if (!is_allowed(&shrinker->context.rules, position, candidate.moves[k]))
            return false;
    }
    return still_fails(shrinker, &candidate);
}

static bool shrink_board(struct shrinker *shrinker, size_t i)
{
    bool smaller = false;
    for (int square = 0; square < 64 && shrinker->trials < MAX_TRIALS; square++) {
        seebatch_position position = shrinker->batch->positions[i];
        int type = seebatch_type_on(&position, square);
        if (type == SEEBATCH_NO_PIECE || type == SEEBATCH_KING)
            continue;
        take_away(&position, square);
        smaller |= try_board(shrinker, i, &position);
    }
    return smaller;
}

unsigned shrink(const struct context *context, struct batch *batch, struct failure *failure)
{
    struct shrinker shrinker = {*context, batch, failure, 0};
    shrinker.context.tally = NULL;
    shrink_queries(&shrinker);
    bool smaller = batch_count(batch) <= 8;
    while (smaller && shrinker.trials < MAX_TRIALS) {
        smaller = false;
        for (size_t i = 0; i < batch->n_positions; i++)
            smaller |= shrink_board(&shrinker, i);
    }
    return shrinker.trials;
}
