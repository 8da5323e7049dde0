/*
 * --parts: the output in parts.
 *
 * Part I of N of the output is what --part I/N makes of the input (io/blocks/part.c), so the parts, joined in order, are
 * the output of the whole; only tables have their header in each. A folder beside the parts, named like them with .run
 * at its end, has three kinds of files:
 *
 *   run      the command and the input, one thing in a line. Another command, or the same on changed input, is refused.
 *   I.done   part I is complete: its size, and what was counted while it was made. A part is complete if it has this
 *            size; one that was removed or cut is made again.
 *   I.claim  a process works on part I (claims.c).
 *
 * The folder gets its name when it has the file `run`, by one rename(), so of two processes that begin at once one makes
 * it, and the other compares. A part and its name are on the disk before I.done appears, which is written in the same
 * way. So whatever ends a process, what is there is whole, and what is missing is made by the next one.
 *
 * All of this belongs to the tool, and not to seebatch_io, because only the tool knows the command: a pipeline of the
 * library calls a function of its caller, of which nothing can be compared. A caller gets the same by
 * seebatch_pipeline_options.part, and by skipping the parts that it has.
 */
#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "claims.h"
#include "interrupt.h"

#define PLACE "{part}"
#define END_OF_FILE "end\n"

enum { MOST_PARTS = 10000, FIRST_TEXT = 1024, LONGEST_TEXT = 1 << 28, SHOWN = 300 };

enum part_state { MISSING, COMPLETE, FAILED };

struct parts {
    unsigned n, n_complete, n_made; /* n_made: by this process */
    int width;                      /* digits of n */
    char *folder;                   /* X.run */
    char *name, *path;              /* room for the names of a part and of a file of the folder */
    struct bytes said;              /* the command and the input */
    unsigned char *states;
    bool *told; /* the part is made again although it was complete, which has been said */
    struct claim claim;
    uint64_t bad_elsewhere; /* bad records of parts that were there already */
    bool waiting;           /* for other processes, which has been said */
    bool failed;            /* the state of the run cannot be read or written */
};

/* ---- Options ----------------------------------------------------------------------------------------------------- */

void parts_read(struct pipeline_run *run, const char *text)
{
    long n;
    if (!options_integer(text, text + strlen(text), 1, MOST_PARTS, &n))
        usage_error(run->command, "--parts: '%s' is not an integer from 1 to %d", text, MOST_PARTS);
    run->n_parts = (unsigned)n;
}

