/*
 * Reads and writes moves in standard algebraic notation (SAN), as the PGN standard has it: Nf3, exd5, R1a3, e8=Q+,
 * O-O-O#.
 *
 * Reading is filtering: the text is divided into what it says about the move, and exactly one legal move must fit.
 * (Mostly this move is found without a list of legal moves.) So a text may say more than it has to (Ngf3, e2-e4) or
 * less than it should (ed5, no +) without being refused, but what it says must be true. If no move fits, less and less
 * of the text counts until a move does, and the error names the moves that fit then.
 *
 * Writing says no more than is needed: if more than one piece of a kind could go to the same square, the file
 * distinguishes the piece, or the rank, or both. The move is played on a copy to see whether it gives check or mate.
 */
#include "api/error.h"
#include "position.h"
#include "quote.h"

#include <string.h>

static const char type_letters[] = "PNBRQK"; /* in the order of piece types */

enum { NOT_SAID = -1 };

/* What a text says about the move. */
struct san {
    int castling; /* SEE_KINGSIDE or SEE_QUEENSIDE; then it says nothing else */
    int type;
    int from_file, from_rank;
    int to;
    int promotion; /* 0 if there is none */
    bool captures, en_passant;
};

/* ---- Taking a text apart ---------------------------------------------------------------------------------------- */

struct cursor {
    const char *at, *end;
};

static bool take(struct cursor *c, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A character between the first and the last, as a number from 0. */
static int take_between(struct cursor *c, char first, char last)
{
    return c->at < c->end && *c->at >= first && *c->at <= last ? *c->at++ - first : NOT_SAID;
}

/* The index of a letter in a text of letters. */
static int take_letter(struct cursor *c, const char *letters)
{
    const char *found = c->at < c->end ? (const char *)memchr(letters, *c->at, strlen(letters)) : NULL;
    if (!found)
        return NOT_SAID;
    c->at++;
    return (int)(found - letters);
}

/* Castling is written with the letter O; many write zeros. */
static bool take_castling(struct cursor *c, struct san *san)
{
    if (take(c, "O-O-O") || take(c, "0-0-0"))
        san->castling = SEE_QUEENSIDE;
    else if (take(c, "O-O") || take(c, "0-0"))
        san->castling = SEE_KINGSIDE;
    return san->castling != NOT_SAID;
}

/* Reads the piece, where it comes from, and where it goes, as in e4, Nf3, Nbd2, R1a3, Qh4e1, exd5, Ng1-f3 and e2e4. */
static bool take_squares(struct cursor *c, struct san *san)
{
    int type = take_letter(c, type_letters);
    int file = take_between(c, 'a', 'h'), rank = take_between(c, '1', '8');
    san->captures = take(c, "x");
    bool dash = !san->captures && take(c, "-");
    struct cursor before = *c;
    int to_file = take_between(c, 'a', 'h'), to_rank = take_between(c, '1', '8');

    san->type = type == NOT_SAID ? SEEBATCH_PAWN : type;
    san->from_file = file;
    san->from_rank = rank;
    /* There was one square only; what follows does not belong to it. */
    if (to_rank == NOT_SAID && !san->captures && !dash) {
        *c = before;
        to_file = file;
        to_rank = rank;
        san->from_file = san->from_rank = NOT_SAID;
    }
    if (to_file == NOT_SAID || to_rank == NOT_SAID || (dash && (file == NOT_SAID || rank == NOT_SAID)))
        return false;
    san->to = to_file + 8 * to_rank;
    return true;
}

/* Reads e8=Q and what others write: e8Q, e8(Q), e8/Q, e8q. Returns false if the letter is wrong or missing. */
static bool take_promotion(struct cursor *c, struct san *san)
{
    bool parenthesis = take(c, "("), expected = parenthesis || take(c, "=") || take(c, "/");
    int index = take_letter(c, "NBRQnbrq");
    if (index == NOT_SAID)
        return !expected;
    san->promotion = SEEBATCH_KNIGHT + index % 4;
    return !parenthesis || take(c, ")");
}

static bool take_en_passant(struct cursor *c)
{
    struct cursor ahead = *c;
    while (take(&ahead, " "))
        continue;
    if (!take(&ahead, "e.p.") && !take(&ahead, "ep"))
        return false;
    *c = ahead;
    return true;
}

/* Reads marks of check and mate, and comments such as !? and ??, which are not checked. */
static void take_marks(struct cursor *c)
{
    if (!take(c, "#") && take(c, "+"))
        take(c, "+");
    for (int i = 0; i < 2; i++)
        if (!take(c, "!"))
            take(c, "?");
}

static seebatch_status read_san(const char *text, size_t length, const char *shown, struct san *san,
                                seebatch_error *error)
{
    struct cursor c = {text, text + length};
    memset(san, 0, sizeof *san);
    san->castling = NOT_SAID;
    san->type = SEEBATCH_KING;
    if (!take_castling(&c, san)) {
        if (!take_squares(&c, san))
            return see_fail(error, SEEBATCH_UNREADABLE,
                            "'%s' is not a move in SAN, expected one such as e4, exd5, Nf3, R1a3, e8=Q or O-O", shown);
        if (!take_promotion(&c, san))
            return see_fail(
                error, SEEBATCH_UNREADABLE,
                "'%s' is not a move in SAN: expected Q, R, B or N for the piece that the pawn becomes, as in e8=Q",
                shown);
        san->en_passant = take_en_passant(&c);
    }
    take_marks(&c);
    san->en_passant |= san->castling == NOT_SAID && !san->en_passant && take_en_passant(&c);
    if (c.at != c.end)
        return see_fail(error, SEEBATCH_UNREADABLE,
                        "'%s' is not a move in SAN: expected nothing, or + or #, in place of '%s'", shown,
                        see_quote(c.at, (size_t)(c.end - c.at)).text);
    return SEEBATCH_OK;
}

/* ---- Which legal moves fit -------------------------------------------------------------------------------------- */

/* How much of the text a move has to fit. Each step asks for less than the one before. */
enum measure {
    ALL_OF_IT,
    ITS_WAY,    /* not promotion, capture and en passant */
    ITS_SQUARE, /* nor where the piece comes from */
    ITS_PIECE,  /* nor where it goes */
    N_MEASURES
};

/* The side on which a legal move castles, or -1. */
static int castled_side(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move);
    return seebatch_type_on(position, from) == SEEBATCH_KING ? castling_side(position, from, seebatch_to(move)) : -1;
}

