/*
 * Ten positions are searched to a fixed depth, each with an empty table, both ways, one right after the other, so that
 * both see the same weather on a machine that others use too; in every other round the other way goes first. A
 * position's time is that of its best round.
 */
#include "search.h"
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TABLE_MIB = 16 };

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", /* everything at once */
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",    /* tension in the centre */
    "r2q1rk1/1b2bppp/p2ppn2/1p4B1/3NP3/2N2P2/PPPQ2PP/2KR3R b - - 2 13",     /* castled on both sides */
    "2rr2k1/1p3ppp/p1nqbn2/3p4/3P4/1P1BPN2/PB3PPP/R2Q1RK1 w - - 1 17",      /* an isolated pawn */
    "4rrk1/2p1qppp/p1p5/4Pb2/2Pn4/P1NQ4/1P4PP/R1B2R1K w - - 3 20",
    "8/5pk1/R5p1/4p2p/1r2P2P/5PP1/6K1/8 b - - 4 40",              /* a rook ending */
    "8/2k2p2/1p1p2p1/p1pPp1P1/P1P1P2P/1P2K3/8/8 w - - 0 38",      /* pawns alone */
    "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",   /* a long exchange on e5 */
    "3r1rk1/p3qp1p/2bb2p1/2p5/3P4/1P6/PBQN1PPP/2R2RK1 b - - 0 1", /* a sacrifice */
};
enum { N_POSITIONS = sizeof positions / sizeof *positions };

enum { ONE_BY_ONE, IN_BATCHES };

struct result {
    uint64_t nodes, calls, moves;
    double seconds;
};

static struct result search_position(struct search *search, const char *fen, int depth, int way)
{
    seebatch_position position;
    struct board board;
    seebatch_position_from_fen(&position, fen, strlen(fen), NULL);
    board_set(&board, &position);
    search_new_game(search);
    search->limits.depth = depth;
    search->see.batch = way == IN_BATCHES;
    search->keys[0] = board.key;
    search->n_keys = 1;
    const clock_t start = clock();
    search_run(search, &board);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return (struct result){search->nodes, search->see.calls, search->see.moves, seconds};
}

/* All rounds of a position, which differ in nothing but time; false if the two ways do not search the same tree. */
static bool run_rounds(struct search *search, int index, int depth, int rounds, struct result best[2])
{
    for (int run = 0; run < 2 * rounds; run++) {
        const int way = (run ^ run >> 1) & 1;
        const struct result result = search_position(search, positions[index], depth, way);
        if (run < 2 || result.seconds < best[way].seconds)
            best[way] = result;
    }
    printf("%-9d %15" PRIu64 " %15" PRIu64 "\n", index + 1, best[ONE_BY_ONE].nodes, best[IN_BATCHES].nodes);
    fflush(stdout);
    if (best[ONE_BY_ONE].nodes == best[IN_BATCHES].nodes)
        return true;
    fprintf(stderr, "position %d: with one call a move the search is not the same as in batches\n", index + 1);
    return false;
}

static void print_totals(const struct result total[2])
{
    const struct result *one = &total[ONE_BY_ONE], *all = &total[IN_BATCHES];
    const double speed[2] = {(double)one->nodes / (one->seconds + 1e-9), (double)all->nodes / (all->seconds + 1e-9)};
    printf("%-9s %15" PRIu64 " %15" PRIu64 "\n", "nodes", one->nodes, all->nodes);
    printf("%-9s %15" PRIu64 " %15" PRIu64 "\n", "SEE calls", one->calls, all->calls);
    printf("%-9s %15" PRIu64 " %15" PRIu64 "\n", "SEE moves", one->moves, all->moves);
    printf("%-9s %15.3f %15.3f\n", "seconds", one->seconds, all->seconds);
    printf("%-9s %15.0f %15.0f\n", "nodes/s", speed[ONE_BY_ONE], speed[IN_BATCHES]);
    printf("in batches / one call a move: %.3f\n", speed[IN_BATCHES] / speed[ONE_BY_ONE]);
}

static bool run_order(struct search *search, enum capture_order order, int depth, int rounds)
{
    struct result total[2] = {{0}};
    search->see.order = order;
    printf("\ncaptures ordered by %s\n", order == ORDER_BY_VALUE ? "exchange value" : "victim and attacker");
    printf("%-9s %15s %15s\n", "position", "one call a move", "in batches");
    for (int i = 0; i < N_POSITIONS; i++) {
        struct result best[2];
        if (!run_rounds(search, i, depth, rounds, best))
            return false;
        for (int way = ONE_BY_ONE; way <= IN_BATCHES; way++) {
            total[way].nodes += best[way].nodes;
            total[way].calls += best[way].calls;
            total[way].moves += best[way].moves;
            total[way].seconds += best[way].seconds;
        }
    }
    print_totals(total);
    return true;
}

bool bench_run(int depth, int rounds)
{
    struct table table = {0};
    struct search *search = calloc(1, sizeof *search);
    bool well = search && table_resize(&table, TABLE_MIB);
    if (well) {
        search->table = &table;
        printf("kernel %s, depth %d, table of %d MiB, rounds %d\n", seebatch_kernel_active(), depth, TABLE_MIB, rounds);
        well = run_order(search, ORDER_BY_VICTIM, depth, rounds) && run_order(search, ORDER_BY_VALUE, depth, rounds);
    } else {
        fprintf(stderr, "no memory for a table of %d MiB\n", TABLE_MIB);
    }
    free(table.entries);
    free(search);
    return well;
}
