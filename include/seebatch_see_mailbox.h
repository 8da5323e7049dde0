/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors; the licence is that of seebatch_see.h. */
/*
 * seebatch_see_mailbox.h: the functions of seebatch_see.h for engines that keep a mailbox, a byte for each square.
 *
 * A mailbox has two uses. With AVX512-VBMI and AVX512-BITALG (-march=native on Ice Lake, Zen 4 and later), two
 * instructions read all pieces in the order of the rays from a square, which is faster than bitboards. And an engine
 * without bitboards needs nothing but its mailbox; the pieces are then read in this order with AVX2 as well. The
 * answers are those of seebatch_see.h, which this header includes.
 *
 *     #define SEEBATCH_SEE_CODE(type, color) (4 * (type) + (color))
 *     #include "seebatch_see_mailbox.h"
 *
 *     const seebatch_see_board board = {b->types, b->colors, b->stm, NULL};
 *     return seebatch_see_mailbox_ge(&rules, SEEBATCH_SEE_MAILBOX(b->squares), &board, NULL, move, threshold);
 *
 * Before the #include, define what seebatch_see.h needs, and these macros:
 *
 * SEEBATCH_SEE_CODE(type, color)   the byte of a piece, a constant from 0 to 255.
 * SEEBATCH_SEE_CODE_MASK           the bits of a byte that hold the piece, if the engine also uses others, for example
 *                                  for the number of a piece. If it is not defined, the lowest four, five, six or eight
 *                                  bits count, as many as the codes need. In these bits, an empty square must differ
 *                                  from all pieces.
 * SEEBATCH_SEE_PLAIN               only to do without AVX2 and AVX-512.
 *
 * The mailbox must agree with the bitboards, if there are any. If there are none, set types and colors of the board to
 * NULL. Color 0 of the mailbox is then the color whose pawns capture towards higher squares, unless SEEBATCH_SEE_UP
 * names the other one. The array needs no alignment, and square 0 may be a1 or a8.
 */
#ifndef SEEBATCH_SEE_MAILBOX_H
#define SEEBATCH_SEE_MAILBOX_H

#include "seebatch_see.h"

#include <string.h>

#if defined(SEEBATCH_SEE_PLAIN)
#elif defined(__AVX512BW__) && defined(__AVX512VBMI__) && defined(__AVX512BITALG__)
#define SEEBATCH_SEE_LANES 64
#elif defined(__AVX2__)
#define SEEBATCH_SEE_LANES 32
#endif
#ifdef SEEBATCH_SEE_LANES
#include <immintrin.h>
#endif

/* ---- The mailbox ------------------------------------------------------------------------------------------------- */

/* A mailbox, which SEEBATCH_SEE_MAILBOX() makes from an array of 64 bytes, from a pointer to a byte, or from a pointer to
 * an object of 64 bytes that is a whole board. The compiler refuses everything else, such as an array of int, an array of
 * 128 bytes, or a pointer to void. */
typedef struct seebatch_see_mailbox {
    const void *bytes;
} seebatch_see_mailbox;

#define SEEBATCH_SEE_MAILBOX_SENTENCE                                                                                  \
    "a mailbox needs one byte for each square: an array of 64 bytes, or a pointer to a byte or to a board of 64 bytes"

#ifdef __cplusplus
template <typename T> struct seebatch_see_pointee {
    static constexpr bool fits = false;
};
template <typename Square> struct seebatch_see_pointee<Square *> {
    static constexpr bool fits = sizeof(Square) == 1 || sizeof(Square) == 64;
};
template <> struct seebatch_see_pointee<void *> {
    static constexpr bool fits = false;
};
template <> struct seebatch_see_pointee<const void *> {
    static constexpr bool fits = false;
};
template <typename Square, size_t n> struct seebatch_see_pointee<Square[n]> {
    static constexpr bool fits = n * sizeof(Square) == 64 && (n == 1 || n == 64);
};
template <typename T> static inline seebatch_see_mailbox seebatch_see_mailbox_of(const T &squares)
{
    static_assert(seebatch_see_pointee<T>::fits, SEEBATCH_SEE_MAILBOX_SENTENCE);
    return {squares};
}
#define SEEBATCH_SEE_MAILBOX(squares) seebatch_see_mailbox_of(squares)
#else
/* Whether an expression is a pointer, and not an array. */
#define SEEBATCH_SEE_IS_POINTER(squares) __builtin_types_compatible_p(__typeof__(squares), __typeof__(&(squares)[0]))
#define SEEBATCH_SEE_MAILBOX(squares)                                                                                  \
    ((seebatch_see_mailbox){(squares) + 0 * sizeof(struct {                                                            \
                                            _Static_assert(                                                            \
                                                !__builtin_types_compatible_p(__typeof__(*(squares)), void) &&         \
                                                    (sizeof *(squares) == 1 || sizeof *(squares) == 64) &&             \
                                                    (SEEBATCH_SEE_IS_POINTER(squares) || sizeof(squares) == 64),       \
                                                SEEBATCH_SEE_MAILBOX_SENTENCE);                                        \
                                            int one;                                                                   \
                                        })})
