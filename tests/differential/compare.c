/*
 * Puts a batch through every function that evaluates, with guarded arrays, against values that are known; and now and
 * then through the kernel's that counts captures, against the one that explains an exchange.
 *
 * Three layers are called: the kernel's own two functions (with and without forced lanes), the many-positions functions
 * of the public API, and the one-position functions. Each call gets its arrays in new places: against a forbidden page
 * behind or before, moves at offsets that do not begin at 0. Thresholds are the value itself, one more, the ends of
 * int16_t, and random ones, so that the threshold form has to flip exactly at the value.
 */
#include "differential.h"
#include "guard.h"

#include <string.h>

static struct {
    struct guard rules, positions, pins, offsets, moves, thresholds, values, mask, lengths;
} arena;

enum { MAX_FIRST_OFFSET = 70, LENGTHS_ONE_IN = 4 /* they cost what values do twice or three times */ };

bool compare_init(void)
{
    return guard_create(&arena.rules, sizeof(seebatch_rules)) &&
           guard_create(&arena.positions, MAX_POSITIONS * sizeof(seebatch_position)) &&
           guard_create(&arena.pins, MAX_POSITIONS * sizeof(seebatch_pins)) &&
           guard_create(&arena.offsets, (MAX_POSITIONS + 1) * sizeof(size_t)) &&
           guard_create(&arena.moves, MAX_QUERIES * sizeof(seebatch_move)) &&
           guard_create(&arena.thresholds, MAX_QUERIES * sizeof(int16_t)) &&
           guard_create(&arena.values, MAX_QUERIES * sizeof(int16_t)) &&
           guard_create(&arena.mask, SEEBATCH_MASK_WORDS(MAX_QUERIES) * sizeof(uint64_t)) &&
           guard_create(&arena.lengths, MAX_QUERIES);
}

/* ---- The other side: reference values ---------------------------------------------------------------------------- */

/* Position by position: so chunks, which all kernels read many positions by, are compared too. */
void compare_reference(const struct context *context, const struct batch *batch, int16_t *expected)
{
    if (batch_count(batch) == 0)
        return;
    const struct see_kernel *kernel = context->against.kernel;
    guard_set_call(kernel ? "the kernel compared against, values" : "the oracle", batch_count(batch));
    for (size_t i = 0; i < batch->n_positions; i++) {
        const size_t first = batch->offsets[i], end = batch->offsets[i + 1];
        if (kernel && first < end)
            kernel->position_values(&context->rules, &batch->positions[i], NULL, batch->moves + first, end - first,
                                    expected + first);
        for (size_t k = first; !kernel && k < end; k++)
            expected[k] = (int16_t)value_by_oracle(&context->rules, &batch->positions[i], batch->moves[k]);
    }
    guard_set_call("", 0);
}

/* ---- One call ---------------------------------------------------------------------------------------------------- */

enum output { VALUES, MASK, MASK_EACH };
enum { ANY_PATH = SEE_ATTACK_TABLES + 1 };

/* A call: a run of the batch's positions with the arrays placed for it. */
struct call {
    const struct context *context;
    const struct batch *batch;
    const int16_t *expected;
    struct failure *failure;
    const char *function;
    enum see_path path;
    size_t first_position, n_positions; /* the run; what the batch holds of it begins at query `first` */
    size_t first, n;
    size_t offset; /* offsets[0] as the call sees it */
    enum output output;
    int16_t thresholds[MAX_QUERIES]; /* as the call got them; [0] for all under MASK */

    seebatch_rules *rules;
    seebatch_position *positions;
    size_t *offsets;
    seebatch_move *moves; /* moves[offset] is the first */
    int16_t *placed_thresholds;
    int16_t *values;
    uint64_t *mask;
    uint8_t *lengths;
};

static int16_t pick_threshold(int value, struct rng *rng)
{
    const unsigned sort = rng_below(rng, 8);
    if (sort < 6)
        return (int16_t)(value + (sort >= 3));
    return sort == 7 ? (int16_t)(uint16_t)rng_next(rng) : rng_one_in(rng, 2) ? INT16_MIN : INT16_MAX;
}

