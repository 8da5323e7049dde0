/*
 * Plays a legal move on a position.
 */
#include "position.h"

#include <assert.h>

#ifndef NDEBUG
/* Whether seebatch_legal_moves() gives the move, or a castling move that means the same. */
static bool is_legal_move(const seebatch_position *position, seebatch_move move)
{
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_moves(position, legal);
    int king = king_square(position, position->stm);
    int side = seebatch_from(move) == king && !seebatch_promotion(move)
                   ? castling_side(position, king, seebatch_to(move))
                   : -1;
    for (size_t i = 0; i < n; i++) {
        if (legal[i] == move)
            return true;
        if (side >= 0 && seebatch_from(legal[i]) == king &&
            castling_side(position, king, seebatch_to(legal[i])) == side)
            return true;
    }
    return false;
}
#endif

static void lose_right(seebatch_position *position, int color, int rook)
{
    for (int side = SEE_KINGSIDE; side <= SEE_QUEENSIDE; side++)
        if (position->castling_rook[color][side] == rook)
            position->castling_rook[color][side] = SEEBATCH_NO_SQUARE;
}

/* Both pieces leave before either lands: in Chess960 one may land where the other stood. */
static void play_castling(seebatch_position *position, int king, int side)
{
    int stm = position->stm;
    remove_piece(position, king);
    remove_piece(position, position->castling_rook[stm][side]);
    put_piece(position, castled_king_square(stm, side), SEEBATCH_KING, stm);
    put_piece(position, castled_rook_square(stm, side), SEEBATCH_ROOK, stm);
}

/* Plays any move but castling. */
static void play_piece(seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
    int type = seebatch_type_on(position, from), stm = position->stm;
    bool capture = seebatch_occupied(position) & square_bb(to);
    bool double_step = type == SEEBATCH_PAWN && (from - to == 16 || to - from == 16);

    if (type == SEEBATCH_PAWN && !capture && (from & 7) != (to & 7))
        remove_piece(position, stm == SEEBATCH_WHITE ? to - 8 : to + 8);
    remove_piece(position, to);
    remove_piece(position, from);
    put_piece(position, to, promotion ? promotion : type, stm);

    lose_right(position, stm, from);
    lose_right(position, !stm, to);
    position->ep_square = (uint8_t)(double_step ? (from + to) / 2 : SEEBATCH_NO_SQUARE);
    if (type == SEEBATCH_PAWN || capture)
        position->halfmove_clock = 0;
}

void seebatch_play(seebatch_position *position, seebatch_move move)
{
    assert(is_legal_move(position, move));
    int from = seebatch_from(move), stm = position->stm;
    bool king_move = seebatch_type_on(position, from) == SEEBATCH_KING;
    int side = king_move ? castling_side(position, from, seebatch_to(move)) : -1;

    /* The clocks stop at their greatest value. */
    position->halfmove_clock = (uint16_t)(position->halfmove_clock + (position->halfmove_clock < UINT16_MAX));
    if (side >= 0) {
        play_castling(position, from, side);
        position->ep_square = SEEBATCH_NO_SQUARE;
    } else {
        play_piece(position, move);
    }
    if (king_move)
        position->castling_rook[stm][SEE_KINGSIDE] = position->castling_rook[stm][SEE_QUEENSIDE] = SEEBATCH_NO_SQUARE;
    if (stm == SEEBATCH_BLACK)
        position->fullmove_number = (uint16_t)(position->fullmove_number + (position->fullmove_number < UINT16_MAX));
    position->stm = (uint8_t)!stm;
}