void parts_check(const struct pipeline_run *run)
{
    const seebatch_pipeline_options *options = &run->options;
    const char *output = options->output, *place = output != NULL ? strstr(output, PLACE) : NULL;
    const char *example = "expected it once in the name of the file, for the number of the part, as in --output "
                          "'quiet-" PLACE ".binpack'";
    if (output == NULL || strcmp(output, "-") == 0)
        usage_error(run->command, "--parts was given without --output, expected one with " PLACE
                                  " in the name of the file, for the number of the part");
    if (place == NULL)
        usage_error(run->command, "--parts: --output '%s' does not contain " PLACE ", %s", output, example);
    if (strstr(place + 1, PLACE) != NULL)
        usage_error(run->command, "--parts: --output '%s' contains " PLACE " more than once, %s", output, example);
    if (strchr(place, '/') != NULL)
        usage_error(run->command, "--parts: --output '%s' has " PLACE " in the name of a folder, %s", output, example);
    if (options->of > 0)
        usage_error(run->command,
                    "--part reads one part and --parts makes all of them, expected one of the two options");
    if (options->unique || options->shuffle)
        usage_error(run->command,
                    "--%s is about the whole input, of which a part knows nothing; expected it without --parts, "
                    "or in a second run that reads all the parts",
                    options->unique ? "unique" : "shuffle");
    for (size_t i = 0; i < options->n_paths; i++)
        if (strcmp(options->paths[i], "-") == 0)
            usage_error(run->command,
                        "--parts: standard input cannot be divided into parts, nor read again after a crash; expected "
                        "the names of files");
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Names the file of a part: its number has as many digits as N, so that names sort as numbers do. */
static const char *name_part(struct pipeline_run *run, unsigned part)
{
    struct parts *parts = run->parts;
    const char *output = run->output_parts, *place = strstr(output, PLACE);
    sprintf(parts->name, "%.*s%0*u%s", (int)(place - output), output, parts->width, part, place + strlen(PLACE));
    return parts->name;
}

/* Names a file of the folder. */
static const char *name_state(struct parts *parts, unsigned part, const char *kind)
{
    sprintf(parts->path, "%s/%0*u.%s", parts->folder, parts->width, part, kind);
    return parts->path;
}

static const char *name_run(struct parts *parts)
{
    sprintf(parts->path, "%s/run", parts->folder);
    return parts->path;
}

/* ---- The command and the input ----------------------------------------------------------------------------------- */

static void add_number(struct bytes *bytes, const char *what, uint64_t number)
{
    char text[64];
    snprintf(text, sizeof text, "%s%" PRIu64, what, number);
    bytes_add_string(bytes, text);
}

/* Reports that a file of the input or of the folder cannot be used. */
static bool fail(struct pipeline_run *run, const char *path, const char *what)
{
    const int number = errno;
    progress_clear(&run->progress);
    report("%s: %s: %s; the parts that are complete stay as they are", path, what, strerror(number));
    run->parts->failed = true;
    return false;
}

/* Writes what makes a run the same one: the version, the options that matter, and of each file its name, size and time
 * of modification, which is what make and rsync compare, too. False if the system does not say these. */
static bool identify(struct pipeline_run *run, struct bytes *said)
{
    said->used = 0;
    bytes_add_string(said, "version " SEEBATCH_VERSION "\ncommand ");
    bytes_add_string(said, run->command);
    bytes_add_string(said, "\n");
    bytes_add_string(said, run->given);
    for (size_t i = 0; i < run->options.n_paths; i++) {
        const char *name = run->options.paths[i];
        struct stat file;
        char when[64] = "never";
        if (stat(name, &file) != 0)
            return fail(run, name, "its size and time cannot be determined");
        const struct tm *parted = gmtime(&file.st_mtime);
        if (parted != NULL)
            strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", parted);
        bytes_add_string(said, "input ");
        bytes_add_string(said, name);
        add_number(said, ", ", (uint64_t)file.st_size);
        bytes_add_string(said, " bytes, modified ");
        bytes_add_string(said, when);
        bytes_add_string(said, "\n");
    }
    bytes_add_string(said, END_OF_FILE);
    if (said->failed)
        no_memory();
    return true;
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
    return a->used == b->used && memcmp(a->data, b->data, a->used) == 0;
}

/* Whether the text ends as a file that was written whole does. */
static bool is_whole(const struct bytes *text)
{
    const size_t length = strlen(END_OF_FILE);
    return text->used >= length && memcmp(text->data + text->used - length, END_OF_FILE, length) == 0;
}

/* A line of a text, without its end. */
struct line {
    const char *text;
    int length;
};

static bool next_line(const struct bytes *text, size_t *at, struct line *line)
{
    if (*at >= text->used)
        return false;
    const char *begin = text->data + *at, *end = memchr(begin, '\n', text->used - *at);
    const size_t length = end != NULL ? (size_t)(end - begin) : text->used - *at;
    *line = (struct line){begin, length < SHOWN ? (int)length : SHOWN};
    *at += length + 1;
    return true;
}

/* The first line of a text that another one does not have. */
static bool line_only_in(const struct bytes *text, const struct bytes *other, struct line *line)
{
    for (size_t at = 0; next_line(text, &at, line);) {
        bool found = false;
        struct line there;
        for (size_t k = 0; !found && next_line(other, &k, &there);)
            found = there.length == line->length && memcmp(there.text, line->text, (size_t)line->length) == 0;
        if (!found)
            return true;
    }
    return false;
}

/* What differs between what the folder says and what this run says. */
static void describe_difference(const struct bytes *before, const struct bytes *now, char *text, size_t room)
{
    struct line old = {"", 0}, new = {"", 0};
    const bool had = line_only_in(before, now, &old), has = line_only_in(now, before, &new);
    if (had && has)
        snprintf(text, room, "it had '%.*s', and now has '%.*s'", old.length, old.text, new.length, new.text);
    else if (had)
        snprintf(text, room, "it had '%.*s', and now does not", old.length, old.text);
    else if (has)
        snprintf(text, room, "it did not have '%.*s', and now does", new.length, new.text);
    else
        snprintf(text, room, "its options or files were given in another order");
}

/* ---- Files of the folder ----------------------------------------------------------------------------------------- */

/* Reads a file of the folder. False if it cannot be read, and errno says why. */
static bool read_text(const char *path, struct bytes *text)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = -1;
    text->used = 0;
    while (fd >= 0 && text->used < LONGEST_TEXT) {
        if (!bytes_reserve(text, FIRST_TEXT))
            no_memory();
        got = read(fd, text->data + text->used, text->capacity - text->used);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        text->used += got > 0 ? (size_t)got : 0;
    }
    const int number = errno;
    if (fd >= 0)
        close(fd);
    errno = number;
    return fd >= 0 && got == 0;
}

