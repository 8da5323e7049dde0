/*
 * Moves: what the generators of the library say of one another on real and on pathological boards, played, and in UCI
 * notation. (test_perft holds them against published counts, tool_moves against a plain generator in Python.)
 */
#include "board/position.h"
#include "differential/boards.h"
#include "test_support.h"

/* ---- Generated -------------------------------------------------------------------------------------------------- */

/* A move alone is found to be legal just where it is among all, but for castling and en passant. */
static void check_plainly_legal(const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    static bool legal[1 << 15], any[1 << 16];
    memset(legal, 0, sizeof legal);
    memset(any, 0, sizeof any);
    for (size_t i = 0; i < n; i++) {
        const int from = seebatch_from(moves[i]), to = seebatch_to(moves[i]), type = seebatch_type_on(position, from);
        const bool castles = type == SEEBATCH_KING && (abs((from & 7) - (to & 7)) > 1 ||
                                                       pieces_of(position, position->stm, SEEBATCH_ROOK) >> to & 1);
        const bool en_passant = type == SEEBATCH_PAWN && to == position->ep_square && is_capture(position, moves[i]);
        legal[moves[i]] = !castles && !en_passant;
        any[moves[i]] = true;
    }
    for (unsigned move = 0; move < 1 << 16; move++)
        if (seebatch_is_legal(position, (seebatch_move)move) != any[move])
            fail_msg("%s: %s, bits 12-15 %u, is%s legal", fen_of(position).text,
                     uci_of((seebatch_move)(move & 0xfff)).text, move >> 12, any[move] ? "" : " not");
    for (unsigned move = 0; move < 1 << 15; move++)
        if (seebatch_plainly_legal(position, (seebatch_move)move) != legal[move])
            fail_msg("%s: %s with promotion %d is%s plainly legal", fen_of(position).text,
                     uci_of((seebatch_move)(move & 0xfff)).text, (int)move >> 12, legal[move] ? " not" : "");
}

/* Who attacks a square, against what each piece attacks; and the king of the side to move, against check. */
static void check_attacks(const seebatch_position *position)
{
    const uint64_t occupied = seebatch_occupied(position);
    for (int square = 0; square < 64; square++)
        for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
            const uint64_t attackers = seebatch_attackers(position, square, color, occupied);
            if (square == king_square(position, !color) && color != position->stm)
                assert_int_equal(attackers != 0, seebatch_in_check(position));
            for (int from = 0; from < 64; from++) {
                const int type = seebatch_type_on(position, from);
                const bool attacks = type != SEEBATCH_NO_PIECE && seebatch_color_on(position, from) == color &&
                                     seebatch_attacks(type, color, from, occupied) >> square & 1;
                assert_int_equal(attackers >> from & 1, attacks);
            }
        }
}

static size_t check_moves(const seebatch_position *position)
{
    static int calls;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(position, moves);
    if (++calls % 8 == 0) { /* it takes its time */
        check_plainly_legal(position, moves, n);
        check_attacks(position);
    }
    check_captures(position, moves, n);
    return n;
}

TEST(random_boards)
{
    static struct batch batch;
    unsigned sound = 0, en_passant = 0, castling = 0;
    uint64_t passed_over = 0;
    for (uint64_t seed = 0; sound < 20000 / SHARE; seed++) {
        boards_fill(&batch, seed % 2 ? BOARDS_RANDOM : BOARDS_PATHOLOGICAL, NULL, seed, NO_LIMIT, &passed_over);
        for (size_t i = 0; i < batch.n_positions; i++) {
            const seebatch_position *position = &batch.positions[i];
            if (seebatch_position_check(position, NULL) != SEEBATCH_OK)
                continue;
            check_moves(position);
            sound++;
            en_passant += position->ep_square != SEEBATCH_NO_SQUARE;
            castling += (position->castling_rook[position->stm][0] & position->castling_rook[position->stm][1]) < 64;
        }
    }
    print_message("%u boards, %u with en passant, %u with castling rights\n", sound, en_passant, castling);
    assert_true(en_passant > 500 / SHARE && castling > 500 / SHARE);
}

static void check_position(const seebatch_position *position, const char *where)
{
    (void)where;
    check_moves(position);
}

