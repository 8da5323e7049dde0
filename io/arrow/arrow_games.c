/*
 * Computes columns from games: each text of the column is a game in PGN, which formats/games/pgn_game.c reads, as
 * data sets of games hold them. The tags and the result may be missing. A game becomes a row for each move, or a
 * list. It is read to its end before its first row is appended, because a broken game has no rows. arrow_columns.c
 * calls it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arrow_column.h"
#include "arrow_tree.h"
#include "formats/games/pgn.h"
#include "files/output.h"

enum { GAME, FEN, MOVE, SCORE, RESULT, PLY, CHILDREN };

static const struct {
    const char *name, *format;
    bool nullable;
} children[CHILDREN] = {{"game", "I", false}, {"fen", "u", false},   {"move", "u", false},
                        {"score", "i", true}, {"result", "f", true}, {"ply", "i", false}};

struct arrow_games {
    struct pgn_game game; /* the last one read */
    struct bytes plies;
    struct bytes cells[CHILDREN]; /* 4 bytes a row: a number, or where a text begins */
    struct bytes text[CHILDREN];
    struct bytes has;          /* a byte a row: whether there are HAS_... */
    size_t n, scores, results; /* rows, and those with a score and a result */
    struct bytes lists;        /* of each game its first row, int32 */
    struct bytes valid;        /* and a byte, whether it was good */
    size_t games, good;
};

enum { HAS_SCORE = 1, HAS_RESULT = 2 };

struct arrow_games *seebatch_io_arrow_games_new(void) { return calloc(1, sizeof(struct arrow_games)); }

void seebatch_io_arrow_games_free(struct arrow_games *games)
{
    if (games == NULL)
        return;
    free(games->plies.data);
    for (int i = 0; i < CHILDREN; i++) {
        free(games->cells[i].data);
        free(games->text[i].data);
    }
    free(games->has.data);
    free(games->lists.data);
    free(games->valid.data);
    free(games);
}

/* ---- Rows appended ----------------------------------------------------------------------------------------------- */

static void add_int32(struct bytes *bytes, int32_t number) { bytes_add(bytes, (const char *)&number, sizeof number); }

static void add_begin(struct arrow_games *games, int child)
{
    add_int32(&games->cells[child], (int32_t)games->text[child].used);
}

static void add_fen(struct arrow_games *games, const seebatch_position *position)
{
    add_begin(games, FEN);
    if (bytes_reserve(&games->text[FEN], SEEBATCH_FEN_SIZE))
        games->text[FEN].used += seebatch_position_to_fen(position, games->text[FEN].data + games->text[FEN].used);
}

static void add_ply(struct arrow_games *games, const seebatch_position *position, const struct pgn_ply *ply)
{
    const float result = games->game.has_result ? (float)games->game.result / 2 : 0;
    const bool has_score = ply->score.kind != PGN_NO_SCORE;
    add_int32(&games->cells[GAME], (int32_t)games->games);
    add_begin(games, MOVE);
    if (bytes_reserve(&games->text[MOVE], 6))
        games->text[MOVE].used += seebatch_move_to_uci(ply->move, games->text[MOVE].data + games->text[MOVE].used);
    add_int32(&games->cells[SCORE], has_score ? ply->score.value : 0);
    bytes_add(&games->cells[RESULT], (const char *)&result, sizeof result);
    add_int32(&games->cells[PLY], seebatch_io_ply_of_number(position));
    bytes_add_char(&games->has, (char)((has_score ? HAS_SCORE : 0) | (games->game.has_result ? HAS_RESULT : 0)));
    games->scores += has_score;
    games->results += games->game.has_result;
}

/* The rows of the game that was read. */
static void add_game(seebatch_arrow_column *column)
{
    struct arrow_games *games = column->games;
    seebatch_position position;
    struct pgn_ply ply;
    for (size_t i = 0; i < games->game.n; i++) {
        if (i < PGN_KEPT)
            position = games->game.kept[i];
        else
            seebatch_play(&position, ply.move);
        memcpy(&ply, games->plies.data + i * sizeof ply, sizeof ply);
        add_fen(games, &position);
        if (column->what == SEEBATCH_ARROW_GAMES)
            add_ply(games, &position, &ply);
    }
    games->n += games->game.n;
}

static bool has_wrong_score(const struct arrow_games *games, struct pgn_text *text, seebatch_error *error)
{
    struct pgn_ply ply;
    for (size_t i = 0; i < games->game.n; i++) {
        memcpy(&ply, games->plies.data + i * sizeof ply, sizeof ply);
        if (ply.score.kind != PGN_SCORE_WRONG)
            continue;
        text->at = text->block + ply.score.at;
        snprintf(error->text, sizeof error->text,
                 "the score '%.*s' in the comment cannot be read, expected one such as +0.57/17 or [%%eval 0.25]",
                 ply.score.length < 40 ? ply.score.length : 40, text->at);
        return true;
    }
    return false;
}

