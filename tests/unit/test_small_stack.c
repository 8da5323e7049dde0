/*
 * Threads with small stacks: each call gives the right answer, or the process ends at the guard page. It never writes
 * beyond the guard page, where another thread's memory may lie.
 *
 * The calls run in a child process, in a thread whose stack this test has laid out: a neighbour full of known bytes, a
 * guard page, the stack. The neighbour is shared with this process, which looks at it after the child has ended. So a
 * frame that is larger than the guard page and is not probed page by page is found by the bytes that it changed.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test_support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEIGHBOUR = 1 << 19, MOST_STACK = 256 << 10, STEP = 16 << 10, GUARD_BYTE = 0x5a, POSITIONS = 200 };

static seebatch_position positions[POSITIONS];
static seebatch_move moves[POSITIONS * SEEBATCH_MAX_MOVES];
static size_t offsets[POSITIONS + 1];
static int16_t values[POSITIONS * SEEBATCH_MAX_MOVES], expected_values[POSITIONS * SEEBATCH_MAX_MOVES];
static uint64_t mask[SEEBATCH_MASK_WORDS(POSITIONS)], expected_mask[SEEBATCH_MASK_WORDS(POSITIONS)];
static seebatch_rules rules;
static seebatch_batch batch;

/* The rules are `legal`, which has the largest frames, and the first boards those whose search takes longest, so that it
 * needs its memory of 64 KB. The others are an ordinary one. */
static void read_worst_boards(void)
{
    struct lines table;
    size_t n = 0;
    for (open_lines(&table, "data/legal/worst.tsv"); next_line(&table);) {
        seebatch_error error;
        if (table.text[0] == '#' || n == POSITIONS)
            continue;
        if (seebatch_position_from_fen(table.text, strcspn(table.text, "\t"), &positions[n], &error) != SEEBATCH_OK)
            fail_msg("%s: %s", table.where, error.text);
        n++;
    }
    assert_true(n > 0);
    static const char other[] = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -";
    for (; n < POSITIONS; n++)
        assert_int_equal(seebatch_position_from_fen(other, strlen(other), &positions[n], NULL), SEEBATCH_OK);
}

/* ---- The calls --------------------------------------------------------------------------------------------------- */

static void any_capture(void) { seebatch_batch_any_capture(&rules, positions, POSITIONS, 1, mask, NULL); }

static void batch_values(void) { seebatch_batch_values(&rules, &batch, values, NULL); }

static void node_values(void)
{
    for (size_t i = 0; i < POSITIONS; i++)
        seebatch_values(&rules, &positions[i], NULL, moves + offsets[i], offsets[i + 1] - offsets[i],
                        values + offsets[i]);
}

static const struct call {
    const char *name;
    void (*run)(void);
} calls[] = {
    {"seebatch_batch_any_capture()", any_capture},
    {"seebatch_batch_values()", batch_values},
    {"seebatch_values()", node_values},
};

static bool answers_are_right(void)
{
    return !memcmp(mask, expected_mask, sizeof mask) && !memcmp(values, expected_values, sizeof values);
}

/* ---- A child with a small thread --------------------------------------------------------------------------------- */

static void *run_in_thread(void *call)
{
    ((const struct call *)call)->run();
    return NULL;
}

static void run_in_child(const struct call *call, char *stack, size_t size)
{
    static const struct rlimit no_core;
    setrlimit(RLIMIT_CORE, &no_core);
    /* cmocka's handlers would be called on the small stack, and their frames change the neighbour. */
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    memcpy(mask, expected_mask, sizeof mask);
    memcpy(values, expected_values, sizeof values);
    memset(call->run == any_capture ? (void *)mask : (void *)values, 0xff,
           call->run == any_capture ? sizeof mask : offsets[POSITIONS] * sizeof *values);
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, size) ||
        pthread_create(&thread, &attributes, run_in_thread, (void *)(uintptr_t)call) || pthread_join(thread, NULL))
        _exit(2);
    _exit(!answers_are_right());
}

/* Returns whether the call had enough stack. */
static bool try_call(const struct call *call, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const memory = mmap(NULL, NEIGHBOUR + page + size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + NEIGHBOUR, page, PROT_NONE), 0);
    memset(memory, GUARD_BYTE, NEIGHBOUR);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child)
        run_in_child(call, memory + NEIGHBOUR + page, size);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    size_t changed = 0;
    for (size_t i = 0; i < NEIGHBOUR; i++)
        changed += memory[i] != GUARD_BYTE;
    munmap(memory, NEIGHBOUR + page + size);

    const bool ended = WIFEXITED(status),
               at_guard = WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
    if (changed || (!at_guard && !(ended && !WEXITSTATUS(status))))
        fail_msg("kernel %s, %s in a thread with a stack of %zu KiB: %zu bytes beyond the guard page changed, %s %d",
                 seebatch_kernel_active(), call->name, size >> 10, changed, ended ? "exit status" : "signal",
                 ended ? WEXITSTATUS(status) : WTERMSIG(status));
    return ended;
}

TEST(no_call_writes_beyond_its_stack)
{
    for (size_t k = 0; use_next_kernel(&k);)
        for (size_t i = 0; i < COUNT(calls); i++) {
            size_t needed = 0;
            for (size_t size = STEP; size <= MOST_STACK; size += STEP)
                if (!try_call(&calls[i], size))
                    needed = size + STEP;
            print_message("kernel %s, %s: %zu KiB of stack are enough\n", seebatch_kernel_active(), calls[i].name,
                          (needed ? needed : STEP) >> 10);
            assert_between(needed, 0, MOST_STACK);
        }
}

static int make_positions(void **state __attribute__((unused)))
{
    rules = rules_named("legal");
    read_worst_boards();
    for (size_t i = 0; i < POSITIONS; i++)
        offsets[i + 1] = offsets[i] + seebatch_legal_captures(&positions[i], moves + offsets[i]);
    batch = (seebatch_batch){.positions = positions, .n_positions = POSITIONS, .offsets = offsets, .moves = moves};
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    seebatch_batch_any_capture(&rules, positions, POSITIONS, 1, expected_mask, NULL);
    seebatch_batch_values(&rules, &batch, expected_values, NULL);
    return 0;
}

int main(void) { return run_all_tests(make_positions); }
