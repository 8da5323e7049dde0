/*
 * filter --explain: how conditions were understood, how many records each term decided, and why the first records were
 * kept or dropped.
 */
#include "decisions.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 512 };

static bool has_bit(const uint64_t bits[2], size_t number) { return bits[number / 64] >> number % 64 & 1; }

seebatch_io_status decisions_add(struct decisions *decisions, const seebatch_conditions *conditions,
                                 const seebatch_records *records, uint8_t *failed)
{
    seebatch_decision found[AT_ONCE];
    const seebatch_io_status status = seebatch_conditions_decide(conditions, records, found);
    for (size_t i = 0; i < records->n && status == SEEBATCH_IO_OK; i++) {
        failed[i] = found[i].failed;
        decisions->decided[found[i].last]++;
        for (size_t term = 0; term < MOST_DECIDED_TERMS; term++) {
            decisions->tested[term] += has_bit(found[i].tested, term);
            decisions->held[term] += has_bit(found[i].held, term);
        }
        if (decisions->n_shown < DECISIONS_SHOWN)
            decisions->shown[decisions->n_shown++] = (struct shown){records->positions[i], found[i]};
    }
    return status;
}

/* A condition, or a term, as it was understood, in memory of its own. */
static char *text_of(size_t (*write)(const seebatch_conditions *, size_t, char *, size_t),
                     const seebatch_conditions *conditions, size_t number)
{
    const size_t length = write(conditions, number, NULL, 0);
    char *text = reallocate(NULL, length + 1, 1);
    text[0] = '\0';
    write(conditions, number, text, length + 1);
    return text;
}

static void print_understood(struct output *output, const seebatch_conditions *conditions, const struct asked *asked,
                             int n_asked, const struct options *options)
{
    const int16_t *value = options->rules.value;
    output_string(output, "A record is kept if it meets:\n");
    for (int i = 0; i < n_asked; i++) {
        char *text = text_of(seebatch_conditions_text, conditions, (size_t)i + 1);
        output_printf(output, "  %s %s\n", asked[i].option, text);
        free(text);
    }
    output_printf(output, "Exchanges: --rules %s --values %d,%d,%d,%d,%d\n", options->rules_name, value[0], value[1],
                  value[2], value[3], value[4]);
}

/* A term is tested only where those before it leave a record undecided; the last one that is tested decides. */
static void print_counts(struct output *output, const struct decisions *decisions,
                         const seebatch_conditions *conditions)
{
    output_string(output, "\n      tested       holds     decides  term\n");
    for (size_t term = 0; seebatch_conditions_term(conditions, term, NULL, 0) > 0; term++) {
        char *text = text_of(seebatch_conditions_term, conditions, term);
        output_printf(output, "%12llu%12llu%12llu  %s\n", (unsigned long long)decisions->tested[term],
                      (unsigned long long)decisions->held[term], (unsigned long long)decisions->decided[term], text);
        free(text);
    }
}

/* The terms that were tested, the one that decided last. */
static void print_terms(struct output *output, const seebatch_decision *decision, const seebatch_conditions *conditions)
{
    const char *before = "";
    for (size_t k = 0; seebatch_conditions_term(conditions, k, NULL, 0) > 0; k++) {
        if (!has_bit(decision->tested, k))
            continue;
        char *text = text_of(seebatch_conditions_term, conditions, k);
        output_printf(output, "%s%s%s: %s", before, k == decision->last ? "*" : "", text,
                      has_bit(decision->held, k)     ? "yes"
                      : has_bit(decision->absent, k) ? "no, the record does not have it"
                                                     : "no");
        before = "; ";
        free(text);
    }
    output_string(output, "\n");
}

static void print_first(struct output *output, const struct decisions *decisions, const seebatch_conditions *conditions,
                        const struct asked *asked)
{
    if (decisions->n_shown > 0)
        output_string(output, "\nThe first records, with the terms that were tested; * decided:\n");
    for (size_t i = 0; i < decisions->n_shown; i++) {
        const seebatch_decision *decision = &decisions->shown[i].decision;
        char fen[SEEBATCH_FEN_SIZE];
        seebatch_position_to_fen(&decisions->shown[i].position, fen);
        output_printf(output, "%s\n  ", fen);
        if (decision->failed == 0)
            output_string(output, "kept: ");
        else
            output_printf(output, "dropped by %s %d: ", asked[decision->failed - 1].option, decision->failed);
        print_terms(output, decision, conditions);
    }
}

void decisions_print(struct output *output, const struct decisions *decisions, const seebatch_conditions *conditions,
                     const struct asked *asked, int n_asked, const struct options *options)
{
    print_understood(output, conditions, asked, n_asked, options);
    print_counts(output, decisions, conditions);
    print_first(output, decisions, conditions, asked);
}
