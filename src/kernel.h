/*
 * The contract between the API's front (batch.c) and a kernel.
 *
 * A kernel is one implementation of the evaluation: a row in the table of dispatch.c. It gets whole positions with
 * their moves, as the caller of the public API gave them, and may decide for itself what goes through lanes and what
 * through scalar code. Its answers are those of src/scalar/, bit for bit, for every rule set.
 *
 * Nothing above this header knows an instruction set; nothing below it knows FEN, rule names or threads.
 */
#ifndef SEEBATCH_KERNEL_H
#define SEEBATCH_KERNEL_H

#include "seebatch.h"

/* Requests: n_positions >= 1 positions, position i with the moves offsets[i] .. offsets[i + 1]; at least one move. */
struct see_requests {
    const seebatch_position *positions;
    size_t n_positions;
    const size_t *offsets;
    const seebatch_move *moves;
    const seebatch_pins *pins; /* one a position, as seebatch_find_pins() finds them, or NULL */
    unsigned flags;            /* 0; or of the differential harness, see below */
};

/* The number of requests. */
static inline size_t see_requests_count(const struct see_requests *requests)
{
    return requests->offsets[requests->n_positions] - requests->offsets[0];
}

/* The pins of position i, if they were handed in. */
static inline const seebatch_pins *see_pins_of(const struct see_requests *requests, size_t i)
{
    return requests->pins ? &requests->pins[i] : NULL;
}

/*
 * Flags, for the differential harness, at most one of them.
 *   - SEE_FORCE_LANES: every request that lanes can decide at all under these rules takes the longest way through them,
 *     whatever shortcut or scalar code would be faster.
 *   - SEE_FORCE_MAPS: positions are mapped, however few moves they have; by kernels that do so at all.
 */
enum { SEE_FORCE_LANES = 1, SEE_FORCE_MAPS = 2 };

struct see_kernel {
    const char *name;        /* as in SEEBATCH_KERNEL */
    const char *description; /* one line: what it is, what it needs */
    bool (*supported)(void); /* whether this machine can run it */

    /* values[k] = the value of moves[offsets[0] + k], for all requests. */
    void (*values)(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values);

    /* Bit k of mask = value of moves[offsets[0] + k] >= thresholds[(offsets[0] + k) * step], step 0 or 1. Whole words
     * are written; bits past the last request are 0. */
    void (*ge)(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds, size_t step,
               uint64_t *mask);

    /* The same for n >= 1 moves of one position, without pins and flags: what an engine asks of a node. A short way, as
     * laying requests out and reading them took a fifth of the instructions of such a call. NULL in tables of tests
     * that have only the long way. */
    void (*node_values)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                        size_t n, int16_t *values);
    void (*node_ge)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                    size_t n, const int16_t *thresholds, size_t step, uint64_t *mask);

    /* What runs in its place where seebatch_cpu_is_wide(), by the same name; or NULL. */
    const struct see_kernel *wide;
};

/* Whether a kernel's short way serves requests. */
static inline bool see_is_node(const struct see_requests *requests)
{
    return requests->n_positions == 1 && !requests->pins && !requests->flags;
}

/* What a kernel makes of requests, as its functions say. */
static inline void see_values_by(const struct see_kernel *kernel, const seebatch_rules *rules,
                                 const struct see_requests *requests, int16_t *values)
{
    if (see_is_node(requests) && kernel->node_values)
        kernel->node_values(rules, requests->positions, requests->moves + requests->offsets[0],
                            see_requests_count(requests), values);
    else
        kernel->values(rules, requests, values);
}

static inline void see_ge_by(const struct see_kernel *kernel, const seebatch_rules *rules,
                             const struct see_requests *requests, const int16_t *thresholds, size_t step,
                             uint64_t *mask)
{
    if (see_is_node(requests) && kernel->node_ge)
        kernel->node_ge(rules, requests->positions, requests->moves + requests->offsets[0],
                        see_requests_count(requests), thresholds + requests->offsets[0] * step, step, mask);
    else
        kernel->ge(rules, requests, thresholds, step, mask);
}

/* The kernels that were compiled in, best first; ends with one whose name is NULL. */
extern const struct see_kernel seebatch_kernels[];

/* What runs here when a kernel of that table is chosen. */
const struct see_kernel *seebatch_kernel_here(const struct see_kernel *kernel);

/* The kernel in use; NULL before the first use. Only read and stored by the atomic builtins, which C++ has too. */
extern const struct see_kernel *seebatch_kernel_in_use;

/* Chooses the kernel on first use (dispatch.c). */
const struct see_kernel *seebatch_kernel_first_use(void);

static inline const struct see_kernel *see_kernel_current(void)
{
    const struct see_kernel *kernel = __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
    return __builtin_expect(kernel != NULL, 1) ? kernel : seebatch_kernel_first_use();
}

#endif
