/*
 * Every move of a node gets a score, and a kind; the next to be handed out is the one with the highest score that is
 * left. A plain capture is handed out only when the exchange evaluation has said that it keeps material; otherwise it
 * becomes a bad one, with a score below all others.
 */
#include "picker.h"

/* Scores are a band for each kind, a place within the band, and the place in the list, so that no two are the same and
 * it does not matter when a move gets its score. */
enum {
    PLACES = 1024, /* in the list; SEEBATCH_MAX_MOVES are fewer */
    BAND_TABLE = 1 << 20,
    BAND_CAPTURE = 1 << 19,
    BAND_KILLER = 1 << 18,
    BAND_BAD_CAPTURE = -(1 << 19)
};

enum { QUIETS_AT_ONCE = 8 };

static seebatch_rules rules;

/* The swap algorithm, with promotions; and the values that the search trusts. */
void picker_init(void)
{
    static const int16_t value[5] = {100, 325, 335, 500, 975};
    seebatch_rules_named("promotions", &rules, NULL);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        rules.value[type] = value[type];
}

/* The most valuable victim first; then the least valuable attacker, before which come pawns that are promoted. */
static int mvv_lva(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
    const int taken = seebatch_type_on(p, to);
    const bool en_passant = taken == SEEBATCH_NO_PIECE && ((from ^ to) & 7) != 0;
    const int victim = en_passant ? 1 : taken == SEEBATCH_NO_PIECE ? 0 : taken + 1;
    return victim * 16 + (promotion ? 6 + promotion : 6 - seebatch_type_on(p, from));
}

/* Captures, en passant too, and promotions to a queen. */
static bool is_capture(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_occupied(p) >> to & 1) /* castling may be written as king takes own rook */
        return (p->white >> from ^ p->white >> to) & 1;
    if (seebatch_type_on(p, from) != SEEBATCH_PAWN)
        return false;
    return ((from ^ to) & 7) != 0 || seebatch_promotion(move) == SEEBATCH_QUEEN;
}

static struct picked *add(struct picker *picker, seebatch_move move, enum move_kind kind, int score)
{
    struct picked *entry = &picker->list[picker->n];
    const int place = (int)picker->n++;
    *entry = (struct picked){score * PLACES + PLACES - 1 - place, move, NOT_KNOWN, (uint8_t)kind, -1};
    return entry;
}

static int quiet_score(seebatch_move move, const struct move_hints *hints)
{
    if (hints->killers && (move == hints->killers[0] || move == hints->killers[1]))
        return BAND_KILLER + (move == hints->killers[0]);
    return hints->history ? hints->history[seebatch_from(move)][seebatch_to(move)] : 0;
}

/* What seebatch_order() does, with one call a move: evaluates and sorts captures by value, then victim and attacker.
 * Returns how many reach the threshold. */
static size_t order_one_by_one(const seebatch_position *p, seebatch_move *moves, size_t n, int16_t threshold,
                               int16_t *values)
{
    int32_t key[SEEBATCH_MAX_MOVES];
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        const seebatch_move move = moves[i];
        const int value = seebatch_value(&rules, p, NULL, move);
        const int32_t move_key = value * 128 + mvv_lva(p, move);
        size_t j = i;
        for (; j > 0 && key[j - 1] < move_key; j--) {
            key[j] = key[j - 1];
            moves[j] = moves[j - 1];
            values[j] = values[j - 1];
        }
        key[j] = move_key;
        moves[j] = move;
        values[j] = (int16_t)value;
        good += value >= threshold;
    }
    return good;
}

/* Puts captures into the list by the values of their exchanges. */
static void add_by_value(struct picker *picker, seebatch_move *captures, size_t n)
{
    const seebatch_position *p = picker->position;
    int16_t values[SEEBATCH_MAX_MOVES];
    const size_t good = picker->see->batch ? seebatch_order(&rules, p, NULL, captures, n, picker->threshold, values)
                                           : order_one_by_one(p, captures, n, picker->threshold, values);
    for (size_t i = 0; i < good; i++)
        add(picker, captures[i], KIND_GOOD_CAPTURE, BAND_CAPTURE)->value = values[i];
    for (size_t i = good; i < n && !picker->good_only; i++)
        add(picker, captures[i], KIND_BAD_CAPTURE, BAND_BAD_CAPTURE)->value = values[i];
    picker->see->calls += picker->see->batch && n > 1 ? 1 : n;
    picker->see->moves += n;
}

