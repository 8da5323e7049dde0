/* What the library takes of <stdlib.h>, for targets without a C library. */
#ifndef SEEBATCH_FREESTANDING_STDLIB_H
#define SEEBATCH_FREESTANDING_STDLIB_H

#define abs(x) __builtin_abs(x)

#endif
