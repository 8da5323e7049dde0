/*
 * Reads the movetext of games as programs write them, in a fast path for processors with BMI2 and AVX2.
 *
 *     12. Nf3 {+0.57/17 1.2s} Nc6 {-0.31/16 0.9s}
 *
 * How long a word is, whether there is a move number, which piece moves, and how many digits a score has cannot be
 * guessed, so that branches on them cost more than all the rest. A ply is read from a window of 64 bytes instead: its
 * blanks, digits and so on become sets of 64 bits, in which the next word begins or ends at the lowest bit; the move's
 * text is looked at from its end, and the score's digits are shifted to where four of them would stand. The branches
 * that remain are rarely taken. They lead to functions for other moves and comments, or to the slow path (pgn_game.c),
 * which reads what is longer than a window, or wrong. The fast path only takes what the slow path would read in the same
 * way.
 */
#include "pgn_plies.h"

#include "formats/fast_fields.h"
#include "chess/san_origins.h"

#ifdef __x86_64__

/* Inlined where it is called, because of the constants there. */
#define ALWAYS WITH_BITS static inline __attribute__((always_inline))

enum { WINDOW = 64, READ_AHEAD = WINDOW + 16 }; /* a score's digits may be sought after the window */

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Which bytes of the window are what. */
struct window {
    uint64_t blanks, digits, points, line_feeds, closes; /* closes: } */
};

ALWAYS uint64_t equal(__m256i low, __m256i high, __m256i other_low, __m256i other_high)
{
    const uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, other_low));
    const uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, other_high));
    return (uint64_t)second << 32 | first;
}

/* What a window is compared with. */
struct characters {
    _Alignas(WINDOW) char blank[WINDOW]; /* by the lower four bits of a character: the blank that has them. No other one
                                            equals its entry. */
    char zero[WINDOW], nine[WINDOW], point[WINDOW], line_feed[WINDOW], close[WINDOW];
};

#define EACH_OF_8(c) c, c, c, c, c, c, c, c
#define EACH_OF_64(c)                                                                                                  \
    EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c), EACH_OF_8(c)
#define BLANKS_OF_16 ' ', EACH_OF_8(0), '\t', '\n', '\v', '\f', '\r', 0, 0

static const struct characters all_characters = {.blank = {BLANKS_OF_16, BLANKS_OF_16, BLANKS_OF_16, BLANKS_OF_16},
                                                 .zero = {EACH_OF_64('0')},
                                                 .nine = {EACH_OF_64(9)},
                                                 .point = {EACH_OF_64('.')},
                                                 .line_feed = {EACH_OF_64('\n')},
                                                 .close = {EACH_OF_64('}')}};

ALWAYS __m256i half(const char *from) { return _mm256_load_si256((const __m256i *)(const void *)from); }

ALWAYS struct window look(const struct characters *c, const char *at)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
    const __m256i low_digit = _mm256_sub_epi8(low, half(c->zero)), high_digit = _mm256_sub_epi8(high, half(c->zero));
    return (struct window){
        .blanks = equal(low, high, _mm256_shuffle_epi8(half(c->blank), low), _mm256_shuffle_epi8(half(c->blank), high)),
        .digits = equal(low_digit, high_digit, _mm256_min_epu8(low_digit, half(c->nine)),
                        _mm256_min_epu8(high_digit, half(c->nine))),
        .points = equal(low, high, half(c->point), half(c->point)),
        .line_feeds = equal(low, high, half(c->line_feed), half(c->line_feed)),
        .closes = equal(low, high, half(c->close), half(c->close))};
}

#define WITH_WIDE __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw")))
#ifndef HAS_WIDE /* a test chooses */
#define HAS_WIDE (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
#endif

