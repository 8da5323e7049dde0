/*
 * A fixed workload whose instructions are to be counted: the captures of real positions, evaluated by every kernel, in
 * both forms, under every rule set, once in a call for all positions and once in a call for each.
 *
 * count_instructions POSITIONS             for callgrind to count
 * count_instructions POSITIONS KERNEL      counts by itself, one kernel
 *
 * POSITIONS has one FEN or EPD a line; the first 2,000 with a capture are taken. What is to be counted happens within
 * measure(), which is called once for each line that is printed: kernel, shape, form, rules, number of requests, with
 * tabs between them. A kernel that this processor (which may be an emulated one) cannot run prints "skipped" and its
 * name; a shape that it runs by another way than most processors, "skipped" and the names of both.
 * test_machine_counts.py makes the counts of it.
 *
 * With KERNEL the processor runs measure() in single steps and the program counts them, those in its own code; the
 * lines get the count as a last field. A step costs some ten microseconds, so there are fewer positions and rule sets.
 * It is for kernels that valgrind's processor cannot run.
 *
 * Ends with 1 if a kernel does not give the scalar kernel's answers, since then its count says nothing.
 */
#define _DEFAULT_SOURCE /* sigaction, and the registers in a signal handler */
#include "../src/cpu.h"
#include "seebatch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 2000, STEPPED_POSITIONS = 60, MOST_REQUESTS = POSITIONS * 24 };

static size_t n_positions = POSITIONS;
static seebatch_position positions[POSITIONS];
static size_t offsets[POSITIONS + 1];
static seebatch_move moves[MOST_REQUESTS + SEEBATCH_MAX_MOVES];

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "count_instructions: %s: %s\n", where, what);
    exit(1);
}

static void read_positions(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot be opened", path);
    char line[512];
    size_t n = 0;
    while (n < n_positions && fgets(line, sizeof line, file)) {
        seebatch_error error;
        if (seebatch_position_from_fen(&positions[n], line, strcspn(line, "\r\n"), &error) != SEEBATCH_OK)
            fail(error.text, path);
        const size_t captures = seebatch_legal_captures(&positions[n], moves + offsets[n]);
        offsets[n + 1] = offsets[n] + captures;
        if (offsets[n + 1] > MOST_REQUESTS)
            fail("has more captures than expected of positions from games", path);
        n += captures > 0;
    }
    fclose(file);
    if (n < n_positions)
        fail("has fewer positions with captures than the 2,000 (60 with KERNEL) that are counted", path);
}

/* ---- What is counted --------------------------------------------------------------------------------------------- */

union answers {
    int16_t values[MOST_REQUESTS];
    uint64_t masks[POSITIONS + MOST_REQUESTS / 64];
};

static void bulk_value(const seebatch_rules *rules, union answers *to)
{
    seebatch_batch_values(rules, &(const seebatch_batch){positions, n_positions, offsets, moves, NULL}, to->values,
                          NULL);
}

static void bulk_ge(const seebatch_rules *rules, union answers *to)
{
    seebatch_batch_ge_mask(rules, &(const seebatch_batch){positions, n_positions, offsets, moves, NULL}, 0, to->masks,
                           NULL);
}

static void one_value(const seebatch_rules *rules, union answers *to)
{
    for (size_t p = 0; p < n_positions; p++)
        seebatch_values(rules, &positions[p], NULL, moves + offsets[p], offsets[p + 1] - offsets[p],
                        to->values + offsets[p]);
}

static void one_ge(const seebatch_rules *rules, union answers *to)
{
    uint64_t *mask = to->masks;
    for (size_t p = 0; p < n_positions; p++) {
        const size_t n = offsets[p + 1] - offsets[p];
        seebatch_ge_mask(rules, &positions[p], NULL, moves + offsets[p], n, 0, mask);
        mask += SEEBATCH_MASK_WORDS(n);
    }
}

static const struct way {
    const char *shape, *form;
    void (*evaluate)(const seebatch_rules *, union answers *);
} ways[] = {{"bulk", "value", bulk_value}, {"bulk", "ge", bulk_ge}, {"one", "value", one_value}, {"one", "ge", one_ge}};

enum { WAYS = sizeof ways / sizeof *ways, MOST_RULES = 16 };

/* callgrind counts from the beginning of this function to its end, so it must be one that is really called. */
__attribute__((noinline)) static int measure(const struct way *way, const seebatch_rules *rules, union answers *to)
{
    way->evaluate(rules, to);
    return way->form[0]; /* so that nothing above is called last, which the compiler would make a jump */
}

