/*
 * Reading the chains of Stockfish's binpack: a stem's bytes, and the bits of the positions that follow it. Both give a
 * position and what its record says, or a sentence that says what is wrong.
 */

#include "binpack.h"
#include "chess/inline_attacks.h"

static unsigned big_endian(const unsigned char *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

/* ---- Stems ------------------------------------------------------------------------------------------------------- */

static bool take_castling_rook(seebatch_position *position, int color, int square, seebatch_error *error)
{
    const int home = color == SEEBATCH_WHITE ? 0 : 56;
    if (square != home && square != home + 7)
        return seebatch_io_fail_with(error,
                                     "a %s rook with a right to castle stands on %c%c, expected it in its corner",
                                     color == SEEBATCH_WHITE ? "white" : "black", 'a' + square % 8, '1' + square / 8);
    position->castling_rook[color][square == home ? QUEENSIDE : KINGSIDE] = (uint8_t)square;
    return true;
}

static bool take_en_passant_pawn(seebatch_position *position, int square, seebatch_error *error)
{
    if (square / 8 != 3 && square / 8 != 4)
        return seebatch_io_fail_with(error, "the pawn to be captured en passant stands on %c%c, expected rank 4 or 5",
                                     'a' + square % 8, '1' + square / 8);
    if (position->ep_square != SEEBATCH_NO_SQUARE)
        return seebatch_io_fail_with(error, "two pawns can be captured en passant, expected one at most");
    position->ep_square = (uint8_t)(square ^ 8);
    return true;
}

/* Puts a piece on the board, and notes what else its nibble says. */
static bool take_piece(seebatch_position *position, int square, int nibble, seebatch_error *error)
{
    int type = nibble / 2, color = nibble % 2;
    if (nibble == BINPACK_EP_PAWN) {
        type = SEEBATCH_PAWN;
        color = square / 8 == 3 ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    } else if (nibble == BINPACK_WHITE_CASTLES || nibble == BINPACK_BLACK_CASTLES) {
        type = SEEBATCH_ROOK;
        color = nibble == BINPACK_WHITE_CASTLES ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    } else if (nibble == BINPACK_BLACK_TO_MOVE) {
        type = SEEBATCH_KING;
        color = position->stm = SEEBATCH_BLACK;
    }
    seebatch_put_piece(position, square, type, color);
    if (nibble == BINPACK_EP_PAWN)
        return take_en_passant_pawn(position, square, error);
    if (nibble == BINPACK_WHITE_CASTLES || nibble == BINPACK_BLACK_CASTLES)
        return take_castling_rook(position, color, square, error);
    return true;
}

static bool take_position(const unsigned char *stem, seebatch_position *position, seebatch_error *error)
{
    uint64_t occupied = 0;
    for (int i = 0; i < 8; i++)
        occupied = occupied << 8 | stem[i];
    const int n = binpack_count(occupied);
    *position = seebatch_position_empty(SEEBATCH_WHITE);
    if (n > BINPACK_MOST_PIECES)
        return seebatch_io_fail_with(error, "the position has %d pieces, expected at most %d", n, BINPACK_MOST_PIECES);
    for (int i = 0; i < n; i++)
        if (!take_piece(position, pop_lsb(&occupied), stem[8 + i / 2] >> i % 2 * 4 & 15, error))
            return false;
    position->halfmove_clock = (uint16_t)big_endian(stem + 30);
    if (seebatch_position_check(position, error) != SEEBATCH_OK)
        return false;
    return binpack_castles_as_usual(position) ||
           seebatch_io_fail_with(
               error, "there is a right to castle, but the king is not on e1 or e8, expected ordinary chess");
}

/* The type of a legal move, as a stem has it. */
static unsigned type_of(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(position, from);
    if (seebatch_promotion(move))
        return BINPACK_PROMOTION;
    if (type == SEEBATCH_KING && (from - to == 2 || to - from == 2))
        return BINPACK_CASTLING;
    return type == SEEBATCH_PAWN && to == position->ep_square ? BINPACK_EN_PASSANT : BINPACK_NORMAL;
}

/* The move of a stem: bits 14-15 type, 8-13 from, 2-7 to, 0-1 what a pawn becomes. All 0: there is none. */
static bool take_move(unsigned word, const seebatch_position *position, struct record *record, seebatch_error *error)
{
    const unsigned type = word >> 14;
    const int from = word >> 8 & 63, promotion = type == BINPACK_PROMOTION ? SEEBATCH_KNIGHT + (int)(word & 3) : 0;
    int to = word >> 2 & 63;
    char text[6];
    if (word == 0)
        return true;
    if (type == BINPACK_CASTLING && from / 8 == to / 8) /* the king goes to its rook */
        to = castled_king_square(position->stm, to > from ? KINGSIDE : QUEENSIDE);
    record->move = seebatch_make_move(from, to, promotion);
    if (!seebatch_is_legal(position, record->move) || type_of(position, record->move) != type) {
        static const char *const names[] = {"", " with a promotion", " as castling", " en passant"};
        char fen[SEEBATCH_FEN_SIZE];
        seebatch_move_to_uci(record->move, text);
        seebatch_position_to_fen(position, fen);
        return seebatch_io_fail_with(error, "the move %s%s is not legal in '%s'", text, names[type], fen);
    }
    record->has |= FIELD_MOVE;
    return true;
}

static void set_move_number(seebatch_position *position, int ply)
{
    position->fullmove_number = (uint16_t)(ply / 2 + 1 < UINT16_MAX ? ply / 2 + 1 : UINT16_MAX);
}

/* Sets the labels of the record, from those of its side. */
static void set_labels(const struct binpack_chain *chain, const seebatch_position *position, struct record *record)
{
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1;
    record->score = sign * chain->score;
    record->result = (uint8_t)(RESULT_DRAW + sign * chain->result);
    record->ply = chain->ply;
    record->has |= FIELD_SCORE | FIELD_RESULT | FIELD_PLY;
}

bool seebatch_io_binpack_read_stem(struct binpack_chain *chain, const unsigned char *stem, struct record *record,
                                   seebatch_position *position, seebatch_error *error)
{
    const unsigned ply_and_result = big_endian(stem + 28);
    chain->left = big_endian(stem + 32);
    chain->text = stem + BINPACK_STEM;
    chain->bit = 0;
    chain->score = binpack_unzigzag(big_endian(stem + 26));
    chain->result = binpack_unzigzag(ply_and_result >> 14);
    chain->ply = (int)(ply_and_result & BINPACK_MOST_PLY);
    if (!take_position(stem, position, error) || !take_move(big_endian(stem + 24), position, record, error))
        return false;
    if (ply_and_result >> 14 == 3)
        return seebatch_io_fail_with(error, "the result is coded as 3, expected 0 (a draw), 1 (lost) or 2 (won)");
    if (chain->left > 0 && !(record->has & FIELD_MOVE))
        return seebatch_io_fail_with(error, "there is no move, but %u position%s, expected a move", chain->left,
                                     chain->left == 1 ? " follows" : "s follow");
    set_move_number(position, chain->ply);
    set_labels(chain, position, record);
    return true;
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

/* Takes up to 57 bits of the movetext, the next one highest, with zeros after the end. */
struct window {
    uint64_t bits;
    int used;
};

static inline struct window peek(const struct binpack_chain *chain)
{
    const unsigned char *at = chain->text + chain->bit / 8;
    const size_t there = (size_t)(chain->end - at);
    uint64_t bits = 0;
    if (there >= 8) {
        for (int i = 0; i < 8; i++)
            bits = bits << 8 | at[i];
    } else {
        for (size_t i = 0; i < there; i++)
            bits |= (uint64_t)at[i] << (56 - 8 * i);
    }
    return (struct window){bits << chain->bit % 8, 0};
}

static inline int take(struct window *window, int width)
{
    const int value = (int)(window->bits >> 1 >> (63 - width));
    window->bits <<= width;
    window->used += width;
    return value;
}

/* Where a piece can go: the targets in ascending order, a pawn about to promote four times each, and then castling,
 * queenside first, where the right is there. */
struct choices {
    uint64_t targets;
    int each;
    int n_castling, castling_to[2]; /* the king's squares */
};

static inline struct choices choices_of(const seebatch_position *position, int from)
{
    const int stm = position->stm;
    const int type = seebatch_type_on(position, from);
    const uint64_t own = seebatch_pieces_of_color(position, stm), occupied = seebatch_occupied(position);
    const uint64_t attacks = seebatch_attacks(type, stm, from, occupied);
    struct choices choices = {attacks & ~own, 1, 0, {0, 0}};
    if (type == SEEBATCH_PAWN) {
        const uint64_t pawn = square_bb(from),
                       third = stm == SEEBATCH_WHITE ? UINT64_C(0xff) << 16 : UINT64_C(0xff) << 40;
        const uint64_t ep = position->ep_square < 64 ? square_bb(position->ep_square) : 0;
        const uint64_t one = (stm == SEEBATCH_WHITE ? pawn << 8 : pawn >> 8) & ~occupied;
        const uint64_t two = (stm == SEEBATCH_WHITE ? (one & third) << 8 : (one & third) >> 8) & ~occupied;
        choices.targets = (attacks & ((occupied & ~own) | ep)) | one | two;
        choices.each = from >> 3 == (stm == SEEBATCH_WHITE ? 6 : 1) ? 4 : 1;
    }
    for (int side = QUEENSIDE; type == SEEBATCH_KING && side >= KINGSIDE; side--)
        if (position->castling_rook[stm][side] != SEEBATCH_NO_SQUARE)
            choices.castling_to[choices.n_castling++] = castled_king_square(stm, side);
    return choices;
}

/* Reads the piece and where it goes. */
static bool take_ply_move(struct window *window, const seebatch_position *position, seebatch_move *move,
                          seebatch_error *error)
{
    const uint64_t own = seebatch_pieces_of_color(position, position->stm);
    const int n_pieces = binpack_count(own), piece = take(window, binpack_width(n_pieces));
    if (piece >= n_pieces)
        return seebatch_io_fail_with(error, "the movetext names piece %d of the side to move, which has %d", piece + 1,
                                     n_pieces);
    const int from = nth_square_by_loop(own, piece);
    const struct choices choices = choices_of(position, from);
    const int n_targets = binpack_count(choices.targets) * choices.each, n = n_targets + choices.n_castling;
    const int choice = take(window, binpack_width(n));
    if (choice >= n)
        return seebatch_io_fail_with(error, "the movetext names destination %d of %d of the piece on %c%c", choice + 1,
                                     n, 'a' + from % 8, '1' + from / 8);
    if (choice >= n_targets)
        *move = seebatch_make_move(from, choices.castling_to[choice - n_targets], 0);
    else if (choices.each > 1)
        *move = seebatch_make_move(from, nth_square_by_loop(choices.targets, choice / 4), SEEBATCH_KNIGHT + choice % 4);
    else
        *move = seebatch_make_move(from, nth_square_by_loop(choices.targets, choice), 0);
    return true;
}

/* How far the score is from the last one negated: groups of five bits, the lowest first, of which the first says
 * whether another follows. */
static bool take_score(struct window *window, struct binpack_chain *chain, seebatch_error *error)
{
    unsigned value = 0;
    for (int shift = 0;; shift += 4) {
        const int group = take(window, 5);
        value |= (unsigned)(group & 15) << shift;
        if (!(group & 16))
            break;
        if (shift == 12)
            return seebatch_io_fail_with(error, "the score has more than 16 bits, expected at most 16");
    }
    const int score = binpack_unzigzag(value) - chain->score;
    chain->score = score > INT16_MAX ? score - 65536 : score < INT16_MIN ? score + 65536 : score;
    return true;
}

/* Whether a move that the movetext can say is legal: all that is left to see is that the king is not attacked. */
static inline bool is_safe(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), stm = position->stm;
    const int king = king_square(position, stm), stands = from == king ? to : king;
    uint64_t after = (seebatch_occupied(position) & ~square_bb(from)) | square_bb(to);
    if (from == king && (to - from == 2 || from - to == 2)) /* castling */
        return seebatch_is_legal(position, move);
    if (to == position->ep_square && seebatch_type_on(position, from) == SEEBATCH_PAWN)
        after &= ~square_bb(to ^ 8);
    return !(seebatch_attackers(position, stands, !stm, after) & ~square_bb(to));
}

bool seebatch_io_binpack_read_ply(struct binpack_chain *chain, struct record *record, seebatch_position *position,
                                  seebatch_error *error)
{
    struct window window = peek(chain);
    error->text[0] = '\0';
    *position = chain->position;
    const bool well = take_ply_move(&window, position, &record->move, error) && take_score(&window, chain, error);
    chain->bit += (uint64_t)window.used;
    if (chain->bit > 8 * (uint64_t)(chain->end - chain->text)) {
        error->text[0] = '\0';
        return false;
    }
    if (!well)
        return false;
    if (!is_safe(position, record->move)) {
        char text[6], fen[SEEBATCH_FEN_SIZE];
        seebatch_move_to_uci(record->move, text);
        seebatch_position_to_fen(position, fen);
        return seebatch_io_fail_with(error, "the move %s is not legal in '%s'", text, fen);
    }
    record->length = (size_t)(chain->text + (chain->bit + 7) / 8 - (const unsigned char *)record->bytes);
    record->has |= FIELD_MOVE;
    chain->ply++;
    chain->result = -chain->result;
    chain->left--;
    set_move_number(position, chain->ply);
    set_labels(chain, position, record);
    return true;
}
