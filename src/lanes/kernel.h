/*
 * A kernel with lanes: several requests a register, one in each lane. A template, compiled once for each instruction
 * set behind its board.h and kings.h.
 *
 * Setup. Each lane gets the board of its request, as planes of piece codes, and the lines through its target; or, as a
 * kernel may have it, what is seen from there along rays. From those follow the attackers of the target, of both
 * colours, and then, with these attackers taken off the board, the sliders hidden behind them. No table depends on the
 * occupancy, nothing is gathered.
 *
 * Decision. Most requests need no exchange to be played out. Let v0 be what the first move wins and v1 what the moved
 * piece is worth, A the opponent's attackers, B the own ones.
 *
 *   - A is empty: nothing is taken back, v0.
 *   - B is empty, hidden sliders included: what takes back stays, v0 - max(0, v1).
 *   - Nothing is hidden. Let w be the least valuable of A, u of B. The opponent takes back, then we take w, then the
 *     opponent takes u if he has a second attacker, and so on:
 *
 *         v0 - max(0, v1 - max(0, w - x)),   x = what the opponent gets for u, somewhere from 0 to u.
 *
 *     With a single attacker in A, x is 0. With a single one in B, nothing is taken back for u, so x is u if A has a
 *     second one. Otherwise the two ends of the range are bounds on the value, and where they meet, that is it.
 *     (Something hidden spoils this even where it is of the other colour: what stands behind it may not be.)
 *
 *     Kings: one that is alone in A cannot take a guarded piece, and one that is alone in B cannot take back if A has a
 *     second attacker. Counted as worth more than everything else, they decline by themselves.
 *
 * The rest, some percent, is packed, set up again, and played out in lanes: play_out(), the scalar loop of
 * ../scalar/see.c with the attackers found anew after every capture. It is exact for every request; the decision above
 * is only a shortcut. Rules that know kings, or leave the order to each side, ask for more: see looks.h.
 *
 * Maps. Where a position comes with many moves, they are decided from maps of all its squares instead: the kernel's
 * maps.h and map_moves.h. There a little more can be told for next to nothing:
 *
 *   - Two attackers in A, several in B, nothing hidden. With w, x of A in order and u the least of B, what is lost is
 *     v1 - (w - (u - x)), no difference being less than 0: they take, we take w, they take u with x or do not, since we
 *     take x in turn. Where A has more it is a bound.
 *
 *   - Something is hidden, but behind that nothing. It is one more attacker, too late for the first choice. If A has a
 *     single one, hidden ones included, we may take it; if B has a single one, what takes it stays. (A king that is
 *     alone to take, with sliders behind it, does not take what is guarded: they do not help it.)
 *
 * What maps leave open is finished as the rest.
 */
#include "passes.h"
#include "scalar/kernel.h"

/* The planes of one position, in every lane. */
LANES_INLINE void planes_of_one(const seebatch_position *position, lanes plane[4])
{
    for (int i = 0; i < 3; i++)
        plane[i] = lanes_all((int64_t)position->plane[i]);
    plane[3] = lanes_all((int64_t)position->white);
}

/* The requests of a chunk that the decision leaves open: those that are looked at once more, and those that can be
 * played out at once. */
struct left {
    struct list open, resolvable;
};

/* Registers of requests, in whole words of a byte each. */
enum { CHUNK_REGISTERS = (SEE_CHUNK / LANES + 7) / 8 * 8 };

/* Lists the requests of a chunk, n of them, that are not decided. There is a byte for each register; as few are left,
 * they are looked for once for all. Of eight registers one or two requests are open, hardly ever more than three: three
 * are written whatever their number, which a processor could not guess. */
LANES_INLINE void list_undecided(struct list *open, uint8_t decided[CHUNK_REGISTERS], size_t n)
{
    const uint64_t every_lane = UINT64_C(0x0101010101010101) * ((1u << LANES) - 1);
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
                const unsigned bit = (unsigned)_tzcnt_u64(bits); /* of none: 64, which is not read */
                *request++ = (uint16_t)((j + bit / 8) * LANES + bit % 8);
            }
        } while (__builtin_expect(bits != 0, 0));
    }
    cut_off(open, n);
}

/* Decides what can be decided of a chunk, lane by lane, and lists what is left. */
LANES_INLINE void decide_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                  const struct chunk_boards *boards, uint64_t *blockers, struct left *left,
                                  const int16_t *threshold, int16_t *value, bool force)
{
    struct list *open = &left->open, *resolvable = &left->resolvable;
    const unsigned every_lane = (1u << LANES) - 1;
    uint8_t decided[CHUNK_REGISTERS], *lanes_decided = decided;
    const bool kings_matter = rules->pins || rules->any_order;
    const seebatch_move *move = chunk->move;
    for (size_t k = 0, n = chunk->n; k < n; k += LANES) {
        lanes plane[4];
        see_prefetch_upcoming(&chunk->upcoming, k, LANES);
        planes_of_requests(boards, k, plane);
        const struct lane_requests q = init_requests(rules, plane, move + k);
        struct lane_decision d = decide(rules, &q);
        if (threshold)
            decide_against(&d, load_values(threshold + k));
        lane_mask sure = d.decided;
        if (kings_matter) {
            const lane_mask free = untouched(rules, &q, d.xray, words_of_requests(chunk, blockers, k));
            sure = mask_and(sure, free);
            if (rules->any_order) {
                const lane_mask resolves = mask_without(free, mask_or(d.certain, mask_or(d.decided, d.promotes)));
                if (!force) {
                    append(resolvable, k, mask_bits(resolves) & every_lane);
                    sure = mask_or(sure, resolves);
                }
            }
        }
        store_values(value + k, d.value);
        *lanes_decided++ = (uint8_t)mask_bits(mask_or(d.certain, sure));
    }
    if (force)
        memset(decided, 0, sizeof decided);
    list_undecided(open, decided, chunk->n);
    cut_off(resolvable, chunk->n);
}

