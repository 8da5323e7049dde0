/*
 * Which records of a file meet conditions, as the library answers in C: for the test of expressions at random, which asks
 * about thousands of them.
 *
 *     condition_masks FILE
 *
 * Each line of standard input is an expression. For each there is a line with a 0 or 1 for each record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seebatch_io.h"

enum { MOST = 20000, LONGEST = 1 << 17 };

static seebatch_position positions[MOST];
static seebatch_move moves[MOST];
static int32_t scores[MOST], plies[MOST];
static uint8_t results[MOST], has[MOST];
static bool in[MOST];

static _Noreturn void fail(const seebatch_io_error *error)
{
    fprintf(stderr, "condition_masks: %s\n", error->text);
    exit(2);
}

static size_t read_file(const char *path)
{
    const seebatch_reader_options options = {.path = path};
    seebatch_io_error error;
    seebatch_io_status status = SEEBATCH_IO_OK;
    size_t n = 0;
    seebatch_reader *reader = seebatch_reader_open(&options, &error);
    if (reader == NULL)
        fail(&error);
    while (status == SEEBATCH_IO_OK) {
        seebatch_records records = {.capacity = MOST - n,
                                    .positions = positions + n,
                                    .moves = moves + n,
                                    .scores = scores + n,
                                    .results = results + n,
                                    .plies = plies + n,
                                    .has = has + n};
        status = seebatch_reader_next(reader, &records, &error);
        n += records.n;
    }
    if (status != SEEBATCH_IO_END)
        fail(&error);
    seebatch_reader_close(reader);
    return n;
}

static void answer(const char *expression, const seebatch_records *records)
{
    static char line[MOST + 1];
    const seebatch_rules rules = seebatch_rules_default();
    seebatch_conditions *conditions = seebatch_conditions_new(&rules);
    seebatch_io_error error = {SEEBATCH_IO_NO_MEMORY, 0, "out of memory"};
    if (conditions == NULL || seebatch_conditions_add(conditions, true, expression, &error) != SEEBATCH_IO_OK ||
        seebatch_conditions_test(conditions, records, in) != SEEBATCH_IO_OK)
        fail(&error);
    for (size_t i = 0; i < records->n; i++)
        line[i] = in[i] ? '1' : '0';
    line[records->n] = '\0';
    puts(line);
    fflush(stdout);
    seebatch_conditions_free(conditions);
}

int main(int argc, char **argv)
{
    static char expression[LONGEST];
    if (argc != 2) {
        fputs("usage: condition_masks FILE\n", stderr);
        return 2;
    }
    const size_t n = read_file(argv[1]);
    const seebatch_records records = {.n = n,
                                      .capacity = n,
                                      .positions = positions,
                                      .moves = moves,
                                      .scores = scores,
                                      .results = results,
                                      .plies = plies,
                                      .has = has};
    while (fgets(expression, sizeof expression, stdin) != NULL) {
        expression[strcspn(expression, "\n")] = '\0';
        answer(expression, &records);
    }
    return 0;
}
