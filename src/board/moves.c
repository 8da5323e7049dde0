/*
 * Generates legal moves without trying them.
 *
 * Two things can make a move illegal, and both are masks that are known before the first move is made:
 *
 *   If one piece gives check, every move except the king's must capture it or step in between: the evasion squares. (If
 *   two pieces give check, only the king moves.)
 *   A piece that alone stands between its king and a slider of the other side is pinned: it stays on the line through
 *   the king.
 *
 * This leaves the moves for which more than the from-square changes. A king looks for attackers with itself off the
 * board, because it does not shield the square behind it. A capture en passant removes a second pawn, and castling
 * moves a rook, so these two look at the board after the move.
 *
 * Captures and all moves come from the same code, in the same order: pawns, knights, sliders on diagonals (bishops and
 * queens), sliders on ranks and files (rooks and queens), the king, castling.
 */
#include "position.h"

#include <assert.h>

struct generator {
    const seebatch_position *position;
    uint64_t own, enemy, occupied;
    uint64_t evasions; /* where a move answers the checks, which is everywhere without check */
    uint64_t targets;  /* where pieces other than king and pawns may go */
    uint64_t pinned;   /* own pieces that shield the king */
    int stm, king;     /* the king and its square */
    bool captures_only;
    seebatch_move *next; /* where the next move is written */
};

/* The line through two squares, without the first. The two must be on one line. */
static uint64_t shared_line(int square, uint64_t other)
{
    const struct see_square *s = &seebatch_squares[square];
    return s->file & other ? s->file : s->rank & other ? s->rank : s->diagonal & other ? s->diagonal : s->antidiagonal;
}

/* Squares strictly between a king and a slider on a line with it. A line's squares are ordered as their numbers are, so
 * the difference of the two bits, which has every bit from the lower one up to the higher, holds them. */
static uint64_t between(int king, uint64_t slider)
{
    uint64_t k = square_bb(king);
    uint64_t span = k > slider ? k - slider : slider - k;
    return shared_line(king, slider) & span & ~slider;
}

/* Finds checks and pins. */
static void find_checks_and_pins(struct generator *g)
{
    const seebatch_position *p = g->position;
    const struct see_square *k = &seebatch_squares[g->king];
    uint64_t queens = seebatch_pieces_of_type(p, SEEBATCH_QUEEN);
    uint64_t straight = queens | seebatch_pieces_of_type(p, SEEBATCH_ROOK);
    uint64_t diagonal = queens | seebatch_pieces_of_type(p, SEEBATCH_BISHOP);
    uint64_t snipers = sliders_on_lines(k, diagonal, straight) & g->enemy;
    uint64_t checkers = ((k->pawn[g->stm] & seebatch_pieces_of_type(p, SEEBATCH_PAWN)) |
                         (k->knight & seebatch_pieces_of_type(p, SEEBATCH_KNIGHT))) &
                        g->enemy;

    g->pinned = 0;
    g->evasions = checkers;
    while (snipers) {
        uint64_t sniper = square_bb(pop_lsb(&snipers));
        uint64_t path = between(g->king, sniper);
        uint64_t blockers = path & g->occupied;
        if (!blockers) {
            checkers |= sniper;
            g->evasions |= path | sniper;
        } else if (!(blockers & (blockers - 1))) {
            g->pinned |= blockers & g->own;
        }
    }
    if (!checkers)
        g->evasions = ~UINT64_C(0);
    else if (checkers & (checkers - 1))
        g->evasions = 0;
}

static void add(struct generator *g, int from, int to, int promotion)
{
    *g->next++ = seebatch_make_move(from, to, promotion);
}

/* Writes several moves at once, whatever their number, because a processor cannot predict how many there are. There is
 * room after the last one. */
static inline void add_all(struct generator *g, int from, uint64_t targets)
{
    enum { AT_ONCE = 4 };
    while (targets) {
        for (int i = 0; i < AT_ONCE; i++) {
            *g->next = seebatch_make_move(from, lowest_square(targets | square_bb(63)), 0);
            g->next += targets != 0;
            targets &= targets - 1;
        }
    }
}

/* Moves the squares of pawns by a step. Pawns never stand where a step leaves the board, except across its left or
 * right edge. */
