/*
 * Decides chunks of queries along rays (rays.h): what eight queries see is found at a time, and 64 are decided at a
 * time. ray_batch.h calls decide_on_rays() and decide_recapturable().
 *
 * Two thirds of all legal moves go to squares on which no enemy piece can recapture. Where positions have many moves,
 * those moves are decided at once, from the squares that the enemy attacks, and only the others along rays.
 */
#ifndef SEEBATCH_AVX512_RAY_CHUNKS_H
#define SEEBATCH_AVX512_RAY_CHUNKS_H

#include "directions.h"
#include "lanes/capture_counts.h"
#include "ray_kings.h"

#include <assert.h>

enum { RAY_QUERIES = SEE_CHUNK + SEE_CHUNK_PAD };

/* The number of queries that are scanned before the next boards are made. The boards of a whole chunk, its positions
 * and those that are prefetched would not fit the first-level cache together. */
enum { RAY_BLOCK = 256 };

/* The boards of consecutive positions, with room for as many as find_blockers_along_rays() reads. */
struct ray_boards {
    uint8_t board[RAY_BLOCK + 3][64] __attribute__((aligned(64)));
};

/* The queries that are scanned: all of a chunk, or those that are recapturable. Arrays are readable up to the next
 * multiple of SEE_CHUNK_PAD. */
struct ray_queries {
    size_t n;
    uintptr_t boards; /* where the board of position 0 is, or would be */
    const seebatch_move *move;
    const uint8_t *index;     /* which position */
    const uint16_t *codes;    /* on the squares of the moves */
    const int16_t *threshold; /* or NULL */
};

/* The member `boards` of ray_queries: the address at which the board of position 0 would be, with a register for
 * each board; `first` is the position of the first board. It is a number, because a pointer must not point before an
 * array. */
LANES_INLINE uintptr_t boards_from(const struct ray_boards *boards, size_t first)
{
    return (uintptr_t)boards - first * sizeof(lanes);
}

LANES_INLINE lanes board_of_query(const struct ray_queries *r, size_t k)
{
    return _mm512_load_si512((const void *)(r->boards + r->index[k] * sizeof(lanes)));
}

/* What else is wanted of positions while they are in the cache: the blockers of the pins that the caller gives. */
struct wanted_blockers {
    const struct lane_rules *rules;
    const seebatch_batch *batch;
    uint64_t *squares; /* of each position */
};

/* Makes the boards of the positions of queries `from` to `to` - 1, RAY_BLOCK at most, and finds the codes on the
 * squares of their moves. It also copies the blockers, unless that is NULL. */
LANES_INLINE void load_rays(struct ray_boards *boards, uint16_t codes[RAY_QUERIES], const struct see_chunk *chunk,
                            size_t from, size_t to, const struct wanted_blockers *blockers)
{
    const size_t readable = (chunk->n + SEE_CHUNK_PAD - 1) / SEE_CHUNK_PAD * SEE_CHUNK_PAD;
    const size_t first = chunk->index[from], last = chunk->index[to - 1];
    seebatch_move tail[16] = {0};
    memcpy(tail, chunk->move + readable - 8, 8 * sizeof *tail);
    for (size_t i = first; i <= last; i++) {
        const lanes board = board_of(chunk->position[i]);
        _mm512_store_si512(boards->board[i - first], board);
        if (blockers)
            blockers->squares[i] = given_blockers(blockers->rules, blockers->batch, chunk, i);
        /* Eight moves come first, and then 32 at a time if there are more, so that few branches depend on their
         * number. */
        const size_t k = chunk->start[i], end = i + 1 < chunk->n_positions ? chunk->start[i + 1] : readable;
        const seebatch_move *move = k + 8 <= readable ? chunk->move + k : tail + (k + 8 - readable);
        const lanes eight = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)move));
        _mm_storeu_si128((__m128i *)(codes + k), _mm512_castsi512_si128(codes_of_moves(eight, board)));
        for (size_t j = k + 8; j < end; j += 32) {
            const __mmask32 those = _bzhi_u32(~0u, (unsigned)(readable - j < 32 ? readable - j : 32));
            _mm512_storeu_si512(codes + j, codes_of_moves(_mm512_maskz_loadu_epi16(those, chunk->move + j), board));
        }
    }
}