static bool write_text(struct pipeline_run *run, const char *path, const struct bytes *text)
{
    seebatch_io_error error;
    if (seebatch_write_file(path, text->data, text->used, &error) == SEEBATCH_IO_OK)
        return true;
    progress_clear(&run->progress);
    report("%s", error.text);
    run->parts->failed = true;
    return false;
}

/* Makes the folder with its file `run`, under another name until it has that. False if that fails; if it exists already,
 * it stays. */
static bool make_folder(struct pipeline_run *run)
{
    const struct parts *parts = run->parts;
    enum { NAME = sizeof ".seebatch.XXXXXX/run", ATTEMPTS = 100 };
    const char *slash = strrchr(parts->folder, '/');
    const int before = slash != NULL ? (int)(slash + 1 - parts->folder) : 0;
    const unsigned long random = (unsigned long)time(NULL) * 40503 ^ (unsigned long)getpid();
    char *making = reallocate(NULL, (size_t)before + NAME, 1), *path = reallocate(NULL, (size_t)before + NAME, 1);
    bool well;
    unsigned attempt = 0;
    do { /* a process in another container may have the same number, and begin in the same second */
        sprintf(making, "%.*s.seebatch.%06lx", before, parts->folder, (random + attempt) & 0xffffff);
        well = mkdir(making, 0777) == 0;
    } while (!well && errno == EEXIST && ++attempt < ATTEMPTS);
    well = well || fail(run, parts->folder, "cannot be made");
    sprintf(path, "%s/run", making);
    if (well) {
        well = write_text(run, path, &parts->said);
        const bool renamed = well && rename(making, parts->folder) == 0;
        struct stat file;
        const int number = errno;
        if (!renamed) {
            unlink(path);
            rmdir(making);
        }
        if (well && !renamed && stat(parts->folder, &file) != 0) { /* no other process was faster */
            errno = number;
            well = fail(run, parts->folder, "cannot be made");
        }
    }
    free(making);
    free(path);
    return well;
}

/* Makes the folder, or compares what it says. */
static bool open_folder(struct pipeline_run *run)
{
    struct parts *parts = run->parts;
    struct bytes before = {0};
    char difference[3 * SHOWN];
    bool there = read_text(name_run(parts), &before);
    if (!there && errno == ENOENT) {
        struct stat file;
        if (stat(parts->folder, &file) != 0 && !make_folder(run))
            return false;
        there = read_text(name_run(parts), &before); /* another process may have made it since the first look */
        if (!there && errno == ENOENT)
            usage_error(run->command,
                        "%s exists, but not as this command makes it: it has no file 'run'; expected another name "
                        "in --output, or that you remove it, and all parts are made anew",
                        parts->folder);
    }
    if (!there)
        return fail(run, parts->path, "cannot be read");
    if (!is_whole(&before))
        usage_error(run->command,
                    "%s is damaged: it has no line 'end'; expected that you remove %s, and all parts are made anew",
                    parts->path, parts->folder);
    if (!same_bytes(&before, &parts->said)) {
        describe_difference(&before, &parts->said, difference, sizeof difference);
        usage_error(
            run->command,
            "%s belongs to another run: %s; expected the same command and input, or another name in --output, or "
            "that you remove that folder, and all parts are made anew",
            parts->folder, difference);
    }
    free(before.data);
    return true;
}

/* ---- What is known of a part ------------------------------------------------------------------------------------- */

/* The counts that are remembered of a part. */
enum { SIZE, READ, WRITTEN, BAD, LOST_BYTES, LOST_RECORDS, DAMAGED, N_COUNTS };
static const char *const count_names[N_COUNTS] = {"size",       "read",         "written", "bad",
                                                  "lost-bytes", "lost-records", "damaged"};

