/* Bounds that heat keeps bonds, angles and omegas within.
 *
 * A harmonic term k/2 (x - x0)^2 has the standard deviation sqrt(kT/k) at temperature T. Its bounds are four of
 * them on either side of x0, at 300 K: one term in 16000 is outside by chance, so that of the hundred or so of a
 * strand heat alone puts one outside in fewer than one conformation of a hundred, while a peptide bond is outside
 * as soon as it is off by 0.1 A. For omega x0 is planar, cis or trans as the first known conformation is nearer,
 * and k the curvature there of the torsions about the bond. A known conformation (a crystal's) that is outside
 * widens the bound on its side to its own value and one standard deviation more. */
#ifndef CARDO_FORCES_RELAX_THERMAL_BOUNDS_H
#define CARDO_FORCES_RELAX_THERMAL_BOUNDS_H

#include "forces/relax/broken_bounds.h"
#include "forces/terms/terms.h"

/* C-alpha, C, N, C-alpha of two residues and the strand that they are in. */
typedef struct cardo_omega {
    int atom[4], strand;
} cardo_omega;

typedef struct cardo_thermal_question {
    const cardo_terms *terms;
    const int *body_of_atom;   /* terms inside one body never change: not looked at    (natom) */
    const int *strand_of_atom; /* terms without an atom in a strand (-1) are not, either (natom) */
    int nomega;
    const cardo_omega *omega;
    int nknown;
    const double *const *known; /* conformations to widen bounds by, nm; NaN: atom not known
                                   (nknown of natom x 3)                                     */
} cardo_thermal_question;

typedef struct cardo_thermal_bounds cardo_thermal_bounds;

/* Nothing of the question is kept. An omega about which the terms have no minimum at planar gets no bound. The
 * caller owns *out. */
cardo_status cardo_thermal_bounds_create(const cardo_thermal_question *question,
                                         cardo_thermal_bounds **out, cardo_error *error);
void cardo_thermal_bounds_destroy(cardo_thermal_bounds *bounds);

/* Adds to list what is outside at positions (natom x 3, nm), and to its count what was looked at. */
cardo_status cardo_thermal_bounds_look(const cardo_thermal_bounds *bounds, const double *positions,
                                       cardo_broken_bounds *list, cardo_error *error);

#endif
