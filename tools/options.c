/*
 * The options that commands share: one table says what each is called and who reads it, so that --rules, --values and
 * the others mean the same, and fail in the same words, in every command.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "endings.h"
#include "tool.h"

/* ---- Reading of single values ----------------------------------------------------------------------------------- */

enum { MOST_EXAMPLES = 1000000, MOST_NODES = 1000000000 };

bool options_integer(const char *first, const char *end, long low, long high, long *result)
{
    bool negative = first < end && *first == '-';
    const char *digit = first + negative;
    if (digit == end)
        return false;
    long value = 0;
    for (; digit < end; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        value = value * 10 + (*digit - '0');
        if (value > MOST_NODES)
            return false; /* outside every range asked for, and far from overflow */
    }
    *result = negative ? -value : value;
    return low <= *result && *result <= high;
}

static void read_rules(const char *command, const char *name, struct options *options)
{
    seebatch_error error;
    if (seebatch_rules_named(name, &options->rules, &error) != SEEBATCH_OK)
        usage_error(command, "--rules: %s", error.text);
    options->rules_name = name;
}

/* The command knows more names than the library does, and reads them itself. */
static void read_compared(const char *command, const char *name, struct options *options)
{
    if (options->n_compared == 2)
        usage_error(command, "--rules: '%s' is a third name, expected two", name);
    options->compared[options->n_compared++] = name;
}

static void read_count(const char *command, const char *option, const char *text, long low, long high, long *result)
{
    if (!options_integer(text, text + strlen(text), low, high, result))
        usage_error(command, "%s: '%s' is not an integer from %ld to %ld", option, text, low, high);
}

/* --values is applied after all options are read: --rules may follow it. */
static void read_values(const char *command, const char *text, struct options *options)
{
    int16_t value[5];
    const char *first = text;
    size_t n = 0;
    for (bool more = true; more; n++) {
        const char *end = first + strcspn(first, ",");
        long number;
        if (n < 5) {
            if (!options_integer(first, end, 0, SEEBATCH_MAX_PIECE_VALUE, &number))
                usage_error(command, "--values: '%.*s' in '%s' is not an integer from 0 to %d", (int)(end - first),
                            first, text, SEEBATCH_MAX_PIECE_VALUE);
            value[n] = (int16_t)number;
        }
        more = *end == ',';
        first = end + more;
    }
    if (n != 5)
        usage_error(command, "--values: '%s' has %zu numbers, expected five: pawn, knight, bishop, rook, queen", text,
                    n);
    memcpy(options->rules.value, value, sizeof value);
}

static void read_threshold(const char *command, const char *text, struct options *options)
{
    long number;
    if (!options_integer(text, text + strlen(text), INT16_MIN, INT16_MAX, &number))
        usage_error(command, "--threshold: '%s' is not an integer from %d to %d", text, INT16_MIN, INT16_MAX);
    options->has_threshold = true;
    options->threshold = (int16_t)number;
}

