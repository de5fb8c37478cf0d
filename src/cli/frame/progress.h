/* Progress on standard error: a bar on a terminal, one line a decade of percent otherwise. */
#ifndef CARDO_CLI_FRAME_PROGRESS_H
#define CARDO_CLI_FRAME_PROGRESS_H

#include <stdbool.h>

typedef struct cardo_progress {
    long long first, last; /* steps of this part of the run          */
    long long told;        /* of them, the last time                 */
    double timestep;       /* ps; 0: there is no time                */
    double started;        /* s                                      */
    double shown;          /* s: when it was last drawn              */
    int decade;
    bool terminal, quiet;
    bool framed;                   /* of the last step there is: */
    double potential, temperature; /* kJ/mol, K */
} cardo_progress;

void cardo_progress_start(cardo_progress *progress, long long first, long long last,
                          double timestep, bool quiet);
/* So many steps are done; what they are
 * called. Where last is 0 nobody knows how many there will be. */
void cardo_progress_tell(cardo_progress *progress, long long done, const char *what);
/* Ends the line; returns the seconds since the start. */
double cardo_progress_finish(cardo_progress *progress);
/* Seconds since some moment in the past, by a clock that nobody sets. */
double cardo_program_clock(void);
/* ns/day at so many steps in so many seconds. */
double cardo_ns_per_day(long long steps, double timestep, double seconds);

#endif
