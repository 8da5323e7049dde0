/*
 * Exhaustion: small boards, all of them. Where the differential harness draws from what is too much to be tried, this
 * program tries everything of a size, under every rule set, by the oracle, by the scalar code and by every kernel of
 * this machine, in each of its ways. The comparison is that of the differential harness.
 *
 *     seebatch_exhaustion                  all of it, a line for each part as it is done
 *     seebatch_exhaustion --slice 3/100    every hundredth placement, from the third on
 *
 * One part a square: every placement of up to three pieces, of both colours, that attack it or would if what stands in
 * between left. Each is tried with either side to move, and with each enemy piece on the square, and none; and where a
 * pawn can have passed the square, with that pawn, to be taken en passant. All moves to the square are evaluated. By
 * turning the board and swapping colours each square becomes one from a1 to d4, so these are tried.
 *
 * A colour without a king among its attackers gets one on the first square, counted from one that differs from
 * placement to placement, where the position is sound: mostly he has nothing to do with it, at times he holds a pinned
 * piece, is checked, or is another attacker.
 *
 * One part a piece, named by its letter: that piece and the kings on all squares, and each of its legal moves.
 *
 * Exit status: 0; 1 at the first difference, 2 for bad usage.
 */
#include "differential/boards.h"

#include <stdlib.h>

/* A run over placements: which are tried, and what was compared. */
struct run {
    unsigned part, of;         /* every of-th placement, from number `part` on */
    uint64_t seen, placements; /* how many there were, and how many of them were tried */
    struct tally tally;
};

static bool in_slice(struct run *run)
{
    const bool is = run->seen++ % run->of == run->part;
    run->placements += is;
    return is;
}

/* ---- The comparison --------------------------------------------------------------------------------------------- */

static struct batch batch;

static void check(struct tally *tally, const struct named_rules *rules, struct implementation subject,
                  struct implementation against, int forms)
{
    const struct context context = {.subject = subject,
                                    .against = against,
                                    .rules_name = rules->name,
                                    .rules = rules->rules,
                                    .seed = tally->rounds,
                                    .tally = tally};
    struct failure failure;
    if (check_batch_lean(&context, &batch, forms, &failure))
        return;
    report_failure(stdout, &context, &batch, &failure);
    exit(1);
}

/* The boards collected: the scalar code against the oracle, and every kernel against the scalar code. */
static void check_rules(struct tally *tally, const struct named_rules *rules)
{
    struct implementation scalar = {"scalar", seebatch_kernels}, oracle = {"oracle", NULL};
    while (strcmp(scalar.kernel->name, "scalar") != 0)
        scalar.kernel++;
    check(tally, rules, scalar, oracle, FORMS_KERNEL);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++)
        if (kernel->supported())
            check(tally, rules, (struct implementation){kernel->name, kernel}, scalar, FORMS_PATHS);
}

/* Under every rule set that has a name, and in turn under one of those that have none. */
static void compare_collected(struct run *run)
{
    static struct every_rules every;
    list_every_rules(&every);
    for (size_t i = 0; i < every.n_named; i++)
        check_rules(&run->tally, &every.list[i]);
    check_rules(&run->tally, &every.list[every.n_named + run->tally.rounds++ % (every.n - every.n_named)]);
    batch_clear(&batch);
}

/* Compares moves of a board, sooner or later; a difference ends the program with a report. */
static void compare_moves(struct run *run, const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    if (n == 0)
        return;
    if (batch.n_positions == MAX_POSITIONS || batch_count(&batch) + n > MAX_QUERIES)
        compare_collected(run);
    batch_add_position(&batch, position);
    for (size_t i = 0; i < n; i++)
        batch_add_move(&batch, moves[i]);
    run->tally.boards++;
    run->tally.cases += n;
}

/* ---- Around a square -------------------------------------------------------------------------------------------- */

enum { MOST_CANDIDATES = 256, EN_PASSANT = SEEBATCH_KING };

/* A piece on a square from which it attacks the target on an empty board. */
struct candidate {
    int8_t square, type, color;
};

struct placement {
    const struct candidate *piece[3];
    int n;
    uint64_t number;
};

