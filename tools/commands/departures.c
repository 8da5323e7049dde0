/*
 * What engines are known to compute that no field of the rules says.
 *
 * A departure changes the question so that the library's answer to the changed question is the engine's to the given
 * one: an engine that counts an underpromotion as a queen answers what the rules say about the promotion to a queen.
 * For each of the candidates that come closest, departures are added one by one, first the one that explains the most
 * answers. It must explain at least two, and of the answers that it changes at least nine in ten must become right, so
 * that chance explains nothing.
 */
#include "departures.h"

#include <stdlib.h>
#include <string.h>

enum { NEAREST = 24, LEAST_EXPLAINED = 2, RIGHT_FOR_ONE_WRONG = 9 };

/* A question, as the engine may understand it. */
struct question {
    seebatch_position position;
    seebatch_move move;
    seebatch_pins pins;
    bool has_pins, passes;
    int added; /* to the value */
};

static void as_queen(struct question *q, const seebatch_rules *rules)
{
    (void)rules;
    if (seebatch_promotion(q->move) != 0)
        q->move = seebatch_make_move(seebatch_from(q->move), seebatch_to(q->move), SEEBATCH_QUEEN);
}

/* Leaves these pieces alone on the board. */
static void leave_pieces(struct question *q, uint64_t pieces)
{
    const int color = seebatch_color_on(&q->position, seebatch_from(q->move));
    const uint64_t by_color[2] = {seebatch_pieces_of_color(&q->position, 0) & pieces,
                                  seebatch_pieces_of_color(&q->position, 1) & pieces};
    uint64_t by_type[6];
    for (int type = 0; type < 6; type++)
        by_type[type] = seebatch_pieces_of_type(&q->position, type) & pieces;
    q->position = seebatch_position_from_bitboards(by_type, by_color, color);
}

/* Pieces that do not attack the square once the moving piece has left are removed, except the kings, so that no slider is
 * uncovered later. */
static void without_x_rays(struct question *q, const seebatch_rules *rules)
{
    const int from = seebatch_from(q->move), to = seebatch_to(q->move);
    const enum move_kind kind = kind_of(&q->position, q->move);
    if (rules->pins != SEEBATCH_PINS_IGNORED || kind == KIND_CASTLING)
        return;
    const uint64_t taken = kind == KIND_EN_PASSANT ? UINT64_C(1) << (to ^ 8) : 0;
    const uint64_t start = UINT64_C(1) << from;
    const uint64_t gone = start | (rules->en_passant == SEEBATCH_EN_PASSANT_EVALUATED ? taken : 0);
    const uint64_t left = seebatch_occupied(&q->position) & ~gone;
    const uint64_t kept = seebatch_attackers(&q->position, to, 0, left) | seebatch_attackers(&q->position, to, 1, left);
    const uint64_t kings = seebatch_pieces_of_type(&q->position, SEEBATCH_KING);
    leave_pieces(q, kept | taken | kings | start | UINT64_C(1) << to);
}

/* As in an engine whose map of attacked squares does not look through the piece that moves. */
static void safe_behind_itself(struct question *q, const seebatch_rules *rules)
{
    const int from = seebatch_from(q->move), to = seebatch_to(q->move), color = seebatch_color_on(&q->position, from);
    const uint64_t occupied = seebatch_occupied(&q->position), left = occupied & ~(UINT64_C(1) << from);
    if (rules->pins != SEEBATCH_PINS_IGNORED || seebatch_attackers(&q->position, to, !color, occupied) != 0)
        return;
    leave_pieces(q, ~seebatch_attackers(&q->position, to, !color, left));
}

/* The pieces that it pins stay pinned, while the other pinners stand. */
static void captured_pinner_pins(struct question *q, const seebatch_rules *rules)
{
    if (rules->pins != SEEBATCH_PINS_ALL)
        return;
    seebatch_find_pins(rules, &q->position, &q->pins);
    for (int color = 0; color < 2; color++)
        q->pins.pinners[color] &= ~(UINT64_C(1) << seebatch_to(q->move));
    q->has_pins = true;
}

