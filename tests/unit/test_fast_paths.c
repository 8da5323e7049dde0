/*
 * The fast paths of io/ against the plain ones: attacks, records of 32 bytes,
 * boards of 24 bytes, the moves of games, the movetext of a binpack, marks in text, and numbers. Each fast path is
 * there for processors with the instructions of AVX2 and BMI2 and for any; all are called here. Positions come from
 * random games and from pieces strewn over the board; movetext is damaged, too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../share.h"
#include "formats/binpack/binpack_chain.c"
#include "formats/binpack/binpack_plies.c"
#include "formats/binpack/binpack_write.c"
#include "formats/bulk_records.c"
#include "formats/fixed/bulletformat.c"
#include "formats/fixed/marlinformat.c"
#include "formats/fixed/packed_board.c"
#include "formats/fixed/packed_fast.c"
#include "formats/fast_fields.h"
#include "formats/fast_moves.c"

static uint64_t seed = 1;
static long faults;

static uint64_t draw_word(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static unsigned draw(unsigned n) { return (unsigned)(draw_word() >> 20) % n; }

static void expect(bool well, const seebatch_position *position, const char *what)
{
    char fen[SEEBATCH_FEN_SIZE];
    if (well)
        return;
    seebatch_position_to_fen(position, fen);
    if (faults++ < 10)
        printf("%s differs in %s\n", what, fen);
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* Both kings and pieces of any kind, as many as drawn; most have pins and batteries, some a check. */
static seebatch_position strewn(void)
{
    seebatch_position p;
    do {
        p = seebatch_position_empty((int)draw(2));
        const unsigned n = 2 + draw(20);
        for (unsigned i = 0; i < n; i++) {
            const int square = (int)draw(64), type = i < 2 ? SEEBATCH_KING : (int)draw(SEEBATCH_KING);
            if (!(seebatch_occupied(&p) >> square & 1))
                seebatch_put_piece(&p, square, type, i < 2 ? (int)i : (int)draw(2));
        }
    } while (seebatch_position_check(&p, NULL) != SEEBATCH_OK);
    return p;
}

static seebatch_position first_of_game(void)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 65534 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    const char *fen = fens[draw(sizeof fens / sizeof fens[0])];
    seebatch_position p;
    seebatch_position_from_fen(fen, strlen(fen), &p, NULL);
    return p;
}

/* ---- Attacks ----------------------------------------------------------------------------------------------------- */

static void test_attacks(const seebatch_position *p, enum means by)
{
    const uint64_t occupied = seebatch_occupied(p), all = ~UINT64_C(0);
    uint64_t rest = occupied;
    for (int n = 0; rest != 0; n++)
        expect(nth_square(occupied, n, by) == pop_lsb(&rest), p, "the n-th square");
    for (int square = 0; square < 64; square++) {
        const uint64_t diagonals = seebatch_attacks(SEEBATCH_BISHOP, SEEBATCH_WHITE, square, occupied);
        const uint64_t lines = seebatch_attacks(SEEBATCH_ROOK, SEEBATCH_WHITE, square, occupied);
        expect(sliders(square, occupied, all, 0, by) == diagonals, p, "a bishop");
        expect(sliders(square, occupied, 0, all, by) == lines, p, "a rook");
    }
}

/* ---- Moves of games ---------------------------------------------------------------------------------------------- */

/* Whether the fast paths play it. */
static bool is_plain(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(p, from);
    const bool takes = seebatch_occupied(p) >> to & 1, steps_aside = (from & 7) != (to & 7);
    const bool castles =
        type == SEEBATCH_KING && ((takes && seebatch_color_on(p, to) == p->stm) || abs((from & 7) - (to & 7)) > 1);
    return !castles && !seebatch_promotion(move) && (type != SEEBATCH_PAWN || takes || !steps_aside);
}

static void expect_played(const seebatch_position *p, const seebatch_position *played, bool is_played,
                          seebatch_move move, bool expected)
{
    seebatch_position after = *p;
    if (expected)
        seebatch_play(&after, move);
    expect(is_played == expected && memcmp(played, &after, sizeof after) == 0, p, "a move of a game");
}

