/* Part of the study `drive`: whose coordinates are led along the course. */
#ifndef CARDO_STUDY_DYNAMICS_DRIVEN_BODIES_H
#define CARDO_STUDY_DYNAMICS_DRIVEN_BODIES_H

#include "dynamics/drive.h"
#include "study/session/session.h"

typedef struct cardo_driven_coordinate {
    int body; /* as the model counts                      */
    int q, u; /* in the session's system, once prescribed */
} cardo_driven_coordinate;

/* Zero-initialise. */
typedef struct cardo_driven_bodies {
    cardo_session *session; /* borrowed */
    int which;              /* of a body's coordinates, from 0 */
    int n;
    int built;                           /* of them, in the session's system */
    cardo_driven_coordinate *coordinate; /* (n) */
    cardo_function functions[CARDO_MOBILIZER_MAX_U];
} cardo_driven_bodies;

/* Chooses the body of that name, or with "" all that have a path. coordinate: which of a body's, from 1. CARDO_ERROR_INPUT: there is no such
 * body, or it has not so many coordinates. */
cardo_status cardo_driven_bodies_choose(cardo_session *session, const char *name, int coordinate,
                                        cardo_driven_bodies *out, cardo_error *error);

/* Where the model has the coordinates to begin with. CARDO_ERROR_INPUT: not all of them at one place. */
cardo_status cardo_driven_bodies_start(const cardo_driven_bodies *self, double *start,
                                       cardo_error *error);

/* Builds the session anew with the drive, which is borrowed, as the motion of all of them. Bodies that constraints make follow others are left
 * out. CARDO_ERROR_INPUT: the first one is held by constraints. */
cardo_status cardo_driven_bodies_prescribe(cardo_driven_bodies *self, const cardo_drive *drive,
                                           cardo_error *error);

/* Builds the session anew without motion, where the drive has come to. */
cardo_status cardo_driven_bodies_release(cardo_driven_bodies *self, cardo_error *error);

void cardo_driven_bodies_clear(cardo_driven_bodies *self);

#endif
