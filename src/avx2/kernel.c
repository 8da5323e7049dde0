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
 *     With a single attacker in A, x is 0. With a single one in B, nothing is taken back for u, so x is u. Otherwise
 * the two ends of the range are bounds on the value, and where they meet, that is it.
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
#include "scalar/kernel.h"
#include "scalar/see.h"

/* A list of requests of a chunk, with room for the lanes that the last ones leave empty. */
struct list {
    uint16_t request[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n;
};

static inline unsigned lane_bits(lanes condition)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(condition));
}

/* Appends those of the requests k to k + 3 whose bit is set. */
static inline void append(struct list *list, size_t k, unsigned bits)
{
    for (; bits; bits &= bits - 1)
        list->request[list->n++] = (uint16_t)(k + (size_t)__builtin_ctz(bits));
}

/* The low 16 bits of each lane. */
static inline void store_values(int16_t value[4], lanes values)
{
    const lanes low = _mm256_shuffle_epi8(values, _mm256_set1_epi64x(0x0d0c050409080100));
    _mm_storel_epi64((__m128i *)value,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

/* For each request of a chunk, the squares of its position whose leaving may matter to a king. */
static inline void find_exposed(const struct lane_rules *rules, const struct see_chunk *chunk,
                                uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD])
{
    const seebatch_position *distinct[SEE_CHUNK + SEE_CHUNK_PAD];
    uint16_t index[SEE_CHUNK + SEE_CHUNK_PAD];
    uint64_t found[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n = 0;
    distinct[0] = chunk->position[0];
    for (size_t k = 0; k < chunk->n; k++) {
        n += chunk->position[k] != distinct[n];
        distinct[n] = chunk->position[k];
        index[k] = (uint16_t)n;
    }
    for (size_t i = n + 1; i < n + 4; i++)
        distinct[i] = distinct[n];
    for (size_t i = 0; i <= n; i += 4)
        _mm256_storeu_si256((__m256i *)(found + i), exposed_squares(rules, distinct + i));
    for (size_t k = 0; k < chunk->n; k++)
        exposed[k] = found[index[k]];
    for (size_t k = chunk->n; k < chunk->n + 3; k++)
        exposed[k] = 0;
}

/* The second look at requests that the first did not decide. */
static inline void resolve(const struct lane_rules *rules, const seebatch_rules *scalar_rules,
                           const struct see_chunk *chunk, struct list *open, int16_t *value, bool force)
{
    for (size_t j = open->n; j < open->n + 3; j++)
        open->request[j] = open->request[0];
    for (size_t j = 0; j < open->n; j += 4) {
        const uint16_t *request = open->request + j;
        const seebatch_position *position[4];
        seebatch_move move[4];
        int16_t result[4];
        for (size_t lane = 0; lane < 4; lane++) {
            position[lane] = chunk->position[request[lane]];
            move[lane] = chunk->move[request[lane]];
        }
        const struct lane_requests q = set_up(rules, position, move);
        unsigned to_scalar = 0;
        if (rules->pins || rules->best_order) {
            const struct lane_decision d = decide(rules, &q);
            const lanes free = lanes_not(king_may_matter(rules, &q, position));
            const unsigned known = lane_bits(lanes_or(d.certain, lanes_and(d.known, free)));
            const unsigned playable = lane_bits(lanes_or(d.certain, lanes_and(d.plain, free)));
            store_values(result, d.value);
            to_scalar = ~(known | playable) & 15;
            if (force || playable & ~known) {
                int16_t played[4];
                store_values(played, play_out(rules, &q));
                for (unsigned lane = 0; lane < 4; lane++) {
                    if (playable >> lane & 1 && (force || !(known >> lane & 1)))
                        result[lane] = played[lane];
                }
            }
        } else {
            store_values(result, play_out(rules, &q));
        }
        for (unsigned lane = 0; lane < 4; lane++)
            value[request[lane]] = to_scalar >> lane & 1
                                       ? (int16_t)seebatch_scalar_value(scalar_rules, position[lane], move[lane])
                                       : result[lane];
    }
}

/* Values of a chunk. */
static inline void chunk_values(const struct lane_rules *rules, const seebatch_rules *scalar_rules,
                                const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct list open;
    uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD];
    const bool kings_matter = rules->pins || rules->best_order;
    if (kings_matter)
        find_exposed(rules, chunk, exposed);
    open.n = 0;
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
    if (open.n)
        resolve(rules, scalar_rules, chunk, &open, value, force);
}

/* Whether the lanes know these rules; if not, the scalar code evaluates. Where a side chooses its order, least valuable
 * first is the best only if the values rise with the types. */
static bool lanes_can(const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    return rules->order != SEEBATCH_BEST_ORDER || (v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3] && v[3] <= v[4]);
}

void seebatch_avx2_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values,
                          unsigned flags)
{
    const bool force = flags & SEE_FORCE_LANES;
    if (!lanes_can(rules) || (see_requests_count(requests) == 1 && !force)) {
        seebatch_scalar_values(rules, requests, values, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD];
    while (see_next_chunk(requests, &cursor, &chunk)) {
        chunk_values(&r, rules, &chunk, value, force);
        memcpy(values, value, chunk.n * sizeof *values);
        values += chunk.n;
    }
}

/* A word of the mask: which of 64 values are at least their thresholds. */
static inline uint64_t at_least(const int16_t value[64], const int16_t threshold[64])
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
    if (!lanes_can(rules) || (see_requests_count(requests) == 1 && !force)) {
        seebatch_scalar_ge(rules, requests, thresholds, step, mask, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD], threshold[SEE_CHUNK];
    for (size_t k = 0; k < SEE_CHUNK && !step; k++)
        threshold[k] = *thresholds;
    thresholds += requests->offsets[0] * step;
    while (see_next_chunk(requests, &cursor, &chunk)) {
        chunk_values(&r, rules, &chunk, value, force);
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
