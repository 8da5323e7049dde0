/*
 * The legal captures of many positions, for as many at once as a register has words. A template, included with
 *
 *   BOARDS              the words of a register, one a position: four or eight
 *   SHUFFLE(set, order) the bytes of each sixteen in another order
 *   KERNEL(name)        the name of a function of the kernel
 *
 * Where the pieces of a side capture is found in lanes; what is captured from which square is then told by the line and
 * the direction. The board of Black is turned upside down, so that pawns always move up. A slider moves over the empty
 * squares of a direction in steps of one, two and four. A piece is pinned where the king sees it along a line and an
 * enemy slider sees it from the other side. En passant and promotions go to seebatch_legal_captures().
 */
#define TWO_WORDS UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)
#define OF_FOUR(i, field) positions[i].field, positions[i + 1].field, positions[i + 2].field, positions[i + 3].field

/* The order that bytes have; and a field of each position. */
#if BOARDS == 4
#define BYTES_IN_ORDER                                                                                                 \
    {                                                                                                                  \
        TWO_WORDS, TWO_WORDS                                                                                           \
    }
#define OF_EACH(field)                                                                                                 \
    {                                                                                                                  \
        OF_FOUR(0, field)                                                                                              \
    }
#else
#define BYTES_IN_ORDER                                                                                                 \
    {                                                                                                                  \
        TWO_WORDS, TWO_WORDS, TWO_WORDS, TWO_WORDS                                                                     \
    }
#define OF_EACH(field)                                                                                                 \
    {                                                                                                                  \
        OF_FOUR(0, field), OF_FOUR(4, field)                                                                           \
    }
#endif

#define INLINE static inline __attribute__((always_inline))

typedef uint64_t words __attribute__((vector_size(8 * BOARDS)));

/* Lines through a square, as the words of a struct see_square; of a capture downward along one, DOWNWARD more. */
enum { ON_DIAGONAL = 0, ON_ANTIDIAGONAL = 1, ON_FILE = 4, ON_RANK = 5, DOWNWARD = 8 };

INLINE bool is_straight(int line) { return line >= ON_FILE; }

/* Squares that are captured on, of a position in each lane; boards are upside down where Black is to move. */
struct capture_sets {
    uint64_t along[2 * DOWNWARD][BOARDS]; /* but by knights: along the lines that there are */
    uint64_t some[BOARDS];                /* which of these are not empty */
    uint64_t by_knight[BOARDS];
    uint64_t by_pawn[BOARDS]; /* these stand in along, too */
    uint64_t occupied[BOARDS], knights[BOARDS], checkers[BOARDS];
};

INLINE words shifted_words(words set, int step) { return step > 0 ? set << (uint64_t)step : set >> (uint64_t)-step; }

/* From sliders to the first squares that are not empty, with those in between. entered: the squares that a step may
 * enter without going around the board. */
INLINE words slide_words(words sliders, words empty, int step, uint64_t entered)
{
    const words one = empty & entered, two = one & shifted_words(one, step), four = two & shifted_words(two, 2 * step);
    sliders |= one & shifted_words(sliders, step);
    sliders |= two & shifted_words(sliders, 2 * step);
    sliders |= four & shifted_words(sliders, 4 * step);
    return shifted_words(sliders, step) & entered;
}

