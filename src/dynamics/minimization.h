/* The study `minimize`: the nearest minimum of the potential energy in the generalized coordinates.
 *
 * L-BFGS (base/minimize.h) in charts (dynamics/coordinates/manifold_chart.h) with exact gradients: the charts take the
 * kinds of coordinates to one scale, quaternions to their tangent spaces, and what constraints tie to the manifold on which these
 * hold, of which every place is one. There the forces that count are those that constraints do not bear (cardo_project_free_forces):
 * without them U + lambda^T p is stationary. */
#ifndef CARDO_DYNAMICS_MINIMIZATION_H
#define CARDO_DYNAMICS_MINIMIZATION_H

#include "base/field.h"
#include "dynamics/curvature.h"
#include "dynamics/evaluation/evaluate.h"

#include <signal.h>
#include <stdbool.h>

typedef enum cardo_force_norm {
    CARDO_FORCE_NORM_MAX, /* the largest generalized force                   */
    CARDO_FORCE_NORM_RMS  /* the root of their mean square                   */
} cardo_force_norm;

typedef struct cardo_minimization_options {
    int iterations;   /* most                                                               */
    double tolerance; /* kJ/mol per rad, nm or unit of a coordinate: it is done when the norm of
                         the generalized forces is below                                    */
    int norm;         /* cardo_force_norm                                                   */
    cardo_curvature *
        curvature; /* of places near by, shared by minimizations in turn, each of which may renew it; NULL: none */
} cardo_minimization_options;

extern const cardo_field cardo_minimization_fields[];

/* What is known after an iteration; state and evaluator are borrowed during the call. */
typedef struct cardo_minimization_frame {
    const cardo_system *system;
    cardo_state *state;
    const cardo_evaluator *evaluator;
    int iteration; /* 0: the start */
    long long evaluations;
    double potential;     /* kJ/mol                                                 */
    double largest_force; /* of free mobilities, less what constraints bear         */
    double rms_force;
    int largest; /* the mobility that has the largest force, or -1         */
} cardo_minimization_frame;

typedef struct cardo_minimization_observer {
    void *user;
    cardo_status (*observe)(void *user, const cardo_minimization_frame *frame,
                            cardo_error *error); /* NULL: none */
    const volatile sig_atomic_t *interrupt;      /* ends the minimization when raised; NULL: none */
} cardo_minimization_observer;

typedef struct cardo_minimization_result {
    cardo_minimization_frame first, last; /* last: the best point, where the state is left      */
    bool converged, interrupted; /* neither: iterations ran out, or the energy's rounding hides
                                    what is still to be gained                              */
    int freedoms; /* mobilities that are not prescribed, less the rank of constraints where the state is left */
} cardo_minimization_result;

/* Is a failure one of the place, from which there is no way on, and not of what is asked for? */
static inline bool cardo_is_of_the_place(cardo_status status)
{
    return status == CARDO_RECOVERABLE || status == CARDO_ERROR_NUMERICAL;
}

/* Moves the state, at rest, downhill to a minimum of the evaluator's energy and the system's own
 * forces; prescribed mobilities stand at their places. A start that constraints do not allow is assembled first (cardo_assemble_q,
 * whose failure names the worst row), and the end fulfils them to 1e-12; constraints on speeds or accelerations are refused. The
 * state is left evaluated, realized to VELOCITY, with u = 0. Not converging is no failure; a start that cannot be evaluated is. observer
 * may be NULL. */
cardo_status cardo_minimization_run(const cardo_system *system, cardo_state *state,
                                    cardo_evaluator *evaluator,
                                    const cardo_minimization_options *options,
                                    const cardo_minimization_observer *observer,
                                    cardo_minimization_result *result, cardo_error *error);

#endif
