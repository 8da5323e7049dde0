/*
 * Declares what the files of conditions share: a parsed condition, the memory for testing a batch of positions, and the
 * functions that test one kind of term each.
 */
#ifndef SEEBATCH_IO_CONDITION_H
#define SEEBATCH_IO_CONDITION_H

#include "formats/format.h"
#include "chess/queries.h"

struct condition;
struct evaluation;

/* A test sets holds[i] for each position that is in. */
typedef void test_function(const struct condition *condition, const seebatch_rules *rules,
                           struct evaluation *evaluation, const seebatch_records *batch, bool *holds);

/* A range, to which both ends belong. Where nothing bounds it, an end is the least or the greatest int64_t. */
struct range {
    int64_t low, high;
};

/* Says what may stand after the name of a condition. */
enum argument_form {
    NO_ARGUMENT,
    RANGE_OR_NONE,
    A_RANGE,
    A_RESULT,
    A_FIELD,
    A_PROBABILITY,
    POINTS,
    A_MODEL,
    A_SIDE,
    A_MOVE,
    A_MATERIAL,
    RIGHTS_OR_NONE,
    COUNT_IN_RANGE,
    A_PATTERN,
};

/* A kind of condition: a row of kinds.c. */
struct condition_kind {
    const char *name;
    enum argument_form form;
    unsigned field; /* of the record, that it is about */
    int cost;
    test_function *test;
    struct range numbers;       /* that it compares with a range, if it compares one number; otherwise both are 0 */
    const char *what, *details; /* as in seebatch_condition */
};
enum { CHEAP, CHECK, ONE_MOVE, ALL_CAPTURES }; /* its cost */

/* Counts pieces of each type, by side. */
struct material {
    uint8_t of[2][6];
};

/* A term is what a name and its argument say. Those with points hold at random, with a probability that is linear between
 * them. */
enum { MOST_POINTS = 33, PLACES = 512, MIXED_SETS = 6 };
struct condition {
    const struct condition_kind *kind;
    struct range range;
    const char *argument; /* as it was written, where its text is all that is known of it */
    int argument_length;
    uint64_t seed; /* of one that holds at random: another one for each */
    int n_points;
    double at[MOST_POINTS], probability[MOST_POINTS];
    /* Holds what is worked out once, before any test. */
    union {
        bool other_file;       /* the name has to be there, and to be another one */
        int64_t bound[PLACES]; /* that the points say, of random numbers (splitmix.h) at each place from 0 on */
        struct chances {
            float narrow, ratio;
        } chances[PLACES]; /* of results, at each place from 0 on */
        struct products {
            int32_t of[MIXED_SETS][64 + 1]; /* of factors and numbers of squares */
        } products;
        uint16_t pieces; /* that are counted: a bit for each type of White, and six bits on, of Black */
        struct {
            struct material material;
            bool either_side; /* or the same with the sides swapped */
        };
        struct {
            uint8_t rights; /* White's kingside, White's queenside, and Black's, from bit 0 on */
            bool any_rights;
        };
    };
};

/* ---- Expressions ------------------------------------------------------------------------------------------------ */

enum { MOST_CONDITIONS = 64, MOST_TERMS = 128, MOST_NODES = 2 * MOST_TERMS, MOST_DEPTH = 32, LONGEST_TEXT = 65536 };
enum { NONE = -1 }; /* no node */

/* A part of an expression: a term, or several parts of which all hold, or any. */
enum node_kind { TERM, ALL, ANY };
struct node {
    enum node_kind kind;
    bool negated;
    bool tangled;    /* to evaluate its parts one after another would evaluate exchanges that cheap terms can save */
    bool has_cheap;  /* terms that evaluate no exchange */
    int cost;        /* of the dearest term */
    int term;        /* its place in the list of terms */
    int first, next; /* the first of its parts, and the next part of the whole it belongs to: as they were written */
    int begin, end;  /* its place in the text */
    int quickest, later; /* the same in the order of evaluation */
};

/* A whole text that the caller has given, which has to hold or may not. */
struct clause {
    int root;
    bool keep;
    uint8_t number; /* from 1, in the order in which they were added */
    int cost;
    char *text; /* a copy, which the caller of seebatch_conditions_free() never sees */
};

struct seebatch_conditions {
    struct clause list[MOST_CONDITIONS]; /* those that cost least come first */
    struct condition terms[MOST_TERMS];
    struct node nodes[MOST_NODES];
    int n, n_terms, n_nodes;
    uint64_t seed;
    seebatch_rules rules;
    char doubt[sizeof((seebatch_io_error *)0)->text]; /* about the first condition that gives reason; "": none */
};

/* The kind with this name, of which upper and lower case are the same; NULL if there is none. */
const struct condition_kind *seebatch_io_kind_named(const char *name, size_t length);

/* Returns the kind at an index, or NULL after the last one. */
const struct condition_kind *seebatch_io_kind_at(size_t index);

/* Whether a character ends a word that is not in quotation marks. */
static inline bool ends_word(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || strchr("()=<>!&|\"';", c) != NULL;
}

