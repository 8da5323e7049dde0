/* The page's code for an engine like Berserk, on the moves of games: it says what the library says of the board from the
 * other side. */
#include "berserk_like.h"

#include "legal_moves.h"

/* From a8, the pawns of black, color 1, capture towards higher squares. */
BitBoard GetPawnAttacks(int square, int color) { return seebatch_attacks(SEEBATCH_PAWN, !color, square, 0); }
BitBoard GetKnightAttacks(int square) { return seebatch_attacks(SEEBATCH_KNIGHT, 0, square, 0); }
BitBoard GetBishopAttacks(int square, BitBoard occupied)
{
    return seebatch_attacks(SEEBATCH_BISHOP, 0, square, occupied);
}
BitBoard GetRookAttacks(int square, BitBoard occupied) { return seebatch_attacks(SEEBATCH_ROOK, 0, square, occupied); }
BitBoard GetKingAttacks(int square) { return seebatch_attacks(SEEBATCH_KING, 0, square, 0); }

/* The board from the other side, whose squares are the engine's. */
static seebatch_position from_other_side(const seebatch_position *p)
{
    seebatch_position other = seebatch_position_empty(!p->stm);
    for (int square = 0; square < 64; square++)
        if (seebatch_type_on(p, square) != SEEBATCH_NO_PIECE)
            seebatch_put_piece(&other, square ^ 56, seebatch_type_on(p, square), !seebatch_color_on(p, square));
    return other;
}

static Board board_from(const seebatch_position *other)
{
    Board board;
    memset(&board, 0, sizeof board);
    board.stm = !other->stm;
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(other, square);
        const int color = type == SEEBATCH_NO_PIECE ? 0 : !seebatch_color_on(other, square);
        board.squares[square] = 2 * type + color;
        board.threatened |= (BitBoard)(seebatch_attackers(other, square, !other->stm, seebatch_occupied(other)) != 0)
                            << square;
        if (type == SEEBATCH_NO_PIECE)
            continue;
        board.pieces[2 * type + color] |= UINT64_C(1) << square;
        board.occupancies[color] |= UINT64_C(1) << square;
    }
    return board;
}

int main(int argc, char **argv)
{
    const seebatch_rules rules = rules_with("swap", 86, 326, 394, 593, 1047);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, special = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        const seebatch_position other = from_other_side(&p);
        Board board = board_from(&other);
        for (size_t i = 0; i < n; i++, moves++) {
            static const unsigned flags[] = {[PLAIN] = 0, [PROMOTES] = 8, [PASSES] = 6, [CASTLES] = 1};
            const unsigned from = (unsigned)seebatch_from(legal[i]) ^ 56, to = (unsigned)seebatch_to(legal[i]) ^ 56;
            const int kind = kind_of(&p, legal[i]);
            const Move move = from | to << 6 | (unsigned)board.squares[from] << 12 | flags[kind] << 16;
            const int value = seebatch_value(&rules, &other, NULL, legal[i] ^ (56 | 56 << 6));
            expect(SEE(&board, move, kind == PLAIN ? value : 30000), &p, "SEE at the value");
            expect(kind != PLAIN || !SEE(&board, move, value + 1), &p, "SEE above the value");
            special += kind != PLAIN;
            bad += value < 0;
        }
    }
    printf("berserk: %zu moves, %zu of them special, %zu bad\n", moves, special, bad);
    return moves > 1000 && special > 10 && bad > 100 ? 0 : 1;
}
