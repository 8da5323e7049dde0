/*
 * Pathological boards: pieces set up around one square so that something rare happens there. Batteries on every line,
 * pieces on all rays and all knight's squares, nine queens a side, promotions, en passant that opens lines, double
 * steps that can be answered so, pins, checks.
 *
 * Shapes are drawn generously; boards.c puts in missing kings and thins the board out until it is sound.
 */
#include "boards.h"

#include <string.h>

static const int ray_file[8] = {0, 1, 1, 1, 0, -1, -1, -1}, ray_rank[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int hop_file[8] = {1, 2, 2, 1, -1, -2, -2, -1}, hop_rank[8] = {2, 1, -1, -2, -2, -1, 1, 2};

/* The square so many steps along a ray. */
static int along(int square, int ray, int steps)
{
    return stepped(square, ray_file[ray] * steps, ray_rank[ray] * steps);
}

static void put_if(struct pieces *pieces, int square, int color, int type)
{
    if (square != SEEBATCH_NO_SQUARE)
        pieces_put(pieces, square, color, type);
}

/* A slider for a ray: mostly the right one, sometimes one that blocks it. */
static int slider_for(int ray, struct rng *rng)
{
    const int right = ray % 2 == 0 ? SEEBATCH_ROOK : SEEBATCH_BISHOP, wrong = SEEBATCH_ROOK + SEEBATCH_BISHOP - right;
    const int drawn[16] = {SEEBATCH_KNIGHT, wrong,          SEEBATCH_QUEEN, SEEBATCH_QUEEN,
                           SEEBATCH_QUEEN,  SEEBATCH_QUEEN, SEEBATCH_PAWN};
    const unsigned i = rng_below(rng, 16);
    return i < 7 ? drawn[i] : right;
}

/* A battery on a ray: up to so many pieces, one behind another, with or without gaps, of one side or of both. */
static void put_battery(struct pieces *pieces, struct rng *rng, int target, int ray, unsigned length)
{
    int color = (int)rng_below(rng, 2), square = target;
    bool mixed = rng_one_in(rng, 4), gaps = rng_one_in(rng, 4);
    while (length > 0) {
        square = along(square, ray, 1);
        if (square == SEEBATCH_NO_SQUARE)
            return;
        if (gaps && rng_one_in(rng, 2))
            continue;
        pieces_put(pieces, square, mixed ? (int)rng_below(rng, 2) : color, slider_for(ray, rng));
        length--;
    }
}

static void put_pawns(struct pieces *pieces, struct rng *rng, int target)
{
    for (int file = -1; file <= 1; file += 2) {
        if (rng_one_in(rng, 2))
            put_if(pieces, stepped(target, file, -1), SEEBATCH_WHITE, SEEBATCH_PAWN);
        if (rng_one_in(rng, 2))
            put_if(pieces, stepped(target, file, 1), SEEBATCH_BLACK, SEEBATCH_PAWN);
    }
}

/* Batteries on some or all rays, knights on some or all squares, pawns, a piece to capture. */
static void put_star(struct pieces *pieces, struct rng *rng, int target)
{
    unsigned rays = 2 + rng_below(rng, 7), knights = rng_below(rng, 9), longest = 1 + rng_below(rng, 6);
    for (int ray = 0; ray < 8; ray++) {
        if (rng_below(rng, 8) < rays)
            put_battery(pieces, rng, target, ray, 1 + rng_below(rng, longest));
    }
    int color = (int)rng_below(rng, 2);
    for (int i = 0; i < 8; i++) {
        if (rng_below(rng, 8) < knights)
            put_if(pieces, stepped(target, hop_file[i], hop_rank[i]), rng_one_in(rng, 4) ? !color : color,
                   SEEBATCH_KNIGHT);
    }
    put_pawns(pieces, rng, target);
    if (!rng_one_in(rng, 4))
        pieces_put(pieces, target, (int)rng_below(rng, 2), (int)rng_below(rng, 5));
}

/* A king beside the target or on one of its rays, so that it recaptures, is uncovered, or stands in the way. */
static void put_near_king(struct pieces *pieces, struct rng *rng, int target, int color)
{
    unsigned ray = rng_below(rng, 8), distance = rng_one_in(rng, 2) ? 1 : 1 + rng_below(rng, 7);
    int square = along(target, (int)ray, (int)distance);
    if (square != SEEBATCH_NO_SQUARE && !(pieces->by_type[SEEBATCH_KING] >> square & 1))
        pieces_put(pieces, square, color, SEEBATCH_KING);
}

/* Nine queens a side and more, wherever they fall. */
static void put_queens(struct pieces *pieces, struct rng *rng)
{
    for (int color = 0; color < 2; color++) {
        for (unsigned n = 9 + rng_below(rng, 8); n > 0; n--)
            pieces_put(pieces, (int)rng_below(rng, 64), color, SEEBATCH_QUEEN);
    }
}

/* A square on the last rank with pawns before it and pieces that look at it. */
static int put_promotion(struct pieces *pieces, struct rng *rng)
{
    int color = (int)rng_below(rng, 2), rank = color == SEEBATCH_WHITE ? 7 : 0;
    int target = rank * 8 + (int)rng_below(rng, 8);
    put_star(pieces, rng, target);
    if (rng_one_in(rng, 2)) /* a pawn may walk there */
        pieces_remove(pieces, target);
    for (int file = -1; file <= 1; file++) {
        if (!rng_one_in(rng, 4))
            put_if(pieces, stepped(target, file, color == SEEBATCH_WHITE ? -1 : 1), color, SEEBATCH_PAWN);
    }
    return target;
}

/* A pawn that has just made a double step, pawns beside it, sliders on every line that the capture opens. */
static int put_en_passant(struct pieces *pieces, struct rng *rng)
{
    int capturer = (int)rng_below(rng, 2), ahead = capturer == SEEBATCH_WHITE ? 1 : -1;
    int target = (capturer == SEEBATCH_WHITE ? 40 : 16) + (int)rng_below(rng, 8);
    if (!rng_one_in(rng, 3))
        put_star(pieces, rng, target);
    int victim = target - 8 * ahead;
    for (int ray = 0; ray < 8; ray++) { /* lines through the captured pawn and the capturer, a king among them */
        if (rng_one_in(rng, 3))
            put_battery(pieces, rng, victim, ray, 1 + rng_below(rng, 2));
    }
    put_near_king(pieces, rng, victim, capturer);
    pieces_remove(pieces, target);
    pieces_remove(pieces, target + 8 * ahead);
    pieces_put(pieces, victim, !capturer, SEEBATCH_PAWN);
    unsigned beside = 1 + rng_below(rng, 3);
    if (beside & 1)
        put_if(pieces, stepped(victim, -1, 0), capturer, SEEBATCH_PAWN);
    if (beside & 2)
        put_if(pieces, stepped(victim, 1, 0), capturer, SEEBATCH_PAWN);
    if (rng_one_in(rng, 2))
        return target;
    pieces_remove(pieces, victim); /* the double step is taken back, to be made */
    pieces_put(pieces, target + 8 * ahead, !capturer, SEEBATCH_PAWN);
    return victim;
}

/* A piece of a type that could capture on the target, if there is one. */
static void put_attacker(struct pieces *pieces, struct rng *rng, int square, int target)
{
    const int color = (int)rng_below(rng, 2);
    int type = (int)rng_below(rng, 5);
    for (int tries = 0; tries < 5 && !piece_reaches(type, color, square, target); tries++)
        type = (type + 1) % 5;
    pieces_put(pieces, square, color, type);
}

/* Attackers of a square that stand alone between a king and one or two of his enemy's sliders, before both kings if it
 * falls so; half of the kings are on a line with the square. */
static int put_alone_before_kings(struct pieces *pieces, struct rng *rng)
{
    const int target = (int)rng_below(rng, 64);
    int king[2];
    for (int color = 0; color < 2; color++) {
        const unsigned to_target = rng_below(rng, 8), distance = 1 + rng_below(rng, 7);
        king[color] = along(target, (int)to_target, (int)distance);
        if (king[color] == SEEBATCH_NO_SQUARE || rng_one_in(rng, 2))
            king[color] = (int)rng_below(rng, 64);
        for (int ray = 0; ray < 8; ray++) {
            int near = 1 + (int)rng_below(rng, 3), far = near + 1 + (int)rng_below(rng, 3);
            const int alone = along(king[color], ray, near);
            if (alone == SEEBATCH_NO_SQUARE || alone == target || rng_one_in(rng, 3))
                continue;
            put_attacker(pieces, rng, alone, target);
            for (int sliders = rng_one_in(rng, 4) ? 2 : 1; sliders > 0; sliders--, far++)
                put_if(pieces, along(king[color], ray, far), !color, slider_for(ray, rng));
        }
    }
    if (!rng_one_in(rng, 4))
        pieces_put(pieces, target, (int)rng_below(rng, 2), (int)rng_below(rng, 5));
    for (int color = 0; color < 2; color++)
        if (king[color] != target && (color == 0 || king[1] != king[0]))
            pieces_put(pieces, king[color], color, SEEBATCH_KING);
    return target;
}

/* A king with pieces of either side between it and enemy sliders: pins, cross pins, discovered and double checks. The
 * square is where one of those pieces, or its pinner, stands. */
static int put_pins(struct pieces *pieces, struct rng *rng)
{
    int king = (int)rng_below(rng, 64), color = (int)rng_below(rng, 2), target = king;
    for (int ray = 0; ray < 8; ray++) {
        if (rng_one_in(rng, 2))
            continue;
        unsigned near = 1 + rng_below(rng, 3), far = near + 1 + rng_below(rng, 3);
        int blocker = along(king, (int)ray, (int)near);
        int slider = along(king, (int)ray, (int)far);
        if (slider == SEEBATCH_NO_SQUARE)
            continue;
        pieces_put(pieces, blocker, rng_one_in(rng, 3) ? !color : color, (int)rng_below(rng, 5));
        pieces_put(pieces, slider, !color,
                   rng_one_in(rng, 3) ? SEEBATCH_QUEEN
                   : ray % 2 == 0     ? SEEBATCH_ROOK
                                      : SEEBATCH_BISHOP);
        if (rng_one_in(rng, 2))
            target = rng_one_in(rng, 2) ? slider : blocker;
    }
    if (target == king)
        target = stepped(king, 1 - (int)rng_below(rng, 3), king < 32 ? 2 : -2);
    if (target == SEEBATCH_NO_SQUARE)
        target = king ^ 63;
    struct pieces star;
    memset(&star, 0, sizeof star);
    put_star(&star, rng, target); /* around the target, but not where something stands already */
    for (int square = 0; square < 64; square++) {
        uint64_t bit = UINT64_C(1) << square;
        if ((pieces_occupied(&star) & ~pieces_occupied(pieces) & bit) == 0 || rng_one_in(rng, 3))
            continue;
        for (int type = 0; type < 6; type++) {
            if (star.by_type[type] & bit)
                pieces_put(pieces, square, (star.by_color[1] & bit) != 0, type);
        }
    }
    pieces_put(pieces, king, color, SEEBATCH_KING);
    return target;
}

/* Kings and rooks on their first ranks with little between; boards.c draws the rights. */
static int put_castling(struct pieces *pieces, struct rng *rng)
{
    bool standard = rng_one_in(rng, 2);
    for (int color = 0; color < 2; color++) {
        int rank = color == SEEBATCH_WHITE ? 0 : 56;
        int king = standard ? 4 : 1 + (int)rng_below(rng, 6);
        int left = standard ? 0 : (int)rng_below(rng, (unsigned)king);
        int right = standard ? 7 : king + 1 + (int)rng_below(rng, 7 - (unsigned)king);
        for (unsigned n = rng_below(rng, 8); n > 0; n--)
            pieces_put(pieces, 8 + (int)rng_below(rng, 48), (int)rng_below(rng, 2), (int)rng_below(rng, 5));
        pieces_put(pieces, rank + king, color, SEEBATCH_KING);
        pieces_put(pieces, rank + left, color, SEEBATCH_ROOK);
        pieces_put(pieces, rank + right, color, SEEBATCH_ROOK);
    }
    return (int)rng_below(rng, 64);
}

int shape(struct pieces *pieces, struct rng *rng)
{
    int target = (int)rng_below(rng, 64);
    switch ("qppexxckksss"[rng_below(rng, 12)]) {
    case 'q': put_queens(pieces, rng); break;
    case 'p': target = put_promotion(pieces, rng); break;
    case 'e': return put_en_passant(pieces, rng);
    case 'x': target = put_pins(pieces, rng); break;
    case 'c': return put_castling(pieces, rng);
    case 'k': target = put_alone_before_kings(pieces, rng); break;
    default: put_star(pieces, rng, target); break;
    }
    for (int color = 0; color < 2; color++) {
        if (!rng_one_in(rng, 3) && !(pieces->by_type[SEEBATCH_KING] & pieces->by_color[color]))
            put_near_king(pieces, rng, target, color);
    }
    return target;
}