/* ---- Moves that nobody can take back ----------------------------------------------------------------------------- */

/* The number of moves for each position of a chunk from which it pays to find first the moves that can be taken back:
 * the row RECAPTURABLE_FROM of the last table in docs/internals/lanes.md, with rays as the board. */
enum { RECAPTURABLE_FROM = 12 };
static_assert(SEE_CHUNK / RECAPTURABLE_FROM <= RAY_BLOCK,
              "a block of rays has room for the boards of a chunk with RECAPTURABLE_FROM moves a position");

/* The moves that can be taken back, one after another, and their numbers in the chunk. */
struct recapturable {
    uint16_t number[RAY_QUERIES] __attribute__((aligned(64))), codes[RAY_QUERIES];
    seebatch_move move[RAY_QUERIES];
    int16_t threshold[RAY_QUERIES], value[RAY_QUERIES];
    uint8_t index[RAY_QUERIES];
    size_t n;
};

/* Every lane has the same sets: the to-squares on which an enemy piece may recapture, and the from-squares from which a
 * move may uncover one that does. */
struct recapturable_squares {
    lanes to, from;
};

/* Finds those squares for moves of one colour. A slider that attacks the to-square only after the move attacks the
 * from-square before it. Our own pieces count as targets because of castling, and pieces of the other colour count as
 * movers because callers may ask for their moves. */
LANES_INLINE struct recapturable_squares recapturable_squares_of(const seebatch_position *position, int color)
{
    const struct direction_sets s = direction_sets_of(position, color);
    const lanes knights = knight_attacks_of(lanes_and(s.knights, s.enemy));
    const lanes attacked = any_lane(lanes_or(attacked_by_those_on(&s, s.enemy), knights));
    struct recapturable_squares squares;
    squares.to = lanes_or(attacked, s.own);
    squares.from = LANES_LOGIC(attacked, s.own, s.own, A | ~B);
    return squares;
}

/* Finds which of 32 moves are recapturable, or are promotions or en passant. */
LANES_INLINE uint32_t recapturable_moves(const struct recapturable_squares *squares, lanes moves, lanes codes)
{
    const lanes from_to = squares_of_moves(moves);
    const __mmask64 to = _mm512_mask_bitshuffle_epi64_mask(UINT64_C(0xaaaaaaaaaaaaaaaa), squares->to, from_to);
    const __mmask64 from = _mm512_mask_bitshuffle_epi64_mask(UINT64_C(0x5555555555555555), squares->from, from_to);
    const __mmask32 promotion = _mm512_test_epi16_mask(moves, _mm512_set1_epi16((int16_t)0xf000));
    const lanes files = lanes_xor(from_to, _mm512_srli_epi16(from_to, 8));
    const __mmask32 pawn_to_empty =
        _mm512_cmpeq_epi16_mask(lanes_and(codes, _mm512_set1_epi16(0x0707)), _mm512_set1_epi16(4));
    const __mmask32 en_passant = _mm512_mask_test_epi16_mask(pawn_to_empty, files, _mm512_set1_epi16(7));
    const uint64_t squares_bits = _cvtmask64_u64(_kor_mask64(to, from));
    return (uint32_t)_pext_u64(squares_bits | squares_bits >> 1, UINT64_C(0x5555555555555555)) |
           _cvtmask32_u32(_kor_mask32(promotion, en_passant));
}

/* Writes what each move of a chunk wins, which is its value unless it is recapturable, and copies what the decision
 * needs of the recapturable moves. One function for all rule classes. */