#endif

/* A table turns the byte of a piece into bits: 1 for a pawn that captures towards higher squares, 2 for a pawn that
 * captures towards lower ones, 4 to 0x40 for the other types, and in addition 0x80 for color 1. An empty square has no
 * bits. */
#ifndef SEEBATCH_SEE_CODE
#error "seebatch_see_mailbox.h: define SEEBATCH_SEE_CODE(type, color) before the #include"
#define SEEBATCH_SEE_CODE(type, color) (8 * (color) + (type) + 1) /* so that nothing else is reported */
#endif
#ifdef SEEBATCH_SEE_CODE_MASK
enum { SEEBATCH_SEE_MASK = (SEEBATCH_SEE_CODE_MASK), SEEBATCH_SEE_MASKS = 1 };
#else
#define SEEBATCH_SEE_BOTH(type) ((SEEBATCH_SEE_CODE(type, 1)) | (SEEBATCH_SEE_CODE(type, 0)))
enum {
    SEEBATCH_SEE_ANY = SEEBATCH_SEE_BOTH(0) | SEEBATCH_SEE_BOTH(1) | SEEBATCH_SEE_BOTH(2) | SEEBATCH_SEE_BOTH(3) |
                       SEEBATCH_SEE_BOTH(4) | SEEBATCH_SEE_BOTH(5),
    SEEBATCH_SEE_MASK = SEEBATCH_SEE_ANY < 16   ? 15
                        : SEEBATCH_SEE_ANY < 32 ? 31
                        : SEEBATCH_SEE_ANY < 64 ? 63
                                                : 255,
    SEEBATCH_SEE_MASKS = 0
};
#endif
SEEBATCH_SEE_ASSERT(SEEBATCH_SEE_MASK > 0 && SEEBATCH_SEE_MASK < 256, "SEEBATCH_SEE_CODE_MASK has to be from 1 to 255");

/* Each piece needs a code of its own, from 0 to 255. The compiler refuses a case that stands here twice. */
static inline bool seebatch_see_is_code(int code)
{
#define SEEBATCH_SEE_CASES(type)                                                                                       \
    case (SEEBATCH_SEE_CODE(type, 0)) & SEEBATCH_SEE_MASK:                                                             \
    case (SEEBATCH_SEE_CODE(type, 1)) & SEEBATCH_SEE_MASK:
    switch (code) {
        SEEBATCH_SEE_CASES(0)
        SEEBATCH_SEE_CASES(1)
        SEEBATCH_SEE_CASES(2)
        SEEBATCH_SEE_CASES(3)
        SEEBATCH_SEE_CASES(4)
        SEEBATCH_SEE_CASES(5)
        return true;
    default: return false;
    }
}

enum {
    SEEBATCH_SEE_SHIFT = __builtin_ctz(SEEBATCH_SEE_MASK),
    SEEBATCH_SEE_LAST = SEEBATCH_SEE_MASK >> SEEBATCH_SEE_SHIFT
};

#define SEEBATCH_SEE_IS(index, type, color)                                                                            \
    ((index) << SEEBATCH_SEE_SHIFT == ((SEEBATCH_SEE_CODE(type, color)) & SEEBATCH_SEE_MASK))
#define SEEBATCH_SEE_BIT(index, type, bit)                                                                             \
    (SEEBATCH_SEE_IS(index, type, 0)   ? (!(type) && SEEBATCH_SEE_UP != 0 ? 2 : (bit))                                 \
     : SEEBATCH_SEE_IS(index, type, 1) ? 0x80 | (!(type) && SEEBATCH_SEE_UP != 1 ? 2 : (bit))                          \
                                       : 0)
#define SEEBATCH_SEE_BITS(index)                                                                                       \
    SEEBATCH_SEE_BIT(index, 0, 1)                                                                                      \
    | SEEBATCH_SEE_BIT(index, 1, 4) | SEEBATCH_SEE_BIT(index, 2, 8) | SEEBATCH_SEE_BIT(index, 3, 0x10) |               \
        SEEBATCH_SEE_BIT(index, 4, 0x20) | SEEBATCH_SEE_BIT(index, 5, 0x40)
#define SEEBATCH_SEE_FOUR(index)                                                                                       \
    SEEBATCH_SEE_BITS(index), SEEBATCH_SEE_BITS((index) + 1), SEEBATCH_SEE_BITS((index) + 2),                          \
        SEEBATCH_SEE_BITS((index) + 3)
#define SEEBATCH_SEE_SIXTEEN(index)                                                                                    \
    SEEBATCH_SEE_FOUR(index), SEEBATCH_SEE_FOUR((index) + 4), SEEBATCH_SEE_FOUR((index) + 8),                          \
        SEEBATCH_SEE_FOUR((index) + 12)
