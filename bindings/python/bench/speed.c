/*
 * The C functions that bench/speed.py compares the module with: reads FENs, and for each question prints its name and
 * the nanoseconds of one item, as often as it is told, one line a round.
 *
 *     speed FILE ROUNDS
 */
#include "seebatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* FENs in, the value of each one's best capture out; nanoseconds. */
static double best_captures(const seebatch_text *fens, size_t n, seebatch_position *positions, size_t *offsets,
                            seebatch_move *moves, size_t room, int16_t *values, int16_t *best)
{
    const seebatch_rules rules = seebatch_rules_default();
    const double begin = now();
    seebatch_batch_from_fens(fens, n, positions, NULL, NULL, NULL);
    seebatch_batch_legal_captures(positions, n, offsets, moves, room, NULL);
    const seebatch_batch batch = {positions, n, offsets, moves, NULL};
    seebatch_batch_values(&rules, &batch, values, NULL);
    for (size_t i = 0; i < n; i++) {
        best[i] = INT16_MIN;
        for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
            best[i] = values[k] > best[i] ? values[k] : best[i];
    }
    return now() - begin;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    fseek(file, 0, SEEK_END);
    const size_t length = (size_t)ftell(file), room = length / 16;
    rewind(file);
    char *text = malloc(length + 1);
    seebatch_position *positions = malloc(room * sizeof *positions);
    seebatch_text *fens = malloc(room * sizeof *fens);
    size_t *offsets = malloc((room + 1) * sizeof *offsets);
    seebatch_move *moves = malloc(room * 64 * sizeof *moves);
    int16_t *values = malloc(room * 64 * sizeof *values);
    uint64_t *mask = malloc(room * 64);
    if (!text || !positions || !fens || !offsets || !moves || !values || !mask ||
        fread(text, 1, length, file) != length)
        return 2;
    const seebatch_rules legal = seebatch_rules_default();
    seebatch_rules rules;
    if (seebatch_rules_named("swap", &rules, NULL) != SEEBATCH_OK)
        return 2;
    for (int round = 0; round < atoi(argv[2]); round++) {
        seebatch_lines lines;
        double t0 = now();
        seebatch_batch_from_lines(text, length, true, positions, room, NULL, &lines, NULL, NULL);
        const double from_bytes = (now() - t0) / (double)lines.n;
        size_t at = 0;
        for (size_t i = 0; i < lines.n; i++) {
            fens[i].at = text + at;
            fens[i].length = (size_t)((char *)memchr(text + at, '\n', length - at) - (text + at));
            at += fens[i].length + 1;
        }
        t0 = now();
        seebatch_batch_from_fens(fens, lines.n, positions, NULL, NULL, NULL);
        const double from_list = (now() - t0) / (double)lines.n;
        t0 = now();
        seebatch_batch_legal_moves(positions, lines.n, offsets, moves, room * 64, NULL);
        const double all = (now() - t0) / (double)lines.n;
        seebatch_batch_legal_captures(positions, lines.n, offsets, moves, room * 64, NULL);
        const seebatch_batch batch = {positions, lines.n, offsets, moves, NULL};
        const double m = (double)offsets[lines.n];
        t0 = now();
        seebatch_batch_values(&rules, &batch, values, NULL);
        const double value = (now() - t0) / m;
        t0 = now();
        seebatch_batch_ge_mask(&rules, &batch, 0, mask, NULL);
        const double ge = (now() - t0) / m;
        const char *fen = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", *san = "Rxe5";
        const size_t n_fen = strlen(fen), n_san = strlen(san);
        seebatch_position position;
        seebatch_move move = 0;
        volatile int sink = 0;
        t0 = now();
        for (int i = 0; i < 100000; i++) {
            seebatch_position_from_fen(fen, n_fen, &position, NULL);
            seebatch_move_from_san(&position, san, n_san, &move, NULL);
            sink = seebatch_value(&legal, &position, NULL, move);
        }
        (void)sink;
        int16_t *const best = (int16_t *)mask;
        double each[2];
        for (int i = 0; i < 2; i++)
            each[i] =
                best_captures(fens, lines.n, positions, offsets, moves, room * 64, values, best) / (double)lines.n;
        printf("best_capture %.3f itself %.3f ", each[0], each[1]);
        printf("from_bytes %.3f from_list %.3f legal_moves %.3f values %.3f ge %.3f see_text %.3f\n", from_bytes,
               from_list, all, value, ge, (now() - t0) / 1e5);
        fflush(stdout);
    }
}
