/*
 * Declares what fen.c, fen_fast.c, fen_write.c and fens.c use of each other.
 */
#ifndef SEEBATCH_FEN_H
#define SEEBATCH_FEN_H

#include "position.h"

#include <string.h>

/* Clears what is left after the last field, so that equal positions that were read from text are equal as memory. */
static inline void see_clear_padding(seebatch_position *position)
{
    const size_t end = offsetof(seebatch_position, fullmove_number) + sizeof position->fullmove_number;
    memset((char *)position + end, 0, sizeof *position - end);
}

/* Reads FENs in the usual form, with single blanks and with castling rights as some of KQkq in that order, and makes
 * sure that the positions are sound. For every other text, which may still be valid, accepted[i] is 0, and positions[i]
 * is undefined. Only bytes before `end` are read, or, if it is NULL, only those of the texts. */
void seebatch_fens_fast(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                        uint8_t *accepted);

/* Whether a text holds EPD operations, or blanks, or nothing. */
bool seebatch_fen_operations(const char *text, size_t length);

/* Reads any valid FEN, or says what is wrong with the text. */
seebatch_status seebatch_fen_slow(const char *text, size_t length, seebatch_position *position, seebatch_error *error);

/* The length of the FEN that seebatch_position_to_fen() writes. */
size_t seebatch_fen_length(const seebatch_position *position);

/* The rook that a castling letter means, or SEEBATCH_NO_SQUARE. */
static inline int see_rook_of_right(const seebatch_position *position, char letter, int color)
{
    uint64_t rank = first_rank(color);
    uint64_t king = pieces_of(position, color, SEEBATCH_KING) & rank;
    uint64_t rooks = pieces_of(position, color, SEEBATCH_ROOK) & rank;
    uint64_t kingside = rooks & ~(king - 1), queenside = rooks & (king - 1);

    if (!king)
        return SEEBATCH_NO_SQUARE;
    if (letter == 'K')
        return kingside ? 63 - __builtin_clzll(kingside) : SEEBATCH_NO_SQUARE;
    if (letter == 'Q')
        return queenside ? lowest_square(queenside) : SEEBATCH_NO_SQUARE;
    int square = letter - 'A' + (color == SEEBATCH_WHITE ? 0 : 56);
    return rooks & square_bb(square) ? square : SEEBATCH_NO_SQUARE;
}

#endif
