/*
 * Many positions: a chunk of requests at a time, what the decision leaves open in lists (open_requests.h). A template,
 * compiled for each rule class; paths.h says which path a chunk takes.
 */
#ifndef SEEBATCH_LANES_BATCH_H
#define SEEBATCH_LANES_BATCH_H

#include "lengths.h"

/* How the requests of a chunk are decided. */
enum chunk_path {
    PATH_LANES,     /* a request a lane */
    PATH_RAYS,      /* along rays, where the kernel has them and no king matters */
    PATH_CONTESTED, /* the same, after moves to squares that the enemy does not attack have been set apart */
    PATH_TABLES,    /* from attack tables of each position */
    PATH_SWAP_LOOP  /* not at all: for tests of the loop */
};

/* The requests of a chunk that the decision leaves open: those that a king may concern, those that the swap loop
 * resolves at once, and under rules with pins those that tables leave open on positions without blockers. And where
 * lengths are asked for, too: those that were found, and the requests whose lengths were not. */
struct left {
    struct list open, resolvable, free, uncounted;
    int16_t *length;
};

/* Registers of requests, in whole words of a byte each. */
enum { CHUNK_REGISTERS = (SEE_CHUNK / LANES + 7) / 8 * 8 };

/* Lists the requests of a chunk, n of them, that are not decided. There is a byte for each register. Of eight registers
 * one or two requests are open, hardly ever more than three: three are written whatever their number, which a processor
 * could not guess. */
LANES_INLINE void list_undecided(struct list *open, uint8_t decided[CHUNK_REGISTERS], size_t n)
{
    const uint64_t every_lane = UINT64_C(0x0101010101010101) * EVERY_LANE;
    const size_t registers = (n + LANES - 1) / LANES;
    memset(decided + registers, -1, -registers % 8);
    for (size_t j = 0; j < registers; j += 8) {
        uint64_t bits;
        memcpy(&bits, decided + j, sizeof bits);
        bits = ~bits & every_lane;
        uint16_t *request = open->request + open->n;
        open->n += (size_t)__builtin_popcountll(bits);
        do {
            for (int i = 0; i < 3; i++, bits &= bits - 1) {
                const unsigned bit = lowest_bit(bits); /* of none: 64, which is not read */
                *request++ = (uint16_t)((j + bit / 8) * LANES + bit % 8);
            }
        } while (__builtin_expect(bits != 0, 0));
    }
    cut_off(open, n);
}

/* Notes bits of the requests from k on, in bytes of a register each. */
LANES_INLINE void note_bits(uint8_t noted[CHUNK_REGISTERS], size_t k, unsigned bits)
{
    if (k % LANES == 0)
        noted[k / LANES] = (uint8_t)bits;
    else
        noted[k / LANES] |= (uint8_t)(bits << k % LANES);
}

/* Decides what can be decided of a chunk, lane by lane, and lists what is left: of values, of lengths, or of both.
 * (blockers is only read; as a pointer to const gcc takes it for read before it is written.) */
LANES_INLINE void decide_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                  const struct chunk_boards *boards, uint64_t *blockers, struct left *left,
                                  const int16_t *threshold, int16_t *value, bool values, bool lengths)
{
    uint8_t decided[CHUNK_REGISTERS], counted[CHUNK_REGISTERS];
    const seebatch_move *move = chunk->move;
    for (size_t k = 0, n = chunk->n; k < n; k += DECIDED_AT_ONCE) {
        lanes plane[4];
        see_prefetch_upcoming(&chunk->upcoming, k, DECIDED_AT_ONCE);
        planes_of_requests(boards, k, plane);
        const struct lane_requests q = init_decided(rules, plane, move + k);
        struct lane_decision d = decide(rules, &q);
        if (threshold)
            decide_against(&d, load_values(threshold + k));
        lane_mask sure = d.decided, numbers_tell = lanes_empty(d.xray);
        if (kings_matter(rules)) {
            const lane_mask free = untouched(rules, &q, d.xray, words_of_requests(chunk, blockers, k));
            sure = mask_and(sure, free);
            numbers_tell = mask_and(numbers_tell, free);
            if (values && rules->any_order) {
                const lane_mask resolves = mask_without(free, mask_or(d.certain, mask_or(d.decided, d.promotes)));
                append(&left->resolvable, k, mask_bits(mask_used(resolves)) & EVERY_LANE);
                sure = mask_or(sure, resolves);
            }
        }
        if (values) {
            store_values(value + k, lanes_used(d.value));
            note_bits(decided, k, mask_bits(mask_used(mask_or(d.certain, sure))));
        }
        if (lengths)
            note_bits(counted, k, count_attackers(&q, move + k, q.attackers, numbers_tell, left->length + k));
    }
    if (values)
        list_undecided(&left->open, decided, chunk->n);
    if (lengths)
        list_undecided(&left->uncounted, counted, chunk->n);
    cut_off(&left->resolvable, chunk->n);
}

