/*
 * Principal variation search. What it takes from the exchange evaluation, by way of the picker:
 *
 *   - captures that lose material are tried after the quiet moves;
 *   - near the leaves, moves that lose more than the depth is worth are not tried;
 *   - quiescence search tries no capture that loses material, or that cannot bring the score near alpha.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "search.h"
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HISTORY_MAX = 1 << 14,
    MOST_FROM_EXCHANGE = 6000, /* no exchange is worth more */
    DELTA_MARGIN = 150,        /* quiescence: what a position may gain beside the exchange */
    REVERSE_MARGIN = 80,       /* a ply: so far above beta, nothing is searched */
    QUIET_SEE_MARGIN = 45,     /* a ply: what a quiet move may lose */
    BAD_CAPTURE_MARGIN = 100,  /* a ply: what a capture may lose */
};

static uint8_t reductions[MAX_DEPTH + 1][64];

static int quiesce(struct search *s, const struct board *board, int ply, int alpha, int beta);

int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int log2_of(int n)
{
    int log = 0;
    while (n >>= 1)
        log++;
    return log;
}

/* Late moves are searched less deeply, the more so the deeper and the later. */
void search_init(void)
{
    for (int depth = 1; depth <= MAX_DEPTH; depth++) {
        for (int index = 1; index < 64; index++)
            reductions[depth][index] = (uint8_t)((1 + log2_of(depth) * log2_of(index)) / 3);
    }
}

void search_new_game(struct search *s)
{
    table_clear(s->table);
    memset(s->history, 0, sizeof s->history);
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

/* Counts a node; whether the search has to end here. The first iteration is always finished: there must be a move. */
static bool out_of_time(struct search *s)
{
    s->nodes++;
    if (s->finished_depth == 0)
        return false;
    if (s->limits.nodes && s->nodes >= s->limits.nodes)
        s->aborted = true;
    if (s->nodes % 1024 == 0) {
        if (atomic_load_explicit(&s->stop, memory_order_relaxed))
            s->aborted = true;
        if (s->limits.hard_ms && clock_ms() - s->started >= s->limits.hard_ms)
            s->aborted = true;
    }
    return s->aborted;
}

/* A position that occurred on the line that is searched counts as a draw at once; one of the game only when this is the
 * third time. */
static bool is_repeated(const struct search *s, const struct board *board)
{
    const int current = s->n_keys - 1;
    int oldest = current - board->position.halfmove_clock, times = 0;
    for (int i = current - 4; i >= 0 && i >= oldest; i -= 2) {
        if (s->keys[i] == board->key && (i >= s->root || ++times == 2))
            return true;
    }
    return false;
}

/* Fifty moves without a capture or pawn move; but mate goes first. */
static bool is_fifty_moves(const struct board *board, bool in_check)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    return board->position.halfmove_clock >= 100 && (!in_check || seebatch_legal_moves(&board->position, moves) > 0);
}

/* A mate as far from this node, for the table, and back. */
static int to_table(int score, int ply)
{
    return score > SCORE_MATE_BOUND ? score + ply : score < -SCORE_MATE_BOUND ? score - ply : score;
}
static int from_table(int score, int ply)
{
    return score > SCORE_MATE_BOUND ? score - ply : score < -SCORE_MATE_BOUND ? score + ply : score;
}

/* ---- What is learned from a search ------------------------------------------------------------------------------ */

static void prepend_to_line(struct search *s, int ply, seebatch_move move)
{
    const int length = s->pv_length[ply + 1];
    s->pv[ply][0] = move;
    memcpy(&s->pv[ply][1], s->pv[ply + 1], (size_t)length * sizeof(seebatch_move));
    s->pv_length[ply] = length + 1;
}

static void add_history(struct search *s, int color, seebatch_move move, int bonus)
{
    int16_t *value = &s->history[color][seebatch_from(move)][seebatch_to(move)];
    *value = (int16_t)(*value + bonus - *value * abs(bonus) / HISTORY_MAX);
}

/* A quiet move caused a cut-off, and those before it did not. */
static void learn(struct search *s, const struct board *board, int ply, int depth, seebatch_move best,
                  const seebatch_move *tried, int n_tried)
{
    const int bonus = depth < 20 ? depth * depth : 400;
    if (s->killers[ply][0] != best) {
        s->killers[ply][1] = s->killers[ply][0];
        s->killers[ply][0] = best;
    }
    add_history(s, board->position.stm, best, bonus);
    for (int i = 0; i < n_tried; i++)
        add_history(s, board->position.stm, tried[i], -bonus);
}

/* ---- The search ------------------------------------------------------------------------------------------------- */

/* A node of the main search. */
struct node {
    const struct board *board;
    int depth, ply, alpha, beta;
    bool in_check, is_pv;
    int best;
    seebatch_move best_move;
    seebatch_move quiets[64]; /* searched so far */
    int n_quiets, n_searched;
};

static int search(struct search *s, const struct board *board, int depth, int ply, int alpha, int beta,
                  bool null_allowed);