#define SEEBATCH_SEE_ROW_OF(index) SEEBATCH_SEE_SIXTEEN(SEEBATCH_SEE_LAST < 16 ? (index)&15 : (index))
#define SEEBATCH_SEE_SIXTY_FOUR(index)                                                                                 \
    SEEBATCH_SEE_ROW_OF(index), SEEBATCH_SEE_ROW_OF((index) + 16), SEEBATCH_SEE_ROW_OF((index) + 32),                  \
        SEEBATCH_SEE_ROW_OF((index) + 48)
/* The bits of each code; of small ones again and again, for every lane of 128 bits. */
static const uint8_t seebatch_see_bits[256]
    __attribute__((aligned(64), unused)) = {SEEBATCH_SEE_SIXTY_FOUR(0), SEEBATCH_SEE_SIXTY_FOUR(64),
                                            SEEBATCH_SEE_SIXTY_FOUR(128), SEEBATCH_SEE_SIXTY_FOUR(192)};

#ifdef SEEBATCH_SEE_LANES
/* ---- All squares at once ---------------------------------------------------------------------------------------- */

/* A byte for each square: one vector, or two halves of the board. */
#if SEEBATCH_SEE_LANES == 64
typedef __m512i seebatch_see_vector;
#define SEEBATCH_SEE_V(operation) _mm512_##operation
#else
typedef __m256i seebatch_see_vector;
#define SEEBATCH_SEE_V(operation) _mm256_##operation
#endif
enum { SEEBATCH_SEE_VECTORS = 64 / SEEBATCH_SEE_LANES };

typedef struct seebatch_see_bytes {
    seebatch_see_vector v[SEEBATCH_SEE_VECTORS];
} seebatch_see_bytes;

/* 64 bytes. (gcc 16, tuned for processors with AVX-512, would turn a memcpy() into a copy on the stack by halves, which
 * takes a dozen cycles to read back as one vector.) */
SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_load(const void *bytes)
{
    seebatch_see_bytes all;
#if SEEBATCH_SEE_LANES == 64
    all.v[0] = _mm512_loadu_si512(bytes);
#else
    all.v[0] = _mm256_loadu_si256(SEEBATCH_SEE_CAST(const __m256i *, bytes));
    all.v[1] = _mm256_loadu_si256(SEEBATCH_SEE_CAST(const __m256i *, bytes) + 1);
#endif
    return all;
}

SEEBATCH_SEE_INLINE seebatch_see_vector seebatch_see_splat(int byte)
{
    return SEEBATCH_SEE_V(set1_epi8)(SEEBATCH_SEE_CAST(char, byte));
}

/* Sixteen bytes, repeated in every lane of 128 bits. */
SEEBATCH_SEE_INLINE seebatch_see_vector seebatch_see_sixteen(const void *bytes)
{
    __m128i sixteen;
    memcpy(&sixteen, bytes, sizeof sixteen);
#if SEEBATCH_SEE_LANES == 64
    return _mm512_maskz_broadcast_i32x4(0xffff, sixteen); /* without a mask g++ warns of what is undefined behind it */
#else
    return _mm256_broadcastsi128_si256(sixteen);
#endif
}

/* A bitboard of the bytes that share a bit with the corresponding byte of bits. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_test(seebatch_see_bytes bytes, seebatch_see_bytes bits)
{
#if SEEBATCH_SEE_LANES == 64
    uint64_t which = _cvtmask64_u64(_mm512_test_epi8_mask(bytes.v[0], bits.v[0]));
    __asm__("" : "+r"(which)); /* gcc would leave it in a mask register, and fetch it from there for each use */
#else
    const __m256i none = _mm256_setzero_si256();
    const int low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes.v[0] & bits.v[0], none)),
              high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes.v[1] & bits.v[1], none));
    const uint64_t which = ~(SEEBATCH_SEE_CAST(unsigned, low) | SEEBATCH_SEE_CAST(uint64_t, high) << 32);
#endif
    return which;
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_which(seebatch_see_bytes bytes, int bits)
{
    seebatch_see_bytes all;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++)
        all.v[i] = seebatch_see_splat(bits);
    return seebatch_see_test(bytes, all);
}

/* A bitboard of the bytes whose highest bit is set. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_highest(seebatch_see_bytes bytes)
{
#if SEEBATCH_SEE_LANES == 64
    uint64_t which = _cvtmask64_u64(_mm512_movepi8_mask(bytes.v[0]));
    __asm__("" : "+r"(which));
    return which;
#else
    const int low = _mm256_movemask_epi8(bytes.v[0]), high = _mm256_movemask_epi8(bytes.v[1]);
    return SEEBATCH_SEE_CAST(unsigned, low) | SEEBATCH_SEE_CAST(uint64_t, high) << 32;
#endif
}

/* The bits of 64 codes, by the table. */
SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_bits_of(seebatch_see_bytes codes)
{
    seebatch_see_bytes bits;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        seebatch_see_vector v = codes.v[i];
        if (SEEBATCH_SEE_MASKS || SEEBATCH_SEE_LAST == 255)
            v = SEEBATCH_SEE_V(srli_epi16)(v, SEEBATCH_SEE_SHIFT) & seebatch_see_splat(SEEBATCH_SEE_LAST);
        if (SEEBATCH_SEE_LAST < 16) {
            bits.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_load(seebatch_see_bits).v[i], v);
            continue;
        }
