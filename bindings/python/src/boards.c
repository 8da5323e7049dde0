/* Boards and moves of python-chess. It is not imported: what has the attributes of its objects is taken, and a board is
 * made by calling the class that the caller names. */
#include "core.h"

#include <string.h>

enum attribute {
    PAWNS,
    KNIGHTS,
    BISHOPS,
    ROOKS,
    QUEENS,
    KINGS,
    OCCUPIED,
    OCCUPIED_CO,
    TURN,
    CASTLING_RIGHTS,
    EP_SQUARE,
    HALFMOVE_CLOCK,
    FULLMOVE_NUMBER,
    CHESS960,
    UCI_VARIANT,
    FROM_SQUARE,
    TO_SQUARE,
    PROMOTION,
    DROP,
    N_ATTRIBUTES
};
static const char *const spelled[N_ATTRIBUTES] = {
    "pawns",       "knights",        "bishops",         "rooks",    "queens",
    "kings",       "occupied",       "occupied_co",     "turn",     "castling_rights",
    "ep_square",   "halfmove_clock", "fullmove_number", "chess960", "uci_variant",
    "from_square", "to_square",      "promotion",       "drop"};
static PyObject *names[N_ATTRIBUTES];

static const uint64_t FIRST_RANK[2] = {0xff, UINT64_C(0xff) << 56}, CORNERS = UINT64_C(0x8100000000000081);
enum { E1 = 4, E8 = 60 };

static int lowest(uint64_t set) { return __builtin_ctzll(set); }
static int highest(uint64_t set) { return 63 - __builtin_clzll(set); }

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

/* The attribute, or NULL with an exception. */
static PyObject *get(PyObject *object, enum attribute attribute, const char *expected)
{
    PyObject *value = PyObject_GetAttr(object, names[attribute]);
    if (value == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Format(PyExc_TypeError, "an object of %R has no attribute %U, expected %s", (PyObject *)Py_TYPE(object),
                     names[attribute], expected);
    return value;
}

/* A number from 0 to most, and a limit for None, if there is one. Steals value, which may be NULL. */
static bool number_of(PyObject *value, enum attribute attribute, uint64_t most, const uint64_t *none, uint64_t *number)
{
    if (value == NULL)
        return false;
    bool good = none != NULL && value == Py_None;
    if (good) {
        *number = *none;
    } else if (PyLong_Check(value)) {
        *number = PyLong_AsUnsignedLongLong(value);
        good = *number <= most && !(*number == UINT64_MAX && PyErr_Occurred());
    }
    if (!good) {
        PyErr_Clear();
        PyErr_Format(core_error, "%U is %R, expected %sa number from 0 to %llu", names[attribute], value,
                     none ? "None or " : "", (unsigned long long)most);
    }
    Py_DECREF(value);
    return good;
}

static const char A_BOARD[] = "a chess.Board", A_MOVE[] = "a chess.Move";

static bool board_number(PyObject *board, enum attribute attribute, uint64_t most, uint64_t *number)
{
    return number_of(get(board, attribute, A_BOARD), attribute, most, NULL, number);
}

/* ---- Boards to positions ----------------------------------------------------------------------------------------- */

/* python-chess has boards of variants, whose captures are others. */
static bool is_of_chess(PyObject *board)
{
    PyObject *variant = get(board, UCI_VARIANT, A_BOARD);
    if (variant == NULL)
        return false;
    const bool good = PyUnicode_Check(variant) && PyUnicode_CompareWithASCIIString(variant, "chess") == 0;
    if (!good)
        PyErr_Format(core_error,
                     "the board is of the variant %R, expected 'chess': its captures are worth something "
                     "else, or nothing",
                     variant);
    Py_DECREF(variant);
    return good;
}

/* The pieces; both colours, black first. */
static bool pieces_of(PyObject *board, uint64_t by_type[6], uint64_t by_color[2])
{
    uint64_t all = 0, twice = 0;
    for (int type = 0; type < 6; type++) {
        if (!board_number(board, (enum attribute)(PAWNS + type), UINT64_MAX, &by_type[type]))
            return false;
        twice |= all & by_type[type];
        all |= by_type[type];
    }
    PyObject *pair = get(board, OCCUPIED_CO, A_BOARD);
    bool good = pair != NULL;
    for (int white = 0; white < 2 && good; white++) {
        PyObject *set = PySequence_GetItem(pair, white);
        good = number_of(set, OCCUPIED_CO, UINT64_MAX, NULL, &by_color[white ? SEEBATCH_WHITE : SEEBATCH_BLACK]);
    }
    Py_XDECREF(pair);
    if (good && (twice || (by_color[0] & by_color[1]) || (by_color[0] | by_color[1]) != all)) {
        set_error("the board's bitboards do not agree, expected each piece in one of a type and in one of a colour");
        good = false;
    }
    return good;
}

/* What Board.clean_castling_rights() leaves of them: the king at home, and the outermost rook of each side. */
static void set_castling(seebatch_position *position, uint64_t rights, const uint64_t by_type[6],
                         const uint64_t by_color[2])
{
    for (int color = 0; color < 2; color++) {
        const uint64_t home = FIRST_RANK[color] & by_color[color];
        const uint64_t king = home & by_type[SEEBATCH_KING];
        const uint64_t rooks = rights & home & by_type[SEEBATCH_ROOK] & (position->shredder ? UINT64_MAX : CORNERS);
        const bool at_home = position->shredder || king == UINT64_C(1) << (color == SEEBATCH_WHITE ? E1 : E8);
        if (!king || !rooks || !at_home)
            continue;
        if (highest(rooks) > lowest(king))
            position->castling_rook[color][0] = (uint8_t)highest(rooks);
        if (lowest(rooks) < lowest(king))
            position->castling_rook[color][1] = (uint8_t)lowest(rooks);
    }
}

static bool has(PyObject *object, enum attribute attribute)
{
    PyObject *value = PyObject_GetAttr(object, names[attribute]);
    if (value == NULL)
        PyErr_Clear();
    Py_XDECREF(value);
    return value != NULL;
}

bool is_board(PyObject *object) { return has(object, OCCUPIED_CO); }

bool position_of_board(PyObject *board, seebatch_position *position)
{
    static const uint64_t no_square = SEEBATCH_NO_SQUARE;
    uint64_t by_type[6], by_color[2], turn, rights, ep_square, halfmoves, number, chess960;
    seebatch_error error;
    if (!pieces_of(board, by_type, by_color) || !is_of_chess(board) || !board_number(board, TURN, 1, &turn) ||
        !board_number(board, CASTLING_RIGHTS, UINT64_MAX, &rights) ||
        !number_of(get(board, EP_SQUARE, A_BOARD), EP_SQUARE, 63, &no_square, &ep_square) ||
        !board_number(board, HALFMOVE_CLOCK, UINT16_MAX, &halfmoves) ||
        !board_number(board, FULLMOVE_NUMBER, UINT16_MAX, &number) || !board_number(board, CHESS960, 1, &chess960))
        return false;
    *position = seebatch_position_from_bitboards(by_type, by_color, turn ? SEEBATCH_WHITE : SEEBATCH_BLACK);
    position->ep_square = (uint8_t)ep_square;
    position->shredder = (uint8_t)chess960;
    position->halfmove_clock = (uint16_t)halfmoves;
    position->fullmove_number = (uint16_t)number;
    set_castling(position, rights, by_type, by_color);
    if (seebatch_position_check(position, &error) == SEEBATCH_OK)
        return true;
    set_error(error.text);
    return false;
}

/* The exception that is set, with the number of what it is about before its sentence. */
static void prefix_error(const char *what, size_t number)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == core_error || type == PyExc_TypeError)
        PyErr_Format(type, "%s %zu: %S", what, number, value);
    else
        PyErr_Restore(type, value, traceback), type = value = traceback = NULL;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* Items of an iterable, each read into a block that grows. */
