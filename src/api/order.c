/*
 * Orders moves as a search tries them, the most promising ones first.
 *
 * A move list is evaluated in one call of the kernel; then every move gets a key of 32 bits in which a smaller number
 * means a more promising move. From the highest bits on, a key has:
 *
 *     14 bits  how far the value is below the highest there is, 6000; a move that passes at any threshold comes before
 *      3 bits  the victim: queen, rook, bishop, knight, pawn, none
 *      4 bits  the attacker: a pawn that becomes a queen, rook, bishop, knight; pawn, knight, bishop, rook, queen, king
 *     10 bits  its place in the list as it was given, which makes the sort stable, and every key another
 *
 * Keys that all differ need no sort with branches: the place of a move in the sorted list is the number of keys below
 * its own. Counting them takes n * n comparisons, but four of them are one instruction even on the oldest x86-64, and
 * for the lists of real positions that is quicker than a sort whose branches are mispredicted.
 */
#include "check.h"
#include "threads.h"

#include <assert.h>
#include <string.h>

enum {
    VALUE_MAX = 2 * SEEBATCH_MAX_PIECE_VALUE, /* no exchange has a higher value */
    PASSES = VALUE_MAX + 1,                   /* stands in place of SEEBATCH_ALWAYS */
    INDEX_BITS = 10,
    ATTACKER_BITS = 4,
    VICTIM_BITS = 3,
    ATTACKER_SHIFT = INDEX_BITS,
    VICTIM_SHIFT = ATTACKER_SHIFT + ATTACKER_BITS,
    VALUE_SHIFT = VICTIM_SHIFT + VICTIM_BITS,
    BLOCK = 8, /* keys whose places are counted side by side */
    ROOM = (SEEBATCH_MAX_MOVES + BLOCK - 1) / BLOCK * BLOCK
};

static_assert(SEEBATCH_MAX_MOVES <= 1 << INDEX_BITS, "a move's place in the list must fit in its key");

/* The code of the piece on a square: bishop 1, rook 2, queen 3, pawn 4, knight 5, king 6. */
static inline unsigned piece_code(const seebatch_position *p, int square)
{
    return (unsigned)(p->plane[0] >> square & 1) | (unsigned)(p->plane[1] >> square & 1) << 1 |
           (unsigned)(p->plane[2] >> square & 1) << 2;
}

/* The lower bits of a key, which decide between moves of the same value. They are computed without a branch, because
 * nothing about the next move follows from the previous one. */
static inline int32_t tie_break(const seebatch_position *p, seebatch_move move)
{
    enum { PAWN = 4, NO_VICTIM = 5, BY_PAWN = 4 };
    static const int8_t victim_rank[8] = {NO_VICTIM, 2, 1, 0, 4, 3, NO_VICTIM, NO_VICTIM};
    static const int8_t attacker_rank[8] = {0, 6, 7, 8, BY_PAWN, 5, 9, 0};
    const int from = seebatch_from(move), to = seebatch_to(move);
    const unsigned mover = piece_code(p, from), captured = piece_code(p, to);
    const bool own = (captured != 0) & !((p->white >> from ^ p->white >> to) & 1); /* the rook to castle with */
    const bool en_passant = (mover == PAWN) & (captured == 0) & (((from ^ to) & 7) != 0);
    const int32_t victim = victim_rank[own ? 0u : captured] - en_passant;
    const int32_t attacker = attacker_rank[mover] - seebatch_promotion(move);
    return victim << VICTIM_SHIFT | attacker << ATTACKER_SHIFT;
}

/* place[i] = how many of the n keys are below key[i], for n rounded up to whole blocks. */
static void count_below(const int32_t *key, size_t n, int32_t *place)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        int32_t below[BLOCK] = {0};
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < BLOCK; k++)
                below[k] += key[j] < key[i + k];
        }
        memcpy(place + i, below, sizeof below);
    }
}

