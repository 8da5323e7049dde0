/*
 * What it means to an engine: the captures of one node, generated, evaluated and put in order, as a move picker does it
 * with one call a capture, and with one call for all of them.
 *
 * A pass visits nodes and at each hands out captures until the search is done with it: after the first good one, after
 * the second, or never, so that all good ones and then all bad ones are handed out. A capture is good if its exchange
 * value is at least 0. Five ways to do it:
 *
 *   lazy      most valuable victim, least valuable attacker first; each capture is asked ge 0 when its turn comes
 *   eager     the value of each, one call a capture, and an insertion sort by value
 *   mask      as lazy, but all are asked at once before: seebatch_ge_mask()
 *   batch     seebatch_order()
 *   generate  nothing but the generation, which is in all of the others
 */
#ifndef SEEBATCH_BENCH_NODE_H
#define SEEBATCH_BENCH_NODE_H

#include "workload.h"

/* The nodes of a pass: indices of positions of the shape "bulk". */
struct node_set {
    const char *name;
    size_t n;
    uint32_t *position;
};

enum { NODE_SETS = 2, ALL_CAPTURES = SEEBATCH_MAX_MOVES };

struct node_pass {
    char name[64]; /* SHAPE/STOP/KERNEL */
    const struct shape *shape;
    const struct node_set *set;
    const char *kernel; /* NULL: the textbook code, or none */
    size_t stop;        /* so many good captures are enough */
    seebatch_rules rules;
    bool evaluates;     /* not the generation alone */
    bool by_value;      /* handed out by value, not by victim and attacker */
    bool lazy;          /* a capture is evaluated when its turn comes, not before */
    double evaluations; /* a node; set by node_check() */
    size_t compared;    /* captures, by node_check() */
    /* Hands out the captures of a position; returns how many. */
    size_t (*visit)(const struct node_pass *pass, size_t position, seebatch_move *out);
};

struct node_list {
    struct node_pass *passes;
    size_t n;
    struct node_set sets[NODE_SETS];
};

/* All of them, for every kernel that this machine can run. workload must stay until nodes_free(). */
void nodes_make(struct node_list *list, const struct workload *workload);
void nodes_free(struct node_list *list);

/* For gbench_shim.h, with a struct node_pass as argument; an item is a node. Before a pass is timed for the first time
 * all that it hands out is compared with what a plain sort over the scalar answers gives; if there is a difference the
 * program ends with status 1, after a report. */
const char *node_prepare(const void *pass);
size_t node_run(const void *pass);
double node_evaluations(const void *pass); /* a node */

/* Checks all of them; returns how many captures were handed out. */
size_t nodes_check(const struct node_list *list);

/* node_check.c: compares all that a pass hands out, as described above, and counts the evaluations. */
void node_check(struct node_pass *pass);

#endif
