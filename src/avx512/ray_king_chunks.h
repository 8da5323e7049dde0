/*
 * Decides chunks of queries along rays (ray_chunks.h) under rules in which kings count. All queries are decided as if
 * no king mattered; then those to which a king may matter (ray_kings.h) are put into a list of their own. ray_batch.h
 * calls decide_on_rays_with_kings() and decide_recapturable_with_kings().
 */
#ifndef SEEBATCH_AVX512_RAY_KING_CHUNKS_H
#define SEEBATCH_AVX512_RAY_KING_CHUNKS_H

#include "ray_chunks.h"

/* Queries of a chunk that are pending: those to which no king matters, and those to which one may. */
struct pending_lists {
    uint16_t *pending, *king_queries;
    size_t n_pending, n_king_queries;
};

/* Where a query's bytes stand in struct chunk_rays. */
LANES_INLINE size_t place_of(size_t k) { return slot_of(k) * LANES + k % LANES; }

/* Sets the flags of the positions that have blockers among the pins that the caller gives. */
LANES_INLINE void flag_given(const struct see_chunk *chunk, struct king_blockers *blockers)
{
    for (size_t i = 0; i < chunk->n_positions; i += LANES) {
        const lanes squares = lanes_load(blockers->squares + i);
        _mm_storel_epi64((__m128i *)(blockers->flag + i), _mm_movm_epi8(lanes_meet(squares, squares)));
    }
}

/* Two sets of 64 queries in a row, a bit for each: whether the white king may matter to it, and whether the black one
 * may. */
struct kings_of_queries {
    uint64_t white, black;
};

/*
 * Whether kings may matter to the queries from k on. A king matters only where the enemy may recapture, and then
 *
 *   - the enemy king, if another piece than a king may recapture, or if we have an x-ray slider;
 *   - our king, if we have a piece to answer the recapture with;
 *   - both kings in any case, if the move is a special one, or if the rules let either king hold a piece.
 */
LANES_INLINE struct kings_of_queries find_kings_of_queries(const struct lane_rules *rules,
                                                           const struct chunk_rays *rays, size_t k)
{
    const lanes in_a_row = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7); /* unmakes the order of numbers_of_moves() */
    const lanes theirs = _mm512_permutexvar_epi64(in_a_row, _mm512_loadu_si512(rays->theirs + k));
    const lanes ours = _mm512_permutexvar_epi64(in_a_row, _mm512_loadu_si512(rays->ours + k));
    const lanes bits = _mm512_permutexvar_epi64(in_a_row, _mm512_loadu_si512(rays->bits + k));
    const uint64_t special = _cvtmask64_u64(bytes_meet(bits, bytes_all(SPECIAL)));
    const __mmask64 recaptured = bytes_meet(theirs, bytes_all(0xff & ~RAY_XRAY));
    if (rules->either) {
        const struct kings_of_queries both = {special | _cvtmask64_u64(recaptured),
                                              special | _cvtmask64_u64(recaptured)};
        return both;
    }
    const lanes by_others =
        LANES_LOGIC(theirs, bytes_all(RAY_KING), lanes_and(ours, bytes_all(RAY_XRAY)), (A & ~B) | C);
    const uint64_t their_king = _cvtmask64_u64(_mm512_mask_test_epi8_mask(recaptured, by_others, by_others));
    const uint64_t our_king = _cvtmask64_u64(_mm512_mask_test_epi8_mask(recaptured, ours, ours));
    const uint64_t white_moves = _cvtmask64_u64(_mm512_movepi8_mask(bits));
    const struct kings_of_queries kings = {special | (white_moves & our_king) | (~white_moves & their_king),
                                           special | (white_moves & their_king) | (~white_moves & our_king)};
    return kings;
}

/* The kings that may matter to the queries, by the numbers of their positions: white ones, then black ones. */
LANES_INLINE void find_wanted_kings(const struct lane_rules *rules, const struct chunk_rays *rays,
                                    const struct ray_queries *r, struct wanted_kings *wanted)
{
    uint8_t black[MOST_OF_COLOR + SEE_CHUNK_PAD];
    size_t n_white = 0, n_black = 0;
    for (size_t k = 0; k < r->n; k += MOVES_AT_ONCE) {
        const struct kings_of_queries kings = find_kings_of_queries(rules, rays, k);
        const uint64_t queries = first_moves(r->n - k);
        const lanes index = _mm512_loadu_si512(r->index + k);
        n_white += store_positions(wanted->position + n_white, kings.white & queries, index);
        n_black += store_positions(black + n_black, kings.black & queries, index);
    }
    for (size_t j = 0; j < n_black; j += sizeof(lanes))
        lanes_store(wanted->position + n_white + j, lanes_load(black + j));
    wanted->n_white = n_white;
    wanted->n = n_white + n_black;
}

