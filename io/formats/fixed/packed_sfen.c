/*
 * Packed sfen: records of 40 bytes, as Stockfish's tools wrote them before binpacks (files with the extension .bin). Read
 * only; docs/formats.md has the bytes.
 *
 * The position takes 256 bits, the lowest of each byte first: who is to move, the squares of the kings, then for every
 * other square, from a8 to h8 and down to h1, a code: 0 for none, four bits for a kind of piece, and one for its colour.
 */
#include "packed_board.h"

enum { RECORD = 40, BITS = 256, SCORE = 32, MOVE = 34, PLY = 36, RESULT = 38 };

struct bits {
    const char *bytes;
    unsigned at;
};

/* Reads the next bits, the lowest one first, and zeros after the end. */
static unsigned take(struct bits *bits, int n)
{
    unsigned number = 0;
    for (int i = 0; i < n; i++, bits->at++)
        if (bits->at < BITS)
            number |= ((unsigned)(unsigned char)bits->bytes[bits->at / 8] >> bits->at % 8 & 1) << i;
    return number;
}

static bool unpack_pieces(struct bits *bits, seebatch_position *position, seebatch_error *error)
{
    const int white = (int)take(bits, 6), black = (int)take(bits, 6);
    if (white == black)
        return seebatch_io_fail_with(error, "both kings stand on the same square, expected one of each side");
    seebatch_put_piece(position, white, SEEBATCH_KING, SEEBATCH_WHITE);
    seebatch_put_piece(position, black, SEEBATCH_KING, SEEBATCH_BLACK);
    for (int i = 0; i < 64; i++) {
        const int square = i ^ 56;
        if (square == white || square == black || take(bits, 1) == 0)
            continue;
        const unsigned low = take(bits, 2), high = take(bits, 1);
        if (high == 1 && low != 0)
            return seebatch_io_fail_with(error, "a piece has the code %u, expected at most 9", 1 + 2 * low + 8 * high);
        seebatch_put_piece(position, square, high == 1 ? SEEBATCH_QUEEN : (int)low, (int)take(bits, 1));
    }
    return true;
}

static bool unpack_position(const char *bytes, seebatch_position *position, seebatch_error *error)
{
    struct bits bits = {bytes, 0};
    *position = seebatch_position_empty((int)take(&bits, 1));
    if (!unpack_pieces(&bits, position, error))
        return false;
    for (int i = 0; i < 4; i++)
        if (take(&bits, 1))
            position->castling_rook[i / 2][i % 2] = (uint8_t)(56 * (i / 2) + (i % 2 == 0 ? 7 : 0));
    if (take(&bits, 1))
        position->ep_square = (uint8_t)take(&bits, 6);
    position->halfmove_clock = (uint16_t)take(&bits, 6);
    position->fullmove_number = (uint16_t)take(&bits, 16);
    position->halfmove_clock = (uint16_t)(position->halfmove_clock | take(&bits, 1) << 6);
    if (bits.at > BITS)
        return seebatch_io_fail_with(error, "the position takes more than 256 bits, expected no more");
    return seebatch_position_check(position, error) == SEEBATCH_OK;
}

/* To, from, promotion (knight to queen), and whether it is one. Castling is king takes rook. */
static bool unpack_move(unsigned word, const seebatch_position *position, seebatch_move *move, seebatch_error *error)
{
    enum { PROMOTES = 1 };
    const int promotion = word >> 14 == PROMOTES ? (int)(word >> 12 & 3) + SEEBATCH_KNIGHT : 0;
    char uci[6];
    const size_t length =
        seebatch_move_to_uci(seebatch_make_move((int)(word >> 6 & 63), (int)(word & 63), promotion), uci);
    return seebatch_move_from_uci(position, uci, length, move, error) == SEEBATCH_OK;
}

static bool unpack_sfen(const char *bytes, seebatch_position *position, struct record *record, seebatch_error *error)
{
    const unsigned word = get_16(bytes + MOVE);
    const int result = (signed char)bytes[RESULT];
    if (!unpack_position(bytes, position, error) || (word != 0 && !unpack_move(word, position, &record->move, error)))
        return false;
    if (result < -1 || result > 1)
        return seebatch_io_fail_with(error, "the result is %d, expected -1 (loss), 0 (draw) or 1 (win)", result);
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1;
    record->score = sign * get_signed_16(bytes + SCORE);
    record->result = (uint8_t)(RESULT_DRAW + sign * result);
    record->ply = (int32_t)get_16(bytes + PLY);
    record->has = (uint16_t)(FIELD_SCORE | FIELD_RESULT | FIELD_PLY | (word != 0 ? FIELD_MOVE : 0));
    return true;
}

static bool read_sfens(struct cursor *cursor, struct batch *batch)
{
    return seebatch_io_read_sized_records(cursor, batch, unpack_sfen, NULL);
}

static size_t whole_sfens(const char *bytes, size_t length)
{
    (void)bytes;
    return length - length % RECORD;
}

const struct file_format FORMAT(packed_sfen) = {
    .name = "packed-sfen",
    .extensions = {".packed-sfen"},
    .what = "40 bytes: Stockfish's .bin before binpacks; read only",
    .details = "Records of 40 bytes, as Stockfish's tools wrote them before binpacks, in files with the extension "
               ".bin; this format is only read. A record has position, score, move, ply and result. A move of "
               "0 means that there is none. The last byte is ignored.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_MOVE,
    .mover = true,
    .marks_none = true,
    .binary = true,
    .record_size = RECORD,
    .whole = whole_sfens,
    .read = read_sfens,
};