/* Reads an argument as the kind of the condition expects it. False, with what was expected, if it is not so. */
bool seebatch_io_read_argument(const char *text, size_t length, struct condition *condition, const char **expected);

/* The letters of pieces between the parentheses of count(...). */
bool seebatch_io_read_pieces(const char *text, size_t length, uint16_t *pieces);

/* An integer, or a result as a number, that a condition is compared with. False, with what was expected. */
bool seebatch_io_read_compared(const char *text, size_t length, enum argument_form form, int64_t *number,
                               const char **expected);

/* Writes a term as --keep takes it; returns its length, as snprintf() does. */
int seebatch_io_write_term(const struct condition *term, char *text, size_t size);

/* Whether a condition compares one number with a range. */
static inline bool compares_number(const struct condition_kind *kind) { return kind->numbers.low < kind->numbers.high; }

/* FIELD_... that a term is about. */
unsigned seebatch_io_fields_of(const struct condition *term);

/* Reads a text into nodes and terms of the list; the root, or NONE and *error. */
int seebatch_io_parse(seebatch_conditions *conditions, const char *text, seebatch_io_error *error);

/* Writes a sentence about a place in a text, and below it the text with a caret under the place. */
void seebatch_io_point_at(seebatch_io_error *error, const char *text, size_t begin, size_t end, const char *sentence);

/* Looks for a part of a clause that can never hold, or always holds, and notes the first one found. */
void seebatch_io_look_for_doubt(seebatch_conditions *conditions, const struct clause *clause);

/* Returns whether no record can meet all clauses. */
bool seebatch_io_never_met(const seebatch_conditions *conditions);

/* ---- Evaluation -------------------------------------------------------------------------------------------------- */

/* Holds the memory for the evaluation of batches. */
struct evaluation {
    bool *in;    /* the answer so far */
    uint8_t *by; /* the number of the condition that put a position out; 0: none. NULL: nobody asks */
    struct queries queries;
    uint64_t *mask, *above;
    size_t mask_capacity;
    uint64_t seed; /* of what holds at random */
    bool failed;   /* there was no memory */
    bool assuming; /* terms that evaluate exchanges are not tested, but taken to be what makes the answer */
    bool assumed;  /* this */
    seebatch_decision *decisions; /* how each position is decided; NULL: nobody asks */
};

/* A position needs this much memory at most. It is on the stack, so that a caller with one position at a time waits for
 * no heap. */
struct room_for_one {
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES) + 1], above[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES) + 1];
};

/* Returns whether record i has a field, and its array is there. */
static inline bool has_field(const seebatch_records *batch, size_t i, unsigned field)
{
    const void *array = field == FIELD_MOVE     ? (const void *)batch->moves
                        : field == FIELD_SCORE  ? (const void *)batch->scores
                        : field == FIELD_RESULT ? (const void *)batch->results
                                                : (const void *)batch->plies;
    return array != NULL && (batch->has == NULL || batch->has[i] & field);
}

/* These tests are about the record and the board (record_conditions.c). */
test_function seebatch_io_test_has, seebatch_io_test_score, seebatch_io_test_abs_score, seebatch_io_test_contradiction,
    seebatch_io_test_ply, seebatch_io_test_result, seebatch_io_test_pieces, seebatch_io_test_phase,
    seebatch_io_test_imbalance, seebatch_io_test_in_check, seebatch_io_test_castling, seebatch_io_test_en_passant,
    seebatch_io_test_stm_score, seebatch_io_test_stm, seebatch_io_test_clock, seebatch_io_test_castling_rights,
    seebatch_io_test_count, seebatch_io_test_material, seebatch_io_test_move, seebatch_io_test_file;

/* A record's move can be one of these, by the number that the range of the condition `move` holds: first the types of
 * pieces, then these. */
enum { MOVE_CAPTURE = 6, MOVE_PROMOTION, MOVE_CASTLING, MOVE_EN_PASSANT, N_MOVE_WORDS };

/* These conditions hold at random. */
test_function seebatch_io_test_chance, seebatch_io_test_chance_by_pieces, seebatch_io_test_chance_by_ply,
    seebatch_io_test_chance_of_result;

/* Works out what this test of a condition looks up. */
void seebatch_io_prepare(struct condition *condition, const seebatch_rules *rules, test_function *test);

/* Returns the models of the chance of a result, by the number that the range of the condition holds; NULL past the
 * last. */
const char *seebatch_io_result_model(int64_t number);

/* These tests are about exchanges (exchange_conditions.c). */
test_function seebatch_io_test_capture, seebatch_io_test_promotion, seebatch_io_test_tactical,
    seebatch_io_test_any_capture, seebatch_io_test_quiet, seebatch_io_test_move_value, seebatch_io_test_best_capture,
    seebatch_io_test_threat;

/* Returns whether a legal move captures: a pawn that changes its file captures, en passant if nothing else; a king that
 * meets its own rook does not. It has no branch, because nobody can guess which moves capture. */
static inline bool is_capture(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t enemy = seebatch_pieces_of_color(position, !position->stm);
    const uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN);
    return (enemy >> to | (pawns >> from & (uint64_t)(((from ^ to) & 7) != 0))) & 1;
}

#endif