static void double_step_passes(struct question *q, const seebatch_rules *rules)
{
    (void)rules;
    q->passes |= kind_of(&q->position, q->move) == KIND_DOUBLE_STEP;
}

/* As if the move were to an empty square: the same exchange with the captured pawn left standing, less its value. */
static void en_passant_wins_nothing(struct question *q, const seebatch_rules *rules)
{
    if (rules->en_passant == SEEBATCH_EN_PASSANT_STANDING && kind_of(&q->position, q->move) == KIND_EN_PASSANT)
        q->added = -rules->value[SEEBATCH_PAWN];
}

static bool is_recaptured(const struct question *q)
{
    const int from = seebatch_from(q->move), to = seebatch_to(q->move);
    const uint64_t left = seebatch_occupied(&q->position) & ~(UINT64_C(1) << from);
    return seebatch_attackers(&q->position, to, !seebatch_color_on(&q->position, from), left) != 0;
}

static void safe_move_passes(struct question *q, const seebatch_rules *rules)
{
    (void)rules;
    q->passes |= !is_recaptured(q);
}

static void safe_quiet_move_passes(struct question *q, const seebatch_rules *rules)
{
    (void)rules;
    const enum move_kind kind = kind_of(&q->position, q->move);
    q->passes |= (kind == KIND_QUIET || kind == KIND_DOUBLE_STEP) && !is_recaptured(q);
}

static const struct {
    void (*change)(struct question *q, const seebatch_rules *rules);
    const char *text;
} all[] = {
    {as_queen, "every promotion counts as one to a queen"},
    {captured_pinner_pins, "a pinner that the move captures still pins"},
    {without_x_rays, "sliders behind other pieces do not join in"},
    {safe_behind_itself, "a square that the enemy attacks only through the moving piece counts as safe"},
    {en_passant_wins_nothing, "en passant wins nothing"},
    {double_step_passes, "double steps of pawns pass at any threshold"},
    {safe_quiet_move_passes, "a quiet move that nothing recaptures passes at any threshold"},
    {safe_move_passes, "any move that nothing recaptures passes at any threshold"},
};
enum { ALL = sizeof all / sizeof *all };
_Static_assert(ALL + 3 <= MOST_DEPARTURES, "expected room for all departures and the rest");

/* Whether line i contradicts a candidate with a set of departures. */
static bool is_wrong(const struct answers *answers, const seebatch_rules *rules, unsigned set, size_t i)
{
    const struct answer_line *line = &answers->lines[i];
    struct question q = {.position = answers->boards[i], .move = answers->board_moves[i]};
    for (int d = 0; d < ALL; d++)
        if (set >> d & 1)
            all[d].change(&q, rules);
    const int value =
        q.passes ? SEEBATCH_ALWAYS : seebatch_value(rules, &q.position, q.has_pins ? &q.pins : NULL, q.move) + q.added;
    return line->has_threshold ? (value >= line->answer) != line->reaches : value != line->answer;
}

/* Adds to the set the departure that explains the most. Returns how many answers it explains; 0: none is to be added. */
static size_t add_departure(const struct answers *answers, const seebatch_rules *rules, bool *wrong, unsigned *set,
                            int *added)
{
    size_t most = 0;
    for (int d = 0; d < ALL; d++) {
        if (*set >> d & 1)
            continue;
        size_t right = 0, lost = 0;
        for (size_t i = 0; i < answers->n; i++) {
            const bool is = is_wrong(answers, rules, *set | 1u << d, i);
            right += wrong[i] && !is;
            lost += !wrong[i] && is;
        }
        if (right >= LEAST_EXPLAINED && right >= RIGHT_FOR_ONE_WRONG * lost && right - lost > most) {
            most = right - lost;
            *added = d;
        }
    }
    if (most > 0) {
        *set |= 1u << *added;
        for (size_t i = 0; i < answers->n; i++)
            wrong[i] = is_wrong(answers, rules, *set, i);
    }
    return most;
}

