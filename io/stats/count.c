/*
 * Counts the records of a batch.
 *
 * What the record says and what the board shows take one loop over the records, without branches that depend on chess.
 * The exchanges take three calls of the library: one finds all legal captures, one their values and lengths under the first
 * rule set, and one the values of the moves that were played. Further rule sets take two calls each.
 */
#include <stdlib.h>

#include "counters.h"
#include "pipeline/unique.h"
#include "support/splitmix.h"

/* ---- What the board shows ---------------------------------------------------------------------------------------- */

/* The types by the code that a square has in the planes of a position (seebatch.h). */
static const int8_t type_of_code[8] = {
    -1, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, SEEBATCH_PAWN, SEEBATCH_KNIGHT, SEEBATCH_KING, -1};

static inline int type_on(const seebatch_position *position, int square)
{
    const uint64_t *plane = position->plane;
    return type_of_code[(plane[0] >> square & 1) | (plane[1] >> square & 1) << 1 | (plane[2] >> square & 1) << 2];
}

struct pieces {
    uint64_t pawns, knights, bishops, rooks, queens;
};

/* The material of one side as a number below SIDE_MATERIALS, or beyond where there is more than that. */
static inline unsigned material_of(const struct pieces *pieces, uint64_t side)
{
    const unsigned queens = (unsigned)__builtin_popcountll(pieces->queens & side);
    const unsigned rooks = (unsigned)__builtin_popcountll(pieces->rooks & side);
    const unsigned bishops = (unsigned)__builtin_popcountll(pieces->bishops & side);
    const unsigned knights = (unsigned)__builtin_popcountll(pieces->knights & side);
    const unsigned pawns = (unsigned)__builtin_popcountll(pieces->pawns & side);
    const unsigned more = (queens > 2) | (rooks > 2) | (bishops > 2) | (knights > 2) | (pawns > 8);
    return (((queens * 3 + rooks) * 3 + bishops) * 3 + knights) * 9 + pawns + more * MATERIALS;
}

/* The cells of a record in tables that are larger than the nearest caches: they are asked for long before they are
 * counted. */
struct cells {
    uint64_t hash;
    uint32_t material, phase;
};

/* Counts the board; the phase is 24 at the start of a game, and 0 with kings and pawns alone. */
static inline void count_board(struct tally *tally, const seebatch_position *position, struct cells *cells)
{
    const uint64_t *plane = position->plane;
    const struct pieces pieces = {.pawns = plane[2] & ~plane[0] & ~plane[1],
                                  .knights = plane[0] & plane[2],
                                  .bishops = plane[0] & ~plane[1] & ~plane[2],
                                  .rooks = plane[1] & ~plane[0] & ~plane[2],
                                  .queens = plane[0] & plane[1]};
    const uint64_t occupied = plane[0] | plane[1] | plane[2];
    const unsigned white = material_of(&pieces, position->white), black = material_of(&pieces, ~position->white);
    const unsigned phase = (unsigned)(__builtin_popcountll(pieces.knights | pieces.bishops) +
                                      2 * __builtin_popcountll(pieces.rooks) + 4 * __builtin_popcountll(pieces.queens));
    cells->material = white < SIDE_MATERIALS && black < SIDE_MATERIALS ? white * SIDE_MATERIALS + black : MATERIALS;
    cells->phase = phase;
    tally->pieces[__builtin_popcountll(occupied)]++;
    tally->phases[phase < PHASE_CELLS ? phase : PHASE_CELLS - 1]++;
    tally->sides[position->stm]++;
}

/* Both halves of a product of 128 bits, exclusive or: every bit of it depends on most bits of both factors. */
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

/* A hash of what makes positions equal (struct position_key), as wyhash makes them (Wang Yi, 2019): folded products of
 * words with random bits. Nothing is kept secret, so that the sketches of different runs can be joined: who makes a file
 * for it can make the estimate wrong, and nothing else. */
static inline uint64_t hash_of(const seebatch_position *position)
{
    const uint8_t(*rook)[2] = position->castling_rook;
    const uint32_t rooks =
        rook[0][0] | (uint32_t)rook[0][1] << 8 | (uint32_t)rook[1][0] << 16 | (uint32_t)rook[1][1] << 24;
    const uint64_t rest = rooks | (uint64_t)key_en_passant(position) << 32 | (uint64_t)position->stm << 40;
    const uint64_t planes =
        folded(position->plane[0] ^ UINT64_C(0xa0761d6478bd642f), position->plane[1] ^ UINT64_C(0xe7037ed1a0b428db));
    const uint64_t others =
        folded(position->plane[2] ^ UINT64_C(0x8ebc6af09c88c6e3), position->white ^ UINT64_C(0x589965cc75374cc3));
    return splitmix(folded(planes ^ UINT64_C(0x1d8e4e27c47d124f), others ^ splitmix(rest + GOLDEN_GAMMA)));
}

