/*
 * JSON lines: an object a line.
 *
 * The members fen (or position), move, score, result and ply are known: strings, numbers, and for result 1, 0.5 or 0
 * as a number or any of its texts. null is as good as nothing. Others may be anything; they are kept where an object is
 * copied, and where it is written as a row of a table (headings.c). Of these, evals as in Lichess's database tells move
 * and score of an object that has none (lichess.c). The whole line must be one object of good JSON.
 */
#include "quote.h"
#include "headings.h"
#include "json_text.h"
#include "lichess.h"
#include "losses.h"

/* ---- Records ---------------------------------------------------------------------------------------------------- */

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

/* Takes the object apart; its known members, and evals. */
static bool take_object(struct block *block, struct record *record, const char *end, struct value members[N_VALUES])
{
    struct json json = {record->bytes, end, false};
    struct value name, value;
    bool well = seebatch_io_json_take(&json, '{'), more = well && seebatch_io_json_next(&json) != '}';
    while (more && well) {
        well = seebatch_io_json_skip_string(&json, &name) && seebatch_io_json_take(&json, ':') &&
               seebatch_io_json_skip_value(&json, 1, &value);
        const struct cell plain = well ? seebatch_io_json_plain_text(&block->scratch, &name) : (struct cell){"", 0};
        const int member = member_named(block->source, plain);
        if (member < 0 && seebatch_io_is_added(block->source->target, plain)) {
            seebatch_io_complain(block, record,
                                 "the object has a member '%s' already, expected to add one of that name",
                                 quote(plain.text, plain.length).text);
            return false;
        }
        if (member >= 0 && members[member].kind != KIND_NONE) {
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
        more = well && seebatch_io_json_take(&json, ',');
    }
    const bool whole =
        well && seebatch_io_json_take(&json, '}') && seebatch_io_json_next(&json) == '\0' && json.at == json.end;
    if (!whole) {
        const size_t byte = (size_t)(json.at - record->bytes) + 1;
        if (json.too_deep)
            seebatch_io_complain(block, record,
                                 "byte %zu of the line begins an object or array within %d others, expected fewer",
                                 byte, JSON_DEEPEST);
        else
            seebatch_io_complain(
                block, record, "byte %zu of the line is not as in JSON, expected one object such as {\"fen\": \"...\"}",
                byte);
    }
    return whole;
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

static bool read_object(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct value members[N_VALUES] = {{KIND_NONE, NULL, 0, false}};
    const struct value *evals = &members[MEMBER_EVALS];
    struct cell fen, move, score, result, ply;
    if (!take_object(block, record, end, members) ||
        !member_text(block, record, "position", &members[MEMBER_FEN], KIND_STRING, KIND_STRING, &fen) ||
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
    return seebatch_io_read_position(block, record, position, fen.text, fen.length) &&
           (move.length == 0 || seebatch_io_read_move(block, record, position, move.text, move.length)) &&
           (score.length == 0 || seebatch_io_read_score(block, record, score.text, score.length)) &&
           (result.length == 0 || seebatch_io_read_result(block, record, result.text, result.length)) &&
           (ply.length == 0 || seebatch_io_read_ply(block, record, ply.text, ply.length)) &&
           (!seebatch_io_is_lichess_evals(evals) ||
            seebatch_io_read_lichess_evals(block, record, position, evals,
                                           ~(unsigned)record->has & (FIELD_MOVE | FIELD_SCORE)));
}

static bool read_objects(struct cursor *cursor, struct batch *batch)
{
    batch->n = 0;
    return bytes_reserve(&cursor->block->scratch, cursor->block->in.used) && /* so that it does not move */
           seebatch_io_read_lines(cursor, batch, false, read_object);
}

/* ---- Members that are not known --------------------------------------------------------------------------------- */

/* The members of the first object that are not known become columns of a table, but for those that it would know. */
static void read_first(struct source *source, const char *line, size_t length)
{
    struct headings *headings = &source->headings;
    if (!bytes_reserve(&headings->text, 2 * length)) /* so that it does not move */
        return;
    bytes_add(&headings->text, line, length);
    struct json json = {headings->text.data, bytes_end(&headings->text), false};
    struct value name, value;
    bool well = seebatch_io_json_take(&json, '{'), more = well && seebatch_io_json_next(&json) != '}';
    while (more && well) {
        well = seebatch_io_json_skip_string(&json, &name) && seebatch_io_json_take(&json, ':') &&
               seebatch_io_json_skip_value(&json, 1, &value);
        const struct cell text = well ? seebatch_io_json_plain_text(&headings->text, &name) : (struct cell){"", 0};
        if (well && seebatch_io_field_in_source(source, text) == FIELD_COLUMNS &&
            seebatch_io_field_of_name(text) == FIELD_COLUMNS &&
            seebatch_io_headings_find(headings, FIELD_COLUMNS, text) < 0)
            seebatch_io_headings_add(headings, text, FIELD_COLUMNS);
        more = well && seebatch_io_json_take(&json, ',');
    }
    if (!well) /* it will be complained of */
        seebatch_io_headings_empty(headings);
}

/* A value as the cell of a table: of a string its characters, nothing for null, otherwise the text of JSON, with blanks
 * for TABs between its parts. */
static struct cell cell_of(struct bytes *text, const struct value *value, const char *begin, const char *end)
{
    if (value->kind == KIND_STRING)
        return seebatch_io_json_plain_text(text, value);
    if (value->kind == KIND_NULL)
        return (struct cell){"", 0};
    const size_t at = text->used;
    for (; begin < end; begin++)
        bytes_add_char(text, *begin == '\t' || *begin == '\r' ? ' ' : *begin);
    return (struct cell){text->data + at, text->used - at};
}

/* Passes over a member of an object that was read before and is good JSON; returns where its value begins. */
static const char *skip_member(struct json *json, struct value *name, struct value *value)
{
    seebatch_io_json_skip_string(json, name);
    seebatch_io_json_take(json, ':');
    seebatch_io_json_next(json);
    const char *begin = json->at;
    seebatch_io_json_skip_value(json, 1, value);
    return begin;
}

static bool take_columns(struct block *block, const struct record *record, const seebatch_position *position,
                         const struct target *target, struct cell *row, struct cell *lost)
{
    (void)position;
    struct json json = {record->bytes, record->bytes + record->length, false};
    struct value name, value;
    bool well = true;
    seebatch_io_json_take(&json, '{');
    do {
        const char *begin = skip_member(&json, &name, &value);
        const struct cell text = seebatch_io_json_plain_text(&block->text, &name);
        if (member_named(block->source, text) >= 0)
            continue;
        const int place = seebatch_io_headings_find(&target->headings, FIELD_COLUMNS, text);
        if (place >= 0 && row[place].text == NULL) {
            row[place] = cell_of(&block->text, &value, begin, json.at);
        } else if (well) {
            *lost = text;
            well = false;
        }
    } while (seebatch_io_json_take(&json, ','));
    return well;
}

/* What stands before a further member: its name, ended by a NUL. */
static void add_name_of(struct bytes *text, const char *name)
{
    bytes_add_string(text, ", ");
    seebatch_io_json_add_string(text, (struct cell){name, strlen(name)});
    bytes_add(text, ": ", sizeof ": ");
}

static struct score_place place_score(struct block *block, const struct record *record)
{
    struct json json = {record->bytes, record->bytes + record->length, false};
    struct value name, value;
    seebatch_io_json_take(&json, '{');
    block->text.used = 0;
    do {
        const char *begin = skip_member(&json, &name, &value);
        if (bytes_reserve(&block->text, name.length) &&
            member_named(block->source, seebatch_io_json_plain_text(&block->text, &name)) == 1)
            return (struct score_place){begin, (size_t)(json.at - begin), "", ""};
    } while (seebatch_io_json_take(&json, ','));
    const char *name_of_score = block->source->columns.names[1];
    block->text.used = 0;
    add_name_of(&block->text, name_of_score != NULL ? name_of_score : "score");
    return (struct score_place){json.at, 0, block->text.data, ""};
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* A member's name, behind what separates it from the one before; false if it is not UTF-8. */
static bool add_name(struct bytes *out, struct cell name)
{
    bytes_add_string(out, out->used > 0 && out->data[out->used - 1] == '{' ? "" : ", ");
    const bool well = seebatch_io_json_add_string(out, name);
    bytes_add_string(out, ": ");
    return well;
}

static struct cell cell_of_string(const char *text) { return (struct cell){text, strlen(text)}; }

/* The line of a record that came as JSON, but for its last bracket. */
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

static bool add_fen(struct bytes *out, const struct record *record, const seebatch_position *position, const char **why)
{
    char room[SEEBATCH_FEN_SIZE];
    add_name(out, cell_of_string("fen"));
    if (seebatch_io_json_add_string(out, seebatch_io_text_of_position(record, position, room)))
        return true;
    *why = "the position is not valid UTF-8, as JSON needs";
    return false;
}

/* What came in another format, but for the last bracket; carry_columns() has put a table's columns that are not known
 * into block->row. */
static bool add_members(struct block *block, const struct record *record, const seebatch_position *position,
                        const char **why)
{
    struct bytes *out = &block->out;
    const struct headings *headings = &block->source->headings;
    const struct cell *row = (const void *)block->row.data;
    unsigned new_score = 0;
    bool well = true;
    bytes_add_char(out, '{');
    if (headings->n == 0) {
        well = add_fen(out, record, position, why);
        for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1)
            add_field(out, record, field & (block->source->fields | FIELD_SCORE)); /* a score may be new */
    } else if (seebatch_io_headings_find(headings, FIELD_SCORE, cell_of_string("")) < 0) {
        new_score = FIELD_SCORE;
    }
    for (int i = 0; i < headings->n && well; i++) {
        const struct heading *heading = &headings->list[i];
        if (heading->field == 0) {
            well = add_fen(out, record, position, why);
        } else if (heading->field != FIELD_COLUMNS) {
            add_field(out, record, heading->field);
        } else if (heading->place >= 0) {
            well = add_name(out, heading->name) && seebatch_io_json_add_string(out, row[i]);
            if (!well)
                *why = "a column is not valid UTF-8, as JSON needs";
        }
    }
    add_field(out, record, new_score);
    return well;
}

static bool write_object(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    if (block->source->format == target->format)
        add_open_object(out, record);
    else if (!add_members(block, record, position, why))
        return false;
    for (size_t i = 0; i < target->n_added; i++) {
        add_name(out, cell_of_string(target->added[i].name));
        if (cells[i].length == 0)
            bytes_add_string(out, "null");
        else if (target->added[i].text)
            seebatch_io_json_add_string(out, (struct cell){cells[i].text, cells[i].length});
        else
            bytes_add(out, cells[i].text, cells[i].length);
    }
    bytes_add_string(out, "}\n");
    return true;
}

const struct file_format FORMAT(jsonl) = {
    .name = "jsonl",
    .endings = {".jsonl", ".ndjson"},
    .what = "a line: an object with fen, move, score, result, ply, others",
    .details =
        "An object a line, with a string `fen` (or `position`) and optionally `move` (a string), `score` and `ply` "
        "(integers) and `result` (1, 0.5, 0, or a string as above). Other members are kept in JSON lines and in "
        "tables; see `LOSSES`. Of these, `evals`, as in Lichess's database of evaluations, tells the move and the "
        "score of an object that has none: those of the first variation of the deepest evaluation. A mate in N moves "
        "is the score 32000 - N.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .keeps_text = true,
    .any_columns = true,
    .read_first = read_first,
    .take_columns = take_columns,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = read_objects,
    .write = write_object,
    .place_score = place_score,
    .loses = seebatch_io_loses_ply,
    .text_scores = true,
};
