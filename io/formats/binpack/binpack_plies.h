/*
 * The fast path through a chain's movetext, for one processor or another: binpack_plies.c has it twice.
 *
 * A ply's bits mean something only on the board that the ply before leaves, so a chain is one long chain of
 * instructions, too; and which piece moves cannot be guessed, so that branching on its type costs more than working out
 * where any type could go. So the only branches here are those that are nearly never taken. They lead to the slow path
 * (binpack_chain.c), which reads everything that is rare (castling, promotions, en passant, a chunk's last bytes) and
 * everything that is wrong. The fast path only takes what is right. Whether moves leave their king in check is asked of many
 * boards at once, where the processor is quick at that: from the first that does on, plies are given back.
 */
#ifndef SEEBATCH_BINPACK_PLIES_H
#define SEEBATCH_BINPACK_PLIES_H

#include "binpack.h"
#include "chess/movers.h"

/* Holds the rights to castle, apart from the rest, which stays in registers. */
struct rights {
    uint8_t rook[2][2];  /* as a seebatch_position's castling_rook */
    uint64_t squares[2]; /* of White's and Black's rooks with rights, and of their kings */
    int n[2];
};

static void count_rights(struct rights *rights)
{
    for (int color = 0; color < 2; color++) {
        rights->squares[color] = 0;
        rights->n[color] = 0;
        for (int side = 0; side < 2; side++) {
            const int rook = rights->rook[color][side];
            if (rook == SEEBATCH_NO_SQUARE)
                continue;
            rights->n[color]++;
            rights->squares[color] |= square_bb(rook) | square_bb(color == SEEBATCH_WHITE ? 4 : 60);
        }
    }
}

/* A king or a rook that moves loses rights; so does who loses a rook. */
static void lose_rights(struct rights *rights, uint64_t squares)
{
    for (int color = 0; color < 2; color++) {
        const bool king = squares & square_bb(color == SEEBATCH_WHITE ? 4 : 60) & rights->squares[color];
        for (int side = 0; side < 2; side++) {
            const int rook = rights->rook[color][side];
            if (rook != SEEBATCH_NO_SQUARE && (king || square_bb(rook) & squares))
                rights->rook[color][side] = SEEBATCH_NO_SQUARE;
        }
    }
    count_rights(rights);
}

/* What else of a chain changes from ply to ply. */
struct ply_state {
    uint64_t plane[3], own, enemy;
    uint64_t bit;
    int score;
    unsigned clock;
};

EACH_PROCESSOR struct ply_state first_state(const struct binpack_chain *chain)
{
    const seebatch_position *p = &chain->position;
    const struct ply_state state = {{p->plane[0], p->plane[1], p->plane[2]},
                                    seebatch_pieces_of_color(p, p->stm),
                                    seebatch_pieces_of_color(p, !p->stm),
                                    chain->bit,
                                    chain->score,
                                    p->halfmove_clock};
    return state;
}

EACH_PROCESSOR void put_position(seebatch_position *position, const struct ply_state *state,
                                 const struct rights *rights, int stm, unsigned ply)
{
    memcpy(position->plane, state->plane, sizeof position->plane);
    position->white = stm == SEEBATCH_WHITE ? state->own : state->enemy;
    position->stm = (uint8_t)stm;
    position->ep_square = SEEBATCH_NO_SQUARE;
    memcpy(position->castling_rook, rights->rook, sizeof rights->rook);
    position->shredder = position->reserved = 0;
    position->halfmove_clock = (uint16_t)state->clock;
    position->fullmove_number = (uint16_t)(ply / 2 + 1); /* no chain's ply is above 16383 + 65535 */
}

/* Pawns of a set next to a square on its rank. */
EACH_PROCESSOR uint64_t pawns_beside(const uint64_t plane[3], uint64_t set, uint64_t square)
{
    const uint64_t beside = (square & ~SET_FILE_A) >> 1 | (square & ~SET_FILE_H) << 1;
    return beside & set & plane[2] & ~(plane[0] | plane[1]);
}

/* Plays a move that is neither castling, promotion nor en passant; false if it captures a king, if a pawn may capture
 * en passant after it or, by loops, if it leaves its king in check. Then the board is lost. */
