/*
 * Which processor may run which kernel: src/dispatch/cpu.c itself, on processors that are made up. Each feature that a kernel is
 * compiled for must be asked for: with all of them it may run, with any single one missing it may not, be it the
 * processor's or what the system saves.
 */
#include "test_support.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* A processor: what CPUID and XGETBV say. */
static struct {
    unsigned max, max_extended;
    unsigned leaf1_ecx, leaf7_ebx, leaf7_ecx, extended_ecx;
    unsigned xcr0;
    unsigned leaf1_eax; /* family, model, stepping */
    const char *vendor;
} cpu;

static unsigned fake_max(unsigned extended) { return extended ? cpu.max_extended : cpu.max; }

static void fake_cpuid(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
    *a = *b = *c = *d = 0;
    assert_int_equal(subleaf, 0);
    if (leaf == 0) {
        memcpy(b, cpu.vendor, 4);
        memcpy(d, cpu.vendor + 4, 4);
        memcpy(c, cpu.vendor + 8, 4);
    } else if (leaf == 1) {
        *a = cpu.leaf1_eax;
        *c = cpu.leaf1_ecx;
    } else if (leaf == 7) {
        assert_true(cpu.max >= 7);
        *b = cpu.leaf7_ebx;
        *c = cpu.leaf7_ecx;
    } else {
        assert_int_equal(leaf, 0x80000001u);
        assert_true(cpu.max_extended >= 0x80000001u);
        *c = cpu.extended_ecx;
    }
}

/* XGETBV is no instruction where the system has not turned it on. */
static void fake_xgetbv(uint32_t *low, uint32_t *high)
{
    assert_true(cpu.leaf1_ecx >> 27 & 1);
    *low = cpu.xcr0;
    *high = 0;
}

#undef __cpuid
#undef __cpuid_count
#define __get_cpuid_max(extended, unused) fake_max(extended)
#define __cpuid(leaf, a, b, c, d) fake_cpuid(leaf, 0, &a, &b, &c, &d)
#define __cpuid_count(leaf, subleaf, a, b, c, d) fake_cpuid(leaf, subleaf, &a, &b, &c, &d)
#define __asm__(...) fake_xgetbv(&low, &high)
#define seebatch_cpu_has_avx2 has_avx2
#define seebatch_cpu_has_avx512 has_avx512
#define seebatch_cpu_is_wide is_wide
#include "../../src/dispatch/cpu.c"

enum { OSXSAVE = 27 };

/* Everything set that there is, but for bits that mean something else. */
static void best_processor(void)
{
    memset(&cpu, 0xff, sizeof cpu);
    cpu.max = 7;
    cpu.max_extended = 0x80000001u;
}

/* The same with nothing but what the kernel needs. */
static void least_processor(bool avx512)
{
    memset(&cpu, 0, sizeof cpu);
    cpu.max = 7;
    cpu.max_extended = 0x80000001u;
    cpu.leaf1_ecx = 1u << 23 | 1u << OSXSAVE | 1u << 28; /* POPCNT, OSXSAVE, AVX */
    cpu.leaf7_ebx = 1u << 3 | 1u << 5 | 1u << 8;         /* BMI1, AVX2, BMI2 */
    cpu.extended_ecx = 1u << 5;                          /* LZCNT */
    cpu.xcr0 = 1u << 1 | 1u << 2;                        /* xmm, ymm */
    if (avx512) {
        cpu.leaf7_ebx |= 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* F, DQ, CD, BW, VL */
        cpu.leaf7_ecx = 1u << 1 | 1u << 6 | 1u << 8 | 1u << 12;                /* VBMI, VBMI2, GFNI, BITALG */
        cpu.xcr0 |= 1u << 5 | 1u << 6 | 1u << 7;                               /* masks, zmm's upper halves, zmm16-31 */
    }
}

static bool supported(bool avx512) { return avx512 ? seebatch_cpu_has_avx512() : seebatch_cpu_has_avx2(); }

/* Each bit that is set in a word, taken away. */
static int each_bit_is_needed(unsigned *word, bool avx512)
{
    int n = 0;
    const unsigned whole = *word;
    for (unsigned rest = whole; rest; rest &= rest - 1) {
        *word = whole & ~(rest & (0 - rest));
        if (supported(avx512))
            fail_msg("%s runs without bit %d of word %d", avx512 ? "avx512" : "avx2", __builtin_ctz(rest),
                     (int)(word - &cpu.max));
        n++;
    }
    *word = whole;
    return n;
}

TEST(every_feature_is_asked_for)
{
    for (int avx512 = 0; avx512 < 2; avx512++) {
        least_processor(avx512);
        assert_true(supported(avx512));
        int bits = each_bit_is_needed(&cpu.leaf7_ebx, avx512) + each_bit_is_needed(&cpu.leaf7_ecx, avx512) +
                   each_bit_is_needed(&cpu.extended_ecx, avx512) + each_bit_is_needed(&cpu.xcr0, avx512);
        bits += each_bit_is_needed(&cpu.leaf1_ecx, avx512);
        assert_int_equal(bits, avx512 ? 3 + 3 + 5 + 4 + 1 + 5 : 3 + 3 + 1 + 2);
        best_processor();
        assert_true(supported(avx512));
    }
    least_processor(false);
    assert_false(supported(true));
}

TEST(old_processors_are_not_asked_for_what_they_do_not_know)
{
    for (int avx512 = 0; avx512 < 2; avx512++) {
        best_processor();
        cpu.max = 6;
        assert_false(supported(avx512));
        best_processor();
        cpu.max_extended = 0x80000000u;
        assert_false(supported(avx512));
        best_processor();
        cpu.leaf1_ecx &= ~(1u << OSXSAVE);
        assert_false(supported(avx512));
    }
}

/* Families and models as processors say them. */
TEST(wide_processors_are_all_but_zen_4)
{
    static const struct {
        const char *vendor;
        unsigned leaf1_eax;
        bool wide;
    } known[] = {
        {"AuthenticAMD", 0x00b00f21, true},  /* Zen 5, family 1Ah */
        {"AuthenticAMD", 0x00a10f11, false}, /* Zen 4, family 19h */
        {"GenuineIntel", 0x000c06f2, true},  /* Emerald Rapids */
        {"GenuineIntel", 0x00a10f11, true},  /* families are counted by each vendor for itself */
        {"AuthenticAMX", 0x00a10f11, true},  /* who is no AMD */
        {"AuthxxxxcAMD", 0x00a10f11, true},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        cpu.vendor = known[i].vendor;
        cpu.leaf1_eax = known[i].leaf1_eax;
        assert_int_equal(seebatch_cpu_is_wide(), known[i].wide);
    }
}

int main(void) { return run_all_tests(NULL); }

#else

int main(void)
{
    printf("SKIPPED: test_cpu: the features of x86-64, on another machine\n");
    return 77;
}

#endif
