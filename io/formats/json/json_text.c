/*
 * Reads and writes JSON as text: what a line of it holds, and strings written in it.
 *
 * simdjson finds where tokens begin, and that strings are good (json_tokens.cc); here they are put together to values,
 * and escapes, numbers and words are looked at. A line with a bad string, for which it finds nothing, is divided into
 * tokens byte by byte, so that the place of its first fault can be said.
 */
#include "json_text.h"

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_bracket_or_mark(char c) { return c != '\0' && strchr("{}[]:,", c) != NULL; }

/* How many characters an escape has, from its backslash on; 0 if it is none. */
static size_t length_of_escape(const char *at, const char *end)
{
    enum { SHORT = 2, LONG = 6 };
    if (end - at < SHORT || at[1] == '\0' || strchr("\"\\/bfnrtu", at[1]) == NULL)
        return 0;
    if (at[1] != 'u')
        return SHORT;
    for (int i = SHORT; i < LONG; i++)
        if (end - at <= i || hex_digit(at[i]) < 0)
            return 0;
    return LONG;
}

/* Where a string ends, from the character after its first quote on: its last quote, or the first byte or escape that
 * may not stand there, or the end. */
static const char *end_of_string(const char *at, const char *end)
{
    while (at < end && *at != '"') {
        const char *next = at;
        if (*at == '\\')
            next += length_of_escape(at, end);
        else if ((unsigned char)*at >= 0x80)
            next = seebatch_io_skip_utf8(at, end);
        else
            next += (unsigned char)*at >= ' ';
        if (next == at)
            break;
        at = next;
    }
    return at;
}

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

static void add_token(struct bytes *tokens, size_t place)
{
    const uint32_t token = (uint32_t)place;
    bytes_add(tokens, (const char *)&token, sizeof token);
}

/* The tokens of a line in which a string is bad, up to that string. */
static bool find_slowly(struct bytes *tokens, struct cell text)
{
    const char *at = text.text, *end = at + text.length;
    bool begun = false; /* a number or a word */
    tokens->used = 0;
    while (at < end) {
        const bool alone = is_bracket_or_mark(*at);
        if (*at == '"' || alone || !(begun || is_blank(*at)))
            add_token(tokens, (size_t)(at - text.text));
        begun = *at != '"' && !alone && !is_blank(*at);
        if (*at++ == '"' && ((at = end_of_string(at, end)) == end || *at++ != '"'))
            break;
    }
    add_token(tokens, text.length);
    return !tokens->failed;
}

bool seebatch_io_json_begin(struct json *json, struct json_finder **finder, struct bytes *spare, struct cell text,
                            bool alone)
{
    memset(json, 0, sizeof *json);
    json->base = text.text;
    json->limit = text.length;
    switch (seebatch_io_json_find(finder, text.text, text.length, &json->token)) {
    case JSON_FOUND: json->escapes = memchr(text.text, '\\', text.length) != NULL; return true;
    case JSON_NO_MEMORY: spare->failed = true; return false;
    case JSON_BAD_STRING: break;
    }
    if (!alone || !find_slowly(spare, text))
        return false;
    json->bad = true;
    json->token = (const void *)spare->data;
    return true;
}

