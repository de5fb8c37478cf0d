#include "cli/processes/interrupt.h"

volatile sig_atomic_t cardo_interrupted;

static void note(int number)
{
    cardo_interrupted = number;
    signal(number, SIG_DFL);
}

void cardo_interrupt_catch(void)
{
    signal(SIGINT, note);
    signal(SIGTERM, note);
    /* nohup has it ignored, and that is meant. */
    if (signal(SIGHUP, note) == SIG_IGN)
        signal(SIGHUP, SIG_IGN);
}
