/* One position and one move: the type Position, see(), and the trace of an exchange. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* A sound position that does not change. */
typedef struct Position {
    PyObject ob_base;
    seebatch_position position;
    Py_ssize_t shape, stride;
} Position;

static PyTypeObject *position_type;

/* Where a str is, without blanks around it. */
static bool text_of_str(PyObject *object, const char *what, seebatch_text *text)
{
    Py_ssize_t length = 0;
    text->at = utf8_of(object, what, &length);
    text->length = (size_t)length;
    if (text->at != NULL)
        strip_text(text);
    return text->at != NULL;
}

static bool position_of_text(seebatch_text text, seebatch_position *position)
{
    seebatch_error error;
    strip_text(&text);
    if (seebatch_position_from_fen(text.at, text.length, position, &error) == SEEBATCH_OK)
        return true;
    set_error(error.text);
    return false;
}

bool position_of(PyObject *object, seebatch_position *position)
{
    Py_ssize_t length;
    seebatch_error error;
    if (Py_TYPE(object) == position_type) {
        *position = ((Position *)object)->position;
        return true;
    }
    if (PyUnicode_Check(object)) {
        seebatch_text text;
        return text_of_str(object, "FEN", &text) && position_of_text(text, position);
    }
    if (PyBytes_Check(object)) {
        char *bytes = NULL;
        PyBytes_AsStringAndSize(object, &bytes, &length);
        const seebatch_text text = {.at = bytes, .length = (size_t)length};
        return position_of_text(text, position);
    }
    Py_buffer view;
    if (!PyObject_CheckBuffer(object) && is_board(object))
        return position_of_board(object, position);
    if (PyObject_GetBuffer(object, &view, PyBUF_ND) != 0) {
        set_type_error("position", object,
                       "one: a Position, a FEN, a board of python-chess, or one record of an array");
        return false;
    }
    const Py_ssize_t bytes = view.len;
    const bool one = bytes == sizeof *position;
    if (one)
        memcpy(position, view.buf, sizeof *position);
    PyBuffer_Release(&view);
    if (!one) {
        PyErr_Format(core_error, "position has %zd bytes, expected one record of 48: positions[0]", bytes);
        return false;
    }
    if (seebatch_position_check(position, &error) == SEEBATCH_OK)
        return true;
    set_error(error.text);
    return false;
}

static PyObject *position_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {(char *)"position", NULL};
    PyObject *object;
    seebatch_position position;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O", names, &object) || !position_of(object, &position))
        return NULL;
    Position *self = PyObject_New(Position, position_type);
    if (self != NULL) {
        self->position = position;
        clear_padding(&self->position);
        self->shape = 1;
        self->stride = sizeof position;
    }
    return (PyObject *)self;
}

static void position_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int position_getbuffer(PyObject *object, Py_buffer *view, int flags)
{
    Position *self = (Position *)object;
    if (PyBuffer_FillInfo(view, object, &self->position, sizeof self->position, 1, flags) != 0)
        return -1;
    view->itemsize = sizeof self->position;
    view->format = (flags & PyBUF_FORMAT) ? (char *)(uintptr_t)kind_positions.format : NULL;
    view->shape = (flags & PyBUF_ND) ? &self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &self->stride : NULL;
    return 0;
}

static PyObject *position_fen(PyObject *self, void *closure)
{
    char fen[SEEBATCH_FEN_SIZE];
    (void)closure;
    const size_t n = seebatch_position_to_fen(&((Position *)self)->position, fen);
    return PyUnicode_FromStringAndSize(fen, (Py_ssize_t)n);
}

static PyObject *position_repr(PyObject *self)
{
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position_to_fen(&((Position *)self)->position, fen);
    return PyUnicode_FromFormat("seebatch.Position('%s')", fen);
}

static PyObject *position_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("(O(N))", position_type, position_fen(self, NULL));
}

