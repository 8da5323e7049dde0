/*
 * The fast path for a FEN against the slow one, by every kernel of the machine and by none; and what kernels
 * write against what is written without one.
 *
 * Two blanks after the pieces mean no more than one, but the fast path does not take them: so a text is read once as it
 * is, and once with a second blank there, and both must say the same. The texts are real FENs, of which the fast path
 * must take each, and the same with a few characters changed, taken out or put in. Each is read where nothing may be
 * read behind it, and as a line of a longer text.
 */
#include "board/fen.h"
#include "fen_texts.h"
#include "dispatch/kernel.h"
#include "test_support.h"

enum { CHANGED_TEXTS = 400000 / SHARE, LONGEST = 512 };

/* Reads a text that ends where its memory does. */
static seebatch_status read(const char *text, size_t length, seebatch_position *position)
{
    char *exact = malloc(length + !length);
    memcpy(exact, text, length);
    memset(position, 0, sizeof *position);
    const seebatch_status status = seebatch_position_from_fen(exact, length, position, NULL);
    free(exact);
    return status;
}

/* Reads a text as a line before another, and with that one as one of several, as kernels read some texts at once. */
static seebatch_status read_line(const char *text, size_t length, seebatch_position *position)
{
    enum { SEVERAL = 5 };
    static const char next[] = "\n" START " w KQkq - 0 1", rest[] = "\n8/8/8/8/8/8/8/8 w - -";
    char lines[LONGEST + sizeof next + sizeof rest];
    memcpy(lines, text, length);
    memcpy(lines + length, next, sizeof next);
    memcpy(lines + length + sizeof next - 1, rest, sizeof rest);
    const size_t place = random_below(SEVERAL);
    seebatch_text fens[SEVERAL];
    seebatch_position positions[SEVERAL];
    uint8_t taken[SEVERAL];
    for (size_t i = 0; i < SEVERAL; i++)
        fens[i] = i == place ? (seebatch_text){lines, length} : (seebatch_text){lines + length + 1, sizeof next - 2};
    seebatch_fens_fast(fens, SEVERAL, lines + sizeof lines, positions, taken);
    for (size_t i = 0; i < SEVERAL; i++)
        assert_true(i == place || (taken[i] && strcmp(fen_of(&positions[i]).text, next + 1) == 0));
    *position = positions[place];
    return taken[place] ? SEEBATCH_OK : seebatch_fen_slow(lines, length, position, NULL);
}

/* Whether the fast path takes a text. */
static bool is_fast(const char *text, size_t length)
{
    const seebatch_text fen = {.at = text, .length = length};
    seebatch_position position;
    uint8_t taken;
    seebatch_fens_fast(&fen, 1, NULL, &position, &taken);
    return taken;
}

/* Both ways say the same of a text; returns whether it is good. */
static bool compare(const char *text, size_t length)
{
    char slow[LONGEST + 1];
    seebatch_position one, other, line;
    const char *blank = memchr(text, ' ', length);
    if (!blank)
        return false;
    const size_t pieces = (size_t)(blank - text);
    memcpy(slow, text, pieces);
    slow[pieces] = ' ';
    memcpy(slow + pieces + 1, blank, length - pieces);
    assert_false(is_fast(slow, length + 1));

    const seebatch_status status = read(text, length, &one);
    const seebatch_status expected = read(slow, length + 1, &other);
    if (status != expected)
        fail_msg("'%.*s': status %d, with a second blank %d", (int)length, text, status, expected);
    assert_int_equal(read_line(text, length, &line), status);
    if (status == SEEBATCH_OK && (!same_position(&one, &other) || !same_position(&one, &line)))
        fail_msg("'%.*s': read as %s, with a second blank as %s", (int)length, text, fen_of(&one).text,
                 fen_of(&other).text);
    return status == SEEBATCH_OK;
}

/* Changes, takes out or puts in a character. */
static size_t change(char *text, size_t length)
{
    static const char alphabet[] = "PNBRQKpnbrqk/12345678 wb-KQkqabcdefgh360;\"9ABHxz\t.|";
    const char c = random_below(200) ? alphabet[random_below((unsigned)sizeof alphabet - 1)] : (char)random_below(256);
    const size_t at = random_below((unsigned)length);
    switch (random_below(3)) {
    case 0: text[at] = c; return length;
    case 1: memmove(text + at, text + at + 1, length - at - 1); return length - 1;
    default:
        memmove(text + at + 1, text + at, length - at);
        text[at] = c;
        return length + 1;
    }
}

/* The FEN of a line, without counts or operations. */
static size_t fen_length(const char *line)
{
    size_t length = strcspn(line, ";");
    while (length && line[length - 1] == ' ')
        length--;
    return length;
}

static void check_real_fen(const seebatch_position *position, const char *where)
{
    const struct shown fen = fen_of(position);
    const size_t length = strlen(fen.text);
    const size_t pieces = strcspn(fen.text, " ");
    const seebatch_text text = {fen.text, length};
    seebatch_position board;
    uint8_t taken;
    if (seebatch_kernel_in_use && pieces < 64) {
        seebatch_kernel_in_use->fen_boards(&text, 1, NULL, &board, &taken);
        assert_int_equal(taken, pieces + 2); /* four at once are read whole, one is not */
    }
    if (!position->shredder && !is_fast(fen.text, length))
        fail_msg("%s: the fast path does not take it", where);
    assert_true(compare(fen.text, length));
}

