/*
 * Lists the conditions that there are: one row for each, from which the parser, help, manual pages, completions,
 * messages and bindings take its name; how its argument is read; and how a term is written again.
 */
#include <stdlib.h>

#include "condition.h"
#include "support/errors.h"
#include "support/numbers.h"
#include "support/text.h"

/* Says what number a condition compares. A value is open above: a move that passes at any threshold is in no other
 * range. */
#define NO_NUMBER                                                                                                      \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
#define UP_TO(most)                                                                                                    \
    {                                                                                                                  \
        0, most                                                                                                        \
    }
#define ANY_SCORE                                                                                                      \
    {                                                                                                                  \
        INT32_MIN, INT32_MAX                                                                                           \
    }
#define VALUES                                                                                                         \
    {                                                                                                                  \
        INT16_MIN, INT64_MAX                                                                                           \
    }

static const struct condition_kind kinds[] = {
    {"in-check", NO_ARGUMENT, 0, CHECK, seebatch_io_test_in_check, NO_NUMBER, "the side to move is in check",
     "The side to move is in check."},
    {"capture", RANGE_OR_NONE, FIELD_MOVE, ONE_MOVE, seebatch_io_test_capture, VALUES,
     "the record's move is a capture [for a value in RANGE]",
     "The record's move is a capture, which includes en passant. With a range, the value of the exchange must lie in "
     "it."},
    {"promotion", RANGE_OR_NONE, FIELD_MOVE, ONE_MOVE, seebatch_io_test_promotion, VALUES,
     "the record's move is a promotion [for a value in RANGE]",
     "The record's move is a promotion, with or without a capture. With a range, the value of the exchange must lie in "
     "it."},
    {"tactical", RANGE_OR_NONE, FIELD_MOVE, ONE_MOVE, seebatch_io_test_tactical, VALUES,
     "the record's move is a capture or a promotion [for a value in RANGE]",
     "The record's move is a capture or a promotion. With a range, the value of the exchange must lie in it."},
    {"any-capture", RANGE_OR_NONE, 0, ALL_CAPTURES, seebatch_io_test_any_capture, NO_NUMBER,
     "the side to move has a legal capture [for a value in RANGE]",
     "The side to move has a legal capture. With a range, it has one whose value lies in the range."},
    {"score", A_RANGE, FIELD_SCORE, CHEAP, seebatch_io_test_score, ANY_SCORE,
     "the record's score, from White's point of view, is in RANGE",
     "The record's score, from White's point of view, lies in the range."},
    {"abs-score", A_RANGE, FIELD_SCORE, CHEAP, seebatch_io_test_abs_score, UP_TO(INT32_MAX),
     "the score without its sign is in RANGE", "The record's score without its sign lies in the range."},
    {"stm-score", A_RANGE, FIELD_SCORE, CHEAP, seebatch_io_test_stm_score, ANY_SCORE,
     "the record's score, from the point of view of the side to move, is in RANGE",
     "The record's score, from the point of view of the side to move, lies in the range."},
    {"ply", A_RANGE, FIELD_PLY, CHEAP, seebatch_io_test_ply, UP_TO(INT32_MAX),
     "the number of half moves since the start of the game is in RANGE",
     "The number of half moves from the start of the game to the position lies in the range. It is what the record "
     "says, or else it follows from the full-move number of the position: twice that number less two, and one more if "
     "Black is to move."},
    {"contradiction", A_RANGE, FIELD_SCORE | FIELD_RESULT, CHEAP, seebatch_io_test_contradiction, UP_TO(INT32_MAX),
     "the score contradicts the result by an amount in RANGE",
     "The score contradicts the result by an amount in the range. In a decided game the amount is the score of the "
     "side that lost, if that is above 0; in a draw, it is the score without its sign."},
    {"has", A_FIELD, 0, CHEAP, seebatch_io_test_has, NO_NUMBER, "the record has a move, score, result or ply",
     "The record has this field: `move`, `score`, `result` or `ply`."},
    {"result", A_RESULT, FIELD_RESULT, CHEAP, seebatch_io_test_result, UP_TO(RESULT_WHITE_WINS),
     "the game ended with this result: 1.0 (White won), 0.5 or 0.0",
     "The game has this result: 1.0 (White won), 0.5 or 0.0, or another spelling that files may have."},
    {"clock", A_RANGE, 0, CHEAP, seebatch_io_test_clock, UP_TO(UINT16_MAX), "the halfmove clock is in RANGE",
     "The halfmove clock, which counts half moves since the last capture or pawn move, lies in the range. It is 0 "
     "where a format does not store it."},
    {"stm", A_SIDE, 0, CHEAP, seebatch_io_test_stm, NO_NUMBER, "the side to move: white or black",
     "The side to move is `white` or `black`."},
    {"pieces", A_RANGE, 0, CHEAP, seebatch_io_test_pieces, UP_TO(64),
     "the number of pieces on the board, kings and pawns included, is in RANGE",
     "The number of pieces on the board, including kings and pawns, lies in the range."},
    {"count", COUNT_IN_RANGE, 0, CHEAP, seebatch_io_test_count, UP_TO(64),
     "the number of these pieces is in RANGE: Q for White's queens, q for Black's, Qq for both",
     "The number of pieces of these kinds lies in the range. The letters are those of a FEN: `count(Q)` counts White's "
     "queens, `count(q)` Black's, `count(Qq)` those of both sides, and `count(NBnb)` all minor pieces."},
    {"material", A_MATERIAL, 0, CHEAP, seebatch_io_test_material, NO_NUMBER,
     "the pieces on the board are exactly these: KRPkr by side, or KRPvKR for either side",
     "The pieces on the board are exactly these. In the letters of a FEN, `KRPkr` is a rook and a pawn of White "
     "against a rook of Black. As in the names of endgame tables, `KRPvKR` is this or the same with the sides "
     "swapped."},
    {"phase", A_RANGE, 0, CHEAP, seebatch_io_test_phase, UP_TO(INT32_MAX),
     "the phase of the game is in RANGE: 24 at its start, 0 with kings and pawns alone",
     "The phase of the game lies in the range. Each knight or bishop of either side counts 1, each rook 2 and each "
     "queen 4, so the phase is 24 at the start of a game and 0 with kings and pawns alone."},
    {"imbalance", A_RANGE, 0, CHEAP, seebatch_io_test_imbalance, UP_TO(INT32_MAX),
     "the difference between the material of the two sides, by --values, is in RANGE",
     "The difference between the material of the two sides, counted by the piece values and without its sign, lies in "
     "the range."},
    {"move", A_MOVE, FIELD_MOVE, CHEAP, seebatch_io_test_move, NO_NUMBER,
     "the record's move is of this kind: capture, promotion, castling or en-passant; or a pawn, knight, bishop, rook, "
     "queen or king moves",
     "The record's move is of this kind: `capture`, `promotion`, `castling` or `en-passant`; or the piece that moves "
     "is of this type: `pawn`, `knight`, `bishop`, `rook`, `queen` or `king`. Castling is a move of the king."},
    {"castling-rights", RIGHTS_OR_NONE, 0, CHEAP, seebatch_io_test_castling_rights, NO_NUMBER,
     "a side has a castling right [the rights are exactly these: KQkq, Kk, - and so on]",
     "Either side has a castling right. With letters as in a FEN, the castling rights are exactly these: `KQkq`, `Kk`, "
     "or `-` for none. In Chess960, K and Q are the kingside and the queenside, too."},
    {"castling", NO_ARGUMENT, FIELD_MOVE, CHEAP, seebatch_io_test_castling, NO_NUMBER, "the record's move is castling",
     "The record's move castles."},
    {"en-passant", NO_ARGUMENT, FIELD_MOVE, CHEAP, seebatch_io_test_en_passant, NO_NUMBER,
     "the record's move is a capture en passant", "The record's move captures en passant."},
    {"file", A_PATTERN, 0, CHEAP, seebatch_io_test_file, NO_NUMBER,
     "the name of the input file matches PATTERN, in which * is any text and ? any character",
     "The name of the input file matches the pattern, in which `*` stands for any text and `?` for any one character. "
     "A "
     "pattern with a slash is compared with the whole path, as it was given, and any other with what follows the last "
     "slash. A pattern with blanks or signs stands in quotation marks: `file=\"my games.pgn\"`. Standard input has no "
     "name, so nothing matches there; `file=*` asks whether there is one."},
    {"chance", A_PROBABILITY, 0, CHEAP, seebatch_io_test_chance, NO_NUMBER, "holds at random, with probability P",
     "The condition holds at random, with probability *P* from 0 to 1. The random choice depends on --seed and on the "
     "place of the record in the input, but not on threads. Each condition makes a choice of its own."},
    {"chance-by-pieces", POINTS, 0, CHEAP, seebatch_io_test_chance_by_pieces, NO_NUMBER,
     "the same, with a probability that depends on the number of pieces, linear between points such as 8:0.2,24:1",
     "The condition holds at random, with a probability that depends on the number of pieces. It is given by up to 33 "
     "points, each of which is a number of pieces and a probability. Between points the probability is linear; before "
     "the first and after the last point it is constant."},
    {"chance-by-ply", POINTS, FIELD_PLY, CHEAP, seebatch_io_test_chance_by_ply, NO_NUMBER,
     "the same, with a probability that depends on the ply",
     "The condition holds at random, with a probability that depends on the ply. For example, 8:0,28:1 selects no "
     "position up to ply 8, half of those at ply 18, and all from ply 28 on."},
    {"chance-of-result", A_MODEL, FIELD_SCORE | FIELD_RESULT, CHECK, seebatch_io_test_chance_of_result, NO_NUMBER,
     "the same, with the probability of the game's result given the score, by the model of nnue-pytorch or viriformat",
     "The condition holds at random, with the probability that a game with this score has the result that it had. The "
     "model is that of nnue-pytorch's loader (`nnue-pytorch`), which expects Stockfish's internal scores and needs the "
     "ply, or the default one of viriformat's filter (`viriformat`), which uses the material."},
    {"quiet", NO_ARGUMENT, 0, ALL_CAPTURES, seebatch_io_test_quiet, NO_NUMBER,
     "the side to move is not in check and has no capture or promotion with a value of 0 or more",
     "The side to move is not in check, and has no legal capture or promotion with a value of 0 or more."},
    {"move-value", A_RANGE, FIELD_MOVE, ONE_MOVE, seebatch_io_test_move_value, VALUES,
     "the exchange value of the record's move, whether it captures or not, is in RANGE",
     "The exchange value of the record's move lies in the range. Unlike `capture`, this is also about moves that "
     "capture nothing: their value is below 0 if the piece can be won on its new square."},
    {"best-capture", A_RANGE, 0, ALL_CAPTURES, seebatch_io_test_best_capture, VALUES,
     "the highest exchange value of a legal capture is in RANGE",
     "The highest exchange value of a legal capture of the side to move lies in the range. It has none if there is no "
     "legal capture. Compare `any-capture`, which holds if any capture has a value in the range."},
    {"threat", A_RANGE, 0, ALL_CAPTURES, seebatch_io_test_threat, VALUES,
     "the same for the other side, if it had the turn, is in RANGE",
     "The highest exchange value of a capture of the other side, if it had the turn, lies in the range. It has none if "
     "there is no such capture, and if the side to move is in check, because it cannot pass then."},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Says in the public list what follows a name. */
static const char *const forms[] = {
    [NO_ARGUMENT] = "",
    [RANGE_OR_NONE] = "[=RANGE]",
    [A_RANGE] = "=RANGE",
    [A_RESULT] = "=RESULT",
    [A_FIELD] = "=FIELD",
    [A_PROBABILITY] = "=P",
    [POINTS] = "=POINTS",
    [A_MODEL] = "=MODEL",
    [A_SIDE] = "=SIDE",
    [A_MOVE] = "=MOVE",
    [A_MATERIAL] = "=MATERIAL",
    [RIGHTS_OR_NONE] = "[=RIGHTS]",
    [COUNT_IN_RANGE] = "(PIECES)=RANGE",
    [A_PATTERN] = "=PATTERN",
};

bool seebatch_condition_at(size_t index, seebatch_condition *condition)
{
    if (index >= N_KINDS)
        return false;
    const struct condition_kind *kind = &kinds[index];
    *condition = (seebatch_condition){kind->name, forms[kind->form], kind->what, kind->details};
    return true;
}

const struct condition_kind *seebatch_io_kind_at(size_t index) { return index < N_KINDS ? &kinds[index] : NULL; }

const struct condition_kind *seebatch_io_kind_named(const char *name, size_t length)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t k = 0;
        while (k < length && kinds[i].name[k] == lower_letter(name[k]))
            k++;
        if (k == length && kinds[i].name[k] == '\0')
            return &kinds[i];
    }
    return NULL;
}

