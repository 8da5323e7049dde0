/*
 * Reads words, UTF-8 characters, numbers and game results from text, for the formats and for the tool.
 */
#ifndef SEEBATCH_IO_TEXT_H
#define SEEBATCH_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF_LIKE(format_index, first) __attribute__((format(printf, format_index, first)))

/* The ending of a noun that follows this number. */
static inline const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* So many error reports of a file are shown; the others are counted. */
enum { MOST_ERROR_REPORTS = 50 };

/* Letters of ASCII, whatever the locale says, which may know others, or have no i for I. */
static inline char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
static inline bool is_letter_or_digit(char c)
{
    const char lower = lower_letter(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

/* Whether two texts of this length are the same, in capitals or not. */
bool seebatch_io_same_letters(const char *a, const char *b, size_t length);

/* The next word, separated by blanks, from *text on, which is moved after it; false if there is none before end. */
bool seebatch_io_next_word(const char **text, const char *end, const char **word, size_t *length);

/* The character after the first one of text that is not empty; text itself if that is not UTF-8. */
const char *seebatch_io_skip_utf8(const char *text, const char *end);

/* Reads an integer that has nothing around it. */
bool seebatch_io_read_whole_number(const char *text, size_t length, int64_t low, int64_t high, int64_t *number);

/* Reads a result of a game: SEEBATCH_BLACK_WINS, _DRAW or _WHITE_WINS; returns false if it is none. */
bool seebatch_io_result_of_text(const char *text, size_t length, uint8_t *result);

/* Whether text is well-formed UTF-8, as JSON needs. */
bool seebatch_io_is_utf8(const char *text, size_t length);

/* Whether a file of positions, as text or not, may begin with these bytes; if not, why says what it is and what was
 * expected. */
struct bytes;
bool seebatch_io_may_be(bool text, const char *bytes, size_t length, struct bytes *why);

#endif
