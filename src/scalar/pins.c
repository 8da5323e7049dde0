/*
 * Finds pins, as the rules with blockers and pinners define them. They are found once, on the board before the first
 * move. seebatch_find_pins() is the public function.
 */
#include "ray.h"
#include "scalar.h"

#include <string.h>

static void find_pins_of(const seebatch_position *position, int pin_rule, int color, uint64_t *blockers,
                         uint64_t *pinners)
{
    *blockers = *pinners = 0;
    const uint64_t occupied = seebatch_occupied(position);
    const uint64_t own = seebatch_pieces_of_color(position, color);
    const uint64_t kings = seebatch_pieces_of_type(position, SEEBATCH_KING) & own;
    if (!kings)
        return;
    const int king = lowest_square(kings);
    const struct see_square *s = &seebatch_squares[king];
    const uint64_t diagonal_sliders = position->plane[0] & ~position->plane[2];
    const uint64_t orthogonal_sliders = position->plane[1] & ~position->plane[2];
    /* This finds what sliders_on_lines() finds. To call that here would make the scalar code of rules with pins 7%
     * slower (gcc 12). */
    uint64_t snipers =
        (((s->diagonal | s->antidiagonal) & diagonal_sliders) | ((s->file | s->rank) & orthogonal_sliders)) & ~own;
    const uint64_t counted = see_pin_rule_passes_over(pin_rule) ? occupied & ~snipers : occupied;
    while (snipers) {
        const int sniper = pop_lsb(&snipers);
        const uint64_t in_between = squares_between(king, sniper) & counted;
        if (in_between && !(in_between & (in_between - 1))) {
            *blockers |= in_between;
            if (in_between & own)
                *pinners |= square_bb(sniper);
        }
    }
}

void seebatch_find_pins(const seebatch_rules *rules, const seebatch_position *position, seebatch_pins *pins)
{
    memset(pins, 0, sizeof *pins);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK && see_rules_read_pins(rules); color++)
        find_pins_of(position, rules->pins, color, &pins->blockers[color], &pins->pinners[color]);
}

uint64_t seebatch_pinned_on_rays(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, int to)
{
    return pinned_pieces(pins, rules->pins, position->white, seebatch_pieces_of_type(position, SEEBATCH_KING), to);
}