static void place_outputs(struct call *call, struct rng *rng)
{
    size_t mask_bytes = SEEBATCH_MASK_WORDS(call->n) * sizeof(uint64_t);
    call->values = guard_place(&arena.values, call->n * sizeof(int16_t), rng_one_in(rng, 2), NULL);
    call->mask = guard_place(&arena.mask, mask_bytes, rng_one_in(rng, 2), NULL);
    call->lengths = guard_place(&arena.lengths, call->n, rng_one_in(rng, 2), NULL);

    size_t n_thresholds = call->output == MASK_EACH ? call->n : call->output == MASK;
    if (call->output == MASK)
        call->thresholds[0] =
            pick_threshold(call->n ? call->expected[call->first + rng_below(rng, (unsigned)call->n)] : 0, rng);
    else if (call->output == MASK_EACH) {
        for (size_t k = 0; k < call->n; k++)
            call->thresholds[k] = pick_threshold(call->expected[call->first + k], rng);
    }
    call->placed_thresholds =
        guard_place(&arena.thresholds, n_thresholds * sizeof(int16_t), rng_one_in(rng, 2), call->thresholds);
    if (call->output == MASK_EACH)
        call->placed_thresholds -= call->offset;
}

/* Places the arrays of a call of a function, each way of asking having its name, for a run of positions. */
static void place(struct call *call, struct rng *rng, const char *const names[3], enum see_path path,
                  size_t first_position, size_t n_positions)
{
    const struct batch *batch = call->batch;
    call->function = names[call->output];
    call->path = path;
    call->first_position = first_position;
    call->n_positions = n_positions;
    call->first = batch->offsets[call->first_position];
    call->n = batch->offsets[call->first_position + call->n_positions] - call->first;
    call->offset = rng_one_in(rng, 2) ? rng_below(rng, MAX_FIRST_OFFSET + 1) : 0;

    call->rules = guard_place(&arena.rules, sizeof *call->rules, rng_one_in(rng, 2), &call->context->rules);
    call->positions = guard_place(&arena.positions, call->n_positions * sizeof *call->positions, rng_one_in(rng, 2),
                                  batch->positions + call->first_position);
    call->offsets = guard_place(&arena.offsets, (call->n_positions + 1) * sizeof *call->offsets, rng_one_in(rng, 2),
                                batch->offsets + call->first_position);
    for (size_t i = 0; i <= call->n_positions; i++)
        call->offsets[i] += call->offset - call->first;
    call->moves =
        guard_place(&arena.moves, call->n * sizeof *call->moves, rng_one_in(rng, 2), batch->moves + call->first);
    call->moves -= call->offset;
    place_outputs(call, rng);
}

static bool fail_memory(const struct call *call, const char *what, const char *array)
{
    *call->failure = (struct failure){
        .function = call->function, .path = call->path, .n = call->n, .n_positions = call->n_positions};
    snprintf(call->failure->what, sizeof call->failure->what, "%s: %s", array, what);
    return false;
}

static bool fail_answer(const struct call *call, size_t k, int expected, int got)
{
    *call->failure = (struct failure){.function = call->function,
                                      .path = call->path,
                                      .index = k,
                                      .n = call->n,
                                      .n_positions = call->n_positions,
                                      .has_threshold = call->output != VALUES,
                                      .threshold = call->thresholds[call->output == MASK_EACH ? k : 0],
                                      .expected = expected,
                                      .got = got,
                                      .has_case = true,
                                      .position = *batch_position(call->batch, call->first + k),
                                      .move = call->batch->moves[call->first + k]};
    return false;
}

static bool memory_is_right(const struct call *call)
{
    const struct {
        const char *name;
        const struct guard *guard;
        const void *source;
    } arrays[] = {
        {"rules", &arena.rules, &call->context->rules},
        {"positions", &arena.positions, call->batch->positions + call->first_position},
        {"offsets", &arena.offsets, NULL},
        {"moves", &arena.moves, call->batch->moves + call->first},
        {"thresholds", &arena.thresholds, call->thresholds},
        {"values", &arena.values, NULL},
        {"mask", &arena.mask, NULL},
        {"lengths", &arena.lengths, NULL},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!guard_intact(arrays[i].guard))
            return fail_memory(call, "bytes beside the array were written", arrays[i].name);
        if (arrays[i].source && memcmp(arrays[i].guard->used, arrays[i].source, arrays[i].guard->bytes) != 0)
            return fail_memory(call, "an input array was written", arrays[i].name);
    }
    for (size_t i = 0; i <= call->n_positions; i++) {
        if (call->offsets[i] != call->batch->offsets[call->first_position + i] - call->first + call->offset)
            return fail_memory(call, "an input array was written", "offsets");
    }
    return true;
}

static bool answers_are_right(const struct call *call)
{
    if (call->context->tally)
        call->context->tally->answers += call->n;
    for (size_t k = 0; k < call->n; k++) {
        int expected = call->expected[call->first + k];
        if (call->output == VALUES) {
            if (call->values[k] != expected)
                return fail_answer(call, k, expected, call->values[k]);
        } else {
            expected = expected >= call->thresholds[call->output == MASK_EACH ? k : 0];
            int got = (int)(call->mask[k / 64] >> k % 64 & 1);
            if (got != expected)
                return fail_answer(call, k, expected, got);
        }
    }
    if (call->output != VALUES && call->n % 64 != 0 && call->mask[call->n / 64] >> call->n % 64 != 0)
        return fail_memory(call, "bits past the last query are set", "mask");
    return true;
}

