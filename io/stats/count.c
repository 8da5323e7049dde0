/*
 * Counts the records of a batch.
 *
 * What the record says and what the board shows take one loop over the records, without branches that depend on chess.
 * The exchanges take three calls of the library: one finds all legal captures, one their values and lengths under the first
 * rule set, and one the values of the played moves that are no captures. Further rule sets take two calls each.
 */
#include <stdlib.h>

#include "counters.h"
#include "pipeline/unique.h"
#include "support/splitmix.h"

/* ---- What the board shows ---------------------------------------------------------------------------------------- */

/* The types of pieces, indexed by the code that a square has in the planes of a position (seebatch.h). */
static const int8_t type_of_code[8] = {
    -1, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, SEEBATCH_PAWN, SEEBATCH_KNIGHT, SEEBATCH_KING, -1};

/*
 * The shape of a move: the code of the piece that moves, and a bit for each of what else its kind depends on. A table
 * has the kind of each shape, because nobody can guess which moves capture.
 */
enum {
    SHAPE_TAKES = 8,      /* there is a piece on the target, */
    SHAPE_OWN = 16,       /* of the mover */
    SHAPE_FILE = 32,      /* the file changes, */
    SHAPE_TWO_FILES = 64, /* by two or more, and the rank stays */
    SHAPE_PROMOTES = 128
};

/* What is noted of a record: the kind of its move with BY_LOADER (counters.h), and these bits. */
enum { TACTICAL = 32, CAPTURE = 64, MAY_PROMOTE = 128 };

/* Castling is written as the king's move by two files, or as king takes rook. */
static enum move_kind kind_of_shape(unsigned shape)
{
    const int type = type_of_code[shape & 7];
    const bool takes = shape & SHAPE_TAKES, own = shape & SHAPE_OWN;
    if (shape & SHAPE_PROMOTES)
        return MOVE_PROMOTION;
    if (type == SEEBATCH_KING && ((takes && own) || shape & SHAPE_TWO_FILES))
        return MOVE_CASTLING;
    if (takes)
        return (enum move_kind)(MOVE_CAPTURE_BY + type);
    return type == SEEBATCH_PAWN && shape & SHAPE_FILE ? MOVE_EN_PASSANT : MOVE_QUIET;
}

void seebatch_io_stats_kinds(uint8_t kinds[MOVE_SHAPES])
{
    for (unsigned shape = 0; shape < MOVE_SHAPES; shape++) {
        const enum move_kind kind = kind_of_shape(shape);
        const bool by_loader = kind != MOVE_CASTLING && shape & SHAPE_TAKES;
        const bool capture = by_loader || kind == MOVE_EN_PASSANT;
        kinds[shape] = (uint8_t)((unsigned)kind | (by_loader ? BY_LOADER : 0) | (capture ? CAPTURE : 0) |
                                 (capture || kind == MOVE_PROMOTION ? TACTICAL : 0));
    }
}

/*
 * Some records by columns, of which compilers make registers: processors with AVX-512 find the facts of eight boards at
 * once. The facts name cells in tables that are larger than the nearest caches, and which are asked for long before they
 * are counted.
 */
enum { BLOCK = 64 };
struct columns {
    uint64_t plane[3][BLOCK], white[BLOCK], stm[BLOCK], move[BLOCK];
    uint64_t hash[BLOCK];
    uint32_t material[BLOCK], phase[BLOCK], pieces[BLOCK], shape[BLOCK], may_promote[BLOCK];
    uint32_t record[BLOCK], score[BLOCK], ply[BLOCK], calibration[BLOCK]; /* cells of the tally */
};

struct pieces {
    uint64_t pawns, knights, bishops, rooks, queens;
};

static inline uint64_t count_of(uint64_t squares) { return (uint64_t)__builtin_popcountll(squares); }

/* The material of one side as a number below SIDE_MATERIALS, or beyond where there is more than that: three pieces of a
 * type, or nine pawns, and one more or seven more make a bit that no smaller number has. */
