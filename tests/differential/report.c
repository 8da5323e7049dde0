/*
 * What is printed when implementations differ: all that is needed to replay it.
 */
#include "differential.h"

#include <stdarg.h>

/* Appends to a text of limited size. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void
append(char *text, size_t size, size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = *length < size ? vsnprintf(text + *length, size - *length, format, arguments) : 0;
    va_end(arguments);
    if (written > 0)
        *length += (size_t)written;
}

static size_t start_command(const struct context *context, char *text, size_t size)
{
    size_t length = 0;
    const int16_t *value = context->rules.value;
    append(text, size, &length, "seebatch_differential --kernel %s --against %s --rules %s --values %d,%d,%d,%d,%d%s",
           context->subject.name, context->against.name, context->rules_name, value[0], value[1], value[2], value[3],
           value[4], context->force == FORCE_ALWAYS ? " --force-lanes" : "");
    return length;
}

void report_round_command(const struct context *context, char *text, size_t size)
{
    size_t length = start_command(context, text, size);
    if (context->data)
        append(text, size, &length, " --data '%s'", context->data);
    append(text, size, &length, " --boards '%s' --seed %llu --cases 1", context->boards,
           (unsigned long long)context->seed);
}

static void print_request(FILE *file, const seebatch_position *position, seebatch_move move)
{
    char fen[SEEBATCH_FEN_SIZE], uci[6];
    seebatch_position on_turn = with_mover(position, move);
    seebatch_position_to_fen(&on_turn, fen);
    seebatch_move_to_uci(move, uci);
    fprintf(file, " --fen '%s' --move %s", fen, uci);
}

/* The command that gives the requests of a batch as its cases. */
static void print_case_command(FILE *file, const struct context *context, const struct batch *batch)
{
    char command[512];
    start_command(context, command, sizeof command);
    fprintf(file, "%s --seed %llu", command, (unsigned long long)context->seed);
    for (size_t k = 0; k < batch_count(batch); k++)
        print_request(file, batch_position(batch, k), batch->moves[k]);
    fprintf(file, "\n");
}

static void print_what(FILE *file, const struct context *context, const struct failure *failure)
{
    fprintf(file, "  function  %s%s, %zu requests in %zu positions\n", failure->function,
            failure->way == SEE_SWAP_LOOP       ? " with lanes forced"
            : failure->way == SEE_ATTACK_TABLES ? " with maps forced"
                                                : "",
            failure->n, failure->n_positions);
    if (failure->what[0])
        fprintf(file, "  memory    %s\n", failure->what);
    if (!failure->has_case)
        return;
    char fen[SEEBATCH_FEN_SIZE], uci[6];
    seebatch_position on_turn = with_mover(&failure->position, failure->move);
    seebatch_position_to_fen(&on_turn, fen);
    seebatch_move_to_uci(failure->move, uci);
    fprintf(file, "  request   %zu (lane %zu of 4, %zu of 8, %zu of 16, %zu of 32)\n", failure->index,
            failure->index % 4, failure->index % 8, failure->index % 16, failure->index % 32);
    fprintf(file, "  position  %s\n  move      %s\n", fen, uci);
    if (failure->has_threshold)
        fprintf(file, "  threshold %d\n", failure->threshold);
    fprintf(file, "  answers   %s %d, %s %d\n", context->subject.name, failure->got, context->against.name,
            failure->expected);
}

static void print_rules(FILE *file, const struct context *context)
{
    const int16_t *value = context->rules.value;
    fprintf(file, "  rules     %s, values %d,%d,%d,%d,%d\n", context->rules_name, value[0], value[1], value[2],
            value[3], value[4]);
}

void report_failure(FILE *file, const struct context *context, const struct batch *batch, const struct failure *failure)
{
    char command[512];
    fprintf(file, "\nDIFFERENT: %s and %s, in a batch of %zu requests, seed %llu\n", context->subject.name,
            context->against.name, batch_count(batch), (unsigned long long)context->seed);
    print_what(file, context, failure);
    print_rules(file, context);
    if (context->boards) {
        report_round_command(context, command, sizeof command);
        fprintf(file, "  replay    %s\n", command);
    }
    if (failure->has_case) {
        static struct batch single;
        batch_clear(&single);
        batch_add_request(&single, &failure->position, failure->move);
        fprintf(file, "  alone     ");
        print_case_command(file, context, &single);
    }
}

static unsigned piece_count(const struct batch *batch)
{
    unsigned n = 0;
    for (size_t i = 0; i < batch->n_positions; i++) {
        for (uint64_t rest = seebatch_occupied(&batch->positions[i]); rest; rest &= rest - 1)
            n++;
    }
    return n;
}

void report_shrunk(FILE *file, const struct context *context, const struct batch *batch, const struct failure *failure)
{
    fprintf(file, "SHRUNK to %zu requests, %zu positions, %u pieces\n", batch_count(batch), batch->n_positions,
            piece_count(batch));
    print_what(file, context, failure);
    fprintf(file, "  replay    ");
    print_case_command(file, context, batch);
}
