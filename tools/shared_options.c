/*
 * Lists the options that several commands share, a row for each. A command names those that it takes with SHARED().
 */
#include <string.h>

#include "tool.h"

static const struct option_row rows[] = {
    {"rules", "NAME", OPTION_RULES, 0,
     "the rule set, one of those listed below; fields of it can be changed, as in ethereal,en-passant=standing",
     "The rule set, which says which pieces may capture, and when; see `RULES` in seebatch(1).", "legal"},
    {"values", "P,N,B,R,Q", OPTION_VALUES, 0, "the piece values, five integers from 0 to 3000",
     "The values of pawn, knight, bishop, rook and queen, integers from 0 to 3000.", "100,325,325,500,1000"},
    {"kernel", "NAME", OPTION_KERNEL, SAME_OUTPUT,
     "the implementation that evaluates; all give the same output, and 'seebatch info' lists them",
     "The kernel, that is, the implementation that evaluates exchanges. All kernels give the same "
     "output. The command fails if the kernel is unknown or if this machine cannot run it. The "
     "option takes precedence over the environment variable `SEEBATCH_KERNEL`.",
     "SEEBATCH_KERNEL, or the best that this machine can run"},
    {"moves", "captures|all", OPTION_MOVES, 0,
     "which legal moves are evaluated where the input names none; with this option, also instead of the moves of "
     "records",
     "Which legal moves are evaluated if a line of input names none: only captures, which include en "
     "passant and every capturing promotion (to queen, rook, bishop and knight), or all moves. In "
     "files of records, these moves are evaluated instead of the record's own move.",
     "captures"},
    {"notation", "uci|san", OPTION_NOTATION, 0, "how moves are written, as e1e5 or as Rxe5; both are read",
     "How moves are written: e1e5 or Rxe5. Both notations are read, whatever this option says.", "uci"},
    {"nodes", "N", OPTION_NODES, 0, "how many captures may be played for one move; a move that needs more is skipped",
     "The greatest number of captures that may be played to find the value of one move, from 1 to "
     "1000000000.",
     "10000000"},
    {"from", "FORMAT", OPTION_FROM, 0, "the format of all input files",
     "The format of all input files, whatever their names are.", "what the names say; for standard input, fen"},
    {"to", "FORMAT", OPTION_TO, 0, "the format of the output",
     "The format of the output. If a record has something that this format cannot hold, the command "
     "fails unless --lose names it.",
     "what the name of --output says, or else the format of the first file"},
    {"output", "FILE", OPTION_OUTPUT, SAME_OUTPUT | 'o',
     "the file to write, compressed if its name ends with .gz or .zst. It appears when it is complete: bad records "
     "are left out one by one, but if nobody knows how much is missing, or no record is left, it does not appear",
     "Writes to *FILE* instead of standard output. The output is compressed if the name ends with "
     ".gz or .zst; extensions of other compressions, such as .xz, are refused.\n\n"
     "The file appears under its name, and replaces an older one, only when it is complete and on "
     "the disk. A bad record is left out and counted, and the file appears with exit status 1. If the "
     "run is interrupted, if the disk is full, if --strict stops it, if damaged input was skipped, so "
     "that nobody knows how much is missing (see --salvage), or if no record is left because all were "
     "bad, no new file appears and an older one stays as it was. So a file can be filtered into itself. A new file has "
     "the permissions of the older one, except its setuid and "
     "setgid bits. A symbolic link to a file is followed; a dangling one is refused. Devices and "
     "pipes are written to directly.\n\n"
     "While it is written, the new file has no name. Where it replaces an older one, it is called "
     ".seebatch.XXXXXX for a moment at the end, and it has that name from the beginning on systems "
     "that cannot make files without a name. It is left there only if the program is killed at that "
     "time.",
     "standard output"},
    {"parts", "N", OPTION_PARTS, 0,
     "writes the output in N files, each of which appears when it is complete; {part} in the name of --output becomes "
     "its number. The same command after a crash, or on other machines at the same time, makes the files that are "
     "missing",
     "Divides the output into *N* files, from 1 to 10000. Their names are that of --output, with the number of the "
     "part "
     "in place of `{part}`: for --output 'quiet-{part}.binpack' --parts 64 they are quiet-01.binpack to "
     "quiet-64.binpack. Part *I* is what --part *I/N* makes of the input, so the files, joined in order, are the "
     "output "
     "of the whole; of tables, each file has the header.\n\n"
     "Each file appears when it is complete. If the run ends early, for whatever reason, the same command makes the "
     "files that are missing. Several processes can run the command at the same time, also on several machines that "
     "share a directory: each takes a part that nobody has, and ends when all parts are complete. See `PARTS` in "
     "seebatch-filter(1).\n\n"
     "Standard input and compressed files cannot be divided. The options --unique and --shuffle are refused, because "
     "they are about the whole input.",
     "one file"},
    {"salvage", NULL, OPTION_SALVAGE, SAME_OUTPUT,
     "lets the file of --output appear although damaged input was skipped; the exit status is 1 all the same",
     "Writes the file of --output even if damaged input was skipped; it then holds everything that "
     "could be read. The exit status is 1 nevertheless.",
     NULL},
    {"columns", "LIST", OPTION_SELECT, 0,
     "writes only these columns of a table or of JSON lines, in this order, separated by commas: fen, move, score, "
     "result, ply",
     "Writes only these columns of a table or of JSON lines, in this order, separated by commas. "
     "`fen` must be among them; the others are `move`, `score`, `result` and `ply`. All other "
     "columns are left out, even if input and output have the same format.",
     "all"},
    {"lose", "LIST", OPTION_LOSE, SEVERAL,
     "what may be lost because the output format has no place for it; anything else that would be lost ends the run. "
     "LIST names, separated by commas: move, score, result, ply; columns, moves (after the first), operations, lines, "
     "unused-bits, or other for these five; side, castling, en-passant, clock, number; or all",
     "What may be lost because the output format cannot hold it. The words are separated by commas: "
     "`move`, `score`, `result`, `ply`, `columns` (other columns of tables, and other members of "
     "objects), `moves` (all after the first), `operations` (of EPD), `lines` (unknown ones of the "
     "format plain), `unused-bits` (that are not 0), `other` (all five of these), `side` (the board "
     "is turned so that White is to move), `castling` (rights), `en-passant` (squares), `clock` "
     "(halfmove clocks), `number` (move numbers), or `all`. See `LOSSES` in seebatch-filter(1).",
     "nothing"},
    {"column", "FIELD=NAME", OPTION_COLUMN, SEVERAL,
     "in tables and JSON lines, the column NAME holds the FIELD: fen, move, score, result or ply",
     "The column *NAME* of tables and JSON lines holds the `fen`, `move`, `score`, `result` or "
     "`ply`. A column that has the usual name of that field is then like any other column.",
     "the column with the name of the field"},
    {"score-scale", "N", OPTION_SCALE, 0,
     "multiplies the scores of tables, JSON lines and the format scored by N: 100 turns pawns into centipawns",
     "Multiplies the scores of tables, JSON lines and the format scored by *N*, from 1 to 1000, and "
     "rounds them to the nearest integer. For example, 100 turns pawns into centipawns. Without this "
     "option, a score with a fractional part is an error.",
     "1"},
    {"win-rate-model", "NAME", OPTION_MODEL, 0,
     "turns the scores of games in PGN into internal scores of the Stockfish that played them: stockfish-17, "
     "stockfish-17.1 or stockfish-18",
     "Converts the scores of games in PGN into Stockfish's internal scores, by the win-rate model of "
     "the version that played the games: `stockfish-17`, `stockfish-17.1` or `stockfish-18`. "
     "Stockfish divides its internal scores by a number from this model when it prints pawns, but "
     "its training data has the internal scores.",
     "none, and pawns become centipawns"},
    {"leela-score", "best|root|played", OPTION_LEELA, 0,
     "which Q of Leela's training data becomes the score: that of the best move, of the root, or of the played move",
     "Which Q of Leela's training data becomes the score: that of the best move, of the root of the "
     "search, or of the move that was played.",
     "best"},
    {"threads", "N", OPTION_THREADS, SAME_OUTPUT | 'j', "how many threads read and evaluate",
     "How many threads read and evaluate, and compress the output, from 1 to 1024. One more thread writes.", "as many as there are processors"},
    {"part", "I/N", OPTION_PART, 0, "reads only the I-th of N parts of the input, which is divided by bytes",
     "Reads only the *I*-th of *N* parts of the input, that is, of all files joined and divided by "
     "bytes. A record belongs to the part in which its first byte lies; games, and chunks of "
     "binpacks, are not divided. The outputs of all parts, joined in order, equal the output of the "
     "whole input; only the first part writes the header of a table. Compressed files and standard "
     "input cannot be divided. docs/recipes.md shows how to use this option with GNU parallel.",
     "all of the input"},
    {"strict", NULL, OPTION_STRICT, SAME_OUTPUT, "stops at the first bad record instead of reporting and skipping it",
     "Stops at the first bad record. The records before it are written if the output is standard "
     "output. Without this option, bad records are reported, counted and skipped, and the exit "
     "status is 1.",
     NULL},
    {"progress", "S", OPTION_PROGRESS, SAME_OUTPUT,
     "prints a line of progress every S seconds if standard error is not a terminal",
     "If standard error is not a terminal, prints a line of progress every *S* seconds, from 0 (as "
     "often as possible) to 86400.",
     "60"},
    {"quiet", NULL, OPTION_QUIET, SAME_OUTPUT, "prints neither progress nor a summary; errors are still reported",
     "Prints neither progress nor a summary on standard error. Errors are still reported.", NULL},
    {"help", NULL, OPTION_HELP, 'h', "prints this text", "Prints help on the command.", NULL},
};

const struct option_row *option_row_of(const struct option_row *row)
{
    for (size_t i = 0; row->help == NULL && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, row->name) == 0)
            return &rows[i];
    return row;
}
