/*
 * What engines are known to compute that no field of the rules says: see departures.c.
 */
#ifndef SEEBATCH_DEPARTURES_H
#define SEEBATCH_DEPARTURES_H

#include "identification.h"

enum { MOST_DEPARTURES = 11 };

/* Departures from a candidate that together explain answers which contradict it. */
struct departures {
    int candidate; /* its number; -1: nothing is explained */
    size_t n;
    struct {
        const char *text; /* a clause without a capital letter and a full stop */
        size_t explains;  /* answers that contradict without it, given those before it */
    } list[MOST_DEPARTURES];
    size_t unexplained, left; /* answers that still contradict, before what is said of the rest, and after */
};

/* Looks for departures from the candidates that the fewest answers contradict. */
void find_departures(struct answers *answers, const struct identification *found, struct departures *departures);

#endif
