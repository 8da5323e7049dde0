/*
 * Reads montyformat: games with the visits of a search for every legal move, as the engine Monty makes them
 * to train a policy.
 *
 * A game is its first position and its result in 43 bytes, then for each move the move, the chance to win before it and
 * a byte of visits for each legal move, or none; and two zero bytes. Read only. The chance becomes the score, in
 * centipawns; it is in the columns as it stands, too, with the visits. docs/formats.md has the bytes.
 */
#include "formats/headings.h"
#include "formats/fixed/packed_board.h"
#include "support/exponential.h"

enum { HEAD = 43, PLY = 5, END = 2 };

/* Kinds of moves, in the low four bits; from KNIGHT_PROMOTION on in the order of pieces, 4 more for captures. */
enum { QUIET, DOUBLE_STEP, KINGSIDE, QUEENSIDE, CAPTURE, EN_PASSANT, KNIGHT_PROMOTION = 8 };

/* The game that is read. */
struct game {
    bool open;
    bool begun; /* a record of it was read */
    uint8_t result;
    seebatch_position position;
};

/* ---- Games as bytes ---------------------------------------------------------------------------------------------- */

/* The bytes of a ply, or of the end of the game; 0 if they are not all there. */
static size_t ply_length(const char *bytes, size_t length)
{
    if (length < END)
        return 0;
    if (get_16(bytes) == 0)
        return END;
    const size_t whole = length < PLY ? PLY : PLY + (size_t)(unsigned char)bytes[PLY - 1];
    return whole <= length ? whole : 0;
}

/* The length of the game that begins here; 0 if its end is not there. */
static size_t game_length(const char *bytes, size_t length)
{
    size_t ply;
    for (size_t at = HEAD; at < length && (ply = ply_length(bytes + at, length - at)) > 0; at += ply)
        if (ply == END)
            return at + END;
    return 0;
}

