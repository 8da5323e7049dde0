/*
 * Signals that end a run (interrupt.c).
 */
#ifndef SEEBATCH_TOOL_INTERRUPT_H
#define SEEBATCH_TOOL_INTERRUPT_H

/* From now on SIGINT, SIGTERM and SIGHUP are noted; the second one ends the program at once. SIGPIPE and SIGXFSZ become
 * errors of writing. */
void interrupt_catch(void);

/* Returns the signal that came, or 0. */
int interrupt_signal(void);

/* Ends the program by a signal, as if it had never been caught, so that a shell sees why. For SIGPIPE, returns where
 * that was ignored when the program began. */
void interrupt_die(int signal);

#endif