/* So many moves are decided at once from the maps of a position. They are made anew for those behind, which hardly a
 * position has: in a loop over any number compilers keep on the stack what they could have had from memory. */
enum { NODE_MOVES = 64 };

static inline size_t at_once(size_t n) { return n < NODE_MOVES ? n : (size_t)NODE_MOVES; }

/* Decides what the maps of a position tell of n moves of it, MAPPED_MOVES at most; so many more may be readable. Writes
 * the numbers of those that are open, the first move's being given, and returns how many there are. */
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

/* The same as decide_requests(), position by position, where they have many moves. */
LANES_INLINE void decide_by_tables(const struct lane_rules *rules, const struct see_chunk *chunk, uint64_t *blockers,
                                   struct list *open, const int16_t *threshold, int16_t *value)
{
    const struct table_values values = table_values_of(rules);
    const bool kings_matter = rules->pins || rules->any_order;
    const size_t readable = chunk->n + -chunk->n % SEE_CHUNK_PAD;
    for (size_t i = 0; i < chunk->n_positions; i++) {
        const lanes given = kings_matter ? lanes_all((int64_t)blockers[i]) : lanes_zero();
        see_prefetch_upcoming(&chunk->upcoming, chunk->start[i] & ~31u, 4);
        for (size_t k = chunk->start[i], end = chunk->start[i + 1]; k < end; k += NODE_MOVES)
            open->n +=
                decide_position(rules, &values, chunk->position[i], given, chunk->move + k, at_once(end - k),
                                readable - k, threshold ? threshold + k : NULL, value + k, open->request + open->n, k);
    }
}

/* Whether maps are used: where there are enough moves a position, or they are forced. */
static inline bool tables_serve(const struct see_requests *requests, bool many_moves)
{
    return !(requests->flags & SEE_FORCE_LANES) && (many_moves || requests->flags & SEE_FORCE_MAPS);
}

/* A family's decide_requests(), with thresholds and without: functions of their own, so that the loop has the registers
 * for itself. (exposed is only read; as a pointer to const gcc takes it for read before it is written.) */
typedef void decide_function(const struct lane_rules *rules, const struct see_chunk *chunk,
                             const struct chunk_boards *boards, uint64_t *blockers, struct left *left,
                             const int16_t *threshold, int16_t *value, bool force);

LANES_INLINE void decide_either(const struct lane_rules *rules, const struct see_chunk *chunk,
                                const struct chunk_boards *boards, uint64_t *blockers, struct left *left,
                                const int16_t *threshold, int16_t *value, bool force)
{
    if (threshold)
        decide_requests(rules, chunk, boards, blockers, left, threshold, value, force);
    else
        decide_requests(rules, chunk, boards, blockers, left, NULL, value, force);
}

/* Decides what can be decided of a chunk; as decide_requests(). */
LANES_INLINE void decide_chunk(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct see_chunk *chunk, const struct chunk_boards *boards, uint64_t *blockers,
                               bool by_tables, struct left *left, const int16_t *threshold, int16_t *value,
                               decide_function *decide_lanes)
{
    const bool force = requests->flags & SEE_FORCE_LANES;
    if (by_tables)
        decide_by_tables(rules, chunk, blockers, &left->open, threshold, value);
    else if (rays_serve(rules) && force)
        for (; left->open.n < chunk->n; left->open.n++)
            left->open.request[left->open.n] = (uint16_t)left->open.n;
    else if (rays_serve(rules))
        left->open.n = decide_each(rules, chunk, threshold, value, left->open.request);
    else
        decide_lanes(rules, chunk, boards, blockers, left, threshold, value, force);
}

/* Finishes open requests where no king matters: decides some more, where that may help, and plays the rest out. */
LANES_INLINE void finish_open(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *open,
                              int16_t *value, bool further)
{
    struct list left, none;
    left.n = none.n = 0;
    if (open->n && further) {
        further_decision_pass(rules, chunk, open, value, &left);
        open = &left;
    }
    if (open->n)
        resolve_list(rules, chunk, open, value, &none);
}

/* Finishes what is left where a king may matter. */
LANES_INLINE void finish_with_kings(const struct lane_rules *rules, const struct see_requests *requests,
                                    const struct see_chunk *chunk, struct left *left, const int16_t *threshold,
                                    int16_t *value)
{
    struct list pinned, rest;
    pinned.n = rest.n = 0;
    if (rules->pins && requests->pins) { /* at hand: no look at lines tells more */
        resolve_with_pins(rules, requests, chunk, &left->open, value);
        return;
    }
    king_safety_pass(rules, chunk, &left->open, &left->resolvable, &pinned, threshold, value,
                     requests->flags & SEE_FORCE_LANES);
    if (pinned.n && rules->pins)
        resolve_with_pins(rules, requests, chunk, &pinned, value);
    else if (pinned.n)
        single_line_pass(rules, chunk, &pinned, value, &rest);
    if (left->resolvable.n)
        resolve_list(rules, chunk, &left->resolvable, value, &rest);
    for (size_t j = 0; j < rest.n; j++) {
        const uint16_t k = rest.request[j];
        const seebatch_position *position = see_position_of(chunk, k);
        const seebatch_pins *pins = see_pins_of(requests, (size_t)(position - requests->positions));
        value[k] = scalar_value(rules->scalar, position, pins, chunk->move[k], threshold ? threshold + k : NULL);
    }
}

