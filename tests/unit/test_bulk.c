/*
 * The functions over many positions around the evaluation: each answer is that of the function for one, whatever the
 * number of threads, the room and the faults among the items; nothing is written that there is no room for.
 */
#include "test_support.h"

enum { GAMES = 3000, COPIES = 10, MOST_MOVES = 200000, CANARY = 0x5a };

static seebatch_position games[GAMES]; /* from here on */
static seebatch_text fens[GAMES];
static char text[GAMES * SEEBATCH_FEN_SIZE * COPIES];
static size_t text_length; /* of the FENs of all games, a line each */

static int read_games(void **state)
{
    (void)state;
    read_positions("data/games.fen", GAMES / 2, games);
    read_positions("data/random.fen", GAMES / 2, games + GAMES / 2);
    for (size_t i = 0; i < GAMES; i++) {
        fens[i].at = text + text_length;
        fens[i].length = seebatch_position_to_fen(&games[i], text + text_length);
        text_length += fens[i].length;
        text[text_length++] = '\n';
    }
    return 0;
}

/* Calls check() without a job, and with jobs of several numbers of threads. */
static void for_each_job(void (*check)(seebatch_job *job))
{
    check(NULL);
    for (unsigned threads = 1; threads <= 4; threads += threads) {
        seebatch_job job = {.threads = threads};
        check(&job);
    }
}

static bool stop_at_once(void *user, size_t done, size_t total)
{
    (void)user, (void)done, (void)total;
    return false;
}

/* ---- FEN -------------------------------------------------------------------------------------------------------- */

static seebatch_position got[GAMES * COPIES + 1];
static uint8_t statuses[MOST_MOVES];
static const char *const wrong_fens[] = {"", "8/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 1 2 3"};

static void check_fens(seebatch_job *job)
{
    seebatch_text texts[GAMES];
    seebatch_faults faults;
    memcpy(texts, fens, sizeof texts);
    assert_int_equal(seebatch_batch_from_fens(texts, GAMES, got, statuses, &faults, job), SEEBATCH_OK);
    assert_int_equal(faults.count, 0);
    for (size_t i = 0; i < GAMES; i++)
        assert_true(same_position(&got[i], &games[i]) && statuses[i] == SEEBATCH_OK);

    for (size_t i = 0; i < 3; i++)
        texts[2000 - 900 * i] = (seebatch_text){wrong_fens[i], strlen(wrong_fens[i])};
    assert_int_equal(seebatch_batch_from_fens(texts, GAMES, got, statuses, &faults, job), SEEBATCH_UNREADABLE);
    assert_int_equal(seebatch_batch_from_fens(texts, GAMES, got, NULL, NULL, job), SEEBATCH_UNREADABLE);
    assert_int_equal(faults.count, 3);
    assert_int_equal(faults.first, 200);
    assert_non_null(strstr(faults.error.text, "unexpected '3'"));
    for (size_t i = 0; i < GAMES; i++) {
        seebatch_position one = seebatch_position_empty(SEEBATCH_WHITE);
        const seebatch_status status = seebatch_position_from_fen(texts[i].at, texts[i].length, &one, NULL);
        assert_int_equal(statuses[i], status);
        assert_true(same_position(&got[i], &one));
    }
}

TEST(test_from_fens) { for_each_job(check_fens); }

/* Boards with few pieces, of which many are not sound: a king too few or too many, attacked, or pawns at the edge. */
TEST(test_fens_that_are_not_sound)
{
    static seebatch_position boards[GAMES];
    static char room[GAMES][SEEBATCH_FEN_SIZE];
    seebatch_text texts[GAMES];
    for (int turn = 0; turn < 10; turn++) {
        for (size_t i = 0; i < GAMES; i++) {
            boards[i] = seebatch_position_empty((int)random_below(2));
            for (unsigned k = 0, n = 2 + random_below(5); k < n; k++) {
                const bool king = k < 2 ? random_below(50) != 0 : random_below(50) == 0;
                const int square = (int)random_below(64), type = king ? SEEBATCH_KING : (int)random_below(5);
                if (!(seebatch_occupied(&boards[i]) >> square & 1))
                    seebatch_put_piece(&boards[i], square, type, (int)(k % 2));
            }
            texts[i] = (seebatch_text){room[i], seebatch_position_to_fen(&boards[i], room[i])};
        }
        seebatch_batch_from_fens(texts, GAMES, got, statuses, NULL, NULL);
        size_t sound = 0;
        for (size_t i = 0; i < GAMES; i++) {
            const seebatch_status status = seebatch_position_check(&boards[i], NULL);
            sound += status == SEEBATCH_OK;
            if ((statuses[i] == SEEBATCH_OK) != (status == SEEBATCH_OK))
                fail_msg("%s: %d, by itself %d", room[i], statuses[i], status);
        }
        assert_between(sound, GAMES / 4, GAMES - GAMES / 4);
    }
}

