/*
 * Chunks of requests along rays (ray_chunks.h) under rules that know kings: decided as if there were none to heed, and
 * then those set apart that a king may concern (ray_kings.h).
 */
#ifndef SEEBATCH_AVX512_RAY_KING_CHUNKS_H
#define SEEBATCH_AVX512_RAY_KING_CHUNKS_H

#include "ray_chunks.h"

/* Requests of a chunk that are not decided: those that no king concerns, and the others. */
struct undecided {
    uint16_t *open, *concerned;
    size_t n_open, n_concerned;
    seebatch_pins *pins; /* under rules with pins: of the positions of the latter, unless they are given */
};

/* Where a request's bytes stand in struct chunk_rays. */
LANES_INLINE size_t place_of(size_t k) { return slot_of(k) * LANES + k % LANES; }

/* Blockers that were given, a word of squares for each position. */
LANES_INLINE void flag_given(const struct see_chunk *chunk, const uint64_t *given, struct king_blockers *blockers)
{
    for (size_t i = 0; i < chunk->n_positions; i += LANES) {
        const lanes squares = lanes_load(given + i);
        _mm512_storeu_si512(blockers->squares + i, squares);
        _mm_storel_epi64((__m128i *)(blockers->flag + i), _mm_movm_epi8(lanes_meet(squares, squares)));
    }
}

/* The numbers of the requests on positions that are flagged. */
LANES_INLINE size_t list_flagged(const struct king_blockers *blockers, const struct ray_requests *r, uint16_t *number)
{
    size_t n = 0;
    for (size_t k = 0; k < r->n; k += TABLE_MOVES) {
        const uint64_t bits =
            _cvtmask64_u64(on_flagged(blockers, _mm512_loadu_si512(r->index + k))) & first_moves(r->n - k);
        for (size_t half = 0; half < 2; half++) {
            const uint32_t some = (uint32_t)(bits >> 32 * half);
            store_packed(number + n, _cvtu32_mask32(some),
                         _mm512_add_epi16(_mm512_set1_epi16((int16_t)(k + 32 * half)), first_words()));
            n += (size_t)_mm_popcnt_u32(some);
        }
    }
    return n;
}

/* Moves those of the open requests that a king may concern to the others, and adds to these what seemed decided. */
LANES_INLINE void set_concerned_apart(const struct lane_rules *rules, const struct chunk_rays *rays,
                                      const struct ray_requests *r, const struct king_blockers *blockers,
                                      const uint64_t *parts, struct undecided *undecided)
{
    uint16_t flagged[RAY_REQUESTS + 32], part[RAY_REQUESTS + 32];
    uint8_t takes[RAY_REQUESTS];
    const size_t n_flagged = list_flagged(blockers, r, flagged), n_open = undecided->n_open;
    size_t n_part = 0, n = 0, n_left = 0;
    for (size_t k = 0; k < r->n; k += TABLE_MOVES)
        _mm512_storeu_si512(takes + k, lanes_zero());
    for (size_t j = 0; j < n_flagged; j += 32) { /* a list one by one would make each step wait for the one before */
        uint32_t bits = 0;
        for (size_t i = 0; i < 32 && j + i < n_flagged; i++) {
            const size_t k = flagged[j + i];
            bits |= (uint32_t)takes_part(blockers->squares[r->index[k]], r->move[k], parts[k]) << i;
        }
        store_packed(part + n_part, _cvtu32_mask32(bits), _mm512_loadu_si512(flagged + j));
        n_part += (size_t)_mm_popcnt_u32(bits);
    }
    for (size_t j = 0; j < n_part; j++) {
        const uint16_t k = part[j];
        const bool recapture = (rays->theirs[place_of(k)] & ~RAY_XRAY) != 0;
        takes[k] = recapture;
        undecided->concerned[n] = k;
        n += recapture;
    }
    for (size_t j = 0; j < n_open; j++) {
        const uint16_t k = undecided->open[j];
        const bool on_flagged_position = blockers->flag[r->index[k]] != 0;
        const bool special = (rays->bits[place_of(k)] & SPECIAL) != 0;
        const bool concerned = on_flagged_position & (rules->pins | special | takes[k]);
        undecided->concerned[n] = k;
        n += concerned & !takes[k];
        undecided->open[n_left] = k;
        n_left += !concerned;
    }
    undecided->n_open = n_left;
    undecided->n_concerned = n;
}

