/*
 * Boards turned round: colours flipped (ranks and colours exchanged) and mirrored (a-file to h-file, without castling).
 *
 * An exchange is worth the same on them, unless the order of the captures depends on square numbers: between two like
 * pieces of one side the lowest square goes first, and turning the board changes which that is. So where two like
 * pieces of a side could reach the square, the turned board is held against the other implementation's value of that
 * board; otherwise against the value of the board as it was.
 */
#include "differential.h"

#include <stdlib.h>

static uint64_t flip_ranks(uint64_t b)
{
    b = (b >> 8 & 0x00FF00FF00FF00FFu) | (b & 0x00FF00FF00FF00FFu) << 8;
    b = (b >> 16 & 0x0000FFFF0000FFFFu) | (b & 0x0000FFFF0000FFFFu) << 16;
    return b >> 32 | b << 32;
}

static uint64_t mirror_files(uint64_t b)
{
    b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
    b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
    return (b >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (b & 0x0F0F0F0F0F0F0F0Fu) << 4;
}

static uint8_t turn_square(uint8_t square, int mask)
{
    return square == SEEBATCH_NO_SQUARE ? square : (uint8_t)(square ^ mask);
}

static seebatch_position flip_colors(const seebatch_position *p)
{
    seebatch_position q = *p;
    for (int i = 0; i < 3; i++)
        q.plane[i] = flip_ranks(p->plane[i]);
    q.white = flip_ranks(seebatch_occupied(p) & ~p->white);
    q.stm = (uint8_t)(p->stm ^ 1);
    q.ep_square = turn_square(p->ep_square, 56);
    for (int side = 0; side < 2; side++) {
        q.castling_rook[0][side] = turn_square(p->castling_rook[1][side], 56);
        q.castling_rook[1][side] = turn_square(p->castling_rook[0][side], 56);
    }
    return q;
}

static seebatch_position mirror(const seebatch_position *p)
{
    seebatch_position q = *p;
    for (int i = 0; i < 3; i++)
        q.plane[i] = mirror_files(p->plane[i]);
    q.white = mirror_files(p->white);
    q.ep_square = turn_square(p->ep_square, 7);
    for (int color = 0; color < 2; color++)
        q.castling_rook[color][0] = q.castling_rook[color][1] = SEEBATCH_NO_SQUARE;
    return q;
}

bool is_castling(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_type_on(position, from) != SEEBATCH_KING)
        return false;
    int mover = seebatch_color_on(position, from);
    return abs((from & 7) - (to & 7)) > 1 || (seebatch_pieces_of_color(position, mover) >> to & 1);
}

/* ---- Which pieces can ever reach a square --------------------------------------------------------------------------
 */

/* Whether a piece could capture on a square of an empty board. */
static bool reaches(int type, int color, int from, int to)
{
    int files = abs((from & 7) - (to & 7)), ranks = abs((from >> 3) - (to >> 3));
    bool straight = files == 0 || ranks == 0, diagonal = files == ranks;
    if (from == to)
        return false;
    switch (type) {
    case SEEBATCH_PAWN: return files == 1 && (to >> 3) - (from >> 3) == (color == SEEBATCH_WHITE ? 1 : -1);
    case SEEBATCH_KNIGHT: return files * ranks == 2;
    case SEEBATCH_BISHOP: return diagonal;
    case SEEBATCH_ROOK: return straight;
    case SEEBATCH_QUEEN: return straight || diagonal;
    default: return files <= 1 && ranks <= 1;
    }
}

/* How many pieces of each colour and type reach the square, the one on from left out. */
static void count_reaching(const seebatch_position *position, int from, int to, unsigned counts[2][6])
{
    for (int square = 0; square < 64; square++) {
        int type = seebatch_type_on(position, square), color = seebatch_color_on(position, square);
        if (type != SEEBATCH_NO_PIECE && square != from && reaches(type, color, square, to))
            counts[color][type]++;
    }
}

unsigned reach_count(const seebatch_position *position, int from, int to)
{
    unsigned counts[2][6] = {{0}}, sum = 0;
    count_reaching(position, from, to, counts);
    for (int type = 0; type < 6; type++)
        sum += counts[0][type] + counts[1][type];
    return sum;
}

static bool has_ties(const struct context *context, const seebatch_position *position, seebatch_move move)
{
    if (context->rules.order == SEEBATCH_BEST_ORDER)
        return false; /* a maximum over all orders */
    unsigned counts[2][6] = {{0}};
    count_reaching(position, seebatch_from(move), seebatch_to(move), counts);
    for (int type = 0; type < 6; type++) {
        if (counts[0][type] > 1 || counts[1][type] > 1)
            return true;
    }
    return false;
}

/* ---- The check -----------------------------------------------------------------------------------------------------
 */

static bool check_turned(const struct context *context, const struct batch *batch, const int16_t *expected, bool flip,
                         struct failure *failure)
{
    static struct batch turned, ties; /* ties: those of `turned` that need a value of their own */
    static int16_t values[MAX_REQUESTS], tie_values[MAX_REQUESTS];
    static size_t tie_at[MAX_REQUESTS];
    int mask = flip ? 56 : 7;
    batch_clear(&turned);
    batch_clear(&ties);
    for (size_t i = 0; i < batch->n_positions; i++) {
        const seebatch_position *position = &batch->positions[i];
        seebatch_position other = flip ? flip_colors(position) : mirror(position);
        batch_add_position(&turned, &other);
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++) {
            seebatch_move move = batch->moves[k];
            if (!flip && is_castling(position, move))
                continue;
            seebatch_move turned_move = (seebatch_move)(move ^ (mask | mask << 6));
            bool tied = has_ties(context, position, move);
            values[batch_count(&turned)] = expected[k];
            if (tied) {
                tie_at[batch_count(&ties)] = batch_count(&turned);
                batch_add_request(&ties, &other, turned_move);
            }
            batch_add_move(&turned, turned_move);
            if (context->tally) {
                context->tally->symmetric += !tied;
                context->tally->ties += tied;
            }
        }
    }
    compare_reference(context, &ties, tie_values);
    for (size_t t = 0; t < batch_count(&ties); t++)
        values[tie_at[t]] = tie_values[t];
    struct rng rng = rng_for(context->seed, flip ? "flipped" : "mirrored");
    failure->transform = flip ? "colours flipped" : "mirrored";
    if (!compare_forms(context, &turned, values, FORMS_SOME, &rng, failure))
        return false;
    failure->transform = "";
    return true;
}

bool check_symmetry(const struct context *context, const struct batch *batch, const int16_t *expected,
                    struct failure *failure)
{
    return check_turned(context, batch, expected, true, failure) &&
           check_turned(context, batch, expected, false, failure);
}
