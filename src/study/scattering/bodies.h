/* Which scatterers ride on which body of a system, and where poses of the system carry them. */
#ifndef CARDO_STUDY_SCATTERING_BODIES_H
#define CARDO_STUDY_SCATTERING_BODIES_H

#include "cardo/geometry.h"
#include "experiment/saxs/scatterers.h"
#include "model/model.h"

typedef struct cardo_scattering_bodies {
    int n;                 /* bodies with scatterers                                        */
    int *body;             /* from 0 to n - 1, of each scatterer             (scatterers)   */
    int *system_body;      /*                                                (n)            */
    cardo_transform *made; /* from ground to the body where the scatterers stand (n)        */
    double *pose; /* of the latest conformation, 12 numbers a body: experiment/saxs/rigid.h */
} cardo_scattering_bodies;

/* Of scatterers whose positions are those of the poses X_GB (of the model's system). Zero-initialise *out; the caller clears it. */
cardo_status cardo_scattering_bodies_make(const cardo_model *model,
                                          const cardo_scatterers *scatterers,
                                          const cardo_transform *X_GB, cardo_scattering_bodies *out,
                                          cardo_error *error);
void cardo_scattering_bodies_clear(cardo_scattering_bodies *bodies);

/* Fills bodies->pose by where the system's bodies are now. */
void cardo_scattering_bodies_pose(cardo_scattering_bodies *bodies, const cardo_transform *X_GB);

#endif
