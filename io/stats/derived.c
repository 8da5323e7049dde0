/*
 * Computes what follows from the counters, and appends texts for those who write reports.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

const char *const seebatch_io_move_kind_names[N_MOVE_KINDS] = {"none",
                                                               "quiet",
                                                               "capture by pawn",
                                                               "capture by knight",
                                                               "capture by bishop",
                                                               "capture by rook",
                                                               "capture by queen",
                                                               "capture by king",
                                                               "promotion",
                                                               "castling",
                                                               "en passant"};
const char *const seebatch_io_quiet_kind_names[N_QUIET_KINDS] = {"no_check", "nnue_pytorch", "quiet_move", "no_capture",
                                                                 "quiet"};
const char *const seebatch_io_quiet_kind_words[N_QUIET_KINDS] = {
    "not in check", "and the move is no capture, except en passant (`filtered` of nnue-pytorch)",
    "and the move is neither a capture nor a promotion", "and there is no legal capture",
    "and no capture or promotion has a value of 0 or more (`quiet`)"};
const char *const seebatch_io_phase_group_names[PHASE_GROUPS] = {"phase 0 to 6", "phase 7 to 12", "phase 13 to 18",
                                                                 "phase 19 and more"};

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

void seebatch_io_print(struct bytes *out, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bytes_add(out, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

struct number_text seebatch_io_with_commas(uint64_t number)
{
    struct number_text result;
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *to = result.text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return result;
}

struct number_text seebatch_io_fixed(double number, int digits)
{
    static const double most = 0x1p40;
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000};
    struct number_text result;
    const double size = number < 0 ? -number : number;
    const int64_t parts = (int64_t)((size < most ? size : most) * (double)powers[digits] + 0.5);
    const char *sign = number < 0 && parts > 0 ? "-" : "";
    const long long whole = parts / powers[digits], rest = parts % powers[digits];
    if (digits == 0)
        snprintf(result.text, sizeof result.text, "%s%lld", sign, whole);
    else
        snprintf(result.text, sizeof result.text, "%s%lld.%0*lld", sign, whole, digits, rest);
    return result;
}

void seebatch_io_add_xml(struct bytes *out, const char *text)
{
    const size_t length = strlen(text);
    if (!seebatch_io_is_utf8(text, length)) { /* the name of a file may be anything */
        for (; *text != '\0'; text++)
            if ((unsigned char)*text < 128 && strchr("<>&\"", *text) == NULL && *text >= ' ')
                bytes_add_char(out, *text);
            else
                seebatch_io_print(out, "&#65533;");
        return;
    }
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<': bytes_add_string(out, "&lt;"); break;
        case '>': bytes_add_string(out, "&gt;"); break;
        case '&': bytes_add_string(out, "&amp;"); break;
        case '"': bytes_add_string(out, "&quot;"); break;
        default: bytes_add_string(out, (unsigned char)*text < ' ' ? "&#65533;" : (const char[]){*text, '\0'}); break;
        }
}

void seebatch_io_add_json(struct bytes *out, const char *text)
{
    const bool sound = seebatch_io_is_utf8(text, strlen(text));
    bytes_add_char(out, '"');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            seebatch_io_print(out, "\\%c", c);
        else if (c < ' ' || c == 127)
            seebatch_io_print(out, "\\u%04x", c);
        else if (c >= 128 && !sound)
            bytes_add_string(out, "\xef\xbf\xbd"); /* U+FFFD, as it is written again when the report was read */
        else
            bytes_add_char(out, (char)c);
    }
    bytes_add_char(out, '"');
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

uint64_t seebatch_io_sum(const uint64_t *cells, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += cells[i];
    return sum;
}

size_t seebatch_io_quantile(const uint64_t *cells, size_t n, double share)
{
    const uint64_t all = seebatch_io_sum(cells, n);
    uint64_t below = 0;
    for (size_t i = 0; i < n; i++) {
        below += cells[i];
        if (below > 0 && (double)below >= share * (double)all)
            return i;
    }
    return n;
}