/* Searches the position after a move: late moves less deeply and with a null window, and again if they are better
 * than expected. */
static int search_move(struct search *s, struct node *node, seebatch_move move, bool is_quiet)
{
    struct board child = *node->board;
    const int alpha = node->best > node->alpha ? node->best : node->alpha;
    board_play(&child, move);
    s->keys[s->n_keys++] = child.key;
    int score, reduction = 0;
    if (node->depth >= 3 && node->n_searched > 1 + node->is_pv && is_quiet && !node->in_check) {
        reduction = reductions[node->depth][node->n_searched < 63 ? node->n_searched : 63] - node->is_pv;
        reduction = reduction < 0 ? 0 : reduction > node->depth - 2 ? node->depth - 2 : reduction;
    }
    if (node->n_searched == 0) {
        score = -search(s, &child, node->depth - 1, node->ply + 1, -node->beta, -alpha, true);
    } else {
        score = -search(s, &child, node->depth - 1 - reduction, node->ply + 1, -alpha - 1, -alpha, true);
        if (score > alpha && reduction > 0)
            score = -search(s, &child, node->depth - 1, node->ply + 1, -alpha - 1, -alpha, true);
        if (score > alpha && node->is_pv)
            score = -search(s, &child, node->depth - 1, node->ply + 1, -node->beta, -alpha, true);
    }
    s->n_keys--;
    return score;
}

/* Whether a move is not worth a search: near the leaves, once there is a line that is not mated. */
static bool is_pruned(struct picker *picker, const struct node *node, const struct picked *move)
{
    if (node->ply == 0 || node->in_check || node->best < -SCORE_MATE_BOUND)
        return false;
    if (move->kind == KIND_QUIET) {
        if (node->depth <= 4 && !node->is_pv && node->n_quiets >= 4 + node->depth * node->depth)
            return true;
        return node->depth <= 7 && !picker_reaches(picker, (int16_t)(-QUIET_SEE_MARGIN * node->depth));
    }
    if (move->kind == KIND_BAD_CAPTURE)
        return node->depth <= 5 && !picker_reaches(picker, (int16_t)(-BAD_CAPTURE_MARGIN * node->depth));
    return false;
}

static bool is_excluded(const struct search *s, int ply, seebatch_move move)
{
    if (ply > 0 || s->limits.n_moves == 0)
        return false;
    for (size_t i = 0; i < s->limits.n_moves; i++) {
        if (s->limits.moves[i] == move)
            return false;
    }
    return true;
}

/* Tries the moves of a node; fills in what is best. Returns how many legal moves there are. */
static size_t try_moves(struct search *s, struct node *node, seebatch_move table_move)
{
    const seebatch_position *position = &node->board->position;
    const struct move_hints hints = {table_move, s->killers[node->ply],
                                     (const int16_t(*)[64])s->history[position->stm]};
    struct picker picker;
    picker_begin(&picker, &s->see, position, 0, &hints);
    for (const struct picked *picked; (picked = picker_next(&picker));) {
        const seebatch_move move = picked->move;
        if (is_excluded(s, node->ply, move) || is_pruned(&picker, node, picked))
            continue;
        const bool is_quiet = picked->kind == KIND_QUIET;
        const int score = search_move(s, node, move, is_quiet);
        if (s->aborted)
            break;
        node->n_searched++;
        if (score > node->best) {
            node->best = score;
            if (score > node->alpha) {
                node->best_move = move;
                prepend_to_line(s, node->ply, move);
            }
        }
        if (score >= node->beta) {
            if (is_quiet)
                learn(s, node->board, node->ply, node->depth, move, node->quiets, node->n_quiets);
            break;
        }
        if (is_quiet && node->n_quiets < 64)
            node->quiets[node->n_quiets++] = move;
    }
    return picker.n;
}

/* Whether the position is so good for the side to move that it need not be searched. */
static bool is_decided(struct search *s, const struct node *node, bool null_allowed, int *score)
{
    if (node->is_pv || node->in_check || abs(node->beta) > SCORE_MATE_BOUND)
        return false;
    const int value = evaluate(node->board);
    *score = value;
    if (node->depth <= 6 && value - REVERSE_MARGIN * node->depth >= node->beta)
        return true;
    if (!null_allowed || node->depth < 3 || value < node->beta || !board_has_pieces(node->board))
        return false;
    struct board child = *node->board;
    board_pass(&child);
    s->keys[s->n_keys++] = child.key;
    *score = -search(s, &child, node->depth - 3 - node->depth / 4, node->ply + 1, -node->beta, -node->beta + 1, false);
    s->n_keys--;
    if (*score > SCORE_MATE_BOUND)
        *score = node->beta;
    return !s->aborted && *score >= node->beta;
}

