/*
 * Reads the positions and makes the shapes. See workload.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <unistd.h>
#endif

static void out_of_memory(void)
{
    fprintf(stderr, "seebatch_bench: there is not enough memory for the workload\n");
    exit(1);
}

void *workload_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        out_of_memory();
    return p;
}

/* An array with room for at least `needed` elements, doubled when it is full. */
static void *grow(void *array, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return array;
    while (*room < needed)
        *room = *room ? *room * 2 : 1024;
    array = realloc(array, *room * size);
    if (!array)
        out_of_memory();
    return array;
}

static void shape_add(struct shape *shape, const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    size_t p = shape->n_positions, total = p ? shape->offsets[p] : 0;
    shape->positions = grow(shape->positions, &shape->positions_room, p + 1, sizeof *shape->positions);
    shape->offsets = grow(shape->offsets, &shape->offsets_room, p + 2, sizeof *shape->offsets);
    shape->moves = grow(shape->moves, &shape->moves_room, total + n, sizeof *shape->moves);
    shape->positions[p] = *position;
    shape->offsets[p] = total;
    shape->offsets[p + 1] = total + n;
    if (n)
        memcpy(shape->moves + total, moves, n * sizeof *moves);
    shape->n_positions++;
}

size_t shape_answers(const struct shape *shape)
{
    return shape->call == CALL_QUERY ? shape->n_draws : shape->offsets[shape->n_positions];
}

/* Captures first, topped up with quiet moves; both in the generator's order. Returns how many moves there are. */
static size_t captures_then_quiets(const seebatch_move *legal, size_t n_legal, const seebatch_move *captures,
                                   size_t n_captures, seebatch_move *moves)
{
    size_t n = n_captures, next = 0;
    memcpy(moves, captures, n_captures * sizeof *moves);
    for (size_t i = 0; i < n_legal; i++) {
        if (next < n_captures && legal[i] == captures[next])
            next++; /* the captures come in the same order as among the legal moves */
        else
            moves[n++] = legal[i];
    }
    return n;
}

enum {
    BULK,
    BULK_ALL,
    ONE_1,
    ONE_2,
    ONE_4,
    ONE_8,
    ONE_16,
    ONE_32,
    HOT,
    ONE_3,
    ONE_5,
    ONE_6,
    ONE_7,
    ONE_9,
    COLD,
    COLD_ALL
};

static void add_position(struct workload *workload, const seebatch_position *position)
{
    seebatch_move legal[SEEBATCH_MAX_MOVES], captures[SEEBATCH_MAX_MOVES], ordered[2 * SEEBATCH_MAX_MOVES];
    size_t n_legal = seebatch_legal_moves(position, legal);
    size_t n_captures = seebatch_legal_captures(position, captures);
    struct shape *shapes = workload->shapes;
    workload->n_positions++;
    shape_add(&shapes[BULK], position, captures, n_captures);
    shape_add(&shapes[BULK_ALL], position, legal, n_legal);
    if (n_captures == 0)
        return;
    captures_then_quiets(legal, n_legal, captures, n_captures, ordered);
    for (size_t i = 0; i < workload->n_shapes; i++)
        if (shapes[i].n_moves && n_legal >= shapes[i].n_moves)
            shape_add(&shapes[i], position, ordered, shapes[i].n_moves);
}

static bool read_positions(struct workload *workload, FILE *file)
{
    char line[512];
    for (size_t number = 1; fgets(line, sizeof line, file); number++) {
        size_t length = strlen(line);
        if (length == sizeof line - 1 && line[length - 1] != '\n') {
            fprintf(stderr, "%s:%zu: the line is longer than the %zu characters that are read\n", workload->path,
                    number, sizeof line - 2);
            return false;
        }
        length = strcspn(line, "\r\n");
        if (length == 0 || line[0] == '#')
            continue;
        seebatch_position position;
        seebatch_error error;
        if (seebatch_position_from_fen(line, length, &position, &error) != SEEBATCH_OK) {
            fprintf(stderr, "%s:%zu: %s\n", workload->path, number, error.text);
            return false;
        }
        add_position(workload, &position);
    }
    if (ferror(file)) {
        fprintf(stderr, "%s: reading failed\n", workload->path);
        return false;
    }
    if (workload->n_positions < MIN_POSITIONS) {
        fprintf(stderr,
                "%s: %zu positions are too few, at least %d are expected: a processor learns the answers of a small "
                "set that is asked again and again\n",
                workload->path, workload->n_positions, MIN_POSITIONS);
        return false;
    }
    return true;
}