unsigned seebatch_io_fields_of(const struct condition *term)
{
    if (term->kind->form == A_FIELD)
        return 1u << term->range.low;
    const bool by_ply = term->kind->form == A_MODEL && term->range.low == 0;
    return term->kind->field | (by_ply ? FIELD_PLY : 0u);
}

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

/* Bounds values and scores alike: what no int32 reaches is never meant. */
static bool read_bound(const char *text, size_t length, int64_t *bound)
{
    return seebatch_io_read_whole_number(text, length, INT32_MIN, INT32_MAX, bound);
}

/* Reads A..B, A.., ..B, or A alone. */
static bool read_range(const char *text, size_t length, struct range *range)
{
    size_t first = 0;
    while (first + 1 < length && memcmp(text + first, "..", 2) != 0)
        first++;
    *range = (struct range){INT64_MIN, INT64_MAX};
    if (first + 1 >= length)
        return read_bound(text, length, &range->low) && (range->high = range->low, true);
    const char *second = text + first + 2;
    const size_t rest = length - first - 2;
    return (first > 0 || rest > 0) && (first == 0 || read_bound(text, first, &range->low)) &&
           (rest == 0 || read_bound(second, rest, &range->high)) && range->low <= range->high;
}

/* Reads a number from 0 to 1, with digits and a point alone. */
static bool read_probability(const char *text, size_t length, double *probability)
{
    return strspn(text, "0123456789.") >= length && seebatch_io_read_real(text, length, probability) &&
           *probability >= 0 && *probability <= 1;
}