static void check_lines(seebatch_job *job)
{
    seebatch_lines lines;
    seebatch_faults faults;
    size_t length = 0;
    for (; length + text_length <= sizeof text && length < text_length * COPIES; length += text_length)
        memmove(text + length, text, text_length);
    const size_t n = length / text_length * GAMES;
    assert_int_equal(seebatch_batch_from_lines(text, length, true, got, n, statuses, &lines, &faults, job), 0);
    assert_true(lines.n == n && lines.consumed == length && faults.count == 0);
    for (size_t i = 0; i < n; i++)
        assert_true(same_position(&got[i], &games[i % GAMES]));

    /* a piece at a time, without the line that does not end */
    size_t at = 0, k = 0;
    for (size_t some = 1000; at < length; some += 7777) {
        const bool whole = some > length - at;
        seebatch_batch_from_lines(text + at, whole ? length - at : some, whole, got + k, 5000, NULL, &lines, NULL, job);
        assert_true(whole || lines.n == 5000 || text[at + lines.consumed - 1] == '\n');
        at += lines.consumed;
        k += lines.n;
    }
    assert_int_equal(k, n);
    for (size_t i = 0; i < n; i++)
        assert_true(same_position(&got[i], &games[i % GAMES]));

    /* faults, also where no line feed is; room for fewer lines than there are */
    char *line = text + (fens[1234].at - text);
    const char kept = *line;
    *line = 'x';
    seebatch_status status =
        seebatch_batch_from_lines(text, length - 1, true, got, 2345, statuses, &lines, &faults, job);
    *line = kept;
    assert_true(status == SEEBATCH_UNREADABLE && faults.count == 1 && faults.first == 1234 && statuses[1234] == status);
    assert_true(lines.n == 2345 && lines.consumed == (size_t)(fens[2345].at - text));
    assert_non_null(strstr(faults.error.text, "'x'"));
}

TEST(test_from_lines) { for_each_job(check_lines); }

