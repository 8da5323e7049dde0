/* The page's code for an engine like Clockwork, on the moves of games. */
#include "clockwork_like.h"

#include "legal_moves.h"

bool see(const Position &pos, Move move, Value threshold);

static Position position_from(const seebatch_position &p)
{
    Position pos;
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(&p, square);
        const int color = type == SEEBATCH_NO_PIECE ? 0 : seebatch_color_on(&p, square);
        pos.m_board.mailbox[size_t(square)].raw =
            uint8_t(type == SEEBATCH_NO_PIECE ? 0 : (type + 1) << 5 | color << 4 | square % 16);
    }
    pos.m_active_color = Color(p.stm);
    return pos;
}

static Move move_from(const seebatch_position &p, seebatch_move m)
{
    const int kind = kind_of(&p, m), promotion = kind == PROMOTES ? 8 | (seebatch_promotion(m) - 1) : 0;
    const int flags = kind == PROMOTES ? promotion : kind == PASSES ? 6 : kind == CASTLES ? 1 : 0;
    return {uint16_t(seebatch_from(m) | seebatch_to(m) << 6 | flags << 12)};
}

int main(int, char **argv)
{
    const seebatch_rules rules = rules_with("ethereal", 96, 310, 278, 570, 939);
    FILE *file = fopen(argv[1], "r");
    seebatch_position p;
    size_t moves = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        const Position pos = position_from(p);
        for (size_t i = 0; i < n; i++, moves++) {
            const int value = seebatch_value(&rules, &p, NULL, legal[i]);
            expect(see(pos, move_from(p, legal[i]), value), &p, "see at the value");
            expect(!see(pos, move_from(p, legal[i]), value + 1), &p, "see above the value");
            bad += value < 0;
        }
    }
    printf("clockwork: %zu moves, %zu of them bad\n", moves, bad);
    return moves > 1000 && bad > 100 ? 0 : 1;
}