static int search(struct search *s, const struct board *board, int depth, int ply, int alpha, int beta,
                  bool null_allowed)
{
    struct node node = {.board = board,
                        .ply = ply,
                        .alpha = alpha,
                        .beta = beta,
                        .is_pv = beta - alpha > 1,
                        .in_check = seebatch_in_check(&board->position),
                        .best = -SCORE_INFINITE};
    node.depth = depth + node.in_check;
    s->pv_length[ply] = 0;
    if (ply > 0 && (board_is_dead(board) || is_repeated(s, board) || is_fifty_moves(board, node.in_check)))
        return 0;
    if (node.depth <= 0)
        return quiesce(s, board, ply, alpha, beta);
    if (out_of_time(s))
        return 0;
    if (ply >= MAX_PLY - 1)
        return evaluate(board);
    if (node.depth > MAX_DEPTH)
        node.depth = MAX_DEPTH;

    const struct table_entry *entry = table_find(s->table, board->key);
    const bool has_line = ply == 0 && s->finished_depth > 0;
    const seebatch_move table_move = has_line ? s->line[0] : entry ? entry->move : 0;
    if (entry && !node.is_pv && entry->depth >= node.depth && board->position.halfmove_clock < 90) {
        const int score = from_table(entry->score, ply);
        if (entry->bound & (score >= beta ? BOUND_LOWER : BOUND_UPPER))
            return score;
    }
    int score;
    if (is_decided(s, &node, null_allowed, &score))
        return score;
    if (s->aborted)
        return 0;

    const size_t n_legal = try_moves(s, &node, table_move);
    if (n_legal == 0)
        return node.in_check ? ply - SCORE_MATE : 0;
    if (s->aborted)
        return 0;
    if (ply == 0 && s->limits.n_moves > 0) /* not the best of all moves */
        return node.best;
    const int bound = node.best >= beta ? BOUND_LOWER : node.best > alpha ? BOUND_EXACT : BOUND_UPPER;
    table_store(s->table, board->key, node.best_move, to_table(node.best, ply), node.depth, bound);
    return node.best;
}

/* Captures alone, until the position is quiet; in check, all moves. */
static int quiesce(struct search *s, const struct board *board, int ply, int alpha, int beta)
{
    const bool in_check = seebatch_in_check(&board->position);
    s->pv_length[ply] = 0;
    if (out_of_time(s))
        return 0;
    if (ply > s->deepest)
        s->deepest = ply;
    if (ply >= MAX_PLY - 1)
        return evaluate(board);
    int best = -SCORE_INFINITE;
    struct picker picker;
    if (in_check) {
        static const struct move_hints none = {0, NULL, NULL};
        picker_begin(&picker, &s->see, &board->position, ALL_ARE_GOOD, &none);
        if (picker.n == 0)
            return ply - SCORE_MATE;
    } else {
        best = evaluate(board);
        const int missing = alpha - best - DELTA_MARGIN;
        if (best >= beta || missing > MOST_FROM_EXCHANGE)
            return best;
        /* The threshold stays the same when alpha rises, so that all captures can be asked about at once. */
        picker_begin_captures(&picker, &s->see, &board->position, (int16_t)(missing > 0 ? missing : 0));
        alpha = best > alpha ? best : alpha;
    }
    for (const struct picked *picked; (picked = picker_next(&picker));) {
        struct board child = *board;
        board_play(&child, picked->move);
        const int score = -quiesce(s, &child, ply + 1, -beta, -alpha);
        if (s->aborted)
            return 0;
        if (score <= best)
            continue;
        best = score;
        if (score > alpha) {
            alpha = score;
            prepend_to_line(s, ply, picked->move);
        }
        if (score >= beta)
            break;
    }
    return best;
}

/* ---- Iterations ------------------------------------------------------------------------------------------------- */

seebatch_move search_run(struct search *s, const struct board *root)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(&root->position, moves);
    const int depth_limit = s->limits.depth > 0 && s->limits.depth < MAX_DEPTH ? s->limits.depth : MAX_DEPTH;
    if (n == 0)
        return 0;
    s->started = clock_ms();
    s->nodes = 0;
    s->see.calls = s->see.moves = 0;
    s->deepest = s->finished_depth = 0;
    s->aborted = false;
    s->root = s->n_keys - 1;
    s->table->age++;
    memset(s->killers, 0, sizeof s->killers);
    s->line[0] = s->limits.n_moves ? s->limits.moves[0] : moves[0];
    s->line_length = 1;
    for (int depth = 1; depth <= depth_limit; depth++) {
        const int score = search(s, root, depth, 0, -SCORE_INFINITE, SCORE_INFINITE, true);
        if (s->pv_length[0] > 0) { /* even of an iteration that was broken off: its first move was the best so far */
            s->line_length = s->pv_length[0];
            memcpy(s->line, s->pv[0], (size_t)s->line_length * sizeof *s->line);
        }
        if (s->aborted)
            break;
        s->finished_depth = depth;
        if (s->report)
            s->report(s, depth, score);
        if (atomic_load(&s->stop) || (s->limits.soft_ms && clock_ms() - s->started >= s->limits.soft_ms))
            break;
        if (s->limits.nodes && s->nodes >= s->limits.nodes)
            break;
    }
    return s->line[0];
}
