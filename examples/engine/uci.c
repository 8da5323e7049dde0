/*
 * The engine as a program: the Universal Chess Interface (UCI) on standard input and output.
 *
 * The main thread reads commands; a search has a thread of its own, so that "stop", "isready" and "quit" are heard
 * while it thinks. What cannot be read is said in an "info string", and changes nothing.
 */
#define _POSIX_C_SOURCE 200809L /* getline, flockfile, strcasecmp */
#include "bench.h"
#include "search.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HASH_DEFAULT = 16, HASH_MAX = 4096, OVERHEAD_MS = 30, BENCH_DEPTH = 11, BENCH_ROUNDS = 3 };

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define BLANKS " \t\r\n"

static struct table table;
static struct search search = {.table = &table, .see = {.batch = true}};
static struct board board; /* the root of the next search, and the game that led to it in search.keys */

/* The search's thread. It may not speak before it is told to stop while `waits` is set ("go infinite"). */
static pthread_t thread;
static bool has_thread;
static bool waits;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told_to_stop = PTHREAD_COND_INITIALIZER;

/* A line, whole, whichever thread writes it. */
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(stdout);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
    va_end(arguments);
}

/* ---- A search --------------------------------------------------------------------------------------------------- */

static void report(const struct search *s, int depth, int score)
{
    const int64_t ms = clock_ms() - s->started;
    char value[32], pv[MAX_PLY * 6 + 1];
    if (score > SCORE_MATE_BOUND)
        snprintf(value, sizeof value, "mate %d", (SCORE_MATE - score + 1) / 2);
    else if (score < -SCORE_MATE_BOUND)
        snprintf(value, sizeof value, "mate %d", -(SCORE_MATE + score) / 2);
    else
        snprintf(value, sizeof value, "cp %d", score);
    size_t length = 0;
    for (int i = 0; i < s->line_length; i++) {
        pv[length++] = ' ';
        length += seebatch_move_to_uci(s->line[i], pv + length);
    }
    pv[length] = '\0';
    say("info depth %d seldepth %d score %s nodes %" PRIu64 " nps %" PRIu64 " time %" PRId64 " pv%s", depth, s->deepest,
        value, s->nodes, s->nodes * 1000 / (uint64_t)(ms > 0 ? ms : 1), ms, pv);
}

static void *think(void *unused)
{
    (void)unused;
    const seebatch_move move = search_run(&search, &board);
    pthread_mutex_lock(&mutex);
    while (waits)
        pthread_cond_wait(&told_to_stop, &mutex);
    pthread_mutex_unlock(&mutex);
    char text[6] = "0000"; /* no legal move: UCI's null move */
    if (move)
        seebatch_move_to_uci(move, text);
    say("bestmove %s", text);
    return NULL;
}

static void tell_to_stop(void)
{
    atomic_store(&search.stop, true);
    pthread_mutex_lock(&mutex);
    waits = false;
    pthread_cond_signal(&told_to_stop);
    pthread_mutex_unlock(&mutex);
}

/* Waits for the search to say its move. */
static void join_search(void)
{
    if (has_thread)
        pthread_join(thread, NULL);
    has_thread = false;
}

static void stop_search(void)
{
    if (has_thread)
        tell_to_stop();
    join_search();
}

/* ---- Commands --------------------------------------------------------------------------------------------------- */

static char *next_word(void) { return strtok(NULL, BLANKS); }

/* A whole number up to max, or 0 for those below: clocks may have run out. Otherwise a complaint, and false. */
static bool read_number(const char *name, const char *word, int64_t max, int64_t *number)
{
    char *end;
    const long long value = word ? strtoll(word, &end, 10) : 0;
    if (!word || end == word || *end != '\0' || value > max) {
        say("info string %s: expected a number up to %" PRId64 ", found '%s'", name, max, word ? word : "nothing");
        return false;
    }
    *number = value < 0 ? 0 : value;
    return true;
}

/* The keys of a game are those since its last capture or pawn move: no older position can come again. */
static void remember(const struct board *b)
{
    if (b->position.halfmove_clock == 0)
        search.n_keys = 0;
    if (search.n_keys == MAX_HISTORY) /* fifty moves have long passed */
        memmove(search.keys, search.keys + 1, (size_t)--search.n_keys * sizeof *search.keys);
    search.keys[search.n_keys++] = b->key;
}