static inline uint64_t material_of(const struct pieces *pieces, uint64_t side)
{
    const uint64_t queens = count_of(pieces->queens & side), rooks = count_of(pieces->rooks & side),
                   bishops = count_of(pieces->bishops & side), knights = count_of(pieces->knights & side),
                   pawns = count_of(pieces->pawns & side);
    const uint64_t more = ((queens + 1) | (rooks + 1) | (bishops + 1) | (knights + 1)) >> 2 | (pawns + 7) >> 4;
    return (((queens * 3 + rooks) * 3 + bishops) * 3 + knights) * 9 + pawns + (more << 20);
}

/* The code of a square. */
static inline uint64_t code_on(const struct columns *columns, size_t i, uint64_t square)
{
    return (columns->plane[0][i] >> square & 1) | (columns->plane[1][i] >> square & 1) << 1 |
           (columns->plane[2][i] >> square & 1) << 2;
}

static inline uint64_t shape_of(const struct columns *columns, size_t i, uint64_t own)
{
    const uint64_t move = columns->move[i], from = move & 63, to = move >> 6 & 63;
    const uint64_t takes = (columns->plane[0][i] | columns->plane[1][i] | columns->plane[2][i]) >> to & 1;
    const uint64_t files = (from ^ to) & 7, further = to - from + 1; /* 0, 1 or 2 within a file */
    const uint64_t two_files = ((from ^ to) < 8) & (further > 2);
    return code_on(columns, i, from) | takes * SHAPE_TAKES | (own >> to & 1) * SHAPE_OWN |
           (uint64_t)(files != 0) * SHAPE_FILE | two_files * SHAPE_TWO_FILES |
           (uint64_t)(move >> 12 != 0) * SHAPE_PROMOTES;
}

/* The facts of n records; the phase is 24 at the start of a game, and 0 with kings and pawns alone. */
static inline __attribute__((always_inline)) void find_facts(struct columns *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = columns->plane[0][i], b = columns->plane[1][i], c = columns->plane[2][i];
        const struct pieces pieces = {
            .pawns = c & ~a & ~b, .knights = a & c, .bishops = a & ~b & ~c, .rooks = b & ~a & ~c, .queens = a & b};
        const uint64_t white = material_of(&pieces, columns->white[i]),
                       black = material_of(&pieces, ~columns->white[i]), both = white * SIDE_MATERIALS + black;
        const uint64_t phase =
            count_of(pieces.knights | pieces.bishops) + 2 * count_of(pieces.rooks) + 4 * count_of(pieces.queens);
        const uint64_t occupied = a | b | c, own = occupied & (columns->white[i] ^ (0 - columns->stm[i]));
        const uint64_t pawns = pieces.pawns & own, black_moves = 0 - columns->stm[i];
        const uint64_t promoting = (pawns & ~(occupied >> 8) & UINT64_C(0xff) << 48 & ~black_moves) |
                                   (pawns & ~(occupied << 8) & UINT64_C(0xff) << 8 & black_moves);
        columns->material[i] = (uint32_t)((white | black) >> 20 != 0 ? (uint64_t)MATERIALS : both);
        columns->phase[i] = (uint32_t)(phase < PHASE_CELLS ? phase : PHASE_CELLS - 1);
        columns->pieces[i] = (uint32_t)count_of(occupied);
        columns->may_promote[i] = promoting != 0 ? MAY_PROMOTE : 0;
        columns->shape[i] = (uint32_t)shape_of(columns, i, own);
    }
}

/* Returns the exclusive or of both halves of a product of 128 bits: every bit of it depends on most bits of both
 * factors. */
static inline uint64_t folded(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t low = UINT32_MAX, ll = (a & low) * (b & low), lh = (a & low) * (b >> 32), hl = (a >> 32) * (b & low),
                   hh = (a >> 32) * (b >> 32);
    const uint64_t middle = (ll >> 32) + (lh & low) + (hl & low);
    return (a * b) ^ (hh + (lh >> 32) + (hl >> 32) + (middle >> 32));
#endif
}

/* Returns a hash of what makes positions equal (struct position_key), as wyhash makes them (Wang Yi, 2019): folded
 * products of words with random bits. Nothing is kept secret, so that the sketches of different runs can be joined: who
 * makes a file for it can make the estimate wrong, and nothing else. */
