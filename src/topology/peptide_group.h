/* The planar group of atoms about a peptide bond. */
#ifndef CARDO_TOPOLOGY_PEPTIDE_GROUP_H
#define CARDO_TOPOLOGY_PEPTIDE_GROUP_H

#include "topology/bonds.h"

/* Atoms of the structure. */
typedef struct cardo_peptide_group {
    int ca1, c, o; /* of the residue before the bond                                      */
    int n, ca2;    /* of the one behind                                                   */
    int third;     /* what else is bonded to N: a hydrogen, or the ring's carbon of proline */
} cardo_peptide_group;

/* The group of the bond between residues r and r + 1; false where there is no such bond or one of its atoms is missing, as
 * without hydrogens. */
bool cardo_peptide_group_find(const cardo_structure *structure, const cardo_bonds *bonds, int r,
                              cardo_peptide_group *group);

#endif
