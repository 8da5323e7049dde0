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

/* Whether an array that is known to be good JSON has a next value, to be taken; from its first bracket on. */
static bool has_next(struct json *array)
{
    return (json_take(array, '[') || json_take(array, ',')) && json_next(array) != ']';
}

/* Takes a value that is good JSON: of an object the first members of these names; KIND_NONE where it has none. */
static void take_members(struct json *json, const char *const *names, struct value *members, size_t n)
{
    struct value name, value;
    for (size_t i = 0; i < n; i++)
        members[i].kind = KIND_NONE;
    if (json_next(json) != '{') {
        seebatch_io_json_take_value(json, 1, &value);
        return;
    }
    for (bool first = true; seebatch_io_json_take_member(json, first, &name, &value); first = false)
        for (size_t i = 0; i < n; i++)
            if (members[i].kind == KIND_NONE && name.length == strlen(names[i]) &&
                memcmp(name.text, names[i], name.length) == 0)
                members[i] = value;
}

/* The deepest evaluation's variations; KIND_NONE if these are no evaluations. False if one is not as it should be. */
static bool find_deepest(const struct json *json, const struct value *evals, struct value *pvs)
{
    static const char *const names[] = {"pvs", "depth"};
    struct json array = seebatch_io_json_inside(json, evals);
    struct value found[2];
    int64_t deepest = -1, number;
    pvs->kind = KIND_NONE;
    for (bool first = true; has_next(&array); first = false) {
        take_members(&array, names, found, 2);
        if (first && found[0].kind != KIND_ARRAY)
            return true;
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
    struct value pvs, found[N_NAMES];
    if (evals->kind != KIND_ARRAY)
        return true;
    if (!find_deepest(json, evals, &pvs)) {
        seebatch_io_complain(block, record, "an evaluation in evals is not as in Lichess's database, " EXPECTED);
        return false;
    }
    if (pvs.kind == KIND_NONE)
        return true;
    struct json array = seebatch_io_json_inside(json, &pvs);
    if (!has_next(&array)) /* it has no variation */
        return true;
    take_members(&array, names, found, N_NAMES);
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
