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
#include "lanes.h"
#include "requests.h"
#include "scalar/kernel.h"
#include "scalar/see.h"

enum { KING_VALUE = 1 << 14, FAR = 20000 /* beyond every value */ };

/* The rules as the lanes want them. */
struct lane_rules {
    lanes value_of_code; /* eight 32-bit values by piece code; no piece and king 0 */
    lanes value[5];
    uint16_t promotion_bits; /* of a move: those that count */
    bool promote_all;
};

/* A request in each lane. */
struct lane_requests {
    struct lane_lines lines;
    lanes pawns, knights, rooks, bishops, queens, kings;
    lanes own, enemy;     /* pieces of the first mover and of his opponent */
    lanes occupied;       /* pieces that can take part: not the first mover, not the one captured */
    lanes leapers;        /* pawns, knights and kings that attack the target */
    lanes attackers;      /* leapers and sliders among the occupied squares */
    lanes gain, standing; /* v0 and v1 */
    lanes settled;        /* gain is the value */
    lanes last_rank;      /* a pawn that captures becomes a queen */
};

static inline struct lane_rules lane_rules_of(const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    struct lane_rules r;
    r.value_of_code = _mm256_setr_epi32(0, v[SEEBATCH_BISHOP], v[SEEBATCH_ROOK], v[SEEBATCH_QUEEN], v[SEEBATCH_PAWN],
                                        v[SEEBATCH_KNIGHT], 0, 0);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        r.value[type] = value_all(v[type]);
    r.promotion_bits = rules->promotions == SEEBATCH_PROMOTE_NONE ? 0 : 7 << 12;
    r.promote_all = rules->promotions == SEEBATCH_PROMOTE_ALL;
    return r;
}

/* The value of the piece on a square of each lane. */
static inline lanes value_on(const struct lane_rules *rules, const lanes plane[4], lanes square)
{
    const lanes one = lanes_all(1), two = lanes_all(2);
    const lanes bit1 = _mm256_srlv_epi64(plane[1], square);
    const lanes code = lanes_or(
        lanes_or(lanes_and(_mm256_srlv_epi64(plane[0], square), one), lanes_and(_mm256_add_epi64(bit1, bit1), two)),
        _mm256_slli_epi64(_mm256_srlv_epi64(plane[2], square), 2));
    /* The look-up takes the low three bits of each half; the upper halves' results are cut off. */
    return lanes_and(_mm256_permutevar8x32_epi32(rules->value_of_code, code), lanes_all(0xffffffff));
}

/* En passant: a pawn that changes file onto an empty square. Rare, so found with a branch. */
static inline void capture_en_passant(const struct lane_rules *rules, struct lane_requests *q, lanes capturing_pawn,
                                      lanes empty, lanes to)
{
    const lanes en_passant = lanes_without(empty, lanes_empty(capturing_pawn));
    if (_mm256_testz_si256(en_passant, en_passant))
        return;
    const lanes victim = _mm256_sllv_epi64(lanes_all(1), lanes_xor(to, lanes_all(8)));
    q->occupied = lanes_without(q->occupied, lanes_and(victim, en_passant));
    q->gain = lanes_or(q->gain, lanes_and(rules->value[SEEBATCH_PAWN], en_passant));
}

/* The first move's promotion. */
static inline void promote(const struct lane_rules *rules, struct lane_requests *q, lanes move)
{
    const lanes promotion = lanes_and(_mm256_srli_epi64(move, 12), lanes_all(7));
    lanes worth = q->standing;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        worth = lanes_select(_mm256_cmpeq_epi64(promotion, lanes_all(type)), rules->value[type], worth);
    q->gain = value_add(q->gain, value_sub(worth, q->standing));
    q->standing = worth;
}

