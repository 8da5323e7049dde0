/*
 * What the extension of a file's name says, in upper or lower case, and what its first bytes say: whether the file is
 * compressed, and how. formats/format.c finds formats by the extension, and stream.c decompresses by the bytes.
 */
#ifndef SEEBATCH_IO_FILE_EXTENSION_H
#define SEEBATCH_IO_FILE_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>

enum compression { NOT_COMPRESSED, GZIP, ZSTD, UNDECIDED };

/* How a file that begins with these bytes is compressed; UNDECIDED if there are too few of them to say. */
enum { LONGEST_MARK = 4 };
enum compression seebatch_io_compression_of_bytes(const char *bytes, size_t length);

/* Does the same for a regular file. Returns NOT_COMPRESSED if it cannot be read. */
enum compression seebatch_io_compression_of_content(const char *name);

/* Whether the first length characters of a name have something and then this extension. */
bool seebatch_io_has_extension(const char *name, size_t length, const char *extension);

/* How a file of this name is compressed; *length is that of the name without the extension that says so. */
enum compression seebatch_io_compression_of_file(const char *name, size_t *length);

/* Whether a name has an extension that several binary formats use. */
bool seebatch_io_has_binary_extension(const char *name);

/* The extension of a compression that the tool does not know, such as .xz; NULL if the name has none. */
const char *seebatch_io_unknown_compression(const char *name);

#endif
