/*
 * FEN and EPD in and out, and the soundness of positions.
 */
#include "test_support.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#define CASTLES "r3k2r/8/8/8/8/8/8/R3K2R"

/* ---- What is read ----------------------------------------------------------------------------------------------- */

/* Texts that are read, and the FEN that says the same in six fields. */
static const struct {
    const char *text, *fen;
} good[] = {
    {START " w KQkq - 0 1", START " w KQkq - 0 1"},
    {START " w KQkq -", START " w KQkq - 0 1"},
    {START " w KQkq - 7", START " w KQkq - 7 1"},
    {START " w KQkq - 65535 65535", START " w KQkq - 65535 65535"},
    {START " b KQkq - 0 0", START " b KQkq - 0 0"},
    {START " b qkQK - 00003 007", START " b KQkq - 3 7"},
    {START "  w \t KQkq -   0 1 \t ", START " w KQkq - 0 1"},
    /* EPD operations after four, five and six fields */
    {START " w KQkq - bm e4;", START " w KQkq - 0 1"},
    {START " w KQkq - bm e4; id \"a; b\"; c0 \"\";", START " w KQkq - 0 1"},
    {START " w KQkq - noop;", START " w KQkq - 0 1"},
    {START " w KQkq - 5 bm e4;", START " w KQkq - 5 1"},
    {START " w KQkq - 5 9 bm e4 d4 ;D1 20;  ", START " w KQkq - 5 9"},
    /* castling: the outermost rook, wherever the king stands; files; both mixed */
    {CASTLES " w HAha - 0 1", CASTLES " w HAha - 0 1"},
    {CASTLES " w Ka - 0 1", CASTLES " w Ha - 0 1"},
    {CASTLES " w Qk - 0 1", CASTLES " w Qk - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w KQ - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w KB - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w HB - 0 1"},
    {"4k3/8/8/8/8/8/8/RR1K2RR w GA - 0 1", "4k3/8/8/8/8/8/8/RR1K2RR w GA - 0 1"},
    {"1r1k1r1r/8/8/8/8/8/8/3K4 b kq - 0 1", "1r1k1r1r/8/8/8/8/8/8/3K4 b kq - 0 1"},
    {"rk6/8/8/8/8/8/8/6KR b Kq - 0 1", "rk6/8/8/8/8/8/8/6KR b Kq - 0 1"},
    /* en passant where nobody can capture, and for black */
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
    {"4k3/8/8/pP6/8/8/8/4K3 w - a6 0 9", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 9"},
    /* more pieces than a game allows */
    {"kqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/K7 w - - 0 1", "kqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/K7 w - - 0 1"},
    {"4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - -",
     "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1"},
};

TEST(good_texts)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        seebatch_position position = position_of_fen(good[i].text);
        if (strcmp(fen_of(&position).text, good[i].fen) != 0)
            fail_msg("'%s' became '%s', expected '%s'", good[i].text, fen_of(&position).text, good[i].fen);
    }
}

TEST(fields)
{
    seebatch_position p = position_of_fen("r3k2r/8/8/8/3pP3/8/8/R3K1RR b Kq e3 12 345");
    assert_int_equal(p.stm, SEEBATCH_BLACK);
    assert_int_equal(p.ep_square, 20);
    assert_int_equal(p.castling_rook[SEEBATCH_WHITE][0], 7);
    assert_int_equal(p.castling_rook[SEEBATCH_WHITE][1], SEEBATCH_NO_SQUARE);
    assert_int_equal(p.castling_rook[SEEBATCH_BLACK][0], SEEBATCH_NO_SQUARE);
    assert_int_equal(p.castling_rook[SEEBATCH_BLACK][1], 56);
    assert_int_equal(p.shredder, 0);
    assert_int_equal(p.halfmove_clock, 12);
    assert_int_equal(p.fullmove_number, 345);
    assert_int_equal(seebatch_type_on(&p, 4), SEEBATCH_KING);
    assert_int_equal(seebatch_color_on(&p, 4), SEEBATCH_WHITE);
    assert_int_equal(seebatch_type_on(&p, 27), SEEBATCH_PAWN);
    assert_int_equal(seebatch_color_on(&p, 27), SEEBATCH_BLACK);
    assert_int_equal(seebatch_type_on(&p, 20), SEEBATCH_NO_PIECE);
    /* K and Q are the outermost of two rooks; a file is the rook on it */
    p = position_of_fen("1rr1k1rr/8/8/8/8/8/8/RR1K1RR1 w KQkq - 0 1");
    assert_int_equal(p.castling_rook[SEEBATCH_WHITE][0], 6);
    assert_int_equal(p.castling_rook[SEEBATCH_WHITE][1], 0);
    assert_int_equal(p.castling_rook[SEEBATCH_BLACK][0], 63);
    assert_int_equal(p.castling_rook[SEEBATCH_BLACK][1], 57);
    p = position_of_fen("r3k2r/8/8/8/8/8/8/R3K1RR w Gq - 0 1");
    assert_int_equal(p.castling_rook[SEEBATCH_WHITE][0], 6);
    assert_int_equal(p.shredder, 1);
}

