/*
 * A main() for a fuzz target: feeds it the files, and the files of the folders, that the command line names. Under
 * libFuzzer it hands over to that. Targets that contain the tool have a main() already; the linker is told to call this
 * one in its place (FUZZ_MAIN).
 *
 * Exit status: 0 all files went through, 2 bad usage; what a file finds ends the program by a signal.
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

#ifndef FUZZ_MAIN
#define FUZZ_MAIN main
#endif
int FUZZ_MAIN(int argc, char **argv);

#ifdef FUZZ_LIBFUZZER

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *data, size_t size));

int FUZZ_MAIN(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }

#else

static size_t replayed;

static void replay_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    fprintf(stderr, "%s\n", name); /* the last one named is the one that failed */
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(name);
        exit(2);
    }
    const size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size > 0 ? size : 1); /* exactly, for the address sanitizer */
    rewind(file);
    REQUIRE(data != NULL && fread(data, 1, size, file) == size, "%s cannot be read", name);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
}

int FUZZ_MAIN(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            replay_file(argv[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char name[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(name, sizeof name, "%s/%s", argv[i], entry->d_name);
            replay_file(name);
        }
        closedir(folder);
    }
    if (replayed == 0) {
        fprintf(stderr, "usage: %s FILE|FOLDER ...: no file was replayed\n", argc > 0 ? argv[0] : "replay");
        return 2;
    }
    fprintf(stderr, "%zu inputs were replayed\n", replayed);
    return 0;
}

#endif