/* Returns how many bytes of a text stand before a character, or before its end. */
static size_t length_before(const char *text, size_t length, char character)
{
    const char *found = memchr(text, character, length);
    return found != NULL ? (size_t)(found - text) : length;
}

/* Reads X:P,X:P,... with X rising. */
static bool read_points(const char *text, size_t length, struct condition *condition)
{
    for (;;) {
        const size_t point = length_before(text, length, ','), x = length_before(text, point, ':');
        int64_t at;
        const int n = condition->n_points;
        if (n == MOST_POINTS || x >= point || !read_bound(text, x, &at) || at < 0 ||
            (n > 0 && (double)at <= condition->at[n - 1]) ||
            !read_probability(text + x + 1, point - x - 1, &condition->probability[n]))
            return false;
        condition->at[condition->n_points++] = (double)at;
        if (point == length)
            return true;
        text += point + 1;
        length -= point + 1;
    }
}

static const char *field_at(int64_t number)
{
    static const char *const names[] = {"move", "score", "result", "ply"};
    return number < N_FIELDS ? names[number] : NULL;
}

static const char *side_at(int64_t number)
{
    static const char *const names[] = {[SEEBATCH_WHITE] = "white", [SEEBATCH_BLACK] = "black"};
    return number < 2 ? names[number] : NULL;
}

