/*
 * The trace of an exchange: which pieces are refused a capture, when, why and because of whom.
 *
 * Each reason has positions worked out by hand. On real and random positions, the exchange is played again on the board
 * under every combination of rule fields, and its value compared with the evaluation. The attackers that are not refused
 * at a step must be those that may capture: the least valuable of them captures next, or under legal captures they are
 * those for which move generation has a move, and none is left where the exchange ends.
 */
#include "api/rules.h"
#include "every_rules.h"
#include "test_support.h"

enum { WHITE = SEEBATCH_WHITE };

/* The trace, whose value is that of the evaluation. */
static seebatch_trace trace_by(const char *name, const seebatch_rules *rules, const seebatch_position *position,
                               seebatch_move move)
{
    seebatch_trace trace;
    seebatch_explain(rules, position, move, &trace);
    const int value = seebatch_value(rules, position, NULL, move);
    if (trace.value != value)
        fail_msg("%s %s, rules %s: the trace has the value %d, seebatch_value() gives %d", fen_of(position).text,
                 uci_of(move).text, name, trace.value, value);
    return trace;
}

/* ---- By hand ---------------------------------------------------------------------------------------------------- */

struct by_hand {
    const char *why, *rules, *fen, *move;
    int length;
    const char *refusals; /* as refusals_of() writes them */
};