static void set_position(void)
{
    char fen[256] = START_FEN;
    char *word = next_word();
    seebatch_position position;
    seebatch_error error;
    if (word && strcmp(word, "fen") == 0) {
        size_t length = 0;
        for (word = next_word(); word && strcmp(word, "moves") != 0; word = next_word()) {
            if (length + strlen(word) + 2 > sizeof fen) {
                say("info string position: the FEN is longer than %zu characters", sizeof fen - 1);
                return;
            }
            length += (size_t)sprintf(fen + length, "%s%s", length ? " " : "", word);
        }
        fen[length] = '\0';
    } else if (word && strcmp(word, "startpos") == 0) {
        word = next_word();
        if (word && strcmp(word, "moves") != 0) {
            say("info string position: expected moves, found '%s'", word);
            return;
        }
    } else {
        say("info string position: expected startpos or fen, found '%s'", word ? word : "nothing");
        return;
    }
    if (seebatch_position_from_fen(&position, fen, strlen(fen), &error)) {
        say("info string position: %s", error.text);
        return;
    }
    board_set(&board, &position);
    search.n_keys = 0;
    remember(&board);
    while (word && (word = next_word())) {
        seebatch_move move;
        if (seebatch_move_from_uci(&board.position, word, strlen(word), &move, &error)) {
            say("info string position: %s; it and the moves after it are left out", error.text);
            return;
        }
        board_play(&board, move);
        remember(&board);
    }
}

/* How long to think with so much time for so many moves (0: for the whole game). */
static void set_time(struct limits *limits, int64_t time, int64_t increment, int64_t moves_to_go)
{
    const int64_t usable = time > 2 * OVERHEAD_MS ? time - OVERHEAD_MS : time / 2;
    const int64_t share = usable / (moves_to_go > 0 && moves_to_go < 30 ? moves_to_go + 1 : 30) + increment * 3 / 4;
    const int64_t most = moves_to_go == 1 ? usable * 9 / 10 : usable / 2;
    limits->hard_ms = 4 * share < most ? 4 * share : most;
    limits->soft_ms = share / 2 < limits->hard_ms ? share / 2 : limits->hard_ms;
    limits->hard_ms += limits->hard_ms == 0; /* 0 would be no limit at all */
    limits->soft_ms += limits->soft_ms == 0;
}

enum go_word { WTIME, BTIME, WINC, BINC, MOVESTOGO, MOVETIME, DEPTH, NODES, N_GO_WORDS };

/* Reads what follows "go", passing over words that it does not know; false if a number or a move makes no sense. */
static bool read_limits(struct limits *limits, bool *infinite)
{
    static const char *const names[N_GO_WORDS] = {"wtime",     "btime",    "winc",  "binc",
                                                  "movestogo", "movetime", "depth", "nodes"};
    int64_t number[N_GO_WORDS] = {0};
    bool given[N_GO_WORDS] = {false};
    seebatch_error error;
    bool is_move_list = false;
    for (char *word = next_word(); word; word = next_word()) {
        int i = 0;
        while (i < N_GO_WORDS && strcmp(word, names[i]) != 0)
            i++;
        if (i < N_GO_WORDS) {
            if (!read_number(word, next_word(), INT64_MAX / 8, &number[i]))
                return false;
            given[i] = true;
        } else if (strcmp(word, "infinite") == 0) {
            *infinite = true;
        } else if (strcmp(word, "searchmoves") == 0) {
            is_move_list = true;
            continue;
        } else if (is_move_list && limits->n_moves < SEEBATCH_MAX_MOVES) {
            seebatch_move *move = &limits->moves[limits->n_moves++];
            if (seebatch_move_from_uci(&board.position, word, strlen(word), move, &error)) {
                say("info string go: %s", error.text);
                return false;
            }
            continue;
        } else {
            say("info string go: '%s' is not understood", word);
        }
        is_move_list = false;
    }
    const bool black = board.position.stm == SEEBATCH_BLACK;
    for (int i = MOVETIME; i <= NODES; i++)
        number[i] += given[i] && number[i] == 0; /* 0 would be no limit at all */
    limits->depth = (int)(number[DEPTH] < MAX_DEPTH ? number[DEPTH] : MAX_DEPTH);
    limits->nodes = (uint64_t)number[NODES];
    if (given[MOVETIME])
        limits->hard_ms = number[MOVETIME];
    else if (!*infinite && given[black ? BTIME : WTIME])
        set_time(limits, number[black ? BTIME : WTIME], number[black ? BINC : WINC], number[MOVESTOGO]);
    else if (!given[DEPTH] && !given[NODES])
        *infinite = true;
    return true;
}

