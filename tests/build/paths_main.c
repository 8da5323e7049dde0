/* The table of `seebatch_bench --paths` from a library that counts its paths, for the test `paths`. */
#include "bench/paths.h"

int main(int argc, char **argv)
{
    if (argc == 2)
        return print_paths(stdout, argv[1]);
    fprintf(stderr, "usage: seebatch_paths FENS\n");
    return 2;
}