/* Four requests: the positions and the moves. */
static inline struct lane_requests set_up(const struct lane_rules *rules, const seebatch_position *const position[4],
                                          const seebatch_move move[4])
{
    struct lane_requests q;
    lanes plane[4], row[4];
    const struct see_square *const square[4] = {
        &seebatch_squares[seebatch_to(move[0])], &seebatch_squares[seebatch_to(move[1])],
        &seebatch_squares[seebatch_to(move[2])], &seebatch_squares[seebatch_to(move[3])]};
    lanes_transpose(position[0], position[1], position[2], position[3], plane); /* and colour, the fourth */
    lanes_transpose(square[0], square[1], square[2], square[3], row);
    const lanes white = plane[3], knight_attacks_of = row[2], king_attacks_of = row[3];

    const lanes moves = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)move));
    const lanes one = lanes_all(1);
    const lanes from = lanes_and(moves, lanes_all(63));
    const lanes to = lanes_and(_mm256_srli_epi64(moves, 6), lanes_all(63));
    const lanes from_bit = _mm256_sllv_epi64(one, from), to_bit = _mm256_sllv_epi64(one, to);

    const lanes all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]);
    q.occupied = lanes_without(all, lanes_or(from_bit, to_bit));
    q.gain = value_on(rules, plane, to);
    q.standing = value_on(rules, plane, from);
    q.pawns = lanes_without(plane[2], lanes_or(plane[0], plane[1]));
    q.knights = lanes_and(plane[2], plane[0]);
    q.kings = lanes_and(plane[2], plane[1]);
    q.queens = lanes_and(plane[0], plane[1]);
    q.bishops = lanes_without(plane[0], lanes_or(plane[1], plane[2]));
    q.rooks = lanes_without(plane[1], lanes_or(plane[0], plane[2]));
    const lanes black_moves = lanes_disjoint(white, from_bit);
    q.enemy = lanes_xor(white, lanes_without(all, black_moves));
    q.own = lanes_xor(q.enemy, all);

    struct lane_lines *l = &q.lines;
    l->square = to_bit;
    l->flipped = lanes_flip(to_bit);
    l->below = lanes_sub(to_bit, one);
    l->file = _mm256_sllv_epi64(lanes_all(0x0101010101010101), lanes_and(to, lanes_all(7)));
    l->rank = _mm256_sllv_epi64(lanes_all(0xff), lanes_and(to, lanes_all(56)));
    l->diagonal = row[0];
    l->antidiagonal = row[1];
    l->line_sliders = lanes_without(plane[1], plane[2]);
    l->diagonal_sliders = lanes_without(plane[0], plane[2]);

    /* A pawn attacks the target from one of the diagonal neighbours: a white one from below, a black one from above. */
    const lanes pawn_neighbours = lanes_and(lanes_and(king_attacks_of, lanes_or(row[0], row[1])), q.pawns);
    const lanes capturing_pawn = lanes_and(pawn_neighbours, from_bit);
    capture_en_passant(rules, &q, capturing_pawn, lanes_disjoint(all, to_bit), to);
    if (!_mm256_testz_si256(moves, lanes_all(rules->promotion_bits)))
        promote(rules, &q, moves);

    q.settled = lanes_xor(lanes_disjoint(q.kings, from_bit), lanes_all(-1));
    if (!_mm256_testz_si256(q.own, to_bit)) /* castling, as king takes rook */
        q.gain = lanes_and(q.gain, lanes_disjoint(q.own, to_bit));
    q.last_rank = lanes_zero();
    if (rules->promote_all)
        q.last_rank = lanes_xor(lanes_disjoint(to_bit, lanes_all((int64_t)0xff000000000000ff)), lanes_all(-1));

    q.leapers = lanes_or(lanes_or(lanes_and(knight_attacks_of, q.knights), lanes_and(king_attacks_of, q.kings)),
                         lanes_without(pawn_neighbours, lanes_xor(white, l->below)));
    q.attackers = lanes_or(lanes_and(q.leapers, q.occupied), lanes_sliders_to(l, q.occupied));
    return q;
}

