/*
 * Computes columns from columns: seebatch_arrow_column_new() and the functions beside it. FENs and moves are read chunk
 * by chunk into positions and queries, in memory that is used again for each chunk and stays in the cache; then one
 * call of the library evaluates the chunk, and arrow_rows.c appends the results.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arrow_column.h"
#include "files/output.h"

/* The number of FENs that are read at a time; those of one thread stay in the cache. */
enum { FEW = 512, MANY = 1 << 14, USUAL_CAPTURES = 6 };

seebatch_arrow_column *seebatch_arrow_column_new(seebatch_arrow_what what, const seebatch_rules *rules, bool boards)
{
    seebatch_arrow_column *column = calloc(1, sizeof *column);
    if (column != NULL) {
        column->what = what;
        column->rules = *rules;
        column->boards = boards;
    }
    if (column != NULL && (what == SEEBATCH_ARROW_GAMES || what == SEEBATCH_ARROW_GAME_FENS)) {
        column->games = seebatch_io_arrow_games_new();
        if (column->games == NULL) {
            free(column);
            return NULL;
        }
    }
    return column;
}

static void free_chunk(seebatch_arrow_column *column)
{
    free(column->positions);
    free(column->row);
    free(column->offsets);
    free(column->good);
    free(column->texts);
    free(column->moves);
    free(column->sorted);
    free(column->worth);
    free(column->statuses);
    free(column->maps);
    free(column->item_offsets);
    free(column->item_texts);
    free(column->item_statuses);
    column->item_offsets = NULL, column->item_texts = NULL, column->item_statuses = NULL;
    column->positions = NULL, column->row = column->offsets = column->good = NULL, column->texts = NULL;
    column->moves = column->sorted = NULL, column->worth = NULL, column->statuses = NULL, column->maps = NULL;
    column->capacity = column->n_moves = 0;
}

void seebatch_arrow_column_free(seebatch_arrow_column *column)
{
    if (column == NULL)
        return;
    free_chunk(column);
    seebatch_io_arrow_games_free(column->games);
    free(column->valid.data);
    free(column->lists.data);
    free(column->ends.data);
    free(column->text.data);
    free(column->values.data);
    free(column->item_valid.data);
    for (int i = 0; i < ARROW_NUMBERS; i++)
        free(column->numbers[i].data);
    free(column);
}

/* Room for the moves of a chunk. */
static bool reserve_moves(seebatch_arrow_column *column, size_t n)
{
    free(column->moves);
    free(column->sorted);
    free(column->worth);
    column->moves = malloc(n * sizeof *column->moves);
    column->sorted = malloc(n * sizeof *column->sorted);
    column->worth = malloc(n * sizeof *column->worth);
    column->n_moves = n;
    if (column->what == SEEBATCH_ARROW_VALUES) {
        free(column->item_texts);
        free(column->item_statuses);
        column->item_texts = malloc(n * sizeof *column->item_texts);
        column->item_statuses = malloc(n);
        if (!column->item_texts || !column->item_statuses)
            return false;
    }
    return column->moves && column->sorted && column->worth;
}

static bool needs_maps(seebatch_arrow_what what)
{
    return what == SEEBATCH_ARROW_HANGING || what == SEEBATCH_ARROW_MAP || what == SEEBATCH_ARROW_ANNOTATION;
}

static bool reserve_chunk(seebatch_arrow_column *column, size_t n)
{
    if (n <= column->capacity)
        return true;
    free_chunk(column);
    column->positions = malloc(n * sizeof *column->positions);
    column->row = malloc(n * sizeof *column->row);
    column->offsets = malloc((n + 1) * sizeof *column->offsets);
    column->good = malloc(n * sizeof *column->good);
    column->texts = malloc(n * sizeof *column->texts);
    column->statuses = malloc(n);
    if (needs_maps(column->what))
        column->maps = malloc(n * sizeof *column->maps);
    column->item_offsets = malloc((n + 1) * sizeof *column->item_offsets);
    column->capacity = n;
    return column->item_offsets && column->positions && column->row && column->offsets && column->good &&
           column->texts && column->statuses && (column->maps || !needs_maps(column->what)) &&
           reserve_moves(column, n * USUAL_CAPTURES);
}

/* ---- From texts to positions and moves --------------------------------------------------------------------------- */

