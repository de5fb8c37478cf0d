/* Where the atoms of rigid bodies are kept: in blocks of CARDO_BLOCK slots that belong to one body
 * and lie close together, sorted once by halving; small bodies share blocks (sharing.h), which stand after all
 * others as if they were those of one more body, number nbody. Groups of GROUP blocks one after the other have a
 * sphere around them too: the static index over which near and far are told apart. */
#ifndef CARDO_FORCES_RIGID_LAYOUT_H
#define CARDO_FORCES_RIGID_LAYOUT_H

#include "base/status.h"
#include "base/vec.h"
#include "forces/rigid/kernels/kernels.h"

#include <math.h>
#include <stdbool.h>

enum { CARDO_BLOCK_GROUP = 8 };

typedef struct cardo_rigid_sphere {
    double x, y, z, radius;
} cardo_rigid_sphere;

/* Distance between the surfaces of two spheres; below zero where they overlap. */
static inline double cardo_rigid_gap(const cardo_rigid_sphere *a, const cardo_rigid_sphere *b)
{
    const double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return sqrt(x * x + y * y + z * z) - a->radius - b->radius;
}

typedef struct cardo_rigid_layout {
    int natom, nbody; /* ground, body 0, included                                         */
    int nblock, nslot;
    int *first_block; /* first block of a body; [nbody] is the first shared one, [nbody + 1] is
                         nblock                                     (nbody + 2)               */
    int *body;        /* of a block; nbody where it is shared       (nblock)                  */
    int *slot_body;   /* of a slot; the last ones may repeat        (nslot)                   */
    int *first_slot;  /* of a body's atoms                          (nbody)                   */
    int *natom_of;    /* of a body                                  (nbody)                   */
    int *count;       /* atoms of a block, the first of its slots   (nblock)                  */
    int *atom;        /* of a slot; the last ones may repeat        (nslot)                   */
    int *slot;        /* of an atom                                 (natom)                   */
    double *station;  /* x, y and z in the body frame, nm           (3 x nslot)               */
    cardo_rigid_sphere *block_sphere; /* around a block of one body, body frame (nblock)      */
    int *first_group;                 /* first group of a body, likewise (nbody + 2)          */
    cardo_rigid_sphere *group_sphere; /* around up to CARDO_BLOCK_GROUP blocks of one body   */
    cardo_rigid_sphere *body_sphere;  /* around a body              (nbody)                   */
} cardo_rigid_layout;

/* body_of_atom (natom) in 0 ... nbody - 1; stations (natom x 3): positions in body frames, nm. */
cardo_status cardo_rigid_layout_create(int natom, int nbody, const int *body_of_atom,
                                       const double *stations, cardo_rigid_layout **out,
                                       cardo_error *error);
void cardo_rigid_layout_destroy(cardo_rigid_layout *layout);

/* Are these the blocks that bodies share? */
static inline bool cardo_rigid_is_shared(const cardo_rigid_layout *layout, int body)
{
    return body == layout->nbody;
}

#endif
