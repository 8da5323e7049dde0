/*
 * Keys and piece-square values are kept up to date by comparing the board before a move with the board after it: on the
 * two to four squares that differ, what stood there is taken out and what stands there now is put in. So captures, en
 * passant, promotions and castling need no code of their own.
 */
#include "board.h"
#include "evaluate.h"

static uint64_t key_of_piece[2][6][64];
static uint64_t key_of_right[2][2];
static uint64_t key_of_ep_file[8];
static uint64_t key_of_black;

/* A generator of random numbers (splitmix64), always with the same seed: searches can be repeated. */
static uint64_t next_random(void)
{
    static uint64_t state;
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void board_init(void)
{
    for (int color = 0; color < 2; color++) {
        for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++) {
            for (int square = 0; square < 64; square++)
                key_of_piece[color][type][square] = next_random();
        }
        for (int side = 0; side < 2; side++)
            key_of_right[color][side] = next_random();
    }
    for (int file = 0; file < 8; file++)
        key_of_ep_file[file] = next_random();
    key_of_black = next_random();
    evaluate_init();
}

/* Puts in (sign 1) or takes out (-1) what stands on a square of the position. */
static void count_square(struct board *board, const seebatch_position *position, int square, int sign)
{
    static const int phase_of[6] = {0, 1, 1, 2, 4, 0};
    const int type = seebatch_type_on(position, square);
    if (type == SEEBATCH_NO_PIECE)
        return;
    const int color = seebatch_color_on(position, square);
    board->key ^= key_of_piece[color][type][square];
    board->placement[MIDGAME] += sign * placement_of[color][type][square][MIDGAME];
    board->placement[ENDGAME] += sign * placement_of[color][type][square][ENDGAME];
    board->phase += sign * phase_of[type];
}

/* The part of the key that is not on the board. An en passant square counts only where a pawn stands to capture: two
 * positions are the same to the rules when the same moves are possible. */
static uint64_t key_of_state(const seebatch_position *p)
{
    uint64_t key = p->stm == SEEBATCH_BLACK ? key_of_black : 0;
    for (int color = 0; color < 2; color++) {
        for (int side = 0; side < 2; side++) {
            if (p->castling_rook[color][side] != SEEBATCH_NO_SQUARE)
                key ^= key_of_right[color][side];
        }
    }
    if (p->ep_square != SEEBATCH_NO_SQUARE) {
        const int file = p->ep_square & 7, pawn = p->stm == SEEBATCH_WHITE ? p->ep_square - 8 : p->ep_square + 8;
        const uint64_t beside = (file > 0 ? (uint64_t)1 << (pawn - 1) : 0) | (file < 7 ? (uint64_t)1 << (pawn + 1) : 0);
        if (beside & seebatch_pieces_of_type(p, SEEBATCH_PAWN) & seebatch_pieces_of_color(p, p->stm))
            key ^= key_of_ep_file[file];
    }
    return key;
}

void board_set(struct board *board, const seebatch_position *position)
{
    *board = (struct board){.position = *position, .key = key_of_state(position)};
    for (uint64_t squares = seebatch_occupied(position); squares; squares &= squares - 1)
        count_square(board, position, __builtin_ctzll(squares), 1);
}

void board_play(struct board *board, seebatch_move move)
{
    const seebatch_position before = board->position;
    seebatch_position *after = &board->position;
    seebatch_play(after, move);
    uint64_t changed = before.white ^ after->white;
    for (int plane = 0; plane < 3; plane++)
        changed |= before.plane[plane] ^ after->plane[plane];
    board->key ^= key_of_state(&before) ^ key_of_state(after);
    for (; changed; changed &= changed - 1) {
        const int square = __builtin_ctzll(changed);
        count_square(board, &before, square, -1);
        count_square(board, after, square, 1);
    }
}

void board_pass(struct board *board)
{
    board->key ^= key_of_state(&board->position);
    board->position.stm = !board->position.stm;
    board->position.ep_square = SEEBATCH_NO_SQUARE;
    board->position.halfmove_clock = 0; /* no position before a null move counts as repeated */
    board->key ^= key_of_state(&board->position);
}

bool board_has_pieces(const struct board *board)
{
    const seebatch_position *p = &board->position;
    return seebatch_pieces_of_color(p, p->stm) & ~seebatch_pieces_of_type(p, SEEBATCH_PAWN) &
           ~seebatch_pieces_of_type(p, SEEBATCH_KING);
}

bool board_is_dead(const struct board *board)
{
    return board->phase <= 1 && seebatch_pieces_of_type(&board->position, SEEBATCH_PAWN) == 0;
}
