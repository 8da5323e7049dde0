/*
 * The two functions of a kernel for one position, which pass to the next kernel what its lanes do not serve. The
 * kernel.c of an instruction set includes this after paths.h, with these macros, which this file undefines at its end:
 *
 *   KERNEL(name)      the kernel's function: position_values or position_ge (kernel.h)
 *   NEXT_KERNEL(name) the function of the next kernel
 *   TOO_FEW(rules, n), TOO_FEW_BITS(rules, n)
 *                     whether the next kernel is faster for n moves of a position, because they are few: values, and bits
 *   SERVES(rules, n)  whether the lanes serve the other calls
 *
 * The public functions call them by way of the kernel in use (api/evaluate.c). Few moves are passed on before anything
 * else is asked. TOO_FEW holds for fewer moves than PINS_FROM.
 */

void KERNEL(position_values)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             const seebatch_move *moves, size_t n, int16_t *values)
{
    if (TOO_FEW(rules, n))
        NEXT_KERNEL(position_values)(rules, position, pins, moves, n, values);
    else if (asks_for_pins_first(rules, position, pins, n))
        position_values_with_pins(KERNEL(position_values), rules, position, pins, moves, n, values);
    else if (!SERVES(rules, n))
        NEXT_KERNEL(position_values)(rules, position, pins, moves, n, values);
    else if (see_have_fixed_values(rules))
        seebatch_fixed_position_values(KERNEL(position_values), rules, position, pins, moves, n, values);
    else
        lanes_position_values(rules, position, pins, moves, n, values);
}

void KERNEL(position_ge)(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                         const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (TOO_FEW_BITS(rules, n))
        NEXT_KERNEL(position_ge)(rules, position, pins, moves, n, thresholds, step, mask);
    else if (asks_for_pins_first(rules, position, pins, n))
        position_ge_with_pins(KERNEL(position_ge), rules, position, pins, moves, n, thresholds, step, mask);
    else if (!SERVES(rules, n))
        NEXT_KERNEL(position_ge)(rules, position, pins, moves, n, thresholds, step, mask);
    else if (see_have_fixed_values(rules))
        seebatch_fixed_position_ge(KERNEL(position_ge), rules, position, pins, moves, n, thresholds, step, mask);
    else
        lanes_position_ge(rules, position, pins, moves, n, thresholds, step, mask);
}

#undef KERNEL
#undef NEXT_KERNEL
#undef TOO_FEW
#undef TOO_FEW_BITS
#undef SERVES
