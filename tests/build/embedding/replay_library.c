/* replay.h with the library's rows: the engine's function is seebatch_see.h itself, on a seebatch_position. With `record`,
 * writes questions about the positions of standard input. */
#include "seebatch.h"
#include "seebatch_see.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_POSITION seebatch_position

static const seebatch_see_rules see_rules = {{100, 325, 325, 500, 1000}, SEEBATCH_SEE_RULES_SWAP};

static inline __attribute__((always_inline)) bool evaluates(const seebatch_position *p, unsigned m, int threshold)
{
    const seebatch_move move = (seebatch_move)m;
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t colors[2] = {seebatch_pieces_of_color(p, 0), seebatch_pieces_of_color(p, 1)};
    uint64_t types[6];
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        types[type] = seebatch_pieces_of_type(p, type);
    const seebatch_see_board board = {types, colors, seebatch_color_on(p, from), NULL};
    const seebatch_see_move see_move = {
        from, to, seebatch_type_on(p, from), seebatch_type_on(p, to), seebatch_promotion(move), SEEBATCH_SEE_NORMAL};
    return seebatch_see_ge(&see_rules, &board, NULL, see_move, threshold);
}

static void replay_position(seebatch_position *position, const char *fen)
{
    if (seebatch_position_from_fen(fen, strlen(fen), position, NULL) != SEEBATCH_OK)
        exit(1);
}
static bool replay_own(seebatch_position *position, unsigned move, int threshold)
{
    return evaluates(position, move, threshold);
}
static bool replay_header(seebatch_position *position, unsigned move, int threshold)
{
    return evaluates(position, move, threshold);
}
static seebatch_rules replay_rules(void)
{
    seebatch_rules rules;
    seebatch_rules_named("swap", &rules, NULL);
    return rules;
}
static seebatch_position replay_board(const seebatch_position *position) { return *position; }
static seebatch_move replay_move(unsigned move) { return (seebatch_move)move; }
#include "replay.h"

static int record(void)
{
    char line[256], fen[SEEBATCH_FEN_SIZE];
    for (int n = 0; n < 1000 && fgets(line, sizeof line, stdin); n++) {
        seebatch_position p;
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        if (seebatch_position_from_fen(line, strcspn(line, "\r\n"), &p, NULL) != SEEBATCH_OK)
            return 1;
        const size_t n_moves = seebatch_legal_captures(&p, moves);
        seebatch_position_to_fen(&p, fen);
        for (size_t i = 0; i < n_moves; i++)
            if (seebatch_type_on(&p, seebatch_to(moves[i])) != SEEBATCH_NO_PIECE)
                printf("%s\t%u\t%d\n", fen, (unsigned)moves[i], 50 * (int)(i % 5) - 100);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    return strcmp(argv[1], "record") == 0 ? record() : replay(argv[1]);
}
