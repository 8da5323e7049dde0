/*
 * Reads the command line, and the cases that it gives.
 */
#include "options.h"

#include "boards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char options_usage[] =
    "usage: seebatch_differential [OPTION ...]\n"
    "  --kernel NAME      what is tested: a kernel, header or oracle (default: every available kernel in turn)\n"
    "  --against NAME     what it is held against (default: scalar)\n"
    "  --rules NAME       one rule set, or NAME,FIELD=WORD...\n"
    "                     (default: all; every fourth round one of the combinations that have no name)\n"
    "  --values P,N,B,R,Q (default: a mix of tables)\n"
    "  --seed N           where to begin (default: 1)\n"
    "  --cases N          how many queries to compare (default: 1000000)\n"
    "  --seconds N        compare for so long instead\n"
    "  --lean             only the kernel's own two functions, and lists of one position with a fifth of the cases; "
    "but\n"
    "                     with 16 value tables a board: ten times the cases\n"
    "  --force-lanes      always force lanes (default: a third of the calls, and attack tables in\n"
    "                     another)\n"
    "  --fen FEN --move UCI   this case alone, in every lane; repeated, a batch of several\n";

static bool bad(const char *option, const char *given, const char *expected)
{
    fprintf(stderr, "seebatch_differential: %s %s: expected %s\n", option, given, expected);
    return false;
}

static bool read_values(const char *text, int16_t value[5])
{
    const char *at = text;
    for (int type = 0; type < 5; type++) {
        char *end;
        const long number = strtol(at, &end, 10);
        if (end == at || *end != (type < 4 ? ',' : '\0') || number < 0 || number > SEEBATCH_MAX_PIECE_VALUE)
            return bad("--values", text, "P,N,B,R,Q, each 0 to 3000");
        value[type] = (int16_t)number;
        at = end + 1;
    }
    return true;
}

/* An option with a value: its text is kept, or the number that it is. */
static bool read_option(struct options *options, const char *option, const char *text)
{
    const struct {
        const char *option;
        const char **text;
        uint64_t *number;
    } known[] = {{"--kernel", &options->kernel, NULL},
                 {"--against", &options->against, NULL},
                 {"--rules", &options->rules, NULL},
                 {"--values", &options->values, NULL},
                 {"--seed", NULL, &options->seed},
                 {"--cases", NULL, &options->cases},
                 {"--seconds", NULL, &options->seconds},
                 {"--fen", &options->fen[options->n_fens], NULL},
                 {"--move", &options->move[options->n_moves], NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *end;
        if (strcmp(option, known[i].option) != 0)
            continue;
        if (known[i].text) {
            *known[i].text = text;
            return true;
        }
        errno = 0;
        *known[i].number = strtoull(text, &end, 0);
        return (*text >= '0' && *text <= '9' && !*end && errno == 0) ||
               bad(option, text, "a number from 0 to 2^64 - 1");
    }
    fprintf(stderr, "seebatch_differential: unknown option %s\n%s", option, options_usage);
    return false;
}

bool options_read(struct options *options, int argc, char **argv)
{
    *options = (struct options){.against = "scalar", .seed = 1, .cases = 1000000};
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--help") == 0)
            options->help = true;
        else if (strcmp(option, "--force-lanes") == 0)
            options->force_lanes = true;
        else if (strcmp(option, "--lean") == 0)
            options->lean = true;
        else if (i + 1 == argc)
            return bad(option, "(nothing)", "a value behind it, or --help");
        else if (!read_option(options, option, argv[++i]))
            return false;
        options->n_fens += strcmp(option, "--fen") == 0;
        options->n_moves += strcmp(option, "--move") == 0;
        if (options->n_fens == MAX_PAIRS || options->n_moves == MAX_PAIRS)
            return bad(option, argv[i], "fewer of them");
    }
    if (options->n_fens != options->n_moves)
        return bad("--fen and --move", "(one without the other)", "as many of one as of the other");
    return !options->values || read_values(options->values, options->value);
}

/* ---- Cases ------------------------------------------------------------------------------------------------------ */

/* A move that is legal or, under rules that ignore pins, pseudo-legal; whatever side it is of. */
static bool read_move(const char *const *rules_names, size_t n_rules, const seebatch_position *position,
                      const char *uci, seebatch_move *move, seebatch_error *error)
{
    seebatch_move moves[2 * SEEBATCH_MAX_MOVES];
    bool allowed = false;
    if (seebatch_move_from_uci(position, uci, strlen(uci), move, error) == SEEBATCH_OK)
        return true;
    for (size_t n = pseudo_legal_moves(position, moves); n > 0 && !allowed; n--) {
        char text[6];
        *move = moves[n - 1];
        seebatch_move_to_uci(*move, text);
        allowed = strcmp(text, uci) == 0;
    }
    for (size_t i = 0; i < n_rules && allowed; i++) {
        seebatch_rules rules;
        allowed =
            seebatch_rules_named(rules_names[i], &rules, error) == SEEBATCH_OK && is_allowed(&rules, position, *move);
    }
    return allowed;
}

bool cases_read(const struct options *options, const char *const *rules_names, size_t n_rules, struct batch *batch)
{
    batch_clear(batch);
    for (size_t i = 0; i < options->n_fens; i++) {
        seebatch_position position;
        seebatch_move move;
        seebatch_error error;
        const char *fen = options->fen[i], *uci = options->move[i];
        if (seebatch_position_from_fen(fen, strlen(fen), &position, &error) != SEEBATCH_OK ||
            !read_move(rules_names, n_rules, &position, uci, &move, &error)) {
            fprintf(stderr, "seebatch_differential: --fen '%s' --move %s: %s\n", fen, uci, error.text);
            return false;
        }
        batch_add_query(batch, &position, move);
    }
    return true;
}