/* Values of a chunk; with thresholds, one for each request, values that are on the same side of them. The decision is
 * compiled with them and without, each on its own. */
LANES_INLINE void chunk_values(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct see_chunk *chunk, const int16_t *threshold, int16_t *value,
                               decide_function *decide_lanes)
{
    const bool kings_matter = rules->pins || rules->any_order;
    struct left left;
    struct chunk_boards boards;
    uint64_t room[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD], *blockers = kings_matter ? room : NULL;
    const bool by_tables = !rays_serve(rules) && tables_serve(requests, chunk->n >= TABLES_FROM * chunk->n_positions);
    left.open.n = left.resolvable.n = 0;
    if (kings_matter || !(rays_serve(rules) || by_tables))
        load_boards(&boards, chunk);
    if (kings_matter)
        find_king_blockers(rules, requests, &boards, blockers);
    if (threshold)
        decide_chunk(rules, requests, chunk, &boards, blockers, by_tables, &left, threshold, value, decide_lanes);
    else
        decide_chunk(rules, requests, chunk, &boards, blockers, by_tables, &left, NULL, value, decide_lanes);
    if (kings_matter)
        finish_with_kings(rules, requests, chunk, &left, threshold, value);
    else
        finish_open(rules, chunk, &left.open, value, DECIDES_FURTHER && !(requests->flags & SEE_FORCE_LANES));
}

/* The same where rays serve, for positions with many moves. */
LANES_INLINE void many_values(const struct lane_rules *rules, const struct see_chunk *chunk, const int16_t *threshold,
                              int16_t *value)
{
    struct list open;
    if (threshold)
        open.n = decide_contested(rules, chunk, threshold, value, open.request);
    else
        open.n = decide_contested(rules, chunk, NULL, value, open.request);
    finish_open(rules, chunk, &open, value, true);
}

/* The squares of a position whose leaving may matter to a king, in every lane. */
LANES_INLINE lanes king_blockers_on(const struct lane_rules *rules, const seebatch_position *position,
                                    const seebatch_pins *pins)
{
    const seebatch_position *positions[LANES];
    lanes plane[4];
    if (!rules->pins && !rules->any_order)
        return lanes_zero();
    if (rules->pins && pins)
        return lanes_all((int64_t)blockers_given(position, pins));
    for (int lane = 0; lane < LANES; lane++)
        positions[lane] = position;
    planes_of_one(position, plane);
    return king_blockers_of(rules, plane, positions);
}

/* Finishes the open requests of one position, a bit each: nothing need be kept for playing out, and the scalar code is
 * as quick as lanes of which most stay empty. Functions of their own, so that who has nothing open keeps nothing for
 * them, either. */
static __attribute__((noinline)) void finish_values(const seebatch_rules *rules, const seebatch_position *position,
                                                    const seebatch_move *move, unsigned open, int16_t *value,
                                                    const seebatch_pins *pins)
{
    for (; open; open &= open - 1) {
        const size_t j = (size_t)__builtin_ctz(open);
        value[j] = scalar_value(rules, position, pins, move[j], NULL);
    }
}

/* The same against thresholds: the bits of those whose values are at least as high. */
static __attribute__((noinline)) unsigned finish_bits(const seebatch_rules *rules, const seebatch_position *position,
                                                      const seebatch_move *move, unsigned open,
                                                      const int16_t *threshold, const seebatch_pins *pins)
{
    unsigned bits = 0;
    for (; open; open &= open - 1) {
        const size_t j = (size_t)__builtin_ctz(open);
        bits |= (unsigned)(scalar_value(rules, position, pins, move[j], &threshold[j]) >= threshold[j]) << j;
    }
    return bits;
}

/* What is told of a register of requests: values, and the bits of those that are open. */
struct register_values {
    lanes value;
    unsigned open;
};

/* Values of n requests of one position, LANES at most; as many moves are read. few: there are no more than FEW_LANES,
 * and no more than n are read. threshold: where values on the same side of these will do; or NULL. */
LANES_INLINE struct register_values register_values(const struct lane_rules *rules, const seebatch_position *position,
                                                    const lanes plane[4], const seebatch_move *move, size_t n, bool few,
                                                    const seebatch_pins *pins, const lanes *threshold)
{
    const bool kings_matter = rules->pins || rules->any_order;
    const seebatch_position *positions[LANES];
    for (int lane = 0; lane < LANES; lane++)
        positions[lane] = position;
    lane_mask plain;
    const struct lane_requests q = init_requests_of_node(rules, position, plane, move, n, few, &plain);
    struct lane_decision d = decide(rules, &q);
    if (threshold)
        decide_against(&d, *threshold);
    lane_mask decided = d.decided;
    if (kings_matter)
        decided = mask_and(decided, untouched(rules, &q, d.xray, king_blockers_on(rules, position, pins)));
    struct register_values decided_here = {
        d.value, _bzhi_u32(~mask_bits(mask_and(plain, mask_or(d.certain, decided))), (unsigned)n)};
    if (decided_here.open && (DECIDES_FURTHER || kings_matter)) {
        if (DECIDES_FURTHER)
            decide_further(rules, &q, &d);
        decided = d.decided;
        decided_here.value = d.value;
        if (kings_matter) {
            const lane_mask free = mask_not(king_may_matter(rules, &q, d.xray, positions));
            decided = mask_and(d.decided, free);
            lane_mask resolves =
                mask_and(mask_and(mask_of_bits(decided_here.open), plain), resolvable_in_lanes(&d, free));
            resolves = mask_without(resolves, mask_or(d.certain, decided));
            if (mask_bits(resolves)) {
                lanes resolved;
                lane_mask doubt;
                const struct lane_pinning free_of_kings = {NULL, NULL};
                swap_loop(rules, &q, free_of_kings, 1, resolves, &resolved, &doubt);
                decided_here.value = lanes_select(resolves, resolved, decided_here.value);
                decided = mask_or(decided, mask_without(resolves, doubt));
            }
        }
        decided_here.open &= ~mask_bits(mask_and(plain, mask_or(d.certain, decided)));
    }
    return decided_here;
}