/* What the library reads in a text the fast path reads, too, or leaves. */
static void test_text(const seebatch_position *p, const char *text, size_t length, bool usual)
{
    for (int bits = 0; bits <= HAS_BITS; bits++) {
        seebatch_position played = *p;
        seebatch_move move = 0, expected = 0;
        const bool taken =
            bits ? play_san_by_vectors(&played, text, length, &move) : play_san(&played, text, length, &move, BY_LOOPS);
        const bool well = seebatch_move_from_san(p, text, length, &expected, NULL) == SEEBATCH_OK;
        expect(taken ? well && move == expected && is_plain(p, move) : !usual, p, text);
        expect_played(p, &played, taken, expected, taken && well);
        const bool found = bits ? find_by_vectors(p, text, length, &move) : find_move(p, text, length, &move, BY_LOOPS);
        const bool known = seebatch_move_from_text(p, text, length, &expected, NULL) == SEEBATCH_OK;
        expect(found ? known && move == expected && is_plain(p, move) : !usual, p, text);
    }
}

/* Moves that wait until there are so many that several are read at once; whether a fast path has to find them. */
static struct {
    seebatch_position positions[BULK_AT_ONCE];
    char texts[BULK_AT_ONCE][8];
    struct usual usual[BULK_AT_ONCE];
    bool expected[BULK_AT_ONCE];
    size_t n;
} waiting;

/* By the lanes alone, or with what takes the others. Lanes go on while one of four is found. */
static void test_waiting(bool alone)
{
    struct record records[BULK_AT_ONCE] = {0};
    bool any = true, each = true;
    size_t legal = 0;
    if (alone)
        legal = seebatch_io_find_uci_moves(waiting.positions, waiting.usual, waiting.n, records);
    else
        seebatch_io_find_moves_fast(waiting.positions, waiting.usual, waiting.n, records);
    for (size_t i = 0; i < waiting.n; i++) {
        const struct cell text = waiting.usual[i].texts[0];
        const bool found = records[i].has == FIELD_MOVE;
        seebatch_move move;
        if (alone && i % 4 == 0) {
            each = each && any && i + 4 <= waiting.n;
            any = false;
        }
        any |= found;
        legal -= alone && found;
        if (found)
            expect(seebatch_move_from_text(&waiting.positions[i], text.text, text.length, &move, NULL) == SEEBATCH_OK &&
                       move == records[i].move && is_plain(&waiting.positions[i], move),
                   &waiting.positions[i], text.text);
        else
            expect(!each || !waiting.expected[i], &waiting.positions[i], text.text);
    }
    faults += legal != 0;
}

static void test_among_others(const seebatch_position *p, const char *text, size_t length, bool usual)
{
    const size_t i = waiting.n++;
    waiting.positions[i] = *p;
    memcpy(waiting.texts[i], text, length);
    waiting.texts[i][length] = '\0';
    waiting.usual[i].texts[0] = (struct cell){waiting.texts[i], length};
    waiting.expected[i] = usual;
    if (waiting.n < BULK_AT_ONCE && draw(40) > 0)
        return;
    for (int alone = 0; alone <= HAS_BITS; alone++)
        test_waiting(alone);
    waiting.n = 0;
}

static void test_uci(const seebatch_position *p, const char *text, size_t length, bool usual)
{
    test_among_others(p, text, length, usual);
    seebatch_move move = 0, expected = 0;
    const bool known = seebatch_move_from_text(p, text, length, &expected, NULL) == SEEBATCH_OK;
    for (int bits = 0; bits <= HAS_BITS; bits++) {
        const bool found = bits ? find_by_vectors(p, text, length, &move) : find_move(p, text, length, &move, BY_LOOPS);
        expect(found ? known && move == expected && is_plain(p, move) : !usual, p, text);
    }
}

static void test_moves(const seebatch_position *p)
{
    static seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(p, moves);
    for (int i = 0; i < 16; i++) {
        const seebatch_move move = i % 2 && n > 0 ? moves[draw((unsigned)n)] : (seebatch_move)draw(1 << 12);
        const int from = seebatch_from(move), to = seebatch_to(move);
        bool legal = false;
        for (size_t k = 0; k < n; k++)
            legal |= moves[k] == move;
        for (int bits = 0; bits <= HAS_BITS; bits++) {
            seebatch_position played = *p;
            const bool taken = bits ? play_by_vectors(&played, from, to) : play_move(&played, from, to, BY_LOOPS);
            expect_played(p, &played, taken, move, legal && is_plain(p, move));
        }
        char text[6];
        test_among_others(p, text, seebatch_move_to_uci(move, text), legal && is_plain(p, move));
    }
    for (int i = 0; i < 4 && n > 0; i++) {
        const seebatch_move move = moves[draw((unsigned)n)];
        char text[SEEBATCH_SAN_SIZE + 1] = "";
        const size_t length = seebatch_move_to_san(p, move, text);
        const uint64_t others =
            seebatch_pieces_of_type(p, seebatch_type_on(p, seebatch_from(move))) & seebatch_pieces_of_color(p, p->stm);
        test_text(p, text, length, is_plain(p, move) && (others & (others - 1)) == 0);
        text[draw((unsigned)length)] = "abch1238x+#NBKQRPO-=e"[draw(21)];
        test_text(p, text, length - draw(2), false);
        const size_t uci = seebatch_move_to_uci(move, text);
        test_uci(p, text, uci, is_plain(p, move));
        text[draw((unsigned)uci)] = "abch1238qn"[draw(10)];
        test_uci(p, text, uci, false);
    }
}