TEST(positions_of_files) { for_each_position(check_position); }

/* Positions picked for what they hold, and the number of their moves, counted by hand or well known. */
TEST(picked_positions)
{
    static const struct {
        const char *fen;
        size_t moves;
    } picked[] = {
        {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218}, /* the most that a game can reach */
        {"8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", 6},  /* en passant would open the rank: 5 of the king, e6 */
        {"8/8/8/K2pP3/8/8/8/7k w - d6 0 1", 7},   /* the same without the rook */
        {"b6k/8/8/3pP3/8/8/8/7K w - d6 0 1", 4},  /* en passant would open the diagonal: 3 of the king, e6 */
        {"7k/8/8/3pP3/8/8/8/7K w - d6 0 1", 5},   /* the same without the bishop */
        {"7k/8/8/3pP3/8/2K5/8/b7 w - d6 0 1", 5}, /* check: the king's moves alone, none along the diagonal */
        {"k7/8/8/3pP3/4K3/8/8/8 w - d6 0 1", 8},  /* a pawn that gives check is captured en passant, or by the king */
        {"7k/8/8/8/8/8/1r6/K1r5 w - - 0 1", 1},   /* double check: Kxb2 */
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0},    /* stalemate */
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0},    /* checkmate */
    };
    for (size_t i = 0; i < COUNT(picked); i++) {
        seebatch_position position = position_of_fen(picked[i].fen);
        size_t n = check_moves(&position);
        if (n != picked[i].moves)
            fail_msg("%s has %zu moves, expected %zu", picked[i].fen, n, picked[i].moves);
    }
}

/* ---- Playing ---------------------------------------------------------------------------------------------------- */