/* A right to an inner rook that is not marked as Shredder-FEN, as an engine may fill it or a game lead to it, is
 * written as a file, and so are the others: read and written again it is the same text. */
TEST(inner_rook)
{
    seebatch_position p = position_of_fen("4k3/8/8/8/8/8/8/R3K1RR w KQ - 0 1");
    p.castling_rook[SEEBATCH_WHITE][0] = 6;
    assert_int_equal(seebatch_position_check(&p, NULL), SEEBATCH_OK);
    assert_string_equal(fen_of(&p).text, "4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1");
    assert_int_equal(position_of_fen(fen_of(&p).text).castling_rook[SEEBATCH_WHITE][0], 6);

    p = position_of_fen("4k3/8/8/8/8/8/R7/qR2K2R w KQ - 3 21");
    seebatch_play(&p, seebatch_make_move(8, 0, 0));
    assert_string_equal(fen_of(&p).text, "4k3/8/8/8/8/8/8/RR2K2R b HB - 0 21");
    p = position_of_fen(fen_of(&p).text);
    assert_string_equal(fen_of(&p).text, "4k3/8/8/8/8/8/8/RR2K2R b HB - 0 21");
}

static void round_trip(const char *name, bool six_fields, int lines_expected)
{
    struct lines lines;
    for (open_lines(&lines, name); next_line(&lines);) {
        size_t length = strcspn(lines.text, ";");
        seebatch_position position = position_of(lines.text, length), back;
        struct shown fen = fen_of(&position);
        if (six_fields && (strlen(fen.text) != length || memcmp(fen.text, lines.text, length) != 0))
            fail_msg("%s: '%s' was written as '%s'", lines.where, lines.text, fen.text);
        back = position_of_fen(fen.text);
        if (!same_position(&back, &position))
            fail_msg("%s: '%s' reads as another position than was written", lines.where, fen.text);
    }
    assert_int_equal(lines.number, lines_expected);
}

TEST(round_trips)
{
    round_trip("data/games.fen", true, 2000);
    round_trip("data/random.fen", true, 2000);
    round_trip("data/perft/known.epd", true, 6);
    round_trip("data/perft/standard.epd", true, 342);
    round_trip("data/perft/chess960.epd", false, 97); /* a blank before ';' */
}

/* ---- What is refused -------------------------------------------------------------------------------------------- */

enum { R = SEEBATCH_UNREADABLE, U = SEEBATCH_UNSOUND };

