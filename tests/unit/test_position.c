/*
 * FEN and EPD in and out, and the soundness of positions.
 */
#include "fen_texts.h"
#include "test_support.h"

/* ---- What is read ----------------------------------------------------------------------------------------------- */

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
        int status = (int)seebatch_position_from_fen(bad[i].text, strlen(bad[i].text), &position, &error);
        if (status != bad[i].status || !strstr(error.text, bad[i].message))
            fail_msg("'%s': status %d, message '%s'; expected status %d, message with '%s'", bad[i].text, status,
                     status ? error.text : "", bad[i].status, bad[i].message);
        assert_sentence(error.text, bad[i].text);
        assert_true(same_position(&position, &before));
        assert_int_equal(seebatch_position_from_fen(bad[i].text, strlen(bad[i].text), &position, NULL), status);
    }
}

TEST(nul)
{
    static const char text[] = START " w KQkq - 0 1 id \"a\0b\";";
    seebatch_position position;
    seebatch_error error;
    assert_int_equal(seebatch_position_from_fen(text, sizeof text - 1, &position, &error), SEEBATCH_UNREADABLE);
    assert_non_null(strstr(error.text, "character 63 is a NUL"));
    assert_int_equal(seebatch_position_from_fen(text, strlen(START " w KQkq - 0 1"), &position, &error), SEEBATCH_OK);
    assert_int_equal(seebatch_position_from_fen(NULL, 0, &position, &error), SEEBATCH_UNREADABLE);
    static const char among_pieces[] = "4k3/8/8/8/8/8/8/4\0K2 w - -", among_rights[] = "4k3/8/8/8/8/8/8/4K3 w K\0 -";
    assert_int_equal(seebatch_position_from_fen(among_pieces, sizeof among_pieces - 1, &position, &error),
                     SEEBATCH_UNREADABLE);
    assert_non_null(strstr(error.text, "NUL"));
    assert_int_equal(seebatch_position_from_fen(among_rights, sizeof among_rights - 1, &position, &error),
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
        seebatch_status status = seebatch_position_from_fen(length ? copy : end, length, &position, &error);
        if (length < fourth)
            assert_int_equal(status, SEEBATCH_UNREADABLE);
        if (status == SEEBATCH_OK)
            assert_string_equal(error.text, "");
        else
            assert_sentence(error.text, text);
        if (length > strlen("r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6 12 345 ") && length < sizeof text - 1) {
            const bool whole = text[length - (text[length - 1] == ' ') - 1] == ';' && text[length - 2] != 'x';
            assert_int_equal(status, whole ? SEEBATCH_OK : SEEBATCH_UNREADABLE);
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