/* Requests of one position that go through lanes are fewer than MAPS_FROM_SINGLE; so many, in whole registers. */
enum { LANES_AT_MOST = (TABLES_FROM_NODE - 1 + LANES - 1) / LANES * LANES };

/* Values of n requests of one position, LANES at most, as register_values() reads them; as many are written. What is
 * open is finished at once: lists would cost a single node of an engine more than they save. */
LANES_INLINE void single_values(const struct lane_rules *rules, const seebatch_position *position,
                                const seebatch_move *move, size_t n, bool few, int16_t *value,
                                const seebatch_pins *pins)
{
    lanes plane[4];
    planes_of_one(position, plane);
    const struct register_values decided_here = register_values(rules, position, plane, move, n, few, pins, NULL);
    if (few)
        store_few(value, decided_here.value, n);
    else
        store_values(value, decided_here.value);
    if (decided_here.open)
        finish_values(rules->scalar, position, move, decided_here.open, value, pins);
}

/* Values of more, LANES_AT_MOST at most, in whole registers. */
LANES_INLINE void several_values(const struct lane_rules *rules, const seebatch_position *position,
                                 const seebatch_move *move, size_t n, int16_t *value, const seebatch_pins *pins)
{
    lanes plane[4];
    planes_of_one(position, plane);
    unsigned open = 0;
    for (size_t k = 0; k < n; k += LANES) {
        const size_t some = n - k < LANES ? n - k : (size_t)LANES;
        const struct register_values decided_here =
            register_values(rules, position, plane, move + k, some, false, pins, NULL);
        store_values(value + k, decided_here.value);
        open |= decided_here.open << k;
    }
    if (open)
        finish_values(rules->scalar, position, move, open, value, pins);
}

/* The bits of n requests of one position, LANES at most, whose values are at least their thresholds; of these LANES are
 * read. */
LANES_INLINE unsigned single_bits(const struct lane_rules *rules, const seebatch_position *position,
                                  const seebatch_move *move, size_t n, bool few, const int16_t threshold[LANES],
                                  const seebatch_pins *pins)
{
    const lanes against = load_values(threshold);
    lanes plane[4];
    planes_of_one(position, plane);
    const struct register_values decided_here = register_values(rules, position, plane, move, n, few, pins, &against);
    const unsigned bits = _bzhi_u32(~mask_bits(value_less(decided_here.value, against)), (unsigned)n);
    if (decided_here.open)
        return (bits & ~decided_here.open) |
               finish_bits(rules->scalar, position, move, decided_here.open, threshold, pins);
    return bits;
}

/* Values of the requests of one position, n of them, as far as its maps tell: as decide_position(). */
LANES_INLINE size_t values_by_tables(const struct lane_rules *rules, const seebatch_position *position,
                                     const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                     const int16_t *threshold, int16_t *value, uint16_t *open)
{
    const struct table_values values = table_values_of(rules);
    return decide_position(rules, &values, position, king_blockers_on(rules, position, pins), move, n, n, threshold,
                           value, open, 0);
}

/* For few requests and for a register, each compiled on its own. */
LANES_INLINE void single_either(const struct lane_rules *rules, const seebatch_position *position,
                                const seebatch_move *move, size_t n, int16_t *value, const seebatch_pins *pins)
{
    if (rays_serve(rules) && n <= FEW_LANES)
        single_values(rules, position, move, n, true, value, pins);
    else
        single_values(rules, position, move, n, false, value, pins);
}

LANES_INLINE unsigned bits_either(const struct lane_rules *rules, const seebatch_position *position,
                                  const seebatch_move *move, size_t n, const int16_t *threshold,
                                  const seebatch_pins *pins)
{
    return rays_serve(rules) && n <= FEW_LANES ? single_bits(rules, position, move, n, true, threshold, pins)
                                               : single_bits(rules, position, move, n, false, threshold, pins);
}

LANES_INLINE size_t tables_either(const struct lane_rules *rules, const seebatch_position *position,
                                  const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                  const int16_t *threshold, int16_t *value, uint16_t *open)
{
    return threshold ? values_by_tables(rules, position, pins, move, n, threshold, value, open)
                     : values_by_tables(rules, position, pins, move, n, NULL, value, open);
}

/* The families of rules: what is compiled for each. */
struct rule_class {
    void (*chunk)(const struct lane_rules *, const struct see_requests *, const struct see_chunk *, const int16_t *,
                  int16_t *);
    /* Requests of one position: values of a register, or of as few as it can do with where they are; of more, in whole
     * registers, where a register has not room for all; and bits of a register, or of few. */
    void (*single)(const seebatch_rules *, const seebatch_position *, const seebatch_move *, size_t, int16_t *,
                   const seebatch_pins *);
    void (*several)(const seebatch_rules *, const seebatch_position *, const seebatch_move *, size_t, int16_t *,
                    const seebatch_pins *);
    unsigned (*bits)(const seebatch_rules *, const seebatch_position *, const seebatch_move *, size_t, const int16_t *,
                     const seebatch_pins *);
    size_t (*tables)(const seebatch_rules *, const seebatch_position *, const seebatch_pins *, const seebatch_move *,
                     size_t, const int16_t *, int16_t *, uint16_t *);
    /* Chunks of positions with many moves, where they go along rays, and never by maps; or NULL. */
    void (*many)(const struct lane_rules *, const struct see_chunk *, const int16_t *, int16_t *);
};

