/*
 * Collects what a reader needs to judge a result. See context.h.
 */
#include "context.h"

#include "commit.h" /* written by commit.cmake: SEEBATCH_BENCH_COMMIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* The processor's own name for itself, of 48 characters, blanks at its ends removed. */
static void cpu_brand(char brand[49])
{
    unsigned r[12];
    for (unsigned leaf = 0; leaf < 3; leaf++) {
        if (!__get_cpuid(0x80000002u + leaf, &r[leaf * 4], &r[leaf * 4 + 1], &r[leaf * 4 + 2], &r[leaf * 4 + 3])) {
            strcpy(brand, "unknown");
            return;
        }
    }
    char text[49] = {0};
    memcpy(text, r, 48);
    strcpy(brand, text + strspn(text, " "));
    for (size_t end = strlen(brand); end > 0 && brand[end - 1] == ' ';)
        brand[--end] = '\0';
}
#else
static void cpu_brand(char brand[49]) { strcpy(brand, "unknown"); }
#endif

/* Names of the kernels that this machine can run, or of those that it cannot. */
static void kernel_names(bool available, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; seebatch_kernel_name(k) && used < size; k++)
        if (seebatch_kernel_available(k) == available)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", seebatch_kernel_name(k));
    if (used == 0)
        snprintf(text, size, "none");
}

void context_make(const struct workload *workload, void (*add)(const char *key, const char *value))
{
    char text[256];
    add("seebatch_version", seebatch_version());
    add("seebatch_commit", SEEBATCH_BENCH_COMMIT);
    add("seebatch_compiler", SEEBATCH_BENCH_COMPILER);
    add("seebatch_flags", SEEBATCH_BENCH_FLAGS);
#ifdef NDEBUG
    add("seebatch_asserts", "off");
#else
    add("seebatch_asserts", "on: these times say nothing about a release build");
#endif
    cpu_brand(text);
    add("cpu", text);
    /* What a program gets that chooses nothing; the checks have chosen one kernel after another. */
    if (seebatch_kernel_use(NULL, NULL) == SEEBATCH_OK)
        add("kernel_by_default", seebatch_kernel_active());
    kernel_names(true, text, sizeof text);
    add("kernels", text);
    kernel_names(false, text, sizeof text);
    add("kernels_skipped", text);

    const struct shape *bulk = &workload->shapes[0], *all = &workload->shapes[1];
    size_t positions = bulk->n_positions, captures = bulk->offsets[positions], moves = all->offsets[positions];
    add("positions_file", workload->path);
    snprintf(text, sizeof text, "%zu", positions);
    add("positions", text);
    snprintf(text, sizeof text, "%zu, %.2f a position", captures, (double)captures / (double)positions);
    add("captures", text);
    snprintf(text, sizeof text, "%zu, %.2f a position", moves, (double)moves / (double)positions);
    add("legal_moves", text);
}
