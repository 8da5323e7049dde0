/*
 * Reads words, characters and numbers of text.
 */
#include "text.h"

#include "bytes.h"
#include "seebatch_io.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool seebatch_io_same_letters(const char *a, const char *b, size_t length)
{
    size_t same = 0;
    while (same < length && lower_letter(a[same]) == lower_letter(b[same]))
        same++;
    return same == length;
}

bool seebatch_io_next_word(const char **text, const char *end, const char **word, size_t *length)
{
    const char *first = *text;
    while (first < end && is_blank(*first))
        first++;
    const char *last = first;
    while (last < end && !is_blank(*last))
        last++;
    *text = last;
    *word = first;
    *length = (size_t)(last - first);
    return first < last;
}

bool seebatch_io_read_whole_number(const char *text, size_t length, int64_t low, int64_t high, int64_t *number)
{
    enum { MOST_DIGITS = 15 };
    bool sign = length > 0 && (*text == '-' || *text == '+');
    int64_t value = 0;
    if (length == sign || length > MOST_DIGITS)
        return false;
    for (size_t i = sign; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (text[i] - '0');
    }
    *number = sign && *text == '-' ? -value : value;
    return low <= *number && *number <= high;
}

static const struct {
    const char *text;
    uint8_t result;
} results[] = {
    {"1.0", SEEBATCH_WHITE_WINS},   {"0.5", SEEBATCH_DRAW},     {"0.0", SEEBATCH_BLACK_WINS},
    {"1", SEEBATCH_WHITE_WINS},     {"1/2", SEEBATCH_DRAW},     {"0", SEEBATCH_BLACK_WINS},
    {"1-0", SEEBATCH_WHITE_WINS},   {"1/2-1/2", SEEBATCH_DRAW}, {"0-1", SEEBATCH_BLACK_WINS},
    {"[1.0]", SEEBATCH_WHITE_WINS}, {"[0.5]", SEEBATCH_DRAW},   {"[0.0]", SEEBATCH_BLACK_WINS},
};

bool seebatch_io_result_of_text(const char *text, size_t length, uint8_t *result)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (strlen(results[i].text) == length && memcmp(results[i].text, text, length) == 0) {
            *result = results[i].result;
            return true;
        }
    }
    return false;
}

/* The bytes that follow the first of a character, and the least and the most that the second may be. */
static int followers(unsigned char c, unsigned char *low, unsigned char *high)
{
    *low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    *high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

const char *seebatch_io_skip_utf8(const char *text, const char *end)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned char low, high;
    const int more = followers(*at++, &low, &high);
    if (more < 0 || end - text <= more)
        return text;
    for (int i = 0; i < more; i++, at++, low = 0x80, high = 0xbf)
        if (*at < low || *at > high)
            return text;
    return (const char *)at;
}

bool seebatch_io_is_utf8(const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *next; text < end; text = next)
        if ((next = seebatch_io_skip_utf8(text, end)) == text)
            return false;
    return true;
}

bool seebatch_io_may_be(bool text, const char *bytes, size_t length, struct bytes *why)
{
    static const char utf_8[] = "UTF-8, as iconv -f UTF-16 -t UTF-8 makes it";
    static const struct {
        const char *begin, *what, *expected;
        bool not_text; /* but perhaps another format */
        size_t at;     /* where it begins */
    } others[] = {
        {"\x1f\x8b\x08", "compressed by gzip", "text, or text that is compressed once", true, 0},
        {"\x28\xb5\x2f\xfd", "compressed by Zstandard", "text, or text that is compressed once", true, 0},
        {"BINP", "a binpack", "text; use --from binpack to read it as one", true, 0},
        {"ustar", "a tar file", "text; --from lc0 reads tar files of Leela's training data", true, 257},
        {"\xff\xfe", "UTF-16", utf_8, true, 0},
        {"\xfe\xff", "UTF-16", utf_8, true, 0},
        {"version https://git-lfs.", "a pointer of Git LFS", "the file itself, which git lfs pull fetches", false, 0}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const size_t at = others[i].at, n = strlen(others[i].begin);
        if ((others[i].not_text && !text) || length < at + n || memcmp(bytes + at, others[i].begin, n) != 0)
            continue;
        bytes_add_string(why, "it is ");
        bytes_add_string(why, others[i].what);
        bytes_add_string(why, ", expected ");
        bytes_add_string(why, others[i].expected);
        return false;
    }
    return true;
}