#if SEEBATCH_SEE_LANES == 64
        if (SEEBATCH_SEE_LAST < 64) {
            bits.v[i] = _mm512_maskz_permutexvar_epi8(~UINT64_C(0), v, seebatch_see_load(seebatch_see_bits).v[0]);
            continue;
        }
#endif
        bits.v[i] = seebatch_see_splat(0);
        for (int block = 0; block <= SEEBATCH_SEE_LAST; block += 16) {
            /* beyond the block's sixteen codes the highest bit is set, which makes it 0 */
            const seebatch_see_vector index =
                SEEBATCH_SEE_V(adds_epu8)(v ^ seebatch_see_splat(block), seebatch_see_splat(0x70));
            bits.v[i] |= SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(seebatch_see_bits + block), index);
        }
    }
    return bits;
}

/* The bytes of a mailbox on 64 squares, each from 0 to 63. */
SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_codes_on(const void *mailbox, seebatch_see_bytes squares)
{
    seebatch_see_bytes codes;
#if SEEBATCH_SEE_LANES == 64
    codes.v[0] = _mm512_maskz_permutexvar_epi8(~UINT64_C(0), squares.v[0], seebatch_see_load(mailbox).v[0]);
#else
    const char *board = SEEBATCH_SEE_CAST(const char *, mailbox);
    const seebatch_see_vector a = seebatch_see_sixteen(board), b = seebatch_see_sixteen(board + 16),
                              c = seebatch_see_sixteen(board + 32), d = seebatch_see_sixteen(board + 48);
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        const seebatch_see_vector square = squares.v[i];
        const __m256i odd = _mm256_slli_epi16(square, 3), upper = _mm256_slli_epi16(square, 2);
        const __m256i low = _mm256_blendv_epi8(_mm256_shuffle_epi8(a, square), _mm256_shuffle_epi8(b, square), odd);
        const __m256i high = _mm256_blendv_epi8(_mm256_shuffle_epi8(c, square), _mm256_shuffle_epi8(d, square), odd);
        codes.v[i] = _mm256_blendv_epi8(low, high, upper);
    }
#endif
    return codes;
}

/* Which of 64 squares, each from 0 to 63, are in a bitboard. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_among(seebatch_see_bytes squares, uint64_t bitboard)
{
#if SEEBATCH_SEE_LANES == 64
    const __m512i all = _mm512_set1_epi64(SEEBATCH_SEE_CAST(long long, bitboard));
    uint64_t among = _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(all, squares.v[0]));
    __asm__("" : "+r"(among));
    return among;
#else
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t twice[2] = {bitboard, bitboard};
    seebatch_see_bytes rows, bits;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        const seebatch_see_vector row = SEEBATCH_SEE_V(srli_epi16)(squares.v[i], 3) & seebatch_see_splat(7);
        rows.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(twice), row);
        bits.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(bit), squares.v[i]);
    }
    return seebatch_see_test(rows, bits);
#endif
}
#endif

/* Writes the bitboards of a mailbox, in the form that seebatch_see_board has and seebatch_position_from_bitboards() of
 * the library takes. */
