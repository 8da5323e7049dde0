/* What a program that uses an installed seebatch looks like: C11, and C++ as well. */
#include <seebatch.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *fen = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -";
    seebatch_position position;
    seebatch_rules rules;
    seebatch_move move;
    seebatch_error error;
    if (seebatch_position_from_fen(fen, strlen(fen), &position, &error) != SEEBATCH_OK ||
        seebatch_rules_named("swap", &rules, &error) != SEEBATCH_OK ||
        seebatch_move_from_uci(&position, "e1e5", 4, &move, &error) != SEEBATCH_OK) {
        fprintf(stderr, "consumer: %s\n", error.text);
        return 1;
    }
    /* By several threads, because that is what a library to link with could be missing for. */
    const size_t offsets[2] = {0, 1};
    seebatch_job job;
    int16_t value;
    memset(&job, 0, sizeof job);
    const seebatch_batch batch = {&position, 1, offsets, &move, NULL};
    if (seebatch_batch_values(&rules, &batch, &value, &job) != SEEBATCH_OK)
        return 1;
    printf("seebatch %s: e1e5 is worth %d\n", seebatch_version(), value);
    return value == 100 && strcmp(seebatch_version(), SEEBATCH_VERSION) == 0 ? 0 : 1;
}
