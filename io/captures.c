/*
 * The legal captures of many positions, quickly where the processor has the instructions of BMI2.
 *
 * How many captures a piece has cannot be guessed, and a wrong guess costs as much as the attacks of a rook. So all
 * sliders go at once, along four lines and both ways, in two registers of four words; and two knights are looked at in
 * any case, whether they are there or not, and the first capture of each is written in any case, over the last one if
 * that was none. En passant, promotions and more knights go to seebatch_legal_captures().
 */
#include "captures.h"

#include <string.h>

#include "inline_attacks.h"

static size_t captures_one_by_one(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                  seebatch_move *moves)
{
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const bool taken = in == NULL || in[i];
        offsets[i + 1] = offsets[i] + (taken ? seebatch_legal_captures(&positions[i], moves + offsets[i]) : 0);
    }
    return offsets[n];
}

#ifdef __x86_64__

enum { KNIGHTS = 2 };

struct capturer {
    const seebatch_position *position;
    uint64_t own, enemy, occupied;
    uint64_t targets;                            /* of pieces other than the king: in check, the piece that gives it */
    uint64_t pawns, knights, diagonal, straight; /* own ones */
    int stm, king;
    seebatch_move *next;
};

static inline void add_all(struct capturer *c, int from, uint64_t targets)
{
    for (; targets; targets &= targets - 1)
        *c->next++ = seebatch_make_move(from, __builtin_ctzll(targets), 0);
}

/* The first capture of the lowest knight of a set, if there is one. Takes it out of the set, and returns its other
 * captures. */
WITH_BITS EACH_PROCESSOR uint64_t add_knight(struct capturer *c, uint64_t *set)
{
    const int from = lowest_or_none(*set);
    const uint64_t targets = square_sets[from].knight & c->targets;
    *c->next = seebatch_make_move(from & 63, lowest_or_none(targets) & 63, 0);
    c->next += targets != 0;
    *set &= *set - 1;
    return targets & (targets - 1);
}

WITH_BITS EACH_PROCESSOR void add_knights(struct capturer *c)
{
    uint64_t knights = c->knights;
    const uint64_t first = add_knight(c, &knights), second = add_knight(c, &knights);
    if (first | second) {
        add_all(c, lowest_or_none(c->knights), first);
        add_all(c, lowest_or_none(c->knights & (c->knights - 1)), second);
    }
}

/* Where sliders capture along each of the four lines, upward or downward: in steps of one, two and four squares over
 * the empty ones, and one more. entered: the squares that a step may enter without going around the board. */
#define FILL(shift, entered)                                                                                           \
    const __m256i inside = entered;                                                                                    \
    __m256i free = _mm256_andnot_si256(_mm256_set1_epi64x((int64_t)occupied), inside);                                 \
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, shift(sliders, one)));                                   \
    free = _mm256_and_si256(free, shift(free, one));                                                                   \
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, shift(sliders, two)));                                   \
    free = _mm256_and_si256(free, shift(free, two));                                                                   \
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, shift(sliders, four)));                                  \
    return _mm256_and_si256(inside, shift(sliders, one))

#define STEPS(n) _mm256_setr_epi64x(8 * (n), 1 * (n), 9 * (n), 7 * (n)) /* in the order of lines */
#define NOT_A ((int64_t)~SET_FILE_A)
#define NOT_H ((int64_t)~SET_FILE_H)

WITH_BITS EACH_PROCESSOR __m256i upward(__m256i sliders, uint64_t occupied)
{
    const __m256i one = STEPS(1), two = STEPS(2), four = STEPS(4);
    FILL(_mm256_sllv_epi64, _mm256_setr_epi64x(-1, NOT_A, NOT_A, NOT_H));
}

WITH_BITS EACH_PROCESSOR __m256i downward(__m256i sliders, uint64_t occupied)
{
    const __m256i one = STEPS(1), two = STEPS(2), four = STEPS(4);
    FILL(_mm256_srlv_epi64, _mm256_setr_epi64x(-1, NOT_H, NOT_H, NOT_A));
}

