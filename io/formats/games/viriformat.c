/*
 * Viriformat: games of which only the first position is stored, and each further one by the move that leads to it.
 *
 * A game is a record of marlinformat with its start and its result; then four bytes a move, the move and the score of
 * the position before it; then four zero bytes. Reading plays the moves, each of which must be legal, and gives the
 * positions before them. Writing goes on with a game as long as a record is what the last one's move leads to, and
 * begins a new game otherwise; so any records can be written, and those in the order of their games take little room.
 * docs/formats.md has the bytes.
 */
#include "formats/fixed/marlinformat.h"
#include "formats/fast_moves.h"

enum { PAIR = 4 };

/* A move below this is a plain one, and no promotion. */
enum { SPECIAL = 1 << 12 };

/* Kinds of moves, in bits 14 and 15. */
enum { NORMAL, EN_PASSANT, CASTLING, PROMOTION };
static const char *const kind_name[4] = {"a plain move", "en passant", "castling", "a promotion"};

/* The game that is read or written. */
struct game {
    bool open;
    bool begun;  /* a record of it was read */
    bool unused; /* bits of its head are not 0 that mean nothing; its first record says so */
    uint8_t result;
    seebatch_position position; /* after the moves so far */
};

/* The length of the game that begins here; 0 if its end is not there. While a thread looks for that, the others wait to
 * read, so it takes two pairs at a time. */
static size_t game_length(const char *bytes, size_t length)
{
    const uint64_t ones = UINT64_C(0x0000000100000001), tops = UINT64_C(0x8000000080000000);
    static const char end[PAIR] = {0};
    size_t at = PACKED_SIZE;
    for (uint64_t two; at + sizeof two <= length; at += sizeof two) {
        memcpy(&two, bytes + at, sizeof two);
        if (((two - ones) & ~two & tops) != 0) /* one of them is 0 */
            break;
    }
    for (; at + PAIR <= length; at += PAIR)
        if (memcmp(bytes + at, end, PAIR) == 0)
            return at + PAIR;
    return 0;
}

