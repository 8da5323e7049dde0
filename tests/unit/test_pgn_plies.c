/*
 * The fast path through the movetext of games (io/formats/games/pgn_plies.c) against the slow one: random games as
 * programs and people write them, half of them open to damage, must be read alike, to the last byte and to the words of an
 * error. The slow path is what remains when no byte may be read ahead.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../share.h"

static bool wide; /* whether the instructions of AVX-512 are used */
#define HAS_WIDE wide
#ifdef __x86_64__
#define WAYS (1 + (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")))
#else
#define WAYS 1
#endif
#include "formats/games/pgn_plies.c"

enum { MOST_TEXT = 1 << 16, AHEAD = 256 };

static uint64_t seed = 1;
static long faults, fast_plies;

static unsigned draw(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 20) % n;
}

/* ---- Games as text ----------------------------------------------------------------------------------------------- */

static char text[MOST_TEXT + AHEAD];
static size_t length;

static void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, MOST_TEXT - length, format, arguments);
    va_end(arguments);
}

static void add_blank(void)
{
    static const char *const blanks[] = {
        " ", " ", " ", " ", " ", "\n", "\r\n", "  ", "\t", "\v", "\n\n", "\n% not a move\n", ""};
    add("%s", blanks[draw(20) == 0 ? draw(13) : draw(7)]);
}

static void add_number(const seebatch_position *p)
{
    static const char *const after[] = {".", ". ", "...", "... ", " ", " . ", "", "/ ", ".\n", ". ."};
    const bool usual = draw(8) != 0;
    if (usual ? p->stm == SEEBATCH_WHITE : draw(2) == 0)
        add("%d%s", p->fullmove_number, after[usual ? draw(2) : draw(10)]);
}

static void add_comment(void)
{
    static const char *const others[] = {"book",
                                         "1.2s",
                                         "",
                                         "No result",
                                         "+M12/30 0.1s",
                                         "-M4/9",
                                         "[%eval 0.25]",
                                         "[%eval #-3,18] +1.00/3",
                                         "+0.5.7/17 1s",
                                         "+1.00",
                                         "0.31/5 a",
                                         "+123456.00/3",
                                         "+1.00/",
                                         "+1.0/3",
                                         "+1.000/3",
                                         "-.50/3",
                                         "+1.00/3}{+2.00/4",
                                         "+1.00/3 [%clk 1]",
                                         "( e4",
                                         "-0.01/2,b",
                                         "+1.00/3;",
                                         "*1.00/3",
                                         "+1:00/3"};
    const unsigned kind = draw(16);
    if (kind == 0)
        return;
    add_blank();
    if (kind == 1)
        add("{%s}", others[draw(sizeof others / sizeof others[0])]);
    else
        add("{%s%u.%02u/%u%s%u.%03us%s}", draw(2) ? "+" : "-", draw(4) ? draw(9) : draw(12000), draw(100), draw(40),
            draw(6)   ? " "
            : draw(2) ? "\n"
                      : "",
            draw(3), draw(1000),
            draw(20) == 0 ? ", White wins by adjudication, a comment longer than a window, and more than that" : "");
}

static void add_game(void)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 65530 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 65530",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
    };
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    const char *fen = fens[draw(4) == 0 ? draw(5) : 0], *result = results[draw(4)];
    seebatch_position p;
    seebatch_position_from_fen(fen, strlen(fen), &p, NULL);
    add("[Event \"a game\"]\n[FEN \"%s\"]\n[Result \"%s\"]\n\n", fen, result);
    for (unsigned most = draw(8) == 0 ? 1100 : draw(120); most > 0 && length < MOST_TEXT / 2; most--) {
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        char san[SEEBATCH_SAN_SIZE];
        const size_t n = seebatch_legal_moves(&p, moves);
        if (n == 0)
            break;
        const seebatch_move move = moves[draw((unsigned)n)];
        seebatch_move_to_san(&p, move, san);
        if (draw(100) == 0)
            san[strcspn(san, "+#x")] = '\0';
        add_number(&p);
        add("%s%s", san, draw(40) ? "" : draw(2) ? "!?" : " e.p.");
        add_comment();
        add_blank();
        seebatch_play(&p, move);
    }
    add(" %s\n\n", result);
}

static void damage(void)
{
    static const char characters[] = "abcdefgh12345678BKNQRx+#={}().[]/ \n\r0O-*%;$e\0";
    for (unsigned n = draw(3); n > 0; n--)
        text[draw((unsigned)length)] = characters[draw(sizeof characters)];
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    enum pgn_outcome outcome;
    struct pgn_text text;
    struct bytes plies;
    struct pgn_game game;
    seebatch_error error;
};

