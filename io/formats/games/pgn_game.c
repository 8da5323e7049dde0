/*
 * Reads one game in PGN: tag pairs, of which FEN, SetUp, Result and Variant matter here, then the movetext up to the
 * result.
 *
 * Of the movetext the main line counts, with the scores in its comments (pgn_score.c): other comments ({...}, and from
 * ; to the end of the line), variations in parentheses, however deep, numeric glyphs ($5), !, ? and the like, move
 * numbers, and lines that begin with % are skipped. What cannot be read, a move that is not legal, a null move, a
 * comment or variation without an end, and a game without a result at its end make the whole game a broken one: its
 * moves, or its result, may not be what was played.
 */
#include <stddef.h>

#include "support/quote.h"
#include "pgn.h"
#include "formats/fast_moves.h"
#include "pgn_plies.h"

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool at_line_start(const struct pgn_text *text) { return text->at == text->block || text->at[-1] == '\n'; }

/* Skips to the next line feed, or to the end. */
static void skip_line(struct pgn_text *text)
{
    const char *lf = text->at < text->end ? memchr(text->at, '\n', (size_t)(text->end - text->at)) : NULL;
    text->at = lf != NULL ? lf : text->end;
}

/* Skips blanks, and lines that begin with %. */
static void skip_blanks(struct pgn_text *text)
{
    for (; text->at < text->end; text->at++) {
        if (*text->at == '%' && at_line_start(text)) {
            skip_line(text);
            if (text->at == text->end)
                return;
        }
        if (!is_blank(*text->at))
            return;
        text->newlines += *text->at == '\n';
    }
}

/* Reads a comment in braces, from { on. */
static bool skip_comment(struct pgn_text *text, seebatch_error *error)
{
    const char *end = memchr(text->at, '}', (size_t)(text->end - text->at));
    if (end == NULL)
        return seebatch_io_fail_with(error,
                                     "the comment that begins here has no end, expected '}' before the next game");
    for (const char *at = text->at; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        text->newlines++;
    text->at = end + 1;
    return true;
}

/* Blanks and comments before and between games, and the mark of UTF-8 that some editors put first. */
static bool skip_between(struct pgn_text *text, seebatch_error *error)
{
    for (;;) {
        skip_blanks(text);
        if (text->end - text->at >= 3 && memcmp(text->at, "\xef\xbb\xbf", 3) == 0) {
            text->at += 3;
            continue;
        }
        if (text->at == text->end)
            return true;
        if (*text->at == ';')
            skip_line(text);
        else if (*text->at != '{')
            return true;
        else if (!skip_comment(text, error))
            return false;
    }
}

/* ---- Tag pairs --------------------------------------------------------------------------------------------------- */

static bool is_name(char c) { return is_letter_or_digit(c) || c == '_'; }

static bool is_text(const char *text, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(text, expected, length) == 0;
}

bool seebatch_io_pgn_begins_game(const char *first, const char *at, const char *end)
{
    enum { MOST_BLANKS = 6, MOST_NAME = 255 }; /* one blank less than MOST_LOOK_BACK lets see */
    static const char event[] = "[Event";
    const char *name = at + 1, *before = at - 1;
    bool empty_line = false;
    if (at == end || *at != '[' || (at > first && *before != '\n') || (at - first >= 2 && at[-2] == ']'))
        return false;
    while (name < end && name - at <= MOST_NAME && is_name(*name))
        name++;
    const char *const word = name;
    if (name == at + 1 || name == end || (*name != ' ' && *name != '\t'))
        return false;
    while (name < end && (*name == ' ' || *name == '\t'))
        name++;
    if (name == end || *name != '"')
        return false;
    for (int i = 0; i < MOST_BLANKS && before > first; i++, before--) {
        if (before[-1] == '\n' && !empty_line)
            empty_line = true;
        else if (before[-1] != ' ' && before[-1] != '\t' && before[-1] != '\r')
            break;
    }
    return before <= first || before[-1] != ']' || (empty_line && is_text(at, (size_t)(word - at), event));
}

/* The tags that matter. */
struct tags {
    const char *fen, *setup, *result, *variant; /* NULL: there is none */
    size_t fen_length, setup_length, result_length, variant_length;
};

/* False if the tag was there before, with another value: nobody can tell which one is meant. */
static bool keep_tag(struct tags *tags, const char *name, size_t name_length, const char *value, size_t length)
{
    static const char *const names[] = {"FEN", "SetUp", "Result", "Variant"};
    const char **const values[] = {&tags->fen, &tags->setup, &tags->result, &tags->variant};
    size_t *const lengths[] = {&tags->fen_length, &tags->setup_length, &tags->result_length, &tags->variant_length};
    if (*name != 'F' && *name != 'S' && *name != 'R' && *name != 'V')
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_text(name, name_length, names[i])) {
            if (*values[i] != NULL && (*lengths[i] != length || memcmp(*values[i], value, length) != 0))
                return false;
            *values[i] = value;
            *lengths[i] = length;
        }
    }
    return true;
}

