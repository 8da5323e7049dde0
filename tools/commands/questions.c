/*
 * Chooses questions that tell candidates apart.
 *
 * Boards are drawn at random; some are made so that there is castling, en passant, promotion or a double step. Of their
 * moves those are kept on which two candidates disagree that are not yet told apart often enough: pairs that differ in
 * one field, or all pairs where there are few. How often is enough grows in rounds, so that what is rare comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "answers.h"

enum { FEW = 64, MOST_PAIRS = 16 * MOST_CANDIDATES, ROUNDS = 5, BOARDS = 3000, LEAST_GAP = 16 };

struct pair {
    uint16_t a, b, separated;
};

struct questions {
    const struct candidate *const *candidates;
    size_t n;
    seebatch_rules rules[MOST_CANDIDATES];  /* the candidates with one table of values */
    size_t quick[MOST_CANDIDATES], n_quick; /* one of each kind of capture and recapture */
    struct pair pairs[MOST_PAIRS];
    size_t n_pairs;
    unsigned enough; /* separations */
    bool thresholds;
    const int *low, *high; /* of piece values, while they are sought */
    long free_captures[5]; /* questions for each */
    long left, sought;     /* questions; of them free captures for each piece */
    uint64_t state;
    struct output *output;

    /* The board. */
    seebatch_position position;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    int16_t values[MOST_CANDIDATES][SEEBATCH_MAX_MOVES];
};

/* ---- Boards ----------------------------------------------------------------------------------------------------- */

