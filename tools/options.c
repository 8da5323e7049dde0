/*
 * Reads the command line of a command as the rows of its options say, and what the shared ones mean: --rules, --values
 * and the others mean the same, and fail in the same words, in every command.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/file_extension.h"
#include "nearest.h"
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

uint64_t options_seed(const char *command, const char *text)
{
    uint64_t seed = 0;
    bool good = *text != '\0';
    for (const char *digit = text; good && *digit != '\0'; digit++) {
        const unsigned value = (unsigned)*digit - '0';
        good = value < 10 && seed <= (UINT64_MAX - value) / 10;
        seed = 10 * seed + value;
    }
    if (!good)
        usage_error(command, "--seed: '%s' is not an integer from 0 to %" PRIu64, text, UINT64_MAX);
    return seed;
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
        usage_error(command, "--rules: '%s' is a third rule set, expected two", name);
    options->compared[options->n_compared++] = name;
}

static void read_count(const char *command, const char *option, const char *text, long low, long high, long *result)
{
    if (!options_integer(text, text + strlen(text), low, high, result))
        usage_error(command, "%s: '%s' is not an integer from %ld to %ld", option, text, low, high);
}

void options_values(const char *command, const char *option, const char *text, int16_t value[5])
{
    const char *first = text;
    size_t n = 0;
    for (bool more = true; more; n++) {
        const char *end = first + strcspn(first, ",");
        long number;
        if (n < 5) {
            if (!options_integer(first, end, 0, SEEBATCH_MAX_PIECE_VALUE, &number))
                usage_error(command, "%s: '%.*s' in '%s' is not an integer from 0 to %d", option, (int)(end - first),
                            first, text, SEEBATCH_MAX_PIECE_VALUE);
            value[n] = (int16_t)number;
        }
        more = *end == ',';
        first = end + more;
    }
    if (n != 5)
        usage_error(command, "%s: '%s' has %zu numbers, expected five: pawn, knight, bishop, rook, queen", option, text,
                    n);
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

/* Which of the words of an option's argument (a|b|c) the text is, from 0. */
static int read_word(const char *command, const struct option_row *row, const char *text)
{
    char known[128] = "";
    int n = 0;
    for (const char *word = row->argument; *word != '\0'; n++) {
        const size_t length = strcspn(word, "|");
        const bool is_last = word[length] == '\0';
        if (strlen(text) == length && memcmp(text, word, length) == 0)
            return n;
        const char *separator = n == 0 ? "" : is_last ? " nor " : ", ";
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.*s", separator, (int)length, word);
        word += length + !is_last;
    }
    usage_error(command, "--%s: '%s' is neither %s", row->name, text, known);
}

