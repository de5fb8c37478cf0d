/* The door to LAPACK: the only file that includes LAPACKE. Matrices are row-major here. */
#ifndef CARDO_BASE_LINALG_H
#define CARDO_BASE_LINALG_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* A function of this kind is compiled for each width of vectors, and the processor's is taken when the program starts. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define CARDO_X86_WIDTHS
#define CARDO_EVERY_WIDTH                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CARDO_EVERY_WIDTH
#endif

/* Scalar product of vectors of n entries. Every eighth entry goes to one of eight sums, which a processor adds to at once; the same on all of them. */
static inline double cardo_dot(int n, const double *a, const double *b)
{
    enum { SUMS = 8 };
    double part[SUMS] = {0}, rest = 0;
    int k = 0;
    for (; k + SUMS <= n; k += SUMS)
        for (int j = 0; j < SUMS; ++j)
            part[j] += a[k + j] * b[k + j];
    for (; k < n; ++k)
        rest += a[k] * b[k];
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7])) + rest;
}

/* Singular value decomposition A = U diag(s) V^T of a 3x3 matrix, s falling. U and V are orthogonal
 * but may be reflections. */
cardo_status cardo_svd33(const cardo_mat33 *A, cardo_mat33 *U, double s[3], cardo_mat33 *V,
                         cardo_error *error);

/* Least-squares solution of minimum norm of A x = b by complete orthogonal factorization (dgelsy):
 * A is rows x columns and is destroyed; b has max(rows, columns) entries, the first columns of
 * which become x. Directions with a reciprocal condition below rcond are dropped; *rank is what is
 * left. */
cardo_status cardo_least_squares(int rows, int columns, double *A, double *b, double rcond,
                                 int *rank, cardo_error *error);

/* Where entry (row, column) of a band matrix lies, with `below` diagonals under the main one and `above` over it: columns of
 * 2 below + above + 1 numbers, the first `below` of which are room for row exchanges. */
static inline size_t cardo_band_index(int below, int above, int row, int column)
{
    return (size_t)column * (size_t)(2 * below + above + 1) +
           (size_t)(below + above + row - column);
}

/* Solution of A x = b in place, by elimination with row exchanges (dgbsv); A is a band matrix, which is destroyed.
 * CARDO_ERROR_SINGULAR. */
cardo_status cardo_band_solve(int n, int below, int above, double *A, double *b,
                              cardo_error *error);

/* Where entry (row, column), row >= column, of a symmetric band matrix with `below` diagonals under the main one lies: columns of below + 1
 * numbers. */
static inline size_t cardo_symmetric_band_index(int below, int row, int column)
{
    return (size_t)column * (size_t)(below + 1) + (size_t)(row - column);
}

/* Cholesky factorization A = L L^T of a symmetric positive definite band matrix in place (dpbtrf). CARDO_ERROR_SINGULAR. */
cardo_status cardo_band_cholesky(int n, int below, double *A, cardo_error *error);

/* b becomes L^-1 b, or L^-T b: half of a solution by cardo_band_cholesky's L (dtbtrs). */
void cardo_band_cholesky_half(int n, int below, const double *L, bool transposed, double *b);

/* Cholesky factorization of the symmetric positive definite n x n matrix A in place (lower
 * triangle) and, if b is not NULL, the solution of A x = b for nrhs columns stored row-major n x
 * nrhs, in place. CARDO_ERROR_SINGULAR when A is not positive definite. */
cardo_status cardo_cholesky_solve(int n, double *A, int nrhs, double *b, cardo_error *error);

/* Eigenvalues (rising) and eigenvectors (columns of A on return) of a symmetric n x n matrix. */
cardo_status cardo_symmetric_eigen(int n, double *A, double *values, cardo_error *error);
/* The same bits on any number of the threads of the library, which those of cardo_symmetric_eigen depend on; it takes ten times as long. */
cardo_status cardo_symmetric_eigen_repeatable(int n, double *A, double *values, cardo_error *error);

/* The count lowest solutions of A x = lambda B x, A symmetric, B symmetric positive definite, both n x
 * n and destroyed: values[count] rising, vectors[count x n] in rows with x^T B x = 1, each with its
 * entry of largest size positive. CARDO_ERROR_SINGULAR when B is not positive definite. */
cardo_status cardo_generalized_eigen(int n, double *A, double *B, int count, double *values,
                                     double *vectors, cardo_error *error);

/* Where entry (i, j), i >= j, of a symmetric n x n matrix lies among the n (n + 1)/2 numbers of
 * LAPACK's rectangular full packed form (lower, not transposed): half the memory, whole speed. */
static inline size_t cardo_packed_index(int n, int i, int j)
{
    const int half = (n + 1) / 2, even = n % 2 == 0;
    const size_t stride = (size_t)(n + even);
    return j < half ? (size_t)(i + even) + (size_t)j * stride
                    : (size_t)(j - half) + (size_t)(i - half + !even) * stride;
}

/* Cholesky factorization of such a matrix in place, and the solution of A x = b for nrhs right-hand
 * sides in rows (nrhs x n), in place. CARDO_ERROR_SINGULAR when A is not positive definite. */
cardo_status cardo_packed_cholesky(int n, double *A, cardo_error *error);
cardo_status cardo_packed_solve(int n, const double *factor, int nrhs, double *b,
                                cardo_error *error);

#endif
