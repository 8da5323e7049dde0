/*
 * Pseudo-legal moves: what a rule set that ignores pins may be given besides legal moves. Engines ask for the value of
 * a capture before they know whether it is legal. Then a side may capture although its king is in check, or leave it
 * so, and lines through a king matter that no legal move would leave open.
 */
#include "boards.h"

static const int steps[16][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1},   {1, -1},  {-1, -1}, {-1, 1},
                                 {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1},  {-1, 2}};

static const struct {
    int first, last; /* of the steps */
    bool slides;
} walks[6] = {{0, 0, false}, {8, 16, false}, {4, 8, true}, {0, 4, true}, {0, 8, true}, {0, 8, false}};

struct list {
    const seebatch_position *position;
    seebatch_move *moves;
    size_t n;
};

/* Adds a move unless it would take an own piece or a king; a pawn on the last rank promotes. Returns whether the square
 * was empty. */
static bool add(struct list *list, int from, int to)
{
    int type = seebatch_type_on(list->position, to);
    bool own =
        type != SEEBATCH_NO_PIECE && seebatch_color_on(list->position, to) == seebatch_color_on(list->position, from);
    if (own || type == SEEBATCH_KING)
        return false;
    if (seebatch_type_on(list->position, from) == SEEBATCH_PAWN && (to < 8 || to >= 56)) {
        for (int promotion = SEEBATCH_KNIGHT; promotion <= SEEBATCH_QUEEN; promotion++)
            list->moves[list->n++] = seebatch_make_move(from, to, promotion);
    } else
        list->moves[list->n++] = seebatch_make_move(from, to, 0);
    return type == SEEBATCH_NO_PIECE;
}

static void add_pawn_moves(struct list *list, int from)
{
    int color = seebatch_color_on(list->position, from), ahead = color == SEEBATCH_WHITE ? 8 : -8;
    uint64_t occupied = seebatch_occupied(list->position);
    if (!(occupied >> (from + ahead) & 1))
        add(list, from, from + ahead);
    for (int side = -1; side <= 1; side += 2) {
        int to = stepped(from, side, ahead / 8);
        bool en_passant = to == list->position->ep_square && color == list->position->stm;
        if (to != SEEBATCH_NO_SQUARE && (en_passant || (occupied >> to & 1)))
            add(list, from, to);
    }
}

size_t pseudo_legal_moves(const seebatch_position *position, seebatch_move moves[2 * SEEBATCH_MAX_MOVES])
{
    struct list list = {position, moves, 0};
    for (int from = 0; from < 64; from++) {
        int type = seebatch_type_on(position, from);
        if (type == SEEBATCH_PAWN)
            add_pawn_moves(&list, from);
        if (type == SEEBATCH_PAWN || type == SEEBATCH_NO_PIECE)
            continue;
        for (int i = walks[type].first; i < walks[type].last; i++) {
            for (int distance = 1; distance < (walks[type].slides ? 8 : 2); distance++) {
                int to = stepped(from, distance * steps[i][0], distance * steps[i][1]);
                if (to == SEEBATCH_NO_SQUARE || !add(&list, from, to))
                    break;
            }
        }
    }
    return list.n;
}

bool is_allowed(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    seebatch_move moves[2 * SEEBATCH_MAX_MOVES];
    const seebatch_position on_turn = with_mover(position, move);
    size_t n = 0;
    if (seebatch_position_check(&on_turn, NULL) == SEEBATCH_OK && seebatch_is_legal(&on_turn, move))
        return true;
    if (rules->pins == SEEBATCH_PINS_IGNORED)
        n = pseudo_legal_moves(position, moves);
    while (n > 0 && moves[n - 1] != move)
        n--;
    return n > 0;
}
