/*
 * Cases given on the command line, with --fen and --move.
 */
#include "options.h"

#include <string.h>

/* A move as text that need not be legal: squares and promotion only. */
static bool read_squares(const char *uci, seebatch_move *move)
{
    static const char pieces[] = "nbrq";
    size_t length = strlen(uci);
    const char *promotion = length == 5 ? strchr(pieces, uci[4]) : NULL;
    if ((length != 4 && !promotion) || strspn(uci, "abcdefgh12345678") < 4 || uci[0] < 'a' || uci[1] > '8' ||
        uci[2] < 'a' || uci[3] > '8')
        return false;
    *move = seebatch_make_move(uci[0] - 'a' + (uci[1] - '1') * 8, uci[2] - 'a' + (uci[3] - '1') * 8,
                               promotion ? SEEBATCH_KNIGHT + (int)(promotion - pieces) : 0);
    return true;
}

/* A move that is legal or, under rules that ignore pins, pseudo-legal; whatever side it is of. */
static bool read_move(const char *const *rules_names, size_t n_rules, const seebatch_position *position,
                      const char *uci, seebatch_move *move, seebatch_error *error)
{
    if (seebatch_move_from_uci(position, uci, strlen(uci), move, error) == SEEBATCH_OK)
        return true;
    if (!read_squares(uci, move) || seebatch_type_on(position, seebatch_from(*move)) == SEEBATCH_NO_PIECE)
        return false;
    for (size_t i = 0; i < n_rules; i++) {
        seebatch_rules rules;
        if (!read_rules(rules_names[i], &rules, error) || !is_allowed(&rules, position, *move))
            return false;
    }
    return true;
}

bool cases_read(const struct options *options, const char *const *rules_names, size_t n_rules, struct batch *batch)
{
    batch_clear(batch);
    for (size_t i = 0; i < options->n_fens; i++) {
        seebatch_position position;
        seebatch_move move;
        seebatch_error error;
        const char *fen = options->fen[i], *uci = options->move[i];
        if (seebatch_position_from_fen(&position, fen, strlen(fen), &error) != SEEBATCH_OK ||
            !read_move(rules_names, n_rules, &position, uci, &move, &error)) {
            fprintf(stderr, "seebatch_differential: --fen '%s' --move %s: %s\n", fen, uci, error.text);
            return false;
        }
        if (!batch_add_request(batch, &position, move)) {
            fprintf(stderr, "seebatch_differential: --fen: more than %d positions\n", MAX_POSITIONS);
            return false;
        }
    }
    return true;
}
