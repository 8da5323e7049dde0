/*
 * Reading Stockfish's binpack; binpack.h says what it is and how it lies in a file.
 *
 * A block is whole chunks, because nothing tells where a chain ends but reading it. Positions are handed out a batch at
 * a time: where reading stands, mostly in the middle of a chain, is kept in block->reader. A position within a chain is
 * got by playing the move before it; so every move must be legal, and nothing is handed out behind one that is not.
 * Where something is wrong in a chain, the next one cannot be found, and the rest of the chunk is passed over. The
 * length of a chunk leads to the next chunk; where there is none, the file ends.
 */
#include <stdarg.h>

#include "../../src/quote.h"
#include "binpack.h"

struct reader {
    const unsigned char *begin, *end; /* of the chunk's chains, as far as they are there; NULL between chunks */
    size_t claimed;                   /* bytes that they should have */
    bool passed_over;                 /* the rest of the chunk was, and a complaint says so */
    /* The chain: */
    unsigned left;              /* positions of it that are still to come */
    const unsigned char *text;  /* its movetext, */
    uint64_t bit;               /* and where in it the next position begins */
    seebatch_position position; /* after the last move */
    int score, result, ply;     /* of the last position, from its side's point of view */
};

static unsigned big_endian(const unsigned char *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

static size_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* The length of the chunk that begins here; 0 if none does. */
static size_t chunk_length(const char *bytes, size_t length)
{
    if (length < BINPACK_CHUNK || memcmp(bytes, "BINP", 4) != 0 || little_endian(bytes + 4) > BINPACK_LONGEST)
        return 0;
    return BINPACK_CHUNK + little_endian(bytes + 4);
}

static size_t whole_chunks(const char *bytes, size_t length)
{
    size_t whole = 0;
    while (length - whole >= BINPACK_CHUNK) {
        size_t chunk = chunk_length(bytes + whole, length - whole);
        if (chunk == 0) /* what it is instead is told where it is read */
            return length;
        if (chunk > length - whole)
            break;
        whole += chunk;
    }
    return whole;
}

/* Goes on to the next chunk; false at the end, or where there is none. */
static bool begin_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *at = cursor->at;
    const size_t length = (size_t)(cursor->end - at), magic = length < 4 ? length : 4;
    if (length == 0)
        return false;
    if (memcmp(at, "BINP", magic) != 0) {
        give_up(cursor, at, "here '%s' stands, expected 'BINP', the beginning of a chunk", see_quote(at, magic).text);
        return false;
    }
    if (length < BINPACK_CHUNK) {
        give_up(cursor, at, "the file ends in the first %d bytes of a chunk: it may have been cut off", BINPACK_CHUNK);
        return false;
    }
    reader->claimed = little_endian(at + 4);
    if (reader->claimed > BINPACK_LONGEST) {
        give_up(cursor, at, "a chunk of %zu bytes begins here, expected at most %d", reader->claimed, BINPACK_LONGEST);
        return false;
    }
    const size_t there = length - BINPACK_CHUNK;
    cursor->at += BINPACK_CHUNK;
    reader->begin = (const unsigned char *)cursor->at;
    reader->end = reader->begin + (there < reader->claimed ? there : reader->claimed);
    reader->passed_over = false;
    return true;
}

/* Whether there is less of the chunk than it claims: then it is the last of the file. */
static bool is_cut_off(const struct reader *reader) { return (size_t)(reader->end - reader->begin) < reader->claimed; }

/* The end of a chunk, which leaves too little for another chain. Returns whether to go on. */
static bool end_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *end = (const char *)reader->end;
    const size_t left = (size_t)(end - cursor->at);
    size_t others = 0;
    for (size_t i = 0; i < left; i++)
        others += cursor->at[i] != 0;
    if (is_cut_off(reader)) {
        give_up(cursor, end, "the file ends after %td of the %zu bytes of a chunk: it may have been cut off",
                reader->end - reader->begin, reader->claimed);
        reader->end = NULL;
        return false;
    }
    if (others > 0 && !reader->passed_over) {
        struct record record;
        begin_record(cursor, &record, cursor->at, left);
        complain(cursor->block, &record, "the last %zu byte%s of the chunk %s too few for a chain of at least %d", left,
                 left == 1 ? "" : "s", left == 1 ? "is" : "are", BINPACK_STEM);
        if (cursor->strict)
            end = cursor->end;
    }
    cursor->at = end;
    reader->end = NULL;
    return true;
}

