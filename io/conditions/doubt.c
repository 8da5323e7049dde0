/*
 * Finds conditions that can never hold, or always hold, such as "ply < 3 and ply > 9".
 *
 * A number that a part of a condition compares with ranges matters only by the ranges it lies in, so a few numbers stand
 * for all: the least one, and those at which a range begins or has just ended. One more value says that the record does
 * not have it. All other terms hold or do not. If a part of a condition has the same answer for all combinations of these,
 * it always has. Where there are too many combinations, nothing is said about the part as a whole; but parts of it that
 * are about one number are still looked at.
 *
 * Some conditions say something about others: a quiet position is not in check, and a move that castles is the king's.
 * Combinations that contradict such rules (table below) do not occur.
 */
#include <stdlib.h>

#include "condition.h"
#include "support/errors.h"

enum { MOST_COMBINATIONS = 1024, MOST_VARIABLES = 10, MOST_VALUES = 2 * MOST_TERMS + 2 };

/* A variable is what terms ask about: a number, or whether something holds. */
struct variable {
    const struct condition *term; /* the first that asks about it */
    int n;
    int64_t values[MOST_VALUES]; /* of a number; a record that lacks it has the last one, which no range has */
};

/* The parts of a whole that are looked at are all of them, or those about one number. */
struct search {
    const seebatch_conditions *conditions;
    struct variable variables[MOST_VARIABLES];
    int n_variables, of_term[MOST_TERMS]; /* the variable of each term */
    int now[MOST_VARIABLES];              /* a combination */
    bool too_many;
};

static const int64_t missing = INT64_MIN;

/* ---- What one condition says about another ----------------------------------------------------------------------- */

/* Lists what may be true of a record, a bit each. The first are those of SEEBATCH_HAS_..., and then come the types of
 * the piece that moves. */
enum {
    HAS_MOVE = FIELD_MOVE,
    HAS_SCORE = FIELD_SCORE,
    HAS_RESULT = FIELD_RESULT,
    HAS_PLY = FIELD_PLY,
    PAWN_MOVES = 1 << 4,
    KING_MOVES = PAWN_MOVES << SEEBATCH_KING,
    CAPTURES = 1 << 10,
    PROMOTES = 1 << 11,
    TACTICAL = 1 << 12,
    CASTLES = 1 << 13,
    EN_PASSANT = 1 << 14,
    SOUND_MOVE = 1 << 15, /* the move captures or promotes, for a value of 0 or more */
    IN_CHECK = 1 << 16,
    QUIET = 1 << 17,
    ANY_CAPTURE = 1 << 18,
    SOUND_CAPTURE = 1 << 19, /* there is a legal capture for a value of 0 or more */
    THREATENED = 1 << 20,    /* the other side would have a capture */
    WHITE_MOVES = 1 << 21
};
enum { ALL_TYPES = PAWN_MOVES * 63 };

/* Holds what is known of a record to be so, and not to be so. */
struct known {
    unsigned yes, no;
};

/* If all of the first are so, the others are so, or are not. */
static const struct {
    unsigned premise;
    struct known conclusion;
} implications[] = {
    {EN_PASSANT, {PAWN_MOVES | CAPTURES, PROMOTES}},
    {CASTLES, {KING_MOVES, CAPTURES | IN_CHECK}},
    {PROMOTES, {PAWN_MOVES | TACTICAL, 0}},
    {CAPTURES, {TACTICAL | ANY_CAPTURE, 0}},
    {CAPTURES | SOUND_MOVE, {SOUND_CAPTURE, 0}},
    {SOUND_MOVE, {TACTICAL, 0}},
    {TACTICAL, {HAS_MOVE, 0}},
    {PAWN_MOVES, {HAS_MOVE, ALL_TYPES & ~PAWN_MOVES}},
    {PAWN_MOVES << SEEBATCH_KNIGHT, {HAS_MOVE, ALL_TYPES & ~(PAWN_MOVES << SEEBATCH_KNIGHT)}},
    {PAWN_MOVES << SEEBATCH_BISHOP, {HAS_MOVE, ALL_TYPES & ~(PAWN_MOVES << SEEBATCH_BISHOP)}},
    {PAWN_MOVES << SEEBATCH_ROOK, {HAS_MOVE, ALL_TYPES & ~(PAWN_MOVES << SEEBATCH_ROOK)}},
    {PAWN_MOVES << SEEBATCH_QUEEN, {HAS_MOVE, ALL_TYPES & ~(PAWN_MOVES << SEEBATCH_QUEEN)}},
    {KING_MOVES, {HAS_MOVE, ALL_TYPES & ~KING_MOVES}},
    {SOUND_CAPTURE, {ANY_CAPTURE, 0}},
    {QUIET, {0, IN_CHECK | SOUND_CAPTURE | SOUND_MOVE}},
    {THREATENED, {0, IN_CHECK}},
};

