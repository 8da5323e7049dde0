/*
 * The command line of the differential harness.
 */
#ifndef SEEBATCH_DIFFERENTIAL_OPTIONS_H
#define SEEBATCH_DIFFERENTIAL_OPTIONS_H

#include "differential.h"

enum { MAX_PAIRS = MAX_POSITIONS };

struct options {
    const char *kernel; /* NULL: all */
    const char *against;
    const char *rules;  /* as seebatch_rules_named() takes it; NULL: all */
    const char *values; /* NULL: a mix of tables */
    int16_t value[5];
    uint64_t seed, cases, seconds; /* seconds: 0 to count cases instead */
    bool force_lanes, lean, help;
    const char *fen[MAX_PAIRS], *move[MAX_PAIRS];
    size_t n_fens, n_moves;
};

extern const char options_usage[];

/* False after a sentence on standard error if they are not understood. */
bool options_read(struct options *options, int argc, char **argv);

/* The cases given with --fen and --move; their moves have to be allowed under all the rules named. False after a
 * sentence on standard error. */
bool cases_read(const struct options *options, const char *const *rules_names, size_t n_rules, struct batch *batch);

#endif
