/* The extension module seebatch._core: what the package seebatch is made of. */
#include "columns.h"

#include <string.h>

bool add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type)
{
    PyObject *made = PyType_FromSpec(spec);
    if (made == NULL)
        return false;
    *type = (PyTypeObject *)made;
    Py_INCREF(made);
    return PyModule_AddObject(module, name, made) == 0;
}

static PyObject *names_of(const char *name(size_t), bool wanted(size_t))
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && name(i) != NULL; i++) {
        PyObject *text = wanted(i) ? PyUnicode_FromString(name(i)) : NULL;
        if (text != NULL && PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static bool all(size_t index)
{
    (void)index;
    return true;
}

static PyObject *rule_sets(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return names_of(seebatch_rules_name, all);
}

static PyObject *kernels(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return names_of(seebatch_kernel_name, seebatch_kernel_available);
}

static PyObject *kernel(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(seebatch_kernel_active());
}

static PyObject *use_kernel(PyObject *module, PyObject *args)
{
    const char *name;
    seebatch_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "z", &name))
        return NULL;
    if (seebatch_kernel_use(name, &error) != SEEBATCH_OK) {
        set_error(error.text);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef own_methods[] = {
    {"rule_sets", rule_sets, METH_NOARGS,
     "rule_sets()\n--\n\nList the names of the rule sets.\n\nReturns\n-------\nlist of str\n\nExamples\n--------\n"
     ">>> sb.rule_sets()[:3]\n['legal', 'swap', 'promotions']\n"},
    {"kernels", kernels, METH_NOARGS,
     "kernels()\n--\n\nList the kernels that this machine runs, best first.\n\nReturns\n-------\nlist of "
     "str\n\nExamples\n--------\n"
     ">>> sb.kernels()[-1]\n'scalar'\n"},
    {"kernel", kernel, METH_NOARGS,
     "kernel()\n--\n\nName the kernel in use.\n\nReturns\n-------\nstr\n\nExamples\n--------\n>>> sb.kernel() in "
     "sb.kernels()\nTrue\n"},
    {"use_kernel", use_kernel, METH_VARARGS,
     "use_kernel(name, /)\n--\n\nChoose a kernel for the whole process.\n\nParameters\n----------\n"
     "name : str or None\n    One of kernels(). None: the best.\n\nRaises\n------\n"
     "Error\n    If this machine runs none of that name.\n\nExamples\n--------\n>>> sb.use_kernel(None)\n"},
    {NULL, NULL, 0, NULL}};

static bool add_methods(PyObject *module)
{
    PyMethodDef *const lists[] = {own_methods,    input_methods, text_methods,   move_methods,  evaluate_methods,
                                  single_methods, file_methods,  column_methods, board_methods, square_methods};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (PyModule_AddFunctions(module, lists[i]) != 0)
            return false;
    }
    return true;
}

PyMODINIT_FUNC PyInit__core(void); /* Python looks for it by this name */

PyMODINIT_FUNC PyInit__core(void)
{
    static struct PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "seebatch._core", NULL, -1, NULL, NULL, NULL, NULL, NULL};
    /* A kernel that the environment names and that is not there would abort later. */
    seebatch_error error;
    if (seebatch_kernel_use(NULL, &error) != SEEBATCH_OK) {
        set_exception(PyExc_ImportError, error.text);
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    core_error = PyErr_NewExceptionWithDoc("seebatch.Error", "What the library says is wrong, in a sentence.",
                                           PyExc_ValueError, NULL);
    if (module == NULL || core_error == NULL || !add_methods(module) || !block_ready(module) || !single_ready(module) ||
        !files_ready(module) || !columns_ready(module) || !boards_ready() ||
        PyModule_AddIntConstant(module, "ALWAYS", SEEBATCH_ALWAYS) != 0 ||
        PyModule_AddStringConstant(module, "version", seebatch_version()) != 0) {
        Py_XDECREF(module);
        return NULL;
    }
    Py_INCREF(core_error);
    PyModule_AddObject(module, "Error", core_error);
    return module;
}