static bool is_en_passant(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    return seebatch_type_on(position, from) == SEEBATCH_PAWN && (from & 7) != (to & 7) &&
           seebatch_type_on(position, to) == SEEBATCH_NO_PIECE;
}

/* Whether a legal move captures; it does not castle. */
static bool is_capture(const seebatch_position *position, seebatch_move move)
{
    return seebatch_type_on(position, seebatch_to(move)) != SEEBATCH_NO_PIECE || is_en_passant(position, move);
}

static bool fits(const seebatch_position *position, const struct san *san, enum measure measure, seebatch_move move)
{
    int from = seebatch_from(move), castling = castled_side(position, move);
    if (san->castling != NOT_SAID)
        return castling >= 0 && (measure > ALL_OF_IT || castling == san->castling);
    if (castling >= 0) /* but not written so: Kg1 */
        return measure > ALL_OF_IT && san->type == SEEBATCH_KING &&
               (measure == ITS_PIECE || san->to == castled_king_square(position->stm, castling));
    if (seebatch_type_on(position, from) != san->type)
        return false;
    if (measure < ITS_PIECE && seebatch_to(move) != san->to)
        return false;
    if (measure < ITS_SQUARE && ((san->from_file != NOT_SAID && (from & 7) != san->from_file) ||
                                 (san->from_rank != NOT_SAID && from >> 3 != san->from_rank)))
        return false;
    return measure > ALL_OF_IT ||
           (seebatch_promotion(move) == san->promotion && (!san->captures || is_capture(position, move)) &&
            (!san->en_passant || is_en_passant(position, move)));
}

/* Moves the fitting ones to the front; returns how many there are. */
static size_t keep_fitting(const seebatch_position *position, const struct san *san, enum measure measure,
                           seebatch_move *moves, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (fits(position, san, measure, moves[i])) {
            seebatch_move kept = moves[i];
            moves[i] = moves[count];
            moves[count++] = kept;
        }
    }
    return count;
}

/* The squares from which a piece of a type could come to a square, except by a capture en passant or by castling. */
static uint64_t origins(const seebatch_position *position, int type, int to)
{
    if (type != SEEBATCH_PAWN)
        return piece_attacks(type, to, seebatch_occupied(position));
    const int back = position->stm == SEEBATCH_WHITE ? -8 : 8, one = to + back, two = one + back;
    return pawn_attacks(!position->stm, to) | (one >= 0 && one < 64 ? square_bb(one) : 0) |
           (two >= 0 && two < 64 ? square_bb(two) : 0);
}

