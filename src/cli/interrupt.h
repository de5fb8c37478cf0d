/* SIGINT and SIGTERM end a study between two of its steps instead of the program in the middle. */
#ifndef CARDO_CLI_INTERRUPT_H
#define CARDO_CLI_INTERRUPT_H

#include <signal.h>

/* From now on both signals set the flag. The same one again ends the program at once. */
void cardo_interrupt_catch(void);

/* The flag: the number of the signal that came, or 0. */
extern volatile sig_atomic_t cardo_interrupted;

#endif