EACH_PROCESSOR bool play_plainly(struct ply_state *state, struct rights *rights, const struct mover *mover, int from,
                                 int to, int stm, enum means by)
{
    enum { TWO_STEPS = 16 }; /* from and to differ in this bit alone; of a pawn, only where it takes two */
    const uint64_t target = square_bb(to), from_to = square_bb(from) | target;
    const uint64_t resets = mover->as_pawn | (state->enemy & target);
    if (target & state->plane[1] & state->plane[2])
        return false;
    move_in_planes(state->plane, state->plane, mover, from_to, target);
    const uint64_t own = (state->own & ~from_to) | target, enemy = state->enemy & ~target;
    if (by == BY_LOOPS && attackers_among(state->plane, enemy, !stm,
                                          lowest_square(own & state->plane[1] & state->plane[2]), own | enemy, by))
        return false;
    if ((from ^ to) == TWO_STEPS && mover->as_pawn && pawns_beside(state->plane, enemy, target))
        return false;
    if (from_to & (rights->squares[0] | rights->squares[1]))
        lose_rights(rights, from_to);
    state->own = enemy;
    state->enemy = own;
    state->clock = (state->clock + 1) & (0 - (unsigned)(resets == 0));
    return true;
}

/* Takes the groups of a score off the top of the bits; false if there are too many. All but the last say that another
 * follows. */
EACH_PROCESSOR bool take_groups(uint64_t text, unsigned *value, int *used)
{
    enum { GROUP = 5 };
    const uint64_t last = ~text & UINT64_C(0x8421000000000000);
    if (last == 0)
        return false;
    const int before = __builtin_clzll(last); /* bits of the groups before the last: 0, 5, 10 or 15 */
    const unsigned all = (unsigned)(text >> 59 & 15) | (unsigned)(text >> 50 & 0xf0) | (unsigned)(text >> 41 & 0xf00) |
                         (unsigned)(text >> 32 & 0xf000);
    *value = all & ((16u << before * 52 / 64) - 1);
    *used = before + GROUP;
    return true;
}

