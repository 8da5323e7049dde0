/* seebatch_see.h as a kernel of the harness. */
#ifndef SEEBATCH_DIFFERENTIAL_HEADER_H
#define SEEBATCH_DIFFERENTIAL_HEADER_H

#include "kernel.h"

#ifdef __cplusplus
extern "C"
#endif
    extern const struct see_kernel header_kernel;

#endif
