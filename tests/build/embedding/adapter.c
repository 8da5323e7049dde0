/*
 * An engine's adapter to seebatch_see_mailbox.h, with one of the mistakes of the table in docs/engine-recipes.md: FAULT is its
 * row, and 0 is none. `adapter games` asks about the legal moves of positions on standard input, as a search does, and
 * `adapter suite` answers the suite for `seebatch verify`.
 */
#include "legal_moves.h"

#ifndef FAULT
#define FAULT 0
#endif
#define IF(fault, wrong, right) (FAULT == (fault) ? (wrong) : (right))

static uint64_t pawn_attacks(int color, int sq) { return seebatch_attacks(SEEBATCH_PAWN, color, sq, 0); }
static uint64_t knight_attacks(int sq)
{
    return IF(30, (uint64_t)(sq & 0), seebatch_attacks(SEEBATCH_KNIGHT, 0, sq, 0));
}
static uint64_t bishop_attacks(int sq, uint64_t occupied)
{
    return seebatch_attacks(SEEBATCH_BISHOP, 0, sq & 63, occupied);
}
static uint64_t rook_attacks(int sq, uint64_t occupied) { return seebatch_attacks(SEEBATCH_ROOK, 0, sq, occupied); }

#if FAULT == 27
#define SEEBATCH_SEE_PAWN_ATTACKS(color, square) pawn_attacks(square & 1, color)
#else
#define SEEBATCH_SEE_PAWN_ATTACKS(color, square) pawn_attacks(color, square)
#endif
#define SEEBATCH_SEE_KNIGHT_ATTACKS(square) knight_attacks(square)
#if FAULT == 28
#define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) bishop_attacks((int)(occupied), (uint64_t)(square))
#else
#define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) bishop_attacks(square, occupied)
#endif
#if FAULT == 29
#define SEEBATCH_SEE_ROOK_ATTACKS(square, occupied) bishop_attacks(square, occupied)
#else
#define SEEBATCH_SEE_ROOK_ATTACKS(square, occupied) rook_attacks(square, occupied)
#endif
#if FAULT == 24
#define SEEBATCH_SEE_CODE(type, color) (type)
#else
#define SEEBATCH_SEE_CODE(type, color) (4 * (type) + (color))
#endif
#include "seebatch_see_mailbox.h"

enum { EMPTY = FAULT == 25 ? 0 : 26 };

#if FAULT == 3
#define VALUES                                                                                                         \
    {                                                                                                                  \
        100, 325, 325, 500, 1000, 20000                                                                                \
    }
#elif FAULT == 4
#define VALUES                                                                                                         \
    {                                                                                                                  \
        100, 325, 325, 500, 32000                                                                                      \
    }
#elif FAULT == 5
#define VALUES                                                                                                         \
    {                                                                                                                  \
        100, 325, 500, 325, 1000                                                                                       \
    }
#else
#define VALUES                                                                                                         \
    {                                                                                                                  \
        100, 325, 325, 500, 1000                                                                                       \
    }
#endif
#if FAULT == 33 || FAULT == 34
#define FIELDS SEEBATCH_SEE_RULES_STOCKFISH_2016
#elif FAULT == 36
#define FIELDS SEEBATCH_SEE_RULES_SWAP
#elif FAULT == 37
#define FIELDS SEEBATCH_SEE_PROMOTE_FIRST, SEEBATCH_SEE_PINS_IGNORED, 0, 0, 0
#elif FAULT == 38
#define FIELDS SEEBATCH_SEE_PINS_IGNORED, 3, 0, 0, 0
#else
#define FIELDS SEEBATCH_SEE_RULES_ETHEREAL
#endif
#if FAULT == 35
extern seebatch_see_rules Rules;
seebatch_see_rules Rules = {VALUES, FIELDS};
#else
static const seebatch_see_rules Rules = {VALUES, FIELDS};
#endif

struct board {
    uint8_t squares[FAULT == 23 ? 128 : 64];
    int numbers[64];
    uint64_t pieces[8], colors[2], threats;
    seebatch_pins pins;
    int stm;
};

static struct board board_from(const seebatch_position *p)
{
    struct board b;
    memset(&b, 0, sizeof b);
    const int attacker = IF(31, p->stm, !p->stm);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        b.pieces[type] = seebatch_pieces_of_type(p, type) & IF(21, seebatch_pieces_of_color(p, 0), ~UINT64_C(0));
    if (FAULT == 20) { /* all pieces come first */
        memmove(b.pieces + 1, b.pieces, 6 * sizeof *b.pieces);
        b.pieces[0] = seebatch_occupied(p);
    }
    if (FAULT == 22) {
        const uint64_t bishops_here = b.pieces[SEEBATCH_BISHOP];
        b.pieces[SEEBATCH_BISHOP] = b.pieces[SEEBATCH_KNIGHT];
        b.pieces[SEEBATCH_KNIGHT] = bishops_here;
    }
    for (int color = 0; color < 2; color++)
        b.colors[color ^ IF(19, 1, 0)] = seebatch_pieces_of_color(p, color);
    b.stm = IF(17, p->stm + 1, IF(18, !p->stm, p->stm));
    for (int sq = 0; sq < 64; sq++) {
        const int type = seebatch_type_on(p, sq);
        b.squares[sq] = (uint8_t)(type == SEEBATCH_NO_PIECE ? EMPTY : 4 * type + seebatch_color_on(p, sq));
        b.numbers[sq] = b.squares[sq];
        b.threats |= (uint64_t)(seebatch_attackers(p, sq, attacker, seebatch_occupied(p)) != 0) << sq;
    }
    if (FAULT == 26) /* the mailbox of the position before the last move */
        b.squares[seebatch_pieces_of_type(p, SEEBATCH_PAWN) ? __builtin_ctzll(b.pieces[0]) : 0] = EMPTY;
    if (FAULT == 32)
        b.threats = 0;
    seebatch_rules rules;
    seebatch_rules_named("stockfish-2016", &rules, NULL);
    seebatch_find_pins(&rules, p, &b.pins);
    return b;
}

