/*
 * Positions as features of networks, and back: the piece on each square, and bitboards by colour and type.
 *
 * A piece is 6 * colour + type: 0 to 5 White's pawn, knight, bishop, rook, queen and king, 6 to 11 Black's, 12 an empty
 * square. So it is the index of its bitboard, too.
 */
#include "core.h"

#include <string.h>

enum { EMPTY = 12, PIECES = 12 };

/* The squares of a piece. */
static uint64_t squares_of(const seebatch_position *position, int piece)
{
    const uint64_t both = seebatch_pieces_of_type(position, piece % 6);
    return piece < 6 ? both & position->white : both & ~position->white;
}

static void write_board(const seebatch_position *position, void *to)
{
    uint8_t *board = (uint8_t *)to;
    memset(board, EMPTY, 64);
    for (int piece = 0; piece < PIECES; piece++) {
        for (uint64_t left = squares_of(position, piece); left != 0; left &= left - 1)
            board[__builtin_ctzll(left)] = (uint8_t)piece;
    }
}

static void write_bitboards(const seebatch_position *position, void *to)
{
    for (int piece = 0; piece < PIECES; piece++)
        ((uint64_t *)to)[piece] = squares_of(position, piece);
}

/* A block with so many items for each position; these need not be sound. */
static PyObject *one_each(PyObject *positions, const struct kind *kind, size_t items,
                          void write(const seebatch_position *, void *))
{
    struct input input = {0};
    Block *block = NULL;
    if (input_positions(&input, positions) && (block = block_new(kind, input.n * items)) != NULL) {
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t i = 0; i < input.n; i++)
            write(&input.positions[i], (char *)block->data + i * items * kind->size);
        PyEval_RestoreThread(thread);
        block_finish(block, input.n * items);
    }
    input_free(&input);
    return (PyObject *)block;
}

/* squares(positions) -> Block of 64 bytes each */
static PyObject *squares(PyObject *module, PyObject *positions)
{
    (void)module;
    return one_each(positions, &kind_boards, 64, write_board);
}

/* bitboards(positions) -> Block of 2 times 6 sets each */
static PyObject *bitboards(PyObject *module, PyObject *positions)
{
    (void)module;
    return one_each(positions, &kind_bitboards, PIECES, write_bitboards);
}

/* What a position has besides its pieces, in the order of from_squares(): where it stands, and how many bytes. */
static const struct {
    const char *name;
    size_t offset, size;
} fields[] = {{"stm", offsetof(seebatch_position, stm), 1},
              {"castling_rook", offsetof(seebatch_position, castling_rook), 4},
              {"ep_square", offsetof(seebatch_position, ep_square), 1},
              {"shredder", offsetof(seebatch_position, shredder), 1},
              {"halfmove_clock", offsetof(seebatch_position, halfmove_clock), 2},
              {"fullmove_number", offsetof(seebatch_position, fullmove_number), 2}};
enum { N_FIELDS = sizeof fields / sizeof *fields };

/* The pieces on a board, of its twelve bitboards. False with an exception if two are on one square. */
static bool board_of_sets(uint8_t board[64], size_t i, const uint8_t *bytes)
{
    uint64_t sets[PIECES];
    memcpy(sets, bytes, sizeof sets);
    memset(board, EMPTY, 64);
    for (int piece = 0; piece < PIECES; piece++) {
        for (uint64_t left = sets[piece]; left != 0; left &= left - 1) {
            const int square = __builtin_ctzll(left);
            if (board[square] != EMPTY) {
                PyErr_Format(core_error,
                             "boards: square %d of board %zu is in the bitboards of the pieces %d and %d, "
                             "expected one of them",
                             square, i, board[square], piece);
                return false;
            }
            board[square] = (uint8_t)piece;
        }
    }
    return true;
}

/* One position of a board and fields, which may be NULL. False with an exception if it is unsound. */
static bool read_squares(seebatch_position *position, size_t i, const uint8_t *board, const void *const given[N_FIELDS])
{
    uint8_t pieces[64];
    seebatch_error error;
    for (int square = 0; square < 64; square++) {
        const uint8_t piece = board[square];
        if (piece > EMPTY) {
            PyErr_Format(core_error, "boards: square %d of board %zu is %d, expected a piece from 0 to 11, or 12",
                         square, i, piece);
            return false;
        }
        pieces[square] = piece == EMPTY ? SEEBATCH_NO_PIECE : (uint8_t)SEEBATCH_PIECE(piece % 6, piece / 6);
    }
    *position = seebatch_position_from_pieces(pieces, SEEBATCH_WHITE);
    for (int k = 0; k < N_FIELDS; k++) {
        if (given[k] != NULL)
            memcpy((char *)position + fields[k].offset, (const char *)given[k] + i * fields[k].size, fields[k].size);
    }
    clear_padding(position);
    if (seebatch_position_check(position, &error) == SEEBATCH_OK)
        return true;
    PyErr_Format(core_error, "board %zu: %s", i, error.text);
    return false;
}

/* from_squares(boards, whether these are bitboards, stm, castling_rook, ep_square, shredder, halfmove_clock, fullmove_number) -> positions, read-only
 * and sound; all but boards may be None. One dimension each. */
static PyObject *from_squares(PyObject *module, PyObject *args)
{
    PyObject *boards, *objects[N_FIELDS];
    struct input input = {0};
    const void *data, *given[N_FIELDS] = {NULL};
    size_t n, have;
    int are_sets;
    uint8_t board[64];
    Block *block = NULL;
    (void)module;
    bool good = PyArg_ParseTuple(args, "OpOOOOOO", &boards, &are_sets, &objects[0], &objects[1], &objects[2],
                                 &objects[3], &objects[4], &objects[5]) &&
                input_view(&input, boards, "boards", are_sets ? PIECES * sizeof(uint64_t) : 64, &data, &n);
    for (int k = 0; k < N_FIELDS && good; k++) {
        if (objects[k] == Py_None)
            continue;
        good = input_view(&input, objects[k], fields[k].name, fields[k].size, &given[k], &have);
        if (good && have != n) {
            PyErr_Format(core_error, "%s: there are %zu, expected one for each board: %zu", fields[k].name, have, n);
            good = false;
        }
    }
    if (good && (block = block_new(&kind_positions, n)) != NULL) {
        for (size_t i = 0; i < n && good; i++) {
            const uint8_t *const at = (const uint8_t *)data + (are_sets ? sizeof(uint64_t) * PIECES : 64) * i;
            good = (!are_sets || board_of_sets(board, i, at)) &&
                   read_squares((seebatch_position *)block->data + i, i, are_sets ? board : at, given);
        }
        block_finish(block, n);
        block->sound = true;
        if (!good)
            Py_CLEAR(block);
    }
    input_free(&input);
    return (PyObject *)block;
}

PyMethodDef square_methods[] = {{"squares", squares, METH_O, NULL},
                                {"bitboards", bitboards, METH_O, NULL},
                                {"from_squares", from_squares, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