/* ---- What the record says ---------------------------------------------------------------------------------------- */

/* A legal move: castling is written as the king's move by two files, or as king takes rook. Without a branch, because
 * nobody can guess which moves capture. */
static inline enum move_kind kind_of_move(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const int type = type_on(position, from), taken = type_on(position, to) >= 0;
    const uint64_t own = position->white ^ (0 - (uint64_t)position->stm);
    const int castles = (type == SEEBATCH_KING) &
                        ((taken & (int)(own >> to & 1)) | (((from ^ to) < 8) & ((unsigned)(to - from + 1) > 2)));
    const int passes = (type == SEEBATCH_PAWN) & !taken & (((from ^ to) & 7) != 0);
    int kind = taken ? MOVE_CAPTURE_BY + type : MOVE_QUIET;
    kind = passes ? MOVE_EN_PASSANT : kind;
    kind = castles ? MOVE_CASTLING : kind;
    return (enum move_kind)(seebatch_promotion(move) != 0 ? MOVE_PROMOTION : kind);
}

static inline int group_of_phase(int phase) { return phase >= 19 ? 3 : phase >= 13 ? 2 : phase >= 7 ? 1 : 0; }

static inline void count_score(struct tally *tally, int32_t score)
{
    const uint32_t cell = (uint32_t)score - (uint32_t)LEAST_SCORE;
    if (score == MARK_NONE || score == -MARK_NONE)
        tally->marks[0]++;
    else if (cell < SCORE_CELLS)
        tally->scores[cell]++;
    else
        tally->scores_beyond[score > 0]++;
}

/* A record with both. Marks and mates say nothing about the chances. */
static inline void count_score_and_result(struct tally *tally, int stm, int phase, int32_t score, int result)
{
    const int sign = (score > 0) - (score < 0);
    const uint32_t place = (uint32_t)(score + CALIBRATED);
    tally->agreement[(stm * 3 + sign + 1) * 3 + result]++;
    if (place < 2 * CALIBRATED)
        tally->calibration[(group_of_phase(phase) * CALIBRATION_BINS + (int)(place / CALIBRATION_BIN)) * 3 + result]++;
    if (result == SEEBATCH_DRAW || score == MARK_NONE || score == -MARK_NONE)
        return;
    tally->contradictions[0]++;
    tally->contradictions[1] += result == SEEBATCH_WHITE_WINS ? score <= -CONTRADICTION : score >= CONTRADICTION;
}

static inline void count_ply(struct tally *tally, int32_t ply)
{
    if ((uint32_t)ply < PLY_CELLS)
        tally->plies[ply]++;
    else
        tally->plies_beyond[ply > 0]++;
}

/* What is still to be told apart when the captures are known. */
struct batch_kinds {
    bool checked[MOST_QUERIED];
    bool tactical[MOST_QUERIED];  /* the move is a capture or a promotion, */
    bool capture[MOST_QUERIED];   /* is a capture, */
    bool by_loader[MOST_QUERIED]; /* is one, but not en passant */
};

static inline __attribute__((always_inline)) void count_each(struct stats_worker *worker,
                                                             const seebatch_records *records, struct batch_kinds *kinds)
{
    struct tally *tally = worker->tally;
    struct cells cells[MOST_QUERIED];
    for (size_t i = 0; i < records->n; i++) {
        const uint32_t score = (uint32_t)records->scores[i] - (uint32_t)LEAST_SCORE;
        count_board(tally, &records->positions[i], &cells[i]);
        cells[i].hash = hash_of(&records->positions[i]);
        __builtin_prefetch(sketch_register(worker->registers, cells[i].hash), 1);
        __builtin_prefetch(&tally->materials[cells[i].material], 1);
        __builtin_prefetch(&tally->scores[score & (SCORE_CELLS - 1)], 1);
    }
    for (size_t i = 0; i < records->n; i++) {
        sketch_note(worker->registers, cells[i].hash);
        tally->materials[cells[i].material]++;
        const seebatch_position *position = &records->positions[i];
        const unsigned has = records->has[i];
        const enum move_kind kind = has & SEEBATCH_HAS_MOVE ? kind_of_move(position, records->moves[i]) : MOVE_NONE;
        const bool captures = kind >= MOVE_CAPTURE_BY && kind < MOVE_PROMOTION;
        tally->fields[has & 15]++;
        tally->moves[kind]++;
        kinds->by_loader[i] =
            captures | (kind == MOVE_PROMOTION && type_on(position, seebatch_to(records->moves[i])) >= 0);
        kinds->capture[i] = kinds->by_loader[i] | (kind == MOVE_EN_PASSANT);
        kinds->tactical[i] = kinds->capture[i] | (kind == MOVE_PROMOTION);
        if (has & SEEBATCH_HAS_SCORE)
            count_score(tally, records->scores[i]);
        if (has & SEEBATCH_HAS_RESULT)
            tally->results[records->results[i]]++;
        if (has & SEEBATCH_HAS_PLY)
            count_ply(tally, records->plies[i]);
        if ((has & SEEBATCH_HAS_SCORE) && (has & SEEBATCH_HAS_RESULT))
            count_score_and_result(tally, position->stm, (int)cells[i].phase, records->scores[i], records->results[i]);
    }
}

