// Counts the entries of a binpack that neither capture nor stand in check, with nnue-pytorch's reader.
#include <cstdio>

#include "binpack.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    binpack::CompressedTrainingDataEntryReader reader(argv[1]);
    unsigned long kept = 0;
    while (reader.hasNext()) {
        const binpack::TrainingDataEntry entry = reader.next();
        kept += !entry.isCapturingMove() && !entry.isInCheck();
    }
    std::printf("%lu\n", kept);
}
