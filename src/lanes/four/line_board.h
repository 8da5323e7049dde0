/*
 * The board of a query in each of four lanes, and its setup (the lines in docs/internals/lanes.md). A query holds the
 * lines through its to-square, the target, because the sliders that attack the target stand on them. lanes/decide.h and
 * lanes/swap_loop.h read the queries.
 *
 * The files of this folder are the part of the kernel that instruction sets with four lanes share. The lanes.h of an
 * instruction set comes before them.
 */
#ifndef SEEBATCH_LANES_FOUR_LINE_BOARD_H
#define SEEBATCH_LANES_FOUR_LINE_BOARD_H

#include "operations.h"

#include "board/attacks.h"
#include "lanes/chunks.h"
#include "lanes/lane_rules.h"

/* What is needed of a target to find the sliders that attack it. */
struct lane_lines {
    lanes square, flipped; /* the target's bit, and that bit on the board upside down */
    lanes below;           /* squares with lower numbers */
    lanes below_on_rank;   /* the squares of its rank with lower numbers */
    lanes file, rank, diagonal, antidiagonal;
    lanes orthogonal_sliders, diagonal_sliders;
};

/* The subtraction of attacks.h along a line with one square on each rank: the pieces on the line, and what the
 * subtraction makes of them upward and downward. */
struct lane_subtraction {
    lanes pieces, up, down;
};

LANES_INLINE struct lane_subtraction subtract_along(const struct lane_lines *l, lanes line, lanes occupied)
{
    struct lane_subtraction s;
    s.pieces = lanes_and(occupied, line);
    s.up = lanes_sub(s.pieces, l->square);
    s.down = lanes_flip(lanes_sub(lanes_flip(s.pieces), l->flipped));
    return s;
}

/* Finds the nearest pieces along such a line: the subtractions clear their bits and no others. */
LANES_INLINE lanes nearest_on_steep(const struct lane_lines *l, lanes line, lanes occupied)
{
    const struct lane_subtraction s = subtract_along(l, line, occupied);
    return lanes_without(s.pieces, lanes_and(s.up, s.down));
}

/* Finds the nearest pieces along the rank. The target's square is not occupied. Upward this is the same subtraction, of
 * bytes, which leaves the other ranks as they are. Downward it is the highest bit of the one byte that is not empty. */
LANES_INLINE lanes nearest_on_rank(const struct lane_lines *l, lanes occupied)
{
    const lanes above = lanes_without(occupied, bytes_sub(occupied, l->square));
    return lanes_or(above, lanes_highest_bit(lanes_and(occupied, l->below_on_rank)));
}

/* The sliders among the occupied squares that attack the target, along files and ranks and along diagonals. The target
 * is not occupied. */
LANES_INLINE struct lane_sliders sliders_along(const struct lane_lines *l, lanes occupied)
{
    const lanes orthogonal = lanes_or(nearest_on_steep(l, l->file, occupied), nearest_on_rank(l, occupied));
    const lanes diagonal =
        lanes_or(nearest_on_steep(l, l->diagonal, occupied), nearest_on_steep(l, l->antidiagonal, occupied));
    const struct lane_sliders s = {lanes_and(orthogonal, l->orthogonal_sliders),
                                   lanes_and(diagonal, l->diagonal_sliders)};
    return s;
}

/* All sliders that attack the target. */
LANES_INLINE lanes lanes_sliders_to(const struct lane_lines *l, lanes occupied)
{
    const struct lane_sliders s = sliders_along(l, occupied);
    return lanes_or(s.orthogonal, s.diagonal);
}

/* A query in each lane. */
struct lane_queries {
    struct lane_lines lines;
    lanes pawns, knights, bishops, rooks, queens, kings;
    lanes pawns_knights, pawns_bishops_rooks, bishops_queens; /* with the knights, for least_valuable() */
    lanes white;
    lanes own, enemy;       /* pieces of the first mover and of his opponent */
    lanes occupied;         /* pieces that can take part: not the first mover, not the one captured */
    lanes leapers;          /* pawns, knights and kings that attack the target */
    lanes attackers;        /* leapers and sliders among the occupied squares */
    lanes gain, victim;     /* what the first move wins, and what stands on the target then */
    lane_mask no_recapture; /* gain is the value, and nothing stands on the target, or nothing of worth */
    lane_mask last_rank;    /* a pawn that captures becomes a queen */
};

LANES_INLINE lanes sliders_to(const struct lane_queries *q, lanes occupied)
{
    return lanes_sliders_to(&q->lines, occupied);
}

LANES_INLINE struct lane_sliders sliders_by_direction(const struct lane_queries *q, lanes occupied)
{
    return sliders_along(&q->lines, occupied);
}