/* Compilers make one load of it. */
EACH_PROCESSOR uint64_t load_big_endian(const unsigned char *at)
{
    return (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 | (uint64_t)at[3] << 32 |
           (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 | (uint64_t)at[6] << 8 | (uint64_t)at[7];
}

/* Takes a ply off the movetext and plays it; false if that is left to the slow path. The state is lost then. */
EACH_PROCESSOR bool take_ply(const unsigned char *movetext, struct ply_state *state, struct rights *rights,
                             seebatch_move *move, int stm, enum means by)
{
    const uint64_t text = load_big_endian(movetext + state->bit / 8) << state->bit % 8;
    const int n_pieces = binpack_count(state->own), piece_width = width_of(n_pieces, by);
    const int piece = (int)(text >> 1 >> (63 - piece_width));
    if (piece >= n_pieces)
        return false;
    const int from = nth_square(state->own, piece, by);
    const struct mover *const mover = mover_on(state->plane, from);
    const uint64_t targets = targets_of(mover, from, stm, state->own, state->own | state->enemy, state->enemy, by);
    const int n_targets = binpack_count(targets), n = n_targets + (rights->n[stm] & (int)mover->as_king);
    const int width = width_of(n, by), choice = (int)(text << piece_width >> 1 >> (63 - width));
    const uint64_t seventh = stm == SEEBATCH_WHITE ? SET_RANK_1 << 48 : SET_RANK_1 << 8;
    if ((unsigned)choice >= (unsigned)n_targets || (mover->as_pawn & square_bb(from) & seventh) ||
        state->clock == UINT16_MAX)
        return false;
    const int to = nth_square(targets, choice, by);
    unsigned value;
    int used;
    if (!take_groups(text << piece_width << width, &value, &used) ||
        !play_plainly(state, rights, mover, from, to, stm, by))
        return false;
    state->bit += (unsigned)(piece_width + width + used);
    state->score = (int16_t)(uint16_t)((value >> 1 ^ (0 - (value & 1))) - (unsigned)state->score);
    *move = seebatch_make_move(from, to, 0);
    return true;
}

/* Whether the sides that have moved are in check. */
static inline void find_checks_of_movers(seebatch_position *positions, size_t n, bool *checked)
{
    for (size_t i = 0; i < n; i++)
        positions[i].stm ^= 1;
    seebatch_batch_in_check(positions, n, checked, NULL);
    for (size_t i = 0; i < n; i++)
        positions[i].stm ^= 1;
}

/* How many of the moves on n positions, one after another, leave their kings in no check; then: the last one leads
 * there. It is put after them where there is room for more. */
static inline size_t count_legal(seebatch_position *positions, size_t n, size_t room, seebatch_position then)
{
    bool checked[BATCH_SIZE + 1];
    if (n < room)
        positions[n] = then;
    find_checks_of_movers(positions, n < room ? n + 1 : n, checked);
    if (n == room)
        find_checks_of_movers(&then, 1, checked + n);
    const bool *first = memchr(checked + 1, true, n);
    return first != NULL ? (size_t)(first - (checked + 1)) : n;
}

/* What a chain says after its first n plies, except for the board and the place. The number of the move is as the last
 * one leaves it, whatever the ply says. */
static inline void go_on_behind(struct binpack_chain *chain, const struct record *records,
                                const seebatch_position *positions, size_t n)
{
    chain->left -= (unsigned)n;
    chain->ply += (int)n;
    chain->result = n % 2 == 0 ? chain->result : -chain->result;
    if (n == 0)
        return;
    const seebatch_position *last = &positions[n - 1];
    chain->position.fullmove_number = (uint16_t)(last->fullmove_number + (last->stm == SEEBATCH_BLACK));
    chain->score = last->stm == SEEBATCH_WHITE ? records[n - 1].score : -records[n - 1].score;
}

/* What binpack_read_plies() does. */
EACH_PROCESSOR size_t read_plies(struct binpack_chain *chain, const char *begin, uint64_t line, struct record *records,
                                 seebatch_position *positions, size_t most, enum means by)
{
    const unsigned char *text = chain->text;
    const uint64_t last_byte = (uint64_t)(chain->end - text) - sizeof(uint64_t);
    const uint8_t result = (uint8_t)(RESULT_DRAW + (chain->position.stm == SEEBATCH_WHITE ? -1 : 1) * chain->result);
    const uint16_t number = chain->position.fullmove_number;
    struct ply_state state = first_state(chain);
    struct rights rights;
    const size_t room = most;
    size_t n = 0;
    int stm = chain->position.stm;
    bool well = true;
    if (chain->position.ep_square != SEEBATCH_NO_SQUARE || chain->end - text < (ptrdiff_t)sizeof(uint64_t))
        return 0;
    most = most < chain->left ? most : chain->left;
    memcpy(rights.rook, chain->position.castling_rook, sizeof rights.rook);
    count_rights(&rights);
    for (; n < most && state.bit / 8 <= last_byte; n++) {
        struct record *record = &records[n];
        const uint64_t bit = state.bit;
        record->bytes = (const char *)text + bit / 8;
        record->within = (uint32_t)(bit % 8);
        put_position(&positions[n], &state, &rights, stm, (unsigned)chain->ply + (unsigned)n + 1);
        well = stm == SEEBATCH_WHITE ? take_ply(text, &state, &rights, &record->move, SEEBATCH_WHITE, by)
                                     : take_ply(text, &state, &rights, &record->move, SEEBATCH_BLACK, by);
        if (!well)
            break;
        record->length = (size_t)((state.bit + 7) / 8 - bit / 8);
        record->fen = NULL;
        record->fen_length = 0;
        record->offset = (uint64_t)((const char *)text - begin) + bit / 8;
        record->line = line + n + 1;
        record->game = 0;
        record->has = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY;
        record->score = stm == SEEBATCH_WHITE ? state.score : -state.score;
        record->result = result;
        record->ply = chain->ply + (int)n + 1;
        stm = !stm;
    }
    if (well)
        put_position(&chain->position, &state, &rights, stm, 0);
    else
        chain->position = positions[n];
    const size_t legal = by != BY_LOOPS ? count_legal(positions, n, room, chain->position) : n;
    if (legal < n) {
        n = legal;
        well = false;
        chain->position = positions[n];
    }
    chain->position.fullmove_number = number;
    chain->bit = well ? state.bit : 8 * (uint64_t)(records[n].bytes - (const char *)text) + records[n].within;
    go_on_behind(chain, records, positions, n);
    return n;
}

#endif
