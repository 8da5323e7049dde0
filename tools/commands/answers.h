/*
 * Finds how well rules and piece values explain an engine's answers.
 */
#ifndef SEEBATCH_ANSWERS_H
#define SEEBATCH_ANSWERS_H

#include "candidates.h"
#include "tool.h"

/* What kind of move was asked. */
enum move_kind { KIND_CAPTURE, KIND_QUIET, KIND_DOUBLE_STEP, KIND_PROMOTION, KIND_EN_PASSANT, KIND_CASTLING, KINDS };
extern const char *const kind_names[KINDS];
enum move_kind kind_of(const seebatch_position *position, seebatch_move move);

/* The type of the piece that a move captures and that nothing can take revenge for, under any rules: the value of the
 * move is that piece's. SEEBATCH_NO_PIECE for all other moves. */
int free_capture(const seebatch_position *position, seebatch_move move);

struct answer_line {
    const char *file;
    uint64_t number;
    bool has_threshold, reaches;
    int16_t answer; /* the value, or the threshold */
    uint8_t kind;
};

struct answers {
    size_t n, capacity, flags, unreadable;
    size_t ordinary; /* so many lines come first: captures and quiet moves, which have no rule of their own */
    struct answer_line *lines;
    seebatch_position *positions;
    seebatch_move *moves;
    size_t *offsets;
    int16_t *values; /* room for what rules say to each */

    /* What is evaluated: the positions and moves, or, for engines that count squares from a8, these upside down. The
     * order of like pieces is then the engine's. */
    bool upside_down;
    seebatch_position *boards;
    seebatch_move *board_moves;
};

/* Reads the files of the command line, standard input for "-"; reports what cannot be read. Returns whether all was
 * well. */
bool answers_read(struct answers *answers, char *const *files, int n);
void answers_free(struct answers *answers);

/* The board with first and last rank exchanged, and the colours, and a move on it: what an engine sees that counts
 * squares from a8. Only the board is evaluated. */
seebatch_position flipped_position(const seebatch_position *position);
seebatch_move flipped_move(seebatch_move move);

/* Turns what is evaluated upside down, or back. */
void answers_flip(struct answers *answers);

/* Writes the values of all lines, or those of the lines from `first` up to `end`, into answers->values. */
void answers_evaluate(struct answers *answers, const seebatch_rules *rules);
void answers_evaluate_some(struct answers *answers, const seebatch_rules *rules, size_t first, size_t end);

/* Whether what answers_evaluate() found contradicts a line. */
static inline bool contradicts(const struct answers *answers, size_t i)
{
    const struct answer_line *line = &answers->lines[i];
    return line->has_threshold ? (answers->values[i] >= line->answer) != line->reaches
                               : answers->values[i] != line->answer;
}

/* How many lines contradict rules, but at most limit: the rest is not evaluated then, and values are left half done. */
size_t answers_contradictions(struct answers *answers, const seebatch_rules *rules, size_t limit);

/* ---- Piece values (piece_values.c) ------------------------------------------------------------------------------ */

/* What is known of piece values before any rules are: each between low and high, both included. */
struct value_bounds {
    int low[5], high[5];
    bool found[5]; /* whether a line said anything about it */
};

/* From captures that nothing can answer. */
void bounds_from_free_captures(const struct answers *answers, struct value_bounds *bounds);

/* Finds a table with which to begin: of those of known engines, moved into the bounds, the one that contradicts the
 * fewest lines under the best of the candidates with a name. */
void first_values(struct answers *answers, const struct candidate *candidates, const struct value_bounds *bounds,
                  int16_t values[5]);

/* Changes the values within the bounds so that the rules contradict fewer lines; returns how many they contradict. */
size_t refine_values(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules);

/* Finds the range of each value in which no more lines contradict, alone or together with one other value. */
void value_ranges(struct answers *answers, const seebatch_rules *rules, int low[5], int high[5]);

/* ---- Questions (questions.c) ------------------------------------------------------------------------------------ */

/* Writes n questions whose answers tell the candidates apart: "position; move", or with a threshold after that. The values
 * are those that an engine is taken to have; where low and high of a piece differ, questions ask for its value. */
void write_questions(struct output *output, const struct candidate *const *candidates, size_t n_candidates,
                     const int16_t values[5], const int low[5], const int high[5], bool thresholds, long n);

#endif
