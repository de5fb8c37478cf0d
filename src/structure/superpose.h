/* Least-squares superposition of point sets (Kabsch 1976, through an SVD) and residue matching. */
#ifndef CARDO_STRUCTURE_SUPERPOSE_H
#define CARDO_STRUCTURE_SUPERPOSE_H

#include "base/vec.h"
#include "structure/structure.h"

/* The proper rotation and translation X that minimizes sum_k w_k |X a_k - b_k|^2.
 * a, b: n x 3; weights: n or NULL for equal ones. rmsd (may be NULL) gets the minimum, weighted. n
 * >= 3 points that are not on a line are needed: CARDO_ERROR_INPUT otherwise. */
cardo_status cardo_superpose(int n, const double *a, const double *b, const double *weights,
                             cardo_transform *X, double *rmsd, cardo_error *error);

/* Root mean square of |X a_k - b_k|. */
double cardo_rmsd(int n, const double *a, const double *b, cardo_transform X);

/* For every residue of a, the corresponding residue of b or -1: match[a->nresidue]. Only amino
 * acids and nucleotides are matched, k-th polymer chain to k-th, or to another that is more alike
 * where the k-th is not; chains without a partner stay unmatched. Residues pair by author number and
 * insertion code where their names agree in at least 90 % of the pairs; otherwise by global
 * sequence alignment with substitution scores and affine gaps (structure/substitution.h). *identity (may be NULL) is the fraction of pairs with one name. Below 30 %
 * identity, or when fewer than 3 residues pair, CARDO_ERROR_INPUT says how the sequences differ. */
cardo_status cardo_match_residues(const cardo_structure *a, const cardo_structure *b, int *match,
                                  double *identity, cardo_error *error);

#endif
