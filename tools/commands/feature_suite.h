/*
 * The suite of features (suite/suite.tsv): positions, each there for one reason, with an answer as a formula of pieces,
 * and the answers of rule sets that differ from it. Stands on seebatch.h alone: the test that holds the suite against
 * the oracle reads it with this.
 */
#ifndef SEEBATCH_FEATURE_SUITE_H
#define SEEBATCH_FEATURE_SUITE_H

#include "suite.h"

struct feature_position {
    const char *id, *feature, *fen, *uci, *condition, *why; /* condition: "" or comparisons besides those of all */
    const char *answer; /* the formula of every named rule set that `except` does not name, or `always` */
    const char *except; /* "NAME NAME: FORMULA; NAME: FORMULA", or "" */
    const char *as; /* of the suite: "NAME as NAME; NAME as NAME", or "": exceptions of which others are theirs, too */
    seebatch_position position;
    seebatch_move move;
};

struct feature_suite {
    char *text; /* the file; the strings point into it */
    size_t n;
    struct feature_position *positions;
};

/* Reads a suite; false, and why, if it cannot be read or is not one. */
bool feature_suite_read(const char *path, struct feature_suite *suite, seebatch_error *error);

void feature_suite_free(struct feature_suite *suite);

/* The formula of a named rule set. */
struct suite_text feature_suite_formula(const struct feature_position *position, const char *rules);

/* What piece values must satisfy for all formulas to hold. */
extern const char feature_suite_condition[];

/* Whether piece values satisfy a condition: comparisons of sums of pieces (<, <=) with commas between them, or nothing.
 * Otherwise, and where the condition cannot be read, error says so. */
bool feature_suite_holds(const char *condition, const int16_t values[5], seebatch_error *error);

/* The answer of a named rule set, SEEBATCH_ALWAYS for `always`; false, and why, where the piece values do not satisfy
 * the condition of the suite or of the position. */
bool feature_suite_answer(const struct feature_position *position, const char *rules, const int16_t values[5],
                          int *value, seebatch_error *error);

#endif
