/*
 * Writes the report as JSON. docs/stats-json.md describes it; its version is STATS_VERSION.
 *
 * The members of `counts` are pairs of cell and count for what is not 0, so that reports can be added exactly; everything
 * before it follows from them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

#define U(number) ((unsigned long long)(number))

static void add_name(struct bytes *out, const char *name) { seebatch_io_print(out, ",\n  \"%s\": ", name); }

static void add_bool(struct bytes *out, const char *before, bool value)
{
    seebatch_io_print(out, "%s%s", before, value ? "true" : "false");
}

static void add_histograms(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histograms[MOST_HISTOGRAMS];
    const size_t n = seebatch_io_histograms(stats, histograms);
    for (size_t i = 0; i < n; i++) {
        add_name(out, histograms[i].name);
        seebatch_io_histogram_json(out, &histograms[i]);
        out->failed |= histograms[i].failed;
        seebatch_io_histogram_free(&histograms[i]);
    }
}

static void add_files(struct bytes *out, const seebatch_stats *stats)
{
    const seebatch_counts *counts = &stats->counts;
    add_name(out, "files");
    bytes_add_char(out, '[');
    for (size_t i = 0; i < stats->n_files; i++) {
        const struct stats_file *file = &stats->files[i];
        bytes_add_string(out, i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ");
        seebatch_io_add_json(out, file->name);
        bytes_add_string(out, ", \"format\": ");
        seebatch_io_add_json(out, file->format);
        add_bool(out, ", \"compressed\": ", file->compressed);
        bytes_add_char(out, '}');
    }
    seebatch_io_print(out,
                      "],\n  \"reading\": {\"consumed\": %llu, \"bad\": %llu, \"lost_bytes\": %llu, \"lost_records\": "
                      "%llu, \"empty_files\": "
                      "%llu",
                      U(counts->consumed), U(counts->bad), U(counts->lost_bytes), U(counts->lost_records),
                      U(counts->empty_files));
    add_bool(out, ", \"damaged\": ", counts->damaged);
    add_bool(out, ", \"incomplete\": ", counts->incomplete);
    add_bool(out, "},\n  \"scores_of_mover\": ", stats->mover);
    seebatch_io_print(out, ",\n  \"games\": %llu", U(stats->totals->games[0]));
}

/* Writes percentiles of cells, of which the first has the number `first`. */
static void add_percentiles(struct bytes *out, const char *name, const uint64_t *cells, size_t n, long first)
{
    static const struct {
        const char *name;
        double share;
    } rows[] = {{"least", 0},  {"p1", 0.01},  {"p5", 0.05},  {"p25", 0.25},  {"median", 0.5},
                {"p75", 0.75}, {"p95", 0.95}, {"p99", 0.99}, {"greatest", 1}};
    const uint64_t all = seebatch_io_sum(cells, n);
    add_name(out, name);
    seebatch_io_print(out, "{\"n\": %llu", U(all));
    for (size_t i = 0; i < sizeof rows / sizeof *rows && all > 0; i++)
        seebatch_io_print(out, ", \"%s\": %ld", rows[i].name,
                          (long)seebatch_io_quantile(cells, n, rows[i].share) + first);
}

static void add_records(struct bytes *out, const struct totals *totals)
{
    static const char *const names[4] = {"move", "score", "result", "ply"};
    const uint64_t *scores = totals->scores;
    add_name(out, "with");
    for (int bit = 0; bit < 4; bit++) {
        uint64_t with = 0;
        for (int has = 0; has < 16; has++)
            with += has >> bit & 1 ? totals->fields[has] : 0;
        seebatch_io_print(out, "%s\"%s\": %llu", bit > 0 ? ", " : "{", names[bit], U(with));
    }
    seebatch_io_print(out, "},\n  \"results\": {\"white\": %llu, \"draw\": %llu, \"black\": %llu}",
                      U(totals->results[SEEBATCH_WHITE_WINS]), U(totals->results[SEEBATCH_DRAW]),
                      U(totals->results[SEEBATCH_BLACK_WINS]));
    seebatch_io_print(out, ",\n  \"disagreement\": {\"decided\": %llu, \"contradicting\": %llu, \"from\": %d}",
                      U(totals->contradictions[0]), U(totals->contradictions[1]), CONTRADICTION);
    add_percentiles(out, "scores", scores, SCORE_CELLS, LEAST_SCORE);
    seebatch_io_print(out, ", \"zero\": %llu, \"none\": %llu, \"mates\": %llu, \"beyond\": %llu}",
                      U(scores[-LEAST_SCORE]), U(totals->marks[0]),
                      U(seebatch_io_sum(&scores[LEAST_MATE - LEAST_SCORE], MARK_NONE - LEAST_MATE) +
                        seebatch_io_sum(&scores[1 - MARK_NONE - LEAST_SCORE], MARK_NONE - LEAST_MATE)),
                      U(totals->scores_beyond[0] + totals->scores_beyond[1]));
    add_percentiles(out, "plies", totals->plies, PLY_CELLS, 0);
    seebatch_io_print(out, ", \"beyond\": %llu}", U(totals->plies_beyond[0] + totals->plies_beyond[1]));
    add_percentiles(out, "pieces", totals->pieces, PIECE_CELLS, 0);
    bytes_add_char(out, '}');
    add_percentiles(out, "phase", totals->phases, PHASE_CELLS, 0);
    seebatch_io_print(out, "},\n  \"side_to_move\": {\"white\": %llu, \"black\": %llu}",
                      U(totals->sides[SEEBATCH_WHITE]), U(totals->sides[SEEBATCH_BLACK]));
}

