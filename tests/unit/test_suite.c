/*
 * The suite of features: each formula, under the tables of engines that satisfy its condition, is the value that the
 * oracle and the library find; tables that do not satisfy it are refused.
 */
#include "test_support.h"

#include "every_rules.h"
#include "feature_suite.h"

/* Piece values of engines and of test suites. */
static const int16_t tables[][5] = {
    {100, 325, 325, 500, 1000}, {97, 434, 464, 646, 1289},  {233, 446, 446, 716, 1253},  {82, 229, 292, 440, 1147},
    {84, 239, 256, 506, 744},   {90, 290, 310, 570, 1000},  {109, 403, 435, 679, 1242},  {100, 450, 450, 650, 1250},
    {100, 300, 300, 500, 1000}, {100, 370, 390, 610, 1210}, {208, 781, 825, 1276, 2538}, {100, 300, 300, 500, 900},
    {100, 450, 450, 675, 1300},
};
enum { TABLES = COUNT(tables), LEAST_TABLES = 8 };

static struct feature_suite suite;

static int read_suite(void **state)
{
    (void)state;
    seebatch_error error;
    if (!feature_suite_read("../suite/suite.tsv", &suite, &error))
        fail_msg("%s", error.text);
    return 0;
}

TEST(every_answer)
{
    assert_between(suite.n, 100, 1000);
    for (size_t r = 0; r < rule_sets(); r++) {
        seebatch_rules rules = rules_at(r);
        const char *name = seebatch_rules_name(r);
        for (size_t i = 0; i < suite.n; i++) {
            const struct feature_position *p = &suite.positions[i];
            int held = 0, formula;
            for (int t = 0; t < TABLES; t++) {
                seebatch_error error;
                memcpy(rules.value, tables[t], sizeof rules.value);
                if (!feature_suite_answer(p, name, tables[t], &formula, &error))
                    continue;
                held++;
                const int oracle = value_by_oracle(&rules, &p->position, p->move);
                const int library = seebatch_value(&rules, &p->position, NULL, p->move);
                if (formula != oracle || formula != library)
                    fail_msg("%s, %s, table %d: the formula of '%s', except '%s', is %d, the oracle says %d, the "
                             "library %d",
                             p->id, name, t, p->answer, p->except, formula, oracle, library);
            }
            if (held < LEAST_TABLES)
                fail_msg("%s: %d tables satisfy '%s', expected %d", p->id, held, p->condition, LEAST_TABLES);
        }
    }
}

/* A position is named after its feature, has a sentence, and a name of its own. */
TEST(every_position_has_a_reason)
{
    for (size_t i = 0; i < suite.n; i++) {
        const struct feature_position *p = &suite.positions[i];
        assert_int_equal(strncmp(p->id, p->feature, strlen(p->feature)), 0);
        assert_between(strlen(p->why), 10, 120);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(p->id, suite.positions[k].id);
    }
}

/* The same position and move from the other side: what an engine sees that counts squares from a8. */
static struct feature_position flipped(const struct feature_position *p)
{
    struct feature_position other = *p;
    other.position = seebatch_position_empty(!p->position.stm);
    for (int square = 0; square < 64; square++)
        seebatch_put_piece(&other.position, square ^ 56, seebatch_type_on(&p->position, square),
                           !seebatch_color_on(&p->position, square));
    other.move =
        seebatch_make_move(seebatch_from(p->move) ^ 56, seebatch_to(p->move) ^ 56, seebatch_promotion(p->move));
    return other;
}

static bool has_position(const struct feature_position *p)
{
    for (size_t i = 0; i < suite.n; i++) {
        const struct feature_position *q = &suite.positions[i];
        if (p->move == q->move && memcmp(p->position.plane, q->position.plane, sizeof p->position.plane) == 0 &&
            p->position.white == q->position.white && p->position.stm == q->position.stm)
            return true;
    }
    return false;
}