/* The target's square, as the sets of a query name it. */
LANES_INLINE lanes target_of(const struct lane_queries *q) { return q->lines.square; }

#ifndef LANES_HAVE_PLANES_OF
/* Makes the planes of four positions: three of piece codes, and one of colour. */
LANES_INLINE void planes_of(const seebatch_position *const position[LANES], lanes plane[4])
{
    lanes_transpose(position[0], position[1], position[2], position[3], plane);
}
#endif

/* Where offsets and addresses have 64 bits, they are lanes. */
#if SIZE_MAX == UINT64_MAX

/* Expands four positions, none of which has more than eight queries. There is no branch, because a processor could not
 * predict it. */
LANES_INLINE void expand_four(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    const size_t *offsets = batch->offsets + at->i;
    for (size_t i = 0; i < LANES; i++) {
        const size_t start = offsets[i] - at->base;
        const uint64_t index = at->n_positions * UINT64_C(0x0101010101010101);
        chunk->position[at->n_positions] = batch->positions + at->i + i;
        chunk->start[at->n_positions] = (uint16_t)start;
        memcpy(chunk->index + start, &index, sizeof index);
        at->n_positions += offsets[i + 1] != offsets[i];
    }
    at->n = offsets[LANES] - at->base;
    at->i += LANES;
}

/* See see_expand_eight in chunks.h. */
LANES_INLINE bool expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    const size_t *offsets = batch->offsets + at->i;
    lanes counts[2];
    for (int half = 0; half < 2; half++)
        counts[half] = lanes_sub(lanes_load(offsets + LANES * half + 1), lanes_load(offsets + LANES * half));
    const lanes room = lanes_or(lanes_sub(lanes_all(8), counts[0]), lanes_sub(lanes_all(8), counts[1]));
    if (lanes_any(lanes_and(room, lanes_all(INT64_MIN))) || offsets[0] - at->base != at->n)
        return false;
    expand_four(batch, chunk, at);
    expand_four(batch, chunk, at);
    return true;
}
#endif

/* Pending queries are set up anew: to keep for longer what decide() knew costs every call more than some gain, and in
 * lists, to set up what is still open once more costs as much as is saved. Under legal captures they are decided
 * further all the same. This is the row DECIDES_FURTHER of the last table in docs/internals/lanes.md, with lines. */
enum { DECIDES_FURTHER = 0 };

/* Gathers words of positions of the chunk, one for each of the queries k to k + 3. */
LANES_INLINE lanes words_of_queries(const struct see_chunk *chunk, const uint64_t *word, size_t k)
{
    const uint8_t *index = chunk->index + k;
    return lanes_of((int64_t)word[index[0]], (int64_t)word[index[1]], (int64_t)word[index[2]], (int64_t)word[index[3]]);
}

/* The numbers of the squares that moves go to. */
LANES_INLINE lanes to_squares(lanes moves) { return lanes_and(lanes_shift_right(moves, 6), lanes_all(63)); }

/* Finds captures en passant: a pawn changes file onto an empty square. They are rare, so there is a branch. */
LANES_INLINE void capture_en_passant(const struct lane_rules *rules, struct lane_queries *q, lanes capturing_pawn,
                                     lane_mask empty, lanes moves)
{
    const lane_mask en_passant = mask_without(empty, lanes_empty(capturing_pawn));
    if (!lanes_any(en_passant))
        return;
    if (rules->en_passant_zero) {
        q->no_recapture = mask_or(q->no_recapture, en_passant);
        if (!notes_no_recapture(rules))
            q->victim = lanes_unless(en_passant, q->victim);
        return; /* the gain is 0: the to-square is empty */
    }
    const lanes victim = lanes_bit(lanes_xor(to_squares(moves), lanes_all(8)));
    if (!rules->en_passant_stands)
        q->occupied = lanes_without(q->occupied, lanes_and(victim, en_passant));
    q->gain = lanes_or(q->gain, lanes_and(rules->value[SEEBATCH_PAWN], en_passant));
}

/* Counts the first move's promotion. `bits` are those of the moves that name one. */
LANES_INLINE void promote(const struct lane_rules *rules, struct lane_queries *q, lanes bits)
{
    const lanes promotion = lanes_shift_right(bits, 12);
    if (rules->promotion_zero) {
        const lane_mask none = lanes_empty(promotion);
        q->gain = lanes_and(q->gain, none);
        if (!notes_no_recapture(rules))
            q->victim = lanes_and(q->victim, none);
        q->no_recapture = mask_or(q->no_recapture, mask_not(none));
        return;
    }
    lanes worth = q->victim;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        worth = lanes_select(lanes_equal(promotion, lanes_all(type)), rules->value[type], worth);
    q->gain = value_add(q->gain, value_sub(worth, q->victim));
    q->victim = worth;
}

