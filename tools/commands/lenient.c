/*
 * Suites of engines have positions that cannot be played on, because an engine's function looks at one square alone:
 * the side not to move is in check, or the move leaves its own king in check.
 *
 * Such a position is sound when the other side is to move, so it is read with the sides exchanged. Which move a text
 * means is found by trying: of all moves that fit it, the one that the library's check of batches takes.
 */
#include "lenient.h"

#include <string.h>

enum { LONGEST_FEN = 4096 };

/* What a text says of a move; -1: nothing. */
struct pattern {
    int type, from_file, from_rank, to, promotion;
};

/* ---- Positions --------------------------------------------------------------------------------------------------- */

static bool read_exchanged(const struct suite_text *text, seebatch_position *position)
{
    char fen[LONGEST_FEN];
    const char *at = text->first, *end = text->first + text->length, *word;
    size_t length;
    if (text->length > sizeof fen || !seebatch_io_next_word(&at, end, &word, &length) ||
        !seebatch_io_next_word(&at, end, &word, &length) || length != 1 || (*word != 'w' && *word != 'b'))
        return false;
    memcpy(fen, text->first, text->length);
    fen[word - text->first] = *word == 'w' ? 'b' : 'w';
    if (seebatch_position_from_fen(fen, text->length, position, NULL) != SEEBATCH_OK)
        return false;
    position->stm = !position->stm;
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static int type_of_letter(char letter)
{
    static const char letters[] = "PNBRQK";
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    return found != NULL ? (int)(found - letters) : -1;
}

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }

/* Takes a promotion from the end of a text: e8=Q, e8Q, e7e8q. Returns the length of what is before it. */
static size_t take_promotion(const char *text, size_t n, bool uci, struct pattern *pattern)
{
    const char last = n > 2 ? text[n - 1] : '\0';
    const int type = type_of_letter(uci && last >= 'a' ? (char)(last - 'a' + 'A') : last);
    if (type < SEEBATCH_KNIGHT || type > SEEBATCH_QUEEN || (uci && is_file(last) && n != 5))
        return n;
    pattern->promotion = type;
    return n - 1 - (text[n - 2] == '=');
}

static bool read_pattern(const struct suite_text *move, struct pattern *pattern)
{
    char text[16];
    size_t n = 0, at = 0;
    for (size_t i = 0; i < move->length; i++) {
        if (strchr("x-:+#!?", move->first[i]) != NULL)
            continue;
        if (n == sizeof text)
            return false;
        text[n++] = move->first[i];
    }
    const bool uci = n >= 4 && is_file(text[0]) && is_rank(text[1]) && is_file(text[2]) && is_rank(text[3]);
    *pattern = (struct pattern){uci ? -1 : SEEBATCH_PAWN, -1, -1, -1, -1};
    n = take_promotion(text, n, uci, pattern);
    if (n > 0 && type_of_letter(text[0]) > SEEBATCH_PAWN)
        pattern->type = type_of_letter(text[at++]);
    if (n < at + 2 || !is_file(text[n - 2]) || !is_rank(text[n - 1]))
        return false;
    pattern->to = text[n - 2] - 'a' + 8 * (text[n - 1] - '1');
    if (at < n - 2 && is_file(text[at]))
        pattern->from_file = text[at++] - 'a';
    if (at < n - 2 && is_rank(text[at]))
        pattern->from_rank = text[at++] - '1';
    return at == n - 2;
}

/* The only move that fits a pattern and passes a check; false if there is none or another. */
static bool find_move(const seebatch_rules *rules, const seebatch_position *position, const struct pattern *pattern,
                      int check, seebatch_move *move)
{
    const size_t offsets[2] = {0, 1};
    int found = 0;
    for (int from = 0; from < 64; from++) {
        const seebatch_move tried =
            seebatch_make_move(from, pattern->to, pattern->promotion < 0 ? 0 : pattern->promotion);
        const seebatch_batch batch = {.positions = position, .n_positions = 1, .offsets = offsets, .moves = &tried};
        const int type = seebatch_type_on(position, from);
        if (type == SEEBATCH_NO_PIECE || seebatch_color_on(position, from) != position->stm ||
            (pattern->type >= 0 && type != pattern->type) ||
            (pattern->from_file >= 0 && from % 8 != pattern->from_file) ||
            (pattern->from_rank >= 0 && from / 8 != pattern->from_rank) ||
            seebatch_batch_check(rules, &batch, 1, check, NULL, NULL) != SEEBATCH_OK)
            continue;
        *move = tried;
        found++;
    }
    return found == 1;
}

bool lenient_read(const seebatch_rules *rules, const struct suite_line *line, seebatch_position *position,
                  seebatch_move *move)
{
    struct pattern pattern;
    const bool sound =
        seebatch_position_from_fen(line->position.first, line->position.length, position, NULL) == SEEBATCH_OK;
    return (sound || read_exchanged(&line->position, position)) && read_pattern(&line->move, &pattern) &&
           (find_move(rules, position, &pattern, SEEBATCH_CHECK_LEGAL, move) ||
            find_move(rules, position, &pattern, SEEBATCH_CHECK_PSEUDO_LEGAL, move));
}
