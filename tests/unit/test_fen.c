/*
 * The quick way to read a FEN against the careful one, by every kernel of the machine and by none.
 *
 * Two blanks after the pieces mean no more than one, but the quick way does not take them: so a text is read once as it
 * is, and once with a second blank there, and both must say the same. The texts are real FENs, of which the quick way
 * must take each, and the same with a few characters changed, taken out or put in. Each is read where nothing may be
 * read behind it, and as a line of a longer text.
 */
#include "board/fen.h"
#include "kernel.h"
#include "test_support.h"

enum { CHANGED_TEXTS = 400000, LONGEST = 512 };

/* Reads a text that ends where its memory does. */
static seebatch_status read(const char *text, size_t length, seebatch_position *position)
{
    char *exact = malloc(length + !length);
    memcpy(exact, text, length);
    memset(position, 0, sizeof *position);
    const seebatch_status status = seebatch_position_from_fen(position, exact, length, NULL);
    free(exact);
    return status;
}

/* Reads a text as a line before another. */
static seebatch_status read_line(const char *text, size_t length, seebatch_position *position)
{
    static const char next[] = "\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/8/8/8/8/8 w - -";
    char lines[LONGEST + 1 + sizeof next];
    memcpy(lines, text, length);
    memcpy(lines + length, next, sizeof next);
    memset(position, 0, sizeof *position);
    return seebatch_fen_read(position, lines, length, length + sizeof next, NULL);
}

/* Both ways say the same of a text; returns whether it is good. */
static bool compare(const char *text, size_t length)
{
    char careful[LONGEST + 1];
    seebatch_position one, other, line;
    const char *blank = memchr(text, ' ', length);
    if (!blank)
        return false;
    const size_t pieces = (size_t)(blank - text);
    memcpy(careful, text, pieces);
    careful[pieces] = ' ';
    memcpy(careful + pieces + 1, blank, length - pieces);
    assert_false(seebatch_fen_quick(&other, careful, length + 1, length + 1));

    const seebatch_status status = read(text, length, &one);
    const seebatch_status expected = read(careful, length + 1, &other);
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
    uint64_t planes[4];
    seebatch_position quick;
    if (seebatch_kernel_in_use && pieces < 64)
        assert_int_equal(seebatch_kernel_in_use->fen_pieces(fen.text, length, planes), pieces);
    if (!position->shredder && !seebatch_fen_quick(&quick, fen.text, length, length))
        fail_msg("%s: the quick way does not take it", where);
    assert_true(compare(fen.text, length));
}

TEST(test_real_fens) { for_each_position(check_real_fen); }

TEST(test_forms)
{
    static const char *const texts[] = {
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 12",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 12 65535",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 65535 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 00012 00034",
        "4k3/8/8/8/8/8/8/4K3 w - - 1 2 bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"a;b\";",
        "4k3/8/8/8/8/8/8/4K3 w - -   ",
        "4k3/8/8/8/8/8/8/4K3 w - - 1  2",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "1r2k1r1/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
    };
    static const char *const bad[] = {
        "4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "4k3/8/8/8/8/8/8/4K3 w - - 1 99999", "4k3/8/8/8/8/8/8/4K3 w - - 1 2 3",
        "4k3/8/8/8/8/8/8/4K3 w - - 1x",      "4k3/8/8/8/8/8/8/4K3 w - - -1",      "4k3/8/8/8/8/8/8/4K3 w - -x",
        "4k3/8/8/8/8/8/8/4K3 w -- -",        "4k3/8/8/8/8/8/8/4K3 w  -",          "4k3/8/8/8/8/8/8/4K3 w KK -",
        "4k3/8/8/8/8/8/8/4K3 x - -",         "4k3/8/8/8/8/8/8/4K2/ w - -",        "4k3/8/8/8/8/8/8/44K3 w - -",
        "4k3/8/8/8/8/8/44/4K3 w - - 0 1 ;",  "/4k3/8/8/8/8/8/4K3 w - -",          "4k3/8/8/8/8/8/9/4K3 w - -",
        "4k38/8/8/8/8/8/4K3 w - -",          "4k3/8/8/8/8/8/8/4K3/8 w - -",       "4k3/8/8/8/88//8/4K3 w - -",
        "4k3/8/8/8/8/8/8/3KK3 w - -",        "4k3/8/8/8/8/8/8/8 w - -",           "4k3/8/8/8/8/8/8/4K2P w - -",
        "4k3/4R3/8/8/8/8/8/4K3 w - -",       "4k3/8/8/3pP3/8/8/8/4K3 w - e6",     "4k3/8/8/3pP3/8/8/8/4K3 b - d6",
        "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6",   "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6",   "4k3/8/8/3pP3/8/8/8/4K3 w - d66",
        "8888888888888888/8/8 w - -",        "4k3/8/8/8/8/8/8/R3K3 w K -",        "4k3/8/8/8/8/8/4K3/R6R w KQ -",
        "4k3/8/8/8/8/8/44/4K3 w - -",        "4k3/8/8/8/8/8/8/4K12 w - -",        "1111k3/8/8/8/8/8/8/4K3 w - -",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        if (!compare(texts[i], strlen(texts[i])))
            fail_msg("'%s' is not read", texts[i]);
    for (size_t i = 0; i < COUNT(bad); i++)
        if (compare(bad[i], strlen(bad[i])))
            fail_msg("'%s' is read", bad[i]);
    /* a text may end anywhere, and NUL is never a part of one */
    for (size_t length = 0; length < strlen(texts[6]); length++)
        compare(texts[6], length);
    assert_false(compare("4k3/8/8/8/8/8/8/4K3 w - - 1 2 bm \0;", 36));
}

TEST(test_changed_fens)
{
    static const char *const names[] = {"data/games.fen", "data/random.fen", "data/perft/chess960.epd"};
    int good = 0, texts = 0;
    while (texts < CHANGED_TEXTS) {
        for (size_t i = 0; i < COUNT(names); i++) {
            struct lines lines;
            for (open_lines(&lines, names[i]); next_line(&lines);) {
                char text[LONGEST];
                size_t length = fen_length(lines.text);
                memcpy(text, lines.text, length);
                for (size_t changes = 1 + random_below(4) / 3; changes && length > 1; changes--)
                    length = change(text, length);
                good += compare(text, length);
                texts++;
            }
        }
    }
    print_message("%d texts, %d of them good\n", texts, good);
    assert_in_range(good, texts / 25, texts - texts / 25); /* both kinds are there */
}

int main(void)
{
    int failed = run_all_tests(NULL);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++) {
        if (kernel->fen_pieces && kernel->supported()) {
            print_message("kernel %s\n", kernel->name);
            seebatch_kernel_use(kernel->name, NULL);
            failed += run_all_tests(NULL);
        }
    }
    return failed;
}