/* ---- Stems ------------------------------------------------------------------------------------------------------- */

static bool fail(seebatch_error *error, const char *format, ...) PRINTF_LIKE(2, 3);
static bool fail(seebatch_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool take_castling_rook(seebatch_position *position, int color, int square, seebatch_error *error)
{
    const int home = color == SEEBATCH_WHITE ? 0 : 56;
    if (square != home && square != home + 7)
        return fail(error, "a %s rook with a right to castle stands on %c%c, expected it in its corner",
                    color == SEEBATCH_WHITE ? "white" : "black", 'a' + square % 8, '1' + square / 8);
    position->castling_rook[color][square == home ? SEE_QUEENSIDE : SEE_KINGSIDE] = (uint8_t)square;
    return true;
}

static bool take_en_passant_pawn(seebatch_position *position, int square, seebatch_error *error)
{
    if (square / 8 != 3 && square / 8 != 4)
        return fail(error, "the pawn to be captured en passant stands on %c%c, expected rank 4 or 5", 'a' + square % 8,
                    '1' + square / 8);
    if (position->ep_square != SEEBATCH_NO_SQUARE)
        return fail(error, "two pawns can be captured en passant, expected one at most");
    position->ep_square = (uint8_t)(square ^ 8);
    return true;
}

/* Puts a piece on the board, and notes what else its nibble says. */
static bool take_piece(seebatch_position *position, int square, int nibble, seebatch_error *error)
{
    int type = nibble / 2, color = nibble % 2;
    if (nibble == BINPACK_EP_PAWN) {
        type = SEEBATCH_PAWN;
        color = square / 8 == 3 ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    } else if (nibble == BINPACK_WHITE_CASTLES || nibble == BINPACK_BLACK_CASTLES) {
        type = SEEBATCH_ROOK;
        color = nibble == BINPACK_WHITE_CASTLES ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    } else if (nibble == BINPACK_BLACK_TO_MOVE) {
        type = SEEBATCH_KING;
        color = position->stm = SEEBATCH_BLACK;
    }
    seebatch_put_piece(position, square, type, color);
    if (nibble == BINPACK_EP_PAWN)
        return take_en_passant_pawn(position, square, error);
    if (nibble == BINPACK_WHITE_CASTLES || nibble == BINPACK_BLACK_CASTLES)
        return take_castling_rook(position, color, square, error);
    return true;
}

static bool take_position(const unsigned char *stem, seebatch_position *position, seebatch_error *error)
{
    uint64_t occupied = 0;
    for (int i = 0; i < 8; i++)
        occupied = occupied << 8 | stem[i];
    const int n = binpack_count(occupied);
    *position = seebatch_position_empty(SEEBATCH_WHITE);
    if (n > BINPACK_MOST_PIECES)
        return fail(error, "the position has %d pieces, expected at most %d", n, BINPACK_MOST_PIECES);
    for (int i = 0; i < n; i++)
        if (!take_piece(position, take_lowest(&occupied), stem[8 + i / 2] >> i % 2 * 4 & 15, error))
            return false;
    position->halfmove_clock = (uint16_t)big_endian(stem + 30);
    if (seebatch_position_check(position, error) != SEEBATCH_OK)
        return false;
    return binpack_castles_as_usual(position) ||
           fail(error, "there is a right to castle, but the king is not on e1 or e8, expected ordinary chess");
}

static bool is_legal(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    if (seebatch_plainly_legal(position, move))
        return true;
    if (from == king_square(position, position->stm) && king_attacks(from) & square_bit(to)) {
        const uint64_t after = seebatch_occupied(position) & ~square_bit(from);
        return !seebatch_promotion(move) && !(seebatch_pieces_of_color(position, position->stm) & square_bit(to)) &&
               !attackers_of_color(position, to, !position->stm, after | square_bit(to));
    }
    const size_t n = seebatch_legal_moves(position, moves); /* en passant, castling */
    for (size_t i = 0; i < n; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* The type of a legal move, as a stem has it. */
static unsigned type_of(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(position, from);
    if (seebatch_promotion(move))
        return BINPACK_PROMOTION;
    if (type == SEEBATCH_KING && (from - to == 2 || to - from == 2))
        return BINPACK_CASTLING;
    return type == SEEBATCH_PAWN && to == position->ep_square ? BINPACK_EN_PASSANT : BINPACK_NORMAL;
}

/* The move of a stem: bits 14-15 type, 8-13 from, 2-7 to, 0-1 what a pawn becomes. All 0: there is none. */
static bool take_move(unsigned word, const seebatch_position *position, struct record *record, seebatch_error *error)
{
    const unsigned type = word >> 14;
    const int from = word >> 8 & 63, promotion = type == BINPACK_PROMOTION ? SEEBATCH_KNIGHT + (int)(word & 3) : 0;
    int to = word >> 2 & 63;
    char text[6];
    if (word == 0)
        return true;
    if (type == BINPACK_CASTLING && from / 8 == to / 8) /* the king goes to its rook */
        to = castled_king_square(position->stm, to > from ? SEE_KINGSIDE : SEE_QUEENSIDE);
    record->move = seebatch_make_move(from, to, promotion);
    if (!is_legal(position, record->move) || type_of(position, record->move) != type) {
        static const char *const names[] = {"", " with a promotion", " as castling", " en passant"};
        char fen[SEEBATCH_FEN_SIZE];
        seebatch_move_to_uci(record->move, text);
        seebatch_position_to_fen(position, fen);
        return fail(error, "the move %s%s is not legal in '%s'", text, names[type], fen);
    }
    record->has |= FIELD_MOVE;
    return true;
}

static void set_move_number(seebatch_position *position, int ply)
{
    position->fullmove_number = (uint16_t)(ply / 2 + 1 < UINT16_MAX ? ply / 2 + 1 : UINT16_MAX);
}

/* Labels of the record, from those of its side. */
static void set_labels(const struct reader *reader, const seebatch_position *position, struct record *record)
{
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1;
    record->score = sign * reader->score;
    record->result = (uint8_t)(RESULT_DRAW + sign * reader->result);
    record->ply = reader->ply;
    record->has |= FIELD_SCORE | FIELD_RESULT | FIELD_PLY;
}

static bool read_stem(struct reader *reader, const unsigned char *stem, struct record *record,
                      seebatch_position *position, seebatch_error *error)
{
    const unsigned ply_and_result = big_endian(stem + 28);
    reader->left = big_endian(stem + 32);
    reader->text = stem + BINPACK_STEM;
    reader->bit = 0;
    reader->score = binpack_unzigzag(big_endian(stem + 26));
    reader->result = binpack_unzigzag(ply_and_result >> 14);
    reader->ply = (int)(ply_and_result & BINPACK_MOST_PLY);
    if (!take_position(stem, position, error) || !take_move(big_endian(stem + 24), position, record, error))
        return false;
    if (ply_and_result >> 14 == 3)
        return fail(error, "the result is coded as 3, expected 0 (a draw), 1 (lost) or 2 (won)");
    if (reader->left > 0 && !(record->has & FIELD_MOVE))
        return fail(error, "there is no move, but %u positions that follow it", reader->left);
    set_move_number(position, reader->ply);
    set_labels(reader, position, record);
    return true;
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

/* Up to 57 bits of the movetext, the next one highest; zeros behind the end. */
struct window {
    uint64_t bits;
    int used;
};

static inline struct window look(const struct reader *reader)
{
    const unsigned char *at = reader->text + reader->bit / 8;
    const size_t there = (size_t)(reader->end - at);
    uint64_t bits = 0;
    if (there >= 8) {
        for (int i = 0; i < 8; i++)
            bits = bits << 8 | at[i];
    } else {
        for (size_t i = 0; i < there; i++)
            bits |= (uint64_t)at[i] << (56 - 8 * i);
    }
    return (struct window){bits << reader->bit % 8, 0};
}

static inline int take(struct window *window, int width)
{
    const int value = (int)(window->bits >> 1 >> (63 - width));
    window->bits <<= width;
    window->used += width;
    return value;
}

static inline int nth_square(uint64_t set, int n)
{
    while (n-- > 0)
        set &= set - 1;
    return lowest_square(set);
}

/* The piece and where it goes. */
static bool take_ply_move(struct window *window, const seebatch_position *position, seebatch_move *move,
                          seebatch_error *error)
{
    const uint64_t own = seebatch_pieces_of_color(position, position->stm);
    const int n_pieces = binpack_count(own), piece = take(window, binpack_width(n_pieces));
    if (piece >= n_pieces)
        return fail(error, "the movetext says piece %d of %d", piece + 1, n_pieces);
    const int from = nth_square(own, piece);
    const struct binpack_choices choices = binpack_choices_of(position, from);
    const int n_targets = binpack_count(choices.targets) * choices.each, n = n_targets + choices.n_castling;
    const int choice = take(window, binpack_width(n));
    if (choice >= n)
        return fail(error, "the movetext says destination %d of %d for the piece on %c%c", choice + 1, n,
                    'a' + from % 8, '1' + from / 8);
    if (choice >= n_targets)
        *move = seebatch_make_move(from, choices.castling_to[choice - n_targets], 0);
    else if (choices.each > 1)
        *move = seebatch_make_move(from, nth_square(choices.targets, choice / 4), SEEBATCH_KNIGHT + choice % 4);
    else
        *move = seebatch_make_move(from, nth_square(choices.targets, choice), 0);
    return true;
}

/* How far the score is from the last one turned round: groups of five bits, the lowest first, of which the first says
 * whether another follows. */
static bool take_score(struct window *window, struct reader *reader, seebatch_error *error)
{
    unsigned value = 0;
    for (int shift = 0;; shift += 4) {
        const int group = take(window, 5);
        value |= (unsigned)(group & 15) << shift;
        if (!(group & 16))
            break;
        if (shift == 12)
            return fail(error, "the score goes on behind 16 bits");
    }
    const int score = binpack_unzigzag(value) - reader->score;
    reader->score = score > INT16_MAX ? score - 65536 : score < INT16_MIN ? score + 65536 : score;
    return true;
}

/* The next position of a chain. False, error->text empty, if the bytes end before it does. */
static bool next_ply(struct reader *reader, struct record *record, seebatch_position *position, seebatch_error *error)
{
    struct window window = look(reader);
    error->text[0] = '\0';
    *position = reader->position;
    const bool well = take_ply_move(&window, position, &record->move, error) && take_score(&window, reader, error);
    reader->bit += (uint64_t)window.used;
    if (reader->bit > 8 * (uint64_t)(reader->end - reader->text)) {
        error->text[0] = '\0';
        return false;
    }
    if (!well)
        return false;
    if (!is_legal(position, record->move)) {
        char text[6], fen[SEEBATCH_FEN_SIZE];
        seebatch_move_to_uci(record->move, text);
        seebatch_position_to_fen(position, fen);
        return fail(error, "the move %s is not legal in '%s'", text, fen);
    }
    record->length = (size_t)(reader->text + (reader->bit + 7) / 8 - (const unsigned char *)record->bytes);
    record->has |= FIELD_MOVE;
    reader->ply++;
    reader->result = -reader->result;
    reader->left--;
    set_move_number(position, reader->ply);
    set_labels(reader, position, record);
    return true;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* Something is wrong, and the end of the chain is not known. */
static void pass_over(struct cursor *cursor, struct reader *reader, const struct record *record, const char *why)
{
    const char *end = (const char *)reader->end;
    complain(cursor->block, record,
             "%s; so the end of its chain cannot be found, and the rest of the chunk, %td bytes, is passed over", why,
             end - record->bytes);
    reader->left = 0;
    reader->passed_over = true;
    cursor->at = end;
}

/* Reads a stem; false, and complained of, if it is wrong. */
static bool read_first(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    const unsigned char *stem = (const unsigned char *)cursor->at;
    seebatch_error error;
    begin_record(cursor, record, cursor->at, BINPACK_STEM);
    cursor->at += BINPACK_STEM;
    if (read_stem(reader, stem, record, position, &error))
        return true;
    if (reader->left == 0)
        complain(cursor->block, record, "%s", error.text);
    else
        pass_over(cursor, reader, record, error.text);
    return false;
}

/* Reads the next position of a chain; false, and complained of, if there is something wrong with it. */
static bool read_next(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    const char *first = (const char *)reader->text + reader->bit / 8;
    const uint32_t within = (uint32_t)(reader->bit % 8);
    const bool last = reader->left == 1;
    seebatch_error error;
    if (first >= (const char *)reader->end && is_cut_off(reader)) { /* the end of the chunk says so */
        reader->left = 0;
        cursor->at = (const char *)reader->end;
        return false;
    }
    begin_record(cursor, record, first, 0);
    record->within = within;
    if (next_ply(reader, record, position, &error)) {
        if (last)
            cursor->at = (const char *)reader->text + (reader->bit + 7) / 8;
        return true;
    }
    if (error.text[0] == '\0' && is_cut_off(reader)) {
        cursor->line--;
        reader->left = 0;
        cursor->at = (const char *)reader->end;
        return false;
    }
    if (error.text[0] == '\0')
        snprintf(error.text, sizeof error.text, "the chunk ends, but its last chain has %u more position%s",
                 reader->left, last ? "" : "s");
    pass_over(cursor, reader, record, error.text);
    return false;
}

static bool read_binpack(struct cursor *cursor, struct batch *batch)
{
    struct reader *reader = cursor->block->reader;
    batch->n = 0;
    while (batch->n < BATCH_SIZE) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        const uint64_t bad = cursor->block->bad;
        bool well = false;
        if (reader->end == NULL) {
            if (!begin_chunk(cursor, reader))
                break;
        } else if (reader->left > 0) {
            well = read_next(cursor, reader, record, position);
        } else if ((const char *)reader->end - cursor->at >= BINPACK_STEM) {
            well = read_first(cursor, reader, record, position);
        } else if (!end_chunk(cursor, reader)) {
            break;
        }
        if (well) {
            batch->n++;
            if (reader->left > 0) {
                reader->position = *position;
                binpack_play(&reader->position, record->move);
            }
        } else if (cursor->block->bad > bad && cursor->strict) {
            cursor->at = cursor->end;
            reader->end = NULL;
        }
    }
    return batch->n > 0;
}

/* ---- The format -------------------------------------------------------------------------------------------------- */

static bool write_binpack(struct block *block, const struct target *target, const struct record *record,
                          const seebatch_position *position, const struct cell *cells, const char **why)
{
    (void)target, (void)cells;
    return binpack_write_record(&block->out, block->writer, record, position, why);
}

/* The number of the move is what the ply says, and an en passant square one where a pawn may capture. */
static unsigned binpack_loses(const struct record *record, const seebatch_position *position)
{
    unsigned lost = 0;
    if (record->has & FIELD_PLY && position->fullmove_number != record->ply / 2 + 1)
        lost |= FIELD_NUMBER;
    if (position->ep_square != SEEBATCH_NO_SQUARE && !binpack_keeps_en_passant(position))
        lost |= FIELD_EN_PASSANT;
    return lost;
}

const struct file_format binpack_format = {
    .name = "binpack",
    .endings = {".binpack"},
    .what = "chains of positions with move, score, result and ply, as Stockfish writes them",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .needed = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .binary = true,
    .chained = true,
    .longest = BINPACK_CHUNK + BINPACK_LONGEST,
    .reader_size = sizeof(struct reader),
    .writer_size = sizeof(struct binpack_writer),
    .whole = whole_chunks,
    .read = read_binpack,
    .write = write_binpack,
    .loses = binpack_loses,
    .unit = chunk_length,
};
