/* What replay.h prints for given times: ratios to the engine's own function where enough processes agree, none where the
 * clone differs or the processes do. With a file: replays it. SHARED: the engine's function is not inlined, so that its
 * copies share code. */
#include <stdbool.h>
#include <stdint.h>

#define REPLAY_POSITION uint64_t
#ifdef SHARED
static __attribute__((noinline)) bool evaluates(const uint64_t *position, unsigned move, int threshold)
#else
static inline __attribute__((always_inline)) bool evaluates(const uint64_t *position, unsigned move, int threshold)
#endif
{
    uint64_t x = *position * (2 * (uint64_t)move + 1);
    int value = 0;
    for (int i = 0; i < 12; i++, x = x * UINT64_C(6364136223846793005) + 1442695)
        if (x >> 63) {
            value += (int)(x >> 60);
            __asm__ volatile("" : "+r"(value)); /* a branch, which compilers would do without */
        }
    return value >= threshold;
}
static void replay_position(uint64_t *position, const char *fen)
{
    for (*position = 1; *fen; fen++)
        *position = *position * 31 + (uint64_t)*fen;
}
static bool replay_own(uint64_t *position, unsigned move, int threshold)
{
    return evaluates(position, move, threshold);
}
#ifdef SHARED /* the same answers by other code */
static bool replay_header(uint64_t *position, unsigned move, int threshold)
{
    uint64_t x = *position * (2 * (uint64_t)move + 1);
    int value = 0;
    for (int i = 0; i < 12; i++, x = x * UINT64_C(6364136223846793005) + 1442695)
        value += (int)(x >> 63) * (int)(x >> 60);
    return value >= threshold;
}
#else
static bool replay_header(uint64_t *position, unsigned move, int threshold)
{
    return evaluates(position, move, threshold);
}
#endif
#include "replay.h"

#if REPLAY_MOST_PROCESSES >= 25
/* Processes of which all but `quiet` have a clone that takes 1.03 of the engine's time, or if `busy`, a core that others
 * use; the header's ratio goes from `first` to `last`. */
static struct replay_times times(int n, int quiet, bool busy, double first, double last)
{
    static struct replay_times t;
    for (t.n = 0; t.n < n; t.n++) {
        struct replay_measured *m = &t.of[t.n];
        m->ns[REPLAY_OWN] = 20;
        m->ns[REPLAY_CLONE] = t.n < quiet || busy ? 20.2 : 20.6;
        m->ns[REPLAY_CLONE + 1] = 20 * (first + (last - first) * t.n / (n - 1));
        m->idle = busy && t.n >= quiet && t.n % 2 ? 450 : 350;
        m->timed = busy && t.n >= quiet && t.n % 2 == 0 ? 0.4 : 1;
    }
    return t;
}

static int check_prints(void)
{
    const struct replay_times agree = times(5, 5, false, 0.74, 0.76), few = times(25, 4, false, 0.75, 0.75),
                              differ = times(5, 5, false, 0.7, 0.8), never = times(25, 0, false, 0.75, 0.75),
                              busy = times(25, 4, true, 0.75, 0.75), none = {25, {{{0}, 350, 0}}};
    replay_print_cold(&differ);
    return replay_print("agree", &agree) && !replay_print("few", &few) && !replay_print("differ", &differ) &&
                   !replay_print("never", &never) && !replay_print("busy", &busy) && !replay_print("none", &none)
               ? 0
               : 1;
}
#else
static int check_prints(void) { return 0; }
#endif

int main(int argc, char **argv)
{
    if (argc > 1)
        return replay(argv[1]);
    return check_prints();
}