static inline uint64_t hash_of(const seebatch_position *position)
{
    uint32_t rooks;
    memcpy(&rooks, position->castling_rook, sizeof rooks);
    const uint64_t rest = rooks | (uint64_t)key_en_passant(position) << 32 | (uint64_t)position->stm << 40;
    const uint64_t planes =
        folded(position->plane[0] ^ UINT64_C(0xa0761d6478bd642f), position->plane[1] ^ UINT64_C(0xe7037ed1a0b428db));
    const uint64_t others =
        folded(position->plane[2] ^ UINT64_C(0x8ebc6af09c88c6e3), position->white ^ UINT64_C(0x589965cc75374cc3));
    return folded(planes ^ UINT64_C(0x1d8e4e27c47d124f), others ^ rest * GOLDEN_GAMMA);
}

/* ---- What the record says ---------------------------------------------------------------------------------------- */

static inline uint32_t group_of_phase(uint32_t phase)
{
    return (uint32_t)(phase >= 7) + (uint32_t)(phase >= 13) + (uint32_t)(phase >= 19);
}

/* Returns the enum score_class of a score. */
static inline uint32_t class_of_score(int32_t score)
{
    const int over = (score > -CONTRADICTION) + (score >= 0) + (score > 0) + (score >= CONTRADICTION);
    return (uint32_t)(SCORE_LOSES + over + (score == MARK_NONE) - (score == -MARK_NONE));
}

/* Returns the first number if a condition holds, and otherwise the second. (Where C asks for a choice, gcc makes branches of
 * it, and no registers of the loop.) */
static inline uint32_t choose(uint32_t holds, uint32_t yes, uint32_t no) { return no ^ ((yes ^ no) & (0 - holds)); }

/* Chooses the cells in which records from one on are counted. Marks and mates say nothing about the chances. */
static inline __attribute__((always_inline)) void find_cells(struct columns *columns, const seebatch_records *records,
                                                             size_t first, size_t n)
{
    const int32_t *scores = records->scores + first, *plies = records->plies + first;
    const uint8_t *results = records->results + first, *all_has = records->has + first;
    for (size_t i = 0; i < n; i++) {
        const uint32_t has = all_has[i] & 15u, ply = (uint32_t)plies[i];
        const uint32_t scored = (has & SEEBATCH_HAS_SCORE) != 0, ended = (has & SEEBATCH_HAS_RESULT) != 0;
        const int32_t score = (int32_t)choose(scored, (uint32_t)scores[i], 0);
        const uint32_t result = choose(ended, results[i], 0), class = choose(scored, class_of_score(score), 0);
        const uint32_t place = (uint32_t)score - (uint32_t)LEAST_SCORE, bin = (uint32_t)score + CALIBRATED;
        const uint32_t marked = (uint32_t)(score == MARK_NONE) | (uint32_t)(score == -MARK_NONE);
        const uint32_t cell = choose(place < SCORE_CELLS, place, SCORE_BEYOND + (uint32_t)(score > 0));
        const uint32_t group = group_of_phase(columns->phase[i]) * CALIBRATION_BINS;
        const uint32_t calibrates = scored & ended & (uint32_t)(bin < 2 * CALIBRATED);
        const uint32_t in_range = choose(ply < PLY_CELLS, ply, PLY_BEYOND + (uint32_t)(plies[i] > 0));
        columns->record[i] = ((has * 2 + (uint32_t)columns->stm[i]) * 4 + result) * SCORE_CLASSES + class;
        columns->score[i] = choose(scored, choose(marked, MARKED, cell), SCORE_ABSENT);
        columns->calibration[i] = choose(calibrates, (group + bin / CALIBRATION_BIN) * 3 + result, NOT_CALIBRATED);
        columns->ply[i] = choose((has & SEEBATCH_HAS_PLY) != 0, in_range, PLY_ABSENT);
    }
}

/* What is noted of each record until the captures are known: whether the mover is in check, and what the move is. */
struct batch_kinds {
    bool checked[MOST_QUERIED];
    uint8_t bits[MOST_QUERIED]; /* KIND_BITS to MAY_PROMOTE */
};

/* The columns of records from one on, and their hashes. */
static inline void fill_columns(struct columns *columns, const struct stats_worker *worker,
                                const seebatch_records *records, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const seebatch_position *position = &records->positions[first + i];
        for (int k = 0; k < 3; k++)
            columns->plane[k][i] = position->plane[k];
        columns->white[i] = position->white;
        columns->stm[i] = position->stm;
        columns->move[i] = records->moves[first + i];
        columns->hash[i] = hash_of(position);
        __builtin_prefetch(sketch_register(worker->registers, columns->hash[i]), 1);
    }
}

