/* Chains that are copies of each other, turned and moved: the same residues and atoms, and the same shape. */
#ifndef CARDO_STUDY_PREPARE_CONGRUENT_H
#define CARDO_STUDY_PREPARE_CONGRUENT_H

#include "cardo/geometry.h"
#include "structure/atoms/structure.h"

/* For each chain the first one that it is a copy of, itself where it is none (first: nchain), and how that one is moved to become it
 * (motion: nchain). Atoms are compared by name, and by place but for those that are loose (natom): no atom may be farther than
 * 0.001 nm from where it would be. Loose ones must be the same. */
cardo_status cardo_congruent_chains(const cardo_structure *structure, const bool *loose, int *first,
                                    cardo_transform *motion, cardo_error *error);

#endif
