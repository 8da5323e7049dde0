#include "file_extension.h"

#include <string.h>

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
