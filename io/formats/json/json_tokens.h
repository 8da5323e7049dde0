/*
 * Finds where the tokens of JSON begin, by simdjson (json_tokens.cc). json_text.c reads values by them.
 *
 * A token is one of { } [ ] , : or a string, a number or a word, of which its first character is named.
 */
#ifndef SEEBATCH_IO_JSON_TOKENS_H
#define SEEBATCH_IO_JSON_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds tokens, and keeps those of one text. NULL is one that has found none. */
struct json_finder;

enum { JSON_SENTINELS = 16 };

enum json_found { JSON_FOUND, JSON_BAD_STRING, JSON_NO_MEMORY };

#ifdef SEEBATCH_JSON
enum { JSON_IS_READ = 1 };

/* The places of all tokens of a text, which has a length above 0 and below 4 GiB, and after them JSON_SENTINELS times
 * its length, for who looks ahead. They last until the finder is asked again. JSON_BAD_STRING: a string does not end, has
 * a control character, or something in the text is not UTF-8. Nothing is read after the text. */
enum json_found seebatch_io_json_find(struct json_finder **finder, const char *text, size_t length,
                                      const uint32_t **tokens);

void seebatch_io_json_finder_free(struct json_finder *finder);
#else /* this build has no simdjson: nothing is read (jsonl.c) */
enum { JSON_IS_READ = 0 };

static inline enum json_found seebatch_io_json_find(struct json_finder **finder, const char *text, size_t length,
                                                    const uint32_t **tokens)
{
    (void)finder, (void)text, (void)length, (void)tokens;
    return JSON_NO_MEMORY;
}

static inline void seebatch_io_json_finder_free(struct json_finder *finder) { (void)finder; }
#endif

#ifdef __cplusplus
}
#endif

#endif