/* What a family's rules have in common, as constants. (In place: a copy of all rules compilers may really make.) */
LANES_INLINE void specialize(struct lane_rules *rules, bool promote_all, bool pins, bool any_order)
{
    rules->promote_all = promote_all;
    rules->pins = pins;
    rules->any_order = any_order;
}

static __attribute__((noinline)) void plain_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                                     const struct chunk_boards *boards, uint64_t *blockers,
                                                     struct left *left, const int16_t *threshold, int16_t *value,
                                                     bool force)
{
    struct lane_rules r = *rules;
    specialize(&r, false, false, false);
    decide_either(&r, chunk, boards, blockers, left, threshold, value, force);
}

static void plain_chunk(const struct lane_rules *rules, const struct see_requests *requests,
                        const struct see_chunk *chunk, const int16_t *threshold, int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, false, false, false);
    chunk_values(&r, requests, chunk, threshold, value, plain_requests);
}

static void plain_many(const struct lane_rules *rules, const struct see_chunk *chunk, const int16_t *threshold,
                       int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, false, false, false);
    many_values(&r, chunk, threshold, value);
}

static void plain_single(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                         size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, false, false, false);
    single_either(&r, position, move, n, value, pins);
}

static void plain_several(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                          size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, false, false, false);
    several_values(&r, position, move, n, value, pins);
}

static unsigned plain_bits(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                           size_t n, const int16_t *threshold, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, false, false, false);
    return bits_either(&r, position, move, n, threshold, pins);
}

static size_t plain_maps(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                         const seebatch_move *move, size_t n, const int16_t *threshold, int16_t *value, uint16_t *open)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, false, false, false);
    return tables_either(&r, position, pins, move, n, threshold, value, open);
}

static __attribute__((noinline)) void promotions_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                                          const struct chunk_boards *boards, uint64_t *blockers,
                                                          struct left *left, const int16_t *threshold, int16_t *value,
                                                          bool force)
{
    struct lane_rules r = *rules;
    specialize(&r, true, false, false);
    decide_either(&r, chunk, boards, blockers, left, threshold, value, force);
}

static void promotions_chunk(const struct lane_rules *rules, const struct see_requests *requests,
                             const struct see_chunk *chunk, const int16_t *threshold, int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, true, false, false);
    chunk_values(&r, requests, chunk, threshold, value, promotions_requests);
}

static void promotions_many(const struct lane_rules *rules, const struct see_chunk *chunk, const int16_t *threshold,
                            int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, true, false, false);
    many_values(&r, chunk, threshold, value);
}

static void promotions_single(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                              size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, true, false, false);
    single_either(&r, position, move, n, value, pins);
}

static void promotions_several(const seebatch_rules *rules, const seebatch_position *position,
                               const seebatch_move *move, size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, true, false, false);
    several_values(&r, position, move, n, value, pins);
}

static unsigned promotions_bits(const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_move *move, size_t n, const int16_t *threshold,
                                const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, true, false, false);
    return bits_either(&r, position, move, n, threshold, pins);
}

static size_t promotions_maps(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              const seebatch_move *move, size_t n, const int16_t *threshold, int16_t *value,
                              uint16_t *open)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, true, false, false);
    return tables_either(&r, position, pins, move, n, threshold, value, open);
}

static __attribute__((noinline)) void pins_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                                    const struct chunk_boards *boards, uint64_t *blockers,
                                                    struct left *left, const int16_t *threshold, int16_t *value,
                                                    bool force)
{
    struct lane_rules r = *rules;
    specialize(&r, rules->promote_all, true, false);
    decide_either(&r, chunk, boards, blockers, left, threshold, value, force);
}

static void pins_chunk(const struct lane_rules *rules, const struct see_requests *requests,
                       const struct see_chunk *chunk, const int16_t *threshold, int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, rules->promote_all, true, false);
    chunk_values(&r, requests, chunk, threshold, value, pins_requests);
}

static void pins_single(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                        size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, true, false);
    single_either(&r, position, move, n, value, pins);
}

static void pins_several(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                         size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, true, false);
    several_values(&r, position, move, n, value, pins);
}

static unsigned pins_bits(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                          size_t n, const int16_t *threshold, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, true, false);
    return bits_either(&r, position, move, n, threshold, pins);
}

static size_t pins_maps(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                        const seebatch_move *move, size_t n, const int16_t *threshold, int16_t *value, uint16_t *open)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, true, false);
    return tables_either(&r, position, pins, move, n, threshold, value, open);
}

static __attribute__((noinline)) void legal_requests(const struct lane_rules *rules, const struct see_chunk *chunk,
                                                     const struct chunk_boards *boards, uint64_t *blockers,
                                                     struct left *left, const int16_t *threshold, int16_t *value,
                                                     bool force)
{
    struct lane_rules r = *rules;
    specialize(&r, rules->promote_all, false, true);
    decide_either(&r, chunk, boards, blockers, left, threshold, value, force);
}

static void legal_chunk(const struct lane_rules *rules, const struct see_requests *requests,
                        const struct see_chunk *chunk, const int16_t *threshold, int16_t *value)
{
    struct lane_rules r = *rules;
    specialize(&r, rules->promote_all, false, true);
    chunk_values(&r, requests, chunk, threshold, value, legal_requests);
}