/* Which of the words are not 0. */
WITH_BITS EACH_PROCESSOR unsigned words_set(__m256i words)
{
    return 15u & ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(words, _mm256_setzero_si256())));
}

/* A slider that captures along a line is the nearest piece on the other side of the target. */
WITH_BITS EACH_PROCESSOR void add_sliders(struct capturer *c)
{
    const int64_t straight = (int64_t)c->straight, diagonal = (int64_t)c->diagonal;
    const __m256i sliders = _mm256_setr_epi64x(straight, straight, diagonal, diagonal);
    const __m256i targets = _mm256_set1_epi64x((int64_t)c->targets);
    const __m256i up = _mm256_and_si256(upward(sliders, c->occupied), targets),
                  down = _mm256_and_si256(downward(sliders, c->occupied), targets);
    uint64_t captured[2 * N_LINES];
    _mm256_storeu_si256((__m256i *)captured, up);
    _mm256_storeu_si256((__m256i *)(captured + N_LINES), down);
    for (unsigned lines = words_set(up) | words_set(down) << N_LINES; lines; lines &= lines - 1) {
        const int i = __builtin_ctz(lines);
        for (uint64_t rest = captured[i]; rest; rest &= rest - 1) {
            const int to = __builtin_ctzll(rest);
            const uint64_t line = square_sets[to].line[i % N_LINES] & c->occupied, below = (UINT64_C(1) << to) - 1;
            const int from = i < N_LINES ? 63 - __builtin_clzll(line & below)
                                         : __builtin_ctzll(line & ~below & ~(UINT64_C(1) << to));
            *c->next++ = seebatch_make_move(from, to, 0);
        }
    }
}

/* The captures of pawns towards one side: step is how far they go. */
WITH_BITS EACH_PROCESSOR void add_pawns(struct capturer *c, uint64_t targets, int step)
{
    for (; targets; targets &= targets - 1) {
        const int to = __builtin_ctzll(targets);
        *c->next++ = seebatch_make_move(to - step, to, 0);
    }
}

WITH_BITS EACH_PROCESSOR void add_king(struct capturer *c)
{
    uint64_t targets = square_sets[c->king].king & c->enemy;
    for (; targets; targets &= targets - 1) {
        const int to = __builtin_ctzll(targets);
        if (!attackers_among(c->position->plane, c->enemy, !c->stm, to, c->occupied ^ UINT64_C(1) << c->king, true))
            *c->next++ = seebatch_make_move(c->king, to, 0);
    }
}

/* A pinned piece can capture the piece that pins it, if no other gives check, and nothing else. Takes it out of the
 * sets. */
WITH_BITS static void add_pinned(struct capturer *c, uint64_t pinners)
{
    for (; pinners; pinners &= pinners - 1) {
        const int pinner = __builtin_ctzll(pinners);
        const uint64_t target = UINT64_C(1) << pinner;
        int line = ON_FILE;
        while (!(square_sets[c->king].line[line] & target))
            line++;
        const uint64_t pinned = attacks_on_line(c->king, line, c->occupied, true) &
                                attacks_on_line(pinner, line, c->occupied, true) & c->own;
        const uint64_t captures = line >= ON_DIAGONAL
                                      ? (c->diagonal & pinned) | (attacks_of_pawns(target, !c->stm) & c->pawns & pinned)
                                      : c->straight & pinned;
        if (captures && c->targets & target)
            *c->next++ = seebatch_make_move(__builtin_ctzll(pinned), pinner, 0);
        c->pawns &= ~pinned;
        c->knights &= ~pinned;
        c->diagonal &= ~pinned;
        c->straight &= ~pinned;
    }
}

