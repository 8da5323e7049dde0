/*
 * JSON as text: reading it value by value, and strings (json_text.c). jsonl.c makes records of it.
 */
#ifndef SEEBATCH_IO_JSON_TEXT_H
#define SEEBATCH_IO_JSON_TEXT_H

#include "format.h"

/* Objects and arrays within one another, that of the line included. */
enum { JSON_DEEPEST = 64 };

struct json {
    const char *at, *end;
    bool too_deep; /* it was found to be bad because more than JSON_DEEPEST lie within one another */
};

enum kind { KIND_NONE, KIND_STRING, KIND_NUMBER, KIND_NULL, KIND_ARRAY, KIND_OBJECT, KIND_OTHER };

/* A value, or a name: of strings what stands between the quotes, of arrays and objects all with the brackets. */
struct value {
    enum kind kind;
    const char *text;
    size_t length;
    bool escaped;
};

/* The next character behind blanks; 0 at the end. */
char seebatch_io_json_next(struct json *json);

/* Takes that character; false if it is another. */
bool seebatch_io_json_take(struct json *json, char c);

/* A string, from its first quote on. */
bool seebatch_io_json_skip_string(struct json *json, struct value *value);

/* A value of any kind, at a depth of nesting; false if it is not good JSON. */
bool seebatch_io_json_skip_value(struct json *json, int depth, struct value *value);

/* The text of a string, whose form is good: its escapes replaced, in scratch, which must not have to grow. */
struct cell seebatch_io_json_plain_text(struct bytes *scratch, const struct value *value);

/* Writes a string in quotes; false if it is not UTF-8. */
bool seebatch_io_json_add_string(struct bytes *out, struct cell text);

#endif
