/*
 * Makes the facts of the report: labels and values in groups, and a sentence for whatever looks wrong.
 *
 * The terminal and the page show the same facts. The limits from which a sentence is written stand here, each with its
 * reason.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

/* Shares from which something looks wrong. */
static const double many_marks = 0.001;        /* of 32002: trainers skip them, so fewer say nothing */
static const double many_zeros = 0.2;          /* a score of 0 is often written for none */
static const double many_mates = 0.05;         /* sound games have about 1 to 3% */
static const double many_contradictions = 0.1; /* engines' games have about 1 to 5% */
static const double many_equal = 0.1;
static const double most_of_one_side = 0.6; /* games have nearly 50% */
static const double agreement_of_wrong_side = 0.4, agreement_of_right_side = 0.6;
enum { ENOUGH = 100 }; /* fewer records prove nothing */

static double share(uint64_t part, uint64_t all) { return all > 0 ? (double)part / (double)all : 0; }
static double percent(uint64_t part, uint64_t all) { return 100 * share(part, all); }

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

static void add_fact(struct facts *facts, const char *group, const char *label, int marks, const char *value)
{
    const size_t size = strlen(value) + 1;
    if (facts->n == facts->room) {
        const size_t room = 2 * facts->room + 64;
        struct fact *list = realloc(facts->list, room * sizeof *list);
        facts->failed |= list == NULL;
        if (list == NULL)
            return;
        facts->list = list;
        facts->room = room;
    }
    char *copy = malloc(size);
    facts->failed |= copy == NULL;
    if (copy == NULL)
        return;
    memcpy(copy, value, size);
    facts->list[facts->n++] = (struct fact){group, label, copy, marks};
}

PRINTF_LIKE(5, 6)
static void add(struct facts *facts, const char *group, const char *label, int marks, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    add_fact(facts, group, label, marks, value);
}

PRINTF_LIKE(2, 3) static void warn(struct facts *facts, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    add_fact(facts, "Warnings", NULL, FACT_WARNING, value);
}

void seebatch_io_facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->n; i++)
        free(facts->list[i].value);
    free(facts->list);
}

#define COMMAS(number) (seebatch_io_with_commas(number).text)

/* ---- What looks wrong -------------------------------------------------------------------------------------------- */

static void warn_of_damage(const seebatch_stats *stats, struct facts *facts)
{
    const seebatch_counts *counts = &stats->counts;
    if (counts->incomplete)
        warn(facts, "Counting ended early, so this report is about the records before.");
    if (counts->bad > 0)
        warn(facts, "%s record%s %s wrong and left out of this report.", COMMAS(counts->bad), plural(counts->bad),
             counts->bad == 1 ? "is" : "are");
    if (counts->damaged && counts->lost_bytes > 0)
        warn(facts, "The input is damaged or cut off: %s bytes could not be read.", COMMAS(counts->lost_bytes));
    else if (counts->damaged)
        warn(facts, "The input is damaged or cut off, or a file could not be read to its end.");
    if (stats->totals->positions[0] == 0)
        warn(facts, "There are no positions in the input.");
    else if (counts->empty_files > 0)
        warn(facts, "%s file%s no positions.", COMMAS(counts->empty_files),
             counts->empty_files == 1 ? " has" : "s have");
}

static void warn_of_scores(const seebatch_stats *stats, struct facts *facts, uint64_t scored)
{
    const struct totals *totals = stats->totals;
    const uint64_t *scores = totals->scores;
    const uint64_t marks = totals->marks[0];
    const uint64_t zeros = scores[-LEAST_SCORE];
    const uint64_t mates = seebatch_io_sum(&scores[LEAST_MATE - LEAST_SCORE], MARK_NONE - LEAST_MATE) +
                           seebatch_io_sum(&scores[1 - MARK_NONE - LEAST_SCORE], MARK_NONE - LEAST_MATE);
    const uint64_t beyond = totals->scores_beyond[0] + totals->scores_beyond[1];
    if (share(marks, scored) >= many_marks)
        warn(facts, "%s record%s (%s%%) %s the score 32002, Stockfish's mark for none.", COMMAS(marks), plural(marks),
             FIXED(percent(marks, scored), 1), marks == 1 ? "has" : "have");
    if (scored > 0 && zeros == scored)
        warn(facts, "All scores are 0.");
    else if (share(zeros, scored) >= many_zeros)
        warn(facts, "%s%% of the scores are 0, which is often written where there is none.",
             FIXED(percent(zeros, scored), 0));
    if (share(mates, scored) >= many_mates)
        warn(facts, "%s%% of the scores are those of mates or tablebases (%s to 32,001 without the sign).",
             FIXED(percent(mates, scored), 0), COMMAS(LEAST_MATE));
    if (beyond > 0)
        warn(facts, "%s score%s more than 16 bits, which no binary format holds.", COMMAS(beyond),
             beyond == 1 ? " has" : "s have");
}

