/*
 * The functions of a kernel with lanes, which pass on what the lanes do not do. The end of its kernel.c includes this,
 * with these macros, which end here:
 *
 *   KERNEL(name)      the kernel's function: node_values, node_ge and many (kernel.h)
 *   NEXT_KERNEL(name) that of the next kernel
 *   SERVES(rules, n)  whether lanes do so many requests under some rules
 *   NODES_ALONE       defined: node_values and node_ge alone
 */

void KERNEL(node_values)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                         const seebatch_move *moves, size_t n, int16_t *values)
{
    if (asks_for_pins_first(rules, position, pins, n))
        node_values_with_pins(KERNEL(node_values), rules, position, pins, moves, n, values);
    else if (!SERVES(rules, n))
        NEXT_KERNEL(node_values)(rules, position, pins, moves, n, values);
    else if (see_have_own_values(rules))
        seebatch_own_node_values(KERNEL(node_values), rules, position, pins, moves, n, values);
    else
        lanes_node_values(rules, position, pins, moves, n, values);
}

void KERNEL(node_ge)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                     const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (asks_for_pins_first(rules, position, pins, n))
        node_ge_with_pins(KERNEL(node_ge), rules, position, pins, moves, n, thresholds, step, mask);
    else if (!SERVES(rules, n))
        NEXT_KERNEL(node_ge)(rules, position, pins, moves, n, thresholds, step, mask);
    else if (see_have_own_values(rules))
        seebatch_own_node_ge(KERNEL(node_ge), rules, position, pins, moves, n, thresholds, step, mask);
    else
        lanes_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
}

#ifndef NODES_ALONE
void KERNEL(many)(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                  const struct see_answers *answers)
{
    if (SERVES(rules, path == SEE_QUICKEST ? see_requests_count(batch) : SIZE_MAX))
        lanes_many(rules, batch, path, answers);
    else
        NEXT_KERNEL(many)(rules, batch, path, answers);
}
#endif

#undef KERNEL
#undef NEXT_KERNEL
#undef SERVES
