/*
 * Writes Stockfish's binpack.
 *
 * A record continues the chain before it if it is that game's next position: the last one's move leads to it, the ply
 * is one higher, the clock goes on, and the result is the same. Otherwise it begins a chain; and that begins a chunk,
 * if there is none yet in the block or the last one has reached a mebibyte. The output is whole at any time: the
 * lengths of the chunk and of the chain are written over as they grow, and the last byte is filled up with zeros.
 */
#include "binpack.h"
#include "chess/movers.h"
#include "chess/nibbles.h"

enum {
    CHUNK_GOAL = 1 << 20,
    MOST_MOVETEXT = 10000,             /* bytes of a chain: Stockfish's own code has room for 10 KiB */
    MOST_BYTES = BINPACK_MOST_BITS / 8 /* of a position in it */
};

static void put_big_endian(unsigned char *bytes, unsigned value)
{
    bytes[0] = (unsigned char)(value >> 8);
    bytes[1] = (unsigned char)value;
}

static void put_little_endian(char *bytes, size_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (char)(value >> 8 * i & 255);
}

/* ---- Stems ------------------------------------------------------------------------------------------------------- */

/* The nibbles of all pieces, with what else is said there, as four sets of squares: bit[k] are those whose nibble has
 * bit k. */
static void find_nibbles(const seebatch_position *position, uint64_t bit[4])
{
    const uint64_t *plane = position->plane, black = seebatch_pieces_of_color(position, SEEBATCH_BLACK);
    const uint64_t ep_pawn = position->ep_square < 64 ? square_bb(position->ep_square ^ 8) : 0;
    const uint64_t king_to_move = position->stm == SEEBATCH_BLACK ? plane[1] & plane[2] & black : 0;
    uint64_t rooks[2] = {0, 0};
    for (int i = 0; i < 4; i++)
        if (position->castling_rook[i / 2][i % 2] != SEEBATCH_NO_SQUARE)
            rooks[i / 2] |= square_bb(position->castling_rook[i / 2][i % 2]);
    const uint64_t special = ep_pawn | king_to_move | rooks[0] | rooks[1];
    const uint64_t bishops = plane[0] & ~(plane[1] | plane[2]), queens = plane[0] & plane[1];
    bit[0] = (black & ~special) | rooks[SEEBATCH_WHITE] | king_to_move;
    bit[1] = (((plane[0] & plane[2]) | (plane[1] & ~plane[0])) & ~special) | rooks[SEEBATCH_BLACK] | king_to_move;
    bit[2] = bishops | (plane[1] & ~(plane[0] | plane[2])) | special;
    bit[3] = queens | (plane[1] & plane[2]) | special;
}

/* Writes the nibbles in the order of their squares, two a byte, the first one low. */
EACH_PROCESSOR void put_nibbles(unsigned char *bytes, const uint64_t bit[4], uint64_t occupied, enum means by)
{
    uint64_t nibbles[2];
    gather_nibbles(bit, occupied, nibbles, by);
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(nibbles[i / 8] >> 8 * (i % 8));
}

/* The side on which a king's move castles, written as two files or as king takes rook; -1 if it does not. */
static int side_of(const seebatch_position *position, seebatch_move move)
{
    const int king = seebatch_from(move);
    const int to = seebatch_to(move), rank = king & 56;
    for (int side = KINGSIDE; seebatch_type_on(position, king) == SEEBATCH_KING && side <= QUEENSIDE; side++) {
        const int rook = position->castling_rook[position->stm][side], target = rank + (side == KINGSIDE ? 6 : 2);
        if (rook != SEEBATCH_NO_SQUARE && (to == rook || ((king & 7) == 4 && to == target)))
            return side;
    }
    return -1;
}

static unsigned move_word(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), promotion = seebatch_promotion(move), side = side_of(position, move);
    int to = seebatch_to(move);
    unsigned type = BINPACK_NORMAL;
    if (promotion)
        type = BINPACK_PROMOTION;
    else if (side >= 0)
        type = BINPACK_CASTLING;
    else if (to == position->ep_square && seebatch_type_on(position, from) == SEEBATCH_PAWN)
        type = BINPACK_EN_PASSANT;
    if (side >= 0)
        to = position->castling_rook[position->stm][side];
    return type << 14 | (unsigned)from << 8 | (unsigned)to << 2 |
           (unsigned)(promotion ? promotion - SEEBATCH_KNIGHT : 0);
}

