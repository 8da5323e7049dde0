/*
 * seebatch_see.h as a kernel, so that the harness holds it against the library. C11 and C++17. Rules that have a name
 * are constants, as in an engine; default values too. Every other query comes with a map of what the enemy attacks.
 * WITH_ATTACKS: with attacks that the header does not find itself. WITH_BLACK_FIRST: color 0 is black.
 * WITH_MAILBOX: seebatch_see_mailbox.h and a layout, one of those below. Of three queries one has a mailbox beside
 * bitboards, one has nothing else, and one has none.
 */
#include "board/attacks.h"

#ifdef WITH_BLACK_FIRST
#define SEEBATCH_SEE_UP 1
enum { BLACK_FIRST = 1 };
#else
enum { BLACK_FIRST = 0 };
#endif
#ifdef WITH_ATTACKS
#define SEEBATCH_SEE_PAWN_ATTACKS(color, square) pawn_attacks((color) ^ BLACK_FIRST, square)
#define SEEBATCH_SEE_KNIGHT_ATTACKS(square) knight_attacks(square)
#define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) bishop_attacks(square, occupied)
#define SEEBATCH_SEE_ROOK_ATTACKS(square, occupied) rook_attacks(square, occupied)
#define SEEBATCH_SEE_KING_ATTACKS(square) king_attacks(square)
#endif
#ifdef WITH_MAILBOX
/* In order: codes below 16; below 32; below 64; letters; a colour in bit 7, types of another order in bits 4 to 6 and
 * an identity below; a colour in bit 4, types in bits 5 to 7 and an identity below; a colour in bit 7, types in bits 1
 * to 3 and other bits around. */
#define TYPE_FROM(order, type) (0x##order >> 4 * (type)&15)
#if WITH_MAILBOX == 1
#define SEEBATCH_SEE_CODE(type, color) ((type)*2 + (((color) == BLACK_FIRST) ? 1 : 0))
#elif WITH_MAILBOX == 2
#define SEEBATCH_SEE_CODE(type, color) ((type)*4 + (((color) == BLACK_FIRST) ? 0 : 1))
#elif WITH_MAILBOX == 3
#define SEEBATCH_SEE_CODE(type, color) ((type)*12 + (((color) == BLACK_FIRST) ? 1 : 0))
#elif WITH_MAILBOX == 4
#define SEEBATCH_SEE_CODE(type, color)                                                                                 \
    (((type) == 0   ? 'p'                                                                                              \
      : (type) == 1 ? 'n'                                                                                              \
      : (type) == 2 ? 'b'                                                                                              \
      : (type) == 3 ? 'r'                                                                                              \
      : (type) == 4 ? 'q'                                                                                              \
                    : 'k') -                                                                                           \
     (((color) == BLACK_FIRST) ? 32 : 0))
#elif WITH_MAILBOX == 5
#define SEEBATCH_SEE_CODE(type, color) (TYPE_FROM(176532, type) << 4 | (((color) == BLACK_FIRST) ? 0 : 0x80))
#define SEEBATCH_SEE_CODE_MASK 0xf0
#elif WITH_MAILBOX == 6
#define SEEBATCH_SEE_CODE(type, color) (TYPE_FROM(654321, type) << 5 | (((color) == BLACK_FIRST) ? 0 : 0x10))
#define SEEBATCH_SEE_CODE_MASK 0xf0
#elif WITH_MAILBOX == 7
#define SEEBATCH_SEE_CODE(type, color) (TYPE_FROM(123764, type) << 1 | (((color) == BLACK_FIRST) ? 0x80 : 0))
#define SEEBATCH_SEE_CODE_MASK 0x8e
#else
#error "WITH_MAILBOX: expected 1 to 7"
#endif
#include "seebatch_see_mailbox.h"
#else
#include "seebatch_see.h"
#endif

#include "header.h"

#include <string.h>

static uint64_t attacked_by(const seebatch_position *p, int color)
{
    uint64_t attacked = 0, pieces = seebatch_pieces_of_color(p, color);
    const uint64_t occupied = seebatch_occupied(p);
    while (pieces) {
        const int square = pop_lsb(&pieces), type = seebatch_type_on(p, square);
        const bool queen = type == SEEBATCH_QUEEN;
        attacked |= type == SEEBATCH_PAWN ? pawn_attacks(color, square) : 0;
        attacked |= type == SEEBATCH_KNIGHT ? knight_attacks(square) : 0;
        attacked |= type == SEEBATCH_BISHOP || queen ? bishop_attacks(square, occupied) : 0;
        attacked |= type == SEEBATCH_ROOK || queen ? rook_attacks(square, occupied) : 0;
        attacked |= type == SEEBATCH_KING ? king_attacks(square) : 0;
    }
    return attacked;
}

/* What a board points to. */
struct pointed {
    uint64_t types[6], colors[2], attacked;
#ifdef WITH_MAILBOX
    uint8_t codes[64];
#endif
};

