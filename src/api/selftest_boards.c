/*
 * Batches for the self-test. Their boards are of three kinds:
 *
 *     walks      random games from positions with castling, en passant and promotions at hand; some with pieces added
 *     scattered  up to 40 pieces of a random mix on random squares
 *     crowded    a piece on a square, and around it pieces that attack it, one behind the other: batteries
 *
 * Wherever pieces are set up, kings are put on random squares (and pieces taken away, where nothing else helps) until
 * the position is sound; if there are many sliders, many pieces are then pinned.
 */
#include "board/position.h"
#include "selftest.h"

#include <string.h>

static bool one_in(struct see_rng *rng, unsigned n) { return see_random_below(rng, n) == 0; }

static bool is_sound(const seebatch_position *position)
{
    return seebatch_position_check(position, NULL) == SEEBATCH_OK;
}

/* ---- Pieces set up ---------------------------------------------------------------------------------------------- */

static seebatch_position empty_board(void)
{
    static const uint64_t none[6] = {0};
    return seebatch_position_from_bitboards(none, none, SEEBATCH_WHITE);
}

/* Puts a piece on a square, whatever stood there; a pawn on the first or last rank becomes a knight. */
static void place_piece(seebatch_position *position, int square, int type, int color)
{
    remove_piece(position, square);
    if (type == SEEBATCH_PAWN && (square < 8 || square >= 56))
        type = SEEBATCH_KNIGHT;
    put_piece(position, square, type, color);
}

static void place_king(seebatch_position *position, int color, struct see_rng *rng)
{
    const uint64_t old = pieces_of(position, color, SEEBATCH_KING);
    if (old)
        remove_piece(position, lowest_square(old));
    int square = (int)see_random_below(rng, 64);
    while (seebatch_type_on(position, square) == SEEBATCH_KING)
        square = (square + 1) % 64;
    place_piece(position, square, SEEBATCH_KING, color);
}

/* Moves the kings about, and after a while takes pieces away, until the position is sound. Three times out of four it
 * tries for a while to have neither side in check: only then are there many moves. */
static void place_kings(seebatch_position *position, struct see_rng *rng)
{
    enum { PATIENCE = 8 };
    const bool quiet = !one_in(rng, 4);
    for (int attempt = 0;; attempt++) {
        place_king(position, SEEBATCH_WHITE, rng);
        place_king(position, SEEBATCH_BLACK, rng);
        position->stm = (uint8_t)see_random_below(rng, 2);
        if (!is_sound(position))
            position->stm ^= 1;
        if (is_sound(position) && (!quiet || attempt > 2 * PATIENCE || !seebatch_in_check(position)))
            return;
        for (int i = 0; i < 8 && attempt > PATIENCE && !is_sound(position); i++)
            remove_piece(position, (int)see_random_below(rng, 64));
    }
}

/* Puts down two pawns side by side, one of which may just have made a double step. */
static void put_neighbours(seebatch_position *position, struct see_rng *rng)
{
    const int color = (int)see_random_below(rng, 2), file = (int)see_random_below(rng, 8);
    const int forward = color == SEEBATCH_WHITE ? 8 : -8, square = (color == SEEBATCH_WHITE ? 24 : 32) + file;
    place_piece(position, square, SEEBATCH_PAWN, color);
    remove_piece(position, square - forward);
    remove_piece(position, square - 2 * forward);
    place_piece(position, square + (file == 0 || (file < 7 && one_in(rng, 2)) ? 1 : -1), SEEBATCH_PAWN, !color);
    if (one_in(rng, 2)) { /* and a piece that the pawn shuts off from the square that it has passed over */
        remove_piece(position, square + forward);
        place_piece(position, square + 2 * forward, one_in(rng, 2) ? SEEBATCH_ROOK : SEEBATCH_QUEEN,
                    (int)see_random_below(rng, 2));
    }
}

/* Sets an en passant square where a pawn can just have passed one. */
static void draw_en_passant(seebatch_position *position, struct see_rng *rng)
{
    seebatch_position with = *position;
    const int rank = position->stm == SEEBATCH_WHITE ? 40 : 16, first = (int)see_random_below(rng, 8);
    for (int i = 0; i < 8; i++) {
        with.ep_square = (uint8_t)(rank + (first + i) % 8);
        if (is_sound(&with)) {
            *position = with;
            return;
        }
    }
}

/* ---- The three kinds of boards ---------------------------------------------------------------------------------- */

static const char *const start_fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w FBfb - 0 1",
};

struct walk {
    seebatch_position position;
    unsigned left; /* plies until the walk begins again */
};

/* Adds a few pieces, if the position remains sound. */
static void add_pieces(seebatch_position *position, struct see_rng *rng)
{
    seebatch_position with = *position;
    for (unsigned n = 1 + see_random_below(rng, 8); n > 0; n--) {
        const int square = (int)see_random_below(rng, 64);
        if (!(seebatch_occupied(&with) >> square & 1))
            place_piece(&with, square, (int)see_random_below(rng, 5), (int)see_random_below(rng, 2));
    }
    if (is_sound(&with))
        *position = with;
}

static seebatch_position next_of_walk(struct walk *walk, struct see_rng *rng)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = 0;
    if (walk->left > 0)
        n = seebatch_legal_moves(&walk->position, moves);
    if (n == 0) {
        const char *fen = start_fens[see_random_below(rng, sizeof start_fens / sizeof *start_fens)];
        seebatch_position_from_fen(fen, strlen(fen), &walk->position, NULL);
        walk->left = 20 + see_random_below(rng, 60);
        n = seebatch_legal_moves(&walk->position, moves);
    }
    walk->left--;
    seebatch_play(&walk->position, moves[see_random_below(rng, (unsigned)n)]);
    seebatch_position position = walk->position;
    if (one_in(rng, 2))
        add_pieces(&position, rng);
    return position;
}

