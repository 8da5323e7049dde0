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
    .name = "help", .summary = "this text, or that of a command", .options = no_options, .run = run_help};

static const struct command *const commands[] = {
    &eval_command,    &explain_command, &map_command,      &compare_command,  &filter_command,
    &convert_command, &verify_command,  &identify_command, &selftest_command, &annotate_command,
    &stats_command,   &info_command,    &help_command,
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
    output_string(&output, "seebatch: static exchange evaluation of chess positions, in bulk\n\n"
                           "usage: seebatch COMMAND [OPTION ...] [ARGUMENT ...]\n\ncommands:\n");
    for (int i = 0; i < N_COMMANDS; i++)
        output_printf(&output, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    output_string(&output, "\n"
                           "options:\n"
                           "  -h, --help     this text; after a command, its own\n"
                           "      --version  the version\n"
                           "\n"
                           "example: the captures of a position and what each wins or loses\n"
                           "  echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch eval --rules swap\n");
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
    if (argc < 2)
        usage_error("seebatch", "no command was given");
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