static void legal_single(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                         size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, false, true);
    single_either(&r, position, move, n, value, pins);
}

static void legal_several(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                          size_t n, int16_t *value, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, false, true);
    several_values(&r, position, move, n, value, pins);
}

static unsigned legal_bits(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *move,
                           size_t n, const int16_t *threshold, const seebatch_pins *pins)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, false, true);
    return bits_either(&r, position, move, n, threshold, pins);
}

static size_t legal_maps(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                         const seebatch_move *move, size_t n, const int16_t *threshold, int16_t *value, uint16_t *open)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    specialize(&r, r.promote_all, false, true);
    return tables_either(&r, position, pins, move, n, threshold, value, open);
}

static const struct rule_class rule_classes[] = {
    {plain_chunk, plain_single, LANES_AT_MOST > (int)LANES ? plain_several : NULL, plain_bits, plain_maps,
     HAVE_RAYS ? plain_many : NULL},
    {promotions_chunk, promotions_single, LANES_AT_MOST > (int)LANES ? promotions_several : NULL, promotions_bits,
     promotions_maps, HAVE_RAYS ? promotions_many : NULL},
    {pins_chunk, pins_single, LANES_AT_MOST > (int)LANES ? pins_several : NULL, pins_bits, pins_maps, NULL},
    {legal_chunk, legal_single, LANES_AT_MOST > (int)LANES ? legal_several : NULL, legal_bits, legal_maps, NULL},
};

LANES_INLINE const struct rule_class *rule_class_of(const seebatch_rules *rules)
{
    return rule_classes + (rules->order == SEEBATCH_BEST_ORDER         ? 3
                           : see_rules_have_pins(rules)                ? 2
                           : rules->promotions == SEEBATCH_PROMOTE_ALL ? 1
                                                                       : 0);
}

/* Whether these lanes may do better than the next kernel: not where a side chooses its order and the values do not rise
 * with the types, so that least valuable first is not known to be the best. */
static inline bool lanes_help(const seebatch_rules *rules)
{
    return rules->order != SEEBATCH_BEST_ORDER || see_values_rise(rules);
}

/* A call for the moves of one position goes without chunks, up to so many, unless it is to go the longest way. */
enum { MOST_SINGLE = 256 };

static bool is_single(const struct see_requests *requests)
{
    return requests->n_positions == 1 && see_requests_count(requests) <= MOST_SINGLE &&
           !(requests->flags & SEE_FORCE_LANES);
}

/* Whether a family can do with n moves of one position where they are: a register of them, or few. */
LANES_INLINE bool read_in_place(const struct rule_class *rule_class, size_t n)
{
    return n == LANES || (rule_class->many && n <= FEW_LANES);
}

/* Values of fewer requests of one position than a register has lanes. */
static __attribute__((noinline)) void values_of_few(const seebatch_rules *rules, const seebatch_position *position,
                                                    const seebatch_move *move, size_t n, int16_t *value,
                                                    const seebatch_pins *pins)
{
    /* Aligned, lest they lie across two cache lines: then a load waits for what was just stored. */
    seebatch_move some[LANES] __attribute__((aligned(2 * LANES)));
    int16_t result[LANES] __attribute__((aligned(2 * LANES)));
    copy_words(some, move, n);
    rule_class_of(rules)->single(rules, position, some, n, result, pins);
    copy_values(value, result, n);
}

/* Values of requests of one position, fewer than MAPS_FROM_SINGLE. */
LANES_INLINE void values_in_lanes(const struct rule_class *rule_class, const seebatch_rules *rules,
                                  const seebatch_position *position, const seebatch_move *move, size_t n,
                                  int16_t *value, const seebatch_pins *pins)
{
    if (read_in_place(rule_class, n)) {
        rule_class->single(rules, position, move, n, value, pins);
    } else if (n < LANES) {
        values_of_few(rules, position, move, n, value, pins);
    } else if (n % LANES == 0) {
        rule_class->several(rules, position, move, n, value, pins);
    } else {
        rule_class->several(rules, position, move, n - n % LANES, value, pins);
        values_of_few(rules, position, move + (n - n % LANES), n % LANES, value + (n - n % LANES), pins);
    }
}

/* A value that maps have left open, or one that is on the same side of its threshold. Where no king matters the quick
 * ways to tell it have failed; otherwise it has only looked as if one might. */
static inline int16_t open_value(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, seebatch_move move, const int16_t *threshold)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED)
        return scalar_value(rules, position, pins, move, threshold);
    if (!threshold)
        return (int16_t)seebatch_scalar_value(rules, position, pins, move);
    return seebatch_scalar_at_least(rules, position, pins, move, *threshold) ? INT16_MAX : INT16_MIN;
}

/* Values of the requests of one position, MAPPED_MOVES at most, from its maps, as far as those tell. What they leave
 * open is little, most often nothing, and quicker in scalar code than in lanes that stay empty. Writes values up to the
 * next multiple of 64. */