/* Whether one of the squares holds a slider that moves along its line to the target of the move. */
LANES_INLINE bool has_slider_to(const seebatch_position *p, seebatch_move move, uint64_t squares)
{
    const struct see_square *to = &seebatch_squares[seebatch_to(move)];
    return (sliders_on_lines(to, p->plane[0], p->plane[1]) & squares & ~p->plane[2]) != 0;
}

/* Lists the queries on positions that have king blockers: those whose piece may be recaptured, and those that the
 * decision leaves pending. */
struct queries_with_blockers {
    size_t n_recapturable, n_pending;
    uint16_t recapturable[RAY_QUERIES + 32], pending[RAY_QUERIES + 32];
};

/* Decides all queries that were scanned. Lists the pending queries on positions without king blockers, and the queries
 * on the other positions. */
LANES_INLINE void decide_all_by_blockers(const struct lane_rules *rules, const struct decision_values *values,
                                         const struct chunk_rays *rays, const struct ray_queries *r,
                                         const struct king_blockers *blockers, int16_t *value,
                                         struct queries_with_blockers *with_blockers, struct pending_lists *lists)
{
    size_t n_without = 0, n_pending = 0, n_recapturable = 0;
    for (size_t k = 0; k < r->n; k += MOVES_AT_ONCE) {
        const uint64_t those = places_of_moves(r->n - k);
        const uint64_t pending = decide_seen(rules, values, rays, r, k, value) & those;
        const lanes index = _mm512_permutexvar_epi8(numbers_of_moves(), _mm512_loadu_si512(r->index + k));
        const __mmask64 recaptured = bytes_meet(_mm512_loadu_si512(rays->theirs + k), bytes_all(0xff & ~RAY_XRAY));
        const uint64_t on = _cvtmask64_u64(on_positions_with_blockers(blockers, index));
        n_without += store_numbers_of_moves(lists->pending + n_without, k, pending & ~on);
        n_pending += store_numbers_of_moves(with_blockers->pending + n_pending, k, pending & on);
        n_recapturable += store_numbers_of_moves(with_blockers->recapturable + n_recapturable, k,
                                                 _cvtmask64_u64(recaptured) & on & those);
    }
    lists->n_pending = n_without;
    with_blockers->n_pending = n_pending;
    with_blockers->n_recapturable = n_recapturable;
}

/* Lists the queries to which a king may matter, and adds the other pending ones to the list of those without kings. */
LANES_INLINE void set_king_queries_apart(const struct lane_rules *rules, const struct see_chunk *chunk,
                                         const struct chunk_rays *rays, const struct ray_queries *r,
                                         const struct king_blockers *blockers, const uint64_t *parts,
                                         const struct queries_with_blockers *with_blockers, struct pending_lists *lists)
{
    size_t n = 0, n_pending = lists->n_pending;
    for (size_t j = 0; j < with_blockers->n_recapturable;
         j += 32) { /* one by one each step would wait for the one before */
        uint32_t bits = 0;
        for (size_t i = 0; i < 32 && j + i < with_blockers->n_recapturable; i++) {
            const size_t k = with_blockers->recapturable[j + i];
            bits |= (uint32_t)takes_part(blockers->squares[r->index[k]], r->move[k], parts[k]) << i;
        }
        store_packed(lists->king_queries + n, _cvtu32_mask32(bits),
                     _mm512_loadu_si512(with_blockers->recapturable + j));
        n += (size_t)_mm_popcnt_u32(bits);
    }
    for (size_t j = 0; j < with_blockers->n_pending; j++) {
        const uint16_t k = with_blockers->pending[j];
        const uint64_t squares = blockers->squares[r->index[k]];
        const bool recaptured = (rays->theirs[place_of(k)] & ~RAY_XRAY) != 0;
        const bool listed = recaptured & takes_part(squares, r->move[k], parts[k]);
        bool concerned = (rays->bits[place_of(k)] & SPECIAL) != 0;
        if (rules->reads_pins)
            concerned |= has_slider_to(chunk->position[r->index[k]], r->move[k], squares);
        lists->king_queries[n] = lists->pending[n_pending] = k;
        n += concerned & !listed;
        n_pending += !(concerned | listed);
    }
    lists->n_pending = n_pending;
    lists->n_king_queries = n;
}

