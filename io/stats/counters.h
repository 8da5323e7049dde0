/*
 * What is counted of records: the counters of "What is in my file?", and what the parts of io/stats share.
 *
 * Every number of the report follows from counters, from a sketch of the positions, and from what the pipeline says about
 * bytes and damage. Counters are added and registers of the sketch are the greatest of both, so that the numbers depend
 * neither on the number of threads nor on the parts into which an input was divided. A thread counts in 32 bits, which
 * takes half the cache, and moves its counts to those of 64 bits before one of them could overflow.
 *
 *   count.c         counts the records of a batch
 *   gather.c        adds what a thread has counted to the totals
 *   sketch.c        how many positions are different
 *   calibration.c   the logistic functions that fit the results
 *   stats.c         the public functions
 *   json_out.c, json_in.c   the report as JSON, and what adding parts reads of it
 *   facts.c         the report as groups of sentences and numbers, warnings among them
 *   terminal.c, charts.c, page.c   the report as text, pictures and a page
 */
#ifndef SEEBATCH_IO_STATS_COUNTERS_H
#define SEEBATCH_IO_STATS_COUNTERS_H

#include <pthread.h>

#include "chess/queries.h"
#include "seebatch_io.h"
#include "support/bytes.h"
#include "support/text.h"

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

enum { MOST_RULE_SETS = 8, MOST_CAUSES = 32 };

/* Values of exchanges, from LEAST_VALUE on; the last cell has the moves that pass at any threshold. */
enum { LEAST_VALUE = -6000, MOST_VALUE = 6000, N_VALUES = MOST_VALUE - LEAST_VALUE + 1, VALUE_CELLS = N_VALUES + 1 };

/* Scores of 16 bits, one cell each; beyond them there are two cells. */
enum { LEAST_SCORE = -32768, SCORE_CELLS = 65536, PLY_CELLS = 1024, PIECE_CELLS = 65, PHASE_CELLS = 128 };
enum { MARK_NONE = 32002, LEAST_MATE = 31000 };

/* The moves that records have. A promotion may capture, too. */
enum move_kind {
    MOVE_NONE,
    MOVE_QUIET,
    MOVE_CAPTURE_BY, /* and the five types after the pawn */
    MOVE_PROMOTION = MOVE_CAPTURE_BY + 6,
    MOVE_CASTLING,
    MOVE_EN_PASSANT,
    N_MOVE_KINDS
};

/* What moves depend on, see kind_of_shape(). */
enum { MOVE_SHAPES = 256 };

/* What a quiet position is: not in check, and besides ... */
enum quiet_kind {
    QUIET_NO_CHECK,    /* nothing */
    QUIET_BY_LOADER,   /* the move is no capture, unless en passant: `filtered` of nnue-pytorch's loader */
    QUIET_BY_MOVE,     /* the move is neither a capture nor a promotion */
    QUIET_NO_CAPTURE,  /* there is no legal capture */
    QUIET_BY_EXCHANGE, /* there is no capture or promotion with a value of 0 or more: `quiet` of seebatch filter */
    N_QUIET_KINDS
};

/* Material without kings: of each side 0 to 2 queens, rooks, bishops and knights, and 0 to 8 pawns. The last cell has
 * the positions with more. */
enum {
    SIDE_MATERIALS = 3 * 3 * 3 * 3 * 9,
    MATERIALS = SIDE_MATERIALS * SIDE_MATERIALS,
    MATERIAL_CELLS = MATERIALS + 1
};

/* Results are counted by score and phase: scores beyond CALIBRATED are left out, and CALIBRATION_BIN of them share a
 * cell. */
enum { CALIBRATED = 4096, CALIBRATION_BIN = 16, CALIBRATION_BINS = 2 * CALIBRATED / CALIBRATION_BIN, PHASE_GROUPS = 4 };
enum { CALIBRATION_CELLS = PHASE_GROUPS * CALIBRATION_BINS * 3 };

/* The played move is quiet, or a capture or a promotion; and it was the best capture or not. */
enum { PLAYED_QUIET, PLAYED_TACTICAL, PLAYED_KINDS, PLAYED_CELLS = MOST_RULE_SETS * PLAYED_KINDS * VALUE_CELLS };
enum { CAPTURE_IS_BEST, CAPTURE_IS_WORSE, BEST_KINDS };

