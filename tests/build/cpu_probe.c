/* Says by its exit status whether this processor, as the compiler's own run-time library sees it, has AVX2: 0 yes, 1
 * no. The emulated test asks this instead of the library, whose answer is what it tests. */
int main(void) { return __builtin_cpu_supports("avx2") ? 0 : 1; }