/* A rule class's decide_requests(), with thresholds, without, with lengths, and for lengths alone, value being NULL: a
 * function of its own, so that the loop has the registers for itself. */
typedef void decide_function(const struct lane_rules *rules, const struct see_chunk *chunk,
                             const struct chunk_boards *boards, uint64_t *blockers, struct left *left,
                             const int16_t *threshold, int16_t *value);

/* So many moves are decided at once from the tables of a position. They are made anew for those behind, which hardly a
 * position has: in a loop over any number compilers keep on the stack what they could have had from memory. */
enum { TABLED_MOVES = 64 };

static inline size_t at_once(size_t n) { return n < TABLED_MOVES ? n : (size_t)TABLED_MOVES; }

/* Decides what the attack tables of a position tell of n moves of it, TABLED_MOVES at most; so many more may be
 * readable. Writes the numbers of those that are open, the first move's being given, and returns how many there are. */
LANES_INLINE size_t decide_position(const struct lane_rules *rules, const struct table_values *values,
                                    const seebatch_position *position, lanes blockers, const seebatch_move *move,
                                    size_t n, size_t readable, const int16_t *threshold, int16_t *value, uint16_t *open,
                                    size_t first)
{
    struct tables tables;
    size_t n_open = 0;
    attack_tables_of(&tables, rules, position, seebatch_color_on(position, seebatch_from(*move)), blockers);
    for (size_t k = 0, end = at_once(n); k < end; k += TABLE_MOVES) {
        const uint64_t bits = decide_moves(rules, values, &tables, move + k, n - k, readable - k,
                                           threshold ? threshold + k : NULL, value + k);
        n_open += store_numbers_of_moves(open + n_open, first + k, bits);
    }
    return n_open;
}

/* Decides what the tables of position i of a chunk tell of its moves; blockers: of those that matter to them. */
LANES_INLINE void decide_moves_of(const struct lane_rules *rules, const struct table_values *values,
                                  const struct see_chunk *chunk, size_t i, uint64_t blockers, struct list *open,
                                  const int16_t *threshold, int16_t *value)
{
    const size_t readable = chunk->n + -chunk->n % SEE_CHUNK_PAD;
    for (size_t k = chunk->start[i], end = chunk->start[i + 1]; k < end; k += TABLED_MOVES)
        open->n += decide_position(rules, values, chunk->position[i], lanes_all((int64_t)blockers), chunk->move + k,
                                   at_once(end - k), readable - k, threshold ? threshold + k : NULL, value + k,
                                   open->request + open->n, k);
}

/* The same as decide_requests(), position by position, where they have many moves. Those without blockers are decided as
 * without kings (docs/kings.md). */
LANES_INLINE void decide_by_tables(const struct lane_rules *rules, const struct see_chunk *chunk, uint64_t *blockers,
                                   struct left *left, const int16_t *threshold, int16_t *value)
{
    const struct table_values values = table_values_of(rules);
    struct lane_rules without = *rules;
    without.pins = without.any_order = false;
    for (size_t i = 0; i < chunk->n_positions; i++) {
        see_prefetch_upcoming(&chunk->upcoming, chunk->start[i] & ~31u, 4);
        const uint64_t those = kings_matter(rules) ? blockers[i] : 0;
        if (those)
            decide_moves_of(rules, &values, chunk, i, those, &left->open, threshold, value);
        else
            decide_moves_of(&without, &values, chunk, i, 0, rules->pins ? &left->free : &left->open, threshold, value);
    }
}