/* Does the same with the instructions of AVX-512, in a quarter of the steps. */
WITH_WIDE static inline __attribute__((always_inline)) struct window look_wide(const struct characters *c,
                                                                               const char *at)
{
    const __m512i bytes = _mm512_loadu_si512(at), digits = _mm512_sub_epi8(bytes, _mm512_load_si512(c->zero));
    return (struct window){.blanks =
                               _mm512_cmpeq_epi8_mask(bytes, _mm512_shuffle_epi8(_mm512_load_si512(c->blank), bytes)),
                           .digits = _mm512_cmple_epu8_mask(digits, _mm512_load_si512(c->nine)),
                           .points = _mm512_cmpeq_epi8_mask(bytes, _mm512_load_si512(c->point)),
                           .line_feeds = _mm512_cmpeq_epi8_mask(bytes, _mm512_load_si512(c->line_feed)),
                           .closes = _mm512_cmpeq_epi8_mask(bytes, _mm512_load_si512(c->close))};
}

/* The first place of a set from a place below 64 on; 64 or above if there is none. */
ALWAYS unsigned next_of(uint64_t set, unsigned from) { return from + (unsigned)_tzcnt_u64(set >> from); }

/* Counts the line feeds before a place. */
ALWAYS unsigned lines_before(const struct window *w, unsigned place)
{
    return (unsigned)__builtin_popcountll(_bzhi_u64(w->line_feeds, place));
}

/* The usual score after a comment's { (find_usual_score() in pgn_score.c): a sign, up to four digits, a point, two
 * digits, / and a depth, then a blank or the comment's end. The side to move's becomes White's. */
