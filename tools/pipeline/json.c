/*
 * JSON lines: an object a line.
 *
 * The members fen (or position), move, score, result and ply are known: strings, integers, and for result 1, 0.5 or 0
 * as a number or any of its texts. null is as good as nothing. Others may be anything and are passed over, but the
 * whole line must be one object of good JSON. Reading goes over the line once, without building what it holds: jansson
 * would take several times as long as everything else together.
 */
#include "../../src/quote.h"
#include "pipeline.h"

/* ---- Reading of JSON -------------------------------------------------------------------------------------------- */

struct json {
    const char *at, *end;
};

enum kind { KIND_NONE, KIND_STRING, KIND_NUMBER, KIND_NULL, KIND_OTHER };

/* A value, or a name: of strings what stands between the quotes. */
struct value {
    enum kind kind;
    const char *text;
    size_t length;
    bool escaped;
};

enum { DEEPEST = 64 };

static bool skip_value(struct json *json, int depth, struct value *value);

static char next_token(struct json *json)
{
    while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' || *json->at == '\r'))
        json->at++;
    return json->at < json->end ? *json->at : '\0';
}

static bool take_char(struct json *json, char c)
{
    if (next_token(json) != c)
        return false;
    json->at++;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool skip_escape(struct json *json)
{
    char c = json->at < json->end ? *json->at++ : '\0';
    if (c != 'u')
        return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
    for (int i = 0; i < 4; i++)
        if (json->at == json->end || hex_digit(*json->at++) < 0)
            return false;
    return true;
}

static bool is_plain(unsigned char c) { return c >= ' ' && c < 0x80 && c != '"' && c != '\\'; }

/* Of eight bytes, a high bit in those that are 0; above the lowest of them perhaps in others, too. */
static uint64_t zero_bytes(uint64_t bytes) { return (bytes - UINT64_C(0x0101010101010101)) & ~bytes; }

/* The first character from at on that is not simply itself: a quote, a backslash, a control character, or a byte of a
 * longer one. Eight at a time, as long as there is none among them. */
static const char *skip_plain(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        const uint64_t each = UINT64_C(0x0101010101010101);
        uint64_t bytes;
        memcpy(&bytes, at, sizeof bytes);
        const uint64_t controls = (bytes - ' ' * each) & ~bytes;
        if ((bytes | controls | zero_bytes(bytes ^ '"' * each) | zero_bytes(bytes ^ '\\' * each)) & 0x80 * each)
            break;
    }
    while (at < end && is_plain((unsigned char)*at))
        at++;
    return at;
}

/* A string, from its first quote on. */
static bool skip_string(struct json *json, struct value *value)
{
    bool high = false;
    if (!take_char(json, '"'))
        return false;
    *value = (struct value){KIND_STRING, json->at, 0, false};
    while ((json->at = skip_plain(json->at, json->end)) < json->end && *json->at != '"') {
        const char c = *json->at++;
        if (c == '\\') {
            value->escaped = true;
            if (!skip_escape(json))
                return false;
        } else if ((unsigned char)c < ' ') {
            return false;
        } else {
            high = true;
        }
    }
    value->length = (size_t)(json->at - value->text);
    return take_char(json, '"') && (!high || is_utf8(value->text, value->length));
}

static bool skip_digits(struct json *json)
{
    const char *first = json->at;
    while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
        json->at++;
    return json->at > first;
}

static bool skip_number(struct json *json, struct value *value)
{
    *value = (struct value){KIND_NUMBER, json->at, 0, false};
    json->at += *json->at == '-';
    bool zero = json->at < json->end && *json->at == '0';
    const char *digits = json->at;
    if (!skip_digits(json) || (zero && json->at > digits + 1))
        return false;
    if (json->at < json->end && *json->at == '.' && (json->at++, !skip_digits(json)))
        return false;
    if (json->at < json->end && (*json->at == 'e' || *json->at == 'E')) {
        json->at++;
        json->at += json->at < json->end && (*json->at == '+' || *json->at == '-');
        if (!skip_digits(json))
            return false;
    }
    value->length = (size_t)(json->at - value->text);
    return true;
}

static bool skip_word(struct json *json, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0)
        return false;
    json->at += length;
    return true;
}

/* An array or the inside of an object, whose bracket is the next character. */
static bool skip_nested(struct json *json, int depth)
{
    const bool object = *json->at == '{';
    const char last = object ? '}' : ']';
    struct value value;
    json->at++;
    if (take_char(json, last))
        return true;
    do {
        if (object && (!skip_string(json, &value) || !take_char(json, ':')))
            return false;
        if (!skip_value(json, depth + 1, &value))
            return false;
    } while (take_char(json, ','));
    return take_char(json, last);
}

