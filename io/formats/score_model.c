/*
 * Inverts Stockfish's win-rate model.
 *
 * Stockfish prints a score so that 1.00 pawns mean a chance of 50% to win: it divides the internal score by a number
 * `a`, a polynomial of the material on the board (UCIEngine::to_cp() in its src/uci.cpp). The polynomial is fitted
 * anew from time to time. The network is trained on internal scores, so games of Stockfish have to be multiplied by the
 * `a` of the version that played them. Tablebase scores are printed apart from the model, as 200.00 less the plies to
 * the win; internally they lie as far below 31753.
 *
 * The polynomials are facts, taken from the commits of Stockfish that the table names.
 */
#include <string.h>

#include "score_model.h"

struct score_model {
    const char *name;
    double as[4]; /* from the cube of material / 58 down */
};

static const struct score_model models[] = {
    {"stockfish-17", {-37.45051876, 121.19101539, -132.78783573, 420.70576692}}, /* 2054add23 */
    {"stockfish-17.1", {-13.50030198, 40.92780883, -36.82753545, 386.83004070}}, /* 4a869f41c */
    {"stockfish-18", {-72.32565836, 185.93832038, -144.58862193, 416.44950446}}, /* 71f53b92c */
};
enum { N_MODELS = sizeof models / sizeof models[0] };

const struct score_model *seebatch_io_score_model_named(const char *name)
{
    for (int i = 0; i < N_MODELS; i++)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}

void seebatch_io_score_models(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < N_MODELS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", models[i].name);
}

static int count(const seebatch_position *position, int type)
{
    return __builtin_popcountll(seebatch_pieces_of_type(position, type));
}

int32_t seebatch_io_internal_score(const struct score_model *model, int32_t centipawns,
                                   const seebatch_position *position)
{
    enum { LEAST = 17, MOST = 78, ANCHOR = 58, PRINTED_WIN = 20000, INTERNAL_WIN = 31753, MOST_PLIES = 246 };
    const int32_t magnitude = centipawns < 0 ? -centipawns : centipawns, sign = centipawns < 0 ? -1 : 1;
    if (magnitude > PRINTED_WIN - MOST_PLIES)
        return sign * (magnitude <= PRINTED_WIN ? INTERNAL_WIN - (PRINTED_WIN - magnitude) : magnitude);
    const int material = count(position, SEEBATCH_PAWN) + 3 * count(position, SEEBATCH_KNIGHT) +
                         3 * count(position, SEEBATCH_BISHOP) + 5 * count(position, SEEBATCH_ROOK) +
                         9 * count(position, SEEBATCH_QUEEN);
    const double m = (double)(material < LEAST ? LEAST : material > MOST ? MOST : material) / (double)ANCHOR;
    const double a = ((model->as[0] * m + model->as[1]) * m + model->as[2]) * m + model->as[3];
    return sign * (int32_t)(magnitude * a / 100 + 0.5);
}