static bool write_done(struct pipeline_run *run, unsigned part, uint64_t size, const seebatch_counts *counts,
                       const uint64_t *notes)
{
    const uint64_t numbers[N_COUNTS] = {
        size, counts->read, counts->written, counts->bad, counts->lost_bytes, counts->lost_records, counts->damaged};
    struct bytes text = {0};
    for (int i = 0; i < N_COUNTS; i++) {
        bytes_add_string(&text, count_names[i]);
        add_number(&text, " ", numbers[i]);
        bytes_add_string(&text, "\n");
    }
    for (size_t i = 0; i < run->n_notes; i++) {
        add_number(&text, "note ", notes[i]);
        bytes_add_string(&text, "\n");
    }
    bytes_add_string(&text, END_OF_FILE);
    if (text.failed)
        no_memory();
    const bool well = write_text(run, name_state(run->parts, part, "done"), &text);
    free(text.data);
    return well;
}

/* A line of a name and a number. */
static bool read_count(const struct bytes *text, size_t *at, const char *name, uint64_t *number)
{
    const size_t length = strlen(name);
    struct line line;
    if (!next_line(text, at, &line) || (size_t)line.length <= length + 1 || line.length > 40 ||
        memcmp(line.text, name, length) != 0 || line.text[length] != ' ' || line.text[line.length] != '\n')
        return false;
    *number = 0;
    for (const char *digit = line.text + length + 1; *digit != '\n'; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        *number = *number * 10 + (uint64_t)(*digit - '0');
    }
    return true;
}

static bool parse_done(const struct pipeline_run *run, const struct bytes *text, uint64_t numbers[N_COUNTS],
                       uint64_t notes[MOST_NOTES])
{
    size_t at = 0;
    if (!is_whole(text))
        return false;
    for (int i = 0; i < N_COUNTS; i++)
        if (!read_count(text, &at, count_names[i], &numbers[i]))
            return false;
    for (size_t i = 0; i < run->n_notes; i++)
        if (!read_count(text, &at, "note", &notes[i]))
            return false;
    return at + strlen(END_OF_FILE) == text->used;
}

static void add_counts(seebatch_counts *sum, const seebatch_counts *counts)
{
    sum->read += counts->read;
    sum->written += counts->written;
    sum->bad += counts->bad;
    sum->lost_bytes += counts->lost_bytes;
    sum->lost_records += counts->lost_records;
    sum->lost_about += counts->lost_about;
    sum->scores += counts->scores;
    sum->not_scores += counts->not_scores;
    sum->consumed += counts->consumed;
    sum->damaged |= counts->damaged;
}

/* Says once that a part is made again, although it was complete. */
static void tell_again(struct pipeline_run *run, unsigned part, const char *why)
{
    if (run->parts->told[part - 1])
        return;
    run->parts->told[part - 1] = true;
    progress_clear(&run->progress);
    report("%s: it was complete, but %s; it is made again", run->parts->name, why);
}

/* Whether a part is complete; if so, adds what was counted. */
static bool is_complete(struct pipeline_run *run, unsigned part)
{
    struct parts *parts = run->parts;
    uint64_t numbers[N_COUNTS], notes[MOST_NOTES];
    struct bytes text = {0};
    struct stat file;
    const bool done = read_text(name_state(parts, part, "done"), &text);
    if (!done && errno != ENOENT)
        fail(run, parts->path, "cannot be read");
    const bool parsed = done && parse_done(run, &text, numbers, notes);
    const bool there = stat(name_part(run, part), &file) == 0 && S_ISREG(file.st_mode);
    free(text.data);
    if (done && !parsed)
        tell_again(run, part, "what was noted of it is damaged");
    else if (done && !there)
        tell_again(run, part, "the file is missing");
    else if (done && (uint64_t)file.st_size != numbers[SIZE])
        tell_again(run, part, "its size has changed");
    if (!parsed || !there || (uint64_t)file.st_size != numbers[SIZE])
        return false;
    const seebatch_counts counts = {.read = numbers[READ],
                                    .written = numbers[WRITTEN],
                                    .bad = numbers[BAD],
                                    .lost_bytes = numbers[LOST_BYTES],
                                    .lost_records = numbers[LOST_RECORDS],
                                    .damaged = numbers[DAMAGED] != 0};
    add_counts(&run->counts, &counts);
    for (size_t i = 0; i < run->n_notes; i++)
        run->notes[i] += notes[i];
    run->progress.read_elsewhere += counts.read;
    parts->bad_elsewhere += counts.bad;
    parts->states[part - 1] = COMPLETE;
    unlink(name_state(parts, part, "claim")); /* of a process that was killed after it had completed the part */
    run->progress.parts_complete = ++parts->n_complete;
    return true;
}