/* Finds the moves that are plain captures: not castling as king takes rook, not en passant, and not a promotion if
 * those matter. */
LANES_INLINE lane_mask plain_moves(const struct lane_rules *rules, const struct lane_queries *q, lanes all,
                                   lanes to_bit, lanes capturing_pawn, lanes moves)
{
    const lanes castling = lanes_and(q->own, to_bit);
    const lanes en_passant = lanes_and(capturing_pawn, lanes_disjoint(all, to_bit));
    const lanes promotion = lanes_and(moves, lanes_all(rules->promotion_bits));
    return lanes_empty(lanes_or(lanes_or(castling, en_passant), promotion));
}

/* Four moves, with a word in each lane, the bits of their squares, and the rows of the table of squares for their
 * targets. */
struct lane_moves {
    lanes word, from, to;
    lanes row[4];
#ifdef LANES_LOAD_LINES
    lanes line[4];
#endif
};

LANES_INLINE struct lane_moves lane_moves_of(const seebatch_move move[LANES])
{
    const struct see_square *const square[4] = {
        &seebatch_squares[seebatch_to(move[0])], &seebatch_squares[seebatch_to(move[1])],
        &seebatch_squares[seebatch_to(move[2])], &seebatch_squares[seebatch_to(move[3])]};
    struct lane_moves m;
    m.word = load_words(move);
    lanes_transpose(square[0], square[1], square[2], square[3], m.row);
#ifdef LANES_LOAD_LINES
    lanes_transpose(&square[0]->file, &square[1]->file, &square[2]->file, &square[3]->file, m.line);
#endif
    m.from = lanes_bit(lanes_and(m.word, lanes_all(63)));
    m.to = lanes_bit(to_squares(m.word));
    return m;
}

/* The lines through the targets. */
LANES_INLINE struct lane_lines lines_of_targets(const lanes plane[4], const struct lane_moves *m)
{
    struct lane_lines l;
    l.square = m->to;
    l.flipped = lanes_flip(m->to);
    l.below = lanes_sub(m->to, lanes_all(1));
#ifdef LANES_LOAD_LINES
    l.file = m->line[0];
    l.rank = m->line[1];
#else
    l.file = lanes_shift_left_by(lanes_all(FILE_A), lanes_and(to_squares(m->word), lanes_all(7)));
    l.rank = lanes_xor(bytes_equal(m->to, lanes_zero()), lanes_all(-1));
#endif
    l.below_on_rank = lanes_and(l.below, l.rank);
    l.diagonal = m->row[0];
    l.antidiagonal = m->row[1];
    l.orthogonal_sliders = lanes_without(plane[1], plane[2]);
    l.diagonal_sliders = lanes_without(plane[0], plane[2]);
    return l;
}

/* Sets up four queries from the planes of their positions and the moves. If `plain` is not NULL, it becomes the mask of
 * the plain captures, and only those are set up; otherwise all moves are. */
LANES_INLINE struct lane_queries init_queries_of(const struct lane_rules *rules, const lanes plane[4],
                                                 const struct lane_moves *m, lane_mask *plain)
{
    struct lane_queries q;
    const lanes white = plane[3], knight_attacks_of = m->row[2], king_attacks_of = m->row[3];
    const lanes moves = m->word, from_bit = m->from, to_bit = m->to;

    /* The lines come first, because further down gcc would keep parts of them on the stack, and the decision would wait
     * for them. */
    q.lines = lines_of_targets(plane, m);
    const lanes all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]);
    q.occupied = lanes_without(all, lanes_or(from_bit, to_bit));
    q.gain = value_on(&rules->tables, plane, to_squares(moves), to_bit);
    q.victim = value_on(&rules->tables, plane, lanes_and(moves, lanes_all(63)), from_bit);
    q.pawns = lanes_without(plane[2], lanes_or(plane[0], plane[1]));
    q.knights = lanes_and(plane[2], plane[0]);
    q.kings = lanes_and(plane[2], plane[1]);
    q.queens = lanes_and(plane[0], plane[1]);
    q.bishops = lanes_without(plane[0], lanes_or(plane[1], plane[2]));
    q.rooks = lanes_without(plane[1], lanes_or(plane[0], plane[2]));
    q.pawns_knights = lanes_without(plane[2], plane[1]);
    q.pawns_bishops_rooks = lanes_xor(lanes_xor(plane[0], plane[1]), plane[2]);
    q.bishops_queens = plane[0];
    q.white = white;
    const lane_mask black_moves = lanes_disjoint(white, from_bit);
    q.enemy = lanes_xor(white, lanes_without(all, black_moves));
    q.own = lanes_xor(q.enemy, all);
    q.no_recapture = lanes_has_bit(q.kings, from_bit);

    /* A pawn attacks the target from one of the diagonal neighbours: a white one from below, a black one from above. */
    const lanes pawn_neighbours = lanes_and(lanes_and(king_attacks_of, lanes_or(m->row[0], m->row[1])), q.pawns);
    const lanes capturing_pawn = lanes_and(pawn_neighbours, from_bit);
    const lanes promotions = lanes_all(rules->promotion_bits);
    if (plain) {
        *plain = plain_moves(rules, &q, all, to_bit, capturing_pawn, moves);
    } else if (lanes_any(lanes_or(lanes_without(to_bit, q.enemy), lanes_and(moves, promotions)))) {
        capture_en_passant(rules, &q, capturing_pawn, lanes_disjoint(all, to_bit), moves);
        promote(rules, &q, lanes_and(moves, promotions));
        q.gain = lanes_and(q.gain, lanes_disjoint(q.own, to_bit)); /* castling, as king takes rook */
    }
    q.last_rank = mask_not(lanes_disjoint(to_bit, lanes_all((int64_t)0xff000000000000ff)));

    q.leapers = lanes_or(lanes_or(lanes_and(knight_attacks_of, q.knights), lanes_and(king_attacks_of, q.kings)),
                         lanes_without(pawn_neighbours, lanes_xor(white, q.lines.below)));
    q.attackers = lanes_or(lanes_and(q.leapers, q.occupied), lanes_sliders_to(&q.lines, q.occupied));
    return q;
}