static size_t whole_games(const char *bytes, size_t length)
{
    size_t whole = 0, game;
    while ((game = game_length(bytes + whole, length - whole)) > 0)
        whole += game;
    return whole;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static int kind_of_move(const seebatch_position *position, int from, int to)
{
    const int type = seebatch_type_on(position, from);
    const bool taken = seebatch_occupied(position) >> to & 1;
    if (type == SEEBATCH_PAWN && (to < 8 || to >= 56))
        return PROMOTION;
    if (type == SEEBATCH_PAWN && (from & 7) != (to & 7) && !taken)
        return EN_PASSANT;
    if (type == SEEBATCH_KING &&
        ((taken && seebatch_color_on(position, to) == position->stm) || from - to == 2 || to - from == 2))
        return CASTLING;
    return NORMAL;
}

/* The en passant square stays only where an enemy pawn stands beside the pawn that has passed it. */
static void trim_en_passant(seebatch_position *position)
{
    if (position->ep_square == SEEBATCH_NO_SQUARE)
        return;
    const int pawn = position->stm == SEEBATCH_WHITE ? position->ep_square - 8 : position->ep_square + 8;
    const uint64_t beside =
        ((pawn & 7) > 0 ? UINT64_C(1) << (pawn - 1) : 0) | ((pawn & 7) < 7 ? UINT64_C(1) << (pawn + 1) : 0);
    if (!(beside & seebatch_pieces_of_type(position, SEEBATCH_PAWN) &
          seebatch_pieces_of_color(position, position->stm)))
        position->ep_square = SEEBATCH_NO_SQUARE;
}

static void play(seebatch_position *position, seebatch_move move)
{
    if (!seebatch_io_play_fast(position, seebatch_from(move), seebatch_to(move)))
        seebatch_play(position, move);
    trim_en_passant(position);
}

/* A move as it stands in the file; false, and error filled, if it is none of the position. */
static bool unpack_move(unsigned word, const seebatch_position *position, seebatch_move *move, seebatch_error *error)
{
    const int from = word & 63, to = word >> 6 & 63, kind = word >> 14 & 3;
    char uci[6];
    size_t length =
        seebatch_move_to_uci(seebatch_make_move(from, to, kind == PROMOTION ? (int)(word >> 12 & 3) + 1 : 0), uci);
    if (from == to || kind != kind_of_move(position, from, to) || (kind != PROMOTION && (word >> 12 & 3) != 0) ||
        (kind == CASTLING && !(seebatch_occupied(position) >> to & 1))) {
        snprintf(error->text, sizeof error->text,
                 "the move 0x%04x (%s) is written as %s, but is a move of another kind here, expected the kind that it "
                 "is (castling is written as king takes rook)",
                 word, uci, kind_name[kind]);
        return false;
    }
    return seebatch_move_from_uci(position, uci, length, move, error) == SEEBATCH_OK;
}

static unsigned pack_move(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), kind = kind_of_move(position, from, seebatch_to(move));
    int to = seebatch_to(move);
    if (kind == CASTLING)
        to = position->castling_rook[position->stm][to > from ? 0 : 1];
    return (unsigned)from | (unsigned)to << 6 | (kind == PROMOTION ? (unsigned)seebatch_promotion(move) - 1 : 0) << 12 |
           (unsigned)kind << 14;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Skips the rest of a bad game, from some byte up to its end. */
static void skip_game(struct cursor *cursor, struct game *game, const char *from)
{
    const char *first = cursor->at;
    while (cursor->end - cursor->at >= PAIR && (cursor->at[0] | cursor->at[1] | cursor->at[2] | cursor->at[3]) != 0)
        cursor->at += PAIR;
    const uint64_t records = (uint64_t)(cursor->at - first) / PAIR;
    cursor->at += cursor->end - cursor->at >= PAIR ? PAIR : cursor->end - cursor->at;
    seebatch_io_skip_damage(cursor->block, (uint64_t)(cursor->at - from), records);
    game->open = false;
    if (cursor->strict)
        cursor->at = cursor->end;
}

static void begin_game(struct cursor *cursor, struct game *game, struct record *record)
{
    const size_t left = (size_t)(cursor->end - cursor->at);
    seebatch_error error;
    if (left < PACKED_SIZE) {
        seebatch_io_begin_record(cursor, record, cursor->at, left);
        seebatch_io_report_error(cursor->block, record,
                                 "the game has %zu byte%s, expected %d of its head: the file may have been cut off",
                                 left, plural(left), PACKED_SIZE);
        seebatch_io_skip_damage(cursor->block, left, 0);
        cursor->at = cursor->end;
        return;
    }
    struct record head = {.bytes = cursor->at};
    cursor->at += PACKED_SIZE;
    if (!seebatch_io_unpack_marlin(head.bytes, &game->position, &head, &error)) {
        seebatch_io_begin_record(cursor, record, head.bytes, PACKED_SIZE);
        seebatch_io_report_error(cursor->block, record, "%s; the game was skipped", error.text);
        skip_game(cursor, game, head.bytes);
        return;
    }
    game->open = true;
    game->begun = false;
    game->result = head.result;
    game->unused = head.has & FIELD_UNUSED_BITS;
}

/* Reads the next record of the game; returns false at its end, and if it is bad. */
static bool read_pair(struct cursor *cursor, struct game *game, struct record *record, seebatch_position *position)
{
    const size_t left = (size_t)(cursor->end - cursor->at);
    seebatch_error error = {""};
    if (left >= PAIR && (cursor->at[0] | cursor->at[1] | cursor->at[2] | cursor->at[3]) == 0) {
        cursor->at += PAIR;
        game->open = false;
        return false;
    }
    seebatch_io_begin_record(cursor, record, cursor->at, left < PAIR ? left : PAIR);
    if (left < PAIR) {
        seebatch_io_report_error(cursor->block, record,
                                 "the game has no end, expected 4 zero bytes: the file may have been cut off");
        seebatch_io_skip_damage(cursor->block, left, 0);
        cursor->at = cursor->end;
        game->open = false;
        return false;
    }
    const int word = (int)get_16(record->bytes);
    *position = game->position;
    if (word < SPECIAL && seebatch_io_play_fast(&game->position, word & 63, word >> 6)) {
        trim_en_passant(&game->position);
        record->move = seebatch_make_move(word & 63, word >> 6, 0);
    } else if (unpack_move((unsigned)word, &game->position, &record->move, &error)) {
        play(&game->position, record->move);
    } else {
        seebatch_io_report_error(cursor->block, record, "%s; the rest of the game was skipped", error.text);
        skip_game(cursor, game, record->bytes);
        return false;
    }
    cursor->at += PAIR;
    record->score = get_signed_16(record->bytes + 2);
    record->result = game->result;
    record->has = (uint16_t)(FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | (game->unused ? FIELD_UNUSED_BITS : 0));
    game->unused = false;
    cursor->block->begun += !game->begun;
    game->begun = true;
    set_ply(cursor, record, position);
    return true;
}

static bool read_games(struct cursor *cursor, struct batch *batch)
{
    struct game *game = cursor->block->reader;
    batch->n = 0;
    while (batch->n < BATCH_SIZE && (game->open || cursor->at < cursor->end)) {
        struct record *record = &batch->records[batch->n];
        if (!game->open)
            begin_game(cursor, game, record);
        else if (read_pair(cursor, game, record, &batch->positions[batch->n]))
            batch->n++;
    }
    return batch->n > 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool same_position(const seebatch_position *a, const seebatch_position *b)
{
    return memcmp(a->plane, b->plane, sizeof a->plane) == 0 && a->white == b->white && a->stm == b->stm &&
           a->ep_square == b->ep_square && memcmp(a->castling_rook, b->castling_rook, sizeof a->castling_rook) == 0 &&
           a->halfmove_clock == b->halfmove_clock && a->fullmove_number == b->fullmove_number;
}

static void end_game(struct block *block)
{
    static const char end[PAIR] = {0};
    struct game *game = block->writer;
    if (game->open)
        bytes_add(&block->out, end, sizeof end);
    game->open = false;
    block->closed = block->out.used;
}

static bool write_game(struct block *block, const struct target *target, const struct record *record,
                       const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct game *game = block->writer;
    char head[PACKED_SIZE], pair[PAIR];
    (void)target, (void)cells;
    if (!seebatch_io_score_fits(record->score, why))
        return false;
    if (!game->open || game->result != record->result || !same_position(&game->position, position)) {
        const struct record start = {.result = record->result};
        if (!seebatch_io_pack_marlin(head, &start, position, why))
            return false;
        end_game(block);
        bytes_add(&block->out, head, sizeof head);
        *game = (struct game){true, false, false, record->result, *position};
    }
    put_16(pair, pack_move(position, record->move));
    put_16(pair + 2, (unsigned)record->score);
    bytes_add(&block->out, pair, sizeof pair);
    play(&game->position, record->move);
    return true;
}

const struct file_format FORMAT(viri) = {
    .name = "viriformat",
    .extensions = {".vf", ".viriformat", ".viri"},
    .what = "games, 4 bytes a move: a start, then moves with scores",
    .details = "Games, with move, score and result. A bad move ends its game, whose remaining moves are "
               "skipped.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT,
    .implies_ply = true,
    .binary = true,
    .chained = true,
    .reader_size = sizeof(struct game),
    .writer_size = sizeof(struct game),
    .whole = whole_games,
    .read = read_games,
    .write = write_game,
    .finish = end_game,
    .loses = seebatch_io_loses_ply,
    .unit = game_length,
};
