/*
 * Text: FEN, EPD, X-FEN, moves in UCI notation and in SAN.
 *
 * The first line of the input is a position, the others are moves in it. A position that is read has to be sound, to
 * hold what the oracle reads in the same text, and to be the same again when it was written and read; each of its legal
 * moves has to be found again by its names, and to lead to such a position. What is refused has to leave the result
 * alone and to say why in a sentence that can be printed. Each text lies in memory of its exact size, so that a read
 * beyond its end is seen.
 */
#include "fuzz.h"
#include "oracle.h"
#include "seebatch.h"

#include <ctype.h>
#include <string.h>

enum { MOST_MOVE_LINES = 8, MOST_PLAYED = 48 };

/* A text in memory of its own, without a NUL behind it. */
struct text {
    char *first;
    size_t length;
};

static struct text copy(const void *first, size_t length)
{
    struct text text = {malloc(length ? length : 1), length};
    REQUIRE(text.first != NULL, "no memory");
    memcpy(text.first, first, length);
    return text;
}

static void check_sentence(const seebatch_error *error)
{
    const size_t length = strnlen(error->text, sizeof error->text);
    REQUIRE(length > 0 && length < sizeof error->text, "the sentence has %zu characters", length);
    for (size_t i = 0; i < length; i++)
        REQUIRE(isprint((unsigned char)error->text[i]), "character %zu of the sentence is %d", i, error->text[i]);
    REQUIRE(error->text[length - 1] != '.', "'%s'", error->text);
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

static bool same_but_form(const seebatch_position *a, const seebatch_position *b)
{
    return memcmp(a->plane, b->plane, sizeof a->plane) == 0 && a->white == b->white && a->stm == b->stm &&
           a->ep_square == b->ep_square && memcmp(a->castling_rook, b->castling_rook, sizeof a->castling_rook) == 0 &&
           a->halfmove_clock == b->halfmove_clock && a->fullmove_number == b->fullmove_number;
}

/* Written and read, it is the same, and written again the same text. */
static void check_round_trip(const seebatch_position *position)
{
    char fen[SEEBATCH_FEN_SIZE], again[SEEBATCH_FEN_SIZE];
    seebatch_position read;
    seebatch_error error = {{0}};
    const size_t length = seebatch_position_to_fen(position, fen);
    REQUIRE(length < sizeof fen && strnlen(fen, sizeof fen) == length, "length %zu", length);
    const struct text text = copy(fen, length);
    REQUIRE(seebatch_position_from_fen(text.first, length, &read, &error) == SEEBATCH_OK, "'%s': %s", fen, error.text);
    free(text.first);
    REQUIRE(same_but_form(position, &read), "'%s'", fen);
    seebatch_position_to_fen(&read, again);
    REQUIRE(strcmp(fen, again) == 0, "'%s' and '%s'", fen, again);
}

/* The board is the one that the oracle reads. It wants single blanks behind the first fields. */
static void check_board(const seebatch_position *position, const struct text *text)
{
    static const char letters[2][8] = {"PNBRQK.", "pnbrqk."};
    struct oracle_board board;
    char fields[96] = "";
    size_t used = 0, blanks = 0;
    for (size_t i = 0; i < text->length && blanks < 2 && used < sizeof fields - 1; i++) {
        const bool blank = text->first[i] == ' ' || text->first[i] == '\t';
        if (blank && (used == 0 || fields[used - 1] == ' '))
            continue;
        blanks += blank;
        fields[used++] = blank ? ' ' : text->first[i];
    }
    REQUIRE(oracle_board_from_fen(&board, fields), "'%s'", fields);
    REQUIRE(board.black_to_move == (position->stm == SEEBATCH_BLACK), "'%s'", fields);
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(position, square), color = seebatch_color_on(position, square);
        REQUIRE(board.square[square] == letters[type == SEEBATCH_NO_PIECE ? 0 : color][type], "'%s', square %d", fields,
                square);
    }
}

