/* A stand-in for the headers of an engine like Stockfish: what docs/engine-recipes.md uses of them, and a way to fill it. */
#ifndef STOCKFISH_LIKE_H
#define STOCKFISH_LIKE_H

#include <cstdint>

extern "C" uint64_t seebatch_attacks(int type, int color, int square, uint64_t occupied);

using Bitboard = uint64_t;

enum Color { WHITE, BLACK };
enum Square : uint8_t {};
enum MoveType { NORMAL };
enum Piece : uint8_t { NO_PIECE, W_PAWN, B_PAWN = 9 };
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
    constexpr Square from_sq() const { return Square(data >> 6 & 63); }
    constexpr Square to_sq() const { return Square(data & 63); }
    constexpr MoveType type_of() const { return MoveType(data >> 14); }

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

inline PieceType type_of(Piece piece) { return PieceType(piece & 7); }

template <PieceType type> Bitboard attacks_bb(Square square, Bitboard occupied)
{
    return seebatch_attacks(type - 1, WHITE, square, occupied);
}

template <PieceType type> Bitboard attacks_bb(Square square, Color color = WHITE)
{
    return seebatch_attacks(type - 1, color, square, 0);
}

struct StateInfo {
    Bitboard blockersForKing[2], pinners[2]; /* pinners: of the pinning side */
};

class Position
{
  public:
    Bitboard pieces() const { return byColorBB[WHITE] | byColorBB[BLACK]; }
    Bitboard pieces(PieceType type) const { return byTypeBB[type]; }
    Bitboard pieces(Color color) const { return byColorBB[color]; }
    Piece piece_on(Square square) const { return board[square]; }
    Color side_to_move() const { return stm; }
    bool see_ge(Move m, int threshold = 0) const;

    Bitboard byTypeBB[PIECE_TYPE_NB], byColorBB[2];
    StateInfo st[1];
    Piece board[64];
    Color stm;
};

#endif
