/* On to the next of the places at which a model's stiffness is looked at: freely, or led along the variable that is going to be sampled, since
 * what is stiff at one end of a way may be soft at the other. */
#ifndef CARDO_STUDY_DYNAMICS_WANDER_H
#define CARDO_STUDY_DYNAMICS_WANDER_H

#include "dynamics/simulation.h"
#include "sampling/variables/variable.h"
#include "study/session/session.h"

typedef struct cardo_wandering {
    int places, steps; /* of the first one the start; from one to the next */
    double friction;   /* 1/ps */
    const cardo_simulation_options
        *like; /* time step, temperature, seed and largest jump of the energy */
    const cardo_variable *variable; /* NULL: freely */
    double from, to;                /* its range    */
} cardo_wandering;

/* The values of the variable at the places after the first one (places - 1): even parts of the way from the start to the nearer end of
 * the range, and over it. The session's state is at POSITION; without a variable nothing is written. */
cardo_status cardo_wander_plan(const cardo_session *session, const cardo_wandering *how,
                               double *value, cardo_error *error);

/* A short thermal trajectory from where the session's state stands, by the masses that its system has, to near the value where there is a variable. Moves
 * that err are turned down: masses of the places so far may want shorter steps at the next one. */
cardo_status cardo_wander(cardo_session *session, const cardo_wandering *how, int place,
                          double value, cardo_error *error);

#endif
