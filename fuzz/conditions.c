/*
 * Conditions: each line of the input is one, kept or, after a minus sign, dropped.
 *
 * What is refused has to leave the list alone, and to say why in at most three lines that can be printed. What is read
 * has to mean the same when it is written again, and to hold for the records for which its terms, each tested alone, make
 * it hold: the test here reads the text with all parentheses by rules of its own, and knows nothing of the order in which
 * terms are tested. All three functions that test have to agree.
 */
#include "fuzz.h"
#include "seebatch_io.h"

#include <string.h>

enum { RECORDS = 96, MOST_CLAUSES = 8, MOST_TERMS = 128, ROOM = 1 << 18 };

/* Whether something holds for each record. */
struct mask {
    bool holds[RECORDS];
};

static seebatch_position positions[RECORDS];
static seebatch_move moves[RECORDS];
static int32_t scores[RECORDS], plies[RECORDS];
static uint8_t results[RECORDS], has[RECORDS];
static uint64_t identities[RECORDS];
static seebatch_records records = {RECORDS, RECORDS, positions, moves, scores,     results,
                                   plies,   has,     NULL,      NULL,  identities, "data/games.pgn"};
static seebatch_rules rules;

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* A number below n, of a fixed row of numbers. */
static unsigned next_number(unsigned n)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