SEEBATCH_SEE_INLINE void seebatch_see_bitboards_of(seebatch_see_mailbox mailbox, uint64_t types[6], uint64_t colors[2])
{
#ifdef SEEBATCH_SEE_LANES
    const seebatch_see_bytes bits = seebatch_see_bits_of(seebatch_see_load(mailbox.bytes));
    types[0] = seebatch_see_which(bits, 3);
    for (int type = SEEBATCH_SEE_KNIGHT; type <= SEEBATCH_SEE_KING; type++)
        types[type] = seebatch_see_which(bits, 2 << type);
    colors[1] = seebatch_see_highest(bits);
#else
    const uint8_t *codes = SEEBATCH_SEE_CAST(const uint8_t *, mailbox.bytes);
    uint64_t sets[8] = {0, 0, 0, 0, 0, 0, 0, 0}; /* each has a bit of the bits */
    for (int row = 0; row < 64; row += 8) {
        uint64_t bits = 0;
        for (int file = 0; file < 8; file++) {
            const int index = (codes[row + file] & SEEBATCH_SEE_MASK) >> SEEBATCH_SEE_SHIFT;
            bits |= SEEBATCH_SEE_CAST(uint64_t, seebatch_see_bits[index]) << 8 * file;
        }
        for (int i = 0; i < 8; i++) /* the multiplication moves a bit of each byte into the highest one */
            sets[i] |= ((bits >> i & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << row;
    }
    types[0] = sets[0] | sets[1];
    for (int type = SEEBATCH_SEE_KNIGHT; type <= SEEBATCH_SEE_KING; type++)
        types[type] = sets[type + 1];
    colors[1] = sets[7];
#endif
    colors[0] = (types[0] | types[1] | types[2] | types[3] | types[4] | types[5]) & ~colors[1];
}

/* The same as seebatch_see_ge(), or if threshold is NULL as seebatch_see_value(), from the bitboards, or from the
 * mailbox if there are none. It is not inlined, because only the few exchanges that are not decided on the rays need
 * it. */
static __attribute__((noinline, unused)) int
seebatch_see_mailbox_apart(const seebatch_see_rules *rules, seebatch_see_mailbox mailbox,
                           const seebatch_see_board *board, const seebatch_see_pins *pins,
                           const seebatch_see_move *move, const int *threshold)
{
    uint64_t types[6], colors[2];
    seebatch_see_board whole = *board;
    if (!board->types) {
        seebatch_see_bitboards_of(mailbox, types, colors);
        whole.types = types;
        whole.colors = colors;
    }
    return threshold ? seebatch_see_decide(rules, &whole, pins, *move, *threshold)
                     : seebatch_see_value(rules, &whole, pins, *move);
}

#ifdef SEEBATCH_SEE_CHECK
/* What a call is given, beyond what seebatch_see_check() sees. */
static __attribute__((unused)) void seebatch_see_check_mailbox(const seebatch_see_rules *rules,
                                                               seebatch_see_mailbox mailbox,
                                                               const seebatch_see_board *board,
                                                               const seebatch_see_pins *pins,
                                                               const seebatch_see_move *move)
{
    uint64_t types[6], colors[2];
    seebatch_see_board whole = *board;
    if (!mailbox.bytes)
        seebatch_see_stop(NULL, move, "the mailbox is NULL, expected 64 bytes");
    if (!board->types != !board->colors)
        seebatch_see_stop(NULL, move, "board.%s is NULL and board.%s is not, expected both or neither",
                          board->types ? "colors" : "types", board->types ? "types" : "colors");
    seebatch_see_bitboards_of(mailbox, types, colors);
    whole.types = types;
    whole.colors = colors;
    for (int square = 0; board->types && square < 64; square++) {
        const int type = seebatch_see_type_on(board, square), color = board->colors[1] >> square & 1;
        if (type == seebatch_see_type_on(&whole, square) && color == SEEBATCH_SEE_CAST(int, colors[1] >> square & 1))
            continue;
        seebatch_see_stop(
            &whole, move,
            "byte %d of the mailbox is 0x%02x, which stands for %s, but the bitboards have the type %d of "
            "color %d on that square, where 6 is an empty square; expected the same in both. The board "
            "below is that of the mailbox",
            square, SEEBATCH_SEE_CAST(const uint8_t *, mailbox.bytes)[square],
            seebatch_see_type_on(&whole, square) > SEEBATCH_SEE_KING ? "an empty square" : "a piece", type, color);
    }
    seebatch_see_check(rules, &whole, pins, move);
}
#define SEEBATCH_SEE_CHECK_MAILBOX(rules, mailbox, board, pins, move)                                                  \
    seebatch_see_check_mailbox(rules, mailbox, board, pins, &(move))
#else
#define SEEBATCH_SEE_CHECK_MAILBOX(rules, mailbox, board, pins, move) SEEBATCH_SEE_NOTHING
#endif

#ifdef SEEBATCH_SEE_LANES
/* ---- The decision from a mailbox --------------------------------------------------------------------------------

 * The pieces are read in the order of the rays from the to-square. From a square, 64 others matter: seven on each of
 * eight rays, and eight that are a knight's jump away. A few instructions bring the whole mailbox into that order, or a
 * single one with AVX512-VBMI. A set of squares is then eight bytes, one for each ray. Bit 0 of a byte is the nearest
 * square of the ray, and bit 7 is one of the jumps:
 *
 *     byte   0     1     2     3     4     5     6     7
 *     ray    SW    S     SE    W     E     NW    N     NE
 *     jump  -17   -15   -10    -6    +6   +10   +15   +17   (squares)
 *
 * In this order, one subtraction of 1 from each byte finds the nearest pieces on all rays. Bit 7 is set, so that no
 * byte borrows from the next one.
 */
#define SEEBATCH_SEE_ON(f, r, x, y)                                                                                    \
    ((f) + (x) >= 0 && (f) + (x) < 8 && (r) + (y) >= 0 && (r) + (y) < 8 ? ((f) + (x) + 8 * ((r) + (y))) & 63           \
                                                                        : (f) + 8 * (r))
#define SEEBATCH_SEE_RAY(f, r, x, y, jump_x, jump_y)                                                                   \
    SEEBATCH_SEE_ON(f, r, x, y), SEEBATCH_SEE_ON(f, r, 2 * (x), 2 * (y)), SEEBATCH_SEE_ON(f, r, 3 * (x), 3 * (y)),     \
        SEEBATCH_SEE_ON(f, r, 4 * (x), 4 * (y)), SEEBATCH_SEE_ON(f, r, 5 * (x), 5 * (y)),                              \
        SEEBATCH_SEE_ON(f, r, 6 * (x), 6 * (y)), SEEBATCH_SEE_ON(f, r, 7 * (x), 7 * (y)),                              \
        SEEBATCH_SEE_ON(f, r, jump_x, jump_y)
#define SEEBATCH_SEE_RAYS(f, r)                                                                                        \
    {                                                                                                                  \
        SEEBATCH_SEE_RAY(f, r, -1, -1, -1, -2), SEEBATCH_SEE_RAY(f, r, 0, -1, 1, -2),                                  \
            SEEBATCH_SEE_RAY(f, r, 1, -1, -2, -1), SEEBATCH_SEE_RAY(f, r, -1, 0, 2, -1),                               \
            SEEBATCH_SEE_RAY(f, r, 1, 0, -2, 1), SEEBATCH_SEE_RAY(f, r, -1, 1, 2, 1),                                  \
            SEEBATCH_SEE_RAY(f, r, 0, 1, -1, 2), SEEBATCH_SEE_RAY(f, r, 1, 1, 1, 2)                                    \
    }
#define SEEBATCH_SEE_RAYS_OF_RANK(r)                                                                                   \
    SEEBATCH_SEE_RAYS(0, r), SEEBATCH_SEE_RAYS(1, r), SEEBATCH_SEE_RAYS(2, r), SEEBATCH_SEE_RAYS(3, r),                \
        SEEBATCH_SEE_RAYS(4, r), SEEBATCH_SEE_RAYS(5, r), SEEBATCH_SEE_RAYS(6, r), SEEBATCH_SEE_RAYS(7, r)

/* The square of each bit. Beyond the edge of the board it is the to-square, which never counts as occupied. */
static const uint8_t seebatch_see_rays[64][64] __attribute__((aligned(64), unused)) = {
    SEEBATCH_SEE_RAYS_OF_RANK(0), SEEBATCH_SEE_RAYS_OF_RANK(1), SEEBATCH_SEE_RAYS_OF_RANK(2),
    SEEBATCH_SEE_RAYS_OF_RANK(3), SEEBATCH_SEE_RAYS_OF_RANK(4), SEEBATCH_SEE_RAYS_OF_RANK(5),
    SEEBATCH_SEE_RAYS_OF_RANK(6), SEEBATCH_SEE_RAYS_OF_RANK(7)};

#define SEEBATCH_SEE_NEXT UINT64_C(0x0101010101010101) /* the nearest square of each ray */
#define SEEBATCH_SEE_JUMPS UINT64_C(0x8080808080808080)

/* The pieces that attack from each square of a ray, or from a jump. Pawns attack only from the nearest square. */
#define SEEBATCH_SEE_REACH_DIAGONAL(pawn) 0x68 | (pawn), 0x28, 0x28, 0x28, 0x28, 0x28, 0x28, 4
#define SEEBATCH_SEE_REACH_LINE 0x70, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 4
static const uint8_t seebatch_see_reach[64] __attribute__((aligned(64), unused)) = {
    SEEBATCH_SEE_REACH_DIAGONAL(1), SEEBATCH_SEE_REACH_LINE,       SEEBATCH_SEE_REACH_DIAGONAL(1),
    SEEBATCH_SEE_REACH_LINE,        SEEBATCH_SEE_REACH_LINE,       SEEBATCH_SEE_REACH_DIAGONAL(2),
    SEEBATCH_SEE_REACH_LINE,        SEEBATCH_SEE_REACH_DIAGONAL(2)};

/* The pieces that stand on the rays, without those on the to-square and on the one or two squares in gone. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_occupied_on(seebatch_see_bytes bits, seebatch_see_bytes rays, int to,
                                                      uint64_t gone)
{
#if SEEBATCH_SEE_LANES == 64
    return seebatch_see_test(bits, bits) & ~seebatch_see_among(rays, gone | seebatch_see_bit(to));
#else
    const int low = __builtin_ctzll(gone), high = 63 - __builtin_clzll(gone);
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        const __m256i taken = _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(to)) |
                              _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(low)) |
                              _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(high));
        bits.v[i] = _mm256_andnot_si256(taken, bits.v[i]);
    }
    return seebatch_see_test(bits, bits);
#endif
}

/* The nearest pieces on all rays, and possibly bits of jumps. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_nearest(uint64_t occupied)
{
    const uint64_t ending = occupied | SEEBATCH_SEE_JUMPS;
    return ending & ~(ending - SEEBATCH_SEE_NEXT);
}

/* What stands on the rays of a square. */
struct seebatch_see_around {
    uint64_t occupied, reach; /* reach: the pieces that attack the square if nothing stands in between */
    uint64_t enemy;           /* the pieces of the side that captures first; may contain empty squares */
    int to;
};

SEEBATCH_SEE_INLINE uint64_t seebatch_see_attackers_on(const struct seebatch_see_around *a, uint64_t occupied)
{
    return (seebatch_see_nearest(occupied) | SEEBATCH_SEE_JUMPS) & (occupied & a->reach);
}

/* The pieces of a type from pawn to queen. Among attackers, the knights are those on jumps. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_of_type(seebatch_see_bytes bits, int type)
{
    return type == SEEBATCH_SEE_KNIGHT ? SEEBATCH_SEE_JUMPS : seebatch_see_which(bits, type ? 2 << type : 3);
}

enum { SEEBATCH_SEE_OPEN = 2 };

/* The values of a king, and of having no piece, as our least valuable attacker; as theirs, both count twice as much.
 * Their king captures only if nothing of ours attacks the square, so it counts more than every other piece, and having
 * no piece counts more still. */
enum { SEEBATCH_SEE_KING_VALUE = 1 << 14, SEEBATCH_SEE_NOBODY = 1 << 16 };

/* A condition as a number that is opaque to the compiler, which would otherwise make a branch of it. */
SEEBATCH_SEE_INLINE int seebatch_see_opaque(bool condition)
{
    int number = condition;
    __asm__("" : "+r"(number));
    return number;
}

/* What follows from the least valuable attackers of both sides: the answer, or SEEBATCH_SEE_OPEN. No attacker may be
 * pinned, and the enemy must have one. */
SEEBATCH_SEE_INLINE int seebatch_see_decide_at(const seebatch_see_rules *rules, seebatch_see_bytes bits,
                                               uint64_t theirs, uint64_t ours, uint64_t behind, uint64_t ours_behind,
                                               int need)
{
    const int *v = rules->value;
    const bool rise = v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3] && v[3] <= v[4];
    int w = 2 * SEEBATCH_SEE_KING_VALUE, u = SEEBATCH_SEE_KING_VALUE + seebatch_see_opaque(!ours) * SEEBATCH_SEE_NOBODY;
    for (int type = SEEBATCH_SEE_QUEEN; type >= SEEBATCH_SEE_PAWN; type--) {
        const uint64_t those = seebatch_see_of_type(bits, type);
        w = theirs & those ? v[type] : w;
        u = ours & those ? v[type] : u;
    }
    __asm__("" : "+r"(w), "+r"(u));
    const int left = w - need, nobody = u & SEEBATCH_SEE_NOBODY;
    const uint64_t several_theirs = theirs & (theirs - 1), several_ours = ours & (ours - 1);
    if (!rise) /* a slider that joins may capture first, and be worth more */
        u |= ours_behind ? SEEBATCH_SEE_CAST(int, SEEBATCH_SEE_NOBODY) : 0;
    const int yes = seebatch_see_opaque((several_theirs | behind ? u : nobody) <= left);
    const int last = seebatch_see_opaque(!(several_ours | (nobody ? ours_behind : behind)));
    return __builtin_expect(yes | last | (left < 0), 1) ? yes : SEEBATCH_SEE_OPEN;
}

/* The one of several pieces that stands on the lowest square, as its bit on the rays. */
static __attribute__((noinline, unused)) uint64_t seebatch_see_lowest_of(int to, uint64_t several)
{
    int lowest = 64;
    uint64_t bit = 0;
    for (; several; several &= several - 1) {
        const int square = seebatch_see_rays[to][__builtin_ctzll(several)];
        if (square < lowest) {
            lowest = square;
            bit = several & (0 - several);
        }
    }
    return bit;
}

/* Whether a capture by a piece of this value reaches the goal of its side even if the piece is lost. need is what this
 * side has to win back from the other one, as in SEEBATCH_SEE_STEP, and becomes what the other side then has to win
 * back. */
SEEBATCH_SEE_INLINE bool seebatch_see_enough(int *need, int value)
{
    *need = value - *need + 1;
    return *need <= 0;
}

/* The loop of seebatch_see_decide() on rays. No attacker may be pinned, and the enemy must have one. */
SEEBATCH_SEE_INLINE bool seebatch_see_loop_on(const seebatch_see_rules *rules, const struct seebatch_see_around *a,
                                              seebatch_see_bytes bits, int need)
{
    const int *v = rules->value;
    uint64_t types[5];
    for (int type = SEEBATCH_SEE_PAWN; type <= SEEBATCH_SEE_QUEEN; type++)
        types[type] = seebatch_see_of_type(bits, type);
    uint64_t occupied = a->occupied, side = a->enemy, attackers = seebatch_see_attackers_on(a, occupied);
    for (bool answer = false;; answer = !answer, side = ~side) {
        uint64_t candidates = attackers & side;
        if (!candidates)
            return !answer; /* the other side already has enough */
        int value = SEEBATCH_SEE_KING_VALUE;
        uint64_t those = candidates;
        for (int type = SEEBATCH_SEE_QUEEN; type >= SEEBATCH_SEE_PAWN; type--) {
            const uint64_t some = candidates & types[type];
            those = some ? some : those;
            value = some ? v[type] : value;
        }
        if (value == SEEBATCH_SEE_KING_VALUE)
            return seebatch_see_attackers_on(a, occupied & ~those) & ~side ? !answer : answer;
        if (seebatch_see_enough(&need, value))
            return answer;
        if (those & (those - 1) & ~SEEBATCH_SEE_JUMPS)
            those = seebatch_see_lowest_of(a->to, those);
        occupied ^= those & (0 - those);
        attackers = seebatch_see_attackers_on(a, occupied);
    }
}

/* Whether an exchange reaches its threshold, or SEEBATCH_SEE_OPEN if that is not decided here. need: what we have to
 * win back once the enemy has captured the piece that moved; above 0. */
SEEBATCH_SEE_INLINE int seebatch_see_reaches_on_rays(const seebatch_see_rules *rules, seebatch_see_mailbox mailbox,
                                                     const seebatch_see_board *board, const seebatch_see_pins *pins,
                                                     int to, uint64_t emptied, int need)
{
    const seebatch_see_bytes rays = seebatch_see_load(seebatch_see_rays[to]);
    const seebatch_see_bytes bits = seebatch_see_bits_of(seebatch_see_codes_on(mailbox.bytes, rays));
    const uint64_t *colors = board->colors;
    struct seebatch_see_around a;
    a.to = to;
    a.occupied = colors ? seebatch_see_among(rays, (colors[0] | colors[1]) & ~(emptied | seebatch_see_bit(to)))
                        : seebatch_see_occupied_on(bits, rays, to, emptied);
    a.reach = seebatch_see_test(bits, seebatch_see_load(seebatch_see_reach));
    a.enemy = seebatch_see_highest(bits) ^ (0 - SEEBATCH_SEE_CAST(uint64_t, board->stm));
    const uint64_t attackers = seebatch_see_attackers_on(&a, a.occupied);
    if (!(attackers & a.enemy))
        return true;
    uint64_t pinned = 0; /* on the rays */
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED) {
        for (int color = 0; color < 2; color++)
            pinned |=
                pins->blockers[color] & (colors && !seebatch_see_is_both(rules->pins) ? colors[color] : ~UINT64_C(0));
        pinned = pinned ? seebatch_see_among(rays, pinned) & a.reach & a.occupied : 0;
    }
    if (pinned & attackers)
        return SEEBATCH_SEE_OPEN;
    const uint64_t others = a.occupied & ~attackers;
    const uint64_t behind = seebatch_see_nearest(others) & others & a.reach;
    if (!((attackers | behind) & ~a.enemy))
        return false;
    const int answer =
        seebatch_see_decide_at(rules, bits, attackers & a.enemy, attackers & ~a.enemy, behind, behind & ~a.enemy, need);
    /* Where there are bitboards and the rules look at pins, it is faster to begin the exchange anew on the bitboards. */
    if (answer != SEEBATCH_SEE_OPEN || pinned || (colors && rules->pins != SEEBATCH_SEE_PINS_IGNORED))
        return answer;
    return seebatch_see_loop_on(rules, &a, bits, need);
}
#endif

