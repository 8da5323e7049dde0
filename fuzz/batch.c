/*
 * Batches: positions, requests, a rule set, piece values and thresholds made of bytes; every kernel that this machine
 * can run against the scalar code, and the scalar code against the oracle, answer by answer.
 *
 * The bytes are: the rule set (one that has a name, or any combination of its enumerations), the values, what is to be
 * checked; then positions until they run out. A position is two kings and a number of pieces, each a square and a kind;
 * then rights to castle and an en passant square, kept where they are sound; then its requests, as a step through the
 * list of its moves. Any bytes are a batch, so that what is found can be shrunk byte by byte.
 *
 * The batch is put through the functions by the differential harness, in arrays between forbidden pages.
 */
#include "boards.h"
#include "fuzz.h"

#include <string.h>

enum {
    MAX_REACH_ORACLE = 12, /* pieces on the lines of a square, where the oracle tries every order */
    MOST_FOR_ORACLE = 400, /* requests */
    MOST_BOARDS = 24
};

/* ---- Decoding --------------------------------------------------------------------------------------------------- */

static void take_rules(struct source_bytes *bytes, struct context *context)
{
    static const int16_t tables[][5] = {{100, 325, 325, 500, 1000},
                                        {0, 0, 0, 0, 0},
                                        {1, 3, 3, 5, 9},
                                        {3000, 2000, 1000, 500, 1},
                                        {1, 1, 1, 1, 1},
                                        {0, 0, 0, 0, 3000},
                                        {208, 781, 825, 1276, 2538},
                                        {3000, 3000, 3000, 3000, 3000}};
    enum { N_TABLES = sizeof tables / sizeof tables[0] };
    static struct named_rules every[EVERY_RULES];
    const unsigned choice = take_byte(bytes), values = take_byte(bytes);
    list_every_rules(every);
    context->rules_name = every[choice % EVERY_RULES].name;
    context->rules = every[choice % EVERY_RULES].rules;
    memcpy(context->rules.value, tables[values % N_TABLES], sizeof context->rules.value);
    if (values >= 128) {
        for (int type = 0; type < 5; type++)
            context->rules.value[type] = (int16_t)(take_word(bytes) % (SEEBATCH_MAX_PIECE_VALUE + 1));
    }
    REQUIRE(seebatch_rules_check(&context->rules, NULL) == SEEBATCH_OK, "rules");
}

static void take_piece(struct source_bytes *bytes, seebatch_position *position)
{
    const unsigned square = take_byte(bytes) % 64, kind = take_byte(bytes);
    int type = (int)(kind >> 1) % 5;
    if (seebatch_occupied(position) >> square & 1)
        return;
    if (type == SEEBATCH_PAWN && (square < 8 || square >= 56))
        type = SEEBATCH_QUEEN;
    seebatch_put_piece(position, (int)square, type, (int)(kind & 1));
}

static bool is_sound(const seebatch_position *position)
{
    return seebatch_position_check(position, NULL) == SEEBATCH_OK;
}

/* Rights to castle and an en passant square, wherever the pieces stand for it. */
static void take_rights(struct source_bytes *bytes, seebatch_position *position)
{
    const unsigned rights = take_byte(bytes), en_passant = take_byte(bytes);
    position->shredder = rights >> 4 & 1;
    for (unsigned i = 0; i < 4; i++) {
        if (!(rights >> i & 1))
            continue;
        const unsigned file = rights & 32 ? take_byte(bytes) % 8 : i % 2 == 0 ? 7 : 0;
        uint8_t *rook = &position->castling_rook[i / 2][i % 2];
        *rook = (uint8_t)(file + (i / 2 == SEEBATCH_BLACK ? 56 : 0));
        if (!is_sound(position))
            *rook = SEEBATCH_NO_SQUARE;
    }
    if (en_passant & 8) {
        position->ep_square = (uint8_t)((en_passant & 7) + (position->stm == SEEBATCH_WHITE ? 40 : 16));
        if (!is_sound(position))
            position->ep_square = SEEBATCH_NO_SQUARE;
    }
}

static seebatch_position take_position(struct source_bytes *bytes)
{
    const unsigned first = take_byte(bytes), second = take_byte(bytes), count = take_byte(bytes) % 63;
    seebatch_position position = seebatch_position_empty(first >> 6 & 1);
    const unsigned white = first % 64, black = second % 64 != white ? second % 64 : (white + 19) % 64;
    seebatch_put_piece(&position, (int)white, SEEBATCH_KING, SEEBATCH_WHITE);
    seebatch_put_piece(&position, (int)black, SEEBATCH_KING, SEEBATCH_BLACK);
    for (unsigned i = 0; i < count && bytes->at < bytes->end; i++)
        take_piece(bytes, &position);
    if (!is_sound(&position))
        position.stm = !position.stm;
    if (is_sound(&position))
        take_rights(bytes, &position);
    return position;
}

/* Requests of a position: steps through its captures, its legal moves or, where pins are ignored, its pseudo-legal
 * ones. */
