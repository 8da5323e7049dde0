/*
 * The contract between the API's front (evaluate.c) and a kernel.
 *
 * A kernel is one implementation of the evaluation: a row in the table of dispatch.c. It gets whole positions with
 * their moves, as the caller of the public API gave them, and may decide for itself what goes through lanes and what
 * through scalar code. Its answers are those of src/scalar/, bit for bit, for every rule set.
 *
 * Nothing above this header knows an instruction set; nothing below it knows rule names or threads, nor of FEN more
 * than its board.
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
 *   - values not NULL: values[k] = the value of query k.
 *   - Otherwise bit k of mask = whether that value is at least thresholds[k * step], step 0 or 1. Whole words are
 *     written; bits past the last query are 0.
 */
struct see_answers {
    int16_t *values;
    const int16_t *thresholds;
    size_t step;
    uint64_t *mask;
};

/* Which path lanes take: the quickest; or, for tests, one that they would take for some queries only. Then it is taken
 * for all of those that lanes can decide at all, by kernels that have it. */
enum see_path {
    SEE_FASTEST,
    SEE_SWAP_LOOP,    /* no query is resolved without the loop over the captures */
    SEE_ATTACK_TABLES /* each position gets attack tables, however few moves it has */
};

/* The answers for queries on any positions. */
typedef void see_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                               const struct see_answers *answers);

/* The same for n >= 1 moves of one position, what an engine asks of a node: values; and bits. pins may be NULL. Short
 * ways: laying queries out and reading them takes a fifth of the instructions of such a call. */
typedef void see_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values);
typedef void see_position_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                             uint64_t *mask);

/*
 * What FENs begin with, the pieces and the side to move, of n texts: planes, white and stm of positions[i]. lengths[i]
 * is how many characters that is; or 0, the position in any state, if it is wrong, if the board is not sound, or if the
 * pieces are longer than 63 characters, as those of no game are; or SEE_FEN_WHOLE, if all of the text was read and the
 * position is complete, with zeros behind its last field. Only bytes before `end` are read, or where it is NULL, those
 * of the texts.
 */
typedef void see_fen_boards(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                            uint8_t *lengths);
enum { SEE_FEN_WHOLE = 255 };

/* Writes what FENs begin with, the pieces and a blank behind them; returns its end. Bytes behind that are overwritten,
 * up to SEEBATCH_FEN_SIZE of all. */
typedef char *see_write_pieces(const seebatch_position *position, char *fen);

/* seebatch_collect_captures(). */
typedef size_t see_captures(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                            seebatch_move *moves, bool *even, bool *checked);

/* seebatch_batch_in_check(). */
typedef void see_checks(const seebatch_position *positions, size_t n, bool *checked);

/* seebatch_batch_lengths(), of a batch without pins. */
typedef void see_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values, uint8_t *lengths);

struct see_kernel {
    const char *name;        /* as in SEEBATCH_KERNEL */
    const char *description; /* one line: what it is, what it needs */
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

/* What a kernel makes of queries: here, and nowhere else, one position is told from many. */
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

/* Of n boards of FENs, as many as fit into registers: the lengths of those that are not sound become 0. Returns how
 * many boards that is. */
size_t seebatch_avx2_keep_sound_boards(const seebatch_position *boards, size_t n, uint8_t *lengths);

/* Of FENs whose pieces and sides were read, the rest, where it has the usual form: then the length becomes
 * SEE_FEN_WHOLE; and that with the question whether the boards are sound before it. */
void seebatch_avx2_fen_rests(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths);
void seebatch_avx2_finish_fens(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths);

see_write_pieces seebatch_avx2_write_pieces, seebatch_avx512_write_pieces;
see_captures seebatch_avx2_captures, seebatch_avx512_captures;
see_lengths seebatch_avx2_lengths, seebatch_neon_lengths;
void seebatch_scalar_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths);
see_checks seebatch_avx2_checks, seebatch_neon_checks;

/* The kernels that were compiled in, best first; ends with one whose name is NULL. */
extern const struct see_kernel seebatch_kernels[];

/* What runs here when a kernel of that table is chosen. */
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