/* The same by the instruction that counts bits. */
#ifdef __x86_64__
__attribute__((target("popcnt"))) static void
count_each_by_instruction(struct stats_worker *worker, const seebatch_records *records, struct batch_kinds *kinds)
{
    count_each(worker, records, kinds);
}
#endif

static void count_records(struct stats_worker *worker, const seebatch_records *records, struct batch_kinds *kinds)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt")) {
        count_each_by_instruction(worker, records, kinds);
        return;
    }
#endif
    count_each(worker, records, kinds);
}

/* ---- Exchanges --------------------------------------------------------------------------------------------------- */

/* Room for all captures of a batch; false if there is no memory. */
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
    for (size_t i = 0; i < n; i++)
        tally->captures[offsets[i + 1] - offsets[i]]++;
    worker->sound[0] = 0;
    for (size_t k = 0; k < n_captures; k++) { /* of all positions: how many one has cannot be guessed */
        tally->depths[worker->lengths[k]]++;
        tally->values[cell_of_value(worker->values[k])]++;
        sound += worker->values[k] >= 0;
        worker->sound[k + 1] = sound;
    }
}

static inline bool may_promote(const seebatch_position *position)
{
    const uint64_t *plane = position->plane, own = position->white ^ (0 - (uint64_t)position->stm);
    return (plane[2] & ~plane[0] & ~plane[1] & own & UINT64_C(0xff) << (48 - 40 * position->stm)) != 0;
}

/* Whether a position has a promotion that captures nothing, with a value of 0 or more. */
static bool has_sound_promotion(const seebatch_rules *rules, const seebatch_position *position)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(position, moves);
    for (size_t k = 0; k < n; k++)
        if (seebatch_promotion(moves[k]) != 0 && type_on(position, seebatch_to(moves[k])) < 0 &&
            seebatch_value(rules, position, NULL, moves[k]) >= 0)
            return true;
    return false;
}

static void count_quiet(const seebatch_stats *stats, struct stats_worker *worker, const seebatch_records *records,
                        const struct batch_kinds *kinds)
{
    const size_t *offsets = worker->captures.offsets;
    uint32_t *quiet = worker->tally->quiet;
    for (size_t i = 0; i < records->n; i++) {
        const bool calm = !kinds->checked[i], move = records->has[i] & SEEBATCH_HAS_MOVE;
        const bool sound = worker->sound[offsets[i + 1]] > worker->sound[offsets[i]];
        quiet[QUIET_NO_CHECK] += calm;
        quiet[QUIET_BY_LOADER] += calm & move & !kinds->by_loader[i];
        quiet[QUIET_BY_MOVE] += calm & move & !kinds->tactical[i];
        quiet[QUIET_NO_CAPTURE] += calm & (offsets[i + 1] == offsets[i]);
        quiet[QUIET_BY_EXCHANGE] += calm & !sound;
        if (calm & !sound & may_promote(&records->positions[i]))
            quiet[QUIET_BY_EXCHANGE] -= has_sound_promotion(&stats->rules[0].rules, &records->positions[i]);
    }
}

/* The played moves as queries, a move for each position that has one. */
struct played {
    size_t offsets[MOST_QUERIED + 1];
    seebatch_move moves[MOST_QUERIED + 1];
    int16_t values[MOST_QUERIED + 1];
};

static void find_played(struct played *played, const seebatch_records *records)
{
    size_t n = 0;
    for (size_t i = 0; i < records->n; i++) {
        played->offsets[i] = n;
        played->moves[n] = records->moves[i];
        n += (records->has[i] & SEEBATCH_HAS_MOVE) != 0;
    }
    played->offsets[records->n] = n;
}