static const char *move_at(int64_t number)
{
    static const char *const names[N_MOVE_WORDS] = {"pawn", "knight",  "bishop",    "rook",     "queen",
                                                    "king", "capture", "promotion", "castling", "en-passant"};
    return number < N_MOVE_WORDS ? names[number] : NULL;
}

/* Reads a word of a list, as a range of its number alone. */
static bool read_word(const char *text, size_t length, const char *(*word_at)(int64_t number), struct range *range)
{
    for (int64_t i = 0; word_at(i) != NULL; i++) {
        *range = (struct range){i, i};
        if (strlen(word_at(i)) == length && memcmp(word_at(i), text, length) == 0)
            return true;
    }
    return false;
}

/* Returns the place of a letter among those of White's and Black's pieces, or 12 if it is none of them. */
static unsigned place_of_piece(char letter)
{
    static const char letters[] = "PNBRQKpnbrqk";
    const char *found = memchr(letters, letter, 12);
    return found != NULL ? (unsigned)(found - letters) : 12;
}

bool seebatch_io_read_pieces(const char *text, size_t length, uint16_t *pieces)
{
    *pieces = 0;
    for (size_t i = 0; i < length && place_of_piece(text[i]) < 12; i++)
        *pieces |= (uint16_t)(1u << place_of_piece(text[i]));
    for (size_t i = 0; i < length; i++)
        if (place_of_piece(text[i]) == 12)
            return false;
    return *pieces != 0;
}

