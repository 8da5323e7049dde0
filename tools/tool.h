/*
 * Declares what the commands of the tool share: options, reading of input, writing of output, and reports of errors.
 *
 * A command is a row in the table of main.c and a function in a file of its own. It reads its command line with
 * options_parse(), its input line by line with input_next_line(), and writes through one struct output, so that every
 * command reports errors in the same words and with the same exit status. Files of records come as lines, too.
 */
#ifndef SEEBATCH_TOOL_H
#define SEEBATCH_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "seebatch_io.h"
#include "files/stream.h"
#include "support/repeats.h"
#include "support/text.h"

enum {
    STATUS_OK = 0,
    STATUS_ERROR = 1, /* something in the input was wrong, or a file could not be read or written */
    STATUS_USAGE = 2  /* the command line, or SEEBATCH_KERNEL, was wrong */
};

/* ---- Commands --------------------------------------------------------------------------------------------------- */

/* An option of a command. From these rows come the reading of the command line, the help, the manual pages
 * (scripts/manual) and the completions. */
struct option_row {
    const char *name;
    const char *argument; /* NULL: it has none. Words with | between them: it is one of these */
    int val;              /* OPTION_... of shared_options.c, a command's own from OPTION_OWN on, or OPTION_GROUP */
    int marks;            /* SEVERAL, SAME_OUTPUT, and the letter that is its short form */
    const char *help;     /* one sentence or more */
    const char *manual;   /* sentences: `word` and --option are bold, *word* is italic, a blank line a new paragraph */
    const char *usual;    /* what holds without the option: "legal"; NULL: there is nothing to say */
};

enum {
    LETTER = 255,
    SEVERAL = 256,    /* may be given several times, and adds up; others that have an argument may not */
    SAME_OUTPUT = 512 /* whatever it says, the bytes that are written in the end are the same */
};

/* A heading: the rows after it, up to the next one, belong together. */
#define GROUP(title)                                                                                                   \
    {                                                                                                                  \
        .name = (title), .val = OPTION_GROUP, .help = ""                                                               \
    }

/* A row that stands in shared_options.c. */
#define SHARED(option)                                                                                                 \
    {                                                                                                                  \
        .name = (option)                                                                                               \
    }

/* The row itself, or the shared one of its name. */
const struct option_row *option_row_of(const struct option_row *row);

struct output;

/* An example in a help: what it does, and the lines to type. Tests run them all. */
struct help_example {
    const char *what, *lines;
};

/* A command: a variable in a file of its own, and an element of the table in main.c. The members stand in the order in
 * which the help shows them. */
struct command {
    const char *name;
    const char *summary;                  /* in the overview of all commands */
    const char *about;                    /* what the command does */
    const char *operands[3];              /* after the options; each makes a line of usage. NULL after the last */
    struct help_example examples[3];      /* those without lines are not there */
    const char *details;                  /* input and output; NULL: nothing is left to say */
    const struct option_row *options;     /* in groups; one without a name ends them */
    void (*lists)(struct output *output); /* what is listed after the options; NULL: nothing */
    const char *status;                   /* what the exit status means */

    /* argv[0] is the whole name of the command ("seebatch eval"), the rest its options and operands. Returns the exit
     * status. */
    int (*run)(int argc, char **argv);
};

extern const struct command eval_command, explain_command, map_command, compare_command, filter_command,
    convert_command, verify_command, identify_command, selftest_command, annotate_command, stats_command, info_command;

/* The table of main.c, which ends with NULL. */
const struct command *command_at(size_t index);

/* ---- Help (help.c) ---------------------------------------------------------------------------------------------- */

/* Writes the help of a command. */
void help_write(struct output *output, const struct command *command);

/* A row of the help: what it is about, and a text in as many lines as it takes. */
void help_row(struct output *output, const char *term, const char *text);

/* Writes a text in as many lines as it takes, each after an indent. A line end in the text stays. */
void help_text(struct output *output, int indent, const char *text);

/* Examples, with their heading. */
void help_examples(struct output *output, const struct help_example *examples, size_t n);

/* ---- Reports (report.c) ----------------------------------------------------------------------------------------- */

/* Bad usage: COMMAND: sentence, and where help is to be found, on standard error; ends the program with status 2. */
_Noreturn void usage_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes "seebatch: sentence" to standard error. */
void report(const char *format, ...) PRINTF_LIKE(1, 2);

/* Says that there is no memory, and ends the program with status 1. */
_Noreturn void no_memory(void);

/* realloc for count elements; ends the program with status 1 where there is no memory. */
void *reallocate(void *memory, size_t count, size_t size);

/* ---- Options (options.c) ---------------------------------------------------------------------------------------- */

