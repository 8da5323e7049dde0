/* The page's code for an engine like Weiss, on the moves of games. */
#include "weiss_like.h"

#include "legal_moves.h"

Bitboard AttackBB(PieceType type, Square sq, Bitboard occupied)
{
    return seebatch_attacks(type - 1, SEEBATCH_WHITE, (int)sq, occupied);
}

Bitboard PawnAttackBB(Color color, Square sq) { return seebatch_attacks(SEEBATCH_PAWN, color, (int)sq, 0); }

static Position position_from(const seebatch_position *p)
{
    Position pos;
    memset(&pos, 0, sizeof pos);
    for (int type = PAWN; type <= KING; type++)
        pos.pieceBB[ALL] |= pos.pieceBB[type] = seebatch_pieces_of_type(p, type - 1);
    pos.colorBB[WHITE] = seebatch_pieces_of_color(p, SEEBATCH_WHITE);
    pos.colorBB[BLACK] = seebatch_pieces_of_color(p, SEEBATCH_BLACK);
    for (int sq = 0; sq < 64; sq++)
        if (pos.pieceBB[ALL] >> sq & 1)
            pos.board[sq] = (uint8_t)(seebatch_type_on(p, sq) + (seebatch_color_on(p, sq) == SEEBATCH_WHITE ? wP : bP));
    pos.stm = p->stm == SEEBATCH_WHITE ? WHITE : BLACK;
    return pos;
}

int main(int argc, char **argv)
{
    const seebatch_rules rules = rules_with("swap", 100, 450, 450, 650, 1250);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, special = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        const Position pos = position_from(&p);
        for (size_t i = 0; i < n; i++, moves++) {
            const bool is_special = kind_of(&p, legal[i]) != PLAIN;
            const Move move = (Move)(seebatch_from(legal[i]) | seebatch_to(legal[i]) << 6 | is_special << 24);
            const int value = seebatch_value(&rules, &p, NULL, legal[i]);
            expect(SEE(&pos, move, is_special ? 30000 : value), &p, "SEE at the value");
            expect(is_special || !SEE(&pos, move, value + 1), &p, "SEE above the value");
            special += is_special;
            bad += value < 0;
        }
    }
    printf("weiss: %zu moves, %zu of them special, %zu bad\n", moves, special, bad);
    return moves > 1000 && special > 10 && bad > 100 ? 0 : 1;
}
