#include "endings.h"

#include <string.h>
#include <strings.h>

bool seebatch_io_ends_with(const char *name, size_t length, const char *ending)
{
    const size_t n = strlen(ending);
    return length > n && strncasecmp(name + length - n, ending, n) == 0;
}

enum compression seebatch_io_compression_of_file(const char *name, size_t *length)
{
    *length = strlen(name);
    const enum compression compression = seebatch_io_ends_with(name, *length, ".gz")    ? GZIP
                                         : seebatch_io_ends_with(name, *length, ".zst") ? ZSTD
                                                                                        : NOT_COMPRESSED;
    *length -= compression == GZIP ? strlen(".gz") : compression == ZSTD ? strlen(".zst") : 0;
    return compression;
}

bool seebatch_io_says_only_binary(const char *name)
{
    size_t length;
    seebatch_io_compression_of_file(name, &length);
    return seebatch_io_ends_with(name, length, ".bin") || seebatch_io_ends_with(name, length, ".data");
}

const char *seebatch_io_unknown_compression(const char *name)
{
    static const char *const endings[] = {".xz", ".lzma", ".lz", ".lz4", ".lzo", ".bz2", ".z",
                                          ".br", ".sz",   ".7z", ".zip", ".rar", ".zstd"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (seebatch_io_ends_with(name, strlen(name), endings[i]))
            return endings[i];
    return NULL;
}
