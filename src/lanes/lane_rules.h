/*
 * The rules as the lanes want them: part of the template, see exchange.h.
 */
#include "rules.h"

struct lane_rules {
    const seebatch_rules *scalar;
    struct value_tables tables; /* the kernel's own */
    lanes value[5];
    lanes rising;            /* all ones or 0: no type is worth less than those before it */
    uint16_t promotion_bits; /* of a move: those that matter */
    bool promote_all;
    bool special_zero;
    bool rise;      /* the same */
    bool pins;      /* blockers of their own king may be held back */
    bool any_order; /* every capture must be legal, and each side chooses the best order */
};

/* (In place: a copy compilers may really make.) */
LANES_INLINE void find_lane_rules(struct lane_rules *r, const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    r->scalar = rules;
    r->tables = value_tables_of(v);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        r->value[type] = lanes_all((uint16_t)v[type]); /* which is not negative */
    r->promote_all = rules->promotions == SEEBATCH_PROMOTE_ALL;
    r->special_zero = rules->special == SEEBATCH_SPECIAL_ZERO;
    r->promotion_bits = rules->promotions != SEEBATCH_PROMOTE_NONE || r->special_zero ? 7 << 12 : 0;
    /* As see_values_rise() says it. */
    const __m128i lower = _mm_loadl_epi64((const __m128i *)v), upper = _mm_loadl_epi64((const __m128i *)(v + 1));
    const __m128i falls = _mm_cmpgt_epi16(lower, upper);
    r->rise = _mm_movemask_epi8(falls) == 0;
    r->rising = lanes_of_low(_mm_cmpeq_epi64(falls, _mm_setzero_si128()));
    r->pins = see_rules_have_pins(rules);
    r->any_order = rules->order == SEEBATCH_BEST_ORDER;
}

/* Whether it is noted where nothing may take back what has moved; see takers(). */
LANES_INLINE bool notes_no_recapture(const struct lane_rules *rules)
{
    return rules->promote_all || rules->pins || rules->any_order;
}
