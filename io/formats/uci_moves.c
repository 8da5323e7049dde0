/*
 * Moves in UCI notation, four at once: each word of a register belongs to a position of its own. What a piece of any
 * type could do is worked out for each, and what stands on the from-square chooses. Then the boards after the moves
 * are asked, all in one call, whether they leave a king attacked.
 */
#include "fast_moves.h"

#include "chess/inline_attacks.h"

#ifdef __x86_64__

enum { MOVES = 4 };

typedef uint64_t four_words __attribute__((vector_size(8 * MOVES)));
typedef int64_t four_numbers __attribute__((vector_size(8 * MOVES)));

/* Four boards. */
struct four_boards {
    four_words plane[3], white, occupied, own;
    four_words black_moves; /* all ones or 0 */
};

/* Four moves: their squares, their bits, and what stands on the from-square as the planes say it, each all ones or
 * 0. */
struct four_moves {
    four_words from, to, from_bit, to_bit, piece[3];
};

WITH_BITS static inline four_words when(four_numbers condition) { return (four_words)condition; }

WITH_BITS static inline four_words product(four_numbers a, four_numbers b)
{
    return (four_words)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}

/* Rows of four words become columns, and back. */
WITH_BITS static inline void transpose_words(four_words row[MOVES])
{
    const __m256i a = _mm256_unpacklo_epi64((__m256i)row[0], (__m256i)row[1]),
                  b = _mm256_unpackhi_epi64((__m256i)row[0], (__m256i)row[1]),
                  c = _mm256_unpacklo_epi64((__m256i)row[2], (__m256i)row[3]),
                  d = _mm256_unpackhi_epi64((__m256i)row[2], (__m256i)row[3]);
    row[0] = (four_words)_mm256_permute2x128_si256(a, c, 0x20);
    row[1] = (four_words)_mm256_permute2x128_si256(b, d, 0x20);
    row[2] = (four_words)_mm256_permute2x128_si256(a, c, 0x31);
    row[3] = (four_words)_mm256_permute2x128_si256(b, d, 0x31);
}

WITH_BITS static inline struct four_boards load_boards(const seebatch_position *p)
{
    four_words row[MOVES];
    struct four_boards b;
    for (int i = 0; i < MOVES; i++)
        memcpy(&row[i], p[i].plane, sizeof row[i]); /* with white after the planes */
    transpose_words(row);
    memcpy(b.plane, row, sizeof b.plane);
    b.white = row[3];
    b.occupied = row[0] | row[1] | row[2];
    b.black_moves = 0 - (four_words){p[0].stm, p[1].stm, p[2].stm, p[3].stm};
    b.own = b.white ^ (b.occupied & b.black_moves);
    return b;
}

static inline uint64_t word_of_text(struct cell text)
{
    uint32_t word;
    memcpy(&word, text.length == sizeof word ? text.text : "none", sizeof word);
    return word;
}

/* Reads the moves of four texts. *named says of each whether it names two squares. */
WITH_BITS static inline struct four_moves moves_of_texts(const struct usual *usual, const struct four_boards *b,
                                                         four_words *named)
{
    const four_words text = {word_of_text(usual[0].texts[0]), word_of_text(usual[1].texts[0]),
                             word_of_text(usual[2].texts[0]), word_of_text(usual[3].texts[0])};
    const four_words squares = text - UINT64_C(0x31613161), one = {1, 1, 1, 1}; /* a1a1, as in take_squares() */
    struct four_moves m;
    *named = when((squares & UINT64_C(0xf8f8f8f8)) == 0);
    m.from = (squares & 7) | (squares >> 5 & 56);
    m.to = (squares >> 16 & 7) | (squares >> 21 & 56);
    m.from_bit = one << m.from;
    m.to_bit = one << m.to;
    for (int i = 0; i < 3; i++)
        m.piece[i] = when((b->plane[i] & m.from_bit) != 0);
    return m;
}

/* Whether squares between are empty, on a line; which line it is follows from files and ranks. */
WITH_BITS static inline four_words is_open(const struct four_moves *m, four_words occupied, four_numbers files,
                                           four_numbers ranks)
{
    const four_words both = m->from_bit | m->to_bit, lower = both & (0 - both), between = (both ^ lower) - 2 * lower;
    const four_words on_file = when(files == 0), on_rank = when(ranks == 0), on_diagonal = when(files == ranks);
    const uint64_t diagonal = UINT64_C(0x8040201008040201), antidiagonal = UINT64_C(0x0002040810204080);
    four_words line = (on_diagonal & diagonal) | (~on_diagonal & antidiagonal);
    line = (on_file & SET_FILE_A) | (~on_file & line);
    line = on_rank | (~on_rank & line);
    const four_words first = (four_words)_mm256_min_epu8((__m256i)m->from, (__m256i)m->to);
    return when((line << first & between & occupied) == 0);
}

