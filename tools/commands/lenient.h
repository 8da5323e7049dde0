/* Positions and moves of suites that are not sound: verify --lenient. */
#ifndef SEEBATCH_LENIENT_H
#define SEEBATCH_LENIENT_H

#include "suite.h"
#include "tool.h"

/* Reads a position whose side not to move may be in check, and a move that may leave its own king in check, in UCI
 * notation or in SAN without castling. Rules that ask for sound positions cannot evaluate them. False if that cannot be
 * read either, or if several moves fit. */
bool lenient_read(const seebatch_rules *rules, const struct suite_line *line, seebatch_position *position,
                  seebatch_move *move);

#endif
