/* Domains' poses, held exactly while all atoms move.
 *
 * Eckart's conditions (Phys. Rev. 47, 552, 1935): displacements of a domain's C-alphas from their places have no part in its six
 * rigid motions there. They are linear, so that a minimization whose gradient has no such part keeps them to rounding, without
 * springs whose energy would count; everything else is free. */
#ifndef CARDO_STUDY_REFERENCE_POSES_H
#define CARDO_STUDY_REFERENCE_POSES_H

#include "model/model.h"

typedef struct cardo_held_poses cardo_held_poses;

/* For the bodies of the model file, each by its C-alphas, or by all its atoms where these are fewer than three; what <flexible> has
 * made is not held. The caller owns *out. */
cardo_status cardo_held_poses_create(const cardo_model *model, cardo_held_poses **out,
                                     cardo_error *error);
void cardo_held_poses_destroy(cardo_held_poses *poses);
/* How many domains are held. */
int cardo_held_poses_count(const cardo_held_poses *poses);
/* The places (natom x 3, nm) at which domains are held from now on. */
void cardo_held_poses_place(cardo_held_poses *poses, const double *positions);
/* Takes the rigid motions of domains out of displacements or gradients (natom x 3). */
void cardo_held_poses_project(const cardo_held_poses *poses, double *vectors);

#endif