TEST(test_forms_of_lines)
{
    static const struct {
        const char *text;
        bool whole;
        size_t n, consumed, count;
    } cases[] = {
        {"", true, 0, 0, 0},
        {"\n", true, 1, 1, 1},
        {"\n\r\n", false, 2, 3, 2},
        {"4k3/8/8/8/8/8/8/4K3 w - -", false, 0, 0, 0},
        {"4k3/8/8/8/8/8/8/4K3 w - -", true, 1, 25, 0},
        {"4k3/8/8/8/8/8/8/4K3 w - -\r\n4k3", false, 1, 27, 0},
        {"4k3/8/8/8/8/8/8/4K3 w - -\r\n4k3", true, 2, 30, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0\r1\n", true, 1, 30, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        seebatch_lines lines;
        seebatch_faults faults;
        seebatch_batch_from_lines(cases[i].text, strlen(cases[i].text), cases[i].whole, got, 5, statuses, &lines,
                                  &faults, NULL);
        if (lines.n != cases[i].n || lines.consumed != cases[i].consumed || faults.count != cases[i].count)
            fail_msg("case %zu: %zu lines, %zu bytes, %zu faults", i, lines.n, lines.consumed, faults.count);
    }
}

TEST(test_lines_cancelled)
{
    seebatch_job job = {1, stop_at_once, NULL, 0, 0};
    seebatch_lines lines;
    assert_int_equal(seebatch_batch_from_lines(text, text_length, true, got, GAMES, NULL, &lines, NULL, &job),
                     SEEBATCH_CANCELLED);
    assert_true(lines.n > 0 && lines.n < GAMES && lines.consumed == (size_t)(fens[lines.n].at - text));
    assert_true(fens[lines.n].at >= text + job.done && fens[lines.n - 1].at < text + job.done);
}

static void check_writing(seebatch_job *job)
{
    static char written[GAMES * SEEBATCH_FEN_SIZE];
    static size_t offsets[GAMES + 1];
    memset(written, CANARY, sizeof written);
    assert_int_equal(seebatch_batch_to_fens(games, GAMES, NULL, 0, offsets, job), SEEBATCH_NO_ROOM);
    const size_t size = offsets[GAMES];
    assert_int_equal(seebatch_batch_to_fens(games, GAMES, written, size - 1, offsets, job), SEEBATCH_NO_ROOM);
    assert_int_equal(written[size - 1], CANARY);
    assert_int_equal(seebatch_batch_to_fens(games, GAMES, written, size, offsets, job), SEEBATCH_OK);
    assert_int_equal(written[size], CANARY);
    for (size_t i = 0; i < GAMES; i++) {
        const struct shown fen = fen_of(&games[i]);
        const size_t n = offsets[i + 1] - offsets[i] - 1;
        assert_int_equal(strlen(fen.text), n);
        assert_memory_equal(written + offsets[i], fen.text, n);
        assert_int_equal(written[offsets[i] + n], '\n');
    }
}

TEST(test_to_fens) { for_each_job(check_writing); }

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static seebatch_move moves[MOST_MOVES + 1], expected[MOST_MOVES];
static size_t offsets[GAMES + 1];

static void check_lists(seebatch_job *job)
{
    for (int captures = 0; captures < 2; captures++) {
        size_t total = 0, starts[GAMES + 1] = {0};
        for (size_t i = 0; i < GAMES; i++) {
            total += (captures ? seebatch_legal_captures : seebatch_legal_moves)(&games[i], expected + total);
            starts[i + 1] = total;
        }
        const size_t room[] = {MOST_MOVES, total, total - 1, total / 2, 0, total + total / 3};
        for (size_t r = 0; r < COUNT(room); r++) {
            memset(moves, CANARY, sizeof moves);
            const seebatch_status status = (captures ? seebatch_batch_legal_captures : seebatch_batch_legal_moves)(
                games, GAMES, offsets, moves, room[r], job);
            assert_int_equal(status, room[r] < total ? SEEBATCH_NO_ROOM : SEEBATCH_OK);
            assert_memory_equal(offsets, starts, sizeof starts);
            assert_int_equal(moves[room[r]], CANARY << 8 | CANARY);
            if (status == SEEBATCH_OK)
                assert_memory_equal(moves, expected, total * sizeof *moves);
        }
    }
}

TEST(test_legal_lists) { for_each_job(check_lists); }

TEST(test_legal_lists_cancelled)
{
    seebatch_job job = {1, stop_at_once, NULL, 0, 0};
    assert_int_equal(seebatch_batch_legal_moves(games, GAMES, offsets, moves, MOST_MOVES, &job), SEEBATCH_CANCELLED);
    assert_between(job.done, 1, GAMES - 1);
    assert_int_equal(offsets[GAMES], offsets[job.done]);
    seebatch_move own[SEEBATCH_MAX_MOVES];
    const size_t last = job.done - 1, n = seebatch_legal_moves(&games[last], own);
    assert_int_equal(offsets[last + 1] - offsets[last], n);
    assert_memory_equal(moves + offsets[last], own, n * sizeof *own);
}

static char names[MOST_MOVES + 1][SEEBATCH_SAN_SIZE];
static seebatch_text texts[MOST_MOVES];

static void check_texts(seebatch_job *job)
{
    seebatch_faults faults;
    seebatch_batch_legal_moves(games, GAMES, offsets, expected, MOST_MOVES, NULL);
    const size_t first = 7, total = offsets[GAMES] - offsets[first];
    for (int notation = SEEBATCH_UCI; notation <= SEEBATCH_SAN; notation++) {
        memset(names, CANARY, sizeof names);
        seebatch_batch_moves_to_text(games + first, GAMES - first, offsets + first, expected, notation, names, job);
        assert_int_equal(names[total][0], CANARY);
        for (size_t k = 0; k < total; k++)
            texts[offsets[first] + k] = (seebatch_text){names[k], strlen(names[k])};
        for (int reading = notation; reading <= SEEBATCH_ANY_NOTATION; reading += SEEBATCH_ANY_NOTATION - notation) {
            memset(moves, CANARY, sizeof moves);
            assert_int_equal(seebatch_batch_moves_from_text(games + first, GAMES - first, offsets + first, texts,
                                                            reading, moves, statuses, &faults, job),
                             SEEBATCH_OK);
            assert_memory_equal(moves, expected + offsets[first], total * sizeof *moves);
            assert_int_equal(moves[total], CANARY << 8 | CANARY);
        }
    }
    texts[offsets[first] + 5000] = (seebatch_text){"e2e5", 4};
    texts[offsets[first] + 9000] = (seebatch_text){"Q", 1};
    assert_int_equal(seebatch_batch_moves_from_text(games + first, GAMES - first, offsets + first, texts,
                                                    SEEBATCH_ANY_NOTATION, moves, statuses, &faults, job),
                     SEEBATCH_ILLEGAL);
    assert_true(faults.count == 2 && faults.first == 5000 && faults.status == SEEBATCH_ILLEGAL);
    assert_non_null(strstr(faults.error.text, "'e2e5' is not a legal move"));
    assert_true(statuses[5000] == SEEBATCH_ILLEGAL && statuses[9000] == SEEBATCH_UNREADABLE && moves[9000] == 0);
}

TEST(test_move_texts) { for_each_job(check_texts); }

TEST(test_one_text_a_position)
{
    const seebatch_text both[2] = {{"e4", 2}, {"e9", 2}};
    const seebatch_position start = position_of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const seebatch_position two[2] = {start, start};
    seebatch_faults faults;
    assert_int_equal(seebatch_batch_moves_from_text(two, 2, NULL, both, SEEBATCH_SAN, moves, NULL, &faults, NULL),
                     SEEBATCH_UNREADABLE);
    assert_true(faults.first == 1 && moves[0] == seebatch_make_move(12, 28, 0));
    const seebatch_move odd[2] = {seebatch_make_move(12, 28, 0), 7 << 12};
    seebatch_batch_moves_to_text(NULL, 2, NULL, odd, SEEBATCH_UCI, names, NULL);
    assert_string_equal(names[0], "e2e4");
    assert_string_equal(names[1], "?");
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

enum { NOWHERE = -1 };

/* What a check says of the games with their legal moves, one thing being wrong. */
static void expect_fault(seebatch_job *job, const seebatch_rules *rules, int what, seebatch_status status,
                         size_t position, size_t move, const char *words)
{
    const seebatch_batch batch = {.positions = games, .n_positions = GAMES, .offsets = offsets, .moves = expected};
    seebatch_fault fault;
    const seebatch_status found = seebatch_batch_check(rules, &batch, offsets[GAMES], what, &fault, job);
    assert_int_equal(seebatch_batch_check(rules, &batch, offsets[GAMES], what, NULL, job), found);
    if (found != status ||
        (status && (fault.position != position || fault.move != move || !strstr(fault.error.text, words))))
        fail_msg("what %d: status %d, expected %d; position %zu, move %zu: %s", what, found, status, fault.position,
                 fault.move, fault.error.text);
}

static void check_checks(seebatch_job *job)
{
    seebatch_rules rules = seebatch_rules_default();
    const size_t nowhere = (size_t)NOWHERE;
    seebatch_batch_legal_moves(games, GAMES, offsets, expected, MOST_MOVES, NULL);
    for (int what = SEEBATCH_CHECK_SOUND; what <= SEEBATCH_CHECK_PSEUDO_LEGAL; what++) {
        expect_fault(job, &rules, what, SEEBATCH_OK, 0, 0, "");
        const seebatch_position kept = games[2222];
        games[2222].white |= ~seebatch_occupied(&kept);
        expect_fault(job, &rules, what, SEEBATCH_UNSOUND, 2222, nowhere, "white");
        for (size_t i = 333; i < 2900; i += 1000) { /* the first counts */
            const size_t k = offsets[i + 1] - 1;
            const seebatch_move legal = expected[k];
            expected[k] = (seebatch_move)(legal ^ 1 << 15);
            if (i < 2222)
                expect_fault(job, &rules, what, SEEBATCH_ILLEGAL, i, k, "bit");
            else
                expect_fault(job, &rules, what, SEEBATCH_UNSOUND, 2222, nowhere, "white");
            expected[k] = legal;
        }
        games[2222] = kept;
        offsets[100] += 1000;
        expect_fault(job, &rules, what, SEEBATCH_BAD_OFFSETS, 101, nowhere, "offset 101");
        offsets[100] -= 1000;
        offsets[0] = SIZE_MAX;
        expect_fault(job, &rules, what, SEEBATCH_BAD_OFFSETS, 0, nowhere, "offset 0");
        offsets[0] = 0;
        rules.value[0] = -1;
        expect_fault(job, &rules, what, SEEBATCH_BAD_RULES, nowhere, nowhere, "pawn");
        rules.value[0] = 100;
    }
}

TEST(test_checks) { for_each_job(check_checks); }

/* Any 16 bits: a check for soundness says what seebatch_is_legal() says, with few moves and with many. */
TEST(test_checks_of_any_move)
{
    seebatch_rules rules = seebatch_rules_default();
    for (size_t i = 0; i < GAMES; i += 31) {
        seebatch_move row[8];
        const size_t n = seebatch_legal_moves(&games[i], expected);
        for (unsigned move = 0; move < 1 << 16 && n; move += 1 + random_below(3)) {
            const bool few = move % 2;
            for (size_t k = 0; k < 8; k++)
                row[k] = k == 3 && !few ? (seebatch_move)move : expected[k % n];
            row[0] = few ? (seebatch_move)move : row[0];
            const size_t rows[2] = {0, few ? 1 : 8};
            const seebatch_batch batch = {.positions = &games[i], .n_positions = 1, .offsets = rows, .moves = row};
            const bool legal = seebatch_is_legal(&games[i], (seebatch_move)move);
            if ((seebatch_batch_check(NULL, &batch, 8, SEEBATCH_CHECK_SOUND, NULL, NULL) == SEEBATCH_OK) != legal)
                fail_msg("%s, move %04x in %zu: legal %d", fen_of(&games[i]).text, move, rows[1], legal);
            if (legal)
                assert_int_equal(seebatch_batch_check(&rules, &batch, 8, SEEBATCH_CHECK_LEGAL, NULL, NULL), 0);
        }
    }
}

/* ---- Exchanges -------------------------------------------------------------------------------------------------- */

static void check_exchanges(seebatch_job *job)
{
    static int16_t values[MOST_MOVES];
    static uint64_t mask[SEEBATCH_MASK_WORDS(GAMES) + 1];
    seebatch_batch_legal_captures(games, GAMES, offsets, moves, MOST_MOVES, NULL);
    const seebatch_batch batch = {.positions = games, .n_positions = GAMES, .offsets = offsets, .moves = moves};
    for (size_t r = 0; r < rule_sets(); r++) {
        const seebatch_rules rules = rules_at(r);
        seebatch_batch_values(&rules, &batch, values, NULL);
        for (int threshold = -900; threshold <= 900; threshold += 450) {
            memset(mask, CANARY, sizeof mask);
            seebatch_batch_any_capture(&rules, games, GAMES, (int16_t)threshold, mask, job);
            for (size_t i = 0; i < GAMES; i++) {
                bool any = false;
                for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
                    any = any || values[k] >= threshold;
                assert_int_equal(bit_of(mask, i), any);
            }
            assert_int_equal(mask[GAMES / 64] >> GAMES % 64, 0);
            assert_int_equal(mask[SEEBATCH_MASK_WORDS(GAMES)] & 0xff, CANARY);
        }
        seebatch_batch_lengths(&rules, &batch, values, statuses, job);
        for (size_t i = 0; i < GAMES; i += 7) {
            for (size_t k = offsets[i]; k < offsets[i + 1]; k++) {
                seebatch_trace trace;
                seebatch_explain(&rules, &games[i], moves[k], &trace);
                assert_int_equal(statuses[k], trace.length);
                assert_int_equal(values[k], trace.value);
            }
        }
    }
}

TEST(test_exchanges) { for_each_job(check_exchanges); }

/* Lines make the text; a text that is cut off is the beginning of the whole. */
TEST(test_sentences)
{
    char whole[8192], line[256], part[8192];
    for (size_t r = 0; r < rule_sets(); r++) {
        const seebatch_rules rules = rules_at(r);
        for (size_t i = 0; i < GAMES; i += 41) {
            seebatch_trace trace;
            const size_t n = seebatch_legal_moves(&games[i], moves);
            for (size_t k = 0; k < n; k += 3) {
                seebatch_explain(&rules, &games[i], moves[k], &trace);
                const size_t length = seebatch_trace_text(&rules, &games[i], moves[k], &trace, whole, sizeof whole);
                assert_int_equal(length, strlen(whole));
                size_t at = 0, number = 0, some;
                while ((some = seebatch_trace_line(&rules, &games[i], moves[k], &trace, number++, line, 256)) !=
                       SIZE_MAX) {
                    assert_int_equal(some, strlen(line));
                    assert_memory_equal(whole + at, line, some);
                    assert_int_equal(whole[at + some], '\n');
                    at += some + 1;
                }
                assert_int_equal(at, length);
                assert_string_equal(line, "");
                const size_t room = 1 + length / 2;
                memset(part, CANARY, sizeof part);
                assert_int_equal(seebatch_trace_text(&rules, &games[i], moves[k], &trace, part, room), length);
                assert_int_equal(seebatch_trace_text(&rules, &games[i], moves[k], &trace, NULL, 0), length);
                assert_int_equal(strlen(part), room - 1);
                assert_memory_equal(part, whole, room - 1);
                assert_int_equal(part[room], CANARY);
            }
        }
    }
}

int main(void) { return run_all_tests(read_games); }
