/*
 * Declares the functions that read JSON value by value, and those for its strings (json_text.c). jsonl.c makes records
 * of it.
 */
#ifndef SEEBATCH_IO_JSON_TEXT_H
#define SEEBATCH_IO_JSON_TEXT_H

#include "formats/format.h"
#include "json_tokens.h"

/* Objects and arrays may stand so deep within one another, that of the line included. */
enum { JSON_DEEPEST = 64 };

/* A line, and how far it was read. */
struct json {
    const char *base; /* the text whose tokens were found, perhaps of several lines */
    const uint32_t
        *token;        /* the next one: where it begins in base. The last is followed by one at the limit or after it */
    size_t limit;      /* where the line ends in base */
    bool escapes;      /* there may be a backslash in it */
    bool good;         /* it is known to be good JSON */
    bool bad;          /* a string in it is bad, after which there are no tokens */
    const char *fault; /* where it was found not to be as in JSON; NULL: it was not */
    bool too_deep;     /* because more than JSON_DEEPEST lie within one another */
};

enum kind { KIND_NONE, KIND_STRING, KIND_NUMBER, KIND_NULL, KIND_ARRAY, KIND_OBJECT, KIND_OTHER };

/* A value, or a name. Of strings it is what stands between the quotes, and of arrays and objects all with the
 * brackets. */
struct value {
    enum kind kind;
    bool escaped;
    const char *text;
    size_t length;
    const uint32_t *token;
};

/* Begins to read a text of one line or more, without the end of the last, whose tokens it finds; they last until more
 * are found with the same finder, or with spare. Of a line that is alone, false only without memory; of more also where
 * one of them is bad: they are to be read one by one then. Spare is used up to the places of bad lines' tokens. */
bool seebatch_io_json_begin(struct json *json, struct json_finder **finder, struct bytes *spare, struct cell text,
                            bool alone);

/* Goes to the next line of that text. */
void seebatch_io_json_begin_line(struct json *json, const char *line, const char *end);

/* Returns the first character of the next token, or 0 at the end. */
static inline char json_next(const struct json *json)
{
    return *json->token < json->limit ? json->base[*json->token] : '\0';
}

/* Takes a token of one character; false if the next is another. */
static inline bool json_take(struct json *json, char c)
{
    if (json_next(json) != c)
        return false;
    json->token++;
    return true;
}

/* Where the next token begins, or the end. */
static inline const char *json_at(const struct json *json)
{
    return json->base + (*json->token < json->limit ? *json->token : json->limit);
}

/* Takes a value of any kind, at a depth of nesting. False, and json->fault, if it is not good JSON. */
bool seebatch_io_json_take_value(struct json *json, int depth, struct value *value);

/* The next member of an object, the first from its bracket on. False after the last one, and where something is not
 * good: json->fault. */
bool seebatch_io_json_take_member(struct json *json, bool first, struct value *name, struct value *value);

/* The end of the line, after what was taken well; false, and json->fault, if there is more. */
bool seebatch_io_json_take_end(struct json *json);

/* The text of a value that is good, to be read from its first token on. */
struct json seebatch_io_json_inside(const struct json *json, const struct value *value);

/* The text of a string, whose form is good: its escapes replaced, in scratch, which must not have to grow. */
struct cell seebatch_io_json_plain_text(struct bytes *scratch, const struct value *value);

/* Whether it has an escape for half of a surrogate pair, which no text has: json_plain_text() puts U+FFFD there. */
bool seebatch_io_json_is_no_text(const struct value *value);

/* The text of a string as the cell of a table (cells.c): as json_plain_text(), or the string as it stands, with its quotes,
 * where a row could not hold the text, or where it is none. */
struct cell seebatch_io_json_cell(struct bytes *scratch, const struct value *value);

/* Writes a string in quotes; false if it is not UTF-8. */
bool seebatch_io_json_add_string(struct bytes *out, struct cell text);

/* Whether characters are a string of JSON, in quotes, that has an escape; or a number, true, false or null. */
bool seebatch_io_json_is_escaped(struct cell text);
bool seebatch_io_json_is_simple(struct cell text);

#endif