/* What is counted for each tenth of a file, because data that was joined of several sources differs by place. */
enum { TENTHS = 10 };
enum tenth_kind {
    TENTH_POSITIONS,
    TENTH_SCORES,
    TENTH_MARKS,
    TENTH_ZEROS,
    TENTH_DECIDED,     /* as the first of contradictions, */
    TENTH_CONTRADICTS, /* and the second */
    TENTH_DRAWS,
    TENTH_RESULTS,
    N_TENTH_KINDS
};

/* Name and cells of all counters. A name never changes its meaning, because it stands in JSON files. */
#define STATS_COUNTERS(X)                                                                                              \
    X(positions, 1)                                                                                                    \
    X(games, 1)                                                                                                        \
    X(fields, 16)                                                                                                      \
    X(sides, 2)                                                                                                        \
    X(results, 3)                                                                                                      \
    X(scores, SCORE_CELLS)                                                                                             \
    X(marks, 1)                                                                                                        \
    X(scores_beyond, 2)                                                                                                \
    X(agreement, 18)                                                                                                   \
    X(contradictions, 2)                                                                                               \
    X(plies, PLY_CELLS)                                                                                                \
    X(plies_beyond, 2)                                                                                                 \
    X(pieces, PIECE_CELLS)                                                                                             \
    X(phases, PHASE_CELLS)                                                                                             \
    X(moves, N_MOVE_KINDS)                                                                                             \
    X(quiet, N_QUIET_KINDS)                                                                                            \
    X(materials, MATERIAL_CELLS)                                                                                       \
    X(calibration, CALIBRATION_CELLS)                                                                                  \
    X(captures, SEEBATCH_MAX_MOVES + 1)                                                                                \
    X(values, VALUE_CELLS)                                                                                             \
    X(depths, SEEBATCH_MAX_EXCHANGE + 1)                                                                               \
    X(causes, MOST_CAUSES)                                                                                             \
    X(played, PLAYED_CELLS)                                                                                            \
    X(best, MOST_RULE_SETS *BEST_KINDS)                                                                                \
    X(tenths, TENTHS *N_TENTH_KINDS)

/* Cells whose meaning is not one number:
 *   scores          White's scores but the marks for none, 32002 without the sign, which are in marks
 *   fields          the bits SEEBATCH_HAS_... of a record
 *   agreement       (side to move * 3 + sign of White's score + 1) * 3 + result
 *   contradictions  records of decided games with a score; those whose score is CONTRADICTION or more for the loser
 *   materials       White's * SIDE_MATERIALS + Black's, see material_of()
 *   calibration     (group * CALIBRATION_BINS + bin) * 3 + result
 *   played          (rule set * PLAYED_KINDS + kind) * VALUE_CELLS + value
 *   best            rule set * BEST_KINDS + kind
 *   tenths          tenth of the file, by bytes, * N_TENTH_KINDS + kind */
enum { CONTRADICTION = 100 };

struct totals {
#define X(name, cells) uint64_t name[cells];
    STATS_COUNTERS(X)
#undef X
};
enum { ALL_CELLS = sizeof(struct totals) / sizeof(uint64_t) };

/* ---- What a thread counts (count.c, gather.c) -------------------------------------------------------------------- */

/*
 * Most of the counters above say how many records have one of a few properties, such as a side to move, a result or a sign
 * of the score. A thread counts all of these together, in one cell for each way in which they come together, so that a
 * record takes one addition in place of ten. gather.c sums the cells up.
 */
enum score_class {
    SCORE_BLACK_MARK, /* -32002 */
    SCORE_LOSES,      /* -CONTRADICTION or less */
    SCORE_BELOW_0,
    SCORE_0,
    SCORE_ABOVE_0,
    SCORE_WINS,       /* CONTRADICTION or more */
    SCORE_WHITE_MARK, /* 32002 */
    SCORE_CLASSES = 8
};

/* ((has * 2 + side to move) * 4 + result) * SCORE_CLASSES + class; result and class are 0 where there is none. */
enum { RECORD_CELLS = 16 * 2 * 4 * SCORE_CLASSES };

/* The kind of the move, and these bits. */
enum {
    KIND_BITS = 15,
    BY_LOADER = 16,  /* the loader of nnue-pytorch takes the move for a capture */
    IN_CHECK = 32,   /* the side to move is in check */
    NO_CAPTURE = 64, /* there is no legal capture */
    NO_SOUND = 128,  /* no capture or promotion has a value of 0 or more */
    MOVE_CELLS = 256
};

/* Cells after those of the numbers: scores that are marks, and scores and plies that are less or greater than all cells.
 * The last one has the records that have no such field, or are not calibrated, and is not read. */
