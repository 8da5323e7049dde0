/*
 * The totals of bulk.tsv. This program is their definition; an engine's author pastes total() and answers() and puts
 * the engine's own moves and values in. CC0.
 *
 *     gunzip -c positions.fen.gz | bulk RULES P,N,B,R,Q
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seebatch.h"

/* ---- The definition --------------------------------------------------------------------------------------------- */

struct total {
    uint64_t moves, fnv; /* fnv begins with 0xcbf29ce484222325 */
    int64_t sum;
};

static void add(struct total *total, int value)
{
    total->moves++;
    total->sum += value == 32767 ? 0 : value; /* a move that passes at any threshold */
    for (int shift = 0; shift < 16; shift += 8)
        total->fnv = (total->fnv ^ ((unsigned)value >> shift & 0xff)) * 0x100000001b3;
}

/* Ascending by from-square and to-square (a1 0, b1 1, h8 63), then q, r, b, n. */
static int ascending(const void *left, const void *right)
{
    const seebatch_move a = *(const seebatch_move *)left, b = *(const seebatch_move *)right;
    const int from = seebatch_from(a) - seebatch_from(b), to = seebatch_to(a) - seebatch_to(b);
    return from != 0 ? from : to != 0 ? to : seebatch_promotion(b) - seebatch_promotion(a);
}

static void answers(const seebatch_rules *rules, const seebatch_position *position, seebatch_move *moves, size_t n,
                    struct total *total)
{
    qsort(moves, n, sizeof *moves, ascending);
    for (size_t i = 0; i < n; i++)
        add(total, seebatch_value(rules, position, NULL, moves[i]));
}

/* ---- Around it -------------------------------------------------------------------------------------------------- */

static int wrong(const char *what, const char *text)
{
    fprintf(stderr, "bulk: %s: %s\n", what, text);
    return 2;
}

static void print(const char *rules, const char *values, const char *moves, const struct total *total)
{
    printf("%s\t%s\t%s\t%" PRIu64 "\t%" PRId64 "\t%016" PRIx64 "\n", rules, values, moves, total->moves, total->sum,
           total->fnv);
}

int main(int argc, char **argv)
{
    seebatch_rules rules;
    seebatch_error error = {""};
    if (argc != 3 || seebatch_rules_named(argv[1], &rules, &error) != SEEBATCH_OK)
        return wrong("expected RULES P,N,B,R,Q", error.text);
    int16_t *v = rules.value;
    if (sscanf(argv[2], "%hd,%hd,%hd,%hd,%hd", &v[0], &v[1], &v[2], &v[3], &v[4]) != 5 ||
        seebatch_rules_check(&rules, &error) != SEEBATCH_OK)
        return wrong(argv[2], error.text);
    struct total captures = {0, 0xcbf29ce484222325, 0}, all = captures;
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        seebatch_position position;
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        if (seebatch_position_from_fen(line, strcspn(line, "\n"), &position, &error) != SEEBATCH_OK)
            return wrong(line, error.text);
        answers(&rules, &position, moves, seebatch_legal_captures(&position, moves), &captures);
        answers(&rules, &position, moves, seebatch_legal_moves(&position, moves), &all);
    }
    print(argv[1], argv[2], "captures", &captures);
    print(argv[1], argv[2], "all", &all);
    return 0;
}
