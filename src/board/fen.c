/*
 * Reads FEN and EPD.
 *
 * fen_fast.c reads FENs of the usual form. All other FENs are read here, with error messages for those that are wrong.
 *
 * Reading takes two steps. First the text is divided into fields, and each is checked for its form alone
 * (SEEBATCH_UNREADABLE). Then the position is put together, castling rights are matched with the rooks they mean, and
 * the whole is checked (SEEBATCH_UNSOUND).
 *
 * Castling rights are letters: K and Q mean the outermost rook on that side of the king, wherever the king stands on
 * its first rank (X-FEN); A to H mean the rook on that file (Shredder-FEN); lower case is Black's. They may be mixed
 * and come in any order. If one rook is given by its file, the whole is a Shredder-FEN.
 */
#include "api/error.h"
#include "fen.h"
#include "position.h"
#include "quote.h"

#include <string.h>

static const char piece_letters[] = "PNBRQKpnbrqk";

/* Text that is left to read. */
struct text {
    const char *at;
    size_t length;
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void skip_blanks(struct text *text)
{
    while (text->length && is_blank(*text->at))
        text->at++, text->length--;
}

/* Takes the next field off the text; it is empty at the end. */
static struct text take_field(struct text *text)
{
    skip_blanks(text);
    struct text field = {text->at, 0};
    while (text->length && !is_blank(*text->at))
        text->at++, text->length--, field.length++;
    return field;
}

static seebatch_status read_rank(seebatch_position *position, int rank, struct text text, seebatch_error *error)
{
    size_t squares = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        const char *letter = c ? strchr(piece_letters, c) : NULL;
        if (c >= '1' && c <= '8') {
            if (i > 0 && is_digit(text.at[i - 1]))
                return see_fail(error, SEEBATCH_UNREADABLE,
                                "'%c' in rank %d follows another count of empty squares, expected one number for both",
                                c, rank + 1);
            squares += (size_t)(c - '0');
        } else if (letter) {
            int piece = (int)(letter - piece_letters);
            if (squares < 8)
                put_piece(position, 8 * rank + (int)squares, piece % 6, piece / 6);
            squares++;
        } else {
            return see_fail(error, SEEBATCH_UNREADABLE,
                            "'%s' in rank %d is neither a piece nor a count of empty squares, expected one of "
                            "PNBRQKpnbrqk or 1 to 8",
                            see_quote(&c, 1).text, rank + 1);
        }
    }
    if (squares != 8)
        return see_fail(error, SEEBATCH_UNREADABLE, "rank %d has %zu square%s, expected 8", rank + 1, squares,
                        squares == 1 ? "" : "s");
    return SEEBATCH_OK;
}

static seebatch_status read_pieces(seebatch_position *position, struct text field, seebatch_error *error)
{
    if (field.length >= 3 && !memcmp(field.at, "\xef\xbb\xbf", 3))
        return see_fail(
            error, SEEBATCH_UNREADABLE,
            "the text begins with a byte order mark (BOM), expected the pieces; leave the first three bytes out");
    size_t ranks = 1;
    for (size_t i = 0; i < field.length; i++)
        ranks += field.at[i] == '/';
    if (!field.length)
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "the text is empty, expected pieces, side to move, castling rights and en passant square");
    if (ranks != 8)
        return see_fail(error, SEEBATCH_UNREADABLE, "the pieces '%s' have %zu rank%s, expected 8 separated by '/'",
                        see_quote(field.at, field.length).text, ranks, ranks == 1 ? "" : "s");
    for (int rank = 7; rank >= 0; rank--) {
        struct text text = {field.at, 0};
        while (text.length < field.length && field.at[text.length] != '/')
            text.length++;
        seebatch_status status = read_rank(position, rank, text, error);
        if (status != SEEBATCH_OK)
            return status;
        if (rank > 0) {
            field.at += text.length + 1;
            field.length -= text.length + 1;
        }
    }
    return SEEBATCH_OK;
}

static seebatch_status read_side(seebatch_position *position, struct text field, seebatch_error *error)
{
    if (!field.length)
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "the side to move is missing, expected 'w' or 'b' after the pieces");
    if (field.length != 1 || (*field.at != 'w' && *field.at != 'b'))
        return see_fail(error, SEEBATCH_UNREADABLE, "the side to move is '%s', expected 'w' or 'b'",
                        see_quote(field.at, field.length).text);
    position->stm = *field.at == 'w' ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    return SEEBATCH_OK;
}

