/*
 * Boards for the differential harness: walks through real games, random placements, pathological shapes.
 *
 * Whatever is set up, kings are put in (and pieces taken away, where nothing else helps) until the position is sound;
 * then en passant squares and castling rights are drawn where the board has what they need. The moves are legal ones of
 * both sides (who moves follows from the moving piece, so one list may hold both), and under rules that ignore pins
 * also pseudo-legal ones. Lists are drawn in different ways: all moves, captures, all that lands on one square, a few,
 * the same ones several times.
 */
#include "boards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

void pieces_remove(struct pieces *pieces, int square)
{
    for (int type = 0; type < 6; type++)
        pieces->by_type[type] &= ~(UINT64_C(1) << square);
    for (int color = 0; color < 2; color++)
        pieces->by_color[color] &= ~(UINT64_C(1) << square);
}

/* A pawn on the first or last rank becomes a knight. */
void pieces_put(struct pieces *pieces, int square, int color, int type)
{
    pieces_remove(pieces, square);
    if (type == SEEBATCH_PAWN && (square < 8 || square >= 56))
        type = SEEBATCH_KNIGHT;
    pieces->by_type[type] |= UINT64_C(1) << square;
    pieces->by_color[color] |= UINT64_C(1) << square;
}

static struct pieces pieces_of(const seebatch_position *position)
{
    struct pieces pieces;
    for (int type = 0; type < 6; type++)
        pieces.by_type[type] = seebatch_pieces_of_type(position, type);
    for (int color = 0; color < 2; color++)
        pieces.by_color[color] = seebatch_pieces_of_color(position, color);
    return pieces;
}

/* ---- Soundness --------------------------------------------------------------------------------------------------- */

static bool is_sound(const seebatch_position *position)
{
    return seebatch_position_check(position, NULL) == SEEBATCH_OK;
}

/* A position of the pieces with either side to move; false if neither is sound. */
static bool set_up(seebatch_position *position, const struct pieces *pieces, struct rng *rng)
{
    *position = seebatch_position_from_bitboards(pieces->by_type, pieces->by_color, (int)rng_below(rng, 2));
    if (is_sound(position))
        return true;
    position->stm ^= 1;
    return is_sound(position);
}

/* Puts a king on an empty square, or on one of its own side's pieces; takes it from where it stood before. */
static void place_king(struct pieces *pieces, int color, struct rng *rng)
{
    uint64_t king = pieces->by_type[SEEBATCH_KING] & pieces->by_color[color];
    pieces->by_type[SEEBATCH_KING] &= ~king;
    pieces->by_color[color] &= ~king;
    int square = (int)rng_below(rng, 64);
    for (int i = 0; i < 63 && (pieces_occupied(pieces) >> square & 1); i++)
        square = (square + 37) % 64; /* meets every square */
    if (!(pieces->by_type[SEEBATCH_KING] >> square & 1))
        pieces_put(pieces, square, color, SEEBATCH_KING);
}

/* Puts in missing kings, moves them about, and takes pieces away one by one, until the position is sound. Three times
 * out of four it tries for a while to have neither side in check: only then are there many moves. */
static void set_up_somehow(seebatch_position *position, struct pieces *pieces, struct rng *rng)
{
    enum { PATIENCE = 24 };
    bool quiet = !rng_one_in(rng, 4);
    for (int attempt = 0;; attempt++) {
        for (int color = 0; color < 2; color++) {
            if (!(pieces->by_type[SEEBATCH_KING] & pieces->by_color[color]) ||
                (attempt > 0 && (attempt + color) % 2 != 0))
                place_king(pieces, color, rng);
        }
        if (set_up(position, pieces, rng) && (!quiet || attempt > PATIENCE || !seebatch_in_check(position)))
            return;
        if (attempt % 2 == 0)
            continue;
        int square = (int)rng_below(rng, 64);
        while (attempt > 4 && !(pieces_occupied(pieces) >> square & 1))
            square = (square + 1) % 64;
        if (!(pieces->by_type[SEEBATCH_KING] >> square & 1))
            pieces_remove(pieces, square);
    }
}

