/*
 * Writes real numbers as text, and reads them.
 *
 * A double is an integer times a power of two, and a decimal number an integer times a power of ten, so that one becomes
 * the other by a product or a quotient of large integers, which is exact, and is rounded once. A large integer is an
 * array of words, as long as the smallest doubles and the places half way between them need.
 */
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Large integers ---------------------------------------------------------------------------------------------- */

enum { WORD = 32, WORDS = 128 };

struct large {
    int n; /* words, the last of which is not 0; the lowest first */
    uint32_t word[WORDS];
};

static void set(struct large *large, uint64_t number)
{
    large->word[0] = (uint32_t)number;
    large->word[1] = (uint32_t)(number >> WORD);
    large->n = large->word[1] != 0 ? 2 : large->word[0] != 0;
}

static void multiply_and_add(struct large *large, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < large->n; i++) {
        carry += (uint64_t)large->word[i] * factor;
        large->word[i] = (uint32_t)carry;
        carry >>= WORD;
    }
    if (carry != 0)
        large->word[large->n++] = (uint32_t)carry;
}

static void multiply(struct large *large, uint32_t factor) { multiply_and_add(large, factor, 0); }

static void multiply_by_ten_to(struct large *large, int power)
{
    enum { AT_ONCE = 9 };
    static const uint32_t powers[AT_ONCE] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    for (; power >= AT_ONCE; power -= AT_ONCE)
        multiply(large, 1000000000);
    if (power > 0)
        multiply(large, powers[power]);
}

static void shift_left(struct large *large, int bits)
{
    const int words = bits / WORD, rest = bits % WORD;
    if (large->n == 0 || bits == 0)
        return;
    large->word[large->n] = 0;
    for (int i = large->n; i >= 0; i--) {
        const uint32_t below = i > 0 ? large->word[i - 1] : 0;
        large->word[i + words] = (uint32_t)(((uint64_t)large->word[i] << WORD | below) << rest >> WORD);
    }
    memset(large->word, 0, (size_t)words * sizeof *large->word);
    large->n += words + 1;
    large->n -= large->word[large->n - 1] == 0;
}

static int bits_of(const struct large *large)
{
    return large->n == 0 ? 0 : WORD * large->n - __builtin_clz(large->word[large->n - 1]);
}

static int compare_large(const struct large *a, const struct large *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

/* b is not larger than a. */
static void subtract(struct large *a, const struct large *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        const uint64_t less = (i < b->n ? b->word[i] : 0) + borrow;
        borrow = less > a->word[i];
        a->word[i] = (uint32_t)(a->word[i] - less);
    }
    while (a->n > 0 && a->word[a->n - 1] == 0)
        a->n--;
}

static void halve(struct large *large)
{
    for (int i = 0; i < large->n; i++)
        large->word[i] = large->word[i] >> 1 | (i + 1 < large->n ? large->word[i + 1] << (WORD - 1) : 0);
    large->n -= large->n > 0 && large->word[large->n - 1] == 0;
}

/* Divides two integers, of 63 bits at most, and rounds down. Returns the quotient, and whether what is left of `above`
 * is less than half of `below` (-1), half of it (0) or more (1). *rest says whether anything is left at all. */
static uint64_t divide(struct large *above, struct large *below, int *half, bool *rest)
{
    uint64_t quotient = 0;
    int shift = bits_of(above) - bits_of(below);
    shift = shift > 0 ? shift : 0;
    shift_left(below, shift);
    for (;; shift--) {
        const bool bit = compare_large(above, below) >= 0;
        quotient = quotient << 1 | bit;
        if (bit)
            subtract(above, below);
        if (shift == 0)
            break;
        halve(below);
    }
    *rest = above->n > 0;
    multiply(above, 2);
    *half = compare_large(above, below);
    return quotient;
}

/* Drops the lowest bits, with the answers of divide(). */
static uint64_t shift_right(const struct large *large, int bits, int *half, bool *rest)
{
    const int words = bits / WORD, last = bits % WORD, before = bits - 1;
    uint64_t number = 0;
    for (int i = large->n - 1; i >= words; i--) {
        const uint64_t word = large->word[i];
        number = i > words ? number << WORD | word : number << (WORD - last) | word >> last;
    }
    const bool upper = bits > 0 && before / WORD < large->n && large->word[before / WORD] >> before % WORD & 1;
    bool lower = bits > 0 && before / WORD < large->n && before % WORD > 0 &&
                 large->word[before / WORD] << (WORD - before % WORD) != 0;
    for (int i = 0; i < before / WORD && i < large->n && !lower; i++)
        lower = large->word[i] != 0;
    *half = !upper ? -1 : lower;
    *rest = upper || lower;
    return number;
}

/* ---- Doubles ----------------------------------------------------------------------------------------------------- */