/* The pieces that give check, and those of which each pins one piece. */
WITH_BITS EACH_PROCESSOR uint64_t find_checkers(const struct capturer *c, uint64_t *pinners)
{
    const uint64_t *plane = c->position->plane;
    const uint64_t enemy_diagonal = plane[0] & ~plane[2] & c->enemy, enemy_straight = plane[1] & ~plane[2] & c->enemy;
    const uint64_t diagonals = attacks_on_diagonals(c->king, c->occupied, true),
                   lines = attacks_on_file_and_rank(c->king, c->occupied, true);
    const uint64_t beyond_diagonals = attacks_on_diagonals(c->king, c->occupied & ~(diagonals & c->own), true),
                   beyond_lines = attacks_on_file_and_rank(c->king, c->occupied & ~(lines & c->own), true);
    const uint64_t enemy_pawns = plane[2] & ~(plane[0] | plane[1]) & c->enemy;
    *pinners = (beyond_diagonals & ~diagonals & enemy_diagonal) | (beyond_lines & ~lines & enemy_straight);
    return (diagonals & enemy_diagonal) | (lines & enemy_straight) |
           (square_sets[c->king].knight & plane[2] & plane[0] & c->enemy) |
           (attacks_of_pawns(UINT64_C(1) << c->king, c->stm) & enemy_pawns);
}

/* The captures of a position, or true in *by_pawn if that is asked for and a pawn captures. Returns where the next
 * position's captures go. */
WITH_BITS EACH_PROCESSOR seebatch_move *add_captures(const seebatch_position *p, seebatch_move *next, bool *by_pawn)
{
    struct capturer c = {.position = p, .stm = p->stm, .next = next};
    const bool white = c.stm == SEEBATCH_WHITE;
    uint64_t pinners;
    c.occupied = seebatch_occupied(p);
    c.own = seebatch_pieces_of_color(p, c.stm);
    c.enemy = c.occupied & ~c.own;
    c.pawns = p->plane[2] & ~(p->plane[0] | p->plane[1]) & c.own;
    c.knights = p->plane[2] & p->plane[0] & c.own;
    c.diagonal = p->plane[0] & ~p->plane[2] & c.own;
    c.straight = p->plane[1] & ~p->plane[2] & c.own;
    c.king = __builtin_ctzll(p->plane[1] & p->plane[2] & c.own);
    const uint64_t promotions = attacks_of_pawns(c.pawns, c.stm) & c.enemy & (SET_RANK_1 | SET_RANK_1 << 56);
    if (promotions || p->ep_square != SEEBATCH_NO_SQUARE || __builtin_popcountll(c.knights) > KNIGHTS)
        return next + seebatch_legal_captures(p, next);
    const uint64_t checkers = find_checkers(&c, &pinners);
    c.targets = checkers == 0 ? c.enemy : (checkers & (checkers - 1)) == 0 ? checkers : 0;
    if (pinners)
        add_pinned(&c, pinners);
    const uint64_t east = c.pawns & ~SET_FILE_H, west = c.pawns & ~SET_FILE_A;
    const uint64_t to_west = (white ? west << 7 : west >> 9) & c.targets,
                   to_east = (white ? east << 9 : east >> 7) & c.targets;
    if (by_pawn != NULL && to_west | to_east) {
        *by_pawn = true;
        return next;
    }
    add_pawns(&c, to_west, white ? 7 : -9);
    add_pawns(&c, to_east, white ? 9 : -7);
    add_knights(&c);
    add_sliders(&c);
    add_king(&c);
    return c.next;
}

WITH_BITS static size_t captures_by_bits(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                         seebatch_move *moves, bool *by_pawn)
{
    seebatch_move *next = moves;
    for (size_t i = 0; i < n; i++) {
        offsets[i] = (size_t)(next - moves);
        if (in == NULL || in[i])
            next = add_captures(&positions[i], next, by_pawn != NULL ? &by_pawn[i] : NULL);
    }
    return offsets[n] = (size_t)(next - moves);
}

#else
static size_t captures_by_bits(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                               seebatch_move *moves, bool *by_pawn)
{
    (void)by_pawn;
    return captures_one_by_one(positions, n, in, offsets, moves);
}
#endif

size_t find_captures(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                     seebatch_move *moves, bool *by_pawn)
{
    if (by_pawn != NULL)
        memset(by_pawn, 0, n * sizeof *by_pawn);
    return HAS_QUICK_BITS ? captures_by_bits(positions, n, in, offsets, moves, by_pawn)
                          : captures_one_by_one(positions, n, in, offsets, moves);
}
