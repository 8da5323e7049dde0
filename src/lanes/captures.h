/*
 * Finds the legal captures of many positions, of as many at once as a register has words. avx2/captures_avx2.c and
 * avx512/captures_avx512.c include this template with these macros:
 *
 *   BOARDS              the number of words of a register, with a position in each: four or eight
 *   SHUFFLE(set, order) the bytes of each sixteen in another order
 *   KERNEL(name)        the name of a function of the kernel
 *
 * Lanes find the squares on which the pieces of a side capture, direction by direction. For each of these squares the
 * line and the direction then tell which piece captures there. Black's board is turned upside down, so that pawns
 * always move up. A slider moves over the empty squares of a direction in steps of one, two and four. A piece is pinned
 * where the king sees it along a line and an enemy slider sees it from the other side. Whether a king may capture is
 * asked for each of its captures, because these are rare; positions with captures en passant or promotions go to
 * seebatch_legal_captures().
 */
#define TWO_WORDS UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)
#define OF_FOUR(i, field) positions[i].field, positions[i + 1].field, positions[i + 2].field, positions[i + 3].field

/* BYTES_IN_ORDER leaves all bytes in their places for SHUFFLE; OF_EACH(field) is a field of each position. */
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

typedef uint64_t board_words __attribute__((vector_size(8 * BOARDS)));
typedef uint8_t row_words __attribute__((vector_size(8 * BOARDS)));

/* The rows of capture_sets.capturers. */
enum { ALONG_LINES, BY_KNIGHTS, BY_KINGS };

/* Sixteen facts about a position, with a bit for each: fourteen directions in which captures may come to their targets,
 * and two more facts. Lines and the leaps of knights and kings have the numbers of their words in struct see_square for
 * captures upward, and 8 more for those downward. */
enum {
    ON_DIAGONAL = 0,
    ON_ANTIDIAGONAL = 1,
    ON_FILE = 4,
    ON_RANK = 5,
    DOWNWARD = 8,
    BY_KNIGHT = DOWNWARD + 2,
    BY_KING = DOWNWARD + 3,
    ONLY_DIRECTIONS = (1 << 14) - 1,
    EVEN = 14,         /* a capture is even, as seebatch_collect_captures() has it */
    BY_PROMOTION = 15, /* a pawn becomes a queen by capturing */
    DIRECTIONS = 16
};

LANES_INLINE bool is_straight(int line) { return line >= ON_FILE; }

/* The squares on which a side captures, with a position in each lane. Boards are upside down where Black is to move. */
struct capture_sets {
    uint64_t by[DIRECTIONS][BOARDS]; /* for each direction, the targets */
    uint64_t facts[BOARDS];          /* the directions that have targets, and the two other facts */
    uint64_t capturers[3][BOARDS];   /* the occupied squares, the knights, the king */
    uint64_t checkers[BOARDS];
    uint64_t flip[BOARDS]; /* the bits of both squares of a move that differ on the real board */
};

LANES_INLINE board_words shifted_words(board_words set, int step)
{
    return step > 0 ? set << (uint64_t)step : set >> (uint64_t)-step;
}

/* Moves sliders to the first squares that are not empty, and includes the squares in between. `entered` are the squares
 * that a step may enter without going around the board. */
LANES_INLINE board_words slide_words(board_words sliders, board_words empty, int step, uint64_t entered)
{
    if (step == 1) { /* a rank is a byte: what is subtracted borrows up to the first square that is not empty */
        const row_words occupied = (row_words)~empty, from = (row_words)sliders;
        return (board_words)(occupied ^ (occupied - (from + from)));
    }
    const board_words one = empty & entered, two = one & shifted_words(one, step),
                      four = two & shifted_words(two, 2 * step);
    sliders |= one & shifted_words(sliders, step);
    sliders |= two & shifted_words(sliders, 2 * step);
    sliders |= four & shifted_words(sliders, 4 * step);
    return shifted_words(sliders, step) & entered;
}