static size_t whole_games(const char *bytes, size_t length)
{
    size_t whole = 0, game;
    while ((game = game_length(bytes + whole, length - whole)) > 0)
        whole += game;
    return whole;
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* Finds the squares of all pieces; returns false if a square has no piece, and a colour, or three kinds at once. */
static bool unpack_pieces(const char *bytes, seebatch_position *position)
{
    const uint64_t black = get_64(bytes), rook_queen_king = get_64(bytes + 8), knight_bishop_king = get_64(bytes + 16),
                   pawn_bishop_queen = get_64(bytes + 24);
    const uint64_t occupied = rook_queen_king | knight_bishop_king | pawn_bishop_queen;
    const uint64_t knights = knight_bishop_king & ~(rook_queen_king | pawn_bishop_queen);
    const uint64_t pawns = pawn_bishop_queen & ~(rook_queen_king | knight_bishop_king);
    position->plane[0] = knights | (pawn_bishop_queen & (rook_queen_king | knight_bishop_king));
    position->plane[1] = rook_queen_king;
    position->plane[2] = pawns | knights | (rook_queen_king & knight_bishop_king);
    position->white = occupied & ~black;
    return (black & ~occupied) == 0 && (rook_queen_king & knight_bishop_king & pawn_bishop_queen) == 0;
}

static void unpack_castling(const char *bytes, seebatch_position *position)
{
    static const char usual[4] = {0, 7, 0, 7}, none[4] = {0};
    const unsigned rights = (unsigned char)bytes[0];
    const char *files = memcmp(bytes + 4, none, sizeof none) == 0 ? usual : bytes + 4;
    for (int i = 0; i < 4; i++) { /* White's queenside is bit 3 and the first file, then its kingside, then Black's */
        const int first_rank = 56 * (i / 2), rook = files[i] + first_rank;
        if (!(rights & 8u >> i))
            continue;
        position->castling_rook[i / 2][i % 2 == 0] = (uint8_t)rook;
        position->shredder |= files[i] != usual[i] || seebatch_type_on(position, first_rank + 4) != SEEBATCH_KING;
    }
}

static bool unpack_head(const char *bytes, struct game *game, seebatch_error *error)
{
    enum { SIDE = 32, PASSED = 33, RIGHTS = 34, CLOCK = 35, NUMBER = 36, FILES = 38, RESULT = 42 };
    seebatch_position *position = &game->position;
    const unsigned side = (unsigned char)bytes[SIDE], passed = (unsigned char)bytes[PASSED],
                   rights = (unsigned char)bytes[RIGHTS], result = (unsigned char)bytes[RESULT];
    if (side > 1 || passed > 63 || rights > 15 || result > RESULT_WHITE_WINS)
        return seebatch_io_fail_with(
            error,
            "side to move, en passant square, castling rights and result are %u, %u, %u and %u, expected "
            "at most 1, 63, 15 and 2",
            side, passed, rights, result);
    for (int i = 0; i < 4; i++)
        if ((unsigned char)bytes[FILES + i] > 7)
            return seebatch_io_fail_with(error, "a rook's file is %u, expected 0 to 7",
                                         (unsigned)(unsigned char)bytes[FILES + i]);
    *position = seebatch_position_empty((int)side);
    if (!unpack_pieces(bytes, position))
        return seebatch_io_fail_with(
            error, "a square has a colour and no piece, or more than one piece, expected one at most");
    unpack_castling(bytes + RIGHTS, position);
    position->ep_square = (uint8_t)(passed > 0 ? passed : SEEBATCH_NO_SQUARE);
    position->halfmove_clock = (unsigned char)bytes[CLOCK];
    position->fullmove_number = (uint16_t)get_16(bytes + NUMBER);
    game->result = (uint8_t)result;
    return seebatch_position_check(position, error) == SEEBATCH_OK;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* A legal move as it stands in the file: the from-square, the to-square (in castling, where the king goes), and the
 * kind. */
static unsigned word_of(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), type = seebatch_type_on(position, from), last_rank = 56 * position->stm;
    int to = seebatch_to(move), kind;
    const bool taken = seebatch_occupied(position) >> to & 1,
               own = taken && seebatch_color_on(position, to) == position->stm;
    if (type == SEEBATCH_KING && (own || to - from == 2 || from - to == 2)) {
        kind = to > from ? KINGSIDE : QUEENSIDE;
        to = last_rank + (kind == KINGSIDE ? 6 : 2);
    } else if (seebatch_promotion(move)) {
        kind = KNIGHT_PROMOTION + seebatch_promotion(move) - SEEBATCH_KNIGHT + (taken ? CAPTURE : 0);
    } else if (type == SEEBATCH_PAWN && (from & 7) != (to & 7) && !taken) {
        kind = EN_PASSANT;
    } else if (type == SEEBATCH_PAWN && (from ^ to) == 16) {
        kind = DOUBLE_STEP;
    } else {
        kind = taken ? CAPTURE : QUIET;
    }
    return (unsigned)from << 10 | (unsigned)to << 4 | (unsigned)kind;
}

static bool unpack_move(unsigned word, const seebatch_position *position, seebatch_move *move, seebatch_error *error)
{
    const unsigned kind = word & 15;
    int to = word >> 4 & 63;
    char uci[6];
    if (kind == KINGSIDE || kind == QUEENSIDE) { /* king takes rook, which every position reads */
        const int rook = position->castling_rook[position->stm][kind == QUEENSIDE];
        to = rook != SEEBATCH_NO_SQUARE ? rook : to;
    }
    const int promotion = kind >= KNIGHT_PROMOTION ? (int)(kind & 3) + SEEBATCH_KNIGHT : 0;
    const size_t length = seebatch_move_to_uci(seebatch_make_move((int)(word >> 10), to, promotion), uci);
    if (seebatch_move_from_uci(position, uci, length, move, error) != SEEBATCH_OK)
        return false;
    return word_of(position, *move) == word ||
           seebatch_io_fail_with(error, "the move %s is written as 0x%04x, expected 0x%04x here", uci, word,
                                 word_of(position, *move));
}

/* Legal moves in the order of their words, which is that of the visits. */
static int sorted_moves(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES])
{
    unsigned words[SEEBATCH_MAX_MOVES];
    const int n = (int)seebatch_legal_moves(position, moves);
    for (int i = 0; i < n; i++) {
        const seebatch_move move = moves[i];
        const unsigned word = word_of(position, move);
        int at = i;
        for (; at > 0 && words[at - 1] > word; at--) {
            words[at] = words[at - 1];
            moves[at] = moves[at - 1];
        }
        words[at] = word;
        moves[at] = move;
    }
    return n;
}

/* ---- Scores ------------------------------------------------------------------------------------------------------ */