EACH_PROCESSOR void put_stem(struct bytes *out, const seebatch_position *position, const struct record *record,
                             int score, int result, enum means by)
{
    unsigned char stem[BINPACK_STEM] = {0};
    const uint64_t occupied = seebatch_occupied(position);
    uint64_t nibble[4];
    for (int i = 0; i < 8; i++)
        stem[i] = (unsigned char)(occupied >> (56 - 8 * i));
    find_nibbles(position, nibble);
    put_nibbles(stem + 8, nibble, occupied, by);
    put_big_endian(stem + 24, record->has & FIELD_MOVE ? move_word(position, record->move) : 0);
    put_big_endian(stem + 26, binpack_zigzag(score));
    put_big_endian(stem + 28, (unsigned)binpack_zigzag(result) << 14 | (unsigned)record->ply);
    put_big_endian(stem + 30, position->halfmove_clock);
    bytes_add(out, (const char *)stem, sizeof stem);
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

/* The end of the movetext, while bits are appended to it. There has to be room for eight bytes. */
struct tail {
    unsigned char *at; /* the first byte that may change, */
    uint64_t held;     /* its bits that are there already, as the highest ones, */
    unsigned n;        /* and how many: at most 8 */
};

static inline struct tail tail_of(const struct bytes *out, const struct binpack_writer *writer)
{
    enum { BYTE = 8, TOP = 56 }; /* where a byte begins in a word */
    unsigned char *last = (unsigned char *)out->data + out->used - 1;
    return (struct tail){last, (uint64_t)*last << TOP, (unsigned)(BYTE - writer->free_bits)};
}

static inline void keep_tail(struct bytes *out, struct binpack_writer *writer, const struct tail *tail)
{
    writer->free_bits = (int)((0 - tail->n) & 7);
    out->used = (size_t)(tail->at - (unsigned char *)out->data) + (tail->n > 0);
}

static inline void store_big_endian(unsigned char *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, sizeof word);
}

/* Appends bits, 32 at most. */
static inline void put_bits(struct tail *tail, uint64_t value, unsigned width)
{
    const uint64_t all = tail->held | value << (64 - tail->n - width);
    const unsigned n = tail->n + width;
    store_big_endian(tail->at, all);
    tail->at += n / 8;
    tail->held = all << (n & ~7u);
    tail->n = n & 7;
}

/* How many squares of a set come before one of them. */
EACH_PROCESSOR int index_of(uint64_t set, int square) { return binpack_count(set & (square_bb(square) - 1)); }

/* The groups of a score's difference, as bits after some others: four bits each, the lowest first, and in front of
 * them a bit that says whether another group follows. All four are made, and those that are not needed shifted out. */
EACH_PROCESSOR uint64_t with_groups(uint64_t bits, unsigned difference, unsigned *width)
{
    enum { GROUP = 5, MOST = 4 * GROUP };
    const uint64_t groups =
        (difference & 0xf) << 15 | (difference & 0xf0) << 6 | (difference & 0xf00) >> 3 | difference >> 12;
    const unsigned used = (31 - (unsigned)__builtin_clz(difference | 1)) / 4 * GROUP + GROUP, unused = MOST - used;
    const uint64_t follows = UINT64_C(0x84200) & ~UINT64_C(0) << (unused + GROUP);
    *width += used;
    return bits << used | (groups | follows) >> unused;
}

/* `difference` is what is added to the last score with its sign turned. */
EACH_PROCESSOR void put_ply_of(struct tail *tail, const seebatch_position *position, seebatch_move move, int difference,
                               int stm, enum means by)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t occupied = seebatch_occupied(position), own = seebatch_pieces_of_color(position, stm);
    const struct mover *const mover = mover_on(position->plane, from);
    const uint64_t ep = position->ep_square < 64 ? square_bb(position->ep_square) : 0;
    const uint64_t targets = targets_of(mover, from, stm, own, occupied, (occupied & ~own) | ep, by);
    const uint8_t *rook = position->castling_rook[stm];
    int n_castling = 0, side = -1;
    if (rook[0] != SEEBATCH_NO_SQUARE || rook[1] != SEEBATCH_NO_SQUARE) { /* a branch that can be guessed */
        n_castling = ((rook[0] != SEEBATCH_NO_SQUARE) + (rook[1] != SEEBATCH_NO_SQUARE)) & (int)mover->as_king;
        side = n_castling > 0 ? side_of(position, move) : -1;
    }
    int n = binpack_count(targets), choice = index_of(targets, to);
    if (side >= 0) {
        choice = n + (n_castling == 2 && side == KINGSIDE);
    } else if (seebatch_promotion(move)) {
        choice = 4 * choice + seebatch_promotion(move) - SEEBATCH_KNIGHT;
        n *= 4;
    }
    n += n_castling;
    const int choice_width = width_of(n + (n == 0), by);
    unsigned width = (unsigned)(width_of(binpack_count(own), by) + choice_width);
    const uint64_t text = (uint64_t)index_of(own, from) << choice_width | (uint64_t)choice;
    const uint64_t all = with_groups(text, binpack_zigzag((int16_t)(uint16_t)(unsigned)difference), &width);
    put_bits(tail, all, width);
}