/* Checks the form of the castling field. What its letters mean depends on the pieces. */
static seebatch_status check_castling_form(struct text field, seebatch_error *error)
{
    if (!field.length)
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "the castling rights are missing, expected '-' or letters such as KQkq after the side to move");
    if (field.length == 1 && *field.at == '-')
        return SEEBATCH_OK;
    for (size_t i = 0; i < field.length; i++) {
        char c = field.at[i];
        if (!c || !strchr("KQkqABCDEFGHabcdefgh", c))
            return see_fail(
                error, SEEBATCH_UNREADABLE,
                "'%s' in the castling rights '%s' is not a right, expected K, Q, k, q, or rook files A to H "
                "and a to h, or '-' alone",
                see_quote(&c, 1).text, see_quote(field.at, field.length).text);
        if (memchr(field.at, c, i))
            return see_fail(error, SEEBATCH_UNREADABLE,
                            "the castling right '%c' is given twice in '%s', expected each once", c,
                            see_quote(field.at, field.length).text);
    }
    return SEEBATCH_OK;
}

static seebatch_status read_en_passant(seebatch_position *position, struct text field, seebatch_error *error)
{
    if (!field.length)
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "the en passant square is missing, expected '-' or a square after the castling rights");
    if (field.length == 1 && *field.at == '-')
        return SEEBATCH_OK;
    if (field.length != 2 || field.at[0] < 'a' || field.at[0] > 'h' || field.at[1] < '1' || field.at[1] > '8')
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "the en passant square is '%s', expected '-' or a square such as e3",
                        see_quote(field.at, field.length).text);
    position->ep_square = (uint8_t)(field.at[0] - 'a' + 8 * (field.at[1] - '1'));
    return SEEBATCH_OK;
}

/* Reads a clock if the next field begins with a digit; otherwise leaves the text and the clock as they are. */
static seebatch_status read_clock(uint16_t *clock, const char *name, struct text *text, seebatch_error *error)
{
    unsigned value = 0;
    skip_blanks(text);
    if (!text->length || !is_digit(*text->at))
        return SEEBATCH_OK;
    struct text field = take_field(text);
    for (size_t i = 0; i < field.length; i++) {
        if (is_digit(field.at[i]))
            value = 10 * value + (unsigned)(field.at[i] - '0');
        if (!is_digit(field.at[i]) || value > UINT16_MAX)
            return see_fail(error, SEEBATCH_UNREADABLE, "the %s is '%s', expected a number from 0 to 65535", name,
                            see_quote(field.at, field.length).text);
    }
    *clock = (uint16_t)value;
    return SEEBATCH_OK;
}

/* Skips EPD operations. An operation is a word that begins with a letter, operands, and ';'. A string among the
 * operands may contain a ';'. */
static seebatch_status pass_operations(struct text text, seebatch_error *error)
{
    for (skip_blanks(&text); text.length; skip_blanks(&text)) {
        bool in_string = false;
        size_t i = 0;
        if (!is_letter(*text.at))
            return see_fail(error, SEEBATCH_UNREADABLE,
                            "unexpected '%s' after the position, expected clocks, EPD operations such as 'bm e4;', or "
                            "the end",
                            see_quote(text.at, text.length).text);
        for (; i < text.length && (in_string || text.at[i] != ';'); i++)
            in_string ^= text.at[i] == '"';
        if (i == text.length)
            return see_fail(error, SEEBATCH_UNREADABLE, "unexpected '%s' after the position, expected '%s' at its end",
                            see_quote(text.at, text.length).text, in_string ? "\";" : ";");
        text.at += i + 1;
        text.length -= i + 1;
    }
    return SEEBATCH_OK;
}

