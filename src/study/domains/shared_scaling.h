/* How the energy of both ends of a motion is scaled for its minimization: bonded terms at both, and the springs between them (shared_energy.h). */
#ifndef CARDO_STUDY_DOMAINS_SHARED_SCALING_H
#define CARDO_STUDY_DOMAINS_SHARED_SCALING_H

#include "forces/terms/terms.h"
#include "study/reference/band_scaling.h"
#include "study/reference/poses.h"

/* What it is made of; all is borrowed. */
typedef struct cardo_shared_atoms {
    const cardo_terms *terms;
    const cardo_held_poses *poses; /* at the first end */
    const int *own,
        *body; /* of an atom at the last end its place among the variables after all atoms', or -1; the body that it rides on (natom) */
    const cardo_transform *lead; /* from the first end to the last (nbody) */
    const double *first, *last;  /* positions at both ends (natom x 3, nm) */
    int npair;
    const int (*pair)[2]; /* of atoms that springs hold alike */
    double alike;         /* of these, kJ/mol/nm^2 */
} cardo_shared_atoms;

typedef struct cardo_shared_scaling cardo_shared_scaling;

/* nown: how many have a place of their own at the last end. The caller owns *out. */
cardo_status cardo_shared_scaling_create(const cardo_shared_atoms *atoms, int nown,
                                         cardo_shared_scaling **out, cardo_error *error);
void cardo_shared_scaling_destroy(cardo_shared_scaling *scaling);

/* As all is where the positions are now, and the gradient of the variables ((natom + nown) x 3). */
cardo_status cardo_shared_scaling_make(cardo_shared_scaling *scaling, const double *gradient,
                                       cardo_error *error);

/* Of variables ((natom + nown) x 3): v becomes T v, and T^T v (base/minimize.h). */
void cardo_shared_scaling_forth(cardo_shared_scaling *scaling, double *v);
void cardo_shared_scaling_back(cardo_shared_scaling *scaling, double *v);

#endif
