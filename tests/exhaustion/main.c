/*
 * Exhaustion: small boards, all of them. Where the differential harness draws from what is too much to be tried, this
 * program tries everything of a size: each placement of up to three attackers around a square (around.c), and each move
 * of a single piece (alone.c), under every rule set, by the oracle, by the scalar code and by every kernel of this
 * machine.
 *
 *     seebatch_exhaustion                  all of it, a line for each part as it is done
 *     seebatch_exhaustion --part d4        the placements around one square, or, by its letter (N), one piece alone
 *     seebatch_exhaustion --slice 3/100    every hundredth placement, from the third on
 *
 * By turning the board and swapping colours each square becomes one from a1 to d4, so these are tried; --every-square
 * tries all. It ends with 1 at the first difference.
 */
#include "exhaustion.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: seebatch_exhaustion [--part SQUARE|P|N|B|R|Q|p|n|b|r|q] [--slice I/N] [--every-square]\n";

static void print_counts(const char *name, const struct counts *counts)
{
    printf("%-6s %10llu placements %10llu boards %11llu moves %12llu values by oracle and scalar %12llu by kernels\n",
           name, (unsigned long long)counts->placements, (unsigned long long)counts->boards,
           (unsigned long long)counts->moves, (unsigned long long)counts->oracle_values,
           (unsigned long long)counts->kernel_values);
    fflush(stdout);
}

static void add(struct counts *all, const struct counts *part)
{
    all->placements += part->placements;
    all->boards += part->boards;
    all->moves += part->moves;
    all->oracle_values += part->oracle_values;
    all->kernel_values += part->kernel_values;
}

static bool read_slice(const char *text, struct slice *slice)
{
    char *end;
    errno = 0;
    slice->part = strtoull(text, &end, 10);
    if (end == text || *end != '/')
        return false;
    const char *of = end + 1;
    slice->of = strtoull(of, &end, 10);
    return *of >= '1' && *of <= '9' && !*end && errno == 0 && slice->part < slice->of;
}

static bool is_wanted(const char *part, const char *name) { return part == NULL || strcmp(part, name) == 0; }

/* Runs the parts that are wanted; how many there were. */
static int run(const char *part, const struct slice *slice, bool every_square, struct counts *all)
{
    int parts = 0;
    for (int target = 0; target < 64; target++) {
        const char name[3] = {(char)('a' + target % 8), (char)('1' + target / 8), '\0'};
        const bool new_one = every_square || part != NULL || (target % 8 < 4 && target / 8 < 4);
        if (!new_one || !is_wanted(part, name))
            continue;
        struct counts counts = {0, 0, 0, 0, 0};
        struct slice its = *slice;
        around_target(target, &its, &counts);
        print_counts(name, &counts);
        add(all, &counts);
        parts++;
    }
    for (int piece = 0; piece < 10; piece++) {
        const char name[2] = {"PNBRQpnbrq"[piece], '\0'};
        if (!is_wanted(part, name))
            continue;
        struct counts counts = {0, 0, 0, 0, 0};
        struct slice its = *slice;
        alone_on_board(piece % 5, piece / 5, &its, &counts);
        print_counts(name, &counts);
        add(all, &counts);
        parts++;
    }
    return parts;
}

int main(int argc, char **argv)
{
    const char *part = NULL;
    bool every_square = false;
    struct slice slice = {0, 1, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--every-square") == 0) {
            every_square = true;
        } else if (strcmp(argv[i], "--part") == 0 && i + 1 < argc) {
            part = argv[++i];
        } else if (strcmp(argv[i], "--slice") != 0 || i + 1 == argc || !read_slice(argv[++i], &slice)) {
            fprintf(stderr, "seebatch_exhaustion: %s: no such option, or not as expected (I/N: I from 0 to N - 1)\n%s",
                    argv[i], usage);
            return 2;
        }
    }
    const char *kernels = compare_kernels();
    struct counts all = {0, 0, 0, 0, 0};
    if (run(part, &slice, every_square, &all) == 0) {
        fprintf(stderr,
                "seebatch_exhaustion: --part %s: expected a square, a1 to h8, or a piece, one of PNBRQpnbrq\n%s", part,
                usage);
        return 2;
    }
    print_counts("all", &all);
    printf("equal: the oracle, the scalar code, and %s\n", kernels);
    return 0;
}