static int find_candidates(int target, struct candidate list[MOST_CANDIDATES])
{
    int n = 0;
    for (int square = 0; square < 64; square++) {
        for (int piece = 0; square != target && piece < 12; piece++) {
            const struct candidate c = {(int8_t)square, (int8_t)(piece % 6), (int8_t)(piece / 6)};
            const bool pawn_off = c.type == SEEBATCH_PAWN && (square < 8 || square >= 56);
            if (!pawn_off && piece_reaches(c.type, c.color, square, target))
                list[n++] = c;
        }
    }
    return n;
}

/* Adds the kings that are missing, so that the position is sound; false if there is no such square. */
static bool add_kings(seebatch_position *p, int target, uint64_t number)
{
    const uint64_t kings = seebatch_pieces_of_type(p, SEEBATCH_KING);
    const int n_white = kings & seebatch_pieces_of_color(p, SEEBATCH_WHITE) ? 1 : 64;
    const int n_black = kings & seebatch_pieces_of_color(p, SEEBATCH_BLACK) ? 1 : 64;
    const seebatch_position without = *p;
    const uint64_t taken = seebatch_occupied(p) | UINT64_C(1) << target;
    for (int i = 0; i < n_white * n_black; i++) {
        const int white = (int)((number * 37 + (uint64_t)(i / n_black)) % 64);
        const int black = (int)((number * 23 + 5 + (uint64_t)(i % n_black)) % 64);
        if ((n_white > 1 && taken >> white & 1) || (n_black > 1 && taken >> black & 1) ||
            (n_white > 1 && n_black > 1 && white == black))
            continue;
        *p = without;
        if (n_white > 1)
            seebatch_put_piece(p, white, SEEBATCH_KING, SEEBATCH_WHITE);
        if (n_black > 1)
            seebatch_put_piece(p, black, SEEBATCH_KING, SEEBATCH_BLACK);
        if (seebatch_position_check(p, NULL) == SEEBATCH_OK)
            return true;
    }
    return false;
}

/* A placement with a piece of the side not to move on the target; NO_PIECE: with none, EN_PASSANT: a pawn past it. */
static void try_victim(const struct placement *placed, int target, int stm, int victim, struct run *run)
{
    seebatch_position p = seebatch_position_empty(stm);
    for (int i = 0; i < placed->n; i++)
        seebatch_put_piece(&p, placed->piece[i]->square, placed->piece[i]->type, placed->piece[i]->color);
    if (victim == EN_PASSANT) {
        const int pawn = stm == SEEBATCH_WHITE ? target - 8 : target + 8;
        if (target / 8 != (stm == SEEBATCH_WHITE ? 5 : 2) || seebatch_occupied(&p) >> pawn & 1)
            return;
        seebatch_put_piece(&p, pawn, SEEBATCH_PAWN, !stm);
        p.ep_square = (uint8_t)target;
    } else {
        seebatch_put_piece(&p, target, victim, !stm);
    }
    if (!add_kings(&p, target, placed->number))
        return;
    seebatch_move moves[SEEBATCH_MAX_MOVES], wanted[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(&p, moves);
    size_t n_wanted = 0;
    for (size_t k = 0; k < n; k++)
        if (seebatch_to(moves[k]) == target)
            wanted[n_wanted++] = moves[k];
    compare_moves(run, &p, wanted, n_wanted);
}

static bool may_stand(const struct placement *placed)
{
    for (int a = 0; a < placed->n; a++) {
        for (int b = a + 1; b < placed->n; b++) {
            const struct candidate *x = placed->piece[a], *y = placed->piece[b];
            if (x->square == y->square ||
                (x->type == SEEBATCH_KING && y->type == SEEBATCH_KING && x->color == y->color))
                return false;
        }
    }
    return true;
}

static void try_placement(struct placement *placed, int target, struct run *run)
{
    if (!may_stand(placed) || !in_slice(run))
        return;
    placed->number = run->seen;
    for (int stm = SEEBATCH_WHITE; stm <= SEEBATCH_BLACK; stm++) {
        for (int victim = SEEBATCH_PAWN; victim <= SEEBATCH_NO_PIECE; victim++) {
            const bool pawn_off = victim == SEEBATCH_PAWN && (target < 8 || target >= 56);
            if (!pawn_off)
                try_victim(placed, target, stm, victim, run);
        }
    }
}

/* Up to three pieces around a target. */
static void around_target(struct run *run, int target)
{
    struct candidate list[MOST_CANDIDATES];
    const int n = find_candidates(target, list);
    for (int i = 0; i < n; i++) {
        struct placement placed = {{&list[i], NULL, NULL}, 1, 0};
        try_placement(&placed, target, run);
        for (int j = i + 1; j < n; j++) {
            placed.n = 2;
            placed.piece[1] = &list[j];
            try_placement(&placed, target, run);
            for (int k = j + 1; k < n; k++) {
                placed.n = 3;
                placed.piece[2] = &list[k];
                try_placement(&placed, target, run);
            }
        }
    }
}

/* ---- A piece alone ---------------------------------------------------------------------------------------------- */

/* One piece with a king each: every square of the piece and every legal move, the kings wherever that is sound. */
static void alone_on_board(struct run *run, int type, int color)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    for (int square = 0; square < 64; square++) {
        for (int kings = 0; kings < 64 * 64; kings++) {
            const int white = kings / 64, black = kings % 64;
            if (white == square || black == square || white == black || !in_slice(run))
                continue;
            seebatch_position p = seebatch_position_empty(color);
            seebatch_put_piece(&p, square, type, color);
            seebatch_put_piece(&p, white, SEEBATCH_KING, SEEBATCH_WHITE);
            seebatch_put_piece(&p, black, SEEBATCH_KING, SEEBATCH_BLACK);
            if (seebatch_position_check(&p, NULL) == SEEBATCH_OK)
                compare_moves(run, &p, moves, seebatch_legal_moves(&p, moves));
        }
    }
}

