/*
 * replay.h: what an engine's search asks of its SEE, recorded, and asked again in turns.
 *
 * It is included in the engine's own program, so that both functions are compiled as the engine is and read its own
 * data. docs/engine.md has the lines to add; C11 and C++17. A recording is text, a question a line:
 *
 *     FEN <TAB> move, the engine's own number <TAB> threshold
 *
 * Recording: replay_wanted() in front of replay_record(), at the head of the engine's function. Of each 50,000
 * questions the first 2,000 are wanted, so that a recording of a whole `bench` stays small, and questions that follow
 * each other stay together.
 *
 * Replay, where REPLAY_POSITION is defined (the type of the engine's position) and before the #include:
 *
 *     static void replay_position(REPLAY_POSITION *position, const char *fen);
 *     static bool replay_own(REPLAY_POSITION *position, unsigned move, int threshold);
 *     static bool replay_header(REPLAY_POSITION *position, unsigned move, int threshold);
 *
 * The engine's function has to be in the same file, without `noinline`: it is compiled three times, as itself, as its
 * clone, and to warm the caches. Copies that shared code would train each other's branches, and the header would look
 * slow beside them. So the replay first steps through some questions, one instruction at a time, and prints no ratio if
 * two copies execute the same conditional branch, unless the header executes it too. It can look on Linux with x86-64;
 * elsewhere, define REPLAY_APART once you have made sure that every function that the copies call is always_inline.
 *
 * REPLAY_BYTES, if it is defined: so many bytes of a position, from the first, are all that the functions read. A
 * position may point into itself. Where the state is not a prefix, leave it undefined. Then call replay(FILE), which
 * returns an exit status.
 *
 * Every timed pass follows one of the warming clone over the same questions (warm: in a search the generator of moves
 * has just read the slider tables), or a walk through more memory than the second-level cache holds (cold). The order
 * of the rows is reversed in every second round. All of this is done in one process after another. A
 * pass is not used if the system took the processor away, or if additions around it took longer than on an idle core,
 * as they do while the other thread of the core or another program's virtual machine works. A process counts if at least half
 * of its questions were often enough undisturbed, and if its clone's row, the engine's function against itself, is
 * within 0.98 to 1.02. Each ratio is the median of five processes that count; if 25 processes have been tried, or if
 * the five differ by more than 3%, there is no ratio and a sentence says why. Cold times are printed without ratios,
 * because they depend on what ran before.
 *
 * With seebatch.h included before this file, the library is asked as well: one call a question, one a node, that is for
 * questions in a row about one position, and one for each part of the recording, which has hundreds of nodes. That
 * takes
 *
 *     static seebatch_rules replay_rules(void);
 *     static seebatch_position replay_board(const REPLAY_POSITION *position);
 *     static seebatch_move replay_move(unsigned move);
 */
#ifndef SEEBATCH_REPLAY_H
#define SEEBATCH_REPLAY_H

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define REPLAY_FORKS 1
#endif

static inline bool replay_wanted(void)
{
    static unsigned long asked;
    return asked++ % 50000 < 2000;
}

/* Writes a question to `questions.tsv` in the current directory. */
static inline void replay_record(const char *fen, unsigned move, int threshold)
{
    static FILE *file;
    if (!file && !(file = fopen("questions.tsv", "w"))) {
        perror("questions.tsv");
        exit(1);
    }
    fprintf(file, "%s\t%u\t%d\n", fen, move, threshold);
}

#ifdef REPLAY_POSITION
#ifndef REPLAY_BYTES
#define REPLAY_BYTES sizeof(REPLAY_POSITION)
#endif

#ifndef REPLAY_MOST_PROCESSES
#define REPLAY_MOST_PROCESSES 25
#endif

enum {
    REPLAY_RING = 16,   /* positions lie in a few places, as in a search, which makes and takes back moves */
    REPLAY_PARTS = 128, /* a recording is timed in parts, which stay in the cache, and are seldom interrupted */
    REPLAY_ROUNDS = 24, /* the lower quartile of these counts */
    REPLAY_COLD_ROUNDS = 12,
    REPLAY_ENOUGH = 4, /* rounds that were not disturbed */
    REPLAY_ADDITIONS = 800,
    REPLAY_FLUSH = 1 << 22, /* bytes */
    REPLAY_FEN = 128,
    REPLAY_PROCESSES = 5, /* that count */
    REPLAY_STEPPED = 128  /* questions that are stepped through */
};