LANES_INLINE struct lane_queries init_queries(const struct lane_rules *rules, const lanes plane[4],
                                              const seebatch_move move[LANES], lane_mask *plain)
{
    const struct lane_moves moves = lane_moves_of(move);
    return init_queries_of(rules, plane, &moves, plain);
}

/* Keeps only the lanes of the queries that are decided at once: all, or the lower half if there are not enough
 * registers. The other lanes are empty then, and the compiler leaves out what only they would need. */
LANES_INLINE lanes lanes_used(lanes a)
{
    return (int)DECIDED_AT_ONCE == (int)LANES ? a : lanes_halves(a, lanes_zero());
}

/* The first DECIDED_AT_ONCE queries. */
LANES_INLINE struct lane_queries init_decided(const struct lane_rules *rules, const lanes plane[4],
                                              const seebatch_move move[LANES])
{
    struct lane_moves moves = lane_moves_of(move);
    moves.word = lanes_used(moves.word);
    moves.from = lanes_used(moves.from);
    moves.to = lanes_used(moves.to);
    const lanes used[4] = {lanes_used(plane[0]), lanes_used(plane[1]), lanes_used(plane[2]), lanes_used(plane[3])};
    return init_queries_of(rules, used, &moves, NULL);
}

LANES_INLINE struct lane_queries init_queries_on(const struct lane_rules *rules,
                                                 const seebatch_position *const position[LANES],
                                                 const seebatch_move move[LANES])
{
    lanes plane[4];
    planes_of(position, plane);
    return init_queries(rules, plane, move, NULL);
}

/* Registers of four lanes are not filled in part: all moves of one are read. */
enum { PARTIAL_LANES = 0 };

LANES_INLINE struct lane_queries init_queries_of_position(const struct lane_rules *rules,
                                                          const seebatch_position *position, const lanes plane[4],
                                                          const seebatch_move *move, size_t n, bool partial,
                                                          lane_mask *plain)
{
    (void)position, (void)n, (void)partial;
    return init_queries(rules, plane, move, plain);
}

LANES_INLINE void store_partial(int16_t *value, lanes values, size_t n)
{
    int16_t all[LANES];
    store_values(all, values);
    copy_values(value, all, n);
}

/* The sets of a query are those of the board. */
LANES_INLINE lanes seen_from_target(const struct lane_queries *q, lanes squares) { return (void)q, squares; }

LANES_INLINE lanes lowest_square_of(const struct lane_queries *q, lanes set)
{
    return (void)q, lanes_and(set, lanes_sub(lanes_zero(), set));
}

/*
 * Three questions are asked in turn, each about those pieces that the one before has left, if there are any. Are there
 * pawns or knights? Are there pawns, bishops or rooks? Are there bishops or queens? The planes have the answers as they
 * are.
 */
LANES_INLINE struct lane_least least_valuable(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    const lanes question[3] = {q->pawns_knights, q->pawns_bishops_rooks, q->bishops_queens};
    struct lane_least least = {set, lanes_zero()};
    lane_mask none[3];
    for (int i = 0; i < 3; i++) {
        const lanes those = lanes_and(least.pieces, question[i]);
        none[i] = lanes_empty(those);
        least.pieces = lanes_select(none[i], least.pieces, those);
    }
    least.value = value_of_least(&rules->tables, none);
    return least;
}

#endif
