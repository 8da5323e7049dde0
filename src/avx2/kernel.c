/*
 * The AVX2 kernel: four requests a register.
 *
 * Setup. Each lane gets the board of its request, as planes of piece codes, and the lines through its target. From
 * those follow the attackers of the target, of both colours, and then, with these attackers taken off the board, the
 * sliders hidden behind them. No table depends on the occupancy, nothing is gathered.
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
 * is only a shortcut.
 */
#include "kernel.h"
#include "exchange.h"
#include "kings.h"
#include "requests.h"
#include "rules.h"
#include "scalar/kernel.h"
#include "scalar/see.h"

/* A list of requests of a chunk, with room for the lanes that the last ones leave empty. */
struct list {
    uint16_t request[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n;
};

LANES_INLINE unsigned lane_bits(lanes condition)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(condition));
}

/* Appends those of the requests k to k + 3 whose bit is set. Writes four entries whatever their number. */
LANES_INLINE void append(struct list *list, size_t k, unsigned bits)
{
    static const uint16_t packed_lanes[16][4] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                                 {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                                 {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    const __m128i lane = _mm_loadl_epi64((const __m128i *)packed_lanes[bits]);
    _mm_storel_epi64((__m128i *)(list->request + list->n), _mm_add_epi16(lane, _mm_set1_epi16((int16_t)k)));
    list->n += (size_t)_mm_popcnt_u32(bits);
}

/* The low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[4], lanes values)
{
    const lanes low = _mm256_shuffle_epi8(values, _mm256_set1_epi64x(0x0d0c050409080100));
    _mm_storel_epi64((__m128i *)value,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

/* For each request of a chunk, the squares of its position whose leaving may matter to a king. */
LANES_INLINE void find_exposed(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct see_chunk *chunk, uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD])
{
    if (rules->pins && requests->pins) {
        for (size_t k = 0; k < chunk->n; k++) {
            const seebatch_position *position = chunk->position[k];
            const uint64_t *blockers = requests->pins[position - requests->positions].blockers;
            exposed[k] = (blockers[SEEBATCH_WHITE] & position->white) | (blockers[SEEBATCH_BLACK] & ~position->white);
        }
        for (size_t k = chunk->n; k < chunk->n + 3; k++)
            exposed[k] = 0;
        return;
    }
    uint64_t found[SEE_CHUNK + SEE_CHUNK_PAD];
    for (size_t i = 0; i < chunk->n_distinct; i += 4)
        _mm256_storeu_si256((__m256i *)(found + i), exposed_squares(rules, chunk->distinct + i));
    for (size_t k = 0; k < chunk->n + 3; k++)
        exposed[k] = found[chunk->index[k]];
}

/* Four requests of a list. */
struct packed {
    const seebatch_position *position[4];
    seebatch_move move[4];
};

LANES_INLINE struct packed pack(const struct see_chunk *chunk, const uint16_t request[4])
{
    struct packed four;
    for (int lane = 0; lane < 4; lane++) {
        four.position[lane] = chunk->position[request[lane]];
        four.move[lane] = chunk->move[request[lane]];
    }
    return four;
}

/* Fills the lanes behind the end of a list. */
LANES_INLINE void pad(struct list *list)
{
    for (size_t j = list->n; j < list->n + SEE_CHUNK_PAD; j++)
        list->request[j] = list->request[0];
}

LANES_INLINE void scatter(int16_t *value, const uint16_t request[4], lanes values)
{
    int16_t result[4];
    store_values(result, values);
    for (int lane = 0; lane < 4; lane++)
        value[request[lane]] = result[lane];
}

/* The second look, under rules that know kings: which of the open requests are decided after all, which can be played
 * out in lanes, and which cannot. */
LANES_INLINE void look_at_kings(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *open,
                                struct list *playable, struct list *rest, int16_t *value, bool force)
{
    pad(open);
    for (size_t j = 0; j < open->n; j += 4) {
        const struct packed four = pack(chunk, open->request + j);
        const struct lane_requests q = set_up(rules, four.position, four.move);
        const struct lane_decision d = decide(rules, &q);
        const lanes free = lanes_not(king_may_matter(rules, &q, four.position));
        const unsigned known = force ? 0 : lane_bits(lanes_or(d.certain, lanes_and(d.known, free)));
        const unsigned plays = lane_bits(lanes_or(d.certain, rules->pins ? free : lanes_and(d.plain, free)));
        scatter(value, open->request + j, d.value);
        for (unsigned lane = 0; lane < 4 && j + lane < open->n; lane++) {
            playable->request[playable->n] = rest->request[rest->n] = open->request[j + lane];
            playable->n += ~known & plays & 1u << lane ? 1 : 0;
            rest->n += ~known & ~plays & 1u << lane ? 1 : 0;
        }
    }
}

/* Plays requests out, eight at a time: two registers keep the processor busy where one waits for itself. */
LANES_INLINE void play_list(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *list,
                            int16_t *value)
{
    pad(list);
    for (size_t j = 0; j < list->n; j += 8) {
        const struct packed four[2] = {pack(chunk, list->request + j), pack(chunk, list->request + j + 4)};
        const struct lane_requests q[2] = {set_up(rules, four[0].position, four[0].move),
                                           set_up(rules, four[1].position, four[1].move)};
        lanes result[2];
        play_out(rules, q, result);
        scatter(value, list->request + j, result[0]);
        scatter(value, list->request + j + 4, result[1]);
    }
}

/* Values of a chunk. */
LANES_INLINE void chunk_values(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct list open, playable, rest;
    uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD];
    const bool kings_matter = rules->pins || rules->best_order;
    if (kings_matter)
        find_exposed(rules, requests, chunk, exposed);
    open.n = playable.n = rest.n = 0;
    for (size_t k = 0; k < chunk->n; k += 4) {
        const struct lane_requests q = set_up(rules, chunk->position + k, chunk->move + k);
        const struct lane_decision d = decide(rules, &q);
        lanes known = d.known;
        if (kings_matter)
            known = lanes_and(
                known, lanes_disjoint(leaving_pieces(rules, &q), _mm256_loadu_si256((const __m256i *)(exposed + k))));
        store_values(value + k, d.value);
        append(&open, k, force ? 15 : ~lane_bits(lanes_or(d.certain, known)) & 15);
    }
    if (!open.n)
        return;
    if (!kings_matter) {
        play_list(rules, chunk, &open, value);
        return;
    }
    look_at_kings(rules, chunk, &open, &playable, &rest, value, force);
    if (playable.n)
        play_list(rules, chunk, &playable, value);
    for (size_t j = 0; j < rest.n; j++) {
        const uint16_t k = rest.request[j];
        const seebatch_position *position = chunk->position[k];
        value[k] = (int16_t)seebatch_scalar_value(
            rules->scalar, position, see_pins_of(requests, (size_t)(position - requests->positions)), chunk->move[k]);
    }
}

