/*
 * Real numbers as text, and text as real numbers, the same in every locale: where the caller has chosen one with a
 * decimal comma, the functions of C read and write that comma.
 */
#ifndef SEEBATCH_IO_NUMBERS_H
#define SEEBATCH_IO_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* A number as text fits into this room. */
enum { REAL_TEXT = 32 };

/* A decimal number with nothing around it: digits with a point or without one, perhaps a sign before them and an
 * exponent after them, as in "0.5", "1e-3". *number is the nearest double; of two, the even one; infinite where it is
 * too large. False if the text is no such number. */
bool seebatch_io_read_real(const char *text, size_t length, double *number);

/* A number with 1 to 17 significant digits, without zeros at the end, as printf() writes it for "%.*g": correctly
 * rounded, in the scientific form below 0.0001 and where the point lies after all digits. Returns the length. */
size_t seebatch_io_put_real(double number, int digits, char room[REAL_TEXT]);

/* The same with as many digits as it takes to read the number back, from 15 to 17; of a float, which narrow says it is,
 * from 6 to 9. */
size_t seebatch_io_put_shortest_real(double number, bool narrow, char room[REAL_TEXT]);

#endif