/* Which pieces of a query may matter to a king under the rules. */
LANES_INLINE enum ray_parts parts_wanted(const struct lane_rules *rules)
{
    return rules->best_order ? LEAVING : ATTACKERS;
}

/* Decides queries whose attackers are known. If `given` is set, the squares of blockers are known as well. */
LANES_INLINE void decide_seen_with_kings(const struct lane_rules *rules, const struct decision_values *values,
                                         const struct see_chunk *chunk, const struct chunk_rays *rays,
                                         const struct ray_queries *r, const uint64_t *parts, bool given, int16_t *value,
                                         struct king_blockers *blockers, struct pending_lists *lists)
{
    if (given) {
        flag_given(chunk, blockers);
    } else {
        struct wanted_kings kings;
        find_wanted_kings(rules, rays, r, &kings);
        find_blockers_along_rays(rules, chunk, &kings, blockers);
    }
    struct queries_with_blockers with_blockers;
    decide_all_by_blockers(rules, values, rays, r, blockers, value, &with_blockers, lists);
    set_king_queries_apart(rules, chunk, rays, r, blockers, parts, &with_blockers, lists);
}

/* Decides the queries of a chunk along rays. `given` is the batch, if it has pins, or NULL; lengths: NULL, or what gets the
 * lengths. */
LANES_INLINE void decide_on_rays_with_kings(const struct lane_rules *rules, const struct see_chunk *chunk,
                                            const seebatch_batch *given, const int16_t *threshold, int16_t *value,
                                            struct ray_lengths *lengths, struct king_blockers *blockers,
                                            struct pending_lists *lists)
{
    const struct decision_values values = decision_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    uint64_t parts[RAY_QUERIES];
    uint16_t codes[RAY_QUERIES];
    const struct wanted_blockers wanted = {rules, given, blockers->squares};
    struct ray_queries r = {chunk->n, 0, chunk->move, chunk->index, codes, threshold};
    for (size_t k = 0; k < chunk->n; k += RAY_BLOCK) {
        const size_t end = k + RAY_BLOCK < chunk->n ? k + RAY_BLOCK : chunk->n;
        if (given)
            load_rays(&boards, codes, chunk, k, end, &wanted);
        else
            load_rays(&boards, codes, chunk, k, end, NULL);
        r.boards = boards_from(&boards, chunk->index[k]);
        if (lengths)
            find_attackers_and_lengths(&rays, &r, &chunk->upcoming, k, end, parts_wanted(rules), parts, lengths);
        else
            find_attackers_on_rays(&rays, &r, &chunk->upcoming, k, end, parts_wanted(rules), parts);
    }
    decide_seen_with_kings(rules, &values, chunk, &rays, &r, parts, given != NULL, value, blockers, lists);
}

/* Does the same for those that are recapturable. */
LANES_INLINE void decide_recapturable_with_kings(const struct lane_rules *rules, const struct see_chunk *chunk,
                                                 const seebatch_batch *given, const int16_t *threshold, int16_t *value,
                                                 struct king_blockers *blockers, struct pending_lists *lists)
{
    const struct decision_values values = decision_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    struct recapturable c;
    uint64_t parts[RAY_QUERIES];
    if (given)
        find_given_blockers(rules, given, chunk, blockers->squares);
    set_recapturable_apart(&values, &boards, &c, chunk, threshold, value);
    const struct ray_queries r = {c.n,     boards_from(&boards, 0),       c.move, c.index,
                                  c.codes, threshold ? c.threshold : NULL};
    find_attackers_on_rays(&rays, &r, NULL, 0, c.n, parts_wanted(rules), parts);
    decide_seen_with_kings(rules, &values, chunk, &rays, &r, parts, given != NULL, c.value, blockers, lists);
    for (size_t j = 0; j < c.n; j++)
        value[c.number[j]] = c.value[j];
    for (size_t j = 0; j < lists->n_pending; j++)
        lists->pending[j] = c.number[lists->pending[j]];
    for (size_t j = 0; j < lists->n_king_queries; j++)
        lists->king_queries[j] = c.number[lists->king_queries[j]];
}

#endif
