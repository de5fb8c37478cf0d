/* Relaxing what was built of a structure: once of chains that are copies of each other, and again where chains meet. */
#ifndef CARDO_STUDY_PREPARE_RELAXING_H
#define CARDO_STUDY_PREPARE_RELAXING_H

#include "base/minimize.h"
#include "forces/relax/relax.h"
#include "forces/terms/terms.h"
#include "structure/atoms/structure.h"
#include "topology/bonds.h"

/* What is relaxed: a structure that its force field covers as a whole; movable atoms (natom) go to where nothing pushes them, in
 * structure->position. terms: adapted (cardo_relax_adapt_terms), without an implicit solvent. */
typedef struct cardo_relaxing {
    cardo_structure *structure;
    const cardo_bonds *bonds;
    const cardo_terms *terms;
    const bool *movable;
    const cardo_relax_listener *listener; /* NULL: nobody */
} cardo_relaxing;

/* Chains that are copies of each other (congruent.h) are relaxed once, by themselves, and the others' atoms are put where the first
 * one's are; what is within 0.5 nm of another chain, in any of the copies, is relaxed in each, among all that is within the
 * cutoff. Without copies all are relaxed together. *result sums up: iterations and energies of both, the larger gradient. */
cardo_status cardo_relaxing_run(const cardo_relaxing *relaxing, cardo_minimize_result *result,
                                cardo_error *error);

#endif
