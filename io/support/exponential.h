/*
 * Computes exponentials, logarithms and roots by basic arithmetic alone, so that the same files give the same records,
 * scores and reports on every machine. The conditions on chances, the scores of montyformat and the report of `stats`
 * use them.
 */
#ifndef SEEBATCH_IO_SUPPORT_EXPONENTIAL_H
#define SEEBATCH_IO_SUPPORT_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

/* e to the x, which is from -600 to 600, within 1e-15 of itself. */
static inline double exponential(double x)
{
    enum { TERMS = 13, BIAS = 1023, FRACTION = 52 };
    /* One by the factorials: without a division, and in four sums that the processor works out side by side. */
    static const double term[TERMS + 1] = {
        1,          1,           1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    static const double log2_e = 1.4426950408889634, ln2_high = 0.6931471803691238, ln2_low = 1.9082149292705877e-10;
    static const double rounder = 0x1.8p52; /* added, it leaves no place for a fraction: a branch less than to round */
    const double power = x * log2_e + rounder - rounder;
    const double rest = x - power * ln2_high - power * ln2_low;
    const double square = rest * rest, fourth = square * square;
    double quarter[4], scale;
    for (int i = 0; i < 3; i++)
        quarter[i] = term[4 * i] + term[4 * i + 1] * rest + (term[4 * i + 2] + term[4 * i + 3] * rest) * square;
    quarter[3] = term[12] + term[13] * rest;
    const double sum = quarter[0] + fourth * (quarter[1] + fourth * (quarter[2] + fourth * quarter[3]));
    const uint64_t bits = (uint64_t)((int64_t)power + BIAS) << FRACTION;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/* x, or the end of the range that exponential() takes. */
static inline double cut_exponent(double x) { return x < -600 ? -600 : x > 600 ? 600 : x; }

/* 1 / (1 + e to the -x), for every x. */
static inline double logistic(double x) { return 1 / (1 + exponential(cut_exponent(-x))); }

/* Returns the natural logarithm of a number above 0. */
static inline double logarithm(double x)
{
    static const double of_two = 0.693147180559945309417;
    double sum = 0;
    int halves = 0;
    for (; x > 1.5; x /= 2)
        halves++;
    for (; x < 0.75; x *= 2)
        halves--;
    const double y = (x - 1) / (x + 1);
    double power = y;
    for (int i = 1; i < 40; i += 2, power *= y * y)
        sum += power / i;
    return 2 * sum + halves * of_two;
}

/* Returns the square root of a number from 0 on, by Newton's method. */
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
