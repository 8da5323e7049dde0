/* Reads an engine's answers, and compares them with what rules say. */
#include "answers.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

const char *const kind_names[KINDS] = {"captures",   "quiet moves", "double steps",
                                       "promotions", "en passant",  "castling"};

enum move_kind kind_of(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(position, from);
    const int color = seebatch_color_on(position, from);
    const bool occupied = seebatch_type_on(position, to) != SEEBATCH_NO_PIECE;
    if (type == SEEBATCH_KING && (abs(from % 8 - to % 8) > 1 || (occupied && seebatch_color_on(position, to) == color)))
        return KIND_CASTLING;
    if (seebatch_promotion(move) != 0)
        return KIND_PROMOTION;
    if (occupied)
        return KIND_CAPTURE;
    if (type == SEEBATCH_PAWN && from % 8 != to % 8)
        return KIND_EN_PASSANT;
    return type == SEEBATCH_PAWN && abs(from - to) == 16 ? KIND_DOUBLE_STEP : KIND_QUIET;
}

int free_capture(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    if (kind_of(position, move) != KIND_CAPTURE)
        return SEEBATCH_NO_PIECE;
    const int enemy = !seebatch_color_on(position, from);
    const uint64_t left = seebatch_occupied(position) & ~(UINT64_C(1) << from);
    if (seebatch_type_on(position, from) != SEEBATCH_KING && seebatch_attackers(position, to, enemy, left) != 0)
        return SEEBATCH_NO_PIECE;
    return seebatch_type_on(position, to);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static void make_room(struct answers *a)
{
    if (a->n < a->capacity)
        return;
    a->capacity = 2 * a->capacity + 1024;
    a->lines = reallocate(a->lines, a->capacity, sizeof *a->lines);
    a->positions = reallocate(a->positions, a->capacity, sizeof *a->positions);
    a->moves = reallocate(a->moves, a->capacity, sizeof *a->moves);
    a->offsets = reallocate(a->offsets, a->capacity + 1, sizeof *a->offsets);
    a->values = reallocate(a->values, a->capacity, sizeof *a->values);
}

static int clamped(int value) { return value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value; }

/* Appends a line; false, and why, if it cannot be read. */
static bool take_answer(struct answers *a, const struct input *input, seebatch_error *error)
{
    struct suite_line line;
    make_room(a);
    seebatch_position *position = &a->positions[a->n];
    if (!suite_read(input->line, input->line_length, NULL, NULL, &line, error) ||
        seebatch_position_from_fen(line.position.first, line.position.length, position, error) != SEEBATCH_OK ||
        seebatch_move_from_text(position, line.move.first, line.move.length, &a->moves[a->n], error) != SEEBATCH_OK)
        return false;
    a->lines[a->n] = (struct answer_line){
        .file = input->name,
        .number = input->line_number,
        .has_threshold = line.has_threshold,
        .reaches = line.reaches,
        .answer = line.has_threshold ? line.threshold : (int16_t)clamped(line.value),
        .kind = (uint8_t)kind_of(position, a->moves[a->n]),
    };
    a->flags += line.has_threshold;
    a->n++;
    return true;
}

static bool read_file(struct answers *a, const char *name)
{
    struct input input;
    if (!input_open(&input, name))
        return false;
    while (input_next_line(&input)) {
        struct fields fields;
        seebatch_error error;
        const uint64_t error_reports = input.error_reports;
        if (input_fields(&input, &fields) && !take_answer(a, &input, &error))
            input_error(&input, "%s", error.text);
        a->unreadable += input.error_reports > error_reports;
    }
    a->unreadable += input.too_long;
    return !input_close(&input);
}

/* Puts the lines of ordinary moves first, each sort in the order of the input. */
static void sort_lines(struct answers *a)
{
    struct answers sorted = {.unreadable = a->unreadable, .flags = a->flags};
    for (int special = 0; special < 2; special++) {
        for (size_t i = 0; i < a->n; i++) {
            if ((a->lines[i].kind >= KIND_PROMOTION) != special)
                continue;
            make_room(&sorted);
            sorted.lines[sorted.n] = a->lines[i];
            sorted.positions[sorted.n] = a->positions[i];
            sorted.moves[sorted.n++] = a->moves[i];
        }
        sorted.ordinary = special ? sorted.ordinary : sorted.n;
    }
    answers_free(a);
    *a = sorted;
}

bool answers_read(struct answers *a, char *const *files, int n)
{
    bool well = true;
    memset(a, 0, sizeof *a);
    for (int i = 0; i < n; i++)
        well &= read_file(a, files[i]);
    sort_lines(a);
    make_room(a);
    for (size_t i = 0; i <= a->n; i++)
        a->offsets[i] = i;
    a->boards = reallocate(NULL, a->n + 1, sizeof *a->boards);
    a->board_moves = reallocate(NULL, a->n + 1, sizeof *a->board_moves);
    a->upside_down = true;
    answers_flip(a);
    return well;
}

void answers_free(struct answers *a)
{
    free(a->lines);
    free(a->positions);
    free(a->moves);
    free(a->offsets);
    free(a->values);
    free(a->boards);
    free(a->board_moves);
}

/* ---- What rules say --------------------------------------------------------------------------------------------- */

seebatch_position flipped_position(const seebatch_position *position)
{
    seebatch_position result = seebatch_position_empty(!position->stm);
    for (int square = 0; square < 64; square++)
        seebatch_put_piece(&result, square ^ 56, seebatch_type_on(position, square),
                           !seebatch_color_on(position, square));
    return result;
}

seebatch_move flipped_move(seebatch_move move)
{
    return seebatch_make_move(seebatch_from(move) ^ 56, seebatch_to(move) ^ 56, seebatch_promotion(move));
}

void answers_flip(struct answers *a)
{
    a->upside_down = !a->upside_down;
    for (size_t i = 0; i < a->n; i++) {
        a->boards[i] = a->upside_down ? flipped_position(&a->positions[i]) : a->positions[i];
        a->board_moves[i] = a->upside_down ? flipped_move(a->moves[i]) : a->moves[i];
    }
}

void answers_evaluate_some(struct answers *a, const seebatch_rules *rules, size_t first, size_t end)
{
    const seebatch_batch batch = {.positions = a->boards + first,
                                  .n_positions = end - first,
                                  .offsets = a->offsets + first,
                                  .moves = a->board_moves};
    seebatch_batch_values(rules, &batch, a->values + first, NULL);
}

void answers_evaluate(struct answers *a, const seebatch_rules *rules) { answers_evaluate_some(a, rules, 0, a->n); }

size_t answers_contradictions(struct answers *a, const seebatch_rules *rules, size_t limit)
{
    enum { LINES_AT_A_TIME = 512 }; /* few, because most of the values that are tried are far worse than the best */
    size_t n = 0;
    for (size_t first = 0; first < a->n && n < limit; first += LINES_AT_A_TIME) {
        const size_t end = a->n - first < LINES_AT_A_TIME ? a->n : first + LINES_AT_A_TIME;
        answers_evaluate_some(a, rules, first, end);
        for (size_t i = first; i < end; i++)
            n += contradicts(a, i);
    }
    return n < limit ? n : limit;
}