static const struct by_hand cases[] = {
    {"the knight is pinned", "legal", "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -", "c3d5", 1, " 1: black knight e7, pinned e1."},
    {"the same, by a rule about pins", "stockfish", "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -", "c3d5", 1,
     " 1: black knight e7, pin-rule e1."},
    {"the same, by the other rule about pins", "stockfish-2016", "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -", "c3d5", 1,
     " 1: black knight e7, pin-rule e1."},
    {"pins are ignored", "swap", "4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -", "c3d5", 2, ""},
    {"a battery pins: `any` looks through the queen, and names the piece in front", "stockfish",
     "4k3/4n3/8/3p4/8/2N5/4Q3/4RK2 w - -", "c3d5", 1, " 1: black knight e7, pin-rule e2."},
    {"the same for Black's battery, whose front piece is on the higher square", "stockfish",
     "4rk2/4q3/2n5/8/3P4/8/4N3/4K3 b - -", "c6d4", 1, " 1: white knight e2, pin-rule e7."},
    {"the pinner has captured, but the bishop on h5 still pins the rook on f7: held under `any`", "stockfish",
     "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -", "e1d1", 1, " 1: black knight e3, other-pin h5."},
    {"under `all` the knight is free, and the bishop takes it", "stockfish-2016", "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -",
     "e1d1", 3, ""},
    {"and it is free in fact", "legal", "4k3/5r2/8/7B/8/4n3/8/3bR1K1 w - -", "e1d1", 3, ""},
    {"two pins at once hold under `all`, each piece by its own", "stockfish-2016", "4k3/4nn2/3p4/7B/2N5/8/8/4RK2 w - -",
     "c4d6", 1, " 1: black knight f7, pin-rule h5."},
    {"a discovered check is not answered by capturing elsewhere", "legal", "4k3/1p6/2p5/4N3/8/8/8/4RK2 w - -", "e5c6",
     1, " 1: black pawn b7, in-check e1."},
    {"rules about pins know nothing of it", "stockfish", "4k3/1p6/2p5/4N3/8/8/8/4RK2 w - -", "e5c6", 2, ""},
    {"a double check: the knight on the square gives one of them", "legal", "4k3/6p1/5p2/8/4N3/8/8/4RK2 w - -", "e4f6",
     1, " 1: black pawn g7, in-check e1."},
    {"a check by the piece on the square is answered by the capture", "legal", "4k3/6p1/5p2/8/4N3/8/8/3R1K2 w - -",
     "e4f6", 2, ""},
    {"the first mover's own check: en passant opens the diagonal for Black's recapture only", "legal",
     "8/2p5/8/1k1pP2R/8/8/8/4K3 w - d6", "e5d6", 1, " 1: black pawn c7, in-check h5."},
    {"a pin that comes about in the exchange: the knight's capture leaves the bishop alone on the file", "legal",
     "4k3/4n3/4b3/3p4/2P5/2N5/8/4RK2 w - -", "c3d5", 3, " 3: black bishop e6, pinned e1."},
    {"which rules about pins do not see", "stockfish", "4k3/4n3/4b3/3p4/2P5/2N5/8/4RK2 w - -", "c3d5", 4, ""},
    {"the king may not take what a knight guards", "swap", "8/8/8/3kp3/8/3N4/8/4RK2 w - -", "e1e5", 1,
     " 1: black king d5, guarded d3."},
    {"nor what the queen guards that stood behind the rook", "legal", "8/8/8/3kp3/8/8/4R3/4QK2 w - -", "e2e5", 1,
     " 1: black king d5, guarded e1."},
    {"pinned pieces guard", "legal", "8/8/8/3kp3/8/K2N3r/8/4R3 w - -", "e1e5", 1, " 1: black king d5, guarded d3."},
    {"of two guards the less valuable, here on the higher square, is named", "promotions",
     "8/8/8/3kp3/8/6N1/4R3/4QK2 w - -", "e2e5", 1, " 1: black king d5, guarded e1."},
    {"and with the knight on d3 that one", "promotions", "8/8/8/3kp3/8/3N4/4R3/4QK2 w - -", "e2e5", 1,
     " 1: black king d5, guarded d3."},
    {"the king is refused at both of its steps, by the pawn and, when that has taken, by the rook behind", "swap",
     "8/8/2k2n2/3p4/2P5/8/3R4/3R1K2 w - -", "d2d5", 3, " 1: black king c6, guarded c4. 3: black king c6, guarded d1."},
    {"pinned knight and guarded king at one step, in the order of types", "legal",
     "3k4/3n4/5p2/4p3/8/5N2/8/3R1K2 w - -", "f3e5", 2, " 1: black knight d7, pinned d1."},
    {"castling is no exchange", "legal", "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", 0, ""},
    {"the pinner stands, and the square is not on its line", "stormphrax", "4r3/3k4/3p4/8/4N3/8/8/3RK3 w - -", "d1d6",
     2, " 2: white knight e4, off-pin e8."},
    {"the pinner has left, and its piece stays held", "stormphrax", "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -", "b5f5", 1,
     " 1: black bishop d7, pinner-left b5."},
    {"which frees it where the pinner has to stand", "reckless", "4k3/3b4/8/1Q3p2/8/8/8/6K1 w - -", "b5f5", 2, ""},
    {"unless another one stands", "reckless", "4k3/3b1n2/8/1Q3p1B/8/8/8/6K1 w - -", "b5f5", 1,
     " 1: black bishop d7, other-pinner h5."},
    {"the knight stands before the enemy king", "pawnocchio", "4k3/8/1p6/2p5/1P2N3/8/8/4RK2 w - -", "b4c5", 2,
     " 2: white knight e4, before-enemy e1."},
    {"so does a king, which is held as well", "pawnocchio", "4k3/8/8/8/4K3/3P4/1n6/4R3 b - -", "b2d3", 1,
     " 1: white king e4, before-enemy e1."},
    {"a held bishop that a pawn's capture lets back in", "stormphrax", "4k3/8/2p1b3/3p4/2P5/2N5/8/4RK2 w - -", "c4d5",
     4, " 1: black bishop e6, off-pin e1."},
    {"the same where it is held to the end", "plentychess", "4k3/8/2p1b3/3p4/2P5/2N5/8/4RK2 w - -", "c4d5", 3,
     " 1: black bishop e6, off-pin e1. 3: black bishop e6, off-pin e1."},
    {"along its pin a piece may capture", "stormphrax", "4k3/4r3/8/8/8/8/6Q1/4RK2 w - -", "g2e4", 3, ""},
    {"the reply en passant is the last capture", "monty", "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", 2, ""},
    {"castling passes at any threshold", "reckless", "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", 0, ""},
    {"nor is what a rule set values at 0", "stockfish", "8/2p5/8/1k1pP2R/8/8/8/4K3 w - d6", "e5d6", 0, ""},
};