/* ---- Single steps ------------------------------------------------------------------------------------------------ */

static bool stepping;
static volatile size_t steps;

#if defined(__x86_64__) && defined(__linux__)
#include <ucontext.h>
#include <x86intrin.h>

extern const char __executable_start[], etext[]; /* the linker's */

/* The processor traps after every instruction while this bit of its flags is set; it is clear within the handler. */
enum { TRAP_FLAG = 0x100, REGISTER_RIP = 16 };

static void on_step(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    const ucontext_t *stepped = context;
    const uint64_t at = (uint64_t)stepped->uc_mcontext.gregs[REGISTER_RIP];
    /* Not in the C library, whose memcpy is another one on every machine. */
    steps += at >= (uintptr_t)__executable_start && at < (uintptr_t)etext;
}

static int measure_in_steps(const struct way *way, const seebatch_rules *rules, union answers *to)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, NULL);
    steps = 0;
    __writeeflags(__readeflags() | TRAP_FLAG);
    const int result = measure(way, rules, to);
    __writeeflags(__readeflags() & ~(unsigned long long)TRAP_FLAG);
    return result;
}
#else
static int measure_in_steps(const struct way *way, const seebatch_rules *rules, union answers *to)
{
    (void)way, (void)rules, (void)to;
    fail("there are no single steps on this machine", "KERNEL");
    return 0;
}
#endif

/* ---- The list ---------------------------------------------------------------------------------------------------- */

static void count(const char *kernel, const struct way *way, const seebatch_rules *rules, const char *rules_name,
                  union answers *to)
{
    memset(to, 0, sizeof *to);
    if ((stepping ? measure_in_steps : measure)(way, rules, to) != way->form[0])
        abort();
    printf("%s\t%s\t%s\t%s\t%zu", kernel, way->shape, way->form, rules_name, offsets[n_positions]);
    if (stepping)
        printf("\t%zu", steps);
    printf("\n");
}

/* Whether the kernel takes another way here than the one in the table: on a processor whose units are narrow, AVX-512
 * leaves few requests to AVX2. */
static bool takes_another_way(const char *kernel, const struct way *way)
{
    return strcmp(kernel, "avx512") == 0 && strcmp(way->shape, "one") == 0 && !seebatch_cpu_is_wide();
}

static bool is_counted(const struct way *way, const char *rules)
{
    if (!stepping || strcmp(rules, "swap") == 0)
        return true;
    return strcmp(way->shape, "bulk") == 0 && strcmp(rules, "legal") == 0;
}

static void count_kernel(const char *kernel)
{
    static union answers expected[WAYS][MOST_RULES], got;
    const bool reference = strcmp(kernel, "scalar") == 0;
    for (size_t w = 0; w < WAYS; w++) {
        if (takes_another_way(kernel, &ways[w])) {
            printf("skipped\t%s\t%s\n", kernel, ways[w].shape);
            continue;
        }
        for (size_t r = 0; r < MOST_RULES && seebatch_rules_name(r); r++) {
            const char *name = seebatch_rules_name(r);
            seebatch_rules rules;
            seebatch_rules_named(name, &rules, NULL);
            if (reference && stepping) /* only to be compared with */
                ways[w].evaluate(&rules, &expected[w][r]);
            else if (is_counted(&ways[w], name))
                count(kernel, &ways[w], &rules, name, reference ? &expected[w][r] : &got);
            if (!reference && is_counted(&ways[w], name) && memcmp(&got, &expected[w][r], sizeof got) != 0)
                fail("does not give the scalar kernel's answers", kernel);
        }
    }
}

/* Whether it could be; else it is named. */
static bool count_available(const char *kernel)
{
    const bool available = seebatch_kernel_use(kernel, NULL) == SEEBATCH_OK;
    if (available)
        count_kernel(kernel);
    else
        printf("skipped\t%s\n", kernel);
    return available;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "scalar") == 0)) {
        fprintf(stderr, "usage: count_instructions POSITIONS [KERNEL other than scalar]\n");
        return 2;
    }
    stepping = argc == 3;
    if (stepping)
        n_positions = STEPPED_POSITIONS;
    read_positions(argv[1]);
    count_available("scalar");
    for (size_t k = 0; !stepping && seebatch_kernel_name(k); k++)
        if (strcmp(seebatch_kernel_name(k), "scalar") != 0)
            count_available(seebatch_kernel_name(k));
    if (stepping)
        count_available(argv[2]);
    return 0;
}