/* Draws an en passant square and castling rights where the board allows them. */
static void add_rights(seebatch_position *position, struct rng *rng)
{
    seebatch_position with = *position;
    int first = position->stm == SEEBATCH_WHITE ? 40 : 16, start = (int)rng_below(rng, 8);
    for (int i = 0; i < 8 && !rng_one_in(rng, 16); i++) {
        with.ep_square = (uint8_t)(first + (start + i) % 8);
        if (is_sound(&with)) {
            *position = with;
            break;
        }
    }
    uint64_t rooks = seebatch_pieces_of_type(position, SEEBATCH_ROOK);
    uint64_t kings = seebatch_pieces_of_type(position, SEEBATCH_KING);
    for (int color = 0; color < 2; color++) {
        int rank = color == SEEBATCH_WHITE ? 0 : 56;
        uint64_t own = seebatch_pieces_of_color(position, color);
        for (int file = 0; file < 8; file++) {
            if (!((rooks & own) >> (rank + file) & 1) || !((kings & own) >> rank & 0xFF) || rng_one_in(rng, 4))
                continue;
            with = *position;
            int side = (kings & own) >> (rank + file) ? 1 : 0; /* the king stands further right: queenside */
            with.castling_rook[color][side] = (uint8_t)(rank + file);
            with.shredder |= file != (side ? 0 : 7) || !((kings & own) >> (rank + 4) & 1) || rng_one_in(rng, 4);
            if (is_sound(&with))
                *position = with;
        }
    }
}

/* ---- Kinds of boards --------------------------------------------------------------------------------------------- */

struct walk {
    seebatch_position position;
    unsigned left; /* plies until a new start */
};

static const seebatch_position *draw(const struct library *library, struct rng *rng)
{
    return &library->positions[rng_below(rng, (unsigned)library->n)];
}

/* Adds, takes away, moves or recolours a few pieces; leaves the position alone if that is not sound. */
static void mutate(seebatch_position *position, struct rng *rng)
{
    struct pieces pieces = pieces_of(position);
    for (unsigned n = 1 + rng_below(rng, 4); n > 0; n--) {
        int square = (int)rng_below(rng, 64), other = (int)rng_below(rng, 64);
        int type = seebatch_type_on(position, square);
        uint64_t kings = pieces.by_type[SEEBATCH_KING];
        if (type == SEEBATCH_NO_PIECE)
            pieces_put(&pieces, square, (int)rng_below(rng, 2), (int)rng_below(rng, 5));
        else if (kings >> square & 1)
            continue;
        else if (rng_one_in(rng, 2))
            pieces_remove(&pieces, square);
        else if (type != SEEBATCH_KING && !(kings >> other & 1))
            pieces_put(&pieces, other, (int)rng_below(rng, 2), type);
    }
    seebatch_position mutated;
    if (set_up(&mutated, &pieces, rng)) {
        add_rights(&mutated, rng);
        *position = mutated;
    }
}

/* The next position of a walk: a position from the library, then random moves from there, captures preferred. */
static seebatch_position next_of_walk(struct walk *walk, const struct library *library, struct rng *rng)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = 0;
    if (walk->left > 0) {
        if (rng_one_in(rng, 4))
            n = seebatch_legal_captures(&walk->position, moves);
        if (n == 0)
            n = seebatch_legal_moves(&walk->position, moves);
    }
    if (n > 0) {
        seebatch_play(&walk->position, moves[rng_below(rng, (unsigned)n)]);
        walk->left--;
    } else {
        walk->position = *draw(library, rng);
        walk->left = rng_below(rng, 12);
    }
    seebatch_position position = walk->position;
    if (rng_one_in(rng, 4))
        mutate(&position, rng);
    return position;
}

