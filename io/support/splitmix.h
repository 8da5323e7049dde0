/*
 * Random numbers that are computed from others by splitmix64 (Steele, Lea and Flood, 2014), so that what is drawn
 * depends on a seed and an identity, and not on the order of the work. Conditions that hold at random, samples and
 * shuffling use it.
 */
#ifndef SEEBATCH_IO_SPLITMIX_H
#define SEEBATCH_IO_SPLITMIX_H

#include <stdint.h>

/* What splitmix64 adds from one number to the next: 2^64 divided by the golden ratio, made odd. */
#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* The finalizer of splitmix64, which is one to one. */
static inline uint64_t splitmix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* At random: a number below 2^53 for whatever has this identity, among those of one key, which splitmix() has made. This is
 * splitmix64 as a generator that keeps no state. */
static inline int64_t random_number(uint64_t identity, uint64_t key)
{
    return (int64_t)(splitmix(identity * GOLDEN_GAMMA + key) >> 11);
}

/* What holds with a probability holds if the random number is below this. */
static inline int64_t random_bound(double probability)
{
    const double scaled = probability * 0x1p53;
    const int64_t whole = (int64_t)scaled;
    return whole + ((double)whole < scaled);
}

#endif