static struct known all_known(struct known known)
{
    const struct known before = known;
    for (size_t i = 0; i < sizeof implications / sizeof *implications; i++)
        if ((known.yes & implications[i].premise) == implications[i].premise) {
            known.yes |= implications[i].conclusion.yes;
            known.no |= implications[i].conclusion.no;
        }
    return known.yes == before.yes && known.no == before.no ? known : all_known(known);
}

/* Says what follows from whether a number is there, and whether it is 0 or more. */
static const struct {
    test_function *test;
    unsigned there, sound; /* if it is there, and if it is sound, */
    unsigned exactly;      /* and what is so only then */
} said_by_number[] = {
    {seebatch_io_test_score, HAS_SCORE, 0, HAS_SCORE},
    {seebatch_io_test_abs_score, HAS_SCORE, 0, HAS_SCORE},
    {seebatch_io_test_stm_score, HAS_SCORE, 0, HAS_SCORE},
    {seebatch_io_test_result, HAS_RESULT, 0, HAS_RESULT},
    {seebatch_io_test_ply, HAS_PLY, 0, HAS_PLY},
    {seebatch_io_test_contradiction, HAS_SCORE | HAS_RESULT, 0, 0},
    {seebatch_io_test_capture, CAPTURES, SOUND_MOVE, CAPTURES},
    {seebatch_io_test_promotion, PROMOTES, SOUND_MOVE, PROMOTES},
    {seebatch_io_test_tactical, TACTICAL, SOUND_MOVE, TACTICAL | SOUND_MOVE},
    {seebatch_io_test_move_value, HAS_MOVE, 0, HAS_MOVE},
    {seebatch_io_test_best_capture, ANY_CAPTURE, SOUND_CAPTURE, ANY_CAPTURE | SOUND_CAPTURE},
    {seebatch_io_test_threat, THREATENED, 0, THREATENED},
};

static struct known known_of_number(const struct condition *term, int64_t value)
{
    for (size_t i = 0; i < sizeof said_by_number / sizeof *said_by_number; i++) {
        if (said_by_number[i].test != term->kind->test)
            continue;
        const unsigned yes =
            value == missing ? 0 : said_by_number[i].there | (value >= 0 ? said_by_number[i].sound : 0);
        return (struct known){yes, said_by_number[i].exactly & ~yes};
    }
    return (struct known){0, 0};
}