uint64_t workload_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* 256 positions with captures, evenly spread over the games, and draws from all their captures with equal chances. */
static bool make_hot(struct workload *workload)
{
    const struct shape *all = &workload->shapes[BULK];
    const struct shape *with_captures = &workload->shapes[ONE_1];
    struct shape *hot = &workload->shapes[HOT];
    if (with_captures->n_positions < HOT_POSITIONS) {
        fprintf(stderr, "%s: %zu positions have a capture, at least %d are expected\n", workload->path,
                with_captures->n_positions, HOT_POSITIONS);
        return false;
    }
    size_t with = 0, taken = 0;
    for (size_t p = 0; p < all->n_positions; p++) {
        size_t n = all->offsets[p + 1] - all->offsets[p];
        if (n == 0)
            continue;
        if (with++ == taken * with_captures->n_positions / HOT_POSITIONS && taken < HOT_POSITIONS) {
            shape_add(hot, &all->positions[p], all->moves + all->offsets[p], n);
            taken++;
        }
    }

    size_t n_queries = hot->offsets[hot->n_positions];
    struct draw *queries = workload_alloc(n_queries, sizeof *queries);
    for (size_t p = 0; p < hot->n_positions; p++)
        for (size_t k = hot->offsets[p]; k < hot->offsets[p + 1]; k++)
            queries[k] = (struct draw){(uint16_t)p, hot->moves[k]};
    hot->n_draws = HOT_DRAWS;
    hot->draws = workload_alloc(HOT_DRAWS, sizeof *hot->draws);
    uint64_t state = 1;
    for (size_t i = 0; i < HOT_DRAWS; i++)
        hot->draws[i] = queries[workload_random(&state) % n_queries];
    free(queries);
    return true;
}

/* More bytes than the last-level cache holds: by a quarter, so that of what a pass has read last nothing is left there
 * when the next one comes to it. Where the system does not tell the size, 64 MiB are assumed. */
static size_t more_than_the_caches(void)
{
    long size = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    size = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return (size > 0 ? (size_t)size : (size_t)64 << 20) / 4 * 5;
}

/* The positions and moves of a shape, over and over, until the caches cannot hold them. */
static void make_cold(struct shape *cold, const struct shape *shape)
{
    const size_t n = shape->n_positions, n_moves = shape->offsets[n];
    const size_t bytes = n * (sizeof *shape->positions + sizeof *shape->offsets) + n_moves * sizeof *shape->moves;
    const size_t copies = more_than_the_caches() / bytes + 1;
    cold->n_positions = copies * n;
    cold->positions = workload_alloc(copies * n, sizeof *cold->positions);
    cold->offsets = workload_alloc(copies * n + 1, sizeof *cold->offsets);
    cold->moves = workload_alloc(copies * n_moves, sizeof *cold->moves);
    for (size_t copy = 0; copy < copies; copy++) {
        memcpy(cold->positions + copy * n, shape->positions, n * sizeof *cold->positions);
        memcpy(cold->moves + copy * n_moves, shape->moves, n_moves * sizeof *cold->moves);
        for (size_t p = 0; p <= n; p++)
            cold->offsets[copy * n + p] = copy * n_moves + shape->offsets[p];
    }
}

bool workload_load(struct workload *workload, const char *path, bool cold)
{
    static const struct shape empty[N_SHAPES] = {
        [BULK] = {.name = "bulk", .call = CALL_BATCH},
        [BULK_ALL] = {.name = "bulk-all", .call = CALL_BATCH, .threshold = -50},
        [ONE_1] = {.name = "one-1", .call = CALL_POSITION, .n_moves = 1},
        [ONE_2] = {.name = "one-2", .call = CALL_POSITION, .n_moves = 2},
        [ONE_4] = {.name = "one-4", .call = CALL_POSITION, .n_moves = 4},
        [ONE_8] = {.name = "one-8", .call = CALL_POSITION, .n_moves = 8},
        [ONE_16] = {.name = "one-16", .call = CALL_POSITION, .n_moves = 16},
        [ONE_32] = {.name = "one-32", .call = CALL_POSITION, .n_moves = 32},
        [HOT] = {.name = "hot", .call = CALL_QUERY},
        [ONE_3] = {.name = "one-3", .call = CALL_POSITION, .n_moves = 3, .for_turns = true},
        [ONE_5] = {.name = "one-5", .call = CALL_POSITION, .n_moves = 5, .for_turns = true},
        [ONE_6] = {.name = "one-6", .call = CALL_POSITION, .n_moves = 6, .for_turns = true},
        [ONE_7] = {.name = "one-7", .call = CALL_POSITION, .n_moves = 7, .for_turns = true},
        [ONE_9] = {.name = "one-9", .call = CALL_POSITION, .n_moves = 9, .for_turns = true},
        [COLD] = {.name = "cold", .call = CALL_BATCH},
        [COLD_ALL] = {.name = "cold-all", .call = CALL_BATCH, .threshold = -50},
    };
    workload->path = path;
    workload->n_positions = 0;
    workload->n_shapes = cold ? N_SHAPES : COLD;
    memcpy(workload->shapes, empty, sizeof empty);

    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "seebatch_bench: the positions in \"%s\" cannot be opened for reading\n", path);
        return false;
    }
    bool loaded = read_positions(workload, file);
    fclose(file);
    if (!loaded || !make_hot(workload))
        return false;
    for (size_t i = 0; i < COLD; i++) {
        if (workload->shapes[i].n_positions == 0) {
            fprintf(stderr, "%s: no position is fit for the benchmarks %s\n", path, workload->shapes[i].name);
            return false;
        }
    }
    if (cold) {
        make_cold(&workload->shapes[COLD], &workload->shapes[BULK]);
        make_cold(&workload->shapes[COLD_ALL], &workload->shapes[BULK_ALL]);
    }
    return true;
}

void workload_free(struct workload *workload)
{
    for (size_t i = 0; i < N_SHAPES; i++) {
        struct shape *shape = &workload->shapes[i];
        free(shape->positions);
        free(shape->offsets);
        free(shape->moves);
        free(shape->draws);
    }
}
