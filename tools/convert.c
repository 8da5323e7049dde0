/*
 * seebatch convert: files of positions from one format into another, through the pipeline.
 *
 * What the target has no place for is lost only where --lose names it. What every record of a format has is looked at
 * before anything is read; the header of a table when its file is opened; and what a record alone says (a move behind
 * a FEN, a ply that is not that of the move number) when its turn comes. Where it was not named the run ends there with
 * status 2, and a file that was to be written does not appear.
 */
#include "pipeline/options.h"

static const char help[] =
    "usage: seebatch convert [OPTION ...] --output FILE [FILE ...]\n"
    "       seebatch convert [OPTION ...] --to FORMAT [FILE ...]\n"
    "\n"
    "Writes the positions of files in another format. Without FILE, or for -, reads standard input. Formats are\n"
    "told by the ends of names, or by --from and --to; 'seebatch filter --help' and formats.md list them. What the\n"
    "other format cannot hold is named, and nothing is written, unless --lose names it too.\n"
    "\n"
    "  --lose LIST           what may be lost, separated by commas: move, score, result, ply, other (columns,\n"
    "                        members and the like that are not known), side (the board is turned to the side to\n"
    "                        move), castling, en-passant, clock, number (of the move); or all\n"
    "  --output FILE         write to FILE, which appears when it is complete; .gz and .zst are compressed\n"
    "  --to FORMAT           the format of the output (what --output ends with)\n" PIPELINE_INPUT_HELP
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 all well, 1 something could not be read or written, 2 bad usage, or something would be lost.\n"
    "\n"
    "example: a position as a record of 32 bytes, and back\n"
    "  echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 31 | 120 | 1.0' |\n"
    "    seebatch convert --from scored --to marlinformat | seebatch convert --from marlinformat --to scored\n";

enum { CONVERT_LOSE = PIPELINE_OWN };

static const struct option own_options[] = {
    PIPELINE_INPUT_OPTIONS,
    PIPELINE_OUTPUT_OPTIONS,
    {"lose", required_argument, NULL, CONVERT_LOSE},
};

struct conversion {
    struct pipeline_options options;
    struct pipeline pipeline;
};

/* The field that --lose calls so, all of them, or 0. */
static unsigned field_to_lose(const char *name, size_t length)
{
    if (length == 3 && memcmp(name, "all", 3) == 0)
        return ALL_FIELDS;
    for (unsigned field = 1; field < ALL_FIELDS; field <<= 1)
        if (strlen(field_option(field)) == length && memcmp(field_option(field), name, length) == 0)
            return field;
    return 0;
}

static void read_losses(const char *command, const char *list, unsigned *fields)
{
    for (bool more = true; more;) {
        const size_t length = strcspn(list, ",");
        const unsigned field = field_to_lose(list, length);
        if (field == 0)
            usage_error(command,
                        "--lose: '%.*s' is nothing that can be lost, expected move, score, result, ply, other, side, "
                        "castling, en-passant, clock, number or all",
                        (int)length, list);
        *fields |= field;
        more = list[length] == ',';
        list += length + more;
    }
}

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct conversion *conversion = state;
    if (!pipeline_options_take(command, val, argument, &conversion->options))
        read_losses(command, argument, &conversion->pipeline.lose);
}

/* ---- Records ---------------------------------------------------------------------------------------------------- */

/* Whether the text of a position goes on behind it: operations of EPD. */
static bool has_operations(const struct record *record)
{
    const char *at = record->fen, *end = at + record->fen_length, *word;
    size_t length;
    for (int i = 0; next_word(&at, end, &word, &length); i++)
        if (i >= 4 && (i > 5 || *word < '0' || *word > '9'))
            return true;
    return false;
}

static unsigned lost_of_record(const struct target *target, const struct record *record,
                               const seebatch_position *position)
{
    const struct file_format *format = target->format;
    unsigned lost = record->has & ~target->fields;
    if (format->loses != NULL) {
        lost &= ~(unsigned)FIELD_PLY;
        lost |= format->loses(record, position) & ~target->fields;
    }
    if (record->fen != NULL && !format->keeps_text && has_operations(record))
        lost |= FIELD_OTHER;
    return lost;
}

static bool convert_batch(void *context, void *state, struct block *block, struct batch *batch)
{
    const struct conversion *conversion = context;
    const struct pipeline *pipeline = &conversion->pipeline;
    (void)state;
    for (size_t i = 0; i < batch->n; i++) {
        const struct record *record = &batch->records[i];
        const bool same = block->source->format == pipeline->target.format;
        const unsigned lost =
            same ? 0 : lost_of_record(&pipeline->target, record, &batch->positions[i]) & ~pipeline->lose;
        if (lost != 0) {
            char text[LOSS_TEXT];
            loss_text(lost, &pipeline->target, text, sizeof text);
            complain(block, record, "%s", text);
            block->refused = block->stopped = true;
            return false;
        }
        if (!write_record(&pipeline->target, block, record, &batch->positions[i], NULL) && conversion->options.strict)
            return false;
    }
    return true;
}

int convert_command(int argc, char **argv)
{
    struct options options;
    static struct conversion conversion;
    const struct more_options more = {own_options, sizeof own_options / sizeof own_options[0], take_option,
                                      &conversion};
    pipeline_options_begin(&conversion.options);
    options_parse_more(argc, argv, 0, &more, help, FORMAT_TSV, &options);

    struct pipeline *pipeline = &conversion.pipeline;
    pipeline->lossless = true;
    pipeline->verb = "written";
    pipeline->work = convert_batch;
    pipeline->context = &conversion;
    if (conversion.options.to == NULL &&
        (conversion.options.output == NULL || format_of_file(conversion.options.output) == NULL))
        usage_error(argv[0], "no format to convert to was given, expected --to FORMAT, or --output FILE with an ending "
                             "that says it");
    pipeline_prepare(pipeline, argv[0], &conversion.options, &options);
    return pipeline_write(pipeline, &conversion.options);
}