static inline void ask_for_cells(const struct columns *columns, const struct tally *tally, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(&tally->materials[columns->material[i]], 1);
        __builtin_prefetch(&tally->scores[columns->score[i]], 1);
    }
}

/* Counts the records of the columns. */
static inline void count_columns(struct stats_worker *worker, const struct columns *columns, size_t n, int tenth)
{
    struct tally *tally = worker->tally;
    uint32_t *records = tally->records[tenth < 0 ? TENTHS : tenth];
    for (size_t i = 0; i < n; i++) {
        sketch_note(worker->registers, columns->hash[i]);
        records[columns->record[i]]++;
        tally->materials[columns->material[i]]++;
        tally->scores[columns->score[i]]++;
        tally->plies[columns->ply[i]]++;
        tally->calibration[columns->calibration[i]]++;
        if (columns->material[i] == MATERIALS) {
            tally->more_pieces[columns->pieces[i]]++;
            tally->more_phases[columns->phase[i]]++;
        }
    }
}

/* Notes the kinds of the moves of records from one on. */
static inline void note_kinds(const seebatch_stats *stats, const struct columns *columns,
                              const seebatch_records *records, size_t first, size_t n, struct batch_kinds *kinds)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned kind = records->has[first + i] & SEEBATCH_HAS_MOVE ? stats->kinds[columns->shape[i]] : MOVE_NONE;
        kinds->bits[first + i] = (uint8_t)(kind | columns->may_promote[i]);
    }
}

static inline __attribute__((always_inline)) void count_each(const seebatch_stats *stats, struct stats_worker *worker,
                                                             const seebatch_records *records, int tenth,
                                                             struct batch_kinds *kinds)
{
    struct columns columns;
    for (size_t first = 0; first < records->n; first += BLOCK) {
        const size_t n = records->n - first < BLOCK ? records->n - first : BLOCK;
        fill_columns(&columns, worker, records, first, n);
        find_facts(&columns, n);
        find_cells(&columns, records, first, n);
        ask_for_cells(&columns, worker->tally, n);
        count_columns(worker, &columns, n, tenth);
        note_kinds(stats, &columns, records, first, n, kinds);
    }
}

/* The same by instructions that count bits, one word or eight at once. */
#ifdef __x86_64__
__attribute__((target("popcnt"))) static void count_each_by_popcnt(const seebatch_stats *stats,
                                                                   struct stats_worker *worker,
                                                                   const seebatch_records *records, int tenth,
                                                                   struct batch_kinds *kinds)
{
    count_each(stats, worker, records, tenth, kinds);
}

#define AVX512 "popcnt,lzcnt,bmi,bmi2,avx512f,avx512dq,avx512bw,avx512vl,avx512vpopcntdq"
__attribute__((target(AVX512))) static void count_each_by_avx512(const seebatch_stats *stats,
                                                                 struct stats_worker *worker,
                                                                 const seebatch_records *records, int tenth,
                                                                 struct batch_kinds *kinds)
{
    count_each(stats, worker, records, tenth, kinds);
}
#endif

static void count_records(const seebatch_stats *stats, struct stats_worker *worker, const seebatch_records *records,
                          int tenth, struct batch_kinds *kinds)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2")) {
        count_each_by_avx512(stats, worker, records, tenth, kinds);
        return;
    }
    if (__builtin_cpu_supports("popcnt")) {
        count_each_by_popcnt(stats, worker, records, tenth, kinds);
        return;
    }
#endif
    count_each(stats, worker, records, tenth, kinds);
}

/* ---- Exchanges --------------------------------------------------------------------------------------------------- */