/* Returns how often, in decided games, the sign of White's score is that of the result, by the side to move. */
static double agreement(const struct totals *totals, int stm, uint64_t *n)
{
    const uint64_t *cells = &totals->agreement[9 * stm];
    const uint64_t right = cells[0 + SEEBATCH_BLACK_WINS] + cells[6 + SEEBATCH_WHITE_WINS];
    const uint64_t wrong = cells[0 + SEEBATCH_WHITE_WINS] + cells[6 + SEEBATCH_BLACK_WINS];
    *n = right + wrong;
    return share(right, right + wrong);
}

static void warn_of_sides(const seebatch_stats *stats, struct facts *facts)
{
    const struct totals *totals = stats->totals;
    uint64_t n[2];
    const double right[2] = {agreement(totals, SEEBATCH_WHITE, &n[0]), agreement(totals, SEEBATCH_BLACK, &n[1])};
    const bool white_wrong = right[0] < agreement_of_wrong_side, black_wrong = right[1] < agreement_of_wrong_side;
    if (n[0] < ENOUGH || n[1] < ENOUGH || (!white_wrong && !black_wrong))
        return;
    if (white_wrong && black_wrong)
        warn(facts,
             "Scores and results contradict each other: only %s%% of the scores of decided games favour the "
             "side that won.",
             FIXED(50 * (right[0] + right[1]), 0));
    else if (black_wrong && right[0] > agreement_of_right_side)
        warn(facts, stats->mover ? "Scores seem to be White's, but the format says the side to move."
                                 : "Scores seem to be from the side to move, but the format says White.");
    else if (white_wrong && right[1] > agreement_of_right_side)
        warn(facts, "Scores seem to be from the side that is not to move, but the format says %s.",
             stats->mover ? "the side to move" : "White");
}

static void warn_of_results(const struct totals *totals, struct facts *facts, uint64_t decided)
{
    static const char *const all[3] = {"Black won all games.", "All results are draws.", "White won all games."};
    for (int result = 0; result < 3; result++)
        if (decided >= ENOUGH && totals->results[result] == decided)
            warn(facts, "%s", all[result]);
    if (totals->contradictions[0] >= ENOUGH &&
        share(totals->contradictions[1], totals->contradictions[0]) >= many_contradictions)
        warn(facts,
             "Scores and results disagree: in %s%% of the records of decided games, the score is %d or more in favour "
             "of the side that lost.",
             FIXED(percent(totals->contradictions[1], totals->contradictions[0]), 0), CONTRADICTION);
}

/* Returns how many records have a field. */
static uint64_t with_field(const struct totals *totals, unsigned field)
{
    uint64_t sum = 0;
    for (unsigned has = 0; has < 16; has++)
        sum += has & field ? totals->fields[has] : 0;
    return sum;
}

/* Returns how many of a kind there are in some tenths of the files. */
static uint64_t in_tenths(const struct totals *totals, enum tenth_kind kind, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t tenth = from; tenth <= to; tenth++)
        sum += totals->tenths[tenth * N_TENTH_KINDS + (size_t)kind];
    return sum;
}

