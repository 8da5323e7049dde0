/*
 * The fast path through the movetext of a chain, compiled once for each of the means in inline_attacks.h. binpack.c
 * calls the one that suits the processor.
 */
#include "binpack_plies.h"

static size_t plies_by_loops(struct binpack_chain *chain, const char *begin, uint64_t line, struct record *records,
                             seebatch_position *positions, size_t most)
{
    return read_plies(chain, begin, line, records, positions, most, BY_LOOPS);
}

WITH_BITS static size_t plies_by_vectors(struct binpack_chain *chain, const char *begin, uint64_t line,
                                         struct record *records, seebatch_position *positions, size_t most)
{
    return read_plies(chain, begin, line, records, positions, most, BY_VECTORS);
}

WITH_BITS static size_t plies_by_pdep(struct binpack_chain *chain, const char *begin, uint64_t line,
                                      struct record *records, seebatch_position *positions, size_t most)
{
    return read_plies(chain, begin, line, records, positions, most, BY_PDEP);
}

size_t seebatch_io_binpack_read_plies(struct binpack_chain *chain, const char *begin, uint64_t line,
                                      struct record *records, seebatch_position *positions, size_t most)
{
    return (HAS_FAST_PDEP ? plies_by_pdep
            : HAS_BITS    ? plies_by_vectors
                          : plies_by_loops)(chain, begin, line, records, positions, most);
}