static void test_records(const seebatch_position *p);

static void test_position(const seebatch_position *p)
{
    for (enum means by = BY_LOOPS; by <= (HAS_BITS ? BY_PDEP : BY_LOOPS); by++)
        test_attacks(p, by);
    test_moves(p);
    test_records(p);
}

/* ---- Movetext ---------------------------------------------------------------------------------------------------- */

enum { MOST_PLIES = 300, ROOM = 1 << 16 };

/* What a way through a chain makes of it. */
struct reading {
    size_t n;
    seebatch_position positions[MOST_PLIES + 1];
    struct record records[MOST_PLIES + 1];
    seebatch_error error;
};

typedef size_t plies_function(struct binpack_chain *chain, const char *begin, uint64_t line, struct record *records,
                              seebatch_position *positions, size_t most);

/* Reads a chain, as far as it can be read, by the slow path where fast is NULL. */
static void read_chain(const struct bytes *bytes, plies_function *fast, struct reading *r)
{
    const unsigned char *stem = (const unsigned char *)bytes->data + BINPACK_CHUNK;
    struct binpack_chain chain = {.end = (const unsigned char *)bytes_end(bytes)};
    memset(r, 0, sizeof *r);
    bool well = seebatch_io_binpack_read_stem(&chain, stem, &r->records[0], &r->positions[0], &r->error);
    r->n = well;
    while (well && chain.left > 0 && r->n < MOST_PLIES) {
        if (r->n == 1 || fast == NULL || r->records[r->n - 1].line == 0) { /* the last one came by the slow path */
            chain.position = r->positions[r->n - 1];
            binpack_play(&chain.position, r->records[r->n - 1].move);
        }
        size_t taken = 0;
        if (fast != NULL)
            taken = fast(&chain, bytes->data, 1, &r->records[r->n], &r->positions[r->n], 1 + draw(8));
        if (taken == 0) {
            r->records[r->n].line = 0;
            r->records[r->n].bytes = (const char *)chain.text + chain.bit / 8;
            r->records[r->n].within = (uint32_t)(chain.bit % 8);
            well = seebatch_io_binpack_read_ply(&chain, &r->records[r->n], &r->positions[r->n], &r->error);
            taken = well;
        }
        r->n += taken;
        if (r->n > MOST_PLIES)
            r->n = MOST_PLIES;
    }
}

static bool same_records(const struct record *a, const struct record *b)
{
    return a->bytes == b->bytes && a->length == b->length && a->within == b->within && a->move == b->move &&
           a->score == b->score && a->result == b->result && a->ply == b->ply && a->has == b->has && a->fen == b->fen;
}

static void compare(const struct bytes *bytes, plies_function *fast, const struct reading *slow)
{
    static struct reading r;
    read_chain(bytes, fast, &r);
    expect(r.n == slow->n && strcmp(r.error.text, slow->error.text) == 0, &slow->positions[0], "a chain");
    for (size_t i = 0; i < r.n && i < slow->n; i++) {
        char fen[2][SEEBATCH_FEN_SIZE];
        seebatch_position_to_fen(&r.positions[i], fen[0]);
        seebatch_position_to_fen(&slow->positions[i], fen[1]);
        expect(strcmp(fen[0], fen[1]) == 0 && same_records(&r.records[i], &slow->records[i]), &slow->positions[i],
               "a position of a chain");
    }
}

