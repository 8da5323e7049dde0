/*
 * Writing Stockfish's binpack.
 *
 * A record continues the chain before it if it is that game's next position: the last one's move leads to it, the ply
 * is one higher, the clock goes on, and the result is the same. Otherwise it begins a chain; and that begins a chunk,
 * if there is none yet in the block or the last one has reached a mebibyte. The output is whole at any time: the
 * lengths of the chunk and of the chain are written over as they grow, and the last byte is filled up with zeros.
 */
#include "binpack.h"

enum {
    CHUNK_GOAL = 1 << 20,
    MOST_MOVETEXT = 10000 /* bytes of a chain: Stockfish's own code has room for 10 KiB */
};

static void put_big_endian(unsigned char *bytes, unsigned value)
{
    bytes[0] = (unsigned char)(value >> 8);
    bytes[1] = (unsigned char)value;
}

static void put_little_endian(char *bytes, size_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (char)(value >> 8 * i & 255);
}

/* ---- Stems ------------------------------------------------------------------------------------------------------- */

/* The nibble of a piece, with what else is said there. */
static int nibble_on(const seebatch_position *position, int square)
{
    const int type = seebatch_type_on(position, square), color = seebatch_color_on(position, square);
    if (type == SEEBATCH_PAWN && position->ep_square != SEEBATCH_NO_SQUARE && square == (position->ep_square ^ 8))
        return BINPACK_EP_PAWN;
    if (type == SEEBATCH_ROOK &&
        (position->castling_rook[color][KINGSIDE] == square || position->castling_rook[color][QUEENSIDE] == square))
        return color == SEEBATCH_WHITE ? BINPACK_WHITE_CASTLES : BINPACK_BLACK_CASTLES;
    if (type == SEEBATCH_KING && color == SEEBATCH_BLACK && position->stm == SEEBATCH_BLACK)
        return BINPACK_BLACK_TO_MOVE;
    return 2 * type + color;
}

/* The side on which a king's move castles, written as two files or as king takes rook; -1 if it does not. */
static int side_of(const seebatch_position *position, seebatch_move move)
{
    const int king = seebatch_from(move);
    const int to = seebatch_to(move), rank = king & 56;
    for (int side = KINGSIDE; seebatch_type_on(position, king) == SEEBATCH_KING && side <= QUEENSIDE; side++) {
        const int rook = position->castling_rook[position->stm][side], target = rank + (side == KINGSIDE ? 6 : 2);
        if (rook != SEEBATCH_NO_SQUARE && (to == rook || ((king & 7) == 4 && to == target)))
            return side;
    }
    return -1;
}

static unsigned move_word(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), promotion = seebatch_promotion(move), side = side_of(position, move);
    int to = seebatch_to(move);
    unsigned type = BINPACK_NORMAL;
    if (promotion)
        type = BINPACK_PROMOTION;
    else if (side >= 0)
        type = BINPACK_CASTLING;
    else if (to == position->ep_square && seebatch_type_on(position, from) == SEEBATCH_PAWN)
        type = BINPACK_EN_PASSANT;
    if (side >= 0)
        to = position->castling_rook[position->stm][side];
    return type << 14 | (unsigned)from << 8 | (unsigned)to << 2 |
           (unsigned)(promotion ? promotion - SEEBATCH_KNIGHT : 0);
}

