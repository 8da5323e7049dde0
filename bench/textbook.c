/*
 * The textbook exchange evaluation: attackers_to the square, then one capture after another by the least valuable
 * attacker, with the sliders that each capture lets out. See textbook.h for what it is for.
 *
 * Sliders come from subtraction on their lines (hyperbola quintessence) and 2 KB of tables. Tables of 840 KB that PEXT
 * indexes were tried: no faster on 256 positions in cache, and clearly slower in bulk, where tables and positions drive
 * each other out of the second-level cache.
 */
#include "textbook.h"

static uint64_t pawn_attacks[2][64]; /* [colour][square]: what a pawn of that colour on the square attacks */
static uint64_t knight_attacks[64];
static uint64_t king_attacks[64];

static uint64_t bit(int square) { return UINT64_C(1) << square; }
static int lsb(uint64_t set) { return __builtin_ctzll(set); }

/* The squares from a square in one direction up to the first occupied one; -1 <= df, dr <= 1. For tables only. */
static uint64_t walk(int square, int df, int dr, uint64_t occupied, int steps)
{
    uint64_t attacks = 0;
    int file = (square & 7) + df, rank = (square >> 3) + dr;
    for (; steps > 0 && file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr, steps--) {
        int to = rank * 8 + file;
        attacks |= bit(to);
        if (occupied & bit(to))
            break;
    }
    return attacks;
}

struct lines {
    uint64_t file, diagonal, antidiagonal; /* without the square itself */
};

static struct lines lines[64];
static uint8_t rank_attacks[8][64]; /* [file][occupied squares of the rank, without the first and last] */

/* Both directions of a line on which byte order reverses the squares: file and diagonals. */
static uint64_t line_attacks(int square, uint64_t line, uint64_t occupied)
{
    uint64_t up = (occupied & line) - bit(square);
    uint64_t down = __builtin_bswap64(__builtin_bswap64(occupied & line) - __builtin_bswap64(bit(square)));
    return (up ^ down) & line;
}

static uint64_t bishop_attacks(int square, uint64_t occupied)
{
    return line_attacks(square, lines[square].diagonal, occupied) |
           line_attacks(square, lines[square].antidiagonal, occupied);
}

static uint64_t rook_attacks(int square, uint64_t occupied)
{
    int rank = square & 56;
    uint64_t on_rank = rank_attacks[square & 7][occupied >> (rank + 1) & 63];
    return line_attacks(square, lines[square].file, occupied) | on_rank << rank;
}

static void fill_sliders(void)
{
    for (int s = 0; s < 64; s++) {
        lines[s].file = walk(s, 0, 1, 0, 7) | walk(s, 0, -1, 0, 7);
        lines[s].diagonal = walk(s, 1, 1, 0, 7) | walk(s, -1, -1, 0, 7);
        lines[s].antidiagonal = walk(s, -1, 1, 0, 7) | walk(s, 1, -1, 0, 7);
    }
    for (int file = 0; file < 8; file++)
        for (unsigned inner = 0; inner < 64; inner++)
            rank_attacks[file][inner] =
                (uint8_t)(walk(file, 1, 0, (uint64_t)inner << 1, 7) | walk(file, -1, 0, (uint64_t)inner << 1, 7));
}

void textbook_prepare(void)
{
    for (int s = 0; s < 64; s++) {
        for (int df = -1; df <= 1; df++)
            for (int dr = -1; dr <= 1; dr++)
                if (df || dr)
                    king_attacks[s] |= walk(s, df, dr, 0, 1);
        for (int df = -1; df <= 1; df += 2) {
            pawn_attacks[SEEBATCH_WHITE][s] |= walk(s, df, 1, 0, 1);
            pawn_attacks[SEEBATCH_BLACK][s] |= walk(s, df, -1, 0, 1);
            for (int dr = -1; dr <= 1; dr += 2)
                knight_attacks[s] |= walk(s, df, 2 * dr, 0, 1) | walk(s, 2 * df, dr, 0, 1);
        }
    }
    fill_sliders();
}

void textbook_board_from_position(struct textbook_board *board, const seebatch_position *position)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        board->by_type[type] = seebatch_pieces_of_type(position, type);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        board->by_color[color] = seebatch_pieces_of_color(position, color);
    for (int s = 0; s < 64; s++)
        board->type_on[s] = (uint8_t)seebatch_type_on(position, s);
}

static inline uint64_t diagonal_sliders(const struct textbook_board *b)
{
    return b->by_type[SEEBATCH_BISHOP] | b->by_type[SEEBATCH_QUEEN];
}

static inline uint64_t straight_sliders(const struct textbook_board *b)
{
    return b->by_type[SEEBATCH_ROOK] | b->by_type[SEEBATCH_QUEEN];
}