static __attribute__((noinline)) void set_recapturable_apart(const struct decision_values *values,
                                                             struct ray_boards *boards, struct recapturable *c,
                                                             const struct see_chunk *chunk, const int16_t *threshold,
                                                             int16_t *value)
{
    size_t n = 0;
    for (size_t i = 0; i < chunk->n_positions; i++) {
        const size_t start = chunk->start[i], end = chunk->start[i + 1];
        see_prefetch_upcoming(&chunk->upcoming, start & ~(size_t)31, 4);
        const lanes board = board_of(chunk->position[i]);
        _mm512_store_si512(boards->board[i], board);
        const int color = seebatch_color_on(chunk->position[i], seebatch_from(chunk->move[start]));
        const struct recapturable_squares squares = recapturable_squares_of(chunk->position[i], color);
        for (size_t k = start; k < end; k += 32) {
            const __mmask32 those = _bzhi_u32(~0u, (unsigned)(end - k < 32 ? end - k : 32));
            const lanes moves = _mm512_maskz_loadu_epi16(those, chunk->move + k);
            const lanes codes = codes_of_moves(moves, board);
            _mm512_storeu_si512(value + k, _mm512_permutexvar_epi16(_mm512_srli_epi16(codes, 8), values->victim));
            const uint32_t bits = recapturable_moves(&squares, moves, codes) & _cvtmask32_u32(those);
            const __mmask32 recapturable = _cvtu32_mask32(bits);
            store_packed(c->move + n, recapturable, moves);
            store_packed(c->codes + n, recapturable, codes);
            store_packed(c->number + n, recapturable, _mm512_add_epi16(_mm512_set1_epi16((int16_t)k), first_words()));
            if (threshold)
                store_packed((uint16_t *)c->threshold + n, recapturable,
                             _mm512_maskz_loadu_epi16(those, threshold + k));
            memset(c->index + n, (int)i, 32);
            n += (size_t)_mm_popcnt_u32(bits);
        }
    }
    memset(c->move + n, 0, SEE_CHUNK_PAD * sizeof *c->move);
    memset(c->codes + n, 0, SEE_CHUNK_PAD * sizeof *c->codes);
    memset(c->index + n, 0, SEE_CHUNK_PAD);
    c->n = n;
}

/* ---- What queries see -------------------------------------------------------------------------------------------- */

/* What the queries of a chunk see: 64 queries at a time, in the order of numbers_of_moves(). */
struct chunk_rays {
    uint8_t pieces[RAY_QUERIES] __attribute__((aligned(64))), bits[RAY_QUERIES];
    uint8_t theirs[RAY_QUERIES], ours[RAY_QUERIES];
    uint8_t two_ours[RAY_QUERIES / 8], two_theirs[RAY_QUERIES / 8];
};

LANES_INLINE lanes reversed_bytes(lanes a) { return parities_of(a, UINT64_C(0x8040201008040201)); }

/* The place of queries k to k + 7 in that order, counted in groups of eight. */
LANES_INLINE size_t slot_of(size_t k)
{
    const size_t eight = k / 8;
    return (eight & ~(size_t)7) + 2 * (eight & 3) + (eight >> 2 & 1);
}

