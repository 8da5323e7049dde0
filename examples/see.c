/*
 * The value of a capture by seebatch_see.h, with nothing else: cc -I include examples/see.c && ./a.out
 *
 * An engine has a board already, and attack tables, which it names before the #include (docs/engine.md). Here the board is
 * read from a FEN, and the header finds the attacks by itself.
 */
#include <stdio.h>
#include <string.h>

#include "seebatch_see.h"

/* Values from pawn to queen, and the rules. */
static const seebatch_see_rules rules = {{100, 300, 300, 500, 900}, SEEBATCH_SEE_RULES_ETHEREAL};

typedef struct Board {
    uint64_t types[6];  /* pawns, knights, bishops, rooks, queens and kings of both colors */
    uint64_t colors[2]; /* white and black pieces */
    int side_to_move;   /* 0 white, 1 black */
} Board;

/* Reads the pieces and the side to move of a FEN. a1 is square 0. */
static Board board_of(const char *fen)
{
    Board board = {{0}, {0}, 0};
    int square = 56;
    for (; *fen && *fen != ' '; fen++) {
        const char *types = "pnbrqk", *letter = strchr(types, *fen | 32);
        if (*fen == '/') {
            square -= 16;
        } else if (!letter) {
            square += *fen - '0'; /* empty squares */
        } else {
            board.types[letter - types] |= UINT64_C(1) << square;
            board.colors[*fen > 'Z'] |= UINT64_C(1) << square++;
        }
    }
    board.side_to_move = strncmp(fen, " b", 2) == 0;
    return board;
}

static int type_on(const Board *board, int square)
{
    int type = SEEBATCH_SEE_PAWN;
    while (type < SEEBATCH_SEE_NO_PIECE && !(board->types[type] >> square & 1))
        type++;
    return type;
}

/* Whether a capture wins at least so much. */
static bool see_ge(const Board *b, int from, int to, int threshold)
{
    const seebatch_see_board board = {b->types, b->colors, b->side_to_move, NULL};
    const seebatch_see_move move = {from, to, type_on(b, from), type_on(b, to), 0, SEEBATCH_SEE_NORMAL};
    return seebatch_see_ge(&rules, &board, NULL, move, threshold);
}

int main(void)
{
    /* The queen on e2 takes the pawn on e5. The knight on c6 recaptures, and then the rook on e1 does. */
    const Board board = board_of("4k3/8/2n5/4p3/8/8/4Q3/4R1K1 w - - 0 1");
    for (int threshold = -600; threshold <= 0; threshold += 100)
        printf("e2e5 wins at least %d: %s\n", threshold, see_ge(&board, 12, 36, threshold) ? "yes" : "no");
    return 0;
}