static void refusals_of(const seebatch_trace *trace, char text[256])
{
    static const char *const pieces[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    /* Made by scripts/manual: refusals */
static const char *const reasons[] = {"pin-rule", "other-pin", "pinned", "in-check", "guarded", "off-pin",
    "pinner-left", "other-pinner", "before-enemy"};
    /* Up to here by scripts/manual. */
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < trace->n_refusals; i++) {
        const seebatch_refusal *r = &trace->refusal[i];
        length += (size_t)snprintf(text + length, 256 - length, " %d: %s %s %c%c, %s %c%c.", r->step,
                                   r->color == WHITE ? "white" : "black", pieces[r->piece], 'a' + r->from % 8,
                                   '1' + r->from / 8, reasons[r->reason], 'a' + r->by % 8, '1' + r->by / 8);
    }
}

TEST(reasons_by_hand)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct by_hand *c = &cases[i];
        const seebatch_position position = position_of_fen(c->fen);
        const seebatch_rules rules = rules_named(c->rules);
        const seebatch_trace trace = trace_by(c->rules, &rules, &position, move_of(&position, c->move));
        char refusals[256];
        refusals_of(&trace, refusals);
        if (trace.length != c->length || strcmp(refusals, c->refusals) != 0)
            fail_msg("%s: %s %s under %s has %d captures and refuses%s, expected %d and%s", c->why, c->fen, c->move,
                     c->rules, trace.length, refusals, c->length, c->refusals);
    }
}

/* ---- Against the legal moves ------------------------------------------------------------------------------------ */

static uint64_t attackers(const seebatch_position *p, int color, int to)
{
    return seebatch_attackers(p, to, color, seebatch_occupied(p));
}

/* Whether the piece on a square attacks another one. */
static bool attacks(const seebatch_position *p, int from, int to)
{
    return attackers(p, seebatch_color_on(p, from), to) >> from & 1;
}

/* The pieces that may legally capture on a square. */
static uint64_t legal_capturers(const seebatch_position *p, int to)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    uint64_t set = 0;
    const size_t n = seebatch_legal_captures(p, moves);
    for (size_t i = 0; i < n; i++) {
        if (seebatch_to(moves[i]) == to)
            set |= UINT64_C(1) << seebatch_from(moves[i]);
    }
    return set;
}

static uint64_t refused_at(const seebatch_trace *trace, int step)
{
    uint64_t set = 0;
    for (int i = 0; i < trace->n_refusals; i++) {
        const uint64_t bit = UINT64_C(1) << trace->refusal[i].from;
        if (trace->refusal[i].step == step) {
            assert_false(set & bit);
            set |= bit;
        }
    }
    return set;
}

/* What is true of a refusal under every rule set, in the position in which the piece would have captured. Of a reason
 * that is newer than this function, only what is true of all of them. */