/* The options that commands share. */
enum {
    OPTION_RULES = 256, /* above the letters */
    OPTION_TWO_RULES,   /* --rules twice, as compared[] */
    OPTION_VALUES,
    OPTION_KERNEL,
    OPTION_FORMAT,
    OPTION_MOVES,
    OPTION_THRESHOLD,
    OPTION_FEN,
    OPTION_EXAMPLES,
    OPTION_NODES,
    OPTION_NOTATION,
    OPTION_TRACE,
    OPTION_FROM,
    OPTION_HELP,
    OPTION_GROUP, /* none, but the heading of a group */
    /* Those of the pipeline, which pipeline_take() reads. */
    OPTION_TO,
    OPTION_OUTPUT,
    OPTION_THREADS,
    OPTION_SALVAGE,
    OPTION_STRICT,
    OPTION_QUIET,
    OPTION_PROGRESS,
    OPTION_PART,
    OPTION_PARTS,
    OPTION_LOSE,
    OPTION_COLUMN,
    OPTION_SCALE,
    OPTION_MODEL,
    OPTION_LEELA,
    OPTION_SELECT,
    OPTION_OWN
};

enum format { FORMAT_TSV, FORMAT_JSON, FORMAT_TEXT, FORMAT_BOARD, FORMAT_REPORT };
enum notation { NOTATION_UCI, NOTATION_SAN };

struct options {
    const char *rules_name; /* --rules, or the name of the default rules */
    seebatch_rules rules;   /* these rules with --values */
    const char *values;     /* --values, or NULL */
    const char *kernel;     /* --kernel, or NULL */
    enum format format;
    enum notation notation; /* --notation: of moves that are written; both are read */
    bool trace;             /* --trace */
    const char *from;       /* --from, or NULL */
    bool has_moves;         /* --moves was given: */
    bool all_moves;         /* --moves all */
    bool tables_are_lines;  /* csv and tsv, but with --from */
    bool has_threshold;
    int16_t threshold;
    const char *fen;         /* --fen, or NULL */
    const char *compared[2]; /* --rules A --rules B */
    int n_compared;
    long examples;     /* --examples: how many of each cause */
    long nodes;        /* --nodes: how many captures minimax may play for one query */
    const char *given; /* the options except those of SAME_OUTPUT, as "option --keep quiet", each in a line */
    int n_operands;    /* what follows the options */
    char **operands;
};

/* Reads five piece values, separated by commas; ends the program where they are wrong. */
void options_values(const char *command, const char *option, const char *text, int16_t value[5]);

/* Reads an option that options_parse() does not know; ends the program where the argument is wrong. */
typedef void take_option_function(const char *command, int val, const char *argument, void *state);

/*
 * Reads the command line of a command and chooses the kernel. take, which may be NULL, is called for each option that
 * has no place in struct options, in the order in which they are given. The format without --format is the first word
 * of that option's argument.
 *
 * Ends the program itself: with status 0 after --help, with 2 where the command line or SEEBATCH_KERNEL is wrong. An
 * option with an argument is given once: of two, one would be lost in silence.
 */
void options_parse(const struct command *command, int argc, char **argv, take_option_function *take, void *state,
                   struct options *options);

/* Where there are no operands: - , which stands for standard input, is the only one. */
void options_standard_input(struct options *options);

/* The same, for a command that reads the operands as files and writes to standard output: and inputs_check(). Ends the
 * program where a name says that the command cannot read the file. */
void options_read_input(const char *command, struct options *options);

/* Ends the program with status 2 if JSON is to hold the name of a file that is no UTF-8. */
void options_check_names(const char *command, const struct options *options);

/* The name of a format, if there is one; otherwise ends the program. */
const char *options_format_name(const char *command, const char *option, const char *name);

/* A decimal integer from first up to end, nothing else around it; false if it is none, or outside low..high. Those
 * beyond a thousand million are always outside. */
bool options_integer(const char *first, const char *end, long low, long high, long *result);

/* Reads the argument of --seed: any integer of 64 bits that is not negative; otherwise the run ends with a sentence. */
uint64_t options_seed(const char *command, const char *text);

/* ---- Input (input.c) -------------------------------------------------------------------------------------------- */

struct records; /* of a file that is read by seebatch_io (records.c) */

/* A file that is read line by line. */
struct input {
    const char *name;        /* as on the command line; "-" is standard input */
    struct records *records; /* where its lines are made of records; otherwise NULL */
    struct stream stream;    /* where they are read */
    char *line;              /* the current line without its end (LF or CR LF), until the next one is asked for */
    size_t line_length;      /* in bytes, at most LONGEST_LINE; a NUL may be among them */
    uint64_t line_number;    /* from 1 */
    bool interactive;        /* a person types: answer every line at once */
    bool failed;             /* something was reported */
    uint64_t error_reports;  /* how many, */
    uint64_t too_long;       /* lines that were skipped because of their length */
    uint64_t shown, hidden;  /* of those that no other one was equal to, */
    struct repeats repeats;  /* and what was said */

    char *buffer; /* of these bytes, those from next up to end are still to be read as lines */
    size_t capacity, next, end;
    bool ended, failed_reading; /* no more bytes will come */
};

/* No line of positions and moves is longer; one that is, is reported and skipped. */
enum { LONGEST_LINE = 1 << 24 };