/* [Name "value"], on one line. The value ends with the first quote after which only blanks and ] follow: so quotes
 * within it are read with and without the backslash that they should have. */
static bool read_tag(struct pgn_text *text, struct tags *tags, seebatch_error *error)
{
    struct pgn_text line = *text;
    skip_line(&line);
    const char *end = line.at, *name = text->at + 1, *at = name;
    while (at < end && (*at == ' ' || *at == '\t'))
        name = ++at;
    while (at < end && is_name(*at))
        at++;
    const size_t name_length = (size_t)(at - name);
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *value = at + 1;
    if (name_length > 0 && at < end && *at == '"') {
        for (at = value; at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++) {
            const char *behind = at + 1;
            while (behind < end && (*behind == ' ' || *behind == '\t'))
                behind++;
            if (behind < end && *behind == ']') {
                if (!keep_tag(tags, name, name_length, value, (size_t)(at - value)))
                    return seebatch_io_fail_with(error, "the tag %.*s comes twice with different values, expected one",
                                                 (int)name_length, name);
                text->at = behind + 1;
                return true;
            }
        }
    }
    return seebatch_io_fail_with(error, "'%s' is not a tag pair, expected one such as [Event \"name\"] in one line",
                                 quote(text->at, (size_t)(end - text->at)).text);
}

/* Whether the rules of a variant are those of chess, or of Chess960. */
static bool is_chess(const char *name, size_t length)
{
    static const char *const names[] = {
        "chess",        "standard",      "normal",         "from position",        "chess960",  "chess 960",
        "fischerandom", "fischerrandom", "fischer random", "fischer random chess", "freestyle", ""};
    char lower[32] = "";
    if (length >= sizeof lower)
        return false;
    for (size_t i = 0; i < length; i++)
        lower[i] = lower_letter(name[i]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_text(lower, length, names[i]))
            return true;
    return false;
}