/* The same as seebatch_see_ge() of seebatch_see.h, from a mailbox. board->types and board->colors may be NULL. */
SEEBATCH_SEE_INLINE bool seebatch_see_mailbox_ge(const seebatch_see_rules *rules, seebatch_see_mailbox mailbox,
                                                 const seebatch_see_board *board, const seebatch_see_pins *pins,
                                                 seebatch_see_move move, int threshold)
{
    SEEBATCH_SEE_REFUSE(rules);
    SEEBATCH_SEE_CHECK_CONSTANTS(rules);
    SEEBATCH_SEE_CHECK_MAILBOX(rules, mailbox, board, pins, move);
#ifdef SEEBATCH_SEE_LANES
    int gain, victim;
    uint64_t emptied;
    const bool goes_on = seebatch_see_first(rules, move, &gain, &victim, &emptied);
    if ((SEEBATCH_SEE_LANES == 64 || !board->types) && !seebatch_see_promotes(rules, move.to) &&
        (rules->pins == SEEBATCH_SEE_PINS_IGNORED || pins) && seebatch_see_lanes_know(rules)) {
        if (gain < threshold)
            return false;
        const int ahead = gain - (threshold < -20000 ? -20000 : threshold);
        if (!goes_on || ahead >= victim || seebatch_see_is_safe(board, move.to, emptied))
            return true;
        const int answer = seebatch_see_reaches_on_rays(rules, mailbox, board, pins, move.to, emptied, victim - ahead);
        if (answer != SEEBATCH_SEE_OPEN)
            return answer;
        return seebatch_see_mailbox_apart(rules, mailbox, board, pins, &move, &threshold);
    }
#endif
    if (!board->types)
        return seebatch_see_mailbox_apart(rules, mailbox, board, pins, &move, &threshold);
    return seebatch_see_decide(rules, board, pins, move, threshold);
}

/* The same as seebatch_see_value() of seebatch_see.h, from a mailbox. board->types and board->colors may be NULL. */
SEEBATCH_SEE_INLINE int seebatch_see_mailbox_value(const seebatch_see_rules *rules, seebatch_see_mailbox mailbox,
                                                   const seebatch_see_board *board, const seebatch_see_pins *pins,
                                                   seebatch_see_move move)
{
    SEEBATCH_SEE_REFUSE(rules);
    SEEBATCH_SEE_CHECK_CONSTANTS(rules);
    SEEBATCH_SEE_CHECK_MAILBOX(rules, mailbox, board, pins, move);
    return seebatch_see_mailbox_apart(rules, mailbox, board, pins, &move, NULL);
}

#endif