/* A line of positions and moves, taken apart; the texts point into the line. */
struct fields {
    const char *position; /* the bytes up to the first TAB or the end of the line */
    size_t position_length;
    const char *moves; /* the bytes after the TAB */
    const char *end;   /* the end of the line */
};

/* Whether there is something of that name, and what it is. Ends the program with status 1 where the system does not say:
 * it might be overwritten unseen. */
bool file_exists(const char *name, struct stat *file);

/* Ends the program with status 2 if a file that an option names for a picture is one of the inputs, through links too,
 * or another file that is none of its kind, SVG or HTML, which has this mark near its beginning: it would be lost. */
void inputs_check_picture(const char *command, const char *option, const char *picture, const char *kind,
                          const char *mark, char *const *names, int n);

/* Looks at all files before the first one is read. Ends the program with status 2 if standard output is a file that is
 * one of them, where it is written to, and with status 1 if one of them cannot be opened, each reported. */
void inputs_check(const char *command, char *const *names, int n, bool writes_standard_output);

/* Opens a file of lines, decompressed where its name says so; false, and reported, if that fails. */
bool input_open(struct input *input, const char *name);

/* Does the same for a file of any format, as --from or the name says, and for lines where neither does. */
bool input_open_any(struct input *input, const char *name, const struct options *options);

/* Whether a file holds records that are not lines of positions, and of which format. */
bool input_has_records(const char *name, const struct options *options, seebatch_file_format *format);

/* Reads the next line; returns false at the end of the file and, reported, after an error of reading. A byte order mark
 * before the first one is skipped. */
bool input_next_line(struct input *input);

/* Takes the current line apart. False if there is nothing in it to evaluate: a blank line or a comment; also, reported,
 * a line with a NUL byte. */
bool input_fields(struct input *input, struct fields *fields);

/* Reads the position of the current line; returns false, and says why, if it has none. */
bool input_position(const struct input *input, const struct fields *fields, seebatch_position *position,
                    seebatch_error *error);

/* What the current record says besides its position; NULL where lines are not made of records. */
struct record_fields {
    const seebatch_position *position;
    unsigned has; /* SEEBATCH_HAS_... */
    seebatch_move move;
    int32_t score; /* as it stands in the file: of some formats the mover's, of others White's */
};
const struct record_fields *input_record(const struct input *input);

/* Moves of one position or of many. */
struct move_list {
    seebatch_move *moves;
    size_t count, capacity;
};

/* Appends the moves of a line: those that it names, each that is wrong reported, or, where it names none, the legal
 * captures or (--moves all) all legal moves. Of a record --moves outranks its own move. */
void input_moves(struct input *input, const struct fields *fields, const seebatch_position *position,
                 const struct options *options, struct move_list *list);

/* Writes "FILE:LINE: sentence" to standard error. The same sentence again, and after MOST_ERROR_REPORTS of them in a
 * file any sentence, is only counted. */
void input_error(struct input *input, const char *format, ...) PRINTF_LIKE(2, 3);

/* Counts an error in a line, in these words without a place. Returns whether it is to be shown. */
bool input_shows_error(struct input *input, const char *sentence, size_t length, uint64_t line);

/* Tells how many error reports were not shown. Returns whether there was any since input_open(). */
bool input_close(struct input *input);

/* ---- Records (records.c) ---------------------------------------------------------------------------------------- */

/* What input.c calls for files of records. Each returns what the function of input.c does. */
bool records_open(struct input *input, const seebatch_file_format *format);
bool records_next(struct input *input);
void records_place(const struct input *input, FILE *to);
bool records_are_binary(const struct input *input);
void records_end(struct input *input); /* counts all that was wrong; comes before records_close() */
void records_close(struct input *input);

/* ---- Output (output.c) ------------------------------------------------------------------------------------------ */

enum { OUTPUT_SIZE = 1 << 16 };

/* Standard output through a buffer. Wherever writing fails the program ends with status 1: with a sentence, or without
 * one where it is only that the reader has gone. */
struct output {
    size_t used;
    char bytes[OUTPUT_SIZE];
};

void output_bytes(struct output *output, const char *bytes, size_t length);
void output_string(struct output *output, const char *string);
void output_int(struct output *output, int value);
void output_printf(struct output *output, const char *format, ...) PRINTF_LIKE(2, 3);
void output_flush(struct output *output);

/* Flushes and closes standard output: the last chance to learn that something could not be written. */
void output_finish(struct output *output);

/* Writes a value, as json_dumps() does with these flags, and the end of the line; lets go of the value. */
struct json_t;
void output_json(struct output *output, struct json_t *json, size_t flags);

/* Returns the text of a legal move in a notation. */
struct move_text {
    char text[SEEBATCH_SAN_SIZE];
};
struct move_text move_text(enum notation notation, const seebatch_position *position, seebatch_move move);

/* Writes one text to standard output and finishes it. */
void output_whole(const char *string);

#endif
