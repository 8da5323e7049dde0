/*
 * Records of 32 bytes: marlinformat and bulletformat. docs/formats.md has the bytes.
 *
 *   marlinformat   a position with score and result, both from White's point of view.
 *   bulletformat   a board as the side to move sees it, turned if that is Black, with score and result from its point
 *                  of view. It is read as a position with White to move; who was to move, castling, en passant and
 *                  clocks are not in it.
 */
#include "packed.h"

static size_t whole_records(const char *bytes, size_t length)
{
    (void)bytes;
    return length - length % PACKED_SIZE;
}

/* Reads records into a batch with a function that reads one. */
typedef bool unpack_function(const char *bytes, seebatch_position *position, struct record *record,
                             seebatch_error *error);
static bool read_records(struct cursor *cursor, struct batch *batch, unpack_function *unpack)
{
    seebatch_error error;
    batch->n = 0;
    while (batch->n < BATCH_SIZE && cursor->at < cursor->end) {
        struct record *record = &batch->records[batch->n];
        const size_t left = (size_t)(cursor->end - cursor->at);
        begin_record(cursor, record, cursor->at, left < PACKED_SIZE ? left : PACKED_SIZE);
        cursor->at += record->length;
        if (record->length < PACKED_SIZE) {
            complain(cursor->block, record, "it has %zu bytes, expected %d: the file may have been cut off",
                     record->length, PACKED_SIZE);
            pass_over(cursor->block, record->length, 0);
        } else if (!unpack(record->bytes, &batch->positions[batch->n], record, &error))
            complain(cursor->block, record, "%s", error.text);
        else {
            batch->n++;
            continue;
        }
        if (cursor->strict)
            cursor->at = cursor->end;
    }
    return batch->n > 0;
}

/* ---- Marlinformat ----------------------------------------------------------------------------------------------- */

static bool read_marlin(struct cursor *cursor, struct batch *batch)
{
    const bool any = read_records(cursor, batch, unpack_marlin);
    for (size_t i = 0; i < batch->n; i++)
        tell_ply(cursor, &batch->records[i], &batch->positions[i]);
    return any;
}

static bool write_marlin(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const struct cell *cells, const char **why)
{
    char bytes[PACKED_SIZE];
    (void)target, (void)cells;
    if (!score_fits(record->score, why) || !pack_marlin(bytes, record, position, why))
        return false;
    bytes_add(&block->out, bytes, sizeof bytes);
    return true;
}

const struct file_format marlin_format = {
    .name = "marlinformat",
    .endings = {".marlinformat", ".marlin"},
    .what = "records of 32 bytes: position, score, result",
    .fields = FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_SCORE | FIELD_RESULT,
    .implies_ply = true,
    .binary = true,
    .record_size = PACKED_SIZE,
    .whole = whole_records,
    .read = read_marlin,
    .write = write_marlin,
    .loses = loses_ply,
};

/* ---- Bulletformat ----------------------------------------------------------------------------------------------- */

static uint64_t turned(uint64_t squares) { return __builtin_bswap64(squares); }

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
    if (!unpack_board(bytes, SEEBATCH_KING, position, &unmoved, error) ||
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
    const bool extra = (bytes[29] | bytes[30] | bytes[31]) != 0 || board_has_unused_bits(bytes);
    record->has |= (uint16_t)(FIELD_SCORE | FIELD_RESULT | (extra ? FIELD_UNUSED_BITS : 0));
    return true;
}

static bool read_bullet(struct cursor *cursor, struct batch *batch)
{
    return read_records(cursor, batch, unpack_bullet);
}

static bool write_bullet(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const struct cell *cells, const char **why)
{
    char bytes[PACKED_SIZE] = {0};
    const bool turn = position->stm == SEEBATCH_BLACK;
    seebatch_position seen = *position;
    (void)target, (void)cells;
    if (turn) {
        for (int i = 0; i < 3; i++)
            seen.plane[i] = turned(position->plane[i]);
        seen.white = turned(seebatch_pieces_of_color(position, SEEBATCH_BLACK));
    }
    const int32_t score = turn ? (int32_t)(0 - (uint32_t)record->score) : record->score;
    if (!score_fits(score, why))
        return false;
    if (!pack_board(bytes, &seen, 0)) {
        *why = "the board has more than 32 pieces, expected no more";
        return false;
    }
    put_16(bytes + 24, (unsigned)score);
    bytes[26] = (char)(turn ? RESULT_WHITE_WINS - record->result : record->result);
    bytes[27] = (char)lowest_king(&seen, SEEBATCH_WHITE);
    bytes[28] = (char)(lowest_king(&seen, SEEBATCH_BLACK) ^ 56);
    bytes_add(&block->out, bytes, sizeof bytes);
    return true;
}

const struct file_format bullet_format = {
    .name = "bulletformat",
    .endings = {".bulletformat", ".bullet"},
    .what = "records of 32 bytes: board as the side to move sees it, score, result",
    .fields = FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_SCORE | FIELD_RESULT,
    .lacks = FIELD_SIDE | FIELD_CASTLING | FIELD_EN_PASSANT | FIELD_CLOCK | FIELD_NUMBER,
    .binary = true,
    .record_size = PACKED_SIZE,
    .whole = whole_records,
    .read = read_bullet,
    .write = write_bullet,
};
