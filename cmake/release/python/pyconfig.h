/* What Python's headers ask about a system, for wheels of the stable ABI that are compiled for another: all of 64 bits. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define ALIGNOF_SIZE_T 8
#define HAVE_SSIZE_T 1
#define HAVE_STDDEF_H 1
#define HAVE_UNISTD_H 1
#define HAVE_SYS_TYPES_H 1
#define WITH_DOC_STRINGS 1

#ifdef _WIN32
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define MS_WINDOWS
#define MS_WIN64
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED 1
#else
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#endif

#endif