/* A number that is positive and finite: an integer times a power of two. */
struct binary {
    uint64_t integer;
    int power;
};

enum { MANTISSA = 52, EXPONENT = 2047, BIAS = 1075 };
static const uint64_t first_bit = UINT64_C(1) << MANTISSA; /* of the integer; only the least numbers lack it */

static struct binary binary_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const int exponent = (int)(bits >> MANTISSA & EXPONENT);
    const uint64_t integer = bits & (first_bit - 1);
    return exponent == 0 ? (struct binary){integer, 1 - BIAS} : (struct binary){integer | first_bit, exponent - BIAS};
}

/* The integer has 53 bits, fewer at the least power alone, or is one more than that. */
static double double_of(struct binary binary)
{
    double number;
    if (binary.integer == 2 * first_bit)
        binary = (struct binary){first_bit, binary.power + 1};
    if (binary.power + BIAS >= EXPONENT)
        return HUGE_VAL;
    const uint64_t exponent = binary.integer < first_bit ? 0 : (uint64_t)(binary.power + BIAS);
    const uint64_t bits = exponent << MANTISSA | (binary.integer & (first_bit - 1));
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* The number times ten to a power, rounded to an integer, which has 63 bits at most; halves to the even one. */
static uint64_t times_ten_to(struct binary binary, int power)
{
    struct large large, below;
    uint64_t integer;
    int half;
    bool rest;
    set(&large, binary.integer);
    multiply_by_ten_to(&large, power);
    if (binary.power > 0)
        shift_left(&large, binary.power);
    if (power >= 0) {
        integer = shift_right(&large, binary.power < 0 ? -binary.power : 0, &half, &rest);
    } else {
        set(&below, 1);
        multiply_by_ten_to(&below, -power);
        if (binary.power < 0)
            shift_left(&below, -binary.power);
        integer = divide(&large, &below, &half, &rest);
    }
    return integer + (half > 0 || (half == 0 && integer & 1));
}

/* The decimal digits of a number, as an integer, and the place of the first one: 0 for ones, -1 for tenths. */
static uint64_t digits_of(double number, int digits, int *place)
{
    enum { LOG = 78913, LOG_BITS = 18 }; /* the logarithm of 2 to the base 10, times 2^18 */
    const struct binary binary = binary_of(number);
    const int bits = 63 - __builtin_clzll(binary.integer) + binary.power;
    uint64_t limit = 1, integer;
    for (int i = 0; i < digits; i++)
        limit *= 10;
    /* That of a power of two which is not greater, rounded down; the number may have one place more. */
    *place = (int)(((int64_t)bits + (1 << LOG_BITS)) * LOG >> LOG_BITS) - LOG - 1;
    do {
        ++*place;
        integer = times_ten_to(binary, digits - 1 - *place);
    } while (integer >= limit);
    return integer;
}

static size_t put_text(char *room, const char *text)
{
    const size_t length = strlen(text);
    memcpy(room, text, length);
    return length;
}

size_t seebatch_io_put_real(double number, int digits, char room[REAL_TEXT])
{
    enum { LEAST_PLACE = -4, MOST_DIGITS = 17 };
    char *at = room, text[MOST_DIGITS];
    int place;
    if (number != number)
        return put_text(room, "nan");
    if (signbit(number))
        *at++ = '-';
    number = fabs(number);
    if (number > DBL_MAX || number == 0)
        return (size_t)(at - room) + put_text(at, number == 0 ? "0" : "inf");
    uint64_t integer = digits_of(number, digits, &place);
    for (int i = digits - 1; i >= 0; i--, integer /= 10)
        text[i] = (char)('0' + integer % 10);
    int n = digits; /* without zeros at the end */
    while (n > 1 && text[n - 1] == '0')
        n--;
    const bool scientific = place < LEAST_PLACE || place >= digits;
    const int before = scientific ? 1 : place + 1; /* digits before the point */
    if (before <= 0) {
        at += put_text(at, "0.");
        for (int i = before; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < n || i < before; i++) {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < n ? text[i] : '0';
    }
    if (scientific) {
        const int size = place < 0 ? -place : place;
        *at++ = 'e';
        *at++ = place < 0 ? '-' : '+';
        if (size >= 100)
            *at++ = (char)('0' + size / 100);
        *at++ = (char)('0' + size / 10 % 10);
        *at++ = (char)('0' + size % 10);
    }
    return (size_t)(at - room);
}

size_t seebatch_io_put_shortest_real(double number, bool narrow, char room[REAL_TEXT])
{
    enum { NARROW = 6, NARROW_ENDS = 9, WIDE = 15, WIDE_ENDS = 17 };
    const int most = narrow ? NARROW_ENDS : WIDE_ENDS;
    for (int digits = narrow ? NARROW : WIDE; digits < most; digits++) {
        double back;
        const size_t length = seebatch_io_put_real(number, digits, room);
        if (!seebatch_io_read_real(room, length, &back) || (narrow ? (float)back == (float)number : back == number))
            return length; /* what is not read is infinite */
    }
    return seebatch_io_put_real(number, most, room);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Holds a decimal number: digits, which are an integer without their point, times a power of ten. */
struct decimal {
    const char *first, *end; /* of the digits, with the point */
    uint64_t integer;        /* what the digits say, if `small` */
    bool small;
    int power;
};

enum { MOST_POWER = 100000 }; /* more than any double has */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool take_decimal(const char *text, const char *end, struct decimal *decimal)
{
    const char *at = text;
    bool digits = false, point = false;
    *decimal = (struct decimal){.first = text, .small = true};
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        digits = true;
        decimal->small &= decimal->integer < UINT64_MAX / 10;
        decimal->integer = decimal->small ? 10 * decimal->integer + (uint64_t)(*at - '0') : 0;
        decimal->power -= point && decimal->power > -MOST_POWER;
    }
    decimal->end = at;
    return digits;
}

/* An exponent, which stands at the end. */
static bool take_exponent(const char *at, const char *end, int *power)
{
    int exponent = 0;
    if (at == end)
        return true;
    if (*at != 'e' && *at != 'E')
        return false;
    const bool minus = ++at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end)
        return false;
    for (; at < end && is_digit(*at); at++)
        exponent = exponent < MOST_POWER ? 10 * exponent + (*at - '0') : exponent;
    *power += minus ? -exponent : exponent;
    return at == end;
}

/* Returns the double that is nearest to a quotient. */
static double nearest(struct large *above, struct large *below)
{
    int power = bits_of(above) - bits_of(below) - MANTISSA - 1, half;
    bool rest;
    power = power < 1 - BIAS ? 1 - BIAS : power; /* the quotient has 53 or 54 bits, or less than that */
    shift_left(power < 0 ? above : below, power < 0 ? -power : power);
    uint64_t integer = divide(above, below, &half, &rest);
    if (integer >= 2 * first_bit) { /* one bit too many */
        half = integer & 1 ? (int)rest : -1;
        integer >>= 1;
        power++;
    }
    integer += half > 0 || (half == 0 && integer & 1);
    return double_of((struct binary){integer, power});
}

/* The digits as an integer, from the first that is not 0. Beyond those that can matter, whatever they are counts as one
 * more, which is enough to be larger than half of something. Returns how many fell away. */
static int take_integer(struct large *large, struct decimal decimal)
{
    enum { MOST_DIGITS = 800 }; /* the places half way between two doubles have 770 at most */
    int n = 0, away = 0;
    bool more = false;
    set(large, 0);
    for (const char *at = decimal.first; at < decimal.end; at++) {
        if (*at == '.')
            continue;
        n += n > 0 || *at != '0';
        if (n <= MOST_DIGITS) {
            multiply_and_add(large, 10, (uint32_t)(*at - '0'));
        } else {
            away += away < MOST_POWER;
            more |= *at != '0';
        }
    }
    if (more) {
        multiply_and_add(large, 10, 1);
        away--;
    }
    return away;
}

static double value_of(struct decimal decimal)
{
    enum { MOST_PLACE = 310, LEAST_PLACE = -330, SURE = 22 };
    static const double powers[SURE + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct large above, below;
    /* Both are doubles, and so the quotient or the product is rounded once. */
    if (FLT_EVAL_METHOD == 0 && decimal.small && decimal.integer <= 2 * first_bit) {
        if (decimal.power <= 0 && decimal.power >= -SURE)
            return (double)decimal.integer / powers[-decimal.power];
        if (decimal.power > 0 && decimal.power <= SURE)
            return (double)decimal.integer * powers[decimal.power];
    }
    decimal.power += take_integer(&above, decimal);
    const int place = bits_of(&above) * 3 / 10 + decimal.power; /* of the first digit, about */
    if (above.n == 0 || place < LEAST_PLACE)
        return 0;
    if (place > MOST_PLACE)
        return HUGE_VAL;
    set(&below, 1);
    multiply_by_ten_to(decimal.power >= 0 ? &above : &below, decimal.power >= 0 ? decimal.power : -decimal.power);
    return nearest(&above, &below);
}

bool seebatch_io_read_real(const char *text, size_t length, double *number)
{
    const bool sign = length > 0 && (*text == '-' || *text == '+'), minus = sign && *text == '-';
    struct decimal decimal;
    if (!take_decimal(text + sign, text + length, &decimal) ||
        !take_exponent(decimal.end, text + length, &decimal.power))
        return false;
    const double value = value_of(decimal);
    *number = minus ? -value : value;
    return true;
}