/* Under rules with pins, where positions have many moves: their pins in place of all that may be some. */
LANES_INLINE void find_pins_of_chunk(const struct lane_rules *rules, const struct see_chunk *chunk, uint64_t *blockers,
                                     seebatch_pins found[SEE_CHUNK_POSITIONS])
{
    for (size_t i = 0; i < chunk->n_positions; i++) {
        if (!blockers[i])
            continue;
        seebatch_find_pins(rules->scalar, chunk->position[i], &found[i]);
        blockers[i] = blockers_given(rules->either, chunk->position[i], &found[i]);
    }
}

/* Decides what can be decided of a chunk; as decide_requests(). */
LANES_INLINE void decide_chunk(const struct lane_rules *rules, const struct see_chunk *chunk,
                               const struct chunk_boards *boards, uint64_t *blockers, enum chunk_path path,
                               struct left *left, const int16_t *threshold, int16_t *value,
                               decide_function *decide_lanes)
{
    if (path == PATH_SWAP_LOOP)
        for (; left->open.n < chunk->n; left->open.n++)
            left->open.request[left->open.n] = (uint16_t)left->open.n;
    else if (path == PATH_TABLES)
        decide_by_tables(rules, chunk, blockers, left, threshold, value);
    else if (rays_serve(rules))
        left->open.n = decide_on_rays(rules, chunk, threshold, value, left->open.request);
    else
        decide_lanes(rules, chunk, boards, blockers, left, threshold, value);
}

/* Resolves open requests where no king matters: decides some more, where that may help, and the rest by the loop. rest:
 * where each side chooses its order, what is left even so. */
LANES_INLINE void resolve_open(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *open,
                               int16_t *value, bool further, struct list *rest)
{
    struct list left;
    left.n = 0;
    if (open->n && further) {
        further_decision_pass(rules, chunk, open, value, &left, rest);
        open = &left;
    }
    if (open->n)
        resolve_list(rules, chunk, open, value, rest);
}

/* Evaluates requests by the scalar code. */
LANES_INLINE void resolve_rest(const struct lane_rules *rules, const seebatch_batch *batch,
                               const struct see_chunk *chunk, const struct list *rest, const int16_t *threshold,
                               int16_t *value)
{
    for (size_t j = 0; j < rest->n; j++) {
        const uint16_t k = rest->request[j];
        const seebatch_position *position = see_position_of(chunk, k);
        const seebatch_pins *pins = see_pins_of(batch, (size_t)(position - batch->positions));
        value[k] = scalar_value(rules->scalar, position, pins, chunk->move[k], threshold ? threshold + k : NULL);
    }
}

/* Resolves what is left where a king may matter. found: the pins of the positions of the open requests, or NULL. */
LANES_INLINE void resolve_with_kings(const struct lane_rules *rules, const seebatch_batch *batch,
                                     const struct see_chunk *chunk, bool decides, struct left *left,
                                     const seebatch_pins *found, const int16_t *threshold, int16_t *value)
{
    struct list pinned, rest;
    pinned.n = rest.n = 0;
    if (rules->pins && (found || batch->pins)) { /* at hand: lines to kings tell nothing more */
        resolve_with_pins(rules, batch, chunk, &left->open, found, value);
        return;
    }
    king_safety_pass(rules, chunk, &left->open, &left->resolvable, &pinned, threshold, value, decides);
    if (pinned.n && rules->pins)
        resolve_with_pins(rules, batch, chunk, &pinned, NULL, value);
    else if (pinned.n)
        single_line_pass(rules, chunk, &pinned, value, &rest);
    if (left->resolvable.n)
        resolve_list(rules, chunk, &left->resolvable, value, &rest);
    resolve_rest(rules, batch, chunk, &rest, threshold, value);
}

/* A rule class's function that resolves open requests where no king matters. */
typedef void resolve_function(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *open,
                              int16_t *value);

/* Values of a chunk; with thresholds, one for each request, values that are on the same side of them. The decision is
 * compiled with them and without, each on its own. length: NULL; or, on PATH_LANES, where the lengths go, and then value
 * may be NULL. */
