/*
 * Turns the pawns that Stockfish prints into its internal units, by its win-rate model (score_model.c).
 */
#ifndef SEEBATCH_IO_SCORE_MODEL_H
#define SEEBATCH_IO_SCORE_MODEL_H

#include "format.h"

struct score_model;

/* The model of this name; NULL if there is none. */
const struct score_model *seebatch_io_score_model_named(const char *name);

/* The names of all, separated by commas. */
void seebatch_io_score_models(char *text, size_t size);

/* The internal score that Stockfish prints as so many centipawns in this position; White's, as they are. */
int32_t seebatch_io_internal_score(const struct score_model *model, int32_t centipawns,
                                   const seebatch_position *position);

#endif