/* Makes room for all captures of a batch; returns false if there is no memory. */
static bool reserve(struct stats_worker *worker)
{
    const size_t room = worker->captures.capacity;
    if (worker->room >= room)
        return true;
    int16_t *values = realloc(worker->values, room * sizeof *values);
    worker->values = values != NULL ? values : worker->values;
    uint8_t *lengths = realloc(worker->lengths, room);
    worker->lengths = lengths != NULL ? lengths : worker->lengths;
    uint32_t *sound = realloc(worker->sound, (room + 1) * sizeof *sound);
    worker->sound = sound != NULL ? sound : worker->sound;
    if (values == NULL || lengths == NULL || sound == NULL)
        return false;
    worker->room = room;
    return true;
}

static inline size_t cell_of_value(int16_t value)
{
    return value == SEEBATCH_ALWAYS ? (size_t)N_VALUES : (size_t)(value - LEAST_VALUE);
}

static void count_captures(struct stats_worker *worker, size_t n)
{
    struct tally *tally = worker->tally;
    const size_t *offsets = worker->captures.offsets, n_captures = offsets[n];
    uint32_t sound = 0;
    worker->sound[0] = 0;
    for (size_t k = 0; k < n_captures; k++) { /* of all positions: how many one has cannot be guessed */
        tally->depths[worker->lengths[k]]++;
        tally->values[cell_of_value(worker->values[k])]++;
        sound += worker->values[k] >= 0;
        worker->sound[k + 1] = sound;
    }
}

/* Whether a position has a promotion that captures nothing, with a value of 0 or more. */
static bool has_sound_promotion(const seebatch_rules *rules, const seebatch_position *position)
{
    const int ahead = position->stm == SEEBATCH_WHITE ? 8 : -8;
    uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN) &
                     seebatch_pieces_of_color(position, position->stm) &
                     (UINT64_C(0xff) << (position->stm == SEEBATCH_WHITE ? 48 : 8));
    const uint64_t occupied = seebatch_occupied(position);
    pawns &= ~(position->stm == SEEBATCH_WHITE ? occupied >> 8 : occupied << 8);
    while (pawns != 0) {
        const int from = pop_lsb(&pawns);
        for (int type = SEEBATCH_QUEEN; type >= SEEBATCH_KNIGHT; type--) {
            const seebatch_move move = seebatch_make_move(from, from + ahead, type);
            if (!seebatch_is_legal(position, move)) /* and so are the other promotions of this pawn */
                break;
            if (seebatch_value(rules, position, NULL, move) >= 0)
                return true;
        }
    }
    return false;
}

/* Counts what the moves and the captures say together about each record. */
static void count_moves(const seebatch_stats *stats, struct stats_worker *worker, const seebatch_records *records,
                        const struct batch_kinds *kinds)
{
    struct tally *tally = worker->tally;
    const size_t *offsets = worker->captures.offsets;
    for (size_t i = 0; i < records->n; i++) {
        const unsigned bits = kinds->bits[i], checked = kinds->checked[i];
        const size_t first = offsets[i], end = offsets[i + 1];
        bool sound = worker->sound[end] != worker->sound[first];
        if (bits & MAY_PROMOTE && !sound && !checked)
            sound = has_sound_promotion(&stats->rules[0].rules, &records->positions[i]);
        tally->captures[end - first]++;
        tally->moves[(bits & (KIND_BITS | BY_LOADER)) | (checked ? IN_CHECK : 0) | (end == first ? NO_CAPTURE : 0) |
                     (sound ? 0 : NO_SOUND)]++;
    }
}

/*
 * The played moves. The values of captures are known from the list of all captures, where the move stands: place[c] is
 * its number there, in position number at[c]. The others are queries, at most one for each position.
 */
struct played {
    size_t offsets[MOST_QUERIED + 1];
    seebatch_move moves[MOST_QUERIED + 1];
    uint8_t tactical[MOST_QUERIED + 1]; /* of each query: it is a promotion */
    int16_t values[MOST_QUERIED + 1];
    uint32_t place[MOST_QUERIED + 1];
    uint16_t at[MOST_QUERIED + 1];
    size_t n_captures;
};

/* Captures are looked at four at a time, because nobody can guess how many a position has. Arrays have room for three more
 * than there are. */
enum { AT_ONCE = 4 };

/* Returns the place of a move among captures k to end - 1, where it stands. */
static inline size_t place_of(const seebatch_move *captures, size_t k, size_t end, seebatch_move move)
{
    for (; k < end; k += AT_ONCE) {
        unsigned found = 0;
        for (size_t j = 0; j < AT_ONCE; j++)
            found |= (unsigned)(captures[k + j] == move) << j;
        if (found != 0 && k + (size_t)__builtin_ctz(found) < end)
            return k + (size_t)__builtin_ctz(found);
    }
    return end - 1;
}

