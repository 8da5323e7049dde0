/*
 * The fast path through a chain's movetext, for any processor and for those with the instructions of BMI2.
 */
#include "binpack_plies.h"

static size_t plies_by_loops(struct binpack_chain *chain, const char *begin, uint64_t line, struct record *records,
                             seebatch_position *positions, size_t most)
{
    return read_plies(chain, begin, line, records, positions, most, false);
}

WITH_BITS static size_t plies_by_bits(struct binpack_chain *chain, const char *begin, uint64_t line,
                                      struct record *records, seebatch_position *positions, size_t most)
{
    return read_plies(chain, begin, line, records, positions, most, true);
}

size_t seebatch_io_binpack_read_plies(struct binpack_chain *chain, const char *begin, uint64_t line,
                                      struct record *records, seebatch_position *positions, size_t most)
{
    return HAS_FAST_BITS ? plies_by_bits(chain, begin, line, records, positions, most)
                         : plies_by_loops(chain, begin, line, records, positions, most);
}