ALWAYS bool take_score(const char *at, const struct window *w, unsigned place, int stm, struct pgn_score *score)
{
    enum { MOST_DIGITS = 4 };
    const char *text = at + place;
    const unsigned digits = (unsigned)_tzcnt_u64(w->points >> place >> 1), missing = MOST_DIGITS - digits;
    if ((((unsigned)*text - '+') & ~2u) || digits - 1 >= MOST_DIGITS)
        return false;
    /* 0000.00/ is what remains to be nothing but digits; those that are missing become 0. */
    const uint64_t form = UINT64_C(0x2f30302e30303030);
    const uint64_t x = (fast_eight(text + 1) ^ form >> 8 * missing) << 8 * missing;
    if (((x + UINT64_C(0x7f76767f76767676)) | x) & EACH_BYTE(0x80))
        return false;
    const __m128i pairs = _mm_maddubs_epi16(_mm_cvtsi64_si128((long long)x),
                                            _mm_setr_epi8(10, 1, 10, 1, 0, 10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const uint64_t halves =
        (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(pairs, _mm_setr_epi16(10000, 100, 1, 1, 0, 0, 0, 0)));
    const int32_t value = (int32_t)(halves + (halves >> 32)),
                  sign = -(int32_t)(((unsigned)*text >> 2 ^ (unsigned)stm) & 1); /* of - */
    const unsigned length = digits + 4, depth = place + length + 1, end = next_of(~w->digits, depth);
    if (end == depth || !((w->blanks | w->closes) >> (end & 63) & 1))
        return false;
    *score = (struct pgn_score){.value = (value ^ sign) - sign, .length = (uint16_t)length, .kind = PGN_SCORE_PAWNS};
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* The fields of a seebatch_position after its board are read and written as two words. */
enum { AT_REST = offsetof(seebatch_position, stm), AT_CLOCKS = AT_REST + 8, CLOCK_BITS = 16 };
_Static_assert(offsetof(seebatch_position, ep_square) == AT_REST + 1 &&
                   offsetof(seebatch_position, castling_rook) == AT_REST + 2 &&
                   offsetof(seebatch_position, halfmove_clock) == AT_CLOCKS &&
                   offsetof(seebatch_position, fullmove_number) == AT_CLOCKS + 2,
               "the places of the fields in the words");

/* Clocks that no game as long as those kept brings to their greatest value, where they stop. */
enum { MOST_CLOCK = UINT16_MAX - PGN_KEPT };

/* Returns the kings and rooks with rights to castle; more squares do no harm. */
WITH_BITS static uint64_t home_squares(const seebatch_position *position)
{
    uint64_t home = 0;
    for (int i = 0; i < 4; i++)
        if (position->castling_rook[i / 2][i % 2] != SEEBATCH_NO_SQUARE)
            home |= square_bb(position->castling_rook[i / 2][i % 2]) | square_bb(king_square(position, i / 2));
    return home;
}

/* The king or a rook with a right to castle has moved, or such a rook was captured. */
WITH_BITS static __attribute__((noinline)) uint64_t lose_rights(seebatch_position *after, bool king, int from, int to,
                                                                int stm)
{
    for (int side = 0; side < 2; side++) {
        uint8_t *own = &after->castling_rook[stm][side], *other = &after->castling_rook[!stm][side];
        *own = king || *own == from ? SEEBATCH_NO_SQUARE : *own;
        *other = *other == to ? SEEBATCH_NO_SQUARE : *other;
    }
    return home_squares(after);
}

/* Plays a pseudo-legal move. The position after it still has the side to move that has moved, because whether this side's
 * king is safe is tested later. */
ALWAYS void play(const seebatch_position *before, seebatch_position *after, uint64_t *home, const struct mover *mover,
                 int from, int to, int stm)
{
    enum { TWO_STEPS = 16 }; /* from and to differ in this bit alone; of a pawn, only where it takes two */
    const uint64_t target = square_bb(to), from_to = square_bb(from) | target;
    /* The planes and the set of white pieces at once. The fourth word of a mover is none of its code. */
    const __m256i white = _mm256_setr_epi64x(0, 0, 0, -1), board = _mm256_loadu_si256((const void *)before->plane);
    const __m256i code = _mm256_loadu_si256((const void *)mover->bit);
    const __m256i put = stm == SEEBATCH_WHITE ? _mm256_or_si256(code, white) : _mm256_andnot_si256(white, code);
    const __m256i left = _mm256_andnot_si256(_mm256_set1_epi64x((long long)from_to), board);
    const __m256i there = _mm256_and_si256(put, _mm256_set1_epi64x((long long)target));
    _mm256_storeu_si256((void *)after->plane, _mm256_or_si256(left, there));

    uint64_t rest;
    uint32_t clocks;
    memcpy(&rest, (const char *)before + AT_REST, sizeof rest);
    memcpy(&clocks, (const char *)before + AT_CLOCKS, sizeof clocks);
    const uint64_t passed = mover->as_pawn & (0 - (uint64_t)((from ^ to) == TWO_STEPS));
    const uint64_t ep = SEEBATCH_NO_SQUARE ^ ((SEEBATCH_NO_SQUARE ^ (unsigned)(from + to) / 2) & passed);
    rest = (rest & ~UINT64_C(0xffff)) | ep << 8 | (unsigned)stm;
    const uint32_t reset = clocks & ~(uint32_t)UINT16_MAX, more = clocks + 1;
    clocks = (mover->as_pawn | (seebatch_occupied(before) & target) ? reset : more) +
             (stm == SEEBATCH_BLACK ? 1u << CLOCK_BITS : 0);
    memcpy((char *)after + AT_REST, &rest, sizeof rest);
    memcpy((char *)after + AT_CLOCKS, &clocks, sizeof clocks);
    if (from_to & *home)
        *home = lose_rights(after, mover->as_king, from, to, stm);
}

/* A table has the codes of pieces by their letters, and that of a pawn for all other characters. */
enum { PAWN = 4 };
static const uint8_t code_of_character[256] = {
    ['B'] = 1 ^ PAWN, ['K'] = 6 ^ PAWN, ['N'] = 5 ^ PAWN, ['Q'] = 3 ^ PAWN, ['R'] = 2 ^ PAWN};

/* The squares that a character of SAN names: a file's or a rank's; none if it names none. */
ALWAYS uint64_t squares_named(char c)
{
    const unsigned file = (unsigned)(c - 'a'), rank = (unsigned)(c - '1');
    return file < 8 ? SET_FILE_A << file : rank < 8 ? SET_RANK_1 << 8 * rank : 0;
}

/* Plays the pseudo-legal move that the text from begin to end says; at least eight bytes stand before it. Returns false
 * if the move is left to the slow path. */
ALWAYS bool take_move(const seebatch_position *before, seebatch_position *after, uint64_t *home, const char *begin,
                      const char *end, int stm, seebatch_move *move, enum means by)
{
    uint64_t text = fast_eight(end - 8);
    int length = (int)(end - begin);
    const unsigned last = (unsigned)(text >> 56), marked = last == '+' || last == '#';
    text <<= 8 * marked;
    length -= (int)marked;
    const unsigned rank = (unsigned)(text >> 56) - '1', file = (unsigned)(text >> 48 & 255) - 'a';
    const bool captures = (length > 2) & ((text >> 40 & 255) == 'x');
    const unsigned code = code_of_character[(unsigned char)*begin], piece = code != 0;
    const int origin = length - 2 - captures - (int)piece; /* how many characters say where it comes from */
    const struct mover *const mover = &movers[code ^ PAWN];
    if ((rank | file) > 7 || (unsigned)origin > 1)
        return false;
    const int to = (int)(8 * rank + file);
    const uint64_t *plane = before->plane, target = square_bb(to);
    const uint64_t occupied = seebatch_occupied(before), own = seebatch_pieces_of_color(before, stm);
    uint64_t from = san_origins(plane, own, occupied, stm, mover, to, by);
    if (origin)
        from &= squares_named(begin[piece]);
    const uint64_t last_ranks = SET_RANK_1 | SET_RANK_1 << 56, king = plane[1] & plane[2];
    const uint64_t never = own | king | (mover->as_pawn & last_ranks) | (captures ? ~occupied : 0);
    if (from == 0 || from & (from - 1) || never & target)
        return false;
    const int from_square = (int)_tzcnt_u64(from);
    *move = seebatch_make_move(from_square, to, 0);
    play(before, after, home, mover, from_square, to, stm);
    return true;
}

/* Whether the slow path would read the text as one word, too. There a sign or e.p. ends a word. */
static bool is_one_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_letter_or_digit(text[i]) && strchr("+-=#/", text[i]) == NULL)
            return false;
    return true;
}

/* Does what take_move() does, for castling, promotions, en passant, and texts that name more of the origin or too little.
 * It takes no move if the move before left its king in check. */
static __attribute__((noinline)) bool take_rare_move(const seebatch_position *before, seebatch_position *after,
                                                     const char *text, size_t length, int stm, seebatch_move *move)
{
    seebatch_position position = *before;
    position.stm = (uint8_t)stm;
    const uint64_t king = seebatch_pieces_of_type(before, SEEBATCH_KING) & seebatch_pieces_of_color(before, !stm);
    if (!is_one_word(text, length) ||
        seebatch_attackers(before, lowest_square(king), stm, seebatch_occupied(before)) != 0 ||
        seebatch_move_from_san(&position, text, length, move, NULL) != SEEBATCH_OK)
        return false;
    seebatch_play(&position, *move);
    position.stm = (uint8_t)stm;
    *after = position;
    return true;
}

/* ---- Plies ------------------------------------------------------------------------------------------------------- */

enum taken {
    NOTHING, /* all is left to the slow path */
    MOVE,    /* the ply, but its comment is left, which is not within the window */
    ALL
};

/* What a comment says that has no score of the usual form: of the ply, or of the next one. */
static __attribute__((noinline)) void take_rare_comment(const char *block, const char *comment, size_t length, int stm,
                                                        struct pgn_ply *ply, struct pgn_score *next)
{
    struct pgn_score score;
    switch (seebatch_io_pgn_score_of_comment(block, comment, length, &score)) {
    case PGN_BEFORE_MOVE:
        score.value = stm == SEEBATCH_WHITE ? score.value : -score.value;
        ply->score = score;
        break;
    case PGN_AFTER_MOVE: *next = score; break;
    case PGN_LIKE_A_SCORE: ply->score.like_one = true; break;
    default: break;
    }
}

/* Takes a ply with its comment, and fills *ply and the position after it; *score becomes that of the next ply. No word
 * goes beyond the end of the text, because there the bytes end, or the next game's [ follows a line feed. */
ALWAYS enum taken take_ply(struct pgn_text *text, struct window w, seebatch_position *position, uint64_t *home,
                           struct pgn_ply *ply, struct pgn_score *score, int stm, enum means by)
{
    const char *at = text->at;
    const uint64_t passed = w.blanks | w.digits | w.points; /* blanks and the number of the move */
    const unsigned begin = (unsigned)_tzcnt_u64(~passed), end = next_of(w.blanks, begin & 63);
    if (end >= WINDOW || (w.digits << 1 >> (begin & 63) & 1))
        return NOTHING;
    const unsigned open = next_of(~w.blanks, end), close = next_of(w.closes, open & 63);
    const bool comment = open < WINDOW && at[open] == '{', whole = close < WINDOW && at + close < text->end;
    const bool usual = comment && whole && take_score(at, &w, open + 1, stm, &ply->score);
    const unsigned place = comment && whole ? close + 1 : end, lines = lines_before(&w, place);
    ply->length = (uint16_t)(end - begin);
    ply->at = (uint32_t)(at + begin - text->block);
    ply->newlines = (uint32_t)(text->newlines + lines_before(&w, begin));
    if (!take_move(position, position + 1, home, at + begin, at + end, stm, &ply->move, by) &&
        !take_rare_move(position, position + 1, at + begin, end - begin, stm, &ply->move))
        return NOTHING;
    if (!usual)
        ply->score = *score;
    score->kind = PGN_NO_SCORE;
    if (usual)
        ply->score.at = (uint32_t)(at + open + 1 - text->block);
    else if (comment && whole)
        take_rare_comment(text->block, at + open + 1, close - open - 1, stm, ply, score);
    text->newlines += lines;
    text->at = at + place;
    return comment && !whole ? MOVE : ALL;
}

/* Takes the next ply of a side, if there is room for it and text to look at. */
#define TAKE_PLY(look, by, side)                                                                                       \
    if (position == last || text.at > stop)                                                                            \
        break;                                                                                                         \
    taken = take_ply(&text, look(characters, text.at), position, &home, ply, &score, side, by);                        \
    if (taken == NOTHING)                                                                                              \
        break;                                                                                                         \
    position++;                                                                                                        \
    ply++;                                                                                                             \
    if (taken == MOVE)                                                                                                 \
    break

/* Plies until one or its comment is left, into memory for all that there may be. The positions after them have the side
 * to move that has just moved. A macro, because a function for both instruction sets could not be inlined. */
#define TAKE_PLIES(look, by)                                                                                           \
    struct pgn_text text = *beginning;                                                                                 \
    seebatch_position *position = game->kept + game->n;                                                                \
    const seebatch_position *const last = game->kept + PGN_KEPT;                                                       \
    const char *const stop = text.last - READ_AHEAD;                                                                   \
    const struct characters *characters = &all_characters;                                                             \
    __asm__("" : "+r"(characters)); /* compilers would make its values anew for each window */                         \
    uint64_t home = home_squares(position);                                                                            \
    struct pgn_score score = *next;                                                                                    \
    enum taken taken;                                                                                                  \
    for (bool black = position->stm == SEEBATCH_BLACK;; black = false) {                                               \
        if (!black) {                                                                                                  \
            TAKE_PLY(look, by, SEEBATCH_WHITE);                                                                        \
        }                                                                                                              \
        TAKE_PLY(look, by, SEEBATCH_BLACK);                                                                            \
    }                                                                                                                  \
    game->n = (size_t)(position - game->kept);                                                                         \
    *beginning = text;                                                                                                 \
    *next = score

WITH_BITS static void take_plies(struct pgn_text *beginning, struct pgn_game *game, struct pgn_ply *ply,
                                 struct pgn_score *next)
{
    TAKE_PLIES(look, BY_VECTORS);
}

WITH_WIDE static void take_plies_wide(struct pgn_text *beginning, struct pgn_game *game, struct pgn_ply *ply,
                                      struct pgn_score *next)
{
    TAKE_PLIES(look_wide, BY_PDEP);
}

/* Gives plies back from the first on whose move leaves its king in check, which the slow path will report. */
static void give_back_illegal(struct pgn_text *text, struct pgn_game *game, size_t first, struct bytes *plies)
{
    bool checked[PGN_KEPT];
    seebatch_position *after = game->kept + first + 1;
    const size_t n = game->n - first;
    seebatch_batch_in_check(after, n, checked, NULL);
    for (size_t i = 0; i < n; i++)
        after[i].stm ^= 1;
    const bool *illegal = memchr(checked, true, n);
    if (illegal == NULL)
        return;
    game->n = first + (size_t)(illegal - checked);
    plies->used -= (size_t)(checked + n - illegal) * sizeof(struct pgn_ply);
    const struct pgn_ply *ply = (void *)(plies->data + plies->used);
    text->at = text->block + ply->at;
    text->newlines = ply->newlines;
}

static void read_plies(struct pgn_text *text, struct pgn_game *game, seebatch_position *position, struct bytes *plies,
                       struct pgn_score *score)
{
    const size_t first = game->n;
    if (first >= PGN_KEPT || position->halfmove_clock > MOST_CLOCK || position->fullmove_number > MOST_CLOCK ||
        text->at - text->block < 8 || text->last - text->at < READ_AHEAD ||
        !bytes_reserve(plies, (PGN_KEPT + 1 - first) * sizeof(struct pgn_ply)))
        return;
    game->kept[first] = *position;
    (HAS_WIDE ? take_plies_wide : take_plies)(text, game, (void *)(plies->data + plies->used), score);
    if (game->n == first)
        return;
    plies->used += (game->n - first) * sizeof(struct pgn_ply);
    give_back_illegal(text, game, first, plies);
    *position = game->kept[game->n];
}

void seebatch_io_pgn_read_plies(struct pgn_text *text, struct pgn_game *game, seebatch_position *position,
                                struct bytes *plies, struct pgn_score *score)
{
    if (HAS_BITS)
        read_plies(text, game, position, plies, score);
}

/* ---- Games ------------------------------------------------------------------------------------------------------- */

/* As far as windows go; *at is where they end, if no game begins. */
WITH_BITS static bool next_game_in_windows(const char *first, const char **at, const char *end, uint64_t *newlines)
{
    const __m256i line_feed = _mm256_set1_epi8('\n'), bracket = _mm256_set1_epi8('[');
    const char *window = *at;
    for (; end - window > WINDOW; window += WINDOW) {
        const __m256i *bytes = (const __m256i *)(const void *)window;
        const __m256i *behind = (const __m256i *)(const void *)(window + 1);
        const uint64_t feeds = equal(_mm256_loadu_si256(bytes), _mm256_loadu_si256(bytes + 1), line_feed, line_feed);
        uint64_t places = feeds & equal(_mm256_loadu_si256(behind), _mm256_loadu_si256(behind + 1), bracket, bracket);
        for (; places != 0; places &= places - 1) {
            const unsigned place = (unsigned)_tzcnt_u64(places);
            if (seebatch_io_pgn_begins_game(first, window + place + 1, end)) {
                *newlines += (unsigned)__builtin_popcountll(_bzhi_u64(feeds, place + 1));
                *at = window + place + 1;
                return true;
            }
        }
        *newlines += (unsigned)__builtin_popcountll(feeds);
    }
    *at = window;
    return false;
}

#else

void seebatch_io_pgn_read_plies(struct pgn_text *text, struct pgn_game *game, seebatch_position *position,
                                struct bytes *plies, struct pgn_score *score)
{
    (void)text, (void)game, (void)position, (void)plies, (void)score;
}

static bool next_game_in_windows(const char *first, const char **at, const char *end, uint64_t *newlines)
{
    (void)first, (void)at, (void)end, (void)newlines;
    return false;
}

#endif

const char *seebatch_io_pgn_next_game(const char *first, const char *at, const char *end, uint64_t *newlines)
{
    if (HAS_BITS && next_game_in_windows(first, &at, end, newlines))
        return at;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        ++*newlines;
        if (seebatch_io_pgn_begins_game(first, ++at, end))
            return at;
    }
    return end;
}
