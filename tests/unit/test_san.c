/*
 * Moves in SAN: written and read again; by hand; read, in every way that is promised; and refused, with the reason.
 * (tool_moves holds what is written against a plain reimplementation in Python.)
 */
#include "test_support.h"

/* ---- Round trips ------------------------------------------------------------------------------------------------ */

/* Longer than needed: Ng1-f3, Ng1xf3, Ng1f3, e2e4; without the check; with remarks. */
static void check_long_forms(const seebatch_position *position, seebatch_move move, const char *san)
{
    char uci[6], text[32];
    const int type = seebatch_type_on(position, seebatch_from(move));
    const bool captures = is_capture(position, move);
    seebatch_move_to_uci(move, uci);
    const char signs[] = {captures ? 'x' : '-', 0};
    for (int sign = 0; sign < 2; sign++) {
        snprintf(text, sizeof text, "%c%.2s%s%.2s%s%s!?", "PNBRQK"[type], uci, signs + sign, uci + 2, uci[4] ? "=" : "",
                 (char[]){(char)(uci[4] & ~32), 0});
        expect_read(seebatch_move_from_san, position, text, move);
        if (type == SEEBATCH_PAWN)
            expect_read(seebatch_move_from_san, position, text + 1, move);
    }
    snprintf(text, sizeof text, "%.*s??", (int)strcspn(san, "+#"), san);
    expect_read(seebatch_move_from_san, position, text, move);
}

/* Writes and reads all moves of a position; each has its own text. */
static void check_position(const seebatch_position *position, const char *where)
{
    static struct shown text[SEEBATCH_MAX_MOVES];
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_moves(position, moves);
    for (size_t i = 0; i < n; i++) {
        char guarded[SEEBATCH_SAN_SIZE + 1];
        memset(guarded, '~', sizeof guarded);
        size_t length = seebatch_move_to_san(position, moves[i], guarded);
        strcpy(text[i].text, guarded);
        assert_int_equal(length, strlen(guarded));
        assert_int_equal(guarded[SEEBATCH_SAN_SIZE], '~');
        for (size_t k = 0; k < i; k++)
            if (strcmp(text[i].text, text[k].text) == 0)
                fail_msg("%s: %s: two moves are %s", where, fen_of(position).text, guarded);
        expect_read(seebatch_move_from_san, position, guarded, moves[i]);
        if (guarded[0] != 'O')
            check_long_forms(position, moves[i], guarded);

        expect_read(seebatch_move_from_text, position, guarded, moves[i]);
        expect_read(seebatch_move_from_text, position, uci_of(moves[i]).text, moves[i]);
        expect_read(seebatch_move_from_uci, position, uci_of(moves[i]).text, moves[i]);
    }
}

TEST(positions_of_files) { for_each_position(check_position); }

/* Games of random moves, each played as it was read from its SAN. */
TEST(random_play)
{
    static const char *const starts[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1", "4k3/PPP3PP/8/8/8/8/ppp3pp/4K3 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "6k1/8/1r1q1r2/8/1Q1Q1Q2/8/1N1N1N2/Q3K2Q w - - 0 1"};
    for (unsigned game = 0; game < 100; game++) {
        seebatch_position position = position_of_fen(starts[game % 5]);
        for (unsigned ply = 0; ply < 120; ply++) {
            seebatch_move moves[SEEBATCH_MAX_MOVES], move;
            char san[SEEBATCH_SAN_SIZE];
            size_t n = seebatch_legal_moves(&position, moves);
            if (n == 0)
                break;
            check_position(&position, "a random game");
            seebatch_move_to_san(&position, moves[random_below((unsigned)n)], san);
            assert_int_equal(seebatch_move_from_san(&position, san, strlen(san), &move, NULL), SEEBATCH_OK);
            seebatch_play(&position, move);
        }
    }
}

