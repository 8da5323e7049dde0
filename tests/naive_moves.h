/*
 * Legal moves the slow way: every pair of squares is tried on a board of 64 characters, by the rules as a person knows
 * them, and a move is legal if afterwards no enemy piece can go to the king's square. Shares nothing with src/.
 */
#ifndef SEEBATCH_NAIVE_MOVES_H
#define SEEBATCH_NAIVE_MOVES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct naive_board {
    char square[64]; /* 'P'..'K' white, 'p'..'k' black, '.' empty; a1 = 0 */
    bool black;      /* to move */
    int ep_square;   /* 64: none */
    int rook[2];     /* of the side to move, kingside and queenside; 64: no right */
};

static inline bool naive_is_black(char piece) { return piece >= 'a'; }
static inline bool naive_is(char piece, char letter) { return (piece | 32) == letter; }

/* Whether nothing stands between two squares in steps of (df, dr). */
static inline bool naive_clear(const char *square, int from, int to, int df, int dr)
{
    for (int s = from + df + 8 * dr; s != to; s += df + 8 * dr)
        if (square[s] != '.')
            return false;
    return true;
}

/* Whether the piece on a square attacks another. */
static inline bool naive_attacks(const char *square, int from, int to)
{
    char piece = square[from];
    int df = to % 8 - from % 8, dr = to / 8 - from / 8, f = abs(df), r = abs(dr);
    int forward = naive_is_black(piece) ? -1 : 1;
    bool straight = (f == 0) != (r == 0), diagonal = f == r && f > 0;
    switch (piece | 32) {
    case 'p': return f == 1 && dr == forward;
    case 'n': return (f == 1 && r == 2) || (f == 2 && r == 1);
    case 'k': return f <= 1 && r <= 1 && f + r > 0;
    case 'b': straight = false; break;
    case 'r': diagonal = false; break;
    case 'q': break;
    default: return false;
    }
    return (straight || diagonal) && naive_clear(square, from, to, (df > 0) - (df < 0), (dr > 0) - (dr < 0));
}

/* Whether a square is attacked by a side. */
static inline bool naive_attacked(const char *square, int target, bool by_black)
{
    for (int s = 0; s < 64; s++)
        if (square[s] != '.' && naive_is_black(square[s]) == by_black && naive_attacks(square, s, target))
            return true;
    return false;
}

static inline int naive_king(const char *square, bool black)
{
    return (int)((const char *)memchr(square, black ? 'k' : 'K', 64) - square);
}

static inline bool naive_legal_castling(const struct naive_board *board, int side)
{
    int king = naive_king(board->square, board->black), rook = board->rook[side];
    int king_to = king / 8 * 8 + (side ? 2 : 6), rook_to = king / 8 * 8 + (side ? 3 : 5);
    int low = king_to < king ? king_to : king, high = king_to < king ? king : king_to;
    char square[64];
    if (rook == 64)
        return false;
    for (int s = king / 8 * 8; s < king / 8 * 8 + 8; s++) {
        bool king_passes = s >= low && s <= high;
        bool rook_passes = (s >= rook && s <= rook_to) || (s <= rook && s >= rook_to);
        if ((king_passes || rook_passes) && s != king && s != rook && board->square[s] != '.')
            return false;
        if (king_passes && naive_attacked(board->square, s, !board->black))
            return false;
    }
    memcpy(square, board->square, 64);
    square[king] = square[rook] = '.';
    square[king_to] = board->square[king];
    square[rook_to] = board->square[rook];
    return !naive_attacked(square, king_to, !board->black);
}

/* Any move but castling; promotions are the caller's. */
static inline bool naive_legal(const struct naive_board *board, int from, int to)
{
    char piece = board->square[from], taken = board->square[to], square[64];
    int forward = board->black ? -8 : 8;
    bool en_passant = false, moves;

    if (piece == '.' || naive_is_black(piece) != board->black || from == to)
        return false;
    if (taken != '.' && naive_is_black(taken) == board->black)
        return false;
    moves = naive_attacks(board->square, from, to);
    if (naive_is(piece, 'p')) {
        bool one = to == from + forward && taken == '.';
        bool two = to == from + 2 * forward && from / 8 == (board->black ? 6 : 1) && taken == '.' &&
                   board->square[from + forward] == '.';
        en_passant = moves && taken == '.' && to == board->ep_square;
        moves = one || two || (moves && taken != '.') || en_passant;
    }
    if (!moves)
        return false;
    memcpy(square, board->square, 64);
    square[to] = piece;
    square[from] = '.';
    if (en_passant)
        square[to - forward] = '.';
    return !naive_attacked(square, naive_king(square, board->black), !board->black);
}

#endif
