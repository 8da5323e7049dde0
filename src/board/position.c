/*
 * Checks whether a position can be played on.
 *
 * Move generation relies on what is checked here: each side has a king, from which checks and pins are found; rooks
 * stand where the castling rights say; and there is a pawn to remove after a capture en passant. Boards that no game
 * reaches are accepted, because test positions have them.
 */
#include "api/error.h"
#include "position.h"

static const char *const color_name[2] = {"white", "black"};

#define FILE_OF(square) ('a' + ((square)&7))
#define RANK_OF(square) ('1' + ((square) >> 3))

static int count(uint64_t set) { return __builtin_popcountll(set); }

/* The planes as an engine may have filled them. */
static seebatch_status check_board(const seebatch_position *position, seebatch_error *error)
{
    uint64_t two_types = position->plane[0] & position->plane[1] & position->plane[2];
    uint64_t uncoloured = position->white & ~seebatch_occupied(position);
    uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN);
    uint64_t stray = pawns & (first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK));

    if (two_types) {
        int square = lowest_square(two_types);
        return see_fail(error, SEEBATCH_UNSOUND, "the planes hold code 7 on %c%c, expected 0 (empty) to 6 (king)",
                        FILE_OF(square), RANK_OF(square));
    }
    if (uncoloured) {
        int square = lowest_square(uncoloured);
        return see_fail(error, SEEBATCH_UNSOUND, "%c%c is empty but marked as white, expected a piece on it",
                        FILE_OF(square), RANK_OF(square));
    }
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const uint64_t kings = pieces_of(position, color, SEEBATCH_KING);
        if (kings == 0 || (kings & (kings - 1)) != 0) /* many machines count bits by a call */
            return see_fail(error, SEEBATCH_UNSOUND, "%s has %d kings, expected exactly 1", color_name[color],
                            count(kings));
    }
    if (stray) {
        int square = lowest_square(stray);
        return see_fail(error, SEEBATCH_UNSOUND, "%s pawn on %c%c, expected pawns on ranks 2 to 7 only",
                        color_name[seebatch_color_on(position, square)], FILE_OF(square), RANK_OF(square));
    }
    return SEEBATCH_OK;
}

static seebatch_status check_castling(const seebatch_position *position, int color, int side, seebatch_error *error)
{
    static const char *const side_name[2] = {"kingside", "queenside"};
    int rook = position->castling_rook[color][side];
    int king = king_square(position, color);
    char rank = color == SEEBATCH_WHITE ? '1' : '8';

    if (rook == SEEBATCH_NO_SQUARE)
        return SEEBATCH_OK;
    if (rook > SEEBATCH_NO_SQUARE)
        return see_fail(error, SEEBATCH_UNSOUND,
                        "%s's %s castling rook is on square %d, expected 0 to 63, or 64 for none", color_name[color],
                        side_name[side], rook);
    if (!(pieces_of(position, color, SEEBATCH_ROOK) & first_rank(color) & square_bb(rook)))
        return see_fail(error, SEEBATCH_UNSOUND,
                        "%s may castle %s with a rook on %c%c, but no %s rook is there, expected one on rank %c",
                        color_name[color], side_name[side], FILE_OF(rook), RANK_OF(rook), color_name[color], rank);
    if (!(first_rank(color) & square_bb(king)))
        return see_fail(error, SEEBATCH_UNSOUND, "%s may castle %s, but its king is on %c%c, expected on rank %c",
                        color_name[color], side_name[side], FILE_OF(king), RANK_OF(king), rank);
    if ((rook > king) != (side == SEE_KINGSIDE))
        return see_fail(error, SEEBATCH_UNSOUND,
                        "%s may castle %s with the rook on %c%c, expected it on the %c-file's side of the king on %c%c",
                        color_name[color], side_name[side], FILE_OF(rook), RANK_OF(rook),
                        side == SEE_KINGSIDE ? 'h' : 'a', FILE_OF(king), RANK_OF(king));
    return SEEBATCH_OK;
}

/* A pawn of the side not to move must just have passed over the square: it stands before it and came from the
 * square behind it, which is empty now. */
static seebatch_status check_en_passant(const seebatch_position *position, seebatch_error *error)
{
    int square = position->ep_square;
    int forward = position->stm == SEEBATCH_WHITE ? 8 : -8;
    int expected_rank = position->stm == SEEBATCH_WHITE ? 5 : 2;
    uint64_t occupied = seebatch_occupied(position);

    if (square == SEEBATCH_NO_SQUARE)
        return SEEBATCH_OK;
    if (square > SEEBATCH_NO_SQUARE)
        return see_fail(error, SEEBATCH_UNSOUND, "the en passant square is %d, expected 0 to 63, or 64 for none",
                        square);
    if (square >> 3 != expected_rank)
        return see_fail(error, SEEBATCH_UNSOUND, "en passant square %c%c with %s to move, expected one on rank %d",
                        FILE_OF(square), RANK_OF(square), color_name[position->stm], expected_rank + 1);
    if (occupied & square_bb(square))
        return see_fail(error, SEEBATCH_UNSOUND, "en passant square %c%c is occupied, expected it to be empty",
                        FILE_OF(square), RANK_OF(square));
    if (!(pieces_of(position, !position->stm, SEEBATCH_PAWN) & square_bb(square - forward)))
        return see_fail(error, SEEBATCH_UNSOUND,
                        "en passant square %c%c, but no %s pawn can just have passed over it, expected one on %c%c",
                        FILE_OF(square), RANK_OF(square), color_name[!position->stm], FILE_OF(square),
                        RANK_OF(square - forward));
    if (occupied & square_bb(square + forward))
        return see_fail(
            error, SEEBATCH_UNSOUND,
            "en passant square %c%c, but no %s pawn can just have passed over it, expected %c%c to be empty",
            FILE_OF(square), RANK_OF(square), color_name[!position->stm], FILE_OF(square), RANK_OF(square + forward));
    return SEEBATCH_OK;
}

static seebatch_status check_fields(const seebatch_position *position, seebatch_error *error)
{
    if (position->stm > SEEBATCH_BLACK)
        return see_fail(error, SEEBATCH_UNSOUND, "the side to move is %d, expected 0 (white) or 1 (black)",
                        position->stm);
    if (position->shredder > 1)
        return see_fail(error, SEEBATCH_UNSOUND, "the field shredder is %d, expected 0 or 1", position->shredder);
    if (position->reserved)
        return see_fail(error, SEEBATCH_UNSOUND, "the field reserved is %d, expected 0", position->reserved);
    return SEEBATCH_OK;
}

seebatch_status seebatch_position_check(const seebatch_position *position, seebatch_error *error)
{
    seebatch_status status = check_fields(position, error);
    if (status == SEEBATCH_OK)
        status = check_board(position, error);
    if (status != SEEBATCH_OK)
        return status;

    int waiting = !position->stm, king = king_square(position, waiting);
    uint64_t attackers = attackers_of_color(position, king, position->stm, seebatch_occupied(position));
    if (attackers)
        return see_fail(error, SEEBATCH_UNSOUND,
                        "the side not to move is in check: the %s king on %c%c is attacked from %c%c, expected that %s "
                        "cannot capture it",
                        color_name[waiting], FILE_OF(king), RANK_OF(king), FILE_OF(lowest_square(attackers)),
                        RANK_OF(lowest_square(attackers)), color_name[position->stm]);

    for (int i = 0; i < 4 && status == SEEBATCH_OK; i++)
        status = check_castling(position, i / 2, i % 2, error);
    return status == SEEBATCH_OK ? check_en_passant(position, error) : status;
}
