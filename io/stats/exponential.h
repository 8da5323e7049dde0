/*
 * Exponentials, logarithms and roots by basic arithmetic, so that the same files give the same report on every machine.
 */
#ifndef SEEBATCH_IO_STATS_EXPONENTIAL_H
#define SEEBATCH_IO_STATS_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

/* e to the x, which is cut off at -600 and 600: by halving x until a short series gives it, and squaring. */
static inline double exponential(double x)
{
    enum { HALVINGS = 12, TERMS = 8 };
    const double size = x < 0 ? -x : x, small = (size < 600 ? size : 600) / (1 << HALVINGS);
    double rest = 0; /* e to the small, less 1: this keeps the digits that squaring would lose */
    for (int i = TERMS; i > 0; i--)
        rest = small / i * (1 + rest);
    for (int i = 0; i < HALVINGS; i++)
        rest *= rest + 2;
    return x < 0 ? 1 / (1 + rest) : 1 + rest;
}

/* The natural logarithm of a number above 0. */
static inline double logarithm(double x)
{
    enum { FRACTION = 52, BIAS = 1023, TERMS = 40 };
    static const double ln2 = 0.69314718055994530942;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> FRACTION & 2047) - BIAS;
    bits = (bits & ((UINT64_C(1) << FRACTION) - 1)) | (uint64_t)BIAS << FRACTION;
    double fraction;
    memcpy(&fraction, &bits, sizeof fraction); /* from 1 to 2 */
    const double z = (fraction - 1) / (fraction + 1), square = z * z;
    double sum = 0, power = 2 * z;
    for (int i = 1; i < TERMS; i += 2, power *= square)
        sum += power / i;
    return sum + exponent * ln2;
}

/* The square root of a number from 0 on, by Newton's method. */
static inline double square_root(double x)
{
    if (x <= 0)
        return 0;
    double root = x > 1 ? x : 1, before;
    do {
        before = root;
        root = 0.5 * (root + x / root);
    } while (root < before);
    return before;
}

#endif
