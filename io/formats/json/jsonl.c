/*
 * Reads and writes JSON lines, with an object in each line.
 *
 * The members fen (or position), move, score, result and ply are known: strings, numbers, and for result 1, 0.5 or 0
 * as a number or any of its texts. null is as good as nothing. Others may be anything; they are kept where an object is
 * copied, and where it is written as a row of a table (headings.c). Of these, evals as in Lichess's database tells move
 * and score of an object that has none (lichess.c). The whole line must be one object of good JSON. jsonl_read.c reads
 * them, by simdjson; without that they are only written.
 */
#include "jsonl.h"

#include "cells.h"
#include "formats/headings.h"
#include "json_text.h"
#include "formats/losses.h"

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* A member's name, after what separates it from the one before; false if it is not UTF-8. */
static bool add_name(struct bytes *out, struct cell name)
{
    bytes_add_string(out, out->used > 0 && out->data[out->used - 1] == '{' ? "" : ", ");
    const bool well = seebatch_io_cell_to_json(out, name);
    bytes_add_string(out, ": ");
    return well;
}

static struct cell cell_of_string(const char *text) { return (struct cell){text, strlen(text)}; }

/* Writes the line of a record that came as JSON, except for its last bracket. */
static void add_open_object(struct bytes *out, const struct record *record)
{
    size_t length = record->length;
    while (record->bytes[length - 1] != '}')
        length--;
    bytes_add(out, record->bytes, length - 1);
}

/* A known member, if the record has it. */
static void add_field(struct bytes *out, const struct record *record, unsigned field)
{
    char room[16];
    if (!(record->has & field))
        return;
    const struct cell text = seebatch_io_text_of_field(record, field, room);
    add_name(out, cell_of_string(seebatch_io_field_name(field)));
    if (field == FIELD_MOVE)
        seebatch_io_json_add_string(out, text);
    else
        bytes_add(out, text.text, text.length);
}

static bool add_fen(struct block *block, const struct record *record, const seebatch_position *position,
                    const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    add_name(out, cell_of_string("fen"));
    if (seebatch_io_json_add_string(out, seebatch_io_text_of_position(block, record, position, room)))
        return true;
    *why = "the position is not valid UTF-8, as JSON needs";
    return false;
}

/* Writes what came in another format, except for the last bracket; carry_columns() has put a table's columns that are
 * not known into block->row. */
static bool add_members(struct block *block, const struct record *record, const seebatch_position *position,
                        const char **why)
{
    struct bytes *out = &block->out;
    const struct headings *headings = &block->source->headings;
    const struct cell *row = (const void *)block->row.data;
    /* Those that have no column yet, as of a puzzle the move; a score may be new. */
    unsigned left = record->has & (block->source->fields | FIELD_SCORE) & ((1u << N_FIELDS) - 1);
    bytes_add_char(out, '{');
    bool well = headings->n > 0 || add_fen(block, record, position, why);
    for (int i = 0; i < headings->n && well; i++) {
        const struct heading *heading = &headings->list[i];
        if (heading->field == 0) {
            well = add_fen(block, record, position, why);
        } else if (heading->field != FIELD_COLUMNS) {
            add_field(out, record, heading->field);
            left &= ~heading->field;
        } else if (heading->place >= 0) {
            well = add_name(out, heading->name) && seebatch_io_cell_to_json(out, row[i]);
            if (!well)
                *why = "a column is not valid UTF-8, as JSON needs";
        }
    }
    for (; left != 0; left &= left - 1)
        add_field(out, record, left & (0 - left));
    return well;
}

/* The members that were asked for. */
static bool add_selected(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const char **why)
{
    struct bytes *out = &block->out;
    bool well = true;
    bytes_add_char(out, '{');
    for (int i = 0; i < target->n_selected && well; i++) {
        if (target->selected[i] == 0)
            well = add_fen(block, record, position, why);
        else
            add_field(out, record, target->selected[i]);
    }
    return well;
}

static bool write_object(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    if (keeps_form(target, block->source))
        add_open_object(out, record);
    else if (target->n_selected > 0 ? !add_selected(block, target, record, position, why)
                                    : !add_members(block, record, position, why))
        return false;
    for (size_t i = 0; i < target->n_added; i++) {
        bytes_add_string(out, ", ");
        seebatch_io_json_add_string(out, cell_of_string(target->added[i].name));
        bytes_add_string(out, ": ");
        if (seebatch_io_cell_add_json(out, cells[i], target->added[i].text))
            continue;
        *why = "a further cell is not valid UTF-8, as JSON needs";
        return false;
    }
    bytes_add_string(out, "}\n");
    return true;
}

const struct file_format FORMAT(jsonl) = {
    .name = "jsonl",
    .extensions = {".jsonl", ".ndjson"},
    .what = "a line: an object with fen, move, score, result, ply, others",
    .details = "One object on each line, with a string `fen` (or `position`) and optionally `move` (a string), "
               "`score` and `ply` (integers) and `result` (1, 0.5, 0, or a string as above). Other members are "
               "kept in JSON lines and in tables; see `LOSSES`. In Lichess's database of evaluations, the "
               "member `evals` gives the move and the score of an object that has none: those of the first "
               "variation of the deepest evaluation. A mate in N moves is the score 32000 - N.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .keeps_text = true,
    .any_columns = true,
    .read_first = seebatch_io_read_first_object,
    .take_columns = seebatch_io_take_members,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = JSON_IS_READ ? seebatch_io_read_objects : NULL,
    .write = write_object,
    .place_score = seebatch_io_place_of_score,
    .loses = seebatch_io_loses_ply,
    .text_scores = true,
};