static void read_format(const char *command, const struct option_row *row, const char *text, struct options *options)
{
    static const char *const names[] = {[FORMAT_TSV] = "tsv",
                                        [FORMAT_JSON] = "json",
                                        [FORMAT_TEXT] = "text",
                                        [FORMAT_BOARD] = "board",
                                        [FORMAT_REPORT] = "report"};
    const size_t length = strcspn(text, "|");
    if (text != row->argument)
        read_word(command, row, text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            options->format = (enum format)i;
}

/* ---- The command line ------------------------------------------------------------------------------------------- */

enum { MOST_OPTIONS = 48 };

/* The options of a command as its rows say, and as getopt_long() wants them. */
struct accepted {
    const struct option_row *rows[MOST_OPTIONS + 1];
    struct option list[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 1];
    bool given[MOST_OPTIONS];
    int n;
};

static void accept_option(struct accepted *accepted, const struct option_row *row)
{
    const char letter = (char)(row->marks & LETTER);
    const int has_argument = row->argument != NULL ? required_argument : no_argument;
    accepted->rows[accepted->n] = row;
    accepted->list[accepted->n++] = (struct option){row->name, has_argument, NULL, row->val};
    if (letter != '\0')
        strcat(strncat(accepted->letters, &letter, 1), row->argument != NULL ? ":" : "");
}

static void accept_options(struct accepted *accepted, const struct command *command)
{
    static const struct option_row help = SHARED("help");
    memset(accepted, 0, sizeof *accepted);
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        if (row->val != OPTION_GROUP)
            accept_option(accepted, option_row_of(row));
    accept_option(accepted, option_row_of(&help));
}

/* Returns the row of what getopt_long() found, or NULL if that is not known. */
static const struct option_row *row_found(const struct accepted *accepted, int found)
{
    for (int i = 0; i < accepted->n; i++)
        if (found == accepted->rows[i]->val || found == (accepted->rows[i]->marks & LETTER))
            return accepted->rows[i];
    return NULL;
}

static void set_defaults(struct options *options)
{
    memset(options, 0, sizeof *options);
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
static void check_once(const char *command, struct accepted *accepted, const struct option_row *row)
{
    int i = 0;
    while (accepted->rows[i] != row)
        i++;
    if (accepted->given[i] && row->argument != NULL && !(row->marks & SEVERAL))
        usage_error(command, "--%s was given twice, expected it once", row->name);
    accepted->given[i] = true;
}

static struct bytes given;

static void note_given(const struct option_row *row)
{
    given.used -= given.used > 0; /* the NUL at its end */
    bytes_add_string(&given, "option --");
    bytes_add_string(&given, row->name);
    bytes_add_string(&given, row->argument != NULL ? " " : "");
    bytes_add_string(&given, row->argument != NULL ? optarg : "");
    bytes_add(&given, "\n", 2);
    if (given.failed)
        no_memory();
}

/* False if the option is not one that options.c reads. --values is applied after all are read: --rules may follow it.
 */
static bool take_shared(const struct command *command, const char *name, const struct option_row *row,
                        struct options *options)
{
    static struct output output;
    switch (row->val) {
    case OPTION_RULES: read_rules(name, optarg, options); break;
    case OPTION_TWO_RULES: read_compared(name, optarg, options); break;
    case OPTION_VALUES: options->values = optarg; break;
    case OPTION_KERNEL: options->kernel = optarg; break;
    case OPTION_FORMAT: read_format(name, row, optarg, options); break;
    case OPTION_MOVES:
        options->has_moves = true;
        options->all_moves = read_word(name, row, optarg) == 1;
        break;
    case OPTION_THRESHOLD: read_threshold(name, optarg, options); break;
    case OPTION_FEN: options->fen = optarg; break;
    case OPTION_EXAMPLES: read_count(name, "--examples", optarg, 0, MOST_EXAMPLES, &options->examples); break;
    case OPTION_NODES: read_count(name, "--nodes", optarg, 1, MOST_NODES, &options->nodes); break;
    case OPTION_NOTATION: options->notation = (enum notation)read_word(name, row, optarg); break;
    case OPTION_TRACE: options->trace = true; break;
    case OPTION_FROM: options->from = options_format_name(name, "--from", optarg); break;
    case OPTION_HELP:
        help_write(&output, command);
        output_finish(&output);
        exit(STATUS_OK);
    default: return false;
    }
    return true;
}

/* Ends the program after getopt_long has said which option is wrong: with the nearest one, if that is near. */
static _Noreturn void wrong_option(const char *command, const struct accepted *accepted, const char *argument)
{
    struct nearest nearest;
    char whole[64] = "";
    nearest_begin(&nearest, argument + 2, strcspn(argument + 2, "="));
    for (int i = 0; i < accepted->n && strncmp(argument, "--", 2) == 0; i++)
        nearest_try(&nearest, accepted->rows[i]->name);
    if (nearest.best != NULL && nearest.distance > 0)
        snprintf(whole, sizeof whole, "Did you mean --%s? ", nearest.best);
    fprintf(stderr, "%sTry '%s --help'.\n", whole, command);
    exit(STATUS_USAGE);
}

/* What holds without options, as far as the rows say it. Returns whether there is --rules. */
static bool set_defaults_of_rows(const char *name, const struct accepted *accepted, struct options *options)
{
    bool rules = false;
    for (int i = 0; i < accepted->n; i++) {
        const struct option_row *row = accepted->rows[i];
        rules |= row->val == OPTION_RULES;
        if (row->val == OPTION_FORMAT)
            read_format(name, row, row->argument, options);
    }
    return rules;
}

void options_parse(const struct command *command, int argc, char **argv, take_option_function *take, void *state,
                   struct options *options)
{
    const char *name = argv[0];
    struct accepted accepted;
    accept_options(&accepted, command);
    set_defaults(options);
    const bool rules = set_defaults_of_rows(name, &accepted, options);
    for (int found; (found = getopt_long(argc, argv, accepted.letters, accepted.list, NULL)) != -1;) {
        const struct option_row *row = row_found(&accepted, found);
        if (row == NULL)
            wrong_option(name, &accepted, argv[optind - 1]);
        check_once(name, &accepted, row);
        if (!(row->marks & SAME_OUTPUT))
            note_given(row);
        if (!take_shared(command, name, row, options))
            take(name, row->val, optarg, state);
    }
    if (options->values != NULL)
        options_values(name, "--values", options->values, options->rules.value);
    if (rules)
        check_rules(name, options);
    choose_kernel(name, options->kernel);
    options->given = given.used > 0 ? given.data : "";
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
        if (!seebatch_io_is_utf8(options->operands[i], strlen(options->operands[i])))
            usage_error(command,
                        "%s: the name of the file is not valid UTF-8, as JSON needs; expected UTF-8, or another "
                        "--format",
                        options->operands[i]);
}

void options_read_input(const char *command, struct options *options)
{
    options_standard_input(options);
    for (int i = 0; i < options->n_operands; i++) {
        const char *name = options->operands[i], *unknown = seebatch_io_unknown_compression(name);
        if (unknown != NULL)
            usage_error(command, "%s: files that end with %s cannot be decompressed, expected .gz, .zst or none", name,
                        unknown);
        if (options->from == NULL && seebatch_io_has_binary_extension(name))
            usage_error(command,
                        "%s: files with this extension are marlinformat, bulletformat, viriformat and others, expected "
                        "the one that it is, from --from or another extension",
                        name);
    }
    inputs_check(command, options->operands, options->n_operands, true);
}