static void add_positions(struct bytes *out, const seebatch_stats *stats)
{
    enum { MOST = 20 };
    const struct totals *totals = stats->totals;
    size_t cells[MOST];
    bool exact;
    add_name(out, "moves");
    for (int kind = 0; kind < N_MOVE_KINDS; kind++)
        seebatch_io_print(out, "%s\"%s\": %llu", kind > 0 ? ", " : "{", seebatch_io_move_kind_names[kind],
                          U(totals->moves[kind]));
    seebatch_io_print(
        out, "},\n  \"in_check\": %llu,\n  \"quiet\": ", U(totals->positions[0] - totals->quiet[QUIET_NO_CHECK]));
    for (int kind = 0; kind < N_QUIET_KINDS; kind++)
        seebatch_io_print(out, "%s\"%s\": %llu", kind > 0 ? ", " : "{", seebatch_io_quiet_kind_names[kind],
                          U(totals->quiet[kind]));
    bytes_add_string(out, "},\n  \"materials\": [");
    const size_t n = seebatch_io_frequent_materials(totals, cells, MOST);
    for (size_t i = 0; i < n; i++) {
        char text[MATERIAL_TEXT];
        seebatch_io_material_text(cells[i], text);
        seebatch_io_print(out, "%s{\"material\": \"%s\", \"count\": %llu}", i > 0 ? ",\n    " : "\n    ", text,
                          U(totals->materials[cells[i]]));
    }
    const uint64_t distinct = seebatch_io_distinct(stats, &exact);
    seebatch_io_print(out, "],\n  \"different\": {\"positions\": %llu, \"exact\": %s}", U(distinct),
                      exact ? "true" : "false");
}

static void add_model(struct bytes *out, const struct win_model *model, const struct calibration *calibration)
{
    const struct model_error error = seebatch_io_model_error(model, calibration);
    seebatch_io_print(out, "\"offset\": %s, \"scale\": %s, \"rms\": %s, \"loss\": %s}", FIXED(model->offset, 2),
                      FIXED(model->scale, 2), FIXED(error.rms, 5), FIXED(error.loss, 5));
}

static void add_calibration(struct bytes *out, const struct totals *totals)
{
    add_name(out, "calibration");
    bytes_add_char(out, '[');
    for (int group = PHASE_GROUPS; group >= 0; group--) {
        struct calibration calibration;
        struct win_model model;
        double error;
        seebatch_io_calibration(totals, group, &calibration);
        seebatch_io_print(out,
                          "%s{\"phase\": \"%s\", \"n\": %llu, \"fit\": ", group < PHASE_GROUPS ? ",\n    " : "\n    ",
                          group == PHASE_GROUPS ? "all" : seebatch_io_phase_group_names[group], U(calibration.n));
        if (seebatch_io_fit_scale(&calibration, &model, &error)) {
            seebatch_io_print(out, "{\"scale_error\": %s, ", FIXED(error, 2));
            add_model(out, &model, &calibration);
        } else {
            bytes_add_string(out, "null");
        }
        bytes_add_string(out, ", \"fit_wdl\": ");
        if (seebatch_io_fit_wdl(&calibration, &model)) {
            bytes_add_char(out, '{');
            add_model(out, &model, &calibration);
        } else {
            bytes_add_string(out, "null");
        }
        for (int i = 0; i < N_TRAINERS; i++) {
            seebatch_io_print(out, ", \"%s\": {", seebatch_io_trainers[i].name);
            add_model(out, &seebatch_io_trainers[i].model, &calibration);
        }
        bytes_add_char(out, '}');
    }
    bytes_add_char(out, ']');
}