/* The families of rules: what a chunk is compiled for. */
static void plain_values(const struct lane_rules *rules, const struct see_requests *requests,
                         const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules plain = *rules;
    plain.promote_all = plain.pins = plain.best_order = false;
    chunk_values(&plain, requests, chunk, value, force);
}

static void promotions_values(const struct lane_rules *rules, const struct see_requests *requests,
                              const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules promotions = *rules;
    promotions.pins = promotions.best_order = false;
    chunk_values(&promotions, requests, chunk, value, force);
}

static void pins_values(const struct lane_rules *rules, const struct see_requests *requests,
                        const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules pins = *rules;
    pins.pins = true;
    pins.best_order = false;
    chunk_values(&pins, requests, chunk, value, force);
}

static void legal_values(const struct lane_rules *rules, const struct see_requests *requests,
                         const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules legal = *rules;
    legal.pins = legal.special_zero = false;
    legal.best_order = true;
    chunk_values(&legal, requests, chunk, value, force);
}

typedef void chunk_function(const struct lane_rules *, const struct see_requests *, const struct see_chunk *, int16_t *,
                            bool);

static chunk_function *family_of(const struct lane_rules *rules)
{
    return rules->best_order    ? legal_values
           : rules->pins        ? pins_values
           : rules->promote_all ? promotions_values
                                : plain_values;
}

/* Whether the lanes do better than the scalar code: not for fewer requests than few, nor where a side chooses its order
 * and the values do not rise with the types, so that least valuable first is not known to be the best. */
static bool lanes_help(const seebatch_rules *rules, const struct see_requests *requests, size_t few, bool force)
{
    return (force || see_requests_count(requests) >= few) &&
           (rules->order != SEEBATCH_BEST_ORDER || see_values_rise(rules));
}

void seebatch_avx2_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values,
                          unsigned flags)
{
    const bool force = flags & SEE_FORCE_LANES;
    if (!lanes_help(rules, requests, 2, force)) {
        seebatch_scalar_values(rules, requests, values, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    chunk_function *const values_of = family_of(&r);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD];
    while (see_next_chunk(requests, &cursor, &chunk, r.pins || r.best_order)) {
        values_of(&r, requests, &chunk, value, force);
        memcpy(values, value, chunk.n * sizeof *values);
        values += chunk.n;
    }
}

/* A word of the mask: which of 64 values are at least their thresholds. */
LANES_INLINE uint64_t at_least(const int16_t value[64], const int16_t threshold[64])
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 64; k += 32) {
        const __m256i low = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(threshold + k)),
                                               _mm256_loadu_si256((const __m256i *)(value + k)));
        const __m256i high = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(threshold + k + 16)),
                                                _mm256_loadu_si256((const __m256i *)(value + k + 16)));
        const __m256i less = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
        word |= (uint64_t) ~(uint32_t)_mm256_movemask_epi8(less) << k;
    }
    return word;
}

void seebatch_avx2_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                      size_t step, uint64_t *mask, unsigned flags)
{
    const bool force = flags & SEE_FORCE_LANES;
    if (!lanes_help(rules, requests, 3, force)) {
        seebatch_scalar_ge(rules, requests, thresholds, step, mask, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    chunk_function *const values_of = family_of(&r);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD], threshold[SEE_CHUNK];
    for (size_t k = 0; k < SEE_CHUNK && !step; k++)
        threshold[k] = *thresholds;
    thresholds += requests->offsets[0] * step;
    while (see_next_chunk(requests, &cursor, &chunk, r.pins || r.best_order)) {
        values_of(&r, requests, &chunk, value, force);
        if (step)
            memcpy(threshold, thresholds, chunk.n * sizeof *threshold);
        thresholds += chunk.n * step;
        for (size_t k = 0; k < chunk.n; k += 64) {
            const uint64_t word = at_least(value + k, threshold + k);
            const size_t left = chunk.n - k;
            *mask++ = left < 64 ? word & ((UINT64_C(1) << left) - 1) : word;
        }
    }
}