/* The score of a chance to win of so many parts of 65,535, for the side that has it. */
static int32_t score_of(unsigned chance)
{
    enum { ALL = UINT16_MAX, CERTAIN = 32000 };
    const double scale = 400;
    if (chance == 0 || chance == ALL)
        return chance == 0 ? -CERTAIN : CERTAIN;
    const double score = scale * logarithm((double)chance / (ALL - chance));
    return (int32_t)(score < 0 ? score - 0.5 : score + 0.5);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Skips the rest of a bad game, from where the cursor is. The bytes count from some byte on. */
static void skip_game(struct cursor *cursor, struct game *game, const char *from)
{
    size_t ply = PLY;
    uint64_t records = 0;
    while (ply > END && (ply = ply_length(cursor->at, (size_t)(cursor->end - cursor->at))) > 0) {
        cursor->at += ply;
        records += ply > END;
    }
    cursor->at = ply == END ? cursor->at : cursor->end;
    seebatch_io_skip_damage(cursor->block, (uint64_t)(cursor->at - from), records);
    game->open = false;
    if (cursor->strict)
        cursor->at = cursor->end;
}

static void begin_game(struct cursor *cursor, struct game *game, struct record *record)
{
    const size_t left = (size_t)(cursor->end - cursor->at);
    const char *head = cursor->at;
    seebatch_error error;
    cursor->at += left < HEAD ? left : HEAD;
    game->open = left >= HEAD && unpack_head(head, game, &error);
    game->begun = false;
    if (game->open)
        return;
    seebatch_io_begin_record(cursor, record, head, (size_t)(cursor->at - head));
    if (left < HEAD)
        seebatch_io_report_error(cursor->block, record,
                                 "the game has %zu byte%s, expected %d of its head: the file may have been cut off",
                                 left, plural(left), HEAD);
    else
        seebatch_io_report_error(cursor->block, record, "%s; the game was skipped", error.text);
    skip_game(cursor, game, head);
}

/* Reads the move of a ply, and looks at how many visits there are. */
static bool unpack_ply(const char *bytes, const seebatch_position *position, seebatch_move *move, seebatch_error *error)
{
    const unsigned n = (unsigned char)bytes[PLY - 1];
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    if (!unpack_move(get_16(bytes), position, move, error))
        return false;
    const unsigned legal = n > 0 ? (unsigned)seebatch_legal_moves(position, moves) : 0;
    return n == legal ||
           seebatch_io_fail_with(error, "there are visits for %u move%s, expected %u, as many as are legal, or none", n,
                                 plural(n), legal);
}

/* Reads the next record of the game; returns false at its end, and if it is bad. */
static bool read_ply_of_game(struct cursor *cursor, struct game *game, struct record *record,
                             seebatch_position *position)
{
    const size_t left = (size_t)(cursor->end - cursor->at), length = ply_length(cursor->at, left);
    seebatch_error error = {""};
    if (length == END) {
        cursor->at += END;
        game->open = false;
        return false;
    }
    seebatch_io_begin_record(cursor, record, cursor->at, length > 0 ? length : left);
    if (length == 0) {
        seebatch_io_report_error(cursor->block, record,
                                 "the game has no end, expected 2 zero bytes: the file may have been cut off");
        skip_game(cursor, game, cursor->at);
        return false;
    }
    *position = game->position;
    if (!unpack_ply(record->bytes, position, &record->move, &error)) {
        seebatch_io_report_error(cursor->block, record, "%s; the rest of the game was skipped", error.text);
        skip_game(cursor, game, record->bytes);
        return false;
    }
    cursor->at += length;
    record->score = (position->stm == SEEBATCH_WHITE ? 1 : -1) * score_of(get_16(record->bytes + 2));
    record->result = game->result;
    record->has = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT;
    cursor->block->begun += !game->begun;
    game->begun = true;
    set_ply(cursor, record, position);
    seebatch_play(&game->position, record->move);
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
        else if (read_ply_of_game(cursor, game, record, &batch->positions[batch->n]))
            batch->n++;
    }
    return batch->n > 0;
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static const struct cell chance_name = {"chance", 6}, visits_name = {"visits", 6};

static void name_columns(struct source *source, const char *line, size_t length)
{
    static const struct cell none = {"", 0};
    (void)line, (void)length;
    seebatch_io_headings_add(&source->headings, none, 0);
    seebatch_io_headings_add(&source->headings, none, FIELD_MOVE);
    seebatch_io_headings_add(&source->headings, none, FIELD_SCORE);
    seebatch_io_headings_add(&source->headings, none, FIELD_RESULT);
    seebatch_io_headings_add(&source->headings, chance_name, FIELD_COLUMNS);
    seebatch_io_headings_add(&source->headings, visits_name, FIELD_COLUMNS);
}

/* "a2a3:7 a2a4:255": each legal move, with its visits. */
static void add_visits(struct bytes *text, const struct record *record, const seebatch_position *position)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const unsigned char *visits = (const unsigned char *)record->bytes + PLY;
    const int n = record->length > PLY ? sorted_moves(position, moves) : 0;
    char uci[6];
    for (int i = 0; i < n; i++) {
        if (i > 0)
            bytes_add_char(text, ' ');
        bytes_add(text, uci, seebatch_move_to_uci(moves[i], uci));
        bytes_add_char(text, ':');
        seebatch_io_bytes_add_int(text, visits[i]);
    }
}

static void add_column(struct bytes *text, const struct record *record, const seebatch_position *position,
                       struct cell name)
{
    if (name.text == chance_name.text)
        seebatch_io_bytes_add_int(text, (int64_t)get_16(record->bytes + 2));
    else
        add_visits(text, record, position);
}

static bool take_columns(struct block *block, const struct record *record, const seebatch_position *position,
                         const struct target *target, struct cell *row, struct cell *lost)
{
    enum { LONGEST = 16 * SEEBATCH_MAX_MOVES };
    (void)target, (void)lost; /* the headings tell what is lost */
    return seebatch_io_add_columns(block, record, position, row, LONGEST, add_column);
}

const struct file_format FORMAT(monty) = {
    .name = "montyformat",
    .extensions = {".monty", ".montyformat"},
    .what = "games with visits for each legal move; read only",
    .details = "Games with the visits of a search for each legal move; this format is only read. The "
               "probability of winning becomes the score. Tables and JSON lines have it in the column "
               "`chance`, and the visits in `visits`.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_COLUMNS,
    .implies_ply = true,
    .binary = true,
    .chained = true,
    .mover = true,
    .reader_size = sizeof(struct game),
    .read_first = name_columns,
    .take_columns = take_columns,
    .whole = whole_games,
    .read = read_games,
    .unit = game_length,
};