/* Warns of the tenths in which something is frequent that is not so in the others together. */
static void warn_of_places(const seebatch_stats *stats, struct facts *facts)
{
    static const struct {
        enum tenth_kind part, all;
        double limit;
        const char *what;
    } rows[] = {
        {TENTH_CONTRADICTS, TENTH_DECIDED, 0.1, "scores and results disagree in %s%% of the records of decided games"},
        {TENTH_MARKS, TENTH_SCORES, 0.01, "%s%% of the records have the score 32002"},
        {TENTH_ZEROS, TENTH_SCORES, 0.2, "%s%% of the scores are 0"},
        {TENTH_DRAWS, TENTH_RESULTS, 0.9, "%s%% of the results are draws"}};
    static const char *const ordinals[TENTHS] = {"the first", "the second",  "the third",  "the fourth", "the fifth",
                                                 "the sixth", "the seventh", "the eighth", "the ninth",  "the last"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t first = TENTHS, last = TENTHS; /* TENTHS: there is none */
        for (size_t tenth = 0; tenth < TENTHS; tenth++) {
            const uint64_t all = in_tenths(stats->totals, rows[i].all, tenth, tenth);
            if (all < ENOUGH || share(in_tenths(stats->totals, rows[i].part, tenth, tenth), all) < rows[i].limit)
                continue;
            first = tenth < first ? tenth : first;
            last = tenth;
        }
        const uint64_t all = last == TENTHS ? 0 : in_tenths(stats->totals, rows[i].all, first, last);
        const uint64_t part = last == TENTHS ? 0 : in_tenths(stats->totals, rows[i].part, first, last);
        const uint64_t others = in_tenths(stats->totals, rows[i].all, 0, TENTHS - 1) - all;
        const uint64_t of_others = in_tenths(stats->totals, rows[i].part, 0, TENTHS - 1) - part;
        if (share(part, all) < rows[i].limit || others < ENOUGH || 2 * share(of_others, others) > share(part, all))
            continue;
        char what[128], from_to[64], before[32];
        snprintf(before, sizeof before, "%s", FIXED(percent(of_others, others), 1));
        snprintf(what, sizeof what, rows[i].what, FIXED(percent(part, all), 0));
        if (first == last)
            snprintf(from_to, sizeof from_to, "%s tenth", ordinals[first]);
        else
            snprintf(from_to, sizeof from_to, "tenths %zu to %zu", first + 1, last + 1);
        warn(facts, "Not all places are alike: in %s of %s, %s; in the others it is %s%%.", from_to,
             stats->n_files == 1 ? "the file" : "each file", what, before);
    }
}

static const struct {
    unsigned field;
    const char *name, *share;
} field_names[] = {{SEEBATCH_HAS_MOVE, "move", "with a move"},
                   {SEEBATCH_HAS_SCORE, "score", "with a score"},
                   {SEEBATCH_HAS_RESULT, "result", "with a result"},
                   {SEEBATCH_HAS_PLY, "ply", "with a ply"}};

static void add_warnings(const seebatch_stats *stats, struct facts *facts)
{
    const struct totals *totals = stats->totals;
    const uint64_t positions = totals->positions[0];
    bool exact;
    const uint64_t distinct = seebatch_io_distinct(stats, &exact), equal = positions - distinct;
    warn_of_damage(stats, facts);
    for (size_t i = 0; i < 3; i++) { /* some have it, and some do not; the ply follows from others */
        const uint64_t have = with_field(totals, field_names[i].field);
        if (have > 0 && have < positions)
            warn(facts, "%s record%s (%s%%) %s no %s.", COMMAS(positions - have), plural(positions - have),
                 FIXED(percent(positions - have, positions), 1), positions - have == 1 ? "has" : "have",
                 field_names[i].name);
    }
    warn_of_scores(stats, facts, with_field(totals, SEEBATCH_HAS_SCORE));
    warn_of_sides(stats, facts);
    warn_of_results(totals, facts, with_field(totals, SEEBATCH_HAS_RESULT));
    warn_of_places(stats, facts);
    if (positions >= ENOUGH && share(equal, positions) >= many_equal)
        warn(facts, "%s%s%% of the positions are equal to an earlier one.", exact ? "" : "About ",
             FIXED(percent(equal, positions), 0));
    for (int side = 0; side < 2; side++)
        if (positions >= ENOUGH && share(totals->sides[side], positions) >= most_of_one_side)
            warn(facts, "%s is to move in %s%% of the positions.", side == SEEBATCH_WHITE ? "White" : "Black",
                 FIXED(percent(totals->sides[side], positions), 0));
}

/* ---- Groups ------------------------------------------------------------------------------------------------------ */