static uint64_t moved(uint64_t set, int step) { return step > 0 ? set << step : set >> -step; }

static void add_pawn_moves(struct generator *g, uint64_t targets, int step)
{
    uint64_t last_ranks = first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK);
    while (targets) {
        int to = pop_lsb(&targets);
        if (square_bb(to) & last_ranks) {
            for (int piece = SEEBATCH_QUEEN; piece >= SEEBATCH_KNIGHT; piece--)
                add(g, to - step, to, piece);
        } else {
            add(g, to - step, to, 0);
        }
    }
}

/* Writes moves of pawns to the allowed squares. The en passant capture is not among these moves. */
static inline void pawns_to(struct generator *g, uint64_t pawns, uint64_t allowed)
{
    int up = g->stm == SEEBATCH_WHITE ? 8 : -8;
    uint64_t third_rank = g->stm == SEEBATCH_WHITE ? UINT64_C(0xff) << 16 : UINT64_C(0xff) << 40;

    add_pawn_moves(g, moved(pawns & ~FILE_A, up - 1) & g->enemy & allowed, up - 1);
    add_pawn_moves(g, moved(pawns & ~FILE_H, up + 1) & g->enemy & allowed, up + 1);
    if (g->captures_only)
        return;
    uint64_t one_step = moved(pawns, up) & ~g->occupied;
    uint64_t two_steps = moved(one_step & third_rank, up) & ~g->occupied;
    add_pawn_moves(g, one_step & allowed, up);
    add_pawn_moves(g, two_steps & allowed, 2 * up);
}

/* Writes a capture en passant. It empties two squares, perhaps of one rank, so the king's safety is checked on the
 * board after it. */
static void en_passant(struct generator *g)
{
    const seebatch_position *p = g->position;
    uint64_t captured = square_bb(g->stm == SEEBATCH_WHITE ? p->ep_square - 8 : p->ep_square + 8);
    uint64_t pawns = pawn_attacks(!g->stm, p->ep_square) & seebatch_pieces_of_type(p, SEEBATCH_PAWN) & g->own;
    while (pawns) {
        int from = pop_lsb(&pawns);
        uint64_t after = (g->occupied ^ square_bb(from) ^ captured) | square_bb(p->ep_square);
        if (!attackers_of_color(p, g->king, !g->stm, after))
            add(g, from, p->ep_square, 0);
    }
}

static inline void pawn_moves(struct generator *g)
{
    uint64_t pawns = seebatch_pieces_of_type(g->position, SEEBATCH_PAWN) & g->own;
    uint64_t pinned = pawns & g->pinned;

    pawns_to(g, pawns & ~pinned, g->evasions);
    while (pinned) {
        uint64_t pawn = square_bb(pop_lsb(&pinned));
        pawns_to(g, pawn, g->evasions & shared_line(g->king, pawn));
    }
    if (g->position->ep_square != SEEBATCH_NO_SQUARE)
        en_passant(g);
}

/* The squares to which a slider may go, given those it attacks. */
static uint64_t slider_targets(const struct generator *g, int from, uint64_t attacks)
{
    uint64_t targets = attacks & g->targets;
    return g->pinned & square_bb(from) ? targets & shared_line(g->king, square_bb(from)) : targets;
}

static void piece_moves(struct generator *g)
{
    const seebatch_position *p = g->position;
    uint64_t queens = seebatch_pieces_of_type(p, SEEBATCH_QUEEN);
    uint64_t knights = seebatch_pieces_of_type(p, SEEBATCH_KNIGHT) & g->own & ~g->pinned;
    uint64_t diagonal = (queens | seebatch_pieces_of_type(p, SEEBATCH_BISHOP)) & g->own;
    uint64_t straight = (queens | seebatch_pieces_of_type(p, SEEBATCH_ROOK)) & g->own;

    while (knights) {
        int from = pop_lsb(&knights);
        add_all(g, from, knight_attacks(from) & g->targets);
    }
    while (diagonal) {
        int from = pop_lsb(&diagonal);
        add_all(g, from, slider_targets(g, from, bishop_attacks(from, g->occupied)));
    }
    while (straight) {
        int from = pop_lsb(&straight);
        add_all(g, from, slider_targets(g, from, rook_attacks(from, g->occupied)));
    }
}

