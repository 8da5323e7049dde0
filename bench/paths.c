/*
 * Which path answers which calls, counted: for `seebatch_bench --paths` and the test `paths`.
 *
 * Each kernel gets calls of every shape under every rule set, of positions from real games, and a library that was
 * built with SEEBATCH_COUNT_PATHS counts which path answered how many of the queries (src/dispatch/path_counts.h). The
 * counts are the same on every machine that can run the kernel, so that a changed threshold between paths, which
 * changes no answer, changes a row of the table in docs/data/paths.tsv.
 */
#include "paths.h"

#ifdef SEEBATCH_COUNT_PATHS

#include "dispatch/kernel.h"
#include "dispatch/path_counts.h"

#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 240, MOST_MOVES = 64, MOST_RULES = 16, LINE = 256 };

static seebatch_position positions[POSITIONS];
static seebatch_move moves[POSITIONS][MOST_MOVES]; /* legal ones of each, again and again */

/* A shape of a call: so many positions, each with so many moves. (Those at the thresholds of moves a position have few
 * positions, so that no chunk ends within a position: a part of a position counts as a position there.) */
struct shape {
    const char *name;
    size_t n_positions, n_moves;
};

static const struct shape shapes[] = {
    {"1 move", 1, 1},
    {"2 moves", 1, 2},
    {"4 moves", 1, 4},
    {"5 moves", 1, 5},
    {"8 moves", 1, 8},
    {"9 moves", 1, 9},
    {"16 moves", 1, 16},
    {"30 moves", 1, 30},
    {"64 moves", 1, 64},
    {"2 positions, 1 move each", 2, 1},
    {"2 positions, 2 moves each", 2, 2},
    {"2 positions, 4 moves each", 2, 4},
    {"3 positions, 3 moves each", 3, 3},
    {"240 positions, 1 move each", POSITIONS, 1},
    {"240 positions, 3 moves each", POSITIONS, 3},
    {"24 positions, 10 moves each", 24, 10},
    {"24 positions, 11 moves each", 24, 11},
    {"24 positions, 12 moves each", 24, 12},
    {"240 positions, 30 moves each", POSITIONS, 30},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const char *const forms[] = {"values", "bits", "bits, with pins"};
enum { FORMS = sizeof forms / sizeof *forms };

#define SEE_PATH_TEXT(name, text) text,
static const char *const path_names[SEE_COUNTED_PATHS] = {SEE_PATHS(SEE_PATH_TEXT)};

/* Reads the positions from a file of FENs, evenly distributed over it; false if it has too few. */
static bool read_positions(const char *path)
{
    char line[LINE];
    size_t n = 0, number = 0;
    FILE *file = fopen(path, "r");
    while (file && n < POSITIONS && fgets(line, sizeof line, file)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        if (number++ % 100 != 0 ||
            seebatch_position_from_fen(line, strcspn(line, "\n"), &positions[n], NULL) != SEEBATCH_OK)
            continue;
        const size_t n_legal = seebatch_legal_moves(&positions[n], legal);
        if (n_legal == 0)
            continue;
        for (size_t k = 0; k < MOST_MOVES; k++)
            moves[n][k] = legal[k % n_legal];
        n++;
    }
    if (file)
        fclose(file);
    if (n < POSITIONS)
        fprintf(stderr, "paths: %s has %zu positions with legal moves on every hundredth line, expected %d\n", path, n,
                POSITIONS);
    return n == POSITIONS;
}

/* Calls a kernel until all positions have been asked about, so many at a time. */
static void call(const struct see_kernel *kernel, const seebatch_rules *rules, const struct shape *shape, int form)
{
    static seebatch_move given[POSITIONS * MOST_MOVES];
    static int16_t values[POSITIONS * MOST_MOVES];
    static uint64_t mask[SEEBATCH_MASK_WORDS(POSITIONS * MOST_MOVES)];
    static seebatch_pins pins[POSITIONS];
    size_t offsets[POSITIONS + 1] = {0};
    const int16_t threshold = 0;
    for (size_t first = 0; first + shape->n_positions <= POSITIONS; first += shape->n_positions) {
        for (size_t i = 0; i < shape->n_positions; i++) {
            seebatch_find_pins(rules, &positions[first + i], &pins[i]);
            memcpy(given + i * shape->n_moves, moves[first + i], shape->n_moves * sizeof *given);
            offsets[i + 1] = offsets[i] + shape->n_moves;
        }
        const seebatch_batch batch = {.positions = positions + first,
                                      .n_positions = shape->n_positions,
                                      .offsets = offsets,
                                      .moves = given,
                                      .pins = form == 2 ? pins : NULL};
        const struct see_answers answers = {form == 0 ? values : NULL, &threshold, 0, mask};
        see_kernel_answer(kernel, rules, &batch, SEE_FASTEST, &answers);
    }
}

/* The rule sets: those with names, and `legal` where a rook is worth more than a queen, so that the least valuable piece
 * is not proved the best. */
static size_t list_rules(seebatch_rules rules[MOST_RULES], const char *names[MOST_RULES])
{
    size_t n = 0;
    for (; n < MOST_RULES - 1 && (names[n] = seebatch_rules_name(n)) != NULL; n++)
        seebatch_rules_named(names[n], &rules[n], NULL);
    rules[n] = seebatch_rules_default();
    rules[n].value[SEEBATCH_ROOK] = 1100;
    names[n] = "legal, falling values";
    return n + 1;
}

/* The rows of a kernel, one for each path that a shape takes; notes which paths are reached. Returns whether every query
 * was answered by a path, once. */
static bool print_kernel(FILE *out, const char *name, const struct see_kernel *kernel, bool reached[SEE_COUNTED_PATHS])
{
    bool whole = true;
    seebatch_rules rules[MOST_RULES];
    const char *rule_names[MOST_RULES];
    const size_t n_rules = list_rules(rules, rule_names);
    for (int s = 0; s < SHAPES; s++)
        for (int form = 0; form < FORMS; form++) {
            uint64_t counts[MOST_RULES][2][SEE_COUNTED_PATHS];
            const uint64_t asked = POSITIONS / shapes[s].n_positions * shapes[s].n_positions * shapes[s].n_moves;
            for (size_t r = 0; r < n_rules; r++) {
                uint64_t answered = 0;
                memset(seebatch_path_counts, 0, sizeof seebatch_path_counts);
                call(kernel, &rules[r], &shapes[s], form);
                memcpy(counts[r], seebatch_path_counts, sizeof counts[r]);
                for (int p = 0; p < 2 * SEE_COUNTED_PATHS; p++)
                    answered += counts[r][p / SEE_COUNTED_PATHS][p % SEE_COUNTED_PATHS];
                if (answered != asked) {
                    fprintf(
                        stderr,
                        "paths: kernel %s, %s, %s, rules %s: the paths answered %llu queries, expected each of %llu "
                        "once\n",
                        name, shapes[s].name, forms[form], rule_names[r], (unsigned long long)answered,
                        (unsigned long long)asked);
                    whole = false;
                }
            }
            for (int p = 0; p < 2 * SEE_COUNTED_PATHS; p++) {
                const int eight = p / SEE_COUNTED_PATHS, path = p % SEE_COUNTED_PATHS;
                uint64_t sum = 0;
                for (size_t r = 0; r < n_rules; r++)
                    sum += counts[r][eight][path];
                if (sum == 0)
                    continue;
                reached[path] = true;
                fprintf(out, "%s\t%s\t%s\t%s\t%s", name, shapes[s].name, forms[form],
                        path == SEE_PATH_SCALAR ? "1"
                        : eight                 ? "8"
                                                : "4",
                        path_names[path]);
                for (size_t r = 0; r < n_rules; r++)
                    fprintf(out, "\t%llu", (unsigned long long)counts[r][eight][path]);
                fputc('\n', out);
            }
        }
    return whole;
}

static void print_head(FILE *out)
{
    seebatch_rules rules[MOST_RULES];
    const char *names[MOST_RULES];
    const size_t n = list_rules(rules, names);
    fputs("# Made by seebatch_bench --paths: how many queries each path answers, by rule set.\n"
          "kernel\tshape\tform\tlanes\tpath",
          out);
    for (size_t r = 0; r < n; r++)
        fprintf(out, "\t%s", names[r]);
    fputc('\n', out);
}

int print_paths(FILE *out, const char *path)
{
    bool whole = true, reached[SEE_COUNTED_PATHS] = {false}, best = false;
    if (!read_positions(path))
        return 1;
    print_head(out);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name != NULL; kernel++) {
        if (!kernel->supported()) {
            fprintf(stderr, "paths: skipped: this machine cannot run the kernel %s\n", kernel->name);
            continue;
        }
        best |= kernel->wide != NULL;
        whole &= print_kernel(out, kernel->name, kernel, reached);
        if (kernel->wide != NULL)
            whole &= print_kernel(out, "avx512-wide", kernel->wide, reached);
    }
    for (int p = 0; best && p < SEE_COUNTED_PATHS; p++)
        if (!reached[p]) {
            fprintf(stderr, "paths: no shape of a call reaches the path '%s'\n", path_names[p]);
            whole = false;
        }
    return whole ? 0 : 1;
}

#else

int print_paths(FILE *out, const char *path)
{
    (void)out;
    (void)path;
    fprintf(stderr, "paths: this library does not count its paths; build it with -DSEEBATCH_COUNT_PATHS=ON\n");
    return 2;
}

#endif