/* Compiled for each side, because a constant side saves many instructions. */
EACH_PROCESSOR void put_ply(struct tail *tail, const seebatch_position *position, seebatch_move move, int difference,
                            enum means by)
{
    if (position->stm == SEEBATCH_WHITE)
        put_ply_of(tail, position, move, difference, SEEBATCH_WHITE, by);
    else
        put_ply_of(tail, position, move, difference, SEEBATCH_BLACK, by);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* Whether there is any right to castle. */
EACH_PROCESSOR bool may_castle(const seebatch_position *position)
{
    static const uint8_t none[4] = {SEEBATCH_NO_SQUARE, SEEBATCH_NO_SQUARE, SEEBATCH_NO_SQUARE, SEEBATCH_NO_SQUARE};
    return memcmp(position->castling_rook, none, sizeof none) != 0;
}

/* Returns the side's pawns that attack a square. */
EACH_PROCESSOR uint64_t pawns_on(const seebatch_position *position, int square, int stm)
{
    const uint64_t *plane = position->plane, pawns = plane[2] & ~(plane[0] | plane[1]);
    return attacks_of_pawn(square, !stm) & pawns & seebatch_pieces_of_color(position, stm);
}

/* leads_to() for moves that are rare. */
static __attribute__((noinline)) bool leads_there(const seebatch_position *last, seebatch_move move,
                                                  const seebatch_position *to)
{
    seebatch_position next = *last;
    binpack_play(&next, move);
    return next.plane[0] == to->plane[0] && next.plane[1] == to->plane[1] && next.plane[2] == to->plane[2] &&
           next.white == to->white && next.stm == to->stm && next.ep_square == to->ep_square &&
           next.halfmove_clock == to->halfmove_clock &&
           memcmp(next.castling_rook, to->castling_rook, sizeof next.castling_rook) == 0;
}

/* Whether a position is what the move on the last one leads to. What most moves change is compared without playing them: not
 * that of promotions, of pawns that capture en passant or may be captured so, and of kings and rooks as long as there
 * is a right to castle. */
EACH_PROCESSOR bool leads_to(const seebatch_position *last, seebatch_move move, const seebatch_position *to)
{
    enum { TWO_STEPS = 16 };
    const int origin = seebatch_from(move), target_square = seebatch_to(move);
    const uint64_t target = square_bb(target_square), from_to = square_bb(origin) | target, *plane = last->plane;
    const struct mover *const mover = mover_on(plane, origin);
    const uint64_t resets = mover->as_pawn | (seebatch_occupied(last) & target), kings_and_rooks = plane[1] & ~plane[0];
    const bool white = last->stm == SEEBATCH_WHITE, two_steps = (origin ^ target_square) == TWO_STEPS;
    if (seebatch_promotion(move) || (may_castle(last) && kings_and_rooks & from_to) ||
        mover->as_pawn & (0 - (uint64_t)((target_square == last->ep_square) | two_steps)))
        return leads_there(last, move, to);
    uint64_t after[3];
    move_in_planes(after, plane, mover, from_to, target);
    const uint64_t different = (after[0] ^ to->plane[0]) | (after[1] ^ to->plane[1]) | (after[2] ^ to->plane[2]) |
                               (((last->white & ~from_to) | (white ? target : 0)) ^ to->white);
    const unsigned clock = last->halfmove_clock + (unsigned)(last->halfmove_clock < UINT16_MAX);
    return different == 0 && to->stm == !last->stm && to->ep_square == SEEBATCH_NO_SQUARE &&
           to->halfmove_clock == (clock & (0 - (unsigned)(resets == 0))) &&
           memcmp(last->castling_rook, to->castling_rook, sizeof last->castling_rook) == 0;
}

/* Writes over what the last chain and its chunk say of their lengths. */
static void put_lengths(struct bytes *out, const struct binpack_writer *writer)
{
    put_big_endian((unsigned char *)out->data + writer->count, writer->n);
    put_little_endian(out->data + writer->chunk + 4, out->used - writer->chunk - BINPACK_CHUNK);
}

EACH_PROCESSOR void begin_chain(struct bytes *out, struct binpack_writer *writer, const seebatch_position *position,
                                const struct record *record, int score, int result, enum means by)
{
    if (writer->in_chunk)
        put_lengths(out, writer);
    if (!writer->in_chunk || out->used - writer->chunk >= CHUNK_GOAL) {
        writer->in_chunk = true;
        writer->chunk = out->used;
        bytes_add(out, "BINP\0\0\0", BINPACK_CHUNK);
    }
    put_stem(out, position, record, score, result, by);
    writer->count = out->used - 2;
    writer->n = 0;
    writer->free_bits = 0;
}

/* Each apart from where chains go on, which is far more often. */
static __attribute__((noinline)) void begin_by_loops(struct bytes *out, struct binpack_writer *writer,
                                                     const seebatch_position *position, const struct record *record,
                                                     int score, int result)
{
    begin_chain(out, writer, position, record, score, result, BY_LOOPS);
}

WITH_BITS static __attribute__((noinline)) void begin_by_pdep(struct bytes *out, struct binpack_writer *writer,
                                                              const seebatch_position *position,
                                                              const struct record *record, int score, int result)
{
    begin_chain(out, writer, position, record, score, result, BY_PDEP);
}

WITH_BITS static __attribute__((noinline)) void begin_by_vectors(struct bytes *out, struct binpack_writer *writer,
                                                                 const seebatch_position *position,
                                                                 const struct record *record, int score, int result)
{
    begin_chain(out, writer, position, record, score, result, BY_VECTORS);
}

/* Why a record has no place in a binpack, or NULL. */
EACH_PROCESSOR const char *why_not(const seebatch_position *position, int64_t score)
{
    if (may_castle(position) && !binpack_castles_as_usual(position))
        return "the position has a right to castle of Chess960, expected ordinary chess: binpack has no place for it";
    if (binpack_count(seebatch_occupied(position)) > BINPACK_MOST_PIECES)
        return "the position has more than 32 pieces, expected no more: binpack has no place for them";
    if (score < INT16_MIN || score > INT16_MAX)
        return "the score is not within -32768 to 32767 for the side to move, expected so: binpack has 16 bits for it";
    return NULL;
}

enum { NUMBERED_FROM = 2 }; /* the ply after which games in text say the number of a move for certain */

/* What the next record may follow. */
static void remember_last(struct binpack_writer *writer, const struct record *record, const seebatch_position *position,
                          int score, int result)
{
    writer->goes_on = record->has & FIELD_MOVE;
    writer->position = *position;
    writer->move = record->move;
    writer->game = record->game;
    writer->ply = record->ply;
    writer->score = score;
    writer->result = result;
}

EACH_PROCESSOR bool write_ply(struct bytes *out, struct binpack_writer *writer, const struct record *record,
                              const seebatch_position *position, const char **why, enum means by)
{
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1, result = sign * (record->result - RESULT_DRAW);
    const int64_t score = (int64_t)sign * record->score;
    *why = why_not(position, score);
    if (*why != NULL)
        return false;
    if (position->ep_square != SEEBATCH_NO_SQUARE &&
        (pawns_on(position, position->ep_square & 63, position->stm) == 0 || !can_capture_en_passant(position))) {
        writer->without = *position;
        writer->without.ep_square = SEEBATCH_NO_SQUARE;
        position = &writer->without;
    }

    const bool has_ply = record->ply >= 0 && record->ply <= BINPACK_MOST_PLY;
    /* As long as it grows, the number of a move tells the positions of a game apart. */
    const bool numbered =
        writer->from_games && record->game == writer->game && record->ply > NUMBERED_FROM && record->ply < UINT16_MAX;
    const bool room = writer->n < BINPACK_MOST_PLIES && (out->used - writer->count < MOST_MOVETEXT || !has_ply);
    const bool follows = writer->goes_on && room && result == -writer->result && record->ply == writer->ply + 1 &&
                         (numbered || leads_to(&writer->position, writer->move, position));
    if (!follows && !has_ply) {
        *why = "the ply is above 16383, expected no more where a chain begins: binpack has 14 bits for it";
        return false;
    }
    if (!bytes_reserve(out, BINPACK_CHUNK + BINPACK_STEM + 8)) {
        *why = "there is no memory for it";
        return false;
    }
    if (follows) {
        struct tail tail = tail_of(out, writer);
        put_ply(&tail, position, record->move, (int)score + writer->score, by);
        keep_tail(out, writer, &tail);
        writer->n++;
    } else {
        (HAS_FAST_PDEP ? begin_by_pdep
         : HAS_BITS    ? begin_by_vectors
                       : begin_by_loops)(out, writer, position, record, (int)score, result);
    }
    remember_last(writer, record, position, (int)score, result);
    return true;
}

/* Writes records as long as each follows the one before it in its chain in the usual way, and returns how many it has
 * written. Whatever else write_ply() tests holds for such a record because it holds for the one before it. */
EACH_PROCESSOR size_t write_usual_plies(struct bytes *out, struct binpack_writer *writer, const struct record *records,
                                        const seebatch_position *positions, size_t n, enum means by)
{
    const int first_ply = writer->ply + 1, room = BINPACK_MOST_PLIES - (int)writer->n;
    const int plies = BINPACK_MOST_PLY - writer->ply < room ? BINPACK_MOST_PLY - writer->ply : room;
    const int most = plies < 0 ? 0 : (size_t)plies < n ? plies : (int)n;
    if (!writer->goes_on || !bytes_reserve(out, (size_t)most * MOST_BYTES + 8))
        return 0;
    const seebatch_position *last = &writer->position;
    seebatch_move move = writer->move;
    const int result = RESULT_DRAW + (last->stm == SEEBATCH_WHITE ? writer->result : -writer->result);
    const bool numbered = writer->from_games && first_ply > NUMBERED_FROM;
    const unsigned char *end = (unsigned char *)out->data + writer->count + MOST_MOVETEXT - 1;
    struct tail tail = tail_of(out, writer);
    int i = 0, score = writer->score;
    for (; i < most && tail.at < end; i++) {
        const struct record *record = &records[i];
        const seebatch_position *position = &positions[i];
        const unsigned sign = 0u - position->stm; /* all bits, if Black is to move */
        const int next = (int)(((unsigned)record->score ^ sign) - sign);
        if ((record->ply ^ (first_ply + i)) | (record->result ^ result) | (next ^ (int16_t)next) |
            (position->ep_square ^ SEEBATCH_NO_SQUARE) | (~record->has & FIELD_MOVE))
            break;
        if (!(numbered && record->game == writer->game) && !leads_to(last, move, position))
            break;
        put_ply(&tail, position, record->move, next + score, by);
        last = position;
        move = record->move;
        score = next;
    }
    if (i > 0) {
        writer->n += (unsigned)i;
        keep_tail(out, writer, &tail);
        remember_last(writer, &records[i - 1], last, score,
                      last->stm == SEEBATCH_WHITE ? result - RESULT_DRAW : RESULT_DRAW - result);
    }
    return (size_t)i;
}

/* Writes n records; returns how many before the first that has no place, and *why. */
EACH_PROCESSOR size_t write_plies(struct bytes *out, struct binpack_writer *writer, const struct record *records,
                                  const seebatch_position *positions, size_t n, const char **why, enum means by)
{
    size_t i = 0;
    while (i < n && write_ply(out, writer, &records[i], &positions[i], why, by)) {
        i++;
        i += write_usual_plies(out, writer, records + i, positions + i, n - i, by);
    }
    if (i > 0)
        put_lengths(out, writer);
    return i;
}

static __attribute__((noinline)) size_t write_by_loops(struct bytes *out, struct binpack_writer *writer,
                                                       const struct record *records, const seebatch_position *positions,
                                                       size_t n, const char **why)
{
    return write_plies(out, writer, records, positions, n, why, BY_LOOPS);
}

WITH_BITS static size_t write_by_vectors(struct bytes *out, struct binpack_writer *writer, const struct record *records,
                                         const seebatch_position *positions, size_t n, const char **why)
{
    return write_plies(out, writer, records, positions, n, why, BY_VECTORS);
}

size_t seebatch_io_binpack_write_records(struct bytes *out, struct binpack_writer *writer, const struct record *records,
                                         const seebatch_position *positions, size_t n, const char **why)
{
    return HAS_BITS ? write_by_vectors(out, writer, records, positions, n, why)
                    : write_by_loops(out, writer, records, positions, n, why);
}
