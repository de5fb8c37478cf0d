/* How often series of one coordinate went from one side of where they were to the other. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_CROSSINGS_H
#define CARDO_ANALYSIS_FREE_ENERGY_CROSSINGS_H

#include "base/status.h"

/* Values of one series, some way apart. Borrowed. */
typedef struct cardo_strided {
    const double *values;
    int n, stride;
} cardo_strided;

/* Ways from the lower to the upper third of the range that holds the middle 94 % of all values of all series
 * (3 % lie beyond either end), or back, of all series together. What spends its time in two wells crosses
 * once for each time that it changes them, however many values it has in each; what relaxes in one well
 * crosses once in some four correlation times. -1 where nothing varies. */
cardo_status cardo_count_crossings(int nseries, const cardo_strided *series, int *crossings,
                                   cardo_error *error);

#endif