static void take_requests(struct source_bytes *bytes, const seebatch_rules *rules, const seebatch_position *position,
                          struct batch *batch)
{
    seebatch_move moves[2 * SEEBATCH_MAX_MOVES];
    const unsigned kind = take_byte(bytes), count = take_byte(bytes), start = take_byte(bytes), step = kind / 4;
    const bool sound = is_sound(position);
    size_t n = 0;
    if (rules->pins == SEEBATCH_PINS_IGNORED && (kind % 4 == 3 || !sound))
        n = pseudo_legal_moves(position, moves);
    else if (sound)
        n = kind % 4 == 0 ? seebatch_legal_captures(position, moves) : seebatch_legal_moves(position, moves);
    if (!batch_add_position(batch, position) || n == 0)
        return;
    const size_t wanted = count < 224 ? count : n;
    for (size_t i = 0; i < wanted; i++)
        if (!batch_add_move(batch, moves[(start + i * (step + 1)) % n]))
            break;
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static _Noreturn void fail(const struct context *context, const struct batch *batch, const struct failure *failure)
{
    report_failure(stderr, context, batch, failure);
    abort();
}

static void check_kernels(struct context *context, const struct batch *batch, bool all)
{
    static int16_t expected[MAX_REQUESTS];
    struct failure failure;
    memset(&failure, 0, sizeof failure);
    failure.transform = "";
    compare_reference(context, batch, expected);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name != NULL; kernel++) {
        if (!kernel->supported())
            continue;
        struct rng rng = rng_for(context->seed, "forms");
        context->subject.name = kernel->name;
        context->subject.kernel = kernel;
        seebatch_kernel_use(kernel->name, NULL);
        if (all ? !check_batch(context, batch, &failure)
                : !compare_forms(context, batch, expected, FORMS_ALL, &rng, &failure))
            fail(context, batch, &failure);
    }
}

/* The scalar code, one request at a time. */
static void check_oracle(const struct context *context, const struct batch *batch)
{
    struct context one = *context;
    static struct batch single;
    one.against.name = "oracle";
    one.against.kernel = NULL;
    const bool slow = context->rules.order == SEEBATCH_BEST_ORDER;
    const size_t n = batch_count(batch) < MOST_FOR_ORACLE ? batch_count(batch) : MOST_FOR_ORACLE;
    for (size_t k = 0; k < n; k++) {
        const seebatch_position *position = batch_position(batch, k);
        const seebatch_move move = batch->moves[k];
        int16_t expected;
        char fen[SEEBATCH_FEN_SIZE], uci[6];
        if (slow && reach_count(position, seebatch_from(move), seebatch_to(move)) > MAX_REACH_ORACLE)
            continue;
        batch_clear(&single);
        batch_add_request(&single, position, move);
        compare_reference(&one, &single, &expected);
        const int value = seebatch_value(&context->rules, position, NULL, move);
        seebatch_position_to_fen(position, fen);
        seebatch_move_to_uci(move, uci);
        REQUIRE(value == expected, "'%s' %s under %s: %d, the oracle says %d", fen, uci, context->rules_name, value,
                expected);
        REQUIRE(value >= -2 * SEEBATCH_MAX_PIECE_VALUE && value <= 2 * SEEBATCH_MAX_PIECE_VALUE, "%d", value);
    }
}

/* Traces end with the value; a map is what its squares say. */
static void check_others(const struct context *context, const struct batch *batch)
{
    static seebatch_trace trace;
    const size_t n = batch_count(batch);
    for (size_t k = 0; k < n; k += n / 32 + 1) {
        const seebatch_position *position = batch_position(batch, k);
        const int value = seebatch_value(&context->rules, position, NULL, batch->moves[k]);
        seebatch_explain(&context->rules, position, batch->moves[k], &trace);
        REQUIRE(trace.value == value, "%d and %d", trace.value, value);
        REQUIRE(trace.length <= SEEBATCH_MAX_EXCHANGE && trace.n_refusals <= SEEBATCH_MAX_REFUSALS, "lengths");
    }
    for (size_t i = 0; i < batch->n_positions && i < 2; i++) {
        const seebatch_position *position = &batch->positions[i];
        int16_t map[2][64];
        if (context->rules.pins == SEEBATCH_PINS_LEGAL && !is_sound(position))
            continue;
        seebatch_map(&context->rules, position, map);
        for (int square = 0; square < 64; square++)
            for (int color = 0; color < 2; color++) {
                const int value = seebatch_square_value(&context->rules, position, square, color);
                REQUIRE(map[color][square] == value, "square %d: %d and %d", square, map[color][square], value);
            }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct batch batch;
    static bool ready;
    struct source_bytes bytes = {data, data + size};
    struct context context;
    memset(&context, 0, sizeof context);
    if (!ready)
        REQUIRE(compare_init(), "no memory for guarded arrays");
    ready = true;

    take_rules(&bytes, &context);
    const unsigned wishes = take_byte(&bytes);
    context.seed = take_word(&bytes);
    context.force = wishes & 1 ? FORCE_ALWAYS : FORCE_ALTERNATE;
    context.boards = "made by the fuzzer";
    context.against.name = "scalar";
    for (context.against.kernel = seebatch_kernels; strcmp(context.against.kernel->name, "scalar") != 0;)
        context.against.kernel++;
    batch_clear(&batch);
    for (int i = 0; i < MOST_BOARDS && bytes.at < bytes.end; i++) {
        const seebatch_position position = take_position(&bytes);
        take_requests(&bytes, &context.rules, &position, &batch);
    }
    check_kernels(&context, &batch, wishes % 16 == 2);
    check_oracle(&context, &batch);
    check_others(&context, &batch);
    return 0;
}