/* The fast path, for nearly all moves of real games: looks from the target for the pieces that could come there. It
 * only accepts, if exactly one legal move fits. All other texts, and captures en passant, are left to the list of legal
 * moves. */
static bool find_fast(const seebatch_position *position, const struct san *san, seebatch_move *move)
{
    if (san->castling != NOT_SAID)
        return seebatch_can_castle(position, san->castling, move);
    if (san->en_passant || san->to == position->ep_square ||
        (san->captures && seebatch_type_on(position, san->to) == SEEBATCH_NO_PIECE))
        return false;
    uint64_t pieces = origins(position, san->type, san->to) & pieces_of(position, position->stm, san->type);
    int fitting = 0;
    if (san->from_file != NOT_SAID)
        pieces &= UINT64_C(0x0101010101010101) << san->from_file;
    if (san->from_rank != NOT_SAID)
        pieces &= UINT64_C(0xff) << 8 * san->from_rank;
    while (pieces) {
        const int from = pop_lsb(&pieces);
        const seebatch_move candidate = seebatch_make_move(from, san->to, san->promotion);
        if (seebatch_plainly_legal(position, candidate)) {
            *move = candidate;
            fitting++;
        }
    }
    return fitting == 1;
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

/* Writes a move for people to read. If the library is compiled small, as for the web, that is UCI notation, which needs
 * less code. */
static void name_move(const seebatch_position *position, seebatch_move move, char name[SEEBATCH_SAN_SIZE])
{
#if defined(SEEBATCH_SMALL)
    (void)position;
    seebatch_move_to_uci(move, name);
#else
    seebatch_move_to_san(position, move, name);
#endif
}

/* Writes "Nbd2 or Nfd2", or "one of Na3, Nc3, Nf3, and 9 more". */
struct choice {
    char text[128];
};

static struct choice choice_of(const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    enum { MOST = 8 };
    struct choice choice;
    size_t used, shown = n > MOST ? MOST - 1 : n;
    used = seebatch_format(choice.text, sizeof choice.text, "%s", n > 2 ? "one of " : "");
    for (size_t i = 0; i < shown; i++) {
        char name[SEEBATCH_SAN_SIZE];
        name_move(position, moves[i], name);
        const char *before = i == 0 ? "" : n == 2 ? " or " : ", ";
        used += seebatch_format(choice.text + used, sizeof choice.text - used, "%s%s", before, name);
    }
    if (shown < n)
        seebatch_format(choice.text + used, sizeof choice.text - used, ", and %zu more", n - shown);
    return choice;
}

static seebatch_status fail_illegal(const seebatch_position *position, const struct san *san, const char *shown,
                                    seebatch_move *legal, size_t n, seebatch_error *error)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    for (int measure = ITS_WAY; measure < N_MEASURES; measure++) {
        size_t fitting = keep_fitting(position, san, (enum measure)measure, legal, n);
        if (fitting > 0)
            return see_fail(error, SEEBATCH_ILLEGAL, "'%s' is not a legal move here, expected %s", shown,
                            choice_of(position, legal, fitting).text);
    }
    if (n == 0)
        return see_fail(error, SEEBATCH_ILLEGAL, "'%s' is not a legal move here: the side to move is %s and has none",
                        shown, seebatch_in_check(position) ? "checkmated" : "stalemated");
    if (san->castling != NOT_SAID)
        return see_fail(error, SEEBATCH_ILLEGAL,
                        "'%s' is not a legal move here: the king cannot castle, expected %s%zu legal move%s", shown,
                        n == 1 ? "the " : "one of the ", n, n == 1 ? "" : "s");
    return see_fail(error, SEEBATCH_ILLEGAL,
                    "'%s' is not a legal move here: no %s can move%s, expected %s%zu legal move%s", shown,
                    names[san->type], seebatch_in_check(position) ? " (the king is in check)" : "",
                    n == 1 ? "the " : "one of the ", n, n == 1 ? "" : "s");
}

/* ---- The public functions --------------------------------------------------------------------------------------- */