void seebatch_io_json_begin_line(struct json *json, const char *line, const char *end)
{
    json->limit = (size_t)(end - json->base);
    json->fault = NULL;
    json->too_deep = false;
    while (*json->token < (size_t)(line - json->base))
        json->token++;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static inline bool fail_at(struct json *json, const char *at)
{
    json->fault = at;
    return false;
}

/* Reads a string. Returns false, and sets json->fault, if it is not good. */
static bool take_string(struct json *json, struct value *value)
{
    if (json_next(json) != '"')
        return fail_at(json, json_at(json));
    *value = (struct value){KIND_STRING, false, json_at(json) + 1, 0, json->token};
    json->token++;
    const char *end = json_at(json);
    if (json->bad) {
        end = end_of_string(value->text, json->base + json->limit);
        if (end == json->base + json->limit || *end != '"')
            return fail_at(json, end);
    } else {
        while (*--end != '"') /* blanks are between it and the next token */
            ;
    }
    value->length = (size_t)(end - value->text);
    value->escaped = (json->escapes || json->bad) && memchr(value->text, '\\', value->length) != NULL;
    if (!value->escaped || json->good)
        return true;
    const char *good = end_of_string(value->text, end);
    return good == end || fail_at(json, good);
}

static inline const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* Skips a number; false at its first wrong character. */
static inline bool skip_number(const char **at, const char *end)
{
    const char *digits = *at += **at == '-';
    *at = digits < end && *digits == '0' ? digits + 1 : skip_digits(digits, end);
    if (*at == digits)
        return false;
    if (*at < end && **at == '.') {
        digits = ++*at;
        if ((*at = skip_digits(digits, end)) == digits)
            return false;
    }
    if (*at < end && (**at == 'e' || **at == 'E')) {
        ++*at;
        digits = *at += *at < end && (**at == '+' || **at == '-');
        if ((*at = skip_digits(digits, end)) == digits)
            return false;
    }
    return true;
}

static bool skip_word(const char **at, const char *end)
{
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(end - *at) < length || memcmp(*at, words[i], length) != 0)
            continue;
        *at += length;
        return true;
    }
    return false;
}

/* Reads a number or a word. */
static inline bool take_word(struct json *json, char c, struct value *value)
{
    const bool number = c == '-' || is_digit(c);
    const char *at = json_at(json);
    *value = (struct value){number ? KIND_NUMBER : c == 'n' ? KIND_NULL : KIND_OTHER, false, at, 0, json->token};
    if (!(number ? skip_number : skip_word)(&at, json->base + json->limit))
        return fail_at(json, at);
    json->token++;
    value->length = (size_t)(at - value->text);
    return at == json_at(json) || is_blank(*at) || fail_at(json, at);
}

/* Skips a string. Where there are no escapes nothing in it is left to be looked at. */
static inline bool pass_string(struct json *json)
{
    struct value value;
    if (json->escapes || json->bad)
        return take_string(json, &value);
    return json_take(json, '"') || fail_at(json, json_at(json));
}

/* Takes the name of a member, and the colon. */
static inline bool take_name(struct json *json)
{
    return pass_string(json) && (json_take(json, ':') || fail_at(json, json_at(json)));
}

/* Skips an array or object that is good, from its bracket on. */
static void pass_nested(struct json *json)
{
    int open = 0;
    do {
        const char c = json->base[*json->token++];
        open += (c == '{' || c == '[') - (c == '}' || c == ']');
    } while (open > 0);
}

/* Takes an array or object, from its bracket on. */
static bool take_nested(struct json *json, int depth)
{
    uint64_t objects = 0; /* of those around, the innermost lowest: a bit if it is an object */
    int open = 0;
    struct value value;
    do {
        const char c = json_next(json);
        if (c == '{' || c == '[') {
            json->too_deep = depth + open >= JSON_DEEPEST;
            if (json->too_deep)
                return fail_at(json, json_at(json));
            json->token++;
            objects = objects << 1 | (c == '{');
            open++;
            if (json_next(json) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !take_name(json))
                    return false;
                continue;
            }
        } else if (!(c == '"' ? pass_string(json) : take_word(json, c, &value))) {
            return false;
        }
        for (; open > 0 && json_take(json, objects & 1 ? '}' : ']'); open--)
            objects >>= 1;
        if (open > 0 && !json_take(json, ','))
            return fail_at(json, json_at(json));
        if (open > 0 && objects & 1 && !take_name(json))
            return false;
    } while (open > 0);
    return true;
}