#ifdef WITH_MAILBOX
enum {
#ifdef SEEBATCH_SEE_CODE_MASK
    CODE_MASK = SEEBATCH_SEE_CODE_MASK,
#else
    CODE_MASK = WITH_MAILBOX == 1   ? 15
                : WITH_MAILBOX == 2 ? 31
                : WITH_MAILBOX == 3 ? 63
                                    : 255,
#endif
};

static bool is_piece(int byte)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++) {
        if ((byte & CODE_MASK) == SEEBATCH_SEE_CODE(type, 0) || (byte & CODE_MASK) == SEEBATCH_SEE_CODE(type, 1))
            return true;
    }
    return false;
}

/* The mailbox of query k. Empty squares have any byte that is not a piece's; bits that do not count are any. */
static void fill_mailbox(const seebatch_position *p, size_t k, uint8_t codes[64])
{
    int empty = (int)(k % 256);
    while (is_piece(empty))
        empty = (empty + 1) % 256;
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(p, square), other = (int)(k * 37 + (size_t)square * 11);
        const int color = type == SEEBATCH_NO_PIECE ? 0 : seebatch_color_on(p, square) ^ BLACK_FIRST;
        codes[square] = (uint8_t)(type == SEEBATCH_NO_PIECE ? empty : SEEBATCH_SEE_CODE(type, color));
#ifdef SEEBATCH_SEE_CODE_MASK
        codes[square] = (uint8_t)((codes[square] & CODE_MASK) | (other & ~CODE_MASK));
#else
        (void)other;
#endif
    }
}
#endif

/* Query k's board, seen by the side that moves. */
static seebatch_see_board board_of(const seebatch_position *p, int stm, size_t k, struct pointed *pointed)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        pointed->types[type] = seebatch_pieces_of_type(p, type);
    for (int color = 0; color < 2; color++)
        pointed->colors[color] = seebatch_pieces_of_color(p, color ^ BLACK_FIRST);
    seebatch_see_board board = {pointed->types, pointed->colors, stm ^ BLACK_FIRST, NULL};
#ifdef WITH_MAILBOX
    fill_mailbox(p, k, pointed->codes);
    if (k % 3 == 2) {
        board.types = NULL;
        board.colors = NULL;
    }
#endif
    if (k % 2) {
        pointed->attacked = attacked_by(p, !stm);
        board.attacked = &pointed->attacked;
    }
    return board;
}

/* Pins by the numbers of colors here. */
static const seebatch_see_pins *pins_of(const seebatch_pins *pins, seebatch_see_pins *seen)
{
    for (int color = 0; pins && color < 2; color++) {
        seen->blockers[color] = pins->blockers[color ^ BLACK_FIRST];
        seen->pinners[color] = pins->pinners[color ^ BLACK_FIRST];
    }
    return pins ? seen : NULL;
}

static seebatch_see_move move_of(const seebatch_position *p, seebatch_move m)
{
    const int from = seebatch_from(m), to = seebatch_to(m);
    seebatch_see_move move = {from, to, seebatch_type_on(p, from), seebatch_type_on(p, to), seebatch_promotion(m), 0};
    const bool empty = move.captured == SEEBATCH_NO_PIECE;
    if (move.piece == SEEBATCH_PAWN && empty && (from ^ to) & 7)
        move.special = SEEBATCH_SEE_EN_PASSANT;
    if (move.piece == SEEBATCH_KING &&
        (from - to == 2 || to - from == 2 || (!empty && seebatch_color_on(p, from) == seebatch_color_on(p, to))))
        move.special = SEEBATCH_SEE_CASTLING;
    if (empty && m % 2)
        move.captured = -1;
    return move;
}

/* A query: a board, perhaps with a mailbox, pins or NULL, and a threshold or, for a value, NULL. */
struct query {
    seebatch_see_board board;
    const uint8_t *mailbox;
    const seebatch_see_pins *pins;
    seebatch_see_move move;
    const int *threshold;
};

static inline __attribute__((always_inline)) int answer(const seebatch_see_rules *rules, const struct query *r,
                                                        const seebatch_see_pins *pins)
{
#ifdef WITH_MAILBOX
    if (r->mailbox && r->threshold)
        return seebatch_see_mailbox_ge(rules, SEEBATCH_SEE_MAILBOX(r->mailbox), &r->board, pins, r->move,
                                       *r->threshold);
    if (r->mailbox)
        return seebatch_see_mailbox_value(rules, SEEBATCH_SEE_MAILBOX(r->mailbox), &r->board, pins, r->move);
#endif
    return r->threshold ? seebatch_see_ge(rules, &r->board, pins, r->move, *r->threshold)
                        : seebatch_see_value(rules, &r->board, pins, r->move);
}

typedef int answer_by(const int16_t *v, const struct query *r);

