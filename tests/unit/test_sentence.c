/*
 * The library's formatter writes what snprintf() writes, for every conversion that it knows and every room.
 */
#include "api/sentence.h"

#include "test_support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Both get the same format and arguments, with every room from none to more than enough. */
#define CHECK(...)                                                                                                     \
    do {                                                                                                               \
        char expected[128], got[128];                                                                                  \
        for (size_t size = 0; size <= sizeof got; size++) {                                                            \
            memset(expected, '#', sizeof expected);                                                                    \
            memset(got, '#', sizeof got);                                                                              \
            const int length = snprintf(expected, size, __VA_ARGS__);                                                  \
            assert_int_equal(seebatch_format(got, size, __VA_ARGS__), length);                                         \
            assert_memory_equal(got, expected, sizeof got);                                                            \
        }                                                                                                              \
    } while (0)

TEST(text)
{
    CHECK("%%");
    CHECK("no conversion, 100%%");
    CHECK("%s", "");
    CHECK("'%s' and '%s'", "one", "another");
    CHECK("'%.3s' '%.10s' '%.0s' '%.40s'", "abcdef", "abc", "abc", "0123456789012345678901234567890123456789012345");
    CHECK("%c%c, %c", 'e', '4', '~');
}

TEST(numbers)
{
    CHECK("%d %d %d %d %d", 0, 7, -1, INT_MAX, INT_MIN);
    CHECK("%u %u", 0u, UINT_MAX);
    CHECK("%x %x %02x %02x %02x", 0u, 0xdeadbeefu, 0u, 0x0au, 0xffu);
    CHECK("%03d %08x", 5, 0x1234u);
    CHECK("%zu %zu", (size_t)0, SIZE_MAX);
    CHECK("%llu %llu %llx", 0ull, ULLONG_MAX, ULLONG_MAX);
    CHECK("%d%s%zu%c", 1, "2", (size_t)3, '4');
}

int main(void) { return run_all_tests(NULL); }
