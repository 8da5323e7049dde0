/*
 * Reads one record of Leela's training data, version 6 or 7: the input of the network, and what the search found.
 *
 * The board stands in twelve sets of squares as the side to move sees it: its own pieces first, its own side below.
 * Within a byte of a set, the a-file is the highest bit. The canonical forms of the input (3 and above) may have turned
 * the board besides: flipped left and right, then upside down, then along the diagonal from h1 to a8; that is undone
 * in the opposite order. The moves are turned in the same way.
 *
 * lc0 has these in src/trainingdata/trainingdata_v6.h, src/trainingdata/reader.cc and src/neural/encoder.cc; nothing
 * of its code stands here. docs/formats.md has the bytes.
 */
#include "lc0.h"

#include "packed_board.h"

#include <stdlib.h>

enum { CLASSICAL = 1, CASTLING_PLANE = 2, CANONICAL = 3, HECTOPLIES = 4, CANONICAL_V2 = 5, ARMAGEDDON = 128 };
enum { FLIP = 1, MIRROR = 2, TRANSPOSE = 4, BLACK = 128 };
enum { PLANES_OF_BOARD = 13, THEIR_PAWNS = 6, N_MOVES = 1858, N_PLAIN_MOVES = 1792 };

static unsigned byte_at(const char *bytes, int at) { return (unsigned char)bytes[at]; }

static uint32_t get_32(const char *bytes) { return get_16(bytes) | (uint32_t)get_16(bytes + 2) << 16; }

size_t seebatch_io_lc0_size(const char *bytes)
{
    const uint32_t version = get_32(bytes);
    return version == 6 ? LC0_V6 : version == 7 ? LC0_V7 : 0;
}

bool seebatch_io_lc0_float(const char *bytes, float least, float most, float *number)
{
    const uint32_t bits = get_32(bytes);
    memcpy(number, &bits, sizeof bits);
    return *number >= least && *number <= most;
}

/* ---- The board --------------------------------------------------------------------------------------------------- */