struct replay_question {
    size_t position;
    unsigned move;
    int threshold;
};

/* Position i is always copied to place i % REPLAY_RING, where it was made, so that its pointers into itself hold. */
union replay_slot {
    REPLAY_POSITION position;
    char bytes[(sizeof(REPLAY_POSITION) + 1087) / 64 * 64]; /* some room, for places that differ by more than a page */
};
static union replay_slot *replay_ring;
static char *replay_positions, *replay_fens;
static struct replay_question *replay_questions;
static size_t replay_n, replay_n_positions;

static inline REPLAY_POSITION *replay_place(size_t i) { return &replay_ring[i % REPLAY_RING].position; }

static void *replay_room(void *memory, size_t bytes)
{
    void *room = realloc(memory, bytes);
    if (!room) {
        fputs("replay: out of memory\n", stderr);
        exit(1);
    }
    return room;
}

static void *replay_grown(void *memory, size_t n, size_t size)
{
    return n & (n - 1) ? memory : replay_room(memory, (n ? 2 * n : 1) * size); /* at each power of two */
}

/* The position of a line's FEN: that of the line before, or a new one. */
static size_t replay_position_of(const char *fen)
{
    const size_t n = replay_n_positions;
    if (n && !strcmp(fen, replay_fens + (n - 1) * REPLAY_FEN))
        return n - 1;
    replay_positions = (char *)replay_grown(replay_positions, n, REPLAY_BYTES);
    replay_fens = (char *)replay_grown(replay_fens, n, REPLAY_FEN);
    strcpy(replay_fens + n * REPLAY_FEN, fen);
    replay_position(replay_place(n), fen);
    memcpy(replay_positions + n * REPLAY_BYTES, (void *)replay_place(n), REPLAY_BYTES);
    return replay_n_positions++;
}

/* Returns false where a line is not a question. */
static bool replay_read(FILE *file)
{
    char fen[REPLAY_FEN];
    struct replay_question q;
    int fields;
    while ((fields = fscanf(file, "%127[^\t]\t%u\t%d\n", fen, &q.move, &q.threshold)) == 3) {
        q.position = replay_position_of(fen);
        replay_questions = (struct replay_question *)replay_grown(replay_questions, replay_n, sizeof q);
        replay_questions[replay_n++] = q;
    }
    return fields == EOF;
}

/* What is subtracted: an answer that is guessed right. */
static bool replay_none(REPLAY_POSITION *position, unsigned move, int threshold)
{
    (void)position;
    return !(move | (unsigned)threshold);
}

/* All questions from one on to another, one after the other. What is timed. */
typedef size_t replay_pass(size_t from, size_t to);

/* Copies a position and those after it to their places, if that has not been done: *end is the first without. */
static inline void replay_place_from(size_t position, size_t *end)
{
    if (position < *end)
        return;
    const size_t left = replay_n_positions - position, ring = REPLAY_RING;
    *end = position + (left < ring ? left : ring);
    for (size_t i = position; i < *end; i++)
        memcpy((void *)replay_place(i), replay_positions + i * REPLAY_BYTES, REPLAY_BYTES);
    __asm__ volatile("" ::: "memory");
}

/* A function of its own, called as a search does: all that it calls is inlined if the compiler can, and the comment keeps
 * compilers from merging it with its like. It is aligned, so that the copies lie alike in the lines of the cache. */