TEST(played)
{
    static const struct {
        const char *before, *move, *after;
    } games[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "g8f6",
         "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"},
        {"4k3/p7/8/1P6/8/8/8/4K3 b - - 5 9", "a7a5", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 10"},
        {"4k3/8/8/pP6/8/8/8/4K3 w - a6 0 10", "b5a6", "4k3/8/P7/8/8/8/8/4K3 b - - 0 10"},
        {"4k3/8/8/8/pP6/8/8/4K3 b - b3 0 10", "a4b3", "4k3/8/8/8/8/1p6/8/4K3 w - - 0 11"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 4 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 4 2"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 2"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "a1b1", "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 4 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 1", "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b ha - 4 1"},
        {"4k3/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"}, /* each where the other stood */
        {"4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "c1d1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
        {"2n1k3/1P6/8/8/8/8/8/4K3 w - - 9 9", "b7c8n", "2N1k3/8/8/8/8/8/8/4K3 b - - 0 9"},
        {"4k3/8/8/8/8/8/p7/4K3 b - - 9 9", "a2a1q", "4k3/8/8/8/8/8/8/q3K3 w - - 0 10"},
        {"4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", "e8e7", "8/4k3/8/8/8/8/8/4K3 w - - 65535 65535"},
    };
    for (size_t i = 0; i < COUNT(games); i++) {
        seebatch_position position = position_of_fen(games[i].before);
        seebatch_play(&position, move_of(&position, games[i].move));
        if (strcmp(fen_of(&position).text, games[i].after) != 0)
            fail_msg("%s after %s is '%s', expected '%s'", games[i].before, games[i].move, fen_of(&position).text,
                     games[i].after);
    }
}

/* Castling in either form leads to the same position. */
TEST(both_castling_forms)
{
    static const char *const rights[] = {"KQkq", "HAha"};
    static const char *const forms[][2] = {{"e1g1", "e1h1"}, {"e1c1", "e1a1"}};
    for (size_t i = 0; i < 4; i++) {
        char fen[SEEBATCH_FEN_SIZE];
        seebatch_move move[2];
        snprintf(fen, sizeof fen, "r3k2r/8/8/8/8/8/8/R3K2R w %s - 0 1", rights[i / 2]);
        const seebatch_position position = position_of_fen(fen);
        seebatch_position after[2] = {position, position};
        for (size_t form = 0; form < 2; form++) {
            const char *text = forms[i % 2][form];
            assert_int_equal(seebatch_move_from_uci(&position, text, 4, &move[form], NULL), SEEBATCH_OK);
            seebatch_play(&after[form],
                          seebatch_make_move(4, text[2] - 'a', 0)); /* the form as it is, not as it was read */
        }
        assert_int_equal(move[0], move[1]);
        assert_string_equal(uci_of(move[0]).text, forms[i % 2][i / 2]);
        assert_true(same_position(&after[0], &after[1]));
    }
}

/* ---- UCI text --------------------------------------------------------------------------------------------------- */

TEST(bad_uci)
{
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    static const char promoting[] = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    enum { R = SEEBATCH_UNREADABLE, L = SEEBATCH_ILLEGAL };
    static const struct refused bad[] = {
        {start, "e2e5", L, "'e2e5' is not a legal move here, expected one of the 20 legal moves"},
        {start, "e7e5", L, "'e7e5' is not a legal move here"},
        {start, "e1g1", L, "'e1g1' is not a legal move here"},
        {start, "e2e4q", L, "'e2e4q' is not a legal move here"},
        {start, "a1a1", L, "'a1a1' is not a legal move here"},
        {start, "", R, "'' is not a move, expected from-square, to-square"},
        {start, "e2", R, "'e2' is not a move, expected from-square, to-square"},
        {start, "e2e9", R, "'e2e9' is not a move"},
        {start, "e0e4", R, "'e0e4' is not a move"},
        {start, "e2-e4", R, "'e2-e4' is not a move"},
        {start, "e2e4 ", R, "'e2e4 ' is not a move: it ends with ' ', expected n, b, r or q"},
        {start, "Nf3", R, "'Nf3' is not a move"},
        {start, "e2\ne4", R, "'e2\\x0ae4' is not a move"},
        {start, "e2e4e5e6e7e8e2e4e5e6e7e8e2e4e5e6e7e8e2e4e5e6e7e8", R, "...' is not a move"},
        {promoting, "a7a8", L, "'a7a8' is not a legal move here: the pawn promotes, expected a7a8n, b, r or q"},
        {promoting, "a7a8Q", R, "'a7a8Q' is not a move: it ends with 'Q', expected n, b, r or q"},
        {promoting, "e1e2n", L, "'e1e2n' is not a legal move here"},
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "h8g8", L, "the side to move is checkmated and has none"},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "h8g8", L, "the side to move is stalemated and has none"},
        {"7k/8/8/8/8/8/1r6/K1r5 w - - 0 1", "a1a2", L, "expected the 1 legal move"},
        {"4k3/8/8/8/8/8/8/3K3R w K - 0 1", "d1g1", L, "'d1g1' is not a legal move here"},
    };
    expect_refused(seebatch_move_from_uci, bad, COUNT(bad));
}

/* The text that an error quotes: whole as long as there is room for it, otherwise its beginning and dots. */
static void expect_quoted(const char *text, size_t length, const char *expected)
{
    const seebatch_position position = position_of_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    seebatch_move move;
    seebatch_error error;
    char begins[64];
    snprintf(begins, sizeof begins, "'%s' is not", expected);
    assert_int_equal(seebatch_move_from_uci(&position, text, length, &move, &error), SEEBATCH_UNREADABLE);
    if (strncmp(error.text, begins, strlen(begins)) != 0)
        fail_msg("%zu characters are quoted as %s, expected '%s'", length, error.text, expected);
}

TEST(quoting)
{
    enum { ROOM = 41 };
    char text[64], expected[64];
    memset(text, 'x', sizeof text);
    for (size_t length = 0; length < 60; length++) {
        const size_t shown = length < ROOM ? length : ROOM;
        memcpy(expected, text, shown);
        snprintf(expected + shown, sizeof expected - shown, "%s", length > ROOM ? "..." : "");
        expect_quoted(text, length, expected);
    }
    /* Four characters for a byte that is not printable: begun while there is room for one. */
    text[40] = '\n';
    memcpy(expected, text, 40);
    strcpy(expected + 40, "\\x0a");
    expect_quoted(text, 41, expected);
    strcpy(expected + 40, "\\x0a...");
    expect_quoted(text, 42, expected);
    expect_quoted("\x1f ~\x7f\xff", 5, "\\x1f ~\\x7f\\xff");
}

int main(void) { return run_all_tests(NULL); }