static uint64_t flip(uint64_t set)
{
    set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
    set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
    return (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (set & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

static uint64_t mirror(uint64_t set) { return __builtin_bswap64(set); }

/* Flips a board along the diagonal from h1 to a8. It is for positions without pawns, which are few. */
static uint64_t transpose(uint64_t set)
{
    uint64_t turned = 0;
    for (; set; set &= set - 1) {
        const int square = __builtin_ctzll(set);
        turned |= UINT64_C(1) << (8 * (7 - square % 8) + 7 - square / 8);
    }
    return turned;
}

static bool is_canonical(unsigned input) { return input >= CANONICAL; }

static unsigned transform_of(const char *bytes)
{
    return is_canonical(byte_at(bytes, LC0_INPUT)) ? byte_at(bytes, LC0_INVARIANCE) & (FLIP | MIRROR | TRANSPOSE) : 0;
}

/* A set of squares as the side to move sees them. */
static uint64_t plane(const char *bytes, int number, unsigned transform)
{
    uint64_t set = flip(get_64(bytes + LC0_PLANES + 8 * number));
    set = transform & TRANSPOSE ? transpose(set) : set;
    set = transform & MIRROR ? mirror(set) : set;
    return transform & FLIP ? flip(set) : set;
}

/* A square as the side to move sees it, turned back. */
static int turn_square(int square, unsigned transform)
{
    square = transform & TRANSPOSE ? 8 * (7 - square % 8) + 7 - square / 8 : square;
    square ^= transform & MIRROR ? 56 : 0;
    return square ^ (transform & FLIP ? 7 : 0);
}

/* The file on which a pawn has just made two steps, or -1. The first forms have it in the board before alone. */
static int passed_file(const char *bytes)
{
    const unsigned input = byte_at(bytes, LC0_INPUT), mask = byte_at(bytes, LC0_SIDE_OR_PASSED);
    if (is_canonical(input))
        return mask == 0 ? -1 : turn_square(__builtin_ctz(mask), transform_of(bytes) & FLIP);
    const uint64_t now = plane(bytes, THEIR_PAWNS, 0), before = plane(bytes, PLANES_OF_BOARD + THEIR_PAWNS, 0);
    const uint64_t from = before & ~now, to = now & ~before;
    if (__builtin_popcountll(from) != 1 || __builtin_popcountll(to) != 1)
        return -1;
    const int square = __builtin_ctzll(from);
    return square / 8 == 6 && to == from >> 16 ? square % 8 : -1;
}

/* Rights to castle: of each side first on the queen's side. A byte says yes, or on which file the rook stands. */
static void unpack_castling(const char *bytes, int us, seebatch_position *position)
{
    const bool files = byte_at(bytes, LC0_INPUT) >= CASTLING_PLANE;
    for (int i = 0; i < 4; i++) {
        const unsigned mask = byte_at(bytes, LC0_CASTLING + i);
        const int side = i % 2 == 0, usual = side ? 0 : 7, color = i < 2 ? us : !us, first_rank = 56 * color;
        const int file = files && mask != 0 ? __builtin_ctz(mask) : usual;
        if (mask == 0)
            continue;
        position->castling_rook[color][side] = (uint8_t)(first_rank + file);
        position->shredder |= file != usual || seebatch_type_on(position, first_rank + 4) != SEEBATCH_KING;
    }
}

static bool unpack_board(const char *bytes, seebatch_position *position, seebatch_error *error)
{
    const uint32_t input = get_32(bytes + LC0_INPUT);
    const unsigned transform = transform_of(bytes), side = byte_at(bytes, LC0_SIDE_OR_PASSED);
    uint64_t sets[12], all = 0;
    int n = 0;
    if ((input < CLASSICAL || input > CANONICAL_V2) && input != (ARMAGEDDON | HECTOPLIES) &&
        input != (ARMAGEDDON | CANONICAL_V2))
        return seebatch_io_fail_with(error, "its input format is %u, expected 1 to 5, 132 or 133", input);
    if (!is_canonical(input) && side > 1)
        return seebatch_io_fail_with(error, "the side to move is %u, expected 0 or 1", side);
    const bool black = is_canonical(input) ? byte_at(bytes, LC0_INVARIANCE) & BLACK : side;
    for (int i = 0; i < 12; i++) {
        const int to = black ? (i + 6) % 12 : i;
        const uint64_t set = plane(bytes, i, transform);
        sets[to] = black ? mirror(set) : set;
        all |= set;
        n += __builtin_popcountll(set);
    }
    if (n != __builtin_popcountll(all))
        return seebatch_io_fail_with(error, "a square has more than one piece, expected one at most");
    *position = seebatch_position_from_twelve(sets, black ? SEEBATCH_BLACK : SEEBATCH_WHITE);
    unpack_castling(bytes, position->stm, position);
    const int file = passed_file(bytes);
    if (file >= 0)
        position->ep_square = (uint8_t)((40 + file) ^ (black ? 56 : 0));
    position->halfmove_clock = (uint16_t)byte_at(bytes, LC0_RULE50);
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* How many squares a queen or a knight reaches from one on an empty board. */
static int reach(int square)
{
    static const uint8_t of_bishop[4] = {7, 9, 11, 13};
    static const uint8_t of_knight[4][4] = {{2, 3, 4, 4}, {3, 4, 6, 6}, {4, 6, 8, 8}, {4, 6, 8, 8}};
    const int file = square % 8, rank = square / 8, x = file < 4 ? file : 7 - file, y = rank < 4 ? rank : 7 - rank;
    return 14 + of_bishop[x < y ? x : y] + of_knight[x][y];
}

static bool reaches(int from, int to)
{
    const int x = abs(from % 8 - to % 8), y = abs(from / 8 - to / 8);
    return from != to && (x == 0 || y == 0 || x == y || x + y == 3);
}

/* Makes the list: from each square, a1 first, to those that a queen or a knight reaches; then the pawns' promotions
 * from the seventh rank to queen, rook and bishop. */
static void move_in_list(unsigned number, int *from, int *to, int *promotion)
{
    static const int pieces[3] = {SEEBATCH_QUEEN, SEEBATCH_ROOK, SEEBATCH_BISHOP};
    int left = (int)number;
    *promotion = 0;
    if (number < N_PLAIN_MOVES) {
        for (*from = 0; left >= reach(*from); ++*from)
            left -= reach(*from);
        for (*to = 0; left > 0 || !reaches(*from, *to); ++*to)
            left -= reaches(*from, *to);
        return;
    }
    left -= N_PLAIN_MOVES;
    *promotion = pieces[left % 3];
    left = left / 3 + 1; /* a7 has no square on its left */
    *from = 48 + left / 3;
    *to = *from + 7 + left % 3;
}

/* A square as lc0 turns those of moves since its commit 6fa9f132 of March 2025: where the board is turned along the
 * diagonal, half round instead. The board itself is turned as ever. */
static int turn_half_round(int square, unsigned transform)
{
    square ^= transform & (MIRROR | TRANSPOSE) ? 56 : 0;
    return square ^ (transform & (FLIP | TRANSPOSE) ? 7 : 0);
}

bool seebatch_io_lc0_move(const char *bytes, unsigned number, const seebatch_position *position, seebatch_move *move,
                          seebatch_error *error)
{
    const unsigned transform = transform_of(bytes);
    const int black = position->stm == SEEBATCH_BLACK ? 56 : 0;
    const bool transposed = transform & TRANSPOSE;
    int from, to, promotion;
    char uci[6];
    if (number >= N_MOVES)
        return seebatch_io_fail_with(error, "a move has the number %u, expected at most %d", number, N_MOVES - 1);
    move_in_list(number, &from, &to, &promotion);
    for (int way = 0; way <= transposed; way++) {
        const int first = (way == 0 ? turn_square : turn_half_round)(from, transform) ^ black,
                  last = (way == 0 ? turn_square : turn_half_round)(to, transform) ^ black;
        const bool knight =
            promotion == 0 && seebatch_type_on(position, first) == SEEBATCH_PAWN && (last / 8 == 0 || last / 8 == 7);
        const seebatch_move candidate = seebatch_make_move(first, last, knight ? SEEBATCH_KNIGHT : promotion);
        if (seebatch_move_from_uci(position, uci, seebatch_move_to_uci(candidate, uci), move, error) == SEEBATCH_OK)
            return true;
    }
    return false;
}

/* ---- What the search and the game said ----------------------------------------------------------------------------- */

/* Centipawns of a Q from -1 to 1, by the formula with which lc0's rescorer writes data for Stockfish. */
static int32_t centipawns(float q)
{
    const double most = 32000, x = q, x2 = x * x, x4 = x2 * x2, score = 660.6 * x / (1 - 0.9751875 * x4 * x4 * x2);
    return (int32_t)(score > most ? most : score < -most ? -most : score < 0 ? score - 0.5 : score + 0.5);
}

bool seebatch_io_lc0_unpack(const char *bytes, int32_t ply, unsigned score_at, seebatch_position *position,
                            struct record *record, seebatch_error *error)
{
    float q, result;
    if (!unpack_board(bytes, position, error))
        return false;
    record->ply = ply + (ply % 2 != position->stm);
    position->fullmove_number = (uint16_t)(record->ply / 2 < UINT16_MAX ? record->ply / 2 + 1 : UINT16_MAX);
    if (seebatch_position_check(position, error) != SEEBATCH_OK ||
        !seebatch_io_lc0_move(bytes, get_16(bytes + LC0_PLAYED), position, &record->move, error))
        return false;
    if (!seebatch_io_lc0_float(bytes + score_at, -1, 1, &q))
        return seebatch_io_fail_with(error, "the Q of its search is %g, expected -1 to 1", (double)q);
    if (!seebatch_io_lc0_float(bytes + LC0_RESULT_Q, -1, 1, &result))
        return seebatch_io_fail_with(error, "the result is %g, expected -1 to 1", (double)result);
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1;
    record->score = sign * centipawns(q);
    record->result = (uint8_t)(RESULT_DRAW + sign * (result > 0.5F ? 1 : result < -0.5F ? -1 : 0));
    record->has = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY;
    return true;
}
