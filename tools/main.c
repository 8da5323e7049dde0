/*
 * The command-line tool: finds the command in a table and hands it the rest of the command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <jansson.h>

#include "tool.h"

static int run_help(int argc, char **argv);

static const struct option_row no_options[] = {{0}};
static const struct command help_command = {
    .name = "help", .summary = "print this overview, or the help of a command", .options = no_options, .run = run_help};

static const struct command *const commands[] = {
    &eval_command,  &explain_command,  &map_command,    &filter_command,   &annotate_command,
    &stats_command, &convert_command,  &verify_command, &identify_command, &compare_command,
    &info_command,  &selftest_command, &help_command,
};
/* The groups of the overview: each begins with this command. */
static const struct {
    const struct command *first;
    const char *title;
} groups[] = {
    {&eval_command, "Look at a position"},
    {&filter_command, "Work on files of positions"},
    {&verify_command, "Check an engine"},
    {&info_command, "About the build"},
};
enum { N_GROUPS = sizeof groups / sizeof groups[0] };

static const struct help_example examples[] = {
    {"What does each capture of a position win or lose? Here the rook wins a pawn:",
     "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch eval"},
    {"Why should the knight not take the pawn on e5?",
     "seebatch explain '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' d3e5"},
    {"Keep the quiet positions of a file of training data:",
     "seebatch filter --keep quiet games.binpack --output quiet.binpack"},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *command_at(size_t index) { return index < N_COMMANDS ? commands[index] : NULL; }

static const struct command *command_named(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static _Noreturn void no_such_command(const char *name)
{
    char names[256] = "";
    for (int i = 0; i < N_COMMANDS; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", commands[i]->name);
    }
    usage_error("seebatch", "there is no command '%s', expected one of %s", name, names);
}

static void print_help(void)
{
    static struct output output;
    help_text(&output, 0,
              "seebatch computes static exchange evaluations (SEE) of chess positions: what a capture wins or loses "
              "when both sides may go on capturing on the same square. It looks at one position, or at files of "
              "millions of them, by the rules and piece values of the engine that you name.");
    output_string(&output, "\nUsage:\n  seebatch COMMAND [OPTION ...] [ARGUMENT ...]\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        for (int k = 0; k < N_GROUPS; k++)
            if (groups[k].first == commands[i])
                output_printf(&output, "\n%s:\n", groups[k].title);
        output_printf(&output, "  %-9s  %s\n", commands[i]->name, commands[i]->summary);
    }
    output_string(&output, "\nOptions:\n"
                           "  -h, --help     print this overview; after a command, the help of that command\n"
                           "      --version  print the version\n");
    help_examples(&output, examples, sizeof examples / sizeof examples[0]);
    output_string(&output,
                  "\n"
                  "'seebatch COMMAND --help' describes a command and its options. The manual, 'man seebatch'\n"
                  "(from a clone: 'man -l docs/seebatch.1'), defines the rule sets and the output, and README.md\n"
                  "in the sources links to everything else.\n");
    output_finish(&output);
}

/* Runs the command of a name on the arguments after it; argv[0] is free to be written over. */
static int run_command(const char *name, int argc, char **argv)
{
    static char whole_name[64];
    const struct command *command = command_named(name);
    if (command == NULL)
        no_such_command(name);
    snprintf(whole_name, sizeof whole_name, "seebatch %s", command->name);
    argv[0] = whole_name;
    return command->run(argc, argv);
}

static bool is_help(const char *argument)
{
    return strcmp(argument, "help") == 0 || strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static int run_help(int argc, char **argv)
{
    if (argc > 2)
        usage_error("seebatch", "help takes one command at most, not '%s' as well", argv[2]);
    if (argc == 2 && !is_help(argv[1])) {
        char option[] = "--help";
        char *arguments[] = {NULL, option, NULL};
        return run_command(argv[1], 2, arguments);
    }
    print_help();
    return STATUS_OK;
}

/* jansson would make broken JSON, or none, where memory ends in the middle of an object. */
static void *allocate_for_json(size_t size) { return reallocate(NULL, size, 1); }

/* A standard descriptor that is closed would become that of the next file that is opened, which would get what is meant
 * for standard error. So it is opened in a way in which it cannot be used: reading from it fails, and writing to it. */
static void open_closed_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat file;
        if (fstat(fd, &file) != 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            report("descriptor %d is closed, and /dev/null cannot be opened in its place: %s", fd, strerror(errno));
            exit(STATUS_ERROR);
        }
    }
}

/* Memory that a record of unusual length takes goes back to the system when it is freed. The C library of GNU otherwise
 * keeps tens of megabytes for each thread. */
static void give_back_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    enum { LARGE = 1 << 22 };
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

int main(int argc, char **argv)
{
    give_back_memory();
    open_closed_descriptors();
    json_set_alloc_funcs(allocate_for_json, free);
    if (argc < 2) { /* a person wants to know what there is; for a script it is an error */
        print_help();
        return STATUS_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(name, "--version") == 0) {
        output_whole("seebatch " SEEBATCH_VERSION "\n");
        return STATUS_OK;
    }
    if (name[0] == '-')
        usage_error("seebatch", "unknown option '%s'; the options of a command follow its name", name);
    return run_command(name, argc - 1, argv + 1);
}
