/*
 * Finds the features of an x86 processor, by CPUID and XGETBV. dispatch.c calls this to find whether the machine can
 * run a kernel.
 *
 * A vector extension may be used when three things hold: the processor has it (CPUID leaf 7), the operating system has
 * turned on the instruction that tells which registers it saves (OSXSAVE), and it saves those of the extension (XCR0,
 * by XGETBV). The test asks for every feature that a kernel file is compiled with, including the scalar ones, because
 * emulators and hypervisors may hide any of them.
 */
#include "cpu.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <stdint.h>

struct features {
    unsigned leaf1_ecx, leaf7_ebx, leaf7_ecx, extended_ecx;
    uint64_t xcr0;
};

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static struct features read_features(void)
{
    enum { OSXSAVE = 1 << 27 };
    struct features f = {0, 0, 0, 0, 0};
    unsigned eax, ebx, ecx, edx;
    if (__get_cpuid_max(0, 0) < 7)
        return f;
    __cpuid(1, eax, ebx, ecx, edx);
    f.leaf1_ecx = ecx;
    if (ecx & OSXSAVE)
        f.xcr0 = read_xcr0();
    __cpuid_count(7, 0, eax, ebx, ecx, edx);
    f.leaf7_ebx = ebx;
    f.leaf7_ecx = ecx;
    if ((unsigned)__get_cpuid_max(0x80000000u, 0) >= 0x80000001u) {
        __cpuid(0x80000001u, eax, ebx, ecx, edx);
        f.extended_ecx = ecx;
    }
    return f;
}

static bool have_avx2(const struct features *f)
{
    enum { POPCNT = 1 << 23, AVX = 1 << 28 };             /* leaf 1, ECX */
    enum { BMI1 = 1 << 3, AVX2 = 1 << 5, BMI2 = 1 << 8 }; /* leaf 7, EBX */
    enum { LZCNT = 1 << 5 };                              /* leaf 0x80000001, ECX */
    enum { XMM_YMM = 6 };                                 /* XCR0 */
    return (f->leaf1_ecx & (POPCNT | AVX)) == (POPCNT | AVX) &&
           (f->leaf7_ebx & (BMI1 | AVX2 | BMI2)) == (BMI1 | AVX2 | BMI2) && (f->extended_ecx & LZCNT) &&
           (f->xcr0 & XMM_YMM) == XMM_YMM;
}

bool seebatch_cpu_has_avx2(void)
{
    const struct features f = read_features();
    return have_avx2(&f);
}

/* The tier of Ice Lake and Zen 4. */
bool seebatch_cpu_has_avx512(void)
{
    const unsigned f_dq_cd_bw_vl = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* leaf 7, EBX */
    const unsigned vbmi_vbmi2_gfni_bitalg = 1u << 1 | 1u << 6 | 1u << 8 | 1u << 12;      /* leaf 7, ECX */
    const uint64_t zmm = 0xe6; /* XCR0: and the mask registers */
    const struct features f = read_features();
#if defined(__APPLE__)
    return false; /* the system turns the registers on at first use, and says so in another way */
#endif
    return have_avx2(&f) && (f.leaf7_ebx & f_dq_cd_bw_vl) == f_dq_cd_bw_vl &&
           (f.leaf7_ecx & vbmi_vbmi2_gfni_bitalg) == vbmi_vbmi2_gfni_bitalg && (f.xcr0 & zmm) == zmm;
}

/* AMD's family 19h (Zen 4) starts halves of 512 bits one after the other. The next family (1Ah, Zen 5) and Intel's
 * Emerald Rapids, which were measured as well, start all of them. Leaf 8000001Ah would say so, but AMD alone has it,
 * and hypervisors leave it out. */
bool seebatch_cpu_is_wide(void)
{
    unsigned eax, ebx, ecx, edx;
    __cpuid(0, eax, ebx, ecx, edx);
    const bool amd = ebx == signature_AMD_ebx && ecx == signature_AMD_ecx && edx == signature_AMD_edx;
    __cpuid(1, eax, ebx, ecx, edx);
    const unsigned family = (eax >> 8 & 15) + (eax >> 20 & 255);
    return !(amd && family == 0x19);
}

#else

bool seebatch_cpu_has_avx2(void) { return false; }
bool seebatch_cpu_has_avx512(void) { return false; }
bool seebatch_cpu_is_wide(void) { return false; }

#endif
