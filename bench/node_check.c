/*
 * Whether a pass hands out the right captures, and how many evaluations it takes: against a plain stable sort over what
 * the scalar code says to each capture alone. It shares nothing with the timed code but the generator.
 */
#include "node.h"

#include <stdio.h>
#include <stdlib.h>

struct capture {
    seebatch_move move;
    int value, victim, attacker, promotion;
};

static struct capture capture_of(const struct node_pass *pass, const seebatch_position *p, seebatch_move move)
{
    struct capture c = {.move = move, .value = seebatch_value(&pass->rules, p, NULL, move)};
    c.victim = seebatch_type_on(p, seebatch_to(move));
    if (c.victim == SEEBATCH_NO_PIECE)
        c.victim = SEEBATCH_PAWN; /* en passant */
    c.attacker = seebatch_type_on(p, seebatch_from(move));
    c.promotion = seebatch_promotion(move);
    return c;
}

static bool goes_first(const struct capture *a, const struct capture *b, bool by_value)
{
    if (by_value && a->value != b->value)
        return a->value > b->value;
    if (a->victim != b->victim)
        return a->victim > b->victim;
    if (a->attacker != b->attacker)
        return a->attacker < b->attacker;
    return a->promotion > b->promotion;
}

static size_t sorted_captures(const struct node_pass *pass, const seebatch_position *p, struct capture *list)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_captures(p, moves);
    for (size_t i = 0; i < n; i++) {
        const struct capture c = capture_of(pass, p, moves[i]);
        size_t j = i;
        for (; j > 0 && goes_first(&c, &list[j - 1], pass->by_value); j--)
            list[j] = list[j - 1];
        list[j] = c;
    }
    return n;
}

/* What should be handed out; returns how many. *evaluated: how many captures are asked for it. */
static size_t expected(const struct node_pass *pass, const seebatch_position *p, seebatch_move *out, size_t *evaluated)
{
    struct capture list[SEEBATCH_MAX_MOVES];
    const size_t n = sorted_captures(pass, p, list);
    size_t count = 0;
    *evaluated = n;
    for (size_t i = 0; i < n && count < pass->stop; i++) {
        if (list[i].value < 0)
            continue;
        out[count++] = list[i].move;
        if (pass->lazy && count == pass->stop)
            *evaluated = i + 1;
    }
    for (size_t i = 0; i < n && pass->stop == ALL_CAPTURES; i++) {
        if (list[i].value < 0)
            out[count++] = list[i].move;
    }
    return count;
}

static _Noreturn void fail(const struct node_pass *pass, const seebatch_position *p, size_t i, const char *got,
                           const char *expected_text)
{
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position_to_fen(p, fen);
    fprintf(stderr,
            "seebatch_bench: %s: in %s capture %zu (from 0) is %s, but a plain sort over the scalar answers says %s\n",
            pass->name, fen, i, got, expected_text);
    exit(1);
}

static void name_of(const seebatch_move *moves, size_t n, size_t i, char text[6])
{
    if (i < n)
        seebatch_move_to_uci(moves[i], text);
    else
        snprintf(text, 6, "none");
}

void node_check(struct node_pass *pass)
{
    size_t evaluations = 0, handed_out = 0;
    for (size_t i = 0; i < pass->set->n; i++) {
        const seebatch_position *p = &pass->shape->positions[pass->set->position[i]];
        seebatch_move out[SEEBATCH_MAX_MOVES], right[SEEBATCH_MAX_MOVES];
        const size_t n = pass->visit(pass, pass->set->position[i], out);
        handed_out += n;
        if (!pass->evaluates)
            continue;
        size_t evaluated;
        const size_t n_right = expected(pass, p, right, &evaluated);
        evaluations += evaluated;
        for (size_t k = 0; k < n || k < n_right; k++) {
            char got[6], say[6];
            name_of(out, n, k, got);
            name_of(right, n_right, k, say);
            if (k >= n || k >= n_right || out[k] != right[k])
                fail(pass, p, k, got, say);
        }
    }
    pass->compared = handed_out;
    pass->evaluations = (double)evaluations / (double)pass->set->n;
}