/* Reads KRPkr, or KRPvKR for either side, with a king on each side. */
static bool read_material(const char *text, size_t length, struct condition *condition)
{
    struct material *material = &condition->material;
    const size_t versus = length_before(text, length, 'v');
    *material = (struct material){{{0}}};
    condition->either_side = versus < length;
    for (size_t i = 0; i < length; i++) {
        const unsigned place = place_of_piece(text[i]);
        if (i == versus)
            continue;
        if (place == 12 || (condition->either_side && place >= 6) || length > 64)
            return false;
        material->of[condition->either_side ? i > versus : place >= 6][place % 6]++;
    }
    return material->of[0][SEEBATCH_KING] == 1 && material->of[1][SEEBATCH_KING] == 1;
}

static bool read_rights(const char *text, size_t length, struct condition *condition)
{
    static const char letters[] = "KQkq";
    condition->any_rights = false;
    condition->rights = 0;
    if (length == 1 && *text == '-')
        return true;
    for (size_t i = 0; i < length; i++) {
        const char *found = memchr(letters, text[i], 4);
        if (found == NULL || condition->rights >> (found - letters) & 1)
            return false;
        condition->rights |= (uint8_t)(1u << (found - letters));
    }
    return length > 0;
}

static bool read_result(const char *text, size_t length, int64_t *number)
{
    uint8_t result = 0;
    const bool well = seebatch_io_result_of_text(text, length, &result);
    *number = result;
    return well;
}

bool seebatch_io_read_argument(const char *text, size_t length, struct condition *condition, const char **expected)
{
    condition->argument = text;
    condition->argument_length = (int)length;
    switch (condition->kind->form) {
    case A_RESULT:
        *expected = "1.0, 0.5 or 0.0";
        const bool well = read_result(text, length, &condition->range.low);
        condition->range.high = condition->range.low;
        return well;
    case A_FIELD: *expected = "move, score, result or ply"; return read_word(text, length, field_at, &condition->range);
    case A_SIDE: *expected = "white or black"; return read_word(text, length, side_at, &condition->range);
    case A_MOVE:
        *expected = "capture, promotion, castling, en-passant, or the piece that moves: pawn, knight, bishop, rook, "
                    "queen or king";
        return read_word(text, length, move_at, &condition->range);
    case A_MODEL:
        *expected = "nnue-pytorch or viriformat";
        return read_word(text, length, seebatch_io_result_model, &condition->range);
    case A_PROBABILITY:
        condition->n_points = 1;
        *expected = "a probability from 0 to 1";
        return read_probability(text, length, condition->probability);
    case POINTS:
        *expected = "up to 33 points N:P with rising integers N and probabilities P from 0 to 1, such as 8:0.2,24:1";
        return read_points(text, length, condition);
    case A_MATERIAL:
        *expected = "letters of pieces with a king on each side, such as KRPkr by side, or KRPvKR for either side";
        return read_material(text, length, condition);
    case A_PATTERN: *expected = "the name of a file, in which * and ? may stand for others"; return length > 0;
    case RIGHTS_OR_NONE: *expected = "letters of KQkq, each once, or -"; return read_rights(text, length, condition);
    default:
        *expected = "A..B with integers A <= B, A.., ..B, or A alone";
        return read_range(text, length, &condition->range);
    }
}

