/* replay.h prints ratios where the engine's function agrees with its own clone, and none where it does not. */
#include <stdbool.h>

#define REPLAY_POSITION int
static void replay_position(int *position, const char *fen) { *position = fen[0]; }
static bool replay_own(int *position, unsigned move, int threshold) { return *position + (int)move >= threshold; }
static bool replay_header(int *position, unsigned move, int threshold) { return replay_own(position, move, threshold); }
#include "replay.h"

int main(int argc, char **argv)
{
    const double agree[] = {5, 20, 20.9, 15}, slow[] = {5, 20, 21.1, 15}, quick[] = {5, 20, 18.9, 15};
    if (argc > 1)
        return replay(argv[1]);
    return replay_print("agree", agree) && !replay_print("slow", slow) && !replay_print("quick", quick) ? 0 : 1;
}
