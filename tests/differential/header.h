/* seebatch_see.h as a kernel of the harness. */
#ifndef SEEBATCH_DIFFERENTIAL_HEADER_H
#define SEEBATCH_DIFFERENTIAL_HEADER_H

#ifdef __cplusplus
extern "C" {
#endif

#include "dispatch/kernel.h" /* functions of the library, which is C */

extern const struct see_kernel header_kernel;

#ifdef __cplusplus
}
#endif

#endif
