/*
 * How the oracle finds its numbers: it plays the exchange on a mailbox board. A capture empties one square and puts a
 * piece on the target; attackers are found anew on the board that results, by walking from the target outwards, so that
 * x-rays, opened lines and batteries of any depth need no code of their own.
 *
 * There are two searches. The rule sets that capture least valuable first have one capture at each turn:
 * next_capturer() chooses it, turn_least_valuable() makes it on a copy and lets the other side answer there. Rules of
 * legal captures try every capture that leaves the capturer's king unattacked: by brute force where they are
 * exhaustive, else with a memory of the boards that were met and a stop where nothing better can come.
 */
#include "oracle.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1, MOST_ATTACKERS = 16 };

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

/* Which pieces may not capture: none is held back; blockers of their own king, while any or while all of the other
 * side's pinners stand; or whatever would leave its king attacked (then the best order counts, else least valuable
 * first). The other four hold pieces that stand alone before their own king or before either, and not on one line with
 * him and the target: left out of the first attackers; skipped at every turn; skipped while a pinner of their side
 * stands. */
enum { NO_PINS, PINS_ANY, PINS_ALL, LEGAL_CAPTURES, RAY_ONCE, RAY_ONCE_BOTH, RAY_EACH, RAY_STANDING };
/* Which promotions count: none, the first move's, or later ones to queens as well. */
enum { PROMOTE_NONE, PROMOTE_FIRST, PROMOTE_ALL };
/* First moves that are worth 0, or ORACLE_PASSES, without a look at the board. Castling is one of the two. A pawn that
 * is taken en passant may stay where it is. */
enum { PROMOTION_EVALUATED, PROMOTION_ZERO, PROMOTION_PASSES };
enum { EN_PASSANT_EVALUATED, EN_PASSANT_ZERO, EN_PASSANT_PASSES, EN_PASSANT_STAYS };
enum { CASTLING_ZERO, CASTLING_PASSES };
/* With legal captures: a double push may be answered en passant. */
enum { REPLIES_IGNORED, REPLIES_COUNTED };

enum { MOST_WORDS = 16, NO_MEMBER = -1 };

#define OFFSET(member) (int)offsetof(struct oracle_rules, member)

/* The fields with the words for their values, in the order of the enumerations above. */
static const struct {
    const char *name;
    int offset;
    const char *word[MOST_WORDS];
} fields[] = {
    {"pins", OFFSET(pins), {"ignored", "any", "all", "legal", "ray-once", "ray-once-both", "ray-each", "ray-standing"}},
    {"promotions", OFFSET(promotions), {"none", "first", "all"}},
    {"promotion", OFFSET(promotion), {"evaluated", "zero", "always"}},
    {"en-passant", OFFSET(en_passant), {"evaluated", "zero", "always", "standing"}},
    {"castling", OFFSET(castling), {"zero", "always"}},
    {"order", NO_MEMBER, {"least", "best"}}, /* that of legal captures is the best */
    {"en-passant-replies", OFFSET(replies), {"ignored", "counted"}},
};

const struct oracle_rules oracle_swap = {.pins = NO_PINS};
const struct oracle_rules oracle_legal = {.pins = LEGAL_CAPTURES, .promotions = PROMOTE_ALL};
const struct oracle_rules oracle_minimax = {.pins = LEGAL_CAPTURES, .promotions = PROMOTE_ALL, .exhaustive = true};

/* ---- Exchanges -------------------------------------------------------------------------------------------------- */

