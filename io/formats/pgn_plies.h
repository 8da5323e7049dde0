/*
 * Plies of games as programs write them, quickly (pgn_plies.c).
 */
#ifndef SEEBATCH_IO_PGN_PLIES_H
#define SEEBATCH_IO_PGN_PLIES_H

#include "pgn.h"

/* Takes plies of the main line, with their numbers and comments, and plays them, as long as they are usual ones; none
 * where the processor lacks the instructions. What it leaves, from text->at on, says nothing: it may be as good. A
 * comment that it leaves belongs to the last ply. *score: of the next position, as read_word() has it. */
void seebatch_io_pgn_read_plies(struct pgn_text *text, struct pgn_game *game, seebatch_position *position,
                                struct bytes *plies, struct pgn_score *score);

/* Where the next game begins behind some line feed from `at` on (seebatch_io_pgn_begins_game()), or the end; counts the
 * line feeds before it. */
const char *seebatch_io_pgn_next_game(const char *first, const char *at, const char *end, uint64_t *newlines);

#endif