/* Whether the board is sound and the move illegal. */
static bool is_illegal(const struct answers *answers, size_t i)
{
    return seebatch_position_check(&answers->positions[i], NULL) == SEEBATCH_OK &&
           !seebatch_is_legal(&answers->positions[i], answers->moves[i]);
}

/* Adds a departure by whose moves the rest of the contradictions is explained; they then contradict no longer. */
static void add_rest(struct departures *result, const char *text, size_t explains)
{
    result->list[result->n].text = text;
    result->list[result->n++].explains = explains;
    result->left -= explains;
}

/* What is left: nearly all castling moves, of which the engine then computes something else; and illegal moves, if only
 * these are left, because engines may do with them what they like. */
static void explain_rest(const struct answers *answers, const bool *wrong, struct departures *result)
{
    size_t illegal = 0, castling = 0, asked = 0;
    for (size_t i = 0; i < answers->n; i++) {
        const bool castles = answers->lines[i].kind == KIND_CASTLING;
        result->unexplained += wrong[i];
        asked += castles;
        castling += wrong[i] && castles;
        illegal += wrong[i] && !castles && is_illegal(answers, i);
    }
    result->left = result->unexplained;
    if (castling >= LEAST_EXPLAINED && 10 * castling >= 9 * asked)
        add_rest(result, "castling is not answered as castling", castling);
    if (illegal > 0 && illegal == result->left)
        add_rest(result, "illegal moves are answered in another way", illegal);
}

static void explain(struct answers *answers, const struct identification *found, int c, struct departures *result)
{
    const seebatch_rules *rules = &found->candidates[c].rules;
    bool *wrong = reallocate(NULL, answers->n + 1, sizeof *wrong);
    answers_evaluate(answers, rules);
    for (size_t i = 0; i < answers->n; i++)
        wrong[i] = contradicts(answers, i);
    *result = (struct departures){.candidate = c};
    unsigned set = 0;
    int added = 0;
    for (size_t explained; (explained = add_departure(answers, rules, wrong, &set, &added)) > 0;) {
        result->list[result->n].text = all[added].text;
        result->list[result->n++].explains = explained;
    }
    explain_rest(answers, wrong, result);
    free(wrong);
}

/* Finds the same with squares counted from a8, if that explains more. */
static void try_from_a8(struct answers *answers, const struct identification *found, struct departures *departures)
{
    struct departures other;
    answers_flip(answers);
    explain(answers, found, departures->candidate, &other);
    answers_flip(answers);
    if (other.left + LEAST_EXPLAINED > departures->left)
        return;
    const size_t explains = departures->left - other.left;
    other.left += explains;
    add_rest(&other, "of like pieces, the one that comes first counted from a8 captures", explains);
    *departures = other;
}

void find_departures(struct answers *answers, const struct identification *found, struct departures *departures)
{
    bool tried[MOST_CANDIDATES] = {false};
    size_t least = answers->n > 0 ? found->wrong[found->best] : 0;
    *departures = (struct departures){.candidate = -1};
    if (least < LEAST_EXPLAINED)
        return;
    for (int k = 0; k < NEAREST && k < (int)found->n; k++) {
        int next = -1;
        for (int c = 0; c < (int)found->n; c++)
            if (!tried[c] && (next < 0 || found->wrong[c] < found->wrong[next]))
                next = c;
        struct departures other;
        explain(answers, found, next, &other);
        tried[next] = true;
        if (other.n > 0 && (other.unexplained < least || next == found->best)) {
            *departures = other;
            least = other.unexplained;
        }
    }
    if (departures->n > 0 && !answers->upside_down)
        try_from_a8(answers, found, departures);
}