/* Sets up the position that the tags give. */
static bool take_start(const struct tags *tags, const struct pgn_cell *cell, seebatch_position *position,
                       seebatch_error *error)
{
    static const char usual[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    seebatch_error why;
    if (tags->variant != NULL && !is_chess(tags->variant, tags->variant_length))
        return seebatch_io_fail_with(error, "it is a game of '%s', expected chess or Chess960",
                                     quote(tags->variant, tags->variant_length).text);
    if (tags->fen == NULL && cell != NULL && cell->start != NULL) {
        *position = *cell->start;
        return true;
    }
    if (tags->fen == NULL && tags->setup != NULL && is_text(tags->setup, tags->setup_length, "1"))
        return seebatch_io_fail_with(
            error, "the tag SetUp says that the game begins with a position of its own, expected a tag FEN");
    if (tags->fen == NULL)
        return seebatch_position_from_fen(usual, sizeof usual - 1, position, NULL) == SEEBATCH_OK;
    if (seebatch_position_from_fen(tags->fen, tags->fen_length, position, &why) == SEEBATCH_OK)
        return true;
    return seebatch_io_fail_with(error, "the tag FEN: %.200s", why.text);
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

enum { NO_RESULT = 3, NOT_A_RESULT };

/* Returns RESULT_..., NO_RESULT for *, or NOT_A_RESULT. */
static uint8_t result_of(const char *text, size_t length)
{
    return is_text(text, length, "1-0")       ? RESULT_WHITE_WINS
           : is_text(text, length, "0-1")     ? RESULT_BLACK_WINS
           : is_text(text, length, "1/2-1/2") ? RESULT_DRAW
           : is_text(text, length, "*")       ? NO_RESULT
                                              : NOT_A_RESULT;
}

/* A word is what stands between blanks and these, and before e.p. */
static bool ends_word(char c)
{
    static const bool ends[256] = {
        [0] = 1,   ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1, ['{'] = 1,
        ['}'] = 1, ['('] = 1,  [')'] = 1,  [';'] = 1,  ['$'] = 1,  ['.'] = 1,  ['!'] = 1, ['?'] = 1,
        ['['] = 1, [']'] = 1,  ['<'] = 1,  ['>'] = 1,  ['*'] = 1,  ['"'] = 1};
    return ends[(unsigned char)c];
}

static bool is_en_passant(const char *at, const char *end)
{
    return *at == 'e' && end - at >= 3 && at[1] == '.' && at[2] == 'p';
}

static size_t word_length(const struct pgn_text *text)
{
    const char *at = text->at;
    while (at < text->end && !ends_word(*at) && !is_en_passant(at, text->end))
        at++;
    return (size_t)(at - text->at);
}

static bool is_made_of(const char *text, size_t length, const char *characters)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(characters, text[i]) == NULL)
            return false;
    return true;
}

/* Plays a move that the fast path leaves. If `uci` is set, it may be in UCI notation. */
static bool play_slowly(const struct pgn_text *text, size_t length, bool uci, struct pgn_ply *ply,
                        seebatch_position *position, seebatch_error *error)
{
    static const char *const null_moves[] = {"--", "Z0", "Z1", "null", "@@@@", "0000"};
    for (size_t i = 0; i < sizeof null_moves / sizeof null_moves[0]; i++)
        if (is_text(text->at, length, null_moves[i]))
            return seebatch_io_fail_with(error, "'%s' is a null move, expected a legal move", null_moves[i]);
    if (length > UINT16_MAX)
        return seebatch_io_fail_with(error, "'%s' is too long for a move in SAN, expected one such as e4 or Nf3",
                                     quote(text->at, length).text);
    if (!(uci && seebatch_io_find_move_fast(position, text->at, length, &ply->move)) &&
        (uci ? seebatch_move_from_text : seebatch_move_from_san)(position, text->at, length, &ply->move, error) !=
            SEEBATCH_OK)
        return false;
    seebatch_play(position, ply->move);
    return true;
}

/* Whether a word says nothing of the moves: their numbers, signs such as +-, and ep after a pawn's capture, perhaps with
 * the sign for a check or mate. */
static bool is_skipped(const char *word, size_t length)
{
    size_t digits = 0;
    while (digits < length && is_digit(word[digits]))
        digits++;
    const bool passant = length >= 2 && word[0] == 'e' && word[1] == 'p';
    return digits == length || is_made_of(word, length, "+-=/~#") ||
           (passant && is_made_of(word + 2, length - 2, "+#"));
}

/* Takes a word of the main line, which is a move, a result, or nothing that matters. *result stays NOT_A_RESULT if it
 * is none. *score is the score of the position if a comment after the move before it gave one; then none is left for
 * the next position. */
