/*
 * Reads the scores in the comments of games.
 *
 * Programs that let engines play write what the engine said before its move at the beginning of the comment after it:
 * {+0.57/17 1.2s}, pawns and depth, from the point of view of the side that moved; {-M12/30 0.1s} is a mate in so many
 * plies. It is the score of the position before the move. Lichess and others write [%eval 0.25] or [%eval #-3] (moves
 * to mate) anywhere in it, from White's point of view; it is the score of the position that the move leads to. Programs
 * that wrap lines may put a line end wherever a blank may stand, so all white space is the same here.
 *
 * Other comments are no scores: {book}, {1.2s}, {No result}, {1/2-1/2 by agreement}, what people write. What has the
 * form of a score, but cannot be read as one, is wrong: nobody can tell which score was meant. What merely looks like a
 * score, such as {+M5} or {[%EVAL 0.3]}, is none, but people are told of it.
 */
#include "pgn.h"

enum { MATE = 32000, MOST_MATE = 1000 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Moves or plies to mate, with the sign of who mates; White's score. */
static bool read_mate(const char *text, size_t length, struct pgn_score *score)
{
    int64_t n;
    if (!seebatch_io_read_whole_number(text, length, -MOST_MATE, MOST_MATE, &n) || n == 0)
        return false;
    score->kind = PGN_SCORE_MATE;
    score->value = (int32_t)(n > 0 ? MATE - n : -MATE - n);
    return true;
}

/* With a point: 25 may be pawns or centipawns. The score of the other side has to be an int32_t, too. */
static bool read_pawns(const char *text, size_t length, struct pgn_score *score)
{
    static const struct columns centipawns = {.scale = 100};
    int64_t value;
    if (memchr(text, '.', length) == NULL || !seebatch_io_score_of_text(&centipawns, text, length, &value) ||
        value < -INT32_MAX)
        return false;
    score->kind = PGN_SCORE_PAWNS;
    score->value = (int32_t)value;
    return true;
}

/* Reads M12 or -M12 as a number with that sign. */
static bool read_plies_to_mate(const char *text, size_t length, struct pgn_score *score)
{
    const bool sign = *text == '-' || *text == '+';
    if (length < sign + 2u || text[sign] != 'M' || !is_digit(text[sign + 1]))
        return false;
    if (!read_mate(text + sign + 1, length - sign - 1, score))
        return false;
    score->value = *text == '-' ? -score->value : score->value;
    return true;
}

static bool ends_depth(const char *at, const char *end)
{
    return at == end || is_blank(*at) || *at == ',' || *at == ';' || *at == '/';
}

/* Whether a word goes on up to / and a digit, as in +0.5x/17. */
static bool is_followed_by_depth(const char *at, const char *end)
{
    while (at < end && !ends_depth(at, end))
        at++;
    return end - at >= 2 && *at == '/' && is_digit(at[1]);
}

/* The usual form in one go: a sign, up to four digits, a point and two more, / and a depth. False says nothing. */
static bool find_usual_score(const char *text, const char *end, struct pgn_score *score)
{
    const char *at = text + 1;
    int32_t pawns = 0;
    if (end - text < (ptrdiff_t)sizeof "+0.00/1" - 1 || (*text != '+' && *text != '-'))
        return false;
    for (; at < text + 5 && is_digit(*at); at++)
        pawns = 10 * pawns + (*at - '0');
    if (at == text + 1 || end - at < (ptrdiff_t)sizeof ".00/1" - 1 || at[0] != '.' || !is_digit(at[1]) ||
        !is_digit(at[2]) || at[3] != '/' || !is_digit(at[4]))
        return false;
    const int32_t value = 100 * pawns + 10 * (at[1] - '0') + (at[2] - '0');
    score->kind = PGN_SCORE_PAWNS;
    score->value = *text == '-' ? -value : value;
    score->length = (uint16_t)(at + 3 - text);
    for (at += 4; at < end && is_digit(*at);)
        at++;
    return ends_depth(at, end);
}

/* Reads the beginning of a comment: a score, / and a depth; or a score with sign and point alone. */
static bool find_search_score(const char *at, const char *end, struct pgn_score *score)
{
    const char *text, *depth;
    while (at < end && is_blank(*at))
        at++;
    text = at;
    bool digits = false, signs = false, points = false, mate = false;
    for (; at < end; at++) {
        if (is_digit(*at))
            digits = true;
        else if (*at == '+' || *at == '-')
            signs = true;
        else if (*at == '.')
            points = true;
        else if (*at == 'M')
            mate = true;
        else
            break;
    }
    const size_t length = (size_t)(at - text);
    const bool has_depth = at + 1 < end && *at == '/' && is_digit(at[1]);
    if (!digits || length > UINT16_MAX)
        return false;
    for (depth = at + has_depth; has_depth && depth < end && is_digit(*depth);)
        depth++;
    const bool ends = ends_depth(depth, end), breaks = signs && !has_depth && !ends && is_followed_by_depth(at, end);
    if (has_depth || breaks ? !(signs || points || mate) : !(signs && points && is_digit(text[length - 1]) && ends))
        return false;
    score->length = (uint16_t)length;
    if (!ends || !(mate ? read_plies_to_mate(text, length, score) : read_pawns(text, length, score)))
        score->kind = PGN_SCORE_WRONG;
    return true;
}

/* Reads what may stand anywhere in a comment: [%eval, white space, a score, perhaps a comma and a depth, and ]. */
static bool find_eval(const char *at, const char *end, const char **text, struct pgn_score *score)
{
    static const char mark[] = "[%eval";
    enum { MARK = sizeof mark - 1 };
    for (; at < end && (at = memchr(at, '[', (size_t)(end - at))) != NULL; at++) {
        if (end - at <= MARK || memcmp(at, mark, MARK) != 0 || !is_blank(at[MARK]))
            continue;
        const char *first = at + MARK, *close = memchr(at, ']', (size_t)(end - at));
        close = close != NULL ? close : end;
        while (first < close && is_blank(*first))
            first++;
        const char *last = first;
        while (last < close && *last != ',')
            last++;
        while (last > first && is_blank(last[-1]))
            last--;
        const size_t length = (size_t)(last - first);
        *text = first;
        score->length = (uint16_t)(length < UINT16_MAX ? length : UINT16_MAX);
        if (close == end || length == 0 ||
            !(*first == '#' ? read_mate(first + 1, length - 1, score) : read_pawns(first, length, score)))
            score->kind = PGN_SCORE_WRONG;
        return true;
    }
    return false;
}

/* Whether a comment has %eval somewhere, in capitals or not, and no letter after it: [%EVAL 0.3], [%eval0.3]. */
static bool has_other_eval(const char *at, const char *end)
{
    static const char mark[] = "%eval";
    enum { MARK = sizeof mark - 1 };
    for (; at < end && (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++)
        if (end - at > MARK && seebatch_io_same_letters(at, mark, MARK) &&
            (!is_letter_or_digit(at[MARK]) || is_digit(at[MARK])))
            return true;
    return false;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* Whether a comment looks like a score in another form than those that are read: (+0.25/17), 0.25, +M5, #-3. A number
 * without a sign that a word follows, such as 0.57 pawns, is what people write. */
static bool looks_like_score(const char *comment, const char *end)
{
    const char *at = comment;
    while (at < end && (is_blank(*at) || *at == '(' || *at == '['))
        at++;
    const bool moves = at < end && *at == '#', sign = at + moves < end && (at[moves] == '+' || at[moves] == '-');
    at += moves + sign;
    const bool mate = moves || (sign && at < end && *at == 'M');
    at += mate && !moves;
    const char *first = at;
    at = skip_digits(at, end);
    bool number = mate && at > first;
    if (!mate && at > first && end - at > 1 && *at == '.' && is_digit(at[1])) {
        at = skip_digits(at + 1, end);
        number = true;
    }
    while (number && !sign && !mate && at < end && is_blank(*at))
        if (++at < end && !is_blank(*at) && strchr(")],;/", *at) == NULL)
            return false;
    return (number && (at == end || is_blank(*at) || strchr(")],;/", *at) != NULL)) || has_other_eval(comment, end);
}

enum pgn_score_of seebatch_io_pgn_score_of_comment(const char *block, const char *comment, size_t length,
                                                   struct pgn_score *score)
{
    const char *end = comment + length, *text = comment;
    *score = (struct pgn_score){.kind = PGN_NO_SCORE};
    const bool before = find_usual_score(comment, end, score) || find_search_score(comment, end, score);
    if (!before && !find_eval(comment, end, &text, score))
        return looks_like_score(comment, end) ? PGN_LIKE_A_SCORE : PGN_OF_NOTHING;
    while (text < end && is_blank(*text))
        text++;
    score->at = (uint32_t)(text - block);
    return before ? PGN_BEFORE_MOVE : PGN_AFTER_MOVE;
}