/* Pieces of both sides that attack a square. */
static inline uint64_t attackers_to(const struct textbook_board *b, int square, uint64_t occupied)
{
    return (pawn_attacks[SEEBATCH_BLACK][square] & b->by_type[SEEBATCH_PAWN] & b->by_color[SEEBATCH_WHITE]) |
           (pawn_attacks[SEEBATCH_WHITE][square] & b->by_type[SEEBATCH_PAWN] & b->by_color[SEEBATCH_BLACK]) |
           (knight_attacks[square] & b->by_type[SEEBATCH_KNIGHT]) | (king_attacks[square] & b->by_type[SEEBATCH_KING]) |
           (bishop_attacks(square, occupied) & diagonal_sliders(b)) |
           (rook_attacks(square, occupied) & straight_sliders(b));
}

/* The type of the least valuable of some attackers. There is one. */
static inline int least_valuable(const struct textbook_board *b, uint64_t attackers)
{
    int type = SEEBATCH_PAWN;
    while (!(attackers & b->by_type[type]))
        type++;
    return type;
}

/* The sliders behind a piece of a type that left for the square. */
static inline uint64_t xrays(const struct textbook_board *b, int type, int square, uint64_t occupied)
{
    uint64_t sliders = 0;
    if (type == SEEBATCH_PAWN || type == SEEBATCH_BISHOP || type == SEEBATCH_QUEEN)
        sliders |= bishop_attacks(square, occupied) & diagonal_sliders(b);
    if (type == SEEBATCH_ROOK || type == SEEBATCH_QUEEN)
        sliders |= rook_attacks(square, occupied) & straight_sliders(b);
    return sliders;
}

/* What the first move does: *occupied lacks the mover and the pawn taken en passant. Returns the value of what was
 * taken. */
static inline int first_capture(const int16_t value[5], const struct textbook_board *b, int from, int to,
                                uint64_t *occupied)
{
    *occupied = (b->by_color[SEEBATCH_WHITE] | b->by_color[SEEBATCH_BLACK]) ^ bit(from);
    int taken = b->type_on[to];
    if (taken != SEEBATCH_NO_PIECE)
        return value[taken];
    if (b->type_on[from] != SEEBATCH_PAWN || !((from ^ to) & 7))
        return 0;
    *occupied ^= bit((from & 56) | (to & 7)); /* en passant: the pawn beside the from-square */
    return value[SEEBATCH_PAWN];
}

bool textbook_ge(const int16_t value[5], const struct textbook_board *b, seebatch_move move, int threshold)
{
    int from = seebatch_from(move), to = seebatch_to(move), mover = b->type_on[from];
    uint64_t occupied;
    /* How far whoever moved last is above what makes the exchange a success for it; below 0 it is none. */
    int balance = first_capture(value, b, from, to, &occupied) - threshold;
    if (balance < 0)
        return false;
    if (mover == SEEBATCH_KING || balance >= value[mover])
        return true;
    balance -= value[mover]; /* as if the piece were lost, which still has to happen */

    int stm = b->by_color[SEEBATCH_WHITE] >> from & 1 ? SEEBATCH_BLACK : SEEBATCH_WHITE;
    const int opponent = stm;
    uint64_t attackers = attackers_to(b, to, occupied) & occupied;
    for (;;) {
        uint64_t own = attackers & b->by_color[stm];
        if (!own)
            break;
        int type = least_valuable(b, own);
        if (type == SEEBATCH_KING) {
            /* It captures, and that decides, where nothing can take it. */
            if (!(attackers & b->by_color[!stm]))
                stm = !stm;
            break;
        }
        occupied ^= bit(lsb(own & b->by_type[type]));
        attackers = (attackers | xrays(b, type, to, occupied)) & occupied;
        stm = !stm;
        /* What is no success for one side, by at least 1, is one for the other; again the capturing piece counts as
         * lost. Where the balance bears that, the other side need not be asked. */
        balance = -balance - 1 - value[type];
        if (balance >= 0)
            break;
    }
    /* The side that has the turn has no answer. */
    return stm == opponent;
}

int textbook_value(const int16_t value[5], const struct textbook_board *b, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move), standing = b->type_on[from];
    uint64_t occupied;
    int gain[SEEBATCH_MAX_EXCHANGE], depth = 0;
    gain[0] = first_capture(value, b, from, to, &occupied);
    if (standing == SEEBATCH_KING)
        return gain[0];

    int stm = b->by_color[SEEBATCH_WHITE] >> from & 1 ? SEEBATCH_BLACK : SEEBATCH_WHITE;
    uint64_t attackers = attackers_to(b, to, occupied) & occupied;
    uint64_t own;
    while ((own = attackers & b->by_color[stm]) != 0) {
        int type = least_valuable(b, own);
        if (type == SEEBATCH_KING && attackers & b->by_color[!stm])
            break;
        gain[depth + 1] = value[standing] - gain[depth];
        depth++;
        if (type == SEEBATCH_KING)
            break;
        standing = type;
        occupied ^= bit(lsb(own & b->by_type[type]));
        attackers = (attackers | xrays(b, type, to, occupied)) & occupied;
        stm = !stm;
    }
    for (; depth > 0; depth--)
        if (-gain[depth] < gain[depth - 1])
            gain[depth - 1] = -gain[depth];
    return gain[0];
}