static void check_refusal(const seebatch_position *before, const seebatch_position *now, int to,
                          const seebatch_rules *rules, const seebatch_refusal *r)
{
    const bool ray = see_rules_are_ray(rules), pins = see_rules_read_pins(rules) && !ray;
    const bool legal = rules->pins == SEEBATCH_PINS_LEGAL;
    const bool left = r->reason == SEEBATCH_REFUSED_PINNER_LEFT, own = r->reason == SEEBATCH_REFUSED_BEFORE_ENEMY;
    assert_int_equal(r->piece, seebatch_type_on(now, r->from));
    assert_int_equal(r->color, seebatch_color_on(now, r->from));
    assert_true(attacks(now, r->from, to));
    if (r->reason > SEEBATCH_REFUSED_BEFORE_ENEMY)
        return;
    assert_true(seebatch_pieces_of_color(before, own ? r->color : !r->color) >> r->by & 1);
    /* A pinner may have been captured on the square by the first move, and count as standing. */
    if (!own && !(r->by == to && (left || r->reason == SEEBATCH_REFUSED_OTHER_PINNER)))
        assert_int_equal(seebatch_type_on(now, r->by), left ? SEEBATCH_NO_PIECE : seebatch_type_on(before, r->by));
    const int king_color = own ? !r->color : r->color; /* whose line it is */
    const uint64_t king = seebatch_pieces_of_type(now, SEEBATCH_KING) & seebatch_pieces_of_color(now, king_color);
    const int king_square = __builtin_ctzll(king);
    seebatch_position without = *now; /* the piece; it is white or not, but gone from the planes */
    for (int plane = 0; plane < 3; plane++)
        without.plane[plane] &= ~(UINT64_C(1) << r->from);
    without.white &= ~(UINT64_C(1) << r->from);
    switch (r->reason) {
    case SEEBATCH_REFUSED_PIN_RULE:
    case SEEBATCH_REFUSED_OTHER_PIN: assert_true(pins); break;
    case SEEBATCH_REFUSED_IN_CHECK: assert_true(legal && attacks(now, r->by, king_square)); break;
    case SEEBATCH_REFUSED_PINNED:
        assert_true(legal && !attacks(now, r->by, king_square) && attacks(&without, r->by, king_square));
        break;
    case SEEBATCH_REFUSED_GUARDED:
        assert_int_equal(r->piece, SEEBATCH_KING);
        assert_true(attacks(&without, r->by, to));
        break;
    case SEEBATCH_REFUSED_OFF_PIN:
    case SEEBATCH_REFUSED_BEFORE_ENEMY:
    case SEEBATCH_REFUSED_PINNER_LEFT:
    case SEEBATCH_REFUSED_OTHER_PINNER: assert_true(ray); break;
    }
}

/* Lets a capture change the board: the piece leaves its square, and what it has become stands on the other. */
static void move_piece(seebatch_position *p, const seebatch_capture *capture, int to)
{
    static const uint8_t code_of[] = {4, 5, 1, 2, 3, 6}; /* see seebatch_position */
    const uint64_t from = UINT64_C(1) << capture->from, there = UINT64_C(1) << to;
    for (int plane = 0; plane < 3; plane++)
        p->plane[plane] = (p->plane[plane] & ~(from | there)) | (code_of[capture->stays] >> plane & 1 ? there : 0);
    p->white = (p->white & ~(from | there)) | (capture->color == WHITE ? there : 0);
    p->stm = !capture->color;
    p->ep_square = SEEBATCH_NO_SQUARE;
    memset(p->castling_rook, SEEBATCH_NO_SQUARE, sizeof p->castling_rook);
}

/* The least valuable type in a set of squares. */
static int least_type_in(const seebatch_position *p, uint64_t set)
{
    int least = SEEBATCH_NO_PIECE;
    for (; set; set &= set - 1) {
        const int type = seebatch_type_on(p, __builtin_ctzll(set));
        least = type < least ? type : least;
    }
    return least;
}

static void fail_step(const struct named_rules *by, const seebatch_position *position, seebatch_move move, int step,
                      const char *what, uint64_t refused, uint64_t others)
{
    fail_msg("%s %s, rules %s, step %d: refused %016llx, %s %016llx", fen_of(position).text, uci_of(move).text,
             by->name, step, (unsigned long long)refused, what, (unsigned long long)others);
}

/* Compares a step with the board: the attackers of the side that are not refused may capture. So the least valuable of
 * them does, or under legal captures one of those that legally can; and if the exchange ends, there are none. */
static void check_step(const struct named_rules *by, const seebatch_position *position, seebatch_move move,
                       const seebatch_trace *trace, int step, const seebatch_position *now)
{
    const int to = seebatch_to(move);
    const uint64_t refused = refused_at(trace, step), all = attackers(now, now->stm, to), free = all & ~refused;
    if (refused & ~all)
        fail_step(by, position, move, step, "of the attackers", refused, all);
    if (step == trace->length ? free != 0 : !(free >> trace->capture[step].from & 1))
        fail_step(by, position, move, step, step == trace->length ? "nothing captures of" : "another captures of",
                  refused, free);
    const bool can_be_played =
        seebatch_position_check(now, NULL) == SEEBATCH_OK; /* no pawn has stayed one at the end */
    if (by->rules.order == SEEBATCH_BEST_ORDER && can_be_played && free != legal_capturers(now, to))
        fail_step(by, position, move, step, "can legally capture", refused, legal_capturers(now, to));
    if (by->rules.order != SEEBATCH_BEST_ORDER && step < trace->length &&
        trace->capture[step].piece != least_type_in(now, free))
        fail_step(by, position, move, step, "a more valuable one captures of", refused, free);
}

