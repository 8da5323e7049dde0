/*
 * Every placement of up to three pieces, of both colours, that attack a target or would if what stands in between left.
 * Each is tried with either side to move, and with each enemy piece on the target, and none; and where a pawn can have
 * passed the target, with that pawn, to be taken en passant. All captures on the target, or moves to it, are evaluated.
 *
 * A colour without a king among its attackers gets one on the first square, counted from one that differs from
 * placement to placement, where the position is sound: mostly he has nothing to do with it, at times he holds a pinned
 * piece, is checked, or is another attacker.
 */
#include "exhaustion.h"

enum { MOST_CANDIDATES = 256, EN_PASSANT = SEEBATCH_KING };

/* A piece on a square from which it attacks the target on an empty board. */
struct candidate {
    int8_t square, type, color;
};

struct placement {
    const struct candidate *piece[3];
    int n;
    uint64_t number;
};

static int find_candidates(int target, struct candidate list[MOST_CANDIDATES])
{
    int n = 0;
    for (int square = 0; square < 64; square++) {
        for (int piece = 0; square != target && piece < 12; piece++) {
            const struct candidate c = {(int8_t)square, (int8_t)(piece % 6), (int8_t)(piece / 6)};
            const bool pawn_off = c.type == SEEBATCH_PAWN && (square < 8 || square >= 56);
            if (!pawn_off && piece_reaches(c.type, c.color, square, target))
                list[n++] = c;
        }
    }
    return n;
}

/* Adds the kings that are missing, so that the position is sound; false if there is no such square. */
static bool add_kings(seebatch_position *p, int target, uint64_t number)
{
    bool missing[2];
    for (int color = 0; color < 2; color++)
        missing[color] = !(seebatch_pieces_of_type(p, SEEBATCH_KING) & seebatch_pieces_of_color(p, color));
    const seebatch_position without = *p;
    for (int i = 0; i < (missing[0] ? 64 : 1); i++) {
        const int white = (int)((number * 37 + (uint64_t)i) % 64);
        for (int j = 0; j < (missing[1] ? 64 : 1); j++) {
            const int black = (int)((number * 23 + 5 + (uint64_t)j) % 64);
            const uint64_t taken = seebatch_occupied(&without) | UINT64_C(1) << target;
            if ((missing[0] && taken >> white & 1) || (missing[1] && taken >> black & 1) ||
                (missing[0] && missing[1] && white == black))
                continue;
            *p = without;
            if (missing[0])
                seebatch_put_piece(p, white, SEEBATCH_KING, SEEBATCH_WHITE);
            if (missing[1])
                seebatch_put_piece(p, black, SEEBATCH_KING, SEEBATCH_BLACK);
            if (seebatch_position_check(p, NULL) == SEEBATCH_OK)
                return true;
        }
    }
    return false;
}

/* A placement with a piece of the side not to move on the target; NO_PIECE: with none, EN_PASSANT: a pawn past it. */
static void try_victim(const struct placement *placed, int target, int stm, int victim, struct run *run)
{
    seebatch_position p = seebatch_position_empty(stm);
    for (int i = 0; i < placed->n; i++)
        seebatch_put_piece(&p, placed->piece[i]->square, placed->piece[i]->type, placed->piece[i]->color);
    if (victim == EN_PASSANT) {
        const int pawn = stm == SEEBATCH_WHITE ? target - 8 : target + 8;
        if (target / 8 != (stm == SEEBATCH_WHITE ? 5 : 2) || seebatch_occupied(&p) >> pawn & 1)
            return;
        seebatch_put_piece(&p, pawn, SEEBATCH_PAWN, !stm);
        p.ep_square = (uint8_t)target;
    } else {
        seebatch_put_piece(&p, target, victim, !stm);
    }
    if (!add_kings(&p, target, placed->number))
        return;
    seebatch_move moves[SEEBATCH_MAX_MOVES], wanted[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(&p, moves);
    size_t n_wanted = 0;
    for (size_t k = 0; k < n; k++)
        if (seebatch_to(moves[k]) == target)
            wanted[n_wanted++] = moves[k];
    compare_moves(run, &p, wanted, n_wanted);
}

static bool may_stand(const struct placement *placed)
{
    for (int a = 0; a < placed->n; a++) {
        for (int b = a + 1; b < placed->n; b++) {
            const struct candidate *x = placed->piece[a], *y = placed->piece[b];
            if (x->square == y->square ||
                (x->type == SEEBATCH_KING && y->type == SEEBATCH_KING && x->color == y->color))
                return false;
        }
    }
    return true;
}

static void try_placement(struct placement *placed, int target, struct run *run)
{
    if (!may_stand(placed) || !in_slice(run))
        return;
    placed->number = run->seen;
    for (int stm = SEEBATCH_WHITE; stm <= SEEBATCH_BLACK; stm++) {
        for (int victim = SEEBATCH_PAWN; victim <= SEEBATCH_NO_PIECE; victim++) {
            const bool pawn_off = victim == SEEBATCH_PAWN && (target < 8 || target >= 56);
            if (!pawn_off)
                try_victim(placed, target, stm, victim, run);
        }
    }
}

void around_target(struct run *run, int target)
{
    struct candidate list[MOST_CANDIDATES];
    const int n = find_candidates(target, list);
    for (int i = 0; i < n; i++) {
        struct placement placed = {{&list[i], NULL, NULL}, 1, 0};
        try_placement(&placed, target, run);
        for (int j = i + 1; j < n; j++) {
            placed.n = 2;
            placed.piece[1] = &list[j];
            try_placement(&placed, target, run);
            for (int k = j + 1; k < n; k++) {
                placed.n = 3;
                placed.piece[2] = &list[k];
                try_placement(&placed, target, run);
            }
        }
    }
}