static void put_stem(struct bytes *out, const seebatch_position *position, const struct record *record, int score,
                     int result)
{
    unsigned char stem[BINPACK_STEM] = {0};
    uint64_t occupied = seebatch_occupied(position);
    for (int i = 0; i < 8; i++)
        stem[i] = (unsigned char)(occupied >> (56 - 8 * i));
    for (int i = 0; occupied; i++)
        stem[8 + i / 2] |= (unsigned char)(nibble_on(position, take_lowest(&occupied)) << i % 2 * 4);
    put_big_endian(stem + 24, record->has & FIELD_MOVE ? move_word(position, record->move) : 0);
    put_big_endian(stem + 26, binpack_zigzag(score));
    put_big_endian(stem + 28, (unsigned)binpack_zigzag(result) << 14 | (unsigned)record->ply);
    put_big_endian(stem + 30, position->halfmove_clock);
    bytes_add(out, (const char *)stem, sizeof stem);
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

/* Appends bits to the movetext, highest first; writer->free_bits of the last byte are free. */
static void put_bits(struct bytes *out, struct binpack_writer *writer, unsigned value, int width)
{
    while (width > 0) {
        if (writer->free_bits == 0) {
            bytes_add_char(out, 0);
            writer->free_bits = 8;
        }
        const int n = width < writer->free_bits ? width : writer->free_bits;
        const unsigned part = value >> (width - n) & ((1u << n) - 1);
        out->data[out->used - 1] = (char)((unsigned char)out->data[out->used - 1] | part << (writer->free_bits - n));
        width -= n;
        writer->free_bits -= n;
    }
}

/* How many squares of a set come before one of them. */
static int index_of(uint64_t set, int square) { return binpack_count(set & (square_bit(square) - 1)); }

static void put_ply(struct bytes *out, struct binpack_writer *writer, const seebatch_position *position,
                    seebatch_move move, int score)
{
    const uint64_t own = seebatch_pieces_of_color(position, position->stm);
    const int from = seebatch_from(move), side = side_of(position, move);
    const struct binpack_choices choices = binpack_choices_of(position, from);
    const int n_targets = binpack_count(choices.targets) * choices.each;
    int choice;
    if (side >= 0)
        choice = n_targets + (choices.n_castling == 2 && side == KINGSIDE);
    else if (choices.each > 1)
        choice = 4 * index_of(choices.targets, seebatch_to(move)) + seebatch_promotion(move) - SEEBATCH_KNIGHT;
    else
        choice = index_of(choices.targets, seebatch_to(move));
    writer->n++;
    put_big_endian((unsigned char *)out->data + writer->count, writer->n);
    put_bits(out, writer, (unsigned)index_of(own, from), binpack_width(binpack_count(own)));
    put_bits(out, writer, (unsigned)choice, binpack_width(n_targets + choices.n_castling));

    unsigned difference = binpack_zigzag((int16_t)(uint16_t)(unsigned)(score + writer->score));
    do {
        put_bits(out, writer, (difference > 15 ? 16u : 0u) | (difference & 15), 5);
        difference >>= 4;
    } while (difference > 0);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

static bool same_position(const seebatch_position *a, const seebatch_position *b)
{
    return a->plane[0] == b->plane[0] && a->plane[1] == b->plane[1] && a->plane[2] == b->plane[2] &&
           a->white == b->white && a->stm == b->stm && a->ep_square == b->ep_square &&
           a->halfmove_clock == b->halfmove_clock &&
           memcmp(a->castling_rook, b->castling_rook, sizeof a->castling_rook) == 0;
}

static void begin_chain(struct bytes *out, struct binpack_writer *writer, const seebatch_position *position,
                        const struct record *record, int score, int result)
{
    if (!writer->in_chunk || out->used - writer->chunk >= CHUNK_GOAL) {
        writer->in_chunk = true;
        writer->chunk = out->used;
        bytes_add(out, "BINP\0\0\0", BINPACK_CHUNK);
    }
    put_stem(out, position, record, score, result);
    writer->count = out->used - 2;
    writer->n = 0;
    writer->free_bits = 0;
}

/* Why a record has no place in a binpack, or NULL. */
static const char *why_not(const seebatch_position *position, int64_t score)
{
    if (!binpack_castles_as_usual(position))
        return "the position has a right to castle of Chess960, expected ordinary chess: binpack has no place for it";
    if (binpack_count(seebatch_occupied(position)) > BINPACK_MOST_PIECES)
        return "the position has more than 32 pieces, expected no more: binpack has no place for them";
    if (score < INT16_MIN || score > INT16_MAX)
        return "the score is not within -32768 to 32767 for the side to move, expected so: binpack has 16 bits for it";
    return NULL;
}

bool binpack_write_record(struct bytes *out, struct binpack_writer *writer, const struct record *record,
                          const seebatch_position *position, const char **why)
{
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1, result = sign * (record->result - RESULT_DRAW);
    seebatch_position kept = *position;
    const int64_t score = (int64_t)sign * record->score;
    *why = why_not(position, score);
    if (*why != NULL)
        return false;
    if (kept.ep_square != SEEBATCH_NO_SQUARE && !binpack_keeps_en_passant(&kept))
        kept.ep_square = SEEBATCH_NO_SQUARE;

    const bool has_ply = record->ply >= 0 && record->ply <= BINPACK_MOST_PLY;
    const bool room = writer->n < BINPACK_MOST_PLIES && (out->used - writer->count < MOST_MOVETEXT || !has_ply);
    const bool follows = writer->goes_on && room && result == -writer->result && record->ply == writer->ply + 1 &&
                         same_position(&kept, &writer->next);
    if (!follows && !has_ply) {
        *why = "the ply is above 16383, expected no more where a chain begins: binpack has 14 bits for it";
        return false;
    }
    if (!bytes_reserve(out, BINPACK_CHUNK + BINPACK_STEM + BINPACK_MOST_BITS / 8)) {
        *why = "there is no memory for it";
        return false;
    }
    if (follows)
        put_ply(out, writer, &kept, record->move, (int)score);
    else
        begin_chain(out, writer, &kept, record, (int)score, result);
    put_little_endian(out->data + writer->chunk + 4, out->used - writer->chunk - BINPACK_CHUNK);
    writer->goes_on = record->has & FIELD_MOVE;
    if (writer->goes_on)
        binpack_play(&kept, record->move);
    writer->next = kept;
    writer->ply = record->ply;
    writer->score = (int)score;
    writer->result = result;
    return true;
}
