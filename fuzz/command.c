/*
 * The tool's command line: any command with any arguments, and any bytes on standard input.
 *
 * The lines of the input are the arguments, up to an empty line; what follows is standard input. Four files lie in the
 * folder for arguments to name. The tool has to end with status 0, 1 or 2; with 2 only after a sentence and the way to
 * the help, and without output; with 1 only after it said something.
 */
#include "tool_run.h"

#include <ctype.h>
#include <string.h>

enum { MOST_ARGUMENTS = 24, MOST_DIGITS = 5 };

/* ---- What the tool may not do here ------------------------------------------------------------------------------ */

/* Leads out of the folder: a path from the root, or upwards. A FEN is none, although it has slashes. */
static bool leads_out(const char *argument)
{
    if (strstr(argument, "..") != NULL)
        return true;
    for (const char *slash = strchr(argument, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
        if (slash == argument || strchr("12345678pnbrqkPNBRQK", slash[-1]) == NULL)
            return true;
    return false;
}

/* Asks for hours of work: `compare` with so many nodes, `selftest` at all, which fuzz targets have no time for. */
static bool takes_long(char *const arguments[], int n)
{
    for (int i = 0; i < n; i++) {
        size_t digits = 0;
        if (strcmp(arguments[i], "selftest") == 0)
            return true;
        for (const char *c = arguments[i]; *c != '\0'; c++)
            digits += isdigit((unsigned char)*c) != 0;
        const bool nodes = strncmp(arguments[i], "--n", 3) == 0 || (i > 0 && strncmp(arguments[i - 1], "--n", 3) == 0);
        if (nodes && digits > MOST_DIGITS)
            return true;
    }
    return false;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static void make_files(void)
{
    static const char fen[] = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1\te1e5\n"
                              "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1\n";
    static const char csv[] = "fen,move,score,result,ply\n4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1,e5d6,10,1.0,0\n";
    static const char suite[] = "4k3/8/8/3pP3/8/8/8/4K3 w - d6; exd6; 100\n"
                                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -; e1e5; P\n";
    static const char json[] = "{\"fen\":\"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\",\"move\":\"e5d6\",\"score\":1}\n";
    tool_file("a.fen", fen, sizeof fen - 1);
    tool_file("a.csv", csv, sizeof csv - 1);
    tool_file("a.txt", suite, sizeof suite - 1);
    tool_file("a.jsonl", json, sizeof json - 1);
}

static void check_result(const struct tool_result *result)
{
    static const char help[] = " --help'.\n";
    const size_t length = sizeof help - 1;
    REQUIRE(result->status >= 0 && result->status <= 2, "status %d:\n%s", result->status, result->error);
    if (result->status == 2) {
        REQUIRE(result->n_error > length && memcmp(result->error + result->n_error - length, help, length) == 0,
                "status 2 without a way to the help:\n%s", result->error);
        REQUIRE(result->n_out == 0, "status 2 and output:\n%s", result->out);
    }
    REQUIRE(result->status != 1 || result->n_error + result->n_out > 0, "status 1 and not a word");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *arguments[MOST_ARGUMENTS], *line = text;
    struct tool_result result;
    int n = 0;
    REQUIRE(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    bool runs = true;
    while (n < MOST_ARGUMENTS && line < text + size && *line != '\n') {
        char *end = memchr(line, '\n', (size_t)(text + size - line));
        if (end != NULL)
            *end = '\0';
        arguments[n++] = line;
        runs = runs && !leads_out(line);
        line = end != NULL ? end + 1 : text + size;
    }
    line += line < text + size && *line == '\n';
    if (runs && !takes_long(arguments, n)) {
        make_files();
        tool_run(arguments, n, line, (size_t)(text + size - line), 0, &result);
        check_result(&result);
        tool_result_free(&result);
    }
    free(text);
    return 0;
}
