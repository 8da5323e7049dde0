/*
 * Numbers and results of the usual form, read from text with almost no branches on their length, which no processor
 * can predict.
 *
 * Each only ever says yes. What it says no to may be good all the same; the functions of format.h read it with care.
 */
#ifndef SEEBATCH_IO_FAST_FIELDS_H
#define SEEBATCH_IO_FAST_FIELDS_H

#include "format.h"

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Reads eight characters as a number, of which the first is the lowest byte. */
static inline uint64_t fast_eight(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* An integer of at most eight digits, perhaps with a minus sign. From `begin` on all may be read, that far in front of
 * the text, too. */
static inline bool fast_number(const char *begin, struct cell cell, int32_t *number)
{
    const char *end = cell.text + cell.length;
    if (cell.length - 1 > 8 || end - begin < 8)
        return false;
    const bool minus = *cell.text == '-';
    const size_t digits = cell.length - minus;
    if (digits - 1 > 7)
        return false;
    const uint64_t x = (fast_eight(end - 8) ^ EACH_BYTE(0x30)) & ~UINT64_C(0) << 8 * (8 - digits);
    if ((((x & EACH_BYTE(0x7f)) + EACH_BYTE(0x76)) | x) & EACH_BYTE(0x80))
        return false;
    /* Digits, then pairs of them, then fours are put together. */
    const uint64_t pairs = x * 10 + (x >> 8), mask = UINT64_C(0x000000ff000000ff);
    const uint64_t value = digits <= 4 ? (pairs >> 32 & 0xff) * 100 + (pairs >> 48 & 0xff)
                                       : ((pairs & mask) * (100 + (UINT64_C(1000000) << 32)) +
                                          (pairs >> 16 & mask) * (1 + (UINT64_C(10000) << 32))) >>
                                             32;
    const int32_t sign = -(int32_t)minus;
    *number = ((int32_t)(uint32_t)value ^ sign) - sign;
    return true;
}

/* The same of JSON, which has no leading zeros. */
static inline bool fast_json_number(const char *begin, struct cell cell, int32_t *number)
{
    const char *digits = cell.text + (*cell.text == '-');
    return fast_number(begin, cell, number) && (*digits != '0' || digits + 1 == cell.text + cell.length);
}

/* Fields of a record, each with its cell; nothing where it has the field already. */
static inline bool fast_score(const struct source *source, struct record *record, struct cell cell, const char *begin)
{
    int64_t score;
    if (record->has & FIELD_SCORE)
        return true;
    if (source->columns.scale != 0 || !fast_number(begin, cell, &record->score)) {
        if (!seebatch_io_score_of_text(&source->columns, cell.text, cell.length, &score))
            return false;
        record->score = (int32_t)score;
    }
    record->has |= FIELD_SCORE;
    return true;
}

static inline bool fast_ply(struct record *record, struct cell cell, const char *begin)
{
    if (record->has & FIELD_PLY)
        return true;
    record->has |= FIELD_PLY;
    return fast_number(begin, cell, &record->ply) && record->ply >= 0;
}

/* Reads a result as the tool writes it, 1.0, 0.5 or 0.0, or in another of the known forms. */
static inline bool fast_result(struct record *record, struct cell cell)
{
    if (record->has & FIELD_RESULT)
        return true;
    record->has |= FIELD_RESULT;
    if (cell.length != 3 || cell.text[1] != '.')
        return seebatch_io_result_of_text(cell.text, cell.length, &record->result);
    const char whole = cell.text[0], half = cell.text[2];
    const bool white = whole == '1' && half == '0', draw = whole == '0' && half == '5';
    record->result = (uint8_t)(white ? RESULT_WHITE_WINS : draw ? RESULT_DRAW : RESULT_BLACK_WINS);
    return white | draw | (whole == '0' && half == '0');
}

static inline bool fast_move(struct record *record, const seebatch_position *position, struct cell cell)
{
    if (record->has & FIELD_MOVE)
        return true;
    record->has |= FIELD_MOVE;
    return seebatch_io_move_of_text(position, cell.text, cell.length, &record->move, NULL);
}

/* All four fields have a place each; those that are empty are not there. */
enum { PLACE_OF_MOVE, PLACE_OF_SCORE, PLACE_OF_RESULT, PLACE_OF_PLY };
static inline bool fast_fields(const struct source *source, struct record *record, const seebatch_position *position,
                               const struct cell fields[N_FIELDS], const char *begin)
{
    const struct cell move = fields[PLACE_OF_MOVE], score = fields[PLACE_OF_SCORE], result = fields[PLACE_OF_RESULT],
                      ply = fields[PLACE_OF_PLY];
    return (move.length == 0 || fast_move(record, position, move)) &&
           (score.length == 0 || fast_score(source, record, score, begin)) &&
           (result.length == 0 || fast_result(record, result)) && (ply.length == 0 || fast_ply(record, ply, begin));
}

#endif
