/*
 * The contract between the API's front (evaluate.c) and a kernel.
 *
 * A kernel is one implementation of the evaluation: a row in the table of dispatch.c. A kernel gets whole positions
 * with their moves, as the caller of the public API gave them, and chooses which moves go through lanes and which
 * through scalar code. The answers of every kernel are those of src/scalar/, bit for bit, for every rule set.
 *
 * The code above this header knows no instruction set. The code below it knows no names of rules, no threads, and of a
 * FEN little more than the board.
 */
#ifndef SEEBATCH_KERNEL_H
#define SEEBATCH_KERNEL_H

#include "seebatch.h"

/* The number of queries of a batch: its moves. Kernels get batches with at least one. */
static inline size_t see_query_count(const seebatch_batch *batch)
{
    return batch->offsets[batch->n_positions] - batch->offsets[0];
}

/* The pins of position i, if they were handed in. */
static inline const seebatch_pins *see_pins_of(const seebatch_batch *batch, size_t i)
{
    return batch->pins ? &batch->pins[i] : NULL;
}

/*
 * What is asked about the queries, and where the answers go; k counts from the first query.
 *   - If values is not NULL, values[k] becomes the value of query k.
 *   - Otherwise bit k of mask becomes 1 if the value of query k is at least thresholds[k * step], else 0; step is 0 or
 *     1. Whole words of the mask are written; bits past the last query are 0.
 */
struct see_answers {
    int16_t *values;
    const int16_t *thresholds;
    size_t step;
    uint64_t *mask;
};

/* Which path lanes take: the fastest one for each query; or, for tests, one path for all queries that lanes can decide
 * at all, in kernels that have the path. */
enum see_path {
    SEE_FASTEST,
    SEE_SWAP_LOOP,    /* no query is resolved without the loop over the captures */
    SEE_ATTACK_TABLES /* each position gets attack tables, however few moves it has */
};

/* The answers for queries on any positions. */
typedef void see_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                               const struct see_answers *answers);

/* The answers for n >= 1 moves of one position, as engines ask for them: values, or the bits of a mask. pins may be
 * NULL. These functions take no batch, because to lay a batch out and to read it would take a fifth of the instructions
 * of such a call. */
typedef void see_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values);
typedef void see_position_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                             uint64_t *mask);

/*
 * Reads the beginnings of n FENs, the pieces and the side to move, into planes, white and stm of positions[i].
 * lengths[i] becomes the number of characters of the beginning. It becomes 0, and the position is in any state, if the
 * beginning is wrong, if the board is not sound, or if the pieces are longer than 63 characters, as those of no game
 * are. It becomes SEE_FEN_WHOLE if the whole text was read and the position is complete, with zeros behind its last
 * field. Only bytes before `end` are read, or if end is NULL, only the bytes of the texts.
 */
typedef void see_fen_boards(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                            uint8_t *lengths);
enum { SEE_FEN_WHOLE = 255 };

/* Writes the beginning of a FEN, the pieces and a blank; returns the end of the blank. Bytes behind the blank may be
 * overwritten, up to SEEBATCH_FEN_SIZE from the first one. */
typedef char *see_write_pieces(const seebatch_position *position, char *fen);

/* A function like seebatch_collect_captures(). */
typedef size_t see_captures(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                            seebatch_move *moves, bool *even, bool *checked);

/* A function like seebatch_batch_in_check(). */
typedef void see_checks(const seebatch_position *positions, size_t n, bool *checked);

/* A function like seebatch_batch_lengths(), for a batch without pins. */
typedef void see_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values, uint8_t *lengths);

struct see_kernel {
    const char *name;        /* the name, as in SEEBATCH_KERNEL */
    const char *description; /* one line that says what it is and what it needs */
    bool (*supported)(void); /* whether this machine can run it */
    see_batch_answers *batch_answers;
    see_position_values *position_values;
    see_position_ge *position_ge;
    /* What runs in its place where seebatch_cpu_is_wide(), by the same name; or NULL. */
    const struct see_kernel *wide;
    see_fen_boards *fen_boards;     /* NULL: read byte by byte */
    see_write_pieces *write_pieces; /* NULL: from piece to piece */
    see_captures *captures;         /* NULL: one position at a time */
    see_lengths *lengths;           /* NULL: the scalar code's */
    see_checks *checks;             /* NULL: one position at a time */
};

/* The answers of a kernel to a batch: this function, and no other, tells one position from many. */
static inline void see_kernel_answer(const struct see_kernel *kernel, const seebatch_rules *rules,
                                     const seebatch_batch *batch, enum see_path path, const struct see_answers *answers)
{
    const seebatch_move *moves = batch->moves + batch->offsets[0];
    const size_t n = see_query_count(batch);
    if (batch->n_positions > 1 || path != SEE_FASTEST)
        kernel->batch_answers(rules, batch, path, answers);
    else if (answers->values)
        kernel->position_values(rules, batch->positions, batch->pins, moves, n, answers->values);
    else
        kernel->position_ge(rules, batch->positions, batch->pins, moves, n, answers->thresholds, answers->step,
                            answers->mask);
}

/* The functions of the kernels, each in the folder of its name. */
see_batch_answers seebatch_scalar_batch_answers, seebatch_avx2_batch_answers, seebatch_avx512_batch_answers,
    seebatch_neon_batch_answers, seebatch_simd128_batch_answers;
see_position_values seebatch_scalar_position_values, seebatch_avx2_position_values, seebatch_avx512_position_values,
    seebatch_avx512_wide_position_values, seebatch_neon_position_values, seebatch_simd128_position_values;
see_position_ge seebatch_scalar_position_ge, seebatch_avx2_position_ge, seebatch_avx512_position_ge,
    seebatch_avx512_wide_position_ge, seebatch_neon_position_ge, seebatch_simd128_position_ge;
see_fen_boards seebatch_avx2_fen_boards, seebatch_avx512_fen_boards;

/* Sets the lengths of boards that are not sound to 0, for as many of the n boards as fill whole registers. Returns how
 * many boards were looked at. */
size_t seebatch_avx2_keep_sound_boards(const seebatch_position *boards, size_t n, uint8_t *lengths);

/* Reads the rest of FENs whose beginnings were read, where the rest has the usual form; their lengths become
 * SEE_FEN_WHOLE. The second function first looks whether the boards are sound. */
void seebatch_avx2_fen_rests(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths);
void seebatch_avx2_finish_fens(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths);

see_write_pieces seebatch_avx2_write_pieces, seebatch_avx512_write_pieces;
see_captures seebatch_avx2_captures, seebatch_avx512_captures;
see_lengths seebatch_avx2_lengths, seebatch_avx512_lengths, seebatch_neon_lengths;
void seebatch_scalar_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths);
see_checks seebatch_avx2_checks, seebatch_neon_checks;

/* The kernels that were compiled in, best first; ends with one whose name is NULL. */
extern const struct see_kernel seebatch_kernels[];

/* The kernel that runs on this machine when a kernel of the table is chosen: the kernel itself, or its wide one. */
const struct see_kernel *seebatch_kernel_here(const struct see_kernel *kernel);

/* The kernel in use; NULL before the first use. Only read and stored by the atomic builtins, which C++ has too. */
extern const struct see_kernel *seebatch_kernel_in_use;

/* Chooses the kernel on first use (dispatch.c). */
const struct see_kernel *seebatch_kernel_first_use(void);

static inline const struct see_kernel *see_kernel_current(void)
{
    const struct see_kernel *kernel = __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
    return __builtin_expect(kernel != NULL, 1) ? kernel : seebatch_kernel_first_use();
}

#endif
