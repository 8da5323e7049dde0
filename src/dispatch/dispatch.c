/*
 * Lists the kernels, and chooses the one that runs.
 *
 * The table lists them best first. The choice is one atomic pointer, made on first use: the first caller stores it, and
 * since every thread would store the same, a relaxed store is enough.
 */
#include "cpu.h"
#include "api/error.h"
#include "host.h"
#include "kernel.h"
#include "path_counts.h"

#include <string.h>

/* A build without kernels has the scalar code alone. CMakeLists.txt makes it where the compiler does not have all of
 * their instructions. */
#if defined(__x86_64__) && !defined(SEEBATCH_NO_KERNELS)
#define SEE_X86_KERNELS 1
#ifndef SEEBATCH_NO_AVX512 /* for smaller programs */
#define SEE_AVX512_KERNEL 1
#endif
#elif defined(__AARCH64EL__) && !defined(SEEBATCH_NO_KERNELS)
#define SEE_NEON_KERNEL 1
#endif

static bool always(void) { return true; }

#if defined(SEE_AVX512_KERNEL)
#define AVX512_DESCRIPTION                                                                                             \
    "eight queries a register, few by AVX2; needs AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, GFNI (Ice Lake, "    \
    "Zen 4)"

/* A field a line, with its name, since C++17 has no designated initialisers. */
static const struct see_kernel avx512_wide = {
    /* name            */ "avx512",
    /* description     */ AVX512_DESCRIPTION,
    /* supported       */ seebatch_cpu_has_avx512,
    /* batch_answers   */ seebatch_avx512_batch_answers,
    /* position_values */ seebatch_avx512_wide_position_values,
    /* position_ge     */ seebatch_avx512_wide_position_ge,
    /* wide            */ NULL,
    /* fen_boards      */ seebatch_avx512_fen_boards,
    /* write_pieces    */ seebatch_avx512_write_pieces,
    /* captures        */ seebatch_avx512_captures,
    /* lengths         */ seebatch_avx512_lengths,
    /* checks          */ seebatch_avx2_checks,
};
#endif

