/*
 * The tables of shuffles along rays (src/avx512/ray_tables.h), which macros write, against loops over the squares of a
 * board. They need no AVX-512 here.
 */
#include "test_support.h"

#include "avx512/ray_tables.h"

/* The rays in the order of their bytes, and the knight's jump in bit 7 of each. */
static const struct ray {
    int x, y, jump_x, jump_y;
} rays[8] = {{-1, -1, -1, -2}, {0, -1, 1, -2}, {1, -1, -2, -1}, {-1, 0, 2, -1},
             {1, 0, -2, 1},    {-1, 1, 2, 1},  {0, 1, -1, 2},   {1, 1, 1, 2}};

/* The square so far away from another one; -1 off the board. */
static int square_at(int from, int x, int y)
{
    const int file = from % 8 + x, rank = from / 8 + y;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : 8 * rank + file;
}

TEST(squares_of_rays)
{
    for (int from = 0; from < 64; from++) {
        for (int i = 0; i < 64; i++) {
            const struct ray *ray = &rays[i / 8];
            const int distance = 8 - i % 8;
            const int square = i % 8 == 0 ? square_at(from, ray->jump_x, ray->jump_y)
                                          : square_at(from, distance * ray->x, distance * ray->y);
            assert_int_equal(ray_squares[from][i], square < 0 ? 0 : 64 + square);
        }
    }
    static const uint8_t south_west_of_e4[8] = {64 + 11, 0, 0, 0, 0, 64 + 1, 64 + 10, 64 + 19};
    assert_memory_equal(ray_squares[28], south_west_of_e4, sizeof south_west_of_e4);
}

TEST(bits_of_squares)
{
    for (int king = 0; king < 64; king++) {
        uint8_t expected[64];
        memset(expected, 7, sizeof expected);
        for (int i = 0; i < 8; i++) {
            for (int distance = 1; distance < 8; distance++) {
                const int square = square_at(king, distance * rays[i].x, distance * rays[i].y);
                if (square >= 0)
                    expected[square] = (uint8_t)(8 * i + distance - 1);
            }
        }
        assert_memory_equal(ray_bits[king], expected, sizeof expected);
    }
    assert_int_equal(ray_bits[28][44], 49); /* e6, seen from e4 */
}

TEST(bytes_before)
{
    for (int i = 0; i < 64; i++)
        assert_int_equal(byte_before[i], i > 0 ? i - 1 : 0);
}

int main(void) { return run_all_tests(NULL); }
