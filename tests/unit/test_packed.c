/*
 * The two ways of taking a board of 24 bytes apart (io/formats/packed_board.c): by a loop, and by instructions that
 * scatter bits. Which of them runs depends on the processor; here both do, on boards of every number of pieces, and
 * have to say the same.
 */
#include <stdio.h>

#include "formats/packed_board.c"

static uint64_t state = 1;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

int main(void)
{
    long boards = 0, bad = 0;
    for (int n = 0; n <= MOST_PACKED; n++) {
        for (int i = 0; i < 300; i++, boards++) {
            uint64_t occupied = 0, low = draw(), high = draw(), by_loop[4], expected[4] = {0, 0, 0, 0};
            while (__builtin_popcountll(occupied) < n)
                occupied |= UINT64_C(1) << draw() % 64;
            /* Code number k, counted along the squares, stands in bits 4k to 4k + 3 of both words. */
            for (int square = 0, k = 0; square < 64; square++) {
                if (!(occupied >> square & 1))
                    continue;
                const uint64_t code = (k < 16 ? low >> 4 * k : high >> 4 * (k - 16)) & 15;
                for (int b = 0; b < 4; b++)
                    expected[b] |= (code >> b & 1) << square;
                k++;
            }
            bad += spread_by_loop(occupied, low, high, by_loop) != n;
            bad += memcmp(by_loop, expected, sizeof expected) != 0;
            if (HAS_QUICK_BITS) {
                uint64_t by_bits[4];
                bad += spread_by_bits(occupied, low, high, by_bits) != n;
                bad += memcmp(by_bits, expected, sizeof expected) != 0;
            }
        }
    }
    printf("%ld boards, %ld faults%s\n", boards, bad, HAS_QUICK_BITS ? "" : "; SKIPPED: by bits, which are slow here");
    return bad != 0;
}
