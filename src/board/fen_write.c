/*
 * Writes FENs. The kernel in use writes the pieces if it can, and the other fields come mostly from tables.
 * seebatch_position_to_fen() is here.
 */
#include "fen.h"
#include "dispatch/kernel.h"

/* Writes the pieces rank by rank, from piece to piece. */
static char *write_ranks(const seebatch_position *position, char *out)
{
    static const char letters[] = " brqpnk  BRQPNK "; /* by code, then by colour */
    const uint64_t *plane = position->plane;
    const uint64_t pieces = (plane[0] | plane[1] | plane[2]) & ~(plane[0] & plane[1] & plane[2]);
    for (int rank = 7; rank >= 0; rank--) {
        int next = 0; /* the file after the last piece */
        for (uint64_t row = pieces >> 8 * rank & 0xff; row; row &= row - 1) {
            const int file = lowest_square(row), square = 8 * rank + file;
            const unsigned code = (unsigned)(plane[0] >> square & 1) | (unsigned)(plane[1] >> square & 1) << 1 |
                                  (unsigned)(plane[2] >> square & 1) << 2 |
                                  (unsigned)(position->white >> square & 1) << 3;
            *out = (char)('0' + file - next); /* overwritten if there is nothing between */
            out += file > next;
            *out++ = letters[code];
            next = file + 1;
        }
        *out = (char)('0' + 8 - next);
        out += next < 8;
        *out++ = rank ? '/' : ' ';
    }
    return out;
}

/* The kernel in use writes the pieces, if there is one and it can. Before the first use there is none. */
static char *write_pieces(const seebatch_position *position, char *out)
{
    const struct see_kernel *kernel = __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
    return kernel && kernel->write_pieces ? kernel->write_pieces(position, out) : write_ranks(position, out);
}

/* Whether a K or Q, as FENs are read, would mean another rook than that of one of the rights. */
static bool has_inner_rook(const seebatch_position *position)
{
    for (int i = 0; i < 4; i++) {
        const int color = i / 2, side = i % 2, rook = position->castling_rook[color][side];
        if (rook != SEEBATCH_NO_SQUARE && see_rook_of_right(position, side == SEE_KINGSIDE ? 'K' : 'Q', color) != rook)
            return true;
    }
    return false;
}

/* Writes K and Q, or the files of the rooks. The form is the same for all rights, because a single file makes a reader
 * take all of them for files. */
static char *write_letters(const seebatch_position *position, char *out)
{
    const bool files = position->shredder || has_inner_rook(position);
    for (int i = 0; i < 4; i++) {
        int color = i / 2, side = i % 2, rook = position->castling_rook[color][side];
        if (rook == SEEBATCH_NO_SQUARE)
            continue;
        char letter = files ? (char)('A' + (rook & 7)) : side == SEE_KINGSIDE ? 'K' : 'Q';
        *out++ = (char)(color == SEEBATCH_WHITE ? letter : letter - 'A' + 'a');
    }
    return out;
}

/* A rook in its corner is the outermost. */
static char *write_castling(const seebatch_position *position, char *out)
{
    static const uint8_t corner[4] = {7, 0, 63, 56};
    static const char letters[16][5] = {"-", "K",  "Q",  "KQ",  "k",  "Kk",  "Qk",  "KQk",
                                        "q", "Kq", "Qq", "KQq", "kq", "Kkq", "Qkq", "KQkq"};
    const uint8_t *rook = position->castling_rook[0];
    unsigned rights = 0, other = position->shredder;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned right = rook[i] != SEEBATCH_NO_SQUARE;
        rights |= right << i;
        other |= right & (rook[i] != corner[i]);
    }
    if (rights && other) {
        out = write_letters(position, out);
    } else {
        memcpy(out, letters[rights], 4);
        out += rights ? __builtin_popcount(rights) : 1;
    }
    *out++ = ' ';
    return out;
}

static char *write_number(unsigned number, char *out)
{
    if (number < 100) { /* nearly always, and a branch on two digits would be mispredicted */
        *out = (char)('0' + number / 10);
        out += number > 9;
        *out = (char)('0' + number % 10);
        return out + 1;
    }
    const int digits = number < 1000 ? 3 : number < 10000 ? 4 : 5;
    for (int i = digits - 1; i >= 0; i--, number /= 10)
        out[i] = (char)('0' + number % 10);
    return out + digits;
}

/* Writes all fields after the pieces. */
static char *write_rest(const seebatch_position *position, char *out)
{
    *out++ = position->stm == SEEBATCH_WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(position, out);
    const bool passed = position->ep_square != SEEBATCH_NO_SQUARE;
    out[0] = passed ? (char)('a' + (position->ep_square & 7)) : '-';
    out[1] = (char)('1' + (position->ep_square >> 3));
    out += 1 + passed;
    *out++ = ' ';
    out = write_number(position->halfmove_clock, out);
    *out++ = ' ';
    out = write_number(position->fullmove_number, out);
    *out = 0;
    return out;
}

size_t seebatch_position_to_fen(const seebatch_position *position, char fen[SEEBATCH_FEN_SIZE])
{
    return (size_t)(write_rest(position, write_pieces(position, fen)) - fen);
}

size_t seebatch_fen_length(const seebatch_position *position)
{
    enum { SLASHES_AND_BLANK = 8 };
    char rest[SEEBATCH_FEN_SIZE];
    const uint64_t *plane = position->plane;
    const uint64_t pieces = (plane[0] | plane[1] | plane[2]) & ~(plane[0] & plane[1] & plane[2]);
    const uint64_t counts = ~pieces & (pieces << 1 | FILE_A); /* the first of squares that are counted together */
    return (size_t)__builtin_popcountll(pieces) + (size_t)__builtin_popcountll(counts) + SLASHES_AND_BLANK +
           (size_t)(write_rest(position, rest) - rest);
}
