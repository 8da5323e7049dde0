/*
 * The reporter turns errors of a block into sentences with a place in the file, and hands them to a function of the
 * caller. It counts the lines and the errors of a file, because a block knows only its own. Readers, writers and the
 * pipeline have one reporter each, and give it their blocks in the order of the input.
 */
#ifndef SEEBATCH_IO_ERROR_REPORTS_H
#define SEEBATCH_IO_ERROR_REPORTS_H

#include "formats/format.h"
#include "support/repeats.h"

struct reporter {
    void (*on_report)(void *user, const seebatch_error_report *report); /* or NULL */
    void *user;
    bool strict;                 /* only what comes first is told */
    const struct source *source; /* of the last block */
    uint64_t lines, games;       /* of this file, before the block */
    uint64_t records;            /* of this file that are good, */
    uint64_t lacking[N_FIELDS];  /* and how many of them lack a field */
    bool nothing, ended;         /* so far it has no record, good or bad; it was read to its end */
    uint64_t empty_files;        /* so far, those that have no record at all */
    uint64_t error_reports;      /* of this file, */
    uint64_t shown;              /* and how many of them were told */
    struct repeats repeats;      /* what was told of this file; its texts are freed by the caller */
    struct bytes text;           /* `failed` is set if there was no memory for an error report */
    seebatch_io_error first;     /* the first error report but warnings; status SEEBATCH_IO_OK: there is none */
};

/* Tells what was wrong in the next block of the input, and how many error reports of the file before it were not told. */
void seebatch_io_report_block(struct reporter *reporter, const struct block *block);

/* Ends the reports of a file: warns of fields that some of its records lack and others have. It is called once for each
 * file. */
void seebatch_io_reporter_missing_fields(struct reporter *reporter);

/* Says which error reports were repeated, and how often. Once for each file. */
void seebatch_io_reporter_repeats(struct reporter *reporter);

/* Warns of a file that was read to its end and has no record, good or bad. Once for each file. */
void seebatch_io_reporter_nothing(struct reporter *reporter);

/* Ends the reports of the last file. */
void seebatch_io_reporter_end(struct reporter *reporter);

/* Tells of a file, or, path NULL, of the run. */
void seebatch_io_reporter_say(struct reporter *reporter, seebatch_error_report_kind kind, const char *path,
                              const char *text, size_t length);

#endif
