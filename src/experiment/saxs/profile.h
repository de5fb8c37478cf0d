/* The profile of scatterers at the q of a curve. */
#ifndef CARDO_EXPERIMENT_SAXS_PROFILE_H
#define CARDO_EXPERIMENT_SAXS_PROFILE_H

#include "base/pool.h"
#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

/* From a few values of q, of which Debye's sum is taken, to all of a curve. */
typedef struct cardo_profile_plan {
    cardo_q_nodes nodes;
    int nq;
    double
        tolerance; /* of I(q): an average over directions where that is quicker; 0: Debye's sum */
    double *row;   /* (nq x nodes.n)              */
    double *value; /* (nodes.n x CARDO_PARTIALS)  */
    cardo_pool *pool;
} cardo_profile_plan;

/* For conformations whose largest distance is at most size (nm). Zero-initialise *out; the caller clears it. */
cardo_status cardo_profile_plan_make(int nq, const double *q, double size, double tolerance,
                                     int threads, cardo_profile_plan *out, cardo_error *error);
void cardo_profile_plan_clear(cardo_profile_plan *plan);

/* Partial profiles, nq x CARDO_PARTIALS. */
cardo_status cardo_profile_find(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                double *out, cardo_error *error);

#endif
