/*
 * Finds on the lines of four lanes whether a king may keep a piece from capturing: king_blockers_of() first for whole
 * positions, with squares that may turn out not to matter, then snipers_of() for single queries. lane_chunks.h,
 * lanes/one_position.h and lanes/pending_queries.h call these functions.
 */
#ifndef SEEBATCH_LANES_FOUR_LINE_KINGS_H
#define SEEBATCH_LANES_FOUR_LINE_KINGS_H

#include "line_board.h"

/* Kings with the lines through their squares: rows of the table of squares, from its beginning and from the file on. */
LANES_INLINE struct lane_lines lines_of_kings_on(lanes kings, const lanes first[4], const lanes second[4])
{
    struct lane_lines l;
    l.square = kings;
    l.flipped = lanes_flip(l.square);
    l.below = lanes_sub(l.square, lanes_all(1));
    l.diagonal = first[0];
    l.antidiagonal = first[1];
    l.file = second[0];
    l.rank = second[1];
    l.below_on_rank = lanes_and(l.below, l.rank);
    return l;
}

/* Finds the kings of one colour in four positions, with their lines. All sets are empty where there is no king. `kings`
 * are the same kings in lanes. */
LANES_INLINE struct lane_lines lines_of_kings(const seebatch_position *const position[4], int color, lanes kings)
{
    const struct see_square *square[4];
    for (int i = 0; i < 4; i++) {
        const seebatch_position *p = position[i];
        square[i] = &seebatch_squares[lowest_bit(p->plane[1] & p->plane[2] & (color ? ~p->white : p->white))];
    }
    lanes first[4], second[4];
    lanes_transpose(square[0], square[1], square[2], square[3], first);
    lanes_transpose(&square[0]->file, &square[1]->file, &square[2]->file, &square[3]->file, second);
    return lines_of_kings_on(kings, first, second);
}

/* Keeps the squares of a line if one of the sliders stands on the line. */
LANES_INLINE lanes squares_with(lanes squares, lanes line, lanes sliders)
{
    return lanes_without(squares, lanes_disjoint(line, sliders));
}

/*
 * Finds the pieces of four positions whose leaving may matter to a king: those on his lines along which an enemy slider
 * could attack him if the board were empty. For a check to open, the nearest piece to the king must leave, so the
 * squares of each line up to that piece are enough. Under rules with pins only his own pieces are pinned; but a piece
 * behind a checking slider may count as pinned there, so all of the line is taken.
 */
LANES_INLINE lanes king_blockers_of(const struct lane_rules *rules, const lanes plane[4],
                                    const seebatch_position *const position[LANES])
{
    const lanes orthogonal_sliders = lanes_without(plane[1], plane[2]),
                diagonal_sliders = lanes_without(plane[0], plane[2]);
    const lanes all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]), white = plane[3];
    const lanes kings = lanes_and(plane[1], plane[2]);
    lanes blockers[2];
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const lanes kings_of_color = color ? lanes_without(kings, white) : lanes_and(kings, white);
        const struct lane_lines l = lines_of_kings(position, color, kings_of_color);
        const lanes rooks = color ? lanes_and(orthogonal_sliders, white) : lanes_without(orthogonal_sliders, white);
        const lanes bishops = color ? lanes_and(diagonal_sliders, white) : lanes_without(diagonal_sliders, white);
        lanes file = l.file, rank = l.rank, diagonal = l.diagonal, antidiagonal = l.antidiagonal;
        if (!rules->reads_pins) {
            const lanes others = lanes_without(all, kings_of_color);
            file = nearest_on_steep(&l, file, others);
            rank = nearest_on_rank(&l, others);
            diagonal = nearest_on_steep(&l, diagonal, others);
            antidiagonal = nearest_on_steep(&l, antidiagonal, others);
        }
        blockers[color] = lanes_or(
            lanes_or(squares_with(file, l.file, rooks), squares_with(rank, l.rank, rooks)),
            lanes_or(squares_with(diagonal, l.diagonal, bishops), squares_with(antidiagonal, l.antidiagonal, bishops)));
    }
    if (rules->reads_pins && !rules->either)
        return lanes_or(lanes_and(blockers[SEEBATCH_WHITE], white), lanes_without(blockers[SEEBATCH_BLACK], white));
    return lanes_or(blockers[SEEBATCH_WHITE], blockers[SEEBATCH_BLACK]);
}