static PyObject *position_compare(PyObject *a, PyObject *b, int operation)
{
    if (Py_TYPE(b) != position_type || (operation != Py_EQ && operation != Py_NE)) {
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    const bool same = memcmp(&((Position *)a)->position, &((Position *)b)->position, sizeof(seebatch_position)) == 0;
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static Py_hash_t position_hash(PyObject *self)
{
    const seebatch_position *p = &((Position *)self)->position;
    uint64_t hash = p->white + p->stm;
    for (int i = 0; i < 3; i++)
        hash = (hash ^ p->plane[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
    return (Py_hash_t)(hash >> 1);
}

static PyObject *position_stm(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((Position *)self)->position.stm);
}

static PyObject *position_in_check(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(seebatch_in_check(&((Position *)self)->position));
}

/* The 64 squares as letters, a1 to h8; a dot is an empty one. */
static PyObject *position_board(PyObject *self, void *closure)
{
    static const char letters[2][8] = {"PNBRQK.", "pnbrqk."};
    const seebatch_position *position = &((Position *)self)->position;
    char board[64];
    (void)closure;
    for (int square = 0; square < 64; square++)
        board[square] = letters[seebatch_color_on(position, square)][seebatch_type_on(position, square)];
    return PyUnicode_FromStringAndSize(board, sizeof board);
}

/* What notebooks show: the board with what hangs, by seebatch._svg. */
static PyObject *position_svg(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *module = PyImport_ImportModule("seebatch._svg");
    PyObject *picture = module ? PyObject_CallMethod(module, "position_svg", "O", self) : NULL;
    Py_XDECREF(module);
    return picture;
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

static bool move_of_text(PyObject *object, const seebatch_position *position, seebatch_move *move)
{
    seebatch_text text;
    seebatch_error error;
    if (!text_of_str(object, "move", &text))
        return false;
    if (seebatch_move_from_text(position, text.at, text.length, move, &error) == SEEBATCH_OK)
        return true;
    set_error(error.text);
    return false;
}

/* 16 bits of an int (numpy's too), or of a move of python-chess. */
static bool move_of_number(PyObject *object, seebatch_move *move)
{
    if (!PyIndex_Check(object) && is_move(object))
        return number_of_move(object, move);
    PyObject *index = PyBool_Check(object) ? NULL : PyNumber_Index(object); /* which makes 0 and 1 of False and True */
    if (index == NULL) {
        set_type_error("move", object,
                       "one: a str in UCI notation or SAN, an int of 16 bits, or a move of python-chess");
        return false;
    }
    int overflow;
    const long number = PyLong_AsLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow || number < 0 || number > UINT16_MAX || (number >> 12) > SEEBATCH_QUEEN) {
        set_error("the number is not a move, expected 16 bits: from-square, to-square, promotion");
        return false;
    }
    *move = (seebatch_move)number;
    return true;
}

/* A move, which has to be legal; castling in either form. */
static bool move_of(PyObject *object, const seebatch_position *position, seebatch_move *move)
{
    seebatch_error error;
    if (PyUnicode_Check(object))
        return move_of_text(object, position, move);
    if (!move_of_number(object, move))
        return false;
    char uci[6];
    if (seebatch_is_legal(position, *move))
        return true;
    seebatch_move_to_uci(*move, uci);
    if (seebatch_move_from_uci(position, uci, strlen(uci), move, &error) == SEEBATCH_OK)
        return true;
    set_error(error.text);
    return false;
}

/* Arguments of see() and trace(): a position, a move, rules and piece values, the last two by name too. */
struct arguments {
    seebatch_position position;
    seebatch_move move;
    seebatch_rules rules;
};

static bool parse(PyObject *const *args, Py_ssize_t n, PyObject *names, struct arguments *out)
{
    PyObject *given[4] = {NULL, NULL, NULL, NULL};
    static const char *const parameters[4] = {"position", "move", "rules", "piece_values"};
    const Py_ssize_t n_names = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < n && i < 4; i++)
        given[i] = args[i];
    for (Py_ssize_t i = 0; i < n_names; i++) {
        int k = 0;
        while (k < 4 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), parameters[k]) != 0)
            k++;
        if (k == 4 || given[k] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "unexpected argument %R, expected position, move, rules, piece_values, each once",
                         PyTuple_GetItem(names, i));
            return false;
        }
        given[k] = args[n + i];
    }
    if (n > 4 || given[0] == NULL || given[1] == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "expected the arguments position and move, then perhaps rules and piece_values");
        return false;
    }
    return rules_of(given[2], given[3], &out->rules) && position_of(given[0], &out->position) &&
           move_of(given[1], &out->position, &out->move);
}

PyDoc_STRVAR(see_doc,
             "see(position, move, rules='legal', piece_values=None)\n--\n\n"
             "Evaluate the exchange that one move begins.\n\n"
             "Parameters\n----------\n"
             "position : Position, FEN (str or bytes), chess.Board of python-chess, or one record of an array\n"
             "move : str in UCI notation or SAN, int of 16 bits, or chess.Move\n    It has to be legal.\n"
             "rules : str\n    The name of a rule set, one of rule_sets(), or with fields after it.\n"
             "piece_values : sequence of five int, optional\n"
             "    Of pawn, knight, bishop, rook and queen, each 0 to 3000. None: 100, 325, 325, 500, 1000.\n\n"
             "Returns\n-------\nint\n    In the units of the piece values, of the side that moves; or ALWAYS, 32767, a "
             "mark and no balance.\n\n"
             "Raises\n------\n"
             "Error\n    If the position is unsound, the move not legal, or there are no such rules.\n"
             "TypeError\n    If an argument is of another type.\n\n"
             "Examples\n--------\n"
             ">>> sb.see(\"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -\", \"Rxe5\")\n100\n");