/* Rules that have a name, as constants, with the default values as constants and with others. */
#define BY_RULES(name, rule_set)                                                                                       \
    static int by_##rule_set(const int16_t *v, const struct query *r)                                                \
    {                                                                                                                  \
        static const seebatch_see_rules common = {{100, 325, 325, 500, 1000}, SEEBATCH_SEE_RULES_##rule_set};          \
        const seebatch_see_rules other = {{v[0], v[1], v[2], v[3], v[4]}, SEEBATCH_SEE_RULES_##rule_set};              \
        if (v[0] == 100 && v[1] == 325 && v[2] == 325 && v[3] == 500 && v[4] == 1000)                                  \
            return r->pins ? answer(&common, r, r->pins) : answer(&common, r, NULL);                                   \
        return answer(&other, r, r->pins);                                                                             \
    }
#define NAMED(name, rule_set) {name, by_##rule_set},
/* Made by scripts/manual: rules */
#define EACH(X)                                                                                                        \
    X("swap", SWAP)                                                                                                    \
    X("promotions", PROMOTIONS)                                                                                        \
    X("ethereal", ETHEREAL)                                                                                            \
    X("stockfish", STOCKFISH)                                                                                          \
    X("stockfish-2016", STOCKFISH_2016)                                                                                \
    X("stormphrax", STORMPHRAX)                                                                                        \
    X("pawnocchio", PAWNOCCHIO)                                                                                        \
    X("plentychess", PLENTYCHESS)                                                                                      \
    X("reckless", RECKLESS)
/* Up to here by scripts/manual. */

EACH(BY_RULES)

static const struct {
    const char *name;
    answer_by *by;
} by_name[] = {EACH(NAMED)};

/* The function for rules of that name; NULL: rules without one. */
static answer_by *find_by(const seebatch_rules *rules)
{
    for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++) {
        seebatch_rules named;
        seebatch_rules_named(by_name[i].name, &named, NULL);
        memcpy(named.value, rules->value, sizeof named.value);
        if (memcmp(&named, rules, sizeof named) == 0)
            return by_name[i].by;
    }
    return NULL;
}

static int header_answer(const seebatch_rules *rules, const seebatch_position *p, const seebatch_pins *pins,
                         seebatch_move m, size_t k, const int *threshold)
{
    const int16_t *v = rules->value;
    const int stm = seebatch_color_on(p, seebatch_from(m));
    struct pointed pointed;
    seebatch_see_pins seen;
    struct query r = {board_of(p, stm, k, &pointed), NULL, pins_of(pins, &seen), move_of(p, m), threshold};
#ifdef WITH_MAILBOX
    r.mailbox = k % 3 ? pointed.codes : NULL;
#endif
    answer_by *by = find_by(rules);
    if (by)
        return by(v, &r);
    const seebatch_see_rules other = {{v[0], v[1], v[2], v[3], v[4]},
                                      rules->pins,
                                      rules->promotions,
                                      rules->promotion,
                                      rules->en_passant,
                                      rules->castling};
    return answer(&other, &r, r.pins);
}

/* The answers to the moves of one position; k: the first one's number. The mask is 0 before the first. */
static void answer_all(const seebatch_rules *rules, const seebatch_position *p, const seebatch_pins *pins,
                       const seebatch_move *moves, size_t k, size_t n, const struct see_answers *answers)
{
    for (size_t end = k + n; k < end; k++, moves++) {
        if (answers->values) {
            answers->values[k] = (int16_t)header_answer(rules, p, pins, *moves, k, NULL);
        } else {
            const int threshold = answers->thresholds[k * answers->step];
            answers->mask[k / 64] |= (uint64_t)header_answer(rules, p, pins, *moves, k, &threshold) << k % 64;
        }
    }
}

static void header_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                 const struct see_answers *answers)
{
    if (rules->pins == SEEBATCH_PINS_LEGAL) { /* not of this header */
        seebatch_scalar_batch_answers(rules, batch, path, answers);
        return;
    }
    if (!answers->values)
        memset(answers->mask, 0, SEEBATCH_MASK_WORDS(see_query_count(batch)) * sizeof *answers->mask);
    const size_t *offsets = batch->offsets;
    for (size_t i = 0; i < batch->n_positions; i++)
        answer_all(rules, &batch->positions[i], see_pins_of(batch, i), batch->moves + offsets[i],
                   offsets[i] - offsets[0], offsets[i + 1] - offsets[i], answers);
}

static void header_one(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                       const seebatch_move *moves, size_t n, const struct see_answers *answers)
{
    const size_t offsets[] = {0, n};
    const seebatch_batch batch = {position, 1, offsets, moves, pins};
    header_batch_answers(rules, &batch, SEE_FASTEST, answers);
}

static void header_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    const struct see_answers answers = {values, NULL, 0, NULL};
    header_one(rules, position, pins, moves, n, &answers);
}

static void header_position_ge(const seebatch_rules *rules, const seebatch_position *position,
                               const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                               const int16_t *thresholds, size_t step, uint64_t *mask)
{
    const struct see_answers answers = {NULL, thresholds, step, mask};
    header_one(rules, position, pins, moves, n, &answers);
}

static bool is_supported(void) { return true; }

const struct see_kernel header_kernel = {
    "header",
    "seebatch_see.h",
    is_supported,
    header_batch_answers,
    header_position_values,
    header_position_ge,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
};
