/*
 * How the small functions of a kernel become part of their callers.
 *
 * A kernel is compiled once for each rule class, whole, so that what a class does not need costs nothing. Without
 * optimisation there is nothing to gain from that, and much to lose: gcc and clang then give every temporary of every
 * inlined function a place of its own, which makes stack frames of one to two megabytes, more than a thread may have.
 */
#ifndef SEEBATCH_LANES_INLINE_H
#define SEEBATCH_LANES_INLINE_H

#if defined(__OPTIMIZE__)
#define LANES_INLINE static inline __attribute__((always_inline))
#else
#define LANES_INLINE static inline
#endif

#endif