/* The value of the least valuable of a set of attackers, a king counting more than everything. */
static inline lanes least_value(const struct lane_rules *rules, const struct lane_requests *q, lanes set)
{
    lanes value = value_all(KING_VALUE);
    value = lanes_select(lanes_disjoint(set, q->queens), value, rules->value[SEEBATCH_QUEEN]);
    value = lanes_select(lanes_disjoint(set, q->rooks), value, rules->value[SEEBATCH_ROOK]);
    value = lanes_select(lanes_disjoint(set, q->bishops), value, rules->value[SEEBATCH_BISHOP]);
    value = lanes_select(lanes_disjoint(set, q->knights), value, rules->value[SEEBATCH_KNIGHT]);
    return lanes_select(lanes_disjoint(set, q->pawns), value, rules->value[SEEBATCH_PAWN]);
}

static inline lanes at_most_one(lanes set) { return lanes_empty(lanes_and(set, lanes_sub(set, lanes_all(1)))); }

/* The values that can be told without playing the exchange out, and in which lanes. */
static inline lanes decide(const struct lane_rules *rules, const struct lane_requests *q, lanes *decided)
{
    const lanes hidden = lanes_sliders_to(&q->lines, lanes_without(q->occupied, q->attackers));
    const lanes theirs = lanes_without(lanes_and(q->attackers, q->enemy), q->settled);
    const lanes ours = lanes_and(q->attackers, q->own);
    const lanes none_theirs = lanes_empty(theirs);
    const lanes none_ours = lanes_disjoint(lanes_or(q->attackers, hidden), q->own);
    const lanes single_theirs = at_most_one(theirs), single_ours = at_most_one(ours);

    const lanes w = least_value(rules, q, theirs), u = least_value(rules, q, ours), zero = lanes_zero();
    const lanes most = value_sub(q->gain, value_max(zero, value_sub(q->standing, w)));
    const lanes least = value_sub(q->gain, value_max(zero, value_sub(q->standing, value_max(zero, value_sub(w, u)))));

    lanes known = lanes_or(lanes_or(single_theirs, single_ours), _mm256_cmpeq_epi64(most, least));
    known = lanes_and(known, lanes_empty(hidden));
    if (rules->promote_all) /* pawns that capture on the last rank are worth more than they look */
        known = lanes_without(known, lanes_without(q->last_rank, lanes_disjoint(q->attackers, q->pawns)));
    lanes no_pawn_recaptures = lanes_all(-1);
    if (rules->promote_all)
        no_pawn_recaptures = lanes_or(lanes_disjoint(theirs, q->pawns), lanes_xor(q->last_rank, lanes_all(-1)));
    *decided = lanes_or(lanes_or(none_theirs, lanes_and(none_ours, no_pawn_recaptures)), known);
    lanes value = lanes_select(single_theirs, most, least);
    value = lanes_select(none_ours, value_sub(q->gain, q->standing), value);
    return lanes_select(none_theirs, q->gain, value);
}

/* An exchange in progress in each lane; see play_out() in ../scalar/see.c. All values are the first mover's. */
struct lane_exchange {
    lanes occupied, attackers;
    lanes balance, standing;
    lanes low, high; /* the value is known where they meet */
};

