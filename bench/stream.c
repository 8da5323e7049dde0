/*
 * Batches that stream from memory. See stream.h.
 */
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *shape;
    size_t positions;
    unsigned threads;
} shapes[] = {
    {"stream-1000", 1000, 0},       {"stream-10000", 10000, 0},       {"stream-100000", 100000, 0},
    {"stream-1000000", 1000000, 0}, {"stream-10000000", 10000000, 0}, {"bulk-threads-1", 1000000, 1},
    {"bulk-threads-2", 1000000, 2},
};
enum { N_SHAPES_HERE = sizeof shapes / sizeof *shapes, CHECKED_WITHOUT_TIMING = 1000000, LEAST_IN_A_PASS = 100000 };

/* What lies in memory now, for all streams: they use as much of it as they need. */
static struct {
    size_t n_positions;
    seebatch_position *positions;
    size_t *offsets;
    seebatch_move *moves;
    int16_t *values;
    int16_t *expected; /* what the scalar kernel says to each capture of the workload, alone */
} memory;

static seebatch_rules rules_swap(void)
{
    seebatch_rules rules;
    if (seebatch_rules_named("swap", &rules, NULL) != SEEBATCH_OK) {
        fprintf(stderr, "seebatch_bench: the library has no rules \"swap\"\n");
        exit(1);
    }
    return rules;
}

/* ---- The list --------------------------------------------------------------------------------------------------- */

void streams_make(struct stream_list *list, const struct workload *workload)
{
    size_t n_kernels = 0;
    while (seebatch_kernel_name(n_kernels))
        n_kernels++;
    *list = (struct stream_list){.streams = workload_alloc(n_kernels * N_SHAPES_HERE, sizeof *list->streams)};
    for (size_t i = 0; i < N_SHAPES_HERE; i++) {
        for (size_t k = 0; k < n_kernels; k++) {
            if (!seebatch_kernel_available(k))
                continue;
            struct stream *s = &list->streams[list->n++];
            const size_t most = shapes[i].positions;
            *s = (struct stream){.n_positions = most < LEAST_IN_A_PASS ? (size_t)LEAST_IN_A_PASS : most,
                                 .positions_a_call = most,
                                 .threads = shapes[i].threads,
                                 .kernel = seebatch_kernel_name(k),
                                 .workload = workload};
            snprintf(s->name, sizeof s->name, "%s/value/%s", shapes[i].shape, s->kernel);
        }
    }
}

static void free_memory(void)
{
    free(memory.positions);
    free(memory.offsets);
    free(memory.moves);
    free(memory.values);
    memory.n_positions = 0;
    memory.positions = NULL;
    memory.offsets = NULL;
    memory.moves = NULL;
    memory.values = NULL;
}

void streams_free(struct stream_list *list)
{
    free_memory();
    free(memory.expected);
    memory.expected = NULL;
    free(list->streams);
}

/* ---- The positions in memory ------------------------------------------------------------------------------------ */

/* After so many positions they come again: those of the workload, but for some at the end, so that calls of 1,000 are
 * cut at another place each time. Otherwise a branch predictor learns 40,000 positions by heart, kernels with lanes
 * gain a tenth by it, and long calls look slower than short ones. */
static size_t period_of(const struct shape *bulk)
{
    size_t n = bulk->n_positions;
    while (n % 2 == 0 || n % 5 == 0)
        n--;
    return n;
}

/* Requests in the first n positions, the workload's repeated. */
static size_t requests_in(const struct shape *bulk, size_t n)
{
    const size_t period = period_of(bulk);
    return n / period * bulk->offsets[period] + bulk->offsets[n % period];
}