/* Directions as steps of file and rank; the odd ones are diagonals. */
static const int ray_step[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
static const int knight_step[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* What is remembered of a board met before: see remembered(). */
struct memory_entry {
    uint64_t exchange, vacated; /* exchanges are numbered from 1 on */
    int worth;
    char stands;
};

enum { MEMORY_BITS = 22 };
static struct memory_entry memory[1 << MEMORY_BITS];

/* An exchange as far as it has come. */
struct exchange {
    char square[64];
    const int *values;
    struct oracle_rules rules;
    int target;
    int captures;      /* captures made on the target, the first move included, be it a quiet one */
    bool blocker[64];  /* pieces that pins may hold back */
    char pins_for[64]; /* 'w' or 'b': a pinner of that side; 0 otherwise */
    bool part[64];     /* `ray-once`, `ray-once-both`: pieces that take part */
    int king[2];       /* legal captures: where the kings stand, white and black; NOWHERE without one */
    uint64_t vacated;  /* legal captures: squares left since the start */
    uint64_t number;   /* legal captures: of the exchange */
};

/* ---- Pieces and squares ----------------------------------------------------------------------------------------- */

static bool is_black(char piece) { return piece >= 'a'; }

static char kind(char piece) { return (char)(piece | 32); }

static char of_color(char lower_case, bool black) { return black ? lower_case : (char)(lower_case & ~32); }

static int rank_of(int square) { return square / 8; }

static int file_of(int square) { return square % 8; }

/* Pawn to king as 0 to 5: the order in which least valuable first takes them. */
static int order_of(char piece)
{
    static const char order[] = "pnbrqk";
    return (int)(strchr(order, kind(piece)) - order);
}

/* A king counts nothing: it is never captured. Nor does an empty square. */
static int value_of(const struct exchange *x, char piece)
{
    return piece == '.' || kind(piece) == 'k' ? 0 : x->values[order_of(piece)];
}

/* The square a step away, or NOWHERE off the board. */
static int stepped(int square, const int step[2])
{
    int file = file_of(square) + step[0], rank = rank_of(square) + step[1];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? NOWHERE : rank * 8 + file;
}

static bool slides(char piece, int direction)
{
    char k = kind(piece);
    return k == 'q' || k == (direction % 2 ? 'b' : 'r');
}

static bool is_last_rank(int square) { return rank_of(square) == 0 || rank_of(square) == 7; }

/* ---- Attacks ---------------------------------------------------------------------------------------------------- */

/* Whether the first piece met on the walk from target in a direction attacks back along it. */
static bool attacks_along(char piece, int direction, bool adjacent)
{
    if (slides(piece, direction))
        return true;
    if (!adjacent)
        return false;
    if (kind(piece) == 'k')
        return true;
    /* A white pawn captures upwards: it stands a diagonal step below the target. */
    return kind(piece) == 'p' && direction % 2 && (ray_step[direction][1] > 0) == is_black(piece);
}

/* The squares of a side's pieces that attack target, in no particular order. */
static int attackers_to(const char *board, int target, bool black, int from[MOST_ATTACKERS])
{
    int n = 0;
    for (int d = 0; d < 8; d++) {
        int s = stepped(target, knight_step[d]);
        if (s != NOWHERE && board[s] == of_color('n', black))
            from[n++] = s;
    }
    for (int d = 0; d < 8; d++) {
        int distance = 1, s = stepped(target, ray_step[d]);
        while (s != NOWHERE && board[s] == '.') {
            s = stepped(s, ray_step[d]);
            distance++;
        }
        if (s != NOWHERE && is_black(board[s]) == black && attacks_along(board[s], d, distance == 1))
            from[n++] = s;
    }
    return n;
}

static bool is_attacked(const char *board, int target, bool by_black)
{
    int from[MOST_ATTACKERS];
    return attackers_to(board, target, by_black, from) > 0;
}

/* ---- Pins ------------------------------------------------------------------------------------------------------- */

static bool knows_all_orders(struct oracle_rules rules) { return rules.pins == LEGAL_CAPTURES; }

static bool has_set(struct oracle_rules rules) { return rules.pins == RAY_ONCE || rules.pins == RAY_ONCE_BOTH; }

static bool is_ray_rule(struct oracle_rules rules) { return rules.pins >= RAY_ONCE && rules.pins <= RAY_STANDING; }

/* Whether three squares lie on one rank, file or diagonal. */
static bool on_one_line(int a, int b, int c)
{
    int up_b = rank_of(b) - rank_of(a), right_b = file_of(b) - file_of(a);
    int up_c = rank_of(c) - rank_of(a), right_c = file_of(c) - file_of(a);
    return (up_b == 0 && up_c == 0) || (right_b == 0 && right_c == 0) || (up_b == right_b && up_c == right_c) ||
           (up_b == -right_b && up_c == -right_c);
}

/*
 * Walks from a king to the edge. Every enemy slider on the ray that moves along it is a sniper; with exactly one piece
 * between it and the king that piece stands alone before the king. If it is the king's own, the sniper pins. In
 * `stockfish` and under `ray-each` snipers do not count as pieces in between, so that one behind another still pins;
 * under the others they do. Under the rules of rays `freed` gets those that stay on the line when they capture.
 */
static void find_pins_on_ray(struct exchange *x, int king, int direction, bool freed[64])
{
    const int pins = x->rules.pins;
    const bool passes_snipers = pins == PINS_ANY || pins == RAY_EACH;
    const bool either_king = pins == RAY_ONCE_BOTH || pins == RAY_EACH;
    bool black = is_black(x->square[king]);
    int pieces_between = 0, nearest = NOWHERE;
    for (int s = stepped(king, ray_step[direction]); s != NOWHERE; s = stepped(s, ray_step[direction])) {
        char piece = x->square[s];
        if (piece == '.')
            continue;
        bool sniper = is_black(piece) != black && slides(piece, direction);
        if (sniper && pieces_between == 1) {
            bool own = is_black(x->square[nearest]) == black;
            if (own)
                x->pins_for[s] = black ? 'w' : 'b';
            if (own || either_king) {
                x->blocker[nearest] = true;
                freed[nearest] |= is_ray_rule(x->rules) && on_one_line(king, nearest, x->target);
            }
        }
        if (!sniper || !passes_snipers) {
            pieces_between++;
            nearest = s;
        }
    }
}

/* On the board before the first move. */
static void find_pins(struct exchange *x)
{
    bool freed[64] = {false};
    for (int s = 0; s < 64; s++)
        if (kind(x->square[s]) == 'k')
            for (int d = 0; d < 8; d++)
                find_pins_on_ray(x, s, d, freed);
    for (int s = 0; s < 64; s++)
        if (freed[s])
            x->blocker[s] = false;
}

/* A piece on another square than the target can only leave it; the one on the target was captured there by the first
 * capture, whatever stands there now. Under `ray-standing` that one counts as standing all the same. */
static bool still_on_its_square(const struct exchange *x, int square)
{
    if (square == x->target)
        return x->captures == 0 || x->rules.pins == RAY_STANDING;
    return x->square[square] != '.';
}

/* Whether a side's blockers may not capture now: any (today and `ray-standing`), or all (2016), of the other side's
 * pinners still stand. Under `ray-each` they never may. */
static bool pins_hold(const struct exchange *x, bool black)
{
    int pinners = 0, still = 0;
    for (int s = 0; s < 64; s++)
        if (x->pins_for[s] == (black ? 'w' : 'b')) {
            pinners++;
            still += still_on_its_square(x, s);
        }
    switch (x->rules.pins) {
    case RAY_EACH: return true;
    case PINS_ALL: return still == pinners;
    case PINS_ANY:
    case RAY_STANDING: return still > 0;
    default: return false;
    }
}

/* ---- The set of those that take part: `ray-once`, `ray-once-both` ------------------------------------------------ */

/* All that attack the target now, but for those that pins hold back. */
static void begin_set(struct exchange *x)
{
    for (int black = 0; black < 2; black++) {
        int from[MOST_ATTACKERS];
        int n = attackers_to(x->square, x->target, black, from);
        for (int i = 0; i < n; i++)
            x->part[from[i]] = !x->blocker[from[i]];
    }
}

/* Bishops and queens that attack the target along a diagonal now, or rooks and queens along a rank or file, join. */
static void let_in(struct exchange *x, bool diagonals)
{
    for (int d = diagonals; d < 8; d += 2) {
        int s = stepped(x->target, ray_step[d]);
        while (s != NOWHERE && x->square[s] == '.')
            s = stepped(s, ray_step[d]);
        if (s != NOWHERE && slides(x->square[s], d))
            x->part[s] = true;
    }
}

/* ---- Least valuable first --------------------------------------------------------------------------------------- */

/* A king captures only where nothing attacks it then; pieces that a pin holds back attack all the same. Leaving its
 * square, it opens the lines behind itself. Where there is a set, only what is in it attacks, and what stands on such a
 * line. */
static bool king_may_capture(const struct exchange *x, int from)
{
    char after[64];
    bool black = is_black(x->square[from]), attacked_before[64] = {false};
    int enemies[MOST_ATTACKERS];
    int n = attackers_to(x->square, x->target, !black, enemies);
    for (int i = 0; i < n; i++)
        attacked_before[enemies[i]] = true;

    memcpy(after, x->square, sizeof after);
    after[from] = '.';
    after[x->target] = x->square[from];
    n = attackers_to(after, x->target, !black, enemies);
    for (int i = 0; i < n; i++)
        if (!has_set(x->rules) || x->part[enemies[i]] || !attacked_before[enemies[i]])
            return false;
    return true;
}

/* The piece with which a side recaptures: the least valuable that may, of like ones that on the lowest square. */
static int next_capturer(const struct exchange *x, bool black)
{
    int from[MOST_ATTACKERS];
    int n = attackers_to(x->square, x->target, black, from);
    int best = NOWHERE, best_order = 0;
    for (int i = 0; i < n; i++) {
        if (has_set(x->rules) ? !x->part[from[i]] : x->blocker[from[i]] && pins_hold(x, black))
            continue;
        int order = order_of(x->square[from[i]]);
        if (best == NOWHERE || order < best_order || (order == best_order && from[i] < best)) {
            best = from[i];
            best_order = order;
        }
    }
    if (best != NOWHERE && kind(x->square[best]) == 'k' && !king_may_capture(x, best))
        return NOWHERE;
    return best;
}

/* What a pawn is after a capture that is not the first move; other pieces stay what they are. */
static char stands_after(const struct exchange *x, char mover)
{
    if (kind(mover) != 'p' || !is_last_rank(x->target))
        return mover;
    const int counted = x->rules.promotions;
    bool becomes_queen =
        counted == PROMOTE_ALL || (counted == PROMOTE_FIRST && x->captures == 0); /* that of a square value */
    return becomes_queen ? of_color('q', is_black(mover)) : mover;
}

/* What one capture wins before any answer. */
static int gain_of(const struct exchange *x, char victim, char mover, char stands)
{
    return value_of(x, victim) + value_of(x, stands) - value_of(x, mover);
}

/* The piece leaves its square for the target, where it is what it has become. */
static void go_to_target(struct exchange *x, int from, char stands)
{
    if (kind(stands) == 'k')
        x->king[is_black(stands)] = x->target;
    x->square[from] = '.';
    x->square[x->target] = stands;
    x->vacated |= UINT64_C(1) << from;
    x->captures++;
    x->part[from] = false;
}

/* Makes a capture that is not the first move; returns what it wins before any answer. */
static int capture(struct exchange *x, int from)
{
    char mover = x->square[from], victim = x->square[x->target], stands = stands_after(x, mover);
    go_to_target(x, from, stands);
    if (has_set(x->rules) && strchr("pbq", kind(mover)) != NULL)
        let_in(x, true);
    if (has_set(x->rules) && strchr("rq", kind(mover)) != NULL)
        let_in(x, false);
    return gain_of(x, victim, mover, stands);
}

/* What a side gets that has the turn: 0 if it stops. */
static int turn_least_valuable(const struct exchange *x, bool black)
{
    int from = next_capturer(x, black);
    if (from == NOWHERE)
        return 0;
    struct exchange after = *x;
    int worth = capture(&after, from);
    worth -= turn_least_valuable(&after, !black);
    return worth > 0 ? worth : 0;
}

/* ---- Every legal capture ---------------------------------------------------------------------------------------- */

/* Where the present board is remembered, if it is; a later one may take its place. */
static struct memory_entry *entry_of(const struct exchange *x)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t key = (x->vacated ^ x->number) * factor + (unsigned char)x->square[x->target];
    return &memory[(key ^ key >> 32) * factor >> (64 - MEMORY_BITS)];
}

/*
 * The search remembers what a turn is worth by two things: which squares were vacated, and what stands on the target.
 * They are the whole board. A piece takes part by leaving its square for the target, where it stays or dies, so every
 * square but the target is as at the start or empty, and the vacated set says which; the pawn taken en passant is gone
 * in all of them; kings are where they were, or on the target. The turn is that of the side to which `stands` does not
 * belong. And what a side can still get depends on the board and the turn, not on the order in which earlier captures
 * were made nor on what they won.
 */
static bool remembered(const struct exchange *x, int *worth)
{
    const struct memory_entry *e = entry_of(x);
    *worth = e->worth;
    return e->exchange == x->number && e->vacated == x->vacated && e->stands == x->square[x->target];
}

/* What a side gets that has the turn, by the best of its legal captures, or 0 if it stops. */
static int turn_best(const struct exchange *x, bool black)
{
    bool with_memory = !x->rules.exhaustive;
    int best = 0, from[MOST_ATTACKERS];
    if (with_memory && remembered(x, &best))
        return best;
    best = 0;
    int n = attackers_to(x->square, x->target, black, from);
    int most = 0; /* no capture is worth more than it wins when left unanswered */
    for (int i = 0; i < n; i++) {
        char mover = x->square[from[i]];
        int gain = gain_of(x, x->square[x->target], mover, stands_after(x, mover));
        most = gain > most ? gain : most;
    }
    for (int i = 0; i < n && (!with_memory || best < most); i++) {
        struct exchange after = *x;
        int worth = capture(&after, from[i]);
        if (after.king[black] != NOWHERE && is_attacked(after.square, after.king[black], !black))
            continue;
        worth -= turn_best(&after, !black);
        best = worth > best ? worth : best;
    }
    if (with_memory && n > 0)
        *entry_of(x) = (struct memory_entry){x->number, x->vacated, best, x->square[x->target]};
    return best;
}

/* ---- Setting up ------------------------------------------------------------------------------------------------- */

/* The exchange before anything has moved. */
static void set_up(struct exchange *x, struct oracle_rules rules, const int values[5], const struct oracle_board *board,
                   int target)
{
    memset(x, 0, sizeof *x);
    memcpy(x->square, board->square, sizeof x->square);
    x->values = values;
    x->rules = rules;
    x->target = target;
    x->king[0] = x->king[1] = NOWHERE;
    if (knows_all_orders(rules)) {
        static uint64_t exchanges;
        x->number = ++exchanges;
        for (int s = 0; s < 64; s++)
            if (kind(x->square[s]) == 'k')
                x->king[is_black(x->square[s])] = s;
    } else if (rules.pins != NO_PINS) {
        find_pins(x);
    }
}

static int turn(struct exchange *x, bool black)
{
    return knows_all_orders(x->rules) ? turn_best(x, black) : turn_least_valuable(x, black);
}

static bool is_castling(const char *board, int from, int to)
{
    char mover = board[from];
    if (kind(mover) != 'k')
        return false;
    int files = file_of(to) - file_of(from);
    return files > 1 || files < -1 || board[to] == of_color('r', is_black(mover));
}

static bool is_en_passant(const char *board, int from, int to)
{
    return kind(board[from]) == 'p' && file_of(from) != file_of(to) && board[to] == '.';
}

/* Whether the rules value a move without looking at the board: *value is 0 or ORACLE_PASSES then. */
static bool is_decided(struct oracle_rules rules, const char *board, int from, int to, char promotion, int *value)
{
    bool passes, zero;
    if (is_castling(board, from, to)) {
        passes = rules.castling == CASTLING_PASSES;
        zero = !passes;
    } else if (promotion != 0) {
        passes = rules.promotion == PROMOTION_PASSES;
        zero = rules.promotion == PROMOTION_ZERO;
    } else if (is_en_passant(board, from, to)) {
        passes = rules.en_passant == EN_PASSANT_PASSES;
        zero = rules.en_passant == EN_PASSANT_ZERO;
    } else {
        return false;
    }
    *value = passes ? ORACLE_PASSES : 0;
    return passes || zero;
}

/* Makes the first move; returns what it wins before any answer. */
static int first_move(struct exchange *x, int from, char promotion)
{
    char mover = x->square[from], victim = x->square[x->target], stands = mover;
    if (promotion != 0 && x->rules.promotions != PROMOTE_NONE)
        stands = of_color(promotion, is_black(mover));
    if (is_en_passant(x->square, from, x->target)) {
        victim = of_color('p', !is_black(mover));
        if (x->rules.en_passant != EN_PASSANT_STAYS)
            x->square[rank_of(from) * 8 + file_of(x->target)] = '.';
    }
    go_to_target(x, from, stands);
    if (has_set(x->rules))
        begin_set(x);
    return gain_of(x, victim, mover, stands);
}

/* Whether an enemy pawn beside the target may legally take a pawn en passant that has come there by a double push. */
static bool may_be_taken_en_passant(const struct exchange *x, int from)
{
    char pushed = x->square[x->target];
    int passed = (from + x->target) / 2;
    if (kind(pushed) != 'p' || file_of(from) != file_of(x->target) || abs(from - x->target) != 16)
        return false;
    bool black = !is_black(pushed);
    for (int right = -1; right <= 1; right += 2) {
        int beside = stepped(x->target, (const int[]){right, 0});
        if (beside == NOWHERE || x->square[beside] != of_color('p', black))
            continue;
        char after[64];
        memcpy(after, x->square, sizeof after);
        after[beside] = after[x->target] = '.';
        after[passed] = of_color('p', black);
        if (x->king[black] == NOWHERE || !is_attacked(after, x->king[black], !black))
            return true;
    }
    return false;
}

/* ---- The interface ---------------------------------------------------------------------------------------------- */

bool oracle_set_field(struct oracle_rules *rules, const char *field, const char *word)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(field, fields[i].name) != 0)
            continue;
        for (unsigned char value = 0; value < MOST_WORDS && fields[i].word[value] != NULL; value++)
            if (strcmp(word, fields[i].word[value]) == 0) {
                if (fields[i].offset >= 0)
                    ((unsigned char *)rules)[fields[i].offset] = value;
                return true;
            }
    }
    return false;
}