#define REPLAY_PASS(name, function)                                                                                    \
    static __attribute__((noinline, flatten, aligned(64))) bool name##_call(REPLAY_POSITION *position, unsigned move,  \
                                                                            int threshold)                             \
    {                                                                                                                  \
        __asm__ volatile("# " #name);                                                                                  \
        return function(position, move, threshold);                                                                    \
    }                                                                                                                  \
    static __attribute__((noinline)) size_t name##_pass(size_t from, size_t to)                                        \
    {                                                                                                                  \
        size_t yes = 0;                                                                                                \
        for (size_t end = 0; from < to; from++) {                                                                      \
            const struct replay_question *q = &replay_questions[from];                                                 \
            replay_place_from(q->position, &end);                                                                      \
            if (name##_call(replay_place(q->position), q->move, q->threshold)) {                                       \
                yes++; /* a search goes on by the answer: a branch, which may be guessed wrong */                      \
                __asm__ volatile("");                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return yes;                                                                                                    \
    }
REPLAY_PASS(replay_none, replay_none)
REPLAY_PASS(replay_own, replay_own)
REPLAY_PASS(replay_clone, replay_own)
REPLAY_PASS(replay_warm, replay_own)
REPLAY_PASS(replay_header, replay_header)

#ifdef SEEBATCH_H
static seebatch_rules replay_library_rules;

static bool replay_library(REPLAY_POSITION *position, unsigned move, int threshold)
{
    const seebatch_position p = replay_board(position);
    return seebatch_ge(&replay_library_rules, &p, NULL, replay_move(move), threshold);
}
REPLAY_PASS(replay_library, replay_library)

/* The questions of a part as the library takes them. */
static struct {
    seebatch_position *positions;
    size_t *offsets, n_positions;
    seebatch_move *moves;
    int16_t *thresholds;
    uint64_t *good;
} replay_part;

static void replay_allocate(void)
{
    const size_t n = replay_n + 1;
    replay_part.positions = (seebatch_position *)replay_room(NULL, n * sizeof *replay_part.positions);
    replay_part.offsets = (size_t *)replay_room(NULL, n * sizeof *replay_part.offsets);
    replay_part.offsets[0] = 0;
    replay_part.moves = (seebatch_move *)replay_room(NULL, n * sizeof *replay_part.moves);
    replay_part.thresholds = (int16_t *)replay_room(NULL, n * sizeof *replay_part.thresholds);
    replay_part.good = (uint64_t *)replay_room(NULL, SEEBATCH_MASK_WORDS(n) * sizeof *replay_part.good);
    replay_library_rules = replay_rules();
}

/* Adds the node that begins with question `from`, n questions before it, and returns where the next one begins. */
static inline size_t replay_add_node(size_t from, size_t to, size_t n)
{
    const size_t position = replay_questions[from].position;
    replay_part.positions[replay_part.n_positions++] = replay_board(replay_place(position));
    for (; from < to && replay_questions[from].position == position; from++, n++) {
        const int threshold = replay_questions[from].threshold;
        replay_part.moves[n] = replay_move(replay_questions[from].move);
        replay_part.thresholds[n] = (int16_t)(threshold < -20000 ? -20000 : threshold > 20000 ? 20000 : threshold);
    }
    replay_part.offsets[replay_part.n_positions] = n;
    return from;
}

static inline size_t replay_good(size_t n)
{
    size_t yes = 0;
    for (size_t i = 0; i < SEEBATCH_MASK_WORDS(n); i++)
        yes += (size_t)__builtin_popcountll(replay_part.good[i]);
    return yes;
}

static size_t replay_nodes_pass(size_t from, size_t to)
{
    size_t yes = 0, end = 0;
    while (from < to) {
        const size_t node = from;
        replay_place_from(replay_questions[from].position, &end);
        replay_part.n_positions = 0;
        from = replay_add_node(from, to, 0);
        seebatch_ge_mask_each(&replay_library_rules, replay_part.positions, NULL, replay_part.moves, from - node,
                              replay_part.thresholds, replay_part.good);
        yes += replay_good(from - node);
    }
    return yes;
}

static size_t replay_part_pass(size_t from, size_t to)
{
    const size_t part = from;
    replay_part.n_positions = 0;
    for (size_t end = 0; from < to;) {
        replay_place_from(replay_questions[from].position, &end);
        from = replay_add_node(from, to, from - part);
    }
    const seebatch_batch batch = {replay_part.positions, replay_part.n_positions, replay_part.offsets,
                                  replay_part.moves, NULL};
    seebatch_batch_ge_mask_each(&replay_library_rules, &batch, replay_part.thresholds, replay_part.good, NULL);
    return replay_good(to - part);
}
#endif

/* A part takes microseconds, of which clock() would count too few. The seconds since 1970 would leave a double no bits
 * for single nanoseconds. */
static double replay_ns(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)(now.tv_sec % 1000000) * 1e9 + (double)now.tv_nsec;
}

static int replay_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What is timed; the first is subtracted from the others, and the second is what they are divided by. */
static const struct {
    const char *name;
    replay_pass *pass;
} replay_passes[] = {
    {"", replay_none_pass},
    {"engine", replay_own_pass},
    {"engine's clone", replay_clone_pass},
    {"header", replay_header_pass},
#ifdef SEEBATCH_H
    {"library, one call a question", replay_library_pass},
    {"one call a node", replay_nodes_pass},
    {"one call for hundreds of nodes", replay_part_pass},
#endif
};
enum { REPLAY_PASSES = sizeof replay_passes / sizeof *replay_passes, REPLAY_OWN = 1, REPLAY_CLONE = 2 };

/* What the caches hold before a pass: what the warm clone has read, or if cold, other memory, and the function's code,
 * which a few questions from the other half of the recording bring back. Returns what has to be used. */
static size_t replay_prepare(bool cold, int k, size_t from, size_t to)
{
    static unsigned char flush[REPLAY_FLUSH];
    if (!cold)
        return replay_warm_pass(from, to);
    for (size_t i = 0; i < REPLAY_FLUSH; i += 64)
        flush[i]++;
    const size_t other = from < replay_n / 2 ? replay_n / 2 : 0, n = replay_n / 2 < 32 ? replay_n / 2 : 32;
    return flush[0] + replay_none_pass(from, to) /* the positions, which a search has just made */
           + replay_passes[k].pass(other, other + n);
}

/* Advances four chains of additions, a step each. */
#define REPLAY_ADD(a, b, c, d)                                                                                         \
    do {                                                                                                               \
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));                                                     \
        a++, b++, c++, d++;                                                                                            \
    } while (0)

