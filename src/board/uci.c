/*
 * Reads and writes moves in UCI notation: the from-square, the to-square, and the letter of the piece that a pawn
 * promotes to.
 */
#include "api/error.h"
#include "position.h"
#include "quote.h"

#include <string.h>

static const char promotion_letters[] = "nbrq"; /* SEEBATCH_KNIGHT to SEEBATCH_QUEEN */

/* The square that two characters name, or SEEBATCH_NO_SQUARE. */
static int read_square(const char *text)
{
    bool named = text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
    return named ? text[0] - 'a' + 8 * (text[1] - '1') : SEEBATCH_NO_SQUARE;
}

static seebatch_status read_move(const char *text, size_t length, seebatch_move *move, seebatch_error *error)
{
    int from = SEEBATCH_NO_SQUARE, to = SEEBATCH_NO_SQUARE, promotion = 0;

    if (length == 4 || length == 5) {
        from = read_square(text);
        to = read_square(text + 2);
    }
    if (from == SEEBATCH_NO_SQUARE || to == SEEBATCH_NO_SQUARE)
        return see_fail(
            error, SEEBATCH_UNREADABLE,
            "'%s' is not a move, expected from-square, to-square and, where a pawn promotes, a letter, such as "
            "e2e4 or e7e8q",
            see_quote(text, length).text);
    if (length == 5) {
        const char *letter = (const char *)memchr(promotion_letters, text[4], 4);
        if (!letter)
            return see_fail(error, SEEBATCH_UNREADABLE, "'%s' is not a move: it ends with '%s', expected n, b, r or q",
                            see_quote(text, length).text, see_quote(text + 4, 1).text);
        promotion = SEEBATCH_KNIGHT + (int)(letter - promotion_letters);
    }
    *move = seebatch_make_move(from, to, promotion);
    return SEEBATCH_OK;
}

/* Whether the move is castling, in either form, and legal. If so, *move becomes the move in its usual form. */
static bool castles(const seebatch_position *position, seebatch_move read, seebatch_move *move)
{
    const int king = king_square(position, position->stm);
    const int side =
        read == seebatch_make_move(king, seebatch_to(read), 0) ? castling_side(position, king, seebatch_to(read)) : -1;
    return side >= 0 && seebatch_can_castle(position, side, move);
}

seebatch_status seebatch_move_from_uci(const seebatch_position *position, const char *text, size_t length,
                                       seebatch_move *move, seebatch_error *error)
{
    seebatch_move read = 0, legal[SEEBATCH_MAX_MOVES];
    bool promotes = false;

    seebatch_status status = read_move(text, length, &read, error);
    if (status != SEEBATCH_OK)
        return status;
    if (seebatch_plainly_legal(position, read)) {
        *move = read;
        return SEEBATCH_OK;
    }
    if (castles(position, read, move))
        return SEEBATCH_OK;

    const struct see_quoted shown = see_quote(text, length);
    size_t n = seebatch_legal_moves(position, legal);
    for (size_t i = 0; i < n; i++) {
        if (legal[i] == read) {
            *move = legal[i];
            return SEEBATCH_OK;
        }
        promotes |= (legal[i] & 0xfff) == read && seebatch_promotion(legal[i]);
    }
    if (promotes)
        return see_fail(error, SEEBATCH_ILLEGAL,
                        "'%s' is not a legal move here: the pawn promotes, expected %sn, b, r or q", shown.text,
                        shown.text);
    if (!n)
        return see_fail(error, SEEBATCH_ILLEGAL, "'%s' is not a legal move here: the side to move is %s and has none",
                        shown.text, seebatch_in_check(position) ? "checkmated" : "stalemated");
    return see_fail(error, SEEBATCH_ILLEGAL, "'%s' is not a legal move here, expected %s%zu legal move%s", shown.text,
                    n == 1 ? "the " : "one of the ", n, n == 1 ? "" : "s");
}

size_t seebatch_move_to_uci(seebatch_move move, char text[6])
{
    int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
    size_t length = 4;

    text[0] = (char)('a' + (from & 7));
    text[1] = (char)('1' + (from >> 3));
    text[2] = (char)('a' + (to & 7));
    text[3] = (char)('1' + (to >> 3));
    if (promotion)
        text[length++] = promotion_letters[promotion - SEEBATCH_KNIGHT];
    text[length] = 0;
    return length;
}
