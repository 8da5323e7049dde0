/*
 * The beginning of a FEN, that is, the pieces and the side to move: code that the kernels and fen_fast.c share.
 */
#ifndef SEEBATCH_FEN_BOARD_H
#define SEEBATCH_FEN_BOARD_H

#include "position.h"

#include <stdbool.h>

/* Fills the board of a text whose first `pieces` characters are the pieces. Returns the length with the side to move,
 * or 0 if `pieces` is 0, or if what follows is neither " w" nor " b". */
static inline uint8_t see_fen_side(seebatch_text text, size_t pieces, const uint64_t planes[4],
                                   seebatch_position *board)
{
    const bool there = pieces != 0 && text.length >= pieces + 2;
    const char side = there ? text.at[pieces + 1] : 0;
    board->plane[0] = planes[0], board->plane[1] = planes[1], board->plane[2] = planes[2], board->white = planes[3];
    board->stm = side == 'w' ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    return there && text.at[pieces] == ' ' && (side == 'w' || side == 'b') ? (uint8_t)(pieces + 2) : 0;
}

/* The texts of castling rights, by the rights as bits, KQkq from the lowest on. Each has four characters, the first one
 * in the lowest byte. The second table has the rights by a hash of the text: the highest bits of its product, which no
 * two texts share. */
#define SEE_TEXT(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define SEE_RIGHTS_HASH UINT32_C(0x10ac4aa)
/* clang-format off */
static const uint32_t see_rights_texts[16] = {
    '-', 'K', 'Q', SEE_TEXT('K', 'Q', 0, 0),
    'k', SEE_TEXT('K', 'k', 0, 0), SEE_TEXT('Q', 'k', 0, 0), SEE_TEXT('K', 'Q', 'k', 0),
    'q', SEE_TEXT('K', 'q', 0, 0), SEE_TEXT('Q', 'q', 0, 0), SEE_TEXT('K', 'Q', 'q', 0),
    SEE_TEXT('k', 'q', 0, 0), SEE_TEXT('K', 'k', 'q', 0), SEE_TEXT('Q', 'k', 'q', 0), SEE_TEXT('K', 'Q', 'k', 'q')};
/* clang-format on */
static const uint8_t see_rights_by_hash[16] = {9, 10, 0, 12, 1, 2, 4, 8, 11, 13, 14, 3, 5, 6, 7, 15};

static inline bool see_is_one(uint64_t set) { return set != 0 && (set & (set - 1)) == 0; }

/* The part of seebatch_position_check() that is only about the board. */
static inline bool see_board_is_sound(const seebatch_position *board)
{
    const uint64_t pawns = seebatch_pieces_of_type(board, SEEBATCH_PAWN);
    const int stm = board->stm;
    if (!see_is_one(pieces_of(board, SEEBATCH_WHITE, SEEBATCH_KING)) ||
        !see_is_one(pieces_of(board, SEEBATCH_BLACK, SEEBATCH_KING)) ||
        pawns & (first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK)))
        return false;
    return !attackers_of_color(board, king_square(board, !stm), stm, seebatch_occupied(board));
}

/*
 * Reads the pieces and the sides to move of n texts, as kernel.h says; whether the boards are sound is still to be
 * asked. This is a template: pieces() returns the number of characters of the pieces at the beginning of a text, of
 * which so many bytes may be read, or 0.
 */
static inline __attribute__((always_inline)) void
see_read_fen_boards(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                    uint8_t *lengths, size_t (*pieces)(const char *text, size_t readable, uint64_t planes[4]))
{
    for (size_t i = 0; i < n; i++) {
        const char *text = fens[i].at;
        uint64_t planes[4] = {0, 0, 0, 0};
        const size_t length = pieces(text, end ? (size_t)(end - text) : fens[i].length, planes);
        lengths[i] = see_fen_side(fens[i], length, planes, &positions[i]);
    }
}

#endif