bool seebatch_io_read_compared(const char *text, size_t length, enum argument_form form, int64_t *number,
                               const char **expected)
{
    *expected = form == A_RESULT ? "1.0, 0.5 or 0.0" : "an integer from -2147483648 to 2147483647";
    return form == A_RESULT ? read_result(text, length, number) : read_bound(text, length, number);
}

/* ---- Written again ----------------------------------------------------------------------------------------------- */

static int write_range(const char *name, const struct range *range, char *text, size_t size)
{
    const long long low = range->low, high = range->high;
    if (low == INT32_MAX + 1LL && range->high == INT64_MAX) /* beyond what can be read */
        return snprintf(text, size, "%s>%d", name, INT32_MAX);
    if (high == INT32_MIN - 1LL && range->low == INT64_MIN)
        return snprintf(text, size, "%s<%d", name, INT32_MIN);
    if (low == high)
        return snprintf(text, size, "%s=%lld", name, low);
    if (range->low == INT64_MIN && range->high == INT64_MAX)
        return snprintf(text, size, "%s", name);
    if (range->low == INT64_MIN)
        return snprintf(text, size, "%s=..%lld", name, high);
    return range->high == INT64_MAX ? snprintf(text, size, "%s=%lld..", name, low)
                                    : snprintf(text, size, "%s=%lld..%lld", name, low, high);
}

/* Writes a single number, or a comparison. */
static int write_result(const struct range *range, char *text, size_t size)
{
    static const char *const results[] = {"0.0", "0.5", "1.0"};
    if (range->low == range->high)
        return snprintf(text, size, "result=%s", results[range->low]);
    if (range->low == INT64_MIN)
        return snprintf(text, size, "result%s%s",
                        range->high < 0 ? "<" : "<=", results[range->high < 0 ? 0 : range->high]);
    return snprintf(text, size, "result%s%s", range->low > 2 ? ">" : ">=", results[range->low > 2 ? 2 : range->low]);
}

/* Writes a text as it was written, in quotation marks where it would end before. */
static int write_pattern(const struct condition *term, char *text, size_t size)
{
    const char *sign = term->other_file ? "!=" : "=", *mark = "";
    for (int i = 0; i < term->argument_length; i++)
        if (ends_word(term->argument[i]))
            mark = memchr(term->argument, '"', (size_t)term->argument_length) != NULL ? "'" : "\"";
    return snprintf(text, size, "%s%s%s%.*s%s", term->kind->name, sign, mark, term->argument_length, term->argument,
                    mark);
}

int seebatch_io_write_term(const struct condition *term, char *text, size_t size)
{
    const char *name = term->kind->name;
    char counted[32], letters[12 + 1] = "";
    switch (term->kind->form) {
    case NO_ARGUMENT: return snprintf(text, size, "%s", name);
    case A_RANGE:
    case RANGE_OR_NONE: return write_range(name, &term->range, text, size);
    case A_PATTERN: return write_pattern(term, text, size);
    case A_RESULT: return write_result(&term->range, text, size);
    case COUNT_IN_RANGE:
        for (int i = 0, n = 0; i < 12; i++)
            if (term->pieces >> i & 1)
                letters[n++] = "PNBRQKpnbrqk"[i];
        snprintf(counted, sizeof counted, "count(%s)", letters);
        return write_range(counted, &term->range, text, size);
    case RIGHTS_OR_NONE:
        if (term->any_rights)
            return snprintf(text, size, "%s", name);
        break;
    default: break;
    }
    return snprintf(text, size, "%s=%.*s", name, term->argument_length, term->argument);
}
