/* Many copies of a protein, for what grows with the number of atoms: their nonbonded terms, bodies, and where they stand. */
#ifndef CARDO_TESTS_RIGID_ASSEMBLY_H
#define CARDO_TESTS_RIGID_ASSEMBLY_H

#include "protein.h"

/* Where copy k of n stands: a turn and a shift (nm) of the protein whose middle is at the origin. */
typedef cardo_transform (*rigid_arrangement)(int k, int n, cardo_vec3 spacing, uint64_t *seed);

/* Around a circle, each turned by its angle, spacing.x apart; on a lattice, turned by chance; on a lattice, turned by half a turn about
 * an axis or not. */
cardo_transform rigid_ring(int k, int n, cardo_vec3 spacing, uint64_t *seed);
cardo_transform rigid_soup(int k, int n, cardo_vec3 spacing, uint64_t *seed);
cardo_transform rigid_crystal(int k, int n, cardo_vec3 spacing, uint64_t *seed);

/* Sides of a box about the middle of the first natom atoms, which half turns leave as it is. */
cardo_vec3 rigid_extent(const rigid_protein *protein, int natom);

/* n copies of the first natom atoms (0: all) of a protein, each with its bodies; without a structure and bonded terms. To be cleared as
 * a protein. */
void rigid_assemble(const rigid_protein *protein, int natom, int n, rigid_arrangement arrange,
                    cardo_vec3 spacing, rigid_protein *assembly);

#endif
