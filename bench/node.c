/*
 * The timed code of one node, and the list of its passes. See node.h.
 *
 * An engine has bitboards, and the piece on each square; those are the textbook code's boards. What goes to the library
 * is made from them at each node anew. The captures come from the library's generator for all ways alike.
 */
#include "node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What all ways share ---------------------------------------------------------------------------------------- */

static const struct textbook_board *board_of(const struct node_pass *pass, size_t position)
{
    return &pass->shape->boards[position];
}

static seebatch_position fill(const struct node_pass *pass, size_t position)
{
    const struct textbook_board *board = board_of(pass, position);
    return seebatch_position_from_bitboards(board->by_type, board->by_color, pass->shape->positions[position].stm);
}

static size_t generate(const struct node_pass *pass, size_t position, seebatch_move *moves)
{
    return seebatch_legal_captures(&pass->shape->positions[position], moves);
}

/* Most valuable victim, least valuable attacker; then the promotion. All moves capture. Below 1 << 9. */
static inline int mvv_lva(const struct textbook_board *board, seebatch_move move)
{
    const int on_square = board->type_on[seebatch_to(move)];
    const int victim = on_square == SEEBATCH_NO_PIECE ? SEEBATCH_PAWN : on_square; /* en passant */
    return (victim + 1) * 64 - board->type_on[seebatch_from(move)] * 8 + seebatch_promotion(move);
}

/* Scored moves; a place in the score makes all scores differ. */
struct scored {
    int32_t score;
    seebatch_move move;
};

static inline int32_t with_place(int32_t score, size_t place) { return score * 1024 + 1023 - (int32_t)place; }

static inline void score_all(const struct textbook_board *board, const seebatch_move *moves, size_t n,
                             struct scored *list)
{
    for (size_t i = 0; i < n; i++)
        list[i] = (struct scored){with_place(mvv_lva(board, moves[i]), i), moves[i]};
}

/* Takes the best out of the list; n is how many there are. */
static inline struct scored pick(struct scored *list, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        if (list[i].score > list[best].score)
            best = i;
    }
    const struct scored picked = list[best];
    list[best] = list[n - 1];
    return picked;
}

/* ---- One call a capture ----------------------------------------------------------------------------------------- */

static inline size_t visit_lazily(const struct node_pass *pass, size_t index, seebatch_move *out, bool textbook)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES], bad[SEEBATCH_MAX_MOVES];
    struct scored list[SEEBATCH_MAX_MOVES];
    const struct textbook_board *board = board_of(pass, index);
    size_t n = generate(pass, index, moves), good = 0, n_bad = 0;
    if (n == 0)
        return 0;
    const seebatch_position position = textbook ? pass->shape->positions[index] : fill(pass, index);
    score_all(board, moves, n, list);
    for (; n > 0 && good < pass->stop; n--) {
        const seebatch_move move = pick(list, n).move;
        if (textbook ? textbook_ge(pass->rules.value, board, move, 0)
                     : seebatch_ge(&pass->rules, &position, NULL, move, 0))
            out[good++] = move;
        else
            bad[n_bad++] = move;
    }
    if (pass->stop < ALL_CAPTURES)
        return good;
    memcpy(out + good, bad, n_bad * sizeof *bad);
    return good + n_bad;
}

static size_t lazy(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    return visit_lazily(pass, index, out, false);
}

static size_t lazy_textbook(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    return visit_lazily(pass, index, out, true);
}

/* How many of n sorted moves are handed out. */
static inline size_t handed_out(const struct node_pass *pass, size_t n, size_t good)
{
    if (pass->stop == ALL_CAPTURES)
        return n;
    return good < pass->stop ? good : pass->stop;
}

static inline size_t visit_eagerly(const struct node_pass *pass, size_t index, seebatch_move *out, bool textbook)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    struct {
        int64_t score;
        seebatch_move move;
    } list[SEEBATCH_MAX_MOVES];
    const struct textbook_board *board = board_of(pass, index);
    const size_t n = generate(pass, index, moves);
    size_t good = 0;
    if (n == 0)
        return 0;
    const seebatch_position position = textbook ? pass->shape->positions[index] : fill(pass, index);
    for (size_t i = 0; i < n; i++) {
        const seebatch_move move = moves[i];
        const int value = textbook ? textbook_value(pass->rules.value, board, move)
                                   : seebatch_value(&pass->rules, &position, NULL, move);
        const int64_t score = (int64_t)value * (1 << 20) + with_place(mvv_lva(board, move), i);
        good += value >= 0;
        size_t j = i;
        for (; j > 0 && list[j - 1].score < score; j--)
            list[j] = list[j - 1];
        list[j].score = score;
        list[j].move = move;
    }
    const size_t count = handed_out(pass, n, good);
    for (size_t i = 0; i < count; i++)
        out[i] = list[i].move;
    return count;
}

static size_t eager(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    return visit_eagerly(pass, index, out, false);
}

static size_t eager_textbook(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    return visit_eagerly(pass, index, out, true);
}

/* ---- One call for all of them ----------------------------------------------------------------------------------- */

static size_t mask(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES], bad[SEEBATCH_MAX_MOVES];
    struct scored list[SEEBATCH_MAX_MOVES];
    uint64_t is_good[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    size_t n = generate(pass, index, moves), good = 0, n_bad = 0;
    if (n == 0)
        return 0;
    const seebatch_position position = fill(pass, index);
    seebatch_ge_mask(&pass->rules, &position, NULL, moves, n, 0, is_good);
    score_all(board_of(pass, index), moves, n, list);
    for (; n > 0 && good < pass->stop; n--) {
        const struct scored picked = pick(list, n);
        const size_t place = 1023 - (size_t)(picked.score & 1023);
        if (is_good[place / 64] >> place % 64 & 1)
            out[good++] = picked.move;
        else
            bad[n_bad++] = picked.move;
    }
    if (pass->stop < ALL_CAPTURES)
        return good;
    memcpy(out + good, bad, n_bad * sizeof *bad);
    return good + n_bad;
}

