/* Seconds by a clock that nobody sets. */
#ifndef CARDO_BASE_CLOCK_H
#define CARDO_BASE_CLOCK_H

/* Since some moment in the past. */
double cardo_clock(void);

#endif
