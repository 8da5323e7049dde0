/*
 * seebatch_see.h as a library with seebatch_ge() of its own, under the rules `swap`, so that seebatch_turns compares what
 * compilers make of it: scripts/compilers links it to libseebatch, which has the other functions. A board comes
 * from a seebatch_position in the same call.
 */
#include "seebatch.h"
#include "seebatch_see.h"

static const seebatch_see_rules swap_rules = {{100, 325, 325, 500, 1000}, SEEBATCH_SEE_RULES_SWAP};

bool seebatch_ge(const seebatch_rules *rules, const seebatch_position *p, const seebatch_pins *pins, seebatch_move m,
                 int threshold)
{
    (void)rules, (void)pins;
    const int from = seebatch_from(m), to = seebatch_to(m), stm = seebatch_color_on(p, from);
    const uint64_t colors[2] = {seebatch_pieces_of_color(p, SEEBATCH_WHITE),
                                seebatch_pieces_of_color(p, SEEBATCH_BLACK)};
    uint64_t types[6];
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        types[type] = seebatch_pieces_of_type(p, type);
    const seebatch_see_board board = {types, colors, stm, NULL};
    seebatch_see_move move = {from, to, seebatch_type_on(p, from), seebatch_type_on(p, to), seebatch_promotion(m), 0};
    if (__builtin_expect(
            (move.piece == SEEBATCH_PAWN) & (move.captured == SEEBATCH_NO_PIECE) & (((from ^ to) & 7) != 0), 0))
        move.special = SEEBATCH_SEE_EN_PASSANT;
    return seebatch_see_ge(&swap_rules, &board, NULL, move, threshold);
}
