/*
 * Finds and plays the usual moves of games, compiled for any processor and again for those with AVX2 and BMI2.
 *
 * As in a binpack's movetext, which piece moves cannot be guessed, so that branching on its type costs more than
 * working out what a piece of any type could do.
 */
#include "fast_moves.h"

#include "chess/san_origins.h"

static void lose_right(seebatch_position *position, int color, int square, bool all)
{
    uint8_t *rook = position->castling_rook[color];
    for (int side = 0; side < 2; side++)
        rook[side] = all || rook[side] == square ? SEEBATCH_NO_SQUARE : rook[side];
}

/* The board after a move, from the side that moved. */
struct board_after {
    uint64_t plane[3], own, enemy;
};

/* Moves a piece that can go there; false if that leaves its king attacked. */
EACH_PROCESSOR bool move_piece(const seebatch_position *position, const struct mover *mover, int from, int to,
                               struct board_after *after, enum means by)
{
    const uint64_t target = square_bb(to), from_to = square_bb(from) | target;
    const uint64_t occupied = seebatch_occupied(position);
    const uint64_t before = seebatch_pieces_of_color(position, position->stm);
    after->own = (before & ~from_to) | target;
    after->enemy = occupied & ~before & ~target;
    move_in_planes(after->plane, position->plane, mover, from_to, target);
    const int king = lowest_square(after->own & after->plane[1] & after->plane[2]);
    return !attackers_among(after->plane, after->enemy, !position->stm, king, after->own | after->enemy, by);
}

/* Plays a move that the piece can make, whether or not that leaves its king in check. */
EACH_PROCESSOR bool play_pseudo_legal(seebatch_position *position, const struct mover *mover, int from, int to,
                                      enum means by)
{
    enum { TWO_STEPS = 16 }; /* from and to differ in this bit alone; of a pawn, only where it takes two */
    const uint64_t captured = seebatch_occupied(position) & square_bb(to);
    const int stm = position->stm;
    struct board_after after;
    if (!move_piece(position, mover, from, to, &after, by))
        return false;
    memcpy(position->plane, after.plane, sizeof after.plane);
    position->white = stm == SEEBATCH_WHITE ? after.own : after.enemy;
    lose_right(position, stm, from, mover->as_king);
    lose_right(position, !stm, to, false);
    const bool pawn = mover->as_pawn, two_steps = pawn && (from ^ to) == TWO_STEPS;
    position->ep_square = (uint8_t)(two_steps ? (from + to) / 2 : SEEBATCH_NO_SQUARE);
    position->halfmove_clock =
        (uint16_t)(pawn || captured ? 0 : position->halfmove_clock + (position->halfmove_clock < UINT16_MAX));
    position->fullmove_number =
        (uint16_t)(position->fullmove_number + (stm == SEEBATCH_BLACK && position->fullmove_number < UINT16_MAX));
    position->stm = (uint8_t)!stm;
    return true;
}

/* Whether the piece on a square can go to another and does not promote. The safety of its king is not looked at. */
EACH_PROCESSOR bool can_go(const seebatch_position *position, const struct mover *mover, int from, int to,
                           enum means by)
{
    const uint64_t occupied = seebatch_occupied(position), own = seebatch_pieces_of_color(position, position->stm);
    const uint64_t targets = targets_of(mover, from, position->stm, own, occupied, occupied & ~own, by);
    const bool promotes = mover->as_pawn && (to < 8 || to >= 56);
    return own & square_bb(from) && targets & square_bb(to) && !promotes;
}

EACH_PROCESSOR bool play_move(seebatch_position *position, int from, int to, enum means by)
{
    const struct mover *const mover = mover_on(position->plane, from);
    return can_go(position, mover, from, to, by) && play_pseudo_legal(position, mover, from, to, by);
}

/* ---- SAN --------------------------------------------------------------------------------------------------------- */

/* What a text says of a move. */
struct said {
    const struct mover *mover;
    uint64_t from; /* where it may come from */
    int to;
    bool captures;
};

/* Gives the codes of pieces by their letters, plus 8; pawns have none. */
static const uint8_t code_of_letter['R' - 'B' + 1] = {
    ['B' - 'B'] = 8 | 1, ['K' - 'B'] = 8 | 6, ['N' - 'B'] = 8 | 5, ['Q' - 'B'] = 8 | 3, ['R' - 'B'] = 8 | 2};

/* False if it is not one of the usual forms. */
EACH_PROCESSOR bool take_apart(const char *text, size_t length, struct said *said)
{
    const char *end = text + length;
    unsigned code = 4;
    said->from = ~UINT64_C(0);
    said->captures = false;
    end -= length > 0 && (end[-1] == '+' || end[-1] == '#');
    if (end - text < 2)
        return false;
    const unsigned letter = (unsigned)(*text - 'B');
    if (letter < sizeof code_of_letter && code_of_letter[letter] != 0) {
        code = code_of_letter[letter];
        text++;
    }
    const unsigned rank = (unsigned)(end[-1] - '1'), file = (unsigned)(end[-2] - 'a');
    if (end - text < 2 || rank > 7 || file > 7)
        return false;
    end -= 2;
    said->to = (int)(8 * rank + file);
    said->captures = text < end && end[-1] == 'x';
    end -= said->captures;
    if (text < end && (unsigned)(*text - 'a') < 8)
        said->from &= SET_FILE_A << (*text++ - 'a');
    if (text < end && (unsigned)(*text - '1') < 8)
        said->from &= SET_RANK_1 << 8 * (*text++ - '1');
    said->mover = &movers[code & 7];
    return text == end;
}