/* Returns how many positions it has, as far as it can be read. */
static size_t test_chain(const struct bytes *bytes)
{
    static struct reading slow;
    read_chain(bytes, NULL, &slow);
    compare(bytes, plies_by_loops, &slow);
    if (HAS_BITS) {
        compare(bytes, plies_by_vectors, &slow);
        compare(bytes, plies_by_pdep, &slow);
    }
    return slow.n;
}

/* A random game as both ways write it, whole and damaged. */
static void test_game(void)
{
    typedef size_t write_function(struct bytes *, struct binpack_writer *, const struct record *,
                                  const seebatch_position *, size_t, const char **);
    write_function *const ways[] = {write_by_loops, HAS_BITS ? write_by_vectors : write_by_loops};
    struct bytes out[2] = {{NULL, 0, 0, false}, {NULL, 0, 0, false}};
    struct binpack_writer writers[2] = {{0}, {0}};
    seebatch_position p = first_of_game();
    const unsigned most = draw(MOST_PLIES - 50);
    unsigned ply = 0;
    for (; ply < most; ply++) {
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, moves);
        const char *why;
        if (n == 0)
            break;
        const struct record record = {.move = moves[draw((unsigned)n)],
                                      .score = (int)(draw(65536) >> draw(16)) / (draw(2) ? 2 : -2),
                                      .result = RESULT_DRAW,
                                      .ply = (int)ply,
                                      .has = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY};
        for (int i = 0; i < 2; i++)
            expect(ways[i](&out[i], &writers[i], &record, &p, 1, &why) == 1, &p, "a record that is written");
        test_position(&p);
        binpack_play(&p, record.move);
    }
    expect(out[0].used == out[1].used && (out[0].used == 0 || memcmp(out[0].data, out[1].data, out[0].used) == 0), &p,
           "what is written");
    for (int damage = 0; damage < 20 && out[0].used > 0; damage++) {
        const size_t n = test_chain(&out[0]);
        expect(n == ply || damage > 0, &p, "the length of a game"); /* it is one chain */
        out[0].data[BINPACK_CHUNK + BINPACK_STEM + draw((unsigned)(out[0].used - BINPACK_CHUNK - BINPACK_STEM + 1)) -
                    (out[0].used > BINPACK_CHUNK + BINPACK_STEM)] ^= (char)(1 << draw(8));
        if (draw(4) == 0 && out[0].used > BINPACK_CHUNK + BINPACK_STEM)
            out[0].used--;
    }
    free(out[0].data);
    free(out[1].data);
}

/* ---- Records of 32 bytes ----------------------------------------------------------------------------------------- */

static long quickly_taken;

/* A record, perhaps damaged: what the fast path takes is what the slow path says. */
static void test_packed_by(fast_function *fast, const char bytes[PACKED_SIZE], bool marlin)
{
    struct block block = {.in = {(char *)(uintptr_t)bytes, PACKED_SIZE, PACKED_SIZE, false}};
    const struct cursor cursor = {.block = &block, .at = bytes, .end = bytes + PACKED_SIZE};
    struct record record, slow = {.bytes = bytes, .length = PACKED_SIZE, .line = 1};
    seebatch_position position, expected;
    seebatch_error error;
    if (fast(&cursor, &record, &position, 1) == 0)
        return;
    quickly_taken++;
    const bool well = (marlin ? seebatch_io_unpack_marlin : unpack_bullet)(bytes, &expected, &slow, &error);
    expect(well && memcmp(&position, &expected, offsetof(seebatch_position, fullmove_number) + 2) == 0 &&
               same_records(&record, &slow) && record.line == 1,
           &position, marlin ? "a record of marlinformat" : "a record of bulletformat");
}

/* By each of the means, whichever this processor takes. */
static void test_packed(const char bytes[PACKED_SIZE], bool marlin)
{
#ifdef __x86_64__
    if (HAS_BITS) {
        test_packed_by(marlin ? marlins_by_pdep : bullets_by_pdep, bytes, marlin);
        test_packed_by(marlin ? marlins_by_vectors : bullets_by_vectors, bytes, marlin);
    }
#else
    (void)bytes, (void)marlin;
#endif
}

static void test_records(const seebatch_position *p)
{
    const struct record record = {.score = (int)draw(2000) - 1000, .result = (uint8_t)draw(3)};
    struct block block = {0};
    char bytes[PACKED_SIZE];
    const char *why;
    if (seebatch_io_pack_marlin(bytes, &record, p, &why))
        for (unsigned damage = 0; damage < 8; damage++, bytes[draw(PACKED_SIZE)] ^= (char)(1 << draw(8)))
            test_packed(bytes, true);
    if (write_bullet(&block, NULL, &record, p, NULL, &why))
        for (unsigned damage = 0; damage < 8; damage++, block.out.data[draw(PACKED_SIZE)] ^= (char)(1 << draw(8)))
            test_packed(block.out.data, false);
    free(block.out.data);
}

