/* The page's code for an engine like Demolito, on the moves of games: it says what the library says. */
#include "demolito_like.h"

#include "legal_moves.h"

bitboard_t PawnAttacks[2][64], KnightAttacks[64], KingAttacks[64];
bitboard_t bb_bishop_attacks(int square, bitboard_t occupied)
{
    return seebatch_attacks(SEEBATCH_BISHOP, 0, square, occupied);
}
bitboard_t bb_rook_attacks(int square, bitboard_t occupied)
{
    return seebatch_attacks(SEEBATCH_ROOK, 0, square, occupied);
}

/* The engine's number of a type from 0, a pawn, to 5, a king, or 6. */
static uint8_t piece_of(int type) { return (uint8_t)(type == 0 ? PAWN : type <= 5 ? type - 1 : NB_PIECE); }

static Position position_from(const seebatch_position *p)
{
    Position position;
    memset(&position, 0, sizeof position);
    position.turn = p->stm;
    position.epSquare = 64;
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(p, square);
        position.pieceOn[square] = piece_of(type == SEEBATCH_NO_PIECE ? 6 : type);
        if (type == SEEBATCH_NO_PIECE)
            continue;
        position.byPiece[position.pieceOn[square]] |= UINT64_C(1) << square;
        position.byColor[seebatch_color_on(p, square)] |= UINT64_C(1) << square;
    }
    return position;
}

int main(int argc, char **argv)
{
    seebatch_rules rules = rules_with("ethereal", 169, 640, 640, 1036, 1970);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, special = 0, bad = 0;
    for (int square = 0; square < 64; square++) {
        KnightAttacks[square] = seebatch_attacks(SEEBATCH_KNIGHT, 0, square, 0);
        KingAttacks[square] = seebatch_attacks(SEEBATCH_KING, 0, square, 0);
        for (int color = 0; color < 2; color++)
            PawnAttacks[color][square] = seebatch_attacks(SEEBATCH_PAWN, color, square, 0);
    }
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        for (size_t i = 0; i < n; i++, moves++) {
            Position position = position_from(&p);
            const int from = seebatch_from(legal[i]), to = seebatch_to(legal[i]), kind = kind_of(&p, legal[i]);
            const int rook = to > from ? from + 3 : from - 4; /* of castling in orthodox chess */
            const int promotion = kind == PROMOTES ? piece_of(seebatch_promotion(legal[i])) : NB_PIECE;
            position.epSquare = kind == PASSES ? to : 64;
            const int value = pos_see(&position, (move_t)(from | (kind == CASTLES ? rook : to) << 6 | promotion << 12));
            expect(value == seebatch_value(&rules, &p, NULL, legal[i]), &p, "pos_see");
            special += kind != PLAIN;
            bad += value < 0;
        }
    }
    printf("demolito: %zu moves, %zu of them special, %zu bad\n", moves, special, bad);
    return moves > 1000 && special > 10 && bad > 100 ? 0 : 1;
}
