/* What a mean force that is not straight between nodes does to free energies. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_FORCE_RESOLUTION_H
#define CARDO_ANALYSIS_FREE_ENERGY_FORCE_RESOLUTION_H

#include "analysis/free_energy/force_fit.h"

typedef struct cardo_force_resolution {
    int n;
    bool whole;
    double *change; /* forces fitted to every other node, less the fit's             (n)   */
    double *share;  /* what is not noise of the square of that about node 2 k + 1     (n/2) */
} cardo_force_resolution;

/* Fits the same forces to every other node. The caller clears *resolution, zeroed before, also after a
 * failure. */
cardo_status cardo_force_resolution_create(cardo_force_fit *fit, cardo_force_resolution *resolution,
                                           cardo_error *error);
void cardo_force_resolution_clear(cardo_force_resolution *resolution);

/* What a number that depends on the nodes' forces by row[n] may be off by. */
double cardo_force_resolution_of(const cardo_force_resolution *resolution, const double *row);

#endif
