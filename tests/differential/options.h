/*
 * The command line of the differential harness.
 */
#ifndef SEEBATCH_DIFFERENTIAL_OPTIONS_H
#define SEEBATCH_DIFFERENTIAL_OPTIONS_H

#include "differential.h"

enum { MAX_PAIRS = 1024 };

struct options {
    const char *kernel; /* NULL: all */
    const char *against;
    const char *rules;  /* as read_rules() takes it; NULL: all */
    const char *values; /* NULL: a mix; "default", "random", or: */
    bool fixed_values;
    int16_t value[5];
    const char *boards; /* real, random, pathological, mix, or a file */
    const char *data;   /* NULL: where the sources are */
    uint64_t seed, cases;
    double seconds; /* 0: count cases instead */
    int force;
    bool lean;
    bool shrink;
    const char *fen[MAX_PAIRS], *move[MAX_PAIRS];
    size_t n_fens, n_moves;
};

extern const char options_usage[];

/* False after a sentence on standard error if they are not understood. *help: only the usage is wanted. */
bool options_read(struct options *options, int argc, char **argv, bool *help);

/* A rule set by its name; or, as harnesses alone name those that have none, by the numbers of its pins, promotions,
 * promotion and en passant in the public header, "2-1-0-1", with the default values. false: there is no such one, and
 * error says so. */
bool read_rules(const char *name, seebatch_rules *rules, seebatch_error *error);

/* The cases given with --fen and --move; their moves have to be allowed under all the rules named. False after a
 * sentence on standard error. (cases.c) */
bool cases_read(const struct options *options, const char *const *rules_names, size_t n_rules, struct batch *batch);

#endif