/* The pieces, with kings and rights. */
static seebatch_position finished(struct pieces *pieces, struct rng *rng)
{
    seebatch_position position;
    set_up_somehow(&position, pieces, rng);
    add_rights(&position, rng);
    return position;
}

static seebatch_position random_board(struct rng *rng)
{
    static const uint8_t mixes[][8] = {
        {0, 0, 0, 1, 2, 3, 4, 0}, {0, 1, 2, 3, 4, 1, 2, 3}, {2, 3, 4, 2, 3, 4, 4, 4}, {0, 0, 0, 0, 0, 0, 1, 3}};
    struct pieces pieces = {{0}, {0}};
    const uint8_t *mix = mixes[rng_below(rng, 4)];
    const unsigned most = rng_one_in(rng, 8) ? 60 : 34;
    for (unsigned n = rng_below(rng, most); n > 0; n--)
        pieces_put(&pieces, (int)rng_below(rng, 64), (int)rng_below(rng, 2), mix[rng_below(rng, 8)]);
    return finished(&pieces, rng);
}

static seebatch_position pathological_board(struct rng *rng, int *focus)
{
    struct pieces pieces = {{0}, {0}};
    *focus = shape(&pieces, rng);
    for (unsigned n = rng_one_in(rng, 2) ? rng_below(rng, 8) : 0; n > 0; n--)
        pieces_put(&pieces, (int)rng_below(rng, 64), (int)rng_below(rng, 2), (int)rng_below(rng, 5));
    return finished(&pieces, rng);
}

/* ---- Move lists -------------------------------------------------------------------------------------------------- */

enum { MAX_LIST = 256 };

/* The legal moves of the side to move, or of the other one if it could have the turn. */
static size_t moves_of(const seebatch_position *position, bool other_side, seebatch_move *moves)
{
    if (!other_side)
        return seebatch_legal_moves(position, moves);
    seebatch_position passed = *position;
    passed.stm ^= 1;
    passed.ep_square = SEEBATCH_NO_SQUARE;
    return seebatch_in_check(position) ? 0 : seebatch_legal_moves(&passed, moves);
}

static bool is_capture(const seebatch_position *position, seebatch_move move)
{
    return (seebatch_occupied(position) >> seebatch_to(move) & 1) ||
           (seebatch_type_on(position, seebatch_from(move)) == SEEBATCH_PAWN && ((move ^ move >> 6) & 7) != 0);
}

static void shuffle(seebatch_move *moves, size_t n, struct rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = rng_below(rng, (unsigned)i);
        seebatch_move swapped = moves[i - 1];
        moves[i - 1] = moves[j];
        moves[j] = swapped;
    }
}

/* Keeps the moves of one sort; returns how many. */
static size_t keep(const seebatch_position *position, seebatch_move *moves, size_t n, int focus, struct rng *rng)
{
    unsigned sort = rng_below(rng, 8);
    if (focus == SEEBATCH_NO_SQUARE && n > 0 && sort >= 6)
        focus = seebatch_to(moves[rng_below(rng, (unsigned)n)]);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool wanted = true;
        if (sort < 3)
            wanted = is_capture(position, moves[i]);
        else if (sort == 3)
            wanted = rng_one_in(rng, 8);
        else if (sort >= 5 && focus != SEEBATCH_NO_SQUARE)
            wanted = seebatch_to(moves[i]) == focus || rng_one_in(rng, 16);
        if (wanted)
            moves[kept++] = moves[i];
    }
    return kept;
}