/* How long a few thousand additions take, in four chains, of which a core can advance each in every cycle: longer, if the
 * core works for somebody else as well, as the other thread of its own or another program's virtual machine does. No chain
 * waits for another: when three waited for the fourth, this took 300 or 360 ns on an idle core, by chance. */
static double replay_busy(void)
{
    unsigned long a = 1, b = 2, c = 3, d = 4;
    const double start = replay_ns();
    for (int i = 0; i < REPLAY_ADDITIONS; i += 4) {
        REPLAY_ADD(a, b, c, d);
        REPLAY_ADD(a, b, c, d);
        REPLAY_ADD(a, b, c, d);
        REPLAY_ADD(a, b, c, d);
    }
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d));
    return replay_ns() - start;
}

/* How often the system has taken the processor away from this process. */
static long replay_switches(void)
{
#ifdef REPLAY_FORKS
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
#else
    return 0;
#endif
}

/* A pass over a part, and how busy the core was around it. */
struct replay_sample {
    double ns, busy;
};

static struct replay_sample replay_take(bool cold, int k, size_t from, size_t to)
{
    const long switches = replay_switches();
    size_t yes = replay_prepare(cold, k, from, to);
    const double before = replay_busy(), start = replay_ns();
    yes += replay_passes[k].pass(from, to);
    const double ns = replay_ns() - start, after = replay_busy();
    __asm__ volatile("" : : "r"(yes)); /* answers are used */
    const struct replay_sample sample = {ns, replay_switches() != switches ? HUGE_VAL
                                             : before > after              ? before
                                                                           : after};
    return sample;
}

/* The lower quartile of the samples that were not disturbed, or 0 if these are too few. */
static double replay_quartile(const struct replay_sample *samples, int rounds, double most_busy)
{
    double ns[REPLAY_ROUNDS];
    int n = 0;
    for (int i = 0; i < rounds; i++)
        if (samples[i].busy <= most_busy)
            ns[n++] = samples[i].ns;
    qsort(ns, (size_t)n, sizeof *ns, replay_compare);
    return n >= REPLAY_ENOUGH ? ns[n / 4] : 0;
}

/* Sums up the parts of which all passes have been timed often enough, and returns the number of their questions. */
static size_t replay_sum(struct replay_sample samples[REPLAY_PASSES][REPLAY_PARTS][REPLAY_ROUNDS], int rounds,
                         double most_busy, double ns[REPLAY_PASSES])
{
    size_t n = 0;
    for (int k = 0; k < REPLAY_PASSES; k++)
        ns[k] = 0;
    for (size_t part = 0; part < REPLAY_PARTS; part++) {
        double quartiles[REPLAY_PASSES];
        bool enough = true;
        for (int k = 0; k < REPLAY_PASSES; k++)
            enough &= (quartiles[k] = replay_quartile(samples[k][part], rounds, most_busy)) > 0;
        for (int k = 0; k < REPLAY_PASSES && enough; k++)
            ns[k] += quartiles[k];
        n += enough ? replay_n * (part + 1) / REPLAY_PARTS - replay_n * part / REPLAY_PARTS : 0;
    }
    for (int k = REPLAY_PASSES - 1; k >= 0; k--)
        ns[k] = (ns[k] - (k ? ns[0] : 0)) / (double)(n ? n : 1);
    return n;
}

