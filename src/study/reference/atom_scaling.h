/* All atoms' displacements, in which a minimization's bonded terms are no stiffer than the rest and domains' poses stay (study/reference/bonded_scaling.h). */
#ifndef CARDO_STUDY_REFERENCE_ATOM_SCALING_H
#define CARDO_STUDY_REFERENCE_ATOM_SCALING_H

#include "base/minimize.h"
#include "forces/terms/terms.h"
#include "study/reference/band_scaling.h"
#include "study/reference/poses.h"

/* Length of a first step of what is scaled, sqrt(kJ/mol), and iterations after which its scaling is made anew. */
enum { CARDO_ATOM_SCALING_STEP = 1, CARDO_ATOM_SCALING_ITERATIONS = 50 };

typedef struct cardo_atom_scaling {
    cardo_minimize_scaling scaling; /* its context is this struct, which must stay where it is */
    cardo_band_scaling
        *band; /* NULL: without terms nothing is scaled                             */
    const cardo_terms *terms;
    const cardo_held_poses *poses;
    const double *positions; /* while it is made */
    double *rest;            /* of atoms (natom) */
} cardo_atom_scaling;

/* Borrows terms, which may be NULL, and poses. */
cardo_status cardo_atom_scaling_open(const cardo_terms *terms, const cardo_held_poses *poses,
                                     cardo_atom_scaling *out, cardo_error *error);
void cardo_atom_scaling_clear(cardo_atom_scaling *scaling);

/* Sets how a minimization of all atoms is scaled, and the length of its first step. */
void cardo_atom_scaling_choose(const cardo_atom_scaling *scaling, cardo_minimize_options *options);

#endif
