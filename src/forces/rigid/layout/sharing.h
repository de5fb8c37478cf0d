/* Small bodies in common blocks: which ones, and in which slots. A body of five atoms would leave most of
 * a block of its own empty, and every pair of such bodies would pay for it. */
#ifndef CARDO_FORCES_RIGID_SHARING_H
#define CARDO_FORCES_RIGID_SHARING_H

#include "base/status.h"

typedef struct cardo_rigid_sharing {
    int nblock;      /* blocks that bodies share; 0: none do                                 */
    int *first_slot; /* of a body's atoms, one after the other, from the first shared block;
                        -1: the body has blocks of its own              (nbody)              */
} cardo_rigid_sharing;

/* Bodies that follow each other in the order of atoms, body_of_atom (natom) in 0 ... nbody - 1, come to
 * the same blocks. To be cleared, also after a failure. */
cardo_status cardo_rigid_sharing_find(int natom, int nbody, const int *body_of_atom,
                                      cardo_rigid_sharing *sharing, cardo_error *error);
void cardo_rigid_sharing_clear(cardo_rigid_sharing *sharing);

#endif
