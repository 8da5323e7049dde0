/*
 * The first stage of simdjson, for C: 64 characters at a time, it finds where tokens begin, and whether strings end,
 * have no control characters and are UTF-8. This is the only file in C++; it needs nothing of it but memory.
 *
 * simdjson's own readers of values are not taken: they refuse numbers that do not fit 64 bits, which are text here, do
 * not look at values that nobody asks for, and do not say at which byte a text is bad.
 */
#include "json_tokens.h"

#include <algorithm>

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

struct json_finder {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

/* The best for this processor, whatever the environment says: SIMDJSON_FORCE_IMPLEMENTATION may name one that is not
 * there. */
static const simdjson::implementation *implementation()
{
    return simdjson::get_available_implementations().detect_best_supported();
}

/* A finder for texts of this length; the one that there is, if it is large enough. */
static bool make(struct json_finder **finder, size_t length)
{
    const size_t LEAST = 1 << 16;
    size_t capacity = LEAST;
    while (capacity < length + JSON_SENTINELS)
        capacity *= 2;
    if (*finder == nullptr)
        *finder = new (std::nothrow) json_finder;
    if (*finder == nullptr)
        return false;
    if ((*finder)->parser != nullptr && (*finder)->parser->capacity() >= length + JSON_SENTINELS)
        return true;
    (*finder)->parser.reset();
    return implementation()->create_dom_parser_implementation(capacity, 1, (*finder)->parser) == simdjson::SUCCESS;
}

enum json_found seebatch_io_json_find(struct json_finder **finder, const char *text, size_t length,
                                      const uint32_t **tokens)
{
    if (!make(finder, length))
        return JSON_NO_MEMORY;
    simdjson::internal::dom_parser_implementation &parser = *(*finder)->parser;
    const simdjson::error_code error =
        parser.stage1(reinterpret_cast<const uint8_t *>(text), length, simdjson::stage1_mode::regular);
    if (error != simdjson::SUCCESS && error != simdjson::EMPTY)
        return JSON_BAD_STRING;
    const size_t n = error == simdjson::EMPTY ? 0 : parser.n_structural_indexes;
    std::fill_n(&parser.structural_indexes[n], JSON_SENTINELS, static_cast<uint32_t>(length));
    *tokens = parser.structural_indexes.get();
    return JSON_FOUND;
}

void seebatch_io_json_finder_free(struct json_finder *finder) { delete finder; }
