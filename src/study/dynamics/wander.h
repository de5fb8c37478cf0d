/* On to the next of the places at which a model's stiffness is looked at: freely, or led along the variable that is going to be sampled, since
 * what is stiff at one end of a way may be soft at the other. */
#ifndef CARDO_STUDY_DYNAMICS_WANDER_H
#define CARDO_STUDY_DYNAMICS_WANDER_H

#include "study/dynamics/masses.h"

/* The values of the variable at the places after the first one (options->places - 1): even parts of the way from the start to the nearer end of
 * the range, and over it. POSITION; without a variable nothing is written. */
cardo_status cardo_wander_plan(const cardo_session *session, const cardo_masses_use *use,
                               double *value, cardo_error *error);

/* A short thermal trajectory from where the session's state stands, by the masses that its system has, to near the value where there is a variable. Moves
 * that err are turned down: masses of the places so far may want shorter steps at the next one. */
cardo_status cardo_wander(cardo_session *session, const cardo_masses_use *use, int place,
                          double value, cardo_error *error);

#endif