static size_t batch(const struct node_pass *pass, size_t index, seebatch_move *out)
{
    int16_t values[SEEBATCH_MAX_MOVES];
    const size_t n = generate(pass, index, out);
    if (n == 0)
        return 0;
    const seebatch_position position = fill(pass, index);
    return handed_out(pass, n, seebatch_order(&pass->rules, &position, NULL, out, n, 0, values));
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

size_t node_run(const void *node_pass)
{
    const struct node_pass *pass = node_pass;
    seebatch_move out[SEEBATCH_MAX_MOVES];
    for (size_t i = 0; i < pass->set->n; i++)
        pass->visit(pass, pass->set->position[i], out);
    return pass->set->n;
}

const char *node_prepare(const void *node_pass)
{
    struct node_pass *pass = (struct node_pass *)node_pass;
    static seebatch_error error;
    if (pass->kernel && seebatch_kernel_use(pass->kernel, &error) != SEEBATCH_OK)
        return error.text;
    if (!pass->compared)
        node_check(pass);
    return NULL;
}

double node_evaluations(const void *pass) { return ((const struct node_pass *)pass)->evaluations; }

size_t nodes_check(const struct node_list *list)
{
    size_t compared = 0;
    for (size_t i = 0; i < list->n; i++) {
        const char *unusable = node_prepare(&list->passes[i]);
        if (unusable) {
            fprintf(stderr, "seebatch_bench: %s: %s\n", list->passes[i].name, unusable);
            exit(1);
        }
        compared += list->passes[i].compared;
    }
    return compared;
}

/* ---- The list --------------------------------------------------------------------------------------------------- */

enum { DRAWS = 1 << 16, MANY = 4 };

/* The positions with at least so many captures; returns how many. */
static size_t with_captures(const struct shape *bulk, size_t least, uint32_t *position)
{
    size_t n = 0;
    for (size_t p = 0; p < bulk->n_positions; p++) {
        if (bulk->offsets[p + 1] - bulk->offsets[p] >= least)
            position[n++] = (uint32_t)p;
    }
    return n;
}

/* Every position once, in order; and draws from those with many captures, in an order that does not repeat. */
static void make_sets(struct node_set sets[NODE_SETS], const struct shape *bulk)
{
    sets[0].name = "order";
    sets[0].position = workload_alloc(bulk->n_positions, sizeof *sets[0].position);
    sets[0].n = with_captures(bulk, 0, sets[0].position);
    sets[1].name = "order4";
    sets[1].position = workload_alloc(DRAWS, sizeof *sets[1].position);
    uint32_t *many = workload_alloc(bulk->n_positions, sizeof *many);
    const size_t n = with_captures(bulk, MANY, many);
    uint64_t state = 1;
    for (sets[1].n = 0; n > 0 && sets[1].n < DRAWS; sets[1].n++)
        sets[1].position[sets[1].n] = many[workload_random(&state) % n];
    free(many);
}

typedef size_t (*visitor)(const struct node_pass *, size_t, seebatch_move *);

static void add(struct node_list *list, const struct node_pass *like, const char *way, const char *kernel,
                visitor visit)
{
    const char *without_kernel = visit == generate ? "none" : "textbook";
    struct node_pass *pass = &list->passes[list->n++];
    *pass = *like;
    pass->kernel = kernel;
    pass->visit = visit;
    pass->evaluates = visit != generate;
    pass->by_value = visit == batch || visit == eager || visit == eager_textbook;
    pass->lazy = visit == lazy || visit == lazy_textbook;
    char stop[16] = "all";
    if (like->stop < ALL_CAPTURES)
        snprintf(stop, sizeof stop, "stop-%zu", like->stop);
    snprintf(pass->name, sizeof pass->name, "%s-%s/%s/%s", like->set->name, way, stop,
             kernel ? kernel : without_kernel);
}

void nodes_make(struct node_list *list, const struct workload *workload)
{
    static const size_t stops[] = {1, 2, ALL_CAPTURES};
    size_t n_kernels = 0;
    while (seebatch_kernel_name(n_kernels))
        n_kernels++;
    const size_t most = NODE_SETS * (3 * (4 + 2 * n_kernels) + 1);
    *list = (struct node_list){.passes = workload_alloc(most, sizeof *list->passes)};
    make_sets(list->sets, &workload->shapes[0]);
    for (size_t s = 0; s < NODE_SETS && list->sets[s].n > 0; s++) {
        struct node_pass like = {.shape = &workload->shapes[0], .set = &list->sets[s], .stop = ALL_CAPTURES};
        seebatch_rules_named("swap", &like.rules, NULL);
        add(list, &like, "generate", NULL, generate);
        for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
            like.stop = stops[i];
            add(list, &like, "lazy", NULL, lazy_textbook);
            add(list, &like, "lazy", "scalar", lazy);
            add(list, &like, "eager", NULL, eager_textbook);
            add(list, &like, "eager", "scalar", eager);
            for (size_t k = 0; k < n_kernels; k++) {
                if (!seebatch_kernel_available(k))
                    continue;
                add(list, &like, "mask", seebatch_kernel_name(k), mask);
                add(list, &like, "batch", seebatch_kernel_name(k), batch);
            }
        }
    }
}

void nodes_free(struct node_list *list)
{
    for (size_t s = 0; s < NODE_SETS; s++)
        free(list->sets[s].position);
    free(list->passes);
}