static bool read_word(struct pgn_text *text, bool uci, struct pgn_game *game, seebatch_position *position,
                      struct pgn_score *score, struct bytes *plies, uint8_t *result, seebatch_error *error)
{
    const size_t length = word_length(text);
    if (game->n < PGN_KEPT)
        game->kept[game->n] = *position;
    if (!bytes_reserve(plies, sizeof(struct pgn_ply)))
        return seebatch_io_fail_with(error, "there is no memory for its moves");
    struct pgn_ply *ply = (void *)(plies->data + plies->used); /* filled in place, and used if it is a move */
    if (is_digit(*text->at) || !seebatch_io_play_san_fast(position, text->at, length, &ply->move)) {
        *result = result_of(text->at, length);
        if (*result != NOT_A_RESULT || (!is_text(text->at, length, "--") && is_skipped(text->at, length))) {
            text->at += length;
            return true;
        }
        if (!play_slowly(text, length, uci, ply, position, error))
            return false;
    }
    ply->length = (uint16_t)length;
    ply->at = (uint32_t)(text->at - text->block);
    ply->newlines = (uint32_t)text->newlines;
    ply->score = *score;
    plies->used += sizeof *ply;
    text->at += length;
    game->n++;
    score->kind = PGN_NO_SCORE;
    return true;
}

/* The score of a comment of the main line, from { to the } before text->at: of the last move's position, or *next. Before
 * the first move, it can only be of the position that the game begins with. */
static void take_score(const struct pgn_text *text, const char *comment, struct pgn_game *game,
                       const seebatch_position *position, struct bytes *plies, struct pgn_score *next)
{
    struct pgn_score score;
    const size_t length = (size_t)(text->at - comment) - 2;
    struct pgn_ply *const behind = (void *)(plies->data + plies->used);
    switch (seebatch_io_pgn_score_of_comment(text->block, comment + 1, length, &score)) {
    case PGN_BEFORE_MOVE:
        score.value = position->stm == SEEBATCH_WHITE ? -score.value : score.value; /* Black has moved */
        if (game->n > 0)
            behind[-1].score = score;
        else
            game->like_scores++;
        break;
    case PGN_AFTER_MOVE: *next = next->kind == PGN_NO_SCORE ? score : *next; break; /* the first one counts */
    case PGN_LIKE_A_SCORE:
        if (game->n > 0)
            behind[-1].score.like_one = true;
        else
            game->like_scores++;
        break;
    default: break;
    }
}

/* A sign that is no word; false if there is none such. */
static bool read_sign(struct pgn_text *text, struct pgn_text *opened, int *depth, seebatch_error *error)
{
    switch (*text->at) {
    case '{': return skip_comment(text, error);
    case ';': skip_line(text); return true;
    case '(':
        if ((*depth)++ == 0)
            *opened = *text;
        break;
    case ')':
        if ((*depth)-- == 0)
            return seebatch_io_fail_with(error,
                                         "a variation ends here that did not begin, expected a move or a result");
        break;
    case '$':
        while (text->at + 1 < text->end && is_digit(text->at[1]))
            text->at++;
        break;
    case '.':
    case '!':
    case '?': break;
    default: return seebatch_io_fail_with(error, "found '%s', expected a move or a result", quote(text->at, 1).text);
    }
    text->at++;
    return true;
}

/* Where the last move, or its comment, begins that seebatch_io_pgn_read_plies() took. */
static struct pgn_text last_taken(const struct pgn_text *text, const struct bytes *plies)
{
    const struct pgn_ply *ply = (const struct pgn_ply *)(const void *)(plies->data + plies->used) - 1;
    struct pgn_text last = *text;
    last.at = text->block + ply->at;
    if (text->at[-1] == '}')
        last.at = memchr(last.at, '{', (size_t)(text->at - last.at));
    last.newlines = ply->newlines;
    for (const char *at = text->block + ply->at; at < last.at; at++)
        last.newlines += *at == '\n';
    return last;
}

