/* Proteins cut into rigid bodies, for tests and benchmarks of the rigid provider, and OpenMM's
 * forces on the same bodies. */
#ifndef CARDO_TESTS_RIGID_PROTEIN_H
#define CARDO_TESTS_RIGID_PROTEIN_H

#include "base/vec.h"
#include "forces/openmm/openmm.h"
#include "forces/terms/terms.h"
#include "structure/atoms/structure.h"

#include <stdint.h>

typedef struct rigid_protein {
    cardo_structure *structure;
    cardo_terms *terms;    /* ff14SB */
    int nbody;             /* ground, without atoms, included                */
    int *body;             /* of each atom                                   */
    double *station;       /* in body frames, origin at the mean   (natom x 3) */
    cardo_transform *home; /* poses as in the file (nbody)                */
    double *position;      /* room for atoms in ground          (natom x 3) */
} rigid_protein;

/* The body of an atom, from 1. */
typedef int (*rigid_partition)(const cardo_structure *structure, int atom);

/* LAO's domains (residues 1-89 and 194-238; 92-191; the hinge joins the first), adenylate kinase's
 * core, NMP domain and lid; the two domains of a light chain; LAO, and a light chain, with a body for each of their
 * first hundred side chains that reach beyond C-beta. LAO with strands and side chains that give way, as in
 * examples/lao-closing: bodies of what turns about single bonds. Every atom a body of its own. */
int rigid_lao(const cardo_structure *structure, int atom);
int rigid_adenylate_kinase(const cardo_structure *structure, int atom);
int rigid_light_chain(const cardo_structure *structure, int atom);
int rigid_lao_side_chains(const cardo_structure *structure, int atom);
int rigid_light_chain_side_chains(const cardo_structure *structure, int atom);
int rigid_lao_flexible(const cardo_structure *structure, int atom);
int rigid_single_atoms(const cardo_structure *structure, int atom);

/* Reads a PDB file and applies ff14SB with a solvent ("obc2", or NULL). Fails the test when that is
 * not possible. */
void rigid_protein_read(const char *path, const char *solvent, rigid_partition partition,
                        rigid_protein *protein);
void rigid_protein_clear(rigid_protein *protein);

/* Poses: every body turned by up to angle (radian) about its origin and shifted by up to distance
 * (nm) along each axis from where it stands. */
void rigid_random_poses(const rigid_protein *protein, double angle, double distance, uint64_t *seed,
                        cardo_transform *X_GB);

/* Energies and body forces of a provider that wants positions, at poses. terms may be NULL. */
cardo_status rigid_forces_of_atoms(const rigid_protein *protein, cardo_force_provider *provider,
                                   const cardo_transform *X_GB, double *energy, double *terms,
                                   cardo_spatial *forces, cardo_error *error);

#endif