LANES_INLINE board_words knights_attack(board_words set)
{
    const board_words one = (set << 1 & ~FILE_A) | (set >> 1 & ~FILE_H),
                      two = (set << 2 & ~(FILE_A | FILE_B)) | (set >> 2 & ~(FILE_G | FILE_H));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

LANES_INLINE board_words kings_attack(board_words set)
{
    const board_words row = set | (set << 1 & ~FILE_A) | (set >> 1 & ~FILE_H);
    return row | row << 8 | row >> 8;
}

/* The boards of a register, and what is known of them. */
struct capture_boards {
    board_words own, enemy, empty, king;            /* the king of the side to move */
    board_words straight, diagonal, pawns, knights; /* of both sides */
    board_words checkers, pinned[DOWNWARD], any_pinned;
    board_words targets, even_on_straights, even_on_diagonals, even, promotions, facts, black_moves;
};

LANES_INLINE void load_capture_boards(struct capture_boards *b, const seebatch_position *positions)
{
    board_words plane[3] = {OF_EACH(plane[0]), OF_EACH(plane[1]), OF_EACH(plane[2])};
    const board_words white = OF_EACH(white), stm = OF_EACH(stm), in_order = BYTES_IN_ORDER, black_moves = -stm;
    const board_words order = in_order ^ (black_moves & UINT64_C(0x0707070707070707));
    for (int k = 0; k < 3; k++)
        plane[k] = (board_words)SHUFFLE(plane[k], order);
    const board_words occupied = plane[0] | plane[1] | plane[2];
    b->empty = ~occupied;
    b->own = (board_words)SHUFFLE(white, order) ^ (occupied & black_moves);
    b->enemy = occupied & ~b->own;
    b->straight = plane[1] & ~plane[2];
    b->diagonal = plane[0] & ~plane[2];
    b->pawns = plane[2] & ~(plane[0] | plane[1]);
    b->knights = plane[2] & plane[0];
    b->king = plane[2] & plane[1] & b->own;
    b->checkers =
        ((knights_attack(b->king) & b->knights) | (((b->king << 9 & ~FILE_A) | (b->king << 7 & ~FILE_H)) & b->pawns)) &
        b->enemy;
    b->black_moves = black_moves;
    b->any_pinned = b->facts = b->even = b->promotions = b->empty & ~b->empty;
}

LANES_INLINE void see_king(struct capture_boards *b, int line, int step, uint64_t upward, uint64_t downward)
{
    const board_words sliders = b->enemy & (is_straight(line) ? b->straight : b->diagonal);
    const board_words up = slide_words(b->king, b->empty, step, upward),
                      down = slide_words(b->king, b->empty, -step, downward),
                      from_below = slide_words(sliders, b->empty, step, upward),
                      from_above = slide_words(sliders, b->empty, -step, downward);
    b->checkers |= (up | down) & sliders;
    b->pinned[line] = b->own & ((up & from_above) | (down & from_below));
    b->any_pinned |= b->pinned[line];
}

/* In check, only the checking piece may be captured, except by the king. */
LANES_INLINE void choose_targets(struct capture_boards *b)
{
    const board_words none = (board_words)(b->checkers == 0),
                      one = (board_words)((b->checkers & (b->checkers - 1)) == 0);
    b->targets = (b->enemy & none) | (b->checkers & one);
}

/* Finds which targets any slider captures evenly: queens, and where its side has no queen, also what rooks and bishops
 * capture evenly. Captures on the first rank do not count, because a pawn that takes back there becomes a queen. */
LANES_INLINE void choose_even_targets(struct capture_boards *b)
{
    const board_words queens = b->straight & b->diagonal, none = (board_words)((queens & b->own) == 0),
                      others = ~RANK_1 & none;
    b->even_on_straights = (queens & ~RANK_1) | (b->straight & others);
    b->even_on_diagonals = (queens & ~RANK_1) | ((b->straight | b->diagonal) & others);
}

LANES_INLINE void capture_along(struct capture_boards *b, struct capture_sets *sets, int line, int step,
                                uint64_t upward, uint64_t downward, bool asks_even)
{
    const board_words movable = b->own & (b->pinned[line] | ~b->any_pinned);
    const board_words sliders = movable & (is_straight(line) ? b->straight : b->diagonal);
    board_words up = slide_words(sliders, b->empty, step, upward) & b->targets,
                down = slide_words(sliders, b->empty, -step, downward) & b->targets;
    if (!is_straight(line)) {
        const board_words by_pawn = shifted_words(b->pawns & movable, step) & upward & b->targets;
        if (asks_even)
            b->even |= by_pawn | ((up | down) & b->even_on_diagonals);
        b->promotions |= by_pawn & RANK_8;
        up |= by_pawn;
    } else if (asks_even) {
        b->even |= (up | down) & b->even_on_straights;
    }
    b->facts |= (board_words)(up != 0) & (UINT64_C(1) << line);
    b->facts |= (board_words)(down != 0) & (UINT64_C(1) << (DOWNWARD + line));
    memcpy(sets->by[line], &up, sizeof up);
    memcpy(sets->by[DOWNWARD + line], &down, sizeof down);
}

/* Finds the sets of BOARDS positions. */
LANES_INLINE void find_sets(const seebatch_position *positions, struct capture_sets *sets, bool asks_even)
{
    struct capture_boards b;
    load_capture_boards(&b, positions);
    see_king(&b, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0));
    see_king(&b, ON_RANK, 1, ~FILE_A, ~FILE_H);
    see_king(&b, ON_DIAGONAL, 9, ~FILE_A, ~FILE_H);
    see_king(&b, ON_ANTIDIAGONAL, 7, ~FILE_H, ~FILE_A);
    choose_targets(&b);
    if (asks_even)
        choose_even_targets(&b);
    const board_words knights = b.knights & b.own & ~b.any_pinned, by_knight = knights_attack(knights) & b.targets,
                      by_king = kings_attack(b.king) & b.enemy, occupied = ~b.empty,
                      flip = b.black_moves & (56 | 56 << 6);
    capture_along(&b, sets, ON_FILE, 8, ~UINT64_C(0), ~UINT64_C(0), asks_even);
    capture_along(&b, sets, ON_RANK, 1, ~FILE_A, ~FILE_H, asks_even);
    capture_along(&b, sets, ON_DIAGONAL, 9, ~FILE_A, ~FILE_H, asks_even);
    capture_along(&b, sets, ON_ANTIDIAGONAL, 7, ~FILE_H, ~FILE_A, asks_even);
    b.facts |= (board_words)(by_knight != 0) & (UINT64_C(1) << BY_KNIGHT);
    b.facts |= (board_words)(by_king != 0) & (UINT64_C(1) << BY_KING);
    if (asks_even)
        b.even |= by_knight & ~b.pawns & ~RANK_1;
    b.facts |= (board_words)(b.even != 0) & (UINT64_C(1) << EVEN);
    b.facts |= (board_words)(b.promotions != 0) & (UINT64_C(1) << BY_PROMOTION);
    memcpy(sets->by[BY_KNIGHT], &by_knight, sizeof by_knight);
    memcpy(sets->by[BY_KING], &by_king, sizeof by_king);
    memcpy(sets->facts, &b.facts, sizeof b.facts);
    memcpy(sets->capturers[ALONG_LINES], &occupied, sizeof occupied);
    memcpy(sets->capturers[BY_KNIGHTS], &knights, sizeof knights);
    memcpy(sets->capturers[BY_KINGS], &b.king, sizeof b.king);
    memcpy(sets->flip, &flip, sizeof flip);
    memcpy(sets->checkers, &b.checkers, sizeof b.checkers);
}

