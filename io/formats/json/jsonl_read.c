/*
 * Reads JSON lines.
 *
 * The tokens of many lines are found at once (json_text.c). Then each line is taken apart, the positions of all are
 * read by one call, and at last the other members, in the order of the lines.
 */
#include <stdlib.h>

#include "jsonl.h"

#include "formats/headings.h"
#include "jsonl_object.h"
#include "formats/fast_fields.h"

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

/* The text of a member, which is empty where there is none; reports an error if its kind is not one of two. */
static bool member_text(struct block *block, struct record *record, const char *name, const struct value *value,
                        enum kind kind, enum kind other, struct cell *text)
{
    *text = (struct cell){"", 0};
    if (value->kind == KIND_NONE || value->kind == KIND_NULL)
        return true;
    if (value->kind != kind && value->kind != other) {
        seebatch_io_report_error(block, record, "the %s is not %s, expected one", name,
                                 kind == KIND_STRING ? "a string" : "a number");
        return false;
    }
    *text = value->kind == KIND_STRING ? seebatch_io_json_plain_text(&block->scratch, value)
                                       : (struct cell){value->text, value->length};
    return true;
}

/* Finds the text of a member that is of one kind or another. A value of no kind says that the member is not there. */
static inline bool fast_text(const struct value *value, enum kind kind, enum kind other, struct cell *text)
{
    if (value->kind == KIND_NONE) {
        *text = (struct cell){"", 0};
        return true;
    }
    *text = (struct cell){value->text, value->length};
    return !value->escaped && (value->kind == kind || value->kind == other);
}

/* Reads the members of an object of the usual form, whose position was read; false of others. */
static bool read_fast(const struct source *source, struct record *record, const seebatch_position *position,
                      const struct object *object, const char *begin)
{
    struct cell fields[N_FIELDS];
    const struct value *members = object->members;
    record->fen = object->fen.text;
    record->fen_length = object->fen.length;
    return object->status == SEEBATCH_OK && members[MEMBER_FEN].kind == KIND_STRING &&
           fast_text(&members[PLACE_OF_MOVE], KIND_STRING, KIND_STRING, &fields[PLACE_OF_MOVE]) &&
           fast_text(&members[PLACE_OF_SCORE], KIND_NUMBER, KIND_NUMBER, &fields[PLACE_OF_SCORE]) &&
           fast_text(&members[PLACE_OF_RESULT], KIND_NUMBER, KIND_STRING, &fields[PLACE_OF_RESULT]) &&
           fast_text(&members[PLACE_OF_PLY], KIND_NUMBER, KIND_NUMBER, &fields[PLACE_OF_PLY]) &&
           fast_fields(source, record, position, fields, begin);
}

/* The record of an object, whose position was read if its status says so. */
static bool read_slowly(struct block *block, struct record *record, seebatch_position *position,
                        const struct object *object)
{
    const struct value *members = object->members;
    const struct cell fen = object->fen;
    struct cell none, move, score, result, ply;
    if ((members[MEMBER_FEN].kind != KIND_STRING &&
         !member_text(block, record, "position", &members[MEMBER_FEN], KIND_STRING, KIND_STRING, &none)) ||
        !member_text(block, record, "move", &members[PLACE_OF_MOVE], KIND_STRING, KIND_STRING, &move) ||
        !member_text(block, record, "score", &members[PLACE_OF_SCORE], KIND_NUMBER, KIND_NUMBER, &score) ||
        !member_text(block, record, "result", &members[PLACE_OF_RESULT], KIND_NUMBER, KIND_STRING, &result) ||
        !member_text(block, record, "ply", &members[PLACE_OF_PLY], KIND_NUMBER, KIND_NUMBER, &ply))
        return false;
    if (members[MEMBER_FEN].kind != KIND_STRING) {
        seebatch_io_report_error(block, record,
                                 "the object has no fen, expected a member fen or position that is a string");
        return false;
    }
    record->fen = fen.text;
    record->fen_length = fen.length;
    return (object->status == SEEBATCH_OK ||
            seebatch_io_read_position(block, record, position, fen.text, fen.length)) &&
           (move.length == 0 || seebatch_io_read_move(block, record, position, move.text, move.length)) &&
           (score.length == 0 || seebatch_io_read_score(block, record, score.text, score.length)) &&
           (result.length == 0 || seebatch_io_read_result(block, record, result.text, result.length)) &&
           (ply.length == 0 || seebatch_io_read_ply(block, record, ply.text, ply.length));
}

