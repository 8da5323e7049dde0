/*
 * What a run says of itself on standard error: how far it is, on a terminal in one line that changes, in a log in a
 * line now and then; and in the end what was done.
 */
#include "progress.h"
#include "support/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BETWEEN_LINES 0.5

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the size of all files, or 0 if one of them is no regular file. */
static uint64_t size_of_files(const seebatch_pipeline_options *options)
{
    uint64_t size = 0;
    for (size_t i = 0; i < options->n_paths; i++) {
        struct stat file;
        const char *name = options->paths[i];
        int error = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &file) : stat(name, &file);
        if (error != 0 || !S_ISREG(file.st_mode))
            return 0;
        size += (uint64_t)file.st_size;
    }
    return size;
}

void progress_begin(struct progress *progress, const seebatch_pipeline_options *options, bool file)
{
    /* Not between the records, if they go to a terminal, too. */
    const bool alone = options->output == NULL || file || !isatty(STDOUT_FILENO);
    progress->terminal = isatty(STDERR_FILENO);
    progress->shown = !progress->quiet && (alone || !progress->terminal);
    progress->visible = false;
    progress->started = progress->printed = now();
    progress->size = progress->shown ? size_of_files(options) : 0;
    if (progress->parts > 0)
        progress->size = (uint64_t)((double)progress->size * progress->share);
}

void progress_tick(struct progress *progress, const seebatch_counts *counts)
{
    if (!progress->shown)
        return;
    double time = now(), elapsed = time - progress->started;
    if (time - progress->printed < (progress->terminal ? SECONDS_BETWEEN_LINES : progress->seconds))
        return;
    progress->printed = time;
    progress->visible = progress->terminal;
    fprintf(stderr, "%s%s: ", progress->terminal ? "\r" : "", progress->command);
    if (progress->parts > 0)
        fprintf(stderr, "%u of %u part%s, ", progress->parts_complete, progress->parts, plural(progress->parts));
    fprintf(stderr, "%llu position%s, %.2f million a second", (unsigned long long)counts->read, plural(counts->read),
            1e-6 * (double)counts->read / elapsed);
    if (progress->size > 0 && counts->consumed > 0) {
        double part = (double)counts->consumed / (double)progress->size;
        part = part < 1 ? part : 1;
        unsigned long left = (unsigned long)(elapsed * (1 - part) / part + 0.5);
        fprintf(stderr, ", %.0f%%, %lu:%02lu:%02lu left", 100 * part, left / 3600, left / 60 % 60, left % 60);
    }
    fputs(progress->terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}

/* An estimate, rounded to what it can say. */
static uint64_t three_digits(uint64_t number)
{
    uint64_t unit = 1;
    while (number / unit >= 1000)
        unit *= 10;
    return (number + unit / 2) / unit * unit;
}

void progress_summary(struct progress *progress, const char *verb, const seebatch_counts *counts)
{
    double elapsed = now() - progress->started;
    progress_clear(progress);
    if (progress->quiet)
        return;
    fprintf(stderr, "%s: %llu position%s read", progress->command, (unsigned long long)counts->read,
            plural(counts->read));
    if (verb != NULL)
        fprintf(stderr, ", %llu %s", (unsigned long long)counts->written, verb);
    fprintf(stderr, ", %llu bad record%s", (unsigned long long)counts->bad, plural(counts->bad));
    if (counts->lost_bytes > 0)
        fprintf(stderr, ", %llu byte%s skipped", (unsigned long long)counts->lost_bytes, plural(counts->lost_bytes));
    const uint64_t about = three_digits(counts->lost_about);
    if (about > counts->lost_records)
        fprintf(stderr, ", about %llu record%s lost", (unsigned long long)about, plural(about));
    else if (counts->lost_records > 0)
        fprintf(stderr, ", at least %llu record%s lost", (unsigned long long)counts->lost_records,
                plural(counts->lost_records));
    fprintf(stderr, "; %.2f s, %.2f million positions a second\n", elapsed,
            1e-6 * (double)(counts->read - progress->read_elsewhere) / (elapsed > 1e-9 ? elapsed : 1e-9));
    if (counts->scores + counts->not_scores == 0)
        return;
    fprintf(stderr, "%s: %llu comment%s read as scores", progress->command, (unsigned long long)counts->scores,
            plural(counts->scores));
    if (counts->not_scores > 0)
        fprintf(stderr, ", %llu look%s like a score and %s not read", (unsigned long long)counts->not_scores,
                counts->not_scores == 1 ? "s" : "", counts->not_scores == 1 ? "was" : "were");
    fputc('\n', stderr);
}