bool seebatch_io_json_take_value(struct json *json, int depth, struct value *value)
{
    const char c = json_next(json);
    if (c == '"')
        return take_string(json, value);
    if (c != '{' && c != '[')
        return take_word(json, c, value);
    *value = (struct value){c == '{' ? KIND_OBJECT : KIND_ARRAY, false, json_at(json), 0, json->token};
    if (json->good)
        pass_nested(json);
    else if (!take_nested(json, depth))
        return false;
    value->length = (size_t)(json->base + json->token[-1] + 1 - value->text);
    return true;
}

bool seebatch_io_json_take_member(struct json *json, bool first, struct value *name, struct value *value)
{
    if (first && !json_take(json, '{'))
        return fail_at(json, json_at(json));
    if (json_take(json, '}') || (!first && !json_take(json, ',') && !fail_at(json, json_at(json))))
        return false;
    return take_string(json, name) && (json_take(json, ':') || fail_at(json, json_at(json))) &&
           seebatch_io_json_take_value(json, 1, value);
}

bool seebatch_io_json_take_end(struct json *json)
{
    return json->fault == NULL && (*json->token >= json->limit || fail_at(json, json_at(json)));
}

struct json seebatch_io_json_inside(const struct json *json, const struct value *value)
{
    struct json inside = *json;
    inside.token = value->token;
    inside.limit = (size_t)(value->text + value->length - json->base);
    inside.good = true;
    return inside;
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

/* What stands after \u; two surrogates are one character. False for a lone one, in whose place is U+FFFD. */
static bool take_code(const char **at, const char *end, unsigned *code)
{
    *code = read_hex(*at);
    *at += 4;
    if (*code < 0xd800 || *code >= 0xe000)
        return true;
    if (*code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        unsigned low = read_hex(*at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            *code = 0x10000 + (*code - 0xd800) * 0x400 + (low - 0xdc00);
            return true;
        }
    }
    *code = 0xfffd;
    return false;
}

/* The text of a string, whose form is good: its escapes replaced, in scratch, which must not have to grow. */
struct cell seebatch_io_json_plain_text(struct bytes *scratch, const struct value *value)
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
            unsigned code;
            take_code(&at, end, &code);
            add_utf8(scratch, code);
        } else {
            const char *letter = strchr(letters, c);
            bytes_add_char(scratch, letter != NULL ? meaning[letter - letters] : c);
        }
    }
    return (struct cell){scratch->data + begin, scratch->used - begin};
}

bool seebatch_io_json_is_no_text(const struct value *value)
{
    const char *at = value->text, *end = at + value->length;
    unsigned code;
    bool text = true;
    while (value->escaped && text && (at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
        at += 2;
        text = at[-1] != 'u' || take_code(&at, end, &code);
    }
    return !text;
}

struct cell seebatch_io_json_cell(struct bytes *scratch, const struct value *value)
{
    const size_t begin = scratch->used;
    const struct cell plain = seebatch_io_json_plain_text(scratch, value);
    if (!value->escaped ||
        (memchr(plain.text, '\0', plain.length) == NULL && memchr(plain.text, '\n', plain.length) == NULL &&
         memchr(plain.text, '\r', plain.length) == NULL && !seebatch_io_json_is_escaped(plain) &&
         !seebatch_io_json_is_no_text(value)))
        return plain;
    scratch->used = begin;
    return (struct cell){value->text - 1, value->length + 2};
}

/* A string in quotes; false if it is not UTF-8. */
bool seebatch_io_json_add_string(struct bytes *out, struct cell text)
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
    return seebatch_io_is_utf8(text.text, text.length);
}

bool seebatch_io_json_is_escaped(struct cell text)
{
    enum { SHORTEST = sizeof "\"\\n\"" - 1 };
    if (text.length < SHORTEST || *text.text != '"' || memchr(text.text, '\\', text.length) == NULL)
        return false;
    const char *end = text.text + text.length - 1;
    return *end == '"' && end_of_string(text.text + 1, end) == end;
}

bool seebatch_io_json_is_simple(struct cell text)
{
    const char *at = text.text, *end = at + text.length;
    return text.length > 0 && (*at == '-' || is_digit(*at) ? skip_number(&at, end) : skip_word(&at, end)) && at == end;
}