/* The line through a square, without the square itself. */
LANES_INLINE uint64_t line_of_square(int square, int line)
{
    return ((const uint64_t *)&seebatch_squares[square])[line];
}

/* Adds the captures of up to four lanes in the order of the lanes. It is one loop over all of them, because a processor
 * cannot guess how many captures a lane has. `directions` has DIRECTIONS bits for each lane, which name the sets that
 * are not empty; the sets are used up. ends[] is set for the lanes that have captures. The piece that captures along a
 * line is the nearest one on the other side of the target. */
LANES_INLINE size_t add_captures(struct capture_sets *sets, size_t first, const seebatch_position *positions,
                                 uint64_t directions, size_t *ends, seebatch_move *moves, size_t n)
{
    /* All ones for lines; and the row of capture_sets.capturers that has the capturing pieces. */
    static const uint64_t along[DIRECTIONS] = {-UINT64_C(1), -UINT64_C(1), 0, 0, -UINT64_C(1), -UINT64_C(1), 0, 0,
                                               -UINT64_C(1), -UINT64_C(1), 0, 0, -UINT64_C(1), -UINT64_C(1), 0, 0};
    static const uint8_t by_whom[DIRECTIONS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, BY_KNIGHTS, BY_KINGS, 0, 0, 0, 0};
    while (directions) {
        const size_t bit = (size_t)lowest_square(directions), i = bit / DIRECTIONS, way = bit % DIRECTIONS,
                     lane = first + i;
        const uint64_t targets = sets->by[way][lane], others = targets & (targets - 1);
        const int to = lowest_square(targets);
        const uint64_t capturers = line_of_square(to, (int)(way % DOWNWARD)) & sets->capturers[by_whom[way]][lane];
        const uint64_t below = capturers & (square_bb(to) - 1), above = capturers ^ (below & along[way]);
        const int from = way < DOWNWARD ? 63 - __builtin_clzll(below) : lowest_square(above);
        const uint64_t more = above & (above - 1) & ~along[way];
        moves[n++] = (seebatch_move)(seebatch_make_move(from, to, 0) ^ sets->flip[lane]);
        if (__builtin_expect(way == BY_KING, 0))
            n -= !seebatch_plainly_legal(&positions[i], moves[n - 1]);
        if (__builtin_expect(more != 0, 0))
            for (uint64_t knights = more; knights; knights &= knights - 1)
                moves[n++] = (seebatch_move)(seebatch_make_move(lowest_square(knights), to, 0) ^ sets->flip[lane]);
        ends[i] = n;
        sets->by[way][lane] = others;
        directions &= directions - (others == 0);
    }
    return n;
}