static bool read_object(struct block *block, struct record *record, seebatch_position *position,
                        const struct json *json, const struct object *object)
{
    const uint16_t has = record->has;
    const struct value *fen = &object->members[MEMBER_FEN];
    if (fen->kind == KIND_STRING && fen->escaped && seebatch_io_json_is_no_text(fen)) {
        seebatch_io_report_error(block, record, "the position has half of a surrogate pair in it, expected text");
        return false;
    }
    if (!read_fast(block->source, record, position, object, block->in.data)) {
        record->has = has;
        if (!read_slowly(block, record, position, object))
            return false;
    }
    return seebatch_io_read_lichess_evals(block, record, position, json, &object->members[MEMBER_EVALS],
                                          &object->deepest, ~(unsigned)record->has & (FIELD_MOVE | FIELD_SCORE));
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* Lines that are read at once: so many, or so many bytes. What found the tokens of more than MOST_KEPT bytes has four
 * times as many, and is not kept. */
enum { LINES_AT_ONCE = 64, BYTES_AT_ONCE = 1 << 15, MOST_KEPT = 1 << 20 };

/* Takes a line apart, whose tokens are found. */
static void take_line(struct block *block, struct record *record, struct json *json, struct guesses *guesses,
                      struct object *object)
{
    const size_t scratch = block->scratch.used;
    seebatch_io_json_begin_line(json, record->bytes, object->end);
    const uint32_t *begin = json->token;
    object->fen = (struct cell){"", 0};
    object->well = seebatch_io_take_object_fast(block, record, json, guesses, object);
    if (!object->well) {
        json->token = begin;
        object->well = seebatch_io_take_object(block, record, json, false, object);
    }
    if (!object->well)
        block->scratch.used = scratch; /* it will be taken again */
    else if (object->members[MEMBER_FEN].kind == KIND_STRING)
        object->fen = seebatch_io_json_plain_text(&block->scratch, &object->members[MEMBER_FEN]);
}

/* Takes n lines apart, and reads their positions. */
static void take_lines(struct block *block, struct record *records, seebatch_position *positions,
                       struct object *objects, size_t n, struct json *json, struct guesses *guesses)
{
    seebatch_text fens[LINES_AT_ONCE] = {{NULL, 0}};
    uint8_t statuses[LINES_AT_ONCE];
    for (size_t i = 0; i < n; i++) {
        take_line(block, &records[i], json, guesses, &objects[i]);
        fens[i] = (seebatch_text){objects[i].fen.text, objects[i].fen.length};
    }
    seebatch_batch_from_fens(fens, n, positions, statuses, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        objects[i].status = statuses[i];
}

/* Reads n lines, whose tokens are found, into the batch, in whose records and positions they stand at a place that is
 * not before its end. Returns false if nothing more is to be read. */
static bool read_tokens(struct cursor *cursor, struct batch *batch, size_t at, struct object *objects, size_t n,
                        struct json *json, struct guesses *guesses)
{
    struct block *block = cursor->block;
    const struct json begin = *json;
    take_lines(block, &batch->records[at], &batch->positions[at], objects, n, json, guesses);
    *json = begin;
    for (size_t i = 0; i < n; i++) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        if (batch->n != at + i) { /* bad ones were before it */
            *record = batch->records[at + i];
            *position = batch->positions[at + i];
        }
        if (!objects[i].well) {
            seebatch_io_json_begin_line(json, record->bytes, objects[i].end);
            seebatch_io_take_object(block, record, json, true, &objects[i]);
        } else if (read_object(block, record, position, json, &objects[i])) {
            if (cursor->source->wanted & FIELD_PLY)
                seebatch_io_ply_of_fen(record, position);
            batch->n++;
            continue;
        }
        if (cursor->strict) {
            cursor->line = record->line;
            cursor->at = cursor->end;
            return false;
        }
    }
    return true;
}

/* Reads n lines that were found, all at once if their strings are good. */
static bool read_found(struct cursor *cursor, struct batch *batch, struct object *objects, size_t n,
                       struct guesses *guesses)
{
    struct block *block = cursor->block;
    const size_t at = batch->n;
    const char *first = batch->records[at].bytes;
    const struct cell all = {first, (size_t)(objects[n - 1].end - first)};
    struct json json;
    if (seebatch_io_json_begin(&json, &block->json, &block->text, all, n == 1))
        return read_tokens(cursor, batch, at, objects, n, &json, guesses);
    for (size_t i = 0; i < n; i++) {
        const char *line = batch->records[at + i].bytes;
        const struct cell text = {line, (size_t)(objects[i].end - line)};
        if (!seebatch_io_json_begin(&json, &block->json, &block->text, text, true) ||
            !read_tokens(cursor, batch, at + i, &objects[i], 1, &json, guesses))
            return false;
    }
    return true;
}

bool seebatch_io_read_objects(struct cursor *cursor, struct batch *batch)
{
    struct object objects[LINES_AT_ONCE];
    struct guesses guesses;
    size_t n;
    bool more;
    guesses.n = 0;
    batch->n = 0;
    if (!bytes_reserve(&cursor->block->scratch, cursor->block->in.used)) /* so that it does not move */
        return false;
    do {
        const char *begin = cursor->at;
        const size_t room = BATCH_SIZE - batch->n;
        for (n = 0; n < room && n < LINES_AT_ONCE && cursor->at - begin < BYTES_AT_ONCE; n++)
            if (!seebatch_io_next_record_line(cursor, false, &batch->records[batch->n + n], &objects[n].end))
                break;
        more = n > 0 && read_found(cursor, batch, objects, n, &guesses) && batch->n < BATCH_SIZE;
        if (cursor->at - begin > MOST_KEPT) {
            seebatch_io_json_finder_free(cursor->block->json);
            cursor->block->json = NULL;
        }
    } while (more);
    return batch->n > 0;
}

/* ---- Members that are not known --------------------------------------------------------------------------------- */

/* The members of the first object that are not known become columns of a table, except for those that it would know. */
void seebatch_io_read_first_object(struct source *source, const char *line, size_t length)
{
    struct headings *headings = &source->headings;
    struct json_finder *finder = NULL;
    struct bytes spare = {0};
    struct value name, value;
    struct json json;
    if (length == 0 || !bytes_reserve(&headings->text, 2 * length)) /* so that it does not move */
        return;
    bytes_add(&headings->text, line, length);
    const bool found = seebatch_io_json_begin(&json, &finder, &spare, (struct cell){headings->text.data, length}, true);
    for (bool first = true; found && seebatch_io_json_take_member(&json, first, &name, &value); first = false) {
        const size_t used = headings->text.used;
        const struct cell text = seebatch_io_json_plain_text(&headings->text, &name);
        const bool other = seebatch_io_field_in_source(source, text) == FIELD_COLUMNS &&
                           seebatch_io_field_of_name(text) == FIELD_COLUMNS;
        headings->text.used = used; /* once more, so that names have twice the room of the line at most */
        if (other)
            seebatch_io_headings_add(headings, seebatch_io_json_cell(&headings->text, &name), FIELD_COLUMNS);
    }
    if (found && seebatch_io_json_take_end(&json))
        seebatch_io_headings_drop_repeated(headings);
    else /* it will be reported */
        seebatch_io_headings_empty(headings);
    headings->text.failed |= spare.failed;
    free(spare.data);
    seebatch_io_json_finder_free(finder);
}

/* A value as the cell of a table: of a string its characters, if they can stand in a row (cells.c), nothing for null,
 * otherwise the text of JSON, with blanks for TABs between its parts. */
static struct cell cell_of(struct bytes *text, const struct value *value)
{
    if (value->kind == KIND_STRING)
        return seebatch_io_json_cell(text, value);
    if (value->kind == KIND_NULL)
        return (struct cell){"", 0};
    const size_t at = text->used;
    for (const char *c = value->text; c < value->text + value->length; c++)
        bytes_add_char(text, *c == '\t' || *c == '\r' ? ' ' : *c);
    return (struct cell){text->data + at, text->used - at};
}

/* Begins to read the object of a record that was read before and is good. */
static bool begin_object(struct json *json, struct block *block, const struct record *record)
{
    const struct cell line = {record->bytes, record->length};
    if (!seebatch_io_json_begin(json, &block->json, &block->text, line, true))
        return false;
    json->good = true;
    return true;
}

bool seebatch_io_take_members(struct block *block, const struct record *record, const seebatch_position *position,
                              const struct target *target, struct cell *row, struct cell *lost)
{
    (void)position;
    struct value name, value;
    struct json json;
    bool well = true;
    if (!begin_object(&json, block, record))
        return true;
    for (bool first = true; seebatch_io_json_take_member(&json, first, &name, &value); first = false) {
        const size_t used = block->text.used;
        if (seebatch_io_member_named(block->source, seebatch_io_json_plain_text(&block->text, &name)) >= 0)
            continue;
        block->text.used = used;
        const struct cell text = seebatch_io_json_cell(&block->text, &name);
        const int place = seebatch_io_headings_find_unknown(&target->headings, text);
        if (place >= 0 && row[place].text == NULL) {
            row[place] = cell_of(&block->text, &value);
        } else if (well) {
            *lost = text;
            well = false;
        }
    }
    return well;
}

/* Writes what stands before a further member: its name, ended by a NUL. */
static void add_name_of(struct bytes *text, const char *name)
{
    bytes_add_string(text, ", ");
    seebatch_io_json_add_string(text, (struct cell){name, strlen(name)});
    bytes_add(text, ": ", sizeof ": ");
}

struct score_place seebatch_io_place_of_score(struct block *block, const struct record *record)
{
    struct value name, value;
    struct json json;
    block->text.used = 0;
    if (!begin_object(&json, block, record))
        return (struct score_place){record->bytes, 0, "", ""};
    for (bool first = true; seebatch_io_json_take_member(&json, first, &name, &value); first = false)
        if (bytes_reserve(&block->text, name.length) &&
            seebatch_io_member_named(block->source, seebatch_io_json_plain_text(&block->text, &name)) ==
                PLACE_OF_SCORE) {
            const bool string = value.kind == KIND_STRING;
            return (struct score_place){value.text - string, value.length + 2 * string, "", ""};
        }
    const char *name_of_score = block->source->columns.names[1];
    block->text.used = 0;
    add_name_of(&block->text, name_of_score != NULL ? name_of_score : "score");
    return (struct score_place){json.base + json.token[-1], 0, block->text.data, ""};
}
