/*
 * Compares the extensions of file names.
 */
#include "file_extension.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "support/text.h"

bool seebatch_io_has_extension(const char *name, size_t length, const char *extension)
{
    const size_t n = strlen(extension);
    return length > n && seebatch_io_same_letters(name + length - n, extension, n);
}

enum compression seebatch_io_compression_of_file(const char *name, size_t *length)
{
    *length = strlen(name);
    const enum compression compression = seebatch_io_has_extension(name, *length, ".gz")    ? GZIP
                                         : seebatch_io_has_extension(name, *length, ".zst") ? ZSTD
                                                                                            : NOT_COMPRESSED;
    *length -= compression == GZIP ? strlen(".gz") : compression == ZSTD ? strlen(".zst") : 0;
    return compression;
}

enum compression seebatch_io_compression_of_bytes(const char *bytes, size_t length)
{
    /* Of a frame that is skipped, which may come first, the lowest four bits may be any. */
    static const char gzip[] = "\x1f\x8b\x08", zstd[] = "\x28\xb5\x2f\xfd", skipped[] = "\x50\x2a\x4d\x18";
    enum { GZIP_SIZE = sizeof gzip - 1, UNUSED_FLAGS = 0xe0 };
    char first[LONGEST_MARK] = "";
    length = length < LONGEST_MARK ? length : LONGEST_MARK;
    memcpy(first, bytes, length);
    const bool gzipped = memcmp(first, gzip, length < GZIP_SIZE ? length : GZIP_SIZE) == 0 &&
                         (length < LONGEST_MARK || !(first[GZIP_SIZE] & UNUSED_FLAGS));
    first[0] = (char)((first[0] & 0xf0) == skipped[0] && length == LONGEST_MARK ? skipped[0] : first[0]);
    const bool framed = memcmp(first, zstd, length) == 0 || memcmp(first, skipped, length) == 0;
    return !gzipped && !framed ? NOT_COMPRESSED : length < LONGEST_MARK ? UNDECIDED : gzipped ? GZIP : ZSTD;
}

enum compression seebatch_io_compression_of_content(const char *name)
{
    char first[LONGEST_MARK];
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? 0 : read(fd, first, sizeof first);
    if (fd >= 0)
        close(fd);
    const enum compression compression = seebatch_io_compression_of_bytes(first, length > 0 ? (size_t)length : 0);
    return compression == UNDECIDED ? NOT_COMPRESSED : compression;
}

bool seebatch_io_has_binary_extension(const char *name)
{
    size_t length;
    seebatch_io_compression_of_file(name, &length);
    return seebatch_io_has_extension(name, length, ".bin") || seebatch_io_has_extension(name, length, ".data");
}

const char *seebatch_io_unknown_compression(const char *name)
{
    static const char *const extensions[] = {".xz", ".lzma", ".lz", ".lz4", ".lzo", ".bz2", ".z",
                                             ".br", ".sz",   ".7z", ".zip", ".rar", ".zstd"};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (seebatch_io_has_extension(name, strlen(name), extensions[i]))
            return extensions[i];
    return NULL;
}