typedef void nibbles_function(const uint64_t from[], uint64_t occupied, uint64_t to[]);
static void spread_by_plain_loop(const uint64_t from[], uint64_t occupied, uint64_t to[])
{
    spread_by_loop(from, occupied, to);
}
static void gather_by_plain_loop(const uint64_t from[], uint64_t occupied, uint64_t to[])
{
    gather_by_loop(from, occupied, to);
}

/* The board of a record, with any codes, taken apart and put together by each of the means. */
static void test_board(int n)
{
    static nibbles_function *const spreads[] = {spread_by_plain_loop, spread_by_vectors, spread_by_pdep},
                                   *const gathers[] = {gather_by_plain_loop, gather_by_vectors, gather_by_pdep};
    const uint64_t low = draw_word(), high = draw_word(), codes[2] = {low, high};
    uint64_t occupied = 0, spread[4], others[4], gathered[2], expected[4] = {0, 0, 0, 0};
    while (__builtin_popcountll(occupied) < n)
        occupied |= UINT64_C(1) << draw(64);
    /* Code number k, counted along the squares, stands in bits 4k to 4k + 3 of both words. */
    for (int square = 0, k = 0; square < 64; square++) {
        if (!(occupied >> square & 1))
            continue;
        const uint64_t code = (k < 16 ? low >> 4 * k : high >> 4 * (k - 16)) & 15;
        for (int b = 0; b < 4; b++)
            expected[b] |= (code >> b & 1) << square;
        k++;
    }
    const uint64_t ends[2] = {n < 16 ? low & ((UINT64_C(1) << 4 * n) - 1) : low,
                              n < 16   ? 0
                              : n < 32 ? high & ((UINT64_C(1) << 4 * (n - 16)) - 1)
                                       : high};
    for (int k = 0; k < 4; k++) /* what stands on empty squares does not count */
        others[k] = expected[k] | (draw_word() & ~occupied);
    for (int by = BY_LOOPS; by <= (HAS_BITS ? BY_PDEP : BY_LOOPS); by++) {
        spreads[by](codes, occupied, spread);
        faults += memcmp(spread, expected, sizeof expected) != 0;
        gathers[by](others, occupied, gathered);
        faults += memcmp(gathered, ends, sizeof ends) != 0;
    }
}

/* ---- Lines and numbers ------------------------------------------------------------------------------------------- */

/* Marks by the byte, by each way, in a text with few or many of them. */
static void test_marks(void)
{
    static char text[4096];
    static uint32_t places[MOST_MARKS + MARKS_SPACE], expected[sizeof text];
    const struct marks kinds[] = {{{'\n', '\n', '\n', '\n', '\n'}},
                                  {{',', '\n', '"', '\n', '\n'}},
                                  {{',', '\n', '"', '"', '"'}},
                                  {{' ', ';', '\n', '"', '\t'}}};
    const struct marks marks = kinds[draw(4)];
    const size_t length = draw(draw(2) ? 200 : sizeof text), goal = 1 + draw(MOST_MARKS);
    const unsigned kind = 1 + draw(60);
    size_t n_expected = 0;
    for (size_t i = 0; i < length; i++) {
        text[i] = draw(kind) ? (char)draw(256) : marks.of[draw(N_MARKS)];
        if (memchr(marks.of, text[i], N_MARKS) != NULL)
            expected[n_expected++] = (uint32_t)i;
    }
    for (int bits = 0; bits <= HAS_BITS; bits++) {
        const size_t n = (bits ? find_marks_by_bits : find_marks_by_loop)(text, length, marks, goal, places);
        const size_t least = goal < n_expected ? goal : n_expected;
        faults +=
            n < least || n > n_expected || n >= goal + MARKS_SPACE || memcmp(places, expected, n * sizeof *places) != 0;
    }
}

/* Writes a number, or what may look like one; returns its length. */
static int write_number(char *text)
{
    const int length = sprintf(text, "%s%u", draw(2) ? "-" : "", draw(1u << draw(31)));
    if (draw(3) == 0)
        text[draw((unsigned)length)] = "0-+. /:x\x80"[draw(9)];
    return length;
}

