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
    if (!json_take(array, '[') && !json_take(array, ','))
        return false;
    return json_next(array) != ']' && seebatch_io_json_take_value(array, 1, element);
}

/* The first members of these names of an object that is good JSON; KIND_NONE where it has none. */
static void find_members(const struct json *json, const struct value *object, const char *const *names,
                         struct value *members, size_t n)
{
    struct value name, value;
    for (size_t i = 0; i < n; i++)
        members[i].kind = KIND_NONE;
    if (object->kind != KIND_OBJECT)
        return;
    struct json inside = seebatch_io_json_inside(json, object);
    for (bool first = true; seebatch_io_json_take_member(&inside, first, &name, &value); first = false)
        for (size_t i = 0; i < n; i++)
            if (members[i].kind == KIND_NONE && name.length == strlen(names[i]) &&
                memcmp(name.text, names[i], name.length) == 0)
                members[i] = value;
}

bool seebatch_io_is_lichess_evals(const struct json *json, const struct value *evals)
{
    struct value first, pvs;
    if (evals->kind != KIND_ARRAY)
        return false;
    struct json array = seebatch_io_json_inside(json, evals);
    if (!next_element(&array, &first))
        return false;
    find_members(json, &first, (const char *const[]){"pvs"}, &pvs, 1);
    return pvs.kind == KIND_ARRAY;
}

/* The deepest evaluation's variations; false if one is not as it should be. */
static bool find_deepest(const struct json *json, const struct value *evals, struct value *pvs)
{
    static const char *const names[] = {"pvs", "depth"};
    struct json array = seebatch_io_json_inside(json, evals);
    struct value each, found[2];
    int64_t deepest = -1, number;
    while (next_element(&array, &each)) {
        find_members(json, &each, names, found, 2);
        if (found[0].kind != KIND_ARRAY || found[1].kind != KIND_NUMBER ||
            !seebatch_io_read_whole_number(found[1].text, found[1].length, 0, INT32_MAX, &number))
            return false;
        if (number > deepest)
            *pvs = found[0];
        deepest = number > deepest ? number : deepest;
    }
    return true;
}

bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct json *json, const struct value *evals, unsigned wanted)
{
    enum { CP, LINE, MATE, N_NAMES };
    static const char *const names[N_NAMES] = {"cp", "line", "mate"};
    struct value pvs = {KIND_NONE, false, NULL, 0, NULL}, pv, found[N_NAMES];
    if (!find_deepest(json, evals, &pvs)) {
        seebatch_io_complain(block, record, "an evaluation in evals is not as in Lichess's database, " EXPECTED);
        return false;
    }
    struct json array = seebatch_io_json_inside(json, &pvs);
    if (!next_element(&array, &pv)) /* it has no variation */
        return true;
    find_members(json, &pv, names, found, N_NAMES);
    const bool cp = found[CP].kind == KIND_NUMBER;
    const struct value *line = &found[LINE], *score = &found[cp ? CP : MATE];
    if (line->kind != KIND_STRING || score->kind != KIND_NUMBER) {
        seebatch_io_complain(
            block, record, "the first variation of the deepest evaluation is not as in Lichess's database, " EXPECTED);
        return false;
    }
    const char *at = line->text, *word;
    size_t length;
    if (wanted & FIELD_MOVE && seebatch_io_next_word(&at, line->text + line->length, &word, &length) &&
        !seebatch_io_read_move(block, record, position, word, length))
        return false;
    return !(wanted & FIELD_SCORE) ||
           (cp ? seebatch_io_read_centipawns(block, record, score->text, score->length, 1)
               : seebatch_io_read_mate(block, record, position, score->text, score->length, 1));
}