/* Adds the captures of n_lanes lanes, four at most, from lane `first` on. The arrays `positions`, `in`, `offsets` and
 * `even` begin with that lane; offsets[0] is set already. */
LANES_INLINE void add_captures_of_four(struct capture_sets *sets, size_t first, const seebatch_position *positions,
                                       size_t n_lanes, const bool *in, size_t *offsets, seebatch_move *moves,
                                       bool *even)
{
    const uint64_t one_each =
        UINT64_C(1) | UINT64_C(1) << DIRECTIONS | UINT64_C(1) << 2 * DIRECTIONS | UINT64_C(1) << 3 * DIRECTIONS;
    uint64_t directions = 0, rare = 0;
    for (size_t i = 0; i < n_lanes; i++) {
        const uint64_t counts = in == NULL || in[i];
        directions |= (sets->facts[first + i] & (0 - counts)) << DIRECTIONS * i;
        rare |= (counts & (positions[i].ep_square != SEEBATCH_NO_SQUARE)) << DIRECTIONS * i;
        offsets[i + 1] = 0;
    }
    rare |= directions >> BY_PROMOTION & one_each;
    if (even != NULL) {
        const uint64_t those = directions >> EVEN & one_each & ~rare;
        for (size_t i = 0; i < n_lanes; i++)
            even[i] = those >> DIRECTIONS * i & 1;
        directions &= ~(those * UINT16_MAX);
    }
    directions &= one_each * ONLY_DIRECTIONS;
    if (__builtin_expect(rare == 0, 1)) {
        add_captures(sets, first, positions, directions, offsets + 1, moves, offsets[0]);
        for (size_t i = 0; i < n_lanes; i++)
            offsets[i + 1] = offsets[i + 1] > offsets[i] ? offsets[i + 1] : offsets[i];
        return;
    }
    for (size_t i = 0; i < n_lanes; i++) {
        const size_t n = offsets[i];
        offsets[i + 1] =
            rare >> DIRECTIONS * i & 1
                ? n + seebatch_legal_captures(&positions[i], moves + n)
                : add_captures(sets, first, positions, directions & (uint64_t)ONLY_DIRECTIONS << DIRECTIONS * i,
                               offsets + 1, moves, n);
    }
}

LANES_INLINE size_t captures_of(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                seebatch_move *moves, bool *even, bool *checked)
{
    offsets[0] = 0;
    for (size_t first = 0; first < n; first += BOARDS) {
        const size_t filled = n - first < BOARDS ? n - first : BOARDS;
        const seebatch_position *these = positions + first;
        seebatch_position rest[BOARDS];
        struct capture_sets sets;
        for (size_t i = 0; filled < BOARDS && i < BOARDS; i++)
            rest[i] = these[i < filled ? i : 0];
        find_sets(filled < BOARDS ? rest : these, &sets, even != NULL);
        for (size_t i = 0; checked != NULL && i < filled; i++)
            checked[first + i] = sets.checkers[i] != 0;
        for (size_t i = 0; i < filled; i += 4)
            add_captures_of_four(&sets, i, these + i, filled - i < 4 ? filled - i : 4,
                                 in != NULL ? in + first + i : NULL, offsets + first + i, moves,
                                 even != NULL ? even + first + i : NULL);
    }
    return offsets[n];
}

/* The two questions are compiled separately, so that each loop has only what it needs. */
static size_t captures_alone(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                             seebatch_move *moves, bool *checked)
{
    return captures_of(positions, n, in, offsets, moves, NULL, checked);
}

size_t KERNEL(captures)(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                        seebatch_move *moves, bool *even, bool *checked)
{
    if (even == NULL)
        return captures_alone(positions, n, in, offsets, moves, checked);
    return captures_of(positions, n, in, offsets, moves, even, checked);
}
