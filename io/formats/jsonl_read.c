/*
 * JSON lines: how they are read.
 *
 * The tokens of many lines are found at once (json_text.c). Then each line is taken apart, the positions of all are
 * read by one call, and at last the other members, in the order of the lines.
 */
#include <stdlib.h>

#include "jsonl.h"

#include "headings.h"
#include "json_text.h"
#include "lichess.h"
#include "quote.h"

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

enum { MEMBER_FEN = N_FIELDS, N_MEMBERS, MEMBER_EVALS = N_MEMBERS, N_VALUES };

/* Which known member a name means, or -1. */
static int member_named(const struct source *source, struct cell name)
{
    static const struct {
        char name[9];
        uint8_t length, member;
    } names[] = {{"fen", 3, MEMBER_FEN}, {"position", 8, MEMBER_FEN}, {"move", 4, 0}, {"score", 5, 1}, {"result", 6, 2},
                 {"ply", 3, 3}};
    if (source->columns.named)
        return seebatch_io_place_of_field(seebatch_io_field_in_source(source, name));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].length == name.length && memcmp(names[i].name, name.text, name.length) == 0)
            return names[i].member;
    return -1;
}

static bool is_evals(struct cell name) { return name.length == 5 && memcmp(name.text, "evals", 5) == 0; }

/* Says why an object is bad; false. */
static bool complain_of_json(struct block *block, const struct record *record, const struct json *json)
{
    const size_t byte = (size_t)(json->fault - record->bytes) + 1;
    if (json->too_deep)
        seebatch_io_complain(block, record,
                             "byte %zu of the line begins an object or array within %d others, expected fewer", byte,
                             JSON_DEEPEST);
    else
        seebatch_io_complain(block, record,
                             "byte %zu of the line is not as in JSON, expected one object such as {\"fen\": \"...\"}",
                             byte);
    return false;
}

/* Takes the object apart; its known members, and evals. False if it is bad, which is said if it is to be told. */
static bool take_object(struct block *block, struct record *record, struct json *json, bool tell,
                        struct value members[N_VALUES])
{
    struct value name, value;
    for (int i = 0; i < N_VALUES; i++)
        members[i].kind = KIND_NONE;
    for (bool first = true; seebatch_io_json_take_member(json, first, &name, &value); first = false) {
        const struct cell plain = seebatch_io_json_plain_text(&block->scratch, &name);
        const int member = member_named(block->source, plain);
        if (member < 0 && seebatch_io_is_added(block->source->target, plain)) {
            if (tell)
                seebatch_io_complain(block, record,
                                     "the object has a member '%s' already, expected to add one of that name",
                                     quote(plain.text, plain.length).text);
            return false;
        }
        if (member >= 0 && members[member].kind != KIND_NONE) {
            if (tell)
                seebatch_io_complain(block, record,
                                     "the object has '%s' twice (fen and position are the same), expected it once",
                                     quote(name.text, name.length).text);
            return false;
        }
        if (member >= 0)
            members[member] = value;
        else
            record->has |= FIELD_COLUMNS;
        if (member < 0 && is_evals(plain))
            members[MEMBER_EVALS] = value;
    }
    return seebatch_io_json_take_end(json) || (tell && complain_of_json(block, record, json));
}

/* The text of a member, which is empty where there is none; complains if its kind is not one of two. */
static bool member_text(struct block *block, struct record *record, const char *name, const struct value *value,
                        enum kind kind, enum kind other, struct cell *text)
{
    *text = (struct cell){"", 0};
    if (value->kind == KIND_NONE || value->kind == KIND_NULL)
        return true;
    if (value->kind != kind && value->kind != other) {
        seebatch_io_complain(block, record, "the %s is not %s, expected one", name,
                             kind == KIND_STRING ? "a string" : "a number");
        return false;
    }
    *text = value->kind == KIND_STRING ? seebatch_io_json_plain_text(&block->scratch, value)
                                       : (struct cell){value->text, value->length};
    return true;
}

/* A line that was taken apart. */
struct object {
    const char *end; /* of the line */
    bool well;
    uint8_t status;  /* of the position, */
    struct cell fen; /* whose text this is; empty where there is none */
    struct value members[N_VALUES];
};

