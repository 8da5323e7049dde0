/*
 * replay.h: what an engine's search asks of its SEE, recorded, and asked again of two functions in turns.
 *
 * It is included in the engine's own program, so that both functions are compiled as the engine is and read its own
 * data. docs/embedding.md has the lines to add; C11 and C++17. A recording is text, a question a line:
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
 * REPLAY_BYTES, if it is defined: so many bytes of a position, from the first, are all that the functions read. A
 * position may point into itself. Then call replay(FILE), which returns an exit status.
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
    REPLAY_ROUNDS = 41, /* the lower quartile of these counts */
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

static void *replay_grown(void *memory, size_t n, size_t size)
{
    void *grown = n & (n - 1) ? memory : realloc(memory, (n ? 2 * n : 1) * size); /* at each power of two */
    if (!grown) {
        fputs("replay: out of memory\n", stderr);
        exit(1);
    }
    return grown;
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

static inline void replay_copy(size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        memcpy((void *)replay_place(i), replay_positions + i * REPLAY_BYTES, REPLAY_BYTES);
    __asm__ volatile("" ::: "memory");
}

#define REPLAY_PASS(function)                                                                                          \
    static __attribute__((noinline)) size_t function##_pass(size_t from, size_t to)                                    \
    {                                                                                                                  \
        size_t yes = 0;                                                                                                \
        while (from < to) {                                                                                            \
            const size_t first = replay_questions[from].position, left = replay_n_positions - first,                   \
                         end = first + (left < REPLAY_RING ? left : REPLAY_RING);                                      \
            replay_copy(first, end);                                                                                   \
            for (; from < to && replay_questions[from].position < end; from++) {                                       \
                const struct replay_question *q = &replay_questions[from];                                             \
                if (function(replay_place(q->position), q->move, q->threshold)) {                                      \
                    yes++; /* a search goes on by the answer: a branch, which may be guessed wrong */                  \
                    __asm__ volatile("");                                                                              \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        return yes;                                                                                                    \
    }
REPLAY_PASS(replay_none)
REPLAY_PASS(replay_own)
REPLAY_PASS(replay_header)

/* Processor time. */
static double replay_ns(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }

static int replay_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of each pass by parts and rounds, the passes in turns; then the lower quartiles, summed up. */
static void replay_time(replay_pass *const pass[3], double ns[3])
{
    static double times[3][REPLAY_PARTS][REPLAY_ROUNDS];
    size_t yes = 0;
    for (int round = 0; round < REPLAY_ROUNDS; round++)
        for (size_t part = 0; part < REPLAY_PARTS; part++) {
            const size_t from = replay_n * part / REPLAY_PARTS, to = replay_n * (part + 1) / REPLAY_PARTS;
            yes += pass[0](from, to); /* the positions into the cache */
            for (int k = 0; k < 3; k++) {
                const double start = replay_ns();
                yes += pass[k](from, to);
                times[k][part][round] = replay_ns() - start;
            }
        }
    __asm__ volatile("" : : "r"(yes)); /* answers are used */
    for (int k = 0; k < 3; k++) {
        ns[k] = 0;
        for (int part = 0; part < REPLAY_PARTS; part++) {
            qsort(times[k][part], REPLAY_ROUNDS, sizeof(double), replay_compare);
            ns[k] += times[k][part][REPLAY_ROUNDS / 4] / (double)replay_n;
        }
    }
}

/* 0: all answers are equal, and the times are printed. 1: they are not, or the recording cannot be read. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "r");
    replay_ring = (union replay_slot *)calloc(REPLAY_RING, sizeof *replay_ring);
    if (!file || !replay_ring || !replay_read(file) || !replay_n) {
        fprintf(stderr, "replay: %s: question %zu cannot be read: wanted FEN, TAB, move, TAB, threshold\n", path,
                replay_n + 1);
        return 1;
    }
    fclose(file);
    for (size_t i = 0; i < replay_n; i++) {
        const struct replay_question *q = &replay_questions[i];
        replay_copy(q->position, q->position + 1);
        const bool own = replay_own(replay_place(q->position), q->move, q->threshold);
        if (own != replay_header(replay_place(q->position), q->move, q->threshold)) {
            fprintf(stderr, "replay: %s\t%u\t%d: the engine says %d, the header %d\n",
                    replay_fens + q->position * REPLAY_FEN, q->move, q->threshold, own, !own);
            return 1;
        }
    }
    replay_pass *const pass[3] = {replay_none_pass, replay_own_pass, replay_header_pass};
    double ns[3];
    replay_time(pass, ns);
    printf("%zu questions, all answers equal; ns each: engine %.1f, header %.1f, ratio %.3f\n", replay_n, ns[1] - ns[0],
           ns[2] - ns[0], (ns[2] - ns[0]) / (ns[1] - ns[0]));
    return 0;
}
#endif
#endif
