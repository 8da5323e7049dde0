/*
 * Finds on rotated boards whether a king may keep a piece from capturing: king_blockers_of() first for whole positions,
 * with squares that may turn out not to matter, then snipers_of() for single queries. lanes/one_position.h and
 * lanes/pending_queries.h call these functions; lanes/four/line_kings.h has them for four lanes.
 */
#ifndef SEEBATCH_AVX512_ROTATED_KINGS_H
#define SEEBATCH_AVX512_ROTATED_KINGS_H

#include "rotated_board.h"

/* The square of the only king in each lane, or another square where there is none. */
LANES_INLINE lanes square_of(lanes king) { return lanes_sub(lanes_all(63), _mm512_lzcnt_epi64(king)); }

/* The squares of the lines through the square that is bit 0, without it. */
struct lines {
    lanes file, rank, rising, falling;
};

LANES_INLINE struct lines lines_of(struct view view)
{
    const lanes up = view.up, right = view.right;
    struct lines l;
    l.file = lanes_all(RAY(8));
    l.rank = lanes_merge(right, lanes_all(RAY(1)), lanes_all(RAY(-1)));
    l.rising = lanes_merge(up, lanes_and(right, lanes_all(RAY(9))), lanes_without(lanes_all(RAY(-9)), right));
    l.falling = lanes_merge(up, lanes_without(lanes_all(RAY(7)), right), lanes_and(right, lanes_all(RAY(-7))));
    return l;
}

/* Adds the pieces on a line to the blockers where one of the sliders stands on it. */
LANES_INLINE lanes with_blockers(lanes blockers, lanes pieces, lanes line, lanes sliders)
{
    return _mm512_mask_ternarylogic_epi64(blockers, lanes_meet(line, sliders), pieces, line, A | (B & C));
}

/*
 * The pieces of positions whose leaving may matter to a king of one side: for a check to open, the nearest piece on one
 * of his rays must leave, and there must be an enemy slider on the line. Under rules with pins a checking slider is no
 * piece that pins others; what stands behind it may count as pinned. Where there is no king, pieces may be found, too,
 * which does no harm.
 */
LANES_INLINE lanes blockers_of_side(const struct lane_rules *rules, const lanes plane[4], lanes all, lanes his)
{
    const lanes king = LANES_LOGIC(his, plane[1], plane[2], A & B & C), square = square_of(king);
    const lanes rooks = LANES_LOGIC(plane[1], plane[2], his, A & ~(B | C));
    const lanes bishops = LANES_LOGIC(plane[0], plane[2], his, A & ~(B | C));
    const lanes orthogonal = _mm512_rorv_epi64(rooks, square), diagonal = _mm512_rorv_epi64(bishops, square);
    const lanes occupied = _mm512_rorv_epi64(all, square);
    const bool passes_over = rules->reads_pins && see_pin_rule_passes_over(rules->scalar->pins);
    const lanes on_orthogonals = passes_over ? lanes_without(occupied, orthogonal) : occupied;
    const lanes on_diagonals = passes_over ? lanes_without(occupied, diagonal) : occupied;
    const struct view view = view_from(square);
    const struct lines l = lines_of(view);
    const struct nearest n = nearest_pieces(view, on_orthogonals, on_diagonals);
    lanes e = lanes_zero();
    e = with_blockers(e, n.orthogonal, l.file, orthogonal);
    e = with_blockers(e, n.orthogonal, l.rank, orthogonal);
    e = with_blockers(e, n.diagonal, l.rising, diagonal);
    e = with_blockers(e, n.diagonal, l.falling, diagonal);
    return _mm512_rolv_epi64(e, square);
}

/* Finds the pieces of eight positions whose leaving may matter to a king. Under rules with pins only his own pieces are
 * pinned. */
LANES_INLINE lanes king_blockers_of(const struct lane_rules *rules, const lanes plane[4],
                                    const seebatch_position *const position[LANES])
{
    (void)position;
    const lanes all = lanes_or3(plane[0], plane[1], plane[2]), white = plane[3], black = lanes_xor(all, white);
    const lanes of_white = blockers_of_side(rules, plane, all, white),
                of_black = blockers_of_side(rules, plane, all, black);
    return rules->reads_pins && !rules->either ? lanes_merge(white, of_white, lanes_and(of_black, black))
                                               : lanes_or(of_white, of_black);
}