INLINE words knights_attack(words set)
{
    const words one = (set << 1 & ~FILE_A) | (set >> 1 & ~FILE_H),
                two = (set << 2 & ~(FILE_A | FILE_B)) | (set >> 2 & ~(FILE_G | FILE_H));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

INLINE words kings_attack(words set)
{
    const words row = set | (set << 1 & ~FILE_A) | (set >> 1 & ~FILE_H);
    return row | row << 8 | row >> 8;
}

/* Boards, and what is known of them. */
struct capture_boards {
    words own, enemy, empty, king;            /* king: that of the side to move */
    words straight, diagonal, pawns, knights; /* of both */
    words checkers, attacked;                 /* by the enemy, also behind the king */
    words pinned[DOWNWARD], any_pinned;
    words targets, of_king, by_pawn, some;
};

INLINE void load_capture_boards(struct capture_boards *b, const seebatch_position *positions)
{
    words plane[3] = {OF_EACH(plane[0]), OF_EACH(plane[1]), OF_EACH(plane[2])};
    const words white = OF_EACH(white), stm = OF_EACH(stm), in_order = BYTES_IN_ORDER, black_moves = -stm;
    const words order = in_order ^ (black_moves & UINT64_C(0x0707070707070707));
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
    b->checkers = (knights_attack(b->king) & b->knights & b->enemy) |
                  (((b->king << 9 & ~FILE_A) | (b->king << 7 & ~FILE_H)) & enemy_pawns);
    b->attacked = knights_attack(b->knights & b->enemy) | kings_attack(enemy_king) | (enemy_pawns >> 9 & ~FILE_H) |
                  (enemy_pawns >> 7 & ~FILE_A);
    b->any_pinned = b->some = b->by_pawn = b->empty & ~b->empty;
}

INLINE void see_king(struct capture_boards *b, int line, int step, uint64_t upward, uint64_t downward)
{
    const words sliders = b->enemy & (is_straight(line) ? b->straight : b->diagonal), empty = b->empty | b->king;
    const words up = slide_words(b->king, empty, step, upward), down = slide_words(b->king, empty, -step, downward),
                from_below = slide_words(sliders, empty, step, upward),
                from_above = slide_words(sliders, empty, -step, downward);
    b->attacked |= from_below | from_above;
    b->checkers |= (up | down) & sliders;
    b->pinned[line] = b->own & ((up & from_above) | (down & from_below));
    b->any_pinned |= b->pinned[line];
}

/* In check, only the piece that gives it is captured, but by the king. */
INLINE void choose_targets(struct capture_boards *b)
{
    const words none = (words)(b->checkers == 0), one = (words)((b->checkers & (b->checkers - 1)) == 0);
    b->targets = (b->enemy & none) | (b->checkers & one);
    b->of_king = b->enemy & ~b->attacked;
}

INLINE void capture_along(struct capture_boards *b, struct capture_sets *sets, int line, int step, uint64_t upward,
                          uint64_t downward)
{
    const words movable = b->own & (b->pinned[line] | ~b->any_pinned);
    const words sliders = movable & (is_straight(line) ? b->straight : b->diagonal);
    words up = slide_words(sliders, b->empty, step, upward) & b->targets,
          down = slide_words(sliders, b->empty, -step, downward) & b->targets;
    if (!is_straight(line)) {
        const words by_pawn = shifted_words(b->pawns & movable, step) & upward & b->targets;
        b->by_pawn |= by_pawn;
        up |= by_pawn;
    }
    up |= shifted_words(b->king, step) & upward & b->of_king;
    down |= shifted_words(b->king, -step) & downward & b->of_king;
    b->some |= (words)(up != 0) & (UINT64_C(1) << line);
    b->some |= (words)(down != 0) & (UINT64_C(1) << (DOWNWARD + line));
    memcpy(sets->along[line], &up, sizeof up);
    memcpy(sets->along[DOWNWARD + line], &down, sizeof down);
}

/* BOARDS positions, all of them. */
static void find_sets(const seebatch_position *positions, struct capture_sets *sets)
{
    struct capture_boards b;
    load_capture_boards(&b, positions);
    see_king(&b, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0));
    see_king(&b, ON_RANK, 1, ~FILE_A, ~FILE_H);
    see_king(&b, ON_DIAGONAL, 9, ~FILE_A, ~FILE_H);
    see_king(&b, ON_ANTIDIAGONAL, 7, ~FILE_H, ~FILE_A);
    choose_targets(&b);
    const words knights = b.knights & b.own & ~b.any_pinned, by_knight = knights_attack(knights) & b.targets,
                occupied = ~b.empty;
    capture_along(&b, sets, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0));
    capture_along(&b, sets, ON_RANK, 1, ~FILE_A, ~FILE_H);
    capture_along(&b, sets, ON_DIAGONAL, 9, ~FILE_A, ~FILE_H);
    capture_along(&b, sets, ON_ANTIDIAGONAL, 7, ~FILE_H, ~FILE_A);
    memcpy(sets->by_knight, &by_knight, sizeof by_knight);
    memcpy(sets->some, &b.some, sizeof b.some);
    memcpy(sets->by_pawn, &b.by_pawn, sizeof b.by_pawn);
    memcpy(sets->occupied, &occupied, sizeof occupied);
    memcpy(sets->knights, &knights, sizeof knights);
    memcpy(sets->checkers, &b.checkers, sizeof b.checkers);
}