/* The squares that the pawns, knights and king of the other side attack. */
static uint64_t leaper_attacks(const struct generator *g)
{
    const seebatch_position *p = g->position;
    const int down = g->stm == SEEBATCH_WHITE ? -8 : 8;
    const uint64_t pawns = seebatch_pieces_of_type(p, SEEBATCH_PAWN) & g->enemy;
    const uint64_t knights = seebatch_pieces_of_type(p, SEEBATCH_KNIGHT) & g->enemy;
    const uint64_t one = (knights & ~FILE_H) << 1 | (knights & ~FILE_A) >> 1;
    const uint64_t two = (knights & ~(FILE_G | FILE_H)) << 2 | (knights & ~(FILE_A | FILE_B)) >> 2;
    return moved(pawns & ~FILE_A, down - 1) | moved(pawns & ~FILE_H, down + 1) | one << 16 | one >> 16 | two << 8 |
           two >> 8 | king_attacks(king_square(p, !g->stm));
}

static void king_moves(struct generator *g, uint64_t targets)
{
    const seebatch_position *p = g->position;
    const uint64_t without_king = g->occupied ^ square_bb(g->king);
    const uint64_t queens = seebatch_pieces_of_type(p, SEEBATCH_QUEEN) & g->enemy;
    const uint64_t diagonal = queens | (seebatch_pieces_of_type(p, SEEBATCH_BISHOP) & g->enemy);
    const uint64_t straight = queens | (seebatch_pieces_of_type(p, SEEBATCH_ROOK) & g->enemy);
    targets &= king_attacks(g->king);
    if (targets)
        targets &= ~leaper_attacks(g);
    while (targets) {
        const int to = pop_lsb(&targets);
        *g->next = seebatch_make_move(g->king, to, 0);
        g->next += !((bishop_attacks(to, without_king) & diagonal) | (rook_attacks(to, without_king) & straight));
    }
}

/* The squares of a rank from one to another, both included. */
static uint64_t rank_span(int from, int to)
{
    return from < to ? 2 * square_bb(to) - square_bb(from) : 2 * square_bb(from) - square_bb(to);
}

/* Castles on one side if the right is there, if the squares that king and rook cross or land on are empty except for
 * the two, and if none of those that the king crosses or lands on is attacked. The king must not be in check. */
static void castle(struct generator *g, int side)
{
    const seebatch_position *p = g->position;
    int rook = p->castling_rook[g->stm][side];
    if (rook == SEEBATCH_NO_SQUARE)
        return;
    int king_to = castled_king_square(g->stm, side), rook_to = castled_rook_square(g->stm, side);
    uint64_t two = square_bb(g->king) | square_bb(rook);
    uint64_t crossed = rank_span(g->king, king_to);

    if ((crossed | rank_span(rook, rook_to)) & g->occupied & ~two)
        return;
    for (uint64_t path = crossed & ~square_bb(g->king); path;)
        if (attackers_of_color(p, pop_lsb(&path), !g->stm, g->occupied))
            return;
    /* A rook that shielded the king on its first rank may have left the shield (Chess960). */
    uint64_t after = (g->occupied & ~two) | square_bb(king_to) | square_bb(rook_to);
    if (attackers_of_color(p, king_to, !g->stm, after))
        return;
    add(g, g->king, castles_as_usual(p, g->king, side) ? king_to : rook, 0);
}

static inline struct generator generator_of(const seebatch_position *position, seebatch_move *moves)
{
    struct generator g;
    g.position = position;
    g.stm = position->stm;
    g.captures_only = false;
    g.next = moves;
    g.occupied = seebatch_occupied(position);
    g.own = seebatch_pieces_of_color(position, g.stm);
    g.enemy = g.occupied & ~g.own;
    g.king = king_square(position, g.stm);
    find_checks_and_pins(&g);
    return g;
}

bool seebatch_can_castle(const seebatch_position *position, int side, seebatch_move *move)
{
    struct generator g = generator_of(position, move);
    if (g.evasions == ~UINT64_C(0))
        castle(&g, side);
    return g.next != move;
}

