/* Where the atoms of rigid bodies are kept: in blocks of CARDO_BLOCK slots that belong to one body
 * and lie close together, sorted once by halving. Groups of GROUP blocks one after the other have a
 * sphere around them too: the static index over which near and far are told apart. */
#ifndef CARDO_FORCES_RIGID_LAYOUT_H
#define CARDO_FORCES_RIGID_LAYOUT_H

#include "base/status.h"
#include "base/vec.h"
#include "forces/rigid/kernels/kernels.h"

enum { CARDO_BLOCK_GROUP = 8 };

typedef struct cardo_rigid_sphere {
    double x, y, z, radius;
} cardo_rigid_sphere;

typedef struct cardo_rigid_layout {
    int natom, nbody; /* ground, body 0, included                                         */
    int nblock, nslot;
    int *first_block; /* first block of a body; [nbody] is nblock   (nbody + 1)               */
    int *body;        /* of a block                                 (nblock)                  */
    int *count;       /* atoms of a block, the first of its slots   (nblock)                  */
    int *atom;        /* of a slot; the last ones may repeat        (nslot)                   */
    int *slot;        /* of an atom                                 (natom)                   */
    double *station;  /* x, y and z in the body frame, nm           (3 x nslot)               */
    cardo_rigid_sphere *block_sphere; /* around a block, body frame (nblock)                  */
    int *first_group;                 /* first group of a body      (nbody + 1)               */
    cardo_rigid_sphere *group_sphere; /* around up to CARDO_BLOCK_GROUP blocks of a body     */
    cardo_rigid_sphere *body_sphere;  /* around a body              (nbody)                   */
} cardo_rigid_layout;

/* body_of_atom (natom) in 0 ... nbody - 1; stations (natom x 3): positions in body frames, nm. */
cardo_status cardo_rigid_layout_create(int natom, int nbody, const int *body_of_atom,
                                       const double *stations, cardo_rigid_layout **out,
                                       cardo_error *error);
void cardo_rigid_layout_destroy(cardo_rigid_layout *layout);

#endif
