/*
 * Prints what the library answers, as text to compare: the values of all legal moves of positions, whether they reach a
 * threshold, and how long their exchanges are, under every rule set; and who is in check. However the library was built
 * and on whatever machine, it is the same text. C11, and C++ as well.
 *
 * answers FILE      positions, a FEN a line
 * answers kernels   the kernels, each with whether this machine can run it; then the one in use
 * answers selftest  the library's self-test; ends with 1 if a kernel gives another answer than the scalar code
 */
#include <seebatch.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 64 };

static int print_kernels(void)
{
    for (size_t i = 0; seebatch_kernel_name(i); i++)
        printf("%s %s\n", seebatch_kernel_name(i), seebatch_kernel_available(i) ? "available" : "not available");
    printf("in use: %s\n", seebatch_kernel_active());
    return 0;
}

static int run_selftest(void)
{
    seebatch_selftest_report report;
    seebatch_error error;
    if (seebatch_selftest(1, 100000, &report, &error) != SEEBATCH_OK) {
        fprintf(stderr, "answers: the self-test, kernel %s: %s\n", report.kernel, error.text);
        return 1;
    }
    printf("%llu answers of the self-test\n", (unsigned long long)report.answers);
    return 0;
}

/* Positions with all their moves, in one call for each rule set. */
static void print_answers(const seebatch_position *positions, size_t n)
{
    static seebatch_move moves[BATCH * SEEBATCH_MAX_MOVES];
    static int16_t values[BATCH * SEEBATCH_MAX_MOVES];
    static uint8_t lengths[BATCH * SEEBATCH_MAX_MOVES];
    bool checked[BATCH];
    static uint64_t mask[SEEBATCH_MASK_WORDS(BATCH * SEEBATCH_MAX_MOVES)];
    size_t offsets[BATCH + 1] = {0};
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + seebatch_legal_moves(&positions[i], moves + offsets[i]);
    seebatch_batch_in_check(positions, n, checked, NULL);
    for (size_t r = 0; seebatch_rules_name(r); r++) {
        seebatch_rules rules;
        if (seebatch_rules_named(seebatch_rules_name(r), &rules, NULL) != SEEBATCH_OK)
            return;
        const seebatch_batch batch = {positions, n, offsets, moves, NULL};
        seebatch_batch_values(&rules, &batch, values, NULL);
        seebatch_batch_ge_mask(&rules, &batch, -50, mask, NULL);
        seebatch_batch_lengths(&rules, &batch, NULL, lengths, NULL);
        for (size_t i = 0; i < n; i++) {
            printf("%s%s", seebatch_rules_name(r), checked[i] ? " in check" : "");
            for (size_t k = offsets[i]; k < offsets[i + 1]; k++) {
                char uci[6];
                seebatch_move_to_uci(moves[k], uci);
                printf(" %s %d%s %d", uci, values[k], mask[k / 64] >> k % 64 & 1 ? "+" : "", lengths[k]);
            }
            printf("\n");
        }
    }
}

int main(int argc, char **argv)
{
    char line[256];
    seebatch_position positions[BATCH];
    seebatch_error error;
    size_t n = 0, read = 0;
    if (argc == 2 && strcmp(argv[1], "kernels") == 0)
        return print_kernels();
    if (argc == 2 && strcmp(argv[1], "selftest") == 0)
        return run_selftest();
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "answers: expected 'kernels', 'selftest' or a file of positions\n");
        return 2;
    }
    while (fgets(line, sizeof line, file)) {
        if (seebatch_position_from_fen(line, strcspn(line, "\r\n"), &positions[n], &error) != SEEBATCH_OK) {
            fprintf(stderr, "answers: %s: %s\n", argv[1], error.text);
            return 1;
        }
        read++;
        if (++n == BATCH) {
            print_answers(positions, n);
            n = 0;
        }
    }
    print_answers(positions, n);
    fclose(file);
    return read ? 0 : 1;
}
