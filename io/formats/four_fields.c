/*
 * Reads the scores, plies and results of four records at once. Each word of a register holds the last characters of a
 * text, the last one lowest, so that the place of a digit tells what it counts. bulk_records.c calls it for the
 * formats of lines.
 */
#include "bulk_records.h"
#include "chess/inline_attacks.h"
#include "fast_fields.h"

#ifdef __x86_64__

enum { FIELDS = 4, MOST_CHARACTERS = 8 };

typedef uint64_t field_words __attribute__((vector_size(8 * FIELDS)));
typedef int64_t field_numbers __attribute__((vector_size(8 * FIELDS)));
typedef uint8_t field_bytes __attribute__((vector_size(8 * FIELDS)));

WITH_BITS static inline field_words equal_characters(field_words a, char c)
{
    return (field_words)((field_bytes)a == (field_bytes)_mm256_set1_epi8(c));
}

/* The last eight characters of a text and of what stands before it, and how many bits the text's own are. Those of
 * another text where it is none or longer. */
static inline uint64_t last_characters(struct cell cell, uint64_t *bits)
{
    const bool there = cell.length - 1 < MOST_CHARACTERS;
    *bits = 8 * (there ? cell.length : 1);
    return fast_eight(there ? cell.text + cell.length - MOST_CHARACTERS : "no digit");
}

/* The texts at a place of four records as integers, perhaps with a minus sign. *wrong: 0 where that is what they
 * are. */
WITH_BITS static inline field_numbers integers_of(const struct usual *usual, int place, field_words *wrong)
{
    uint64_t n[FIELDS];
    const field_words text = {
        last_characters(usual[0].texts[place], &n[0]), last_characters(usual[1].texts[place], &n[1]),
        last_characters(usual[2].texts[place], &n[2]), last_characters(usual[3].texts[place], &n[3])};
    const field_words bits = {n[0], n[1], n[2], n[3]}, one = {1, 1, 1, 1};
    const uint64_t low = UINT64_C(0x0001020304050607), high = UINT64_C(0x08090a0b0c0d0e0f);
    const field_words backward = {low, high, low, high};
    const field_words last = (field_words)_mm256_shuffle_epi8((__m256i)text, (__m256i)backward);
    const field_words there = (field_words)_mm256_sllv_epi64((__m256i)one, (__m256i)bits) - 1;
    const field_words minus = there & ~(there >> 8) & equal_characters(last, '-');
    const __m256i digits = (__m256i)((last ^ EACH_BYTE('0')) & there & ~minus);
    *wrong = (minus & 0xff) | (field_words)_mm256_cmpeq_epi8(_mm256_max_epu8(digits, _mm256_set1_epi8(10)), digits);
    /* Ones and tens of each hundred, then both of these of each ten thousand, then both of these. */
    const __m256i hundreds = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 << 8 | 1)),
                  parts = _mm256_madd_epi16(hundreds, _mm256_set1_epi32(100 << 16 | 1)),
                  upper = _mm256_mul_epu32(_mm256_srli_epi64(parts, 32), _mm256_set1_epi64x(10000));
    const field_words number = ((field_words)parts & UINT32_MAX) + (field_words)upper,
                      negative = (field_words)(minus != 0);
    return (field_numbers)((number ^ negative) - negative);
}

/* Three characters and the one after them, which is there at the latest as the record's end. */
static inline uint64_t characters_of_result(struct cell cell)
{
    uint32_t four;
    memcpy(&four, cell.length == 3 ? cell.text : "none", sizeof four);
    return four & UINT64_C(0xffffff);
}

/* Reads the numbers as the tool writes them. *wrong is as above. */
WITH_BITS static inline field_words results_of(const struct usual *usual, field_words *wrong)
{
    const field_words text = {
        characters_of_result(usual[0].texts[PLACE_OF_RESULT]), characters_of_result(usual[1].texts[PLACE_OF_RESULT]),
        characters_of_result(usual[2].texts[PLACE_OF_RESULT]), characters_of_result(usual[3].texts[PLACE_OF_RESULT])};
    const field_words won = (field_words)(text == ('1' | '.' << 8 | '0' << 16)),
                      drawn = (field_words)(text == ('0' | '.' << 8 | '5' << 16)),
                      lost = (field_words)(text == ('0' | '.' << 8 | '0' << 16));
    *wrong = ~(won | drawn | lost);
    return (won & RESULT_WHITE_WINS) | (drawn & RESULT_DRAW) | (lost & RESULT_BLACK_WINS);
}

WITH_BITS static void read_fields(const struct source *source, const struct usual *usual, size_t n,
                                  struct record *records)
{
    const bool plain_scores = source->columns.scale == 0;
    for (size_t i = 0; i + FIELDS <= n; i += FIELDS) {
        field_words no_score, no_ply, no_result;
        const field_numbers scores = integers_of(usual + i, PLACE_OF_SCORE, &no_score),
                            plies = integers_of(usual + i, PLACE_OF_PLY, &no_ply);
        const field_words results = results_of(usual + i, &no_result);
        const field_words has = ((field_words)(no_score == 0) & (plain_scores ? FIELD_SCORE : 0)) |
                                ((field_words)((no_ply == 0) & (plies >= 0)) & FIELD_PLY) |
                                ((field_words)(no_result == 0) & FIELD_RESULT);
        for (int k = 0; k < FIELDS; k++) {
            struct record *record = &records[i + (size_t)k];
            record->score = (int32_t)scores[k];
            record->ply = (int32_t)plies[k];
            record->result = (uint8_t)results[k];
            record->has = (uint16_t)(record->has | has[k]);
        }
    }
}

void seebatch_io_read_usual_fields(const struct source *source, const struct usual *usual, size_t n,
                                   struct record *records)
{
    if (HAS_BITS)
        read_fields(source, usual, n, records);
}
#else
void seebatch_io_read_usual_fields(const struct source *source, const struct usual *usual, size_t n,
                                   struct record *records)
{
    (void)source, (void)usual, (void)n, (void)records;
}
#endif
