/* SIGINT, SIGTERM and SIGHUP end a study between two of its steps instead of the program in the middle; the
 * exit status is 128 and the signal's number, as shells have it: 130, 143, 129. SIGHUP stays ignored where it
 * was (nohup). */
#ifndef CARDO_CLI_PROCESSES_INTERRUPT_H
#define CARDO_CLI_PROCESSES_INTERRUPT_H

#include <signal.h>

/* From now on these signals set the flag. The same one again ends the program at once. */
void cardo_interrupt_catch(void);

/* The flag: the number of the signal that came, or 0. */
extern volatile sig_atomic_t cardo_interrupted;

#endif
