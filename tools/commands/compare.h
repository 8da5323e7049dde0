/*
 * What `seebatch compare` works out itself, apart from the library: exhaustive minimax (minimax.c), an exchange whose
 * rules can be switched one by one (relaxed.c), and with its help the cause of a disagreement (cause.c).
 *
 * Both ways to play are naive on purpose: the one plays legal moves, the other walks over a board of 64 squares. They
 * share no line with the evaluation in src/ that they are compared with.
 */
#ifndef SEEBATCH_TOOL_COMPARE_H
#define SEEBATCH_TOOL_COMPARE_H

#include "tool.h"

/* ---- Minimax (minimax.c) ---------------------------------------------------------------------------------------- */

/* The value of the exchange that a legal move begins, each side free to stop or to choose among all its legal captures
 * on the square. False, *value untouched, if more than limit captures would have to be played. */
bool minimax_value(const int16_t values[5], const seebatch_position *position, seebatch_move move, long limit,
                   int *value);

/* ---- Exchanges whose rules can be switched (relaxed.c) ----------------------------------------------------------- */

/* In what two rule sets can differ: what is switched, one by one and in this order, to find the cause of a
 * disagreement. */
enum feature {
    FEATURE_SPECIAL,   /* promotions, en passant, castling and double steps as first move: special_of() */
    FEATURE_PROMOTION, /* SEEBATCH_PROMOTE_... */
    FEATURE_PIN,       /* SEEBATCH_PINS_...; PINS_LEGAL here: a capture may not open a new line to its own king */
    FEATURE_CHECK,     /* 0 ignored; 1: a side whose king is attacked from elsewhere by what the other did, or by what
                          was there already, may not capture but with the king */
    FEATURE_KING,      /* 0: the king captures last; 1: it may capture whenever nothing guards the square */
    FEATURE_ORDER,     /* SEEBATCH_LEAST_VALUABLE_FIRST, SEEBATCH_BEST_ORDER: among the pieces but the king */
    N_FEATURES
};

struct features {
    uint16_t setting[N_FEATURES];
};

/* The fields of a rule set that are about first moves, as one setting with four bits for each; and these fields of a
 * setting. */
static inline uint16_t special_of(const seebatch_rules *rules)
{
    return (uint16_t)(rules->promotion | rules->en_passant << 4 | rules->castling << 8 |
                      rules->en_passant_replies << 12);
}
static inline int special_promotion(uint16_t special) { return special & 15; }
static inline int special_en_passant(uint16_t special) { return special >> 4 & 15; }
static inline int special_castling(uint16_t special) { return special >> 8 & 15; }
static inline int special_replies(uint16_t special) { return special >> 12; }

/* Finds the value of an exchange under such rules. Returns false, with *value untouched, beyond the limit, as above. */
bool relaxed_value(const struct features *features, const int16_t values[5], const seebatch_position *position,
                   seebatch_move move, long limit, int *value);

/* ---- Causes (cause.c) -------------------------------------------------------------------------------------------- */

/* A cause is a feature, or N_FEATURES: none was found. */
enum { CAUSE_OTHER = N_FEATURES, N_CAUSES };

/* "special", "promotion", "pin", "check", "king", "order", "other". */
extern const char *const cause_names[N_CAUSES];

/* One of two rule sets that disagree: what it is, and what it says. */
struct answer {
    const struct features *features;
    int value;
};

/* The features of a rule set of the library. */
struct features features_of(const seebatch_rules *rules);

/* Finds why two rule sets give a move different values: one cause, by the procedure that cause.c describes. *alone
 * becomes true if this feature explains the difference without others. */
int cause_of(const struct answer *a, const struct answer *b, const int16_t values[5], const seebatch_position *position,
             seebatch_move move, long limit, bool *alone);

#endif