/* Reads a game; false if it is wrong, with the sentence, which names the place. */
static bool read_game(seebatch_arrow_column *column, const seebatch_text *start, const seebatch_text *game,
                      seebatch_error *error)
{
    struct arrow_games *games = column->games;
    const char *end = game->at + game->length;
    struct pgn_text text = {game->at, game->at, end, end, 0};
    seebatch_position position;
    seebatch_error why = {""};
    if (start != NULL && start->at != NULL &&
        (column->boards ? seebatch_arrow_board(*start, &position, error)
                        : seebatch_position_from_fen(start->at, start->length, &position, error)) != SEEBATCH_OK)
        return false;
    const struct pgn_cell cell = {start != NULL && start->at != NULL ? &position : NULL};
    if (seebatch_io_pgn_read_game(&text, &cell, &games->game, &games->plies, &why) != PGN_BROKEN &&
        !has_wrong_score(games, &text, &why))
        return true;
    snprintf(error->text, sizeof error->text, "character %zu: %.220s", (size_t)(text.at - text.block) + 1, why.text);
    return false;
}

static bool failed(const struct arrow_games *games)
{
    bool failed = games->plies.failed || games->has.failed || games->lists.failed || games->valid.failed;
    for (int i = 0; i < CHILDREN; i++)
        failed |= games->cells[i].failed || games->text[i].failed;
    return failed;
}

seebatch_io_status seebatch_io_arrow_games_add(seebatch_arrow_column *column, const seebatch_text *starts,
                                               const seebatch_text *texts, size_t n, seebatch_io_error *error)
{
    struct arrow_games *games = column->games;
    for (size_t i = 0; i < n; i++) {
        seebatch_error why = {""};
        const bool good = texts[i].at != NULL && read_game(column, starts ? &starts[i] : NULL, &texts[i], &why);
        if (!good && texts[i].at != NULL)
            seebatch_io_arrow_fault(column, games->games, why.text);
        add_int32(&games->lists, (int32_t)games->n);
        bytes_add_char(&games->valid, (char)good);
        if (good)
            add_game(column);
        games->good += good;
        games->games++;
        if (failed(games)) {
            seebatch_io_no_memory(error);
            return SEEBATCH_IO_NO_MEMORY;
        }
        if (games->text[FEN].used > INT32_MAX || games->games > INT32_MAX) {
            seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0,
                             "the FENs of the column have more than 2147483647 characters, which is all that an "
                             "Arrow column can hold: divide the games into several columns");
            return SEEBATCH_IO_FAILED;
        }
    }
    return SEEBATCH_IO_OK;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static bool child_array(struct arrow_games *games, int child, struct ArrowArray *array)
{
    const size_t some = child == SCORE ? games->scores : child == RESULT ? games->results : games->n;
    const bool text = *children[child].format == 'u';
    void *bits = NULL;
    if (some < games->n) {
        bits =
            seebatch_io_arrow_bits((const uint8_t *)games->has.data, games->n, child == SCORE ? HAS_SCORE : HAS_RESULT);
        if (bits == NULL)
            return false;
    }
    if (text)
        add_begin(games, child);
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(&games->cells[child]),
                                              text ? seebatch_io_arrow_take(&games->text[child]) : NULL};
    return seebatch_io_arrow_array(array, games->n, games->n - some, memory, text ? 3 : 2, 0) && memory[1] != NULL &&
           (!text || memory[2] != NULL);
}

static bool rows_array(struct arrow_games *games, struct ArrowSchema *schema, struct ArrowArray *array)
{
    void *const none[MOST_ARROW_BUFFERS] = {NULL};
    bool good = seebatch_io_arrow_schema(schema, "+s", "games", false, CHILDREN) &&
                seebatch_io_arrow_array(array, games->n, 0, none, 1, CHILDREN);
    for (int i = 0; i < CHILDREN && good; i++)
        good = seebatch_io_arrow_schema(schema->children[i], children[i].format, children[i].name, children[i].nullable,
                                        0) &&
               child_array(games, i, array->children[i]);
    return good;
}

static bool lists_array(struct arrow_games *games, struct ArrowSchema *schema, struct ArrowArray *array)
{
    void *bits = NULL;
    if (games->good < games->games) {
        bits = seebatch_io_arrow_bits((const uint8_t *)games->valid.data, games->games, 1);
        if (bits == NULL)
            return false;
    }
    add_int32(&games->lists, (int32_t)games->n);
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(&games->lists), NULL};
    return seebatch_io_arrow_array(array, games->games, games->games - games->good, memory, 2, 1) &&
           memory[1] != NULL && seebatch_io_arrow_schema(schema, "+l", "games", true, 1) &&
           seebatch_io_arrow_schema(schema->children[0], "u", "item", false, 0) &&
           child_array(games, FEN, array->children[0]);
}

bool seebatch_io_arrow_games_finish(seebatch_arrow_column *column, struct ArrowSchema *schema, struct ArrowArray *array)
{
    struct arrow_games *games = column->games;
    return !failed(games) && (column->what == SEEBATCH_ARROW_GAMES ? rows_array(games, schema, array)
                                                                   : lists_array(games, schema, array));
}
