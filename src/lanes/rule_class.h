/*
 * The functions that are compiled for one rule class. paths.h includes this file once for each class, with these
 * macros, which this file undefines at its end:
 *
 *   RULE_CLASS(name)         the name, after those of the kernel and the class
 *   SPECIALIZE(r)            sets what the rules of the class have in common, as constants
 *   CLASS_READS_RULES_AGAIN  1 or 0: whether more than one register of one position reads the rules again for each
 *
 * paths.h calls the functions by way of struct rule_class.
 */

/* The decision is a function of its own, so that it has the registers for itself. */
static __attribute__((noinline)) void RULE_CLASS(decide)(const struct chunk_job *job, struct chunk_state *state)
{
    struct lane_rules r = *job->rules;
    SPECIALIZE(r);
    decide_chunk(&r, job, state);
}

static void RULE_CLASS(chunk)(const struct chunk_job *job)
{
    struct lane_rules r = *job->rules;
    struct chunk_state state;
    SPECIALIZE(r);
    if (!begin_chunk(&r, job, &state))
        RULE_CLASS(decide)(job, &state);
    resolve_chunk(&r, job, &state);
}

static void RULE_CLASS(one_register_values)(const seebatch_rules *rules, const seebatch_position *position,
                                            const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                            int16_t *value)
{
    struct lane_rules r;
    lanes plane[4];
    init_lane_rules(&r, rules);
    SPECIALIZE(r);
    planes_of_one(position, plane);
    const lanes blockers = king_blockers_on(&r, position, plane, pins);
    if (!kings_matter(&r) && n <= PARTIAL_LANES)
        values_of_register(&r, position, plane, pins, blockers, move, n, true, value);
    else
        values_of_register(&r, position, plane, pins, blockers, move, n, false, value);
}

static void RULE_CLASS(one_register_bits)(const seebatch_rules *rules, const seebatch_position *position,
                                          const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                          const int16_t *threshold, size_t step, uint64_t *mask)
{
    struct lane_rules r;
    lanes plane[4];
    init_lane_rules(&r, rules);
    SPECIALIZE(r);
    planes_of_one(position, plane);
    const lanes blockers = king_blockers_on(&r, position, plane, pins);
    *mask = !kings_matter(&r) && n <= PARTIAL_LANES
                ? bits_of_register(&r, position, plane, pins, blockers, move, n, true, threshold, step)
                : bits_of_register(&r, position, plane, pins, blockers, move, n, false, threshold, step);
}

/* Reads the rules again before the next register of one position. Where gcc 11 and clang know that the rules are the
 * same, they keep a dozen registers of constants on the stack from one to the next, so that five to eight moves take 15
 * to 20% longer under the plain rules and 2 to 5% longer under those with pins. The class of legal captures has other
 * things to keep: there each compiler's code takes 5 to 7% longer if it reads the rules again. */
#define READ_AGAIN(r, rules)                                                                                           \
    do {                                                                                                               \
        __asm__("" : "+r"(rules));                                                                                     \
        init_lane_rules(&(r), rules);                                                                                  \
        SPECIALIZE(r);                                                                                                 \
    } while (0)

/* Finds the values of more queries than a register holds, register by register. The last register has the last LANES
 * queries, some of which are evaluated twice. */
static void RULE_CLASS(register_by_register_values)(const seebatch_rules *rules, const seebatch_position *position,
                                                    const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                                    int16_t *value)
{
    struct lane_rules r;
    lanes plane[4];
    init_lane_rules(&r, rules);
    SPECIALIZE(r);
    planes_of_one(position, plane);
    const lanes blockers = king_blockers_on(&r, position, plane, pins);
    for (size_t k = 0; HAVE_REGISTER_BY_REGISTER && k < n; k += LANES) {
        const size_t at = k + LANES <= n ? k : n - LANES;
        if (CLASS_READS_RULES_AGAIN)
            READ_AGAIN(r, rules);
        values_of_register(&r, position, plane, pins, blockers, move + at, LANES, false, value + at);
    }
}

static void RULE_CLASS(register_by_register_bits)(const seebatch_rules *rules, const seebatch_position *position,
                                                  const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                                  const int16_t *threshold, size_t step, uint64_t *mask)
{
    struct lane_rules r;
    lanes plane[4];
    uint64_t bits = 0;
    init_lane_rules(&r, rules);
    SPECIALIZE(r);
    planes_of_one(position, plane);
    const lanes blockers = king_blockers_on(&r, position, plane, pins);
    for (size_t k = 0; HAVE_REGISTER_BY_REGISTER && k < n; k += LANES) {
        const size_t at = k + LANES <= n ? k : n - LANES;
        if (CLASS_READS_RULES_AGAIN)
            READ_AGAIN(r, rules);
        const int16_t *against = threshold + at * step;
        bits |= (uint64_t)bits_of_register(&r, position, plane, pins, blockers, move + at, LANES, false, against, step)
                << at;
    }
    *mask = bits;
}

/* Finds the values of n queries, MOVES_PER_TABLE at most, as far as the attack tables tell; see decide_position().
 * Where each side chooses its order and no king has a blocker, the tables tell as much as without kings
 * (docs/internals/kings.md). */
static size_t RULE_CLASS(tables)(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                 const int16_t *threshold, int16_t *value, uint16_t *pending)
{
    struct lane_rules r;
    lanes plane[4];
    init_lane_rules(&r, rules);
    SPECIALIZE(r);
    const struct decision_values values = decision_values_of(&r);
    planes_of_one(position, plane);
    const lanes blockers = king_blockers_on(&r, position, plane, pins);
    if (r.best_order && !mask_bits(mask_not(lanes_empty(blockers))))
        return values_by_tables_without_kings(&r, position, move, n, threshold, value, pending);
    /* Where one pass decides all moves (AVX-512), values have code of their own: with the same code for both, the bits
     * of 32 moves take 2 to 3% longer. Elsewhere that makes no difference. */
    if ((int)MOVES_AT_ONCE == MOVES_PER_TABLE && !threshold)
        return decide_position(&r, &values, position, blockers, move, n, n, NULL, value, pending, 0);
    return decide_position(&r, &values, position, blockers, move, n, n, threshold, value, pending, 0);
}

static const struct rule_class RULE_CLASS(class) = {RULE_CLASS(chunk),
                                                    RULE_CLASS(one_register_values),
                                                    RULE_CLASS(register_by_register_values),
                                                    RULE_CLASS(one_register_bits),
                                                    RULE_CLASS(register_by_register_bits),
                                                    RULE_CLASS(tables)};
#undef RULE_CLASS
#undef SPECIALIZE
#undef READ_AGAIN
#undef CLASS_READS_RULES_AGAIN
