/*
 * Reads Lichess's database of evaluations, in JSON lines: objects with a position and a list of evaluations.
 *
 *   {"fen": "...", "evals": [{"pvs": [{"cp": 311, "line": "g2e4 f7e6"}, ...], "knodes": 206765, "depth": 36}, ...]}
 *
 * The record is that of the deepest evaluation, of equally deep ones the first: its first variation gives the move and
 * the score, centipawns from White's point of view; of "mate" in place of "cp" read_mate() makes a score.
 */
#include "lichess.h"

#include "formats/fast_fields.h"

#define EXPECTED "expected {\"depth\": N, \"pvs\": [{\"cp\": N, \"line\": \"MOVES\"}]} (or mate in place of cp)"

/* Whether an array that is known to be good JSON has a next value, to be taken; from its first bracket on. */
static bool has_next(struct json *array)
{
    return (json_take(array, '[') || json_take(array, ',')) && json_next(array) != ']';
}

/* Takes a value that is good JSON: of an object the members of these names; KIND_NONE where it has none. False if it
 * has one twice. */
static bool take_members(struct block *block, struct json *json, const char *const *names, struct value *members,
                         size_t n)
{
    bool once = true;
    struct value name, value;
    for (size_t i = 0; i < n; i++)
        members[i] = (struct value){.kind = KIND_NONE};
    if (json_next(json) != '{') {
        seebatch_io_json_take_value(json, 1, &value);
        return true;
    }
    for (bool first = true; seebatch_io_json_take_member(json, first, &name, &value); first = false) {
        const struct cell plain = seebatch_io_json_plain_text(&block->scratch, &name);
        for (size_t i = 0; i < n; i++) {
            if (plain.length != strlen(names[i]) || memcmp(plain.text, names[i], plain.length) != 0)
                continue;
            once &= members[i].kind == KIND_NONE;
            members[i] = value;
        }
    }
    return once;
}

/* Reads the variations of the deepest evaluation. The kind is KIND_NONE if these are no evaluations. Returns false if
 * one is not as it should be. */
