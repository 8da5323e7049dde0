/* A stand-in for the headers of an engine like Stockfish: what docs/embedding.md uses of them, and a way to fill it. */
#ifndef STOCKFISH_LIKE_H
#define STOCKFISH_LIKE_H

#include <cstdint>

using Bitboard = uint64_t;

enum Color { WHITE, BLACK };
enum PieceType { ALL_PIECES, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPE_NB };

constexpr int PawnValue = 208, KnightValue = 781, BishopValue = 825, RookValue = 1276, QueenValue = 2538;
constexpr int MAX_MOVES = 256;

/* Bits 0-5 to-square, 6-11 from-square, 12-13 promotion piece, 14-15 promotion 1, en passant 2, castling 3. */
class Move
{
  public:
    Move() = default;
    constexpr explicit Move(uint16_t d) : data(d) {}
    constexpr uint16_t raw() const { return data; }

  private:
    uint16_t data = 0;
};

struct ExtMove : Move {
    int value = 0;
    ExtMove &operator=(Move m)
    {
        Move::operator=(m);
        return *this;
    }
};

class Position
{
  public:
    Bitboard pieces(PieceType type) const { return by_type[type]; }
    Bitboard pieces(Color color) const { return by_color[color]; }
    Bitboard blockers_for_king(Color color) const { return blockers[color]; }
    Bitboard pinners(Color color) const { return pinning[color]; } /* of the pinning side */
    Color side_to_move() const { return stm; }
    bool see_ge(Move m, int threshold = 0) const;

    Bitboard by_type[PIECE_TYPE_NB], by_color[2], blockers[2], pinning[2];
    Color stm;
};

#endif
