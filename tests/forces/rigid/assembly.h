/* Many copies of a protein, for what grows with the number of atoms: their nonbonded terms, bodies, and where they stand. */
#ifndef CARDO_TESTS_RIGID_ASSEMBLY_H
#define CARDO_TESTS_RIGID_ASSEMBLY_H

#include "protein.h"

/* Where copy k of n stands: a turn and a shift (nm) of the protein whose middle is at the origin. */
typedef cardo_transform (*rigid_arrangement)(int k, int n, double spacing, uint64_t *seed);

/* Around a circle, each turned by its angle, spacing apart; on a cubic lattice of that spacing, turned by chance. */
cardo_transform rigid_ring(int k, int n, double spacing, uint64_t *seed);
cardo_transform rigid_soup(int k, int n, double spacing, uint64_t *seed);

/* n copies of the first natom atoms (0: all) of a protein, each with its bodies; without a structure and bonded terms. To be cleared as
 * a protein. */
void rigid_assemble(const rigid_protein *protein, int natom, int n, rigid_arrangement arrange,
                    double spacing, rigid_protein *assembly);

#endif
