/*
 * JSON as text: what a line of it holds, and strings written in it.
 *
 * Reading goes over the text once, without building what it holds: jansson would take several times as long as
 * everything else together.
 */
#include "json_text.h"

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

char seebatch_io_json_next(struct json *json)
{
    while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' || *json->at == '\r'))
        json->at++;
    return json->at < json->end ? *json->at : '\0';
}

bool seebatch_io_json_take(struct json *json, char c)
{
    if (seebatch_io_json_next(json) != c)
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
bool seebatch_io_json_skip_string(struct json *json, struct value *value)
{
    bool high = false;
    if (!seebatch_io_json_take(json, '"'))
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
    return seebatch_io_json_take(json, '"') && (!high || seebatch_io_is_utf8(value->text, value->length));
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
    if (seebatch_io_json_take(json, last))
        return true;
    do {
        if (object && (!seebatch_io_json_skip_string(json, &value) || !seebatch_io_json_take(json, ':')))
            return false;
        if (!seebatch_io_json_skip_value(json, depth + 1, &value))
            return false;
    } while (seebatch_io_json_take(json, ','));
    return seebatch_io_json_take(json, last);
}

bool seebatch_io_json_skip_value(struct json *json, int depth, struct value *value)
{
    char c = seebatch_io_json_next(json);
    *value = (struct value){KIND_OTHER, json->at, 0, false};
    if (c == '"')
        return seebatch_io_json_skip_string(json, value);
    if (c == '-' || (c >= '0' && c <= '9'))
        return skip_number(json, value);
    if (c == '{' || c == '[') {
        json->too_deep |= depth >= JSON_DEEPEST;
        const bool well = !json->too_deep && skip_nested(json, depth);
        value->kind = c == '{' ? KIND_OBJECT : KIND_ARRAY;
        value->length = (size_t)(json->at - value->text);
        return well;
    }
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
            add_utf8(scratch, take_code(&at, end));
        } else {
            const char *letter = strchr(letters, c);
            bytes_add_char(scratch, letter != NULL ? meaning[letter - letters] : c);
        }
    }
    return (struct cell){scratch->data + begin, scratch->used - begin};
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
