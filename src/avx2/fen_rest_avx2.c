/*
 * Reads what follows the side to move in FENs, of four texts at once: the castling rights, the en passant square and
 * both clocks. A word holds eight characters of a text: the first eight after the side to move, or the last eight
 * before its end. fen_avx2.c and fen_avx512.c call this after they have read the boards.
 *
 * Rights are found by a hash of their text, and what follows from them stands in tables of sixteen bytes, which one
 * instruction looks up. The function serves texts of the form " RIGHTS - CLOCK NUMBER" with at most seven digits and
 * with king and rooks at home, and leaves all others to fen_fast.c.
 */
#include "board/fen_board.h"
#include "dispatch/kernel.h"
#include "lanes.h"

#include <assert.h>
#include <immintrin.h>
#include <stddef.h>
#include <string.h>

enum { TEXTS = 4, LEAST_REST = 8 }; /* the length of " - - 0 1", the shortest rest */

typedef uint64_t text_words __attribute__((vector_size(8 * TEXTS)));
typedef uint8_t text_bytes __attribute__((vector_size(8 * TEXTS)));

static inline text_words text_of_word(uint64_t word)
{
    const text_words text = {word, word, word, word};
    return text;
}

static inline text_words text_of_byte(uint8_t byte) { return text_of_word(UINT64_C(0x0101010101010101) * byte); }

/* Makes bytes of all ones where both words have the same byte, and of zeros elsewhere. */
static inline text_words equal_bytes(text_words a, text_words b)
{
    return (text_words)((text_bytes)a == (text_bytes)b);
}

/* Looks up bytes in a table by indices, all of which are less than 16. */
static inline text_words bytes_of_table(const void *table, text_words index)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)table);
    return (text_words)_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), (__m256i)index);
}

/* The bytes of `ones` are 0 or 1. bits_below_first() sets the bits below the first 1, or all bits if there is none; and
 * number_of_bits() counts the bits of such a result. */
static inline text_words bits_below_first(text_words ones) { return (ones - 1) & ~ones; }
static inline text_words number_of_bits(text_words below)
{
    return (text_words)_mm256_sad_epu8((__m256i)(below & text_of_byte(8)), _mm256_setzero_si256());
}