/* The pieces of a side, of the number that material_of() makes of them. */
static void pieces_of_side(size_t number, int of[SEEBATCH_KING])
{
    of[SEEBATCH_PAWN] = (int)(number % 9);
    number /= 9;
    for (int type = SEEBATCH_KNIGHT; type < SEEBATCH_KING; type++, number /= 3)
        of[type] = (int)(number % 3);
}

struct material seebatch_io_material_of_cell(size_t cell)
{
    struct material material;
    pieces_of_side(cell / SIDE_MATERIALS, material.of[SEEBATCH_WHITE]);
    pieces_of_side(cell % SIDE_MATERIALS, material.of[SEEBATCH_BLACK]);
    return material;
}

void seebatch_io_material_text(size_t cell, char *text)
{
    static const char letters[] = "PNBRQ";
    if (cell == MATERIALS) {
        memcpy(text, "other", sizeof "other");
        return;
    }
    const struct material material = seebatch_io_material_of_cell(cell);
    for (int side = SEEBATCH_WHITE;; side = SEEBATCH_BLACK) {
        *text++ = 'K';
        for (int type = SEEBATCH_QUEEN; type >= SEEBATCH_PAWN; type--)
            for (int k = 0; k < material.of[side][type]; k++)
                *text++ = letters[type];
        if (side == SEEBATCH_BLACK)
            break;
        *text++ = 'v';
    }
    *text = '\0';
}

size_t seebatch_io_frequent_materials(const struct totals *totals, size_t *cells, size_t most)
{
    size_t n = 0;
    for (size_t cell = 0; cell < MATERIALS; cell++) {
        const uint64_t count = totals->materials[cell];
        if (count == 0 || (n == most && count <= totals->materials[cells[n - 1]]))
            continue;
        size_t place = n < most ? n++ : n - 1;
        for (; place > 0 && totals->materials[cells[place - 1]] < count; place--)
            cells[place] = cells[place - 1];
        cells[place] = cell;
    }
    return n;
}

uint64_t seebatch_io_distinct(const seebatch_stats *stats, bool *exact)
{
    const uint64_t positions = stats->totals->positions[0];
    *exact = stats->exact;
    if (stats->exact)
        return stats->distinct;
    const uint64_t estimate = (uint64_t)(seebatch_io_sketch_estimate(stats->registers) + 0.5);
    return estimate < positions ? estimate : positions;
}

static const uint64_t *played_cells(const seebatch_stats *stats, size_t rules, int kind)
{
    return &stats->totals->played[(rules * PLAYED_KINDS + (size_t)kind) * VALUE_CELLS];
}

uint64_t seebatch_io_played(const seebatch_stats *stats, size_t rules, int kind)
{
    if (kind == PLAYED_KINDS)
        return seebatch_io_played(stats, rules, PLAYED_QUIET) + seebatch_io_played(stats, rules, PLAYED_TACTICAL);
    return seebatch_io_sum(played_cells(stats, rules, kind), VALUE_CELLS);
}

uint64_t seebatch_io_played_below(const seebatch_stats *stats, size_t rules, int kind, long threshold)
{
    if (kind == PLAYED_KINDS)
        return seebatch_io_played_below(stats, rules, PLAYED_QUIET, threshold) +
               seebatch_io_played_below(stats, rules, PLAYED_TACTICAL, threshold);
    return seebatch_io_sum(played_cells(stats, rules, kind), (size_t)(threshold - LEAST_VALUE));
}

void seebatch_io_stats_title(const seebatch_stats *stats, char *text, size_t size)
{
    if (stats->n_files == 1)
        snprintf(text, size, "%s", strcmp(stats->files[0].name, "-") == 0 ? "standard input" : stats->files[0].name);
    else
        snprintf(text, size, "%zu files", stats->n_files);
}
