/* Forces of atoms on rigid bodies: a force provider that works from body poses and never touches a
 * pair inside a body, save through Born radii.
 *
 * The energy is OpenMM's: harmonic bonds and angles, periodic and Ryckaert-Bellemans torsions, CMAP,
 * Lennard-Jones and Coulomb with exceptions (all pairs, or a cutoff with reaction field), OBC2 with
 * the ACE surface term. README.md tells how it is computed. */
#ifndef CARDO_FORCES_RIGID_RIGID_H
#define CARDO_FORCES_RIGID_RIGID_H

#include "forces/terms/terms.h"
#include "multibody/force.h"

#include <stdbool.h>

typedef struct cardo_rigid_options {
    int threads;           /* results do not depend on it; 0: OMP_NUM_THREADS where that is set,
                            else one a core, less those that use_cores leaves to others      */
    bool full_precision;   /* all in double; otherwise far pairs of blocks (README.md: how far)
                            in single precision with sums in double                          */
    char kernels[16];      /* "" : the widest that the processor runs; avx512, avx2, plain      */
    double cutoff;         /* nm, of Lennard-Jones and Coulomb; 0: all pairs                  */
    double reaction_field; /* dielectric beyond the cutoff                                    */
    double gb_cutoff;      /* nm, of the solvent; 0: all pairs                                */
    double
        tolerance; /* of forces and torques on bodies, with all pairs, relative to their root mean square over bodies: up to
                            0.01; 0: exact */
} cardo_rigid_options;

/* One thread, mixed precision, all pairs. */
cardo_rigid_options cardo_rigid_options_default(void);

/* NULL, or why these terms are beyond the provider: a solvent other than OBC2 or one that
 * polarizes less than the solute, harmonic impropers. */
const char *cardo_rigid_unsupported(const cardo_terms *terms);

/* A provider for nbody bodies, ground (0) among them: body_of_atom (natom), and stations (natom x 3,
 * nm) in body frames. Everything is copied. rest, or NULL: a provider of further forces on the same
 * atoms, which is called with their positions and added; the new provider owns it. Terms: "bond",
 * "angle", "torsion", "rb-torsion", "cmap", "nonbonded", "gb", those that exist, then rest's; all
 * with the constant parts inside bodies, so that totals are OpenMM's. Parameters and stations that
 * are not finite are CARDO_ERROR_INPUT with the atom.
 *
 * compute: poses that are not finite are CARDO_ERROR_NUMERICAL; atoms that overlap, or lie more than
 * 1000 nm apart, are CARDO_RECOVERABLE. Allocates nothing; the same bits for the same poses, whatever
 * was computed before and on however many threads. */
cardo_status cardo_rigid_provider_create(const cardo_terms *terms, int nbody,
                                         const int *body_of_atom, const double *stations,
                                         const cardo_rigid_options *options,
                                         cardo_force_provider *rest, cardo_force_provider **out,
                                         cardo_error *error);

/* Forces by atom at poses X_GB (natom x 3, kJ/mol/nm, ground axes): of what acts between bodies, and
 * through Born radii; forces that cancel within a body are not in them. Without those of rest.
 * For reports: several times the cost of an evaluation. */
cardo_status cardo_rigid_provider_atom_forces(cardo_force_provider *provider,
                                              const cardo_transform *X_GB, double *forces,
                                              cardo_error *error);

/* A look at what an evaluation at poses X_GB goes through, for checks (sums.h): Born radii (nm) and
 * derivatives of the energy by the descreening integrals (kJ/mol nm) of all atoms (natom each; zero
 * without a solvent), and forces on n atoms (n x 3, kJ/mol/nm, ground axes) by pairs with atoms of
 * other bodies and through descreening: no bonded terms, no exceptions. plain_beyond: solvent pairs with
 * r^2/(4 B B) beyond it may be taken for -q q/r. radii_within: relative error that far fields may leave in a Born radius; 0 without. chain_within:
 * what may be left out of the n atoms' derivatives (n). */
cardo_status cardo_rigid_provider_look(cardo_force_provider *provider, const cardo_transform *X_GB,
                                       int n, const int *atoms, double *born, double *chain,
                                       double *forces, double *chain_within, double *plain_beyond,
                                       double *radii_within, cardo_error *error);

#endif
