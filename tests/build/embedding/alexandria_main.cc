/* The page's code for an engine like Alexandria, on the moves of games: where nothing is pinned it says what the library
 * says of the board from the other side. A pinned piece stays held, whatever its pinner does. */
#include "alexandria_like.h"

#include "legal_moves.h"

bool SEE(const Position *pos, const Move move, const int threshold);

Bitboard getBishopAttacks(Square square, Bitboard occupied)
{
    return seebatch_attacks(SEEBATCH_BISHOP, SEEBATCH_WHITE, square, occupied);
}

Bitboard getRookAttacks(Square square, Bitboard occupied)
{
    return seebatch_attacks(SEEBATCH_ROOK, SEEBATCH_WHITE, square, occupied);
}

static seebatch_position from_other_side(const seebatch_position &p)
{
    seebatch_position other = seebatch_position_empty(!p.stm);
    for (int square = 0; square < 64; square++)
        if (seebatch_type_on(&p, square) != SEEBATCH_NO_PIECE)
            seebatch_put_piece(&other, square ^ 56, seebatch_type_on(&p, square), !seebatch_color_on(&p, square));
    return other;
}

/* Of a board from the other side, whose squares are the engine's. Returns whether something is pinned. */
static bool fill(Position *pos, const seebatch_position &other)
{
    *pos = {};
    pos->side = !other.stm;
    seebatch_rules rules = rules_with("reckless", 100, 422, 422, 642, 1015);
    seebatch_pins pins;
    seebatch_find_pins(&rules, &other, &pins);
    for (int color = WHITE; color <= BLACK; color++) {
        pos->board.occupancies[color] = seebatch_pieces_of_color(&other, !color);
        pos->board.pinned[color] = pins.blockers[!color] & pos->board.occupancies[color];
        for (int type = PAWN; type <= KING; type++)
            pos->board.bitboards[type + 6 * color] =
                seebatch_pieces_of_type(&other, type) & pos->board.occupancies[color];
    }
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(&other, square);
        pos->board.pieces[square] =
            type == SEEBATCH_NO_PIECE ? int(EMPTY) : type + 6 * !seebatch_color_on(&other, square);
    }
    return (pos->board.pinned[WHITE] | pos->board.pinned[BLACK]) != 0;
}

static Move move_from(const seebatch_position &p, seebatch_move m)
{
    const int kind = kind_of(&p, m);
    const int flags = kind == PROMOTES ? 8 | (seebatch_promotion(m) - 1) : kind == PASSES ? 5 : kind == CASTLES ? 2 : 0;
    return Move((seebatch_from(m) ^ 56) | (seebatch_to(m) ^ 56) << 6 | flags << 12);
}

int main(int, char **argv)
{
    const seebatch_rules rules = rules_with("ethereal", 100, 422, 422, 642, 1015);
    FILE *file = fopen(argv[1], "r");
    seebatch_position p;
    Position pos;
    size_t moves = 0, bad = 0, pinned = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        const seebatch_position other = from_other_side(p);
        if (fill(&pos, other)) {
            pinned++;
            continue;
        }
        for (size_t i = 0; i < n; i++, moves++) {
            const int value = seebatch_value(&rules, &other, NULL, legal[i] ^ (56 | 56 << 6));
            expect(SEE(&pos, move_from(p, legal[i]), value), &p, "SEE at the value");
            expect(!SEE(&pos, move_from(p, legal[i]), value + 1), &p, "SEE above the value");
            bad += value < 0;
        }
    }
    const char *held = "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -"; /* the queen pins the bishop, and captures the pawn */
    seebatch_move capture = seebatch_make_move(33, 37, 0);
    if (seebatch_position_from_fen(held, strlen(held), &p, NULL) != SEEBATCH_OK)
        return 1;
    expect(fill(&pos, from_other_side(p)), &p, "nothing is pinned");
    expect(SEE(&pos, move_from(p, capture), 100), &p, "the bishop captures");
    printf("alexandria: %zu moves, %zu of them bad; %zu positions with pins\n", moves, bad, pinned);
    return moves > 1000 && bad > 100 && pinned > 100 ? 0 : 1;
}
