/*
 * Bulletformat: records of 32 bytes, each a board as the side to move sees it, with score and result from its point of
 * view. docs/formats.md has the bytes.
 *
 * If Black is to move, the board is flipped and the colours are exchanged. It is read as a position with White to move;
 * who was to move, castling, en passant and clocks are not in it.
 */
#include "packed_board.h"

static uint64_t flipped(uint64_t squares) { return __builtin_bswap64(squares); }

static int lowest_king(const seebatch_position *position, int color)
{
    const uint64_t king = seebatch_pieces_of_type(position, SEEBATCH_KING) & seebatch_pieces_of_color(position, color);
    return king != 0 ? __builtin_ctzll(king) : SEEBATCH_NO_SQUARE;
}

static bool unpack_bullet(const char *bytes, seebatch_position *position, struct record *record, seebatch_error *error)
{
    const unsigned result = (unsigned char)bytes[26], king = (unsigned char)bytes[27],
                   other_king = (unsigned char)bytes[28];
    uint64_t unmoved;
    if (!seebatch_io_unpack_board(bytes, SEEBATCH_KING, position, &unmoved, error) ||
        seebatch_position_check(position, error) != SEEBATCH_OK)
        return false;
    if (result > RESULT_WHITE_WINS) {
        snprintf(error->text, sizeof error->text, "the result is %u, expected 0 (loss), 1 (draw) or 2 (win)", result);
        return false;
    }
    if (king != (unsigned)lowest_king(position, SEEBATCH_WHITE) ||
        (other_king ^ 56) != (unsigned)lowest_king(position, SEEBATCH_BLACK)) {
        snprintf(error->text, sizeof error->text,
                 "the squares of the kings are %u and %u, but the pieces say %d and %d (from its own side)", king,
                 other_king, lowest_king(position, SEEBATCH_WHITE), lowest_king(position, SEEBATCH_BLACK) ^ 56);
        return false;
    }
    record->score = get_signed_16(bytes + 24);
    record->result = (uint8_t)result;
    const bool extra = (bytes[29] | bytes[30] | bytes[31]) != 0 || seebatch_io_board_has_unused_bits(bytes);
    record->has |= (uint16_t)(FIELD_SCORE | FIELD_RESULT | (extra ? FIELD_UNUSED_BITS : 0));
    return true;
}

static bool read_bullet(struct cursor *cursor, struct batch *batch)
{
    return seebatch_io_read_sized_records(cursor, batch, unpack_bullet, seebatch_io_fast_packed(false));
}

static bool write_bullet(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    char bytes[PACKED_SIZE] = {0};
    const bool flip = position->stm == SEEBATCH_BLACK;
    seebatch_position seen = *position;
    (void)target, (void)cells;
    if (flip) {
        for (int i = 0; i < 3; i++)
            seen.plane[i] = flipped(position->plane[i]);
        seen.white = flipped(seebatch_pieces_of_color(position, SEEBATCH_BLACK));
    }
    const int32_t score = flip ? (int32_t)(0 - (uint32_t)record->score) : record->score;
    if (!seebatch_io_score_fits(score, why))
        return false;
    if (!seebatch_io_pack_board(bytes, &seen, 0)) {
        *why = "the board has more than 32 pieces, expected no more";
        return false;
    }
    put_16(bytes + 24, (unsigned)score);
    bytes[26] = (char)(flip ? RESULT_WHITE_WINS - record->result : record->result);
    bytes[27] = (char)lowest_king(&seen, SEEBATCH_WHITE);
    bytes[28] = (char)(lowest_king(&seen, SEEBATCH_BLACK) ^ 56);
    bytes_add(&block->out, bytes, sizeof bytes);
    return true;
}

static struct score_place bulletformat_score(struct block *block, const struct record *record)
{
    (void)block;
    return (struct score_place){record->bytes + 24, 2, "", ""};
}

const struct file_format FORMAT(bullet) = {
    .name = "bulletformat",
    .extensions = {".bulletformat", ".bullet"},
    .what = "32 bytes: board as the side to move sees it, score, result",
    .details = "Records of 32 bytes: a board as the side to move sees it, score and result. They are read as "
               "positions with White to move. They contain no castling rights, en passant square, clock and "
               "move number.",
    .fields = FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_SCORE | FIELD_RESULT,
    .mover = true,
    .lacks = FIELD_SIDE | FIELD_CASTLING | FIELD_EN_PASSANT | FIELD_CLOCK | FIELD_NUMBER,
    .binary = true,
    .record_size = PACKED_SIZE,
    .whole = whole_packed,
    .read = read_bullet,
    .write = write_bullet,
    .place_score = bulletformat_score,
};