const char *options_format_name(const char *command, const char *option, const char *name)
{
    seebatch_file_format format;
    char list[256] = "";
    if (seebatch_format_named(name, &format))
        return name;
    for (size_t i = 0; seebatch_format_at(i, &format); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", format.name);
    usage_error(command, "%s: there is no format '%s', expected one of %s", option, name, list);
}

static void read_moves(const char *command, const char *text, struct options *options)
{
    options->has_moves = true;
    options->all_moves = strcmp(text, "all") == 0;
    if (!options->all_moves && strcmp(text, "captures") != 0)
        usage_error(command, "--moves: '%s' is neither captures nor all", text);
}

static const char *const format_names[] = {
    [FORMAT_TSV] = "tsv", [FORMAT_JSON] = "json", [FORMAT_TEXT] = "text", [FORMAT_BOARD] = "board"};

static void read_notation(const char *command, const char *text, struct options *options)
{
    options->notation = strcmp(text, "san") == 0 ? NOTATION_SAN : NOTATION_UCI;
    if (options->notation == NOTATION_UCI && strcmp(text, "uci") != 0)
        usage_error(command, "--notation: '%s' is neither uci nor san", text);
}

/* plain: the format without --format. tsv: TSV is there too. */
static void read_format(const char *command, const char *text, enum format plain, bool tsv, struct options *options)
{
    if (strcmp(text, "json") == 0)
        options->format = FORMAT_JSON;
    else if (strcmp(text, format_names[plain]) == 0)
        options->format = plain;
    else if (tsv && strcmp(text, "tsv") == 0)
        options->format = FORMAT_TSV;
    else
        usage_error(command, "--format: '%s' is neither %s%s nor json", text, format_names[plain], tsv ? ", tsv" : "");
}

/* ---- The command line ------------------------------------------------------------------------------------------- */

enum { OPTION_HELP = 1 << 16, MOST_MORE = 32 };

static const struct option all_options[] = {
    {"rules", required_argument, NULL, OPTION_RULES},       {"values", required_argument, NULL, OPTION_VALUES},
    {"kernel", required_argument, NULL, OPTION_KERNEL},     {"format", required_argument, NULL, OPTION_FORMAT},
    {"moves", required_argument, NULL, OPTION_MOVES},       {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"fen", required_argument, NULL, OPTION_FEN},           {"rules", required_argument, NULL, OPTION_TWO_RULES},
    {"examples", required_argument, NULL, OPTION_EXAMPLES}, {"nodes", required_argument, NULL, OPTION_NODES},
    {"notation", required_argument, NULL, OPTION_NOTATION}, {"trace", no_argument, NULL, OPTION_TRACE},
    {"from", required_argument, NULL, OPTION_FROM},         {"help", no_argument, NULL, OPTION_HELP},
};
enum { N_OPTIONS = sizeof all_options / sizeof all_options[0] };

static void set_defaults(struct options *options, enum format format)
{
    memset(options, 0, sizeof *options);
    options->format = format;
    options->rules = seebatch_rules_default();
    options->rules_name = "default";
    options->examples = 3;
    options->nodes = 10000000;
    for (size_t i = 0; seebatch_rules_name(i) != NULL; i++) {
        seebatch_rules named;
        if (seebatch_rules_named(seebatch_rules_name(i), &named, NULL) == SEEBATCH_OK &&
            memcmp(&named, &options->rules, sizeof named) == 0)
            options->rules_name = seebatch_rules_name(i);
    }
}

/* Before anything is evaluated, because the library can only abort where SEEBATCH_KERNEL is wrong. */
static void choose_kernel(const char *command, const char *name)
{
    if (name != NULL && name[0] == '\0')
        usage_error(command, "--kernel: the name is empty, expected one that 'seebatch info' lists");
    seebatch_error error;
    if (seebatch_kernel_use(name, &error) != SEEBATCH_OK)
        usage_error(command, "%s%s", name != NULL ? "--kernel: " : "", error.text);
}

static void check_rules(const char *command, const struct options *options)
{
    seebatch_error error;
    if (seebatch_rules_check(&options->rules, &error) != SEEBATCH_OK)
        usage_error(command, "rules %s: %s", options->rules_name, error.text);
}

/* Ends the program if an option that counts once was given before. */
static void check_once(const char *command, const struct option *option, bool *before, const struct more_options *more)
{
    bool several = option->val == OPTION_TWO_RULES || option->has_arg == no_argument;
    for (int i = 0; more != NULL && more->several[i] != 0; i++)
        several |= option->val == more->several[i];
    if (*before && !several)
        usage_error(command, "--%s was given twice, expected it once", option->name);
    *before = true;
}

/* The options that have a letter besides their name, where the command has them. */
static const struct {
    char letter;
    const char *name;
} letters[] = {{'o', "output"}, {'j', "threads"}};
enum { N_LETTERS = sizeof letters / sizeof letters[0] };

/* Where an option stands in a list that ends with no name; -1 if it is not there. */
static int find_option(const struct option *list, const char *name)
{
    for (int i = 0; list[i].name != NULL; i++)
        if (strcmp(list[i].name, name) == 0)
            return i;
    return -1;
}

/* The letters as getopt_long() wants them. */
static const char *short_options(const struct option *accepted)
{
    static char text[2 + 2 * N_LETTERS];
    size_t used = 0;
    text[used++] = 'h';
    for (int i = 0; i < N_LETTERS; i++) {
        if (find_option(accepted, letters[i].name) < 0)
            continue;
        text[used++] = letters[i].letter;
        text[used++] = ':';
    }
    text[used] = '\0';
    return text;
}

/* What getopt_long() found, as the option that a letter stands for. */
static int long_of_short(const struct option *accepted, int found, int *index)
{
    for (int i = 0; i < N_LETTERS; i++) {
        if (found != letters[i].letter)
            continue;
        *index = find_option(accepted, letters[i].name);
        return accepted[*index].val;
    }
    return found;
}

void options_parse(int argc, char **argv, unsigned accepted, const char *help, enum format format,
                   struct options *options)
{
    options_parse_more(argc, argv, accepted, NULL, help, format, options);
}

void options_parse_more(int argc, char **argv, unsigned accepted, const struct more_options *more, const char *help,
                        enum format format, struct options *options)
{
    const char *command = argv[0];
    struct option accepted_options[N_OPTIONS + MOST_MORE + 1] = {{0}};
    int n = 0;
    for (int i = 0; i < N_OPTIONS; i++)
        if ((unsigned)all_options[i].val & (accepted | OPTION_HELP))
            accepted_options[n++] = all_options[i];
    for (int i = 0; more != NULL && i < more->n; i++)
        accepted_options[n++] = more->list[i];

    set_defaults(options, format);
    const char *values = NULL;
    const bool tsv = format == FORMAT_BOARD || accepted & OPTION_TSV_TOO;
    bool given[N_OPTIONS + MOST_MORE] = {false};
    int found, index = -1;
    while ((found = getopt_long(argc, argv, short_options(accepted_options), accepted_options, &index)) != -1) {
        found = long_of_short(accepted_options, found, &index);
        if (index >= 0)
            check_once(command, &accepted_options[index], &given[index], more);
        index = -1;
        switch (found) {
        case OPTION_RULES: read_rules(command, optarg, options); break;
        case OPTION_VALUES: values = optarg; break;
        case OPTION_KERNEL: options->kernel = optarg; break;
        case OPTION_FORMAT: read_format(command, optarg, format, tsv, options); break;
        case OPTION_MOVES: read_moves(command, optarg, options); break;
        case OPTION_THRESHOLD: read_threshold(command, optarg, options); break;
        case OPTION_FEN: options->fen = optarg; break;
        case OPTION_TWO_RULES: read_compared(command, optarg, options); break;
        case OPTION_EXAMPLES: read_count(command, "--examples", optarg, 0, MOST_EXAMPLES, &options->examples); break;
        case OPTION_NODES: read_count(command, "--nodes", optarg, 1, MOST_NODES, &options->nodes); break;
        case OPTION_NOTATION: read_notation(command, optarg, options); break;
        case OPTION_TRACE: options->trace = true; break;
        case OPTION_FROM: options->from = options_format_name(command, "--from", optarg); break;
        case OPTION_HELP:
        case 'h': output_whole(help); exit(STATUS_OK);
        default:
            if (found >= OPTION_MORE) {
                more->take(command, found, optarg, more->state);
                break;
            }
            /* getopt_long has said what is wrong */
            fprintf(stderr, "Try '%s --help'.\n", command);
            exit(STATUS_USAGE);
        }
    }
    if (values != NULL)
        read_values(command, values, options);
    if (accepted & OPTION_RULES)
        check_rules(command, options);
    choose_kernel(command, options->kernel);
    options->n_operands = argc - optind;
    options->operands = argv + optind;
}

void options_standard_input(struct options *options)
{
    static char name[] = "-";
    static char *standard_input[] = {name};
    if (options->n_operands > 0)
        return;
    options->operands = standard_input;
    options->n_operands = 1;
}

void options_check_names(const char *command, const struct options *options)
{
    for (int i = 0; i < options->n_operands && options->format == FORMAT_JSON; i++)
        if (!is_utf8(options->operands[i], strlen(options->operands[i])))
            usage_error(command,
                        "%s: the name of the file is not valid UTF-8, as JSON needs; expected UTF-8, or another "
                        "--format",
                        options->operands[i]);
}

void options_read_input(const char *command, struct options *options)
{
    options_standard_input(options);
    for (int i = 0; i < options->n_operands; i++) {
        const char *name = options->operands[i], *unknown = unknown_compression(name);
        if (unknown != NULL)
            usage_error(command, "%s: files that end with %s cannot be decompressed, expected .gz, .zst or none", name,
                        unknown);
        if (options->from == NULL && says_only_binary(name))
            usage_error(command,
                        "%s: files with this ending are marlinformat, bulletformat, viriformat and others, expected "
                        "the one that it is, from --from or another ending",
                        name);
    }
    inputs_check(command, options->operands, options->n_operands, true);
}
