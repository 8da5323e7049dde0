/*
 * The fast path through records of 32 bytes, where the processor has the instructions of AVX2 and BMI2: a board's codes become
 * sets of squares without a loop, and what seebatch_position_check() asks becomes a few words. Only records in the
 * usual form are taken: no en passant, rights to castle as in ordinary chess, no bits that mean nothing, and nothing
 * wrong. The others are left to the formats' own code.
 */
#include "chess/nibbles.h"
#include "packed_board.h"

#ifdef __x86_64__

/* Whether all codes after the n-th are 0. */
EACH_PROCESSOR bool ends_behind(const char *bytes, int n)
{
    const uint64_t low = get_64(bytes + 8), high = get_64(bytes + 16);
    return n < 16 ? (low >> 4 * n | high) == 0 : n == MOST_PACKED || (n < MOST_PACKED && high >> 4 * (n - 16) == 0);
}

EACH_PROCESSOR bool is_one(uint64_t set) { return set != 0 && (set & (set - 1)) == 0; }

/* Sets the rights to castle of rooks that have not moved; false if they or their kings are not at home. */
EACH_PROCESSOR bool take_usual_rights(seebatch_position *position, uint64_t unmoved, uint64_t kings)
{
    enum { E1 = 4, E8 = 60 };
    static const uint8_t corner[4] = {7, 0, 63, 56}; /* as castling_rook has them */
    uint8_t rights[4];
    bool home = true;
    for (int i = 0; i < 4; i++) {
        const uint64_t square = UINT64_C(1) << corner[i], of_color = i < 2 ? position->white : ~position->white;
        const bool right = (unmoved & of_color & square) != 0;
        rights[i] = right ? corner[i] : (uint8_t)SEEBATCH_NO_SQUARE;
        unmoved &= ~(right ? square : 0);
        home &= !right | ((kings & of_color & UINT64_C(1) << (i < 2 ? E1 : E8)) != 0);
    }
    memcpy(position->castling_rook, rights, sizeof rights);
    return unmoved == 0 && home;
}

/* Reads the board of a record; returns false if it is not one of those that this way takes. */
WITH_BITS EACH_PROCESSOR bool take_board(const char *bytes, seebatch_position *p, int stm, bool rights, enum means by)
{
    const uint64_t occupied = get_64(bytes);
    const uint64_t codes[2] = {get_64(bytes + 8), get_64(bytes + 16)};
    uint64_t bit[4];
    spread_nibbles(codes, occupied, bit, by);
    const uint64_t low = occupied & ~bit[2], high = bit[2], unmoved = high & bit[1] & ~bit[0];
    const uint64_t knights = low & ~bit[1] & bit[0], bishops = low & bit[1] & ~bit[0], pawns = low & ~(bit[1] | bit[0]),
                   queens = high & ~(bit[1] | bit[0]), kings = high & ~bit[1] & bit[0];
    *p = seebatch_position_empty(stm);
    p->plane[0] = knights | bishops | queens;
    p->plane[1] = (low & bit[1] & bit[0]) | unmoved | queens | kings;
    p->plane[2] = pawns | knights | kings;
    p->white = occupied & ~bit[3];
    const uint64_t own = stm == SEEBATCH_WHITE ? p->white : bit[3], enemy = occupied & ~own;
    if (!ends_behind(bytes, __builtin_popcountll(occupied)) || (high & bit[1] & bit[0]) || (unmoved && !rights) ||
        !is_one(kings & own) || !is_one(kings & enemy) || pawns & (SET_RANK_1 | SET_RANK_1 << 56))
        return false;
    const int king = __builtin_ctzll(kings & enemy);
    return !attackers_among(p->plane, own, stm, king, occupied, by) &&
           (unmoved == 0 || take_usual_rights(p, unmoved, kings));
}

WITH_BITS EACH_PROCESSOR bool take_bullet(const char *bytes, seebatch_position *p, struct record *record, enum means by)
{
    const uint64_t kings_and_rest = get_64(bytes + 24) >> 24; /* bytes 27 to 31 */
    if (!take_board(bytes, p, SEEBATCH_WHITE, false, by))
        return false;
    const uint64_t kings = p->plane[1] & p->plane[2];
    const unsigned own = (unsigned)__builtin_ctzll(kings & p->white),
                   other = (unsigned)__builtin_ctzll(kings & ~p->white);
    record->score = get_signed_16(bytes + 24);
    record->result = (uint8_t)bytes[26];
    return record->result <= RESULT_WHITE_WINS && kings_and_rest == (own | (other ^ 56) << 8);
}

WITH_BITS EACH_PROCESSOR bool take_marlin(const char *bytes, seebatch_position *p, struct record *record, enum means by)
{
    const unsigned side = (unsigned char)bytes[24];
    if ((side & 0x7f) != SEEBATCH_NO_SQUARE ||
        !take_board(bytes, p, side >> 7 ? SEEBATCH_BLACK : SEEBATCH_WHITE, true, by))
        return false;
    p->halfmove_clock = (unsigned char)bytes[25];
    p->fullmove_number = (uint16_t)get_16(bytes + 26);
    record->score = get_signed_16(bytes + 28);
    record->result = (uint8_t)bytes[30];
    return record->result <= RESULT_WHITE_WINS && bytes[31] == 0;
}

WITH_BITS EACH_PROCESSOR size_t take_packed(const struct cursor *cursor, struct record *records,
                                            seebatch_position *positions, size_t most, bool marlin, enum means by)
{
    const size_t there = (size_t)(cursor->end - cursor->at) / PACKED_SIZE;
    const char *at = cursor->at;
    size_t n = 0;
    most = there < most ? there : most;
    for (; n < most; n++, at += PACKED_SIZE) {
        struct record record = {.bytes = at,
                                .length = PACKED_SIZE,
                                .offset = (uint64_t)(at - cursor->block->in.data),
                                .line = cursor->line + n + 1,
                                .has = FIELD_SCORE | FIELD_RESULT};
        if (!(marlin ? take_marlin(at, &positions[n], &record, by) : take_bullet(at, &positions[n], &record, by)))
            break;
        records[n] = record;
    }
    return n;
}

WITH_BITS static size_t bullets_by_pdep(const struct cursor *cursor, struct record *records,
                                        seebatch_position *positions, size_t most)
{
    return take_packed(cursor, records, positions, most, false, BY_PDEP);
}

WITH_BITS static size_t bullets_by_vectors(const struct cursor *cursor, struct record *records,
                                           seebatch_position *positions, size_t most)
{
    return take_packed(cursor, records, positions, most, false, BY_VECTORS);
}

WITH_BITS static size_t marlins_by_pdep(const struct cursor *cursor, struct record *records,
                                        seebatch_position *positions, size_t most)
{
    return take_packed(cursor, records, positions, most, true, BY_PDEP);
}

WITH_BITS static size_t marlins_by_vectors(const struct cursor *cursor, struct record *records,
                                           seebatch_position *positions, size_t most)
{
    return take_packed(cursor, records, positions, most, true, BY_VECTORS);
}

fast_function *seebatch_io_fast_packed(bool marlin)
{
    return HAS_FAST_PDEP ? (marlin ? marlins_by_pdep : bullets_by_pdep)
           : HAS_BITS    ? (marlin ? marlins_by_vectors : bullets_by_vectors)
                         : NULL;
}

#else
fast_function *seebatch_io_fast_packed(bool marlin)
{
    (void)marlin;
    return NULL;
}
#endif
