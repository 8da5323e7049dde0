/*
 * The template of kernels with lanes over an instruction set that computes nothing: that this compiles shows that
 * src/lanes/ asks for no word that the contract does not name. Nothing of it runs.
 */
#include "lanes.h"
#include "lanes/four/value_of_least.h"
#include "lanes/four/line_kings.h"
#include "lanes/four/word_moves.h"
#include "lanes/contract.h"
#include "lanes/four/lane_chunks.h"
#include "lanes/paths.h"

see_position_values seebatch_stub_position_values;
see_position_ge seebatch_stub_position_ge;
see_batch_answers seebatch_stub_batch_answers;

#define KERNEL(name) seebatch_stub_##name
#define NEXT_KERNEL(name) seebatch_scalar_##name
#define TOO_FEW(rules, n) ((n) < 2)
#define TOO_FEW_BITS(rules, n) ((n) < 2)
#define SERVES(rules, n) lanes_serve(rules)
#include "lanes/position_functions.h"

void seebatch_stub_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                 const struct see_answers *answers)
{
    kernel_batch_answers(seebatch_scalar_batch_answers, rules, batch, path, answers, 2);
}
