/*
 * What both engines' tests share: the legal moves of positions from games, and whether what the page's code says of
 * them is what the library says under the rule set of that engine. C, and C++ as well.
 */
#ifndef EMBEDDING_LEGAL_MOVES_H
#define EMBEDDING_LEGAL_MOVES_H

#include <seebatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A move's flags as engines have them. */
enum { PLAIN = 0, PROMOTES = 1, PASSES = 2, CASTLES = 3 };

static int kind_of(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(p, from);
    const int distance = to - from;
    if (seebatch_promotion(move))
        return PROMOTES;
    if (type == SEEBATCH_PAWN && seebatch_type_on(p, to) == SEEBATCH_NO_PIECE && distance % 8 != 0)
        return PASSES;
    if (type == SEEBATCH_KING && (distance == 2 || distance == -2))
        return CASTLES;
    return PLAIN;
}

static seebatch_rules rules_with(const char *name, int p, int n, int b, int r, int q)
{
    seebatch_rules rules;
    if (seebatch_rules_named(name, &rules, NULL) != SEEBATCH_OK)
        exit(1);
    rules.value[0] = (int16_t)p;
    rules.value[1] = (int16_t)n;
    rules.value[2] = (int16_t)b;
    rules.value[3] = (int16_t)r;
    rules.value[4] = (int16_t)q;
    return rules;
}

static void expect(int condition, const seebatch_position *p, const char *what)
{
    char fen[SEEBATCH_FEN_SIZE];
    if (condition)
        return;
    seebatch_position_to_fen(p, fen);
    fprintf(stderr, "FAILED: %s: %s\n", fen, what);
    exit(1);
}

/* The next position of a file, false at its end. */
static bool next_position(FILE *file, seebatch_position *p)
{
    char line[256];
    return fgets(line, sizeof line, file) &&
           seebatch_position_from_fen(line, strcspn(line, "\r\n"), p, NULL) == SEEBATCH_OK;
}

#endif
