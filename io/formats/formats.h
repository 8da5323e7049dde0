/*
 * All formats, in the order in which help and messages name them. A new one is last: the fuzz corpus names formats by
 * their number. FORMAT(name) is a struct file_format in a file of its own.
 */
#ifndef SEEBATCH_IO_FORMATS_H
#define SEEBATCH_IO_FORMATS_H

#define FORMATS(ROW)                                                                                                   \
    ROW(fen)                                                                                                           \
    ROW(scored)                                                                                                        \
    ROW(csv)                                                                                                           \
    ROW(tsv)                                                                                                           \
    ROW(jsonl)                                                                                                         \
    ROW(marlin)                                                                                                        \
    ROW(bullet)                                                                                                        \
    ROW(viri)                                                                                                          \
    ROW(plain)                                                                                                         \
    ROW(binpack)                                                                                                       \
    ROW(pgn)                                                                                                           \
    ROW(epd)                                                                                                           \
    ROW(monty)                                                                                                         \
    ROW(lc0)                                                                                                           \
    ROW(puzzles)                                                                                                       \
    ROW(packed_sfen)

#define FORMAT(name) seebatch_io_##name##_format

#endif
