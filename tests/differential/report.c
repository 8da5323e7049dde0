/*
 * What is printed when implementations differ: all that is needed to replay it.
 */
#include "differential.h"

struct text {
    char text[512];
};

/* The command that runs the same comparison, as far as the cases or the number of rounds. */
static struct text command_of(const struct context *context)
{
    const int16_t *v = context->rules.value;
    struct text command;
    snprintf(command.text, sizeof command.text,
             "seebatch_differential --kernel %s --against %s --rules %s --values %d,%d,%d,%d,%d%s --seed %llu",
             context->subject.name, context->against.name, context->rules_name, v[0], v[1], v[2], v[3], v[4],
             context->force_lanes ? " --force-lanes" : "", (unsigned long long)context->seed);
    return command;
}

void report_round_command(const struct context *context, char *text, size_t size)
{
    snprintf(text, size, "%s --cases 1", command_of(context).text);
}

/* The position with the mover's side to move. */
static struct text fen_of(const seebatch_position *position, seebatch_move move)
{
    const seebatch_position on_turn = with_mover(position, move);
    struct text fen;
    seebatch_position_to_fen(&on_turn, fen.text);
    return fen;
}

static struct text uci_of(seebatch_move move)
{
    struct text uci;
    seebatch_move_to_uci(move, uci.text);
    return uci;
}

/* The command that gives the queries of a batch as its cases. */
static void print_case_command(FILE *file, const struct context *context, const struct batch *batch)
{
    fputs(command_of(context).text, file);
    for (size_t k = 0; k < batch_count(batch); k++)
        fprintf(file, " --fen '%s' --move %s", fen_of(batch_position(batch, k), batch->moves[k]).text,
                uci_of(batch->moves[k]).text);
    fputc('\n', file);
}

static void print_what(FILE *file, const struct context *context, const struct failure *failure)
{
    fprintf(file, "  function  %s%s, %zu queries in %zu positions\n", failure->function,
            failure->path == SEE_SWAP_LOOP       ? " with lanes forced"
            : failure->path == SEE_ATTACK_TABLES ? " with attack tables forced"
                                                 : "",
            failure->n, failure->n_positions);
    if (failure->what[0])
        fprintf(file, "  memory    %s\n", failure->what);
    if (!failure->has_case)
        return;
    fprintf(file, "  query   %zu (lane %zu of 4, %zu of 8, %zu of 16, %zu of 32)\n", failure->index, failure->index % 4,
            failure->index % 8, failure->index % 16, failure->index % 32);
    fprintf(file, "  position  %s\n  move      %s\n", fen_of(&failure->position, failure->move).text,
            uci_of(failure->move).text);
    if (failure->has_threshold)
        fprintf(file, "  threshold %d\n", failure->threshold);
    fprintf(file, "  answers   %s %d, %s %d\n", context->subject.name, failure->got, context->against.name,
            failure->expected);
}

void report_failure(FILE *file, const struct context *context, const struct batch *batch, const struct failure *failure)
{
    const int16_t *v = context->rules.value;
    fprintf(file, "\nDIFFERENT: %s and %s, in a batch of %zu queries, seed %llu\n", context->subject.name,
            context->against.name, batch_count(batch), (unsigned long long)context->seed);
    print_what(file, context, failure);
    fprintf(file, "  rules     %s, values %d,%d,%d,%d,%d\n", context->rules_name, v[0], v[1], v[2], v[3], v[4]);
    if (context->is_round)
        fprintf(file, "  replay    %s --cases 1\n", command_of(context).text);
    if (failure->has_case) {
        static struct batch single;
        batch_clear(&single);
        batch_add_query(&single, &failure->position, failure->move);
        fprintf(file, "  alone     ");
        print_case_command(file, context, &single);
    }
}

void report_shrunk(FILE *file, const struct context *context, const struct batch *batch, const struct failure *failure)
{
    int pieces = 0;
    for (size_t i = 0; i < batch->n_positions; i++)
        pieces += __builtin_popcountll(seebatch_occupied(&batch->positions[i]));
    fprintf(file, "SHRUNK to %zu queries, %zu positions, %d pieces\n", batch_count(batch), batch->n_positions, pieces);
    print_what(file, context, failure);
    fprintf(file, "  replay    ");
    print_case_command(file, context, batch);
}