/* Reads the movetext, up to the end of the result, or of a cell. The game began at `first`. */
static bool read_movetext(struct pgn_text *text, const struct pgn_text *first, bool cell, struct pgn_game *game,
                          struct bytes *plies, uint8_t *result, seebatch_error *error)
{
    seebatch_position position = game->start;
    struct pgn_text last = *first, opened = *text;
    struct pgn_score score = {.kind = PGN_NO_SCORE};
    int depth = 0;
    for (;;) {
        const size_t n = game->n;
        if (depth == 0)
            seebatch_io_pgn_read_plies(text, game, &position, plies, &score);
        if (game->n > n)
            last = last_taken(text, plies);
        skip_blanks(text);
        if (text->at == text->end)
            break;
        last = *text;
        *result = NOT_A_RESULT;
        if (is_en_passant(text->at, text->end)) {
            text->at += 3;
        } else if (*text->at == '*') {
            text->at++;
            *result = NO_RESULT;
        } else if (ends_word(*text->at)) {
            if (!read_sign(text, &opened, &depth, error))
                return false;
            if (*last.at == '{' && depth == 0)
                take_score(text, last.at, game, &position, plies, &score);
        } else if (depth > 0) {
            text->at += word_length(text);
        } else if (!read_word(text, cell, game, &position, &score, plies, result, error)) {
            return false;
        }
        if (*result != NOT_A_RESULT && depth == 0)
            return true;
    }
    if (cell && depth == 0)
        return true;
    *text = depth > 0 ? opened : last;
    return depth > 0
               ? seebatch_io_fail_with(error,
                                       "the variation that begins here has no end, expected ')' before the next game")
               : seebatch_io_fail_with(error,
                                       "the game ends here without 1-0, 0-1, 1/2-1/2 or *: it may have been cut off");
}

/* ---- Games ------------------------------------------------------------------------------------------------------- */

/* What the movetext ends with and what the tag says must be the same, if both say something. */
static bool take_result(const struct tags *tags, uint8_t result, struct pgn_game *game, seebatch_error *error)
{
    const uint8_t tag = tags->result != NULL ? result_of(tags->result, tags->result_length) : NOT_A_RESULT;
    if (tag < NO_RESULT && result < NO_RESULT && tag != result)
        return seebatch_io_fail_with(error, "the moves end with another result than '%s', which the tag Result says",
                                     quote(tags->result, tags->result_length).text);
    game->result = result < NO_RESULT ? result : tag;
    game->has_result = game->result < NO_RESULT;
    return true;
}

/* A cell ends after its game. */
static bool ends_behind_game(struct pgn_text *text, seebatch_error *error)
{
    return skip_between(text, error) &&
           (text->at == text->end ||
            seebatch_io_fail_with(error, "'%s' follows the result, expected one game in each row",
                                  quote(text->at, (size_t)(text->end - text->at)).text));
}

enum pgn_outcome seebatch_io_pgn_read_game(struct pgn_text *text, const struct pgn_cell *cell, struct pgn_game *game,
                                           struct bytes *plies, seebatch_error *error)
{
    struct tags tags = {NULL, NULL, NULL, NULL, 0, 0, 0, 0};
    struct pgn_text first;
    uint8_t result = NOT_A_RESULT;
    game->n = 0;
    game->has_result = false;
    game->result = RESULT_DRAW;
    game->like_scores = 0;
    plies->used = 0;
    const bool first_of_all = cell != NULL || text->at == text->block;
    skip_blanks(text);
    struct pgn_text comments = *text; /* those before the first move */
    if (!skip_between(text, error))
        return PGN_BROKEN;
    if (text->at == text->end)
        return PGN_NOTHING;
    first = *text;
    if (!first_of_all || *comments.at != '{') /* it may be one after the game before it */
        comments = first;
    while (text->at < text->end && *text->at == '[') {
        if (!read_tag(text, &tags, error))
            return PGN_BROKEN;
        comments = *text;
        if (!skip_between(text, error))
            return PGN_BROKEN;
    }
    if (!take_start(&tags, cell, &game->start, error)) {
        *text = first;
        return PGN_BROKEN;
    }
    *text = comments;
    if (!read_movetext(text, &first, cell != NULL, game, plies, &result, error) ||
        (cell != NULL && !ends_behind_game(text, error)))
        return PGN_BROKEN;
    return take_result(&tags, result, game, error) ? PGN_GAME : PGN_BROKEN;
}