static inline size_t generate(const seebatch_position *position, seebatch_move *moves, bool captures_only)
{
    struct generator g = generator_of(position, moves);
    g.captures_only = captures_only;

    uint64_t anywhere = captures_only ? g.enemy : ~g.own;
    if (g.evasions) {
        g.targets = anywhere & g.evasions;
        pawn_moves(&g);
        piece_moves(&g);
    }
    king_moves(&g, anywhere);
    if (!captures_only && g.evasions == ~UINT64_C(0)) {
        castle(&g, SEE_KINGSIDE);
        castle(&g, SEE_QUEENSIDE);
    }
    return (size_t)(g.next - moves);
}

size_t seebatch_legal_moves(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES])
{
    assert(seebatch_position_check(position, NULL) == SEEBATCH_OK);
    return generate(position, moves, false);
}

size_t seebatch_legal_captures(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES])
{
    assert(seebatch_position_check(position, NULL) == SEEBATCH_OK);
    return generate(position, moves, true);
}

/* The squares to which the pawn on a square may move or capture, except en passant. */
static uint64_t pawn_targets(const struct generator *g, int from)
{
    const bool white = g->stm == SEEBATCH_WHITE;
    const uint64_t empty = ~g->occupied;
    const uint64_t one_step = (white ? square_bb(from) << 8 : square_bb(from) >> 8) & empty;
    const uint64_t third_rank = white ? UINT64_C(0xff) << 16 : UINT64_C(0xff) << 40;
    const uint64_t two_steps = (white ? (one_step & third_rank) << 8 : (one_step & third_rank) >> 8) & empty;
    return (pawn_attacks(g->stm, from) & g->enemy) | one_step | two_steps;
}

bool seebatch_plainly_legal(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), promotion = seebatch_promotion(move);
    int to = seebatch_to(move);
    __asm__("" : "+r"(to)); /* otherwise gcc keeps it as two bytes, and waits for them when it loads four */
    const uint64_t last_ranks = first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK);
    struct generator g;
    g.position = position;
    g.stm = position->stm;
    g.occupied = seebatch_occupied(position);
    g.own = seebatch_pieces_of_color(position, g.stm);
    g.enemy = g.occupied & ~g.own;
    if (!(g.own & square_bb(from)))
        return false;

    const int type = seebatch_type_on(position, from);
    const bool promotes = type == SEEBATCH_PAWN && last_ranks & square_bb(to);
    if (promotes != (promotion >= SEEBATCH_KNIGHT && promotion <= SEEBATCH_QUEEN) || (!promotes && promotion))
        return false;
    if (type == SEEBATCH_KING) /* it does not shield the square behind it */
        return king_attacks(from) & ~g.own & square_bb(to) &&
               !attackers_of_color(position, to, !g.stm, (g.occupied ^ square_bb(from)) | square_bb(to));
    uint64_t targets = type == SEEBATCH_PAWN ? pawn_targets(&g, from) : piece_attacks(type, from, g.occupied);
    g.king = king_square(position, g.stm);
    find_checks_and_pins(&g);
    if (g.pinned & square_bb(from))
        targets &= shared_line(g.king, square_bb(from));
    return targets & ~g.own & g.evasions & square_bb(to);
}

bool seebatch_is_legal(const seebatch_position *position, seebatch_move move)
{
    assert(seebatch_position_check(position, NULL) == SEEBATCH_OK);
    if (move >> 15)
        return false;
    if (seebatch_plainly_legal(position, move))
        return true;
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(position, from);
    const bool en_passant = type == SEEBATCH_PAWN && to == position->ep_square;
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    size_t n = 0;
    for (int side = SEE_KINGSIDE; type == SEEBATCH_KING && side <= SEE_QUEENSIDE; side++)
        n += seebatch_can_castle(position, side, legal + n);
    if (en_passant)
        n = generate(position, legal, true);
    for (size_t i = 0; i < n; i++) {
        if (legal[i] == move)
            return true;
    }
    return false;
}

bool seebatch_in_check(const seebatch_position *position)
{
    assert(seebatch_position_check(position, NULL) == SEEBATCH_OK);
    int king = king_square(position, position->stm);
    return attackers_of_color(position, king, !position->stm, seebatch_occupied(position)) != 0;
}