/* ---- Making parts ------------------------------------------------------------------------------------------------ */

/* The input must be what it was: a part of a file that has grown is no part of the old one. */
static bool input_is_the_same(struct pipeline_run *run)
{
    struct bytes now = {0};
    char difference[3 * SHOWN];
    const bool known = identify(run, &now), same = known && same_bytes(&now, &run->parts->said);
    if (known && !same) {
        describe_difference(&run->parts->said, &now, difference, sizeof difference);
        progress_clear(&run->progress);
        report("%s: the input has changed during the run: %s", run->output_parts, difference);
        run->parts->failed = true;
    }
    free(now.data);
    return same;
}

/* Makes a part whose claim this process holds. Sets its state; the status says whether the run can go on. */
static seebatch_io_status make_part(struct pipeline_run *run, unsigned part)
{
    struct parts *parts = run->parts;
    seebatch_counts counts = {0};
    seebatch_io_error error;
    uint64_t notes[MOST_NOTES] = {0};
    struct stat file;
    run->options.part = part;
    run->options.output = name_part(run, part);
    if (!input_is_the_same(run))
        return SEEBATCH_IO_FAILED;
    run->pipeline = seebatch_pipeline_new(&run->options, &error);
    if (run->pipeline == NULL) {
        report("%s", error.text);
        return SEEBATCH_IO_FAILED;
    }
    const seebatch_io_status status = pipeline_run_once(run, &counts, notes);
    add_counts(&run->counts, &counts);
    add_counts(&run->here, &counts);
    for (size_t i = 0; i < run->n_notes; i++)
        run->notes[i] += notes[i];
    if (counts.incomplete || (status != SEEBATCH_IO_OK && !counts.damaged))
        return status != SEEBATCH_IO_OK ? status : SEEBATCH_IO_FAILED;
    if (!input_is_the_same(run))
        return SEEBATCH_IO_FAILED;
    if (counts.removed) { /* because of its input; the other parts can be made nevertheless */
        parts->states[part - 1] = FAILED;
        return SEEBATCH_IO_OK;
    }
    if (stat(name_part(run, part), &file) != 0)
        return fail(run, parts->name, "cannot be found, although it was written"), SEEBATCH_IO_FAILED;
    if (!write_done(run, part, (uint64_t)file.st_size, &counts, notes))
        return SEEBATCH_IO_FAILED;
    parts->states[part - 1] = COMPLETE;
    parts->n_made++;
    run->progress.parts_complete = ++parts->n_complete;
    return SEEBATCH_IO_OK;
}

/* Makes a part if it is missing and nobody else makes it. *busy says whether somebody does. */
static seebatch_io_status try_part(struct pipeline_run *run, unsigned part, bool *busy, bool *made)
{
    struct parts *parts = run->parts;
    seebatch_io_status status = SEEBATCH_IO_OK;
    if (is_complete(run, part))
        return SEEBATCH_IO_OK;
    char *clock = strdup(name_run(parts));
    if (clock == NULL)
        no_memory();
    const enum claim_result result =
        parts->failed ? CLAIM_FAILED : claim_take(&parts->claim, name_state(parts, part, "claim"), clock);
    free(clock);
    if (result == CLAIM_FAILED && !parts->failed)
        fail(run, parts->path, "cannot be written");
    *busy = result == CLAIM_BUSY;
    if (result != CLAIM_TAKEN)
        return result == CLAIM_BUSY ? SEEBATCH_IO_OK : SEEBATCH_IO_FAILED;
    /* Another process may have completed it between the two looks. */
    if (!is_complete(run, part)) {
        *made = true;
        status = make_part(run, part);
    }
    claim_release(&parts->claim);
    return status;
}

static void wait_a_little(void)
{
    const struct timespec time = {0, 250000000};
    nanosleep(&time, NULL);
}

/* Says once for whom this process waits. */
static void tell_waiting(struct pipeline_run *run, unsigned n, unsigned first)
{
    struct parts *parts = run->parts;
    if (!parts->waiting && !run->progress.quiet) {
        progress_clear(&run->progress);
        fprintf(stderr,
                "%s: waiting for %u part%s that other processes make; %s says which one makes part %u, and it is made "
                "here if that file is not renewed for %d seconds\n",
                run->command, n, plural(n), name_state(parts, first, "claim"), first, STALE_SECONDS);
    }
    parts->waiting = true;
}