/* Sorts moves that have been evaluated, with their values; returns how many of these reach the threshold. */
static size_t sort_moves(const seebatch_position *position, seebatch_move *moves, size_t n, int16_t threshold,
                         int16_t *values)
{
    if (n < 2) /* most lists of captures are as short as that */
        return n == 1 && values[0] >= threshold;
    int32_t key[ROOM], place[ROOM];
    seebatch_move move[SEEBATCH_MAX_MOVES];
    int16_t value[SEEBATCH_MAX_MOVES];
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        move[i] = moves[i];
        value[i] = values[i];
        key[i] = (PASSES - (values[i] < PASSES ? values[i] : (int)PASSES)) << VALUE_SHIFT |
                 tie_break(position, moves[i]) | (int32_t)i;
        good += values[i] >= threshold;
    }
    for (size_t i = n; i % BLOCK != 0; i++)
        key[i] = INT32_MAX;
    count_below(key, n, place);
    for (size_t i = 0; i < n; i++) {
        moves[place[i]] = move[i];
        values[place[i]] = value[i];
    }
    return good;
}

size_t seebatch_order(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                      seebatch_move *moves, size_t n, int16_t threshold, int16_t *values)
{
    assert(n <= SEEBATCH_MAX_MOVES);
    seebatch_values(rules, position, pins, moves, n, values);
    return sort_moves(position, moves, n, threshold, values);
}

size_t seebatch_split(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                      seebatch_move *moves, size_t n, const int16_t *thresholds)
{
    assert(n <= SEEBATCH_MAX_MOVES);
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    seebatch_move move[SEEBATCH_MAX_MOVES];
    seebatch_ge_mask_each(rules, position, pins, moves, n, thresholds, mask);
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        move[i] = moves[i];
        good += mask[i / 64] >> i % 64 & 1;
    }
    size_t next[2] = {good, 0}; /* the places of the next move that falls short, and of the next one that reaches */
    for (size_t i = 0; i < n; i++)
        moves[next[mask[i / 64] >> i % 64 & 1]++] = move[i];
    return good;
}

/* ---- Many positions --------------------------------------------------------------------------------------------- */

enum { PART_POSITIONS = 512 };

struct order_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    int16_t threshold;
    seebatch_move *sorted;
    int16_t *values;
    size_t *good;
};

/* Orders the moves of a part, which is the positions `begin` to `end` - 1. */
static void order_positions(const void *argument, size_t begin, size_t end)
{
    const struct order_work *work = (const struct order_work *)argument;
    const seebatch_batch *batch = work->batch;
    const seebatch_batch part = {batch->positions + begin, end - begin, batch->offsets + begin, batch->moves,
                                 batch->pins ? batch->pins + begin : NULL};
    const size_t first = batch->offsets[0], n_moves = part.offsets[part.n_positions] - part.offsets[0];
    if (n_moves) {
        const size_t at = part.offsets[0] - first;
        seebatch_batch_values(work->rules, &part, work->values + at, NULL);
        memmove(work->sorted + at, part.moves + part.offsets[0], n_moves * sizeof *part.moves);
    }
    for (size_t i = begin; i < end; i++) {
        const size_t n = batch->offsets[i + 1] - batch->offsets[i], at = batch->offsets[i] - first;
        assert(n <= SEEBATCH_MAX_MOVES);
        work->good[i] =
            n ? sort_moves(&batch->positions[i], work->sorted + at, n, work->threshold, work->values + at) : 0;
    }
}

seebatch_status seebatch_batch_order(const seebatch_rules *rules, const seebatch_batch *batch, int16_t threshold,
                                     seebatch_move *sorted, int16_t *values, size_t *good, seebatch_job *job)
{
    assert(batch && see_offsets_are_sound(batch));
    const struct order_work work = {rules, batch, threshold, sorted, values, good};
    return seebatch_run_job(job, batch->n_positions, PART_POSITIONS, order_positions, &work);
}
