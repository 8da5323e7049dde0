// What examples/nnue_pytorch.h uses of the chess.h of nnue-pytorch's loader, and moves of which the answer is plain.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace chess
{
enum struct Color : unsigned char { White, Black };
inline Color operator!(Color color) { return color == Color::White ? Color::Black : Color::White; }
enum struct PieceType : unsigned char { Pawn, Knight, Bishop, Rook, Queen, King, None };
enum struct MoveType : unsigned char { Normal, Promotion, Castle, EnPassant };
enum struct Square : unsigned char {};
inline int ordinal(Square square) { return static_cast<int>(square); }

enum struct CastlingRights : unsigned char { None = 0, WhiteKingSide = 1 };

struct Bitboard {
    unsigned long long set;
    unsigned long long bits() const { return set; }
    friend Bitboard operator|(Bitboard a, Bitboard b) { return {a.set | b.set}; }
};

struct Piece {
    PieceType kind = PieceType::None;
    Color side = Color::White;
    Piece() = default;
    Piece(PieceType type, Color color) : kind(type), side(color) {}
    static Piece none() { return {}; }
    PieceType type() const { return kind; }
    friend bool operator==(Piece a, Piece b) { return a.kind == b.kind && a.side == b.side; }
    friend bool operator!=(Piece a, Piece b) { return !(a == b); }
};

struct Move {
    Square from, to;
    MoveType type = MoveType::Normal;
    Piece promotedPiece = Piece::none();
};

struct Position {
    Piece pieces[64];
    Color side = Color::White;
    CastlingRights rights = CastlingRights::None;
    Square ep = static_cast<Square>(64);
    std::vector<Move> moves;

    Position(const char *fen, bool white) : side(white ? Color::White : Color::Black)
    {
        const char *const types = "pnbrqk";
        for (int rank = 7, file = 0; *fen; fen++) {
            if (*fen == '/')
                rank--, file = 0;
            else if (*fen <= '8')
                file += *fen - '0';
            else
                pieces[8 * rank + file++] = Piece(static_cast<PieceType>(std::strchr(types, *fen | 32) - types),
                                                  *fen & 32 ? Color::Black : Color::White);
        }
    }
    template <class Is> Bitboard those(Is is) const
    {
        Bitboard board{0};
        for (int square = 0; square < 64; square++)
            if (pieces[square].kind != PieceType::None && is(pieces[square]))
                board.set |= 1ull << square;
        return board;
    }
    Bitboard piecesBB(Piece piece) const
    {
        return those([&](Piece other) { return other == piece; });
    }
    Bitboard piecesBB(Color color) const
    {
        return those([&](Piece other) { return other.side == color; });
    }
    Piece pieceAt(Square square) const { return pieces[ordinal(square)]; }
    Color sideToMove() const { return side; }
    CastlingRights castlingRights() const { return rights; }
    Square epSquare() const { return ep; }
    int rule50Counter() const { return 0; }
    bool isPseudoLegalMoveLegal(Move move) const { return move.from != move.to; }
};

namespace movegen
{
template <class Function> void forEachPseudoLegalMove(const Position &position, Function &&function)
{
    for (const Move &move : position.moves)
        function(move);
}
} // namespace movegen
} // namespace chess

#include "seebatch_io.h"

#include "nnue_pytorch.h"

static int failures;

static void expect(const char *what, bool is, bool expected)
{
    if (is != expected) {
        std::printf("%s: %d, expected %d\n", what, is, expected);
        failures++;
    }
}

static chess::Move move_of(int from, int to, chess::MoveType type = chess::MoveType::Normal)
{
    return {static_cast<chess::Square>(from), static_cast<chess::Square>(to), type};
}

int main()
{
    using namespace chess;
    Position pawn_hangs("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3", true);
    expect("Rxe5 wins a pawn", seebatch_skip::is_good_capture(pawn_hangs, move_of(4, 36)), true);
    expect("Re4 captures nothing", seebatch_skip::is_good_capture(pawn_hangs, move_of(4, 28)), false);
    pawn_hangs.moves = {move_of(4, 28), move_of(4, 36)};
    expect("the pawn hangs", seebatch_skip::has_good_capture(pawn_hangs), true);
    pawn_hangs.moves = {move_of(4, 28)};
    expect("nothing is captured", seebatch_skip::has_good_capture(pawn_hangs), false);

    Position defended("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3", true);
    expect("Nxe5 loses material", seebatch_skip::is_good_capture(defended, move_of(19, 36)), false);
    expect("Nxe5 is a capture", seebatch_skip::is_capture(defended, move_of(19, 36)), true);
    defended.moves = {move_of(19, 36), move_of(12, 36)};
    expect("both lose", seebatch_skip::has_good_capture(defended), false);

    Position castles("4k3/8/8/8/3pP3/8/8/4K2R", true);
    expect("castling captures nothing", seebatch_skip::is_good_capture(castles, move_of(4, 7, MoveType::Castle)),
           false);
    Position passed("4k3/8/8/8/3pP3/8/8/4K2R", false);
    expect("en passant", seebatch_skip::is_good_capture(passed, move_of(27, 20, MoveType::EnPassant)), true);

    Position promotes("1r2k3/P7/8/8/8/8/8/4K3", true);
    Move queen = move_of(48, 57, MoveType::Promotion);
    queen.promotedPiece = Piece(PieceType::Queen, Color::White);
    expect("a promotion counts as 0, or as the rook", seebatch_skip::is_good_capture(promotes, queen), true);

    struct Entry {
        Position pos;
        Move move;
        short score;
        unsigned short ply;
        short result;
    };
    Entry entry = {pawn_hangs, move_of(4, 36), 90, 20, 1};
    const seebatch_skip::Conditions wins("capture >= 100 and score > 0 and result = 1-0 and ply = 20 and not in-check");
    expect("the conditions hold", wins.keeps(entry), true);
    entry.move = move_of(4, 28);
    expect("no capture is played", wins.keeps(entry), false);
    entry = {castles, move_of(4, 7, MoveType::Castle), 90, 0, 0};
    entry.pos.rights = CastlingRights::WhiteKingSide;
    expect("castling", seebatch_skip::Conditions("castling and castling-rights=K and result = 0.5").keeps(entry), true);
    entry = {passed, move_of(27, 20, MoveType::EnPassant), 90, 1, 1};
    entry.pos.ep = static_cast<Square>(20);
    expect("the scores of Black", seebatch_skip::Conditions("score = -90 and stm-score = 90").keeps(entry), true);
    expect("the results of Black", seebatch_skip::Conditions("result = 0-1 and en-passant").keeps(entry), true);
    try {
        seebatch_skip::Conditions("quiet and scroe < 100");
        expect("a mistake is refused", false, true);
    } catch (const std::invalid_argument &error) {
        expect("its place is shown", std::strstr(error.what(), "\n            ^~~~~") != nullptr, true);
    }
    return failures != 0;
}