LANES_INLINE void table_answers(const struct rule_class *rule_class, const seebatch_rules *rules,
                                const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                                size_t n, const int16_t *threshold, int16_t *value)
{
    uint16_t open[NODE_MOVES + TABLE_MOVES];
    const size_t n_open = rule_class->tables(rules, position, pins, move, n, threshold, value, open);
    if (n_open <= OPEN_TO_SCALAR) {
        for (size_t j = 0; j < n_open; j++) {
            const uint16_t k = open[j];
            value[k] = open_value(rules, position, pins, move[k], threshold ? threshold + k : NULL);
        }
        return;
    }
    for (size_t j = 0; j < n_open; j += LANES) {
        const size_t some = n_open - j < LANES ? n_open - j : (size_t)LANES;
        seebatch_move rest[LANES];
        int16_t against[LANES], result[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            const uint16_t k = open[lane < some ? j + lane : j];
            rest[lane] = move[k];
            against[lane] = threshold ? threshold[k] : 0;
        }
        if (threshold) {
            const unsigned bits = rule_class->bits(rules, position, rest, some, against, pins);
            for (size_t lane = 0; lane < some; lane++)
                result[lane] = bits >> lane & 1 ? INT16_MAX : INT16_MIN;
        } else {
            rule_class->single(rules, position, rest, some, result, pins);
        }
        for (size_t lane = 0; lane < some; lane++)
            value[open[j + lane]] = result[lane];
    }
}

/* The same for any number of them. */
static void values_from_tables(const struct rule_class *rule_class, const seebatch_rules *rules,
                               const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                               size_t n, const int16_t *threshold, int16_t *value)
{
    for (size_t k = 0; k < n; k += NODE_MOVES)
        table_answers(rule_class, rules, position, pins, move + k, at_once(n - k), threshold ? threshold + k : NULL,
                      value + k);
}

/* The values of a chunk; where its family knows no maps in chunks, but maps are forced, position by position. */
static void values_of_chunk(const struct rule_class *rule_class, const struct lane_rules *rules,
                            const struct see_requests *requests, const struct see_chunk *chunk,
                            const int16_t *threshold, int16_t *value)
{
    if (rule_class->many && !requests->flags && chunk->n >= CONTESTED_FROM * chunk->n_positions) {
        rule_class->many(rules, chunk, threshold, value);
        return;
    }
    if (!rule_class->many || !(requests->flags & SEE_FORCE_MAPS)) {
        rule_class->chunk(rules, requests, chunk, threshold, value);
        return;
    }
    for (size_t i = 0; i < chunk->n_positions; i++) {
        const seebatch_position *position = chunk->position[i];
        const seebatch_pins *pins = see_pins_of(requests, (size_t)(position - requests->positions));
        for (size_t k = chunk->start[i], end = chunk->start[i + 1], n; k < end; k += n) {
            n = end - k < MOST_SINGLE ? end - k : (size_t)MOST_SINGLE;
            values_from_tables(rule_class, rules->scalar, position, pins, chunk->move + k, n,
                               threshold ? threshold + k : NULL, value + k);
        }
    }
}

/* Copies n values: by memcpy(), as gcc must not see that they are few, of which it makes an instruction of 10 ns. */
LANES_INLINE void copy_out(int16_t *values, const int16_t *value, size_t n)
{
    __asm__("" : "+r"(n));
    memcpy(values, value, n * sizeof *values);
}

/* Values of n requests of one position, MOST_SINGLE at most, from its maps. */
static void values_of_single(const struct rule_class *rule_class, const seebatch_rules *rules,
                             const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                             size_t n, int16_t *values)
{
    int16_t value[MOST_SINGLE + TABLE_MOVES];
    values_from_tables(rule_class, rules, position, pins, move, n, NULL, value);
    copy_out(values, value, n);
}

/* Values in chunks, of any requests. */
static void values_in_chunks(const struct rule_class *rule_class, const seebatch_rules *rules,
                             const struct see_requests *requests, int16_t *values)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD];
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    while (see_next_chunk(requests, &cursor, &chunk, expand_eight)) {
        chunk.upcoming.values = (uintptr_t)(values + chunk.n);
        values_of_chunk(rule_class, &r, requests, &chunk, NULL, value);
        memcpy(values, value, chunk.n * sizeof *values);
        values += chunk.n;
    }
}

/* The functions of the contract in kernel.h, for requests that lanes_help(). */
static void lanes_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    const struct rule_class *rule_class = rule_class_of(rules);
    const size_t n = see_requests_count(requests);
    const seebatch_move *move = requests->moves + requests->offsets[0];
    if (!is_single(requests))
        values_in_chunks(rule_class, rules, requests, values);
    else if (tables_serve(requests, n >= TABLES_FROM_NODE))
        values_of_single(rule_class, rules, requests->positions, requests->pins, move, n, values);
    else
        values_in_lanes(rule_class, rules, requests->positions, move, n, values, requests->pins);
}

/* Those of a node, from its maps once made. */
static __attribute__((noinline)) void node_values_by_tables(const seebatch_rules *rules,
                                                            const seebatch_position *position,
                                                            const seebatch_move *moves, size_t n, int16_t *values)
{
    int16_t value[NODE_MOVES];
    table_answers(rule_class_of(rules), rules, position, NULL, moves, n, NULL, value);
    copy_out(values, value, n);
}

/* Those of a node with more moves. */
static __attribute__((noinline)) void many_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                                       const seebatch_move *moves, size_t n, int16_t *values)
{
    const size_t offsets[2] = {0, n};
    const struct see_requests requests = {position, 1, offsets, moves, NULL, 0};
    lanes_values(rules, &requests, values);
}

LANES_INLINE void lanes_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                    const seebatch_move *moves, size_t n, int16_t *values)
{
    if (n < TABLES_FROM_NODE)
        values_in_lanes(rule_class_of(rules), rules, position, moves, n, values, NULL);
    else if (n <= NODE_MOVES)
        node_values_by_tables(rules, position, moves, n, values);
    else
        many_node_values(rules, position, moves, n, values);
}