/* The planes of queries k to k + 7, in lanes. */
LANES_INLINE void planes_of_queries_on_rays(const struct ray_queries *r, size_t k, lanes plane[4])
{
    lanes seen[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        seen[lane] = seen_by(r->move[k + lane], board_of_query(r, k + lane));
    planes_of_rays(seen, LANES, plane);
}

/* Which pieces of a query may matter to a king, if that is asked for. */
enum ray_parts {
    NO_PARTS,
    ATTACKERS, /* under rules with pins: the first attackers */
    /* under other rules: all that may leave its square, which is the moving piece, the attackers and the x-ray
     * attackers */
    LEAVING
};

/* The lengths of exchanges, as far as the numbers of attackers tell them (lanes/lengths.h): a byte for each eight queries
 * has the bits of those of which that is so, unless a king keeps a piece from capturing. */
struct ray_lengths {
    int16_t *length;
    uint8_t counted[RAY_QUERIES / LANES];
};

/* Writes the lengths of queries k to k + 7. `captures` and `by_king` have the bits of those that are plain captures, and
 * that a king makes: nothing may take back from it. */
LANES_INLINE void count_on_rays(struct ray_lengths *lengths, size_t k, const lanes plane[4],
                                const struct ray_attackers *x, unsigned captures, unsigned by_king)
{
    const lanes near = lanes_and3(x->attackers, plane[1], plane[2]);
    const lane_mask tell = mask_and(lanes_empty(x->xray), one_king_each_of(x->enemy, near));
    const unsigned no_recapture = mask_bits(lanes_disjoint(x->attackers, x->enemy));
    store_values(lengths->length + k, capture_counts_of(x->enemy, lanes_without(x->attackers, near), near));
    lengths->counted[k / LANES] = (uint8_t)(mask_bits(tell) & captures & (no_recapture | ~by_king));
}

/* Finds what the queries `from` to `to` - 1 see. `from` is a multiple of RAY_BLOCK, and `to` is a multiple or the end.
 * parts: NULL, or it gets the pieces that are asked for, as words of rays with their bytes reversed. lengths: NULL, or it
 * gets the lengths. */
LANES_INLINE void find_seen(struct chunk_rays *rays, const struct ray_queries *queries,
                            const struct see_upcoming *upcoming, size_t from, size_t to, enum ray_parts wanted,
                            uint64_t *parts, struct ray_lengths *lengths)
{
    uint8_t captures[RAY_BLOCK / LANES], by_king[RAY_BLOCK / LANES];
    const struct ray_queries r = *queries;
    for (size_t k = from; k < to; k += MOVES_AT_ONCE) {
        const lanes moves[2] = {_mm512_loadu_si512(r.move + k), _mm512_loadu_si512(r.move + k + 32)};
        const lanes codes[2] = {_mm512_loadu_si512(r.codes + k), _mm512_loadu_si512(r.codes + k + 32)};
        const struct ray_moves m = ray_moves_of(moves, codes);
        _mm512_storeu_si512(rays->pieces + k, m.pieces);
        _mm512_storeu_si512(rays->bits + k, m.bits);
        if (!lengths)
            continue;
        const __mmask64 king = _mm512_cmpeq_epi8_mask(lanes_and(m.pieces, bytes_all(7)), bytes_all(6)); /* its code */
        _store_mask64((__mmask64 *)(void *)(captures + (k - from) / LANES), m.captures);
        _store_mask64((__mmask64 *)(void *)(by_king + (k - from) / LANES), king);
    }
    if (to % MOVES_AT_ONCE) { /* what stands behind the last query */
        const size_t k = to / MOVES_AT_ONCE * MOVES_AT_ONCE;
        memset(rays->theirs + k, 0, MOVES_AT_ONCE);
        memset(rays->ours + k, 0, MOVES_AT_ONCE);
        memset(rays->two_theirs + k / LANES, 0, MOVES_AT_ONCE / LANES);
        memset(rays->two_ours + k / LANES, 0, MOVES_AT_ONCE / LANES);
    }
    lanes next[4];
    planes_of_queries_on_rays(&r, from, next);
    for (size_t k = from; k < to; k += LANES) {
        const size_t slot = slot_of(k);
        if (upcoming)
            see_prefetch_upcoming(upcoming, k, LANES);
        const lanes plane[4] = {next[0], next[1], next[2], next[3]};
        planes_of_queries_on_rays(&r, k + LANES < to ? k + LANES : k, next);
        const __m128i bits = _mm_loadl_epi64((const __m128i *)(rays->bits + slot * LANES));
        const struct ray_attackers x = ray_attackers_of(plane, _mm512_cvtepi8_epi64(bits));
        _store_mask64((__mmask64 *)(void *)(rays->theirs + slot * LANES), x.theirs);
        _store_mask64((__mmask64 *)(void *)(rays->ours + slot * LANES), x.ours);
        _store_mask8(rays->two_ours + slot, x.two_ours);
        _store_mask8(rays->two_theirs + slot, x.two_theirs);
        if (wanted == ATTACKERS)
            _mm512_storeu_si512(parts + k, reversed_bytes(x.attackers));
        else if (wanted == LEAVING)
            _mm512_storeu_si512(parts + k, reversed_bytes(lanes_or3(x.attackers, x.xray, x.from)));
        if (lengths)
            count_on_rays(lengths, k, plane, &x, captures[slot - from / LANES], by_king[slot - from / LANES]);
    }
}

/* These are functions for all rule classes. */
static __attribute__((noinline)) void find_attackers_on_rays(struct chunk_rays *rays, const struct ray_queries *queries,
                                                             const struct see_upcoming *upcoming, size_t from,
                                                             size_t to, enum ray_parts wanted, uint64_t *parts)
{
    find_seen(rays, queries, upcoming, from, to, wanted, parts, NULL);
}

static __attribute__((noinline)) void find_attackers_and_lengths(struct chunk_rays *rays,
                                                                 const struct ray_queries *queries,
                                                                 const struct see_upcoming *upcoming, size_t from,
                                                                 size_t to, enum ray_parts wanted, uint64_t *parts,
                                                                 struct ray_lengths *lengths)
{
    find_seen(rays, queries, upcoming, from, to, wanted, parts, lengths);
}

/* Lists the queries of a chunk whose lengths are not known. */
LANES_INLINE size_t list_uncounted(const struct ray_lengths *lengths, size_t n, uint16_t *uncounted)
{
    size_t n_uncounted = 0;
    for (size_t k = 0; k < n; k += MOVES_AT_ONCE) {
        uint64_t bits;
        memcpy(&bits, lengths->counted + k / LANES, sizeof bits);
        for (bits = ~bits & first_moves(n - k); bits; bits &= bits - 1)
            uncounted[n_uncounted++] = (uint16_t)(k + lowest_bit(bits));
    }
    return n_uncounted;
}

LANES_INLINE __mmask64 mask_of_slots(const uint8_t *slots, size_t k)
{
    uint64_t bits;
    memcpy(&bits, slots + k / LANES, sizeof bits);
    return _cvtu64_mask64(bits);
}

/* ---- The decision ------------------------------------------------------------------------------------------------ */

/* The bytes are not 0 for queries in which an attacker may promote. */
LANES_INLINE lanes may_promote(const seebatch_move *move, lanes types)
{
    const lanes moves[2] = {_mm512_loadu_si512(move), _mm512_loadu_si512(move + MOVES_AT_ONCE / 2)};
    const lanes one = _mm512_set1_epi16(1 << 9), upper = _mm512_set1_epi16(6 << 9); /* of the to-square's rank */
    lanes last[2]; /* 0 where that rank plus one, modulo 8, is 0 or 1 */
    for (int i = 0; i < 2; i++)
        last[i] = _mm512_srli_epi16(lanes_and(_mm512_add_epi16(moves[i], one), upper), 8);
    const lanes on_last = _mm512_packus_epi16(last[0], last[1]);
    return _mm512_maskz_mov_epi8(bytes_lack(on_last, on_last), lanes_and(types, bytes_all(1)));
}

/* Decides queries k to k + 63. Returns the bits of those that are pending, in the order of numbers_of_moves(); bits
 * after the last query may be set as well. */
LANES_INLINE uint64_t decide_seen(const struct lane_rules *rules, const struct decision_values *values,
                                  const struct chunk_rays *rays, const struct ray_queries *r, size_t k, int16_t *value)
{
    struct target_attackers x;
    x.theirs = sets_of_types(_mm512_loadu_si512(rays->theirs + k));
    x.ours = sets_of_types(_mm512_loadu_si512(rays->ours + k));
    x.two_ours = mask_of_slots(rays->two_ours, k);
    x.two_theirs = mask_of_slots(rays->two_theirs, k);
    x.counts_second_xray = x.counted = false; /* these would cost all queries more than they save some */
    lanes doubtful;
    if (rules->promote_all)
        doubtful = may_promote(r->move + k, lanes_or(x.theirs, x.ours));
    const __mmask64 resolved =
        decide_bytes(rules, values, _mm512_loadu_si512(rays->pieces + k), &x, rules->promote_all ? &doubtful : NULL,
                     r->threshold ? r->threshold + k : NULL, first_moves(r->n - k), value + k);
    const __mmask64 special = bytes_meet(_mm512_loadu_si512(rays->bits + k), bytes_all(SPECIAL));
    return _cvtmask64_u64(_kor_mask64(_knot_mask64(resolved), special));
}

/* Decides all queries that were scanned, and writes the numbers of those that are pending. Returns how many there
 * are. */
LANES_INLINE size_t decide_all_seen(const struct lane_rules *rules, const struct decision_values *values,
                                    const struct chunk_rays *rays, const struct ray_queries *r, int16_t *value,
                                    uint16_t *pending)
{
    size_t n_pending = 0;
    for (size_t k = 0; k < r->n; k += MOVES_AT_ONCE) {
        const uint64_t bits = decide_seen(rules, values, rays, r, k, value);
        n_pending += store_numbers_of_moves(pending + n_pending, k, bits & places_of_moves(r->n - k));
    }
    return n_pending;
}

/* Decide the queries of a chunk along rays, where no king matters: the first decides all of them, the second those that
 * are recapturable. They write the numbers of the queries that are pending, and return how many there are. lengths: NULL,
 * or what gets the lengths. */
LANES_INLINE size_t decide_on_rays(const struct lane_rules *rules, const struct see_chunk *chunk,
                                   const int16_t *threshold, int16_t *value, struct ray_lengths *lengths,
                                   uint16_t *pending)
{
    const struct decision_values values = decision_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    uint16_t codes[RAY_QUERIES] __attribute__((aligned(64)));
    struct ray_queries r = {chunk->n, 0, chunk->move, chunk->index, codes, threshold};
    for (size_t k = 0; k < chunk->n; k += RAY_BLOCK) {
        const size_t end = k + RAY_BLOCK < chunk->n ? k + RAY_BLOCK : chunk->n;
        load_rays(&boards, codes, chunk, k, end, NULL);
        r.boards = boards_from(&boards, chunk->index[k]);
        if (lengths)
            find_attackers_and_lengths(&rays, &r, &chunk->upcoming, k, end, NO_PARTS, NULL, lengths);
        else
            find_attackers_on_rays(&rays, &r, &chunk->upcoming, k, end, NO_PARTS, NULL);
    }
    return decide_all_seen(rules, &values, &rays, &r, value, pending);
}

LANES_INLINE size_t decide_recapturable(const struct lane_rules *rules, const struct see_chunk *chunk,
                                        const int16_t *threshold, int16_t *value, uint16_t *pending)
{
    const struct decision_values values = decision_values_of(rules);
    struct ray_boards boards;
    struct chunk_rays rays;
    struct recapturable c;
    set_recapturable_apart(&values, &boards, &c, chunk, threshold, value);
    const struct ray_queries r = {c.n,     boards_from(&boards, 0),       c.move, c.index,
                                  c.codes, threshold ? c.threshold : NULL};
    find_attackers_on_rays(&rays, &r, NULL, 0, c.n, NO_PARTS, NULL);
    const size_t n_pending = decide_all_seen(rules, &values, &rays, &r, c.value, pending);
    for (size_t j = 0; j < c.n; j++)
        value[c.number[j]] = c.value[j];
    for (size_t j = 0; j < n_pending; j++)
        pending[j] = c.number[pending[j]];
    return n_pending;
}

#endif