/* Plays a trace again, and compares each step; returns the number of refusals. */
static int check_trace(const struct named_rules *by, const seebatch_position *position, seebatch_move move)
{
    const seebatch_trace trace = trace_by(by->name, &by->rules, position, move);
    const int to = seebatch_to(move), from = seebatch_from(move);
    /* A pawn that captures from beside the square captures en passant, which ends the exchange. */
    const bool reply = trace.length == 2 && trace.capture[0].piece == SEEBATCH_PAWN && abs(from - to) == 16 &&
                       trace.capture[1].piece == SEEBATCH_PAWN && trace.capture[1].from / 8 == to / 8;
    seebatch_position now = *position;
    if (trace.length == 0 || trace.capture[0].piece == SEEBATCH_KING || reply) {
        assert_int_equal(trace.n_refusals, 0);
        return 0;
    }
    if (by->rules.en_passant != SEEBATCH_EN_PASSANT_STANDING)
        seebatch_play(&now, move); /* which takes a pawn that is captured en passant off the board */
    move_piece(&now, &trace.capture[0], to);
    for (int step = 1, next = 0; step <= trace.length; step++) {
        check_step(by, position, move, &trace, step, &now);
        for (; next < trace.n_refusals && trace.refusal[next].step == step; next++)
            check_refusal(position, &now, to, &by->rules, &trace.refusal[next]);
        if (step < trace.length)
            move_piece(&now, &trace.capture[step], to);
        else
            assert_int_equal(next, trace.n_refusals);
    }
    return trace.n_refusals;
}

/* Counts an exchange for each value of a field that its rules have. */
static void count_values(const seebatch_rules *rules, size_t seen[16][16])
{
    const seebatch_rules_field *field;
    for (size_t f = 0; (field = seebatch_rules_field_at(f)) != NULL; f++)
        seen[f][((const uint8_t *)rules)[field->offset]]++;
}

/* Every move under the rules that have a name, and under one of the other combinations in turn, which have all values of
 * all fields: a value that refuses what seebatch_explain() does not refuse, or the other way round, is found here. */
TEST(refusals_against_the_board)
{
    static const char *const files[] = {"data/games.fen", "data/random.fen"};
    static struct every_rules every;
    list_every_rules(&every);
    size_t turn = 0, seen[16][16] = {{0}};
    for (size_t f = 0; f < 2; f++) {
        struct lines lines;
        int refusals = 0;
        for (open_lines(&lines, files[f]); next_line(&lines);) {
            const seebatch_position position = position_of_fen(lines.text);
            seebatch_move moves[SEEBATCH_MAX_MOVES];
            const size_t n = seebatch_legal_moves(&position, moves);
            for (size_t i = 0; i < n; i++) {
                for (size_t k = 0; k < every.n_named; k++)
                    refusals += check_trace(&every.list[k], &position, moves[i]);
                const struct named_rules *other = &every.list[every.n_named + turn++ % (every.n - every.n_named)];
                refusals += check_trace(other, &position, moves[i]);
                count_values(&other->rules, seen);
            }
        }
        print_message("%s: %d lines, %d refusals\n", files[f], lines.number, refusals);
        assert_true(refusals > 1000); /* or this tests nothing */
    }
    const seebatch_rules_field *field;
    for (size_t f = 0; (field = seebatch_rules_field_at(f)) != NULL; f++)
        for (size_t value = 0; value < field->n_words; value++)
            assert_true(seen[f][value] > 1000);
}

int main(void) { return run_all_tests(NULL); }
