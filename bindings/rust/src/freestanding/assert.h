/* <assert.h> for targets without a C library: a failed assertion ends the program with a trap. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
