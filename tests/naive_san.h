/*
 * What a legal move is called in SAN, found the slow way: every square is tried for a rival, and the move is played on
 * a board of 64 characters to see check and mate. Shares nothing with src/.
 */
#ifndef SEEBATCH_NAIVE_SAN_H
#define SEEBATCH_NAIVE_SAN_H

#include "naive_moves.h"
#include "test_support.h"

static inline struct naive_board naive_board_of(const seebatch_position *position)
{
    char fen[SEEBATCH_FEN_SIZE];
    struct naive_board board = {.black = position->stm == SEEBATCH_BLACK, .ep_square = position->ep_square};
    int square = 56;
    seebatch_position_to_fen(position, fen);
    memset(board.square, '.', 64);
    for (const char *c = fen; *c != ' '; c++) {
        if (*c == '/')
            square -= 16;
        else if (*c >= '1' && *c <= '8')
            square += *c - '0';
        else
            board.square[square++] = *c;
    }
    board.rook[0] = position->castling_rook[position->stm][0];
    board.rook[1] = position->castling_rook[position->stm][1];
    return board;
}

/* Whether a king's move castles: two files, or onto a rook of his own. */
static inline bool naive_castles(const struct naive_board *board, int from, int to)
{
    char own_rook = board->black ? 'r' : 'R';
    return naive_is(board->square[from], 'k') && (abs(from % 8 - to % 8) > 1 || board->square[to] == own_rook);
}

static inline bool naive_is_capture(const struct naive_board *board, int from, int to)
{
    return board->square[to] != '.' || (naive_is(board->square[from], 'p') && from % 8 != to % 8);
}

static inline struct naive_board naive_played(const struct naive_board *board, int from, int to, char promotion)
{
    struct naive_board after = *board;
    char piece = board->square[from];
    int forward = board->black ? -8 : 8;
    after.square[from] = '.';
    if (naive_castles(board, from, to)) {
        bool kingside = to > from;
        after.square[board->rook[kingside ? 0 : 1]] = '.';
        after.square[from / 8 * 8 + (kingside ? 6 : 2)] = piece;
        after.square[from / 8 * 8 + (kingside ? 5 : 3)] = board->black ? 'r' : 'R';
    } else {
        if (naive_is(piece, 'p') && from % 8 != to % 8 && board->square[to] == '.')
            after.square[to - forward] = '.';
        after.square[to] = promotion == 0 ? piece : board->black ? (char)(promotion | 32) : promotion;
    }
    after.ep_square = naive_is(piece, 'p') && to - from == 2 * forward ? from + forward : 64;
    after.black = !board->black;
    after.rook[0] = after.rook[1] = 64; /* asked for mate alone, which castling does not avert */
    return after;
}

static inline bool naive_has_move(const struct naive_board *board)
{
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++)
            if (naive_legal(board, from, to))
                return true;
    return false;
}

/* Whether another piece of the same kind can go to the square, of those on the file (-1: any) and rank (-1: any). */
static inline bool naive_has_rival(const struct naive_board *board, int from, int to, int file, int rank)
{
    for (int s = 0; s < 64; s++)
        if (s != from && board->square[s] == board->square[from] && (file < 0 || s % 8 == file) &&
            (rank < 0 || s / 8 == rank) && naive_legal(board, s, to))
            return true;
    return false;
}

/* "", "b", "1" or "b1": the first in this order that leaves no rival. */
static inline void naive_origin(const struct naive_board *board, int from, int to, char *origin)
{
    char file[2] = {(char)('a' + from % 8), 0}, rank[2] = {(char)('1' + from / 8), 0};
    *origin = 0;
    if (!naive_has_rival(board, from, to, -1, -1))
        return;
    if (naive_has_rival(board, from, to, from % 8, -1) && !naive_has_rival(board, from, to, -1, from / 8)) {
        strcat(origin, rank);
        return;
    }
    strcat(origin, file);
    if (naive_has_rival(board, from, to, from % 8, -1))
        strcat(origin, rank);
}

static inline struct shown naive_san(const struct naive_board *board, int from, int to, char promotion)
{
    struct shown san;
    char piece = board->square[from], origin[4] = "", name[3] = {(char)('a' + to % 8), (char)('1' + to / 8), 0};
    const struct naive_board after = naive_played(board, from, to, promotion);
    bool pawn = naive_is(piece, 'p'), captures = naive_is_capture(board, from, to);
    if (!pawn)
        naive_origin(board, from, to, origin);
    else if (captures)
        snprintf(origin, sizeof origin, "%c", 'a' + from % 8);
    if (naive_castles(board, from, to))
        snprintf(san.text, sizeof san.text, "%s", to > from ? "O-O" : "O-O-O");
    else
        snprintf(san.text, sizeof san.text, "%s%s%s%s%s%s", pawn ? "" : (char[]){(char)(piece & ~32), 0}, origin,
                 captures ? "x" : "", name, promotion ? "=" : "", (char[]){promotion, 0});
    if (naive_attacked(after.square, naive_king(after.square, after.black), !after.black))
        strcat(san.text, naive_has_move(&after) ? "+" : "#");
    return san;
}

#endif