/* How busy the core is around a sample that nothing disturbs: the first percentile, since a clock may be read a little early
 * once. */
static double replay_idle(struct replay_sample samples[REPLAY_PASSES][REPLAY_PARTS][REPLAY_ROUNDS], int rounds)
{
    static double busy[REPLAY_PASSES * REPLAY_PARTS * REPLAY_ROUNDS];
    size_t n = 0;
    for (int k = 0; k < REPLAY_PASSES; k++)
        for (int part = 0; part < REPLAY_PARTS; part++)
            for (int round = 0; round < rounds; round++)
                busy[n++] = samples[k][part][round].busy;
    qsort(busy, n, sizeof *busy, replay_compare);
    return busy[n / 100];
}

/* What a process has measured. */
struct replay_measured {
    double ns[REPLAY_PASSES]; /* a question of each row, less what the first row takes */
    double idle;              /* replay_idle() */
    double timed;             /* of all questions: those of parts that were often enough undisturbed */
};

/* The time of each pass by parts and rounds, the passes in turns; then the lower quartiles, summed up. */
static struct replay_measured replay_time(bool cold)
{
    static struct replay_sample samples[REPLAY_PASSES][REPLAY_PARTS][REPLAY_ROUNDS];
    const int rounds = cold ? REPLAY_COLD_ROUNDS : REPLAY_ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (size_t part = 0; part < REPLAY_PARTS; part++)
            for (int i = 0; i < REPLAY_PASSES; i++) {
                const int k = round % 2 ? REPLAY_PASSES - 1 - i : i;
                samples[k][part][round] =
                    replay_take(cold, k, replay_n * part / REPLAY_PARTS, replay_n * (part + 1) / REPLAY_PARTS);
            }
    struct replay_measured m;
    m.idle = replay_idle(samples, rounds);
    m.timed = (double)replay_sum(samples, rounds, 1.06 * m.idle, m.ns) / (double)replay_n;
    return m;
}

/* ---- Whether copies share code ---------------------------------------------------------------------------------- */

typedef bool replay_call(REPLAY_POSITION *position, unsigned move, int threshold);

enum { REPLAY_BY_HEADER = 8 }; /* the copies of the engine's function are the bits below */

#if defined(__x86_64__) && defined(__linux__)
enum { REPLAY_SEEN = 1 << 16 };

/* The addresses of instructions that the rows have executed, and by which of them. */
static struct {
    uintptr_t address;
    unsigned char by;
} replay_seen[REPLAY_SEEN];
static volatile unsigned char replay_stepping; /* the row */
static volatile size_t replay_steps;

/* Takes the place of the default action for the signal that follows each instruction. */
static void replay_catch(void);

static void replay_step(int number, void *information, void *context)
{
    uintptr_t address;
    memcpy(&address, (char *)context + 168,
           sizeof address); /* uc_mcontext.gregs[REG_RIP], whatever the feature macros */
    (void)number, (void)information;
    size_t i = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 48;
    while (replay_seen[i].address && replay_seen[i].address != address)
        i = (i + 1) % REPLAY_SEEN;
    replay_catch();
    if (replay_steps > REPLAY_SEEN / 2)
        return;
    replay_steps += !replay_seen[i].address;
    replay_seen[i].address = address;
    replay_seen[i].by = (unsigned char)(replay_seen[i].by | replay_stepping);
}

static void replay_catch(void) { signal(SIGTRAP, (void (*)(int))(void (*)(void))replay_step); }

/* A call with the processor's trap flag set. */
static __attribute__((noinline)) bool replay_stepped(replay_call *call, const struct replay_question *q)
{
    REPLAY_POSITION *position = replay_place(q->position);
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
    const bool answer = call(position, q->move, q->threshold);
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $-257, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
    return answer;
}