TEST(test_real_fens) { for_each_position(check_real_fen); }

TEST(test_forms)
{
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(compare(good[i].text, strlen(good[i].text)));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(compare(bad[i].text, strlen(bad[i].text)));
    /* a text may end anywhere, and NUL is never a part of one */
    for (size_t length = 0; length < strlen(good[8].text); length++)
        compare(good[8].text, length);
    assert_false(compare("4k3/8/8/8/8/8/8/4K3 w - - 1 2 bm \0;", 36));
}

/* A NUL at any place, also where tables of texts are filled up with them. */
TEST(test_nul)
{
    static const char *const rights[] = {"-", "K", "kq", "KQk", "KQkq"};
    for (size_t i = 0; i < COUNT(rights); i++) {
        char text[LONGEST];
        const size_t length = (size_t)snprintf(text, sizeof text, "r3k2r/8/8/8/8/8/8/R3K2R w %s - 10 20", rights[i]);
        for (size_t at = 0; at <= length; at++) {
            char more[LONGEST + 1];
            memcpy(more, text, at);
            more[at] = '\0';
            memcpy(more + at + 1, text + at, length - at);
            assert_false(compare(more, length + 1));
        }
    }
}

TEST(test_changed_fens)
{
    static const char *const names[] = {"data/games.fen", "data/random.fen", "data/perft/chess960.epd"};
    int read_well = 0, texts = 0;
    while (texts < CHANGED_TEXTS) {
        for (size_t i = 0; i < COUNT(names); i++) {
            struct lines lines;
            for (open_lines(&lines, names[i]); next_line(&lines);) {
                char text[LONGEST];
                size_t length = fen_length(lines.text);
                memcpy(text, lines.text, length);
                for (size_t changes = 1 + random_below(4) / 3; changes && length > 1; changes--)
                    length = change(text, length);
                read_well += compare(text, length);
                texts++;
            }
        }
    }
    print_message("%d texts, %d of them good\n", texts, read_well);
    assert_between(read_well, texts / 25, texts - texts / 25); /* both kinds are there */
}

/* The kernel in use writes what is written without one, also of boards that no game has. */
static void check_written(const seebatch_position *position, const char *where)
{
    const struct see_kernel *const kernel = seebatch_kernel_in_use;
    char by_kernel[SEEBATCH_FEN_SIZE], by_none[SEEBATCH_FEN_SIZE];
    const size_t length = seebatch_position_to_fen(position, by_kernel);
    seebatch_kernel_in_use = NULL;
    seebatch_position_to_fen(position, by_none);
    seebatch_kernel_in_use = kernel;
    if (strcmp(by_kernel, by_none) != 0)
        fail_msg("%s: written as '%s', without a kernel as '%s'", where, by_kernel, by_none);
    assert_int_equal(length, strlen(by_none));
    assert_int_equal(seebatch_fen_length(position), length);
}

static uint64_t random_bits(void)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | random_below(256);
    return bits;
}

TEST(test_written)
{
    enum { BOARDS = 100000 / SHARE };
    for_each_position(check_written);
    for (int i = 0; i < BOARDS; i++) {
        seebatch_position position = position_of_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1");
        const uint64_t some = i % 4 == 0 ? ~(uint64_t)0 : i % 4 == 1 ? random_bits() : random_bits() & random_bits();
        for (int plane = 0; plane < 3; plane++)
            position.plane[plane] = random_bits() & (i % 8 < 7 ? some : ~some);
        position.white = random_bits();
        position.halfmove_clock = (uint16_t)random_below(i % 2 ? 120 : 65536);
        position.fullmove_number = (uint16_t)random_below(i % 3 ? 200 : 65536);
        check_written(&position, "a board of random planes");
    }
}

/* All sets of rights, rooks in their corners and beside them. */
TEST(test_written_rights)
{
    static const char *const boards[] = {"r3k2r/8/8/8/8/8/8/R3K2R", "1r2k1r1/8/8/8/8/8/8/1R2K1R1",
                                         "rr2k1rr/8/8/8/8/8/8/RR2K1RR"};
    for (unsigned i = 0; i < 3 * 16; i++) {
        char fen[SEEBATCH_FEN_SIZE], back[SEEBATCH_FEN_SIZE];
        snprintf(fen, sizeof fen, "%s w %s%s%s%s%s - 0 1", boards[i / 16], i & 1 ? "K" : "", i & 2 ? "Q" : "",
                 i & 4 ? "k" : "", i & 8 ? "q" : "", i % 16 ? "" : "-");
        const seebatch_position position = position_of_fen(fen);
        seebatch_position_to_fen(&position, back);
        assert_string_equal(back, fen);
        assert_int_equal(seebatch_fen_length(&position), strlen(fen));
    }
}

int main(void)
{
    int failed = run_all_tests(NULL);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++) {
        if (kernel->fen_boards && kernel->supported()) {
            print_message("kernel %s\n", kernel->name);
            seebatch_kernel_use(kernel->name, NULL);
            failed += run_all_tests(NULL);
        }
    }
    return failed;
}
