/*
 * Defines the table of inline_attacks.h, which the preprocessor writes out.
 *
 * s: the slider's bit in its line; o: the occupied squares. Above the slider the bits from it up to the lowest one that
 * is set change when its bit is subtracted; below it the attacks end with the highest one.
 */
#include "inline_attacks.h"

#ifdef __x86_64__

#define HIGHEST(set) ((set)&64 ? 64 : (set)&32 ? 32 : (set)&16 ? 16 : (set)&8 ? 8 : (set)&4 ? 4 : (set)&2 ? 2 : 1)
#define ABOVE(s, o) (((o) & (256 - 2 * (s))) | 256)
#define UPWARD(s, o) ((ABOVE(s, o) ^ (ABOVE(s, o) - 2 * (s))) & 255)
#define DOWNWARD(s, o) (((s)-1) & ~(HIGHEST((o) & ((s)-1)) - 1))
#define IN_LINE(s, o) (UPWARD(s, o) | DOWNWARD(s, o))

#define IN_LINE_4(s, o) IN_LINE(s, o), IN_LINE(s, o + 1), IN_LINE(s, o + 2), IN_LINE(s, o + 3)
#define IN_LINE_16(s, o) IN_LINE_4(s, o), IN_LINE_4(s, o + 4), IN_LINE_4(s, o + 8), IN_LINE_4(s, o + 12)
#define IN_LINE_64(s, o) IN_LINE_16(s, o), IN_LINE_16(s, o + 16), IN_LINE_16(s, o + 32), IN_LINE_16(s, o + 48)
#define IN_LINE_256(s) IN_LINE_64(s, 0), IN_LINE_64(s, 64), IN_LINE_64(s, 128), IN_LINE_64(s, 192)

const uint8_t seebatch_line_attacks[8 * 256] = {IN_LINE_256(1),  IN_LINE_256(2),  IN_LINE_256(4),  IN_LINE_256(8),
                                                IN_LINE_256(16), IN_LINE_256(32), IN_LINE_256(64), IN_LINE_256(128)};

#endif
