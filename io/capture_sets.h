/*
 * Where the side to move captures, for as many positions at once as a register has words. A template of captures.c,
 * included for each width with
 *
 *   LANES               the words of a register, one a position
 *   SETS(name)          the name with something behind it that tells the widths apart
 *   SETS_TARGET         the attribute of functions that use such registers
 *   OF_EACH(field)      a field of positions[0], positions[1] and so on
 *   SHUFFLE(set, order) the bytes of each sixteen in another order; SHUFFLE_NOTHING is the one that they have
 *
 * The board of Black is turned upside down, so that pawns always move up. A slider moves over the empty squares of a
 * direction in steps of one, two and four. A piece is pinned where the king sees it along a line and an enemy slider
 * sees it from the other side.
 */
typedef uint64_t SETS(words) __attribute__((vector_size(8 * LANES)));
#define words SETS(words)
#define SETS_INLINE SETS_TARGET static inline __attribute__((always_inline))

SETS_INLINE words SETS(shifted)(words set, int step)
{
    return step > 0 ? set << (uint64_t)step : set >> (uint64_t)-step;
}

/* From sliders to the first squares that are not empty, with those in between. entered: the squares that a step may
 * enter without going around the board. */
SETS_INLINE words SETS(slide)(words sliders, words empty, int step, uint64_t entered)
{
    const words one = empty & entered, two = one & SETS(shifted)(one, step), four = two & SETS(shifted)(two, 2 * step);
    sliders |= one & SETS(shifted)(sliders, step);
    sliders |= two & SETS(shifted)(sliders, 2 * step);
    sliders |= four & SETS(shifted)(sliders, 4 * step);
    return SETS(shifted)(sliders, step) & entered;
}

