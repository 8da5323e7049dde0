/*
 * The page's code for an engine like Ethereal, on the moves of games. PAWN_STAYS: built with the lines that leave a
 * pawn on the board that is taken en passant.
 */
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

/* The value that the page's function has a threshold at. */
static int value_of(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move)
{
    seebatch_position board = *p;
#ifdef PAWN_STAYS
    if (kind_of(p, move) == PASSES)
        seebatch_put_piece(&board, seebatch_to(move), SEEBATCH_PAWN, !p->stm);
#endif
    return seebatch_value(rules, &board, NULL, move);
}

/* Flags a picker's moves at a threshold, and returns how many fall short. */
static size_t flagged(const seebatch_position *p, Board *board, const uint16_t *list, int n, int threshold)
{
    MovePicker mp = {.noisy_size = n, .threshold = threshold};
    size_t bad = 0;
    for (int i = 0; i < n; i++) {
        mp.moves[i] = list[i];
        mp.values[i] = 64000 + i;
    }
    flag_bad_noisy(&mp, board);
    for (int i = 0; i < n; i++) {
        const int good = staticExchangeEvaluation(board, list[i], threshold);
        expect(mp.moves[i] == list[i] && mp.values[i] == (good ? 64000 + i : -1), p, "flag_bad_noisy");
        bad += !good;
    }
    return bad;
}

int main(int argc, char **argv)
{
    const seebatch_rules rules = rules_with("ethereal", SEEPieceValues[PAWN], SEEPieceValues[KNIGHT],
                                            SEEPieceValues[BISHOP], SEEPieceValues[ROOK], SEEPieceValues[QUEEN]);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        uint16_t list[MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        Board board = board_from(&p);
        for (size_t i = 0; i < n; i++, moves++) {
            list[i] = move_from(&p, legal[i]);
            const int value = value_of(&rules, &p, legal[i]);
            expect(staticExchangeEvaluation(&board, list[i], value), &p, "staticExchangeEvaluation at the value");
            expect(!staticExchangeEvaluation(&board, list[i], value + 1), &p, "the same above the value");
        }
        bad += flagged(&p, &board, list, (int)n, 0);
        flagged(&p, &board, list, (int)n, 90);
        expect(flagged(&p, &board, list, (int)n, 1 << 16) == n, &p, "a threshold that nothing reaches");
        expect(flagged(&p, &board, list, (int)n, -(1 << 16)) == 0, &p, "a threshold that all reach");
    }
    printf("ethereal: %zu moves, %zu of them bad\n", moves, bad);
    return moves > 1000 && bad > 100 ? 0 : 1;
}