/* Takes one part after another, until all are complete or cannot be made. */
static seebatch_io_status make_parts(struct pipeline_run *run)
{
    const struct parts *parts = run->parts;
    for (unsigned busy = 1, first = 0; busy > 0;) {
        bool made = false;
        busy = 0;
        for (unsigned part = 1; part <= parts->n; part++) {
            if (interrupt_signal() != 0)
                return SEEBATCH_IO_STOPPED;
            if (parts->states[part - 1] != MISSING)
                continue;
            bool is_busy = false;
            const seebatch_io_status status = try_part(run, part, &is_busy, &made);
            first = is_busy && busy == 0 ? part : first;
            busy += is_busy;
            if (status != SEEBATCH_IO_OK || parts->failed)
                return status != SEEBATCH_IO_OK ? status : SEEBATCH_IO_FAILED;
        }
        if (busy > 0 && !made) {
            tell_waiting(run, busy, first);
            wait_a_little();
        }
    }
    return SEEBATCH_IO_OK;
}

void parts_renew(struct pipeline_run *run) { claim_renew(&run->parts->claim); }

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* A part must not replace a file of the input, nor be written into a device. */
static void check_files(struct pipeline_run *run)
{
    const seebatch_pipeline_options *options = &run->options;
    for (unsigned part = 1; part <= run->parts->n; part++) {
        struct stat output, input;
        if (!file_exists(name_part(run, part), &output))
            continue;
        if (!S_ISREG(output.st_mode))
            usage_error(run->command, "--parts: %s exists and is not a file, expected another name in --output",
                        run->parts->name);
        for (size_t i = 0; i < options->n_paths; i++)
            if (file_exists(options->paths[i], &input) && input.st_dev == output.st_dev &&
                input.st_ino == output.st_ino)
                usage_error(run->command,
                            "--parts: %s is a file of the input, which the later parts need; expected another name in "
                            "--output",
                            run->parts->name);
    }
}

static void open_parts(struct pipeline_run *run, struct parts *parts)
{
    const size_t length = strlen(run->options.output), room = length + 64;
    *parts = (struct parts){.n = run->n_parts};
    for (unsigned n = run->n_parts; n > 0; n /= 10)
        parts->width++;
    parts->folder = reallocate(NULL, room, 1);
    parts->name = reallocate(NULL, room, 1);
    parts->path = reallocate(NULL, 2 * room, 1);
    parts->states = reallocate(NULL, parts->n, sizeof *parts->states);
    parts->told = reallocate(NULL, parts->n, sizeof *parts->told);
    memset(parts->states, MISSING, parts->n);
    memset(parts->told, 0, parts->n * sizeof *parts->told);
    sprintf(parts->folder, "%s.run", run->options.output);
    run->parts = parts;
    run->output_parts = run->options.output;
    identify(run, &parts->said);
}

seebatch_io_status parts_run(struct pipeline_run *run)
{
    struct parts *parts = reallocate(NULL, 1, sizeof *parts);
    seebatch_io_status status = SEEBATCH_IO_FAILED;
    seebatch_pipeline_free(run->pipeline);
    open_parts(run, parts);
    check_files(run);
    run->options.of = run->progress.parts = parts->n;
    run->options.part_headers = true;
    if (!parts->failed && open_folder(run)) {
        for (unsigned part = 1; part <= parts->n && !parts->failed; part++)
            is_complete(run, part);
        run->progress.share = (double)(parts->n - parts->n_complete) / parts->n;
        pipeline_begin_progress(run);
        status = parts->failed ? SEEBATCH_IO_FAILED : make_parts(run);
    }
    run->counts.incomplete = parts->n_complete < parts->n;
    run->options.output = run->output_parts;
    return status;
}

void parts_end(struct pipeline_run *run)
{
    struct parts *parts = run->parts;
    if (parts->bad_elsewhere > 0)
        report("%" PRIu64 " of the bad records were reported when their parts were made", parts->bad_elsewhere);
    if (parts->n_complete < parts->n)
        report("%u of %u parts %s complete; the same command makes the others", parts->n_complete, parts->n,
               parts->n_complete == 1 ? "is" : "are");
    else if (!run->progress.quiet)
        fprintf(stderr, "%s: %u part%s, of which this run made %u\n", run->command, parts->n, plural(parts->n),
                parts->n_made);
    free(parts->folder);
    free(parts->name);
    free(parts->path);
    free(parts->states);
    free(parts->told);
    free(parts->said.data);
    free(parts);
    run->parts = NULL;
}
