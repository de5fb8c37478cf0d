/* Pairs of atoms of different bodies that do not interact, or by rules of their own: masks over
 * pairs of blocks. In blocks that bodies share, pairs inside these are masked too. */
#ifndef CARDO_FORCES_RIGID_EXCLUSIONS_H
#define CARDO_FORCES_RIGID_EXCLUSIONS_H

#include "forces/rigid/layout/layout.h"
#include "forces/terms/terms.h"

#include <stdint.h>

/* For every block the blocks of other bodies, and shared ones, with which it shares exceptions, in rising order, and
 * for each of these pairs CARDO_BLOCK x CARDO_BLOCK masks: all bits set where the slots interact. */
typedef struct cardo_rigid_exclusions {
    int npair;
    int *first;    /* of a block's pairs                            (nblock + 1) */
    int *block;    /* the other block                               (npair)      */
    int64_t *mask; /* rows are the first block's slots  (npair x CARDO_BLOCK^2)  */
} cardo_rigid_exclusions;

cardo_status cardo_rigid_exclusions_create(const cardo_terms *terms,
                                           const cardo_rigid_layout *layout,
                                           cardo_rigid_exclusions **out, cardo_error *error);
void cardo_rigid_exclusions_destroy(cardo_rigid_exclusions *exclusions);

#endif