static void go(void)
{
    struct limits limits = {0};
    bool infinite = false;
    if (!read_limits(&limits, &infinite)) {
        say("bestmove 0000"); /* the other side waits for one */
        return;
    }
    search.limits = limits;
    atomic_store(&search.stop, false);
    waits = infinite;
    has_thread = pthread_create(&thread, NULL, think, NULL) == 0;
    if (!has_thread) { /* then here: it cannot be stopped, so it may not be infinite */
        waits = false;
        search.limits.depth = infinite ? 1 : limits.depth;
        think(NULL);
    }
}

static void set_option(void)
{
    char *word = next_word(), *name = next_word();
    char *value_word = next_word(), *value = next_word();
    int64_t number;
    if (!word || strcmp(word, "name") != 0 || !name || !value_word || strcmp(value_word, "value") != 0 || !value) {
        say("info string setoption: expected name, an option, value, and a value");
    } else if (strcasecmp(name, "Hash") == 0) {
        if (!read_number("Hash", value, HASH_MAX, &number))
            return;
        if (number < 1 || !table_resize(&table, (size_t)number))
            say("info string Hash: no table of %" PRId64 " MiB; it stays as it is", number);
    } else if (strcasecmp(name, "Batch") == 0 && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)) {
        search.see.batch = strcmp(value, "true") == 0;
    } else {
        say("info string setoption: there is no option %s that can be '%s'", name, value);
    }
}

static void introduce(void)
{
    say("id name seebatch example engine %s", seebatch_version());
    say("id author the seebatch authors");
    say("option name Hash type spin default %d min 1 max %d", HASH_DEFAULT, HASH_MAX);
    say("option name Batch type check default true");
    say("uciok");
}

/* Carries a line out; false for "quit". */
static bool obey(char *line)
{
    const char *command = strtok(line, BLANKS);
    if (!command)
        return true;
    if (strcmp(command, "quit") == 0)
        return false;
    if (strcmp(command, "isready") == 0) {
        say("readyok");
    } else if (strcmp(command, "stop") == 0) {
        stop_search();
    } else if (strcmp(command, "uci") == 0) {
        introduce();
    } else if (strcmp(command, "go") == 0) {
        stop_search();
        go();
    } else if (strcmp(command, "position") == 0) {
        stop_search();
        set_position();
    } else if (strcmp(command, "setoption") == 0) {
        stop_search();
        set_option();
    } else if (strcmp(command, "ucinewgame") == 0) {
        stop_search();
        search_new_game(&search);
    } else {
        say("info string '%s' is not understood", command);
    }
    return true;
}

static int converse(void)
{
    char *line = NULL;
    size_t room = 0;
    if (!table_resize(&table, HASH_DEFAULT)) {
        fprintf(stderr, "no memory for a table of %d MiB\n", HASH_DEFAULT);
        return 1;
    }
    search.report = report;
    bool more = true, quit = false;
    seebatch_position position;
    seebatch_position_from_fen(&position, START_FEN, strlen(START_FEN), NULL);
    board_set(&board, &position);
    remember(&board);
    while (more && !quit) {
        more = getline(&line, &room, stdin) >= 0;
        quit = more && !obey(line);
    }
    /* At the end of the input a search may finish, unless it would go on for ever. */
    if (has_thread && (quit || waits))
        tell_to_stop();
    join_search();
    free(line);
    free(table.entries);
    return 0;
}

int main(int argc, char **argv)
{
    seebatch_error error;
    if (seebatch_kernel_use(NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    board_init();
    picker_init();
    search_init();
    if (argc == 1)
        return converse();
    const int depth = argc > 2 ? atoi(argv[2]) : BENCH_DEPTH, rounds = argc > 3 ? atoi(argv[3]) : BENCH_ROUNDS;
    if (strcmp(argv[1], "bench") != 0 || argc > 4 || depth < 1 || depth > MAX_DEPTH || rounds < 1) {
        fprintf(stderr,
                "usage: %s                          speaks UCI\n"
                "       %s bench [DEPTH [ROUNDS]]   nodes per second; DEPTH 1 to %d\n",
                argv[0], argv[0], MAX_DEPTH);
        return 2;
    }
    return bench_run(depth, rounds) ? 0 : 1;
}