/* Writes the bits of n values against n thresholds; both are readable up to the next multiple of 64. */
LANES_INLINE uint64_t *write_bits(uint64_t *mask, const int16_t *value, const int16_t *threshold, size_t n)
{
    for (size_t k = 0; k < n; k += 64) {
        const uint64_t word = at_least(value + k, threshold + k);
        *mask++ = n - k < 64 ? word & ((UINT64_C(1) << (n - k)) - 1) : word;
    }
    return mask;
}

/* The bits of requests k to k + LANES - 1 of n: a register's values against its thresholds. Values that were stored a
 * moment ago are read as they were stored: read 64 at a time they would have to wait for the cache. */
LANES_INLINE void write_some_bits(uint64_t *mask, const int16_t value[LANES], const int16_t threshold[LANES], size_t k,
                                  size_t n)
{
    const unsigned wanted = (1u << (n - k < LANES ? n - k : (size_t)LANES)) - 1;
    const uint64_t bits = values_at_least(value, threshold) & wanted;
    mask[k / 64] = (k % 64 ? mask[k / 64] : 0) | bits << k % 64;
}

/* Copies n thresholds; the lanes behind the last get some, too. */
static void copy_thresholds(int16_t *threshold, const int16_t *thresholds, size_t n)
{
    memcpy(threshold, thresholds, n * sizeof *threshold);
    fill_values(threshold + n, 0, LANES);
}

/* Bits of requests of one position, fewer than MAPS_FROM_SINGLE; as the contract's. */
LANES_INLINE void bits_in_lanes(const struct rule_class *rule_class, const seebatch_rules *rules,
                                const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                                size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    seebatch_move last[LANES] __attribute__((aligned(2 * LANES)));
    int16_t some[LANES] __attribute__((aligned(2 * LANES)));
    uint64_t bits = 0;
    size_t k = 0;
    if (!step)
        fill_values(some, *thresholds, LANES);
    do {
        const size_t left = n - k < LANES ? n - k : (size_t)LANES;
        const seebatch_move *moves = move + k;
        if (step && left == LANES)
            memcpy(some, thresholds + k, sizeof some);
        else if (step)
            copy_words((uint16_t *)some, (const uint16_t *)thresholds + k, left);
        if (!read_in_place(rule_class, left)) {
            copy_words(last, moves, left);
            moves = last;
        }
        bits |= (uint64_t)rule_class->bits(rules, position, moves, left, some, pins) << k;
        k += LANES;
    } while (LANES_AT_MOST > (int)LANES && k < n);
    *mask = bits;
}

/* The same from its maps. */
static void bits_from_tables(const struct rule_class *rule_class, const seebatch_rules *rules,
                             const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                             size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    int16_t value[MOST_SINGLE + TABLE_MOVES], threshold[MOST_SINGLE + TABLE_MOVES];
    threshold[0] = *thresholds; /* gcc 12 does not see that this is done in either case */
    if (step)
        copy_thresholds(threshold, thresholds, n);
    else
        fill_values(threshold, *thresholds, n);
    values_from_tables(rule_class, rules, position, pins, move, n, threshold, value);
    for (size_t k = 0; k < n; k += LANES)
        write_some_bits(mask, value + k, threshold + k, k, n);
}

/* Bits in chunks, of any requests. */
static void bits_in_chunks(const struct rule_class *rule_class, const seebatch_rules *rules,
                           const struct see_requests *requests, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    struct lane_rules r;
    find_lane_rules(&r, rules);
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD], threshold[SEE_CHUNK + SEE_CHUNK_PAD];
    const int16_t *const decided = requests->flags & SEE_FORCE_LANES ? NULL : threshold;
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    if (!step)
        fill_values(threshold, *thresholds, SEE_CHUNK);
    while (see_next_chunk(requests, &cursor, &chunk, expand_eight)) {
        if (step)
            copy_thresholds(threshold, thresholds, chunk.n);
        chunk.upcoming.values = (uintptr_t)(thresholds + chunk.n * step);
        values_of_chunk(rule_class, &r, requests, &chunk, decided, value);
        thresholds += chunk.n * step;
        mask = write_bits(mask, value, threshold, chunk.n);
    }
}

static void lanes_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                     size_t step, uint64_t *mask)
{
    const struct rule_class *rule_class = rule_class_of(rules);
    const size_t n = see_requests_count(requests);
    const seebatch_move *move = requests->moves + requests->offsets[0];
    thresholds += requests->offsets[0] * step;
    if (!is_single(requests))
        bits_in_chunks(rule_class, rules, requests, thresholds, step, mask);
    else if (tables_serve(requests, n >= TABLES_FROM_NODE))
        bits_from_tables(rule_class, rules, requests->positions, requests->pins, move, n, thresholds, step, mask);
    else
        bits_in_lanes(rule_class, rules, requests->positions, requests->pins, move, n, thresholds, step, mask);
}

static __attribute__((noinline)) void many_node_ge(const seebatch_rules *rules, const seebatch_position *position,
                                                   const seebatch_move *moves, size_t n, const int16_t *thresholds,
                                                   size_t step, uint64_t *mask)
{
    const size_t offsets[2] = {0, n};
    const struct see_requests requests = {position, 1, offsets, moves, NULL, 0};
    lanes_ge(rules, &requests, thresholds, step, mask);
}

LANES_INLINE void lanes_node_ge(const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                                uint64_t *mask)
{
    if (n < TABLES_FROM_NODE)
        bits_in_lanes(rule_class_of(rules), rules, position, NULL, moves, n, thresholds, step, mask);
    else
        many_node_ge(rules, position, moves, n, thresholds, step, mask);
}
