/*
 * Fills the empty squares from sliders along all directions at once, by the method of Kogge and Stone (an occluded
 * fill): three steps, each of which doubles the distance. Bit s of a lane then says that the nearest piece behind s,
 * against the direction of the lane, is one of the sliders, so that it attacks s. A kernel includes this template once,
 * after these operations:
 *
 *   ray_lanes           type: a lane for each of eight directions
 *   rays_of             a set in every lane
 *   rays_and, rays_without, rays_or_and    bit by bit; the last is a | (b & c)
 *   stepped             moves each lane by a number of steps in its direction
 *   on_board            the squares that a step may lead to, which others reach only by going around an edge
 */

/* The planes of one position, in every lane. */
LANES_INLINE void planes_of_one(const seebatch_position *position, lanes plane[4])
{
    for (int i = 0; i < 3; i++)
        plane[i] = lanes_all((int64_t)position->plane[i]);
    plane[3] = lanes_all((int64_t)position->white);
}

/* The squares into which a piece may slide: empty ones, 1, 2, and 4 in a row that end there. */
struct propagators {
    ray_lanes one, two, four;
};

LANES_INLINE struct propagators propagators_over(lanes occupied)
{
    struct propagators p;
    p.one = rays_without(on_board(), rays_of(occupied));
    p.two = rays_and(p.one, stepped(p.one, 1));
    p.four = rays_and(p.two, stepped(p.two, 2));
    return p;
}

/* Pieces, and the empty squares that they reach. */
LANES_INLINE ray_lanes occluded_fill(const struct propagators *empty, ray_lanes pieces)
{
    pieces = rays_or_and(pieces, empty->one, stepped(pieces, 1));
    pieces = rays_or_and(pieces, empty->two, stepped(pieces, 2));
    return rays_or_and(pieces, empty->four, stepped(pieces, 4));
}

LANES_INLINE ray_lanes attacked_from(ray_lanes reached) { return rays_and(stepped(reached, 1), on_board()); }

/* The pieces of a position, for moves of one colour. */
struct direction_sets {
    lanes own, enemy;
    lanes queens, knights;
    ray_lanes sliders; /* in each lane those of its direction */
    ray_lanes pawns;   /* in each lane those that capture in its direction */
    ray_lanes next;    /* in each lane what attacks the next square without sliding there: pawns and kings */
    struct propagators propagators;
};

/* In each lane the squares that pieces attack which stand on squares of a set: sliders, and what attacks the next one.
 */
LANES_INLINE ray_lanes attacked_by_those_on(const struct direction_sets *s, ray_lanes squares)
{
    const ray_lanes reached = occluded_fill(&s->propagators, rays_and(s->sliders, squares));
    return attacked_from(rays_or_and(reached, s->next, squares));
}

/* In each lane the squares that a slider attacks: any, one of the enemy, an own one, a queen; and those behind whose
 * attacker stands an x-ray slider. */
struct slider_attacks {
    ray_lanes any, enemy, own, queen, xray_own, xray_enemy;
};

LANES_INLINE struct slider_attacks slider_attacks_of(const struct direction_sets *s)
{
    struct slider_attacks r;
    r.any = attacked_from(occluded_fill(&s->propagators, s->sliders));
    r.enemy = attacked_from(occluded_fill(&s->propagators, rays_and(s->sliders, rays_of(s->enemy))));
    r.own = rays_without(r.any, r.enemy);
    r.queen = attacked_from(occluded_fill(&s->propagators, rays_of(s->queens)));
    r.xray_own = attacked_by_those_on(s, r.own);
    r.xray_enemy = attacked_by_those_on(s, r.enemy);
    return r;
}
