/*
 * From an engine's own boards and moves to seebatch's: every way of filling a position gives the one that was read from
 * FEN, and every packing of moves gives the move.
 */
#include "test_support.h"

/* What the evaluation reads of a position, and who is to move. */
static void expect_board(const seebatch_position *expected, const seebatch_position *got, const char *where)
{
    if (memcmp(expected->plane, got->plane, sizeof got->plane) != 0 || expected->white != got->white ||
        expected->stm != got->stm)
        fail_msg("%s: %s was filled instead of %s", where, fen_of(got).text, fen_of(expected).text);
    assert_int_equal(got->ep_square, SEEBATCH_NO_SQUARE);
    for (int i = 0; i < 4; i++)
        assert_int_equal(got->castling_rook[i / 2][i % 2], SEEBATCH_NO_SQUARE);
}

/* The engine's codes of this test: empty 0, white 1 to 6, black 9 to 14, as Stockfish numbers pieces. */
static uint8_t piece_of_code[16];

/* A position, from its FEN's first field taken apart here, in every form. */
static void fill_in_every_way(const char *fen, const seebatch_position *expected, const char *where)
{
    static const char letters[] = "PNBRQKpnbrqk";
    uint64_t by_type[6] = {0}, by_color[2] = {0}, twelve[2][6] = {{0}};
    uint8_t type[64], color[64], code[64] = {0}, piece[64];
    char letter[64];
    const int stm = expected->stm;
    memset(piece_of_code, SEEBATCH_NO_PIECE, sizeof piece_of_code);
    for (int t = SEEBATCH_PAWN; t <= SEEBATCH_KING; t++)
        for (int c = SEEBATCH_WHITE; c <= SEEBATCH_BLACK; c++)
            piece_of_code[1 + t + 8 * c] = (uint8_t)SEEBATCH_PIECE(t, c);
    memset(type, SEEBATCH_NO_PIECE, sizeof type);
    memset(color, SEEBATCH_WHITE, sizeof color); /* of empty squares, to see that it does not matter */
    memset(letter, '.', sizeof letter);
    memset(piece, SEEBATCH_PIECE(SEEBATCH_NO_PIECE, SEEBATCH_BLACK), sizeof piece); /* nor does it here */
    for (int square = 56; *fen != ' '; fen++) {
        const char *found = strchr(letters, *fen);
        if (*fen == '/') {
            square -= 16;
        } else if (!found) {
            square += *fen - '0';
        } else {
            const int t = (int)(found - letters) % 6, c = (int)(found - letters) / 6;
            by_type[t] |= UINT64_C(1) << square;
            by_color[c] |= UINT64_C(1) << square;
            twelve[c][t] |= UINT64_C(1) << square;
            type[square] = (uint8_t)t;
            color[square] = (uint8_t)c;
            code[square] = (uint8_t)(1 + t + 8 * c);
            piece[square] = (uint8_t)SEEBATCH_PIECE(t, c);
            letter[square++] = *fen;
        }
    }
    const seebatch_position filled[] = {seebatch_position_from_bitboards(by_type, by_color, stm),
                                        seebatch_position_from_twelve(&twelve[0][0], stm),
                                        seebatch_position_from_arrays(type, color, stm),
                                        seebatch_position_from_codes(code, piece_of_code, stm),
                                        seebatch_position_from_letters(letter, stm),
                                        seebatch_position_from_pieces(piece, stm)};
    for (size_t i = 0; i < COUNT(filled); i++)
        expect_board(expected, &filled[i], where);
}

TEST(boards_of_games_are_filled)
{
    struct lines lines;
    for (open_lines(&lines, "data/games.fen"); next_line(&lines);) {
        const seebatch_position expected = position_of_fen(lines.text);
        fill_in_every_way(lines.text, &expected, lines.where);
    }
    assert_true(lines.number >= 1000);
}

TEST(an_empty_board_has_no_pieces)
{
    const seebatch_position p = seebatch_position_empty(SEEBATCH_BLACK);
    assert_int_equal(seebatch_occupied(&p), 0);
    assert_int_equal(p.white, 0);
    assert_int_equal(p.stm, SEEBATCH_BLACK);
}

/* Packings that engines use, written out from a move's parts. */
TEST(moves_are_unpacked)
{
    for (int from = 0; from < 64; from++) {
        for (int to = 0; to < 64; to++) {
            for (int promotion = 0; promotion <= SEEBATCH_QUEEN; promotion++) {
                const seebatch_move move = seebatch_make_move(from, to, promotion);
                const unsigned from_low = (unsigned)(from | to << 6), to_low = (unsigned)(to | from << 6);
                const unsigned piece = promotion ? (unsigned)(promotion - SEEBATCH_KNIGHT) : 0;
                assert_int_equal(seebatch_move_low_from(from_low | 0xabc000, promotion), move);
                assert_int_equal(seebatch_move_low_to(to_low | 0xabc000, promotion), move);
                assert_int_equal(seebatch_move_from_stockfish(to_low | piece << 12 | (promotion ? 1u << 14 : 0)), move);
                assert_int_equal(seebatch_move_from_ethereal(from_low | piece << 14 | (promotion ? 3u << 12 : 0)),
                                 move);
            }
            /* En passant and castling have flags of their own there, and are plain moves here. */
            const seebatch_move plain = seebatch_make_move(from, to, 0);
            for (unsigned flag = 2; flag <= 3; flag++)
                assert_int_equal(seebatch_move_from_stockfish((unsigned)(to | from << 6) | flag << 14), plain);
            for (unsigned flag = 1; flag <= 2; flag++)
                assert_int_equal(seebatch_move_from_ethereal((unsigned)(from | to << 6) | flag << 12), plain);
        }
    }
}

int main(void) { return run_all_tests(NULL); }