/* The line of a square, without it. */
INLINE uint64_t line_of_square(int square, int line) { return ((const uint64_t *)&seebatch_squares[square])[line]; }

/* What captures along a line is the nearest piece on the other side of the target. */
INLINE seebatch_move *add_captures(const struct capture_sets *sets, size_t lane, unsigned flip, seebatch_move *next)
{
    const uint64_t occupied = sets->occupied[lane];
    for (uint64_t some = sets->some[lane]; some; some &= some - 1) {
        const int i = lowest_square(some);
        for (uint64_t targets = sets->along[i][lane]; targets; targets &= targets - 1) {
            const int to = lowest_square(targets);
            const uint64_t line = line_of_square(to, i % DOWNWARD) & occupied;
            const uint64_t below = line & (square_bit(to) - 1);
            const int from = i < DOWNWARD ? 63 - __builtin_clzll(below) : lowest_square(line & ~below);
            *next++ = (seebatch_move)(seebatch_make_move(from, to, 0) ^ flip);
        }
    }
    for (uint64_t targets = sets->by_knight[lane]; targets; targets &= targets - 1) {
        const int to = lowest_square(targets);
        for (uint64_t knights = knight_attacks(to) & sets->knights[lane]; knights; knights &= knights - 1)
            *next++ = (seebatch_move)(seebatch_make_move(lowest_square(knights), to, 0) ^ flip);
    }
    return next;
}

/* The same for all lanes. positions and what else belongs to them begin with the first lane's. */
INLINE seebatch_move *add_captures_of_lanes(const struct capture_sets *sets, const seebatch_position *positions,
                                            size_t filled, const bool *in, size_t *offsets, const seebatch_move *moves,
                                            seebatch_move *next, bool *by_pawn)
{
    for (size_t i = 0; i < filled; i++) {
        const seebatch_position *p = &positions[i];
        offsets[i] = (size_t)(next - moves);
        if (in != NULL && !in[i])
            continue;
        if (p->ep_square != SEEBATCH_NO_SQUARE || sets->by_pawn[i] & RANK_8)
            next += seebatch_legal_captures(p, next);
        else if (by_pawn != NULL && sets->by_pawn[i])
            by_pawn[i] = true;
        else
            next = add_captures(sets, i, p->stm == SEEBATCH_BLACK ? 56 | 56 << 6 : 0, next);
    }
    return next;
}

size_t KERNEL(captures)(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                        seebatch_move *moves, bool *by_pawn, bool *checked)
{
    seebatch_move *next = moves;
    for (size_t first = 0; first < n; first += BOARDS) {
        const size_t filled = n - first < BOARDS ? n - first : BOARDS;
        const seebatch_position *some = positions + first;
        seebatch_position rest[BOARDS];
        struct capture_sets sets;
        for (size_t i = 0; filled < BOARDS && i < BOARDS; i++)
            rest[i] = some[i < filled ? i : 0];
        find_sets(filled < BOARDS ? rest : some, &sets);
        for (size_t i = 0; checked != NULL && i < filled; i++)
            checked[first + i] = sets.checkers[i] != 0;
        next = add_captures_of_lanes(&sets, some, filled, in != NULL ? in + first : NULL, offsets + first, moves, next,
                                     by_pawn != NULL ? by_pawn + first : NULL);
    }
    return offsets[n] = (size_t)(next - moves);
}
