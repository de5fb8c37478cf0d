/* Pairs inside bodies within a tolerance, by the trees of far.h. */
#ifndef CARDO_FORCES_RIGID_INSIDE_FAR_H
#define CARDO_FORCES_RIGID_INSIDE_FAR_H

#include "forces/rigid/inside_pairs.h"

/* One task of far->rows: pairs of bodies with blocks of their own. Atoms and nodes stand at the identity. */
void cardo_inside_far_task(const cardo_inside *inside, int task, cardo_inside_energy *energy);

#endif
