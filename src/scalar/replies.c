/*
 * Finds the captures en passant that may answer a pawn's double step, under rules that count them. count_replies() in
 * exchange.h and explain.c call it.
 */
#include "exchange.h"
#include "board/position.h"

uint64_t seebatch_replies_en_passant(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), passed = (from + to) / 2;
    const int color = seebatch_color_on(position, from);
    const uint64_t enemies = seebatch_pieces_of_color(position, !color);
    /* Moves one step back from where the pawns of the other side attack, to the squares beside the one that the double
     * step reaches. */
    uint64_t pawns = pawn_attacks(color, passed) & seebatch_pieces_of_type(position, SEEBATCH_PAWN) & enemies;
    const int king = lowest_square(seebatch_pieces_of_type(position, SEEBATCH_KING) & enemies);
    const uint64_t occupied = (seebatch_occupied(position) & ~square_bb(from)) | square_bb(passed);
    uint64_t legal = 0;
    while (pawns) {
        const uint64_t pawn = square_bb(pop_lsb(&pawns));
        if (!attackers_of_color(position, king, color, occupied & ~pawn))
            legal |= pawn;
    }
    return legal;
}