void seebatch_io_arrow_fault(seebatch_arrow_column *column, size_t row, const char *text)
{
    if (column->faults < SEEBATCH_ARROW_FAULTS) {
        column->fault_row[column->faults] = row;
        snprintf(column->fault[column->faults], sizeof *column->fault, "%s", text);
    }
    column->faults++;
}

/* A FEN or a board is wrong. */
static void note_position(seebatch_arrow_column *column, size_t i, seebatch_text text)
{
    seebatch_error error = {""};
    seebatch_position position;
    if (column->faults < SEEBATCH_ARROW_FAULTS && column->boards)
        seebatch_arrow_board(text, &position, &error);
    else if (column->faults < SEEBATCH_ARROW_FAULTS)
        seebatch_position_from_fen(text.at, text.length, &position, &error);
    seebatch_io_arrow_fault(column, column->rows + i, error.text);
}

/* Reads FENs or boards; returns how many can be evaluated, which stand together. */
static size_t take_positions(seebatch_arrow_column *column, const seebatch_text *fens, size_t n, seebatch_job *job)
{
    seebatch_faults faults;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        column->texts[i] = fens[i].at ? fens[i] : (seebatch_text){"", 0};
    if (!column->boards)
        seebatch_batch_from_fens(column->texts, n, column->positions, column->statuses, &faults, job);
    for (size_t i = 0; i < n && column->boards; i++)
        column->statuses[i] = (uint8_t)seebatch_arrow_board(column->texts[i], &column->positions[i], NULL);
    for (size_t i = 0; i < n; i++) {
        if (column->statuses[i] == SEEBATCH_OK) {
            if (kept < i)
                column->positions[kept] = column->positions[i];
            column->row[kept++] = i;
        } else if (fens[i].at != NULL) {
            note_position(column, i, fens[i]);
        }
    }
    return kept;
}

/* A move of position k is wrong. */
static void note_move(seebatch_arrow_column *column, size_t k, seebatch_text text)
{
    seebatch_error error = {""};
    seebatch_move move;
    if (column->faults < SEEBATCH_ARROW_FAULTS)
        seebatch_move_from_text(&column->positions[k], text.at, text.length, &move, &error);
    seebatch_io_arrow_fault(column, column->rows + column->row[k], error.text);
}

/* Reads the moves of the n positions that are left; returns how many have one. */
static size_t take_moves(seebatch_arrow_column *column, const seebatch_text *moves, size_t n, seebatch_job *job)
{
    seebatch_faults faults;
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const seebatch_text text = moves[column->row[k]];
        column->texts[k] = text.at ? text : (seebatch_text){"", 0};
    }
    seebatch_batch_moves_from_text(column->positions, n, NULL, column->texts, SEEBATCH_ANY_NOTATION, column->moves,
                                   column->statuses, &faults, job);
    for (size_t k = 0; k < n; k++) {
        const seebatch_text text = moves[column->row[k]];
        if (column->statuses[k] == SEEBATCH_OK) {
            column->positions[kept] = column->positions[k];
            column->moves[kept] = column->moves[k];
            column->row[kept++] = column->row[k];
        } else if (text.at != NULL) {
            note_move(column, k, text);
        }
    }
    for (size_t k = 0; k <= kept; k++)
        column->offsets[k] = k;
    return kept;
}

/* The same of lists of moves: those that are wrong are null, and those left stand together in column->moves. False if
 * there is no memory. */
static bool take_lists(seebatch_arrow_column *column, const seebatch_text *moves, const size_t *offsets, size_t n,
                       seebatch_job *job)
{
    seebatch_faults faults;
    size_t all = 0, kept = 0;
    for (size_t k = 0; k < n; k++)
        all += offsets[column->row[k] + 1] - offsets[column->row[k]];
    if (all > column->n_moves && !reserve_moves(column, all))
        return false;
    column->item_offsets[0] = column->offsets[0] = 0;
    for (size_t k = 0, end = 0; k < n; k++) {
        for (size_t i = offsets[column->row[k]]; i < offsets[column->row[k] + 1]; i++)
            column->item_texts[end++] = moves[i].at ? moves[i] : (seebatch_text){"", 0};
        column->item_offsets[k + 1] = end;
    }
    seebatch_batch_moves_from_text(column->positions, n, column->item_offsets, column->item_texts,
                                   SEEBATCH_ANY_NOTATION, column->moves, column->item_statuses, &faults, job);
    for (size_t k = 0; k < n; k++) {
        const seebatch_text *texts = moves + offsets[column->row[k]];
        const size_t first = column->item_offsets[k];
        for (size_t i = first; i < column->item_offsets[k + 1]; i++) {
            if (column->item_statuses[i] == SEEBATCH_OK)
                column->moves[kept++] = column->moves[i];
            else if (texts[i - first].at != NULL)
                note_move(column, k, texts[i - first]);
        }
        column->offsets[k + 1] = kept;
    }
    return true;
}

