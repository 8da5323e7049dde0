/*
 * Reads the command line.
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_usage[] =
    "usage: seebatch_differential [OPTION ...]\n"
    "  --kernel NAME      what is tested: a kernel, header or oracle (default: every available kernel in turn)\n"
    "  --against NAME     what it is held against (default: scalar)\n"
    "  --rules NAME       one rule set, or P-Q-R-E-C-A: pins, promotions, promotion, en passant, castling, replies en\n"
    "                     passant, each by its number\n"
    "                     (default: all; every fourth round one of the combinations that have no name)\n"
    "  --values TABLE     P,N,B,R,Q or random or default (default: a mix of tables)\n"
    "  --boards KIND      real, random, pathological, mix or a file of FENs (default: mix)\n"
    "  --data DIR         where games.fen and random.fen are (default: in the sources)\n"
    "  --seed N           where to begin (default: 1)\n"
    "  --cases N          how many requests to compare (default: 1000000)\n"
    "  --seconds S        compare for so long instead\n"
    "  --lean             only the kernel's own two functions, and lists of one position with a fifth of the cases; "
    "but\n"
    "                     with 16 value tables a board: ten times the cases\n"
    "  --force-lanes      always force lanes (default: a third of the calls, and maps in another)\n"
    "  --shrink, --no-shrink  make what fails smaller, or not (default: do)\n"
    "  --fen FEN --move UCI   this case alone, in every lane; repeated, a batch of several\n";

bool read_rules(const char *name, seebatch_rules *rules, seebatch_error *error)
{
    if (seebatch_rules_named(name, rules, error) == SEEBATCH_OK)
        return true;
    unsigned field[6];
    int length = 0;
    if (sscanf(name, "%1u-%1u-%1u-%1u-%1u-%1u%n", &field[0], &field[1], &field[2], &field[3], &field[4], &field[5],
               &length) != 6 ||
        name[length])
        return false;
    *rules = rules_of_fields(field);
    return seebatch_rules_check(rules, error) == SEEBATCH_OK;
}

static bool bad(const char *option, const char *given, const char *expected)
{
    fprintf(stderr, "seebatch_differential: %s %s: expected %s\n", option, given, expected);
    return false;
}

static bool read_count(const char *option, const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return (*text >= '0' && *text <= '9' && !*end && errno == 0) || bad(option, text, "a number from 0 to 2^64 - 1");
}

static bool read_values(struct options *options)
{
    const char *text = options->values;
    if (strcmp(text, "default") == 0 || strcmp(text, "random") == 0)
        return true;
    options->fixed_values = true;
    for (int type = 0; type < 5; type++) {
        char *end;
        long value = strtol(text, &end, 10);
        if (end == text || *end != (type < 4 ? ',' : '\0') || value < 0 || value > SEEBATCH_MAX_PIECE_VALUE)
            return bad("--values", options->values, "P,N,B,R,Q, each 0 to 3000, or random or default");
        options->value[type] = (int16_t)value;
        text = end + 1;
    }
    return true;
}

static bool read_seconds(struct options *options, const char *text)
{
    char *end;
    options->seconds = strtod(text, &end);
    return (end != text && !*end && options->seconds > 0) || bad("--seconds", text, "a number above 0");
}

static bool read_pair(const char *option, const char *text, const char **list, size_t *n)
{
    if (*n == MAX_PAIRS)
        return bad(option, text, "no more than 1024 of them");
    list[(*n)++] = text;
    return true;
}

/* An option with a value. */
static bool read_option(struct options *options, const char *option, const char *text)
{
    struct {
        const char *option;
        const char **place;
    } texts[] = {{"--kernel", &options->kernel}, {"--against", &options->against}, {"--rules", &options->rules},
                 {"--values", &options->values}, {"--boards", &options->boards},   {"--data", &options->data}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(option, texts[i].option) == 0) {
            *texts[i].place = text;
            return texts[i].place != &options->values || read_values(options);
        }
    }
    if (strcmp(option, "--seed") == 0)
        return read_count(option, text, &options->seed);
    if (strcmp(option, "--cases") == 0)
        return read_count(option, text, &options->cases);
    if (strcmp(option, "--seconds") == 0)
        return read_seconds(options, text);
    if (strcmp(option, "--fen") == 0)
        return read_pair(option, text, options->fen, &options->n_fens);
    if (strcmp(option, "--move") == 0)
        return read_pair(option, text, options->move, &options->n_moves);
    fprintf(stderr, "seebatch_differential: unknown option %s\n%s", option, options_usage);
    return false;
}

bool options_read(struct options *options, int argc, char **argv, bool *help)
{
    memset(options, 0, sizeof *options);
    options->against = "scalar";
    options->boards = "mix";
    options->seed = 1;
    options->cases = 1000000;
    options->force = FORCE_ALTERNATE;
    options->shrink = true;
    *help = false;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--help") == 0)
            return *help = true;
        if (strcmp(option, "--force-lanes") == 0)
            options->force = FORCE_ALWAYS;
        else if (strcmp(option, "--lean") == 0)
            options->lean = true;
        else if (strcmp(option, "--shrink") == 0 || strcmp(option, "--no-shrink") == 0)
            options->shrink = option[2] == 's';
        else if (i + 1 == argc)
            return bad(option, "(nothing)", "a value behind it, or --help");
        else if (!read_option(options, option, argv[++i]))
            return false;
    }
    if (options->n_fens != options->n_moves)
        return bad("--fen and --move", "(one without the other)", "as many of one as of the other");
    return true;
}