/* Says where a condition holds that only holds or not, and what is so only then. */
static struct known known_of_question(const struct condition *term, bool holds)
{
    static const unsigned of_word[N_MOVE_WORDS] = {[MOVE_CAPTURE] = CAPTURES,
                                                   [MOVE_PROMOTION] = PROMOTES,
                                                   [MOVE_CASTLING] = CASTLES,
                                                   [MOVE_EN_PASSANT] = EN_PASSANT};
    test_function *test = term->kind->test;
    const int64_t low = term->range.low;
    unsigned yes = 0, exactly = 0;
    if (test == seebatch_io_test_stm && low == SEEBATCH_BLACK)
        return holds ? (struct known){0, WHITE_MOVES} : (struct known){WHITE_MOVES, 0};
    if (test == seebatch_io_test_stm)
        yes = exactly = WHITE_MOVES;
    else if (test == seebatch_io_test_in_check)
        yes = exactly = IN_CHECK;
    else if (test == seebatch_io_test_quiet)
        yes = exactly = QUIET;
    else if (test == seebatch_io_test_castling)
        yes = exactly = CASTLES;
    else if (test == seebatch_io_test_en_passant)
        yes = exactly = EN_PASSANT;
    else if (test == seebatch_io_test_has)
        yes = exactly = 1u << low;
    else if (test == seebatch_io_test_move)
        yes = exactly = low < MOVE_CAPTURE ? (unsigned)PAWN_MOVES << low : of_word[low];
    else if (test == seebatch_io_test_any_capture) {
        const bool open = term->range.high == INT64_MAX;
        yes = ANY_CAPTURE | (low >= 0 ? SOUND_CAPTURE : 0);
        exactly = !open || low > 0 ? 0 : low == INT64_MIN ? ANY_CAPTURE | SOUND_CAPTURE : SOUND_CAPTURE;
    }
    return holds ? (struct known){yes, 0} : (struct known){0, exactly};
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

static bool is_absolute(const struct condition *term) { return term->kind->test == seebatch_io_test_abs_score; }

/* Returns whether two terms ask about the same: the same number, or the same question in the same words. */
static bool same_variable(const struct condition *a, const struct condition *b)
{
    if (compares_number(a->kind) && compares_number(b->kind)) {
        const bool scores = (is_absolute(a) || a->kind->test == seebatch_io_test_score) &&
                            (is_absolute(b) || b->kind->test == seebatch_io_test_score);
        return scores || (a->kind == b->kind && (a->kind->form != COUNT_IN_RANGE || a->pieces == b->pieces));
    }
    return a == b ||
           (a->kind == b->kind && strncmp(a->kind->name, "chance", 6) != 0 && a->range.low == b->range.low &&
            a->range.high == b->range.high && (a->kind->form != A_PATTERN || a->other_file == b->other_file) &&
            a->argument_length == b->argument_length &&
            (a->argument_length == 0 || memcmp(a->argument, b->argument, (size_t)a->argument_length) == 0));
}

static void add_value(struct variable *variable, int64_t value)
{
    const struct range *numbers = &variable->term->kind->numbers;
    const int64_t low = is_absolute(variable->term) ? INT32_MIN : numbers->low;
    if (value < low || value > numbers->high || variable->n == MOST_VALUES)
        return;
    for (int i = 0; i < variable->n; i++)
        if (variable->values[i] == value)
            return;
    variable->values[variable->n++] = value;
}

/* Adds the numbers at which a range begins and has just ended, and of a number without its sign the same below 0. */
static void add_values(struct variable *variable, const struct condition *term)
{
    if (!compares_number(term->kind)) {
        variable->n = 2;
        return;
    }
    if (variable->n == 0) {
        add_value(variable, is_absolute(term) ? INT32_MIN : term->kind->numbers.low);
        if (term->kind->field != 0 || term->kind->cost >= ONE_MOVE) /* as where there is no capture */
            variable->values[variable->n++] = missing;
        if (term->kind->cost >= ONE_MOVE) /* where a value begins to be sound */
            add_value(variable, 0);
    }
    const int64_t begin = term->range.low, behind = term->range.high < INT64_MAX ? term->range.high + 1 : INT64_MAX;
    add_value(variable, begin);
    add_value(variable, behind);
    if (is_absolute(term)) {
        add_value(variable, begin > INT64_MIN ? -begin + 1 : begin);
        add_value(variable, behind < INT64_MAX ? -behind + 1 : behind);
    }
}

/* Finds what the terms below a node ask about. */
static void find_variables(struct search *search, int number)
{
    const struct node *node = &search->conditions->nodes[number];
    for (int part = node->first; part != NONE; part = search->conditions->nodes[part].next)
        find_variables(search, part);
    if (node->kind != TERM || search->too_many)
        return;
    const struct condition *term = &search->conditions->terms[node->term];
    int v = 0;
    while (v < search->n_variables && !same_variable(search->variables[v].term, term))
        v++;
    search->too_many = v == MOST_VARIABLES;
    if (search->too_many)
        return;
    if (v == search->n_variables)
        search->variables[search->n_variables++] = (struct variable){.term = term};
    search->of_term[node->term] = v;
    add_values(&search->variables[v], term);
}

/* Returns whether a node holds for the combination. */
static bool holds_now(const struct search *search, int number)
{
    const struct node *node = &search->conditions->nodes[number];
    bool holds = node->kind == ALL;
    if (node->kind == TERM) {
        const struct condition *term = &search->conditions->terms[node->term];
        const int v = search->of_term[node->term], now = search->now[v];
        const int64_t value = search->variables[v].values[now]; /* `missing` has no absolute value */
        const int64_t size = is_absolute(term) && value < 0 && value != missing ? -value : value;
        holds = !compares_number(term->kind) ? now == 1
                                             : value != missing && term->range.low <= size && size <= term->range.high;
    }
    for (int part = node->first; part != NONE; part = search->conditions->nodes[part].next)
        holds = node->kind == ALL ? holds && holds_now(search, part) : holds || holds_now(search, part);
    return holds != node->negated;
}

/* Returns whether the combination can occur. */
static bool is_possible(const struct search *search)
{
    struct known known = {0, 0};
    for (int v = 0; v < search->n_variables; v++) {
        const struct condition *term = search->variables[v].term;
        const int now = search->now[v];
        const struct known one = compares_number(term->kind) ? known_of_number(term, search->variables[v].values[now])
                                                             : known_of_question(term, now == 1);
        known.yes |= one.yes;
        known.no |= one.no;
    }
    known = all_known(known);
    return (known.yes & known.no) == 0;
}

/* Goes on to the next combination; returns false after the last one. */
static bool next_combination(struct search *search)
{
    for (int v = 0; v < search->n_variables; v++) {
        if (++search->now[v] < search->variables[v].n)
            return true;
        search->now[v] = 0;
    }
    return false;
}

/* Nodes that stand together: all of them have to hold, or any of them. */
struct together {
    int nodes[MOST_TERMS];
    bool opposite[MOST_TERMS]; /* whether it may not hold instead */
    int n;
    bool all;
};

/* Says what is known of nodes that stand together. */
enum answer { EITHER, NEVER, ALWAYS };
static enum answer answer_of(const seebatch_conditions *conditions, const struct together *together)
{
    struct search *search = calloc(1, sizeof *search);
    bool never = true, always = true;
    double combinations = 1;
    if (search == NULL)
        return EITHER; /* nothing is lost but a remark */
    search->conditions = conditions;
    for (int i = 0; i < together->n; i++)
        find_variables(search, together->nodes[i]);
    for (int v = 0; v < search->n_variables; v++)
        combinations *= search->variables[v].n;
    const bool look = !search->too_many && combinations <= MOST_COMBINATIONS;
    do {
        bool holds = together->all;
        for (int i = 0; look && i < together->n; i++) {
            const bool one = holds_now(search, together->nodes[i]) != together->opposite[i];
            holds = together->all ? holds && one : holds || one;
        }
        if (look && !is_possible(search))
            continue;
        never &= !holds;
        always &= holds;
    } while (look && (never || always) && next_combination(search));
    free(search);
    return !look ? EITHER : never ? NEVER : always ? ALWAYS : EITHER;
}

/* Returns the variable that all terms below a node ask about, by its first term; NULL if there are several. */
static const struct condition *only_variable(const seebatch_conditions *conditions, int number)
{
    const struct node *node = &conditions->nodes[number];
    if (node->kind == TERM)
        return &conditions->terms[node->term];
    const struct condition *only = only_variable(conditions, node->first);
    for (int part = conditions->nodes[node->first].next; only != NULL && part != NONE;
         part = conditions->nodes[part].next) {
        const struct condition *other = only_variable(conditions, part);
        only = other != NULL && same_variable(only, other) ? only : NULL;
    }
    return only;
}

/* Does the same for nodes that stand together: for all of them, or else for those about the same as one of them. */
static enum answer answer_of_any(const seebatch_conditions *conditions, const struct together *together)
{
    enum answer answer = answer_of(conditions, together);
    for (int i = 0; i < together->n && answer == EITHER; i++) {
        const struct condition *variable = only_variable(conditions, together->nodes[i]);
        struct together same = {.all = together->all};
        for (int k = i; k < together->n && variable != NULL; k++) {
            const struct condition *other = only_variable(conditions, together->nodes[k]);
            if (other == NULL || !same_variable(variable, other))
                continue;
            same.nodes[same.n] = together->nodes[k];
            same.opposite[same.n++] = together->opposite[k];
        }
        if (same.n > 1 && same.n < together->n)
            answer = answer_of(conditions, &same);
        answer = answer == (together->all ? NEVER : ALWAYS) ? answer : EITHER;
    }
    return answer;
}

/* Notes a doubt about the smallest part of a clause that gives one. */
static bool look_at(seebatch_conditions *conditions, const struct clause *clause, int number)
{
    const struct node *node = &conditions->nodes[number];
    struct together together = {.all = node->kind != ANY};
    for (int part = node->first; part != NONE; part = conditions->nodes[part].next) {
        if (look_at(conditions, clause, part))
            return true;
        together.nodes[together.n++] = part;
    }
    if (node->kind == TERM) {
        together.nodes[together.n] = number;
        together.opposite[together.n++] = node->negated;
    }
    const enum answer answer = answer_of_any(conditions, &together);
    if (answer == EITHER)
        return false;
    char sentence[256];
    seebatch_io_error error;
    const int length = node->end - node->begin;
    snprintf(sentence, sizeof sentence, "'%.*s%s' %s", length > 80 ? 77 : length, clause->text + node->begin,
             length > 80 ? "..." : "", (answer == NEVER) != node->negated ? "can never hold" : "always holds");
    for (char *at = sentence; *at != '\0'; at++)
        *at = *at == '\t' || *at == '\n' || *at == '\r' ? ' ' : *at;
    seebatch_io_point_at(&error, clause->text, (size_t)node->begin, (size_t)node->end, sentence);
    memcpy(conditions->doubt, error.text, sizeof conditions->doubt);
    return true;
}

void seebatch_io_look_for_doubt(seebatch_conditions *conditions, const struct clause *clause)
{
    if (conditions->doubt[0] == '\0')
        look_at(conditions, clause, clause->root);
}

bool seebatch_io_never_met(const seebatch_conditions *conditions)
{
    struct together together = {.n = conditions->n, .all = true};
    for (int i = 0; i < conditions->n; i++) {
        together.nodes[i] = conditions->list[i].root;
        together.opposite[i] = !conditions->list[i].keep;
    }
    return answer_of_any(conditions, &together) == NEVER;
}