static Block *block_of_items(PyObject *items, const struct kind *kind, const char *what, bool read(PyObject *, void *))
{
    enum { SIGNALS_EVERY = 4096 };
    PyObject *iterator = PyObject_GetIter(items), *item;
    Block *block = iterator ? block_new(kind, 64) : NULL;
    size_t n = 0;
    while (block != NULL && (item = PyIter_Next(iterator)) != NULL) {
        bool good = n < (size_t)block->n || block_resize(block, n, 2 * n);
        if (good && !(good = read(item, (char *)block->data + n * kind->size)))
            prefix_error(what, n);
        Py_DECREF(item);
        n++;
        if (!good || (n % SIGNALS_EVERY == 0 && PyErr_CheckSignals() != 0))
            break;
    }
    Py_XDECREF(iterator);
    if (block != NULL && !PyErr_Occurred()) {
        block_finish(block, n);
        return block;
    }
    Py_XDECREF((PyObject *)block);
    return NULL;
}

static bool read_board(PyObject *board, void *to)
{
    seebatch_position *position = (seebatch_position *)to;
    if (!position_of_board(board, position))
        return false;
    clear_padding(position);
    return true;
}

/* from_boards(boards) -> positions, read-only and sound */
static PyObject *from_boards(PyObject *module, PyObject *boards)
{
    (void)module;
    Block *block = block_of_items(boards, &kind_positions, "board", read_board);
    if (block != NULL)
        block->sound = true;
    return (PyObject *)block;
}

/* ---- Positions to boards ----------------------------------------------------------------------------------------- */

/* Steals value. */
static bool set(PyObject *board, enum attribute attribute, PyObject *value)
{
    const bool good = value != NULL && PyObject_SetAttr(board, names[attribute], value) == 0;
    Py_XDECREF(value);
    return good;
}

static bool set_pieces(PyObject *board, const seebatch_position *position)
{
    for (int type = 0; type < 6; type++) {
        if (!set(board, (enum attribute)(PAWNS + type),
                 PyLong_FromUnsignedLongLong(seebatch_pieces_of_type(position, type))))
            return false;
    }
    const uint64_t all = position->plane[0] | position->plane[1] | position->plane[2];
    return set(board, OCCUPIED, PyLong_FromUnsignedLongLong(all)) &&
           set(board, OCCUPIED_CO,
               Py_BuildValue("[KK]", (unsigned long long)(all & ~position->white),
                             (unsigned long long)position->white));
}