static PyObject *see(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    struct arguments a;
    (void)module;
    if (!parse(args, n, names, &a))
        return NULL;
    return PyLong_FromLong(seebatch_value(&a.rules, &a.position, NULL, a.move));
}

static PyObject *text_of(const struct arguments *a, const seebatch_trace *trace)
{
    const size_t length = seebatch_trace_text(&a->rules, &a->position, a->move, trace, NULL, 0);
    char *text = (char *)malloc(length + 1);
    if (text == NULL)
        return PyErr_NoMemory();
    seebatch_trace_text(&a->rules, &a->position, a->move, trace, text, length + 1);
    PyObject *result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL);
    free(text);
    return result;
}

/* trace(position, move, rules, values) -> (Position, move, value, text, captures, refusals): what explain() shows. */
static PyObject *trace(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    struct arguments a;
    seebatch_trace trace;
    (void)module;
    if (!parse(args, n, names, &a))
        return NULL;
    seebatch_explain(&a.rules, &a.position, a.move, &trace);
    PyObject *captures = PyList_New(0), *refusals = PyList_New(0);
    bool good = captures != NULL && refusals != NULL;
    for (int i = 0; i < trace.length && good; i++) {
        const seebatch_capture *c = &trace.capture[i];
        PyObject *row = Py_BuildValue("(iiiiii)", c->from, c->color, c->piece, c->stays, c->gain, c->best);
        good = row != NULL && PyList_Append(captures, row) == 0;
        Py_XDECREF(row);
    }
    for (int i = 0; i < trace.n_refusals && good; i++) {
        const seebatch_refusal *r = &trace.refusal[i];
        PyObject *row = Py_BuildValue("(iiiiii)", r->step, r->from, r->color, r->piece, r->reason, r->by);
        good = row != NULL && PyList_Append(refusals, row) == 0;
        Py_XDECREF(row);
    }
    PyObject *text = good ? text_of(&a, &trace) : NULL, *result = NULL;
    if (text != NULL)
        result = Py_BuildValue("(iiOOO)", a.move, trace.value, text, captures, refusals);
    Py_XDECREF(text);
    Py_XDECREF(captures);
    Py_XDECREF(refusals);
    return result;
}

/* The functions take keywords and their arguments in an array. */
#define QUICK(function) ((PyCFunction)(void (*)(void))(function))
PyMethodDef single_methods[] = {{"see", QUICK(see), METH_FASTCALL | METH_KEYWORDS, see_doc},
                                {"trace", QUICK(trace), METH_FASTCALL | METH_KEYWORDS, NULL},
                                {NULL, NULL, 0, NULL}};

bool single_ready(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"__reduce__", position_reduce, METH_NOARGS, NULL},
        {"_repr_svg_", position_svg, METH_NOARGS, "The board with what hangs as SVG, for notebooks."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef fields[] = {{"fen", position_fen, NULL, "The position as a FEN with six fields.", NULL},
                                   {"board", position_board, NULL,
                                    "64 letters, a1 to h8: PNBRQK for White, pnbrqk for Black, a dot for none.", NULL},
                                   {"stm", position_stm, NULL, "The side to move: 0 White, 1 Black.", NULL},
                                   {"in_check", position_in_check, NULL, "Whether the side to move is in check.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "Position(position)\n--\n\nA sound position that does not change: of a FEN (str or bytes), of a chess.Board "
         "of python-chess, or of one record of an array.\n\nRaises Error if it is unreadable or unsound."},
        {Py_tp_new, (void *)position_new},
        {Py_tp_dealloc, (void *)position_dealloc},
        {Py_tp_repr, (void *)position_repr},
        {Py_tp_richcompare, (void *)position_compare},
        {Py_tp_hash, (void *)position_hash},
        {Py_tp_methods, methods},
        {Py_tp_getset, fields},
        {Py_bf_getbuffer, (void *)position_getbuffer},
        {0, NULL}};
    static PyType_Spec spec = {"seebatch.Position", sizeof(Position), 0, Py_TPFLAGS_DEFAULT, slots};
    return add_type(module, "Position", &spec, &position_type);
}