/* Fills in the legal captures of n positions, or all their moves. */
static bool find_moves(seebatch_arrow_column *column, size_t n, seebatch_job *job)
{
    while ((column->what == SEEBATCH_ARROW_MOVES ? seebatch_batch_legal_moves : seebatch_batch_legal_captures)(
               column->positions, n, column->offsets, column->moves, column->n_moves, job) == SEEBATCH_NO_ROOM) {
        if (!reserve_moves(column, column->offsets[n]))
            return false;
    }
    return true;
}

/* Evaluates the n positions that are left. False if there is no memory. */
static bool evaluate(seebatch_arrow_column *column, size_t n, seebatch_job *job)
{
    if (needs_maps(column->what))
        seebatch_batch_maps(&column->rules, column->positions, n, column->maps, job);
    if (column->what == SEEBATCH_ARROW_HANGING || column->what == SEEBATCH_ARROW_MAP)
        return true;
    if (column->what != SEEBATCH_ARROW_VALUE && column->what != SEEBATCH_ARROW_VALUES && !find_moves(column, n, job))
        return false;
    const seebatch_batch batch = {
        .positions = column->positions, .n_positions = n, .offsets = column->offsets, .moves = column->moves};
    if (column->what == SEEBATCH_ARROW_CAPTURES || column->what == SEEBATCH_ARROW_MOVES)
        seebatch_batch_order(&column->rules, &batch, 0, column->sorted, column->worth, column->good, job);
    else
        seebatch_batch_values(&column->rules, &batch, column->worth, job);
    return true;
}

seebatch_io_status seebatch_arrow_column_add(seebatch_arrow_column *column, const seebatch_text *fens,
                                             const seebatch_text *moves, const size_t *offsets, size_t n,
                                             seebatch_job *job, seebatch_io_error *error)
{
    if (column->games != NULL)
        return seebatch_io_arrow_games_add(column, fens, moves, n, error);
    seebatch_job quiet = {.threads = job ? job->threads : 1};
    const size_t chunk = quiet.threads == 1 ? FEW : MANY;
    for (size_t i = 0; i < n; i += chunk) {
        const size_t some = n - i < chunk ? n - i : chunk;
        size_t left = 0;
        bool memory = reserve_chunk(column, chunk);
        if (memory) {
            left = take_positions(column, fens + i, some, &quiet);
            if (column->what == SEEBATCH_ARROW_VALUE)
                left = take_moves(column, moves + i, left, &quiet);
            memory = (column->what != SEEBATCH_ARROW_VALUES || take_lists(column, moves, offsets + i, left, &quiet)) &&
                     evaluate(column, left, &quiet);
        }
        if (memory)
            seebatch_io_arrow_append(column, some, left);
        if (!memory || seebatch_io_arrow_failed(column)) {
            seebatch_io_no_memory(error);
            return SEEBATCH_IO_NO_MEMORY;
        }
        if (column->text.used > INT32_MAX || column->items > INT32_MAX) {
            seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0,
                             "the column has more than 2147483647 characters, which is all that an Arrow column can "
                             "hold: divide it into several columns");
            return SEEBATCH_IO_FAILED;
        }
    }
    return SEEBATCH_IO_OK;
}

size_t seebatch_arrow_column_faults(const seebatch_arrow_column *column) { return column->faults; }

const char *seebatch_arrow_column_fault(const seebatch_arrow_column *column, size_t i, size_t *row)
{
    if (i >= column->faults || i >= SEEBATCH_ARROW_FAULTS)
        return NULL;
    *row = column->fault_row[i];
    return column->fault[i];
}
