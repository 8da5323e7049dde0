/*
 * Takes apart a line of JSON.
 *
 * There is a slow path, and a fast one that only ever says yes. The fast one expects the names of the line before,
 * at the same places: each is one comparison of 16 bytes. Numbers of up to eight digits are looked at all at once, and
 * evaluations as Lichess writes them are skipped by their tokens (lichess.c).
 */
#include "jsonl_object.h"

#include "formats/headings.h"
#include "formats/fast_fields.h"
#include "support/quote.h"

int seebatch_io_member_named(const struct source *source, struct cell name)
{
    static const struct {
        char name[9];
        uint8_t length, member;
    } names[] = {{"fen", 3, MEMBER_FEN},       {"position", 8, MEMBER_FEN},    {"move", 4, PLACE_OF_MOVE},
                 {"score", 5, PLACE_OF_SCORE}, {"result", 6, PLACE_OF_RESULT}, {"ply", 3, PLACE_OF_PLY}};
    if (source->columns.named)
        return seebatch_io_place_of_field(seebatch_io_field_in_source(source, name));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].length == name.length && memcmp(names[i].name, name.text, name.length) == 0)
            return names[i].member;
    return -1;
}

static bool is_evals(struct cell name) { return name.length == 5 && memcmp(name.text, "evals", 5) == 0; }

static void begin_object(struct object *object)
{
    for (int i = 0; i < N_VALUES; i++)
        object->members[i].kind = KIND_NONE;
    object->deepest.found = false;
}

/* ---- The slow path ----------------------------------------------------------------------------------------------- */

/* Says why an object is bad; false. */
static bool report_bad_json(struct block *block, const struct record *record, const struct json *json)
{
    const size_t byte = (size_t)(json->fault - record->bytes) + 1;
    if (json->too_deep)
        seebatch_io_report_error(block, record,
                                 "byte %zu of the line begins an object or array within %d others, expected fewer",
                                 byte, JSON_DEEPEST);
    else
        seebatch_io_report_error(
            block, record, "byte %zu of the line is not valid JSON, expected one object such as {\"fen\": \"...\"}",
            byte);
    return false;
}

bool seebatch_io_take_object(struct block *block, struct record *record, struct json *json, bool tell,
                             struct object *object)
{
    struct value name, value, *members = object->members;
    begin_object(object);
    for (bool first = true; seebatch_io_json_take_member(json, first, &name, &value); first = false) {
        const struct cell plain = seebatch_io_json_plain_text(&block->scratch, &name);
        const int member = seebatch_io_member_named(block->source, plain);
        const int place = member < 0 && is_evals(plain) ? MEMBER_EVALS : member;
        if (member < 0 && seebatch_io_is_added(block->source->target, plain)) {
            if (tell)
                seebatch_io_report_error(
                    block, record,
                    "the object already has a member '%s', expected none, because one of that name is added",
                    quote(plain.text, plain.length).text);
            return false;
        }
        if (place >= 0 && members[place].kind != KIND_NONE) {
            if (tell)
                seebatch_io_report_error(block, record, "the object has '%s' twice%s, expected it once",
                                         quote(name.text, name.length).text,
                                         place == MEMBER_FEN ? " (fen and position are the same)" : "");
            return false;
        }
        if (place >= 0)
            members[place] = value;
        if (member < 0)
            record->has |= FIELD_COLUMNS;
    }
    return seebatch_io_json_take_end(json) || (tell && report_bad_json(block, record, json));
}

/* ---- The fast path ----------------------------------------------------------------------------------------------- */

enum { MEMBER_OTHER = N_VALUES, GUESSED_BYTES = 16 };

/* Whether the name at a place of its object is the one that was guessed, and a colon follows. */
static inline bool is_guessed(const struct guesses *guesses, size_t place, const char *name)
{
    if (place >= guesses->n)
        return false;
    const struct guess *guess = &guesses->members[place];
    return (((fast_eight(name) ^ guess->first) & guess->mask_of_first) |
            ((fast_eight(name + 8) ^ guess->second) & guess->mask_of_second)) == 0;
}

/* Returns the lowest n of eight bytes, or all. */
static uint64_t lowest_bytes(size_t n) { return n >= 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) << 8 * n); }

/* Reads a name that was not guessed, and guesses it from now on. -1: it is not of the usual form. */
static int take_name(const struct block *block, const struct json *json, struct guesses *guesses, size_t place)
{
    const char *at = json_at(json), *colon = json->base + json->token[1];
    const size_t length = (size_t)(colon - at);
    if (*colon != ':' || colon[-1] != '"')
        return -1;
    const struct cell name = {at + 1, length - 2};
    int member = seebatch_io_member_named(block->source, name);
    if (member < 0 && seebatch_io_is_added(block->source->target, name))
        return -1;
    if (member < 0)
        member = is_evals(name) ? MEMBER_EVALS : MEMBER_OTHER;
    if (place < MOST_GUESSED && place <= guesses->n && length < GUESSED_BYTES) {
        const size_t bytes = length + 1, behind = bytes > 8 ? bytes - 8 : 0;
        guesses->members[place] =
            (struct guess){fast_eight(at), fast_eight(at + 8), lowest_bytes(bytes), lowest_bytes(behind), member};
        guesses->n = guesses->n > place ? guesses->n : place + 1;
    }
    return member;
}

/* Takes a value of the usual form, or any other. */
static inline bool take_value(struct json *json, const char *begin, struct value *value)
{
    const char *at = json_at(json), *next = json->base + json->token[1];
    int32_t number;
    *value = (struct value){KIND_STRING, false, at + 1, (size_t)(next - at - 2), json->token};
    if (*at == '"' && next[-1] == '"') {
        json->token++;
        return true;
    }
    if (!fast_json_number(begin, (struct cell){at, (size_t)(next - at)}, &number))
        return seebatch_io_json_take_value(json, 1, value);
    *value = (struct value){KIND_NUMBER, false, at, (size_t)(next - at), json->token++};
    return true;
}

bool seebatch_io_take_object_fast(struct block *block, struct record *record, struct json *json,
                                  struct guesses *guesses, struct object *object)
{
    const char *begin = block->in.data, *end = bytes_end(&block->in);
    struct value other, *value;
    begin_object(object);
    if (json->bad || json_next(json) != '{' || (json->escapes && memchr(record->bytes, '\\', record->length) != NULL))
        return false;
    for (size_t place = 0;; place++) {
        json->token++;
        /* name, colon, value and what follows */
        const char *name = json_at(json);
        if (json->token[3] >= json->limit || *name != '"' || end - name < GUESSED_BYTES)
            return false;
        const int member =
            is_guessed(guesses, place, name) ? guesses->members[place].member : take_name(block, json, guesses, place);
        if (member < 0)
            return false;
        json->token += 2;
        value = member < N_VALUES ? &object->members[member] : &other;
        if (member < N_VALUES && value->kind != KIND_NONE)
            return false;
        if (member >= N_MEMBERS)
            record->has |= FIELD_COLUMNS;
        if (!(member == MEMBER_EVALS && seebatch_io_skip_evals(json, value, &object->deepest)) &&
            !take_value(json, begin, value))
            return false;
        if (json_next(json) != ',')
            break;
    }
    return json_take(json, '}') && *json->token >= json->limit;
}
