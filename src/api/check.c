/*
 * Checks whether a move is one that the evaluation accepts, for the debug mode of check.h.
 *
 * Only the board is read, as in the evaluation. The side to move is that of the moving piece, and engines that fill in
 * only a board have neither an en passant square nor castling rights to show. So captures en passant and castling are
 * accepted if the pieces stand in the right places. Everything else is decided by the rules of the game, independently
 * of the move generator, with which a test compares the results.
 */
#include "check.h"
#include "board/position.h"
#include "sentence.h"
#include "dispatch/host.h"

/* A move, and the board that it is made on. */
struct step {
    const seebatch_position *position;
    int from, to, promotion;
    int type, color; /* of the moving piece */
    uint64_t own, enemy, occupied;
};

static bool is_set(uint64_t set, int square) { return set >> square & 1; }

/* The square of a pawn that the move captures in passing, or SEEBATCH_NO_SQUARE. The pawn has just made its double
 * step, over the to-square and from the square behind it. */
static int passed_pawn(const struct step *m)
{
    const int up = m->color == SEEBATCH_WHITE ? 8 : -8, victim = m->to - up;
    const bool sixth_rank = m->to >> 3 == (m->color == SEEBATCH_WHITE ? 5 : 2);
    const uint64_t pawns = seebatch_pieces_of_type(m->position, SEEBATCH_PAWN) & m->enemy;
    return m->type == SEEBATCH_PAWN && is_set(pawn_attacks(m->color, m->from), m->to) && sixth_rank &&
                   is_set(pawns, victim) && !is_set(m->occupied, m->to) && !is_set(m->occupied, m->to + up)
               ? victim
               : SEEBATCH_NO_SQUARE;
}

static bool pawn_moves_so(const struct step *m)
{
    const int up = m->color == SEEBATCH_WHITE ? 8 : -8;
    if (is_set(pawn_attacks(m->color, m->from), m->to))
        return is_set(m->enemy, m->to) || passed_pawn(m) != SEEBATCH_NO_SQUARE;
    const bool one_step = m->to == m->from + up && !is_set(m->occupied, m->to);
    const bool two_steps = m->from >> 3 == (m->color == SEEBATCH_WHITE ? 1 : 6) && m->to == m->from + 2 * up &&
                           !is_set(m->occupied, m->from + up) && !is_set(m->occupied, m->to);
    return one_step || two_steps;
}

/* The rook with which a king's move castles, as king takes rook or by two files, or SEEBATCH_NO_SQUARE. */
static int castling_rook_of(const struct step *m)
{
    const uint64_t rank = first_rank(m->color);
    const uint64_t rooks = seebatch_pieces_of_type(m->position, SEEBATCH_ROOK) & m->own & rank;
    if (m->type != SEEBATCH_KING || !is_set(rank, m->from) || !is_set(rank, m->to))
        return SEEBATCH_NO_SQUARE;
    if (is_set(rooks, m->to))
        return m->to;
    const uint64_t beside = m->to > m->from ? rooks & ~(square_bb(m->from) - 1) : rooks & (square_bb(m->from) - 1);
    const bool two_files = (m->from & 7) == 4 && (m->to == m->from + 2 || m->to == m->from - 2);
    if (!two_files || !beside)
        return SEEBATCH_NO_SQUARE;
    return m->to > m->from ? 63 - __builtin_clzll(beside) : lowest_square(beside);
}

/* The squares of a rank from one square to another, both included. */
static uint64_t span(int a, int b) { return squares_between(a, b) | square_bb(a) | square_bb(b); }

/* Whether the way is free for castling with a rook and, if it has to be safe, no square on the king's way attacked. */
static const char *castling_fault(const struct step *m, int rook, bool safe)
{
    const int side = rook > m->from ? SEE_KINGSIDE : SEE_QUEENSIDE;
    const int king_to = castled_king_square(m->color, side), rook_to = castled_rook_square(m->color, side);
    const uint64_t two = square_bb(m->from) | square_bb(rook);
    if ((span(m->from, king_to) | span(rook, rook_to)) & m->occupied & ~two)
        return "a piece stands in the way of castling";
    for (uint64_t way = span(m->from, king_to); way && safe;) {
        if (attackers_of_color(m->position, pop_lsb(&way), !m->color, m->occupied & ~square_bb(m->from)))
            return "the king may not castle out of, through or into check";
    }
    const uint64_t after = (m->occupied & ~two) | square_bb(king_to) | square_bb(rook_to);
    if (safe && attackers_of_color(m->position, king_to, !m->color, after))
        return "the king may not castle into check";
    return NULL;
}

static bool moves_so(const struct step *m)
{
    return m->type == SEEBATCH_PAWN ? pawn_moves_so(m) : is_set(piece_attacks(m->type, m->from, m->occupied), m->to);
}