/* ---- By hand ---------------------------------------------------------------------------------------------------- */

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char promoting[] = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
static const char two_knights[] = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"; /* b1 and f3 both go to d2 */
static const char passing[] = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";

TEST(written)
{
    static const struct {
        const char *fen, *uci, *san;
    } cases[] = {
        {start, "e2e4", "e4"},
        {start, "g1f3", "Nf3"},
        {two_knights, "b1d2", "Nbd2"},
        {two_knights, "f3d2", "Nfd2"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},   /* the one on c3 is pinned */
        {"4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"},    /* the same without the pin */
        {"4k3/8/8/1N6/8/8/r1N1K3/8 w - - 0 1", "b5d4", "Nd4"},    /* nor can a piece pinned along a rank */
        {"7k/8/R7/8/8/8/R7/4K3 w - - 0 1", "a2a4", "R2a4"},       /* the same file: by rank */
        {"6k1/8/8/8/R6R/8/8/4K3 w - - 0 1", "a4d4", "Rad4"},      /* the same rank: by file */
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "h4e1", "Qh4e1+"},    /* three queens: file and rank */
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "e4e1", "Qee1+"},     /* and the others */
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "h1e1", "Q1e1+"},     /* no other on the first rank */
        {"k7/8/8/8/4q2Q/8/K7/4q2Q w - - 0 1", "h4e4", "Q4xe4+"},  /* h1 sees e4 as well, on the same file */
        {"7k/8/8/8/1N3N2/8/1N3N2/K7 w - - 0 1", "b4d3", "Nb4d3"}, /* four knights */
        {promoting, "a7a8q", "a8=Q"},
        {promoting, "a7b8q", "axb8=Q+"},
        {promoting, "a7b8n", "axb8=N"},
        {"4k3/P7/4K3/8/8/8/8/8 w - - 0 1", "a7a8q", "a8=Q#"}, /* mate by promotion */
        {"4k3/P7/4K3/8/8/8/8/8 w - - 0 1", "a7a8b", "a8=B"},
        {"3bk3/P2R4/4K3/8/8/8/8/8 w - - 0 1", "a7a8r", "a8=R"}, /* the bishop stands in between */
        {passing, "e5d6", "exd6"},                              /* en passant */
        {passing, "c5d6", "cxd6"},
        {"8/8/3k4/8/2pPp3/8/8/3RK3 b - d3 0 1", "e4d3", "exd3"},
        {"4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1", "e5d6", "exd6+"}, /* en passant uncovers the rook */
        {"6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7", "Nf7#"},    /* smothered */
        {"5rrk/6pB/8/6N1/8/8/8/K6R w - - 0 1", "h7d3", "Bd3#"},  /* discovered mate */
        {"5rrk/6pB/8/8/8/8/8/K6R w - - 0 1", "h7g8", "Bxg8+"},   /* discovered check: Kxg8 */
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},      /* the rook gives check from f1 */
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
        {"4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O#"}, /* mate by castling */
        {"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1g1", "O-O"},    /* Chess960: king takes rook */
        {"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1b1", "O-O-O"},
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O"}, /* king and rook change places */
        {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1"}, /* a step, not castling */
        {"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", "Kg6"}, /* stalemate has no mark */
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", "Qh4#"},
        {"4k3/8/8/8/8/4n3/3P4/2B1K3 w - - 0 1", "d2e3", "dxe3"},
        {"8/8/8/8/k1p4R/8/1P6/4K3 w - - 0 1", "b2b4", "b4"}, /* the king on a4 is not attacked by b4 ... */
        {"8/8/8/8/1R6/k7/p1p5/2K5 w - - 0 1", "b4b3", "Rb3+"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const seebatch_position position = position_of_fen(cases[i].fen);
        const seebatch_move move = move_of(&position, cases[i].uci);
        char san[SEEBATCH_SAN_SIZE];
        seebatch_move_to_san(&position, move, san);
        if (strcmp(san, cases[i].san) != 0)
            fail_msg("%s: %s is written %s, expected %s", cases[i].fen, cases[i].uci, san, cases[i].san);
        expect_read(seebatch_move_from_san, &position, san, move);
    }
}