const struct see_kernel seebatch_kernels[] = {
#if defined(SEE_AVX512_KERNEL)
    {
        /* name            */ "avx512",
        /* description     */ AVX512_DESCRIPTION,
        /* supported       */ seebatch_cpu_has_avx512,
        /* batch_answers   */ seebatch_avx512_batch_answers,
        /* position_values */ seebatch_avx512_position_values,
        /* position_ge     */ seebatch_avx512_position_ge,
        /* wide            */ &avx512_wide,
        /* fen_boards      */ seebatch_avx512_fen_boards,
        /* write_pieces    */ seebatch_avx512_write_pieces,
        /* captures        */ seebatch_avx512_captures,
        /* lengths         */ seebatch_avx512_lengths,
        /* checks          */ seebatch_avx2_checks,
    },
#endif
#if defined(SEE_X86_KERNELS)
    {
        /* name            */ "avx2",
        /* description     */ "four queries a register; needs AVX2, BMI1, BMI2, POPCNT, LZCNT",
        /* supported       */ seebatch_cpu_has_avx2,
        /* batch_answers   */ seebatch_avx2_batch_answers,
        /* position_values */ seebatch_avx2_position_values,
        /* position_ge     */ seebatch_avx2_position_ge,
        /* wide            */ NULL,
        /* fen_boards      */ seebatch_avx2_fen_boards,
        /* write_pieces    */ seebatch_avx2_write_pieces,
        /* captures        */ seebatch_avx2_captures,
        /* lengths         */ seebatch_avx2_lengths,
        /* checks          */ seebatch_avx2_checks,
    },
#elif defined(SEE_NEON_KERNEL)
    {
        /* name            */ "neon",
        /* description     */ "four queries in two registers; on every little-endian 64-bit ARM",
        /* supported       */ always,
        /* batch_answers   */ seebatch_neon_batch_answers,
        /* position_values */ seebatch_neon_position_values,
        /* position_ge     */ seebatch_neon_position_ge,
        /* wide            */ NULL,
        /* fen_boards      */ NULL,
        /* write_pieces    */ NULL,
        /* captures        */ NULL,
        /* lengths         */ seebatch_neon_lengths,
        /* checks          */ seebatch_neon_checks,
    },
#endif
#if defined(__wasm_simd128__)
    {
        /* name            */ "simd128",
        /* description     */ "four queries in two registers; needs WebAssembly SIMD",
        /* supported       */ always,
        /* batch_answers   */ seebatch_simd128_batch_answers,
        /* position_values */ seebatch_simd128_position_values,
        /* position_ge     */ seebatch_simd128_position_ge,
        /* wide            */ NULL,
        /* fen_boards      */ NULL,
        /* write_pieces    */ NULL,
        /* captures        */ NULL,
        /* lengths         */ NULL,
        /* checks          */ NULL,
    },
#endif
    {
        /* name            */ "scalar",
        /* description     */ "portable C, one query at a time; runs everywhere",
        /* supported       */ always,
        /* batch_answers   */ seebatch_scalar_batch_answers,
        /* position_values */ seebatch_scalar_position_values,
        /* position_ge     */ seebatch_scalar_position_ge,
        /* wide            */ NULL,
        /* fen_boards      */ NULL,
        /* write_pieces    */ NULL,
        /* captures        */ NULL,
        /* lengths         */ NULL,
        /* checks          */ NULL,
    },
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
enum { KERNELS = sizeof seebatch_kernels / sizeof *seebatch_kernels - 1 };

const struct see_kernel *seebatch_kernel_in_use;

#ifdef SEEBATCH_COUNT_PATHS
uint64_t seebatch_path_counts[2][SEE_COUNTED_PATHS];
#endif

const char *seebatch_version(void) { return SEEBATCH_VERSION; }

const char *seebatch_kernel_name(size_t index) { return index < KERNELS ? seebatch_kernels[index].name : NULL; }

const char *seebatch_kernel_description(size_t index)
{
    return index < KERNELS ? seebatch_kernels[index].description : NULL;
}

bool seebatch_kernel_available(size_t index) { return index < KERNELS && seebatch_kernels[index].supported(); }

const struct see_kernel *seebatch_kernel_here(const struct see_kernel *kernel)
{
    return kernel->wide && seebatch_cpu_is_wide() ? kernel->wide : kernel;
}

static void use(const struct see_kernel *kernel)
{
    __atomic_store_n(&seebatch_kernel_in_use, seebatch_kernel_here(kernel), __ATOMIC_RELAXED);
}

static const struct see_kernel *best_kernel(void)
{
    const struct see_kernel *kernel = seebatch_kernels;
    while (!kernel->supported())
        kernel++; /* the scalar kernel, the last, always is */
    return kernel;
}

/* The available kernels' names, for messages. */
static void list_available(char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < KERNELS && length < size; i++) {
        if (seebatch_kernels[i].supported())
            length +=
                seebatch_format(text + length, size - length, "%s%s", length ? ", " : "", seebatch_kernels[i].name);
    }
}

seebatch_status seebatch_kernel_use(const char *name, seebatch_error *error)
{
    const char *from = "";
    if (!name) {
        name = see_environment("SEEBATCH_KERNEL");
        from = " (from SEEBATCH_KERNEL)";
        if (name && !*name)
            name = NULL;
    }
    if (!name) {
        use(best_kernel());
        return SEEBATCH_OK;
    }
    const char *trouble = "there is no kernel";
    for (size_t i = 0; i < KERNELS; i++) {
        if (strcmp(name, seebatch_kernels[i].name) != 0)
            continue;
        if (seebatch_kernels[i].supported()) {
            use(&seebatch_kernels[i]);
            return SEEBATCH_OK;
        }
        trouble = "this machine cannot run the kernel";
    }
    char available[128];
    list_available(available, sizeof available);
    return see_fail(error, SEEBATCH_BAD_KERNEL, "%s '%.40s'%s, expected one of those available: %s", trouble, name,
                    from, available);
}

const struct see_kernel *seebatch_kernel_first_use(void)
{
    seebatch_error error;
    if (seebatch_kernel_use(NULL, &error) != SEEBATCH_OK)
        see_stop(error.text);
    return __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
}

const char *seebatch_kernel_active(void) { return see_kernel_current()->name; }
