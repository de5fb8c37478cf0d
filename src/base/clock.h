/* Seconds by clocks that nobody sets. */
#ifndef CARDO_BASE_CLOCK_H
#define CARDO_BASE_CLOCK_H

/* Since some moment in the past. */
double cardo_clock(void);
/* That processors have worked for this process, all its threads together: what else a machine does is not in it. */
double cardo_processor_clock(void);

#endif