/* Scores the moves of a position. */
static void fill(struct picker *picker, const seebatch_move *moves, size_t n, const struct move_hints *hints)
{
    const seebatch_position *p = picker->position;
    const bool by_value = picker->see->order == ORDER_BY_VALUE && picker->threshold != ALL_ARE_GOOD;
    seebatch_move captures[SEEBATCH_MAX_MOVES];
    size_t n_captures = 0;
    picker->n = picker->n_sorted = picker->next = 0;
    for (int kind = 0; kind < N_KINDS; kind++)
        picker->asked[kind] = false;
    for (size_t i = 0; i < n; i++) {
        const seebatch_move move = moves[i];
        if (move == hints->table_move)
            add(picker, move, KIND_TABLE, BAND_TABLE);
        else if (!is_capture(p, move))
            add(picker, move, KIND_QUIET, quiet_score(move, hints));
        else if (by_value)
            captures[n_captures++] = move;
        else
            add(picker, move, picker->threshold == ALL_ARE_GOOD ? KIND_GOOD_CAPTURE : KIND_CAPTURE,
                BAND_CAPTURE + mvv_lva(p, move));
    }
    if (by_value)
        add_by_value(picker, captures, n_captures);
}

void picker_begin(struct picker *picker, struct see_use *see, const seebatch_position *position, int16_t threshold,
                  const struct move_hints *hints)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    picker->see = see;
    picker->position = position;
    picker->threshold = threshold;
    picker->good_only = false;
    fill(picker, moves, seebatch_legal_moves(position, moves), hints);
}

void picker_begin_captures(struct picker *picker, struct see_use *see, const seebatch_position *position,
                           int16_t threshold)
{
    static const struct move_hints none = {0, NULL, NULL};
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    picker->see = see;
    picker->position = position;
    picker->threshold = threshold;
    picker->good_only = true;
    fill(picker, moves, seebatch_legal_captures(position, moves), &none);
}

/* ---- Asking the exchange evaluation ----------------------------------------------------------------------------- */

/* Puts the best moves that are left in order, up to a place in the list. */
static void sort_up_to(struct picker *picker, size_t end)
{
    struct picked *list = picker->list;
    for (; picker->n_sorted < end; picker->n_sorted++) {
        size_t best = picker->n_sorted;
        for (size_t i = best + 1; i < picker->n; i++) {
            if (list[i].score > list[best].score)
                best = i;
        }
        const struct picked picked = list[best];
        list[best] = list[picker->n_sorted];
        list[picker->n_sorted] = picked;
    }
}

/* In batches: the moves of this kind from here on, in one call. Of quiet moves there are many, and often the search
 * ends before the last: only the best of them. */
static void ask_about_rest(struct picker *picker, size_t first, int16_t threshold)
{
    const enum move_kind kind = picker->list[first].kind;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t place[SEEBATCH_MAX_MOVES], n = 1, end = picker->n;
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    if (kind == KIND_QUIET && end - first > QUIETS_AT_ONCE) {
        end = first + QUIETS_AT_ONCE;
        sort_up_to(picker, end);
    }
    moves[0] = picker->list[first].move;
    place[0] = first;
    for (size_t i = first + 1; i < end; i++) {
        if (picker->list[i].kind == kind) {
            moves[n] = picker->list[i].move;
            place[n++] = i;
        }
    }
    seebatch_ge_mask(&rules, picker->position, NULL, moves, n, threshold, mask);
    for (size_t i = 0; i < n; i++)
        picker->list[place[i]].answer = mask[i / 64] >> i % 64 & 1;
    picker->see->calls++;
    picker->see->moves += n;
}

/* Whether the move in that place reaches the threshold. */
static bool reaches(struct picker *picker, size_t place, int16_t threshold)
{
    struct picked *entry = &picker->list[place];
    if (entry->answer >= 0)
        return entry->answer;
    if (entry->value != NOT_KNOWN)
        return entry->value >= threshold;
    if (picker->see->batch && picker->asked[entry->kind]) {
        ask_about_rest(picker, place, threshold);
        return entry->answer;
    }
    picker->asked[entry->kind] = true;
    picker->see->calls++;
    picker->see->moves++;
    return seebatch_ge(&rules, picker->position, NULL, entry->move, threshold);
}

bool picker_reaches(struct picker *picker, int16_t threshold) { return reaches(picker, picker->next - 1, threshold); }

/* ---- Handing out ------------------------------------------------------------------------------------------------ */

const struct picked *picker_next(struct picker *picker)
{
    while (picker->next < picker->n) {
        struct picked *best = &picker->list[picker->next];
        sort_up_to(picker, picker->next + 1);
        if (best->kind != KIND_CAPTURE || reaches(picker, picker->next, picker->threshold)) {
            picker->next++;
            return best;
        }
        if (picker->good_only) {
            picker->next++;
            continue;
        }
        /* To the end of the queue, where it may be asked about once more, with another threshold. */
        best->kind = KIND_BAD_CAPTURE;
        best->answer = -1;
        best->score += (BAND_BAD_CAPTURE - BAND_CAPTURE) * PLACES;
        picker->n_sorted = picker->next;
    }
    return NULL;
}