/* False if there is not enough memory. */
static bool lay_out(const struct shape *bulk, size_t n)
{
    const size_t n_requests = requests_in(bulk, n);
    free_memory();
    memory.positions = malloc(n * sizeof *memory.positions);
    memory.offsets = malloc((n + 1) * sizeof *memory.offsets);
    memory.moves = malloc(n_requests * sizeof *memory.moves);
    memory.values = malloc(n_requests * sizeof *memory.values);
    if (!memory.positions || !memory.offsets || !memory.moves || !memory.values) {
        free_memory();
        return false;
    }
    const size_t period = period_of(bulk);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i % period;
        memory.positions[i] = bulk->positions[from];
        memory.offsets[i] = k;
        for (size_t j = bulk->offsets[from]; j < bulk->offsets[from + 1]; j++)
            memory.moves[k++] = bulk->moves[j];
    }
    memory.offsets[n] = k;
    memory.n_positions = n;
    return true;
}

size_t stream_bytes(const void *stream)
{
    const struct stream *s = stream;
    return s->n_positions * (sizeof *memory.positions + sizeof *memory.offsets) +
           requests_in(&s->workload->shapes[0], s->n_positions) * (sizeof *memory.moves + sizeof *memory.values);
}

/* ---- A pass ----------------------------------------------------------------------------------------------------- */

/* Every call writes where its requests are in the whole. */
size_t stream_run(const void *stream)
{
    const struct stream *s = stream;
    const seebatch_rules rules = rules_swap();
    for (size_t first = 0; first < s->n_positions; first += s->positions_a_call) {
        const size_t left = s->n_positions - first, n = left < s->positions_a_call ? left : s->positions_a_call;
        const size_t *offsets = memory.offsets + first;
        const seebatch_batch batch = {memory.positions + first, n, offsets, memory.moves, NULL};
        seebatch_job job = {.threads = s->threads};
        seebatch_batch_values(&rules, &batch, memory.values + *offsets, s->threads ? &job : NULL);
    }
    return memory.offsets[s->n_positions];
}

/* ---- The check -------------------------------------------------------------------------------------------------- */

static void make_expected(const struct shape *bulk)
{
    const seebatch_rules rules = rules_swap();
    memory.expected = workload_alloc(bulk->offsets[bulk->n_positions], sizeof *memory.expected);
    for (size_t p = 0; p < bulk->n_positions; p++)
        for (size_t k = bulk->offsets[p]; k < bulk->offsets[p + 1]; k++)
            memory.expected[k] = (int16_t)seebatch_value(&rules, &bulk->positions[p], NULL, bulk->moves[k]);
}

/* Runs a stream and ends the program if an answer is wrong; returns how many there were. */
static size_t check(const struct stream *s)
{
    const struct shape *bulk = &s->workload->shapes[0];
    const size_t period = bulk->offsets[period_of(bulk)], n = requests_in(bulk, s->n_positions);
    if (!memory.expected)
        make_expected(bulk);
    for (size_t k = 0; k < n; k++)
        memory.values[k] = 0x7f7f; /* no value: an answer that is not written must not look right */
    stream_run(s);
    for (size_t k = 0; k < n; k++) {
        if (memory.values[k] != memory.expected[k % period]) {
            fprintf(stderr,
                    "seebatch_bench: %s: answer %zu of %zu is %d, but the scalar kernel says %d to capture %zu of the "
                    "workload alone\n",
                    s->name, k, n, memory.values[k], memory.expected[k % period], k % period);
            exit(1);
        }
    }
    return n;
}

const char *stream_prepare(const void *stream)
{
    static seebatch_error error;
    struct stream *s = (struct stream *)(uintptr_t)stream; /* to mark it as checked */
    if (memory.n_positions < s->n_positions && !lay_out(&s->workload->shapes[0], s->n_positions))
        return "there is not enough memory for so many positions";
    if (seebatch_kernel_use(s->kernel, &error) != SEEBATCH_OK)
        return error.text;
    if (!s->checked)
        check(s);
    s->checked = true;
    return NULL;
}

size_t streams_check(const struct stream_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct stream *s = &list->streams[i];
        if (s->n_positions > CHECKED_WITHOUT_TIMING)
            continue;
        const char *trouble = stream_prepare(s);
        if (trouble) {
            fprintf(stderr, "seebatch_bench: %s: %s\n", s->name, trouble);
            exit(1);
        }
        n += memory.offsets[s->n_positions];
    }
    return n;
}
