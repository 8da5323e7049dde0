/* The page's code for an engine like Ethereal, on the moves of games. */
#include "ethereal_like.h"

#include "check.h"

static Board board_from(const seebatch_position *p)
{
    Board board;
    memset(&board, 0, sizeof board);
    for (int type = PAWN; type <= KING; type++)
        board.pieces[type] = seebatch_pieces_of_type(p, type);
    for (int color = WHITE; color <= BLACK; color++)
        board.colours[color] = seebatch_pieces_of_color(p, color);
    board.turn = p->stm;
    return board;
}

static uint16_t move_from(const seebatch_position *p, seebatch_move m)
{
    static const int flags[] = {[PLAIN] = 0, [PROMOTES] = 3, [PASSES] = 2, [CASTLES] = 1};
    const int promotion = seebatch_promotion(m) ? seebatch_promotion(m) - 1 : 0;
    return (uint16_t)(seebatch_from(m) | seebatch_to(m) << 6 | flags[kind_of(p, m)] << 12 | promotion << 14);
}

int main(int argc, char **argv)
{
    const seebatch_rules rules = rules_with("ethereal", 100, 450, 450, 675, 1300);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        uint16_t list[MAX_MOVES], sorted[MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        Board board = board_from(&p);
        for (size_t i = 0; i < n; i++, moves++) {
            list[i] = sorted[i] = move_from(&p, legal[i]);
            const int value = seebatch_value(&rules, &p, legal[i]);
            expect(staticExchangeEvaluation(&board, list[i], value), &p, "staticExchangeEvaluation at the value");
            expect(!staticExchangeEvaluation(&board, list[i], value + 1), &p, "the same above the value");
        }
        const size_t good = badCapturesLast(&board, sorted, n);
        size_t next[2] = {0, good};
        for (size_t i = 0; i < n; i++)
            expect(sorted[next[!staticExchangeEvaluation(&board, list[i], 0)]++] == list[i], &p, "badCapturesLast");
        expect(next[0] == good && next[1] == n, &p, "how many are good");
        bad += n - good;
    }
    printf("ethereal: %zu moves, %zu of them bad\n", moves, bad);
    return moves > 1000 && bad > 100 ? 0 : 1;
}