static inline text_words shifted_down(text_words text, text_words bits)
{
    return (text_words)_mm256_srlv_epi64((__m256i)text, (__m256i)bits);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* What follows the side to move in four texts. `first` has the first eight characters of each, the first character in
 * the lowest byte; `last` has the last eight, the last character in the lowest byte; and `bits` is the length in bits.
 * Zeros stand for a text that is not read. */
struct fen_rests {
    text_words first, last, bits;
};

static inline uint64_t word_of_text(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

static inline uint64_t end_of_text(seebatch_text text) { return word_of_text(text.at + text.length - LEAST_REST); }

/* What follows the first `length` characters of a FEN. If the length is 0 or if too little text is left, the rest is
 * zeros. */
static inline seebatch_text rest_of(seebatch_text fen, uint8_t length)
{
    static const char nothing[LEAST_REST] = "";
    const bool there = length != 0 && fen.length - length >= LEAST_REST;
    const seebatch_text rest = {there ? fen.at + length : nothing, there ? fen.length - length : (size_t)LEAST_REST};
    return rest;
}

static inline struct fen_rests load_rests(const seebatch_text *fens, const uint8_t *lengths)
{
    const seebatch_text a = rest_of(fens[0], lengths[0]), b = rest_of(fens[1], lengths[1]),
                        c = rest_of(fens[2], lengths[2]), d = rest_of(fens[3], lengths[3]);
    const text_words first = {word_of_text(a.at), word_of_text(b.at), word_of_text(c.at), word_of_text(d.at)},
                     last = {end_of_text(a), end_of_text(b), end_of_text(c), end_of_text(d)},
                     lengths_in_bytes = {a.length, b.length, c.length, d.length};
    const uint64_t low = UINT64_C(0x0001020304050607), high = UINT64_C(0x08090a0b0c0d0e0f);
    const text_words backward = {low, high, low, high};
    const struct fen_rests rests = {first, (text_words)_mm256_shuffle_epi8((__m256i)last, (__m256i)backward),
                                    lengths_in_bytes << 3};
    return rests;
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

/* Finds the kings and rooks of four boards that stand on their home squares: e1, a1 and h1, and the same of Black. */
static inline text_words pieces_at_home(const seebatch_position *boards)
{
    const seebatch_position *const board[TEXTS] = {boards, boards + 1, boards + 2, boards + 3};
    lanes plane[4];
    planes_of(board, plane);
    const text_words plane_0 = (text_words)plane[0], plane_1 = (text_words)plane[1], plane_2 = (text_words)plane[2],
                     white = (text_words)plane[3];
    const uint64_t on_e = square_bb(4) | square_bb(60),
                   corners = square_bb(0) | square_bb(7) | square_bb(56) | square_bb(63);
    const text_words kings = plane_2 & on_e, rooks = ~plane_2 & corners;
    return plane_1 & ~plane_0 & (kings | rooks) & (white ^ first_rank(SEEBATCH_BLACK));
}

/* The squares on which the king and the rooks have to stand for the rights to be valid. */
static inline text_words homes_of_rights(text_words rights)
{
    enum { E = 1 << 4, A = 1, H = 1 << 7 };
    static const uint8_t of_white[16] = {0, E | H, E | A, E | A | H, 0, E | H, E | A, E | A | H,
                                         0, E | H, E | A, E | A | H, 0, E | H, E | A, E | A | H},
                         of_black[16] = {0,     0,     0,     0,     E | H,     E | H,     E | H,     E | H,
                                         E | A, E | A, E | A, E | A, E | A | H, E | A | H, E | A | H, E | A | H};
    return (bytes_of_table(of_white, rights) & first_rank(SEEBATCH_WHITE)) |
           (bytes_of_table(of_black, rights) & first_rank(SEEBATCH_BLACK));
}

/* Reads castling rights. Each byte of the word that is returned has them as bits. */
static inline text_words rights_of_text(text_words text)
{
    const __m256i product = _mm256_mul_epu32((__m256i)text, (__m256i)text_of_word(SEE_RIGHTS_HASH));
    const text_words hash = (text_words)product << 32 >> 60,
                     first_of_word = {0, UINT64_C(0x0808080808080808), 0, UINT64_C(0x0808080808080808)};
    return bytes_of_table(see_rights_by_hash, (text_words)_mm256_shuffle_epi8((__m256i)hash, (__m256i)first_of_word));
}

static inline text_words text_of_rights(text_words rights)
{
    const __m256i *texts = (const __m256i *)(const void *)see_rights_texts;
    const __m256i lower = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(texts), (__m256i)rights),
                  upper = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(texts + 1), (__m256i)rights);
    const text_words bit_3 = rights << 28; /* the highest bit of each half */
    return (text_words)_mm256_blendv_ps((__m256)lower, (__m256)upper, (__m256)bit_3) & UINT32_MAX;
}

/* Reads the two numbers at the end of a text; the lower half of a word gets the first one. *bits becomes the length of
 * both with the blank between them, in bits. *wrong gets bits where the text has another form. */
static inline text_words clocks_of_text(text_words last, text_words *bits, text_words *wrong)
{
    const text_words digits = last ^ text_of_byte('0'), blanks = equal_bytes(last, text_of_byte(' '));
    const text_words others =
        equal_bytes((text_words)_mm256_max_epu8((__m256i)digits, (__m256i)text_of_byte(10)), digits) & text_of_byte(1);
    const text_words after = others & (others - 1), number = bits_below_first(others), both = bits_below_first(after);
    const text_words n = number_of_bits(number), most = text_of_word(24), all = number_of_bits(both);
    *bits = all;
    /* Each number has one to four digits. */
    *wrong |= (others & ~after & ~blanks) | ((n - 8) & ~most) | ((all - n - 16) & ~most);
    const text_words clock = shifted_down(digits & both, n + 8);
    const __m256i pairs =
        _mm256_maddubs_epi16((__m256i)(clock | (digits & number) << 32), _mm256_set1_epi16(10 << 8 | 1));
    return (text_words)_mm256_madd_epi16(pairs, _mm256_set1_epi32(100 << 16 | 1));
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* Where the fields of a position after stm are: seven bytes, and then two clocks of two bytes with four bytes after
 * them. */
enum { FIELDS = offsetof(seebatch_position, ep_square), CLOCKS = offsetof(seebatch_position, halfmove_clock) };
static_assert(FIELDS + 7 == CLOCKS && CLOCKS + 8 == sizeof(seebatch_position) &&
                  offsetof(seebatch_position, castling_rook) == FIELDS + 1,
              "the fields of a position stand one behind another");

/* Five bytes, the lowest first, for the en passant square and the rooks of KQkq: no_squares has the bytes where there
 * is none, and rook_squares has the bits in which the byte of a rook differs from that. */
#define NONE ((uint64_t)SEEBATCH_NO_SQUARE)
static const uint64_t no_squares = NONE | NONE << 8 | NONE << 16 | NONE << 24 | NONE << 32,
                      rook_squares = (NONE ^ 7) << 8 | (NONE ^ 0) << 16 | (NONE ^ 63) << 24 | (NONE ^ 56) << 32,
                      right_bits = UINT64_C(0x0804020100);

static inline void store_fields(seebatch_position *position, uint64_t fields, uint64_t clocks)
{
    memcpy((char *)position + FIELDS, &fields, sizeof fields);
    memcpy((char *)position + CLOCKS, &clocks, sizeof clocks);
}

/* Reads the rest of four texts, and returns the bits of those that have the usual form. The positions of the others are
 * then undefined. */
static inline unsigned read_four(const struct fen_rests *rests, seebatch_position *positions)
{
    const text_words blanks = equal_bytes(rests->first, text_of_byte(' ')) & UINT64_C(0x010101010000);
    const text_words before = bits_below_first(blanks), n = number_of_bits(before);
    const text_words text = (rests->first & before) >> 8, rights = rights_of_text(text);
    const text_words behind = shifted_down(rests->first, n + 8);
    text_words of_clocks, wrong = homes_of_rights(rights) & ~pieces_at_home(positions);
    const text_words both = clocks_of_text(rests->last, &of_clocks, &wrong);
    wrong |= (rests->first ^ ' ') & 0xff;
    wrong |= text ^ text_of_rights(rights);
    wrong |= equal_bytes(rests->first, text_of_byte(0)) & before; /* the table fills its texts up with NULs */
    wrong |= (behind ^ ('-' | ' ' << 8)) & 0xffff;
    wrong |= rests->bits ^ (n + 24 + of_clocks); /* besides these there are: the blank after the rights, '-', a blank */
    const text_words has = equal_bytes(rights & right_bits, text_of_word(right_bits));
    const text_words fields = (has & rook_squares) ^ no_squares, clocks = (both | both >> 16) & UINT32_MAX;
    for (int i = 0; i < TEXTS; i++)
        store_fields(&positions[i], fields[i], clocks[i]);
    return (unsigned)_mm256_movemask_pd((__m256d)(wrong == 0));
}

void seebatch_avx2_fen_rests(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths)
{
    unsigned usual = 1;
    /* If none of four texts has the usual form, the following ones hardly ever have it. */
    for (size_t i = 0; i + TEXTS <= n && usual; i += TEXTS) {
        const struct fen_rests rests = load_rests(fens + i, lengths + i);
        usual = read_four(&rests, positions + i);
        uint32_t four;
        memcpy(&four, lengths + i, sizeof four);
        four |= (usual * 0x204081 & 0x01010101) * SEE_FEN_WHOLE;
        memcpy(lengths + i, &four, sizeof four);
    }
}
