/*
 * Exhaustion: small boards, all of them. Where the differential harness draws from what is too much to be tried, this
 * program tries everything of a size: each placement of up to three attackers around a square (around.c), and each move
 * of a single piece on a board with the kings, under every rule set, by the oracle, by the scalar code and by every
 * kernel of this machine, in each of its ways. The comparison is that of the differential harness.
 *
 *     seebatch_exhaustion                  all of it, a line for each part as it is done
 *     seebatch_exhaustion --part d4        the placements around one square, or, by its letter (N), one piece alone
 *     seebatch_exhaustion --slice 3/100    every hundredth placement, from the third on
 *
 * By turning the board and swapping colours each square becomes one from a1 to d4, so these are tried. It ends with 1
 * at the first difference.
 */
#include "exhaustion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: seebatch_exhaustion [--part SQUARE|P|N|B|R|Q|p|n|b|r|q] [--slice I/N]\n";

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
            check(tally, rules, (struct implementation){kernel->name, kernel}, scalar, FORMS_WAYS);
}

/* Under every rule set that has a name, and in turn under one of those that have none. */
static void compare_collected(struct run *run)
{
    static struct named_rules every[EVERY_RULES];
    const size_t with_name = list_every_rules(every);
    for (size_t i = 0; i < with_name; i++)
        check_rules(&run->tally, &every[i]);
    check_rules(&run->tally, &every[with_name + run->tally.rounds++ % (EVERY_RULES - with_name)]);
    batch_clear(&batch);
}

void compare_moves(struct run *run, const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    if (n == 0)
        return;
    if (batch.n_positions == MAX_POSITIONS || batch_count(&batch) + n > MAX_REQUESTS)
        compare_collected(run);
    batch_add_position(&batch, position);
    for (size_t i = 0; i < n; i++)
        batch_add_move(&batch, moves[i]);
    run->tally.boards++;
    run->tally.cases += n;
}

/* ---- The parts -------------------------------------------------------------------------------------------------- */

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

static bool read_slice(const char *text, struct run *run)
{
    char *end;
    errno = 0;
    run->part = strtoull(text, &end, 10);
    if (end == text || *end != '/')
        return false;
    const char *of = end + 1;
    run->of = strtoull(of, &end, 10);
    return *of >= '1' && *of <= '9' && !*end && errno == 0 && run->part < run->of;
}

static bool is_part(const char *name)
{
    const bool square = *name >= 'a' && *name <= 'h' && name[1] >= '1' && name[1] <= '8' && !name[2];
    return square || (*name && strchr("PNBRQpnbrq", *name) && !name[1]);
}

int main(int argc, char **argv)
{
    static const char *const parts[] = {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4",
                                        "b4", "c4", "d4", "P",  "N",  "B",  "R",  "Q",  "p",  "n",  "b",  "r",  "q"};
    const char *part = NULL;
    struct run all = {.of = 1};
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--part") == 0 && is_part(value)) {
            part = value;
        } else if (strcmp(argv[i], "--slice") != 0 || !read_slice(value, &all)) {
            fprintf(stderr, "seebatch_exhaustion: %s %s: expected a square, a piece, or I/N with I from 0 to N - 1\n%s",
                    argv[i], value, usage);
            return 2;
        }
    }
    if (!compare_init()) {
        fprintf(stderr, "seebatch_exhaustion: no memory for guarded arrays\n");
        return 2;
    }
    for (size_t i = 0; i < (part ? 1 : sizeof parts / sizeof *parts); i++)
        run_part(&all, part ? part : parts[i]);
    print_counts("all", &all);
    printf("equal: the oracle, the scalar code, and");
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++)
        printf(" %s%s", kernel->name, kernel->supported() ? "" : " (SKIPPED: this machine cannot run it)");
    printf("\n");
    return 0;
}