/* Writes the pins of the positions of such requests. */
LANES_INLINE void find_pins_of_concerned(const struct see_chunk *chunk, const struct king_rays *king_rays,
                                         const uint8_t *index, struct undecided *undecided)
{
    for (size_t j = 0; j < undecided->n_concerned; j++) {
        const size_t i = index[undecided->concerned[j]];
        pins_on_rays(king_rays, i, chunk->position[i], &undecided->pins[i]);
    }
}

/* What requests see, and what of it may matter to a king. */
LANES_INLINE void find_attackers_where_kings_matter(const struct lane_rules *rules, struct chunk_rays *rays,
                                                    const struct ray_requests *r, const struct see_upcoming *upcoming,
                                                    size_t from, size_t to, uint64_t *parts)
{
    if (rules->any_order)
        find_attackers_for_legal(rays, r, upcoming, from, to, parts);
    else
        find_attackers_for_pins(rays, r, upcoming, from, to, parts);
}

/* Positions from to to, whose boards are the first ones. */
LANES_INLINE void find_king_rays_on(const struct lane_rules *rules, const struct see_chunk *chunk,
                                    struct ray_boards *boards, size_t from, size_t to, struct king_rays *rays)
{
    for (size_t j = 1; j <= 3; j++)
        memcpy(boards->board[to - from + j], boards->board[to - from], sizeof *boards->board);
    find_king_rays(rules, chunk, (const uint8_t(*)[64])boards->board, from, to, rays);
}

/* Decides a chunk's requests along rays; given: the blockers of each position, or NULL. */
LANES_INLINE void decide_on_rays_with_kings(const struct lane_rules *rules, const struct see_chunk *chunk,
                                            const uint64_t *given, const int16_t *threshold, int16_t *value,
                                            struct undecided *undecided)
{
    const struct table_values values = table_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    struct king_blockers blockers;
    struct king_rays king_rays;
    uint64_t parts[RAY_REQUESTS];
    uint16_t codes[RAY_REQUESTS];
    struct ray_requests r = {chunk->n, 0, chunk->move, chunk->index, codes, threshold};
    for (size_t k = 0; k < chunk->n; k += RAY_BLOCK) {
        const size_t end = k + RAY_BLOCK < chunk->n ? k + RAY_BLOCK : chunk->n;
        load_rays(&boards, codes, chunk, k, end);
        r.boards = boards_from(&boards, chunk->index[k]);
        if (!given)
            find_king_rays_on(rules, chunk, &boards, chunk->index[k], chunk->index[end - 1], &king_rays);
        find_attackers_where_kings_matter(rules, &rays, &r, &chunk->upcoming, k, end, parts);
    }
    if (given)
        flag_given(chunk, given, &blockers);
    else
        flag_positions(chunk, &king_rays, &blockers);
    undecided->n_open = decide_all_seen(rules, &values, &rays, &r, value, undecided->open);
    set_concerned_apart(rules, &rays, &r, &blockers, parts, undecided);
    if (rules->pins && !given)
        find_pins_of_concerned(chunk, &king_rays, r.index, undecided);
}

/* The same of those that are contested. */
LANES_INLINE void decide_contested_with_kings(const struct lane_rules *rules, const struct see_chunk *chunk,
                                              const uint64_t *given, const int16_t *threshold, int16_t *value,
                                              struct undecided *undecided)
{
    const struct table_values values = table_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    struct contested c;
    struct king_blockers blockers;
    struct king_rays king_rays;
    uint64_t parts[RAY_REQUESTS];
    set_contested_apart(&values, &boards, &c, chunk, threshold, value);
    const struct ray_requests r = {c.n,     boards_from(&boards, 0),       c.move, c.index,
                                   c.codes, threshold ? c.threshold : NULL};
    if (given) {
        flag_given(chunk, given, &blockers);
    } else {
        find_king_rays_on(rules, chunk, &boards, 0, chunk->n_positions - 1, &king_rays);
        flag_positions(chunk, &king_rays, &blockers);
    }
    find_attackers_where_kings_matter(rules, &rays, &r, NULL, 0, c.n, parts);
    undecided->n_open = decide_all_seen(rules, &values, &rays, &r, c.value, undecided->open);
    set_concerned_apart(rules, &rays, &r, &blockers, parts, undecided);
    if (rules->pins && !given)
        find_pins_of_concerned(chunk, &king_rays, r.index, undecided);
    for (size_t j = 0; j < c.n; j++)
        value[c.number[j]] = c.value[j];
    for (size_t j = 0; j < undecided->n_open; j++)
        undecided->open[j] = c.number[undecided->open[j]];
    for (size_t j = 0; j < undecided->n_concerned; j++)
        undecided->concerned[j] = c.number[undecided->concerned[j]];
}

#endif