static size_t draw_moves(const seebatch_position *position, bool pseudo_legal, int focus, seebatch_move *moves,
                         struct rng *rng)
{
    size_t n = pseudo_legal ? pseudo_legal_moves(position, moves) : moves_of(position, false, moves);
    if (!pseudo_legal && rng_one_in(rng, 2))
        n += moves_of(position, true, moves + n);
    n = keep(position, moves, n, focus, rng);
    if (rng_one_in(rng, 2))
        shuffle(moves, n, rng);
    if (n > 0 && n < MAX_LIST && rng_one_in(rng, 16)) { /* some of them again */
        for (size_t more = rng_below(rng, (unsigned)(MAX_LIST - n)) / 2; more > 0; more--, n++)
            moves[n] = moves[rng_below(rng, (unsigned)n)];
    }
    return n < MAX_LIST ? n : MAX_LIST;
}

bool piece_reaches(int type, int color, int from, int to)
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

unsigned reach_count(const seebatch_position *position, int from, int to)
{
    unsigned count = 0;
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(position, square), color = seebatch_color_on(position, square);
        count += type != SEEBATCH_NO_PIECE && square != from && piece_reaches(type, color, square, to);
    }
    return count;
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

void boards_fill_with(struct batch *batch, const struct filling *filling, uint64_t seed, uint64_t *passed_over)
{
    struct rng rng = rng_for(seed, "boards");
    struct walk walk;
    memset(&walk, 0, sizeof walk);
    seebatch_move moves[2 * SEEBATCH_MAX_MOVES];
    size_t enough = rng_one_in(&rng, 4) ? rng_below(&rng, 130) : 700;
    size_t n_positions = rng_one_in(&rng, 4) ? rng_below(&rng, 6) : 100;
    struct rng lengths = rng_for(seed, "long batches");
    if (rng_one_in(&lengths, 16)) { /* more than kernels take at once */
        enough = MAX_QUERIES - 2 * SEEBATCH_MAX_MOVES;
        n_positions = MAX_POSITIONS;
    }
    batch_clear(batch);
    while (batch->n_positions < n_positions && batch_count(batch) <= enough) {
        int focus = SEEBATCH_NO_SQUARE;
        seebatch_position position;
        switch (filling->kind) {
        case BOARDS_REAL: position = next_of_walk(&walk, filling->library, &rng); break;
        case BOARDS_RANDOM: position = random_board(&rng); break;
        default: position = pathological_board(&rng, &focus); break;
        }
        batch_add_position(batch, &position);
        if (rng_one_in(&rng, 8))
            continue; /* a position without moves */
        bool pseudo_legal = filling->pseudo_legal && rng_one_in(&rng, 3);
        size_t n = draw_moves(&position, pseudo_legal, focus, moves, &rng);
        for (size_t i = 0; i < n; i++) {
            if (filling->max_reach < NO_LIMIT &&
                reach_count(&position, seebatch_from(moves[i]), seebatch_to(moves[i])) > filling->max_reach)
                (*passed_over)++;
            else
                batch_add_move(batch, moves[i]);
        }
    }
}

void boards_fill(struct batch *batch, enum board_kind kind, const struct library *library, uint64_t seed,
                 unsigned max_reach, uint64_t *passed_over)
{
    const struct filling filling = {kind, library, false, max_reach};
    boards_fill_with(batch, &filling, seed, passed_over);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

bool library_read(struct library *library, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    bool good = file != NULL;
    for (unsigned number = 1; good && fgets(line, sizeof line, file); number++) {
        seebatch_error error = {"no memory for more positions"};
        if ((library->n & (library->n - 1)) == 0) /* full at each power of two */
            library->positions = realloc(library->positions, (2 * library->n + 1) * sizeof *library->positions);
        good = library->positions && seebatch_position_from_fen(line, strcspn(line, "\r\n"),
                                                                &library->positions[library->n], &error) == SEEBATCH_OK;
        library->n += good;
        if (!good)
            fprintf(stderr, "%s:%u: %s\n", path, number, error.text);
    }
    if (file == NULL)
        fprintf(stderr, "%s: cannot be opened: %s\n", path, strerror(errno));
    else
        fclose(file);
    return good;
}