/* xorshift64*: the same questions each time. */
static int draw(struct questions *q, int below)
{
    q->state ^= q->state >> 12;
    q->state ^= q->state << 25;
    q->state ^= q->state >> 27;
    return (int)((q->state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % (unsigned)below);
}

static void put(seebatch_position *position, int square, int type, int color)
{
    if (seebatch_type_on(position, square) == SEEBATCH_NO_PIECE)
        seebatch_put_piece(position, square, type, color);
}

/* A square as the side to move sees it, its own first rank at the bottom. */
static int seen(const seebatch_position *position, int square)
{
    return position->stm == SEEBATCH_WHITE ? square : square ^ 56;
}

enum board_kind { PLAIN, CASTLING, EN_PASSANT, PROMOTION, DOUBLE_STEP, BOARD_KINDS };

/* What a kind of board needs; the squares that must stay empty. */
static uint64_t put_kind(struct questions *q, enum board_kind kind)
{
    seebatch_position *p = &q->position;
    const int own = p->stm, file = draw(q, 8), beside = file == 7 || (file > 0 && draw(q, 2)) ? file - 1 : file + 1;
    const int passed = seen(p, 40 + file), behind = seen(p, 48 + file);
    if (kind == CASTLING) {
        const int side = draw(q, 2), rook = seen(p, side == 0 ? 7 : 0);
        put(p, seen(p, 4), SEEBATCH_KING, own);
        put(p, rook, SEEBATCH_ROOK, own);
        p->castling_rook[own][side] = (uint8_t)rook;
        return UINT64_C(0x7e) << (own == SEEBATCH_WHITE ? 0 : 56);
    }
    if (kind == EN_PASSANT) {
        put(p, seen(p, 32 + file), SEEBATCH_PAWN, !own);
        put(p, seen(p, 32 + beside), SEEBATCH_PAWN, own);
        p->ep_square = (uint8_t)passed;
        return UINT64_C(1) << passed | UINT64_C(1) << behind;
    }
    if (kind == PROMOTION)
        put(p, behind, SEEBATCH_PAWN, own);
    if (kind == DOUBLE_STEP) {
        put(p, seen(p, 8 + file), SEEBATCH_PAWN, own);
        put(p, seen(p, 24 + beside), SEEBATCH_PAWN, !own);
        return UINT64_C(1) << seen(p, 16 + file) | UINT64_C(1) << seen(p, 24 + file);
    }
    return 0;
}

/* Draws a board; false if it is no sound position. */
static bool draw_board(struct questions *q)
{
    static const uint8_t types[] = {SEEBATCH_PAWN,   SEEBATCH_PAWN,   SEEBATCH_PAWN, SEEBATCH_KNIGHT, SEEBATCH_BISHOP,
                                    SEEBATCH_BISHOP, SEEBATCH_ROOK,   SEEBATCH_ROOK, SEEBATCH_QUEEN,  SEEBATCH_PAWN,
                                    SEEBATCH_KNIGHT, SEEBATCH_BISHOP, SEEBATCH_ROOK};
    seebatch_position *p = &q->position;
    *p = seebatch_position_empty(draw(q, 2));
    const uint64_t empty = put_kind(q, draw(q, 2) ? PLAIN : (enum board_kind)draw(q, BOARD_KINDS));
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        if (!(seebatch_pieces_of_type(p, SEEBATCH_KING) & seebatch_pieces_of_color(p, color)))
            put(p, draw(q, 64), SEEBATCH_KING, color);
    for (int left = 6 + draw(q, 14); left > 0; left--) {
        const int square = draw(q, 64), type = types[draw(q, sizeof types)];
        const bool last_rank = square < 8 || square >= 56;
        if (!(empty >> square & 1) && !(type == SEEBATCH_PAWN && last_rank))
            put(p, square, type, draw(q, 2));
    }
    return !(seebatch_occupied(p) & empty & ~seebatch_pieces_of_type(p, SEEBATCH_KING)) &&
           seebatch_position_check(p, NULL) == SEEBATCH_OK;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

static int differing_fields(const seebatch_rules *a, const seebatch_rules *b)
{
    const seebatch_rules_field *field;
    int n = 0;
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++)
        n += field_tells(field) && field_of(a, field) != field_of(b, field);
    return n;
}

static void list_pairs(struct questions *q)
{
    for (size_t a = 0; a < q->n; a++) {
        bool new_one = true;
        for (size_t b = 0; b < a; b++) {
            const seebatch_rules *x = &q->rules[a], *y = &q->rules[b];
            new_one &=
                x->pins != y->pins || x->promotions != y->promotions || x->en_passant_replies != y->en_passant_replies;
            if ((q->n <= FEW || differing_fields(x, y) == 1) && q->n_pairs < MOST_PAIRS)
                q->pairs[q->n_pairs++] = (struct pair){(uint16_t)a, (uint16_t)b, 0};
        }
        if (new_one)
            q->quick[q->n_quick++] = a;
    }
}

/* Whether the answers of a pair to a move differ: the values, or the flags where there is a threshold. */
static bool separates(const struct questions *q, const struct pair *pair, size_t move, const int *threshold)
{
    const int a = q->values[pair->a][move], b = q->values[pair->b][move];
    return threshold == NULL ? a != b : (a >= *threshold) != (b >= *threshold);
}

/* How many pairs that need it a question separates. */
static size_t gain_of(const struct questions *q, size_t move, const int *threshold)
{
    size_t gain = 0;
    for (size_t i = 0; i < q->n_pairs; i++)
        gain += q->pairs[i].separated < q->enough && separates(q, &q->pairs[i], move, threshold);
    return gain;
}

/* The threshold between two values that candidates give a move that separates the most pairs; false if there is none
 * far enough from both. */
static bool best_threshold(const struct questions *q, size_t move, int *threshold, size_t *gain)
{
    int sorted[16], n = 0;
    for (size_t c = 0; c < q->n && n < 16; c++) {
        const int value = q->values[c][move];
        int at = 0;
        while (at < n && sorted[at] < value)
            at++;
        if (at < n && sorted[at] == value)
            continue;
        memmove(sorted + at + 1, sorted + at, (size_t)(n - at) * sizeof *sorted);
        sorted[at] = value;
        n++;
    }
    *gain = 0;
    for (int i = 1; i < n; i++) {
        const int top = sorted[i] == SEEBATCH_ALWAYS ? sorted[i - 1] + 2000 : sorted[i];
        const int between = sorted[i - 1] + (top - sorted[i - 1] + 1) / 2;
        const size_t gained = top - sorted[i - 1] >= LEAST_GAP ? gain_of(q, move, &between) : 0;
        if (gained > *gain) {
            *gain = gained;
            *threshold = between;
        }
    }
    return *gain > 0;
}

/* ---- Questions -------------------------------------------------------------------------------------------------- */

static void write_question(struct questions *q, seebatch_move move, const int *threshold)
{
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position_to_fen(&q->position, fen);
    output_printf(q->output, "%s; %s", fen, move_text(NOTATION_UCI, &q->position, move).text);
    if (threshold != NULL)
        output_printf(q->output, "; %d", *threshold);
    output_string(q->output, "\n");
    q->left--;
}

/* A capture that nothing can answer tells a value. Thresholds go through the range in which it is sought. */
static bool question_of_value(struct questions *q, seebatch_move move)
{
    const int piece = free_capture(&q->position, move);
    if (piece > SEEBATCH_QUEEN || q->free_captures[piece] >= q->sought || q->low[piece] >= q->high[piece])
        return false;
    const long step = q->free_captures[piece]++;
    const int range = q->high[piece] - q->low[piece];
    const int threshold = q->low[piece] + (int)((range * step + q->sought / 2) / q->sought) + 1;
    write_question(q, move, q->thresholds ? &threshold : NULL);
    return true;
}

/* Whether candidates that differ in captures and recaptures, or in the rule for this kind of move, disagree. */
static bool is_contested(const struct questions *q, size_t move)
{
    const enum move_kind kind = kind_of(&q->position, q->moves[move]);
    bool contested = kind >= KIND_PROMOTION;
    for (size_t i = 1; i < q->n_quick; i++)
        contested |= q->values[q->quick[i]][move] != q->values[q->quick[0]][move];
    return contested;
}

static bool question_of_rules(struct questions *q, size_t move)
{
    int threshold = 0;
    size_t gain;
    if (!is_contested(q, move))
        return false;
    for (size_t c = 0; c < q->n; c++)
        seebatch_values(&q->rules[c], &q->position, NULL, &q->moves[move], 1, &q->values[c][move]);
    if (!q->thresholds)
        gain = gain_of(q, move, NULL);
    else if (!best_threshold(q, move, &threshold, &gain))
        return false;
    if (gain == 0)
        return false;
    const int *asked = q->thresholds ? &threshold : NULL;
    for (size_t i = 0; i < q->n_pairs; i++)
        q->pairs[i].separated = (uint16_t)(q->pairs[i].separated + separates(q, &q->pairs[i], move, asked));
    write_question(q, q->moves[move], asked);
    return true;
}

/* Chooses the questions of one board: at most two for values and two for rules. */
static void ask_about_board(struct questions *q)
{
    const size_t n = seebatch_legal_moves(&q->position, q->moves);
    for (size_t i = 0; i < q->n_quick; i++)
        seebatch_values(&q->rules[q->quick[i]], &q->position, NULL, q->moves, n, q->values[q->quick[i]]);
    const size_t first = n > 0 ? (size_t)draw(q, (int)n) : 0;
    for (size_t i = 0, for_value = 0, for_rules = 0; i < n && q->left > 0; i++) {
        const size_t move = (first + i) % n;
        if (for_value < 2 && question_of_value(q, q->moves[move]))
            for_value++;
        else if (for_rules < 2 && question_of_rules(q, move))
            for_rules++;
    }
}

/* What is left, on any boards. */
static void fill(struct questions *q)
{
    while (q->left > 0) {
        if (!draw_board(q))
            continue;
        const size_t n = seebatch_legal_moves(&q->position, q->moves);
        const int threshold = 50 * draw(q, 20) - 499;
        if (n > 0)
            write_question(q, q->moves[draw(q, (int)n)], q->thresholds ? &threshold : NULL);
    }
}

void write_questions(struct output *output, const struct candidate *const *candidates, size_t n_candidates,
                     const int16_t values[5], const int low[5], const int high[5], bool thresholds, long n)
{
    struct questions *q = reallocate(NULL, 1, sizeof *q);
    memset(q, 0, sizeof *q);
    q->candidates = candidates;
    q->n = n_candidates;
    q->thresholds = thresholds;
    q->low = low;
    q->high = high;
    q->output = output;
    q->left = n;
    q->sought = thresholds ? n / 20 + 1 : n / 100 + 1;
    q->state = 88172645463325252u;
    for (size_t c = 0; c < n_candidates; c++) {
        q->rules[c] = candidates[c]->rules;
        memcpy(q->rules[c].value, values, sizeof q->rules[c].value);
    }
    list_pairs(q);
    for (int round = 0; round < ROUNDS && q->left > 0; round++) {
        q->enough = (unsigned)(n / 200 + 1) << round;
        for (int board = 0; board < BOARDS && q->left > 0; board++)
            if (draw_board(q))
                ask_about_board(q);
    }
    fill(q);
    free(q);
}
