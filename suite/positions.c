/*
 * Writes the positions of positions.fen.gz: 100,000 FENs, every one after the first twelve half-moves of games in which
 * both sides play at random. A game ends after 150 half-moves, or where there is no legal move. Of two captures that
 * come up one is drawn again, so that pieces stay on the board and stand in each other's way. CC0.
 *
 *     positions | gzip -9n >positions.fen.gz
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seebatch.h"

enum { POSITIONS = 100000, FIRST = 12, LAST = 150 };

/* xorshift64*, from a seed that is part of the definition. */
static uint64_t state = 20260101;

static unsigned draw(size_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % below);
}

static int by_bits(const void *left, const void *right)
{
    const seebatch_move a = *(const seebatch_move *)left, b = *(const seebatch_move *)right;
    return (a > b) - (a < b);
}

static seebatch_move draw_move(const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    seebatch_move move = moves[draw(n)];
    const bool captures = seebatch_type_on(position, seebatch_to(move)) != SEEBATCH_NO_PIECE;
    return captures && draw(2) == 0 ? moves[draw(n)] : move;
}

int main(void)
{
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (int written = 0; written < POSITIONS;) {
        seebatch_position position;
        if (seebatch_position_from_fen(start, strlen(start), &position, NULL) != SEEBATCH_OK)
            return 1;
        for (int ply = 0; ply < LAST && written < POSITIONS; ply++) {
            seebatch_move moves[SEEBATCH_MAX_MOVES];
            const size_t n = seebatch_legal_moves(&position, moves);
            if (n == 0)
                break;
            qsort(moves, n, sizeof *moves, by_bits);
            if (ply >= FIRST) {
                char fen[SEEBATCH_FEN_SIZE];
                seebatch_position_to_fen(&position, fen);
                puts(fen);
                written++;
            }
            seebatch_play(&position, draw_move(&position, moves, n));
        }
    }
    return 0;
}