LANES_INLINE void chunk_values(const struct lane_rules *rules, const seebatch_batch *batch,
                               const struct see_chunk *chunk, enum chunk_path path, const int16_t *threshold,
                               int16_t *value, int16_t *length, decide_function *decide_lanes,
                               resolve_function *resolve_others)
{
    struct left left;
    struct list none;
    struct chunk_boards boards;
    seebatch_pins found[SEE_CHUNK_POSITIONS];
    const bool pins = rules->pins, finds_pins = pins && path == PATH_TABLES && !batch->pins;
    uint64_t room[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD], *blockers = kings_matter(rules) ? room : NULL;
    left.open.n = left.resolvable.n = left.free.n = left.uncounted.n = none.n = 0;
    left.length = length;
    if (kings_matter(rules) || (!rays_serve(rules) && path != PATH_TABLES))
        load_boards(&boards, chunk);
    if (kings_matter(rules))
        find_king_blockers(rules, batch, &boards, blockers);
    if (finds_pins)
        find_pins_of_chunk(rules, chunk, blockers, found);
    if (threshold)
        decide_chunk(rules, chunk, &boards, blockers, path, &left, threshold, value, decide_lanes);
    else
        decide_chunk(rules, chunk, &boards, blockers, path, &left, NULL, value, decide_lanes);
    if (length)
        count_list(rules, chunk, blockers, &left.uncounted, length);
    if (!value)
        return;
    if (kings_matter(rules))
        resolve_with_kings(rules, batch, chunk, path != PATH_SWAP_LOOP, &left, finds_pins ? found : NULL, threshold,
                           value);
    else
        resolve_open(rules, chunk, &left.open, value, DECIDES_FURTHER && path != PATH_SWAP_LOOP, &none);
    if (pins && left.free.n) {
        const struct lane_rules copy = *rules; /* whose constants compilers know only while no other function has it */
        resolve_others(&copy, chunk, &left.free, value);
    }
}

/* What a chunk along rays has left where kings matter. In a request that none concerns, all goes as without kings:
 * under rules with pins the swap loop of those without resolves it. */
LANES_INLINE void resolve_with_kings_on_rays(const struct lane_rules *rules, const seebatch_batch *batch,
                                             const struct see_chunk *chunk, struct list *open, struct list *concerned,
                                             const seebatch_pins *found, const int16_t *threshold, int16_t *value,
                                             resolve_function *resolve_others)
{
    struct list pinned, rest;
    struct lane_rules on_rays = *rules;
    if (rules->pins) {
        if (open->n)
            resolve_others(rules, chunk, open, value);
        if (concerned->n)
            resolve_with_pins(rules, batch, chunk, concerned, found, value);
        return;
    }
    pinned.n = rest.n = 0;
    on_rays.rays = true;
    king_safety_pass(rules, chunk, concerned, open, &pinned, threshold, value, true);
    if (pinned.n)
        single_line_pass(rules, chunk, &pinned, value, &rest);
    resolve_open(&on_rays, chunk, open, value, true, &rest);
    resolve_rest(rules, batch, chunk, &rest, threshold, value);
}

/* Values of a chunk along rays where kings matter; contested: where positions have many moves. */
LANES_INLINE void values_with_kings_on_rays(const struct lane_rules *rules, const seebatch_batch *batch,
                                            const struct see_chunk *chunk, bool contested, const int16_t *threshold,
                                            int16_t *value, resolve_function *resolve_others)
{
    struct list open, concerned;
    const seebatch_batch *const given = rules->pins && batch->pins ? batch : NULL;
    struct king_blockers blockers;
    struct undecided undecided = {open.request, concerned.request, 0, 0};
    if (contested && threshold)
        decide_contested_with_kings(rules, chunk, given, threshold, value, &blockers, &undecided);
    else if (contested)
        decide_contested_with_kings(rules, chunk, given, NULL, value, &blockers, &undecided);
    else if (threshold)
        decide_on_rays_with_kings(rules, chunk, given, threshold, value, &blockers, &undecided);
    else
        decide_on_rays_with_kings(rules, chunk, given, NULL, value, &blockers, &undecided);
    open.n = undecided.n_open;
    concerned.n = undecided.n_concerned;
    resolve_with_kings_on_rays(rules, batch, chunk, &open, &concerned, given ? NULL : blockers.pins, threshold, value,
                               resolve_others);
}

/* The same along rays, for positions with many moves. */
LANES_INLINE void contested_values(const struct lane_rules *rules, const struct see_chunk *chunk,
                                   const int16_t *threshold, int16_t *value)
{
    struct list open, none;
    none.n = 0;
    if (!rays_serve(rules))
        return;
    if (threshold)
        open.n = decide_contested(rules, chunk, threshold, value, open.request);
    else
        open.n = decide_contested(rules, chunk, NULL, value, open.request);
    resolve_open(rules, chunk, &open, value, true, &none);
}

#endif
