/* Small moves along the manifold of constraints, each brought back onto it. */
#ifndef CARDO_SAMPLING_WALKERS_CREEP_H
#define CARDO_SAMPLING_WALKERS_CREEP_H

#include "multibody/tree/state.h"

typedef struct cardo_creeper {
    const cardo_system *system;
    cardo_state *state;            /* borrowed */
    double *rate, *before, *aimed; /* (nq) */
} cardo_creeper;

cardo_status cardo_creeper_open(const cardo_system *system, cardo_state *state, cardo_creeper *out,
                                cardo_error *error);
void cardo_creeper_clear(cardo_creeper *creeper);

/* q + N speeds time (speeds: nu), then the nearest of the manifold as M measures it, and POSITION. *length: by how much q changed.
 * *moved is false, and q as it was, where there is none, or where it lies off the aim by more than a fifth of the way: other parts
 * of the manifold may be as near, and only short moves are sure to stay on theirs. */
cardo_status cardo_creep(cardo_creeper *creeper, const double *speeds, double time, double *length,
                         bool *moved, cardo_error *error);
/* Takes back the last move; POSITION. */
cardo_status cardo_creep_back(cardo_creeper *creeper, cardo_error *error);

#endif