static const struct {
    int status;
    const char *text, *message; /* message: a part of it */
} bad[] = {
    /* pieces */
    {R, "", "the text is empty"},
    {R, "   ", "begins with a blank"},
    {R, " " START " w - -", "begins with a blank"},
    {R, "w", "'w' have 1 rank, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "have 7 ranks, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "have 9 ranks, expected 8"},
    {R, START "/ w KQkq -", "have 9 ranks, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/54/PPPPPPPP/RNBQKBNR w KQkq -", "'4' in rank 3 follows another count"},
    {R, "rnbqkbnr/pppppppp/8/8/8/44/PPPPPPPP/RNBQKBNR w KQkq -", "'4' in rank 3 follows another count"},
    {R, "rnbqkbnr/pppppppp/8/8/8/5P3/PPPPPPPP/RNBQKBNR w KQkq -", "rank 3 has 9 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPPP/RNBQKBNR w KQkq -", "rank 2 has 9 squares, expected 8"},
    {R, "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 8 has 7 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8//8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 5 has 0 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/1/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "rank 5 has 1 square, expected 8"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR1 w KQkq -", "rank 1 has 9 squares, expected 8"},
    {R, "rnbqkbnr/pppppppp/88888888/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'8' in rank 6 follows another count"},
    {R, "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'x' in rank 7 is neither a piece nor"},
    {R, "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'9' in rank 6 is neither"},
    {R, "rnbqkbnr/pppppppp/08/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "'0' in rank 6 is neither"},
    {R, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN\xff w KQkq -", "'\\xff' in rank 1 is neither"},
    {R, "rnbqkbnr\\pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "have 7 ranks"},
    /* side to move */
    {R, START, "side to move is missing, expected 'w' or 'b'"},
    {R, START "  ", "side to move is missing"},
    {R, START " W KQkq - 0 1", "side to move is 'W', expected 'w' or 'b'"},
    {R, START " white KQkq - 0 1", "side to move is 'white'"},
    {R, START " - KQkq - 0 1", "side to move is '-'"},
    {R, START " KQkq - 0 1", "side to move is 'KQkq'"},
    /* castling, in form */
    {R, START " w", "castling rights are missing"},
    {R, START " w KQxq - 0 1", "'x' in the castling rights 'KQxq'"},
    {R, START " w KQkqK - 0 1", "castling right 'K' is given twice in 'KQkqK'"},
    {R, START " w HH - 0 1", "castling right 'H' is given twice"},
    {R, START " w K- - 0 1", "'-' in the castling rights 'K-'"},
    {R, START " w -K - 0 1", "'-' in the castling rights '-K'"},
    {R, START " w -- - 0 1", "'-' in the castling rights '--'"},
    {R, START " w KI - 0 1", "'I' in the castling rights 'KI'"},
    {R, START " w 0 - 0 1", "'0' in the castling rights '0'"},
    {R, START " w aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa - 0 1", "..."},
    /* castling, in place */
    {U, "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling right 'K', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling right 'Q', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/4K3/R6R w K - 0 1", "castling right 'K', expected a white king on rank"},
    {U, "4k3/8/8/8/8/8/8/R3K2r w K - 0 1", "and a white rook beside it towards the h-file"},
    {U, "4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "castling right 'k', expected a black king on rank"},
    {U, "r7/4k3/8/8/8/8/8/4K3 b q - 0 1", "castling right 'q', expected a black king on rank"},
    {U, CASTLES " w G - 0 1", "castling right 'G', expected a white king on rank 1 and a rook of its own on g1"},
    {U, CASTLES " w E - 0 1", "castling right 'E', expected a white king on rank 1 and a rook of its own on e1"},
    {U, CASTLES " w b - 0 1", "castling right 'b', expected a black king on rank 8 and a rook of its own on b8"},
    {U, CASTLES " w KH - 0 1", "castling right 'H' is white's second one on that side"},
    {U, "r3k1rr/8/8/8/8/8/8/4K3 w gh - 0 1", "castling right 'h' is black's second one on that side"},
    /* en passant */
    {R, START " w KQkq", "en passant square is missing"},
    {R, START " w KQkq e", "en passant square is 'e', expected '-' or a square"},
    {R, START " w KQkq e9 0 1", "en passant square is 'e9'"},
    {R, START " w KQkq i6 0 1", "en passant square is 'i6'"},
    {R, START " w KQkq E6 0 1", "en passant square is 'E6'"},
    {R, START " w KQkq e66 0 1", "en passant square is 'e66'"},
    {R, START " w KQkq 0 1", "en passant square is '0'"},
    {U, "4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", "e5 with white to move, expected one on rank 6"},
    {U, "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "e3 with white to move, expected one on rank 6"},
    {U, "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "e6 with black to move, expected one on rank 3"},
    {U, "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "e6 is occupied"},
    {U, "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "e6, but no black pawn can just have passed over it, expected one on e5"},
    {U, "4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "e6, but no black pawn can just have passed over it, expected one on e5"},
    {U, "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "e6, but no black pawn can just have passed over it, expected e7"},
    {U, "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "e3, but no white pawn can just have passed over it, expected e2"},
    /* clocks and operations */
    {R, START " w KQkq - 65536 1", "halfmove clock is '65536', expected a number from 0 to 65535"},
    {R, START " w KQkq - 99999999999999999999999 1", "halfmove clock is '99999999999999999999999'"},
    {R, START " w KQkq - 0 65536", "full-move number is '65536'"},
    {R, START " w KQkq - 1x 1", "halfmove clock is '1x'"},
    {R, START " w KQkq - 0 1.5", "full-move number is '1.5'"},
    {R, START " w KQkq - -1 1", "unexpected '-1 1' after the position"},
    {R, START " w KQkq - 0 -1", "unexpected '-1' after the position"},
    {R, START " w KQkq - 0 1 2", "unexpected '2' after the position"},
    {R, START " w KQkq - - 0 1", "unexpected '- 0 1' after the position"},
    {R, START " w KQkq - 0 1 e2e4", "unexpected 'e2e4' after the position, expected ';' at its end"},
    {R, START " w KQkq - bm e4; id \"x", "unexpected 'id \"x' after the position, expected '\";' at its end"},
    {R, START " w KQkq - bm e4; ; ", "unexpected '; ' after the position"},
    {R, START " w KQkq - ;D1 20", "unexpected ';D1 20' after the position"},
    {R, START " w KQkq - 0 1\n", "full-move number is '1\\x0a'"},
    {R, START " w KQkq - 0 1 \r", "unexpected '\\x0d'"},
    /* soundness of the board */
    {U, "8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings, expected exactly 1"},
    {U, "8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings, expected exactly 1"},
    {U, "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings, expected exactly 1"},
    {U, "kkkkkkkk/8/8/8/8/8/8/K7 w - - 0 1", "black has 8 kings, expected exactly 1"},
    {U, "4k3/8/8/8/8/8/8/K3K3 w K - 0 1", "white has 2 kings, expected exactly 1"},
    {U, "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "white pawn on h8, expected pawns on ranks 2 to 7"},
    {U, "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "black pawn on a1, expected pawns on ranks 2 to 7"},
    {U, "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "white pawn on a1"},
    {U, "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side not to move is in check: the black king on e8 is attacked from e1"},
    {U, "4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", "attacked from d6"},
    {U, "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "the white king on e1 is attacked from d2"},
    {U, "8/8/8/3kK3/8/8/8/8 w - - 0 1", "side not to move is in check"},
    {U, "4k3/8/8/7B/8/8/8/4K3 w - - 0 1", "attacked from h5"},
};

/* One sentence: printable, not cut off, without a full stop. */
static void assert_sentence(const char *text, const char *fen)
{
    size_t length = strlen(text);
    if (length < 20 || length >= sizeof((seebatch_error *)0)->text - 1 || (text[length - 1] == '.'))
        fail_msg("'%s' is refused with '%s', which is no sentence", fen, text);
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            fail_msg("'%s' is refused with '%s', which is not printable", fen, text);
}

TEST(bad_texts)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        seebatch_position position = position_of_fen(CASTLES " b Kq - 3 4"), before = position;
        seebatch_error error;
        memset(&error, 'x', sizeof error);
        int status = (int)seebatch_position_from_fen(&position, bad[i].text, strlen(bad[i].text), &error);
        if (status != bad[i].status || !strstr(error.text, bad[i].message))
            fail_msg("'%s': status %d, message '%s'; expected status %d, message with '%s'", bad[i].text, status,
                     status ? error.text : "", bad[i].status, bad[i].message);
        assert_sentence(error.text, bad[i].text);
        assert_true(same_position(&position, &before));
        assert_int_equal(seebatch_position_from_fen(&position, bad[i].text, strlen(bad[i].text), NULL), status);
    }
}

TEST(nul)
{
    static const char text[] = START " w KQkq - 0 1 id \"a\0b\";";
    seebatch_position position;
    seebatch_error error;
    assert_int_equal(seebatch_position_from_fen(&position, text, sizeof text - 1, &error), SEEBATCH_UNREADABLE);
    assert_non_null(strstr(error.text, "character 63 is a NUL"));
    assert_int_equal(seebatch_position_from_fen(&position, text, strlen(START " w KQkq - 0 1"), &error), SEEBATCH_OK);
    assert_int_equal(seebatch_position_from_fen(&position, NULL, 0, &error), SEEBATCH_UNREADABLE);
    static const char among_pieces[] = "4k3/8/8/8/8/8/8/4\0K2 w - -", among_rights[] = "4k3/8/8/8/8/8/8/4K3 w K\0 -";
    assert_int_equal(seebatch_position_from_fen(&position, among_pieces, sizeof among_pieces - 1, &error),
                     SEEBATCH_UNREADABLE);
    assert_non_null(strstr(error.text, "NUL"));
    assert_int_equal(seebatch_position_from_fen(&position, among_rights, sizeof among_rights - 1, &error),
                     SEEBATCH_UNREADABLE);
    assert_non_null(strstr(error.text, "NUL"));
}

/* Every beginning of a good text, in a block of exactly its size: a sanitizer or Valgrind sees any read past the end.
 */
TEST(truncation)
{
    static const char text[] = "r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6 12 345 bm e4; id \"x;y\";";
    const size_t fourth = strlen("r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6");
    for (size_t length = 0; length < sizeof text; length++) {
        char *copy = malloc(length ? length : 1), *end = copy + length;
        assert_non_null(copy);
        memcpy(copy, text, length);
        seebatch_position position;
        seebatch_error error = {{0}};
        seebatch_status status = seebatch_position_from_fen(&position, length ? copy : end, length, &error);
        if (length < fourth)
            assert_int_equal(status, SEEBATCH_UNREADABLE);
        if (status == SEEBATCH_OK)
            assert_string_equal(error.text, "");
        else
            assert_sentence(error.text, text);
        if (length >= strlen("r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6 12 345 ") && length < sizeof text - 1) {
            bool whole = length == strlen("r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6 12 345 ") || text[length - 1] == ';' ||
                         (text[length - 1] == ' ' && text[length - 2] == ';');
            bool in_string = text[length - 1] == ';' && text[length - 2] == 'x';
            assert_int_equal(status, whole && !in_string ? SEEBATCH_OK : SEEBATCH_UNREADABLE);
        }
        free(copy);
    }
}

/* ---- Positions that an engine filled ---------------------------------------------------------------------------- */

static void assert_unsound(const seebatch_position *position, const char *message)
{
    seebatch_error error = {{0}};
    seebatch_status status = seebatch_position_check(position, &error);
    if (status != SEEBATCH_UNSOUND || !strstr(error.text, message))
        fail_msg("status %d, message '%s'; expected unsound, message with '%s'", (int)status, error.text, message);
    assert_sentence(error.text, "a filled position");
    assert_int_equal(seebatch_position_check(position, NULL), SEEBATCH_UNSOUND);
}

TEST(filled_positions)
{
    const seebatch_position sound = position_of_fen(CASTLES " w KQkq - 0 1");
    const uint64_t d4 = UINT64_C(1) << 27;
    seebatch_position p = sound;
    p.plane[0] |= d4, p.plane[1] |= d4, p.plane[2] |= d4;
    assert_unsound(&p, "code 7 on d4");
    p = sound, p.white |= d4;
    assert_unsound(&p, "d4 is empty but marked as white");
    p = sound, p.stm = 2;
    assert_unsound(&p, "the side to move is 2, expected 0 (white) or 1 (black)");
    p = sound, p.shredder = 2;
    assert_unsound(&p, "shredder is 2");
    p = sound, p.reserved = 1;
    assert_unsound(&p, "reserved is 1");
    p = sound, p.ep_square = 65;
    assert_unsound(&p, "en passant square is 65, expected 0 to 63, or 64");
    p = sound, p.castling_rook[0][0] = 200;
    assert_unsound(&p, "white's kingside castling rook is on square 200");
    p = sound, p.castling_rook[0][0] = 63;
    assert_unsound(&p, "white may castle kingside with a rook on h8, but no white rook is there");
    p = sound, p.castling_rook[1][1] = 57;
    assert_unsound(&p, "black may castle queenside with a rook on b8, but no black rook is there");
    p = sound, p.castling_rook[0][1] = 7;
    assert_unsound(&p, "white may castle queenside with the rook on h1, expected it on the a-file's side");
    p = sound, p.castling_rook[1][0] = 56;
    assert_unsound(&p, "black may castle kingside with the rook on a8, expected it on the h-file's side");
    p = position_of_fen("r6r/4k3/8/8/8/8/8/4K3 w - - 0 1"), p.castling_rook[1][0] = 63;
    assert_unsound(&p, "black may castle kingside, but its king is on e7, expected on rank 8");
    assert_int_equal(seebatch_position_check(&sound, NULL), SEEBATCH_OK);
}

int main(void) { return run_all_tests(NULL); }
