/* A stand-in for the headers of an engine like Clockwork: what docs/engine-recipes.md uses of them, and a way to fill it. */
#ifndef CLOCKWORK_LIKE_H
#define CLOCKWORK_LIKE_H

#include <array>
#include <cstdint>
#include <optional>

using Value = int;

enum class Color { White, Black };
enum class PieceType : uint8_t { None, Pawn, Knight, Bishop, Rook, Queen, King };

struct Square {
    uint8_t raw;
};

/* Bits 0-3 the number of the piece, 4 its colour, 5-7 its type. */
struct Place {
    uint8_t raw;
    PieceType ptype() const { return PieceType(raw >> 5); }
};

struct Byteboard {
    std::array<Place, 64> mailbox;
    Place operator[](Square square) const { return mailbox[square.raw]; }
};

/* Bits 0-5 from-square, 6-11 to-square, 12-15 what it is: castling 1, en passant 6, promotions 8 and more. */
struct Move {
    uint16_t raw;
    Square from() const { return {uint8_t(raw & 63)}; }
    Square to() const { return {uint8_t(raw >> 6 & 63)}; }
    bool is_castle() const { return raw >> 12 == 1; }
    bool is_en_passant() const { return raw >> 12 == 6; }
    std::optional<PieceType> promo() const
    {
        return raw >> 15 ? std::optional<PieceType>(PieceType((raw >> 12 & 3) + 2)) : std::nullopt;
    }
};

class Position
{
  public:
    const Byteboard &board() const { return m_board; }
    Color active_color() const { return m_active_color; }

    Byteboard m_board{};
    Color m_active_color{};
};

#endif
