/*
 * Boards are collected and evaluated some hundred at a time: each move by the scalar code alone and by the oracle, then
 * all of them by every kernel, as the library would do it and with lanes or maps forced, and by masks with thresholds
 * at the value and one above it.
 */
#include "exhaustion.h"
#include "every_rules.h"
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOARDS = 512, MOST_REQUESTS = 8192 };

static struct {
    seebatch_position positions[MOST_BOARDS];
    size_t offsets[MOST_BOARDS + 1];
    seebatch_move moves[MOST_REQUESTS];
    size_t n_positions;
} batch;

static void differs(const char *rules, const char *who, size_t request, int expected, int got, const char *expected_by)
{
    size_t i = 0;
    while (batch.offsets[i + 1] <= request)
        i++;
    char fen[SEEBATCH_FEN_SIZE], uci[6];
    seebatch_position_to_fen(&batch.positions[i], fen);
    seebatch_move_to_uci(batch.moves[request], uci);
    printf("DIFFERENT: %s, %s, rules %s: %s says %d, %s says %d\n", fen, uci, rules, who, got, expected_by, expected);
    printf("see it again: seebatch_differential --against %s --rules %s --fen '%s' --move %s\n",
           strcmp(expected_by, "the oracle") == 0 ? "oracle" : "scalar", rules, fen, uci);
    exit(1);
}

static struct oracle_board board_of(const seebatch_position *position)
{
    static const char letters[] = "PNBRQK.";
    struct oracle_board board = {.black_to_move = position->stm == SEEBATCH_BLACK};
    for (int square = 0; square < 64; square++) {
        const char letter = letters[seebatch_type_on(position, square)];
        const bool black = letter != '.' && seebatch_color_on(position, square) == SEEBATCH_BLACK;
        board.square[square] = (char)(black ? letter + 'a' - 'A' : letter);
    }
    return board;
}

/* Values by the scalar code, one move at a time, held against the oracle. */
static void find_values(const seebatch_rules *rules, const char *name, int16_t *values, struct counts *counts)
{
    const enum oracle_rules oracle_rules = oracle_rules_of(rules);
    int worth[5];
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        worth[type] = rules->value[type];
    for (size_t i = 0; i < batch.n_positions; i++) {
        const struct oracle_board board = board_of(&batch.positions[i]);
        for (size_t k = batch.offsets[i]; k < batch.offsets[i + 1]; k++) {
            const seebatch_move move = batch.moves[k];
            const int expected = oracle_value(oracle_rules, worth, &board, seebatch_from(move), seebatch_to(move),
                                              "\0nbrq"[seebatch_promotion(move)]);
            values[k] = (int16_t)seebatch_value(rules, &batch.positions[i], NULL, move);
            if (values[k] != expected)
                differs(name, "the scalar code", k, expected, values[k], "the oracle");
            counts->oracle_values++;
        }
    }
}

/* One kernel against the values. */
static void check_kernel(const struct see_kernel *kernel, const seebatch_rules *rules, const char *name,
                         const int16_t *values, struct counts *counts)
{
    static int16_t found[MOST_REQUESTS], thresholds[MOST_REQUESTS];
    static uint64_t mask[MOST_REQUESTS / 64];
    const seebatch_batch requests = {batch.positions, batch.n_positions, batch.offsets, batch.moves, NULL};
    const size_t n = see_requests_count(&requests);
    for (int way = SEE_QUICKEST; way <= SEE_ATTACK_TABLES; way++) {
        const bool above = way % 2; /* the thresholds are the values, or one more */
        const struct see_answers of_values = {found, NULL, 0, NULL}, of_bits = {NULL, thresholds, 1, mask};
        memset(found, 0x55, n * sizeof *found);
        see_kernel_answer(kernel, rules, &requests, (enum see_way)way, &of_values);
        for (size_t k = 0; k < n; k++)
            if (found[k] != values[k])
                differs(name, kernel->name, k, values[k], found[k], "the scalar code");
        for (size_t k = 0; k < n; k++)
            thresholds[k] = (int16_t)(values[k] + above);
        see_kernel_answer(kernel, rules, &requests, (enum see_way)way, &of_bits);
        for (size_t k = 0; k < n; k++)
            if ((mask[k / 64] >> k % 64 & 1) != !above)
                differs(name, kernel->name, k, !above, above, above ? "value >= value + 1" : "value >= value");
        counts->kernel_values += 2 * n;
    }
}

/* All ways under one rule set. */
static void check_rules(const struct named_rules *rules, struct counts *counts)
{
    static int16_t values[MOST_REQUESTS];
    find_values(&rules->rules, rules->name, values, counts);
    for (size_t k = 0; seebatch_kernels[k].name != NULL; k++)
        if (seebatch_kernel_available(k))
            check_kernel(&seebatch_kernels[k], &rules->rules, rules->name, values, counts);
}

void compare_finish(struct counts *counts)
{
    static struct named_rules every[EVERY_RULES];
    static size_t with_name, turn;
    if (batch.n_positions == 0)
        return;
    if (with_name == 0)
        with_name = list_every_rules(every);
    for (size_t i = 0; i < with_name; i++)
        check_rules(&every[i], counts);
    check_rules(&every[with_name + turn++ % (EVERY_RULES - with_name)], counts);
    batch.n_positions = 0;
}

void compare_moves(const seebatch_position *position, const seebatch_move *moves, size_t n, struct counts *counts)
{
    if (n == 0)
        return;
    if (batch.n_positions == MOST_BOARDS || batch.offsets[batch.n_positions] + n > MOST_REQUESTS)
        compare_finish(counts);
    const size_t i = batch.n_positions++;
    batch.positions[i] = *position;
    memcpy(batch.moves + batch.offsets[i], moves, n * sizeof *moves);
    batch.offsets[i + 1] = batch.offsets[i] + n;
    counts->boards++;
    counts->moves += n;
}

const char *compare_kernels(void)
{
    static char names[256];
    for (size_t k = 0; seebatch_kernel_name(k) != NULL; k++) {
        if (!seebatch_kernel_available(k)) {
            printf("SKIPPED: kernel %s: this machine cannot run it\n", seebatch_kernel_name(k));
            continue;
        }
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? " " : "", seebatch_kernel_name(k));
    }
    return names;
}