bool oracle_board_from_fen(struct oracle_board *board, const char *fen)
{
    memset(board->square, '.', sizeof board->square);
    for (int rank = 7; rank >= 0; rank--) {
        int file = 0;
        bool counted = false; /* the character before says how many squares are empty */
        for (; *fen != '\0' && *fen != '/' && *fen != ' '; fen++) {
            const bool count = *fen >= '1' && *fen <= '8';
            if (count && counted)
                return false;
            counted = count;
            if (count)
                file += *fen - '0';
            else if (strchr("PNBRQKpnbrqk", *fen) != NULL && file < 8)
                board->square[rank * 8 + file++] = *fen;
            else
                return false;
        }
        if (file != 8 || *fen++ != (rank > 0 ? '/' : ' '))
            return false;
    }
    board->black_to_move = *fen == 'b';
    return (*fen == 'w' || *fen == 'b') && (fen[1] == ' ' || fen[1] == '\0');
}

int oracle_value(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int from, int to,
                 char promotion)
{
    int value;
    if (is_decided(rules, board->square, from, to, promotion, &value))
        return value;
    struct exchange x;
    set_up(&x, rules, values, board, to);
    char mover = board->square[from];
    value = first_move(&x, from, promotion);
    if (kind(mover) == 'k')
        return value; /* nothing recaptures a king */
    bool pawn_lost = rules.replies == REPLIES_COUNTED && may_be_taken_en_passant(&x, from);
    int answer = turn(&x, !is_black(mover));
    return value - (pawn_lost && values[0] > answer ? values[0] : answer);
}