/* Whether no capture of a position has a greater value. */
static bool is_best(const struct stats_worker *worker, size_t i, int16_t value)
{
    for (size_t k = worker->captures.offsets[i]; k < worker->captures.offsets[i + 1]; k++)
        if (worker->values[k] > value)
            return false;
    return true;
}

static void count_played(struct stats_worker *worker, size_t rules, const struct played *played,
                         const seebatch_records *records, const struct batch_kinds *kinds)
{
    uint32_t *values = &worker->tally->played[rules * PLAYED_KINDS * VALUE_CELLS];
    uint32_t *best = &worker->tally->best[rules * BEST_KINDS];
    uint16_t captures[MOST_QUERIED + 1];
    size_t n = 0;
    for (size_t i = 0; i < records->n; i++) {
        const size_t k = played->offsets[i];
        if (k == played->offsets[i + 1])
            continue;
        values[(size_t)kinds->tactical[i] * VALUE_CELLS + cell_of_value(played->values[k])]++;
        captures[n] = (uint16_t)i;
        n += kinds->capture[i];
    }
    for (size_t c = 0; c < n; c++) { /* apart, because nobody can guess which moves capture */
        const size_t i = captures[c];
        best[is_best(worker, i, played->values[played->offsets[i]]) ? CAPTURE_IS_BEST : CAPTURE_IS_WORSE]++;
    }
}

/* What was counted so far of the kinds of a tenth. */
struct by_kind {
    uint32_t of[N_TENTH_KINDS];
};

static struct by_kind counted_by_kind(const struct tally *tally)
{
    struct by_kind counted = {.of = {[TENTH_POSITIONS] = tally->positions[0],
                                     [TENTH_MARKS] = tally->marks[0],
                                     [TENTH_ZEROS] = tally->scores[-LEAST_SCORE],
                                     [TENTH_DECIDED] = tally->contradictions[0],
                                     [TENTH_CONTRADICTS] = tally->contradictions[1],
                                     [TENTH_DRAWS] = tally->results[SEEBATCH_DRAW]}};
    for (unsigned has = 0; has < 16; has++) {
        counted.of[TENTH_SCORES] += has & SEEBATCH_HAS_SCORE ? tally->fields[has] : 0;
        counted.of[TENTH_RESULTS] += has & SEEBATCH_HAS_RESULT ? tally->fields[has] : 0;
    }
    return counted;
}

/* Adds to a tenth what was counted since. */
static void count_tenth(struct tally *tally, int tenth, const struct by_kind *before)
{
    const struct by_kind now = counted_by_kind(tally);
    for (int kind = 0; kind < N_TENTH_KINDS; kind++)
        tally->tenths[tenth * N_TENTH_KINDS + kind] += now.of[kind] - before->of[kind];
}

seebatch_io_status seebatch_io_stats_count(seebatch_stats *stats, struct stats_worker *worker,
                                           const seebatch_records *records, int tenth)
{
    const struct by_kind before = counted_by_kind(worker->tally);
    struct batch_kinds kinds;
    struct played played;
    const size_t n = records->n;
    if (!queries_reserve(&worker->captures, MOST_QUERIED * SEEBATCH_MAX_MOVES) || !reserve(worker))
        return SEEBATCH_IO_NO_MEMORY;
    seebatch_collect_captures(records->positions, n, NULL, worker->captures.offsets, worker->captures.moves, NULL,
                              kinds.checked);
    worker->tally->positions[0] += (uint32_t)n;
    count_records(worker, records, &kinds);
    if (tenth >= 0)
        count_tenth(worker->tally, tenth, &before);
    find_played(&played, records);
    const seebatch_batch captures = queries_of_batch(&worker->captures, records->positions, n);
    const seebatch_batch moves = {records->positions, n, played.offsets, played.moves, NULL};
    for (size_t r = stats->n_rules; r-- > 0;) { /* the first rule set last: its values are counted */
        const seebatch_rules *rules = &stats->rules[r].rules;
        if (r == 0)
            seebatch_batch_lengths(rules, &captures, worker->values, worker->lengths, NULL);
        else
            seebatch_batch_values(rules, &captures, worker->values, NULL);
        seebatch_batch_values(rules, &moves, played.values, NULL);
        count_played(worker, r, &played, records, &kinds);
    }
    count_captures(worker, n);
    count_quiet(stats, worker, records, &kinds);
    return SEEBATCH_IO_OK;
}