static bool finish(const struct call *call)
{
    guard_set_call("", 0);
    return memory_is_right(call) && answers_are_right(call);
}

/* ---- The three layers -------------------------------------------------------------------------------------------- */

/* The pins of the call's positions, half of the time: as a caller gives them who has them at hand. */
static const seebatch_pins *pins_at_hand(const struct call *call, struct rng *rng)
{
    static seebatch_pins pins[MAX_POSITIONS];
    if (rng_one_in(rng, 2))
        return NULL;
    for (size_t i = 0; i < call->n_positions; i++)
        seebatch_find_pins(call->rules, &call->positions[i], &pins[i]);
    return guard_place(&arena.pins, call->n_positions * sizeof *pins, rng_one_in(rng, 2), pins);
}

/* Any of the kernel's ways, if none is given. */
static bool call_kernel(struct call *call, struct rng *rng, int path)
{
    static const char *const names[] = {"the kernel, values", "the kernel, one threshold",
                                        "the kernel, a threshold each"};
    const struct see_kernel *kernel = call->context->subject.kernel;
    if (kernel->wide && rng_one_in(rng, 2)) /* on every machine: it is only a question of speed */
        kernel = kernel->wide;
    if (path == ANY_PATH)
        path = call->context->force_lanes ? SEE_SWAP_LOOP : (int)rng_below(rng, ANY_PATH);
    place(call, rng, names, (enum see_path)path, 0, call->batch->n_positions);
    if (call->n == 0)
        return true; /* kernels are not called with nothing to do */
    seebatch_batch batch = {.positions = call->positions,
                            .n_positions = call->n_positions,
                            .offsets = call->offsets,
                            .moves = call->moves,
                            .pins = pins_at_hand(call, rng)};
    guard_set_call(call->function, call->n);
    const struct see_answers answers = {call->output == VALUES ? call->values : NULL,
                                        call->output == MASK_EACH ? call->placed_thresholds + call->offsets[0]
                                                                  : call->placed_thresholds,
                                        call->output == MASK_EACH, call->mask};
    see_kernel_answer(kernel, call->rules, &batch, call->path, &answers);
    return finish(call);
}

/* Lengths of exchanges, by kernels that have them; half of the time with the values. */
static bool call_lengths(struct call *call, struct rng *rng)
{
    static const char *const names[3] = {"the kernel, lengths"};
    see_lengths *const find = call->context->subject.kernel->lengths;
    const bool with_values = rng_one_in(rng, 2);
    call->output = VALUES;
    place(call, rng, names, SEE_FASTEST, 0, call->batch->n_positions);
    if (call->n == 0 || !find)
        return true;
    const seebatch_batch batch = {
        .positions = call->positions, .n_positions = call->n_positions, .offsets = call->offsets, .moves = call->moves};
    guard_set_call(call->function, call->n);
    find(call->rules, &batch, with_values ? call->values : NULL, call->lengths);
    guard_set_call("", 0);
    if (!memory_is_right(call) || (with_values && !answers_are_right(call)))
        return false;
    if (call->context->tally)
        call->context->tally->answers += call->n;
    for (size_t k = 0; k < call->n; k++) {
        const seebatch_position *position = batch_position(call->batch, call->first + k);
        const int expected = seebatch_exchange_length(call->rules, position, call->batch->moves[call->first + k]);
        if (call->lengths[k] != expected)
            return fail_answer(call, k, expected, call->lengths[k]);
    }
    return true;
}

static bool call_batch(struct call *call, struct rng *rng)
{
    static const char *const names[] = {"seebatch_batch_values", "seebatch_batch_ge_mask",
                                        "seebatch_batch_ge_mask_each"};
    place(call, rng, names, SEE_FASTEST, 0, call->batch->n_positions);
    const seebatch_pins *pins = pins_at_hand(call, rng);
    if (call->n_positions == 0) { /* then no pointer may be read */
        call->rules = guard_forbidden(&arena.rules);
        call->offsets = guard_forbidden(&arena.offsets);
        call->positions = guard_forbidden(&arena.positions);
        pins = guard_forbidden(&arena.pins);
    }
    const seebatch_batch batch = {.positions = call->positions,
                                  .n_positions = call->n_positions,
                                  .offsets = call->offsets,
                                  .moves = call->moves,
                                  .pins = pins};
    guard_set_call(call->function, call->n);
    if (call->output == VALUES)
        seebatch_batch_values(call->rules, &batch, call->values, NULL);
    else if (call->output == MASK)
        seebatch_batch_ge_mask(call->rules, &batch, call->thresholds[0], call->mask, NULL);
    else
        seebatch_batch_ge_mask_each(call->rules, &batch, call->placed_thresholds, call->mask, NULL);
    if (call->n_positions == 0)
        return true;
    return finish(call);
}