size_t oracle_swap_list(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int from,
                        int to, char promotion, int from_squares[64], long gain[64], bool *has_next, long *next)
{
    *has_next = false;
    *next = 0;
    int decided;
    if (knows_all_orders(rules) || is_decided(rules, board->square, from, to, promotion, &decided))
        return 0;
    struct exchange x;
    set_up(&x, rules, values, board, to);
    bool black = is_black(board->square[from]);
    size_t n = 0;
    from_squares[n] = from;
    gain[n++] = first_move(&x, from, promotion);
    while (kind(x.square[to]) != 'k') {
        black = !black;
        int capturer = next_capturer(&x, black);
        if (capturer == NOWHERE) {
            *has_next = true;
            *next = value_of(&x, x.square[to]) - gain[n - 1];
            break;
        }
        from_squares[n] = capturer;
        gain[n] = capture(&x, capturer) - gain[n - 1];
        n++;
    }
    return n;
}

int oracle_square_value(struct oracle_rules rules, const int values[5], const struct oracle_board *board, int square,
                        bool black)
{
    char victim = board->square[square];
    if (victim == '.' || is_black(victim) == black || kind(victim) == 'k')
        return 0;
    struct exchange x;
    set_up(&x, rules, values, board, square);
    if (has_set(rules))
        begin_set(&x);
    return turn(&x, black);
}