enum { MARKED = SCORE_CELLS, SCORE_BEYOND, SCORE_ABSENT = SCORE_BEYOND + 2, COUNTED_SCORES };
enum { PLY_BEYOND = PLY_CELLS, PLY_ABSENT = PLY_BEYOND + 2, COUNTED_PLIES };
enum { NOT_CALIBRATED = CALIBRATION_CELLS, COUNTED_CALIBRATIONS };

struct tally {
    uint32_t games;
    uint32_t records[TENTHS + 1][RECORD_CELLS]; /* by the tenth of the file; the last: unknown */
    uint32_t moves[MOVE_CELLS];
    uint32_t scores[COUNTED_SCORES], plies[COUNTED_PLIES], calibration[COUNTED_CALIBRATIONS];
    uint32_t materials[MATERIAL_CELLS];
    uint32_t more_pieces[PIECE_CELLS], more_phases[PHASE_CELLS]; /* of the last cell of materials; others follow */
    uint32_t captures[SEEBATCH_MAX_MOVES + 1], values[VALUE_CELLS], depths[SEEBATCH_MAX_EXCHANGE + 1];
    uint32_t causes[MOST_CAUSES], played[PLAYED_CELLS], best[MOST_RULE_SETS * BEST_KINDS];
};

/* ---- The sketch (sketch.c) --------------------------------------------------------------------------------------- */

/*
 * HyperLogLog (Flajolet, Fusy, Gandouet and Meunier, 2007), with hashes of 64 bits (Heule, Nunkesser and Hall, 2013) and
 * the estimator of Ertl ("New cardinality estimation algorithms for HyperLogLog sketches", 2017), which needs no tables.
 * With 2^18 registers the standard error is 1.04 / 2^9, or 0.2%, so an error of 1% is one of five standard deviations.
 */
enum { SKETCH_BITS = 18, SKETCH_SIZE = 1 << SKETCH_BITS, SKETCH_RANKS = 64 - SKETCH_BITS + 1 };

/* Returns the register that a hash belongs to. */
static inline uint8_t *sketch_register(uint8_t *registers, uint64_t hash)
{
    return &registers[hash >> (64 - SKETCH_BITS)];
}

/* Notes the hash of a position, without a branch that would be guessed wrong. */
static inline void sketch_note(uint8_t *registers, uint64_t hash)
{
    const uint64_t rest = hash << SKETCH_BITS | UINT64_C(1) << (SKETCH_BITS - 1);
    const uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
    uint8_t *at = sketch_register(registers, hash);
    *at = *at < rank ? rank : *at;
}

/* Estimates how many different hashes were noted. */
double seebatch_io_sketch_estimate(const uint8_t *registers);

/* The registers as text: a letter for each that is not 0 (A for 1, to Z for 26, and a for 27 on), after the number of
 * those that are 0 before it. */
void seebatch_io_sketch_write(struct bytes *out, const uint8_t *registers);

/* Adds registers that were written so; false if the text is wrong. */
bool seebatch_io_sketch_read(uint8_t *registers, const char *text, size_t length);

/* ---- Statistics -------------------------------------------------------------------------------------------------- */

/* A thread counts with this. */
struct stats_worker {
    struct tally *tally;
    uint8_t *registers;
    uint64_t since; /* positions since the counts were moved to the totals */
    struct queries captures;
    int16_t *values; /* of all captures */
    uint8_t *lengths;
    uint32_t *sound; /* up to each capture, how many have a value of 0 or more */
    size_t room;
};

struct stats_file {
    char *name;
    const char *format; /* static */
    bool compressed;
};

struct stats_rules {
    char *name, *values; /* values: "100,325,..." */
    seebatch_rules rules;
};

struct seebatch_stats {
    struct stats_rules rules[MOST_RULE_SETS];
    size_t n_rules, n_workers;
    long bin;
    struct stats_worker *workers;
    pthread_mutex_t lock; /* of totals and registers, while threads count */
    bool locked;          /* the lock was made */
    struct totals *totals;
    uint8_t *registers;
    seebatch_counts counts;
    bool exact;        /* the number of different positions is known, */
    uint64_t distinct; /* this */
    uint8_t kinds[MOVE_SHAPES];
    bool mover; /* scores in the files are those of the side to move */
    struct stats_file *files;
    size_t n_files, parts; /* parts: reports that were added; 0: this one was counted */
    char *against;         /* another rule set; NULL: none */
    const char *const *cause_names;
    size_t n_causes;
};

/* The first rule set that is compared with another: cause i < n_causes is counted in causes[i], and agreement in
 * causes[n_causes]. False if there is no memory. */
