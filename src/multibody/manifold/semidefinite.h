/* Symmetric positive semidefinite matrices: factorization that tells the rank, and the solution of least norm. */
#ifndef CARDO_MULTIBODY_MANIFOLD_SEMIDEFINITE_H
#define CARDO_MULTIBODY_MANIFOLD_SEMIDEFINITE_H

/* Factors Y (n x n, row-major, rows `stride` apart, of which the lower triangle counts) in place, by Cholesky's method with the
 * largest of the remaining diagonal, relative to its row's scale (n, more than 0: what the diagonal could be), as pivot.
 * Returns the rank: pivots end where what remains is below `least` of its scale. order (n): rows by pivot; those from the rank on depend on the others.
 * With Y = [1; T] Y_11 [1; T]^T, shortest (n x n, as Y) gets the factor of 1 + T^T T where the rank is less than n. */
int cardo_semidefinite_factor(int n, int stride, double *Y, double *shortest, const double *scale,
                              int *order, double least);
/* x = Y^+ b (Moore and Penrose): of all x that come nearest to Y x = b the shortest. b and x (n) may be the same; work (n). */
void cardo_semidefinite_solve(int n, int stride, int rank, const double *Y, const double *shortest,
                              const int *order, const double *b, double *x, double *work);
/* Column number `column` < rank of a root of the inverse, Y^+ = sum of z z^T over all columns (n). work (n). */
void cardo_semidefinite_root(int n, int stride, int rank, const double *Y, const double *shortest,
                             const int *order, int column, double *z, double *work);
/* ln of the product of the eigenvalues that are not zero. */
double cardo_semidefinite_log_det(int n, int stride, int rank, const double *Y,
                                  const double *shortest);

#endif
