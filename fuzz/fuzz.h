/*
 * What the fuzz targets share. A target is a file with the one function that libFuzzer calls with bytes that it made
 * up; it is linked with libFuzzer (scripts/fuzz), or with replay.c, which feeds it the files of its corpus.
 */
#ifndef SEEBATCH_FUZZ_H
#define SEEBATCH_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with a sentence unless the condition holds. */
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                              \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