static void add_file(const seebatch_stats *stats, struct facts *facts)
{
    static const char group[] = "File";
    const struct totals *totals = stats->totals;
    const uint64_t positions = totals->positions[0];
    const uint64_t bytes = stats->counts.consumed;
    bool compressed = false, mixed = false;
    for (size_t i = 0; i < stats->n_files; i++) {
        compressed |= stats->files[i].compressed;
        mixed |= strcmp(stats->files[i].format, stats->files[0].format) != 0;
    }
    add(facts, group, "format", FACT_MAIN, "%s%s",
        stats->n_files == 0 ? "none"
        : mixed             ? "several"
                            : stats->files[0].format,
        compressed ? ", compressed" : "");
    if (stats->parts > 0)
        add(facts, group, "reports added", 0, "%s", COMMAS(stats->parts));
    if (stats->n_files > 1)
        add(facts, group, "files", FACT_MAIN, "%s", COMMAS(stats->n_files));
    if (bytes > 0)
        add(facts, group, "bytes", FACT_MAIN, "%s", COMMAS(bytes));
    if (bytes > 0 && positions > 0)
        add(facts, group, "bytes a position", FACT_MAIN, "%s", FIXED((double)bytes / (double)positions, 2));
    add(facts, group, "positions", FACT_MAIN, "%s", COMMAS(positions));
    if (totals->games[0] > 0)
        add(facts, group, "games or chains", FACT_MAIN, "%s", COMMAS(totals->games[0]));
    for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++) {
        const uint64_t have = with_field(totals, field_names[i].field);
        if (have < positions)
            add(facts, group, field_names[i].share, 0, "%s%%", FIXED(percent(have, positions), 1));
    }
    bool exact;
    const uint64_t distinct = seebatch_io_distinct(stats, &exact);
    if (positions > 0) {
        add(facts, group, "different positions", FACT_MAIN, "%s%s", exact ? "" : "about ", COMMAS(distinct));
        add(facts, group, "equal to an earlier one", FACT_MAIN, "%s%%",
            FIXED(percent(positions - distinct, positions), 1));
    }
}

static void add_results(const struct totals *totals, struct facts *facts)
{
    static const char group[] = "Results";
    const uint64_t n = seebatch_io_sum(totals->results, 3);
    if (n == 0)
        return;
    add(facts, group, "White won", FACT_MAIN, "%s%%", FIXED(percent(totals->results[SEEBATCH_WHITE_WINS], n), 1));
    add(facts, group, "draw", FACT_MAIN, "%s%%", FIXED(percent(totals->results[SEEBATCH_DRAW], n), 1));
    add(facts, group, "Black won", FACT_MAIN, "%s%%", FIXED(percent(totals->results[SEEBATCH_BLACK_WINS], n), 1));
    if (totals->contradictions[0] > 0)
        add(facts, group, "score of 100 or more for the loser", FACT_MAIN, "%s%%",
            FIXED(percent(totals->contradictions[1], totals->contradictions[0]), 1));
}

/* Appends the percentiles of cells, the first of which has the number `first`. */
static void add_percentiles(struct facts *facts, const char *group, const uint64_t *cells, size_t n, long first)
{
    static const struct {
        const char *label;
        double share;
        int marks;
    } rows[] = {{"least", 0, 0},  {"1%", 0.01, FACT_MAIN},    {"5%", 0.05, 0},
                {"25%", 0.25, 0}, {"median", 0.5, FACT_MAIN}, {"75%", 0.75, 0},
                {"95%", 0.95, 0}, {"99%", 0.99, FACT_MAIN},   {"greatest", 1, 0}};
    if (seebatch_io_sum(cells, n) == 0)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add(facts, group, rows[i].label, rows[i].marks, "%ld",
            (long)seebatch_io_quantile(cells, n, rows[i].share) + first);
}

static void add_scores(const struct totals *totals, struct facts *facts)
{
    static const char group[] = "White's scores";
    const uint64_t *scores = totals->scores;
    const uint64_t n = with_field(totals, SEEBATCH_HAS_SCORE);
    if (n == 0)
        return;
    add_percentiles(facts, group, scores, SCORE_CELLS, LEAST_SCORE);
    add(facts, group, "zero", FACT_MAIN, "%s%%", FIXED(percent(scores[-LEAST_SCORE], n), 1));
    add(facts, group, "none (32002)", FACT_MAIN, "%s%%", FIXED(percent(totals->marks[0], n), 1));
    add(facts, group, "mates", FACT_MAIN, "%s%%",
        FIXED(percent(seebatch_io_sum(&scores[LEAST_MATE - LEAST_SCORE], MARK_NONE - LEAST_MATE) +
                          seebatch_io_sum(&scores[1 - MARK_NONE - LEAST_SCORE], MARK_NONE - LEAST_MATE),
                      n),
              1));
}

