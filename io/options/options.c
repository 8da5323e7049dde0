/*
 * Checks of options, before any file is read: names of formats, of columns and of fields, parts, and whether a file of a
 * name can be read or written. Each failure is a whole sentence (SEEBATCH_IO_USAGE). The reader, the writer and the
 * pipeline call them, so that an option means the same, and fails in the same words, everywhere.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/file_extension.h"
#include "formats/headings.h"
#include "formats/fixed/lc0.h"
#include "formats/losses.h"
#include "formats/score_model.h"
#include "options.h"

enum { LIST_SIZE = 256 };

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

bool seebatch_io_format_option(const char *name, const char *option, const struct file_format **format,
                               seebatch_io_error *error)
{
    char list[LIST_SIZE];
    *format = name != NULL ? seebatch_io_format_named(name) : NULL;
    if (name == NULL || *format != NULL)
        return true;
    seebatch_io_format_list(list, sizeof list, NULL);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: there is no format '%s', expected one of %s", option,
                            name, list);
}

bool seebatch_io_check_input(const struct source *source, seebatch_io_error *error)
{
    struct stat file;
    char list[LIST_SIZE];
    const char *name = source->name;
    const struct file_format *format = source->format;
    const char *unknown = seebatch_io_unknown_compression(name);
    if (unknown != NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "%s: files that end with %s cannot be decompressed, expected .gz, .zst or none", name,
                                unknown);
    if (format == NULL && seebatch_io_has_binary_extension(name))
        return seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "%s: files with this extension are marlinformat, bulletformat, viriformat and others, expected "
            "--from with the format of this file",
            name);
    if (format != NULL && format->read == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "%s: this build does not read %s, because simdjson was missing when it was built; "
                                "expected a build with simdjson",
                                name, format->name);
    if (format != NULL)
        return true;
    /* A mistyped name seldom ends with an extension of a format, so the file may not exist at all. */
    if (source->memory == NULL && stat(name, &file) != 0)
        return seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno, "%s: cannot be opened: %s", name, strerror(errno));
    if (source->memory == NULL && S_ISDIR(file.st_mode))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: it is a directory, expected a file", name);
    seebatch_io_format_list(list, sizeof list, NULL);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "%s: its name does not say its format, expected --from with one of %s", name, list);
}

bool seebatch_io_check_division(const char *name, const struct file_format *format, seebatch_io_error *error)
{
    struct stat file;
    size_t length;
    if (strcmp(name, "-") == 0 || (stat(name, &file) == 0 && !S_ISREG(file.st_mode)))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "--part: %s cannot be divided, expected files, of which every part can be read", name);
    if (seebatch_io_compression_of_file(name, &length) != NOT_COMPRESSED ||
        seebatch_io_compression_of_content(name) != NOT_COMPRESSED)
        return seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "--part: %s is compressed and has no parts that can be read alone, expected it decompressed "
            "(or several files, one for each job)",
            name);
    if (format->record_size == 0 && format->boundary == NULL && format->unit == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--part: %s: files of the format %s cannot be divided",
                                name, format->name);
    return true;
}

bool seebatch_io_part_option(uint64_t number, uint64_t of, struct part *part, seebatch_io_error *error)
{
    *part = (struct part){number, of};
    if ((number == 0 && of == 0) || (number >= 1 && number <= of && of <= MOST_PARTS))
        return true;
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "there is no part %llu of %llu, expected 1 to N of N, N at most %d",
                            (unsigned long long)number, (unsigned long long)of, MOST_PARTS);
}

static bool leela_score_option(const char *name, unsigned *score_at, seebatch_io_error *error)
{
    *score_at = strcmp(name, "best") == 0     ? LC0_BEST_Q
                : strcmp(name, "root") == 0   ? LC0_ROOT_Q
                : strcmp(name, "played") == 0 ? LC0_PLAYED_Q
                                              : 0;
    return *score_at > 0 ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "--leela-score: there is no '%s', expected one of best, root, played", name);
}

bool seebatch_io_column_options(const char *const *names, size_t n, int scale, const char *model, const char *leela,
                                struct columns *columns, seebatch_io_error *error)
{
    seebatch_error wrong;
    columns->scale = scale;
    if (scale < 0 || scale > MOST_SCALE)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--score-scale: %d is not an integer from 1 to %d", scale,
                                MOST_SCALE);
    for (size_t i = 0; i < n; i++)
        if (!seebatch_io_columns_name(columns, names[i], &wrong))
            return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--column: %s", wrong.text);
    if (leela != NULL && !leela_score_option(leela, &columns->score_at, error))
        return false;
    columns->model = model != NULL ? seebatch_io_score_model_named(model) : NULL;
    if (model == NULL || columns->model != NULL)
        return true;
    char list[LIST_SIZE];
    seebatch_io_score_models(list, sizeof list);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--win-rate-model: there is no model '%s', expected one of %s",
                            model, list);
}

bool seebatch_io_lose_option(const char *list, unsigned *lose, seebatch_io_error *error)
{
    seebatch_error wrong;
    *lose = 0;
    return list == NULL || seebatch_io_losses_named(list, lose, &wrong) ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--lose: %s", wrong.text);
}

/* The extension of a file's name except for .gz and .zst, without its point; *length 0: it has none. */
static const char *extension_of(const char *name, size_t *length)
{
    size_t end;
    seebatch_io_compression_of_file(name, &end);
    const char *first = name;
    for (const char *at = name; at < name + end; at++)
        first = *at == '/' ? at + 1 : first;
    for (const char *at = name + end; at > first + 1; at--) {
        if (at[-1] == '.') {
            *length = (size_t)(name + end - at);
            return at;
        }
    }
    *length = 0;
    return name + end;
}

bool seebatch_io_check_extension(const char *name, const char *input, seebatch_io_error *error)
{
    size_t length, length_of_input;
    const char *extension = extension_of(name, &length), *extension_of_input = extension_of(input, &length_of_input);
    char list[LIST_SIZE];
    struct stat file;
    if (length == 0 || (length == length_of_input && memcmp(extension, extension_of_input, length) == 0) ||
        (stat(name, &file) == 0 && !S_ISREG(file.st_mode)))
        return true;
    seebatch_io_format_list(list, sizeof list, seebatch_io_format_is_written);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            seebatch_io_has_binary_extension(name)
                                ? "--output: files that end with '%.*s' may have several formats, expected --to with "
                                  "one of %s"
                                : "--output: there is no format with the extension '%.*s', expected one of %s, or the "
                                  "format from --to",
                            (int)length, extension, list);
}

bool seebatch_io_check_output(const char *name, seebatch_io_error *error)
{
    const char *unknown = seebatch_io_unknown_compression(name);
    return unknown == NULL || seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                               "--output: '%s' ends with %s, an unknown compression, expected .gz, "
                                               ".zst or none",
                                               name, unknown);
}

bool seebatch_io_check_added_columns(const struct target *target, seebatch_io_error *error)
{
    char names[FORMAT_LIST];
    seebatch_io_format_list(names, sizeof names, seebatch_io_format_has_columns);
    if (target->n_added == 0 || seebatch_io_format_has_columns(target->format))
        return seebatch_io_names_check(target->added, target->n_added, error);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the format %s has no place for columns, expected one of %s",
                            target->format->name, names);
}
