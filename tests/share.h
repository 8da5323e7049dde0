/*
 * Of what is tried at random a fifth, where sanitizers make it slow.
 */
#ifndef SEEBATCH_TESTS_SHARE_H
#define SEEBATCH_TESTS_SHARE_H

#if defined(__SANITIZE_ADDRESS__)
enum { SHARE = 5 };
#else
enum { SHARE = 1 };
#endif

#endif
