/* What stabilization does to accelerations (cardo/stabilization.h). */
#ifndef CARDO_MULTIBODY_MANIFOLD_PENALTY_H
#define CARDO_MULTIBODY_MANIFOLD_PENALTY_H

#include "multibody/manifold/set.h"

static inline bool is_penalized(const constraint_list *list)
{
    return list->stabilization.method == CARDO_STABILIZATION_PENALTY ||
           list->stabilization.method == CARDO_STABILIZATION_AUGMENTED_LAGRANGIAN;
}

/* Adds to G udot + b (nrow) what the method has of errors of positions and velocities. After cardo_rows_prepare; VELOCITY. */
void cardo_stabilize_rows(const cardo_system *system, const cardo_state *state, double *rows);
/* For G udot + b of accelerations without constraints (nrow, becomes the multipliers): speeds to be added, with motions of bodies in cache->scratch_a. M must be factored. */
void cardo_penalty_respond(const cardo_system *system, const cardo_state *state, double *rows,
                           double *speeds);

#endif
