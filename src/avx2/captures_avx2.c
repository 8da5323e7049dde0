/*
 * The legal captures of four positions at once, and whether four boards are sound.
 */
#include "board/position.h"
#include "kernel.h"

#include <assert.h>
#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#define BOARDS 4
#define SHUFFLE(set, order) (words) _mm256_shuffle_epi8((__m256i)(set), (__m256i)(order))
#define KERNEL(name) seebatch_avx2_##name
#include "lanes/captures.h"

/* ---- Whether boards are sound ------------------------------------------------------------------------------------ */

/* The squares that kings see both ways along a line. */
INLINE words seen_along(words king, words empty, int step, uint64_t upward, uint64_t downward)
{
    return slide_words(king, empty, step, upward) | slide_words(king, empty, -step, downward);
}

/* Planes and white's squares of four boards, each in the order of the boards. */
INLINE void load_four_boards(const seebatch_position *boards, words of[4])
{
    static_assert(offsetof(seebatch_position, white) == 3 * sizeof(uint64_t), "planes and white are four words");
    __m256i board[BOARDS];
    for (int i = 0; i < BOARDS; i++)
        board[i] = _mm256_loadu_si256((const __m256i *)(const void *)&boards[i]);
    const __m256i a = _mm256_unpacklo_epi64(board[0], board[1]), b = _mm256_unpackhi_epi64(board[0], board[1]),
                  c = _mm256_unpacklo_epi64(board[2], board[3]), d = _mm256_unpackhi_epi64(board[2], board[3]);
    of[0] = (words)_mm256_permute2x128_si256(a, c, 0x20);
    of[1] = (words)_mm256_permute2x128_si256(b, d, 0x20);
    of[2] = (words)_mm256_permute2x128_si256(a, c, 0x31);
    of[3] = (words)_mm256_permute2x128_si256(b, d, 0x31);
}

/* What see_board_is_sound() says of four boards, as bits. */
static unsigned four_are_sound(const seebatch_position *boards)
{
    words of[4];
    load_four_boards(boards, of);
    const words white = of[3], occupied = of[0] | of[1] | of[2], kings = of[2] & of[1];
    const words stm = {boards[0].stm, boards[1].stm, boards[2].stm, boards[3].stm}, black_moves = -stm;
    const words straight = of[1] & ~of[2], diagonal = of[0] & ~of[2], knights = of[2] & of[0],
                pawns = of[2] & ~(of[0] | of[1]);
    const words own = white ^ (occupied & black_moves), king = kings & ~own, own_king = kings & own;
    const words by_white = (king >> 9 & ~FILE_H) | (king >> 7 & ~FILE_A),
                by_black = (king << 9 & ~FILE_A) | (king << 7 & ~FILE_H);
    words attackers = (((by_black & black_moves) | (by_white & ~black_moves)) & pawns) |
                      (knights_attack(king) & knights) | (kings_attack(king) & own_king);
    const words empty = ~occupied;
    attackers |=
        (seen_along(king, empty, 8, ~UINT64_C(0), ~UINT64_C(0)) | seen_along(king, empty, 1, ~FILE_A, ~FILE_H)) &
        straight;
    attackers |=
        (seen_along(king, empty, 9, ~FILE_A, ~FILE_H) | seen_along(king, empty, 7, ~FILE_H, ~FILE_A)) & diagonal;
    const words wrong =
        (attackers & own) | (pawns & (RANK_1 | RANK_8)) | (king & (king - 1)) | (own_king & (own_king - 1));
    const words sound = (words)(wrong == 0) & (words)(king != 0) & (words)(own_king != 0);
    return (unsigned)_mm256_movemask_pd((__m256d)sound);
}

size_t seebatch_avx2_keep_sound_boards(const seebatch_position *boards, size_t n, uint8_t *lengths)
{
    size_t i = 0;
    for (; i + BOARDS <= n; i += BOARDS) {
        const unsigned sound = four_are_sound(boards + i);
        for (unsigned k = 0; k < BOARDS; k++)
            lengths[i + k] = (uint8_t)(lengths[i + k] & (0 - (sound >> k & 1)));
    }
    return i;
}
