/*
 * Marlinformat: records of 32 bytes, each a position with score and result, both from White's point of view.
 * docs/formats.md has the bytes.
 */
#include "marlinformat.h"

/* Rights to castle from the rooks that have them, by the side of the king on which they stand; false if two stand on
 * the same side of it. */
static bool take_rights(seebatch_position *position, uint64_t unmoved, seebatch_error *error)
{
    for (; unmoved != 0; unmoved &= unmoved - 1) {
        const int rook = __builtin_ctzll(unmoved), color = seebatch_color_on(position, rook);
        const uint64_t kings =
            seebatch_pieces_of_type(position, SEEBATCH_KING) & seebatch_pieces_of_color(position, color);
        if (kings == 0 || (kings & (kings - 1)) != 0) /* which the check of the position says better */
            return true;
        const int side = kings >> rook >> 1 != 0; /* 0: kingside, the king stands on a lower square */
        const int usual = (color == SEEBATCH_WHITE ? 0 : 56) + (side == 0 ? 7 : 0);
        if (position->castling_rook[color][side] != SEEBATCH_NO_SQUARE) {
            snprintf(error->text, sizeof error->text, "%s may castle with two rooks %s, expected one at most",
                     color == SEEBATCH_WHITE ? "white" : "black", side == 0 ? "kingside" : "queenside");
            return false;
        }
        position->castling_rook[color][side] = (uint8_t)rook;
        position->shredder |= rook != usual || kings != UINT64_C(1) << (usual - (side == 0 ? 3 : -4));
    }
    return true;
}

bool seebatch_io_unpack_marlin(const char *bytes, seebatch_position *position, struct record *record,
                               seebatch_error *error)
{
    const unsigned side = (unsigned char)bytes[24], result = (unsigned char)bytes[30];
    uint64_t unmoved;
    if (!seebatch_io_unpack_board(bytes, UNMOVED_ROOK, position, &unmoved, error) ||
        !take_rights(position, unmoved, error))
        return false;
    position->stm = side >> 7 ? SEEBATCH_BLACK : SEEBATCH_WHITE;
    position->ep_square = side & 0x7f;
    position->halfmove_clock = (unsigned char)bytes[25];
    position->fullmove_number = (uint16_t)get_16(bytes + 26);
    if (result > RESULT_WHITE_WINS) {
        snprintf(error->text, sizeof error->text,
                 "the result is %u, expected 0 (black wins), 1 (draw) or 2 (white wins)", result);
        return false;
    }
    record->score = get_signed_16(bytes + 28);
    record->result = (uint8_t)result;
    const bool unused = bytes[31] != 0 || seebatch_io_board_has_unused_bits(bytes);
    record->has |= (uint16_t)(FIELD_SCORE | FIELD_RESULT | (unused ? FIELD_UNUSED_BITS : 0));
    return seebatch_position_check(position, error) == SEEBATCH_OK;
}

bool seebatch_io_pack_marlin(char *bytes, const struct record *record, const seebatch_position *position,
                             const char **why)
{
    uint64_t unmoved = 0;
    for (int i = 0; i < 4; i++)
        if (position->castling_rook[i / 2][i % 2] != SEEBATCH_NO_SQUARE)
            unmoved |= UINT64_C(1) << position->castling_rook[i / 2][i % 2];
    if (!seebatch_io_pack_board(bytes, position, unmoved)) {
        *why = "the board has more than 32 pieces, expected no more";
        return false;
    }
    if (position->halfmove_clock > UINT8_MAX) {
        *why = "the halfmove clock does not fit, expected at most 255";
        return false;
    }
    bytes[24] = (char)(position->stm << 7 | position->ep_square);
    bytes[25] = (char)position->halfmove_clock;
    put_16(bytes + 26, position->fullmove_number);
    put_16(bytes + 28, (unsigned)record->score);
    bytes[30] = (char)record->result;
    bytes[31] = 0;
    return true;
}

/* ---- Records ---------------------------------------------------------------------------------------------------- */

static bool read_marlin(struct cursor *cursor, struct batch *batch)
{
    const bool any =
        seebatch_io_read_sized_records(cursor, batch, seebatch_io_unpack_marlin, seebatch_io_fast_packed(true));
    for (size_t i = 0; i < batch->n; i++)
        set_ply(cursor, &batch->records[i], &batch->positions[i]);
    return any;
}

static bool write_marlin(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    char bytes[PACKED_SIZE];
    (void)target, (void)cells;
    if (!seebatch_io_score_fits(record->score, why) || !seebatch_io_pack_marlin(bytes, record, position, why))
        return false;
    bytes_add(&block->out, bytes, sizeof bytes);
    return true;
}

static struct score_place marlinformat_score(struct block *block, const struct record *record)
{
    (void)block;
    return (struct score_place){record->bytes + 28, 2, "", ""};
}

const struct file_format FORMAT(marlin) = {
    .name = "marlinformat",
    .extensions = {".marlinformat", ".marlin"},
    .what = "32 bytes: position, score, result",
    .details = "Records of 32 bytes: a position, score and result.",
    .fields = FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_SCORE | FIELD_RESULT,
    .implies_ply = true,
    .binary = true,
    .record_size = PACKED_SIZE,
    .whole = whole_packed,
    .read = read_marlin,
    .write = write_marlin,
    .place_score = marlinformat_score,
    .loses = seebatch_io_loses_ply,
};
