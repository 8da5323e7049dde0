/*
 * Counts how many queries each path answered, in a build that checks this (SEEBATCH_COUNT_PATHS), and does nothing
 * otherwise. In such a build `seebatch_bench --paths` prints the counts for each shape of a call and each rule set, and
 * the test `paths` compares them with docs/data/paths.tsv. docs/internals/lanes.md shows the table and explains the
 * paths.
 *
 * The code of a path says COUNT_PATH(PATH, n) where its answers are final: every query counts once. The counts are
 * those of one thread.
 */
#ifndef SEEBATCH_PATH_COUNTS_H
#define SEEBATCH_PATH_COUNTS_H

/* The paths, with the names that tables have for them. Those of one position: */
#define SEE_PATHS(PATH)                                                                                                \
    PATH(SCALAR, "scalar code")                                                                                        \
    PATH(IN_PLACE, "moves in place") /* in part of a register, without a copy of the moves */                          \
    PATH(REGISTER, "one register")   /* as many moves as lanes */                                                      \
    PATH(PADDED, "padded register")  /* fewer, and a copy that fills the register up */                                \
    PATH(REGISTERS, "register by register")                                                                            \
    PATH(TABLES, "attack tables")                                                                                      \
    PATH(TABLES_TO_SCALAR, "left by tables to scalar code")                                                            \
    PATH(TABLES_TO_REGISTERS, "left by tables to registers")                                                           \
    /* Those of many positions: the decision of a chunk, and what resolves the queries that it leaves pending. */      \
    PATH(CHUNK_REGISTERS, "a query a lane")                                                                            \
    PATH(CHUNK_TABLES, "attack tables by position")                                                                    \
    PATH(CHUNK_RAYS, "along rays")                                                                                     \
    PATH(CHUNK_RECAPTURABLE, "along rays where recaptured")                                                            \
    PATH(KING_SAFETY, "king safety")                                                                                   \
    PATH(PIN_LINE, "single pin line")                                                                                  \
    PATH(FURTHER, "further decision")                                                                                  \
    PATH(SWAP_LOOP, "swap loop")                                                                                       \
    PATH(WITH_PINS, "swap loop with pins")                                                                             \
    PATH(CHUNK_TO_SCALAR, "left by chunks to scalar code")

#ifdef SEEBATCH_COUNT_PATHS

#include <stdint.h>

#define SEE_PATH(name, text) SEE_PATH_##name,
enum see_counted_path { SEE_PATHS(SEE_PATH) SEE_COUNTED_PATHS };
#undef SEE_PATH

/* What kernels with four lanes and the scalar code answered; what those with eight lanes did. */
extern uint64_t seebatch_path_counts[2][SEE_COUNTED_PATHS];

#define COUNT_PATH(path, n) (seebatch_path_counts[LANES == 8][SEE_PATH_##path] += (uint64_t)(n))
#define COUNT_SCALAR(n) (seebatch_path_counts[0][SEE_PATH_SCALAR] += (uint64_t)(n))
#else
#define COUNT_PATH(path, n) ((void)0)
#define COUNT_SCALAR(n) ((void)0)
#endif

#endif