/* Whether an instruction is a conditional jump, or an indirect jump or call: what the processor predicts. */
static bool replay_is_branch(const unsigned char *code)
{
    while (*code == 0x2e || *code == 0x3e || *code == 0xf2 || (*code & 0xf0) == 0x40)
        code++;
    return (*code & 0xf0) == 0x70 || (*code & 0xfc) == 0xe0 || (*code == 0x0f && (code[1] & 0xf0) == 0x80) ||
           (*code == 0xff && ((code[1] & 0x38) == 0x10 || (code[1] & 0x38) == 0x20));
}

/* The number of branches that two copies of the engine's function execute and the header does not, or -1 if that cannot
 * be found out. */
static long replay_shared(uintptr_t *first)
{
    static replay_call *const calls[] = {replay_own_call, replay_clone_call, replay_warm_call, replay_header_call};
    size_t yes = 0;
    long shared = 0;
    replay_catch();
    for (size_t i = 0; i < REPLAY_STEPPED; i++) {
        const struct replay_question *q = &replay_questions[replay_n * i / REPLAY_STEPPED];
        size_t end = 0;
        replay_place_from(q->position, &end);
        for (int k = 0; k < 4; k++) {
            replay_stepping = (unsigned char)(1 << k);
            yes += replay_stepped(calls[k], q);
        }
    }
    __asm__ volatile("" : : "r"(yes));
    signal(SIGTRAP, SIG_DFL);
    if (!replay_steps || replay_steps > REPLAY_SEEN / 2)
        return -1;
    for (size_t i = 0; i < REPLAY_SEEN; i++) {
        const int by = replay_seen[i].by, copies = by & (REPLAY_BY_HEADER - 1);
        const uintptr_t address = replay_seen[i].address;
        if (by & REPLAY_BY_HEADER || !(copies & (copies - 1)) || !replay_is_branch((const unsigned char *)address))
            continue;
        *first = !shared || address < *first ? address : *first;
        shared++;
    }
    return shared;
}
#else
static long replay_shared(uintptr_t *first)
{
    (void)first;
    return -1;
}
#endif

/* Whether the copies are known not to share code; otherwise a sentence says what to do. */
static bool replay_is_apart(void)
{
    uintptr_t first = 0;
    const long shared = replay_shared(&first);
#ifdef REPLAY_APART
    if (shared < 0)
        return true;
#endif
    if (shared < 0)
        puts("no ratios: on this system the replay cannot find out whether the copies of the engine's function share "
             "code. Mark every function that the engine's function calls __attribute__((always_inline)), and define "
             "REPLAY_APART.");
    if (shared > 0)
        printf("no ratios: the copies of the engine's function share code with %ld branches that the header does not "
               "execute, the first of them at 0x%llx, so they train each other's branches. Mark the engine's function, "
               "what it calls, replay_own() and replay_header() __attribute__((always_inline)).\n",
               shared, (unsigned long long)first);
    return shared == 0;
}

/* ---- Times, and what may be said of them ------------------------------------------------------------------------ */

/* What the processes have measured. */
struct replay_times {
    int n;
    struct replay_measured of[REPLAY_MOST_PROCESSES];
};

static double replay_itself(const struct replay_measured *m) { return m->ns[REPLAY_CLONE] / m->ns[REPLAY_OWN]; }

/* Whether a process was undisturbed for at least half of the questions, and its core as idle as in the best process: a
 * core that is shared from the first to the last pass shows only beside others. */
static bool replay_is_quiet(const struct replay_times *t, int process)
{
    double idle = t->of[process].idle;
    for (int i = 0; i < t->n; i++)
        idle = t->of[i].idle < idle ? t->of[i].idle : idle;
    return t->of[process].timed >= 0.5 && t->of[process].idle <= 1.04 * idle;
}

static bool replay_counts(const struct replay_times *t, int process)
{
    return replay_is_quiet(t, process) && replay_itself(&t->of[process]) >= 0.98 &&
           replay_itself(&t->of[process]) <= 1.02;
}

static int replay_counted(const struct replay_times *t)
{
    int counted = 0;
    for (int i = 0; i < t->n; i++)
        counted += replay_counts(t, i);
    return counted;
}