/* Matches castling rights with rooks. Each side has one king. */
static seebatch_status place_rights(seebatch_position *position, struct text field, seebatch_error *error)
{
    if (*field.at == '-')
        return SEEBATCH_OK;
    for (size_t i = 0; i < field.length; i++) {
        char c = field.at[i], letter = (char)(c >= 'a' ? c - 'a' + 'A' : c);
        int color = c >= 'a' ? SEEBATCH_BLACK : SEEBATCH_WHITE;
        const char *name = color == SEEBATCH_WHITE ? "white" : "black";
        int rook = see_rook_of_right(position, letter, color);
        if (rook == SEEBATCH_NO_SQUARE && (letter == 'K' || letter == 'Q'))
            return see_fail(
                error, SEEBATCH_UNSOUND,
                "castling right '%c', expected a %s king on rank %d and a %s rook beside it towards the %c-file", c,
                name, color == SEEBATCH_WHITE ? 1 : 8, name, letter == 'K' ? 'h' : 'a');
        if (rook == SEEBATCH_NO_SQUARE)
            return see_fail(error, SEEBATCH_UNSOUND,
                            "castling right '%c', expected a %s king on rank %d and a rook of its own on %c%d", c, name,
                            color == SEEBATCH_WHITE ? 1 : 8, letter - 'A' + 'a', color == SEEBATCH_WHITE ? 1 : 8);
        int side = rook > king_square(position, color) ? SEE_KINGSIDE : SEE_QUEENSIDE;
        if (position->castling_rook[color][side] != SEEBATCH_NO_SQUARE)
            return see_fail(error, SEEBATCH_UNSOUND,
                            "castling right '%c' is %s's second one on that side of the king in '%s', expected one", c,
                            name, see_quote(field.at, field.length).text);
        position->castling_rook[color][side] = (uint8_t)rook;
        position->shredder |= letter <= 'H';
    }
    return SEEBATCH_OK;
}

/* Checks the form of the whole text. *rights becomes the castling field. */
static seebatch_status read_fields(seebatch_position *position, struct text text, struct text *rights,
                                   seebatch_error *error)
{
    seebatch_status status = read_pieces(position, take_field(&text), error);
    if (status == SEEBATCH_OK)
        status = read_side(position, take_field(&text), error);
    if (status == SEEBATCH_OK)
        status = check_castling_form(*rights = take_field(&text), error);
    if (status == SEEBATCH_OK)
        status = read_en_passant(position, take_field(&text), error);
    if (status == SEEBATCH_OK)
        status = read_clock(&position->halfmove_clock, "halfmove clock", &text, error);
    if (status == SEEBATCH_OK)
        status = read_clock(&position->fullmove_number, "full-move number", &text, error);
    return status == SEEBATCH_OK ? pass_operations(text, error) : status;
}

/* Finds the first character that would end the line or the text of a position, which is one line wherever it is
 * written, or returns NULL. Any other wrong character is reported where it is read; only the operands of EPD operations
 * may have any characters but these. */
static __attribute__((noinline)) const char *end_of_line(const char *text, size_t length)
{
    for (; length; text++, length--)
        if (*text == '\0' || *text == '\n' || *text == '\r')
            return text;
    return NULL;
}

seebatch_status seebatch_fen_slow(const char *text, size_t length, seebatch_position *position, seebatch_error *error)
{
    static const uint64_t nothing[6] = {0};
    seebatch_position p = seebatch_position_from_bitboards(nothing, nothing, SEEBATCH_WHITE), board;
    const struct text whole = {text, length};
    struct text rights = {text, 0};
    const char *end = end_of_line(text, length);

    if (end)
        return see_fail(error, SEEBATCH_UNREADABLE, "character %zu is a %s, expected one line of text without it",
                        (size_t)(end - text) + 1,
                        *end == '\0'   ? "NUL"
                        : *end == '\n' ? "line feed"
                                       : "carriage return");
    if (length && is_blank(*text))
        return see_fail(error, SEEBATCH_UNREADABLE, "the text begins with a blank, expected the pieces of rank 8");
    seebatch_status status = read_fields(&p, whole, &rights, error);
    if (status != SEEBATCH_OK)
        return status;

    /* Castling rights need the kings, so the board is checked first. */
    board = p;
    board.ep_square = SEEBATCH_NO_SQUARE;
    status = seebatch_position_check(&board, error);
    if (status == SEEBATCH_OK)
        status = place_rights(&p, rights, error);
    if (status == SEEBATCH_OK)
        status = seebatch_position_check(&p, error);
    if (status == SEEBATCH_OK) {
        *position = p;
        see_clear_padding(position);
    }
    return status;
}

bool seebatch_fen_operations(const char *text, size_t length)
{
    const struct text rest = {text, length};
    return !end_of_line(text, length) && pass_operations(rest, NULL) == SEEBATCH_OK;
}

seebatch_status seebatch_position_from_fen(const char *text, size_t length, seebatch_position *position,
                                           seebatch_error *error)
{
    const seebatch_text fen = {text, length};
    seebatch_position fast;
    uint8_t accepted;
    seebatch_fens_fast(&fen, 1, NULL, &fast, &accepted);
    if (!accepted)
        return seebatch_fen_slow(text, length, position, error);
    *position = fast;
    see_clear_padding(position);
    return SEEBATCH_OK;
}