/* Whether the move leaves its own king, if there is one, attacked. */
static bool leaves_king_in_check(const struct step *m)
{
    const uint64_t kings = seebatch_pieces_of_type(m->position, SEEBATCH_KING) & m->own;
    if (!kings)
        return false;
    const int victim = passed_pawn(m), king = m->type == SEEBATCH_KING ? m->to : lowest_square(kings);
    uint64_t after = (m->occupied & ~square_bb(m->from)) | square_bb(m->to);
    if (victim != SEEBATCH_NO_SQUARE)
        after &= ~square_bb(victim);
    return attackers_of_color(m->position, king, !m->color, after) & ~square_bb(m->to);
}

/* Whether the king of the other side is attacked before the move. */
static bool could_capture_king(const struct step *m)
{
    const uint64_t kings = seebatch_pieces_of_type(m->position, SEEBATCH_KING) & m->enemy;
    return kings && attackers_of_color(m->position, lowest_square(kings), m->color, m->occupied);
}

const char *seebatch_move_fault(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                bool pseudo_legal_will_do)
{
    struct step m;
    /* Under rules of legal captures, only a legal move has a value: the rules do not say how an exchange goes on after
     * any other move. */
    pseudo_legal_will_do = pseudo_legal_will_do && !(rules && rules->pins == SEEBATCH_PINS_LEGAL);
    m.position = position;
    m.from = seebatch_from(move);
    m.to = seebatch_to(move);
    m.promotion = seebatch_promotion(move);
    m.type = seebatch_type_on(position, m.from);
    m.color = seebatch_color_on(position, m.from);
    m.occupied = seebatch_occupied(position);
    m.own = seebatch_pieces_of_color(position, m.color);
    m.enemy = m.occupied & ~m.own;
    if (move >> 15 || m.promotion > SEEBATCH_QUEEN)
        return "its bits are not those of a move: bit 15 must be 0, and bits 12-14 at most 4";
    if (m.type == SEEBATCH_NO_PIECE)
        return "there is no piece on its from-square";
    if ((m.promotion != 0) != (m.type == SEEBATCH_PAWN && (m.to < 8 || m.to >= 56)))
        return "a move promotes if and only if a pawn reaches the last rank";
    const int rook = castling_rook_of(&m);
    if (rook != SEEBATCH_NO_SQUARE)
        return castling_fault(&m, rook, !pseudo_legal_will_do);
    if (is_set(m.own, m.to))
        return "a piece of its own side stands on its to-square";
    if (m.enemy & seebatch_pieces_of_type(position, SEEBATCH_KING) & square_bb(m.to))
        return "it captures the king";
    if (!moves_so(&m))
        return "the piece does not move so";
    if (!pseudo_legal_will_do && leaves_king_in_check(&m))
        return "it leaves its own king in check";
    if (rules && rules->pins == SEEBATCH_PINS_LEGAL && could_capture_king(&m))
        return "the king of the other side is in check already, and cannot be when this side moves";
    return NULL;
}

const char *seebatch_board_fault(const seebatch_rules *rules, const seebatch_position *position)
{
    if (position->plane[0] & position->plane[1] & position->plane[2])
        return "a square has the code 7, which means no piece";
    if (position->white & ~seebatch_occupied(position))
        return "an empty square is marked as white";
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const int kings = __builtin_popcountll(pieces_of(position, color, SEEBATCH_KING));
        if (kings > 1)
            return "a side has more than one king";
        if (kings == 0 && rules->pins == SEEBATCH_PINS_LEGAL)
            return "a side has no king, which rules of legal captures do not allow";
    }
    return NULL;
}

void seebatch_check_queries(const seebatch_rules *rules, const seebatch_batch *batch, bool pseudo_legal_will_do)
{
    for (size_t i = 0; i < batch->n_positions; i++) {
        const seebatch_position *position = &batch->positions[i];
        char fen[SEEBATCH_FEN_SIZE], uci[6] = "";
        const char *fault = NULL;
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1] && !fault; k++) {
            fault = seebatch_board_fault(rules, position);
            if (fault)
                break;
            fault = seebatch_move_fault(rules, position, batch->moves[k], pseudo_legal_will_do);
            if (seebatch_promotion(batch->moves[k]) <= SEEBATCH_QUEEN)
                seebatch_move_to_uci(batch->moves[k], uci);
        }
        if (!fault)
            continue;
        seebatch_position_to_fen(position, fen);
        char sentence[512];
        seebatch_format(sentence, sizeof sentence, "position %zu, %s%s%s: %s", i, fen, *uci ? ", move " : "", uci,
                        fault);
        see_stop(sentence);
    }
}
