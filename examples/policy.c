/*
 * Good and bad moves for a policy network.
 *
 * The policy networks of some engines have two outputs a move: one if its exchange loses a pawn at most, and one if it
 * loses more. So each node needs a bit for each of its legal moves, quiet ones too. Here are three ways to get these
 * bits: a call a move, as such engines do it; a call a node; a call for a thousand nodes, as when one trains.
 *
 *     cc -O2 policy.c $(pkg-config --cflags --libs seebatch) -o policy
 *     ./policy 5 < positions.fen
 *
 * reads positions, one a line, says how many of their moves are good, and takes the best times of so many rounds.
 */
#include <seebatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Values, threshold and rules of Monty: minimax over legal captures, replies en passant included. */
enum { THRESHOLD = -108 };
static const int16_t piece_values[5] = {100, 450, 450, 650, 1250};

enum { ROOM = 1 << 16, MANY = 1000 };
static char text[ROOM * SEEBATCH_FEN_SIZE];
static seebatch_position positions[ROOM];
static size_t offsets[ROOM + 1];

typedef void mark_fn(const seebatch_rules *rules, const seebatch_batch *batch, uint64_t *good);

/* Bit k of good says whether move k of the node is good; the batch is one node. */
static void call_a_move(const seebatch_rules *rules, const seebatch_batch *batch, uint64_t *good)
{
    const size_t first = batch->offsets[0], n = batch->offsets[1] - first;
    for (size_t k = 0; k < n; k++) {
        if (k % 64 == 0)
            good[k / 64] = 0;
        const uint64_t is_good = seebatch_ge(rules, batch->positions, NULL, batch->moves[first + k], THRESHOLD);
        good[k / 64] |= is_good << k % 64;
    }
}

static void call_a_node(const seebatch_rules *rules, const seebatch_batch *batch, uint64_t *good)
{
    const size_t first = batch->offsets[0], n = batch->offsets[1] - first;
    seebatch_ge_mask(rules, batch->positions, NULL, batch->moves + first, n, THRESHOLD, good);
}

/* The bits of all nodes, without gaps. */
static void call_for_many(const seebatch_rules *rules, const seebatch_batch *batch, uint64_t *good)
{
    seebatch_batch_ge_mask(rules, batch, THRESHOLD, good, NULL);
}

static const struct way {
    const char *name;
    mark_fn *mark;
    size_t nodes; /* that a call has */
} ways[] = {{"a call a move", call_a_move, 1},
            {"a call a node", call_a_node, 1},
            {"a call for 1000 nodes", call_for_many, MANY}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Marks all moves. Each call writes to a mask of its own; masks, of one word a move, has room for all of them. */
static void mark_all(const struct way *way, const seebatch_rules *rules, const seebatch_batch *all, uint64_t *masks)
{
    for (size_t i = 0; i < all->n_positions; i += way->nodes) {
        const size_t left = all->n_positions - i, n = left < way->nodes ? left : way->nodes;
        const seebatch_batch part = {
            .positions = all->positions + i, .n_positions = n, .offsets = all->offsets + i, .moves = all->moves};
        way->mark(rules, &part, masks + all->offsets[i]);
    }
}

/* What mark_all() has found, a byte a move. */
static void spread(const struct way *way, const seebatch_batch *all, const uint64_t *masks, uint8_t *good)
{
    for (size_t i = 0; i < all->n_positions; i += way->nodes) {
        const size_t end = i + way->nodes < all->n_positions ? i + way->nodes : all->n_positions;
        const uint64_t *mask = masks + all->offsets[i];
        for (size_t k = 0; k < all->offsets[end] - all->offsets[i]; k++)
            good[all->offsets[i] + k] = mask[k / 64] >> k % 64 & 1;
    }
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Nanoseconds a move, the best of some rounds; the ways take turns, so that a busy machine slows all of them. */
static void take_times(const seebatch_rules *rules, const seebatch_batch *all, uint64_t *masks, unsigned long rounds)
{
    double best[WAYS];
    for (unsigned long round = 0; round < rounds; round++)
        for (size_t way = 0; way < WAYS; way++) {
            const double start = seconds();
            mark_all(&ways[way], rules, all, masks);
            const double time = seconds() - start;
            if (round == 0 || time < best[way])
                best[way] = time;
        }
    printf("nanoseconds a move, kernel %s\n", seebatch_kernel_active());
    for (size_t way = 0; way < WAYS; way++)
        printf("%-22s %5.1f\n", ways[way].name, 1e9 * best[way] / (double)all->offsets[all->n_positions]);
}

/* The moves of all positions; how many there are is known once they have been generated. */
static seebatch_move *generate(size_t n)
{
    seebatch_batch_legal_moves(positions, n, offsets, NULL, 0, NULL);
    seebatch_move *moves = malloc((offsets[n] + 1) * sizeof *moves);
    if (moves != NULL)
        seebatch_batch_legal_moves(positions, n, offsets, moves, offsets[n], NULL);
    return moves;
}

int main(int argc, char **argv)
{
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    seebatch_rules rules;
    seebatch_rules_named("monty", &rules, NULL);
    memcpy(rules.value, piece_values, sizeof piece_values);

    seebatch_lines lines;
    seebatch_faults faults;
    const size_t length = fread(text, 1, sizeof text, stdin);
    if (seebatch_batch_from_lines(text, length, feof(stdin), positions, ROOM, NULL, &lines, &faults, NULL) !=
        SEEBATCH_OK) {
        fprintf(stderr, "policy: line %zu: %s\n", faults.first + 1, faults.error.text);
        return EXIT_FAILURE;
    }
    if (lines.consumed < length || !feof(stdin))
        fprintf(stderr, "policy: only the first %zu positions are read\n", lines.n);
    seebatch_move *moves = generate(lines.n);
    const seebatch_batch all = {.positions = positions, .n_positions = lines.n, .offsets = offsets, .moves = moves};
    const size_t n = offsets[lines.n];
    uint64_t *masks = malloc((n + 1) * sizeof *masks);
    uint8_t *good = malloc(n + 1), *other = malloc(n + 1);
    if (moves == NULL || masks == NULL || good == NULL || other == NULL)
        return EXIT_FAILURE;

    for (size_t way = 0; way < WAYS; way++) {
        mark_all(&ways[way], &rules, &all, masks);
        spread(&ways[way], &all, masks, way == 0 ? good : other);
        if (way > 0 && memcmp(good, other, n) != 0) {
            fprintf(stderr, "policy: %s and %s differ\n", ways[0].name, ways[way].name);
            return EXIT_FAILURE;
        }
    }
    size_t n_good = 0;
    for (size_t k = 0; k < n; k++)
        n_good += good[k];
    printf("%zu positions, %zu moves, %zu good\n", lines.n, n, n_good);
    if (rounds > 0 && n > 0)
        take_times(&rules, &all, masks, rounds);
    free(moves), free(masks), free(good), free(other);
    return EXIT_SUCCESS;
}