/* A list of one position; an empty one is given with pointers that may not be touched. */
static bool call_one(struct call *call, struct rng *rng, size_t i)
{
    static const char *const names[] = {"seebatch_values", "seebatch_ge_mask", "seebatch_ge_mask_each"};
    place(call, rng, names, SEE_FASTEST, i, 1);
    bool empty = call->n == 0;
    const seebatch_pins *pins = pins_at_hand(call, rng);
    const seebatch_rules *rules = empty ? guard_forbidden(&arena.rules) : call->rules;
    const seebatch_position *position = empty ? guard_forbidden(&arena.positions) : call->positions;
    const seebatch_move *moves = call->moves + call->offset;
    const int16_t *thresholds = call->placed_thresholds + call->offset;
    guard_set_call(call->function, call->n);
    if (call->output == VALUES)
        seebatch_values(rules, position, pins, moves, call->n, call->values);
    else if (call->output == MASK)
        seebatch_ge_mask(rules, position, pins, moves, call->n, call->thresholds[0], call->mask);
    else
        seebatch_ge_mask_each(rules, position, pins, moves, call->n, thresholds, call->mask);
    return finish(call);
}

/* Each query alone: seebatch_value() and seebatch_ge(), half of the positions with their pins at hand. */
static bool call_single(struct call *call, struct rng *rng)
{
    const struct batch *batch = call->batch;
    const struct context *context = call->context;
    call->path = SEE_FASTEST;
    call->n_positions = 1;
    call->n = 1;
    for (size_t i = 0; i < batch->n_positions; i++) {
        seebatch_pins found;
        const seebatch_pins *pins = rng_one_in(rng, 2) ? &found : NULL;
        seebatch_find_pins(&context->rules, &batch->positions[i], &found);
        for (call->first = batch->offsets[i]; call->first < batch->offsets[i + 1]; call->first++) {
            seebatch_move move = batch->moves[call->first];
            int expected = call->expected[call->first];
            call->function = "seebatch_value";
            call->output = VALUES;
            guard_set_call(call->function, 1);
            int value = seebatch_value(&context->rules, &batch->positions[i], pins, move);
            if (value != expected)
                return fail_answer(call, 0, expected, value);
            call->function = "seebatch_ge";
            call->output = MASK;
            guard_set_call(call->function, 1);
            call->thresholds[0] = pick_threshold(expected, rng);
            bool ge = seebatch_ge(&context->rules, &batch->positions[i], pins, move, call->thresholds[0]);
            if (ge != (expected >= call->thresholds[0]))
                return fail_answer(call, 0, expected >= call->thresholds[0], ge);
        }
    }
    guard_set_call("", 0);
    if (context->tally)
        context->tally->answers += 2 * batch_count(batch);
    return true;
}

bool compare_forms(const struct context *context, const struct batch *batch, const int16_t *expected, int forms,
                   struct rng *rng, struct failure *failure)
{
    static struct call call; /* large: it holds the thresholds */
    call.context = context;
    call.batch = batch;
    call.expected = expected;
    call.failure = failure;
    const bool many = forms == FORMS_ALL || forms == FORMS_BATCH, one = forms == FORMS_ALL || forms == FORMS_ONE;
    unsigned some = rng_below(rng, 6); /* FORMS_SOME: one call only */
    for (int output = VALUES; output <= MASK_EACH; output++) {
        call.output = (enum output)output;
        if (forms == FORMS_KERNEL && output != MASK && !call_kernel(&call, rng, ANY_PATH))
            return false;
        for (int path = SEE_FASTEST; forms == FORMS_PATHS && output != MASK && path < ANY_PATH; path++)
            if (!call_kernel(&call, rng, path))
                return false;
        if ((many || (forms == FORMS_SOME && some == (unsigned)output)) && !call_kernel(&call, rng, ANY_PATH))
            return false;
        if ((many || (forms == FORMS_SOME && some == 3 + (unsigned)output)) && !call_batch(&call, rng))
            return false;
        for (size_t i = 0; one && i < batch->n_positions; i++) {
            if (!call_one(&call, rng, i))
                return false;
        }
    }
    if ((many || forms == FORMS_KERNEL) && rng_one_in(rng, LENGTHS_ONE_IN) && !call_lengths(&call, rng))
        return false;
    return forms != FORMS_ALL || call_single(&call, rng);
}