bool seebatch_io_stats_compare(seebatch_stats *stats, const char *against, const char *const *cause_names, size_t n);

/* Notes a file of the input, once; false if there is no memory. format must be static. */
bool seebatch_io_stats_add_file(seebatch_stats *stats, const char *name, const char *format, bool compressed);

/* Returns the counters of a thread, for the causes. */
struct tally *seebatch_io_stats_tally(seebatch_stats *stats, unsigned worker);

/* gather.c: moves what a thread has counted to the totals. */
void seebatch_io_stats_gather(seebatch_stats *stats, struct stats_worker *worker);

/* count.c: the table that tells the kind of a move. */
void seebatch_io_stats_kinds(uint8_t kinds[MOVE_SHAPES]);

/* Counts records. tenth: of the file, where they are; -1: unknown. */
seebatch_io_status seebatch_io_stats_count(seebatch_stats *stats, struct stats_worker *worker,
                                           const seebatch_records *records, int tenth);

/* ---- What follows from the counters ------------------------------------------------------------------------------ */

/* Appends printed text, at most 1000 bytes at a time. */
void seebatch_io_print(struct bytes *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Returns a number with commas between thousands. */
struct number_text {
    char text[32];
};
struct number_text seebatch_io_with_commas(uint64_t number);

/* Returns a number with 0 to 5 digits after the point, the same in every locale, and cut off at 2^40. */
struct number_text seebatch_io_fixed(double number, int digits);
#define FIXED(number, digits) (seebatch_io_fixed(number, digits).text)

/* Appends text that stands between tags, or between quotes. */
void seebatch_io_add_xml(struct bytes *out, const char *text);
void seebatch_io_add_json(struct bytes *out, const char *text);

uint64_t seebatch_io_sum(const uint64_t *cells, size_t n);

/* Returns the least index below which at least this share of all lies: 0.5 for the median. It returns n if there is
 * none. */
size_t seebatch_io_quantile(const uint64_t *cells, size_t n, double share);

/* The pieces of a cell of materials but the last: how many of each type each side has. */
struct material {
    int of[2][SEEBATCH_KING];
};
struct material seebatch_io_material_of_cell(size_t cell);

/* Writes the material of a cell, such as KQRPPvKRP; 64 bytes hold it. */
enum { MATERIAL_TEXT = 64 };
void seebatch_io_material_text(size_t cell, char *text);

/* Finds the most frequent materials: fills cells of at most `most`, the most frequent first, and returns how many. */
size_t seebatch_io_frequent_materials(const struct totals *totals, size_t *cells, size_t most);

/* Returns how many different positions there are, and says whether that is exact. */
uint64_t seebatch_io_distinct(const seebatch_stats *stats, bool *exact);

extern const char *const seebatch_io_move_kind_names[N_MOVE_KINDS];
extern const char *const seebatch_io_quiet_kind_names[N_QUIET_KINDS];
extern const char *const seebatch_io_quiet_kind_words[N_QUIET_KINDS];
extern const char *const seebatch_io_phase_group_names[PHASE_GROUPS];

/* Counts the played moves of a kind, or all of them (PLAYED_KINDS), and how many have a value below a threshold. */
uint64_t seebatch_io_played(const seebatch_stats *stats, size_t rules, int kind);
uint64_t seebatch_io_played_below(const seebatch_stats *stats, size_t rules, int kind, long threshold);

/* ---- Calibration (calibration.c) --------------------------------------------------------------------------------- */

/* Gathers the records of a phase group, or of all (PHASE_GROUPS), with score and result, in bins of White's scores. */
struct calibration {
    uint64_t cells[CALIBRATION_BINS][3];
    uint64_t n;
};
void seebatch_io_calibration(const struct totals *totals, int group, struct calibration *calibration);

/* A function that says for a score how often White wins and loses: 1 / (1 + exp((offset - score) / scale)), and the
 * same of -score. Without an offset it says the expected result alone. */
struct win_model {
    double offset, scale;
};
/* Returns what White can expect of a game, from 0 to 1. */
double seebatch_io_expected(const struct win_model *model, double score);
void seebatch_io_chances(const struct win_model *model, double score, double *win, double *loss);

/* How well a model says the results: the root of the mean of the squares by which its expectation differs from the mean
 * result of a bin, weighted by records; and the mean logarithmic loss of a result (1, 0.5 or 0), in nats. */
struct model_error {
    double rms, loss;
};
struct model_error seebatch_io_model_error(const struct win_model *model, const struct calibration *calibration);

/* Fits the models with the least logarithmic loss: of the expected result, which has a scale alone, and of wins, draws
 * and losses, which has an offset, too. Returns false if there are too few results to say. */
bool seebatch_io_fit_scale(const struct calibration *calibration, struct win_model *model, double *error_of_scale);
bool seebatch_io_fit_wdl(const struct calibration *calibration, struct win_model *model);

/* Fits the first of these. Returns whether two standard errors of the scale are less than the scale, because otherwise the
 * results may as well not depend on the scores. */
bool seebatch_io_scale_says_something(const struct calibration *calibration, struct win_model *model, double *error);

/* Writes the scale with its error, with this sign between them. */
void seebatch_io_scale_text(const struct win_model *model, double error, const char *sign, char *text, size_t size);

/* The trainers' own. */
struct named_model {
    const char *name, *what;
    struct win_model model;
};
enum { N_TRAINERS = 2 };
extern const struct named_model seebatch_io_trainers[N_TRAINERS];

/* ---- Histograms (histogram.c) ------------------------------------------------------------------------------------ */

struct bar {
    long from, to;    /* both included; of names, the index */
    const char *name; /* or NULL */
    uint64_t count;
};

struct histogram {
    const char *name;  /* one word, for rows and JSON */
    const char *title; /* for people */
    const char *x, *y; /* titles of the axes; y: of what the percents are */
    struct bar *bars;
    size_t n, room;
    uint64_t total;
    bool failed; /* there was no memory */
};

/* Appends a bar; the histogram begins as all zero. */
void seebatch_io_histogram_add(struct histogram *histogram, long from, long to, const char *name, uint64_t count);

/* Makes the histograms of exchanges: captures, values, depths and, of compared rule sets, causes. Returns how many. */
enum { MOST_HISTOGRAMS = 4 };
size_t seebatch_io_histograms(const seebatch_stats *stats, struct histogram histograms[MOST_HISTOGRAMS]);

/* Makes bars of `bin` cells each, one of which begins at 0, of the cells from `first` on; leaves out empty ones at both
 * ends. */
void seebatch_io_histogram_fill(struct histogram *histogram, const uint64_t *cells, long first, long n, long bin);
void seebatch_io_histogram_free(struct histogram *histogram);

/* Writes what a bar stands for. */
void seebatch_io_bar_label(const struct bar *bar, char *text, size_t size);

void seebatch_io_histogram_text(struct bytes *out, const struct histogram *histogram);

/* Writes rows: name, TAB, from, TAB, to, TAB, count; a bar with a name has it in place of both numbers. */
void seebatch_io_histogram_rows(struct bytes *out, const struct histogram *histogram);

/* Writes an array of objects with from, to (or name) and count. */
void seebatch_io_histogram_json(struct bytes *out, const struct histogram *histogram);

/* The version of the report as JSON changes when a member changes or goes. Members may be added. */
enum { STATS_VERSION = 1 };

/* ---- Forms of the report ----------------------------------------------------------------------------------------- */

void seebatch_io_stats_json(struct bytes *out, const seebatch_stats *stats);
void seebatch_io_stats_terminal(struct bytes *out, const seebatch_stats *const *stats, size_t n);
void seebatch_io_stats_charts(struct bytes *out, const seebatch_stats *const *stats, size_t n);
/* whole: a page; otherwise the part of one. */
void seebatch_io_stats_page(struct bytes *out, const seebatch_stats *const *stats, size_t n, bool whole);

/* A fact is something that the report says. Facts come in groups. Values are texts in memory of their own. */
enum { FACT_WARNING = 1, FACT_MAIN = 2 }; /* main: shown of each file where several stand side by side */
struct fact {
    const char *group, *label; /* static; a warning has no label */
    char *value;
    int marks;
};
struct facts {
    struct fact *list;
    size_t n, room;
    bool failed;
};
void seebatch_io_facts(const seebatch_stats *stats, struct facts *facts);
void seebatch_io_facts_free(struct facts *facts);

/* Writes the name of what was counted: that of the file, or how many there are. */
void seebatch_io_stats_title(const seebatch_stats *stats, char *text, size_t size);

/* Draws the elements of a chart in SVG, CHART_WIDTH units wide, and sets how high it is: 0 if there is nothing to draw.
 * Returns false past the last number. `name` becomes a word for it. */
enum { CHART_WIDTH = 360 };
bool seebatch_io_chart(struct bytes *out, const seebatch_stats *stats, int number, const char **name, int *height);

/* Writes colours for the dark, as rules of CSS about what is within a selector. */
void seebatch_io_chart_style(struct bytes *out, const char *selector);

#endif