/* What the fast path reads is what is read by the slow path; and of at most eight digits, all. */
static void test_number(void)
{
    char text[40] = "        ";
    int64_t expected = 0;
    int32_t number = 0;
    const int length = write_number(text + 8);
    const bool known = seebatch_io_read_whole_number(text + 8, (size_t)length, INT32_MIN, INT32_MAX, &expected);
    const bool fast = fast_number(text, (struct cell){text + 8, (size_t)length}, &number);
    const bool usual = known && length - (text[8] == '-') <= 8 && text[8] != '+';
    faults += fast ? !known || number != expected : usual;
}

/* A score or a ply that was read with others, or was not; complete: it was one of four. */
static void expect_number(struct cell cell, bool has, int32_t number, bool may_be_negative, bool complete)
{
    int64_t expected = 0;
    const bool known =
        seebatch_io_read_whole_number(cell.text, cell.length, may_be_negative ? INT32_MIN : 0, INT32_MAX, &expected);
    const bool usual = known && cell.length <= 8 && *cell.text != '+';
    faults += has ? !known || number != expected : usual && complete;
}

/* What several at once are read as is what each is read as. */
static void test_fields(void)
{
    static const char *const results[] = {"1.0", "0.5", "0.0", "1.5", "1-0", "0", "*", "1.00", ""};
    enum { MOST_RECORDS = 9, OF_A_TEXT = 16 };
    static char text[8 + MOST_RECORDS * N_FIELDS * OF_A_TEXT];
    static struct source source;
    struct record records[MOST_RECORDS] = {0};
    struct usual usual[MOST_RECORDS] = {0};
    const size_t n = draw(MOST_RECORDS + 1), complete = HAS_BITS ? n / 4 * 4 : 0;
    source.columns.scale = draw(8) == 0 ? 100 : 0;
    for (size_t i = 0; i < n; i++) {
        struct cell *cells = usual[i].texts;
        char *at = text + 8 + N_FIELDS * OF_A_TEXT * i;
        cells[PLACE_OF_SCORE] = (struct cell){at, (size_t)write_number(at)};
        cells[PLACE_OF_PLY] = (struct cell){at + OF_A_TEXT, (size_t)write_number(at + OF_A_TEXT) * (draw(8) > 0)};
        cells[PLACE_OF_RESULT].text = strcpy(at + 2 * OF_A_TEXT, results[draw(sizeof results / sizeof *results)]);
        cells[PLACE_OF_RESULT].length = strlen(cells[PLACE_OF_RESULT].text);
    }
    seebatch_io_read_usual_fields(&source, usual, n, records);
    for (size_t i = 0; i < n; i++) {
        const struct cell *cells = usual[i].texts, result = cells[PLACE_OF_RESULT];
        const struct record *record = &records[i];
        const bool has_score = record->has & FIELD_SCORE;
        uint8_t expected = 0;
        const bool known = seebatch_io_result_of_text(result.text, result.length, &expected);
        faults += record->has & FIELD_RESULT ? !known || record->result != expected
                                             : known && result.length == 3 && result.text[1] == '.' && i < complete;
        faults += has_score && source.columns.scale != 0;
        expect_number(cells[PLACE_OF_SCORE], has_score, record->score, true, i < complete && source.columns.scale == 0);
        expect_number(cells[PLACE_OF_PLY], record->has & FIELD_PLY, record->ply, false, i < complete);
    }
}

int main(void)
{
    enum { GAMES = 600 / SHARE, STREWN = 60000 / SHARE };
    for (int i = 0; i < GAMES; i++)
        test_game();
    for (int i = 0; i < 300 / SHARE * (MOST_PACKED + 1); i++)
        test_board(i % (MOST_PACKED + 1));
    for (int i = 0; i < STREWN; i++) {
        const seebatch_position p = strewn();
        test_position(&p);
    }
    for (int i = 0; i < 2000; i++)
        test_marks();
    for (int i = 0; i < 100000 / SHARE; i++)
        test_number();
    for (int i = 0; i < 100000 / SHARE; i++)
        test_fields();
    faults += HAS_BITS && quickly_taken < 2 * STREWN;
    printf("%d games, %d boards, %ld faults%s\n", GAMES, STREWN, faults,
           !HAS_BITS ? "; SKIPPED: with the instructions of AVX2 and BMI2, which are not there" : "");
    return faults != 0;
}
