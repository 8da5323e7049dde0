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
 * clone, and to warm the caches.
 *
 * REPLAY_BYTES, if it is defined: so many bytes of a position, from the first, are all that the functions read. A
 * position may point into itself. Where the state is not a prefix, leave it undefined. Then call replay(FILE), which
 * returns an exit status.
 *
 * Every timed pass follows one of the warming clone over the same questions (warm: in a search the generator of moves
 * has just read the slider tables), or a walk through more memory than the second-level cache holds (cold). The order
 * of the rows is reversed in every second round. The clone's row is the engine's function against itself. Where it
 * leaves 0.95 to 1.05 the machine was not quiet, and no ratio is printed.
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

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

enum {
    REPLAY_RING = 16,   /* positions lie in a few places, as in a search, which makes and takes back moves */
    REPLAY_PARTS = 128, /* a recording is timed in parts, which stay in the cache, and are seldom interrupted */
    REPLAY_ROUNDS = 24, /* the lower quartile of these counts */
    REPLAY_COLD_ROUNDS = 8,
    REPLAY_FLUSH = 1 << 22, /* bytes */
    REPLAY_FEN = 128
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

/* A function of its own, called as a search does: all that it calls is inlined, and the comment keeps compilers from
 * merging it with its like. Clones that shared code would train each other's branches. */
#define REPLAY_PASS(name, function)                                                                                    \
    static                                                                                                             \
        __attribute__((noinline, flatten)) bool name##_call(REPLAY_POSITION *position, unsigned move, int threshold)   \
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

/* Processor time. */
static double replay_ns(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }

static int replay_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What is timed; the first is subtracted from the others, and the third is what they are divided by. */
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

/* What the caches hold before a pass. Returns what has to be used. */
static size_t replay_prepare(bool cold, size_t from, size_t to)
{
    static unsigned char flush[REPLAY_FLUSH];
    if (!cold)
        return replay_warm_pass(from, to);
    for (size_t i = 0; i < REPLAY_FLUSH; i += 64)
        flush[i]++;
    return flush[0] + replay_none_pass(from, to); /* the positions, which a search has just made */
}

/* The time of each pass by parts and rounds, the passes in turns; then the lower quartiles, summed up. */
static void replay_time(bool cold, double ns[REPLAY_PASSES])
{
    static double times[REPLAY_PASSES][REPLAY_PARTS][REPLAY_ROUNDS];
    const int rounds = cold ? REPLAY_COLD_ROUNDS : REPLAY_ROUNDS;
    size_t yes = 0;
    for (int round = 0; round < rounds; round++)
        for (size_t part = 0; part < REPLAY_PARTS; part++) {
            const size_t from = replay_n * part / REPLAY_PARTS, to = replay_n * (part + 1) / REPLAY_PARTS;
            for (int i = 0; i < REPLAY_PASSES; i++) {
                const int k = round % 2 ? REPLAY_PASSES - 1 - i : i;
                yes += replay_prepare(cold, from, to);
                const double start = replay_ns();
                yes += replay_passes[k].pass(from, to);
                times[k][part][round] = replay_ns() - start;
            }
        }
    __asm__ volatile("" : : "r"(yes)); /* answers are used */
    for (int k = 0; k < REPLAY_PASSES; k++) {
        ns[k] = 0;
        for (int part = 0; part < REPLAY_PARTS; part++) {
            qsort(times[k][part], (size_t)rounds, sizeof(double), replay_compare);
            ns[k] += times[k][part][rounds / 4] / (double)replay_n;
        }
        ns[k] -= k ? ns[0] : 0;
    }
}

/* Prints times, and ratios to the clone if that agrees with the function itself; otherwise returns false. */
static bool replay_print(const char *what, const double ns[REPLAY_PASSES])
{
    const double itself = ns[REPLAY_CLONE] / ns[REPLAY_OWN];
    const bool quiet = itself >= 0.95 && itself <= 1.05;
    printf("%s, ns each:", what);
    for (int k = REPLAY_OWN; k < REPLAY_PASSES; k++) {
        printf("%s %s %.1f", k > REPLAY_OWN ? "," : "", replay_passes[k].name, ns[k]);
        if (quiet || k == REPLAY_CLONE)
            printf(" (%.3f)", k == REPLAY_CLONE ? itself : ns[k] / ns[REPLAY_CLONE]);
    }
    puts("");
    if (!quiet)
        puts("no ratios: the engine's function against its own clone is not within 0.95 to 1.05. Repeat the replay on a "
             "quiet machine. Under clang, mark the engine's function, replay_own() and replay_header() "
             "__attribute__((always_inline)), because its clones share code otherwise.");
    return quiet;
}

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

/* 0: all answers are equal, and ratios are printed. 1: they are not, or the recording cannot be read. 2: they are, but
 * the clone's row says that the machine was not quiet. */
static int replay(const char *path)
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
    double ns[REPLAY_PASSES];
    bool quiet = true;
    for (int cold = 0; cold < 2; cold++) {
        replay_time(cold, ns);
        quiet &= replay_print(cold ? "cold" : "warm", ns);
    }
    return quiet ? 0 : 2;
}
#endif
#endif
