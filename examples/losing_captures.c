/*
 * How many captures lose material? Reads files of positions in any format that seebatch_io knows.
 *
 *     cc losing_captures.c $(pkg-config --cflags --libs seebatch_io) -o losing_captures
 *     ./losing_captures games.binpack more.fen.zst
 */
#include <seebatch_io.h>
#include <stdio.h>

enum { ROOM = 256 };
static seebatch_position positions[ROOM];
static seebatch_move moves[ROOM * SEEBATCH_MAX_MOVES];
static size_t offsets[ROOM + 1];
static int16_t values[ROOM * SEEBATCH_MAX_MOVES];

static int count_file(const char *path, const seebatch_rules *rules)
{
    seebatch_reader_options options = {.path = path};
    seebatch_records records = {.capacity = ROOM, .positions = positions};
    seebatch_io_error error = {.status = SEEBATCH_IO_END};
    seebatch_error_report error_report;
    unsigned long long captures = 0, losing = 0;
    seebatch_reader *reader = seebatch_reader_open(&options, &error);
    while (reader != NULL && seebatch_reader_next(reader, &records, &error) == SEEBATCH_IO_OK) {
        for (size_t i = 0; i < records.n; i++)
            offsets[i + 1] = offsets[i] + seebatch_legal_captures(&positions[i], moves + offsets[i]);
        const seebatch_batch batch = {
            .positions = positions, .n_positions = records.n, .offsets = offsets, .moves = moves};
        seebatch_batch_values(rules, &batch, values, NULL);
        captures += offsets[records.n];
        for (size_t k = 0; k < offsets[records.n]; k++)
            losing += values[k] < 0;
    }
    while (reader != NULL && seebatch_reader_error_report(reader, &error_report))
        fprintf(stderr, "%s\n", error_report.text);
    if (reader == NULL)
        fprintf(stderr, "%s\n", error.text);
    printf("%s: %llu of %llu captures lose\n", path, losing, captures);
    seebatch_reader_close(reader);
    return error.status != SEEBATCH_IO_END;
}

int main(int argc, char **argv)
{
    const seebatch_rules rules = seebatch_rules_default();
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= count_file(argv[i], &rules);
    return failed;
}
