/* Slow coordinates: what else of a model is likely to move slowly, recorded with each sample.
 *
 * What lies between two windows, or between two replicas, may be a barrier in another coordinate that
 * the variable does not show. So the heaviest of the other coordinates are recorded, and the verdict
 * looks whether neighbours have seen the same of them, and how often. */
#ifndef CARDO_SAMPLING_VARIABLES_SLOW_H
#define CARDO_SAMPLING_VARIABLES_SLOW_H

#include "sampling/variables/variable.h"

enum { CARDO_MOST_SLOW = 8 };

typedef struct cardo_slow {
    int n;
    int q[CARDO_MOST_SLOW]; /* coordinates of the system                                   */
    double
        period[CARDO_MOST_SLOW];   /* of a pin: a turn; 0: none                                   */
    double start[CARDO_MOST_SLOW]; /* values in the start: of those with a period differences from
                                       it are read                                                 */
    char name[CARDO_MOST_SLOW]
             [64]; /* body and coordinate                                         */
} cardo_slow;

/* The at most CARDO_MOST_SLOW coordinates besides the variable and those of a free base which carry the
 * largest inertia at start (POSITION): whose speeds are rates of coordinates. */
cardo_status cardo_slow_choose(const cardo_system *system, const cardo_state *start,
                               const cardo_variable *variable, cardo_slow *slow,
                               cardo_error *error);
/* Their values (n) at q. */
void cardo_slow_read(const cardo_slow *slow, const double *q, double *values);

#endif
