/*
 * Wrong calls of a library that was compiled with SEEBATCH_CHECK_MOVES and, as users compile it, without asserts: every
 * function that takes moves must abort with a sentence where seebatch_batch_check() finds fault with the request, and
 * return otherwise. Positions, moves and boards are changed at random, so that most queries have one fault.
 *
 * wrong_calls MODE FILE SEED   MODE as SEEBATCH_CHECK_MOVES was; FILE has a FEN a line
 */
#define _POSIX_C_SOURCE 200809L
#include <seebatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_MOVES = 40, CASES = 6000 };

/* A request: one position with some moves. */
struct request {
    seebatch_rules rules;
    seebatch_position position;
    seebatch_move moves[MOST_MOVES];
    size_t n, offsets[2];
};

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static int16_t values[MOST_MOVES], thresholds[MOST_MOVES];
static uint64_t mask[SEEBATCH_MASK_WORDS(MOST_MOVES)];
static uint8_t lengths[MOST_MOVES];
static size_t good[1];
static seebatch_trace trace;

static const char *const names[] = {"value",         "ge",          "explain",      "values",       "ge_mask",
                                    "ge_mask_each",  "order",       "split",        "batch_values", "batch_ge",
                                    "batch_ge_each", "batch_order", "batch_lengths"};
enum { CALLS = sizeof names / sizeof names[0] };

static void call(struct request *r, int number)
{
    const seebatch_batch batch = {&r->position, 1, r->offsets, r->moves, NULL};
    switch (number) {
    case 0: seebatch_value(&r->rules, &r->position, NULL, r->moves[0]); break;
    case 1: seebatch_ge(&r->rules, &r->position, NULL, r->moves[0], -50); break;
    case 2: seebatch_explain(&r->rules, &r->position, r->moves[0], &trace); break;
    case 3: seebatch_values(&r->rules, &r->position, NULL, r->moves, r->n, values); break;
    case 4: seebatch_ge_mask(&r->rules, &r->position, NULL, r->moves, r->n, -50, mask); break;
    case 5: seebatch_ge_mask_each(&r->rules, &r->position, NULL, r->moves, r->n, thresholds, mask); break;
    case 6: seebatch_order(&r->rules, &r->position, NULL, r->moves, r->n, 0, values); break;
    case 7: seebatch_split(&r->rules, &r->position, NULL, r->moves, r->n, thresholds); break;
    case 8: seebatch_batch_values(&r->rules, &batch, values, NULL); break;
    case 9: seebatch_batch_ge_mask(&r->rules, &batch, -50, mask, NULL); break;
    case 10: seebatch_batch_ge_mask_each(&r->rules, &batch, thresholds, mask, NULL); break;
    case 11: seebatch_batch_order(&r->rules, &batch, 0, r->moves, values, good, NULL); break;
    default: seebatch_batch_lengths(&r->rules, &batch, NULL, lengths, NULL); break;
    }
}

/* Whether the call aborts, in a process of its own, with a sentence of the library. */
static int aborts(struct request *r, int number)
{
    static const char begin[] = "seebatch: position 0, ";
    char said[1024] = "";
    size_t length = 0;
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        call(r, number);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)n;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
           strncmp(said, begin, sizeof begin - 1) == 0;
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t chance(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

/* Some legal moves of the position, among them one that was changed, or one of the other side, or a changed board. */
static void spoil(struct request *r)
{
    seebatch_move all[SEEBATCH_MAX_MOVES];
    seebatch_position other = r->position;
    const size_t n = seebatch_legal_moves(&r->position, all);
    r->n = 1 + chance(MOST_MOVES);
    for (size_t i = 0; i < r->n; i++)
        r->moves[i] = n > 0 ? all[chance((uint32_t)n)] : (seebatch_move)chance(1 << 16);
    seebatch_move *one = &r->moves[chance(4) == 0 ? 0 : chance((uint32_t)r->n)];
    other.stm ^= 1;
    switch (chance(6)) {
    case 0: *one = (seebatch_move)(*one ^ 1u << chance(16)); break;
    case 1: *one = (seebatch_move)chance(1 << 16); break;
    case 2: *one = (seebatch_move)((*one & 63) | chance(64) << 6); break;
    case 3:
        if (seebatch_position_check(&other, NULL) == SEEBATCH_OK)
            *one = all[chance((uint32_t)seebatch_legal_moves(&other, all) + 1) % SEEBATCH_MAX_MOVES];
        break;
    case 4: r->position.plane[chance(3)] ^= UINT64_C(1) << chance(64); break;
    default: break;
    }
    r->offsets[0] = 0;
    r->offsets[1] = r->n;
}

static size_t read_positions(const char *path, seebatch_position *positions, size_t most)
{
    char line[256];
    size_t n = 0;
    FILE *file = fopen(path, "r");
    while (file && n < most && fgets(line, sizeof line, file))
        n += seebatch_position_from_fen(line, strcspn(line, "\n"), &positions[n], NULL) == SEEBATCH_OK;
    if (file)
        fclose(file);
    return n;
}

int main(int argc, char **argv)
{
    static seebatch_position positions[1000];
    const size_t n = argc == 4 ? read_positions(argv[2], positions, 1000) : 0;
    size_t wrong[CALLS] = {0}, right[CALLS] = {0}, n_rules = 0;
    if (n == 0) {
        fputs("usage: wrong_calls MODE FILE SEED\n", stderr);
        return 2;
    }
    state = strtoull(argv[3], NULL, 10);
    while (seebatch_rules_name(n_rules))
        n_rules++;
    for (int i = 0; i < CASES; i++) {
        struct request r;
        memset(&r, 0, sizeof r);
        const int number = i % CALLS;
        const char *name = seebatch_rules_name(chance((uint32_t)n_rules));
        if (seebatch_rules_named(name, &r.rules, NULL) != SEEBATCH_OK)
            return 2;
        r.position = positions[chance((uint32_t)n)];
        spoil(&r);
        if (number < 3) /* these take one move */
            r.n = r.offsets[1] = 1;
        const seebatch_batch batch = {&r.position, 1, r.offsets, r.moves, NULL};
        const int what = argv[1][0] == '1' ? SEEBATCH_CHECK_LEGAL : SEEBATCH_CHECK_PSEUDO_LEGAL;
        if (seebatch_batch_check(&r.rules, &batch, r.n, what, NULL, NULL) == SEEBATCH_OK) {
            right[number]++;
            call(&r, number);
        } else if (aborts(&r, number)) {
            wrong[number]++;
        } else {
            char fen[SEEBATCH_FEN_SIZE];
            seebatch_position_to_fen(&r.position, fen);
            fprintf(stderr, "wrong_calls: seed %s, case %d: %s under %s of %s does not abort with a sentence\n",
                    argv[3], i, names[number], name, fen);
            return 1;
        }
    }
    for (int k = 0; k < CALLS; k++)
        if (wrong[k] < 50 || right[k] < 50) {
            fprintf(stderr, "wrong_calls: %s: %zu wrong queries and %zu right ones, expected more\n", names[k],
                    wrong[k], right[k]);
            return 1;
        }
    return 0;
}