/* The move that a text says, whether or not it leaves the king in check. */
EACH_PROCESSOR bool find_san(const seebatch_position *position, const char *text, size_t length, struct said *said,
                             int *from_square, enum means by)
{
    if (!take_apart(text, length, said))
        return false;
    const uint64_t own = seebatch_pieces_of_color(position, position->stm), target = square_bb(said->to);
    const uint64_t from =
        san_origins(position->plane, own, seebatch_occupied(position), position->stm, said->mover, said->to, by) &
        said->from;
    const bool pawn = said->mover->as_pawn, promotes = said->to < 8 || said->to >= 56;
    if (from == 0 || from & (from - 1) || own & target || (pawn && promotes) ||
        (said->captures && !(seebatch_occupied(position) & target)))
        return false;
    *from_square = lowest_square(from);
    return true;
}

EACH_PROCESSOR bool play_san(seebatch_position *position, const char *text, size_t length, seebatch_move *move,
                             enum means by)
{
    struct said said;
    int from;
    if (!find_san(position, text, length, &said, &from, by))
        return false;
    *move = seebatch_make_move(from, said.to, 0);
    return play_pseudo_legal(position, said.mover, from, said.to, by);
}

/* ---- UCI or SAN -------------------------------------------------------------------------------------------------- */

/* Takes four characters that name two squares; false if they do not. */
static inline bool take_squares(const char *text, int *from, int *to)
{
    uint32_t squares;
    memcpy(&squares, text, sizeof squares);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    squares = __builtin_bswap32(squares);
#endif
    squares -= UINT32_C(0x31613161); /* a1a1; the first byte that was less leaves a high bit */
    *from = (int)((squares & 7) | (squares >> 5 & 56));
    *to = (int)((squares >> 16 & 7) | (squares >> 21 & 56));
    return (squares & UINT32_C(0xf8f8f8f8)) == 0;
}

EACH_PROCESSOR bool find_move(const seebatch_position *position, const char *text, size_t length, seebatch_move *move,
                              enum means by)
{
    struct said said;
    struct board_after after;
    int from, to;
    if (length >= 4 && take_squares(text, &from, &to)) {
        said.mover = mover_on(position->plane, from);
        if (length > 4 || !can_go(position, said.mover, from, to, by))
            return false;
    } else {
        if (!find_san(position, text, length, &said, &from, by))
            return false;
        to = said.to;
    }
    *move = seebatch_make_move(from, to, 0);
    return move_piece(position, said.mover, from, to, &after, by);
}

EACH_PROCESSOR void find_moves(const seebatch_position *positions, const struct usual *usual, size_t n,
                               struct record *records, enum means by)
{
    for (size_t i = 0; i < n; i++) {
        const struct cell text = usual[i].texts[0];
        if (text.length == 0 || records[i].has & FIELD_MOVE)
            continue;
        const bool found = find_move(&positions[i], text.text, text.length, &records[i].move, by);
        records[i].has |= found ? FIELD_MOVE : 0;
    }
}

/* ---- Each processor ---------------------------------------------------------------------------------------------- */

WITH_BITS static bool play_by_vectors(seebatch_position *position, int from, int to)
{
    return play_move(position, from, to, BY_VECTORS);
}

WITH_BITS static bool play_san_by_vectors(seebatch_position *position, const char *text, size_t length,
                                          seebatch_move *move)
{
    return play_san(position, text, length, move, BY_VECTORS);
}

WITH_BITS static bool find_by_vectors(const seebatch_position *position, const char *text, size_t length,
                                      seebatch_move *move)
{
    return find_move(position, text, length, move, BY_VECTORS);
}

WITH_BITS static void find_all_by_vectors(const seebatch_position *positions, const struct usual *usual, size_t n,
                                          struct record *records)
{
    find_moves(positions, usual, n, records, BY_VECTORS);
}

bool seebatch_io_find_move_fast(const seebatch_position *position, const char *text, size_t length, seebatch_move *move)
{
    return HAS_BITS ? find_by_vectors(position, text, length, move) : find_move(position, text, length, move, BY_LOOPS);
}

void seebatch_io_find_moves_fast(const seebatch_position *positions, const struct usual *usual, size_t n,
                                 struct record *records)
{
    if (HAS_BITS) {
        if (seebatch_io_find_uci_moves(positions, usual, n, records) < n)
            find_all_by_vectors(positions, usual, n, records);
    } else {
        find_moves(positions, usual, n, records, BY_LOOPS);
    }
}

bool seebatch_io_play_fast(seebatch_position *position, int from, int to)
{
    return HAS_BITS ? play_by_vectors(position, from, to) : play_move(position, from, to, BY_LOOPS);
}

bool seebatch_io_play_san_fast(seebatch_position *position, const char *text, size_t length, seebatch_move *move)
{
    return HAS_BITS ? play_san_by_vectors(position, text, length, move)
                    : play_san(position, text, length, move, BY_LOOPS);
}