static uint64_t rights_of(const seebatch_position *position)
{
    uint64_t rights = 0;
    for (int i = 0; i < 4; i++) {
        const int rook = position->castling_rook[i >> 1][i & 1];
        rights |= rook < 64 ? UINT64_C(1) << rook : 0;
    }
    return rights;
}

/* Castling as king takes rook: always with kings and rooks that stand elsewhere than usual. */
static bool is_chess960(const seebatch_position *position)
{
    static const int home[2] = {E1, E8};
    const uint64_t rights = rights_of(position);
    bool usual = !(rights & ~CORNERS);
    for (int color = 0; color < 2; color++)
        usual = usual && (!(rights & FIRST_RANK[color]) || seebatch_type_on(position, home[color]) == SEEBATCH_KING);
    return position->shredder || !usual;
}

/* A new board; NULL with an exception. */
static PyObject *board_of(const seebatch_position *position, PyObject *class, PyObject *none, PyObject *keywords)
{
    PyObject *chess960 = PyBool_FromLong(is_chess960(position));
    const bool said = PyDict_SetItemString(keywords, "chess960", chess960) == 0;
    Py_DECREF(chess960);
    PyObject *board = said ? PyObject_Call(class, none, keywords) : NULL;
    if (board == NULL)
        return NULL;
    const int passed = position->ep_square;
    if (set_pieces(board, position) && set(board, TURN, PyBool_FromLong(position->stm == SEEBATCH_WHITE)) &&
        set(board, CASTLING_RIGHTS, PyLong_FromUnsignedLongLong(rights_of(position))) &&
        (passed == SEEBATCH_NO_SQUARE || set(board, EP_SQUARE, PyLong_FromLong(passed))) &&
        set(board, HALFMOVE_CLOCK, PyLong_FromLong(position->halfmove_clock)) &&
        set(board, FULLMOVE_NUMBER, PyLong_FromLong(position->fullmove_number)))
        return board;
    Py_DECREF(board);
    return NULL;
}

/* to_boards(positions, class) -> list of boards, class(None, chess960=...) with its attributes set */
static PyObject *to_boards(PyObject *module, PyObject *args)
{
    PyObject *positions, *class, *list = NULL;
    struct input input = {0};
    (void)module;
    PyObject *none = Py_BuildValue("(O)", Py_None), *keywords = PyDict_New();
    if (none != NULL && keywords != NULL && PyArg_ParseTuple(args, "OO", &positions, &class) &&
        input_positions(&input, positions))
        list = PyList_New(0);
    for (size_t i = 0; i < input.n && list != NULL; i++) {
        PyObject *board = board_of(&input.positions[i], class, none, keywords);
        if (board == NULL || PyList_Append(list, board) != 0)
            Py_CLEAR(list);
        Py_XDECREF(board);
    }
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    input_free(&input);
    return list;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

bool is_move(PyObject *object) { return has(object, FROM_SQUARE); }

bool number_of_move(PyObject *object, seebatch_move *move)
{
    static const uint64_t nothing = 0;
    uint64_t from, to, promotion, drop;
    if (!number_of(get(object, FROM_SQUARE, A_MOVE), FROM_SQUARE, 63, NULL, &from) ||
        !number_of(get(object, TO_SQUARE, A_MOVE), TO_SQUARE, 63, NULL, &to) ||
        !number_of(get(object, PROMOTION, A_MOVE), PROMOTION, 5, &nothing, &promotion) ||
        !number_of(get(object, DROP, A_MOVE), DROP, 6, &nothing, &drop))
        return false;
    if (drop || from == to || promotion == 1) {
        PyErr_Format(core_error, "%S is %s, expected a move of a piece", object,
                     drop         ? "a drop"
                     : from == to ? "a null move"
                                  : "a promotion to a pawn");
        return false;
    }
    *move = (seebatch_move)(from | to << 6 | (promotion ? promotion - 1 : 0) << 12);
    return true;
}

static bool read_move(PyObject *object, void *to) { return number_of_move(object, (seebatch_move *)to); }

/* from_moves(moves) -> moves, of which nothing is known */
static PyObject *from_moves(PyObject *module, PyObject *moves)
{
    (void)module;
    return (PyObject *)block_of_items(moves, &kind_moves, "move", read_move);
}

PyMethodDef board_methods[] = {{"from_boards", from_boards, METH_O, NULL},
                               {"to_boards", to_boards, METH_VARARGS, NULL},
                               {"from_moves", from_moves, METH_O, NULL},
                               {NULL, NULL, 0, NULL}};

bool boards_ready(void)
{
    for (int i = 0; i < N_ATTRIBUTES; i++) {
        names[i] = PyUnicode_InternFromString(spelled[i]);
        if (names[i] == NULL)
            return false;
    }
    return true;
}