/* Whether the pieces move in this way, whatever that means for their kings. Castling, promotions and en passant are not
 * decided here. */
WITH_BITS static inline four_words can_move(const struct four_boards *b, const struct four_moves *m)
{
    const four_numbers files = (four_numbers)((m->to & 7) - (m->from & 7)),
                       ranks = (four_numbers)((m->to >> 3) - (m->from >> 3));
    const four_words wide = product(files, files), high = product(ranks, ranks), distance = wide + high;
    const four_words free = is_open(m, b->occupied, files, ranks), *piece = m->piece;
    const four_words along = (when(wide == high) & piece[0]) | (when((files == 0) | (ranks == 0)) & piece[1]);
    const four_words leaps = (when(distance == 5) & piece[0]) | (when((four_numbers)distance <= 2) & piece[1]);

    const four_words empty = when((b->occupied & m->to_bit) == 0),
                     second = (SET_RANK_1 << 8) ^ (b->black_moves & (SET_RANK_1 << 8 | SET_RANK_1 << 48));
    const four_words steps = (m->to ^ b->black_moves) - (m->from ^ b->black_moves); /* upward; of Black downward */
    const four_words two = when(steps == 16) & when((m->from_bit & second) != 0) & free;
    const four_words advances = (when(steps == 8) | two) & empty,
                     captures = when(distance == 2) & when((four_numbers)steps > 0) & ~empty;
    const four_words last = when((m->to_bit & (SET_RANK_1 | SET_RANK_1 << 56)) != 0);
    const four_words pawn = (advances | captures) & ~(piece[0] | piece[1] | last);

    const four_words here = when((b->own & m->from_bit) != 0) & when((b->own & m->to_bit) == 0);
    return here & ((along & free & ~piece[2]) | ((leaps | pawn) & piece[2]));
}

/* The boards after moves, with stm as it was: it is the king of the side that has moved who must not be attacked.
 * Those whose bits are set stand one after another; room for one more is written. */
WITH_BITS static inline void store_boards(const struct four_boards *b, const struct four_moves *m, unsigned bits,
                                          const seebatch_position *before, seebatch_position *after)
{
    four_words row[MOVES];
    for (int i = 0; i < 3; i++)
        row[i] = (b->plane[i] & ~(m->from_bit | m->to_bit)) | (m->piece[i] & m->to_bit);
    row[3] = (b->white & ~(m->from_bit | m->to_bit)) | (m->to_bit & ~b->black_moves);
    transpose_words(row);
    for (int i = 0; i < MOVES; i++) {
        memcpy(after->plane, &row[i], sizeof row[i]);
        after->stm = before[i].stm;
        after += bits >> i & 1;
    }
}

/* Finds moves except for the safety of kings: with the boards after them, and the numbers of their records. Returns how
 * many; room for one more is written. */
WITH_BITS static size_t find_in_lanes(const seebatch_position *positions, const struct usual *usual, size_t n,
                                      seebatch_position *after, seebatch_move *moves, uint8_t *owners)
{
    size_t found = 0;
    unsigned bits = 1;
    for (size_t i = 0; i + MOVES <= n && bits != 0; i += MOVES) {
        four_words named;
        const struct four_boards b = load_boards(positions + i);
        const struct four_moves m = moves_of_texts(usual + i, &b, &named);
        const four_words move = m.from | m.to << 6;
        bits = (unsigned)_mm256_movemask_pd((__m256d)(can_move(&b, &m) & named));
        store_boards(&b, &m, bits, positions + i, after + found);
        for (unsigned k = 0; k < MOVES; k++) {
            moves[found] = (seebatch_move)move[k];
            owners[found] = (uint8_t)(i + k);
            found += bits >> k & 1;
        }
    }
    return found;
}

size_t seebatch_io_find_uci_moves(const seebatch_position *positions, const struct usual *usual, size_t n,
                                  struct record *records)
{
    seebatch_position after[BULK_AT_ONCE + 1];
    seebatch_move moves[BULK_AT_ONCE + 1];
    uint8_t owners[BULK_AT_ONCE + 1];
    bool checked[BULK_AT_ONCE];
    const size_t found = find_in_lanes(positions, usual, n, after, moves, owners);
    size_t legal = 0;
    seebatch_batch_in_check(after, found, checked, NULL);
    for (size_t k = 0; k < found; k++) {
        records[owners[k]].move = moves[k];
        records[owners[k]].has |= checked[k] ? 0 : FIELD_MOVE;
        legal += !checked[k];
    }
    return legal;
}
#else
size_t seebatch_io_find_uci_moves(const seebatch_position *positions, const struct usual *usual, size_t n,
                                  struct record *records)
{
    return (void)positions, (void)usual, (void)n, (void)records, 0;
}
#endif
