/* A stand-in for the headers of an engine like Alexandria: what docs/engine-recipes.md uses of them. */
#ifndef ALEXANDRIA_LIKE_H
#define ALEXANDRIA_LIKE_H

#include <cstdint>

using Bitboard = uint64_t;
using Move = uint32_t;
using Square = int;

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, EMPTY = 14 };
constexpr int PieceType[15] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 6, 6};

/* a8 = 0. Twelve bitboards, white's before black's, and an int for each square. */
struct BoardState {
    int pieces[64];
    Bitboard bitboards[12], occupancies[2], pinned[2];
};

struct Position {
    int side;
    BoardState board;
    const BoardState &state() const { return board; }
};

/* Moves: bits 0-5 from-square, 6-11 to-square, 12-15 what it is: castling 2 and 3, en passant 5, promotions 8 and more. */
inline Square From(Move move) { return int(move & 63); }
inline Square To(Move move) { return int(move >> 6 & 63); }
inline int getPromotedPiecetype(Move move) { return int(move >> 12 & 3) + 1; }
inline bool isPromo(Move move) { return move >> 15; }
inline bool isEnpassant(Move move) { return move >> 12 == 5; }
inline bool isCastle(Move move) { return move >> 12 == 2 || move >> 12 == 3; }

Bitboard getBishopAttacks(Square square, Bitboard occupied);
Bitboard getRookAttacks(Square square, Bitboard occupied);

#endif
