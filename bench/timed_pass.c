/*
 * The timed loops, and the list of all passes. See timed_pass.h.
 */
#include "timed_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The timed loops -------------------------------------------------------------------------------------------- */

/* Many positions a call; pass->pins is NULL unless they are at hand. */
static size_t run_batches(const struct pass *pass)
{
    const struct shape *s = pass->shape;
    struct answers to = *pass->answers;
    for (size_t first = 0, end; first < s->n_positions; first = end) {
        end = shape_call_end(s, first);
        const size_t n = s->offsets[end] - s->offsets[first];
        const seebatch_batch batch = {.positions = s->positions + first,
                                      .n_positions = end - first,
                                      .offsets = s->offsets + first,
                                      .moves = s->moves,
                                      .pins = pass->pins ? pass->pins + first : NULL};
        if (pass->form == FORM_VALUE)
            seebatch_batch_values(&pass->rules, &batch, to.values, NULL);
        else
            seebatch_batch_ge_mask(&pass->rules, &batch, s->threshold, to.mask, NULL);
        to.values += n * to.step;
        to.mask += SEEBATCH_MASK_WORDS(n) * to.step;
    }
    return s->offsets[s->n_positions];
}

static size_t run_positions(const struct pass *pass)
{
    const struct shape *s = pass->shape;
    struct answers to = *pass->answers;
    for (size_t p = 0; p < s->n_positions; p++) {
        const seebatch_move *moves = s->moves + s->offsets[p];
        const size_t n = s->offsets[p + 1] - s->offsets[p];
        if (pass->form == FORM_VALUE)
            seebatch_values(&pass->rules, &s->positions[p], NULL, moves, n, to.values);
        else
            seebatch_ge_mask(&pass->rules, &s->positions[p], NULL, moves, n, s->threshold, to.mask);
        to.values += n * to.step;
        to.mask += SEEBATCH_MASK_WORDS(n) * to.step;
    }
    return s->offsets[s->n_positions];
}

static size_t run_queries(const struct pass *pass)
{
    const struct shape *s = pass->shape;
    struct answers to = *pass->answers;
    for (const struct draw *d = s->draws; d < s->draws + s->n_draws; d++) {
        if (pass->form == FORM_VALUE)
            *to.values = (int16_t)seebatch_value(&pass->rules, &s->positions[d->position], NULL, d->move);
        else
            *to.flags = seebatch_ge(&pass->rules, &s->positions[d->position], NULL, d->move, s->threshold);
        to.values += to.step;
        to.flags += to.step;
    }
    return s->n_draws;
}

/* ---- The list --------------------------------------------------------------------------------------------------- */

static size_t (*const runs[])(const struct pass *) = {
    [CALL_BATCH] = run_batches,
    [CALL_POSITION] = run_positions,
    [CALL_QUERY] = run_queries,
};

static void add_pass(struct pass_list *list, const struct pass *like, const char *kernel)
{
    static const char *const form_name[2] = {"value", "ge"};
    list->passes = realloc(list->passes, (list->n + 1) * sizeof *list->passes);
    if (!list->passes) {
        fprintf(stderr, "seebatch_bench: there is not enough memory for the list of benchmarks\n");
        exit(1);
    }
    struct pass *pass = &list->passes[list->n++];
    *pass = *like;
    pass->kernel = kernel;
    pass->run = runs[like->shape->call];
    bool swap = strcmp(like->rules_name, "swap") == 0;
    snprintf(pass->name, sizeof pass->name, "%s%s/%s/%s%s%s", like->shape->name, like->pins ? "-pinned" : "",
             form_name[like->form], kernel, swap ? "" : "/", swap ? "" : like->rules_name);
}

/* One shape under one rule set: both forms, every kernel. */
static void add_passes(struct pass_list *list, struct pass *like)
{
    for (like->form = FORM_VALUE; like->form <= FORM_GE; like->form++)
        for (size_t k = 0; seebatch_kernel_name(k); k++)
            if (seebatch_kernel_available(k))
                add_pass(list, like, seebatch_kernel_name(k));
}

/* The pins of a shape's positions, where the rules look for pins once; a pass list keeps them to the end. */
static seebatch_pins *pins_of(const struct shape *shape, const seebatch_rules *rules)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED || rules->pins == SEEBATCH_PINS_LEGAL)
        return NULL;
    seebatch_pins *pins = workload_alloc(shape->n_positions, sizeof *pins);
    for (size_t i = 0; i < shape->n_positions; i++)
        seebatch_find_pins(rules, &shape->positions[i], &pins[i]);
    return pins;
}

void passes_make(struct pass_list *list, const struct workload *workload, const struct answers *answers)
{
    *list = (struct pass_list){0};
    for (size_t r = 0; seebatch_rules_name(r); r++) {
        struct pass like = {.rules_name = seebatch_rules_name(r), .answers = answers};
        seebatch_error error;
        if (seebatch_rules_named(like.rules_name, &like.rules, &error) != SEEBATCH_OK) {
            fprintf(stderr, "seebatch_bench: the library lists the rules \"%s\" but refuses them: %s\n",
                    like.rules_name, error.text);
            exit(1);
        }
        for (size_t i = 0; i < workload->n_shapes; i++) {
            like.shape = &workload->shapes[i];
            if (!like.shape->for_turns)
                add_passes(list, &like);
        }
        like.shape = &workload->shapes[0]; /* bulk */
        like.pins = pins_of(like.shape, &like.rules);
        if (like.pins)
            add_passes(list, &like);
    }
}

void passes_free(struct pass_list *list)
{
    const seebatch_pins *last = NULL; /* passes that share pins are neighbours */
    for (size_t i = 0; i < list->n; i++) {
        if (list->passes[i].pins != last)
            free(list->passes[i].pins);
        last = list->passes[i].pins;
    }
    free(list->passes);
}

const char *pass_prepare(const struct pass *pass)
{
    static seebatch_error error;
    return seebatch_kernel_use(pass->kernel, &error) == SEEBATCH_OK ? NULL : error.text;
}