/* The record of an object, whose position was read if its status says so. */
static bool read_object(struct block *block, struct record *record, seebatch_position *position,
                        const struct json *json, const struct object *object)
{
    const struct value *members = object->members, *evals = &members[MEMBER_EVALS];
    const struct cell fen = object->fen;
    struct cell none, move, score, result, ply;
    if ((members[MEMBER_FEN].kind != KIND_STRING &&
         !member_text(block, record, "position", &members[MEMBER_FEN], KIND_STRING, KIND_STRING, &none)) ||
        !member_text(block, record, "move", &members[0], KIND_STRING, KIND_STRING, &move) ||
        !member_text(block, record, "score", &members[1], KIND_NUMBER, KIND_NUMBER, &score) ||
        !member_text(block, record, "result", &members[2], KIND_NUMBER, KIND_STRING, &result) ||
        !member_text(block, record, "ply", &members[3], KIND_NUMBER, KIND_NUMBER, &ply))
        return false;
    if (members[MEMBER_FEN].kind != KIND_STRING) {
        seebatch_io_complain(block, record,
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
           (ply.length == 0 || seebatch_io_read_ply(block, record, ply.text, ply.length)) &&
           seebatch_io_read_lichess_evals(block, record, position, json, evals,
                                          ~(unsigned)record->has & (FIELD_MOVE | FIELD_SCORE));
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* Lines that are read at once: so many, or so many bytes. What found the tokens of more than MOST_KEPT bytes has four
 * times as many, and is not kept. */
enum { LINES_AT_ONCE = 64, BYTES_AT_ONCE = 1 << 15, MOST_KEPT = 1 << 20 };

/* Takes n lines apart, and reads their positions. */
static void take_objects(struct block *block, struct record *records, seebatch_position *positions,
                         struct object *objects, size_t n, struct json *json)
{
    seebatch_text fens[LINES_AT_ONCE] = {{NULL, 0}};
    uint8_t statuses[LINES_AT_ONCE];
    for (size_t i = 0; i < n; i++) {
        struct object *object = &objects[i];
        const size_t scratch = block->scratch.used;
        seebatch_io_json_begin_line(json, records[i].bytes, object->end);
        object->well = take_object(block, &records[i], json, false, object->members);
        object->fen = (struct cell){"", 0};
        if (!object->well)
            block->scratch.used = scratch; /* it will be taken again */
        else if (object->members[MEMBER_FEN].kind == KIND_STRING)
            object->fen = seebatch_io_json_plain_text(&block->scratch, &object->members[MEMBER_FEN]);
        fens[i] = (seebatch_text){object->fen.text, object->fen.length};
    }
    seebatch_batch_from_fens(fens, n, positions, statuses, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        objects[i].status = statuses[i];
}

/* Reads n lines, whose tokens are found, into the batch, in whose records and positions they stand at a place that is
 * not before its end. Returns false if nothing more is to be read. */
static bool read_tokens(struct cursor *cursor, struct batch *batch, size_t at, struct object *objects, size_t n,
                        struct json *json)
{
    struct block *block = cursor->block;
    const struct json begin = *json;
    take_objects(block, &batch->records[at], &batch->positions[at], objects, n, json);
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
            take_object(block, record, json, true, objects[i].members);
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
static bool read_found(struct cursor *cursor, struct batch *batch, struct object *objects, size_t n)
{
    struct block *block = cursor->block;
    const size_t at = batch->n;
    const char *first = batch->records[at].bytes;
    const struct cell all = {first, (size_t)(objects[n - 1].end - first)};
    struct json json;
    if (seebatch_io_json_begin(&json, &block->json, &block->text, all, n == 1))
        return read_tokens(cursor, batch, at, objects, n, &json);
    for (size_t i = 0; i < n; i++) {
        const char *line = batch->records[at + i].bytes;
        const struct cell text = {line, (size_t)(objects[i].end - line)};
        if (!seebatch_io_json_begin(&json, &block->json, &block->text, text, true) ||
            !read_tokens(cursor, batch, at + i, &objects[i], 1, &json))
            return false;
    }
    return true;
}

bool seebatch_io_read_objects(struct cursor *cursor, struct batch *batch)
{
    struct object objects[LINES_AT_ONCE];
    size_t n;
    bool more;
    batch->n = 0;
    if (!bytes_reserve(&cursor->block->scratch, cursor->block->in.used)) /* so that it does not move */
        return false;
    do {
        const char *begin = cursor->at;
        const size_t room = BATCH_SIZE - batch->n;
        for (n = 0; n < room && n < LINES_AT_ONCE && cursor->at - begin < BYTES_AT_ONCE; n++)
            if (!seebatch_io_next_record_line(cursor, false, &batch->records[batch->n + n], &objects[n].end))
                break;
        more = n > 0 && read_found(cursor, batch, objects, n) && batch->n < BATCH_SIZE;
        if (cursor->at - begin > MOST_KEPT) {
            seebatch_io_json_finder_free(cursor->block->json);
            cursor->block->json = NULL;
        }
    } while (more);
    return batch->n > 0;
}

/* ---- Members that are not known --------------------------------------------------------------------------------- */

/* The members of the first object that are not known become columns of a table, but for those that it would know. */
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
        const struct cell text = seebatch_io_json_plain_text(&headings->text, &name);
        if (seebatch_io_field_in_source(source, text) == FIELD_COLUMNS &&
            seebatch_io_field_of_name(text) == FIELD_COLUMNS &&
            seebatch_io_headings_find(headings, FIELD_COLUMNS, text) < 0)
            seebatch_io_headings_add(headings, text, FIELD_COLUMNS);
    }
    if (!found || !seebatch_io_json_take_end(&json)) /* it will be complained of */
        seebatch_io_headings_empty(headings);
    headings->text.failed |= spare.failed;
    free(spare.data);
    seebatch_io_json_finder_free(finder);
}

/* A value as the cell of a table: of a string its characters, nothing for null, otherwise the text of JSON, with blanks
 * for TABs between its parts. */
static struct cell cell_of(struct bytes *text, const struct value *value)
{
    if (value->kind == KIND_STRING)
        return seebatch_io_json_plain_text(text, value);
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
        const struct cell text = seebatch_io_json_plain_text(&block->text, &name);
        if (member_named(block->source, text) >= 0)
            continue;
        const int place = seebatch_io_headings_find(&target->headings, FIELD_COLUMNS, text);
        if (place >= 0 && row[place].text == NULL) {
            row[place] = cell_of(&block->text, &value);
        } else if (well) {
            *lost = text;
            well = false;
        }
    }
    return well;
}

/* What stands before a further member: its name, ended by a NUL. */
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
            member_named(block->source, seebatch_io_json_plain_text(&block->text, &name)) == 1) {
            const bool string = value.kind == KIND_STRING;
            return (struct score_place){value.text - string, value.length + 2 * string, "", ""};
        }
    const char *name_of_score = block->source->columns.names[1];
    block->text.used = 0;
    add_name_of(&block->text, name_of_score != NULL ? name_of_score : "score");
    return (struct score_place){json.base + json.token[-1], 0, block->text.data, ""};
}
