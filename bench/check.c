/*
 * Compares the answers of all passes with the scalar kernel's. See timed_pass.h.
 */
#include "timed_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the scalar kernel says to the queries of a shape under a rule set, in the order of the pass's answers. */
struct expected {
    const struct shape *shape;
    const char *rules_name;
    size_t n;
    uint32_t *position; /* which position the query belongs to */
    seebatch_move *move;
    int16_t *value;
    uint8_t *ge;
};

static void expect(struct expected *e, const struct pass *pass, size_t position, seebatch_move move)
{
    const seebatch_position *p = &pass->shape->positions[position];
    e->position[e->n] = (uint32_t)position;
    e->move[e->n] = move;
    e->value[e->n] = (int16_t)seebatch_value(&pass->rules, p, NULL, move);
    e->ge[e->n] = seebatch_ge(&pass->rules, p, NULL, move, pass->shape->threshold);
    e->n++;
}

static void expected_free(struct expected *e)
{
    free(e->position);
    free(e->move);
    free(e->value);
    free(e->ge);
}

static bool expected_make(struct expected *e, const struct pass *pass)
{
    const struct shape *s = pass->shape;
    if (e->shape == s && strcmp(e->rules_name, pass->rules_name) == 0)
        return true;
    seebatch_error error;
    if (seebatch_kernel_use("scalar", &error) != SEEBATCH_OK) {
        fprintf(stderr, "seebatch_bench: the scalar kernel cannot be used: %s\n", error.text);
        return false;
    }
    expected_free(e);
    size_t n = shape_answers(s);
    *e = (struct expected){.shape = s,
                           .rules_name = pass->rules_name,
                           .position = workload_alloc(n, sizeof *e->position),
                           .move = workload_alloc(n, sizeof *e->move),
                           .value = workload_alloc(n, sizeof *e->value),
                           .ge = workload_alloc(n, sizeof *e->ge)};
    if (s->call == CALL_QUERY) {
        for (size_t i = 0; i < s->n_draws; i++)
            expect(e, pass, s->draws[i].position, s->draws[i].move);
    } else {
        for (size_t p = 0; p < s->n_positions; p++)
            for (size_t k = s->offsets[p]; k < s->offsets[p + 1]; k++)
                expect(e, pass, p, s->moves[k]);
    }
    return true;
}

/* The answers of form ge as a byte each, wherever the pass put them. Bits past a call's last query must be 0. */
static bool unpack_ge(const struct pass *pass, const struct answers *answers)
{
    const struct shape *s = pass->shape;
    if (s->call == CALL_QUERY)
        return true; /* they are bytes already */
    const uint64_t *mask = answers->mask;
    for (size_t first = 0, end; first < s->n_positions; first = end) {
        end = shape_call_end(s, first);
        size_t begin = s->offsets[first], n = s->offsets[end] - begin;
        for (size_t i = 0; i < n; i++)
            answers->flags[begin + i] = mask[i / 64] >> i % 64 & 1;
        if (n % 64 && mask[n / 64] >> n % 64) {
            fprintf(stderr,
                    "seebatch_bench: %s: bits past the last of %zu queries are set, in the call for the "
                    "positions %zu to %zu\n",
                    pass->name, n, first, end - 1);
            return false;
        }
        mask += SEEBATCH_MASK_WORDS(n);
    }
    return true;
}

static void report(const struct pass *pass, const struct expected *e, size_t i, int got, int expected)
{
    char fen[SEEBATCH_FEN_SIZE], move[6];
    seebatch_position_to_fen(&pass->shape->positions[e->position[i]], fen);
    seebatch_move_to_uci(e->move[i], move);
    fprintf(stderr, "seebatch_bench: %s: answer %zu is %d, but the scalar kernel says %d to the same query alone\n",
            pass->name, i, got, expected);
    fprintf(stderr, "  position  %s\n  move      %s\n  rules     %s\n", fen, move, pass->rules_name);
    fprintf(stderr, "  replay    printf '%s\\t%s\\n' | seebatch eval --rules %s --kernel %s", fen, move,
            pass->rules_name, pass->kernel);
    if (pass->form == FORM_GE)
        fprintf(stderr, " --threshold %d", pass->shape->threshold);
    fprintf(stderr, "\n");
}

static bool check_pass(const struct pass *pass, const struct answers *answers, const struct expected *e)
{
    const char *unusable = pass_prepare(pass);
    if (unusable) {
        fprintf(stderr, "seebatch_bench: %s: %s\n", pass->name, unusable);
        return false;
    }
    /* Answers that are not written must not look right by chance, or because an earlier pass wrote them. */
    memset(answers->values, 0x7f, e->n * sizeof *answers->values);
    memset(answers->flags, 0x7f, e->n);
    memset(answers->mask, 0xff, e->n * sizeof *answers->mask);
    size_t n = pass->run(pass);
    if (n != e->n) {
        fprintf(stderr, "seebatch_bench: %s: %zu answers were given, %zu are expected\n", pass->name, n, e->n);
        return false;
    }
    if (pass->form == FORM_GE && !unpack_ge(pass, answers))
        return false;
    for (size_t i = 0; i < n; i++) {
        int got = pass->form == FORM_GE ? answers->flags[i] : answers->values[i];
        int expected = pass->form == FORM_GE ? e->ge[i] : e->value[i];
        if (got != expected) {
            report(pass, e, i, got, expected);
            return false;
        }
    }
    return true;
}

size_t check_passes(const struct pass_list *list, struct answers *answers)
{
    struct expected e = {0};
    size_t compared = 0;
    answers->step = 1;
    for (size_t i = 0; i < list->n; i++) {
        const struct pass *pass = &list->passes[i];
        if (!expected_make(&e, pass) || !check_pass(pass, answers, &e)) {
            compared = 0;
            break;
        }
        compared += e.n;
    }
    answers->step = 0;
    expected_free(&e);
    return compared;
}