static bool skip_value(struct json *json, int depth, struct value *value)
{
    char c = next_token(json);
    value->kind = KIND_OTHER;
    if (c == '"')
        return skip_string(json, value);
    if (c == '-' || (c >= '0' && c <= '9'))
        return skip_number(json, value);
    if (c == '{' || c == '[')
        return depth < DEEPEST && skip_nested(json, depth);
    if (c == 'n') {
        value->kind = KIND_NULL;
        return skip_word(json, "null");
    }
    return c == 't' ? skip_word(json, "true") : c == 'f' && skip_word(json, "false");
}

/* ---- Strings ---------------------------------------------------------------------------------------------------- */

static unsigned read_hex(const char *text)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++)
        code = 16 * code + (unsigned)hex_digit(text[i]);
    return code;
}

static void add_utf8(struct bytes *out, unsigned code)
{
    if (code < 0x80) {
        bytes_add_char(out, (char)code);
    } else if (code < 0x800) {
        bytes_add_char(out, (char)(0xc0 | code >> 6));
        bytes_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        bytes_add_char(out, (char)(0xe0 | code >> 12));
        bytes_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        bytes_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        bytes_add_char(out, (char)(0xf0 | code >> 18));
        bytes_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        bytes_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        bytes_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* What stands behind \u; two surrogates are one character, a lone one is U+FFFD. */
static unsigned take_code(const char **at, const char *end)
{
    unsigned code = read_hex(*at);
    *at += 4;
    if (code < 0xd800 || code >= 0xe000)
        return code;
    if (code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        unsigned low = read_hex(*at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            return 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
        }
    }
    return 0xfffd;
}

/* The text of a string, whose form is good: its escapes replaced, in scratch, which must not have to grow. */
static struct cell plain_text(struct bytes *scratch, const struct value *value)
{
    static const char letters[] = "bfnrt", meaning[] = "\b\f\n\r\t";
    if (!value->escaped)
        return (struct cell){value->text, value->length};
    const char *at = value->text, *end = at + value->length;
    size_t begin = scratch->used;
    while (at < end) {
        char c = *at++;
        if (c != '\\') {
            bytes_add_char(scratch, c);
        } else if ((c = *at++) == 'u') {
            add_utf8(scratch, take_code(&at, end));
        } else {
            const char *letter = strchr(letters, c);
            bytes_add_char(scratch, letter != NULL ? meaning[letter - letters] : c);
        }
    }
    return (struct cell){scratch->data + begin, scratch->used - begin};
}

/* ---- Records ---------------------------------------------------------------------------------------------------- */

enum { MEMBER_FEN = N_FIELDS, N_MEMBERS };

/* Which known member a name means, or -1. */
static int known_member(struct cell name)
{
    static const struct {
        char name[9];
        uint8_t length, member;
    } known[] = {{"fen", 3, MEMBER_FEN}, {"position", 8, MEMBER_FEN}, {"move", 4, 0}, {"score", 5, 1}, {"result", 6, 2},
                 {"ply", 3, 3}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].length == name.length && memcmp(known[i].name, name.text, name.length) == 0)
            return known[i].member;
    return -1;
}

/* Takes the object apart; its known members. */
static bool take_object(struct block *block, struct record *record, const char *end, struct value members[N_MEMBERS])
{
    struct json json = {record->bytes, end};
    struct value name, value;
    bool well = take_char(&json, '{'), more = well && next_token(&json) != '}';
    while (more && well) {
        well = skip_string(&json, &name) && take_char(&json, ':') && skip_value(&json, 1, &value);
        const struct cell known = well ? plain_text(&block->scratch, &name) : (struct cell){"", 0};
        const int member = known_member(known);
        if (member < 0 && is_added(block->source->target, known)) {
            complain(block, record, "the object has a member '%s' already, expected to add one of that name",
                     see_quote(known.text, known.length).text);
            return false;
        }
        if (member >= 0 && members[member].kind != KIND_NONE) {
            complain(block, record, "the object has '%s' twice (fen and position are the same), expected it once",
                     see_quote(name.text, name.length).text);
            return false;
        }
        if (member >= 0)
            members[member] = value;
        else
            record->has |= FIELD_OTHER;
        more = well && take_char(&json, ',');
    }
    if (!well || !take_char(&json, '}') || next_token(&json) != '\0' || json.at != json.end) {
        complain(block, record,
                 "byte %zu of the line is not as in JSON, expected one object such as {\"fen\": \"...\"}",
                 (size_t)(json.at - record->bytes) + 1);
        return false;
    }
    return true;
}

/* The text of a member, which is empty where there is none; complains if its kind is not one of two. */
static bool member_text(struct block *block, struct record *record, const char *name, const struct value *value,
                        enum kind kind, enum kind other, struct cell *text)
{
    *text = (struct cell){"", 0};
    if (value->kind == KIND_NONE || value->kind == KIND_NULL)
        return true;
    if (value->kind != kind && value->kind != other) {
        complain(block, record, "the %s is not %s, expected one", name, kind == KIND_STRING ? "a string" : "a number");
        return false;
    }
    *text = value->kind == KIND_STRING ? plain_text(&block->scratch, value) : (struct cell){value->text, value->length};
    return true;
}

static bool read_object(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct value members[N_MEMBERS] = {{KIND_NONE, NULL, 0, false}};
    struct cell fen, move, score, result, ply;
    if (!take_object(block, record, end, members) ||
        !member_text(block, record, "position", &members[MEMBER_FEN], KIND_STRING, KIND_STRING, &fen) ||
        !member_text(block, record, "move", &members[0], KIND_STRING, KIND_STRING, &move) ||
        !member_text(block, record, "score", &members[1], KIND_NUMBER, KIND_NUMBER, &score) ||
        !member_text(block, record, "result", &members[2], KIND_NUMBER, KIND_STRING, &result) ||
        !member_text(block, record, "ply", &members[3], KIND_NUMBER, KIND_NUMBER, &ply))
        return false;
    if (members[MEMBER_FEN].kind != KIND_STRING) {
        complain(block, record, "the object has no fen, expected a member fen or position that is a string");
        return false;
    }
    return read_position(block, record, position, fen.text, fen.length) &&
           (move.length == 0 || read_move(block, record, position, move.text, move.length)) &&
           (score.length == 0 || read_score(block, record, score.text, score.length)) &&
           (result.length == 0 || read_result(block, record, result.text, result.length)) &&
           (ply.length == 0 || read_ply(block, record, ply.text, ply.length));
}

static bool read_objects(struct cursor *cursor, struct batch *batch)
{
    bytes_reserve(&cursor->block->scratch, cursor->block->in.used); /* so that it does not move */
    return read_lines(cursor, batch, false, read_object);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* A string in quotes; false if it is not UTF-8. */
static bool add_string(struct bytes *out, struct cell text)
{
    static const char hex[] = "0123456789abcdef";
    bytes_add_char(out, '"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.text[i];
        if (c < ' ') {
            bytes_add_string(out, "\\u00");
            bytes_add_char(out, hex[c >> 4]);
            bytes_add_char(out, hex[c & 15]);
            continue;
        }
        if (c == '"' || c == '\\')
            bytes_add_char(out, '\\');
        bytes_add_char(out, (char)c);
    }
    bytes_add_char(out, '"');
    return is_utf8(text.text, text.length);
}

static void add_name(struct bytes *out, const char *name)
{
    bytes_add_string(out, ", \"");
    bytes_add_string(out, name);
    bytes_add_string(out, "\": ");
}

/* The line of a record that came as JSON, but for its last bracket. */
static void add_open_object(struct bytes *out, const struct record *record)
{
    size_t length = record->length;
    while (record->bytes[length - 1] != '}')
        length--;
    bytes_add(out, record->bytes, length - 1);
}

static bool write_object(struct block *block, const struct target *target, const struct record *record,
                         const seebatch_position *position, const struct cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    bool well = true;
    if (block->source->format == target->format) {
        add_open_object(out, record);
    } else {
        bytes_add_string(out, "{\"fen\": ");
        well = add_string(out, text_of_position(record, position, room));
        for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1) {
            if (target->fields & record->has & field) {
                struct cell text = text_of_field(record, field, room);
                add_name(out, field_name(field));
                if (field == FIELD_MOVE)
                    add_string(out, text);
                else
                    bytes_add(out, text.text, text.length);
            }
        }
    }
    for (size_t i = 0; i < target->n_added; i++) {
        add_name(out, target->added[i].name);
        if (cells[i].length == 0)
            bytes_add_string(out, "null");
        else if (target->added[i].text)
            add_string(out, cells[i]);
        else
            bytes_add(out, cells[i].text, cells[i].length);
    }
    bytes_add_string(out, "}\n");
    if (!well)
        *why = "the position is not valid UTF-8, as JSON needs";
    return well;
}

const struct file_format jsonl_format = {
    .name = "jsonl",
    .endings = {".jsonl", ".ndjson"},
    .what = "JSON lines: objects with fen, move, score, result, ply, others",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .keeps_text = true,
    .holds_more = true,
    .whole = whole_lines,
    .boundary = line_boundary,
    .read = read_objects,
    .write = write_object,
    .loses = loses_ply,
};
