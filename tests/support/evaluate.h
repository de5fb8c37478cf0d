/* A second, plain implementation of every energy term in double precision: the independent truth
 * that force-field tests compare counts and parameters through. No cutoff, no speed. */
#ifndef CARDO_TESTS_EVALUATE_H
#define CARDO_TESTS_EVALUATE_H

#include "forces/terms/terms.h"

/* kJ/mol */
typedef struct support_energies {
    double bond, angle, torsion, improper, rb_torsion, cmap, nonbonded, gb;
} support_energies;

/* Energies of the terms at positions x (natom x 3, nm). Every pair that has no exception interacts.
 * gb is the terms' model with its surface term, 0 without a solvent. */
support_energies support_evaluate(const cardo_terms *terms, const double *x);

#endif
