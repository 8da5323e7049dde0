/*
 * The NEON kernel: four requests in two registers. ../lanes/ways.h says which way a call goes.
 */
#include "bytes.h"
#include "lanes/four/line_kings.h"
#include "lanes/four/word_moves.h"
#include "lanes/contract.h"
#include "lanes/ways.h"

void seebatch_neon_many(const seebatch_rules *rules, const seebatch_batch *requests, enum see_way way,
                        const struct see_answers *answers)
{
    if (lanes_serve(rules) && (way != SEE_QUICKEST || see_requests_count(requests) > 1))
        lanes_many(rules, requests, way, answers);
    else
        seebatch_scalar_many(rules, requests, way, answers);
}

void seebatch_neon_node_values(const seebatch_rules *rules, const seebatch_position *position,
                               const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    if (n > 1 && lanes_serve(rules))
        lanes_node_values(rules, position, pins, moves, n, values);
    else
        seebatch_scalar_node_values(rules, position, pins, moves, n, values);
}

void seebatch_neon_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                           const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (n > 1 && lanes_serve(rules))
        lanes_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
    else
        seebatch_scalar_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
}