static void add_positions(const struct totals *totals, struct facts *facts)
{
    const uint64_t positions = totals->positions[0];
    add_percentiles(facts, "Plies", totals->plies, PLY_CELLS, 0);
    add_percentiles(facts, "Pieces", totals->pieces, PIECE_CELLS, 0);
    add_percentiles(facts, "Phase", totals->phases, PHASE_CELLS, 0);
    if (positions == 0)
        return;
    add(facts, "Positions", "White to move", FACT_MAIN, "%s%%",
        FIXED(percent(totals->sides[SEEBATCH_WHITE], positions), 1));
    add(facts, "Positions", "in check", FACT_MAIN, "%s%%",
        FIXED(100 - percent(totals->quiet[QUIET_NO_CHECK], positions), 1));
    static const char *const labels[N_QUIET_KINDS] = {NULL, "kept by nnue-pytorch's `filtered`",
                                                      "no check, no tactical move", "no check, no legal capture",
                                                      "`quiet` (no good capture)"};
    const bool moves = with_field(totals, SEEBATCH_HAS_MOVE) > 0;
    for (int kind = 1; kind < N_QUIET_KINDS; kind++)
        if (moves || kind > QUIET_BY_MOVE)
            add(facts, "Positions", labels[kind], FACT_MAIN, "%s%%", FIXED(percent(totals->quiet[kind], positions), 1));
}

static void add_moves(const struct totals *totals, struct facts *facts)
{
    static const char group[] = "Moves";
    const uint64_t positions = totals->positions[0];
    if (with_field(totals, SEEBATCH_HAS_MOVE) == 0)
        return;
    add(facts, group, "captures", FACT_MAIN, "%s%%",
        FIXED(percent(seebatch_io_sum(&totals->moves[MOVE_CAPTURE_BY], 6) + totals->moves[MOVE_EN_PASSANT], positions),
              1));
    for (int kind = 0; kind < N_MOVE_KINDS; kind++)
        if (totals->moves[kind] > 0)
            add(facts, group, seebatch_io_move_kind_names[kind], 0, "%s%%",
                FIXED(percent(totals->moves[kind], positions), percent(totals->moves[kind], positions) < 1 ? 2 : 1));
}

static void add_materials(const struct totals *totals, struct facts *facts)
{
    enum { MOST = 4 };
    size_t cells[MOST];
    const size_t n = seebatch_io_frequent_materials(totals, cells, MOST);
    for (size_t i = 0; i < n; i++) {
        char text[MATERIAL_TEXT];
        seebatch_io_material_text(cells[i], text);
        add(facts, "Material", "", 0, "%s %s%%", text,
            FIXED(percent(totals->materials[cells[i]], totals->positions[0]), 1));
    }
}

static void add_calibration(const struct totals *totals, struct facts *facts)
{
    static const char group[] = "Scores and results";
    struct calibration calibration;
    struct win_model scale, wdl;
    double error;
    char text[64];
    seebatch_io_calibration(totals, PHASE_GROUPS, &calibration);
    if (calibration.n == 0)
        return;
    if (!seebatch_io_scale_says_something(&calibration, &scale, &error)) {
        add(facts, group, "best eval scale", FACT_MAIN, "none: the results do not clearly rise with the scores");
        return;
    }
    seebatch_io_scale_text(&scale, error, "+/-", text, sizeof text);
    add(facts, group, "best eval scale", FACT_MAIN, "%s (error %s)", text,
        FIXED(seebatch_io_model_error(&scale, &calibration).rms, 3));
    if (seebatch_io_fit_wdl(&calibration, &wdl))
        add(facts, group, "best with draws", FACT_MAIN, "offset %s, scale %s (error %s)", FIXED(wdl.offset, 0),
            FIXED(wdl.scale, 0), FIXED(seebatch_io_model_error(&wdl, &calibration).rms, 3));
    for (int i = 0; i < N_TRAINERS; i++) {
        const struct named_model *trainer = &seebatch_io_trainers[i];
        add(facts, group, trainer->name, FACT_MAIN, "%s (error %s)", trainer->what,
            FIXED(seebatch_io_model_error(&trainer->model, &calibration).rms, 3));
    }
    for (int phase = PHASE_GROUPS - 1; phase >= 0; phase--) {
        seebatch_io_calibration(totals, phase, &calibration);
        if (calibration.n == 0 || !seebatch_io_scale_says_something(&calibration, &scale, &error))
            continue;
        seebatch_io_scale_text(&scale, error, "+/-", text, sizeof text);
        add(facts, group, seebatch_io_phase_group_names[phase], 0, "scale %s", text);
    }
}