/* The captures of one side, where it has any that helps: its pieces; the other side's. */
static inline void take_turn(const struct lane_rules *rules, const struct lane_requests *q, struct lane_exchange *x,
                             lanes side, lanes other, bool first_movers_turn)
{
    if (first_movers_turn) /* stopping now is one of his choices: the value is at least the balance */
        x->low = value_min(x->high, value_max(x->low, x->balance));
    else
        x->high = value_max(x->low, value_min(x->high, x->balance));

    const lanes mine = lanes_and(x->attackers, side);
    const lanes of_type[5] = {lanes_and(mine, q->pawns), lanes_and(mine, q->knights), lanes_and(mine, q->bishops),
                              lanes_and(mine, q->rooks), lanes_and(mine, q->queens)};
    const lanes king = lanes_and(mine, q->kings);
    lanes chosen = king, value = lanes_zero();
    for (int type = SEEBATCH_QUEEN; type >= SEEBATCH_PAWN; type--) {
        const lanes none = lanes_empty(of_type[type]);
        chosen = lanes_select(none, chosen, of_type[type]);
        value = lanes_select(none, value, rules->value[type]);
    }
    const lanes from = lanes_and(chosen, lanes_sub(lanes_zero(), chosen));
    x->occupied = lanes_without(x->occupied, from);
    x->attackers = lanes_or(lanes_and(q->leapers, x->occupied), lanes_sliders_to(&q->lines, x->occupied));

    /* No piece to capture with, or only a king that would stand in check: the exchange ends here. */
    const lanes king_moves = lanes_and(from, king);
    const lanes in_check =
        lanes_without(lanes_xor(lanes_empty(king_moves), lanes_all(-1)), lanes_disjoint(x->attackers, other));
    const lanes ends = lanes_or(lanes_empty(mine), in_check);
    if (first_movers_turn)
        x->high = lanes_select(ends, x->low, x->high);
    else
        x->low = lanes_select(ends, x->high, x->low);

    lanes won = x->standing;
    x->standing = value;
    if (rules->promote_all) {
        const lanes promotes = lanes_without(q->last_rank, lanes_disjoint(from, q->pawns));
        const lanes queen = rules->value[SEEBATCH_QUEEN];
        won = value_add(won, lanes_and(promotes, value_sub(queen, rules->value[SEEBATCH_PAWN])));
        x->standing = lanes_select(promotes, queen, x->standing);
    }
    x->balance = first_movers_turn ? value_add(x->balance, won) : value_sub(x->balance, won);
}

/* Plays the exchanges of all lanes out. */
static inline lanes play_out(const struct lane_rules *rules, const struct lane_requests *q)
{
    struct lane_exchange x = {
        .occupied = q->occupied,
        .attackers = lanes_without(q->attackers, lanes_and(q->enemy, q->settled)),
        .balance = q->gain,
        .standing = q->standing,
        .low = value_all(-FAR),
        .high = value_all(FAR),
    };
    for (;;) {
        take_turn(rules, q, &x, q->enemy, q->own, false);
        take_turn(rules, q, &x, q->own, q->enemy, true);
        const lanes open = lanes_xor(_mm256_cmpeq_epi32(x.low, x.high), lanes_all(-1));
        if (_mm256_testz_si256(open, open))
            return x.low;
    }
}

/* The low 16 bits of each lane. */
static inline void store_values(int16_t value[4], lanes values)
{
    const lanes low = _mm256_shuffle_epi8(values, _mm256_set1_epi64x(0x0d0c050409080100));
    _mm_storel_epi64((__m128i *)value,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

/* Values of a chunk. Undecided requests are packed, and played out four at a time. */
static inline void chunk_values(const struct lane_rules *rules, const struct see_chunk *chunk, int16_t *value,
                                bool force)
{
    uint16_t undecided[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n_undecided = 0;
    undecided[0] = 0;
    for (size_t k = 0; k < chunk->n; k += 4) {
        const struct lane_requests q = set_up(rules, chunk->position + k, chunk->move + k);
        lanes decided;
        store_values(value + k, decide(rules, &q, &decided));
        if (force)
            decided = lanes_zero();
        const unsigned known = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(decided));
        for (unsigned rest = ~known & 15; rest; rest &= rest - 1)
            undecided[n_undecided++] = (uint16_t)(k + (size_t)__builtin_ctz(rest));
    }
    for (size_t j = n_undecided; j < n_undecided + 3; j++)
        undecided[j] = undecided[0];
    for (size_t j = 0; j < n_undecided; j += 4) {
        const seebatch_position *position[4];
        seebatch_move move[4];
        int16_t result[4];
        for (size_t lane = 0; lane < 4; lane++) {
            position[lane] = chunk->position[undecided[j + lane]];
            move[lane] = chunk->move[undecided[j + lane]];
        }
        const struct lane_requests q = set_up(rules, position, move);
        store_values(result, play_out(rules, &q));
        for (size_t lane = 0; lane < 4; lane++)
            value[undecided[j + lane]] = result[lane];
    }
}

/* Whether the lanes know these rules; if not, the scalar code evaluates. */
static bool lanes_can(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED && rules->special == SEEBATCH_SPECIAL_EVALUATED;
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
        chunk_values(&r, &chunk, value, force);
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
        chunk_values(&r, &chunk, value, force);
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
