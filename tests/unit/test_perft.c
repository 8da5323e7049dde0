/*
 * Perft: the number of leaf nodes of the legal move tree, against published counts.
 *
 *     test_perft            in a release build every count in the files, 282,437,352 nodes; in a debug build, where the
 *                           library checks each position and move again, three levels and counts up to 100,000
 *     test_perft all        every count in the files
 *
 * On the way, at every node, seebatch_legal_captures() must give the captures among the legal moves, in their order;
 * and the position after a move, written as FEN and read again, must be that position.
 */
#include "test_support.h"

/* Counts past the third level that are greater than this are left out. */
#ifdef NDEBUG
static unsigned long long node_limit = ~0ull;
#else
static unsigned long long node_limit = 100000;
#endif

/* What FEN cannot hold: without a right left, how rights would be written; and a right to an inner rook makes all
 * rights be written as files. */
static void assert_survives_fen(const seebatch_position *position)
{
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position back, expected = *position;
    back = position_of(fen, seebatch_position_to_fen(position, fen));
    expected.shredder = back.shredder;
    if (!same_position(&back, &expected))
        fail_msg("%s reads as another position than was written", fen);
}

static unsigned long long perft(const seebatch_position *position, int depth)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_moves(position, moves);
    unsigned long long nodes = 0;

    check_captures(position, moves, n);
    if (depth == 1)
        return n;
    assert_survives_fen(position);
    for (size_t i = 0; i < n; i++) {
        seebatch_position next = *position;
        seebatch_play(&next, moves[i]);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

/* A line is FEN; D1 n; D2 n; ... */
static int check_line(const char *line, const char *where)
{
    seebatch_position position = position_of(line, strcspn(line, ";"));
    int counts = 0;
    for (const char *at = line; (at = strchr(at, ';')) != NULL; at++) {
        int depth;
        unsigned long long expected, found;
        if (sscanf(at, "; D%d %llu", &depth, &expected) != 2)
            fail_msg("%s: '%s' is not a depth and a count", where, at);
        if (depth > 3 && expected > node_limit)
            continue;
        found = perft(&position, depth);
        if (found != expected)
            fail_msg("%s: depth %d of %.*s has %llu nodes, expected %llu", where, depth, (int)strcspn(line, ";"), line,
                     found, expected);
        counts++;
    }
    return counts;
}

static void check_file(const char *name, int lines_expected)
{
    struct lines lines;
    int counts = 0;
    for (open_lines(&lines, name); next_line(&lines);)
        counts += check_line(lines.text, lines.where);
    print_message("%s: %d positions, %d counts\n", name, lines.number, counts);
    assert_int_equal(lines.number, lines_expected);
    assert_true(counts >= 3 * lines_expected);
}

TEST(known) { check_file("data/perft/known.epd", 6); }
TEST(standard) { check_file("data/perft/standard.epd", 342); }
TEST(chess960) { check_file("data/perft/chess960.epd", 97); }

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0) {
        node_limit = ~0ull;
    } else if (argc > 1) {
        fprintf(stderr, "test_perft: '%s' is not an argument, expected none or 'all'\n", argv[1]);
        return 2;
    }
    return run_all_tests(NULL);
}