SETS_INLINE words SETS(knight_attacks)(words set)
{
    const words one = (set << 1 & ~SET_FILE_A) | (set >> 1 & ~SET_FILE_H),
                two = (set << 2 & ~(SET_FILE_A | SET_FILE_B)) | (set >> 2 & ~(SET_FILE_G | SET_FILE_H));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

SETS_INLINE words SETS(king_attacks)(words set)
{
    const words row = set | (set << 1 & ~SET_FILE_A) | (set >> 1 & ~SET_FILE_H);
    return row | row << 8 | row >> 8;
}

/* Boards, and what is known of them. */
struct SETS(boards) {
    words own, enemy, empty, king;            /* king: that of the side to move */
    words straight, diagonal, pawns, knights; /* of both */
    words checkers, attacked;                 /* by the enemy, also behind the king */
    words pinned[N_LINES], any_pinned;
    words targets, of_king, by_pawn, some;
};

SETS_INLINE void SETS(load)(struct SETS(boards) * b, const seebatch_position *positions)
{
    words plane[3] = {OF_EACH(plane[0]), OF_EACH(plane[1]), OF_EACH(plane[2])};
    const words white = OF_EACH(white), black_moves = -(words)OF_EACH(stm);
    const words order = (words)SHUFFLE_NOTHING ^ (black_moves & UINT64_C(0x0707070707070707));
    for (int k = 0; k < 3; k++)
        plane[k] = (words)SHUFFLE(plane[k], order);
    const words occupied = plane[0] | plane[1] | plane[2];
    b->empty = ~occupied;
    b->own = (words)SHUFFLE(white, order) ^ (occupied & black_moves);
    b->enemy = occupied & ~b->own;
    b->straight = plane[1] & ~plane[2];
    b->diagonal = plane[0] & ~plane[2];
    b->pawns = plane[2] & ~(plane[0] | plane[1]);
    b->knights = plane[2] & plane[0];
    b->king = plane[2] & plane[1] & b->own;
    const words enemy_king = plane[2] & plane[1] & b->enemy, enemy_pawns = b->pawns & b->enemy;
    b->checkers = (SETS(knight_attacks)(b->king) & b->knights & b->enemy) |
                  (((b->king << 9 & ~SET_FILE_A) | (b->king << 7 & ~SET_FILE_H)) & enemy_pawns);
    b->attacked = SETS(knight_attacks)(b->knights & b->enemy) | SETS(king_attacks)(enemy_king) |
                  (enemy_pawns >> 9 & ~SET_FILE_H) | (enemy_pawns >> 7 & ~SET_FILE_A);
    b->any_pinned = (words){0};
}

SETS_INLINE void SETS(see_king)(struct SETS(boards) * b, int line, int step, uint64_t upward, uint64_t downward)
{
    const words sliders = b->enemy & (line < ON_DIAGONAL ? b->straight : b->diagonal), empty = b->empty | b->king;
    const words up = SETS(slide)(b->king, empty, step, upward), down = SETS(slide)(b->king, empty, -step, downward),
                from_below = SETS(slide)(sliders, empty, step, upward),
                from_above = SETS(slide)(sliders, empty, -step, downward);
    b->attacked |= from_below | from_above;
    b->checkers |= (up | down) & sliders;
    b->pinned[line] = b->own & ((up & from_above) | (down & from_below));
    b->any_pinned |= b->pinned[line];
}

/* In check, only the piece that gives it is captured, but by the king. */
SETS_INLINE void SETS(choose_targets)(struct SETS(boards) * b)
{
    const words none = (words)(b->checkers == 0), one = (words)((b->checkers & (b->checkers - 1)) == 0);
    b->targets = (b->enemy & none) | (b->checkers & one);
    b->of_king = b->enemy & ~b->attacked;
}

SETS_INLINE void SETS(capture_along)(struct SETS(boards) * b, struct capture_sets *sets, int line, int step,
                                     uint64_t upward, uint64_t downward)
{
    const words movable = b->own & (b->pinned[line] | ~b->any_pinned);
    const words sliders = movable & (line < ON_DIAGONAL ? b->straight : b->diagonal);
    words up = SETS(slide)(sliders, b->empty, step, upward) & b->targets,
          down = SETS(slide)(sliders, b->empty, -step, downward) & b->targets;
    if (line >= ON_DIAGONAL) {
        const words by_pawn = SETS(shifted)(b->pawns & movable, step) & upward & b->targets;
        b->by_pawn |= by_pawn;
        up |= by_pawn;
    }
    up |= SETS(shifted)(b->king, step) & upward & b->of_king;
    down |= SETS(shifted)(b->king, -step) & downward & b->of_king;
    b->some |= (words)(up != 0) & (UINT64_C(1) << line);
    b->some |= (words)(down != 0) & (UINT64_C(1) << (N_LINES + line));
    memcpy(sets->along[line], &up, sizeof up);
    memcpy(sets->along[N_LINES + line], &down, sizeof down);
}

/* LANES positions, all of them. */
SETS_TARGET static void SETS(find_sets)(const seebatch_position *positions, struct capture_sets *sets)
{
    struct SETS(boards) b;
    SETS(load)(&b, positions);
    SETS(see_king)(&b, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0));
    SETS(see_king)(&b, ON_RANK, 1, ~SET_FILE_A, ~SET_FILE_H);
    SETS(see_king)(&b, ON_DIAGONAL, 9, ~SET_FILE_A, ~SET_FILE_H);
    SETS(see_king)(&b, ON_ANTIDIAGONAL, 7, ~SET_FILE_H, ~SET_FILE_A);
    SETS(choose_targets)(&b);
    const words knights = b.knights & b.own & ~b.any_pinned, by_knight = SETS(knight_attacks)(knights) & b.targets,
                occupied = ~b.empty;
    b.some = b.by_pawn = (words){0};
    SETS(capture_along)(&b, sets, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0));
    SETS(capture_along)(&b, sets, ON_RANK, 1, ~SET_FILE_A, ~SET_FILE_H);
    SETS(capture_along)(&b, sets, ON_DIAGONAL, 9, ~SET_FILE_A, ~SET_FILE_H);
    SETS(capture_along)(&b, sets, ON_ANTIDIAGONAL, 7, ~SET_FILE_H, ~SET_FILE_A);
    memcpy(sets->by_knight, &by_knight, sizeof by_knight);
    memcpy(sets->some, &b.some, sizeof b.some);
    memcpy(sets->by_pawn, &b.by_pawn, sizeof b.by_pawn);
    memcpy(sets->occupied, &occupied, sizeof occupied);
    memcpy(sets->knights, &knights, sizeof knights);
    memcpy(sets->checkers, &b.checkers, sizeof b.checkers);
}

SETS_TARGET static size_t SETS(captures)(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                         seebatch_move *moves, bool *by_pawn, bool *checked)
{
    seebatch_move *next = moves;
    for (size_t first = 0; first < n; first += LANES) {
        const size_t lanes = n - first < LANES ? n - first : LANES;
        const seebatch_position *some = positions + first;
        seebatch_position rest[LANES];
        struct capture_sets sets;
        for (size_t i = 0; lanes < LANES && i < LANES; i++)
            rest[i] = some[i < lanes ? i : 0];
        SETS(find_sets)(lanes < LANES ? rest : some, &sets);
        for (size_t i = 0; checked != NULL && i < lanes; i++)
            checked[first + i] = sets.checkers[i] != 0;
        next = add_captures_of_lanes(&sets, some, lanes, in != NULL ? in + first : NULL, offsets + first, moves, next,
                                     by_pawn != NULL ? by_pawn + first : NULL);
    }
    return offsets[n] = (size_t)(next - moves);
}
#undef words
#undef SETS_INLINE
