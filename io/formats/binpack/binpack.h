/*
 * Declares what the reader (binpack.c) and the writer (binpack_write.c) of Stockfish's binpack share.
 *
 * A file is chunks, one after another: "BINP", the length of what follows (32 bits, little endian), and that many
 * bytes of chains. A chain is a stem, 32 bytes with a position, its move, score, ply and result; the number of
 * positions that follow it in the game (16 bits, big endian); and for each of these some bits, highest first: which of
 * the pieces moves, which of its destinations it goes to, and how far the score is from the last one's. docs/formats.md
 * has every byte.
 *
 * How many bits a move takes depends on how many pieces there are and where they can go, pins and checks left aside. So
 * reader and writer must agree on every position to the last en passant square, which this format keeps only where some
 * pawn may really capture on it.
 */
#ifndef SEEBATCH_IO_BINPACK_H
#define SEEBATCH_IO_BINPACK_H

#include "chess/squares.h"
#include "formats/format.h"

enum {
    BINPACK_CHUNK = 8,           /* bytes before a chunk's chains */
    BINPACK_STEM = 34,           /* bytes of a chain before its movetext, the count included */
    BINPACK_LONGEST = 100 << 20, /* bytes of chains in a chunk; Stockfish's own reader refuses more, too */
    BINPACK_MOST_PIECES = 32,
    BINPACK_MOST_PLY = (1 << 14) - 1, /* of a stem */
    BINPACK_MOST_PLIES = UINT16_MAX,  /* in a chain after its stem */
    BINPACK_MOST_BITS = 32            /* that one position of the movetext takes, or fewer */
};

/* What a nibble of the stem can say besides a piece and its colour. */
enum {
    BINPACK_EP_PAWN = 12,       /* a pawn that can be captured en passant */
    BINPACK_WHITE_CASTLES = 13, /* a rook with which its king may castle */
    BINPACK_BLACK_CASTLES = 14,
    BINPACK_BLACK_TO_MOVE = 15 /* Black's king, and Black is to move */
};
enum { BINPACK_NORMAL, BINPACK_PROMOTION, BINPACK_CASTLING, BINPACK_EN_PASSANT }; /* types of moves in a stem */

/* Returns how many bits tell one of n apart from the others. */
static inline int binpack_width(int n) { return n > 1 ? 32 - __builtin_clz((unsigned)n - 1) : 0; }

static inline int binpack_count(uint64_t set) { return __builtin_popcountll(set); }

/* 0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ..., and back. */
static inline uint16_t binpack_zigzag(int value) { return (uint16_t)((unsigned)value << 1 ^ (0u - (value < 0))); }
static inline int16_t binpack_unzigzag(unsigned value)
{
    return (int16_t)(value & 1 ? -(int)(value >> 1) - 1 : (int)(value >> 1));
}

/* Plays a legal move as this format does. */
static inline void binpack_play(seebatch_position *position, seebatch_move move)
{
    seebatch_play(position, move);
    if (position->ep_square != SEEBATCH_NO_SQUARE && !can_capture_en_passant(position))
        position->ep_square = SEEBATCH_NO_SQUARE;
}

/* Whether all rights to castle are those of ordinary chess, the only ones that there is a place for. */
static inline bool binpack_castles_as_usual(const seebatch_position *position)
{
    for (int i = 0; i < 4; i++) {
        const int color = i / 2, side = i % 2, rook = position->castling_rook[color][side];
        const int home = color == SEEBATCH_WHITE ? 0 : 56;
        if (rook != SEEBATCH_NO_SQUARE &&
            (rook != home + (side == KINGSIDE ? 7 : 0) || king_square(position, color) != home + 4))
            return false;
    }
    return true;
}

/* ---- Reading a chain (binpack_chain.c) --------------------------------------------------------------------------- */

struct binpack_chain {
    unsigned left;              /* positions of it that are still to come */
    const unsigned char *text;  /* its movetext, */
    const unsigned char *end;   /* the end of the bytes that there are, */
    uint64_t bit;               /* and where in the movetext the next position begins */
    seebatch_position position; /* after the last move: the code that returns a position plays it */
    int score, result, ply;     /* of the last position, from its side's point of view */
};

/* Begins a chain with the BINPACK_STEM bytes of its stem, and fills record and position. False, and *error, if they are
 * wrong; chain->left is right all the same. */
bool seebatch_io_binpack_read_stem(struct binpack_chain *chain, const unsigned char *stem, struct record *record,
                                   seebatch_position *position, seebatch_error *error);

/* Reads the next position of a chain. Returns false, and sets *error, if something is wrong with it; error->text is
 * empty if the bytes end before it does. */
bool seebatch_io_binpack_read_ply(struct binpack_chain *chain, struct record *record, seebatch_position *position,
                                  seebatch_error *error);

/* Takes positions of a chain as long as they are usual ones and there is room for them (binpack_plies.c); returns how
 * many. begin: of the block; line: of the last record. 0 says nothing about the next position, but that
 * binpack_read_ply() has to take it. Afterwards chain->position is where the chain goes on. */
size_t seebatch_io_binpack_read_plies(struct binpack_chain *chain, const char *begin, uint64_t line,
                                      struct record *records, seebatch_position *positions, size_t most);

/* ---- Writing (binpack_write.c) ----------------------------------------------------------------------------------- */

/* What the writer keeps of a block. */
struct binpack_writer {
    uint64_t source_chunk;      /* the chunk of the input that the last record comes from, if that is a binpack */
    bool from_games;            /* the input is PGN: plies of a game follow each other as they are numbered */
    bool in_chunk;              /* a chunk is begun, to which chains are added */
    bool goes_on;               /* the last position has a move, which another may follow */
    size_t chunk;               /* where in the output it begins, */
    size_t count;               /* and where the number of positions of its last chain stands */
    unsigned n;                 /* that number */
    int free_bits;              /* of the last byte of the output */
    seebatch_position position; /* the last one, */
    seebatch_position without;  /* a copy of one, without an en passant square that says nothing */
    seebatch_move move;         /* its move, */
    uint32_t game;              /* its game, of games in text, */
    int score, result, ply;     /* and what else is said of it, from its side's point of view */
};

/* Appends n records; returns how many. If they are fewer, *why says why binpack has no place for the next one, of which
 * nothing was written. */
size_t seebatch_io_binpack_write_records(struct bytes *out, struct binpack_writer *writer, const struct record *records,
                                         const seebatch_position *positions, size_t n, const char **why);

#endif