static seebatch_position scattered(struct see_rng *rng)
{
    static const uint8_t mixes[4][8] = {
        {0, 0, 0, 1, 2, 3, 4, 0}, {0, 1, 2, 3, 4, 1, 2, 3}, {2, 3, 4, 2, 3, 4, 4, 4}, {0, 0, 0, 0, 0, 0, 1, 3}};
    seebatch_position position = empty_board();
    const uint8_t *mix = mixes[see_random_below(rng, 4)];
    for (unsigned n = see_random_below(rng, 40); n > 0; n--)
        place_piece(&position, (int)see_random_below(rng, 64), mix[see_random_below(rng, 8)],
                    (int)see_random_below(rng, 2));
    if (one_in(rng, 2))
        put_neighbours(&position, rng);
    place_kings(&position, rng);
    draw_en_passant(&position, rng);
    return position;
}

/* Puts down a piece that attacks a square from a given number of files and ranks away. */
static int attacker_from(int files, int ranks, struct see_rng *rng)
{
    if (files != 0 && ranks != 0 && files != ranks && files != -ranks)
        return SEEBATCH_KNIGHT;
    if (one_in(rng, 3))
        return SEEBATCH_QUEEN;
    if (files == 0 || ranks == 0)
        return SEEBATCH_ROOK;
    return one_in(rng, 2) ? SEEBATCH_PAWN : SEEBATCH_BISHOP;
}

static seebatch_position crowded(struct see_rng *rng, int *focus)
{
    static const int8_t step[16][2] = {{0, 1}, {1, 1}, {1, 0},  {1, -1}, {0, -1},  {-1, -1}, {-1, 0}, {-1, 1},
                                       {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    seebatch_position position = empty_board();
    *focus = (int)see_random_below(rng, 64);
    for (unsigned n = 4 + see_random_below(rng, 28); n > 0; n--) {
        const unsigned direction = see_random_below(rng, 16);
        const int distance = direction < 8 ? 1 + (int)see_random_below(rng, 4) : 1;
        const int files = step[direction][0] * distance, ranks = step[direction][1] * distance;
        const int file = *focus % 8 + files, rank = *focus / 8 + ranks;
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
            place_piece(&position, rank * 8 + file, attacker_from(files, ranks, rng), (int)see_random_below(rng, 2));
    }
    if (!one_in(rng, 8))
        place_piece(&position, *focus, (int)see_random_below(rng, 5), (int)see_random_below(rng, 2));
    place_kings(&position, rng);
    return position;
}

/* ---- Lists of moves --------------------------------------------------------------------------------------------- */

static bool lands_on(const seebatch_position *position, seebatch_move move, uint64_t squares)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const bool changes_file = ((from ^ to) & 7) != 0;
    return (squares >> to & 1) || (changes_file && seebatch_type_on(position, from) == SEEBATCH_PAWN);
}

/* Lists moves of the position, at most `room`: all of them, or the captures, or most of what lands on one square. Now
 * and then they are shuffled, or some of them are repeated, or those of the other side are added. */
static size_t draw_moves(const seebatch_position *position, int focus, seebatch_move *out, size_t room,
                         struct see_rng *rng)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    seebatch_position side = *position;
    const unsigned sort = see_random_below(rng, 4);
    const uint64_t squares = sort == 0                                  ? ~UINT64_C(0)
                             : sort == 1 && focus != SEEBATCH_NO_SQUARE ? square_bb(focus)
                                                                        : seebatch_occupied(position);
    size_t kept = 0;
    for (int sides = 0; sides < 2; sides++) {
        const size_t n = seebatch_legal_moves(&side, moves);
        for (size_t i = 0; i < n && kept < room; i++) {
            const size_t pick = one_in(rng, 16) ? see_random_below(rng, (unsigned)n) : i;
            if (lands_on(position, moves[pick], squares) || one_in(rng, 16))
                out[kept++] = moves[pick];
        }
        if (seebatch_in_check(position) || !one_in(rng, 2))
            break;
        side.stm ^= 1;
        side.ep_square = SEEBATCH_NO_SQUARE;
    }
    for (size_t i = one_in(rng, 2) ? kept : 0; i > 1; i--) {
        const size_t j = see_random_below(rng, (unsigned)i);
        const seebatch_move other = out[j];
        out[j] = out[i - 1];
        out[i - 1] = other;
    }
    return kept;
}

void seebatch_selftest_fill(struct see_test_batch *batch, struct see_rng *rng)
{
    const unsigned room = one_in(rng, 4) ? SEE_TEST_QUERIES : SEE_TEST_SMALL;
    const size_t most = see_random_below(rng, room + 1);
    struct walk walk;
    walk.left = 0;
    batch->n_positions = 0;
    batch->offsets[0] = 0;
    size_t n = 0;
    do {
        seebatch_position *position = &batch->positions[batch->n_positions];
        int focus = SEEBATCH_NO_SQUARE;
        const unsigned kind = see_random_below(rng, 8);
        *position = kind < 3 ? next_of_walk(&walk, rng) : kind < 5 ? scattered(rng) : crowded(rng, &focus);
        if (!one_in(rng, 8)) /* otherwise a position without moves */
            n += draw_moves(position, focus, batch->moves + n, most - n, rng);
        batch->offsets[++batch->n_positions] = n;
    } while (n < most && batch->n_positions < SEE_TEST_POSITIONS);
}