static void add_exchanges(const seebatch_stats *stats, struct facts *facts)
{
    static const char group[] = "Legal captures";
    const struct totals *totals = stats->totals;
    const uint64_t n = seebatch_io_sum(totals->values, VALUE_CELLS);
    uint64_t lengths = 0;
    if (totals->positions[0] == 0)
        return;
    for (size_t length = 0; length <= SEEBATCH_MAX_EXCHANGE; length++)
        lengths += length * totals->depths[length];
    add(facts, group, "rules", 0, "%s", stats->rules[0].name);
    add(facts, group, "a position", FACT_MAIN, "%s", FIXED((double)n / (double)totals->positions[0], 2));
    if (n == 0)
        return;
    add(facts, group, "winning", FACT_MAIN, "%s%%",
        FIXED(percent(seebatch_io_sum(&totals->values[1 - LEAST_VALUE], (size_t)MOST_VALUE), n), 1));
    add(facts, group, "equal", 0, "%s%%", FIXED(percent(totals->values[-LEAST_VALUE], n), 1));
    add(facts, group, "losing", FACT_MAIN, "%s%%",
        FIXED(percent(seebatch_io_sum(totals->values, (size_t)-LEAST_VALUE), n), 1));
    if (totals->values[N_VALUES] > 0)
        add(facts, group, "passing", 0, "%s%%", FIXED(percent(totals->values[N_VALUES], n), 1));
    add(facts, group, "mean length", 0, "%s", FIXED((double)lengths / (double)n, 2));
}

static void add_played(const seebatch_stats *stats, size_t rules, struct facts *facts)
{
    static const char *const groups[MOST_RULE_SETS] = {"Played moves",   "Played moves 2", "Played moves 3",
                                                       "Played moves 4", "Played moves 5", "Played moves 6",
                                                       "Played moves 7", "Played moves 8"};
    static const struct {
        long threshold;
        const char *label;
    } rows[] = {{-300, "below -300"}, {-200, "below -200"}, {-100, "below -100"},
                {-50, "below -50"},   {0, "below 0"},       {100, "below 100"}};
    const char *group = groups[rules];
    const uint64_t n = seebatch_io_played(stats, rules, PLAYED_KINDS);
    const uint64_t *best = &stats->totals->best[rules * BEST_KINDS];
    if (n == 0)
        return;
    if (stats->n_rules > 1)
        add(facts, group, "rules", 0, "%s, values %s", stats->rules[rules].name, stats->rules[rules].values);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add(facts, group, rows[i].label, rows[i].threshold == 0 ? FACT_MAIN : 0, "%s%%",
            FIXED(percent(seebatch_io_played_below(stats, rules, PLAYED_KINDS, rows[i].threshold), n), 2));
    add(facts, group, "captures and promotions below 0", FACT_MAIN, "%s%%",
        FIXED(percent(seebatch_io_played_below(stats, rules, PLAYED_TACTICAL, 0),
                      seebatch_io_played(stats, rules, PLAYED_TACTICAL)),
              2));
    if (best[CAPTURE_IS_BEST] + best[CAPTURE_IS_WORSE] > 0)
        add(facts, group, "captures that are the best one", FACT_MAIN, "%s%%",
            FIXED(percent(best[CAPTURE_IS_BEST], best[CAPTURE_IS_BEST] + best[CAPTURE_IS_WORSE]), 1));
}

void seebatch_io_facts(const seebatch_stats *stats, struct facts *facts)
{
    const struct totals *totals = stats->totals;
    *facts = (struct facts){0};
    add_warnings(stats, facts);
    add_file(stats, facts);
    add_results(totals, facts);
    add_scores(totals, facts);
    add_positions(totals, facts);
    add_moves(totals, facts);
    add_materials(totals, facts);
    add_calibration(totals, facts);
    add_exchanges(stats, facts);
    for (size_t i = 0; i < stats->n_rules; i++)
        add_played(stats, i, facts);
}
