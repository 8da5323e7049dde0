/*
 * The lengths of many exchanges.
 */
#ifndef SEEBATCH_IO_LENGTHS_H
#define SEEBATCH_IO_LENGTHS_H

#include "seebatch.h"

/* lengths[k - batch->offsets[0]] is the length that seebatch_explain() gives to moves[k], a legal capture. No position
 * has a move twice. */
void seebatch_io_find_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths);

#endif
