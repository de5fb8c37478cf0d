/* The profile of scatterers at the q of a curve. */
#ifndef CARDO_EXPERIMENT_SAXS_PROFILE_H
#define CARDO_EXPERIMENT_SAXS_PROFILE_H

#include "base/pool.h"
#include "experiment/saxs/interface.h"
#include "experiment/saxs/partials.h"
#include "experiment/saxs/rigid.h"
#include "experiment/saxs/scatterers.h"

/* Room for the profile of one conformation, so that several are made at once: each thread with a room of its own. */
typedef struct cardo_profile_room {
    cardo_rigid_work *work; /* NULL: no bodies          */
    double *exposure;       /* NULL: the layer is frozen  */
    double *value;          /* (nodes.n x CARDO_PARTIALS) */
} cardo_profile_room;

/* From a few values of q, of which Debye's sum is taken, to all of a curve. */
typedef struct cardo_profile_plan {
    cardo_q_nodes nodes;
    int nq;
    double
        tolerance; /* of I(q): an average over directions where that is quicker; 0: Debye's sum */
    double *row;   /* (nq x nodes.n) */
    cardo_profile_room room; /* the plan's own */
    cardo_pool *pool;
    /* Of rigid bodies, where that is quicker; NULL: it is not. */
    cardo_rigid_bodies *bodies;
    cardo_interface *interface; /* NULL: the layer is frozen */
    int scatterers;             /* of the bodies             */
} cardo_profile_plan;

/* For conformations whose largest distance is at most size (nm). Zero-initialise *out; the caller clears it. */
cardo_status cardo_profile_plan_make(int nq, const double *q, double size, double tolerance,
                                     int threads, cardo_profile_plan *out, cardo_error *error);
void cardo_profile_plan_clear(cardo_profile_plan *plan);

/* Makes tables of rigid bodies for cardo_profile_of_bodies, where they are quicker than what cardo_profile_find would do and the plan
 * has a tolerance: plan->bodies tells. body (scatterers->n): the one of each; the scatterers are borrowed. apart: no two bodies' middles are ever
 * further from each other (nm). renewed: the layer is found anew where bodies meet, else it is what the scatterers have. */
cardo_status cardo_profile_take_bodies(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                       int nbody, const int *body, double apart, bool renewed,
                                       cardo_error *error);

/* The same whether they are quicker or not, with the layer that the scatterers have: for cardo_rigid_gradient by plan->room.work. */
cardo_status cardo_profile_of_bodies_only(cardo_profile_plan *plan,
                                          const cardo_scatterers *scatterers, int nbody,
                                          const int *body, double apart, cardo_error *error);

/* Partial profiles, nq x CARDO_PARTIALS, of bodies carried by poses (12 numbers a body, experiment/saxs/rigid.h). Needs plan->bodies. */
cardo_status cardo_profile_of_bodies(cardo_profile_plan *plan, const double *pose, double *out,
                                     cardo_error *error);

/* Needs plan->bodies. Zero-initialise *out; the caller clears it, also after a failure. */
cardo_status cardo_profile_room_make(const cardo_profile_plan *plan, cardo_profile_room *out,
                                     cardo_error *error);
void cardo_profile_room_clear(cardo_profile_room *room);

/* As cardo_profile_of_bodies, and bitwise the same, in a room. Allocates nothing. */
cardo_status cardo_profile_in_room(const cardo_profile_plan *plan, const cardo_profile_room *room,
                                   const double *pose, double *out, cardo_error *error);

/* Partial profiles, nq x CARDO_PARTIALS. */
cardo_status cardo_profile_find(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                double *out, cardo_error *error);

#endif