/* The pieces that capture, or that may capture once others have left. */
LANES_INLINE lanes possible_attackers(const struct lane_queries *q)
{
    const struct lane_lines *l = &q->lines;
    const lanes aligned = lanes_or(lanes_and(lanes_or(l->file, l->rank), l->orthogonal_sliders),
                                   lanes_and(lanes_or(l->diagonal, l->antidiagonal), l->diagonal_sliders));
    return lanes_and(lanes_or(q->leapers, aligned), q->occupied);
}

/* Finds all squares up to and including the first that is occupied, along a file or a diagonal of a king. */
LANES_INLINE lanes steep_region(const struct lane_lines *l, lanes line, lanes occupied)
{
    const struct lane_subtraction s = subtract_along(l, line, occupied);
    return lanes_and(lanes_xor(s.up, s.down), line);
}

/* Does the same along the king's rank. */
LANES_INLINE lanes rank_region(const struct lane_lines *l, lanes occupied)
{
    const lanes blockers = lanes_and(occupied, l->rank);
    const lanes above = lanes_xor(lanes_sub(blockers, l->square), blockers);
    const lanes below = l->below_on_rank;
    /* where nothing stands, the edge of the board ends the line */
    const lanes edge = lanes_and(below, lanes_sub(lanes_zero(), below));
    const lanes nearest = lanes_highest_bit(lanes_or(lanes_and(blockers, below), edge));
    return lanes_or(lanes_and(above, l->rank), lanes_without(below, lanes_sub(nearest, lanes_all(1))));
}

/* The sliders that attack the king when only these squares are occupied. */
LANES_INLINE lanes sliders_at_king(const struct lane_lines *l, lanes occupied, lanes sliders)
{
    const lanes orthogonal = lanes_or(steep_region(l, l->file, occupied), rank_region(l, occupied));
    const lanes diagonal = lanes_or(steep_region(l, l->diagonal, occupied), steep_region(l, l->antidiagonal, occupied));
    return lanes_and(sliders,
                     lanes_or(lanes_and(orthogonal, l->orthogonal_sliders), lanes_and(diagonal, l->diagonal_sliders)));
}

/* The squares between a king and a square on one of his lines. */
LANES_INLINE lanes between(const struct lane_lines *l, lanes square)
{
    const lanes lower = lanes_sub(square, lanes_all(1));
    const lanes line =
        lanes_or(lanes_or(squares_with(l->file, l->file, square), squares_with(l->rank, l->rank, square)),
                 lanes_or(squares_with(l->diagonal, l->diagonal, square),
                          squares_with(l->antidiagonal, l->antidiagonal, square)));
    return lanes_without(lanes_and(line, lanes_xor(l->below, lower)), square);
}

/*
 * Finds the enemy sliders that attack a king when every piece that may leave is gone. Rules with pins concern the board
 * before the first move, and the king's own pieces, x-rays included. Under the other rules what stands on the to-square
 * shields the king to the end; of the x-ray sliders those may leave that stand right behind the attackers. If
 * in_between is not NULL, it becomes the squares between the king and the slider, if it is one.
 */
LANES_INLINE lanes snipers_of(const struct lane_rules *rules, const struct lane_queries *q, lanes xray,
                              const seebatch_position *const position[LANES], int color, lanes *in_between)
{
    const lanes all = lanes_or(q->own, q->enemy);
    const lanes stay = lanes_or(lanes_without(q->occupied, lanes_or(q->attackers, xray)), q->lines.square);
    const lanes his = color ? lanes_without(all, q->white) : q->white;
    struct lane_lines l = lines_of_kings(position, color, lanes_and(q->kings, his));
    l.orthogonal_sliders = q->lines.orthogonal_sliders;
    l.diagonal_sliders = q->lines.diagonal_sliders;
    const lanes occupied =
        rules->reads_pins ? lanes_without(all, lanes_and(possible_attackers(q), rules->either ? all : his)) : stay;
    const lanes snipers = sliders_at_king(&l, occupied, lanes_without(rules->reads_pins ? all : q->occupied, his));
    if (in_between)
        *in_between = between(&l, snipers);
    return snipers;
}

#endif