static bool check_position(const struct text *text, seebatch_position *position)
{
    seebatch_position before;
    seebatch_error error = {{0}};
    memset(position, 0xa5, sizeof *position);
    before = *position;
    const seebatch_status status = seebatch_position_from_fen(text->first, text->length, position, &error);
    REQUIRE(seebatch_position_from_fen(text->first, text->length, &before, NULL) == status, "with and without error");
    if (status != SEEBATCH_OK) {
        REQUIRE(status == SEEBATCH_UNREADABLE || status == SEEBATCH_UNSOUND, "status %d", (int)status);
        check_sentence(&error);
        REQUIRE(memcmp(position, &before, sizeof before) == 0, "the position was touched");
        return false;
    }
    REQUIRE(error.text[0] == '\0', "the error was touched");
    REQUIRE(memchr(text->first, '\0', text->length) == NULL, "a text with a NUL was read");
    REQUIRE(seebatch_position_check(position, &error) == SEEBATCH_OK, "%s", error.text);
    check_board(position, text);
    check_round_trip(position);
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

typedef seebatch_status read_move(const seebatch_position *position, const char *text, size_t length,
                                  seebatch_move *move, seebatch_error *error);

static seebatch_status try_move(read_move *read, const seebatch_position *position, const struct text *text,
                                seebatch_move *move)
{
    const seebatch_move untouched = 0xffff;
    seebatch_error error = {{0}};
    *move = untouched;
    const seebatch_status status = read(position, text->first, text->length, move, &error);
    if (status != SEEBATCH_OK) {
        REQUIRE(status == SEEBATCH_UNREADABLE || status == SEEBATCH_ILLEGAL || status == SEEBATCH_AMBIGUOUS,
                "status %d", (int)status);
        REQUIRE(*move == untouched, "the move was touched");
        check_sentence(&error);
    }
    return status;
}

static bool is_among(seebatch_move move, const seebatch_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* A text that may be a move. */
static void check_move_text(const seebatch_position *position, const seebatch_move *moves, size_t n,
                            const struct text *text)
{
    seebatch_move uci, san, either;
    const bool is_uci = try_move(seebatch_move_from_uci, position, text, &uci) == SEEBATCH_OK;
    const bool is_san = try_move(seebatch_move_from_san, position, text, &san) == SEEBATCH_OK;
    const bool is_either = try_move(seebatch_move_from_text, position, text, &either) == SEEBATCH_OK;
    const char *shown = text->first;
    const int length = (int)text->length;
    REQUIRE(is_either == (is_uci || is_san), "'%.*s'", length, shown);
    REQUIRE(!is_uci || (is_among(uci, moves, n) && either == uci), "'%.*s'", length, shown);
    REQUIRE(!is_san || (is_among(san, moves, n) && either == san), "'%.*s'", length, shown);
    REQUIRE(!is_either || memchr(shown, '\0', text->length) == NULL, "a text with a NUL was read");
}

static void expect_read(read_move *read, const seebatch_position *position, const char *name, size_t length,
                        seebatch_move expected)
{
    seebatch_move move;
    struct text text = copy(name, length);
    REQUIRE(strlen(name) == length && try_move(read, position, &text, &move) == SEEBATCH_OK && move == expected, "'%s'",
            name);
    free(text.first);
}

/* A legal move is found by both of its names; played, it leads to a sound position. */
static void check_legal_move(const seebatch_position *position, seebatch_move move, bool play)
{
    char uci[6], san[SEEBATCH_SAN_SIZE];
    seebatch_error error = {{0}};
    const size_t n_uci = seebatch_move_to_uci(move, uci), n_san = seebatch_move_to_san(position, move, san);
    expect_read(seebatch_move_from_uci, position, uci, n_uci, move);
    expect_read(seebatch_move_from_san, position, san, n_san, move);
    expect_read(seebatch_move_from_text, position, san, n_san, move);
    if (!play)
        return;
    seebatch_position after = *position;
    seebatch_play(&after, move);
    REQUIRE(seebatch_position_check(&after, &error) == SEEBATCH_OK, "after %s: %s", uci, error.text);
    REQUIRE(seebatch_in_check(&after) == (strpbrk(san, "+#") != NULL), "'%s'", san);
    seebatch_move replies[SEEBATCH_MAX_MOVES];
    REQUIRE((strchr(san, '#') != NULL) == (seebatch_in_check(&after) && seebatch_legal_moves(&after, replies) == 0),
            "'%s'", san);
    check_round_trip(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    seebatch_position position;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const uint8_t *end = data + size, *line = size > 0 ? memchr(data, '\n', size) : NULL;
    struct text text = copy(data, line != NULL ? (size_t)(line - data) : size);
    const bool good = check_position(&text, &position);
    free(text.first);
    if (!good)
        return 0;

    const size_t n = seebatch_legal_moves(&position, moves);
    REQUIRE(n <= SEEBATCH_MAX_MOVES, "%zu moves", n);
    const size_t step = n / MOST_PLAYED + 1;
    for (size_t i = 0; i < n; i++)
        check_legal_move(&position, moves[i], i % step == 0);
    for (int i = 0; i < MOST_MOVE_LINES && line != NULL; i++) {
        const uint8_t *first = line + 1;
        line = first < end ? memchr(first, '\n', (size_t)(end - first)) : NULL;
        text = copy(first, (size_t)((line != NULL ? line : end) - first));
        check_move_text(&position, moves, n, &text);
        free(text.first);
    }
    return 0;
}
