/*
 * The options that several commands share, a row each: a command names those that it takes with SHARED().
 */
#include <string.h>

#include "tool.h"

static const struct option_row rows[] = {
    {"rules", "NAME", OPTION_RULES, 0,
     "the rule set, one of those listed below; fields of it can be changed, as in ethereal,en-passant=standing",
     "What an exchange is; see `RULES` in seebatch(1).", "legal"},
    {"values", "P,N,B,R,Q", OPTION_VALUES, 0, "the piece values, five integers from 0 to 3000",
     "The values of pawn, knight, bishop, rook and queen, integers from 0 to 3000.", "100,325,325,500,1000"},
    {"kernel", "NAME", OPTION_KERNEL, 0,
     "the implementation that evaluates; all give the same output, and 'seebatch info' lists them",
     "The implementation that evaluates. All give the same output. An unknown one, or one that this machine cannot "
     "run, is an error. The option takes precedence over `SEEBATCH_KERNEL`.",
     "SEEBATCH_KERNEL, or the best that this machine can run"},
    {"moves", "captures|all", OPTION_MOVES, 0,
     "which legal moves are evaluated where the input names none; with this option, also instead of the moves of "
     "records",
     "Which legal moves are evaluated where a line has none: the captures, with en passant and capturing promotions "
     "(one each to queen, rook, bishop and knight), or all. For files of records it replaces their own moves.",
     "captures"},
    {"notation", "uci|san", OPTION_NOTATION, 0, "how moves are written, as e1e5 or as Rxe5; both are read",
     "How moves are written: e1e5 or Rxe5. Both are read.", "uci"},
    {"nodes", "N", OPTION_NODES, 0, "how many captures may be played for one move; a move that needs more is skipped",
     "How many captures to play at most for the value of one move, from 1 to 1000000000.", "10000000"},
    {"from", "FORMAT", OPTION_FROM, 0, "the format of all input files",
     "The format of all files, whatever their names end with.", "what the names say; for standard input, fen"},
    {"to", "FORMAT", OPTION_TO, 0, "the format of the output",
     "The format of the output. What a record says and the output has no place for is lost only where --lose names it.",
     "what the name of --output says, or else the format of the first file"},
    {"output", "FILE", OPTION_OUTPUT, 'o',
     "the file to write, compressed if its name ends with .gz or .zst; it appears when it is complete",
     "Writes to *FILE* instead of standard output; compressed if the name ends with .gz or .zst. Endings of other "
     "compressions, such as .xz, are refused. The file appears, in the place of an older one too, when it is complete "
     "and has reached the disk. Until then it has no name. Where an older file is replaced, the new one is called "
     ".seebatch.XXXXXX for a moment at the end; only a program that is killed in that moment leaves it there. Where "
     "the "
     "system makes no files without a name, it has that other name from the beginning. The new file has the "
     "permissions "
     "of the older one, but not its setuid and setgid bits. A symbolic link to a file is followed, one to no file is "
     "refused. When "
     "the run is interrupted, when a disk is full, when --strict stops it or damaged input was passed over, it is "
     "removed instead, and an older one stays as it was. So a file may be filtered into itself. Devices and pipes are "
     "written to as they are.",
     "standard output"},
    {"salvage", NULL, OPTION_SALVAGE, 0,
     "lets the file of --output appear although damaged input was skipped; the exit status is 1 all the same",
     "The file of --output appears although damaged input was passed over, with what could be read; the exit status "
     "is 1 all the same.",
     NULL},
    {"columns", "LIST", OPTION_SELECT, 0,
     "writes only these columns of a table or of JSON lines, in this order, separated by commas: fen, move, score, "
     "result, ply",
     "Of tables and JSON lines, writes these columns alone, in this order, separated by commas: `fen`, which must be "
     "there, `move`, `score`, `result` and `ply`. What is not among them is left out, also where the format stays the "
     "same.",
     "all"},
    {"lose", "LIST", OPTION_LOSE, SEVERAL,
     "what may be lost because the output format has no place for it; anything else that would be lost ends the run. "
     "LIST names, separated by commas: move, score, result, ply; columns, moves (after the first), operations, lines, "
     "unused-bits, or other for these five; side, castling, en-passant, clock, number; or all",
     "What may be lost, separated by commas: `move`, `score`, `result`, `ply`, `columns` (of tables, and members of "
     "objects, that are not known), `moves` (behind the first), `operations` (of EPD), `lines` (of plain that are not "
     "known), `unused-bits` (that are not 0), `other` (these five), `side` (the board is turned so that White is to "
     "move), `castling` (rights), `en-passant` (squares), `clock` (of half moves), `number` (of the move), or `all`. "
     "See `LOSSES` in seebatch-filter(1).",
     "nothing"},
    {"column", "FIELD=NAME", OPTION_COLUMN, SEVERAL,
     "in tables and JSON lines, the column NAME holds the FIELD: fen, move, score, result or ply",
     "In tables and JSON lines, the column *NAME* is the `fen`, `move`, `score`, `result` or `ply`. A column that has "
     "the known name is then one that is not known.",
     "the column has the name of its field"},
    {"score-scale", "N", OPTION_SCALE, 0,
     "multiplies the scores of tables, JSON lines and the format scored by N: 100 turns pawns into centipawns",
     "Multiplies the scores of tables, JSON lines and scored by *N*, from 1 to 1000, to the nearest integer: 100 makes "
     "centipawns of pawns. Without it, a score with anything but zeros behind its point is an error.",
     "1"},
    {"win-rate-model", "NAME", OPTION_MODEL, 0,
     "turns the scores of games in PGN into internal scores of the Stockfish that played them: stockfish-17, "
     "stockfish-17.1 or stockfish-18",
     "Turns the scores of games in PGN into internal scores of Stockfish, by the win-rate model of the version that "
     "played them: `stockfish-17`, `stockfish-17.1` or `stockfish-18`. Stockfish divides its scores by this model to "
     "print pawns, and its training data has them as they are.",
     "none: pawns become centipawns"},
    {"leela-score", "best|root|played", OPTION_LEELA, 0,
     "which Q of Leela's training data becomes the score: that of the best move, of the root, or of the played move",
     "Which Q of Leela's training data becomes the score: of the best move, of the root of the search, or of the move "
     "that was played.",
     "best"},
    {"threads", "N", OPTION_THREADS, 'j', "how many threads read and evaluate",
     "How many threads read and work, from 1 to 1024; writing has a thread of its own.",
     "as many as there are processors"},
    {"part", "I/N", OPTION_PART, 0, "reads only the I-th of N parts of the input, which is divided by bytes",
     "Only the *I*-th of *N* parts of the input: of all files, one behind the other, divided by bytes. A record "
     "belongs to the part in which its first byte lies; a game, or a chunk of a binpack, as a whole. "
     "The outputs of all parts, joined in order, are the output of the whole; the header of a table is in the "
     "first alone. Compressed files and standard input cannot be divided. docs/recipes.md says how to use this with "
     "GNU parallel and with Slurm.",
     "all of the input"},
    {"strict", NULL, OPTION_STRICT, 0, "stops at the first bad record instead of reporting and skipping it",
     "Stops at the first bad record: what stands before it is written, to standard output at least. Without it, bad "
     "records are reported, counted and passed over, and the exit status is 1.",
     NULL},
    {"progress", "S", OPTION_PROGRESS, 0,
     "prints a line of progress every S seconds if standard error is not a terminal",
     "Where standard error is no terminal but a log, a line says every *S* seconds how far the run is, from 0 (as "
     "often as it can) to 86400.",
     "60"},
    {"quiet", NULL, OPTION_QUIET, 0, "prints neither progress nor a summary; errors are still reported",
     "Neither progress nor summary on standard error; errors are reported all the same.", NULL},
    {"help", NULL, OPTION_HELP, 'h', "prints this text", "Help on the command.", NULL},
};

const struct option_row *option_row_of(const struct option_row *row)
{
    for (size_t i = 0; row->help == NULL && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, row->name) == 0)
            return &rows[i];
    return row;
}