static void add_played(struct bytes *out, const seebatch_stats *stats)
{
    enum { FROM = -300, TO = 300, STEP = 25 };
    add_name(out, "played");
    bytes_add_char(out, '[');
    for (size_t i = 0; i < stats->n_rules; i++) {
        const uint64_t *best = &stats->totals->best[i * BEST_KINDS];
        bytes_add_string(out, i > 0 ? ",\n    {\"rules\": " : "\n    {\"rules\": ");
        seebatch_io_add_json(out, stats->rules[i].name);
        seebatch_io_print(out,
                          ", \"values\": \"%s\", \"moves\": %llu, \"tactical\": %llu, \"best_captures\": %llu, "
                          "\"other_captures\": %llu, \"below\": [",
                          stats->rules[i].values, U(seebatch_io_played(stats, i, PLAYED_KINDS)),
                          U(seebatch_io_played(stats, i, PLAYED_TACTICAL)), U(best[CAPTURE_IS_BEST]),
                          U(best[CAPTURE_IS_WORSE]));
        for (long threshold = FROM; threshold <= TO; threshold += STEP)
            seebatch_io_print(out, "%s{\"threshold\": %ld, \"moves\": %llu, \"tactical\": %llu}",
                              threshold > FROM ? ",\n      " : "\n      ", threshold,
                              U(seebatch_io_played_below(stats, i, PLAYED_KINDS, threshold)),
                              U(seebatch_io_played_below(stats, i, PLAYED_TACTICAL, threshold)));
        bytes_add_string(out, "]}");
    }
    bytes_add_char(out, ']');
}

static void add_warnings(struct bytes *out, const seebatch_stats *stats)
{
    struct facts facts;
    bool any = false;
    seebatch_io_facts(stats, &facts);
    add_name(out, "warnings");
    bytes_add_char(out, '[');
    for (size_t i = 0; i < facts.n; i++)
        if (facts.list[i].marks & FACT_WARNING) {
            bytes_add_string(out, any ? ",\n    " : "\n    ");
            seebatch_io_add_json(out, facts.list[i].value);
            any = true;
        }
    bytes_add_char(out, ']');
    out->failed |= facts.failed;
    seebatch_io_facts_free(&facts);
}

static void add_cells(struct bytes *out, const char *name, const uint64_t *cells, size_t n, bool *any)
{
    bool begun = false;
    for (size_t i = 0; i < n; i++) {
        if (cells[i] == 0)
            continue;
        if (begun)
            seebatch_io_print(out, ",%zu,%llu", i, U(cells[i]));
        else
            seebatch_io_print(out, "%s\n    \"%s\": [%zu,%llu", *any ? "," : "", name, i, U(cells[i]));
        begun = *any = true;
    }
    if (begun)
        bytes_add_char(out, ']');
}

static void add_tenths(struct bytes *out, const struct totals *totals)
{
    static const char *const names[N_TENTH_KINDS] = {
        [TENTH_POSITIONS] = "positions", [TENTH_SCORES] = "with_score",         [TENTH_MARKS] = "none",
        [TENTH_ZEROS] = "zero",          [TENTH_RESULTS] = "with_result",       [TENTH_DRAWS] = "draw",
        [TENTH_DECIDED] = "decided",     [TENTH_CONTRADICTS] = "contradicting",
    };
    add_name(out, "tenths");
    for (size_t tenth = 0; tenth < TENTHS; tenth++) {
        bytes_add_string(out, tenth == 0 ? "[\n    {" : ",\n    {");
        for (size_t kind = 0; kind < N_TENTH_KINDS; kind++)
            seebatch_io_print(out, "%s\"%s\": %llu", kind > 0 ? ", " : "", names[kind],
                              U(totals->tenths[tenth * N_TENTH_KINDS + kind]));
        bytes_add_char(out, '}');
    }
    bytes_add_char(out, ']');
}

void seebatch_io_stats_json(struct bytes *out, const seebatch_stats *stats)
{
    const struct totals *totals = stats->totals;
    bool any = false;
    seebatch_io_print(out, "{\n  \"version\": %d", STATS_VERSION);
    add_name(out, "rules");
    seebatch_io_add_json(out, stats->rules[0].name);
    if (stats->against != NULL) {
        add_name(out, "against");
        seebatch_io_add_json(out, stats->against);
    }
    seebatch_io_print(out, ",\n  \"positions\": %llu,\n  \"total_captures\": %llu,\n  \"bin\": %ld",
                      U(totals->positions[0]), U(seebatch_io_sum(totals->values, VALUE_CELLS)), stats->bin);
    add_histograms(out, stats);
    add_files(out, stats);
    add_records(out, totals);
    add_positions(out, stats);
    add_calibration(out, totals);
    add_played(out, stats);
    add_tenths(out, totals);
    add_warnings(out, stats);
    add_name(out, "counts");
    bytes_add_char(out, '{');
#define X(name, cells) add_cells(out, #name, totals->name, cells, &any);
    STATS_COUNTERS(X)
#undef X
    bytes_add_string(out, "},\n  \"sketch\": \"");
    seebatch_io_sketch_write(out, stats->registers);
    bytes_add_string(out, "\"\n}\n");
}
