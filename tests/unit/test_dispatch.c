/*
 * Which kernel runs, on machines that are made up: the linker leads the questions to src/dispatch/cpu.c through this test. And
 * the first evaluation of a process whose environment names a kernel that there is not.
 */
#define _POSIX_C_SOURCE 200809L /* setenv, fork */
#include "child.h"

#include "../src/dispatch/kernel.h"

/* Evaluates for the first time, with a kernel in the environment. */
static void first_evaluation(void *kernel)
{
    setenv("SEEBATCH_KERNEL", kernel, 1);
    _exit(strcmp(seebatch_kernel_active(), kernel) == 0 ? 0 : 1);
}

/* Must be the program's first: nothing has chosen a kernel before. */
TEST(a_wrong_environment_aborts)
{
    char said[1024], scalar[] = "scalar", unknown[] = "sse9";
    assert_false(aborts(first_evaluation, scalar, said));
    assert_string_equal(said, "");
    assert_true(aborts(first_evaluation, unknown, said));
    assert_non_null(strstr(said, "seebatch: there is no kernel 'sse9' (from SEEBATCH_KERNEL), expected one of"));
    assert_int_equal(said[strlen(said) - 1], '\n');
}

#if defined(__x86_64__)

bool __wrap_seebatch_cpu_has_avx2(void);
bool __wrap_seebatch_cpu_has_avx512(void);
bool __wrap_seebatch_cpu_is_wide(void);

static bool have_avx2, have_avx512, is_wide;

bool __wrap_seebatch_cpu_has_avx2(void) { return have_avx2; }
bool __wrap_seebatch_cpu_has_avx512(void) { return have_avx512; }
bool __wrap_seebatch_cpu_is_wide(void) { return is_wide; }

/* Without a choice of the caller's, the best that there is. */
TEST(the_best_is_chosen)
{
    static const char *const best[4] = {"scalar", "avx2", "avx512", "avx512"};
    unsetenv("SEEBATCH_KERNEL");
    for (int machine = 0; machine < 4; machine++) {
        have_avx2 = machine & 1;
        have_avx512 = machine >> 1;
        assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
        assert_string_equal(seebatch_kernel_active(), best[machine]);
        for (size_t k = 0; seebatch_kernel_name(k); k++) {
            const char *name = seebatch_kernel_name(k);
            const bool expected = strcmp(name, "avx2") == 0     ? have_avx2
                                  : strcmp(name, "avx512") == 0 ? have_avx512
                                                                : true;
            assert_int_equal(seebatch_kernel_available(k), expected);
        }
    }
    assert_false(seebatch_kernel_available(3));
    assert_null(seebatch_kernel_name(3));
    assert_null(seebatch_kernel_description(3));
}

/* Where vector units are as wide as the registers another variant runs, by the same name. */
TEST(wide_machines_have_their_own)
{
    have_avx2 = have_avx512 = true;
    for (const struct see_kernel *row = seebatch_kernels; row->name; row++) {
        is_wide = false;
        assert_int_equal(seebatch_kernel_use(row->name, NULL), SEEBATCH_OK);
        assert_ptr_equal(seebatch_kernel_in_use, row);
        is_wide = true;
        assert_int_equal(seebatch_kernel_use(row->name, NULL), SEEBATCH_OK);
        assert_ptr_equal(seebatch_kernel_in_use, row->wide ? row->wide : row);
        assert_string_equal(seebatch_kernel_active(), row->name);
        assert_true((row->wide != NULL) == (strcmp(row->name, "avx512") == 0));
    }
    is_wide = false;
}

/* A kernel of this library that the machine cannot run is refused, not replaced. */
TEST(others_are_refused)
{
    seebatch_error error;
    have_avx2 = have_avx512 = false;
    assert_int_equal(seebatch_kernel_use("scalar", &error), SEEBATCH_OK);
    assert_int_equal(seebatch_kernel_use("avx2", &error), SEEBATCH_BAD_KERNEL);
    assert_string_equal(error.text,
                        "this machine cannot run the kernel 'avx2', expected one of those available: scalar");
    have_avx2 = true;
    assert_int_equal(seebatch_kernel_use("avx512", &error), SEEBATCH_BAD_KERNEL);
    assert_string_equal(error.text,
                        "this machine cannot run the kernel 'avx512', expected one of those available: avx2, scalar");
    assert_string_equal(seebatch_kernel_active(), "scalar");
    setenv("SEEBATCH_KERNEL", "avx512", 1);
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_BAD_KERNEL);
    assert_string_equal(error.text,
                        "this machine cannot run the kernel 'avx512' (from SEEBATCH_KERNEL), expected one of "
                        "those available: avx2, scalar");
    assert_string_equal(seebatch_kernel_active(), "scalar");
    unsetenv("SEEBATCH_KERNEL");
}

#endif

int main(void) { return run_all_tests(NULL); }