/* Games at random, with fields that some records lack. */
static void make_records(void)
{
    static const char *const starts[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                         "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                         "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                                         "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"};
    seebatch_position position;
    rules = seebatch_rules_default();
    for (int i = 0; i < RECORDS; i++) {
        seebatch_move all[SEEBATCH_MAX_MOVES];
        const char *fen = starts[i / 24];
        if (i % 24 == 0 || seebatch_legal_moves(&position, all) == 0)
            REQUIRE(seebatch_position_from_fen(fen, strlen(fen), &position, NULL) == SEEBATCH_OK, "'%s'", fen);
        positions[i] = position;
        moves[i] = all[next_number((unsigned)seebatch_legal_moves(&position, all))];
        has[i] = (uint8_t)next_number(16);
        scores[i] = (int32_t)next_number(7) < 1 ? 32002 : (int32_t)next_number(2001) - 1000;
        results[i] = (uint8_t)next_number(3);
        plies[i] = (int32_t)next_number(60);
        identities[i] = (uint64_t)i;
        seebatch_play(&position, moves[i]);
        moves[i] = has[i] & SEEBATCH_HAS_MOVE ? moves[i] : 0;
        scores[i] = has[i] & SEEBATCH_HAS_SCORE ? scores[i] : 0;
        results[i] = has[i] & SEEBATCH_HAS_RESULT ? results[i] : 0;
        plies[i] = has[i] & SEEBATCH_HAS_PLY ? plies[i] : 0;
    }
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void check_message(const seebatch_io_error *error, const char *text)
{
    const size_t length = strnlen(error->text, sizeof error->text);
    int lines = 1;
    REQUIRE(length > 0 && length < sizeof error->text, "'%s': the message has %zu bytes", text, length);
    for (size_t i = 0; i < length; i++) {
        lines += error->text[i] == '\n';
        REQUIRE((unsigned char)error->text[i] >= ' ' || error->text[i] == '\n', "'%s': byte %zu of the message is %d",
                text, i, error->text[i]);
    }
    REQUIRE(lines <= 3, "'%s': the message has %d lines", text, lines);
}

/* ---- What is meant ----------------------------------------------------------------------------------------------- */

/* What a text with all parentheses means, by the terms in their order. */
struct meaning {
    const char *at, *text;
    const struct mask *terms;
    int term;
};

/* Goes past a word if it stands here. */
static bool passes(struct meaning *meaning, const char *word)
{
    const bool here = strncmp(meaning->at, word, strlen(word)) == 0;
    meaning->at += here ? strlen(word) : 0;
    return here;
}

static struct mask mask_of(struct meaning *meaning)
{
    const bool negated = passes(meaning, "not ");
    struct mask mask;
    if (passes(meaning, "(")) {
        mask = mask_of(meaning);
        while (!passes(meaning, ")")) {
            const bool any = passes(meaning, " or ");
            REQUIRE(any || passes(meaning, " and "), "'%s' at '%s'", meaning->text, meaning->at);
            const struct mask next = mask_of(meaning);
            for (int i = 0; i < RECORDS; i++)
                mask.holds[i] = any ? mask.holds[i] || next.holds[i] : mask.holds[i] && next.holds[i];
        }
    } else {
        char quote = '\0';
        int depth = 0; /* of the parentheses of count(...) */
        for (; *meaning->at != '\0' && (quote != '\0' || depth > 0 || strchr(" )", *meaning->at) == NULL);
             meaning->at++) {
            const char c = *meaning->at;
            depth += quote == '\0' && c == '(' ? 1 : quote == '\0' && c == ')' ? -1 : 0;
            quote = quote == '\0' && (c == '"' || c == '\'') ? c : quote == c ? '\0' : quote;
        }
        mask = meaning->terms[meaning->term++];
    }
    for (int i = 0; i < RECORDS; i++)
        mask.holds[i] = mask.holds[i] != negated;
    return mask;
}

/* The conditions of texts; NULL if one is refused. */
static seebatch_conditions *conditions_of(const char *const *texts, const bool *keep, int n)
{
    seebatch_conditions *conditions = seebatch_conditions_new(&rules);
    REQUIRE(conditions != NULL, "no memory");
    for (int i = 0; i < n; i++) {
        seebatch_io_error error;
        if (seebatch_conditions_add(conditions, keep[i], texts[i], &error) == SEEBATCH_IO_OK)
            continue;
        check_message(&error, texts[i]);
        const bool kept = seebatch_conditions_add(conditions, true, "in-check", NULL) == SEEBATCH_IO_OK;
        char text[32] = "";
        seebatch_conditions_text(conditions, (size_t)i + 1, text, sizeof text);
        REQUIRE(kept && strcmp(text, "in-check") == 0, "after '%s' comes '%s'", texts[i], text);
        seebatch_conditions_free(conditions);
        return NULL;
    }
    return conditions;
}

static struct mask mask_of_conditions(const seebatch_conditions *conditions)
{
    struct mask mask;
    uint8_t failed[RECORDS];
    static seebatch_decision decisions[RECORDS];
    REQUIRE(seebatch_conditions_test(conditions, &records, mask.holds) == SEEBATCH_IO_OK, "test");
    REQUIRE(seebatch_conditions_find(conditions, &records, failed) == SEEBATCH_IO_OK, "find");
    REQUIRE(seebatch_conditions_decide(conditions, &records, decisions) == SEEBATCH_IO_OK, "decide");
    for (int i = 0; i < RECORDS; i++)
        REQUIRE(mask.holds[i] == (failed[i] == 0) && mask.holds[i] == (decisions[i].failed == 0),
                "record %d: %d, fails %d, %d", i, mask.holds[i], failed[i], decisions[i].failed);
    return mask;
}

/* The text of a condition or a term; it lasts until the next call with the same buffer. */
static const char *text_of(size_t write(const seebatch_conditions *, size_t, char *, size_t),
                           const seebatch_conditions *conditions, size_t number, char *buffer)
{
    const size_t length = write(conditions, number, buffer, ROOM);
    REQUIRE(length > 0 && length < ROOM && strlen(buffer) == length, "%zu bytes", length);
    return buffer;
}

/* Compares what holds with what the terms make of it, and with the text that is written. */
static void check_meaning(const seebatch_conditions *conditions, const bool *keep, int n)
{
    static char text[ROOM], again[ROOM];
    static struct mask terms[MOST_TERMS];
    const bool yes = true;
    struct mask expected = {{false}};
    int term = 0, n_terms = 0;
    if (seebatch_conditions_use_chance(conditions)) /* each term has numbers of its own */
        return;
    for (; seebatch_conditions_term(conditions, (size_t)n_terms, NULL, 0) > 0; n_terms++) {
        const char *one = text_of(seebatch_conditions_term, conditions, (size_t)n_terms, text);
        seebatch_conditions *alone = conditions_of(&one, &yes, 1);
        REQUIRE(alone != NULL, "the term '%s' is refused", one);
        REQUIRE(strcmp(text_of(seebatch_conditions_term, alone, 0, again), one) == 0, "'%s' becomes '%s'", one, again);
        terms[n_terms] = mask_of_conditions(alone);
        seebatch_conditions_free(alone);
    }
    memset(expected.holds, true, sizeof expected.holds);
    for (int c = 0; c < n; c++) {
        const char *whole = text_of(seebatch_conditions_text, conditions, (size_t)c + 1, text);
        struct meaning meaning = {whole, whole, terms, term};
        const struct mask mask = mask_of(&meaning);
        REQUIRE(*meaning.at == '\0', "'%s' goes on with '%s'", whole, meaning.at);
        term = meaning.term;
        for (int i = 0; i < RECORDS; i++)
            expected.holds[i] = expected.holds[i] && mask.holds[i] == keep[c];
        if (strlen(whole) > 65536 || n_terms > MOST_TERMS / 2)
            continue;
        seebatch_conditions *reread = conditions_of(&whole, &yes, 1);
        REQUIRE(reread != NULL, "what was understood is refused: '%s'", whole);
        REQUIRE(strcmp(text_of(seebatch_conditions_text, reread, 1, again), whole) == 0, "'%s' becomes '%s'", whole,
                again);
        seebatch_conditions_free(reread);
    }
    REQUIRE(term == n_terms, "%d terms of %d", term, n_terms);
    const struct mask found = mask_of_conditions(conditions);
    for (int i = 0; i < RECORDS; i++)
        REQUIRE(found.holds[i] == expected.holds[i], "record %d: %d", i, found.holds[i]);
}

/* What can never hold, or always holds, does so for all records: the part of the text that a doubt quotes. */
static void check_doubt(const seebatch_io_error *doubt)
{
    static char part[ROOM];
    const char *end = strstr(doubt->text, "' can never hold\n"), *written = part;
    const bool always = end == NULL, yes = true;
    if (always && (end = strstr(doubt->text, "' always holds\n")) == NULL)
        return; /* about all conditions together */
    snprintf(part, sizeof part, "%.*s", (int)(end - doubt->text - 1), doubt->text + 1);
    if (strlen(part) >= 80) /* it may be cut */
        return;
    seebatch_conditions *conditions = conditions_of(&written, &yes, 1);
    REQUIRE(conditions != NULL, "the part '%s' is refused", part);
    const struct mask mask = mask_of_conditions(conditions);
    for (int i = 0; i < RECORDS; i++)
        REQUIRE(mask.holds[i] == always, "'%s', record %d: %d", part, i, mask.holds[i]);
    seebatch_conditions_free(conditions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *texts[MOST_CLAUSES];
    bool keep[MOST_CLAUSES];
    int n = 0;
    if (records.positions[0].plane[0] == 0)
        make_records();
    char *copy = malloc(size + 1);
    REQUIRE(copy != NULL, "no memory");
    for (size_t i = 0; i < size; i++)
        copy[i] = (char)data[i];
    copy[size] = '\0';
    for (char *line = copy; line != NULL && n < MOST_CLAUSES; n++) {
        char *end = strchr(line, '\n');
        keep[n] = *line != '-';
        texts[n] = line + !keep[n];
        if (end != NULL)
            *end = '\0';
        line = end != NULL ? end + 1 : NULL;
    }
    seebatch_conditions *conditions = conditions_of(texts, keep, n);
    seebatch_io_error doubt;
    if (conditions != NULL) {
        if (seebatch_conditions_doubt(conditions, &doubt)) {
            check_message(&doubt, texts[0]);
            check_doubt(&doubt);
        }
        check_meaning(conditions, keep, n);
        seebatch_conditions_free(conditions);
    }
    free(copy);
    return 0;
}