/* Prints the medians of a row, over the processes that count, or without a ratio, over those that have times. */
static bool replay_print_row(const struct replay_times *t, int k, bool enough)
{
    double ns[REPLAY_MOST_PROCESSES], ratios[REPLAY_MOST_PROCESSES];
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        if (enough ? !replay_counts(t, i) : t->of[i].timed <= 0)
            continue;
        ns[n] = t->of[i].ns[k];
        ratios[n++] = t->of[i].ns[k] / t->of[i].ns[REPLAY_OWN];
    }
    if (!n)
        return false;
    qsort(ns, (size_t)n, sizeof *ns, replay_compare);
    qsort(ratios, (size_t)n, sizeof *ratios, replay_compare);
    printf("%s %s %.1f", k > REPLAY_OWN ? "," : "", replay_passes[k].name, ns[n / 2]);
    const bool agrees = ratios[n - 1] <= 1.03 * ratios[0];
    if (enough && agrees)
        printf(" (%.3f)", ratios[n / 2]);
    else if (enough)
        printf(" (no ratio: %.3f to %.3f)", ratios[0], ratios[n - 1]);
    return enough && agrees;
}

/* Says why there are no ratios. */
static void replay_print_reason(const struct replay_times *t)
{
    double low = HUGE_VAL, high = 0;
    int quiet = 0;
    for (int i = 0; i < t->n; i++)
        if (replay_is_quiet(t, i)) {
            const double itself = replay_itself(&t->of[i]);
            low = itself < low ? itself : low;
            high = itself > high ? itself : high;
            quiet++;
        }
    printf("no ratios: in %d of %d processes, other programs disturbed too many of the measurements. ", t->n - quiet,
           t->n);
    if (quiet)
        printf("In the others, the engine's clone took %.3f to %.3f of the time of the engine's function, and in %d of "
               "them 0.98 to 1.02, expected %d. ",
               low, high, replay_counted(t), REPLAY_PROCESSES);
    puts(quiet >= REPLAY_PROCESSES && (low > 1.02 || high < 0.98)
             ? "The two copies differ in every process, so their place in memory matters. Build with other flags, such "
               "as "
               "-falign-functions=64."
             : "Repeat the replay on a quiet machine.");
}

/* Prints the times of all rows, and their ratios to the engine's own function if enough processes were undisturbed and
 * agree; otherwise says why not, and returns false. */
static bool replay_print(const char *what, const struct replay_times *t)
{
    const bool enough = replay_counted(t) >= REPLAY_PROCESSES;
    bool all = enough, timed = false;
    for (int i = 0; i < t->n; i++)
        timed |= t->of[i].timed > 0;
    if (timed)
        printf("%s, ns each:", what);
    else
        printf("%s: no times", what);
    for (int k = REPLAY_OWN; k < REPLAY_PASSES; k++)
        all &= replay_print_row(t, k, enough);
    puts("");
    if (!enough)
        replay_print_reason(t);
    return all;
}

/* Prints the times of cold passes. There are no ratios: what a cold pass takes depends on what ran before the other memory
 * was read, and the engine's clone, which reads the same tables, cannot show by how much. */
static void replay_print_cold(const struct replay_times *t)
{
    bool timed = false;
    for (int i = 0; i < t->n; i++)
        timed |= t->of[i].timed > 0;
    printf(timed ? "cold, ns each:" : "cold: no times, because other programs disturbed too many of the measurements");
    for (int k = REPLAY_OWN; k < REPLAY_PASSES; k++)
        replay_print_row(t, k, false);
    puts("");
}

/* Times all rows in a process of its own and adds it; false if that fails. */
static bool replay_time_apart(bool cold, struct replay_times *t)
{
    struct replay_measured *m = &t->of[t->n++];
#ifdef REPLAY_FORKS
    int ends[2], status = 1;
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    const int child = (int)fork();
    if (child == 0) {
        *m = replay_time(cold);
        _exit(write(ends[1], m, sizeof *m) != (ssize_t)sizeof *m);
    }
    close(ends[1]);
    const bool received = child > 0 && read(ends[0], m, sizeof *m) == (ssize_t)sizeof *m;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && received && status == 0;
#else
    *m = replay_time(cold);
    return true;
#endif
}

/* Times all rows in one process after another: if cold, in a few; otherwise until enough of them count. */
static bool replay_time_enough(bool cold, struct replay_times *t)
{
    const int most = cold && REPLAY_PROCESSES < REPLAY_MOST_PROCESSES ? REPLAY_PROCESSES : REPLAY_MOST_PROCESSES;
    while (t->n < most && (cold || replay_counted(t) < REPLAY_PROCESSES))
        if (!replay_time_apart(cold, t)) {
            fputs("replay: a process of its own could not be started or has failed\n", stderr);
            return false;
        }
    return true;
}