/* ---- All parts -------------------------------------------------------------------------------------------------- */

static void print_counts(const char *name, const struct run *run)
{
    printf("%-6s %10llu placements %10llu boards %11llu moves %12llu answers\n", name,
           (unsigned long long)run->placements, (unsigned long long)run->tally.boards,
           (unsigned long long)run->tally.cases, (unsigned long long)run->tally.answers);
    fflush(stdout);
}

/* Runs a part of its own and adds what it counted. */
static void run_part(struct run *all, const char *name)
{
    static const char pieces[] = "PNBRQpnbrq";
    struct run run = {.part = all->part, .of = all->of};
    if (name[1])
        around_target(&run, name[0] - 'a' + (name[1] - '1') * 8);
    else
        alone_on_board(&run, (int)(strchr(pieces, *name) - pieces) % 5, *name >= 'a');
    if (batch.n_positions > 0)
        compare_collected(&run);
    print_counts(name, &run);
    all->placements += run.placements;
    all->tally.boards += run.tally.boards;
    all->tally.cases += run.tally.cases;
    all->tally.answers += run.tally.answers;
}

int main(int argc, char **argv)
{
    static const char *const parts[] = {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4",
                                        "b4", "c4", "d4", "P",  "N",  "B",  "R",  "Q",  "p",  "n",  "b",  "r",  "q"};
    struct run all = {.of = 1};
    char rest;
    if (argc > 1 && (argc != 3 || strcmp(argv[1], "--slice") != 0 ||
                     sscanf(argv[2], "%u/%u%c", &all.part, &all.of, &rest) != 2 || all.part >= all.of)) {
        fprintf(stderr, "usage: seebatch_exhaustion [--slice I/N], I from 0 to N - 1\n");
        return 2;
    }
    if (!compare_init()) {
        fprintf(stderr, "seebatch_exhaustion: no memory for guarded arrays\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        run_part(&all, parts[i]);
    print_counts("all", &all);
    printf("equal: the oracle, the scalar code, and");
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++)
        printf(" %s%s", kernel->name, kernel->supported() ? "" : " (SKIPPED: this machine cannot run it)");
    printf("\n");
    return 0;
}