static void read_text(struct reading *reading, const char *begin, const char *end, bool ahead)
{
    const char *last = ahead ? text + length + AHEAD : begin;
    reading->text = (struct pgn_text){text, begin, end, last, 7};
    reading->error.text[0] = '\0';
    reading->outcome =
        seebatch_io_pgn_read_game(&reading->text, NULL, &reading->game, &reading->plies, &reading->error);
}

static bool same_plies(const struct reading *a, const struct reading *b)
{
    bool same = a->game.n == b->game.n;
    for (size_t i = 0; same && i < a->game.n; i++) {
        const struct pgn_ply *p = (const struct pgn_ply *)(const void *)a->plies.data + i;
        const struct pgn_ply *q = (const struct pgn_ply *)(const void *)b->plies.data + i;
        const struct pgn_score *s = &p->score, *t = &q->score;
        char fen[2][SEEBATCH_FEN_SIZE] = {"", ""};
        for (int k = 0; k < 2 && i < PGN_KEPT; k++)
            seebatch_position_to_fen(&(k ? b : a)->game.kept[i], fen[k]);
        same = p->move == q->move && p->length == q->length && p->at == q->at && p->newlines == q->newlines &&
               s->kind == t->kind && strcmp(fen[0], fen[1]) == 0 &&
               (s->kind == PGN_NO_SCORE ||
                (s->at == t->at && s->length == t->length && (s->kind == PGN_SCORE_WRONG || s->value == t->value)));
    }
    return same;
}

static void compare(const char *begin, const char *end)
{
    static struct reading slow, fast;
    read_text(&slow, begin, end, false);
    for (int i = 0; i < WAYS; i++) {
        wide = i == 1;
        read_text(&fast, begin, end, true);
        const bool same = slow.outcome == fast.outcome && slow.text.at == fast.text.at &&
                          slow.text.newlines == fast.text.newlines && strcmp(slow.error.text, fast.error.text) == 0 &&
                          same_plies(&slow, &fast);
        if (!same && faults++ < 5)
            printf("slow: %d, %zu moves, at %td: %s\nfast: %d, %zu moves, at %td: %s\n%.*s\n", slow.outcome,
                   slow.game.n, slow.text.at - begin, slow.error.text, fast.outcome, fast.game.n, fast.text.at - begin,
                   fast.error.text, (int)(end - begin), begin);
    }
}

/* What the fast path takes by itself of a game that is not damaged. */
static void count_by_fast_path(void)
{
    static struct pgn_game game;
    struct bytes plies = {NULL, 0, 0, false};
    struct pgn_score score = {.kind = PGN_NO_SCORE};
    const char *movetext = strstr(text, "\n\n");
    struct pgn_text from = {text, movetext, text + length, text + length + AHEAD, 0};
    const char *fen = strstr(text, "[FEN \"") + 6;
    seebatch_position_from_fen(fen, strcspn(fen, "\""), &game.start, NULL);
    seebatch_position position = game.start;
    seebatch_io_pgn_read_plies(&from, &game, &position, &plies, &score);
    fast_plies += (long)game.n;
    free(plies.data);
}

static void test_next_game(void)
{
    const char *end = text + length, *slow = text, *fast = text;
    uint64_t newlines[2] = {0, 0};
    while (slow < end && fast == slow && newlines[0] == newlines[1]) {
        fast = seebatch_io_pgn_next_game(text, fast, end, &newlines[1]);
        while ((slow = memchr(slow, '\n', (size_t)(end - slow))) != NULL) {
            newlines[0]++;
            if (seebatch_io_pgn_begins_game(text, ++slow, end))
                break;
        }
        slow = slow != NULL ? slow : end;
    }
    if ((fast != slow || newlines[0] != newlines[1]) && faults++ < 5)
        printf("the next game is at %td after %lu line feeds, expected %td after %lu\n", fast - text,
               (unsigned long)newlines[1], slow - text, (unsigned long)newlines[0]);
}

int main(void)
{
    enum { GAMES = 20000 / SHARE };
    for (int i = 0; i < GAMES; i++) {
        length = 0;
        add_game();
        const size_t first = length;
        add_game(); /* which may be read ahead of the first one's end */
        if (i % 2 == 0)
            count_by_fast_path();
        else
            damage();
        compare(text, text + first);
        test_next_game();
    }
    const bool fast = HAS_BITS;
    faults += fast && fast_plies < GAMES;
    printf("%d games, %ld plies taken by the fast path, %ld faults%s\n", GAMES, fast_plies, faults,
           fast ? "" : "; SKIPPED: the fast path, for which the processor lacks instructions");
    return faults != 0;
}
