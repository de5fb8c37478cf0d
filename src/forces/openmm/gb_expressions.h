/* A generalized Born model as expressions for OpenMM's CustomGBForce. */
#ifndef CARDO_FORCES_OPENMM_GB_EXPRESSIONS_H
#define CARDO_FORCES_OPENMM_GB_EXPRESSIONS_H

#include "forces/terms/terms.h"

/* Parameters of an atom: q, o (radius less offset), s (screened o), and where the model has them
 * alpha, beta, gamma, and n, its kind in the tabulated functions neckdistance and neckstrength.
 * integral and born are values ("I" of pairs, "B" of atoms), the others energies. */
typedef struct cardo_gb_expressions {
    char integral[1024], born[512], self[512], surface[512], pairs[512];
} cardo_gb_expressions;

/* Writes the expressions for the terms' model. cutoff (nm): pairs are cut there and shifted to 0;
 * 0: none. With salt the potential outside falls off as exp(-kappa f), f the distance that Born radii leave
 * (Srinivasan, Trevathan, Beroza & Case, Theor. Chem. Acc. 101, 426 (1999), eq. 6), for the own energy of an
 * atom too. Coulomb constant as in OpenMM's own scripts, of OBC2 as in its compiled force. */
void cardo_gb_expressions_write(const cardo_terms *terms, double cutoff, cardo_gb_expressions *out);

#endif