/* Whether the program counts what it executes, for a profile. */
#if defined(__ELF__) && !defined(REPLAY_NO_WEAK)
#ifdef __cplusplus
extern "C" {
#endif
extern void __gcov_init(void *) __attribute__((weak));
extern int __llvm_profile_runtime __attribute__((weak));
#ifdef __cplusplus
}
#endif
static bool replay_is_instrumented(void) { return __gcov_init || &__llvm_profile_runtime; }
#else
static bool replay_is_instrumented(void) { return false; }
#endif

/* Whether the program was built with a profile in which the copies were never executed: compilers put such functions into
 * .text.unlikely, which GNU ld places below .text.startup, and that below the .text in which _start lies. */
#if defined(__ELF__) && !defined(REPLAY_NO_WEAK)
#ifdef __cplusplus
extern "C" {
#endif
extern char _start[] __attribute__((weak));
#ifdef __cplusplus
}
#endif
__attribute__((noinline, used, section(".text.startup"))) static void replay_startup(void) { __asm__ volatile(""); }
static bool replay_is_cold(void)
{
    const uintptr_t startup = (uintptr_t)replay_startup;
    return startup < (uintptr_t)_start &&
           ((uintptr_t)replay_own_call < startup || (uintptr_t)replay_header_call < startup);
}
#else
static bool replay_is_cold(void) { return false; }
#endif

/* Whether each pass says yes as often as the engine does. */
static bool replay_agree(void)
{
    const size_t yes = replay_own_pass(0, replay_n);
    for (int k = 2; k < REPLAY_PASSES; k++) {
        const size_t other = replay_passes[k].pass(0, replay_n);
        if (other != yes) {
            fprintf(stderr, "replay: the engine says yes %zu times, by %s it is %zu times\n", yes,
                    replay_passes[k].name, other);
            return false;
        }
    }
    return true;
}

/* 0: all answers are equal, and ratios are printed. 1: they are not, or the recording cannot be read. 2: they are equal,
 * but some ratio is not printed, and a sentence says why. */
static inline int replay(const char *path)
{
    FILE *file = fopen(path, "r");
    char *ring = (char *)calloc(1, REPLAY_RING * sizeof *replay_ring + 63);
    replay_ring =
        (union replay_slot *)(ring + (0 - (uintptr_t)ring) % 64); /* a position may be aligned as vectors are */
    if (!file || !ring || !replay_read(file) || !replay_n) {
        fprintf(stderr, "replay: %s: question %zu cannot be read: wanted FEN, TAB, move, TAB, threshold\n", path,
                replay_n + 1);
        return 1;
    }
    fclose(file);
    size_t end = 0;
    for (size_t i = 0; i < replay_n; i++) {
        const struct replay_question *q = &replay_questions[i];
        replay_place_from(q->position, &end);
        const bool own = replay_own(replay_place(q->position), q->move, q->threshold);
        if (own != replay_header(replay_place(q->position), q->move, q->threshold)) {
            fprintf(stderr, "replay: %s\t%u\t%d: the engine says %d, the header %d\n",
                    replay_fens + q->position * REPLAY_FEN, q->move, q->threshold, own, !own);
            return 1;
        }
    }
#ifdef SEEBATCH_H
    replay_allocate();
#endif
    if (!replay_agree())
        return 1;
    printf("%zu questions, all answers equal\n", replay_n);
    if (replay_is_instrumented()) {
        puts("no times: this program counts what it executes for a profile. All copies have now been executed, so the "
             "program that is built with this profile can be measured.");
        return 2;
    }
    if (replay_is_cold()) {
        puts("no times: by the profile of this build, the copies are never executed, so the compiler made them small "
             "and slow. Build "
             "without a profile, or call replay() in the instrumented program as well.");
        return 2;
    }
    if (!replay_is_apart())
        return 2;
    static struct replay_times warm, cold;
    if (!replay_time_enough(false, &warm) || !replay_time_enough(true, &cold))
        return 2;
    const bool told = replay_print("warm", &warm);
    replay_print_cold(&cold);
    return told ? 0 : 2;
}
#endif
#endif
