/*
 * Games in PGN: what the text of a game holds (pgn_game.c), for the reader of the pipeline (pgn.c).
 */
#ifndef SEEBATCH_IO_PGN_H
#define SEEBATCH_IO_PGN_H

#include "formats/format.h"

/* The score that a comment says (pgn_score.c). */
enum { PGN_NO_SCORE, PGN_SCORE_PAWNS, PGN_SCORE_MATE, PGN_SCORE_WRONG };
struct pgn_score {
    int32_t value;   /* White's: centipawns, or 32000 less the way to the mate */
    uint32_t at;     /* where it stands, from the beginning of the block, */
    uint16_t length; /* and its length */
    uint8_t kind;    /* PGN_SCORE_... */
    bool like_one;   /* of a move: a comment after it looks like a score and is none */
};

/* A move of the main line, and where it stands. */
struct pgn_ply {
    seebatch_move move;
    uint16_t length;   /* of its text */
    uint32_t at;       /* from the beginning of the block */
    uint32_t newlines; /* from there, too */
    struct pgn_score score;
};

/* Text that is being read. */
struct pgn_text {
    const char *block; /* its beginning */
    const char *at, *end;
    const char *last;  /* as far as may be read: the end, or after it */
    uint64_t newlines; /* before at, in the block */
};

/* Of so many moves the positions are kept, which is quicker than to play them again; a text of 16 MiB may have millions.
 */
enum { PGN_KEPT = 1024 };

struct pgn_game {
    seebatch_position start;
    seebatch_position kept[PGN_KEPT + 1]; /* before the first moves, and one after them */
    size_t n;                             /* moves */
    bool has_result;                      /* not * */
    uint8_t result;                       /* RESULT_... */
    uint32_t like_scores;                 /* comments before the first move that look like a score and are none */
};

/* A game that is a cell of a column, in place of a part of a file. */
struct pgn_cell {
    const seebatch_position *start; /* where it begins unless a tag FEN says so; NULL: where games usually begin */
};

enum pgn_outcome {
    PGN_NOTHING, /* there was no game, but blanks and comments perhaps */
    PGN_GAME,
    PGN_BROKEN /* error says why; text->at and text->newlines where */
};

/* Reads a game from text up to the end of its result, and its moves into plies, as struct pgn_ply, over what is there.
 * cell: NULL in files. A cell holds one game alone, which may have no result, and whose moves may be in UCI notation. */
enum pgn_outcome seebatch_io_pgn_read_game(struct pgn_text *text, const struct pgn_cell *cell, struct pgn_game *game,
                                           struct bytes *plies, seebatch_error *error);

/* What a comment after a move has a score of. From the side that moved if it is of the position before the move;
 * White's, if it is of the one after it. PGN_LIKE_A_SCORE: it looks like a score, and is none. */
enum pgn_score_of { PGN_OF_NOTHING, PGN_LIKE_A_SCORE, PGN_BEFORE_MOVE, PGN_AFTER_MOVE };
enum pgn_score_of seebatch_io_pgn_score_of_comment(const char *block, const char *comment, size_t length,
                                                   struct pgn_score *score);

/* Whether a game begins at `at` within the bytes from `first` to `end`: a line that begins like a tag pair, after
 * anything but a tag pair, or a tag pair and an empty line. After an empty line the tag Event begins a game, too. */
bool seebatch_io_pgn_begins_game(const char *first, const char *at, const char *end);

#endif