static bool find_deepest(struct block *block, const struct json *json, const struct value *evals, struct value *pvs)
{
    static const char *const names[] = {"pvs", "depth"};
    struct json array = seebatch_io_json_inside(json, evals);
    struct value found[2];
    int64_t deepest = -1, number;
    pvs->kind = KIND_NONE;
    for (bool first = true; has_next(&array); first = false) {
        if (!take_members(block, &array, names, found, 2))
            return false;
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

/* The deepest evaluation's first variation, if there is one. False, and reported, if something is not as it should
 * be. */
static bool find_variation(struct block *block, const struct record *record, const struct json *json,
                           const struct value *evals, struct evaluation *deepest)
{
    enum { CP, LINE, MATE, N_NAMES };
    static const char *const names[N_NAMES] = {"cp", "line", "mate"};
    struct value pvs, found[N_NAMES];
    deepest->found = false;
    if (evals->kind != KIND_ARRAY)
        return true;
    if (!find_deepest(block, json, evals, &pvs)) {
        seebatch_io_report_error(block, record, "an evaluation in evals is not as in Lichess's database, " EXPECTED);
        return false;
    }
    if (pvs.kind == KIND_NONE)
        return true;
    struct json array = seebatch_io_json_inside(json, &pvs);
    if (!has_next(&array)) /* it has no variation */
        return true;
    const bool once = take_members(block, &array, names, found, N_NAMES);
    const bool cp = found[CP].kind == KIND_NUMBER;
    const struct value *line = &found[LINE], *score = &found[cp ? CP : MATE];
    if (!once || line->kind != KIND_STRING || score->kind != KIND_NUMBER) {
        seebatch_io_report_error(
            block, record, "the first variation of the deepest evaluation is not as in Lichess's database, " EXPECTED);
        return false;
    }
    *deepest = (struct evaluation){true, cp, {line->text, line->length}, {score->text, score->length}};
    return true;
}

bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct json *json, const struct value *evals, const struct evaluation *fast,
                                    unsigned wanted)
{
    struct evaluation deepest = *fast;
    if (!deepest.found && !find_variation(block, record, json, evals, &deepest))
        return false;
    if (!deepest.found)
        return true;
    const struct cell score = deepest.score;
    const char *at = deepest.line.text, *word;
    size_t length;
    if (wanted & FIELD_MOVE && seebatch_io_next_word(&at, at + deepest.line.length, &word, &length) &&
        !seebatch_io_read_move(block, record, position, word, length))
        return false;
    return !(wanted & FIELD_SCORE) ||
           (deepest.cp ? seebatch_io_read_centipawns(block, record, score.text, score.length, 1)
                       : seebatch_io_read_mate(block, record, position, score.text, score.length, 1));
}

/* ---- Quickly ----------------------------------------------------------------------------------------------------- */

/* Whether a token and what follows are these eight characters. */
static inline bool has_eight(const struct json *json, const uint32_t *token, const char *text)
{
    return *token + (size_t)8 <= json->limit && fast_eight(json->base + *token) == fast_eight(text);
}

/* Reads a number that lies between one token and the next. */
static inline bool number_at(const struct json *json, const uint32_t *token, struct cell *cell, int32_t *number)
{
    *cell = (struct cell){json->base + token[0], token[1] - token[0]};
    return fast_json_number(json->base, *cell, number);
}

/* Reads {"cp":N,"line":"..."}, or the same with mate. A token follows. */
static inline bool pass_variation(const struct json *json, const uint32_t *token, struct evaluation *variation)
{
    enum { SCORE = 3, COMMA, MOVES = 7, END };
    if (token[END + 1] >= json->limit)
        return false;
    const char *begin = json->base + token[0], *moves = json->base + token[MOVES], *end = json->base + token[END];
    int32_t number;
    variation->found = true;
    variation->cp = memcmp(begin, "{\"cp\":", 6) == 0;
    variation->line = (struct cell){moves + 1, (size_t)(end - moves - 2)};
    return (variation->cp || has_eight(json, token, "{\"mate\":")) &&
           number_at(json, token + SCORE, &variation->score, &number) && has_eight(json, token + COMMA, ",\"line\":") &&
           *moves == '"' && end[-1] == '"' && *end == '}';
}

/* ],"knodes":N,"depth":N}, or another name that begins so. A token follows. */
static inline bool pass_depth(const struct json *json, const uint32_t *token, int32_t *depth)
{
    enum { BRACKET, COMMA, COLON = 3, KNODES, NEXT_COMMA, NEXT_COLON = 7, DEPTH, END };
    struct cell cell;
    int32_t knodes;
    return token[END + 1] < json->limit && json->base[token[BRACKET]] == ']' &&
           has_eight(json, token + COMMA, ",\"knodes") && json->base[token[COLON]] == ':' &&
           number_at(json, token + KNODES, &cell, &knodes) && has_eight(json, token + NEXT_COMMA, ",\"depth\"") &&
           json->base[token[NEXT_COLON]] == ':' && number_at(json, token + DEPTH, &cell, depth) && *cell.text != '-' &&
           json->base[token[END]] == '}';
}

bool seebatch_io_skip_evals(struct json *json, struct value *value, struct evaluation *deepest)
{
    enum { PVS = 4, VARIATION = 9, EVALUATION = 10 };
    const uint32_t *token = json->token;
    struct evaluation variation, first, best;
    int32_t depth, most = -1; /* the first is deeper */
    if (json_next(json) != '[')
        return false;
    do {
        if (token[PVS + 1] >= json->limit || !has_eight(json, ++token, "{\"pvs\":["))
            return false;
        token += PVS;
        if (!pass_variation(json, token, &first))
            return false;
        for (token += VARIATION; json->base[*token] == ','; token += VARIATION)
            if (!pass_variation(json, ++token, &variation))
                return false;
        if (!pass_depth(json, token, &depth))
            return false;
        token += EVALUATION;
        if (depth > most) {
            most = depth;
            best = first;
        }
    } while (json->base[*token] == ',');
    if (json->base[*token] != ']')
        return false;
    const char *at = json_at(json);
    *value = (struct value){KIND_ARRAY, false, at, (size_t)(json->base + *token + 1 - at), json->token};
    *deepest = best;
    json->token = token + 1;
    return true;
}
