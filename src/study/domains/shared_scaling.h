/* How the energy of places of a motion is scaled for its minimization: bonded terms at all, and the springs between them (shared_energy.h). */
#ifndef CARDO_STUDY_DOMAINS_SHARED_SCALING_H
#define CARDO_STUDY_DOMAINS_SHARED_SCALING_H

#include "forces/terms/terms.h"
#include "study/domains/shared_alike.h"
#include "study/reference/band_scaling.h"
#include "study/reference/poses.h"

/* Places, at most. */
enum { CARDO_SHARED_MOST = 11 };

/* What it is made of; all is borrowed. */
typedef struct cardo_shared_atoms {
    const cardo_terms *terms;
    const cardo_held_poses *poses; /* at the first place */
    int nplace;
    const int *own,
        *body; /* of an atom at a place after the first its number among the nown variables there, or -1; the body that it rides on (natom) */
    int nown;
    const cardo_transform *const *lead; /* from the first place to each (nplace, nbody) */
    const double *const *at;            /* positions at each (nplace, natom x 3, nm) */
    int nalike;
    const cardo_alike *alike; /* what springs hold alike */
} cardo_shared_atoms;

typedef struct cardo_shared_scaling cardo_shared_scaling;

/* The caller owns *out. */
cardo_status cardo_shared_scaling_create(const cardo_shared_atoms *atoms,
                                         cardo_shared_scaling **out, cardo_error *error);
void cardo_shared_scaling_destroy(cardo_shared_scaling *scaling);

/* As all is where the positions are now, and the gradient of the variables ((natom + (nplace - 1) nown) x 3). */
cardo_status cardo_shared_scaling_make(cardo_shared_scaling *scaling, const double *gradient,
                                       cardo_error *error);

/* Of variables ((natom + (nplace - 1) nown) x 3): v becomes T v, and T^T v (base/minimize.h). */
void cardo_shared_scaling_forth(cardo_shared_scaling *scaling, double *v);
void cardo_shared_scaling_back(cardo_shared_scaling *scaling, double *v);

#endif