seebatch_status seebatch_move_from_san(const seebatch_position *position, const char *text, size_t length,
                                       seebatch_move *move, seebatch_error *error)
{
    struct san san;
    seebatch_move legal[SEEBATCH_MAX_MOVES], found = 0;

    if (read_san(text, length, "", &san, NULL) == SEEBATCH_OK && find_fast(position, &san, &found)) {
        *move = found;
        return SEEBATCH_OK;
    }
    struct see_quoted shown = see_quote(text, length);
    seebatch_status status = read_san(text, length, shown.text, &san, error);
    if (status != SEEBATCH_OK)
        return status;
    size_t n = seebatch_legal_moves(position, legal);
    size_t fitting = keep_fitting(position, &san, ALL_OF_IT, legal, n);
    if (fitting > 1)
        return see_fail(error, SEEBATCH_AMBIGUOUS, "'%s' can be %zu moves here, expected %s", shown.text, fitting,
                        choice_of(position, legal, fitting).text);
    if (fitting == 0)
        return fail_illegal(position, &san, shown.text, legal, n, error);
    *move = legal[0];
    return SEEBATCH_OK;
}

seebatch_status seebatch_move_from_text(const seebatch_position *position, const char *text, size_t length,
                                        seebatch_move *move, seebatch_error *error)
{
    const seebatch_status uci = seebatch_move_from_uci(position, text, length, move, NULL);
    if (uci == SEEBATCH_OK)
        return uci;
    const seebatch_status san = seebatch_move_from_san(position, text, length, move, NULL);
    if (san == SEEBATCH_OK)
        return san;
    if (uci != SEEBATCH_UNREADABLE)
        return error ? seebatch_move_from_uci(position, text, length, move, error) : uci;
    if (san != SEEBATCH_UNREADABLE)
        return error ? seebatch_move_from_san(position, text, length, move, error) : san;
    return see_fail(error, SEEBATCH_UNREADABLE,
                    "'%s' is not a move, expected UCI such as e2e4 or e7e8q, or SAN such as e4, exd5, Nf3, e8=Q or O-O",
                    see_quote(text, length).text);
}

static char *put_square(char *end, int square)
{
    *end++ = (char)('a' + (square & 7));
    *end++ = (char)('1' + (square >> 3));
    return end;
}

/* Finds what tells the moving piece from others of its kind that can go to the same square. There are no others for a
 * king. */
static char *put_origin(char *end, const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), type = seebatch_type_on(position, from);
    bool others = false, same_file = false, same_rank = false;
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    uint64_t pieces = pieces_of(position, position->stm, type);
    size_t n = pieces & (pieces - 1) ? seebatch_legal_moves(position, legal) : 0;

    for (size_t i = 0; i < n; i++) {
        int other = seebatch_from(legal[i]);
        if (other == from || seebatch_to(legal[i]) != seebatch_to(move) || seebatch_type_on(position, other) != type)
            continue;
        others = true;
        same_file |= (other & 7) == (from & 7);
        same_rank |= other >> 3 == from >> 3;
    }
    if (others && (!same_file || same_rank))
        *end++ = (char)('a' + (from & 7));
    if (others && same_file)
        *end++ = (char)('1' + (from >> 3));
    return end;
}

static char *put_move(char *end, const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), type = seebatch_type_on(position, from), promotion = seebatch_promotion(move);
    bool captures = is_capture(position, move);
    if (type != SEEBATCH_PAWN) {
        *end++ = type_letters[type];
        end = put_origin(end, position, move);
    } else if (captures)
        *end++ = (char)('a' + (from & 7));
    if (captures)
        *end++ = 'x';
    end = put_square(end, seebatch_to(move));
    if (promotion) {
        *end++ = '=';
        *end++ = type_letters[promotion];
    }
    return end;
}

static char *put_check(char *end, const seebatch_position *position, seebatch_move move)
{
    seebatch_position after = *position;
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    seebatch_play(&after, move);
    if (seebatch_in_check(&after))
        *end++ = seebatch_legal_moves(&after, legal) ? '+' : '#';
    return end;
}

size_t seebatch_move_to_san(const seebatch_position *position, seebatch_move move, char text[SEEBATCH_SAN_SIZE])
{
    int castling = castled_side(position, move);
    char *end = text;
    if (castling >= 0) {
        size_t length = castling == SEE_KINGSIDE ? 3 : 5;
        memcpy(text, "O-O-O", length);
        end += length;
    } else
        end = put_move(end, position, move);
    end = put_check(end, position, move);
    *end = 0;
    return (size_t)(end - text);
}
