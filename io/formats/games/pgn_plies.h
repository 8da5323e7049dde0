/*
 * Declares the fast path through the movetext of games in the form in which programs write them. pgn_game.c tries it
 * before its own code.
 */
#ifndef SEEBATCH_IO_PGN_PLIES_H
#define SEEBATCH_IO_PGN_PLIES_H

#include "pgn.h"

/* Takes plies of the main line, with their numbers and comments, and plays them, as long as they have the usual form; it
 * takes none if the processor lacks the instructions. The text that it leaves, from text->at on, may be right or wrong. A
 * comment that it leaves belongs to the last ply. *score is the score of the next position, as in read_word(). */
void seebatch_io_pgn_read_plies(struct pgn_text *text, struct pgn_game *game, seebatch_position *position,
                                struct bytes *plies, struct pgn_score *score);

/* Finds the next game that begins after a line feed at `at` or later (seebatch_io_pgn_begins_game()), or returns the end.
 * Adds the line feeds before it to *newlines. */
const char *seebatch_io_pgn_next_game(const char *first, const char *at, const char *end, uint64_t *newlines);

#endif