/* Adapters go wrong for one color, so each feature has moves of both; each promotion has its like of the other one. */
TEST(both_colors_move)
{
    for (size_t i = 0; i < suite.n; i++) {
        const struct feature_position *p = &suite.positions[i], other = flipped(p);
        bool both = false;
        for (size_t k = 0; k < suite.n; k++)
            both |= strcmp(suite.positions[k].feature, p->feature) == 0 &&
                    suite.positions[k].position.stm != p->position.stm;
        if (!both)
            fail_msg("%s: all moves of %s are of one color", p->id, p->feature);
        if (seebatch_promotion(p->move) && !has_position(&other))
            fail_msg("%s: the same promotion of the other color is missing", p->id);
    }
}

/* An engine that counts squares from a8 sees each board from the other side. Where that changes an answer, the suite has
 * the other board as well, and `verify --a8-first` takes the answer from there. */
TEST(the_order_of_squares_is_known)
{
    size_t changed = 0;
    for (size_t r = 0; r < rule_sets(); r++) {
        const seebatch_rules rules = rules_at(r);
        for (size_t i = 0; i < suite.n; i++) {
            const struct feature_position *p = &suite.positions[i], other = flipped(p);
            if (value_by_oracle(&rules, &p->position, p->move) == value_by_oracle(&rules, &other.position, other.move))
                continue;
            changed++;
            assert_string_equal(p->feature, "like-pieces");
            if (!has_position(&other))
                fail_msg("%s: the board from the other side is missing", p->id);
        }
    }
    assert_true(changed > 10);
}

static bool is_rule_set(const char *name, size_t length)
{
    for (size_t r = 0; r < rule_sets(); r++)
        if (strlen(seebatch_rules_name(r)) == length && memcmp(seebatch_rules_name(r), name, length) == 0)
            return true;
    return false;
}

/* Each name is that of a rule set, and once a line: misspelled, it would say nothing. */
TEST(exceptions_name_rule_sets)
{
    for (const char *c = suite.positions[0].as; *c != '\0'; c += strcspn(c, ";"), c += strspn(c, "; ")) {
        const char *base = strchr(c + strcspn(c, " ") + 1, ' ') + 1;
        if (!is_rule_set(c, strcspn(c, " ")) || !is_rule_set(base, strcspn(base, ";")))
            fail_msg("the first line of the suite: '%.40s' does not name two rule sets", c);
    }
    for (size_t i = 0; i < suite.n; i++) {
        const struct feature_position *p = &suite.positions[i];
        char seen[1024] = " ";
        for (const char *c = p->except; *c != '\0';) {
            const size_t length = strcspn(c, " :");
            char name[64];
            snprintf(name, sizeof name, " %.*s ", (int)length, c);
            if (!is_rule_set(c, length) || strstr(seen, name) != NULL)
                fail_msg("%s: '%s': '%.*s' is no rule set, or is named twice", p->id, p->except, (int)length, c);
            strcat(seen, name);
            c += length;
            c += *c == ':' ? strcspn(c, ";") : 0;
            c += strspn(c, "; ");
        }
    }
}

TEST(tables_are_refused)
{
    static const int16_t wrong[][5] = {
        {325, 325, 400, 500, 1000}, {100, 325, 500, 500, 1000}, {100, 325, 325, 500, 500}};
    seebatch_error error;
    int value;
    for (int t = 0; t < 3; t++)
        assert_false(feature_suite_answer(&suite.positions[0], "swap", wrong[t], &value, &error));
    assert_string_equal(error.text, "the values 100,325,325,500,500 do not satisfy R < Q");
    assert_true(feature_suite_holds("2*R <= P + Q", tables[0], &error));
    assert_false(feature_suite_holds("B <= R, 2*R < Q", tables[0], &error));
    assert_false(feature_suite_holds("B = R", tables[0], &error));
}

int main(void) { return run_all_tests(read_suite); }