static void find_played(struct played *played, const struct stats_worker *worker, const seebatch_records *records,
                        const struct batch_kinds *kinds)
{
    const size_t *offsets = worker->captures.offsets;
    const seebatch_move *captures = worker->captures.moves;
    size_t n = 0, n_captures = 0;
    for (size_t i = 0; i < records->n; i++) {
        const unsigned moves = (records->has[i] & SEEBATCH_HAS_MOVE) != 0, is_capture = (kinds->bits[i] & CAPTURE) != 0;
        played->offsets[i] = n;
        played->moves[n] = records->moves[i];
        played->tactical[n] = (kinds->bits[i] & TACTICAL) != 0;
        played->at[n_captures] = (uint16_t)i;
        n += moves & !is_capture;
        n_captures += moves & is_capture;
    }
    played->offsets[records->n] = n;
    played->n_captures = n_captures;
    for (size_t c = 0; c < n_captures; c++) { /* apart, because nobody can guess which moves capture */
        const size_t i = played->at[c];
        played->place[c] = (uint32_t)place_of(captures, offsets[i], offsets[i + 1], records->moves[i]);
    }
}

/* Returns whether no capture of a position has a greater value. */
static bool is_best(const struct stats_worker *worker, size_t i, int16_t value)
{
    const size_t end = worker->captures.offsets[i + 1];
    unsigned greater = 0;
    for (size_t k = worker->captures.offsets[i]; k < end; k += AT_ONCE)
        for (size_t j = 0; j < AT_ONCE; j++)
            greater |= (unsigned)(worker->values[k + j] > value) & (unsigned)(k + j < end);
    return greater == 0;
}

static void count_played(struct stats_worker *worker, size_t rules, const struct played *played, size_t n_queries)
{
    uint32_t *values = &worker->tally->played[rules * PLAYED_KINDS * VALUE_CELLS];
    uint32_t *best = &worker->tally->best[rules * BEST_KINDS];
    for (size_t k = 0; k < n_queries; k++)
        values[(size_t)played->tactical[k] * VALUE_CELLS + cell_of_value(played->values[k])]++;
    for (size_t c = 0; c < played->n_captures; c++) {
        const int16_t value = worker->values[played->place[c]];
        values[PLAYED_TACTICAL * VALUE_CELLS + cell_of_value(value)]++;
        best[is_best(worker, played->at[c], value) ? CAPTURE_IS_BEST : CAPTURE_IS_WORSE]++;
    }
}

seebatch_io_status seebatch_io_stats_count(seebatch_stats *stats, struct stats_worker *worker,
                                           const seebatch_records *records, int tenth)
{
    struct batch_kinds kinds;
    struct played played;
    const size_t n = records->n;
    if (!queries_reserve(&worker->captures, MOST_QUERIED * SEEBATCH_MAX_MOVES + AT_ONCE) || !reserve(worker))
        return SEEBATCH_IO_NO_MEMORY;
    seebatch_collect_captures(records->positions, n, NULL, worker->captures.offsets, worker->captures.moves, NULL,
                              kinds.checked);
    count_records(stats, worker, records, tenth, &kinds);
    find_played(&played, worker, records, &kinds);
    const seebatch_batch captures = queries_of_batch(&worker->captures, records->positions, n);
    const seebatch_batch moves = {records->positions, n, played.offsets, played.moves, NULL};
    for (size_t r = stats->n_rules; r-- > 0;) { /* the first rule set last: its values are counted */
        const seebatch_rules *rules = &stats->rules[r].rules;
        if (r == 0)
            seebatch_batch_lengths(rules, &captures, worker->values, worker->lengths, NULL);
        else
            seebatch_batch_values(rules, &captures, worker->values, NULL);
        seebatch_batch_values(rules, &moves, played.values, NULL);
        count_played(worker, r, &played, played.offsets[n]);
    }
    count_captures(worker, n);
    count_moves(stats, worker, records, &kinds);
    return SEEBATCH_IO_OK;
}
