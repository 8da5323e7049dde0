/* The page's code for an engine like Stockfish, on the moves of games. */
#include "stockfish_like.h"

#include "legal_moves.h"

#include <algorithm>

ExtMove *bad_captures_last(const Position &pos, ExtMove *begin, ExtMove *end);

static Position position_from(const seebatch_position &p, const seebatch_rules &rules)
{
    Position pos;
    seebatch_pins pins;
    seebatch_find_pins(&rules, &p, &pins);
    for (int type = PAWN; type <= KING; type++)
        pos.byTypeBB[type] = seebatch_pieces_of_type(&p, type - 1);
    for (Color color : {WHITE, BLACK}) {
        pos.byColorBB[color] = seebatch_pieces_of_color(&p, color);
        pos.st->blockersForKing[color] = pins.blockers[color];
        pos.st->pinners[color] = pins.pinners[!color];
    }
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(&p, square);
        pos.board[square] = Piece(type == SEEBATCH_NO_PIECE ? 0 : type + 1 + 8 * seebatch_color_on(&p, square));
    }
    pos.stm = Color(p.stm);
    return pos;
}

static Move move_from(const seebatch_position &p, seebatch_move m)
{
    const int kind = kind_of(&p, m), promotion = kind == PROMOTES ? seebatch_promotion(m) - 1 : 0;
    return Move(uint16_t(seebatch_to(m) | seebatch_from(m) << 6 | promotion << 12 | kind << 14));
}

int main(int, char **argv)
{
    const seebatch_rules rules = rules_with("stockfish", PawnValue, KnightValue, BishopValue, RookValue, QueenValue);
    FILE *file = fopen(argv[1], "r");
    seebatch_position p;
    size_t moves = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        ExtMove list[MAX_MOVES], sorted[MAX_MOVES];
        const size_t n = seebatch_legal_captures(&p, legal);
        const Position pos = position_from(p, rules);
        for (size_t i = 0; i < n; i++, moves++) {
            list[i] = sorted[i] = move_from(p, legal[i]);
            list[i].value = sorted[i].value = int(i * 700) - 1000;
            const int value = seebatch_value(&rules, &p, NULL, legal[i]);
            expect(pos.see_ge(list[i], value), &p, "see_ge at the value");
            expect(!pos.see_ge(list[i], value + 1), &p, "see_ge above the value");
        }
        ExtMove *end = bad_captures_last(pos, sorted, sorted + n);
        std::stable_partition(list, list + n, [&](const ExtMove &m) { return pos.see_ge(m, -m.value / 18); });
        for (size_t i = 0; i < n; i++)
            expect(list[i].raw() == sorted[i].raw() && list[i].value == sorted[i].value, &p, "bad_captures_last");
        for (size_t i = 0; i < n; i++)
            expect((&sorted[i] < end) == pos.see_ge(sorted[i], -sorted[i].value / 18), &p, "where the bad ones begin");
        bad += size_t(sorted + n - end);
    }
    printf("stockfish: %zu captures, %zu of them bad\n", moves, bad);
    return moves > 1000 && bad > 100 ? 0 : 1;
}
