/* What hinges bear: the torque and force with which each acts on its parent, at the hinge and in its
 * frame F, as numbers with names. */
#ifndef CARDO_STUDY_SESSION_HINGE_LOADS_H
#define CARDO_STUDY_SESSION_HINGE_LOADS_H

#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

enum { CARDO_LOADS_PER_HINGE = 6 }; /* torque, then force */

/* The hinges of a system: what joins bodies, not what holds the model in ground. */
typedef struct cardo_hinge_loads {
    const cardo_system *system; /* borrowed                                                      */
    int count;
    int *body;                /* by the number of the body outboard of it             (count)    */
    cardo_spatial *on_parent; /* at F's origin, in ground, by body; working memory    (nbody)    */
} cardo_hinge_loads;

/* Zero-initialise *loads; cardo_hinge_loads_clear also after a failure. */
cardo_status cardo_hinge_loads_open(const cardo_system *system, cardo_hinge_loads *loads,
                                    cardo_error *error);
void cardo_hinge_loads_clear(cardo_hinge_loads *loads);

enum { CARDO_LOAD_NAME = 64 };

/* The name of number k, "load lobe torque x", and its unit. name returns text. */
char *cardo_hinge_load_name(const cardo_hinge_loads *loads, int k, char text[CARDO_LOAD_NAME]);
const char *cardo_hinge_load_unit(int k);

/* The loads of a moving system from its reactions (6 x count). ACCELERATION. */
cardo_status cardo_hinge_loads_moving(cardo_hinge_loads *loads, const cardo_state *state,
                                      double *values, cardo_error *error);
/* The loads where everything is held as it stands: each hinge bears all forces on the bodies outboard
 * of it. body_forces (nbody): about body origins, in ground. POSITION. */
void cardo_hinge_loads_at_rest(cardo_hinge_loads *loads, const cardo_state *state,
                               const cardo_spatial *body_forces, double *values);

#endif
