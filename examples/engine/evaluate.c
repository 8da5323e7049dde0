/*
 * A small evaluation: material and where the pieces stand (kept by the board), passed pawns, the pair of bishops, and
 * what helps to mate a bare king. Midgame and endgame values are mixed by the pieces that are left.
 */
#include "evaluate.h"

#include <stdlib.h>

int16_t placement_of[2][6][64][2];

/* From White's point of view: a value a type, and what a rank (1 to 8) and a file (a to d, and mirrored) add to it. */
static const int material[2][6] = {{85, 330, 345, 480, 970, 0}, {110, 300, 320, 530, 980, 0}};
static const int8_t by_rank[2][6][8] = {
    {
        {0, 0, 2, 8, 18, 35, 60, 0},
        {-30, -10, 5, 12, 18, 20, 5, -25},
        {-10, 5, 8, 8, 10, 5, 0, -10},
        {0, -2, -3, -3, 0, 3, 15, 5},
        {-3, 3, 3, 2, 2, 2, -5, -5},
        {20, 5, -25, -40, -50, -55, -60, -60},
    },
    {
        {0, 0, 3, 12, 28, 55, 90, 0},
        {-20, -8, 2, 8, 8, 4, -8, -20},
        {-8, -2, 3, 5, 5, 3, -2, -8},
        {-2, -4, -2, 2, 4, 6, 8, 6},
        {-20, -10, 0, 10, 15, 12, 8, 0},
        {-35, -15, 2, 15, 22, 22, 8, -20},
    },
};
static const int8_t by_file[2][6][4] = {
    {{-6, 0, 2, 10}, {-25, -5, 5, 10}, {-4, 4, 3, 4}, {-4, -1, 4, 7}, {-4, 0, 2, 3}, {12, 18, -8, -14}},
    {{4, 2, 0, -2}, {-20, -6, 3, 8}, {-6, -1, 2, 4}, {0, 0, 0, 0}, {-10, -3, 3, 7}, {-18, -4, 6, 12}},
};

void evaluate_init(void)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++) {
        for (int square = 0; square < 64; square++) {
            const int rank = square >> 3, file = square & 7, wing = file < 4 ? file : 7 - file;
            for (int stage = MIDGAME; stage <= ENDGAME; stage++) {
                const int value = material[stage][type] + by_rank[stage][type][rank] + by_file[stage][type][wing];
                placement_of[SEEBATCH_WHITE][type][square][stage] = (int16_t)value;
                placement_of[SEEBATCH_BLACK][type][square ^ 56][stage] = (int16_t)-value;
            }
        }
    }
}

static const uint64_t file_a = 0x0101010101010101, file_h = 0x8080808080808080;

/* The squares from which a pawn of the other side has no more to fear from these pawns: not before them, not beside. */
static uint64_t behind(uint64_t pawns, int color)
{
    uint64_t front = color == SEEBATCH_WHITE ? pawns << 8 : pawns >> 8;
    for (int step = 8; step < 64; step *= 2)
        front |= color == SEEBATCH_WHITE ? front << step : front >> step;
    return ~(front | (front & ~file_a) >> 1 | (front & ~file_h) << 1);
}

/* What passed pawns are worth to a side, in the endgame; half as much in the middlegame. */
static int passed_pawns(const seebatch_position *p, int color)
{
    static const int8_t by_step[8] = {0, 5, 10, 22, 42, 75, 110, 0};
    const uint64_t pawns = seebatch_pieces_of_type(p, SEEBATCH_PAWN);
    uint64_t passed = pawns & seebatch_pieces_of_color(p, color);
    passed &= behind(pawns & seebatch_pieces_of_color(p, !color), !color);
    int value = 0;
    for (; passed; passed &= passed - 1) {
        const int rank = __builtin_ctzll(passed) >> 3;
        value += by_step[color == SEEBATCH_WHITE ? rank : 7 - rank];
    }
    return value;
}

static int king_of(const seebatch_position *p, int color)
{
    return __builtin_ctzll(seebatch_pieces_of_type(p, SEEBATCH_KING) & seebatch_pieces_of_color(p, color));
}

/* A bare king is mated at the edge, with the other king near. */
static int hunt(const seebatch_position *p, int winner)
{
    if (seebatch_pieces_of_color(p, !winner) & ~seebatch_pieces_of_type(p, SEEBATCH_KING))
        return 0;
    const int prey = king_of(p, !winner), hunter = king_of(p, winner);
    const int from_center = (abs(2 * (prey & 7) - 7) + abs(2 * (prey >> 3) - 7)) / 2;
    const int apart = abs((prey & 7) - (hunter & 7)) + abs((prey >> 3) - (hunter >> 3));
    return 15 * from_center + 6 * (14 - apart);
}

static bool has_bishop_pair(const seebatch_position *p, int color)
{
    const uint64_t bishops = seebatch_pieces_of_type(p, SEEBATCH_BISHOP) & seebatch_pieces_of_color(p, color);
    return (bishops & (bishops - 1)) != 0;
}

int evaluate(const struct board *board)
{
    const seebatch_position *p = &board->position;
    const int passed = passed_pawns(p, SEEBATCH_WHITE) - passed_pawns(p, SEEBATCH_BLACK);
    const int pair = 30 * (has_bishop_pair(p, SEEBATCH_WHITE) - has_bishop_pair(p, SEEBATCH_BLACK));
    const int midgame = board->placement[MIDGAME] + passed / 2 + pair;
    int endgame = board->placement[ENDGAME] + passed + pair;
    if (abs(endgame) > 300)
        endgame += endgame > 0 ? hunt(p, SEEBATCH_WHITE) : -hunt(p, SEEBATCH_BLACK);
    const int phase = board->phase < 24 ? board->phase : 24;
    int value = (midgame * phase + endgame * (24 - phase)) / 24;
    value = value * (200 - (p->halfmove_clock < 100 ? p->halfmove_clock : 100)) / 200; /* do something */
    return (p->stm == SEEBATCH_WHITE ? value : -value) + 10;
}
