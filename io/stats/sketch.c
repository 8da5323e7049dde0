/*
 * Estimates how many positions are different by a sketch: counters.h has the sources.
 *
 * A hash's first bits choose a register, which keeps the greatest rank of the rest: the place of its first one. The
 * estimate weighs how many registers have each rank. sigma() and tau() are the series of Ertl's paper for registers that
 * are empty and full; tau() is 0 here in practice, because nobody has 2^60 positions.
 */
#include "counters.h"
#include "support/exponential.h"

static double sigma(double x)
{
    double power = x, factor = 1, sum = x, before;
    do {
        power *= power;
        before = sum;
        sum += power * factor;
        factor += factor;
    } while (sum > before);
    return sum;
}

static double tau(double x)
{
    if (x <= 0 || x >= 1)
        return 0;
    double factor = 1, sum = 1 - x, before;
    do {
        x = square_root(x);
        before = sum;
        factor *= 0.5;
        sum -= (1 - x) * (1 - x) * factor;
    } while (sum < before);
    return sum / 3;
}

double seebatch_io_sketch_estimate(const uint8_t *registers)
{
    static const double alpha = 0.7213475204444817; /* 1 / (2 ln 2) */
    const double size = SKETCH_SIZE;
    size_t ranks[SKETCH_RANKS + 1] = {0};
    for (size_t i = 0; i < SKETCH_SIZE; i++)
        ranks[registers[i]]++;
    if (ranks[0] == SKETCH_SIZE)
        return 0;
    double sum = size * tau(1 - (double)ranks[SKETCH_RANKS] / size);
    for (int rank = SKETCH_RANKS - 1; rank >= 1; rank--)
        sum = 0.5 * (sum + (double)ranks[rank]);
    sum += size * sigma((double)ranks[0] / size);
    return alpha * size * size / sum;
}

void seebatch_io_sketch_write(struct bytes *out, const uint8_t *registers)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t zeros = 0;
    for (size_t i = 0; i < SKETCH_SIZE; i++) {
        if (registers[i] == 0) {
            zeros++;
            continue;
        }
        if (zeros > 0)
            seebatch_io_bytes_add_int(out, (int64_t)zeros);
        bytes_add_char(out, letters[registers[i] - 1]);
        zeros = 0;
    }
}

bool seebatch_io_sketch_read(uint8_t *registers, const char *text, size_t length)
{
    size_t place = 0, zeros = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (c >= '0' && c <= '9') {
            zeros = 10 * zeros + (size_t)(c - '0');
            if (zeros > SKETCH_SIZE)
                return false;
            continue;
        }
        const int rank = c >= 'A' && c <= 'Z' ? c - 'A' + 1 : c >= 'a' && c <= 'z' ? c - 'a' + 27 : 0;
        place += zeros;
        zeros = 0;
        if (rank == 0 || rank > SKETCH_RANKS || place >= SKETCH_SIZE)
            return false;
        if (registers[place] < rank)
            registers[place] = (uint8_t)rank;
        place++;
    }
    return zeros == 0;
}
