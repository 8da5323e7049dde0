/*
 * Lichess's database of evaluations, in JSON lines: objects with a position and a list of evaluations.
 *
 *   {"fen": "...", "evals": [{"pvs": [{"cp": 311, "line": "g2e4 f7e6"}, ...], "knodes": 206765, "depth": 36}, ...]}
 *
 * The record is that of the deepest evaluation, of equally deep ones the first: its first variation gives the move and
 * the score, centipawns from White's point of view; of "mate" in place of "cp" read_mate() makes a score.
 */
#include "lichess.h"

#define EXPECTED "expected {\"depth\": N, \"pvs\": [{\"cp\": N, \"line\": \"MOVES\"}]} (or mate in place of cp)"

/* The values of an array, one after another, from its first bracket on; the text is known to be good JSON. */
static bool next_element(struct json *array, struct value *element)
{
    if (!seebatch_io_json_take(array, '[') && !seebatch_io_json_take(array, ','))
        return false;
    return seebatch_io_json_next(array) != ']' && seebatch_io_json_skip_value(array, 1, element);
}

static struct json elements_of(const struct value *array)
{
    return (struct json){array->text, array->text + array->length, false};
}

/* A member of an object that is good JSON, of one kind; false if it has none. */
static bool find_member(const struct value *object, const char *name, enum kind kind, struct value *member)
{
    struct json json = elements_of(object);
    struct value key;
    if (object->kind != KIND_OBJECT || !seebatch_io_json_take(&json, '{') || seebatch_io_json_next(&json) == '}')
        return false;
    do {
        seebatch_io_json_skip_string(&json, &key);
        seebatch_io_json_take(&json, ':');
        seebatch_io_json_skip_value(&json, 1, member);
        if (key.length == strlen(name) && memcmp(key.text, name, key.length) == 0)
            return member->kind == kind;
    } while (seebatch_io_json_take(&json, ','));
    return false;
}

bool seebatch_io_is_lichess_evals(const struct value *evals)
{
    struct json array = elements_of(evals);
    struct value first, pvs;
    return evals->kind == KIND_ARRAY && next_element(&array, &first) && find_member(&first, "pvs", KIND_ARRAY, &pvs);
}

/* The deepest evaluation's variations; false if one is not as it should be. */
static bool find_deepest(const struct value *evals, struct value *pvs)
{
    struct json array = elements_of(evals);
    struct value each, depth, lines;
    int64_t deepest = -1, number;
    while (next_element(&array, &each)) {
        if (!find_member(&each, "pvs", KIND_ARRAY, &lines) || !find_member(&each, "depth", KIND_NUMBER, &depth) ||
            !seebatch_io_read_whole_number(depth.text, depth.length, 0, INT32_MAX, &number))
            return false;
        if (number > deepest)
            *pvs = lines;
        deepest = number > deepest ? number : deepest;
    }
    return true;
}

bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct value *evals, unsigned wanted)
{
    struct value pvs = {KIND_NONE, NULL, 0, false}, value = pvs, pv, line;
    if (!find_deepest(evals, &pvs)) {
        seebatch_io_complain(block, record, "an evaluation in evals is not as in Lichess's database, " EXPECTED);
        return false;
    }
    struct json array = elements_of(&pvs);
    if (!next_element(&array, &pv)) /* it has no variation */
        return true;
    const bool cp = find_member(&pv, "cp", KIND_NUMBER, &value);
    if (!find_member(&pv, "line", KIND_STRING, &line) || (!cp && !find_member(&pv, "mate", KIND_NUMBER, &value))) {
        seebatch_io_complain(
            block, record, "the first variation of the deepest evaluation is not as in Lichess's database, " EXPECTED);
        return false;
    }
    const char *at = line.text, *word;
    size_t length;
    if (wanted & FIELD_MOVE && seebatch_io_next_word(&at, line.text + line.length, &word, &length) &&
        !seebatch_io_read_move(block, record, position, word, length))
        return false;
    return !(wanted & FIELD_SCORE) ||
           (cp ? seebatch_io_read_centipawns(block, record, value.text, value.length, 1)
               : seebatch_io_read_mate(block, record, position, value.text, value.length, 1));
}