/* The engine's types count from 0, a pawn, and the type of an empty square is 6. */
static int type_of(int code) { return code / 4; }

static bool reaches(const struct board *b, const seebatch_position *p, seebatch_move m, int threshold)
{
    const int kind = kind_of(p, m), up = p->stm == SEEBATCH_WHITE ? 8 : -8;
    int from = seebatch_from(m), to = seebatch_to(m);
    if (FAULT == 41) /* squares counted from a8, without SEEBATCH_SEE_UP */
        from ^= 56, to ^= 56;
    const int moves_with = b->numbers[seebatch_from(m)], taken = b->numbers[seebatch_to(m)];
    const int promotion = kind == PROMOTES ? seebatch_promotion(m) : 0;
    const seebatch_see_board board = {b->pieces, b->colors, b->stm, &b->threats};
    const seebatch_see_pins pins = {
        {b->pins.blockers[IF(34, 1, 0)], b->pins.blockers[IF(34, 0, 1)]},
        {b->pins.pinners[IF(33, 1, 0)], b->pins.pinners[IF(33, 0, 1)]},
    };
    seebatch_see_move move = {from,      to, IF(10, moves_with, type_of(moves_with)), IF(11, taken, type_of(taken)),
                              promotion, 0};
    if (kind == CASTLES && FAULT != 1)
        move.special = SEEBATCH_SEE_CASTLING;
    if (kind == PASSES && FAULT != 2)
        move.special = SEEBATCH_SEE_EN_PASSANT;
    if (FAULT == 6)
        move.to = move.from;
    if (FAULT == 7)
        move.to++, move.from++; /* squares counted from 1 */
    if (FAULT == 8)
        move.from = -1;
    if (FAULT == 9)
        move.from = to, move.to = from;
    if (FAULT == 12 && move.captured == SEEBATCH_SEE_NO_PIECE)
        move.captured = 0;
    if (FAULT == 13 && promotion)
        move.promotion += 6 * p->stm;
    if (FAULT == 14 && promotion)
        move.promotion++;
    if (FAULT == 15)
        move.promotion = 0;
    if (FAULT == 16 && type_of(moves_with) == SEEBATCH_PAWN)
        move.promotion = SEEBATCH_SEE_QUEEN;
    if (FAULT == 39)
        threshold = -threshold;
    if (FAULT == 40 && kind == PASSES)
        move.to -= up;
    if (FAULT == 42 && kind == PROMOTES)
        move.special = 3; /* the engine's own number */
#if FAULT == 43
    return seebatch_see_mailbox_ge(&Rules, SEEBATCH_SEE_MAILBOX(b->numbers), &board, &pins, move, threshold);
#elif FAULT == 44
    const void *squares = b->squares;
    return seebatch_see_mailbox_ge(&Rules, SEEBATCH_SEE_MAILBOX(squares), &board, &pins, move, threshold);
#else
    return seebatch_see_mailbox_ge(&Rules, SEEBATCH_SEE_MAILBOX(b->squares), &board, &pins, move, threshold);
#endif
}

static int value_of(const struct board *b, const seebatch_position *p, seebatch_move m)
{
    int low = -32768, high = 32767;
    while (low < high) {
        const int middle = high - (high - low) / 2;
        if (reaches(b, p, m, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int main(int argc, char **argv)
{
    const bool is_suite = argc == 2 && strcmp(argv[1], "suite") == 0;
    char line[1024], fen[256], uci[8];
    size_t yes = 0;
    seebatch_position p;
    while (fgets(line, sizeof line, stdin)) {
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        size_t n = 1;
        if (is_suite && (sscanf(line, "%*[^\t]\t%*[^\t]\t%255[^\t]\t%7[^\t]", fen, uci) != 2 ||
                         seebatch_position_from_fen(fen, strlen(fen), &p, NULL) != SEEBATCH_OK ||
                         seebatch_move_from_uci(&p, uci, strlen(uci), &moves[0], NULL) != SEEBATCH_OK))
            continue; /* the header */
        if (!is_suite) {
            if (seebatch_position_from_fen(line, strcspn(line, "\r\n"), &p, NULL) != SEEBATCH_OK)
                return 1;
            n = seebatch_legal_moves(&p, moves);
        }
        const struct board b = board_from(&p);
        for (size_t i = 0; i < n; i++)
            if (is_suite)
                printf("%s; %s; %d\n", fen, uci, value_of(&b, &p, moves[i]));
            else
                yes += reaches(&b, &p, moves[i], 0);
    }
    return !is_suite && yes == 0;
}