/* Castling in either form is written the same. */
TEST(castling_in_both_forms)
{
    const seebatch_position position = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    static const int to[] = {6, 7, 2, 0};
    for (int i = 0; i < 4; i++) {
        char san[SEEBATCH_SAN_SIZE];
        seebatch_move_to_san(&position, seebatch_make_move(4, to[i], 0), san);
        assert_string_equal(san, i < 2 ? "O-O" : "O-O-O");
    }
}

TEST(read_in_many_ways)
{
    static const char castling[] = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    static const struct {
        const char *fen, *uci;
        const char *texts[16];
    } cases[] = {
        {start, "e2e4", {"e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "ee4", "2e4", "e4!", "e4?!", "e4+", "e4#", "e4++!!"}},
        {start, "g1f3", {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3??", "Nf3+?"}},
        {promoting, "a7a8q", {"a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8q", "a8=q", "a7a8q", "a7a8=Q", "a7-a8=Q+!", "Pa8=Q"}},
        {promoting, "a7b8n", {"axb8=N", "axb8N", "ab8=N", "ab8n", "a7xb8(N)", "a7b8n", "xb8=N", "b8=N"}},
        {promoting, "a7b8b", {"axb8=B", "axb8b", "a7b8b"}},
        {passing,
         "e5d6",
         {"exd6", "ed6", "exd6e.p.", "exd6 e.p.", "exd6ep", "exd6  ep", "exd6 e.p.+", "exd6+ e.p.", "e5xd6", "e5d6",
          "exd6 e.p.!?"}},
        {castling, "e1g1", {"O-O", "0-0", "O-O+", "O-O!", "0-0??"}},
        {castling, "e1c1", {"O-O-O", "0-0-0", "0-0-0#"}},
        {"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1g1", {"O-O", "0-0"}},
        {"4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", {"Nxd5", "Nd5", "Nexd5", "N3xd5", "Ne3xd5"}},
        {"4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "b2c3", {"bxc3", "bc3", "b2xc3"}}, /* and not the bishop */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const seebatch_position position = position_of_fen(cases[i].fen);
        const seebatch_move expected = move_of(&position, cases[i].uci);
        for (size_t k = 0; cases[i].texts[k]; k++)
            expect_read(seebatch_move_from_san, &position, cases[i].texts[k], expected);
    }
}

/* ---- Refused ---------------------------------------------------------------------------------------------------- */

enum { R = SEEBATCH_UNREADABLE, L = SEEBATCH_ILLEGAL, A = SEEBATCH_AMBIGUOUS };

TEST(bad_san)
{
    static const struct refused bad[] = {
        {start, "", R, "'' is not a move in SAN, expected one such as e4, exd5, Nf3, R1a3, e8=Q or O-O"},
        {start, "N", R, "'N' is not a move in SAN"},
        {start, "e9", R, "'e9' is not a move in SAN"},
        {start, "Nxf", R, "'Nxf' is not a move in SAN"},
        {start, "nf3", R, "'nf3' is not a move in SAN"},
        {start, "e4 ", R, "'e4 ' is not a move in SAN: expected nothing, or + or #, in place of ' '"},
        {start, "e4\n", R, "in place of '\\x0a'"},
        {start, "e4#+", R, "in place of '+'"},
        {start, "e4!!!", R, "in place of '!'"},
        {start, "e4e5e6", R, "in place of 'e6'"},
        {start, "O-O-O-O", R, "in place of '-O'"},
        {start, "--", R, "'--' is not a move in SAN"},
        {promoting, "a8=", R, "'a8=' is not a move in SAN: expected Q, R, B or N for the piece that the pawn becomes"},
        {promoting, "a8=K", R, "expected Q, R, B or N for the piece that the pawn becomes, as in e8=Q"},
        {promoting, "a8(Q", R, "expected Q, R, B or N for the piece that the pawn becomes"},
        {start, "e5", L, "'e5' is not a legal move here, expected one of "}, /* pawn moves */
        {start, "Nd5", L, "'Nd5' is not a legal move here, expected one of Na3, Nc3, Nf3, Nh3"},
        {start, "N3f3", L, "'N3f3' is not a legal move here, expected Nf3"},
        {start, "Nxf3", L, "'Nxf3' is not a legal move here, expected Nf3"}, /* there is nothing to capture */
        {start, "e4e.p.", L, "expected e4"},
        {start, "Qd3", L, "no queen can move, expected one of the 20 legal moves"},
        {start, "O-O", L, "'O-O' is not a legal move here: the king cannot castle, expected one of the 20 legal moves"},
        {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O", L, "'O-O' is not a legal move here, expected O-O-O"},
        {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Kc1", L, "'Kc1' is not a legal move here, expected O-O-O"},
        {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ke1c1", L, "expected O-O-O"},
        {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Kxa1", L, "expected one of "},
        {promoting, "a8", L, "'a8' is not a legal move here, expected one of "},
        {promoting, "axb8", L, "axb8=Q+"},
        {promoting, "exd6", L, "'exd6' is not a legal move here, expected one of "},
        {passing, "d6", A, "'d6' can be 2 moves here, expected "},
        {two_knights, "Nd2", A, "'Nd2' can be 2 moves here, expected "},
        {two_knights, "Nd2", A, "Nbd2"},
        {two_knights, "Nd2", A, " or "},
        {two_knights, "Nd2", A, "Nfd2"},
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "Qe1", A, "'Qe1' can be 3 moves here, expected one of "},
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "Qhe1", A, "'Qhe1' can be 2 moves here, expected "},
        {"8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1", "Q4e1", A, "Qh4e1+"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nd5", L, "'Nd5' is not a legal move here, expected "}, /* pinned */
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Kg8", L, "the side to move is checkmated and has none"},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", L, "the side to move is stalemated and has none"},
        {"7k/8/8/8/8/8/1r6/K1r5 w - - 0 1", "e4", L,
         "no pawn can move (the king is in check), expected the 1 legal move"},
        {"7k/8/8/8/8/8/1r6/K1r5 w - - 0 1", "O-O", L, "the king cannot castle, expected the 1 legal move"},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e1", L, "expected a3 or a4"}, /* where no pawn comes from below */
        {"4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "Kf1", L, "expected one of Kd2, Ke2, Kf2"}, /* not along the rook's line */
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "Kd2=Q", L, "'Kd2=Q' is not a legal move here, expected Kd2"},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5 e.p.", L, "is not a legal move here, expected exd5"},
        {"4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "e8", L, "expected "},
    };
    expect_refused(seebatch_move_from_san, bad, COUNT(bad));
}

TEST(bad_text)
{
    static const struct refused bad[] = {
        {start, "zz", R, "'zz' is not a move, expected UCI such as e2e4 or e7e8q, or SAN such as e4, exd5, Nf3"},
        {start, "", R, "'' is not a move"},
        {start, "e2e9", R, "'e2e9' is not a move"},
        {start, "e2e5", L, "'e2e5' is not a legal move here, expected one of the 20 legal moves"},
        {start, "Nd5", L, "'Nd5' is not a legal move here, expected one of Na3, Nc3, Nf3, Nh3"},
        {two_knights, "Nd2", A, "'Nd2' can be 2 moves here"},
        {promoting, "a7a8", L, "the pawn promotes, expected a7a8n, b, r or q"},
    };
    expect_refused(seebatch_move_from_text, bad, COUNT(bad));
}

int main(void) { return run_all_tests(NULL); }