/* The pieces that capture, or that may capture once others have left. */
LANES_INLINE lanes possible_attackers(const struct lane_queries *q)
{
    const struct lines l = lines_of(q->view);
    const lanes orthogonal = lanes_or(l.file, l.rank), diagonal = lanes_or(l.rising, l.falling);
    const lanes aligned =
        lanes_without(LANES_LOGIC(lanes_and(orthogonal, q->plane[1]), diagonal, q->plane[0], A | (B & C)), q->plane[2]);
    return LANES_LOGIC(q->leapers, aligned, q->occupied, (A | B) & C);
}

/* The squares between the square that is bit 0 and another square on a line with it, if there is one; `beyond` gets the
 * squares after that one. */
LANES_INLINE lanes between(struct view view, lanes square, lanes *beyond)
{
    const struct lines l = lines_of(view);
    lanes line = lanes_select(lanes_meet(l.file, square), l.file, l.rank);
    line = lanes_select(lanes_meet(l.rising, square), l.rising, line);
    line = lanes_select(lanes_meet(l.falling, square), l.falling, line);
    const lanes lower = lanes_sub(square, lanes_all(1)), higher = lanes_xor(lanes_all(-1), lanes_xor(square, lower));
    const lane_mask up = lanes_meet(square, view.up);
    const lanes half = lanes_select(up, lanes_and(line, view.up), lanes_without(line, view.up));
    const lanes ray = lanes_unless(lanes_empty(square), half);
    *beyond = lanes_and(ray, lanes_select(up, higher, lower));
    return lanes_and(ray, lanes_select(up, lower, higher));
}

/*
 * Finds the enemy sliders that attack a king when every piece that may leave is gone. Rules with pins concern the board
 * before the first move, and the king's own pieces, x-rays included. Under the other rules what stands on the to-square
 * shields the king to the end; of the x-ray sliders those may leave that stand right behind the attackers. If
 * in_between is not NULL, it becomes the squares between the king and the slider, if it is one; then sliders behind it
 * are found, too.
 */
LANES_INLINE lanes snipers_of(const struct lane_rules *rules, const struct lane_queries *q, lanes xray,
                              const seebatch_position *const position[LANES], int color, lanes *in_between)
{
    (void)position;
    const lanes all = lanes_or(q->own, q->enemy);
    const lanes stay = lanes_or(lanes_without(q->occupied, lanes_or(q->attackers, xray)), target_of(q));
    const lanes his = color ? lanes_without(all, q->white) : q->white;
    const lanes king = lanes_and(q->kings, his), square = square_of(king);
    const lanes occupied =
        rules->reads_pins ? lanes_without(all, lanes_and(possible_attackers(q), rules->either ? all : his)) : stay;
    const lanes snipers = lanes_without(lanes_without(rules->reads_pins ? all : q->occupied, his), q->plane[2]);
    /* A slider that may leave shields the king only from what it is itself. */
    const lanes rooks = lanes_and(snipers, q->plane[1]), bishops = lanes_and(snipers, q->plane[0]);
    const lanes on_orthogonals = _mm512_rorv_epi64(lanes_or(occupied, rooks), square);
    const lanes on_diagonals = _mm512_rorv_epi64(lanes_or(occupied, bishops), square);
    const struct view view = view_from(_mm512_add_epi64(square, q->to));
    const struct nearest n = nearest_pieces(view, on_orthogonals, on_diagonals);
    const lanes orthogonal = _mm512_rolv_epi64(n.orthogonal, square), diagonal = _mm512_rolv_epi64(n.diagonal, square);
    lanes found = LANES_LOGIC(lanes_and(orthogonal, rooks), diagonal, bishops, A | (B & C));
    if (in_between) {
        lanes beyond;
        *in_between = _mm512_rolv_epi64(between(view, _mm512_rorv_epi64(found, square), &beyond), square);
        beyond =
            lanes_and(_mm512_rolv_epi64(beyond, square), lanes_select(lanes_meet(orthogonal, found), rooks, bishops));
        found = _mm512_mask_or_epi64(found, lanes_disjoint(found, stay), found, beyond);
    }
    return lanes_unless(lanes_empty(king), found);
}

#endif
