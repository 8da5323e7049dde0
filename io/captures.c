/*
 * The legal captures of many positions, quickly where the processor has AVX2 and BMI2, or AVX-512.
 *
 * Where the pieces of a side capture is found for several positions at once, a position in each word of a register
 * (capture_sets.h). What is captured from which square is then told by the line and the direction. En passant and
 * promotions go to seebatch_legal_captures().
 */
#include "captures.h"

#include <string.h>

#include "in_check.h"
#include "inline_attacks.h"

static size_t captures_one_by_one(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                  seebatch_move *moves, bool *checked)
{
    if (checked != NULL)
        seebatch_io_find_positions_in_check(positions, n, checked);
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const bool taken = in == NULL || in[i];
        offsets[i + 1] = offsets[i] + (taken ? seebatch_legal_captures(&positions[i], moves + offsets[i]) : 0);
    }
    return offsets[n];
}

#ifdef __x86_64__

enum { MOST_LANES = 8 };

/* Squares that are captured on, of a position in each lane; boards are upside down where Black is to move. */
struct capture_sets {
    uint64_t along[2 * N_LINES][MOST_LANES]; /* but by knights: upward along each line, then downward */
    uint64_t some[MOST_LANES];               /* which of these are not empty */
    uint64_t by_knight[MOST_LANES];
    uint64_t by_pawn[MOST_LANES]; /* these stand in along, too */
    uint64_t occupied[MOST_LANES], knights[MOST_LANES], checkers[MOST_LANES];
};

/* What captures along a line is the nearest piece on the other side of the target. */
WITH_BITS EACH_PROCESSOR seebatch_move *add_captures(const struct capture_sets *sets, size_t lane, unsigned flip,
                                                     seebatch_move *next)
{
    const uint64_t occupied = sets->occupied[lane];
    for (uint64_t some = sets->some[lane]; some; some &= some - 1) {
        const int i = __builtin_ctzll(some);
        for (uint64_t targets = sets->along[i][lane]; targets; targets &= targets - 1) {
            const int to = __builtin_ctzll(targets);
            const uint64_t line = square_sets[to].line[i % N_LINES] & occupied, below = _bzhi_u64(line, (unsigned)to),
                           above = line & ~below & ~(UINT64_C(1) << to);
            const int from = i < N_LINES ? 63 - __builtin_clzll(below) : __builtin_ctzll(above);
            *next++ = (seebatch_move)(seebatch_make_move(from, to, 0) ^ flip);
        }
    }
    for (uint64_t targets = sets->by_knight[lane]; targets; targets &= targets - 1) {
        const int to = __builtin_ctzll(targets);
        for (uint64_t knights = square_sets[to].knight & sets->knights[lane]; knights; knights &= knights - 1)
            *next++ = (seebatch_move)(seebatch_make_move(__builtin_ctzll(knights), to, 0) ^ flip);
    }
    return next;
}

/* The same for all lanes. positions and what else belongs to them begin with the first lane's. */
WITH_BITS EACH_PROCESSOR seebatch_move *
add_captures_of_lanes(const struct capture_sets *sets, const seebatch_position *positions, size_t lanes, const bool *in,
                      size_t *offsets, const seebatch_move *moves, seebatch_move *next, bool *by_pawn)
{
    for (size_t i = 0; i < lanes; i++) {
        const seebatch_position *p = &positions[i];
        offsets[i] = (size_t)(next - moves);
        if (in != NULL && !in[i])
            continue;
        if (p->ep_square != SEEBATCH_NO_SQUARE || sets->by_pawn[i] & SET_RANK_1 << 56)
            next += seebatch_legal_captures(p, next);
        else if (by_pawn != NULL && sets->by_pawn[i])
            by_pawn[i] = true;
        else
            next = add_captures(sets, i, p->stm == SEEBATCH_BLACK ? 56 | 56 << 6 : 0, next);
    }
    return next;
}

#define WORDS_OF_TWO UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)
#define OF_FOUR(i, field) positions[i].field, positions[i + 1].field, positions[i + 2].field, positions[i + 3].field

#define LANES 4
#define SETS(name) name##_4
#define SETS_TARGET WITH_BITS
#define SHUFFLE(set, order) _mm256_shuffle_epi8((__m256i)(set), (__m256i)(order))
#define SHUFFLE_NOTHING                                                                                                \
    {                                                                                                                  \
        WORDS_OF_TWO, WORDS_OF_TWO                                                                                     \
    }
#define OF_EACH(field)                                                                                                 \
    {                                                                                                                  \
        OF_FOUR(0, field)                                                                                              \
    }
#include "capture_sets.h"

#undef LANES
#undef SETS
#undef SETS_TARGET
#undef SHUFFLE
#undef SHUFFLE_NOTHING
#undef OF_EACH

#define LANES 8
#define SETS(name) name##_8
#define SETS_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt")))
#define SHUFFLE(set, order) _mm512_shuffle_epi8((__m512i)(set), (__m512i)(order))
#define SHUFFLE_NOTHING                                                                                                \
    {                                                                                                                  \
        WORDS_OF_TWO, WORDS_OF_TWO, WORDS_OF_TWO, WORDS_OF_TWO                                                         \
    }
#define OF_EACH(field)                                                                                                 \
    {                                                                                                                  \
        OF_FOUR(0, field), OF_FOUR(4, field)                                                                           \
    }
#include "capture_sets.h"

#define HAS_EIGHT_LANES                                                                                                \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))

static size_t captures_by_bits(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                               seebatch_move *moves, bool *by_pawn, bool *checked)
{
    return (HAS_EIGHT_LANES ? captures_8 : captures_4)(positions, n, in, offsets, moves, by_pawn, checked);
}

#else
static size_t captures_by_bits(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                               seebatch_move *moves, bool *by_pawn, bool *checked)
{
    (void)by_pawn;
    return captures_one_by_one(positions, n, in, offsets, moves, checked);
}
#endif

size_t seebatch_io_find_captures(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                 seebatch_move *moves, bool *by_pawn, bool *checked)
{
    if (by_pawn != NULL)
        memset(by_pawn, 0, n * sizeof *by_pawn);
    return HAS_QUICK_BITS ? captures_by_bits(positions, n, in, offsets, moves, by_pawn, checked)
                          : captures_one_by_one(positions, n, in, offsets, moves, checked);
}
